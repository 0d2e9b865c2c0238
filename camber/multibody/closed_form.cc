// [002] section 5 without its planar angles. A step works in its link's joint frame F, where the
// link rotates about or slides along z: v is P on the link, d is Q. Both are constant or need one
// transform, so that no link has to be placed before its coordinate is known.
//
// Distance, |P - Q| = l after a rotation by x:
//   (d_x v_x + d_y v_y) cos x + (v_x d_y - v_y d_x) sin x
//     = (v_x^2 + v_y^2 + d_x^2 + d_y^2 + (v_z - d_z)^2 - l^2) / 2                               (1)
// without (v_z - d_z)^2 if distances are measured normal to the axis. Level, P as far as Q along n
// after a rotation by x:
//   (n_x v_x + n_y v_y) cos x + (n_y v_x - n_x v_y) sin x = n.d - n_z v_z                       (2)
// Both are A cos x + B sin x = C; with r = branch sqrt(A^2 + B^2 - C^2),
//   cos x = (A C - B r) / (A^2 + B^2),   sin x = (B C + A r) / (A^2 + B^2)                      (3)
// Aim, P in the direction of Q:
//   cos x ~ v_x d_x + v_y d_y,   sin x ~ v_x d_y - v_y d_x                                      (4)
// Slide, |P - Q| = l after a move by x along z, with e = v - d:
//   x = -e_z + branch sqrt(e_z^2 - e.e + l^2)                                                   (5)
// Point, P in the direction of Q about a ball joint: the quaternion
//   (|v| |d| + v.d, v x d)                                                                      (6)
// A rotation by x about u is the quaternion (1 + cos x, u sin x). Neither has unit length, and the
// rotation does not need it: it is normalized at the end, where the square root delays nothing.
// Settle, both at once, in W: with u along d, w the part of t = Q normal to u, and P on the link h
// along u and g across it, P comes to h u + g b with
//   b = (w C + u x w branch sqrt(w.w - C^2)) / w.w,   C = (g^2 + w.w + (h - t.u)^2 - l^2) / (2 g)
// so that u, b and u x b are the link's axes. Of a rotation R the quaternion q is, up to its length
// and next to an earlier one q0, the product (4 q q^T) q0, which is linear in R:             (7)
//   ((1 + tr R) s0 + a.p0,   a s0 + (R + R^T) p0 + (1 - tr R) p0),   a the axial vector of R - R^T
//
// (3) is [002]'s cos^-1 without its loss of half the digits near 0 and pi, and without a
// trigonometric function: x is close to its previous value, so that the change is a short series in
// its sine.
#include "camber/multibody/closed_form.h"

#include <cmath>

#include "camber/multibody/scalars.h"

namespace camber::multibody {

namespace {

template <class T>
Vec3<T> point_of(const ClosedFormStep::Point& point) {
  return {T(point.p[0]), T(point.p[1]), T(point.p[2])};
}

template <class T>
Vec3<T> place_of(const PositionKinematics<T>& pos, const ClosedFormStep::Point& point) {
  return pos.p_OL[point.link] + pos.R_WL[point.link] * point_of<T>(point);
}

template <class T>
Mat3<T> turn_of_ball(int i, const VectorX<T>& q) {
  return rotation_of_quaternion<T>(q[i], q[i + 1], q[i + 2], q[i + 3]);
}

// A link's joint frame F in W, from where its parent is.
template <class T>
struct JointFrame {
  Mat3<T> R_WF;
  Vec3<T> p_OF;
};
template <class T>
[[gnu::always_inline]] inline JointFrame<T> joint_frame(const Model<T>& model, int l,
                                                        const PositionKinematics<T>& pos) {
  const Link<T>& link = model.links[l];
  const Mat3<T>& R_WP = pos.R_WL[link.parent];
  return {R_WP * link.R_PF, pos.p_OL[link.parent] + R_WP * link.p_PF};
}

// A point in the axes of `link`, which carries it, through the coordinates of the joints between.
template <class T>
[[gnu::always_inline]] inline Vec3<T> point_on(const Model<T>& model, int link,
                                               const ClosedFormStep::Point& point,
                                               const VectorX<T>& q,
                                               const PositionKinematics<T>& pos) {
  Vec3<T> p = point_of<T>(point);
  for (int l = point.link; l != link; l = model.links[l].parent) {
    const Link<T>& joint = model.links[l];
    const int i = joint.q_start;
    const Vec3<T> z(T(0), T(0), T(1));
    const auto turned = [&] {
      const T s = pos.sine[i], c = pos.cosine[i];
      return Vec3<T>(c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]);
    };
    switch (joint.kind) {
      case LinkKind::kRevolute:
        p = turned();
        break;
      case LinkKind::kPrismatic:
        p += z * T(q[i]);
        break;
      case LinkKind::kScrew:
        p = turned() + z * T(T(joint.pitch) * q[i]);
        break;
      case LinkKind::kSpherical:
        p = turn_of_ball(i, q) * p;
        break;
      case LinkKind::kFree:
        p = turn_of_ball(i, q) * p + Vec3<T>(q[i + 4], q[i + 5], q[i + 6]);
        break;
    }
    p = cast<T>(joint.p_PF) + cast<T>(joint.R_PF) * p;
  }
  return p;
}

// The axis of a link's parent, in F.
template <class T>
Vec3<T> parent_axis(const Link<T>& link) {
  return {T(link.R_PF(2, 0)), T(link.R_PF(2, 1)), T(link.R_PF(2, 2))};
}

template <class T>
T root_of_positive(const T& x) {
  using math::select;
  using std::sqrt;
  return sqrt(
      select(x > T(0), x, T(0)));  // out of reach: as close as possible, and the error shows it
}

template <class T>
struct Turn {
  T sine, cosine;
};

template <class T>
[[gnu::always_inline]] inline Turn<T> solve_turn(const T& A, const T& B, const T& C,
                                                 double branch) {
  const T square = A * A + B * B;
  const T scale = T(1) / square;
  const T r = root_of_positive(T(square - C * C)) * T(branch);
  return {(B * C + A * r) * scale, (A * C - B * r) * scale};  // (3)
}

template <class T>
[[gnu::always_inline]] inline Turn<T> aim(const T& across, const T& along) {
  using std::sqrt;
  const T scale = T(1) / sqrt(across * across + along * along);
  return {across * scale, along * scale};  // (4)
}

template <class T>
bool is_small(const Turn<T>& turn) {
  if constexpr (std::is_same_v<T, symbolic::Expr>) {
    return false;
  } else {
    using math::all;
    using std::abs;
    return all(abs(turn.sine) < T(0.02)) && all(turn.cosine > T(0));
  }
}

template <class T>
[[gnu::always_inline]] inline T angle_of(const Turn<T>& turn) {
  using std::atan2;
  if (!is_small(turn)) return atan2(turn.sine, turn.cosine);
  const T& s = turn.sine;
  const T z = s * s;  // the arcsine's series; its next term is below 1e-18
  return s + s * z * (T(1.0 / 6) + z * (T(3.0 / 40) + z * (T(15.0 / 336) + z * T(105.0 / 3456))));
}

// The change from the current coordinate.
template <class T>
[[gnu::always_inline]] inline T change_of(const Turn<T>& turn, int i,
                                          const PositionKinematics<T>& pos) {
  const T s = pos.sine[i], c = pos.cosine[i];
  return angle_of(Turn<T>{turn.sine * c - turn.cosine * s, turn.cosine * c + turn.sine * s});
}

template <class T>
T squared_length(const Model<T>& model, const ClosedFormStep& step, const VectorX<T>& q,
                 const PositionKinematics<T>& pos) {
  if (!step.has_length_points) return T(step.length * step.length);
  const int pivot = step.length_from.link;  // from its origin: the link aims, and z is its axis
  if (step.length_is_carried) {
    const Vec3<T> x = point_on(model, pivot, step.length_to, q, pos);
    const T square = x[0] * x[0] + x[1] * x[1];
    return step.planar ? square : square + x[2] * x[2];
  }
  const JointFrame<T> F = joint_frame(model, pivot, pos);
  const Vec3<T> x = place_of(pos, step.length_to) - F.p_OF;
  const T along = dot(x, F.R_WF.c[2]);
  return step.planar ? dot(x, x) - along * along : dot(x, x);
}

// Q in F.
template <class T>
[[gnu::always_inline]] inline Vec3<T> target_in(const JointFrame<T>& F, const ClosedFormStep& step,
                                                const PositionKinematics<T>& pos) {
  return transpose_times(F.R_WF, place_of(pos, step.Q) - F.p_OF);
}

// Sine and cosine of a pin's coordinate.
template <class T>
[[gnu::always_inline]] inline Turn<T> solve_pin(const Model<T>& model, const ClosedFormStep& step,
                                                const JointFrame<T>& F, const VectorX<T>& q,
                                                const PositionKinematics<T>& pos) {
  const Vec3<T> v = point_on(model, step.link, step.P, q, pos);
  const Vec3<T> d = target_in(F, step, pos);
  const T along = v[0] * d[0] + v[1] * d[1], across = v[0] * d[1] - v[1] * d[0];
  if (step.kind == ClosedFormStep::Kind::kAim) return aim(across, along);
  T sum = (v[0] * v[0] + v[1] * v[1]) + (d[0] * d[0] + d[1] * d[1]) -
          squared_length(model, step, q, pos);
  if (!step.planar) sum += (v[2] - d[2]) * (v[2] - d[2]);
  return solve_turn(along, across, T(sum * T(0.5)), step.branch);  // (1)
}

// The outer axis of a universal joint; n.d needs the inner axis alone.
template <class T>
Turn<T> solve_level(const Model<T>& model, const ClosedFormStep& step, const VectorX<T>& q,
                    const PositionKinematics<T>& pos) {
  const JointFrame<T> inner = joint_frame(model, step.other_axis, pos);
  const Vec3<T> v = point_on(model, step.link, step.P, q, pos);
  const Vec3<T> n = parent_axis(model.links[step.link]);
  const T n_d = dot(inner.R_WF.c[2], place_of(pos, step.Q) - inner.p_OF);
  return solve_turn(T(n[0] * v[0] + n[1] * v[1]), T(n[1] * v[0] - n[0] * v[1]),
                    T(n_d - n[2] * v[2]), step.branch);  // (2)
}

template <class T>
T solve_slide(const Model<T>& model, const ClosedFormStep& step, const VectorX<T>& q,
              const PositionKinematics<T>& pos) {
  const Link<T>& link = model.links[step.link];
  const bool is_on_parent = step.Q.link == link.parent;
  const bool has_parent_axis = step.other_axis == link.parent;
  Vec3<T> d, n;
  if (is_on_parent)
    d = transpose_times(cast<T>(link.R_PF), point_of<T>(step.Q) - cast<T>(link.p_PF));
  if (has_parent_axis) n = parent_axis(link);
  if (!is_on_parent || (step.planar && !has_parent_axis)) {
    const JointFrame<T> F = joint_frame(model, step.link, pos);
    if (!is_on_parent) d = target_in(F, step, pos);
    if (step.planar && !has_parent_axis)
      n = transpose_times(F.R_WF, joint_frame(model, step.other_axis, pos).R_WF.c[2]);
  }
  const Vec3<T> e = point_on(model, step.link, step.P, q, pos) - d;
  const T b = e[2];
  T rest = squared_length(model, step, q, pos) - (e[0] * e[0] + e[1] * e[1]);
  if (step.planar) rest += dot(n, e) * dot(n, e);      // n is normal to z
  return root_of_positive(rest) * T(step.branch) - b;  // (5)
}

// A link with a ball joint, turned by the quaternion (w, r) in F.
template <class T>
void turn_ball(int i, const T& w, const Vec3<T>& r, VectorX<T>* q) {
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
  const int i = model.links[step.link].q_start;
  const Vec3<T> p = point_on(model, step.link, step.P, *q, pos), v = turn_of_ball(i, *q) * p;
  const Vec3<T> d = target_in(joint_frame(model, step.link, pos), step, pos);
  turn_ball(i, T(sqrt(dot(p, p) * dot(d, d)) + dot(v, d)), cross(v, d), q);  // (6)
}

// Rotation about the line u from a ball joint to the point already in place: (1) in vectors.
template <class T>
Turn<T> solve_spin(const Model<T>& model, const ClosedFormStep& step, const VectorX<T>& q,
                   const PositionKinematics<T>& pos, Vec3<T>* u) {
  using std::sqrt;
  const Mat3<T> R_FL = turn_of_ball(model.links[step.link].q_start, q);
  const Vec3<T> end = point_on(model, step.link, step.spin_end, q, pos);
  *u = R_FL * (end * T(T(1) / sqrt(dot(end, end))));
  const Vec3<T> v = R_FL * point_on(model, step.link, step.P, q, pos);
  const Vec3<T> d = target_in(joint_frame(model, step.link, pos), step, pos);
  const T v_u = dot(v, *u), d_u = dot(d, *u);
  const T sum = dot(v, v) + dot(d, d) - T(2) * v_u * d_u - squared_length(model, step, q, pos);
  return solve_turn(T(dot(v, d) - v_u * d_u), dot(d, cross(*u, v)), T(sum * T(0.5)), step.branch);
}

// cos x > -1.
template <class T>
void spin_ball(const Model<T>& model, const ClosedFormStep& step, const PositionKinematics<T>& pos,
               VectorX<T>* q) {
  Vec3<T> u;
  const Turn<T> turn = solve_spin(model, step, *q, pos, &u);
  turn_ball(model.links[step.link].q_start, T(T(1) + turn.cosine), u * turn.sine, q);
}

// (7), of unit length.
template <class T>
[[gnu::always_inline]] inline void set_ball(const Mat3<T>& R, int i, VectorX<T>* q) {
  using std::sqrt;
  T* x = q->data() + i;
  const T s = x[0], trace = R(0, 0) + R(1, 1) + R(2, 2);
  const Vec3<T> p(x[1], x[2], x[3]);
  const Vec3<T> a(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  const Vec3<T> r = a * s + R * p + transpose_times(R, p) + p * T(T(1) - trace);
  const T w = (T(1) + trace) * s + dot(a, p);
  const T scale = T(1) / sqrt(w * w + dot(r, r));
  x[0] = w * scale;
  for (int k = 0; k < 3; ++k) x[1 + k] = r[k] * scale;
}

// The link is placed at once; its coordinates are not needed for that.
template <class T>
void settle_ball(const Model<T>& model, const ClosedFormStep& step, VectorX<T>* q,
                 PositionKinematics<T>* pos) {
  using std::sqrt;
  const Link<T>& link = model.links[step.link];
  const JointFrame<T> F = joint_frame(model, step.link, *pos);
  const Vec3<T> d = place_of(*pos, step.end_target) - F.p_OF;
  const Vec3<T> t = place_of(*pos, step.Q) - F.p_OF;
  const Vec3<T> u = d * T(T(1) / sqrt(dot(d, d)));
  const T t_u = dot(t, u), along = T(step.along) - t_u;
  const Vec3<T> w = t - u * t_u;
  const T square = dot(w, w);
  const T sum = square + along * along +
                (T(step.across * step.across) - squared_length(model, step, *q, *pos));
  const T C = sum * T(0.5 / step.across), scale = T(1) / square;
  const T r = root_of_positive(T(square - C * C)) * T(step.branch);
  const Vec3<T> b = w * T(C * scale) + cross(u, w) * T(r * scale);
  const Mat3<T> B{{u, b, cross(u, b)}};
  Mat3<T> R_WL;
  for (int k = 0; k < 3; ++k)
    R_WL.c[k] = B * Vec3<double>(step.axes(k, 0), step.axes(k, 1), step.axes(k, 2));
  Spatial<T>* H = &pos->H[link.v_start];
  for (int k = 0; k < 3; ++k) {
    pos->R_WL[step.link].c[k] = R_WL.c[k];
    H[k] = Spatial<T>(R_WL.c[k], cross(F.p_OF, R_WL.c[k]));
  }
  pos->p_OL[step.link] = F.p_OF;
  const Mat3<T> R_FL{{transpose_times(F.R_WF, R_WL.c[0]), transpose_times(F.R_WF, R_WL.c[1]),
                      transpose_times(F.R_WF, R_WL.c[2])}};
  set_ball(R_FL, link.q_start, q);
}

template <class T>
void normalize_ball(int i, VectorX<T>* q) {
  using std::sqrt;
  T* x = q->data() + i;
  const T scale = T(1) / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  for (int k = 0; k < 4; ++k) x[k] *= scale;
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

template <class T>
[[gnu::always_inline]] inline void set_turn(const Turn<T>& turn, int i, VectorX<T>* q,
                                            PositionKinematics<T>* pos) {
  (*q)[i] += change_of(turn, i, *pos);
  pos->sine[i] = turn.sine;
  pos->cosine[i] = turn.cosine;
}

// The link is placed at once, since its joint frame is at hand.
template <class T>
void turn_pin(const Model<T>& model, const ClosedFormStep& step, VectorX<T>* q,
              PositionKinematics<T>* pos) {
  const JointFrame<T> F = joint_frame(model, step.link, *pos);
  const Turn<T> turn = solve_pin(model, step, F, *q, *pos);
  set_turn(turn, model.links[step.link].q_start, q, pos);
  const Vec3<T>&x = F.R_WF.c[0], &y = F.R_WF.c[1], &z = F.R_WF.c[2];
  Mat3<T>& R_WL = pos->R_WL[step.link];
  R_WL.c[0] = x * turn.cosine + y * turn.sine;
  R_WL.c[1] = y * turn.cosine - x * turn.sine;
  R_WL.c[2] = z;
  pos->p_OL[step.link] = F.p_OF;
  pos->H[model.links[step.link].v_start] = Spatial<T>(z, cross(F.p_OF, z));
}

}  // namespace

double calc_missing(const Model<double>& model, const ClosedFormStep& step,
                    const VectorX<double>& q, const PositionKinematics<double>& pos) {
  const int i = model.links[step.link].q_start;
  if (step.kind == ClosedFormStep::Kind::kSlide) return solve_slide(model, step, q, pos) - q[i];
  if (step.is_spin) {
    Vec3<double> u;
    return angle_of(solve_spin(model, step, q, pos, &u));
  }
  if (step.kind == ClosedFormStep::Kind::kLevel)
    return change_of(solve_level(model, step, q, pos), i, pos);
  return change_of(solve_pin(model, step, joint_frame(model, step.link, pos), q, pos), i, pos);
}

template <class T>
void close_in_closed_form(const Model<T>& model, const ClosureOrder& order, VectorX<T>* q,
                          PositionKinematics<T>* pos) {
  using math::sincos;
  using Kind = ClosedFormStep::Kind;
  for (const int l : order.placed_first) internal::place_link(model, l, *q, pos);
  for (const ClosedFormStep& step : order.steps) {
    const int i = model.links[step.link].q_start;
    switch (step.kind) {
      case Kind::kPoint:
        point_ball(model, step, *pos, q);
        break;
      case Kind::kSettle:
        settle_ball(model, step, q, pos);
        break;
      case Kind::kSlide:
        (*q)[i] = solve_slide(model, step, *q, *pos);
        break;
      case Kind::kCouple:
        (*q)[i] += solve_coupler(model.rows[step.row], i, *q);
        sincos((*q)[i], &pos->sine[i], &pos->cosine[i]);
        break;
      case Kind::kLevel:
        set_turn(solve_level(model, step, *q, *pos), i, q, pos);
        break;
      case Kind::kDistance:
      case Kind::kAim:
        if (step.is_spin) {
          spin_ball(model, step, *pos, q);
        } else {
          turn_pin(model, step, q, pos);
        }
        break;
    }
    for (const int l : step.moved) internal::place_link(model, l, *q, pos);
  }
  for (const ClosedFormStep& step : order.steps) {
    if (step.is_spin) normalize_ball(model.links[step.link].q_start, q);  // a ball's last step
  }
}

#define CAMBER_INSTANTIATE(T)                                                           \
  template void close_in_closed_form(const Model<T>&, const ClosureOrder&, VectorX<T>*, \
                                     PositionKinematics<T>*);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
