// Drives to a goal: the whole loop from sensors to commands, in a simulation.

#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/hash.h"
#include "camber/core/require.h"
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

std::string story(const autonomy::GoalView& view) {
  std::string text;
  for (const autonomy::BehaviorChange& c : view.changes)
    text += concat(c.time, " s at ", c.at.x, ", ", c.at.y, ": ",
                   autonomy::kBehaviorWords[static_cast<std::size_t>(c.behavior)], ", ", c.reason,
                   "\n");
  return text;
}

/// A shipped scenario from start to goal; a touch would end it as failed.
void expect_goal(const std::string& name) {
  Simulation simulation = load(name);
  simulation.run();
  EXPECT_EQ(simulation.result().status, RunStatus::kDone) << simulation.result().reason;
  EXPECT_EQ(view_of(simulation).behavior, Behavior::kArrived) << story(view_of(simulation));
}

TEST(GoalRun, Scenario1OfRoamsReachesItsGoal) { expect_goal("urban-drive-to-goal"); }
TEST(GoalRun, Scenario1ByLidarReachesItsGoal) { expect_goal("urban-lidar"); }
TEST(GoalRun, NightReachesItsGoal) { expect_goal("urban-night"); }
TEST(GoalRun, OutagesOfSatellitesReachTheirGoal) { expect_goal("urban-outages"); }
TEST(GoalRun, OffTheRoadReachesItsGoal) { expect_goal("off-road-to-goal"); }
TEST(GoalRun, BlockedStreetReachesItsGoal) { expect_goal("blocked-street"); }
TEST(GoalRun, TrapReachesItsGoal) { expect_goal("u-trap"); }
TEST(GoalRun, ParkingReachesItsGoal) { expect_goal("parking"); }

TEST(GoalRun, WaitsForCrossingTrafficThatItsRadarSees) {
  Simulation simulation = load("crossing-traffic");
  simulation.run();
  EXPECT_EQ(simulation.result().status, RunStatus::kDone) << simulation.result().reason;
  const autonomy::GoalView& view = view_of(simulation);
  EXPECT_EQ(view.behavior, Behavior::kArrived) << story(view);
  EXPECT_TRUE(std::ranges::any_of(view.changes, [](const auto& c) {
    return c.behavior == Behavior::kWait && c.reason.starts_with("something crosses the way");
  })) << story(view);
}

TEST(GoalRun, ContinuesBitForBitFromASavedState) {
  for (const char* name : {"cylinders", "cylinders-lidar", "crossing-traffic"}) {
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

std::string message_of(const std::string& name, const std::vector<std::string>& assignments) {
  try {
    load(name, assignments);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}

// What nobody can drive to or from is refused before the first step, with file and key.
TEST(GoalRun, RefusesGoalsAndStartsInHousesAndAreasWithoutEnd) {
  const Simulation simulation = load("urban-drive-to-goal");
  int houses = 0;
  for (const city::Block& block : simulation.built().parts->city->blocks) {
    if (block.buildings.empty()) continue;
    const city::Building& house = block.buildings.front();
    planning::Point middle;
    for (const planning::Point& p : house.footprint) {
      const auto share = 1.0 / static_cast<double>(house.footprint.size());
      middle = {middle.x + share * p.x, middle.y + share * p.y};
    }
    if (!planning::is_inside(house.footprint, middle) || ++houses > 3) continue;
    const std::string x = concat(middle.x), y = concat(middle.y);
    const std::string goal =
        message_of("urban-drive-to-goal", {concat("autonomy.goal=[", x, ", ", y, "]")});
    EXPECT_NE(goal.find("autonomy.goal: there is an obstacle at"), std::string::npos) << goal;
    const std::string start = message_of(
        "urban-drive-to-goal", {concat("vehicle.start.x=", x), concat("vehicle.start.y=", y)});
    EXPECT_NE(start.find("vehicle.start"), std::string::npos) << start;
    EXPECT_NE(start.find("urban-drive-to-goal.toml"), std::string::npos) << start;
  }
  EXPECT_GT(houses, 3);
  const std::string far =
      message_of("urban-lidar", {"autonomy.goal=[9000, 9000]", "autonomy.area_cell=0.25"});
  EXPECT_NE(far.find("autonomy: the area about start and goal is"), std::string::npos) << far;
  EXPECT_NE(far.find("expected at most 2e7"), std::string::npos) << far;
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
