#include "camber/scenario/scenario_file.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/scenario/tables.h"

namespace camber::scenario {
namespace {

Scenario read_tables(internal::TableReading in) {
  Scenario scenario;
  in.root.at("kind").choice({"scenario"});
  scenario.name = in.root.at("name").text();
  scenario.about = in.root.get("about", std::string()).text();
  internal::read_vehicle(&in, &scenario);
  internal::read_tire(in, &scenario.tire);
  internal::read_ground(in, &scenario.ground);
  internal::read_driver(in, &scenario);
  internal::read_run(in, &scenario);
  internal::read_stops(in, &scenario.stops);
  internal::read_figures(in, &scenario);
  internal::read_sensors(in, &scenario);
  return scenario;
}

}  // namespace

Scenario read_scenario(TomlFile file, const std::string& path, std::string text,
                       const Overrides& overrides) {
  constexpr std::string_view kParts[] = {"vehicle", "equipment", "tire", "terrain"};
  overrides.require_parts(kParts);
  overrides.apply("", &file);
  Scenario scenario =
      read_tables({.root = file.root(), .folder = folder_of(path), .found = &file.diagnostics()});
  file.finish();
  scenario.source = {path, std::move(text), overrides};
  return scenario;
}

TomlFile reopen(const ScenarioSource& source) {
  TomlFile file = parse_toml(source.text, source.file);
  source.overrides.apply("", &file);
  return file;
}

Position find_place(const ScenarioSource& source, std::string_view key) {
  TomlFile file = reopen(source);
  TomlNode node = file.root();
  Position place{.file = source.file};
  for (std::string_view rest = key; !rest.empty();) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    if (!node.is_table()) break;
    const std::string_view word = rest.substr(0, dot);  // "duration", or "sensor[2]"
    const std::size_t bracket = std::min(word.find('['), word.size());
    node = node.find(word.substr(0, bracket));
    if (node && bracket < word.size()) {
      std::size_t index = 0;
      const std::string_view digits = word.substr(bracket + 1);
      std::from_chars(digits.data(), digits.data() + digits.size(), index);
      const std::vector<TomlNode> list =
          node.is_array() ? node.elements() : std::vector<TomlNode>();
      if (index >= list.size()) break;
      node = list[index];
    }
    if (!node) break;
    place = node.position();
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  place.key = key;
  return place;
}

Scenario load_scenario(const std::string& path, const Overrides& overrides) {
  constexpr std::size_t kMaxBytes = 8 << 20;
  try {
    return parse_scenario(read_file(path, kMaxBytes), path, overrides);
  } catch (const FileError& error) {
    throw ModelFileError({path}, error.reason());
  }
}

Scenario parse_scenario(std::string text, const std::string& file, const Overrides& overrides) {
  TomlFile toml = parse_toml(text, file);
  return read_scenario(std::move(toml), file, std::move(text), overrides);
}

}  // namespace camber::scenario
