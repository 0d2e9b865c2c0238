#pragma once

#include "camber/generate/sketch.h"

namespace camber::generate {

/// Gives masses to where they cost least, and finds the wheels that are round:
/// docs/theory/generated.md, section 3. For links whose roles, frames and bodies are known.
void hand_over_masses(Sketch* sketch);

}  // namespace camber::generate
