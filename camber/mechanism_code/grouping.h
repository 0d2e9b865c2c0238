#pragma once

#include <vector>

#include "camber/mechanism_code/sketch.h"

namespace camber::mechanism_code {

/// Which coordinates are eliminated together: those that move a common link or spring, after
/// setting aside, in each connected set, the one (shared) coordinate whose removal splits the set
/// into the most parts.
std::vector<Group> make_groups(const Sketch& sketch);

}  // namespace camber::mechanism_code
