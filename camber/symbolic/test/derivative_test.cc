#include "camber/symbolic/derivative.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/symbolic/count.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/test/random_expr.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {
namespace {

using test::RandomExpr;

/// Central differences, the leading two error terms removed (Richardson): relative error near
/// 1e-10.
double difference_quotient(const Expr& e, const Expr& x, const Bindings& at) {
  const auto slope = [&](double h) {
    Bindings forward = at;
    Bindings backward = at;
    forward[x] += h;
    backward[x] -= h;
    return (evaluate(e, forward) - evaluate(e, backward)) / (2 * h);
  };
  const double h = 2e-4;
  const double d1 = slope(h);
  const double d2 = slope(h / 2);
  const double d4 = slope(h / 4);
  const double r1 = (4 * d2 - d1) / 3;
  const double r2 = (4 * d4 - d2) / 3;
  return (16 * r2 - r1) / 15;
}

TEST(Derivative, MatchesFiniteDifferencesOfRandomSmoothExpressions) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 3, .smooth = true});
    const Expr e = random();
    const Bindings at = random.point();
    for (const Expr& x : e.leaves()) {
      SCOPED_TRACE(testing::Message() << "d/d" << x << " of " << e);
      double expected = 0;
      double actual = 0;
      try {
        expected = difference_quotient(e, x, at);
        actual = evaluate(diff(e, x), at);
      } catch (const EvaluationError&) {
        continue;  // overflow of a large power
      }
      // The quotient's error grows with higher derivatives: compare on the scale of the values
      // around.
      const double scale = std::abs(evaluate(e, at)) + std::abs(actual) + 1;
      EXPECT_NEAR(actual, expected, 1e-6 * scale);
    }
  }
}

// Where a kink is near, differences say nothing; each branch is smooth, so two step sizes that
// agree mark the points where the comparison holds.
TEST(Derivative, MatchesFiniteDifferencesOfKinkedExpressionsAwayFromTheirKinks) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(1000 + seed, {.depth = 3});
    const Expr e = random();
    const Bindings at = random.point();
    for (const Expr& x : e.leaves()) {
      try {
        Bindings near = at;
        near[x] += 1e-6;
        const Expr de = diff(e, x);
        const double actual = evaluate(de, at);
        const double beside = evaluate(de, near);
        const double expected = difference_quotient(e, x, at);
        const double scale = std::abs(evaluate(e, at)) + std::abs(actual) + 1;
        if (std::abs(expected - actual) < 1e-4 * scale) {
          ++compared;
        } else {
          Bindings far = at;
          far[x] += 2e-3;
          Bindings back = at;
          back[x] -= 2e-3;
          const double jump = std::abs(evaluate(de, far) - evaluate(de, back));
          EXPECT_GT(jump + std::abs(actual - beside), 1e-4 * scale)
              << "d/d" << x << " of " << e << ": " << actual << ", differences " << expected;
        }
      } catch (const EvaluationError&) {
        continue;
      }
    }
  }
  EXPECT_GT(compared, 500);
}

TEST(Derivative, OfEachFunctionIsTheOneInTheTables) {
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  EXPECT_EQ(diff(sin(x), x), cos(x));
  EXPECT_EQ(diff(cos(x), x), -sin(x));
  EXPECT_EQ(diff(tan(x), x), 1 + pow(tan(x), 2));
  EXPECT_EQ(diff(asin(x), x), 1 / sqrt(1 - x * x));
  EXPECT_EQ(diff(acos(x), x), -1 / sqrt(1 - x * x));
  EXPECT_EQ(diff(atan(x), x), 1 / (1 + x * x));
  EXPECT_EQ(diff(sinh(x), x), cosh(x));
  EXPECT_EQ(diff(cosh(x), x), sinh(x));
  EXPECT_EQ(diff(tanh(x), x), 1 - pow(tanh(x), 2));
  EXPECT_EQ(diff(exp(3 * x), x), 3 * exp(3 * x));
  EXPECT_EQ(diff(log(x), x), 1 / x);
  EXPECT_EQ(diff(sqrt(x), x), pow(x, Number(-1, 2)) / 2);
  EXPECT_EQ(diff(pow(x, y), x), y * pow(x, y - 1));
  EXPECT_EQ(diff(pow(x, y), y), log(x) * pow(x, y));
  EXPECT_EQ(diff(atan2(y, x), x), -y / (x * x + y * y));
  EXPECT_EQ(diff(abs(x), x), sign(x));
  EXPECT_EQ(diff(sign(x) * y, x), Expr(0));
  EXPECT_EQ(diff(min(x * x, y), x), select(x * x <= y, 2 * x, 0));
  EXPECT_EQ(diff(max(x * x, y), x), select(y <= x * x, 2 * x, 0));
  EXPECT_EQ(diff(select(x < y, x * y, y), x), select(x < y, y, 0));
  EXPECT_EQ(diff(named("area", x * x * y), x), 2 * x * y);
}

TEST(Derivative, OfUserFunctionsAsksForTheirDerivatives) {
  const auto evaluator = [](std::span<const double> u, std::span<const int> orders) {
    return std::pow(2.0, orders[0]) * std::exp(2 * u[0]) * (orders[1] == 0 ? u[1] : 1.0);
  };
  const UserFunction& f = register_code("derivative_test_f", 2, 3, evaluator);
  const Expr x = symbol("x");
  const Expr e = f(x * x, 3 * x);  // exp(2 x^2) 3 x
  const double at = 0.37;
  const double expected = std::exp(2 * at * at) * (12 * at * at + 3);
  EXPECT_NEAR(evaluate(diff(e, x), {{x, at}}), expected, 1e-13 * expected);
}

TEST(Derivative, OfHigherOrderIsTheDerivativeTakenAgain) {
  const Expr x = symbol("x");
  const Expr e = sin(x * x) * exp(x);
  EXPECT_EQ(diff(e, x, 0), e);
  EXPECT_EQ(diff(e, x, 3), diff(diff(diff(e, x), x), x));
  EXPECT_EQ(diff(pow(x, 5), x, 6), Expr(0));
}

TEST(TimeDerivative, RaisesTheOrderOfVariablesAndLeavesSymbolsAlone) {
  const Expr m = symbol("m");
  const Expr t = symbol("t");
  const Expr q = variable("q");
  const Expr qd = variable("q", 1);
  const Expr qdd = variable("q", 2);
  EXPECT_EQ(time_derivative(m * q * qd), m * qd * qd + m * q * qdd);
  EXPECT_EQ(time_derivative(m * t), Expr(0));
  EXPECT_EQ(time_derivative(m * t * q, t), m * q + m * t * qd);
}

TEST(DirectionalDerivative, SumsPartialsTimesDirections) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(2000 + seed, {.depth = 3, .smooth = true});
    const Expr e = random();
    const std::vector<Expr> leaves = random.leaves();
    std::vector<Expr> directions;
    Expr expected = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      directions.push_back(symbol("d" + std::to_string(i)));
      expected += diff(e, leaves[i]) * directions[i];
    }
    Bindings at = random.point();
    for (const Expr& d : directions) {
      at[d] = random.random().uniform(-2, 2);
    }
    try {
      const double value = evaluate(expected, at);
      EXPECT_NEAR(evaluate(directional_derivative(e, leaves, directions), at), value,
                  1e-10 * (std::abs(value) + 1));
    } catch (const EvaluationError&) {
      continue;
    }
  }
}

TEST(Gradient, AgreesWithForwardDerivativesOfRandomExpressions) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(3000 + seed, {.depth = 4});
    const Expr e = random();
    const std::vector<Expr> g = gradient(e, random.leaves());
    const Bindings at = random.point();
    for (std::size_t i = 0; i < g.size(); ++i) {
      double forward = 0;
      try {
        forward = evaluate(diff(e, random.leaves()[i]), at);
      } catch (const EvaluationError&) {
        EXPECT_THROW(evaluate(g[i], at), EvaluationError);
        continue;
      }
      EXPECT_NEAR(evaluate(g[i], at), forward, 1e-9 * (std::abs(forward) + 1));
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
}

// Branches that are not taken need not have a value, nor do their derivatives.
TEST(Derivative, SeesOnlyTheBranchesThatAreTaken) {
  const Expr x = symbol("x"), y = symbol("y");
  const Expr root = sqrt(x);
  const std::vector<Expr> es = {
      y * select(x > 0, root, 0),
      y * select(x <= 0, 0, x * log(x)),
      y * sqrt(max(0, x)),
      y * pow(max(x, 0), Expr(0.9)),
      x * log(1 + sqrt(max(0, x)) + sqrt(-min(y, 0))),
      y + 2 * atan2(max(0, x), max(0, y)),
      sqrt(max(0, x) + max(0, y)),
      select(x > 0, select(y > 1, root * log(y - 1), x * y), x - y * y),
      select(x > 0, root, 0) + select(y < x, y * root, x),
      select(y > 1, pow(x * x + log(y), Expr(3) / 2), sin(x) * y),
  };
  const std::vector<Expr> xs = {x, y};
  for (const Expr& e : es) {
    for (const auto& [x_d, y_d] : {std::pair{-0.7, -0.3}, {-0.7, 1.4}, {0.6, -0.3}, {0.6, 1.4}}) {
      SCOPED_TRACE(testing::Message() << e << " at x = " << x_d << ", y = " << y_d);
      const Bindings at = {{x, x_d}, {y, y_d}};
      const std::vector<double> reverse = evaluate(gradient(e, xs), at);
      const std::vector<Expr> v = {Expr(0.8), Expr(-1.7)};
      const std::vector<double> second = evaluate(hessian_vector(e, xs, v), at);
      for (std::size_t i = 0; i < 2; ++i) {
        const Expr d = diff(e, xs[i]);
        EXPECT_NEAR(evaluate(d, at), difference_quotient(e, xs[i], at), 1e-9);
        EXPECT_NEAR(reverse[i], evaluate(d, at), 1e-14);
        const Expr along_v = directional_derivative(d, xs, v);
        EXPECT_NEAR(evaluate(along_v, at), second[i], 1e-13);
        EXPECT_NEAR(0.8 * difference_quotient(d, x, at) - 1.7 * difference_quotient(d, y, at),
                    second[i], 1e-8);
      }
    }
  }
}

// Each level contains the previous one in two guarded terms. The number of nodes measures the work.
TEST(Derivative, OfNestedGuardsGrowsNoFasterThanWithTheSquareOfTheirDepth) {
  const Expr x = symbol("x"), y = symbol("y");
  const auto make_nodes = [&](int depth) {
    Expr e = x;
    for (int i = 0; i < depth; ++i) {
      e = max(Expr(Number(depth, 7)), e) + max(Expr(Number(-i, depth)), e * y);
    }
    const std::size_t before = pool_statistics().nodes;
    diff(e, x);
    gradient(e, std::vector{x, y});
    return pool_statistics().nodes - before;
  };
  const std::size_t few = make_nodes(50);
  EXPECT_LT(make_nodes(200), 20 * few);
}

TEST(Gradient, GathersWhatStandsInBothBranches) {
  const Expr x = symbol("x"), y = symbol("y");
  const Expr e = select(x < y, sin(x) * y, cos(x));
  EXPECT_EQ(gradient(e, std::vector{x, y})[0], diff(e, x));
  EXPECT_EQ(gradient(e, std::vector{x, y})[1], select(x < y, sin(x), 0));
}

// Nested functions of everything before: forward derivatives cost as many sweeps as there are
// variables.
TEST(Gradient, CostsASmallMultipleOfTheFunction) {
  std::vector<Expr> xs;
  Expr e = 1;
  for (int i = 0; i < 40; ++i) {
    xs.push_back(symbol("x" + std::to_string(i)));
    e = sin(e * xs.back()) + cos(e + xs.back());
  }
  const auto function = count_shared_operations(e).total();
  EXPECT_LT(count_shared_operations(gradient(e, xs)).total(), 8 * function);
}

TEST(Jacobian, HasAnEntryExactlyWhereARowDependsOnAColumn) {
  const Expr a = symbol("a");
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  const Expr z = symbol("z");
  const std::vector<Expr> es = {a * x * x, sin(y) + z, a, sign(x) * z, x * y * z};
  for (const std::vector<Expr>& xs :
       {std::vector<Expr>{x, y, z}, {z, y, x, symbol("u1"), symbol("u2"), symbol("u3")}}) {
    std::vector<Entry> expected;
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < static_cast<int>(xs.size()); ++j) {
        const Expr value = diff(es[static_cast<std::size_t>(i)], xs[static_cast<std::size_t>(j)]);
        if (!value.is_zero()) {
          expected.push_back({i, j, value});
        }
      }
    }
    const std::vector<Entry> actual = jacobian(es, xs);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t k = 0; k < actual.size(); ++k) {
      EXPECT_EQ(actual[k].row, expected[k].row);
      EXPECT_EQ(actual[k].col, expected[k].col);
      EXPECT_EQ(actual[k].value, expected[k].value);
    }
    EXPECT_EQ(dense_jacobian(es, xs)[4].size(), xs.size());
  }
}

TEST(Hessian, IsTheSecondDerivativeAndTimesAVectorTheSame) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(4000 + seed, {.depth = 3, .smooth = true});
    const Expr e = random();
    const std::vector<Expr>& xs = random.leaves();
    std::vector<Expr> v;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      v.push_back(Expr(random.random().uniform(-1.5, 1.5)));
    }
    const Bindings at = random.point();
    try {
      std::vector<double> expected(xs.size(), 0.0);
      for (std::size_t i = 0; i < xs.size(); ++i) {
        for (std::size_t j = 0; j < xs.size(); ++j) {
          expected[i] += evaluate(diff(diff(e, xs[i]), xs[j]), at) * evaluate(v[j], at);
        }
      }
      std::vector<double> by_matrix(xs.size(), 0.0);
      for (const Entry& h : hessian(e, xs)) {
        by_matrix[static_cast<std::size_t>(h.row)] +=
            evaluate(h.value, at) * evaluate(v[static_cast<std::size_t>(h.col)], at);
      }
      const std::vector<double> direct = evaluate(hessian_vector(e, xs, v), at);
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const double tolerance = 1e-8 * (std::abs(expected[i]) + 1);
        EXPECT_NEAR(by_matrix[i], expected[i], tolerance);
        EXPECT_NEAR(direct[i], expected[i], tolerance);
      }
    } catch (const EvaluationError&) {
      continue;
    }
  }
}

// The partials that went into d(sum of sin(x_i) * y_i)/dx_0: sum -> first product -> sin -> x_0.
// All of the 2000 others are free of x_0.
TEST(Differentiator, ComputesNoPartialThatVanishes) {
  Expr e = 0;
  std::vector<Expr> terms;
  for (int i = 0; i < 1000; ++i) {
    terms.push_back(sin(symbol("x" + std::to_string(i))) * symbol("y" + std::to_string(i)));
  }
  e = sum(terms);
  Differentiator by_x0(symbol("x0"));
  EXPECT_EQ(by_x0(e), cos(symbol("x0")) * symbol("y0"));
  EXPECT_EQ(by_x0.partials_computed(), 3U);
  by_x0(e);
  EXPECT_EQ(by_x0.partials_computed(), 3U) << "the second time everything is known";
  by_x0(symbol("y5") * symbol("y6"));
  EXPECT_EQ(by_x0.partials_computed(), 3U);
}

// [Turner]'s example: omega_3 depends on (omega_1, theta1', theta3'), v_3 on (omega_1, v_1,
// theta1', theta3', l3').
TEST(DependencyLists, ListVariablesAndTheirPlaces) {
  const Expr w1 = symbol("omega_1");
  const Expr v1 = symbol("v_1");
  const Expr t1 = variable("theta1", 1);
  const Expr t3 = variable("theta3", 1);
  const Expr l3 = variable("l3", 1);
  const std::vector<Expr> xs = {w1, v1, t1, variable("theta2", 1), t3, l3};
  const std::vector<Expr> es = {w1 * cos(t1) + t3, v1 + w1 * t1 * t3 + l3};
  const DependencyLists lists(es, xs);
  EXPECT_EQ(lists.theta[0], (std::vector<Expr>{w1, t1, t3}));
  EXPECT_EQ(lists.omega[0], (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(lists.omega[1], (std::vector<int>{0, 1, 2, 4, 5}));
  EXPECT_EQ(lists.users[2], (std::vector<int>{0, 1}));
  EXPECT_TRUE(lists.users[3].empty());
  EXPECT_EQ(lists.entries(), 8U);
}

TEST(Derivative, OfAHundredThousandLevelsNeedsNoMachineStack) {
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  Expr e = 1;
  for (int i = 0; i < 100'000; ++i) {
    e = 1 + x * e;
  }
  EXPECT_NEAR(evaluate(diff(e, x), {{x, 0.5}}), 4.0, 1e-12);  // of the geometric series
  const std::vector<Expr> xs = {x, y};
  EXPECT_NEAR(evaluate(gradient(e, xs)[0], {{x, 0.5}}), 4.0, 1e-12);
}

// k nested functions have a derivative of k factors, a flat product: time and memory grow with k^2.
TEST(Derivative, OfAThousandNestedFunctionsIsAThousandFactors) {
  const Expr x = symbol("x");
  Expr e = x;
  for (int i = 0; i < 1000; ++i) {
    e = sin(e);
  }
  EXPECT_EQ(diff(e, x).factors().size(), 1000U);
}

TEST(Derivative, RefusesWhatIsNoVariable) {
  const Expr x = symbol("x");
  EXPECT_THROW(diff(x, x * x), std::invalid_argument);
  EXPECT_THROW(diff(x, x, -1), std::invalid_argument);
  EXPECT_THROW(diff((x < 1).expr(), x), std::invalid_argument);
  EXPECT_THROW(gradient(x, std::vector<Expr>{x, x}), std::invalid_argument);
  const std::vector<Expr> xs = {x};
  EXPECT_THROW(directional_derivative(x, xs, std::vector<Expr>{}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::symbolic
