#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "camber/scenario/build_scenario.h"
#include "camber/scenario/parts_cache.h"

namespace camber::python {

/// Parts that the uses of one model share, for as long as the files that they were read from stay
/// as they were: a scenario that was checked need not be derived again to be driven.
class FreshParts {
 public:
  /// As scenario::build_scenario(). Threads may share it.
  scenario::BuiltScenario build(scenario::Scenario scenario);

 private:
  /// A file as it was when it was read.
  struct Stamp {
    std::string path;
    std::uint64_t file = 0;
    std::int64_t size = 0, time = 0;  // [byte], of the last change [ns]
    bool operator==(const Stamp&) const = default;
  };
  static Stamp make_stamp(const std::string& path);
  bool is_fresh() const;

  std::mutex mutex_;
  std::shared_ptr<scenario::PartsCache> cache_;
  std::vector<Stamp> stamps_;
};

}  // namespace camber::python
