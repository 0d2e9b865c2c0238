#pragma once

#include <vector>

#include "camber/driveline/scalars.h"
#include "camber/math/smooth_curve.h"

namespace camber::driveline {

/// A hydrodynamic converter by its figures over the speed ratio nu = turbine / pump, 0 .. below 1.
/// From the last one on the capacity decreases linearly to zero at nu = 1.
struct TorqueConverter {
  math::SmoothCurve torque_ratio;  // turbine over pump; 1 from the coupling point on
  math::SmoothCurve capacity;      // pump torque over its speed squared [N m s^2]
};

inline TorqueConverter make_converter(const std::vector<double>& speed_ratio,
                                      const std::vector<double>& torque_ratio,
                                      const std::vector<double>& capacity) {
  const double to_one = -capacity.back() / (1 - speed_ratio.back());
  return {math::SmoothCurve(speed_ratio, torque_ratio),
          math::SmoothCurve(speed_ratio, capacity, to_one)};
}

template <class T>
struct ConverterTorques {
  T pump;     // what the engine has to give [N m]
  T turbine;  // what the gearbox gets [N m]
};

/// The torque goes through zero at nu = 1; beyond, the turbine drives the pump like a coupling.
template <class T>
ConverterTorques<T> calc_converter(const TorqueConverter& converter, const T& pump_speed,
                                   const T& turbine_speed) {
  using math::select;
  const auto drives = turbine_speed <= pump_speed;
  const T faster = select(drives, pump_speed, turbine_speed);
  const T slower = select(drives, turbine_speed, pump_speed);
  const auto turns = faster > 1e-6;
  const T ratio = select(turns, T(slower / select(turns, faster, T(1))), T(1));
  const T nu = select(ratio < 0.0, T(0), ratio);
  const double last = converter.capacity.x().back();
  const T table = converter.capacity.at(nu);
  const T capacity = select(nu > last, T(table * (1.0 - nu) / (1.0 - last)), table);
  const T torque = capacity * faster * faster;
  const T multiplied = converter.torque_ratio.at(nu) * torque;
  return {T(select(drives, torque, T(-torque))), T(select(drives, multiplied, T(-torque)))};
}

}  // namespace camber::driveline
