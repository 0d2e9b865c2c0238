// Orders sums and products by the time at which their operands are ready. a + (b + (c + d)) waits
// for d and then does three additions one after the other; if d is the last operand to be ready, (a
// + b + c) + d has only one addition left. A processor works on several instructions at once, so
// the longest chain of dependent operations matters more than their number. The two operands that
// are ready first are taken together, then again: for trees with given arrival times and one delay
// that is optimal [Golumbic 1976, "Combinatorial merging"]. The number of operations does not
// change; results change only by rounding.

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "camber/codegen/draft.h"

namespace camber::codegen::internal {
namespace {

enum class Family { kSum, kProduct, kOther };

Family family_of(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kNeg:
      return Family::kSum;
    case Op::kMul:
      return Family::kProduct;
    default:
      return Family::kOther;
  }
}

class Balancing {
 public:
  explicit Balancing(const Draft& draft)
      : draft_(draft), place_(draft.code.size(), -1), absorbed_(draft.code.size(), false) {}

  Draft run() {
    find_absorbed();
    result_.constants = draft_.constants;
    result_.calls = draft_.calls;
    for (int i = 0; i < static_cast<int>(draft_.code.size()); ++i) {
      if (!absorbed_[i]) {
        place_[i] = family_of(draft_.code[i].op) == Family::kOther ? copy(i) : rebuild(i);
        if (result_.names[place_[i]].empty()) {
          result_.names[place_[i]] = draft_.names[i];
        }
      }
    }
    for (const int root : draft_.roots) {
      result_.roots.push_back(place_[root]);
    }
    return std::move(result_);
  }

 private:
  struct Operand {
    int value;  // in result_
    bool is_negative;
    int order;  // original order, to break ties
  };

  /// Unnamed values that only one sum or product uses become part of it.
  void find_absorbed() {
    std::vector<int> uses(draft_.code.size(), 0);
    std::vector<int> user(draft_.code.size(), -1);
    for (int i = 0; i < static_cast<int>(draft_.code.size()); ++i) {
      for_each_operand(draft_.code[i], draft_.calls, [&](int operand) {
        ++uses[operand];
        user[operand] = i;
      });
    }
    for (const int root : draft_.roots) {
      uses[root] = 2;
    }
    for (std::size_t i = 0; i < draft_.code.size(); ++i) {
      const Family family = family_of(draft_.code[i].op);
      absorbed_[i] = family != Family::kOther && uses[i] == 1 && draft_.names[i].empty() &&
                     family_of(draft_.code[user[i]].op) == family;
    }
  }

  int copy(int i) {
    Instruction instruction = draft_.code[i];
    for (int* operand : {&instruction.a, &instruction.b, &instruction.c}) {
      *operand = *operand >= 0 ? place_[*operand] : -1;
    }
    if (instruction.op == Op::kCall) {
      for (int& argument : result_.calls[instruction.index].arguments) {
        argument = place_[argument];
      }
    }
    return append(instruction);
  }

  /// Joins the operands of a whole sum or product, starting with those that are ready first.
  int rebuild(int top) {
    std::vector<Operand> operands;
    collect(top, &operands);
    const auto later = [&](const Operand& a, const Operand& b) {
      const int ready_a = ready_[a.value];
      const int ready_b = ready_[b.value];
      return ready_a != ready_b ? ready_a > ready_b : a.order > b.order;
    };
    std::make_heap(operands.begin(), operands.end(), later);
    const auto take = [&] {
      std::pop_heap(operands.begin(), operands.end(), later);
      const Operand first = operands.back();
      operands.pop_back();
      return first;
    };
    int order = static_cast<int>(operands.size());
    while (operands.size() > 1) {
      const Operand a = take();
      const Operand b = take();
      operands.push_back(family_of(draft_.code[top].op) == Family::kProduct
                             ? Operand{append(ordered(Op::kMul, a.value, b.value)), false, order}
                             : joined(a, b, order));
      std::push_heap(operands.begin(), operands.end(), later);
      ++order;
    }
    const Operand& whole = operands.front();
    return whole.is_negative ? append({.op = Op::kNeg, .a = whole.value}) : whole.value;
  }

  Operand joined(const Operand& a, const Operand& b, int order) {
    if (a.is_negative == b.is_negative) {
      return {append(ordered(Op::kAdd, a.value, b.value)), a.is_negative, order};
    }
    const int plus = a.is_negative ? b.value : a.value;
    const int minus = a.is_negative ? a.value : b.value;
    return {append({.op = Op::kSub, .a = plus, .b = minus}), false, order};
  }

  /// The operands of the sum or product `top`, found with an explicit stack: sums may be long.
  void collect(int top, std::vector<Operand>* operands) {
    std::vector<std::pair<int, bool>> stack{{top, false}};
    while (!stack.empty()) {
      const auto [value, is_negative] = stack.back();
      stack.pop_back();
      if (value != top && !absorbed_[value]) {
        operands->push_back({place_[value], is_negative, static_cast<int>(operands->size())});
        continue;
      }
      const Instruction& in = draft_.code[value];
      if (in.b >= 0) {
        stack.emplace_back(in.b, is_negative != (in.op == Op::kSub));
      }
      stack.emplace_back(in.a, is_negative != (in.op == Op::kNeg));
    }
  }

  static Instruction ordered(Op op, int a, int b) {
    return {.op = op, .a = std::min(a, b), .b = std::max(a, b)};
  }

  int append(const Instruction& instruction) {
    int ready = 0;
    for_each_operand(instruction, result_.calls,
                     [&](int operand) { ready = std::max(ready, ready_[operand]); });
    ready_.push_back(ready + latency(instruction.op));
    result_.code.push_back(instruction);
    result_.names.emplace_back();
    return static_cast<int>(result_.code.size()) - 1;
  }

  const Draft& draft_;
  Draft result_;
  std::vector<int> place_;      // in result_ of each value of draft_, -1 for absorbed ones
  std::vector<bool> absorbed_;  // into the sum or product that uses it
  std::vector<int> ready_;      // when each value of result_ is ready [cycles]
};

}  // namespace

void balance(Draft* draft) { *draft = Balancing(*draft).run(); }

}  // namespace camber::codegen::internal
