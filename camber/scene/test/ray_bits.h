#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "camber/scene/scene.h"
#include "camber/scene/test/test_scene.h"

namespace camber::scene {

class BitsHash {
 public:
  void add(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    hash_ = (hash_ ^ bits) * 0x100000001b3U;
    hash_ ^= hash_ >> 29;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

/// Hashes of rays through meshes, shapes and the ground, and of all that they find, as text: one line
/// of what goes in, one of what comes out.
inline std::string make_ray_bits() {
  Scene scene;
  add_things(11, {3, 4, 5}, 9, 60, &scene);
  scene.set_ground(make_hilly_terrain(120, 0.7), {});
  scene.commit();
  BitsHash in, out;
  for (int k = 0; k < scene.instance_count(); ++k) {
    const Isometry3& X = scene.instance(k).X_WS;
    for (int a = 0; a < 12; ++a) in.add(X(a % 3, a / 3));
  }
  RandomPlaces random(12);
  std::vector<Ray> rays;
  // A LIDAR's fans, whose packets share lists; then rays without neighbors.
  for (int beam = 0; beam < 24; ++beam) {
    for (int column = 0; column < 640; ++column) {
      const double a = 0.01 * column, e = 0.1 - 0.02 * beam;
      const double x = 1 / std::sqrt(1 + a * a), y = a * x, z = 1 / std::sqrt(1 + e * e);
      rays.push_back({{2.1 + 1e-3 * column, 3.3, 9.7}, {z * x, z * y, e * z}, 90});
    }
  }
  for (int k = 0; k < 6001; ++k)
    rays.push_back({random.point({3, 4, 6}, 8), random.direction(), 80});
  for (const Ray& ray : rays) {
    for (int a = 0; a < 3; ++a) in.add(ray.origin[a]), in.add(ray.direction[a]);
  }
  std::vector<Hit> hits(rays.size());
  scene.cast(rays, hits);
  std::vector<std::uint8_t> any(rays.size());
  scene.any_hit(rays, any);
  int ground = 0, objects = 0;
  for (std::size_t k = 0; k < hits.size(); ++k) {
    const Hit& hit = hits[k];
    out.add(hit.range);
    for (int a = 0; a < 3; ++a) out.add(hit.normal[a]);
    out.add(hit.instance), out.add(hit.primitive), out.add(any[k]);
    ground += hit.instance == kGround ? 1 : 0, objects += hit.instance >= 0 ? 1 : 0;
  }
  std::ostringstream text;
  text << "in " << std::hex << in.value() << "\nout " << out.value() << std::dec << ", " << ground
       << " on the ground, " << objects << " on objects\n";
  return text.str();
}

}  // namespace camber::scene
