#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/study/drive_samples.h"
#include "camber/study/portable_math.h"
#include "camber/study/strategies.h"
#include "camber/study/subset_simulation.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;
using internal::find_figure;
using internal::json_number;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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
      json["probability"] = json_number(simulation_.probability());
      json["coefficient_of_variation"] = json_number(simulation_.variation());
    }
    Json levels = Json::array();
    for (const SubsetSimulation::Level& level : simulation_.levels())
      levels.push_back({{"threshold", json_number(sign() * level.threshold)},
                        {"probability", json_number(level.probability)},
                        {"coefficient_of_variation", json_number(level.variation)},
                        {"acceptance", json_number(level.acceptance)}});
    json["levels"] = levels;
    return json.dump();
  }

  std::vector<std::pair<std::string, std::string>> findings() const override {
    std::vector<std::pair<std::string, std::string>> list;
    if (simulation_.is_done()) {
      list.emplace_back("probability of " + text(),
                        concat(simulation_.is_reached() ? "" : "below ",
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

}  // namespace

std::unique_ptr<Strategy> internal::make_subset_strategy(const Study* study,
                                                         const StudyFacts* facts) {
  return std::make_unique<SubsetStrategy>(study, facts);
}

}  // namespace camber::study
