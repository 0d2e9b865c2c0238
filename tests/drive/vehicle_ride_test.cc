// The HMMWV on its springs and tires: frequencies of wheels and body (docs/validation/hmmwv.md).

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/test/hmmwv.h"
#include "camber/math/dense.h"
#include "camber/tire/test/hmmwv_tires.h"
#include "camber/vehicle/vehicle_file.h"
#include "tests/drive/drive_runs.h"

namespace camber {
namespace {

using drive_test::Overrides;
using drive_test::record_value;
using drive_test::run_text;
using drive_test::Trip;
using drive_test::wheel_values;

constexpr double kGravity = 9.81;

/// An undamped motion of the vehicle on its tires.
struct RideMode {
  double frequency = 0;   // [Hz]
  VectorX<double> shape;  // of the body: roll, pitch, heave; then the travel of each wheel
};
/// Ascending, by linearizing the driven vehicle at rest.
std::vector<RideMode> find_ride_modes() {
  const vehicle::VehicleMechanism hmmwv = expand(vehicle::load_vehicle("models/hmmwv.toml"));
  const terrain::Terrain level;
  dynamics::DrivenVehicle<dynamics::GeneratedChassis> car(
      dynamics::GeneratedChassis(hmmwv), dynamics::load_hmmwv_equipment(),
      dynamics::Ground(&level, dynamics::RigidGround{.tire = tire::load_hmmwv_tire()}, 4));
  const dynamics::DriveState state = car.stand_at({});
  dynamics::DriveInputs neutral;
  neutral.gear.gear = 0;
  car.set_inputs(neutral);
  std::vector<int> directions = {0, 1, 5};  // of the body: roll, pitch, heave
  for (int i = 0; i < 4; ++i) directions.push_back(car.chassis().corner_speeds(i).back());
  const auto n = static_cast<Eigen::Index>(directions.size());
  MatrixX<double> A(n, n);
  constexpr double kDifference = 1e-6;
  std::vector<double> rates(state.v.size());
  for (Eigen::Index j = 0; j < n; ++j) {
    for (const double side : {1.0, -1.0}) {
      std::vector<double> q = state.q, move(static_cast<std::size_t>(car.chassis().nv()), 0.0);
      move[directions[j]] = side * kDifference;
      require(car.chassis().move(move, q) && car.calc_rates(0, q, state.v, rates), car.why());
      for (Eigen::Index i = 0; i < n; ++i) {
        const double half = side * rates[directions[i]] / (2 * kDifference);
        A(i, j) = side > 0 ? -half : A(i, j) - half;
      }
    }
  }
  const math::Eigensystem eigen = math::calc_eigen(A);
  std::vector<RideMode> modes;
  for (Eigen::Index k = 0; k < n; ++k)
    modes.push_back(
        {std::sqrt(eigen.values[k].real()) / (2 * std::numbers::pi), eigen.vectors.col(k).real()});
  std::ranges::sort(modes, {}, &RideMode::frequency);
  return modes;
}

// Both wheels of an axle up and down, or one against the other: 8 to 11 Hz. Bounce and pitch of
// the body are coupled: 1.21 Hz with the front moving most, 2.25 Hz with the rear.
TEST(VehicleRides, WithWheelsThatHopAtTheirFrequencies) {
  const std::vector<RideMode> modes = find_ride_modes();
  ASSERT_EQ(modes.size(), 7U);
  for (std::size_t k = 0; k < modes.size(); ++k) {
    record_value(concat("frequency_", k), modes[k].frequency);
    if (k < 3) continue;
    EXPECT_LT(modes[k].shape.head(3).norm(), 0.1 * modes[k].shape.norm());  // the body stays
    EXPECT_GT(modes[k].frequency, 8);
    EXPECT_LT(modes[k].frequency, 11);
  }
}

/// Frequencies of one end of the body by itself [Hz]: the stiffness there, from how far a little
/// payload over the axle presses it down, under the sprung mass that it carries.
struct EndFrequencies {
  double springs, with_tires;
};
EndFrequencies find_end_frequencies(double axle_x, std::size_t first_wheel,
                                    const Overrides& overrides) {
  constexpr double kPayload = 10, kUnsprung = 215;  // [kg]; of an axle: wheels, hubs, half the arms
  const auto find_height = [&](const Trip& trip) {
    return trip.column("chassis/position.z")[0] -
           axle_x * std::sin(trip.column("chassis/attitude.pitch")[0]);
  };
  const auto find_deflection = [&](const Trip& trip) {
    const std::vector<double> all = wheel_values(trip, "wheels/deflection", 0);
    return 0.5 * (all[first_wheel] + all[first_wheel + 1]);
  };
  const Trip empty = run_text("[run]\nduration = 0.01\n", overrides);
  const Trip laden = run_text(concat("payload = [{ mass = ", kPayload, ", at = [", axle_x,
                                     ", 0, 0.2] }]\n[run]\nduration = 0.01\n"),
                              overrides);
  const std::vector<double> load = wheel_values(empty, "wheels/load", 0);
  const double mass = (load[first_wheel] + load[first_wheel + 1]) / kGravity - kUnsprung;
  const auto frequency = [&](double way) {
    return std::sqrt(kPayload * kGravity / way / mass) / (2 * std::numbers::pi);
  };
  const double way = find_height(empty) - find_height(laden);
  return {frequency(way - (find_deflection(laden) - find_deflection(empty))), frequency(way)};
}

// On linear springs alone 1.20 and 1.92 Hz by another computation, at the design position. No stop carries weight at
// rest: with them and without the frequencies are the same.
TEST(VehicleRides, WithEndsThatBounceAtTheirFrequencies) {
  const drive_test::ChangedVehicle linear(
      drive_test::ChangedVehicle::Changes{{"rebound_length = 0.35", "rebound_length = 0.45"}});
  const Overrides without_stops = {linear.model(), "vehicle.formulation=ce"};
  const EndFrequencies front = find_end_frequencies(1.648579, 0, without_stops),
                       rear = find_end_frequencies(-1.653405, 2, without_stops),
                       own_rear = find_end_frequencies(-1.653405, 2, {});
  EXPECT_GT(front.springs, 1.1);
  EXPECT_LT(front.springs, 1.3);
  EXPECT_GT(rear.springs, 1.7);
  EXPECT_LT(rear.springs, 2.0);
  EXPECT_NEAR(own_rear.springs, rear.springs, 1e-6);
  record_value("front", front.springs);
  record_value("rear", rear.springs);
  record_value("front_with_tires", front.with_tires);
  record_value("rear_with_tires", rear.with_tires);
  record_value("own_rear", own_rear.springs);
  record_value("own_rear_with_tires", own_rear.with_tires);
}

}  // namespace
}  // namespace camber
