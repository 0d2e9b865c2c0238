#include "camber/dynamics/tire_figures.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace camber::dynamics {

Grip find_grip(const tire::RollingTire& tire, double load, double ground_friction) {
  if (tire.constraint) {
    const double friction = tire.constraint->friction * ground_friction;
    return {friction, friction};
  }
  constexpr int kSlips = 300;
  Grip grip;
  for (int k = 1; k <= kSlips; ++k) {
    const double slip = 0.01 * k;
    for (const bool is_along : {true, false}) {
      const tire::Slip<double> at{.kappa = is_along ? slip : 0,
                                  .tan_alpha = is_along ? 0 : slip,
                                  .Fz = load,
                                  .friction = std::max(ground_friction, 1e-4)};
      const auto force =
          std::visit([&](const auto& model) { return calc_steady_force(model, at); }, tire.steady);
      double& peak = is_along ? grip.along : grip.across;
      peak = std::max(peak, std::abs(is_along ? force.Fx : force.Fy) / load);
    }
  }
  return grip;
}

TireFigures find_tire_figures(const tire::RollingTire& tire, double load) {
  TireFigures figures;
  tire::WheelContact<double> rolling{.deflection = find_deflection(tire.vertical, load),
                                     .deflection_rate = 0,
                                     .Vx = 10,
                                     .Vy = 0,
                                     .omega = 0};
  figures.rolling_radius = calc_rolling_radius(tire, rolling.deflection);
  rolling.omega = rolling.Vx / figures.rolling_radius;
  const tire::TireResult<double> r = calc_tire(tire, rolling, tire::TireState<double>{});
  figures.rolling_resistance = -r.force.My / (r.Fz * figures.rolling_radius);
  const Grip grip = find_grip(tire, load, 1);
  figures.grip_along = grip.along;
  figures.grip_across = grip.across;
  return figures;
}

}  // namespace camber::dynamics
