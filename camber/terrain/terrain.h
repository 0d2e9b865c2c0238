#pragma once

// The ground, as a vehicle queries it.
//
//   const Terrain terrain = load_terrain("terrains/hills.toml");  // constant, for all threads
//   TerrainCache cache = terrain.make_cache();                     // one per thread
//   std::array<Point2, 4> wheels = ...;
//   std::array<GroundPoint, 4> ground;
//   terrain.query(wheels, &cache, ground);   // height, slopes, curvature, friction, soil at once
//   terrain.surface(x, y, &cache)            // one point for double, Dual<N> or Lanes<N>
//
// A query does not allocate, lock or make a virtual call if its tile is in memory
// (terrain.prefetch() ensures that). For deformable ground see soil_grid.h.

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "camber/terrain/bump.h"
#include "camber/terrain/crg_road.h"
#include "camber/terrain/elevation_map.h"
#include "camber/terrain/region_map.h"
#include "camber/terrain/soil.h"
#include "camber/terrain/tiled_map.h"
#include "camber/terrain/triangle_map.h"

namespace camber::terrain {

using Surface = std::variant<Plane, ElevationMap, TiledMap, CrgRoad, TriangleMap>;

struct Point2 {
  double x = 0.0, y = 0.0;  // [m]
};

/// An obstacle with a polygon as its outline: a building, a parked car.
struct Prism {
  std::string name = {};
  std::vector<Point2> corners = {};  // in order, either sense [m]
  double height = 0.0;               // [m]
};

/// The ground at one point.
struct GroundPoint {
  SurfaceSample surface = {};
  double friction = 0.0;  // factor on the friction of tires, 1 on a dry road [-]
  int soil = 0;           // in Terrain::soils
};

/// Tiles in memory, and the place of the last query. It does not affect results; use one per
/// thread.
struct TerrainCache {
  TileCache tiles = {};
};

/// A surface, bumps on it, and its friction and soil. Built once, constant from then on, shared by
/// all threads and vehicles.
struct Terrain {
  std::string name = {};
  Surface base = Plane{};
  std::vector<Bump> bumps = {};     // added to the base
  RegionMap<double> friction{1.0};  // [-]
  std::vector<Soil> soils = {make_rigid_ground()};
  RegionMap<int> soil_map{0};            // number in soils
  std::vector<Obstacle> obstacles = {};  // in addition to those of a procedural base
  std::vector<Prism> prisms = {};
  int cache_tiles = 256;  // of a tiled base: 18 kB each

  TerrainCache make_cache() const;

  /// The ground at all points; `out` must be as long as `points`. Throws std::invalid_argument
  /// otherwise, and FileError when a paged file cannot be read.
  void query(std::span<const Point2> points, TerrainCache* cache, std::span<GroundPoint> out) const;

  /// Height, slopes and second derivatives at one point.
  SurfaceSample sample(double x, double y, TerrainCache* cache) const;
  /// Like surface(), but with the mean of each bump, and of ground of triangles, over the segment
  /// (dx, dy) centered at the point; other surfaces have no edges and are sampled at the point.
  SurfaceSample sample_mean(double x, double y, double dx, double dy, TerrainCache* cache) const;
  /// The surface at eight points; neighboring points cost little more than one.
  EightSlopes sample_mean(const EightNumbers& x, const EightNumbers& y, double dx, double dy,
                          TerrainCache* cache) const;
  template <class T>
  SurfacePoint<T> surface(const T& x, const T& y, TerrainCache* cache) const {
    return sample_surface([&](double a, double b) { return sample(a, b, cache); }, x, y);
  }

  /// The plane that the ground forms within `reach` of (x, y), if it is plane there.
  std::optional<Plane> find_plane(double x, double y, double reach) const;

  /// Loads the tiles of a rectangle into memory, ahead of a step.
  void prefetch(const Box2& box, TerrainCache* cache) const;

  /// Whether the surface is defined there; outside, the height of its edge is used.
  bool contains(double x, double y) const;

  /// Trees and posts whose center is in the box, in a fixed order.
  std::vector<Obstacle> find_obstacles(const Box2& box) const;
  /// Numbers of the prisms whose box reaches into the given one, ascending.
  std::vector<int> find_prisms(const Box2& box) const;
};

}  // namespace camber::terrain
