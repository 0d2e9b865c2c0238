#include "camber/scenario/build_sensors.h"

#include <algorithm>

#include "camber/city/city.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/scenario/scenario_file.h"
#include "camber/vehicle/expand.h"

namespace camber::scenario {
namespace {

/// The vehicle's frame of a level without suspension lies on the ground midway between the axles:
/// where the origin of the full vehicle's frame is in it.
Vector3 find_frame_shift(const Scenario& s, const DriveParts& parts) {
  if (s.vehicle.level == VehicleLevel::kFull) return Vector3::Zero();
  const dynamics::VehicleFacts& facts = parts.facts;
  const double middle = facts.center.x() + 0.5 * (facts.front.distance - facts.rear.distance);
  return {-middle, 0, parts.vehicle.height};
}

/// Sensors are on bodies that the vehicle has.
void check_mounts(const Scenario& s, const std::vector<std::string>& bodies) {
  for (std::size_t i = 0; i < s.sensors.size(); ++i) {
    const std::string& body = s.sensors[i].mount.body;
    if (body == sensors::kChassis || std::ranges::find(bodies, body) != bodies.end()) continue;
    throw SettingError(
        concat("sensor[", i, "].mount.body"),
        concat("the vehicle has no body \"", body, "\"",
               bodies.empty() ? "; other bodies than the chassis need vehicle.level = "
                                "\"full\""
                              : did_you_mean(body, bodies)));
  }
}

}  // namespace

sensors::VehicleLook make_look(const Scenario& s, const DriveParts& parts,
                               const dynamics::VehicleSnapshot& start) {
  sensors::VehicleLook look;
  look.boxes = parts.facts.shape.boxes;
  look.mesh = parts.facts.shape.mesh;
  if (parts.facts.shape.empty()) {
    constexpr double kClearance = 0.3, kTop = 1.6;  // above the ground [m]
    const vehicle::Outline& o = parts.facts.outline;
    look.boxes = {{{o.rear, o.right, kClearance - parts.vehicle.height},
                   {o.front, o.left, kTop - parts.vehicle.height}}};
  }
  const Vector3 shift = find_frame_shift(s, parts);
  for (vehicle::Box& box : look.boxes) {
    box.min += shift;
    box.max += shift;
  }
  look.mesh_offset = shift;
  if (const auto& trailer = parts.vehicle.trailer; trailer && !start.wheels.empty()) {
    const vehicle::Shape& shape = trailer->vehicle->shape;
    look.others.push_back({.body = "trailer_chassis", .boxes = shape.boxes, .mesh = shape.mesh});
  }
  for (std::size_t i = 0; i < start.wheels.size(); ++i) {
    const tire::RollingTire& tire = *parts.tires.wheels[i].tire;
    const vehicle::Corner& corner = parts.mechanism.corners[i];
    if (corner.is_towed) {  // its points count from the trailer's frame
      const Vector3& p = corner.points.wheel;
      look.others.back().wheels.push_back({{p.x(), p.y(), p.z()}, tire.radius, tire.width});
      continue;
    }
    look.wheels.push_back({transpose_times(start.rotation, start.wheels[i].center - start.position),
                           tire.radius, tire.width});
  }
  return look;
}

sensors::SensorSuite make_sensors(const Scenario& s, const DriveParts& parts,
                                  dynamics::Vehicle* car) {
  const dynamics::VehicleSnapshot& start = car->snapshot();
  sensors::SuiteSetup setup{.sensors = s.sensors, .seed = s.run.seed};
  setup.carrier.wheels = car->layout().wheels;
  for (const dynamics::VehicleSnapshot::Wheel& wheel : start.wheels)
    setup.carrier.wheel_positions.push_back(
        transpose_times(start.rotation, wheel.center - start.position));
  setup.carrier.rolling_radius = parts.facts.tire.rolling_radius;
  setup.carrier.gravity = parts.facts.gravity;
  // Steps end at samples and commands, too.
  setup.steps_per_second =
      1.5 * (1 / s.run.step + 1 / s.run.sample_interval + 1 / s.driver.sample_time);
  const Vector3 shift = find_frame_shift(s, parts);
  check_mounts(s, car->body_names());
  for (sensors::SensorSpec& spec : setup.sensors)
    spec.mount.pose.position += math::Vec3<double>(shift.x(), shift.y(), shift.z());
  if (parts.city) {
    setup.surroundings.extent = city::extent_of(*parts.city);
    setup.surroundings.add = [city = parts.city](const terrain::Box2& box, scene::Scene* scene) {
      city::add_to_scene(*city, box, scene);
    };
  }
  return sensors::SensorSuite(setup);
}

void note_views(sensors::SensorSuite* sensors, std::vector<std::string>* notes) {
  constexpr double kMuch = 0.4;
  for (std::size_t i = 0; i < sensors->size(); ++i) {
    const sensors::OwnView view = sensors->find_own_view(i);
    if (view.share < kMuch) continue;
    notes->push_back(concat("sensor[", i, "] \"", sensors->sensor(i).name(),
                            "\": ", short_text(100 * view.share, 3),
                            " % of its rays end at its own vehicle, the nearest after ",
                            short_text(view.nearest, 2), " m; is it mounted inside?"));
  }
}

}  // namespace camber::scenario
