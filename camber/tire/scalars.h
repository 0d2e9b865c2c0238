#pragma once

// The kinds of number that tire models are compiled for. A .cc file ends with
//   CAMBER_FOR_EACH_TIRE_SCALAR(CAMBER_INSTANTIATE)

#include "camber/math/dual.h"
#include "camber/math/lanes.h"
#include "camber/math/scalar.h"
#include "camber/symbolic/expr.h"

namespace camber::tire {

using Dual = math::Dual<8>;
#ifdef __AVX512F__
using Lanes = math::Lanes<8>;
#else
using Lanes = math::Lanes<4>;
#endif

/// The length of a vector, with a slope of zero where it has none.
template <class T>
T length(const T& x, const T& y) {
  using std::sqrt;
  return sqrt(x * x + y * y + 1e-40);
}

template <class T>
T smaller(const T& a, const T& b) {
  using math::select;
  return select(a < b, a, b);
}
template <class T>
T larger(const T& a, const T& b) {
  using math::select;
  return select(a < b, b, a);
}

}  // namespace camber::tire

#define CAMBER_FOR_EACH_TIRE_SCALAR(MACRO) \
  MACRO(double)                            \
  MACRO(::camber::tire::Dual)              \
  MACRO(::camber::tire::Lanes)             \
  MACRO(::camber::symbolic::Expr)
