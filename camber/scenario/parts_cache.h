#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "camber/scenario/load_parts.h"

namespace camber::scenario {

/// Parts that several runs share: vehicle, tires, ground and code are read, derived and compiled
/// once. For studies, and for repeated runs of a scenario with another driver or start. It assumes
/// that files do not change while it exists. Threads may share it.
class PartsCache {
 public:
  /// The parts of a scenario; of one that differs from an earlier one only in its driver, start,
  /// run, stop conditions or figures, given by overrides, the same parts. Vehicles that differ only
  /// in masses and rates share the parts that do not depend on them. Results do not depend on what
  /// was loaded before. Only the latest parts are kept. With `terrain`, all but the terrain is
  /// shared.
  std::shared_ptr<const DriveParts> load(
      const Scenario& scenario, const std::shared_ptr<const terrain::Terrain>& terrain = nullptr);

 private:
  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<const DriveParts>>> parts_;  // the latest last
  SteeringMaps maps_;
};

}  // namespace camber::scenario
