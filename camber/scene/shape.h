#pragma once

#include <variant>

#include "camber/math/types.h"

namespace camber::scene {

/// Shapes given by formulas, about their own origin, z up. A ray that starts inside meets the
/// surface from inside.
struct Box {
  Vector3 size = Vector3::Ones();  // along x, y, z; the origin is its middle [m]
};
/// A cylinder about z, closed at both ends; the origin is its middle.
struct Cylinder {
  double radius = 0.5, height = 1.0;  // [m]
};
struct Sphere {
  double radius = 0.5;  // [m]
};
/// A cylinder about z with half spheres on its ends; the origin is its middle.
struct Capsule {
  double radius = 0.25, height = 1.8;  // height with both ends, >= 2 radius [m]
};
/// A mesh of the scene.
struct MeshShape {
  int mesh = 0;  // in Scene::mesh()
};

using Shape = std::variant<MeshShape, Box, Cylinder, Sphere, Capsule>;

/// Box with axes of its own, for overlap queries.
struct OrientedBox {
  Isometry3 X_WB = Isometry3::Identity();  // pose of its middle
  Vector3 size = Vector3::Ones();          // [m]
};

}  // namespace camber::scene
