#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "camber/scene/box_list.h"
#include "camber/scene/ground_patch.h"
#include "camber/scene/ground_roots.h"
#include "camber/scene/ground_tree.h"

// docs/theory/rays.md, section 3; numbers in brackets are its equations. The blocks of cells that a
// bundle of packets may meet are listed once, from near to far. Each packet looks at sixteen blocks
// at a time, then at the sixteen cells of a block, then a cell at its rays: in floats, which leave
// out what is surely not met. The rest is solved in doubles.

namespace camber::scene::internal {
namespace {

/// For each of the 4 x 4 parts of a block: its column and its row.
alignas(64) constexpr float kColumn[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
alignas(64) constexpr float kRow[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

// Weights of the 16 coefficients in bounds of the patch's second derivatives, less sharp than Patch
// has them; c[a][b] is number 4 a + b.
alignas(64) constexpr float kWeightUu[16] = {0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 6, 6, 6, 6};
alignas(64) constexpr float kWeightVv[16] = {0, 0, 2, 6, 0, 0, 2, 6, 0, 0, 2, 6, 0, 0, 2, 6};
alignas(64) constexpr float kWeightUv[16] = {0, 0, 0, 0, 0, 1, 2, 3, 0, 2, 4, 6, 0, 3, 6, 9};

}  // namespace

/// A packet as its cells need it.
struct alignas(64) GroundTree::CellRays {
  Float16 o[3], d[3], inverse[3], at[3];  // t of plane x: x inverse + at
  Float16 du, dv;                         // cells per range
  Float16 du_du, du_dv, dv_dv;            // their products; that of both without its sign
  alignas(64) double exact[3][kPacket];   // 1/d

  void set(const FloatRays& rays, const Packet& packet, float cells_per_meter) {
    constexpr float kTiny = 1e-15F;
    for (int a = 0; a < 3; ++a) {
      o[a] = Float16::load(rays.o[a]), d[a] = Float16::load(rays.d[a]);
      const unsigned tiny = le_bits(abs(d[a]), Float16(kTiny));
      inverse[a] = Float16(1.0F) / choose(tiny, flip(Float16(kTiny), d[a]), d[a]);
      at[a] = Float16(0.0F) - o[a] * inverse[a];
      const Double16 x = Double16::load(packet.d[a]);
      const Double16 least = select(x < 0.0, Double16(-1e-30), Double16(1e-30));
      (1.0 / select(abs(x) < 1e-30, least, x)).store(exact[a]);
    }
    du = d[0] * Float16(cells_per_meter), dv = d[1] * Float16(cells_per_meter);
    du_du = du * du, du_dv = abs(du * dv), dv_dv = dv * dv;
  }
};

/// A cell that packets of a bundle come to. Floats are about the center of the bundle.
struct alignas(64) GroundTree::Cell {
  alignas(64) float c[4][4];     // of a plain cell of a grid: its patch about its first node [m]
  float uu, uv, vv;              // bounds of the patch's second derivatives
  float error;                   // of all roundings (9) [m]
  float x, y, z;                 // of its first node [m]
  float low[3], high[3];         // box [m]
  bool is_special, is_patch;     // has bumps or ruts; is a plain cell of a grid
  bool can_be_left_out = false;  // (9) holds
  bool has_patch = false;
  std::int32_t i, j;
  Patch patch;  // in doubles, with the cell's box; if has_patch
  CellBox box;
};

struct GroundTree::Workspace {
  static constexpr int kBlocks = 512, kCells = 768;
  BoxList<BlockPlace, kBlocks> list;
  ListLength length;
  // Of the list's blocks, if is_prepared: boxes of their cells in the axes of the fan, and numbers of
  // the cells that rays came to; -1: none did.
  std::array<Boxes16, kBlocks> boxes;
  std::array<std::array<std::int16_t, 16>, kBlocks> numbers;
  std::array<bool, kBlocks> is_prepared;
  std::array<Cell, kCells + 1> cells;  // the last one is for those that have no room
  int cell_count = 0;

  /// To be called after the last add().
  void sort_list() {
    list.sort();
    std::fill_n(is_prepared.begin(), list.size(), false);
    cell_count = 0;
  }

  static Workspace& get() {
    thread_local const auto own = std::make_unique<Workspace>();
    return *own;
  }
};

namespace {

Bounds box_of(const Boxes16& boxes, int k) {
  Bounds b;
  for (int a = 0; a < 3; ++a) b.low[a] = boxes.low[a][k], b.high[a] = boxes.high[a][k];
  return b;
}

}  // namespace

// --- Cells ---

template <bool kAny>
void GroundTree::meet_patch(unsigned which, const CellRays& cell_rays, Cell* cell,
                            Packet* packet) const {
  const int i = cell->i, j = cell->j;
  if (!cell->has_patch) {
    cell->patch = make_patch(i, j);
    const Range range = cell_range(i, j);
    cell->box = {{x0_ + (i - kOverlap) * spacing_, y0_ + (j - kOverlap) * spacing_,
                  z_middle_ + range.low - kSlack},
                 {x0_ + (i + 1 + kOverlap) * spacing_, y0_ + (j + 1 + kOverlap) * spacing_,
                  z_middle_ + range.high + kSlack}};
    cell->has_patch = true;
  }
  const Patch& patch = cell->patch;
  const CellBox& box = cell->box;
  const std::int64_t key = make_key(kGround, static_cast<int>(cell_number(i, j)));
  const double k = inverse_spacing_;
  const auto solve = [&]<class T>(const RayLanes<T>& rays, unsigned here, const auto& ray_of) {
    const T u0 = (rays.o[0] - x0_) * k - static_cast<double>(i);
    const T v0 = (rays.o[1] - y0_) * k - static_cast<double>(j);
    const Roots<T> roots = find_roots(patch, box, rays, u0, v0, k, here);
    here = roots.found;
    if (here == 0) return;
    alignas(64) double at[kPacket], sx[kPacket], sy[kPacket];
    roots.t.store(at), roots.hu.store(sx), roots.hv.store(sy);
    for (; here != 0; here &= here - 1) {
      const int l = std::countr_zero(here), r = ray_of(l);
      if constexpr (kAny) {
        if (at[l] <= packet->best[r]) packet->finish(r);
      } else if (packet->is_better(r, at[l], key)) {
        packet->take(r, at[l], key);
        packet->slope_x[r] = sx[l] * k, packet->slope_y[r] = sy[l] * k;
      }
    }
  };
  const bool has_both = (which & 0xffU) != 0 && which >> 8 != 0;
  if (has_both && std::popcount(which) > 8) {
    RayLanes<Double16> all;
    for (int a = 0; a < 3; ++a) {
      all.o[a] = Double16::load(packet->o[a]), all.d[a] = Double16::load(packet->d[a]);
      all.inverse[a] = Double16::load(cell_rays.exact[a]);
    }
    solve(all, which, [](int l) { return l; });
    return;
  }
  RayLanes<Double8> some;
  if (!has_both) {
    const int half = (which & 0xffU) != 0 ? 0 : 8;
    for (int a = 0; a < 3; ++a) {
      some.o[a] = Double8::load(packet->o[a] + half);
      some.d[a] = Double8::load(packet->d[a] + half);
      some.inverse[a] = Double8::load(cell_rays.exact[a] + half);
    }
    solve(some, which >> half, [&](int l) { return half + l; });
    return;
  }
  // Few rays of both halves go together.
  int ray[8], n = 0;
  for (unsigned bits = which; bits != 0; bits &= bits - 1) ray[n++] = std::countr_zero(bits);
  for (int l = n; l < 8; ++l) ray[l] = ray[0];
  alignas(64) double lane[3][8];
  for (int a = 0; a < 3; ++a) {
    for (int l = 0; l < 8; ++l) {
      lane[0][l] = packet->o[a][ray[l]], lane[1][l] = packet->d[a][ray[l]];
      lane[2][l] = cell_rays.exact[a][ray[l]];
    }
    some.o[a] = Double8::load(lane[0]), some.d[a] = Double8::load(lane[1]);
    some.inverse[a] = Double8::load(lane[2]);
  }
  solve(some, (1U << n) - 1U, [&](int l) { return ray[l]; });
}

/// Cells of a plane.
template <bool kAny>
void GroundTree::meet_plane(int i, int j, unsigned which, const CellRays& cell_rays,
                            Packet* packet) const {
  const auto& plane = std::get<terrain::Plane>(terrain_->base);
  const Range range = cell_range(i, j);
  const double low[3] = {x0_ + (i - kOverlap) * spacing_, y0_ + (j - kOverlap) * spacing_,
                         z_middle_ + range.low - kSlack};
  const double high[3] = {x0_ + (i + 1 + kOverlap) * spacing_, y0_ + (j + 1 + kOverlap) * spacing_,
                          z_middle_ + range.high + kSlack};
  Double16 o[3], d[3], from(0.0), to(HUGE_VAL);
  for (int a = 0; a < 3; ++a) {
    o[a] = Double16::load(packet->o[a]), d[a] = Double16::load(packet->d[a]);
    const Double16 inverse = Double16::load(cell_rays.exact[a]);
    const Double16 ta = (low[a] - o[a]) * inverse, tb = (high[a] - o[a]) * inverse;
    from = max(from, min(ta, tb)), to = min(to, max(ta, tb));
  }
  const Double16 above = o[2] - (plane.height + plane.slope_x * o[0] + plane.slope_y * o[1]);
  const Double16 sink = plane.slope_x * d[0] + plane.slope_y * d[1] - d[2];
  const Double16 t = above / sink;  // infinite or NaN if the ray is parallel
  which &= (t >= from && t <= to && t <= Double16::load(packet->best)).bits();
  if (which == 0) return;
  const std::int64_t key = make_key(kGround, static_cast<int>(cell_number(i, j)));
  alignas(64) double at[kPacket];
  t.store(at);
  for (; which != 0; which &= which - 1) {
    const int r = std::countr_zero(which);
    if constexpr (kAny) {
      packet->finish(r);
    } else if (packet->is_better(r, at[r], key)) {
      packet->take(r, at[r], key);
      packet->slope_x[r] = plane.slope_x, packet->slope_y[r] = plane.slope_y;
    }
  }
}

/// Cells with bumps or ruts, and of a road: ray by ray.
template <bool kAny>
void GroundTree::meet_special_rays(int i, int j, unsigned rays, Packet* packet) const {
  const std::int64_t key = make_key(kGround, static_cast<int>(cell_number(i, j)));
  for (; rays != 0; rays &= rays - 1) {
    const int r = std::countr_zero(rays);
    const GroundHit hit =
        meet_special(i, j, Vector3(packet->o[0][r], packet->o[1][r], packet->o[2][r]),
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

/// The float part of a cell.
void GroundTree::prepare(int i, int j, const Bounds& box, const Bundle& bundle, Cell* cell) const {
  cell->i = i, cell->j = j;
  for (int a = 0; a < 3; ++a) cell->low[a] = box.low[a], cell->high[a] = box.high[a];
  cell->has_patch = false;
  cell->is_special =
      base_ == Base::kRoad || (!special_.empty() && special_[cell_number(i, j)] != 0);
  cell->is_patch = !cell->is_special && base_ == Base::kGrid;
  const auto spacing = static_cast<float>(spacing_);
  // Boxes are larger than their cells by rounding; (7) holds a little beyond a cell.
  cell->can_be_left_out = cell->is_patch && box.high[0] - box.low[0] <= 1.04F * spacing;
  if (!cell->can_be_left_out) return;

  typedef float Row __attribute__((vector_size(16)));  // NOLINT(modernize-use-using)
  const float* first = nodes_->data() + first_node_ + j * stride_ + i;
  const float corner = first[stride_ + 1];
  Row nodes[4], rows[4];
  for (int r = 0; r < 4; ++r) {
    std::memcpy(&nodes[r], first + r * stride_, sizeof(Row));
    nodes[r] -= corner;
  }
  make_coefficients<Row, float>(nodes, rows);
  std::memcpy(cell->c, rows, sizeof rows);
  const Float16 sizes = abs(Float16::load(cell->c[0]));
  cell->uu = 1.1F * sum_of(sizes * Float16::load(kWeightUu));
  cell->uv = 2.2F * sum_of(sizes * Float16::load(kWeightUv));
  cell->vv = 1.1F * sum_of(sizes * Float16::load(kWeightVv));
  const float all = sum_of(sizes);
  const auto k = static_cast<float>(inverse_spacing_);
  const float size = std::abs(box.low[0]) + std::abs(box.low[1]) + std::abs(box.low[2]) +
                     std::abs(box.high[2]) + 2 * spacing + bundle.reach;
  cell->error = 0x1p-19F * (size * (1 + 6 * all * k) + all);
  cell->x = static_cast<float>(x0_ + i * spacing_ - bundle.center.x());
  cell->y = static_cast<float>(y0_ + j * spacing_ - bundle.center.y());
  cell->z = static_cast<float>(static_cast<double>(corner) - bundle.center.z());
}

/// Rays of `may` that may meet the cell: f of (6) at both ends of a ray's part of the cell's box, by
/// floats. A root is excluded if f has one sign there and is larger than (7) allows it to change plus
/// a bound of all rounding errors (9).
unsigned GroundTree::filter(const Cell& cell, unsigned may, const CellRays& rays,
                            const Float16& best) const {
  Float16 near(0.0F), far = best;
  for (int a = 0; a < 3; ++a) {
    const Float16 below = mul_add(Float16(cell.low[a]), rays.inverse[a], rays.at[a]);
    const Float16 above = mul_add(Float16(cell.high[a]), rays.inverse[a], rays.at[a]);
    near = max(near, min(below, above));
    far = min(far, max(below, above));
  }
  may &= le_bits(near, far);
  if (may == 0 || !cell.can_be_left_out) return may;
  const auto k = static_cast<float>(inverse_spacing_);
  const Float16 &du = rays.du, &dv = rays.dv;
  const Float16 u0 = (rays.o[0] - Float16(cell.x)) * Float16(k);
  const Float16 v0 = (rays.o[1] - Float16(cell.y)) * Float16(k);
  const Float16 z0 = rays.o[2] - Float16(cell.z);
  const auto& c = cell.c;
  const auto f = [&](const Float16& t) {
    const Float16 u = mul_add(t, du, u0), v = mul_add(t, dv, v0);
    Float16 r[4];
    for (int b = 0; b < 4; ++b) {
      r[b] = mul_add(mul_add(Float16(c[3][b]), u, Float16(c[2][b])), u, Float16(c[1][b]));
    }
    r[0] = r[0] * u;
    for (int b = 1; b < 4; ++b) r[b] = mul_add(r[b], u, Float16(c[0][b]));
    const Float16 h = mul_add(mul_add(mul_add(r[3], v, r[2]), v, r[1]), v, r[0]);
    return mul_add(t, rays.d[2], z0) - h;
  };
  const Float16 at_near = f(near), at_far = f(far), length = far - near;
  const Float16 bend =
      mul_add(Float16(cell.uu), rays.du_du,
              mul_add(Float16(cell.uv), rays.du_dv, Float16(cell.vv) * rays.dv_dv));
  const Float16 sag = Float16(0.126F) * bend * length * length;
  const unsigned is_monotone =
      le_bits(mul_add(sag, Float16(4.0F), Float16(2 * cell.error)), abs(at_far - at_near));
  const Float16 margin = choose(is_monotone, Float16(cell.error), sag + Float16(cell.error));
  const Float16 below = Float16(0.0F) - margin;
  const unsigned is_above = le_bits(margin, at_near) & le_bits(margin, at_far);
  const unsigned is_below = le_bits(at_near, below) & le_bits(at_far, below);
  return may & ~(is_above | is_below);
}

// --- The pyramid ---

FanBoxes GroundTree::part_boxes(int level, int i, int j, const FanAxes& axes,
                                const Bundle& bundle) const {
  const Level& all = levels_[level];
  const Block& block = all.blocks[static_cast<std::size_t>(j) * all.nx + i];
  const double side = spacing_ * static_cast<double>(1LL << (2 * level));
  const auto x = static_cast<float>(x0_ + 4 * side * i - bundle.center.x());
  const auto y = static_cast<float>(y0_ + 4 * side * j - bundle.center.y());
  const auto z = static_cast<float>(z_middle_ - bundle.center.z());
  const auto width = static_cast<float>(side);
  Float16 low[3], high[3];
  // Rounding is relative to the size of the coordinates.
  const float size = std::abs(x) + std::abs(y) + std::abs(z) + z_reach_ + 8 * width + bundle.reach;
  const float pad = 0x1p-19F * size + static_cast<float>(2 * (kOverlap * spacing_ + kSlack));
  const Float16 column = Float16::load(kColumn), row = Float16::load(kRow), more(width + 2 * pad);
  low[0] = mul_add(column, Float16(width), Float16(x - pad));
  low[1] = mul_add(row, Float16(width), Float16(y - pad));
  high[0] = low[0] + more, high[1] = low[1] + more;
  low[2] = Float16::load(block.low) + Float16(z - pad);
  high[2] = Float16::load(block.high) + Float16(z + pad);
  return FanBoxes::turn(axes, low, high);
}

template <class Add>
bool GroundTree::collect(const Fan& fan, const Bundle& bundle, const Add& add) const {
  struct Place {
    int level, i, j;
  };
  Place stack[15 * 16 + 1];  // at most fifteen more per level
  int top = 0;
  const FanTest test(fan);
  stack[top++] = {static_cast<int>(levels_.size()) - 1, 0, 0};
  while (top > 0) {
    const Place at = stack[--top];
    const FanBoxes parts = part_boxes(at.level, at.i, at.j, fan.axes, bundle);
    Float16 enter;
    unsigned bits = test.meet(parts, &enter);
    if (bits == 0) continue;
    Boxes16 boxes;
    parts.store(&boxes);
    if (at.level == 0) {  // all of the ground is one block
      Bounds box;
      for (int k = 0; k < 16; ++k) {
        if ((bits >> k & 1U) != 0) box.add(box_of(boxes, k));
      }
      if (!add(box, 0.0F, BlockPlace{at.i, at.j})) return false;
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      const int k = std::countr_zero(bits);
      const int i = 4 * at.i + (k & 3), j = 4 * at.j + (k >> 2);
      if (at.level > 1) {
        stack[top++] = {at.level - 1, i, j};
        continue;
      }
      __builtin_prefetch(&levels_[0].blocks[static_cast<std::size_t>(j) * levels_[0].nx + i]);
      if (!add(box_of(boxes, k), lane_of(enter, k), BlockPlace{i, j})) {
        return false;
      }
    }
  }
  return true;
}

/// The rays `which` of a packet through the blocks of the list.
template <bool kAny>
void GroundTree::cast_list(int number, const Fan& fan, unsigned which, Bundle* bundle,
                           Workspace* work) const {
  Packet* packet = &bundle->packets[number];
  FanTest test(fan);
  float needed = fan.reach;
  CellRays rays;
  bool has_rays = false;
  for (int b = 0; b < work->list.block_count(); ++b) {
    if (!(work->list.enter(b) <= needed)) break;
    for (unsigned bits = test.meet(work->list.block(b)); bits != 0; bits &= bits - 1) {
      const int item = 16 * b + std::countr_zero(bits);
      const BlockPlace& place = work->list.item(item);
      Boxes16& boxes = work->boxes[item];
      if (!work->is_prepared[item]) {
        part_boxes(0, place.i, place.j, fan.axes, *bundle).store(&boxes);
        work->numbers[item].fill(-1);
        work->is_prepared[item] = true;
      }
      unsigned met = test.meet(boxes);
      if (met == 0) continue;
      if (!has_rays) {
        rays.set(bundle->rays[number], *packet, static_cast<float>(inverse_spacing_));
        has_rays = true;
      }
      bool is_nearer = false;
      for (; met != 0; met &= met - 1) {
        const int k = std::countr_zero(met);
        std::int16_t& at = work->numbers[item][k];
        Cell& cell = work->cells[at >= 0 ? at : work->cell_count];
        if (at < 0) {
          prepare(4 * place.i + (k & 3), 4 * place.j + (k >> 2),
                  fan.axes.turn_back(box_of(boxes, k)), *bundle, &cell);
          if (work->cell_count < Workspace::kCells)
            at = static_cast<std::int16_t>(work->cell_count++);
        }
        const unsigned may = filter(cell, which, rays, Float16::load(packet->best_above));
        if (may == 0) continue;
        is_nearer = true;
        if (cell.is_patch) {
          meet_patch<kAny>(may, rays, &cell, packet);
        } else if (!cell.is_special) {
          meet_plane<kAny>(cell.i, cell.j, may, rays, packet);
        } else {
          meet_special_rays<kAny>(cell.i, cell.j, may, packet);
        }
      }
      if (!is_nearer) continue;
      needed = max_of(Float16::load(packet->best_above));
      test.set_reach(needed);
    }
  }
}

template <bool kAny>
void GroundTree::cast_some(int first, int count, Bundle* bundle, Workspace* work) const {
  Fan all;
  if (work->length.allows(count) || count == 1) {
    bool is_short = bundle->make_fans(first, count, &all);
    if (is_short) {
      bundle->set_reach(first, count, HUGE_VALF, &all);
      work->list.clear();
      is_short = collect(all, *bundle, [&](const Bounds& box, float enter, const BlockPlace& p) {
        return work->list.add(box, enter, p);
      });
    }
    if (is_short) {
      work->sort_list();
      for (int k = first; k < first + count; ++k) {
        bundle->prefetch(k);
        const int packet = bundle->order[k];
        cast_list<kAny>(packet, bundle->fans[packet], bundle->packets[packet].active, bundle, work);
      }
      work->length.set_length(count, work->list.size());
      return;
    }
    work->length.set_full(count);
  }
  if (count > 1) {
    bundle->split(first, count);
    const int half = count / 2;
    cast_some<kAny>(first, half, bundle, work);
    cast_some<kAny>(first + half, count - half, bundle, work);
    return;
  }
  const int packet = bundle->order[first];
  // Rays that go apart, or over very much ground: one by one, in as many lists as it takes.
  for (unsigned bits = bundle->packets[packet].active; bits != 0; bits &= bits - 1) {
    const int k = std::countr_zero(bits);
    Fan fan = make_ray_fan(bundle->rays[packet], k);
    fan.reach = bundle->packets[packet].best_above[k];
    const auto flush = [&] {
      work->sort_list();
      cast_list<kAny>(packet, fan, 1U << k, bundle, work);
      work->list.clear();
    };
    work->list.clear();
    collect(fan, *bundle, [&](const Bounds& box, float enter, const BlockPlace& place) {
      if (work->list.add(box, enter, place)) return true;
      flush();
      return work->list.add(box, enter, place);
    });
    flush();
  }
}

template <bool kAny>
void GroundTree::cast(Bundle* bundle) const {
  cast_some<kAny>(0, bundle->count, bundle, &Workspace::get());
}
template void GroundTree::cast<false>(Bundle*) const;
template void GroundTree::cast<true>(Bundle*) const;

}  // namespace camber::scene::internal
