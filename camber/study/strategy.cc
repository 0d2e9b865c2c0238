#include "camber/study/strategy.h"

#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/study/drive_samples.h"
#include "camber/study/strategies.h"

namespace camber::study {

std::size_t internal::find_figure(const StudyFacts& facts, const std::string& name) {
  for (std::size_t i = 0; i < facts.figures.size(); ++i)
    if (facts.figures[i].name == name) return i;
  throw std::invalid_argument(concat("the scenario has no figure \"", name, "\""));
}

nlohmann::ordered_json internal::json_number(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json();
}

std::unique_ptr<Strategy> make_strategy(const Study* study, const StudyFacts* facts) {
  switch (study->plan.kind) {
    case PlanKind::kOptimize:
      return internal::make_optimize_strategy(study, facts);
    case PlanKind::kSubset:
      return internal::make_subset_strategy(study, facts);
    case PlanKind::kLimit:
      return internal::make_limit_strategy(study);
    default:
      break;
  }
  throw std::invalid_argument(concat("plan ", name_of(study->plan.kind), " is not adaptive"));
}

}  // namespace camber::study
