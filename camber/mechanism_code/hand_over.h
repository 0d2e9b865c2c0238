#pragma once

#include "camber/mechanism_code/sketch.h"

namespace camber::mechanism_code {

/// Gives masses to where they cost least, and finds the wheels that are round:
/// docs/theory/generated.md, section 3. For links whose roles, frames and bodies are known.
void hand_over_masses(Sketch* sketch);

}  // namespace camber::mechanism_code
