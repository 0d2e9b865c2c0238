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
      "a.tir:6: UNLOADED_RADIUS: must be 0.01 to 5 m, got 320 m (320; the file's LENGTH is "
      "'METER')");
}

std::string tire_with(const std::string& lines) {
  return "[UNITS]\nLENGTH = 'meter'\nFORCE = 'newton'\nANGLE = 'radians'\n[MODEL]\nFITTYP = 6\n"
         "UNLOADED_RADIUS = 0.4699\nPCX1 = 1.6\nPDX1 = 1\nPKX1 = 20\nPCY1 = 1.3\nPDY1 = 1\n"
         "PKY1 = -20\nPKY2 = 2\n" +
         lines;
}

// Such values made a vehicle sink, or a drive end after a millisecond, far from their cause.
TEST(TirFile, NamesValuesThatNoTireHas) {
  EXPECT_EQ(message_of(tire_with("FNOMIN = 6500\nVERTICAL_STIFFNESS = 400000\nWIDTH = 0.3\n"
                                 "VERTICAL_DAMPING = 500\nALPMAX = 1.5708\nFZMAX = 20000\n")),
            "");
  EXPECT_EQ(message_of(tire_with("FNOMIN = 35000\nVERTICAL_STIFFNESS = 1000.0\nWIDTH = 317.5\n"
                                 "ALPMAX = 90\nCAMMIN = -15\nFZMAX = 78.75\nLMUX = 0\n"
                                 "KPUMAX = 150\n")),
            "a.tir:16: VERTICAL_STIFFNESS: must be 74000 to 7.4e+08 N/m, got 1000 N/m (1000.0; the "
            "file's LENGTH is 'METER', FORCE is 'NEWTON')\n"
            "a.tir:17: WIDTH: must be 0.002 to 5 m, got 317.5 m (317.5; the file's LENGTH is "
            "'METER')\n"
            "a.tir:18: ALPMAX: must be 0 to 3.15 rad, got 90 rad (90; the file's ANGLE is "
            "'RADIANS')\n"
            "a.tir:19: CAMMIN: must be -1.575 to 0 rad, got -15 rad (-15; the file's ANGLE is "
            "'RADIANS')\n"
            "a.tir:20: FZMAX: must be 7000 to 3.5e+07 N, got 78.75 N (78.75; the file's FORCE is "
            "'NEWTON')\n"
            "a.tir:21: LMUX: must be 0.001 to 1000, got 0\n"
            "a.tir:22: KPUMAX: must be 0 to 20, got 150");
  for (const char* value : {"-400000", "0", "4e11"}) {
    const std::string message =
        message_of(tire_with(std::string("FNOMIN = 6500\nVERTICAL_STIFFNESS = ") + value + "\n"));
    EXPECT_TRUE(message.starts_with("a.tir:16: VERTICAL_STIFFNESS: must be 14000 to 1.4e+08 N/m, "))
        << message;
  }
  EXPECT_EQ(message_of(tire_with("FNOMIN = 35.0\nVERTICAL_STIFFNESS = 400000\n")),
            "a.tir:15: FNOMIN: must be 110 to 2200000 N, got 35 N (35.0; the file's FORCE is "
            "'NEWTON')");
  EXPECT_EQ(
      message_of(tire_with("FNOMIN = 6500\nVERTICAL_DAMPING = -500\n")),
      "a.tir:16: VERTICAL_DAMPING: must be 0 to 23000 N s/m, got -500 N s/m (-500; the file's "
      "LENGTH is 'METER', FORCE is 'NEWTON', TIME is 'SECOND')");
}

// In the file's units, whatever they are.
TEST(TirFile, ChecksValuesInTheFilesUnits) {
  EXPECT_EQ(message_of("[UNITS]\nLENGTH = 'mm'\nFORCE = 'kilo_newton'\nANGLE = 'deg'\n[MODEL]\n"
                       "FITTYP = 61\nUNLOADED_RADIUS = 320\nWIDTH = 205\nFNOMIN = 4\n"
                       "VERTICAL_STIFFNESS = 0.2\nALPMAX = 25\nNOMPRES = 2.2e-4\nPCX1 = 1.6\n"
                       "PDX1 = 1\nPKX1 = 20\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -20\nPKY2 = 2\n"),
            "");
}

// [INERTIA] has a MASS that is not a unit, in files without a unit of mass, too.
// With PKY1 = 16, as in files whose lateral force has the other sign, tires pushed a drifting car
// on: they made energy.
TEST(TirFile, RefusesForcesAlongTheSlip) {
  const auto message = [](const std::string& along, const std::string& across) {
    try {
      parse_tir(
          "[MODEL]\nFITTYP = 6\nUNLOADED_RADIUS = 0.31\nFNOMIN = 4100\nPCX1 = 1.6\n"
          "PDX1 = 1.1\nPCY1 = 1.3\nPDY1 = -0.95\n" +
              along + "\n" + across + "\n",
          "a.tir");
    } catch (const ModelFileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("PKX1 = 22", "PKY1 = -16\nPKY2 = 1.6"), "");
  EXPECT_EQ(message("PKX1 = 22", "PKY1 = 16\nPKY2 = -1.6"), "");  // the same tire
  // 2 atan(1 / 1.6) has the sine 0.898876.
  EXPECT_EQ(message("PKX1 = 22", "PKY1 = 16\nPKY2 = 1.6"),
            "a.tir:10: PKY1: must be < 0 where PKY2 > 0, as in TYDEX's W axes (ISO), in which a "
            "positive slip angle gives a negative force; got 16, with which the slip stiffness at "
            "FNOMIN is -58966 N/rad: forces would act along the slip");
  EXPECT_NE(message("PKX1 = 22", "PKY1 = -16\nPKY2 = -1.6").find("a.tir:10: PKY1: must be < 0"),
            std::string::npos);
  EXPECT_EQ(message("PKX1 = -22", "PKY1 = -16\nPKY2 = 1.6"),
            "a.tir:9: PKX1: must be > 0 where the terms beside it do not turn its sign; got -22, "
            "with which the slip stiffness at FNOMIN is -90200 N: forces would act along the slip");
}

TEST(TirFile, TakesUnitsFromTheirSectionOnly) {
  const TirFile file =
      parse_tir(tire_with("FNOMIN = 6500\n[INERTIA]\nMASS = 37.6\nLENGTH = 2\n"), "a.tir");
  EXPECT_DOUBLE_EQ(file.tire.UNLOADED_RADIUS, 0.4699);
  EXPECT_EQ(file.ignored, (std::vector<std::string>{"INERTIA.MASS", "INERTIA.LENGTH"}));
}

TEST(TirFile, TakesDoubleQuotesAndCarriageReturns) {
  std::string text = tire_with("FNOMIN = 6500\n");
  std::replace(text.begin(), text.end(), '\'', '"');
  text += "TYRESIDE = \"Right\" ! a comment\nNAME = \"it's $1!\"\nWIDTH = 0.31\n";
  std::replace(text.begin(), text.end(), '\n', '\r');
  const TirFile file = parse_tir(text, "a.tir");
  EXPECT_EQ(file.side, TirFile::Side::kRight);
  EXPECT_DOUBLE_EQ(file.tire.WIDTH, 0.31);
  EXPECT_DOUBLE_EQ(file.tire.PKY1, -20);
  EXPECT_EQ(file.ignored, (std::vector<std::string>{"MODEL.NAME"}));
  EXPECT_EQ(message_of(text + "PDX2 = x"), "a.tir:19: PDX2: must be a number, got x");
}

// Versions differ in which coefficients they have.
TEST(TirFile, TakesTheMomentsOf61) {
  const std::string lines = "FNOMIN = 6500\nQSX4 = 2.1\nQSY7 = 0.8\nPPMX1 = 0.1\n";
  EXPECT_EQ(parse_tir(tire_with(lines), "a.tir").ignored,
            (std::vector<std::string>{"MODEL.QSX4", "MODEL.QSY7", "MODEL.PPMX1"}));
  std::string newer = tire_with(lines);
  newer.replace(newer.find("FITTYP = 6"), 10, "FITTYP = 61");
  const TirFile file = parse_tir(newer, "a.tir");
  EXPECT_TRUE(file.ignored.empty());
  EXPECT_DOUBLE_EQ(file.tire.QSX4, 2.1);
  EXPECT_DOUBLE_EQ(file.tire.QSY7, 0.8);
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
  EXPECT_NE(message_of(std::string("FITTYP = 6\nPDX1 = 1\0 2\n", 23)), "");
  EXPECT_THROW(load_tir("models/tires/none.tir"), ModelFileError);
}

}  // namespace
}  // namespace camber::tire
