// What the ground does to a vehicle, and the vehicle to the ground.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/figures/figure_view.h"
#include "camber/figures/ride_weighting.h"
#include "camber/record/channel_names.h"

namespace camber::figures::internal {
namespace {

constexpr double kToDegrees = 180 / std::numbers::pi;
constexpr std::string_view kLoad = record::channel::kWheelLoad;
constexpr std::string_view kUp = record::channel::kVerticalAcceleration;
constexpr std::string_view kPitch = record::channel::kPitch;
constexpr std::string_view kSinkage = record::channel::kWheelSinkage;

double min_wheel_load(const FigureView& view) {
  double lowest = INFINITY;
  for (const Series& load : view.columns(kLoad)) lowest = std::min(lowest, min_of(load));
  return lowest;
}

double wheel_lift_time(const FigureView& view) {
  const std::vector<Series> loads = view.columns(kLoad);
  const Series t = view.times();
  double time = 0;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const bool is_lifted = std::any_of(loads.begin(), loads.end(), [&](const Series& load) {
      return load[i - 1] <= 0 && load[i] <= 0;
    });
    if (is_lifted) time += t[i] - t[i - 1];
  }
  return time;
}

/// Max of |left - right| / (left + right); left and right wheels alternate.
double load_transfer_ratio(const FigureView& view) {
  const std::vector<Series> loads = view.columns(kLoad);
  double peak = 0;
  for (std::size_t i = 0; i < view.size(); ++i) {
    double sum = 0, difference = 0;
    for (std::size_t w = 0; w < loads.size(); ++w) {
      sum += loads[w][i];
      difference += w % 2 == 0 ? loads[w][i] : -loads[w][i];
    }
    if (sum > 0) peak = std::max(peak, std::abs(difference / sum));
  }
  return peak;
}

double pitch_change(const FigureView& view) {
  const Series pitch = view.column(kPitch);
  double peak = 0;
  for (const double angle : pitch) peak = std::max(peak, std::abs(angle - pitch.front()));
  return kToDegrees * peak;
}

double weighted_vertical_acceleration(const FigureView& view) {
  return root_mean_square(view.times(), weigh_vertical(view.times(), view.column(kUp)));
}

double mean_of_wheels(const FigureView& view, std::string_view channel) {
  double sum = 0;
  const std::vector<Series> wheels = view.columns(channel);
  for (const Series& wheel : wheels) sum += mean(view.times(), wheel);
  return sum / static_cast<double>(wheels.size());
}

/// Mean sinkage of the last axle, which follows in the ruts of all others.
double rut_depth(const FigureView& view) {
  const std::vector<Series> wheels = view.columns(kSinkage);
  if (wheels.size() < 2) throw NoValue("there is no axle with two wheels");
  const Series left = wheels[wheels.size() - 2], right = wheels.back();
  return 0.5 * (mean(view.times(), left) + mean(view.times(), right));
}

}  // namespace

std::vector<FigureRow> ground_figures() {
  using View = const FigureView&;
  return {
      {{"min_wheel_load", "N", "min load of all wheels", {kLoad}}, min_wheel_load},
      {{"wheel_lift_time", "s", "time during which a wheel has no load", {kLoad}}, wheel_lift_time},
      {{"load_transfer_ratio",
        "1",
        "max difference of the loads left and right, divided by their sum; 1: one side is lifted",
        {kLoad}},
       load_transfer_ratio},
      {{"pitch_change_deg",
        "deg",
        "max change of the pitch angle since the start of the window",
        {kPitch}},
       pitch_change},
      {{"peak_vertical_acceleration", "m/s^2", "max vertical acceleration, up or down", {kUp}},
       [](View v) { return max_size(v.column(kUp)); }},
      {{"rms_vertical_acceleration",
        "m/s^2",
        "vertical acceleration, root mean square over time",
        {kUp}},
       [](View v) { return root_mean_square(v.times(), v.column(kUp)); }},
      {{"weighted_vertical_acceleration",
        "m/s^2",
        "the same after the weighting W_k of ISO 2631-1, of the chassis instead of the seat",
        {kUp}},
       weighted_vertical_acceleration},
      {{"mean_slip",
        "1",
        "longitudinal slip, mean over time and wheels",
        {record::channel::kWheelSlip}},
       [](View v) { return mean_of_wheels(v, record::channel::kWheelSlip); }},
      {{"mean_sinkage", "m", "sinkage, mean over time and wheels", {kSinkage}},
       [](View v) { return mean_of_wheels(v, kSinkage); }},
      {{"rut_depth",
        "m",
        "sinkage of the last axle's wheels, mean over time and both wheels",
        {kSinkage}},
       rut_depth},
  };
}

}  // namespace camber::figures::internal
