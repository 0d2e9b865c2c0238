// Links whose places follow from a loop, in the order of its closed form: docs/theory/generated.md,
// section 2. Equations, numbered as in multibody/closed_form.cc, with c the origin of the link, u
// its axis, d = Q - c and P = c + Px X + Pz u:
//   distance   |P - Q| = l gives cos and sin of the rotation from d_x, d_y and C        (1)
//   aim        X is along d                                                             (4)
//   slide      x = -e_z + branch sqrt(e_z^2 - e.e + l^2)                                (5)
#include "camber/mechanism_code/motion.h"

namespace camber::mechanism_code {

using symbolic::atan2, symbolic::sqrt;

// (1), with the link's x axis toward P: P = c + Px X + Pz u.
LinkMotion MotionTracer::trace_mover(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters& k = *parameters_of(l);
  LinkMotion motion;
  const Axes axes = axes_of(l);
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion Q = point(x.Q.link, x.Q.p, &k);
  const Vector3 P = x.R.transpose() * (x.P.p - x.o);
  const double Pz = x.is_flat ? 0 : P[2];
  const Vec d = atom(Q.x - motion.origin.x);
  const Expr dx = atom(dot(axes.x, d)), dy = atom(dot(axes.y, d)), dz = dot(axes.u, d);
  const Expr square = atom(dx * dx + dy * dy);
  // C / Px.
  const Expr half = k(0.5 / P[0]), tilt = k(Pz / P[0]);
  Expr C = square * half;
  C += k((P[0] * P[0] + Pz * Pz - *x.length * *x.length) / (2 * P[0]));
  if (!x.is_flat) C += dz * dz * half - dz * tilt;
  C = atom(C);
  const Expr root = root_of(square - C * C) * k(x.branch), scale = Expr(1) / square;
  const Expr cosine = atom((dx * C - dy * root) * scale), sine = atom((dy * C + dx * root) * scale);
  turn_to(axes, sine, cosine, &motion);

  const LinkMotion& parent = link(x.parent);
  const Expr Px = k(P[0]), Pu = k(Pz);
  const Vec arm = motion.R.c[0] * Px + axes.u * Pu;
  const Vec e = atom(arm - d);  // P - Q
  const Expr inverse = atom(Expr(-1) / (root * Px));
  NumberMotion turn;
  for (std::size_t j = 0; j < columns_.size(); ++j)
    turn.by.push_back(
        atom(dot(e, motion.origin.by[j] + cross(parent.w[j], arm) - Q.by[j]) * inverse));
  turn.rate = atom(total(turn.by));
  const Vec omega = atom(parent.omega + axes.u * turn.rate), spin = atom(cross(omega, arm));
  const Vec slip = atom(motion.origin.rate + spin - Q.rate);
  const Vec alpha = parent.alpha + cross(parent.omega, axes.u) * turn.rate;
  const Vec missing = motion.origin.bias + cross(alpha, arm) + cross(omega, spin) - Q.bias;
  turn.bias = atom((dot(e, missing) + dot(slip, slip)) * inverse);
  // The rotation angle itself, from the reference: for forces along the joint.
  const Vec X = on_link(x.parent, x.R.col(0), &k), Y = on_link(x.parent, x.R.col(1), &k);
  turn.x = atan2(dot(Y, motion.R.c[0]), dot(X, motion.R.c[0]));
  set_rates(l, axes.u, turn, &motion);
  return motion;
}

// (4): the distance is right, so X, or the arm given by its slide, is along d.
LinkMotion MotionTracer::trace_aimer(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters& k = *parameters_of(l);
  LinkMotion motion;
  const Axes axes = axes_of(l);
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion Q = point(x.Q.link, x.Q.p, &k);
  const Vec d = atom(Q.x - motion.origin.x);
  const Expr dx = dot(axes.x, d), dy = dot(axes.y, d);
  const Vector3 P = x.R.transpose() * (x.P.p - x.o);
  const bool slides = x.P.link != l;
  Expr Px = k(P[0]), Py, u_z;
  NumberMotion out{{}, std::vector<Expr>(columns_.size()), {}, {}};
  Vec u;  // of the slide, in the link's axes
  if (slides) {
    out = stretch(x.P.link);
    u = vector(x.R.transpose() * sketch_.links[x.P.link].axis, &k);
    Px = atom(Px + u[0] * out.x);
    Py = u[1] * out.x;
  }
  Expr inverse = Expr(1) / Px, sine, cosine;
  if (Py.is_zero()) {
    sine = atom(dy * inverse);
    cosine = atom(dx * inverse);
  } else {
    inverse = Expr(1) / (Px * Px + Py * Py);
    sine = atom((Px * dy - Py * dx) * inverse);
    cosine = atom((Px * dx + Py * dy) * inverse);
  }
  turn_to(axes, sine, cosine, &motion);

  const LinkMotion& parent = link(x.parent);
  const Vec arm = motion.R.c[0] * Px + motion.R.c[1] * Py + axes.u * k(P[2]);
  const Vec tangent = Py.is_zero() ? motion.R.c[1] * inverse : cross(axes.u, arm) * inverse;
  const Vec slide = motion.R * u;
  NumberMotion turn;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec by = motion.origin.by[j] + cross(parent.w[j], arm) + slide * out.by[j];
    turn.by.push_back(atom(dot(tangent, Q.by[j] - by)));
  }
  turn.rate = atom(total(turn.by));
  const Vec omega = atom(parent.omega + axes.u * turn.rate);
  const Vec alpha = parent.alpha + cross(parent.omega, axes.u) * turn.rate;
  const Vec bias = motion.origin.bias + cross(alpha, arm) + cross(omega, cross(omega, arm)) +
                   cross(omega, slide) * (Expr(2) * out.rate) + slide * out.bias;
  turn.bias = atom(dot(tangent, Q.bias - bias));
  const Vec X = on_link(x.parent, x.R.col(0), &k), Y = on_link(x.parent, x.R.col(1), &k);
  turn.x = atan2(dot(Y, motion.R.c[0]), dot(X, motion.R.c[0]));
  set_rates(l, axes.u, turn, &motion);
  return motion;
}

// (5), in the axes of the link that aims: e = e0 + u x, |e| = |Q - its joint|.
const NumberMotion& MotionTracer::stretch(int slide) {
  const auto found = stretches_.find(slide);
  if (found != stretches_.end()) return found->second;
  const SketchLink& x = sketch_.links[slide];
  const SketchLink& aimer = sketch_.links[x.aimer];
  Parameters& k = *parameters_of(slide);
  Vector3 e0 = aimer.R.transpose() * (x.P.p - aimer.o);
  if (x.is_flat) e0[2] = 0;
  const Vec e = vector(e0, &k), u = vector(aimer.R.transpose() * x.axis, &k);
  const PointMotion from = point(aimer.parent, aimer.o, &k), to = point(x.Q.link, x.Q.p, &k);
  Vec reach = to.x - from.x;
  if (x.is_flat) {
    const Vec n = vector(aimer.basis.col(2), &k);
    reach = reach - n * dot(n, reach);
  }
  reach = atom(reach);
  const Expr b = dot(u, e);
  const Expr root = root_of(b * b - dot(e, e) + dot(reach, reach)) * k(x.branch);
  const Expr inverse = atom(Expr(1) / root);
  NumberMotion out;
  out.x = root - b;
  for (std::size_t j = 0; j < columns_.size(); ++j)
    out.by.push_back(atom(dot(reach, to.by[j] - from.by[j]) * inverse));
  out.rate = atom(total(out.by));
  const Vec speed = atom(to.rate - from.rate);
  out.bias =
      atom((dot(reach, to.bias - from.bias) + dot(speed, speed) - out.rate * out.rate) * inverse);
  return stretches_.emplace(slide, std::move(out)).first->second;
}

LinkMotion MotionTracer::trace_stretch(int l) {
  const SketchLink& x = sketch_.links[l];
  const NumberMotion out = stretch(l);
  LinkMotion motion = link(x.parent);
  const Vec u = on_link(x.parent, x.axis, own_);
  const PointMotion start = point(x.parent, x.o, own_);
  motion.origin = beside(motion, start, u * out.x);
  for (std::size_t j = 0; j < columns_.size(); ++j) motion.origin.by[j] += u * out.by[j];
  motion.origin.rate += u * out.rate;
  motion.origin.bias += cross(motion.omega, u) * (Expr(2) * out.rate) + u * out.bias;
  motion.turn = out;
  motion.has_turn = true;
  return motion;
}

// --- Joints that point ---

// P at Q: k = (Q - c) / l. The spin about k follows from |P2 - Q2| as in trace_mover(), counted
// from an x axis normal to k and to an axis of the base.
LinkMotion MotionTracer::trace_ball(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters& k = *own_;
  LinkMotion motion;
  motion.origin = point(x.parent, x.o, &k);
  const PointMotion Q = point(x.Q), Q2 = point(x.Q2);
  const Vec arm = atom(Q.x - motion.origin.x);
  const bool slides = x.P.link != l;
  NumberMotion out{{}, std::vector<Expr>(columns_.size()), {}, {}};
  const Vector3 P = x.R.transpose() * (x.P.p - x.o), P2 = x.R.transpose() * (x.P2.p - x.o);
  // In the link's axes: where P is, its direction b3, and two normal to it.
  Vec b1{Expr(1), Expr(0), Expr(0)}, b3{Expr(0), Expr(0), Expr(1)};
  const Vec b2{Expr(0), Expr(1), Expr(0)};
  Expr inverse = k(1 / P.norm());
  Vec p2 = vector(P2, &k);
  Expr sign(1);
  if (slides) {
    out = stretch(x.P.link);
    inverse = atom(Expr(1) / sqrt(dot(arm, arm)));
    // The slide is along the link's z axis, up to its sign.
    sign = k(x.R.col(2).dot(sketch_.links[x.P.link].axis));
    const Expr bx = k(P[0]), bz = k(P[2]);
    b3 = Vec(bx * inverse, Expr(0), (bz + sign * out.x) * inverse);
    b1 = Vec(b3[2], Expr(0), -b3[0]);
    if (x.P2.link != l) p2 = Vec(p2[0], p2[1], p2[2] + sign * out.x);
  }
  const Vec u = atom(arm * inverse);
  const Vector3 u_ref = (x.P.p - x.o).normalized();
  int least = 0;
  u_ref.cwiseAbs().minCoeff(&least);
  const Vec aside(Expr(least == 0), Expr(least == 1), Expr(least == 2));
  const Vec across = cross(aside, u);
  const Vec ax = atom(across * (Expr(1) / sqrt(dot(across, across)))), ay = atom(cross(u, ax));
  const Vec d2 = atom(Q2.x - motion.origin.x);
  const Expr dx = atom(dot(ax, d2)), dy = atom(dot(ay, d2)), dz = dot(u, d2);
  const Expr px = dot(b1, p2), py = dot(b2, p2), pz = dot(b3, p2);
  const Expr A = atom(px * dx + py * dy), B = atom(px * dy - py * dx), square = atom(A * A + B * B);
  const Expr C =
      atom((dot(p2, p2) + dot(d2, d2) - k(*x.length2 * *x.length2)) * Expr(0.5) - pz * dz);
  const Expr root = root_of(square - C * C) * k(x.branch2), scale = atom(Expr(1) / square);
  const Expr cosine = atom((A * C - B * root) * scale), sine = atom((B * C + A * root) * scale);
  Mat turned;
  turned.c[0] = ax * cosine + ay * sine;
  turned.c[1] = ay * cosine - ax * sine;
  turned.c[2] = u;
  motion.R = turned * transpose(Mat{{b1, b2, b3}});
  for (Vec& column : motion.R.c) column = atom(column);

  // w = u x u' + spin u, where u' is the rate of the slide's direction.
  const Vec slide = motion.R.c[2] * sign;
  const Vec arm2 = atom(turned * Vec(px, py, pz)), e2 = atom(arm2 - d2);
  const Expr pivot = atom(Expr(-1) / root);
  const bool rides = slides && x.P2.link != l;
  NumberMotion spin;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec moved = Q.by[j] - motion.origin.by[j] - slide * out.by[j];
    const Vec w = atom(cross(u, moved) * inverse);
    Vec by = motion.origin.by[j] + cross(w, arm2) - Q2.by[j];
    if (rides) by += slide * out.by[j];
    spin.by.push_back(atom(dot(e2, by) * pivot));
    motion.w.push_back(atom(w + u * spin.by[j]));
  }
  spin.rate = atom(total(spin.by));
  motion.omega = atom(total(motion.w));
  const Vec& omega = motion.omega;
  const Vec coriolis = cross(omega, slide) * (Expr(2) * out.rate) + slide * out.bias;
  const Vec alpha = atom(cross(u, Q.bias - motion.origin.bias - coriolis) * inverse -
                         cross(u, omega) * dot(omega, u));
  Vec rate = motion.origin.rate + cross(omega, arm2) - Q2.rate;
  Vec missing =
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
LinkMotion MotionTracer::trace_universal(int l) {
  const SketchLink& x = sketch_.links[l];
  Parameters& k = *own_;
  const int carrier = sketch_.links[x.parent].parent;
  const double length = (x.P.p - x.o).norm();
  LinkMotion motion;
  motion.origin = point(carrier, x.o, &k);
  const PointMotion Q = point(x.Q);
  const LinkMotion& parent = link(carrier);
  const Vec u = atom(on_link(carrier, x.axis, &k));
  const Vec d = atom(Q.x - motion.origin.x);
  const Vec across = cross(d, u);
  motion.R.c[2] = d * k(1 / length);
  motion.R.c[1] = atom(across * (Expr(1) / sqrt(dot(across, across))));
  motion.R.c[0] = atom(cross(motion.R.c[1], motion.R.c[2]));
  const Expr along = atom(dot(u, d));
  const Vec n = atom(d - u * along);
  const Expr inverse = k(1 / (length * length)), pivot = atom(Expr(1) / dot(d, n));
  Expr spin;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Vec w = atom(cross(d, Q.by[j] - motion.origin.by[j]) * inverse);
    const Expr by = atom(dot(parent.w[j] - w, n) * pivot);
    motion.w.push_back(atom(w + d * by));
    spin += by * symbols_[j].rate;
  }
  spin = atom(spin);
  motion.omega = atom(total(motion.w));
  const Vec d_rate = atom(Q.rate - motion.origin.rate), u_rate = atom(cross(parent.omega, u));
  const Vec n_rate = d_rate - u_rate * along - u * (dot(u_rate, d) + dot(u, d_rate));
  const Vec alpha = atom(cross(d, Q.bias - motion.origin.bias) * inverse + d_rate * spin);
  const Expr bias =
      atom((dot(parent.alpha - alpha, n) - dot(motion.omega - parent.omega, n_rate)) * pivot);
  motion.alpha = atom(alpha + d * bias);
  return motion;
}

}  // namespace camber::mechanism_code
