// Simulations that are stepped together: the bits of LaneDriver however time is divided, states that
// are restored exactly inside of control intervals, and members that come and go.

#include "camber/run/lane_batch.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/scenario/scenario_file.h"

namespace camber::run {
namespace {

std::string slalom(double speed, double payload, double duration, double step,
                   const std::string& more_of_vehicle = "") {
  return concat(
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n",
      more_of_vehicle, "start = { speed = ", speed,
      ", gear = 3, x = 3.7, y = -1.9, heading_deg = 12 }\n",
      "[[vehicle.payload]]\nmass = ", payload, "\nat = [-0.7, 0.1, 0.5]\n",
      "[driver.steering]\nkind = \"preview\"\n[driver.path]\nkind = \"lane_change\"\n"
      "[[driver.path.change]]\ntime = 0.2\noffset = 2.9\nduration = 1.7\n"
      "[driver.speed]\nkind = \"hold\"\ntarget = ",
      speed + 1.5, "\n[run]\nduration = ", duration, "\nstep = ", step, "\n");
}

/// Eleven drives that end at different times; two have other steps, one has a formulation that has no
/// lanes.
std::vector<std::string> make_slaloms() {
  std::vector<std::string> texts;
  for (int i = 0; i < 11; ++i)
    texts.push_back(slalom(14 + 0.7 * i, 60 + 45 * i, 0.7 + 0.113 * i, i % 4 == 2 ? 0.0008 : 0.001,
                           i == 6 ? "formulation = \"ce\"\n" : ""));
  return texts;
}

std::unique_ptr<Simulation> make_simulation(const std::string& text) {
  return std::make_unique<Simulation>(
      scenario::build_scenario(scenario::parse_scenario(text, "scenarios/test.toml")));
}

std::vector<std::unique_ptr<Simulation>> make_simulations(const std::vector<std::string>& texts) {
  std::vector<std::unique_ptr<Simulation>> list;
  for (const std::string& text : texts) list.push_back(make_simulation(text));
  return list;
}

void advance(LaneBatch* batch, const std::vector<double>& until) {
  for (std::size_t part = 0; part < batch->part_count(); ++part) batch->advance_part(part, until);
}

std::vector<std::vector<double>> states_of(LaneBatch* batch) {
  std::vector<std::vector<double>> states;
  for (std::size_t i = 0; i < batch->size(); ++i) states.push_back(batch->member(i).state_values());
  return states;
}

std::vector<std::vector<double>> drive_to_ends(const std::vector<std::string>& texts) {
  std::vector<std::vector<double>> states(texts.size());
  std::size_t next = 0;
  LaneDriver({.lanes = 4})
      .drive({.next = [&]() -> std::optional<LaneJob> {
                if (next == texts.size()) return std::nullopt;
                const std::size_t k = next++;
                return LaneJob{static_cast<long>(k), make_simulation(texts[k])};
              },
              .ended =
                  [&](long number, Simulation& simulation, const LaneOutcome&) {
                    states[static_cast<std::size_t>(number)] = simulation.state_values();
                  }});
  return states;
}

TEST(LaneBatch, GivesTheBitsOfLaneDriverHoweverTimeIsDivided) {
  const std::vector<std::string> texts = make_slaloms();
  const std::vector<std::vector<double>> wanted = drive_to_ends(texts);
  for (const int lanes : {4, 8}) {
    SCOPED_TRACE(lanes);
    LaneBatch batch(make_simulations(texts), lanes);
    EXPECT_NE(batch.hindrance(6), "");
    EXPECT_EQ(batch.hindrance(7), "");
    std::mt19937 random(5);
    std::uniform_real_distribution<double> length(0.0003, 0.09);
    std::vector<double> until(texts.size(), 0.0);
    for (int round = 0; round < 1000; ++round) {
      for (double& time : until) time += length(random);
      advance(&batch, until);
      if (round % 3 == 0) states_of(&batch);  // looking changes nothing
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(batch.member(i).result().status, RunStatus::kDone) << i;
      EXPECT_EQ(batch.member(i).state_values(), wanted[i]) << i;
    }
  }
}

TEST(LaneBatch, MembersAreWhereSimulationsInDoublesWouldBe) {
  const std::vector<std::string> texts = make_slaloms();
  LaneBatch batch(make_simulations(texts)), doubles(make_simulations(texts), 0);
  EXPECT_EQ(doubles.part_count(), texts.size());
  std::vector<std::unique_ptr<Simulation>> alone = make_simulations(texts);
  for (const double time : {0.0123, 0.05, 0.0504, 0.3337}) {
    const std::vector<double> until(texts.size(), time);
    advance(&batch, until);
    advance(&doubles, until);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      alone[i]->advance_to(time);
      EXPECT_EQ(doubles.member(i).state_values(), alone[i]->state_values());
      EXPECT_EQ(batch.member(i).time(), alone[i]->time());
      const auto &ours = batch.member(i).vehicle(), &theirs = alone[i]->vehicle();
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(ours.position[k], theirs.position[k], 1e-9) << i;
      EXPECT_EQ(batch.member(i).result().statistics.steps, alone[i]->result().statistics.steps);
    }
  }
}

TEST(LaneBatch, ContinuesFromStatesInsideOfIntervalsToTheBit) {
  const std::vector<std::string> texts = make_slaloms();
  LaneBatch batch(make_simulations(texts), 4);
  advance(&batch, std::vector<double>(texts.size(), 0.2537));  // intervals end at 0.25 and 0.26
  std::vector<SimulationState> kept;
  for (std::size_t i = 0; i < texts.size(); ++i) kept.push_back(batch.member(i).save());
  const std::vector<double> end(texts.size(), 10.0);
  advance(&batch, end);
  const std::vector<std::vector<double>> first = states_of(&batch);
  // Some after the end, when they have left their lanes; then all, in another batch.
  for (const std::size_t i : {0, 3, 9}) batch.restore(i, kept[i]);
  advance(&batch, end);
  EXPECT_EQ(states_of(&batch), first);
  LaneBatch other(make_simulations(texts), 8);
  for (std::size_t i = 0; i < texts.size(); ++i) other.restore(i, kept[i]);
  advance(&other, end);
  EXPECT_EQ(states_of(&other), first);
}

TEST(LaneBatch, CommandsTakeEffectWhenTheNextIntervalStarts) {
  const std::vector<std::string> texts = make_slaloms();
  LaneBatch batch(make_simulations(texts));
  std::vector<std::unique_ptr<Simulation>> alone = make_simulations(texts);
  for (int tick = 0; tick < 40; ++tick) {
    const double time = 0.01 * (tick + 1);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const autonomy::Command command{.steer = 0.002 * static_cast<double>(i) * (tick % 7 - 3),
                                      .throttle = 0.05 * tick / 2};
      batch.member(i).command(command);
      alone[i]->command(command);
      alone[i]->advance_to(time);
    }
    advance(&batch, std::vector<double>(texts.size(), time));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto &ours = batch.member(i).vehicle(), &theirs = alone[i]->vehicle();
      EXPECT_NEAR(ours.rates[2], theirs.rates[2], 1e-8) << i << " at " << time;
      EXPECT_EQ(ours.command.steer, theirs.command.steer);
    }
  }
}

// A lane without a value, or whose step is too long, is driven again in doubles from where its interval began, whether somebody
// has looked at it on the way or not.
TEST(LaneBatch, AFailureIsThatOfOneMemberAloneAndDoesNotDependOnLooks) {
  std::vector<std::string> texts = make_slaloms();
  // Stops and springs that steps of 10 ms cannot follow, after a fall.
  texts[1] =
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n"
      "start = { speed = 15, gear = 3 }\n"
      "[driver]\nsample_time = 0.05\n[driver.steering]\nkind = \"step\"\nstart = 0.1\nangle_deg = "
      "25\nrise = 0.1\n"
      "[driver.speed]\nkind = \"open\"\nthrottle = [[0, 0.2]]\n"
      "[ground]\nfriction = 2\n[[ground.bump]]\nshape = \"ramp\"\nx = 8\nheight = 0.6\n"
      "rise = 1\nfall = 0.5\n[run]\nduration = 3\nstep = 0.01\nsample_interval = 0.05\n";
  const std::vector<std::vector<double>> wanted = drive_to_ends(texts);
  LaneBatch batch(make_simulations(texts), 4);
  for (double time = 0; time < 3.1; time += 0.007) {
    advance(&batch, std::vector<double>(texts.size(), time));
    states_of(&batch);
  }
  EXPECT_GT(batch.member(1).result().statistics.rejected, 0);
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(batch.member(i).state_values(), wanted[i]) << i;
}

TEST(LaneBatch, RefusesOddLanesAndTimesOfOthers) {
  EXPECT_THROW(LaneBatch({}, 5), std::invalid_argument);
  LaneBatch batch(make_simulations({slalom(15, 80, 1, 0.001)}));
  EXPECT_THROW(batch.advance_part(0, std::vector<double>{1, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::run
