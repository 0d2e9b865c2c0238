#include "camber/terrain/terrain_file.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "camber/core/temporary_folder.h"
#include "camber/core/test/allocation_count.h"
#include "camber/terrain/soil_grid.h"

namespace camber::terrain {
namespace {

const std::string kFile = "camber/terrain/test/data/t.toml";

Terrain read(const std::string& text) {
  return read_terrain_file(
      parse_toml("kind = \"terrain\"\nname = \"t\"\n[terrain]\n" + text, kFile), kFile);
}
std::string errors_of(const std::string& text) {
  try {
    read(text);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TerrainFile, ReadsPlanesAndBumps) {
  const Terrain t = read(R"(
kind = "plane"
slope_deg = 20
heading_deg = 90
height = 2.0
[[terrain.bump]]
shape = "half_round"
x = 10
height = 0.1
radius = 0.15
[[terrain.bump]]
shape = "step"
x = 20
height = 0.3
rise = 0.1
)");
  TerrainCache cache = t.make_cache();
  EXPECT_NEAR(t.sample(0, 5, &cache).h, 2 + 5 * std::tan(20 * M_PI / 180), 1e-12);
  EXPECT_NEAR(t.sample(10, 0, &cache).h, 2.1, 1e-12);
  EXPECT_NEAR(t.sample(30, 0, &cache).h, 2.3, 1e-12);
  EXPECT_EQ(t.soils.size(), 1U);
  EXPECT_EQ(t.soils[0].name, "rigid");
}

TEST(TerrainFile, ReadsMapsWithFrictionAndSoils) {
  const Terrain t = read(R"(
kind = "map"
file = "heights16.png"
spacing = 0.5
min_height = -1
max_height = 3
origin = [-8, -5]
[terrain.friction]
everywhere = 0.9
[[terrain.friction.region]]
value = 0.2
polygon = [[0, -100], [100, -100], [100, 0], [0, 0]]
[terrain.soils.wet_sand]
base = "LETE_sand"
cohesion = 2500
friction_angle_deg = 27
[terrain.soil]
everywhere = "wet_sand"
file = "soils8.png"
spacing = 1
origin = [-8, -5]
values = ["LETE_sand", "rigid", "dry_sand_LLL"]
)");
  EXPECT_TRUE(t.contains(-8, -5));
  EXPECT_FALSE(t.contains(-8.1, -5));
  TerrainCache cache = t.make_cache();
  const std::array<Point2, 4> points = {Point2{1, -2}, Point2{-1, 2}, Point2{-7.5, 6.5},
                                        Point2{50, 50}};
  std::array<GroundPoint, 4> ground;
  const long before = allocation_count();
  t.query(points, &cache, ground);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(ground[0].friction, 0.2);
  EXPECT_EQ(ground[1].friction, 0.9);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(ground[i].surface.h, t.sample(points[i].x, points[i].y, &cache).h);
  }
  // The first pixel of the first row is at the north-western corner.
  EXPECT_EQ(t.soils[ground[2].soil].name, "LETE_sand");
  EXPECT_EQ(t.soils[ground[3].soil].name, "wet_sand");
  EXPECT_EQ(t.soils[ground[3].soil].cohesion, 2500);
  EXPECT_EQ(t.soils[ground[3].soil].n, 0.793);
}

TEST(TerrainFile, ReadsProceduralGround) {
  const Terrain t = read(R"(
kind = "procedural"
seed = 4
size = [4000, 4000]
spacing = 0.25
amplitude = 12
roughness = "E"
trees_per_hectare = 30
soil = "LETE_sand"
[[terrain.obstacle]]
x = 1
y = 2
radius = 0.2
height = 1
)");
  TerrainCache cache = t.make_cache();
  EXPECT_TRUE(t.contains(1999, -1999));
  EXPECT_NE(t.sample(5, 5, &cache).h, t.sample(50, 5, &cache).h);
  EXPECT_NEAR(static_cast<double>(t.find_obstacles({-500, -500, 500, 500}).size()), 3000, 900);
  EXPECT_EQ(t.find_obstacles({0.5, 1.5, 1.5, 2.5}).back().height, 1);
  // A prefetched step does not allocate.
  t.prefetch({-10, -10, 10, 10}, &cache);
  const long before = allocation_count();
  for (int k = 0; k < 100; ++k) t.sample(-10 + 0.2 * k, 0.1 * k, &cache);
  EXPECT_EQ(allocation_count(), before);
}

// Derivatives and lanes through the whole of it: tiles and a bump on them.
TEST(Terrain, SurfaceOfDualNumbersAndLanesFollowsTheSample) {
  const Terrain t = read(R"(
kind = "procedural"
size = [100, 100]
roughness = "D"
[[terrain.bump]]
shape = "sine"
x = 1
height = 0.3
length = 6
)");
  TerrainCache cache = t.make_cache();
  using D = math::Dual<2>;
  const double x = 3.1, y = -7.3, e = 1e-6;
  const auto p = t.surface(D::variable(x, 0), D::variable(y, 1), &cache);
  const auto sample = [&](double a, double b) { return t.surface(a, b, &cache); };
  EXPECT_EQ(p.h.value, sample(x, y).h);
  EXPECT_NEAR(p.h.partial(0), (sample(x + e, y).h - sample(x - e, y).h) / (2 * e), 1e-7);
  EXPECT_NEAR(p.hy.partial(0), (sample(x + e, y).hy - sample(x - e, y).hy) / (2 * e), 1e-6);
  const auto q = t.surface(math::Lanes<8>(x), math::Lanes<8>(y), &cache);
  EXPECT_EQ(q.hx.lane(5), sample(x, y).hx);
}

TEST(TerrainFile, ReportsAllMistakesWithLineAndKey) {
  EXPECT_EQ(
      errors_of(R"(
kind = "procedural"
amplitude = -3
roughnes = "E"
size = [0.1, 30]
[terrain.soil]
everywhere = "LETE_snad"
)"),
      kFile + ":6:13: terrain.amplitude: must be from 0 to 5000 m, got -3\n" + kFile +
          ":7:1: terrain.roughnes: unknown key; did you mean \"roughness\"?\n" + kFile +
          ":8:8: terrain.size: must be between 2 and 268435456 spacings of 0.25 m, got 0.1\n" +
          kFile +
          ":10:14: terrain.soil.everywhere: no soil \"LETE_snad\"; did you mean \"LETE_sand\"?");
}

TEST(TerrainFile, ReportsBadFilesWhereTheyAreNamed) {
  EXPECT_EQ(errors_of("kind = \"map\"\nfile = \"nowhere.asc\"\n"),
            kFile +
                ":5:8: terrain.file: camber/terrain/test/data/nowhere.asc: cannot read: No such "
                "file or directory");
  EXPECT_NE(
      errors_of(
          "kind = \"map\"\nfile = \"huge.png\"\nspacing = 1\nmin_height = 0\nmax_height = 1\n")
          .find(":5:8: terrain.file: camber/terrain/test/data/huge.png: "),
      std::string::npos);
  EXPECT_EQ(errors_of("kind = \"map\"\nfile = \"heights16.png\"\n"),
            kFile + ":3:1: terrain.max_height: missing\n" + kFile +
                ":3:1: terrain.min_height: missing\n" + kFile + ":3:1: terrain.spacing: missing");
  EXPECT_NE(errors_of("kind = \"map\"\nfile = \"heights16.png\"\nformat = \"raw\"\nnx = 9\nny = "
                      "9\nspacing = 1\n")
                .find("9 x 9 heights of 2 bytes need 162"),
            std::string::npos);
  for (const char* kind : {"kind = \"map\"\nformat = \"esri\"", "kind = \"crg\""}) {
    EXPECT_NE(errors_of(std::string(kind) + "\nfile = \"/dev/urandom\"\n")
                  .find("terrain.file: /dev/urandom: is a pipe or a device, expected a file"),
              std::string::npos);
    EXPECT_NE(errors_of(std::string(kind) + "\nfile = \"..\"\n").find("is a folder, expected a"),
              std::string::npos);
  }
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);  // nobody writes to it: it would be waited for
  EXPECT_NE(errors_of("kind = \"map\"\nfile = \"" + pipe + "\"\n").find("is a pipe or a device"),
            std::string::npos);
  EXPECT_NE(errors_of("kind = \"crg\"\nfile = \"soils8.png\"\n").find("Is it an OpenCRG file?"),
            std::string::npos);
}

TEST(TerrainFile, ReportsBadShapesSoilsAndRegions) {
  EXPECT_NE(errors_of("kind = \"flat\"\n[[terrain.bump]]\nshape = \"half_round\"\nx = 1\nheight = "
                      "0.3\nradius = 0.1\n")
                .find(":5:1: terrain.bump[0]: bump: a half-round needs 0 < height <= radius"),
            std::string::npos);
  EXPECT_NE(
      errors_of("kind = \"flat\"\n[terrain.soils.mud]\nbase = \"LETE_sand\"\nshear_modulus = 0\n")
          .find("terrain.soils.mud: soil: shear modulus K must be > 0 m, got 0"),
      std::string::npos);
  EXPECT_NE(errors_of("kind = \"flat\"\n[terrain.friction]\neverywhere = "
                      "1\n[[terrain.friction.region]]\nvalue = 2\npolygon = [[1, 2], [3, 4]]\n")
                .find("polygon: needs at least 3 corners, got 2"),
            std::string::npos);
  EXPECT_NE(errors_of("kind = \"flat\"\n[terrain.soil]\neverywhere = \"rigid\"\nfile = "
                      "\"soils8.png\"\nspacing = 1\norigin = [0, 0]\nvalues = [\"rigid\"]\n")
                .find("terrain.soil.file: pixel (5, 12) has the value 1, but `values` has only 1"),
            std::string::npos);
}

}  // namespace
}  // namespace camber::terrain
