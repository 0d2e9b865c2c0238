#pragma once

#include <vector>

#include "camber/codegen/program.h"

namespace camber::codegen::internal {

/// How a program is cut into functions (chunks), and which values they pass on in a workspace
/// array.
struct ChunkPlan {
  /// At most `chunk_size` computed instructions in each chunk; 0 for a single one.
  ChunkPlan(const Program& program, int chunk_size);

  int chunk_count() const { return static_cast<int>(first.size()) - 1; }

  std::vector<int> first;           // first instruction of each chunk, and the end
  std::vector<int> chunk_of_value;  // chunk that computes it; -1 for inputs and constants
  /// Place in the workspace; -1 for values that only their own chunk uses.
  std::vector<int> work_of_value;
  int work_size = 0;
};

}  // namespace camber::codegen::internal
