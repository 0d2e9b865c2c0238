#pragma once

// The kinds of number that a wheel on the ground is compiled for. A .cc file ends with
//   CAMBER_FOR_EACH_WHEEL_SCALAR(CAMBER_INSTANTIATE)
// Expressions cannot pass through a surface (docs/theory/soil.md, section 1.1).

#include "camber/tire/scalars.h"

namespace camber::dynamics {

using tire::surely;

}  // namespace camber::dynamics

#define CAMBER_FOR_EACH_WHEEL_SCALAR(MACRO) CAMBER_FOR_EACH_NUMERIC_TIRE_SCALAR(MACRO)
