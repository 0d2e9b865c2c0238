#pragma once

// All sensors of a vehicle, read during a run.
//
//   SensorSuite sensors(setup);
//   sensors.observe(&world);              // at the start and after every integration step
//   if (const Sensor* imu = sensors.find("imu"))
//     if (const Sample* sample = imu->find_latest(world.time())) ...
//
// Sensors read the world; they do not change it.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "camber/sensors/drive_scene.h"
#include "camber/sensors/sensor.h"
#include "camber/world/world.h"

namespace camber::sensors {

struct SuiteSetup {
  std::vector<SensorSpec> sensors = {};
  Carrier carrier = {};
  int vehicle = 0;  // that carries them
  std::uint64_t seed = 1;
  double steps_per_second = 1e3;   // integration steps of the world, at most
  Surroundings surroundings = {};  // of the drive; empty: the terrain alone
};

class SensorSuite {
 public:
  SensorSuite() = default;
  /// Throws std::invalid_argument for a sensor that does not fit the vehicle.
  explicit SensorSuite(const SuiteSetup& setup);

  bool empty() const { return sensors_.empty(); }
  std::size_t size() const { return sensors_.size(); }
  const Sensor& sensor(std::size_t i) const { return *sensors_[i]; }
  const Sensor* find(std::string_view name) const;  // null if there is none

  /// The visible parts of the next vehicle of the world. To be called for each, in their order,
  /// before the first observe().
  void add_look(VehicleLook look) { looks_.push_back(std::move(look)); }
  /// Called with each sample when it has been measured.
  void set_listener(std::function<void(const Sensor&, const Sample&)> listener) {
    listener_ = std::move(listener);
  }

  /// Takes the state of the world, and every sample that is complete by now.
  void observe(world::World* world);

  /// How much a sensor sees of its own vehicle at the start; empty for sensors without rays.
  OwnView find_own_view(std::size_t sensor);

  void save(StateWriter* out) const;
  void restore(const world::World& world, StateReader* in);

 private:
  bool needs_scene() const { return reach_ > 0; }
  void prepare(const world::World& world);
  void list_bodies(const world::World& world);
  void take_motions(int vehicle, world::World* world);
  const MotionTrack& track_of(const Sensor& sensor) const;

  std::vector<std::unique_ptr<Sensor>> sensors_;
  int vehicle_ = 0;
  double reach_ = 0;          // how far the sensors look [m]
  std::size_t capacity_ = 0;  // of the tracks
  std::vector<VehicleLook> looks_;
  std::vector<VehicleMotion> motions_;    // of all vehicles that are seen
  std::vector<std::vector<int>> bodies_;  // by vehicle: numbers of the bodies in its motion
  std::vector<dynamics::BodyMotion> found_;
  std::optional<SignalTrack> signals_;
  Surroundings surroundings_;
  std::unique_ptr<DriveScene> scene_;
  std::function<void(const Sensor&, const Sample&)> listener_;
};

}  // namespace camber::sensors
