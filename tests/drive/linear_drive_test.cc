// The linear model of whole vehicles: against drives, against the modes of the standing vehicle, and
// against itself in a mirror.

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/analysis/drive_modes.h"
#include "camber/analysis/vehicle_modes.h"
#include "camber/scenario/build_scenario.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"
#include "drive_runs.h"

namespace camber::drive_test {
namespace {

using analysis::ModesAnalysis;
using E = dynamics::VehicleEquations;

scenario::Scenario load(const std::string& name, const Overrides& overrides = {}) {
  return scenario::load_scenario("scenarios/" + name + ".toml", overrides);
}

dynamics::SteadyState find_steady(const std::string& name, const dynamics::SteadyRequest& motion,
                                  const Overrides& overrides = {}) {
  const auto vehicle = make_level_vehicle(load(name, overrides), motion.speed);
  return find_steady_state(vehicle.equations.get(), motion);
}

ModesAnalysis analyze(const std::string& name, const analysis::DriveModesRequest& request,
                      const Overrides& overrides = {}) {
  const auto vehicle = make_level_vehicle(load(name, overrides), request.motion.speed);
  return analyze_drive(vehicle.equations.get(), request);
}

int find_name(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::ranges::find(names, name) - names.begin());
}

const Overrides kSmallStep = {"driver.steering.angle_deg=0.02"};

// Two routes: the drive steps through time with midpoint steps and its speed control; the linear
// model answers the same angle of the steering wheel, sample by sample. At 0.02 deg of the road
// wheels what is left is of second order; at 0.1 deg, their toe, one of them runs straight.
TEST(LinearDrive, AnswersASmallStepAsTheDriveDoes) {
  const Trip trip = run_file("small-car-step-steer", kSmallStep, 3.5);
  const double speed = trip.mean("chassis/velocity.forward", 1, 2);
  const ModesAnalysis model =
      analyze("small-car-step-steer", {.motion = {.speed = speed}, .responses = {}});
  const ModesAnalysis::Matrices& m = *model.matrices;
  const std::vector<double>& wheel = trip.column("steering/wheel.angle");
  const auto n = m.A.rows();
  VectorX<double> x = VectorX<double>::Zero(n);
  constexpr int kParts = 40;  // of a sample
  const int yaw = E::kYawRate, ay = E::kLateralAcceleration, roll = find_name(m.outputs, "roll");
  double yaw_error = 0, ay_error = 0, roll_error = 0;
  const auto& yaw_rate = trip.column("chassis/rates.yaw");
  const auto& lateral = trip.column("chassis/acceleration.left");
  const auto& rolled = trip.column("chassis/attitude.roll");
  const auto at_start = [&](const std::vector<double>& column) { return column[150]; };  // 1.5 s
  for (std::size_t i = 0; i + 1 < wheel.size(); ++i) {
    const double u = wheel[i];
    const VectorX<double> y = m.C * x + m.D.col(0) * u;
    if (trip.times()[i] > 1.5) {
      yaw_error = std::max(yaw_error, std::abs(y[yaw] - yaw_rate[i] + at_start(yaw_rate)));
      ay_error = std::max(ay_error, std::abs(y[ay] - lateral[i] + at_start(lateral)));
      roll_error = std::max(roll_error, std::abs(y[roll] - rolled[i] + at_start(rolled)));
    }
    // The command of a sample holds until the next one.
    const double h = (trip.times()[i + 1] - trip.times()[i]) / kParts;
    for (int k = 0; k < kParts; ++k) {
      const auto rate = [&](const VectorX<double>& at) -> VectorX<double> {
        return m.A * at + m.B.col(0) * u;
      };
      const VectorX<double> k1 = rate(x), k2 = rate(x + 0.5 * h * k1), k3 = rate(x + 0.5 * h * k2),
                            k4 = rate(x + h * k3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
  const double steady_yaw = std::abs(trip.last("chassis/rates.yaw"));
  record_value("yaw_error", yaw_error / steady_yaw);
  record_value("lateral_error", ay_error / std::abs(trip.last("chassis/acceleration.left")));
  record_value("roll_error", roll_error / std::abs(trip.last("chassis/attitude.roll")));
  EXPECT_LT(yaw_error, 0.01 * steady_yaw);
  EXPECT_LT(ay_error, 0.03 * std::abs(trip.last("chassis/acceleration.left")));
  EXPECT_LT(roll_error, 0.02 * std::abs(trip.last("chassis/attitude.roll")));
}

// ISO 4138's steady gains at 4 m/s^2: the drive gets there through time, Newton's method directly.
TEST(LinearDrive, TurnsAsSteadilyAsTheDrive) {
  for (const char* name : {"small-car-step-steer", "step-steer"}) {
    SCOPED_TRACE(name);
    const Trip trip = run_file(name);
    const double end = trip.times().back();
    const double speed = trip.mean("chassis/velocity.forward", end - 0.5);
    const double rate = trip.mean("chassis/rates.yaw", end - 0.5);
    const auto turn = find_steady(name, {.speed = speed, .radius = speed / rate});
    EXPECT_NEAR(turn.u[0], trip.mean("steering/wheel.angle", end - 0.5),
                0.01 * std::abs(turn.u[0]));
    EXPECT_NEAR(turn.y[E::kOutputs], trip.mean("chassis/attitude.roll", end - 0.5),
                0.01 * std::abs(turn.y[E::kOutputs]));
    EXPECT_LT(turn.residual, 1e-6);
  }
}

// At 0.01 Hz the response is the slope of the steady states' yaw rate over the wheel's angle.
TEST(LinearDrive, RespondsAtLowFrequencyWithTheSteadyGain) {
  const dynamics::SteadyRequest motion{.speed = 20, .lateral_acceleration = 2};
  const ModesAnalysis model =
      analyze("small-car-step-steer", {.motion = motion,
                                       .responses = analysis::ModesRequest::Responses{
                                           "steering_wheel_angle", {"yaw_rate", "speed"}, {0.0}}});
  // The response has a free speed and fixed pedals: so do these two steady states have, one after the
  // other along the response's own change of speed.
  const double yaw = model.responses->values[0][0].real(),
               speed = model.responses->values[1][0].real();
  const double d = 0.02;  // [m/s^2]
  const auto at = [&](double change) {
    // A change of the wheel's angle by `change` rad: lateral acceleration and speed from the model.
    const double V = motion.speed + speed * change;
    const double r = motion.lateral_acceleration / motion.speed;
    return find_steady("small-car-step-steer", {.speed = V, .radius = V / (r + yaw * change)});
  };
  const auto more = at(d), less = at(-d);
  EXPECT_NEAR(more.u[0] - less.u[0], 2 * d, 0.01 * 2 * d);
  EXPECT_NEAR(more.u[E::kThrottle], less.u[E::kThrottle], 2e-3 * less.u[E::kThrottle]);
}

// A symmetric car in a mirror: eigenvalues stay, responses change their sign with the input.
TEST(LinearDrive, IsTheSameInAMirror) {
  analysis::DriveModesRequest left{
      .motion = {.speed = 18, .lateral_acceleration = 3.5},
      .responses = analysis::ModesRequest::Responses{
          "steering_wheel_angle", {"yaw_rate", "roll", "speed"}, {0.3, 1.7}}};
  analysis::DriveModesRequest right = left;
  right.motion.lateral_acceleration = -3.5;
  const ModesAnalysis a = analyze("small-car-step-steer", left),
                      b = analyze("small-car-step-steer", right);
  ASSERT_EQ(a.modes.size(), b.modes.size());
  for (const lagrange::Mode& mode : a.modes) {
    double nearest = 1e9;
    for (const lagrange::Mode& other : b.modes)
      nearest = std::min(nearest, std::abs(mode.eigenvalue - other.eigenvalue));
    EXPECT_LT(nearest, 1e-3 * std::max(1.0, std::abs(mode.eigenvalue))) << mode.eigenvalue;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double size = std::abs(a.responses->values[0][k]);
    EXPECT_LT(std::abs(a.responses->values[0][k] - b.responses->values[0][k]), 1e-4 * size);
    EXPECT_LT(std::abs(a.responses->values[2][k] + b.responses->values[2][k]),
              1e-4 * std::abs(a.responses->values[2][k]));
  }
}

// `camber modes --standing` rests the wheels on springs that slide over the ground. So do rolling tires, but
// for lateral forces in proportion to the speed of the scrub: they damp, and leave the natural frequencies |s|
// about as they are. At rest tires hold the ground, and the car bounces at twice that frequency.
TEST(LinearDrive, HasTheNaturalFrequenciesOfTheStandingVehicle) {
  const ModesAnalysis rolls =
      analyze("small-car-step-steer", {.motion = {.speed = 25}, .responses = {}});
  const ModesAnalysis rests = analyze("small-car-step-steer", {.motion = {}, .responses = {}});
  const vehicle::Vehicle vehicle = vehicle::load_vehicle("models/mcpherson-car.toml");
  multibody::MechanismDynamics standing(expand(vehicle, {.is_standing = true}).mechanism,
                                        multibody::Formulation::kCe);
  ModesAnalysis slides = analyze_modes(&standing, analysis::LinearizedAt::kEquilibrium);
  name_vehicle_modes(vehicle, &slides);
  const auto frequency = [](const ModesAnalysis& modes, const std::string& name) {
    for (std::size_t k = 0; k < modes.modes.size(); ++k)
      if (modes.mode_names[k] == name && modes.modes[k].eigenvalue.imag() > 0)
        return std::abs(modes.modes[k].eigenvalue);
    return 0.0;
  };
  for (const char* name : {"front hop", "rear hop"}) {
    SCOPED_TRACE(name);
    EXPECT_NEAR(frequency(rolls, name), frequency(slides, name), 0.02 * frequency(slides, name));
  }
  // Driving forces couple bounce and pitch in another way: their product is that of stiffness and
  // inertia alone.
  const auto product = [&](const ModesAnalysis& modes) {
    return frequency(modes, "bounce") * frequency(modes, "pitch");
  };
  EXPECT_GT(product(slides), 10);
  EXPECT_NEAR(product(rolls), product(slides), 0.03 * product(slides));
  EXPECT_GT(frequency(rests, "bounce"), 1.5 * frequency(slides, "bounce"));
}

// By generated code and by constraint embedding: two implementations of the same rates.
TEST(LinearDrive, IsTheSameByBothFormulations) {
  const analysis::DriveModesRequest request{.motion = {.speed = 14, .lateral_acceleration = 2.5},
                                            .responses = {}};
  const ModesAnalysis a = analyze("step-steer", request),
                      b = analyze("step-steer", request, {"vehicle.formulation=ce"});
  ASSERT_EQ(a.states.size(), b.states.size());
  for (const lagrange::Mode& mode : a.modes) {
    double nearest = 1e9;
    for (const lagrange::Mode& other : b.modes)
      nearest = std::min(nearest, std::abs(mode.eigenvalue - other.eigenvalue));
    EXPECT_LT(nearest, 1e-4 * std::max(1.0, std::abs(mode.eigenvalue))) << mode.eigenvalue;
  }
}

TEST(LinearDrive, NamesTheModesOfDriving) {
  const ModesAnalysis model =
      analyze("small-car-step-steer", {.motion = {.speed = 25}, .responses = {}});
  for (const char* name : {"yaw and sideslip", "roll", "pitch", "bounce", "front hop",
                           "front tramp", "rear hop", "rear tramp", "speed", "engine"})
    EXPECT_NE(std::ranges::find(model.mode_names, name), model.mode_names.end()) << name;
  // Nothing of the rigid body is among the states; the brakes' springs follow.
  EXPECT_EQ(std::ranges::count(model.mode_names, analysis::kRigidBodyMode), 0);
}

}  // namespace
}  // namespace camber::drive_test
