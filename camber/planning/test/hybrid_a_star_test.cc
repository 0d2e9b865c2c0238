#include "camber/planning/hybrid_a_star.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/random.h"
#include "camber/planning/plan_file.h"

namespace camber::planning {
namespace {

Polygon random_box(RandomStream* random, double size) {
  const double a = random->uniform(0.2, 2), b = random->uniform(0.2, 2);
  return make_outline({a, a, b, b}, {random->uniform(-size, size), random->uniform(-size, size),
                                     random->uniform(-3, 3)});
}

// The buckets and the clipping of edges against polygons taken as a whole.
TEST(Obstacles, AgreeWithEachPolygonByItself) {
  RandomStream random(31);
  const Footprint footprint{3.7, 0.9, 0.8, 1.0};
  int touching = 0;
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<Polygon> polygons;
    for (int k = 0; k < 25; ++k) polygons.push_back(random_box(&random, 18));
    polygons.push_back({{-9, -9}, {9, -9}, {9, -2}, {-5, -2}, {-5, 6}, {-9, 6}});  // large, an L
    const Obstacles obstacles(polygons, {{-20, -20}, {20, 20}});
    for (int k = 0; k < 200; ++k) {
      SCOPED_TRACE(testing::Message() << "seed 31, trial " << trial << ", pose " << k);
      const Pose pose{random.uniform(-21, 21), random.uniform(-21, 21), random.uniform(-4, 4)};
      const Polygon outline = make_outline(footprint, pose);
      bool expected = false;
      double distance = 3;
      for (const Point p : outline) {
        expected = expected || std::abs(p.x) > 20 || std::abs(p.y) > 20;
        distance = std::min({distance, 20 - std::abs(p.x), 20 - std::abs(p.y)});
      }
      for (const Polygon& polygon : polygons) {
        expected = expected || overlap(outline, polygon);
        distance = std::min(distance, calc_distance(outline, polygon));
      }
      ASSERT_EQ(obstacles.touches(footprint, pose), expected);
      ASSERT_NEAR(obstacles.calc_clearance(footprint, pose, 3), std::max(distance, 0.0), 1e-9);
      ASSERT_LE(obstacles.min_distance({pose.x, pose.y}),
                obstacles.calc_clearance({0, 0, 0, 0}, pose, 100) + 1e-9);
      touching += expected;
    }
  }
  EXPECT_GT(touching, 1000);
  EXPECT_LT(touching, 7000);
}

// What calc_free_length() passes is free at every millimeter; where it stops, the clearance is
// below the tolerance.
TEST(Obstacles, FreeLengthLeavesNoGaps) {
  RandomStream random(32);
  const Footprint footprint{3.7, 0.9, 0.8, 1.0};
  std::vector<Polygon> polygons;
  for (int k = 0; k < 30; ++k) polygons.push_back(random_box(&random, 18));
  polygons.push_back({{5, 5}, {5.001, 5.002}, {5.003, 5}});  // a thin post
  const Obstacles obstacles(polygons, {{-20, -20}, {20, 20}});
  int stopped = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 32, trial " << trial);
    const Pose from{random.uniform(-18, 18), random.uniform(-18, 18), random.uniform(-4, 4)};
    const double curvature = random.uniform(-0.2, 0.2), length = random.uniform(-12, 12);
    const double free = obstacles.calc_free_length(footprint, from, curvature, length, 0.02);
    for (double s = 0; s < free; s += 0.001) {
      ASSERT_FALSE(obstacles.touches(footprint, drive(from, curvature, std::copysign(s, length))));
    }
    if (free < std::abs(length)) {
      ++stopped;
      ASSERT_LT(obstacles.calc_clearance(footprint,
                                         drive(from, curvature, std::copysign(free, length)), 1),
                0.02);
    }
  }
  EXPECT_GT(stopped, 50);
}

/// The path ends at the goal, keeps the radius, and its outline overlaps no polygon at any
/// centimeter: by geometry.h alone.
void expect_valid(const PlanProblem& problem, const HybridPath& path) {
  ASSERT_EQ(path.status, HybridPath::Status::kFound) << to_text(path.status);
  double length = 0;
  for (const PathPiece& piece : path.pieces) {
    EXPECT_LE(std::abs(piece.curvature), 1 / problem.options.min_radius * (1 + 1e-12));
    length += std::abs(piece.length);
  }
  EXPECT_NEAR(length, path.length, 1e-9);
  const std::vector<Pose> poses = sample_path(problem.start, path.pieces, 0.01);
  EXPECT_NEAR(poses.back().x, problem.goal.x, 1e-6);
  EXPECT_NEAR(poses.back().y, problem.goal.y, 1e-6);
  EXPECT_NEAR(wrap_angle(poses.back().heading - problem.goal.heading), 0, 1e-6);
  for (const Pose& pose : poses) {
    const Polygon outline = make_outline(problem.options.footprint, pose);
    for (const Polygon& polygon : problem.polygons) ASSERT_FALSE(overlap(outline, polygon));
    for (const Point p : outline) {
      ASSERT_TRUE(p.x >= problem.area->low.x && p.x <= problem.area->high.x &&
                  p.y >= problem.area->low.y && p.y <= problem.area->high.y);
    }
  }
}

HybridPath solve(const PlanProblem& problem) {
  return find_hybrid_path(Obstacles(problem.polygons, *problem.area), problem.start, problem.goal,
                          problem.options);
}

// Check 38. Both directions: into the bay and out of it.
TEST(HybridAStar, SolvesTheShippedProblems) {
  int count = 0;
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator("plans")) {
    if (file.path().extension() == ".toml") files.push_back(file.path().string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    PlanProblem problem = load_plan(file);
    if (!problem.area) continue;
    for (const bool back : {false, true}) {
      SCOPED_TRACE(file + (back ? " back" : ""));
      if (back) std::swap(problem.start, problem.goal);
      const HybridPath path = solve(problem);
      expect_valid(problem, path);
      const HybridPath again = solve(problem);
      ASSERT_EQ(again.pieces.size(), path.pieces.size());
      EXPECT_EQ(again.length, path.length);
      ++count;
    }
  }
  EXPECT_GE(count, 10);
}

TEST(HybridAStar, TakesTheReedsSheppCurveWhereNothingIsInTheWay) {
  RandomStream random(33);
  PlanProblem problem;
  problem.options.footprint = {3.7, 0.9, 0.9, 0.9};
  problem.options.min_radius = 5.2;
  problem.options.reverse_cost = 1, problem.options.switch_cost = 0, problem.options.steer_cost = 0;
  problem.area = Obstacles::Bounds{{-60, -60}, {60, 60}};
  for (int trial = 0; trial < 30; ++trial) {
    problem.start = {random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(-3, 3)};
    problem.goal = {random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(-3, 3)};
    const HybridPath path = solve(problem);
    expect_valid(problem, path);
    EXPECT_NEAR(path.length, calc_reeds_shepp_length(problem.start, problem.goal, 5.2), 1e-6);
  }
}

TEST(HybridAStar, FindsPathsAmongRandomBoxes) {
  RandomStream random(34);
  int found = 0;
  for (int trial = 0; trial < 25; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 34, trial " << trial);
    PlanProblem problem;
    problem.options.footprint = {3.7, 0.9, 0.9, 0.9};
    problem.options.min_radius = 5.2;
    problem.options.may_reverse = trial % 3 != 0;
    problem.area = Obstacles::Bounds{{-25, -25}, {25, 25}};
    for (int k = 0; k < 22; ++k) problem.polygons.push_back(random_box(&random, 20));
    problem.start = {-20, random.uniform(-18, 18), random.uniform(-1, 1)};
    problem.goal = {19, random.uniform(-18, 18), random.uniform(-1, 1)};
    const HybridPath path = solve(problem);
    if (!path.found()) continue;
    expect_valid(problem, path);
    for (const PathPiece& piece : path.pieces) {
      EXPECT_TRUE(problem.options.may_reverse || piece.length > 0);
    }
    ++found;
  }
  EXPECT_GE(found, 15);
}

TEST(HybridAStar, WorksOnAGrid) {
  OccupancyGrid grid(120, 80, 0.5, {-30, -20});
  for (int y = 0; y < 60; ++y) grid.set_blocked({60, y}, true);
  HybridAStarOptions options;
  options.footprint = {3.7, 0.9, 0.9, 0.9};
  options.min_radius = 5.2;
  const Obstacles obstacles(grid);
  const Pose start{-20, -10, 0.3}, goal{20, -10, -1.2};
  const HybridPath path = find_hybrid_path(obstacles, start, goal, options);
  ASSERT_TRUE(path.found());
  for (const Pose& pose : sample_path(start, path.pieces, 0.02)) {
    ASSERT_FALSE(obstacles.touches(options.footprint, pose));
  }
  EXPECT_GT(path.length, 55);
}

// A reason, and no endless search.
TEST(HybridAStar, SaysWhyThereIsNoPath) {
  PlanProblem problem;
  problem.options.footprint = {3.7, 0.9, 0.9, 0.9};
  problem.options.min_radius = 5.2;
  problem.area = Obstacles::Bounds{{-15, -15}, {15, 15}};
  problem.start = {-9, 0, 0};
  problem.goal = {9, 0, 0};
  problem.polygons = {{{-1, -15}, {1, -15}, {1, 15}, {-1, 15}}};
  EXPECT_EQ(solve(problem).status, HybridPath::Status::kUnreachable);
  problem.polygons = {make_outline({2, 2, 2, 2}, {10, 0.5, 1})};
  EXPECT_EQ(solve(problem).status, HybridPath::Status::kGoalBlocked);
  problem.polygons = {make_outline({9, 9, 9, 9}, problem.start)};  // inside, no edge touched
  EXPECT_EQ(solve(problem).status, HybridPath::Status::kStartBlocked);
  problem.polygons.clear();
  problem.goal = {14, 0, 0};  // its front is outside
  EXPECT_EQ(solve(problem).status, HybridPath::Status::kGoalBlocked);
}

TEST(PlanFile, NamesFileLineAndKeyOfMistakes) {
  const auto errors_of = [](const std::string& text) -> std::string {
    try {
      TomlFile file = parse_toml(text, "p.toml");
      read_plan(&file);
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(errors_of("kind = \"plan\"\n[vehicle]\nmin_radius = -1\n[start]\nposition = [1]\n"
                      "[goal]\nposition = [1, 2]\nheding_deg = 4\n"),
            "p.toml:3:14: vehicle.min_radius: must be from 0.001 to 1e+05 m, got -1\n"
            "p.toml:5:12: start.position: expected 2 numbers, found 1\n"
            "p.toml:8:1: goal.heding_deg: unknown key; did you mean \"heading_deg\"?");
}

}  // namespace
}  // namespace camber::planning
