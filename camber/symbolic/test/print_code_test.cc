#include "camber/symbolic/print_code.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/require.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/test/random_expr.h"
#include "camber/symbolic/user_function.h"

namespace camber::symbolic {
namespace {

const Expr a = symbol("a"), b = symbol("b"), m = symbol("m"), x = symbol("x"), y = symbol("y");

TEST(PrintCode, ReadsAsAProgrammerWouldWrite) {
  struct Case {
    Expr e;
    std::string c;
    std::string fortran;
  };
  const std::vector<Case> cases = {
      {m * pow(variable("q", 1), 2) / 2, "m*q_dot*q_dot/2.0", "m*q_dot**2/2.0d0"},
      {pow(x, 7), "pow(x, 7.0)", "x**7"},
      {1 / pow(x, 2), "1.0/(x*x)", "1.0d0/x**2"},
      {pow(sin(x), 2), "pow(sin(x), 2.0)", "sin(x)**2"},
      {pow(x, Number(3, 2)), "pow(x, 3.0/2.0)", "x**(3.0d0/2.0d0)"},
      {pow(-x, a), "pow(-x, a)", "(-x)**a"},
      {sqrt(x + y), "sqrt(x + y)", "sqrt(x + y)"},
      {x + Number(1, 3), "x + 1.0/3.0", "x + 1.0d0/3.0d0"},
      {1.5e-7 * x - 2, "1.5e-07*x - 2.0", "1.5d-07*x - 2.0d0"},
      {abs(x) + min(x, y), "fabs(x) + fmin(x, y)", "abs(x) + min(x, y)"},
      {select(x < y && !equal(a, 2), a, -b), "(x < y && a != 2.0 ? a : -b)",
       "merge(a, -b, x < y .and. a /= 2.0d0)"},
      {select(x < y || (a < b && b < x), a, b), "(x < y || (a < b && b < x) ? a : b)",
       "merge(a, b, x < y .or. (a < b .and. b < x))"},
  };
  for (const Case& expected : cases) {
    EXPECT_EQ(to_code(expected.e, Language::kC99), expected.c) << expected.e;
    EXPECT_EQ(to_code(expected.e, Language::kFortran), expected.fortran) << expected.e;
  }
}

TEST(PrintCode, WritesATemplateOverTheScalarType) {
  const CodeSyntax syntax(Language::kCpp, "T");
  IdentifierTable names(Language::kCpp);
  EXPECT_EQ(to_code(select(x < 3, x / 2, Number(1, 3)), syntax, &names),
            "select(x < T(3.0), x/T(2.0), T(1.0/3.0))");
  EXPECT_EQ(to_code(pow(x, 9), syntax, &names), "pow(x, T(9.0))");
  EXPECT_THROW(CodeSyntax(Language::kC99, "T"), std::invalid_argument);
}

TEST(PrintCode, CallsUserFunctionsByTheirLinkNames) {
  const UserFunction& map = register_code(
      "pump.map", 2, 2, [](std::span<const double>, std::span<const int>) { return 0.5; });
  const Expr arguments[] = {x + y, a};
  const int orders[] = {1, 0};
  EXPECT_EQ(to_code(call(map, arguments, orders), Language::kC99), "pump_map_d10(x + y, a)");
}

TEST(CodeSyntax, FillsPatterns) {
  const std::string operands[] = {"t1", "t2"};
  EXPECT_EQ(CodeSyntax::fill(CodeSyntax(Language::kC99).pattern(Kind::kMax), operands),
            "fmax(t1, t2)");
  EXPECT_THROW(CodeSyntax::fill(CodeSyntax(Language::kC99).pattern(Kind::kSelect), operands),
               std::invalid_argument);
  EXPECT_THROW(CodeSyntax(Language::kC99).pattern(Kind::kSum), std::invalid_argument);
}

TEST(CodeSyntax, RefusesALiteralBeyondDouble) {
  const Expr huge = pow(Number::from_digits("99999999999999999999"), 40);
  ASSERT_TRUE(huge.is_number());
  EXPECT_THROW(CodeSyntax(Language::kC99).literal(huge.number()), std::invalid_argument);
  EXPECT_THROW(CodeSyntax(Language::kC99).literal(-1 / huge.number()), std::invalid_argument);
  try {
    to_code(symbol("x") * pow(Expr(10), 400), Language::kC99);
    FAIL() << "inf is not a literal";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "the number 100000000000... (401 digits) is outside the range of double, which "
                 "code in C99 computes with");
  }
  // A double stands for this one, though not for its parts.
  const Expr fraction = (pow(Expr(10), 400) + 1) / pow(Expr(10), 410);
  EXPECT_EQ(to_code(fraction, Language::kC99), "1.0e-10");
}

TEST(WrapStatement, BreaksBetweenTokens) {
  std::string statement = "result = x";
  for (int i = 1; i <= 200; ++i) statement += concat(" + 1.5d-", i, "*q_", i, "**2*sin(x)");
  const std::string wrapped = wrap_statement(statement, Language::kFortran, "    ", 80);
  std::istringstream lines(wrapped);
  std::string joined;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U);
    const bool last = lines.peek() == std::istringstream::traits_type::eof();
    EXPECT_EQ(line.ends_with(" &"), !last) << line;
    joined += last ? line : line.substr(0, line.size() - 2);
  }
  const auto without_spaces = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  EXPECT_EQ(without_spaces(joined), without_spaces(statement));
  EXPECT_EQ(wrapped.find("d-\n"), std::string::npos);
  EXPECT_EQ(wrapped.find("* &\n    *"), std::string::npos);
  EXPECT_EQ(wrap_statement("a = b", Language::kC99, "  ", 80), "a = b");
}

// Compilers and the evaluator: two ways to one value.

constexpr int kExpressions = 60;

std::vector<Expr> random_expressions() {
  std::vector<Expr> es;
  for (int seed = 0; seed < kExpressions; ++seed)
    es.push_back(test::RandomExpr(static_cast<std::uint64_t>(seed))());
  return es;
}

std::vector<Expr> leaves() { return test::RandomExpr(0).leaves(); }  // of all seeds

std::string declare_leaves(const Bindings& point, IdentifierTable* names, const CodeSyntax& syntax,
                           const char* type) {
  std::string text;
  for (const Expr& leaf : leaves()) {
    text += concat("  ", type, names->of(leaf), " = ", syntax.literal(point.at(leaf)),
                   names->language() == Language::kFortran ? "\n" : ";\n");
  }
  return text;
}

std::string c_program(const std::vector<Expr>& es, const Bindings& point, Language language) {
  const CodeSyntax syntax(language);
  IdentifierTable names(language);
  std::string text = language == Language::kC99
                         ? "#include <math.h>\n#include <stdio.h>\nint main(void) {\n"
                         : "#include <algorithm>\n#include <cmath>\n#include <cstdio>\nusing "
                           "namespace std;\nint main() {\n";
  text += declare_leaves(point, &names, syntax, "const double ");
  for (const Expr& e : es)
    text += concat("  printf(\"%.17g\\n\", (double)(", to_code(e, syntax, &names), "));\n");
  return text + "  return 0;\n}\n";
}

std::string fortran_program(const std::vector<Expr>& es, const Bindings& point) {
  const CodeSyntax syntax(Language::kFortran);
  IdentifierTable names(Language::kFortran);
  const std::string values = declare_leaves(point, &names, syntax, "");
  std::string text = "program test\n  implicit none\n";
  for (const Expr& leaf : leaves()) text += concat("  double precision :: ", names.of(leaf), "\n");
  text += values;
  for (const Expr& e : es) {
    text += wrap_statement(concat("  print '(es24.16e3)', ", to_code(e, syntax, &names)),
                           Language::kFortran, "    ") +
            "\n";
  }
  return text + "end program\n";
}

std::vector<double> compile_and_run(const std::string& source, const std::string& file,
                                    const std::string& compiler, const std::string& libraries) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                       concat("camber_print_code_", static_cast<int>(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / file) << source;
  const std::string at = folder.string() + "/";
  const std::string command = concat(compiler, " ", at, file, " -o ", at, "program", libraries,
                                     " && ", at, "program > ", at, "values");
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream in(folder / "values");
  std::vector<double> values;
  for (double value = 0; in >> value;) values.push_back(value);
  std::filesystem::remove_all(folder);
  return values;
}

class PrintCodeCompiled : public testing::TestWithParam<Language> {};

TEST_P(PrintCodeCompiled, GivesTheValuesOfTheEvaluator) {
  const Bindings point = test::RandomExpr(17).point();
  std::vector<Expr> es;
  std::vector<double> expected;
  for (const Expr& e : random_expressions()) {
    try {
      expected.push_back(evaluate(e, point));
      es.push_back(e);
    } catch (const EvaluationError&) {  // no value at this point: nothing to compare
    }
  }
  ASSERT_GT(es.size(), 40U);
  std::vector<double> values;
  switch (GetParam()) {
    case Language::kC99:
      values = compile_and_run(c_program(es, point, Language::kC99), "test.c",
                               "cc -std=c99 -pedantic -Wall -Wextra -Wno-unused-variable -Werror",
                               " -lm");
      break;
    case Language::kCpp:
      values = compile_and_run(
          c_program(es, point, Language::kCpp), "test.cc",
          "c++ -std=c++20 -pedantic -Wall -Wextra -Wno-unused-variable -Werror", "");
      break;
    case Language::kFortran:
      values = compile_and_run(fortran_program(es, point), "test.f90",
                               "gfortran -std=f2008 -pedantic -Wall -Werror", "");
      break;
  }
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], 1e-12 * std::max(1.0, std::abs(expected[i]))) << es[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Languages, PrintCodeCompiled,
                         testing::Values(Language::kC99, Language::kCpp, Language::kFortran),
                         [](const auto& language) {
                           return std::string(language.param == Language::kC99   ? "C99"
                                              : language.param == Language::kCpp ? "Cpp"
                                                                                 : "Fortran");
                         });

}  // namespace
}  // namespace camber::symbolic
