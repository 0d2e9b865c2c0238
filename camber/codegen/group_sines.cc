// Sines and cosines side by side: those whose angles take only arithmetic come first, in one row,
// after the instructions that compute their angles. The writers turn a row into one loop, which
// compilers vectorize. The order of all other instructions does not change. (Rows of arctangents
// were tried as well: waiting for each other's operands costs more than the loop saves.)

#include <algorithm>
#include <numeric>
#include <vector>

#include "camber/codegen/draft.h"

namespace camber::codegen::internal {
namespace {

bool is_arithmetic(Op op) {
  return is_free(op) || op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kDiv ||
         op == Op::kNeg;
}

class Grouping {
 public:
  explicit Grouping(const Draft& draft) : draft_(draft), stage_(draft.code.size(), kRest) {}

  /// The place of each instruction in the new order.
  std::vector<int> run() {
    make_row(find_sines());
    std::vector<int> order(stage_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return stage_[a] < stage_[b]; });
    std::vector<int> place(order.size());
    for (int i = 0; i < static_cast<int>(order.size()); ++i) {
      place[order[i]] = i;
    }
    return place;
  }

 private:
  enum Stage { kBeforeSines, kSines, kRest };

  /// A pair is identified by its sine.
  std::vector<int> find_sines() const {
    std::vector<bool> needs_function(draft_.code.size(), false);
    for (std::size_t i = 0; i < needs_function.size(); ++i) {
      bool needs = !is_arithmetic(draft_.code[i].op);
      for_each_operand(draft_.code[i], draft_.calls,
                       [&](int operand) { needs = needs || needs_function[operand]; });
      needs_function[i] = needs;
    }
    std::vector<int> sines;
    for (int i = 0; i < static_cast<int>(draft_.code.size()); ++i) {
      const Instruction& in = draft_.code[i];
      if ((in.op == Op::kSinCos || in.op == Op::kSin || in.op == Op::kCos) &&
          !needs_function[in.a]) {
        sines.push_back(i);
      }
    }
    return sines;
  }

  void make_row(const std::vector<int>& members) {
    if (members.size() < 2) {
      return;
    }
    std::vector<int> stack;
    for (const int member : members) {
      stage_[member] = kSines;
      if (draft_.code[member].op == Op::kSinCos) {
        stage_[member + 1] = kSines;
      }
      stack.push_back(draft_.code[member].a);
    }
    while (!stack.empty()) {
      const int value = stack.back();
      stack.pop_back();
      if (stage_[value] != kBeforeSines) {
        stage_[value] = kBeforeSines;
        for_each_operand(draft_.code[value], draft_.calls,
                         [&](int operand) { stack.push_back(operand); });
      }
    }
  }

  const Draft& draft_;
  std::vector<Stage> stage_;
};

}  // namespace

void group_sines(Draft* draft) { *draft = reordered(*draft, Grouping(*draft).run()); }

}  // namespace camber::codegen::internal
