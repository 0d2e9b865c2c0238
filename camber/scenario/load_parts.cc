#include "camber/scenario/load_parts.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <utility>

#include "camber/city/city_file.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/core/toml_reader.h"
#include "camber/dynamics/equipment_file.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/scenario/plausible.h"
#include "camber/scenario/scenario_file.h"
#include "camber/scenario/start_check.h"
#include "camber/terrain/terrain_file.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::scenario {

namespace {

// Adds a point mass to the chassis: mass, center and inertia about the center.
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

vehicle::Vehicle make_vehicle(const Scenario& scenario) {
  const VehicleSetup& setup = scenario.vehicle;
  vehicle::Vehicle vehicle =
      vehicle::load_vehicle(setup.model, scenario.source.overrides, "vehicle");
  Diagnostics mistakes;
  if (vehicle.steering && vehicle.steering->motion)
    mistakes.error(find_key(scenario, "vehicle", setup.model, {"steering", "motion"}),
                   "must not be given in a drive: the driver steers");
  if (!vehicle.steering)
    mistakes.error(Position{.file = setup.model, .key = "steering"},
                   "is missing: a drive needs a vehicle that can be steered");
  if (vehicle.axles.size() < 2)
    mistakes.error(find_key(scenario, "vehicle", setup.model, {"axles"}),
                   concat("a drive needs at least 2 axles, got ", vehicle.axles.size()));
  mistakes.throw_if_any();
  if (setup.center_of_mass_height) {
    const dynamics::MassTotal total = dynamics::find_total(expand(vehicle));
    const double raise = *setup.center_of_mass_height - vehicle.height - total.center.z();
    vehicle.chassis.center.z() += raise * total.mass / vehicle.chassis.mass;
  }
  for (const Payload& payload : setup.payload) add_payload(payload, &vehicle.chassis);
  return vehicle;
}

/// Gravity of a drive points down.
void check_gravity(const Scenario& scenario, const vehicle::Vehicle& vehicle) {
  const VehicleSetup& setup = scenario.vehicle;
  const Vector3& g = vehicle.gravity;
  if (setup.level == VehicleLevel::kFull || (g.x() == 0 && g.y() == 0 && g.z() < 0)) return;
  throw ModelFileError(find_key(scenario, "vehicle", setup.model, {"gravity"}),
                       concat("must be [0, 0, -g] for vehicle.level = \"",
                              word_of(setup.level, kVehicleLevelWords), "\""));
}

/// The tire of the scenario on all wheels, or those that the vehicle's file names. The models
/// "rigid" and "relaxed_rolling" take their size and spring.
dynamics::VehicleTires find_tires(const Scenario& scenario, const vehicle::Vehicle& vehicle) {
  const TireSetup& setup = scenario.tire;
  const bool rolls = setup.model == TireModel::kRelaxedRolling;
  const tire::RollingConstraint rolling{.friction = setup.friction, .slip_speed = setup.slip_speed};
  if (!setup.file.empty()) {
    const Overrides& overrides = scenario.source.overrides;
    const bool is_tir = setup.file.ends_with(".tir");
    if (is_tir) overrides.refuse("tire", "a .tir file has no keys that --set could change");
    tire::TireFile found =
        is_tir ? tire::load_tir_tire(setup.file) : tire::load_tire(setup.file, overrides, "tire");
    if (rolls) {  // with the file's radius and spring
      found.tire.constraint = rolling;
      found.right.reset();
    }
    return dynamics::share_tire(vehicle, found, setup.file);
  }
  for (const vehicle::Axle& axle : all_axles(vehicle)) {
    if (!axle.tire.empty()) continue;
    throw ModelFileError(
        find_key(scenario, "vehicle", scenario.vehicle.model, {"axles", axle.name.c_str()}),
        "names no tire, nor does the scenario: expected tire = \"FILE\" here, or "
        "tire.file = \"FILE\" in the scenario");
  }
  dynamics::VehicleTires tires = dynamics::load_tires(vehicle, scenario.source.overrides, "tire");
  const bool is_rigid = setup.model == TireModel::kRigid;
  if (!setup.has_model) return tires;
  const std::string word(word_of(setup.model, kTireModelWords));
  for (std::size_t i = 0; i < tires.wheels.size(); ++i) {
    dynamics::WheelTire& wheel = tires.wheels[i];
    if (wheel.model == word) continue;
    if (!rolls && !is_rigid)
      throw SettingError("tire.model",
                         concat("is \"", word, "\", but ", wheel.file, ", which ",
                                scenario.vehicle.model, " names, is of \"", wheel.model,
                                "\": expected the same, no tire.model, or a tire.file"));
    tire::RollingTire changed = *wheel.tire;
    if (rolls) changed.constraint = rolling;
    if (is_rigid) changed.vertical = tire::make_rim_spring();
    wheel.model = word;
    wheel.tire = i > 0 && tires.wheels[i - 1].file == wheel.file
                     ? tires.wheels[i - 1].tire
                     : std::make_shared<const tire::RollingTire>(std::move(changed));
  }
  return tires;
}

terrain::Terrain make_terrain(const Scenario& scenario, const city::City* city) {
  const Ground& ground = scenario.ground;
  terrain::Terrain terrain;
  if (city != nullptr) {
    terrain = city::make_terrain(*city);
    terrain.friction.transform([&](double friction) { return ground.friction * friction; });
  } else if (!ground.terrain.empty()) {
    terrain = terrain::load_terrain(ground.terrain, scenario.source.overrides, "terrain");
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

/// The wheel radius of the vehicle's file is for rigs and modes; a drive takes that of the tire.
void note_radii(const Scenario& scenario, const DriveParts& parts,
                std::vector<std::string>* notes) {
  constexpr double kClose = 0.02;
  std::size_t wheel = 0;
  for (const vehicle::Axle& axle : parts.vehicle.axles) {
    const dynamics::WheelTire& tire = parts.tires.wheels[wheel];
    wheel += axle.is_mirrored ? 2 : 1;
    const double radius = tire.tire->radius;
    if (std::abs(axle.wheel.radius - radius) <= kClose * axle.wheel.radius) continue;
    const Position place = find_key(scenario, "vehicle", scenario.vehicle.model,
                                    {"axles", axle.name.c_str(), "wheel", "radius"});
    notes->push_back(concat(place.file, ":", place.line, ": ", place.key, " is ", axle.wheel.radius,
                            " m; the tire's radius of ", radius, " m is used (", tire.file, ")"));
  }
}

/// So are its vertical stiffness and damping: a drive takes the tire's, which must be the same ones
/// where the vehicle's file names the tire itself. The tire's stiffness at the load is the slope of
/// its curve or, for a vehicle that is to stand as deep, load over deflection.
void note_springs(const Scenario& scenario, const DriveParts& parts,
                  std::vector<std::string>* notes) {
  constexpr double kClose = 0.1;
  std::size_t first = 0;
  for (std::size_t i = 0; i < parts.vehicle.axles.size(); ++i) {
    const vehicle::Axle& axle = parts.vehicle.axles[i];
    const dynamics::AxleFacts& facts = parts.facts.axles[i];
    const dynamics::WheelTire& wheel = parts.tires.wheels[first];
    first += axle.is_mirrored ? 2 : 1;
    if (wheel.file != axle.tire || !(facts.static_load > 0)) continue;
    const int on_hub = axle.dual_spacing > 0 ? 2 : 1;
    const tire::VerticalLaw& law = wheel.tire->vertical;
    const double load = facts.static_load / facts.tires;
    const double deflection = find_deflection(law, load), step = 0.01 * deflection;
    const double slope = (calc_static_load(law, deflection + step) - load) / step * on_hub,
                 secant = load / deflection * on_hub, damping = law.damping * on_hub;
    const auto note = [&](const char* key, double value, double tires, const char* unit,
                          const std::string& where) {
      const Position place = find_key(scenario, "vehicle", scenario.vehicle.model,
                                      {"axles", axle.name.c_str(), "wheel", key});
      notes->push_back(concat(place.file, ":", place.line, ": ", place.key, " is ",
                              short_text(value), " ", unit, ", for modes and rigs; drives use ",
                              short_text(tires, 3), " ", unit, where, ", of ", wheel.file));
    };
    const double stiffness = axle.wheel.vertical_stiffness;
    const auto [low, high] = std::minmax(slope, secant);
    if (stiffness > 0 && (stiffness < (1 - kClose) * low || stiffness > (1 + kClose) * high))
      note("vertical_stiffness", stiffness, slope, "N/m",
           concat(" at a load of ", short_text(load * on_hub, 3), " N"));
    const double damper = axle.wheel.vertical_damping;
    if (damper > 0 && std::abs(damper - damping) > kClose * damper)
      note("vertical_damping", damper, damping, "N s/m", "");
  }
}

/// A rigid wheel has no slip: it drives only where soil gives the forces. A rolling constraint
/// needs the single wheels of a full vehicle, and rigid ground. Mistakes are at tire.model if the
/// scenario names it, otherwise in the tire's file.
void check_tires(const Scenario& scenario, const dynamics::VehicleTires& tires) {
  const VehicleLevel level = scenario.vehicle.level;
  const bool is_on_soil =
      level == VehicleLevel::kFull && scenario.ground.soil_level != SoilLevel::kRigid;
  const bool can_constrain = !is_on_soil && level != VehicleLevel::kSingleTrack;
  const bool needs_slip = !is_on_soil && level != VehicleLevel::kPointMass;
  const auto find_model = [&](const dynamics::WheelTire& wheel, bool is_named) {
    return is_named ? find_place(scenario.source, "tire.model")
                    : find_key(scenario, "tire", wheel.file, {"tire", "model"});
  };
  const bool has_model = scenario.tire.has_model;
  for (const dynamics::WheelTire& wheel : tires.wheels) {
    if (wheel.tire->constraint && !can_constrain)
      throw ModelFileError(
          find_model(wheel, has_model),
          "\"relaxed_rolling\" is for the full vehicle on rigid ground: expected vehicle.level = "
          "\"full\" and soil that does not yield, or another tire");
    if (wheel.model == "rigid" && needs_slip)
      throw ModelFileError(
          find_model(wheel, has_model && scenario.tire.model == TireModel::kRigid),
          "\"rigid\" does not drive on rigid ground: expected tmeasy, fiala, brush, magic_formula "
          "or relaxed_rolling");
  }
}

/// Made with a chassis of independent coordinates: one that is projected onto its loop constraints
/// would move all coordinates if the steering alone is displaced.
dynamics::SteeringMap make_map(const Scenario& scenario, const DriveParts& parts,
                               const std::string& equipment, SteeringMaps* maps) {
  const double lock = parts.equipment.steering.lock;
  if (maps != nullptr)
    if (const auto known = maps->find(*parts.embedded, lock)) return *known;
  dynamics::MechanismChassis chassis = *parts.embedded;
  const std::vector<double> start(chassis.initial_q().begin(), chassis.initial_q().end());
  try {
    dynamics::SteeringMap map = make_steering_map(start, lock, &chassis);
    if (maps != nullptr) maps->add(parts.embedded, lock, map);
    return map;
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(find_key(scenario, "equipment", equipment, {"steering", "lock"}),
                         error.what());
  }
}

/// Code that is not in the library is compiled, which needs a compiler and a folder.
std::shared_ptr<const dynamics::GeneratedChassis> make_generated(const DriveParts& parts) {
  const auto fail = [](const std::exception& error) {
    return SettingError("vehicle.formulation",
                        concat("\"generated\" is not possible: ", error.what(),
                               ". \"ce\" drives this vehicle without compiled code"));
  };
  try {
    return std::make_shared<const dynamics::GeneratedChassis>(parts.mechanism, *parts.embedded);
  } catch (const mechanism_code::CompileError& error) {
    throw fail(error);
  } catch (const FileError& error) {
    throw fail(error);
  }
}

/// Where the body may touch the ground: not where its wheels are.
std::vector<math::Vec3<double>> find_underside(const DriveParts& parts) {
  std::vector<dynamics::WheelRoom> rooms;
  for (std::size_t k = 0; k < parts.mechanism.corners.size(); ++k) {
    const vehicle::Corner& corner = parts.mechanism.corners[k];
    const tire::RollingTire& tire = *parts.tires.wheels[k].tire;
    rooms.push_back({.x = corner.points.wheel.x(),
                     .y = corner.points.wheel.y(),
                     .radius = tire.radius,
                     .half_width = 0.5 * (tire.width + corner.dual_spacing)});
  }
  return dynamics::find_underside(parts.vehicle.shape, rooms);
}

}  // namespace

Position find_key(const Scenario& scenario, std::string_view part, const std::string& path,
                  std::initializer_list<const char*> keys) {
  if (path.ends_with(".tir")) return {.file = path};
  TomlFile file = load_toml(path, scenario.source.overrides, part);
  TomlNode node = file.root();
  for (const char* key : keys) {
    node = node.find(key);
    if (!node) return {.file = path, .key = key};
  }
  return node.position();
}

std::shared_ptr<const DriveParts> load_parts(const Scenario& scenario,
                                             const std::shared_ptr<const terrain::Terrain>& terrain,
                                             SteeringMaps* maps) {
  const auto shared = std::make_shared<DriveParts>();
  DriveParts& parts = *shared;
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
    parts.vehicle = make_vehicle(scenario);
    check_gravity(scenario, parts.vehicle);
  });
  load("equipment", [&] {
    const std::string& own = scenario.vehicle.equipment;
    const std::string& path = own.empty() ? parts.vehicle.equipment : own;
    if (parts.vehicle.axles.empty()) return;  // the vehicle could not be read
    if (path.empty())
      throw ModelFileError(Position{.file = scenario.vehicle.model, .key = "equipment"},
                           "is missing, and the scenario names no vehicle.equipment: expected "
                           "equipment = \"FILE\"");
    parts.equipment = dynamics::load_equipment(path, dynamics::number_wheels(parts.vehicle),
                                               scenario.source.overrides, "equipment");
  });
  load("tire", [&] {
    if (parts.vehicle.axles.empty()) return;
    parts.tires = find_tires(scenario, parts.vehicle);
    parts.notes.insert(parts.notes.end(), parts.tires.notes.begin(), parts.tires.notes.end());
    check_tires(scenario, parts.tires);
  });
  parts.terrain = terrain;
  if (!terrain) {
    load("city", [&] {
      const std::string& path = scenario.ground.city;
      if (path.empty()) return;
      parts.city = std::make_shared<const city::City>(
          city::load_city(path, scenario.source.overrides, "city"));
      if (!parts.city->attribution.empty()) parts.notes.push_back(parts.city->attribution);
    });
    load("terrain", [&] {
      if (!scenario.ground.city.empty() && !parts.city) return;  // it could not be read
      parts.terrain =
          std::make_shared<const terrain::Terrain>(make_terrain(scenario, parts.city.get()));
    });
  }
  if (!mistakes.empty()) throw ModelFileError(std::move(mistakes));
  note_radii(scenario, parts, &parts.notes);
  parts.mechanism = expand(parts.vehicle);
  parts.total = dynamics::find_total(parts.mechanism);
  check_center(scenario, parts, parts.total);
  const std::string& own = scenario.vehicle.equipment;
  parts.embedded = std::make_shared<const dynamics::MechanismChassis>(parts.mechanism,
                                                                      multibody::Formulation::kCe);
  parts.steering_map = make_map(scenario, parts, own.empty() ? parts.vehicle.equipment : own, maps);
  parts.facts =
      make_vehicle_facts(parts.vehicle, parts.mechanism, parts.tires, &parts.steering_map);
  parts.facts.steering_ratio = parts.equipment.steering.ratio * parts.steering_map.center_slope();
  parts.underside = find_underside(parts);
  note_springs(scenario, parts, &parts.notes);
  for (std::string& note : find_unlikely(parts)) parts.notes.push_back(std::move(note));
  if (scenario.vehicle.level == VehicleLevel::kFull &&
      scenario.vehicle.formulation == Formulation::kGenerated && !parts.mechanism.hitch.valid())
    parts.generated = make_generated(parts);
  return shared;
}

}  // namespace camber::scenario
