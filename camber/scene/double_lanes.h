#pragma once

#include <cstdint>

#include "camber/math/lanes.h"

namespace camber::scene::internal {

using Double8 = math::Lanes<8>;
using Mask8 = math::LaneMask<8>;

/// The truth of a comparison for each ray of a packet.
struct Mask16 {
  Mask8 half[2];

  /// Bit k: lane k.
  unsigned bits() const {
    return math::internal::sign_bits<8>(half[0].pack) | math::internal::sign_bits<8>(half[1].pack)
                                                            << 8;
  }
  friend Mask16 operator&&(const Mask16& a, const Mask16& b) {
    return {{a.half[0] && b.half[0], a.half[1] && b.half[1]}};
  }
  friend Mask16 operator||(const Mask16& a, const Mask16& b) {
    return {{a.half[0] || b.half[0], a.half[1] || b.half[1]}};
  }
  friend Mask16 operator!(const Mask16& a) { return {{!a.half[0], !a.half[1]}}; }
};

/// Doubles of all rays of a packet: two registers, so that the latency of one is filled by the
/// other. Each lane has the bits of a double.
struct Double16 {
  Double8 half[2];

  Double16() = default;
  Double16(double x) : half{Double8(x), Double8(x)} {}  // NOLINT(google-explicit-constructor)
  Double16(const Double8& a, const Double8& b) : half{a, b} {}
  static Double16 load(const double* p) { return {Double8::load(p), Double8::load(p + 8)}; }
  void store(double* p) const { half[0].store(p), half[1].store(p + 8); }

  friend Double16 operator+(const Double16& a, const Double16& b) {
    return {a.half[0] + b.half[0], a.half[1] + b.half[1]};
  }
  friend Double16 operator-(const Double16& a, const Double16& b) {
    return {a.half[0] - b.half[0], a.half[1] - b.half[1]};
  }
  friend Double16 operator*(const Double16& a, const Double16& b) {
    return {a.half[0] * b.half[0], a.half[1] * b.half[1]};
  }
  friend Double16 operator/(const Double16& a, const Double16& b) {
    return {a.half[0] / b.half[0], a.half[1] / b.half[1]};
  }
  Double16& operator+=(const Double16& b) { return *this = *this + b; }

  friend Mask16 operator<(const Double16& a, const Double16& b) {
    return {{a.half[0] < b.half[0], a.half[1] < b.half[1]}};
  }
  friend Mask16 operator<=(const Double16& a, const Double16& b) {
    return {{a.half[0] <= b.half[0], a.half[1] <= b.half[1]}};
  }
  friend Mask16 operator>(const Double16& a, const Double16& b) { return b < a; }
  friend Mask16 operator>=(const Double16& a, const Double16& b) { return b <= a; }
  friend Mask16 operator==(const Double16& a, const Double16& b) {
    return {{a.half[0] == b.half[0], a.half[1] == b.half[1]}};
  }
  friend Double16 select(const Mask16& m, const Double16& a, const Double16& b) {
    return {select(m.half[0], a.half[0], b.half[0]), select(m.half[1], a.half[1], b.half[1])};
  }
  friend Double16 abs(const Double16& a) { return {abs(a.half[0]), abs(a.half[1])}; }
  friend Double16 min(const Double16& a, const Double16& b) {
    return {min(a.half[0], b.half[0]), min(a.half[1], b.half[1])};
  }
  friend Double16 max(const Double16& a, const Double16& b) {
    return {max(a.half[0], b.half[0]), max(a.half[1], b.half[1])};
  }
};

}  // namespace camber::scene::internal
