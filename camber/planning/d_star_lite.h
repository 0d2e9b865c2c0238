#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/planning/grid_path.h"

namespace camber::planning {

/// Shortest paths to a fixed goal while the vehicle moves and cells change: results of earlier
/// searches are kept, and only the part affected by changes is searched again.
class DStarLite {
 public:
  /// Takes a copy of the grid; about 30 bytes per cell. Start and goal must be inside.
  DStarLite(OccupancyGrid grid, Cell start, Cell goal);

  struct Change {
    Cell cell;
    bool blocked = false;
  };
  /// Cells that are now blocked or free; those that already are so cost nothing.
  void set_blocked(std::span<const Change> changes);
  void move_start(Cell start);

  /// The path from the current start; expansions are those of this call. found is false if none
  /// leads to the goal, or if start or goal is blocked.
  GridPath plan();

  /// State of earlier searches, without the grid: an object with the same grid and goal that
  /// restores it continues as this one would.
  void save(StateWriter* out) const;
  void restore(StateReader* in);

  const OccupancyGrid& grid() const { return grid_; }
  /// Cost of the path from the current start, after plan(); kNoPath if there is none.
  GridCost cost() const { return vertices_[index(start_)].g; }

 private:
  struct Vertex {
    GridCost g = kNoPath, rhs = kNoPath;
    std::int32_t heap_place = -1;  // -1: not in the queue
  };
  struct Key {
    GridCost first, second;
    bool operator<(const Key& other) const {
      return first != other.first ? first < other.first : second < other.second;
    }
  };
  struct Entry {
    Key key;
    std::int32_t vertex;
    bool operator<(const Entry& other) const {
      if (key < other.key) return true;
      if (other.key < key) return false;
      return vertex < other.vertex;
    }
  };

  std::int32_t index(Cell c) const { return c.y * grid_.width() + c.x; }
  Cell cell(std::int32_t v) const { return {v % grid_.width(), v / grid_.width()}; }
  Key calc_key(std::int32_t v) const;
  GridCost calc_rhs(std::int32_t v) const;
  void update_vertex(std::int32_t v);
  std::int64_t search();

  void put(std::int32_t v, const Key& key);
  void remove(std::int32_t v);
  void sift_up(std::size_t place);
  void sift_down(std::size_t place);
  void place_entry(std::size_t place, const Entry& entry);

  OccupancyGrid grid_;
  Cell start_, goal_, last_start_;
  GridCost key_offset_ = 0;  // k_m: how far the start has moved since the oldest keys
  std::vector<Vertex> vertices_;
  std::vector<Entry> heap_;
};

}  // namespace camber::planning
