// The steering wheel: what the driver feels follows from the tires' forces, what the driver turns by torque goes
// where an angle of this torque goes, and a wheel that is let go returns.

#include "camber/dynamics/steering_wheel.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "camber/dynamics/equipment_file.h"
#include "camber/dynamics/test/hmmwv.h"
#include "tests/drive/drive_runs.h"

namespace camber {
namespace {

using drive_test::record_value;
using drive_test::run_text;
using drive_test::Trip;

// A steady turn at 15 m/s; from 6 s on whatever `more` says.
std::string make_turn(const std::string& steering) {
  return R"([vehicle.start]
speed = 15
gear = 2
[driver.steering]
kind = "step"
start = 1
rise = 0.5
angle_deg = 2.5
)" + steering +
         R"([driver.speed]
kind = "hold"
target = 15
[run]
duration = 14
[[figures]]
figure = "energy_error"
)";
}

double column_at(const Trip& trip, const std::string& column, double time) {
  std::size_t k = 0;
  while (k + 1 < trip.times().size() && trip.times()[k] < time) ++k;
  return trip.column(column)[k];
}

TEST(SteeringWheel, ReturnsTowardsStraightAheadWhenItIsLetGo) {
  const Trip trip = run_text(make_turn("hands_off_after = 6\n"));
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const double held = column_at(trip, "steering/wheel.angle", 5.9);
  const double left = trip.last("steering/wheel.angle");
  record_value("held", held);
  record_value("left", left);
  EXPECT_GT(held, 0.8);  // 46 deg
  EXPECT_LT(std::abs(left), 0.35 * held);
  EXPECT_LT(std::abs(trip.last("chassis/rates.yaw")),
            0.35 * std::abs(column_at(trip, "chassis/rates.yaw", 5.9)));
  // Nobody holds it, and it has come to rest.
  EXPECT_EQ(trip.last("steering/wheel.torque"), 0);
  EXPECT_NEAR(column_at(trip, "steering/wheel.angle", 12), left, 0.05 * held);
  // It swings beyond straight ahead and back, each time by less: friction and damping.
  const std::vector<double>& angle = trip.column("steering/wheel.angle");
  std::size_t beyond = 0;
  for (std::size_t k = 0; k < angle.size(); ++k)
    if (trip.times()[k] > 6 && angle[k] < angle[beyond]) beyond = k;
  const double back =
      *std::max_element(angle.begin() + static_cast<std::ptrdiff_t>(beyond), angle.end());
  record_value("beyond", angle[beyond]);
  record_value("back", back);
  EXPECT_GT(angle[beyond], -0.5 * held);
  EXPECT_LT(back, 0.5 * std::abs(angle[beyond]));
  EXPECT_LT(trip.figure("energy_error"), 1e-4);
}

// The torque that holds the wheel in a turn, asked for as a torque, holds it as well: two ways to one turn.
// Friction holds what is left between them.
TEST(SteeringWheel, TurnsByTorqueAsByAngle) {
  const Trip held = run_text(make_turn(""));
  ASSERT_TRUE(held.is_done()) << held.result.reason;
  const double torque = column_at(held, "steering/wheel.torque", 5.9);
  const Trip turned =
      run_text(make_turn(concat("hands_off_after = 6\ntorque = [[0, ", torque, "]]\n")));
  ASSERT_TRUE(turned.is_done()) << turned.result.reason;
  EXPECT_GT(torque, 1);
  const double angle = column_at(held, "steering/wheel.angle", 5.9);
  EXPECT_NEAR(turned.last("steering/wheel.angle"), angle, 0.06 * angle);
  EXPECT_NEAR(turned.last("chassis/rates.yaw"), held.last("chassis/rates.yaw"),
              0.06 * held.last("chassis/rates.yaw"));
  EXPECT_NEAR(turned.last("steering/wheel.torque"), torque, 1e-9);
}

// The same to the other side.
TEST(SteeringWheel, ReturnsAlikeFromBothSides) {
  const drive_test::ChangedVehicle symmetric = drive_test::make_symmetric_vehicle();
  const Trip left = run_text(make_turn("hands_off_after = 6\n"), {symmetric.model()}),
             right = run_text(make_turn("hands_off_after = 6\n"),
                              {symmetric.model(), "driver.steering.angle_deg=-2.5"});
  ASSERT_TRUE(left.is_done() && right.is_done());
  for (std::size_t k = 0; k < left.times().size(); k += 20)
    EXPECT_NEAR(left.column("steering/wheel.angle")[k], -right.column("steering/wheel.angle")[k],
                1e-6);
}

// By hand: 30 rad/s of a wheel of 0.05 kg m^2 with a damper of 0.1 N m s/rad and friction of 1 N m, no road,
// J theta'' = -c theta' - T: theta' = (30 + T/c) exp(-c t/J) - T/c comes to rest after J/c ln(1 + 30 c/T) = 0.693 s.
TEST(SteeringWheel, RunsOutByFrictionAndDamping) {
  dynamics::SteeringGear gear = dynamics::load_hmmwv_equipment().steering;
  gear.stiffness = gear.damping = 0;
  gear.lock = 100;
  gear.wheel_inertia = 0.05;
  gear.wheel_damping = 0.1;
  gear.friction = 1;
  double position = 0, speed = 30 / gear.ratio, bristle = 0.01;  // sliding
  const double h = 1e-5;
  double at_half = 0;
  for (int k = 0; k < 100000; ++k) {
    const auto rates = calc_steering_wheel(gear, 0, position, speed, bristle, 0, 0);
    speed += h * rates.speed;
    bristle += h * rates.bristle;
    position += h * rates.position;
    if (k == 30000) at_half = gear.ratio * speed;
  }
  EXPECT_NEAR(at_half, 40 * std::exp(-2 * 0.3) - 10, 0.1);
  EXPECT_NEAR(gear.ratio * speed, 0, 0.02);
  // The way: 40 J/c (1 - exp(-c t/J)) - 10 t.
  EXPECT_NEAR(gear.ratio * position, 20 * 0.75 - 6.93, 0.06);
}

}  // namespace
}  // namespace camber
