#pragma once

// The ground under a vehicle's wheels, whatever it is:
//
//   Ground ground(&terrain, RigidGround{.tire = tire::make_hmmwv_tire()}, 4);
//   each step from t to t + dt:
//     ground.commit(wheels, states, dt_before, forces);  // at t; dt_before 0 at first
//     ground.calc(wheels, states, h, forces);            // stages at t + h, as many as wanted
//
// Soil remembers. It is pressed for good by commit() alone, once per step, with the motion that the
// step begins with; its forces are those of the step's first stage. Later stages ask calc() what
// the soil would do h later, and leave it as it is. So a step gives the same bits however many
// stages it asks for, and a step that is refused costs nothing. What soil remembers is stepped by
// backward Euler, of first order in dt; all else has the order of the stepper. On rigid ground and
// lumped soil the two calls are the same.
//
// Neither call allocates, once the soil's tiles are there.

#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "camber/drive/wheel_on_ground.h"
#include "camber/drive/wheel_on_soil.h"

namespace camber::drive {

/// A tire on ground that does not yield.
struct RigidGround {
  tire::RollingTire tire = {};
  std::optional<tire::RollingTire> right = {};  // of wheels 1, 3, ... where they are not the same
  ContactOptions contact = {};
};

using GroundModel = std::variant<RigidGround, LumpedGround, SoilGround>;

class Ground {
 public:
  /// Keeps a pointer to the terrain. Throws std::invalid_argument for options that are none.
  Ground(const terrain::Terrain* terrain, GroundModel model, int wheels);

  void commit(std::span<const WheelMotion<double>> wheels,
              std::span<const tire::TireState<double>> states, double dt,
              std::span<WheelForces<double>> forces);
  void calc(std::span<const WheelMotion<double>> wheels,
            std::span<const tire::TireState<double>> states, double dt,
            std::span<WheelForces<double>> forces);

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
  /// Of a wheel that carries nothing [m].
  double free_radius() const;
  /// The terrain as it was before wheels came.
  terrain::SurfaceSample sample(double x, double y) { return terrain_->sample(x, y, &cache_); }
  terrain::SoilGrid* soil() { return soil_.get(); }  // null where there is none
  terrain::TerrainCache* cache() { return &cache_; }

 private:
  void calc_all(std::span<const WheelMotion<double>> wheels,
                std::span<const tire::TireState<double>> states, double dt, bool commit,
                std::span<WheelForces<double>> forces);

  const terrain::Terrain* terrain_;
  GroundModel model_;
  terrain::TerrainCache cache_;
  std::unique_ptr<terrain::SoilGrid> soil_;
  std::vector<SoilWheelMemory> memory_;
};

}  // namespace camber::drive
