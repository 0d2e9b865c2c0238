#pragma once

// The lower sides of bodies on a soil grid, in closed form over eight nodes at a time.

#include <algorithm>
#include <cmath>

#include "camber/math/lanes.h"
#include "camber/math/types.h"
#include "camber/terrain/soil_grid.h"

namespace camber::terrain::internal {

inline constexpr int kWide = 8;
using L = math::Lanes<kWide>;
using Mask = L::Mask;

/// A rigid body's node counts as fully touched if its depth is at least spacing / kRise.
inline constexpr double kRise = 20;

/// x, cut to 0..1.
inline L ramp(const L& x) { return max(L(0.0), min(L(1.0), x)); }

/// The body above a row of nodes: height and normal of its lower side.
struct Underside {
  L z;           // relative to the center [m]
  L nx, ny, nz;  // into the body, unit
  L cover;       // part of the cell that it covers
};

/// A cylinder about the axis a through the center. Along a vertical line q + z e_z:
///   |(q + z e_z) - a (a . (q + z e_z))| = r,  the lower root.
struct WheelGeometry {
  WheelGeometry(const WheelShape& wheel, const Vector3& axis, double spacing)
      : r(wheel.radius), width(wheel.width), a(axis), A(1 - a.z() * a.z()) {
    // A cell's extent along the axis.
    inverse_cell = std::hypot(a.x(), a.y()) / (spacing * (std::abs(a.x()) + std::abs(a.y())));
    inverse_rise = kRise / spacing;
  }
  /// On ground of this normal.
  WheelGeometry(const WheelShape& wheel, const Vector3& axis, const Vector3& normal, double spacing)
      : WheelGeometry(wheel, axis, spacing) {
    ground = normal;
    ahead = axis.cross(normal).normalized();
    // A cell's extent in the direction of travel, and the slope of the wheel a quarter of that from
    // its lowest point.
    const double cell = spacing * (std::abs(ahead.x()) + std::abs(ahead.y()));
    least_slope = 0.25 * cell / r;
    inverse_rise = 1 / cell;
    begin = 0.5;
  }
  Underside at(const L& dx, const L& dy) const {
    const L s0 = a.x() * dx + a.y() * dy;
    const L B = -a.z() * s0;
    const L C = dx * dx + dy * dy - s0 * s0 - r * r;
    const L root2 = B * B - A * C;
    Underside u;
    u.z = (-B - sqrt(max(root2, L(0.0)))) * (1 / A);
    const L s = s0 + a.z() * u.z;
    u.nx = (a.x() * s - dx) * (1 / r), u.ny = (a.y() * s - dy) * (1 / r);
    u.nz = (a.z() * s - u.z) * (1 / r);
    u.cover = ramp((0.5 * width - abs(s)) * inverse_cell + 0.5);
    u.cover = select(root2 > L(0.0) && u.nz > L(0.05), u.cover, L(0.0));
    return u;
  }
  /// The fraction of a cell that is in contact, from the depth of its node. For a tire it is the
  /// part that the edge of the contact covers, which starts half a cell before the node is touched.
  /// So the sum over a row is the length in contact and does not ripple as nodes come into contact
  /// and leave it.
  L part_touched(const Underside& u, const L& depth) const {
    const L along = abs(u.nx * ahead.x() + u.ny * ahead.y() + u.nz * ahead.z());
    const L across = u.nx * ground.x() + u.ny * ground.y() + u.nz * ground.z();
    // Most rows are completely inside or outside the contact and need no division.
    const L deep = depth * inverse_rise * across, slope = max(along, least_slope * across);
    if (all(abs(deep) >= slope)) return select(deep > L(0.0), L(1.0), L(0.0));
    return ramp(begin + deep / slope);
  }
  /// Extent along x and y of the part of the body that is less than `depth` above its lowest point.
  Vector3 reach(double depth) const {
    const double d = std::clamp(depth, 0.0, r), chord = std::sqrt(d * (2 * r - d));
    // Along the axis half the width, across it the chord; a tilted axis adds its shadow.
    const double along = 0.5 * width + r * std::abs(a.z());
    return {std::abs(a.x()) * along + chord * std::sqrt(std::max(0.0, 1 - a.x() * a.x())),
            std::abs(a.y()) * along + chord * std::sqrt(std::max(0.0, 1 - a.y() * a.y())),
            r * std::sqrt(A) + 0.5 * width * std::abs(a.z())};
  }

  double r, width;
  Vector3 a;
  double A, inverse_cell;
  // A wheel without a normal needs no slope relative to the ground.
  Vector3 ground = Vector3::UnitZ(), ahead = Vector3::Zero();
  double least_slope = 1, inverse_rise = 0, begin = 0;
};

/// A level face.
struct PlateGeometry {
  PlateGeometry(const PlateShape& plate, const Vector3& axis, double spacing)
      : width(plate.width), length(plate.length), a(axis), h(axis.y(), -axis.x(), 0) {
    inverse_cell = 1 / (spacing * (std::abs(a.x()) + std::abs(a.y())));
    inverse_rise = kRise / spacing;
  }
  Underside at(const L& dx, const L& dy) const {
    const L s = a.x() * dx + a.y() * dy, t = h.x() * dx + h.y() * dy;
    return {L(0.0), L(0.0), L(0.0), L(1.0),
            ramp((0.5 * width - abs(s)) * inverse_cell + 0.5) *
                ramp((0.5 * length - abs(t)) * inverse_cell + 0.5)};
  }
  L part_touched(const Underside&, const L& depth) const { return ramp(depth * inverse_rise); }
  Vector3 reach(double) const {
    return {0.5 * (std::abs(a.x()) * width + std::abs(h.x()) * length),
            0.5 * (std::abs(a.y()) * width + std::abs(h.y()) * length), 0};
  }

  double width, length;
  Vector3 a, h;
  double inverse_cell, inverse_rise;
};

inline WheelGeometry make_geometry(const WheelShape& s, const Vector3& axis, double d) {
  return {s, axis, d};
}
inline WheelGeometry make_geometry(const TireShape& s, const Vector3& axis, double d) {
  return {{s.radius, s.width}, axis, s.normal, d};
}
inline PlateGeometry make_geometry(const PlateShape& s, const Vector3& axis, double d) {
  return {s, axis, d};
}

}  // namespace camber::terrain::internal
