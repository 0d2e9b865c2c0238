#include <algorithm>
#include <bit>
#include <cmath>

#include "camber/scene/ground_patch.h"
#include "camber/scene/ground_tree.h"

// docs/theory/rays.md, section 3; numbers in brackets are its equations.

namespace camber::scene::internal {
namespace {

using terrain::SurfaceSample;

constexpr double kHeightTolerance = 1e-11;  // of a root [m]
constexpr int kMaxSteps = 60;
constexpr int kMaxStack = 4 * 32;  // of a walk down the pyramid

/// The first root of f in [a, b], where |f''| <= bend (7). Parts in which the bound excludes a root are
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

// --- One cell ---

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
    int first[2], last[2];
    // Finite, as 0 times infinity is NaN.
    const Float16 reach_now = min(Float16::load(packet->best_above), Float16(1e9F));
    const int cells[2] = {nx_, ny_};
    for (int a = 0; a < 2; ++a) {
      const Float16 from = Float16::load(o[a]);
      const Float16 to = mul_add(Float16::load(d[a]), reach_now, from);
      const float begin = a == 0 ? x_low : y_low, most = 1.001F * reach_[a] + 2 * cell;
      const float x0 = -max_of(Float16(0.0F) - min(from, to)) - 4 * rays.pad[a];
      const float x1 = max_of(max(from, to)) + 4 * rays.pad[a];
      const auto number = [&](float x) {
        const float g = (std::clamp(x, -most, most) - begin) / cell;
        return std::clamp(static_cast<int>(std::floor(g)), 0, cells[a] - 1);
      };
      // A cell more on both sides covers the rounding of g.
      first[a] = std::max(0, number(x0) - 1), last[a] = std::min(cells[a] - 1, number(x1) + 1);
    }
    int start = 0;
    while ((last[0] >> start) - (first[0] >> start) > 1 ||
           (last[1] >> start) - (first[1] >> start) > 1) {
      ++start;
    }
    for (int c = 3; c >= 0; --c) {
      const int cx = (c & 1) ^ flip_x, cy = (c >> 1) ^ flip_y;
      const int i = (first[0] >> start) + cx, j = (first[1] >> start) + cy;
      if (i > last[0] >> start || j > last[1] >> start) continue;
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
