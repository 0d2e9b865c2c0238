// Estimators against closed forms, other programs and their own promises.

#include "camber/study/estimators.h"

#include <cmath>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "camber/core/process.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/study/plan.h"
#include "camber/study/portable_math.h"
#include "camber/study/rounded_text.h"
#include "camber/study/study_file.h"

namespace camber::study {
namespace {

// Wilson's interval of 81 of 263: 0.2553 to 0.3662 [Newcombe 1998, Stat. Med. 17, Table I, method 3]; 15 of 148: 0.0624
// to 0.1605; 0 of 20: 0 to 0.1611.
TEST(Wilson, HasTheIntervalsOfNewcombe) {
  const Estimate a = wilson(81, 263, 0.95), b = wilson(15, 148, 0.95), c = wilson(0, 20, 0.95);
  EXPECT_NEAR(a.low, 0.2553, 5e-5);
  EXPECT_NEAR(a.high, 0.3662, 5e-5);
  EXPECT_NEAR(b.low, 0.0624, 5e-5);
  EXPECT_NEAR(b.high, 0.1605, 5e-5);
  EXPECT_NEAR(c.low, 0, 1e-12);
  EXPECT_NEAR(c.high, 0.1611, 5e-5);
}

// 1,000 repeats, seed 11: an interval of 95 % misses about 50 times; more than 80 or, for intervals
// that are not conservative, fewer than 25 would be an error.
TEST(Intervals, HoldTheTruthAsOftenAsTheyPromise) {
  int rate = 0, mean = 0, quantile = 0, band = 0;
  for (std::uint64_t repeat = 0; repeat < 1000; ++repeat) {
    RandomStream stream = RandomStream(11).substream("repeat", repeat);
    std::vector<double> x;
    long hits = 0;
    for (int i = 0; i < 100; ++i) {
      x.push_back(stream.normal(3, 2));
      hits += stream.uniform() < 0.3 ? 1 : 0;
    }
    const auto misses = [](const Estimate& e, double truth) {
      return truth < e.low || truth > e.high;
    };
    rate += misses(wilson(hits, 100, 0.95), 0.3);
    mean += misses(mean_of(x, 0.95), 3);
    std::ranges::sort(x);
    quantile += misses(quantile_of(x, 0.9, 0.95), 3 + 2 * 1.2815515655446004);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double p = normal_cdf((x[i] - 3) / 2);
      worst = std::max({worst, std::abs(static_cast<double>(i + 1) / 100 - p),
                        std::abs(static_cast<double>(i) / 100 - p)});
    }
    band += worst > ecdf_band(100, 0.95);
  }
  EXPECT_GT(rate, 25);
  EXPECT_LT(rate, 80);
  EXPECT_GT(mean, 25);
  EXPECT_LT(mean, 80);
  EXPECT_GT(quantile, 10);  // steps of the binomial make it conservative
  EXPECT_LT(quantile, 65);
  EXPECT_GT(band, 10);
  EXPECT_LT(band, 65);
}

// Sets of order statistics from the binomial distribution, counted by hand: n = 100, p = 0.9 has
// P(B <= 83) = 0.0206 and P(B <= 94) = 0.9424, P(B <= 95) = 0.9763.
TEST(QuantileInterval, IsBetweenTheRightOrderStatistics) {
  std::vector<double> x;
  for (int i = 1; i <= 100; ++i) x.push_back(i);
  const Estimate e = quantile_of(x, 0.9, 0.95);
  EXPECT_EQ(e.low, 84);
  EXPECT_EQ(e.high, 96);
  EXPECT_NEAR(binomial_cdf(83, 100, 0.9), 0.02060, 1e-5);
  EXPECT_NEAR(binomial_cdf(95, 100, 0.9), 0.97629, 1e-5);
  EXPECT_TRUE(std::isinf(quantile_of(std::span(x).first(5), 0.99, 0.95).high));
}

// [Ishigami & Homma 1990] f = sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 on [-pi, pi]^3. First-order indices
// 0.3139, 0.4424, 0; total 0.5576, 0.4424, 0.2437, from the closed form.
TEST(SobolIndices, AreThoseOfIshigami) {
  std::string text = "kind = \"study\"\nname = \"t\"\nscenario = \"step-steer.toml\"\nseed = 3\n";
  for (int i = 0; i < 3; ++i)
    text += concat("[[input]]\nname = \"x", i, "\"\nkey = \"k", i,
                   "\"\ndistribution = { kind = \"uniform\", low = ", -std::numbers::pi,
                   ", high = ", std::numbers::pi, " }\n");
  const Study study =
      parse_study(text + "[plan]\nkind = \"saltelli\"\nsamples = 4096\n", "scenarios/t.toml");
  const Plan plan(&study);
  const auto f = [](const std::vector<double>& x) {
    return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) +
           0.1 * std::pow(x[2], 4) * std::sin(x[0]);
  };
  std::vector<double> a, b;
  std::vector<std::vector<double>> ab(3);
  for (long j = 0; j < 4096; ++j) {
    a.push_back(f(plan.sample(5 * j).values));
    b.push_back(f(plan.sample(5 * j + 1).values));
    for (long i = 0; i < 3; ++i)
      ab[static_cast<std::size_t>(i)].push_back(f(plan.sample(5 * j + 2 + i).values));
  }
  const std::vector<SobolIndices> s = sobol_indices(a, b, ab, 0.95, 1);
  const double first[] = {0.3139, 0.4424, 0}, total[] = {0.5576, 0.4424, 0.2437};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(s[i].first.value, first[i], 0.01) << i;
    EXPECT_NEAR(s[i].total.value, total[i], 0.01) << i;
    EXPECT_LT(s[i].first.low, first[i] + 0.005);
    EXPECT_GT(s[i].first.high, first[i] - 0.005);
    EXPECT_LT(s[i].total.low, total[i]);
    EXPECT_GT(s[i].total.high, total[i]);
  }
}

// [Morris 1991] section 5: 20 inputs in [0, 1], w = 2 (x - 1/2) but for inputs 3, 5, 7: 2 (1.1 x /
// (x + 0.1) - 1/2). beta_i = 20 for the first 10, beta_ij = -15 for the first 6, beta_ijl = -10 for the
// first 5, beta_ijls = 5 for the first 4; the others here are 0 instead of random. The first 10 matter, and
// inputs 8, 9, 10 alone act in a straight line: mu* = 40, sigma = 0.
TEST(Morris, FindsWhatMorrisFound) {
  std::string text = "kind = \"study\"\nname = \"t\"\nscenario = \"step-steer.toml\"\nseed = 5\n";
  for (int i = 0; i < 20; ++i)
    text += concat("[[input]]\nname = \"x", i + 1, "\"\nkey = \"k", i,
                   "\"\ndistribution = { kind = \"uniform\", low = 0, high = 1 }\n");
  const Study study =
      parse_study(text + "[plan]\nkind = \"morris\"\ntrajectories = 40\n", "scenarios/t.toml");
  const Plan plan(&study);
  const auto f = [](const std::vector<double>& x) {
    std::vector<double> w;
    for (std::size_t i = 0; i < 20; ++i)
      w.push_back(i == 2 || i == 4 || i == 6 ? 2 * (1.1 * x[i] / (x[i] + 0.1) - 0.5)
                                             : 2 * (x[i] - 0.5));
    double y = 0;
    for (std::size_t i = 0; i < 10; ++i) y += 20 * w[i];
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = i + 1; j < 6; ++j) y -= 15 * w[i] * w[j];
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = i + 1; j < 5; ++j)
        for (std::size_t l = j + 1; l < 5; ++l) y -= 10 * w[i] * w[j] * w[l];
    return y + 5 * w[0] * w[1] * w[2] * w[3];
  };
  std::vector<std::vector<double>> effects(20);
  for (long k = 0; k < plan.size(); ++k) {
    const MorrisMove move = morris_move(study, k);
    if (move.input < 0) continue;
    const double change = f(plan.sample(k).values) - f(plan.sample(k - 1).values);
    effects[static_cast<std::size_t>(move.input)].push_back(change / move.change);
  }
  for (std::size_t i = 0; i < 20; ++i) {
    ASSERT_EQ(effects[i].size(), 40U);
    const MorrisMeasures m = morris_measures(effects[i], 0.95, 1);
    if (i < 10) {
      EXPECT_GT(m.mean_size.value, 20) << i;
    } else {
      EXPECT_EQ(m.mean_size.value, 0) << i;
    }
    if (i == 7 || i == 8 || i == 9) {
      EXPECT_NEAR(m.mean_size.value, 40, 1e-9);
      EXPECT_NEAR(m.sigma, 0, 1e-9);
    }
    if (i < 6) {
      EXPECT_GT(m.sigma, 15) << i;
    }
  }
}

TEST(RankCorrelation, IsThatOfSciPy) {
  std::vector<double> x, y;
  RandomStream stream(4);
  std::string lists[2];
  for (int i = 0; i < 60; ++i) {
    x.push_back(std::floor(20 * stream.uniform()));  // with ties
    y.push_back(x.back() + 8 * stream.normal());
    lists[0] += concat(x.back(), ",");
    lists[1] += concat(y.back(), ",");
  }
  const ProcessResult scipy =
      run_process({"/usr/bin/python3", "-c",
                   concat("from scipy.stats import spearmanr\nprint(repr(float(spearmanr([",
                          lists[0], "], [", lists[1], "])[0])))")});
  ASSERT_EQ(scipy.status, 0) << "SciPy (python3-scipy) is needed";
  EXPECT_NEAR(rank_correlation(x, y), std::stod(scipy.output), 1e-12);
}

TEST(LeastSquares, FindsTheCoefficientsOfAPlane) {
  const std::vector<double> x = {1, 0.3, 2, 1, -1, 0.7, 1, 2.2, -0.4, 1, 1.1, 1.9};
  std::vector<double> y;
  for (std::size_t i = 0; i < 4; ++i) y.push_back(3 - 1.5 * x[3 * i + 1] + 0.25 * x[3 * i + 2]);
  const std::vector<double> b = least_squares(x, y, 3);
  EXPECT_NEAR(b[0], 3, 1e-12);
  EXPECT_NEAR(b[1], -1.5, 1e-12);
  EXPECT_NEAR(b[2], 0.25, 1e-12);
}

TEST(Histogram, CountsEverything) {
  std::vector<double> x;
  RandomStream stream(9);
  for (int i = 0; i < 777; ++i) x.push_back(stream.normal(5, 2));
  std::ranges::sort(x);
  const Histogram h = make_histogram(x);
  long sum = 0;
  for (const long count : h.counts) sum += count;
  EXPECT_EQ(sum, 777);
  EXPECT_GE(h.counts.size(), 5U);
  EXPECT_LE(h.counts.size(), 60U);
  EXPECT_LE(h.first, x.front());
  EXPECT_GE(h.first + h.width * static_cast<double>(h.counts.size()), x.back());
  EXPECT_EQ(make_histogram(std::vector<double>(5, 2.0)).counts.front(), 5);
}

TEST(RoundedText, HasNoExponentsThatAreHardToRead) {
  EXPECT_EQ(rounded_text(1923.4, 3), "1920");
  EXPECT_EQ(rounded_text(-167071.2, 4), "-167100");
  EXPECT_EQ(rounded_text(999.7, 3), "1000");
  EXPECT_EQ(rounded_text(0.04837, 3), "0.0484");
  EXPECT_EQ(rounded_text(2.5e-7, 3), "2.5e-7");
  EXPECT_EQ(rounded_text(1.234e9, 3), "1.23e9");
  EXPECT_EQ(rounded_text(0, 3), "0");
  EXPECT_EQ(rounded_text(-HUGE_VAL, 3), "-inf");
}

}  // namespace
}  // namespace camber::study
