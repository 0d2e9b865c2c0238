// The driven HMMWV with smaller and smaller steps: errors of the path and of the peak yaw rate.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/drive/drive_runs.h"

namespace camber {
namespace {

using drive_test::Overrides;
using drive_test::run_file;
using drive_test::Trip;

struct Row {
  double peak_yaw_rate = 0;
  std::vector<double> x, y, z;  // sample by sample
};

/// The largest one on the way.
double distance(const Row& a, const Row& b) {
  double max_distance = 0;
  for (std::size_t i = 0; i < std::min(a.x.size(), b.x.size()); ++i)
    max_distance =
        std::max(max_distance, std::hypot(a.x[i] - b.x[i], a.y[i] - b.y[i], a.z[i] - b.z[i]));
  return max_distance;
}

constexpr double kLongest = 0.002;  // [s]

/// At a step, and at a half, a quarter and an eighth of it.
std::array<Row, 4> run_steps(const std::string& name, const Overrides& overrides, double step,
                             double duration = 10) {
  std::array<Row, 4> rows = {};
  for (Row& row : rows) {
    Overrides all = overrides;
    all.push_back(concat("run.step=", step));
    const Trip trip = run_file(name, all, duration);
    require(trip.is_done(), trip.result.reason);
    row = {trip.peak("chassis/rates.yaw"), trip.column("chassis/position.x"),
           trip.column("chassis/position.y"), trip.column("chassis/position.z")};
    step /= 2;
  }
  return rows;
}

/// Order of the differences between one step and the next: 2 for a method of second order.
std::array<double, 2> find_orders(const std::array<Row, 4>& rows) {
  std::array<double, 2> orders = {};
  for (std::size_t k = 0; k < 2; ++k)
    orders[k] = std::log2(distance(rows[k], rows[k + 1]) / distance(rows[k + 1], rows[k + 2]));
  return orders;
}

/// Prints the table and returns the orders. With the second step the way is that with the last one
/// to `nearness` [m].
std::array<double, 2> check(const std::string& name, const Overrides& overrides,
                            double nearness = 1e-4, double longest = kLongest,
                            double duration = 10) {
  const std::array<Row, 4> rows = run_steps(name, overrides, longest, duration);
  const std::array<double, 2> orders = find_orders(rows);
  std::printf("%s: step [ms], peak yaw rate [rad/s], x [m], y [m]\n", name.c_str());
  double step = longest * 1e3;
  for (const Row& row : rows) {
    std::printf("%6.3f %.10f %.8f %.8f\n", step, row.peak_yaw_rate, row.x.back(), row.y.back());
    step /= 2;
  }
  std::printf("orders %.2f %.2f\n", orders[0], orders[1]);
  constexpr double kStraight = 0.01;  // [rad/s]
  if (rows[3].peak_yaw_rate > kStraight) {
    EXPECT_NEAR(rows[1].peak_yaw_rate, rows[3].peak_yaw_rate, 1e-3 * rows[3].peak_yaw_rate);
  }
  EXPECT_LT(distance(rows[1], rows[3]), nearness);
  return orders;
}

// At speed. Standing treads are stiff, and a start from rest shows its order from 1 ms on.
TEST(VehicleConvergence, LaneChange) {
  for (const double order :
       check("double-lane-change", {"driver.path.change[0].time=1", "driver.path.change[1].time=5",
                                    "vehicle.start={ speed = 20, gear = 3 }"}))
    EXPECT_GE(order, 1.8);
}

TEST(VehicleConvergence, StartFromRest) {
  for (const double order : check("turning-circle", {}, 1e-5, 0.001)) EXPECT_GE(order, 1.8);
}

// Where the power steering meets its bound a corner would scatter the ratios: with one they
// were 2.92, 0.82 and 5.94.
TEST(VehicleConvergence, StepSteer) {
  for (const double order : check("step-steer", {})) EXPECT_GE(order, 1.8);
}

TEST(VehicleConvergence, SevereLaneChange) {
  for (const double order : check("iso3888-1", {"run.duration=8.5"})) EXPECT_GE(order, 1.8);
}

TEST(VehicleConvergence, BrakingOnSplitFriction) {
  for (const double order : check("split-friction-braking", {})) EXPECT_GE(order, 1.8);
}

TEST(VehicleConvergence, SteadyCircle) {
  for (const double order : check("steady-circle", {}, 1e-6)) EXPECT_GE(order, 1.8);
}

// The scenario's own ramp, from whose edge it falls at 3.43 s, to 80 deg of roll. With
// wheels that touch the ground at one point this was chaotic from the fall on, and wheels were
// pressed in by several radii. Its low side then touches the road: an impact, at the same order.
TEST(VehicleConvergence, RolloverToItsEnd) {
  const std::array<Row, 4> rows = run_steps("rollover-ramp", {}, kLongest, 3.6);
  const double first = distance(rows[0], rows[1]), last = distance(rows[2], rows[3]);
  std::printf("rollover-ramp: %.2e %.2e %.2e m\n", first, distance(rows[1], rows[2]), last);
  EXPECT_GE(0.5 * std::log2(first / last), 1.8);
  EXPECT_LT(last, 1e-5);
}

/// Orders of the root mean square of the differences over several variants of one drive. Where
/// tables of springs, stops and dampers have corners, or wheels leave the ground and land, an error
/// goes with the square of the step, but how large it is depends on where in a step that happens.
std::array<double, 2> find_mean_orders(const std::string& name,
                                       const std::vector<Overrides>& variants, double longest) {
  std::array<double, 3> squares = {};
  for (const Overrides& variant : variants) {
    const std::array<Row, 4> rows = run_steps(name, variant, longest);
    for (std::size_t k = 0; k < 3; ++k) squares[k] += std::pow(distance(rows[k], rows[k + 1]), 2);
  }
  const auto order = [&](std::size_t k) { return 0.5 * std::log2(squares[k] / squares[k + 1]); };
  std::printf("%s: orders in the mean %.2f %.2f\n", name.c_str(), order(0), order(1));
  return {order(0), order(1)};
}

// Wheels leave the ground and land, which costs no order: their loads and treads do not jump. The
// ramp is lower than the scenario's, on which the vehicle tips over; its wheels touch the ground at
// one point, which is exact on this smooth ramp. Single starts have orders of 0.4 to 3.4.
TEST(VehicleConvergence, RampAndLanding) {
  std::vector<Overrides> variants;
  for (int i = 0; i < 8; ++i)
    variants.push_back({"ground.bump[0].height=0.8", "ground.bump[0].top=8",
                        "vehicle.center_of_mass_height=0.7", "tire.contact=point",
                        concat("vehicle.start.x=", 0.1 * i)});
  for (const double order : find_mean_orders("rollover-ramp", variants, kLongest))
    EXPECT_GE(order, 1.6);
}

// Over the cells of a map, whose curvature jumps from one to the next; where the contact's place
// went by it, the orders were 1.8 and 1.4 with the smallest steps.
TEST(VehicleConvergence, OffRoad) {
  for (const double x : {0.0, 0.7, 2.1, 2.9, 3.7}) {
    SCOPED_TRACE(x);
    for (const double order : check("off-road-hills", {concat("vehicle.start.x=", x)}))
      EXPECT_GE(order, 1.8);
  }
}

// Both edges of a half-round are upright, and wheels leave the ground behind it, with treads that
// are bent. (When these stopped straightening at once where a wheel lands, the first place ended
// with an order of 1.28; in the mean they were 1.96 and 1.89.) At 2 ms wheels go 10 mm in a step,
// as much as the columns of the envelope are wide: from 1 ms on, the round a bit farther away each
// time.
TEST(VehicleConvergence, HalfRound) {
  check("half-round", {});
  std::vector<Overrides> places;
  for (const double x : {20.0, 20.0013, 20.0029, 20.0047, 20.0061, 20.0083})
    places.push_back({concat("ground.bump[0].x=", x)});
  for (const double order : find_mean_orders("half-round", places, 0.001)) EXPECT_GE(order, 1.8);
}

}  // namespace
}  // namespace camber
