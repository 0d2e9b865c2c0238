#include "camber/lagrange/simulation_model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::lagrange {
namespace {

using symbolic::symbol;
using symbolic::variable;

/// A chain of points in space on rods, each rod a constraint, with a spring, a damper, an input,
/// and a filter of the first point's height as an extra variable that pulls at the last point.
System make_chain(int n, RandomStream* random, const std::vector<int>& order) {
  System system;
  system.name = "chain";
  std::vector<Vector3> points{Vector3::Zero()};
  for (int i = 1; i <= n; ++i) {
    Vector3 p;
    for (int k = 0; k < 3; ++k) p[k] = system.add_coordinate(concat("xyz"[k], i));
    points.push_back(p);
    const Frame frame = translate(p);
    system.bodies.push_back(make_body(concat("p", i), origin(frame), symbol("m") + i, 0, 0, 0));
  }
  std::vector<Constraint> rods;
  for (int i = 1; i <= n; ++i) {
    const double length = random->uniform(0.5, 1.5);
    rods.push_back({concat("rod", i), (points[i] - points[i - 1]).squaredNorm() - length * length});
  }
  for (const int i : order) system.constraints.push_back(rods[i]);
  system.gravity = Vector3(0.3, -0.2, -9.81);
  const Expr pull = variable("pull"), height = variable("height");
  const Frame last = translate(points.back());
  system.forces = {{"pull",
                    Vector{Frame(), Vector3(pull - 3 * height, -0.4 * variable(concat("x", n), 1),
                                            sin(symbolic::symbol("t")))},
                    origin(last), last, Frame()}};
  system.extra = {{height, 0.2 * variable("height", 1) + height - points[1][2]}};
  system.inputs = {pull};
  system.parameters = {{symbol("m"), symbol("m0") / 2}, {symbol("m0"), 1.7}};
  return system;
}

std::vector<double> random_state(const SimulationModel& model, RandomStream* random) {
  std::vector<double> x(static_cast<std::size_t>(model.state_size()));
  for (double& value : x) value = random->uniform(-1, 1);
  return x;
}

std::vector<int> identity(int n) {
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) order[i] = i;
  return order;
}

// Elimination written out beforehand, and a dense factorization with full pivoting.
TEST(SimulationModel, EliminatesToWhatADenseSolverFindsInAnyOrderOfConstraints) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const int n = static_cast<int>(random.integer(1, 4));
    RandomStream lengths = random.substream("lengths"), again = lengths;
    const auto order = random.permutation(n);
    SimulationModel fast(make_chain(n, &lengths, order));
    SimulationModel dense(make_chain(n, &again, identity(n)), {.eliminate_symbolically = false});
    ASSERT_TRUE(fast.forward_dynamics().has_value());
    ASSERT_FALSE(dense.forward_dynamics().has_value());
    for (auto* model : {&fast, &dense}) {
      model->set_input(variable("pull"), [](double t) { return 2.2 + 0.7 * t; });
    }
    const auto x = random_state(fast, &random);
    std::vector<double> a(x.size()), b(x.size());
    ASSERT_TRUE(fast.calc_state_rate(0.6, x, a));
    ASSERT_TRUE(dense.calc_state_rate(0.6, x, b));
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + std::abs(b[i]))) << fast.state_names()[i];
    }
    // The multipliers go with their constraints.
    std::vector<double> ya(fast.equations().unknowns().size()), yb = ya;
    ASSERT_TRUE(fast.calc_unknowns(0.6, x, ya));
    ASSERT_TRUE(dense.calc_unknowns(0.6, x, yb));
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(ya[3 * n + i], yb[3 * n + order[i]], 1e-9 * (1 + std::abs(ya[3 * n + i])));
    }
  }
}

TEST(SimulationModel, HasTheJacobianOfFiniteDifferences) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    SimulationModel model(make_chain(2, &random, {1, 0}), {.baumgarte = {3.5}});
    const auto x = random_state(model, &random);
    const std::size_t n = x.size();
    std::vector<double> J(n * n), plus(n), minus(n);
    ASSERT_TRUE(model.calc_jacobian(0.4, x, J));
    const double h = 1e-6;
    for (std::size_t j = 0; j < n; ++j) {
      auto shifted = x;
      shifted[j] = x[j] + h;
      ASSERT_TRUE(model.calc_state_rate(0.4, shifted, plus));
      shifted[j] = x[j] - h;
      ASSERT_TRUE(model.calc_state_rate(0.4, shifted, minus));
      for (std::size_t i = 0; i < n; ++i) {
        const double difference = (plus[i] - minus[i]) / (2 * h);
        EXPECT_NEAR(J[i + n * j], difference, 1e-5 * (1 + std::abs(difference)))
            << model.state_names()[i] << " by " << model.state_names()[j];
      }
    }
  }
}

// A mass that a nonlinear spring holds, the spring's length implicit: s + s^3/5 = x, force -4 s.
// And one whose force contains the acceleration it causes: F = -3 x - 0.4 x'', which adds to the
// mass.
TEST(SimulationModel, SolvesAlgebraicVariablesWithTheAccelerations) {
  System system;
  system.name = "implicit";
  const Expr x = system.add_coordinate("x"), s = variable("s"), F = variable("F");
  const Frame frame = translate(x, 0, 0);
  system.bodies = {make_body("mass", origin(frame), 1.9, 0, 0, 0)};
  system.forces = {
      {"spring", Vector{Frame(), Vector3(-4 * s + F, 0, 0)}, origin(frame), frame, {}}};
  system.extra = {{s, s + pow(s, 3) / 5 - x}, {F, F + 3 * x + 0.4 * variable("x", 2)}};
  SimulationModel model(system);
  EXPECT_FALSE(model.forward_dynamics().has_value());
  const double length = 0.83, position = length + std::pow(length, 3) / 5;
  std::vector<double> y(3), state{position, -0.6}, x_dot(2);
  ASSERT_TRUE(model.calc_unknowns(0.1, state, y)) << model.why();
  EXPECT_NEAR(y[0], (-4 * length - 3 * position) / (1.9 + 0.4), 1e-12);
  EXPECT_NEAR(y[1], length, 1e-13);
  EXPECT_NEAR(y[2], -3 * position - 0.4 * y[0], 1e-12);
  ASSERT_TRUE(model.calc_state_rate(0.1, state, x_dot));
  EXPECT_DOUBLE_EQ(x_dot[0], -0.6);
  EXPECT_NEAR(x_dot[1], y[0], 1e-14);
}

TEST(SimulationModel, ObservesAnyQuantity) {
  RandomStream random(3);
  System system = make_chain(2, &random, {0, 1});
  SimulationModel model(system, {.parameters = {{"m0", 4.2}}});
  model.set_input(variable("pull"), [](double t) { return 10 * t; });
  const auto x = random_state(model, &random);
  EXPECT_DOUBLE_EQ(model.observe(symbol("m") * variable("pull"))(0.3, x), 2.1 * 3.0);
  std::vector<double> y(model.equations().unknowns().size());
  ASSERT_TRUE(model.calc_unknowns(0.3, x, y));
  EXPECT_DOUBLE_EQ(model.observe(variable("z2", 2))(0.3, x), y[5]);
  EXPECT_THROW(model.observe(variable("z3")), std::invalid_argument);
}

std::string error_of(const System& system) {
  try {
    SimulationModel model(system);
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(SimulationModel, NamesRedundantConstraints) {
  RandomStream random(4);
  System system = make_chain(2, &random, {0, 1});
  system.constraints.push_back({"twice", 3 * system.constraints[1].expression});
  const std::string text = error_of(system);
  for (const char* part : {"rod2", "twice", "redundant"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
  }
  EXPECT_EQ(text.find("rod1"), std::string::npos) << text;
}

TEST(SimulationModel, NamesACoordinateWithoutInertia) {
  System system;
  system.name = "ghost";
  const Expr x = system.add_coordinate("x"), turn = system.add_coordinate("turn");
  const Frame frame = translate(x, 0, 0) * rotate(Axis::kZ, turn);
  system.bodies = {make_body("point", origin(frame), 1.4, 0, 0, 0)};
  const std::string text = error_of(system);
  EXPECT_NE(text.find("\"ghost\": singular mass matrix"), std::string::npos) << text;
  EXPECT_NE(text.find("turn''"), std::string::npos) << text;
  EXPECT_EQ(text.find("x''"), std::string::npos) << text;
  // Guided by a constraint, it needs none.
  system.constraints = {{"gear", turn - 2.5 * x + 0.3}};
  EXPECT_EQ(error_of(system), "");
  SimulationModel model(system);
  EXPECT_TRUE(model.forward_dynamics().has_value());
}

TEST(SimulationModel, SaysWhichDerivativesOfAConstraintAreNotKnown) {
  RandomStream random(5);
  System system = make_chain(1, &random, {0});
  system.constraints.push_back({"follow", variable("x1") - variable("pull")});
  const std::string text = error_of(system);
  EXPECT_NE(text.find("constraint \"follow\" depends on the input pull"), std::string::npos)
      << text;
}

TEST(SimulationModel, MeetsAMotionPrescribedInTime) {
  System system;
  system.name = "driven";
  const Expr x = system.add_coordinate("x"), y = system.add_coordinate("y");
  const Frame frame = translate(x, y, 0);
  system.bodies = {make_body("point", origin(frame), 1.4, 0, 0, 0)};
  system.gravity = Vector3(0, -9.81, 0);
  system.constraints = {{"drive", x - 0.7 * sin(3 * system.time)}};
  SimulationModel model(system);
  const double t = 0.45;
  std::vector<double> state{0.7 * std::sin(3 * t) + 0.01, 0.2, 0.1, -0.3}, unknowns(3);
  ASSERT_TRUE(model.project(t, state));
  EXPECT_NEAR(state[0], 0.7 * std::sin(3 * t), 1e-15);
  EXPECT_NEAR(state[2], 2.1 * std::cos(3 * t), 1e-15);
  ASSERT_TRUE(model.calc_unknowns(t, state, unknowns));
  EXPECT_NEAR(unknowns[0], -6.3 * std::sin(3 * t), 1e-14);
  EXPECT_NEAR(unknowns[1], -9.81, 1e-14);
  EXPECT_NEAR(unknowns[2], -1.4 * 6.3 * std::sin(3 * t), 1e-13);  // the force that drives it
}

// A bead whose distance from the axis of its turntable vanishes at r = 0.7, the turntable geared to
// a cart: the pivot of `turn` vanishes there, which no sample at random shows, and the model does
// not.
TEST(SimulationModel, GoesOnByPivotingWhereAPivotVanishes) {
  System system;
  system.name = "turntable";
  const Expr r = system.add_coordinate("r"), turn = system.add_coordinate("turn"),
             s = system.add_coordinate("s");
  const Frame bead = rotate(Axis::kZ, turn) * translate(r - 0.7, 0, 0);
  const Frame cart = translate(s, 0, 0);
  system.bodies = {make_body("bead", origin(bead), 1.3, 0, 0, 0),
                   make_body("cart", origin(cart), 2.1, 0, 0, 0)};
  system.forces = {{"push", Vector{Frame(), Vector3(3.4, 0, 0)}, origin(cart), cart, {}}};
  system.constraints = {{"gear", turn - 2.5 * s}};
  SimulationModel model(system);
  ASSERT_TRUE(model.forward_dynamics().has_value());
  const double rate = 0.6, inward = 0.2;
  std::vector<double> state{0.7, 0.5, 0.2, inward, rate, rate / 2.5}, x_dot(6);
  ASSERT_TRUE(model.calc_state_rate(0.1, state, x_dot)) << model.why();
  EXPECT_NEAR(x_dot[3], 0, 1e-14);  // no arm, no centrifugal force
  EXPECT_NEAR(x_dot[5], 3.4 / 2.1, 1e-13);
  EXPECT_NEAR(x_dot[4], 2.5 * 3.4 / 2.1, 1e-13);
}

TEST(SimulationModel, ReportsASingularStateInsteadOfNaN) {
  // A point on two rods: on the line through their pivots both hold it in one direction only.
  System system;
  system.name = "two rods";
  const Expr x = system.add_coordinate("x"), y = system.add_coordinate("y");
  system.bodies = {make_body("point", origin(translate(x, y, 0)), 1.1, 0, 0, 0)};
  system.constraints = {{"left", (x + 0.6) * (x + 0.6) + y * y - 0.36 * 4},
                        {"right", (x - 0.6) * (x - 0.6) + y * y - 0.36 * 4}};
  SimulationModel model(system);
  std::vector<double> state{0.3, 0.0, 0.2, 0.1}, x_dot(4);  // on the line through both pivots
  EXPECT_FALSE(model.calc_state_rate(0.2, state, x_dot));
  EXPECT_NE(model.why().find("\"left\" and \"right\" are redundant"), std::string::npos)
      << model.why();
  state[1] = 0.4;
  EXPECT_TRUE(model.calc_state_rate(0.2, state, x_dot));
}

}  // namespace
}  // namespace camber::lagrange
