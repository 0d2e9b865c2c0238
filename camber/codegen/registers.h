#pragma once

#include <vector>

#include "camber/codegen/program.h"

namespace camber::codegen::internal {

/// Where each value of a straight-line program is kept. Inputs and constants have a register of
/// their own, outputs and guards keep theirs from their computation to the end, and all others
/// release it after the last use.
struct RegisterPlan {
  explicit RegisterPlan(const Program& program);
  std::vector<int> of_value;
  int count = 0;
};

}  // namespace camber::codegen::internal
