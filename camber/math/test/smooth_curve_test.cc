// Curves through points: through them, continuous with their slopes, without humps of their own.

#include "camber/math/smooth_curve.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace camber::math {
namespace {

const std::vector<double> kX{-1, 0.5, 0.75, 2, 2.25}, kY{3, 1, 1.5, -2, -2.5};

TEST(SmoothCurve, GoesThroughItsPointsAndIsConstantOutside) {
  const SmoothCurve curve(kX, kY);
  for (std::size_t k = 0; k < kX.size(); ++k) EXPECT_NEAR(curve.at(kX[k]), kY[k], 1e-14);
  EXPECT_EQ(curve.at(-7.0), 3);
  EXPECT_NEAR(curve.at(9.0), -2.5, 1e-14);
}

TEST(SmoothCurve, HasSlopesWithoutJumps) {
  for (const double end_slope : {0.0, -1.5}) {
    const SmoothCurve curve(kX, kY, end_slope);
    const auto slope = [&](double x) { return curve.at(Dual<1>::variable(x, 0)).partial(0); };
    const double h = 1e-7;
    for (std::size_t k = 1; k + 1 < kX.size(); ++k)
      EXPECT_NEAR(slope(kX[k] - h), slope(kX[k] + h), 1e-4);
    EXPECT_NEAR(slope(kX.back() - h), end_slope, 1e-4);
    EXPECT_EQ(slope(kX.back() + h), 0);
    for (double x = -1.5; x < 2.5; x += 0.0371)
      EXPECT_NEAR(slope(x), (curve.at(x + h) - curve.at(x - h)) / (2 * h), 1e-5);
  }
}

TEST(SmoothCurve, StaysBetweenNeighborsAndIsExactOnLines) {
  const SmoothCurve curve(kX, kY);
  for (std::size_t k = 0; k + 1 < kX.size(); ++k)
    for (double t = 0; t <= 1; t += 0.01) {
      const double y = curve.at(kX[k] + t * (kX[k + 1] - kX[k]));
      EXPECT_GE(y, std::min(kY[k], kY[k + 1]) - 1e-14);
      EXPECT_LE(y, std::max(kY[k], kY[k + 1]) + 1e-14);
    }
  const SmoothCurve line({0, 1, 4, 6}, {1, 3, 9, 13}, 2);
  for (double x = 0; x < 6; x += 0.1) EXPECT_NEAR(line.at(x), 1 + 2 * x, 1e-13);
}

TEST(SmoothCurve, LanesAreNumbers) {
  const SmoothCurve curve(kX, kY);
  Lanes<4> x(0.3);
  x.set_lane(1, 1.7), x.set_lane(2, -5), x.set_lane(3, 2.2);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(curve.at(x).lane(i), curve.at(x.lane(i)));
}

TEST(SmoothCurve, RefusesWhatIsNone) {
  EXPECT_THROW(SmoothCurve({1}, {1}), std::invalid_argument);
  EXPECT_THROW(SmoothCurve({1, 2}, {1}), std::invalid_argument);
  EXPECT_THROW(SmoothCurve({1, 1}, {1, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::math
