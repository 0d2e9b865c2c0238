#pragma once

#include "camber/driveline/scalars.h"

namespace camber::driveline {

/// What connects an engine to the gearbox' input where there is no converter: a friction clutch with
/// the springs of its disc, or the shaft of an electric motor.
struct Coupling {
  bool is_clutch = true;
  double stiffness = 0;    // [N m/rad]
  double damping = 0;      // of a shaft [N m s/rad], of a clutch's springs over their stiffness [s]
  double capacity = 0;     // of the closed clutch [N m]
  double soft_speed = 40;  // its springs follow slip no faster [rad/s]: else they would be stiff
  /// Without a pedal the clutch closes while the engine's speed goes from the first to the second
  /// of these [rad/s]: it moves off and does not stall.
  double closes_from = 0, closes_to = 0;
};

template <class T>
struct CouplingTorque {
  T torque;      // from the engine into the gearbox [N m]
  T twist_rate;  // [rad/s]
};

/// How far an automated clutch is closed at an engine speed, 0 to 1.
template <class T>
T calc_closing(const Coupling& coupling, const T& engine_speed) {
  using math::select;
  const T x = (engine_speed - coupling.closes_from) / (coupling.closes_to - coupling.closes_from);
  const T inside = select(x < 0.0, T(0), select(x > 1.0, T(1), x));
  return inside * inside * (3.0 - 2.0 * inside);
}

/// `slip` is the engine's speed less the input's, `closed` 0 to 1. A clutch is dry friction in series
/// with its springs, as a brake is (brake.h).
template <class T>
CouplingTorque<T> calc_coupling(const Coupling& coupling, const T& closed, const T& slip,
                                const T& twist) {
  using math::select;
  using std::abs;
  using std::sqrt;
  if (!coupling.is_clutch)
    return {T(closed * (coupling.stiffness * twist + coupling.damping * slip)), slip};
  const double end = coupling.capacity / coupling.stiffness;
  const T ratio = slip / coupling.soft_speed;
  const T w = slip / sqrt(1.0 + ratio * ratio);
  const T rate = w - abs(w) * twist / end;
  const T share = (twist + coupling.damping * rate) / end;
  const T inside = select(share > 1.0, T(1), select(share < -1.0, T(-1), share));
  return {T(closed * coupling.capacity * inside), rate};
}

}  // namespace camber::driveline
