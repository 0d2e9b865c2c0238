// [ground].

#include "camber/core/file_reference.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/scenario/tables.h"
#include "camber/terrain/soil.h"
#include "camber/terrain/terrain_file.h"

namespace camber::scenario::internal {
namespace {

void read_soil(const TomlNode& node, bool is_flat, Ground* ground) {
  const TomlNode soil = node.get("soil", std::string("rigid"));
  ground->soil = soil.text();
  std::vector<std::string> names = terrain::soil_names();
  names.emplace_back("rigid");
  if (soil.is_text() && std::find(names.begin(), names.end(), ground->soil) == names.end())
    soil.error(concat("no soil \"", ground->soil, "\"", did_you_mean(ground->soil, names)));
  const bool yields = is_flat && ground->soil != "rigid";
  const TomlNode level = node.find("soil_level");
  ground->soil_level = yields ? SoilLevel::kLumped : SoilLevel::kRigid;
  if (level) ground->soil_level = read_word<SoilLevel>(level, kSoilLevelWords);
  if (level && is_flat && !yields && ground->soil_level != SoilLevel::kRigid)
    level.error("needs a soil: the ground is rigid");
  ground->soil_spacing = number_or(node, "soil_spacing", ground->soil_spacing, 0.005, 1, "m");
  const TomlNode limit = node.get("bearing_limit", false);
  ground->has_bearing_limit = limit.boolean();
  if (ground->has_bearing_limit && ground->soil_level != SoilLevel::kGrid)
    limit.error("needs soil_level = \"grid\"");
}

}  // namespace

void read_ground(const TableReading& in, Ground* ground) {
  const TomlNode node = in.root.find("ground");
  if (!node) return;
  const TomlNode terrain = node.get("terrain", std::string("flat")), city = node.find("city");
  if (city) {
    ground->city = read_file_reference(city, in.folder, "city");
    if (node.find("terrain")) city.error("excludes ground.terrain: a city has its own ground");
  }
  const bool is_flat = !city && terrain.is_text() && terrain.text() == "flat";
  if (!is_flat && !city) ground->terrain = read_file_reference(terrain, in.folder, "terrain");
  ground->friction = number_or(node, "friction", 1, 0, 10, "");
  for (const char* key : {"slope", "slope_heading_deg", "soil"}) {
    const TomlNode value = node.find(key);
    if (value && !is_flat)
      value.error("is for flat ground: the file of a terrain or a city has its own");
  }
  ground->slope = number_or(node, "slope", 0, -3, 3, "rise over run");
  ground->slope_heading = read_degrees(node.get("slope_heading_deg", 0.0), 360);
  read_soil(node, is_flat, ground);
  if (city && ground->soil_level != SoilLevel::kRigid)
    node.at("soil_level").error("must be \"rigid\" in a city");
  if (const auto list = node.find("bump")) ground->bumps = terrain::read_bumps(list);
}

}  // namespace camber::scenario::internal
