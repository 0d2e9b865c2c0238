// Optimizers and subset simulation on functions whose answers are known.

#include <cmath>
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/types.h"
#include "camber/study/cma_es.h"
#include "camber/study/portable_math.h"
#include "camber/study/subset_simulation.h"

namespace camber::study {
namespace {

using Function = std::function<Fitness(const std::vector<double>&)>;

struct Found {
  std::vector<double> x;
  Fitness fitness{1e300, 1e300};
  long evaluations = 0;
};

Found minimize(Optimizer* optimizer, const Function& f, long most, double goal = -1e300) {
  Found found;
  while (found.evaluations < most) {
    const auto points = optimizer->ask();
    if (points.empty()) break;
    std::vector<Fitness> fitness;
    for (const auto& x : points) {
      fitness.push_back(f(x));
      if (fitness.back() < found.fitness) found.x = x, found.fitness = fitness.back();
    }
    found.evaluations += static_cast<long>(points.size());
    if (found.fitness.violation == 0 && found.fitness.value < goal) break;
    optimizer->tell(fitness);
  }
  return found;
}

double rosenbrock(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
  return sum;
}

// [Hansen 2016]'s code needs about 5,000 evaluations for Rosenbrock's function in 8 dimensions down to
// 1e-9 from a start at 0 with sigma 0.1; twice that is the bound.
TEST(CmaEs, FindsTheValleyOfRosenbrock) {
  for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL}) {
    const auto cma = make_cma_es(8, {.sigma = 0.1,
                                     .restarts = 3,
                                     .tolerance_x = 1e-12,
                                     .tolerance_value = 1e-14,
                                     .seed = seed,
                                     .is_bounded = false,
                                     .start = std::vector<double>(8, 0.0)});
    const Found found = minimize(
        cma.get(),
        [](const auto& x) {
          return Fitness{0, rosenbrock(x)};
        },
        60000, 1e-9);
    EXPECT_LT(found.fitness.value, 1e-9) << "seed " << seed << ", " << found.evaluations;
    EXPECT_LT(found.evaluations, 30000) << "seed " << seed;
    for (const double x : found.x) EXPECT_NEAR(x, 1, 1e-3);
  }
}

// A long, thin ellipsoid, a million to one, in a general direction: as easy as one along the axes, as
// CMA-ES does not depend on the direction of its axes.
TEST(CmaEs, DoesNotCareAboutTheDirectionOfAnEllipsoid) {
  constexpr int kN = 6;
  RandomStream stream(17);
  Eigen::MatrixXd A(kN, kN);
  for (int i = 0; i < kN; ++i)
    for (int j = 0; j < kN; ++j) A(i, j) = stream.normal();
  const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(A).householderQ();
  const auto f = [&](bool is_rotated) {
    return [&, is_rotated](const std::vector<double>& x) {
      Eigen::VectorXd v(kN);
      for (int i = 0; i < kN; ++i) v[i] = x[static_cast<std::size_t>(i)] - 0.37;
      if (is_rotated) v = Q * v;
      double sum = 0;
      for (int i = 0; i < kN; ++i) sum += std::pow(10, 6.0 * i / (kN - 1)) * v[i] * v[i];
      return Fitness{0, sum};
    };
  };
  double evaluations[2] = {0, 0};
  for (int rotated = 0; rotated < 2; ++rotated) {
    for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL, 4ULL}) {
      const auto cma = make_cma_es(kN, {.restarts = 0, .tolerance_x = 1e-13, .seed = seed});
      const Found found = minimize(cma.get(), f(rotated == 1), 20000, 1e-10);
      EXPECT_LT(found.fitness.value, 1e-10);
      evaluations[rotated] += static_cast<double>(found.evaluations);
    }
  }
  EXPECT_NEAR(evaluations[1] / evaluations[0], 1, 0.35);
}

// min x + y with x^2 + y^2 <= 0.25 around the box's middle: at the circle, 225 degrees. The minimum of
// the second problem is on the wall of the box.
TEST(CmaEs, KeepsConstraintsAndBounds) {
  const auto cma = make_cma_es(2, {.restarts = 1, .tolerance_x = 1e-9, .tolerance_value = 1e-12});
  const Found found = minimize(
      cma.get(),
      [](const std::vector<double>& x) {
        const double r2 = std::pow(x[0] - 0.5, 2) + std::pow(x[1] - 0.5, 2);
        return Fitness{std::max(0.0, r2 - 0.04), x[0] + x[1]};
      },
      20000);
  EXPECT_EQ(found.fitness.violation, 0);
  EXPECT_NEAR(found.x[0], 0.5 - 0.2 / std::numbers::sqrt2, 1e-3);
  EXPECT_NEAR(found.x[1], 0.5 - 0.2 / std::numbers::sqrt2, 1e-3);
  const auto wall = make_cma_es(3, {.restarts = 0});
  const Found at = minimize(
      wall.get(),
      [](const std::vector<double>& x) {
        return Fitness{0,
                       std::pow(x[0] + 0.3, 2) + std::pow(x[1] - 0.2, 2) + std::pow(x[2] - 1.4, 2)};
      },
      20000);
  EXPECT_NEAR(at.x[0], 0, 1e-3);
  EXPECT_NEAR(at.x[1], 0.2, 1e-3);
  EXPECT_NEAR(at.x[2], 1, 1e-3);
}

TEST(NelderMead, FindsTheValleyOfRosenbrockInTwoDimensions) {
  const auto simplex = make_nelder_mead(
      2, {.size = 0.5, .tolerance_x = 1e-8, .is_bounded = false, .start = {-1.2, 1}});
  const Found found = minimize(
      simplex.get(),
      [](const auto& x) {
        return Fitness{0, rosenbrock(x)};
      },
      5000);
  EXPECT_NEAR(found.x[0], 1, 1e-5);
  EXPECT_NEAR(found.x[1], 1, 1e-5);
  const auto boxed = make_nelder_mead(3, {.tolerance_x = 1e-7});
  const Found at = minimize(
      boxed.get(),
      [](const std::vector<double>& x) {
        return Fitness{
            0, std::pow(x[0] - 0.3, 2) + 2 * std::pow(x[1] - 0.9, 2) + std::pow(x[2] - 0.1, 2)};
      },
      5000);
  EXPECT_NEAR(at.x[0], 0.3, 1e-4);
  EXPECT_NEAR(at.x[1], 0.9, 1e-4);
  EXPECT_NEAR(at.x[2], 0.1, 1e-4);
}

// y = (z1 + ... + zn) / sqrt(n) is standard normal: P(y >= 4.5) = 3.40e-6 whatever n is. 20 repeats,
// seeds 1 to 20: the mean is within three standard errors, and the coefficient of variation that each
// run tells is about the spread that they have.
TEST(SubsetSimulation, FindsTheProbabilityOfALinearLimitState) {
  constexpr int kN = 10, kRepeats = 20;
  const double exact = normal_cdf(-4.5);
  EXPECT_NEAR(exact, 3.40e-6, 0.005e-6);
  double sum = 0, square = 0, told = 0;
  for (std::uint64_t seed = 1; seed <= kRepeats; ++seed) {
    SubsetSimulation simulation({.dimensions = kN, .samples = 2000, .bound = 4.5, .seed = seed});
    while (true) {
      const auto points = simulation.ask();
      if (points.empty()) break;
      std::vector<double> y;
      for (const auto& z : points) {
        double total = 0;
        for (const double x : z) total += x;
        y.push_back(total / std::sqrt(static_cast<double>(kN)));
      }
      simulation.tell(y);
    }
    ASSERT_TRUE(simulation.is_reached());
    const double ratio = simulation.probability() / exact;
    sum += ratio;
    square += ratio * ratio;
    told += simulation.variation() / kRepeats;
  }
  const double mean = sum / kRepeats, spread = std::sqrt(square / kRepeats - mean * mean);
  EXPECT_NEAR(mean, 1, 3 * spread / std::sqrt(kRepeats));
  EXPECT_LT(spread, 0.45);
  EXPECT_GT(told, 0.5 * spread);
  EXPECT_LT(told, 2 * spread);
}

TEST(SubsetSimulation, EndsWhereTheEventCannotHappen) {
  SubsetSimulation simulation({.dimensions = 2, .samples = 200, .max_levels = 4, .bound = 3});
  while (true) {
    const auto points = simulation.ask();
    if (points.empty()) break;
    std::vector<double> y;
    for (const auto& z : points) y.push_back(std::tanh(z[0]));  // never above 1
    simulation.tell(y);
  }
  EXPECT_TRUE(simulation.is_done());
  EXPECT_FALSE(simulation.is_reached());
  EXPECT_LT(simulation.probability(), 1e-3);
}

}  // namespace
}  // namespace camber::study
