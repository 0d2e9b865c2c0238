#include "camber/sensors/gnss_paths.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace camber::sensors {
namespace {

constexpr double kWavelength = 0.1903;  // L1 [m]

Vector3 to_vector3(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }

}  // namespace

std::vector<Wall> find_walls(const DriveScene& scene, const Vec3<double>& antenna, double reach) {
  // Buildings are wider than 5 deg where they matter, and higher than the antenna.
  constexpr int kAround = 72;
  constexpr double kRises[] = {0, 0.35, 0.8};  // tangents of elevations
  std::vector<scene::Ray> rays;
  for (const double rise : kRises)
    for (int k = 0; k < kAround; ++k) {
      const double a = 2 * std::numbers::pi * k / kAround;
      rays.push_back(
          {to_vector3(antenna), Vector3(std::cos(a), std::sin(a), rise).normalized(), reach});
    }
  std::vector<scene::Hit> hits(rays.size());
  scene.scene().cast(rays, hits);
  std::vector<Wall> walls;
  for (std::size_t k = 0; k < hits.size(); ++k) {
    const scene::Hit& hit = hits[k];
    constexpr double kUpright = 0.2;  // of the normal's z
    if (!hit.is_hit() || hit.instance == scene::kGround || std::abs(hit.normal.z()) > kUpright)
      continue;
    const double distance = -hit.range * rays[k].direction.dot(hit.normal);
    const Wall wall{{hit.normal.x(), hit.normal.y(), hit.normal.z()}, distance, hit.instance};
    const bool is_known = std::ranges::any_of(walls, [&](const Wall& w) {
      return w.instance == wall.instance && dot(w.normal, wall.normal) > 0.9999 &&
             std::abs(w.distance - wall.distance) < 0.01;
    });
    if (!is_known) walls.push_back(wall);
  }
  return walls;
}

SignalPath find_path(const DriveScene& scene, const Vec3<double>& antenna,
                     std::span<const Wall> walls, const Vec3<double>& satellite, double reach) {
  SignalPath path;
  path.is_direct = !scene.is_blocked(antenna, satellite, reach);
  for (const Wall& wall : walls) {
    const double across = dot(satellite, wall.normal);
    if (across <= 0) continue;
    // Seen from the antenna the signal comes from the satellite's mirror image.
    const Vec3<double> from = satellite - wall.normal * (2 * across);
    const double detour = 2 * wall.distance * across;
    if (path.is_reflected && detour >= path.detour) continue;
    const scene::Hit hit =
        scene.scene().cast(scene::Ray{to_vector3(antenna), to_vector3(from), reach});
    const double expected = wall.distance / across;  // to the plane of the wall
    constexpr double kTolerance = 0.01;              // [m]
    if (hit.instance != wall.instance || std::abs(hit.range - expected) > kTolerance) continue;
    const Vec3<double> point = antenna + from * expected + wall.normal * 1e-3;
    if (scene.is_blocked(point, satellite, reach)) continue;
    path.is_reflected = true;
    path.detour = detour;
  }
  return path;
}

double calc_range_error(const SignalPath& path, double amplitude) {
  if (!path.is_reflected) return 0;
  if (!path.is_direct) return path.detour;
  const double phase =
      2 * std::numbers::pi * std::fmod(path.detour / kWavelength, 1) + std::numbers::pi;
  const double part = amplitude * std::cos(phase);
  return part * path.detour / (1 + part);
}

}  // namespace camber::sensors
