#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/model_source.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/terrain/picture.h"
#include "camber/terrain/raster_file.h"
#include "camber/terrain/terrain.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using terrain::Box2;
using terrain::GroundPoint;
using terrain::Terrain;

struct TerrainOptions {
  std::string file;
  std::vector<double> at;   // x, y pairs
  std::vector<double> box;  // x0, y0, x1, y1
  std::string picture;
  std::vector<std::string> overrides;
  int pixels = 800;
  bool json = false;
};

/// The part to look at: what was asked for, else all of a map or road, or 400 m around the origin.
Box2 choose_box(const TerrainOptions& options, const Terrain& ground) {
  if (!options.box.empty()) {
    const auto& b = options.box;
    require(b[2] > b[0] && b[3] > b[1], "--box: needs X0 < X1 and Y0 < Y1");
    constexpr double kLongest = 5e4;  // [m] trees are counted one by one
    require(b[2] - b[0] <= kLongest && b[3] - b[1] <= kLongest, "--box: at most ", kLongest,
            " m long and wide, got ", b[2] - b[0], " m by ", b[3] - b[1], " m");
    return {b[0], b[1], b[2], b[3]};
  }
  if (const auto* map = std::get_if<terrain::ElevationMap>(&ground.base)) {
    return {map->origin_x(), map->origin_y(), map->origin_x() + (map->nx() - 1) * map->spacing(),
            map->origin_y() + (map->ny() - 1) * map->spacing()};
  }
  if (const auto* road = std::get_if<terrain::CrgRoad>(&ground.base)) {
    const Box2 box = road->extent();
    const double margin = std::max(5.0, 0.02 * std::max(box.x1 - box.x0, box.y1 - box.y0));
    return {box.x0 - margin, box.y0 - margin, box.x1 + margin, box.y1 + margin};
  }
  return {-200, -200, 200, 200};
}

/// Where a road starts and ends, for vehicles that are to drive along it; nothing for other ground.
Json road_json(const Terrain& ground) {
  const auto* road = std::get_if<terrain::CrgRoad>(&ground.base);
  if (road == nullptr) return {};
  const terrain::CrgData& data = road->data();
  const std::vector<terrain::CrgRoad::LinePoint> line = road->find_line(data.u_step);
  const auto place = [](const terrain::CrgRoad::LinePoint& p) {
    return Json{{"x", p.x}, {"y", p.y}, {"heading_deg", p.heading * 180 / std::numbers::pi}};
  };
  return {{"length", data.u_step * (data.rows() - 1)},
          {"left", data.v.back()},
          {"right", data.v.front()},
          {"start", place(line.front())},
          {"end", place(line.back())}};
}

Json ground_json(const Terrain& ground, double x, double y, terrain::TerrainCache* cache) {
  const terrain::Point2 point{x, y};
  GroundPoint g;
  ground.query(std::span(&point, 1), cache, std::span(&g, 1));
  const auto n = g.surface.normal();
  return {{"x", x},
          {"y", y},
          {"height", g.surface.h},
          {"normal", {n[0], n[1], n[2]}},
          {"mean_curvature", g.surface.mean_curvature()},
          {"friction", g.friction},
          {"soil", ground.soils[g.soil].name},
          {"inside", ground.contains(x, y)}};
}

ExitCode run_terrain(const TerrainOptions& options) {
  require(options.at.size() % 2 == 0, "--at: needs pairs X Y");
  for (const double x : options.at) require(std::isfinite(x), "--at: must be finite, got ", x);
  for (const double x : options.box) require(std::isfinite(x), "--box: must be finite, got ", x);
  const Terrain ground = ModelSource(options.file, Overrides(options.overrides)).read_terrain();
  const Box2 box = choose_box(options, ground);
  const auto picture = draw_terrain(ground, box, options.pixels);
  const std::size_t trees = ground.find_obstacles(box).size();
  terrain::TerrainCache cache = ground.make_cache();
  Json points = Json::array();
  for (std::size_t k = 0; k < options.at.size(); k += 2) {
    points.push_back(ground_json(ground, options.at[k], options.at[k + 1], &cache));
  }
  if (!options.picture.empty()) {
    terrain::write_png(options.picture, picture.width, picture.height, 3, picture.rgb);
  }
  Json soils = Json::array();
  for (const auto& soil : ground.soils) soils.push_back(soil.name);
  const Json road = road_json(ground);
  if (options.json) {
    Json out{{"name", ground.name},
             {"box", {box.x0, box.y0, box.x1, box.y1}},
             {"lowest", picture.lowest},
             {"highest", picture.highest},
             {"steepest", picture.steepest},
             {"obstacles", trees},
             {"soils", soils},
             {"points", points}};
    if (!road.is_null()) out["road"] = road;
    std::cout << out.dump(2) << '\n';
    return kOk;
  }
  const auto text = [](double v) { return short_text(v, 4); };
  std::cout << ground.name << ": x " << text(box.x0) << " to " << text(box.x1) << " m, y "
            << text(box.y0) << " to " << text(box.y1) << " m\n  heights " << text(picture.lowest)
            << " to " << text(picture.highest) << " m, slopes up to "
            << text(100 * picture.steepest) << " %\n  soils " << soils.dump() << ", " << trees
            << " obstacles\n";
  if (!road.is_null()) {
    const auto place = [&](const char* end) {
      const Json& p = road[end];
      return concat("x ", text(p["x"].get<double>()), " m, y ", text(p["y"].get<double>()),
                    " m, heading ", text(p["heading_deg"].get<double>()), " deg");
    };
    std::cout << "  road of " << text(road["length"].get<double>()) << " m, from "
              << text(road["right"].get<double>()) << " to " << text(road["left"].get<double>())
              << " m beside its reference line; start: " << place("start")
              << "; end: " << place("end") << '\n';
  }
  for (const Json& p : points) {
    std::cout << "  at " << p["x"] << ", " << p["y"] << ": height "
              << text(p["height"].get<double>()) << " m, normal " << p["normal"].dump()
              << ", friction " << p["friction"] << ", soil " << p["soil"]
              << (p["inside"].get<bool>() ? "" : " (outside)") << '\n';
  }
  if (!options.picture.empty()) std::cerr << "picture: " << options.picture << '\n';
  return kOk;
}

}  // namespace

void add_terrain_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<TerrainOptions>();
  CLI::App* command = app->add_subcommand(
      "terrain",
      "Look at ground: heights, slopes, soils and obstacles, values at points, a picture");
  command->add_option("FILE", options->file, "A file of kind \"terrain\"")->required();
  command->add_option("--at", options->at, "Places X Y to ask for [m]");
  command->add_option("--box", options->box, "X0 Y0 X1 Y1 of the part to look at [m]")->expected(4);
  add_set_option(command, &options->overrides);
  command->add_option("--picture", options->picture, "Write a shaded map as PNG");
  command->add_option("--pixels", options->pixels, "Longer side of the picture")
      ->check(CLI::Range(1, 8000));
  command->add_flag("--json", options->json, "Print as JSON");
  command->footer(
      "Examples:\n"
      "  camber terrain terrains/hills.toml --picture hills.png\n"
      "  camber terrain terrains/proving-ground.toml --at 30 0 --at 150 0");
  command->callback([=] { *chosen = [=] { return run_terrain(*options); }; });
}

}  // namespace camber::app
