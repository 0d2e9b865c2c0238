// The point mass by its laws, and its traction curve by computed figures.

#include "camber/dynamics/point_mass.h"

#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/dynamics/terrain_ground.h"
#include "camber/dynamics/test/hmmwv.h"
#include "camber/tire/scalars.h"

namespace camber::dynamics {
namespace {

// Computed by others from the same maps: 16.8 kN at converter stall in high range, 43.7 kN in low.
TEST(TractionCurve, HasTheStallForces) {
  const auto driveline = load_hmmwv_equipment().driveline;
  const TractionCurve high = calc_traction_curve(driveline, 0.44),
                      low = calc_traction_curve(driveline, 0.44, true);
  EXPECT_NEAR(high.force.back()[0], 16760, 0.02 * 16760);
  EXPECT_NEAR(low.force.back()[0], 43700, 0.02 * 43700);
  EXPECT_GT(high.force[0][0], 0);      // it creeps
  EXPECT_LT(high.force[0].back(), 0);  // and the engine brakes
  for (std::size_t i = 1; i < high.force.size(); ++i)
    for (std::size_t k = 0; k < high.speed.size(); ++k)
      EXPECT_GE(high.force[i][k], high.force[i - 1][k] - 1e-6) << i << ' ' << high.speed[k];
}

TEST(PointMass, KeepsTheFrictionCircle) {
  const PointMass vehicle = load_hmmwv_point_mass();
  RandomStream random(82);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(testing::Message() << "seed 82, " << i);
    PointMassState<double> state;
    state.yaw = random.uniform(-3, 3);
    state.speed = random.uniform(0, 30);
    state.brake_twist = 0.004;
    state.brake_pressure = random.uniform(0, 1);
    const SimpleInputs inputs{.steer = random.uniform(-0.5, 0.5),
                              .throttle = random.uniform(0, 1),
                              .brake = random.uniform(0, 1)};
    const SimpleGround<double> ground{.friction = random.uniform(0.2, 1)};
    const auto out = calc_point_mass(vehicle, state, inputs, ground);
    const double along = out.tire_force / vehicle.mass;
    EXPECT_LE(std::hypot(along, out.lateral_acceleration),
              0.8 * 9.81 * ground.friction * (1 + 1e-6) + 1e-6);
    EXPECT_NEAR(out.rates.yaw * state.speed, out.lateral_acceleration, 1e-9);
    EXPECT_LE(std::abs(out.rates.yaw),
              std::abs(state.speed * std::tan(inputs.steer) / 3.302) * (1 + 1e-12));
    // Work: the speed's rate is that of all forces along.
    EXPECT_NEAR((vehicle.mass + out.rotating_mass) * out.rates.speed,
                out.tire_force - out.resistance, 1e-8);
  }
}

// Where friction suffices it runs the circle it is steered on: R = L / tan(delta).
TEST(PointMass, RunsItsCircle) {
  const PointMass vehicle = load_hmmwv_point_mass();
  const double steer = 0.11, radius = vehicle.wheelbase / std::tan(steer);
  PointMassState<double> state{.speed = 8};
  for (int i = 0; i < 20000; ++i) {
    advance(vehicle, {.steer = steer, .throttle = 0.1}, LevelGround{}, 1e-3, &state);
    ASSERT_NEAR(std::hypot(state.x, state.y - radius), radius, 1e-6);
  }
}

TEST(PointMass, HasTheDerivativesOfItsDifferences) {
  const PointMass vehicle = load_hmmwv_point_mass();
  const SimpleInputs inputs{.steer = 0.07, .throttle = 0.6};
  PointMassState<tire::Dual> state;
  state.yaw = tire::Dual::variable(0.4, 0);
  state.speed = tire::Dual::variable(11.3, 1);
  const auto rates = calc_point_mass(vehicle, state, inputs, {}).rates;
  const auto at = [&](double yaw, double speed) {
    const PointMassState<double> there{.yaw = yaw, .speed = speed};
    return calc_point_mass(vehicle, there, inputs, {}).rates;
  };
  const double h = 1e-5;
  EXPECT_NEAR(rates.speed.partial(1), (at(0.4, 11.3 + h).speed - at(0.4, 11.3 - h).speed) / (2 * h),
              1e-7);
  EXPECT_NEAR(rates.yaw.partial(1), (at(0.4, 11.3 + h).yaw - at(0.4, 11.3 - h).yaw) / (2 * h),
              1e-7);
  EXPECT_NEAR(rates.x.partial(0), (at(0.4 + h, 11.3).x - at(0.4 - h, 11.3).x) / (2 * h), 1e-7);
}

TEST(PointMass, StandsOnASlopeWithBrakesOn) {
  const PointMass vehicle = load_hmmwv_point_mass();
  const auto slope = [](double, double) { return SimpleGround<double>{.slope_x = 0.15}; };
  PointMassState<double> state{.speed = 5};
  for (int i = 0; i < 10000; ++i) advance(vehicle, {.brake = 0.5}, slope, 1e-3, &state);
  const double x = state.x;
  for (int i = 0; i < 60000; ++i) advance(vehicle, {.brake = 0.5}, slope, 1e-3, &state);
  EXPECT_NEAR(state.x, x, 2e-3);
  EXPECT_NEAR(state.speed, 0, 1e-4);
}

// Straight over a slope without engine, drag and rolling resistance.
TEST(PointMass, CoastsOverATerrain) {
  terrain::Terrain hill;
  hill.base = terrain::Plane{.slope_x = 0.04, .slope_y = -0.03};
  terrain::TerrainCache cache = hill.make_cache();
  PointMass vehicle = load_hmmwv_point_mass();
  vehicle.drag = vehicle.rolling = vehicle.wheel_inertia = 0;
  vehicle.traction = calc_traction_curve(load_hmmwv_equipment().driveline, 0.44, false, 0);
  PointMassState<double> state{.yaw = 0.3, .speed = 14};
  for (int i = 0; i < 8000; ++i) {
    advance(vehicle, {}, TerrainGround{&hill, &cache}, 1e-3, &state);
  }
  const double ahead = 0.04 * std::cos(0.3) - 0.03 * std::sin(0.3);
  const double pull = -9.81 * ahead / std::sqrt(1 + 0.04 * 0.04 + 0.03 * 0.03);
  const double way = std::hypot(state.x, state.y);
  EXPECT_NEAR(state.speed, 14 + 8 * pull, 1e-9);
  EXPECT_NEAR(state.speed * state.speed, 14 * 14 + 2 * pull * way, 1e-7);
}

}  // namespace
}  // namespace camber::dynamics
