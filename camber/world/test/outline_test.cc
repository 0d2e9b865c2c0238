#include "camber/world/outline.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/world/moving_thing.h"

namespace camber::world {
namespace {

PlacedOutline make_random(RandomStream* random) {
  return {{.rear = -random->uniform(0.3, 3),
           .front = random->uniform(0.3, 3),
           .right = -random->uniform(0.2, 1.5),
           .left = random->uniform(0.2, 1.5)},
          random->uniform(-4, 4),
          random->uniform(-4, 4),
          random->uniform(-7, 7)};
}

// Points spread over the edges of both rectangles know nothing of separating axes.
double find_by_points(const PlacedOutline& a, const PlacedOutline& b) {
  constexpr int kPoints = 400;
  double least = HUGE_VAL;
  const auto corners = a.corners();
  for (int side = 0; side < 4; ++side) {
    for (int k = 0; k < kPoints; ++k) {
      const double s = static_cast<double>(k) / kPoints;
      const auto &p = corners[side], &q = corners[(side + 1) % 4];
      least = std::min(least, b.distance(p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])));
    }
  }
  return least;
}

TEST(Outline, ClearanceIsThatOfPointsOnTheEdges) {
  int apart = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const PlacedOutline a = make_random(&random), b = make_random(&random);
    const double clearance = find_clearance(a, b);
    EXPECT_NEAR(find_clearance(b, a), clearance, 1e-12);
    const double by_points = std::min(find_by_points(a, b), find_by_points(b, a));
    if (clearance > 0) {
      ++apart;
      EXPECT_LE(clearance, by_points + 1e-12);
      EXPECT_NEAR(clearance, by_points, 0.02);
    } else {
      EXPECT_LT(by_points, 0.02);
    }
  }
  EXPECT_GT(apart, 50);
  EXPECT_LT(apart, 250);
}

TEST(Outline, ClearanceDoesNotDependOnTheFrame) {
  RandomStream random(7);
  const PlacedOutline a = make_random(&random), b = make_random(&random);
  const double turn = 1.234, c = std::cos(turn), s = std::sin(turn);
  const auto moved = [&](PlacedOutline p) {
    return PlacedOutline{p.outline, c * p.x - s * p.y + 31, s * p.x + c * p.y - 12, p.yaw + turn};
  };
  EXPECT_NEAR(find_clearance(moved(a), moved(b)), find_clearance(a, b), 1e-12);
}

TEST(MovingThing, StaysAtItsEndsAndGoesStraightBetween) {
  MovingThing thing{.name = "bus",
                    .outline = {.rear = -5, .front = 5, .right = -1.25, .left = 1.25},
                    .height = 3,
                    .track = {{2, 10, -3, 3.0}, {4, 20, 1, -3.0}}};
  thing.check();
  EXPECT_EQ(thing.at(0).x, 10);
  EXPECT_EQ(thing.at(9).y, 1);
  const MovingThing::Point middle = thing.at(3);
  EXPECT_DOUBLE_EQ(middle.x, 15);
  EXPECT_DOUBLE_EQ(middle.y, -1);
  EXPECT_NEAR(std::cos(middle.yaw), -1, 1e-12);  // from 3 rad through pi to -3 rad
  thing.track[1].time = 2;
  EXPECT_THROW(thing.check(), std::invalid_argument);
}

}  // namespace
}  // namespace camber::world
