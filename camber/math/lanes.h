#pragma once

#include <cmath>
#include <cstring>
#include <ostream>

#include "camber/math/simd.h"
#include "camber/math/sincos.h"

namespace camber::math {

/// The truth of a comparison in each of N lanes.
template <int N>
struct LaneMask {
  using Pack = internal::Bits<N>;
  Pack pack;  // 0 or -1 in each lane

  LaneMask() = default;
  LaneMask(bool value)  // NOLINT(google-explicit-constructor): a truth that all lanes share
      : pack(Pack{} - (value ? 1 : 0)) {}
  explicit LaneMask(const Pack& p) : pack(p) {}

  bool lane(int i) const { return pack[i] != 0; }

  /// For code that branches, as Eigen's does. Throws std::logic_error if the lanes differ: such
  /// code must use select().
  explicit operator bool() const;

  friend bool any(const LaneMask& a) { return internal::sign_bits<N>(a.pack) != 0; }
  friend bool all(const LaneMask& a) { return internal::sign_bits<N>(a.pack) == (1U << N) - 1U; }

  friend LaneMask operator&(const LaneMask& a, const LaneMask& b) {
    return LaneMask(a.pack & b.pack);
  }
  friend LaneMask operator|(const LaneMask& a, const LaneMask& b) {
    return LaneMask(a.pack | b.pack);
  }
  friend LaneMask operator!(const LaneMask& a) { return LaneMask(~a.pack); }
  // So that one template serves bool, lanes and symbolic conditions; both sides are evaluated.
  friend LaneMask operator&&(const LaneMask& a, const LaneMask& b) { return a & b; }
  friend LaneMask operator||(const LaneMask& a, const LaneMask& b) { return a | b; }
  friend LaneMask operator&&(const LaneMask& a, bool b) { return a & LaneMask(b); }
  friend LaneMask operator||(const LaneMask& a, bool b) { return a | LaneMask(b); }
  friend LaneMask operator&&(bool a, const LaneMask& b) { return LaneMask(a) & b; }
  friend LaneMask operator||(bool a, const LaneMask& b) { return LaneMask(a) | b; }
};

namespace internal {
[[noreturn]] void throw_lanes_differ();
}

template <int N>
LaneMask<N>::operator bool() const {
  const bool some = any(*this);
  if (some != all(*this)) internal::throw_lanes_differ();
  return some;
}

/// N numbers that take the same path through an algorithm: N vehicles, or the corners of one. In
/// each lane, the results of + - * / sqrt and sincos() have the same bits as those of a double.
///
/// N = 8 fits one register of AVX-512, N = 4 one of AVX; elsewhere the compiler splits them.
template <int N>
struct Lanes {
  using Pack = internal::Real<N>;
  using Mask = LaneMask<N>;
  static constexpr int kLanes = N;
  Pack pack;

  Lanes() = default;  // not initialized, as a double
  Lanes(double x)     // NOLINT(google-explicit-constructor): the same number in every lane
      : pack(internal::Register<N>::broadcast(x)) {}
  explicit Lanes(const Pack& p) : pack(p) {}
  // Written out: g++ 12 copies an object of plain numbers through memory, this by a register.
  [[gnu::always_inline]] Lanes(const Lanes& b) : pack(b.pack) {}
  [[gnu::always_inline]] Lanes& operator=(const Lanes& b) {
    pack = b.pack;
    return *this;
  }

  /// Loads from and stores to N consecutive doubles, of any alignment.
  static Lanes load(const double* from) {
    Lanes x;
    std::memcpy(&x.pack, from, sizeof(Pack));
    return x;
  }
  void store(double* to) const { std::memcpy(to, &pack, sizeof(Pack)); }

  double lane(int i) const { return pack[i]; }
  void set_lane(int i, double x) { pack[i] = x; }

  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  Lanes& operator*=(const Lanes& b) { return *this = *this * b; }
  Lanes& operator/=(const Lanes& b) { return *this = *this / b; }

  friend Lanes operator+(const Lanes& a) { return a; }
  friend Lanes operator-(const Lanes& a) { return Lanes(-a.pack); }
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.pack + b.pack); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.pack - b.pack); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.pack * b.pack); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.pack / b.pack); }

  friend Mask operator<(const Lanes& a, const Lanes& b) { return Mask(a.pack < b.pack); }
  friend Mask operator<=(const Lanes& a, const Lanes& b) { return Mask(a.pack <= b.pack); }
  friend Mask operator>(const Lanes& a, const Lanes& b) { return Mask(a.pack > b.pack); }
  friend Mask operator>=(const Lanes& a, const Lanes& b) { return Mask(a.pack >= b.pack); }
  friend Mask operator==(const Lanes& a, const Lanes& b) { return Mask(a.pack == b.pack); }
  friend Mask operator!=(const Lanes& a, const Lanes& b) { return Mask(a.pack != b.pack); }

  friend Lanes select(const Mask& condition, const Lanes& if_true, const Lanes& if_false) {
    return Lanes(condition.pack ? if_true.pack : if_false.pack);
  }
  /// a b + c, in one rounding where the build has FMA.
  friend Lanes mul_add(const Lanes& a, const Lanes& b, const Lanes& c) {
    return Lanes(internal::mul_add<N>(a.pack, b.pack, c.pack));
  }

  friend Lanes sqrt(const Lanes& x) { return Lanes(internal::sqrt<N>(x.pack)); }
  friend Lanes abs(const Lanes& x) {
    return Lanes(internal::as_real<N>(internal::as_bits<N>(x.pack) & INT64_MAX));
  }
  // Like std::min and std::max, these return the first argument if the two are equal or unordered.
  friend Lanes min(const Lanes& a, const Lanes& b) { return select(b < a, b, a); }
  friend Lanes max(const Lanes& a, const Lanes& b) { return select(a < b, b, a); }
  friend Mask isfinite(const Lanes& x) { return abs(x) < HUGE_VAL; }

  friend void sincos(const Lanes& x, Lanes* s, Lanes* c) {
    const Mask small = abs(x) <= internal::kMaxSmallAngle;
    const Lanes angle = x;  // s or c may be x
    internal::calc_small_sincos<N>(angle.pack, &s->pack, &c->pack);
    if (all(small)) [[likely]]
      return;
    for (int i = 0; i < N; ++i) {
      if (small.lane(i)) continue;
      double sine, cosine;
      internal::calc_large_sincos(angle.lane(i), &sine, &cosine);
      s->set_lane(i, sine);
      c->set_lane(i, cosine);
    }
  }
  friend Lanes sin(const Lanes& x) {
    Lanes s, c;
    sincos(x, &s, &c);
    return s;
  }
  friend Lanes cos(const Lanes& x) {
    Lanes s, c;
    sincos(x, &s, &c);
    return c;
  }

  // Lane by lane through the standard library.
  friend Lanes exp(const Lanes& x) { return map<std::exp>(x); }
  friend Lanes log(const Lanes& x) { return map<std::log>(x); }
  friend Lanes tan(const Lanes& x) { return map<std::tan>(x); }
  friend Lanes asin(const Lanes& x) { return map<std::asin>(x); }
  friend Lanes acos(const Lanes& x) { return map<std::acos>(x); }
  friend Lanes atan(const Lanes& x) { return map<std::atan>(x); }
  friend Lanes sinh(const Lanes& x) { return map<std::sinh>(x); }
  friend Lanes cosh(const Lanes& x) { return map<std::cosh>(x); }
  friend Lanes tanh(const Lanes& x) { return map<std::tanh>(x); }
  friend Lanes atan2(const Lanes& y, const Lanes& x) { return map<std::atan2>(y, x); }
  friend Lanes pow(const Lanes& x, const Lanes& y) { return map<std::pow>(x, y); }
  friend Lanes hypot(const Lanes& x, const Lanes& y) { return map<std::hypot>(x, y); }

  friend std::ostream& operator<<(std::ostream& out, const Lanes& x) {
    out << '[';
    for (int i = 0; i < N; ++i) out << (i > 0 ? ", " : "") << x.lane(i);
    return out << ']';
  }

 private:
  template <double (*f)(double)>
  static Lanes map(const Lanes& x) {
    Lanes y;
    for (int i = 0; i < N; ++i) y.set_lane(i, f(x.lane(i)));
    return y;
  }
  template <double (*f)(double, double)>
  static Lanes map(const Lanes& x, const Lanes& y) {
    Lanes z;
    for (int i = 0; i < N; ++i) z.set_lane(i, f(x.lane(i), y.lane(i)));
    return z;
  }
};

namespace internal {
template <class T>
struct ConstantOf {
  using Type = T;
};
template <int N>
struct ConstantOf<Lanes<N>> {
  using Type = double;
};
}  // namespace internal

/// The type of a model's constants in a template over T. All lanes share a constant, and the
/// processor broadcasts a double while it loads it: an eighth of the memory.
template <class T>
using Constant = typename internal::ConstantOf<T>::Type;

}  // namespace camber::math
