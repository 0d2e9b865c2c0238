#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>

#include "camber/symbolic/expr.h"

// What each kind of function means, once for every scalar: evaluation, interval evaluation and
// interpreted programs all come here. A scalar other than double brings its own functions by
// argument-dependent lookup.

namespace camber::symbolic {

/// Integer exponents up to this size use repeated squaring, larger ones the library's pow: there,
/// multiplying would be slower and, since each squaring doubles the error so far, less exact.
inline constexpr std::int64_t kMaxMultipliedExponent = 64;

namespace internal {

inline double sign(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0; }
inline double min(double a, double b) { return b < a ? b : a; }
inline double max(double a, double b) { return a < b ? b : a; }
/// A zero has no sign: -x is 0 if x is 0, not -0, whose angle would be pi.
inline double atan2(double y, double x) { return std::atan2(y + 0.0, x + 0.0); }

/// base^n, n >= 1, by repeated squaring.
template <class T>
T integer_power(T base, std::int64_t n) {
  while ((n & 1) == 0) {
    base = base * base;
    n >>= 1;
  }
  T result = base;
  while ((n >>= 1) != 0) {
    base = base * base;
    if ((n & 1) != 0) {
      result = result * base;
    }
  }
  return result;
}

}  // namespace internal

/// A function of one argument, kExp .. kSign.
template <class T>
T apply_function(Kind kind, const T& a) {
  using internal::sign;
  using std::abs, std::exp, std::log, std::sin, std::cos, std::tan, std::asin, std::acos, std::atan,
      std::sinh, std::cosh, std::tanh;
  switch (kind) {
    case Kind::kExp:
      return exp(a);
    case Kind::kLog:
      return log(a);
    case Kind::kSin:
      return sin(a);
    case Kind::kCos:
      return cos(a);
    case Kind::kTan:
      return tan(a);
    case Kind::kAsin:
      return asin(a);
    case Kind::kAcos:
      return acos(a);
    case Kind::kAtan:
      return atan(a);
    case Kind::kSinh:
      return sinh(a);
    case Kind::kCosh:
      return cosh(a);
    case Kind::kTanh:
      return tanh(a);
    case Kind::kAbs:
      return abs(a);
    case Kind::kSign:
      return sign(a);
    default:
      assert(false && "apply_function: not a function of one argument");
      return a;
  }
}

/// A function of two arguments, kAtan2, kMin or kMax. atan2(0, 0) is 0, atan2(0, -1) is pi.
template <class T>
T apply_function(Kind kind, const T& a, const T& b) {
  using internal::atan2, internal::max, internal::min;
  switch (kind) {
    case Kind::kAtan2:
      return atan2(a, b);
    case Kind::kMin:
      return min(a, b);
    case Kind::kMax:
      return max(a, b);
    default:
      assert(false && "apply_function: not a function of two arguments");
      return a;
  }
}

/// base^exponent for a numeric exponent > 0: whole exponents by multiplication, halves by the
/// square root.
template <class T>
T apply_power(const T& base, const Number& exponent) {
  using internal::integer_power;  // an interval brings a tighter one
  using std::pow, std::sqrt;
  const Number twice = exponent + exponent;
  if (twice.fits_int64() && twice.as_int64() <= 2 * kMaxMultipliedExponent) {
    const std::int64_t whole = twice.as_int64() / 2;
    if (twice.as_int64() % 2 == 0) {
      return integer_power(base, whole);
    }
    const T root = sqrt(base);
    return whole == 0 ? root : integer_power(base, whole) * root;
  }
  return pow(base, T(exponent.to_double()));
}

}  // namespace camber::symbolic
