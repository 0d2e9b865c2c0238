// Stability conditions against eigenvalues, and against limits in closed form.

#include "camber/lagrange/stability_conditions.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/dense.h"
#include "camber/symbolic/evaluate.h"

namespace camber::lagrange {
namespace {

StateSpace make_space(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  StateSpace space;
  const auto n = A.rows();
  space.E = symbolic::MatrixX::Zero(n, n);
  space.A = symbolic::MatrixX::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    space.states.push_back(symbolic::variable("x" + std::to_string(i)));
    for (Eigen::Index j = 0; j < n; ++j) {
      space.E(i, j) = Expr(A(i, j));
      space.A(i, j) = Expr(B(i, j));
    }
  }
  return space;
}

bool holds(const StabilityConditions& found) {
  for (const auto& condition : found.conditions)
    if (!(symbolic::evaluate(condition.value, {}) > 0)) return false;
  return true;
}

/// Entries of halves, so that determinants are exact.
Eigen::MatrixXd random_matrix(int n, RandomStream* random) {
  Eigen::MatrixXd M(n, n);
  for (double& x : M.reshaped()) x = 0.5 * static_cast<double>(random->integer(-6, 6));
  return M;
}

// The eigenvalues share no code with the determinants.
TEST(StabilityConditions, AgreeWithEigenvaluesOfRandomSystems) {
  int stable = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int n = static_cast<int>(random.integer(1, 5));
    const Eigen::MatrixXd B =
        random_matrix(n, &random) - 3.0 * Eigen::MatrixXd::Identity(n, n) * (seed % 2);
    const auto values = math::calc_eigen(B).values;
    double largest = -1e300, margin = 1e300;
    for (const auto& s : values) {
      largest = std::max(largest, s.real());
      margin = std::min(margin, std::abs(s.real()));
    }
    if (margin < 1e-6) continue;  // on the limit
    const StabilityConditions found =
        find_stability_conditions(make_space(Eigen::MatrixXd::Identity(n, n), B), {});
    if (found.is_even) continue;
    EXPECT_EQ(holds(found), largest < 0);
    stable += largest < 0 ? 1 : 0;
  }
  EXPECT_GT(stable, 30);
}

// M q'' + G q' + K q = 0 with G skew: only even powers; neutral where all s are imaginary.
TEST(StabilityConditions, OfGyroscopicSystemsAreThoseOfImaginaryRoots) {
  int stable = 0, unstable = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int n = static_cast<int>(random.integer(1, 3));
    Eigen::MatrixXd K = random_matrix(n, &random), G = random_matrix(n, &random);
    K = (K + K.transpose()).eval() + 4.0 * Eigen::MatrixXd::Identity(n, n);
    G = (G - G.transpose()).eval();
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    B.topRightCorner(n, n).setIdentity();
    B.bottomLeftCorner(n, n) = -K;
    B.bottomRightCorner(n, n) = -G;
    double largest = 0;
    bool is_clear = true;
    const auto values = math::calc_eigen(B).values;
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      largest = std::max(largest, std::abs(values[i].real()));
      for (Eigen::Index j = 0; j < i; ++j)
        is_clear = is_clear && std::abs(values[i] - values[j]) > 1e-4;
      is_clear = is_clear && std::abs(values[i]) > 1e-4;
    }
    if (!is_clear || (largest > 1e-6 && largest < 1e-3)) continue;
    const StabilityConditions found =
        find_stability_conditions(make_space(Eigen::MatrixXd::Identity(2 * n, 2 * n), B), {});
    EXPECT_TRUE(found.is_even);
    EXPECT_EQ(holds(found), largest < 1e-6);
    ++(largest < 1e-6 ? stable : unstable);
  }
  EXPECT_GT(stable, 20);
  EXPECT_GT(unstable, 20);
}

// [Neimark and Fufaev 1972], chapter II: a disc with A = m R^2/4, C = m R^2/2 rolls upright above
// V^2 = g R/3, a hoop with twice both above g R/4.
TEST(StabilityConditions, GiveTheRollingDiscsSpeedInClosedForm) {
  const LagrangianModel model = load_lagrangian("models/rolling-disc.toml");
  const Equations equations = derive(model.system);
  const StateSpace space =
      make_state_space(make_linear_model(model.system, equations, model.linearization));
  const StabilityConditions found =
      find_stability_conditions(space, parameter_values(model.system));
  EXPECT_TRUE(found.is_even);
  const auto limits = solve_limits(found, symbolic::symbol("V"));
  ASSERT_FALSE(limits.empty());
  const double g = 9.81, m = 0.8, R = 0.21;
  for (const double factor : {1.0, 2.0}) {
    const symbolic::Bindings values = {{symbolic::symbol("g"), g},
                                       {symbolic::symbol("m"), m},
                                       {symbolic::symbol("R"), R},
                                       {symbolic::symbol("A"), factor * m * R * R / 4},
                                       {symbolic::symbol("C"), factor * m * R * R / 2}};
    EXPECT_NEAR(symbolic::evaluate(limits[0].value, values),
                std::sqrt(g * R / (factor == 1 ? 3 : 4)), 1e-12);
  }
}

TEST(StabilityConditions, RefusesLargeSystemsAndUnknownParameters) {
  const auto message_of = [](const auto& action) {
    try {
      action();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(9, 9);
  EXPECT_NE(message_of([&] {
              find_stability_conditions(make_space(I, I), {});
            }).find("9 states, expected at most 8"),
            std::string::npos);
  const LagrangianModel model = load_lagrangian("models/rolling-disc.toml");
  EXPECT_NE(message_of([&] {
              describe_stability(model, derive(model.system), "v");
            }).find("did you mean \"V\"?"),
            std::string::npos);
}

}  // namespace
}  // namespace camber::lagrange
