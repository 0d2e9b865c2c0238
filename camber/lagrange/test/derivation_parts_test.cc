#include "camber/lagrange/derivation_parts.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/codegen/interpreter.h"
#include "camber/core/random.h"
#include "camber/lagrange/simulation_model.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/rational.h"
#include "camber/symbolic/substitute.h"

namespace camber::lagrange {
namespace {

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

Expr find(const Derivation& derivation, const std::string& name) {
  for (const Section& section : derivation.sections)
    for (std::size_t i = 0; i < section.names.size(); ++i)
      if (section.names[i].text == name) return section.expressions[i];
  ADD_FAILURE() << "no " << name;
  return 0;
}

/// With the model's coordinates and inputs as variables of time.
Expr parse_in(const LagrangianModel& model, const std::string& text) {
  symbolic::Substitution variables;
  for (const auto* names : {&model.system.coordinates, &model.system.inputs})
    for (const Expr& x : *names) variables[symbolic::symbol(x.name())] = x;
  return symbolic::substitute(symbolic::parse(text), variables);
}

// By hand: the rod's center is at r cos(crank) + l/2 cos(crank + rod).
TEST(DescribeEnergy, IsThatOfTheRodByHand) {
  const LagrangianModel model = load_lagrangian("models/slider-crank.toml");
  const Derivation derivation = describe_energy(model, "rod_body");
  const auto parse = [&](const std::string& text) { return parse_in(model, text); };
  const Expr by_hand = parse(
      "m2/2*(r^2*crank'^2 + l^2/4*(crank' + rod')^2 + r*l*cos(rod)*crank'*(crank' + rod')) + "
      "J2/2*(crank' + rod')^2");
  EXPECT_TRUE(symbolic::is_proven_zero(find(derivation, "T") - by_hand))
      << find(derivation, "T").to_string();
  const Expr height = parse("r*sin(crank) + l/2*sin(crank + rod)");
  EXPECT_TRUE(symbolic::is_proven_zero(find(derivation, "V") - parse("m2*g") * height));
  EXPECT_NE(
      message_of([&] { describe_energy(model, "rodbody"); }).find("did you mean \"rod_body\""),
      std::string::npos);
}

TEST(DescribeForce, ListsTheLoadsOfAQuarterCar) {
  const LagrangianModel model = load_lagrangian("models/quarter-car.toml");
  const Derivation derivation = describe_force(model, "zu");
  const auto expect = [&](const std::string& name, const std::string& value) {
    EXPECT_TRUE(symbolic::is_proven_zero(find(derivation, name) - parse_in(model, value)))
        << find(derivation, name).to_string();
  };
  expect("damper", "c*(zs' - zu')");
  expect("spring", "ks*(zs - zu)");
  expect("tire", "-kt*(zu - zr)");
  expect("sum", "c*(zs' - zu') + ks*(zs - zu) - kt*(zu - zr)");
  EXPECT_NE(message_of([&] { describe_force(model, "zz"); }).find("those of quarter_car: zs, zu"),
            std::string::npos);
}

// Of every load together: what the equations of motion have without accelerations, and with the
// opposite sign.
TEST(DescribeForce, SumsUpToTheEquationsOfADoublePendulumAtRest) {
  const LagrangianModel model = load_lagrangian("models/double-pendulum.toml");
  const Equations equations = derive(model.system);
  symbolic::Substitution rest;
  for (const Expr& speed : equations.speeds) {
    rest[speed] = 0;
    rest[symbolic::variable(speed.name(), speed.order() + 1)] = 0;
  }
  for (std::size_t i = 0; i < equations.coordinates.size(); ++i) {
    const Derivation derivation =
        describe_force(model, std::string(equations.coordinates[i].name()));
    EXPECT_TRUE(symbolic::is_proven_zero(find(derivation, "sum") +
                                         symbolic::substitute(equations.dynamics[i], rest)));
  }
}

// M of the sections times the program's accelerations is F, and the program is that of `camber
// run`.
TEST(DescribeAccelerations, SolvesItsOwnMatrices) {
  const LagrangianModel model = load_lagrangian("models/double-pendulum.toml");
  const Derivation derivation = describe_accelerations(model, derive(model.system));
  SimulationModel simulation(model.system);
  std::vector<double> x(4), x_dot(4);
  RandomStream random(11);
  for (double& value : x) value = random.uniform(-1, 1);
  ASSERT_TRUE(simulation.calc_state_rate(0, x, x_dot));

  symbolic::Bindings values;
  const auto parameters = parameter_values(model.system);
  for (const Parameter& p : model.system.parameters)
    values[p.symbol] = symbolic::evaluate(parameters.at(p.symbol), {});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 2; ++i) {
    const Expr q = model.system.coordinates[i];
    values[q] = x[i];
    values[symbolic::variable(q.name(), 1)] = x[2 + i];
    names.push_back(std::string(q.name()) + "''");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 2; ++j) {
      const std::string row = names[std::max(i, j)], column = names[std::min(i, j)];
      sum += symbolic::evaluate(find(derivation, "M(" + row + ", " + column + ")"), values) *
             x_dot[2 + j];
    }
    EXPECT_NEAR(sum, symbolic::evaluate(find(derivation, "F(" + names[i] + ")"), values), 1e-12);
  }
}

TEST(DescribeAccelerations, HasConstraintsAndFactors) {
  const LagrangianModel model = load_lagrangian("models/slider-crank.toml");
  const std::string text =
      to_text(describe_accelerations(model, derive(model.system)), Notation::kText);
  for (const char* part : {"M(crank'', crank'')", "B(", "F(crank'')", "gamma(", "d_crank_dot"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

}  // namespace
}  // namespace camber::lagrange
