#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "camber/math/simd.h"

/// Sine and cosine together, within 0.8 units in the last place: of one number, of a register, of
/// many. A given x has the same two results, bit for bit, whichever function computes it.
namespace camber::math {

/// Infinity and NaN give NaN.
void sincos(double x, double* s, double* c);

/// s[i], c[i] from x[i]; three lengths that are equal. `s` or `c` may be `x` itself.
void sincos(std::span<const double> x, std::span<double> s, std::span<double> c);

namespace internal {

/// Beyond this |x| the quadrant's number has too many bits for calc_small_sincos().
inline constexpr double kMaxSmallAngle = 1e6;

/// Sine and cosine of any x, through the standard library.
void calc_large_sincos(double x, double* s, double* c);

// Reduction after [Cody & Waite 1980] to x = n pi/2 + r + t with |r| < 0.7854 and t below an ulp of
// r, then the polynomials of fdlibm's k_sin.c and k_cos.c (Sun Microsystems, 1993), whose own
// errors are below 2^-58. pi/2 = P0 + P1 + P2 + P3, of 33, 20, 33 and 53 bits; n has 20.
//   r1 = x - n P0 - n P1                (1)
//   r + e = r1 - n P2,  r its rounding  (2)
//   t = e - n P3                        (3)
// (1) is exact: the products fit 53 bits, and every sum is a multiple of 2^-53 below 1. So is e: r1
// is a multiple of the last bit of n P2, all that FastTwoSum needs [Rump, Ogita & Oishi 2008].
// With FMA and without, only (3) and the polynomials round differently.
template <int N>
inline void calc_small_sincos(const Real<N>& x, Real<N>* s, Real<N>* c) {
  const auto k = [](double value) { return Register<N>::broadcast(value); };
  const auto polynomial = [&k](const Real<N>& z, double highest, auto... lower) {
    Real<N> sum = k(highest);
    ((sum = mul_add<N>(sum, z, k(lower))), ...);
    return sum;
  };

  // Adding 1.5 * 2^52 leaves the nearest whole number in the last bits.
  constexpr double kShift = 0x1.8p52;
  const Real<N> shifted = mul_add<N>(x, k(0x1.45f306dc9c883p-1), k(kShift));  // 2/pi
  const Bits<N> quadrant = as_bits<N>(shifted);
  const Real<N> n = shifted - kShift;

  Real<N> r1 = mul_add<N>(n, k(-0x1.921fb544p+0), x);
  r1 = mul_add<N>(n, k(-0x1.0b46p-34), r1);                                 // (1)
  const Real<N> r = mul_add<N>(n, k(-0x1.1a626331p-54), r1);                // (2)
  const Real<N> minus_e = mul_add<N>(n, k(0x1.1a626331p-54), r - r1);       // (2)
  const Real<N> minus_t = mul_add<N>(n, k(0x1.1701b839a252p-88), minus_e);  // (3)

  const Real<N> z = r * r;
  const Real<N> half_z = 0.5 * z;
  const Real<N> v = z * r;
  const Real<N> p =
      polynomial(z, -0x1.5d93a5acfd57cp-33, 0x1.ae5e68a2b9cebp-26, -0x1.71de357b1fe7dp-19,
                 0x1.a01a019c161d5p-13, -0x1.111111110f8a6p-7);
  const Real<N> q =
      polynomial(z, -0x1.8fae9be8838d4p-37, 0x1.1ee9ebdb4b1c4p-29, -0x1.27e4f809c52adp-22,
                 0x1.a01a019cb159p-16, -0x1.6c16c16c15177p-10, 0x1.555555555554cp-5);
  // sin(r + t) = r - (r^3 (1/6 + z p) + t z / 2 - t),   cos(r + t) = 1 - z / 2 + z^2 q - r t
  // The difference, not a sum with the other signs, keeps the sign of -0.
  const Real<N> sin_r = r - mul_add<N>(v, k(0x1.5555555555549p-3),
                                       mul_add<N>(z, mul_add<N>(v, p, -0.5 * minus_t), minus_t));
  const Real<N> w = 1.0 - half_z;
  const Real<N> cos_r = w + (((1.0 - w) - half_z) + mul_add<N>(z * z, q, r * minus_t));

  // The quadrant's bit 0 swaps the two; bit 1 is the sign of the sine, and of quadrant + 1 that of
  // the cosine.
  constexpr std::int64_t kSign = INT64_MIN;
  const Bits<N> swap = -(quadrant & 1);
  const Bits<N> sin_bits = as_bits<N>(sin_r), cos_bits = as_bits<N>(cos_r);
  *s = as_real<N>(((cos_bits & swap) | (sin_bits & ~swap)) ^ ((quadrant << 62) & kSign));
  *c = as_real<N>(((sin_bits & swap) | (cos_bits & ~swap)) ^ (((quadrant + 1) << 62) & kSign));
}

}  // namespace internal
}  // namespace camber::math
