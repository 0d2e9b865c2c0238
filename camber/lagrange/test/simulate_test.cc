#include "camber/lagrange/simulate.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"

namespace camber::lagrange {
namespace {

double largest(const Channel& channel) {
  double size = 0;
  for (const double value : channel.values) size = std::max(size, std::abs(value));
  return size;
}

std::string message_of(const LagrangianModel& model, const MotionOptions& options,
                       const SampleTimes& times = {}) {
  try {
    simulate(model, times, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Simulate, KeepsThePendulumsEnergyAndSamplesItsOutput) {
  const LagrangianModel model = load_lagrangian("models/double-pendulum.toml");
  const SimulatedMotion run =
      simulate(model, {.duration = 4, .sample_step = 0.3},
               {.integrator = {.relative_tolerance = 1e-11, .absolute_tolerance = 1e-12}});
  ASSERT_TRUE(run.result.ok()) << run.result.text;
  ASSERT_EQ(run.times.size(), 15U);  // 0, 0.3 ... 3.9 and the end
  EXPECT_EQ(run.times.back(), 4.0);
  const Channel& energy = run.channel("energy.total");
  for (const double value : energy.values) EXPECT_NEAR(value, energy.values[0], 1e-8);
  const Channel &a = run.channel("a"), &b = run.channel("b"),
                &height = run.channel("output.height");
  EXPECT_EQ(a.values[0], 2.1);  // as the file says
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    EXPECT_NEAR(height.values[i],
                0.9 * (1 - std::cos(a.values[i])) + 0.6 * (1 - std::cos(b.values[i])), 1e-12);
  }
}

// The torque's work, added up by hand, is what the energy gains.
TEST(Simulate, ClosesTheLoopAndBalancesTheWorkOfAnInput) {
  const LagrangianModel model = load_lagrangian("models/slider-crank.toml");
  const double torque = 0.7;
  const SimulatedMotion run = simulate(model, {.duration = 1, .sample_step = 1e-3},
                                       {.parameters = {{"h", 0.02}},
                                        .initial = {{"crank", 0.7}},
                                        .inputs = {{"torque", [&](double) { return torque; }}}});
  ASSERT_TRUE(run.result.ok()) << run.result.text;
  EXPECT_LT(largest(run.channel("constraint_error")), 1e-9);
  EXPECT_EQ(run.channel("torque").values.back(), torque);
  const Channel& crank = run.channel("crank");
  EXPECT_EQ(crank.values[0], 0.7) << "what a caller gives is kept";
  const Channel& energy = run.channel("energy.total");
  EXPECT_NEAR(energy.values.back() - energy.values[0],
              torque * (crank.values.back() - crank.values[0]), 1e-6);
  const auto is_multiplier = [](const Channel& c) { return c.kind == Channel::Kind::kMultiplier; };
  EXPECT_EQ(std::ranges::count_if(run.channels, is_multiplier), 2);
}

// Whoever steps a motion sees what simulate() collects, bit for bit, and may look as often as he
// likes.
TEST(Motion, GivesTheSamplesOfSimulate) {
  const LagrangianModel model = load_lagrangian("models/motorcycle.toml");
  const SimulatedMotion run = simulate(model, {.duration = 0.3, .sample_step = 0.1});
  Motion motion(model);
  ASSERT_EQ(motion.quantities().size(), run.channels.size());
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    if (i > 0) {
      ASSERT_TRUE(motion.advance_to(run.times[i]).ok());
    }
    motion.sample();
    const std::span<const double> values = motion.sample();
    for (std::size_t k = 0; k < values.size(); ++k) {
      EXPECT_EQ(motion.quantities()[k].name, run.channels[k].name);
      EXPECT_EQ(values[k], run.channels[k].values[i]) << run.channels[k].name;
    }
  }
  EXPECT_EQ(motion.time(), 0.3);
}

TEST(Simulate, StopsWhenToldTo) {
  const SimulatedMotion run =
      simulate(load_lagrangian("models/double-pendulum.toml"),
               {.duration = 4, .sample_step = 0.5, .go_on = [](double t) { return t < 1; }});
  EXPECT_EQ(run.times, (std::vector<double>{0, 0.5, 1}));
}

TEST(Simulate, RunsEveryModelOfTheFolder) {
  for (const char* name : {"car-with-trailer", "double-pendulum", "half-car", "knife-edge",
                           "motorcycle", "hmmwv-10-body", "quarter-car", "rolling-disc",
                           "single-track-car", "slider-crank", "spinning-top"}) {
    SCOPED_TRACE(name);
    const SimulatedMotion run = simulate(load_lagrangian(std::string("models/") + name + ".toml"),
                                         {.duration = 0.5, .sample_step = 0.1});
    EXPECT_TRUE(run.result.ok()) << run.result.text;
    EXPECT_EQ(run.times.size(), 6U);
    for (const Channel& channel : run.channels) {
      EXPECT_TRUE(std::isfinite(largest(channel))) << channel.name;
    }
  }
}

TEST(Simulate, NamesWhatTheModelDoesNotHave) {
  const LagrangianModel model = load_lagrangian("models/slider-crank.toml");
  EXPECT_EQ(message_of(model, {.inputs = {{"tork", [](double) { return 0.0; }}}}),
            "Motion: model \"slider_crank\" has no input \"tork\"");
  EXPECT_NE(message_of(model, {.initial = {{"cranc'", 1.0}}}).find("cranc'"), std::string::npos);
  EXPECT_NE(message_of(model, {.parameters = {{"rr", 1.0}}}).find("rr"), std::string::npos);
  EXPECT_NE(message_of(model, {}, {.duration = -1}).find("got -1"), std::string::npos);
  // Both angles and the slider are held: the loop cannot be closed.
  const std::string conflict =
      message_of(model, {.initial = {{"crank", 0.5}, {"rod", 0.9}, {"s", 0.1}}});
  for (const char* word : {"pin", "crank", "rod"})
    EXPECT_NE(conflict.find(word), std::string::npos) << conflict;
}

std::string complaint_about(const std::string& text) {
  try {
    check_dynamics(parse_lagrangian(text, "bad.toml"));
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

const std::string kBead = R"(kind = "lagrangian"
name = "bead"
coordinates = ["x",
  "y"]
[frames]
bead_frame = { motion = [{ translate = ["x", "y", 0] }] }
[bodies]
bead = { center = "bead_frame", mass = 1.3 }
)";

TEST(CheckDynamics, AcceptsWhatCanMove) {
  EXPECT_EQ(complaint_about(kBead), "");
  check_dynamics(load_lagrangian("models/motorcycle.toml"));  // a singular mass matrix, guided
}

// Without [initial] a run starts at zero, where this parallelogram is stretched: two of its
// constraints say the same. The check passed and the run was refused.
TEST(CheckDynamics, SeesTheStateThatARunStartsFrom) {
  const std::string stretched = R"(kind = "lagrangian"
name = "stretched"
coordinates = ["a", "b"]
[frames]
A = { motion = [{ rotate = "a", about = "z" }] }
B = { from = "A", motion = [{ translate = [0.5, 0, 0] }, { rotate = "b", about = "z" }] }
[points]
tip = { frame = "B", at = [0.7, 0, 0], in = "ground" }
[bodies]
first = { center = "A", mass = 1.3, inertia = [0, 0, 0.2] }
second = { center = "tip", mass = 0.4 }
[constraints]
along = { holonomic = "tip.x - 1.2" }
)";
  EXPECT_NE(complaint_about(stretched).find("demands nothing"), std::string::npos);
  EXPECT_EQ(complaint_about(stretched + "[initial]\na = 0.4\nb = -0.9\n"), "");
}

TEST(CheckDynamics, NamesACoordinateWithoutInertiaWithItsPlace) {
  std::string text = kBead;
  text.replace(text.find("\"y\", 0"), 3, "2");
  EXPECT_EQ(complaint_about(text),
            "bad.toml:4:3: coordinates[1]: model \"bead\": singular mass matrix: no inertia and no "
            "constraint determines y''");
}

TEST(CheckDynamics, NamesRedundantConstraintsWithTheirPlace) {
  const std::string redundant = kBead + R"([constraints]
line = { holonomic = "x - 2*y" }
same_line = { holonomic = "3*x - 6*y" }
)";
  EXPECT_EQ(complaint_about(redundant),
            "bad.toml:11:1: constraints.same_line: model \"bead\": constraints \"line\" and "
            "\"same_line\" are redundant");
  // Three demands on two coordinates.
  const std::string too_many = complaint_about(kBead + R"([constraints]
a = { holonomic = "x - 2*y" }
b = { holonomic = "x + y - 0.4" }
c = { holonomic = "2*x - y - 0.1" }
)");
  EXPECT_TRUE(too_many.starts_with("bad.toml:12:1: constraints.c: ")) << too_many;
  for (const char* name : {"\"a\"", "\"b\"", "\"c\""})
    EXPECT_NE(too_many.find(name), std::string::npos) << too_many;
}

}  // namespace
}  // namespace camber::lagrange
