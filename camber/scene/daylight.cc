// [Michalsky 1988] J. Michalsky, "The Astronomical Almanac's algorithm for approximate solar position
// (1950-2050)", Solar Energy 40(3). Without its refraction: a camera's sun is wider than that.
// [Kasten 1989] F. Kasten, A. Young, "Revised optical air mass tables", Applied Optics 28(22).
// [IES RP-21] Calculation of daylight availability: illuminance of a clear sky on level ground is
// 800 lx + 15.5 klx sqrt(sin h). Twilight: 3.4, 0.008 and 0.0006 lx at 6, 12 and 18 deg below the
// horizon (definitions of civil, nautical and astronomical twilight by their usual illuminances).

#include "camber/scene/daylight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"

namespace camber::scene {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

/// Digits from a place on; -1 if they are not digits.
int read_digits(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return -1;
  int value = 0;
  for (const char c : text.substr(at, count)) {
    if (c < '0' || c > '9') return -1;
    value = 10 * value + (c - '0');
  }
  return value;
}

double calc_air_mass(double height) {  // of the sun [rad]
  const double degrees = std::max(0.0, height / kDegree);
  return 1 / (std::sin(degrees * kDegree) + 0.50572 * std::pow(degrees + 6.07995, -1.6364));
}

double calc_sky_illuminance(double height) {  // [lx]
  if (height >= 0) return 800 + 15500 * std::sqrt(std::sin(height));
  constexpr std::array<double, 4> kLux = {800, 3.4, 0.008, 0.0006};
  const double at = std::min(2.999999, height / (-6 * kDegree));
  const auto k = static_cast<std::size_t>(at);
  return kLux[k] * std::pow(kLux[k + 1] / kLux[k], at - static_cast<double>(k));
}

}  // namespace

double parse_utc(std::string_view text) {
  std::string_view rest = text;
  if (rest.ends_with('Z')) rest.remove_suffix(1);
  const bool has_seconds = rest.size() == 19;
  const int year = read_digits(rest, 0, 4), month = read_digits(rest, 5, 2),
            day = read_digits(rest, 8, 2), hour = read_digits(rest, 11, 2),
            minute = read_digits(rest, 14, 2), second = has_seconds ? read_digits(rest, 17, 2) : 0;
  const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  const int lengths[] = {31, is_leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool is_good = (rest.size() == 16 || has_seconds) && rest[4] == '-' && rest[7] == '-' &&
                       (rest[10] == 'T' || rest[10] == ' ') && rest[13] == ':' &&
                       (!has_seconds || rest[16] == ':') && year >= 1950 && year <= 2050 &&
                       month >= 1 && month <= 12 && day >= 1 && day <= lengths[month - 1] &&
                       hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 &&
                       second < 60;
  require(is_good, "must be a time from 1950 to 2050 such as \"2026-06-21T14:30:00\" (UTC), got \"",
          text, "\"");
  // Days since 2000-01-01: [Fliegel 1968].
  const long a = (month - 14) / 12;
  const long julian = (1461L * (year + 4800 + a)) / 4 + (367L * (month - 2 - 12 * a)) / 12 -
                      (3L * ((year + 4900 + a) / 100)) / 4 + day - 32075;
  return static_cast<double>(julian - 2451545) + (hour - 12) / 24.0 + minute / 1440.0 +
         second / 86400.0;
}

Vector3 calc_sun(double days, double latitude, double longitude) {
  const double mean_longitude = (280.460 + 0.9856474 * days) * kDegree;
  const double anomaly = (357.528 + 0.9856003 * days) * kDegree;
  const double ecliptic =
      mean_longitude + (1.915 * std::sin(anomaly) + 0.020 * std::sin(2 * anomaly)) * kDegree;
  const double obliquity = (23.439 - 0.0000004 * days) * kDegree;
  const double right_ascension =
      std::atan2(std::cos(obliquity) * std::sin(ecliptic), std::cos(ecliptic));
  const double declination = std::asin(std::sin(obliquity) * std::sin(ecliptic));
  // Sidereal time from the hours since the last midnight and the days until then.
  const double utc = 24 * (days + 0.5 - std::floor(days + 0.5));  // [h]
  const double sidereal = (6.697375 + 0.0657098242 * days + utc) * 15 * kDegree + longitude;
  const double hour_angle = sidereal - right_ascension;
  return {-std::cos(declination) * std::sin(hour_angle),
          std::cos(latitude) * std::sin(declination) -
              std::sin(latitude) * std::cos(declination) * std::cos(hour_angle),
          std::sin(latitude) * std::sin(declination) +
              std::cos(latitude) * std::cos(declination) * std::cos(hour_angle)};
}

Lighting make_daylight(const Vector3& sun_direction) {
  Lighting light;
  const double usual = std::asin(light.sun_direction.z());
  light.sun_direction = sun_direction.normalized();
  const double height = std::asin(std::clamp(light.sun_direction.z(), -1.0, 1.0));
  // Optical depths of clear air at 680, 550 and 440 nm: Rayleigh 0.008735 um^4.08, and aerosol
  // 0.05 um^1.3 (a clear day).
  const Vector3 depth(0.125, 0.209, 0.394);
  const double more_air = calc_air_mass(height) - calc_air_mass(usual);
  for (int c = 0; c < 3; ++c) light.sun_color[c] *= std::exp(-depth[c] * more_air);
  // The upper half of the disc is above the horizon until 0.27 deg below it.
  constexpr double kDiscRadius = 0.267 * kDegree;
  const double visible = std::clamp(0.5 + 0.5 * height / kDiscRadius, 0.0, 1.0);
  light.sun_color *= visible;
  const double sky = calc_sky_illuminance(height) / calc_sky_illuminance(usual);
  light.sky_zenith *= sky;
  light.sky_horizon *= sky;
  return light;
}

}  // namespace camber::scene
