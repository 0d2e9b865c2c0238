#pragma once

#include <cstdint>
#include <vector>

#include "camber/planning/distance_field.h"
#include "camber/planning/geometry.h"

namespace camber::planning {

/// Obstacles of a footprint, as queried by planners of arcs.
class ClearanceMap {
 public:
  virtual ~ClearanceMap() = default;

  /// Distance of a footprint to obstacles and to the bounds of the map [m], or `max` if it is more;
  /// 0 if it touches.
  virtual double calc_clearance(const Footprint& footprint, const Pose& pose, double max) const = 0;
  /// A lower bound of the distance of a point to obstacles and bounds [m].
  virtual double min_distance(Point p) const = 0;
  /// How far a footprint gets on an arc of signed `length` [m] before its clearance is less than
  /// `tolerance` [m] > 0: |length| if it is not. Steps are as long as the clearance allows, so
  /// nothing can be touched between two of them.
  double calc_free_length(const Footprint& footprint, const Pose& from, double curvature,
                          double length, double tolerance) const;

 protected:
  ClearanceMap() = default;
  ClearanceMap(const ClearanceMap&) = default;
  ClearanceMap& operator=(const ClearanceMap&) = default;
};

/// Polygons that a footprint must not touch, inside a rectangle that it must not leave. Queries look
/// only at edges near the footprint, and are exact: closed areas have a point in common, or not.
class Obstacles : public ClearanceMap {
 public:
  struct Bounds {
    Point low, high;  // [m]
  };
  static constexpr std::size_t kMaxPolygons = 100'000;
  static constexpr double kMaxSide = 10'000;  // of the bounds [m]

  Obstacles(std::vector<Polygon> polygons, const Bounds& bounds);
  /// The blocked cells of a grid; its bounds are the grid's.
  explicit Obstacles(const OccupancyGrid& grid);

  const std::vector<Polygon>& polygons() const { return polygons_; }
  const Bounds& bounds() const { return bounds_; }

  /// Whether a footprint at a pose touches a polygon or leaves the bounds.
  bool touches(const Footprint& footprint, const Pose& pose) const;
  double calc_clearance(const Footprint& footprint, const Pose& pose, double max) const override;
  /// At most 1.5 cells of the coarse map below the true distance.
  double min_distance(Point p) const override;

  /// The coarse map behind min_distance(): cells that a polygon touches or covers are blocked.
  const OccupancyGrid& map() const { return map_; }

 private:
  struct Edge {
    Point a, b;
    std::int32_t id = 0;  // the same in all cells
  };
  void fill_map();

  std::vector<Polygon> polygons_;
  Bounds bounds_;
  OccupancyGrid map_;
  DistanceField field_;
  // Edges and polygons by cell of the map: those of cell k are at first[k] .. first[k + 1].
  std::vector<std::int32_t> edge_first_;
  std::vector<Edge> edges_;
};

}  // namespace camber::planning
