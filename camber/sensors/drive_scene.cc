#include "camber/sensors/drive_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/vehicle/shape_mesh.h"

namespace camber::sensors {
namespace {

constexpr double kRaster = 64;        // middles of loaded parts are multiples of this [m]
constexpr double kWholeArea = 5e5;    // of surroundings that are loaded at once [m^2]
constexpr double kWheelMargin = 0.8;  // of a rut about the contact point [m]

Isometry3 to_isometry(const Pose& pose) {
  Isometry3 X = Isometry3::Identity();
  for (int i = 0; i < 3; ++i) {
    X.translation()[i] = pose.position[i];
    for (int j = 0; j < 3; ++j) X.linear()(i, j) = pose.rotation(i, j);
  }
  return X;
}

Vector3 to_eigen(const Vec3<double>& x) { return {x[0], x[1], x[2]}; }

/// Reflectivity at 905 nm and color of what a scene of a drive has.
struct Paint {
  std::string_view name;
  double red, green, blue, infrared;
  scene::Texture texture;
};
constexpr Paint kPaints[] = {{"asphalt", 0.12, 0.12, 0.13, 0.17, scene::Texture::kAsphalt},
                             {"dry_sand", 0.55, 0.47, 0.33, 0.40, scene::Texture::kPlain},
                             {"bark", 0.20, 0.14, 0.09, 0.30, scene::Texture::kPlain},
                             {"light_paint", 0.35, 0.38, 0.30, 0.60, scene::Texture::kPlain},
                             {"rubber", 0.03, 0.03, 0.03, 0.05, scene::Texture::kPlain},
                             {"glass", 0.05, 0.06, 0.07, 0.08, scene::Texture::kPlain},
                             {"cloth", 0.35, 0.20, 0.18, 0.45, scene::Texture::kPlain}};

bool has_paint(std::string_view name) {
  return std::ranges::any_of(kPaints, [&](const Paint& p) { return p.name == name; });
}

int add_paint(std::string_view name, scene::Scene* scene) {
  const auto* paint = std::find_if(std::begin(kPaints), std::end(kPaints),
                                   [&](const Paint& p) { return p.name == name; });
  scene::Material material;
  material.name = name;
  material.color = {paint->red, paint->green, paint->blue};
  material.reflectivity = {{550e-9, (paint->red + paint->green + paint->blue) / 3},
                           {905e-9, paint->infrared}};
  material.texture = paint->texture;
  return scene->add_material(std::move(material));
}

/// Classes have the same numbers in every scene of a drive; 0 is anything else.
constexpr const char* kLabels[] = {"road", "terrain", "car", "pedestrian", "pole"};

void add_labels(scene::Scene* scene) {
  for (const char* label : kLabels) scene->add_label(label);
}

}  // namespace

DriveScene::DriveScene(std::shared_ptr<const terrain::Terrain> terrain,
                       std::vector<VehicleLook> vehicles, std::vector<world::MovingThing> things,
                       const SceneOptions& options)
    : terrain_(std::move(terrain)),
      looks_(std::move(vehicles)),
      things_(std::move(things)),
      options_(options) {
  has_whole_ground_ = std::holds_alternative<terrain::ElevationMap>(terrain_->base);
  if (options_.surroundings.add) {
    const terrain::Box2& all = options_.surroundings.extent;
    const double width = all.x1 - all.x0, depth = all.y1 - all.y0;
    has_whole_ground_ = width > 0 && depth > 0 && width * depth < kWholeArea;
  }
  add_labels(&own_);
  if (options_.own < static_cast<int>(looks_.size()))
    add_body(looks_[options_.own], options_.own, -1, &own_);
  own_.commit();
}

// The chassis of the own vehicle is seen in its own frame, unless sensors on other bodies see it too.
void DriveScene::add_vehicle(int number) {
  const VehicleLook& look = looks_[number];
  if (number != options_.own || options_.has_own_chassis) add_body(look, number, -1, &scene_);
  for (std::size_t k = 0; k < look.others.size(); ++k)
    add_body(look.others[k], number, static_cast<int>(k), &scene_);
}

void DriveScene::add_body(const BodyLook& look, int vehicle, int body, scene::Scene* scene) {
  const bool moves = scene == &scene_;
  const int paint = add_paint("light_paint", scene), rubber = add_paint("rubber", scene);
  const int label = scene->add_label("car");
  const auto add = [&](scene::Shape shape, const Isometry3& X_VP, int material) {
    const int instance = scene->add_instance({.name = concat("vehicle ", vehicle),
                                              .shape = shape,
                                              .X_WS = X_VP,
                                              .material = material,
                                              .label = label,
                                              .is_moving = moves});
    if (moves) parts_.push_back({instance, vehicle, body, X_VP});
  };
  if (look.mesh) {
    scene::Mesh mesh = look.mesh->mesh;
    // Materials of the mesh's file get numbers of the scene; known names are ours.
    for (scene::Mesh::Surface& surface : mesh.surfaces) {
      if (surface.material < 0) continue;
      const scene::Material& material = look.mesh->materials[surface.material];
      surface.material = has_paint(material.name) ? add_paint(material.name, scene)
                                                  : scene->add_material(material);
    }
    Isometry3 X = Isometry3::Identity();
    X.translation() = look.mesh_offset;
    add(scene::MeshShape{scene->add_mesh(std::move(mesh))}, X, paint);
  }
  for (const vehicle::Box& box : look.boxes) {
    Isometry3 X = Isometry3::Identity();
    X.translation() = 0.5 * (box.min + box.max);
    add(scene::Box{box.max - box.min}, X, paint);
  }
  for (const BodyLook::Wheel& wheel : look.wheels) {
    Isometry3 X = Isometry3::Identity();  // the cylinder's z along the axle
    X.translation() = to_eigen(wheel.center);
    X.linear() << 1, 0, 0, 0, 0, 1, 0, -1, 0;
    add(scene::Cylinder{wheel.radius, wheel.width}, X, rubber);
  }
}

void DriveScene::build(double x, double y) {
  x_ = x;
  y_ = y;
  is_built_ = true;
  scene_ = scene::Scene();
  add_labels(&scene_);
  parts_.clear();
  first_instance_.clear();
  const double half = options_.reach + 2 * kRaster;
  const terrain::Box2 near{x - half, y - half, x + half, y + half};
  if (options_.surroundings.add) {
    build_things();
    const int first = scene_.instance_count();
    options_.surroundings.add(has_whole_ground_ ? options_.surroundings.extent : near, &scene_);
    for (int k = first; k < scene_.instance_count(); ++k) first_instance_.push_back(k);
    commit();
    return;
  }
  const bool is_soft = terrain_->soils[0].name != "rigid";
  scene::GroundOptions ground;
  if (!has_whole_ground_) ground.region = near;
  ground.material = add_paint(is_soft ? "dry_sand" : "asphalt", &scene_);
  ground.label = scene_.add_label(is_soft ? "terrain" : "road");
  scene_.set_ground(terrain_, ground);
  build_things();
  const int bark = add_paint("bark", &scene_), pole = scene_.add_label("pole");
  terrain::TerrainCache cache = terrain_->make_cache();
  for (const terrain::Obstacle& o : terrain_->find_obstacles(near)) {
    first_instance_.push_back(scene_.instance_count());
    constexpr double kRoot = 1;  // below the ground, for slopes [m]
    Isometry3 X = Isometry3::Identity();
    X.translation() =
        Vector3(o.x, o.y, terrain_->sample(o.x, o.y, &cache).h + 0.5 * (o.height - kRoot));
    scene_.add_instance({.name = "post",
                         .shape = scene::Cylinder{o.radius, o.height + kRoot},
                         .X_WS = X,
                         .material = bark,
                         .label = pole});
  }
  commit();
  rut_box_ = {1, 1, -1, -1};
}

void DriveScene::commit() {
  scene_.commit();
  objects_.assign(static_cast<std::size_t>(scene_.instance_count()), -1);
  for (std::size_t k = 0; k < first_instance_.size(); ++k) {
    const auto end =
        k + 1 < first_instance_.size() ? objects_.begin() + first_instance_[k + 1] : objects_.end();
    std::fill(objects_.begin() + first_instance_[k], end, static_cast<int>(k));
  }
}

void DriveScene::build_things() {
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    first_instance_.push_back(scene_.instance_count());
    add_vehicle(static_cast<int>(i));
  }
  const int cloth = add_paint("cloth", &scene_), paint = add_paint("light_paint", &scene_);
  for (std::size_t i = 0; i < things_.size(); ++i) {
    const world::MovingThing& thing = things_[i];
    const double length = thing.outline.front - thing.outline.rear,
                 width = thing.outline.left - thing.outline.right;
    const double height = thing.height > 0 ? thing.height : 1.5;
    const bool is_person = std::max(length, width) < 1.2 && height > std::max(length, width);
    Isometry3 X = Isometry3::Identity();
    X.translation() = Vector3(0.5 * (thing.outline.front + thing.outline.rear),
                              0.5 * (thing.outline.left + thing.outline.right), 0.5 * height);
    first_instance_.push_back(scene_.instance_count());
    scene::Shape shape = scene::Box{Vector3(length, width, height)};
    if (is_person)
      shape = scene::Capsule{std::min(0.5 * std::max(length, width), 0.5 * height), height};
    const int instance =
        scene_.add_instance({.name = thing.name,
                             .shape = shape,
                             .X_WS = X,
                             .material = is_person ? cloth : paint,
                             .label = scene_.add_label(is_person ? "pedestrian" : "car"),
                             .is_moving = true});
    parts_.push_back({instance, static_cast<int>(looks_.size() + i), -1, X});
  }
}

void DriveScene::follow(double x, double y) {
  if (is_built_ &&
      (has_whole_ground_ || std::max(std::abs(x - x_), std::abs(y - y_)) <= 1.5 * kRaster))
    return;
  build(kRaster * std::round(x / kRaster), kRaster * std::round(y / kRaster));
}

// After a new part of the ground was loaded, all of its ruts are taken over.
void DriveScene::refresh_ruts(dynamics::Vehicle* vehicle) {
  const terrain::SoilGrid* soil = vehicle->soil();
  if (soil == nullptr || !is_built_) return;
  const dynamics::VehicleSnapshot& now = vehicle->snapshot();
  terrain::Box2 box{1e300, 1e300, -1e300, -1e300};
  for (const auto& wheel : now.wheels) {
    const double x = wheel.center[0], y = wheel.center[1];
    box = {std::min(box.x0, x - kWheelMargin), std::min(box.y0, y - kWheelMargin),
           std::max(box.x1, x + kWheelMargin), std::max(box.y1, y + kWheelMargin)};
  }
  terrain::Box2 all = box;
  if (rut_box_.x1 > rut_box_.x0)
    all = {std::min(box.x0, rut_box_.x0), std::min(box.y0, rut_box_.y0),
           std::max(box.x1, rut_box_.x1), std::max(box.y1, rut_box_.y1)};
  else
    all = scene_.ground_region();
  rut_box_ = box;
  scene_.refresh_ground(*soil, all);
}

void DriveScene::show_own(bool has_chassis, bool has_others) {
  for (const Part& part : parts_) {
    if (part.object > options_.own) break;
    if (part.object == options_.own)
      scene_.set_visible(part.instance, part.body < 0 ? has_chassis : has_others);
  }
}

void DriveScene::set_time(double time, const std::vector<VehicleMotion>& vehicles) {
  if (parts_.empty()) return;
  terrain::TerrainCache cache = terrain_->make_cache();
  int object = -1, body = -1;
  Isometry3 X_WO = Isometry3::Identity();
  for (const Part& part : parts_) {
    if (part.object != object || part.body != body) {
      object = part.object;
      body = part.body;
      if (object < static_cast<int>(looks_.size())) {
        X_WO = to_isometry(vehicles[object].track(body).at(time).pose);
      } else {
        const world::MovingThing::Point at = things_[object - looks_.size()].at(time);
        X_WO = Isometry3::Identity();
        X_WO.translation() = Vector3(at.x, at.y, terrain_->sample(at.x, at.y, &cache).h);
        const double c = std::cos(at.yaw), s = std::sin(at.yaw);
        X_WO.linear() << c, -s, 0, s, c, 0, 0, 0, 1;
      }
    }
    scene_.move(part.instance, X_WO * part.X_VP);
  }
  scene_.refit();
}

bool DriveScene::is_blocked(const Vec3<double>& from, const Vec3<double>& direction,
                            double distance) const {
  const scene::Ray ray{to_eigen(from), to_eigen(direction), distance};
  std::uint8_t is_hit = 0;
  scene_.any_hit(std::span(&ray, 1), std::span(&is_hit, 1));
  return is_hit != 0;
}

int DriveScene::object_of(int instance) const {
  return instance < 0 ? -1 : objects_[static_cast<std::size_t>(instance)];
}

Vec3<double> DriveScene::velocity_at(int instance, const Vec3<double>& point, double time,
                                     const std::vector<VehicleMotion>& vehicles) const {
  const int object = object_of(instance);
  const int count = static_cast<int>(looks_.size());
  if (object < 0 || object >= count + static_cast<int>(things_.size())) return {};
  if (object < count) {
    const auto part = std::ranges::lower_bound(parts_, instance, {}, &Part::instance);
    const int body = part != parts_.end() && part->instance == instance ? part->body : -1;
    const Motion motion = vehicles[object].track(body).at(time);
    return motion.velocity + cross(motion.angular_velocity, point - motion.pose.position);
  }
  // Tracks are broken lines: the slope about now.
  constexpr double kSpan = 1e-3;  // [s]
  const world::MovingThing& thing = things_[object - count];
  const auto a = thing.at(time - kSpan), b = thing.at(time + kSpan), now = thing.at(time);
  const double rate = 1 / (2 * kSpan);
  const double yaw_rate = std::remainder(b.yaw - a.yaw, 2 * std::numbers::pi) * rate;
  return {(b.x - a.x) * rate - yaw_rate * (point[1] - now.y),
          (b.y - a.y) * rate + yaw_rate * (point[0] - now.x), 0};
}

void DriveScene::save(StateWriter* out) const {
  for (const double value : {is_built_ ? 1.0 : 0.0, x_, y_}) out->write(value);
}

void DriveScene::restore(StateReader* in) {
  const bool is_built = in->read_bool();
  const double x = in->read(), y = in->read();
  if (is_built) build(x, y);
}

}  // namespace camber::sensors
