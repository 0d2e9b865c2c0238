#include "camber/codegen/program.h"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "camber/codegen/interpreter.h"
#include "camber/codegen/write.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/test/random_expr.h"

namespace camber::codegen {
namespace {

using symbolic::OperationCount;
using symbolic::symbol;
using symbolic::variable;
using symbolic::test::RandomExpr;

struct ProgramTest : testing::Test {
  const Expr a = symbol("a");
  const Expr b = symbol("b");
  const Expr c = symbol("c");
  const Expr d = symbol("d");
  const Expr x = symbol("x");
  const Expr y = symbol("y");
  const Expr z = symbol("z");
};
struct ProgramCount : ProgramTest {};
struct ProgramBuilderTest : ProgramTest {};

Program program_of(std::vector<Expr> values, bool optimize = true) {
  return ProgramBuilder("p")
      .add_output("out", values)
      .add_remaining_inputs("in")
      .build({.optimize = optimize});
}

OperationCount count_of(std::vector<Expr> values) { return program_of(std::move(values)).count(); }

OperationCount operations(std::uint64_t additions, std::uint64_t multiplications,
                          std::uint64_t divisions = 0, std::uint64_t functions = 0) {
  return {additions, multiplications, divisions, functions};
}

int instructions(const Program& program, Op op) {
  return static_cast<int>(std::count_if(program.code().begin(), program.code().end(),
                                        [op](const Instruction& i) { return i.op == op; }));
}

// The counts below are those of the shortest program, found by hand.

TEST_F(ProgramCount, SharesPartialSums) {
  EXPECT_EQ(count_of({a + b, a + b + c, a + b + c + d}), operations(3, 0));
  EXPECT_EQ(count_of({a + b, c - a - b}), operations(2, 0));
  EXPECT_EQ(count_of({a - b, x * (b - a) + c}), operations(2, 1));
}

TEST_F(ProgramCount, SharesSumsUpToAFactor) {
  EXPECT_EQ(count_of({a + b, 2 * a + 2 * b + c}), operations(2, 1));
  EXPECT_EQ(count_of({x * a + x * b, y * a + y * b, a + b}), operations(1, 2));
  EXPECT_EQ(count_of({3 * a + 2 * b + c, 3 * a + 2 * b + d}), operations(3, 2));
}

TEST_F(ProgramCount, FactorsSums) {
  EXPECT_EQ(count_of({c * x + c * y}), operations(1, 1));
  EXPECT_EQ(count_of({c * x + c * y + c * z}), operations(2, 1));
  EXPECT_EQ(count_of({a * c + a * d + b * c + b * d}), operations(2, 1));
  EXPECT_EQ(count_of({x * x + 3 * x * y}), operations(1, 2));
}

TEST_F(ProgramCount, CancelsWhatFactoringBringsTogether) {
  EXPECT_EQ(count_of({x * (a + b) - x * (b + c)}), operations(1, 1));
}

TEST_F(ProgramCount, SharesPartialProducts) {
  EXPECT_EQ(count_of({x * y, x * y * z, x * y * z * a}), operations(0, 3));
  EXPECT_EQ(count_of({x * y, x * x * y}), operations(0, 2));
  EXPECT_EQ(count_of({x * x * y * y}), operations(0, 2));
}

TEST_F(ProgramCount, BuildsPowersBySquares) {
  EXPECT_EQ(count_of({pow(x, 8)}), operations(0, 3));
  EXPECT_EQ(count_of({pow(x, 2), pow(x, 4), pow(x, 6)}), operations(0, 3));
  EXPECT_EQ(count_of({pow(x, 64)}), operations(0, 6));
  EXPECT_EQ(count_of({pow(x, 65)}), operations(0, 0, 0, 1));
}

TEST_F(ProgramCount, TakesHalvesOfPowersThroughTheSquareRoot) {
  EXPECT_EQ(count_of({sqrt(x), pow(x, Number(3, 2))}), operations(0, 1, 0, 1));
  EXPECT_EQ(count_of({pow(x, Number(-3, 2))}), operations(0, 1, 1, 1));
  EXPECT_EQ(count_of({pow(x, Number(1, 3))}), operations(0, 0, 0, 1));
}

TEST_F(ProgramCount, DividesOnceByACommonDenominator) {
  EXPECT_EQ(count_of({a / x}), operations(0, 0, 1));
  EXPECT_EQ(count_of({a / (x * y)}), operations(0, 1, 1));
  EXPECT_EQ(count_of({a / x, b / x, c / x}), operations(0, 3, 1));
  EXPECT_EQ(count_of({2 / x}), operations(0, 0, 1));
  EXPECT_EQ(count_of({Expr(-3) / (x + y) + a}), operations(2, 0, 1));
}

TEST_F(ProgramCount, AddsTermsOfOneCoefficientFirst) {
  EXPECT_EQ(count_of({a / 3 + b / 3 - c / 3 + d}), operations(3, 1));
}

TEST_F(ProgramCount, FoldsNumbers) {
  EXPECT_EQ(count_of({3 * sqrt(Expr(2)) * x}), operations(0, 1));
  EXPECT_EQ(count_of({sqrt(Expr(2)), Number(2, 3), Expr(0)}), operations(0, 0));
  EXPECT_EQ(count_of({exp(Expr(1)) * 2 * x + atan2(Expr(1), Expr(2))}), operations(1, 1));
}

TEST_F(ProgramCount, LeavesSignsToSubtractions) {
  for (const Expr& value :
       {b - a, -a - b, 3 - a, -3 - a - b, c * (a - b), -2 * a - 2 * b, -2 / x}) {
    EXPECT_LE(instructions(program_of({value}), Op::kNeg), value == -a - b ? 1 : 0)
        << value.to_string();
  }
}

TEST_F(ProgramTest, ComputesSineAndCosineOfOneAngleTogether) {
  const Program program = program_of({sin(x * y), cos(x * y), sin(a), cos(b), sin(x * y) * cos(a)});
  EXPECT_EQ(instructions(program, Op::kSinCos), 2);
  EXPECT_EQ(instructions(program, Op::kSin), 0);
  EXPECT_EQ(instructions(program, Op::kCos), 1);
  for (std::size_t i = 0; i < program.code().size(); ++i) {
    if (program.code()[i].op == Op::kCosOfPair) {
      EXPECT_EQ(program.code()[i].a, static_cast<int>(i) - 1);
      EXPECT_EQ(program.code()[i - 1].op, Op::kSinCos);
    }
  }
}

// Every value is needed by a later one, an output or a guard, and comes after its operands.
TEST_F(ProgramTest, HasNoDeadCodeAndComputesOperandsFirst) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 5});
    const Program program = program_of({random(), random(), random()});
    std::vector<bool> is_used(program.code().size(), false);
    for (const Output& output : program.outputs()) {
      for (const int value : output.values) {
        is_used[value] = true;
      }
    }
    for (int i = static_cast<int>(program.code().size()) - 1; i >= 0; --i) {
      const Instruction& in = program.code()[i];
      const bool is_pair = in.op == Op::kSinCos;
      EXPECT_TRUE(is_used[i] || is_pair) << "instruction " << i;
      for (const int operand : {in.a, in.b, in.c}) {
        if (operand >= 0) {
          EXPECT_LT(operand, i);
          is_used[operand] = true;
        }
      }
    }
  }
}

// Three quotients by one denominator become a division and three multiplications: more operations,
// but a division takes as long as several of them. Hence divisions count twice against the
// expressions' own count.
TEST_F(ProgramTest, NeverTakesMoreOperationsThanPlainSharing) {
  const auto weight = [](const OperationCount& count) { return count.total() + count.divisions; };
  std::uint64_t plain = 0;
  std::uint64_t optimized = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 5});
    const std::vector<Expr> values = {random(), random(), random()};
    const std::uint64_t before = program_of(values, false).count().total();
    const std::uint64_t after = program_of(values).count().total();
    EXPECT_LE(after, before);
    EXPECT_LE(weight(program_of(values).count()),
              weight(symbolic::count_shared_operations(values)));
    plain += before;
    optimized += after;
  }
  EXPECT_LT(optimized, plain);
}

TEST_F(ProgramTest, IsNeverLongerAfterMoreTrials) {
  std::uint64_t one = 0;
  std::uint64_t several = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 6});
    ProgramBuilder builder("p");
    builder.add_output("out", {random(), random(), random()}).add_remaining_inputs("in");
    const std::uint64_t first = builder.build().count().total();
    const std::uint64_t best = builder.build({.trials = 6}).count().total();
    EXPECT_LE(best, first);
    EXPECT_EQ(builder.build({.trials = 6}).count().total(), best);
    one += first;
    several += best;
  }
  EXPECT_LT(several, one) << "no order among equal gains made a difference";
  EXPECT_THROW(
      ProgramBuilder("p").add_output("y", x + y).add_remaining_inputs().build({.trials = 0}),
      std::invalid_argument);
}

/// The most operations that wait for each other.
int longest_chain(const Program& program) {
  std::vector<int> length;
  for (const Instruction& i : program.code()) {
    int before = 0;
    for (const int operand : {i.a, i.b, i.c}) {
      before = operand >= 0 ? std::max(before, length[operand]) : before;
    }
    length.push_back(before + (is_free(i.op) ? 0 : 1));
  }
  return *std::max_element(length.begin(), length.end());
}

TEST_F(ProgramTest, JoinsFirstWhatIsReadyFirst) {
  EXPECT_EQ(longest_chain(program_of({a + b + c + d + x + y + z + symbol("w")})), 3);
  EXPECT_EQ(longest_chain(program_of({a * b * c * d * x * y * z * symbol("w")})), 3);
  EXPECT_EQ(longest_chain(program_of({a - b - c + d - x - y - z + symbol("w")})), 3);
  // The exponential comes last: only one addition follows it.
  EXPECT_EQ(longest_chain(program_of({exp(a * b) + a + b - c - d})), 3);
  EXPECT_EQ(longest_chain(program_of({exp(a * b) * c * d * x * y})), 3);
}

TEST_F(ProgramTest, PutsSinesOfReadyAnglesInOneRow) {
  const Program program =
      program_of({sin(x) * a + cos(y + z), cos(x) * sin(sin(x) + b), sin(2 * z)});
  std::vector<Op> ops;
  for (const Instruction& i : program.code()) ops.push_back(i.op);
  const auto is_sine = [](Op op) {
    return op == Op::kSinCos || op == Op::kCosOfPair || op == Op::kSin || op == Op::kCos;
  };
  const auto first = std::find_if(ops.begin(), ops.end(), is_sine);
  EXPECT_EQ(std::find_if_not(first, ops.end(), is_sine) - first, 4);  // x twice, y + z, 2 z
}

TEST_F(ProgramTest, IsTheSameInEveryThread) {
  RandomExpr random(9, {.depth = 6});
  const std::vector<Expr> values = {random(), random(), random(), random()};
  const std::string first = write_source(program_of(values), Language::kC99);
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  threads.reserve(texts.size());
  for (std::string& text : texts) {
    threads.emplace_back([&] { text = write_source(program_of(values), Language::kC99); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::string& text : texts) {
    EXPECT_EQ(text, first);
  }
}

// Nodes that were made earlier in the process, in another order, change addresses but not the
// program. The names are new in each round, of the same length, so that only what depends on
// addresses could differ.
TEST_F(ProgramTest, DoesNotDependOnWhatWasBuiltBefore) {
  const auto make = [](const std::string& suffix, bool noise) {
    const Expr p = symbol("p" + suffix);
    const Expr q = symbol("q" + suffix);
    const Expr r = symbol("r" + suffix);
    if (noise) {
      for (int i = 0; i < 50; ++i) {
        (void)(sin(q * i + r) * (p + i));
      }
    }
    std::string text = write_source(
        program_of({sin(p) * q + sin(p) * r, (q + r) * cos(p) + p * q * r, p * q / (q + r)}),
        Language::kC99);
    for (std::size_t at; (at = text.find(suffix)) != std::string::npos;) {
      text.erase(at, suffix.size());
    }
    return text;
  };
  EXPECT_EQ(make("_aa", false), make("_bb", true));
}

TEST_F(ProgramTest, KeepsFewValuesAlive) {
  // A balanced tree over 64 inputs needs log2(64) + 1 values at once when each half is finished
  // first.
  std::vector<Expr> level;
  level.reserve(64);
  for (int i = 0; i < 64; ++i) {
    level.push_back(symbol("leaf" + std::to_string(i)));
  }
  while (level.size() > 1) {
    std::vector<Expr> next;
    for (std::size_t i = 0; i < level.size(); i += 2) {
      next.push_back(exp(level[i] - 2 * level[i + 1]));
    }
    level = next;
  }
  EXPECT_LE(program_of(level).max_live(), 7);
}

TEST_F(ProgramTest, SurvivesDeepExpressions) {
  Expr deep = x;
  for (int i = 0; i < 50'000; ++i) {
    deep = i % 3 == 0 ? sin(deep) : deep * y + a;
  }
  const Program program = program_of({deep});
  EXPECT_GT(program.count().total(), 50'000u);
  EXPECT_LE(program.max_live(), 3);
  std::vector<double> inputs = {0.3, 0.4, 0.5};
  double result = 0;
  EXPECT_EQ(Interpreter<double>(program).run(inputs, {&result, 1}), 0);
  EXPECT_TRUE(result > -2 && result < 2) << result;
}

TEST_F(ProgramTest, SharesInLongSumsWithoutQuadraticWork) {
  std::vector<Expr> terms;
  terms.reserve(20'000);
  for (int i = 0; i < 20'000; ++i) {
    terms.push_back(symbol("u" + std::to_string(i)) * symbol("w" + std::to_string(i % 100)));
  }
  const Program program = program_of({symbolic::sum(terms), symbolic::sum(terms) * x});
  EXPECT_LE(program.count().total(), 40'000u);
}

TEST_F(ProgramBuilderTest, TellsWhatIsWrong) {
  const auto message = [](const auto& f) {
    try {
      f();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto expect = [&](const auto& f, const char* part) {
    EXPECT_NE(message(f).find(part), std::string::npos) << message(f);
  };
  expect([&] { ProgramBuilder("3d"); }, "\"3d\" must be a letter");
  expect([&] { ProgramBuilder("p").add_output("y", a + sin(b) + variable("q", 2)).build(); },
         "not declared as inputs: a, b, q''");
  expect([&] { ProgramBuilder("p").add_input(a + b); }, "a + b is not a symbol or variable");
  expect([&] { ProgramBuilder("p").add_input(a).add_input("v", {b, a}); }, "a is an input already");
  expect([&] { ProgramBuilder("p").add_input("v", {b}).add_output("v", b); },
         "\"v\" is the name of another argument");
  expect(
      [&] {
        ProgramBuilder("p").add_output("M", 2, 2, std::vector<Expr>{a, b, c});
      },
      "M has 3 entries, needs 2 x 2");
  expect([&] { ProgramBuilder("p").add_output("v", std::vector<Expr>{}); }, "has no entries");
  expect([&] { ProgramBuilder("p").add_output("v", (a < b).expr()); }, "is a condition");
}

TEST_F(ProgramBuilderTest, OrdersRemainingInputsCanonically) {
  const Program program = ProgramBuilder("p")
                              .add_input(c)
                              .add_output("y", {c + variable("q", 1) * b, a - c})
                              .add_remaining_inputs()
                              .build();
  std::vector<std::string> names;
  for (const Input& input : program.inputs()) {
    names.push_back(input.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"c", "a", "b", "q'"}));
}

}  // namespace
}  // namespace camber::codegen
