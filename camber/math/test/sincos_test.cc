#include "camber/math/sincos.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/lanes.h"

namespace camber::math {
namespace {

constexpr unsigned kSeed = 20240;

/// Distance of `result` from `exact` in units in the last place of the double next to `exact`. Long
/// double has 11 bits more, so the measure itself is good to 1e-3.
double error_in_ulp(double result, long double exact) {
  const double nearest = std::abs(static_cast<double>(exact));
  const double ulp = std::nextafter(nearest, HUGE_VAL) - nearest;
  return static_cast<double>(std::abs(static_cast<long double>(result) - exact) / ulp);
}

/// Arguments up to `largest`, as many small ones as large ones.
std::vector<double> make_angles(double largest, int count) {
  RandomStream random = RandomStream(kSeed).substream("angles");
  std::vector<double> x;
  for (int i = 0; i < count; ++i) {
    x.push_back(random.uniform(-largest, largest));
    x.push_back(std::copysign(largest * std::exp2(-random.uniform(0, 40)), random.uniform(-1, 1)));
    // The double nearest to a multiple of pi/2, where all digits cancel, and its neighbors.
    const double n = std::floor(random.uniform(-largest, largest) * 2 / std::numbers::pi);
    const auto zero =
        static_cast<double>(static_cast<long double>(n) * std::numbers::pi_v<long double> / 2);
    x.push_back(zero);
    x.push_back(std::nextafter(zero, HUGE_VAL));
  }
  return x;
}

TEST(Sincos, IsWithinOneUlp) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  for (const double largest : {1e-6, 0.7, 7.0, 100.0, 1e4, 1e6, 1e9, 1e300}) {
    SCOPED_TRACE(testing::Message() << "up to " << largest);
    double worst = 0;
    for (const double x : make_angles(largest, 50'000)) {
      double s, c;
      sincos(x, &s, &c);
      worst = std::max({worst, error_in_ulp(s, std::sin(static_cast<long double>(x))),
                        error_in_ulp(c, std::cos(static_cast<long double>(x)))});
    }
    EXPECT_LT(worst, 0.8);
    RecordProperty("worst_ulp_up_to_" + std::to_string(largest), std::to_string(worst));
  }
}

}  // namespace
}  // namespace camber::math
