#include "camber/planning/grid_obstacles.h"

#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::planning {
namespace {

// By polygons of the cells, which share no code with the search over bits.
TEST(GridObstacles, GivesTheDistanceOfAFootprintToTheNearestCell) {
  RandomStream random(71);
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 71, trial " << trial);
    OccupancyGrid grid(90, 110, 0.25, {-9.3, -14.1});
    GridObstacles obstacles(grid);
    const int count = static_cast<int>(random.integer(1, 40));
    for (int k = 0; k < count; ++k)
      obstacles.set_blocked(
          {static_cast<int>(random.integer(0, 89)), static_cast<int>(random.integer(0, 109))},
          true);
    obstacles.commit();
    const Footprint footprint{random.uniform(1, 4), random.uniform(0.3, 1.5),
                              random.uniform(0.6, 1.3), random.uniform(0.6, 1.3)};
    const Pose pose{random.uniform(-4, 6), random.uniform(-8, 7), random.uniform(-3, 3)};
    const Polygon outline = make_outline(footprint, pose);
    double expected = 3;
    for (const Point p : outline)
      expected = std::min({expected, p.x + 9.3, -9.3 + 22.5 - p.x, p.y + 14.1, -14.1 + 27.5 - p.y});
    expected = std::max(expected, 0.0);
    for (int y = 0; y < 110; ++y) {
      for (int x = 0; x < 90; ++x) {
        if (!obstacles.grid().is_blocked(x, y)) continue;
        const Point c = grid.center({x, y});
        expected = std::min(expected, calc_distance(outline, {{c.x - 0.125, c.y - 0.125},
                                                              {c.x + 0.125, c.y - 0.125},
                                                              {c.x + 0.125, c.y + 0.125},
                                                              {c.x - 0.125, c.y + 0.125}}));
      }
    }
    EXPECT_NEAR(obstacles.calc_clearance(footprint, pose, 3), expected, 1e-9);
  }
}

TEST(GridObstacles, FollowsChangesLikeANewMap) {
  RandomStream random(72);
  GridObstacles obstacles(OccupancyGrid(60, 50, 0.5, {1.7, -3.2}));
  for (int round = 0; round < 30; ++round) {
    for (int k = 0; k < 15; ++k)
      obstacles.set_blocked(
          {static_cast<int>(random.integer(0, 59)), static_cast<int>(random.integer(0, 49))},
          random.uniform() < 0.6);
    obstacles.commit();
    const DistanceField fresh(obstacles.grid());
    for (int y = 0; y < 50; ++y)
      for (int x = 0; x < 60; ++x)
        ASSERT_EQ(obstacles.field().squared({x, y}), fresh.squared({x, y}))
            << "seed 72, round " << round;
  }
}

}  // namespace
}  // namespace camber::planning
