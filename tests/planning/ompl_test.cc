// Lengths of shortest curves against OMPL's.

#include <gtest/gtest.h>

#include "bench/peers/ompl_curves.h"
#include "camber/core/random.h"
#include "camber/planning/reeds_shepp.h"

namespace camber::planning {
namespace {

using peers::OmplCurves;

constexpr double kRadius = 7.6;  // [m]

TEST(ReedsShepp, EqualsOmplOnTenThousandPairs) {
  const OmplCurves ompl(OmplCurves::Kind::kReedsShepp, kRadius);
  RandomStream random(26);
  for (int trial = 0; trial < 10'000; ++trial) {
    const double size = trial % 2 ? 40 : 6;
    const Pose a{random.uniform(-size, size), random.uniform(-size, size),
                 random.uniform(-3.1, 3.1)},
        b{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-3.1, 3.1)};
    ASSERT_NEAR(calc_reeds_shepp_length(a, b, kRadius), ompl.calc_length(a, b), 1e-9)
        << "seed 26, trial " << trial;
  }
}

TEST(Dubins, EqualsOmplOnTenThousandPairs) {
  const OmplCurves ompl(OmplCurves::Kind::kDubins, kRadius);
  RandomStream random(27);
  for (int trial = 0; trial < 10'000; ++trial) {
    const double size = trial % 2 ? 40 : 6;
    const Pose a{random.uniform(-size, size), random.uniform(-size, size),
                 random.uniform(-3.1, 3.1)},
        b{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-3.1, 3.1)};
    ASSERT_NEAR(calc_dubins_length(a, b, kRadius), ompl.calc_length(a, b), 1e-9)
        << "seed 27, trial " << trial;
  }
}

}  // namespace
}  // namespace camber::planning
