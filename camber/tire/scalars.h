#pragma once

// The kinds of number that tire models are compiled for. A .cc file includes camber/symbolic/expr.h
// and ends with
//   CAMBER_FOR_EACH_TIRE_SCALAR(CAMBER_INSTANTIATE)

#include <type_traits>

#include "camber/math/dual.h"
#include "camber/math/lanes.h"
#include "camber/math/scalar.h"

namespace camber::symbolic {
class Condition;  // camber/symbolic/expr.h, for files that compile models for expressions
}

namespace camber::tire {

using Dual = math::Dual<8>;
using Lanes4 = math::Lanes<4>;  // the wheels of one car
using Lanes8 = math::Lanes<8>;  // one wheel of eight cars
#ifdef __AVX512F__
using Lanes = Lanes8;
#else
using Lanes = Lanes4;
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

/// Whether a condition holds in all lanes, so that code for the opposite case can be left out.
/// Unknown for an expression.
template <class Condition>
bool surely(const Condition& condition) {
  if constexpr (std::is_same_v<Condition, symbolic::Condition>) {
    return false;
  } else {
    using math::all;
    return all(condition);
  }
}

}  // namespace camber::tire

#define CAMBER_FOR_EACH_NUMERIC_TIRE_SCALAR(MACRO) \
  MACRO(double)                                    \
  MACRO(::camber::tire::Dual)                      \
  MACRO(::camber::tire::Lanes4)                    \
  MACRO(::camber::tire::Lanes8)

#define CAMBER_FOR_EACH_TIRE_SCALAR(MACRO)   \
  CAMBER_FOR_EACH_NUMERIC_TIRE_SCALAR(MACRO) \
  MACRO(::camber::symbolic::Expr)
