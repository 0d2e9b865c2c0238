#pragma once

// The ground under a vehicle's tires, rigid or soil:
//
//   Ground ground(&terrain, RigidGround{.tire = tire}, 4);                // four equal tires
//   each step from t to t + h:
//     ground.commit(tires, states, {.fresh = h_before/2}, forces);      // at t; 0 at first
//     ground.calc(tires, states, {.dt = h/2, .fresh = h/2, .rest = h/2, .keeps = true}, forces);
//     ground.finish_step();
//
// Soil has a memory. Its compression is stored only by commit(), with the contact at the start of a
// step; later stages call calc(), which computes forces and does not change the soil. Shear has a
// rate and is integrated by the midpoint rule like the vehicle: the last stage with `keeps`
// determines its value at the end of the step, and finish_step() stores it. So a step gives the
// same bits for any number of stages, and has second order (docs/theory/soil.md, section 6).
// roll_back() undoes all changes since mark(). Rigid ground and lumped soil have no memory, and the
// two calls are the same.
//
// No call allocates once the soil's tiles exist.

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
  ContactOptions contact = {};
  bool operator==(const RigidGround&) const = default;
};

using GroundModel = std::variant<RigidGround, LumpedGround, SoilGround>;

/// Times of a stage, as in terrain::SoilTime [s].
struct StageTime {
  double dt = 0;     // since the start of the step
  double fresh = 0;  // since the stage before
  double rest = 0;   // to the step's end
  bool keeps = false;
};

class Ground {
 public:
  /// A model for each tire, all of them of one kind: rigid, lumped or soil, whose grid is that of
  /// the first one. Tires of one model that follow each other are computed four at a time. Keeps a
  /// pointer to the terrain. Throws std::invalid_argument for invalid options.
  Ground(const terrain::Terrain* terrain, std::vector<std::shared_ptr<const GroundModel>> tires);
  /// The same model for all tires.
  Ground(const terrain::Terrain* terrain, GroundModel model, int tires);

  int tire_count() const { return static_cast<int>(models_.size()); }

  void commit(std::span<const WheelMotion<double>> tires,
              std::span<const tire::TireState<double>> states, const StageTime& time,
              std::span<WheelForces<double>> forces);
  void calc(std::span<const WheelMotion<double>> tires,
            std::span<const tire::TireState<double>> states, const StageTime& time,
            std::span<WheelForces<double>> forces);
  /// calc() on rigid ground or lumped soil; on rigid ground all tires are in lanes, so that they
  /// have the same bits as in lanes of vehicles.
  void calc_in_lanes(std::span<const WheelMotion<double>> tires,
                     std::span<const tire::TireState<double>> states,
                     std::span<WheelForces<double>> forces);
  void finish_step();

  /// roll_back() restores the ground to the last mark(); it may be called again.
  void mark();
  void roll_back();

  /// Contact of a tire on rigid ground.
  Footing find_footing(int tire, const WheelMotion<double>& motion);
  /// The rolling constraint of a tire, or null.
  const tire::RollingConstraint* constraint(int tire) const;

  /// Max load that the soil under a tire carries without failing (Terzaghi), as of the last commit;
  /// infinite on rigid ground [N].
  double safe_load(int tire) const;

  /// Appends the ground's memory, and restores it: empty except for a soil grid. Throws
  /// std::invalid_argument if the numbers do not belong to such a ground.
  void append_state(std::vector<double>* state) const;
  void set_state(std::span<const double> state);

  const std::vector<std::shared_ptr<const GroundModel>>& models() const { return models_; }
  const terrain::Terrain& terrain() const { return *terrain_; }
  /// Radius of a tire that carries nothing [m].
  double free_radius(int tire) const;
  /// Energy in the spring of a tire's load at a deflection [J]; empty on ground that yields: there,
  /// springs have no energy of their own.
  std::optional<double> calc_spring_energy(int tire, double deflection) const;
  /// The terrain before wheels changed it.
  terrain::SurfaceSample sample(double x, double y) { return terrain_->sample(x, y, &cache_); }
  terrain::SoilGrid* soil() { return soil_.get(); }  // null if there is none
  terrain::TerrainCache* cache() { return &cache_; }

 private:
  void calc_all(std::span<const WheelMotion<double>> tires,
                std::span<const tire::TireState<double>> states, const StageTime& time, bool commit,
                std::span<WheelForces<double>> forces);

  /// Tires of one model that follow each other.
  struct Run {
    std::size_t first = 0, count = 0;
  };

  const terrain::Terrain* terrain_;
  std::vector<std::shared_ptr<const GroundModel>> models_;  // one per tire
  std::vector<Run> runs_;
  /// Tires of one model, wherever they are, and memory for them.
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<WheelMotion<double>> group_motions_;
  std::vector<tire::TireState<double>> group_states_;
  std::vector<WheelForces<double>> group_forces_;
  terrain::TerrainCache cache_;
  std::unique_ptr<terrain::SoilGrid> soil_;
  std::vector<SoilWheelMemory> memory_, marked_;
};

}  // namespace camber::dynamics
