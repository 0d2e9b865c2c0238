#pragma once

#include <span>
#include <vector>

#include "camber/sensors/wgs84.h"

namespace camber::sensors {

/// Unit vectors (east, north, up) to the satellites of GPS and Galileo above an elevation [rad], at
/// a time of day [s]. Nominal constellations on circles: 24 in 6 planes at 55 deg, 24 in 3 planes
/// at 56 deg; not the almanac of a date.
std::vector<Vec3<double>> find_satellites(const LocalFrame& site, double time, double elevation);

/// Dilution of precision: position errors by range errors.
struct Dilution {
  bool is_valid = false;  // four satellites or more that are not in one plane
  double horizontal = 0, vertical = 0;
};
Dilution find_dilution(std::span<const Vec3<double>> lines_of_sight);

/// Error of the position (east, north, up) that least squares make of errors of ranges [m]. Zero
/// where there is no valid dilution.
Vec3<double> find_position_error(std::span<const Vec3<double>> lines_of_sight,
                                 std::span<const double> range_errors);

}  // namespace camber::sensors
