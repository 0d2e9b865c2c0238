#include "camber/math/lanes.h"

#include <stdexcept>

namespace camber::math::internal {

void throw_lanes_differ() {
  throw std::logic_error(
      "LaneMask: a branch on a condition that differs between lanes; use select()");
}

}  // namespace camber::math::internal
