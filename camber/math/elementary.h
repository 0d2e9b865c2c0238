#pragma once

// exp, log, tanh, atan, atan2, pow and hypot of one number or of a register, with the same bits
// whichever function computes them, where the standard library would go number by number. Errors in
// units in the last place, as elementary_test measures them against quadruple precision, with FMA:
//
//   exp 0.9, log 0.6, tanh 1.4, atan 1.0, atan2 1.5, hypot 1.2, pow 1 + |y log x| / 32.
//
// Numbers that the kernels are not made for (NaN, infinity, denormal numbers, results that overflow or
// underflow) go through the standard library.

#include <cmath>
#include <cstdint>

#include "camber/math/lanes.h"
#include "camber/math/simd.h"

namespace camber::math {

namespace internal {

template <int N, class... Lower>
[[gnu::always_inline]] inline Real<N> eval_polynomial(const Real<N>& z, double highest,
                                                      Lower... lower) {
  Real<N> sum = Register<N>::broadcast(highest);
  ((sum = mul_add<N>(sum, z, Register<N>::broadcast(lower))), ...);
  return sum;
}

/// 2^n for whole numbers n from -1022 to 1023, which `shifted` has added to 1.5 * 2^52.
template <int N>
[[gnu::always_inline]] inline Real<N> power_of_two(const Real<N>& shifted) {
  return as_real<N>((as_bits<N>(shifted) + 1023) << 52);
}

inline constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;

/// exp(x + t) for |x| < 708 and |t| below an ulp of x. x = n ln 2 + r, |r| < 0.347; after fdlibm's
/// e_exp.c (Sun Microsystems, 2004): with c = r - r^2 P(r^2), exp(r) = 1 + r + r c / (2 - c).
template <int N>
inline Real<N> calc_exp(const Real<N>& x, const Real<N>& t) {
  const auto k = [](double value) { return Register<N>::broadcast(value); };
  constexpr double kShift = 0x1.8p52;
  const Real<N> shifted = mul_add<N>(x, k(0x1.71547652b82fep+0), k(kShift));  // 1 / ln 2
  const Real<N> n = shifted - kShift;
  const Real<N> high = mul_add<N>(n, k(-kLn2High), x);
  const Real<N> low = mul_add<N>(n, k(kLn2Low), -t);
  const Real<N> r = high - low, z = r * r;
  const Real<N> c =
      r - z * eval_polynomial<N>(z, 4.13813679705723846039e-08, -1.65339022054652515390e-06,
                                 6.61375632143793436117e-05, -2.77777777770155933842e-03,
                                 1.66666666666666019037e-01);
  const Real<N> y = 1.0 - ((low - (r * c) / (2.0 - c)) - high);
  return y * power_of_two<N>(shifted);
}

/// log x = high + low for normal x > 0, to some 2^-60 with FMA. x = 2^k m, m from 0.707 to 1.414;
/// s = (m - 1) / (m + 1), log m = 2 s + s^3 (2/3 + ...), as in fdlibm's e_log.c.
template <int N>
inline void calc_log(const Real<N>& x, Real<N>* high, Real<N>* low) {
  const auto k = [](double value) { return Register<N>::broadcast(value); };
  // The exponent that brings the mantissa next to 1.
  constexpr std::int64_t kHalfRoot = 0x3fe6a09e667f3bcd;  // of sqrt(1/2)
  const Bits<N> bits = as_bits<N>(x);
  const Bits<N> steps = (bits - kHalfRoot) >> 52;
  const Real<N> m = as_real<N>(bits - (steps << 52));
  const Real<N> e = as_real<N>(steps + 0x4338000000000000) - 0x1.8p52;
  const Real<N> f = m - 1.0, sum = m + 1.0;
  // sum is rounded; what it lost, exactly [Knuth 1969].
  const Real<N> one = sum - m, lost = (m - (sum - one)) + (1.0 - one);
  const Real<N> s = f / sum;
  const Real<N> s_low = (mul_add<N>(-s, sum, f) - s * lost) / sum;
  const Real<N> z = s * s;
  const Real<N> R = z * eval_polynomial<N>(z, 1.479819860511658591e-01, 1.531383769920937332e-01,
                                           1.818357216161805012e-01, 2.222219843214978396e-01,
                                           2.857142874366239149e-01, 3.999999999940941908e-01,
                                           6.666666666666735130e-01);
  // e ln 2 + 2 s + (2 s_low + s R + e times the rest of ln 2), large parts first.
  const Real<N> a = e * k(kLn2High), b = 2.0 * s;
  const Real<N> total = a + b;
  const Real<N> error = e == 0.0 ? total - total : b - (total - a);
  const Real<N> rest = error + mul_add<N>(e, k(kLn2Low), mul_add<N>(s, R, 2.0 * s_low));
  *high = total + rest;
  *low = rest - (*high - total);
}

/// tanh for |x| < 20. Up to 0.625 a rational function, beyond 1 - 2 / (exp(2 |x|) + 1); [Moshier
/// 1989] S. L. Moshier, Methods and Programs for Mathematical Functions (Cephes).
template <int N>
inline Real<N> calc_tanh(const Real<N>& x) {
  const Bits<N> sign = as_bits<N>(x) & INT64_MIN;
  const Real<N> size = as_real<N>(as_bits<N>(x) ^ sign);
  const Real<N> z = size * size;
  const Real<N> p = eval_polynomial<N>(z, -9.64399179425052238628e-1, -9.92877231001918586564e1,
                                       -1.61468768441708447952e3);
  const Real<N> q = eval_polynomial<N>(z, 1.0, 1.12811678491632931402e2, 2.23548839060100448583e3,
                                       4.84406305325125486048e3);
  const Real<N> near = mul_add<N>(size * z, p / q, size);
  const Real<N> far = 1.0 - 2.0 / (calc_exp<N>(2.0 * size, size - size) + 1.0);
  const Real<N> y = size < 0.625 ? near : far;
  return as_real<N>(as_bits<N>(y) | sign);
}

/// atan of any number but NaN, [Moshier 1989]: x from -0.414 to 0.66 after reduction.
template <int N>
inline Real<N> calc_atan(const Real<N>& x) {
  const auto k = [](double value) { return Register<N>::broadcast(value); };
  const Bits<N> sign = as_bits<N>(x) & INT64_MIN;
  const Real<N> size = as_real<N>(as_bits<N>(x) ^ sign);
  const auto is_large = size > 2.41421356237309504880;
  const auto is_middle = size > 0.66;
  const Real<N> top = is_large ? k(-1.0) : is_middle ? size - 1.0 : size;
  const Real<N> bottom = is_large ? size : is_middle ? size + 1.0 : k(1.0);
  const Real<N> r = top / bottom;
  const Real<N> start = is_large    ? k(0x1.921fb54442d18p+0)
                        : is_middle ? k(0x1.921fb54442d18p-1)
                                    : k(0.0);
  const Real<N> more = is_large    ? k(6.123233995736765886130e-17)
                       : is_middle ? k(3.061616997868382943065e-17)
                                   : k(0.0);
  const Real<N> z = r * r;
  const Real<N> p = eval_polynomial<N>(z, -8.750608600031904122785e-1, -1.615753718733365076637e1,
                                       -7.500855792314704667340e1, -1.228866684490136173410e2,
                                       -6.485021904942025371773e1);
  const Real<N> q = eval_polynomial<N>(z, 1.0, 2.485846490142306297962e1, 1.650270098316988542046e2,
                                       4.328810604912902668951e2, 4.853903996359136964868e2,
                                       1.945506571482613964425e2);
  const Real<N> y = start + (mul_add<N>(r * z, p / q, r) + more);
  return as_real<N>(as_bits<N>(y) | sign);
}

/// The angle of (x, y), both finite and normal.
template <int N>
inline Real<N> calc_atan2(const Real<N>& y, const Real<N>& x) {
  const auto k = [](double value) { return Register<N>::broadcast(value); };
  const Bits<N> sign = as_bits<N>(y) & INT64_MIN;
  const Real<N> high = as_real<N>(as_bits<N>(y) ^ sign);
  const Real<N> wide = as_real<N>(as_bits<N>(x) & INT64_MAX);
  const Real<N> first = calc_atan<N>(high / wide);
  // pi - a in two parts.
  const Real<N> second = k(0x1.921fb54442d18p+1) - (first - 1.2246467991473531772e-16);
  const Real<N> angle = x < 0.0 ? second : first;
  return as_real<N>(as_bits<N>(angle) | sign);
}

}  // namespace internal

/// Functions of lanes and of numbers: "own::exp(x)".
namespace own {

namespace internal_own {

/// f of lanes that `is_usual`, g of the others.
template <int N, class F, class G>
Lanes<N> compute(const Lanes<N>& x, const LaneMask<N>& is_usual, const F& f, const G& g) {
  Lanes<N> y(f(x.pack));
  if (all(is_usual)) [[likely]]
    return y;
  for (int i = 0; i < N; ++i)
    if (!is_usual.lane(i)) y.set_lane(i, g(x.lane(i)));
  return y;
}
template <int N, class F, class G>
Lanes<N> compute(const Lanes<N>& x, const Lanes<N>& y, const LaneMask<N>& is_usual, const F& f,
                 const G& g) {
  Lanes<N> z(f(x.pack, y.pack));
  if (all(is_usual)) [[likely]]
    return z;
  for (int i = 0; i < N; ++i)
    if (!is_usual.lane(i)) z.set_lane(i, g(x.lane(i), y.lane(i)));
  return z;
}

}  // namespace internal_own

inline constexpr double kMaxExponent = 707;  // of exp
inline constexpr double kLeastNormal = 0x1p-1022;
inline constexpr double kMaxTanh = 19.5;  // beyond, the nearest number is 1

template <int N>
Lanes<N> exp(const Lanes<N>& x) {
  using Pack = typename Lanes<N>::Pack;
  return internal_own::compute(
      x, abs(x) <= kMaxExponent, [](const Pack& a) { return internal::calc_exp<N>(a, a - a); },
      [](double a) { return std::exp(a); });
}

template <int N>
Lanes<N> log(const Lanes<N>& x) {
  using Pack = typename Lanes<N>::Pack;
  return internal_own::compute(
      x, x >= kLeastNormal && x < HUGE_VAL,
      [](const Pack& a) {
        Pack high, low;
        internal::calc_log<N>(a, &high, &low);
        return high;
      },
      [](double a) { return std::log(a); });
}

template <int N>
Lanes<N> tanh(const Lanes<N>& x) {
  using Pack = typename Lanes<N>::Pack;
  return internal_own::compute(
      x, abs(x) <= kMaxTanh, [](const Pack& a) { return internal::calc_tanh<N>(a); },
      [](double a) { return std::tanh(a); });
}

template <int N>
Lanes<N> atan(const Lanes<N>& x) {
  using Pack = typename Lanes<N>::Pack;
  return internal_own::compute(
      x, x == x, [](const Pack& a) { return internal::calc_atan<N>(a); },
      [](double a) { return std::atan(a); });
}

template <int N>
Lanes<N> atan2(const Lanes<N>& y, const Lanes<N>& x) {
  using Pack = typename Lanes<N>::Pack;
  const Lanes<N> high = abs(y), wide = abs(x);
  // The quotient has to be a normal number, too.
  const LaneMask<N> is_usual = high >= 1e-150 && high <= 1e150 && wide >= 1e-150 && wide <= 1e150;
  return internal_own::compute(
      y, x, is_usual, [](const Pack& a, const Pack& b) { return internal::calc_atan2<N>(a, b); },
      [](double a, double b) { return std::atan2(a, b); });
}

template <int N>
Lanes<N> hypot(const Lanes<N>& x, const Lanes<N>& y) {
  using Pack = typename Lanes<N>::Pack;
  const Lanes<N> most = max(abs(x), abs(y));
  return internal_own::compute(
      x, y, most >= 1e-140 && most <= 1e150,
      [](const Pack& a, const Pack& b) {
        return internal::sqrt<N>(internal::mul_add<N>(a, a, b * b));
      },
      [](double a, double b) { return std::hypot(a, b); });
}

/// x^y of x > 0.
template <int N>
Lanes<N> pow(const Lanes<N>& x, const Lanes<N>& y) {
  using Pack = typename Lanes<N>::Pack;
  Lanes<N> high, low;
  internal::calc_log<N>(x.pack, &high.pack, &low.pack);
  const LaneMask<N> is_usual =
      x >= kLeastNormal && x < HUGE_VAL && abs(y * high) <= kMaxExponent && abs(y) < 1e100;
  return internal_own::compute(
      x, y, is_usual,
      [&](const Pack& /*a*/, const Pack& b) {
        const Pack product = b * high.pack;
        const Pack rest = internal::mul_add<N>(b, high.pack, -product) + b * low.pack;
        return internal::calc_exp<N>(product, rest);
      },
      [](double a, double b) { return std::pow(a, b); });
}

}  // namespace own
}  // namespace camber::math
