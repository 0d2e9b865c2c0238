#include "camber/city/city.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "camber/city/kerb_ring.h"
#include "camber/city/make_block.h"
#include "camber/city/polygons.h"
#include "camber/core/random.h"

namespace camber::city {
namespace {

CitySpec make_spec(Layout layout, std::uint64_t seed) {
  CitySpec spec;
  spec.seed = seed;
  spec.layout = layout;
  spec.width = 620, spec.depth = 540;
  spec.cylinders = 8;
  spec.construction = 0.1;
  return spec;
}

TEST(City, BlockMadeAloneIsThatOfTheWholeCity) {
  for (const Layout layout : {Layout::kGrid, Layout::kIrregular}) {
    const CitySpec spec = make_spec(layout, 7);
    const City city = make_city(spec);
    const StreetPlan plan(spec);
    for (auto block = city.blocks.rbegin(); block != city.blocks.rend(); ++block) {
      EXPECT_TRUE(make_block(plan, {block->i, block->j}) == *block);
    }
    // In a larger city, streets and kerbs away from the rim stay what they are.
    CitySpec large = spec, larger = spec;
    large.width = large.depth = 1000, larger.width = larger.depth = 1700;
    EXPECT_TRUE(make_block(StreetPlan(larger), {0, 0}).ground ==
                make_block(StreetPlan(large), {0, 0}).ground);
  }
}

TEST(City, SeedsDiffer) {
  const City a = make_city(make_spec(Layout::kIrregular, 7));
  const City b = make_city(make_spec(Layout::kIrregular, 8));
  EXPECT_FALSE(a.blocks[3] == b.blocks[3]);
}

TEST(City, EveryLanesSuccessorStartsWhereItEnds) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const City city =
        make_city(make_spec(seed % 2 == 0 ? Layout::kGrid : Layout::kIrregular, seed));
    ASSERT_GT(city.lanes.lanes.size(), 100U);
    for (const Lane& lane : city.lanes.lanes) {
      EXPECT_FALSE(lane.successors.empty());
      EXPECT_FALSE(lane.predecessors.empty());
      for (const int n : lane.successors) {
        const Lane& next = city.lanes.lanes[static_cast<std::size_t>(n)];
        EXPECT_EQ(next.center.front(), lane.center.back());
        EXPECT_EQ(next.start_heading, lane.end_heading);
      }
      // Headings at the ends are those of the center line: a chord of a turn differs from its
      // tangent by half of what it turns.
      const auto direction = [](Point a, Point b) { return std::atan2(b.y - a.y, b.x - a.x); };
      const std::size_t n = lane.center.size();
      EXPECT_NEAR(
          planning::wrap_angle(direction(lane.center[0], lane.center[1]) - lane.start_heading), 0,
          0.08);
      EXPECT_NEAR(planning::wrap_angle(direction(lane.center[n - 2], lane.center[n - 1]) -
                                       lane.end_heading),
                  0, 0.08);
    }
  }
}

TEST(City, EveryLaneLeadsToEveryOther) {
  for (std::uint64_t seed = 1; seed < 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const LaneGraph graph = make_city(make_spec(Layout::kIrregular, seed)).lanes;
    for (const bool is_forward : {true, false}) {
      std::vector<int> open = {0};
      std::set<int> seen = {0};
      while (!open.empty()) {
        const Lane& lane = graph.lanes[static_cast<std::size_t>(open.back())];
        open.pop_back();
        for (const int n : is_forward ? lane.successors : lane.predecessors) {
          if (seen.insert(n).second) open.push_back(n);
        }
      }
      // Outer lanes of an avenue may only be left, and inner ones only be entered, by a change of
      // lane: count neighbors as reached.
      std::size_t reached = 0;
      for (std::size_t k = 0; k < graph.lanes.size(); ++k) {
        const Lane& lane = graph.lanes[k];
        const auto is_seen = [&](int n) { return n >= 0 && seen.count(n) > 0; };
        reached += is_seen(static_cast<int>(k)) || is_seen(lane.left) || is_seen(lane.right) ||
                           lane.is_turn
                       ? 1
                       : 0;
      }
      EXPECT_EQ(reached, graph.lanes.size());
    }
  }
}

// The kerb that rays see and the kerb that wheels feel are the same.
TEST(City, RayFromAboveMeetsTheHeightThatWheelsFeel) {
  const City city = make_city(make_spec(Layout::kIrregular, 21));
  const terrain::Terrain terrain = make_terrain(city);
  const auto& map = std::get<terrain::TriangleMap>(terrain.base);
  City bare = city;  // ground and kerbs alone: paint is 3 mm thick, cars stand on the road
  for (Block& block : bare.blocks) {
    block.buildings.clear(), block.things.clear();
    std::erase_if(block.faces, [](const Facet& f) { return f.surface != Surface::kKerb; });
  }
  const scene::Scene scene = make_scene(bare);
  RandomStream random(5);
  for (int k = 0; k < 20000; ++k) {
    const double x = random.uniform(-250, 250), y = random.uniform(-220, 220);
    const scene::Hit hit =
        scene.cast({.origin = Vector3(x, y, 10), .direction = -Vector3::UnitZ()});
    ASSERT_TRUE(map.contains(x, y)) << x << " " << y;
    ASSERT_TRUE(hit.is_hit()) << x << " " << y;
    const double h = map.sample(x, y).h;
    // Vertices of meshes are floats: an edge may be 10 um away, and a kerb jumps there.
    const double near = std::max(
        {std::abs(map.sample(x + 2e-5, y).h - h), std::abs(map.sample(x - 2e-5, y).h - h),
         std::abs(map.sample(x, y + 2e-5).h - h), std::abs(map.sample(x, y - 2e-5).h - h)});
    if (near > 0.005) continue;
    EXPECT_NEAR(10 - hit.range, h, 2e-6) << x << " " << y;
  }
}

TEST(City, StreetsHaveTheirCrownAndKerbsTheirHeight) {
  const CitySpec spec = make_spec(Layout::kIrregular, 3);
  const StreetPlan plan(spec);
  const terrain::Terrain terrain = make_terrain(make_city(spec));
  const auto& map = std::get<terrain::TriangleMap>(terrain.base);
  int streets = 0;
  for (int j = plan.first().j; j < plan.last().j; ++j) {
    for (int i = plan.first().i; i < plan.last().i; ++i) {
      if (!plan.has_street({i, j}, kEast)) continue;
      ++streets;
      const Junction junction = plan.junction({i, j});
      const Arm& arm = junction.arm(kEast);
      const double s = 0.5 * arm.length, w = arm.profile.half_width();
      const auto height = [&](double left) {
        const Point p = arm.at(junction.place, s, left);
        return map.sample(p.x, p.y).h;
      };
      EXPECT_NEAR(height(0), spec.crown * w, 1e-9);
      EXPECT_NEAR((height(0.5) - height(2.5)) / 2, spec.crown, 1e-9);
      EXPECT_NEAR((height(-0.5) - height(-2.5)) / 2, spec.crown, 1e-9);
      EXPECT_NEAR(height(w - 1e-6), 0, 1e-6);
      const double kerb = height(w + 1e-6);
      EXPECT_GE(kerb, spec.kerb.low);
      EXPECT_LE(kerb, spec.kerb.high);
      EXPECT_NEAR(height(w + 1.1), kerb, 1e-9);
    }
  }
  EXPECT_GT(streets, 8);
}

TEST(City, CrossingsHaveRampsOnBothSides) {
  const City city = make_city(make_spec(Layout::kIrregular, 3));
  const terrain::Terrain terrain = make_terrain(city);
  const auto& map = std::get<terrain::TriangleMap>(terrain.base);
  ASSERT_GT(city.lanes.crossings.size(), 20U);
  for (const Crossing& crossing : city.lanes.crossings) {
    for (int side = 0; side < 2; ++side) {
      const Point a = crossing.ends[side], b = crossing.ends[1 - side];
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      const Point in{(b.x - a.x) / length, (b.y - a.y) / length};
      // The end is 0.8 m behind the kerb: half way up a ramp of 1.6 m.
      const double kerb = map.sample(a.x - 0.9 * in.x, a.y - 0.9 * in.y).h;
      EXPECT_NEAR(map.sample(a.x + 0.799 * in.x, a.y + 0.799 * in.y).h, kLip, 2e-4);
      EXPECT_NEAR(map.sample(a.x, a.y).h, 0.5 * (kLip + kerb), 2e-4);
      EXPECT_NEAR(map.sample(a.x + 0.801 * in.x, a.y + 0.801 * in.y).h, 0, 2e-4);
    }
  }
}

TEST(City, NoBuildingTouchesAStreetNorAnotherBuilding) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const CitySpec spec = make_spec(Layout::kIrregular, seed);
    const City city = make_city(spec);
    std::vector<Polygon> road;
    for (const Block& block : city.blocks) {
      for (const Facet& f : block.ground) {
        if (f.surface != Surface::kAsphalt && f.surface != Surface::kSidewalk) continue;
        Polygon t;
        for (const Point3& p : f.corners) t.push_back({p[0], p[1]});
        if (std::abs(area_of(t)) > 1e-6) road.push_back(t);
      }
    }
    std::size_t houses = 0;
    for (const Block& block : city.blocks) {
      houses += block.buildings.size();
      for (std::size_t k = 0; k < block.buildings.size(); ++k) {
        const Building& b = block.buildings[k];
        EXPECT_GT(area_of(b.footprint), 0);
        const Polygon inner = shrink(b.footprint, 0.01);
        for (const Polygon& t : road) {
          const double dx = t[0].x - inner[0].x, dy = t[0].y - inner[0].y;
          if (dx * dx + dy * dy > 250 * 250) continue;
          EXPECT_FALSE(planning::overlap(inner, t));
        }
        for (std::size_t m = 0; m < k; ++m)
          EXPECT_FALSE(planning::overlap(inner, shrink(block.buildings[m].footprint, 0.01)));
      }
    }
    EXPECT_GT(houses, 50U);
  }
}

TEST(City, ThingsKeepLanesFreeButForCylindersAndBarriers) {
  CitySpec spec = make_spec(Layout::kIrregular, 9);
  spec.cylinders = 0, spec.construction = 0;
  const City city = make_city(spec);
  const auto obstacles = find_obstacles(city, extent_of(city));
  ASSERT_GT(obstacles.size(), 500U);
  for (const Lane& lane : city.lanes.lanes) {
    for (std::size_t k = 0; k + 1 < lane.center.size(); ++k) {
      const Point a = lane.center[k], b = lane.center[k + 1];
      // A strip of 2 m width about the center line.
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      const Point n{-(b.y - a.y) / length, (b.x - a.x) / length};
      const Polygon strip = {{a.x - n.x, a.y - n.y},
                             {b.x - n.x, b.y - n.y},
                             {b.x + n.x, b.y + n.y},
                             {a.x + n.x, a.y + n.y}};
      for (const CityObstacle& o : obstacles) {
        if (std::abs(o.outline[0].x - a.x) + std::abs(o.outline[0].y - a.y) > 350) continue;
        EXPECT_FALSE(planning::overlap(strip, o.outline)) << o.name;
      }
    }
  }
}

// A car in the middle of any lane is free, on a sidewalk it is not.
TEST(City, ObstacleMapLeavesLanesFreeAndClosesSidewalks) {
  CitySpec spec = make_spec(Layout::kIrregular, 4);
  spec.cylinders = 0, spec.construction = 0;
  const City city = make_city(spec);
  const terrain::Box2 box{-280, -250, 280, 250};
  const planning::Obstacles map = make_obstacle_map(city, box, true);
  const planning::Footprint car{.front = 3.5, .rear = 1.0, .left = 1.0, .right = 1.0};
  int places = 0;
  for (const Lane& lane : city.lanes.lanes) {
    if (lane.is_turn) continue;
    const planning::Pose p = lane.at(0.5 * lane.length);
    if (std::abs(p.x) > 270 || std::abs(p.y) > 240) continue;
    ++places;
    EXPECT_FALSE(map.touches(car, p)) << p.x << " " << p.y;
    const double aside = lane.width * 4 + 2.2 + 1.5;  // right of the lane, beyond any bay
    planning::Pose q{p.x + aside * std::sin(p.heading), p.y - aside * std::cos(p.heading),
                     p.heading};
    EXPECT_TRUE(map.touches(car, q));
  }
  EXPECT_GT(places, 40);
}

TEST(Polygons, TriangulationHasTheAreaOfThePolygonWithoutItsHoles) {
  const Polygon outer = {{0, 0}, {10, 1}, {12, 9}, {5, 5}, {-1, 8}};
  const std::vector<Polygon> holes = {{{2, 2}, {3, 2.2}, {2.5, 3}},
                                      {{8, 3}, {9, 3}, {9, 5}, {8, 4.5}}};
  double area = 0;
  std::vector<Point> points = outer;
  for (const Polygon& h : holes) points.insert(points.end(), h.begin(), h.end());
  for (const auto& [a, b, c] : triangulate(outer, holes)) {
    const double part = area_of({points[a], points[b], points[c]});
    EXPECT_GT(part, 0);
    area += part;
  }
  EXPECT_NEAR(area,
              std::abs(area_of(outer)) - std::abs(area_of(holes[0])) - std::abs(area_of(holes[1])),
              1e-12);
}

}  // namespace
}  // namespace camber::city
