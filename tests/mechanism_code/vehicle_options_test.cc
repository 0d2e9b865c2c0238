// Every option that a vehicle file has, as generated code against `ce`: files with that option, and
// random vehicles with many of them at once.
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"
#include "tests/mechanism_code/reference.h"

namespace camber::mechanism_code {
namespace {

using multibody::Mechanism;
using vehicle::Axle, vehicle::SuspensionType, vehicle::Vehicle;

constexpr int kStates = 12;

struct Edit {
  std::string from, to;
};

/// A model's file with some of its lines changed.
Vehicle edited(const std::string& name, const std::vector<Edit>& edits) {
  std::string text = read_file("models/" + name + ".toml", 1000000);
  for (const Edit& edit : edits) {
    const std::size_t at = text.find(edit.from);
    EXPECT_NE(at, std::string::npos) << edit.from;
    if (at != std::string::npos) text.replace(at, edit.from.size(), edit.to);
  }
  return vehicle::parse_vehicle(text, "models/" + name + ".toml");
}

void expect_equal(const Vehicle& vehicle) {
  expect_equal_to_ce(vehicle::expand(vehicle).mechanism, kStates);
}

const Edit kGivenPitman{"damping = 12 ",
                        "motion = \"0.1 + 0.2*sin(3*t)*exp(-t/7)\"\ndamping = 12 "};

std::string soft(const std::string& which, const std::string& axle) {
  return "[axles." + axle + ".soft_" + which +
         "_hinge]\nstiffness = [7.1e6, 6.3e6, 1.2e6]\ndamping = [3500, 3300, 540]\n"
         "turning_stiffness = [71000, 64000, 310]\nturning_damping = [35, 31, 1.3]\n\n";
}
Edit with_soft(const std::string& which, const std::string& axle = "front") {
  const std::string wheel = "[axles." + axle + ".wheel]";
  return {wheel, soft(which, axle) + wheel};
}

// --- Given motions ---

// The paper's kinematic steering: 14 degrees of freedom.
TEST(VehicleOptions, GivenSteeringOfThePlanarHmmwv) {
  const Vehicle vehicle = edited("hmmwv", {kGivenPitman});
  const VehicleProgram program = generate(vehicle::expand(vehicle).mechanism);
  EXPECT_EQ(program.nv, 14);
  EXPECT_EQ(program.given_names, std::vector<std::string>{"pitman"});
  expect_equal(vehicle);
}
TEST(VehicleOptions, GivenSteeringOfTheSpatialHmmwv) {
  expect_equal(edited("hmmwv-3d", {kGivenPitman}));
}
TEST(VehicleOptions, GivenWayOfARack) {
  std::string text = read_file("models/mcpherson-car.toml", 1000000);
  text.resize(text.find("[steering.column]"));
  expect_equal(
      vehicle::parse_vehicle(text + "motion = \"0.03*sin(2*t) + 0.004*t\"\n", "models/car.toml"));
}

TEST(VehicleOptions, SixBySix) { expect_equal(vehicle::load_vehicle("models/truck-6x6.toml")); }

// --- Bushings ---

TEST(VehicleOptions, SoftLowerHinges) { expect_equal(edited("hmmwv-3d", {with_soft("lower")})); }
TEST(VehicleOptions, SoftUpperHinges) { expect_equal(edited("hmmwv-3d", {with_soft("upper")})); }
TEST(VehicleOptions, SoftHingesOfBothArmsWithGivenSteering) {
  expect_equal(edited("hmmwv-3d", {with_soft("lower"), with_soft("upper"), kGivenPitman}));
}
TEST(VehicleOptions, SoftHingesOfAStrutsArmWithAnAntiRollBar) {
  expect_equal(edited("mcpherson-car", {with_soft("lower")}));
}

// --- Parts ---

TEST(VehicleOptions, TieRodsWithAndWithoutBodies) {
  expect_equal(edited("mcpherson-car", {{"strut = {", "tie_rod = { mass = 1.3 }\nstrut = {"}}));
  expect_equal(edited("hmmwv", {{"tie_rod = { mass = 6 }", ""}, {"tie_rod = { mass = 6 }", ""}}));
}
TEST(VehicleOptions, PlanarArmsWithoutShockBodies) {
  expect_equal(edited("hmmwv", {{"lower_shock = { mass = 2, radius = 0.03 }", ""},
                                {"upper_shock = { mass = 2, radius = 0.02 }", ""}}));
}
TEST(VehicleOptions, ColumnOnAPitman) {
  expect_equal(edited("hmmwv", {{"damping = 12 ",
                                 "column = { ratio = 26, stiffness = 115, damping = 1, inertia = "
                                 "0.05 }\ndamping = 12 "}}));
}
TEST(VehicleOptions, AntiRollBarsOnWishbonesAndTrailingArms) {
  const auto bar = [](const char* axle, const char* points) {
    const std::string wheel = std::string("[axles.") + axle + ".wheel]";
    return Edit{wheel, std::string("[axles.") + axle + ".anti_roll_bar]\nstiffness = 940\n" +
                           points + "mass = 2.2\n\n" + wheel};
  };
  expect_equal(edited("hmmwv", {bar("rear",
                                    "pivot = [0.3, 0.4, 0.02]\narm_end = [0.1, 0.46, "
                                    "0.01]\nlink_end = [0.09, 0.52, -0.05]\n")}));
  expect_equal(
      edited("mcpherson-car", {bar("rear",
                                   "pivot = [-0.1, 0.4, 0.13]\narm_end = [0.14, 0.46, 0.11]\n"
                                   "link_end = [0.15, 0.52, 0.01]\n")}));
}
TEST(VehicleOptions, AxlesWithOneCornerAndSteeringBehind) {
  expect_equal(edited("hmmwv", {{"[axles.rear]\n", "[axles.rear]\nmirror = false\n"}}));
  expect_equal(edited("mcpherson-car", {{"[axles.rear]\n", "[axles.rear]\nmirror = false\n"}}));
}
TEST(VehicleOptions, TablesOfSpringsAndShocksAndSingleStops) {
  expect_equal(edited(
      "hmmwv", {{"stiffness = 167070.94 ",
                 "preload = 130\ntable = [[-0.2, -41000], [-0.05, -8000], [0.04, 6100]]\n# "},
                {"compression = 12521.564",
                 "table = [[-0.7, -5100], [0, 0], [0.3, 6600], [1, "
                 "9000]]\n# "},
                {"rebound = 22460.008", ""},
                {"rebound_length = 0.3\n", ""},
                {"bump_length = 0.15                     # [m] where the stops begin\n"
                 "rebound_length = 0.35",
                 "rebound_length = 0.27"}}));
}

// The data set's stops, over 2 mm: random states are on both sides of them.
TEST(VehicleOptions, HydraulicStopsOfShocks) {
  expect_equal(
      edited("hmmwv", {{"rebound = 22460.008",
                        "rebound = 22460.008\nhydraulic_stops = { shortest = 0.35, longest "
                        "= 0.38, compression = 5896.5, rebound = 60068.5, over = 0.004 }"}}));
}

// --- Wheels ---

TEST(VehicleOptions, WheelsThatAreNotRound) {
  expect_equal(edited("hmmwv", {{"inertia = [4.34457, 7.38782, 4.34457]",
                                 "inertia = [4.1, 7.3, 4.6, 0.2, -0.1, 0.3]"}}));
}
// A wheel's moments are about its own axes: with camber and toe it stays round.
TEST(VehicleOptions, WheelsWithCamberAndToeStayRound) {
  const Vehicle vehicle = edited("hmmwv", {{"radius = 0.4699 ",
                                            "camber_deg = -1.3\ntoe_deg = 0.4\n"
                                            "radius = 0.4699 "}});
  const VehicleProgram program = generate(vehicle::expand(vehicle).mechanism);
  for (const WheelPlaces& wheel : program.wheels) EXPECT_LT(wheel.spin_force, 0) << wheel.name;
  expect_equal(vehicle);
}

// --- Many at once ---

/// What random vehicles are made of: one axle of each kind.
std::vector<Axle> all_axles() {
  const Vehicle planar = vehicle::load_vehicle("models/hmmwv.toml"),
                spatial = vehicle::load_vehicle("models/hmmwv-3d.toml"),
                strut = vehicle::load_vehicle("models/mcpherson-car.toml");
  return {planar.axles[0],  planar.axles[1], spatial.axles[0],
          spatial.axles[1], strut.axles[0],  strut.axles[1]};
}

Vehicle random_vehicle(std::uint64_t seed) {
  RandomStream random = RandomStream(2024).substream("vehicle", seed);
  const auto chance = [&](double p) { return random.uniform(0, 1) < p; };
  Vehicle car = vehicle::load_vehicle(chance(0.5) ? "models/hmmwv.toml" : "models/hmmwv-3d.toml");
  const std::vector<Axle> kinds = all_axles();
  const int behind = 1 + static_cast<int>(random.uniform(0, 1.99));
  car.axles.resize(1);
  for (int i = 0; i < behind; ++i) {
    car.axles.push_back(kinds[static_cast<std::size_t>(random.uniform(0, 5.99))]);
    car.axles.back().name = "axle" + std::to_string(i);
  }
  for (int k = 0; k < 3; ++k) car.gravity[k] += random.uniform(-2, 2);
  for (Axle& axle : car.axles) {
    // The planar four-bar needs its points in one plane.
    const double amount = axle.type == SuspensionType::kPlanarDoubleWishbone ? 0 : 0.004;
    for (const auto& [name, point] : all_points(&axle.points))
      for (int k = 0; k < 3; ++k) (*point)[k] += amount * random.uniform(-1, 1);
    for (vehicle::Part* part : all_parts(&axle))
      for (int k = 0; k < 3; ++k) part->center[k] += random.uniform(-0.01, 0.01);
    axle.wheel.part.center = axle.points.wheel;
    axle.wheel.camber = random.uniform(-0.03, 0.03);
    if (chance(0.4)) axle.wheel.part.inertia(0, 1) = axle.wheel.part.inertia(1, 0) = 0.02;
    if (chance(0.3)) axle.is_mirrored = &axle == car.axles.data();
    if (!axle.is_mirrored) axle.anti_roll_bar.reset();
    const auto hinge = [&]() -> std::optional<vehicle::SoftHinge> {
      if (!chance(0.5)) return std::nullopt;
      return vehicle::SoftHinge{Vector3(5e6, 6e6, 1e6) * random.uniform(0.5, 2),
                                Vector3(3000, 3100, 500),
                                Vector3(7e4, 6e4, 300),
                                {30, 31, 2}};
    };
    const bool is_spatial = axle.type == SuspensionType::kDoubleWishbone;
    if (is_spatial || axle.type == SuspensionType::kMcPherson) axle.soft_lower_hinge = hinge();
    if (is_spatial) axle.soft_upper_hinge = hinge();
  }
  if (chance(0.4)) {
    const symbolic::Expr t = symbolic::symbol("t");
    car.steering->motion = symbolic::sin(t * symbolic::Expr(2)) * symbolic::Expr(0.15);
  } else if (chance(0.5)) {
    car.steering->column = vehicle::SteeringColumn{22, 130, 1.1, 0.06};
  }
  car.name = "random_" + std::to_string(seed);
  return car;
}

TEST(VehicleOptions, RandomVehiclesOfAllParts) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_equal_to_ce(vehicle::expand(random_vehicle(seed)).mechanism, 4);
  }
}

// --- What acts from outside ---

TEST(VehicleOptions, StandsOnSpringsBetweenWorldAndWheels) {
  const auto standing =
      vehicle::expand(vehicle::load_vehicle("models/hmmwv.toml"), {.is_standing = true});
  expect_equal_to_ce(standing.mechanism, kStates);
}

TEST(VehicleOptions, TakesForcesAndSpringsFromOutside) {
  auto car = vehicle::expand(edited("hmmwv", {kGivenPitman}));
  Mechanism& m = car.mechanism;
  const auto body = [&](const char* name) { return m.find_body(name); };
  m.wrenches.push_back({.name = "push",
                        .body = body("front_left_upright"),
                        .p_BQ_B = {1.6, 0.8, 0.1},
                        .force = {410, -320, 530},
                        .torque = {11, 23, -17}});
  m.wrenches.push_back({.name = "thrust",
                        .body = body("steering_link"),
                        .p_BQ_B = {1.2, 0.1, 0.1},
                        .force = {40, 30, -53},
                        .torque = {3, 2, 1},
                        .in_world = false});
  m.wrenches.push_back({.name = "wind",
                        .body = car.chassis,
                        .p_BQ_B = {0.1, 0.2, 0.9},
                        .force = {-410, 720, 30},
                        .torque = {50, 60, 70}});
  multibody::SpringDamper rope;
  rope.name = "rope";
  rope.b = body("rear_right_lower_arm");
  rope.p_AP_A = {-3, -1, 1.5};
  rope.p_BQ_B = {-1.6, -0.7, 0};
  rope.free_length = 1.1;
  rope.stiffness = 5200;
  rope.damping = 130;
  m.springs.push_back(rope);
  std::swap(rope.a, rope.b);
  std::swap(rope.p_AP_A, rope.p_BQ_B);
  rope.name = "tow";
  rope.a = car.chassis;
  rope.p_AP_A = {1.9, 0.1, 0.2};
  m.springs.push_back(rope);
  multibody::Bushing mount;
  mount.name = "mount";
  mount.a = body("rear_left_upper_arm");
  mount.b = multibody::kWorld;
  mount.X_AP.translation() = Vector3(-1.4, 0.6, 0.2);
  mount.X_BQ.linear() = Matrix3(Eigen::AngleAxisd(0.4, Vector3(1, 2, -1).normalized()));
  mount.X_BQ.translation() = Vector3(-1.3, 0.5, 0.9);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) {
      mount.stiffness(i, k) = (i == k ? 900 : 20) + 3 * (i + k);
      mount.damping(i, k) = (i == k ? 30 : 1) + i * k;
    }
  }
  m.bushings.push_back(mount);
  expect_equal_to_ce(m, kStates);
}

}  // namespace
}  // namespace camber::mechanism_code
