#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "camber/codegen/program.h"
#include "camber/symbolic/expr.h"

// The intermediate form between expressions and instructions: sums of products whose operands are
// values, which can be factored and shared. The terms are those of logic synthesis, which does the
// same to sums of Boolean products: a literal is a value that is multiplied as a whole, a cube is a
// product of powers of literals, a form is a sum of cubes with numeric coefficients.

namespace camber::codegen::internal {

/// literal ^ exponent, exponent >= 1. Roots and reciprocals are literals of their own.
struct Power {
  int literal = 0;
  int exponent = 0;
  friend bool operator==(const Power&, const Power&) = default;
};

/// Multiplications that x^exponent takes by repeated squaring.
int power_cost(int exponent);

/// All cubes, each once; a cube is identified by its number. Cube 0 is the empty product, 1.
class CubeTable {
 public:
  static constexpr int kOne = 0;

  CubeTable();
  /// Powers sorted by literal, each literal once.
  int intern(std::span<const Power> powers);
  int of_literal(int literal);
  int multiply(int a, int b);
  /// The largest cube that divides both, and the two quotients.
  struct Division {
    int common, rest_a, rest_b;
  };
  Division divide(int a, int b);

  /// Valid until the next cube is made.
  std::span<const Power> powers(int cube) const {
    return {pool_.data() + first_[cube], pool_.data() + first_[cube + 1]};
  }
  int size() const { return static_cast<int>(first_.size()) - 1; }
  /// Multiplications that computing the cube takes.
  int cost(int cube) const { return cost_[cube]; }

 private:
  bool is_slot_of(int slot_cube, std::span<const Power> powers) const;
  void grow();

  std::vector<Power> pool_;
  std::vector<int> first_;  // of each cube in pool_, and the end
  std::vector<int> cost_;
  std::vector<std::uint64_t> hash_;
  std::vector<int> slots_;  // open addressing: cube + 1, or 0
  std::vector<Power> scratch_[3];
};

/// Numbers, each once, so that terms carry an int.
class NumberTable {
 public:
  static constexpr int kOne = 0;
  static constexpr int kMinusOne = 1;

  NumberTable();
  int intern(const Number& value);
  const Number& operator[](int id) const { return values_[id]; }
  int negate(int id);
  int magnitude(int id) { return values_[id].sign() < 0 ? negate(id) : id; }
  /// a / b; -1 when that is out of range or an exact number too long to be worth it.
  int divide(int a, int b);
  int multiply(int a, int b);
  static bool is_unit(int id) { return id <= kMinusOne; }

 private:
  std::vector<Number> values_;
  std::unordered_multimap<std::uint64_t, int> ids_;
};

/// coefficient * cube; a term whose cube is CubeTable::kOne is the constant of its form.
struct Term {
  int cube = 0;
  int coefficient = 0;  // in NumberTable
};

struct Form {
  std::vector<Term> terms;  // no cube twice
};

/// How a literal is computed from forms.
struct Literal {
  enum class Kind : std::uint8_t {
    kInput,       // index: flat place in the inputs
    kForm,        // the value of the form arguments[0]
    kReciprocal,  // 1 / form
    kOperation,   // op of the forms
    kCall,        // index: in calls
    kTruth,       // op: kTrue or kFalse
  };
  Kind kind = Kind::kForm;
  Op op = Op::kConstant;
  int index = -1;
  std::vector<int> arguments = {};  // forms
};

struct NetworkCall {
  const symbolic::UserFunction* function = nullptr;
  std::vector<int> orders;
};

struct Network {
  CubeTable cubes;
  NumberTable numbers;
  std::vector<Form> forms;
  std::vector<Literal> literals;
  std::vector<NetworkCall> calls;
  std::vector<int> roots;          // forms: the outputs, then the guards
  std::vector<std::string> names;  // of literals; most are empty
  int add_literal(Literal literal);
  int add_form(Form form);
};

/// visit(form, &needed) once for each form that the roots need, which adds those that it needs
/// itself. Returns these forms.
template <class Visit>
std::vector<bool> for_each_needed_form(const Network& network, const Visit& visit) {
  std::vector<bool> seen(network.forms.size(), false);
  std::vector<int> needed(network.roots);
  while (!needed.empty()) {
    const int form = needed.back();
    needed.pop_back();
    if (!seen[form]) {
      seen[form] = true;
      visit(form, &needed);
    }
  }
  return seen;
}

/// `flat_input` gives the place of each leaf among the inputs.
Network make_network(std::span<const Expr> roots, const std::unordered_map<Expr, int>& flat_input);

/// Breaks ties between equal gains in greedy sharing. Order 0 takes the one found first; the other
/// orders are arbitrary but reproducible.
struct TieOrder {
  std::uint32_t number = 0;
  std::uint32_t rank(int found) const;  // the smallest goes first
};

/// Factors forms and lets them share partial sums; see share_sums.cc.
void share_sums(Network* network, TieOrder order = {});
/// Merges a sum that only one other sum uses into that one, where terms may cancel. Returns whether
/// any was merged; see flatten_sums.cc.
bool flatten_sums(Network* network);
/// Lets cubes share partial products; see share_products.cc.
void share_products(Network* network, TieOrder order = {});

}  // namespace camber::codegen::internal
