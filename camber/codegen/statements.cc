// The order of a program's statements for compilers. A processor has a window of some hundred
// instructions and starts each as soon as its operands are ready, but it fetches them in the order
// of the text, which compilers mostly keep. Code that finishes one result after the other makes the
// processor wait for long chains while independent work is still outside its window. With the
// latencies l,
//   ready(v)  = l(v) + max over the operands o of v of ready(o)     earliest time of v
//   height(v) = l(v) + max over the users u of v of height(u)       time from v to the end
// a list schedule takes, of all statements whose operands are done, the one with the smallest
//   2 ready(v) - height(v)                                                                     (1)
// With ready() alone, the end is one long chain with nothing in parallel; with height() alone,
// values wait so long for their use that compilers spill them to memory. The weights, statement
// lengths and windows that we tried are in docs/decisions/0008-functions-in-generated-code.md. More
// values are alive than in the order of schedule.cc (58 instead of 41 for the motorcycle's
// residual), which the interpreter keeps: it executes one instruction after the other in any case.

#include "camber/codegen/statements.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "camber/codegen/draft.h"

namespace camber::codegen::internal {
namespace {

// A statement cannot start before its last operand is ready, so longer statements would delay their
// first operations.
constexpr int kMaxOperations = 6;

// Statements change places within runs of so many instructions, about the window of a processor:
// larger moves gain nothing, and values would wait in memory for their use.
constexpr std::size_t kWindow = 500;

/// The values that go to an output or are checked.
std::vector<bool> find_roots(const Program& program) {
  std::vector<bool> is_root(program.code().size(), false);
  for (const Output& output : program.outputs()) {
    for (const int value : output.values) {
      is_root[value] = true;
    }
  }
  for (const GuardedValue& guard : program.guards()) {
    is_root[guard.value] = true;
  }
  return is_root;
}

std::vector<int> count_uses(const Program& program) {
  std::vector<int> uses(program.code().size(), 0);
  for (const Instruction& in : program.code()) {
    for_each_operand(in, program.calls(), [&](int operand) { ++uses[operand]; });
  }
  return uses;
}

/// Whether a sine or cosine is computed beside another, which gives both a name.
bool is_in_row(std::span<const Instruction> code, int value) {
  const auto is_sine = [&](std::size_t i) {
    return i < code.size() && is_sine_or_cosine(code[i].op);
  };
  return is_sine(value) && (code[value].op == Op::kSinCos || code[value].op == Op::kCosOfPair ||
                            (value > 0 && is_sine(value - 1)) || is_sine(value + 1));
}

std::vector<bool> find_inlined(const Program& program) {
  const auto code = program.code();
  const std::vector<int> uses = count_uses(program);
  const std::vector<bool> is_root = find_roots(program);
  std::vector<int> size(code.size(), 1);  // of the expression that stands for the value
  std::vector<bool> inlined(code.size(), false);
  const auto may_be = [&](int value) {
    return uses[value] == 1 && !is_root[value] && !is_free(code[value].op) &&
           !is_in_row(code, value) && program.value_name(value).empty();
  };
  for (int i = 0; i < static_cast<int>(code.size()); ++i) {
    if (code[i].op == Op::kSign) {
      continue;  // its pattern repeats the operand
    }
    for_each_operand(code[i], program.calls(), [&](int operand) {
      if (may_be(operand) && size[i] + size[operand] <= kMaxOperations) {
        inlined[operand] = true;
        size[i] += size[operand];
      }
    });
  }
  return inlined;
}

class Ordering {
 public:
  Ordering(const Program& program, const std::vector<bool>& inlined)
      : program_(program),
        inlined_(inlined),
        statement_(program.code().size(), -1),
        ready_(program.code().size(), 0),
        height_(program.code().size(), 0) {}

  /// The instructions in their new order.
  std::vector<int> run() {
    find_statements();
    const int count = static_cast<int>(members_.size());
    for (int first = 0; first < count;) {
      int last = first;
      for (std::size_t size = 0; last < count && size < kWindow; ++last) {
        size += members_[last].size();
      }
      order_window(first, last);
      first = last;
    }
    return std::move(order_);
  }

 private:
  /// A value and the values inlined in it; sines side by side are one statement.
  void find_statements() {
    for (int i = 0; i < static_cast<int>(inlined_.size()); ++i) {
      if (!inlined_[i]) {
        const std::vector<int> tree = tree_of(i);
        if (!continues_row(i, tree)) {
          members_.emplace_back();
        }
        const int statement = static_cast<int>(members_.size()) - 1;
        for (const int member : tree) {
          members_[statement].push_back(member);
          statement_[member] = statement;
        }
      }
    }
    // The angles of a row come before its sines.
    for (std::vector<int>& members : members_) {
      std::stable_partition(members.begin(), members.end(),
                            [&](int member) { return inlined_[member]; });
    }
  }

  std::vector<int> tree_of(int value) const {
    std::vector<int> tree{value};
    for (std::size_t k = 0; k < tree.size(); ++k) {
      for_each_operand(program_.code()[tree[k]], program_.calls(), [&](int operand) {
        if (inlined_[operand]) {
          tree.push_back(operand);
        }
      });
    }
    std::sort(tree.begin(), tree.end());
    return tree;
  }

  /// Whether the value is a sine or cosine that follows another and does not depend on any of that
  /// row.
  bool continues_row(int value, const std::vector<int>& tree) const {
    const auto code = program_.code();
    if (code[value].op == Op::kCosOfPair) {
      return true;
    }
    const int row = static_cast<int>(members_.size()) - 1;
    bool continues = is_sine_or_cosine(code[value].op) && row >= 0 &&
                     is_sine_or_cosine(code[members_[row].back()].op);
    for (const int member : tree) {
      for_each_operand(code[member], program_.calls(),
                       [&](int operand) { continues = continues && statement_[operand] != row; });
    }
    return continues;
  }

  /// A list schedule of the statements [first, last).
  void order_window(int first, int last) {
    find_times(first, last);
    std::vector<int> missing(last - first, 0);
    std::vector<std::vector<int>> users(last - first);
    for (int s = first; s < last; ++s) {
      for (const int member : members_[s]) {
        for_each_operand(program_.code()[member], program_.calls(), [&](int operand) {
          if (statement_[operand] >= first && statement_[operand] != s) {
            ++missing[s - first];
            users[statement_[operand] - first].push_back(s);
          }
        });
      }
    }
    using Candidate = std::pair<int, int>;  // (1) and the statement: ties keep their order
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    for (int s = first; s < last; ++s) {
      if (missing[s - first] == 0) {
        candidates.emplace(key_of(s), s);
      }
    }
    while (!candidates.empty()) {
      const int s = candidates.top().second;
      candidates.pop();
      order_.insert(order_.end(), members_[s].begin(), members_[s].end());
      for (const int user : users[s - first]) {
        if (--missing[user - first] == 0) {
          candidates.emplace(key_of(user), user);
        }
      }
    }
  }

  /// ready() and height(), from the start of the window and to its end.
  void find_times(int first, int last) {
    const auto code = program_.code();
    for (int s = first; s < last; ++s) {
      for (const int member : members_[s]) {
        for_each_operand(code[member], program_.calls(), [&](int operand) {
          if (statement_[operand] >= first) {
            ready_[member] = std::max(ready_[member], ready_[operand]);
          }
        });
        ready_[member] += latency(code[member].op);
      }
    }
    for (int s = last - 1; s >= first; --s) {
      for (auto member = members_[s].rbegin(); member != members_[s].rend(); ++member) {
        height_[*member] += latency(code[*member].op);
        for_each_operand(code[*member], program_.calls(), [&](int operand) {
          if (statement_[operand] >= first) {
            height_[operand] = std::max(height_[operand], height_[*member]);
          }
        });
      }
    }
  }

  /// The priority (1); for a row, that of its latest angle and most urgent result.
  int key_of(int statement) const {
    int ready = 0;
    int height = 0;
    for (const int member : members_[statement]) {
      if (!inlined_[member]) {
        ready = std::max(ready, ready_[member]);
        height = std::max(height, height_[member]);
      }
    }
    return 2 * ready - height;
  }

  const Program& program_;
  const std::vector<bool>& inlined_;
  std::vector<std::vector<int>> members_;  // of each statement, inlined ones first
  std::vector<int> statement_;             // of each value
  std::vector<int> ready_, height_;        // of each value [cycles]
  std::vector<int> order_;
};

}  // namespace

Statements order_statements(const Program& program) {
  const std::vector<bool> inlined = find_inlined(program);
  const std::vector<int> order = Ordering(program, inlined).run();
  Statements statements{program.reordered(order), {}};
  for (const int value : order) {
    statements.inlined.push_back(inlined[value]);
  }
  return statements;
}

}  // namespace camber::codegen::internal
