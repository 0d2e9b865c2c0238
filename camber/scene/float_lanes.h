#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// Sixteen floats that are used to select candidates, never for a result: operations may use fused
/// multiply-adds where the build has them.
namespace camber::scene::internal {

#if defined(__AVX512F__)

struct Float16 {
  __m512 v;
  Float16() = default;
  Float16(float x) : v(_mm512_set1_ps(x)) {}  // NOLINT(google-explicit-constructor)
  explicit Float16(__m512 x) : v(x) {}
  static Float16 load(const float* p) { return Float16(_mm512_loadu_ps(p)); }
  void store(float* p) const { _mm512_storeu_ps(p, v); }

  friend Float16 operator+(Float16 a, Float16 b) { return Float16(_mm512_add_ps(a.v, b.v)); }
  friend Float16 operator-(Float16 a, Float16 b) { return Float16(_mm512_sub_ps(a.v, b.v)); }
  friend Float16 operator*(Float16 a, Float16 b) { return Float16(_mm512_mul_ps(a.v, b.v)); }
  friend Float16 operator/(Float16 a, Float16 b) { return Float16(_mm512_div_ps(a.v, b.v)); }
  friend float max_of(Float16 a) { return _mm512_reduce_max_ps(a.v); }
  friend float sum_of(Float16 a) { return _mm512_reduce_add_ps(a.v); }
  /// max_of() of each of four, in a third of the operations.
  friend void max_of_four(Float16 a, Float16 b, Float16 c, Float16 d, float* most) {
    const __m512 ab = max_pairs(_mm512_unpacklo_ps(a.v, b.v), _mm512_unpackhi_ps(a.v, b.v));
    const __m512 cd = max_pairs(_mm512_unpacklo_ps(c.v, d.v), _mm512_unpackhi_ps(c.v, d.v));
    const __m512d x = _mm512_castps_pd(ab), y = _mm512_castps_pd(cd);
    const __m512 parts = max_pairs(_mm512_castpd_ps(_mm512_unpacklo_pd(x, y)),
                                   _mm512_castpd_ps(_mm512_unpackhi_pd(x, y)));
    const __m512 halves = max_pairs(parts, _mm512_shuffle_f32x4(parts, parts, 0b01001110));
    const __m512 all = max_pairs(halves, _mm512_shuffle_f32x4(halves, halves, 0b10110001));
    _mm_storeu_ps(most, _mm512_castps512_ps128(all));
  }
  friend float lane_of(Float16 a, int k) { return a.v[k]; }
  /// a where a bit is set, else b
  friend Float16 choose(unsigned bits, Float16 a, Float16 b) {
    return Float16(_mm512_mask_blend_ps(static_cast<__mmask16>(bits), b.v, a.v));
  }
  friend Float16 min(Float16 a, Float16 b) {
    return Float16(_mm512_maskz_min_ps(0xffff, a.v, b.v));
  }
  friend Float16 max(Float16 a, Float16 b) {
    return Float16(_mm512_maskz_max_ps(0xffff, a.v, b.v));
  }
  friend Float16 abs(Float16 a) {
    return Float16(_mm512_castsi512_ps(
        _mm512_and_si512(_mm512_castps_si512(a.v), _mm512_set1_epi32(0x7fffffff))));
  }
  /// a b + c, a b - c
  friend Float16 mul_add(Float16 a, Float16 b, Float16 c) {
    return Float16(_mm512_fmadd_ps(a.v, b.v, c.v));
  }
  friend Float16 mul_sub(Float16 a, Float16 b, Float16 c) {
    return Float16(_mm512_fmsub_ps(a.v, b.v, c.v));
  }
  /// a where the sign of s is positive, else -a
  friend Float16 flip(Float16 a, Float16 s) {
    const __m512i sign = _mm512_and_si512(_mm512_castps_si512(s.v), _mm512_set1_epi32(INT32_MIN));
    return Float16(_mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(a.v), sign)));
  }
  /// Bit i: a <= b in lane i.
  friend unsigned le_bits(Float16 a, Float16 b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_LE_OQ); }

 private:
  static __m512 max_pairs(__m512 a, __m512 b) { return _mm512_maskz_max_ps(0xffff, a, b); }
};

#else

struct Float16 {
  typedef float Pack __attribute__((vector_size(64), aligned(16)));         // NOLINT
  typedef std::int32_t Bits __attribute__((vector_size(64), aligned(16)));  // NOLINT
  Pack v;
  Float16() = default;
  Float16(float x) : v(x - Pack{}) {}  // NOLINT(google-explicit-constructor)
  explicit Float16(const Pack& x) : v(x) {}
  static Float16 load(const float* p) {
    Float16 a;
    std::memcpy(&a.v, p, sizeof(Pack));
    return a;
  }
  void store(float* p) const { std::memcpy(p, &v, sizeof(Pack)); }

  friend Float16 operator+(const Float16& a, const Float16& b) { return Float16(a.v + b.v); }
  friend Float16 operator-(const Float16& a, const Float16& b) { return Float16(a.v - b.v); }
  friend Float16 operator*(const Float16& a, const Float16& b) { return Float16(a.v * b.v); }
  friend Float16 operator/(const Float16& a, const Float16& b) { return Float16(a.v / b.v); }
  friend float max_of(const Float16& a) {
    float most = a.v[0];
    for (int k = 1; k < 16; ++k) most = a.v[k] > most ? a.v[k] : most;
    return most;
  }
  friend float sum_of(const Float16& a) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += a.v[k];
    return sum;
  }
  friend void max_of_four(const Float16& a, const Float16& b, const Float16& c, const Float16& d,
                          float* most) {
    most[0] = max_of(a), most[1] = max_of(b), most[2] = max_of(c), most[3] = max_of(d);
  }
  friend float lane_of(const Float16& a, int k) { return a.v[k]; }
  friend Float16 choose(unsigned bits, const Float16& a, const Float16& b) {
    Float16 c;
    for (int k = 0; k < 16; ++k) c.v[k] = (bits >> k & 1U) != 0 ? a.v[k] : b.v[k];
    return c;
  }
  friend Float16 min(const Float16& a, const Float16& b) { return Float16(a.v < b.v ? a.v : b.v); }
  friend Float16 max(const Float16& a, const Float16& b) { return Float16(a.v > b.v ? a.v : b.v); }
  friend Float16 abs(const Float16& a) { return Float16(a.v < 0 ? -a.v : a.v); }
  friend Float16 mul_add(const Float16& a, const Float16& b, const Float16& c) {
    return Float16(a.v * b.v + c.v);
  }
  friend Float16 mul_sub(const Float16& a, const Float16& b, const Float16& c) {
    return Float16(a.v * b.v - c.v);
  }
  friend Float16 flip(const Float16& a, const Float16& s) {
    const Bits sign = __builtin_bit_cast(Bits, s.v) & INT32_MIN;
    return Float16(__builtin_bit_cast(Pack, __builtin_bit_cast(Bits, a.v) ^ sign));
  }
  friend unsigned le_bits(const Float16& a, const Float16& b) {
    const Bits is = a.v <= b.v;
#if defined(__AVX__)
    __m256 half[2];
    std::memcpy(half, &is, sizeof is);
    return static_cast<unsigned>(_mm256_movemask_ps(half[0])) |
           static_cast<unsigned>(_mm256_movemask_ps(half[1])) << 8;
#elif defined(__SSE2__)
    __m128 part[4];
    std::memcpy(part, &is, sizeof is);
    unsigned bits = 0;
    for (int k = 0; k < 4; ++k) {
      bits |= static_cast<unsigned>(_mm_movemask_ps(part[k])) << (4 * k);
    }
    return bits;
#else
    unsigned bits = 0;
    for (int k = 0; k < 16; ++k) bits |= (is[k] != 0 ? 1U : 0U) << k;
    return bits;
#endif
  }
};

#endif

}  // namespace camber::scene::internal
