#include "camber/sim/drive_setup.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/simple_ground.h"
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
                                        const tire::TireFile& tire) {
  dynamics::RigidGround ground{.tire = tire.tire, .right = tire.right};
  ground.contact.mode = contact_mode(setup.contact);
  return ground;
}

/// The tread gives way as the tire does on a road, by its load and by its slip.
void give_tread(const scenario::TireSetup& setup, const tire::RollingTire& tire, double load,
                dynamics::SoilGround* ground) {
  ground->tire = tire.vertical;
  try {
    ground->tread =
        terrain::fit_tread(tire.vertical.deflection, tire.vertical.force, tire.radius, tire.width);
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(find_key(setup.file, {"tire", "vertical"}), error.what());
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
  const Grip grip = find_grip(tire, load, 1);
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
                                        const tire::TireFile& file, double wheel_load) {
  const tire::RollingTire& tire = file.tire;
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
        give_tread(scenario.tire, tire, wheel_load, &ground);
      ground.rolling_resistance = tire.rolling_resistance;
      ground.grid.spacing = scenario.ground.soil_spacing;
      return ground;
    }
    case scenario::SoilLevel::kLumped: {
      return make_lumped_ground(scenario, terrain, tire, wheel_load);
    }
  }
  return make_rigid_ground(scenario.tire, file);
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
    if (equipment.empty())
      throw SettingError("vehicle.equipment",
                         concat("is missing, and with the HMMWV's, whose steering.lock is ", lock,
                                " rad, ", error.what()));
    throw ModelFileError(find_key(equipment, {"steering", "lock"}), error.what());
  }
}

/// Of a wheel about its axis [kg m^2].
double find_wheel_inertia(const vehicle::VehicleMechanism& mechanism,
                          const vehicle::Corner& corner) {
  const Vector3 axis = corner.wheel_axis.normalized();
  return axis.dot(mechanism.mechanism.bodies[corner.wheel.value].I_BBcm_B * axis);
}

/// Of all wheels about their axes [kg m^2].
double find_wheel_inertia(const vehicle::VehicleMechanism& mechanism) {
  double sum = 0;
  for (const vehicle::Corner& corner : mechanism.corners)
    sum += find_wheel_inertia(mechanism, corner);
  return sum;
}

std::unique_ptr<DriveWorld> make_full_world(const Drive& drive, const DriveParts& parts,
                                            const vehicle::VehicleMechanism& mechanism,
                                            const dynamics::SteeringMap& steering_map,
                                            double wheel_load) {
  const Scenario& scenario = drive.scenario;
  const vehicle::Vehicle& vehicle = parts.vehicle;
  const dynamics::GroundModel ground =
      make_ground_model(scenario, *drive.terrain, parts.tire, wheel_load);
  FullWorldOptions options;
  options.step = scenario.run.step;
  options.method = scenario.run.method == scenario::RunMethod::kMidpoint
                       ? integrate::FixedStep::kMidpoint
                       : integrate::FixedStep::kRungeKutta4;
  options.start = make_start(scenario);
  options.parking_brake = scenario.driver.has_parking_brake ? 1 : 0;
  options.center_of_mass = vehicle.chassis.center;
  options.steering_map = steering_map;
  options.has_energy = wants_energy(scenario);
  const auto make = [&](auto chassis) -> std::unique_ptr<DriveWorld> {
    using Chassis = decltype(chassis);
    const int wheels = chassis.wheel_count();
    return look_at_ground(scenario, [&] {
      return std::make_unique<FullWorld<Chassis>>(
          std::move(chassis), mechanism, *drive.equipment,
          dynamics::Ground(drive.terrain.get(), ground, wheels), options);
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

/// Over the wheels: the vehicle's file does not say what its body covers.
Outline make_outline(const vehicle::Vehicle& vehicle, const tire::RollingTire& tire) {
  const Vector3 front = vehicle.axles[0].points.wheel, rear = vehicle.axles[1].points.wheel;
  const double half_base = 0.5 * (front.x() - rear.x());
  return {.front = half_base + tire.radius,
          .rear = -half_base - tire.radius,
          .half_width = std::max(std::abs(front.y()), std::abs(rear.y())) + 0.5 * tire.width};
}

/// Throws where it starts in a trunk.
ObstacleWatch make_watch(const Scenario& scenario, const vehicle::Vehicle& vehicle,
                         const tire::RollingTire& tire, const terrain::Terrain& terrain) {
  ObstacleWatch watch(&terrain, make_outline(vehicle, tire));
  const scenario::Start& start = scenario.vehicle.start;
  const double middle =
      0.5 * (vehicle.axles[0].points.wheel.x() + vehicle.axles[1].points.wheel.x());
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
  if (s.ground.soil_level != scenario::SoilLevel::kRigid || parts.tire.tire.constraint) return;
  constexpr double kMargin = 0.9;  // loads change
  const double friction = terrain.friction.at(s.vehicle.start.x, s.vehicle.start.y);
  const std::vector<double> loads = find_loads(world);
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (loads[i] <= 0 || friction <= 0) continue;
    const double step = find_longest_standing_step(
        parts.tire.tire, loads[i], friction, find_wheel_inertia(mechanism, mechanism.corners[i]),
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
  drive.notes = std::move(parts.notes);
  drive.files = std::move(parts.files);
  drive.terrain = std::make_unique<terrain::Terrain>(std::move(parts.terrain));
  drive.equipment = std::make_unique<dynamics::Equipment>(std::move(parts.equipment));
  const auto gears = static_cast<int>(drive.equipment->driveline.gearbox.ratios.size());
  if (s.vehicle.start.gear > gears)
    throw SettingError("vehicle.start.gear", concat("the gearbox has ", gears,
                                                    " gears forward, got ", s.vehicle.start.gear));
  const vehicle::Vehicle& vehicle = parts.vehicle;
  const MassTotal total = find_total(vehicle);
  const Vector3 front = vehicle.axles[0].points.wheel, rear = vehicle.axles[1].points.wheel;
  const double wheelbase = front.x() - rear.x();
  if (!(wheelbase > 0))
    throw ModelFileError(
        find_key(s.vehicle.model, {"axles"}),
        concat("the first axle must be the front one; it is ", -wheelbase, " m behind the second"));
  const double to_front = front.x() - total.center.x(), to_rear = wheelbase - to_front;
  check_center(s, parts, total);
  const double weight = total.mass * dynamics::kGravity;
  const vehicle::VehicleMechanism mechanism = expand(vehicle);
  const dynamics::SteeringMap steering_map =
      make_map(mechanism, drive.equipment->steering.lock, s.vehicle.equipment);
  const double wheel_inertia = find_wheel_inertia(mechanism);
  const TireFigures rolling = find_tire_figures(parts.tire.tire, weight / 4);
  if (ObstacleWatch::is_needed(*drive.terrain))
    drive.obstacles =
        look_at_ground(s, [&] { return make_watch(s, vehicle, parts.tire.tire, *drive.terrain); });
  if (s.vehicle.level == VehicleLevel::kFull) {
    look_at_ground(s, [&] { check_standing(s, parts, *drive.terrain, total); });
    drive.world = make_full_world(drive, parts, mechanism, steering_map, weight / 4);
    note_residual(*drive.world, &drive.notes);
    note_long_step(s, parts, mechanism, *drive.terrain, drive.world.get(), &drive.notes);
    note_edges(s, *drive.terrain, parts.tire.tire.radius, &drive.notes);
    look_at_ground(s, [&] { check_belly(parts, *drive.terrain, find_pose(drive.world.get())); });
  } else {
    const SimpleFigures figures{.mass = total.mass,
                                .yaw_inertia = total.yaw_inertia,
                                .front = to_front,
                                .rear = to_rear,
                                .height = total.center.z() + vehicle.height,
                                .wheel_inertia = wheel_inertia,
                                .tire = rolling};
    drive.world = look_at_ground(s, [&] {
      return make_simple_world(s, figures, *drive.equipment, parts.tire.tire, drive.terrain.get());
    });
  }
  const tire::RollingTire& tire = parts.tire.tire;
  const auto axle_stiffness = [&](double load) {
    return 2 * std::visit(
                   [&](const auto& model) { return calc_slip_stiffness(model, load / 2, 1.0).Ky; },
                   tire.steady);
  };
  drive.pilot = std::make_unique<Pilot>(
      s.driver, s.vehicle.start,
      PilotVehicle{
          .mass = total.mass,
          .yaw_inertia = total.yaw_inertia,
          .front = to_front,
          .rear = to_rear,
          .front_stiffness = axle_stiffness(weight * to_rear / wheelbase),
          .rear_stiffness = axle_stiffness(weight * to_front / wheelbase),
          .rolling_radius = rolling.rolling_radius,
          .rolling_resistance = rolling.rolling_resistance,
          .wheel_inertia = wheel_inertia,
          .greatest_steer = std::min(-steering_map.angle.front(), steering_map.angle.back()),
          .equipment = drive.equipment.get()});
  drive.lifted_since.assign(s.stops.size(), -1);
  const double heading = s.vehicle.start.heading, entry = s.driver.path.entry;
  drive.context = {
      .wheelbase = wheelbase,
      .track = 2 * front.y(),
      .vehicle_length = s.driver.path.vehicle_length,
      .vehicle_width = s.driver.path.vehicle_width,
      .course_x = s.vehicle.start.x + entry * std::cos(heading),
      .course_y = s.vehicle.start.y + entry * std::sin(heading),
      .course_heading = heading,
      .held_speed = s.driver.speed.kind == scenario::SpeedKind::kHold ? s.driver.speed.target : 0};
  return drive;
}

}  // namespace camber::sim
