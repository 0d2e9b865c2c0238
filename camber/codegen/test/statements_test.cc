#include "camber/codegen/statements.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "camber/codegen/draft.h"
#include "camber/codegen/interpreter.h"
#include "camber/core/random.h"
#include "camber/symbolic/test/random_expr.h"

namespace camber::codegen::internal {
namespace {

using symbolic::symbol;
using symbolic::test::RandomExpr;

Program program_of(const std::vector<Expr>& values) {
  return ProgramBuilder("ordered").add_output("y", values).add_remaining_inputs("x").build();
}

Program random_program(std::uint64_t seed, int outputs) {
  RandomExpr random(seed);
  std::vector<Expr> values;
  values.reserve(outputs);
  for (int i = 0; i < outputs; ++i) values.push_back(random());
  return program_of(values);
}

std::vector<Op> sorted_ops(const Program& program) {
  std::vector<Op> ops;
  for (const Instruction& in : program.code()) ops.push_back(in.op);
  std::sort(ops.begin(), ops.end());
  return ops;
}

void expect_operands_first(const Program& program) {
  for (int i = 0; i < static_cast<int>(program.code().size()); ++i) {
    for_each_operand(program.code()[i], program.calls(),
                     [&](int operand) { EXPECT_LT(operand, i); });
    EXPECT_TRUE(program.code()[i].op != Op::kCosOfPair || program.code()[i].a == i - 1);
  }
}

// Bit by bit, as NaN is a value here and as another order of statements rounds nothing differently.
void expect_same_bits(const Program& a, const Program& b, std::uint64_t seed) {
  Interpreter<double> run_a(a);
  Interpreter<double> run_b(b);
  RandomStream random(seed);
  for (int point = 0; point < 10; ++point) {
    std::vector<double> inputs(a.input_size());
    for (double& x : inputs) x = random.uniform(-1.7, 1.7);
    std::vector<double> of_a(a.output_size());
    std::vector<double> of_b(b.output_size());
    EXPECT_EQ(run_a.run(inputs, of_a), run_b.run(inputs, of_b));
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(of_a[i]), std::bit_cast<std::uint64_t>(of_b[i]));
    }
  }
}

// The last ones are longer than what changes places at a time.
TEST(Statements, ComputeTheSameInTheirNewOrder) {
  for (const int outputs : {1, 5, 40, 200}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(testing::Message() << outputs << " outputs, seed " << seed);
      const Program program = random_program(seed, outputs);
      const Program ordered = order_statements(program).program;
      expect_operands_first(ordered);
      EXPECT_EQ(sorted_ops(ordered), sorted_ops(program));
      expect_same_bits(program, ordered, seed);
    }
  }
}

TEST(Statements, KeepGuardsAndNames) {
  const Expr a = symbol("a");
  const Expr b = symbol("b");
  const Program program = ProgramBuilder("guarded")
                              .add_input("x", {a, b})
                              .add_output("y", {exp(a) * b, a / (b - 2)})
                              .add_guard(b - 2, "denominator", Guard::kNonzero)
                              .add_guard(a * b, "product", Guard::kPositive)
                              .build();
  const Program ordered = order_statements(program).program;
  expect_same_bits(program, ordered, 3);
  for (int g = 0; g < 2; ++g) {
    EXPECT_EQ(ordered.value_name(ordered.guards()[g].value), g == 0 ? "denominator" : "product");
  }
}

/// The value whose statement a value is part of.
int statement_of(int value, const std::vector<bool>& inlined, const std::vector<int>& user) {
  while (inlined[value]) value = user[value];
  return value;
}

// Nothing comes between the parts of an expression, nor between those of a row of sines.
TEST(Statements, StandTogether) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto [ordered, inlined] = order_statements(random_program(seed, 40));
    const auto code = ordered.code();
    const std::vector<int> user = last_uses(code, ordered.calls());
    int parts = 0;
    for (int i = 0; i < static_cast<int>(code.size()); ++i) {
      const int end = statement_of(i, inlined, user);
      for (int j = i; j < end; ++j) {
        EXPECT_TRUE(inlined[j] || is_sine_or_cosine(code[j].op));
        ++parts;
      }
    }
    EXPECT_GT(parts, 40);
  }
}

// Four chains of exponentials, written one after the other, wait for themselves; side by side they
// take a quarter of the time. The order has to take the first link of each before any second.
TEST(Statements, TakeUpIndependentChainsSideBySide) {
  std::vector<Expr> values;
  for (const char* chain : {"a", "b", "c", "d"}) {
    Expr e = symbol(chain);
    for (int link = 0; link < 5; ++link) e = exp(e) + sqrt(e);
    values.push_back(e);
  }
  const Program ordered = order_statements(program_of(values)).program;
  std::set<int> first_links;
  int exponentials = 0;
  for (const Instruction& in : ordered.code()) {
    if (in.op == Op::kExp && exponentials++ < 4) {
      EXPECT_EQ(ordered.code()[in.a].op, Op::kInput);
      first_links.insert(in.a);
    }
  }
  EXPECT_EQ(first_links.size(), 4U);
}

// Both can be done at once, but the product is what everything else waits for.
TEST(Statements, TakeTheLongestChainFirst) {
  const Expr a = symbol("a");
  const Expr b = symbol("b");
  const Program program = program_of({a + b, exp(a * b) * log(a * b)});
  const auto first = [](const Program& p) {
    const auto code = p.code();
    return std::find_if_not(code.begin(), code.end(), [](auto& in) { return is_free(in.op); })->op;
  };
  EXPECT_EQ(first(program), Op::kAdd);
  EXPECT_EQ(first(order_statements(program).program), Op::kMul);
}

TEST(Statements, LeaveRowsOfSinesTogether) {
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  const Expr z = symbol("z");
  const auto [ordered, inlined] = order_statements(program_of(
      {sin(x) * y + cos(y + z) * z, cos(x) * sin(sin(x) + z), sin(2 * z) - x, exp(x * y)}));
  const auto code = ordered.code();
  const auto is_sine = [](const Instruction& in) { return is_sine_or_cosine(in.op); };
  const auto first = std::find_if(code.begin(), code.end(), is_sine);
  EXPECT_EQ(std::find_if_not(first, code.end(), is_sine) - first, 4);  // x twice, y + z, 2 z
  for (auto sine = first; sine < first + 4; ++sine) EXPECT_FALSE(inlined[sine - code.begin()]);
}

TEST(Statements, OfAProgramAreReorderedOnlyBehindTheirOperands) {
  const Program program = program_of({exp(symbol("x")) + 1});
  std::vector<int> order(program.code().size());
  std::iota(order.begin(), order.end(), 0);
  EXPECT_NO_THROW(program.reordered(order));
  std::reverse(order.begin(), order.end());
  EXPECT_THROW(program.reordered(order), std::invalid_argument);
  std::fill(order.begin(), order.end(), 0);
  EXPECT_THROW(program.reordered(order), std::invalid_argument);
  order.pop_back();
  EXPECT_THROW(program.reordered(order), std::invalid_argument);
}

}  // namespace
}  // namespace camber::codegen::internal
