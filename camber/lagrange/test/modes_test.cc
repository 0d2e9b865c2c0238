#include "camber/lagrange/modes.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/lagrange/frequency_response.h"
#include "camber/lagrange/root_locus.h"

namespace camber::lagrange {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXd;

MatrixXd random_matrix(int rows, int cols, RandomStream* random) {
  MatrixXd M(rows, cols);
  for (int i = 0; i < M.size(); ++i) M.data()[i] = random->uniform(-1.0, 1.0);
  return M;
}

/// Blocks with known eigenvalues on the diagonal.
MatrixXd block_diagonal(const std::vector<Complex>& upper_half) {
  int n = 0;
  for (const Complex& e : upper_half) n += e.imag() != 0.0 ? 2 : 1;
  MatrixXd M = MatrixXd::Zero(n, n);
  int i = 0;
  for (const Complex& e : upper_half) {
    M(i, i) = e.real();
    if (e.imag() != 0.0) {
      M(i + 1, i + 1) = e.real();
      M(i, i + 1) = e.imag();
      M(i + 1, i) = -e.imag();
      ++i;
    }
    ++i;
  }
  return M;
}

const std::vector<Complex> kEigenvalues = {
    {-81.5, 0.0}, {-5.75, 53.2}, {-4.25, 15.5}, {-0.35, 2.75}, {0.0625, 0.0}};

void expect_eigenvalues(const std::vector<Mode>& modes, double tolerance) {
  ASSERT_EQ(modes.size(), 8U);
  for (const Complex& e : kEigenvalues) {
    const auto nearest = std::min_element(modes.begin(), modes.end(), [&](auto& a, auto& b) {
      return std::abs(a.eigenvalue - e) < std::abs(b.eigenvalue - e);
    });
    EXPECT_NEAR(std::abs(nearest->eigenvalue - e), 0.0, tolerance * std::abs(e)) << e;
  }
}

TEST(Modes, FindsEigenvaluesBehindBadlyScaledEquations) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const MatrixXd left = random_matrix(8, 8, &random) + 3 * MatrixXd::Identity(8, 8);
    const MatrixXd right = random_matrix(8, 8, &random) + 3 * MatrixXd::Identity(8, 8);
    Eigen::VectorXd rows(8), cols(8);  // newtons beside radians
    for (int i = 0; i < 8; ++i) {
      rows[i] = std::pow(10.0, random.uniform(-5.0, 5.0));
      cols[i] = std::pow(10.0, random.uniform(-5.0, 5.0));
    }
    const MatrixXd A = rows.asDiagonal() * left * right * cols.asDiagonal();
    const MatrixXd B =
        rows.asDiagonal() * left * block_diagonal(kEigenvalues) * right * cols.asDiagonal();
    const auto modes = calc_modes(A, B);
    expect_eigenvalues(modes, 1e-9);
    for (const Mode& mode : modes) {
      const Eigen::VectorXcd residual = B * mode.shape - mode.eigenvalue * (A * mode.shape);
      const double size = (B.cwiseAbs() * mode.shape.cwiseAbs()).cwiseQuotient(rows).norm();
      EXPECT_LE(residual.cwiseQuotient(rows.cast<Complex>()).norm(), 1e-10 * size);
    }
    const MatrixXd participation = calc_participation(modes);
    for (int k = 0; k < 8; ++k) EXPECT_NEAR(participation.col(k).sum(), 1.0, 1e-12);
  }
}

// Algebraic variables: w = K x as an equation of its own, and a constraint with its force, which
// makes the pencil one of index three.
TEST(Modes, UsesUpAlgebraicEquations) {
  RandomStream random(11);
  const MatrixXd K = random_matrix(3, 8, &random);
  MatrixXd A = MatrixXd::Zero(11, 11);
  MatrixXd B = MatrixXd::Zero(11, 11);
  A.topLeftCorner(8, 8).setIdentity();
  B.topLeftCorner(8, 8) = block_diagonal(kEigenvalues);
  B.bottomLeftCorner(3, 8) = -K;
  B.bottomRightCorner(3, 3).setIdentity();
  expect_eigenvalues(calc_modes(A, B), 1e-12);
}

TEST(Modes, RemovesAConstraintWithItsForce) {
  // Two masses on springs, tied together: x1'' = -k1 x1 + f, m x2'' = -k2 x2 - f, x1 = x2.
  const double k1 = 37.0, k2 = 5.5, m = 2.75;
  MatrixXd A = MatrixXd::Zero(5, 5);  // x1 x2 v1 v2 f
  MatrixXd B = MatrixXd::Zero(5, 5);
  A(0, 0) = A(1, 1) = A(2, 2) = 1.0;
  A(3, 3) = m;
  B(0, 2) = B(1, 3) = 1.0;
  B(2, 0) = -k1;
  B(2, 4) = 1.0;
  B(3, 1) = -k2;
  B(3, 4) = -1.0;
  B(4, 0) = 1.0;
  B(4, 1) = -1.0;
  const auto modes = calc_modes(A, B);
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(modes[1].eigenvalue.imag(), std::sqrt((k1 + k2) / (1.0 + m)), 1e-12);
  EXPECT_NEAR(std::abs(modes[1].shape[0] - modes[1].shape[1]), 0.0, 1e-12);
}

TEST(Modes, RefusesEquationsThatDetermineNothing) {
  MatrixXd A = MatrixXd::Identity(3, 3);
  MatrixXd B = 2.5 * MatrixXd::Identity(3, 3);
  A.row(1) = A.row(0);
  B.row(1) = B.row(0);
  EXPECT_THROW(calc_modes(A, B), std::domain_error);
  EXPECT_THROW(calc_modes(MatrixXd::Zero(2, 3), B), std::invalid_argument);
}

TEST(Mode, KnowsFrequencyDampingAndTimeConstant) {
  const Mode mode{{-3.0, 4.0}, {}};
  EXPECT_NEAR(mode.frequency(), 4.0 / (2.0 * std::acos(-1.0)), 1e-15);
  EXPECT_NEAR(mode.damping_ratio(), 0.6, 1e-15);
  EXPECT_NEAR(mode.time_constant(), 1.0 / 3.0, 1e-15);
}

// The best of all permutations, found the long way.
TEST(MatchModes, FindsTheCheapestAssignment) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    std::vector<Mode> a(6), b(6);
    for (std::vector<Mode>* modes : {&a, &b}) {
      for (Mode& mode : *modes) {
        mode.eigenvalue = {random.uniform(-9.0, 2.0), random.uniform(-7.0, 7.0)};
      }
    }
    const auto cost = [&](const std::vector<int>& order) {
      double sum = 0.0;
      for (int i = 0; i < 6; ++i) sum += std::abs(a[i].eigenvalue - b[order[i]].eigenvalue);
      return sum;
    };
    std::vector<int> order = {0, 1, 2, 3, 4, 5};
    double best = cost(order);
    while (std::next_permutation(order.begin(), order.end())) best = std::min(best, cost(order));
    EXPECT_NEAR(cost(match_modes(a, b)), best, 1e-12);
  }
}

std::vector<Mode> modes_with(const std::vector<Complex>& eigenvalues) {
  const MatrixXd M = block_diagonal(eigenvalues);
  return calc_modes(MatrixXd::Identity(M.rows(), M.cols()), M);
}

// Two pairs whose frequencies cross while their dampings differ, and a real root that crosses zero
// at 2.75; steps of 0.5 are coarse beside the crossing.
TEST(RootLocus, FollowsModesThroughACrossing) {
  const ModesAt modes_at = [](double p) {
    return modes_with({{-1.5, 4.0 + 3.0 * p}, {p - 7.125, 19.0 - 2.0 * p}, {0.4 * (p - 2.75), 0}});
  };
  std::vector<double> values;
  for (int i = 0; i < 18; ++i) values.push_back(0.25 + 0.5 * i);
  const RootLocus locus = trace_root_locus(modes_at, values);
  for (const auto& branch : locus.branches) {
    const bool is_first = std::abs(branch[0].eigenvalue.real() + 1.5) < 1e-9;
    if (!is_first) continue;
    for (const Mode& mode : branch) EXPECT_NEAR(mode.eigenvalue.real(), -1.5, 1e-9);
  }
  const auto limits = find_stability_limits(modes_at, locus);
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_NEAR(limits[0].parameter, 2.75, 1e-12);
  EXPECT_FALSE(limits[0].mode.is_oscillatory());
  EXPECT_NEAR(limits[1].parameter, 7.125, 1e-12);
  EXPECT_NEAR(limits[1].mode.eigenvalue.imag(), 19.0 - 2.0 * 7.125, 1e-9);
  EXPECT_FALSE(limits[1].becomes_stable);
}

TEST(RootLocus, SeesNoLimitInARootThatIsAlwaysZero) {
  const ModesAt modes_at = [](double p) {
    MatrixXd B = MatrixXd::Zero(3, 3);  // position, velocity, and a decay
    B(0, 1) = 1.0;
    B(1, 1) = -p;
    B(2, 2) = -3.5;
    B(1, 2) = 0.75;
    return calc_modes(MatrixXd::Identity(3, 3), B);
  };
  const RootLocus locus = trace_root_locus(modes_at, {0.5, 1.5, 2.5, 3.0});
  EXPECT_TRUE(find_stability_limits(modes_at, locus).empty());
}

TEST(RootLocus, SeesNoLimitInAnUndampedOscillation) {
  const ModesAt modes_at = [](double k) {
    const MatrixXd A = (MatrixXd(2, 2) << 1, 0, 0, 2.3).finished();
    const MatrixXd B = (MatrixXd(2, 2) << 0, 1, -k, 0).finished();
    return calc_modes(A, B);
  };
  std::vector<double> values;
  for (int i = 0; i < 33; ++i) values.push_back(1.7 * std::pow(1.13, i));
  const RootLocus locus = trace_root_locus(modes_at, values);
  EXPECT_TRUE(find_stability_limits(modes_at, locus).empty());
  const auto modes = modes_at(7.1);
  EXPECT_EQ(classify(modes[0], modes), Stability::kNeutral);
}

/// Limits of x'' + G x' + K x = 0 between two values, found in so many steps.
template <class Make>
std::vector<StabilityLimit> limits_of(const Make& make, double from, double to, int steps) {
  const ModesAt modes_at = [&](double p) {
    const auto [G, K] = make(p);
    const int n = static_cast<int>(K.rows());
    MatrixXd B = MatrixXd::Zero(2 * n, 2 * n);
    B.topRightCorner(n, n).setIdentity();
    B.bottomLeftCorner(n, n) = -K;
    B.bottomRightCorner(n, n) = -G;
    return calc_modes(MatrixXd::Identity(2 * n, 2 * n), B);
  };
  std::vector<double> values;
  for (int i = 0; i <= steps; ++i) values.push_back(from + (to - from) * i / steps);
  return find_stability_limits(modes_at, trace_root_locus(modes_at, values));
}

// Conservative and gyroscopic systems are never more than neutral: a limit is where two modes meet
// on the imaginary axis. The sign of a real part that is rounding alone was once taken for growth.
TEST(StabilityLimits, OfConservativeSystemsDoNotDependOnTheStep) {
  // Two springs in general directions; one of them becomes soft: det K = 0 at p = 1.7^2/2.3.
  const auto buckles = [](double p) {
    return std::pair<MatrixXd, MatrixXd>(MatrixXd::Zero(2, 2),
                                         (MatrixXd(2, 2) << 2.3, 1.7, 1.7, p).finished());
  };
  for (const int steps : {1, 3, 7, 29, 58, 290}) {
    const auto limits = limits_of(buckles, 0.1, 5.3, steps);
    ASSERT_EQ(limits.size(), 1U) << steps;
    EXPECT_NEAR(limits[0].parameter, 1.7 * 1.7 / 2.3, 1e-9) << steps;
    EXPECT_TRUE(limits[0].becomes_stable);
    EXPECT_TRUE(limits[0].is_neutral_beyond);
    EXPECT_FALSE(limits[0].is_undecided);
  }
}

// A top: x'' - g y' - a x = 0, y'' + g x' - b y = 0, unstable without spin. The biquadratic
// s^4 + (g^2 - a - b) s^2 + a b has imaginary roots for g > sqrt(a) + sqrt(b) [Chetayev 1961].
TEST(StabilityLimits, OfAGyroscopeAreWhereItsTwoModesMeet) {
  const double a = 1.9, b = 3.1;
  const auto top = [&](double g) {
    return std::pair<MatrixXd, MatrixXd>((MatrixXd(2, 2) << 0, -g, g, 0).finished(),
                                         (MatrixXd(2, 2) << -a, 0, 0, -b).finished());
  };
  for (const int steps : {1, 4, 15, 100, 411}) {
    const auto limits = limits_of(top, 0.2, 6.0, steps);
    ASSERT_EQ(limits.size(), 1U) << steps;
    EXPECT_NEAR(limits[0].parameter, std::sqrt(a) + std::sqrt(b), 1e-9) << steps;
    EXPECT_TRUE(limits[0].is_neutral_beyond);
    EXPECT_NEAR(limits[0].mode.eigenvalue.imag(), std::pow(a * b, 0.25), 1e-4);
  }
}

// Growth between 1.31 and 1.34 alone, which steps of 0.5 stride over.
TEST(StabilityLimits, AreFoundBetweenTheValuesOfASweep) {
  const auto narrow = [](double p) {
    return std::pair<MatrixXd, MatrixXd>((MatrixXd(1, 1) << (p - 1.31) * (p - 1.34)).finished(),
                                         (MatrixXd(1, 1) << 5.3).finished());
  };
  for (const int steps : {1, 8, 9}) {
    const auto limits = limits_of(narrow, 0.0, 4.0, steps);
    ASSERT_EQ(limits.size(), 2U) << steps;
    EXPECT_NEAR(limits[0].parameter, 1.31, 1e-12);
    EXPECT_FALSE(limits[0].becomes_stable);
    EXPECT_NEAR(limits[1].parameter, 1.34, 1e-12);
    EXPECT_TRUE(limits[1].becomes_stable);
    EXPECT_FALSE(limits[1].is_neutral_beyond);
  }
}

// m z'' + c z' + k z = u, y = z' and z + u.
TEST(FrequencyResponse, IsThatOfADampedOscillator) {
  const double m = 2.5, c = 1.75, k = 41.0;
  NumericStateSpace s;
  s.E = (MatrixXd(2, 2) << 1, 0, 0, m).finished();
  s.A = (MatrixXd(2, 2) << 0, 1, -k, -c).finished();
  s.B = (MatrixXd(2, 1) << 0, 1).finished();
  s.C = (MatrixXd(2, 2) << 0, 1, 1, 0).finished();
  s.D = (MatrixXd(2, 1) << 0, 1).finished();
  const std::vector<double> frequencies = log_spaced(0.05, 30.0, 25);
  EXPECT_EQ(frequencies.size(), 25U);
  for (const auto& response : calc_frequency_response(s, 0, frequencies)) {
    const Complex i_w(0.0, 2.0 * std::acos(-1.0) * response.frequency);
    const Complex z = 1.0 / (m * i_w * i_w + c * i_w + k);
    EXPECT_NEAR(std::abs(response.states[0] - z), 0.0, 1e-14 * std::abs(z) + 1e-18);
    EXPECT_NEAR(std::abs(response.outputs[0] - i_w * z), 0.0, 1e-13 * std::abs(i_w * z));
    EXPECT_NEAR(std::abs(response.outputs[1] - z - 1.0), 0.0, 1e-14);
  }
  EXPECT_THROW(calc_frequency_response(s, 1, {2.0}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::lagrange
