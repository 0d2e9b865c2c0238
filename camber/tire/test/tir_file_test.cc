#include "camber/tire/tir_file.h"

#include <algorithm>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"

namespace camber::tire {
namespace {

std::string message_of(std::string_view text) {
  try {
    parse_tir(text, "a.tir");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(TirFile, ReadsTheTireOfTheHmmwv) {
  const TirFile file = load_tir("models/tires/hmmwv.tir");
  EXPECT_EQ(file.tire.version, MagicFormulaTire::Version::k52);
  EXPECT_EQ(file.side, TirFile::Side::kLeft);
  EXPECT_DOUBLE_EQ(file.tire.UNLOADED_RADIUS, 0.4699);
  EXPECT_DOUBLE_EQ(file.tire.PKY1, -10.289);
  EXPECT_DOUBLE_EQ(file.tire.INFLPRES, 8e5);
  EXPECT_NE(std::find(file.ignored.begin(), file.ignored.end(), "DIMENSION.ASPECT_RATIO"),
            file.ignored.end());
  EXPECT_EQ(std::find(file.missing.begin(), file.missing.end(), "PKY1"), file.missing.end());
  // What version 6.1 has does not miss in 5.2.
  EXPECT_EQ(std::find(file.missing.begin(), file.missing.end(), "PKY6"), file.missing.end());
}

// Other units, line ends, cases, comments and number formats: the same tire.
TEST(TirFile, TakesWhatPeopleWrite) {
  const TirFile file = parse_tir(
      "\xEF\xBB\xBF$ a comment = 3\r\n[UNITS]\r\nLENGTH = 'mm'\r\nFORCE = 'kNewton'\r\nANGLE = "
      "'degrees'\r\n"
      "TIME = 'second'\r\n[MODEL]\r\nFITTYP = 61 $ version ! twice\r\nTyreSide = 'Right'\r\n"
      "[DIMENSION]\r\nunloaded_radius = 3.2D+2\r\nWIDTH=+205\r\n[VERTICAL]\r\nFNOMIN = 4.1\r\n"
      "VERTICAL_STIFFNESS = 0.21 ! per mm\r\nSTRING = 'with $ and ! inside'\r\n"
      "[SLIP_ANGLE_RANGE]\r\nALPMAX = 30\r\n[SHAPE]\r\n{radial width}\r\n 1.0 0.0\r\n 0.9 1.0\r\n"
      "[LATERAL_COEFFICIENTS]\r\nPKY1 = -21.5\r\nPKY2 = 1.9\r\nPCY1 = 1.3\r\nPDY1 = 0.98\r\n"
      "[LONGITUDINAL_COEFFICIENTS]\r\nPCX1 = 1.6\r\nPDX1 = 1.1\r\nPKX1 = 22",
      "a.tir");
  EXPECT_EQ(file.tire.version, MagicFormulaTire::Version::k61);
  EXPECT_EQ(file.side, TirFile::Side::kRight);
  EXPECT_DOUBLE_EQ(file.tire.UNLOADED_RADIUS, 0.32);
  EXPECT_DOUBLE_EQ(file.tire.WIDTH, 0.205);
  EXPECT_DOUBLE_EQ(file.tire.FNOMIN, 4100);
  EXPECT_DOUBLE_EQ(file.tire.VERTICAL_STIFFNESS, 210e3);
  EXPECT_DOUBLE_EQ(file.tire.ALPMAX, std::numbers::pi / 6);
  EXPECT_DOUBLE_EQ(file.tire.PKY1, -21.5);
  EXPECT_EQ(file.ignored, (std::vector<std::string>{"SHAPE", "VERTICAL.STRING"}));
}

TEST(TirFile, NamesEveryMistakeWithItsLine) {
  EXPECT_EQ(
      message_of("[UNITS]\nLENGTH = 'metre'\n[MODEL]\nFITTYP = 89\nTYRESIDE = 'top'\n[DIMENSION]\n"
                 "UNLOADED_RADIUS = large\nthis is no line\nPDX1 = nan\n"),
      "a.tir:2: LENGTH: unknown unit 'METRE'; did you mean \"METER\"?; known are METER, METERS, M, "
      "MM, "
      "MILLIMETER, CM, CENTIMETER, KM, INCH, FOOT, MILE\n"
      "a.tir:4: FITTYP: must be 6, 21 or 52 (Magic Formula 5.2) or 60, 61, 62 (6.x), got 89\n"
      "a.tir:5: TYRESIDE: must be 'LEFT', 'RIGHT' or 'SYMMETRIC', got 'top'\n"
      "a.tir:7: UNLOADED_RADIUS: must be a number, got large\n"
      "a.tir:8: expected KEY = value, [SECTION], or a comment\n"
      "a.tir:9: PDX1: must be a number, got nan");
}

// Millimeters under units that say meter.
TEST(TirFile, NoticesAWrongUnit) {
  EXPECT_EQ(
      message_of(
          "[UNITS]\nLENGTH = 'meter'\n[MODEL]\nFITTYP = 6\n[DIMENSION]\nUNLOADED_RADIUS = 320\n"),
      "a.tir:6: UNLOADED_RADIUS: must be between 0.01 and 5 m in the file's unit of length, got "
      "320");
}

TEST(TirFile, NamesWhatATireCannotDoWithout) {
  EXPECT_EQ(message_of("[MODEL]\nFITTYP = 61\nUNLOADED_RADIUS = 0.3\nFNOMIN = 4000\nPCX1 = 1.6\n"
                       "PDY1 = 1\nPCY1 = 1.3\nPKY2 = 2\n"),
            "a.tir: lacks PDX1, PKX1, PKY1: a tire has no forces without");
}

TEST(TirFile, IsNotAnyText) {
  EXPECT_EQ(message_of(""),
            "a.tir: has neither FITTYP nor PROPERTY_FILE_FORMAT, which say the formula's version\n"
            "a.tir: holds no KEY = value: no tire property file");
  EXPECT_EQ(message_of("[MODEL]\nFITTYP = 6\nFITTYP = 6\n"),
            "a.tir:3: FITTYP: is given twice, first in line 2");
  EXPECT_NE(message_of(std::string(100'000, '[')), "");
  EXPECT_NE(message_of(std::string("FITTYP = 6\nPDX1 = 1\0 2\n", 24)), "");
  EXPECT_THROW(load_tir("models/tires/none.tir"), ModelFileError);
}

}  // namespace
}  // namespace camber::tire
