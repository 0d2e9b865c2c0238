// The whole vehicle on soil that keeps its ruts: the shipped drive, shorter, and what must hold
// when its steering, step or level of soil is another one.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/run/simulation.h"
#include "camber/scenario/scenario_file.h"

namespace camber::drive_test {
namespace {

using scenario::Scenario;

enum Wheel { kFrontLeft, kFrontRight, kRearLeft, kRearRight };

Scenario make_scenario(double duration, const std::vector<std::string>& overrides = {}) {
  Scenario scenario = scenario::load_scenario("scenarios/soft-soil-ruts.toml", overrides);
  scenario.vehicle.start.speed = 3;
  scenario.run.duration = duration;
  scenario.figures.clear();
  return scenario;
}

/// A drive, sample by sample.
class Driven {
 public:
  explicit Driven(Scenario scenario) {
    run::Simulation simulation(scenario::build_scenario(std::move(scenario)));
    channels_ = simulation.channels();
    simulation.set_recorder([this](double t, std::span<const double> values) {
      times_.push_back(t);
      samples_.emplace_back(values.begin(), values.end());
    });
    simulation.run();
    result_ = simulation.result();
    final_state_ = simulation.state_values();
  }

  bool is_done() const { return result_.status == run::RunStatus::kDone; }
  const std::string& reason() const { return result_.reason; }
  const std::vector<double>& final_state() const { return final_state_; }
  double value(std::size_t sample, const std::string& channel, std::size_t column = 0) const {
    return samples_[sample][find(channel) + column];
  }
  double last(const std::string& channel, std::size_t column = 0) const {
    return value(samples_.size() - 1, channel, column);
  }
  /// Between the smallest and the largest after `begin`.
  double span(double begin, const std::string& channel, std::size_t column = 0) const {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if (times_[i] < begin) continue;
      least = std::min(least, value(i, channel, column));
      most = std::max(most, value(i, channel, column));
    }
    return most - least;
  }
  /// Over the time after `begin`.
  double mean(double begin, const std::string& channel, std::size_t column = 0) const {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if (times_[i] < begin) continue;
      sum += value(i, channel, column);
      ++count;
    }
    return sum / count;
  }
  double mean_of_wheels(double begin, const std::string& channel) const {
    double sum = 0;
    for (const Wheel w : {kFrontLeft, kFrontRight, kRearLeft, kRearRight})
      sum += 0.25 * mean(begin, channel, w);
    return sum;
  }
  /// What a wheel takes to be rolled, over its load: torque that does not come out as force.
  double resistance(double begin, Wheel wheel) const {
    const double R_e = 0.4699 - mean(begin, "wheels/deflection", wheel) / 3;
    return (mean(begin, "wheels/drive_torque", wheel) / R_e -
            mean(begin, "wheels/longitudinal_force", wheel)) /
           mean(begin, "wheels/load", wheel);
  }

 private:
  std::size_t find(const std::string& name) const {
    std::size_t at = 0;
    for (const record::Channel& channel : channels_) {
      if (channel.name == name) return at;
      at += channel.entries();
    }
    ADD_FAILURE() << "no channel " << name;
    return 0;
  }

  std::vector<record::Channel> channels_;
  std::vector<double> times_;
  std::vector<std::vector<double>> samples_;
  run::RunResult result_;
  std::vector<double> final_state_;
};

// Unladen the rear wheels carry 7 % less than the front ones and leave the ruts as they are: here 150 kg are over the
// rear axle, which then carries 14 % more.
TEST(SoftSoil, RearWheelsRunInRuts) {
  const Driven d(make_scenario(4, {"vehicle.payload=[{mass=150, at=[-1.69, 0, 0.2]}]"}));
  ASSERT_TRUE(d.is_done()) << d.reason();
  for (const Wheel front : {kFrontLeft, kFrontRight}) {
    const auto rear = static_cast<Wheel>(front + 2);
    const double first = d.mean(2, "wheels/sinkage", front);
    const double second = d.mean(2, "wheels/sinkage", rear);
    EXPECT_GT(first, 4e-3);
    EXPECT_GT(second, first);                // the rut grows
    EXPECT_LT(second - first, 0.7 * first);  // by less than it was made with
    EXPECT_LT(d.resistance(2, rear), d.resistance(2, front));
  }
}

// Work of engine and steering = what is stored + what is lost, each by its own account.
TEST(SoftSoil, AccountsForItsEnergy) {
  Scenario scenario = make_scenario(4);
  scenario.vehicle.start.speed = 0;
  scenario.figures.emplace_back().figure = "energy_error";
  const Driven d(std::move(scenario));
  ASSERT_TRUE(d.is_done()) << d.reason();
  const double work = d.last("energy/balance", 3);
  EXPECT_GT(work, 1e4);
  EXPECT_GT(d.last("energy/balance", 4), 0.3 * work);
  EXPECT_NEAR(d.last("energy/balance", 5), 0, 1e-3 * work);
}

TEST(SoftSoil, MirroredDriveMirrorsItsRuts) {
  const auto drive = [](double angle) {
    Scenario scenario = make_scenario(3);
    scenario.driver.path = {};
    scenario.driver.steering = autonomy::SteerStep{.start = 0.5, .rise_time = 0.1, .angle = angle};
    return Driven(std::move(scenario));
  };
  const Driven left = drive(0.2), right = drive(-0.2);
  ASSERT_TRUE(left.is_done() && right.is_done());
  EXPECT_GT(left.last("chassis/position", 1), 0.5);
  EXPECT_NEAR(left.last("chassis/position", 1), -right.last("chassis/position", 1), 0.02);
  EXPECT_NEAR(left.last("chassis/position", 0), right.last("chassis/position", 0), 0.02);
  for (const int axle : {kFrontLeft, kRearLeft}) {
    for (const int side : {0, 1}) {
      const double here = left.mean(2, "wheels/sinkage", axle + side);
      EXPECT_NEAR(here, right.mean(2, "wheels/sinkage", axle + 1 - side), 0.03 * here);
    }
  }
}

TEST(SoftSoil, StepsConverge) {
  const Driven shipped(make_scenario(3)), finer(make_scenario(3, {"run.step=0.00025"}));
  for (const char* channel : {"wheels/sinkage", "wheels/slip", "wheels/drive_torque"}) {
    const double value = shipped.mean_of_wheels(1.5, channel);
    EXPECT_NEAR(finer.mean_of_wheels(1.5, channel), value, 0.002 * std::abs(value)) << channel;
  }
}

// Without a driver, who looks at what the soil does and answers. A node comes into contact at any
// part of a step, so that errors of single runs scatter (docs/theory/soil.md, section 6): eight
// runs, from eight places of the grid.
TEST(SoftSoil, StepsHaveSecondOrder) {
  const std::array steps = {0.004, 0.002, 0.001, 0.0005};
  std::array<double, 3> squares = {};
  for (int k = 0; k < 8; ++k) {
    std::vector<double> places;
    for (const double step : steps) {
      Scenario scenario = make_scenario(
          1, {concat("run.step=", step), "driver.sample_time=0.02", "run.sample_interval=0.02"});
      scenario.vehicle.start.x = 0.0051 * k;
      scenario.vehicle.start.y = 0.0037 * k;
      scenario.vehicle.start.gear = 2;
      scenario.driver.steering = {};
      scenario.driver.speed = autonomy::Pedals{.throttle = {.x = {0}, .y = {0.15}}};
      const Driven drive(std::move(scenario));
      ASSERT_TRUE(drive.is_done()) << drive.reason();
      places.push_back(drive.last("chassis/position"));
    }
    for (std::size_t i = 0; i < 3; ++i) squares[i] += std::pow(places[i] - places[i + 1], 2);
  }
  std::array<double, 3> errors = {};
  for (std::size_t i = 0; i < 3; ++i) errors[i] = std::sqrt(squares[i] / 8);
  std::printf("differences of 4-2, 2-1, 1-0.5 ms: %.2e %.2e %.2e m\n", errors[0], errors[1],
              errors[2]);
  EXPECT_GT(std::log2(errors[0] / errors[2]) / 2, 1.8);
  EXPECT_LT(errors[2], 2e-6);
}

// A step that fails leaves vehicle and soil as they were: the drive goes on as if it had not been.
TEST(SoftSoil, StepThatFailsLeavesNoTrace) {
  const auto advance = [](world::World* world, double end) {
    world->mark();
    constexpr int kSteps = 50;
    const double start = world->time();
    for (int k = 1; k <= kSteps; ++k) {
      if (world->step(start + (end - start) * k / kSteps).ok()) continue;
      world->roll_back();
      return false;
    }
    return world->observe().ok();
  };
  scenario::BuiltScenario one = scenario::build_scenario(make_scenario(1)),
                          other = scenario::build_scenario(make_scenario(1));
  const autonomy::Command pull{.steer = 0.05, .throttle = 0.6, .brake = 0};
  const autonomy::Command nonsense{.steer = 0.05, .throttle = 0.6, .brake = NAN};
  for (world::World* world : {&one.world, &other.world}) {
    world->vehicle(0).command(pull);
    ASSERT_TRUE(advance(world, 0.05));
    world->vehicle(0).command(pull);
  }
  const std::vector<double> before = one.world.state_values();
  for (int i = 0; i < 2; ++i) {
    one.world.vehicle(0).command(nonsense);
    EXPECT_FALSE(advance(&one.world, 0.1));
    EXPECT_EQ(one.world.time(), 0.05);
  }
  one.world.vehicle(0).command(pull);
  EXPECT_EQ(one.world.state_values(), before);
  for (world::World* world : {&one.world, &other.world}) ASSERT_TRUE(advance(world, 0.1));
  EXPECT_EQ(one.world.state_values(), other.world.state_values());
}

// A vehicle too heavy for the ground: Bekker's law alone would carry it.
TEST(SoftSoil, BearingLimitIsAKey) {
  const auto sinkage = [](const std::vector<std::string>& overrides) {
    const Driven drive(make_scenario(1, overrides));
    EXPECT_TRUE(drive.is_done()) << drive.reason();
    return drive.mean_of_wheels(0.5, "wheels/sinkage");
  };
  const std::string clay = "ground.soil=clayey_38_Thailand";
  const double free = sinkage({clay}), limited = sinkage({clay, "ground.bearing_limit=true"});
  EXPECT_GT(limited, 1.2 * free);
  EXPECT_THROW(make_scenario(1, {"ground.soil_level=lumped", "ground.bearing_limit=true"}),
               std::exception);
}

/// Parked on a plane that rises by `slope` toward `heading`, all brakes on.
Scenario make_parked(double slope, double heading, double duration) {
  Scenario scenario = make_scenario(duration);
  scenario.vehicle.start.speed = 0;
  scenario.ground.slope = slope;
  scenario.ground.slope_heading = heading;
  scenario.driver = {};
  scenario.driver.has_parking_brake = true;
  scenario.driver.speed = autonomy::Pedals{.brake = {.x = {0}, .y = {1}}};
  return scenario;
}

// It mobilizes the soil's shear and then stays, up, down and across the slope: over the last 50 s
// of a minute less than a millimeter, and without swinging (the friction angle is 31 degrees).
TEST(SoftSoil, StaysWhereItIsParked) {
  struct Case {
    double slope, heading, duration;
  };
  for (const Case& c : {Case{0.2, 0, 60}, Case{0.364, 3.14159, 15}, Case{0.2, 1.57, 15}}) {
    SCOPED_TRACE(c.slope);
    const Driven d(make_parked(c.slope, c.heading, c.duration));
    ASSERT_TRUE(d.is_done()) << d.reason();
    EXPECT_LT(d.span(10, "chassis/position", 0), 1e-6);
    EXPECT_LT(d.span(10, "chassis/position", 1), 1e-6);
    EXPECT_LT(d.span(10, "chassis/position", 2), 1e-6);
    EXPECT_LT(std::abs(d.last("chassis/velocity", 0)), 1e-9);
  }
}

TEST(SoftSoil, SlidesDownWhatIsTooSteep) {
  const Driven d(make_parked(std::tan(35 * 3.14159 / 180), 0, 6));
  EXPECT_LT(d.last("chassis/position", 0), -0.5);
}

TEST(SoftSoil, PayloadSinksItsWheels) {
  const auto drive = [](double mass) {
    Scenario scenario = make_scenario(4);
    if (mass > 0) scenario.vehicle.payload.push_back({.mass = mass, .at = {-1.651, 0, 0.6}});
    return Driven(std::move(scenario));
  };
  double load = 0, sinkage = 0, deflection = 0;
  for (const double mass : {0.0, 500.0, 1000.0}) {
    const Driven d = drive(mass);
    ASSERT_TRUE(d.is_done()) << d.reason();
    EXPECT_GT(d.mean(2, "wheels/load", kRearLeft), 1.2 * load);
    EXPECT_GT(d.mean(2, "wheels/sinkage", kRearLeft), 1.08 * sinkage);
    EXPECT_GT(d.mean(2, "wheels/deflection", kRearLeft), 1.08 * deflection);
    load = d.mean(2, "wheels/load", kRearLeft);
    sinkage = d.mean(2, "wheels/sinkage", kRearLeft);
    deflection = d.mean(2, "wheels/deflection", kRearLeft);
  }
  EXPECT_GT(load, 10e3);
}

// Soil that hardly yields is a road: standing and rolling, by two models that share nothing but the
// tire's data.
TEST(SoftSoil, HardClayIsARoad) {
  const Driven clay(make_scenario(4, {"ground.soil=heavy_clay_25_WES"}));
  const Driven road(make_scenario(4, {"ground.soil_level=rigid"}));
  ASSERT_TRUE(clay.is_done() && road.is_done()) << clay.reason();
  EXPECT_NEAR(clay.value(0, "chassis/position", 2), road.value(0, "chassis/position", 2), 1.5e-3);
  EXPECT_NEAR(clay.mean(2, "chassis/position", 2), road.mean(2, "chassis/position", 2), 1.5e-3);
  EXPECT_NEAR(clay.mean(2, "chassis/attitude", 1), road.mean(2, "chassis/attitude", 1), 1e-3);
  EXPECT_NEAR(clay.last("chassis/position"), road.last("chassis/position"), 0.05);
  for (const int wheel : {kFrontLeft, kFrontRight, kRearLeft, kRearRight}) {
    const double load = road.mean(2, "wheels/load", wheel);
    EXPECT_NEAR(clay.mean(2, "wheels/load", wheel), load, 2e-3 * load);
    EXPECT_NEAR(clay.value(0, "wheels/load", wheel), road.value(0, "wheels/load", wheel),
                0.002 * load);
    const double deflection = road.mean(2, "wheels/deflection", wheel);
    EXPECT_NEAR(clay.mean(2, "wheels/deflection", wheel), deflection, 0.02 * deflection);
    EXPECT_LT(clay.mean(2, "wheels/sinkage", wheel), 1e-3);
  }
}

TEST(SoftSoil, NodesConverge) {
  const Driven shipped(make_scenario(4)), finer(make_scenario(4, {"ground.soil_spacing=0.02"}));
  EXPECT_NEAR(finer.mean_of_wheels(2, "wheels/slip"), shipped.mean_of_wheels(2, "wheels/slip"),
              5e-4);
  for (const char* channel : {"wheels/sinkage", "wheels/drive_torque"}) {
    const double value = shipped.mean_of_wheels(2, channel);
    EXPECT_NEAR(finer.mean_of_wheels(2, channel), value, 0.03 * std::abs(value)) << channel;
  }
}

// In one go, or from a checkpoint on: the same bits, ruts and all.
TEST(SoftSoil, GoesOnFromACheckpoint) {
  run::Simulation whole(scenario::build_scenario(make_scenario(2)));
  whole.advance_to(1.3);
  const run::SimulationState checkpoint = whole.save();
  ASSERT_NEAR(checkpoint.time, 1.3, 1e-9);
  whole.run();
  ASSERT_EQ(whole.result().status, run::RunStatus::kDone) << whole.result().reason;
  run::Simulation rest(scenario::build_scenario(make_scenario(2)));
  rest.restore(checkpoint);
  rest.run();
  EXPECT_EQ(rest.state_values(), whole.state_values());
  run::Simulation on_road(scenario::build_scenario(make_scenario(2, {"ground.soil_level=rigid"})));
  EXPECT_THROW(on_road.restore(checkpoint), std::invalid_argument);
}

TEST(SoftSoil, RepeatsBitByBit) {
  const Driven one(make_scenario(1)), other(make_scenario(1));
  EXPECT_EQ(one.final_state(), other.final_state());
}

// The same order of magnitude: 16 mm against 4.8. Upright wheels sink in less on the grid than those with 2 deg of
// camber (5.4 mm), whose edges dig in; the lumped soil does not know camber.
TEST(LumpedSoil, Drives) {
  const Driven grid(make_scenario(4)), lumped(make_scenario(4, {"ground.soil_level=lumped"}));
  ASSERT_TRUE(lumped.is_done()) << lumped.reason();
  EXPECT_GT(lumped.mean(2, "chassis/velocity"), 1);
  const double sinkage = grid.mean_of_wheels(2, "wheels/sinkage");
  EXPECT_GT(lumped.mean_of_wheels(2, "wheels/sinkage"), 0.3 * sinkage);
  EXPECT_LT(lumped.mean_of_wheels(2, "wheels/sinkage"), 3.5 * sinkage);
}

}  // namespace
}  // namespace camber::drive_test
