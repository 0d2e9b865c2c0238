#pragma once

// The scene of a drive, for sensors that cast rays: the ground with its ruts, trunks and posts, the
// vehicles and the things that move. It belongs to the sensors and not to the world, because a
// drive without such sensors needs no scene, and because it is kept only around the vehicle that
// carries them.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/scene/scene.h"
#include "camber/sensors/motion_track.h"
#include "camber/vehicle/vehicle.h"
#include "camber/world/world.h"

namespace camber::sensors {

/// The visible parts of one body: boxes, wheels and a mesh that move with it.
struct BodyLook {
  struct Wheel {
    Vec3<double> center;  // in the body's frame [m]
    double radius = 0, width = 0;
  };
  std::string body = {};
  std::vector<vehicle::Box> boxes = {};  // in the body's frame
  std::vector<Wheel> wheels = {};
  std::shared_ptr<const vehicle::ShapeMesh> mesh = nullptr;  // null: none
  Vector3 mesh_offset = Vector3::Zero();  // of the mesh's frame in the body's [m]
};

/// The visible bodies of a vehicle: its own, and those that move relative to it, such as a
/// trailer's.
struct VehicleLook : BodyLook {
  std::vector<BodyLook> others = {};  // VehicleMotion has these bodies first, in this order
};

/// The surroundings of the drive, ground included: a city.
struct Surroundings {
  std::function<void(const terrain::Box2&, scene::Scene*)> add = {};  // adds them in a box
  terrain::Box2 extent{1, 1, -1, -1};                                 // inverted: not known
};

struct SceneOptions {
  double reach = 120;              // how far sensors look [m]
  int own = 0;                     // vehicle that carries the sensors
  bool has_own_chassis = false;    // whether sensors on other bodies may see its chassis move
  Surroundings surroundings = {};  // instead of the terrain's ground and obstacles
};

/// Numbers of objects, in Hit::instance, are those of vehicles, things, then trunks and posts of the
/// part of the ground that is loaded.
class DriveScene {
 public:
  DriveScene(std::shared_ptr<const terrain::Terrain> terrain, std::vector<VehicleLook> vehicles,
             std::vector<world::MovingThing> things, const SceneOptions& options);

  /// Loads the ground and the obstacles around a place, if it is near the edge of what is loaded.
  void follow(double x, double y);
  /// Takes over the ruts of a vehicle around its wheels, since the last call.
  void refresh_ruts(dynamics::Vehicle* vehicle);
  /// Moves all vehicles and things to their poses at a time.
  void set_time(double time, const std::vector<VehicleMotion>& vehicles);
  /// Whether rays meet the own vehicle: its chassis, which sensors on the chassis see by
  /// own_vehicle(), and its other bodies.
  void show_own(bool has_chassis, bool has_others);

  /// Whether a body moves relative to the chassis of the vehicle that carries the sensors.
  bool has_movers() const { return !parts_.empty(); }
  const scene::Scene& scene() const { return scene_; }
  /// The own vehicle alone, in its own frame: it does not move relative to its sensors.
  const scene::Scene& own_vehicle() const { return own_; }
  /// Whether the line from a point in a direction is blocked within a distance.
  bool is_blocked(const Vec3<double>& from, const Vec3<double>& direction, double distance) const;

  /// Velocity of what an instance belongs to, at a point of the world and a time [m/s].
  Vec3<double> velocity_at(int instance, const Vec3<double>& point, double time,
                           const std::vector<VehicleMotion>& vehicles) const;
  /// Object that an instance belongs to: vehicles from 0, then things, then obstacles; -1 for the
  /// ground.
  int object_of(int instance) const;
  int object_count() const { return static_cast<int>(first_instance_.size()); }

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  void build(double x, double y);
  void build_things();  // vehicles and what moves
  void commit();        // after the last instance
  void add_vehicle(int number);
  void add_body(const BodyLook& look, int vehicle, int body, scene::Scene* scene);

  std::shared_ptr<const terrain::Terrain> terrain_;
  std::vector<VehicleLook> looks_;
  std::vector<world::MovingThing> things_;
  SceneOptions options_;
  scene::Scene scene_, own_;
  /// A part of a vehicle or thing: its pose in the frame that moves.
  struct Part {
    int instance = 0, object = 0;
    int body = -1;  // of a vehicle; -1: its frame
    Isometry3 X_VP = Isometry3::Identity();
  };
  std::vector<Part> parts_;          // instances ascend
  std::vector<int> first_instance_;  // of each object
  std::vector<int> objects_;         // of each instance
  double x_ = 0, y_ = 0;             // middle of what is loaded [m]
  bool is_built_ = false;
  bool has_whole_ground_ = false;        // a map or a small city, which is loaded at once
  terrain::Box2 rut_box_{1, 1, -1, -1};  // about the wheels at the last refresh; inverted: none
};

}  // namespace camber::sensors
