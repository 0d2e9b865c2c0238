#include "camber/multibody/joint_coordinate.h"

#include <cmath>
#include <numbers>

#include "camber/multibody/scalars.h"

namespace camber::multibody {

// Value, and the direction e that carries it: of an angle F = [e; 0], of a distance F = [p_M x e;
// e]. All directions are axes of F on a, except the second axis of a universal joint, y of M on b,
// and those of a soft hinge's angles.
template <class T>
CoordinateGeometry<T> calc_coordinate(const PositionKinematics<T>& pos,
                                      const VelocityKinematics<T>& vel, JointCoordinate* c) {
  using math::value_of;
  using std::asin, std::atan2, std::sqrt;
  const Mat3<T> R_WF = pos.R_WL[c->a] * c->R_AF, R_WM = pos.R_WL[c->b] * c->R_BM;
  const Vec3<T> p_F = pos.p_OL[c->a] + pos.R_WL[c->a] * c->p_AF;
  const Vec3<T> p_M = pos.p_OL[c->b] + pos.R_WL[c->b] * c->p_BM;
  const Mat3<T> R = transpose(R_WF) * R_WM;
  const Spatial<T>&V_a = vel.V[c->a], &V_b = vel.V[c->b];
  CoordinateGeometry<T> out;
  const auto distance = [&](int axis) {
    const Vec3<T> e = R_WF.c[axis], e_dot = cross(V_a.top(), e), v_M = velocity_at(V_b, p_M);
    out.value = dot(e, p_M - p_F);
    out.F = Spatial<T>(cross(p_M, e), e);
    out.bias = dot(Spatial<T>(cross(v_M, e) + cross(p_M, e_dot), e_dot), V_b - V_a);
  };
  const auto angle = [&](const T& value, const Vec3<T>& e, const Spatial<T>& V) {
    const double turns = std::round((c->last - value_of(value)) / (2 * std::numbers::pi));
    out.value = value + turns * 2 * std::numbers::pi;
    c->last = value_of(out.value);
    out.F = Spatial<T>(e, Vec3<T>());
    out.bias = dot(cross(V.top(), e), V_b.top() - V_a.top());
  };
  // R = Rx(a) Ry(b) Rz(c) rotates about x of F, y' = z x x / cos b and z of M; the rates of a, b
  // and c are the relative angular velocity along the reciprocal directions (x - z sin b) / cos^2
  // b, y' and (z - x sin b) / cos^2 b.
  const auto soft_angle = [&](int axis) {
    const Vec3<T> x = R_WF.c[0], z = R_WM.c[2], w = V_b.top() - V_a.top();
    const Vec3<T> x_dot = cross(V_a.top(), x), z_dot = cross(V_b.top(), z);
    const T sine = dot(x, z), square = 1 - sine * sine, cosine = sqrt(square);
    const T sine_dot = dot(x_dot, z) + dot(x, z_dot);
    if (axis == 1) {
      const Vec3<T> y = cross(z, x) * T(1 / cosine);
      angle(asin(sine), y, V_a);
      out.bias = dot(
          (cross(z_dot, x) + cross(z, x_dot)) * T(1 / cosine) + y * T(sine * sine_dot / square), w);
      return;
    }
    const Vec3<T>&e = axis == 0 ? x : z, &f = axis == 0 ? z : x;
    const Vec3<T>&e_dot = axis == 0 ? x_dot : z_dot, &f_dot = axis == 0 ? z_dot : x_dot;
    const Vec3<T> g = (e - f * sine) * T(1 / square);
    angle(axis == 0 ? T(atan2(-R(1, 2), R(2, 2))) : T(atan2(-R(0, 1), R(0, 0))), g, V_a);
    out.bias = dot(
        (e_dot - f_dot * sine - f * sine_dot) * T(1 / square) + g * T(2 * sine * sine_dot / square),
        w);
  };
  const T about_z = atan2(R(1, 0), R(0, 0));
  switch (c->type) {
    case JointType::kRevolute:
    case JointType::kScrew:
      angle(about_z, R_WF.c[2], V_a);
      break;
    case JointType::kPrismatic:
      distance(2);
      break;
    case JointType::kCylindrical:
      c->axis == 0 ? angle(about_z, R_WF.c[2], V_a) : distance(2);
      break;
    case JointType::kPlanar:
      c->axis == 2 ? angle(about_z, R_WF.c[2], V_a) : distance(c->axis);
      break;
    case JointType::kUniversal:
      if (c->axis == 0) {
        angle(atan2(R(2, 1), R(1, 1)), R_WF.c[0], V_a);
      } else {
        angle(atan2(R(0, 2), R(0, 0)), R_WM.c[1], V_b);
      }
      break;
    case JointType::kSphericalAngles:
      soft_angle(c->axis);
      break;
    case JointType::kFreeAngles:
    case JointType::kSoftHinge:
      c->axis < 3 ? distance(c->axis) : soft_angle(c->axis - 3);
      break;
    case JointType::kSpherical:  // only speeds: along the axes of M
    case JointType::kFree: {
      const Vec3<T> e = R_WM.c[c->axis % 3];
      out.F = c->axis < 3 ? Spatial<T>(e, Vec3<T>()) : Spatial<T>(cross(p_M, e), e);
      break;
    }
    case JointType::kFixed:
      break;
  }
  return out;
}

template <class T>
T calc_row_residual(const GivenMotion& given, const PositionKinematics<T>& pos,
                    const VelocityKinematics<T>& vel, double rate, CoordinateRow* row) {
  T position(-given.position), speed(-given.speed), acceleration(-given.acceleration);
  for (JointCoordinate& term : row->terms) {
    const CoordinateGeometry<T> g = calc_coordinate(pos, vel, &term);
    position += term.factor * g.value;
    speed += term.factor * dot(g.F, vel.V[term.b] - vel.V[term.a]);
    acceleration += term.factor * (dot(g.F, vel.A[term.b] - vel.A[term.a]) + g.bias);
  }
  return acceleration + 2 * rate * speed + rate * rate * position;
}

template <class T>
void push_axis_force(const AxisForce<T>& force, const PositionKinematics<T>& pos,
                     const VelocityKinematics<T>& vel, JointCoordinate* coordinate, VectorX<T>* q,
                     VectorX<T>* v, Forces<T>* forces) {
  const CoordinateGeometry<T> g = calc_coordinate(pos, vel, coordinate);
  (*q)[0] = g.value;
  (*v)[0] = dot(g.F, vel.V[coordinate->b] - vel.V[coordinate->a]);
  const Spatial<T> F = g.F * calc_axis_force(force, *q, *v);
  forces->push(coordinate->b, F);
  forces->push(coordinate->a, -F);
}

#define CAMBER_INSTANTIATE(T)                                                                     \
  template CoordinateGeometry<T> calc_coordinate(const PositionKinematics<T>&,                    \
                                                 const VelocityKinematics<T>&, JointCoordinate*); \
  template T calc_row_residual(const GivenMotion&, const PositionKinematics<T>&,                  \
                               const VelocityKinematics<T>&, double, CoordinateRow*);             \
  template void push_axis_force(const AxisForce<T>&, const PositionKinematics<T>&,                \
                                const VelocityKinematics<T>&, JointCoordinate*, VectorX<T>*,      \
                                VectorX<T>*, Forces<T>*);
CAMBER_INSTANTIATE(double)
CAMBER_INSTANTIATE(Dual)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
