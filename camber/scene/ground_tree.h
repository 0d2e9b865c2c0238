#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "camber/scene/fan.h"
#include "camber/scene/ground_patch.h"
#include "camber/terrain/soil_grid.h"
#include "camber/terrain/terrain.h"

// The surface that wheels use, for rays: a pyramid of lowest and highest heights over its cells,
// and in a cell the first root of
//   f(t) = o_z + t d_z - h(o_x + t d_x, o_y + t d_y),
// found in doubles (docs/theory/rays.md, section 3). The range of a ray is the minimum over all
// cells of a function of ray and cell alone, so it does not depend on the traversal.

namespace camber::scene::internal {

struct GroundHit {
  double range = HUGE_VAL;
  double hx = 0, hy = 0;  // slopes there
};

class GroundTree {
 public:
  /// `cell` is the side of cells where the surface is not a grid of heights [m].
  GroundTree(std::shared_ptr<const terrain::Terrain> terrain, const terrain::Box2& region,
             double cell);

  /// First hits of the rays of a bundle.
  template <bool kAny>
  void cast(Bundle* bundle) const;

  /// Height and slopes, with ruts.
  terrain::SurfaceSample sample(double x, double y) const;

  void refresh(const terrain::SoilGrid& soil, const terrain::Box2& box);

  const terrain::Box2& region() const { return region_; }
  std::size_t memory() const;
  double low() const { return z_middle_ + range_of(levels_.back().blocks[0]).low; }
  double high() const { return z_middle_ + range_of(levels_.back().blocks[0]).high; }

  int nx() const { return nx_; }
  int ny() const { return ny_; }

 private:
  enum class Base { kPlane, kGrid, kRoad };
  struct Range {
    float low, high;  // about z_middle_ [m]
  };
  /// Ranges of 4 x 4 neighbors; those that do not exist are empty.
  struct alignas(64) Block {
    float low[16], high[16];
  };
  /// Blocks of cells on level 0, of blocks of level 0 on level 1, and so on to one.
  struct Level {
    int nx = 0, ny = 0;
    std::vector<Block> blocks;
  };
  static int slot_of(int i, int j) { return (j & 3) * 4 + (i & 3); }
  static Range range_of(const Block& block);
  const Block& block_of(int i, int j) const {
    return levels_[0].blocks[static_cast<std::size_t>(j >> 2) * levels_[0].nx + (i >> 2)];
  }
  Range cell_range(int i, int j) const {
    const Block& block = block_of(i, j);
    return {block.low[slot_of(i, j)], block.high[slot_of(i, j)]};
  }
  void set_cell_range(int i, int j, const Range& range);
  static constexpr int kSoilSide = 32;
  using RutTile = std::array<float, static_cast<std::size_t>(kSoilSide) * kSoilSide>;

  void take_grid(const terrain::Box2& region);
  void build_levels();
  void bound_rows();
  Range bound_cell(int i, int j) const;
  void mark_special(int i, int j);
  void update_parents(int i0, int j0, int i1, int j1);
  Patch make_patch(int i, int j) const;
  terrain::SurfaceSample sample_base(double x, double y) const;
  float rut_node(std::int64_t i, std::int64_t j) const;
  /// Depth of ruts, with slopes and the mixed derivative.
  terrain::SurfaceSample sample_ruts(double x, double y) const;
  struct Interval {
    double a, b;
  };
  Interval clip(int i, int j, const Vector3& o, const Vector3& d, double max_range) const;
  GroundHit meet_special(int i, int j, const Vector3& o, const Vector3& d, double max_range) const;
  struct BlockPlace {
    std::int32_t i, j;
  };
  struct Workspace;
  struct CellRays;
  struct Cell;
  /// Boxes of the 4 x 4 parts of a block, about the center of the bundle.
  FanBoxes part_boxes(int level, int i, int j, const FanAxes& axes, const Bundle& bundle) const;
  /// add(box, enter, place) for each block of cells that the fan meets, until it returns false.
  template <class Add>
  bool collect(const Fan& fan, const Bundle& bundle, const Add& add) const;
  template <bool kAny>
  void cast_some(int first, int count, Bundle* bundle, Workspace* work) const;
  template <bool kAny>
  void cast_list(int packet, const Fan& fan, unsigned which, Bundle* bundle, Workspace* work) const;
  void prepare(int i, int j, const Bounds& box, const Bundle& bundle, Cell* cell) const;
  unsigned filter(const Cell& cell, unsigned may, const CellRays& rays, const Float16& best) const;
  template <bool kAny>
  void meet_plane(int i, int j, unsigned which, const CellRays& cell_rays, Packet* packet) const;
  template <bool kAny>
  void meet_special_rays(int i, int j, unsigned rays, Packet* packet) const;
  template <bool kAny>
  void meet_patch(unsigned which, const CellRays& cell_rays, Cell* cell, Packet* packet) const;
  std::size_t cell_number(int i, int j) const { return static_cast<std::size_t>(j) * nx_ + i; }

  std::shared_ptr<const terrain::Terrain> terrain_;
  terrain::Box2 region_;
  Base base_ = Base::kPlane;
  int nx_ = 0, ny_ = 0;                                // cells
  double x0_ = 0, y0_ = 0, spacing_ = 1;               // [m]
  double inverse_spacing_ = 1;                         // [1/m]
  double x_middle_ = 0, y_middle_ = 0, z_middle_ = 0;  // about which floats are [m]
  std::shared_ptr<const std::vector<float>> nodes_;
  std::ptrdiff_t stride_ = 0, first_node_ = 0;  // of the node (-1, -1) of cell (0, 0)
  std::vector<std::uint8_t> special_;           // cell has bumps or ruts; empty: none has
  std::vector<Level> levels_;
  float z_reach_ = 0;       // max absolute height about z_middle_ [m]
  double rut_spacing_ = 0;  // [m]
  std::unordered_map<std::int64_t, std::unique_ptr<RutTile>> ruts_;
  terrain::TerrainCache cache_;  // for refresh()
};

}  // namespace camber::scene::internal
