// Drives in lanes: the same bits in any company, those of doubles up to the last digits, and one
// lane's end or failure is its own.

#include "camber/run/lane_driver.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/core/test/allocation_count.h"
#include "camber/dynamics/lane_vehicles.h"
#include "camber/record/channel_names.h"
#include "camber/run/drive_run.h"
#include "camber/scenario/scenario_file.h"

namespace camber::run {
namespace {

/// A drive of a test and what became of it.
struct Drive {
  std::vector<double> state;
  record::Table log = record::Table();
  std::vector<report::KeyFigure> figures;
  RunResult result;
  LaneOutcome outcome;
};

/// Keys of the vehicle, the ground and the run are to follow the tables of this head.
std::string head(const std::string& start, const std::string& more_of_vehicle = "") {
  return concat(
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n",
      more_of_vehicle, "start = { ", start, " }\n");
}

/// A lane change of 4 s that is under way from the start.
std::string lane_change(double speed, double payload, double offset, const std::string& more = "") {
  return concat(head(concat("speed = ", speed, ", gear = 3, x = 3.7, y = -1.9, heading_deg = 12")),
                "[[vehicle.payload]]\nmass = ", payload, "\nat = [-0.7, 0.1, 0.5]\n",
                "[driver.steering]\nkind = \"preview\"\n[driver.path]\nkind = \"lane_change\"\n"
                "[[driver.path.change]]\ntime = 0.4\noffset = ",
                offset, "\nduration = 1.7\n[driver.speed]\nkind = \"hold\"\ntarget = ", speed + 1.5,
                "\n[[figures]]\nfigure = \"energy_error\"\n"
                "[[figures]]\nfigure = \"peak_lateral_acceleration\"\n"
                "[[figures]]\nfigure = \"peak_yaw_rate\"\n"
                "[[figures]]\nfigure = \"peak_roll_deg\"\n"
                "[[figures]]\nfigure = \"peak_deviation\"\n"
                "[[figures]]\nfigure = \"min_wheel_load\"\n",
                more);
}
std::string run_of(double duration, double step = 0.001) {
  return concat("[run]\nduration = ", duration, "\nstep = ", step, "\n");
}

/// Nine drives that differ in everything that a lane has for itself; they end at different times.
std::vector<std::string> make_lane_changes() {
  std::vector<std::string> texts;
  for (int i = 0; i < 9; ++i) {
    const double slope = 0.004 * i;
    texts.push_back(lane_change(14 + 0.7 * i, 60 + 45 * i, i % 2 == 0 ? 2.9 : -2.3,
                                concat("[ground]\nfriction = ", 0.8 + 0.03 * i, "\nslope = ", slope,
                                       "\nslope_heading_deg = ", 25 * i, "\n",
                                       run_of(1.5 + 0.31 * i, i == 4 ? 0.0008 : 0.001))));
  }
  return texts;
}

std::unique_ptr<Simulation> make_simulation(const std::string& text, Drive* drive) {
  auto simulation = std::make_unique<Simulation>(
      scenario::build_scenario(scenario::parse_scenario(text, "scenarios/test.toml")));
  drive->log = record::Table(simulation->channels());
  simulation->set_recorder(
      [drive](double t, std::span<const double> sample) { drive->log.append(t, sample); });
  return simulation;
}

void take_results(Simulation* simulation, Drive* drive) {
  drive->state = simulation->state_values();
  drive->result = simulation->result();
  drive->figures = calc_figures(simulation->built(), drive->log);
}

/// In the order of `order`, at each place of the drive's own.
std::vector<Drive> drive_in_lanes(const std::vector<std::string>& texts, int lanes,
                                  std::vector<std::size_t> order = {}) {
  if (order.empty())
    for (std::size_t i = 0; i < texts.size(); ++i) order.push_back(i);
  std::vector<Drive> drives(texts.size());
  std::size_t next = 0;
  LaneHooks hooks;
  hooks.next = [&]() -> std::optional<LaneJob> {
    if (next == order.size()) return std::nullopt;
    const std::size_t k = order[next++];
    return LaneJob{static_cast<long>(k), make_simulation(texts[k], &drives[k])};
  };
  hooks.ended = [&](long number, Simulation& simulation, const LaneOutcome& outcome) {
    Drive& drive = drives[static_cast<std::size_t>(number)];
    take_results(&simulation, &drive);
    drive.outcome = outcome;
  };
  LaneDriver({.lanes = lanes}).drive(hooks);
  return drives;
}

Drive drive_in_doubles(const std::string& text) {
  Drive drive;
  const auto simulation = make_simulation(text, &drive);
  simulation->run();
  take_results(simulation.get(), &drive);
  return drive;
}

void expect_same_bits(const Drive& a, const Drive& b) {
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.log.times, b.log.times);
  EXPECT_TRUE(a.log.values == b.log.values);
  EXPECT_EQ(a.result.status, b.result.status);
  EXPECT_EQ(a.result.reason, b.result.reason);
  EXPECT_EQ(a.result.statistics.steps, b.result.statistics.steps);
  EXPECT_EQ(a.result.statistics.evaluations, b.result.statistics.evaluations);
}

/// Largest difference of a channel, at equal times.
double find_difference(const Drive& a, const Drive& b, const char* channel) {
  const std::vector<double>&x = *a.log.find_values(channel), &y = *b.log.find_values(channel);
  EXPECT_EQ(x.size(), y.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

/// Position, yaw and figures of lanes against those of doubles.
void expect_close(const Drive& lanes, const Drive& doubles, double tolerance) {
  EXPECT_TRUE(lanes.outcome.is_in_lanes) << lanes.outcome.hindrance;
  EXPECT_EQ(lanes.result.status, RunStatus::kDone) << lanes.result.reason;
  EXPECT_EQ(lanes.log.times, doubles.log.times);
  EXPECT_LT(find_difference(lanes, doubles, record::channel::kPosition), tolerance);
  EXPECT_LT(find_difference(lanes, doubles, record::channel::kAttitude), tolerance);
  EXPECT_EQ(find_difference(lanes, doubles, record::channel::kGear), 0);
  ASSERT_EQ(lanes.figures.size(), doubles.figures.size());
  for (std::size_t i = 0; i < lanes.figures.size(); ++i)
    EXPECT_NEAR(lanes.figures[i].value, doubles.figures[i].value,
                tolerance * std::max(1.0, std::abs(doubles.figures[i].value)))
        << lanes.figures[i].name;
}

TEST(LaneDriver, GivesTheSameBitsInLanesOfFourAndEightAndInAnyOrder) {
  const std::vector<std::string> texts = make_lane_changes();
  const std::vector<Drive> eight = drive_in_lanes(texts, 8), four = drive_in_lanes(texts, 4),
                           mixed = drive_in_lanes(texts, 8, {5, 0, 8, 2, 7, 1, 3, 6, 4});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_TRUE(eight[i].outcome.is_in_lanes);
    EXPECT_EQ(eight[i].outcome.scalar_intervals, 0);
    EXPECT_EQ(eight[i].result.status, RunStatus::kDone) << eight[i].result.reason;
    expect_same_bits(eight[i], four[i]);
    expect_same_bits(eight[i], mixed[i]);
  }
  // Alone.
  expect_same_bits(drive_in_lanes({texts[3]}, 8)[0], eight[3]);
}

TEST(LaneDriver, AgreesWithDoublesOverALaneChange) {
  const std::vector<std::string> texts = make_lane_changes();
  const std::vector<Drive> lanes = drive_in_lanes(texts, 4);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(i);
    expect_close(lanes[i], drive_in_doubles(texts[i]), 1e-10);
  }
}

TEST(LaneDriver, AgreesWithDoublesByRungeAndKuttasMethod) {
  const std::string text = lane_change(16, 120, 2.5, run_of(1.2) + "method = \"rk4\"\n");
  expect_close(drive_in_lanes({text, text}, 8)[1], drive_in_doubles(text), 1e-10);
  expect_same_bits(drive_in_lanes({text, text}, 8)[1], drive_in_lanes({text}, 4)[0]);
}

// Full throttle from rest: gears come at other times with other loads.
TEST(LaneDriver, ShiftsGearsLaneByLane) {
  std::vector<std::string> texts;
  for (const double payload : {10.0, 500.0, 1000.0})
    texts.push_back(concat(
        head("speed = 0"), "[[vehicle.payload]]\nmass = ", payload, "\nat = [-0.9, 0, 0.45]\n",
        "[driver.steering]\nkind = \"preview\"\n[driver.path]\nkind = \"straight\"\n"
        "[driver.speed]\nkind = \"open\"\nthrottle = [[0, 1], [7, 1], [7.1, 0]]\n"
        "brake = [[7.5, 0], [7.7, 0.8]]\n[[figures]]\nfigure = \"energy_error\"\n",
        run_of(11)));
  texts.push_back(concat(texts[0], "[driver]\nrange = \"low\"\n"));
  const std::vector<Drive> lanes = drive_in_lanes(texts, 8);
  std::vector<double> first_shifts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(i);
    // A car that stops springs back and forth on its tires, which amplifies rounding.
    expect_close(lanes[i], drive_in_doubles(texts[i]), 1e-8);
    const std::vector<double>& gears = *lanes[i].log.find_values(record::channel::kGear);
    const auto shift = std::ranges::find(gears, 2.0);
    ASSERT_NE(shift, gears.end());
    first_shifts.push_back(lanes[i].log.times[static_cast<std::size_t>(shift - gears.begin())]);
    EXPECT_GE(*std::ranges::max_element(gears), 3);
    // The work of engine and steering went somewhere.
    EXPECT_LT(lanes[i].figures[0].value, 1e-4);
  }
  EXPECT_LT(first_shifts[0], first_shifts[1]);
  EXPECT_LT(first_shifts[1], first_shifts[2]);
}

// A level plane has no directions: a drive that is turned is the same drive, turned.
TEST(LaneDriver, DrivesAlikeInEveryDirection) {
  std::vector<std::string> texts;
  for (int i = 0; i < 8; ++i)
    texts.push_back(
        concat(head(concat("speed = 15, gear = 3, heading_deg = ", 45 * i)),
               "[driver.steering]\nkind = \"step\"\nstart = 0.2\nangle_deg = 4\nrise = 0.1\n"
               "[driver.speed]\nkind = \"open\"\nthrottle = [[0, 0.2]]\n"
               "[[figures]]\nfigure = \"peak_lateral_acceleration\"\n",
               run_of(2)));
  const std::vector<Drive> drives = drive_in_lanes(texts, 8);
  for (int i = 0; i < 8; ++i) {
    const Drive& drive = drives[static_cast<std::size_t>(i)];
    EXPECT_NEAR(drive.figures[0].value, drives[0].figures[0].value, 1e-9);
    const double heading = i * std::numbers::pi / 4;
    const auto& p = *drive.log.find_values(record::channel::kPosition);
    const auto& p0 = *drives[0].log.find_values(record::channel::kPosition);
    const std::size_t at = p.size() - 3;
    EXPECT_NEAR(p[at], std::cos(heading) * p0[at] - std::sin(heading) * p0[at + 1], 1e-9);
    EXPECT_NEAR(p[at + 1], std::sin(heading) * p0[at] + std::cos(heading) * p0[at + 1], 1e-9);
  }
}

TEST(LaneDriver, AFailureIsThatOfOneLaneAlone) {
  std::vector<std::string> texts = make_lane_changes();
  texts.resize(6);
  const std::vector<Drive> sound = drive_in_lanes(texts, 8);
  // A tread that follows its slip within a hundredth of a millimeter is too stiff even for a 64th of a step.
  TemporaryFolder folder;
  std::ifstream shipped("models/tires/hmmwv-tmeasy.toml");
  std::string tire{std::istreambuf_iterator<char>(shipped), std::istreambuf_iterator<char>()};
  const std::string key = "relaxation_along = 0.3";
  ASSERT_NE(tire.find(key), std::string::npos);
  tire.replace(tire.find(key), key.size(), "relaxation_along = 1e-5");
  const std::string file = (folder.path() / "stiff.toml").string();
  std::ofstream(file) << tire;
  const std::string diverging =
      concat(head("speed = 15, gear = 3"), "[tire]\nfile = \"", file, "\"\n", run_of(3));
  texts.insert(texts.begin() + 2, diverging);
  const std::vector<Drive> all = drive_in_lanes(texts, 8);
  EXPECT_EQ(all[2].result.status, RunStatus::kFailed);
  // Intervals whose steps were too long, and the one that failed.
  EXPECT_GE(all[2].outcome.scalar_intervals, 1);
  EXPECT_GT(all[2].result.statistics.rejected, 0);
  // It fails as it does in doubles, with the same words.
  const Drive doubles = drive_in_doubles(diverging);
  EXPECT_EQ(doubles.result.status, RunStatus::kFailed);
  EXPECT_EQ(all[2].log.times.size(), doubles.log.times.size());
  EXPECT_EQ(all[2].result.reason.substr(0, 30), doubles.result.reason.substr(0, 30));
  for (std::size_t i = 0; i < sound.size(); ++i) {
    SCOPED_TRACE(i);
    expect_same_bits(sound[i], all[i < 2 ? i : i + 1]);
  }
  // In lanes of four, too.
  expect_same_bits(drive_in_lanes({texts[1], diverging}, 4)[1], all[2]);
}

// Whose steps are too long goes on in doubles, in parts of steps, and the others do not notice. Here they are
// too long by a limit of nearly nothing.
TEST(LaneDriver, GoesOnInPartsWhereAStepIsTooLong) {
  const auto drive = [](const std::vector<double>& scales) {
    std::vector<Drive> drives(scales.size());
    std::size_t next = 0;
    LaneHooks hooks;
    hooks.next = [&]() -> std::optional<LaneJob> {
      if (next == scales.size()) return std::nullopt;
      auto simulation = std::make_unique<Simulation>(
          Simulation::load("scenarios/step-steer.toml",
                           {"run.duration=0.4", "figures=[]", "driver.steering.start=0"}));
      dynamic_cast<dynamics::GeneratedVehicle&>(simulation->world().vehicle(0))
          .scale_bend_limits(scales[next]);
      return LaneJob{static_cast<long>(next++), std::move(simulation)};
    };
    hooks.ended = [&](long number, Simulation& simulation, const LaneOutcome& outcome) {
      Drive& one = drives[static_cast<std::size_t>(number)];
      one.state = simulation.state_values();
      one.result = simulation.result();
      one.outcome = outcome;
    };
    LaneDriver({.lanes = 4}).drive(hooks);
    return drives;
  };
  const std::vector<Drive> both = drive({1e-6, 1}), alone = drive({1});
  for (const Drive& one : both) {
    EXPECT_EQ(one.result.status, RunStatus::kDone) << one.result.reason;
    EXPECT_TRUE(one.outcome.is_in_lanes) << one.outcome.hindrance;
  }
  EXPECT_GT(both[0].result.statistics.rejected, 400);
  EXPECT_GE(both[0].outcome.scalar_intervals, 30);
  EXPECT_EQ(both[1].result.statistics.rejected, 0);
  EXPECT_EQ(both[1].outcome.scalar_intervals, 0);
  EXPECT_EQ(both[1].state, alone[0].state);
  // The same drive, with shorter steps.
  ASSERT_EQ(both[0].state.size(), both[1].state.size());
  for (std::size_t k = 1; k < 8; ++k) EXPECT_NEAR(both[0].state[k], both[1].state[k], 1e-3) << k;
}

TEST(LaneDriver, DrivesOverSlopesBumpsMapsAndSplitFriction) {
  const std::string straight =
      "[driver.steering]\nkind = \"preview\"\n[driver.path]\nkind = \"straight\"\n"
      "[driver.speed]\nkind = \"hold\"\ntarget = 6\n"
      "[[figures]]\nfigure = \"peak_vertical_acceleration\"\n";
  std::vector<std::string> texts;
  for (const char* ground :
       {"[tire]\ncontact = \"envelope\"\n[[ground.bump]]\nshape = \"half_round\"\nx = 4\n"
        "height = 0.08\nradius = 0.1\n",
        "[tire]\ncontact = \"four_points\"\n[ground]\nterrain = \"../terrains/off-road.toml\"\n",
        "[ground]\nterrain = \"../terrains/off-road.toml\"\nsoil_level = \"lumped\"\n",
        "[ground]\nterrain = \"../terrains/split-friction.toml\"\n",
        "[ground]\nslope = 0.3\nfriction = 0.9\n"})
    texts.push_back(concat(head("speed = 6"), straight, ground, run_of(1.5)));
  const std::vector<Drive> together = drive_in_lanes(texts, 8);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(texts[i]);
    expect_close(together[i], drive_in_doubles(texts[i]), 1e-9);
    // Two equal ones share their tires' computation, where cars with other ground do not.
    expect_same_bits(together[i], drive_in_lanes({texts[i], texts[i]}, 4)[1]);
  }
}

// Lanes used to drive through what stops a body. Its contact has no lanes, so these intervals are driven
// in doubles.
TEST(LaneDriver, BodiesTouchTheGround) {
  const auto drive_at = [](double speed) {
    return concat(head(concat("speed = ", speed, ", gear = 2")),
                  "[driver.steering]\nkind = \"preview\"\n[driver.path]\nkind = \"straight\"\n"
                  "[driver.speed]\nkind = \"open\"\nthrottle = [[0, 0.1]]\n"
                  "[[ground.bump]]\nshape = \"ramp\"\nx = 7\ny = 0\nheight = 1\nrise = 0.5\n"
                  "top = 1\nfall = 0.5\nwidth = 0.8\nedge = 0.05\n"
                  "[[figures]]\nfigure = \"energy_error\"\n",
                  run_of(2));
  };
  // The third one does not get there, on a plane of its own.
  const std::vector<std::string> texts{drive_at(4.1), drive_at(6.7),
                                       lane_change(14, 60, 2.9, run_of(2))};
  const std::vector<Drive> eight = drive_in_lanes(texts, 8),
                           four = drive_in_lanes(texts, 4, {2, 1, 0});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(i);
    expect_same_bits(eight[i], four[i]);
    const Drive doubles = drive_in_doubles(texts[i]);
    expect_close(eight[i], doubles, 1e-6);
    EXPECT_EQ(eight[i].outcome.scalar_intervals > 0, i < 2);
    const std::vector<double>& p = *eight[i].log.find_values(record::channel::kPosition);
    if (i < 2) {
      EXPECT_LT(p[p.size() - 3], 7);
    }
  }
}

TEST(LaneDriver, TiresOfTheirOwnGiveTheSameBitsAsEqualOnes) {
  std::vector<std::string> texts;
  for (const char* tire :
       {"hmmwv-tmeasy.toml", "hmmwv-fiala.toml", "hmmwv-brush.toml", "hmmwv.tir"})
    texts.push_back(lane_change(
        16, 120, 2.5, concat("[tire]\nfile = \"../models/tires/", tire, "\"\n", run_of(1.2))));
  const std::vector<Drive> together = drive_in_lanes(texts, 4);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(texts[i]);
    expect_close(together[i], drive_in_doubles(texts[i]), 1e-10);
    expect_same_bits(together[i], drive_in_lanes({texts[i]}, 8)[0]);
  }
}

// A vehicle that the library has no code of: front-wheel drive, struts, other tires. Before, such
// vehicles were driven in doubles.
TEST(LaneDriver, DrivesVehiclesWhoseCodeIsCompiledHere) {
  const auto step_steer = [](double speed, double mass) {
    return concat(
        "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = "
        "\"../models/mcpherson-car.toml\"\n"
        "equipment = \"../models/equipment/mcpherson-car.toml\"\nstart = { speed = ",
        speed, ", gear = 4 }\n[[vehicle.payload]]\nmass = ", mass,
        "\nat = [-0.4, 0.2, 0.3]\n[tire]\nfile = \"../models/tires/mcpherson-car.toml\"\n"
        "[driver.steering]\nkind = \"step\"\nstart = 0.2\nangle_deg = 1.7\nrise = 0.1\n"
        "[driver.speed]\nkind = \"hold\"\ntarget = ",
        speed, "\n[[figures]]\nfigure = \"peak_roll_deg\"\n", run_of(1.7));
  };
  std::vector<std::string> texts;
  for (int i = 0; i < 5; ++i) texts.push_back(step_steer(15.3 + 2.1 * i, 40 + 31 * i));
  const std::vector<Drive> eight = drive_in_lanes(texts, 8),
                           four = drive_in_lanes(texts, 4, {2, 4, 0, 3, 1});
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(i);
    expect_same_bits(eight[i], four[i]);
    expect_close(eight[i], drive_in_doubles(texts[i]), 1e-10);
  }
}

TEST(LaneDriver, SaysWhyADriveHasNoLanes) {
  struct Case {
    const char *more_of_vehicle, *more, *hindrance;
  };
  std::vector<std::string> texts, hindrances;
  for (const Case& c : std::vector<Case>{
           {"formulation = \"ce\"\n", "", "vehicle.formulation = \"ce\""},
           {"level = \"single_track\"\n", "", "vehicle.level = \"single_track\""},
           {"", "[tire]\nmodel = \"relaxed_rolling\"\n", "tires with relaxed rolling"},
           {"", "[ground]\nsoil = \"LETE_sand\"\nsoil_level = \"grid\"\n", "a soil grid"},
           {"",
            "[[other]]\nname = \"lead\"\n[other.vehicle]\nmodel = \"../models/hmmwv.toml\"\n"
            "start = { x = 30 }\n",
            "several vehicles"},
           {"", "[[sensor]]\nname = \"imu\"\nmodel = \"imu-tactical\"\n", "sensors"}}) {
    texts.push_back(concat(head("speed = 3", c.more_of_vehicle),
                           "[driver.steering]\nkind = \"preview\"\n[driver.path]\n"
                           "kind = \"straight\"\n[driver.speed]\nkind = \"hold\"\ntarget = 3\n",
                           c.more, run_of(0.05)));
    hindrances.emplace_back(c.hindrance);
  }
  texts.push_back(lane_change(15, 50, 1, run_of(0.05)));
  hindrances.emplace_back("");
  const std::vector<Drive> drives = drive_in_lanes(texts, 8);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    SCOPED_TRACE(texts[i]);
    EXPECT_EQ(drives[i].outcome.hindrance, hindrances[i]);
    EXPECT_EQ(drives[i].outcome.is_in_lanes, hindrances[i].empty());
    EXPECT_EQ(drives[i].result.status, RunStatus::kDone) << drives[i].result.reason;
    // What is driven in doubles has the bits of doubles.
    if (!hindrances[i].empty()) {
      EXPECT_EQ(drives[i].state, drive_in_doubles(texts[i]).state);
    }
  }
}

TEST(LaneDriver, StopsADriveWhenAsked) {
  std::vector<std::string> texts = make_lane_changes();
  texts.resize(3);
  std::vector<Drive> drives(texts.size());
  std::size_t next = 0;
  LaneHooks hooks;
  std::vector<double> ends;
  hooks.next = [&]() -> std::optional<LaneJob> {
    if (next == texts.size()) return std::nullopt;
    const std::size_t k = next++;
    return LaneJob{static_cast<long>(k), make_simulation(texts[k], &drives[k])};
  };
  int asked = 0;
  hooks.is_stopped = [&](long number) { return number == 1 && ++asked > 20; };
  hooks.ended = [&](long number, Simulation& simulation, const LaneOutcome&) {
    take_results(&simulation, &drives[static_cast<std::size_t>(number)]);
  };
  LaneDriver({.lanes = 4}).drive(hooks);
  EXPECT_EQ(drives[1].result.status, RunStatus::kStopped);
  EXPECT_NEAR(drives[1].result.time, 0.2, 1e-9);
  const std::vector<Drive> whole = drive_in_lanes(texts, 4);
  EXPECT_EQ(drives[0].state, whole[0].state);
  EXPECT_EQ(drives[2].state, whole[2].state);
}

TEST(LaneVehicles, AStepAllocatesNothing) {
  const std::string bump =
      "[[ground.bump]]\nshape = \"half_round\"\nx = 9\nheight = 0.05\nradius = 0.1\n";
  for (const std::string& ground : {std::string(), bump}) {
    Drive drives[2];
    const auto first = make_simulation(lane_change(15, 50, 1, run_of(1)), &drives[0]),
               second = make_simulation(lane_change(17, 90, 1, ground + run_of(1)), &drives[1]);
    const auto vehicle_of = [](const std::unique_ptr<Simulation>& simulation) {
      return dynamic_cast<dynamics::GeneratedVehicle*>(&simulation->world().vehicle(0));
    };
    dynamics::LaneVehicles<8> lanes(vehicle_of(first));
    lanes.put(0, vehicle_of(first));
    lanes.put(5, vehicle_of(second));
    for (const int lane : {0, 5}) lanes.set_step(lane, 0.001);
    lanes.step();
    const long before = allocation_count();
    bool has_values = true;
    for (int i = 0; i < 50; ++i) {
      const auto has_value = lanes.step();
      has_values = has_values && has_value[0] && has_value[5];
    }
    EXPECT_EQ(allocation_count(), before);
    EXPECT_TRUE(has_values);
  }
}

TEST(LaneDriver, RefusesOddLanesAndNamesItsKind) {
  EXPECT_THROW(LaneDriver({.lanes = 5}), std::invalid_argument);
  EXPECT_TRUE(default_lanes() == 4 || default_lanes() == 8);
  EXPECT_EQ(describe_lanes(8), concat("lanes of 8 (", lane_instruction_set(), ")"));
}

TEST(DriveBatch, ReportsDrivesThatCannotBeBuilt) {
  const std::vector<BatchDrive> drives = drive_batch(
      "scenarios/half-round.toml",
      {{"run.duration=4"}, {"run.duration=4", "vehicle:chassis.mass=-1"}, {"run.duration=4"}},
      {.lanes = 4});
  EXPECT_EQ(drives[0].result.status, RunStatus::kDone) << drives[0].problem;
  EXPECT_NE(drives[1].problem, "");
  EXPECT_EQ(drives[2].final_state_hash, drives[0].final_state_hash);
}

}  // namespace
}  // namespace camber::run
