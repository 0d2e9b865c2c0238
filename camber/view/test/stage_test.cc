#include "camber/view/stage.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "camber/view/vehicle_drawing.h"

namespace camber::view {
namespace {

using Json = nlohmann::ordered_json;

Json describe(const std::string& scenario, const Overrides& overrides = {}) {
  const run::Simulation simulation = run::Simulation::load("scenarios/" + scenario, overrides);
  return Stage(simulation).hello("live", "camber test");
}

Vector3 to_vector(const Json& json) {
  return Vector3(json[0].get<double>(), json[1].get<double>(), json[2].get<double>());
}

std::map<std::string, int> count_parts(const Json& vehicle) {
  std::map<std::string, int> parts;
  for (const Json& shape : vehicle["shapes"]) ++parts[shape["part"].get<std::string>()];
  return parts;
}

// Every number of a body exists, and in the design position everything hangs together: a link ends
// where its length is that of the vehicle's file.
void expect_sound(const Json& vehicle) {
  SCOPED_TRACE(vehicle["model"]);
  const int bodies = static_cast<int>(vehicle["bodies"].size());
  ASSERT_GT(bodies, 0);
  for (const Json& shape : vehicle["shapes"])
    for (const char* key : {"body", "body_a", "body_b"})
      if (shape.contains(key)) {
        EXPECT_GE(shape[key].get<int>(), 0) << shape.dump();
        EXPECT_LT(shape[key].get<int>(), bodies) << shape.dump();
      }
  for (const Json& corner : vehicle["corners"])
    for (const char* key : {"wheel", "carrier", "base"}) EXPECT_LT(corner[key].get<int>(), bodies);
  const Json& o = vehicle["outline"];
  EXPECT_LT(o["rear"].get<double>(), o["front"].get<double>());
  EXPECT_LT(o["right"].get<double>(), o["left"].get<double>());
}

// A LIDAR that spins goes all the way round: columns are evenly spaced, so the last one is one column
// short of a turn away from the first.
TEST(Stage, HasTheWholeSweepOfASpinningLidar) {
  const Json hello = describe("posts-with-sensors.toml");
  for (const Json& sensor : hello["runs"][0]["sensors"]) {
    if (sensor["name"] != "lidar") continue;
    const double columns = sensor["columns"].get<double>();
    const double sweep = sensor["azimuth"][1].get<double>() - sensor["azimuth"][0].get<double>();
    EXPECT_NEAR(std::abs(sweep), 2 * std::numbers::pi * (1 - 1 / columns), 0.01);
    return;
  }
  FAIL() << "no lidar";
}

TEST(VehicleDrawing, OfTheHmmwvHasAllItsParts) {
  const Json hello = describe("double-lane-change.toml");
  const Json& vehicle = hello["runs"][0]["vehicles"][0];
  expect_sound(vehicle);
  EXPECT_EQ(vehicle["shell"], Json({{"kind", "hmmwv"}, {"offset", {0.0, 0.0, 0.0}}}));
  EXPECT_EQ(vehicle["level"], "full");
  ASSERT_EQ(vehicle["corners"].size(), 4U);
  std::map<std::string, int> parts = count_parts(vehicle);
  EXPECT_EQ(parts["wheel"], 4);
  EXPECT_EQ(parts["spring"], 4);
  EXPECT_EQ(parts["shock"], 4);
  EXPECT_EQ(parts["half_shaft"], 4);
  EXPECT_EQ(parts["lower_arm"], 8);
  EXPECT_EQ(parts["upper_arm"], 8);
  EXPECT_GE(parts["tie_rod"], 2);
  EXPECT_GE(parts["steering"], 1);
  EXPECT_GE(parts["body"], 1);
  // Wheels of the left side are to the left, in front they are ahead.
  EXPECT_EQ(vehicle["corners"][0]["name"], "front_left");
  EXPECT_GT(vehicle["corners"][0]["center"][1].get<double>(), 0.5);
  EXPECT_GT(vehicle["corners"][0]["center"][0].get<double>(),
            vehicle["corners"][2]["center"][0].get<double>() + 2);
}

TEST(VehicleDrawing, OfOtherVehiclesHasTheirs) {
  const Json car = describe("small-car-step-steer.toml");
  const Json& vehicle = car["runs"][0]["vehicles"][0];
  expect_sound(vehicle);
  EXPECT_EQ(count_parts(vehicle)["strut"], 2);
  // Its body is a mesh of the page's book.
  int mesh = -1;
  for (const Json& shape : vehicle["shapes"])
    if (shape["kind"] == "mesh") mesh = shape["mesh"];
  EXPECT_EQ(mesh, 0);
  EXPECT_FALSE(car["materials"].empty());

  const Json trailer = describe("car-with-trailer-lane-change.toml");
  expect_sound(trailer["runs"][0]["vehicles"][0]);
  std::set<int> bases;
  for (const Json& corner : trailer["runs"][0]["vehicles"][0]["corners"])
    bases.insert(corner["base"].get<int>());
  EXPECT_EQ(bases.size(), 2U) << "wheels on the car and on the trailer";
  const Json& towing = trailer["runs"][0]["vehicles"][0];
  EXPECT_LT(towing["rear_end"].get<double>(), towing["outline"]["rear"].get<double>() - 2);

  const Json truck = describe("truck-6x6-step-steer.toml");
  // Its driver sits in the cab, which is in front.
  const Json& big = truck["runs"][0]["vehicles"][0];
  EXPECT_GT(big["eye"][0].get<double>(), 0.5 * big["outline"]["front"].get<double>());
  EXPECT_LT(big["eye"][0].get<double>(), big["outline"]["front"].get<double>());
  expect_sound(truck["runs"][0]["vehicles"][0]);
  EXPECT_EQ(truck["runs"][0]["vehicles"][0]["corners"].size(), 6U);
  for (const char* level : {"single_track", "point_mass"}) {
    const Json simple = describe("step-steer.toml", {std::string("vehicle.level=") + level});
    const Json& only = simple["runs"][0]["vehicles"][0];
    expect_sound(only);
    EXPECT_EQ(only["bodies"].size(), 1U);
    EXPECT_FALSE(simple["runs"][0]["has_poses"].get<bool>());
    // Its frame is on the ground: the wheels stand on it, and the plates of the body are drawn
    // about the frame of the full vehicle, 26 mm above the centers of its wheels.
    const double height = only["shell"]["offset"][2];
    for (const Json& shape : only["shapes"])
      if (shape["kind"] == "wheel") {
        EXPECT_NEAR(shape["center"][2].get<double>(), shape["radius"].get<double>(), 0.01);
        EXPECT_NEAR(height - shape["center"][2].get<double>(), 0.026, 0.01);
      }
  }
}

TEST(VehicleDrawing, HasSpringsOfTheirLength) {
  const Json hello = describe("double-lane-change.toml");
  for (const Json& shape : hello["runs"][0]["vehicles"][0]["shapes"]) {
    if (shape["part"] != "spring") continue;
    const double length = (to_vector(shape["a"]) - to_vector(shape["b"])).norm();
    EXPECT_GT(length, 0.1);
    EXPECT_LT(length, 1.05 * shape["free_length"].get<double>());
    EXPECT_GT(shape["stiffness"].get<double>(), 1e4);
  }
}

TEST(Stage, HasSeveralVehiclesAndThings) {
  const Json hello = describe("overtaking.toml");
  const Json& run = hello["runs"][0];
  EXPECT_GE(run["vehicles"].size() + run["things"].size(), 2U);
  for (const Json& vehicle : run["vehicles"]) expect_sound(vehicle);
  EXPECT_EQ(run["sample_size"].get<std::size_t>(),
            run["channels"].back()["first"].get<std::size_t>() +
                run["channels"].back()["columns"].size());
}

// Meshes of a city are made when they are asked for; all of their numbers are in range.
TEST(Stage, HasTheMeshesOfACity) {
  const run::Simulation simulation = run::Simulation::load("scenarios/downtown.toml");
  const Stage stage(simulation);
  const Json hello = stage.hello("live", "camber test");
  EXPECT_EQ(hello["ground"]["kind"], "city");
  std::set<std::string> kinds;
  int made = 0;
  for (const Json& thing : hello["static"]) {
    kinds.insert(thing["kind"].get<std::string>());
    if (!thing.contains("mesh") || ++made > 12) continue;
    const Answer answer = stage.answer("/api/mesh/" + thing["mesh"].dump());
    ASSERT_EQ(answer.status, 200);
    std::uint32_t counts[4];
    std::memcpy(counts, answer.body.data(), 16);
    ASSERT_EQ(answer.body.size(), 40 + 12 * (counts[0] + counts[1] + counts[2]));
    const char* groups = answer.body.data() + 40;
    std::uint32_t next = 0;
    for (std::uint32_t g = 0; g < counts[2]; ++g) {
      std::uint32_t group[3];
      std::memcpy(group, groups + 12 * g, 12);
      EXPECT_EQ(group[0], next);
      next += group[1];
      EXPECT_LT(group[2], hello["materials"].size());
    }
    EXPECT_EQ(next, counts[1]);
    for (std::uint32_t t = 0; t < 3 * counts[1]; ++t) {
      std::uint32_t corner = 0;
      std::memcpy(&corner, groups + 12 * (counts[2] + counts[0]) + 4 * t, 4);
      EXPECT_LT(corner, counts[0]);
    }
  }
  EXPECT_TRUE(kinds.contains("mesh"));
  EXPECT_TRUE(kinds.contains("instances"));
}

TEST(Stage, AnswersAddressesOrSaysNo) {
  const run::Simulation simulation = run::Simulation::load("scenarios/off-road-hills.toml");
  const Stage stage(simulation);
  EXPECT_EQ(stage.answer("/api/tile/0/4/4").status, 200);
  EXPECT_EQ(stage.answer("/api/tile/0/-4/4").status, 204);
  EXPECT_EQ(stage.answer("/api/tile/0/4/x").status, 400);
  EXPECT_EQ(stage.answer("/api/tile/0/4").status, 404);
  EXPECT_EQ(stage.answer("/api/soil").status, 200);
  EXPECT_EQ(stage.answer("nonsense").status, 400);
}

}  // namespace
}  // namespace camber::view
