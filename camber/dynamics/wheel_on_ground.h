#pragma once

// A wheel on ground that does not yield, from its motion to the forces on it
// (docs/theory/tires.md, section 3):
//
//   const WheelForces<double> w =
//       calc_wheel_on_ground(tire, options, terrain, &cache, motion, state);
//   load.force = w.force, load.torque = w.torque;     // of a WheelLoad
//   state.u' = w.rates.u, state.w' = w.rates.w        // the tire's own state
//
// All four wheels of a car at once, which is faster: calc_wheels_on_ground().

#include <span>

#include "camber/dynamics/ground_contact.h"
#include "camber/dynamics/wheel_motion.h"
#include "camber/tire/rolling_tire.h"

namespace camber::dynamics {

/// Action of the ground on a wheel, and logged values.
template <class T>
struct WheelForces {
  Vec3<T> force;             // on the wheel, at its center, in W [N]
  Vec3<T> torque;            // about the center, in W [N m]
  tire::TireState<T> rates;  // of the tire's deflections [m/s]

  Vec3<T> point;      // of contact, in W [m]
  T Fx, Fy, Fz;       // in the contact frame [N]
  T deflection;       // of the tire; negative off the ground [m]
  T sinkage, rut;     // of the wheel below fresh ground, and what remains after it [m]
  T slip, tan_alpha;  // steady ones of the moment: -V_sx, V_sy over |V_x|, 0 off the ground

  /// force . v + torque . w, with the velocity of the center and the angular velocity of the wheel,
  /// is sliding + damping + rolling - stored: losses, and the power into the tire's spring and the
  /// deflected tread [W].
  T sliding_power, damping_power, rolling_power, stored_power;
  T tread_power{0};  // what of the stored power goes into the tread
};

/// For double, tire::Dual, Lanes<4> and Lanes<8>. Allocates nothing.
template <class T>
WheelForces<T> calc_wheel_on_ground(const tire::RollingTire& tire, const ContactOptions& options,
                                    const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                                    const WheelMotion<T>& wheel, const tire::TireState<T>& state);

/// The same on a plane, ContactMode::kPoint.
template <class T>
WheelForces<T> calc_wheel_on_plane(const tire::RollingTire& tire, const PlaneGround<T>& plane,
                                   const WheelMotion<T>& wheel, const tire::TireState<T>& state);

/// Geometry of a tread on the ground, which converts the wheel's motion to slip, and forces at the
/// contact to loads.
struct Footing {
  GroundContact<double> contact;
  double rolling_radius = 0, loaded_radius = 0;  // [m]
};
struct SlipVelocity {
  double along = 0, across = 0;  // of the tread over the ground [m/s]
};

Footing find_footing(const tire::RollingTire& tire, const ContactOptions& options,
                     const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                     const WheelMotion<double>& wheel);
SlipVelocity calc_slip(const Footing& footing, const WheelMotion<double>& wheel);
/// Adds a force in the contact to the action of the ground on the wheel.
void add_force(const Footing& footing, const WheelMotion<double>& wheel, double Fx, double Fy,
               WheelLoad<double>* load);

/// Several wheels with equal tires, four at a time. All spans have the same length. `pads`: the
/// remaining wheels at the end are computed in lanes, too, so that all have the bits of lanes.
void calc_wheels_on_ground(const tire::RollingTire& tire, const ContactOptions& options,
                           const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                           std::span<const WheelMotion<double>> wheels,
                           std::span<const tire::TireState<double>> states,
                           std::span<WheelForces<double>> forces, bool pads = false);

}  // namespace camber::dynamics
