#include "camber/planning/grid_search.h"

#include <numbers>

#include <gtest/gtest.h>

#include "camber/planning/d_star_lite.h"
#include "camber/planning/moving_ai.h"
#include "camber/planning/test/random_grid.h"

namespace camber::planning {
namespace {

/// Length by adding up the moves; each must be allowed.
void expect_valid(const OccupancyGrid& grid, const GridPath& path, Cell start, Cell goal) {
  ASSERT_EQ(path.cells.front(), start);
  ASSERT_EQ(path.cells.back(), goal);
  double length = 0;
  for (std::size_t k = 1; k < path.cells.size(); ++k) {
    const Cell a = path.cells[k - 1], b = path.cells[k];
    const int dx = b.x - a.x, dy = b.y - a.y;
    ASSERT_TRUE(std::abs(dx) <= 1 && std::abs(dy) <= 1 && (dx != 0 || dy != 0));
    ASSERT_FALSE(grid.is_blocked(b.x, b.y));
    ASSERT_FALSE(grid.is_blocked(a.x, b.y) || grid.is_blocked(b.x, a.y));
    length += std::sqrt(static_cast<double>(dx * dx + dy * dy));
  }
  ASSERT_NEAR(length, path.length, 1e-9);
}

/// Shortest lengths by Bellman-Ford sweeps in doubles: another algorithm and another arithmetic.
std::vector<double> relax_lengths(const OccupancyGrid& grid, Cell start) {
  std::vector<double> lengths(static_cast<std::size_t>(grid.width()) * grid.height(), INFINITY);
  const auto at = [&](int x, int y) -> double& {
    return lengths[static_cast<std::size_t>(y) * grid.width() + x];
  };
  if (!grid.is_blocked(start.x, start.y)) at(start.x, start.y) = 0;
  for (bool changes = true; changes;) {
    changes = false;
    for (int y = 0; y < grid.height(); ++y) {
      for (int x = 0; x < grid.width(); ++x) {
        if (grid.is_blocked(x, y)) continue;
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            if (grid.is_blocked(x + dx, y + dy) || grid.is_blocked(x + dx, y) ||
                grid.is_blocked(x, y + dy)) {
              continue;
            }
            const double there =
                at(x + dx, y + dy) + (dx != 0 && dy != 0 ? std::numbers::sqrt2 : 1);
            if (there < at(x, y) - 1e-9) at(x, y) = there, changes = true;
          }
        }
      }
    }
  }
  return lengths;
}

TEST(GridSearch, FindsShortestPathsOnRandomMaps) {
  RandomStream random(5);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 5, trial " << trial);
    const int width = static_cast<int>(random.integer(1, 140)),
              height = static_cast<int>(random.integer(1, 90));
    const OccupancyGrid grid = make_random_grid(&random, width, height, random.uniform(0, 0.45));
    GridSearch search(grid);
    const Cell start = random_cell(&random, grid);
    const std::vector<double> lengths = relax_lengths(grid, start);
    const std::vector<GridCost> costs = calc_costs_from(grid, start);
    for (int k = 0; k < 20; ++k) {
      const Cell goal = random_cell(&random, grid);
      const std::size_t index = static_cast<std::size_t>(goal.y) * width + goal.x;
      const GridPath path = search.find_path(start, goal);
      ASSERT_EQ(path.found, std::isfinite(lengths[index]));
      ASSERT_EQ(path.found, costs[index] != kNoPath);
      if (!path.found) continue;
      ++found;
      expect_valid(grid, path, start, goal);
      ASSERT_NEAR(path.length, lengths[index], 1e-8);
      ASSERT_EQ(search.find_path(start, goal).cells, path.cells);
    }
  }
  EXPECT_GT(found, 1500);
}

// Corners are not cut: both ways round the blocked cell are 2 longer than the diagonal.
TEST(GridSearch, DoesNotCutCorners) {
  OccupancyGrid grid(3, 3);
  grid.set_blocked({1, 1}, true);
  EXPECT_DOUBLE_EQ(GridSearch(grid).find_path({0, 1}, {1, 0}).length, 2);
  EXPECT_DOUBLE_EQ(GridSearch(grid).find_path({0, 0}, {2, 2}).length, 4);
}

// Moving AI's description of the format: "maps/dao/arena.map 49 49 1 13 4 12 3.41421": two straight
// moves and a diagonal one, with six digits.
TEST(GridSearch, GivesThePublishedLengthToItsPrintedDigits) {
  const OccupancyGrid grid(49, 49);
  const auto problem =
      parse_moving_ai_scen("version 1\n0\tmaps/dao/arena.map\t49\t49\t1\t13\t4\t12\t3.41421\n", "")
          .front();
  const GridPath path = GridSearch(grid).find_path(problem.start, problem.goal);
  EXPECT_NEAR(path.length, problem.optimal_length, 0.5 * problem.resolution);
}

TEST(GridSearch, ReportsThatNoPathLeadsThere) {
  OccupancyGrid grid(20, 10);
  for (int y = 0; y < 10; ++y) grid.set_blocked({9, y}, true);
  GridSearch search(grid);
  EXPECT_FALSE(search.find_path({2, 3}, {17, 4}).found);
  EXPECT_FALSE(search.find_path({2, 3}, {9, 4}).found);
  EXPECT_FALSE(search.find_path({2, 3}, {20, 4}).found);
  EXPECT_FALSE(search.find_path({-1, 3}, {5, 4}).found);
  EXPECT_EQ(search.find_path({2, 3}, {2, 3}).length, 0);
  EXPECT_TRUE(search.find_path({2, 3}, {2, 3}).found);
}

// Check 38: the cost is Dijkstra's after every change, on 1,000 random maps.
TEST(DStarLite, EqualsDijkstraOnRandomMapsWithChanges) {
  RandomStream random(38);
  int found = 0, lost = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 38, map " << trial);
    const int width = static_cast<int>(random.integer(2, 45)),
              height = static_cast<int>(random.integer(2, 45));
    OccupancyGrid grid = make_random_grid(&random, width, height, random.uniform(0, 0.4));
    Cell start = random_cell(&random, grid);
    const Cell goal = random_cell(&random, grid);
    DStarLite planner(grid, start, goal);
    for (int round = 0; round < 8; ++round) {
      const GridPath path = planner.plan();
      const GridCost cost =
          calc_costs_from(grid, start)[static_cast<std::size_t>(goal.y) * width + goal.x];
      ASSERT_EQ(planner.cost(), cost) << "round " << round;
      ASSERT_EQ(path.found, cost != kNoPath);
      ++(path.found ? found : lost);
      if (path.found) {
        expect_valid(grid, path, start, goal);
        // Some cells along the path.
        start = path.cells[std::min<std::size_t>(path.cells.size() - 1, random.integer(0, 6))];
        planner.move_start(start);
      }
      if (round % 3 == 2) continue;  // a move without changes
      std::vector<DStarLite::Change> changes;
      for (int k = 0; k < 1 + width * height / 40; ++k) {
        const Cell c = random_cell(&random, grid);
        changes.push_back({c, random.uniform() < 0.5});
        grid.set_blocked(c, changes.back().blocked);
      }
      // Under the vehicle, too: no path then, until the cell is free again.
      if (random.uniform() < 0.05) {
        changes.push_back({start, true});
        grid.set_blocked(start, true);
      }
      planner.set_blocked(changes);
    }
  }
  EXPECT_GT(found, 2000);
  EXPECT_GT(lost, 500);
}

TEST(DStarLite, ReplansWithFewerExpansionsThanASearchFromScratch) {
  RandomStream random(6);
  OccupancyGrid grid = make_random_grid(&random, 300, 300, 0.1);
  const Cell start{5, 5}, goal{290, 280};
  for (const Cell c : {start, goal}) grid.set_blocked(c, false);
  DStarLite planner(grid, start, goal);
  const std::int64_t first = planner.plan().expansions;
  std::vector<DStarLite::Change> changes;
  for (int k = 0; k < 12; ++k) {
    const Cell c{static_cast<int>(random.integer(6, 35)), static_cast<int>(random.integer(6, 35))};
    changes.push_back({c, true});
  }
  planner.set_blocked(changes);
  EXPECT_LT(planner.plan().expansions, first / 5);
}

}  // namespace
}  // namespace camber::planning
