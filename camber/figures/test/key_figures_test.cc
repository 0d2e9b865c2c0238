// Signals whose figures are known by a formula.
#include "camber/figures/key_figures.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/figures/figure_view.h"
#include "camber/figures/ride_weighting.h"

namespace camber::figures {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
using Function = std::function<double(double)>;

/// A drive whose channels are functions of time, one sample every `interval`.
class Drive {
 public:
  explicit Drive(double duration, double interval = 0.01) {
    const int n = static_cast<int>(std::lround(duration / interval));
    for (int i = 0; i <= n; ++i) times_.push_back(i * interval);
    signals_ = Signals(times_);
  }

  Drive& add(const std::string& channel, const std::vector<std::string>& columns,
             const std::vector<Function>& functions) {
    std::vector<double> values;
    for (const double t : times_)
      for (const Function& f : functions) values.push_back(f(t));
    signals_.add(channel, columns, values);
    return *this;
  }

  FigureResult calc(FigureRequest request) const {
    return calc_key_figures(std::vector{std::move(request)}, signals_, context)[0];
  }
  double value(const std::string& figure, std::optional<double> after = {},
               std::optional<double> before = {},
               const std::map<std::string, double>& parameters = {}) const {
    const FigureResult result = calc({.figure = figure,
                                      .name = figure,
                                      .after = after,
                                      .before = before,
                                      .parameters = parameters,
                                      .min = {},
                                      .max = {},
                                      .source = {}});
    EXPECT_TRUE(result.value) << figure << ": " << result.problem;
    return result.value.value_or(NAN);
  }
  std::string problem(const std::string& figure) const {
    FigureRequest request;
    request.figure = figure;
    return calc(request).problem;
  }

  FigureContext context;

 private:
  std::vector<double> times_;
  Signals signals_;
};

const Function kZero = [](double) { return 0.0; };

// --- Handling ---

TEST(HandlingFigures, FindPeaksOfTheirWindow) {
  Drive drive(40);
  drive.add("chassis/acceleration", {"forward", "left", "up"},
            {kZero, [](double t) { return -2.5 * std::exp(-(t - 10) * (t - 10)); }, kZero});
  drive.add("chassis/rates", {"roll", "pitch", "yaw"},
            {kZero, kZero, [](double t) { return 0.12 * std::sin(0.5 * t); }});
  drive.add("chassis/attitude", {"roll", "pitch", "yaw"},
            {[](double t) { return t < 20 ? 0.03 : -0.05; }, kZero,
             [](double t) { return 1.5 + 0.2 * std::sin(0.3 * t); }});
  drive.add("steering/angle", {"left", "right"},
            {[](double t) { return 0.01 * t; }, [](double t) { return 0.02 * t; }});
  EXPECT_NEAR(drive.value("peak_lateral_acceleration"), 2.5, 1e-12);
  EXPECT_NEAR(drive.value("peak_lateral_acceleration", 12, 20), 2.5 * std::exp(-4), 1e-12);
  EXPECT_NEAR(drive.value("peak_yaw_rate"), 0.12, 1e-6);
  EXPECT_NEAR(drive.value("peak_roll_deg", {}, 19.0), 0.03 / kDegree, 1e-12);
  EXPECT_NEAR(drive.value("peak_roll_deg"), 0.05 / kDegree, 1e-12);
  drive.add("steering/wheel", {"angle"}, {[](double t) { return -0.3 * t; }});
  EXPECT_NEAR(drive.value("peak_steer_deg"), 0.6 / kDegree, 1e-9);
  EXPECT_NEAR(drive.value("peak_steering_wheel_deg"), 12 / kDegree, 1e-9);
  EXPECT_NEAR(drive.value("heading_change_deg"), 0.2 / kDegree, 1e-3);
}

// An answer of second order to a step, whose overshoot and times are known: with damping z and
// frequency w the peak is at pi/(w sqrt(1 - z^2)), exp(-pi z/sqrt(1 - z^2)) above the steady value.
TEST(HandlingFigures, MeasureStepResponsesAsIso7401Does) {
  constexpr double z = 0.45, w = 7.0, kSteer = -0.031, kGain = 4.7, kAt = 2.0;
  const double wd = w * std::sqrt(1 - z * z);
  const auto answer = [&](double t) {
    if (t <= kAt) return 0.0;
    const double s = t - kAt;
    return kGain * kSteer *
           (1 - std::exp(-z * w * s) * (std::cos(wd * s) + z * w / wd * std::sin(wd * s)));
  };
  const auto steer = [&](double t) { return t < kAt ? 0.0 : kSteer; };
  Drive drive(10, 0.002);
  drive.add("chassis/rates", {"roll", "pitch", "yaw"}, {kZero, kZero, answer});
  drive.add("chassis/acceleration", {"forward", "left", "up"},
            {kZero, [&](double t) { return 22 * answer(t); }, kZero});
  drive.add("steering/wheel", {"angle"}, {steer});
  // The step lies between two samples: half of it is reached in the middle.
  const double late = 0.001;
  EXPECT_NEAR(drive.value("yaw_gain"), kGain, 1e-6);
  EXPECT_NEAR(drive.value("lateral_acceleration_gain"), 22 * kGain, 1e-5);
  EXPECT_NEAR(drive.value("steady_yaw_rate"), kGain * kSteer, 1e-8);
  EXPECT_NEAR(drive.value("yaw_peak_response_time"), std::numbers::pi / wd + late, 0.002);
  EXPECT_NEAR(drive.value("yaw_overshoot"), std::exp(-std::numbers::pi * z / std::sqrt(1 - z * z)),
              1e-4);
  // 10 and 90 % by bisection of the formula.
  const auto time_to = [&](double share) {
    double low = kAt, high = kAt + std::numbers::pi / wd;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (std::abs(answer(middle)) < share * std::abs(kGain * kSteer) ? low : high) = middle;
    }
    return low - kAt;
  };
  EXPECT_NEAR(drive.value("yaw_response_time"), time_to(0.9) + late, 1e-4);
  EXPECT_NEAR(drive.value("yaw_rise_time"), time_to(0.9) - time_to(0.1), 1e-4);
  EXPECT_NEAR(drive.value("lateral_acceleration_response_time"), time_to(0.9) + late, 1e-4);
  EXPECT_NEAR(drive.value("lateral_acceleration_overshoot"), drive.value("yaw_overshoot"), 1e-9);
}

// A single-track vehicle of known understeer, by all three ways of ISO 4138 and to both sides.
TEST(HandlingFigures, FindUndersteerByEveryMethod) {
  constexpr double L = 3.302, K = 0.0037;
  struct Way {
    const char* name;
    Function speed, curvature;
  };
  for (const Way& way :
       {Way{"radius held", [](double t) { return 3 + 0.1 * t; }, [](double) { return 1.0 / 30; }},
        Way{"to the right", [](double t) { return 3 + 0.1 * t; }, [](double) { return -1.0 / 42; }},
        Way{"speed held", [](double) { return 15.0; }, [](double t) { return 2e-4 * (t + 1); }}}) {
    SCOPED_TRACE(way.name);
    const auto acceleration = [&](double t) {
      return way.speed(t) * way.speed(t) * way.curvature(t);
    };
    Drive drive(60);
    drive.context.wheelbase = L;
    drive.add("chassis/velocity", {"forward", "left", "up"}, {way.speed, kZero, kZero});
    drive.add("chassis/rates", {"roll", "pitch", "yaw"},
              {kZero, kZero, [&](double t) { return way.speed(t) * way.curvature(t); }});
    drive.add("chassis/acceleration", {"forward", "left", "up"}, {kZero, acceleration, kZero});
    drive.add("chassis/attitude", {"roll", "pitch", "yaw"},
              {[&](double t) { return 0.0052 * acceleration(t); }, kZero, kZero});
    const auto steer = [&](double t) { return 0.004 + L * way.curvature(t) + K * acceleration(t); };
    drive.add("steering/wheel", {"angle"}, {[&](double t) { return 17.3 * steer(t); }});
    drive.context.steering_ratio = 17.3;
    EXPECT_NEAR(drive.value("understeer_gradient"), K, 1e-9);
    EXPECT_NEAR(drive.value("roll_gradient"), 0.0052, 1e-9);
  }
}

TEST(HandlingFigures, MeasureTurningCircles) {
  // The center of turning is 1.65 m behind the origin and 7 m to its side.
  for (const double side : {1.0, -1.0}) {
    constexpr double kRate = 0.3;
    Drive drive(10);
    drive.context.front_axle_x = 1.651;
    drive.context.center_x = -0.12;
    drive.context.track = 1.819;
    drive.context.front_tire_width = 0.31;
    drive.context.outline_front = 2.3;
    drive.context.outline_half = 1.05;
    drive.add(
        "chassis/velocity", {"forward", "left", "up"},
        {[](double) { return 7 * kRate; }, [&](double) { return side * 1.65 * kRate; }, kZero});
    drive.add("chassis/rates", {"roll", "pitch", "yaw"},
              {kZero, kZero, [&](double) { return side * kRate; }});
    EXPECT_NEAR(drive.value("turning_radius"), std::hypot(1.65 - 0.12, 7.0), 1e-9);
    EXPECT_NEAR(drive.value("outer_turning_radius"), std::hypot(1.651 + 1.65, 7 + 0.9095), 1e-9);
    EXPECT_NEAR(drive.value("kerb_turning_circle"), 2 * std::hypot(1.651 + 1.65, 7 + 1.0645), 1e-9);
    EXPECT_NEAR(drive.value("wall_turning_circle"), 2 * std::hypot(2.3 + 1.65, 7 + 1.05), 1e-9);
    EXPECT_NEAR(drive.value("peak_sideslip_deg"), std::atan((1.65 - 0.12) / 7) / kDegree, 1e-9);
  }
}

// The same motion, logged at the rear axle of a file and midway between the axles of another.
TEST(HandlingFigures, DoNotDependOnTheOriginOfTheVehiclesFile) {
  const auto make = [](double origin) {  // x of the log's origin from the center of mass [m]
    const auto rate = [](double t) { return 0.2 + 0.3 * std::sin(0.7 * t); };
    Drive drive(20);
    drive.context.center_x = -origin;
    drive.context.front_axle_x = 1.4 - origin;
    drive.context.track = 1.55;
    drive.context.front_tire_width = 0.21;
    drive.context.outline_front = 2.1 - origin;
    drive.context.outline_half = 0.9;
    drive.add("chassis/velocity", {"forward", "left", "up"},
              {[](double t) { return 12 + 0.3 * t; },
               [=](double t) { return 0.8 * std::cos(t) + origin * rate(t); }, kZero});
    drive.add("chassis/rates", {"roll", "pitch", "yaw"}, {kZero, kZero, rate});
    return drive;
  };
  const Drive a = make(-1.3), b = make(0.1);
  for (const char* figure : {"peak_sideslip_deg", "turning_radius", "outer_turning_radius",
                             "kerb_turning_circle", "wall_turning_circle"})
    EXPECT_NEAR(a.value(figure), b.value(figure), 1e-9 * a.value(figure)) << figure;
}

// Backward the center of turning changes sides: taken by the yaw rate alone, the inner wheel was
// the outer one.
TEST(HandlingFigures, MeasureTurningCirclesBackward) {
  for (const double side : {1.0, -1.0}) {
    constexpr double kRate = 0.21;
    Drive drive(10);
    drive.context.front_axle_x = 1.651;
    drive.context.track = 1.819;
    drive.add(
        "chassis/velocity", {"forward", "left", "up"},
        {[](double) { return -7.4 * kRate; }, [&](double) { return side * 1.65 * kRate; }, kZero});
    drive.add("chassis/rates", {"roll", "pitch", "yaw"},
              {kZero, kZero, [&](double) { return side * kRate; }});
    EXPECT_NEAR(drive.value("outer_turning_radius"), std::hypot(1.651 + 1.65, 7.4 + 0.9095), 1e-9);
    EXPECT_NEAR(drive.value("peak_sideslip_deg"), std::atan(1.65 / 7.4) / kDegree, 1e-9);
  }
}

// A course that turns against the heading: at a constant rate, by 0.9 of a half turn in all.
TEST(HandlingFigures, FollowASpin) {
  constexpr double kSpeed = 13, kRate = 0.9 * std::numbers::pi / 10;
  for (const double ahead : {1.0, -1.0}) {
    Drive drive(10);
    drive.add("chassis/velocity", {"forward", "left", "up"},
              {[&](double t) { return ahead * kSpeed * std::cos(kRate * t); },
               [](double t) { return kSpeed * std::sin(kRate * t); }, kZero});
    drive.add("chassis/rates", {"roll", "pitch", "yaw"}, {kZero, kZero, kZero});
    EXPECT_NEAR(drive.value("peak_sideslip_deg"), 0.9 * 180, 1e-9);
  }
  // Forward, a stop, backward: no sideslip.
  Drive turns(10);
  turns.add("chassis/velocity", {"forward", "left", "up"},
            {[](double t) { return 5 - t; }, kZero, kZero});
  turns.add("chassis/rates", {"roll", "pitch", "yaw"}, {kZero, kZero, kZero});
  EXPECT_NEAR(turns.value("peak_sideslip_deg"), 0, 1e-12);
  Drive stands(10);
  stands.add("chassis/velocity", {"forward", "left", "up"}, {kZero, kZero, kZero});
  stands.add("chassis/rates", {"roll", "pitch", "yaw"}, {kZero, kZero, kZero});
  EXPECT_EQ(stands.problem("peak_sideslip_deg"),
            "the vehicle is slower than 1 m/s in the time window");
}

// A run that starts after the step has wheels that still give by 1e-6 rad: half of that was taken
// for the step.
TEST(HandlingFigures, NeedAStep) {
  const std::string none = "there is no step of the steering in the time window";
  struct Case {
    Function steer, answer;
    double interval;
    std::string problem;
  };
  for (const Case& c : std::vector<Case>{
           {[](double t) { return 0.031 + 2e-6 * (1 - std::exp(-t)); },
            [](double t) { return 0.17 + 1e-5 * (1 - std::exp(-2 * t)); }, 0.01, none},
           {[](double t) { return 3e-5 * (1 - std::exp(-9 * t)); },
            [](double t) { return 1e-4 * (1 - std::exp(-2 * t)); }, 0.01, none},
           {[](double t) { return 0.004 * t; }, [](double t) { return 0.02 * t; }, 0.01,
            "the steering takes more than 1 s for its change: that is not a step"},
           {[](double t) { return t < 3.3 ? 0 : 0.03; },
            [](double t) { return t < 3.3 ? 0 : 0.2 * (1 - std::exp(-8 * (t - 3.3))); }, 0.5,
            "samples are too far apart for the response to the steering"}}) {
    Drive drive(10, c.interval);
    drive.add("chassis/rates", {"roll", "pitch", "yaw"}, {kZero, kZero, c.answer});
    drive.add("steering/wheel", {"angle"}, {c.steer});
    for (const char* figure :
         {"yaw_response_time", "yaw_peak_response_time", "yaw_overshoot", "yaw_rise_time"})
      EXPECT_EQ(drive.problem(figure), c.problem) << figure;
  }
}

/// A drive through the lanes of ISO 3888-1 along their middles, turned and shifted as a whole.
Drive drive_lanes(double shift_in_second_lane, double yaw_in_third_lane) {
  constexpr double kSpeed = 20, kHeading = 0.7, kX = 31, kY = -12;
  const auto u = [](double t) { return kSpeed * t - 20; };
  const auto v = [=](double s) {
    const double second = 3.5 + 0.05 * 2.16 + shift_in_second_lane, third = 0.1 * 2.16;
    if (s < 30) return 0.0;
    return s < 82 ? second : third;
  };
  Drive drive(8, 0.001);
  drive.context = {.wheelbase = 0,
                   .track = 0,
                   .vehicle_length = 4.57,
                   .vehicle_width = 2.16,
                   .course_x = kX,
                   .course_y = kY,
                   .course_heading = kHeading};
  drive.add(
      "chassis/position", {"x", "y", "z"},
      {[=](double t) { return kX + u(t) * std::cos(kHeading) - v(u(t)) * std::sin(kHeading); },
       [=](double t) { return kY + u(t) * std::sin(kHeading) + v(u(t)) * std::cos(kHeading); },
       kZero});
  drive.add(
      "chassis/attitude", {"roll", "pitch", "yaw"},
      {kZero, kZero, [=](double t) { return kHeading + (u(t) > 82 ? yaw_in_third_lane : 0.0); }});
  return drive;
}

// Widths of the standard: 2.626, 2.842 and 3.058 m for a vehicle of 2.16 m.
TEST(HandlingFigures, MeasureTheMarginToTheCones) {
  EXPECT_NEAR(drive_lanes(0, 0).value("cone_margin"), (2.626 - 2.16) / 2, 1e-12);
  EXPECT_NEAR(drive_lanes(0.2, 0).value("cone_margin"), (2.842 - 2.16) / 2 - 0.2, 1e-12);
  EXPECT_NEAR(drive_lanes(-0.5, 0).value("cone_margin"), (2.842 - 2.16) / 2 - 0.5, 1e-12);
  const double corner = 0.5 * 4.57 * std::sin(0.2) + 0.5 * 2.16 * std::cos(0.2);
  EXPECT_NEAR(drive_lanes(0, 0.2).value("cone_margin"), 3.058 / 2 - corner, 1e-12);
}

// --- Standard maneuvers ---

constexpr double kFrequency = 0.7, kDwell = 0.5, kSteerStart = 1.0;
constexpr double kReversal = kSteerStart + 0.5 / kFrequency,
                 kSteerEnd = kSteerStart + 1 / kFrequency + kDwell;

/// 49 CFR 571.126: a period of a sine with a dwell at its second peak.
double steer_with_dwell(double t, double amplitude) {
  const double s = t - kSteerStart, peak = 0.75 / kFrequency;
  if (s < 0 || t > kSteerEnd) return 0;
  const double phase = s < peak ? s : s < peak + kDwell ? peak : s - kDwell;
  return amplitude * std::sin(2 * std::numbers::pi * kFrequency * phase);
}

// To the left and to the right: after the completion of steer the yaw rate falls with 0.45 s.
TEST(ManeuverFigures, MeasureTheSineWithDwell) {
  for (const double side : {1.0, -1.0}) {
    SCOPED_TRACE(side);
    Drive drive(6, 0.002);
    drive.context.center_x = 0.37;
    constexpr double kLag = 0.45, kPeak = 0.62, kYaw = 0.8, kSpeed = 21, kSideways = 3.7;
    const double amplitude = 2.6;  // [rad]
    drive.add("steering/wheel", {"angle"},
              {[=](double t) { return side * steer_with_dwell(t, amplitude); }});
    drive.add("chassis/rates", {"roll", "pitch", "yaw"},
              {kZero, kZero, [=](double t) {
                 if (t < kReversal) return 0.9 * side;  // a higher peak before does not count
                 return -side * kPeak * (t < kSteerEnd ? 1 : std::exp((kSteerEnd - t) / kLag));
               }});
    // The center of mass goes along (cos, sin) of the yaw angle and sideways with constant
    // acceleration from when the wheel has passed 5 deg; the origin is behind it.
    const double begin =
        kSteerStart + std::asin(5 * kDegree / amplitude) / (2 * std::numbers::pi * kFrequency);
    const auto aside = [=](double t) {
      return t < begin ? 0.0 : side * 0.5 * kSideways * (t - begin) * (t - begin);
    };
    const double c = std::cos(kYaw), s = std::sin(kYaw);
    drive.add("chassis/position", {"x", "y", "z"},
              {[=](double t) { return c * (kSpeed * t - 0.37) - s * aside(t); },
               [=](double t) { return s * (kSpeed * t - 0.37) + c * aside(t); }, kZero});
    drive.add("chassis/attitude", {"roll", "pitch", "yaw"},
              {kZero, kZero, [](double) { return kYaw; }});
    EXPECT_NEAR(drive.value("yaw_rate_ratio_1_00"), std::exp(-1 / kLag), 2e-3);
    EXPECT_NEAR(drive.value("yaw_rate_ratio_1_75"), std::exp(-1.75 / kLag), 1e-3);
    EXPECT_NEAR(drive.value("dwell_displacement"), 0.5 * kSideways * 1.07 * 1.07, 2e-3);
  }
}

TEST(ManeuverFigures, SayWhatTheWindowMisses) {
  Drive drive(6, 0.01);
  drive.add("steering/wheel", {"angle"}, {[](double t) { return steer_with_dwell(t, 2.0); }});
  drive.add("chassis/rates", {"roll", "pitch", "yaw"},
            {kZero, kZero, [](double t) { return std::sin(t); }});
  const auto problem = [&](const std::string& figure, double after, double before) {
    FigureRequest request;
    request.figure = figure;
    request.after = after;
    request.before = before;
    return drive.calc(request).problem;
  };
  EXPECT_NE(problem("yaw_rate_ratio_1_75", 0, 4.5).find("ends too early"), std::string::npos);
  EXPECT_NE(problem("yaw_rate_ratio_1_00", 0, 2.5).find("does not come back to zero"),
            std::string::npos);
  EXPECT_NE(problem("yaw_rate_ratio_1_00", 4, 6).find("does not leave 5 deg"), std::string::npos);
  EXPECT_NE(problem("turn_yaw_rate_ratio", 0, 6).find("no channel"), std::string::npos);
}

// The wheel's angle is a parabola of the lateral acceleration: the line is that of least squares,
// whose value for a parabola q a^2 at 0.3 g follows from the range alone.
TEST(ManeuverFigures, TakeTheAngleAt03gFromALine) {
  Drive drive(20, 0.002);
  constexpr double kG = 9.80665;
  drive.add("chassis/acceleration", {"forward", "left", "up"},
            {kZero, [](double t) { return -kG * 0.025 * t; }, kZero});
  drive.add("steering/wheel", {"angle"}, {[](double t) {
              const double a = 0.025 * t;
              return -(1.7 * a + 2.3 * a * a + 0.05);
            }});
  const double middle = 0.5 * (0.1 + 0.375), half = 0.5 * (0.375 - 0.1), off = 0.3 - middle;
  const double parabola = middle * middle + half * half / 3 + 2 * middle * off;
  EXPECT_NEAR(drive.value("steering_wheel_at_0_3_g_deg"),
              (1.7 * 0.3 + 2.3 * parabola + 0.05) / kDegree, 0.01);
}

// A circle to the right, until the brake is touched; then straight ahead with a known deceleration.
TEST(ManeuverFigures, CompareABrakedTurnWithItsCircle) {
  constexpr double kRadius = 37, kSpeed = 14, kAt = 4, kSlower = 3.1;
  const double rate = -kSpeed / kRadius;
  for (const bool brakes : {true, false}) {
    SCOPED_TRACE(brakes);
    Drive drive(8, 0.002);
    const auto yaw = [=](double t) { return 0.4 + rate * std::min(t, kAt); };
    const auto speed = [=](double t) { return kSpeed - kSlower * std::max(0.0, t - kAt); };
    const auto covered = [=](double t) {
      const double s = std::max(0.0, t - kAt);
      return kSpeed * s - 0.5 * kSlower * s * s;
    };
    // On the circle about (0, 0) the place is radius to the left of the heading.
    drive.add(
        "chassis/position", {"x", "y", "z"},
        {[=](double t) { return -kRadius * std::sin(yaw(t)) + covered(t) * std::cos(yaw(t)); },
         [=](double t) { return kRadius * std::cos(yaw(t)) + covered(t) * std::sin(yaw(t)); },
         kZero});
    drive.add("chassis/attitude", {"roll", "pitch", "yaw"}, {kZero, kZero, yaw});
    drive.add("chassis/rates", {"roll", "pitch", "yaw"},
              {kZero, kZero, [=](double t) { return t < kAt ? rate : 0.25 * rate; }});
    drive.add("chassis/velocity", {"forward", "left", "up"},
              {speed, [=](double t) { return t < kAt + 0.5 ? 0.0 : 0.07 * speed(t); }, kZero});
    drive.add("driver/command", {"steer", "throttle", "brake"},
              {kZero, [=](double t) { return t < kAt ? 0.3 : 0.0; },
               [=](double t) { return brakes && t >= kAt ? 0.2 : 0.0; }});
    const std::map<std::string, double> after = {{"time", 1.3}};
    const double v = kSpeed - 1.3 * kSlower, s = covered(kAt + 1.3);
    EXPECT_NEAR(drive.value("turn_yaw_rate_ratio", {}, {}, after), 0.25 * rate / (-v / kRadius),
                1e-3);
    EXPECT_NEAR(drive.value("turn_path_deviation", {}, {}, after), kRadius - std::hypot(kRadius, s),
                1e-2);
    EXPECT_NEAR(drive.value("turn_sideslip_change_deg", {}, {}, after), -std::atan(0.07) / kDegree,
                1e-6);
    EXPECT_NEAR(drive.value("turn_deceleration", {}, {}, after), kSlower, 1e-6);
  }
}

// --- Driving ---

Drive brake(double speed, double deceleration, double at) {
  const double stop = at + speed / deceleration;
  const auto v = [=](double t) {
    return t < at ? speed : std::max(0.0, speed - deceleration * (t - at));
  };
  const auto way = [=](double t) {
    const double s = std::min(std::max(t - at, 0.0), stop - at);
    return speed * (std::min(t, at) + s) - 0.5 * deceleration * s * s;
  };
  Drive drive(stop + 3);
  drive.add("chassis/velocity", {"forward", "left", "up"}, {v, kZero, kZero});
  drive.add("chassis/position", {"x", "y", "z"},
            {[=](double t) { return 0.6 * way(t); }, [=](double t) { return 0.8 * way(t); },
             [](double t) { return 0.25 * t; }});
  drive.add("driver/command", {"steer", "throttle", "brake"},
            {kZero, kZero, [=](double t) { return t < at ? 0.0 : 0.5; }});
  return drive;
}

TEST(DrivingFigures, MeasureStops) {
  constexpr double kSpeed = 19, kDeceleration = 5.5;
  const Drive drive = brake(kSpeed, kDeceleration, 1.5);
  constexpr double kStanding = 0.05;
  const double way = (kSpeed * kSpeed - kStanding * kStanding) / (2 * kDeceleration);
  const std::map<std::string, double> standing = {{"stop_speed", kStanding}};
  EXPECT_NEAR(drive.value("braking_distance", {}, {}, standing), way, 1e-4);
  EXPECT_NEAR(drive.value("stopping_time", {}, {}, standing), (kSpeed - kStanding) / kDeceleration,
              1e-9);
  EXPECT_NEAR(drive.value("mean_deceleration", {}, {}, standing), kSpeed * kSpeed / (2 * way),
              1e-4);
  EXPECT_NEAR(drive.value("mean_fully_developed_deceleration"), kDeceleration, 1e-4);
  EXPECT_NEAR(drive.value("distance"), kSpeed * kSpeed / (2 * kDeceleration) + 1.5 * kSpeed, 1e-9);
  EXPECT_NEAR(drive.value("top_speed"), kSpeed, 1e-12);
  EXPECT_NEAR(drive.value("mean_forward_acceleration", 2, 4), -kDeceleration, 1e-9);
  EXPECT_NEAR(drive.value("residual_speed", 6), 0, 1e-12);
  EXPECT_NEAR(drive.value("climb", 1, 3), 0.5, 1e-12);
  EXPECT_NEAR(drive.value("standstill_drift", 5, 7), 0.5, 1e-9);
}

// A vehicle that spins while it is braked: its forward speed passes zero, and changes its sign,
// long before it stands. Stops were taken from it.
TEST(DrivingFigures, OfStopsTakeTheSpeedOverGround) {
  constexpr double kSpeed = 19, kDeceleration = 5.5, kBegin = 1.5, kTurnRate = 1.7;
  const auto speed = [](double t) {
    return std::max(0.0, kSpeed - kDeceleration * std::max(0.0, t - kBegin));
  };
  const auto yaw = [](double t) { return kTurnRate * std::max(0.0, t - kBegin); };
  const double stop = kBegin + kSpeed / kDeceleration;
  Drive drive(stop + 3, 0.001);
  drive.add("chassis/velocity", {"forward", "left", "up"},
            {[=](double t) { return speed(t) * std::cos(yaw(t)); },
             [=](double t) { return -speed(t) * std::sin(yaw(t)); }, kZero});
  drive.add("chassis/position", {"x", "y", "z"},
            {[=](double t) {
               const double braked = std::clamp(t - kBegin, 0.0, kSpeed / kDeceleration);
               return kSpeed * std::min(t, kBegin) + kSpeed * braked -
                      0.5 * kDeceleration * braked * braked;
             },
             kZero, kZero});
  drive.add("driver/command", {"steer", "throttle", "brake"},
            {kZero, kZero, [](double t) { return t < kBegin ? 0.0 : 0.5; }});
  EXPECT_NEAR(drive.value("stopping_time"), (kSpeed - 0.05) / kDeceleration, 1e-6);
  EXPECT_NEAR(drive.value("braking_distance"), kSpeed * kSpeed / (2 * kDeceleration), 1e-3);
  EXPECT_NEAR(drive.value("mean_deceleration"), kDeceleration, 1e-3);
  EXPECT_NEAR(drive.value("mean_fully_developed_deceleration"), kDeceleration, 1e-3);
  // A quarter of a revolution after the brake's touch, where it moves to its right alone.
  const double across = kBegin + 0.5 * std::numbers::pi / kTurnRate;
  EXPECT_NEAR(drive.value("residual_speed", across - 0.001, stop), speed(across - 0.001), 0.01);
}

TEST(DrivingFigures, MeasureHowLongASpeedTakes) {
  constexpr double kTop = 30, kTau = 13;
  Drive drive(60);
  drive.add("chassis/velocity", {"forward", "left", "up"},
            {[](double t) { return kTop * (1 - std::exp(-t / kTau)); }, kZero, kZero});
  EXPECT_NEAR(drive.value("time_to_speed", {}, {}, {{"speed", 22.352}}),
              -kTau * std::log(1 - 22.352 / kTop), 1e-5);
  EXPECT_NEAR(drive.value("min_speed", 20), kTop * (1 - std::exp(-20 / kTau)), 1e-12);
  EXPECT_NEAR(drive.value("mean_speed", 0, 60), kTop * (1 - kTau / 60 * (1 - std::exp(-60 / kTau))),
              1e-5);
  EXPECT_EQ(drive.problem("mean_speed_ratio"), "the driver holds no speed");
  drive.context.held_speed = 27;
  EXPECT_NEAR(drive.value("mean_speed_ratio", 0, 60),
              kTop * (1 - kTau / 60 * (1 - std::exp(-60 / kTau))) / 27, 1e-6);
  EXPECT_EQ(drive
                .calc({.figure = "time_to_speed",
                       .name = {},
                       .after = {},
                       .before = {},
                       .parameters = {{"speed", 31.0}},
                       .min = {},
                       .max = {},
                       .source = {}})
                .problem,
            "it does not reach this speed");
}

TEST(DrivingFigures, RelateTheEnergyErrorToWhatIsTurnedOver) {
  Drive drive(10);
  drive.add("energy/balance", {"kinetic", "potential", "elastic", "engine", "dissipated", "error"},
            {[](double t) { return 100 * t; }, kZero, kZero, [](double t) { return 150 * t; },
             [](double t) { return 50 * t; }, [](double t) { return -0.3 * t; }});
  EXPECT_NEAR(drive.value("energy_error"), 3.0 / 1500, 1e-12);
}

// Comparisons with NaN would leave it out, and the error of the rest would pass.
TEST(DrivingFigures, SayWhereTheEnergyBalanceHasNoValue) {
  Drive drive(10);
  drive.add(
      "energy/balance", {"kinetic", "potential", "elastic", "engine", "dissipated", "error"},
      {[](double t) { return 100 * t; }, kZero, kZero, [](double t) { return 150 * t; },
       [](double t) { return 50 * t; }, [](double t) { return t > 4 && t < 5 ? NAN : -0.3 * t; }});
  EXPECT_EQ(drive.problem("energy_error"), "the balance is NaN at some samples");
}

// --- Ground ---

TEST(GroundFigures, MeasureLoads) {
  Drive drive(10);
  drive.add("wheels/load", {"front_left", "front_right", "rear_left", "rear_right"},
            {[](double t) { return t < 4 || t > 6 ? 6000 : 0.0; }, [](double) { return 7000; },
             [](double t) { return 5000 - 100 * t; }, [](double t) { return 5000 + 100 * t; }});
  EXPECT_NEAR(drive.value("min_wheel_load", 7), 4000, 1e-9);
  EXPECT_NEAR(drive.value("min_wheel_load"), 0, 1e-12);
  EXPECT_NEAR(drive.value("wheel_lift_time"), 2, 1e-9);
  EXPECT_NEAR(drive.value("load_transfer_ratio"), (7000 + 5600 - 4400) / 17000.0, 1e-9);
}

TEST(GroundFigures, MeasureSoil) {
  Drive drive(10);
  const std::vector<std::string> wheels = {"front_left", "front_right", "rear_left", "rear_right"};
  const auto constant = [](double x) { return [=](double) { return x; }; };
  drive.add("wheels/sinkage", wheels,
            {constant(0.02), constant(0.03), constant(0.04), [](double t) { return 0.01 * t; }});
  drive.add("wheels/slip", wheels, {constant(0.1), constant(0.2), constant(0.05), constant(0.01)});
  EXPECT_NEAR(drive.value("mean_slip"), 0.09, 1e-12);
  EXPECT_NEAR(drive.value("mean_sinkage"), 0.14 / 4, 1e-12);
  EXPECT_NEAR(drive.value("rut_depth"), 0.045, 1e-12);
}

TEST(GroundFigures, MeasureRide) {
  Drive drive(20, 0.002);
  constexpr double w = 2 * std::numbers::pi * 5;
  drive.add("chassis/acceleration", {"forward", "left", "up"},
            {kZero, kZero, [](double t) { return 3 * std::sin(w * t); }});
  drive.add("chassis/attitude", {"roll", "pitch", "yaw"},
            {kZero, [](double t) { return 0.02 + 0.05 * std::sin(t); }, kZero});
  EXPECT_NEAR(drive.value("peak_vertical_acceleration"), 3, 1e-3);
  EXPECT_NEAR(drive.value("rms_vertical_acceleration"), 3 / std::sqrt(2), 1e-6);
  EXPECT_NEAR(drive.value("weighted_vertical_acceleration"), 1.039 * 3 / std::sqrt(2), 0.005 * 3);
  EXPECT_NEAR(drive.value("pitch_change_deg"), 0.05 / kDegree, 1e-4);
}

// [ISO 2631-1] table 3: W_k at third-octave frequencies.
TEST(RideWeighting, HasTheFactorsOfTheStandard) {
  for (const auto& [frequency, factor] : std::vector<std::pair<double, double>>{{0.5, 0.418},
                                                                                {1, 0.482},
                                                                                {2, 0.531},
                                                                                {4, 0.967},
                                                                                {5, 1.039},
                                                                                {6.3, 1.054},
                                                                                {8, 1.036},
                                                                                {10, 0.988},
                                                                                {16, 0.768},
                                                                                {31.5, 0.405}}) {
    const double w = 2 * std::numbers::pi * frequency, cycles = 20, interval = 5e-4;
    std::vector<double> t, a;
    for (int i = 0; i * interval < (10 + cycles) / frequency + 10; ++i) {
      t.push_back(i * interval);
      a.push_back(std::sin(w * t.back()));
    }
    const std::vector<double> weighted = internal::weigh_vertical(t, a);
    const auto tail = static_cast<std::size_t>(std::lround(cycles / frequency / interval));
    const internal::Series last_t = internal::Series(t).last(tail);
    const double rms = internal::root_mean_square(last_t, internal::Series(weighted).last(tail));
    EXPECT_NEAR(rms * std::sqrt(2), factor, 0.01 * factor) << frequency << " Hz";
  }
}

// --- Results ---

TEST(KeyFigures, CompareWithBounds) {
  Drive drive(10);
  drive.add("chassis/velocity", {"forward", "left", "up"},
            {[](double t) { return 2 * t; }, kZero, kZero});
  const auto status = [&](std::optional<double> min, std::optional<double> max) {
    return drive
        .calc({.figure = "top_speed",
               .name = {},
               .after = {},
               .before = {},
               .parameters = {},
               .min = min,
               .max = max,
               .source = {}})
        .status;
  };
  EXPECT_EQ(status({}, {}), FigureStatus::kNoBounds);
  EXPECT_EQ(status(19, {}), FigureStatus::kPassed);
  EXPECT_EQ(status(20, 20), FigureStatus::kPassed);
  EXPECT_EQ(status({}, 19), FigureStatus::kFailed);
  EXPECT_EQ(status(21, 30), FigureStatus::kFailed);
}

TEST(KeyFigures, AreNotJudgedIfTheirWindowStartsBeforeARestartedRun) {
  Drive drive(10);
  drive.add("chassis/velocity", {"forward", "left", "up"},
            {[](double) { return 9.0; }, kZero, kZero});
  FigureRequest request;
  request.figure = "top_speed";
  request.min = 12;
  EXPECT_EQ(drive.calc(request).status, FigureStatus::kFailed);
  drive.context.continued_from = 2.5;
  EXPECT_EQ(drive.calc(request).status, FigureStatus::kNotJudged);
  EXPECT_EQ(drive.calc(request).problem,
            "its window starts before this run, which continues from 2.5 s");
  request.after = 2.5;
  EXPECT_EQ(drive.calc(request).status, FigureStatus::kFailed);
}

TEST(KeyFigures, SayWhatIsMissing) {
  Drive drive(10);
  EXPECT_EQ(drive.problem("peak_roll_deg"), "the drive has no channel chassis/attitude.roll");
  EXPECT_EQ(drive.problem("min_wheel_load"), "the drive has no channel wheels/load");
  drive.add("chassis/velocity", {"forward", "left", "up"}, {kZero, kZero, kZero});
  drive.add("chassis/rates", {"roll", "pitch", "yaw"}, {kZero, kZero, kZero});
  EXPECT_EQ(drive.problem("turning_radius"), "the vehicle does not turn");
  EXPECT_EQ(drive.problem("outer_turning_radius"), "the vehicle's track is not known");
  EXPECT_EQ(drive.problem("time_to_speed"), "its parameter speed is not given");
  FigureRequest late;
  late.figure = "top_speed";
  late.after = 11;
  late.min = 1;
  EXPECT_EQ(drive.calc(late).problem, "needs 10 samples in its window, has 0");
  EXPECT_EQ(drive.calc(late).status, FigureStatus::kFailed);
  // From its begin and end alone a drive passed.
  Drive ends(12, 6);
  ends.add("chassis/velocity", {"forward", "left", "up"},
           {[](double) { return 9.0; }, kZero, kZero});
  late.after = 0;
  EXPECT_EQ(ends.calc(late).problem, "needs 10 samples in its window, has 3");
  EXPECT_EQ(ends.calc(late).status, FigureStatus::kFailed);
  late.figure = "topspeed";
  try {
    drive.calc(late);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "no key figure \"topspeed\"; did you mean \"top_speed\"?");
  }
}

TEST(KeyFigures, HaveNamesUnitsAndDefinitionsOfTheirOwn) {
  std::vector<std::string> names = key_figure_names();
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (const KeyFigure& figure : key_figures()) {
    EXPECT_FALSE(figure.unit.empty()) << figure.name;
    EXPECT_FALSE(figure.definition.empty()) << figure.name;
    EXPECT_FALSE(figure.channels.empty()) << figure.name;
    EXPECT_EQ(find_key_figure(figure.name)->definition, figure.definition);
  }
}

/// A figure as the manual's table shows it.
std::string manual_row(const KeyFigure& figure) {
  std::string row = concat("| `", figure.name, "` | ", figure.unit, " | ", figure.definition);
  for (const FigureParameter& p : figure.parameters) {
    row += concat("; `", p.name, "` [", p.unit, "]: ", p.meaning);
    if (p.fallback) row += concat(" (", *p.fallback, ")");
  }
  row += " | ";
  for (const std::string_view channel : figure.channels)
    row += concat(channel == figure.channels.front() ? "" : ", ", "`", channel, "`");
  return row + " |\n";
}

TEST(KeyFigures, AreInTheManualAsTheyAre) {
  std::ifstream file("docs/manual/scenarios.md");
  const std::string manual{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string rows;
  for (const KeyFigure& figure : key_figures()) rows += manual_row(figure);
  EXPECT_NE(manual.find(rows), std::string::npos) << "docs/manual/scenarios.md needs\n" << rows;
}

TEST(Signals, RefuseWhatDoesNotFit) {
  Signals signals({0, 1, 2});
  EXPECT_THROW(signals.add("a", {"x", "y"}, std::vector<double>(5)), std::invalid_argument);
  signals.add("a", {"x", "y"}, std::vector<double>{1, 2, 3, 4, 5, 6});
  EXPECT_THROW(signals.add("a", {}, std::vector<double>(3)), std::invalid_argument);
  EXPECT_EQ(*signals.find_column("a.y"), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(signals.find_column("a.z"), nullptr);
  EXPECT_EQ(signals.find_column("a"), nullptr);
  EXPECT_EQ(signals.find_column("b.x"), nullptr);
  EXPECT_THROW(Signals({0, 2, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::figures
