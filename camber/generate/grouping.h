#pragma once

#include <vector>

#include "camber/generate/sketch.h"

namespace camber::generate {

/// Which coordinates are eliminated together: those that move a common link or spring, after the
/// one coordinate of each connected set is set aside (shared) that takes it apart into most parts.
std::vector<Group> make_groups(const Sketch& sketch);

}  // namespace camber::generate
