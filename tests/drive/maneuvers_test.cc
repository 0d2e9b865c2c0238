// Standard maneuvers, and the drivers that make them: open loop from an instant on, tuned to the
// vehicle, and stubborn before an obstacle.

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "camber/dynamics/steady_state.h"
#include "camber/scenario/build_scenario.h"
#include "drive_runs.h"

namespace camber::drive_test {
namespace {

// From the instant on the steering wheel stands still to the last bit, and the pedals are where the
// file says.
TEST(OpenLoop, HoldsSteeringWheelAndPedals) {
  for (const char* name : {"braking-in-turn", "lift-off-in-turn"}) {
    SCOPED_TRACE(name);
    const Trip trip = run_file(name);
    ASSERT_TRUE(trip.is_done()) << trip.result.reason;
    const std::vector<double>& wheel = trip.column("steering/wheel.angle");
    const std::vector<double>& throttle = trip.column("driver/command.throttle");
    const std::vector<double>& brake = trip.column("driver/command.brake");
    std::size_t begin = 0;
    while (begin < throttle.size() && !(begin > 100 && throttle[begin] == 0)) ++begin;
    ASSERT_LT(begin, throttle.size());
    EXPECT_GE(trip.times()[begin], 6);
    EXPECT_LT(trip.times()[begin], 10);
    EXPECT_GT(throttle[begin - 1], 0.02);
    const double held = name == std::string("braking-in-turn") ? 0.16 : 0;
    for (std::size_t i = begin; i < wheel.size(); ++i) {
      ASSERT_EQ(wheel[i], wheel[begin]);
      ASSERT_EQ(throttle[i], 0);
      ASSERT_EQ(brake[i], held);
    }
  }
}

// A drive that is continued from a checkpoint within the open loop ends in the same bits.
TEST(OpenLoop, IsSavedAndRestored) {
  scenario::Scenario scenario = scenario::load_scenario("scenarios/lift-off-in-turn.toml");
  scenario.run.duration = 10;
  run::Simulation whole(scenario::build_scenario(scenario)),
      first(scenario::build_scenario(scenario)), second(scenario::build_scenario(scenario));
  whole.advance_to(10);
  first.advance_to(8.5);
  second.restore(first.save());
  second.advance_to(10);
  EXPECT_EQ(second.state_values(), whole.state_values());
}

// ISO 4138's three methods, and the steady states that Newton's method finds, have one understeer
// gradient up to what their ranges of lateral acceleration differ.
TEST(Iso4138, GivesOneUndersteerGradientByEveryMethod) {
  // Up to 2.7 m/s^2; beyond, tires understeer more and more.
  const Trip by_speed = run_file("constant-speed-steer", {"figures[0].before=13"}),
             by_angle = run_file("constant-steer");
  const double at_speed = by_speed.figure("understeer_gradient"),
               at_angle = by_angle.figure("understeer_gradient");
  const auto scenario = scenario::load_scenario("scenarios/constant-speed-steer.toml");
  const auto car = scenario::make_level_vehicle(scenario, 22.22);
  const auto excess = [&](double lateral) {
    const auto turn =
        find_steady_state(car.equations.get(), {.speed = 22.22, .lateral_acceleration = lateral});
    return turn.u[0] / car.parts->facts.steering_ratio -
           car.parts->facts.wheelbase() * turn.y[dynamics::VehicleEquations::kYawRate] / 22.22;
  };
  const double direct = (excess(2.7) - excess(0.5)) / 2.2;
  record_value("constant_speed", at_speed);
  record_value("constant_steer", at_angle);
  record_value("steady_states", direct);
  EXPECT_NEAR(at_speed, direct, 0.1 * direct);
  EXPECT_NEAR(at_angle, direct, 0.25 * direct);
}

// A small car through ISO 3888-1 without any number of its driver given: the driver knows the car.
TEST(TunedDriver, GetsASmallCarThroughIso3888) {
  for (const double speed : {18.0, 20.0, 24.0}) {
    SCOPED_TRACE(speed);
    const std::string v = std::to_string(speed);
    const Trip trip =
        run_file("iso3888-2", {"driver.path.kind=iso3888_1", "driver.open_loop.after_x=1000",
                               "stop[0].value=205", "vehicle.start.gear=4",
                               "driver.speed.target=" + v, "vehicle.start.speed=" + v});
    ASSERT_TRUE(trip.is_done()) << trip.result.reason;
    record_value("margin_" + v, trip.figure("cone_margin"));
    EXPECT_GT(trip.figure("cone_margin"), speed < 22 ? 0.05 : 0.0);
  }
}

// A step as high as 0.64 of the wheel's radius, in low range at walking pace: idling is not enough,
// nor is what a driver gives who only knows level ground.
TEST(KeepsSpeed, OverAStep) {
  const Trip trip = run_text(R"(
[vehicle.start]
speed = 1
[tire]
contact = "envelope"
[[ground.bump]]
shape = "step"
x = 6
height = 0.3
rise = 0.05
[driver]
range = "low"
[driver.steering]
kind = "preview"
[driver.path]
kind = "straight"
[driver.speed]
kind = "hold"
target = 1
[run]
duration = 40
step = 0.0005
)");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  // Both axles are up.
  EXPECT_GT(trip.last("chassis/position.x"), 12);
  EXPECT_GT(trip.last("chassis/position.z"), trip.column("chassis/position.z")[0] + 0.27);
  // And it does not shoot off from the top.
  record_value("top_speed", trip.peak("chassis/velocity.forward"));
  EXPECT_LT(trip.peak("chassis/velocity.forward"), 3);
  EXPECT_NEAR(trip.mean("chassis/velocity.forward", 20), 1, 0.05);
}

}  // namespace
}  // namespace camber::drive_test
