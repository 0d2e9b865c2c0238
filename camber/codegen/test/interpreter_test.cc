#include "camber/codegen/interpreter.h"

#include <cmath>

#include <gtest/gtest.h>

#include "camber/core/test/allocation_count.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/test/random_expr.h"
#include "camber/symbolic/user_function.h"

namespace camber::codegen {
namespace {

using symbolic::symbol;
using symbolic::test::RandomExpr;

std::vector<double> flat_inputs(const Program& program, const symbolic::Bindings& bindings) {
  std::vector<double> values;
  for (const Input& input : program.inputs()) {
    for (const Expr& leaf : input.leaves) {
      values.push_back(bindings.at(leaf));
    }
  }
  return values;
}

// evaluate() walks the expressions and shares no code with the program but the meaning of the
// functions. The program adds in another order, so a result that is a small difference of large
// terms may differ by more than its own rounding: hence the floor at the size of what was added.
TEST(Interpreter, AgreesWithEvaluateOnRandomExpressions) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 5});
    const std::vector<Expr> values = {random(), random(), random(), random()};
    const symbolic::Bindings point = random.point();
    std::vector<double> expected;
    try {
      expected = symbolic::evaluate(values, point);
    } catch (const symbolic::EvaluationError&) {
      continue;  // no value there
    }
    for (const bool optimize : {false, true}) {
      const Program program = ProgramBuilder("random")
                                  .add_output("y", values)
                                  .add_remaining_inputs("x")
                                  .build({.optimize = optimize});
      std::vector<double> actual(values.size());
      Interpreter<double> interpreter(program);
      EXPECT_EQ(interpreter.run(flat_inputs(program, point), actual), 0);
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(actual[i], expected[i], 1e-11 * (1 + std::abs(expected[i])))
            << values[i].to_string();
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Interpreter, AllocatesNothingPerRun) {
  RandomExpr random(17, {.depth = 5});
  const auto& code = symbolic::register_code(
      "interpreter.code", 1, 0,
      [](std::span<const double> x, std::span<const int>) { return 1.5 * x[0]; });
  const std::vector<Expr> values = {random(), random(), code(random.leaf())};
  const Program program =
      ProgramBuilder("random").add_output("y", values).add_remaining_inputs("x").build();
  Interpreter<double> interpreter(program);
  const std::vector<double> inputs = flat_inputs(program, random.point());
  std::vector<double> outputs(values.size());
  const long before = allocation_count();
  for (int i = 0; i < 100; ++i) {
    interpreter.run(inputs, outputs);
  }
  EXPECT_EQ(allocation_count() - before, 0);
}

TEST(Interpreter, CanRunAgainWithOtherInputs) {
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  const Program program =
      ProgramBuilder("again").add_input("in", {x, y}).add_output("z", x * y + sin(x) * 3).build();
  Interpreter<double> interpreter(program);
  for (const auto& [a, b] : {std::pair(0.3, 1.7), std::pair(-2.1, 0.4), std::pair(0.3, 1.7)}) {
    double z = 0;
    interpreter.run(std::vector<double>{a, b}, {&z, 1});
    EXPECT_NEAR(z, a * b + std::sin(a) * 3, 1e-15);
  }
}

TEST(Interpreter, GivesNoValueForANumberBeyondDouble) {
  const Expr x = symbolic::symbol("x");
  const Expr huge = pow(Expr(10), 400);
  const Program program =
      ProgramBuilder("beyond")
          .add_input(x)
          .add_output("y", {x / huge, x * huge, atan(huge) + x, select(x < Expr(3), x, huge)})
          .build();
  std::vector<double> y(4);
  Interpreter<double>(program).run(std::vector{2.0}, y);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(y[i])) << "output " << i << " is " << y[i];
  EXPECT_EQ(y[3], 2);
}

TEST(Interpreter, RefusesWrongSizes) {
  const Expr x = symbol("x");
  const Program program = ProgramBuilder("sizes").add_input(x).add_output("y", x + 1).build();
  Interpreter<double> interpreter(program);
  std::vector<double> two(2);
  std::vector<double> one(1);
  EXPECT_THROW(interpreter.run(two, one), std::invalid_argument);
  EXPECT_THROW(interpreter.run(one, two), std::invalid_argument);
}

}  // namespace
}  // namespace camber::codegen
