// Walls, floors of shops, cornices, corners and roofs of a building as triangles.
#include <algorithm>
#include <cmath>

#include "camber/city/polygons.h"
#include "camber/city/things.h"

namespace camber::city {
namespace {

constexpr double kCornice = 0.35, kBand = 0.25;  // heights [m]
constexpr double kProud = 0.12;                  // how far trim stands out of the wall [m]
constexpr double kQuoin = 0.45;                  // width of a corner's trim [m]

void add_wall(const Point& a, const Point& b, double z0, double z1, Surface surface,
              scene::Mesh* mesh) {
  add_facet({{Point3{a.x, a.y, z0}, {b.x, b.y, z0}, {b.x, b.y, z1}}, surface}, mesh);
  add_facet({{Point3{a.x, a.y, z0}, {b.x, b.y, z1}, {a.x, a.y, z1}}, surface}, mesh);
}

/// A rib in front of a wall from a to b.
void add_rib(const Point& a, const Point& b, const Point& out, double z0, double z1,
             scene::Mesh* mesh) {
  const Point a1{a.x + out.x * kProud, a.y + out.y * kProud};
  const Point b1{b.x + out.x * kProud, b.y + out.y * kProud};
  add_wall(a1, b1, z0, z1, Surface::kTrim, mesh);
  add_wall(a, a1, z0, z1, Surface::kTrim, mesh);
  add_wall(b1, b, z0, z1, Surface::kTrim, mesh);
  for (const double z : {z0, z1}) {
    add_facet({{Point3{a.x, a.y, z}, {a1.x, a1.y, z}, {b1.x, b1.y, z}}, Surface::kTrim}, mesh);
    add_facet({{Point3{a.x, a.y, z}, {b1.x, b1.y, z}, {b.x, b.y, z}}, Surface::kTrim}, mesh);
  }
}

}  // namespace

scene::Mesh make_surface_mesh(const Vector3& origin) {
  scene::Mesh mesh;
  mesh.origin = origin;
  mesh.surfaces.resize(static_cast<std::size_t>(Surface::kCount));
  return mesh;
}

void add_facet(const Facet& facet, scene::Mesh* mesh) {
  const auto first = static_cast<std::uint32_t>(mesh->vertices.size());
  for (const Point3& p : facet.corners) {
    mesh->vertices.push_back({static_cast<float>(p[0] - mesh->origin[0]),
                              static_cast<float>(p[1] - mesh->origin[1]),
                              static_cast<float>(p[2] - mesh->origin[2])});
  }
  mesh->triangles.push_back({first, first + 1, first + 2});
  mesh->surface_of.push_back(static_cast<std::uint16_t>(facet.surface));
}

void add_building(const Building& house, scene::Mesh* mesh) {
  const Polygon& p = house.footprint;
  const std::size_t n = p.size();
  const double z0 = house.base, z1 = z0 + house.height;
  const double shops = house.ground_floor > 0 ? z0 + house.ground_floor : z0;
  for (std::size_t k = 0; k < n; ++k) {
    const Point &a = p[k], &b = p[(k + 1) % n];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length < 1e-3) continue;
    const Point along{(b.x - a.x) / length, (b.y - a.y) / length}, out{along.y, -along.x};
    if (shops > z0) add_wall(a, b, z0, shops, Surface::kShopfront, mesh);
    add_wall(a, b, shops, z1, house.wall, mesh);
    if (shops > z0) add_rib(a, b, out, shops - 0.5 * kBand, shops + 0.5 * kBand, mesh);
    add_rib(a, b, out, z1 - kCornice, z1, mesh);
    if (length > 4 * kQuoin) {
      const Point a1{a.x + along.x * kQuoin, a.y + along.y * kQuoin};
      const Point b1{b.x - along.x * kQuoin, b.y - along.y * kQuoin};
      add_rib(a, a1, out, z0, z1 - kCornice, mesh);
      add_rib(b1, b, out, z0, z1 - kCornice, mesh);
    }
  }
  if (house.roof == Roof::kHipped) {
    // To a ridge along the longer axis.
    const Frame frame = find_frame(p);
    const Point c = center_of(p);
    const bool is_along = frame.length >= frame.width;
    const Point axis = is_along ? frame.along : Point{-frame.along.y, frame.along.x};
    const double half = 0.5 * std::abs(frame.length - frame.width);
    const double top = z1 + 0.32 * std::min(frame.length, frame.width);
    const auto ridge = [&](const Point& q) -> Point3 {
      const double s = std::clamp((q.x - c.x) * axis.x + (q.y - c.y) * axis.y, -half, half);
      return {c.x + s * axis.x, c.y + s * axis.y, top};
    };
    for (std::size_t k = 0; k < n; ++k) {
      const Point &a = p[k], &b = p[(k + 1) % n];
      const Point3 ra = ridge(a), rb = ridge(b), pa{a.x, a.y, z1}, pb{b.x, b.y, z1};
      add_facet({{pa, pb, rb}, Surface::kTileRoof}, mesh);
      if (ra != rb) add_facet({{pa, rb, ra}, Surface::kTileRoof}, mesh);
    }
    return;
  }
  for (const auto& [a, b, c] : triangulate(p)) {
    add_facet({{Point3{p[a].x, p[a].y, z1 - kCornice},
                {p[b].x, p[b].y, z1 - kCornice},
                {p[c].x, p[c].y, z1 - kCornice}},
               Surface::kFlatRoof},
              mesh);
  }
}

}  // namespace camber::city
