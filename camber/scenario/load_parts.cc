#include "camber/scenario/load_parts.h"

#include <cmath>
#include <initializer_list>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/toml_reader.h"
#include "camber/dynamics/equipment_file.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/scenario/scenario_file.h"
#include "camber/terrain/terrain_file.h"
#include "camber/tire/hmmwv_tire.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::scenario {

namespace {

// A mass at a point joins the chassis: center and inertia about it.
void add_payload(const Payload& payload, vehicle::Part* chassis) {
  const Vector3 at(payload.at[0], payload.at[1], payload.at[2]);
  const double mass = chassis->mass + payload.mass;
  const Vector3 center = (chassis->mass * chassis->center + payload.mass * at) / mass;
  const auto about = [&](double m, const Vector3& r) {
    return Matrix3(m * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose()));
  };
  chassis->inertia +=
      about(chassis->mass, chassis->center - center) + about(payload.mass, at - center);
  chassis->mass = mass;
  chassis->center = center;
}

vehicle::Vehicle make_vehicle(const VehicleSetup& setup) {
  vehicle::Vehicle vehicle = vehicle::load_vehicle(setup.model);
  Diagnostics mistakes;
  if (vehicle.steering && vehicle.steering->motion)
    mistakes.error(find_key(setup.model, {"steering", "motion"}),
                   "must not be given in a drive: its driver steers");
  if (!vehicle.steering)
    mistakes.error(Position{.file = setup.model, .key = "steering"},
                   "is missing: a drive needs a vehicle that can be steered");
  if (vehicle.axles.size() != 2)
    mistakes.error(find_key(setup.model, {"axles"}),
                   concat("a drive needs 2 axles, front and rear, got ", vehicle.axles.size()));
  mistakes.throw_if_any();
  if (setup.center_of_mass_height) {
    const MassTotal total = find_total(expand(vehicle).mechanism);
    const double raise = *setup.center_of_mass_height - vehicle.height - total.center.z();
    vehicle.chassis.center.z() += raise * total.mass / vehicle.chassis.mass;
  }
  for (const Payload& payload : setup.payload) add_payload(payload, &vehicle.chassis);
  return vehicle;
}

/// The simple levels know one gravity.
void check_gravity(const VehicleSetup& setup, const vehicle::Vehicle& vehicle) {
  if (setup.level == VehicleLevel::kFull || vehicle.gravity == vehicle::Vehicle{}.gravity) return;
  throw ModelFileError(find_key(setup.model, {"gravity"}),
                       concat("must be [0, 0, -9.81] for vehicle.level = \"",
                              word_of(setup.level, kVehicleLevelWords), "\", or left out"));
}

tire::TireFile find_tire(const TireSetup& setup) {
  const bool rolls = setup.model == TireModel::kRelaxedRolling;
  const tire::RollingConstraint rolling{.friction = setup.friction, .slip_speed = setup.slip_speed};
  if (!setup.file.empty()) {
    tire::TireFile found = setup.file.ends_with(".tir") ? tire::load_tir_tire(setup.file)
                                                        : tire::load_tire(setup.file);
    if (rolls) {  // with the file's radius and spring
      found.tire.constraint = rolling;
      found.right.reset();
    }
    return found;
  }
  tire::TireFile found{.model = std::string(word_of(setup.model, kTireModelWords)),
                       .tire = tire::make_hmmwv_tire()};
  if (rolls) found.tire.constraint = rolling;
  if (setup.model == TireModel::kRigid) found.tire.vertical = tire::make_rim_spring();
  if (setup.model == TireModel::kFiala) found.tire.steady = tire::make_hmmwv_fiala();
  if (setup.model == TireModel::kBrush) found.tire.steady = tire::BrushTire{};
  return found;
}

terrain::Terrain make_terrain(const Ground& ground) {
  terrain::Terrain terrain;
  if (!ground.terrain.empty()) {
    terrain = terrain::load_terrain(ground.terrain);
    if (ground.soil_level != SoilLevel::kRigid && terrain.soils.empty())
      throw ModelFileError(Position{.file = ground.terrain, .key = "terrain.soil"},
                           concat("is missing: ground.soil_level = \"",
                                  word_of(ground.soil_level, kSoilLevelWords), "\" needs a soil"));
    terrain.friction.transform([&](double friction) { return ground.friction * friction; });
  } else {
    terrain.base = terrain::Plane{.slope_x = ground.slope * std::cos(ground.slope_heading),
                                  .slope_y = ground.slope * std::sin(ground.slope_heading)};
    terrain.friction = terrain::RegionMap<double>{ground.friction};
    if (ground.soil != "rigid") terrain.soils = {terrain::find_soil(ground.soil)};
  }
  if (ground.has_bearing_limit)
    for (terrain::Soil& soil : terrain.soils) soil.has_bearing_limit = true;
  terrain.bumps.insert(terrain.bumps.end(), ground.bumps.begin(), ground.bumps.end());
  return terrain;
}

// What a level leaves out although the scenario has it.
void note_unused(const Scenario& scenario, std::vector<std::string>* notes) {
  const VehicleLevel level = scenario.vehicle.level;
  if (level == VehicleLevel::kFull) return;
  const std::string_view word = word_of(level, kVehicleLevelWords);
  if (scenario.ground.soil_level != SoilLevel::kRigid)
    notes->push_back(concat("level ", word, " drives on rigid ground: the soil is not used"));
  if (level == VehicleLevel::kPointMass && scenario.vehicle.start.gear > 1)
    notes->push_back(concat("level ", word, " is always in the gear that goes with its speed: ",
                            "vehicle.start.gear of ", scenario.vehicle.start.gear, " is not used"));
  for (const StopCondition& stop : scenario.stops) {
    if (stop.kind == StopKind::kWheelLifted)
      notes->push_back(
          concat("level ", word, " has no single wheels: stop wheel_lifted does not ", "end it"));
  }
}

/// What stands in for equipment and tires that a scenario does not name is the HMMWV's: it must
/// suit.
void check_stand_ins(const Scenario& scenario, const DriveParts& parts,
                     std::vector<std::string>* notes) {
  Diagnostics mistakes;
  const std::string& model = scenario.vehicle.model;
  if (scenario.vehicle.equipment.empty() &&
      parts.vehicle.steering->type == vehicle::SteeringType::kRack)
    mistakes.error(find_key(model, {"steering", "type"}),
                   "is \"rack\", but the scenario names no vehicle.equipment, and the HMMWV's "
                   "steers by a pitman arm: expected vehicle.equipment = \"FILE\", such as "
                   "models/equipment/mcpherson-car.toml");
  constexpr double kClose = 0.02;
  for (const vehicle::Axle& axle : parts.vehicle.axles) {
    const double radius = parts.tire.tire.radius;
    if (std::abs(axle.wheel.radius - radius) <= kClose * axle.wheel.radius) continue;
    const Position place = find_key(model, {"axles", axle.name.c_str(), "wheel", "radius"});
    if (scenario.tire.file.empty()) {
      mistakes.error(place, concat("is ", axle.wheel.radius,
                                   " m, but the scenario names no "
                                   "tire.file, and the HMMWV's tire has ",
                                   radius,
                                   " m: expected tire.file = \"FILE\", such as "
                                   "models/tires/mcpherson-car.toml"));
    } else {
      notes->push_back(concat(place.file, ":", place.line, ": ", place.key, " is ",
                              axle.wheel.radius, " m; the tire's own of ", radius, " m is taken (",
                              scenario.tire.file, ")"));
    }
  }
  mistakes.throw_if_any();
}

/// A rim without a tire is for soil, a rolling constraint for a vehicle with wheels on hard ground.
void check_tire(const Scenario& scenario, const tire::TireFile& tire) {
  const bool is_on_soil = scenario.vehicle.level == VehicleLevel::kFull &&
                          scenario.ground.soil_level != SoilLevel::kRigid;
  const bool needs_tire = scenario.vehicle.level != VehicleLevel::kPointMass && !is_on_soil;
  if (tire.tire.constraint && (is_on_soil || scenario.vehicle.level == VehicleLevel::kSingleTrack))
    throw ModelFileError(find_key(scenario.tire.file, {"tire", "model"}),
                         "\"relaxed_rolling\" is for the full vehicle on rigid ground");
  if (!needs_tire || scenario.tire.file.empty() || tire.model != "rigid") return;
  throw ModelFileError(find_key(scenario.tire.file, {"tire", "model"}),
                       "\"rigid\" drives on soil only: ground.soil_level is \"rigid\"");
}

/// The first axle must be the front one.
void check_wheelbase(const Scenario& scenario, const vehicle::Vehicle& vehicle) {
  const double wheelbase = vehicle.axles[0].points.wheel.x() - vehicle.axles[1].points.wheel.x();
  if (wheelbase > 0) return;
  throw ModelFileError(
      find_key(scenario.vehicle.model, {"axles"}),
      concat("the first axle must be the front one; it is ", -wheelbase, " m behind the second"));
}

/// By a chassis whose coordinates are independent: one that is projected on its loops would move
/// all of them when the steering alone is displaced.
dynamics::SteeringMap make_map(const vehicle::VehicleMechanism& mechanism, double lock,
                               const std::string& equipment) {
  dynamics::MechanismChassis chassis(mechanism, multibody::Formulation::kCe);
  const std::vector<double> start(chassis.initial_q().begin(), chassis.initial_q().end());
  try {
    return make_steering_map(start, lock, &chassis);
  } catch (const std::invalid_argument& error) {
    if (equipment.empty())
      throw SettingError("vehicle.equipment",
                         concat("is missing, and with the HMMWV's, whose steering.lock is ", lock,
                                " rad, ", error.what()));
    throw ModelFileError(find_key(equipment, {"steering", "lock"}), error.what());
  }
}

}  // namespace

Position find_key(const std::string& path, std::initializer_list<const char*> keys) {
  if (path.ends_with(".tir")) return {.file = path};
  TomlFile file = load_toml(path);
  TomlNode node = file.root();
  for (const char* key : keys) {
    node = node.find(key);
    if (!node) return {.file = path, .key = key};
  }
  return node.position();
}

MassTotal find_total(const multibody::Mechanism& mechanism) {
  MassTotal total;
  for (const multibody::Body& body : mechanism.bodies) {
    total.mass += body.mass;
    total.center += body.mass * body.p_BoBcm_B;
  }
  total.center /= total.mass;
  for (const multibody::Body& body : mechanism.bodies) {
    const Vector3 r = body.p_BoBcm_B - total.center;
    total.yaw_inertia += body.I_BBcm_B(2, 2) + body.mass * (r.x() * r.x() + r.y() * r.y());
  }
  return total;
}

std::shared_ptr<const DriveParts> load_parts(const Scenario& scenario) {
  const auto shared = std::make_shared<DriveParts>();
  DriveParts& parts = *shared;
  parts.notes = scenario.notes;
  std::vector<Diagnostic> mistakes;
  const auto load = [&](const char* part, const auto& read) {
    const FileWatch watch;
    try {
      read();
    } catch (const ModelFileError& error) {
      mistakes.insert(mistakes.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
    for (const std::string& path : watch.paths()) parts.files.push_back({part, path});
  };
  load("vehicle", [&] {
    parts.vehicle = make_vehicle(scenario.vehicle);
    check_gravity(scenario.vehicle, parts.vehicle);
  });
  load("equipment", [&] {
    const std::string& path = scenario.vehicle.equipment;
    parts.equipment =
        path.empty() ? dynamics::make_hmmwv_equipment() : dynamics::load_equipment(path);
  });
  load("tire", [&] {
    parts.tire = find_tire(scenario.tire);
    parts.notes.insert(parts.notes.end(), parts.tire.notes.begin(), parts.tire.notes.end());
    check_tire(scenario, parts.tire);
  });
  load("terrain", [&] {
    parts.terrain = std::make_shared<const terrain::Terrain>(make_terrain(scenario.ground));
  });
  if (!mistakes.empty()) throw ModelFileError(std::move(mistakes));
  check_stand_ins(scenario, parts, &parts.notes);
  note_unused(scenario, &parts.notes);
  parts.mechanism = expand(parts.vehicle);
  parts.total = find_total(parts.mechanism.mechanism);
  check_wheelbase(scenario, parts.vehicle);
  parts.steering_map =
      make_map(parts.mechanism, parts.equipment.steering.lock, scenario.vehicle.equipment);
  return shared;
}

}  // namespace camber::scenario
