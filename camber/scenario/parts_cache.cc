#include "camber/scenario/parts_cache.h"

#include <algorithm>
#include <string_view>

namespace camber::scenario {
namespace {

/// Keys of a scenario on which no part depends.
constexpr std::string_view kOthers[] = {"driver.", "vehicle.start", "run.", "stop",
                                        "figures", "name",          "about"};

std::string make_key(const Scenario& scenario) {
  std::string key = scenario.source.file + '\0' + scenario.source.text;
  for (const std::string& assignment : scenario.source.overrides.texts()) {
    const bool is_other = std::ranges::any_of(
        kOthers, [&](std::string_view prefix) { return assignment.starts_with(prefix); });
    if (!is_other) key += '\0' + assignment;
  }
  return key;
}

}  // namespace

std::shared_ptr<const DriveParts> PartsCache::load(const Scenario& scenario) {
  const std::string key = make_key(scenario);
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<const DriveParts>& parts = parts_[key];
  if (!parts) parts = load_parts(scenario);
  return parts;
}

}  // namespace camber::scenario
