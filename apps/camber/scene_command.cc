#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/scene/scene_file.h"
#include "camber/terrain/raster_file.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;

struct SceneOptions {
  std::string file, picture;
  std::vector<double> eye, target, ray;
  std::vector<int> size = {1280, 720};
  std::vector<std::string> overrides;
  int samples = 2;
  bool json = false;
};

Vector3 to_vector(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

Json describe_hit(const scene::Scene& scene, const scene::Hit& hit) {
  if (!hit.is_hit()) return {{"hit", false}};
  const std::string what =
      hit.instance == scene::kGround ? "ground" : scene.instance(hit.instance).name;
  return {{"hit", true},
          {"range", hit.range},
          {"normal", {hit.normal.x(), hit.normal.y(), hit.normal.z()}},
          {"instance", hit.instance},
          {"name", what},
          {"primitive", hit.primitive},
          {"class", scene.label_name(hit.label)},
          {"material", scene.material(hit.material).name}};
}

ExitCode run_scene(const SceneOptions& options) {
  scene::SceneFile file = scene::load_scene(options.file, Overrides(options.overrides));
  const scene::Scene& scene = file.scene;
  std::size_t triangles = 0;
  for (int k = 0; k < scene.mesh_count(); ++k) triangles += scene.mesh(k).triangles.size();
  const auto memory = scene.memory();
  Json report{{"name", file.name},
              {"instances", scene.instance_count()},
              {"meshes", scene.mesh_count()},
              {"triangles", triangles},
              {"materials", scene.material_count()},
              {"classes", Json::array()},
              {"has_ground", scene.has_ground()},
              {"memory_objects", memory.objects},
              {"memory_ground", memory.ground}};
  for (int k = 0; k < scene.label_count(); ++k) report["classes"].push_back(scene.label_name(k));
  if (!options.ray.empty()) {
    const Vector3 direction(options.ray[3], options.ray[4], options.ray[5]);
    require(direction.norm() > 0, "--ray: the direction must not be zero");
    report["ray"] =
        describe_hit(scene, scene.cast({to_vector(options.ray), direction.normalized()}));
  }
  if (!options.picture.empty()) {
    scene::View view = file.view;
    if (!options.eye.empty()) view.eye = to_vector(options.eye);
    if (!options.target.empty()) view.target = to_vector(options.target);
    view.width = options.size[0], view.height = options.size[1];
    view.samples = options.samples;
    const scene::Picture picture = draw_scene(scene, file.light, view);
    terrain::write_png(options.picture, picture.width, picture.height, 3, picture.rgb);
    std::map<std::string, double> seen;
    for (std::size_t k = 0; k < picture.label.size(); ++k) {
      seen[picture.instance[k] == scene::kNothing ? "sky" : scene.label_name(picture.label[k])] +=
          100.0 / static_cast<double>(picture.label.size());
    }
    report["picture"] = {{"file", options.picture}, {"percent_of_pixels", seen}};
  }
  if (options.json) {
    std::cout << report.dump(2) << '\n';
    return kOk;
  }
  std::cout << file.name << ": " << count_text(scene.instance_count(), "instance") << ", "
            << count_text(static_cast<std::int64_t>(triangles), "triangle") << " in "
            << count_text(scene.mesh_count(), "mesh", "meshes")
            << (scene.has_ground() ? ", with ground" : ", without ground") << "\n  classes "
            << report["classes"].dump() << "\n  memory "
            << short_text(1e-6 * static_cast<double>(memory.objects), 3) << " MB of objects, "
            << short_text(1e-6 * static_cast<double>(memory.ground), 3) << " MB of ground\n";
  if (report.contains("ray")) std::cout << "  ray " << report["ray"].dump() << '\n';
  if (report.contains("picture")) {
    std::cout << "  picture, percent of pixels " << report["picture"]["percent_of_pixels"].dump()
              << '\n';
    std::cerr << "picture: " << options.picture << '\n';
  }
  return kOk;
}

}  // namespace

void add_scene_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<SceneOptions>();
  CLI::App* command = app->add_subcommand(
      "scene", "Look at a scene: what is there, what a ray meets, a rendered picture");
  command->add_option("FILE", options->file, "A file of kind \"scene\"")->required();
  command->add_option("--picture", options->picture, "Write a rendered picture as PNG");
  command->add_option("--eye", options->eye, "X Y Z of the eye [m]")->expected(3);
  command->add_option("--target", options->target, "X Y Z that the eye looks at [m]")->expected(3);
  command->add_option("--size", options->size, "Width and height of the picture in pixels")
      ->expected(2)
      ->check(CLI::Range(1, 20000));
  command->add_option("--samples", options->samples, "Rays per pixel and direction")
      ->check(CLI::Range(1, 8));
  command->add_option("--ray", options->ray, "X Y Z DX DY DZ: what this ray meets [m]")
      ->expected(6);
  add_set_option(command, &options->overrides);
  command->add_flag("--json", options->json, "Print as JSON");
  command->footer(
      "Examples:\n"
      "  camber scene scenes/yard.toml --picture yard.png\n"
      "  camber scene scenes/yard.toml --ray 0 0 2 1 0 -0.1 --json");
  command->callback([=] { *chosen = [=] { return run_scene(*options); }; });
}

}  // namespace camber::app
