// Paths against the curves they are made from.

#include "camber/autonomy/path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/autonomy/course.h"
#include "camber/autonomy/path_file.h"
#include "camber/autonomy/speed_profile.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/core/temporary_folder.h"

namespace camber::autonomy {
namespace {

constexpr double kPi = std::numbers::pi;

/// How far curvature is from the rate of the heading, and the tangent's length from the way between
/// neighbors: what "a curve over its own length" means.
void expect_arc_length(const Path& path, double tolerance) {
  const double h = 1e-4;
  for (double s = 2 * h; s < path.length() - 2 * h; s += 0.0737) {
    const PathPoint before = path.at(s - h), after = path.at(s + h), here = path.at(s);
    const double way = std::hypot(after.x - before.x, after.y - before.y);
    EXPECT_NEAR(way / (2 * h), 1, tolerance) << "at " << s;
    const double turn = std::remainder(heading(after) - heading(before), 2 * kPi);
    EXPECT_NEAR(turn / (2 * h), here.curvature, tolerance) << "at " << s;
  }
}

TEST(Path, MeetsItsCircle) {
  const double x = 31.7, y = -12.9, radius = 23.4;
  for (const bool to_the_left : {true, false}) {
    const Path path = make_circle(x, y, radius, 0.37, to_the_left);
    EXPECT_NEAR(path.length(), 2 * kPi * radius, 1e-12 * radius);
    for (double s = -50; s < 400; s += 0.913) {
      const PathPoint p = path.at(s);
      EXPECT_NEAR(std::hypot(p.x - x, p.y - y), radius, 1e-10);
      EXPECT_NEAR(p.curvature, (to_the_left ? 1 : -1) / radius, 1e-8);
      EXPECT_NEAR(p.tangent_x * (p.x - x) + p.tangent_y * (p.y - y), 0, 1e-8);
    }
  }
}

TEST(Path, MeetsATightCircle) {
  const Path path = make_circle(2, 1, 5);
  for (double s = 0; s < path.length(); s += 0.037) {
    EXPECT_NEAR(std::hypot(path.at(s).x - 2, path.at(s).y - 1), 5, 1e-8);
  }
}

TEST(Path, IsACurveOverItsOwnLength) {
  expect_arc_length(PathBuilder(3, 4, 1.1)
                        .line(17.3)
                        .clothoid(12.1, 0.08)
                        .arc(9.7, 0.08)
                        .clothoid(30.3, -0.03)
                        .build(),
                    2e-6);
  expect_arc_length(make_lane_change(3.5, 3, 20, 21, 33), 2e-6);
  const std::vector<std::array<double, 2>> points{{0, 0},   {20, 4},  {31, 19},
                                                  {55, 22}, {70, -3}, {40, -21}};
  expect_arc_length(make_spline(points), 1e-4);
  expect_arc_length(make_spline(points, true), 1e-4);
}

// Fresnel's integrals: with curvature c s the point at s is the integral of (cos, sin)(c s^2 / 2).
TEST(Path, FollowsTheClothoid) {
  const double rate = 0.004, length = 40;
  const Path path = PathBuilder(0, 0, 0).clothoid(length, rate * length).build();
  double x = 0, y = 0;
  const int count = 200000;
  for (int k = 0; k < count; ++k) {
    const double s = length * (k + 0.5) / count;
    x += std::cos(rate * s * s / 2) * length / count;
    y += std::sin(rate * s * s / 2) * length / count;
  }
  EXPECT_NEAR(path.at(length).x, x, 1e-7);
  EXPECT_NEAR(path.at(length).y, y, 1e-7);
  EXPECT_NEAR(path.at(23.4).curvature, rate * 23.4, 2e-8);  // within a piece
}

TEST(Path, GoesThroughItsPointsWithContinuousCurvature) {
  const std::vector<std::array<double, 2>> points{{1, 2}, {14, 6}, {31, 1}, {38, -15}, {12, -22}};
  for (const bool is_closed : {false, true}) {
    const Path path = make_spline(points, is_closed);
    for (const auto& [x, y] : points) {
      EXPECT_NEAR(path.find_nearest(x, y).deviation, 0, 1e-9);
    }
    for (double s = 0.01; s < path.length() - 0.02; s += 0.01) {
      EXPECT_NEAR(path.at(s + 0.01).curvature, path.at(s).curvature, 4e-3) << s;
    }
    const double step = path.at(path.length() - 1e-9).curvature - path.at(1e-9).curvature;
    EXPECT_NEAR(step, 0, 1e-6);  // closed: as it starts; open: both zero
  }
}

/// Max distance of a path from the polygon of its points.
double distance_from_polygon(const Path& path, const std::vector<std::array<double, 2>>& points) {
  double max_gap = 0;
  for (double s = 0; s < path.length(); s += 0.05) {
    const PathPoint p = path.at(s);
    double gap = INFINITY;
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto &a = points[i - 1], &b = points[i];
      const double ex = b[0] - a[0], ey = b[1] - a[1];
      const double share = ((p.x - a[0]) * ex + (p.y - a[1]) * ey) / (ex * ex + ey * ey);
      const double t = std::clamp(share, 0.0, 1.0);
      gap = std::min(gap, std::hypot(p.x - a[0] - t * ex, p.y - a[1] - t * ey));
    }
    max_gap = std::max(max_gap, gap);
  }
  return max_gap;
}

// Over the chords' lengths a step of 1.4 m between lines of 100 m swung out by 13.5 m: the curve
// came into the short side with the slope of the long one. Centripetal knots bound the swing by the
// mean of both sides' lengths, the geometric one.
TEST(Path, StaysNearPointsThatAreUnevenlySpaced) {
  for (const double leg : {20.0, 103.0, 411.0}) {
    for (const double along : {0.0, 2.3, 9.1}) {
      for (const double across : {-3.7, 4.4}) {
        SCOPED_TRACE(testing::Message() << leg << " m, " << along << ", " << across);
        const std::vector<std::array<double, 2>> points{
            {1, 2}, {1 + leg, 2}, {1 + leg + along, 2 + across}, {1 + 2 * leg + along, 2 + across}};
        const Path path = make_spline(points);
        EXPECT_LT(distance_from_polygon(path, points),
                  0.2 * std::sqrt(leg * std::hypot(along, across)));
        EXPECT_LT(path.length(), 1.2 * (2 * leg + std::hypot(along, across)));
      }
    }
  }
}

// Points on a line stay on it, in order, however they are spaced.
TEST(Path, KeepsALineThroughUnevenPoints) {
  const std::vector<std::array<double, 2>> points{{0, 0}, {30, 15}, {30.02, 15.01}, {80, 40}};
  const Path path = make_spline(points);
  EXPECT_NEAR(path.length(), std::hypot(80, 40), 1e-6);
  for (double s = 0.3; s < path.length(); s += 1.7) {
    EXPECT_NEAR(path.at(s).y, 0.5 * path.at(s).x, 1e-9);
    EXPECT_NEAR(std::hypot(path.at(s).x, path.at(s).y), s, 1e-4);
  }
}

// Beyond the center of a tight bend Newton's steps went to and fro, and the foot stayed where they
// ended, with a deviation that was none. From anywhere the foot is now where the way to the vehicle
// is normal to the path, and no farther than the place it was looked for from.
TEST(Path, FindsAFootFromAnywhere) {
  const std::vector<std::array<double, 2>> points{{0, 0}, {30, 0}, {34, 3}, {30, 6}, {2, 7}};
  const Path path = make_spline(points);
  RandomStream random(5);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.uniform(-10, 50), y = random.uniform(-15, 25);
    const double from = random.uniform(0, path.length());
    SCOPED_TRACE(testing::Message() << "seed 5, " << i << ": " << x << ", " << y << ", " << from);
    const PathPoint start = path.at(from);
    const PathFoot foot = path.project(x, y, path.foot_at(from));
    const double dx = x - foot.point.x, dy = y - foot.point.y;
    EXPECT_NEAR(dx * foot.point.tangent_x + dy * foot.point.tangent_y, 0, 1e-6);
    EXPECT_NEAR(std::abs(foot.deviation), std::hypot(dx, dy), 1e-6);
    EXPECT_LE(std::hypot(dx, dy), std::hypot(x - start.x, y - start.y) + 1e-9);
  }
}

// Past the tip of a bend it cannot follow a vehicle kept its foot there, ever farther behind.
TEST(Path, LeavesABendThatTheVehicleDoesNotFollow) {
  const std::vector<std::array<double, 2>> points{{0, 0}, {20, 0}, {20, 4}, {60, 4}};
  const Path path = make_spline(points);
  PathFoot foot = path.find_nearest(1, 0);
  for (double x = 1; x < 55; x += 0.05) foot = path.project(x, -0.5, foot);
  EXPECT_NEAR(foot.s, path.length() - 5, 0.5);
  EXPECT_NEAR(foot.deviation, -4.5, 0.5);
}

// These gave loops of kilometers, or NaN.
TEST(Path, RefusesPointsThatCannotBeDriven) {
  using Points = std::vector<std::array<double, 2>>;
  Points recorded;
  RandomStream random(17);
  for (int i = 0; i < 300; ++i) recorded.push_back({0.05 * i, random.uniform(-0.02, 0.02)});
  struct Case {
    Points points;
    bool is_closed;
    int point;
    std::string text;
  };
  const std::string tight = "must have a radius of at least 0.5 m, has ";
  for (const Case& c : std::vector<Case>{
           {{{0, 0}, {40, 0}, {0, 0}}, false, 1, "turns back by 180 at point 2 (40, 0)"},
           {{{0, 0}, {10, 0}, {0, 0.001}}, false, 1, "turns back by 180 at point 2 (10, 0)"},
           {{{3, 1}, {33, 1}, {63, 1}}, true, 0, "turns back by 180 at point 1 (3, 1)"},
           {{{0, 0}, {9, 2}, {9, 2}, {20, 3}}, false, 2, "point 3 (9, 2) is where point 2 is"},
           {{{0, 0}, {9, 2}, {5, 8}, {0, 0}}, true, 0, "point 1 (0, 0) is where point 4 is"},
           {{{0, 0}, {20, 0}, {20, 0.2}, {40, 0.2}}, false, 1, tight},
           {{{0, 0}, {20, 0}, {20.1, 0}, {40, 5}}, false, 1, "between point 2 (20, 0) and point 3"},
           {{{0, 0}, {2e6, 0}}, false, 1, "must be at most 1e+06 m long"},
           {{{0, 0}, {40, 3}}, true, 0, "needs at least 3 points, got 2"}}) {
    const auto problem = find_path_problem(c.points, c.is_closed);
    ASSERT_TRUE(problem) << c.text;
    EXPECT_EQ(problem->point, c.point) << problem->text;
    EXPECT_NE(problem->text.find(c.text), std::string::npos) << problem->text;
    EXPECT_THROW(make_spline(c.points, c.is_closed), std::invalid_argument);
  }
  const auto noise = find_path_problem(recorded, false);
  ASSERT_TRUE(noise);
  EXPECT_NE(noise->text.find(tight), std::string::npos) << noise->text;
  EXPECT_NE(noise->text.find("smooth recorded ones"), std::string::npos) << noise->text;
}

// Random places beside random points of a path come back with their own s and deviation.
TEST(Path, FindsTheFootItWasLeftFrom) {
  const Path path =
      PathBuilder(-4, 9, 2.1).line(30).clothoid(20, 0.05).clothoid(20, -0.05).line(25).build();
  RandomStream random(71);
  for (int i = 0; i < 500; ++i) {
    const double s = random.uniform(1, path.length() - 1), e = random.uniform(-4, 4);
    SCOPED_TRACE(testing::Message() << "seed 71, " << i << ": " << s << ", " << e);
    const PathPoint p = path.at(s);
    const double x = p.x - e * p.tangent_y, y = p.y + e * p.tangent_x;
    const PathFoot warm = path.project(x, y, path.foot_at(s + random.uniform(-3, 3)));
    EXPECT_NEAR(warm.s, s, 1e-8);
    EXPECT_NEAR(warm.deviation, e, 1e-8);
    EXPECT_NEAR(path.find_nearest(x, y).s, s, 1e-8);
  }
}

TEST(Path, GoesOnStraightBeyondItsEnds) {
  const Path path = PathBuilder(0, 0, 0.3).arc(10, 0.1).build();
  const PathPoint end = path.at(path.length()), beyond = path.at(path.length() + 7);
  EXPECT_NEAR(beyond.x, end.x + 7 * std::cos(1.3), 1e-9);
  EXPECT_EQ(beyond.curvature, 0);
  EXPECT_NEAR(path.find_nearest(-3 * std::cos(0.3), -3 * std::sin(0.3)).s, -3, 1e-9);
}

TEST(Path, SaysWhatIsWrong) {
  EXPECT_THROW(PathBuilder(0, 0, 0).line(-1), std::invalid_argument);
  EXPECT_THROW(PathBuilder(0, 0, 0).line(10).build(true), std::invalid_argument);
  EXPECT_THROW(PathBuilder(0, 0, 0).build(), std::invalid_argument);
  const std::vector<std::array<double, 2>> twice{{1, 2}, {1, 2}};
  EXPECT_THROW(make_spline(twice), std::invalid_argument);
}

TEST(PathFile, ReadsPointsAndNamesBadLines) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "points.csv").string();
  write_file_atomically(file, "x, y\n# a comment\n0, 0\n12.5 3 # here\n\n20,1e1\n");
  const auto points = load_path_points(file);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[1][0], 12.5);
  EXPECT_EQ(points[2][1], 10);
  write_file_atomically(file, "0 0\n1 2 3\n4 five\n");
  try {
    load_path_points(file);
    FAIL() << "accepted it";
  } catch (const ModelFileError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2U);
    EXPECT_NE(std::string(error.what()).find(":2: must be two numbers"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("4 five"), std::string::npos);
  }
}

// The table for w = 2.16 m: section, x, right, left.
TEST(Iso3888, HasTheStandardsLanes) {
  const std::vector<LaneSection> lanes = make_iso_3888_1(2.16);
  ASSERT_EQ(lanes.size(), 3U);
  const double expected[3][4] = {
      {0, 15, -1.313, 1.313}, {45, 70, 2.187, 5.029}, {95, 125, -1.313, 1.745}};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(lanes[k].start, expected[k][0], 1e-12);
    EXPECT_NEAR(lanes[k].end, expected[k][1], 1e-12);
    EXPECT_NEAR(lanes[k].right, expected[k][2], 1e-12);
    EXPECT_NEAR(lanes[k].left, expected[k][3], 1e-12);
  }
}

TEST(Iso3888, TheSmoothestPathKeepsItsClearance) {
  const std::vector<LaneSection> lanes = make_iso_3888_1(2.16);
  const Path path = make_smoothest_path(lanes, 2.16, 0.15);
  double most = 0;
  for (double s = 0; s < path.length(); s += 0.1) {
    const PathPoint p = path.at(s);
    most = std::max(most, std::abs(p.curvature));
    for (const LaneSection& lane : lanes) {
      if (p.x < lane.start || p.x > lane.end) continue;
      EXPECT_GT(p.y - 1.08 - lane.right, 0.14) << p.x;
      EXPECT_GT(lane.left - p.y - 1.08, 0.14) << p.x;
    }
  }
  EXPECT_THROW(make_smoothest_path(lanes, 2.16, 0.3), std::invalid_argument);  // no room
  // At 80 km/h no more than a truck tire can give; the middle of the lanes by least jerk would take
  // 15 m/s^2.
  EXPECT_LT(most * 22.2 * 22.2, 7.5);
  RecordProperty("peak_lateral_acceleration", std::to_string(most * 22.2 * 22.2));
}

// Table of an independent program: lateral offset and heading of 3.5 m in 3 s at 20 m/s.
TEST(LaneChange, IsTheQuinticOfTheTable) {
  const Path path = make_lane_change(3.5, 3, 20, 10, 10);
  const double table[5][3] = {{5, 0.0178071952, 0.0102113542},
                              {15, 0.362304688, 0.0614459885},
                              {30, 1.75, 0.108941957},
                              {40, 2.7654321, 0.0862055737},
                              {55, 3.4821928, 0.0102113542}};
  for (const auto& [x, y, slope] : table) {
    const PathFoot foot = path.find_nearest(10 + x, y);
    EXPECT_NEAR(foot.deviation, 0, 1e-8);  // the digits of the table
    EXPECT_NEAR(heading(foot.point), slope, 1e-9);
  }
}

TEST(SpeedProfile, KeepsItsLimits) {
  const Path path =
      PathBuilder(0, 0, 0).line(80).clothoid(20, 0.1).clothoid(20, 0).line(90).build();
  const ProfileLimits limits{.top_speed = 18, .lateral_acceleration = 2.5, .last_speed = 3};
  const SpeedProfile profile = make_speed_profile(path, limits, 0.5);
  EXPECT_EQ(target_speed(profile, 0, 0).speed, 0);
  EXPECT_NEAR(target_speed(profile, 0, 0).acceleration, 1, 1e-9);  // it starts from rest
  EXPECT_NEAR(target_speed(profile, 0, path.length()).speed, 3, 1e-12);
  EXPECT_NEAR(target_speed(profile, 0, 100).speed, 5, 0.02);  // sqrt(2.5 / 0.1)
  for (double s = 0; s <= path.length(); s += 0.25) {
    const TargetSpeed wanted = target_speed(profile, 0, s);
    EXPECT_LE(wanted.speed * wanted.speed * std::abs(path.at(s).curvature), 2.55);
    EXPECT_LE(wanted.acceleration, 1 + 1e-9);
    EXPECT_GE(wanted.acceleration, -2 - 1e-9);
  }
}

}  // namespace
}  // namespace camber::autonomy
