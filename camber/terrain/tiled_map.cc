#include "camber/terrain/tiled_map.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/terrain/bicubic.h"
#include "camber/terrain/tiles_ahead.h"

namespace camber::terrain {
namespace {

constexpr int kTileNodes = TiledMap::kNodes * TiledMap::kNodes;

int bytes_per_value(RawHeightFile::Type type) {
  return type == RawHeightFile::Type::kFloat32 ? 4 : 2;
}

double decode(const unsigned char* p, const RawHeightFile::Layout& layout) {
  const int n = bytes_per_value(layout.type);
  std::uint32_t bits = 0;
  for (int i = 0; i < n; ++i) bits = (bits << 8) | p[layout.big_endian ? i : n - 1 - i];
  switch (layout.type) {
    case RawHeightFile::Type::kUint16:
      return bits;
    case RawHeightFile::Type::kInt16:
      return static_cast<std::int16_t>(bits);
    case RawHeightFile::Type::kFloat32:
      return std::bit_cast<float>(bits);
  }
  return 0.0;
}

}  // namespace

// --- RawHeightFile ---

RawHeightFile::RawHeightFile(Layout layout) : layout_(std::move(layout)) {
  const std::string& path = layout_.path;
  require(layout_.nx >= 3 && layout_.ny >= 3, "raw heights: needs at least 3 x 3 nodes, got ",
          layout_.nx, " x ", layout_.ny);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw FileError(path, concat("cannot open: ", std::strerror(errno)));
  file_ = std::shared_ptr<const int>(new int(file), [](const int* f) {
    ::close(*f);
    delete f;
  });
  note_reading(path);
  struct stat info {};
  if (::fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) throw FileError(path, "is not a file");
  const std::int64_t expected =
      static_cast<std::int64_t>(layout_.nx) * layout_.ny * bytes_per_value(layout_.type);
  if (info.st_size != expected) {
    throw FileError(
        path, concat("has ", static_cast<long long>(info.st_size), " bytes; ", layout_.nx, " x ",
                     layout_.ny, " heights of ", bytes_per_value(layout_.type), " bytes need ",
                     static_cast<long long>(expected)));
  }
}

void RawHeightFile::read_row(int row, int first, int count, unsigned char* bytes) const {
  const int width = bytes_per_value(layout_.type);
  const int line = layout_.north_up ? layout_.ny - 1 - row : row;
  const auto from = (static_cast<off_t>(line) * layout_.nx + first) * width;
  const auto size = static_cast<std::size_t>(count) * width;
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::pread(*file_, bytes + done, size - done, from + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw FileError(layout_.path, "cannot read heights; did the file change?");
    done += static_cast<std::size_t>(n);
  }
}

void RawHeightFile::read_block(std::int64_t i0, std::int64_t j0, int nx, int ny,
                               float* heights) const {
  const auto column = [&](int i) {
    return static_cast<int>(std::clamp<std::int64_t>(i0 + i, 0, layout_.nx - 1));
  };
  const int first = column(0), count = column(nx - 1) - first + 1;
  const int width = bytes_per_value(layout_.type);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(count) * width);
  for (int j = 0; j < ny; ++j) {
    const int row = static_cast<int>(std::clamp<std::int64_t>(j0 + j, 0, layout_.ny - 1));
    read_row(row, first, count, bytes.data());
    for (int i = 0; i < nx; ++i) {
      const double value =
          decode(bytes.data() + static_cast<std::size_t>(column(i) - first) * width, layout_);
      const auto h = static_cast<float>(layout_.offset + layout_.scale * value);
      if (!std::isfinite(h)) {
        throw FileError(layout_.path,
                        concat("the height of node (", column(i), ", ", row, ") is not finite"));
      }
      heights[static_cast<std::size_t>(j) * nx + i] = h;
    }
  }
}

void RawHeightFile::require_heights() const {
  if (layout_.type != Type::kFloat32) return;  // integers are finite
  std::vector<float> heights(static_cast<std::size_t>(layout_.nx));
  for (int j = 0; j < layout_.ny; ++j) read_block(0, j, layout_.nx, 1, heights.data());
}

// --- TileCache ---

TileCache::TileCache(int tiles)
    : nodes_(static_cast<std::size_t>(tiles) * kTileNodes), keys_(tiles, -1), used_(tiles, -1) {
  require(tiles >= 1, "TileCache: needs at least one tile, got ", tiles);
  table_.resize(std::bit_ceil(static_cast<std::size_t>(tiles) * 2), -1);
}

int TileCache::find(std::int64_t key) {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t k = hash_cell(0, key, 0) & mask; table_[k] >= 0; k = (k + 1) & mask) {
    if (keys_[table_[k]] == key) return table_[k];
  }
  return -1;
}

/// Reassigns the least recently used slot to `key`. The table is rebuilt: a miss costs a whole tile
/// anyway, and so the table needs no deletion.
int TileCache::take(std::int64_t key) {
  const int slot = static_cast<int>(std::min_element(used_.begin(), used_.end()) - used_.begin());
  keys_[slot] = key;
  last_key_ = -1;  // it may have been the dropped one
  std::fill(table_.begin(), table_.end(), -1);
  const std::size_t mask = table_.size() - 1;
  for (int s = 0; s < capacity(); ++s) {
    if (keys_[s] < 0) continue;
    std::size_t k = hash_cell(0, keys_[s], 0) & mask;
    while (table_[k] >= 0) k = (k + 1) & mask;
    table_[k] = s;
  }
  ++made_;
  return slot;
}

// --- TiledMap ---

TiledMap::TiledMap(Source source, int nx, int ny, double spacing, double origin_x, double origin_y)
    : source_(std::move(source)),
      nx_(nx),
      ny_(ny),
      spacing_(spacing),
      inverse_spacing_(1 / spacing),
      origin_x_(origin_x),
      origin_y_(origin_y) {
  require(nx >= 3 && ny >= 3, "tiled map: needs at least 3 x 3 nodes, got ", nx, " x ", ny);
  require(spacing > 0 && std::isfinite(spacing), "tiled map: spacing must be > 0 m, got ", spacing);
}

void TiledMap::make_tile(int ti, int tj, float* nodes) const {
  const std::int64_t i0 = static_cast<std::int64_t>(ti) * kCells - 1;
  const std::int64_t j0 = static_cast<std::int64_t>(tj) * kCells - 1;
  if (const auto* ground = std::get_if<ProceduralGround>(&source_)) {
    ground->calc_block(i0, j0, kNodes, kNodes, nodes);
  } else {
    std::get<RawHeightFile>(source_).read_block(i0, j0, kNodes, kNodes, nodes);
  }
}

/// The first of the 16 nodes around a cell; its tile is created if it is not in memory.
const float* TiledMap::find_cell_nodes(int i, int j, TileCache* cache) const {
  const int ti = i / kCells, tj = j / kCells;
  const std::int64_t key = static_cast<std::int64_t>(tj) << 32 | ti;
  if (key != cache->last_key_) {
    int slot = cache->find(key);
    if (slot < 0) {
      slot = cache->take(key);
      // The slot has no owner until it is filled: reading may throw.
      cache->keys_[slot] = -2;
      float* nodes = cache->nodes_.data() + static_cast<std::size_t>(slot) * kTileNodes;
      if (!TilesAhead::take(*this, key, nodes)) make_tile(ti, tj, nodes);
      cache->keys_[slot] = key;
    }
    cache->used_[slot] = ++cache->clock_;
    cache->last_key_ = key;
    cache->last_slot_ = slot;
  }
  const float* tile =
      cache->nodes_.data() + static_cast<std::size_t>(cache->last_slot_) * kTileNodes;
  const std::ptrdiff_t row = j - tj * kCells, column = i - ti * kCells;
  return tile + row * kNodes + column;
}

SurfaceSample TiledMap::sample(double x, double y, TileCache* cache) const {
  const GridCell i = find_cell((x - origin_x_) * inverse_spacing_, nx_);
  const GridCell j = find_cell((y - origin_y_) * inverse_spacing_, ny_);
  SurfaceSample s = internal::sample_bicubic(find_cell_nodes(i.index, j.index, cache), kNodes, i.t,
                                             j.t, inverse_spacing_);
  level_outside(i.inside, j.inside, &s);
  return s;
}

EightSlopes TiledMap::sample(const EightNumbers& x, const EightNumbers& y, TileCache* cache) const {
  return internal::sample_cells(
      (x - origin_x_) * inverse_spacing_, (y - origin_y_) * inverse_spacing_, nx_, ny_, kNodes,
      inverse_spacing_, [&](int i, int j) { return find_cell_nodes(i, j, cache); },
      [&](int lane) { return sample(x.lane(lane), y.lane(lane), cache); });
}

void TiledMap::prefetch(const Box2& box, TileCache* cache) const {
  const double step = kCells * spacing_;
  const int nx = static_cast<int>((box.x1 - box.x0) / step) + 2;
  const int ny = static_cast<int>((box.y1 - box.y0) / step) + 2;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      sample(std::min(box.x0 + i * step, box.x1), std::min(box.y0 + j * step, box.y1), cache);
    }
  }
}

bool TiledMap::contains(double x, double y) const {
  const Box2 e = extent();
  return x >= e.x0 && x <= e.x1 && y >= e.y0 && y <= e.y1;
}

Box2 TiledMap::extent() const {
  return {origin_x_, origin_y_, origin_x_ + (nx_ - 1) * spacing_, origin_y_ + (ny_ - 1) * spacing_};
}

}  // namespace camber::terrain
