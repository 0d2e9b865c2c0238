#include "camber/scene/scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>

#include "camber/core/require.h"
#include "camber/scene/ground_tree.h"
#include "camber/scene/mesh_tree.h"
#include "camber/scene/scene_data.h"
#include "camber/scene/shape_rays.h"
#include "camber/terrain/soil_grid.h"

namespace camber::scene {

using internal::Bounds;
using internal::MeshTree;
using internal::Placed;

Scene::Scene() : data_(std::make_unique<Data>()) {
  data_->materials.emplace_back();
  data_->labels.emplace_back("unlabeled");
}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

int Scene::add_material(Material material) {
  const auto is_part = [](double x) { return x >= 0 && x <= 1; };
  require(is_part(material.color[0]) && is_part(material.color[1]) && is_part(material.color[2]),
          "scene: color of material \"", material.name, "\" must be in 0..1");
  require(is_part(material.roughness), "scene: roughness of material \"", material.name,
          "\" must be in 0..1, got ", material.roughness);
  for (std::size_t k = 0; k < material.reflectivity.size(); ++k) {
    const auto& [wavelength, part] = material.reflectivity[k];
    require(wavelength > 0 && is_part(part) &&
                (k == 0 || wavelength > material.reflectivity[k - 1].first),
            "scene: reflectivity of material \"", material.name,
            "\" needs ascending wavelengths and values in 0..1");
  }
  data_->materials.push_back(std::move(material));
  return material_count() - 1;
}
int Scene::add_label(std::string_view name) {
  const int found = find_label(name);
  if (found >= 0) return found;
  data_->labels.emplace_back(name);
  return label_count() - 1;
}
int Scene::material_count() const { return static_cast<int>(data_->materials.size()); }
int Scene::label_count() const { return static_cast<int>(data_->labels.size()); }
const Material& Scene::material(int k) const { return data_->materials.at(k); }
const std::string& Scene::label_name(int k) const { return data_->labels.at(k); }
int Scene::find_material(std::string_view name) const {
  const auto& all = data_->materials;
  const auto found = std::ranges::find(all, name, &Material::name);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}
int Scene::find_label(std::string_view name) const {
  const auto& all = data_->labels;
  const auto found = std::ranges::find(all, name);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

int Scene::add_mesh(Mesh mesh) {
  mesh.check();
  for (const Mesh::Surface& s : mesh.surfaces) {
    require(s.material >= -1 && s.material < material_count() && s.label >= -1 &&
                s.label < label_count(),
            "scene: mesh \"", mesh.name, "\" names material ", s.material, " of ", material_count(),
            " or class ", s.label, " of ", label_count());
  }
  data_->trees.emplace_back(mesh);
  data_->meshes.push_back(std::move(mesh));
  return mesh_count() - 1;
}
int Scene::mesh_count() const { return static_cast<int>(data_->meshes.size()); }
const Mesh& Scene::mesh(int k) const { return data_->meshes.at(k); }

int Scene::add_instance(Instance instance) {
  require(instance.X_WS.matrix().allFinite(), "scene: pose of instance \"", instance.name,
          "\" is not finite");
  require(instance.material >= 0 && instance.material < material_count() && instance.label >= 0 &&
              instance.label < label_count(),
          "scene: instance \"", instance.name, "\" names material ", instance.material, " of ",
          material_count(), " or class ", instance.label, " of ", label_count());
  if (const auto* shape = std::get_if<MeshShape>(&instance.shape)) {
    require(shape->mesh >= 0 && shape->mesh < mesh_count(), "scene: instance \"", instance.name,
            "\" names mesh ", shape->mesh, " of ", mesh_count());
  } else {
    internal::check_shape(instance.shape);
  }
  data_->instances.push_back(std::move(instance));
  data_->is_committed = false;
  return instance_count() - 1;
}
int Scene::instance_count() const { return static_cast<int>(data_->instances.size()); }
const Instance& Scene::instance(int k) const { return data_->instances.at(k); }
int Scene::find_instance(std::string_view name) const {
  const auto& all = data_->instances;
  const auto found = std::ranges::find(all, name, &Instance::name);
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

void Scene::set_ground(std::shared_ptr<const terrain::Terrain> terrain,
                       const GroundOptions& options) {
  require(terrain != nullptr, "Scene::set_ground: there is no terrain");
  require(!std::holds_alternative<terrain::TriangleMap>(terrain->base),
          "Scene::set_ground: ground of triangles is added as a mesh");
  require(options.cell > 0, "Scene::set_ground: cell must be > 0 m, got ", options.cell);
  require(options.material >= 0 && options.material < material_count() && options.label >= 0 &&
              options.label < label_count(),
          "Scene::set_ground: material ", options.material, " of ", material_count(), ", class ",
          options.label, " of ", label_count());
  data_->ground = std::make_unique<internal::GroundTree>(terrain, options.region, options.cell);
  data_->terrain = std::move(terrain);
  data_->ground_material = options.material;
  data_->ground_label = options.label;
}
int Scene::add_obstacles(int material, int label) {
  require(has_ground(), "Scene::add_obstacles: the scene has no ground");
  const auto found = data_->terrain->find_obstacles(data_->ground->region());
  constexpr double kRoot = 0.5;  // below the ground, which may fall across a trunk [m]
  for (const terrain::Obstacle& o : found) {
    Instance trunk;
    trunk.shape = Cylinder{o.radius, o.height + kRoot};
    trunk.X_WS.translation() =
        Vector3(o.x, o.y, ground_height(o.x, o.y) + 0.5 * (o.height - kRoot));
    trunk.material = material, trunk.label = label;
    add_instance(trunk);
  }
  return static_cast<int>(found.size());
}
bool Scene::has_ground() const { return data_->ground != nullptr; }
const terrain::Terrain* Scene::terrain() const { return data_->terrain.get(); }
const terrain::Box2& Scene::ground_region() const {
  require(has_ground(), "Scene::ground_region: the scene has no ground");
  return data_->ground->region();
}
double Scene::ground_height(double x, double y) const {
  require(has_ground(), "Scene::ground_height: the scene has no ground");
  return data_->ground->sample(x, y).h;
}

// --- Trees over instances ---

namespace {

/// Box of an instance in the world, about `center`, rounded outward.
Bounds find_bounds(const Instance& instance, const std::deque<MeshTree>& trees,
                   const std::vector<Mesh>& meshes, const Vector3& center) {
  Vector3 low, high;
  if (const auto* shape = std::get_if<MeshShape>(&instance.shape)) {
    const Bounds& b = trees[shape->mesh].tree.bounds;
    const Vector3& origin = meshes[shape->mesh].origin;
    low = origin + Vector3(b.low[0], b.low[1], b.low[2]);
    high = origin + Vector3(b.high[0], b.high[1], b.high[2]);
  } else {
    high = internal::half_extent(instance.shape);
    low = -high;
  }
  const Matrix3 R = instance.X_WS.linear();
  const Vector3 middle = instance.X_WS * Vector3(0.5 * (low + high)) - center;
  const Vector3 half = R.cwiseAbs() * (0.5 * (high - low));
  Bounds box;
  for (int a = 0; a < 3; ++a) {
    const double margin = 1e-12 * (std::abs(middle[a]) + std::abs(center[a]) + half[a]);
    box.low[a] = internal::round_down(middle[a] - half[a] - margin);
    box.high[a] = internal::round_up(middle[a] + half[a] + margin);
  }
  return box;
}

Placed place(const Instance& instance, const std::vector<Mesh>& meshes) {
  Placed p;
  const Matrix3 R = instance.X_WS.linear();
  p.is_turned = !R.isIdentity(0);
  p.R_SW = R.transpose();
  p.p_WS = instance.X_WS.translation();
  p.material = instance.material, p.label = instance.label;
  if (const auto* shape = std::get_if<MeshShape>(&instance.shape)) {
    p.mesh = shape->mesh;
    p.origin = meshes[shape->mesh].origin;
    p.has_surfaces = !meshes[shape->mesh].surface_of.empty();
  }
  return p;
}

}  // namespace

void Scene::commit() {
  Data& d = *data_;
  const int n = instance_count();
  Vector3 low = Vector3::Constant(HUGE_VAL), high = -low;
  for (const Instance& instance : d.instances) {
    low = low.cwiseMin(instance.X_WS.translation());
    high = high.cwiseMax(instance.X_WS.translation());
  }
  d.center = n > 0 ? Vector3(0.5 * (low + high)) : Vector3::Zero();
  d.placed.clear();
  d.still = {}, d.moving = {};
  for (int k = 0; k < n; ++k) {
    const Instance& instance = d.instances[k];
    d.placed.push_back(place(instance, d.meshes));
    auto& group = instance.is_moving ? d.moving : d.still;
    group.members.push_back(k);
    group.boxes.push_back(find_bounds(instance, d.trees, d.meshes, d.center));
  }
  d.slot.assign(n, 0);
  for (auto* group : {&d.still, &d.moving}) {
    group->tree = internal::build_tree(group->boxes, 1);
    group->first_cost = group->tree.cost();
    for (std::size_t s = 0; s < group->members.size(); ++s) {
      d.slot[group->members[s]] = static_cast<int>(s);
    }
  }
  d.is_committed = true;
  d.is_fitted = true;
}

void Scene::move(int instance, const Isometry3& X_WS) {
  Data& d = *data_;
  require(instance >= 0 && instance < instance_count(), "Scene::move: instance ", instance, " of ",
          instance_count());
  require(d.instances[instance].is_moving, "Scene::move: instance \"", d.instances[instance].name,
          "\" was not added as a moving one");
  require(X_WS.matrix().allFinite(), "Scene::move: the pose is not finite");
  d.instances[instance].X_WS = X_WS;
  if (!d.is_committed) return;
  d.placed[instance] = place(d.instances[instance], d.meshes);
  d.moving.boxes[d.slot[instance]] =
      find_bounds(d.instances[instance], d.trees, d.meshes, d.center);
  d.is_fitted = false;
}

void Scene::set_visible(int instance, bool is_visible) {
  data_->instances.at(instance).is_visible = is_visible;
}

void Scene::refit() {
  Data& d = *data_;
  if (!d.is_committed) {
    commit();
    return;
  }
  d.moving.tree.refit(d.moving.boxes);
  // Things that moved far from their neighbors of old: a new tree, of what moves only.
  if (d.moving.tree.cost() > 2 * d.moving.first_cost) {
    d.moving.tree = internal::build_tree(d.moving.boxes, 1);
    d.moving.first_cost = d.moving.tree.cost();
  }
  d.is_fitted = true;
}

void Scene::refresh_ground(const terrain::SoilGrid& soil, const terrain::Box2& box) {
  require(has_ground(), "Scene::refresh_ground: the scene has no ground");
  data_->ground->refresh(soil, box);
}

Scene::Memory Scene::memory() const {
  Memory m;
  for (const MeshTree& tree : data_->trees) m.objects += tree.memory();
  for (const Mesh& mesh : data_->meshes) {
    m.objects += mesh.vertices.size() * sizeof(Mesh::Vertex) +
                 mesh.triangles.size() * sizeof(Mesh::Triangle) +
                 mesh.surface_of.size() * sizeof(std::uint16_t);
  }
  for (const auto* group : {&data_->still, &data_->moving}) {
    m.objects += group->tree.nodes.size() * sizeof(internal::TreeNode) +
                 group->members.size() * (sizeof(int) + sizeof(Bounds));
  }
  m.objects += data_->instances.size() * (sizeof(Instance) + sizeof(Placed));
  if (data_->ground) m.ground = data_->ground->memory();
  return m;
}

}  // namespace camber::scene
