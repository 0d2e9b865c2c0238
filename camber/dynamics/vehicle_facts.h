#pragma once

// Constant properties of a vehicle, for drivers, the simple levels, checks and key figures. Made
// once.

#include <string>
#include <vector>

#include "camber/dynamics/steering_map.h"
#include "camber/dynamics/tire_figures.h"
#include "camber/dynamics/vehicle_parts.h"
#include "camber/vehicle/expand.h"

namespace camber::dynamics {

struct AxleFacts {
  std::string name = {};
  std::vector<int> wheels = {};    // their indices, left before right
  int tires = 0;                   // on all its wheels
  double x = 0;                    // in the vehicle's frame, in the design position [m]
  double track = 0;                // between the wheels' centers; 0 with one wheel [m]
  double wheel_inertia = 0;        // of its wheels about their axes [kg m^2]
  double static_load = 0;          // at rest on level ground [N]
  double cornering_stiffness = 0;  // of its tires at the static load [N/rad]
  bool is_towed = false;           // it belongs to the trailer
};

/// Axles that a simple model treats as one: those ahead of the center of mass, or those behind it.
struct AxleGroup {
  std::vector<int> axles = {};     // in VehicleFacts::axles
  double distance = 0;             // from the center of mass to where their load acts [m], > 0
  double static_load = 0;          // [N]
  double cornering_stiffness = 0;  // [N/rad]
  int tires = 0;
};

struct VehicleFacts {
  std::string name = {};
  double mass = 0;                    // of the vehicle without its trailer [kg]
  Vector3 center = Vector3::Zero();   // of this mass, in the vehicle's frame [m]
  double yaw_inertia = 0;             // about the center [kg m^2]
  double trailer_mass = 0;            // [kg]
  double gravity = 0;                 // [m/s^2]
  double height = 0;                  // of the center of mass above the ground [m]
  double wheel_inertia = 0;           // of all wheels about their axes [kg m^2]
  std::vector<AxleFacts> axles = {};  // the trailer's last
  AxleGroup front = {}, rear = {};    // without the trailer's
  /// Weights of the wheels' centers in the point midway between the front and rear axle groups.
  std::vector<double> middle = {};
  double tire_load = 0;   // mean of all tires at rest [N]
  TireFigures tire = {};  // of the first wheel's, at this load
  double max_steer = 0;   // mean angle of the steered wheels at lock, the smaller side's [rad]
  double steering_ratio =
      0;  // ISO 8855: angle of the steering wheel over that mean, straight ahead
  vehicle::Shape shape = {};
  vehicle::Outline outline = {};  // of the shape; without one over the wheels and tires

  double wheelbase() const { return front.distance + rear.distance; }
  double total_mass() const { return mass + trailer_mass; }
  double weight() const { return mass * gravity; }  // without the trailer [N]
  int wheel_count() const { return static_cast<int>(middle.size()); }
};

/// Static loads are those of a rigid body on equal springs under its tires: by the lever rule if it
/// has two axles. Throws std::invalid_argument if the center of mass is not between axles.
VehicleFacts make_vehicle_facts(const vehicle::Vehicle& vehicle,
                                const vehicle::VehicleMechanism& mechanism,
                                const VehicleTires& tires, const SteeringMap* steering = nullptr);

/// Mass, center and yaw inertia of a vehicle without its trailer, in the design position.
struct MassTotal {
  double mass = 0;                   // [kg]
  Vector3 center = Vector3::Zero();  // in the vehicle's frame [m]
  double yaw_inertia = 0;            // about the center [kg m^2]
  double trailer_mass = 0;           // [kg]
};
MassTotal find_total(const vehicle::VehicleMechanism& mechanism);

}  // namespace camber::dynamics
