#pragma once

#include <bit>
#include <cmath>
#include <ostream>

#include "camber/math/simd.h"
#include "camber/math/sincos.h"

namespace camber::math {

/// A number and its partial derivatives by N variables; every operation applies the chain rule, so
/// the derivatives are exact to rounding. One pass gives N columns of a Jacobian.
///
/// Comparisons look at the value alone, and so does a branch: at the kink of abs, min, max and
/// select the derivative is that of the side taken. Where the slope is infinite (sqrt at 0) the
/// derivative is infinite or NaN.
template <int N>
struct Dual {
  static_assert(N > 0);

  double value;

  Dual() = default;  // not initialized, as a double
  Dual(double x)     // NOLINT(google-explicit-constructor): a constant
      : value(x), slope_{} {}

  /// The i-th of the N variables, with this value.
  static Dual variable(double x, int i) {
    Dual v(x);
    v.set_partial(i, 1.0);
    return v;
  }

  double partial(int i) const { return slope_[i / kWidth][i % kWidth]; }
  void set_partial(int i, double d) { slope_[i / kWidth][i % kWidth] = d; }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }
  Dual& operator+=(double b) { return *this = *this + b; }
  Dual& operator-=(double b) { return *this = *this - b; }
  Dual& operator*=(double b) { return *this = *this * b; }
  Dual& operator/=(double b) { return *this = *this / b; }

  friend Dual operator+(const Dual& a) { return a; }
  friend Dual operator-(const Dual& a) {
    Dual r;
    r.value = -a.value;
    for (int k = 0; k < kPacks; ++k) r.slope_[k] = -a.slope_[k];
    return r;
  }
  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual r;
    r.value = a.value + b.value;
    for (int k = 0; k < kPacks; ++k) r.slope_[k] = a.slope_[k] + b.slope_[k];
    return r;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual r;
    r.value = a.value - b.value;
    for (int k = 0; k < kPacks; ++k) r.slope_[k] = a.slope_[k] - b.slope_[k];
    return r;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return chain(a.value * b.value, b.value, a, a.value, b);
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double inverse = 1.0 / b.value;
    const double quotient = a.value / b.value;
    return chain(quotient, inverse, a, -quotient * inverse, b);
  }

  // Operations with a constant, which has no derivatives to multiply by.
  friend Dual operator+(const Dual& a, double b) { return with_value(a.value + b, a); }
  friend Dual operator+(double a, const Dual& b) { return with_value(a + b.value, b); }
  friend Dual operator-(const Dual& a, double b) { return with_value(a.value - b, a); }
  friend Dual operator-(double a, const Dual& b) { return chain(a - b.value, -1.0, b); }
  friend Dual operator*(const Dual& a, double b) { return chain(a.value * b, b, a); }
  friend Dual operator*(double a, const Dual& b) { return chain(a * b.value, a, b); }
  friend Dual operator/(const Dual& a, double b) { return chain(a.value / b, 1.0 / b, a); }
  friend Dual operator/(double a, const Dual& b) {
    const double quotient = a / b.value;
    return chain(quotient, -quotient / b.value, b);
  }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }

  friend Dual select(bool condition, const Dual& if_true, const Dual& if_false) {
    return condition ? if_true : if_false;
  }
  friend double value_of(const Dual& x) { return x.value; }
  /// Whether the value and all derivatives are finite.
  friend bool isfinite(const Dual& x) {
    bool finite = std::isfinite(x.value);
    for (int i = 0; i < N; ++i) finite = finite && std::isfinite(x.partial(i));
    return finite;
  }

  friend Dual abs(const Dual& x) { return x.value < 0 ? -x : x; }
  friend Dual min(const Dual& a, const Dual& b) { return b.value < a.value ? b : a; }
  friend Dual max(const Dual& a, const Dual& b) { return a.value < b.value ? b : a; }

  friend Dual sqrt(const Dual& x) {
    const double root = std::sqrt(x.value);
    return chain(root, 0.5 / root, x);
  }
  friend Dual exp(const Dual& x) {
    const double e = std::exp(x.value);
    return chain(e, e, x);
  }
  friend Dual log(const Dual& x) { return chain(std::log(x.value), 1.0 / x.value, x); }

  friend void sincos(const Dual& x, Dual* s, Dual* c) {
    double sine, cosine;
    sincos(x.value, &sine, &cosine);
    const Dual angle = x;  // s or c may be x
    *s = chain(sine, cosine, angle);
    *c = chain(cosine, -sine, angle);
  }
  friend Dual sin(const Dual& x) {
    double sine, cosine;
    sincos(x.value, &sine, &cosine);
    return chain(sine, cosine, x);
  }
  friend Dual cos(const Dual& x) {
    double sine, cosine;
    sincos(x.value, &sine, &cosine);
    return chain(cosine, -sine, x);
  }
  friend Dual tan(const Dual& x) {
    const double t = std::tan(x.value);
    return chain(t, 1.0 + t * t, x);
  }
  // 1 - x^2 as a product keeps its digits near +-1.
  friend Dual asin(const Dual& x) {
    return chain(std::asin(x.value), 1.0 / std::sqrt((1.0 - x.value) * (1.0 + x.value)), x);
  }
  friend Dual acos(const Dual& x) {
    return chain(std::acos(x.value), -1.0 / std::sqrt((1.0 - x.value) * (1.0 + x.value)), x);
  }
  friend Dual atan(const Dual& x) {
    return chain(std::atan(x.value), 1.0 / (1.0 + x.value * x.value), x);
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double r2 = x.value * x.value + y.value * y.value;
    return chain(std::atan2(y.value, x.value), x.value / r2, y, -y.value / r2, x);
  }
  friend Dual hypot(const Dual& x, const Dual& y) {
    const double r = std::hypot(x.value, y.value);
    return chain(r, x.value / r, x, y.value / r, y);
  }
  friend Dual sinh(const Dual& x) { return chain(std::sinh(x.value), std::cosh(x.value), x); }
  friend Dual cosh(const Dual& x) { return chain(std::cosh(x.value), std::sinh(x.value), x); }
  friend Dual tanh(const Dual& x) {
    const double sech = 1.0 / std::cosh(x.value);  // 1 - tanh^2 has no digits left far out
    return chain(std::tanh(x.value), sech * sech, x);
  }

  friend Dual pow(const Dual& x, double y) {
    return chain(std::pow(x.value, y), y == 0 ? 0.0 : y * std::pow(x.value, y - 1.0), x);
  }
  friend Dual pow(double x, const Dual& y) {
    const double p = std::pow(x, y.value);
    return chain(p, exponent_slope(x, p), y);
  }
  friend Dual pow(const Dual& x, const Dual& y) {
    const double p = std::pow(x.value, y.value);
    const double by_x = y.value == 0 ? 0.0 : y.value * std::pow(x.value, y.value - 1.0);
    return chain(p, by_x, x, exponent_slope(x.value, p), y);
  }

  friend std::ostream& operator<<(std::ostream& out, const Dual& x) {
    out << x.value << " (";
    for (int i = 0; i < N; ++i) out << (i > 0 ? ", " : "") << x.partial(i);
    return out << ')';
  }

 private:
  // Registers as wide as N fills, the last one padded with zeros. Not aligned to their size: a
  // Dual<8> would take 128 bytes instead of 72.
  static constexpr int kWidth =
      std::bit_ceil(static_cast<unsigned>(N)) < internal::kRegisterBytes / 8
          ? std::bit_ceil(static_cast<unsigned>(N))
          : internal::kRegisterBytes / 8;
  static constexpr int kPacks = (N + kWidth - 1) / kWidth;
  typedef double Pack  // NOLINT(modernize-use-using): an alias drops the attributes
      __attribute__((vector_size(kWidth * 8), aligned(8)));

  static Dual with_value(double value, const Dual& a) {
    Dual r = a;
    r.value = value;
    return r;
  }
  /// f(a) by the chain rule.
  static Dual chain(double f, double df_da, const Dual& a) {
    Dual r;
    r.value = f;
    for (int k = 0; k < kPacks; ++k) r.slope_[k] = df_da * a.slope_[k];
    return r;
  }
  static Dual chain(double f, double df_da, const Dual& a, double df_db, const Dual& b) {
    Dual r;
    r.value = f;
    for (int k = 0; k < kPacks; ++k) r.slope_[k] = df_da * a.slope_[k] + df_db * b.slope_[k];
    return r;
  }
  /// d(x^y)/dy for p = x^y. It is 0 for x < 0, where only whole exponents are defined, and for x =
  /// 0, where the power is 0 for all exponents for which it is defined.
  static double exponent_slope(double x, double p) { return x > 0 ? p * std::log(x) : 0.0; }

  Pack slope_[kPacks];
};

}  // namespace camber::math
