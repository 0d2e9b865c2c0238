#pragma once

#include "camber/mechanism_code/sketch.h"

namespace camber::mechanism_code {

/// Hands masses over to the links where they cost the fewest operations, and finds axisymmetric
/// wheels: docs/theory/generated.md, section 3. Roles, frames and bodies of the links must be
/// known.
void hand_over_masses(Sketch* sketch);

}  // namespace camber::mechanism_code
