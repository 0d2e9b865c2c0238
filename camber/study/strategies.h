#pragma once

// The strategies of adaptive plans, for strategy.cc.

#include <cstddef>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "camber/study/strategy.h"

namespace camber::study::internal {

std::unique_ptr<Strategy> make_optimize_strategy(const Study* study, const StudyFacts* facts);
std::unique_ptr<Strategy> make_subset_strategy(const Study* study, const StudyFacts* facts);
std::unique_ptr<Strategy> make_limit_strategy(const Study* study);

/// Its place among the results' figures. Throws std::invalid_argument if there is none.
std::size_t find_figure(const StudyFacts& facts, const std::string& name);
/// null for what is not finite.
nlohmann::ordered_json json_number(double x);

}  // namespace camber::study::internal
