#include "camber/codegen/registers.h"

#include <algorithm>

#include "camber/codegen/draft.h"

namespace camber::codegen::internal {

RegisterPlan::RegisterPlan(const Program& program) : of_value(program.code().size(), -1) {
  const auto code = program.code();
  const int size = static_cast<int>(code.size());
  const int never = size;
  std::vector<int> last = last_uses(code, program.calls());
  const auto keep = [&](int value) { last[value] = never; };
  for (const Output& output : program.outputs()) {
    std::for_each(output.values.begin(), output.values.end(), keep);
  }
  for (const GuardedValue& guard : program.guards()) {
    keep(guard.value);
  }
  count = program.input_size();
  std::vector<int> unused;
  for (int i = 0; i < size; ++i) {
    if (code[i].op == Op::kInput) {
      of_value[i] = code[i].index;
      continue;
    }
    if (is_free(code[i].op)) {
      of_value[i] = count++;
      continue;
    }
    for_each_operand(code[i], program.calls(), [&](int operand) {
      if (last[operand] == i && !is_free(code[operand].op)) {
        unused.push_back(of_value[operand]);
        last[operand] = never;  // an operand may occur twice in an instruction
      }
    });
    if (unused.empty()) {
      of_value[i] = count++;
    } else {
      of_value[i] = unused.back();
      unused.pop_back();
    }
  }
}

}  // namespace camber::codegen::internal
