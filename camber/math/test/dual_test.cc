#include "camber/math/dual.h"

#include <cmath>
#include <complex>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/scalar.h"

namespace camber::math {
namespace {

constexpr unsigned kSeed = 4711;

// f'(x) = Im f(x + i h) / h up to h^2: no difference is taken, so h may be tiny and all digits stay
// [Squire & Trapp 1998].
template <class F>
double slope_by_complex_step(const F& f, double x) {
  constexpr double kStep = 1e-100;
  return f(std::complex<double>(x, kStep)).imag() / kStep;
}

template <class F>
void expect_slope(const char* name, const F& f, double low, double high) {
  SCOPED_TRACE(testing::Message() << name << ", seed " << kSeed);
  RandomStream random = RandomStream(kSeed).substream(name);
  for (int i = 0; i < 200; ++i) {
    const double x = random.uniform(low, high);
    const Dual<3> y = f(Dual<3>::variable(x, 1));
    EXPECT_NEAR(y.value, f(x), 4e-16 * std::abs(f(x))) << "x = " << x;
    const double slope = slope_by_complex_step(f, x);
    EXPECT_NEAR(y.partial(1), slope, 1e-13 * (1 + std::abs(slope))) << "x = " << x;
    EXPECT_EQ(y.partial(0), 0);
    EXPECT_EQ(y.partial(2), 0);
  }
}

#define EXPECT_SLOPE(function, low, high) \
  expect_slope(                           \
      #function,                          \
      [](const auto& x) {                 \
        using std::function;              \
        return function(x);               \
      },                                  \
      low, high)

TEST(Dual, MatchesComplexSteps) {
  EXPECT_SLOPE(sqrt, 0.01, 20);
  EXPECT_SLOPE(exp, -8, 8);
  EXPECT_SLOPE(log, 0.01, 20);
  EXPECT_SLOPE(sin, -20, 20);
  EXPECT_SLOPE(cos, -20, 20);
  EXPECT_SLOPE(tan, -1.4, 1.4);
  EXPECT_SLOPE(sinh, -5, 5);
  EXPECT_SLOPE(cosh, -5, 5);
  EXPECT_SLOPE(tanh, -20, 20);
  EXPECT_SLOPE(atan, -20, 20);
  EXPECT_SLOPE(asin, -0.98, 0.98);
  EXPECT_SLOPE(acos, -0.98, 0.98);
}

TEST(Dual, MatchesComplexStepsWithConstantsOnEitherSide) {
  expect_slope(
      "x + c", [](const auto& x) { return x + 0.73; }, -5, 5);
  expect_slope(
      "c + x", [](const auto& x) { return 0.73 + x; }, -5, 5);
  expect_slope(
      "x - c", [](const auto& x) { return x - 0.73; }, -5, 5);
  expect_slope(
      "c - x", [](const auto& x) { return 0.73 - x; }, -5, 5);
  expect_slope(
      "x c", [](const auto& x) { return x * 0.73; }, -5, 5);
  expect_slope(
      "c x", [](const auto& x) { return 0.73 * x; }, -5, 5);
  expect_slope(
      "x / c", [](const auto& x) { return x / 0.73; }, -5, 5);
  expect_slope(
      "c / x", [](const auto& x) { return 0.73 / x; }, 0.1, 5);
  expect_slope(
      "-x", [](const auto& x) { return -x; }, -5, 5);
  expect_slope(
      "x^c", [](const auto& x) { return pow(x, 2.4); }, 0.1, 5);
  expect_slope(
      "c^x", [](const auto& x) { return pow(2.4, x); }, -5, 5);
  expect_slope(
      "x^x", [](const auto& x) { return pow(x, x); }, 0.1, 3);
}

// A composition as a tire's has it, from three variables at once.
template <class T>
T calc_slip_force(const T& a, const T& b, const T& c) {
  using std::atan, std::cos, std::exp, std::sin, std::sqrt;
  T x = a * b - 0.4 * atan(b / c);
  x += sin(x * x + c);
  x *= exp(-a * a / 9.0);
  x -= 2.0 / (1.5 + cos(b - c));
  x /= sqrt(1.0 + a * a + c * c);
  return x;
}

TEST(Dual, AppliesTheChainRuleThroughAComposition) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  RandomStream random(kSeed);
  for (int i = 0; i < 200; ++i) {
    const double a = random.uniform(-2, 2), b = random.uniform(-2, 2), c = random.uniform(0.3, 2);
    const auto y =
        calc_slip_force(Dual<3>::variable(a, 0), Dual<3>::variable(b, 1), Dual<3>::variable(c, 2));
    using Complex = std::complex<double>;
    const double slopes[] = {
        slope_by_complex_step([&](Complex x) { return calc_slip_force(x, Complex(b), Complex(c)); },
                              a),
        slope_by_complex_step([&](Complex x) { return calc_slip_force(Complex(a), x, Complex(c)); },
                              b),
        slope_by_complex_step([&](Complex x) { return calc_slip_force(Complex(a), Complex(b), x); },
                              c)};
    EXPECT_NEAR(y.value, calc_slip_force(a, b, c), 1e-15 * (1 + std::abs(y.value)));
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(y.partial(k), slopes[k], 1e-13 * (1 + std::abs(slopes[k])));
  }
}

// Of N variables: sum of k x_k^2 has the derivatives 2 k x_k. Widths below, at and above a
// register.
template <int N>
void expect_gradient_of_a_square_sum() {
  SCOPED_TRACE(testing::Message() << "N = " << N);
  RandomStream random = RandomStream(kSeed).substream("square sum", N);
  double x[N];
  Dual<N> sum(0);
  for (int k = 0; k < N; ++k) {
    x[k] = random.uniform(-3, 3);
    const auto variable = Dual<N>::variable(x[k], k);
    sum += (k + 1) * variable * variable;
  }
  for (int k = 0; k < N; ++k) EXPECT_DOUBLE_EQ(sum.partial(k), 2 * (k + 1) * x[k]) << k;
}

TEST(Dual, HasAsManyPartialsAsAsked) {
  expect_gradient_of_a_square_sum<1>();
  expect_gradient_of_a_square_sum<2>();
  expect_gradient_of_a_square_sum<3>();
  expect_gradient_of_a_square_sum<6>();
  expect_gradient_of_a_square_sum<8>();
  expect_gradient_of_a_square_sum<9>();
  expect_gradient_of_a_square_sum<15>();
  expect_gradient_of_a_square_sum<30>();
}

// g(f(x)) = x has the derivative 1 everywhere.
TEST(Dual, FunctionOfItsInverseHasSlopeOne) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  RandomStream random(kSeed);
  for (int i = 0; i < 200; ++i) {
    const auto x = Dual<2>::variable(random.uniform(-0.95, 0.95), 0);
    EXPECT_NEAR(sin(asin(x)).partial(0), 1, 1e-13);
    EXPECT_NEAR(cos(acos(x)).partial(0), 1, 1e-13);
    EXPECT_NEAR(tan(atan(x)).partial(0), 1, 1e-14);
    EXPECT_NEAR(log(exp(x)).partial(0), 1, 1e-14);
    const auto r = Dual<2>(1.7);
    EXPECT_NEAR(atan2(r * sin(x), r * cos(x)).partial(0), 1, 1e-14);
    EXPECT_NEAR(pow(sqrt(1.0 + x), 2).partial(0), 1, 1e-14);
    EXPECT_NEAR(((x / (x + 2.0)) * (x + 2.0)).partial(0), 1, 1e-14);
  }
}

TEST(Dual, KeepsSineAndCosineOnTheUnitCircle) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  RandomStream random(kSeed);
  for (int i = 0; i < 200; ++i) {
    const auto x = Dual<1>::variable(random.uniform(-100, 100), 0);
    Dual<1> s, c;
    sincos(x, &s, &c);
    EXPECT_NEAR((s * s + c * c).value, 1, 4e-16);
    EXPECT_NEAR((s * s + c * c).partial(0), 0, 2e-16);  // normal to the circle
    EXPECT_EQ(s.value, sin(x).value);
    EXPECT_EQ(c.partial(0), cos(x).partial(0));
    auto in_place = x;
    sincos(in_place, &in_place, &c);
    EXPECT_EQ(in_place.partial(0), s.partial(0));
  }
}

TEST(Dual, MatchesFiniteDifferencesInTwoArguments) {
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  RandomStream random(kSeed);
  const auto check = [](const auto& f, double x, double y) {
    const Dual<2> z = f(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1));
    constexpr double kStep = 1e-5;
    EXPECT_DOUBLE_EQ(z.value, f(x, y));
    EXPECT_NEAR(z.partial(0), (f(x + kStep, y) - f(x - kStep, y)) / (2 * kStep), 1e-7)
        << x << ' ' << y;
    EXPECT_NEAR(z.partial(1), (f(x, y + kStep) - f(x, y - kStep)) / (2 * kStep), 1e-7)
        << x << ' ' << y;
  };
  for (int i = 0; i < 200; ++i) {
    // All four quadrants, away from the origin and from the cut of atan2.
    const double x = random.uniform(0.4, 2) * (i % 2 == 0 ? 1 : -1);
    const double y = random.uniform(0.4, 2) * (i % 3 == 0 ? 1 : -1);
    check([](const auto& a, const auto& b) { return atan2(a, b); }, x, y);
    check([](const auto& a, const auto& b) { return hypot(a, b); }, x, y);
    check([](const auto& a, const auto& b) { return a * abs(b); }, x, y);
    check(
        [](const auto& a, const auto& b) {
          using std::min;
          return min(a, b);
        },
        x, y + 3 * x);
    check(
        [](const auto& a, const auto& b) {
          using std::max;
          return max(a, b);
        },
        x, y + 3 * x);
    check(
        [](const auto& a, const auto& b) {
          using math::select;
          return select(a < b, a * b, a - b);
        },
        x, y + 3 * x);
  }
}

TEST(Dual, RaisesAnyBaseToAWholePower) {
  const auto x = Dual<1>::variable(-1.3, 0);
  EXPECT_DOUBLE_EQ(pow(x, 3).partial(0), 3 * 1.3 * 1.3);
  EXPECT_DOUBLE_EQ(pow(x, Dual<1>(3)).partial(0), 3 * 1.3 * 1.3);
  const auto zero = Dual<1>::variable(0, 0);
  EXPECT_EQ(pow(zero, 0).partial(0), 0);
  EXPECT_EQ(pow(zero, 1).partial(0), 1);
  EXPECT_EQ(pow(zero, 2).partial(0), 0);
}

TEST(Dual, ComparesByValue) {
  const auto x = Dual<2>::variable(1.25, 0), y = Dual<2>::variable(1.25, 1);
  EXPECT_TRUE(x == y && x <= y && x >= y && !(x < y) && !(x > y) && !(x != y));
  EXPECT_TRUE(x < 2 && 1 < x && x == 1.25);
  EXPECT_EQ(value_of(x), 1.25);
}

TEST(Dual, IsFiniteWhenAllOfItIs) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  auto x = Dual<3>::variable(1.25, 0);
  EXPECT_TRUE(isfinite(x));
  x.set_partial(2, kInfinity);
  EXPECT_FALSE(isfinite(x));
  EXPECT_FALSE(isfinite(Dual<3>(kInfinity)));
}

TEST(Dual, PrintsValueAndPartials) {
  std::ostringstream text;
  text << Dual<2>::variable(1.25, 1);
  EXPECT_EQ(text.str(), "1.25 (0, 1)");
}

}  // namespace
}  // namespace camber::math
