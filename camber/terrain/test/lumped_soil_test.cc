#include "camber/terrain/lumped_soil.h"

#include <cmath>

#include <gtest/gtest.h>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"
#include "camber/terrain/soil_laws.h"

namespace camber::terrain {
namespace {

LumpedSoil make_soil() {
  return make_lumped_soil(find_soil("LETE_sand"), RigidWheel{}, {.stiffness = 2.8e5}, 6600);
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
  EXPECT_THROW(make_lumped_soil(find_soil("snow_US"), RigidWheel{}, {.stiffness = 2.8e5}, 20000),
               std::invalid_argument);
}

// Soil that is pressed down takes the work of Bekker's pressure over the depth of the rut,
// b k z^(n+1)/(n+1), at the depth that carries the load: found here by sums and bisection. The rest
// is the tire's and the surface's.
TEST(LumpedSoil, ResistsAsItIsPressedDown) {
  constexpr double kLoad = 6600, kRadius = 0.47, kWidth = 0.3175;
  for (const char* name : {"LETE_sand", "clayey_38_Thailand", "sandy_loam_15_LLL"}) {
    SCOPED_TRACE(name);
    const Soil& soil = find_soil(name);
    const LumpedSoil s = make_lumped_soil(soil, RigidWheel{},
                                          {.stiffness = 1e8, .rolling_resistance = 0.013}, kLoad);
    const double k = soil_modulus(soil, kWidth);
    const auto carried = [&](double depth) {
      constexpr int kParts = 20000;
      const double entry = std::acos(1 - depth / kRadius), d = entry / kParts;
      double sum = 0;
      for (int i = 0; i < kParts; ++i) {
        const double at = (i + 0.5) * d;
        sum += k * std::pow(kRadius * (std::cos(at) - std::cos(entry)), soil.n) * std::cos(at);
      }
      return sum * d * kRadius * kWidth;
    };
    double less = 0, more = kRadius;
    for (int i = 0; i < 50; ++i) {
      const double middle = (less + more) / 2;
      (carried(middle) < kLoad ? less : more) = middle;
    }
    const double work = kWidth * k * std::pow(less, soil.n + 1) / (soil.n + 1);
    EXPECT_GT(work, 0.05 * kLoad);
    EXPECT_NEAR(s.rolling_resistance, 0.013 + kSurfaceResistance + work / kLoad, 1e-5);
    // A tire that flattens to 0.3 m has 70 kPa under it at most.
    const double length = 0.3, pressure = kLoad / (kWidth * length);
    const double soft = kLoad * 8 * kRadius / (length * length);
    const LumpedSoil flat = make_lumped_soil(
        soil, RigidWheel{}, {.stiffness = soft, .rolling_resistance = 0.013}, kLoad);
    const double rut = std::pow(pressure / k, 1 / soil.n);
    EXPECT_NEAR(flat.rolling_resistance,
                0.013 + kSurfaceResistance + kWidth * pressure * rut / (soil.n + 1) / kLoad, 1e-12);
    EXPECT_LT(flat.rolling_resistance, s.rolling_resistance);
  }
  Soil rigid = find_soil("LETE_sand");
  rigid.law = PressureLaw::kRigid;
  const LumpedSoil road =
      make_lumped_soil(rigid, RigidWheel{}, {.rolling_resistance = 0.013}, kLoad);
  EXPECT_EQ(road.rolling_resistance, 0.013);
}

TEST(LumpedSoil, CarriesAndNeverPulls) {
  const LumpedSoil s = make_soil();
  EXPECT_NEAR(calc_lumped_forces<double>(s, {0.02, 0, 0, 0}, 0, 0).Fz, 0.02 * s.stiffness, 1e-9);
  EXPECT_EQ(calc_lumped_forces<double>(s, {0.02, -50, 0, 0}, 0, 0).Fz, 0);
  EXPECT_EQ(calc_lumped_forces<double>(s, {-0.01, 0, 1, 1}, 0.3, 0.3).Fx, 0);
}

// Bristles straighten in the air and take up slip as the wheel comes down: rates that jumped where
// it lands or leaves would cost each landing an error of first order.
TEST(LumpedSoil, LandsAndLeavesWithoutJumps) {
  const LumpedSoil s = make_soil();
  const double mx = 0.31, my = -0.17;
  for (const double rate : {2.4, -1.7, 0.3}) {
    SCOPED_TRACE(rate);
    const auto air = calc_lumped_forces<double>(s, {-1e-9, rate, 0.7, -0.2, 5}, mx, my);
    const auto ground = calc_lumped_forces<double>(s, {1e-9, rate, 0.7, -0.2, 5}, mx, my);
    EXPECT_NEAR(air.bristle_rate_x, -20 * mx, 1e-12);
    EXPECT_NEAR(ground.bristle_rate_x, air.bristle_rate_x, 0.01);
    EXPECT_NEAR(ground.bristle_rate_y, air.bristle_rate_y, 0.01);
  }
  // Where the damper is no longer more than the spring it is down.
  const double depth = 0.02, at = s.stiffness * depth / s.damping;
  const auto here = calc_lumped_forces<double>(s, {depth, -at, 0.7, -0.2, 5}, mx, my);
  const auto before = calc_lumped_forces<double>(s, {depth, -at - 1e-6, 0.7, -0.2, 5}, mx, my);
  EXPECT_NEAR(here.bristle_rate_x, before.bristle_rate_x, 0.01);
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

/// Where the bristle of a wheel that rolls at `rim` and slides at (vx, vy) comes to.
LumpedForces<double> settle(const LumpedSoil& s, double depth, double rim, double vx, double vy) {
  double mx = 0.4, my = -0.3;
  LumpedForces<double> f;
  for (int i = 0; i < 40000; ++i) {
    f = calc_lumped_forces<double>(s, {depth, 0, vx, vy, rim}, mx, my);
    mx += 1e-4 * f.bristle_rate_x, my += 1e-4 * f.bristle_rate_y;
  }
  return f;
}

// Soil that enters in front is bent by s x at the distance x: Janosi's mean over the contact.
TEST(LumpedSoil, ARollingWheelHasTheShearOfItsSlip) {
  LumpedSoil s = make_soil();
  s.shear_damping = 0;
  const double depth = 0.04, rim = 8, K = s.shear_modulus;
  const double front = std::sqrt(2 * s.radius * depth);
  const double N = s.stiffness * depth,
               length = front + std::sqrt(2 * s.radius * N / s.tire.stiffness);
  const double limit = s.cohesion * s.width * front + N * s.tan_phi;
  const auto mean_shear = [&](double slip) {
    constexpr int kPoints = 2000;
    double sum = 0;
    for (int i = 0; i < kPoints; ++i) sum += 1 - std::exp(-slip * length * (i + 0.5) / kPoints / K);
    return sum / kPoints;
  };
  for (const double slip : {1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3}) {
    const LumpedForces<double> f = settle(s, depth, rim, 0, slip * rim);
    const double share = -f.Fy / limit;
    EXPECT_NEAR(share, mean_shear(slip), slip < 0.005 ? 0.05 * share : 0.15) << slip;
    EXPECT_NEAR(f.Fx, 0, 1e-6 * limit);  // earlier deflection has left the contact
  }
  // A tire in series adds its own slip: 1/C = 1/C_soil + 1/C_tire at the beginning.
  const double alone = -settle(s, depth, rim, 0, 1e-4 * rim).Fy / 1e-4;
  s.tire.compliance_across = 1 / 5e4, s.tire.relaxation_across = 0.4;
  const double both = -settle(s, depth, rim, 0, 1e-4 * rim).Fy / 1e-4;
  EXPECT_NEAR(1 / both, 1 / alone + 1 / 5e4, 0.01 / both);
}

TEST(LumpedSoil, FrictionOfTheGroundBoundsIt) {
  LumpedSoil s = make_soil();
  s.tire.friction = 0.9;
  const double depth = 0.03, N = s.stiffness * depth;
  const auto f = calc_lumped_forces<double>(s, {depth, 0, 2, 0, 0, 0.2}, 1, 0);
  EXPECT_NEAR(f.Fx, -0.2 * 0.9 * N, 1e-9 * N);
}

TEST(LumpedSoil, GroundThatDoesNotYieldLeavesTheTire) {
  const LumpedTire tire{.stiffness = 2.4e5, .damping = 900, .friction = 0.85};
  const LumpedSoil s = make_lumped_soil(make_rigid_ground(), RigidWheel{}, tire, 6600);
  const auto f = calc_lumped_forces<double>(s, {0.02, 0.1, -3, 0, 0}, -1, 0);
  EXPECT_NEAR(f.Fz, 2.4e5 * 0.02 + 90, 1e-9);
  EXPECT_NEAR(f.Fx, 0.85 * f.Fz, 1e-9);
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
