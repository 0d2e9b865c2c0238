#include "camber/dynamics/traction_curve.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/driveline/shift_control.h"

namespace camber::dynamics {

using driveline::Driveline;
using driveline::GearState;

GearState settle_gear(const Driveline& d, double wheel_speed, double throttle, bool is_low_range) {
  return {.gear = find_settled_gear(d, wheel_speed * output_ratio(d, is_low_range), throttle)};
}

namespace {

/// Where a falling function changes its sign: it is positive at `low` and not at `high`.
struct Crossing {
  double low, high;
};

/// Narrows a crossing by false position, where an end that stays counts half (Illinois): a few
/// evaluations, where bisection takes thirty.
template <class Function>
Crossing narrow(const Function& f, Crossing at, double width) {
  double f_low = f(at.low), f_high = f(at.high);
  if (!(f_low > 0) || f_high > 0) return {-HUGE_VAL, HUGE_VAL};
  int side = 0;
  for (int i = 0; i < 20 && at.high - at.low > width; ++i) {
    // A little off the secant's root, toward the farther end, so that both ends close in.
    const double share = std::clamp(f_low / (f_low - f_high), 0.0, 1.0),
                 off = 0.3 * width * (share < 0.5 ? 1 : -1);
    const double x = std::clamp(at.low + share * (at.high - at.low) + off, at.low, at.high);
    const double value = f(x);
    if (value > 0) {
      at.low = x;
      f_low = value;
      if (side == 1) f_high *= 0.5;
      side = 1;
    } else {
      at.high = x;
      f_high = value;
      if (side == -1) f_low *= 0.5;
      side = -1;
    }
  }
  return at;
}

/// The crossing is looked for around `near` first.
double settle_engine_near(const Driveline& d, const driveline::DriveInputs& inputs,
                          double wheel_speed, double near) {
  const double turbine_speed = total_ratio(d, inputs) * wheel_speed;
  const auto left = [&](double speed) {
    return calc_engine_torque(d.engine, speed, inputs.throttle) -
           calc_converter(d.converter, speed, turbine_speed).pump;
  };
  double low = 0.5 * d.engine.idle_speed,
         high = d.engine.torque.x().back() + std::abs(turbine_speed);
  constexpr double kNear = 0.5;  // [rad/s]
  const double width = 1e-9 * high;
  Crossing known{-HUGE_VAL, HUGE_VAL};
  if (near - kNear > low && near + kNear < high)
    known = narrow(left, {near - kNear, near + kNear}, width);
  if (!std::isfinite(known.low)) known = narrow(left, {low, high}, width);
  // Bisection, whose signs outside the narrow interval are known.
  while (high - low > 1e-9 * high) {
    const double middle = 0.5 * (low + high);
    const bool is_below = middle <= known.low || (middle < known.high && left(middle) > 0);
    (is_below ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

double settle_engine(const Driveline& d, const driveline::DriveInputs& inputs, double wheel_speed) {
  return settle_engine_near(d, inputs, wheel_speed, -1);
}

namespace {

/// The highest index of a driven wheel.
int find_last_wheel(const Driveline& d) {
  int last = 0;
  for (const driveline::DifferentialNode& node : d.differentials)
    for (const driveline::DriveOutput& output : node.outputs) last = std::max(last, output.wheel);
  return last;
}

/// With a clutch or shaft in place of the converter: the engine rotates with the wheels, or with a
/// slipping clutch at the speed at which that is closed.
TractionPoints::Value calc_coupled(const Driveline& d, const driveline::DriveInputs& inputs,
                                   double rolling_radius, double speed) {
  const double ratio = total_ratio(d, inputs), turbine_speed = ratio * speed / rolling_radius,
               slowest = d.coupling->is_clutch ? d.coupling->closes_to : 0;
  const bool slips = turbine_speed < slowest;
  double torque = calc_engine_torque(d.engine, std::max(turbine_speed, slowest), inputs.throttle);
  if (d.coupling->is_clutch) torque = std::min(torque, d.coupling->capacity);
  if (slips) torque = std::max(torque, 0.0);
  const double passed = torque < 0 ? torque / d.efficiency : torque * d.efficiency;
  const double arm = ratio / rolling_radius;
  return {arm * passed, slips ? 0 : d.engine.inertia * arm * arm};
}

// With n(w) = T_e(w) - T_p(w), what the engine has left beside the pump, and F(w) the force at an
// engine speed w, the settled speed w_s(v) has n = 0. While v rises, n = I w_s' v', and
//   F = F(w_s) - m_e v',   m_e = -(dF/dw) / (dn/dw) I w_s'(v).
/// At a speed in its gear, with the engine settled.
TractionPoints::Value calc_settled(const Driveline& d, const driveline::DriveInputs& inputs,
                                   double rolling_radius, double speed) {
  if (d.coupling) return calc_coupled(d, inputs, rolling_radius, speed);
  struct At {
    double force, left;  // [N], [N m]
  };
  std::vector<double> speeds(static_cast<std::size_t>(find_last_wheel(d) + 1)),
      torques(speeds.size());
  const auto at = [&](double v, double engine_speed) {
    std::ranges::fill(speeds, v / rolling_radius);
    const auto result = calc_driveline(d, inputs, engine_speed, std::span<const double>(speeds),
                                       std::span<double>(torques));
    double torque = 0;
    for (const double t : torques) torque += t;
    return At{torque / rolling_radius, result.engine_rate * d.engine.inertia};
  };
  const auto settled = [&](double v, double near) {
    return settle_engine_near(d, inputs, v / rolling_radius, near);
  };
  constexpr double kSpeed = 0.01, kEngine = 0.1;  // [m/s], [rad/s]: of differences
  const double w = settled(speed, -1);
  const At more = at(speed, w + kEngine), less = at(speed, w - kEngine);
  const double follows = (settled(speed + kSpeed, w) - settled(speed - kSpeed, w)) / (2 * kSpeed);
  const double slope = more.left - less.left;
  const double mass =
      slope < 0 ? -(more.force - less.force) / slope * d.engine.inertia * follows : 0;
  // Gears at rest take nothing yet; those of a vehicle that moves off do.
  const double passed = speed == 0 ? d.efficiency : 1;
  return {passed * at(speed, w).force, std::max(0.0, mass)};
}

}  // namespace

std::vector<double> TractionPoints::speeds() const {
  require(rolling_radius > 0, "calc_traction_curve: the radius must be > 0 m, got ",
          rolling_radius);
  if (gear == 0) return {0, 1};
  const driveline::Driveline& d = driveline;
  const int highest = gear > 0 ? static_cast<int>(d.gearbox.ratios.size()) : gear;
  const double ratio = total_ratio(d, {0, is_low_range, {.gear = highest, .left = 0}});
  const double top_speed =
      1.1 * d.engine.torque.x().back() / ratio * rolling_radius;  // < 0 in reverse
  constexpr double kStep = 0.5;                                   // [m/s]
  const int count = static_cast<int>(std::ceil(std::abs(top_speed) / kStep));
  std::vector<double> speeds;
  for (int k = 0; k <= count; ++k) speeds.push_back((gear > 0 ? k : k - count) * kStep);
  return speeds;
}

TractionPoints::Value TractionPoints::at(double speed, std::size_t number) const {
  if (gear == 0) return {};
  const double throttle = static_cast<double>(number) / static_cast<double>(throttles() - 1);
  const GearState in = gear > 0
                           ? settle_gear(driveline, speed / rolling_radius, throttle, is_low_range)
                           : GearState{.gear = gear, .left = 0};
  return calc_settled(driveline, {.throttle = throttle, .is_low_range = is_low_range, .gear = in},
                      rolling_radius, speed);
}

TractionCurve calc_traction_curve(const Driveline& d, double rolling_radius, bool is_low_range,
                                  int gear) {
  const TractionPoints points{d, rolling_radius, is_low_range, gear};
  TractionCurve curve;
  curve.speed = points.speeds();
  curve.force.resize(points.throttles());
  curve.mass.resize(points.throttles());
  for (const double speed : curve.speed) {
    for (std::size_t i = 0; i < points.throttles(); ++i) {
      const TractionPoints::Value found = points.at(speed, i);
      curve.force[i].push_back(found.force);
      curve.mass[i].push_back(found.mass);
    }
  }
  return curve;
}

}  // namespace camber::dynamics
