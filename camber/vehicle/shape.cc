#include "camber/vehicle/shape.h"

#include <algorithm>
#include <limits>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/vehicle/shape_mesh.h"

namespace camber::vehicle {

Outline Shape::outline() const {
  if (empty()) return {};
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Outline all{.rear = kFar, .front = -kFar, .right = kFar, .left = -kFar};
  const auto add = [&](const Box& box) {
    all.rear = std::min(all.rear, box.min.x());
    all.front = std::max(all.front, box.max.x());
    all.right = std::min(all.right, box.min.y());
    all.left = std::max(all.left, box.max.y());
  };
  for (const Box& box : boxes) add(box);
  if (mesh) add(mesh->bounds);
  return all;
}

std::optional<double> Shape::underbody(double x, double y) const {
  std::optional<double> lowest;
  const auto add = [&](double z) { lowest = std::min(lowest.value_or(z), z); };
  for (const Box& box : boxes)
    if (x >= box.min.x() && x <= box.max.x() && y >= box.min.y() && y <= box.max.y())
      add(box.min.z());
  if (mesh) {
    std::vector<scene::ColumnHit> column;
    mesh->alone.find_column(x, y, &column);
    if (!column.empty()) add(column.back().z);
  }
  return lowest;
}

std::shared_ptr<const ShapeMesh> load_shape_mesh(const std::string& path,
                                                 const scene::MeshOptions& options,
                                                 const Vector3& offset) {
  scene::MeshFile file = scene::load_mesh(path, options);
  const auto shape = std::make_shared<ShapeMesh>();
  shape->file = path;
  shape->mesh = std::move(file.mesh);
  shape->mesh.origin += offset;
  shape->materials = std::move(file.materials);
  shape->bounds.min = shape->bounds.max = shape->mesh.vertex(shape->mesh.triangles[0][0]);
  for (const scene::Mesh::Triangle& triangle : shape->mesh.triangles)
    for (const std::uint32_t v : triangle) {
      shape->bounds.min = shape->bounds.min.cwiseMin(shape->mesh.vertex(v));
      shape->bounds.max = shape->bounds.max.cwiseMax(shape->mesh.vertex(v));
    }
  constexpr double kFarthest = 100;  // [m]
  const double reach = std::max(shape->bounds.max.maxCoeff(), -shape->bounds.min.minCoeff());
  if (!(reach <= kFarthest))
    throw FileError(path, concat("reaches ", reach, " m from the vehicle's origin, more than ",
                                 kFarthest, " m: what is its unit?"));
  scene::Mesh bare = shape->mesh;  // columns ask for no materials
  bare.surface_of.clear();
  bare.surfaces.clear();
  shape->alone.add_instance({.shape = scene::MeshShape{shape->alone.add_mesh(std::move(bare))}});
  shape->alone.commit();
  return shape;
}

}  // namespace camber::vehicle
