#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "camber/terrain/elevation_map.h"
#include "camber/terrain/procedural.h"

namespace camber::terrain {

/// Heights in a file without header, too large to hold: read tile by tile where they are needed.
class RawHeightFile {
 public:
  enum class Type { kUint16, kInt16, kFloat32 };
  struct Layout {
    std::string path;
    int nx = 0, ny = 0;
    Type type = Type::kUint16;
    bool big_endian = false;
    bool north_up = false;             // the first row is the one of largest y
    double scale = 1.0, offset = 0.0;  // height = offset + scale * value [m]
  };
  /// Throws FileError if the file is missing or does not have nx * ny values.
  explicit RawHeightFile(Layout layout);

  /// Nodes (i0 + i, j0 + j), outside the file the nearest edge. Throws FileError when it cannot be
  /// read, or a height is not finite.
  void read_block(std::int64_t i0, std::int64_t j0, int nx, int ny, float* heights) const;

  /// Reads all of it, row by row. Throws FileError at a height that is not finite.
  void require_heights() const;

  const Layout& layout() const { return layout_; }

 private:
  void read_row(int row, int first, int count, unsigned char* bytes) const;

  Layout layout_;
  std::shared_ptr<const int> file_;  // closed with the last copy
};

/// Tiles of one TiledMap that are in memory: a fixed number; the least recently used is replaced.
/// Use one per thread; its content does not affect results.
class TileCache {
 public:
  TileCache() = default;
  explicit TileCache(int tiles);

  std::int64_t made() const { return made_; }  // tiles made or read so far
  int capacity() const { return static_cast<int>(keys_.size()); }

 private:
  friend class TiledMap;
  int find(std::int64_t key);
  int take(std::int64_t key);

  std::vector<float> nodes_;
  std::vector<std::int64_t> keys_, used_;  // by slot
  std::vector<int> table_;                 // open addressing: slot by key, -1 empty
  std::int64_t clock_ = 0, made_ = 0;
  std::int64_t last_key_ = -1;
  int last_slot_ = 0;
};

/// A large grid of heights as a surface (C1, bicubic.h) in bounded memory: the same as an
/// ElevationMap of all nodes, but made or read in tiles of 64 x 64 cells. A query whose tile is in
/// memory costs as much as on a small map; otherwise it creates the tile (about 2 ms).
class TiledMap {
 public:
  static constexpr int kCells = 64;          // per side of a tile
  static constexpr int kNodes = kCells + 3;  // with the rim that the spline needs
  using Source = std::variant<ProceduralGround, RawHeightFile>;

  /// Nodes from (0, 0) to (nx - 1, ny - 1), the first at the origin.
  TiledMap(Source source, int nx, int ny, double spacing, double origin_x, double origin_y);

  SurfaceSample sample(double x, double y, TileCache* cache) const;
  EightSlopes sample(const EightNumbers& x, const EightNumbers& y, TileCache* cache) const;
  /// Loads the tiles of a rectangle into memory, as far as the cache is large enough, so that the
  /// next step neither allocates nor waits for a disk.
  void prefetch(const Box2& box, TileCache* cache) const;
  bool contains(double x, double y) const;

  double spacing() const { return spacing_; }
  Box2 extent() const;
  const Source& source() const { return source_; }

 private:
  void make_tile(int ti, int tj, float* nodes) const;
  const float* find_cell_nodes(int i, int j, TileCache* cache) const;

  Source source_;
  int nx_, ny_;
  double spacing_, inverse_spacing_, origin_x_, origin_y_;
};

}  // namespace camber::terrain
