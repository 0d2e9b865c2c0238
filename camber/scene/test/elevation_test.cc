#include "camber/scene/elevation.h"

#include <gtest/gtest.h>

#include "camber/scene/test/test_scene.h"

namespace camber::scene {
namespace {

/// A tilted road of triangles under a bridge of 4 m, with a kerb of 0.15 m, a tree crown, a car and
/// a hole.
struct Place {
  Scene scene;
  int car = 0;
  static double road(double x, double y) { return 0.021 * x - 0.013 * y + 0.4; }

  Place() {
    std::vector<Vector3> points;
    std::vector<Mesh::Triangle> triangles;
    const auto add_face = [&](double x0, double y0, double x1, double y1, double up) {
      const auto n = static_cast<std::uint32_t>(points.size());
      for (const auto& [x, y] : {std::pair{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}) {
        points.emplace_back(x, y, road(x, y) + up);
      }
      triangles.push_back({n, n + 1, n + 2});
      triangles.push_back({n, n + 2, n + 3});
    };
    add_face(-30, -10.003, 30, 4.007, 0);  // road
    add_face(-30, 4.007, 2.2, 12, 0.15);   // sidewalk, up to a hole
    add_face(9.7, 4.007, 30, 12, 0.15);    // and beyond it
    add_face(-3, -10.003, 3, 12, 4.6);     // bridge
    Instance ground;
    ground.shape = MeshShape{scene.add_mesh(make_mesh(points, triangles))};
    scene.add_instance(ground);
    Instance crown;
    crown.shape = Sphere{2.0};
    crown.X_WS.translation() = Vector3(15, -5, 6.5);
    scene.add_instance(crown);
    Instance parked;
    parked.shape = Box{{4.5, 1.8, 1.5}};
    parked.X_WS.translation() = Vector3(-15, 0, road(-15, 0) + 0.8);
    parked.label = car = scene.add_label("car");
    scene.add_instance(parked);
    scene.commit();
  }
  ElevationOptions options() const {
    ElevationOptions o;
    o.box = {-25, -9, 25, 11};
    o.spacing = 0.31;
    o.clearance = 3.5;
    o.seeds = {{20, -3, road(20, -3)}};
    o.ignored_labels = {car};
    return o;
  }
};

// Check 32 of the facts: heights at nodes on faces within 1 mm, under the bridge, too.
TEST(Elevation, HasTheHeightOfTheRoadUnderBridgesCrownsAndCars) {
  const Place place;
  const Elevation e = find_elevation(place.scene, place.options());
  int road = 0, sidewalk = 0, hole = 0;
  for (int j = 0; j < e.grid.ny; ++j) {
    for (int i = 0; i < e.grid.nx; ++i) {
      const double x = e.grid.origin_x + i * e.grid.spacing;
      const double y = e.grid.origin_y + j * e.grid.spacing;
      const std::size_t k = static_cast<std::size_t>(j) * e.grid.nx + i;
      if (y > 4.007 && x > 2.2 && x < 9.7 && !(x > -3 && x < 3)) {
        EXPECT_EQ(e.is_known[k], 0);
        ++hole;
        continue;
      }
      if (y > 4.007 && x > 2.2 && x < 3) continue;  // above the hole there is the bridge alone
      const double expected = Place::road(x, y) + (y > 4.007 ? 0.15 : 0.0);
      EXPECT_NEAR(e.grid.heights[k], expected, 1e-3) << x << ", " << y;
      ++(y > 4.007 ? sidewalk : road);
    }
  }
  EXPECT_GT(road, 5000);
  EXPECT_GT(sidewalk, 2000);
  EXPECT_GT(hole, 300);
  // The surface that wheels get from it.
  const terrain::ElevationMap map(e.grid);
  EXPECT_NEAR(map.sample(-1.234, -2.345).h, Place::road(-1.234, -2.345), 1e-3);
}

TEST(Elevation, KeepsTheKerbAsStepsWithBothHeights) {
  const Place place;
  const Elevation e = find_elevation(place.scene, place.options());
  int kerb = 0;
  for (const StepPoint& step : e.steps) {
    if (step.is_along_x) continue;
    ++kerb;
    EXPECT_NEAR(step.y, 4.007, 0.006);
    EXPECT_TRUE(step.rises);
    EXPECT_NEAR(step.high - step.low, 0.15, 1e-3);
    EXPECT_NEAR(step.low, Place::road(step.x, 4.007), 1e-3);
  }
  EXPECT_GT(kerb, 100);
}

TEST(Elevation, TakesTheBridgeWhereTheSeedIsOnIt) {
  const Place place;
  ElevationOptions options = place.options();
  options.box = {-2.5, -9, 2.5, 11};
  options.seeds = {{0, 0, Place::road(0, 0) + 4.6}};
  const Elevation e = find_elevation(place.scene, options);
  EXPECT_NEAR(e.grid.heights[0], Place::road(-2.5, -9) + 4.6, 1e-3);
}

TEST(Elevation, RefusesSeedsInTheAir) {
  const Place place;
  ElevationOptions options = place.options();
  options.seeds = {{0, 0, -50}};
  EXPECT_THROW(find_elevation(place.scene, options), std::invalid_argument);
  options.seeds = {};
  EXPECT_THROW(find_elevation(place.scene, options), std::invalid_argument);
}

}  // namespace
}  // namespace camber::scene
