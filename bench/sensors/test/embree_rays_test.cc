#include <cmath>
#include <iostream>

#include <gtest/gtest.h>

#include "bench/sensors/city.h"
#include "bench/sensors/peer.h"
#include "camber/scene/scene.h"

// Ray by ray against Embree, which shares no code with us, in the city of `camber bench sensors`.

namespace camber::bench {
namespace {

scene::Scene make_objects(const City& city) {
  scene::Scene scene;
  for (const scene::Mesh& block : city.blocks) {
    scene::Instance instance;
    instance.shape = scene::MeshShape{scene.add_mesh(block)};
    scene.add_instance(instance);
  }
  scene.commit();
  return scene;
}

// 36 blocks, 220,000 triangles, 393,216 rays. Embree computes in floats: where it differs by more
// than 0.1 mm, long doubles decide.
TEST(CityRays, AgreeWithEmbreeRayByRay) {
  const City city = make_city(6);
  const std::vector<scene::Ray> rays = make_scan(city, 3);
  const scene::Scene scene = make_objects(city);
  std::vector<scene::Hit> hits(rays.size());
  scene.cast(rays, hits);
  for (const EmbreeCalls calls : {EmbreeCalls::kSingle, EmbreeCalls::kPackets}) {
    const auto embree = make_embree(city, PeerScene::kObjects, calls);
    if (embree == nullptr) GTEST_SKIP() << "Embree is not installed";
    std::vector<float> ranges(rays.size());
    embree->cast(rays, ranges);
    int hit_count = 0, other_hits = 0, far = 0, lost = 0;
    double worst = 0;
    for (std::size_t k = 0; k < rays.size(); ++k) {
      const double own = hits[k].range, other = ranges[k];
      hit_count += hits[k].is_hit() ? 1 : 0;
      const bool is_other_hit = std::isfinite(own) != std::isfinite(other);
      other_hits += is_other_hit ? 1 : 0;
      if (!is_other_hit && !(std::abs(own - other) > 1e-4)) {
        if (hits[k].is_hit()) worst = std::max(worst, std::abs(own - other));
        continue;
      }
      ++far;
      const double truth = find_range(city, rays[k]);
      const bool agrees =
          std::isfinite(truth) == std::isfinite(own) && !(std::abs(truth - own) > 1e-6);
      lost += agrees ? 0 : 1;
      std::cout << "ray " << k << ": camber " << own << " m, Embree " << other
                << " m, long doubles " << truth << " m\n";
    }
    EXPECT_EQ(other_hits, 0);
    EXPECT_LE(far, static_cast<double>(rays.size()) * 1e-5);
    EXPECT_EQ(lost, 0) << "rays where long doubles agree with Embree";
    EXPECT_GT(hit_count, static_cast<int>(rays.size() / 3));
    std::cout << far << " of " << rays.size() << " rays differ by more than 0.1 mm, the others by "
              << worst << " m at most\n";
  }
}

// The same rays, not rounded to floats: what the rounding of origins and directions does to an
// engine of floats.
TEST(CityRays, HaveTheRangesOfLongDoublesWhereFloatsCannot) {
  const City city = make_city(4);
  std::vector<scene::Ray> rays = make_scan(city, 1);
  const scene::Scene scene = make_objects(city);
  int checked = 0;
  for (std::size_t k = 0; k < rays.size(); k += 499) {
    rays[k].origin += Vector3(1e-7, -2e-7, 3e-8);
    rays[k].direction.normalize();
    const double own = scene.cast(rays[k]).range, truth = find_range(city, rays[k]);
    ASSERT_EQ(std::isfinite(own), std::isfinite(truth)) << "ray " << k;
    if (!std::isfinite(own)) continue;
    ++checked;
    // 1e-13 m of a double's rounding, stretched where a face is met at a flat angle.
    EXPECT_NEAR(own, truth, 1e-9) << "ray " << k;
  }
  EXPECT_GT(checked, 80);
}

}  // namespace
}  // namespace camber::bench
