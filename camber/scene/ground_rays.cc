#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "camber/scene/box_list.h"
#include "camber/scene/ground_patch.h"
#include "camber/scene/ground_tree.h"

// docs/theory/rays.md, section 3; numbers in brackets are its equations. The blocks of cells that a
// bundle of packets may meet are listed once, from near to far. Each packet looks at sixteen blocks
// at a time, then at the sixteen cells of a block, then a cell at its rays: in floats, which leave
// out what is surely not met. The rest is solved in doubles.

namespace camber::scene::internal {
namespace {

constexpr int kMaxSteps = 60;

/// For each of the 4 x 4 parts of a block: its column and its row.
alignas(64) constexpr float kColumn[16] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
alignas(64) constexpr float kRow[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

// Weights of the 16 coefficients in bounds of the patch's second derivatives, less sharp than Patch
// has them; c[a][b] is number 4 a + b.
alignas(64) constexpr float kWeightUu[16] = {0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 6, 6, 6, 6};
alignas(64) constexpr float kWeightVv[16] = {0, 0, 2, 6, 0, 0, 2, 6, 0, 0, 2, 6, 0, 0, 2, 6};
alignas(64) constexpr float kWeightUv[16] = {0, 0, 0, 0, 0, 1, 2, 3, 0, 2, 4, 6, 0, 3, 6, 9};

struct CellBox {
  double low[3], high[3];  // [m]
};

/// Eight or sixteen rays.
template <class T>
struct RayLanes {
  T o[3], d[3], inverse[3];
};

/// The first root of each ray in a cell.
template <class T>
struct Roots {
  T t, hu, hv;  // ranges, and slopes by u and v there
  unsigned found;
};

unsigned bits_of(const Mask16& mask) { return mask.bits(); }
unsigned bits_of(const Mask8& mask) { return math::internal::sign_bits<8>(mask.pack); }

/// Plain cells of a grid. Each ray goes along its part of the cell in pieces [p, q]: a piece is
/// halved until the bound on curvature either excludes a root or makes it the only one, which
/// Newton's method then finds. Lanes do not affect each other. u0, v0: of the origins in the cell;
/// k: cells per meter.
template <class T>
Roots<T> find_roots(const Patch& patch, const CellBox& box, const RayLanes<T>& rays, const T& u0,
                    const T& v0, double k, unsigned here) {
  const auto &o = rays.o, &d = rays.d, &inverse = rays.inverse;
  Roots<T> roots;
  roots.found = 0;
  T p(0.0), end(HUGE_VAL);
  for (int e = 0; e < 3; ++e) {
    const T ta = (box.low[e] - o[e]) * inverse[e], tb = (box.high[e] - o[e]) * inverse[e];
    p = max(p, min(ta, tb)), end = min(end, max(ta, tb));
  }
  here &= bits_of(p <= end);
  if (here == 0) return roots;
  const T du = d[0] * k, dv = d[1] * k;
  const T z0 = o[2] - patch.c[0][0];
  const T bend = patch.uu * du * du + (2.0 * patch.uv) * abs(du * dv) + patch.vv * dv * dv;
  const auto f = [&](const T& t) {
    return (z0 + t * d[2]) - eval_height(patch, u0 + t * du, v0 + t * dv);
  };
  T q = end, fp = f(p), fq = f(q);
  const T shortest = 1e-9 * (end - p) + 1e-12;
  unsigned open = here, single = 0;
  for (int step = 0; step < 4 * kMaxSteps; ++step) {
    const T length = q - p, sag = 0.125 * bend * length * length;
    const auto crosses = (fp < 0.0 && fq >= 0.0) || (fp > 0.0 && fq <= 0.0) || fp == 0.0;
    const auto is_monotone = abs(fq - fp) > 4.0 * sag || length <= shortest;
    const auto is_single = crosses && is_monotone;
    const auto is_clear = (!crosses) && (min(abs(fp), abs(fq)) > sag || is_monotone);
    single |= open & bits_of(is_single);
    open &= ~single;
    const auto goes_on = is_clear && q < end;
    open &= ~(bits_of(is_clear) & ~bits_of(goes_on));
    if (open == 0) break;
    // Lanes that are done keep their piece.
    const auto stays = is_single || (is_clear && !goes_on);
    const T next_p = select(goes_on, q, p);
    const T next_q = select(goes_on, end, p + 0.5 * length);
    fp = select(goes_on, fq, fp);
    p = select(stays, p, next_p), q = select(stays, q, next_q);
    fq = select(stays, fq, f(q));
  }
  here &= single;
  if (here == 0) return roots;
  T t = p - fp * (q - p) / (fq - fp), hu(0.0), hv(0.0);
  t = select(fp == 0.0, p, t);
  auto is_open = t == t;  // all
  for (int step = 0; step < kMaxSteps; ++step) {
    T h, su, sv;
    eval_patch(patch, u0 + t * du, v0 + t * dv, &h, &su, &sv);
    const T ft = (z0 + t * d[2]) - h;
    const T slope = d[2] - (su * du + sv * dv);
    hu = select(is_open, su, hu), hv = select(is_open, sv, hv);
    const auto before = (ft < 0.0 && fp < 0.0) || (ft > 0.0 && fp > 0.0);
    p = select(is_open && before, t, p), q = select(is_open && !before, t, q);
    const T change = ft / slope, newton = t - change;
    const auto is_inside = newton >= p && newton <= q;
    const T next = select(is_inside, newton, 0.5 * (p + q));
    t = select(is_open, next, t);
    // The height that a step of Newton's leaves is at most bend/2 change^2.
    const auto is_done =
        (is_inside && 0.5 * bend * change * change <= kHeightTolerance) || q - p <= 1e-14 * t;
    is_open = is_open && !is_done;
    if ((bits_of(is_open) & here) == 0) break;
  }
  roots.t = t, roots.hu = hu, roots.hv = hv, roots.found = here;
  return roots;
}

}  // namespace

/// A packet as its cells need it.
struct alignas(64) GroundTree::CellRays {
  Float16 o[3], d[3], inverse[3], at[3];  // t of plane x: x inverse + at
  Float16 du, dv;                         // cells per range
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
  }
};

struct GroundTree::Workspace {
  BoxList<BlockPlace, 512> list;
  ListLength length;

  static Workspace& get() {
    thread_local const auto own = std::make_unique<Workspace>();
    return *own;
  }
};

struct GroundTree::Boxes {
  Float16 low[3], high[3];

  Bounds box(int k) const {
    Bounds b;
    for (int a = 0; a < 3; ++a) b.low[a] = lane_of(low[a], k), b.high[a] = lane_of(high[a], k);
    return b;
  }
};

// --- Cells ---

template <bool kAny>
void GroundTree::meet_patch(int i, int j, unsigned which, const CellRays& cell_rays,
                            Packet* packet) const {
  const Patch patch = make_patch(i, j);
  const Range range = cell_range(i, j);
  const std::int64_t key = make_key(kGround, static_cast<int>(cell_number(i, j)));
  const double k = inverse_spacing_;
  const CellBox box{{x0_ + (i - kOverlap) * spacing_, y0_ + (j - kOverlap) * spacing_,
                     z_middle_ + range.low - kSlack},
                    {x0_ + (i + 1 + kOverlap) * spacing_, y0_ + (j + 1 + kOverlap) * spacing_,
                     z_middle_ + range.high + kSlack}};
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

/// f of (6) at both ends of a ray's part of the cell's box, by floats. A root is excluded if f has one
/// sign there and is larger than (7) allows it to change plus a bound of all rounding errors (9).
unsigned GroundTree::filter_cell(int i, int j, const Bounds& box, bool is_patch, unsigned may,
                                 const CellRays& rays, const Float16& best,
                                 const Bundle& bundle) const {
  Float16 near(0.0F), far = best;
  for (int a = 0; a < 3; ++a) {
    const Float16 below = mul_add(Float16(box.low[a]), rays.inverse[a], rays.at[a]);
    const Float16 above = mul_add(Float16(box.high[a]), rays.inverse[a], rays.at[a]);
    near = max(near, min(below, above));
    far = min(far, max(below, above));
  }
  may &= le_bits(near, far);
  if (may == 0) return 0;
  const auto spacing = static_cast<float>(spacing_);
  const float size = std::abs(box.low[0]) + std::abs(box.low[1]) + std::abs(box.low[2]) +
                     std::abs(box.high[2]) + 2 * spacing + bundle.reach;
  // Boxes are larger than their cells by rounding; (7) holds a little beyond a cell.
  if (!is_patch || box.high[0] - box.low[0] > 1.04F * spacing) return may;

  typedef float Row __attribute__((vector_size(16)));  // NOLINT(modernize-use-using)
  const float* first = nodes_->data() + first_node_ + j * stride_ + i;
  const float corner = first[stride_ + 1];
  Row nodes[4], rows[4];
  for (int r = 0; r < 4; ++r) {
    std::memcpy(&nodes[r], first + r * stride_, sizeof(Row));
    nodes[r] -= corner;
  }
  make_coefficients<Row, float>(nodes, rows);
  alignas(64) float c[4][4];
  std::memcpy(c, rows, sizeof c);
  const Float16 sizes = abs(Float16::load(c[0]));
  const float uu = 1.1F * sum_of(sizes * Float16::load(kWeightUu));
  const float uv = 1.1F * sum_of(sizes * Float16::load(kWeightUv));
  const float vv = 1.1F * sum_of(sizes * Float16::load(kWeightVv));
  const float all = sum_of(sizes);
  const auto k = static_cast<float>(inverse_spacing_);
  const float error = 0x1p-19F * (size * (1 + 6 * all * k) + all);

  const auto x = static_cast<float>(x0_ + i * spacing_ - bundle.center.x());
  const auto y = static_cast<float>(y0_ + j * spacing_ - bundle.center.y());
  const auto z = static_cast<float>(static_cast<double>(corner) - bundle.center.z());
  const Float16 &du = rays.du, &dv = rays.dv;
  const Float16 u0 = (rays.o[0] - Float16(x)) * Float16(k);
  const Float16 v0 = (rays.o[1] - Float16(y)) * Float16(k);
  const Float16 z0 = rays.o[2] - Float16(z);
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
      mul_add(Float16(uu) * du, du, mul_add(Float16(2 * uv), abs(du * dv), Float16(vv) * dv * dv));
  const Float16 sag = Float16(0.126F) * bend * length * length;
  const unsigned is_monotone =
      le_bits(mul_add(sag, Float16(4.0F), Float16(2 * error)), abs(at_far - at_near));
  const Float16 margin = choose(is_monotone, Float16(error), sag + Float16(error));
  const Float16 below = Float16(0.0F) - margin;
  const unsigned is_above = le_bits(margin, at_near) & le_bits(margin, at_far);
  const unsigned is_below = le_bits(at_near, below) & le_bits(at_far, below);
  return may & ~(is_above | is_below);
}

// --- The pyramid ---

GroundTree::Boxes GroundTree::part_boxes(int level, int i, int j, const Bundle& bundle) const {
  const Level& all = levels_[level];
  const Block& block = all.blocks[static_cast<std::size_t>(j) * all.nx + i];
  const double side = spacing_ * static_cast<double>(1LL << (2 * level));
  const auto x = static_cast<float>(x0_ + 4 * side * i - bundle.center.x());
  const auto y = static_cast<float>(y0_ + 4 * side * j - bundle.center.y());
  const auto z = static_cast<float>(z_middle_ - bundle.center.z());
  const auto width = static_cast<float>(side);
  Boxes boxes;
  // Rounding is relative to the size of the coordinates.
  const float size = std::abs(x) + std::abs(y) + std::abs(z) + z_reach_ + 8 * width + bundle.reach;
  const float pad = 0x1p-19F * size + static_cast<float>(2 * (kOverlap * spacing_ + kSlack));
  const Float16 column = Float16::load(kColumn), row = Float16::load(kRow), more(width + 2 * pad);
  boxes.low[0] = mul_add(column, Float16(width), Float16(x - pad));
  boxes.low[1] = mul_add(row, Float16(width), Float16(y - pad));
  boxes.high[0] = boxes.low[0] + more, boxes.high[1] = boxes.low[1] + more;
  boxes.low[2] = Float16::load(block.low) + Float16(z - pad);
  boxes.high[2] = Float16::load(block.high) + Float16(z + pad);
  return boxes;
}

template <class Add>
bool GroundTree::collect(const Fan& fan, const Bundle& bundle, const Add& add) const {
  struct Place {
    int level, i, j;
  };
  Place stack[15 * 16 + 1];  // at most fifteen more per level
  int top = 0;
  stack[top++] = {static_cast<int>(levels_.size()) - 1, 0, 0};
  while (top > 0) {
    const Place at = stack[--top];
    const Boxes boxes = part_boxes(at.level, at.i, at.j, bundle);
    Float16 enter;
    unsigned bits = fan.meet(boxes.low, boxes.high, &enter);
    if (at.level == 0) {  // all of the ground is one block
      if (bits == 0) continue;
      Bounds box;
      for (int k = 0; k < 16; ++k) {
        if ((bits >> k & 1U) != 0) box.add(boxes.box(k));
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
      if (!add(boxes.box(k), lane_of(enter, k), BlockPlace{i, j})) {
        return false;
      }
    }
  }
  return true;
}

/// The rays `which` of a packet through the blocks of the list.
template <bool kAny>
void GroundTree::cast_list(int number, Fan fan, unsigned which, Bundle* bundle,
                           Workspace* work) const {
  Packet* packet = &bundle->packets[number];
  CellRays rays;
  bool has_rays = false;
  for (int b = 0; b < work->list.block_count(); ++b) {
    if (!(work->list.enter(b) <= fan.reach)) break;
    for (unsigned bits = fan.meet(work->list.block(b)); bits != 0; bits &= bits - 1) {
      const BlockPlace& place = work->list.item(16 * b + std::countr_zero(bits));
      const Boxes boxes = part_boxes(0, place.i, place.j, *bundle);
      Float16 enter;
      unsigned cells = fan.meet(boxes.low, boxes.high, &enter);
      if (cells == 0) continue;
      if (!has_rays) {
        rays.set(bundle->rays[number], *packet, static_cast<float>(inverse_spacing_));
        has_rays = true;
      }
      for (; cells != 0; cells &= cells - 1) {
        const int k = std::countr_zero(cells);
        const int i = 4 * place.i + (k & 3), j = 4 * place.j + (k >> 2);
        const bool is_special =
            base_ == Base::kRoad || (!special_.empty() && special_[cell_number(i, j)] != 0);
        const bool is_patch = !is_special && base_ == Base::kGrid;
        const unsigned may = filter_cell(i, j, boxes.box(k), is_patch, which, rays,
                                         Float16::load(packet->best_above), *bundle);
        if (may == 0) continue;
        if (is_patch) {
          meet_patch<kAny>(i, j, may, rays, packet);
        } else if (!is_special) {
          meet_plane<kAny>(i, j, may, rays, packet);
        } else {
          meet_special_rays<kAny>(i, j, may, packet);
        }
      }
      fan.reach = max_of(Float16::load(packet->best_above));
    }
  }
}

template <bool kAny>
void GroundTree::cast_some(int first, int count, Bundle* bundle, Workspace* work) const {
  Fan all;
  if (work->length.allows(count) || count == 1) {
    bool is_short = bundle->make_fans(first, count, &all);
    if (is_short) {
      bundle->set_reach(first, count, &all);
      work->list.clear();
      is_short = collect(all, *bundle, [&](const Bounds& box, float enter, const BlockPlace& p) {
        return work->list.add(box, enter, p);
      });
    }
    if (is_short) {
      work->list.sort();
      for (int k = first; k < first + count; ++k) {
        bundle->prefetch(k);
        cast_list<kAny>(k, bundle->fans[k], bundle->packets[k].active, bundle, work);
      }
      work->length.set_length(count, work->list.size());
      return;
    }
    work->length.set_full(count);
  }
  if (count > 1) {
    const int half = count / 2;
    cast_some<kAny>(first, half, bundle, work);
    cast_some<kAny>(first + half, count - half, bundle, work);
    return;
  }
  // Rays that go apart, or over very much ground: one by one, in as many lists as it takes.
  for (unsigned bits = bundle->packets[first].active; bits != 0; bits &= bits - 1) {
    const int k = std::countr_zero(bits);
    Fan fan = make_ray_fan(bundle->rays[first], k);
    fan.reach = bundle->packets[first].best_above[k];
    const auto flush = [&] {
      work->list.sort();
      cast_list<kAny>(first, fan, 1U << k, bundle, work);
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
