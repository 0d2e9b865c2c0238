#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "camber/core/diagnostics.h"
#include "camber/core/toml_reader.h"
#include "camber/scenario/scenario.h"

namespace camber::scenario {

/// Reads a file of kind "scenario" (docs/manual/scenarios.md). `overrides` are applied before
/// anything is read: "driver.speed.target=15"; those of the parts vehicle, equipment, tire and
/// terrain are for the files that it names. Names of these files are relative to its own folder;
/// the files must exist and be of the right kind, and are not read further. Throws ModelFileError
/// with all mistakes, each with place and key.
Scenario load_scenario(const std::string& path, const Overrides& overrides = {});

/// The same for text in memory; `file` is the name that messages show, and its folder the one that
/// names of files are relative to.
Scenario parse_scenario(std::string text, const std::string& file, const Overrides& overrides = {});

/// The same for a file that is open; `path` is its path, `text` its contents. Nodes of the file are
/// invalid afterwards.
Scenario read_scenario(TomlFile file, const std::string& path, std::string text,
                       const Overrides& overrides = {});

/// A value that is valid by itself, but not with the vehicle, tire or ground of its scenario, such
/// as a gear that the gearbox does not have. what() is "vehicle.start.gear: must be ...".
class SettingError : public std::invalid_argument {
 public:
  SettingError(const std::string& key, const std::string& text)
      : std::invalid_argument(key + ": " + text), key_(key), text_(text) {}

  const std::string& key() const { return key_; }
  const std::string& text() const { return text_; }

 private:
  std::string key_, text_;
};

/// The file of a scenario once more, with its overrides.
TomlFile reopen(const ScenarioSource& source);

/// The place of a key ("vehicle.start.gear") of a scenario that was read: in the file or in one of
/// the overrides. For a key with its default value, the place of the table that it belongs to.
Position find_place(const ScenarioSource& source, std::string_view key);

}  // namespace camber::scenario
