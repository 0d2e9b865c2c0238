// Steady states and linear models of the single track, against the formulas that textbooks have for
// it: ISO 8855 axes, a linear tire on each axle, no resistance.

#include "camber/dynamics/steady_state.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/dynamics/single_track_equations.h"
#include "camber/dynamics/test/hmmwv.h"

namespace camber::dynamics {
namespace {

constexpr double kRatio = 17.3;  // of the steering

/// Nothing pulls along: drag, rolling and driven front wheels would turn forces into the lateral
/// direction.
SingleTrack make_free_rolling() {
  SingleTrack vehicle = load_hmmwv_linear_single_track();
  vehicle.drag = vehicle.rolling = 0;
  vehicle.front_drive = 0;
  return vehicle;
}

SingleTrackEquations make_equations(const SingleTrack& vehicle, double speed) {
  return {vehicle, {.speed = speed, .steering_ratio = kRatio}};
}

int place_of(const std::vector<VehicleEquations::Quantity>& quantities, const std::string& name) {
  for (std::size_t i = 0; i < quantities.size(); ++i)
    if (quantities[i].name == name) return static_cast<int>(i);
  return -1;
}

TEST(LinearVehicle, HasTheMatricesOfTheSingleTrackByHand) {
  const SingleTrack car = make_free_rolling();
  const double Cf = std::get<LinearAxle>(car.front_tire).stiffness,
               Cr = std::get<LinearAxle>(car.rear_tire).stiffness;
  const double m = car.mass, I = car.yaw_inertia, a = car.front, b = car.rear;
  for (const double V : {7.5, 21.3}) {
    SCOPED_TRACE(V);
    SingleTrackEquations equations = make_equations(car, V);
    const LinearVehicle linear = linearize(&equations, find_steady_state(&equations, {.speed = V}));
    const int v = place_of(linear.states, "lateral_speed"), r = place_of(linear.states, "yaw_rate");
    const auto expect = [](double found, double expected) {
      EXPECT_NEAR(found, expected, 1e-8 * std::abs(expected));
    };
    expect(linear.A(v, v), -(Cf + Cr) / (m * V));
    expect(linear.A(v, r), -(a * Cf - b * Cr) / (m * V) - V);
    expect(linear.A(r, v), -(a * Cf - b * Cr) / (I * V));
    expect(linear.A(r, r), -(a * a * Cf + b * b * Cr) / (I * V));
    expect(linear.B(v, VehicleEquations::kSteeringWheel), Cf / m / kRatio);
    expect(linear.B(r, VehicleEquations::kSteeringWheel), a * Cf / I / kRatio);
    // a_y = v' + V r.
    expect(linear.C(VehicleEquations::kLateralAcceleration, v), -(Cf + Cr) / (m * V));
    expect(linear.C(VehicleEquations::kLateralAcceleration, r), -(a * Cf - b * Cr) / (m * V));
    expect(linear.D(VehicleEquations::kLateralAcceleration, VehicleEquations::kSteeringWheel),
           Cf / m / kRatio);
    expect(linear.C(VehicleEquations::kSideslip, v), 1 / V);
    EXPECT_EQ(linear.C(VehicleEquations::kYawRate, r), 1);
    EXPECT_LT(linear.error, 1e-5);  // an estimate on the safe side
  }
}

// delta = L / R + K a_y with K = m (b Cr - a Cf) / (L Cf Cr), and the body's angle from the rear
// axle's slip: beta = b / R - m a a_y / (L Cr). With a tangent for each angle that the model has.
TEST(SteadyState, IsTheTurnOfTheUndersteerGradient) {
  const SingleTrack car = make_free_rolling();
  const double Cf = std::get<LinearAxle>(car.front_tire).stiffness,
               Cr = std::get<LinearAxle>(car.rear_tire).stiffness;
  const double m = car.mass, a = car.front, b = car.rear, L = a + b;
  const double K = m * (b * Cr - a * Cf) / (L * Cf * Cr);
  const double V = 15, R = -170;  // to the right: 1.3 m/s^2
  SingleTrackEquations equations = make_equations(car, V);
  const SteadyState turn = find_steady_state(&equations, {.speed = V, .radius = R});
  const double beta = b / R - m * a / (L * Cr) * V * V / R;
  EXPECT_NEAR(turn.u[0] / kRatio, L / R + K * V * V / R, 1e-3 * std::abs(L / R));
  EXPECT_NEAR(turn.y[VehicleEquations::kSideslip], beta, 1e-3 * std::abs(L / R));
  EXPECT_NEAR(turn.y[VehicleEquations::kYawRate], V / R, 1e-9);
  EXPECT_NEAR(turn.y[VehicleEquations::kSpeed], V, 1e-9);
  EXPECT_LT(turn.residual, 1e-9);
}

TEST(SteadyState, HoldsItsSpeedWithThePedalThatItNeeds) {
  SingleTrack car = load_hmmwv_linear_single_track();
  SingleTrackEquations fast = make_equations(car, 22);
  const SteadyState driven = find_steady_state(&fast, {.speed = 22});
  EXPECT_GT(driven.u[VehicleEquations::kThrottle], 0.02);
  EXPECT_EQ(driven.u[VehicleEquations::kBrake], 0);
  // The idling engine creeps faster than this in its first gear.
  SingleTrackEquations slow = make_equations(car, 0.4);
  const SteadyState held = find_steady_state(&slow, {.speed = 0.4});
  EXPECT_EQ(held.u[VehicleEquations::kThrottle], 0);
  EXPECT_GT(held.u[VehicleEquations::kBrake], 1e-4);
}

TEST(SteadyState, SaysHowFarItGetsWhereTheTiresEnd) {
  SingleTrack car = load_hmmwv_single_track();  // tires that slide, about 0.8 g at most
  SingleTrackEquations equations = make_equations(car, 18);
  EXPECT_GT(find_steady_state(&equations, {.speed = 18, .lateral_acceleration = 6}).u[0], 0.1);
  try {
    find_steady_state(&equations, {.speed = 18, .lateral_acceleration = 11});
    FAIL() << "there are no such tires";
  } catch (const NoSteadyState& error) {
    EXPECT_NE(std::string(error.what()).find("the last steady turn found has a lateral"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace camber::dynamics
