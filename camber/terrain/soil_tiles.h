#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "camber/terrain/terrain.h"

namespace camber::terrain::internal {

/// 32 x 32 nodes of deformable ground. The height of a node is h - z_p/c.
struct alignas(64) SoilTile {
  static constexpr int kSide = 32;
  static constexpr int kNodes = kSide * kSide;

  double h[kNodes];       // level from which sinkage counts [m]
  double c[kNodes];       // cosine of the ground's slope: sinkage is measured along its normal
  double z_p[kNodes];     // plastic sinkage [m]
  double z_0[kNodes];     // the same before the body came that is on it; else z_p
  double tau[3][kNodes];  // shear of the body on the soil: stress [Pa], or its part of the strength
  std::uint8_t soil[kNodes];
  std::uint64_t sheared[2];  // bit k: nodes 8 k to 8 k + 7 may remember shear
  double highest;            // of all heights, or more [m]
  bool has_moved;            // soil came from other nodes: h is no longer the terrain's
  std::int64_t key, used;
  std::int64_t mark;        // since which nodes were saved
  std::uint64_t saved[16];  // bit k: node k was, since then
};

/// Numbers in x and y of a tile, and of a node in it on the whole grid.
struct GridPlace {
  std::int64_t i, j;
};
inline GridPlace place_of(const SoilTile& tile) {
  return {static_cast<std::int32_t>(tile.key), tile.key >> 32};
}
inline GridPlace place_of(const SoilTile& tile, int node) {
  const GridPlace t = place_of(tile);
  return {t.i * SoilTile::kSide + node % SoilTile::kSide,
          t.j * SoilTile::kSide + node / SoilTile::kSide};
}

/// The tiles that were touched, by place. Memory is taken once and used page by page.
class SoilTiles {
 public:
  SoilTiles(const Terrain* terrain, double spacing, int max_tiles);

  /// The tile with this number in x and y, made of the terrain if it is new.
  SoilTile& tile(std::int64_t i, std::int64_t j);

  /// Before a node changes: keeps what it is, once since the last mark(). Nothing before the first.
  void save(SoilTile* tile, int node) {
    if (mark_ == 0) return;
    if (tile->mark != mark_) begin_tile(tile);
    const std::uint64_t bit = std::uint64_t{1} << (node & 63);
    if ((tile->saved[node >> 6] & bit) != 0) return;
    tile->saved[node >> 6] |= bit;
    nodes_.push_back({tile,
                      node,
                      tile->h[node],
                      tile->z_p[node],
                      tile->z_0[node],
                      {tile->tau[0][node], tile->tau[1][node], tile->tau[2][node]}});
  }
  /// roll_back() makes all nodes what they were at the last mark(); tiles that were forgotten since
  /// then stay so.
  void mark();
  void roll_back();

  /// All that the tiles are beyond the terrain, as numbers, and back. Throws std::invalid_argument
  /// where they are none.
  void append_state(std::vector<double>* state) const;
  void set_state(std::span<const double> state);

  int count() const { return count_; }
  std::int64_t forgotten() const { return forgotten_; }

 private:
  int take();
  void insert(int slot);
  void fill(std::int64_t i, std::int64_t j, SoilTile* tile);
  void begin_tile(SoilTile* tile);

  struct SavedTile {
    SoilTile* tile;
    std::int64_t key;
    double highest;
    bool has_moved;
  };
  struct SavedNode {
    SoilTile* tile;
    int node;
    double h, z_p, z_0;
    double tau[3];
  };

  const Terrain* terrain_;
  TerrainCache cache_;
  double spacing_;
  int max_tiles_, count_ = 0;
  std::int64_t clock_ = 0, forgotten_ = 0;
  std::unique_ptr<SoilTile[]> tiles_;
  std::vector<int> table_;  // open addressing: slot by key, -1 empty
  std::int64_t mark_ = 0;   // how many marks there were
  std::vector<SavedTile> saved_tiles_;
  std::vector<SavedNode> nodes_;
};

}  // namespace camber::terrain::internal
