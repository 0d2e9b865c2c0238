#pragma once

#include <utility>
#include <vector>

#include "camber/planning/obstacles.h"

namespace camber::planning {

/// The blocked cells of a grid as obstacles, while cells change: squares that a footprint must not
/// touch. Cells outside the grid count as blocked. The distance field is updated where cells
/// changed.
class GridObstacles : public ClearanceMap {
 public:
  explicit GridObstacles(OccupancyGrid grid) : grid_(std::move(grid)), field_(grid_) {}

  const OccupancyGrid& grid() const { return grid_; }
  const DistanceField& field() const { return field_; }

  /// For cells inside; the answers of the others follow at commit().
  void set_blocked(Cell cell, bool blocked) {
    if (grid_.is_blocked(cell.x, cell.y) == blocked) return;
    grid_.set_blocked(cell, blocked);
    changed_.push_back(cell);
  }
  /// Cells that changed since the last commit(), in the order of their changes.
  const std::vector<Cell>& changed() const { return changed_; }
  void commit();

  /// Exact: of the rectangle to the squares.
  double calc_clearance(const Footprint& footprint, const Pose& pose, double max) const override;
  double min_distance(Point p) const override;

 private:
  OccupancyGrid grid_;
  DistanceField field_;
  std::vector<Cell> changed_;
};

}  // namespace camber::planning
