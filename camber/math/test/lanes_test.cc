#include "camber/math/lanes.h"

#include <bit>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/scalar.h"

namespace camber::math {
namespace {

constexpr unsigned kSeed = 815;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
class LanesTest : public testing::Test {};
using Widths = testing::Types<Lanes<4>, Lanes<8>>;
TYPED_TEST_SUITE(LanesTest, Widths);

template <class T>
T random_lanes(RandomStream* random, double low, double high) {
  T x;
  for (int i = 0; i < T::kLanes; ++i) x.set_lane(i, random->uniform(low, high));
  return x;
}

/// The same bits, or both NaN.
void expect_same(double a, double b, const char* what) {
  if (std::isnan(a) && std::isnan(b)) return;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b))
      << what << ": " << a << " and " << b;
}

TYPED_TEST(LanesTest, ComputeInEachLaneWhatADoubleDoes) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  RandomStream random(kSeed);
  const auto check = [](const char* what, const auto& f, const TypeParam& x, const TypeParam& y) {
    const TypeParam z = f(x, y);
    for (int i = 0; i < TypeParam::kLanes; ++i)
      expect_same(z.lane(i), f(x.lane(i), y.lane(i)), what);
  };
  for (int n = 0; n < 200; ++n) {
    TypeParam x = random_lanes<TypeParam>(&random, -3, 3);
    TypeParam y = random_lanes<TypeParam>(&random, -3, 3);
    if (n % 10 == 0) x.set_lane(n % TypeParam::kLanes, kInfinity);
    if (n % 10 == 1) x.set_lane(n % TypeParam::kLanes, kNaN);
    if (n % 10 == 2) y.set_lane(n % TypeParam::kLanes, -0.0);
    if (n % 10 == 3) x.set_lane(n % TypeParam::kLanes, y.lane(n % TypeParam::kLanes));
    check(
        "+", [](const auto& a, const auto& b) { return a + b; }, x, y);
    check(
        "-", [](const auto& a, const auto& b) { return a - b; }, x, y);
    check(
        "*", [](const auto& a, const auto& b) { return a * b; }, x, y);
    check(
        "/", [](const auto& a, const auto& b) { return a / b; }, x, y);
    check(
        "negative", [](const auto& a, const auto& b) { return -a - +b; }, x, y);
    check(
        "double left", [](const auto& a, const auto& b) { return 2.3 - a / (0.7 + b); }, x, y);
    check(
        "double right", [](const auto& a, const auto& b) { return (b * 2.3 - 1.1) / a; }, x, y);
    check(
        "whole number", [](const auto& a, const auto& b) { return 3 * a + b / 7; }, x, y);
    check(
        "assignments",
        [](auto a, const auto& b) {
          a += b;
          a *= 1.7;
          a -= 2 * b;
          a /= b;
          return a;
        },
        x, y);
    check(
        "mul_add", [](const auto& a, const auto& b) { return mul_add(a, b, a); }, x, y);
    check(
        "sqrt",
        [](const auto& a, const auto& b) {
          using std::sqrt;
          return sqrt(a) + b;
        },
        x, y);
    check(
        "abs",
        [](const auto& a, const auto& b) {
          using std::abs;
          return abs(a) + abs(b);
        },
        x, y);
    check(
        "min",
        [](const auto& a, const auto& b) {
          using std::min;
          return min(a, b);
        },
        x, y);
    check(
        "max",
        [](const auto& a, const auto& b) {
          using std::max;
          return max(a, b);
        },
        x, y);
    check(
        "select",
        [](const auto& a, const auto& b) {
          using math::select;
          return select((a < b && !(b <= 0.5)) || a >= 2.0, a, select(a == b || b > 2.5, 1.5, b));
        },
        x, y);
    check(
        "sincos",
        [](const auto& a, const auto& b) {
          using math::sincos;
          auto s = a, c = a;
          sincos(a, &s, &c);
          return s + b * c;
        },
        x, y);
  }
}

// These are free to differ from the standard library's by a unit or two in the last place.
TYPED_TEST(LanesTest, HaveTheFunctionsOfTheStandardLibrary) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  RandomStream random(kSeed);
  const auto check = [&random](const char* what, const auto& f, double low, double high) {
    for (int n = 0; n < 100; ++n) {
      const auto x = random_lanes<TypeParam>(&random, low, high);
      const TypeParam y = f(x);
      for (int i = 0; i < TypeParam::kLanes; ++i) EXPECT_DOUBLE_EQ(y.lane(i), f(x.lane(i))) << what;
    }
  };
  check(
      "exp",
      [](const auto& x) {
        using std::exp;
        return exp(x);
      },
      -5, 5);
  check(
      "log",
      [](const auto& x) {
        using std::log;
        return log(x);
      },
      0.1, 5);
  check(
      "sin",
      [](const auto& x) {
        using std::sin;
        return sin(x);
      },
      -5, 5);
  check(
      "cos",
      [](const auto& x) {
        using std::cos;
        return cos(x);
      },
      -5, 5);
  check(
      "tan",
      [](const auto& x) {
        using std::tan;
        return tan(x);
      },
      -5, 5);
  check(
      "asin",
      [](const auto& x) {
        using std::asin;
        return asin(x);
      },
      -1, 1);
  check(
      "acos",
      [](const auto& x) {
        using std::acos;
        return acos(x);
      },
      -1, 1);
  check(
      "atan",
      [](const auto& x) {
        using std::atan;
        return atan(x);
      },
      -5, 5);
  check(
      "sinh",
      [](const auto& x) {
        using std::sinh;
        return sinh(x);
      },
      -5, 5);
  check(
      "cosh",
      [](const auto& x) {
        using std::cosh;
        return cosh(x);
      },
      -5, 5);
  check(
      "tanh",
      [](const auto& x) {
        using std::tanh;
        return tanh(x);
      },
      -5, 5);
  check(
      "atan2",
      [](const auto& x) {
        using std::atan2;
        return atan2(x, 0.7 - x);
      },
      -5, 5);
  check(
      "hypot",
      [](const auto& x) {
        using std::hypot;
        return hypot(x, 0.7 - x);
      },
      -5, 5);
  check(
      "pow",
      [](const auto& x) {
        using std::pow;
        return pow(x, 0.7 + x);
      },
      0.1, 5);
}

TYPED_TEST(LanesTest, AreLoadedAndStoredInOrder) {
  double from[TypeParam::kLanes + 1], to[TypeParam::kLanes + 1];
  for (int i = 0; i <= TypeParam::kLanes; ++i) from[i] = 1.5 * i - 2.25;
  const auto x = TypeParam::load(from + 1);  // aligned to nothing but a double
  x.store(to + 1);
  for (int i = 0; i < TypeParam::kLanes; ++i) {
    EXPECT_EQ(x.lane(i), from[i + 1]);
    EXPECT_EQ(to[i + 1], from[i + 1]);
  }
}

TYPED_TEST(LanesTest, CompareLaneByLane) {
  auto x = TypeParam(1.5);
  EXPECT_TRUE(all(x == 1.5));
  EXPECT_FALSE(any(x != 1.5));
  x.set_lane(2, -0.5);
  EXPECT_TRUE(any(x < 0) && !all(x < 0) && all(x <= 1.5) && any(x >= 1.5) && !any(x > 1.5));
  EXPECT_TRUE((x < 0).lane(2));
  EXPECT_FALSE((x < 0).lane(1));
  EXPECT_TRUE(all((x < 0) | (x > 0)));
  EXPECT_FALSE(any((x < 0) & (x > 0)));
  x.set_lane(0, kNaN);
  EXPECT_FALSE((x == x).lane(0));
  EXPECT_FALSE(isfinite(x).lane(0));
  EXPECT_TRUE(isfinite(x).lane(1));
  EXPECT_FALSE(any(isfinite(TypeParam(-kInfinity))));
}

TYPED_TEST(LanesTest, RefuseABranchOnWhichTheyDiffer) {
  auto x = TypeParam(1.5);
  EXPECT_TRUE(static_cast<bool>(x > 0));
  EXPECT_FALSE(static_cast<bool>(x < 0));
  x.set_lane(1, -1.5);
  EXPECT_THROW(static_cast<void>(static_cast<bool>(x > 0)), std::logic_error);
}

TYPED_TEST(LanesTest, PrintEveryLane) {
  TypeParam x(0.5);
  x.set_lane(1, 2);
  std::ostringstream text;
  text << x;
  EXPECT_EQ(text.str().substr(0, 13), "[0.5, 2, 0.5,");
}

}  // namespace
}  // namespace camber::math
