#include "camber/scene/scene_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/core/toml_reader.h"
#include "camber/scene/daylight.h"
#include "camber/scene/mesh_file.h"
#include "camber/terrain/terrain_file.h"

namespace camber::scene {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

Vector3 read_vector(const TomlNode& node, std::string_view unit) {
  const std::vector<double> values = node.numbers(3, unit);
  return values.size() == 3 ? Vector3(values[0], values[1], values[2]) : Vector3::Zero();
}

/// Reads one file; mistakes are noted there, and nothing invalid is given to the scene.
class Reader {
 public:
  Reader(TomlFile* file, std::string folder, SceneFile* out)
      : file_(file), folder_(std::move(folder)), out_(out) {}

  void read() {
    const TomlNode root = file_->root();
    root.at("kind").choice({"scene"});
    out_->name = root.at("name").text();
    root.get("about", "").text();
    if (const auto list = root.find("material")) {
      for (const TomlNode& node : list.tables()) read_material(node);
    }
    if (const auto list = root.find("mesh")) {
      for (const TomlNode& node : list.tables()) read_mesh(node);
    }
    if (const auto ground = root.find("ground")) read_ground(ground);
    if (const auto list = root.find("instance")) {
      for (const TomlNode& node : list.tables()) read_instance(node);
    }
    if (const auto sun = root.find("sun")) read_sun(sun);
    if (const auto view = root.find("view")) read_view(view);
  }

 private:
  Scene& scene() { return out_->scene; }
  bool is_good() { return file_->diagnostics().error_count() == 0; }

  void read_material(const TomlNode& node) {
    Material m;
    m.name = node.at("name").text();
    const std::vector<double> color = node.at("color").numbers(3, "");
    for (std::size_t k = 0; k < color.size() && k < 3; ++k) {
      if (!(color[k] >= 0 && color[k] <= 1)) node.at("color").error("must be in 0..1");
      m.color[static_cast<int>(k)] = color[k];
    }
    m.roughness = node.get("roughness", 1.0).in_range(0, 1, "");
    m.retroreflection = node.get("retroreflection", 0.0).in_range(0, 1, "");
    constexpr std::string_view kTextures[] = {"plain",      "asphalt", "brick",  "windows",
                                              "vegetation", "facade",  "office", "shopfront",
                                              "paving",     "tiles"};
    const std::string texture = node.get("texture", "plain").choice(kTextures);
    const auto* found = std::ranges::find(kTextures, texture);
    if (found != std::end(kTextures))
      m.texture = static_cast<Texture>(found - std::begin(kTextures));
    if (const auto list = node.find("reflectivity_by_nm")) {
      for (const TomlNode& pair : list.elements()) {
        const std::vector<double> values = pair.numbers(2, "");
        if (values.size() != 2) continue;
        const bool ascends =
            m.reflectivity.empty() || 1e-9 * values[0] > m.reflectivity.back().first;
        if (!(values[0] > 0 && ascends && values[1] >= 0 && values[1] <= 1)) {
          pair.error("must be [wavelength in nm, ascending; reflectivity in 0..1]");
          continue;
        }
        m.reflectivity.emplace_back(1e-9 * values[0], values[1]);
      }
    }
    if (scene().find_material(m.name) >= 0) node.at("name").error("is there already");
    if (is_good()) scene().add_material(m);
  }

  void read_mesh(const TomlNode& node) {
    const std::string name = node.at("name").text();
    MeshOptions options;
    options.unit = node.get("unit", 1.0).positive("m");
    options.up = node.get("up", "z").choice({"z", "y"}) == "y" ? UpAxis::kY : UpAxis::kZ;
    const std::string path = read_file_reference(node.at("file"), folder_, "");
    if (meshes_.contains(name)) node.at("name").error("is there already");
    meshes_.emplace(name, -1);  // instances may name it even if it cannot be read
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return;  // which was reported
    MeshFile mesh;
    try {
      mesh = load_mesh(path, options);
    } catch (const FileError& error) {
      node.at("file").error(error.what());
    }
    if (!is_good()) return;
    mesh.mesh.name = name;
    for (std::size_t k = 0; k < mesh.mesh.surfaces.size(); ++k) {
      Material& m = mesh.materials[k];
      // A material of the scene with the same name takes the place of the file's.
      int number = scene().find_material(m.name);
      if (number < 0) number = scene().add_material(std::move(m));
      mesh.mesh.surfaces[k].material = number;
    }
    meshes_[name] = scene().add_mesh(std::move(mesh.mesh));
  }

  int read_material_name(const TomlNode& node) {
    const TomlNode key = node.find("material");
    if (!key) return 0;
    const int found = scene().find_material(key.text());
    if (found < 0) key.error("there is no such [[material]]");
    return std::max(0, found);
  }

  void read_ground(const TomlNode& node) {
    GroundOptions options;
    options.material = read_material_name(node);
    options.label = scene().add_label(node.get("label", "ground").text());
    if (const auto region = node.find("region")) {
      const std::vector<double> b = region.numbers(4, "m");
      if (b.size() == 4) {
        options.region = {b[0], b[1], b[2], b[3]};
        if (!(b[2] > b[0] && b[3] > b[1])) region.error("needs x0 < x1 and y0 < y1");
      }
    }
    options.cell = node.get("cell", 0.5).positive("m");
    const bool has_obstacles = node.get("obstacles", true).boolean();
    int bark = 0;
    if (const auto key = node.find("obstacle_material")) {
      bark = scene().find_material(key.text());
      if (bark < 0) key.error("there is no such [[material]]");
    }
    const std::string path = read_file_reference(node.at("terrain"), folder_, "terrain");
    if (path.empty() || !is_good()) return;
    scene().set_ground(std::make_shared<terrain::Terrain>(terrain::load_terrain(path)), options);
    if (has_obstacles) scene().add_obstacles(bark, scene().add_label("trunk"));
  }

  Shape read_shape(const TomlNode& node) {
    const std::string kind =
        node.at("shape").choice({"mesh", "box", "cylinder", "sphere", "capsule"});
    if (kind == "mesh") {
      const TomlNode key = node.at("mesh");
      const auto found = meshes_.find(key.text());
      if (found == meshes_.end()) {
        key.error("there is no such [[mesh]]");
        return Box{};
      }
      if (found->second < 0) return Box{};  // it could not be read, which was reported
      return MeshShape{found->second};
    }
    if (kind == "box") {
      const TomlNode key = node.at("size");
      const Vector3 size = read_vector(key, "m");
      if (!(size.minCoeff() > 0)) {
        key.error("must be > 0 m");
        return Box{};
      }
      return Box{size};
    }
    const double radius = node.at("radius").positive("m");
    if (kind == "sphere") return Sphere{radius};
    const double height = node.at("height").positive("m");
    if (kind == "cylinder") return Cylinder{radius, height};
    if (height < 2 * radius) node.at("height").error("must be at least twice the radius");
    return Capsule{radius, height};
  }

  void read_instance(const TomlNode& node) {
    Instance thing;
    thing.name = node.get("name", "").text();
    thing.shape = read_shape(node);
    thing.material = read_material_name(node);
    thing.label = scene().add_label(node.get("label", "unlabeled").text());
    thing.is_moving = node.get("moving", false).boolean();
    Vector3 p = read_vector(node.at("position"), "m");
    const double yaw = node.get("yaw_deg", 0.0).number("deg") * kDegree;
    const double pitch = node.get("pitch_deg", 0.0).number("deg") * kDegree;
    const double roll = node.get("roll_deg", 0.0).number("deg") * kDegree;
    const TomlNode on_ground = node.get("on_ground", false);
    if (on_ground.boolean()) {
      if (!is_good()) return;
      if (!scene().has_ground()) {
        on_ground.error("the scene has no [ground]");
        return;
      }
      p.z() += scene().ground_height(p.x(), p.y());
    }
    thing.X_WS.translation() = p;
    thing.X_WS.linear() =
        (Eigen::AngleAxisd(yaw, Vector3::UnitZ()) * Eigen::AngleAxisd(pitch, Vector3::UnitY()) *
         Eigen::AngleAxisd(roll, Vector3::UnitX()))
            .toRotationMatrix();
    if (yaw == 0 && pitch == 0 && roll == 0) thing.X_WS.linear().setIdentity();
    if (is_good()) scene().add_instance(thing);
  }

  void read_sun(const TomlNode& node) {
    if (const TomlNode date = node.find("date_utc")) {
      read_date(date, node);
    } else {
      const double azimuth = node.get("azimuth_deg", 35.0).number("deg") * kDegree;
      const double elevation = node.get("elevation_deg", 45.0).in_range(0, 90, "deg") * kDegree;
      out_->light.sun_direction =
          Vector3(std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                  std::sin(elevation));
    }
    out_->light.has_shadows = node.get("shadows", true).boolean();
    out_->light.fog_extinction = node.get("fog_extinction", 0.0).non_negative("1/m");
  }
  /// The sun by date and place; x of the scene points east unless its heading says otherwise.
  void read_date(const TomlNode& date, const TomlNode& node) {
    const double latitude = node.at("latitude_deg").in_range(-90, 90, "deg") * kDegree;
    const double longitude = node.at("longitude_deg").in_range(-180, 180, "deg") * kDegree;
    const double heading = node.get("x_from_east_deg", 0.0).in_range(-360, 360, "deg") * kDegree;
    try {
      const Vector3 enu = calc_sun(parse_utc(date.text()), latitude, longitude);
      out_->light = make_daylight(Eigen::AngleAxisd(-heading, Vector3::UnitZ()) * enu);
    } catch (const std::invalid_argument& error) {
      date.error(error.what());
    }
  }
  void read_view(const TomlNode& node) {
    out_->view.eye = read_vector(node.at("eye"), "m");
    out_->view.target = read_vector(node.at("target"), "m");
    if ((out_->view.eye - out_->view.target).norm() == 0)
      node.at("target").error("is the eye's place");
    out_->view.field_of_view =
        node.get("field_of_view_deg", 60.0).in_range(1, 170, "deg") * kDegree;
  }

  TomlFile* file_;
  std::string folder_;
  SceneFile* out_;
  std::map<std::string, int> meshes_;
};

}  // namespace

namespace {

SceneFile read_scene(TomlFile file, const std::string& folder) {
  SceneFile scene;
  Reader(&file, folder, &scene).read();
  file.finish();
  scene.scene.commit();
  return scene;
}

}  // namespace

SceneFile load_scene(const std::string& path, const Overrides& overrides) {
  return read_scene(load_toml(path, overrides), folder_of(path));
}

SceneFile parse_scene(std::string text, const std::string& name) {
  return read_scene(parse_toml(std::move(text), name), folder_of(name));
}

}  // namespace camber::scene
