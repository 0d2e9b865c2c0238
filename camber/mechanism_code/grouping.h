#pragma once

#include <vector>

#include "camber/mechanism_code/sketch.h"

namespace camber::mechanism_code {

/// Which coordinates are eliminated together: those that move a common link or spring, after the
/// one coordinate of each connected set is set aside (shared) that takes it apart into most parts.
std::vector<Group> make_groups(const Sketch& sketch);

}  // namespace camber::mechanism_code
