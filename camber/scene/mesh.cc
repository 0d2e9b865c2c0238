#include "camber/scene/mesh.h"

#include <cmath>
#include <map>
#include <utility>

#include "camber/core/require.h"

namespace camber::scene {
namespace {

constexpr double kMaxReach = 1e6;  // of a vertex from the origin: 3 cm of float resolution [m]
constexpr double kPi = 3.14159265358979323846;

Mesh::Vertex to_float(const Vector3& p) {
  return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
}

}  // namespace

void Mesh::check() const {
  const auto title = [&] { return name.empty() ? std::string("mesh") : "mesh \"" + name + "\""; };
  require(!triangles.empty(), title(), ": has no triangle");
  require(origin.allFinite(), title(), ": its origin is not finite");
  require(vertices.size() <= UINT32_MAX && triangles.size() <= INT32_MAX, title(), ": ",
          vertices.size(), " vertices and ", triangles.size(), " triangles are too many");
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    for (const float x : vertices[k]) {
      require(std::isfinite(x), title(), ": vertex ", k, " is not finite");
      require(std::abs(x) <= kMaxReach, title(), ": vertex ", k, " is ", x,
              " m from the origin; at most ", kMaxReach, " m are possible");
    }
  }
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    for (const std::uint32_t v : triangles[k]) {
      require(v < vertices.size(), title(), ": triangle ", k, " names vertex ", v, " of ",
              vertices.size());
    }
  }
  require(surface_of.empty() || surface_of.size() == triangles.size(), title(), ": ",
          surface_of.size(), " surface numbers for ", triangles.size(), " triangles");
  for (const std::uint16_t s : surface_of) {
    require(s < surfaces.size(), title(), ": surface ", s, " of ", surfaces.size());
  }
}

Mesh make_mesh(std::span<const Vector3> vertices, std::vector<Mesh::Triangle> triangles) {
  Mesh mesh;
  if (vertices.empty()) return mesh;
  Vector3 low = vertices[0], high = vertices[0];
  for (const Vector3& v : vertices) low = low.cwiseMin(v), high = high.cwiseMax(v);
  mesh.origin = 0.5 * (low + high);
  mesh.vertices.reserve(vertices.size());
  for (const Vector3& v : vertices) mesh.vertices.push_back(to_float(v - mesh.origin));
  mesh.triangles = std::move(triangles);
  return mesh;
}

Mesh make_box_mesh(const Vector3& size) {
  Mesh mesh;
  for (int k = 0; k < 8; ++k) {
    const Vector3 corner((k & 1) != 0 ? 0.5 : -0.5, (k & 2) != 0 ? 0.5 : -0.5,
                         (k & 4) != 0 ? 0.5 : -0.5);
    mesh.vertices.push_back(to_float(corner.cwiseProduct(size)));
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

// An icosahedron whose triangles are cut in four, the new vertices moved onto the sphere.
Mesh make_sphere_mesh(double radius, int subdivisions) {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  std::vector<Vector3> points = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                                 {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                                 {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  std::vector<Mesh::Triangle> triangles = {
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int round = 0; round < subdivisions; ++round) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [place, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(points.size()));
      if (is_new) points.push_back(0.5 * (points[a] + points[b]));
      return place->second;
    };
    std::vector<Mesh::Triangle> finer;
    for (const auto& [a, b, c] : triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    triangles = std::move(finer);
  }
  Mesh mesh;
  for (const Vector3& p : points) mesh.vertices.push_back(to_float(radius * p.normalized()));
  mesh.triangles = std::move(triangles);
  return mesh;
}

Mesh make_cylinder_mesh(double radius, double height, int sides) {
  require(sides >= 3, "make_cylinder_mesh: needs at least 3 sides, got ", sides);
  Mesh mesh;
  const auto n = static_cast<std::uint32_t>(sides);
  for (std::uint32_t k = 0; k < n; ++k) {
    const double angle = 2 * kPi * k / sides;
    const double x = radius * std::cos(angle), y = radius * std::sin(angle);
    mesh.vertices.push_back(to_float({x, y, 0}));
    mesh.vertices.push_back(to_float({x, y, height}));
  }
  mesh.vertices.push_back({0, 0, 0});
  mesh.vertices.push_back({0, 0, static_cast<float>(height)});
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t a = 2 * k, b = 2 * ((k + 1) % n);
    mesh.triangles.push_back({a, b, b + 1});
    mesh.triangles.push_back({a, b + 1, a + 1});
    mesh.triangles.push_back({2 * n, b, a});
    mesh.triangles.push_back({2 * n + 1, a + 1, b + 1});
  }
  return mesh;
}

void append(const Mesh& other, const Isometry3& X, Mesh::Surface surface, Mesh* mesh) {
  if (mesh->surface_of.size() != mesh->triangles.size()) {
    require(mesh->surface_of.empty(), "append: surface numbers do not match the triangles");
    mesh->surfaces.emplace_back();
    mesh->surface_of.assign(mesh->triangles.size(),
                            static_cast<std::uint16_t>(mesh->surfaces.size() - 1));
  }
  const auto number_of = [&](const Mesh::Surface& s) {
    std::size_t k = 0;
    while (k < mesh->surfaces.size() &&
           (mesh->surfaces[k].material != s.material || mesh->surfaces[k].label != s.label)) {
      ++k;
    }
    if (k == mesh->surfaces.size()) mesh->surfaces.push_back(s);
    return static_cast<std::uint16_t>(k);
  };
  const auto first = static_cast<std::uint32_t>(mesh->vertices.size());
  for (std::uint32_t k = 0; k < other.vertices.size(); ++k) {
    mesh->vertices.push_back(to_float(X * other.vertex(k) - mesh->origin));
  }
  for (std::size_t k = 0; k < other.triangles.size(); ++k) {
    const auto& [a, b, c] = other.triangles[k];
    mesh->triangles.push_back({first + a, first + b, first + c});
    const bool has_own = !other.surface_of.empty();
    mesh->surface_of.push_back(number_of(has_own ? other.surfaces[other.surface_of[k]] : surface));
  }
}

}  // namespace camber::scene
