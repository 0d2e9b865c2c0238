// The ground's model by one key.

#include "camber/drive/ground_file.h"

#include <string>
#include <variant>

#include <gtest/gtest.h>

namespace camber::drive {
namespace {

GroundModel read(const std::string& text, const std::string& soil = "LETE_sand") {
  const tire::TireFile tire = tire::load_tire("models/tires/hmmwv-tmeasy.toml");
  terrain::Terrain terrain;
  if (!soil.empty()) terrain.soils = {terrain::find_soil(soil)};
  TomlFile file = parse_toml("[ground]\n" + text, "s.toml");
  GroundModel model = read_ground(file.root().at("ground"), tire, terrain, 6400);
  file.finish();
  return model;
}
std::string errors_of(const std::string& text, const std::string& soil = "LETE_sand") {
  try {
    read(text, soil);
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GroundFile, ReadsEachModel) {
  EXPECT_EQ(std::get<RigidGround>(read("")).contact.mode, ContactMode::kPoint);
  const auto envelope = std::get<RigidGround>(read("contact = \"envelope\"\nplanes = 5\n"));
  EXPECT_EQ(envelope.contact.mode, ContactMode::kEnvelope);
  EXPECT_EQ(envelope.contact.planes, 5);
  EXPECT_EQ(envelope.contact.samples, 100);
  const auto lumped = std::get<LumpedGround>(read("model = \"lumped\"\n"));
  EXPECT_NEAR(lumped.tire_stiffness, 270e3, 5e3);  // the curve's side from 30 to 35 mm
  EXPECT_LT(lumped.soil.stiffness, lumped.tire_stiffness);
  const auto grid = std::get<SoilGround>(read("model = \"soil_grid\"\nspacing = 0.03\n"));
  EXPECT_EQ(grid.grid.spacing, 0.03);
  EXPECT_FALSE(grid.tire.deflection.empty());
}

TEST(GroundFile, SaysWhatIsWrong) {
  const auto says = [](const std::string& errors, const std::string& part) {
    EXPECT_NE(errors.find(part), std::string::npos) << errors;
  };
  says(errors_of("model = \"soil\"\n"), "s.toml:2:9: ground.model");
  says(errors_of("contact = \"four_point\"\n"), "four_points");
  says(errors_of("samples = 50\n"), "ground.samples: unknown key");  // of an envelope alone
  says(errors_of("model = \"lumped\"\n", ""), "needs a soil that yields");
  says(errors_of("model = \"soil_grid\"\nflow = 2\n"), "ground.flow");
}

}  // namespace
}  // namespace camber::drive
