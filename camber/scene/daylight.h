#pragma once

#include <string_view>

#include "camber/math/types.h"
#include "camber/scene/render.h"

namespace camber::scene {

/// Days since 2000-01-01 12:00 UTC (Julian day - 2451545) of "2026-06-21T14:30:00", also without
/// seconds and with a space or a final Z. Throws std::invalid_argument for anything else, and for
/// years before 1950 or after 2050, which calc_sun() is not made for.
double parse_utc(std::string_view text);

/// Direction to the sun (east, north, up), unit, at a place [rad] and a time in days since
/// 2000-01-01 12:00 UTC; without refraction. [Michalsky 1988], to 0.01 deg.
Vector3 calc_sun(double days, double latitude, double longitude);

/// Light of a clear day with the sun in a direction of the scene: the sun redder and darker through
/// more air, the sky by the illuminance that it gives, down to night. Lighting's own values are those
/// of a sun 57 deg high.
Lighting make_daylight(const Vector3& sun_direction);

}  // namespace camber::scene
