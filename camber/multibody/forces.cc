#include "camber/multibody/forces.h"

#include <cmath>

#include "camber/math/polygon.h"
#include "camber/math/rotation_vector.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {

namespace {

template <class T>
T positive_part(const T& x) {
  using math::select;
  return select(x > T(0), x, T(0));
}

// The integral of math::look_up() from 0 to x.
template <class T>
T integrate_table(const std::vector<T>& xs, const std::vector<T>& ys, const T& x) {
  const auto from_first = [&](const T& to) {
    T integral = ys[0] * to;
    T slope_before = T(0);
    for (std::size_t k = 0; k + 1 < xs.size(); ++k) {
      const T slope = (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k]);
      const T d = to - xs[k];
      if (k == 0) {
        integral += slope * d * d * T(0.5);
      } else {
        const T part = positive_part(d);
        integral += (slope - slope_before) * part * part * T(0.5);
      }
      slope_before = slope;
    }
    return integral;
  };
  return from_first(x) - from_first(T(0));
}

template <class T>
struct SpringGeometry {
  Vec3<T> p_P, p_Q, d, direction;  // from O; d and its direction from P to Q
  T length;
  T is_point;  // 1 where the length is zero, and may be; else 0
};

// A spring of free length zero may have length zero: then it has neither direction nor force.
template <class T>
[[gnu::always_inline]] inline SpringGeometry<T> calc_geometry(const SpringForce<T>& spring,
                                                              const PositionKinematics<T>& pos) {
  using math::select;
  using std::sqrt;
  SpringGeometry<T> geometry;
  geometry.p_P = pos.p_OL[spring.a] + pos.R_WL[spring.a] * spring.p_A;
  geometry.p_Q = pos.p_OL[spring.b] + pos.R_WL[spring.b] * spring.p_B;
  geometry.d = geometry.p_Q - geometry.p_P;
  const T square = dot(geometry.d, geometry.d);
  const T is_point =
      select(spring.free_length > T(0), T(0), select(square > T(0), T(0), T(1)));  // or 0
  geometry.is_point = is_point;
  const T length = sqrt(T(square + is_point));
  geometry.length = length - is_point;
  geometry.direction = geometry.d * T((T(1) - is_point) / length);
  return geometry;
}

template <class T>
void add_spring(const SpringForce<T>& spring, const PositionKinematics<T>& pos,
                const VelocityKinematics<T>& vel, Forces<T>* forces) {
  const SpringGeometry<T> g = calc_geometry(spring, pos);
  const T rate =
      dot(g.direction, velocity_at(vel.V[spring.b], g.p_Q) - velocity_at(vel.V[spring.a], g.p_P));
  const T tension = calc_tension(spring, g.length, rate);
  // At length zero the force is zero, but not its derivative.
  const Vec3<T> pull = g.direction * tension + g.d * T(g.is_point * spring.stiffness);
  add_force_between(spring.a, spring.b, g.p_Q, -pull, forces);
}

// Six displacements of Q relative to P in P's axes: rotation vector, then translation.
template <class T>
void calc_bushing_displacement(const BushingForce<T>& bushing, const PositionKinematics<T>& pos,
                               Mat3<T>* R_WP, Vec3<T>* p_Q, T* x) {
  *R_WP = pos.R_WL[bushing.a] * bushing.R_AP;
  const Mat3<T> R_WQ = pos.R_WL[bushing.b] * bushing.R_BQ;
  const Vec3<T> p_P = pos.p_OL[bushing.a] + pos.R_WL[bushing.a] * bushing.p_AP;
  *p_Q = pos.p_OL[bushing.b] + pos.R_WL[bushing.b] * bushing.p_BQ;
  const Vec3<T> turn = math::rotation_vector(transpose(*R_WP) * R_WQ);
  const Vec3<T> shift = transpose_times(*R_WP, *p_Q - p_P);
  for (int i = 0; i < 3; ++i) {
    x[i] = turn[i];
    x[3 + i] = shift[i];
  }
}

// The energy x^T K x / 2 gives the elastic part, docs/theory/multibody.md "Bushings"; dampers act
// on the angular velocity and the velocity of Q relative to P.
template <class T>
void add_bushing(const BushingForce<T>& bushing, const PositionKinematics<T>& pos,
                 const VelocityKinematics<T>& vel, Forces<T>* forces) {
  Mat3<T> R_WP;
  Vec3<T> p_Q;
  T x[6], rate[6], elastic[6], damped[6];
  calc_bushing_displacement(bushing, pos, &R_WP, &p_Q, x);
  const Spatial<T> V = vel.V[bushing.b] - vel.V[bushing.a];
  const Vec3<T> w = transpose_times(R_WP, V.top()),
                v_Q = transpose_times(R_WP, velocity_at(V, p_Q));
  for (int i = 0; i < 3; ++i) {
    rate[i] = w[i];
    rate[3 + i] = v_Q[i];
  }
  for (int i = 0; i < 6; ++i) {
    elastic[i] = damped[i] = T(0);
    for (int k = 0; k < 6; ++k) {
      elastic[i] -= bushing.stiffness[i][k] * x[k];
      damped[i] -= bushing.damping[i][k] * rate[k];
    }
  }
  const Vec3<T> torque =
      math::torque_of_turn(Vec3<T>(x[0], x[1], x[2]), Vec3<T>(elastic[0], elastic[1], elastic[2])) +
      Vec3<T>(damped[0], damped[1], damped[2]);
  const Vec3<T> force(elastic[3] + damped[3], elastic[4] + damped[4], elastic[5] + damped[5]);
  const Spatial<T> F = force_at(R_WP * force, p_Q) + Spatial<T>(R_WP * torque, Vec3<T>());
  forces->push(bushing.b, F);
  forces->push(bushing.a, -F);
}

}  // namespace

// How far a damper is into one of its end zones: 0 to 1.
template <class T>
T end_share(const SpringForce<T>& spring, const T& length) {
  using math::select;
  const T below = (spring.shortest - length) * spring.end_rate,
          above = (length - spring.longest) * spring.end_rate,
          most = select(below > above, below, above);
  return select(most > T(1), T(1), positive_part(most));
}

template <class T>
T calc_tension(const SpringForce<T>& spring, const T& length, const T& rate) {
  const T stretch = length - spring.free_length;
  T tension = spring.preload + spring.stiffness * stretch + spring.damping * rate;
  if (!spring.spring_x.empty()) tension += math::look_up(spring.spring_x, spring.spring_y, stretch);
  if (!spring.damper_x.empty()) {
    const T own = math::look_up(spring.damper_x, spring.damper_y, rate);
    tension += spring.end_x.empty()
                   ? own
                   : T(own + end_share(spring, length) *
                                 (math::look_up(spring.end_x, spring.end_y, rate) - own));
  }
  return tension;
}

template <class T>
T calc_normal_force(const ContactForce<T>& contact, const PositionKinematics<T>& pos,
                    const VelocityKinematics<T>& vel, const VectorX<T>& q, const VectorX<T>& v,
                    Spatial<T>* F) {
  using math::select;
  const RowGeometry<T> geometry = calc_row(contact.row, pos, q);
  *F = geometry.F;
  const T rate = calc_row_rate(contact.row, vel, v, *F);
  const T force = -contact.stiffness * geometry.error - contact.damping * rate;
  return select(geometry.error < T(0), positive_part(force), T(0));
}

template <class T>
T calc_axis_force(const AxisForce<T>& f, const VectorX<T>& q, const VectorX<T>& v) {
  using math::select;
  const T rate = v[f.v];
  T force = f.force - f.damping * rate;
  // Coulomb friction, linear below friction_speed.
  const T ratio = rate / f.friction_speed;
  force -= f.friction * select(ratio > T(1), T(1), select(ratio < T(-1), T(-1), ratio));
  if (f.q < 0) return force;
  const T x = q[f.q];
  force -= f.stiffness * (x - f.rest);
  // A stop pushes, never pulls.
  if (f.has_upper) {
    const T depth = x - f.upper;
    force -= select(depth > T(0),
                    positive_part(T(f.stop_stiffness * depth + f.stop_damping * rate)), T(0));
  }
  if (f.has_lower) {
    const T depth = f.lower - x;
    force += select(depth > T(0),
                    positive_part(T(f.stop_stiffness * depth - f.stop_damping * rate)), T(0));
  }
  return force;
}

template <class T>
void calc_forces(const Model<T>& model, const PositionKinematics<T>& pos,
                 const VelocityKinematics<T>& vel, const VectorX<T>& q, const VectorX<T>& v,
                 Forces<T>* forces) {
  forces->clear();
  for (const AxisForce<T>& axis : model.axes) forces->tau[axis.v] += calc_axis_force(axis, q, v);
  for (const SpringForce<T>& spring : model.springs) add_spring(spring, pos, vel, forces);
  for (const BushingForce<T>& bushing : model.bushings) add_bushing(bushing, pos, vel, forces);
  for (const ContactForce<T>& contact : model.contacts) {
    Spatial<T> F;
    const T push = calc_normal_force(contact, pos, vel, q, v, &F);
    forces->push(contact.row.b, F * push);
    forces->push(contact.row.a, F * T(-push));
  }
  for (const WrenchForce<T>& wrench : model.wrenches) {
    const Mat3<T>& R = pos.R_WL[wrench.link];
    const Vec3<T> force = wrench.in_world ? wrench.force : R * wrench.force;
    const Vec3<T> torque = wrench.in_world ? wrench.torque : R * wrench.torque;
    forces->push(wrench.link, force_at(force, pos.p_OL[wrench.link] + R * wrench.p_L) +
                                  Spatial<T>(torque, Vec3<T>()));
  }
}

template <class T>
T calc_axis_energy(const AxisForce<T>& axis, const T& q) {
  const T half = T(0.5), stretch = q - axis.rest;
  T energy = half * axis.stiffness * stretch * stretch;
  if (axis.has_upper) {
    const T depth = positive_part(T(q - axis.upper));
    energy += half * axis.stop_stiffness * depth * depth;
  }
  if (axis.has_lower) {
    const T depth = positive_part(T(axis.lower - q));
    energy += half * axis.stop_stiffness * depth * depth;
  }
  return energy;
}

template <class T>
T calc_elastic_energy(const Model<T>& model, const PositionKinematics<T>& pos,
                      const VectorX<T>& q) {
  T energy = T(0);
  const T half = T(0.5);
  for (const AxisForce<T>& axis : model.axes) {
    if (axis.q >= 0) energy += calc_axis_energy(axis, q[axis.q]);
  }
  for (const SpringForce<T>& spring : model.springs) {
    const T stretch = calc_geometry(spring, pos).length - spring.free_length;
    energy += spring.preload * stretch + half * spring.stiffness * stretch * stretch;
    if (!spring.spring_x.empty())
      energy += integrate_table(spring.spring_x, spring.spring_y, stretch);
  }
  for (const BushingForce<T>& bushing : model.bushings) {
    Mat3<T> R_WP;
    Vec3<T> p_Q;
    T x[6];
    calc_bushing_displacement(bushing, pos, &R_WP, &p_Q, x);
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 6; ++k) energy += half * x[i] * bushing.stiffness[i][k] * x[k];
    }
  }
  for (const ContactForce<T>& contact : model.contacts) {
    const T depth = positive_part(T(-calc_row(contact.row, pos, q).error));
    energy += half * contact.stiffness * depth * depth;
  }
  return energy;
}

#define CAMBER_INSTANTIATE(T)                                                                      \
  template void calc_forces(const Model<T>&, const PositionKinematics<T>&,                         \
                            const VelocityKinematics<T>&, const VectorX<T>&, const VectorX<T>&,    \
                            Forces<T>*);                                                           \
  template T calc_normal_force(const ContactForce<T>&, const PositionKinematics<T>&,               \
                               const VelocityKinematics<T>&, const VectorX<T>&, const VectorX<T>&, \
                               Spatial<T>*);                                                       \
  template T calc_tension(const SpringForce<T>&, const T&, const T&);                              \
  template T calc_axis_force(const AxisForce<T>&, const VectorX<T>&, const VectorX<T>&);           \
  template T calc_axis_energy(const AxisForce<T>&, const T&);                                      \
  template T calc_elastic_energy(const Model<T>&, const PositionKinematics<T>&, const VectorX<T>&);
CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::multibody
