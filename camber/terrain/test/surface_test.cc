#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/terrain/bump.h"
#include "camber/terrain/elevation_map.h"

namespace camber::terrain {
namespace {

using Height = std::function<double(double, double)>;

HeightGrid make_grid(int nx, int ny, double spacing, double x0, double y0, const Height& h) {
  HeightGrid grid{nx, ny, spacing, x0, y0, {}};
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      grid.heights.push_back(static_cast<float>(h(x0 + i * spacing, y0 + j * spacing)));
    }
  }
  return grid;
}

HeightGrid make_random_grid(unsigned seed, int nx, int ny, double spacing) {
  RandomStream random(seed);
  return make_grid(nx, ny, spacing, -3.7, 12.9,
                   [&](double, double) { return random.uniform(-2, 3); });
}

/// The derivatives of a sample against central differences of what they are derivatives of.
template <class Sample>
void expect_consistent(const Sample& sample, double x, double y, double tolerance) {
  const double e = 1e-5;
  const SurfaceSample s = sample(x, y);
  const SurfaceSample xp = sample(x + e, y), xm = sample(x - e, y);
  const SurfaceSample yp = sample(x, y + e), ym = sample(x, y - e);
  EXPECT_NEAR(s.hx, (xp.h - xm.h) / (2 * e), tolerance);
  EXPECT_NEAR(s.hy, (yp.h - ym.h) / (2 * e), tolerance);
  EXPECT_NEAR(s.hxx, (xp.hx - xm.hx) / (2 * e), 10 * tolerance);
  EXPECT_NEAR(s.hxy, (xp.hy - xm.hy) / (2 * e), 10 * tolerance);
  EXPECT_NEAR(s.hxy, (yp.hx - ym.hx) / (2 * e), 10 * tolerance);
  EXPECT_NEAR(s.hyy, (yp.hy - ym.hy) / (2 * e), 10 * tolerance);
}

// Coefficients that a float holds without rounding at these nodes, so that 1e-10 can be asked for.
TEST(ElevationMap, IsExactForQuadraticsUpToItsEdges) {
  const auto h = [](double x, double y) {
    return 0.75 - 0.5 * x + 0.25 * y + 0.125 * x * x - 0.0625 * x * y + 0.25 * y * y;
  };
  const ElevationMap map(make_grid(9, 7, 0.5, -1.5, 2.0, h));
  RandomStream random(3);
  for (int k = 0; k < 1000; ++k) {
    const double x = random.uniform(-1.5, 2.5), y = random.uniform(2.0, 5.0);
    const SurfaceSample s = map.sample(x, y);
    EXPECT_NEAR(s.h, h(x, y), 1e-10);
    EXPECT_NEAR(s.hx, -0.5 + 0.25 * x - 0.0625 * y, 1e-10);
    EXPECT_NEAR(s.hy, 0.25 - 0.0625 * x + 0.5 * y, 1e-10);
    EXPECT_NEAR(s.hxx, 0.25, 1e-9);
    EXPECT_NEAR(s.hxy, -0.0625, 1e-9);
    EXPECT_NEAR(s.hyy, 0.5, 1e-9);
  }
}

TEST(ElevationMap, GoesThroughItsNodes) {
  const HeightGrid grid = make_random_grid(11, 8, 6, 0.7);
  const ElevationMap map(grid);
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 8; ++i) {
      EXPECT_NEAR(map.sample(-3.7 + 0.7 * i, 12.9 + 0.7 * j).h, grid.heights[8 * j + i], 1e-9);
    }
  }
}

TEST(ElevationMap, HasContinuousNormalsAcrossCells) {
  const ElevationMap map(make_random_grid(5, 12, 10, 0.7));
  RandomStream random(6);
  for (int i = 1; i < 11; ++i) {
    const double x = -3.7 + 0.7 * i, y = random.uniform(12.9, 12.9 + 0.7 * 9);
    const SurfaceSample a = map.sample(x - 1e-12, y), b = map.sample(x + 1e-12, y);
    EXPECT_NEAR(a.h, b.h, 1e-10);
    EXPECT_NEAR(a.hx, b.hx, 1e-9);
    EXPECT_NEAR(a.hy, b.hy, 1e-9);
  }
}

TEST(ElevationMap, DerivativesMatchDifferences) {
  const ElevationMap map(make_random_grid(7, 12, 10, 0.7));
  RandomStream random(8);
  const auto sample = [&](double x, double y) { return map.sample(x, y); };
  for (int k = 0; k < 200; ++k) {
    // Away from the lines between cells, where second derivatives jump.
    const double x =
        -3.7 + 0.7 * (static_cast<int>(random.integer(0, 10)) + random.uniform(0.1, 0.9));
    const double y =
        12.9 + 0.7 * (static_cast<int>(random.integer(0, 8)) + random.uniform(0.1, 0.9));
    expect_consistent(sample, x, y, 1e-6);
  }
}

TEST(ElevationMap, GoesOnLevelOutside) {
  const ElevationMap map(make_random_grid(9, 5, 4, 0.7));
  const SurfaceSample edge = map.sample(-3.7, 13.5), beyond = map.sample(-20.0, 13.5);
  EXPECT_EQ(edge.h, beyond.h);
  EXPECT_EQ(beyond.hx, 0.0);
  EXPECT_EQ(edge.hy, beyond.hy);
  EXPECT_TRUE(map.contains(-3.7, 13.5));
  EXPECT_FALSE(map.contains(-20.0, 13.5));
}

TEST(ElevationMap, RefusesWhatIsNoMap) {
  HeightGrid grid = make_random_grid(9, 5, 4, 0.7);
  grid.heights[7] = std::nanf("");
  EXPECT_THROW(
      try { ElevationMap map(grid); } catch (const std::invalid_argument& e) {
        EXPECT_STREQ(e.what(), "elevation map: the height of node (2, 1) is not finite");
        throw;
      },
      std::invalid_argument);
  grid = make_random_grid(9, 5, 4, 0.7);
  grid.heights.pop_back();
  EXPECT_THROW(ElevationMap map(grid), std::invalid_argument);
  EXPECT_THROW(ElevationMap map(HeightGrid{2, 9, 1.0, 0, 0, std::vector<float>(18)}),
               std::invalid_argument);
}

// --- Bumps ---

std::vector<Bump> make_bumps() {
  Bump half_round{
      .shape = BumpShape::kHalfRound, .x = 3.1, .y = -2, .heading = 0.4, .height = 0.15};
  half_round.radius = 0.4;
  const Bump ramp{.shape = BumpShape::kRamp,
                  .x = -1,
                  .y = 0.7,
                  .heading = -2.2,
                  .height = 0.9,
                  .rise = 2.5,
                  .top = 1.2,
                  .fall = 1.7,
                  .blend = 0.3,
                  .width = 3.0,
                  .edge = 0.6};
  const Bump step{.shape = BumpShape::kStep,
                  .x = 0.2,
                  .y = 0.3,
                  .heading = 1.1,
                  .height = 0.56,
                  .rise = 0.2,
                  .blend = 0.05};
  const Bump sine{.shape = BumpShape::kSine,
                  .x = 0.5,
                  .y = 0.1,
                  .heading = 0.9,
                  .height = 0.12,
                  .length = 1.3,
                  .count = 4,
                  .width = 4,
                  .edge = 1};
  return {half_round, ramp, step, sine};
}

TEST(Bump, DerivativesMatchDifferences) {
  RandomStream random(4);
  for (const Bump& bump : make_bumps()) {
    check_bump(bump);
    const auto sample = [&](double x, double y) { return sample_bump(bump, x, y); };
    int checked = 0;
    for (int k = 0; k < 2000; ++k) {
      const double x = bump.x + random.uniform(-6, 6), y = bump.y + random.uniform(-6, 6);
      // Second derivatives jump where pieces meet; such points are those where they differ nearby.
      const SurfaceSample a = sample(x - 3e-5, y - 3e-5), b = sample(x + 3e-5, y + 3e-5);
      if (std::abs(a.hxx - b.hxx) + std::abs(a.hxy - b.hxy) + std::abs(a.hyy - b.hyy) > 1e-2)
        continue;
      if (std::abs(a.hx - b.hx) > 1e-2) continue;
      expect_consistent(sample, x, y, 1e-6);
      ++checked;
    }
    EXPECT_GT(checked, 1900);
  }
}

// C1 along a line over it: slopes change by no more than curvature times the step. A half-round
// meets the ground at an angle and is left out.
TEST(Bump, RampsStepsAndWavesAreC1) {
  for (const Bump& bump : make_bumps()) {
    if (bump.shape == BumpShape::kHalfRound) continue;
    SurfaceSample last = sample_bump(bump, bump.x - 8, bump.y - 7.3);
    for (int k = 0; k < 160000; ++k) {
      const double t = 1e-4 * k;
      const SurfaceSample s = sample_bump(bump, bump.x - 8 + t, bump.y - 7.3 + 0.9 * t);
      EXPECT_LT(std::abs(s.h - last.h), 2e-3);
      EXPECT_LT(std::abs(s.hx - last.hx), 1e-2);
      EXPECT_LT(std::abs(s.hy - last.hy), 1e-2);
      last = s;
    }
  }
}

TEST(Bump, HasTheHeightsOfItsDrawing) {
  const std::vector<Bump> bumps = make_bumps();
  const auto along = [](const Bump& b, double s) {
    return sample_bump(b, b.x + s * std::cos(b.heading), b.y + s * std::sin(b.heading)).h;
  };
  EXPECT_NEAR(along(bumps[0], 0), 0.15, 1e-12);
  EXPECT_NEAR(along(bumps[0], 0.2), std::sqrt(0.16 - 0.04) - 0.25, 1e-12);
  EXPECT_NEAR(along(bumps[1], 1.25), 0.45, 1e-12);
  EXPECT_NEAR(along(bumps[1], 3.1), 0.9, 1e-12);
  EXPECT_NEAR(along(bumps[1], 3.7 + 0.85), 0.45, 1e-12);
  EXPECT_NEAR(along(bumps[1], 8), 0.0, 1e-15);
  EXPECT_EQ(along(bumps[2], 50), 0.56);
  EXPECT_EQ(along(bumps[2], 5e6), 0.56);
  EXPECT_NEAR(along(bumps[3], 0.65), 0.12, 1e-12);
  EXPECT_NEAR(along(bumps[3], 1.3), 0.0, 1e-12);
}

// A bump with a width ends somewhere; looking whether a point is in reach must not cut it off. The
// same shape without the width goes through no such look.
TEST(Bump, IsNotCutOffByItsReach) {
  for (const Bump& bump : make_bumps()) {
    Bump wide = bump, endless = bump;
    wide.width = 50, wide.edge = 0, endless.width = 0;
    RandomStream random(6);
    for (int k = 0; k < 2000; ++k) {
      const double s = random.uniform(-2, 9), t = random.uniform(-24.9, 24.9);
      const double x = bump.x + s * std::cos(bump.heading) - t * std::sin(bump.heading);
      const double y = bump.y + s * std::sin(bump.heading) + t * std::cos(bump.heading);
      EXPECT_EQ(sample_bump(wide, x, y).h, sample_bump(endless, x, y).h);
    }
  }
}

// By the closed form and by samples, along the heading and across it, over edges and jumps too.
TEST(Bump, MeanIsThatOfItsSamples) {
  RandomStream random(8);
  std::vector<Bump> bumps = make_bumps();
  bumps.push_back(bumps[0]), bumps.back().height = bumps.back().radius;  // upright edges
  bumps.push_back(bumps[1]), bumps.back().blend = bumps.back().edge = 0;
  bumps.push_back(bumps[2]), bumps.back().blend = bumps.back().rise = 0;  // a jump
  for (const Bump& bump : bumps) {
    SCOPED_TRACE(static_cast<int>(bump.shape));
    for (int k = 0; k < 200; ++k) {
      const double x = bump.x + random.uniform(-2, 2), y = bump.y + random.uniform(-2, 2);
      const double turn = bump.heading + (k % 2 == 0 ? 0 : 0.5 * std::numbers::pi);
      const double length = random.uniform(0.005, 0.3) * (k % 4 < 2 ? 1 : -1);
      const double dx = length * std::cos(turn), dy = length * std::sin(turn);
      SurfaceSample sum;
      const int n = 2000;
      for (int i = 0; i < n; ++i) {
        const double at = (i + 0.5) / n - 0.5;
        sum += sample_bump(bump, x + at * dx, y + at * dy);
      }
      const SurfaceSample mean = sample_bump_mean(bump, x, y, dx, dy);
      EXPECT_NEAR(mean.h, sum.h / n, 1.1 * bump.height / n);
      // The slope of the mean, which is the mean of slopes where these are finite.
      const double h = 1e-6;
      const auto mean_at = [&](double at_x, double at_y) {
        return sample_bump_mean(bump, at_x, at_y, dx, dy).h;
      };
      const double slope_x = (mean_at(x + h, y) - mean_at(x - h, y)) / (2 * h);
      const double slope_y = (mean_at(x, y + h) - mean_at(x, y - h)) / (2 * h);
      const double steepest = bump.height / std::abs(length);
      EXPECT_NEAR(mean.hx, slope_x, 5e-3 * steepest + 1e-6);
      EXPECT_NEAR(mean.hy, slope_y, 5e-3 * steepest + 1e-6);
      // No stretch at all: a sample.
      EXPECT_EQ(sample_bump_mean(bump, x, y, 0, 0).h, sample_bump(bump, x, y).h);
    }
  }
}

// Where it says that it is level, it is, and it does so wherever a bump is far or its top is wide.
TEST(Bump, IsLevelWhereItSaysSo) {
  RandomStream random(7);
  std::vector<Bump> bumps = make_bumps();
  bumps[1].top = 6, bumps[1].width = 9;
  for (const Bump& bump : bumps) {
    int beside = 0, on_top = 0;
    for (int k = 0; k < 4000; ++k) {
      const double x = bump.x + random.uniform(-12, 12), y = bump.y + random.uniform(-12, 12);
      const double reach = random.uniform(0.1, 1);
      const std::optional<double> level = find_level(bump, x, y, reach);
      if (!level) continue;
      ++(*level == 0 ? beside : on_top);
      for (int i = 0; i < 20; ++i) {
        const double angle = random.uniform(0, 6.3), r = reach * std::sqrt(random.uniform(0, 1));
        const SurfaceSample s = sample_bump(bump, x + r * std::cos(angle), y + r * std::sin(angle));
        EXPECT_NEAR(s.h, *level, 1e-15);
        EXPECT_EQ(s.hx, 0);
        EXPECT_EQ(s.hy, 0);
      }
    }
    EXPECT_GT(beside, 1000);
    if (bump.shape == BumpShape::kStep || bump.shape == BumpShape::kRamp) {
      EXPECT_GT(on_top, 100);
    }
  }
}

TEST(Bump, RefusesImpossibleShapes) {
  EXPECT_THROW(check_bump({.shape = BumpShape::kHalfRound, .height = 0.3, .radius = 0.2}),
               std::invalid_argument);
  EXPECT_THROW(check_bump({.shape = BumpShape::kRamp, .rise = 1, .blend = 0.6}),
               std::invalid_argument);
  EXPECT_THROW(check_bump({.shape = BumpShape::kSine, .length = 0}), std::invalid_argument);
  EXPECT_THROW(check_bump({.width = 1, .edge = 0.7}), std::invalid_argument);
}

// --- Geometry of a point ---

// A sphere: its normal points from the center and its curvature is -1/R everywhere.
TEST(SurfacePoint, NormalAndCurvatureOfASphere) {
  const double R = 7.3;
  RandomStream random(2);
  for (int k = 0; k < 100; ++k) {
    const double x = random.uniform(-4, 4), y = random.uniform(-4, 4);
    const double z = std::sqrt(R * R - x * x - y * y);
    const SurfaceSample s{z,
                          -x / z,
                          -y / z,
                          -(R * R - y * y) / (z * z * z),
                          -x * y / (z * z * z),
                          -(R * R - x * x) / (z * z * z)};
    const math::Vec3<double> n = s.normal();
    EXPECT_NEAR(n[0], x / R, 1e-14);
    EXPECT_NEAR(n[1], y / R, 1e-14);
    EXPECT_NEAR(n[2], z / R, 1e-14);
    EXPECT_NEAR(s.mean_curvature(), -1 / R, 1e-14);
  }
}

TEST(SurfacePoint, DualNumbersAndLanesFollowTheSample) {
  const ElevationMap map(make_random_grid(7, 12, 10, 0.7));
  const auto sample = [&](double x, double y) { return map.sample(x, y); };
  using D = math::Dual<2>;
  const double x0 = -1.234, y0 = 15.9;
  const auto p = sample_surface(sample, D::variable(x0, 0), D::variable(y0, 1));
  const SurfaceSample s = sample_surface(sample, x0, y0);
  EXPECT_EQ(p.h.value, s.h);
  EXPECT_EQ(p.h.partial(0), s.hx);
  EXPECT_EQ(p.h.partial(1), s.hy);
  const double e = 1e-6;
  const auto turn = [&](double x, double y) { return sample(x, y).normal(); };
  const auto n = p.normal();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(n[i].partial(0), (turn(x0 + e, y0)[i] - turn(x0 - e, y0)[i]) / (2 * e), 1e-7);
    EXPECT_NEAR(n[i].partial(1), (turn(x0, y0 + e)[i] - turn(x0, y0 - e)[i]) / (2 * e), 1e-7);
  }
  math::Lanes<4> xs(0.0), ys(0.0);
  for (int i = 0; i < 4; ++i) xs.set_lane(i, x0 + i), ys.set_lane(i, y0 - 0.3 * i);
  const auto q = sample_surface(sample, xs, ys);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(q.h.lane(i), sample(xs.lane(i), ys.lane(i)).h);
    EXPECT_EQ(q.hyy.lane(i), sample(xs.lane(i), ys.lane(i)).hyy);
  }
}

}  // namespace
}  // namespace camber::terrain
