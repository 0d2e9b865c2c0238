#include "camber/sim/drive_setup.h"

#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/drive/equipment_file.h"
#include "camber/drive/generated_chassis.h"
#include "camber/drive/simple_ground.h"
#include "camber/sim/full_world.h"
#include "camber/sim/simple_world.h"
#include "camber/terrain/terrain_file.h"
#include "camber/tire/hmmwv_tire.h"
#include "camber/tire/tir_file.h"
#include "camber/tire/tire_file.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::sim {

using scenario::Formulation, scenario::Scenario, scenario::TireModel, scenario::VehicleLevel;

namespace {

// All bodies together in the design position, where their frames coincide.
struct Total {
  double mass = 0;                   // [kg]
  Vector3 center = Vector3::Zero();  // [m]
  double yaw_inertia = 0;            // about the center [kg m^2]
};
Total find_total(const multibody::Mechanism& mechanism) {
  Total total;
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

// A mass at a point joins the chassis: center and inertia about it.
void add_payload(const scenario::Payload& payload, vehicle::Part* chassis) {
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

vehicle::Vehicle make_vehicle(const scenario::VehicleSetup& setup) {
  vehicle::Vehicle vehicle = vehicle::load_vehicle(setup.model);
  require(!vehicle.steering || !vehicle.steering->motion, setup.model,
          ": a drive steers; steering.motion must not be given");
  if (setup.center_of_mass_height) {
    const Total total = find_total(expand(vehicle).mechanism);
    const double raise = *setup.center_of_mass_height - vehicle.height - total.center.z();
    vehicle.chassis.center.z() += raise * total.mass / vehicle.chassis.mass;
  }
  for (const scenario::Payload& payload : setup.payload) add_payload(payload, &vehicle.chassis);
  return vehicle;
}

drive::ContactMode contact_mode(scenario::TireContact contact) {
  switch (contact) {
    case scenario::TireContact::kPoint:
      break;
    case scenario::TireContact::kFourPoints:
      return drive::ContactMode::kFourPoints;
    case scenario::TireContact::kEnvelope:
      return drive::ContactMode::kEnvelope;
  }
  return drive::ContactMode::kPoint;
}

// Left wheels' tire, and the right ones' where the data are for one side.
tire::TireFile find_tire(const scenario::TireSetup& setup, std::vector<std::string>* notes) {
  if (setup.file.ends_with(".toml")) return tire::load_tire(setup.file);
  tire::TireFile found{.tire = tire::make_hmmwv_tire()};
  switch (setup.model) {
    case TireModel::kTmeasy:
    case TireModel::kRigid:
    case TireModel::kRelaxedRolling:
      break;
    case TireModel::kFiala:
      found.tire.steady = tire::make_hmmwv_fiala();
      break;
    case TireModel::kBrush:
      found.tire.steady = tire::BrushTire{};
      break;
    case TireModel::kMagicFormula: {
      const tire::TirFile file = tire::load_tir(setup.file);
      for (const std::string& key : file.ignored)
        notes->push_back(concat(setup.file, ": ", key, " is not used"));
      const bool is_for_right = file.side == tire::TirFile::Side::kRight;
      found.tire.steady = is_for_right ? mirror(file.tire) : file.tire;
      if (file.side != tire::TirFile::Side::kSymmetric) {
        found.right = found.tire;
        found.right->steady = is_for_right ? file.tire : mirror(file.tire);
      }
      break;
    }
  }
  return found;
}

drive::RigidGround make_rigid_ground(const scenario::TireSetup& setup, const tire::TireFile& tire) {
  require(setup.model != TireModel::kRigid && setup.model != TireModel::kRelaxedRolling,
          "tire.model = \"", word_of(setup.model, scenario::kTireModelWords),
          "\" does not drive on rigid ground: use tmeasy, fiala, brush or magic_formula");
  drive::RigidGround ground{.tire = tire.tire, .right = tire.right};
  ground.contact.mode = contact_mode(setup.contact);
  return ground;
}

// On a soil grid the tire's own flank counts; what it does to the ground is the soil's to say.
drive::GroundModel make_ground_model(const Scenario& scenario, const terrain::Terrain& terrain,
                                     const tire::TireFile& file, double wheel_load) {
  const tire::RollingTire& tire = file.tire;
  switch (scenario.ground.soil_level) {
    case scenario::SoilLevel::kRigid:
      break;
    case scenario::SoilLevel::kGrid: {
      drive::SoilGround ground;
      ground.wheel.radius = tire.radius;
      if (scenario.tire.model != TireModel::kRigid) ground.tire = tire.vertical;
      ground.rolling_resistance = tire.rolling_resistance;
      ground.grid.spacing = scenario.ground.soil_spacing;
      return ground;
    }
    case scenario::SoilLevel::kLumped: {
      drive::LumpedGround ground;
      constexpr double kDamping = 4000;  // [N s/m]
      ground.soil = terrain::make_lumped_soil(
          terrain.soils.front(), {.radius = tire.radius, .width = drive::WheelSize{}.width},
          ground.tire_stiffness, wheel_load, kDamping);
      return ground;
    }
  }
  return make_rigid_ground(scenario.tire, file);
}

drive::Start make_start(const Scenario& scenario) {
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

std::unique_ptr<DriveWorld> make_full_world(const Drive& drive, const vehicle::Vehicle& vehicle,
                                            const tire::TireFile& tire, double wheel_load) {
  const Scenario& scenario = drive.scenario;
  const vehicle::VehicleMechanism mechanism = expand(vehicle);
  const drive::GroundModel ground = make_ground_model(scenario, *drive.terrain, tire, wheel_load);
  FullWorldOptions options;
  options.step = scenario.run.step;
  options.method = scenario.run.method == scenario::RunMethod::kMidpoint
                       ? integrate::FixedStep::kMidpoint
                       : integrate::FixedStep::kRungeKutta4;
  options.start = make_start(scenario);
  options.parking_brake = scenario.driver.has_parking_brake ? 1 : 0;
  options.center_of_mass = vehicle.chassis.center;
  options.has_energy = wants_energy(scenario);
  const auto make = [&](auto chassis) -> std::unique_ptr<DriveWorld> {
    using Chassis = decltype(chassis);
    const int wheels = chassis.wheel_count();
    return std::make_unique<FullWorld<Chassis>>(std::move(chassis), mechanism, *drive.equipment,
                                                drive::Ground(drive.terrain.get(), ground, wheels),
                                                options);
  };
  switch (scenario.vehicle.formulation) {
    case Formulation::kGenerated:
      return make(drive::GeneratedChassis(mechanism));
    case Formulation::kCe:
      return make(drive::MechanismChassis(mechanism, multibody::Formulation::kCe));
    case Formulation::kTa:
      return make(drive::MechanismChassis(mechanism, multibody::Formulation::kTa));
    case Formulation::kFa:
      break;
  }
  throw std::invalid_argument(
      "vehicle.formulation = \"fa\" does not drive: use generated, ce or ta");
}

}  // namespace

terrain::Terrain make_terrain(const scenario::Ground& ground) {
  terrain::Terrain terrain;
  if (!ground.terrain.empty()) {
    terrain = terrain::load_terrain(ground.terrain);
  } else {
    terrain.base = terrain::Plane{.slope_x = ground.slope * std::cos(ground.slope_heading),
                                  .slope_y = ground.slope * std::sin(ground.slope_heading)};
    terrain.friction = terrain::RegionMap<double>{ground.friction};
    if (ground.soil != "rigid") terrain.soils = {terrain::find_soil(ground.soil)};
  }
  terrain.bumps.insert(terrain.bumps.end(), ground.bumps.begin(), ground.bumps.end());
  return terrain;
}

Drive make_drive(Scenario scenario) {
  Drive drive;
  drive.scenario = std::move(scenario);
  const Scenario& s = drive.scenario;
  drive.terrain = std::make_unique<terrain::Terrain>(make_terrain(s.ground));
  drive.equipment = std::make_unique<drive::Equipment>(drive::make_hmmwv_equipment());
  const vehicle::Vehicle vehicle = make_vehicle(s.vehicle);
  const Total total = find_total(expand(vehicle).mechanism);
  require(vehicle.axles.size() == 2, s.vehicle.model, ": a drive needs two axles, got ",
          vehicle.axles.size());
  const Vector3 front = vehicle.axles[0].points.wheel, rear = vehicle.axles[1].points.wheel;
  const double wheelbase = front.x() - rear.x();
  const double to_front = front.x() - total.center.x(), to_rear = wheelbase - to_front;
  const double weight = total.mass * drive::kGravity;
  const tire::TireFile tire = find_tire(s.tire, &drive.notes);
  if (s.vehicle.level == VehicleLevel::kFull) {
    drive.world = make_full_world(drive, vehicle, tire, weight / 4);
  } else {
    const SimpleFigures figures{.mass = total.mass,
                                .front = to_front,
                                .rear = to_rear,
                                .height = total.center.z() + vehicle.height};
    drive.world = make_simple_world(s, figures, *drive.equipment, drive.terrain.get());
  }
  const auto axle_stiffness = [&](double load) {
    return 2 * std::visit(
                   [&](const auto& model) { return calc_slip_stiffness(model, load / 2, 1.0).Ky; },
                   tire.tire.steady);
  };
  drive.pilot = std::make_unique<Pilot>(
      s.driver, s.vehicle.start,
      PilotVehicle{.mass = total.mass,
                   .yaw_inertia = total.yaw_inertia,
                   .front = to_front,
                   .rear = to_rear,
                   .front_stiffness = axle_stiffness(weight * to_rear / wheelbase),
                   .rear_stiffness = axle_stiffness(weight * to_front / wheelbase),
                   .rolling_radius = tire.tire.radius - 0.01,  // pressed in by a third of 3 cm
                   .rolling_resistance = tire.tire.rolling_resistance,
                   .equipment = drive.equipment.get()});
  const double heading = s.vehicle.start.heading, entry = s.driver.path.entry;
  drive.context = {.wheelbase = wheelbase,
                   .track = 2 * front.y(),
                   .vehicle_length = s.driver.path.vehicle_length,
                   .vehicle_width = s.driver.path.vehicle_width,
                   .course_x = s.vehicle.start.x + entry * std::cos(heading),
                   .course_y = s.vehicle.start.y + entry * std::sin(heading),
                   .course_heading = heading};
  return drive;
}

}  // namespace camber::sim
