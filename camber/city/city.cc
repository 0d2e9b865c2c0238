#include "camber/city/city.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/city/make_block.h"
#include "camber/city/things.h"
#include "camber/core/require.h"

namespace camber::city {
namespace {

using terrain::Box2;

Box2 empty_box() { return {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL}; }
void extend(double x, double y, Box2* box) {
  *box = {std::min(box->x0, x), std::min(box->y0, y), std::max(box->x1, x), std::max(box->y1, y)};
}
bool meets(const Box2& a, const Box2& b) {
  return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}

/// What a thing covers of the ground.
Polygon outline_of(const Thing& thing) {
  const ThingSize size = size_of(thing.kind, thing.variant);
  const double c = std::cos(thing.yaw), s = std::sin(thing.yaw);
  Polygon outline;
  const auto add = [&](double x, double y) {
    outline.push_back({thing.x + c * x - s * y, thing.y + s * x + c * y});
  };
  const double a = 0.5 * thing.scale * size.length, b = 0.5 * thing.scale * size.width;
  if (size.is_round) {
    constexpr int kSides = 8;
    const double radius = a / std::cos(std::numbers::pi / kSides);
    for (int k = 0; k < kSides; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.5) / kSides;
      add(radius * std::cos(angle), radius * std::sin(angle));
    }
  } else {
    add(-a, -b), add(a, -b), add(a, b), add(-a, b);
  }
  return outline;
}

Box2 box_of(const Polygon& polygon) {
  Box2 box = empty_box();
  for (const Point& p : polygon) extend(p.x, p.y, &box);
  return box;
}

}  // namespace

City make_city(const CitySpec& spec) {
  const StreetPlan plan(spec);
  City city{.name = spec.name, .storey_height = spec.storey_height};
  city.seed = spec.seed;
  city.car_count = spec.cars, city.pedestrian_count = spec.pedestrians;
  for (int j = plan.first().j; j <= plan.last().j; ++j) {
    for (int i = plan.first().i; i <= plan.last().i; ++i) {
      city.blocks.push_back(make_block(plan, {i, j}));
    }
  }
  city.lanes = make_lanes(plan);
  return city;
}

Box2 extent_of(const City& city) {
  Box2 box = empty_box();
  for (const Block& block : city.blocks) {
    const Box2 own = extent_of(block);
    if (own.x0 > own.x1) continue;
    extend(own.x0, own.y0, &box), extend(own.x1, own.y1, &box);
  }
  return box;
}

std::vector<CityObstacle> find_obstacles(const City& city, const Box2& box) {
  std::vector<CityObstacle> found;
  for (const Block& block : city.blocks) {
    for (const Building& b : block.buildings) {
      if (meets(box_of(b.footprint), box)) found.push_back({b.footprint, b.height, "building"});
    }
    for (const Thing& t : block.things) {
      if (!is_obstacle(t.kind)) continue;
      constexpr double kLargest = 4;  // half diagonal of any thing [m]
      if (!meets({t.x - kLargest, t.y - kLargest, t.x + kLargest, t.y + kLargest}, box)) continue;
      Polygon outline = outline_of(t);
      if (!meets(box_of(outline), box)) continue;
      found.push_back(
          {std::move(outline), t.scale * size_of(t.kind, t.variant).height, name_of(t.kind)});
    }
  }
  return found;
}

planning::Obstacles make_obstacle_map(const City& city, const Box2& box, bool islands) {
  std::vector<Polygon> polygons;
  for (CityObstacle& o : find_obstacles(city, box)) polygons.push_back(std::move(o.outline));
  for (const Block& block : city.blocks) {
    for (const Polygon& p : block.islands) {
      if (islands && meets(box_of(p), box)) polygons.push_back(p);
    }
  }
  return planning::Obstacles(std::move(polygons), {{box.x0, box.y0}, {box.x1, box.y1}});
}

terrain::Terrain make_terrain(const City& city) {
  std::vector<terrain::GroundTriangle> triangles;
  std::size_t count = 0;
  for (const Block& block : city.blocks) count += block.ground.size();
  triangles.reserve(count);
  for (const Block& block : city.blocks) {
    for (const Facet& f : block.ground) triangles.push_back(f.corners);
  }
  require(!triangles.empty(), "city \"", city.name, "\" has no ground");
  terrain::Terrain terrain;
  terrain.name = city.name;
  terrain.base = terrain::TriangleMap(triangles);
  for (const CityObstacle& o : find_obstacles(city, extent_of(city))) {
    terrain::Prism prism{.name = o.name, .height = o.height};
    for (const Point& p : o.outline) prism.corners.push_back({p.x, p.y});
    terrain.prisms.push_back(std::move(prism));
  }
  return terrain;
}

}  // namespace camber::city
