// Tires by one key: the files of the repository, and what the reader says of mistakes.

#include "camber/tire/tire_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/temporary_folder.h"
#include "camber/tire/test/hmmwv_tires.h"
#include "camber/tire/tir_file.h"

namespace camber::tire {
namespace {

const std::string kFolder = "models/tires/";

TireFile read(const std::string& text) {
  return read_tire_file(parse_toml("kind = \"tire\"\nname = \"t\"\n[tire]\n" + text, "t.toml"),
                        kFolder + "t.toml");
}
std::string errors_of(const std::string& text) {
  try {
    read(text);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}
void expect_error(const std::string& text, const std::string& part) {
  EXPECT_NE(errors_of(text).find(part), std::string::npos) << errors_of(text);
}

// The same force, whatever the slip.
void expect_same(const RollingTire& a, const RollingTire& b) {
  for (const double Vy : {0.0, 0.5, -3.0}) {
    const WheelContact<double> contact{.deflection = 0.033,
                                       .deflection_rate = 0.1,
                                       .Vx = 9,
                                       .Vy = Vy,
                                       .omega = 21,
                                       .gamma = 0.03,
                                       .friction = 0.9};
    const TireState<double> state{0.01, -0.02};
    const auto x = calc_tire(a, contact, state), y = calc_tire(b, contact, state);
    EXPECT_EQ(x.force.Fx, y.force.Fx);
    EXPECT_EQ(x.force.Fy, y.force.Fy);
    EXPECT_EQ(x.force.Mz, y.force.Mz);
    EXPECT_EQ(x.Fz, y.Fz);
    EXPECT_EQ(x.rates.w, y.rates.w);
  }
}

TEST(TireFile, HmmwvsHaveOneSizeAndSpring) {
  const TireFile file = load_tire(kFolder + "hmmwv-tmeasy.toml");
  EXPECT_EQ(file.model, "tmeasy");
  EXPECT_FALSE(file.right.has_value());
  RollingTire fiala = file.tire;
  fiala.steady = load_hmmwv_fiala();
  expect_same(load_tire(kFolder + "hmmwv-fiala.toml").tire, fiala);
}

TEST(TireFile, NamesTheNewKeyOfAnOldOne) {
  std::ifstream in(kFolder + "hmmwv-fiala.toml");
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  text.replace(text.find("min_friction"), 12, "least_friction");
  try {
    read_tire_file(parse_toml(text, "t.toml"), "t.toml");
    ADD_FAILURE();
  } catch (const ModelFileError& error) {
    EXPECT_NE(std::string(error.what()).find("least_friction: renamed to \"min_friction\""),
              std::string::npos)
        << error.what();
  }
}

TEST(TireFile, AllFilesAreGood) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().string());
    const TireFile file = load_tire(entry.path().string());
    EXPECT_EQ(file.name, entry.path().stem().string());
    EXPECT_GT(find_deflection(file.tire.vertical, 6500), 0);
    ++count;
  }
  EXPECT_GE(count, 3);
}

// The data are for the left; the right wheels get their mirror image.
TEST(TireFile, MagicFormulaHasTwoSides) {
  const TireFile file = read("model = \"magic_formula\"\nfile = \"hmmwv.tir\"\n");
  ASSERT_TRUE(file.right.has_value());
  EXPECT_EQ(file.tire.radius, 0.4699);
  const WheelContact<double> contact{
      .deflection = 0.02, .deflection_rate = 0, .Vx = 10, .Vy = 0, .omega = 21.4};
  const auto left = calc_tire<double>(file.tire, contact, {}),
             right = calc_tire<double>(*file.right, contact, {});
  EXPECT_GT(std::abs(left.force.Fy), 20);
  EXPECT_NEAR(left.force.Fy, -right.force.Fy, 1e-9 * left.Fz);
  EXPECT_NEAR(left.force.Fx, right.force.Fx, 1e-9 * left.Fz);
  const TireFile even =
      read("model = \"magic_formula\"\nfile = \"hmmwv.tir\"\nshifts = false\nwidth = 0.4\n");
  EXPECT_FALSE(even.right.has_value());
  EXPECT_EQ(even.tire.width, 0.4);
  EXPECT_NEAR(calc_tire<double>(even.tire, contact, {}).force.Fy, 0, 1e-9 * left.Fz);
}

// A .tir that is named by itself is all of the tire, not just its slip.
TEST(TireFile, ATirIsAWholeTire) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "small.tir").string();
  const auto write = [&](const std::string& vertical) {
    std::ofstream(path) << "[MODEL]\nFITTYP = 52\nTYRESIDE = 'SYMMETRIC'\n[DIMENSION]\n"
                           "UNLOADED_RADIUS = 0.303\nWIDTH = 0.185\n[VERTICAL]\nFNOMIN = 3700\n"
                        << vertical
                        << "[LONGITUDINAL]\nPCX1 = 1.6\nPDX1 = 1.1\nPKX1 = 21\nPTX1 = 0.9\n"
                           "[LATERAL]\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -17\nPKY2 = 1.8\nPTY1 = 1.7\n"
                           "PTY2 = 1.6\n";
  };
  write("VERTICAL_STIFFNESS = 194000\nVERTICAL_DAMPING = 140\nLCZ = 1.05\n");
  const TireFile file = load_tir_tire(path);
  EXPECT_EQ(file.model, "magic_formula");
  EXPECT_EQ(file.tire.radius, 0.303);
  EXPECT_EQ(file.tire.width, 0.185);
  EXPECT_EQ(file.tire.vertical.damping, 140);
  EXPECT_NEAR(find_deflection(file.tire.vertical, 3700), 3700 / (1.05 * 194000), 1e-12);
  // PTX1 R; PTY1 sin(2 atan(1/PTY2)) R.
  EXPECT_NEAR(file.tire.relaxation_along, 0.9 * 0.303, 1e-12);
  EXPECT_NEAR(file.tire.relaxation_across, 1.7 * std::sin(2 * std::atan(1 / 1.6)) * 0.303, 1e-12);
  EXPECT_FALSE(file.right.has_value());
  // Scaled to another nominal load, they are those of that load.
  write("VERTICAL_STIFFNESS = 194000\nVERTICAL_DAMPING = 140\nLFZO = 0.6\nPTX2 = 1.4\nPTX3 = 1\n");
  const TireFile scaled = load_tir_tire(path);
  EXPECT_NEAR(scaled.tire.relaxation_along, 0.9 * 0.303, 1e-12);
  EXPECT_NEAR(scaled.tire.relaxation_across, 0.6 * file.tire.relaxation_across, 1e-12);

  write("");
  try {
    load_tir_tire(path);
    ADD_FAILURE() << "carries a vehicle without a spring";
  } catch (const ModelFileError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        path + ": VERTICAL_STIFFNESS: is missing: a tire that is to carry a vehicle needs it");
  }
  write("VERTICAL_STIFFNESS = 194000\n");
  const std::vector<std::string> notes = load_tir_tire(path).notes;
  EXPECT_NE(std::find(notes.begin(), notes.end(),
                      path + ": VERTICAL_DAMPING is missing: taken as 50 N s/m"),
            notes.end());
}

// Coefficients that are not there are said to be zero, those that have their default, and what the
// other version of the formula has is not spoken of.
TEST(TireFile, NotesWhatATirLeavesOut) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "short.tir").string();
  std::ofstream(path)
      << "FITTYP = 52\nUNLOADED_RADIUS = 0.3\nWIDTH = 0.2\nFNOMIN = 4000\n"
         "VERTICAL_STIFFNESS = 2e5\nVERTICAL_DAMPING = 90\nPCX1 = 1.6\nPDX1 = 1\n"
         "PKX1 = 20\nPCY1 = 1.3\nPDY1 = 1\nPKY1 = -20\nPKY2 = 2\nPTX1 = 1\nPTY1 = 1\n"
         "PTY2 = 2\n";
  const TireFile file = load_tir_tire(path);
  ASSERT_EQ(file.notes.size(), 1U);
  const std::string& note = file.notes[0];
  EXPECT_EQ(note.find(path + ": coefficients that are missing and taken as 0: PDX2, PDX3, PEX1"),
            0U)
      << note;
  EXPECT_NE(note.find("RCX1 (1)"), std::string::npos) << note;
  EXPECT_EQ(note.find("PKY6"), std::string::npos) << note;
  // A run says how many there are; 50 names before each result were in the way.
  const auto names =
      std::count(note.begin() + static_cast<std::ptrdiff_t>(path.size()), note.end(), ',') + 1;
  ASSERT_EQ(file.short_notes.size(), 1U);
  EXPECT_EQ(file.short_notes[0], path + ": " + std::to_string(names) +
                                     " coefficients are missing and taken as 0 (`camber check " +
                                     path + "` lists them)");
  EXPECT_FALSE(file.tire.rolling_radius.has_value());
}

// A file has dozens of them: they were a line each.
TEST(TireFile, NotesWhatIsNotUsedInOneLine) {
  const std::vector<std::string> notes = load_tir_tire(kFolder + "hmmwv.tir").notes;
  const auto is_of_unused = [](const std::string& note) {
    return note.find("not used") != std::string::npos;
  };
  ASSERT_EQ(std::count_if(notes.begin(), notes.end(), is_of_unused), 1);
  const std::string note = *std::find_if(notes.begin(), notes.end(), is_of_unused);
  EXPECT_TRUE(note.starts_with(kFolder + "hmmwv.tir: not used: UNITS.MASS, ") ||
              note.starts_with(kFolder + "hmmwv.tir: not used: MODEL.VXLOW, "))
      << note;
  // It is nothing to say at every run.
  EXPECT_TRUE(load_tir_tire(kFolder + "hmmwv.tir").short_notes.empty());
}

// R_e by the file's own figures; at the nominal deflection x = unit it is arithmetic.
TEST(TireFile, ATirSaysHowItsRollingRadiusFalls) {
  const RollingTire tire = load_tir_tire(kFolder + "hmmwv.tir").tire;
  const double unit = 0.580904846 * 35000 / (0.4419 * 1e6);
  EXPECT_NEAR(calc_rolling_radius(tire, unit), 0.4699 - unit * (0.5 * std::atan(3.5) - 0.005),
              1e-12);
  EXPECT_NEAR(calc_rolling_radius(tire, 0.25 * unit),
              0.4699 - unit * (0.5 * std::atan(3.5 * 0.25) - 0.005 * 0.25), 1e-12);
  EXPECT_EQ(calc_rolling_radius(tire, -0.1), 0.4699);
}

TEST(TireFile, RigidIsARim) {
  const TireFile file = read("model = \"rigid\"\nradius = 0.3\nwidth = 0.2\nfriction = 0.7\n");
  EXPECT_NEAR(find_deflection(file.tire.vertical, 2000), 1e-3, 1e-12);
  const WheelContact<double> slides{
      .deflection = 0.001, .deflection_rate = 0, .Vx = 5, .Vy = 0, .omega = 0};
  const auto r = calc_tire<double>(file.tire, slides, {-0.04, 0});
  EXPECT_NEAR(r.force.Fx, -0.7 * r.Fz, 1e-9 * r.Fz);
}

// Forces along and across are the vehicle's to find; the load is the spring's as for all others.
TEST(TireFile, RelaxedRollingIsAConstraint) {
  const TireFile file = read(
      "model = \"relaxed_rolling\"\nradius = 0.3\nwidth = 0.2\nfriction = 0.7\nslip_speed = 0.4\n"
      "vertical = { stiffness = 2e5, damping = 0 }\nrolling_resistance = 0.01\n");
  ASSERT_TRUE(file.tire.constraint.has_value());
  EXPECT_EQ(file.tire.constraint->friction, 0.7);
  EXPECT_EQ(file.tire.constraint->slip_speed, 0.4);
  const WheelContact<double> slides{
      .deflection = 0.03, .deflection_rate = 0.2, .Vx = 5, .Vy = 1, .omega = 10};
  const auto r = calc_tire<double>(file.tire, slides, {-0.04, 0.02});
  EXPECT_NEAR(r.Fz, 6000, 1e-9);
  EXPECT_EQ(r.force.Fx, 0);
  EXPECT_EQ(r.force.Fy, 0);
  EXPECT_EQ(r.rates.u, 0);
  EXPECT_NEAR(r.stored_power, 1200, 1e-9);
  EXPECT_NEAR(r.force.My, -0.01 * 6000 * 0.29, 0.1);
}

TEST(TireFile, SaysWhatIsWrong) {
  const std::string rigid = "model = \"rigid\"\nradius = 0.3\nwidth = 0.2\n";
  expect_error("model = \"tmeazy\"\n", "t.toml:4");
  expect_error("model = \"tmeazy\"\n", "tmeasy");
  // Nothing about what a tire of another model would lack.
  EXPECT_EQ(errors_of("model = \"tmeazy\"\nradius = 0.3\n[tire.brush]\nfriction = 1\n").find('\n'),
            std::string::npos);
  expect_error("model = \"magic_formula\"\nfile = \"/dev/zero\"\n", "is a pipe or a device");
  expect_error(rigid + "frictoin = 1\n", "did you mean \"friction\"");
  expect_error(rigid + "friction = 1\npressure = 2\n", "tire.pressure: unknown key");
  expect_error("model = \"rigid\"\nradius = -1\nwidth = 0.2\nfriction = 0.7\n",
               "t.toml:5:10: tire.radius: must be > 0 m, got -1");
  expect_error("model = \"magic_formula\"\nfile = \"none.tir\"\n", "none.tir");
  const std::string brush =
      "model = \"brush\"\nradius = 0.3\nwidth = 0.2\n[tire.brush]\ntread_stiffness = 1e6\n"
      "half_length = 0.1\nfriction = 0.8\n[tire.vertical]\ndamping = 100\n";
  expect_error(brush + "deflection = [0, 0.1, 0.05]\nforce = [0, 1, 2]\n",
               "tire.vertical.deflection: must begin with 0 and rise");
  expect_error(brush + "deflection = [0, 0.1]\nforce = [0, 1, 2]\n", "as many as deflection has");
  EXPECT_EQ(errors_of(brush + "stiffness = 2e5\n"), "no error");
}

}  // namespace
}  // namespace camber::tire
