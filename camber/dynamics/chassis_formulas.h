#pragma once

// Between the two halves of a vehicle's generated code: the wheels' motion is taken from the work
// array, loads are added to it (docs/theory/generated.md, section 5). Templates that a chassis in
// doubles (GeneratedChassis) and vehicles in lanes (LaneVehicles) share.

#include <cstring>

#include "camber/dynamics/wheel_motion.h"
#include "camber/math/vec3.h"
#include "camber/mechanism_code/vehicle_program.h"

namespace camber::dynamics {

/// Three numbers of the work array, which for double has one more at its end.
template <class T>
[[gnu::always_inline]] inline Vec3<T> vector_at(const T* work, int place) {
  return {work[place], work[place + 1], work[place + 2]};
}
template <>
[[gnu::always_inline]] inline Vec3<double> vector_at(const double* work, int place) {
  math::Pack4 four;
  std::memcpy(&four, work + place, sizeof four);
  four[3] = 0;
  return Vec3<double>(four);
}

/// Pose of the base: frame M, which the code's equations are written in.
template <class T>
struct BasePose {
  math::Mat3<T> R_WM = math::Mat3<T>::identity();
  Vec3<T> p_WM;
};

/// (6). Turn rate w and velocity v_M of the base are in its own axes, as in v.
template <class T>
WheelMotion<T> calc_wheel_motion(const mechanism_code::WheelPlaces& places, const T* work,
                                 const BasePose<T>& base, const Vec3<T>& w, const Vec3<T>& v_M,
                                 const T* v) {
  const Vec3<T> c = vector_at(work, places.center);
  Vec3<T> velocity = v_M + cross(w, c), turn_rate = w;
  for (const mechanism_code::WheelPlaces::Column& column : places.columns) {
    const T rate = column.sign * v[column.v];
    velocity += vector_at(work, column.center_by) * rate;
    turn_rate += vector_at(work, column.turn_by) * rate;
  }
  WheelMotion<T> motion;
  motion.center = base.p_WM + base.R_WM * c;
  motion.axis = base.R_WM * vector_at(work, places.axis) * T(places.sign);
  motion.velocity = base.R_WM * velocity;
  motion.hub_turn_rate = base.R_WM * turn_rate;
  motion.spin = v[places.v];
  return motion;
}

template <class T>
void add_to_base(int place, const Vec3<T>& moment, const Vec3<T>& force, T* loaded) {
  for (int i = 0; i < 3; ++i) {
    loaded[place + i] += moment[i];
    loaded[place + 3 + i] += force[i];
  }
}

/// (7). `work` is without, `loaded` with loads.
template <class T>
void add_wheel_load(const mechanism_code::WheelPlaces& places, const T& axial_inertia,
                    const WheelLoad<T>& load, const T& reaction_share, const math::Mat3<T>& R_WM,
                    const T* work, T* loaded) {
  using Column = mechanism_code::WheelPlaces::Column;
  const Vec3<T> F = transpose_times(R_WM, load.force), M = transpose_times(R_WM, load.torque),
                u = vector_at(work, places.axis);
  const T torque = places.sign * load.axle_torque, Q_s = dot(M, u) + torque;
  if (places.spin_force >= 0) {  // its spin is a coordinate like others
    for (const Column& column : places.columns)
      loaded[column.force] += dot(F, vector_at(work, column.center_by)) +
                              dot(M, vector_at(work, column.turn_by)) +
                              reaction_share * torque * work[column.by];
    loaded[places.spin_force] += Q_s;
    add_to_base(places.base_force, cross(vector_at(work, places.center), F) + M, F, loaded);
    return;
  }
  for (const Column& column : places.columns)
    loaded[column.force] += dot(F, vector_at(work, column.center_by)) +
                            dot(M, vector_at(work, column.turn_by)) +
                            (reaction_share * torque - Q_s) * work[column.by];
  loaded[places.bias] += Q_s / axial_inertia;
  add_to_base(places.base_force, cross(vector_at(work, places.center), F) + M - u * Q_s, F, loaded);
}

}  // namespace camber::dynamics
