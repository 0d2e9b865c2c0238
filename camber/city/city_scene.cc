#include <array>
#include <cmath>
#include <map>

#include "camber/city/city.h"
#include "camber/city/surfaces.h"
#include "camber/city/things.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::city {
namespace {

class SceneBuilder {
 public:
  SceneBuilder(const City& city, scene::Scene* scene)
      : scene_(scene), numbers_(add_surfaces(city.storey_height, scene)) {}

  void add(const Block& block) {
    const terrain::Box2 box = extent_of(block);
    const Vector3 middle(0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1), 0);
    scene::Mesh ground = make_surface_mesh(middle), houses = make_surface_mesh(middle);
    for (const Facet& f : block.ground) add_facet(f, &ground);
    for (const Facet& f : block.faces) add_facet(f, &ground);
    for (const Building& b : block.buildings) {
      if (b.is_drawn) add_building(b, &houses);
    }
    place(std::move(ground), concat("ground ", block.i, " ", block.j));
    place(std::move(houses), concat("buildings ", block.i, " ", block.j));
    for (const Thing& t : block.things) add(t);
  }

 private:
  void place(scene::Mesh mesh, std::string name) {
    if (mesh.triangles.empty()) return;
    bind(&mesh);
    mesh.name = name;
    const int number = scene_->add_mesh(std::move(mesh));
    scene_->add_instance({.name = std::move(name), .shape = scene::MeshShape{number}});
  }

  void add(const Thing& t) {
    const int shape = t.variant % variant_count(t.kind);
    // A mesh for each size, in steps of 10 %.
    const int size = static_cast<int>(std::lround(10 * t.scale));
    const auto [known, is_new] =
        shapes_.try_emplace({static_cast<int>(t.kind), shape, size}, scene_->mesh_count());
    if (is_new) {
      scene::Mesh mesh = make_thing_mesh(t.kind, shape);
      for (auto& v : mesh.vertices) {
        for (float& x : v) x *= 0.1F * static_cast<float>(size);
      }
      bind(&mesh);
      scene_->add_mesh(std::move(mesh));
    }
    scene::Instance instance{.name = name_of(t.kind), .shape = scene::MeshShape{known->second}};
    instance.X_WS.translation() = Vector3(t.x, t.y, t.z);
    instance.X_WS.linear() = Eigen::AngleAxisd(t.yaw, Vector3::UnitZ()).toRotationMatrix();
    scene_->add_instance(std::move(instance));
  }

  void bind(scene::Mesh* mesh) const {
    for (std::size_t k = 0; k < mesh->surfaces.size(); ++k) {
      mesh->surfaces[k] = {numbers_[k].material, numbers_[k].label};
    }
  }

  scene::Scene* scene_;
  std::vector<SurfaceNumbers> numbers_;
  std::map<std::array<int, 3>, int> shapes_;
};

}  // namespace

void add_to_scene(const City& city, const terrain::Box2& box, scene::Scene* scene) {
  SceneBuilder builder(city, scene);
  for (const Block& block : city.blocks) {
    const terrain::Box2 own = extent_of(block);
    if (own.x0 <= box.x1 && box.x0 <= own.x1 && own.y0 <= box.y1 && box.y0 <= own.y1) {
      builder.add(block);
    }
  }
}

scene::Scene make_scene(const City& city) {
  scene::Scene scene;
  add_to_scene(city, extent_of(city), &scene);
  scene.commit();
  return scene;
}

}  // namespace camber::city
