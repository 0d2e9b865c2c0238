#include "camber/sensors/ground_map.h"

#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::sensors {
namespace {

constexpr std::uint64_t kSeed = 11;

double hill(double x, double y) {  // slopes up to 0.35
  return 1.2 * std::sin(0.25 * x + 0.4) * std::cos(0.17 * y) + 0.08 * x;
}

/// A LIDAR at `sensor` over ground with posts: beams 2 deg apart, 0.4 deg of azimuth; each ray by
/// marching, in steps of 10 cm and then of 2 cm, with 1 cm of noise. Posts are (x, y, radius, height).
std::vector<ScanPoint> scan(const math::Vec3<double>& sensor, double (*ground)(double, double),
                            const std::vector<std::array<double, 4>>& posts, RandomStream* random) {
  std::vector<double> tops;
  for (const auto& post : posts) tops.push_back(ground(post[0], post[1]) + post[3]);
  const auto is_inside = [&](const math::Vec3<double>& p) {
    for (std::size_t k = 0; k < posts.size(); ++k) {
      const double dx = p[0] - posts[k][0], dy = p[1] - posts[k][1], radius = posts[k][2];
      if (p[2] <= tops[k] && dx * dx + dy * dy <= radius * radius) return true;
    }
    return p[2] <= ground(p[0], p[1]);
  };
  constexpr double kFirst = 1, kLast = 40, kStep = 0.02;  // [m]
  constexpr int kSteps = 5;                               // fine ones in a coarse one
  std::vector<ScanPoint> points;
  for (int beam = 0; beam < 16; ++beam)
    for (int a = 0; a < 900; ++a) {
      const double e = (-15 + 2 * beam) * 0.0174533, z = a * 0.4 * 0.0174533;
      const math::Vec3<double> d(std::cos(e) * std::cos(z), std::cos(e) * std::sin(z), std::sin(e));
      double r = kFirst;
      while (r < kLast && !is_inside(sensor + d * r)) r += kSteps * kStep;
      if (r >= kLast) continue;
      for (int k = 1; k < kSteps && r > kFirst && is_inside(sensor + d * (r - kStep)); ++k)
        r -= kStep;
      ScanPoint point;
      point.position = sensor + d * (r + 0.01 * random->normal());
      points.push_back(point);
    }
  return points;
}

std::vector<ScanPoint> scan_along(double (*ground)(double, double),
                                  const std::vector<std::array<double, 4>>& posts) {
  RandomStream random(kSeed);
  std::vector<ScanPoint> points;
  for (int k = 0; k < 12; ++k) {
    const double x = 2.0 * k;
    const auto more = scan({x, 0, ground(x, 0) + 2.2}, ground, posts, &random);
    points.insert(points.end(), more.begin(), more.end());
  }
  return points;
}

double at_node(const terrain::HeightGrid& grid, double x, double y) {
  const int i = static_cast<int>(std::lround((x - grid.origin_x) / grid.spacing)),
            j = static_cast<int>(std::lround((y - grid.origin_y) / grid.spacing));
  return grid.heights[static_cast<std::size_t>(j) * grid.nx + i];
}

// Low parts of posts were taken for ground, because they are less than a step above it: bumps of up to
// 0.4 m where posts stood.
TEST(GroundMap, HasNoBumpsWherePostsStand) {
  const std::vector<std::array<double, 4>> posts = {
      {6, 4, 0.15, 2}, {11, -3.5, 0.15, 0.35}, {17, 5, 0.2, 6}, {20, -7, 0.1, 1.2}};
  const auto flat = [](double, double) { return 0.0; };
  const terrain::HeightGrid grid = make_ground_map(scan_along(flat, posts), {});
  for (const float h : grid.heights) ASSERT_NEAR(h, 0, 0.1);
  for (const auto& post : posts) EXPECT_NEAR(at_node(grid, post[0], post[1]), 0, 0.05);
}

// On hills: the ground that was seen is the ground that is there.
TEST(GroundMap, FollowsHills) {
  const std::vector<std::array<double, 4>> posts = {{6, 4, 0.15, 2}, {15, -5, 0.25, 3}};
  const std::vector<ScanPoint> points = scan_along(hill, posts);
  const terrain::HeightGrid grid = make_ground_map(points, {.spacing = 0.25});
  // Where the ground was seen: the noise, and the slope within a cell.
  double square = 0, worst = 0;
  int count = 0;
  for (const ScanPoint& p : points) {
    const double x = p.position[0], y = p.position[1];
    if (std::hypot(x - 11, y) > 12 || std::abs(p.position[2] - hill(x, y)) > 0.03) continue;
    const double error = at_node(grid, x, y) - hill(x, y);
    square += error * error;
    worst = std::max(worst, std::abs(error));
    ++count;
  }
  ASSERT_GT(count, 10000);
  EXPECT_LT(std::sqrt(square / count), 0.04);
  EXPECT_LT(worst, 0.2);
  // Between the rings: a few meters of a hill whose curvature is 0.075 1/m.
  for (double x = 0; x < 22; x += 0.5)
    for (double y = -6; y <= 6; y += 0.5) EXPECT_NEAR(at_node(grid, x, y), hill(x, y), 0.25);
}

// A bridge over the way, the roof of a car and a crown are not ground; a kerb is.
TEST(GroundMap, GrowsUnderBridgesAndOverKerbs) {
  RandomStream random(kSeed);
  std::vector<ScanPoint> points;
  const auto add = [&](double x, double y, double z) {
    points.push_back({.position = {x, y, z + 0.005 * random.normal()}});
  };
  for (double x = 0; x < 30; x += 0.08)
    for (double y = -8; y < 8; y += 0.08) {
      const double ground = y > 4 ? 0.15 : 0;  // a kerb at y = 4 m
      const bool is_bridge = x > 12 && x < 16;
      const bool is_car = x > 20 && x < 24.4 && y > -3 && y < -1.2;
      if (is_bridge)
        add(x, y, 4.5);  // the ground below it is not seen
      else
        add(x, y, is_car ? 1.45 : ground);
    }
  const terrain::HeightGrid grid = make_ground_map(points, {.seeds = {{1, 0, 0}}});
  EXPECT_NEAR(at_node(grid, 14, 0), 0, 0.03);
  EXPECT_NEAR(at_node(grid, 22, -2), 0, 0.03);
  EXPECT_NEAR(at_node(grid, 8, 6), 0.15, 0.02);
  EXPECT_NEAR(at_node(grid, 8, 2), 0, 0.02);
  EXPECT_NEAR(at_node(grid, 28, 0), 0, 0.02);
}

TEST(GroundMap, RefusesWhatIsNotACloud) {
  EXPECT_THROW(make_ground_map({}, {}), std::invalid_argument);
  std::vector<ScanPoint> points(2);
  points[1].position = {1e6, 1e6, 0};
  EXPECT_THROW(make_ground_map(points, {}), std::invalid_argument);
  points[1].position = {1, std::nan(""), 0};
  EXPECT_THROW(make_ground_map(points, {}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::sensors
