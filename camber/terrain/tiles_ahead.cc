#include "camber/terrain/tiles_ahead.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "camber/core/require.h"

namespace camber::terrain {
namespace {

constexpr std::size_t kTileNodes =
    static_cast<std::size_t>(TiledMap::kNodes) * static_cast<std::size_t>(TiledMap::kNodes);

std::atomic<TilesAhead*> active = nullptr;

}  // namespace

TilesAhead::TilesAhead(std::shared_ptr<const Terrain> terrain, int tiles)
    : terrain_(std::move(terrain)), map_(std::get_if<TiledMap>(&terrain_->base)) {
  require(tiles >= 1, "TilesAhead: needs at least one tile, got ", tiles);
  if (map_ == nullptr) return;
  slots_ = std::vector<Slot>(static_cast<std::size_t>(tiles));
  for (Slot& slot : slots_) slot.nodes.resize(kTileNodes);
  TilesAhead* none = nullptr;
  is_active_ = active.compare_exchange_strong(none, this, std::memory_order_acq_rel);
}

TilesAhead::~TilesAhead() {
  if (is_active_) active.store(nullptr, std::memory_order_release);
}

TilesAhead::Slot* TilesAhead::find(std::int64_t key) {
  const auto found = std::ranges::find_if(
      slots_, [&](const Slot& slot) { return slot.key.load(std::memory_order_relaxed) == key; });
  return found == slots_.end() ? nullptr : &*found;
}

bool TilesAhead::take(const TiledMap& map, std::int64_t key, float* nodes) {
  TilesAhead* ahead = active.load(std::memory_order_acquire);
  if (ahead == nullptr || ahead->map_ != &map) return false;
  Slot* slot = ahead->find(key);
  if (slot == nullptr || slot->is_in_use.exchange(true, std::memory_order_acquire)) return false;
  const bool is_it = slot->key.load(std::memory_order_relaxed) == key;
  if (is_it) std::memcpy(nodes, slot->nodes.data(), kTileNodes * sizeof(float));
  slot->is_in_use.store(false, std::memory_order_release);
  return is_it;
}

// In place of the tile that was wanted longest ago.
void TilesAhead::put(std::int64_t key, const std::vector<float>& nodes) {
  Slot& slot = *std::ranges::min_element(slots_, {}, &Slot::used);
  if (slot.is_in_use.exchange(true, std::memory_order_acquire)) return;
  slot.key.store(-1, std::memory_order_relaxed);
  std::ranges::copy(nodes, slot.nodes.begin());
  slot.key.store(key, std::memory_order_relaxed);
  slot.used = ++clock_;
  slot.is_in_use.store(false, std::memory_order_release);
}

int TilesAhead::make(const Box2& box, int max_tiles) {
  if (!is_active_) return 0;
  const Box2 extent = map_->extent();
  const auto find_tile = [&](double at, double first, double last) {
    const double cells = std::round((last - first) / map_->spacing());
    const double cell = std::floor((at - first) / map_->spacing());
    return static_cast<int>(std::clamp(cell, 0.0, cells - 1)) / TiledMap::kCells;
  };
  const int i0 = find_tile(box.x0, extent.x0, extent.x1);
  const int i1 = find_tile(box.x1, extent.x0, extent.x1);
  const int j0 = find_tile(box.y0, extent.y0, extent.y1);
  const int j1 = find_tile(box.y1, extent.y0, extent.y1);
  int made = 0;
  std::vector<float> nodes;
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      const std::int64_t key = static_cast<std::int64_t>(j) << 32 | i;
      if (Slot* slot = find(key)) {
        slot->used = ++clock_;
      } else if (made < max_tiles) {
        nodes.resize(kTileNodes);
        const std::int64_t first_i = std::int64_t{i} * TiledMap::kCells - 1;
        const std::int64_t first_j = std::int64_t{j} * TiledMap::kCells - 1;
        if (const auto* ground = std::get_if<ProceduralGround>(&map_->source()))
          ground->calc_block(first_i, first_j, TiledMap::kNodes, TiledMap::kNodes, nodes.data());
        else
          std::get<RawHeightFile>(map_->source())
              .read_block(first_i, first_j, TiledMap::kNodes, TiledMap::kNodes, nodes.data());
        put(key, nodes);
        ++made;
      }
    }
  }
  return made;
}

}  // namespace camber::terrain
