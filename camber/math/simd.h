#pragma once

#include <cmath>
#include <cstdint>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "camber/core/build_flags.h"

/// Registers of N doubles by GCC's vector extensions, and the few operations that these lack. For
/// any instruction set: the compiler splits what is wider than a register. N = 1 is a plain double,
/// so one kernel serves numbers and registers, with the same bits in every lane.
namespace camber::math::internal {

/// The widest register this build may use [bytes]; alignment beyond it gains nothing, and Eigen's
/// allocator promises no more.
#if defined(__AVX512F__)
inline constexpr int kRegisterBytes = 64;
#elif defined(__AVX__)
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif

constexpr int register_alignment(int bytes) {
  return bytes < kRegisterBytes ? bytes : kRegisterBytes;
}

template <int N>
struct Register {
  static_assert(N == 2 || N == 4 || N == 8);
  typedef double Real  // NOLINT(modernize-use-using): an alias drops the attributes
      __attribute__((vector_size(N * 8), aligned(register_alignment(N * 8))));
  typedef std::int64_t Bits  // NOLINT(modernize-use-using): what a comparison of two Real gives
      __attribute__((vector_size(N * 8), aligned(register_alignment(N * 8))));
  static Real broadcast(double x) { return x - Real{}; }  // x + 0 would lose the sign of -0
};

template <>
struct Register<1> {
  using Real = double;
  using Bits = std::int64_t;
  static Real broadcast(double x) { return x; }
};

template <int N>
using Real = typename Register<N>::Real;
template <int N>
using Bits = typename Register<N>::Bits;

template <int N>
inline Bits<N> as_bits(const Real<N>& x) {
  return __builtin_bit_cast(Bits<N>, x);
}
template <int N>
inline Real<N> as_real(const Bits<N>& x) {
  return __builtin_bit_cast(Real<N>, x);
}

/// a b + c, in one rounding if the build has FMA: explicit, never left to the compiler, so that
/// numbers and registers agree.
template <int N>
inline Real<N> mul_add(const Real<N>& a, const Real<N>& b, const Real<N>& c) {
#if defined(__FMA__)
  if constexpr (N == 1) {
    return __builtin_fma(a, b, c);
  } else if constexpr (N == 2) {
    return _mm_fmadd_pd(a, b, c);
  } else if constexpr (N == 4) {
    return _mm256_fmadd_pd(a, b, c);
  } else {
#if defined(__AVX512F__)
    return _mm512_fmadd_pd(a, b, c);
#else
    Real<N> r;
    for (int i = 0; i < N; ++i) r[i] = __builtin_fma(a[i], b[i], c[i]);
    return r;
#endif
  }
#else
  return a * b + c;
#endif
}

template <int N>
inline Real<N> sqrt(const Real<N>& x) {
  if constexpr (N == 1) {
    return std::sqrt(x);
  } else {
#if defined(__AVX512F__)
    // Masked, though of all lanes: g++ 12 warns of the undefined source of the plain form.
    if constexpr (N == 8) return _mm512_maskz_sqrt_pd(0xff, x);
#endif
#if defined(__AVX__)
    if constexpr (N == 4) return _mm256_sqrt_pd(x);
#endif
    Real<N> r;
    for (int i = 0; i < N; ++i) r[i] = std::sqrt(x[i]);
    return r;
  }
}

/// Bit i is the sign bit of lane i.
template <int N>
inline unsigned sign_bits(const Bits<N>& x) {
#if defined(__AVX512DQ__)
  if constexpr (N == 8) return _mm512_movepi64_mask(__builtin_bit_cast(__m512i, x));
#endif
#if defined(__AVX__)
  if constexpr (N == 4)
    return static_cast<unsigned>(_mm256_movemask_pd(__builtin_bit_cast(__m256d, x)));
#endif
  unsigned bits = 0;
  for (int i = 0; i < N; ++i) bits |= (x[i] < 0 ? 1U : 0U) << i;
  return bits;
}

}  // namespace camber::math::internal
