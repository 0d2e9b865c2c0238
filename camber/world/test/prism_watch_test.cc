#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/world/obstacle_watch.h"

namespace camber::world {
namespace {

// A prism whose outline is a fine circle is the post of that radius.
TEST(ObstacleWatch, PrismOfManyCornersIsAPost) {
  terrain::Terrain posts, prisms;
  RandomStream random(6);
  for (int k = 0; k < 30; ++k) {
    const double x = random.uniform(-25, 25), y = random.uniform(-25, 25),
                 radius = random.uniform(0.2, 2);
    posts.obstacles.push_back({x, y, radius, 2});
    terrain::Prism prism{.name = "tower", .height = 2};
    for (int c = 0; c < 720; ++c) {
      const double angle = 2 * M_PI * c / 720;
      prism.corners.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
    }
    prisms.prisms.push_back(prism);
  }
  EXPECT_TRUE(ObstacleWatch::is_needed(prisms));
  Outline outline;
  outline.rear = -2.1, outline.front = 2.6, outline.right = -1.1, outline.left = 1.0;
  ObstacleWatch a(&posts, outline), b(&prisms, outline);
  int hits = 0;
  for (int k = 0; k < 300; ++k) {
    const double x = random.uniform(-30, 30), y = random.uniform(-30, 30),
                 yaw = random.uniform(-3, 3);
    const double clearance = a.find(x, y, yaw).clearance;
    const ObstacleWatch::Nearest nearest = b.find(x, y, yaw);
    if (clearance <= 1e-4) {
      EXPECT_LE(nearest.clearance, 1e-3);
      ++hits;
    } else {
      EXPECT_NEAR(nearest.clearance, clearance, 1e-4);
    }
    if (nearest.clearance < ObstacleWatch::kReach) {
      ASSERT_NE(nearest.prism, nullptr);
      EXPECT_EQ(nearest.prism->name, "tower");
    }
  }
  EXPECT_GT(hits, 5);
}

}  // namespace
}  // namespace camber::world
