#pragma once

// Vehicles and moving things on one terrain, stepped in time.
//
//   World world(terrain);
//   world.add(std::move(car), outline);
//   world.vehicle(0).command({.throttle = 0.3});
//   world.mark();
//   for (...) if (!world.step(t + k * h).ok()) world.roll_back();
//   world.observe();

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/dynamics/vehicle.h"
#include "camber/terrain/terrain.h"
#include "camber/world/moving_thing.h"
#include "camber/world/obstacle_watch.h"

namespace camber::world {

/// The nearest object of a vehicle.
struct Nearest {
  double clearance = ObstacleWatch::kReach;  // [m]; 0 or less: a hit
  std::string what;                          // in words, if something is within reach
};

class World {
 public:
  explicit World(std::shared_ptr<const terrain::Terrain> terrain);

  const terrain::Terrain& terrain() const { return *terrain_; }
  const std::shared_ptr<const terrain::Terrain>& shared_terrain() const { return terrain_; }

  /// Adds a vehicle at the world's time and returns its index. Messages and channels use its name;
  /// without one, its index and the name of its model.
  int add(std::unique_ptr<dynamics::Vehicle> vehicle, const Outline& outline,
          std::string name = {});
  /// Throws what MovingThing::check() throws.
  void add(MovingThing thing);

  int vehicle_count() const { return static_cast<int>(members_.size()); }
  dynamics::Vehicle& vehicle(int i) { return *members_[i].vehicle; }
  const dynamics::Vehicle& vehicle(int i) const { return *members_[i].vehicle; }
  const std::vector<MovingThing>& things() const { return things_; }
  /// One word: "lead", or "1_hmmwv" if it was added without a name.
  std::string vehicle_name(int i) const;
  /// In messages: vehicle "lead", or vehicle 1 (hmmwv); "the vehicle" if it is the only one.
  std::string describe_vehicle(int i) const;

  double time() const { return time_; }
  /// Longest integration step that suits all vehicles [s].
  double max_step() const;

  /// One integration step of all vehicles to `end`. If one fails, the world is not defined until
  /// roll_back(), which returns everything to the last mark().
  integrate::StepResult step(double end);
  /// Another engine has stepped all vehicles to `time`.
  void arrive(double time) { time_ = time; }
  void mark();
  void roll_back();
  /// See dynamics::Vehicle::observe(); a failure names the vehicle if there are several.
  integrate::StepResult observe();

  /// Whether there are obstacles, other vehicles or things.
  bool has_obstacles(int vehicle) const;
  /// The nearest object of a vehicle, as of its last observe(): trunks and posts, other vehicles,
  /// things.
  Nearest find_nearest(int vehicle);

  void save(StateWriter* out) const;
  void restore(double time, StateReader* in);
  /// Time and all vehicles' states, without any framing: the input of the hash of the final state.
  std::vector<double> state_values() const;

  long steps() const;
  long evaluations() const;
  /// Of all vehicles; the first time of any.
  dynamics::RejectedSteps rejected_steps() const;

 private:
  struct Member {
    std::unique_ptr<dynamics::Vehicle> vehicle;
    Outline outline;
    std::string name;
    std::optional<ObstacleWatch> watch;  // if the terrain has trunks or posts
  };
  PlacedOutline place(const Member& member) const;
  /// Before a message about one of several vehicles.
  std::string prefix_of(std::size_t member) const;

  std::shared_ptr<const terrain::Terrain> terrain_;
  double time_ = 0, marked_time_ = 0;  // [s]
  std::vector<Member> members_;
  std::vector<MovingThing> things_;
};

}  // namespace camber::world
