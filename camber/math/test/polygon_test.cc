// Polygons: numbers that search for their side agree with the sum of kinks that expressions take.

#include "camber/math/polygon.h"

#include <vector>

#include <gtest/gtest.h>

namespace camber::math {
namespace {

const std::vector<double> kX{-1, 0.5, 0.75, 2, 2.25}, kY{3, 1, 1.5, -2, -2};

TEST(Polygon, SearchAgreesWithTheSumOfKinks) {
  for (int i = 0; i < 160; ++i) {
    const double x = -2 + 0.03125 * i;
    const double kinks = look_up<double, double>(kX, kY, x);
    EXPECT_NEAR(look_up(kX, kY, x), kinks, 1e-13);
    const auto dual = look_up(kX, kY, Dual<2>::variable(x, 1));
    EXPECT_EQ(dual.value, look_up(kX, kY, x));
    // At a corner both have the side before it.
    EXPECT_NEAR(dual.partial(1),
                (look_up<Dual<2>, double>(kX, kY, Dual<2>::variable(x, 1)).partial(1)), 1e-12);
    Lanes<4> lanes(x);
    lanes.set_lane(2, x + 1);
    EXPECT_EQ(look_up(kX, kY, lanes).lane(1), look_up(kX, kY, x));
    EXPECT_EQ(look_up(kX, kY, lanes).lane(2), look_up(kX, kY, x + 1));
  }
}

TEST(Polygon, GoesThroughItsPointsAndOn) {
  for (std::size_t k = 0; k < kX.size(); ++k) EXPECT_NEAR(look_up(kX, kY, kX[k]), kY[k], 1e-14);
  EXPECT_NEAR(look_up(kX, kY, -2.0), 3 + 2.0 / 1.5, 1e-14);
  EXPECT_EQ(look_up(kX, kY, 9.0), -2);
  EXPECT_EQ(look_up_held(kX, kY, -2.0), 3);
}

}  // namespace
}  // namespace camber::math
