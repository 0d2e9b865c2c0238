#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/planning/distance_field.h"
#include "camber/planning/moving_ai.h"
#include "camber/planning/test/random_grid.h"

namespace camber::planning {
namespace {

std::int32_t brute_force_squared(const OccupancyGrid& grid, Cell c) {
  std::int32_t best = DistanceField::kNone;
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x < grid.width(); ++x) {
      if (grid.is_blocked(x, y)) {
        best = std::min(best, (x - c.x) * (x - c.x) + (y - c.y) * (y - c.y));
      }
    }
  }
  return best;
}

TEST(OccupancyGrid, CountsWhatWasSetAndBlocksItsSurroundings) {
  for (const int width : {1, 61, 62, 63, 64, 65, 126, 127, 190}) {
    OccupancyGrid grid(width, 3);
    EXPECT_EQ(grid.blocked_count(), 0) << width;
    grid.set_blocked({width - 1, 2}, true);
    grid.set_blocked({0, 0}, true);
    EXPECT_EQ(grid.blocked_count(), 2);
    grid.set_blocked({0, 0}, false);
    EXPECT_EQ(grid.blocked_count(), 1);
    for (int x = -1; x <= width; ++x) EXPECT_TRUE(grid.is_blocked(x, -1) && grid.is_blocked(x, 3));
    EXPECT_TRUE(grid.is_blocked(-1, 1) && grid.is_blocked(width, 1));
  }
}

TEST(OccupancyGrid, FindsTheCellOfAPoint) {
  const OccupancyGrid grid(7, 5, 0.3, {-2, 11});
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 7; ++x) EXPECT_EQ(grid.cell_of(grid.center({x, y})), (Cell{x, y}));
  }
  EXPECT_FALSE(grid.contains(grid.cell_of({1e300, 11.1})));
  EXPECT_FALSE(grid.contains(grid.cell_of({NAN, 11.1})));
}

TEST(OccupancyGrid, RefusesSizesThatNobodyCanStore) {
  EXPECT_THROW(OccupancyGrid(0, 5), std::invalid_argument);
  EXPECT_THROW(OccupancyGrid(31'623, 31'623), std::invalid_argument);
}

// A cell is blocked if and only if its center is in a polygon; areas add up, so none overlap.
TEST(OccupancyGrid, PolygonsCoverTheBlockedCells) {
  RandomStream random(11);
  const OccupancyGrid grid = make_random_grid(&random, 40, 31, 0.3);
  const auto polygons = make_polygons(grid);
  double area = 0;
  for (const Polygon& p : polygons) area += (p[1].x - p[0].x) * (p[2].y - p[1].y);
  EXPECT_NEAR(area, 0.49 * static_cast<double>(grid.blocked_count()), 1e-9);
  for (int y = 0; y < grid.height(); ++y) {
    for (int x = 0; x < grid.width(); ++x) {
      const bool covered = std::any_of(polygons.begin(), polygons.end(), [&](const Polygon& p) {
        return is_inside(p, grid.center({x, y}));
      });
      EXPECT_EQ(covered, grid.is_blocked(x, y)) << x << ' ' << y;
    }
  }
}

TEST(DistanceField, EqualsTheNearestBlockedCellByBruteForce) {
  RandomStream random(1);
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    const int width = static_cast<int>(random.integer(1, 70)),
              height = static_cast<int>(random.integer(1, 40));
    const OccupancyGrid grid = make_random_grid(&random, width, height, random.uniform(0, 0.05));
    const DistanceField field(grid);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        ASSERT_EQ(field.squared({x, y}), brute_force_squared(grid, {x, y})) << x << ' ' << y;
      }
    }
  }
}

TEST(DistanceField, UpdatesToWhatANewOneHas) {
  RandomStream random(2);
  for (int trial = 0; trial < 30; ++trial) {
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    OccupancyGrid grid = make_random_grid(&random, 75, 50, 0.02);
    DistanceField field(grid);
    for (int round = 0; round < 5; ++round) {
      std::vector<Cell> changed;
      for (int k = 0; k < 6; ++k) {
        const Cell c = random_cell(&random, grid);
        grid.set_blocked(c, !grid.is_blocked(c.x, c.y));
        changed.push_back(c);
      }
      field.update(grid, changed);
      const DistanceField fresh(grid);
      for (int y = 0; y < grid.height(); ++y) {
        for (int x = 0; x < grid.width(); ++x) {
          ASSERT_EQ(field.squared({x, y}), fresh.squared({x, y}));
        }
      }
    }
  }
}

TEST(DistanceField, UpdatesOnlyTheRowsThatAChangeReaches) {
  OccupancyGrid grid(60, 200, 0.5);
  for (int x = 0; x < 60; ++x) {
    for (int y = 0; y < 200; y += 10) grid.set_blocked({x, y}, true);
  }
  DistanceField field(grid);
  grid.set_blocked({31, 104}, true);
  const Cell changed[] = {{31, 104}};
  EXPECT_LE(field.update(grid, changed), 9);  // between two walls
  EXPECT_EQ(field.squared({31, 104}), 0);
  EXPECT_DOUBLE_EQ(field.distance({33, 105}), 0.5 * std::sqrt(5.0));
}

TEST(DistanceField, IsInfiniteWithoutObstacles) {
  const DistanceField field(OccupancyGrid(9, 4));
  EXPECT_EQ(field.squared({3, 2}), DistanceField::kNone);
  EXPECT_EQ(field.distance({3, 2}), INFINITY);
}

// --- Files of the Moving AI lab ---

std::string error_of_map(const std::string& text) {
  try {
    parse_moving_ai_map(text, "a.map");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}
std::string error_of_scen(const std::string& text) {
  try {
    check_problems(OccupancyGrid(4, 3), parse_moving_ai_scen(text, "a.scen"), "a.scen");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MovingAiMap, ReadsLettersFromTheFirstRowDown) {
  const OccupancyGrid grid = parse_moving_ai_map(
      "type octile\r\nheight 2\r\nwidth 7\r\nmap\r\n.G@OTSW\r\n@......\r\n", "");
  ASSERT_EQ(grid.width(), 7);
  ASSERT_EQ(grid.height(), 2);
  const bool blocked[] = {false, false, true, true, true, false, true};
  for (int x = 0; x < 7; ++x) EXPECT_EQ(grid.is_blocked(x, 0), blocked[x]) << x;
  EXPECT_TRUE(grid.is_blocked(0, 1));
  EXPECT_EQ(grid.blocked_count(), 5);
}

TEST(MovingAiMap, NamesFileLineAndColumnOfAMistake) {
  const std::string header = "type octile\nheight 2\nwidth 3\nmap\n";
  EXPECT_EQ(error_of_map(header + "...\n.x.\n"),
            "a.map:6:2: a cell is one of . G S @ O T W, got \"x\"");
  EXPECT_EQ(error_of_map(header + "...\n..\n.."), "a.map:6:1: row 1 has 2 letters, needs 3");
  EXPECT_EQ(error_of_map(header + "......"), "a.map:5:1: row 0 has 6 letters, needs 3");
  EXPECT_EQ(error_of_map(header + "...\n\n"), "a.map:6:1: row 1 has 0 letters, needs 3");
  EXPECT_EQ(error_of_map(header + "...\n"
                                  "...\n...\n"),
            "a.map:7:1: more rows than the 2 of the header");
  EXPECT_EQ(error_of_map("type octile\nheight 2\n"), "a.map:2:1: ends before the line \"map\"");
  EXPECT_EQ(error_of_map("type tile\n"), "a.map:1:6: type: must be octile, got \"tile\"");
  EXPECT_EQ(error_of_map("type octile\nheight -2\n"),
            "a.map:2:8: height: must be 1 to 1000000000, got \"-2\"");
  EXPECT_EQ(error_of_map("type octile\nheight 2x\n"), "a.map:2:8: height: \"2x\" is not a number");
  EXPECT_EQ(error_of_map(""), "a.map:1:1: ends before the line \"map\"");
}

// A header of a few bytes must not take gigabytes.
TEST(MovingAiMap, RefusesAMapOfABillionCells) {
  EXPECT_EQ(error_of_map("type octile\nheight 31623\nwidth 31623\nmap\n...\n"),
            "a.map:3:7: the map has 1000014129 cells, more than 100000000");
  EXPECT_EQ(error_of_map("type octile\nheight 99999999999\nwidth 1\nmap\n...\n"),
            "a.map:2:8: height: must be 1 to 1000000000, got \"99999999999\"");
  EXPECT_EQ(error_of_map("type octile\nheight 9000\nwidth 9000\nmap\n...\n"),
            "a.map:4:1: the map needs 9000 rows of 9000 letters; the whole file has 43 bytes");
}

TEST(MovingAiScen, ReadsProblemsWithThePrecisionOfTheirLength) {
  const auto problems = parse_moving_ai_scen(
      "version 1.0\n3\tmaps/dao/a.map\t49\t47\t1\t13\t4\t12\t3.41421\n7 b.map 9 8 7 6 5 4 3\n", "");
  ASSERT_EQ(problems.size(), 2u);
  const GridProblem& p = problems[0];
  EXPECT_EQ(p.bucket, 3);
  EXPECT_EQ(p.map, "maps/dao/a.map");
  EXPECT_EQ((Cell{p.width, p.height}), (Cell{49, 47}));
  EXPECT_EQ(p.start, (Cell{1, 13}));
  EXPECT_EQ(p.goal, (Cell{4, 12}));
  EXPECT_EQ(p.optimal_length, 3.41421);
  EXPECT_DOUBLE_EQ(p.resolution, 1e-5);
  EXPECT_EQ(p.line, 2);
  EXPECT_DOUBLE_EQ(problems[1].resolution, 1e-5);  // zeros are left out: 3.00000
}

TEST(MovingAiScen, NamesFileAndLineOfAMistake) {
  EXPECT_EQ(error_of_scen("version 2\n"),
            "a.scen:1:1: the first line must be \"version 1\", got \"version 2\"");
  EXPECT_EQ(error_of_scen("version 1\n0 a 4 3 0 0 3 2\n"),
            "a.scen:2:1: a problem has 9 columns (bucket, map, width, height, start x, y, goal x, "
            "y, length), got 8");
  EXPECT_EQ(error_of_scen("version 1\n0 a 4 3 0 0 3 two 1\n"),
            "a.scen:2:15: goal y: \"two\" is not a number");
  EXPECT_EQ(error_of_scen("version 1\n0 a 4 3 0 0 4 2 1\n0 a 5 3 0 0 4 2 1\n"),
            "a.scen:2: goal 4, 2 is outside of the map\n"
            "a.scen:3: the problem is for a map of 5 x 3 cells, the map has 4 x 3");
  EXPECT_EQ(error_of_scen("version 1\n0 a 4 3 0 0 3 2 nan\n"),
            "a.scen:2:17: length: must be 0 to 1e+12, got \"nan\"");
}

}  // namespace
}  // namespace camber::planning
