#pragma once

#include <vector>

#include "camber/driveline/scalars.h"

namespace camber::driveline {

/// A hydrodynamic converter by its figures over the speed ratio nu = turbine / pump.
struct TorqueConverter {
  std::vector<double> speed_ratio;   // 0 .. below 1
  std::vector<double> torque_ratio;  // turbine over pump; 1 from the coupling point on
  std::vector<double> capacity;      // pump torque over its speed squared [N m s^2]
};

template <class T>
struct ConverterTorques {
  T pump;     // what the engine has to give [N m]
  T turbine;  // what the gearbox gets [N m]
};

/// From the speed ratio of the last figure on the capacity goes down to zero at nu = 1, so that the
/// torque goes through zero there; beyond, the turbine drives the pump like a coupling.
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
  const double last = converter.speed_ratio.back();
  const T table = math::look_up_smooth(converter.speed_ratio, converter.capacity, nu,
                                       -converter.capacity.back() / (1.0 - last));
  const T capacity = select(nu > last, T(table * (1.0 - nu) / (1.0 - last)), table);
  const T torque = capacity * faster * faster;
  const T multiplied =
      math::look_up_smooth(converter.speed_ratio, converter.torque_ratio, nu) * torque;
  return {T(select(drives, torque, T(-torque))), T(select(drives, multiplied, T(-torque)))};
}

}  // namespace camber::driveline
