#include "camber/autonomy/obstacle_map.h"

#include <algorithm>
#include <cmath>

#include "camber/autonomy/elevation_mapper.h"
#include "camber/autonomy/lidar_mapper.h"
#include "camber/core/require.h"

namespace camber::autonomy {

using planning::Cell, planning::Point;

LocalMap::LocalMap(const MapSetup& setup)
    : cells_(static_cast<int>(std::lround(setup.size / setup.cell))),
      cell_(setup.cell),
      first_{-cells_ / 2, -cells_ / 2},
      obstacles_(make_grid()) {
  require(setup.cell > 0 && cells_ >= 8 && cells_ <= 2000, "LocalMap: ", setup.size,
          " m of cells of ", setup.cell, " m; expected 8 to 2000 cells along a side");
  seen_.assign(static_cast<std::size_t>(cells_) * static_cast<std::size_t>(cells_), 0);
}

planning::OccupancyGrid LocalMap::make_grid() const {
  return {cells_, cells_, cell_, Point{first_.x * cell_, first_.y * cell_}};
}

bool LocalMap::follow(Point place, Cell* shift) {
  const Cell at{static_cast<int>(std::floor(place.x / cell_)),
                static_cast<int>(std::floor(place.y / cell_))};
  const Cell off{at.x - first_.x - cells_ / 2, at.y - first_.y - cells_ / 2};
  if (std::max(std::abs(off.x), std::abs(off.y)) <= cells_ / 5) return false;
  *shift = off;
  const planning::OccupancyGrid before = obstacles_.grid();
  const std::vector<std::uint8_t> seen_before = seen_;
  first_ = {first_.x + off.x, first_.y + off.y};
  planning::OccupancyGrid grid = make_grid();
  std::fill(seen_.begin(), seen_.end(), 0);
  for (int y = std::max(0, -off.y); y < std::min(cells_, cells_ - off.y); ++y) {
    for (int x = std::max(0, -off.x); x < std::min(cells_, cells_ - off.x); ++x) {
      const Cell old{x + off.x, y + off.y};
      if (before.is_blocked(old.x, old.y)) grid.set_blocked({x, y}, true);
      seen_[index({x, y})] = seen_before[index(old)];
    }
  }
  obstacles_ = planning::GridObstacles(std::move(grid));
  return true;
}

void LocalMap::save(StateWriter* out) const {
  out->write(first_.x);
  out->write(first_.y);
  // Two bits of 24 cells in a number.
  for (std::size_t k = 0; k < seen_.size(); k += 24) {
    double bits = 0;
    for (std::size_t i = k; i < std::min(k + 24, seen_.size()); ++i) {
      const int x = static_cast<int>(i % static_cast<std::size_t>(cells_)),
                y = static_cast<int>(i / static_cast<std::size_t>(cells_));
      bits = 4 * bits + 2 * (obstacles_.grid().is_blocked(x, y) ? 1 : 0) + (seen_[i] ? 1 : 0);
    }
    out->write(bits);
  }
}

void LocalMap::restore(StateReader* in) {
  first_.x = in->read_int();
  first_.y = in->read_int();
  planning::OccupancyGrid grid = make_grid();
  for (std::size_t k = 0; k < seen_.size(); k += 24) {
    auto bits = static_cast<std::uint64_t>(in->read());
    for (std::size_t i = std::min(k + 24, seen_.size()); i-- > k; bits >>= 2) {
      seen_[i] = bits & 1;
      if (bits & 2)
        grid.set_blocked({static_cast<int>(i % static_cast<std::size_t>(cells_)),
                          static_cast<int>(i / static_cast<std::size_t>(cells_))},
                         true);
    }
  }
  obstacles_ = planning::GridObstacles(std::move(grid));
}

std::unique_ptr<ObstacleMapper> make_mapper(MapKind kind, const MapSetup& setup,
                                            const TrueGround& ground) {
  if (kind == MapKind::kTruth) return std::make_unique<ElevationMapper>(setup, ground);
  return std::make_unique<LidarMapper>(setup);
}

}  // namespace camber::autonomy
