#include "camber/planning/geometry.h"

#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::planning {
namespace {

Polygon random_polygon(RandomStream* random) {
  Polygon polygon;
  const double x = random->uniform(-4, 4), y = random->uniform(-4, 4);
  const int count = static_cast<int>(random->integer(3, 7));
  for (int k = 0; k < count; ++k) {  // star-shaped
    const double angle = 2 * std::numbers::pi * (k + random->uniform(0, 0.8)) / count;
    const double radius = random->uniform(0.3, 3);
    polygon.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
  }
  return polygon;
}

// Two routes: points all over the plane, of which a common one proves an overlap; distance 0.
TEST(Geometry, PolygonsWithACommonPointOverlap) {
  RandomStream random(3);
  int overlaps = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    const Polygon a = random_polygon(&random), b = random_polygon(&random);
    bool common = false;
    for (int k = 0; k < 400 && !common; ++k) {
      const Point p{random.uniform(-7, 7), random.uniform(-7, 7)};
      common = is_inside(a, p) && is_inside(b, p);
    }
    const bool found = overlap(a, b);
    overlaps += found;
    ASSERT_TRUE(found || !common);
    ASSERT_EQ(found, overlap(b, a));
    ASSERT_EQ(found, calc_distance(a, b) == 0);
    // Shifted apart by more than both are wide, and back to a known distance.
    Polygon c = b;
    double a_max = -1e9, c_min = 1e9;
    for (const Point p : a) a_max = std::max(a_max, p.x);
    for (const Point p : c) c_min = std::min(c_min, p.x);
    for (Point& p : c) p.x += a_max - c_min + 0.25;
    ASSERT_FALSE(overlap(a, c));
    ASSERT_GE(calc_distance(a, c), 0.25 - 1e-12);
  }
  EXPECT_GT(overlaps, 200);
  EXPECT_LT(overlaps, 1800);
}

TEST(Geometry, ASegmentMeetsTheFootprintWhereTheOutlineSays) {
  RandomStream random(4);
  const Footprint footprint{3.4, 1.1, 0.9, 1.2};
  int meets = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const Point a{random.uniform(-6, 6), random.uniform(-4, 4)},
        b{random.uniform(-6, 6), random.uniform(-4, 4)};
    const Polygon outline = make_outline(footprint, {});
    const bool expected = overlap(outline, {a, b});
    EXPECT_EQ(meets_rectangle(footprint, a, b), expected) << "trial " << trial;
    meets += expected;
  }
  EXPECT_GT(meets, 500);
}

TEST(Geometry, DriveFollowsTheCircle) {
  // Many short straight steps at the middle heading.
  const Pose start{1.3, -0.4, 0.7};
  for (const double curvature : {0.21, -0.13, 0.0, 1e-10}) {
    for (const double length : {3.7, -5.2}) {
      Pose p = start;
      const int steps = 200'000;
      for (int k = 0; k < steps; ++k) {
        const double d = length / steps, middle = p.heading + 0.5 * curvature * d;
        p = {p.x + d * std::cos(middle), p.y + d * std::sin(middle), p.heading + curvature * d};
      }
      const Pose end = drive(start, curvature, length);
      EXPECT_NEAR(end.x, p.x, 1e-9);
      EXPECT_NEAR(end.y, p.y, 1e-9);
      EXPECT_NEAR(end.heading, p.heading, 1e-9);
    }
  }
}

}  // namespace
}  // namespace camber::planning
