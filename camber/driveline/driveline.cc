#include "camber/driveline/driveline.h"

#include <numbers>
#include <vector>

namespace camber::driveline {
namespace {

constexpr double kRpm = std::numbers::pi / 30;  // [rad/s]

std::vector<double> from_rpm(std::vector<double> speeds) {
  for (double& speed : speeds) speed *= kRpm;
  return speeds;
}

}  // namespace

double total_ratio(const Driveline& driveline, const DriveInputs& inputs) {
  const double transfer = inputs.is_low_range ? driveline.transfer_low : driveline.transfer_high;
  return gear_ratio(driveline.gearbox, inputs.gear.gear) * transfer * driveline.axle_ratio *
         driveline.hub_ratio;
}

Driveline make_hmmwv_driveline() {
  Driveline d;
  d.engine.torque = {
      from_rpm({600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800, 3000, 3200,
                3400, 3600, 3700, 3800}),
      {190, 235, 275, 301, 319, 331, 337, 339, 338, 336, 333, 329, 323, 316, 307, 297, 150, 0}};
  d.engine.motoring = {from_rpm({0, 1000, 2000, 3000, 3600}), {0, -40, -55, -75, -90}};
  d.engine.inertia = 1.1;
  d.engine.idle_speed = 650 * kRpm;
  std::vector<double> capacity;
  // From the usual K = n / sqrt(T) in rpm / sqrt(N m).
  for (const double K :
       {92.0, 92.18, 92.42, 92.74, 93.18, 93.86, 94.96, 96.99, 101.68, 119.39, 244.8}) {
    capacity.push_back(1 / (K * kRpm * K * kRpm));
  }
  d.converter =
      make_converter({0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97},
                     {2.0, 1.9, 1.8, 1.69, 1.58, 1.46, 1.33, 1.21, 1.09, 1.0, 1.0}, capacity);
  d.gearbox.ratios = {2.48, 1.48, 1.0};
  d.gearbox.reverse_ratio = 2.08;
  // Not published: 3000 rpm at full throttle gives the acceleration that others computed.
  d.gearbox.upshift_full = {3000 * kRpm / 2.48, 3000 * kRpm / 1.48};
  d.gearbox.upshift_closed = {1500 * kRpm / 2.48, 1500 * kRpm / 1.48};
  d.gearbox.hysteresis = 0.25;
  d.gearbox.shift_time = 0.6;
  d.front.bias = d.rear.bias = 3.5;
  d.low_range_lock = 7000;
  return d;
}

}  // namespace camber::driveline
