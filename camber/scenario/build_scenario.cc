#include "camber/scenario/build_scenario.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "camber/city/traffic.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/dynamics/full_vehicle.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/preview_tuning.h"
#include "camber/dynamics/simple_ground.h"
#include "camber/dynamics/simple_vehicles.h"
#include "camber/dynamics/tire_figures.h"
#include "camber/scenario/build_driver.h"
#include "camber/scenario/build_goal_pilot.h"
#include "camber/scenario/build_sensors.h"
#include "camber/scenario/notes.h"
#include "camber/scenario/scenario_file.h"
#include "camber/scenario/start_check.h"
#include "camber/vehicle/expand.h"

namespace camber::scenario {

namespace {

constexpr double kSpacingShare = 0.25;  // of a soil grid's spacing in the tire's width, at most

dynamics::RigidGround make_rigid_ground(const TireSetup& setup, const tire::RollingTire& tire) {
  dynamics::RigidGround ground{.tire = tire};
  ground.contact.mode = setup.contact;
  return ground;
}

/// Gives the tread the compliance that the tire has on a road, by load and by slip.
void give_tread(const Scenario& scenario, const std::string& file, const tire::RollingTire& tire,
                double load, dynamics::SoilGround* ground) {
  ground->tire = tire.vertical;
  try {
    ground->tread =
        terrain::fit_tread(tire.vertical.deflection, tire.vertical.force, tire.radius, tire.width);
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(find_key(scenario, "tire", file, {"tire", "vertical"}), error.what());
  }
  const auto slip = std::visit(
      [&](const auto& model) { return calc_slip_stiffness(model, load, 1.0); }, tire.steady);
  const double half_length = std::sqrt(2 * tire.radius * find_deflection(tire.vertical, load));
  ground->stiffness_along = dynamics::tread_stiffness(slip.Kx, half_length, tire.width);
  ground->stiffness_across = dynamics::tread_stiffness(slip.Ky, half_length, tire.width);
}

/// The tire's stiffness at the load that it carries at rest, and its slip compliance there.
terrain::LumpedTire make_lumped_tire(const tire::RollingTire& tire, bool is_rigid, double load) {
  const auto& law = tire.vertical;
  const double part = 0.05 * load;
  const dynamics::Grip grip = dynamics::find_grip(tire, load, 1);
  terrain::LumpedTire lumped{
      .stiffness =
          2 * part / (find_deflection(law, load + part) - find_deflection(law, load - part)),
      .damping = law.damping,
      .friction = std::max(grip.along, grip.across),
      .rolling_resistance = tire.rolling_resistance};
  if (is_rigid) return lumped;
  const auto slip = std::visit(
      [&](const auto& model) { return calc_slip_stiffness(model, load, 1.0); }, tire.steady);
  lumped.compliance_along = 1 / slip.Kx;
  lumped.compliance_across = 1 / slip.Ky;
  lumped.relaxation_along = tire.relaxation_along;
  lumped.relaxation_across = tire.relaxation_across;
  return lumped;
}

dynamics::LumpedGround make_lumped_ground(const Scenario& scenario, const terrain::Terrain& terrain,
                                          const tire::RollingTire& tire, double wheel_load) {
  dynamics::LumpedGround ground;
  ground.contact.mode = scenario.tire.contact;
  const terrain::LumpedTire lumped =
      make_lumped_tire(tire, scenario.tire.model == TireModel::kRigid, wheel_load);
  for (const terrain::Soil& soil : terrain.soils) {
    try {
      ground.soils.push_back(
          make_lumped_soil(soil, {.radius = tire.radius, .width = tire.width}, lumped, wheel_load));
    } catch (const std::invalid_argument& error) {
      const std::string& file = scenario.ground.terrain;
      const std::string message =
          concat(error.what(),
                 "; expected a soil that does, wider tires, a lighter vehicle, or "
                 "ground.soil_level = \"grid\", where a tire flattens");
      if (file.empty()) throw SettingError("ground.soil", message);
      throw ModelFileError(find_key(scenario, "terrain", file, {"terrain", "soil"}), message);
    }
  }
  return ground;
}

// On a soil grid the tire has its own spring and tread; the soil gives the forces of the ground.
dynamics::GroundModel make_ground_model(const Scenario& scenario, const terrain::Terrain& terrain,
                                        const dynamics::WheelTire& wheel, double wheel_load) {
  const tire::RollingTire& tire = *wheel.tire;
  switch (scenario.ground.soil_level) {
    case SoilLevel::kRigid:
      break;
    case SoilLevel::kGrid: {
      dynamics::SoilGround ground;
      const double coarsest = kSpacingShare * tire.width;
      if (scenario.ground.soil_spacing > coarsest)
        throw SettingError(
            "ground.soil_spacing",
            concat("must be at most ", coarsest, " m, ", kSpacingShare, " of the tire's width of ",
                   tire.width, " m: the sinkage of a wheel on fewer nodes is wrong; got ",
                   scenario.ground.soil_spacing, " m"));
      ground.wheel = {tire.radius, tire.width};
      if (scenario.tire.model != TireModel::kRigid)
        give_tread(scenario, wheel.file, tire, wheel_load, &ground);
      ground.rolling_resistance = tire.rolling_resistance;
      ground.grid.spacing = scenario.ground.soil_spacing;
      return ground;
    }
    case SoilLevel::kLumped: {
      return make_lumped_ground(scenario, terrain, tire, wheel_load);
    }
  }
  return make_rigid_ground(scenario.tire, tire);
}

/// A ground model per tire; equal tires share one.
std::vector<std::shared_ptr<const dynamics::GroundModel>> make_ground_models(
    const Scenario& scenario, const terrain::Terrain& terrain, const dynamics::VehicleTires& tires,
    const vehicle::VehicleMechanism& mechanism, double tire_load) {
  std::map<const tire::RollingTire*, std::shared_ptr<const dynamics::GroundModel>> made;
  std::vector<std::shared_ptr<const dynamics::GroundModel>> models;
  for (std::size_t i = 0; i < tires.wheels.size(); ++i) {
    const dynamics::WheelTire& wheel = tires.wheels[i];
    auto& model = made[wheel.tire.get()];
    if (!model)
      model = std::make_shared<const dynamics::GroundModel>(
          make_ground_model(scenario, terrain, wheel, tire_load));
    models.insert(models.end(), mechanism.corners[i].dual_spacing > 0 ? 2 : 1, model);
  }
  return models;
}

/// Calls `look`, which reads the ground: a map that cannot be read there is a mistake in its file.
template <class Look>
auto look_at_ground(const Scenario& scenario, const Look& look) {
  try {
    return look();
  } catch (const FileError& error) {
    if (scenario.ground.terrain.empty()) throw;
    throw ModelFileError(
        find_key(scenario, "terrain", scenario.ground.terrain, {"terrain", "file"}), error.what());
  }
}

bool wants_energy(const Scenario& scenario) {
  for (const figures::FigureRequest& figure : scenario.figures)
    if (figure.figure.starts_with("energy")) return true;
  return false;
}

/// A wheel's inertia about its axis [kg m^2].
double find_wheel_inertia(const vehicle::VehicleMechanism& mechanism,
                          const vehicle::Corner& corner) {
  const Vector3 axis = corner.wheel_axis.normalized();
  return axis.dot(mechanism.mechanism.bodies[corner.wheel.value].I_BBcm_B * axis);
}

std::vector<dynamics::Accelerometer> find_accelerometers(
    const Scenario& scenario, const vehicle::VehicleMechanism& mechanism) {
  std::vector<dynamics::Accelerometer> found;
  for (const LogSetup::Accelerometer& place : scenario.log.accelerometers) {
    const multibody::BodyIndex body = mechanism.mechanism.find_body(place.body);
    if (!body.valid() || body == multibody::kWorld) {
      std::vector<std::string> bodies;
      for (const multibody::Body& known : mechanism.mechanism.bodies) bodies.push_back(known.name);
      bodies.erase(bodies.begin());  // the world
      throw SettingError(
          concat("log.accelerometer[", found.size(), "].body"),
          concat("the vehicle has no body \"", place.body, "\"", did_you_mean(place.body, bodies)));
    }
    found.push_back({place.name, body, {place.at[0], place.at[1], place.at[2]}});
  }
  return found;
}

dynamics::FullVehicleOptions make_options(const Scenario& scenario, const DriveParts& parts) {
  dynamics::FullVehicleOptions options;
  options.step = scenario.run.step;
  options.method = scenario.run.method;
  options.start = scenario.vehicle.start;
  options.parking_brake = scenario.driver.has_parking_brake ? 1 : 0;
  options.center_of_mass = parts.vehicle.chassis.center;
  options.mass_center = parts.facts.center;
  options.steering_map = parts.steering_map;
  options.middle = parts.facts.middle;
  options.body_contact = dynamics::BodyContact(
      parts.underside,
      dynamics::make_body_contact_law(parts.facts.total_mass() * parts.facts.gravity));
  options.has_energy = wants_energy(scenario);
  options.has_inner_forces = scenario.log.has_forces;
  options.accelerometers = find_accelerometers(scenario, parts.mechanism);
  options.embedded = parts.embedded;
  return options;
}

/// With the controllers that the scenario asks for.
dynamics::Equipment add_assist(const VehicleSetup& setup, dynamics::Equipment equipment) {
  for (const std::string& word : setup.assist) {
    if (word == "abs" && !equipment.abs) equipment.abs.emplace();
    if (word == "tcs" && !equipment.tcs) equipment.tcs.emplace();
    if (word == "esc" && !equipment.esc) equipment.esc.emplace();
  }
  return equipment;
}

std::unique_ptr<dynamics::Vehicle> make_full_vehicle(const Scenario& scenario,
                                                     const DriveParts& parts) {
  const auto ground = make_ground_models(scenario, *parts.terrain, parts.tires, parts.mechanism,
                                         parts.facts.tire_load);
  const dynamics::FullVehicleOptions options = make_options(scenario, parts);
  dynamics::Equipment equipment = add_assist(scenario.vehicle, parts.equipment);
  equipment.steering.turns_freely = scenario.driver.hands_off_after.has_value();
  if (equipment.steering.turns_freely && equipment.steering.wheel_inertia == 0)
    throw SettingError("driver.steering.hands_off_after",
                       "the vehicle's equipment has no steering.wheel_inertia: a wheel without it "
                       "cannot be let go");
  const auto make = [&](auto chassis) -> std::unique_ptr<dynamics::Vehicle> {
    using Chassis = decltype(chassis);
    return look_at_ground(scenario, [&] {
      return std::make_unique<dynamics::FullVehicle<Chassis>>(
          std::move(chassis), &parts.mechanism, std::move(equipment),
          dynamics::Ground(parts.terrain.get(), ground), options);
    });
  };
  switch (scenario.vehicle.formulation) {
    case Formulation::kGenerated:
      return make(dynamics::GeneratedChassis(*parts.generated));
    case Formulation::kCe:
      return make(dynamics::MechanismChassis(*parts.embedded));
    case Formulation::kTa:
      return make(dynamics::MechanismChassis(parts.mechanism, multibody::Formulation::kTa));
    case Formulation::kFa:
      break;
  }
  return make(dynamics::MechanismChassis(parts.mechanism, multibody::Formulation::kFa));
}

/// A vehicle of the levels "single_track" and "point_mass".
std::unique_ptr<dynamics::Vehicle> make_simple_vehicle(const Scenario& scenario,
                                                       const DriveParts& parts) {
  if (scenario.driver.hands_off_after)
    throw SettingError("driver.steering.hands_off_after",
                       "vehicle.level: this level has no steering wheel; expected \"full\"");
  const dynamics::Start& start = scenario.vehicle.start;
  const dynamics::SimpleVehicleOptions options{
      .step = scenario.run.step,
      .start = start,
      .parking_brake = scenario.driver.has_parking_brake ? 1.0 : 0.0,
      .steering_ratio = parts.facts.steering_ratio};
  if (scenario.vehicle.level == VehicleLevel::kPointMass)
    return make_point_mass_vehicle(
        dynamics::make_point_mass(parts.facts, parts.equipment, start.is_low_range,
                                  std::min(1, start.gear)),
        options, parts.terrain.get());
  if (parts.equipment.driveline.coupling)
    throw SettingError("vehicle.level",
                       "a clutch or an electric motor needs \"full\" or \"point_mass\"");
  return make_single_track_vehicle(
      dynamics::make_single_track(parts.facts, parts.equipment, parts.tires), options,
      parts.terrain.get());
}

/// What the vehicle covers of the ground, about the point midway between its axles.
vehicle::Outline make_outline(const dynamics::VehicleFacts& facts) {
  const double middle = facts.center.x() + 0.5 * (facts.front.distance - facts.rear.distance);
  vehicle::Outline outline = facts.outline;
  outline.front -= middle;
  outline.rear -= middle;
  return outline;
}

/// Throws if the vehicle starts in a trunk, in another vehicle or in a thing.
void check_clearance(const Scenario& scenario, int vehicle, world::World* world) {
  if (!world->has_obstacles(vehicle)) return;
  const world::Nearest nearest = world->find_nearest(vehicle);
  if (nearest.clearance > 0) return;
  const dynamics::Start& start = scenario.vehicle.start;
  throw dynamics::StandError(concat("the vehicle does not stand at x = ", start.x,
                                    " m, y = ", start.y, " m: there is ", nearest.what,
                                    "; expected another place"));
}

void note_residual(const dynamics::Vehicle& vehicle, std::vector<std::string>* notes) {
  constexpr double kNegligible = 1e-6;  // [m/s^2]
  if (vehicle.rest_residual() < kNegligible) return;
  notes->push_back(concat("vehicle.start: the vehicle starts with accelerations of ",
                          short_text(vehicle.rest_residual(), 2),
                          " m/s^2: the search for its equilibrium does not get closer"));
}

/// Treads and brakes of wheels at rest are stiff: steps that are too long for them let the vehicle creep.
void note_long_step(const Scenario& s, const DriveParts& parts,
                    const dynamics::VehicleSnapshot& start, std::vector<std::string>* notes) {
  if (s.ground.soil_level != SoilLevel::kRigid || parts.tires.wheels[0].tire->constraint) return;
  constexpr double kMargin = 0.95;  // loads change
  const double friction = parts.terrain->friction.at(s.vehicle.start.x, s.vehicle.start.y);
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < start.wheels.size(); ++i) {
    const double load = start.wheels[i].load;
    if (load <= 0 || friction <= 0) continue;
    const vehicle::Corner& corner = parts.mechanism.corners[i];
    // The tires of a hub share its load and hold its inertia together.
    const double tires = corner.dual_spacing > 0 ? 2 : 1;
    driveline::Brake brake = parts.equipment.brakes.at(i);
    brake.capacity /= tires;
    const double step = find_longest_standing_step(
        *parts.tires.wheels[i].tire, load / tires, friction,
        find_wheel_inertia(parts.mechanism, corner) / tires, brake, s.run.method);
    longest = std::min(longest, kMargin * step);
  }
  // Steps end at samples, and where the driver gives a command.
  const double gap = std::min(s.driver.sample_time, s.run.sample_interval);
  const double step = gap / std::ceil(gap / s.run.step * (1 - 1e-9));
  if (step <= longest) return;
  const double rounded = std::floor(longest * 1e4) / 1e4;
  notes->push_back(concat("run.step: steps of ", short_text(step, 3),
                          " s are too long for tires at rest: where the vehicle stops it may "
                          "creep or shake; steps up to ",
                          short_text(rounded > 0 ? rounded : longest, 2), " s hold it"));
}

/// Contacts at one or four points do not see a vertical edge; an envelope does, up to the height of
/// the wheel's center.
void note_edges(const Scenario& s, const terrain::Terrain& terrain, double radius,
                std::vector<std::string>* notes) {
  if (s.ground.soil_level == SoilLevel::kGrid) return;
  const bool has_envelope = s.tire.contact == dynamics::ContactMode::kEnvelope;
  for (const terrain::Bump& bump : terrain.bumps) {
    const bool is_edge = (bump.shape == terrain::BumpShape::kStep && bump.rise == 0) ||
                         (bump.shape == terrain::BumpShape::kRamp && bump.fall == 0);
    const bool is_round = bump.shape == terrain::BumpShape::kHalfRound && !has_envelope;
    const double height = std::abs(bump.height);
    if (!(is_edge || is_round) || height == 0 || (has_envelope && height <= radius)) continue;
    notes->push_back(concat(
        "the ground has a ", is_round ? "half-round" : "vertical edge", " of ",
        short_text(height, 3), " m at x = ", short_text(bump.x), " m: tire.contact = \"",
        word_of(s.tire.contact, kContactModeWords),
        has_envelope
            ? concat("\" sees edges up to the tire's radius of ", short_text(radius, 3), " m")
            : std::string("\" does not see it, and a wheel jumps up there; expected "
                          "\"envelope\", or an edge with a rise")));
    return;
  }
}

/// If the scenario does not name it, the tire model is that of the vehicle's tires.
void take_tire_model(const DriveParts& parts, TireSetup* tire) {
  if (tire->has_model) return;
  const auto* word = std::find(std::begin(kTireModelWords), std::end(kTireModelWords),
                               parts.tires.wheels[0].model);
  if (word != std::end(kTireModelWords))
    tire->model = static_cast<TireModel>(word - std::begin(kTireModelWords));
}

/// Code is not generated for every vehicle. If the scenario does not name a formulation, such a
/// vehicle takes "ce".
void take_formulation(const DriveParts& parts, VehicleSetup* vehicle,
                      std::vector<std::string>* notes) {
  if (vehicle->level != VehicleLevel::kFull || vehicle->formulation != Formulation::kGenerated)
    return;
  if (!parts.mechanism.hitch.valid()) return;
  const std::string why = "code is not generated for a vehicle with a trailer";
  if (vehicle->has_formulation)
    throw SettingError("vehicle.formulation", why + ": expected \"ce\", \"ta\" or \"fa\"");
  vehicle->formulation = Formulation::kCe;
  notes->push_back(concat("vehicle.formulation is \"ce\": ", why));
}

/// A scenario that does not name a gear starts in the first one, unless the engine would run faster
/// than its table: then in the lowest gear in which it does not. A gear that it names must be such.
void take_gear(const DriveParts& parts, dynamics::Start* start) {
  const driveline::Driveline& d = parts.equipment.driveline;
  const std::vector<double>& speeds = d.engine.torque.x();
  if (start->gear < 1 || speeds.empty() || parts.tires.wheels.empty()) return;
  const double wheel_speed = start->speed / parts.tires.wheels[0].tire->radius;
  const auto gears = static_cast<int>(d.gearbox.ratios.size());
  const auto is_too_fast = [&](int gear) {
    return driveline::total_ratio(d, {0, start->is_low_range, {.gear = gear, .left = 0}}) *
               wheel_speed >
           speeds.back();
  };
  int gear = start->gear;
  while (gear < gears && is_too_fast(gear)) ++gear;
  if (start->has_gear && gear != start->gear)
    throw SettingError(
        "vehicle.start.gear",
        concat("in gear ", start->gear, " at ", short_text(start->speed),
               " m/s the engine would run ", "above ",
               short_text(speeds.back() * 30 / std::numbers::pi, 4),
               " rpm, where its torque table ends; expected ", gear, " or more, or no gear"));
  start->gear = gear;
}

/// What figures need to know about vehicle and course.
figures::FigureContext make_context(const Scenario& s, const DriveParts& parts) {
  const dynamics::VehicleFacts& facts = parts.facts;
  // Simple levels log the point midway between their axles.
  const double origin = s.vehicle.level == VehicleLevel::kFull
                            ? 0
                            : facts.center.x() + 0.5 * (facts.front.distance - facts.rear.distance);
  figures::FigureContext context{
      .wheelbase = facts.wheelbase(),
      .track = facts.axles[0].track,
      .steering_ratio = facts.steering_ratio,
      .center_x = facts.center.x() - origin,
      .front_axle_x = facts.axles[0].x - origin,
      .front_tire_width = parts.tires.wheels[0].tire->width,
      .outline_front = facts.outline.front - origin,
      .outline_half = std::max(facts.outline.left, -facts.outline.right)};
  if (const Iso3888Path* course = find_course(s.driver.path)) {
    context.course_part = course->part;
    context.vehicle_length = course->vehicle_length;
    context.vehicle_width = course->vehicle_width;
    context.course_heading = s.vehicle.start.heading;
    context.course_x = s.vehicle.start.x + course->entry * std::cos(s.vehicle.start.heading);
    context.course_y = s.vehicle.start.y + course->entry * std::sin(s.vehicle.start.heading);
  }
  if (const auto* hold = std::get_if<HoldSpeed>(&s.driver.speed)) context.held_speed = hold->target;
  return context;
}

/// The vehicle of a scenario where it starts; `notes` gets what its author should know.
std::unique_ptr<dynamics::Vehicle> make_vehicle(const Scenario& s, const DriveParts& parts,
                                                std::vector<std::string>* notes) {
  const auto gears = static_cast<int>(parts.equipment.driveline.gearbox.ratios.size());
  if (s.vehicle.start.gear > gears)
    throw SettingError("vehicle.start.gear", concat("the gearbox has ", gears,
                                                    " gears forward, got ", s.vehicle.start.gear));
  for (const autonomy::TimedChoice& held : s.driver.gears)
    if (held.choice > gears)
      throw SettingError("driver.gear",
                         concat("the gearbox has ", gears, " gears forward, got ", held.choice));
  if (s.vehicle.level != VehicleLevel::kFull) {
    if (parts.facts.trailer_mass > 0)
      throw SettingError("vehicle.level", "a vehicle with a trailer needs \"full\"");
    return look_at_ground(s, [&] { return make_simple_vehicle(s, parts); });
  }
  look_at_ground(s, [&] { check_standing(s, parts, *parts.terrain, parts.total); });
  std::unique_ptr<dynamics::Vehicle> car = make_full_vehicle(s, parts);
  note_residual(*car, notes);
  note_long_step(s, parts, car->snapshot(), notes);
  note_edges(s, *parts.terrain, parts.tires.wheels[0].tire->radius, notes);
  look_at_ground(s, [&] { check_belly(parts, *parts.terrain, car->snapshot()); });
  return car;
}

/// The vehicle alone on level ground of the friction that the scenario gives; `s` has its tire model
/// and formulation.
LevelVehicle make_level(const Scenario& s, const DriveParts& parts, double speed) {
  Scenario level = s;
  level.ground = {};
  level.driver = {};
  level.figures.clear();
  if (level.vehicle.formulation == Formulation::kTa ||
      level.vehicle.formulation == Formulation::kFa)
    level.vehicle.formulation = Formulation::kCe;
  level.vehicle.start = {.speed = speed, .is_low_range = s.vehicle.start.is_low_range};
  take_gear(parts, &level.vehicle.start);
  const auto plane = std::make_shared<terrain::Terrain>();
  plane->friction = terrain::RegionMap<double>(s.ground.friction);
  const auto own = std::make_shared<DriveParts>(parts);
  own->terrain = plane;
  LevelVehicle result{.parts = own, .vehicle = {}, .equations = {}};
  result.vehicle = level.vehicle.level == VehicleLevel::kFull ? make_full_vehicle(level, *own)
                                                              : make_simple_vehicle(level, *own);
  const Vector3& center = parts.facts.center;
  result.equations = result.vehicle->make_equations({center.x(), center.y(), center.z()});
  return result;
}

/// What a preview driver knows of this vehicle. Empty where it has no linear model: a note says why.
std::optional<autonomy::PreviewFigures> tune_driver(const Scenario& s, const DriveParts& parts,
                                                    const DriverVehicle& vehicle,
                                                    std::vector<std::string>* notes) {
  const auto* request = std::get_if<autonomy::PreviewFigures>(&s.driver.steering);
  if (request == nullptr || !request->is_tuned || s.autonomy || vehicle.is_kinematic)
    return std::nullopt;
  constexpr double kSlowest = 5;  // [m/s]
  const double speed = std::max(kSlowest, find_planned_speed(s.driver, s.vehicle.start));
  try {
    const LevelVehicle level = make_level(s, parts, speed);
    const dynamics::LinearVehicle linear = linearize(
        level.equations.get(), find_steady_state(level.equations.get(), {.speed = speed}));
    return dynamics::tune_preview(linear, speed, parts.facts.steering_ratio,
                                  complete_preview(*request, vehicle));
  } catch (const std::exception& error) {
    notes->push_back(concat("driver.steering: is not tuned to the vehicle: ", error.what()));
    return std::nullopt;
  }
}

std::unique_ptr<autonomy::Pilot> make_driver(const Scenario& s, const DriveParts& parts,
                                             const world::World& world,
                                             std::vector<std::string>* notes) {
  DriverVehicle vehicle = make_driver_vehicle(s, parts);
  if (s.autonomy) return build_goal_pilot(s, parts, vehicle, world.things());
  const std::optional<autonomy::PreviewFigures> tuned = tune_driver(s, parts, vehicle, notes);
  if (tuned) vehicle.tuned = &*tuned;
  return build_driver(s.driver, s.vehicle.start, vehicle);
}

/// Puts a scenario's vehicle and driver into the world.
void add_to_world(const std::shared_ptr<Scenario>& scenario, const DriveParts& parts,
                  BuiltScenario* built) {
  const Scenario& s = *scenario;
  std::vector<std::string> notes = find_notes(s);
  notes.insert(notes.end(), parts.notes.begin(), parts.notes.end());
  take_tire_model(parts, &scenario->tire);
  take_formulation(parts, &scenario->vehicle, &notes);
  take_gear(parts, &scenario->vehicle.start);
  std::unique_ptr<dynamics::Vehicle> car = make_vehicle(s, parts, &notes);
  for (std::string& note : notes) {
    if (!s.source.name.empty()) note = concat("vehicle \"", s.source.name, "\": ", note);
    // Vehicles on the same ground share notes about it.
    if (std::ranges::find(built->notes, note) == built->notes.end())
      built->notes.push_back(std::move(note));
  }
  if (built->world.vehicle_count() == 0 && !s.sensors.empty())
    built->sensors = make_sensors(s, parts, car.get());
  if (!built->sensors.empty()) built->sensors.add_look(make_look(s, parts, car->snapshot()));
  look_at_ground(s, [&] {
    const int vehicle = built->world.add(std::move(car), make_outline(parts.facts), s.source.name);
    check_clearance(s, vehicle, &built->world);
  });
  built->drivers.push_back(make_driver(s, parts, built->world, &built->notes));
  if (s.autonomy && built->drivers.size() == 1 && !built->sensors.empty())
    built->feed = build_feed(s, parts);
}

/// Cars and walkers of a city, scripted over the whole drive.
void add_traffic(const Scenario& s, const city::City& city, world::World* world) {
  for (const city::Mover& mover : city::make_traffic(city, s.run.duration)) {
    world::MovingThing thing;
    thing.name = mover.name, thing.height = mover.height;
    thing.outline.front = 0.5 * mover.length, thing.outline.rear = -0.5 * mover.length;
    thing.outline.left = 0.5 * mover.width, thing.outline.right = -0.5 * mover.width;
    for (const city::Mover::Point& p : mover.track)
      thing.track.push_back({p.time, p.x, p.y, p.yaw});
    world->add(std::move(thing));
  }
}

/// Errors with their places in the scenario's file.
template <class Action>
auto place_errors(const ScenarioSource& source, const Action& action) {
  const auto place = [&](std::string_view key) { return find_place(source, key); };
  try {
    return action();
  } catch (const dynamics::StandError& error) {
    throw ModelFileError(place("vehicle.start"), error.what());
  } catch (const SettingError& error) {
    throw ModelFileError(place(error.key()), error.text());
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(Position{.file = source.file}, error.what());
  }
}

std::shared_ptr<const DriveParts> find_parts(
    const Scenario& scenario, PartsCache* cache,
    const std::shared_ptr<const terrain::Terrain>& terrain = nullptr) {
  return cache != nullptr ? cache->load(scenario, terrain) : load_parts(scenario, terrain);
}

}  // namespace

BuiltScenario build_scenario(Scenario scenario, PartsCache* cache) {
  const auto shared = std::make_shared<Scenario>(std::move(scenario));
  return place_errors(shared->source, [&] {
    const std::shared_ptr<const DriveParts> parts = find_parts(*shared, cache);
    BuiltScenario built{.scenario = shared, .parts = parts, .world = world::World(parts->terrain)};
    for (const world::MovingThing& thing : shared->things) built.world.add(thing);
    if (parts->city) add_traffic(*shared, *parts->city, &built.world);
    add_to_world(shared, *parts, &built);
    for (std::size_t i = 0; i < shared->others.size(); ++i)
      add_vehicle(make_other_scenario(*shared, i), &built, cache);
    note_views(&built.sensors, &built.notes);
    built.context = make_context(*shared, *parts);
    return built;
  });
}

LevelVehicle make_level_vehicle(Scenario scenario, double speed, PartsCache* cache) {
  return place_errors(scenario.source, [&] {
    if (scenario.vehicle.level == VehicleLevel::kPointMass)
      throw SettingError("vehicle.level",
                         "a point mass has no linear model; expected \"full\" or \"single_track\"");
    const std::shared_ptr<const DriveParts> parts = find_parts(scenario, cache);
    std::vector<std::string> notes;
    take_tire_model(*parts, &scenario.tire);
    take_formulation(*parts, &scenario.vehicle, &notes);
    if (scenario.tire.model == TireModel::kRigid ||
        scenario.tire.model == TireModel::kRelaxedRolling)
      throw SettingError("tire.model", "a linear model needs tires with slip");
    return make_level(scenario, *parts, speed);
  });
}

double find_scenario_speed(const Scenario& scenario) {
  if (scenario.vehicle.start.speed != 0) return scenario.vehicle.start.speed;
  if (const auto* hold = std::get_if<HoldSpeed>(&scenario.driver.speed)) return hold->target;
  return 0;
}

const DriveParts& parts_of(const BuiltScenario& built, int vehicle) {
  const auto other = static_cast<std::size_t>(vehicle);
  return vehicle > 0 && other <= built.others.size() ? *built.others[other - 1].parts
                                                     : *built.parts;
}

int add_vehicle(Scenario scenario, BuiltScenario* built, PartsCache* cache) {
  const auto shared = std::make_shared<Scenario>(std::move(scenario));
  return place_errors(shared->source, [&] {
    const auto parts = find_parts(*shared, cache, built->parts->terrain);
    add_to_world(shared, *parts, built);
    built->others.push_back({shared, parts});
    return built->world.vehicle_count() - 1;
  });
}

}  // namespace camber::scenario
