#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace camber::terrain {

/// How pressure under a plate grows with its sinkage z [m] (docs/theory/soil.md, section 2.1).
enum class PressureLaw {
  kRigid,          // rigid: elastic_stiffness only
  kBekker,         // p = (k_c/b + k_phi) z^n
  kReece,          // p = (c k_c' + gamma b k_phi') (z/b)^n
  kPrestonThomas,  // p = -p_1 ln(1 - z/z_w): snow and layered ground that stiffens
};

/// Parameters of a soil. The exponent n is part of the units of k_c and k_phi: never mix them
/// between soils of different n.
struct Soil {
  std::string name = {};
  PressureLaw law = PressureLaw::kBekker;
  double n = 1.0;                  // [-]
  double k_c = 0.0;                // Bekker [N/m^(n+1)], may be negative; Reece: k_c' [-]
  double k_phi = 1e6;              // Bekker [N/m^(n+2)]; Reece: k_phi' [-]
  double p_1 = 0.0;                // Preston-Thomas [Pa]
  double z_w = 0.0;                // Preston-Thomas: depth that is never reached [m]
  double cohesion = 0.0;           // c [Pa]
  double friction_angle = 0.5;     // phi [rad]
  double shear_modulus = 0.02;     // Janosi's K [m]
  double unit_weight = 16e3;       // gamma [N/m^3]
  double elastic_stiffness = 4e7;  // of unloading and reloading, per area [Pa/m]
  double damping = 3e4;            // of compression, per area [Pa s/m]
  bool has_bearing_limit = false;  // limits a soil grid's pressure to Terzaghi's capacity
};

/// Rigid ground, such as a road or rock: shear strength is friction times pressure.
Soil make_rigid_ground(double friction = 0.8);

/// Throws std::invalid_argument for impossible values; the message names the field.
void check_soil(const Soil& soil);

/// The soils that camber knows by name (soil_library.cc says where their values come from).
std::span<const Soil> soil_library();

/// Throws std::invalid_argument for an unknown name, with a suggestion.
const Soil& find_soil(std::string_view name);

std::vector<std::string> soil_names();

}  // namespace camber::terrain
