#include "camber/scenario/scenario_file.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/core/require.h"
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
  internal::choose_contact(in, scenario.ground, scenario.vehicle.level, &scenario.tire);
  internal::read_driver(in, &scenario);
  internal::read_run(in, &scenario);
  internal::read_log(in, &scenario);
  internal::read_stops(in, &scenario.stops);
  internal::read_figures(in, &scenario);
  internal::read_sensors(in, &scenario);
  internal::read_others(in, &scenario);
  internal::read_things(in, &scenario);
  internal::read_autonomy(in, &scenario);
  return scenario;
}

/// The files that overrides may change: those of the vehicle, and those of the others by their names.
void require_parts(const Overrides& overrides, const Scenario& scenario) {
  if (overrides.empty()) return;
  std::vector<std::string> names = {"vehicle", "equipment", "tire", "terrain", "city"};
  for (const OtherVehicle& other : scenario.others)
    for (const char* part : {".vehicle", ".equipment", ".tire"}) names.push_back(other.name + part);
  const std::vector<std::string_view> known(names.begin(), names.end());
  overrides.require_parts(known);
}

/// Whether a key is in one of the tables that each vehicle has.
bool is_of_vehicle(std::string_view key) {
  return key.starts_with("vehicle") || key.starts_with("tire") || key.starts_with("driver");
}

/// The tables of a vehicle, its tires and its driver are those of [[other]] if the source is one of
/// the other vehicles.
TomlNode find_table(const ScenarioSource& source, std::string_view key, const TomlNode& root) {
  if (source.other < 0 || !is_of_vehicle(key)) return root;
  const std::vector<TomlNode> others = root.at("other").elements();
  const auto index = static_cast<std::size_t>(source.other);
  return index < others.size() ? others[index] : root;
}

}  // namespace

Scenario read_scenario(TomlFile file, const std::string& path, std::string text,
                       const Overrides& overrides) {
  overrides.apply("", &file);
  Scenario scenario =
      read_tables({.root = file.root(), .folder = folder_of(path), .found = &file.diagnostics()});
  require_parts(overrides, scenario);
  file.finish();
  scenario.source = {path, std::move(text), overrides};
  return scenario;
}

TomlFile reopen(const ScenarioSource& source) {
  TomlFile file = parse_toml(source.text, source.file);
  source.overrides.apply("", &file);
  return file;
}

Scenario make_other_scenario(const Scenario& scenario, std::size_t index) {
  const OtherVehicle& other = scenario.others.at(index);
  Scenario own;
  own.source = scenario.source;
  own.source.overrides = scenario.source.overrides.of(other.name);
  own.source.overrides.append(other.overrides);
  own.source.name = other.name;
  own.source.other = static_cast<int>(index);
  own.name = scenario.name;
  own.vehicle = other.vehicle;
  own.tire = other.tire;
  own.ground = scenario.ground;
  own.driver = other.driver;
  own.run = scenario.run;
  return own;
}

Position find_place(const ScenarioSource& source, std::string_view key) {
  TomlFile file = reopen(source);
  const bool is_of_other = source.other >= 0 && is_of_vehicle(key);
  TomlNode node = find_table(source, key, file.root());
  Position place = is_of_other ? node.position() : Position{.file = source.file};
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
  place.key = is_of_other ? concat("other[", source.other, "].", key) : std::string(key);
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
