#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "camber/city/city_file.h"
#include "camber/city/cityjson_file.h"
#include "camber/city/opendrive_file.h"
#include "camber/city/osm_file.h"
#include "camber/city/polygons.h"
#include "camber/city/reference_line.h"
#include "camber/core/file.h"
#include "camber/core/random.h"

namespace camber::city {
namespace {

std::string read(const std::string& path) { return read_file(CAMBER_SOURCE "/" + path, 1 << 20); }

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

// x = a C(t), y = a S(t) with t = s/a where the curvature is pi s/a^2. [Abramowitz, Stegun 1964]
// table 7.7: C(1) = 0.77989340, S(1) = 0.43825915; more digits from their series.
TEST(ReferenceLine, ClothoidHasTheValuesOfFresnelsIntegrals) {
  constexpr double kC = 0.7798934003768228, kS = 0.4382591473903548;
  const double length = 73.0, heading = 0.7;
  Piece piece{.x = 12, .y = -5, .heading = heading, .length = length};
  piece.shape = SpiralPiece{0, std::numbers::pi / length};
  const planning::Pose end = piece.at(length);
  const double u = length * kC, v = length * kS;
  EXPECT_NEAR(end.x, 12 + u * std::cos(heading) - v * std::sin(heading), 1e-11);
  EXPECT_NEAR(end.y, -5 + u * std::sin(heading) + v * std::cos(heading), 1e-11);
  EXPECT_NEAR(end.heading, heading + std::numbers::pi / 2, 1e-12);
}

TEST(ReferenceLine, ArcStaysOnItsCircleAndPolynomialsMeetTheirLength) {
  Piece arc{.x = 3, .y = 4, .heading = -0.4, .length = 55};
  arc.shape = ArcPiece{-0.031};
  const double R = 1 / 0.031;
  const double cx = 3 + R * std::sin(-0.4), cy = 4 - R * std::cos(-0.4);
  for (double s = 0; s <= 55; s += 5.5) {
    const planning::Pose p = arc.at(s);
    EXPECT_NEAR(std::hypot(p.x - cx, p.y - cy), R, 1e-11);
    EXPECT_NEAR(p.heading, -0.4 - 0.031 * s, 1e-12);
  }
  // The curve's own length up to a point is s, and its tangent the heading.
  Piece cubic{.x = 1, .y = 2, .heading = 0.3, .length = 40};
  cubic.shape = Poly3Piece{0, 0, 0.006, 0.0001};
  double length = 0;
  planning::Pose before = cubic.at(0);
  for (int k = 1; k <= 8000; ++k) {
    const planning::Pose p = cubic.at(40.0 * k / 8000);
    length += std::hypot(p.x - before.x, p.y - before.y);
    EXPECT_NEAR(std::atan2(p.y - before.y, p.x - before.x), 0.5 * (p.heading + before.heading),
                1e-6);
    before = p;
  }
  EXPECT_NEAR(length, 40, 1e-6);
  Piece param{.x = 1, .y = 2, .heading = 0.3, .length = 10};
  param.shape = ParamPoly3Piece{{0, 10, 0, 0}, {0, 0, 2, 1}, true};
  const planning::Pose end = param.at(10);
  EXPECT_NEAR(end.x, 1 + 10 * std::cos(0.3) - 3 * std::sin(0.3), 1e-12);
  EXPECT_NEAR(end.heading, 0.3 + std::atan2(7, 10), 1e-12);
}

TEST(OpenDrive, RoadsMeetAndHaveTheirBanking) {
  const City city = parse_opendrive(read("cities/maps/ramp.xodr"), "ramp.xodr");
  ASSERT_EQ(city.lanes.lanes.size(), 4U);
  int links = 0;
  for (const Lane& lane : city.lanes.lanes) {
    for (const int n : lane.successors) {
      ++links;
      const Lane& next = city.lanes.lanes[static_cast<std::size_t>(n)];
      EXPECT_NEAR(next.center.front().x, lane.center.back().x, 1e-5);
      EXPECT_NEAR(next.center.front().y, lane.center.back().y, 1e-5);
      EXPECT_NEAR(planning::wrap_angle(next.start_heading - lane.end_heading), 0, 1e-3);
    }
  }
  EXPECT_EQ(links, 2);
  const terrain::Terrain terrain = make_terrain(city);
  terrain::TerrainCache cache = terrain.make_cache();
  // A straight, level road between sidewalks: 0.14 m on both sides.
  EXPECT_NEAR(terrain.sample(20, 0.7, &cache).h, 0, 1e-9);
  EXPECT_NEAR(terrain.sample(20, 3.39, &cache).h, 0, 1e-9);
  EXPECT_NEAR(terrain.sample(20, 3.41, &cache).h, 0.14, 1e-9);
  EXPECT_NEAR(terrain.sample(20, -3.41, &cache).h, 0.14, 1e-9);
  // In the bend it leans by 0.03 rad: its left is higher, and its end leads uphill.
  const double bank = std::sin(0.03) * 2;
  Piece arc{.x = 108.764384413, .y = 8.185702364, .heading = 0.5, .length = 40};
  arc.shape = ArcPiece{0.02};
  const planning::Pose p = arc.at(17);
  const double c = std::cos(p.heading), s = std::sin(p.heading), t = 2 * std::cos(0.03);
  EXPECT_NEAR(terrain.sample(p.x - t * s, p.y + t * c, &cache).h, bank, 2e-3);
  EXPECT_NEAR(terrain.sample(p.x + t * s, p.y - t * c, &cache).h, -bank, 2e-3);
  EXPECT_EQ(city.blocks[0].buildings.size(), 2U);
  EXPECT_EQ(city.blocks[0].things.size(), 2U);  // a tree and a sign
}

TEST(OpenDrive, NamesLineAndElementOfAMistake) {
  const std::string good = read("cities/maps/ramp.xodr");
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    return message_of([&] { parse_opendrive(text, "a.xodr"); });
  };
  EXPECT_EQ(broken("length=\"60\"", "length=\"x\""),
            "a.xodr:8: <geometry>: length must be a number in 0..2e+06, got \"x\"");
  EXPECT_EQ(broken("<line/>", "<wave/>"),
            "a.xodr:8: <geometry>: expected <line>, <arc>, <spiral>, <poly3> or <paramPoly3>");
  EXPECT_EQ(broken("id=\"2\" junction", "id=\"1\" junction"),
            "a.xodr:34: <road>: id 1 is there twice");
  EXPECT_NE(broken("</planView>", "").find("a.xodr:"), std::string::npos);
  EXPECT_EQ(message_of([] { parse_opendrive("<a/>", "b.xodr"); }),
            "b.xodr: has no <OpenDRIVE> at its top");
}

TEST(Osm, HasStreetsBuildingsAndAttribution) {
  const City city = parse_osm(read("cities/maps/village.osm"), "village.osm");
  EXPECT_NE(city.attribution.find("OpenStreetMap"), std::string::npos);
  const Block& block = city.blocks[0];
  ASSERT_EQ(block.buildings.size(), 2U);
  EXPECT_NEAR(block.buildings[0].height, 2 * 3.1 + 0.7, 1e-12);
  EXPECT_NEAR(block.buildings[1].height, 9.5, 1e-12);
  EXPECT_EQ(block.things.size(), 2U);
  // 0.0002 degrees of longitude at 50.0012 degrees of latitude and 0.00012 degrees of latitude:
  // 14.337 m x 13.347 m by the radii of curvature of WGS84.
  const double e2 = 0.00669437999014, sine = std::sin(50.00126 * std::numbers::pi / 180);
  const double n = 6378137 / std::sqrt(1 - e2 * sine * sine);
  const double m = n * (1 - e2) / (1 - e2 * sine * sine);
  const double area = 0.0002 * 0.00012 * std::pow(std::numbers::pi / 180, 2) * n * m *
                      std::cos(50.00126 * std::numbers::pi / 180);
  EXPECT_NEAR(area_of(block.buildings[0].footprint), area, 1e-3);
  // Four arms, two lanes each: three ways from each of the four that arrive, and a turn back at each
  // of the four dead ends.
  int streets = 0, turns = 0;
  for (const Lane& lane : city.lanes.lanes) {
    ++(lane.is_turn ? turns : streets);
    for (const int k : lane.successors) {
      const Lane& next = city.lanes.lanes[static_cast<std::size_t>(k)];
      EXPECT_EQ(next.center.front(), lane.center.back());
      EXPECT_EQ(next.start_heading, lane.end_heading);
    }
  }
  EXPECT_EQ(streets, 8);
  EXPECT_EQ(turns, 16);
  EXPECT_EQ(message_of([] { parse_osm("<osm><node id='1' lat='95' lon='0'/></osm>", "a.osm"); }),
            "a.osm:1: <node>: lat must be a number in -90..90, got \"95\"");
}

TEST(CityJson, SolidBecomesFacesAndAFootprint) {
  const City city = parse_cityjson(read("cities/maps/barn.city.json"), "barn");
  const Block& block = city.blocks[0];
  ASSERT_EQ(block.buildings.size(), 1U);
  EXPECT_NEAR(area_of(block.buildings[0].footprint), 96, 1e-9);
  EXPECT_NEAR(block.buildings[0].height, 7, 1e-9);
  // The solid is closed, so that the sum of its faces' normals times areas vanishes, and its volume
  // is that of the divergence theorem: 8 x 12 x 4 below the eaves, and the hipped roof above:
  // 1/2 x 8 x 3 x 10 over the ridge and 1/3 x 8 x 3 x 2 / 1 at its end.
  double volume = 0;
  for (const Facet& f : block.faces) {
    const auto &a = f.corners[0], &b = f.corners[1], &c = f.corners[2];
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
               a[2] * (b[0] * c[1] - b[1] * c[0])) /
              6;
  }
  EXPECT_NEAR(std::abs(volume), 8 * 12 * 4 + 0.5 * 8 * 3 * 10 + 8 * 3 * 2 / 3.0, 1e-6);
  EXPECT_EQ(message_of([] { parse_cityjson(R"({"type": "CityJSON", "vertices": []})", "a"); }),
            "a: vertices: must be a list with at least one vertex");
  EXPECT_NE(message_of([] { parse_cityjson("[[[", "a"); }).find("a: not JSON"), std::string::npos);
}

// cities/maps/yard.obj, whose numbers are those of its boxes: ground at three heights and on a ramp, no
// ground on roofs, under a beam it goes on; the house, the car and nothing else is in the way.
TEST(MeshCity, TellsGroundFromWhatStandsOnIt) {
  const City city = load_city(CAMBER_SOURCE "/cities/yard.toml");
  const terrain::Terrain ground = make_terrain(city);
  terrain::TerrainCache cache = ground.make_cache();
  const auto height = [&](double x, double y) { return ground.sample(x, y, &cache).h; };
  EXPECT_NEAR(height(-10.3, 2.1), 0, 1e-6);
  EXPECT_NEAR(height(11.1, 0.7), 0, 1e-6);   // below the beam
  EXPECT_NEAR(height(24.2, -3.7), 0, 1e-6);  // below the car
  EXPECT_NEAR(height(5.2, 6.9), 0.15, 1e-6);
  EXPECT_NEAR(height(-28.2, 20.4), 0.15, 1e-6);
  EXPECT_NEAR(height(-10.7, 18.3), 0.15, 1e-6);  // in the house
  EXPECT_NEAR(height(47.3, -2.2), 0.73, 1e-6);
  EXPECT_NEAR(height(66.1, 3.3), 2, 1e-6);
  const auto is_free = [&](double x, double y) {
    return find_obstacles(city, {x - 0.01, y - 0.01, x + 0.01, y + 0.01}).empty();
  };
  for (const Point p : {Point{0.2, 1.1}, Point{10.8, 0.3}, Point{5.3, 6.3}, Point{50.2, 2.2},
                        Point{59.7, 0.1}, Point{-24.2, 15.1}, Point{24.1, 3.3}})
    EXPECT_TRUE(is_free(p.x, p.y)) << p.x << ", " << p.y;
  // A wall on the border of two squares blocks the one above.
  for (const Point p : {Point{-19.9, 17.2}, Point{0.1, 20.3}, Point{-8.2, 12.1}, Point{-3.1, 24.1},
                        Point{22.1, -3.3}, Point{26.3, -4.1}, Point{24.1, -2.9}})
    EXPECT_FALSE(is_free(p.x, p.y)) << p.x << ", " << p.y;
  // Everything is drawn: the triangles of the file.
  EXPECT_EQ(city.blocks[0].ground.size() + city.blocks[0].faces.size(), 42U);
  try {
    load_city(CAMBER_SOURCE "/cities/yard.toml", Overrides({"source.ground=[[0, 0, 30]]"}));
    FAIL() << "it was read";
  } catch (const ModelFileError& error) {
    EXPECT_NE(std::string(error.what()).find("none of the places that are ground is on a surface"),
              std::string::npos)
        << error.what();
  }
}

// Anything that is cut off or has bytes changed is read or refused, never worse.
TEST(Import, BrokenFilesAreReadOrRefused) {
  RandomStream random(3);
  for (const char* file :
       {"cities/maps/ramp.xodr", "cities/maps/village.osm", "cities/maps/barn.city.json"}) {
    const std::string good = read(file);
    for (int k = 0; k < 400; ++k) {
      std::string text = good.substr(
          0, static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(good.size()))));
      if (k % 2 == 0) text = good;
      for (int n = 0; n < 4 && !text.empty(); ++n) {
        text[static_cast<std::size_t>(
            random.integer(0, static_cast<std::int64_t>(text.size()) - 1))] =
            static_cast<char>(random.integer(32, 126));
      }
      try {
        if (std::string_view(file).ends_with("xodr")) parse_opendrive(text, file);
        if (std::string_view(file).ends_with("osm")) parse_osm(text, file);
        if (std::string_view(file).ends_with("json")) parse_cityjson(text, file);
      } catch (const FileError&) {
      }
    }
  }
}

TEST(CityFile, ReportsAllMistakesAtOnce) {
  const std::string path = testing::TempDir() + "bad_city.toml";
  std::ofstream(path) << "kind = \"city\"\nname = \"a\"\n[streets]\nblock = [200, 100]\n"
                         "kerb = [0.1, 0.9]\nlayuot = \"grid\"\n";
  try {
    load_city(path);
    FAIL() << "it was read";
  } catch (const ModelFileError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("bad_city.toml:4"), std::string::npos) << text;
    EXPECT_NE(text.find("bad_city.toml:5"), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean \"layout\""), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace camber::city
