// From a network to instructions of two operands. Equal instructions become one value; only what
// the roots need is emitted. The choices that save operations:
//   terms with the same coefficient up to sign are added first and multiplied once
//   signs become subtractions; remaining ones go into a coefficient or a constant
//   a reciprocal that occurs in one cube only becomes a division; others are computed once
//   sin and cos of one angle are computed together

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "camber/codegen/draft.h"

namespace camber::codegen::internal {
namespace {

struct InstructionHash {
  std::size_t operator()(const Instruction& i) const {
    std::uint64_t h = static_cast<std::uint64_t>(i.op);
    for (const int part : {i.a, i.b, i.c, i.index}) {
      h = (h ^ static_cast<std::uint32_t>(part)) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }
};

/// sign * scale * value, scale a positive number.
struct Summand {
  int value;
  bool is_negative;
  int scale = NumberTable::kOne;
};

class Emitter {
 public:
  explicit Emitter(const Network& net)
      : net_(net),
        numbers_(net.numbers),
        values_(net.literals.size(), -1),
        literal_uses_(net.literals.size(), 0),
        cube_uses_(net.cubes.size(), 0) {}

  Draft run() {
    find_uses();
    for (const int root : net_.roots) {
      emit_literals_of(root);
      draft_.roots.push_back(form_value(root));
    }
    return std::move(draft_);
  }

 private:
  // The values that the roots need.

  void find_uses() {
    partner_.assign(net_.literals.size(), -1);
    std::unordered_map<int, std::pair<int, int>> angles;  // form -> its sin and cos
    for_each_needed_form(net_, [&](int form, std::vector<int>* needed) {
      for (const Term& term : net_.forms[form].terms) {
        if (cube_uses_[term.cube]++ > 0) {
          continue;
        }
        for (const Power& power : net_.cubes.powers(term.cube)) {
          const Literal& literal = net_.literals[power.literal];
          ++literal_uses_[power.literal];
          needed->insert(needed->end(), literal.arguments.begin(), literal.arguments.end());
          if (literal.op == Op::kSin || literal.op == Op::kCos) {
            auto& pair = angles.try_emplace(literal.arguments[0], -1, -1).first->second;
            (literal.op == Op::kSin ? pair.first : pair.second) = power.literal;
          }
        }
      }
    });
    for (const auto& [form, pair] : angles) {
      if (pair.first >= 0 && pair.second >= 0) {
        partner_[pair.first] = pair.second;
        partner_[pair.second] = pair.first;
      }
    }
  }

  /// A reciprocal in one cube only: the cube is divided instead.
  bool is_division(int literal) const {
    return net_.literals[literal].kind == Literal::Kind::kReciprocal && literal_uses_[literal] == 1;
  }

  // Literals, on a stack of their own: programs may be deeper than the machine's stack.

  void emit_literals_of(int form) {
    push_literals(form);
    while (!stack_.empty()) {
      const int literal = stack_.back();
      if (values_[literal] >= 0) {
        stack_.pop_back();
        continue;
      }
      const std::size_t size = stack_.size();
      for (const int argument : net_.literals[literal].arguments) {
        push_literals(argument);
      }
      if (stack_.size() == size) {
        stack_.pop_back();
        values_[literal] = emit_literal(literal);
        set_name(values_[literal], net_.names[literal]);
      }
    }
  }

  void push_literals(int form) {
    const auto& terms = net_.forms[form].terms;
    for (std::size_t i = terms.size(); i-- > 0;) {
      for (const Power& power : net_.cubes.powers(terms[i].cube)) {
        if (values_[power.literal] < 0) {
          stack_.push_back(power.literal);
        }
      }
    }
  }

  void set_name(int value, const std::string& name) {
    if (draft_.names[value].empty()) {
      draft_.names[value] = name;
    }
  }

  int emit_literal(int id) {
    const Literal& literal = net_.literals[id];
    switch (literal.kind) {
      case Literal::Kind::kInput:
        return add({.op = Op::kInput, .index = literal.index});
      case Literal::Kind::kForm:
        return form_value(literal.arguments[0]);
      case Literal::Kind::kReciprocal: {
        const int below = form_value(literal.arguments[0]);
        // The cube that divides by it finds the denominator here.
        return is_division(id)
                   ? below
                   : add({.op = Op::kDiv, .a = constant(NumberTable::kOne), .b = below});
      }
      case Literal::Kind::kOperation:
        return emit_operation(id);
      case Literal::Kind::kCall:
        return emit_call(literal);
      case Literal::Kind::kTruth:
        return add({.op = literal.op});
    }
    return -1;
  }

  int emit_operation(int id) {
    const Literal& literal = net_.literals[id];
    std::vector<int> operands;
    for (const int form : literal.arguments) {
      operands.push_back(form_value(form));
    }
    if (partner_[id] >= 0) {
      const int sine = add({.op = Op::kSinCos, .a = operands[0]});
      const int cosine = add({.op = Op::kCosOfPair, .a = sine});
      values_[partner_[id]] = literal.op == Op::kSin ? cosine : sine;
      set_name(values_[partner_[id]], net_.names[partner_[id]]);
      return literal.op == Op::kSin ? sine : cosine;
    }
    if (literal.op == Op::kAnd || literal.op == Op::kOr) {
      int value = operands[0];
      for (std::size_t i = 1; i < operands.size(); ++i) {
        value = add({.op = literal.op, .a = value, .b = operands[i]});
      }
      return value;
    }
    assert(operands.size() <= 3);
    operands.resize(3, -1);
    return add({.op = literal.op, .a = operands[0], .b = operands[1], .c = operands[2]});
  }

  int emit_call(const Literal& literal) {
    const NetworkCall& call = net_.calls[literal.index];
    CallSite site{call.function, call.orders, {}};
    for (const int form : literal.arguments) {
      site.arguments.push_back(form_value(form));
    }
    draft_.calls.push_back(std::move(site));
    return add({.op = Op::kCall, .index = static_cast<int>(draft_.calls.size()) - 1});
  }

  // Cubes.

  int cube_value(int cube, int coefficient = NumberTable::kOne) {
    int above = -1;
    int below = -1;
    const auto times = [&](int* product, int value) {
      *product = *product < 0 ? value : commutative(Op::kMul, *product, value);
    };
    for (const Power& power : net_.cubes.powers(cube)) {
      const int value = values_[power.literal];
      times(is_division(power.literal) ? &below : &above, power_value(value, power.exponent));
    }
    if (below < 0) {
      return above;
    }
    return add({.op = Op::kDiv, .a = above < 0 ? constant(coefficient) : above, .b = below});
  }

  int power_value(int value, int exponent) {
    int result = -1;
    for (int square = value;; square = commutative(Op::kMul, square, square)) {
      if ((exponent & 1) != 0) {
        result = result < 0 ? square : commutative(Op::kMul, result, square);
      }
      exponent >>= 1;
      if (exponent == 0) {
        return result;
      }
    }
  }

  /// A quotient of a number that only one term uses: the number becomes the term's coefficient.
  bool takes_coefficient(int cube) const {
    const auto powers = net_.cubes.powers(cube);
    return cube_uses_[cube] == 1 && !powers.empty() &&
           std::all_of(powers.begin(), powers.end(),
                       [&](const Power& p) { return is_division(p.literal); });
  }

  // Forms.

  int form_value(int form) {
    std::vector<Summand> summands;
    int constant_term = -1;
    std::vector<std::pair<int, std::vector<Summand>>> groups;  // by coefficient up to sign
    for (const Term& term : net_.forms[form].terms) {
      if (term.cube == CubeTable::kOne) {
        constant_term = term.coefficient;
      } else if (takes_coefficient(term.cube)) {
        summands.push_back({cube_value(term.cube, term.coefficient), false});
      } else {
        const int scale = numbers_.magnitude(term.coefficient);
        const Summand summand{cube_value(term.cube), numbers_[term.coefficient].sign() < 0};
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& g) { return g.first == scale; });
        if (group == groups.end()) {
          group = groups.insert(groups.end(), {scale, {}});
        }
        group->second.push_back(summand);
      }
    }
    for (auto& [scale, members] : groups) {
      if (scale == NumberTable::kOne) {
        summands.insert(summands.end(), members.begin(), members.end());
      } else {
        const Summand total = add_up(std::move(members));
        summands.push_back({total.value, total.is_negative, scale});
      }
    }
    return with_constant(std::move(summands), constant_term);
  }

  /// The sum of summands of scale 1, starting with a positive one; negative only when all are.
  Summand add_up(std::vector<Summand> summands) {
    const auto first = std::find_if(summands.begin(), summands.end(),
                                    [](const Summand& s) { return !s.is_negative; });
    const bool all_negative = first == summands.end();
    if (!all_negative) {
      std::rotate(summands.begin(), first, first + 1);
    }
    int value = summands[0].value;
    for (std::size_t i = 1; i < summands.size(); ++i) {
      value = summands[i].is_negative == all_negative
                  ? commutative(Op::kAdd, value, summands[i].value)
                  : add({.op = Op::kSub, .a = value, .b = summands[i].value});
    }
    return {value, all_negative};
  }

  int with_constant(std::vector<Summand> summands, int constant_term) {
    if (summands.empty()) {
      return constant(constant_term >= 0 ? constant_term : numbers_.intern(Number(0)));
    }
    const bool all_negative = std::all_of(summands.begin(), summands.end(),
                                          [](const Summand& s) { return s.is_negative; });
    if (all_negative && constant_term >= 0) {  // k - x
      summands.insert(summands.begin(), {constant(constant_term), false});
      constant_term = -1;
    }
    bool sign_is_free = all_negative;  // a coefficient may take the sign
    for (Summand& s : summands) {
      if (s.scale != NumberTable::kOne) {
        const bool takes_sign = sign_is_free && constant_term < 0 && s.is_negative;
        const int factor = takes_sign ? numbers_.negate(s.scale) : s.scale;
        s = {commutative(Op::kMul, constant(factor), s.value), s.is_negative && !takes_sign};
        sign_is_free = sign_is_free && !takes_sign;
      }
    }
    const Summand total = add_up(std::move(summands));
    if (constant_term < 0) {
      return total.is_negative ? add({.op = Op::kNeg, .a = total.value}) : total.value;
    }
    return numbers_[constant_term].sign() < 0
               ? add({.op = Op::kSub,
                      .a = total.value,
                      .b = constant(numbers_.negate(constant_term))})
               : add({.op = Op::kAdd, .a = total.value, .b = constant(constant_term)});
  }

  // Instructions.

  int constant(int number) {
    const auto [at, is_new] = constants_.emplace(number, static_cast<int>(draft_.constants.size()));
    if (is_new) {
      draft_.constants.push_back(numbers_[number]);
    }
    return add({.op = Op::kConstant, .index = at->second});
  }

  int commutative(Op op, int a, int b) {
    return add({.op = op, .a = std::min(a, b), .b = std::max(a, b)});
  }

  int add(const Instruction& instruction) {
    const auto [at, is_new] = known_.emplace(instruction, static_cast<int>(draft_.code.size()));
    if (is_new) {
      draft_.code.push_back(instruction);
      draft_.names.emplace_back();
    }
    return at->second;
  }

  const Network& net_;
  NumberTable numbers_;            // grows by signs
  std::vector<int> values_;        // of literals; -1: not computed yet
  std::vector<int> literal_uses_;  // in distinct cubes
  std::vector<int> cube_uses_;     // in terms
  std::vector<int> partner_;       // the cosine of a sine and the other way around
  std::vector<int> stack_;
  std::unordered_map<Instruction, int, InstructionHash> known_;
  std::unordered_map<int, int> constants_;
  Draft draft_;
};

}  // namespace

Draft emit(const Network& network) { return Emitter(network).run(); }

}  // namespace camber::codegen::internal
