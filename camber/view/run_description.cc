#include "camber/view/run_description.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "camber/autonomy/path_pilot.h"
#include "camber/core/require.h"
#include "camber/sensors/lidar_pattern.h"
#include "camber/view/json_values.h"
#include "camber/view/state_frame.h"
#include "camber/view/vehicle_drawing.h"

namespace camber::view {
namespace {

using internal::round_length;
using Json = nlohmann::ordered_json;

constexpr int kMaxPathPoints = 4000;

Json list_path(const autonomy::Pilot* pilot) {
  Json points = Json::array();
  const auto* driver = dynamic_cast<const autonomy::PathPilot*>(pilot);
  if (driver == nullptr || driver->path().empty()) return points;
  const autonomy::Path& path = driver->path();
  const double length = path.length();
  const int count = std::clamp(static_cast<int>(std::ceil(length)), 1, kMaxPathPoints);
  for (int k = 0; k <= count; ++k) {
    const autonomy::PathPoint p = path.at(length * k / count);
    points.push_back({round_length(p.x), round_length(p.y)});
  }
  return points;
}

/// Azimuths of the first and last column and elevations of the rows, top first.
void describe_lidar(const sensors::LidarSpec& lidar, double rate, Json* json) {
  const auto pattern = sensors::make_lidar_pattern(lidar, rate);
  std::vector<double> elevations(static_cast<std::size_t>(pattern->rings), 0);
  std::map<int, double> azimuths;  // by column
  for (const sensors::LidarPattern::Ray& ray : pattern->rays) {
    elevations[static_cast<std::size_t>(ray.ring)] = ray.elevation;
    azimuths.emplace(ray.column, ray.azimuth);
  }
  // A sensor that turns all the way round: azimuths go on from column to column, beyond half a turn.
  const double first = azimuths.empty() ? 0 : azimuths.begin()->second;
  double last = first;
  for (const auto& [column, azimuth] : azimuths)
    last += std::remainder(azimuth - last, 2 * std::numbers::pi);
  std::ranges::reverse(elevations);
  Json rows = Json::array();
  for (const double e : elevations) rows.push_back(round_length(e));
  (*json)["columns"] = pattern->columns;
  (*json)["rows"] = pattern->rings;
  (*json)["max_range"] = lidar.max_range;
  (*json)["azimuth"] = {round_length(first), round_length(last)};
  (*json)["elevation"] = std::move(rows);
}

Json describe_sensor(const sensors::SensorSpec& spec, const std::vector<std::string>& bodies) {
  const auto found = std::ranges::find(bodies, spec.mount.body);
  const internal::UnitQuaternion q = internal::to_quaternion(spec.mount.pose.rotation);
  const math::Vec3<double>& p = spec.mount.pose.position;
  // bodies[0] is the world.
  const auto body =
      found == bodies.end() ? 0 : std::max<std::ptrdiff_t>(found - bodies.begin(), 1) - 1;
  Json json{{"name", spec.name},
            {"kind", spec.kind_word()},
            {"rate", spec.timing.rate},
            {"body", body},
            {"mount",
             {{"position", {round_length(p[0]), round_length(p[1]), round_length(p[2])}},
              {"quaternion",
               {round_length(q.x), round_length(q.y), round_length(q.z), round_length(q.w)}}}}};
  if (const auto* lidar = std::get_if<sensors::LidarSpec>(&spec.kind)) {
    describe_lidar(*lidar, spec.timing.rate, &json);
  } else if (const auto* camera = std::get_if<sensors::CameraSpec>(&spec.kind)) {
    json["width"] = camera->width;
    json["height"] = camera->height;
    json["fov"] = camera->field_of_view;
  } else if (const auto* gnss = std::get_if<sensors::GnssSpec>(&spec.kind)) {
    json["origin"] = {gnss->origin.latitude, gnss->origin.longitude, gnss->origin.height};
    json["heading"] = gnss->heading;
  }
  return json;
}

}  // namespace

std::vector<std::string> column_names(const record::Channel& channel) {
  std::vector<std::string> names;
  const std::size_t columns = channel.columns();
  for (std::size_t i = 0; i < channel.entries(); ++i) {
    const std::size_t row = i / columns, column = i % columns;
    std::string name = column < channel.names.size() ? channel.names[column]
                       : columns == 1                ? ""
                                                     : std::to_string(column + 1);
    if (channel.shape.size() > 1) {
      const std::string row_name =
          row < channel.row_names.size() ? channel.row_names[row] : std::to_string(row + 1);
      name = concat(row_name, name.empty() ? "" : " ", name);
    }
    names.push_back(std::move(name));
  }
  return names;
}

Json describe_channels(const std::vector<record::Channel>& channels) {
  Json list = Json::array();
  std::size_t first = 0;
  for (const record::Channel& channel : channels) {
    Json unit = "";
    if (channel.units.size() == 1) unit = channel.units.front();
    if (channel.units.size() > 1) {
      unit = Json::array();
      for (std::size_t i = 0; i < channel.entries(); ++i)
        unit.push_back(channel.units[i % channel.columns()]);
    }
    list.push_back({{"name", channel.name},
                    {"unit", std::move(unit)},
                    {"description", channel.description},
                    {"columns", column_names(channel)},
                    {"first", first}});
    first += channel.entries();
  }
  return list;
}

Json describe_run(const run::Simulation& simulation, MeshBook* meshes) {
  const scenario::BuiltScenario& built = simulation.built();
  const scenario::Scenario& s = *built.scenario;
  const run::RunResult result = simulation.result();
  Json run{{"name", s.name},
           {"about", s.about},
           {"file", s.source.file},
           {"begin", result.begin},
           {"end", s.run.duration},
           {"step", s.run.step},
           {"sample_interval", s.run.sample_interval},
           {"status", to_text(result.status)},
           {"reason", result.reason},
           {"has_poses", s.vehicle.level == scenario::VehicleLevel::kFull}};
  run["channels"] = describe_channels(simulation.channels());
  run["sample_size"] = record::count_entries(simulation.channels());
  Json vehicles = Json::array();
  for (int i = 0; i < built.world.vehicle_count(); ++i) {
    const scenario::Scenario& own =
        i == 0 ? s : *built.others[static_cast<std::size_t>(i) - 1].scenario;
    const std::string name =
        built.world.vehicle_count() == 1 ? "vehicle" : built.world.vehicle_name(i);
    vehicles.push_back(describe_vehicle(name, own, scenario::parts_of(built, i), meshes));
  }
  run["vehicles"] = std::move(vehicles);
  Json things = Json::array();
  for (const world::MovingThing& thing : built.world.things()) {
    const world::Outline& o = thing.outline;
    things.push_back(
        {{"name", thing.name},
         {"length", round_length(o.front - o.rear)},
         {"width", round_length(o.left - o.right)},
         {"height", round_length(thing.height > 0 ? thing.height : 1.5)},
         {"center",
          {round_length(0.5 * (o.front + o.rear)), round_length(0.5 * (o.left + o.right))}}});
  }
  run["things"] = std::move(things);
  const std::vector<std::string> bodies = built.world.vehicle(0).body_names();
  Json sensors = Json::array();
  for (const sensors::SensorSpec& spec : s.sensors)
    sensors.push_back(describe_sensor(spec, bodies));
  run["sensors"] = std::move(sensors);
  run["path"] = list_path(built.drivers.empty() ? nullptr : built.drivers.front().get());
  run["events"] = Json::array();
  run["figures"] = Json::array();
  return run;
}

}  // namespace camber::view
