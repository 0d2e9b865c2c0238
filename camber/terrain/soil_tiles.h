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

  double h[kNodes];       // level from which sinkage is measured [m]
  double c[kNodes];       // cosine of the ground's slope: sinkage is measured along its normal
  double z_p[kNodes];     // plastic sinkage [m]
  double z_0[kNodes];     // z_p before the body that is on it came; else z_p
  double tau[3][kNodes];  // shear of the body on the soil: stress [Pa], or fraction of the strength
  std::uint8_t soil[kNodes];
  std::uint64_t sheared[2];  // bit k: nodes 8 k to 8 k + 7 may have shear
  double highest;            // upper bound of all heights [m]
  bool has_moved;            // soil came from other nodes: h is no longer the terrain's
  std::int64_t key, used;
  std::int64_t mark;        // number of the mark to which `saved` refers
  std::uint64_t saved[16];  // bit k: node k was saved since then
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

/// The touched tiles, by place. Memory is reserved once and used page by page.
class SoilTiles {
 public:
  SoilTiles(const Terrain* terrain, double spacing, int max_tiles);

  /// The tile with this number in x and y, made of the terrain if it is new.
  SoilTile& tile(std::int64_t i, std::int64_t j);
  /// The tile if it is there, else null.
  const SoilTile* find(std::int64_t i, std::int64_t j) const;

  /// To be called before a node changes: saves it, once per mark(). Does nothing before the first
  /// mark.
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
  /// roll_back() restores all nodes to the last mark(), except tiles that were dropped since then.
  void mark();
  void roll_back();

  /// Saves all changes of the tiles relative to the terrain as numbers, and restores them. Throws
  /// std::invalid_argument for invalid numbers.
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
  std::int64_t mark_ = 0;   // number of marks so far
  std::vector<SavedTile> saved_tiles_;
  std::vector<SavedNode> nodes_;
};

}  // namespace camber::terrain::internal
