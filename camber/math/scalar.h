#pragma once

#include "camber/math/simd.h"
#include "camber/math/sincos.h"

/// The functions that a template over a scalar T needs beyond <cmath>: for double and, unless a
/// better overload exists, for any T. Dual, Lanes and symbolic::Expr bring their own, found by
/// argument; so a template says
///   using math::select, math::sincos;
/// as it says `using std::sqrt`. `&&`, `||`, `!` join conditions of all of them.
namespace camber::math {

inline double select(bool condition, double if_true, double if_false) {
  return condition ? if_true : if_false;
}

/// Whether a condition holds for the number, or for all (any) of the lanes; used to end an
/// iteration.
inline bool all(bool condition) { return condition; }
inline bool any(bool condition) { return condition; }

/// The number without its derivatives.
inline double value_of(double x) { return x; }

/// a b + c, in one rounding where the build has FMA.
inline double mul_add(double a, double b, double c) { return internal::mul_add<1>(a, b, c); }
template <class T>
T mul_add(const T& a, const T& b, const T& c) {
  return a * b + c;
}

template <class T>
void sincos(const T& x, T* s, T* c) {
  const T angle = x;  // s or c may be where x is
  *s = sin(angle);
  *c = cos(angle);
}

}  // namespace camber::math
