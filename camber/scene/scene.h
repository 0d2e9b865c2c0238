#pragma once

// The surroundings: the ground that the wheels feel, meshes and simple shapes, with poses,
// materials and classes. Sensors, collision checks and pictures query it by rays.
//
//   Scene scene;
//   const int brick = scene.add_material({.name = "brick", .color = {0.4, 0.2, 0.15}});
//   const int house = scene.add_mesh(load_mesh("house.obj"));
//   scene.set_ground(terrain, {.material = asphalt, .label = scene.add_label("ground")});
//   scene.add_instance({.shape = MeshShape{house}, .X_WS = pose, .material = brick});
//   const int car = scene.add_instance({.shape = Box{{4.5, 1.8, 1.4}}, .is_moving = true});
//   scene.commit();                      // builds the search trees
//   scene.cast(rays, hits);              // const: from any number of threads
//   scene.move(car, X_WC);
//   scene.refit();                       // microseconds: only what moves is touched
//   scene.refresh_ground(soil, box);     // ruts
//
// The result of a ray is the exact minimum, in doubles, over everything in the scene; ties go to
// the lowest instance (the ground first), then to the lowest primitive. So it has the same bits for
// any grouping of rays, number of threads and instruction set (docs/theory/rays.md).

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/math/types.h"
#include "camber/scene/material.h"
#include "camber/scene/mesh.h"
#include "camber/scene/ray.h"
#include "camber/scene/shape.h"
#include "camber/terrain/terrain.h"

namespace camber::terrain {
class SoilGrid;
}

namespace camber::scene {

struct Instance {
  std::string name = {};
  Shape shape = Box{};
  Isometry3 X_WS = Isometry3::Identity();  // pose of the shape in the world
  int material = 0, label = 0;
  bool is_moving = false;  // move() may be called for it
  bool is_visible = true;  // else rays pass through it
};

struct GroundOptions {
  /// Part of the ground that rays see; empty (x0 == x1): all of a map, 500 m of a procedural or
  /// paged one and 2 km of a plane about the origin.
  terrain::Box2 region = {};
  int material = 0, label = 0;
  /// Cell of the search tree where the terrain is not a grid of heights [m].
  double cell = 0.5;
};

struct ClosestPoint {
  double distance = std::numeric_limits<double>::infinity();  // infinite: nothing within reach [m]
  Vector3 point = Vector3::Zero();                            // [m]
  int instance = kNothing;
  int primitive = -1;
};

/// A surface that a vertical line crosses.
struct ColumnHit {
  double z = 0.0;        // [m]
  double slope_z = 0.0;  // z of the unit normal (up or down); 0: vertical
  int instance = kNothing;
  int primitive = -1;
  int material = 0, label = 0;
};

class Scene {
 public:
  Scene();
  ~Scene();
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;

  /// Materials and classes are numbered from 0, which exists from the start. add_label() returns
  /// the number that a name already has.
  int add_material(Material material);
  int add_label(std::string_view name);
  int material_count() const;
  int label_count() const;
  const Material& material(int k) const;
  const std::string& label_name(int k) const;
  /// Number by name, or -1.
  int find_material(std::string_view name) const;
  int find_label(std::string_view name) const;

  /// Checks the mesh and builds its search tree: about 1 us per triangle. Throws
  /// std::invalid_argument.
  int add_mesh(Mesh mesh);
  int mesh_count() const;
  const Mesh& mesh(int k) const;

  /// Throws std::invalid_argument for a pose that is not finite or an invalid shape.
  int add_instance(Instance instance);
  int instance_count() const;
  const Instance& instance(int k) const;
  /// Number by name, or -1.
  int find_instance(std::string_view name) const;

  /// The scene shares the terrain. Throws std::invalid_argument for an empty region.
  void set_ground(std::shared_ptr<const terrain::Terrain> terrain, const GroundOptions& options);
  /// Adds the trunks and posts of the terrain in the ground's region as upright cylinders; returns
  /// their number.
  int add_obstacles(int material, int label);
  bool has_ground() const;
  const terrain::Terrain* terrain() const;
  const terrain::Box2& ground_region() const;
  /// Height of the ground as rays see it, with ruts [m]. The point must be in the region.
  double ground_height(double x, double y) const;

  /// Builds the trees over instances. To be called after the last add_instance() and before the
  /// first query; later additions need it again.
  void commit();

  /// New pose of a moving instance, seen after refit().
  void move(int instance, const Isometry3& X_WS);
  /// Shows or hides an instance, at once.
  void set_visible(int instance, bool is_visible);
  /// Makes moves effective: cost grows with the number of moving instances, not with the scene.
  void refit();

  /// Takes over the present heights of the soil in a rectangle. Nodes of the soil are met exactly;
  /// between them the rut's depth is bilinear.
  void refresh_ground(const terrain::SoilGrid& soil, const terrain::Box2& box);

  /// First hit of each ray. Neighbors in `rays` should be neighbors in space: 16 are traced
  /// together. Throws std::invalid_argument if the lengths differ or a ray is not finite.
  void cast(std::span<const Ray> rays, std::span<Hit> hits) const;
  Hit cast(const Ray& ray) const;
  /// Whether a ray meets anything within its max_range: 1 or 0. For shadows and lines of sight.
  void any_hit(std::span<const Ray> rays, std::span<std::uint8_t> is_hit) const;

  /// All crossings of the vertical line at (x, y), from high to low.
  void find_column(double x, double y, std::vector<ColumnHit>* hits) const;
  /// The point of all objects (not the ground) that is closest to p, within `reach`.
  ClosestPoint find_closest(const Vector3& p, double reach) const;
  /// Instances that the box touches or encloses, ascending.
  std::vector<int> find_overlaps(const OrientedBox& box) const;

  /// Memory of trees and geometry [bytes]: objects, ground.
  struct Memory {
    std::size_t objects = 0, ground = 0;
  };
  Memory memory() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace camber::scene
