#pragma once

// Tiles of a large map that are made before a drive gets there: a tile takes some 2 ms, which a
// drive in real time does not have.
//
//   TilesAhead ahead(world.shared_terrain());           // before the drive
//   ahead.make({x - 20, y - 20, x + 20, y + 20}, 4);    // another thread, again and again
//
// While the object lives, whoever misses a tile of this map in his own cache copies it from here if
// it is there: microseconds. Nobody waits for anybody. What is here does not affect results.

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "camber/terrain/terrain.h"

namespace camber::terrain {

class TilesAhead {
 public:
  /// Ground without tiles needs none: make() then does nothing. A process has one at a time, which
  /// must live as long as the drives that use it; a second one does nothing either. (The map is
  /// constant and shared, so the tiles are not part of it.)
  explicit TilesAhead(std::shared_ptr<const Terrain> terrain, int tiles = 128);
  ~TilesAhead();
  TilesAhead(const TilesAhead&) = delete;
  TilesAhead& operator=(const TilesAhead&) = delete;

  bool is_active() const { return is_active_; }
  /// Makes the tiles of a rectangle that are not there, `max_tiles` at most; returns how many.
  /// Throws FileError when a paged file cannot be read. One thread at a time.
  int make(const Box2& box, int max_tiles);

  /// Copies a tile of a map; false if it is not there. Any thread; for TiledMap.
  static bool take(const TiledMap& map, std::int64_t key, float* nodes);

 private:
  struct Slot {
    std::atomic<bool> is_in_use = false;
    std::atomic<std::int64_t> key = -1;
    std::int64_t used = 0;
    std::vector<float> nodes;
  };
  Slot* find(std::int64_t key);
  void put(std::int64_t key, const std::vector<float>& nodes);

  std::shared_ptr<const Terrain> terrain_;
  const TiledMap* map_ = nullptr;
  bool is_active_ = false;
  std::vector<Slot> slots_;
  std::int64_t clock_ = 0;
};

}  // namespace camber::terrain
