#include "camber/symbolic/latex.h"

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "camber/symbolic/test/wild_expr.h"

namespace camber::symbolic {
namespace {

const Expr a = symbol("a"), b = symbol("b"), m = symbol("m"), x = symbol("x"), y = symbol("y");
const Expr q = variable("q"), theta_dot = variable("theta1", 1);

TEST(Latex, KnowsHowNamesLook) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"x", "x"},
      {"theta", "\\theta"},
      {"theta1", "\\theta_{1}"},
      {"q_1", "q_{1}"},
      {"q1_2", "q_{1,2}"},
      {"omega_x", "\\omega_{x}"},
      {"F_alpha", "F_{\\alpha}"},
      {"Delta12", "\\Delta_{12}"},
      {"mass", "\\mathit{mass}"},
      {"F_front_left", "F_{\\mathrm{front},\\mathrm{left}}"},
      {"F_front.left", "F_{\\mathrm{front}.\\mathrm{left}}"},
      {"base.wx", "\\mathit{base}_{\\mathrm{wx}}"},
      {"x_", "x_{\\_}"},
      {"_x", "\\mathit{\\_x}"},
      {"_", "\\mathit{\\_}"},
  };
  for (const auto& [name, expected] : cases) EXPECT_EQ(latex_name(name), expected) << name;
  EXPECT_EQ(latex_name("q", 1), "\\dot{q}");
  EXPECT_EQ(latex_name("q1", 2), "\\ddot{q}_{1}");
  EXPECT_EQ(latex_name("theta", 3), "\\dddot{\\theta}");
  EXPECT_EQ(latex_name("q1", 4), "q_{1}^{(4)}");
}

TEST(Latex, NamesThatLookAlikeShowTheirSeparators) {
  EXPECT_EQ(to_latex(symbol("x_1")), "x_{1}");
  EXPECT_EQ(to_latex(symbol("x1") - symbol("x_1")), "x_{1} - x_{\\_1}");
  EXPECT_EQ(to_latex(variable("x_a", 1) - symbol("x.a")), "\\dot{x}_{\\_a} - x_{.a}");
}

TEST(Latex, NamesWithTheirSeparatorsLookDifferent) {
  std::map<std::string, std::string> name_of;  // by what it looks like
  std::vector<std::string> names = {"x", "xi", "_"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i];
    const auto [found, is_new] = name_of.emplace(latex_name(name, 0, FirstSeparator::kShown), name);
    EXPECT_TRUE(is_new) << name << " and " << found->second << " are " << found->first;
    if (name.size() == 7) continue;
    for (const char next : {'x', '1', '_', '.'}) names.push_back(name + next);
  }
  EXPECT_GT(names.size(), 10'000U);
}

TEST(Latex, SetsExpressionsAsABookDoes) {
  const std::vector<std::pair<Expr, std::string>> cases = {
      {m * pow(theta_dot, 2) / 2, "\\frac{1}{2}\\,m\\,\\dot{\\theta}_{1}^{2}"},
      {x / y, "\\frac{x}{y}"},
      {(a + b) / (x - y), "\\frac{a + b}{x - y}"},
      {3 * (a + b) / (2 * x), "\\frac{3\\,\\left(a + b\\right)}{2\\,x}"},
      {Number(-7, 3), "-\\frac{7}{3}"},
      {sqrt(x + y), "\\sqrt{x + y}"},
      {pow(x, Number(1, 3)), "\\sqrt[3]{x}"},
      {pow(x, Number(2, 3)), "x^{\\frac{2}{3}}"},
      {pow(sin(q), 2) * cos(2 * q), "\\sin^{2}(q)\\,\\cos\\left(2\\,q\\right)"},
      {pow(x + y, 2), "\\left(x + y\\right)^{2}"},
      {pow(variable("q", 4), 2), "\\left(q^{(4)}\\right)^{2}"},
      {exp(-x), "e^{-x}"},
      {pow(exp(x), a), "\\left(e^{x}\\right)^{a}"},
      {2 * pow(3, x), "2 \\cdot 3^{x}"},
      {1.5e-7 * x, "1.5 \\cdot 10^{-7}\\,x"},
      {abs(x), "\\left|x\\right|"},
      {log(x), "\\ln(x)"},
      {m * (1 - cos(q)), "m\\,\\left(1 - \\cos(q)\\right)"},
      {max(max(a, b), x), "\\max\\left(a, b, x\\right)"},
      {atan2(y, x), "\\operatorname{atan2}\\left(y, x\\right)"},
      {select(x < 3 && !equal(y, 2), a, -b),
       "\\begin{cases} a & \\text{if } x < 3 \\land y \\ne 2 \\\\ -b & \\text{otherwise} "
       "\\end{cases}"},
      {select(x <= y, a, b) / 2,
       "\\frac{1}{2}\\,\\left(\\begin{cases} a & \\text{if } x \\le y \\\\ b & \\text{otherwise} "
       "\\end{cases}\\right)"},
  };
  for (const auto& [e, expected] : cases) EXPECT_EQ(to_latex(e), expected) << e;
}

/// Braces pair up, and so do \left and \right.
bool is_balanced(const std::string& text) {
  int braces = 0;
  int sides = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++braces;
    if (text[i] == '}') --braces;
    if (text.compare(i, 5, "\\left") == 0) ++sides;
    if (text.compare(i, 6, "\\right") == 0) --sides;
    if (braces < 0 || sides < 0) return false;
  }
  return braces == 0 && sides == 0;
}

// TeX stops at x^{a}^{b}.
TEST(Latex, IsBalancedAndHasNoDoubleSuperscript) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::string text = to_latex(test::WildExpr(seed)(1 + static_cast<int>(seed % 5)));
    EXPECT_TRUE(is_balanced(text)) << text;
    EXPECT_EQ(text.find("}^{}"), std::string::npos) << text;
    for (auto at = text.find("^{"); at != std::string::npos; at = text.find("^{", at + 1)) {
      int depth = 0;
      std::size_t end = at + 1;
      do {
        if (text[end] == '{') ++depth;
        if (text[end] == '}') --depth;
        ++end;
      } while (depth > 0);
      EXPECT_FALSE(end < text.size() && text[end] == '^') << text;
    }
  }
}

TEST(Latex, RefusesATreeThatNoDiskHolds) {
  Expr e = x;
  for (int i = 0; i < 60; ++i) e = sin(e) * cos(e);
  EXPECT_THROW(to_latex(e, 100'000), std::length_error);
}

}  // namespace
}  // namespace camber::symbolic
