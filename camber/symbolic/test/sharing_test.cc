#include "camber/symbolic/sharing.h"

#include <gtest/gtest.h>

#include "camber/symbolic/evaluate.h"

namespace camber::symbolic {
namespace {

const Expr x = symbol("x"), y = symbol("y"), w1 = symbol("w1");

TEST(Sharing, NamesWhatIsUsedTwiceAndNothingElse) {
  const std::vector<Expr> es = {sin(x * y) + x * y, cos(x + 2) * sin(x * y)};
  const SharedForm form = share(es);
  ASSERT_EQ(form.definitions.size(), 2U);
  EXPECT_EQ(form.definitions[0].value, x * y);
  EXPECT_EQ(form.definitions[1].value.to_string(), "sin(w1)");
  EXPECT_EQ(form.results[0].to_string(), "w1 + w2");
  EXPECT_EQ(form.results[1].to_string(), "w2*cos(x + 2)");
}

TEST(Sharing, DoesNotTakeTheNameOfASymbol) {
  const std::vector<Expr> es = {exp(x * y) + w1, exp(x * y) * y};
  for (const auto& definition : share(es).definitions) EXPECT_NE(definition.name, "w1");
}

TEST(Sharing, KeepsValuesAndGivenNames) {
  const Expr speed = named("speed", x * y + 3);
  const std::vector<Expr> es = {speed * speed + tanh(x + y), sqrt(x + y) / speed};
  const SharedForm form = share(es);
  std::vector<std::string> names;
  for (const auto& definition : form.definitions) names.push_back(definition.name);
  EXPECT_EQ(names, (std::vector<std::string>{"w1", "speed"})) << "x + y and the given name";
  const Bindings point = {{x, 0.7}, {y, 1.9}};
  for (std::size_t i = 0; i < es.size(); ++i) {
    EXPECT_NEAR(evaluate(form.results[i], point), evaluate(es[i], point), 1e-14);
  }
}

// A chain in which each link uses the one before it twice: as a tree it has 2^60 operations.
TEST(Sharing, WritesAnExponentialTreeInALine) {
  Expr e = x;
  for (int i = 0; i < 60; ++i) e = sin(e) + e * y;
  const SharedForm form = share(std::vector<Expr>{e});
  EXPECT_LE(form.definitions.size(), 60U);
  EXPECT_LT(form.results[0].to_string().size(), 100U);
}

}  // namespace
}  // namespace camber::symbolic
