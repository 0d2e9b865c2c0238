#include "camber/scenario/parts_cache.h"

#include <algorithm>
#include <string_view>

namespace camber::scenario {
namespace {

/// Keys of a scenario on which no part depends.
constexpr std::string_view kOthers[] = {"driver.", "vehicle.start", "run.", "stop",
                                        "figures", "name",          "about"};

/// Parts that are kept: a study of thousands of masses must not keep thousands of vehicles.
constexpr std::size_t kMaxEntries = 16;

std::string make_key(const Scenario& scenario) {
  std::string key =
      scenario.source.file + '\0' + scenario.source.text + '\0' + scenario.source.name;
  for (const std::string& assignment : scenario.source.overrides.texts()) {
    const bool is_other = std::ranges::any_of(
        kOthers, [&](std::string_view prefix) { return assignment.starts_with(prefix); });
    if (!is_other) key += '\0' + assignment;
  }
  return key;
}

}  // namespace

std::shared_ptr<const DriveParts> PartsCache::load(
    const Scenario& scenario, const std::shared_ptr<const terrain::Terrain>& terrain) {
  // Those with a terrain of somebody else's are kept apart.
  const std::string key = make_key(scenario) + (terrain ? '\1' : '\0');
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(parts_, key, [](const auto& entry) { return entry.first; });
  std::shared_ptr<const DriveParts> parts =
      found != parts_.end() ? found->second : load_parts(scenario, terrain, &maps_);
  if (found != parts_.end()) parts_.erase(found);
  if (parts_.size() >= kMaxEntries) parts_.pop_front();
  parts_.emplace_back(key, parts);
  if (!terrain || parts->terrain == terrain) return parts;
  const auto own = std::make_shared<DriveParts>(*parts);
  own->terrain = terrain;
  return own;
}

}  // namespace camber::scenario
