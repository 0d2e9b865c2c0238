// Errors of the elementary functions against quadruple precision, in units in the last place.

#include "camber/math/elementary.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/random.h"

namespace camber::math {
namespace {

using Quad = __float128;

/// |y - exact| over the distance of doubles at the exact value.
double ulps(double y, Quad exact) {
  int exponent = 0;
  std::frexp(static_cast<double>(exact), &exponent);
  const Quad unit = std::ldexp(1.0, std::max(exponent, -1021) - 53);
  const Quad error = (static_cast<Quad>(y) - exact) / unit;
  return std::abs(static_cast<double>(error));
}

/// Largest error over random numbers of a range, and that four and eight lanes have the same bits.
template <class Own, class Exact>
double find_error(const Own& own, const Exact& exact, double from, double to, bool by_exponents) {
  RandomStream random(17);
  double most = 0;
  for (int i = 0; i < 5000; ++i) {
    Lanes<8> x;
    for (int k = 0; k < 8; ++k) {
      const double share = random.uniform();
      x.set_lane(k,
                 by_exponents ? std::exp2(from + (to - from) * share) : from + (to - from) * share);
    }
    const Lanes<8> y = own(x);
    double numbers[8];
    x.store(numbers);
    const Lanes<4> half = own(Lanes<4>::load(numbers + 4));
    for (int k = 0; k < 8; ++k) {
      if (k >= 4) {
        EXPECT_EQ(half.lane(k - 4), y.lane(k));
      }
      most = std::max(most, ulps(y.lane(k), exact(x.lane(k))));
    }
  }
  return most;
}

#ifdef __FMA__
constexpr double kMore = 0;
#else
constexpr double kMore = 0.5;
#endif

TEST(Elementary, ExpIsWithinAnUlp) {
  const auto own = [](const auto& x) { return own::exp(x); };
  const auto exact = [](double x) { return expf128(x); };
  EXPECT_LT(find_error(own, exact, -1, 1, false), 0.9 + kMore);
  EXPECT_LT(find_error(own, exact, -700, 700, false), 0.9 + kMore);
  EXPECT_LT(find_error(own, exact, -60, 0, true), 0.9 + kMore);
}

TEST(Elementary, LogIsWithinAnUlp) {
  const auto own = [](const auto& x) { return own::log(x); };
  const auto exact = [](double x) { return logf128(x); };
  EXPECT_LT(find_error(own, exact, 0.5, 2, false), 0.6 + kMore);
  EXPECT_LT(find_error(own, exact, 0.999, 1.001, false), 0.6 + kMore);
  EXPECT_LT(find_error(own, exact, -1000, 1000, true), 0.6 + kMore);
}

TEST(Elementary, TanhIsWithinTwoUlps) {
  const auto own = [](const auto& x) { return own::tanh(x); };
  const auto exact = [](double x) { return tanhf128(x); };
  EXPECT_LT(find_error(own, exact, -1, 1, false), 1.4 + kMore);
  EXPECT_LT(find_error(own, exact, -19, 19, false), 1.4 + kMore);
  EXPECT_LT(find_error(own, exact, -200, 0, true), 1.4 + kMore);
}

TEST(Elementary, AtanIsWithinTwoUlps) {
  const auto own = [](const auto& x) { return own::atan(x); };
  const auto exact = [](double x) { return atanf128(x); };
  EXPECT_LT(find_error(own, exact, -3, 3, false), 1.0 + kMore);
  EXPECT_LT(find_error(own, exact, -200, 200, true), 1.0 + kMore);
}

/// Of two arguments, both of random sign and size.
template <class Own, class Exact, class Scale>
double find_error_of_two(const Own& own, const Exact& exact, const Scale& scale, bool is_positive) {
  RandomStream random(29);
  double most = 0;
  for (int i = 0; i < 5000; ++i) {
    Lanes<8> x, y;
    for (int k = 0; k < 8; ++k) {
      const double a = std::exp2(20 * random.uniform() - 10), b = 40 * random.uniform() - 20;
      x.set_lane(k, is_positive || random.uniform() < 0.5 ? a : -a);
      y.set_lane(k, b);
    }
    const Lanes<8> z = own(x, y);
    double xs[8], ys[8];
    x.store(xs);
    y.store(ys);
    const Lanes<4> half = own(Lanes<4>::load(xs), Lanes<4>::load(ys));
    for (int k = 0; k < 8; ++k) {
      if (k < 4) {
        EXPECT_EQ(half.lane(k), z.lane(k));
      }
      most = std::max(most, ulps(z.lane(k), exact(xs[k], ys[k])) / scale(xs[k], ys[k]));
    }
  }
  return most;
}

TEST(Elementary, FunctionsOfTwoArguments) {
  const auto one = [](double, double) { return 1.0; };
  EXPECT_LT(find_error_of_two([](const auto& x, const auto& y) { return own::atan2(x, y); },
                              [](double x, double y) { return atan2f128(x, y); }, one, false),
            1.5 + kMore);
  EXPECT_LT(find_error_of_two([](const auto& x, const auto& y) { return own::hypot(x, y); },
                              [](double x, double y) { return hypotf128(x, y); }, one, false),
            1.2 + kMore);
#ifdef __FMA__
  EXPECT_LT(find_error_of_two([](const auto& x, const auto& y) { return own::pow(x, y); },
                              [](double x, double y) { return powf128(x, y); },
                              [](double x, double y) { return 1 + std::abs(y * std::log(x)) / 32; },
                              true),
            1.0);
#endif
}

// Zeros with their signs, infinities, NaN, denormal numbers, overflow.
TEST(Elementary, GivesWhatTheStandardLibraryGivesAtTheEdges) {
  const double infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  const double edges[] = {0.0,    -0.0, infinity, -infinity, nan,    5e-324, -5e-324,
                          1e-310, 800,  -800,     1e300,     -1e300, 20,     -20};
  const auto expect_like = [](double own, double standard) {
    if (std::isnan(standard)) {
      EXPECT_TRUE(std::isnan(own));
    } else {
      EXPECT_EQ(own, standard);
      EXPECT_EQ(std::signbit(own), std::signbit(standard));
    }
  };
  for (const double x : edges) {
    SCOPED_TRACE(x);
    // A neighbor that is usual must not be changed by it.
    Lanes<4> lanes(0.7);
    lanes.set_lane(2, x);
    expect_like(own::exp(lanes).lane(2), std::exp(x));
    expect_like(own::log(lanes).lane(2), std::log(x));
    expect_like(own::tanh(lanes).lane(2), std::tanh(x));
    if (!(std::abs(x) > 700 && std::isfinite(x)))
      expect_like(own::atan(lanes).lane(2), std::atan(x));
    EXPECT_EQ(own::exp(lanes).lane(1), own::exp(Lanes<4>(0.7)).lane(1));
    for (const double y : edges) {
      SCOPED_TRACE(y);
      const Lanes<4> other(y);
      expect_like(own::atan2(lanes, other).lane(2), std::atan2(x, y));
      expect_like(own::hypot(lanes, other).lane(2), std::hypot(x, y));
      if (x == 20 || x == -20) continue;
      if (!(x > 0 && std::isfinite(x)) || !std::isfinite(y))
        expect_like(own::pow(lanes, other).lane(2), std::pow(x, y));
    }
  }
}

}  // namespace
}  // namespace camber::math
