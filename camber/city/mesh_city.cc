// In four passes over nodes of a grid:
//   1. growth: from the seeds, a node's ground is the surface of its column that is nearest to its
//      neighbor's ground, if it is within a step of it; nodes nearest to the seeds first
//   2. triangles that are flat enough, and at ground height at one of their points, are ground
//   3. points of all other triangles, closer together than the grid, that are above a step and below
//      the headroom over the ground of the nearest node block its square
//   4. blocked squares become rectangles

#include "camber/city/mesh_city.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/planning/occupancy_grid.h"

namespace camber::city {
namespace {

constexpr double kFlatTriangle = 0.5;  // least upward part of a ground triangle's normal
constexpr double kMaxNodes = 4e7;

class MeshImporter {
 public:
  MeshImporter(const scene::Mesh& mesh, const MeshCityOptions& options)
      : mesh_(mesh), options_(options) {
    mesh.check();
    require(options.spacing > 0 && options.max_step > 0 && options.max_slope >= 0 &&
                options.headroom > options.max_step,
            "make_mesh_city: spacing ", options.spacing, " m, max_step ", options.max_step,
            " m must be > 0, max_slope ", options.max_slope, " not negative, headroom ",
            options.headroom, " m above max_step");
    box_ = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (std::uint32_t k = 0; k < mesh.vertices.size(); ++k) {
      const Vector3 v = mesh.vertex(k);
      box_ = {std::min(box_.x0, v.x()), std::min(box_.y0, v.y()), std::max(box_.x1, v.x()),
              std::max(box_.y1, v.y())};
    }
    const double nx = std::ceil((box_.x1 - box_.x0) / options.spacing),
                 ny = std::ceil((box_.y1 - box_.y0) / options.spacing);
    require(nx * ny <= kMaxNodes, "make_mesh_city: ", nx, " x ", ny, " places of ", options.spacing,
            " m are more than ", kMaxNodes);
    nx_ = std::max(1, static_cast<int>(nx)), ny_ = std::max(1, static_cast<int>(ny));
    ground_.assign(static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_), NAN);
    scene::Mesh copy = mesh;
    copy.surfaces.clear();
    copy.surface_of.clear();
    scene_.add_instance(
        {.name = "mesh", .shape = scene::MeshShape{scene_.add_mesh(std::move(copy))}});
    scene_.commit();
  }

  City import() {
    grow();
    City city;
    Block& block = city.blocks.emplace_back();
    planning::OccupancyGrid blocked(nx_, ny_, options_.spacing, {box_.x0, box_.y0});
    for (const scene::Mesh::Triangle& t : mesh_.triangles) {
      const Vector3 a = mesh_.vertex(t[0]), b = mesh_.vertex(t[1]), c = mesh_.vertex(t[2]);
      const Vector3 normal = (b - a).cross(c - a);
      const double size = normal.norm();
      if (!(size > 0)) continue;
      const double up = std::abs(normal.z()) / size;
      const bool is_ground = up >= kFlatTriangle && is_at_ground(a, b, c);
      const auto point = [](const Vector3& v) { return Point3{v.x(), v.y(), v.z()}; };
      const Surface surface = is_ground            ? Surface::kAsphalt
                              : up > 0.98          ? Surface::kFlatRoof
                              : up > kFlatTriangle ? Surface::kTileRoof
                                                   : Surface::kPlasterGray;
      (is_ground ? block.ground : block.faces).push_back({{point(a), point(b), point(c)}, surface});
      if (!is_ground) block_cells(a, b, c, &blocked);
    }
    require(!block.ground.empty(), "make_mesh_city: no triangle is ground");
    for (Polygon& rectangle : planning::make_polygons(blocked)) {
      Building building{.height = options_.headroom, .is_drawn = false};
      double sum = 0;
      for (const Point& p : rectangle) sum += ground_near(p.x, p.y).value_or(0);
      building.base = sum / static_cast<double>(rectangle.size());
      building.footprint = std::move(rectangle);
      block.buildings.push_back(std::move(building));
    }
    return city;
  }

 private:
  std::size_t number(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(nx_) +
           static_cast<std::size_t>(i);
  }
  double x_of(int i) const { return box_.x0 + (i + 0.5) * options_.spacing; }
  double y_of(int j) const { return box_.y0 + (j + 0.5) * options_.spacing; }
  int column(double x) const {
    return std::clamp(static_cast<int>((x - box_.x0) / options_.spacing), 0, nx_ - 1);
  }
  int row(double y) const {
    return std::clamp(static_cast<int>((y - box_.y0) / options_.spacing), 0, ny_ - 1);
  }
  double reach() const { return options_.max_step + options_.max_slope * options_.spacing; }

  void grow() {
    std::deque<std::pair<int, int>> queue;
    const auto take = [&](int i, int j, double from, double most) {
      double& h = ground_[number(i, j)];
      if (!std::isnan(h)) return;
      scene_.find_column(x_of(i), y_of(j), &hits_);
      double best = most;
      for (const scene::ColumnHit& hit : hits_) {
        if (std::abs(hit.slope_z) < kFlatTriangle || std::abs(hit.z - from) > best) continue;
        best = std::abs(hit.z - from);
        h = hit.z;
      }
      if (!std::isnan(h)) queue.emplace_back(i, j);
    };
    for (const Point3& seed : list_seeds())
      take(column(seed[0]), row(seed[1]), seed[2], 2 * reach());
    require(!queue.empty(), "make_mesh_city: none of the places that are ground is on a surface");
    while (!queue.empty()) {
      const auto [i, j] = queue.front();
      queue.pop_front();
      const double h = ground_[number(i, j)];
      if (i > 0) take(i - 1, j, h, reach());
      if (i + 1 < nx_) take(i + 1, j, h, reach());
      if (j > 0) take(i, j - 1, h, reach());
      if (j + 1 < ny_) take(i, j + 1, h, reach());
    }
  }

  /// The lowest surface of all nodes, if nobody says what is ground.
  std::vector<Point3> list_seeds() {
    if (!options_.ground.empty()) return options_.ground;
    Point3 lowest{0, 0, HUGE_VAL};
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) {
        scene_.find_column(x_of(i), y_of(j), &hits_);
        for (const scene::ColumnHit& hit : hits_) {
          if (std::abs(hit.slope_z) >= kFlatTriangle && hit.z < lowest[2])
            lowest = {x_of(i), y_of(j), hit.z};
        }
      }
    }
    return {lowest};
  }

  /// The ground of the node at a point, or of one beside it.
  std::optional<double> ground_near(double x, double y) const {
    const int i = column(x), j = row(y);
    if (!std::isnan(ground_[number(i, j)])) return ground_[number(i, j)];
    for (int b = std::max(0, j - 1); b <= std::min(ny_ - 1, j + 1); ++b)
      for (int a = std::max(0, i - 1); a <= std::min(nx_ - 1, i + 1); ++a)
        if (!std::isnan(ground_[number(a, b)])) return ground_[number(a, b)];
    return std::nullopt;
  }

  bool is_at_ground(const Vector3& a, const Vector3& b, const Vector3& c) const {
    // The middle, and points near the corners.
    constexpr double kShares[4][3] = {
        {1.0 / 3, 1.0 / 3, 1.0 / 3}, {0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}, {0.1, 0.1, 0.8}};
    for (const auto& share : kShares) {
      const Vector3 p = share[0] * a + share[1] * b + share[2] * c;
      const std::optional<double> ground = ground_near(p.x(), p.y());
      if (ground && std::abs(p.z() - *ground) <= reach()) return true;
    }
    return false;
  }

  void block_cells(const Vector3& a, const Vector3& b, const Vector3& c,
                   planning::OccupancyGrid* blocked) const {
    // Points at most half a square apart, along two sides of the triangle.
    const double longest = std::max({(b - a).norm(), (c - a).norm(), (c - b).norm()});
    const int parts = std::max(2, static_cast<int>(std::ceil(2 * longest / options_.spacing)));
    require(parts < 100'000, "make_mesh_city: a triangle of ", longest, " m is too long");
    for (int u = 0; u <= parts; ++u) {
      for (int v = 0; u + v <= parts; ++v) {
        const Vector3 p = a + (b - a) * (static_cast<double>(u) / parts) +
                          (c - a) * (static_cast<double>(v) / parts);
        const std::optional<double> ground = ground_near(p.x(), p.y());
        if (!ground || p.z() < *ground + options_.max_step || p.z() > *ground + options_.headroom)
          continue;
        blocked->set_blocked({column(p.x()), row(p.y())}, true);
      }
    }
  }

  const scene::Mesh& mesh_;
  const MeshCityOptions& options_;
  scene::Scene scene_;
  terrain::Box2 box_;
  int nx_ = 0, ny_ = 0;
  std::vector<double> ground_;  // by node; NaN: none
  std::vector<scene::ColumnHit> hits_;
};

}  // namespace

City make_mesh_city(const scene::Mesh& mesh, const MeshCityOptions& options) {
  return MeshImporter(mesh, options).import();
}

City load_mesh_city(const std::string& path, const MeshCityOptions& options) {
  const scene::MeshFile file = scene::load_mesh(path, options.mesh);
  try {
    return make_mesh_city(file.mesh, options);
  } catch (const std::invalid_argument& error) {
    throw FileError(path, error.what());
  }
}

}  // namespace camber::city
