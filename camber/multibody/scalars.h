#pragma once

// The kinds of number that the algorithms of this module are compiled for. A .cc file ends with
//   CAMBER_FOR_EACH_SCALAR(CAMBER_INSTANTIATE)

#include "camber/math/dual.h"
#include "camber/math/eigen_scalars.h"
#include "camber/math/lanes.h"
#include "camber/math/scalar.h"
#include "camber/symbolic/matrix.h"

namespace camber::multibody {

/// Derivatives by this many directions in one sweep: one register of them.
inline constexpr int kDirections = 8;
using Dual = math::Dual<kDirections>;
/// Number of vehicles computed at once: as many as a register holds.
#ifdef __AVX512F__
using Lanes = math::Lanes<8>;
#else
using Lanes = math::Lanes<4>;
#endif

}  // namespace camber::multibody

#define CAMBER_FOR_EACH_SCALAR(MACRO) \
  MACRO(double)                       \
  MACRO(::camber::multibody::Dual)    \
  MACRO(::camber::multibody::Lanes)   \
  MACRO(::camber::symbolic::Expr)
