#include <algorithm>
#include <bit>
#include <cmath>

#include "camber/scene/ground_patch.h"
#include "camber/scene/ground_tree.h"

// docs/theory/rays.md, section 3; numbers in brackets are its equations.

namespace camber::scene::internal {
namespace {

using terrain::SurfaceSample;

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
  const bool is_monotone = std::abs(fb - fa) > 4 * sag || depth == 0;
  if (!crosses && (std::min(std::abs(fa), std::abs(fb)) > sag || is_monotone)) return false;
  if (crosses && is_monotone) {
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
  const Range range = cell_range(i, j);
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

/// Cells with bumps, ruts or a road: pieces between the lines of the soil's nodes, or a 64th of the
/// cell; jumps of the height are met as the walls that they are.
GroundHit GroundTree::meet_special(int i, int j, const Vector3& o, const Vector3& d,
                                   double max_range) const {
  const Interval clipped = clip(i, j, o, d, max_range);
  const double a = clipped.a, b = clipped.b;
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

}  // namespace camber::scene::internal
