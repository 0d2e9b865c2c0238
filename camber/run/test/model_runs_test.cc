// Lagrangian models and rolling wheels as runs: samples, figures, stops and failures.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/lagrange/simulate.h"
#include "camber/rolling_wheel/wheel_file.h"
#include "camber/run/lagrangian_run.h"
#include "camber/run/record_run.h"
#include "camber/run/wheel_run.h"

namespace camber::run {
namespace {

using Json = nlohmann::ordered_json;

Json finish(const record::Table& table, Runnable* run) {
  Json summary;
  report::PageData page;
  run->finish(table, &summary, &page);
  EXPECT_FALSE(page.values.empty());
  EXPECT_EQ(page.channels.size(), run->channels().size());
  return summary;
}

std::vector<double> column(const record::Table& table, const std::string& channel,
                           const std::string& name) {
  for (std::size_t c = 0; c < table.channels.size(); ++c) {
    if (table.channels[c].name != channel) continue;
    const auto& names = table.channels[c].names;
    const auto k = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    EXPECT_LT(k, names.size()) << name;
    std::vector<double> values;
    for (std::size_t i = 0; i < table.samples(); ++i) values.push_back(table.row(c, i)[k]);
    return values;
  }
  ADD_FAILURE() << "no channel " << channel;
  return {};
}

// --- Lagrangian models ---

TEST(LagrangianRun, RecordsWhatSimulateSamples) {
  const auto model = lagrange::load_lagrangian("models/slider-crank.toml");
  const lagrange::SimulatedMotion expected =
      lagrange::simulate(model, {.duration = 0.25, .sample_step = 0.1},
                         {.integrator = {.relative_tolerance = 1e-9, .absolute_tolerance = 1e-11}});
  LagrangianRun run(
      {.duration = 0.25, .method = RunMethod::kDopri, .tolerance = 1e-9, .sample_interval = 0.1},
      model);
  const record::Table table = run_in_memory(&run);
  EXPECT_EQ(table.times, expected.times);
  EXPECT_EQ(table.times.back(), 0.25);
  EXPECT_EQ(column(table, "coordinates/q", "crank"), expected.channel("crank").values);
  EXPECT_EQ(column(table, "energies", "energy.total"), expected.channel("energy.total").values);
  EXPECT_EQ(column(table, "constraints/error", "constraint_error"),
            expected.channel("constraint_error").values);
  EXPECT_EQ(run.result().status, RunStatus::kDone);
  EXPECT_EQ(run.result().statistics.steps, expected.statistics.steps);
}

TEST(LagrangianRun, KeepsTheEnergyOfADoublePendulum) {
  const auto model = lagrange::load_lagrangian("models/double-pendulum.toml");
  LagrangianRun run({.duration = 4, .method = RunMethod::kDopri, .tolerance = 1e-11}, model);
  const record::Table table = run_in_memory(&run);
  const std::vector<double> total = column(table, "energies", "energy.total");
  double drift = 0;
  for (const double energy : total) drift = std::max(drift, std::abs(energy - total.front()));
  EXPECT_LT(drift, 1e-8);
  const Json summary = finish(table, &run);
  EXPECT_EQ(summary["energy"]["first"], total.front());
  EXPECT_EQ(summary["energy"]["last"], total.back());
  EXPECT_EQ(summary["energy"]["drift"], drift);
}

TEST(LagrangianRun, StopsWithTheSampleThatIsThere) {
  const auto model = lagrange::load_lagrangian("models/double-pendulum.toml");
  LagrangianRun run({.duration = 4, .method = RunMethod::kAdams, .sample_interval = 0.5}, model);
  const record::Table table = run_in_memory(&run, {.go_on = [](double t) { return t < 1; }});
  EXPECT_EQ(table.times, (std::vector{0.0, 0.5, 1.0}));
  EXPECT_EQ(run.result().status, RunStatus::kStopped);
  EXPECT_EQ(run.result().time, 1);
}

// x'' = 1 / (1 - x)^3 reaches x = 1 in finite time, where it has no value.
TEST(LagrangianRun, EndsAtTheLastGoodSampleIfItFails) {
  const auto model = lagrange::parse_lagrangian(R"(kind = "lagrangian"
name = "falls"
coordinates = ["x"]
[frames]
bead_frame = { motion = [{ translate = ["x", 0, 0] }] }
[bodies]
bead = { center = "bead_frame", mass = 1.3 }
[potentials]
well = "-0.65/(1 - x)^2"
[initial]
x = 0.1
)",
                                                "falls.toml");
  LagrangianRun run({.duration = 20, .method = RunMethod::kDopri}, model);
  const record::Table table = run_in_memory(&run);
  const RunResult result = run.result();
  EXPECT_EQ(result.status, RunStatus::kFailed);
  EXPECT_NE(result.reason.find("t = "), std::string::npos) << result.reason;
  ASSERT_GT(table.samples(), 2U);
  EXPECT_EQ(result.time, table.times.back());
  EXPECT_LT(result.time, 20);
  for (const double x : column(table, "coordinates/q", "x")) EXPECT_LT(x, 1);
}

// The force of this potential has a value everywhere, its energy has none left of 100: the summary
// said that it does not drift.
TEST(LagrangianRun, SaysThatAnEnergyHasNoValue) {
  const auto model = lagrange::parse_lagrangian(R"toml(kind = "lagrangian"
name = "no_energy"
coordinates = ["q"]
[frames]
bead_frame = { motion = [{ translate = ["q", 0, 0] }] }
[bodies]
bead = { center = "bead_frame", mass = 1.3 }
[potentials]
p = "log(q - 100)"
)toml",
                                                "no_energy.toml");
  LagrangianRun run({.duration = 0.5, .method = RunMethod::kDopri}, model);
  const record::Table table = run_in_memory(&run);
  const Json summary = finish(table, &run);
  EXPECT_EQ(run.result().status, RunStatus::kDone);
  EXPECT_TRUE(summary["energy"]["drift"].is_null());
  ASSERT_EQ(run.warnings().size(), 2U) << "potential and total";
  EXPECT_NE(run.warnings()[0].find("energy.potential"), std::string::npos);
  EXPECT_EQ(summary["warnings"].size(), 2U);
}

TEST(LagrangianRun, SaysThatAdamsDoesNotKeepConstraints) {
  try {
    LagrangianRun run({.method = RunMethod::kAdams},
                      lagrange::load_lagrangian("models/rolling-disc.toml"));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("take dopri or bdf"), std::string::npos);
  }
}

TEST(LagrangianRun, RefusesFixedSteps) {
  const auto model = lagrange::load_lagrangian("models/double-pendulum.toml");
  EXPECT_THROW(LagrangianRun({.method = RunMethod::kRk4}, model), std::invalid_argument);
  EXPECT_THROW(LagrangianRun({.duration = -2, .method = RunMethod::kBdf}, model),
               std::invalid_argument);
}

// --- Rolling wheels ---

const char* const kFigure4 = "scenarios/rolling-wheel-fig4.toml";

TEST(WheelRun, RecordsWhatTheRunnerSamples) {
  for (const char* law : {"relaxed", "events", "regularized"}) {
    SCOPED_TRACE(law);
    const auto scenario =
        rolling_wheel::load_wheel_scenario(kFigure4, {std::string("law=\"") + law + "\""});
    RunOptions options = make_wheel_options(scenario);
    EXPECT_EQ(options.duration, 20);
    EXPECT_EQ(options.method, std::string(law) == "events" ? RunMethod::kDopri : RunMethod::kBdf);
    options.sample_interval = 0.3;  // the last interval is shorter
    const rolling_wheel::WheelRun expected = run_wheel(
        scenario, {.law = scenario.law,
                   .integrator = rolling_wheel::choose_integrator(scenario.law, options.tolerance),
                   .sample_interval = 0.3});
    WheelRun run(options, scenario);
    const record::Table table = run_in_memory(&run);
    EXPECT_EQ(run.result().status, RunStatus::kDone);
    ASSERT_EQ(table.samples(), expected.samples.size());
    const std::vector<double> speed = column(table, "velocities", "wheel x'");
    const std::vector<double> error = column(table, "energy", "not accounted for");
    for (std::size_t i = 0; i < table.samples(); ++i) {
      EXPECT_EQ(table.times[i], expected.samples[i].time);
      EXPECT_EQ(speed[i], expected.samples[i].speed);
      EXPECT_EQ(error[i], expected.samples[i].energy_error);
    }
    const Json summary = finish(table, &run);
    EXPECT_EQ(summary["law"], law);
    EXPECT_NEAR(summary["last_speed"].get<double>(), 9.80121,
                1e-4);  // docs/manual/rolling-wheel.md
    EXPECT_LT(summary["energy_error"].get<double>(), 1e-8);
    EXPECT_EQ(run.result().statistics.steps, expected.statistics.steps);
  }
}

TEST(WheelRun, ClosesItsSlipWhereItIsStopped) {
  const auto scenario = rolling_wheel::load_wheel_scenario(kFigure4);
  WheelRun run(make_wheel_options(scenario), scenario);
  // It slips from 7.24 to 15.15 s.
  const record::Table table = run_in_memory(&run, {.go_on = [](double t) { return t < 9; }});
  EXPECT_EQ(run.result().status, RunStatus::kStopped);
  EXPECT_NEAR(run.result().time, 9, 1e-9);
  EXPECT_EQ(table.times.back(), run.result().time);
  ASSERT_EQ(run.wheel().slips.size(), 1U);
  EXPECT_NEAR(run.wheel().slips[0].begin, 7.2437, 1e-3);
  EXPECT_EQ(run.wheel().slips[0].end, run.result().time);
  run.advance();  // does nothing
  EXPECT_EQ(run.result().samples, static_cast<long>(table.samples()));
}

TEST(WheelRun, RunsForAsLongAsTheOptionsSay) {
  const auto scenario = rolling_wheel::load_wheel_scenario(kFigure4);
  RunOptions options = make_wheel_options(scenario);
  options.duration = 0.055;
  WheelRun run(options, scenario);
  EXPECT_EQ(run_in_memory(&run).times.back(), 0.055);
  options.method = RunMethod::kMidpoint;
  EXPECT_THROW(WheelRun(options, scenario), std::invalid_argument);
}

}  // namespace
}  // namespace camber::run
