#include "camber/city/kerb_ring.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace camber::city {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kSkirt = 0.06;              // of a kerb's face below the road: closes seams [m]
constexpr double kRamp = 1.0, kFlare = 1.9;  // half lengths of a ramp at the lip and at the top [m]

}  // namespace

std::array<double, kRows> row_depths(const CitySpec& spec) {
  return {0, kKerbStone, std::min(1.6, spec.sidewalk - 0.3), spec.sidewalk};
}

std::vector<Station> corner_stations(const Junction& junction, std::size_t k,
                                     const std::array<double, kRows>& depths) {
  const Arm& y = junction.arms[k];
  const Arm& x = junction.arms[(k + 1) % junction.arms.size()];
  const Corner& corner = junction.corners[k];
  std::vector<Station> stations;
  if (corner.radius > 0) {
    const Point tangent = x.at(junction.place, corner.to, -x.profile.half_width());
    const double ux = (tangent.x - corner.center.x) / corner.radius;
    const double uy = (tangent.y - corner.center.y) / corner.radius;
    const double turn = kPi - corner.angle;
    const int parts = std::max(4, static_cast<int>(std::ceil(corner.radius * turn / 0.8)));
    for (int p = 0; p <= parts; ++p) {
      const double c = std::cos(turn * p / parts), s = std::sin(turn * p / parts);
      const double nx = c * ux - s * uy, ny = s * ux + c * uy;
      Station station;
      for (int r = 0; r < kRows; ++r) {
        const double radius = corner.radius - depths[r];
        station.points[r] = {corner.center.x + radius * nx, corner.center.y + radius * ny};
      }
      stations.push_back(station);
    }
    return stations;
  }
  Station station;
  for (int r = 0; r < kRows; ++r) {
    const double wy = y.profile.half_width() + depths[r], wx = x.profile.half_width() + depths[r];
    const double s = std::abs(corner.angle - kPi) < 20 * kPi / 180
                         ? 0.5 * (wy + wx) / std::tan(0.5 * corner.angle)
                         : (wx + wy * std::cos(corner.angle)) / std::sin(corner.angle);
    station.points[r] = y.at(junction.place, s, wy);
  }
  stations.push_back(station);
  return stations;
}

std::vector<Station> side_stations(const Junction& from, const Arm& arm, const Junction& to,
                                   const Arm& back, int side,
                                   const std::array<double, kRows>& depths) {
  std::vector<Station> stations;
  const auto add = [&](double s, bool is_ramp) {
    Station station{.is_ramp = is_ramp};
    for (int r = 0; r < kRows; ++r) {
      station.points[r] = arm.at(from.place, s, side * (arm.profile.half_width() + depths[r]));
    }
    stations.push_back(station);
  };
  const double first = arm.mouth + kZebraGap + 0.5 * kZebra;
  const double last = arm.length - back.mouth - kZebraGap - 0.5 * kZebra;
  if (from.is_crossing()) {
    add(first - kFlare, false), add(first - kRamp, true), add(first + kRamp, true);
    add(first + kFlare, false);
  }
  if (to.is_crossing()) {
    add(last - kFlare, false), add(last - kRamp, true), add(last + kRamp, true);
    add(last + kFlare, false);
  }
  return stations;
}

Point3 point_at(const Station& station, int row, double kerb,
                const std::array<double, kRows>& depths) {
  double z = kerb;
  if (station.is_ramp && row < 2) z = kLip + (kerb - kLip) * depths[row] / depths[2];
  return {station.points[row].x, station.points[row].y, z};
}

void add_sidewalk(const Station& a, const Station& b, double kerb,
                  const std::array<double, kRows>& depths, Block* block) {
  for (int r = 0; r + 1 < kRows; ++r) {
    const bool is_ramp = a.is_ramp && b.is_ramp;
    const Surface surface = r == 0              ? Surface::kKerb
                            : is_ramp && r == 1 ? Surface::kTactile
                                                : Surface::kSidewalk;
    add_quad(point_at(a, r, kerb, depths), point_at(b, r, kerb, depths),
             point_at(b, r + 1, kerb, depths), point_at(a, r + 1, kerb, depths), surface,
             &block->ground);
  }
  const Point3 top_a = point_at(a, 0, kerb, depths), top_b = point_at(b, 0, kerb, depths);
  add_quad({top_a[0], top_a[1], -kSkirt}, {top_b[0], top_b[1], -kSkirt}, top_b, top_a,
           Surface::kKerb, &block->faces);
}

}  // namespace camber::city
