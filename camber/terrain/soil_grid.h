#pragma once

// Deformable ground with ruts: a soil contact model (SCM) on a grid of nodes
// (docs/theory/soil.md, section 4).
//
//   SoilGrid soil(&terrain, {.spacing = 0.02});
//   each step, each wheel:
//     SoilContact c = soil.advance(wheel, motion, dt);   // presses the soil; forces on the wheel
//     c.force_W, c.torque_W                               // on the wheel, about its center
//   inside an iteration of the step:
//     c = soil.calc_contact(wheel, motion, dt);           // the same, but the soil is not changed
//   a step h of a second-order method, with stages at its start and in its middle:
//     c = soil.look(wheel, motion, {.fresh = h/2, .is_for_good = true});
//     c = soil.look(wheel, motion, {.dt = h/2, .fresh = h/2, .rest = h/2, .keep = k});  // wheel k
//     soil.finish_step();                                 // writes the shear found in the middle
//   soil.mark(); ... soil.roll_back();                    // undoes all changes since the mark
//
// A step does not allocate. A grid is not thread-safe; wheels that touch the same nodes act in the
// order of the calls.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "camber/math/types.h"
#include "camber/terrain/soil_tread.h"
#include "camber/terrain/terrain.h"

namespace camber::terrain {

namespace internal {
class SoilTiles;
}

/// Which shear quantity a node keeps while the pressure on it changes.
enum class ShearMemory {
  kStress,  // the stress: more pressure adds strength, not stress. Passive: no motion gains energy
  kMobilization,  // the part of the strength that is used: stress grows with pressure, as in
                  // Janosi's law with the pressure of the moment (Wong and Reece)
};

struct SoilGridOptions {
  double spacing = 0.02;  // of nodes [m]
  int max_tiles = 4096;   // of 32 x 32 nodes, 52 kB each; the least recently used is dropped
  double shear_damping =
      3e4;  // beside the shear stress at creep speeds, or a parked vehicle rings [Pa s/m]
  ShearMemory shear_memory = ShearMemory::kStress;
  double flow = 0.0;           // fraction of the displaced soil that rises at the edge, 0..1
  int erosion_sweeps = 2;      // per step, when there is flow
  double repose_angle = 0.51;  // steepest heap [rad]
};

/// Rigid bodies that press on soil: a wheel is a cylinder about its axis, a plate is flat below.
struct WheelShape {
  double radius = 0.47, width = 0.3175;  // [m]
};
/// A tire: a wheel whose tread deflects and whose contact patch moves at its rolling speed.
struct TireShape {
  double radius = 0.47, width = 0.3175;  // free [m]
  TreadLaw tread = {};
  double damping = 1500;  // against the hub's approach to the ground [N s/m]
  /// Shear stiffness of the tread per area, along and across the direction of travel; 0: rigid
  /// [Pa/m].
  double stiffness_along = 0, stiffness_across = 0;
  Vector3 normal = Vector3::UnitZ();  // of the undisturbed ground
  double depth = 0;                   // of its lowest point below that ground [m]
};
struct PlateShape {
  double length = 0.3, width = 0.3;  // along and across its heading [m]
};

/// Pose and velocity of a body.
struct BodyMotion {
  Vector3 center = Vector3::Zero();    // of the wheel, or of the plate's lower face [m]
  Vector3 axis = Vector3::UnitY();     // unit; the wheel's, to the left, or the plate's across
  Vector3 velocity = Vector3::Zero();  // of the center [m/s]
  Vector3 angular_velocity = Vector3::Zero();  // [rad/s]
};

/// Forces of the soil on the body, and the size of the contact.
struct SoilContact {
  Vector3 force_W = Vector3::Zero();   // [N]
  Vector3 torque_W = Vector3::Zero();  // about the center [N m]
  int nodes = 0;                       // in contact
  double area = 0.0;                   // of the contact seen from above [m^2]
  double b = 0.0;                      // length that Bekker's k_c is divided by [m]
  double sinkage = 0.0;                // of the deepest node below undisturbed ground [m]

  // Tires only.
  double deflection = 0.0;                         // [m]
  double rolling_radius = 0.0;                     // [m]
  double stored_power = 0.0, damping_power = 0.0;  // into its springs; of its damper, <= 0 [W]
};

/// The time interval that an evaluation of a contact stands for.
struct SoilTime {
  double dt = 0;             // since the shear of nodes was last written [s]
  double fresh = 0;          // since contacts were last evaluated: max age of new nodes [s]
  bool is_for_good = false;  // write the result into the soil permanently
  double rest = 0;           // to the end of the step [s]
  int keep = -1;  // body number, from 0: its shear at the end of the step is kept for finish_step()
};

class SoilGrid {
 public:
  /// Keeps a pointer to the terrain. Throws std::invalid_argument for invalid options.
  SoilGrid(const Terrain* terrain, const SoilGridOptions& options);
  ~SoilGrid();
  SoilGrid(SoilGrid&&) noexcept;
  SoilGrid& operator=(SoilGrid&&) noexcept;

  SoilContact look(const WheelShape& wheel, const BodyMotion& motion, const SoilTime& time);
  SoilContact look(const PlateShape& plate, const BodyMotion& motion, const SoilTime& time);
  SoilContact look(const TireShape& tire, const BodyMotion& motion, const SoilTime& time);
  template <class Shape>
  SoilContact advance(const Shape& shape, const BodyMotion& motion, double dt) {
    return look(shape, motion, {.dt = dt, .fresh = dt, .is_for_good = true});
  }
  template <class Shape>
  SoilContact calc_contact(const Shape& shape, const BodyMotion& motion, double dt) {
    return look(shape, motion, {.dt = dt, .fresh = dt});
  }
  /// Writes the kept shear into the soil and clears it.
  void finish_step();

  /// roll_back() restores the soil to the last mark(), except for tiles that were dropped since
  /// then. A mark makes the following steps slightly slower.
  void mark();
  void roll_back();

  /// Present height of the ground at the node nearest to (x, y) [m], and its plastic (permanent)
  /// sinkage [m].
  double height(double x, double y);
  double rut_depth(double x, double y);

  /// Side of a tile of nodes; tile (i, j) begins at node (kTileSide i, kTileSide j).
  static constexpr int kTileSide = 32;
  /// Heights of a tile's nodes minus those of the undisturbed ground, row by row [m]; false if the
  /// soil was never touched there. Does not change the soil.
  bool copy_displacements(std::int64_t i, std::int64_t j, TerrainCache* cache,
                          std::span<float> out) const;

  /// Lets heaps steeper than the angle of repose slide in a rectangle.
  void relax(const Box2& box, int sweeps);
  /// Sum of height times cell over the nodes of a rectangle [m^3].
  double volume(const Box2& box);

  /// Appends the whole state of the soil to the numbers, and restores it: the simulation then
  /// continues with the same bits. Throws std::invalid_argument if the numbers do not belong to a
  /// grid with these options.
  void append_state(std::vector<double>* state) const;
  void set_state(std::span<const double> state);

  int tile_count() const;
  std::int64_t forgotten_tiles() const;
  const SoilGridOptions& options() const { return options_; }

 private:
  struct Scratch;
  template <class Shape>
  void find_contact(const Shape& shape, const BodyMotion& motion, const SoilTime& time);
  SoilContact press(const SoilTime& time);
  void gather(const Box2& box);

  const Terrain* terrain_;
  SoilGridOptions options_;
  std::unique_ptr<internal::SoilTiles> tiles_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace camber::terrain
