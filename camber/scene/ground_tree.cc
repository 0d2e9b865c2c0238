#include "camber/scene/ground_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "camber/core/require.h"
#include "camber/scene/ground_patch.h"

namespace camber::scene::internal {
namespace {

using terrain::Box2;
using terrain::SurfaceSample;

constexpr int kMaxCells = 1024;     // per side, where the surface is not a grid of heights
constexpr int kMaxRoadCells = 512;  // the same of a road, whose cells are sampled
constexpr int kPlaneCells = 32;     // the same of a plane that nothing is on

std::int64_t tile_key(std::int64_t i, std::int64_t j) { return (j << 32) ^ (i & 0xffffffff); }

}  // namespace

GroundTree::GroundTree(std::shared_ptr<const terrain::Terrain> terrain, const Box2& region,
                       double cell)
    : terrain_(std::move(terrain)), cache_(terrain_->make_cache()) {
  Box2 box = region;
  require(std::isfinite(box.x0) && std::isfinite(box.x1) && std::isfinite(box.y0) &&
              std::isfinite(box.y1) && box.x1 >= box.x0 && box.y1 >= box.y0,
          "scene: the ground's region is not a box");
  const bool is_open = box.x0 == box.x1 || box.y0 == box.y1;
  if (std::holds_alternative<terrain::ElevationMap>(terrain_->base) ||
      std::holds_alternative<terrain::TiledMap>(terrain_->base)) {
    base_ = Base::kGrid;
    take_grid(box);
  } else {
    int max_cells = kMaxCells;
    if (const auto* road = std::get_if<terrain::CrgRoad>(&terrain_->base)) {
      base_ = Base::kRoad;
      max_cells = kMaxRoadCells;
      if (is_open) {
        const terrain::CrgData& data = road->data();
        double x = data.x, y = data.y;
        const double beside = std::max(std::abs(data.v.front()), std::abs(data.v.back()));
        box = {x, y, x, y};
        for (const double heading : data.heading) {
          x += data.u_step * std::cos(heading), y += data.u_step * std::sin(heading);
          box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x),
                 std::max(box.y1, y)};
        }
        box = {box.x0 - beside, box.y0 - beside, box.x1 + beside, box.y1 + beside};
      }
    } else if (is_open) {
      box = {-1000, -1000, 1000, 1000};
    }
    const bool is_bare =
        base_ == Base::kPlane && terrain_->bumps.empty() &&
        std::ranges::all_of(terrain_->soils, [](const auto& soil) { return soil.name == "rigid"; });
    if (is_bare) max_cells = kPlaneCells;
    const double side = std::max(box.x1 - box.x0, box.y1 - box.y0);
    spacing_ = std::max(cell, side / max_cells);
    x0_ = box.x0, y0_ = box.y0;
    nx_ = std::max(1, static_cast<int>(std::ceil((box.x1 - box.x0) / spacing_)));
    ny_ = std::max(1, static_cast<int>(std::ceil((box.y1 - box.y0) / spacing_)));
  }
  inverse_spacing_ = 1 / spacing_;
  region_ = {x0_, y0_, x0_ + nx_ * spacing_, y0_ + ny_ * spacing_};
  x_middle_ = 0.5 * (region_.x0 + region_.x1), y_middle_ = 0.5 * (region_.y0 + region_.y1);
  z_middle_ = sample_base(x_middle_, y_middle_).h;
  build_levels();
}

/// The part of a map of heights that covers the region: nodes are shared with an ElevationMap,
/// copied from a TiledMap.
void GroundTree::take_grid(const Box2& region) {
  const bool is_open = region.x0 == region.x1 || region.y0 == region.y1;
  const auto* map = std::get_if<terrain::ElevationMap>(&terrain_->base);
  const auto* tiled = std::get_if<terrain::TiledMap>(&terrain_->base);
  Box2 extent;
  if (map != nullptr) {
    spacing_ = map->spacing();
    extent = {map->origin_x(), map->origin_y(), map->origin_x() + (map->nx() - 1) * map->spacing(),
              map->origin_y() + (map->ny() - 1) * map->spacing()};
  } else {
    spacing_ = tiled->spacing();
    extent = tiled->extent();
  }
  Box2 box = region;
  if (is_open) {
    box = extent;
    if (tiled != nullptr) {
      // A procedural map may be endless: what is near its middle.
      constexpr double kHalf = 250;
      const double x = std::clamp(0.0, extent.x0, extent.x1);
      const double y = std::clamp(0.0, extent.y0, extent.y1);
      box = {x - kHalf, y - kHalf, x + kHalf, y + kHalf};
    }
  }
  const auto cells = [&](double low, double high, double from, double to, int* first, int* count) {
    const int last = static_cast<int>(std::lround((to - from) / spacing_));  // cells of the map
    const int i0 = std::clamp(static_cast<int>(std::floor((low - from) / spacing_)), 0, last);
    const int i1 = std::clamp(static_cast<int>(std::ceil((high - from) / spacing_)), 0, last);
    require(i1 > i0, "scene: the ground's region is outside of the terrain");
    *first = i0, *count = i1 - i0;
  };
  int i0, j0;
  cells(box.x0, box.x1, extent.x0, extent.x1, &i0, &nx_);
  cells(box.y0, box.y1, extent.y0, extent.y1, &j0, &ny_);
  x0_ = extent.x0 + i0 * spacing_, y0_ = extent.y0 + j0 * spacing_;
  require(static_cast<double>(nx_) * ny_ <= 4e8, "scene: the ground's region has ", nx_, " x ", ny_,
          " cells; give a smaller region");
  if (map != nullptr) {
    nodes_ = map->nodes_with_rim();
    stride_ = map->nx() + 2;
    first_node_ = j0 * stride_ + i0;
    return;
  }
  stride_ = nx_ + 3;
  auto nodes = std::make_shared<std::vector<float>>(static_cast<std::size_t>(stride_) * (ny_ + 3));
  std::visit(
      [&](const auto& source) {
        if constexpr (requires { source.calc_block(0, 0, 1, 1, nodes->data()); }) {
          source.calc_block(i0 - 1, j0 - 1, nx_ + 3, ny_ + 3, nodes->data());
        } else {
          source.read_block(i0 - 1, j0 - 1, nx_ + 3, ny_ + 3, nodes->data());
        }
      },
      tiled->source());
  nodes_ = std::move(nodes);
}

Patch GroundTree::make_patch(int i, int j) const {
  using Row = math::internal::Real<4>;
  const float* first = nodes_->data() + first_node_ + j * stride_ + i;
  Patch patch;
  Row nodes[4], by_u[4];
  for (int r = 0; r < 4; ++r) {
    const float* p = first + r * stride_;
    nodes[r] = Row{p[0], p[1], p[2], p[3]};
  }
  make_coefficients<Row, double>(nodes, by_u);
  static_assert(sizeof patch.c == sizeof by_u);
  std::memcpy(patch.c, by_u, sizeof by_u);
  // A second derivative is linear in its own variable, so it is largest at an end of it.
  const auto& c = patch.c;
  double uu[2] = {0, 0}, vv[2] = {0, 0};
  patch.uv = 0;
  for (int k = 0; k < 4; ++k) {
    uu[0] += std::abs(2 * c[2][k]), uu[1] += std::abs(2 * c[2][k] + 6 * c[3][k]);
    vv[0] += std::abs(2 * c[k][2]), vv[1] += std::abs(2 * c[k][2] + 6 * c[k][3]);
    patch.uv += k * (std::abs(c[k][1]) + 2 * std::abs(c[k][2]) + 3 * std::abs(c[k][3]));
  }
  // A cell reaches a little beyond itself.
  patch.uu = 1.000001 * std::max(uu[0], uu[1]), patch.vv = 1.000001 * std::max(vv[0], vv[1]);
  patch.uv *= 1.000001;
  return patch;
}

// --- Bounds ---

/// From the Bezier form: a patch is within the range of its control points.
GroundTree::Range GroundTree::bound_cell(int i, int j) const {
  double low = HUGE_VAL, high = -HUGE_VAL;
  const double xa = x0_ + i * spacing_, ya = y0_ + j * spacing_;
  if (base_ == Base::kGrid) {
    const float* first = nodes_->data() + first_node_ + j * stride_ + i;
    const auto control = [](double p0, double p1, double p2, double p3, double* b) {
      b[0] = p1, b[1] = p1 + (p2 - p0) / 6, b[2] = p2 - (p3 - p1) / 6, b[3] = p2;
    };
    double rows[4][4], column[4];
    for (int r = 0; r < 4; ++r) {
      const float* p = first + r * stride_;
      control(p[0], p[1], p[2], p[3], rows[r]);
    }
    for (int a = 0; a < 4; ++a) {
      control(rows[0][a], rows[1][a], rows[2][a], rows[3][a], column);
      for (const double h : column) low = std::min(low, h), high = std::max(high, h);
    }
  } else if (base_ == Base::kPlane) {
    for (int k = 0; k < 4; ++k) {
      const double h = sample_base(xa + (k & 1) * spacing_, ya + (k >> 1) * spacing_).h;
      low = std::min(low, h), high = std::max(high, h);
    }
  } else {
    // Heights of a road are bilinear pieces: samples, and the steepest slope between them.
    constexpr int kSamples = 5;
    double slope = 0;
    for (int k = 0; k < kSamples * kSamples; ++k) {
      const SurfaceSample s = sample_base(xa + spacing_ * (k % kSamples) / (kSamples - 1),
                                          ya + spacing_ * (k / kSamples) / (kSamples - 1));
      low = std::min(low, s.h), high = std::max(high, s.h);
      slope = std::max(slope, std::abs(s.hx) + std::abs(s.hy));
    }
    const double margin = slope * spacing_ / (kSamples - 1) + 0.02;
    low -= margin, high += margin;
  }
  if (!special_.empty() && special_[cell_number(i, j)] != 0) {
    const double half = 0.5 * spacing_ * (1 + 4 * kOverlap);
    for (const terrain::Bump& bump : terrain_->bumps) {
      const auto level =
          find_level(bump, xa + 0.5 * spacing_, ya + 0.5 * spacing_, half * std::sqrt(2.0));
      low += level ? *level : std::min(0.0, bump.height);
      high += level ? *level : std::max(0.0, bump.height);
    }
    if (!ruts_.empty()) {
      double deepest = 0, heap = 0;
      const auto at = [&](double x, double up) {
        return static_cast<std::int64_t>(std::floor(x / rut_spacing_ + up));
      };
      for (std::int64_t rj = at(ya, -1e-3); rj <= at(ya + spacing_, 1.001); ++rj) {
        for (std::int64_t ri = at(xa, -1e-3); ri <= at(xa + spacing_, 1.001); ++ri) {
          const double d = rut_node(ri, rj);
          deepest = std::min(deepest, d), heap = std::max(heap, d);
        }
      }
      low += deepest, high += heap;
    }
  }
  const double margin = 1e-12 * std::max(std::abs(low), std::abs(high));
  return {round_down(low - margin - z_middle_), round_up(high + margin - z_middle_)};
}

/// bound_cell() for all cells of a plain grid, row by row in floats; a margin covers their
/// rounding.
void GroundTree::bound_rows() {
  const std::size_t width = static_cast<std::size_t>(nx_) + 3;
  std::vector<float> control[4];
  for (auto& c : control) c.resize(width);
  const auto z = static_cast<float>(z_middle_);
  float far = 0;
  for (int j = 0; j < ny_; ++j) {
    Block* out = &levels_[0].blocks[static_cast<std::size_t>(j >> 2) * levels_[0].nx];
    const int row = 4 * (j & 3);
    const float* p0 = nodes_->data() + first_node_ + j * stride_;
    const float *p1 = p0 + stride_, *p2 = p1 + stride_, *p3 = p2 + stride_;
    float *c0 = control[0].data(), *c1 = control[1].data(), *c2 = control[2].data(),
          *c3 = control[3].data();
    for (std::size_t i = 0; i < width; ++i) {
      const float a = p0[i] - z, b = p1[i] - z, c = p2[i] - z, d = p3[i] - z;
      c0[i] = b, c1[i] = b + (c - a) * (1.0F / 6), c2[i] = c - (d - b) * (1.0F / 6), c3[i] = c;
      far = std::max(far, std::abs(b));
    }
    for (int i = 0; i < nx_; ++i) {
      float low = c0[i + 1], high = low;
      for (const float* c : {c0, c1, c2, c3}) {
        const float a = c[i], b = c[i + 1], e = c[i + 2], g = c[i + 3];
        const float q1 = b + (e - a) * (1.0F / 6), q2 = e - (g - b) * (1.0F / 6);
        low = std::min(std::min(low, std::min(b, e)), std::min(q1, q2));
        high = std::max(std::max(high, std::max(b, e)), std::max(q1, q2));
      }
      out[i >> 2].low[row + (i & 3)] = low, out[i >> 2].high[row + (i & 3)] = high;
    }
  }
  // Heights are nodes minus z_middle_ rounded to a float, and four roundings more.
  const float margin = 0x1p-20F * (far + 1e-3F) +
                       2 * static_cast<float>(std::abs(z_middle_ - static_cast<double>(z))) +
                       0x1p-22F * static_cast<float>(std::abs(z_middle_));
  for (Block& block : levels_[0].blocks) {
    for (float& low : block.low) low -= margin;
    for (float& high : block.high) high += margin;
  }
}

void GroundTree::build_levels() {
  levels_.clear();
  Block empty;
  std::ranges::fill(empty.low, Bounds::kFar);
  std::ranges::fill(empty.high, -Bounds::kFar);
  for (int nx = (nx_ + 3) / 4, ny = (ny_ + 3) / 4;; nx = (nx + 3) / 4, ny = (ny + 3) / 4) {
    Level level;
    level.nx = nx, level.ny = ny;
    level.blocks.resize(static_cast<std::size_t>(nx) * ny, empty);
    levels_.push_back(std::move(level));
    if (nx == 1 && ny == 1) break;
  }
  if (!terrain_->bumps.empty()) {
    const double reach = 0.5 * spacing_ * std::sqrt(2.0) * (1 + 4 * kOverlap);
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) {
        const double x = x0_ + (i + 0.5) * spacing_, y = y0_ + (j + 0.5) * spacing_;
        for (const terrain::Bump& bump : terrain_->bumps) {
          const auto level = find_level(bump, x, y, reach);
          if (!level || *level != 0) {
            mark_special(i, j);
            break;
          }
        }
      }
    }
  }
  if (base_ == Base::kGrid) {
    bound_rows();
    if (!special_.empty()) {
      for (int j = 0; j < ny_; ++j) {
        for (int i = 0; i < nx_; ++i) {
          if (special_[cell_number(i, j)] != 0) set_cell_range(i, j, bound_cell(i, j));
        }
      }
    }
  } else {
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) set_cell_range(i, j, bound_cell(i, j));
    }
  }
  update_parents(0, 0, nx_ - 1, ny_ - 1);
}

GroundTree::Range GroundTree::range_of(const Block& block) {
  Range r{Bounds::kFar, -Bounds::kFar};
  for (const float low : block.low) r.low = std::min(r.low, low);
  for (const float high : block.high) r.high = std::max(r.high, high);
  return r;
}

void GroundTree::set_cell_range(int i, int j, const Range& range) {
  Block& block = levels_[0].blocks[static_cast<std::size_t>(j >> 2) * levels_[0].nx + (i >> 2)];
  block.low[slot_of(i, j)] = range.low, block.high[slot_of(i, j)] = range.high;
}

void GroundTree::update_parents(int i0, int j0, int i1, int j1) {
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    const Level& finer = levels_[l - 1];
    Level& level = levels_[l];
    i0 /= 4, j0 /= 4, i1 /= 4, j1 /= 4;
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        const Range r = range_of(finer.blocks[static_cast<std::size_t>(j) * finer.nx + i]);
        Block& block = level.blocks[static_cast<std::size_t>(j >> 2) * level.nx + (i >> 2)];
        block.low[slot_of(i, j)] = r.low, block.high[slot_of(i, j)] = r.high;
      }
    }
  }
  const Range all = range_of(levels_.back().blocks[0]);
  z_reach_ = std::max(std::abs(all.low), std::abs(all.high));
}

void GroundTree::mark_special(int i, int j) {
  if (special_.empty()) special_.resize(static_cast<std::size_t>(nx_) * ny_, 0);
  special_[cell_number(i, j)] = 1;
}

std::size_t GroundTree::memory() const {
  std::size_t bytes = special_.size() + ruts_.size() * (sizeof(RutTile) + 64);
  for (const Level& level : levels_) bytes += level.blocks.size() * sizeof(Block);
  return bytes + (nodes_ != nullptr ? nodes_->size() * sizeof(float) : 0);
}

// --- The surface ---

SurfaceSample GroundTree::sample_base(double x, double y) const {
  switch (base_) {
    case Base::kPlane:
      return std::get<terrain::Plane>(terrain_->base).sample(x, y);
    case Base::kRoad:
      return std::get<terrain::CrgRoad>(terrain_->base).sample(x, y);
    case Base::kGrid:
      break;
  }
  const double gx = std::clamp((x - x0_) * inverse_spacing_, 0.0, static_cast<double>(nx_));
  const double gy = std::clamp((y - y0_) * inverse_spacing_, 0.0, static_cast<double>(ny_));
  const int i = std::min(static_cast<int>(gx), nx_ - 1),
            j = std::min(static_cast<int>(gy), ny_ - 1);
  const Patch patch = make_patch(i, j);
  SurfaceSample s;
  eval_patch(patch, gx - i, gy - j, &s.h, &s.hx, &s.hy);
  s.h += patch.c[0][0], s.hx *= inverse_spacing_, s.hy *= inverse_spacing_;
  return s;
}

float GroundTree::rut_node(std::int64_t i, std::int64_t j) const {
  const std::int64_t ti = i >> 5, tj = j >> 5;
  const auto found = ruts_.find(tile_key(ti, tj));
  if (found == ruts_.end()) return 0.0F;
  return (*found->second)[static_cast<std::size_t>((j & 31) * kSoilSide + (i & 31))];
}

SurfaceSample GroundTree::sample_ruts(double x, double y) const {
  SurfaceSample s;
  if (ruts_.empty()) return s;
  const double k = 1 / rut_spacing_, gx = x * k, gy = y * k;
  const double fx = std::floor(gx), fy = std::floor(gy), u = gx - fx, v = gy - fy;
  const auto i = static_cast<std::int64_t>(fx), j = static_cast<std::int64_t>(fy);
  const double a = rut_node(i, j), b = rut_node(i + 1, j), c = rut_node(i, j + 1),
               d = rut_node(i + 1, j + 1);
  s.h = (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v;
  s.hx = ((b - a) * (1 - v) + (d - c) * v) * k;
  s.hy = ((c - a) * (1 - u) + (d - b) * u) * k;
  s.hxy = (a - b - c + d) * k * k;
  return s;
}

SurfaceSample GroundTree::sample(double x, double y) const {
  SurfaceSample s = sample_base(x, y);
  for (const terrain::Bump& bump : terrain_->bumps) s += sample_bump(bump, x, y);
  s += sample_ruts(x, y);
  return s;
}

void GroundTree::refresh(const terrain::SoilGrid& soil, const Box2& box) {
  const double spacing = soil.options().spacing;
  require(rut_spacing_ == 0 || rut_spacing_ == spacing,
          "Scene::refresh_ground: the soil's spacing is ", spacing, " m, earlier it was ",
          rut_spacing_, " m");
  rut_spacing_ = spacing;
  const double tile = spacing * kSoilSide;
  const auto at = [&](double x) { return static_cast<std::int64_t>(std::floor(x / tile)); };
  Box2 changed{HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  RutTile heights;
  for (std::int64_t tj = at(box.y0); tj <= at(box.y1); ++tj) {
    for (std::int64_t ti = at(box.x0); ti <= at(box.x1); ++ti) {
      auto found = ruts_.find(tile_key(ti, tj));
      if (!soil.copy_displacements(ti, tj, &cache_, heights)) {
        if (found == ruts_.end()) continue;
        heights.fill(0.0F);  // dropped by the soil: undisturbed again
      }
      if (found == ruts_.end()) {
        if (std::ranges::all_of(heights, [](float h) { return h == 0.0F; })) continue;
        found = ruts_.emplace(tile_key(ti, tj), std::make_unique<RutTile>()).first;
      }
      *found->second = heights;
      const double x = static_cast<double>(ti) * tile, y = static_cast<double>(tj) * tile;
      changed = {std::min(changed.x0, x - spacing), std::min(changed.y0, y - spacing),
                 std::max(changed.x1, x + tile), std::max(changed.y1, y + tile)};
    }
  }
  const auto cell = [&](double x, double from) {
    return static_cast<int>(std::floor((x - from) * inverse_spacing_));
  };
  if (!(changed.x0 <= changed.x1)) return;
  const int i0 = std::max(0, cell(changed.x0, x0_)), i1 = std::min(nx_ - 1, cell(changed.x1, x0_));
  const int j0 = std::max(0, cell(changed.y0, y0_)), j1 = std::min(ny_ - 1, cell(changed.y1, y0_));
  if (i1 < i0 || j1 < j0) return;
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      mark_special(i, j);
      set_cell_range(i, j, bound_cell(i, j));
    }
  }
  update_parents(i0, j0, i1, j1);
}

}  // namespace camber::scene::internal
