#pragma once

// Tiles of a large map that are made before a drive reaches them: a tile takes some 2 ms, too long
// for a drive in real time.
//
//   TilesAhead ahead(world.shared_terrain());           // before the drive
//   ahead.make({x - 20, y - 20, x + 20, y + 20}, 4);    // another thread, again and again
//
// While the object exists, a cache that misses a tile of this map copies it from here if available,
// in microseconds. No thread waits for another. These tiles do not affect results.

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "camber/terrain/terrain.h"

namespace camber::terrain {

class TilesAhead {
 public:
  /// Ground without tiles needs none: make() then does nothing. A process has one at a time, which
  /// must exist as long as the drives that use it; a second one does nothing either. (The map is
  /// constant and shared, so the tiles are not part of it.)
  explicit TilesAhead(std::shared_ptr<const Terrain> terrain, int tiles = 128);
  ~TilesAhead();
  TilesAhead(const TilesAhead&) = delete;
  TilesAhead& operator=(const TilesAhead&) = delete;

  bool is_active() const { return is_active_; }
  /// Makes the missing tiles of a rectangle, at most `max_tiles`; returns how many. Throws
  /// FileError when a paged file cannot be read. One thread at a time.
  int make(const Box2& box, int max_tiles);

  /// Copies a tile of a map; false if it does not exist. Any thread; for TiledMap.
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
