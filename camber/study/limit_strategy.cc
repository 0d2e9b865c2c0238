#include <algorithm>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/study/plan.h"
#include "camber/study/strategies.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;
using internal::json_number;

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
      json["limit"] = json_number(low_passes_ ? low_ : high_);
      json["passes_at"] = json_number(low_passes_ ? low_ : high_);
      json["fails_at"] = json_number(low_passes_ ? high_ : low_);
    }
    Json list = Json::array();
    for (const Tried& t : tried_)
      list.push_back(
          {{"value", json_number(t.value)}, {"pass_rate", t.rate}, {"passes", t.passes}});
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

std::unique_ptr<Strategy> internal::make_limit_strategy(const Study* study) {
  return std::make_unique<LimitStrategy>(study);
}

}  // namespace camber::study
