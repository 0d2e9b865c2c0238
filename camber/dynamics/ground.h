#pragma once

// The ground under a vehicle's wheels, whatever it is:
//
//   Ground ground(&terrain, RigidGround{.tire = tire::make_hmmwv_tire()}, 4);
//   each step from t to t + h:
//     ground.commit(wheels, states, {.fresh = h_before/2}, forces);     // at t; 0 at first
//     ground.calc(wheels, states, {.dt = h/2, .fresh = h/2, .rest = h/2, .keeps = true}, forces);
//     ground.finish_step();
//
// Soil remembers. How deep it was pressed is written down by commit() alone, with the contact that
// a step begins with; later stages ask calc() what the soil would do, and leave it as it is. Shear
// has a rate, and goes by the midpoint rule as the vehicle does: the last stage that keeps says
// what it is at the end of the step, and finish_step() writes it down. So a step gives the same
// bits however many stages it asks for, and has second order (docs/theory/soil.md, section 6).
// roll_back() takes back everything since mark(). On rigid ground and lumped soil nothing is
// remembered, and the two calls are the same.
//
// No call allocates, once the soil's tiles are there.

#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "camber/dynamics/wheel_on_ground.h"
#include "camber/dynamics/wheel_on_soil.h"

namespace camber::dynamics {

/// A tire on ground that does not yield.
struct RigidGround {
  tire::RollingTire tire = {};
  std::optional<tire::RollingTire> right = {};  // of wheels 1, 3, ... where they are not the same
  ContactOptions contact = {};
};

using GroundModel = std::variant<RigidGround, LumpedGround, SoilGround>;

/// Of a stage, as in terrain::SoilTime [s].
struct StageTime {
  double dt = 0;     // since the step's begin
  double fresh = 0;  // since the stage before
  double rest = 0;   // to the step's end
  bool keeps = false;
};

class Ground {
 public:
  /// Keeps a pointer to the terrain. Throws std::invalid_argument for options that are none.
  Ground(const terrain::Terrain* terrain, GroundModel model, int wheels);

  void commit(std::span<const WheelMotion<double>> wheels,
              std::span<const tire::TireState<double>> states, const StageTime& time,
              std::span<WheelForces<double>> forces);
  void calc(std::span<const WheelMotion<double>> wheels,
            std::span<const tire::TireState<double>> states, const StageTime& time,
            std::span<WheelForces<double>> forces);
  void finish_step();

  /// roll_back() makes the ground what it was at the last mark(), as often as wanted.
  void mark();
  void roll_back();

  /// Of a wheel on rigid ground.
  Footing find_footing(int wheel, const WheelMotion<double>& motion);
  /// The rolling constraint of a wheel's tire, or null.
  const tire::RollingConstraint* constraint(int wheel) const;

  /// What the soil under a wheel carries without failing (Terzaghi), as of the last commit; without
  /// bound where it is not soil [N].
  double safe_load(int wheel) const;

  /// What the ground remembers of the wheels, behind what is there, and back: nothing but on a soil
  /// grid. Throws std::invalid_argument where the numbers are not of such a ground.
  void append_state(std::vector<double>* state) const;
  void set_state(std::span<const double> state);

  const GroundModel& model() const { return model_; }
  const terrain::Terrain& terrain() const { return *terrain_; }
  /// Of a wheel that carries nothing [m].
  double free_radius() const;
  /// In the springs of a tire's load at a deflection [J]; nothing where the ground yields, too: its
  /// springs have no energy of their own.
  std::optional<double> calc_spring_energy(int wheel, double deflection) const;
  /// The terrain as it was before wheels came.
  terrain::SurfaceSample sample(double x, double y) { return terrain_->sample(x, y, &cache_); }
  terrain::SoilGrid* soil() { return soil_.get(); }  // null where there is none
  terrain::TerrainCache* cache() { return &cache_; }

 private:
  void calc_all(std::span<const WheelMotion<double>> wheels,
                std::span<const tire::TireState<double>> states, const StageTime& time, bool commit,
                std::span<WheelForces<double>> forces);

  const terrain::Terrain* terrain_;
  GroundModel model_;
  terrain::TerrainCache cache_;
  std::unique_ptr<terrain::SoilGrid> soil_;
  std::vector<SoilWheelMemory> memory_, marked_;
};

}  // namespace camber::dynamics
