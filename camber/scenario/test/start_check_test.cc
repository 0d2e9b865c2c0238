// Where a vehicle may start: slopes that its tires hold, that it slides on, and that it tips over
// on.

#include "camber/scenario/start_check.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/multibody/model.h"
#include "camber/scenario/build_scenario.h"
#include "camber/scenario/scenario_file.h"
#include "camber/tire/test/hmmwv_tires.h"

namespace camber::scenario {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// What is said against a start on a slope of so many degrees, up along x; "" where it stands.
std::string find_objection(double slope_deg, const std::string& start,
                           const std::string& ground = "friction = 1\n") {
  const std::string text = concat(
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\nstart = "
      "{ ",
      start, " }\n[ground]\nslope = ", std::tan(slope_deg * kDegree), "\n", ground,
      "[run]\nduration = 1\n");
  const Scenario scenario = parse_scenario(text, "scenarios/test.toml", {});
  const std::shared_ptr<const DriveParts> parts = load_parts(scenario);
  try {
    check_standing(scenario, *parts, *parts->terrain, parts->total);
  } catch (const dynamics::StandError& error) {
    return error.what();
  }
  return "";
}

/// The steepest slope without objection [deg].
double find_steepest(const std::string& start, const std::string& ground = "friction = 1\n") {
  double low = 0, high = 71.5;  // ground.slope is at most 3
  while (high - low > 1e-6) {
    const double middle = 0.5 * (low + high);
    (find_objection(middle, start, ground).empty() ? low : high) = middle;
  }
  return low;
}

TEST(StandingCheck, NamesSlopeKeyAndReason) {
  const std::string slides = find_objection(45, "heading_deg = 0");
  EXPECT_NE(slides.find("ground.slope has a slope of 45 deg"), std::string::npos) << slides;
  EXPECT_NE(slides.find("its tires hold it up to "), std::string::npos) << slides;
  EXPECT_NE(slides.find("ground.friction of 1"), std::string::npos) << slides;
  const std::string tips = find_objection(71, "x = 3, y = -4, heading_deg = 0");
  EXPECT_NE(tips.find("does not stand at x = 3 m, y = -4 m"), std::string::npos) << tips;
  EXPECT_NE(tips.find("ground.slope has a slope of 71 deg"), std::string::npos) << tips;
  EXPECT_NE(tips.find("it tips over"), std::string::npos) << tips;
}

// At rest the tires' peak friction decides; with less of it on the ground, less.
TEST(StandingCheck, FrictionIsThatOfTheTires) {
  for (const double friction : {1.0, 0.4}) {
    const double load = 2597.138 * 9.81 / 4;
    const dynamics::Grip grip = dynamics::find_grip(tire::load_hmmwv_tire(), load, friction);
    const double peak = std::max(grip.along, grip.across);
    EXPECT_NEAR(find_steepest("heading_deg = 30", concat("friction = ", friction, "\n")) * kDegree,
                std::atan(peak), 1e-4);
  }
  EXPECT_EQ(find_objection(31, "heading_deg = 0"), "");  // the 60 % that it climbs
}

// With grip enough it stands until the plumb line from its center of mass leaves the wheels: across
// the slope at atan(t / 2h), along it at the axles.
TEST(StandingCheck, TipsWhereThePlumbLineLeavesTheWheels) {
  const vehicle::Vehicle vehicle =
      load_parts(load_scenario("scenarios/hill-hold.toml", {}))->vehicle;
  const dynamics::MassTotal total = dynamics::find_total(expand(vehicle));
  const double height = total.center.z() + vehicle.height;
  const Vector3 front = vehicle.axles[0].points.wheel, rear = vehicle.axles[1].points.wheel;
  const std::string grip = "friction = 9\n";
  const double across = find_steepest("heading_deg = 90", grip) * kDegree;
  EXPECT_NEAR(std::tan(across), std::abs(front.y()) / height, 0.001);
  const double up = find_steepest("heading_deg = 0", grip) * kDegree;
  EXPECT_NEAR(std::tan(up), (total.center.x() - rear.x()) / height, 1e-4);
  const double down = find_steepest("heading_deg = 180", grip) * kDegree;
  EXPECT_NEAR(std::tan(down), (front.x() - total.center.x()) / height, 1e-4);
}

TEST(StandingCheck, AVehicleWithASpeedMaySlideButNotTip) {
  EXPECT_EQ(find_objection(45, "heading_deg = 0, speed = 5"), "");
  EXPECT_NE(find_objection(71, "heading_deg = 0, speed = 5"), "");
}

/// A vehicle of models/hmmwv.toml at rest over a bank of this height between its wheels.
std::vector<std::string> make_bank(double height) {
  return {"vehicle.start.speed=0", "vehicle.start.heading_deg=20",
          concat("ground.bump=[{ shape = \"ramp\", x = -0.7, heading_deg = 20, height = ", height,
                 ", rise = 0.1, top = 1.2, fall = 0.1 }]")};
}

// Only the ground under the wheels was checked: a vehicle that stood 0.3 m within a bank between
// them drove on. The underbody of the shape counts; without a shape, the frame's origin.
TEST(StandingCheck, BodyIsAboveTheGround) {
  const std::string file = "scenarios/step-steer.toml";
  BuiltScenario flat = build_scenario(load_scenario(file, make_bank(0)));
  const dynamics::VehicleSnapshot start = flat.world.vehicle(0).snapshot();
  const auto find_objection = [&](const DriveParts& parts, double height) -> std::string {
    const auto ground = load_parts(load_scenario(file, make_bank(height)))->terrain;
    try {
      check_belly(parts, *ground, start);
    } catch (const dynamics::StandError& error) {
      return error.what();
    }
    return "";
  };
  const double origin = multibody::to_eigen(start.position).z();
  ASSERT_FALSE(flat.parts->vehicle.shape.empty());
  const double clearance = origin + flat.parts->vehicle.shape.boxes[0].min.z();
  EXPECT_EQ(find_objection(*flat.parts, clearance - 0.03), "");
  const std::string touches = find_objection(*flat.parts, clearance + 0.03);
  EXPECT_NE(touches.find("m above the underbody"), std::string::npos) << touches;

  DriveParts bare = *flat.parts;
  bare.vehicle.shape = {};
  EXPECT_EQ(find_objection(bare, clearance + 0.03), "");
  EXPECT_EQ(find_objection(bare, origin - 0.03), "");
  const std::string deep = find_objection(bare, origin + 0.13);
  EXPECT_NE(deep.find("m above the frame's origin"), std::string::npos) << deep;

  try {
    build_scenario(load_scenario(file, make_bank(0.9)));
    FAIL() << "it stands";
  } catch (const ModelFileError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("does not stand at x = 0 m, y = 0 m: below its body"), std::string::npos)
        << text;
    EXPECT_NE(text.find("expected another vehicle.start"), std::string::npos) << text;
  }
}

// Code is not generated for a trailer: a scenario that does not name a formulation takes "ce".
TEST(DriveSetup, VehiclesWithoutGeneratedCodeTakeCe) {
  const std::string drive =
      "kind = \"scenario\"\nname = \"t\"\n[run]\nduration = 1\n[vehicle]\n"
      "model = \"../models/mcpherson-car-with-trailer.toml\"\n";
  const BuiltScenario built = build_scenario(parse_scenario(drive, "scenarios/t.toml"));
  EXPECT_EQ(built.scenario->vehicle.formulation, Formulation::kCe);
  const std::string note =
      "vehicle.formulation is \"ce\": code is not generated for a vehicle with a trailer";
  EXPECT_NE(std::find(built.notes.begin(), built.notes.end(), note), built.notes.end());
  try {
    build_scenario(parse_scenario(drive + "formulation = \"generated\"\n", "scenarios/t.toml"));
    FAIL() << "it was built";
  } catch (const ModelFileError& error) {
    EXPECT_EQ(std::string(error.what()),
              "scenarios/t.toml:7:15: vehicle.formulation: code is not generated for a vehicle "
              "with a trailer: expected \"ce\", \"ta\" or \"fa\"");
  }
}

TEST(StandingCheck, ADriveIsRefused) {
  Scenario scenario =
      load_scenario("scenarios/hill-hold.toml", std::vector<std::string>{"ground.slope=2.9"});
  EXPECT_THROW(build_scenario(std::move(scenario)), ModelFileError);
}

// A wheel between the tread of its tire, which moves the body, too, and its brake, stepped by hand: just
// below the longest step it comes to rest, just above it swings up.
TEST(StandingStep, IsWhereAWheelBeginsToSwing) {
  for (const double capacity : {0.0, 4000.0}) {
    const tire::RollingTire tire = tire::load_hmmwv_tire();
    const driveline::Brake brake{.capacity = capacity};
    const double load = 7100, friction = 0.83, inertia = 6.4;
    const double longest = find_longest_standing_step(tire, load, friction, inertia, brake,
                                                      integrate::FixedStep::kMidpoint);
    const double arm = tire.radius - find_deflection(tire.vertical, load);
    const double k = 1.25 * friction * load / tire.standing_deflection;
    const auto swing = [&](double h) {
      double angle = 1e-4, rate = 0;
      const auto acceleration = [&](double a, double r) {
        return -k * (arm * arm / inertia + 9.81 / load) * (a + tire.standing_damping_time * r) -
               capacity / brake.twist / inertia * (a + brake.damping * r);
      };
      for (int i = 0; i < 2000; ++i) {
        const double a = angle + 0.5 * h * rate, r = rate + 0.5 * h * acceleration(angle, rate);
        angle += h * r;
        rate += h * acceleration(a, r);
      }
      return std::abs(angle);
    };
    EXPECT_LT(swing(0.99 * longest), 1e-4);
    EXPECT_GT(swing(1.01 * longest), 1e-3);
    EXPECT_GT(find_longest_standing_step(tire, load, friction, inertia, brake,
                                         integrate::FixedStep::kRungeKutta4),
              longest);
  }
}

// A brake that holds makes a wheel stiffer: on rough ground, a vehicle shook without a note.
TEST(StandingStep, IsNotedWhereABrakedWheelShakes) {
  const auto has_note = [](const char* friction, const char* step) {
    const BuiltScenario built = build_scenario(load_scenario(
        "scenarios/hill-hold.toml",
        std::vector<std::string>{concat("ground.friction=", friction), concat("run.step=", step)}));
    return std::ranges::any_of(
        built.notes, [](const std::string& note) { return note.starts_with("run.step"); });
  };
  EXPECT_FALSE(has_note("1", "0.001"));
  EXPECT_TRUE(has_note("4", "0.0008"));  // 1.6 mm/s for ever
  EXPECT_FALSE(has_note("4", "0.0006"));
}

// What the driver may ask for is what the linkage reaches at lock, less than 0.52 rad of the
// pitman.
TEST(DriveSetup, DriverKnowsTheLockOfTheVehicle) {
  const auto find_lock = [](const std::string& level) {
    BuiltScenario built = build_scenario(load_scenario(
        "scenarios/hill-hold.toml",
        std::vector<std::string>{
            "driver.steering={ kind = \"step\", angle_deg = 60, start = 0, rise = 0.1 }",
            "vehicle.level=" + level}));
    double steer = 0;
    for (int k = 0; k < 500; ++k) {
      autonomy::VehicleView view = built.world.vehicle(0).view();
      view.time = 0.01 * k;
      steer = built.drivers[0]->update(view).steer;
    }
    return steer;
  };
  const double lock = find_lock("full");
  EXPECT_GT(lock, 0.3);
  EXPECT_LT(lock, 0.6);
  EXPECT_EQ(lock, find_lock("single_track"));
  testing::Test::RecordProperty("lock", concat(lock));
}

}  // namespace
}  // namespace camber::scenario
