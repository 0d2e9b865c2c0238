#include <gtest/gtest.h>

#include "camber/scene/scene.h"
#include "camber/scene/test/test_scene.h"
#include "camber/terrain/soil_grid.h"
#include "camber/terrain/terrain_file.h"

namespace camber::scene {
namespace {

std::vector<Ray> look_around(const terrain::Terrain& ground, double half, double height, int count,
                             unsigned seed) {
  RandomPlaces random(seed);
  terrain::TerrainCache cache = ground.make_cache();
  std::vector<Ray> rays;
  for (int k = 0; k < count; ++k) {
    const double x = random.number(-half, half), y = random.number(-half, half);
    const double z = ground.sample(x, y, &cache).h + random.number(0.3, height);
    Vector3 d = random.direction();
    d.z() = k % 4 == 0 ? -std::abs(d.z()) : -0.15 * std::abs(d.z());
    rays.push_back({{x, y, z}, d.normalized(), 150});
  }
  return rays;
}

// Check 30 of the facts: the hit is on the surface that wheels use.
TEST(GroundRays, MeetTheSurfaceOfTheWheelsWithinAMicrometer) {
  const auto ground = make_hilly_terrain(200, 1.0);
  Scene scene;
  scene.set_ground(ground, {});
  const std::vector<Ray> rays = look_around(*ground, 90, 4, 1'000'000, 3);
  std::vector<Hit> hits(rays.size());
  scene.cast(rays, hits);
  terrain::TerrainCache cache = ground->make_cache();
  double worst = 0;
  int count = 0;
  for (std::size_t k = 0; k < rays.size(); ++k) {
    if (!hits[k].is_hit()) continue;
    ++count;
    const Vector3 p = rays[k].at(hits[k].range);
    const auto s = ground->sample(p.x(), p.y(), &cache);
    worst = std::max(worst, std::abs(p.z() - s.h));
    const auto n = s.normal();
    if (k % 100 == 0) {
      EXPECT_NEAR(hits[k].normal.dot(Vector3(n[0], n[1], n[2])), 1, 1e-9);
    }
  }
  EXPECT_LT(worst, 1e-9);
  EXPECT_GT(count, 700'000);
}

// Marching in steps of 1 mm, then halving: slow, and without bounds or trees.
double march(const Scene& scene, const Ray& ray) {
  const auto& r = scene.ground_region();
  const auto f = [&](double t) {
    const Vector3 p = ray.at(t);
    return p.z() - scene.ground_height(p.x(), p.y());
  };
  double t = 0, last = f(0);
  while (t < ray.max_range) {
    const double next = t + 1e-3;
    const Vector3 p = ray.at(next);
    if (p.x() < r.x0 || p.x() > r.x1 || p.y() < r.y0 || p.y() > r.y1) return HUGE_VAL;
    const double now = f(next);
    if ((now < 0) != (last < 0)) {
      double a = t, b = next;
      for (int k = 0; k < 60; ++k) {
        const double m = 0.5 * (a + b);
        ((f(m) < 0) == (last < 0) ? a : b) = m;
      }
      return 0.5 * (a + b);
    }
    t = next, last = now;
  }
  return HUGE_VAL;
}

TEST(GroundRays, FindTheFirstCrossingAsMarchingDoes) {
  const auto ground = make_hilly_terrain(80, 0.8);
  Scene scene;
  scene.set_ground(ground, {});
  int hits = 0;
  for (Ray ray : look_around(*ground, 35, 3, 400, 5)) {
    ray.max_range = 40;
    const Hit hit = scene.cast(ray);
    const double expected = march(scene, ray);
    if (expected == HUGE_VAL) {
      // A graze shorter than the marching step may be seen by the exact method alone.
      if (hit.is_hit()) {
        EXPECT_LT(std::abs(hit.normal.dot(ray.direction)), 0.02);
      }
      continue;
    }
    ++hits;
    ASSERT_TRUE(hit.is_hit());
    if (hit.range < expected - 1e-6) {
      EXPECT_LT(std::abs(hit.normal.dot(ray.direction)), 0.02);
    } else {
      EXPECT_NEAR(hit.range, expected, 1e-7);
    }
  }
  EXPECT_GT(hits, 200);
}

TEST(GroundRays, AreSeenFromBelowToo) {
  const auto ground = make_hilly_terrain(80, 0.8);
  Scene scene;
  scene.set_ground(ground, {});
  const Hit hit = scene.cast(Ray{{3.2, 4.1, -30}, Vector3(0.1, 0.2, 0.9).normalized(), 100});
  ASSERT_TRUE(hit.is_hit());
  EXPECT_LT(hit.normal.z(), 0);
}

// -Vector3::UnitZ() has two components of -0, whose sign says nothing. Such rays missed all ground.
TEST(GroundRays, DoNotCareForTheSignOfZero) {
  Scene scene;
  scene.set_ground(std::make_shared<terrain::Terrain>(), {.region = {-50, -50, 50, 50}});
  scene.add_instance({.shape = Box{{2, 2, 2}}, .X_WS = Isometry3(Eigen::Translation3d(20, 0, 1))});
  scene.commit();
  const Hit ground = scene.cast(Ray{{0.1, 0.2, 0.7}, -Vector3::UnitZ()});
  EXPECT_EQ(ground.instance, kGround);
  EXPECT_NEAR(ground.range, 0.7, 1e-9);
  EXPECT_EQ(scene.cast(Ray{{20.3, 0.4, 9}, -Vector3::UnitZ()}).instance, 0);
  EXPECT_EQ(scene.cast(Ray{{30, 0, 1}, -Vector3::UnitX()}).instance, 0);
}

TEST(GroundRays, MeetPlanesBumpsRoadsAndProceduralGround) {
  for (const char* file : {"terrains/hills.toml", "terrains/proving-ground.toml"}) {
    SCOPED_TRACE(file);
    auto ground = std::make_shared<terrain::Terrain>(terrain::load_terrain(file));
    Scene scene;
    scene.set_ground(ground, {.region = {-60, -60, 60, 60}});
    terrain::TerrainCache cache = ground->make_cache();
    int count = 0;
    for (const Ray& ray : look_around(*ground, 40, 3, 3000, 9)) {
      const Hit hit = scene.cast(ray);
      if (!hit.is_hit()) continue;
      ++count;
      const Vector3 p = ray.at(hit.range);
      EXPECT_NEAR(p.z(), ground->sample(p.x(), p.y(), &cache).h, 1e-9);
    }
    EXPECT_GT(count, 1500);
  }
}

// A wheel presses a rut; vertical rays at the soil's nodes meet its heights, slanted ones the
// surface between them.
TEST(GroundRays, SeeARutAsTheSoilHasIt) {
  auto ground = std::make_shared<terrain::Terrain>();
  ground->base = make_hills(40, 0.5);
  ground->soils = {terrain::find_soil("dry_sand_LLL")};
  terrain::SoilGrid soil(ground.get(), {.spacing = 0.04});
  terrain::TerrainCache cache = ground->make_cache();
  Scene scene;
  scene.set_ground(ground, {});
  const double x0 = 1.3, y0 = -2.2;
  for (int k = 0; k < 200; ++k) {
    const double x = x0 + 0.01 * k;
    terrain::BodyMotion motion;
    motion.center = {x, y0, ground->sample(x, y0, &cache).h + 0.47 - 0.08};
    motion.velocity = {1, 0, 0};
    motion.angular_velocity = {0, 1 / 0.47, 0};
    soil.advance(terrain::WheelShape{}, motion, 0.01);
  }
  const terrain::Box2 box{x0 - 1, y0 - 1, x0 + 3, y0 + 1};
  scene.refresh_ground(soil, box);
  double deepest = 0;
  for (int j = -20; j <= 20; ++j) {
    for (int i = 0; i < 60; ++i) {
      const double x = 0.04 * std::round(x0 / 0.04 + i), y = 0.04 * std::round(y0 / 0.04 + j);
      const Hit hit = scene.cast(Ray{{x, y, 30}, {0, 0, -1}, 100});
      ASSERT_TRUE(hit.is_hit());
      EXPECT_NEAR(30 - hit.range, soil.height(x, y), 1e-6);
      deepest = std::max(deepest, soil.rut_depth(x, y));
    }
  }
  EXPECT_GT(deepest, 0.03);
  RandomPlaces random(77);
  for (int k = 0; k < 200; ++k) {
    const Vector3 target(x0 + random.number(0, 2), y0 + random.number(-0.2, 0.2),
                         scene.ground_height(x0, y0));
    const Vector3 eye = target + Vector3(random.number(-4, 4), random.number(-4, 4), 1.5);
    const Ray ray{eye, (target - eye).normalized(), 30};
    const Hit hit = scene.cast(ray);
    ASSERT_TRUE(hit.is_hit());
    const Vector3 p = ray.at(hit.range);
    EXPECT_NEAR(p.z(), scene.ground_height(p.x(), p.y()), 1e-9);
    EXPECT_NEAR(hit.range, march(scene, ray), 1e-6);
  }
}

}  // namespace
}  // namespace camber::scene
