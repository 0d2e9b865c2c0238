// Drives along the reference line of an OpenCRG road, and beside it.

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/temporary_folder.h"
#include "camber/terrain/crg_road.h"
#include "tests/drive/drive_runs.h"

namespace camber {
namespace {

using drive_test::Trip;

/// A road of 300 m to the left and back to the right, 8 m wide and level, with its terrain file.
class Road {
 public:
  Road() {
    std::ofstream crg(folder_.path() / "road.crg");
    crg << "$CT\n$\n$ROAD_CRG\nREFERENCE_LINE_START_U = 0\nREFERENCE_LINE_END_U = 300\n"
           "REFERENCE_LINE_INCREMENT = 1\nREFERENCE_LINE_START_X = 20\nREFERENCE_LINE_START_Y = 5\n"
           "REFERENCE_LINE_START_PHI = 0.5\n$\n"
           "$KD_DEFINITION\n#:LRFI\nU:reference line u,m,0,1\nD:reference line phi,rad\n"
           "D:long section at v = -4.0,m\nD:long section at v = 4.0,m\n$\n$$$$$$$$$$$$$$$$$$$$\n";
    for (int i = 0; i <= 300; ++i) {
      // Curvature rises and falls: 1/60 1/m to the left, then as much to the right.
      const double heading = 0.5 + 0.5 * (1 - std::cos(2 * M_PI * i / 300.0)) * 1.2;
      char line[64];
      std::snprintf(line, sizeof line, "%10.7f%10.7f%10.7f\n", heading, 0.0, 0.0);
      crg << (i == 0 ? "**unused** 0.0000000 0.0000000\n" : line);
    }
    std::ofstream(folder_.path() / "road.toml")
        << "kind = \"terrain\"\nname = \"road\"\n[terrain]\nkind = \"crg\"\nfile = \"road.crg\"\n";
  }
  std::string ground() const {
    return "ground.terrain=\"" + (folder_.path() / "road.toml").string() + "\"";
  }
  terrain::CrgRoad load() const {
    return terrain::CrgRoad(terrain::load_crg((folder_.path() / "road.crg").string()));
  }

 private:
  TemporaryFolder folder_;
};

Trip drive(const Road& road, double offset, const drive_test::Overrides& more = {}) {
  const auto start = road.load().find_line(1, offset)[5];
  std::ostringstream text;
  text.precision(17);
  text << "[vehicle.start]\nspeed = 10\nx = " << start.x << "\ny = " << start.y
       << "\nheading_deg = " << start.heading * 180 / M_PI
       << "\n[driver.steering]\nkind = \"preview\"\n[driver.path]\nkind = \"road\"\noffset = "
       << offset
       << "\n[driver.speed]\nkind = \"hold\"\ntarget = 10\n[run]\nduration = 25\n[[figures]]\n"
          "figure = \"peak_deviation\"\n";
  drive_test::Overrides overrides = {road.ground()};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return drive_test::run_text(text.str(), overrides);
}

TEST(RoadPath, IsFollowedByADriver) {
  const Road road;
  const terrain::CrgRoad surface = road.load();
  for (const double offset : {0.0, 1.8}) {
    const Trip trip = drive(road, offset);
    ASSERT_TRUE(trip.is_done()) << trip.result.reason;
    EXPECT_LT(trip.figure("peak_deviation"), 0.25);
    const auto &x = trip.column("chassis/position.x"), &y = trip.column("chassis/position.y");
    double turned = 0;
    for (std::size_t k = 0; k < x.size(); k += 50) {
      const terrain::CrgRoad::Place place = surface.locate(x[k], y[k]);
      ASSERT_TRUE(place.inside);
      EXPECT_NEAR(place.v, offset, 0.3) << trip.times()[k];
      turned = std::max(turned, std::abs(trip.column("chassis/rates.yaw")[k]));
    }
    EXPECT_GT(turned, 0.08);  // 10 m/s over 80 m: it has followed bends
  }
}

TEST(RoadPath, NeedsARoad) {
  try {
    drive_test::run_text(
        "[driver.steering]\nkind = \"preview\"\n[driver.path]\nkind = \"road\"\n[driver.speed]\n"
        "kind = \"hold\"\ntarget = 5\n[run]\nduration = 1\n");
    FAIL() << "no error";
  } catch (const ModelFileError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("driver.path.kind: \"road\" needs a ground.terrain of kind \"crg\""),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace camber
