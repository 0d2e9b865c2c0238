#include "camber/terrain/terrain.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::terrain {
namespace {

SurfaceSample sample_base(const Plane& s, double x, double y, TerrainCache*) {
  return s.sample(x, y);
}
SurfaceSample sample_base(const ElevationMap& s, double x, double y, TerrainCache*) {
  return s.sample(x, y);
}
SurfaceSample sample_base(const TiledMap& s, double x, double y, TerrainCache* cache) {
  return s.sample(x, y, &cache->tiles);
}
SurfaceSample sample_base(const CrgRoad& s, double x, double y, TerrainCache*) {
  return s.sample(x, y);
}
SurfaceSample sample_base(const TriangleMap& s, double x, double y, TerrainCache*) {
  return s.sample(x, y);
}

EightSlopes sample_eight(const Plane& s, const EightNumbers& x, const EightNumbers& y,
                         TerrainCache*) {
  return {s.height + s.slope_x * x + s.slope_y * y, s.slope_x, s.slope_y};
}
EightSlopes sample_eight(const ElevationMap& s, const EightNumbers& x, const EightNumbers& y,
                         TerrainCache*) {
  return s.sample(x, y);
}
EightSlopes sample_eight(const TiledMap& s, const EightNumbers& x, const EightNumbers& y,
                         TerrainCache* cache) {
  return s.sample(x, y, &cache->tiles);
}
EightSlopes sample_eight(const CrgRoad& s, const EightNumbers& x, const EightNumbers& y,
                         TerrainCache*) {
  EightSlopes all;
  for (int i = 0; i < 8; ++i) all.set(i, s.sample(x.lane(i), y.lane(i)));
  return all;
}
EightSlopes sample_eight(const TriangleMap& s, const EightNumbers& x, const EightNumbers& y,
                         TerrainCache*) {
  EightSlopes all;
  for (int i = 0; i < 8; ++i) all.set(i, s.sample(x.lane(i), y.lane(i)));
  return all;
}

/// A surface with edges, or null.
const TriangleMap* find_edged(const Surface& base) { return std::get_if<TriangleMap>(&base); }

}  // namespace

TerrainCache Terrain::make_cache() const {
  TerrainCache cache;
  if (std::holds_alternative<TiledMap>(base)) cache.tiles = TileCache(cache_tiles);
  return cache;
}

SurfaceSample Terrain::sample(double x, double y, TerrainCache* cache) const {
  SurfaceSample s =
      std::visit([&](const auto& surface) { return sample_base(surface, x, y, cache); }, base);
  for (const Bump& bump : bumps) s += sample_bump(bump, x, y);
  return s;
}

SurfaceSample Terrain::sample_mean(double x, double y, double dx, double dy,
                                   TerrainCache* cache) const {
  const TriangleMap* edged = find_edged(base);
  SurfaceSample s =
      edged != nullptr
          ? edged->sample_mean(x, y, dx, dy)
          : std::visit([&](const auto& surface) { return sample_base(surface, x, y, cache); },
                       base);
  for (const Bump& bump : bumps) s += sample_bump_mean(bump, x, y, dx, dy);
  return s;
}

EightSlopes Terrain::sample_mean(const EightNumbers& x, const EightNumbers& y, double dx, double dy,
                                 TerrainCache* cache) const {
  EightSlopes s;
  if (const TriangleMap* edged = find_edged(base)) {
    double at_x[8], at_y[8];
    SurfaceSample means[8];
    for (int i = 0; i < 8; ++i) at_x[i] = x.lane(i), at_y[i] = y.lane(i);
    edged->sample_means(at_x, at_y, dx, dy, means);
    for (int i = 0; i < 8; ++i) s.set(i, means[i]);
  } else {
    s = std::visit([&](const auto& surface) { return sample_eight(surface, x, y, cache); }, base);
  }
  for (const Bump& bump : bumps) {
    EightSlopes more;
    for (int i = 0; i < 8; ++i) more.set(i, sample_bump_mean(bump, x.lane(i), y.lane(i), dx, dy));
    s.h += more.h, s.hx += more.hx, s.hy += more.hy;
  }
  return s;
}

void Terrain::query(std::span<const Point2> points, TerrainCache* cache,
                    std::span<GroundPoint> out) const {
  require(points.size() == out.size(), "Terrain::query: ", points.size(), " points, room for ",
          out.size());
  // The kind of surface is determined once for all points.
  std::visit(
      [&](const auto& surface) {
        for (std::size_t i = 0; i < points.size(); ++i) {
          out[i].surface = sample_base(surface, points[i].x, points[i].y, cache);
        }
      },
      base);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [x, y] = points[i];
    for (const Bump& bump : bumps) out[i].surface += sample_bump(bump, x, y);
    out[i].friction = friction.at(x, y);
    out[i].soil = soil_map.at(x, y);
  }
}

std::optional<Plane> Terrain::find_plane(double x, double y, double reach) const {
  std::optional<Plane> found;
  if (const auto* base_plane = std::get_if<Plane>(&base)) found = *base_plane;
  if (const TriangleMap* edged = find_edged(base)) found = edged->find_plane(x, y, reach);
  if (!found) return std::nullopt;
  Plane plane = *found;
  for (const Bump& bump : bumps) {
    const std::optional<double> level = find_level(bump, x, y, reach);
    if (!level) return std::nullopt;
    plane.height += *level;
  }
  return plane;
}

void Terrain::prefetch(const Box2& box, TerrainCache* cache) const {
  if (const auto* map = std::get_if<TiledMap>(&base)) map->prefetch(box, &cache->tiles);
}

bool Terrain::contains(double x, double y) const {
  if (const auto* map = std::get_if<ElevationMap>(&base)) return map->contains(x, y);
  if (const auto* map = std::get_if<TiledMap>(&base)) return map->contains(x, y);
  if (const auto* road = std::get_if<CrgRoad>(&base)) return road->contains(x, y);
  if (const TriangleMap* edged = find_edged(base)) return edged->contains(x, y);
  return true;
}

std::vector<Obstacle> Terrain::find_obstacles(const Box2& box) const {
  std::vector<Obstacle> found;
  if (const auto* map = std::get_if<TiledMap>(&base)) {
    if (const auto* ground = std::get_if<ProceduralGround>(&map->source())) {
      found = ground->find_trees(box);
    }
  }
  for (const Obstacle& o : obstacles) {
    if (o.x >= box.x0 && o.x < box.x1 && o.y >= box.y0 && o.y < box.y1) found.push_back(o);
  }
  return found;
}

std::vector<int> Terrain::find_prisms(const Box2& box) const {
  std::vector<int> found;
  for (std::size_t k = 0; k < prisms.size(); ++k) {
    Box2 own{HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (const Point2& p : prisms[k].corners) {
      own = {std::min(own.x0, p.x), std::min(own.y0, p.y), std::max(own.x1, p.x),
             std::max(own.y1, p.y)};
    }
    if (own.x0 <= box.x1 && box.x0 <= own.x1 && own.y0 <= box.y1 && box.y0 <= own.y1)
      found.push_back(static_cast<int>(k));
  }
  return found;
}

}  // namespace camber::terrain
