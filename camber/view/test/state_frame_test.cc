#include "camber/view/state_frame.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/core/hash.h"
#include "camber/run/simulation.h"
#include "camber/view/stage.h"

namespace camber::view {
namespace {

run::Simulation load(const std::string& name, const Overrides& overrides = {}) {
  return run::Simulation::load("scenarios/" + name, overrides);
}

math::Mat3<double> to_matrix(const double* q) {
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
           {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
           {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}}};
}

// body_poses() is what reports draw; the frame must give each of these poses when base and relative
// pose are multiplied again, which shares no code with its writing.
void expect_poses(const std::string& scenario, double time) {
  SCOPED_TRACE(scenario);
  run::Simulation simulation = load(scenario);
  StateFrame frame(&simulation);
  simulation.advance_to(time);
  std::vector<std::byte> bytes(frame.size());
  frame.write({.flags = kPaused, .number = 17}, &simulation, bytes);
  std::vector<double> values(frame.layout().value_count());
  EXPECT_EQ(decode_frame(frame.layout(), bytes, values), simulation.time());
  std::size_t first = 0;
  for (int v = 0; v < simulation.world().vehicle_count(); ++v) {
    const std::vector<dynamics::NamedPose> poses = simulation.body_poses(v);
    const dynamics::VehicleSnapshot& now = simulation.vehicle(v);
    const double* base = &values[first];
    const math::Mat3<double> R = to_matrix(base + 3);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(base[i], now.position[i], 1e-9);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(R(i, j), now.rotation(i, j), 1e-6);
    const auto count = static_cast<std::size_t>(frame.layout().bodies[static_cast<std::size_t>(v)]);
    if (!poses.empty()) {
      ASSERT_EQ(poses.size(), count + 1);
    }
    for (std::size_t b = 1; b < count && !poses.empty(); ++b) {
      const double* own = &values[first + 7 * b];
      const math::Vec3<double> p = now.position + R * math::Vec3<double>(own[0], own[1], own[2]);
      const math::Mat3<double> Rb = R * to_matrix(own + 3);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(p[i], poses[b + 1].position[i], 3e-6) << poses[b + 1].name;
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(Rb(i, j), poses[b + 1].rotation(i, j), 1e-6) << poses[b + 1].name;
      }
    }
    first += 7 * count;
  }
  first += 4 * static_cast<std::size_t>(frame.layout().things);
  const std::span<const double> sample = simulation.last_sample();
  ASSERT_EQ(values.size() - first, sample.size());
  for (std::size_t k = 0; k < sample.size(); ++k)
    EXPECT_EQ(values[first + k], static_cast<double>(static_cast<float>(sample[k])));
}

TEST(StateFrame, HasThePosesOfAllBodies) {
  expect_poses("double-lane-change.toml", 2.5);
  expect_poses("off-road-hills.toml", 1.5);
  expect_poses("car-with-trailer-lane-change.toml", 2.0);
}

TEST(StateFrame, OfALevelWithoutBodiesHasItsFrame) {
  run::Simulation simulation = load("step-steer.toml", {"vehicle.level=single_track"});
  StateFrame frame(&simulation);
  EXPECT_EQ(frame.layout().bodies, std::vector<int>{1});
  expect_poses("step-steer.toml", 1.0);
}

// Whoever watches has no effect: 1000 looks in the drive leave the same bits.
TEST(StateFrame, LeavesTheDriveAsItIs) {
  for (const char* name :
       {"double-lane-change.toml", "off-road-hills.toml", "soft-soil-ruts.toml"}) {
    SCOPED_TRACE(name);
    std::vector<std::string> hashes;
    for (const bool looks : {false, true}) {
      run::Simulation simulation = load(name);
      StateFrame frame(&simulation);
      std::vector<std::byte> bytes(frame.size());
      for (int k = 1; k <= 300; ++k) {
        simulation.advance_to(0.005 * k);
        if (looks) frame.write({}, &simulation, bytes);
      }
      hashes.push_back(hash_values(simulation.state_values()));
    }
    EXPECT_EQ(hashes[0], hashes[1]);
  }
}

TEST(StateFrame, RefusesFramesOfAnotherSize) {
  run::Simulation simulation = load("step-steer.toml");
  StateFrame frame(&simulation);
  std::vector<std::byte> bytes(frame.size() - 1);
  EXPECT_THROW(frame.write({}, &simulation, bytes), std::invalid_argument);
  std::vector<double> values(frame.layout().value_count());
  EXPECT_THROW(decode_frame(frame.layout(), bytes, values), std::invalid_argument);
}

}  // namespace
}  // namespace camber::view
