// Links whose places follow from a loop, in the order of its closed form: docs/theory/generated.md,
// section 2. Equations, numbered as in multibody/closed_form.cc, with c the origin of the link, u
// its axis, d = Q - c and P = c + Px X + Pz u:
//   distance   |P - Q| = l gives cos and sin of the rotation from d_x, d_y and C        (1)
//   aim        X is along d                                                             (4)
//   slide      x = -e_z + branch sqrt(e_z^2 - e.e + l^2)                                (5)
#include "camber/mechanism_code/motion.h"

namespace camber::mechanism_code {

// (1), with the link's x axis toward P: P = c + Px X + Pz u.
template <class T>
LinkMotion<T> MotionTracer<T>::trace_mover(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters<T>& k = *parameters_of(l);
  LinkMotion<T> motion;
  const Axes axes = axes_of(l);
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion<T> Q = point(x.Q.link, x.Q.p, &k);
  const Vector3 P = x.R.transpose() * (x.P.p - x.o);
  const double Pz = x.is_flat ? 0 : P[2];
  const Vec<T> d = atom(Q.x - motion.origin.x);
  const T dx = atom(dot(axes.x, d)), dy = atom(dot(axes.y, d)), dz = dot(axes.u, d);
  const T square = atom(dx * dx + dy * dy);
  // C / Px.
  const T half = k(0.5 / P[0]), tilt = k(Pz / P[0]);
  T C = square * half;
  C += k((P[0] * P[0] + Pz * Pz - *x.length * *x.length) / (2 * P[0]));
  if (!x.is_flat) C += dz * dz * half - dz * tilt;
  C = atom(C);
  const T root = root_of(square - C * C) * k(x.branch), scale = T(1) / square;
  const T cosine = atom((dx * C - dy * root) * scale), sine = atom((dy * C + dx * root) * scale);
  turn_to(axes, sine, cosine, &motion);

  const LinkMotion<T>& parent = link(x.parent);
  const T Px = k(P[0]), Pu = k(Pz);
  const Vec<T> arm = motion.R.c[0] * Px + axes.u * Pu;
  const Vec<T> e = atom(arm - d);  // P - Q
  const T inverse = atom(T(-1) / (root * Px));
  NumberMotion<T> turn;
  for (std::size_t j = 0; j < columns_.size(); ++j)
    turn.by.push_back(
        atom(dot(e, motion.origin.by[j] + cross(parent.w[j], arm) - Q.by[j]) * inverse));
  turn.rate = atom(total(turn.by));
  const Vec<T> omega = atom(parent.omega + axes.u * turn.rate), spin = atom(cross(omega, arm));
  const Vec<T> slip = atom(motion.origin.rate + spin - Q.rate);
  const Vec<T> alpha = parent.alpha + cross(parent.omega, axes.u) * turn.rate;
  const Vec<T> missing = motion.origin.bias + cross(alpha, arm) + cross(omega, spin) - Q.bias;
  turn.bias = atom((dot(e, missing) + dot(slip, slip)) * inverse);
  // The rotation angle itself, from the reference: for forces along the joint.
  const Vec<T> X = on_link(x.parent, x.R.col(0), &k), Y = on_link(x.parent, x.R.col(1), &k);
  turn.x = atan2(dot(Y, motion.R.c[0]), dot(X, motion.R.c[0]));
  set_rates(l, axes.u, turn, &motion);
  return motion;
}

// (4): the distance is right, so X, or the arm given by its slide, is along d.
template <class T>
LinkMotion<T> MotionTracer<T>::trace_aimer(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters<T>& k = *parameters_of(l);
  LinkMotion<T> motion;
  const Axes axes = axes_of(l);
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion<T> Q = point(x.Q.link, x.Q.p, &k);
  const Vec<T> d = atom(Q.x - motion.origin.x);
  const T dx = dot(axes.x, d), dy = dot(axes.y, d);
  const Vector3 P = x.R.transpose() * (x.P.p - x.o);
  const bool slides = x.P.link != l;
  T Px = k(P[0]), Py, u_z;
  NumberMotion<T> out{{}, std::vector<T>(columns_.size()), {}, {}};
  Vec<T> u;  // of the slide, in the link's axes
  if (slides) {
    out = stretch(x.P.link);
    u = vector(x.R.transpose() * sketch_.links[x.P.link].axis, &k);
    Px = atom(Px + u[0] * out.x);
    Py = u[1] * out.x;
  }
  T inverse = T(1) / Px, sine, cosine;
  if (Py.is_zero()) {
    sine = atom(dy * inverse);
    cosine = atom(dx * inverse);
  } else {
    inverse = T(1) / (Px * Px + Py * Py);
    sine = atom((Px * dy - Py * dx) * inverse);
    cosine = atom((Px * dx + Py * dy) * inverse);
  }
  turn_to(axes, sine, cosine, &motion);

  const LinkMotion<T>& parent = link(x.parent);
  const Vec<T> arm = motion.R.c[0] * Px + motion.R.c[1] * Py + axes.u * k(P[2]);
  const Vec<T> tangent = Py.is_zero() ? motion.R.c[1] * inverse : cross(axes.u, arm) * inverse;
  const Vec<T> slide = motion.R * u;
  NumberMotion<T> turn;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec<T> by = motion.origin.by[j] + cross(parent.w[j], arm) + slide * out.by[j];
    turn.by.push_back(atom(dot(tangent, Q.by[j] - by)));
  }
  turn.rate = atom(total(turn.by));
  const Vec<T> omega = atom(parent.omega + axes.u * turn.rate);
  const Vec<T> alpha = parent.alpha + cross(parent.omega, axes.u) * turn.rate;
  const Vec<T> bias = motion.origin.bias + cross(alpha, arm) + cross(omega, cross(omega, arm)) +
                      cross(omega, slide) * (T(2) * out.rate) + slide * out.bias;
  turn.bias = atom(dot(tangent, Q.bias - bias));
  const Vec<T> X = on_link(x.parent, x.R.col(0), &k), Y = on_link(x.parent, x.R.col(1), &k);
  turn.x = atan2(dot(Y, motion.R.c[0]), dot(X, motion.R.c[0]));
  set_rates(l, axes.u, turn, &motion);
  return motion;
}

// (5), in the axes of the link that aims: e = e0 + u x, |e| = |Q - its joint|.
template <class T>
const NumberMotion<T>& MotionTracer<T>::stretch(int slide) {
  const auto found = stretches_.find(slide);
  if (found != stretches_.end()) return found->second;
  const SketchLink& x = sketch_.links[slide];
  const SketchLink& aimer = sketch_.links[x.aimer];
  Parameters<T>& k = *parameters_of(slide);
  Vector3 e0 = aimer.R.transpose() * (x.P.p - aimer.o);
  if (x.is_flat) e0[2] = 0;
  const Vec<T> e = vector(e0, &k), u = vector(aimer.R.transpose() * x.axis, &k);
  const PointMotion<T> from = point(aimer.parent, aimer.o, &k), to = point(x.Q.link, x.Q.p, &k);
  Vec<T> reach = to.x - from.x;
  if (x.is_flat) {
    const Vec<T> n = vector(aimer.basis.col(2), &k);
    reach = reach - n * dot(n, reach);
  }
  reach = atom(reach);
  const T b = dot(u, e);
  const T root = root_of(b * b - dot(e, e) + dot(reach, reach)) * k(x.branch);
  const T inverse = atom(T(1) / root);
  NumberMotion<T> out;
  out.x = root - b;
  for (std::size_t j = 0; j < columns_.size(); ++j)
    out.by.push_back(atom(dot(reach, to.by[j] - from.by[j]) * inverse));
  out.rate = atom(total(out.by));
  const Vec<T> speed = atom(to.rate - from.rate);
  out.bias =
      atom((dot(reach, to.bias - from.bias) + dot(speed, speed) - out.rate * out.rate) * inverse);
  return stretches_.emplace(slide, std::move(out)).first->second;
}

template <class T>
LinkMotion<T> MotionTracer<T>::trace_stretch(int l) {
  const SketchLink& x = sketch_.links[l];
  const NumberMotion<T> out = stretch(l);
  LinkMotion<T> motion = link(x.parent);
  const Vec<T> u = on_link(x.parent, x.axis, own_);
  const PointMotion<T> start = point(x.parent, x.o, own_);
  motion.origin = beside(motion, start, u * out.x);
  for (std::size_t j = 0; j < columns_.size(); ++j) motion.origin.by[j] += u * out.by[j];
  motion.origin.rate += u * out.rate;
  motion.origin.bias += cross(motion.omega, u) * (T(2) * out.rate) + u * out.bias;
  motion.turn = out;
  motion.has_turn = true;
  return motion;
}

// --- Joints that point ---

// P at Q: k = (Q - c) / l. The spin about k follows from |P2 - Q2| as in trace_mover(), counted
// from an x axis normal to k and to an axis of the base.
template <class T>
LinkMotion<T> MotionTracer<T>::trace_ball(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters<T>& k = *own_;
  LinkMotion<T> motion;
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion<T> Q = point(x.Q), Q2 = point(x.Q2);
  const Vec<T> arm = atom(Q.x - motion.origin.x);
  const bool slides = x.P.link != l;
  NumberMotion<T> out{{}, std::vector<T>(columns_.size()), {}, {}};
  const Vector3 P = x.R.transpose() * (x.P.p - x.o), P2 = x.R.transpose() * (x.P2.p - x.o);
  // In the link's axes: where P is, its direction b3, and two normal to it.
  Vec<T> b1{T(1), T(0), T(0)}, b3{T(0), T(0), T(1)};
  const Vec<T> b2{T(0), T(1), T(0)};
  T inverse = k(1 / P.norm());
  Vec<T> p2 = vector(P2, &k);
  T sign(1);
  if (slides) {
    out = stretch(x.P.link);
    inverse = atom(T(1) / sqrt(dot(arm, arm)));
    // The slide is along the link's z axis, up to its sign.
    sign = k(x.R.col(2).dot(sketch_.links[x.P.link].axis));
    const T bx = k(P[0]), bz = k(P[2]);
    b3 = Vec<T>(bx * inverse, T(0), (bz + sign * out.x) * inverse);
    b1 = Vec<T>(b3[2], T(0), -b3[0]);
    if (x.P2.link != l) p2 = Vec<T>(p2[0], p2[1], p2[2] + sign * out.x);
  }
  const Vec<T> u = atom(arm * inverse);
  const Vector3 u_ref = (x.P.p - x.o).normalized();
  int least = 0;
  u_ref.cwiseAbs().minCoeff(&least);
  const Vec<T> aside(T(least == 0), T(least == 1), T(least == 2));
  const Vec<T> across = cross(aside, u);
  const Vec<T> ax = atom(across * (T(1) / sqrt(dot(across, across)))), ay = atom(cross(u, ax));
  const Vec<T> d2 = atom(Q2.x - motion.origin.x);
  const T dx = atom(dot(ax, d2)), dy = atom(dot(ay, d2)), dz = dot(u, d2);
  const T px = dot(b1, p2), py = dot(b2, p2), pz = dot(b3, p2);
  const T A = atom(px * dx + py * dy), B = atom(px * dy - py * dx), square = atom(A * A + B * B);
  const T C = atom((dot(p2, p2) + dot(d2, d2) - k(*x.length2 * *x.length2)) * T(0.5) - pz * dz);
  const T root = root_of(square - C * C) * k(x.branch2), scale = atom(T(1) / square);
  const T cosine = atom((A * C - B * root) * scale), sine = atom((B * C + A * root) * scale);
  Mat<T> turned;
  turned.c[0] = ax * cosine + ay * sine;
  turned.c[1] = ay * cosine - ax * sine;
  turned.c[2] = u;
  motion.R = turned * transpose(Mat<T>{{b1, b2, b3}});
  for (Vec<T>& column : motion.R.c) column = atom(column);

  // w = u x u' + spin u, where u' is the rate of the slide's direction.
  const Vec<T> slide = motion.R.c[2] * sign;
  const Vec<T> arm2 = atom(turned * Vec<T>(px, py, pz)), e2 = atom(arm2 - d2);
  const T pivot = atom(T(-1) / root);
  const bool rides = slides && x.P2.link != l;
  NumberMotion<T> spin;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec<T> moved = Q.by[j] - motion.origin.by[j] - slide * out.by[j];
    const Vec<T> w = atom(cross(u, moved) * inverse);
    Vec<T> by = motion.origin.by[j] + cross(w, arm2) - Q2.by[j];
    if (rides) by += slide * out.by[j];
    spin.by.push_back(atom(dot(e2, by) * pivot));
    motion.w.push_back(atom(w + u * spin.by[j]));
  }
  spin.rate = atom(total(spin.by));
  motion.omega = atom(total(motion.w));
  const Vec<T>& omega = motion.omega;
  const Vec<T> coriolis = cross(omega, slide) * (T(2) * out.rate) + slide * out.bias;
  const Vec<T> alpha = atom(cross(u, Q.bias - motion.origin.bias - coriolis) * inverse -
                            cross(u, omega) * dot(omega, u));
  Vec<T> rate = motion.origin.rate + cross(omega, arm2) - Q2.rate;
  Vec<T> missing =
      motion.origin.bias + cross(alpha, arm2) + cross(omega, cross(omega, arm2)) - Q2.bias;
  if (rides) {
    rate += slide * out.rate;
    missing += coriolis;
  }
  rate = atom(rate);
  spin.bias = atom((dot(e2, missing) + dot(rate, rate)) * pivot);
  motion.alpha = atom(alpha + u * spin.bias);
  return motion;
}

// d = Q - c; the spin about d is that which leaves the joint's outer axis normal to its inner one
// u: (w - w_P).n = 0 with n = d - u (u.d).
template <class T>
LinkMotion<T> MotionTracer<T>::trace_universal(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters<T>& k = *own_;
  const int carrier = sketch_.links[x.parent].parent;
  const double length = (x.P.p - x.o).norm();
  LinkMotion<T> motion;
  motion.origin = point(carrier, x.o, &k);
  const PointMotion<T> Q = point(x.Q);
  const LinkMotion<T>& parent = link(carrier);
  const Vec<T> u = atom(on_link(carrier, x.axis, &k));
  const Vec<T> d = atom(Q.x - motion.origin.x);
  const Vec<T> across = cross(d, u);
  motion.R.c[2] = d * k(1 / length);
  motion.R.c[1] = atom(across * (T(1) / sqrt(dot(across, across))));
  motion.R.c[0] = atom(cross(motion.R.c[1], motion.R.c[2]));
  const T along = atom(dot(u, d));
  const Vec<T> n = atom(d - u * along);
  const T inverse = k(1 / (length * length)), pivot = atom(T(1) / dot(d, n));
  T spin;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec<T> w = atom(cross(d, Q.by[j] - motion.origin.by[j]) * inverse);
    const T by = atom(dot(parent.w[j] - w, n) * pivot);
    motion.w.push_back(atom(w + d * by));
    spin += by * symbols_[j].rate;
  }
  spin = atom(spin);
  motion.omega = atom(total(motion.w));
  const Vec<T> d_rate = atom(Q.rate - motion.origin.rate), u_rate = atom(cross(parent.omega, u));
  const Vec<T> n_rate = d_rate - u_rate * along - u * (dot(u_rate, d) + dot(u, d_rate));
  const Vec<T> alpha = atom(cross(d, Q.bias - motion.origin.bias) * inverse + d_rate * spin);
  const T bias =
      atom((dot(parent.alpha - alpha, n) - dot(motion.omega - parent.omega, n_rate)) * pivot);
  motion.alpha = atom(alpha + d * bias);
  return motion;
}

#define CAMBER_INSTANTIATE(T)                                 \
  template LinkMotion<T> MotionTracer<T>::trace_mover(int);   \
  template LinkMotion<T> MotionTracer<T>::trace_aimer(int);   \
  template LinkMotion<T> MotionTracer<T>::trace_stretch(int); \
  template LinkMotion<T> MotionTracer<T>::trace_ball(int);    \
  template LinkMotion<T> MotionTracer<T>::trace_universal(int);
CAMBER_INSTANTIATE(Expr)
CAMBER_INSTANTIATE(Fingerprint)
#undef CAMBER_INSTANTIATE

}  // namespace camber::mechanism_code
