#include "camber/terrain/soil_tiles.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "camber/core/require.h"

namespace camber::terrain::internal {
namespace {

std::int64_t make_key(std::int64_t i, std::int64_t j) { return (j << 32) ^ (i & 0xffffffff); }
std::size_t start_of(std::int64_t key, std::size_t mask) { return hash_cell(1, key, 0) & mask; }

}  // namespace

SoilTiles::SoilTiles(const Terrain* terrain, double spacing, int max_tiles)
    : terrain_(terrain),
      cache_(terrain->make_cache()),
      spacing_(spacing),
      max_tiles_(max_tiles),
      // Not initialized: a page becomes memory when its tile is first written.
      tiles_(std::make_unique_for_overwrite<SoilTile[]>(max_tiles)),
      table_(std::bit_ceil(static_cast<std::size_t>(max_tiles) * 2), -1) {}

SoilTile& SoilTiles::tile(std::int64_t i, std::int64_t j) {
  const std::int64_t key = make_key(i, j);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t k = start_of(key, mask); table_[k] >= 0; k = (k + 1) & mask) {
    SoilTile& found = tiles_[table_[k]];
    if (found.key != key) continue;
    found.used = ++clock_;
    return found;
  }
  const int slot = take();
  SoilTile& made = tiles_[slot];
  fill(i, j, &made);
  made.key = key;
  made.used = ++clock_;
  insert(slot);
  return made;
}

const SoilTile* SoilTiles::find(std::int64_t i, std::int64_t j) const {
  const std::int64_t key = make_key(i, j);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t k = start_of(key, mask); table_[k] >= 0; k = (k + 1) & mask) {
    if (tiles_[table_[k]].key == key) return &tiles_[table_[k]];
  }
  return nullptr;
}

/// A free slot: a new one, or that of the least recently used tile.
int SoilTiles::take() {
  if (count_ < max_tiles_) return count_++;
  const SoilTile* oldest =
      std::min_element(tiles_.get(), tiles_.get() + count_,
                       [](const SoilTile& a, const SoilTile& b) { return a.used < b.used; });
  const int slot = static_cast<int>(oldest - tiles_.get());
  std::fill(table_.begin(), table_.end(), -1);
  for (int s = 0; s < count_; ++s) {
    if (s != slot) insert(s);
  }
  ++forgotten_;
  return slot;
}

void SoilTiles::insert(int slot) {
  const std::size_t mask = table_.size() - 1;
  std::size_t k = start_of(tiles_[slot].key, mask);
  while (table_[k] >= 0) k = (k + 1) & mask;
  table_[k] = slot;
}

void SoilTiles::fill(std::int64_t ti, std::int64_t tj, SoilTile* tile) {
  tile->highest = -HUGE_VAL;
  tile->has_moved = false;
  tile->sheared[0] = tile->sheared[1] = 0;
  tile->mark = 0;
  for (int j = 0, k = 0; j < SoilTile::kSide; ++j) {
    const double y = spacing_ * static_cast<double>(tj * SoilTile::kSide + j);
    for (int i = 0; i < SoilTile::kSide; ++i, ++k) {
      const double x = spacing_ * static_cast<double>(ti * SoilTile::kSide + i);
      const SurfaceSample s = terrain_->sample(x, y, &cache_);
      tile->h[k] = s.h;
      tile->c[k] = 1 / std::sqrt(1 + s.hx * s.hx + s.hy * s.hy);
      tile->z_p[k] = tile->z_0[k] = tile->tau[0][k] = tile->tau[1][k] = tile->tau[2][k] = 0.0;
      tile->soil[k] = static_cast<std::uint8_t>(terrain_->soil_map.at(x, y));
      tile->highest = std::max(tile->highest, s.h);
    }
  }
}

void SoilTiles::mark() {
  if (mark_ == 0) {
    constexpr std::size_t kNodes = 16384;  // a car on nodes of 1 cm changes some 5,000 in 10 ms
    nodes_.reserve(kNodes);
    saved_tiles_.reserve(256);
  }
  ++mark_;
  nodes_.clear();
  saved_tiles_.clear();
}

void SoilTiles::begin_tile(SoilTile* tile) {
  tile->mark = mark_;
  std::ranges::fill(tile->saved, 0);
  saved_tiles_.push_back({tile, tile->key, tile->highest, tile->has_moved});
}

void SoilTiles::roll_back() {
  for (const SavedTile& saved : saved_tiles_) {
    SoilTile& tile = *saved.tile;
    if (tile.key != saved.key || tile.mark != mark_) continue;
    tile.highest = saved.highest;
    tile.has_moved = saved.has_moved;
    tile.mark = 0;
    for (const SavedNode& n : nodes_) {
      if (n.tile != &tile) continue;
      tile.h[n.node] = n.h;
      tile.z_p[n.node] = n.z_p;
      tile.z_0[n.node] = n.z_0;
      for (int i = 0; i < 3; ++i) tile.tau[i][n.node] = n.tau[i];
      tile.sheared[n.node / 512] |= std::uint64_t{1} << (n.node / 8 % 64);
    }
  }
  mark();
}

namespace {

bool is_touched(const SoilTile& tile, int k) {
  return tile.has_moved || tile.z_p[k] != 0 || tile.tau[0][k] != 0 || tile.tau[1][k] != 0 ||
         tile.tau[2][k] != 0;
}

}  // namespace

// Layout: number of tiles and of dropped tiles; then, least recently used first, for each tile its
// place, highest node, whether soil has moved, number of nodes, and the nodes.
void SoilTiles::append_state(std::vector<double>* state) const {
  std::vector<const SoilTile*> order;
  for (int slot = 0; slot < count_; ++slot) order.push_back(&tiles_[slot]);
  std::ranges::sort(order, {}, [](const SoilTile* tile) { return tile->used; });
  state->insert(state->end(), {static_cast<double>(count_), static_cast<double>(forgotten_)});
  for (const SoilTile* tile : order) {
    const GridPlace place = place_of(*tile);
    state->insert(state->end(), {static_cast<double>(place.i), static_cast<double>(place.j),
                                 tile->highest, tile->has_moved ? 1.0 : 0.0});
    const std::size_t count_at = state->size();
    state->push_back(0);
    for (int k = 0; k < SoilTile::kNodes; ++k) {
      if (!is_touched(*tile, k)) continue;
      ++(*state)[count_at];
      state->insert(state->end(), {static_cast<double>(k), tile->h[k], tile->z_p[k], tile->z_0[k],
                                   tile->tau[0][k], tile->tau[1][k], tile->tau[2][k]});
    }
  }
}

void SoilTiles::set_state(std::span<const double> state) {
  std::size_t at = 0;
  const auto next = [&] {
    require(at < state.size(), "the state of the soil ends after ", state.size(), " numbers");
    return state[at++];
  };
  const auto tiles = static_cast<int>(next());
  require(tiles >= 0 && tiles <= max_tiles_, "the state of the soil has ", tiles,
          " tiles, the limit is ", max_tiles_);
  const auto forgotten = static_cast<std::int64_t>(next());
  count_ = 0;
  clock_ = 0;
  std::ranges::fill(table_, -1);
  for (int n = 0; n < tiles; ++n) {
    const double i = next(), j = next();
    SoilTile& tile = SoilTiles::tile(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
    tile.highest = next();
    tile.has_moved = next() != 0;
    for (auto nodes = static_cast<int>(next()); nodes > 0; --nodes) {
      const auto k = static_cast<int>(next());
      require(k >= 0 && k < SoilTile::kNodes, "the state of the soil has a node ", k, " of ",
              SoilTile::kNodes);
      tile.h[k] = next();
      tile.z_p[k] = next();
      tile.z_0[k] = next();
      for (auto& tau : tile.tau) tau[k] = next();
      tile.sheared[k / 512] |= std::uint64_t{1} << (k / 8 % 64);
    }
  }
  require(at == state.size(), "the state of the soil has extra numbers after its end, at ", at);
  forgotten_ = forgotten;
}

}  // namespace camber::terrain::internal
