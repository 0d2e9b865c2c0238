// [002] section 5 without its planar angles: each step turns or moves one link by what is missing,
// measured in the configuration at hand. c is a point of the joint's axis u, v = P - c, d = Q - c;
// v_t, d_t are v, d without their parts along u.
//
// Distance, |P - Q| = l after a turn by x:
//   (d_t.v_t) cos x + (d.(u x v_t)) sin x = (v_t.v_t + d_t.d_t - l^2 + (u.v - u.d)^2) / 2       (1)
// Level, P as far as Q along n after a turn by x:
//   (n.v_t) cos x + (n.(u x v_t)) sin x = n.(d - u (u.v))                                       (2)
// Both are A cos x + B sin x = C; with r = branch sqrt(A^2 + B^2 - C^2),
//   cos x = (A C - B r) / (A^2 + B^2),   sin x = (B C + A r) / (A^2 + B^2)                      (3)
// Aim, P in the direction of Q:
//   cos x ~ v_t.d_t,   sin x ~ u.(v x d)                                                        (4)
// Slide, |P - Q| = l after a move by x along u, with e = P - Q:
//   x = -u.e + branch sqrt((u.e)^2 - e.e + l^2)                                                 (5)
// Point, P in the direction of Q about a ball joint: the quaternion
//   (|v| |d| + v.d, v x d), over its length                                                     (6)
//
// (3) is [002]'s cos^-1 without its loss of half the digits near 0 and pi, and without a
// trigonometric function: what is missing is small, so that x itself is a short series in sin x.
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
struct Turn {
  T sine, cosine;
};

template <class T>
Turn<T> solve_turn(const T& A, const T& B, const T& C, double branch) {
  const T square = A * A + B * B;
  const T r = root_of_positive(T(square - C * C)) * T(branch);
  const T scale = T(1) / square;
  return {(B * C + A * r) * scale, (A * C - B * r) * scale};  // (3)
}

template <class T>
Turn<T> aim(const T& across, const T& along) {
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
T angle_of(const Turn<T>& turn) {
  using std::atan2;
  if (!is_small(turn)) return atan2(turn.sine, turn.cosine);
  const T& s = turn.sine;
  const T z = s * s;  // the arcsine's series; its next term is below 1e-18
  return s + s * z * (T(1.0 / 6) + z * (T(3.0 / 40) + z * (T(15.0 / 336) + z * T(105.0 / 3456))));
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

template <class T>
T solve_slide(const ClosedFormStep& step, const PositionKinematics<T>& pos) {
  const Vec3<T> u = pos.R_WL[step.link].c[2], n = pos.R_WL[step.other_axis].c[2];
  Vec3<T> e = place_of(pos, step.P) - place_of(pos, step.Q);
  if (step.planar) e = without(e, n);
  const T b = dot(u, e);
  return root_of_positive(T(b * b - dot(e, e) + squared_length(step, pos, n))) * T(step.branch) -
         b;  // (5)
}

template <class T>
Turn<T> solve_turn(const ClosedFormStep& step, const PositionKinematics<T>& pos) {
  const Vec3<T> u = axis_of(step, pos), c = pos.p_OL[step.link];
  const Vec3<T> n = pos.R_WL[step.other_axis].c[2];
  const Vec3<T> v = place_of(pos, step.P) - c, d = place_of(pos, step.Q) - c;
  const Vec3<T> v_t = without(v, u), d_t = without(d, u);
  if (step.kind == ClosedFormStep::Kind::kAim) return aim(dot(u, cross(v, d)), dot(v_t, d_t));
  if (step.kind == ClosedFormStep::Kind::kLevel) {
    return solve_turn(dot(n, v_t), dot(n, cross(u, v_t)), dot(n, d - u * dot(v, u)),
                      step.branch);  // (2)
  }
  T l2 = squared_length(step, pos, n);
  if (!step.planar) {
    const T along = dot(v - d, u);
    l2 -= along * along;
  }
  return solve_turn(dot(d_t, v_t), dot(d, cross(u, v_t)),
                    T((dot(v_t, v_t) + dot(d_t, d_t) - l2) * T(0.5)), step.branch);  // (1)
}

// A turn of a link about its own axis: sine and cosine of its coordinate come with it.
template <class T>
void turn_link(const Turn<T>& turn, int i, VectorX<T>* q, PositionKinematics<T>* pos) {
  const T s = pos->sine[i], c = pos->cosine[i];
  (*q)[i] += angle_of(turn);
  pos->sine[i] = s * turn.cosine + c * turn.sine;
  pos->cosine[i] = c * turn.cosine - s * turn.sine;
}

// Half the turn about the line from a ball joint to the point that is in place; cos x > -1.
template <class T>
void spin_ball(const Model<T>& model, const ClosedFormStep& step, const PositionKinematics<T>& pos,
               VectorX<T>* q) {
  using std::sqrt;
  const Turn<T> turn = solve_turn(step, pos);
  const T cosine = sqrt((T(1) + turn.cosine) * T(0.5));
  const T sine = turn.sine * (T(0.5) / cosine);
  turn_ball(model, step.link, cosine, axis_of(step, pos) * sine, pos, q);
}

}  // namespace

double calc_missing(const ClosedFormStep& step, const PositionKinematics<double>& pos) {
  return step.kind == ClosedFormStep::Kind::kSlide ? solve_slide(step, pos)
                                                   : angle_of(solve_turn(step, pos));
}

template <class T>
void close_in_closed_form(const Model<T>& model, const std::vector<ClosedFormStep>& plan,
                          VectorX<T>* q, PositionKinematics<T>* pos) {
  using math::sincos;
  using Kind = ClosedFormStep::Kind;
  for (const ClosedFormStep& step : plan) {
    const int i = model.links[step.link].q_start;
    switch (step.kind) {
      case Kind::kPoint:
        point_ball(model, step, *pos, q);
        break;
      case Kind::kSlide:
        (*q)[i] += solve_slide(step, *pos);
        break;
      case Kind::kCouple:
        (*q)[i] += solve_coupler(model.rows[step.row], i, *q);
        sincos((*q)[i], &pos->sine[i], &pos->cosine[i]);
        break;
      case Kind::kDistance:
      case Kind::kAim:
      case Kind::kLevel:
        if (step.is_spin) {
          spin_ball(model, step, *pos, q);
        } else {
          turn_link(solve_turn(step, *pos), i, q, pos);
        }
        break;
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
