#include "camber/lagrange/linear_model.h"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "camber/lagrange/modes.h"
#include "camber/lagrange/numeric_state_space.h"
#include "camber/lagrange/root_locus.h"
#include "camber/lagrange/test/sharp_model.h"
#include "camber/symbolic/parse.h"
#include "camber/symbolic/simplify.h"

namespace camber::lagrange {
namespace {

using symbolic::symbol;
using symbolic::variable;

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no exception";
}

std::vector<Mode> modes_of(const StateSpace& state_space, const Substitution& values) {
  StateSpaceProgram program(state_space);
  const NumericStateSpace s = program.evaluate(values);
  return calc_modes(s.E, s.A);
}

/// A point mass on a rod, in two coordinates that the rod relates: its force carries the weight.
System make_pendulum() {
  System system;
  system.name = "pendulum";
  const Expr x = system.add_coordinate("x"), z = system.add_coordinate("z");
  system.bodies = {make_body("bob", origin(translate(x, 0, z)), symbol("m"), 0, 0, 0)};
  system.gravity = Vector3(0, 0, -symbol("g"));
  system.constraints = {{"rod", x * x + z * z - symbol("l") * symbol("l")}};
  return system;
}

TEST(LinearModel, FindsTheConstraintForcesOfTheMotion) {
  const LinearizationSpec spec{.motion = {{variable("z"), -symbol("l")}}};
  const LinearModel model = make_linear_model(make_pendulum(), spec);
  EXPECT_EQ(model.variables, std::vector<Expr>{variable("x")});
  const auto modes = modes_of(make_state_space(model),
                              {{symbol("m"), 3.7}, {symbol("g"), 9.81}, {symbol("l"), 1.3}});
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(modes[1].eigenvalue.imag(), std::sqrt(9.81 / 1.3), 1e-13);
  EXPECT_NEAR(modes[1].eigenvalue.real(), 0.0, 1e-13);
}

TEST(LinearModel, SaysThatAMotionIsNoSolution) {
  System system = make_pendulum();
  system.constraints.clear();
  const std::string message = message_of([&] { make_linear_model(system, {}); });
  EXPECT_EQ(
      message,
      "make_linear_model: the motion is not a solution: the equation of \"z\" does not hold; g*m "
      "is left");
}

TEST(LinearModel, NamesTheConstraintThatRelatesAWrongChoice) {
  LinearizationSpec spec = make_straight_running();
  const auto q = [](const char* name) { return variable(name); };
  spec.independent = {q("x"), q("y"), q("psi"), q("delta"), q("psi4")};
  const std::string dependent =
      message_of([&] { make_linear_model(make_motorcycle().system, spec); });
  EXPECT_NE(dependent.find("are not independent: constraint \"spin_x\" relates them by"),
            std::string::npos)
      << dependent;
  spec.independent = {q("x"), q("psi"), q("delta"), q("phi")};
  const std::string too_few =
      message_of([&] { make_linear_model(make_motorcycle().system, spec); });
  EXPECT_NE(too_few.find("do not determine y.moving"), std::string::npos) << too_few;
}

TEST(LinearModel, FindsThePapersIndependentCoordinatesByItself) {
  LinearizationSpec spec = make_straight_running();
  const LinearModel chosen = make_linear_model(make_motorcycle().system, spec);
  spec.independent.clear();
  const LinearModel found = make_linear_model(make_motorcycle().system, spec);
  EXPECT_EQ(found.reduction.independent, chosen.reduction.independent);
  EXPECT_EQ(found.equations, chosen.equations);
}

/// A disc rolling without slip, z up; the lateral constraint y' = V psi is not a constraint on
/// positions.
System make_disc() {
  System system;
  system.name = "disc";
  const Expr x = system.add_coordinate("x"), y = system.add_coordinate("y"),
             psi = system.add_coordinate("psi"), phi = system.add_coordinate("phi"),
             theta = system.add_coordinate("theta");
  const Expr R = symbol("R"), A = symbol("A"), C = symbol("C");
  const Frame heading = translate(x, y, 0) * rotate(Axis::kZ, psi);
  const Frame wheel =
      heading * rotate(Axis::kX, phi) * translate(0, 0, R) * rotate(Axis::kY, theta);
  system.bodies = {make_body("disc", origin(wheel), symbol("m"), A, C, A)};
  system.gravity = Vector3(0, 0, -symbol("g"));
  const Point contact{wheel, Vector3(R * sin(theta), 0, -R * cos(theta))};
  const Vector3 slip = velocity(contact, Velocity::kEulerian, heading).components;
  system.constraints = {{"along", slip[0], Constraint::Kind::kNonholonomic},
                        {"across", slip[1], Constraint::Kind::kNonholonomic}};
  return system;
}

// Upright rolling is stable above w^2 = A m g R / (C (C + m R^2)); below and above, the lean obeys
// (A + m R^2) phi'' + (C (C + m R^2) w^2 / A - m g R) phi = 0 [Neimark, Fufaev 1972].
TEST(LinearModel, KnowsWhenARollingDiscFalls) {
  const double m = 2.3, R = 0.37, A = 0.11, C = 0.19, g = 9.81;
  const LinearizationSpec spec{
      .motion = {{variable("x"), symbol("V") * symbol("t")},
                 {variable("theta"), symbol("V") * symbol("t") / symbol("R")}}};
  const StateSpace state_space = make_state_space(make_linear_model(make_disc(), spec));
  const double critical = R * std::sqrt(A * m * g * R / (C * (C + m * R * R)));
  for (const double V : {0.6 * critical, 1.7 * critical}) {
    const auto modes = modes_of(state_space, {{symbol("m"), m},
                                              {symbol("R"), R},
                                              {symbol("A"), A},
                                              {symbol("C"), C},
                                              {symbol("g"), g},
                                              {symbol("V"), V}});
    const double w = V / R;
    const double square = -(C * (C + m * R * R) * w * w / A - m * g * R) / (A + m * R * R);
    const std::complex<double> expected = std::sqrt(std::complex<double>(square));
    const auto& last = modes.back().eigenvalue;
    EXPECT_NEAR(std::abs(last - expected), 0.0, 1e-9 * std::abs(expected)) << "V = " << V;
  }
}

/// A body in the plane with forces that keep it on a circle: U ahead, W aside, turning with Omega.
System make_turning_body() {
  System system;
  system.name = "turning";
  const Expr x = system.add_coordinate("x"), y = system.add_coordinate("y"),
             psi = system.add_coordinate("psi");
  const auto s = [](const char* name) { return symbol(name); };
  const Frame body = translate(x, y, 0) * rotate(Axis::kZ, psi);
  system.bodies = {make_body("body", origin(body), s("m"), 0, 0, s("J"))};
  const Vector3 v = velocity(origin(body), Velocity::kAbsolute, body).components;
  const Vector3 force(-s("m") * s("Omega") * s("W") - s("cx") * (v[0] - s("U")),
                      s("m") * s("Omega") * s("U") - s("cy") * (v[1] - s("W")), 0);
  const Expr torque = -s("d") * (variable("psi", 1) - s("Omega"));
  system.forces = {{"drive", Vector{body, force}, origin(body), body, {}}};
  system.torques = {{"yaw", Vector{body, Vector3(0, 0, torque)}, body, {}}};
  return system;
}

LinearizationSpec make_steady_turn() {
  const Expr U = symbol("U"), W = symbol("W"), Omega = symbol("Omega"), t = symbol("t");
  return {.motion = {{variable("x"), (U * sin(Omega * t) + W * cos(Omega * t)) / Omega},
                     {variable("y"), (W * sin(Omega * t) - U * cos(Omega * t)) / Omega},
                     {variable("psi"), Omega * t},
                     {variable("u"), U},
                     {variable("v"), W}}};
}

// m (u' - r v) = X, m (v' + r u) = Y, J r' = N about u = U, v = W, r = Omega.
void expect_steady_turn(const StateSpace& s) {
  const Expr m = symbol("m");
  ASSERT_EQ(s.states.size(), 3U);
  const auto same = [](const Expr& a, const char* b) {
    return symbolic::simplify(a - symbolic::parse(b)).is_zero();
  };
  EXPECT_EQ(s.E(0, 0), m);
  EXPECT_EQ(s.E(1, 1), m);
  EXPECT_EQ(s.E(2, 2), symbol("J"));
  EXPECT_TRUE(same(s.A(0, 0), "-cx"));
  EXPECT_TRUE(same(s.A(0, 1), "m*Omega"));
  EXPECT_TRUE(same(s.A(0, 2), "m*W"));
  EXPECT_TRUE(same(s.A(1, 0), "-m*Omega"));
  EXPECT_TRUE(same(s.A(1, 1), "-cy"));
  EXPECT_TRUE(same(s.A(1, 2), "-m*U"));
  EXPECT_TRUE(same(s.A(2, 2), "-d"));
}

TEST(LinearModel, HasConstantCoefficientsInASteadyTurn) {
  LinearizationSpec spec = make_steady_turn();
  const Expr psi = variable("psi"), u = variable("u"), v = variable("v");
  spec.moving_frame = {{variable("x", 1), cos(psi) * u - sin(psi) * v},
                       {variable("y", 1), sin(psi) * u + cos(psi) * v}};
  const StateSpace s = make_state_space(make_linear_model(make_turning_body(), spec));
  EXPECT_EQ(s.states, (std::vector<Expr>{u, v, variable("psidot")}));
  expect_steady_turn(s);
}

// The same body with body-fixed velocities as speeds (003 eq. 11): no moving frame is needed, and
// where the body is plays no part.
TEST(LinearModel, TakesQuasiVelocitiesInASteadyTurn) {
  System system = make_turning_body();
  const Expr psi = variable("psi"), u = variable("u"), v = variable("v"), r = variable("r");
  system.speeds = {u, v, r};
  system.rates = {{variable("x", 1), cos(psi) * u - sin(psi) * v},
                  {variable("y", 1), sin(psi) * u + cos(psi) * v},
                  {variable("psi", 1), r}};
  const Frame pose = system.bodies[0].frame;
  const Frame body = quasi_coordinates(pose, Vector3(0, 0, r), Vector3(u, v, 0));
  system.bodies[0].frame = body;
  for (Force& force : system.forces) {
    force.force.components = force.force.components.unaryExpr(
        [&](const Expr& e) { return symbolic::simplify(symbolic::substitute(e, system.rates)); });
    force.force.frame = force.point.frame = force.acting = body;
  }
  for (Torque& torque : system.torques) {
    torque.torque.components[2] = symbolic::substitute(torque.torque.components[2], system.rates);
    torque.torque.frame = torque.acting = body;
  }
  LinearizationSpec spec = make_steady_turn();
  spec.motion.emplace(r, symbol("Omega"));
  expect_steady_turn(make_state_space(make_linear_model(system, spec)));
}

// Where the motorcycle is depends on its velocities, not the other way round: three more roots at
// zero, for its heading, its path and its forward speed. None of them is a limit of stability.
TEST(LinearModel, KeepsPositionsThatAreOutputs) {
  System system = make_motorcycle().system;
  system.outputs = {{"aside", variable("y")}, {"spin", variable("theta1", 1)}};
  const StateSpace s = make_state_space(make_linear_model(system, make_straight_running()));
  EXPECT_EQ(s.states.size(), 11U);
  const auto modes = modes_of(s, sharp_data(20));
  ASSERT_EQ(modes.size(), 11U);
  int zeros = 0;
  for (const Mode& mode : modes) zeros += std::abs(mode.eigenvalue) < 1e-5 ? 1 : 0;
  EXPECT_EQ(zeros, 3);
  EXPECT_NEAR(modes.back().eigenvalue.real(), 0.092661595348, 1e-11);

  const ModesAt modes_at = [&](double V) { return modes_of(s, sharp_data(V)); };
  const auto limits = find_stability_limits(modes_at, trace_root_locus(modes_at, {8, 9.5, 11, 14}));
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_NEAR(limits[0].parameter, 10.2989, 5e-5);
}

TEST(LinearModel, SaysWhenATurnNeedsAMovingFrame) {
  const std::string message =
      message_of([] { make_linear_model(make_turning_body(), make_steady_turn()); });
  EXPECT_NE(message.find("varies in time along the motion"), std::string::npos) << message;
}

/// A mass on a spring whose foot is moved by an input.
System make_quarter_car(const Expr& road_force) {
  System system;
  system.name = "quarter";
  const Expr z = system.add_coordinate("z");
  const Frame body = translate(0, 0, z);
  system.bodies = {make_body("body", origin(body), symbol("m"), 0, 0, 0)};
  system.forces = {{"spring",
                    Vector{Frame(), Vector3(0, 0, road_force - symbol("k") * z)},
                    origin(body),
                    body,
                    {}}};
  system.inputs = {variable("zr")};
  system.outputs = {{"acceleration", variable("z", 2)}, {"travel", z - variable("zr")}};
  return system;
}

TEST(StateSpace, TakesAccelerationsAsOutputs) {
  const System system = make_quarter_car(symbol("k") * variable("zr"));
  const StateSpace s = make_state_space(make_linear_model(system, {}));
  StateSpaceProgram program(s);
  const double m = 310.0, k = 18500.0;
  const NumericStateSpace n = program.evaluate({{symbol("m"), m}, {symbol("k"), k}});
  const auto modes = calc_modes(n.E, n.A);  // the acceleration is an algebraic state
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_NEAR(modes[1].eigenvalue.imag(), std::sqrt(k / m), 1e-12);
  EXPECT_EQ(s.output_names, (std::vector<std::string>{"acceleration", "travel"}));
  EXPECT_EQ(s.D(1, 0), Expr(-1));
}

TEST(StateSpace, NamesTheInputWhoseDerivativeIsMissing) {
  const System system = make_quarter_car(symbol("c") * variable("zr", 1));
  const std::string message = message_of([&] { make_state_space(make_linear_model(system, {})); });
  EXPECT_NE(message.find("\"z\" has more than states, their rates and inputs: -c*zr'"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace camber::lagrange
