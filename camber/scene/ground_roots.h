#pragma once

#include <cmath>

#include "camber/scene/double_lanes.h"
#include "camber/scene/ground_patch.h"

// docs/theory/rays.md, section 3; numbers in brackets are its equations.

namespace camber::scene::internal {

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

inline unsigned bits_of(const Mask16& mask) { return mask.bits(); }
inline unsigned bits_of(const Mask8& mask) { return math::internal::sign_bits<8>(mask.pack); }

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
  constexpr int kMaxSteps = 60;
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

}  // namespace camber::scene::internal
