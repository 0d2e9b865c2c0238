// [002] section 5 without its planar angles: each step turns or moves one link by what is missing,
// measured in the configuration at hand. With c a point of the joint's axis u, v = P - c, d = Q -
// c, and v, d without their parts along u where only these turn:
//   |P - Q| = l after a turn by x:   (d.v) cos x + (d.(u x v)) sin x = (|v|^2 + |d|^2 - l^2) / 2
//   (1)
//     where along u both keep their parts, so that l^2 loses (v_u - d_u)^2;
//   P as far as Q along n after a turn by x:
//                     (n.v) cos x + (n.(u x v)) sin x = n.d, with u's parts on the right (2)
//   A cos x + B sin x = C:   x = atan2(B, A) + branch atan2(sqrt(A^2 + B^2 - C^2), C) (3) P towards
//   Q:      x = atan2(u.(v x d), v.d)                                                   (4) |P - Q|
//   = l after a move by x along the unit vector s:
//                     x = -s.e + branch sqrt((s.e)^2 - e.e + l^2), e = P - Q (5)
//   P towards Q about a ball joint: the quaternion (|v| |d| + v.d, v x d), over its length (6)
// (3) is [002]'s cos^-1 with both signs of its argument's error in view: atan2 keeps all digits
// where cos^-1 loses half of them.
#include "camber/multibody/closed_form.h"

#include <cmath>

#include "camber/multibody/scalars.h"

namespace camber::multibody {

namespace {

template <class T>
Vec3<T> place_of(const PositionKinematics<T>& pos, const ClosedFormStep::Point& point) {
  return pos.p_OL[point.link] +
         pos.R_WL[point.link] * Vec3<T>(T(point.p[0]), T(point.p[1]), T(point.p[2]));
}

template <class T>
Vec3<T> without(const Vec3<T>& x, const Vec3<T>& u) {
  return x - u * dot(x, u);
}

template <class T>
T root_of_positive(const T& x) {
  using math::select;
  using std::sqrt;
  return sqrt(
      select(x > T(0), x, T(0)));  // out of reach: as near as it gets, and the error shows it
}

template <class T>
T solve_turn(const T& A, const T& B, const T& C, double branch) {
  using std::atan2;
  return atan2(B, A) + atan2(root_of_positive(T(A * A + B * B - C * C)), C) * T(branch);  // (3)
}

template <class T>
Vec3<T> axis_of(const ClosedFormStep& step, const PositionKinematics<T>& pos) {
  if (!step.is_spin) return pos.R_WL[step.link].c[2];
  using std::sqrt;
  const Vec3<T> along = place_of(pos, step.spin_end) - pos.p_OL[step.link];
  return along * T(T(1) / sqrt(dot(along, along)));
}

template <class T>
T squared_length(const ClosedFormStep& step, const PositionKinematics<T>& pos, const Vec3<T>& n) {
  if (!step.has_length_points) return T(step.length * step.length);
  Vec3<T> x = place_of(pos, step.length_to) - place_of(pos, step.length_from);
  if (step.planar) x = without(x, n);
  return dot(x, x);
}

// A link with a ball joint, turned in W by the quaternion (w, r).
template <class T>
void turn_ball(const Model<T>& model, int l, T w, const Vec3<T>& r_W,
               const PositionKinematics<T>& pos, VectorX<T>* q) {
  const Link<T>& link = model.links[l];
  const Mat3<T> R_WF = pos.R_WL[link.parent] * link.R_PF;
  const Vec3<T> r = transpose_times(R_WF, r_W);
  const int i = link.q_start;
  const T s = (*q)[i];
  const Vec3<T> p((*q)[i + 1], (*q)[i + 2], (*q)[i + 3]);
  const Vec3<T> turned = p * w + r * s + cross(r, p);
  (*q)[i] = w * s - dot(r, p);
  for (int k = 0; k < 3; ++k) (*q)[i + 1 + k] = turned[k];
}

template <class T>
void point_ball(const Model<T>& model, const ClosedFormStep& step, const PositionKinematics<T>& pos,
                VectorX<T>* q) {
  using std::sqrt;
  const Vec3<T> c = pos.p_OL[step.link];
  const Vec3<T> v = place_of(pos, step.P) - c, d = place_of(pos, step.Q) - c;
  const T w = sqrt(dot(v, v) * dot(d, d)) + dot(v, d);  // (6)
  const Vec3<T> r = cross(v, d);
  const T scale = T(1) / sqrt(w * w + dot(r, r));
  turn_ball(model, step.link, T(w * scale), r * scale, pos, q);
}

template <class T>
T solve_coupler(const ConstraintRow<T>& row, int own, const VectorX<T>& q) {
  T sum = row.length, own_factor = T(1);
  for (const CouplerTerm<T>& term : row.terms) {
    sum -= term.factor * q[term.q];
    if (term.q == own) own_factor = term.factor;
  }
  return sum / own_factor;
}

}  // namespace

namespace internal {

template <class T>
T solve_step(const ClosedFormStep& step, const PositionKinematics<T>& pos) {
  using std::atan2;
  const Vec3<T> u = axis_of(step, pos), c = pos.p_OL[step.link];
  const Vec3<T> n = pos.R_WL[step.other_axis].c[2];
  const Vec3<T> P = place_of(pos, step.P), Q = place_of(pos, step.Q);
  const Vec3<T> v = P - c, d = Q - c;
  const Vec3<T> v_t = without(v, u), d_t = without(d, u);
  switch (step.kind) {
    case ClosedFormStep::Kind::kAim:
      return atan2(dot(u, cross(v, d)), dot(v_t, d_t));  // (4)
    case ClosedFormStep::Kind::kLevel:
      return solve_turn(dot(n, v_t), dot(n, cross(u, v_t)), dot(n, d - u * dot(v, u)),
                        step.branch);  // (2)
    case ClosedFormStep::Kind::kSlide: {
      const Vec3<T> e = step.planar ? without(P - Q, n) : P - Q;
      const T b = dot(u, e);
      return root_of_positive(T(b * b - dot(e, e) + squared_length(step, pos, n))) *
                 T(step.branch) -
             b;  // (5)
    }
    case ClosedFormStep::Kind::kDistance:
    case ClosedFormStep::Kind::kPoint:
    case ClosedFormStep::Kind::kCouple:
      break;
  }
  T l2 = squared_length(step, pos, n);
  if (!step.planar) {
    const T along = dot(v - d, u);
    l2 -= along * along;
  }
  return solve_turn(dot(d_t, v_t), dot(d, cross(u, v_t)),
                    T((dot(v_t, v_t) + dot(d_t, d_t) - l2) * T(0.5)), step.branch);  // (1)
}

#define CAMBER_INSTANTIATE(T) \
  template T solve_step(const ClosedFormStep&, const PositionKinematics<T>&);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace internal

template <class T>
void close_in_closed_form(const Model<T>& model, const std::vector<ClosedFormStep>& plan,
                          VectorX<T>* q, PositionKinematics<T>* pos) {
  using math::sincos;
  using Kind = ClosedFormStep::Kind;
  for (const ClosedFormStep& step : plan) {
    const int i = model.links[step.link].q_start;
    if (step.kind == Kind::kPoint) {
      point_ball(model, step, *pos, q);
    } else if (step.is_spin) {
      T sine = T(0), cosine = T(1);
      sincos(T(internal::solve_step(step, *pos) * T(0.5)), &sine, &cosine);
      turn_ball(model, step.link, cosine, axis_of(step, *pos) * sine, *pos, q);
    } else {
      (*q)[i] += step.kind == Kind::kCouple ? solve_coupler(model.rows[step.row], i, *q)
                                            : internal::solve_step(step, *pos);
      const LinkKind kind = model.links[step.link].kind;
      if (kind != LinkKind::kPrismatic) sincos((*q)[i], &pos->sine[i], &pos->cosine[i]);
    }
    for (const int l : step.moved) internal::place_link(model, l, *q, pos);
  }
}

#define CAMBER_INSTANTIATE(T)                                                             \
  template void close_in_closed_form(const Model<T>&, const std::vector<ClosedFormStep>&, \
                                     VectorX<T>*, PositionKinematics<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
