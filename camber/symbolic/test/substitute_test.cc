#include "camber/symbolic/substitute.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/test/random_expr.h"

namespace camber::symbolic {
namespace {

using test::RandomExpr;

const Expr x = symbol("x");
const Expr y = symbol("y");
const Expr z = symbol("z");

TEST(Substitute, ReplacesAllAtOnce) {
  EXPECT_EQ(substitute(x - 2 * y + sin(x * y), {{x, y}, {y, x}}), y - 2 * x + sin(x * y));
  EXPECT_EQ(substitute(pow(x, y), {{x, x + 1}, {y, 2}}), pow(x + 1, 2));
  EXPECT_EQ(substitute(select(x < y, x, z), {{x, 1}, {y, 2}}), Expr(1));
}

TEST(Substitute, FindsWholeSubExpressions) {
  EXPECT_EQ(substitute(3 * sin(x) + exp(sin(x)), {{sin(x), y}}), 3 * y + exp(y));
  EXPECT_EQ(substitute(z * pow(x, 2) + x, {{pow(x, 2), y}}), z * y + x);
  EXPECT_EQ(substitute(exp(x + y) * (x + y), {{x + y, z}}), exp(z) * z);
  EXPECT_EQ(substitute(x + y + z, {{x + y, z}}), x + y + z) << "part of a sum is not a whole";
}

TEST(Substitute, GivesTheValueAtTheReplacementsValues) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomExpr random(seed, {.depth = 3});
    const Expr e = random();
    Substitution replacements;
    const std::vector<Expr>& leaves = random.leaves();
    for (std::size_t i = 0; i + 2 < leaves.size(); ++i) {
      replacements[leaves[i]] = leaves[i + 1] * leaves[i + 2] + Number(1, 3);
    }
    const Bindings at = random.point();
    Bindings moved = at;
    for (const auto& [leaf, replacement] : replacements) {
      moved[leaf] = evaluate(replacement, at);
    }
    try {
      const double expected = evaluate(e, moved);
      EXPECT_NEAR(evaluate(substitute(e, replacements), at), expected,
                  1e-9 * (std::abs(expected) + 1));
    } catch (const EvaluationError&) {
      continue;
    }
  }
}

TEST(Substitute, TakesNamedQuantitiesAsAsked) {
  const Expr area = named("area", x * y);
  EXPECT_EQ(substitute(area + z, {{z, 1}}), area + 1) << "untouched definitions keep their names";
  EXPECT_EQ(substitute(area + x, {{x, 2}}), 2 * y + 2);
  EXPECT_EQ(substitute(area + x, {{x, 2 * z}}, NamedQuantities::kRename),
            named("area", 2 * y * z) + 2 * z);
  EXPECT_EQ(substitute(area + x, {{x, 2}}, NamedQuantities::kKeep), area + 2);
  EXPECT_EQ(substitute(area + x, {{area, z}}), z + x);
}

TEST(SubstituteMotion, AlsoSetsTheDerivatives) {
  const Expr t = symbol("t");
  const Expr V = symbol("V");
  const Expr q = variable("q");
  const Expr p = variable("p");
  const std::vector<Expr> es = {x * variable("q", 1) + q, variable("q", 2) + variable("p", 1) * p};
  const std::vector<Expr> moved = substitute_motion(es, {{q, V * t * t}, {p, sin(q)}}, t);
  EXPECT_EQ(moved[0], 2 * x * V * t + V * t * t);
  EXPECT_EQ(moved[1], 2 * V + cos(q) * variable("q", 1) * sin(q));
  const std::vector<Expr> given = substitute_motion(es, {{q, x}, {variable("q", 1), y}});
  EXPECT_EQ(given[0], x * y + x) << "a derivative given beside the motion is kept";
  EXPECT_THROW(substitute_motion(es, {{x, y}}), std::invalid_argument);
}

TEST(Substitute, OfAHundredThousandLevelsNeedsNoMachineStack) {
  Expr e = x;
  Expr expected = y;
  for (int i = 0; i < 100'000; ++i) {
    e = 1 + z * sin(e);
    expected = 1 + z * sin(expected);
  }
  EXPECT_EQ(substitute(e, {{x, y}}), expected);
}

}  // namespace
}  // namespace camber::symbolic
