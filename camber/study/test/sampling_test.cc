// Random numbers, distributions and plans.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <sstream>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <gtest/gtest.h>

#include "camber/core/process.h"
#include "camber/core/require.h"
#include "camber/study/copula.h"
#include "camber/study/estimators.h"
#include "camber/study/plan.h"
#include "camber/study/portable_math.h"
#include "camber/study/sobol_sequence.h"
#include "camber/study/study_file.h"

namespace camber::study {
namespace {

Study make_study(const std::string& inputs, const std::string& plan, int seed = 7) {
  return parse_study(
      concat("kind = \"study\"\nname = \"t\"\nscenario = \"step-steer.toml\"\nseed = ", seed, "\n",
             inputs, "[plan]\n", plan, "\n"),
      "scenarios/t.toml");
}

std::string uniform_inputs(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += concat("[[input]]\nname = \"x", i, "\"\nkey = \"k", i,
                   "\"\ndistribution = { kind = \"uniform\", low = 0, high = 1 }\n");
  return text;
}

TEST(PortableMath, AgreesWithTheStandardLibrary) {
  for (double x = -700; x < 700; x += 7.3)
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 5e-16) << x;
  for (double z = -8; z <= 8; z += 0.117) {
    const double p = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    EXPECT_NEAR(normal_cdf(z) / p, 1, 1e-13) << z;
  }
  for (const auto& [a, b] : {std::pair(0.7, 3.1), std::pair(12.5, 2.0), std::pair(400.0, 601.0)})
    for (double x = 0.03; x < 1; x += 0.07)
      EXPECT_NEAR(beta_cdf(x, a, b), cdf(boost::math::beta_distribution<>(a, b), x), 1e-12)
          << a << ' ' << x;
  for (const double n : {1.0, 4.0, 30.0, 1000.0})
    EXPECT_NEAR(student_factor(0.95, n), quantile(boost::math::students_t_distribution<>(n), 0.975),
                1e-8);
}

// Quantiles against Boost's, which come from other formulas.
TEST(Distribution, HasTheQuantilesOfBoost) {
  const Study study = make_study(R"(
[[input]]
key = "a"
distribution = { kind = "lognormal", median = 3, sigma_log = 0.4 }
[[input]]
key = "b"
distribution = { kind = "weibull", shape = 1.7, scale = 5 }
[[input]]
key = "c"
distribution = { kind = "exponential", mean = 2.5 }
[[input]]
key = "d"
distribution = { kind = "beta", a = 2.5, b = 4, low = -1, high = 3 }
[[input]]
key = "e"
distribution = { kind = "triangular", low = 1, mode = 2.5, high = 7 }
[[input]]
key = "f"
distribution = { kind = "normal", mean = 10, sigma = 2, low = 8, high = 13 }
)",
                                 "kind = \"random\"\nsamples = 4");
  for (double u = 0.001; u < 1; u += 0.0239) {
    const auto at = [&](int i) {
      return quantile(study.inputs[static_cast<std::size_t>(i)].distribution, u);
    };
    EXPECT_NEAR(at(0), quantile(boost::math::lognormal(std::log(3), 0.4), u), 1e-11);
    EXPECT_NEAR(at(1), quantile(boost::math::weibull(1.7, 5), u), 1e-11);
    EXPECT_NEAR(at(2), quantile(boost::math::exponential(1 / 2.5), u), 1e-11);
    EXPECT_NEAR(at(3), -1 + 4 * quantile(boost::math::beta_distribution<>(2.5, 4), u), 1e-10);
    EXPECT_NEAR(at(4), quantile(boost::math::triangular(1, 2.5, 7), u), 1e-11);
    const boost::math::normal normal(10, 2);
    const double first = cdf(normal, 8), last = cdf(normal, 13);
    EXPECT_NEAR(at(5), quantile(normal, first + u * (last - first)), 1e-10);
  }
}

TEST(Distribution, ChoosesWholeNumbersAndWordsWithTheirWeights) {
  const Study study = make_study(R"(
[[input]]
key = "tire.model"
distribution = { kind = "choice", values = ["tmeasy", "fiala", "brush"], weights = [0.6, 0.3, 0.1] }
[[input]]
key = "gear"
distribution = { kind = "uniform", low = 1, high = 4, integer = true }
)",
                                 "kind = \"random\"\nsamples = 20000");
  const Plan plan(&study);
  std::map<std::string, int> words;
  std::map<double, int> gears;
  for (long k = 0; k < plan.size(); ++k) {
    const Sample sample = plan.sample(k);
    ++words[value_text(study.inputs[0], sample.values[0])];
    ++gears[sample.values[1]];
  }
  EXPECT_NEAR(words["tmeasy"], 12000, 300);
  EXPECT_NEAR(words["fiala"], 6000, 250);
  EXPECT_NEAR(words["brush"], 2000, 180);
  ASSERT_EQ(gears.size(), 4U);
  for (const auto& [gear, count] : gears) EXPECT_NEAR(count, 5000, 250) << gear;
  EXPECT_EQ(assignments_of(study, {1, 3}, 5),
            (std::vector<std::string>{"tire.model=\"fiala\"", "gear=3", "run.seed=5"}));
}

TEST(Copula, GivesTheRankCorrelationThatWasAskedFor) {
  const Study study = make_study(R"(
[[input]]
name = "a"
key = "a"
distribution = { kind = "uniform", low = 0, high = 1 }
[[input]]
name = "b"
key = "b"
distribution = { kind = "exponential", mean = 2 }
[[input]]
name = "c"
key = "c"
distribution = { kind = "normal", mean = 0, sigma = 1 }
[correlation]
"a, b" = 0.6
"b, c" = -0.4
)",
                                 "kind = \"random\"\nsamples = 20000");
  const Plan plan(&study);
  std::vector<double> a, b, c;
  for (long k = 0; k < plan.size(); ++k) {
    const Sample sample = plan.sample(k);
    a.push_back(sample.values[0]), b.push_back(sample.values[1]), c.push_back(sample.values[2]);
  }
  EXPECT_NEAR(rank_correlation(a, b), 0.6, 0.015);
  EXPECT_NEAR(rank_correlation(b, c), -0.4, 0.02);
  EXPECT_NEAR(rank_correlation(a, c), 0, 0.02);
}

// Points of SciPy's qmc.Sobol(d, scramble=False), made by SciPy itself.
TEST(SobolSequence, HasThePointsOfSciPy) {
  constexpr int kDimensions = 40, kPoints = 512;
  const ProcessResult scipy = run_process({"/usr/bin/python3", "-c",
                                           concat("from scipy.stats import qmc\n"
                                                  "for p in qmc.Sobol(",
                                                  kDimensions, ", scramble=False).random(", kPoints,
                                                  "):\n"
                                                  "  print(*[repr(float(x)) for x in p])\n")});
  ASSERT_EQ(scipy.status, 0) << "SciPy (python3-scipy) is needed";
  std::istringstream lines(scipy.output);
  const SobolSequence sequence(kDimensions);
  std::vector<double> u(kDimensions);
  for (int k = 0; k < kPoints; ++k) {
    sequence.point(static_cast<std::uint64_t>(k), u);
    for (int d = 0; d < kDimensions; ++d) {
      double x = -1;
      lines >> x;
      ASSERT_EQ(u[static_cast<std::size_t>(d)], x) << "point " << k << ", dimension " << d;
    }
  }
}

// Scrambling keeps the net: each of the 2^m intervals of each dimension has one of the first 2^m
// points, and each elementary box of the first two dimensions, too.
TEST(SobolSequence, StaysANetWhenItIsScrambled) {
  const SobolSequence sequence(8);
  std::vector<double> u(8);
  for (const std::uint64_t seed : {1ULL, 77ULL, 123456789ULL}) {
    std::vector<std::set<int>> strata(8);
    std::set<std::pair<int, int>> boxes;
    for (std::uint64_t k = 0; k < 256; ++k) {
      sequence.scrambled_point(k, seed, u);
      for (std::size_t d = 0; d < 8; ++d) strata[d].insert(static_cast<int>(u[d] * 256));
      boxes.insert({static_cast<int>(u[0] * 16), static_cast<int>(u[1] * 16)});
    }
    for (const auto& stratum : strata) EXPECT_EQ(stratum.size(), 256U) << "seed " << seed;
    EXPECT_EQ(boxes.size(), 256U) << "seed " << seed;
  }
}

// The error of a smooth integral falls faster than 1 / N with scrambled points, and like N^-1/2 with
// random ones.
TEST(SobolSequence, IntegratesSmoothFunctionsFasterThanRandomPoints) {
  const SobolSequence sequence(4);
  std::vector<double> u(4);
  const auto error = [&](int n) {
    double square = 0;
    for (std::uint64_t seed = 0; seed < 32; ++seed) {
      double sum = 0;
      for (int k = 0; k < n; ++k) {
        sequence.scrambled_point(static_cast<std::uint64_t>(k), seed, u);
        double f = 1;
        for (const double x : u) f *= 1.5 * std::sqrt(x);
        sum += f;
      }
      square += (sum / n - 1) * (sum / n - 1);
    }
    return std::sqrt(square / 32);
  };
  const double slope = std::log2(error(64) / error(4096)) / 6;
  EXPECT_GT(slope, 1.0);
}

TEST(Plan, LatinHypercubeHasOnePointInEachRowAndColumn) {
  const Study study = make_study(uniform_inputs(5), "kind = \"latin\"\nsamples = 100");
  const Plan plan(&study);
  std::vector<std::set<int>> cells(5);
  for (long k = 0; k < 100; ++k) {
    const Sample sample = plan.sample(k);
    for (std::size_t i = 0; i < 5; ++i) cells[i].insert(static_cast<int>(sample.values[i] * 100));
  }
  for (const auto& cell : cells) EXPECT_EQ(cell.size(), 100U);
}

TEST(Plan, GivesASampleThatDependsOnNothingButItsNumber) {
  for (const char* kind : {"random", "latin", "sobol", "saltelli", "morris"}) {
    SCOPED_TRACE(kind);
    const std::string text =
        concat("kind = \"", kind, "\"", kind == std::string("morris") ? "" : "\nsamples = 64");
    const Study study = make_study(uniform_inputs(3), text);
    const Plan first(&study), second(&study);
    for (long k = first.size() - 1; k >= 0; --k)
      EXPECT_EQ(first.sample(k).values,
                second.sample(first.size() - 1 - k).k == first.size() - 1 - k
                    ? second.sample(k).values
                    : std::vector<double>());
    const Study other = make_study(uniform_inputs(3), text, 8);
    EXPECT_NE(Plan(&other).sample(5).values, first.sample(5).values);
  }
}

TEST(Plan, SaltelliRowsShareTheirColumns) {
  const Study study = make_study(uniform_inputs(3), "kind = \"saltelli\"\nsamples = 8");
  const Plan plan(&study);
  ASSERT_EQ(plan.size(), 40);
  for (long j = 0; j < 8; ++j) {
    const auto a = plan.sample(5 * j).values, b = plan.sample(5 * j + 1).values;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto ab = plan.sample(5 * j + 2 + static_cast<long>(i)).values;
      for (std::size_t m = 0; m < 3; ++m) EXPECT_EQ(ab[m], m == i ? b[m] : a[m]);
    }
  }
}

TEST(Plan, GridListFactorialAndStarsHaveTheirCounts) {
  const std::string inputs = R"(
[[input]]
key = "a"
distribution = { kind = "uniform", low = 10, high = 20 }
[[input]]
key = "b"
distribution = { kind = "choice", values = [1, 5] }
[[input]]
key = "c"
distribution = { kind = "normal", mean = 0, sigma = 1 }
)";
  const Study grid = make_study(inputs, "kind = \"grid\"\nlevels = 3");
  EXPECT_EQ(Plan(&grid).size(), 18);
  EXPECT_EQ(Plan(&grid).sample(17).values[0], 20);
  EXPECT_EQ(Plan(&grid).sample(9).values[0], 15);
  const Study list = make_study(inputs, "kind = \"list\"\nrows = [[12, 5, 0.5], [13, 1, -1]]");
  EXPECT_EQ(Plan(&list).sample(0).values, (std::vector<double>{12, 1, 0.5}));
  const Study factorial = make_study(inputs, "kind = \"factorial\"");
  EXPECT_EQ(Plan(&factorial).size(), 8);
  EXPECT_NEAR(Plan(&factorial).sample(4).values[2], 1.6448536269514722, 1e-12);
  const Study one = make_study(inputs, "kind = \"one_at_a_time\"");
  EXPECT_EQ(Plan(&one).size(), 7);
  EXPECT_EQ(Plan(&one).sample(2).values[0], 20);
  const Study stars =
      make_study(uniform_inputs(4), "kind = \"central_composite\"\ncenter_points = 3");
  EXPECT_EQ(Plan(&stars).size(), 16 + 8 + 3);
  // alpha = 2: corners are halfway to the stars.
  EXPECT_EQ(Plan(&stars).sample(0).values, (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(Plan(&stars).sample(17).values, (std::vector<double>{1, 0.5, 0.5, 0.5}));
}

}  // namespace
}  // namespace camber::study
