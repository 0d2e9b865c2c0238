#include "camber/terrain/lumped_soil.h"

#include <cmath>

#include <gtest/gtest.h>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"

namespace camber::terrain {
namespace {

LumpedSoil make_soil() {
  return make_lumped_soil(find_soil("LETE_sand"), RigidWheel{}, 2.8e5, 6600, 4e3);
}

TEST(LumpedSoil, IsTireAndSoilInSeries) {
  const LumpedSoil s = make_soil();
  // dW/dz of the rigid wheel by an interval ten times as wide.
  const auto z = [](double W) {
    return solve_wheel_load(RigidWheel{}, find_soil("LETE_sand"), W, {}).forces.sinkage;
  };
  const double k_soil = 1320 / (z(7260) - z(5940));
  EXPECT_NEAR(1 / s.stiffness, 1 / 2.8e5 + 1 / k_soil, 1e-2 / s.stiffness);
  EXPECT_LT(s.stiffness, 2.8e5);
  EXPECT_THROW(make_lumped_soil(find_soil("snow_US"), RigidWheel{}, 2.8e5, 20000, 1),
               std::invalid_argument);
}

TEST(LumpedSoil, CarriesAndNeverPulls) {
  const LumpedSoil s = make_soil();
  EXPECT_NEAR(calc_lumped_forces<double>(s, {0.02, 0, 0, 0}, 0, 0).Fz, 0.02 * s.stiffness, 1e-9);
  EXPECT_EQ(calc_lumped_forces<double>(s, {0.02, -50, 0, 0}, 0, 0).Fz, 0);
  EXPECT_EQ(calc_lumped_forces<double>(s, {-0.01, 0, 1, 1}, 0.3, 0.3).Fx, 0);
}

TEST(LumpedSoil, SlidingReachesMohrCoulombAndNoMore) {
  const LumpedSoil s = make_soil();
  double mx = 0, my = 0;
  const double depth = 0.025, dt = 1e-4;
  const double N = s.stiffness * depth;
  const double limit = s.cohesion * s.width * std::sqrt(2 * s.radius * depth) + N * s.tan_phi;
  LumpedForces<double> f;
  for (int i = 0; i < 20000; ++i) {
    f = calc_lumped_forces<double>(s, {depth, 0, 0.3, -0.4}, mx, my);
    mx += dt * f.bristle_rate_x, my += dt * f.bristle_rate_y;
    EXPECT_LE(std::hypot(f.Fx, f.Fy), limit * (1 + 1e-12));
    EXPECT_LE(f.Fx * 0.3 - f.Fy * 0.4, 0);  // friction takes power
  }
  EXPECT_NEAR(std::hypot(f.Fx, f.Fy), limit, 1e-6 * limit);
  EXPECT_NEAR(f.Fx / f.Fy, -0.75, 1e-9);
  // At rest it holds what it has.
  f = calc_lumped_forces<double>(s, {depth, 0, 0, 0}, 0.3, 0.1);
  EXPECT_NEAR(f.Fx, -0.3 * limit, 1e-6 * limit);
  EXPECT_NEAR(f.bristle_rate_x, 0, 1e-9);
}

TEST(LumpedSoil, DualNumbersAndLanesAgree) {
  using D = math::Dual<4>;
  const LumpedSoil s = make_soil();
  const double at[4] = {0.021, -0.2, 0.15, -0.07}, e = 1e-6;
  const auto f = calc_lumped_forces<D>(
      s,
      {D::variable(at[0], 0), D::variable(at[1], 1), D::variable(at[2], 2), D::variable(at[3], 3)},
      D(0.2), D(-0.3));
  for (int i = 0; i < 4; ++i) {
    double lo[4], hi[4];
    for (int k = 0; k < 4; ++k) lo[k] = at[k] - (k == i ? e : 0), hi[k] = at[k] + (k == i ? e : 0);
    const auto a = calc_lumped_forces<double>(s, {lo[0], lo[1], lo[2], lo[3]}, 0.2, -0.3);
    const auto b = calc_lumped_forces<double>(s, {hi[0], hi[1], hi[2], hi[3]}, 0.2, -0.3);
    EXPECT_NEAR(f.Fx.partial(i), (b.Fx - a.Fx) / (2 * e), 1e-4 * s.stiffness);
    EXPECT_NEAR(f.Fz.partial(i), (b.Fz - a.Fz) / (2 * e), 1e-4 * s.stiffness);
  }
  using L = math::Lanes<4>;
  const auto g =
      calc_lumped_forces<L>(s, {L(at[0]), L(at[1]), L(at[2]), L(at[3])}, L(0.2), L(-0.3));
  EXPECT_EQ(g.Fx.lane(2), f.Fx.value);
  EXPECT_EQ(g.Fz.lane(1), f.Fz.value);
}

}  // namespace
}  // namespace camber::terrain
