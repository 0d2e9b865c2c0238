// Shifts of driven vehicles: no torque hole, no hunting, energy, restarts, selector and held gears.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/drive/drive_runs.h"

namespace camber {
namespace {

using drive_test::record_value;
using drive_test::run_file;
using drive_test::run_text;
using drive_test::Trip;

const std::string kGear = "drivetrain/gear", kSpeed = "chassis/velocity.forward",
                  kForward = "chassis/acceleration.forward";

/// Times at which the gear changes.
std::vector<double> find_shifts(const Trip& trip, double after = 0, double before = 1e9) {
  std::vector<double> shifts;
  const std::vector<double>& gear = trip.column(kGear);
  for (std::size_t i = 1; i < gear.size(); ++i)
    if (gear[i] != gear[i - 1] && trip.times()[i] >= after && trip.times()[i] <= before)
      shifts.push_back(trip.times()[i]);
  return shifts;
}

double min_of(const Trip& trip, const std::string& name, double after, double before) {
  double least = 1e300;
  for (std::size_t i = 0; i < trip.times().size(); ++i)
    if (trip.times()[i] >= after && trip.times()[i] <= before)
      least = std::min(least, trip.column(name)[i]);
  return least;
}

// Full throttle from rest through all gears. In a shift the vehicle is never accelerated less than
// in the gear that comes, but for its pitch: the acceleration of the chassis swings with it.
TEST(PowerShifts, LeaveNoHoleInAnAcceleration) {
  for (const char* model : {"../models/hmmwv.toml", "../models/mcpherson-car.toml"}) {
    const Trip trip = run_text(
        "[driver.speed]\nkind = \"open\"\nthrottle = [[0.5, 0], [0.6, 1]]\n"
        "[run]\nduration = 20\n[[figures]]\nfigure = \"energy_error\"\n",
        {std::string("vehicle.model=\"") + model + "\""});
    ASSERT_TRUE(trip.is_done()) << trip.result.reason;
    const std::vector<double> shifts = find_shifts(trip);
    ASSERT_GE(shifts.size(), 1u);
    for (const double t : shifts) {
      const double before = trip.mean(kForward, t - 0.3, t - 0.05),
                   after = trip.mean(kForward, t + 1.5, t + 2.5),
                   least = min_of(trip, kForward, t, t + 1.2);
      EXPECT_GT(after, 0.2) << model;
      EXPECT_LT(after, before);
      EXPECT_GT(least, 0.75 * after) << model << ", shift at " << t << " s";
      EXPECT_LT(trip.peak(kForward, t, t + 1.2), 1.5 * before) << model;
      record_value(std::string(model) + "_least", least);
    }
    EXPECT_LT(trip.figure("energy_error"), 1e-5) << model;
  }
}

// The gearbox does not hunt on a grade: the next gear must hold before it shifts up.
TEST(PowerShifts, DoNotHuntOnGrades) {
  for (const double slope : {0.3, 0.4, 0.6}) {
    const Trip trip =
        run_text("[ground]\nslope = " + std::to_string(slope) +
                     "\n[driver]\nrange = \"low\"\n[driver.speed]\nkind = \"hold\"\ntarget = 3\n"
                     "[run]\nduration = 20\nstep = 0.0005\n",
                 {"vehicle.start.speed=3"});
    ASSERT_TRUE(trip.is_done()) << trip.result.reason;
    EXPECT_LE(find_shifts(trip).size(), 1u) << slope;
    EXPECT_NEAR(trip.mean(kSpeed, 8), 3, 0.15) << slope;
    EXPECT_GT(min_of(trip, kSpeed, 3, 20), 2.5) << slope;
    record_value("mean_speed_" + std::to_string(slope), trip.mean(kSpeed, 8));
  }
}

TEST(PowerShifts, HoldTheGearOfTheSteadyCircle) {
  const Trip trip = run_file("steady-circle");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  EXPECT_TRUE(find_shifts(trip).empty());
}

// Nor does it shift without a held gear to and fro on the circle.
TEST(PowerShifts, DoNotHuntOnACircle) {
  const Trip trip = run_file("steady-circle", {"driver.gear=0", "vehicle.start.gear=1"});
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const std::vector<double>& gear = trip.column(kGear);
  for (std::size_t i = 1; i < gear.size(); ++i) EXPECT_GE(gear[i], gear[i - 1]);
  EXPECT_GE(find_shifts(trip).size(), 1u);
}

const std::string kAccelerates =
    "[driver.speed]\nkind = \"open\"\nthrottle = [[0, 1]]\n[run]\nduration = 4\n";

scenario::Scenario make_acceleration(const drive_test::Overrides& overrides = {}) {
  return scenario::parse_scenario(
      "kind = \"scenario\"\nname = \"test\"\n[vehicle]\nmodel = \"../models/hmmwv.toml\"\n"
      "start = { speed = 9.5, gear = 1 }\n" +
          kAccelerates,
      "scenarios/test.toml", overrides);
}

// In the middle of a shift, too: the gearbox saves how far it is.
TEST(PowerShifts, RestartInTheMiddleBitForBit) {
  for (const char* level : {"full", "single_track"}) {
    run::Simulation whole(
        scenario::build_scenario(make_acceleration({concat("vehicle.level=\"", level, "\"")})));
    int begun = -1;
    run::SimulationState middle;
    while (!whole.is_done()) {
      whole.step(0.01);
      const int gear = whole.vehicle().gear;
      if (begun < 0 && gear == 2) begun = 0;
      if (begun >= 0 && ++begun == 22) middle = whole.save();
    }
    ASSERT_GE(begun, 60) << level;  // a shift takes 60 samples
    run::Simulation again(
        scenario::build_scenario(make_acceleration({concat("vehicle.level=\"", level, "\"")})));
    again.restore(middle);
    again.run();
    EXPECT_EQ(whole.state_values(), again.state_values()) << level;
  }
}

// Ratios are held over the samples of the driver, which are ends of steps: a shift does not cost the
// method its order. 10 ms after 10 ms the midpoint rule's error falls fourfold.
TEST(PowerShifts, ConvergeAsTheMethodDoes) {
  const auto end = [](double step) {
    run::Simulation simulation(
        scenario::build_scenario(make_acceleration({concat("run.step=", step)})));
    simulation.run();
    EXPECT_EQ(simulation.vehicle().gear, 2);
    return simulation.vehicle().position[0];
  };
  const double best = end(0.000125), coarse = end(0.001) - best, fine = end(0.0005) - best;
  EXPECT_LT(std::abs(coarse), 1e-3);
  EXPECT_GT(std::abs(coarse / fine), 2.5);
  record_value("error_ratio", coarse / fine);
}

// D, N and P on a slope: in N it rolls, in P it stands.
TEST(Selector, ParksAndLetsRoll) {
  const Trip trip = run_text(
      "[ground]\nslope = -0.1\n"
      "[driver]\nparking_brake = false\nselector = [[0, \"N\"], [8, \"P\"]]\n"
      "[driver.speed]\nkind = \"open\"\nbrake = [[0, 1], [1, 1], [1.1, 0], [4, 0], [4.2, 0.6], "
      "[8.5, 0.6], [8.7, 0]]\n"
      "[run]\nduration = 14\n");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  EXPECT_EQ(trip.peak(kGear), 0);
  EXPECT_GT(trip.peak(kSpeed, 3, 5), 1);       // it rolls
  EXPECT_LT(trip.peak(kSpeed, 10, 14), 1e-3);  // it is parked
}

// A held gear stays whatever the speed; a gear that starts with overspeed is refused.
TEST(Selector, HoldsAGear) {
  const Trip trip = run_text(
      "start = { speed = 10, gear = 2 }\n[driver]\ngear = [[0, 2], [4, 3]]\n"
      "[driver.speed]\nkind = \"open\"\nthrottle = [[0, 1]]\n[run]\nduration = 7\n");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  const std::vector<double> shifts = find_shifts(trip);
  ASSERT_EQ(shifts.size(), 1u);
  EXPECT_NEAR(shifts[0], 4, 0.03);
  try {
    run_text("start = { speed = 20, gear = 1 }\n[run]\nduration = 1\n");
    ADD_FAILURE() << "no error";
  } catch (const ModelFileError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("vehicle.start.gear: in gear 1 at 20 m/s the engine would run above "
                           "3800 rpm"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("expected 2 or more"), std::string::npos) << message;
  }
}

// The manual car moves off by its clutch, opens it for each shift, and keeps the energy; fuel is that
// of the Willans line, integrated by the log.
TEST(ManualGearbox, MovesOffAndShifts) {
  const Trip trip = run_file("manual-car-acceleration");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  EXPECT_LT(trip.figure("energy_error"), 1e-4);
  EXPECT_GE(trip.figure("gear_shifts"), 2);
  const double to_100 = trip.figure("time_to_100_kmh");
  EXPECT_GT(to_100, 8);
  EXPECT_LT(to_100, 15);
  record_value("time_to_100_kmh", to_100);
  const std::vector<double>& engine = trip.column("drivetrain/engine.speed");
  const std::vector<double>& torque = trip.column("drivetrain/engine.torque");
  const std::vector<double>& clutch = trip.column("drivetrain/clutch");
  double fuel = 0;
  for (std::size_t i = 0; i < trip.times().size(); ++i) {
    EXPECT_GT(engine[i], 70) << trip.times()[i];  // it does not stall: 670 rpm
    if (i == 0) continue;
    const auto rate = [&](std::size_t k) {
      return std::max(0.0, torque[k] + 14) * engine[k] / (0.38 * 42.5e6);
    };
    fuel += 0.5 * (rate(i) + rate(i - 1)) * (trip.times()[i] - trip.times()[i - 1]);
  }
  EXPECT_NEAR(trip.last("drivetrain/fuel.used"), fuel, 2e-3 * fuel);
  EXPECT_NEAR(trip.figure("fuel_consumption"), 1e8 * fuel / 745 / trip.last("chassis/position.x"),
              0.01 * trip.figure("fuel_consumption"));
  EXPECT_LT(*std::min_element(clutch.begin() + 300, clutch.end()), 0.01);  // open in a shift
  EXPECT_GT(clutch.back(), 0.999);
}

/// Differences of the distance between steps and their halves fall fourfold.
void expect_second_order(const std::string& name, double duration,
                         const std::vector<std::string>& overrides) {
  const auto drive = [&](double step) {
    std::vector<std::string> all = overrides;
    all.push_back(concat("run.step=", step));
    return run_file(name, all, duration).column("chassis/position.x");
  };
  const std::vector<double> x[] = {drive(0.001), drive(0.0005), drive(0.00025)};
  double coarse = 0, fine = 0;
  for (std::size_t i = 0; i < x[0].size(); ++i) {
    coarse = std::max(coarse, std::abs(x[0][i] - x[1][i]));
    fine = std::max(fine, std::abs(x[1][i] - x[2][i]));
  }
  EXPECT_LT(coarse, 1e-4) << name;
  EXPECT_GT(coarse / fine, 3) << name;
  record_value("error_ratio", coarse / fine);
}

// Over the clutch and two shifts.
TEST(ManualGearbox, ConvergesAsTheMethodDoes) {
  expect_second_order("manual-car-acceleration", 12, {});
}

// Over driving, coasting and braking into the battery, with given pedals: a driver that holds a speed
// moves off from rest up to 1 mm earlier or later, by the last digits of its law.
TEST(ElectricAxle, ConvergesAsTheMethodDoes) {
  expect_second_order("electric-car-town", 8,
                      {"vehicle.start.speed=5",
                       "driver.speed={ kind = \"open\", throttle = [[0, 0.3], [4, 0.3], [4.5, 0]], "
                       "brake = [[0, 0], [5, 0], [5.5, 0.2]] }"});
}

// What the battery gives is the motor's work, the losses and what the car takes beside; braking gives
// part of it back.
TEST(ElectricAxle, BrakesIntoItsBattery) {
  const Trip trip = run_file("electric-car-town");
  ASSERT_TRUE(trip.is_done()) << trip.result.reason;
  EXPECT_LT(trip.figure("energy_error"), 1e-4);
  const std::vector<double>& energy = trip.column("drivetrain/battery.energy");
  const std::vector<double>& speed = trip.column("drivetrain/engine.speed");
  const std::vector<double>& torque = trip.column("drivetrain/engine.torque");
  const std::vector<double>& current = trip.column("drivetrain/battery.current");
  double taken = 0;
  const auto power = [&](std::size_t k) {
    const double w = std::abs(speed[k]), T = torque[k];
    return T * speed[k] + 0.07 * T * T + 0.6 * w + 8e-7 * w * w * w + 120 + 350 +
           0.09 * current[k] * current[k];
  };
  for (std::size_t i = 1; i < trip.times().size(); ++i)
    taken += 0.5 * (power(i) + power(i - 1)) * (trip.times()[i] - trip.times()[i - 1]);
  EXPECT_NEAR(energy.back(), taken, 5e-3 * taken);
  // Braking from 13.9 m/s: more than half of the kinetic energy comes back.
  const double kinetic = 0.5 * 1200 * 13.9 * 13.9;
  const double most = *std::max_element(energy.begin(), energy.end());
  EXPECT_GT(most - *std::min_element(energy.begin() + 5500, energy.end()), 0);
  double back = 0;
  for (std::size_t i = 1; i < energy.size(); ++i) back += std::max(0.0, energy[i - 1] - energy[i]);
  EXPECT_GT(back, 0.5 * 2 * kinetic);
  EXPECT_LT(back, 2 * 1.2 * kinetic);
  EXPECT_LT(trip.last("drivetrain/battery.charge"), 0.8);
  record_value("electric_consumption", trip.figure("electric_consumption"));
  // Without regeneration the same drive takes more.
  const Trip without = run_file("electric-car-town", {"equipment:motor.regeneration=0"});
  ASSERT_TRUE(without.is_done());
  EXPECT_GT(without.figure("electric_consumption"), 1.2 * trip.figure("electric_consumption"));
  EXPECT_NEAR(without.last("chassis/position.x"), trip.last("chassis/position.x"),
              0.02 * trip.last("chassis/position.x"));
}

TEST(ElectricAxle, RestartsBitForBit) {
  const auto make = [] {
    return scenario::build_scenario(
        scenario::load_scenario("scenarios/electric-car-town.toml", {"run.duration=32"}));
  };
  run::Simulation whole(make());
  whole.advance_to(28.3);
  const run::SimulationState middle = whole.save();
  whole.run();
  run::Simulation again(make());
  again.restore(middle);
  again.run();
  EXPECT_EQ(whole.state_values(), again.state_values());
}

}  // namespace
}  // namespace camber
