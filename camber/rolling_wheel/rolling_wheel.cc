// [Ikoki 2021], "The rolling wheel equations without magic", section 3, corrected to be physical:
// see docs/theory/rolling-wheel.md. Equations (n) are those of that document, (Pn) those of the
// paper.
#include "camber/rolling_wheel/rolling_wheel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"
#include "camber/math/friction_law.h"

namespace camber::rolling_wheel {
namespace {

constexpr WheelLaw kLaws[] = {WheelLaw::kRelaxed, WheelLaw::kEvents, WheelLaw::kRegularized,
                              WheelLaw::kPrinted};

/// All loads on the wheel except those of the ground.
template <class T>
struct Loads {
  T force;   // along x [N]
  T torque;  // about the axle [N m]
};

template <class T>
Loads<T> calc_loads(const RollingWheel& wheel, const WheelInputs& inputs, const T& v,
                    const T& omega) {
  using std::abs, std::tanh;
  const double downhill = wheel.mass * wheel.gravity * std::sin(wheel.slope);
  return {
      -wheel.drag * v * abs(v) - downhill,
      inputs.drive - wheel.bearing * omega - inputs.brake * tanh(wheel.brake_sharpness * omega)};
}

/// The ground's force along x, for the laws whose force and moment are consistent.
template <class T>
math::RelaxedForce<T> calc_contact(const RollingWheel& wheel, WheelLaw law, WheelMode mode,
                                   const T& holding, const T& slip, const T& limit) {
  using std::tanh;
  if (law == WheelLaw::kRelaxed)
    return math::relax_friction(holding, slip, limit, wheel.slip_speed);
  if (law == WheelLaw::kRegularized) return {-limit * tanh(slip / wheel.slip_speed), T(0)};
  if (mode == WheelMode::kStick) return {holding, T(1)};
  return {mode == WheelMode::kForward ? T(-limit) : limit, T(0)};
}

/// (P17) with X of (P18): the multiplier of the rolling row times s^2, and C = [F_c, 0, 0] without
/// its moment, projected as in (P20). s and F_c follow (P21), (P22) with the drive's torque alone.
template <class T>
WheelRates<T> calc_printed(const RollingWheel& wheel, const WheelInputs& inputs,
                           const Loads<T>& loads, const T& v, const T& omega, const T& holding,
                           const T& limit) {
  using std::tanh;
  const double m = wheel.mass, R = wheel.radius, I = wheel.inertia;
  const double share = inputs.drive / std::max(3 * inputs.mu * normal_force(wheel) * R, 1e-300);
  const double t = std::tanh(wheel.k_s * share);
  const double s = 1 - t * t;
  const T F_c = -limit * std::tanh(wheel.k_F * share) * tanh(R * omega - v);
  const double D = I / m + R * R;
  const T ideal_x = s * s * holding, ideal_theta = -R * ideal_x;
  const T other_x = (R * R + I / m * (1 - s * s)) / D * F_c;
  const T other_theta = I / m * R * s * s / D * F_c;
  WheelRates<T> rates;
  rates.v_dot = (loads.force + ideal_x + other_x) / m;
  rates.slip_dot = rates.v_dot - R * (loads.torque + ideal_theta + other_theta) / I;
  rates.force = ideal_x + other_x;
  rates.relaxation = T(s);
  rates.contact_power = rates.force * v + (ideal_theta + other_theta) * omega;
  return rates;
}

}  // namespace

const char* to_text(WheelLaw law) {
  switch (law) {
    case WheelLaw::kRelaxed:
      return "relaxed";
    case WheelLaw::kEvents:
      return "events";
    case WheelLaw::kRegularized:
      return "regularized";
    case WheelLaw::kPrinted:
      return "printed";
  }
  return "";
}

std::optional<WheelLaw> find_wheel_law(std::string_view name) {
  for (const WheelLaw law : kLaws) {
    if (name == to_text(law)) return law;
  }
  return {};
}

double normal_force(const RollingWheel& wheel) {
  return wheel.mass * wheel.gravity * std::cos(wheel.slope);
}

double slip_mobility(const RollingWheel& wheel) {  // A M^-1 A^T
  const double of_turning = wheel.locked ? 0.0 : wheel.radius * wheel.radius / wheel.inertia;
  return 1 / wheel.mass + of_turning;
}

template <class T>
WheelRates<T> calc_wheel_rates(const RollingWheel& wheel, const WheelInputs& inputs, WheelLaw law,
                               WheelMode mode, const T& v, const T& slip) {
  using math::value_of;
  const double R = wheel.radius;
  const double turn = wheel.locked ? 0.0 : R / wheel.inertia;  // a locked wheel does not rotate
  const double mobility = slip_mobility(wheel);
  const T omega = wheel.locked ? T(0) : T((v - slip) / R);
  const T limit(inputs.mu * normal_force(wheel));
  const Loads<T> loads = calc_loads(wheel, inputs, v, omega);
  // The ideal multiplier of the row x' - R theta' = 0. (3)
  const T holding = (turn * loads.torque - loads.force / wheel.mass) / mobility;

  WheelRates<T> rates;
  if (law == WheelLaw::kPrinted) {
    rates = calc_printed(wheel, inputs, loads, v, omega, holding, limit);
  } else {
    const math::RelaxedForce<T> contact = calc_contact(wheel, law, mode, holding, slip, limit);
    rates.force = contact.force;
    rates.v_dot = (loads.force + contact.force) / wheel.mass;
    // Written as a difference: if the contact sticks it is exactly zero, and the slip stays zero.
    rates.slip_dot = mobility * (contact.force - holding);
    // The slope of a square root at zero is infinite; derivatives of s are not needed.
    rates.relaxation = T(std::sqrt(value_of(contact.weight)));
    rates.contact_power = contact.force * slip;
  }
  rates.holding = holding;
  rates.needed = law == WheelLaw::kRelaxed
                     ? math::needed_force(holding, slip, limit, wheel.slip_speed)
                     : holding;
  rates.limit = limit;
  rates.load_power = loads.force * v + loads.torque * omega;
  return rates;
}

template WheelRates<double> calc_wheel_rates(const RollingWheel&, const WheelInputs&, WheelLaw,
                                             WheelMode, const double&, const double&);
template WheelRates<math::Dual<2>> calc_wheel_rates(const RollingWheel&, const WheelInputs&,
                                                    WheelLaw, WheelMode, const math::Dual<2>&,
                                                    const math::Dual<2>&);

void check(const RollingWheel& wheel) {
  const auto positive = [](double x, const char* name) {
    require(std::isfinite(x) && x > 0, "rolling wheel: ", name, " must be > 0, got ", x);
  };
  const auto not_negative = [](double x, const char* name) {
    require(std::isfinite(x) && x >= 0, "rolling wheel: ", name, " must be >= 0, got ", x);
  };
  positive(wheel.mass, "mass");
  positive(wheel.radius, "radius");
  positive(wheel.inertia, "inertia");
  positive(wheel.gravity, "gravity");
  positive(wheel.slip_speed, "slip_speed");
  positive(wheel.brake_sharpness, "brake_sharpness");
  not_negative(wheel.drag, "drag");
  not_negative(wheel.bearing, "bearing");
  require(std::abs(wheel.slope) < std::numbers::pi / 2,
          "rolling wheel: slope must be between -pi/2 and pi/2, got ", wheel.slope);
}

}  // namespace camber::rolling_wheel
