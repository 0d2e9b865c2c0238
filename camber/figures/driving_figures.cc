// How a vehicle gets going, holds its speed and stops, and where that takes it.

#include <algorithm>
#include <cmath>

#include "camber/figures/figure_view.h"
#include "camber/record/channel_names.h"

namespace camber::figures::internal {
namespace {

constexpr std::string_view kSpeed = record::channel::kForwardSpeed;
constexpr std::string_view kVelocity = record::channel::kVelocity;
constexpr std::string_view kPosition = record::channel::kPosition;
constexpr std::string_view kBrake = record::channel::kBrakePedal;

/// Distance covered over the ground since the start of the window, sample by sample.
std::vector<double> covered_distance(const FigureView& view) {
  const Series x = view.column(record::channel::kPositionX),
               y = view.column(record::channel::kPositionY);
  std::vector<double> distance(view.size());
  for (std::size_t i = 1; i < distance.size(); ++i)
    distance[i] = distance[i - 1] + std::hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
  return distance;
}

/// Speed over the ground in any direction: a vehicle that slides sideways is not at rest.
std::vector<double> speed_over_ground(const FigureView& view) {
  const Series forward = view.column(kSpeed), left = view.column(record::channel::kLateralSpeed);
  std::vector<double> speed(view.size());
  for (std::size_t i = 0; i < speed.size(); ++i) speed[i] = std::hypot(forward[i], left[i]);
  return speed;
}

/// From the first touch of the brake until the vehicle is slower than `stop_speed`.
struct Stop {
  explicit Stop(const FigureView& view)
      : t(view.times()), speed(speed_over_ground(view)), distance(covered_distance(view)) {
    const Series brake = view.column(kBrake);
    const auto touched = std::find_if(brake.begin(), brake.end(), [](double b) { return b > 0; });
    if (touched == brake.end()) throw NoValue("the brake is not touched");
    first = static_cast<std::size_t>(touched - brake.begin());
    start = t[first];
    initial_speed = speed[first];
    const double standing = view.parameter("stop_speed");
    if (initial_speed <= standing)
      throw NoValue("the vehicle is at rest when the brake is touched");
    end = crossing_time(t, speed, standing, "the vehicle does not stop", first);
  }

  double distance_at(double time) const { return value_at(t, distance, time); }
  double time_at_speed(double v) const {
    return crossing_time(t, speed, v, "the vehicle does not stop", first);
  }

  Series t;
  std::vector<double> speed, distance;
  std::size_t first = 0;
  double start = 0, end = 0;  // [s]
  double initial_speed = 0;
};

double braking_distance(const FigureView& view) {
  const Stop stop(view);
  return stop.distance_at(stop.end) - stop.distance_at(stop.start);
}

// UN Regulation 13: between 80 and 10 % of the speed at which braking starts.
double mean_fully_developed_deceleration(const FigureView& view) {
  const Stop stop(view);
  const double vb = 0.8 * stop.initial_speed, ve = 0.1 * stop.initial_speed;
  const double distance =
      stop.distance_at(stop.time_at_speed(ve)) - stop.distance_at(stop.time_at_speed(vb));
  return (vb * vb - ve * ve) / (2 * distance);
}

double mean_deceleration(const FigureView& view) {
  const Stop stop(view);
  return stop.initial_speed * stop.initial_speed /
         (2 * (stop.distance_at(stop.end) - stop.distance_at(stop.start)));
}

double time_to_speed(const FigureView& view) {
  const Series t = view.times();
  const double speed = view.parameter("speed");
  if (view.column(kSpeed).front() >= speed) return 0;
  return crossing_time(t, view.column(kSpeed), speed, "it does not reach this speed") - t.front();
}

/// Max distance from the vehicle's place at the start of the window.
constexpr double kArrived = 7;  // behavior of a pilot, docs/manual/autonomy.md

double time_to_goal(const FigureView& view) {
  const Series behavior = view.column(record::channel::kGoalBehavior);
  const auto found = std::find(behavior.begin(), behavior.end(), kArrived);
  if (found == behavior.end()) throw NoValue("the goal is not reached");
  return view.times()[static_cast<std::size_t>(found - behavior.begin())];
}

double count_stops(const FigureView& view) {
  int stops = 0;
  bool has_moved = false;
  for (const double speed : view.column(kSpeed)) {
    if (has_moved && std::abs(speed) < 0.1) ++stops, has_moved = false;
    has_moved = has_moved || std::abs(speed) > 1;
  }
  return stops;
}

double drift(const FigureView& view) {
  const Series x = view.column(record::channel::kPositionX),
               y = view.column(record::channel::kPositionY);
  const Series z = view.column(record::channel::kPositionZ);
  double furthest = 0;
  for (std::size_t i = 0; i < view.size(); ++i)
    furthest = std::max(furthest, std::hypot(x[i] - x[0], y[i] - y[0], z[i] - z[0]));
  return furthest;
}

double gear_shifts(const FigureView& view) {
  const Series gear = view.column(record::channel::kGear);
  double shifts = 0;
  for (std::size_t i = 1; i < view.size(); ++i) shifts += gear[i] != gear[i - 1];
  return shifts;
}

/// What grew in the window, over the distance covered.
double per_distance(const FigureView& view, const char* column) {
  const double distance = covered_distance(view).back();
  if (distance <= 0) throw NoValue("the vehicle does not move");
  return (view.column(column).back() - view.column(column).front()) / distance;
}

double energy_error(const FigureView& view) {
  constexpr double kNoEnergy = 1;  // [J]: a vehicle that has not moved yet
  double scale = 0;
  for (const char* part : {"kinetic", "engine", "dissipated"}) {
    const Series account = view.column(std::string("energy/balance.") + part);
    scale = std::max(scale, max_of(account) - std::min(0.0, min_of(account)));
  }
  if (scale < kNoEnergy) throw NoValue("no energy is converted");
  const Series error = view.column(record::channel::kEnergyError);
  if (std::ranges::any_of(error, [](double e) { return std::isnan(e); }))
    throw NoValue("the balance is NaN at some samples");
  return max_size(error) / scale;
}

FigureParameter stop_speed() {
  return {"stop_speed", "m/s", "below it the vehicle is at rest", 0.05};
}

}  // namespace

std::vector<FigureRow> driving_figures() {
  using View = const FigureView&;
  return {
      {{"top_speed", "m/s", "max forward speed", {kSpeed}},
       [](View v) { return max_of(v.column(kSpeed)); }},
      {{"min_speed", "m/s", "min forward speed: what is held on a grade", {kSpeed}},
       [](View v) { return min_of(v.column(kSpeed)); }},
      {{"mean_speed", "m/s", "forward speed, mean over time", {kSpeed}},
       [](View v) { return mean(v.times(), v.column(kSpeed)); }},
      {{"mean_speed_ratio",
        "1",
        "mean forward speed over the `target` that the driver holds",
        {kSpeed}},
       [](View v) {
         const double held = v.context().held_speed;
         if (held == 0) throw NoValue("the driver holds no speed");
         return mean(v.times(), v.column(kSpeed)) / held;
       }},
      {{"mean_forward_acceleration",
        "m/s^2",
        "slope of the forward speed over time, least squares; negative while it slows down",
        {kSpeed}},
       [](View v) { return regression_slope(v.times(), v.column(kSpeed)); }},
      {{"time_to_speed",
        "s",
        "time from the start of the window until `speed` is reached, forward",
        {kSpeed},
        {{"speed", "m/s", "speed to reach"}}},
       time_to_speed},
      {{"distance", "m", "distance covered over the ground", {kPosition}},
       [](View v) { return covered_distance(v).back(); }},
      {{"min_clearance",
        "m",
        "min distance from the vehicle's outline to an obstacle, up to 10 m; 0 or less: hit",
        {record::channel::kClearance}},
       [](View v) { return min_of(v.column(record::channel::kClearance)); }},
      {{"goal_reached",
        "1",
        "1 if the pilot has arrived at its goal, else 0",
        {record::channel::kGoalBehavior}},
       [](View v) {
         return v.column(record::channel::kGoalBehavior).back() == kArrived ? 1.0 : 0.0;
       }},
      {{"time_to_goal", "s", "time at which the pilot arrived", {record::channel::kGoalBehavior}},
       time_to_goal},
      {{"stops",
        "1",
        "how often the vehicle came to rest on its way, below 0.1 m/s after 1 m/s",
        {record::channel::kForwardSpeed}},
       count_stops},
      {{"climb", "m", "height gained from start to end", {record::channel::kPositionZ}},
       [](View v) {
         return v.column(record::channel::kPositionZ).back() -
                v.column(record::channel::kPositionZ).front();
       }},
      {{"braking_distance",
        "m",
        "distance from the first touch of the brake to a stop, when its speed over the ground is "
        "below "
        "`stop_speed`",
        {kPosition, kVelocity, kBrake},
        {stop_speed()}},
       braking_distance},
      {{"stopping_time",
        "s",
        "time from the first touch of the brake to a stop",
        {kPosition, kVelocity, kBrake},
        {stop_speed()}},
       [](View v) {
         const Stop stop(v);
         return stop.end - stop.start;
       }},
      {{"mean_deceleration",
        "m/s^2",
        "square of the speed over the ground at the first touch of the brake, divided by twice the "
        "braking distance",
        {kPosition, kVelocity, kBrake},
        {stop_speed()}},
       mean_deceleration},
      {{"mean_fully_developed_deceleration",
        "m/s^2",
        "UN R13: the same between 80 and 10 % of that speed",
        {kPosition, kVelocity, kBrake},
        {stop_speed()}},
       mean_fully_developed_deceleration},
      {{"standstill_drift",
        "m",
        "max distance from the place at the start of the window",
        {kPosition}},
       drift},
      {{"residual_speed", "m/s", "max speed over the ground, in any direction", {kVelocity}},
       [](View v) { return max_of(speed_over_ground(v)); }},
      {{"gear_shifts", "1", "how often the gear changes", {record::channel::kGear}}, gear_shifts},
      {{"fuel_consumption",
        "l/100 km",
        "fuel over the distance covered",
        {kPosition, record::channel::kFuel}},
       [](View v) {
         constexpr double kLiters = 1e8;  // per 100 km, of m^3/m
         return kLiters * per_distance(v, record::channel::kFuelVolume);
       }},
      {{"electric_consumption",
        "kWh/100 km",
        "energy from the battery, with its own losses and less what comes back, over the distance "
        "covered",
        {kPosition, record::channel::kBattery}},
       [](View v) {
         constexpr double kKilowattHours = 1e5 / 3.6e6;  // per 100 km, of J/m
         return kKilowattHours * per_distance(v, record::channel::kBatteryEnergy);
       }},
      {{"energy_error",
        "1",
        "max energy not accounted for, divided by the max kinetic, engine or dissipated energy; "
        "above 0.01 the drive ends with a note",
        {record::channel::kEnergy}},
       energy_error},
  };
}

}  // namespace camber::figures::internal
