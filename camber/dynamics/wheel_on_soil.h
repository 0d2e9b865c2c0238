#pragma once

// A wheel on ground that yields (docs/theory/soil.md, sections 4 to 6). Forces, logged figures and
// the two numbers of state are those of a wheel on rigid ground (wheel_on_ground.h).

#include <vector>

#include "camber/dynamics/wheel_on_ground.h"
#include "camber/terrain/lumped_soil.h"
#include "camber/terrain/soil_grid.h"

namespace camber::dynamics {

/// Tire and soil as one spring, damper and bristle (lumped_soil.h). The bristle is the wheel's
/// state: u along, w across.
struct LumpedGround {
  std::vector<terrain::LumpedSoil> soils = {};  // as the terrain numbers them
  ContactOptions contact = {};
};

/// On one of its soils. For double, tire::Dual, Lanes<4> and Lanes<8>.
template <class T>
WheelForces<T> calc_wheel_on_lumped_soil(const LumpedGround& ground,
                                         const terrain::LumpedSoil& soil,
                                         const terrain::Terrain& terrain,
                                         terrain::TerrainCache* cache, const WheelMotion<T>& wheel,
                                         const tire::TireState<T>& state);

/// A wheel on a grid of soil that keeps its ruts, rigid or with a tire that flattens. It has no
/// state of its own; the soil has the memory.
struct SoilGround {
  WheelSize wheel = {};
  tire::VerticalLaw tire = {};   // of the tire against its rim; without points it is rigid
  terrain::TreadLaw tread = {};  // that follows from it: else Ground's constructor fits it
  /// Stiffness of the tread against shear, per area, along and across (tread_stiffness()); 0: rigid [Pa/m].
  double stiffness_along = 0, stiffness_across = 0;
  double rolling_resistance = 0.015;  // of the tire: My / (Fz R_e)
  terrain::SoilGridOptions grid = {};
};

/// The shear stiffness per area of a brush of this width and half length a that has the slip
/// stiffness K [N]: K = 2 a^2 b k.
inline double tread_stiffness(double slip_stiffness, double half_length, double width) {
  return slip_stiffness / (2 * half_length * half_length * width);
}

/// State of a wheel on soil when the soil was last compressed permanently; all 0 off the ground.
struct SoilWheelMemory {
  double area = 0, sinkage = 0;  // of its contact [m^2], [m]
  Vec3<double> point;            // of the tire nearest to the ground
};

/// Load capacity of the wheel's contact by Terzaghi, 0 off the ground [N].
double calc_safe_load(const SoilGround& ground, const terrain::Terrain& terrain,
                      const SoilWheelMemory& memory);

/// If time.is_for_good, the soil and the memory are changed by the wheel; else they are not.
WheelForces<double> calc_wheel_on_soil(const SoilGround& ground, const terrain::Terrain& terrain,
                                       terrain::TerrainCache* cache,
                                       const WheelMotion<double>& wheel,
                                       const terrain::SoilTime& time, terrain::SoilGrid* soil,
                                       SoilWheelMemory* memory);

}  // namespace camber::dynamics
