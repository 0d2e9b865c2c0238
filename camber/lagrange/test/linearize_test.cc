#include "camber/lagrange/linearize.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/lagrange/first_order.h"
#include "camber/lagrange/simplify_coefficients.h"
#include "camber/symbolic/parse.h"

namespace camber::lagrange {
namespace {

using symbolic::parse;
using symbolic::symbol;
using symbolic::variable;

const Expr t = symbol("t");

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no exception";
}

TEST(Linearize, TakesDerivativesOfAllOrdersAboutTheMotion) {
  // x = V t, y = 0: d(x'^2 y')= V^2 dy', d(sin(y) x'') = 0, d(y'' x') = V dy''
  const std::vector<Expr> es = {parse("x'^2*y' + sin(y)*(x'' + a) + x'*y''")};
  const auto linear = linearize(es, {{variable("x"), symbol("V") * t}}, t);
  EXPECT_EQ(linear[0], parse("V^2*y' + a*y + V*y''"));
}

TEST(Linearize, ProvesThatTimeDropsOut) {
  // The squares of a wheel's angle V t/R belong together.
  const std::vector<Expr> es = {
      parse("(cos(theta)*y' + sin(theta)*z')*cos(theta) + "
            "(sin(theta)*y' - cos(theta)*z')*sin(theta) + 0*theta'")};
  const auto linear = linearize(es, {{variable("theta"), -symbol("V") * t / symbol("R")}}, t);
  EXPECT_EQ(linear[0], parse("y' + 0*z'"));
}

TEST(Linearize, NamesTheCoefficientThatVariesInTime) {
  const std::vector<Expr> es = {parse("y'' + y'"), parse("cos(theta)*z' + z + 0*theta'")};
  const Substitution motion = {{variable("theta"), symbol("Omega") * t}};
  const std::string message = message_of([&] {
    linearize(es, motion, t, {.names = {"heave", "sway"}, .symbols = {}});
  });
  EXPECT_NE(message.find("coefficient of z' in \"sway\" varies in time"), std::string::npos)
      << message;
}

TEST(Linearize, NamesTheExpressionThatIsNotZeroAlongTheMotion) {
  const std::vector<Expr> es = {parse("y''"), parse("m*z'' - m*g")};
  const std::string message = message_of([&] {
    linearize(es, {}, t, {.names = {"sway", "heave"}, .symbols = {}});
  });
  EXPECT_EQ(message, "linearize: \"heave\" is not zero along the motion: -g*m is left");
  const auto linear = linearize(es, {}, t, {.names = {}, .symbols = {}, .must_vanish = false});
  EXPECT_EQ(linear[1], parse("m*z''"));
}

TEST(Linearize, TreatsSymbolsAsInputsWhereToldTo) {
  const std::vector<Expr> es = {parse("z'' + k*u*(3 + z)")};
  const auto linear = linearize(es, {}, t, {.names = {}, .symbols = {symbol("u")}});
  EXPECT_EQ(linear[0], parse("z'' + 3*k*u"));
}

TEST(DynamicForm, SplitsByDerivative) {
  const std::vector<Expr> q = {variable("q1"), variable("q2")};
  const std::vector<Expr> es = {parse("m*q1'' + c*(q1' - q2') + k*q1 - F"),
                                parse("J*q2'' + c*q2' + 3*q1'' - b*q2")};
  const DynamicForm form = dynamic_form(es, q);
  EXPECT_EQ(form.M(0, 0), symbol("m"));
  EXPECT_EQ(form.M(1, 0), Expr(3));
  EXPECT_EQ(form.C(0, 1), -symbol("c"));
  EXPECT_EQ(form.K(1, 1), -symbol("b"));
  EXPECT_EQ(form.F[0], symbol("F"));
  EXPECT_TRUE(form.F[1].is_zero());
}

TEST(QuadraticForm, GivesTheSymmetricMatrix) {
  const std::vector<Expr> q = {variable("q1"), variable("q2")};
  const MatrixX Q = quadratic_form(parse("a*q1^2 + 3*b*q1*q2 + (q1 - q2)^2 + 0*q1' + 0*q2'"), q);
  EXPECT_EQ(Q(0, 0), symbol("a") + 1);
  EXPECT_EQ(Q(0, 1), 3 * symbol("b") / 2 - 1);
  EXPECT_EQ(Q(1, 0), Q(0, 1));
  EXPECT_EQ(Q(1, 1), Expr(1));
  EXPECT_THROW(quadratic_form(variable("q1") * variable("q1") + variable("q2"), q),
               std::invalid_argument);
}

TEST(FirstOrder, NamesDerivativesAndLeavesOutWhatDoesNotOccur) {
  const std::vector<Expr> es = {parse("a*psi'' + delta' + v + 0*v'"),
                                parse("delta'' + k*delta + psi'"), parse("v' + v")};
  const std::vector<Expr> variables = {variable("psi"), variable("delta"), variable("v")};
  const FirstOrder system = first_order(es, variables);
  EXPECT_EQ(system.states, (std::vector<Expr>{variable("delta"), variable("v"), variable("psidot"),
                                              variable("deltadot")}));
  EXPECT_EQ(system.equations[0], parse("a*psidot' + deltadot + v + 0*v' + 0*deltadot'"));
  EXPECT_EQ(system.equations[1], parse("deltadot' + k*delta + psidot + 0*delta' + 0*psidot'"));
  EXPECT_EQ(system.equations[3], variable("deltadot") - variable("delta", 1));
  // An output that is the heading makes it a state.
  const std::vector<Expr> outputs = {variable("psi")};
  EXPECT_EQ(first_order(es, variables, outputs).states.size(), 5U);
}

// j*sin(e) = a - k*cos(e) turned around makes (a - b)/cos(e) of five terms.
TEST(SimplifyCoefficients, UsesRelationsInBothDirections) {
  const Substitution relations = {{symbol("a"), parse("k*cos(e) + j*sin(e)")}};
  const std::vector<Expr> es = {parse("q'*(a - b)/cos(e)"), parse("q'*(a - k*cos(e))")};
  const auto result = simplify_coefficients(es, relations);
  EXPECT_EQ(result[0], parse("q'*(a - b)/cos(e)"));
  EXPECT_EQ(result[1], parse("q'*j*sin(e)"));
}

}  // namespace
}  // namespace camber::lagrange
