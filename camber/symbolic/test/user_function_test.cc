#include "camber/symbolic/user_function.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/symbolic/table_function.h"

namespace camber::symbolic {
namespace {

double at(const UserFunction& f, std::vector<double> x, std::vector<int> orders) {
  return f.evaluate(x, orders);
}

const std::vector<double> kSpeed = {800, 1500, 1900, 2600, 3400, 4100};
const std::vector<double> kTorque = {410, 512, 538, 521, 447, 312};

TEST(TableFunction, GoesThroughItsValuesAndHoldsTheEdges) {
  for (const auto kind : {Interpolation::kLinear, Interpolation::kCubic}) {
    const auto& torque = register_table(kind == Interpolation::kLinear ? "torque_l" : "torque_c",
                                        kSpeed, kTorque, kind);
    for (std::size_t i = 0; i < kSpeed.size(); ++i)
      EXPECT_NEAR(at(torque, {kSpeed[i]}, {0}), kTorque[i], 1e-12 * kTorque[i]);
    EXPECT_EQ(at(torque, {300}, {0}), 410);
    EXPECT_NEAR(at(torque, {9000}, {0}), 312, 1e-10);
    EXPECT_EQ(at(torque, {300}, {1}), 0);
  }
}

TEST(TableFunction, CubicIsSmoothAndStaysBetweenMonotoneValues) {
  const auto& torque = register_table("torque_s", kSpeed, kTorque, Interpolation::kCubic);
  for (std::size_t i = 1; i + 1 < kSpeed.size(); ++i) {
    const double below = at(torque, {std::nextafter(kSpeed[i], 0)}, {1});
    const double above = at(torque, {kSpeed[i]}, {1});
    EXPECT_NEAR(below, above, 1e-9) << "slope jumps at " << kSpeed[i];
  }
  for (double x = 800; x + 7 < 1900; x += 7)
    EXPECT_LT(at(torque, {x}, {0}), at(torque, {x + 7}, {0}));
}

// Central differences are off by h^2/6 f''' and rounding; the tables are smooth inside a cell.
TEST(TableFunction, DerivativesMatchFiniteDifferences) {
  std::vector<double> x = {-1.3, 0.4, 1.1, 2.9};
  std::vector<double> y = {0.2, 0.9, 2.3};
  std::vector<double> values;
  for (const double a : x) {
    for (const double b : y) values.push_back(std::sin(a) * std::exp(0.3 * b) + a * b);
  }
  const auto& f = register_table("surface", x, y, values, Interpolation::kCubic);
  RandomStream random(5);
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 5, trial " << trial);
    const double a = random.uniform(-1.2, 2.8);
    const double b = random.uniform(0.3, 2.2);
    const double h = 1e-5;
    const auto near_line = [&](double v, const std::vector<double>& grid) {
      return std::any_of(grid.begin(), grid.end(),
                         [&](double g) { return std::abs(v - g) < 2 * h; });
    };
    if (near_line(a, x) || near_line(b, y)) continue;
    EXPECT_NEAR(at(f, {a, b}, {1, 0}),
                (at(f, {a + h, b}, {0, 0}) - at(f, {a - h, b}, {0, 0})) / (2 * h), 1e-7);
    EXPECT_NEAR(at(f, {a, b}, {1, 1}),
                (at(f, {a, b + h}, {1, 0}) - at(f, {a, b - h}, {1, 0})) / (2 * h), 1e-7);
    EXPECT_NEAR(at(f, {a, b}, {0, 2}),
                (at(f, {a, b + h}, {0, 1}) - at(f, {a, b - h}, {0, 1})) / (2 * h), 1e-6);
  }
}

TEST(TableFunction, BilinearReproducesABilinearFunctionExactly) {
  const auto f = [](double a, double b) { return 2.5 - 1.5 * a + 0.75 * b + 3.25 * a * b; };
  std::vector<double> x = {-2, 0.5, 3}, y = {1, 4, 4.5, 7}, values;
  for (const double a : x) {
    for (const double b : y) values.push_back(f(a, b));
  }
  const auto& table = register_table("bilinear", x, y, values, Interpolation::kLinear);
  EXPECT_NEAR(at(table, {1.7, 5.1}, {0, 0}), f(1.7, 5.1), 1e-12);
  EXPECT_NEAR(at(table, {1.7, 5.1}, {1, 0}), -1.5 + 3.25 * 5.1, 1e-12);
  EXPECT_NEAR(at(table, {1.7, 5.1}, {1, 1}), 3.25, 1e-12);
  const Expr call_xx =
      call(table, std::vector<Expr>{symbol("a"), symbol("b")}, std::vector<int>{2, 0});
  EXPECT_TRUE(call_xx.is_zero()) << "a bilinear table has no second derivative along an axis";
}

TEST(UserFunction, TheSameNameMeansTheSameFunction) {
  const auto& first = register_table("map", kSpeed, kTorque, Interpolation::kLinear);
  EXPECT_EQ(&register_table("map", kSpeed, kTorque, Interpolation::kLinear), &first);
  EXPECT_EQ(find_user_function("map"), &first);
  EXPECT_EQ(find_user_function("no_such_map"), nullptr);
  EXPECT_THROW(register_table("map", kSpeed, kTorque, Interpolation::kCubic),
               std::invalid_argument);
  const Expr n = symbol("n");
  EXPECT_EQ(first(2 * n), first(n + n));
}

TEST(UserFunction, CodeKnowsWhichDerivativesItHas) {
  const auto& f =
      register_code("cube", 1, 1, [](std::span<const double> x, std::span<const int> orders) {
        return orders[0] == 0 ? x[0] * x[0] * x[0] : 3 * x[0] * x[0];
      });
  const Expr x = symbol("x");
  EXPECT_EQ(at(f, {1.5}, {1}), 6.75);
  EXPECT_NO_THROW(call(f, std::span(&x, 1), std::vector<int>{1}));
  EXPECT_THROW(call(f, std::span(&x, 1), std::vector<int>{2}), std::domain_error);
  EXPECT_THROW(call(f, std::vector<Expr>{x, x}), std::invalid_argument);
  EXPECT_THROW(register_code("cube", 1, 1, [](auto, auto) { return 0.0; }), std::invalid_argument);
}

TEST(UserFunction, BadTablesSayWhatIsWrong) {
  const auto message = [](std::vector<double> x, std::vector<double> values) -> std::string {
    try {
      register_table("bad", std::move(x), std::move(values), Interpolation::kLinear);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message({1, 3, 2}, {4, 5, 6}).find("must increase, got 3 before 2"), std::string::npos);
  EXPECT_NE(message({1, 2, 3}, {4, 5}).find("needs 3 values, got 2"), std::string::npos);
  EXPECT_NE(message({1}, {4}).find("at least 2 grid points"), std::string::npos);
  EXPECT_NE(message({1, 2}, {4, NAN}).find("not finite"), std::string::npos);
  EXPECT_THROW(register_table("2bad", {1, 2}, {3, 4}, Interpolation::kLinear),
               std::invalid_argument);
}

}  // namespace
}  // namespace camber::symbolic
