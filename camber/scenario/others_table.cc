// [[other]] and [[thing]]: who else is in the world.

#include <algorithm>
#include <set>

#include "camber/core/require.h"
#include "camber/scenario/tables.h"

namespace camber::scenario::internal {
namespace {

constexpr double kMaxSize = 100;  // of a thing [m]

/// Assignments as after --set, for the files that the vehicle names.
Overrides read_overrides(const TomlNode& node) {
  constexpr std::string_view kParts[] = {"vehicle", "equipment", "tire"};
  Overrides overrides;
  for (const TomlNode& element : node.elements()) {
    const std::string text = element.text();
    if (!element.is_text()) continue;
    try {
      const Overrides one(std::span(&text, 1), element.position());
      one.require_parts(kParts);
      if (one.parts().empty())
        element.error(
            "expected PART:KEY=VALUE with the part vehicle, equipment or tire: keys of "
            "this table are set in it");
      else
        overrides.append(one);
    } catch (const std::invalid_argument& error) {
      element.error(error.what());
    } catch (const ModelFileError& error) {
      element.error(error.diagnostics().front().text);
    }
  }
  return overrides;
}

void read_name(const TomlNode& table, std::set<std::string>* names, std::string* name) {
  const TomlNode node = table.at("name");
  *name = node.text();
  if (!node.is_text()) return;
  if (!names->insert(*name).second) node.error(concat("there is another \"", *name, "\""));
}

/// [time, x, y, heading] with ascending times.
std::vector<world::MovingThing::Point> read_track(const TomlNode& node) {
  std::vector<world::MovingThing::Point> track;
  for (const TomlNode& row : node.elements()) {
    const std::vector<TomlNode> values = row.elements();
    if (values.size() != 4) {
      if (row.is_array())
        row.error(concat("expected [time, x, y, heading_deg], found ", values.size(), " values"));
      continue;
    }
    const double time = values[0].in_range(-kLong, kLong, "s");
    if (!track.empty() && time <= track.back().time)
      values[0].error(concat("times must increase, got ", time, " after ", track.back().time));
    track.push_back({.time = time,
                     .x = values[1].in_range(-kFar, kFar, "m"),
                     .y = values[2].in_range(-kFar, kFar, "m"),
                     .yaw = read_degrees(values[3], 360)});
  }
  if (node.is_array() && node.elements().empty())
    node.error("needs at least one [time, x, y, heading_deg]");
  return track;
}

}  // namespace

void read_others(const TableReading& in, Scenario* scenario) {
  const TomlNode list = in.root.find("other");
  if (!list) return;
  std::set<std::string> names;
  for (const TomlNode& table : list.tables()) {
    OtherVehicle other;
    read_name(table, &names, &other.name);
    const TomlNode name = table.at("name");
    if (name.is_text() && !is_word(other.name))
      name.error(concat("expected a word of letters, digits, _ and -, got \"", other.name, "\""));
    TableReading own{.root = table, .folder = in.folder, .found = in.found};
    Scenario read;
    read_vehicle(&own, &read);
    read_tire(own, &read.tire);
    choose_contact(own, scenario->ground, read.vehicle.level, &read.tire);
    read_driver(own, &read);
    other.vehicle = read.vehicle;
    other.tire = read.tire;
    other.driver = read.driver;
    if (other.driver.sample_time < scenario->run.step)
      table.at("driver")
          .at("sample_time")
          .error(concat("must be >= run.step = ", scenario->run.step, " s, got ",
                        other.driver.sample_time));
    if (const auto set = table.find("set")) other.overrides = read_overrides(set);
    scenario->others.push_back(std::move(other));
  }
}

void read_things(const TableReading& in, Scenario* scenario) {
  const TomlNode list = in.root.find("thing");
  if (!list) return;
  std::set<std::string> names;
  for (const TomlNode& table : list.tables()) {
    world::MovingThing thing;
    read_name(table, &names, &thing.name);
    std::vector<double> size;
    for (const TomlNode& length : table.at("size").elements())
      size.push_back(length.in_range(0.01, kMaxSize, "m"));
    if (size.size() != 3) {
      table.at("size").error("expected [length, width, height] in m");
      size.assign(3, 1.0);
    }
    thing.outline = {.rear = -0.5 * size[0],
                     .front = 0.5 * size[0],
                     .right = -0.5 * size[1],
                     .left = 0.5 * size[1]};
    thing.height = size[2];
    thing.track = read_track(table.at("track"));
    scenario->things.push_back(std::move(thing));
  }
}

}  // namespace camber::scenario::internal
