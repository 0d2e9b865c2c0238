#pragma once

// Deformable ground with ruts: a soil contact model (SCM) on a grid of nodes
// (docs/theory/soil.md, section 4).
//
//   SoilGrid soil(&terrain, {.spacing = 0.02});
//   each step, each wheel:
//     SoilContact c = soil.advance(wheel, motion, dt);   // presses the soil and says what it feels
//     c.force_W, c.torque_W                               // on the wheel, about its center
//   inside an iteration of the step:
//     c = soil.calc_contact(wheel, motion, dt);           // the same, and the soil stays as it is
//   a step h of second order, by its stages at the begin and in the middle:
//     c = soil.look(wheel, motion, {.fresh = h/2, .is_for_good = true});
//     c = soil.look(wheel, motion, {.dt = h/2, .fresh = h/2, .rest = h/2, .keep = k});  // wheel k
//     soil.finish_step();                                 // shear as the middle says
//   soil.mark(); ... soil.roll_back();                    // as if nothing had been
//
// A step allocates nothing. A grid belongs to one thread; wheels that touch the same nodes are
// taken in the order of the calls.

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

/// What a node remembers of shear while the pressure on it changes.
enum class ShearMemory {
  kStress,  // the stress: more pressure adds strength, not stress. Passive: no motion gains energy
  kMobilization,  // the part of the strength that is used: stress grows with pressure, as in
                  // Janosi's law with the pressure of the moment (Wong and Reece)
};

struct SoilGridOptions {
  double spacing = 0.02;  // of nodes [m]
  int max_tiles = 4096;   // of 32 x 32 nodes, 52 kB each; the one untouched longest is forgotten
  double shear_damping =
      3e4;  // beside the shear stress at creep speeds, or a parked vehicle rings [Pa s/m]
  ShearMemory shear_memory = ShearMemory::kStress;
  double flow = 0.0;           // part of the soil pressed away that comes up at the rim, 0..1
  int erosion_sweeps = 2;      // per step, when there is flow
  double repose_angle = 0.51;  // steepest heap [rad]
};

/// Rigid bodies that press on soil: a wheel is a cylinder about its axis, a plate is flat below.
struct WheelShape {
  double radius = 0.47, width = 0.3175;  // [m]
};
/// A tire: a wheel whose tread gives way, and that is as fast as it rolls.
struct TireShape {
  double radius = 0.47, width = 0.3175;  // free [m]
  TreadLaw tread = {};
  double damping = 1500;  // against the hub's approach to the ground [N s/m]
  /// Of the tread against shear, per area, along its way and across it; 0: without bound [Pa/m].
  double stiffness_along = 0, stiffness_across = 0;
  Vector3 normal = Vector3::UnitZ();  // of the ground as it was before wheels came
  double depth = 0;                   // of the lowest point of its middle below that ground [m]
};
struct PlateShape {
  double length = 0.3, width = 0.3;  // along and across its heading [m]
};

/// Where it is and how it moves.
struct BodyMotion {
  Vector3 center = Vector3::Zero();    // of the wheel, or of the plate's lower face [m]
  Vector3 axis = Vector3::UnitY();     // unit; the wheel's, to the left, or the plate's across
  Vector3 velocity = Vector3::Zero();  // of the center [m/s]
  Vector3 angular_velocity = Vector3::Zero();  // [rad/s]
};

/// What the soil does to the body.
struct SoilContact {
  Vector3 force_W = Vector3::Zero();   // [N]
  Vector3 torque_W = Vector3::Zero();  // about the center [N m]
  int nodes = 0;                       // in contact
  double area = 0.0;                   // of the contact seen from above [m^2]
  double b = 0.0;                      // length that Bekker's k_c is divided by [m]
  double sinkage = 0.0;                // of the deepest node below undisturbed ground [m]

  // Of a tire.
  double deflection = 0.0;                         // [m]
  double rolling_radius = 0.0;                     // [m]
  double stored_power = 0.0, damping_power = 0.0;  // into its springs; what its damper takes, <= 0
};

/// Which time a look at a contact stands for.
struct SoilTime {
  double dt = 0;             // since nodes were last sheared for good [s]
  double fresh = 0;          // since contacts were last looked at: nodes without shear are no older
  bool is_for_good = false;  // the soil takes it on
  double rest = 0;           // to the end of the step [s]
  int keep = -1;  // a body's number from 0: what its nodes' shear is then is kept for finish_step()
};

class SoilGrid {
 public:
  /// Keeps a pointer to the terrain. Throws std::invalid_argument for options that are none.
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
  /// Writes down the shear that was kept, and keeps none any more.
  void finish_step();

  /// roll_back() makes the soil what it was at the last mark(), but for tiles that were forgotten
  /// meanwhile. Marks cost a little in every step that follows.
  void mark();
  void roll_back();

  /// Height of the ground as it now is, at the node nearest to (x, y) [m]; and how far it was
  /// pressed in for good.
  double height(double x, double y);
  double rut_depth(double x, double y);

  /// Lets heaps steeper than the angle of repose slide in a rectangle.
  void relax(const Box2& box, int sweeps);
  /// Sum of height times cell over the nodes of a rectangle [m^3].
  double volume(const Box2& box);

  /// All that the ground remembers, behind what is there, and back: it goes on bit by bit. Throws
  /// std::invalid_argument where the numbers are not those of a grid with these options.
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
