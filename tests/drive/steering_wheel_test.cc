// The steering wheel: what the driver feels follows from the tires' forces, what the driver turns by torque goes
// where an angle of this torque goes, and a wheel that is let go returns.

#include "camber/dynamics/steering_wheel.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

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

// By hand from the log: each front wheel turns about its kingpin by side force times caster and pneumatic trail,
// by longitudinal force times scrub radius, and by its load on the inclined kingpin; the pitman arm needs 0.920
// of the sum, the ratio is 26, and the assistance leaves the driver what its table says. Geometry computed from
// the hardpoints: trail 23 mm, scrub radius 49 mm, kingpin inclined by 12 deg; TMeasy's pneumatic trail is 0.178
// of the contact's length less what the slip takes, to zero at 0.365.
TEST(SteeringWheel, HasTheTorqueOfTheTiresOverRatioAndAssistance) {
  constexpr double kTrail = 0.023, kScrub = 0.049, kInclination = 12 * std::numbers::pi / 180;
  const Trip trip = run_text(make_turn(""));
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const std::size_t last = trip.times().size() - 1;
  const auto at = [&](const char* channel) {
    return drive_test::wheel_values(trip, concat("wheels/", channel), last);
  };
  const std::vector<double> Fx = at("longitudinal_force"), Fy = at("lateral_force"),
                            Fz = at("load"), alpha = at("slip_angle"),
                            deflection = at("deflection");
  double moment = 0;  // that returns the wheels
  for (const std::size_t i : {0, 1}) {
    const double side = i == 0 ? 1 : -1, length = std::sqrt(2 * 0.4699 * deflection[i]);
    const double trail = 0.178 * length * (1 - std::abs(std::tan(alpha[i])) / 0.365);
    const double steer = trip.last(i == 0 ? "steering/angle.left" : "steering/angle.right");
    moment += Fy[i] * (kTrail + trail) + side * kScrub * Fx[i] +
              Fz[i] * kScrub * std::sin(kInclination) * std::sin(steer);
  }
  const double shaft = 0.920 * moment / 26;
  // The table's second section: from 1.5 N m, which have 0.5 N m of assistance, to 4 N m with 12 N m.
  ASSERT_GT(shaft, 2);
  ASSERT_LT(shaft, 16);
  const double driver = 1.5 + 2.5 * (shaft - 2) / 14;
  record_value("driver", driver);
  record_value("channel", trip.last("steering/wheel.torque"));
  EXPECT_NEAR(trip.last("steering/wheel.torque"), driver, 0.1 * driver);
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
    const auto rates = calc_steering_wheel(gear, 0, position, speed, bristle, 0, 0, 0);
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

dynamics::SteeringGear make_gear_with_curve() {
  dynamics::SteeringGear gear = dynamics::load_hmmwv_equipment().steering;
  gear.ratio = 30;
  gear.ratio_positions = {0, 0.1, 0.4};
  gear.ratios = {30, 24, 15};
  return gear;
}

// A wheel on the gear's shaft alone, whose other end is held at x0: J theta'^2 / 2 + k (x - x0)^2 / 2 stays what it was,
// whatever the ratio. The error falls fourfold with half the step where the curve has no corner (0.17 to 0.33).
TEST(SteeringWheel, KeepsItsEnergyWithAnyRatio) {
  dynamics::SteeringGear gear = make_gear_with_curve();
  gear.damping = gear.wheel_damping = gear.friction = 0;
  gear.driver_torque = gear.assist_torque = {};
  gear.max_torque = 1e9;
  const auto find_error = [&](double h, double held) {
    const auto energy = [&](double position, double speed) {
      const double turn = gear.find_ratio(position).ratio * speed, twist = position - held;
      return 0.5 * gear.wheel_inertia * turn * turn + 0.5 * gear.stiffness * twist * twist;
    };
    double position = 0.33, speed = 0, largest = 0;
    const double first = energy(position, speed);
    for (double t = 0; t < 0.5; t += h) {
      const auto a = calc_steering_wheel(gear, 0, position, speed, 0, held, 0, 0);
      const double middle = position + 0.5 * h * speed, rate = speed + 0.5 * h * a.speed;
      const auto b = calc_steering_wheel(gear, 0, middle, rate, 0, held, 0, 0);
      position += h * rate;
      speed += h * b.speed;
      largest = std::max(largest, std::abs(energy(position, speed) / first - 1));
    }
    return largest;
  };
  EXPECT_LT(find_error(1e-5, 0), 1e-3);
  const double coarse = find_error(2e-5, 0.25), fine = find_error(1e-5, 0.25);
  record_value("coarse", coarse);
  record_value("fine", fine);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(coarse / fine, 3.5);
}

const std::vector<std::string> kCurve = {
    "equipment:steering.ratio_curve=[[0.1, 22], [0.4, 15]]",
    "equipment:steering.assist_over_speed=[[0, 1], [10, 0.6], [25, 0.2]]"};

// Who steers by the angle of the road wheels drives the same with any gear; the steering wheel turns by the area
// under the curve, and the driver feels the smaller ratio and the smaller assistance.
TEST(SteeringWheel, TurnsByTheAreaUnderTheRatioCurve) {
  const Trip plain = run_text(make_turn("")), curved = run_text(make_turn(""), kCurve);
  ASSERT_TRUE(plain.is_done() && curved.is_done());
  EXPECT_EQ(plain.column("chassis/position.y"), curved.column("chassis/position.y"));
  const double x = plain.last("steering/wheel.angle") / 26;
  ASSERT_LT(std::abs(x), 0.1);
  EXPECT_NEAR(std::abs(curved.last("steering/wheel.angle")),
              26 * std::abs(x) - 0.5 * (4 / 0.1) * x * x, 1e-9);
  // Of the whole torque on the shaft, half a ratio away from 26.
  const auto shaft = [](double driver, double share) {
    const double assist = driver < 1.5 ? driver / 3
                          : driver < 4 ? 0.5 + 4.6 * (driver - 1.5)
                                       : 12 + 24 * (driver - 4);
    return driver + share * assist;
  };
  const double speed = curved.last("chassis/velocity.forward");
  const double share = 0.6 - 0.4 * (speed - 10) / 15;
  const double ratio = 26 - 40 * std::abs(x);
  EXPECT_NEAR(ratio * shaft(curved.last("steering/wheel.torque"), share),
              26 * shaft(plain.last("steering/wheel.torque"), 1), 2.0);
}

TEST(SteeringWheel, ReturnsAlikeFromBothSidesWithARatioCurve) {
  const drive_test::ChangedVehicle symmetric = drive_test::make_symmetric_vehicle();
  std::vector<std::string> changes = kCurve;
  changes.push_back(symmetric.model());
  const Trip left = run_text(make_turn("hands_off_after = 6\n"), changes);
  changes.emplace_back("driver.steering.angle_deg=-2.5");
  const Trip right = run_text(make_turn("hands_off_after = 6\n"), changes);
  ASSERT_TRUE(left.is_done() && right.is_done());
  EXPECT_LT(std::abs(left.last("steering/wheel.angle")),
            0.5 * std::abs(column_at(left, "steering/wheel.angle", 5.9)));
  for (std::size_t k = 0; k < left.times().size(); k += 20)
    EXPECT_NEAR(left.column("steering/wheel.angle")[k], -right.column("steering/wheel.angle")[k],
                1e-6);
  EXPECT_LT(left.figure("energy_error"), 1e-4);
}

// An angle of the steering wheel that the driver is told to turn is the one that the log has.
TEST(SteeringWheel, IsTurnedByTheAngleThatTheFileSays) {
  const std::string text = R"([vehicle.start]
speed = 10
[driver.steering]
kind = "step"
start = 0.5
rise = 0.5
steering_wheel_deg = 160
[run]
duration = 2
)";
  const Trip trip = run_text(text, kCurve);
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  EXPECT_NEAR(trip.last("steering/wheel.angle"), 160 * std::numbers::pi / 180, 2e-3);
  // By hand: 26 x - 20 x^2 up to 0.1 rad, then 22 s - 11.67 s^2.
  const double rest = 160 * std::numbers::pi / 180 - 2.4;
  const double s = (22 - std::sqrt(22 * 22 - 4 * (35.0 / 3) * rest)) / (2 * 35.0 / 3);
  const Trip wide = run_text(text, {"driver.steering.steering_wheel_deg=" +
                                    std::to_string((0.1 + s) * 26 * 180 / std::numbers::pi)});
  ASSERT_TRUE(wide.is_done());
  EXPECT_NEAR(wide.last("chassis/position.y"), trip.last("chassis/position.y"), 1e-4);
}

}  // namespace
}  // namespace camber
