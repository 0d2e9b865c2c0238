#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/file.h"
#include "camber/core/random.h"
#include "camber/terrain/crg_road.h"
#include "camber/terrain/picture.h"
#include "camber/terrain/terrain.h"

namespace camber::terrain {
namespace {

/// A road as data: heading turns by `curve` per piece; heights from a function of (u, v).
CrgData make_road(int rows, double step, double curve,
                  const std::function<double(double, double)>& height) {
  CrgData d;
  d.u_step = step;
  d.x = 4, d.y = -3, d.z = 1.5, d.phi = 0.3;
  for (int i = 0; i + 1 < rows; ++i) d.heading.push_back(0.3 + curve * i);
  for (int i = -4; i <= 4; ++i) d.v.push_back(0.5 * i);
  for (int i = 0; i < rows; ++i) {
    for (const double v : d.v) d.heights.push_back(static_cast<float>(height(i * step, v)));
  }
  return d;
}

TEST(CrgRoad, StraightRoadIsItsGrid) {
  CrgData d = make_road(41, 0.5, 0.0, [](double u, double v) { return 0.125 * u + 0.25 * v; });
  d.slope.assign(40, 0.0625);
  d.banking.assign(41, -0.125);
  const CrgRoad road(d);
  RandomStream random(3);
  for (int k = 0; k < 200; ++k) {
    const double u = random.uniform(0, 20), v = random.uniform(-2, 2);
    const double c = std::cos(0.3), s = std::sin(0.3);
    const double x = 4 + c * u - s * v, y = -3 + s * u + c * v;
    const SurfaceSample p = road.sample(x, y);
    EXPECT_NEAR(p.h, 1.5 + (0.125 + 0.0625) * u + (0.25 - 0.125) * v, 1e-6);
    EXPECT_NEAR(p.hx, 0.1875 * c - 0.125 * s, 1e-6);
    EXPECT_NEAR(p.hy, 0.1875 * s + 0.125 * c, 1e-6);
    EXPECT_TRUE(road.contains(x, y));
  }
}

TEST(CrgRoad, CurvedRoadIsContinuousAndItsSlopesMatchDifferences) {
  const CrgRoad road(make_road(200, 0.5, 0.02, [](double u, double v) {
    return 0.1 * std::sin(0.3 * u) + 0.05 * v * std::cos(0.2 * u);
  }));
  RandomStream random(4);
  double last = 0;
  int checked = 0;
  for (int k = 0; k < 40000; ++k) {  // a line that crosses the road at a slant, in steps of 0.5 mm
    const double t = 0.0005 * k, x = 20 + t, y = 8 + 0.9 * t;
    const SurfaceSample p = road.sample(x, y);
    // Far from the road, the piece that is nearest may change from one end to the other.
    if (k > 0 && road.contains(x, y)) {
      EXPECT_LT(std::abs(p.h - last), 5e-4);
    }
    last = p.h;
    const double e = 1e-7;
    const CrgRoad::Place a = road.locate(x - e, y - e), b = road.locate(x + e, y + e);
    if (!a.inside || !b.inside || a.piece != b.piece) continue;
    if (std::floor(a.v * 2) != std::floor(b.v * 2)) continue;  // a section lies between
    EXPECT_NEAR(p.hx, (road.sample(x + e, y).h - road.sample(x - e, y).h) / (2 * e), 1e-5);
    EXPECT_NEAR(p.hy, (road.sample(x, y + e).h - road.sample(x, y - e).h) / (2 * e), 1e-5);
    ++checked;
  }
  EXPECT_GT(checked, 1000);
}

TEST(CrgRoad, LocatesPointsLaidOutAlongItsLine) {
  const CrgData d = make_road(300, 0.5, 0.01, [](double, double) { return 0.0; });
  const CrgRoad road(d);
  double x = d.x, y = d.y;
  for (std::size_t i = 0; i < d.heading.size(); ++i) {
    const double c = std::cos(d.heading[i]), s = std::sin(d.heading[i]);
    const CrgRoad::Place p = road.locate(x + 0.25 * c - 1.2 * s, y + 0.25 * s + 1.2 * c);
    EXPECT_EQ(p.piece, static_cast<int>(i));
    EXPECT_NEAR(p.v, 1.2, 1e-12);
    EXPECT_NEAR(p.t, 0.5, 0.02);
    x += 0.5 * c, y += 0.5 * s;
  }
  EXPECT_FALSE(road.contains(d.x - 30, d.y));
  EXPECT_NEAR(road.sample(d.x - 30, d.y).h, 1.5, 1e-12);  // the height of its end
}

TEST(CrgRoad, LaysOutLinesBesideItsReferenceLine) {
  const CrgRoad road(make_road(300, 0.5, 0.01, [](double, double) { return 0.0; }));
  for (const double offset : {0.0, 1.3, -1.7}) {
    const std::vector<CrgRoad::LinePoint> line = road.find_line(2.0, offset);
    // 299 pieces of 0.5 m: a point every four of them; the last stretch is of three.
    ASSERT_EQ(line.size(), 76U);
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      EXPECT_NEAR(road.locate(line[i].x, line[i].y).v, offset, 2e-4);
      // The direction from neighbor to neighbor.
      const double heading =
          std::atan2(line[i + 1].y - line[i - 1].y, line[i + 1].x - line[i - 1].x);
      if (i + 2 < line.size()) {
        EXPECT_NEAR(std::remainder(line[i].heading - heading, 2 * std::numbers::pi), 0, 1e-3);
      }
    }
  }
  const std::vector<CrgRoad::LinePoint> line = road.find_line(2.0);
  EXPECT_EQ(line.front().x, 4);
  EXPECT_EQ(line.front().y, -3);
  EXPECT_NEAR(line.front().heading, 0.3, 0.006);
  double x = 4, y = -3;
  for (int i = 0; i < 299; ++i) {
    x += 0.5 * std::cos(0.3 + 0.01 * i);
    y += 0.5 * std::sin(0.3 + 0.01 * i);
  }
  EXPECT_NEAR(line.back().x, x, 1e-12);
  EXPECT_NEAR(line.back().y, y, 1e-12);
}

// The rectangle of all points that are on the road, found on a raster.
TEST(CrgRoad, KnowsTheRectangleThatItCovers) {
  const CrgRoad road(make_road(300, 0.5, 0.01, [](double, double) { return 0.0; }));
  const Box2 box = road.extent();
  Box2 found{HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (double x = box.x0 - 20; x < box.x1 + 20; x += 0.25)
    for (double y = box.y0 - 20; y < box.y1 + 20; y += 0.25) {
      if (!road.contains(x, y)) continue;
      found = {std::min(found.x0, x), std::min(found.y0, y), std::max(found.x1, x),
               std::max(found.y1, y)};
    }
  EXPECT_NEAR(box.x0, found.x0, 0.3);
  EXPECT_NEAR(box.y0, found.y0, 0.3);
  EXPECT_NEAR(box.x1, found.x1, 0.3);
  EXPECT_NEAR(box.y1, found.y1, 0.3);
}

// A picture of it has the colors of heights where there is road, and one color beside it.
TEST(CrgRoad, IsDrawnWithoutWhatIsBesideIt) {
  Terrain terrain;
  terrain.base = CrgRoad(make_road(200, 0.5, 0.02, [](double u, double) { return 0.02 * u; }));
  const Box2 box = std::get<CrgRoad>(terrain.base).extent();
  const TerrainPicture picture = draw_terrain(terrain, box, 150);
  const double size = std::max(box.x1 - box.x0, box.y1 - box.y0) / 150;
  int road = 0, beside = 0;
  for (int j = 0; j < picture.height; ++j)
    for (int i = 0; i < picture.width; ++i) {
      const std::uint8_t* c = &picture.rgb[3 * (static_cast<std::size_t>(j) * picture.width + i)];
      const bool is_blank = c[0] == 245 && c[1] == 245 && c[2] == 242;
      const bool is_road = terrain.contains(box.x0 + (i + 0.5) * size, box.y1 - (j + 0.5) * size);
      (is_road ? road : beside) += 1;
      EXPECT_NE(is_blank, is_road) << i << ", " << j;
    }
  EXPECT_GT(road, 200);
  EXPECT_GT(beside, 2000);
  EXPECT_NEAR(picture.highest - picture.lowest, 0.02 * 99.5, 0.1);
}

// --- Files ---

const char* const kText =
    "$CT ! a comment\nanything = goes here\n$\n"
    "$ROAD_CRG\nREFERENCE_LINE_START_U = 0.0\nREFERENCE_LINE_END_U = 3.0 ! end\n"
    "reference_line_increment = 1.0\nREFERENCE_LINE_START_X = 7\n$\n"
    "$KD_DEFINITION\n#:LRFI\nU:reference line u,m,0,1\nD:reference line phi,rad\n"
    "D:long section at v = -1.5,m\nD:long section at v =  0.0,m\nD:long section at v = 2.0,m\n$\n"
    "$$$$$$$$$$$$$$$$$$$$$$$$$$$$\n"
    "**unused** 0.0100000 0.0200000 0.0300000\n"
    " 0.1000000 0.0110000 0.0210000**********\n"
    " 0.2000000 0.0120000 0.0220000 0.0320000\n"
    " 0.3000000 0.0130000 0.0230000 0.0330000\n";

TEST(CrgFile, ReadsText) {
  const CrgData d = parse_crg(kText, "road.crg");
  EXPECT_EQ(d.rows(), 4);
  EXPECT_EQ(d.x, 7);
  EXPECT_EQ(d.v, (std::vector<double>{-1.5, 0, 2}));
  EXPECT_EQ(d.heading, (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(d.heights[1], 0.02F);
  EXPECT_TRUE(std::isnan(d.heights[5]));
  const CrgRoad road(d);  // the neighbor's height is used beside the missing one
  EXPECT_NEAR(road.data().heights[5], 0.021, 1e-7);
}

std::string big_endian(double value, bool wide) {
  std::string bytes;
  const std::uint64_t bits = wide ? std::bit_cast<std::uint64_t>(value)
                                  : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  for (int i = wide ? 56 : 24; i >= 0; i -= 8) bytes += static_cast<char>(bits >> i & 255);
  return bytes;
}

TEST(CrgFile, ReadsBinaryAsText) {
  const CrgData expected = parse_crg(kText, "road.crg");
  const std::string header = std::string(kText).substr(0, std::string(kText).find("**unused"));
  for (const std::string format : {"KRBI", "KDBI", "LRBI", "LDBI"}) {
    std::string text = header;
    text.replace(text.find("LRFI"), 4, format);
    const bool wide = format[1] == 'D', padded = format[0] == 'L';
    for (int row = 0; row < 4; ++row) {
      std::string record = big_endian(row == 0 ? NAN : 0.1 * row, wide);
      for (int k = 0; k < 3; ++k) record += big_endian(expected.heights[3 * row + k], wide);
      if (padded) record.resize(80);
      text += record;
    }
    text.resize((text.size() + 79) / 80 * 80);  // the file's end is filled up
    const CrgData d = parse_crg(text, format);
    EXPECT_EQ(d.rows(), 4);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(d.heading[i], 0.1 * (i + 1), 1e-7);
    for (int k = 0; k < 12; ++k) {
      if (k != 5) {
        EXPECT_EQ(d.heights[k], expected.heights[k]);
      }
    }
    EXPECT_TRUE(std::isnan(d.heights[5]));
  }
}

// A hole in the road was filled with its neighbor's height, and nobody knew.
TEST(CrgFile, RefusesHolesWithinTheRoad) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      parse_crg(text, "road.crg");
    } catch (const FileError& e) {
      return e.what();
    }
    return "";
  };
  std::string hole = kText, left = kText;
  hole.replace(hole.find(" 0.0220000"), 10, "**********");
  EXPECT_EQ(error(hole),
            "road.crg: line 21: the height at u = 2 m, v = 0 m is missing, with the road on both "
            "sides of it; heights may be missing at the sides only");
  left.replace(left.find(" 0.0120000 0.0220000"), 20, "********************");
  EXPECT_EQ(error(left), "");
}

TEST(CrgFile, SaysWhatIsWrong) {
  const auto error = [](const std::string& from, const std::string& to) -> std::string {
    std::string text = kText;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    try {
      CrgRoad road(parse_crg(text, "road.crg"));
    } catch (const std::exception& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("", ""), "no error");
  EXPECT_EQ(error("0.0120000", "0.012000x"),
            "road.crg: line 21: must be a number, got \"0.012000x\"");
  EXPECT_EQ(error("LRFI", "XYZ"),
            "road.crg: line 18: data format \"XYZ\" is not supported; supported are KRBI, KDBI, "
            "LRBI, LDBI, LRFI, "
            "LDFI, KRFI and KDFI");
  EXPECT_EQ(error("END_U = 3.0", "END_U = 9.0"),
            "road.crg: has 4 rows of data; its header announces 10");
  EXPECT_EQ(error("$$$$$$$$$$$$$$$$$$$$$$$$$$$$\n", ""),
            "road.crg: line 21: the file ends before its data: no line of \"$$$$\". Is it an "
            "OpenCRG file?");
  EXPECT_EQ(error(" 0.2000000", "       nan"),
            "road.crg: phi of row 3 is not finite, expected at most 10000 rad");
  EXPECT_EQ(error(" 0.2000000", "      1e30"),
            "road.crg: phi of row 3 is 1e+30 rad, expected at most 10000 rad");
  EXPECT_EQ(
      error(" 0.0220000", "     1e300"),  // no float holds it: it was a height that is missing
      "road.crg: a height of row 3 is 1e+300 m, expected at most 1e+05 m");
  EXPECT_EQ(error("reference_line_increment = 1.0", "REFERENCE_LINE_INCREMENT = 1e308"),
            "road.crg: line 7: REFERENCE_LINE_INCREMENT is 1e+308, expected at most 1e+09");
  EXPECT_EQ(error("v = 2.0", "v = inf"),
            "road.crg: line 16: expected \"long section at v = NUMBER\"");
  EXPECT_EQ(error("v =  0.0", "v = 3.0"),
            "CRG road: v must increase from section to section, got 3 and 2");
  EXPECT_EQ(error("$KD_DEFINITION", "$ROAD_CRG_FILE"),
            "road.crg: line 10: data in another file ($ROAD_CRG_FILE) are not read");
  EXPECT_EQ(error("$CT ! a comment", "$ROAD_CRG_MODS"),
            "road.crg: line 2: modifiers ($ROAD_CRG_MODS) are not supported: apply them to the "
            "road data");
}

// Whatever a file holds, it is a road or an error. Bytes of a good file are changed, doubled and
// left out.
TEST(CrgFile, SurvivesDamage) {
  int roads = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    RandomStream random(seed);
    std::string text = kText;
    if (seed % 3 == 0) text.replace(text.find("LRFI"), 4, seed % 2 == 0 ? "KRBI" : "LDBI");
    for (int k = 0; k < 3; ++k) {
      const auto at =
          static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size()) - 1));
      switch (random.integer(0, 3)) {
        case 0:
          text[at] = static_cast<char>(random.integer(0, 255));
          break;
        case 1:
          text.erase(at, static_cast<std::size_t>(random.integer(1, 40)));
          break;
        case 2:
          text.insert(at, text.substr(at, static_cast<std::size_t>(random.integer(1, 40))));
          break;
        default:
          text[at] = "0123456789.-=$!*"[random.integer(0, 15)];
      }
      if (text.empty()) text = "$";
    }
    try {
      const CrgRoad road(parse_crg(text, "road.crg"));
      road.sample(random.uniform(-10, 10), random.uniform(-5, 5));
      ++roads;
    } catch (const FileError&) {
    } catch (const std::invalid_argument&) {
    }
  }
  EXPECT_GT(roads, 1000);
}

}  // namespace
}  // namespace camber::terrain
