#pragma once

#include <cmath>
#include <limits>

#include "camber/math/types.h"
#include "camber/math/vec3.h"

namespace camber::scene {

/// A half line in the world. Ranges count in lengths of `direction`: make it a unit vector to have
/// meters.
struct Ray {
  Vector3 origin = Vector3::Zero();                            // [m]
  Vector3 direction = Vector3::UnitX();                        // unit
  double max_range = std::numeric_limits<double>::infinity();  // [m]

  Vector3 at(double range) const { return origin + range * direction; }
};

/// Numbers in Hit::instance that are not an instance.
inline constexpr int kGround = -1;   // the ground
inline constexpr int kNothing = -2;  // a miss

/// What a ray meets first.
struct Hit {
  double range = std::numeric_limits<double>::infinity();  // infinite: a miss [m]
  Vector3 normal = Vector3::Zero();  // unit, of the surface, on the side that the ray comes from
  int instance = kNothing;           // number of the instance, kGround or kNothing
  int primitive = -1;                // triangle of the mesh, side of the shape, cell of the ground
  int material = 0;                  // in Scene::material()
  int label = 0;                     // class, in Scene::label_name()

  bool is_hit() const { return instance != kNothing; }
};

/// Range of a ray for any scalar, to first order about a hit: the surface is replaced by its
/// tangent plane at `point` with `normal`, so that the derivatives of the range by origin and
/// direction are exact.
///   n . (o + r d - p) = 0
template <class T>
T calc_range(const Vector3& point, const Vector3& normal, const math::Vec3<T>& origin,
             const math::Vec3<T>& direction) {
  const T above = (T(point.x()) - origin[0]) * normal.x() +
                  (T(point.y()) - origin[1]) * normal.y() + (T(point.z()) - origin[2]) * normal.z();
  return above /
         (direction[0] * normal.x() + direction[1] * normal.y() + direction[2] * normal.z());
}

}  // namespace camber::scene
