#include <array>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "camber/math/dual.h"
#include "camber/scene/mesh_tree.h"
#include "camber/scene/scene.h"
#include "camber/scene/test/test_scene.h"

namespace camber::scene {
namespace {

/// Moeller and Trumbore's test in long doubles: range, and how far inside the triangle's edges the
/// point is (barycentric; negative: outside).
struct Crossing {
  long double range = HUGE_VALL, inside = -1;
};
Crossing referee(const Vector3& a, const Vector3& b, const Vector3& c, const Ray& ray) {
  using V = Eigen::Matrix<long double, 3, 1>;
  const V o = ray.origin.cast<long double>(), d = ray.direction.cast<long double>();
  const V p = a.cast<long double>(), e1 = b.cast<long double>() - p, e2 = c.cast<long double>() - p;
  const V q = d.cross(e2);
  const long double det = e1.dot(q);
  if (det == 0) return {};
  const V s = o - p;
  const long double u = s.dot(q) / det;
  const V r = s.cross(e1);
  const long double v = d.dot(r) / det, t = e2.dot(r) / det;
  if (t < 0) return {};
  return {t, std::min({u, v, 1 - u - v})};
}

Vector3 corner(const Scene& scene, const Instance& instance, int triangle, int k) {
  const Mesh& mesh = scene.mesh(std::get<MeshShape>(instance.shape).mesh);
  return instance.X_WS * mesh.vertex(mesh.triangles[triangle][k]);
}

bool same_bits(const Hit& a, const Hit& b) {
  return std::memcmp(&a.range, &b.range, sizeof(double)) == 0 &&
         std::memcmp(a.normal.data(), b.normal.data(), 3 * sizeof(double)) == 0 &&
         a.instance == b.instance && a.primitive == b.primitive && a.material == b.material &&
         a.label == b.label;
}

TEST(Rays, FindTheNearestTriangleOfAllAsALongDoubleRefereeDoes) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Vector3 middle(1203.7, -844.1, 31.9);
    Scene scene;
    RandomPlaces random(seed);
    const int ball = scene.add_mesh(make_sphere_mesh(1.7, 2));
    const int box = scene.add_mesh(make_box_mesh({1.2, 3.3, 0.4}));
    for (int k = 0; k < 20; ++k) {
      Instance thing;
      thing.shape = MeshShape{k % 2 == 0 ? ball : box};
      thing.X_WS = random.pose(middle, 6);
      scene.add_instance(thing);
    }
    scene.commit();
    std::vector<Ray> rays(4000);
    for (Ray& ray : rays) ray = random.ray(middle, 9, 6, 25.0);
    std::vector<Hit> hits(rays.size());
    scene.cast(rays, hits);
    int hit_count = 0;
    for (std::size_t r = 0; r < rays.size(); ++r) {
      Crossing best;
      bool is_edge = false;
      for (int k = 0; k < scene.instance_count(); ++k) {
        const Instance& thing = scene.instance(k);
        const auto n = scene.mesh(std::get<MeshShape>(thing.shape).mesh).triangles.size();
        for (int t = 0; t < static_cast<int>(n); ++t) {
          const Crossing c = referee(corner(scene, thing, t, 0), corner(scene, thing, t, 1),
                                     corner(scene, thing, t, 2), rays[r]);
          if (std::abs(c.inside) < 1e-9L) is_edge = true;
          if (c.inside >= 0 && c.range < best.range) best = c;
        }
      }
      if (is_edge) continue;
      if (best.range > rays[r].max_range) {
        EXPECT_FALSE(hits[r].is_hit()) << "ray " << r;
      } else {
        ++hit_count;
        EXPECT_NEAR(hits[r].range, static_cast<double>(best.range), 1e-10) << "ray " << r;
      }
    }
    EXPECT_GT(hit_count, 1000);
  }
}

TEST(Rays, HaveTheSameBitsForAnyGroupingAndNumberOfThreads) {
  Scene scene;
  add_things(11, {3, 4, 5}, 9, 60, &scene);
  scene.set_ground(make_hilly_terrain(120, 0.7), {});
  scene.commit();
  RandomPlaces random(12);
  std::vector<Ray> rays;
  for (int k = 0; k < 20011; ++k) {
    // Fans of neighbors, and rays without any.
    const Vector3 from = random.point({3, 4, 6}, 8);
    if (k % 3 == 0) {
      rays.push_back({from, random.direction(), 80});
    } else {
      const double a = 1e-3 * k;
      rays.push_back({{2.1, 3.3, 7.7}, Vector3(std::cos(a), std::sin(a), -0.2).normalized(), 90});
    }
  }
  std::vector<Hit> all(rays.size());
  scene.cast(rays, all);
  EXPECT_GT(std::ranges::count_if(all, [](const Hit& h) { return h.instance == kGround; }), 2000);
  EXPECT_GT(std::ranges::count_if(all, [](const Hit& h) { return h.instance >= 0; }), 2000);

  int differences = 0;
  for (std::size_t k = 0; k < rays.size(); ++k) {
    differences += same_bits(scene.cast(rays[k]), all[k]) ? 0 : 1;
  }
  EXPECT_EQ(differences, 0) << "one by one";

  std::vector<std::size_t> order(rays.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = (k * 7919) % order.size();
  std::vector<Ray> mixed(rays.size());
  std::vector<Hit> found(rays.size());
  for (std::size_t k = 0; k < order.size(); ++k) mixed[k] = rays[order[k]];
  scene.cast(mixed, found);
  for (std::size_t k = 0; k < order.size(); ++k) {
    differences += same_bits(found[k], all[order[k]]) ? 0 : 1;
  }
  EXPECT_EQ(differences, 0) << "in another order";

  for (const std::size_t threads : {1U, 2U, 4U}) {
    std::vector<Hit> parts(rays.size());
    std::vector<std::jthread> pool;
    const std::size_t size = rays.size() / threads + 1;
    for (std::size_t first = 0; first < rays.size(); first += size) {
      const std::size_t n = std::min(size, rays.size() - first);
      pool.emplace_back([&, first, n] {
        scene.cast(std::span(rays).subspan(first, n), std::span(parts).subspan(first, n));
      });
    }
    pool.clear();
    for (std::size_t k = 0; k < rays.size(); ++k) {
      differences += same_bits(parts[k], all[k]) ? 0 : 1;
    }
    EXPECT_EQ(differences, 0) << threads << " threads";
  }

  std::vector<std::uint8_t> any(rays.size());
  scene.any_hit(rays, any);
  for (std::size_t k = 0; k < rays.size(); ++k) {
    differences += (any[k] != 0) == all[k].is_hit() ? 0 : 1;
  }
  EXPECT_EQ(differences, 0) << "any_hit";
}

// A turn of sixteen beams among things near and far, again and again: lists up to a quarter of the
// reach, lists of all, and what is remembered of them give the same as each ray by itself.
TEST(Rays, NearAndFarThingsHaveTheBitsOfOneByOne) {
  for (const bool has_ground : {false, true}) {
    Scene scene;
    add_things(21, {3, 4, 2}, 95, 4000, &scene);
    if (has_ground) scene.set_ground(make_hilly_terrain(240, 0.7), {});
    scene.commit();
    std::vector<Ray> rays;
    for (int k = 0; k < 16 * 1024; ++k) {
      const double azimuth = 6.2832 / 1024 * (k / 256 * 16 + k % 16);
      const double elevation = 0.035 * (k / 16 % 16 - 7.3);
      const Vector3 d(std::cos(azimuth) * std::cos(elevation),
                      std::sin(azimuth) * std::cos(elevation), std::sin(elevation));
      // In some directions without an end.
      rays.push_back({{2.1, 3.3, 5.7}, d, azimuth < 4 ? 120 : HUGE_VAL});
    }
    std::vector<Hit> alone(rays.size()), together(rays.size());
    int near = 0, far = 0;
    for (std::size_t k = 0; k < rays.size(); ++k) {
      alone[k] = scene.cast(rays[k]);
      if (alone[k].instance >= 0) ++(alone[k].range < 30 ? near : far);
    }
    EXPECT_GT(near, 300);
    EXPECT_GT(far, 300);
    for (int round = 0; round < 30; ++round) {
      scene.cast(rays, together);
      int differences = 0;
      for (std::size_t k = 0; k < rays.size(); ++k)
        differences += same_bits(together[k], alone[k]) ? 0 : 1;
      ASSERT_EQ(differences, 0) << "round " << round << (has_ground ? " with ground" : "");
    }
  }
}

// Rays from inside a closed mesh: random ones, and ones aimed exactly at vertices and edges.
TEST(Rays, DoNotLeakOutOfAClosedMesh) {
  for (const int kind : {0, 1, 2}) {
    SCOPED_TRACE(testing::Message() << "mesh " << kind);
    Scene scene;
    const int mesh = scene.add_mesh(kind == 0   ? make_sphere_mesh(2.0, 4)
                                    : kind == 1 ? make_box_mesh({3.1, 2.7, 1.9})
                                                : make_cylinder_mesh(1.3, 4.0, 17));
    Instance thing;
    thing.shape = MeshShape{mesh};
    RandomPlaces random(21 + kind);
    thing.X_WS = random.pose({40, -70, 3}, 10);
    scene.add_instance(thing);
    scene.commit();
    const Mesh& m = scene.mesh(mesh);
    const Vector3 inside(0.1, -0.05, kind == 2 ? 2.0 : 0.03);
    std::vector<Ray> rays;
    for (int k = 0; k < 334000; ++k) {
      const Vector3 from = thing.X_WS * random.point(inside, 0.4);
      Vector3 direction = random.direction();
      const auto& t = m.triangles[k % m.triangles.size()];
      const Vector3 a = thing.X_WS * m.vertex(t[0]), b = thing.X_WS * m.vertex(t[1]);
      if (k % 4 == 1) direction = (a - from).normalized();
      if (k % 4 == 2) direction = (a + random.number(0, 1) * (b - a) - from).normalized();
      rays.push_back({from, direction, 1e9});
    }
    std::vector<Hit> hits(rays.size());
    scene.cast(rays, hits);
    EXPECT_EQ(std::ranges::count_if(hits, [](const Hit& h) { return !h.is_hit(); }), 0);
  }
}

// A box made of triangles and one made of formulas are the same thing.
TEST(Rays, MeetShapesWhereTheirMeshesAre) {
  RandomPlaces random(31);
  const Vector3 size(1.3, 2.1, 0.7);
  for (int round = 0; round < 4; ++round) {
    const Isometry3 X = random.pose({5, 6, 7}, 3);
    Scene meshes, shapes;
    Instance thing;
    thing.X_WS = X;
    if (round % 2 == 0) {
      thing.shape = MeshShape{meshes.add_mesh(make_box_mesh(size))};
      meshes.add_instance(thing);
      thing.shape = Box{size};
    } else {
      Mesh cylinder = make_cylinder_mesh(0.8, 2.2, 4096);
      cylinder.origin.z() = -1.1;
      thing.shape = MeshShape{meshes.add_mesh(cylinder)};
      meshes.add_instance(thing);
      thing.shape = Cylinder{0.8, 2.2};
    }
    shapes.add_instance(thing);
    meshes.commit(), shapes.commit();
    int hits = 0;
    for (int k = 0; k < 3000; ++k) {
      const Ray ray = random.ray(X.translation(), 5, 1.5, 30);
      const Hit a = meshes.cast(ray), b = shapes.cast(ray);
      ASSERT_EQ(a.is_hit(), b.is_hit()) << k;
      if (!a.is_hit()) continue;
      ++hits;
      // Sides of the mesh are up to 0.25 um inside of the cylinder; a flat angle stretches that.
      const double flat = 1 / std::max(0.02, std::abs(b.normal.dot(ray.direction)));
      EXPECT_NEAR(a.range, b.range, 1e-6 * flat) << k;
      EXPECT_LT((a.normal - b.normal).norm(), 2e-3) << k;
    }
    EXPECT_GT(hits, 100);
  }
}

TEST(Rays, GiveTheTieToTheLowestInstanceAndPrimitive) {
  Scene scene;
  Instance wall;
  wall.shape = Box{{0.2, 4, 4}};
  wall.X_WS.translation() = Vector3(3, 0, 0);
  for (int k = 0; k < 5; ++k) scene.add_instance(wall);
  scene.commit();
  const Hit hit = scene.cast(Ray{{0, 0.1, 0.2}, {1, 0, 0}, 10});
  EXPECT_EQ(hit.instance, 0);
  EXPECT_DOUBLE_EQ(hit.range, 2.9);
}

TEST(Rays, SeeMovedInstancesWhereTheyAreNow) {
  Scene scene;
  add_things(41, {0, 0, 4}, 20, 90, &scene);
  scene.commit();
  RandomPlaces random(42);
  for (int round = 0; round < 5; ++round) {
    for (int k = 0; k < scene.instance_count(); k += 3) {
      scene.move(k, random.pose(Vector3(30.0 * round, 0, 4), 25));
    }
    scene.refit();
    Scene fresh;
    add_things(41, {0, 0, 4}, 20, 90, &fresh);
    for (int k = 0; k < fresh.instance_count(); k += 3) fresh.move(k, scene.instance(k).X_WS);
    fresh.commit();
    for (int k = 0; k < 2000; ++k) {
      const Ray ray{random.point({15.0 * round, 0, 4}, 25), random.direction(), 60};
      EXPECT_TRUE(same_bits(scene.cast(ray), fresh.cast(ray)));
    }
  }
}

// Nothing changes when everything is moved and rotated together, 120 km from the origin.
TEST(Rays, DoNotDependOnTheFrame) {
  RandomPlaces random(51);
  const Isometry3 X = random.pose({-84000, 91000, 300}, 5000);
  Scene here, moved;
  add_things(52, {1, 2, 3}, 8, 70, &here);
  add_things(52, {1, 2, 3}, 8, 0, &moved);  // the meshes
  for (int k = 0; k < here.instance_count(); ++k) {
    Instance thing = here.instance(k);
    thing.X_WS = X * thing.X_WS;
    moved.add_instance(thing);
  }
  here.commit(), moved.commit();
  int hits = 0;
  for (int k = 0; k < 5000; ++k) {
    const Ray ray = random.ray({1, 2, 3}, 9, 8, 40);
    const Ray far{X * ray.origin, X.linear() * ray.direction, 40};
    const Hit a = here.cast(ray), b = moved.cast(far);
    ASSERT_EQ(a.is_hit(), b.is_hit()) << k;
    if (!a.is_hit()) continue;
    ++hits;
    // 120 km have 1.5e-11 m in a double; flat angles stretch it.
    EXPECT_NEAR(a.range, b.range, 1e-8) << k;
    EXPECT_LT((X.linear() * a.normal - b.normal).norm(), 1e-6);
  }
  EXPECT_GT(hits, 1000);
}

// d(range)/d(pose), by dual numbers and by differences of casts.
TEST(Rays, HaveTheDerivativesOfTheirRanges) {
  using math::Dual;
  Scene scene;
  add_things(61, {0, 0, 3}, 6, 40, &scene);
  scene.set_ground(make_hilly_terrain(60, 0.5), {});
  scene.commit();
  RandomPlaces random(62);
  int checked = 0;
  for (int k = 0; k < 600; ++k) {
    const Ray ray{random.point({0, 0, 5}, 4), random.direction(), 40};
    const Hit hit = scene.cast(ray);
    if (!hit.is_hit() || std::abs(hit.normal.dot(ray.direction)) < 0.2) continue;
    math::Vec3<Dual<6>> o, d;
    for (int a = 0; a < 3; ++a) {
      o.e[a] = Dual<6>::variable(ray.origin[a], a);
      d.e[a] = Dual<6>::variable(ray.direction[a], 3 + a);
    }
    const Dual<6> range = calc_range(ray.at(hit.range), hit.normal, o, d);
    EXPECT_NEAR(range.value, hit.range, 1e-12);
    const double step = 1e-5;
    for (int a = 0; a < 6; ++a) {
      Ray plus = ray, minus = ray;
      (a < 3 ? plus.origin[a] : plus.direction[a - 3]) += step;
      (a < 3 ? minus.origin[a] : minus.direction[a - 3]) -= step;
      const Hit after = scene.cast(plus), before = scene.cast(minus);
      if (after.instance != hit.instance || before.instance != hit.instance ||
          after.primitive != hit.primitive || before.primitive != hit.primitive) {
        continue;  // an edge in between
      }
      ++checked;
      EXPECT_NEAR(range.partial(a), (after.range - before.range) / (2 * step),
                  1e-5 * (1 + std::abs(range.partial(a))))
          << "ray " << k << ", derivative " << a;
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(Rays, RefuseWhatIsNotARay) {
  Scene scene;
  scene.add_instance({});
  EXPECT_THROW(scene.cast(Ray{}), std::invalid_argument);  // commit() is missing
  scene.commit();
  EXPECT_NO_THROW(scene.cast(Ray{}));
  EXPECT_THROW(scene.cast(Ray{{NAN, 0, 0}, {1, 0, 0}, 1}), std::invalid_argument);
  EXPECT_THROW(scene.cast(Ray{{0, 0, 0}, {0, 0, 0}, 1}), std::invalid_argument);
  EXPECT_THROW(scene.cast(Ray{{0, 0, 0}, {1, 0, 0}, -1}), std::invalid_argument);
  EXPECT_THROW(scene.move(0, Isometry3::Identity()), std::invalid_argument);
}

TEST(Queries, FindTheClosestPointAsSamplingDoes) {
  Scene scene;
  add_things(71, {0, 0, 0}, 5, 28, &scene);
  scene.commit();
  RandomPlaces random(72);
  for (int k = 0; k < 60; ++k) {
    const Vector3 p = random.point({0, 0, 0}, 9);
    const ClosestPoint closest = scene.find_closest(p, 30);
    ASSERT_GE(closest.instance, 0);
    EXPECT_NEAR((closest.point - p).norm(), closest.distance, 1e-9);
    // No ray from p meets anything nearer, and the ray to the closest point meets it there.
    for (int r = 0; r < 200; ++r) {
      const Hit hit = scene.cast(Ray{p, random.direction(), 100});
      if (closest.distance > 0) {
        EXPECT_GE(hit.range, closest.distance - 1e-9);
      }
    }
    if (closest.distance < 1e-6) continue;
    const ClosestPoint there = scene.find_closest(closest.point, 1);
    EXPECT_LT(there.distance, 1e-9);
    EXPECT_EQ(scene.find_closest(p, 0.99 * closest.distance).instance, kNothing);
  }
}

TEST(Queries, FindOverlapsAsClosestPointsDo) {
  Scene scene;
  add_things(81, {0, 0, 0}, 6, 42, &scene);
  scene.commit();
  RandomPlaces random(82);
  std::vector<Scene> each(scene.instance_count());
  for (int i = 0; i < scene.instance_count(); ++i) {
    add_things(81, {0, 0, 0}, 6, 0, &each[i]);  // the meshes
    each[i].add_instance(scene.instance(i));
    each[i].commit();
  }
  int overlaps = 0;
  for (int k = 0; k < 100; ++k) {
    const OrientedBox box{random.pose({0, 0, 0}, 6),
                          {random.number(0.2, 3), random.number(0.2, 3), random.number(0.2, 3)}};
    const std::vector<int> found = scene.find_overlaps(box);
    overlaps += static_cast<int>(found.size());
    for (int i = 0; i < scene.instance_count(); ++i) {
      const Scene& alone = each[i];
      // Points of the box: one that is in or on the instance proves an overlap.
      bool inside = false;
      double nearest = HUGE_VAL;
      for (int n = 0; n < 125 && !inside; ++n) {
        const Vector3 q = box.X_WB * Vector3((n % 5 / 4.0 - 0.5) * box.size[0],
                                             (n / 5 % 5 / 4.0 - 0.5) * box.size[1],
                                             (n / 25 / 4.0 - 0.5) * box.size[2]);
        nearest = std::min(nearest, alone.find_closest(q, 100).distance);
        inside = nearest < 1e-9;
      }
      const bool reported = std::ranges::binary_search(found, i);
      if (inside) {
        EXPECT_TRUE(reported) << "box " << k << ", instance " << i;
      }
      // A grid point is within half a diagonal of the grid of every point of the box.
      if (nearest > 0.5 * 0.25 * box.size.norm() + 1e-6) {
        EXPECT_FALSE(reported) << "box " << k << ", instance " << i;
      }
    }
  }
  EXPECT_GT(overlaps, 40);
}

TEST(Queries, ColumnsCrossEverythingThatVerticalRaysMeetOneByOne) {
  Scene scene;
  add_things(91, {0, 0, 4}, 5, 50, &scene);
  scene.set_ground(make_hilly_terrain(40, 0.5), {});
  scene.commit();
  RandomPlaces random(92);
  std::vector<ColumnHit> column;
  for (int k = 0; k < 500; ++k) {
    const double x = random.number(-7, 7), y = random.number(-7, 7);
    scene.find_column(x, y, &column);
    double z = 100;
    std::size_t n = 0;
    for (;; ++n) {
      const Hit hit = scene.cast(Ray{{x, y, z}, {0, 0, -1}, 300});
      if (!hit.is_hit()) break;
      ASSERT_LT(n, column.size()) << k;
      z -= hit.range;
      EXPECT_NEAR(column[n].z, z, 1e-9) << k;
      EXPECT_EQ(column[n].instance, hit.instance);
      z -= 1e-7;
    }
    EXPECT_EQ(n, column.size()) << k;
  }
}

// The sign of a zero in a direction once made rays miss every box.
TEST(Rays, NegativeZerosInADirectionAreZeros) {
  Scene scene;
  const int ball = scene.add_mesh(make_sphere_mesh(2.3, 3));
  scene.add_instance({.shape = MeshShape{ball}});
  scene.commit();
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      for (const double zero : {0.0, -0.0}) {
        Ray ray;
        ray.direction = Vector3::Constant(zero);
        ray.direction[axis] = sign;
        ray.origin = Vector3(0.31, 0.17, -0.23);
        ray.origin[axis] = -7 * sign;
        const Hit hit = scene.cast(ray);
        ASSERT_TRUE(hit.is_hit()) << axis << " " << sign << " " << zero;
        EXPECT_NEAR(hit.range, 7 - 2.3, 0.1);
      }
    }
  }
}

}  // namespace
}  // namespace camber::scene
