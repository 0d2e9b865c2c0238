// A simulation gives the same bits however it is stepped, watched, saved or shared.

#include "camber/run/simulation.h"

#include <cmath>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/dynamics/full_vehicle.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/record/table.h"
#include "camber/scenario/scenario_file.h"

namespace camber::run {
namespace {

/// A lane change of 4 s that is under way from the start, with the energy balance, so that all
/// parts of the state are in use.
Simulation make_simulation(const std::string& more = "", scenario::PartsCache* cache = nullptr) {
  return Simulation(scenario::build_scenario(
      scenario::parse_scenario(
          "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n"
          "start = { speed = 17, gear = 3, x = 3.7, y = -1.9, heading_deg = 12 }\n"
          "[driver.steering]\nkind = \"preview\"\n[driver.path]\nkind = \"lane_change\"\n"
          "[[driver.path.change]]\ntime = 0.4\noffset = 2.9\nduration = 1.7\n"
          "[driver.speed]\nkind = \"hold\"\ntarget = 19\n"
          "[run]\nduration = 4\nsample_interval = 0.013\n"
          "[[figures]]\nfigure = \"energy_error\"\n" +
              more,
          "scenarios/test.toml"),
      cache));
}

struct Outcome {
  std::vector<double> state;
  record::Table log;
};

/// Runs to the end, recorded, by a function that steps.
template <class Step>
Outcome run(Simulation simulation, const Step& step) {
  Outcome outcome{.state = {}, .log = record::Table(simulation.channels())};
  simulation.set_recorder(
      [&](double t, std::span<const double> sample) { outcome.log.append(t, sample); });
  while (!simulation.is_done()) step(&simulation);
  EXPECT_EQ(simulation.result().status, RunStatus::kDone) << simulation.result().reason;
  outcome.state = simulation.state_values();
  return outcome;
}

Outcome run_plainly(const std::string& more = "") {
  return run(make_simulation(more), [](Simulation* s) { s->run(); });
}

void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.log.times, b.log.times);
  EXPECT_EQ(a.log.values, b.log.values);
}

TEST(Simulation, GivesTheSameBitsInUnevenBites) {
  const Outcome whole = run_plainly();
  EXPECT_GT(whole.log.samples(), 300U);
  for (const unsigned seed : {1U, 2U}) {
    SCOPED_TRACE(seed);
    RandomStream random(seed);
    expect_same(
        whole, run(make_simulation(), [&](Simulation* s) {
          s->step(random.uniform(0, 1) < 0.5 ? random.uniform(0, 0.0015) : random.uniform(0, 0.4));
        }));
  }
}

// Time is that of whole integration steps: never beyond what was asked for, and never more than a
// step short of it.
TEST(Simulation, NeverSplitsAStep) {
  Simulation simulation = make_simulation();
  RandomStream random(3);
  double asked_for = 0;
  for (int i = 0; i < 200; ++i) {
    const double dt = random.uniform(0, 0.01);
    asked_for += dt;
    simulation.step(dt);
    EXPECT_LE(simulation.time(), asked_for + 1e-9);
    EXPECT_GT(simulation.time(), asked_for - 0.001 - 1e-9);
    EXPECT_EQ(simulation.vehicle().time, simulation.time());
  }
}

// Looking changes nothing, at whatever moment: snapshots, poses of all bodies, observers.
TEST(Simulation, GivesTheSameBitsWhenWatched) {
  const Outcome whole = run_plainly();
  int calls = 0;
  double last = 0;
  Simulation watched = make_simulation();
  watched.add_observer(0.0161, [&](Simulation& s) {
    ++calls;
    last = s.time();
    EXPECT_GT(s.vehicle().wheels.at(2).load, 0);
    if (calls % 20 == 0) {
      EXPECT_EQ(s.body_poses().size(), 37U);  // with the world
    }
  });
  expect_same(whole, run(std::move(watched), [](Simulation* s) {
                s->step(0.0037);
                s->vehicle();
              }));
  EXPECT_EQ(calls, static_cast<int>(4 / 0.0161));
  EXPECT_NEAR(last, 0.0161 * calls, 0.001);
}

// In the middle of a control interval, too, and into another object.
TEST(Simulation, ContinuesFromASavedState) {
  for (const char* formulation : {"generated", "ce"}) {
    SCOPED_TRACE(formulation);
    const std::string more =
        concat("[tire]\ncontact = \"point\"\n");  // a table after [[figures]] ends the list
    const auto make = [&] {
      return Simulation(scenario::build_scenario(scenario::parse_scenario(
          make_simulation().scenario().source.text + more, "scenarios/test.toml",
          {concat("vehicle.formulation=", formulation)})));
    };
    Simulation whole = make();
    std::vector<SimulationState> saved;
    for (const double t : {0.0, 0.4, 0.4567, 1.301, 2.22, 3.9999}) {
      whole.advance_to(t);
      saved.push_back(whole.save());
    }
    whole.run();
    ASSERT_EQ(whole.result().status, RunStatus::kDone) << whole.result().reason;
    Simulation again = make();
    for (const SimulationState& state : saved) {
      SCOPED_TRACE(state.time);
      again.restore(state);
      EXPECT_EQ(again.time(), state.time);
      again.run();
      EXPECT_EQ(again.state_values(), whole.state_values());
    }
    SimulationState cut = saved[2];
    cut.values.pop_back();
    EXPECT_THROW(again.restore(cut), std::invalid_argument);
  }
}

// A recording of the driver's commands, given from outside, is the driver: state, and log with the
// commands in it.
TEST(Simulation, IsDrivenFromOutsideAsByItsDriver) {
  std::vector<autonomy::Command> commands;
  Simulation driven = make_simulation();
  while (!driven.is_done()) {
    driven.step(driven.scenario().driver.sample_time);
    commands.push_back(driven.vehicle().command);
  }
  Simulation first = make_simulation();
  first.advance_to(0);
  const autonomy::Command start = first.vehicle().command;

  Simulation simulation = make_simulation();
  record::Table log(simulation.channels());
  simulation.set_recorder([&](double t, std::span<const double> sample) { log.append(t, sample); });
  simulation.command(start);
  EXPECT_TRUE(simulation.is_commanded());
  for (const autonomy::Command& command : commands) {
    simulation.step(simulation.scenario().driver.sample_time);
    simulation.command(command);
  }
  simulation.run();
  const Outcome plain = run_plainly();
  EXPECT_EQ(driven.state_values(), plain.state);
  EXPECT_EQ(simulation.result().status, RunStatus::kDone);
  // The last command comes after the end: all before it are the driver's.
  ASSERT_EQ(log.times, plain.log.times);
  std::size_t same = 0;
  for (std::size_t c = 0; c < log.channels.size(); ++c)
    for (std::size_t i = 0; i + 1 < log.samples(); ++i)
      same += std::ranges::equal(log.row(c, i), plain.log.row(c, i)) ? 1 : 0;
  EXPECT_EQ(same, log.channels.size() * (log.samples() - 1));
}

// The last sample came only at a multiple of the sample interval when commands came from outside.
TEST(Simulation, LogsTheMomentOfAStopWhenCommandedFromOutside) {
  Simulation simulation = Simulation::load(
      "scenarios/step-steer.toml",
      {"run.sample_interval=0.25", "stop=[{ when = \"time\", value = 0.31, then = \"ends\" }]"});
  std::vector<double> times;
  simulation.set_recorder([&](double t, std::span<const double>) { times.push_back(t); });
  simulation.command({.throttle = 0.2});
  simulation.run();
  EXPECT_EQ(simulation.result().status, RunStatus::kDone);
  ASSERT_EQ(times.size(), 3U);
  EXPECT_NEAR(times.back(), 0.31, 1e-9);
  EXPECT_EQ(simulation.result().samples, 3);
  EXPECT_THROW(simulation.advance_to(NAN), std::invalid_argument);
}

TEST(Simulation, IsTakenOverAndReleased) {
  Simulation simulation(scenario::build_scenario(scenario::parse_scenario(
      make_simulation().scenario().source.text, "scenarios/test.toml", {"run.duration=14"})));
  simulation.advance_to(1);
  simulation.command({.steer = 0.01, .throttle = 0, .brake = 0.12});
  simulation.advance_to(2);
  EXPECT_EQ(simulation.vehicle().command.brake, 0.12);
  const double slow = simulation.vehicle().velocity[0];
  EXPECT_LT(slow, 17);
  simulation.release();
  simulation.run();
  EXPECT_EQ(simulation.result().status, RunStatus::kDone) << simulation.result().reason;
  EXPECT_NEAR(simulation.vehicle().velocity[0], 19, 0.5);
  EXPECT_LT(std::abs(simulation.path_deviation()), 0.3);
}

TEST(Simulation, RunsInTwoThreads) {
  const Outcome alone = run_plainly();
  scenario::PartsCache cache;
  std::vector<Outcome> outcomes(2);
  std::vector<std::thread> threads;
  for (Outcome& outcome : outcomes)
    threads.emplace_back([&cache, &outcome] {
      outcome = run(make_simulation("", &cache), [](Simulation* s) { s->step(0.1); });
    });
  for (std::thread& thread : threads) thread.join();
  for (const Outcome& outcome : outcomes) expect_same(alone, outcome);
}

TEST(PartsCache, SharesPartsOfRunsThatDifferInTheirDriver) {
  scenario::PartsCache cache;
  const auto load = [&](const Overrides& overrides) {
    return Simulation::load("scenarios/step-steer.toml", overrides, &cache).built().parts;
  };
  const auto parts = load({});
  EXPECT_EQ(load({"vehicle.start.speed=11", "driver.steering.angle_deg=2", "run.duration=3",
                  "figures=[]"}),
            parts);
  EXPECT_NE(load({"vehicle:chassis.mass=2100"}), parts);
  EXPECT_NE(load({"ground.friction=0.5"}), parts);
}

// What vehicles share must not show in results: with another mass, rate or lock after others they
// are, bit for bit, those of a cache that has seen nothing before.
TEST(PartsCache, GivesResultsThatDoNotDependOnWhatWasLoadedBefore) {
  const std::string path = "scenarios/step-steer.toml";
  scenario::PartsCache cache;
  Simulation::load(path, {}, &cache);
  for (const char* change :
       {"vehicle:chassis.mass=2345.5", "vehicle:axles.front.spring.stiffness=171000.5",
        "vehicle:chassis.inertia=[1100, 2900, 3500]", "equipment:steering.lock=0.4",
        "vehicle:steering.pitman_end=[1.4, 0.2, 0.1]", "vehicle:chassis.center=[0.1, 0.01, 0.2]"}) {
    SCOPED_TRACE(change);
    const auto run =
        [&](scenario::PartsCache* from) -> std::pair<std::vector<double>, std::string> {
      try {
        Simulation simulation =
            Simulation::load(path, {change, "run.duration=2.5", "figures=[]"}, from);
        simulation.run();
        return {simulation.state_values(), simulation.result().reason};
      } catch (const ModelFileError& error) {
        return {{}, error.what()};
      }
    };
    const auto fresh = run(nullptr), shared = run(&cache);
    EXPECT_EQ(shared.first, fresh.first);
    EXPECT_EQ(shared.second, fresh.second);
  }
}

// The chassis and the wheels are where the snapshot has them; loads carry the vehicle.
TEST(Simulation, ShowsPosesAndLoadsThatBelongTogether) {
  Simulation simulation = make_simulation();
  simulation.advance_to(1.2345);
  const dynamics::VehicleSnapshot& now = simulation.vehicle();
  const std::vector<dynamics::NamedPose> poses = simulation.body_poses();
  const auto find = [&](std::string_view name) {
    for (const dynamics::NamedPose& pose : poses)
      if (pose.name == name) return pose;
    throw std::invalid_argument(concat("no body ", name));
  };
  const dynamics::NamedPose chassis = find("chassis");
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(chassis.position[k], now.position[k], 1e-9);
  double force = 0;
  for (const auto& wheel : now.wheels) force += wheel.force[2];
  const double mass = simulation.built().parts->total.mass;
  EXPECT_NEAR(force / mass, 9.81, 1);
  EXPECT_EQ(&simulation.wheel("rear_right"), &simulation.vehicle().wheels[3]);
  EXPECT_THROW(simulation.wheel("middle_left"), std::invalid_argument);
  // Contact is below the wheel's center, by about the tire's radius.
  for (const auto& wheel : now.wheels)
    EXPECT_NEAR(wheel.center[2] - wheel.contact_point[2], 0.44, 0.03);
}

scenario::Scenario make_step_steer(const std::string& start) {
  return scenario::load_scenario("scenarios/step-steer.toml",
                                 {"vehicle.start=" + start, "run.duration=3", "figures=[]"});
}

// Each vehicle drives as it does alone, bit for bit, with its own driver; all are in the log.
TEST(Simulation, HasSeveralVehiclesInOneWorld) {
  const std::string left = "{ speed = 20, gear = 3, y = 6 }",
                    right = "{ speed = 17, gear = 3, y = -6, heading_deg = 3 }";
  scenario::BuiltScenario both = scenario::build_scenario(make_step_steer(left));
  EXPECT_EQ(scenario::add_vehicle(make_step_steer(right), &both), 1);
  Simulation simulation(std::move(both));
  record::Table log(simulation.channels());
  simulation.set_recorder([&](double t, std::span<const double> sample) { log.append(t, sample); });
  while (!simulation.is_done()) simulation.step(0.0173);
  ASSERT_EQ(simulation.result().status, RunStatus::kDone) << simulation.result().reason;
  int i = 0;
  for (const std::string& start : {left, right}) {
    Simulation alone(scenario::build_scenario(make_step_steer(start)));
    alone.run();
    StateWriter own, other;
    alone.world().vehicle(0).save(&own);
    simulation.world().vehicle(i++).save(&other);
    EXPECT_EQ(own.values(), other.values());
  }
  EXPECT_NE(log.find_values("vehicles/1_hmmwv/chassis/position"), nullptr);
  EXPECT_NE(log.find_values("obstacles/clearance"), nullptr);
}

TEST(Simulation, EndsWhereVehiclesOrThingsMeet) {
  scenario::BuiltScenario both =
      scenario::build_scenario(make_step_steer("{ speed = 20, gear = 3 }"));
  scenario::add_vehicle(make_step_steer("{ speed = 10, gear = 2, x = 30, heading_deg = 180 }"),
                        &both);
  Simulation meeting(std::move(both));
  meeting.run();
  EXPECT_EQ(meeting.result().status, RunStatus::kFailed);
  EXPECT_NE(meeting.result().reason.find("hits vehicle 1 (hmmwv)"), std::string::npos)
      << meeting.result().reason;
  EXPECT_NEAR(meeting.time(), (30 - 4.57) / 30, 0.05);

  scenario::BuiltScenario crossing =
      scenario::build_scenario(make_step_steer("{ speed = 20, gear = 3 }"));
  crossing.world.add({.name = "the pedestrian",
                      .outline = {.rear = -0.3, .front = 0.3, .right = -0.3, .left = 0.3},
                      .height = 1.8,
                      .track = {{0, 20, -5, 1.57}, {2, 20, 5, 1.57}}});
  Simulation simulation(std::move(crossing));
  simulation.run();
  EXPECT_NE(simulation.result().reason.find("hits the pedestrian"), std::string::npos)
      << simulation.result().reason;
}

// [[other]] of a file gives the same bits as add_vehicle() with a scenario of its own.
TEST(Simulation, ReadsOtherVehiclesFromTheFile) {
  const std::string other =
      "{ name = \"lead\", vehicle = { model = \"../models/hmmwv.toml\", start = { x = 31.5, y = "
      "9.1, "
      "speed = 17.5, gear = 3 } }, driver = { steering = { kind = \"sine\", angle_deg = 1.5, "
      "frequency = "
      "0.6 }, speed = { kind = \"hold\", target = 17.5 } }, set = [\"vehicle:chassis.mass=2222\"] "
      "}";
  Simulation simulation = Simulation::load("scenarios/step-steer.toml",
                                           {"run.duration=2", "figures=[]", "other=[" + other + "]",
                                            "lead.vehicle:chassis.inertia=[1100, 2900, 3500]"});
  EXPECT_EQ(simulation.world().vehicle_name(1), "lead");
  scenario::BuiltScenario both = scenario::build_scenario(
      scenario::load_scenario("scenarios/step-steer.toml", {"run.duration=2", "figures=[]"}));
  scenario::add_vehicle(
      scenario::load_scenario(
          "scenarios/step-steer.toml",
          {"run.duration=2", "figures=[]",
           "vehicle.start={ x = 31.5, y = 9.1, speed = 17.5, gear = 3 }",
           "driver.steering={ kind = \"sine\", angle_deg = 1.5, frequency = 0.6 }",
           "driver.speed.target=17.5", "vehicle:chassis.mass=2222",
           "vehicle:chassis.inertia=[1100, 2900, 3500]"}),
      &both);
  Simulation added(std::move(both));
  // In the middle, to another simulation and on.
  simulation.advance_to(0.8);
  const SimulationState state = simulation.save();
  simulation.run();
  added.run();
  EXPECT_EQ(simulation.result().status, RunStatus::kDone) << simulation.result().reason;
  EXPECT_EQ(simulation.state_values(), added.state_values());
  const std::vector<double> end = simulation.state_values();
  simulation.restore(state);
  simulation.run();
  EXPECT_EQ(simulation.state_values(), end);
}

TEST(Simulation, StopsByHandWithASample) {
  Simulation simulation = make_simulation();
  std::vector<double> times;
  simulation.set_recorder([&](double t, std::span<const double>) { times.push_back(t); });
  simulation.advance_to(0.5);
  simulation.stop();
  EXPECT_EQ(simulation.result().status, RunStatus::kStopped);
  EXPECT_EQ(times.back(), simulation.time());
  EXPECT_NEAR(simulation.time(), 0.5, 0.01);
  const double time = simulation.time();
  simulation.step(1);
  EXPECT_EQ(simulation.time(), time);
}

TEST(Simulation, NamesFileLineAndKeyOfAWrongOverrideInAnyFile) {
  const auto message = [](const Overrides& overrides) -> std::string {
    try {
      Simulation::load("scenarios/step-steer.toml", overrides);
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({"vehicle:axles.front.spring.stifness=170e3"})
                .find("--set vehicle:axles.front.spring.stifness=170e3"),
            std::string::npos);
  EXPECT_NE(message({"vehicle:axles.front.spring.stifness=1"}).find("did you mean \"stiffness\"?"),
            std::string::npos);
  EXPECT_NE(message({"tire:tire.radius=-1"}).find("must be > 0 m"), std::string::npos);
  EXPECT_NE(message({"equipment:brakes.lag=soft"}).find("--set equipment:brakes.lag=soft"),
            std::string::npos);
  EXPECT_NE(message({"tyre:tire.radius=1"}).find("did you mean \"tire\"?"), std::string::npos);
  EXPECT_EQ(message({"vehicle:axles.front.spring.stiffness=170e3"}), "");
}

/// What the watch says about a shipped scenario with overrides, all of it; `unsound` becomes how
/// much of it is.
std::string findings_of(const std::string& name, const std::vector<std::string>& overrides,
                        int* unsound) {
  Simulation simulation = Simulation::load("scenarios/" + name + ".toml", Overrides(overrides));
  simulation.run();
  std::string all;
  *unsound = 0;
  for (const DriveFinding& finding : simulation.findings()) {
    all += finding.text + "\n";
    *unsound += finding.is_unsound ? 1 : 0;
  }
  return all;
}

/// Steps of 1 ms, all of which are rejected down to the smallest parts, against these parts one by one.
void expect_parts_of(const std::string& scenario, const Overrides& overrides) {
  SCOPED_TRACE(scenario);
  const auto values_of = [](const dynamics::Vehicle& car) {
    StateWriter out;
    car.save(&out);
    return out.take();
  };
  Simulation one = Simulation::load(scenario, overrides),
             other = Simulation::load(scenario, overrides);
  auto& rejecting =
      dynamic_cast<dynamics::FullVehicle<dynamics::GeneratedChassis>&>(one.world().vehicle(0));
  dynamics::Vehicle& plain = other.world().vehicle(0);
  rejecting.scale_bend_limits(1e-9);
  const autonomy::Command command{.steer = 0.11, .throttle = 0.4, .selector = 1};
  rejecting.command(command);
  plain.command(command);
  for (int step = 0; step < 6; ++step) {
    const double begin = rejecting.time(), end = 0.001 * (step + 1);
    ASSERT_TRUE(rejecting.step(end).ok());
    const double part = (end - begin) / dynamics::kSmallestPart;
    for (int k = 1; k <= dynamics::kSmallestPart; ++k)
      ASSERT_TRUE(plain.step(k == dynamics::kSmallestPart ? end : begin + k * part).ok());
    EXPECT_EQ(values_of(rejecting), values_of(plain)) << "step " << step;
  }
  EXPECT_EQ(rejecting.steps(), 6 * dynamics::kSmallestPart);
  EXPECT_EQ(rejecting.steps(), plain.steps());
  EXPECT_GE(rejecting.rejected_steps().count, 6 * dynamics::kSmallestPart / 2);
  EXPECT_EQ(rejecting.rejected_steps().first_time, 0);
  EXPECT_EQ(plain.rejected_steps().count, 0);
}

// What a rejected step has written is taken back to the last bit: ruts and shear of soil, treads, brakes,
// accounts of energy.
TEST(Simulation, PartsOfRejectedStepsHaveTheBitsOfShorterSteps) {
  expect_parts_of("scenarios/soft-soil-ruts.toml", {});
  expect_parts_of("scenarios/soft-soil-ruts.toml", {"run.method=rk4"});
  expect_parts_of("scenarios/step-steer.toml", {});
}

// Both passed all figures with wheels pressed in by several radii; a shipped scenario is sound.
TEST(DriveWatch, FindsNothingInShippedScenariosOverBumps) {
  int unsound = 0;
  EXPECT_EQ(findings_of("half-round", {}, &unsound), "");
  EXPECT_EQ(findings_of("rollover-ramp", {}, &unsound), "");
  // Its body, lower by 0.2 m, touches the road before it rolls over.
  EXPECT_TRUE(
      findings_of("rollover-ramp", {"vehicle:shape.box[0].min=[-2.285, -1.08, -0.3]"}, &unsound)
          .starts_with("the body touches the ground"));
  EXPECT_EQ(unsound, 0);
}

TEST(DriveWatch, SeesWhatAVehicleCannotDo) {
  struct Case {
    const char* scenario;
    std::vector<std::string> overrides;
    const char* finding;
  };
  const std::vector<Case> cases = {
      {"half-round", {"tire.contact=four_points"}, "is pressed in by 0.28"},
      {"half-round",
       {"vehicle.start={speed=15,x=83}", "driver.speed.target=15",
        "tire:tire.vertical={deflection=[0,0.05,0.15],force=[0,11000,3e6],damping=500}",
        "ground.bump=[{shape=\"ramp\",x=20,height=25,rise=60,top=10,fall=0.01}]"},
       "times the weight of the vehicle"},
      {"half-round",
       {"vehicle.level=single_track", "ground.bump=[{shape=\"step\",x=20,height=10}]"},
       "climbs a slope of 89"},
      {"half-round",
       {"vehicle.level=point_mass", "ground.bump=[{shape=\"step\",x=20,height=10}]"},
       "climbs a slope of 89"},
      {"off-road-hills",
       {"vehicle.start.x=5000", "run.duration=1", "figures=[]"},
       "starts beyond the end of"}};
  for (const Case& c : cases) {
    int unsound = 0;
    const std::string found = findings_of(c.scenario, c.overrides, &unsound);
    EXPECT_NE(found.find(c.finding), std::string::npos) << c.overrides[0] << ": " << found;
    EXPECT_GE(unsound, 1) << c.overrides[0];
  }
}

// A block of 1 m between the wheels, under a frame at 0.41 m: vehicles used to drive through it.
TEST(DriveWatch, ABlockBetweenTheWheelsStopsTheBody) {
  Simulation simulation = Simulation::load(
      "scenarios/half-round.toml",
      {"ground.bump=[{shape=\"ramp\",x=20,y=0,height=1.0,rise=0.5,top=1,fall=0.5,width=0.8,"
       "edge=0.05}]",
       "figures=[]"});
  simulation.run();
  EXPECT_LT(simulation.vehicle().position[0], 20);  // its front is 2.3 m before
  bool touches = false;
  for (const DriveFinding& finding : simulation.findings())
    touches = touches || finding.text.find("the body touches the ground") != std::string::npos;
  EXPECT_TRUE(touches);
}

// The watch is part of the state: back before a wall, and slower, nothing has happened, and the work
// of what was undone does not count.
TEST(DriveWatch, GoesBackWithTheSimulation) {
  Simulation simulation = Simulation::load(
      "scenarios/double-lane-change.toml",
      {"ground.bump=[{shape=\"step\",x=12,height=0.6}]", "vehicle.start.speed=10"});
  simulation.advance_to(0.8);
  const SimulationState before = simulation.save();
  EXPECT_TRUE(simulation.findings().empty());
  simulation.advance_to(2);
  EXPECT_FALSE(simulation.findings().empty());
  const std::string first = simulation.findings()[0].text;
  simulation.restore(before);
  EXPECT_TRUE(simulation.findings().empty());
  simulation.advance_to(2);
  ASSERT_FALSE(simulation.findings().empty());
  EXPECT_EQ(simulation.findings()[0].text, first);
}

// Wheels spin at a low speed: the tread of the Magic Formula took up more than the plausibility
// limit of 10 m, at every step length, and the drive failed.
TEST(Simulation, DrivesTheMagicFormulaOnIce) {
  for (const char* friction : {"0.05", "0.1", "0.2"}) {
    Simulation simulation = Simulation::load(
        "scenarios/double-lane-change.toml",
        {"tire.model=magic_formula", "tire.file=../models/tires/hmmwv.tir",
         std::string("ground.friction=") + friction, "run.duration=12", "figures=[]"});
    simulation.run();
    EXPECT_EQ(simulation.result().status, RunStatus::kDone)
        << friction << ": " << simulation.result().reason;
  }
}

TEST(DriveWatch, NotesOverspeedAndChatter) {
  int unsound = 0;
  const std::vector<std::string> fast = {"vehicle.start.speed=30", "driver.speed.target=30",
                                         "run.duration=3", "figures=[]"};
  // A start with overspeed is refused: the engine gets there downhill, in a gear that is held.
  const std::vector<std::string> in_first = {"vehicle.start.speed=12",
                                             "vehicle.start.gear=1",
                                             "driver.gear=1",
                                             "driver.speed={kind=\"none\"}",
                                             "ground.slope=-0.5",
                                             "run.duration=4",
                                             "figures=[]"};
  EXPECT_NE(findings_of("double-lane-change", in_first, &unsound).find("the engine runs at"),
            std::string::npos);
  EXPECT_EQ(unsound, 0);
  EXPECT_EQ(findings_of("double-lane-change", fast, &unsound), "")
      << "without a given gear it starts in one that fits";
  // A point mass rotates as it is steered, so yaw damping above L/u answers each command with more
  // than its size. Preview knows what it steers.
  std::vector<std::string> point_mass = fast;
  point_mass.insert(point_mass.end(), {"vehicle.level=point_mass", "run.duration=45"});
  EXPECT_EQ(findings_of("double-lane-change", point_mass, &unsound), "");
  point_mass.push_back("driver.steering={kind=\"stanley\",yaw_damping=0.5}");
  EXPECT_NE(findings_of("double-lane-change", point_mass, &unsound).find("the driver chatters"),
            std::string::npos);
}

}  // namespace
}  // namespace camber::run
