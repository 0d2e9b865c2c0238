// Forces inside a vehicle and accelerations of its points: Newton's law for single bodies, laws of the files' springs,
// both sides alike, derivatives of what the log has beside.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/multibody/model.h"
#include "camber/run/simulation.h"
#include "camber/vehicle/vehicle_file.h"
#include "tests/drive/drive_runs.h"

namespace camber {
namespace {

using drive_test::record_value;
using drive_test::run_text;
using drive_test::Trip;
using math::Vec3;

constexpr double kGravity = 9.81;

double norm(const Vec3<double>& x) { return std::sqrt(dot(x, x)); }

// A turn with the brakes on from 2 s on, and everything in the log.
std::string make_turn(const std::string& more = "") {
  return R"([vehicle.start]
speed = 12
[driver.steering]
kind = "step"
start = 0.5
rise = 0.5
angle_deg = 3
[driver.speed]
kind = "open"
throttle = [[0, 0.2], [2, 0]]
brake = [[0, 0], [2, 0], [2.3, 0.25]]
[run]
duration = 3
[log]
forces = true
[[log.accelerometer]]
name = "seat"
at = [-0.3, 0.5, 0.6]
[[log.accelerometer]]
name = "spindle"
body = "front_left_spindle"
at = [1.648579, 0.909701, -0.026289]
)" + more;
}

std::string column_of(const char* channel, const std::string& part) {
  return std::string(channel) + "." + part;
}

// m a = F of the joint + F of the ground + m g for a wheel, at ten times of a drive: the acceleration from the
// accelerometer on its hub, the force of the joint from the suspension's reactions, that of the ground from the tire.
TEST(InnerForces, ObeyNewtonsLawAtAWheel) {
  auto text =
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n" +
      make_turn();
  run::Simulation simulation(
      scenario::build_scenario(scenario::parse_scenario(text, "scenarios/test.toml", {})));
  const double mass = 71.105;
  double largest = 0;
  for (int k = 1; k <= 10; ++k) {
    simulation.advance_to(0.3 * k);
    const dynamics::VehicleSnapshot now = simulation.vehicle();
    const std::vector<std::string>& joints = simulation.world().vehicle(0).layout().joints;
    const auto joint =
        static_cast<std::size_t>(std::ranges::find(joints, "front_left_wheel") - joints.begin());
    ASSERT_LT(joint, joints.size());
    Vec3<double> spindle_axes;
    for (const dynamics::NamedPose& pose : simulation.body_poses())
      if (pose.name == "front_left_spindle") spindle_axes = pose.rotation * now.accelerations[1];
    const double* six = &now.joint_loads[6 * joint];
    const Vec3<double> F_joint = now.rotation * Vec3<double>(six[0], six[1], six[2]);
    const Vec3<double> sum =
        F_joint + now.wheels[0].force - Vec3<double>(0, 0, mass * kGravity) - spindle_axes * mass;
    EXPECT_GT(norm(now.wheels[0].force), 1000);
    largest = std::max(largest, norm(sum) / norm(now.wheels[0].force));
  }
  record_value("largest", largest);
  EXPECT_LT(largest, 1e-9);
}

// A shock's rate is the slope of its length, a spring pulls as its file says, and the sum of both axles' springs is
// what their law gives: the seat's and the spindle's accelerations are second differences of positions.
TEST(InnerForces, FollowTheLawsOfTheFilesSprings) {
  const Trip trip = run_text(make_turn());
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const vehicle::Vehicle car = vehicle::load_vehicle("models/hmmwv.toml");
  for (const auto& [axle, name] : {std::pair{0, "front_right"}, {1, "rear_left"}}) {
    const vehicle::Spring& spring = car.axles[static_cast<std::size_t>(axle)].spring;
    const vehicle::Shock& shock = car.axles[static_cast<std::size_t>(axle)].shock;
    const std::string strut = std::string(name) + "_spring", damper = std::string(name) + "_shock";
    const auto& length = trip.column(column_of("suspension/length", strut));
    const auto& force = trip.column(column_of("suspension/force", strut));
    const auto& rate = trip.column(column_of("suspension/rate", damper));
    const auto& reach = trip.column(column_of("suspension/length", damper));
    const auto& damping = trip.column(column_of("suspension/force", damper));
    for (std::size_t k = 1; k + 1 < length.size(); k += 7) {
      EXPECT_NEAR(force[k], spring.stiffness * (length[k] - spring.free_length), 1e-6);
      EXPECT_NEAR(damping[k], (rate[k] < 0 ? shock.compression : shock.rebound) * rate[k], 1e-6);
      EXPECT_NEAR(rate[k], (reach[k + 1] - reach[k - 1]) / 0.02, 3e-3);
    }
  }
}

// The acceleration of a seat is the second difference of its position in steps of 1 ms.
TEST(InnerForces, AccelerationsAreSecondDifferencesOfPositions) {
  auto text =
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n" +
      make_turn();
  run::Simulation simulation(
      scenario::build_scenario(scenario::parse_scenario(text, "scenarios/test.toml", {})));
  const Vec3<double> seat(-0.3, 0.5, 0.6), hub(1.648579, 0.909701, -0.026289);
  struct Look {
    Vec3<double> seat, hub, seat_acceleration, hub_acceleration;
  };
  const auto look = [&] {
    Look found;
    const dynamics::VehicleSnapshot now = simulation.vehicle();
    for (const dynamics::NamedPose& pose : simulation.body_poses()) {
      if (pose.name == "chassis") {
        found.seat = pose.position + pose.rotation * seat;
        found.seat_acceleration = pose.rotation * now.accelerations[0];
      }
      if (pose.name == "front_left_spindle") {
        found.hub = pose.position + pose.rotation * hub;
        found.hub_acceleration = pose.rotation * now.accelerations[1];
      }
    }
    return found;
  };
  for (const double time : {0.8, 1.6, 2.7}) {
    std::vector<Look> looks;
    for (const int k : {-1, 0, 1}) {
      simulation.advance_to(time + 0.001 * k + 1e-9);
      looks.push_back(look());
    }
    const auto second = [](const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
      return (a - b * 2.0 + c) * 1e6;
    };
    const Vec3<double> a_seat = second(looks[0].seat, looks[1].seat, looks[2].seat),
                       a_hub = second(looks[0].hub, looks[1].hub, looks[2].hub);
    EXPECT_GT(norm(looks[1].seat_acceleration), 0.5);
    EXPECT_LT(norm(a_seat - looks[1].seat_acceleration), 0.02);
    EXPECT_LT(norm(a_hub - looks[1].hub_acceleration), 0.2);
  }
}

// Parked on level ground: each bearing pushes its wheel down by the load of the ground less the wheel's weight, the
// body being nearly level, and nothing accelerates.
TEST(InnerForces, CarryTheLoadsAtRest) {
  run::Simulation simulation(scenario::build_scenario(scenario::parse_scenario(
      R"(kind = "scenario"
name = "test"
[vehicle]
model = "../models/hmmwv.toml"
[vehicle.start]
gear = 0
[driver.speed]
kind = "open"
brake = [[0, 1]]
[run]
duration = 1
[log]
forces = true
[[log.accelerometer]]
name = "seat"
at = [-0.3, 0.5, 0.6]
)",
      "scenarios/test.toml")));
  simulation.advance_to(0.1);
  const dynamics::VehicleSnapshot& now = simulation.vehicle();
  const dynamics::VehicleLayout& layout = simulation.world().vehicle(0).layout();
  for (std::size_t i = 0; i < layout.wheels.size(); ++i) {
    const auto joint = static_cast<std::size_t>(
        std::ranges::find(layout.joints, layout.wheels[i] + "_wheel") - layout.joints.begin());
    ASSERT_LT(joint, layout.joints.size());
    EXPECT_NEAR(now.joint_loads[6 * joint + 2], -(now.wheels[i].load - 71.105 * kGravity),
                0.01 * now.wheels[i].load)
        << layout.wheels[i];
  }
  EXPECT_LT(norm(now.accelerations[0]), 1e-3);
}

// A bar and its drop links: the torque of the bar on a half is the link's force times its lever, in a steady turn.
TEST(InnerForces, BalanceAnAntiRollBar) {
  const std::string text =
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/mcpherson-car.toml\"\n"
      "[vehicle.start]\nspeed = 12\n[driver.steering]\nkind = \"step\"\nrise = 1\nangle_deg = 3\n"
      "[driver.speed]\nkind = \"hold\"\ntarget = 12\n[run]\nduration = 6\n[log]\nforces = true\n";
  const Trip trip =
      drive_test::run(scenario::parse_scenario(text, "scenarios/test.toml", Overrides{}));
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const double torque = trip.last("suspension/anti_roll_bar_torque.front"),
               twist = trip.last("suspension/anti_roll_bar_twist.front");
  EXPECT_NEAR(torque, 710 * twist, 1e-9);
  const double left = trip.last("joints/rods.front_left_drop_link"),
               right = trip.last("joints/rods.front_right_drop_link");
  record_value("torque", torque);
  record_value("left", left);
  record_value("right", right);
  // The arm is 0.223 m ahead of its pivot, 7 mm above it; the link hangs down by 0.113 m: its lever is 0.221 m. Half
  // of a half's weight is on the link, too.
  EXPECT_GT(std::abs(torque), 10);
  EXPECT_NEAR(0.5 * std::abs(right - left), std::abs(torque) / 0.221,
              0.03 * std::abs(torque) / 0.221);
  EXPECT_LT(right * left, 0);  // one is pulled, the other one pushed
}

TEST(InnerForces, AreAlikeOnBothSides) {
  const drive_test::ChangedVehicle symmetric = drive_test::make_symmetric_vehicle();
  const Trip left = run_text(make_turn(), {symmetric.model()}),
             right = run_text(make_turn(), {symmetric.model(), "driver.steering.angle_deg=-3",
                                            "log.accelerometer[0].at=[-0.3, -0.5, 0.6]"});
  ASSERT_TRUE(left.is_done() && right.is_done());
  for (const char* part : {"spring", "shock", "stops"})
    for (const char* axle : {"front", "rear"}) {
      const std::string a = std::string(axle) + "_left_" + part,
                        b = std::string(axle) + "_right_" + part;
      EXPECT_NEAR(left.last(column_of("suspension/force", a)),
                  right.last(column_of("suspension/force", b)), 1e-4)
          << a;
    }
  EXPECT_NEAR(left.last("accelerometers/seat.x"), right.last("accelerometers/seat.x"), 1e-6);
  EXPECT_NEAR(left.last("accelerometers/seat.y"), -right.last("accelerometers/seat.y"), 1e-6);
}

// What is measured changes nothing.
TEST(InnerForces, LeaveTheDriveAsItIs) {
  const std::string text = make_turn();
  const Trip with = run_text(text), without = run_text(text.substr(0, text.find("[log]")));
  EXPECT_EQ(with.hash(), without.hash());
}

TEST(InnerForces, SayWhichBodyIsNotThere) {
  const auto message = [](const std::string& text) {
    try {
      run_text(text);
    } catch (const ModelFileError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message(make_turn("[[log.accelerometer]]\nname = \"b\"\nbody = \"rear_left_spindel\"\n"
                              "at = [0, 0, 0]\n"))
                .find("did you mean \"rear_left_spindle\"?"),
            std::string::npos);
  EXPECT_NE(message(make_turn("[[log.accelerometer]]\nname = \"seat\"\nat = [0, 0, 0]\n"))
                .find("there is another accelerometer \"seat\""),
            std::string::npos);
}

}  // namespace
}  // namespace camber
