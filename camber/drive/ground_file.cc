#include "camber/drive/ground_file.h"

#include <stdexcept>
#include <string>

namespace camber::drive {
namespace {

RigidGround read_rigid(const TomlNode& table, const tire::TireFile& tire) {
  RigidGround ground{.tire = tire.tire, .right = tire.right};
  ground.contact.mode = parse_contact_mode(
      table.get("contact", std::string("point")).choice({"point", "four_points", "envelope"}));
  if (ground.contact.mode == ContactMode::kEnvelope) {
    ground.contact.samples =
        static_cast<int>(table.get("samples", std::int64_t{100}).integer(10, 1000));
    ground.contact.planes = static_cast<int>(table.get("planes", std::int64_t{3}).integer(1, 9));
  }
  return ground;
}

LumpedGround read_lumped(const TomlNode& table, const tire::TireFile& tire,
                         const terrain::Terrain& terrain, double load) {
  LumpedGround ground;
  const tire::VerticalLaw& law = tire.tire.vertical;
  // The tire's tangent under the load.
  const double step = 0.01 * load;
  ground.tire_stiffness =
      2 * step /
      (tire::find_deflection(law, load + step) - tire::find_deflection(law, load - step));
  ground.rolling_resistance = table.get("rolling_resistance", 0.04).non_negative("");
  const double damping = table.get("damping", 4e3).non_negative("N s/m");
  const terrain::Soil& soil =
      terrain.soils[static_cast<std::size_t>(terrain.soil_map.everywhere())];
  if (soil.law == terrain::PressureLaw::kRigid) {
    table.at("model").error("\"lumped\" needs a soil that yields everywhere; the terrain's is \"" +
                            soil.name + "\"");
    return ground;
  }
  terrain::RigidWheel wheel;
  wheel.radius = tire.tire.radius;
  wheel.width = tire.tire.width;
  try {
    ground.soil = terrain::make_lumped_soil(soil, wheel, ground.tire_stiffness, load, damping);
  } catch (const std::invalid_argument& e) {
    table.at("model").error(e.what());
  }
  return ground;
}

SoilGround read_grid(const TomlNode& table, const tire::TireFile& tire) {
  SoilGround ground;
  ground.wheel = {tire.tire.radius, tire.tire.width};
  if (tire.model != "rigid") ground.tire = tire.tire.vertical;
  ground.rolling_resistance =
      table.get("rolling_resistance", tire.tire.rolling_resistance).non_negative("");
  ground.grid.spacing = table.get("spacing", ground.grid.spacing).in_range(0.002, 0.2, "m");
  ground.grid.flow = table.get("flow", ground.grid.flow).in_range(0, 1, "");
  return ground;
}

}  // namespace

GroundModel read_ground(const TomlNode& table, const tire::TireFile& tire,
                        const terrain::Terrain& terrain, double wheel_load) {
  const std::string model =
      table.get("model", std::string("rigid")).choice({"rigid", "lumped", "soil_grid"});
  if (model == "lumped") return read_lumped(table, tire, terrain, wheel_load);
  if (model == "soil_grid") return read_grid(table, tire);
  return read_rigid(table, tire);
}

}  // namespace camber::drive
