#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/study/cma_es.h"
#include "camber/study/drive_samples.h"
#include "camber/study/plan.h"
#include "camber/study/strategies.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;
using internal::find_figure;
using internal::json_number;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMissing = 1e6;  // violation by a drive that does not have the figure

/// One drive against objectives and constraints.
Fitness judge(const Study& study, const StudyFacts& facts, const SampleResult& result) {
  Fitness fitness;
  if (!result.is_answer()) return {.violation = kMissing, .value = kInfinity};
  for (const Objective& objective : study.objectives) {
    const double y = result.figures[find_figure(facts, objective.figure)];
    if (!std::isfinite(y)) {
      fitness.violation += kMissing;
      continue;
    }
    const double scaled = (y - objective.target.value_or(0)) / objective.scale;
    fitness.value += objective.weight * (objective.target   ? scaled * scaled
                                         : objective.is_max ? -scaled
                                                            : scaled);
  }
  for (const Constraint& constraint : study.constraints) {
    const double y = result.figures[find_figure(facts, constraint.figure)];
    if (!std::isfinite(y)) {
      fitness.violation += kMissing;
      continue;
    }
    const auto size = [](double bound) { return std::max(std::abs(bound), 1e-9); };
    if (constraint.min && y < *constraint.min)
      fitness.violation += (*constraint.min - y) / size(*constraint.min);
    if (constraint.max && y > *constraint.max)
      fitness.violation += (y - *constraint.max) / size(*constraint.max);
  }
  // A drive that fails is worse than any that reaches its end.
  if (result.status == SampleStatus::kFailed) fitness.violation += 0.1 * kMissing;
  return fitness;
}

/// Several drives of one candidate as one.
Fitness combine_drives(const PlanSettings& plan, const std::vector<Fitness>& drives) {
  Fitness all;
  const auto n = static_cast<double>(drives.size());
  std::vector<double> values;
  for (const Fitness& one : drives) {
    all.violation += one.violation / n;
    values.push_back(one.value);
  }
  double mean = 0, square = 0;
  for (const double v : values) mean += v / n;
  for (const double v : values) square += (v - mean) * (v - mean);
  switch (plan.robust) {
    case RobustMeasure::kMean:
      all.value = mean;
      break;
    case RobustMeasure::kMeanPlusSigma:
      all.value = mean + plan.robust_factor * (drives.size() > 1 ? std::sqrt(square / (n - 1)) : 0);
      break;
    case RobustMeasure::kQuantile: {
      std::ranges::sort(values);
      const double place = plan.robust_factor * (n - 1);
      const auto below = static_cast<std::size_t>(std::floor(place));
      all.value = values[below];
      if (below + 1 < values.size())
        all.value += (place - std::floor(place)) * (values[below + 1] - values[below]);
      break;
    }
  }
  if (!std::isfinite(all.value)) all.value = std::numeric_limits<double>::max();
  return all;
}

class OptimizeStrategy final : public Strategy {
 public:
  OptimizeStrategy(const Study* study, const StudyFacts* facts) : study_(study), facts_(facts) {
    for (std::size_t i = 0; i < study->inputs.size(); ++i)
      if (study->inputs[i].is_design) design_.push_back(i);
    const auto n = static_cast<int>(design_.size());
    if (study->plan.is_nelder_mead) {
      optimizer_ = make_nelder_mead(n, {.size = study->plan.sigma, .tolerance_x = 1e-4});
    } else {
      optimizer_ = make_cma_es(n, {.population = study->plan.population,
                                   .sigma = study->plan.sigma,
                                   .restarts = study->plan.restarts,
                                   .tolerance_x = 1e-4,
                                   .tolerance_value = 1e-9,
                                   .seed = study->seed});
    }
    for (long j = 0; j < study->plan.noise_samples; ++j)
      noise_.push_back(noise_uniforms(*study, j));
  }

  std::vector<Sample> next() override {
    if (drives_ >= study_->plan.evaluations) return {};
    candidates_ = optimizer_->ask();
    std::vector<Sample> samples;
    for (const std::vector<double>& candidate : candidates_) {
      // All candidates meet the same random inputs and drive seeds (common random numbers): their
      // differences are those of the candidates alone.
      for (std::size_t j = 0; j < noise_.size(); ++j) {
        Sample sample{.drive_seed = drive_seed(*study_, j)};
        sample.values = values_of(*study_, noise_[j]);
        for (std::size_t d = 0; d < design_.size(); ++d)
          sample.values[design_[d]] =
              quantile(study_->inputs[design_[d]].distribution, candidate[d]);
        samples.push_back(std::move(sample));
      }
    }
    drives_ += static_cast<long>(samples.size());
    return samples;
  }

  void take(std::span<const SampleResult> results) override {
    std::vector<Fitness> fitness;
    const std::size_t m = noise_.size();
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      std::vector<Fitness> drives;
      for (std::size_t j = 0; j < m; ++j)
        drives.push_back(judge(*study_, *facts_, results[c * m + j]));
      fitness.push_back(combine_drives(study_->plan, drives));
      if (!best_ || fitness.back() < *best_) {
        best_ = fitness.back();
        best_sample_ = results[c * m].k;
        best_values_ = results[c * m].values;
        best_figures_ = results[c * m].figures;
      }
    }
    optimizer_->tell(fitness);
    ++generation_;
    history_.push_back(*best_);
  }

  std::string progress() const override {
    if (!best_) return "generation 1";
    return concat("generation ", generation_ + 1, ", best ", short_text(best_->value, 5),
                  best_->violation > 0 ? " (constraints not met)" : "");
  }

  std::string to_json() const override {
    Json json{{"method", study_->plan.is_nelder_mead ? "nelder_mead" : "cma_es"},
              {"generations", generation_},
              {"drives", drives_}};
    if (!best_) return json.dump();
    json["objective"] = json_number(best_->value);
    json["feasible"] = best_->violation == 0;
    json["violation"] = json_number(best_->violation);
    json["sample"] = best_sample_;
    for (const std::size_t i : design_)
      json["best"][study_->inputs[i].name] = json_number(best_values_[i]);
    Json history = Json::array();
    for (const Fitness& f : history_) history.push_back(json_number(f.value));
    json["history"] = history;
    return json.dump();
  }

  std::vector<std::pair<std::string, std::string>> findings() const override {
    if (!best_) return {};
    std::vector<std::pair<std::string, std::string>> list = {
        {"objective", short_text(best_->value, 6)},
        {"constraints", study_->constraints.empty() ? "none"
                        : best_->violation == 0     ? "met"
                                                    : "not met"},
        {"found by sample", concat(best_sample_)},
        {"drives", concat(drives_)}};
    for (const std::size_t i : design_)
      list.emplace_back("best " + study_->inputs[i].name,
                        concat(short_text(best_values_[i], 6), " ", study_->inputs[i].unit));
    if (noise_.size() == 1)
      for (std::size_t i = 0; i < facts_->figures.size(); ++i)
        list.emplace_back(facts_->figures[i].name, short_text(best_figures_[i], 5));
    return list;
  }

  std::vector<Curve> curves() const override {
    Curve curve{
        .title = "Best so far", .unit = "objective", .x_label = "generation", .x = {}, .y = {}};
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (history_[i].violation > 0) continue;
      curve.x.push_back(static_cast<double>(i + 1));
      curve.y.push_back(history_[i].value);
    }
    if (curve.x.size() < 2) return {};
    return {curve};
  }

 private:
  const Study* study_;
  const StudyFacts* facts_;
  std::vector<std::size_t> design_;
  std::unique_ptr<Optimizer> optimizer_;
  std::vector<std::vector<double>> noise_;
  std::vector<std::vector<double>> candidates_;
  long drives_ = 0, generation_ = 0, best_sample_ = 0;
  std::optional<Fitness> best_;
  std::vector<double> best_values_, best_figures_;
  std::vector<Fitness> history_;
};

}  // namespace

std::unique_ptr<Strategy> internal::make_optimize_strategy(const Study* study,
                                                           const StudyFacts* facts) {
  return std::make_unique<OptimizeStrategy>(study, facts);
}

}  // namespace camber::study
