#include "camber/scenario/driver_tables.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace camber::scenario {
namespace {

/// In reverse gear with the vehicle's rear as its front: speeds and forces count backward.
TractionCurves make_traction(std::shared_ptr<const dynamics::TractionPoints> points,
                             double wheel_mass) {
  const double sign = points->gear < 0 ? -1 : 1;
  std::vector<double> speeds = points->speeds();
  if (sign < 0) {
    std::ranges::reverse(speeds);
    for (double& speed : speeds) speed = -speed;
  }
  const auto force = [points, speeds, sign](std::size_t k, std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = sign * points->at(sign * speeds[k], i).force;
  };
  // The mean of a closed and a full throttle.
  const auto mass = [points, speeds, sign, wheel_mass](std::size_t k, std::span<double> values) {
    const double speed = sign * speeds[k];
    values[0] = wheel_mass +
                0.5 * (points->at(speed, 0).mass + points->at(speed, points->throttles() - 1).mass);
  };
  return {{speeds, points->throttles(), force}, {speeds, 1, mass}};
}

}  // namespace

TractionCurves DriverTables::find_traction(const driveline::Driveline& driveline,
                                           double rolling_radius, double wheel_mass,
                                           bool is_low_range, int gear) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] = traction_.try_emplace({is_low_range, gear});
  if (is_new)
    found->second = make_traction(std::make_shared<const dynamics::TractionPoints>(
                                      driveline, rolling_radius, is_low_range, gear),
                                  wheel_mass);
  return found->second;
}

}  // namespace camber::scenario
