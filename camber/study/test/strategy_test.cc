// Adaptive plans driven by formulas in place of drives.

#include "camber/study/strategy.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/study/drive_samples.h"
#include "camber/study/study_file.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;

struct Answer {
  double y = 0;
  bool passed = true;
};
using Formula = std::function<Answer(const std::vector<double>&)>;

Study make_study(const std::string& rest) {
  return parse_study("kind = \"study\"\nname = \"t\"\nscenario = \"step-steer.toml\"\n" + rest,
                     "scenarios/t.toml");
}

const StudyFacts kFacts{
    .figures = {{.name = "y", .unit = "m"}}, .curve_names = {}, .curve_units = {}};

/// Runs a strategy to its end; `samples` gets all samples.
Json run_strategy(const Study& study, const Formula& formula,
                  std::vector<Sample>* samples = nullptr) {
  const auto strategy = make_strategy(&study, &kFacts);
  for (int round = 0; round < 10000; ++round) {
    const std::vector<Sample> asked = strategy->next();
    if (asked.empty()) return Json::parse(strategy->to_json());
    std::vector<SampleResult> results;
    for (const Sample& sample : asked) {
      const Answer answer = formula(sample.values);
      results.push_back({.k = static_cast<long>(results.size()),
                         .passed = answer.passed,
                         .values = sample.values,
                         .figures = {answer.y}});
      if (samples != nullptr) samples->push_back(sample);
    }
    strategy->take(results);
  }
  ADD_FAILURE() << "no end";
  return {};
}

// A step at 27.3, from either side.
TEST(LimitStrategy, FindsWhereDrivesNoLongerPass) {
  for (const bool low_passes : {true, false}) {
    for (const int repeats : {1, 3}) {
      const Study study =
          make_study(concat("[[input]]\nname = \"v\"\nkey = \"v\"\ndistribution = { kind = "
                            "\"uniform\", low = 10, high = 50 }\n"
                            "[plan]\nkind = \"limit\"\ninput = \"v\"\ntolerance = 0.01\nrepeats = ",
                            repeats, "\n"));
      const Json found = run_strategy(
          study, [&](const auto& x) { return Answer{.passed = (x[0] < 27.3) == low_passes}; });
      ASSERT_TRUE(found["bracketed"].get<bool>());
      const double passes = found["passes_at"], fails = found["fails_at"];
      EXPECT_LE(std::abs(passes - fails), 0.01);
      EXPECT_LE(std::min(passes, fails), 27.3);
      EXPECT_GE(std::max(passes, fails), 27.3);
      EXPECT_EQ(passes < fails, low_passes);
    }
  }
}

TEST(LimitStrategy, SaysWhereThereIsNoLimit) {
  const Study study = make_study(
      "[[input]]\nname = \"v\"\nkey = \"v\"\ndistribution = { kind = \"uniform\", low = 10, high = "
      "50 }\n"
      "[plan]\nkind = \"limit\"\ninput = \"v\"\ntolerance = 0.01\n");
  EXPECT_FALSE(run_strategy(study, [](const auto&) { return Answer{.passed = true}; })["bracketed"]
                   .get<bool>());
}

// With noise: each value passes with a probability that falls from 1 at 20 to 0 at 30; 60 % of the
// repeats must pass, so the limit is near 24. All values meet the same noise.
TEST(LimitStrategy, CountsRepeatsWithCommonNoise) {
  const Study study = make_study(
      "[[input]]\nname = \"v\"\nkey = \"v\"\ndistribution = { kind = \"uniform\", low = 10, high = "
      "50 }\n"
      "[[input]]\nname = \"n\"\nkey = \"n\"\ndistribution = { kind = \"uniform\", low = 20, high = "
      "30 }\n"
      "[plan]\nkind = \"limit\"\ninput = \"v\"\ntolerance = 0.01\nrepeats = 64\nrequired_rate = "
      "0.6\n");
  std::vector<Sample> samples;
  const Json found = run_strategy(
      study, [](const auto& x) { return Answer{.passed = x[0] < x[1]}; }, &samples);
  EXPECT_NEAR(found["limit"].get<double>(), 24, 0.2);
  for (std::size_t i = 64; i < samples.size(); ++i)
    EXPECT_EQ(samples[i].values[1], samples[i - 64].values[1]);
}

// y = (x - 0.6)^2 + n x with n uniform in [0, 0.4]: the mean is least at x = 0.6 - 0.2 / 2 = 0.5, mean
// plus two sigma at 0.6 - (0.2 + 2 0.4 / sqrt(12)) / 2 = 0.3845.
TEST(OptimizeStrategy, FindsRobustOptimaOfAQuadratic) {
  for (const char* method : {"cma_es", "nelder_mead"}) {
    for (const auto& [robust, optimum] :
         {std::pair("robust = \"mean\"", 0.5),
          std::pair("robust = \"mean_plus_sigma\"\nfactor = 2", 0.3845)}) {
      SCOPED_TRACE(concat(method, ", ", robust));
      const Study study =
          make_study(concat("[[input]]\nname = \"x\"\nkey = \"x\"\nrole = \"design\"\ndistribution "
                            "= { kind = \"uniform\", low = 0, high = 1 }\n"
                            "[[input]]\nname = \"n\"\nkey = \"n\"\nrole = \"noise\"\ndistribution "
                            "= { kind = \"uniform\", low = 0, high = 0.4 }\n"
                            "[plan]\nkind = \"optimize\"\nevaluations = 20000\nrestarts = "
                            "0\nnoise_samples = 128\nmethod = \"",
                            method, "\"\n", robust, "\n[[objective]]\nfigure = \"y\"\n"));
      const Json found = run_strategy(
          study, [](const auto& x) { return Answer{.y = std::pow(x[0] - 0.6, 2) + x[1] * x[0]}; });
      EXPECT_NEAR(found["best"]["x"].get<double>(), optimum, 0.01);
      EXPECT_TRUE(found["feasible"].get<bool>());
    }
  }
}

TEST(OptimizeStrategy, KeepsBoundsOnFigures) {
  const Study study = make_study(
      "[[input]]\nname = \"x\"\nkey = \"x\"\ndistribution = { kind = \"uniform\", low = 0, high = "
      "10 }\n"
      "[plan]\nkind = \"optimize\"\nevaluations = 400\n"
      "[[objective]]\nfigure = \"y\"\ngoal = \"max\"\n[[constraint]]\nfigure = \"y\"\nmax = 4\n");
  const Json found = run_strategy(study, [](const auto& x) { return Answer{.y = x[0] * x[0]}; });
  EXPECT_TRUE(found["feasible"].get<bool>());
  EXPECT_NEAR(found["best"]["x"].get<double>(), 2, 0.01);
}

// P(x > 3 sigma) = 1.350e-3; the same event from below.
TEST(SubsetStrategy, FindsTheTailOfANormalInput) {
  for (const bool is_above : {true, false}) {
    const Study study =
        make_study(concat("seed = 3\n[[input]]\nname = \"x\"\nkey = \"x\"\ndistribution = { kind = "
                          "\"normal\", mean = 5, sigma = 2 }\n"
                          "[plan]\nkind = \"subset\"\nsamples = 4000\n[event]\nfigure = \"y\"\n",
                          is_above ? "above = 11\n" : "below = -1\n"));
    const Json found = run_strategy(study, [](const auto& x) { return Answer{.y = x[0]}; });
    EXPECT_TRUE(found["reached"].get<bool>());
    const double p = found["probability"], variation = found["coefficient_of_variation"];
    EXPECT_NEAR(p / 1.350e-3, 1, 3 * variation);
    EXPECT_LT(variation, 0.2);
  }
}

}  // namespace
}  // namespace camber::study
