#pragma once

// A number by its history. Where the trace of a mechanism (motion.h, moments.h) runs on
// symbolic::Expr it gives equations; where it runs on Fingerprint it gives, in microseconds, a hash
// of the equations that it would have given. Vehicles with equal fingerprints have equal code, with
// parameters of their own: docs/decisions/0016-structure-keys.md.

#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "camber/multibody/model.h"

namespace camber::mechanism_code {

/// The hash of an expression: of its operations, its numbers and the names of its symbols. Zeros are
/// known as such and disappear from sums and products, as they do from expressions.
class Fingerprint {
 public:
  Fingerprint() = default;  // 0
  explicit Fingerprint(double number)
      : hash_(number == 0 ? 0 : mix(kNumber, std::bit_cast<std::uint64_t>(number))) {}
  static Fingerprint of_symbol(std::string_view name) {
    Fingerprint x;
    x.hash_ = kSymbol;
    for (const char c : name) x.hash_ = mix(x.hash_, static_cast<unsigned char>(c));
    return x;
  }
  /// Symbol number i of those that share a prefix.
  static Fingerprint of_symbol(std::string_view prefix, std::size_t i) {
    return of(kPlace, {of_symbol(prefix).hash_, i});
  }

  bool is_zero() const { return hash_ == 0; }
  std::uint64_t hash() const { return hash_; }
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;

  friend Fingerprint operator+(Fingerprint a, Fingerprint b) {
    if (a.is_zero()) return b;
    return b.is_zero() ? a : of(kSum, {a.hash_, b.hash_});
  }
  friend Fingerprint operator-(Fingerprint a) { return a.is_zero() ? a : of(kMinus, {a.hash_, 0}); }
  friend Fingerprint operator-(Fingerprint a, Fingerprint b) {
    if (a.is_zero()) return -b;
    return b.is_zero() ? a : of(kDifference, {a.hash_, b.hash_});
  }
  friend Fingerprint operator*(Fingerprint a, Fingerprint b) {
    return a.is_zero() || b.is_zero() ? Fingerprint() : of(kProduct, {a.hash_, b.hash_});
  }
  friend Fingerprint operator/(Fingerprint a, Fingerprint b) {
    return a.is_zero() ? a : of(kQuotient, {a.hash_, b.hash_});
  }
  Fingerprint& operator+=(Fingerprint b) { return *this = *this + b; }
  Fingerprint& operator-=(Fingerprint b) { return *this = *this - b; }
  Fingerprint& operator*=(Fingerprint b) { return *this = *this * b; }

  friend Fingerprint sqrt(Fingerprint a) { return of(kSqrt, {a.hash_, 0}); }
  friend Fingerprint sin(Fingerprint a) { return of(kSin, {a.hash_, 0}); }
  friend Fingerprint cos(Fingerprint a) { return of(kCos, {a.hash_, 0}); }
  friend Fingerprint atan2(Fingerprint a, Fingerprint b) { return of(kAtan2, {a.hash_, b.hash_}); }
  // Conditions are fingerprints, too.
  friend Fingerprint operator<(Fingerprint a, Fingerprint b) {
    return of(kLess, {a.hash_, b.hash_});
  }
  friend Fingerprint operator>(Fingerprint a, Fingerprint b) { return b < a; }
  friend Fingerprint select(Fingerprint condition, Fingerprint a, Fingerprint b) {
    return of(kSelect, {of(kSelect, {condition.hash_, a.hash_}).hash_, b.hash_});
  }

  /// Two words to one: a product in 128 bits, folded. Neither argument alone determines it, and the
  /// order matters.
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{a ^ 0x9e3779b97f4a7c15U} * (b ^ 0xe7037ed1a0b428dbU);
    const std::uint64_t folded =
        static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
    return folded ^ std::rotl(a, 23) ^ std::rotl(b, 47);
  }

 private:
  enum Operation : std::uint64_t {
    kNumber = 0x243f6a8885a308d3U,
    kSymbol = 0x13198a2e03707344U,
    kPlace = 0xa4093822299f31d0U,
    kSum = 0x082efa98ec4e6c89U,
    kMinus = 0x452821e638d01377U,
    kDifference = 0xbe5466cf34e90c6cU,
    kProduct = 0xc0ac29b7c97c50ddU,
    kQuotient = 0x3f84d5b5b5470917U,
    kSqrt = 0x9216d5d98979fb1bU,
    kSin = 0xd1310ba698dfb5acU,
    kCos = 0x2ffd72dbd01adfb7U,
    kAtan2 = 0xb8e1afed6a267e96U,
    kLess = 0xba7c9045f12c7f99U,
    kSelect = 0x24a19947b3916cf7U,
  };
  struct Operands {
    std::uint64_t a, b;
  };
  static Fingerprint of(Operation operation, Operands operands) {
    Fingerprint x;
    x.hash_ = mix(mix(operation, operands.a), operands.b);
    if (x.hash_ == 0) x.hash_ = operation;
    return x;
  }

  std::uint64_t hash_ = 0;
};

/// The laws of force elements as functions of everything that they are made of.
Fingerprint calc_tension(const multibody::SpringForce<Fingerprint>& spring, Fingerprint length,
                         Fingerprint rate);
Fingerprint calc_axis_force(const multibody::AxisForce<Fingerprint>& axis, Fingerprint position,
                            Fingerprint speed);

}  // namespace camber::mechanism_code

template <>
struct std::hash<camber::mechanism_code::Fingerprint> {
  std::size_t operator()(camber::mechanism_code::Fingerprint x) const { return x.hash(); }
};
