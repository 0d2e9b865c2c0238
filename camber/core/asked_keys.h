#pragma once

// For fuzzing builds: what readers ask of TOML files, so that a fuzzer can write it. Nothing in
// other builds.

#if defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace camber::internal {

/// Keys by the path of their table ("driver.speed", "stop[0]"), and words by the path of their key,
/// as readers have asked for them so far.
struct AskedKeys {
  static constexpr std::size_t kMaxTables = 2000;  // names of bodies make ever new tables

  std::map<std::string, std::set<std::string>> keys, words;

  void note(std::map<std::string, std::set<std::string>>* to, const std::string& path,
            std::string_view name) {
    if (to->size() < kMaxTables || to->contains(path)) (*to)[path].emplace(name);
  }
};

inline AskedKeys& asked_keys() {
  static AskedKeys keys;
  return keys;
}

}  // namespace camber::internal

#endif
