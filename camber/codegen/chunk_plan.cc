#include "camber/codegen/chunk_plan.h"

#include "camber/codegen/draft.h"

namespace camber::codegen::internal {

ChunkPlan::ChunkPlan(const Program& program, int chunk_size)
    : first{0},
      chunk_of_value(program.code().size(), -1),
      work_of_value(program.code().size(), -1) {
  const auto code = program.code();
  const int size = static_cast<int>(code.size());
  int filled = 0;
  for (int i = 0; i < size; ++i) {
    if (is_free(code[i].op)) {
      continue;
    }
    // The cosine stays with its sine.
    if (chunk_size > 0 && filled >= chunk_size && code[i].op != Op::kCosOfPair) {
      first.push_back(i);
      filled = 0;
    }
    ++filled;
    chunk_of_value[i] = static_cast<int>(first.size()) - 1;
  }
  first.push_back(size);

  std::vector<bool> crosses(size, false);
  for (int i = 0; i < size; ++i) {
    for_each_operand(code[i], program.calls(), [&](int operand) {
      crosses[operand] = crosses[operand] || (!is_free(code[operand].op) &&
                                              chunk_of_value[operand] != chunk_of_value[i]);
    });
  }
  // Places of values that are no longer needed are reused.
  std::vector<int> last = last_uses(code, program.calls());
  std::vector<int> unused;
  for (int i = 0; i < size; ++i) {
    for_each_operand(code[i], program.calls(), [&](int operand) {
      if (crosses[operand] && last[operand] == i) {
        unused.push_back(work_of_value[operand]);
        last[operand] = size;  // an operand may occur twice in an instruction
      }
    });
    if (crosses[i]) {
      if (unused.empty()) {
        work_of_value[i] = work_size++;
      } else {
        work_of_value[i] = unused.back();
        unused.pop_back();
      }
    }
  }
}

}  // namespace camber::codegen::internal
