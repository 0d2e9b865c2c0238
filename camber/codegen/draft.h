#pragma once

#include <span>
#include <string>
#include <vector>

#include "camber/codegen/network.h"
#include "camber/codegen/program.h"

namespace camber::codegen::internal {

/// The instructions of a program before it has its arguments.
struct Draft {
  std::vector<Instruction> code;
  std::vector<Number> constants;
  std::vector<CallSite> calls;
  std::vector<std::string> names;  // of values
  std::vector<int> roots;          // the values of Network::roots
};

/// f(operand) for each operand of an instruction.
template <class F>
void for_each_operand(const Instruction& instruction, std::span<const CallSite> calls, const F& f) {
  for (const int operand : {instruction.a, instruction.b, instruction.c}) {
    if (operand >= 0) {
      f(operand);
    }
  }
  if (instruction.op == Op::kCall) {
    for (const int argument : calls[instruction.index].arguments) {
      f(argument);
    }
  }
}

/// Additions, multiplications and so on of the network's roots; see emit.cc.
Draft emit(const Network& network);

/// Orders sums and products by the time at which their operands are ready; see balance.cc.
void balance(Draft* draft);

/// Reorders the code so that few values are needed at once; see schedule.cc.
void schedule(Draft* draft);

/// Groups sines and cosines that can be computed side by side; see group_sines.cc.
void group_sines(Draft* draft);

/// The same instructions in another order; `place` has the new place of each.
Draft reordered(const Draft& draft, const std::vector<int>& place);

/// Approximate latency of an operation on current processors [cycles].
int latency(Op op);

/// Max number of computed values that are alive (needed later) at any one point.
int max_live(std::span<const Instruction> code, std::span<const CallSite> calls);

/// The last instruction that uses each value; the value itself when none does.
std::vector<int> last_uses(std::span<const Instruction> code, std::span<const CallSite> calls);

}  // namespace camber::codegen::internal
