#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "camber/math/types.h"

namespace camber::scene {

/// Triangles. Vertices are floats about a double origin: 4 um at 50 m from it. Both sides of a
/// triangle are seen.
struct Mesh {
  using Vertex = std::array<float, 3>;
  using Triangle = std::array<std::uint32_t, 3>;
  /// Material and class of some triangles of a mesh, in the numbers of the scene; -1: those of the
  /// instance.
  struct Surface {
    int material = -1, label = -1;
  };

  std::string name = {};
  Vector3 origin = Vector3::Zero();   // [m]
  std::vector<Vertex> vertices = {};  // about the origin [m]
  std::vector<Triangle> triangles = {};
  /// Number of each triangle's surface in `surfaces`; empty: those of the instance apply.
  std::vector<std::uint16_t> surface_of = {};
  std::vector<Surface> surfaces = {};

  Vector3 vertex(std::uint32_t k) const {
    return origin + Vector3(vertices[k][0], vertices[k][1], vertices[k][2]);
  }

  /// Throws std::invalid_argument if there is no triangle, a vertex is not finite or farther than
  /// 1e6 m from the origin, or a number is out of range.
  void check() const;
};

/// A mesh of vertices in doubles; the origin is the middle of their box.
Mesh make_mesh(std::span<const Vector3> vertices, std::vector<Mesh::Triangle> triangles);

/// Closed meshes about the origin, for tests and simple scenes.
Mesh make_box_mesh(const Vector3& size);
/// Sphere of 20 * 4^subdivisions triangles.
Mesh make_sphere_mesh(double radius, int subdivisions);
/// Upright cylinder from z = 0, with `sides` sides.
Mesh make_cylinder_mesh(double radius, double height, int sides);

/// Adds the triangles of `other`, moved by X, to `mesh`; its surfaces are kept, or `surface` is
/// used for all of its triangles if it has none.
void append(const Mesh& other, const Isometry3& X, Mesh::Surface surface, Mesh* mesh);

}  // namespace camber::scene
