#include "python/src/fresh_parts.h"

#include <algorithm>
#include <chrono>
#include <sys/stat.h>
#include <utility>

#include "camber/core/file.h"

namespace camber::python {
namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

FreshParts::Stamp FreshParts::make_stamp(const std::string& path) {
  Stamp stamp{.path = path};
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return stamp;
  stamp.file = found.st_ino;
  stamp.size = found.st_size;
  stamp.time = found.st_mtim.tv_sec * std::int64_t{1'000'000'000} + found.st_mtim.tv_nsec;
  return stamp;
}

bool FreshParts::is_fresh() const {
  return cache_ != nullptr && std::ranges::all_of(stamps_, [](const Stamp& stamp) {
           return make_stamp(stamp.path) == stamp;
         });
}

scenario::BuiltScenario FreshParts::build(scenario::Scenario scenario) {
  std::shared_ptr<scenario::PartsCache> cache;
  {
    const std::lock_guard lock(mutex_);
    if (!is_fresh()) {
      cache_ = std::make_shared<scenario::PartsCache>();
      stamps_.clear();
    }
    cache = cache_;
  }
  // Times of files have steps of some milliseconds: a change right before or after the reading does
  // not show in them.
  constexpr std::int64_t kUnsure = 50'000'000;  // [ns]
  const std::int64_t begin = now();
  const FileWatch watch;
  scenario::BuiltScenario built = scenario::build_scenario(std::move(scenario), cache.get());
  const std::lock_guard lock(mutex_);
  if (cache != cache_) return built;
  for (const std::string& path : watch.paths()) {
    Stamp stamp = make_stamp(path);
    if (stamp.time > begin - kUnsure) {
      cache_.reset();
      break;
    }
    if (std::ranges::find(stamps_, stamp) == stamps_.end()) stamps_.push_back(std::move(stamp));
  }
  return built;
}

}  // namespace camber::python
