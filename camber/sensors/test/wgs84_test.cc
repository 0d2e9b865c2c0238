#include "camber/sensors/wgs84.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#ifdef CAMBER_HAS_GEOGRAPHICLIB
#include <GeographicLib/Geocentric.hpp>
#include <GeographicLib/LocalCartesian.hpp>
#endif

#include "camber/core/random.h"

namespace camber::sensors {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Geodetic degrees(double latitude, double longitude, double height) {
  return {latitude * kDegree, longitude * kDegree, height};
}

// Values that were computed with other software from the definition of WGS84, to 12 digits.
TEST(Wgs84, ReproducesTheTable) {
  struct Row {
    Geodetic place;
    Vec3<double> ecef, enu;
  };
  const Row rows[] = {{degrees(42.451, -83.03, 190),
                       {571978.111083, -4678638.82095, 4282828.36769},
                       {-3.23012727677e-11, 111.085355005, -0.000969403113089}},
                      {degrees(42.45, -83.029, 190),
                       {572068.868426, -4678703.26047, 4282746.40217},
                       {82.2669176821, 0.000484553603854, -0.000529724801604}},
                      {degrees(42.459, -83.018, 215.5),
                       {572887.358358, -4677942.1742, 4283501.25936},
                       {987.065605246, 999.842662769, 25.3452082176}}};
  const LocalFrame site(degrees(42.45, -83.03, 190));
  for (const Row& row : rows) {
    const Vec3<double> ecef = to_ecef(row.place), enu = site.from_geodetic(row.place);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(ecef[k], row.ecef[k], 1e-5);  // the table's digits
      EXPECT_NEAR(enu[k], row.enu[k], 1e-6);
    }
  }
}

// East-north-up to geodetic and back within 1e-6 m at +-50 km.
TEST(Check36, GeodesyGoesThereAndBack) {
  RandomStream random(4711);
  for (const double latitude : {-71.3, -0.4, 0.0, 42.45, 88.9}) {
    const LocalFrame site(degrees(latitude, 123.4, 380));
    for (int i = 0; i < 2000; ++i) {
      const Vec3<double> enu(random.uniform(-5e4, 5e4), random.uniform(-5e4, 5e4),
                             random.uniform(-400, 9000));
      const Vec3<double> back = site.from_geodetic(site.to_geodetic(enu));
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(back[k], enu[k], 1e-8);
    }
  }
}

TEST(Wgs84, HasPolesAndEquator) {
  const double b = kWgs84Axis * (1 - kWgs84Flattening);
  EXPECT_NEAR(to_geodetic({0, 0, b + 12.5}).height, 12.5, 1e-9);
  EXPECT_DOUBLE_EQ(to_geodetic({0, 0, -b}).latitude, -std::numbers::pi / 2);
  const Geodetic equator = to_geodetic({0, kWgs84Axis + 7, 0});
  EXPECT_DOUBLE_EQ(equator.latitude, 0);
  EXPECT_DOUBLE_EQ(equator.longitude, std::numbers::pi / 2);
  EXPECT_NEAR(equator.height, 7, 1e-9);
}

// A degree at 42.45 deg north.
TEST(Wgs84, HasTheLengthsOfADegree) {
  const LocalFrame site(degrees(42.45, -83.03, 0));
  const double h = 1e-3;
  EXPECT_NEAR(site.from_geodetic(degrees(42.45 + h, -83.03, 0))[1] / h, 111082.0, 1);
  EXPECT_NEAR(site.from_geodetic(degrees(42.45, -83.03 + h, 0))[0] / h, 82264.5, 1);
}

#ifdef CAMBER_HAS_GEOGRAPHICLIB
TEST(Wgs84, AgreesWithGeographicLibToAMicrometer) {
  const GeographicLib::Geocentric& earth = GeographicLib::Geocentric::WGS84();
  RandomStream random(815);
  for (int i = 0; i < 20000; ++i) {
    const double latitude = random.uniform(-90, 90), longitude = random.uniform(-180, 180),
                 height = random.uniform(-1e4, 1e5);
    double x, y, z;
    earth.Forward(latitude, longitude, height, x, y, z);
    const Vec3<double> ours = to_ecef(degrees(latitude, longitude, height));
    EXPECT_NEAR(ours[0], x, 1e-6);
    EXPECT_NEAR(ours[1], y, 1e-6);
    EXPECT_NEAR(ours[2], z, 1e-6);
    const Geodetic back = to_geodetic({x, y, z});
    double lat, lon, h;
    earth.Reverse(x, y, z, lat, lon, h);
    EXPECT_NEAR(back.height, h, 1e-6);
    EXPECT_NEAR((back.latitude - lat * kDegree) * kWgs84Axis, 0, 1e-6);
    EXPECT_NEAR(std::remainder(back.longitude - lon * kDegree, 2 * std::numbers::pi) * kWgs84Axis *
                    std::cos(lat * kDegree),
                0, 1e-6);
    const GeographicLib::LocalCartesian local(42.45, -83.03, 190);
    double e, n, u;
    local.Forward(42.45 + latitude / 300, -83.03 + longitude / 600, height / 50, e, n, u);
    const Vec3<double> enu =
        LocalFrame(degrees(42.45, -83.03, 190))
            .from_geodetic(degrees(42.45 + latitude / 300, -83.03 + longitude / 600, height / 50));
    EXPECT_NEAR(enu[0], e, 1e-6);
    EXPECT_NEAR(enu[1], n, 1e-6);
    EXPECT_NEAR(enu[2], u, 1e-6);
  }
}
#endif

}  // namespace
}  // namespace camber::sensors
