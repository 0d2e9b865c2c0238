#include "tests/page/lane_change.h"

#include <array>
#include <cmath>
#include <random>

namespace camber::testing {
namespace {

constexpr double kMass = 4200;       // [kg]
constexpr double kGravity = 9.81;    // [m/s^2]
constexpr double kWheelbase = 3.30;  // [m]
constexpr double kTrack = 1.82;      // [m]
constexpr double kHeight = 0.86;     // [m] of the center of mass
constexpr double kLane = 3.6;        // [m]

/// A lane change as a smooth step over 4 s: position and its derivatives.
struct Sideways {
  double y = 0, v = 0, a = 0;
};

Sideways smooth_step(double t, double begin) {
  constexpr double kTime = 4.0;
  const double s = std::fmin(1.0, std::fmax(0.0, (t - begin) / kTime));
  return {kLane * s * s * s * (10 - 15 * s + 6 * s * s),
          kLane * 30 * s * s * (1 - s) * (1 - s) / kTime,
          kLane * 60 * s * (1 - s) * (1 - 2 * s) / (kTime * kTime)};
}

Sideways lane_position(double t) {
  const Sideways out = smooth_step(t, 30), back = smooth_step(t, 50);
  return {out.y - back.y, out.v - back.v, out.a - back.a};
}

/// Noise that has a memory, as a vehicle has over rough ground; the same for the same seed.
class Shaking {
 public:
  Shaking(double size, std::uint64_t seed) : size_(size), engine_(seed) {}
  double next() {
    const double white = static_cast<double>(engine_() >> 11) * 0x1p-53 - 0.5;
    value_ = 0.7 * value_ + white;
    return size_ * value_;
  }

 private:
  double size_, value_ = 0;
  std::mt19937_64 engine_;
};

class Recording {
 public:
  explicit Recording(report::DriveReport* report) : report_(report) {}

  /// The channels come in the same order at each sample.
  void add(const char* name, const std::vector<std::string>& names,
           const std::vector<std::string>& units, const std::vector<double>& values) {
    auto& channels = report_->channels;
    if (at_ == channels.size()) channels.push_back({.name = name, .names = names, .units = units});
    channels[at_].values.insert(channels[at_].values.end(), values.begin(), values.end());
    ++at_;
  }
  void next_sample() { at_ = 0; }

 private:
  report::DriveReport* report_;
  std::size_t at_ = 0;
};

const std::vector<std::string> kWheels = {"front_left", "front_right", "rear_left", "rear_right"};

/// Distance driven until t at v = speed tanh(t / 9).
double distance(double t, double speed) { return speed * 9 * std::log(std::cosh(t / 9)); }

void add_ground(report::DriveReport* report, double speed) {
  const auto x = [&](double t) { return distance(t, speed); };
  for (int k = 0; 0.5 * k <= report->times.back(); ++k) {
    const double t = 0.5 * k;
    report->ground.target.push_back({x(t), lane_position(t - 0.15).y});
  }
  for (const double t : {29.0, 35.0, 49.0, 55.0}) {
    const double y = lane_position(t).y;
    if (t < report->times.back()) {
      report->ground.gates.push_back({{x(t), y + 1.4}, {x(t), y - 1.4}});
    }
  }
  report->ground.cones = {{x(31.5), -1.2}, {x(32), -0.9}};
  report->ground.obstacles = {
      {.name = "parked car",
       .outline = {{x(38), -1}, {x(38) + 4.6, -1}, {x(38) + 4.6, 0.8}, {x(38), 0.8}}},
      {.name = "tree", .center = {x(20), 7}, .radius = 0.6}};
}

void add_texts(const LaneChangeOptions& options, report::DriveReport* report) {
  using report::make_key_figure;
  report->scenario = "Lane change at 20 m/s <sample>";
  report->about =
      "A heavy vehicle accelerates, changes to the lane on its left at 30 s and back at 50 s. "
      "Written by formulas, not simulated.";
  report->figures = {
      make_key_figure("largest roll angle", 2.31, "deg", {}, 4.0, "rollover margin & comfort"),
      make_key_figure("largest lateral acceleration", 1.302, "m/s^2", {}, 4.0, "dry asphalt"),
      make_key_figure("largest distance from the path", 0.214, "m", {}, 0.5, "half a lane's spare"),
      make_key_figure("speed at the maneuver", 19.87, "m/s", 19.0, 21.0, "\"about 20 m/s\""),
      make_key_figure("smallest wheel load", 7420, "N", 0.0, {}, "no wheel lifts"),
      make_key_figure("distance driven", 1216.4, "m")};
  report->warnings = {"the ground is a plane: its friction is 0.9 everywhere"};
  report->settings = {{"vehicle", "models/hmmwv.toml"},
                      {"step", "0.001", "s"},
                      {"seed", std::to_string(options.seed)}};
  report->versions = {{"program", "camber 0.1.0"}, {"compiler", "12.2.0"}};
}

}  // namespace

report::DriveReport make_lane_change(const LaneChangeOptions& options) {
  report::DriveReport report;
  Recording record(&report);
  Shaking shaking(options.roughness, options.seed);
  const auto shake = [&](double value, double size) { return value + size * shaking.next(); };
  double spent = 0;
  const double dt = 1.0 / options.rate;
  const auto samples = static_cast<std::size_t>(std::lround(options.duration * options.rate)) + 1;
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) * dt;
    const double v = options.speed * std::tanh(t / 9);
    const double a = options.speed / 9 / std::pow(std::cosh(t / 9), 2);
    const Sideways side = lane_position(t);
    const Sideways lag = lane_position(t - 0.3);
    const double grip = v > 1 ? v : 1;
    const double yaw = std::atan2(side.v, grip);
    const double yaw_rate = side.a / grip;
    const double roll = 0.031 * lag.a + 0.004 * std::sin(7 * t) * std::exp(-0.5 * t);
    const double pitch = -0.008 * a;
    const double steer = side.a * (kWheelbase / (grip * grip) + 0.0028);
    const int gear = v < 5 ? 1 : v < 11 ? 2 : 3;
    const double engine = v / (0.47 * std::array{0.083, 0.149, 0.262}[gear - 1]) + 60;
    const double drag = 900 + 1.9 * v * v;
    spent += drag * v * dt;
    report.times.push_back(t);
    record.next_sample();
    record.add("chassis/position", {"x", "y", "z"}, {"m"},
               {distance(t, options.speed), shake(side.y, 0.003), shake(0.71, 0.02)});
    record.add("chassis/attitude", {"roll", "pitch", "yaw"}, {"rad"},
               {shake(roll, 0.01), shake(pitch, 0.01), shake(yaw, 0.003)});
    record.add("chassis/velocity", {"forward", "left", "up"}, {"m/s"},
               {shake(v, 0.05), shake(0.02 * side.a, 0.02), shake(0, 0.1)});
    record.add("chassis/rates", {"roll", "pitch", "yaw"}, {"rad/s"},
               {shake(0, 0.1), shake(0, 0.1), shake(yaw_rate, 0.02)});
    record.add("chassis/acceleration", {"forward", "left", "up"}, {"m/s^2"},
               {shake(a, 0.5), shake(side.a, 0.8), shake(0, 2)});
    record.add(
        "driver/command", {"steer", "throttle", "brake"}, {"rad", "1", "1"},
        {shake(steer, 0.01), t < 27 ? 0.55 + 0.25 * std::exp(-t / 6) : 0.31, t > 66 ? 0.2 : 0.0});
    record.add("steering/angle", {"left", "right"}, {"rad"},
               {shake(steer * 1.03, 0.01), shake(steer * 0.97, 0.01)});
    record.add("drivetrain/engine", {"speed", "torque"}, {"rad/s", "N m"},
               {shake(engine, 3), shake((kMass * a + drag) * 0.47 / 30, 5)});
    record.add("drivetrain/gear", {""}, {"1"}, {static_cast<double>(gear)});
    std::vector<double> load, fx, fy, slip, angle, travel;
    for (int wheel = 0; wheel < 4; ++wheel) {
      const double front = wheel < 2 ? 1 : -1, left = wheel % 2 == 0 ? 1 : -1;
      const double share = 0.25 - 0.25 * front * kHeight * a / (kGravity * kWheelbase) -
                           0.5 * left * kHeight * lag.a / (kGravity * kTrack) + 0.012 * front;
      load.push_back(shake(kMass * kGravity * share, 1500));
      fx.push_back(shake((kMass * a + drag) * 0.25, 300));
      fy.push_back(shake(kMass * side.a * share, 300));
      slip.push_back(shake(0.004 * a, 0.01));
      angle.push_back(shake(-0.012 * side.a * (1 + 0.1 * front), 0.01));
      travel.push_back(shake(-0.02 * front * a + 0.011 * left * lag.a, 0.03));
    }
    record.add("wheels/load", kWheels, {"N"}, load);
    record.add("wheels/longitudinal_force", kWheels, {"N"}, fx);
    record.add("wheels/lateral_force", kWheels, {"N"}, fy);
    record.add("wheels/slip", kWheels, {"1"}, slip);
    record.add("wheels/slip_angle", kWheels, {"rad"}, angle);
    record.add("wheels/travel", kWheels, {"m"}, travel);
    record.add("energy/balance",
               {"kinetic", "potential", "elastic", "engine", "dissipated", "error"}, {"J"},
               {0.5 * kMass * v * v, 800 * std::sin(0.3 * t), 2100 + 30 * lag.a,
                0.5 * kMass * v * v + spent, spent, shake(2e-4 * t, 1e-4)});
    record.add("path/deviation", {""}, {"m"}, {shake(side.y - lane_position(t - 0.15).y, 0.02)});
  }
  add_texts(options, &report);
  add_ground(&report, options.speed);
  return report;
}

}  // namespace camber::testing
