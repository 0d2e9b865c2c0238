// How a vehicle responds to its steering.
//   Step response after ISO 7401: the time counts from when the steering wheel has half of its new
//   angle; response time to 90 % of the steady value, peak response time to the largest one. Gains
//   are per angle of the steering wheel.
//   Understeer after ISO 4138, for all of its ways (radius, speed or angle held): slope over
//   lateral acceleration of what the steering has beyond the angle of a slow curve,
//     delta_H / i_S - L kappa = delta_0 + K a_y,   kappa = yaw rate / speed                   (1)
//   with the steering wheel's angle delta_H and the steering ratio i_S. The angle of the road
//   wheels would leave out what suspension and steering do between the two: roll steer and
//   compliance.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/autonomy/course.h"
#include "camber/figures/figure_view.h"
#include "camber/record/channel_names.h"

namespace camber::figures::internal {
namespace {

constexpr double kToDegrees = 180 / std::numbers::pi;
constexpr std::string_view kAcceleration = record::channel::kLateralAcceleration;
constexpr std::string_view kYawRate = record::channel::kYawRate;
constexpr std::string_view kRoll = record::channel::kRoll;
constexpr std::string_view kSpeed = record::channel::kForwardSpeed;
constexpr std::string_view kSteering = record::channel::kSteerAngle;
constexpr std::string_view kSteeringWheel = record::channel::kSteeringWheelAngle;

/// Mean angle of the steered wheels.
std::vector<double> mean_steer(const FigureView& view) {
  std::vector<double> mean(view.size());
  const std::vector<Series> wheels = view.columns(kSteering);
  for (const Series& wheel : wheels)
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += wheel[i] / static_cast<double>(wheels.size());
  return mean;
}

std::vector<double> steering_wheel(const FigureView& view) {
  const Series angle = view.column(kSteeringWheel);
  return {angle.begin(), angle.end()};
}

/// The time at which the steering passes half of a step. Throws NoValue if there is no step: the
/// angle drifts a little, as after a step, or changes slowly.
double find_step(Series t, const std::vector<double>& steer) {
  constexpr double kMin = 2e-3;      // [rad]
  constexpr double kMinShare = 0.1;  // of the max angle
  constexpr double kLongest = 1;     // from 10 to 90 % [s]; ISO 7401 asks for 0.15 s
  const double before = steer.front(), change = steady_value(t, steer) - before;
  if (std::abs(change) < std::max(kMin, kMinShare * max_size(steer)))
    throw NoValue("there is no step of the steering in the time window");
  const auto time_at = [&](double share) {
    return crossing_time(t, steer, before + share * change, "the steering does not change");
  };
  if (time_at(0.9) - time_at(0.1) > kLongest)
    throw NoValue("the steering takes more than 1 s for its change: that is not a step");
  return time_at(0.5);
}

/// A response to a step of the steering, with its sign changed so that it is positive.
struct StepResponse {
  StepResponse(const FigureView& view, std::string_view name)
      : t(view.times()), response(view.column(name).begin(), view.column(name).end()) {
    start = find_step(t, steering_wheel(view));
    const double offset = response.front();
    for (double& x : response) x -= offset;
    steady = steady_value(t, response);
    if (std::abs(steady) < std::max(1e-6, 0.05 * max_size(response)))
      throw NoValue("there is no steady response to the steering");
    const double sign = steady < 0 ? -1 : 1;
    for (double& x : response) x *= sign;
    steady *= sign;
    peak = static_cast<std::size_t>(std::max_element(response.begin(), response.end()) -
                                    response.begin());
    const double interval = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
    if (time_to(0.9) - time_to(0.1) < 3 * interval)
      throw NoValue("samples are too far apart for the response to the steering");
  }

  double time_to(double share) const {
    return crossing_time(t, response, share * steady, "it does not reach its steady value") - start;
  }

  Series t;
  std::vector<double> response;
  double start = 0, steady = 0;
  std::size_t peak = 0;
};

double overshoot(const FigureView& view, std::string_view name) {
  const StepResponse step(view, name);
  return std::max(0.0, step.response[step.peak] / step.steady - 1);
}

double response_time(const FigureView& view, std::string_view name) {
  return StepResponse(view, name).time_to(0.9);
}

double peak_response_time(const FigureView& view, std::string_view name) {
  const StepResponse step(view, name);
  return step.t[step.peak] - step.start;
}

double rise_time(const FigureView& view, std::string_view name) {
  const StepResponse step(view, name);
  return step.time_to(0.9) - step.time_to(0.1);
}

double steady(const FigureView& view, std::string_view name) {
  return steady_value(view.times(), view.column(name));
}

double gain(const FigureView& view, std::string_view name) {
  const double angle = steady_value(view.times(), view.column(kSteeringWheel));
  if (std::abs(angle) < 2e-3) throw NoValue("the vehicle is not steered");
  return steady(view, name) / angle;
}

// (1)
double understeer_gradient(const FigureView& view) {
  const double wheelbase = view.known(view.context().wheelbase, "wheelbase");
  const double ratio = view.known(view.context().steering_ratio, "steering ratio");
  std::vector<double> excess = steering_wheel(view);
  const Series rate = view.column(kYawRate), speed = view.column(kSpeed);
  for (std::size_t i = 0; i < excess.size(); ++i) {
    if (speed[i] < 0.5) throw NoValue("the vehicle is slower than 0.5 m/s in the window");
    excess[i] = excess[i] / ratio - wheelbase * rate[i] / speed[i];
  }
  return regression_slope(view.column(kAcceleration), excess);
}

/// At the center of mass (ISO 8855). Counted from the heading or from the tail, as the vehicle set
/// off: driving backward it has little, and one that spins to 180 degrees has all of them.
double peak_sideslip(const FigureView& view) {
  constexpr double kMinSpeed = 1;  // [m/s]
  const Series forward = view.column(kSpeed), rate = view.column(kYawRate);
  const Series at_origin = view.column(record::channel::kLateralSpeed);
  std::vector<double> left(at_origin.begin(), at_origin.end());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] += view.context().center_x * rate[i];
  double peak = 0, ahead = 0;
  bool moves = false;
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (std::hypot(forward[i], left[i]) <= kMinSpeed) {
      ahead = 0;
      continue;
    }
    if (ahead == 0) ahead = forward[i] < 0 ? -1 : 1;
    moves = true;
    peak = std::max(peak, std::abs(std::atan2(left[i], ahead * forward[i])));
  }
  if (!moves) throw NoValue("the vehicle is slower than 1 m/s in the time window");
  return peak * kToDegrees;
}

/// Distance of the farther of two points (x, +-y) in the vehicle's frame from the center of
/// rotation, mean over time.
double turning_radius(const FigureView& view, double x, double y) {
  const Series forward = view.column(kSpeed), left = view.column(record::channel::kLateralSpeed);
  const Series rate = view.column(kYawRate);
  const double turning = mean(view.times(), rate);
  if (std::abs(turning) < 1e-4) throw NoValue("the vehicle does not turn");
  const double vx = mean(view.times(), forward), vy = mean(view.times(), left);
  // The center is at (-vy, vx)/rate: to the left of a left turn forward, and of a right one
  // backward.
  return std::hypot(x + vy / turning, y + std::abs(vx / turning));
}

double max_change(const FigureView& view, std::string_view name) {
  double change = 0;
  const Series x = view.column(name);
  for (const double value : x) change = std::max(change, std::abs(value - x.front()));
  return change;
}

// --- ISO 3888-1 and 3888-2 ---

/// Min distance of the outline's corners from the sides of the gates that they are in; negative:
/// outside. Throws NoValue if the vehicle does not reach the last gate.
double cone_margin(const FigureView& view) {
  const FigureContext& c = view.context();
  const double length = view.known(c.vehicle_length, "length");
  const double width = view.known(c.vehicle_width, "width");
  const std::vector<autonomy::LaneSection> gates = autonomy::make_iso_3888(c.course_part, width);
  const Series x = view.column(record::channel::kPositionX),
               y = view.column(record::channel::kPositionY);
  const Series yaw = view.column(record::channel::kYaw);
  const double cos_course = std::cos(c.course_heading), sin_course = std::sin(c.course_heading);
  double margin = INFINITY, furthest = -INFINITY;
  for (std::size_t i = 0; i < view.size(); ++i) {
    const double dx = x[i] - c.course_x, dy = y[i] - c.course_y;
    const double u = cos_course * dx + sin_course * dy, v = -sin_course * dx + cos_course * dy;
    const double cos_yaw = std::cos(yaw[i] - c.course_heading);
    const double sin_yaw = std::sin(yaw[i] - c.course_heading);
    for (const double a : {-0.5 * length, 0.5 * length}) {
      for (const double b : {-0.5 * width, 0.5 * width}) {
        const double corner_u = u + a * cos_yaw - b * sin_yaw;
        const double corner_v = v + a * sin_yaw + b * cos_yaw;
        furthest = std::max(furthest, corner_u);
        for (const autonomy::LaneSection& gate : gates) {
          if (corner_u < gate.start || corner_u > gate.end) continue;
          margin = std::min({margin, corner_v - gate.right, gate.left - corner_v});
        }
      }
    }
  }
  if (furthest < gates.back().end) throw NoValue("the vehicle does not get through the course");
  return margin;
}

}  // namespace

std::vector<FigureRow> handling_figures() {
  using View = const FigureView&;
  return {
      {{"peak_lateral_acceleration",
        "m/s^2",
        "max lateral acceleration, either side",
        {kAcceleration}},
       [](View v) { return max_size(v.column(kAcceleration)); }},
      {{"peak_yaw_rate", "rad/s", "max yaw rate, either side", {kYawRate}},
       [](View v) { return max_size(v.column(kYawRate)); }},
      {{"peak_roll_deg", "deg", "max roll angle, either side", {kRoll}},
       [](View v) { return kToDegrees * max_size(v.column(kRoll)); }},
      {{"peak_steer_deg", "deg", "max mean angle of the steered wheels", {kSteering}},
       [](View v) { return kToDegrees * max_size(mean_steer(v)); }},
      {{"peak_sideslip_deg",
        "deg",
        "max angle between motion and heading at the center of mass while faster than 1 m/s over "
        "the "
        "ground; between motion and tail, if it starts backward",
        {record::channel::kVelocity, kYawRate}},
       peak_sideslip},
      {{"heading_change_deg",
        "deg",
        "max change of the heading since the start of the window",
        {record::channel::kYaw}},
       [](View v) { return kToDegrees * max_change(v, record::channel::kYaw); }},
      {{"steady_lateral_acceleration",
        "m/s^2",
        "lateral acceleration, mean of the window's last second (of its last fifth, if shorter "
        "than 5 s)",
        {kAcceleration}},
       [](View v) { return steady(v, kAcceleration); }},
      {{"steady_yaw_rate", "rad/s", "yaw rate, mean of the window's last second", {kYawRate}},
       [](View v) { return steady(v, kYawRate); }},
      {{"steady_roll_deg", "deg", "roll angle, mean of the window's last second", {kRoll}},
       [](View v) { return kToDegrees * steady(v, kRoll); }},
      {{"peak_steering_wheel_deg", "deg", "max angle of the steering wheel", {kSteeringWheel}},
       [](View v) { return kToDegrees * max_size(steering_wheel(v)); }},
      {{"steady_steer_deg",
        "deg",
        "angle of the steered wheels, mean of the window's last second",
        {kSteering}},
       [](View v) { return kToDegrees * steady_value(v.times(), mean_steer(v)); }},
      {{"yaw_gain",
        "1/s",
        "steady yaw rate divided by steady angle of the steering wheel",
        {kYawRate, kSteeringWheel}},
       [](View v) { return gain(v, kYawRate); }},
      {{"lateral_acceleration_gain",
        "m/s^2/rad",
        "steady lateral acceleration divided by steady angle of the steering wheel",
        {kAcceleration, kSteeringWheel}},
       [](View v) { return gain(v, kAcceleration); }},
      {{"yaw_response_time",
        "s",
        "ISO 7401: from half of the steering step to 90 % of the steady yaw rate",
        {kYawRate, kSteeringWheel}},
       [](View v) { return response_time(v, kYawRate); }},
      {{"yaw_peak_response_time",
        "s",
        "ISO 7401: from half of the steering step to the max yaw rate",
        {kYawRate, kSteeringWheel}},
       [](View v) { return peak_response_time(v, kYawRate); }},
      {{"yaw_overshoot",
        "1",
        "max divided by steady yaw rate after a steering step, minus 1",
        {kYawRate, kSteeringWheel}},
       [](View v) { return overshoot(v, kYawRate); }},
      {{"yaw_rise_time",
        "s",
        "from 10 to 90 % of the steady yaw rate after a steering step",
        {kYawRate, kSteeringWheel}},
       [](View v) { return rise_time(v, kYawRate); }},
      {{"lateral_acceleration_response_time",
        "s",
        "ISO 7401: from half of the steering step to 90 % of the steady lateral acceleration",
        {kAcceleration, kSteeringWheel}},
       [](View v) { return response_time(v, kAcceleration); }},
      {{"lateral_acceleration_peak_response_time",
        "s",
        "ISO 7401: from half of the steering step to the max lateral acceleration",
        {kAcceleration, kSteeringWheel}},
       [](View v) { return peak_response_time(v, kAcceleration); }},
      {{"lateral_acceleration_overshoot",
        "1",
        "max divided by steady lateral acceleration after a steering step, minus 1",
        {kAcceleration, kSteeringWheel}},
       [](View v) { return overshoot(v, kAcceleration); }},
      {{"understeer_gradient",
        "rad s^2/m",
        "ISO 4138: slope over lateral acceleration of the steering wheel's angle over the steering "
        "ratio minus wheelbase times "
        "curvature, least squares",
        {kAcceleration, kYawRate, kSpeed, kSteeringWheel}},
       understeer_gradient},
      {{"roll_gradient",
        "rad s^2/m",
        "slope of the roll angle over lateral acceleration, least squares",
        {kRoll, kAcceleration}},
       [](View v) { return regression_slope(v.column(kAcceleration), v.column(kRoll)); }},
      {{"peak_deviation",
        "m",
        "max distance from the driver's path",
        {record::channel::kPathDeviation}},
       [](View v) { return max_size(v.column(record::channel::kPathDeviation)); }},
      {{"rms_deviation",
        "m",
        "root mean square distance from the driver's path",
        {record::channel::kPathDeviation}},
       [](View v) {
         return root_mean_square(v.times(), v.column(record::channel::kPathDeviation));
       }},
      {{"turning_radius",
        "m",
        "radius of the circle that the center of mass moves on, mean over time",
        {record::channel::kVelocity, kYawRate}},
       [](View v) { return turning_radius(v, v.context().center_x, 0); }},
      {{"outer_turning_radius",
        "m",
        "the same for the outer front wheel's center",
        {record::channel::kVelocity, kYawRate}},
       [](View v) {
         return turning_radius(v, v.known(v.context().front_axle_x, "front axle"),
                               0.5 * v.known(v.context().track, "track"));
       }},
      {{"kerb_turning_circle",
        "m",
        "diameter of the smallest circle of kerbs that the outer front tire stays in",
        {record::channel::kVelocity, kYawRate}},
       [](View v) {
         const FigureContext& c = v.context();
         return 2 * turning_radius(v, v.known(c.front_axle_x, "front axle"),
                                   0.5 * (v.known(c.track, "track") +
                                          v.known(c.front_tire_width, "tire width")));
       }},
      {{"wall_turning_circle",
        "m",
        "diameter of the smallest circle of walls that the body's front corner stays in",
        {record::channel::kVelocity, kYawRate}},
       [](View v) {
         const FigureContext& c = v.context();
         return 2 * turning_radius(v, v.known(c.outline_front, "outline"),
                                   v.known(c.outline_half, "outline"));
       }},
      {{"cone_margin",
        "m",
        "ISO 3888: min distance of the outline's corners from the sides of the lanes; negative: "
        "cones fall",
        {record::channel::kPosition, record::channel::kYaw}},
       cone_margin},
  };
}

}  // namespace camber::figures::internal
