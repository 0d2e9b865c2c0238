#include "camber/math/friction_law.h"

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/dual.h"
#include "camber/math/lanes.h"

namespace camber::math {
namespace {

TEST(FrictionLaw, HoldsExactlyWhatItCanHold) {
  for (const double share : {-1.0, -0.93, -0.2, 0.0, 0.4, 0.999999, 1.0}) {
    const double holding = share * 137.0;
    const auto line = relax_friction(holding, 0.0, 137.0, 1e-3);
    EXPECT_EQ(line.force, holding);
    EXPECT_EQ(line.weight, 1.0);
    const auto plane = relax_plane_friction(0.6 * holding, 0.79 * holding, 0.0, 0.0, 137.0, 1e-3);
    EXPECT_EQ(plane.x, 0.6 * holding);
    EXPECT_EQ(plane.y, 0.79 * holding);
  }
}

TEST(FrictionLaw, IsBoundedAndOpposesSlip) {
  RandomStream random(4711);
  for (int i = 0; i < 2000; ++i) {
    const double limit = 10 + 200 * random.uniform();
    const double hx = 900 * (random.uniform() - 0.5), hy = 900 * (random.uniform() - 0.5);
    const double ux = random.uniform() - 0.5, uy = random.uniform() - 0.5;
    EXPECT_LE(std::abs(relax_friction(hx, ux, limit, 1e-3).force), limit);
    const auto f = relax_plane_friction(hx, hy, ux, uy, limit, 1e-3);
    EXPECT_LE(std::hypot(f.x, f.y), limit * (1 + 1e-15));
    const double slip = std::hypot(ux, uy);
    if (slip < 0.05) continue;  // there the direction is the slip's, to 1e-3 and better
    EXPECT_NEAR(f.x, -limit * ux / slip, 2e-3 * limit) << "seed 4711, draw " << i;
    EXPECT_NEAR(f.y, -limit * uy / slip, 2e-3 * limit) << "seed 4711, draw " << i;
  }
}

// What it can feed in: min(holding, limit)^2 slip_speed / (4 limit) at most, and only against loads
// that would end the slip by themselves. docs/theory/rolling-wheel.md (10)
TEST(FrictionLaw, PowerIsBelowItsBound) {
  RandomStream random(12);
  double largest = 0;
  for (int i = 0; i < 20000; ++i) {
    const double limit = 73.0, v_s = 0.02;
    const double holding = limit * 6 * (random.uniform() - 0.5);
    const double held = std::min(std::abs(holding), limit);
    const double slip = 4 * v_s * (random.uniform() - 0.5);
    const double power = relax_friction(holding, slip, limit, v_s).force * slip;
    EXPECT_LE(power, held * held * v_s / (4 * limit)) << "seed 12, draw " << i;
    if (holding * slip <= 0) {
      EXPECT_LE(power, 0.0);
    }
    largest = std::max(largest, power / (limit * v_s));
  }
  EXPECT_GT(largest, 0.15);  // the bound is not trivial
}

// A ball of any radius and inertia, thrown with any spin: its slip u = v + s, s the velocity of the
// lowest point by the spin, ends, and m v - I/r^2 s is kept whatever friction does. A solid ball
// without spin rolls at 5/7 of its speed.
TEST(FrictionLaw, ThrownBallRollsAtTheExactSpeed) {
  struct Case {
    double m, r, share;  // share = I / (m r^2)
    double v[2], w[3];   // velocity, spin about x, y, z
  };
  const Case cases[] = {{0.17, 0.0286, 0.4, {3.0, 0.0}, {0, 0, 0}},
                        {7.3, 0.108, 0.4, {6.1, -0.8}, {-9.0, 14.0, 5.0}},
                        {0.45, 0.11, 2.0 / 3, {2.2, 1.7}, {31.0, -47.0, -12.0}}};
  for (const Case& c : cases) {
    const double mu = 0.23, limit = mu * c.m * 9.81, I = c.share * c.m * c.r * c.r;
    // w x (-r z): the spin about the vertical does not matter.
    double v[2] = {c.v[0], c.v[1]}, s[2] = {-c.w[1] * c.r, c.w[0] * c.r};
    double expected[2];
    for (int i = 0; i < 2; ++i) expected[i] = (v[i] - c.share * s[i]) / (1 + c.share);
    const double h = 1e-5, slip_speed = 1e-3;
    for (int step = 0; step < 600'000; ++step) {
      // Nothing but friction acts along the plane: there is nothing to hold.
      const auto f = relax_plane_friction(0.0, 0.0, v[0] + s[0], v[1] + s[1], limit, slip_speed);
      const double F[] = {f.x, f.y};
      for (int i = 0; i < 2; ++i) {
        v[i] += h * F[i] / c.m;
        s[i] += h * F[i] * c.r * c.r / I;
      }
    }
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(v[i], expected[i], 1e-10);
      EXPECT_NEAR(v[i] + s[i], 0, 1e-10);
    }
  }
}

TEST(FrictionLaw, IsTheSameInLanesAndHasItsDerivative) {
  using Lanes = math::Lanes<4>;
  Lanes holding(0.0), slip(0.0);
  const double h[] = {30, -60, 20, 0}, u[] = {0.001, 0.0002, -0.4, 0};
  for (int i = 0; i < 4; ++i) {
    holding.set_lane(i, h[i]);
    slip.set_lane(i, u[i]);
  }
  const auto f = relax_friction(holding, slip, Lanes(50.0), 1e-3);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(f.force.lane(i), relax_friction(h[i], u[i], 50.0, 1e-3).force);
  }
  using D = math::Dual<1>;
  const double e = 1e-8;
  const D d = relax_friction(D(30.0), D::variable(0.0002, 0), D(50.0), 1e-3).force;
  const double quotient = (relax_friction(30.0, 0.0002 + e, 50.0, 1e-3).force -
                           relax_friction(30.0, 0.0002 - e, 50.0, 1e-3).force) /
                          (2 * e);
  EXPECT_NEAR(d.partial(0), quotient, 1e-5 * std::abs(quotient));
}

}  // namespace
}  // namespace camber::math
