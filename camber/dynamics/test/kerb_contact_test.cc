#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/dynamics/ground_contact.h"
#include "camber/terrain/terrain.h"

namespace camber::dynamics {
namespace {

/// A kerb across x = `at`, as a step that is added to a plane, and as an edge between triangles.
terrain::Terrain make_step(double at, double height) {
  terrain::Terrain ground;
  ground.bumps.push_back(
      {.shape = terrain::BumpShape::kStep, .x = at, .height = height, .rise = 0});
  return ground;
}
terrain::Terrain make_kerb(double at, double height) {
  const double far = 50;
  const std::vector<terrain::GroundTriangle> triangles = {
      {{{-far, -far, 0}, {at, -far, 0}, {at, far, 0}}},
      {{{-far, -far, 0}, {at, far, 0}, {-far, far, 0}}},
      {{{at, -far, height}, {far, -far, height}, {far, far, height}}},
      {{{at, -far, height}, {far, far, height}, {at, far, height}}}};
  terrain::Terrain ground;
  ground.base = terrain::TriangleMap(triangles);
  return ground;
}

// Two representations of one kerb: a wheel that comes to it at any height, heading and camber feels
// the same.
TEST(KerbContact, EdgeBetweenTrianglesIsTheStepOfAFormula) {
  const WheelSize wheel{.radius = 0.47, .width = 0.29};
  const ContactOptions options{.mode = ContactMode::kEnvelope};
  const double at = 1.37, height = 0.14;
  const terrain::Terrain step = make_step(at, height), kerb = make_kerb(at, height);
  terrain::TerrainCache cache_a = step.make_cache(), cache_b = kerb.make_cache();
  RandomStream random(8);
  int touched = 0;
  for (int k = 0; k < 400; ++k) {
    const double heading = random.uniform(-3.1, 3.1), camber = random.uniform(-0.12, 0.12);
    const Vec3<double> axis(-std::sin(heading) * std::cos(camber),
                            std::cos(heading) * std::cos(camber), std::sin(camber));
    const Vec3<double> center(at + random.uniform(-0.8, 0.8), random.uniform(-3, 3),
                              random.uniform(0.40, 0.60));
    const auto a = find_contact(wheel, options, step, &cache_a, center, axis);
    const auto b = find_contact(wheel, options, kerb, &cache_b, center, axis);
    SCOPED_TRACE(testing::Message() << "case " << k);
    EXPECT_NEAR(a.deflection, b.deflection, 2e-9);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(a.normal[i], b.normal[i], 2e-6);
      EXPECT_NEAR(a.arm[i], b.arm[i], 1e-6);
    }
    touched += a.deflection > 0 ? 1 : 0;
  }
  EXPECT_GT(touched, 100);
}

// A kerb enters the contact little by little: rolling on to it, the deflection has no jump. Over
// 0.1 mm of way it changes by less than the geometry allows for a corner that the rim meets, which
// is the way times the rim's slope there.
TEST(KerbContact, DeflectionHasNoJumpOnTheWayUp) {
  const WheelSize wheel{.radius = 0.47, .width = 0.29};
  const ContactOptions options{.mode = ContactMode::kEnvelope};
  const terrain::Terrain kerb = make_kerb(0, 0.13);
  terrain::TerrainCache cache = kerb.make_cache();
  const Vec3<double> axis(-std::sin(0.2), std::cos(0.2), 0);
  double before = 0, largest = 0;
  for (int k = 0; k <= 12000; ++k) {
    const Vec3<double> center(-0.6 + 1e-4 * k, 0.3, 0.455);
    const double d = find_contact(wheel, options, kerb, &cache, center, axis).deflection;
    if (k > 0) largest = std::max(largest, std::abs(d - before));
    before = d;
  }
  EXPECT_LT(largest, 1.2e-4);
  EXPECT_NEAR(before, 0.13 + 0.47 - 0.455, 1e-9);  // on top
}

}  // namespace
}  // namespace camber::dynamics
