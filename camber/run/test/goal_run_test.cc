// Drives to a goal: the whole loop from sensors to commands, in a simulation.

#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/hash.h"
#include "camber/run/simulation.h"
#include "camber/scenario/build_goal_pilot.h"
#include "camber/scenario/scenario_file.h"

namespace camber::run {
namespace {

using autonomy::Behavior, autonomy::Command, autonomy::Measurement;

const std::string kScenarios = "scenarios/";

Simulation load(const std::string& name, const std::vector<std::string>& assignments = {}) {
  return Simulation::load(kScenarios + name + ".toml", assignments);
}

const autonomy::GoalView& view_of(const Simulation& simulation) {
  return *simulation.built().drivers.front()->goal();
}

TEST(GoalRun, RoamsArcsReachTheGoalAroundCylinders) {
  Simulation simulation = load("cylinders");
  simulation.run();
  EXPECT_EQ(simulation.result().status, RunStatus::kDone) << simulation.result().reason;
  EXPECT_EQ(view_of(simulation).behavior, Behavior::kArrived);
  EXPECT_TRUE(simulation.result().stop.starts_with("goal reached")) << simulation.result().stop;
}

TEST(GoalRun, LidarAndFilterReachTheGoalFasterThanRoams) {
  Simulation simulation = load("cylinders-lidar");
  double fastest = 0, worst = 0;
  simulation.add_observer(0.1, [&](Simulation& s) {
    const autonomy::VehicleView& truth = s.world().vehicle(0).view();
    fastest = std::max(fastest, truth.speed);
    if (s.time() > 1)
      worst = std::max(worst, std::hypot(truth.x - view_of(s).x, truth.y - view_of(s).y));
  });
  simulation.run();
  EXPECT_EQ(simulation.result().status, RunStatus::kDone) << simulation.result().reason;
  EXPECT_EQ(view_of(simulation).behavior, Behavior::kArrived);
  EXPECT_GT(fastest, 8);  // the length of ground that 16 beams see sets the speed
  EXPECT_LT(worst, 0.5);
}

TEST(GoalRun, ContinuesBitForBitFromASavedState) {
  for (const char* name : {"cylinders", "cylinders-lidar"}) {
    SCOPED_TRACE(name);
    Simulation whole = load(name, {"run.duration=14"}), first = load(name, {"run.duration=14"}),
               second = load(name, {"run.duration=14"});
    whole.run();
    first.advance_to(9.03);
    second.restore(first.save());
    second.run();
    EXPECT_EQ(hash_values(whole.state_values()), hash_values(second.state_values()));
  }
}

// Check 40: the same seed gives the same log to the bit, whatever the number of threads.
TEST(GoalRun, TheSameSeedGivesTheSameLogForAnyNumberOfThreads) {
  std::vector<std::vector<double>> logs;
  for (const char* threads :
       {"sensor[0].threads=1", "sensor[0].threads=1", "sensor[0].threads=3"}) {
    Simulation simulation = load("cylinders-lidar", {"run.duration=6", "run.seed=11", threads});
    logs.emplace_back();
    simulation.set_recorder([&](double, std::span<const double> sample) {
      logs.back().insert(logs.back().end(), sample.begin(), sample.end());
    });
    simulation.run();
  }
  EXPECT_EQ(hash_values(logs[0]), hash_values(logs[1]));
  EXPECT_EQ(hash_values(logs[0]), hash_values(logs[2]));
}

/// Keeps what a pilot was told and what it commanded.
class RecordingPilot : public autonomy::Pilot {
 public:
  struct Event {
    std::vector<Measurement> taken;  // before the update
    autonomy::VehicleView view;
    Command command;
  };
  explicit RecordingPilot(std::unique_ptr<autonomy::Pilot> inner) : inner_(std::move(inner)) {}
  double sample_time() const override { return inner_->sample_time(); }
  void take(const Measurement& measurement) override {
    taken_.push_back(measurement);
    inner_->take(measurement);
  }
  Command update(const autonomy::VehicleView& view) override {
    events.push_back({std::move(taken_), view, inner_->update(view)});
    taken_.clear();
    return events.back().command;
  }
  const autonomy::GoalView* goal() const override { return inner_->goal(); }
  void save(StateWriter* out) const override { inner_->save(out); }
  void restore(StateReader* in) override { inner_->restore(in); }

  std::vector<Event> events;

 private:
  std::unique_ptr<autonomy::Pilot> inner_;
  std::vector<Measurement> taken_;
};

// A pilot knows no simulator: with recorded measurements and a clock it gives the same commands.
TEST(GoalRun, RecordedMeasurementsGiveTheSameCommandsToTheBit) {
  scenario::BuiltScenario built = scenario::build_scenario(
      scenario::load_scenario(kScenarios + "cylinders-lidar.toml", Overrides({"run.duration=12"})));
  auto* recorder = new RecordingPilot(std::move(built.drivers.front()));
  built.drivers.front().reset(recorder);
  const autonomy::GoalSetup setup = scenario::make_goal_setup(
      *built.scenario, *built.parts, scenario::make_driver_vehicle(*built.scenario, *built.parts));
  Simulation simulation(std::move(built));
  simulation.run();
  ASSERT_GT(recorder->events.size(), 500u);
  autonomy::GoalPilot pilot(setup);
  for (const RecordingPilot::Event& event : recorder->events) {
    for (const Measurement& measurement : event.taken) pilot.take(measurement);
    autonomy::VehicleView clock;
    clock.time = event.view.time;
    const Command command = pilot.update(clock);
    ASSERT_EQ(command.steer, event.command.steer) << "t = " << clock.time;
    ASSERT_EQ(command.throttle, event.command.throttle) << "t = " << clock.time;
    ASSERT_EQ(command.brake, event.command.brake) << "t = " << clock.time;
  }
}

TEST(GoalRun, RefusesAGoalInAnObstacleAndNamesTheKey) {
  try {
    load("cylinders", {"autonomy.goal=[150, 0.2]"});
    FAIL();
  } catch (const ModelFileError& error) {
    EXPECT_NE(std::string(error.what()).find("autonomy.goal: there is an obstacle at x = 150 m"),
              std::string::npos)
        << error.what();
  }
}

TEST(GoalRun, AnUnreachableGoalEndsWithAReason) {
  Simulation simulation = load("cylinders", {"autonomy.goal=[60, 40]", "autonomy.no_progress=10"});
  simulation.run();
  EXPECT_EQ(simulation.result().status, RunStatus::kFailed);
  EXPECT_TRUE(simulation.result().reason.starts_with("the goal is not reached: "))
      << simulation.result().reason;
  EXPECT_LT(simulation.time(), 100);
}

}  // namespace
}  // namespace camber::run
