#include "camber/study/strategy.h"

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
#include "camber/study/portable_math.h"
#include "camber/study/subset_simulation.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMissing = 1e6;  // violation by a drive that does not have the figure

std::size_t find_figure(const StudyFacts& facts, const std::string& name) {
  for (std::size_t i = 0; i < facts.figures.size(); ++i)
    if (facts.figures[i].name == name) return i;
  throw std::invalid_argument(concat("the scenario has no figure \"", name, "\""));
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }

// --- Optimization ---

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
    json["objective"] = number(best_->value);
    json["feasible"] = best_->violation == 0;
    json["violation"] = number(best_->violation);
    json["sample"] = best_sample_;
    for (const std::size_t i : design_)
      json["best"][study_->inputs[i].name] = number(best_values_[i]);
    Json history = Json::array();
    for (const Fitness& f : history_) history.push_back(number(f.value));
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

// --- Rare events ---

class SubsetStrategy final : public Strategy {
 public:
  SubsetStrategy(const Study* study, const StudyFacts* facts)
      : study_(study),
        figure_(find_figure(*facts, study->event->figure)),
        simulation_({.dimensions = static_cast<int>(study->inputs.size()),
                     .samples = study->plan.samples,
                     .level_probability = study->plan.level_probability,
                     .max_levels = study->plan.max_levels,
                     .bound = sign() * study->event->bound,
                     .seed = study->seed}) {}

  std::vector<Sample> next() override {
    std::vector<Sample> samples;
    for (const std::vector<double>& z : simulation_.ask()) {
      std::vector<double> u;
      for (const double x : z) u.push_back(normal_cdf(x));
      samples.push_back({.values = values_of(*study_, u), .drive_seed = drive_seed(*study_, 0)});
    }
    drives_ += static_cast<long>(samples.size());
    return samples;
  }

  void take(std::span<const SampleResult> results) override {
    std::vector<double> y;
    for (const SampleResult& result : results) {
      const double value = result.figures[figure_];
      if (result.status == SampleStatus::kFailed && study_->event->failed_counts)
        y.push_back(kInfinity);
      else if (!result.is_answer() || !std::isfinite(value))
        y.push_back(-kInfinity);
      else
        y.push_back(sign() * value);
    }
    simulation_.tell(y);
  }

  std::string progress() const override {
    const std::size_t level = simulation_.levels().size();
    return level == 0
               ? "level 1"
               : concat("level ", level + 1, ", P < ", short_text(simulation_.probability(), 3));
  }

  std::string to_json() const override {
    Json json{{"event", text()}, {"drives", drives_}, {"complete", simulation_.is_done()}};
    if (simulation_.is_done()) {
      json["reached"] = simulation_.is_reached();
      json["probability"] = number(simulation_.probability());
      json["coefficient_of_variation"] = number(simulation_.variation());
    }
    Json levels = Json::array();
    for (const SubsetSimulation::Level& level : simulation_.levels())
      levels.push_back({{"threshold", number(sign() * level.threshold)},
                        {"probability", number(level.probability)},
                        {"coefficient_of_variation", number(level.variation)},
                        {"acceptance", number(level.acceptance)}});
    json["levels"] = levels;
    return json.dump();
  }

  std::vector<std::pair<std::string, std::string>> findings() const override {
    std::vector<std::pair<std::string, std::string>> list = {{"event", text()}};
    if (simulation_.is_done()) {
      list.emplace_back("probability", concat(simulation_.is_reached() ? "" : "below ",
                                              short_text(simulation_.probability(), 4)));
      list.emplace_back("coefficient of variation", short_text(simulation_.variation(), 3));
      if (!simulation_.is_reached())
        list.emplace_back("note", "the event was not reached within max_levels");
    }
    list.emplace_back("drives", concat(drives_));
    return list;
  }

  std::vector<Curve> curves() const override {
    Curve curve{.title = "Thresholds of the levels",
                .unit = study_->event->figure,
                .x_label = "level",
                .x = {},
                .y = {}};
    for (std::size_t i = 0; i < simulation_.levels().size(); ++i) {
      curve.x.push_back(static_cast<double>(i + 1));
      curve.y.push_back(sign() * simulation_.levels()[i].threshold);
    }
    if (curve.x.size() < 2) return {};
    return {curve};
  }

 private:
  double sign() const { return study_->event->is_above ? 1 : -1; }
  std::string text() const {
    return concat(study_->event->figure, study_->event->is_above ? " above " : " below ",
                  short_text(study_->event->bound));
  }

  const Study* study_;
  std::size_t figure_;
  SubsetSimulation simulation_;
  long drives_ = 0;
};

// --- Search for a limit ---

/// Bisection: the drive passes at one end and fails at the other, and changes over once.
class LimitStrategy final : public Strategy {
 public:
  explicit LimitStrategy(const Study* study)
      : study_(study), input_(static_cast<std::size_t>(study->plan.limit_input)) {
    const Distribution& d = study->inputs[input_].distribution;
    low_ = low_end(d);
    high_ = high_end(d);
  }

  std::vector<Sample> next() override {
    asked_.clear();
    if (tried_.empty()) {
      asked_ = {low_, high_};
    } else if (!is_done() && high_ - low_ > study_->plan.tolerance) {
      // With one drive per value, three values at once: two halvings in one round on several cores.
      if (study_->plan.repeats == 1 && high_ - low_ > 2 * study_->plan.tolerance)
        for (int i = 1; i <= 3; ++i) asked_.push_back(low_ + 0.25 * i * (high_ - low_));
      else
        asked_.push_back(0.5 * (low_ + high_));
    }
    std::vector<Sample> samples;
    for (const double value : asked_) {
      for (long j = 0; j < study_->plan.repeats; ++j) {
        Sample sample{.values = values_of(*study_, noise_uniforms(*study_, j)),
                      .drive_seed = drive_seed(*study_, static_cast<std::uint64_t>(j))};
        sample.values[input_] = value;
        samples.push_back(std::move(sample));
      }
    }
    return samples;
  }

  void take(std::span<const SampleResult> results) override {
    const auto repeats = static_cast<std::size_t>(study_->plan.repeats);
    const bool is_first = tried_.empty();
    std::vector<bool> passes;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      long passed = 0;
      for (std::size_t j = 0; j < repeats; ++j) passed += results[i * repeats + j].passed ? 1 : 0;
      const double rate = static_cast<double>(passed) / static_cast<double>(repeats);
      passes.push_back(rate >= study_->plan.required_rate);
      tried_.push_back({asked_[i], rate, passes.back()});
    }
    if (is_first) {
      low_passes_ = passes[0];
      is_bracketed_ = passes[0] != passes[1];
      return;
    }
    // The first value, from below, whose verdict is not that of the low end.
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (passes[i] == low_passes_) {
        low_ = asked_[i];
        continue;
      }
      high_ = asked_[i];
      break;
    }
  }

  std::string progress() const override {
    return concat("between ", short_text(low_, 5), " and ", short_text(high_, 5));
  }

  std::string to_json() const override {
    Json json{{"input", study_->inputs[input_].name}, {"bracketed", is_bracketed_}};
    if (is_bracketed_) {
      json["limit"] = number(low_passes_ ? low_ : high_);
      json["passes_at"] = number(low_passes_ ? low_ : high_);
      json["fails_at"] = number(low_passes_ ? high_ : low_);
    }
    Json list = Json::array();
    for (const Tried& t : tried_)
      list.push_back({{"value", number(t.value)}, {"pass_rate", t.rate}, {"passes", t.passes}});
    json["tried"] = list;
    return json.dump();
  }

  std::vector<std::pair<std::string, std::string>> findings() const override {
    const Input& input = study_->inputs[input_];
    if (tried_.empty()) return {};
    if (!is_bracketed_)
      return {
          {input.name, concat(low_passes_ ? "passes at both ends" : "fails at both ends", " of ",
                              short_text(low_), " to ", short_text(high_), " ", input.unit)}};
    return {{concat(low_passes_ ? "highest " : "lowest ", input.name, " that passes"),
             concat(short_text(low_passes_ ? low_ : high_, 6), " ", input.unit)},
            {"fails at", concat(short_text(low_passes_ ? high_ : low_, 6), " ", input.unit)},
            {"values tried", concat(tried_.size())},
            {"drives per value", concat(study_->plan.repeats)}};
  }

  std::vector<Curve> curves() const override {
    std::vector<Tried> sorted = tried_;
    std::ranges::sort(sorted, [](const Tried& a, const Tried& b) { return a.value < b.value; });
    Curve curve{.title = "Pass rate",
                .unit = "1",
                .x_label = study_->inputs[input_].name,
                .x = {},
                .y = {}};
    for (const Tried& t : sorted) {
      curve.x.push_back(t.value);
      curve.y.push_back(t.rate);
    }
    if (curve.x.size() < 2) return {};
    return {curve};
  }

 private:
  struct Tried {
    double value, rate;
    bool passes;
  };
  bool is_done() const { return !is_bracketed_; }

  const Study* study_;
  std::size_t input_;
  double low_ = 0, high_ = 0;
  bool low_passes_ = true, is_bracketed_ = false;
  std::vector<double> asked_;
  std::vector<Tried> tried_;
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(const Study* study, const StudyFacts* facts) {
  switch (study->plan.kind) {
    case PlanKind::kOptimize:
      return std::make_unique<OptimizeStrategy>(study, facts);
    case PlanKind::kSubset:
      return std::make_unique<SubsetStrategy>(study, facts);
    case PlanKind::kLimit:
      return std::make_unique<LimitStrategy>(study);
    default:
      break;
  }
  throw std::invalid_argument(concat("plan ", name_of(study->plan.kind), " is not adaptive"));
}

}  // namespace camber::study
