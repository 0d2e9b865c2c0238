// The order of the instructions. Values that wait for their use fill registers and then memory, so
// each value should come shortly before its use. [Sethi and Ullman 1970]: in a tree, computing the
// operand that needs more registers first is optimal. Programs are graphs, for which the problem is
// NP-complete; used as a heuristic on the graph, it gives the order below, which is kept unless the
// order of emission is better.
//   need(leaf) = 0
//   need(v)    = max(1, max over its operands k, by decreasing need, of need(operand k) + k)

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "camber/codegen/draft.h"

namespace camber::codegen::internal {

std::vector<int> last_uses(std::span<const Instruction> code, std::span<const CallSite> calls) {
  std::vector<int> last(code.size());
  std::iota(last.begin(), last.end(), 0);
  for (int i = 0; i < static_cast<int>(code.size()); ++i) {
    for_each_operand(code[i], calls, [&](int operand) { last[operand] = i; });
  }
  return last;
}

int max_live(std::span<const Instruction> code, std::span<const CallSite> calls) {
  const std::vector<int> last = last_uses(code, calls);
  std::vector<int> dying(code.size(), 0);
  int live = 0;
  int most = 0;
  for (int i = 0; i < static_cast<int>(code.size()); ++i) {
    if (!is_free(code[i].op)) {
      ++live;
      ++dying[last[i]];
    }
    // A result may take the register of an operand that is no longer needed.
    const int own = !is_free(code[i].op) && last[i] == i ? 1 : 0;
    live -= dying[i] - own;
    most = std::max(most, live);
    live -= own;
  }
  return most;
}

namespace {

class Scheduler {
 public:
  explicit Scheduler(const Draft& draft)
      : draft_(draft), need_(draft.code.size(), 0), place_(draft.code.size(), -1) {}

  /// The place of each instruction in the new order.
  std::vector<int> run() {
    find_needs();
    for (const int root : draft_.roots) {
      visit(root);
    }
    return std::move(place_);
  }

 private:
  void find_needs() {
    std::vector<int> needs;
    for (std::size_t i = 0; i < draft_.code.size(); ++i) {
      if (is_free(draft_.code[i].op)) {
        continue;
      }
      needs.clear();
      for_each_operand(draft_.code[i], draft_.calls,
                       [&](int operand) { needs.push_back(need_[operand]); });
      std::sort(needs.begin(), needs.end(), std::greater<>());
      int need = 1;
      for (int k = 0; k < static_cast<int>(needs.size()); ++k) {
        need = std::max(need, needs[k] + k);
      }
      need_[i] = need;
    }
  }

  void visit(int root) {
    stack_.push_back(root);
    while (!stack_.empty()) {
      int value = stack_.back();
      // A pair is one unit, identified by its sine.
      value = draft_.code[value].op == Op::kCosOfPair ? draft_.code[value].a : value;
      if (place_[value] >= 0) {
        stack_.pop_back();
        continue;
      }
      const std::size_t size = stack_.size();
      for_each_operand(draft_.code[value], draft_.calls, [&](int operand) {
        if (place_[operand] < 0) {
          stack_.push_back(operand);
        }
      });
      if (stack_.size() == size) {
        stack_.pop_back();
        place_[value] = next_++;
        if (draft_.code[value].op == Op::kSinCos) {
          place_[value + 1] = next_++;
        }
        continue;
      }
      // The operand with the largest need on top, so that it is computed first.
      std::stable_sort(stack_.begin() + static_cast<std::ptrdiff_t>(size), stack_.end(),
                       [&](int a, int b) { return need_[a] < need_[b]; });
    }
  }

  const Draft& draft_;
  std::vector<int> need_;
  std::vector<int> place_;
  std::vector<int> stack_;
  int next_ = 0;
};

}  // namespace

Draft reordered(const Draft& draft, const std::vector<int>& place) {
  Draft result{.code = std::vector<Instruction>(draft.code.size()),
               .constants = draft.constants,
               .calls = draft.calls,
               .names = std::vector<std::string>(draft.code.size()),
               .roots = draft.roots};
  const auto renumber = [&](int* value) { *value = *value >= 0 ? place[*value] : -1; };
  for (std::size_t i = 0; i < draft.code.size(); ++i) {
    Instruction instruction = draft.code[i];
    renumber(&instruction.a);
    renumber(&instruction.b);
    renumber(&instruction.c);
    result.code[place[i]] = instruction;
    result.names[place[i]] = draft.names[i];
  }
  for (CallSite& call : result.calls) {
    std::for_each(call.arguments.begin(), call.arguments.end(), [&](int& v) { renumber(&v); });
  }
  std::for_each(result.roots.begin(), result.roots.end(), [&](int& v) { renumber(&v); });
  return result;
}

void schedule(Draft* draft) {
  Draft candidate = reordered(*draft, Scheduler(*draft).run());
  if (max_live(candidate.code, candidate.calls) < max_live(draft->code, draft->calls)) {
    *draft = std::move(candidate);
  }
}

}  // namespace camber::codegen::internal
