#pragma once

#include <stdexcept>
#include <string>

#include "camber/core/diagnostics.h"
#include "camber/core/toml_reader.h"
#include "camber/scenario/scenario.h"

namespace camber::scenario {

/// Reads a file of kind "scenario" (docs/manual/scenarios.md). `overrides` are put in
/// before anything is read: "driver.speed.target=15"; those of the parts vehicle, equipment, tire
/// and terrain go into the files that it names. These are looked for beside it and must be there
/// and of the right kind; they are not read further. Throws ModelFileError with every mistake, its
/// place and key.
Scenario load_scenario(const std::string& path, const Overrides& overrides = {});

/// The same for text in memory; `file` is the name that messages show, and where it would lie.
Scenario parse_scenario(std::string text, const std::string& file, const Overrides& overrides = {});

/// The same for a file that is open; `path` is where it lies, `text` what it holds. Nodes of it do
/// not survive.
Scenario read_scenario(TomlFile file, const std::string& path, std::string text,
                       const Overrides& overrides = {});

/// A value that is good by itself, and not with the vehicle, tire or ground of its scenario: a gear
/// that the gearbox has not. what() is "vehicle.start.gear: must be ...".
class SettingError : public std::invalid_argument {
 public:
  SettingError(const std::string& key, const std::string& text)
      : std::invalid_argument(key + ": " + text), key_(key), text_(text) {}

  const std::string& key() const { return key_; }
  const std::string& text() const { return text_; }

 private:
  std::string key_, text_;
};

/// Where a scenario that was read has a key ("vehicle.start.gear"): in the file or in one of the
/// overrides; where it has a default, the table that it belongs to.
Position find_place(const std::string& text, const std::string& file, const Overrides& overrides,
                    std::string_view key);

}  // namespace camber::scenario
