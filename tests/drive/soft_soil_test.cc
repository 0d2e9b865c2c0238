// The whole vehicle on soil that keeps its ruts: the shipped drive, shorter, and what must hold
// when its steering, step or level of soil is another one.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/scenario/scenario_file.h"
#include "camber/sim/drive_run.h"

namespace camber::sim {
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
    Drive drive = make_drive(std::move(scenario));
    channels_ = list_channels(drive);
    DriveObserver observer;
    observer.sample = [this](double t, std::span<const double> values) {
      times_.push_back(t);
      samples_.emplace_back(values.begin(), values.end());
    };
    result_ = run_drive(&drive, observer);
  }

  bool is_done() const { return result_.status == RunStatus::kDone; }
  const std::string& reason() const { return result_.reason; }
  const std::vector<double>& final_state() const { return result_.final_state; }
  double value(std::size_t sample, const std::string& channel, std::size_t column = 0) const {
    return samples_[sample][find(channel) + column];
  }
  double last(const std::string& channel, std::size_t column = 0) const {
    return value(samples_.size() - 1, channel, column);
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
  DriveResult result_;
};

TEST(SoftSoil, RearWheelsRunInRuts) {
  const Driven d(make_scenario(4));
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
    scenario.driver.steering = {};
    scenario.driver.steering.kind = scenario::SteeringKind::kStep;
    scenario.driver.steering.at = 0.5;
    scenario.driver.steering.angle = angle;
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
  const Driven shipped(make_scenario(3)), finer(make_scenario(3, {"run.step=0.0005"}));
  for (const char* channel : {"wheels/sinkage", "wheels/slip", "wheels/drive_torque"}) {
    const double value = shipped.mean_of_wheels(1.5, channel);
    EXPECT_NEAR(finer.mean_of_wheels(1.5, channel), value, 0.02 * std::abs(value)) << channel;
  }
}

TEST(SoftSoil, RepeatsBitByBit) {
  const Driven one(make_scenario(1)), other(make_scenario(1));
  EXPECT_EQ(one.final_state(), other.final_state());
}

TEST(LumpedSoil, Drives) {
  const Driven grid(make_scenario(4)), lumped(make_scenario(4, {"ground.soil_level=lumped"}));
  ASSERT_TRUE(lumped.is_done()) << lumped.reason();
  EXPECT_GT(lumped.mean(2, "chassis/velocity"), 1);
  const double sinkage = grid.mean_of_wheels(2, "wheels/sinkage");
  EXPECT_GT(lumped.mean_of_wheels(2, "wheels/sinkage"), 0.3 * sinkage);
  EXPECT_LT(lumped.mean_of_wheels(2, "wheels/sinkage"), 3 * sinkage);
}

}  // namespace
}  // namespace camber::sim
