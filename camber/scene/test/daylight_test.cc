#include "camber/scene/daylight.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <gtest/gtest.h>

namespace camber::scene {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// The example of NREL's solar position algorithm [Reda 2004, table A5.1]: 2003-10-17 12:30:30, seven
// hours behind UTC, 39.742476 N, 105.1786 W: azimuth 194.34024 deg from north, elevation 39.872046 deg
// without refraction. The almanac's formulas are good to 0.01 deg.
TEST(Daylight, SunIsWhereTheExampleOfNrelHasIt) {
  const Vector3 sun =
      calc_sun(parse_utc("2003-10-17T19:30:30Z"), 39.742476 * kDegree, -105.1786 * kDegree);
  EXPECT_NEAR(sun.norm(), 1, 1e-12);
  EXPECT_NEAR(std::asin(sun.z()) / kDegree, 39.872046, 0.01);
  EXPECT_NEAR(std::atan2(sun.x(), sun.y()) / kDegree + 360, 194.34024, 0.01);
}

// Noon of the equinox on the equator: overhead. Solstices: at 23.44 deg north and south. Midnight sun.
TEST(Daylight, SunHasItsSeasons) {
  const auto highest = [](const char* day, double latitude) {
    double best = -1;
    for (double hour = 0; hour < 24; hour += 0.05)
      best = std::max(best, calc_sun(parse_utc(std::string(day) + "T00:00") + hour / 24,
                                     latitude * kDegree, 0.3)
                                .z());
    return std::asin(best) / kDegree;
  };
  EXPECT_NEAR(highest("2026-03-20", 0), 90, 0.4);
  EXPECT_NEAR(highest("2026-06-21", 50), 90 - 50 + 23.44, 0.05);
  EXPECT_NEAR(highest("2026-12-21", 50), 90 - 50 - 23.44, 0.05);
  EXPECT_LT(highest("2026-12-21", 70), 0);
}

TEST(Daylight, ReadsTimesAndRefusesOthers) {
  EXPECT_DOUBLE_EQ(parse_utc("2000-01-01T12:00:00"), 0);
  EXPECT_DOUBLE_EQ(parse_utc("2000-03-01 00:00"), 31 + 29 - 0.5);
  EXPECT_DOUBLE_EQ(parse_utc("1999-12-31T12:00Z"), -1);
  for (const char* text : {"", "2026", "2026-02-29T10:00", "2026-13-01T10:00", "2026-01-01T24:00",
                           "2026-01-01T10:61", "1949-01-01T10:00", "2026-01-01T10:00:00+02:00"})
    EXPECT_THROW(parse_utc(text), std::invalid_argument) << text;
}

// The sun gets redder and darker towards the horizon, and the sky darker; at the height of Lighting's
// own sun both are Lighting's own.
TEST(Daylight, FadesFromNoonToNight) {
  const Lighting usual;
  const auto at = [](double degrees) {
    return make_daylight({0, std::cos(degrees * kDegree), std::sin(degrees * kDegree)});
  };
  const Lighting same = make_daylight(usual.sun_direction);
  EXPECT_NEAR((same.sun_color - usual.sun_color).norm(), 0, 1e-12);
  EXPECT_NEAR((same.sky_zenith - usual.sky_zenith).norm(), 0, 1e-12);
  double sun = 1e9, sky = 1e9, red = 0;
  for (const double height : {80, 50, 30, 15, 5, 1}) {
    const Lighting light = at(height);
    EXPECT_LT(light.sun_color.sum(), sun);
    EXPECT_LT(light.sky_zenith.sum(), sky);
    EXPECT_GT(light.sun_color.x() / light.sun_color.z(), red);
    sun = light.sun_color.sum(), sky = light.sky_zenith.sum();
    red = light.sun_color.x() / light.sun_color.z();
  }
  EXPECT_EQ(at(-1).sun_color.norm(), 0);
  // 800 lx at sunset, 3.4 lx at the end of civil twilight.
  EXPECT_NEAR(at(-6).sky_zenith.x() / at(0).sky_zenith.x(), 3.4 / 800, 1e-6);
  EXPECT_LT(at(-30).sky_zenith.x(), 1e-6);
}

}  // namespace
}  // namespace camber::scene
