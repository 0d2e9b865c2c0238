#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "camber/city/city_file.h"
#include "camber/city/lane_graph_file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/scene/gltf_writer.h"
#include "camber/scene/render.h"
#include "camber/terrain/raster_file.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;

struct CityOptions {
  std::string file, picture, plan, gltf, lanes;
  std::vector<double> eye, target;
  std::vector<int> size = {1280, 720};
  std::vector<std::string> overrides;
  double field = 70;  // of view [deg]
  int samples = 2;
  bool json = false;
};

/// At the driver's height in the right lane of a street, along it.
scene::View make_street_view(const city::City& city) {
  scene::View view;
  const auto place = city.lanes.find_nearest({-25, -2}, 1e6);
  if (place.lane < 0) return view;
  const city::Lane* lane = &city.lanes.lanes[static_cast<std::size_t>(place.lane)];
  for (const city::Lane& other : city.lanes.lanes) {
    if (!lane->is_turn) break;
    if (!other.is_turn) lane = &other;
  }
  const planning::Pose at = lane->at(std::min(place.s, 0.3 * lane->length));
  view.eye = {at.x, at.y, 2.2};
  view.target = view.eye + 50 * Vector3(std::cos(at.heading), std::sin(at.heading), -0.02);
  return view;
}

/// From far above.
scene::View make_plan_view(const city::City& city, const std::vector<int>& size) {
  const terrain::Box2 box = city::extent_of(city);
  constexpr double kHeight = 20'000;  // so that walls are hardly seen [m]
  constexpr double kRim = 100;        // land around the city [m]
  const double wide = std::max(box.x1 - box.x0 - 2 * kRim, 50.0),
               deep = std::max(box.y1 - box.y0 - 2 * kRim, 50.0);
  const double across = std::max(wide, deep * size[0] / size[1]);
  scene::View view;
  view.target = {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1), 0};
  view.eye = view.target + Vector3(0, -1e-4 * kHeight, kHeight);  // north is up
  view.field_of_view = 2 * std::atan(0.5 * across / kHeight);
  return view;
}

Json write_picture(const scene::Scene& scene, scene::View view, const CityOptions& options,
                   const std::string& path) {
  view.width = options.size[0], view.height = options.size[1];
  view.samples = options.samples;
  scene::Lighting light;
  light.sun_direction = Vector3(-0.72, -0.28, 0.63).normalized();
  light.fog_extinction = (view.eye - view.target).norm() < 5000 ? 4e-4 : 0;
  const scene::Picture picture = draw_scene(scene, light, view);
  terrain::write_png(path, picture.width, picture.height, 3, picture.rgb);
  std::map<std::string, double> seen;
  for (std::size_t k = 0; k < picture.label.size(); ++k) {
    seen[picture.instance[k] == scene::kNothing ? "sky" : scene.label_name(picture.label[k])] +=
        100.0 / static_cast<double>(picture.label.size());
  }
  std::cerr << "picture: " << path << '\n';
  return {{"file", path}, {"percent_of_pixels", seen}};
}

ExitCode run_city(const CityOptions& options) {
  const city::City city = city::load_city(options.file, Overrides(options.overrides));
  std::size_t buildings = 0, things = 0, triangles = 0, turns = 0;
  for (const city::Block& block : city.blocks) {
    buildings += block.buildings.size(), things += block.things.size();
    triangles += block.ground.size();
  }
  double length = 0;
  for (const city::Lane& lane : city.lanes.lanes) {
    turns += lane.is_turn ? 1 : 0;
    if (!lane.is_turn) length += lane.length;
  }
  const terrain::Box2 box = city::extent_of(city);
  Json report{{"name", city.name},
              {"extent", {box.x0, box.y0, box.x1, box.y1}},
              {"blocks", city.blocks.size()},
              {"buildings", buildings},
              {"things", things},
              {"lanes", city.lanes.lanes.size() - turns},
              {"turns", turns},
              {"lane_length", length},
              {"crossings", city.lanes.crossings.size()},
              {"ground_triangles", triangles}};
  if (!city.attribution.empty()) report["attribution"] = city.attribution;
  if (!options.picture.empty() || !options.plan.empty() || !options.gltf.empty()) {
    const scene::Scene scene = city::make_scene(city);
    const auto memory = scene.memory();
    report["scene"] = {{"instances", scene.instance_count()}, {"memory", memory.objects}};
    if (!options.picture.empty()) {
      scene::View view = make_street_view(city);
      if (!options.eye.empty()) view.eye = {options.eye[0], options.eye[1], options.eye[2]};
      if (!options.target.empty())
        view.target = {options.target[0], options.target[1], options.target[2]};
      view.field_of_view = options.field * 3.14159265358979323846 / 180;
      report["picture"] = write_picture(scene, view, options, options.picture);
    }
    if (!options.plan.empty()) {
      report["plan"] =
          write_picture(scene, make_plan_view(city, options.size), options, options.plan);
    }
    if (!options.gltf.empty()) {
      write_glb(scene, options.gltf, city.attribution);
      report["gltf"] = options.gltf;
      std::cerr << "glTF: " << options.gltf << '\n';
    }
  }
  if (!options.lanes.empty()) {
    city::write_lanes(city.lanes, options.lanes);
    std::cerr << "lanes: " << options.lanes << '\n';
  }
  if (options.json) {
    std::cout << report.dump(2) << '\n';
    return kOk;
  }
  std::cout << city.name << ": " << short_text(box.x1 - box.x0, 4) << " m x "
            << short_text(box.y1 - box.y0, 4) << " m\n  "
            << count_text(static_cast<std::int64_t>(buildings), "building") << ", "
            << count_text(static_cast<std::int64_t>(things), "thing") << ", "
            << count_text(static_cast<std::int64_t>(triangles), "triangle") << " of ground\n  "
            << count_text(static_cast<std::int64_t>(city.lanes.lanes.size() - turns), "lane")
            << " of " << short_text(1e-3 * length, 3) << " km, "
            << count_text(static_cast<std::int64_t>(turns), "turn") << ", "
            << count_text(static_cast<std::int64_t>(city.lanes.crossings.size()), "crossing")
            << '\n';
  if (!city.attribution.empty()) std::cout << "  " << city.attribution << '\n';
  return kOk;
}

}  // namespace

void add_city_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<CityOptions>();
  CLI::App* command = app->add_subcommand(
      "city", "Make a city from its seed or a map: what is there, pictures, glTF, lanes");
  command->add_option("FILE", options->file, "A file of kind \"city\"")->required();
  command->add_option("--picture", options->picture, "Write a view from a street as PNG");
  command->add_option("--plan", options->plan, "Write a view from above as PNG");
  command->add_option("--gltf", options->gltf, "Write everything as binary glTF 2.0 (.glb)");
  command->add_option("--lanes", options->lanes, "Write the lane graph as JSON");
  command->add_option("--eye", options->eye, "X Y Z of the eye of --picture [m]")->expected(3);
  command->add_option("--target", options->target, "X Y Z that it looks at [m]")->expected(3);
  command->add_option("--field-of-view", options->field, "Of --picture, across its width [deg]")
      ->check(CLI::Range(1.0, 150.0));
  command->add_option("--size", options->size, "Width and height of pictures in pixels")
      ->expected(2)
      ->check(CLI::Range(1, 20000));
  command->add_option("--samples", options->samples, "Rays per pixel and direction")
      ->check(CLI::Range(1, 8));
  add_set_option(command, &options->overrides);
  command->add_flag("--json", options->json, "Print as JSON");
  command->footer(
      "Examples:\n"
      "  camber city cities/downtown.toml --picture street.png --plan plan.png\n"
      "  camber city cities/downtown.toml --set seed=8 --gltf downtown.glb");
  command->callback([=] { *chosen = [=] { return run_city(*options); }; });
}

}  // namespace camber::app
