#include "camber/terrain/triangle_map.h"

#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/terrain/terrain.h"

namespace camber::terrain {
namespace {

/// A road with a cross slope, a kerb along an oblique line and a level sidewalk behind it.
struct Kerb {
  double nx = std::cos(0.37), ny = std::sin(0.37), at = 1.3;  // the kerb: n . p = at
  double gutter = 0.11, top = 0.26, slope = -0.023;           // of the road towards the kerb

  double height(double x, double y) const {
    const double d = nx * x + ny * y - at;
    return d >= 0 ? top : gutter + slope * d;
  }
  TriangleMap make() const { return TriangleMap(triangles(), -1.0); }
  std::vector<GroundTriangle> triangles() const {
    const auto point = [&](double d, double t, double z) -> std::array<double, 3> {
      return {nx * (at + d) - ny * t, ny * (at + d) + nx * t, z};
    };
    const double far = 9.7, road = gutter + slope * -far;
    return {{point(-far, -30, road), point(0, -30, gutter), point(0, 30, gutter)},
            {point(-far, -30, road), point(0, 30, gutter), point(-far, 30, road)},
            {point(0, -30, top), point(far, -30, top), point(far, 30, top)},
            {point(0, -30, top), point(far, 30, top), point(0, 30, top)}};
  }
};

TEST(TriangleMap, HasTheHeightOfItsPlanesOnBothSidesOfAKerb) {
  const Kerb kerb;
  const TriangleMap map = kerb.make();
  RandomStream random(11);
  for (int k = 0; k < 2000; ++k) {
    const double x = random.uniform(-5, 7), y = random.uniform(-5, 7);
    if (std::abs(kerb.nx * x + kerb.ny * y - kerb.at) < 1e-8) continue;
    const SurfaceSample s = map.sample(x, y);
    EXPECT_NEAR(s.h, kerb.height(x, y), 1e-12);
  }
  EXPECT_EQ(map.sample(500, 0).h, -1.0);
  EXPECT_FALSE(map.contains(500, 0));
}

// The mean over a segment is the integral of the height along it, taken here by many samples.
TEST(TriangleMap, MeanOverASegmentIsItsIntegral) {
  const Kerb kerb;
  const TriangleMap map = kerb.make();
  RandomStream random(12);
  for (int k = 0; k < 300; ++k) {
    const double x = random.uniform(-1, 2), y = random.uniform(-1, 2);
    const double dx = random.uniform(-0.8, 0.8), dy = random.uniform(-0.8, 0.8);
    constexpr int kParts = 20000;
    double sum = 0;
    for (int p = 0; p < kParts; ++p) {
      const double t = (p + 0.5) / kParts - 0.5;
      sum += kerb.height(x + t * dx, y + t * dy) / kParts;
    }
    EXPECT_NEAR(map.sample_mean(x, y, dx, dy).h, sum, 0.2 / kParts) << "case " << k;
  }
}

TEST(TriangleMap, MeanHasTheDerivativesOfItself) {
  const Kerb kerb;
  const TriangleMap map = kerb.make();
  RandomStream random(13);
  int crossed = 0;
  for (int k = 0; k < 300; ++k) {
    const double x = random.uniform(0, 2), y = random.uniform(-0.5, 0.5);
    const double dx = random.uniform(-0.5, 0.5), dy = random.uniform(-0.5, 0.5), e = 1e-6;
    const double d = kerb.nx * x + kerb.ny * y - kerb.at;
    const double half = 0.5 * std::abs(kerb.nx * dx + kerb.ny * dy);
    if (half < 0.02 || std::abs(std::abs(d) - half) < 1e-3) continue;  // at an end of the segment
    crossed += std::abs(d) < half ? 1 : 0;
    const SurfaceSample s = map.sample_mean(x, y, dx, dy);
    EXPECT_NEAR(
        s.hx, (map.sample_mean(x + e, y, dx, dy).h - map.sample_mean(x - e, y, dx, dy).h) / (2 * e),
        1e-6);
    EXPECT_NEAR(
        s.hy, (map.sample_mean(x, y + e, dx, dy).h - map.sample_mean(x, y - e, dx, dy).h) / (2 * e),
        1e-6);
  }
  EXPECT_GT(crossed, 20);
}

// Columns of a wheel are looked at together: the same bits as each by itself, on the planes, across
// the kerb, over a ramp that overlaps both, and beyond the rim.
TEST(TriangleMap, EightMeansHaveTheBitsOfOne) {
  Kerb kerb;
  std::vector<GroundTriangle> all = kerb.triangles();
  all.push_back({{{0.4, -0.7, 0.0}, {2.1, -0.2, 0.31}, {0.7, 0.9, 0.12}}});
  Terrain terrain;
  terrain.base = TriangleMap(all, -1.0);
  TerrainCache cache = terrain.make_cache();
  RandomStream random(15);
  int differences = 0;
  for (int k = 0; k < 20000; ++k) {
    const double angle = random.uniform(0, 6.3), step = k % 3 == 0 ? 0.3 : 0.009;
    const double dx = k % 7 == 0 ? 0.0 : step * std::cos(angle), dy = step * std::sin(angle);
    const double x0 = k % 5 == 0 ? random.uniform(9, 12) : random.uniform(-1, 3),
                 y0 = random.uniform(-1, 1);
    EightNumbers x, y;
    for (int l = 0; l < 8; ++l) x.set_lane(l, x0 + l * dx), y.set_lane(l, y0 + l * dy);
    const EightSlopes eight = terrain.sample_mean(x, y, dx, dy, &cache);
    for (int l = 0; l < 8; ++l) {
      const SurfaceSample one = terrain.sample_mean(x.lane(l), y.lane(l), dx, dy, &cache);
      const bool is_same =
          eight.h.lane(l) == one.h && eight.hx.lane(l) == one.hx && eight.hy.lane(l) == one.hy;
      differences += is_same ? 0 : 1;
    }
  }
  EXPECT_EQ(differences, 0);
}

TEST(TriangleMap, FindsAPlaneExactlyWhereNoEdgeIsWithinReach) {
  const Kerb kerb;
  Terrain terrain;
  terrain.base = kerb.make();
  const double reach = 0.45;
  RandomStream random(14);
  int planes = 0;
  for (int k = 0; k < 1000; ++k) {
    const double x = random.uniform(-2, 4), y = random.uniform(-3, 3);
    const double d = kerb.nx * x + kerb.ny * y - kerb.at;
    const double box = reach * (kerb.nx + kerb.ny);  // of the square towards the kerb
    const auto plane = terrain.find_plane(x, y, reach);
    EXPECT_EQ(plane.has_value(), std::abs(d) > box) << d;
    if (!plane) continue;
    ++planes;
    EXPECT_NEAR(plane->sample(x, y).h, kerb.height(x, y), 1e-12);
    EXPECT_NEAR(plane->sample(x + 0.3, y - 0.2).h, kerb.height(x + 0.3, y - 0.2), 1e-12);
  }
  EXPECT_GT(planes, 100);
  EXPECT_FALSE(terrain.find_plane(11.3, 0.1, reach));  // the rim
}

TEST(TriangleMap, TakesTheHighestOfTrianglesAboveEachOther) {
  const std::vector<GroundTriangle> two = {{{{-9, -9, 0.1}, {9, -9, 0.1}, {0, 9, 0.1}}},
                                           {{{-1, -1, 0.4}, {1, -1, 0.4}, {0, 1, 0.4}}}};
  const TriangleMap map(two);
  EXPECT_EQ(map.sample(0.01, 0.02).h, 0.4);
  EXPECT_EQ(map.sample(2.01, -3.02).h, 0.1);
}

TEST(TriangleMap, RefusesWhatIsNoGround) {
  const std::vector<GroundTriangle> upright = {{{{0, 0, 0}, {1, 0, 0}, {1, 0, 2}}}};
  EXPECT_THROW(TriangleMap{upright}, std::invalid_argument);
  const std::vector<GroundTriangle> broken = {{{{0, 0, NAN}, {1, 0, 0}, {1, 1, 2}}}};
  EXPECT_THROW(TriangleMap{broken}, std::invalid_argument);
}

}  // namespace
}  // namespace camber::terrain
