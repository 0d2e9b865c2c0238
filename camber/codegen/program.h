#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "camber/symbolic/count.h"
#include "camber/symbolic/expr.h"

namespace camber::codegen {

using symbolic::Expr;
using symbolic::Number;

/// The operation of an instruction on its operands a, b, c.
enum class Op : std::uint8_t {
  kConstant,  // a number of constants()
  kInput,     // an entry of the inputs
  kAdd,
  kSub,
  kMul,
  kDiv,
  kNeg,
  kSqrt,
  kPow,
  kExp,
  kLog,
  kSin,
  kCos,
  kSinCos,     // sin(a); the next instruction is kCosOfPair
  kCosOfPair,  // cos of the angle of the kSinCos before it, which is operand a
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kAbs,
  kSign,
  kAtan2,
  kMin,
  kMax,
  kSelect,  // a ? b : c
  kCall,    // a user function, see Program::calls()
  // conditions
  kTrue,
  kFalse,
  kLess,
  kLessEqual,
  kEqual,
  kNot,
  kAnd,
  kOr,
};

inline bool is_sine_or_cosine(Op op) { return op >= Op::kSin && op <= Op::kCosOfPair; }
inline bool is_condition(Op op) { return op >= Op::kTrue; }
/// Constants and inputs cost nothing and may be used anywhere.
inline bool is_free(Op op) { return op <= Op::kInput || op == Op::kTrue || op == Op::kFalse; }

/// One value of the program; its number is its place in Program::code(), operands come before it.
struct Instruction {
  Op op = Op::kConstant;
  int a = -1;
  int b = -1;
  int c = -1;
  int index = -1;  // kConstant: in constants(); kInput: flat place in the inputs; kCall: in calls()
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// The user function of a kCall instruction, with the values it gets.
struct CallSite {
  const symbolic::UserFunction* function = nullptr;
  std::vector<int> orders;  // partial derivative by argument, all zero for the function itself
  std::vector<int> arguments;
};

/// One argument of the generated function: a single leaf, or an array of leaves under one name.
struct Input {
  std::string name;
  std::vector<Expr> leaves;
  bool is_array = false;
  int first = 0;  // flat place of the first leaf
};

/// One result. Matrices are stored column by column in every language, as Fortran and Eigen do, so
/// that the C, C++ and Fortran forms of a program are interchangeable: M(i, j) is entry i + rows *
/// j.
struct Output {
  enum class Shape : std::uint8_t { kScalar, kVector, kMatrix };
  std::string name;
  Shape shape = Shape::kScalar;
  int rows = 1;
  int cols = 1;
  int first = 0;            // flat place of the first entry
  std::vector<int> values;  // the value of each entry
};

/// The condition that a value must meet at run time.
enum class Guard : std::uint8_t {
  kNonzero,   // neither 0 nor NaN
  kPositive,  // > 0
};

struct GuardedValue {
  std::string name;
  Guard kind = Guard::kNonzero;
  int value = -1;
};

/// Straight-line code: every value is computed once, from values before it, without loops or
/// branches. Made by ProgramBuilder, constant from then on. Equal recipes give equal programs in
/// every run, on every machine.
///
/// A run returns 0, or the number k >= 1 of the first of guards() that failed (guards()[k - 1]).
/// All outputs are computed even then, with Inf or NaN where a pivot vanished: with SIMD lanes, one
/// bad lane must not spoil the others.
class Program {
 public:
  const std::string& name() const { return name_; }
  /// The recipe of the program, for the header of the written code.
  const std::string& recipe() const { return recipe_; }
  std::span<const Input> inputs() const { return inputs_; }
  std::span<const Output> outputs() const { return outputs_; }
  std::span<const GuardedValue> guards() const { return guards_; }
  int input_size() const { return input_size_; }    // scalars in all inputs
  int output_size() const { return output_size_; }  // scalars in all outputs

  std::span<const Instruction> code() const { return code_; }
  std::span<const Number> constants() const { return constants_; }
  std::span<const CallSite> calls() const { return calls_; }
  /// The name of the leaf, quantity or output that a value stands for; empty for most values.
  const std::string& value_name(int value) const { return value_names_[value]; }

  /// Operations of one run, counted as symbolic/count.h does: a - b is an addition, -a is free, sin
  /// and cos of one angle are two functions.
  symbolic::OperationCount count() const;
  /// Max number of computed values (without inputs and constants) that are alive (needed later) at
  /// any one point.
  int max_live() const;

  /// The same program with its instructions in another order, which must list each of them once,
  /// after its operands. Values keep their meaning and get new numbers.
  Program reordered(std::span<const int> order) const;

 private:
  friend class ProgramBuilder;
  std::string name_;
  std::string recipe_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<GuardedValue> guards_;
  std::vector<Instruction> code_;
  std::vector<Number> constants_;
  std::vector<CallSite> calls_;
  std::vector<std::string> value_names_;
  int input_size_ = 0;
  int output_size_ = 0;
};

struct BuildOptions {
  /// Share partial sums and products and factor sums. If false, only equal sub-expressions are
  /// shared.
  bool optimize = true;
  /// Number of tie-breaking orders to try. Sharing is greedy and many of its choices have equal
  /// gains; the shortest program is kept. This saves a few percent of the operations, at `trials`
  /// times the cost.
  int trials = 1;
};

/// Collects what a program computes, then builds it.
///   Program p = ProgramBuilder("pendulum").add_input("q", {q1, q2}).add_output("M", M).build();
/// Names are those of symbols (letter or '_', then letters, digits, '_', '.'); the writers make
/// them legal and unique in their language.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::string_view name);

  /// A single leaf (symbol or variable) under its own name.
  ProgramBuilder& add_input(const Expr& leaf);
  ProgramBuilder& add_input(std::string_view name, std::span<const Expr> leaves);
  ProgramBuilder& add_input(std::string_view name, std::initializer_list<Expr> leaves) {
    return add_input(name, std::span(leaves.begin(), leaves.size()));
  }
  /// Makes every leaf that occurs and is not an input yet an input, in canonical order: each under
  /// its own name, or all as one array.
  ProgramBuilder& add_remaining_inputs();
  ProgramBuilder& add_remaining_inputs(std::string_view array_name);

  ProgramBuilder& add_output(std::string_view name, const Expr& value);
  ProgramBuilder& add_output(std::string_view name, std::span<const Expr> values);
  ProgramBuilder& add_output(std::string_view name, std::initializer_list<Expr> values) {
    return add_output(name, std::span(values.begin(), values.size()));
  }
  /// Values column by column; rows * cols of them.
  ProgramBuilder& add_output(std::string_view name, int rows, int cols,
                             std::span<const Expr> values);
  /// Anything with rows(), cols() and (i, j), such as an Eigen matrix; one column is a vector.
  template <class Matrix>
  requires requires(const Matrix& m) { Expr(m(m.rows() - 1, m.cols() - 1)); }
  ProgramBuilder& add_output(std::string_view name, const Matrix& m) {
    std::vector<Expr> values;
    for (int j = 0; j < m.cols(); ++j) {
      for (int i = 0; i < m.rows(); ++i) {
        values.push_back(m(i, j));
      }
    }
    return m.cols() == 1
               ? add_output(name, std::span<const Expr>(values))
               : add_output(name, static_cast<int>(m.rows()), static_cast<int>(m.cols()), values);
  }

  /// A value that is checked in every run, such as a pivot; numbered from 1 in the order of the
  /// calls.
  ProgramBuilder& add_guard(const Expr& value, std::string_view name, Guard kind);

  /// One or several lines for the head of the written code: the source of the equations.
  ProgramBuilder& set_recipe(std::string_view recipe);

  /// Throws std::invalid_argument listing all leaves that occur but are not inputs.
  Program build(const BuildOptions& options = {}) const;

 private:
  struct Result {
    Output output;
    std::vector<Expr> values;
  };
  struct Check {
    GuardedValue guard;
    Expr value;
  };
  void check_new_argument(std::string_view name) const;
  std::vector<Expr> roots() const;

  std::string name_;
  std::string recipe_;
  std::vector<Input> inputs_;
  std::vector<Result> outputs_;
  std::vector<Check> guards_;
};

}  // namespace camber::codegen
