#pragma once

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "camber/scene/scene.h"
#include "camber/terrain/terrain.h"

namespace camber::scene {

/// Hills of smooth waves, about 4 m high, over a square of `side` meters about (x, y).
inline terrain::ElevationMap make_hills(double side, double spacing, double x = 0, double y = 0,
                                        unsigned seed = 7) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  struct Wave {
    double kx, ky, phase, height;
  };
  std::vector<Wave> waves;
  for (int k = 0; k < 12; ++k) {
    const double length = 4 * std::pow(1.6, k % 8), angle = 6.28 * uniform(random);
    waves.push_back({6.28 / length * std::cos(angle), 6.28 / length * std::sin(angle),
                     6.28 * uniform(random), 0.012 * length});
  }
  terrain::HeightGrid grid;
  grid.nx = grid.ny = static_cast<int>(side / spacing) + 1;
  grid.spacing = spacing;
  grid.origin_x = x - 0.5 * side, grid.origin_y = y - 0.5 * side;
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      double h = 0;
      for (const Wave& w : waves) {
        h += w.height * std::sin(w.kx * i * spacing + w.ky * j * spacing + w.phase);
      }
      grid.heights.push_back(static_cast<float>(h));
    }
  }
  return terrain::ElevationMap(grid);
}

inline std::shared_ptr<const terrain::Terrain> make_hilly_terrain(double side, double spacing,
                                                                  double x = 0, double y = 0) {
  auto ground = std::make_shared<terrain::Terrain>();
  ground->base = make_hills(side, spacing, x, y);
  return ground;
}

class RandomPlaces {
 public:
  explicit RandomPlaces(unsigned seed) : random_(seed) {}
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vector3 direction() {
    std::normal_distribution<double> normal;
    return Vector3(normal(random_), normal(random_), normal(random_)).normalized();
  }
  Vector3 point(const Vector3& middle, double half) {
    return middle + Vector3(number(-half, half), number(-half, half), number(-half, half));
  }
  Isometry3 pose(const Vector3& middle, double half) {
    Isometry3 X = Isometry3::Identity();
    X.linear() = Eigen::AngleAxisd(number(0, 3), direction()).toRotationMatrix();
    X.translation() = point(middle, half);
    return X;
  }
  /// From a cube to a place in a smaller one.
  Ray ray(const Vector3& middle, double from, double to, double max_range) {
    const Vector3 o = point(middle, from), target = point(middle, to);
    return {o, (target - o).normalized(), max_range};
  }

 private:
  std::mt19937 random_;
};

/// Meshes and shapes of all kinds in random poses about a point; one in three may move.
inline void add_things(unsigned seed, const Vector3& middle, double half, int count, Scene* scene) {
  RandomPlaces random(seed);
  const int box = scene->add_mesh(make_box_mesh({1.3, 2.1, 0.7}));
  const int ball = scene->add_mesh(make_sphere_mesh(0.9, 3));
  const int pole = scene->add_mesh(make_cylinder_mesh(0.2, 3.1, 12));
  for (int k = 0; k < count; ++k) {
    Instance thing;
    thing.X_WS = random.pose(middle, half);
    switch (k % 7) {
      case 0:
        thing.shape = MeshShape{box};
        break;
      case 1:
        thing.shape = MeshShape{ball};
        break;
      case 2:
        thing.shape = MeshShape{pole};
        break;
      case 3:
        thing.shape = Box{{1.1, 0.6, 1.7}};
        break;
      case 4:
        thing.shape = Cylinder{0.45, 1.9};
        break;
      case 5:
        thing.shape = Sphere{0.8};
        break;
      default:
        thing.shape = Capsule{0.3, 1.75};
        break;
    }
    thing.is_moving = k % 3 == 0;
    scene->add_instance(thing);
  }
}

}  // namespace camber::scene
