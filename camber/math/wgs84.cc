// [NIMA 2000] "Department of Defense World Geodetic System 1984", TR8350.2, 3rd edition.
// [Fukushima 1999] T. Fukushima, "Fast transform from geocentric to geodetic coordinates", Journal
// of Geodesy 73. Ours: plain Newton on Bowring's equation for the tangent t of the parametric
// latitude,
//   g(t) = p t - (1 - f) |z| - e^2 a t / sqrt(1 + t^2) = 0,    tan(latitude) = t / (1 - f)       (1)
// from the sphere's value. g' > 0 outside of the evolute, so that the iteration converges from
// there, in three or four steps near the surface.

#include "camber/math/wgs84.h"

#include <cmath>
#include <numbers>

namespace camber::math {
namespace {

constexpr double kA = kWgs84Axis, kF = kWgs84Flattening, kE2 = kF * (2 - kF);

Mat3<double> find_axes(const Geodetic& at) {
  const double sp = std::sin(at.latitude), cp = std::cos(at.latitude);
  const double sl = std::sin(at.longitude), cl = std::cos(at.longitude);
  return {{{-sl, cl, 0}, {-sp * cl, -sp * sl, cp}, {cp * cl, cp * sl, sp}}};
}

}  // namespace

Vec3<double> to_ecef(const Geodetic& place) {
  const double s = std::sin(place.latitude), c = std::cos(place.latitude);
  const double n = kA / std::sqrt(1 - kE2 * s * s);
  const double across = (n + place.height) * c;
  return {across * std::cos(place.longitude), across * std::sin(place.longitude),
          (n * (1 - kE2) + place.height) * s};
}

Geodetic to_geodetic(const Vec3<double>& ecef) {
  const double p = std::hypot(ecef[0], ecef[1]), z = std::abs(ecef[2]);
  Geodetic out;
  out.longitude = p > 0 ? std::atan2(ecef[1], ecef[0]) : 0;
  if (p < 1e-9) {  // on the axis
    out.latitude = z > 0 ? std::copysign(std::numbers::pi / 2, ecef[2]) : 0;
    out.height = z - kA * (1 - kF);
    return out;
  }
  // (1)
  double t = z / (p * (1 - kF));
  for (int i = 0; i < 20; ++i) {
    const double root = std::sqrt(1 + t * t);
    const double g = p * t - (1 - kF) * z - kE2 * kA * t / root;
    const double slope = p - kE2 * kA / (root * root * root);
    const double step = g / slope;
    t -= step;
    if (std::abs(step) <= 1e-16 * (1 + t)) break;
  }
  const double latitude = std::atan2(t, 1 - kF);
  out.latitude = std::copysign(latitude, ecef[2]);
  // The height along the normal, without a division that fails at the equator or the pole.
  const double s = std::sin(latitude), c = std::cos(latitude);
  out.height = p * c + z * s - kA * std::sqrt(1 - kE2 * s * s);
  return out;
}

LocalFrame::LocalFrame(const Geodetic& origin)
    : origin_(origin), p_(math::to_ecef(origin)), R_(find_axes(origin)) {}

}  // namespace camber::math
