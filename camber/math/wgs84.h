#pragma once

// Positions on the ellipsoid WGS84 [NIMA 2000]: geodetic, earth-centered (ECEF) and local
// east-north-up (ENU) coordinates.
//
//   const LocalFrame site({42.45 * kDegree, -83.03 * kDegree, 190});
//   const Geodetic here = site.to_geodetic({987.1, 999.8, 25.3});
//
// The world of a drive is the tangent plane of its origin, not a plane that follows the earth: 10 km
// away, level ground of the world is 7.8 m above the ellipsoid.

#include "camber/math/vec3.h"

namespace camber::math {

struct Geodetic {
  double latitude = 0, longitude = 0;  // [rad]
  double height = 0;                   // above the ellipsoid [m]
};

inline constexpr double kWgs84Axis = 6378137.0;                // a [m]
inline constexpr double kWgs84Flattening = 1 / 298.257223563;  // f

/// ECEF [m].
Vec3<double> to_ecef(const Geodetic& place);
/// By Newton's method on the latitude's tangent [Fukushima 1999], to rounding within 1e7 m of the
/// surface. At the poles the longitude is 0; the earth's center has no latitude: 0.
Geodetic to_geodetic(const Vec3<double>& ecef);

/// East, north, up at a place.
class LocalFrame {
 public:
  explicit LocalFrame(const Geodetic& origin);

  const Geodetic& origin() const { return origin_; }
  Vec3<double> to_ecef(const Vec3<double>& enu) const { return p_ + R_ * enu; }
  Vec3<double> from_ecef(const Vec3<double>& ecef) const { return transpose_times(R_, ecef - p_); }
  Geodetic to_geodetic(const Vec3<double>& enu) const { return math::to_geodetic(to_ecef(enu)); }
  Vec3<double> from_geodetic(const Geodetic& place) const {
    return from_ecef(math::to_ecef(place));
  }
  const Mat3<double>& rotation() const { return R_; }  // columns: east, north, up in ECEF

 private:
  Geodetic origin_;
  Vec3<double> p_;
  Mat3<double> R_;
};

}  // namespace camber::math
