#include "bench/sensors/city.h"

#include <cmath>
#include <random>

namespace camber::bench {
namespace {

using scene::Mesh;

constexpr double kBlock = 100, kHalfStreet = 8, kPi = 3.14159265358979323846;

/// Long hills, so that streets can be driven.
double height_at(double x, double y) {
  return 6 * std::sin(0.011 * x + 0.3) * std::cos(0.013 * y) + 2 * std::sin(0.037 * x + 0.021 * y) +
         0.12 * std::sin(0.21 * x - 0.17 * y) + 0.03 * std::sin(0.61 * x + 0.83 * y + 1.1);
}

class BlockBuilder {
 public:
  BlockBuilder(double x, double y, unsigned seed) : x_(x), y_(y), random_(seed) {
    mesh_.origin = Vector3(x, y, std::round(height_at(x, y)));
  }

  Mesh build() {
    add_buildings();
    add_kerbs();
    for (int k = 0; k < 8; ++k) add_tree(k);
    for (int k = 0; k < 8; ++k) add_pole(k);
    const int cars = 10 + (draw(0, 1) < 0.4 ? 1 : 0);
    for (int k = 0; k < cars; ++k) add_car(k);
    // Multiples of 1/4096 m are floats about every origin, so all engines have the same triangles.
    for (auto& vertex : mesh_.vertices) {
      for (float& x : vertex) x = std::round(4096 * x) / 4096;
    }
    return std::move(mesh_);
  }

 private:
  double draw(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  void add(const Mesh& part, double x, double y, double z, double yaw) {
    Isometry3 X = Isometry3::Identity();
    X.linear() = Eigen::AngleAxisd(yaw, Vector3::UnitZ()).toRotationMatrix();
    X.translation() = Vector3(x, y, z);
    append(part, X, {}, &mesh_);
  }
  /// On the ground at its middle.
  void add_box(const Vector3& size, double x, double y, double up, double yaw) {
    add(scene::make_box_mesh(size), x, y, height_at(x, y) + up + 0.5 * size.z(), yaw);
  }

  void add_buildings() {
    const double half = 0.5 * kBlock - kHalfStreet - 4;
    for (int k = 0; k < 12; ++k) {
      const int side = k / 3, place = k % 3;
      const double along = (place - 1) * half * 0.62 + draw(-2, 2), depth = half - 9;
      const double x = x_ + (side % 2 == 0 ? along : (side == 1 ? depth : -depth));
      const double y = y_ + (side % 2 == 0 ? (side == 0 ? depth : -depth) : along);
      const Vector3 size(draw(10, 15), draw(10, 15), draw(6, 45));
      add_box(size + Vector3(0, 0, 2), x, y, -2, 0);
      for (int sill = 0; sill < 4; ++sill) {
        const double up = 1 + 3 * sill;
        add_box({size.x() + 0.2, size.y() + 0.2, 0.15}, x, y, std::min(up, size.z() - 0.3), 0);
      }
    }
  }
  void add_kerbs() {
    const double half = 0.5 * kBlock - kHalfStreet;
    for (int k = 0; k < 320; ++k) {
      const int side = k / 80;
      const double piece = 2 * half / 80, along = (k % 80 + 0.5) * piece - half;
      const double x = x_ + (side % 2 == 0 ? along : (side == 1 ? half : -half));
      const double y = y_ + (side % 2 == 0 ? (side == 0 ? half : -half) : along);
      const bool is_along_x = side % 2 == 0;
      add_box({is_along_x ? piece : 0.15, is_along_x ? 0.15 : piece, 0.45}, x, y, -0.3, 0);
    }
  }
  void add_tree(int k) {
    const double half = 0.5 * kBlock - kHalfStreet - 2;
    const double x = x_ + (k % 2 == 0 ? -half : half), y = y_ + (k / 2 - 1.5) * 20 + draw(-2, 2);
    const double z = height_at(x, y);
    add(scene::make_cylinder_mesh(draw(0.12, 0.25), 3.2, 8), x, y, z - 0.2, draw(0, 3));
    add(scene::make_sphere_mesh(draw(1.4, 2.4), 1), x, y, z + 4, draw(0, 3));
  }
  void add_pole(int k) {
    const double half = 0.5 * kBlock - kHalfStreet - 0.6;
    const double y = y_ + (k % 2 == 0 ? -half : half), x = x_ + (k / 2 - 1.5) * 22 + draw(-1, 1);
    add(scene::make_cylinder_mesh(0.1, 7, 8), x, y, height_at(x, y) - 0.2, 0);
  }
  void add_car(int k) {
    const double half = 0.5 * kBlock - kHalfStreet + 1.3;
    const double y = y_ + (k % 2 == 0 ? -half : half), x = x_ + (k / 2 - 2) * 15 + draw(-3, 3);
    add_box({4.4, 1.8, 0.9}, x, y, 0.2, draw(-0.03, 0.03));
    add_box({2.3, 1.6, 0.6}, x - 0.2, y, 1.1, 0);
  }

  double x_, y_;
  std::mt19937 random_;
  Mesh mesh_;
};

}  // namespace

City make_city(int blocks_per_side) {
  City city;
  const double side = kBlock * blocks_per_side;
  city.nodes = static_cast<int>(side / city.spacing) + 1;
  terrain::HeightGrid grid;
  grid.nx = grid.ny = city.nodes;
  grid.spacing = city.spacing;
  grid.origin_x = grid.origin_y = -0.5 * side;
  grid.heights.reserve(static_cast<std::size_t>(city.nodes) * city.nodes);
  for (int j = 0; j < city.nodes; ++j) {
    for (int i = 0; i < city.nodes; ++i) {
      grid.heights.push_back(static_cast<float>(
          height_at(grid.origin_x + i * city.spacing, grid.origin_y + j * city.spacing)));
    }
  }
  auto ground = std::make_shared<terrain::Terrain>();
  ground->base = terrain::ElevationMap(grid);
  city.ground = ground;
  for (int j = 0; j < blocks_per_side; ++j) {
    for (int i = 0; i < blocks_per_side; ++i) {
      const double x = (i + 0.5) * kBlock - 0.5 * side, y = (j + 0.5) * kBlock - 0.5 * side;
      city.blocks.push_back(
          BlockBuilder(x, y, static_cast<unsigned>(1000 + j * blocks_per_side + i)).build());
      city.triangles += city.blocks.back().triangles.size();
    }
  }
  return city;
}

std::vector<scene::Ray> make_scan(const City& city, int turns) {
  constexpr int kBeams = 64, kColumns = 2048, kGroup = 16;
  constexpr double kSpeed = 10, kTurn = 0.1;
  terrain::TerrainCache cache = city.ground->make_cache();
  std::vector<scene::Ray> rays;
  rays.reserve(static_cast<std::size_t>(turns) * kBeams * kColumns);
  for (int turn = 0; turn < turns; ++turn) {
    // Each turn is in another street.
    const double street = kBlock * (turn % 2 == 0 ? turn / 2 % 3 : -(turn / 2 % 3) - 1);
    for (int group = 0; group < kColumns; group += kGroup) {
      for (int beam = 0; beam < kBeams; ++beam) {
        const double elevation = (2 - 26.8 * beam / (kBeams - 1)) * kPi / 180;
        for (int column = group; column < group + kGroup; ++column) {
          const double azimuth = -2 * kPi * column / kColumns;
          const double x = 13.7 + 17 * turn + kSpeed * kTurn * (turn + column / 2048.0);
          const double y = street + 1.8;
          const double z = city.ground->sample(x, y, &cache).h + 1.9;
          const Vector3 origin(x, y, z);
          const Vector3 direction(std::cos(elevation) * std::cos(azimuth),
                                  std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
          // Numbers that are floats, so all engines have the same rays.
          rays.push_back(
              {origin.cast<float>().cast<double>(), direction.cast<float>().cast<double>(), 120});
        }
      }
    }
  }
  return rays;
}

double find_range(const City& city, const scene::Ray& ray) {
  using V = Eigen::Matrix<long double, 3, 1>;
  const V o = ray.origin.cast<long double>(), d = ray.direction.cast<long double>();
  long double best = ray.max_range;
  bool found = false;
  for (const scene::Mesh& block : city.blocks) {
    if ((block.origin - ray.origin).head<2>().norm() > ray.max_range + 80) continue;
    for (const auto& t : block.triangles) {
      const V a = block.vertex(t[0]).cast<long double>();
      const V e1 = block.vertex(t[1]).cast<long double>() - a;
      const V e2 = block.vertex(t[2]).cast<long double>() - a;
      const V q = d.cross(e2);
      const long double det = e1.dot(q);
      if (det == 0) continue;
      const V s = o - a;
      const long double u = s.dot(q) / det;
      const V r = s.cross(e1);
      const long double v = d.dot(r) / det, range = e2.dot(r) / det;
      if (u < 0 || v < 0 || u + v > 1 || range < 0 || range > best) continue;
      best = range, found = true;
    }
  }
  return found ? static_cast<double>(best) : HUGE_VAL;
}

}  // namespace camber::bench
