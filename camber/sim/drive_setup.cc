#include "camber/sim/drive_setup.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/simple_ground.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/report/plot.h"
#include "camber/scenario/scenario_file.h"
#include "camber/sim/drive_parts.h"
#include "camber/sim/full_world.h"
#include "camber/sim/simple_world.h"
#include "camber/sim/standing_check.h"
#include "camber/vehicle/expand.h"

namespace camber::sim {

using scenario::Formulation, scenario::Scenario, scenario::SettingError, scenario::TireModel,
    scenario::VehicleLevel;

namespace {

constexpr double kSpacingShare = 0.25;  // of a soil grid's spacing in the tire's width, at most

dynamics::ContactMode contact_mode(scenario::TireContact contact) {
  switch (contact) {
    case scenario::TireContact::kPoint:
      break;
    case scenario::TireContact::kFourPoints:
      return dynamics::ContactMode::kFourPoints;
    case scenario::TireContact::kEnvelope:
      return dynamics::ContactMode::kEnvelope;
  }
  return dynamics::ContactMode::kPoint;
}

dynamics::RigidGround make_rigid_ground(const scenario::TireSetup& setup,
                                        const tire::RollingTire& tire) {
  dynamics::RigidGround ground{.tire = tire};
  ground.contact.mode = contact_mode(setup.contact);
  return ground;
}

/// The tread gives way as the tire does on a road, by its load and by its slip.
void give_tread(const std::string& file, const tire::RollingTire& tire, double load,
                dynamics::SoilGround* ground) {
  ground->tire = tire.vertical;
  try {
    ground->tread =
        terrain::fit_tread(tire.vertical.deflection, tire.vertical.force, tire.radius, tire.width);
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(find_key(file, {"tire", "vertical"}), error.what());
  }
  const auto slip = std::visit(
      [&](const auto& model) { return calc_slip_stiffness(model, load, 1.0); }, tire.steady);
  const double half_length = std::sqrt(2 * tire.radius * find_deflection(tire.vertical, load));
  ground->stiffness_along = dynamics::tread_stiffness(slip.Kx, half_length, tire.width);
  ground->stiffness_across = dynamics::tread_stiffness(slip.Ky, half_length, tire.width);
}

/// Its spring about the load that it carries at rest, and how it gives way to slip there.
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
  ground.contact.mode = contact_mode(scenario.tire.contact);
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
      throw ModelFileError(find_key(file, {"terrain", "soil"}), message);
    }
  }
  return ground;
}

// On a soil grid the tire's own flank counts; what it does to the ground is the soil's to say.
dynamics::GroundModel make_ground_model(const Scenario& scenario, const terrain::Terrain& terrain,
                                        const dynamics::WheelTire& wheel, double wheel_load) {
  const tire::RollingTire& tire = *wheel.tire;
  switch (scenario.ground.soil_level) {
    case scenario::SoilLevel::kRigid:
      break;
    case scenario::SoilLevel::kGrid: {
      dynamics::SoilGround ground;
      const double coarsest = kSpacingShare * tire.width;
      if (scenario.ground.soil_spacing > coarsest)
        throw SettingError(
            "ground.soil_spacing",
            concat("must be at most ", coarsest, " m, ", kSpacingShare, " of the tire's width of ",
                   tire.width, " m: a wheel that stands on fewer nodes sinks wrongly; got ",
                   scenario.ground.soil_spacing, " m"));
      ground.wheel = {tire.radius, tire.width};
      if (scenario.tire.model != TireModel::kRigid)
        give_tread(wheel.file, tire, wheel_load, &ground);
      ground.rolling_resistance = tire.rolling_resistance;
      ground.grid.spacing = scenario.ground.soil_spacing;
      return ground;
    }
    case scenario::SoilLevel::kLumped: {
      return make_lumped_ground(scenario, terrain, tire, wheel_load);
    }
  }
  return make_rigid_ground(scenario.tire, tire);
}

/// A model per tire; equal tires share it.
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

/// What looks at the ground: where a map cannot be read there, that is a mistake in the map.
template <class Look>
auto look_at_ground(const Scenario& scenario, const Look& look) {
  try {
    return look();
  } catch (const FileError& error) {
    if (scenario.ground.terrain.empty()) throw;
    throw ModelFileError(find_key(scenario.ground.terrain, {"terrain", "file"}), error.what());
  }
}

dynamics::Start make_start(const Scenario& scenario) {
  const scenario::Start& start = scenario.vehicle.start;
  return {.x = start.x,
          .y = start.y,
          .heading = start.heading,
          .speed = start.speed,
          .gear = {.gear = start.gear, .left = 0},
          .is_low_range = scenario.driver.range == scenario::Range::kLow};
}

bool wants_energy(const Scenario& scenario) {
  for (const scenario::FigureRequest& figure : scenario.figures)
    if (figure.figure.starts_with("energy")) return true;
  return false;
}

/// By a chassis whose coordinates are independent: one that is projected on its loops gives way
/// with all of them when the steering alone is moved.
dynamics::SteeringMap make_map(const vehicle::VehicleMechanism& mechanism, double lock,
                               const std::string& equipment) {
  dynamics::MechanismChassis chassis(mechanism, multibody::Formulation::kCe);
  const std::vector<double> start(chassis.initial_q().begin(), chassis.initial_q().end());
  try {
    return make_steering_map(start, lock, &chassis);
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(find_key(equipment, {"steering", "lock"}), error.what());
  }
}

/// A wheel's inertia about its axis [kg m^2].
double find_wheel_inertia(const vehicle::VehicleMechanism& mechanism,
                          const vehicle::Corner& corner) {
  const Vector3 axis = corner.wheel_axis.normalized();
  return axis.dot(mechanism.mechanism.bodies[corner.wheel.value].I_BBcm_B * axis);
}

std::unique_ptr<DriveWorld> make_full_world(const Drive& drive, const DriveParts& parts,
                                            const vehicle::VehicleMechanism& mechanism,
                                            const dynamics::SteeringMap& steering_map,
                                            const dynamics::VehicleFacts& facts) {
  const Scenario& scenario = drive.scenario;
  const vehicle::Vehicle& vehicle = parts.vehicle;
  const auto ground =
      make_ground_models(scenario, *drive.terrain, parts.tires, mechanism, facts.tire_load);
  FullWorldOptions options;
  options.step = scenario.run.step;
  options.method = scenario.run.method == scenario::RunMethod::kMidpoint
                       ? integrate::FixedStep::kMidpoint
                       : integrate::FixedStep::kRungeKutta4;
  options.start = make_start(scenario);
  options.parking_brake = scenario.driver.has_parking_brake ? 1 : 0;
  options.center_of_mass = vehicle.chassis.center;
  options.steering_map = steering_map;
  options.middle = facts.middle;
  options.has_energy = wants_energy(scenario);
  const auto make = [&](auto chassis) -> std::unique_ptr<DriveWorld> {
    using Chassis = decltype(chassis);
    return look_at_ground(scenario, [&] {
      return std::make_unique<FullWorld<Chassis>>(std::move(chassis), mechanism, *drive.equipment,
                                                  dynamics::Ground(drive.terrain.get(), ground),
                                                  options);
    });
  };
  switch (scenario.vehicle.formulation) {
    case Formulation::kGenerated:
      return make(dynamics::GeneratedChassis(mechanism));
    case Formulation::kCe:
      return make(dynamics::MechanismChassis(mechanism, multibody::Formulation::kCe));
    case Formulation::kTa:
      return make(dynamics::MechanismChassis(mechanism, multibody::Formulation::kTa));
    case Formulation::kFa:
      break;
  }
  return make(dynamics::MechanismChassis(mechanism, multibody::Formulation::kFa));
}

/// The point midway between the axles, in the vehicle's frame [m].
double find_middle(const dynamics::VehicleFacts& facts) {
  return facts.center.x() + 0.5 * (facts.front.distance - facts.rear.distance);
}

/// Throws where it starts in a trunk.
ObstacleWatch make_watch(const Scenario& scenario, const dynamics::VehicleFacts& facts,
                         const terrain::Terrain& terrain) {
  const double middle = find_middle(facts);
  const vehicle::Outline& outline = facts.outline;
  ObstacleWatch watch(&terrain, {.front = outline.front - middle,
                                 .rear = outline.rear - middle,
                                 .half_width = std::max(outline.left, -outline.right)});
  const scenario::Start& start = scenario.vehicle.start;
  const double c = std::cos(start.heading), s = std::sin(start.heading);
  const ObstacleWatch::Nearest nearest =
      watch.find(start.x + c * middle, start.y + s * middle, start.heading);
  if (nearest.clearance <= 0)
    throw dynamics::StandError(
        concat("the vehicle does not stand at x = ", start.x, " m, y = ", start.y,
               " m: there is a trunk or post of ", nearest.obstacle.radius, " m radius at x = ",
               nearest.obstacle.x, " m, y = ", nearest.obstacle.y, " m; expected another place"));
  return watch;
}

FramePose find_pose(DriveWorld* world) {
  const std::vector<record::Channel>& channels = world->channels();
  require(channels.size() > 2 && channels[0].name == channel::kPosition &&
              channels[1].name == channel::kAttitude,
          "make_drive: a world's channels begin with position and attitude");
  const std::span<const double> at = world->sample();
  return {at[0], at[1], at[2], at[3], at[4], at[5]};
}

void note_residual(const DriveWorld& world, std::vector<std::string>* notes) {
  constexpr double kWorthTelling = 1e-6;  // [m/s^2]
  if (world.standing_residual() < kWorthTelling) return;
  notes->push_back(concat("vehicle.start: the vehicle starts with accelerations of ",
                          report::short_text(world.standing_residual(), 2),
                          " m/s^2: the search for its balance comes no nearer there"));
}

/// Of all wheels at the start [N]; empty where a world has none.
std::vector<double> find_loads(DriveWorld* world) {
  const std::span<const double> values = world->sample();
  std::size_t at = 0;
  for (const record::Channel& c : world->channels()) {
    if (c.name == "wheels/load") {
      const auto loads = values.subspan(at, c.entries());
      return {loads.begin(), loads.end()};
    }
    at += c.entries();
  }
  return {};
}

/// Treads of standing tires are stiff: steps that are too long for them let the vehicle creep.
void note_long_step(const Scenario& s, const DriveParts& parts,
                    const vehicle::VehicleMechanism& mechanism, const terrain::Terrain& terrain,
                    DriveWorld* world, std::vector<std::string>* notes) {
  if (s.ground.soil_level != scenario::SoilLevel::kRigid || parts.tires.wheels[0].tire->constraint)
    return;
  constexpr double kMargin = 0.9;  // loads change
  const double friction = terrain.friction.at(s.vehicle.start.x, s.vehicle.start.y);
  const std::vector<double> loads = find_loads(world);
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (loads[i] <= 0 || friction <= 0) continue;
    // The tires of a hub share its load and hold its inertia together.
    const double tires = mechanism.corners[i].dual_spacing > 0 ? 2 : 1;
    const double step = find_longest_standing_step(
        *parts.tires.wheels[i].tire, loads[i] / tires, friction,
        find_wheel_inertia(mechanism, mechanism.corners[i]) / tires,
        s.run.method == scenario::RunMethod::kMidpoint ? integrate::FixedStep::kMidpoint
                                                       : integrate::FixedStep::kRungeKutta4);
    longest = std::min(longest, kMargin * step);
  }
  // Steps end where the driver looks and at samples.
  const double gap = std::min(s.driver.sample_time, s.run.sample_interval);
  const double step = gap / std::ceil(gap / s.run.step * (1 - 1e-9));
  if (step <= longest) return;
  const double rounded = std::floor(longest * 1e4) / 1e4;
  notes->push_back(concat("run.step: steps of ", report::short_text(step, 3),
                          " s are too long for tires that stand: where the vehicle stops it may "
                          "creep or shake; up to ",
                          report::short_text(rounded > 0 ? rounded : longest, 2), " s hold it"));
}

/// A point or four under a wheel see no wall; what an envelope sees ends at the wheel's center.
void note_edges(const Scenario& s, const terrain::Terrain& terrain, double radius,
                std::vector<std::string>* notes) {
  if (s.ground.soil_level == scenario::SoilLevel::kGrid) return;
  const bool has_envelope = s.tire.contact == scenario::TireContact::kEnvelope;
  for (const terrain::Bump& bump : terrain.bumps) {
    const bool is_edge = (bump.shape == terrain::BumpShape::kStep && bump.rise == 0) ||
                         (bump.shape == terrain::BumpShape::kRamp && bump.fall == 0);
    const double height = std::abs(bump.height);
    if (!is_edge || height == 0 || (has_envelope && height <= radius)) continue;
    notes->push_back(
        concat("the ground has a vertical edge of ", report::short_text(height, 3),
               " m at x = ", report::short_text(bump.x), " m: tire.contact = \"",
               word_of(s.tire.contact, scenario::kTireContactWords),
               has_envelope ? concat("\" meets edges up to the tire's radius of ",
                                     report::short_text(radius, 3), " m")
                            : std::string("\" does not meet it, a wheel jumps up there; expected "
                                          "\"envelope\", or an edge with a rise")));
    return;
  }
}

}  // namespace

Drive make_drive(Scenario scenario) {
  Drive drive;
  drive.scenario = std::move(scenario);
  const Scenario& s = drive.scenario;
  DriveParts parts = load_parts(s);
  // Where the scenario does not say it, the model is that of the vehicle's tires.
  const std::string& model = parts.tires.wheels[0].model;
  const auto* word =
      std::find(std::begin(scenario::kTireModelWords), std::end(scenario::kTireModelWords), model);
  if (!s.tire.has_model && word != std::end(scenario::kTireModelWords))
    drive.scenario.tire.model =
        static_cast<TireModel>(word - std::begin(scenario::kTireModelWords));
  drive.notes = std::move(parts.notes);
  drive.files = std::move(parts.files);
  drive.terrain = std::make_unique<terrain::Terrain>(std::move(parts.terrain));
  drive.equipment = std::make_unique<dynamics::Equipment>(std::move(parts.equipment));
  const auto gears = static_cast<int>(drive.equipment->driveline.gearbox.ratios.size());
  if (s.vehicle.start.gear > gears)
    throw SettingError("vehicle.start.gear", concat("the gearbox has ", gears,
                                                    " gears forward, got ", s.vehicle.start.gear));
  const vehicle::Vehicle& vehicle = parts.vehicle;
  const vehicle::VehicleMechanism mechanism = expand(vehicle);
  const dynamics::MassTotal total = dynamics::find_total(mechanism);
  check_center(s, parts, total);
  const std::string& own = s.vehicle.equipment;
  const dynamics::SteeringMap steering_map =
      make_map(mechanism, drive.equipment->steering.lock, own.empty() ? vehicle.equipment : own);
  const dynamics::VehicleFacts facts =
      make_vehicle_facts(vehicle, mechanism, parts.tires, &steering_map);
  if (ObstacleWatch::is_needed(*drive.terrain))
    drive.obstacles = look_at_ground(s, [&] { return make_watch(s, facts, *drive.terrain); });
  if (s.vehicle.level == VehicleLevel::kFull) {
    look_at_ground(s, [&] { check_standing(s, parts, *drive.terrain, total); });
    drive.world = make_full_world(drive, parts, mechanism, steering_map, facts);
    note_residual(*drive.world, &drive.notes);
    note_long_step(s, parts, mechanism, *drive.terrain, drive.world.get(), &drive.notes);
    note_edges(s, *drive.terrain, parts.tires.wheels[0].tire->radius, &drive.notes);
    look_at_ground(s, [&] { check_belly(parts, *drive.terrain, find_pose(drive.world.get())); });
  } else {
    if (facts.trailer_mass > 0)
      throw SettingError("vehicle.level", "a vehicle with a trailer needs \"full\"");
    drive.world = look_at_ground(s, [&] {
      return make_simple_world(s, facts, *drive.equipment, parts.tires, drive.terrain.get());
    });
  }
  drive.pilot =
      std::make_unique<Pilot>(s.driver, s.vehicle.start,
                              PilotVehicle{.mass = facts.total_mass(),
                                           .yaw_inertia = facts.yaw_inertia,
                                           .front = facts.front.distance,
                                           .rear = facts.rear.distance,
                                           .front_stiffness = facts.front.cornering_stiffness,
                                           .rear_stiffness = facts.rear.cornering_stiffness,
                                           .rolling_radius = facts.tire.rolling_radius,
                                           .rolling_resistance = facts.tire.rolling_resistance,
                                           .wheel_inertia = facts.wheel_inertia,
                                           .greatest_steer = facts.max_steer,
                                           .gravity = facts.gravity,
                                           .equipment = drive.equipment.get()});
  drive.lifted_since.assign(s.stops.size(), -1);
  const double heading = s.vehicle.start.heading, entry = s.driver.path.entry;
  drive.context = {
      .wheelbase = facts.wheelbase(),
      .track = facts.axles[0].track,
      .vehicle_length = s.driver.path.vehicle_length,
      .vehicle_width = s.driver.path.vehicle_width,
      .course_x = s.vehicle.start.x + entry * std::cos(heading),
      .course_y = s.vehicle.start.y + entry * std::sin(heading),
      .course_heading = heading,
      .held_speed = s.driver.speed.kind == scenario::SpeedKind::kHold ? s.driver.speed.target : 0};
  return drive;
}

}  // namespace camber::sim
