#include "camber/scene/ground_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "camber/core/require.h"

namespace camber::scene::internal {
namespace {

using terrain::Box2;
using terrain::SurfaceSample;

constexpr int kMaxCells = 1024;     // per side, where the surface is not a grid of heights
constexpr int kMaxRoadCells = 512;  // the same of a road, whose cells are sampled
// A cell takes a little of its neighbors, so that no root is lost at a common edge [cells, m].
constexpr double kOverlap = 1e-7;
constexpr double kSlack = 1e-6;
constexpr double kHeightTolerance = 1e-11;  // of a root [m]
constexpr int kMaxSteps = 60;
constexpr int kMaxStack = 4 * 32;  // of a walk down the pyramid

std::int64_t tile_key(std::int64_t i, std::int64_t j) { return (j << 32) ^ (i & 0xffffffff); }

/// Weights of the monomials of a Catmull-Rom spline: a[k] of t^k from four neighbors.
template <class T>
void make_monomials(T p0, T p1, T p2, T p3, T* a) {
  a[0] = p1;
  a[1] = 0.5 * (p2 - p0);
  a[2] = p0 - 2.5 * p1 + 2.0 * p2 - 0.5 * p3;
  a[3] = 0.5 * (p3 - p0) + 1.5 * (p1 - p2);
}

/// The first root of f in [a, b], where |f''| <= bend. Parts in which the bound excludes a root are
/// left out; a part whose slope cannot change its sign has one root at most.
template <class F>
bool find_root(const F& f, double a, double fa, double b, double fb, double bend, int depth,
               double* root) {
  const double length = b - a, sag = 0.125 * bend * length * length;
  if (fa == 0) {
    *root = a;
    return true;
  }
  const bool crosses = (fa < 0) != (fb < 0) || fb == 0;
  if (!crosses && (std::min(std::abs(fa), std::abs(fb)) > sag || depth == 0)) return false;
  if (crosses && (std::abs(fb - fa) > 4 * sag || depth == 0)) {
    // The secant's root, kept inside the bracket by halving (Illinois).
    double ga = fa, gb = fb;
    for (int k = 0; k < 200; ++k) {
      double t = a - ga * (b - a) / (gb - ga);
      if (!(t > a && t < b) || k % 8 == 7) t = 0.5 * (a + b);
      const double ft = f(t);
      *root = t;
      if (std::abs(ft) <= kHeightTolerance || !(t > a && t < b)) return true;
      if ((ft < 0) == (fa < 0)) {
        a = t, ga = ft, gb *= 0.5;
      } else {
        b = t, gb = ft, ga *= 0.5;
      }
    }
    return true;
  }
  const double middle = 0.5 * (a + b), fm = f(middle);
  return find_root(f, a, fa, middle, fm, bend, depth - 1, root) ||
         find_root(f, middle, fm, b, fb, bend, depth - 1, root);
}

double safe_inverse(double d) { return 1 / (std::abs(d) < 1e-30 ? std::copysign(1e-30, d) : d); }

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

GroundTree::Patch GroundTree::make_patch(int i, int j) const {
  using Row = math::internal::Real<4>;
  const float* first = nodes_->data() + first_node_ + j * stride_ + i;
  Patch patch;
  Row nodes[4], by_v[4], by_u[4];
  for (int r = 0; r < 4; ++r) {
    const float* p = first + r * stride_;
    nodes[r] = Row{p[0], p[1], p[2], p[3]};
  }
  make_monomials(nodes[0], nodes[1], nodes[2], nodes[3], by_v);
  const Row low01 = __builtin_shufflevector(by_v[0], by_v[1], 0, 4, 2, 6);
  const Row high01 = __builtin_shufflevector(by_v[0], by_v[1], 1, 5, 3, 7);
  const Row low23 = __builtin_shufflevector(by_v[2], by_v[3], 0, 4, 2, 6);
  const Row high23 = __builtin_shufflevector(by_v[2], by_v[3], 1, 5, 3, 7);
  make_monomials(Row(__builtin_shufflevector(low01, low23, 0, 1, 4, 5)),
                 Row(__builtin_shufflevector(high01, high23, 0, 1, 4, 5)),
                 Row(__builtin_shufflevector(low01, low23, 2, 3, 6, 7)),
                 Row(__builtin_shufflevector(high01, high23, 2, 3, 6, 7)), by_u);
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

namespace {

/// h - c[0][0] and its slopes by u and v; the constant is left to the caller, which subtracts it
/// from the ray's height.
template <class Patch, class T>
inline void eval_patch(const Patch& patch, const T& u, const T& v, T* h, T* hu, T* hv) {
  const auto& c = patch.c;
  T r[4], s[4];
  for (int b = 0; b < 4; ++b) {
    r[b] = ((c[3][b] * u + c[2][b]) * u + c[1][b]) * u;
    s[b] = (3 * c[3][b] * u + 2 * c[2][b]) * u + c[1][b];
  }
  r[1] += c[0][1], r[2] += c[0][2], r[3] += c[0][3];
  *h = ((r[3] * v + r[2]) * v + r[1]) * v + r[0];
  *hu = ((s[3] * v + s[2]) * v + s[1]) * v + s[0];
  *hv = (3.0 * r[3] * v + 2.0 * r[2]) * v + r[1];
}
template <class Patch, class T>
inline T eval_height(const Patch& patch, const T& u, const T& v) {
  const auto& c = patch.c;
  const T r0 = ((c[3][0] * u + c[2][0]) * u + c[1][0]) * u;
  const T r1 = ((c[3][1] * u + c[2][1]) * u + c[1][1]) * u + c[0][1];
  const T r2 = ((c[3][2] * u + c[2][2]) * u + c[1][2]) * u + c[0][2];
  const T r3 = ((c[3][3] * u + c[2][3]) * u + c[1][3]) * u + c[0][3];
  return ((r3 * v + r2) * v + r1) * v + r0;
}

}  // namespace

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
  Range* out = levels_[0].range.data();
  for (int j = 0; j < ny_; ++j) {
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
      out[i] = {low, high};
    }
    out += nx_;
  }
  // Heights are nodes minus z_middle_ rounded to a float, and four roundings more.
  const float margin = 0x1p-20F * (far + 1e-3F) +
                       2 * static_cast<float>(std::abs(z_middle_ - static_cast<double>(z))) +
                       0x1p-22F * static_cast<float>(std::abs(z_middle_));
  for (Range& r : levels_[0].range) r.low -= margin, r.high += margin;
}

void GroundTree::build_levels() {
  levels_.clear();
  for (int nx = nx_, ny = ny_;; nx = (nx + 1) / 2, ny = (ny + 1) / 2) {
    Level level;
    level.nx = nx, level.ny = ny;
    level.range.resize(static_cast<std::size_t>(nx) * ny);
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
          if (special_[cell_number(i, j)] != 0)
            levels_[0].range[cell_number(i, j)] = bound_cell(i, j);
        }
      }
    }
  } else {
    for (int j = 0; j < ny_; ++j) {
      for (int i = 0; i < nx_; ++i) levels_[0].range[cell_number(i, j)] = bound_cell(i, j);
    }
  }
  update_parents(0, 0, nx_ - 1, ny_ - 1);
  reach_[0] = static_cast<float>(0.5 * nx_ * spacing_ * 1.001);
  reach_[1] = static_cast<float>(0.5 * ny_ * spacing_ * 1.001);
  const Range all = levels_.back().range[0];
  reach_[2] = std::max(std::abs(all.low), std::abs(all.high));
}

void GroundTree::update_parents(int i0, int j0, int i1, int j1) {
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    const Level& finer = levels_[l - 1];
    Level& level = levels_[l];
    i0 /= 2, j0 /= 2, i1 /= 2, j1 /= 2;
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        Range r{Bounds::kFar, -Bounds::kFar};
        for (int b = 2 * j; b < std::min(2 * j + 2, finer.ny); ++b) {
          for (int a = 2 * i; a < std::min(2 * i + 2, finer.nx); ++a) {
            const Range& f = finer.range[static_cast<std::size_t>(b) * finer.nx + a];
            r.low = std::min(r.low, f.low), r.high = std::max(r.high, f.high);
          }
        }
        level.range[static_cast<std::size_t>(j) * level.nx + i] = r;
      }
    }
  }
}

void GroundTree::mark_special(int i, int j) {
  if (special_.empty()) special_.resize(static_cast<std::size_t>(nx_) * ny_, 0);
  special_[cell_number(i, j)] = 1;
}

std::size_t GroundTree::memory() const {
  std::size_t bytes = special_.size() + ruts_.size() * (sizeof(RutTile) + 64);
  for (const Level& level : levels_) bytes += level.range.size() * sizeof(Range);
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
      levels_[0].range[cell_number(i, j)] = bound_cell(i, j);
    }
  }
  update_parents(i0, j0, i1, j1);
}

// --- Rays in one cell ---

/// The part of a ray over the cell and between its heights.
GroundTree::Interval GroundTree::clip(int i, int j, const Vector3& o, const Vector3& d,
                                      double max_range) const {
  const Range range = levels_[0].range[cell_number(i, j)];
  const double low[3] = {x0_ + (i - kOverlap) * spacing_, y0_ + (j - kOverlap) * spacing_,
                         z_middle_ + range.low - kSlack};
  const double high[3] = {x0_ + (i + 1 + kOverlap) * spacing_, y0_ + (j + 1 + kOverlap) * spacing_,
                          z_middle_ + range.high + kSlack};
  Interval t{0.0, max_range};
  for (int k = 0; k < 3; ++k) {
    const double inverse = safe_inverse(d[k]);
    const double ta = (low[k] - o[k]) * inverse, tb = (high[k] - o[k]) * inverse;
    t.a = std::max(t.a, std::min(ta, tb)), t.b = std::min(t.b, std::max(ta, tb));
  }
  return t;
}

GroundHit GroundTree::meet_patch(const Patch& patch, int i, int j, const Vector3& o,
                                 const Vector3& d, double max_range) const {
  const auto [a, b] = clip(i, j, o, d, max_range);
  GroundHit hit;
  if (!(a <= b)) return hit;
  const double du = d.x() * inverse_spacing_, dv = d.y() * inverse_spacing_;
  const double u0 = (o.x() - x0_) * inverse_spacing_ - i, v0 = (o.y() - y0_) * inverse_spacing_ - j;
  const double z0 = o.z() - patch.c[0][0];
  const auto f = [&](double t) {
    return (z0 + t * d.z()) - eval_height(patch, u0 + t * du, v0 + t * dv);
  };
  const double bend = patch.uu * du * du + 2 * patch.uv * std::abs(du * dv) + patch.vv * dv * dv;
  if (!find_root(f, a, f(a), b, f(b), bend, 40, &hit.range)) return hit;
  double h;
  eval_patch(patch, u0 + hit.range * du, v0 + hit.range * dv, &h, &hit.hx, &hit.hy);
  hit.hx *= inverse_spacing_, hit.hy *= inverse_spacing_;
  return hit;
}

/// Cells with bumps, ruts or a road: pieces between the lines of the soil's nodes, or a 64th of the
/// cell; jumps of the height are met as the walls that they are.
GroundHit GroundTree::meet_special(int i, int j, const Vector3& o, const Vector3& d,
                                   double max_range) const {
  const auto [a, b] = clip(i, j, o, d, max_range);
  GroundHit hit;
  if (!(a <= b)) return hit;
  const bool has_bumps = !terrain_->bumps.empty() || base_ == Base::kRoad;
  Patch patch{};
  if (base_ == Base::kGrid) patch = make_patch(i, j);
  const double du = d.x() * inverse_spacing_, dv = d.y() * inverse_spacing_;
  const double u0 = (o.x() - x0_) * inverse_spacing_ - i, v0 = (o.y() - y0_) * inverse_spacing_ - j;
  const auto calc_slopes = [&](double t) {
    const double x = o.x() + t * d.x(), y = o.y() + t * d.y();
    SurfaceSample s;
    if (base_ == Base::kGrid) {
      eval_patch(patch, u0 + t * du, v0 + t * dv, &s.h, &s.hx, &s.hy);
      s.h += patch.c[0][0], s.hx *= inverse_spacing_, s.hy *= inverse_spacing_;
    } else {
      s = sample_base(x, y);
    }
    for (const terrain::Bump& bump : terrain_->bumps) s += sample_bump(bump, x, y);
    s += sample_ruts(x, y);
    return s;
  };
  const auto f = [&](double t) { return (o.z() + t * d.z()) - calc_slopes(t).h; };
  const double patch_bend =
      patch.uu * du * du + 2 * patch.uv * std::abs(du * dv) + patch.vv * dv * dv;
  const double along = std::hypot(d.x(), d.y());
  // The next place where the ray changes its piece.
  const auto next = [&](double t) {
    double end = b;
    if (has_bumps && along > 0) end = std::min(end, t + spacing_ / 64 / along);
    if (!ruts_.empty()) {
      for (int k = 0; k < 2; ++k) {
        if (d[k] == 0) continue;
        const double g = (o[k] + t * d[k]) / rut_spacing_;
        const double line = d[k] > 0 ? std::floor(g + 1e-9) + 1 : std::ceil(g - 1e-9) - 1;
        end = std::min(end, (line * rut_spacing_ - o[k]) / d[k]);
      }
    }
    return end > t ? end : b;
  };
  double t = a, ft = f(t);
  for (int k = 0; k < 100000; ++k) {
    const double end = next(t), f_end = f(end);
    double bend = patch_bend;
    if (!ruts_.empty()) {
      const double middle = 0.5 * (t + end);
      bend += 2 * std::abs(d.x() * d.y() *
                           sample_ruts(o.x() + middle * d.x(), o.y() + middle * d.y()).hxy);
    }
    if (find_root(f, t, ft, end, f_end, has_bumps ? 0.0 : bend, 30, &hit.range)) {
      const SurfaceSample s = calc_slopes(hit.range);
      hit.hx = s.hx, hit.hy = s.hy;
      return hit;
    }
    if (end >= b) break;
    t = end, ft = f_end;
  }
  return hit;
}

GroundHit GroundTree::meet_cell(int i, int j, const Vector3& o, const Vector3& d,
                                double max_range) const {
  const bool is_special =
      base_ == Base::kRoad || (!special_.empty() && special_[cell_number(i, j)] != 0);
  if (!is_special && base_ == Base::kGrid) {
    return meet_patch(make_patch(i, j), i, j, o, d, max_range);
  }
  if (!is_special && base_ == Base::kPlane) {
    const auto& plane = std::get<terrain::Plane>(terrain_->base);
    const double above = o.z() - plane.sample(o.x(), o.y()).h;
    const double sink = plane.slope_x * d.x() + plane.slope_y * d.y() - d.z();
    const double range = above / sink;
    const auto [a, b] = clip(i, j, o, d, max_range);
    if (sink == 0 || !(range >= a && range <= b)) return {};
    return {range, plane.slope_x, plane.slope_y};
  }
  return meet_special(i, j, o, d, max_range);
}

/// Plain cells of a grid, eight rays at a time. Each ray goes along its part of the cell in pieces
/// [p, q]: a piece is halved until the bound on curvature either excludes a root or makes it the
/// only one, which Newton's method then finds. Lanes do not affect each other.
template <bool kAny>
void GroundTree::meet_patches(int i, int j, unsigned rays, Packet* packet) const {
  using math::internal::sign_bits;
  const Patch patch = make_patch(i, j);
  const Range range = levels_[0].range[cell_number(i, j)];
  const std::int64_t key = make_key(kGround, static_cast<int>(cell_number(i, j)));
  const double k = inverse_spacing_;
  const double low[3] = {x0_ + (i - kOverlap) * spacing_, y0_ + (j - kOverlap) * spacing_,
                         z_middle_ + range.low - kSlack};
  const double high[3] = {x0_ + (i + 1 + kOverlap) * spacing_, y0_ + (j + 1 + kOverlap) * spacing_,
                          z_middle_ + range.high + kSlack};
  for (int half = 0; half < kPacket; half += 8) {
    unsigned here = rays >> half & 0xffU;
    if (here == 0) continue;
    Double8 o[3], d[3], p(0.0), end(HUGE_VAL);
    for (int e = 0; e < 3; ++e) {
      o[e] = Double8::load(packet->o[e] + half), d[e] = Double8::load(packet->d[e] + half);
      const Double8 tiny = select(d[e] < 0.0, Double8(-1e-30), Double8(1e-30));
      const Double8 inverse = 1.0 / select(abs(d[e]) < 1e-30, tiny, d[e]);
      const Double8 ta = (low[e] - o[e]) * inverse, tb = (high[e] - o[e]) * inverse;
      p = max(p, min(ta, tb)), end = min(end, max(ta, tb));
    }
    here &= sign_bits<8>((p <= end).pack);
    if (here == 0) continue;
    const Double8 du = d[0] * k, dv = d[1] * k;
    const Double8 u0 = (o[0] - x0_) * k - static_cast<double>(i);
    const Double8 v0 = (o[1] - y0_) * k - static_cast<double>(j);
    const Double8 z0 = o[2] - patch.c[0][0];
    const Double8 bend = patch.uu * du * du + 2 * patch.uv * abs(du * dv) + patch.vv * dv * dv;
    const auto f = [&](const Double8& t) {
      return (z0 + t * d[2]) - eval_height(patch, u0 + t * du, v0 + t * dv);
    };
    Double8 q = end, fp = f(p), fq = f(q);
    const Double8 shortest = 1e-9 * (end - p) + 1e-12;
    unsigned open = here, single = 0;
    for (int step = 0; step < 4 * kMaxSteps; ++step) {
      const Double8 length = q - p, sag = 0.125 * bend * length * length;
      const auto crosses = (fp < 0.0 && fq >= 0.0) || (fp > 0.0 && fq <= 0.0) || fp == 0.0;
      const auto is_short = length <= shortest;
      const auto is_single = crosses && (abs(fq - fp) > 4.0 * sag || is_short);
      const auto is_clear = (!crosses) && (min(abs(fp), abs(fq)) > sag || is_short);
      single |= open & sign_bits<8>(is_single.pack);
      open &= ~single;
      const auto goes_on = is_clear && q < end;
      open &= ~(sign_bits<8>(is_clear.pack) & ~sign_bits<8>(goes_on.pack));
      if (open == 0) break;
      // Lanes that are done keep their piece.
      const auto stays = is_single || (is_clear && !goes_on);
      const Double8 next_p = select(goes_on, q, p);
      const Double8 next_q = select(goes_on, end, p + 0.5 * length);
      fp = select(goes_on, fq, fp);
      p = select(stays, p, next_p), q = select(stays, q, next_q);
      fq = select(stays, fq, f(q));
    }
    here &= single;
    if (here == 0) continue;
    Double8 t = p - fp * (q - p) / (fq - fp), hu(0.0), hv(0.0);
    t = select(fp == 0.0, p, t);
    auto is_open = math::LaneMask<8>(true);
    for (int step = 0; step < kMaxSteps; ++step) {
      Double8 h, su, sv;
      eval_patch(patch, u0 + t * du, v0 + t * dv, &h, &su, &sv);
      const Double8 ft = (z0 + t * d[2]) - h;
      const Double8 slope = d[2] - (su * du + sv * dv);
      hu = select(is_open, su, hu), hv = select(is_open, sv, hv);
      const auto before = (ft < 0.0 && fp < 0.0) || (ft > 0.0 && fp > 0.0);
      p = select(is_open && before, t, p), q = select(is_open && !before, t, q);
      const Double8 change = ft / slope, newton = t - change;
      const auto is_inside = newton >= p && newton <= q;
      const Double8 next = select(is_inside, newton, 0.5 * (p + q));
      t = select(is_open, next, t);
      // The height that a step of Newton's leaves is at most bend/2 change^2.
      const auto is_done =
          (is_inside && 0.5 * bend * change * change <= kHeightTolerance) || q - p <= 1e-14 * t;
      is_open = is_open && !is_done;
      if ((sign_bits<8>(is_open.pack) & here) == 0) break;
    }
    double at[8], sx[8], sy[8];
    t.store(at), hu.store(sx), hv.store(sy);
    for (; here != 0; here &= here - 1) {
      const int l = std::countr_zero(here), r = half + l;
      if constexpr (kAny) {
        if (at[l] <= packet->best[r]) packet->finish(r);
      } else if (packet->is_better(r, at[l], key)) {
        packet->take(r, at[l], key);
        packet->slope_x[r] = sx[l] * k, packet->slope_y[r] = sy[l] * k;
      }
    }
  }
}

template <bool kAny>
void GroundTree::meet_cell(int i, int j, unsigned rays, Packet* packet) const {
  const bool is_special =
      base_ != Base::kGrid || (!special_.empty() && special_[cell_number(i, j)] != 0);
  if (!is_special) {
    meet_patches<kAny>(i, j, rays, packet);
    return;
  }
  const std::int64_t key = make_key(kGround, static_cast<int>(cell_number(i, j)));
  for (; rays != 0; rays &= rays - 1) {
    const int r = std::countr_zero(rays);
    const GroundHit hit =
        meet_cell(i, j, Vector3(packet->o[0][r], packet->o[1][r], packet->o[2][r]),
                  Vector3(packet->d[0][r], packet->d[1][r], packet->d[2][r]), HUGE_VAL);
    if (hit.range == HUGE_VAL) continue;
    if constexpr (kAny) {
      if (hit.range <= packet->best[r]) packet->finish(r);
    } else if (packet->is_better(r, hit.range, key)) {
      packet->take(r, hit.range, key);
      packet->slope_x[r] = hit.hx, packet->slope_y[r] = hit.hy;
    }
  }
}

// --- The walk ---

template <bool kAny>
void GroundTree::cast(Packet* packet) const {
  alignas(64) float o[3][kPacket], d[3][kPacket];
  const double middle[3] = {x_middle_, y_middle_, z_middle_};
  for (int a = 0; a < 3; ++a) {
    for (int k = 0; k < kPacket; ++k) {
      o[a][k] = static_cast<float>(packet->o[a][k] - middle[a]);
      d[a][k] = static_cast<float>(packet->d[a][k]);
    }
  }
  BoxRays rays;
  // Cells reach a little beyond themselves; heights have their slack, too.
  const float reach[3] = {reach_[0], reach_[1], reach_[2] + 8.0F};
  rays.set(o, d, reach, packet->active);
  const auto walk_down = [&]<bool kUniform>() {
    // At most three more entries per level.
    Float16 enter[kMaxStack];
    struct Place {
      unsigned bits;
      int level, i, j;
    } places[kMaxStack];
    int top = 0;
    const auto cell = static_cast<float>(spacing_);
    const auto x_low = static_cast<float>(x0_ - x_middle_);
    const auto y_low = static_cast<float>(y0_ - y_middle_);
    const int flip_x = rays.first_sign[0], flip_y = rays.first_sign[1];
    // The walk starts with up to 2 x 2 parts of the level that just holds all rays.
    int low[2], high[2];
    const int cells[2] = {nx_, ny_};
    for (int a = 0; a < 2; ++a) {
      const Float16 from = Float16::load(o[a]);
      const Float16 to = mul_add(Float16::load(d[a]), Float16::load(packet->best_above), from);
      const float begin = a == 0 ? x_low : y_low, most = 1.001F * reach_[a] + 2 * cell;
      const float x0 = -max_of(Float16(0.0F) - min(from, to)) - 4 * rays.pad[a];
      const float x1 = max_of(max(from, to)) + 4 * rays.pad[a];
      const auto number = [&](float x) {
        const float g = (std::clamp(x, -most, most) - begin) / cell;
        return std::clamp(static_cast<int>(std::floor(g)), 0, cells[a] - 1);
      };
      // A cell more on both sides covers the rounding of g.
      low[a] = std::max(0, number(x0) - 1), high[a] = std::min(cells[a] - 1, number(x1) + 1);
    }
    int start = 0;
    while ((high[0] >> start) - (low[0] >> start) > 1 ||
           (high[1] >> start) - (low[1] >> start) > 1) {
      ++start;
    }
    for (int c = 3; c >= 0; --c) {
      const int cx = (c & 1) ^ flip_x, cy = (c >> 1) ^ flip_y;
      const int i = (low[0] >> start) + cx, j = (low[1] >> start) + cy;
      if (i > high[0] >> start || j > high[1] >> start) continue;
      enter[top] = Float16(0.0F);
      places[top++] = {packet->active, start, i, j};
    }
    while (top > 0) {
      const Place at = places[--top];
      const Float16 best = Float16::load(packet->best_above);
      const unsigned bits = at.bits & le_bits(enter[top], best);
      if (bits == 0) continue;
      if (at.level == 0) {
        meet_cell<kAny>(at.i, at.j, bits, packet);
        continue;
      }
      const int l = at.level - 1;
      const Level& level = levels_[l];
      const float side = cell * static_cast<float>(1 << l);
      // Slabs of the nearer and the farther pair of children, as the first ray sees them.
      Float16 near_x[2], far_x[2], near_y[2], far_y[2];
      const auto slab = [&](int axis, float from, int flip, Float16* near, Float16* far) {
        for (int c = 0; c < 2; ++c) {
          const auto place = static_cast<float>(c ^ flip);
          const float below = from + place * side, above = from + (place + 1) * side;
          if constexpr (kUniform) {
            const bool is_down = rays.near_plane[axis] != axis;
            near[c] = max(
                mul_add(Float16(is_down ? above : below), rays.inverse[axis], rays.near_at[axis]),
                Float16(0.0F));
            far[c] = min(
                mul_add(Float16(is_down ? below : above), rays.inverse[axis], rays.far_at[axis]),
                best);
          } else {
            const Float16 low = mul_add(Float16(below), rays.inverse[axis], rays.low_at[axis]);
            const Float16 high = mul_add(Float16(above), rays.inverse[axis], rays.high_at[axis]);
            near[c] = max(min(low, high), Float16(0.0F));
            far[c] = min(max(low, high), best);
          }
        }
      };
      slab(0, x_low + side * static_cast<float>(2 * at.i), flip_x, near_x, far_x);
      slab(1, y_low + side * static_cast<float>(2 * at.j), flip_y, near_y, far_y);
      const auto child = [&](const Float16& nx, const Float16& fx, const Float16& ny,
                             const Float16& fy, int cx, int cy) {
        const int i = 2 * at.i + (cx ^ flip_x), j = 2 * at.j + (cy ^ flip_y);
        if (i >= level.nx || j >= level.ny) return;
        const Range range = level.range[static_cast<std::size_t>(j) * level.nx + i];
        Float16 near, far;
        if constexpr (kUniform) {
          const bool is_down = rays.near_plane[2] != 2;
          near =
              mul_add(Float16(is_down ? range.high : range.low), rays.inverse[2], rays.near_at[2]);
          far = mul_add(Float16(is_down ? range.low : range.high), rays.inverse[2], rays.far_at[2]);
        } else {
          const Float16 low = mul_add(Float16(range.low), rays.inverse[2], rays.low_at[2]);
          const Float16 high = mul_add(Float16(range.high), rays.inverse[2], rays.high_at[2]);
          near = min(low, high), far = max(low, high);
        }
        near = max(max(nx, ny), near), far = min(min(fx, fy), far);
        const unsigned inside = bits & le_bits(near, far);
        enter[top] = near;
        places[top] = {inside, l, i, j};
        top += inside != 0 ? 1 : 0;
      };
      child(near_x[1], far_x[1], near_y[1], far_y[1], 1, 1);
      child(near_x[0], far_x[0], near_y[1], far_y[1], 0, 1);
      child(near_x[1], far_x[1], near_y[0], far_y[0], 1, 0);
      child(near_x[0], far_x[0], near_y[0], far_y[0], 0, 0);
    }
  };
  if (rays.is_uniform()) {
    walk_down.template operator()<true>();
  } else {
    walk_down.template operator()<false>();
  }
}
template void GroundTree::cast<false>(Packet*) const;
template void GroundTree::cast<true>(Packet*) const;

}  // namespace camber::scene::internal
