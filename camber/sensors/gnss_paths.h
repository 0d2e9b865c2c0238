#pragma once

// Paths of satellite signals to an antenna among walls: the direct one, and those by one
// reflection.

#include <span>
#include <vector>

#include "camber/sensors/drive_scene.h"

namespace camber::sensors {

/// A plane face near the antenna.
struct Wall {
  Vec3<double> normal;  // unit, towards the antenna
  double distance = 0;  // of the antenna from its plane [m]
  int instance = 0;
};

/// The walls around a place: planes of the faces that horizontal and slightly raised rays meet,
/// each once. The ground is not one of them.
std::vector<Wall> find_walls(const DriveScene& scene, const Vec3<double>& antenna, double reach);

/// How a satellite's signal arrives.
struct SignalPath {
  bool is_direct = false;     // nothing is in the way
  bool is_reflected = false;  // a wall sends it to the antenna
  double detour = 0;          // of the shortest reflected way, beside the direct one [m]
};

/// From a direction to the satellite in the scene's frame. The path reflected by a wall goes
/// through the mirror image of the antenna; rays decide whether it meets the wall itself and is
/// free beyond. Its detour is 2 d (s . n).
SignalPath find_path(const DriveScene& scene, const Vec3<double>& antenna,
                     std::span<const Wall> walls, const Vec3<double>& satellite, double reach);

/// Error of a range by a reflected signal [m]. Direct and reflected together: the first-order error of
/// a delay lock loop whose correlator does not resolve the detour, a cos(phi) detour / (1 + a cos phi)
/// with phi = 2 pi detour / wavelength + pi [Kaplan 2006, 6.3]; reflected alone: the detour.
double calc_range_error(const SignalPath& path, double amplitude);

}  // namespace camber::sensors
