#include "camber/lagrange/equations.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "camber/codegen/program.h"
#include "camber/lagrange/cut_hinge.h"
#include "camber/lagrange/test/motorcycle.h"
#include "camber/lagrange/test/random_point.h"
#include "camber/symbolic/derivative.h"

namespace camber::lagrange {
namespace {

using symbolic::Bindings;
using symbolic::symbol;
using symbolic::variable;
using Method = DerivationOptions::Method;

Expr indexed(const char* name, int i) { return symbol(name + std::to_string(i)); }

Matrix3 full_inertia(int i) {
  Matrix3 J;
  const Expr xy = indexed("Jxy", i), xz = indexed("Jxz", i), yz = indexed("Jyz", i);
  J << indexed("Jx", i), xy, xz, xy, indexed("Jy", i), yz, xz, yz, indexed("Jz", i);
  return J;
}

/// Links with general centers of mass and inertias, joints about alternating axes, one in four
/// prismatic.
System spatial_chain(int n) {
  System system;
  system.name = "chain";
  system.gravity = Vector3(symbol("gx"), symbol("gy"), symbol("gz"));
  Frame frame;
  for (int i = 0; i < n; ++i) {
    const Expr q = system.add_coordinate("q" + std::to_string(i));
    frame = frame * translate(indexed("lx", i), indexed("ly", i), indexed("lz", i));
    frame =
        frame * (i % 4 == 3 ? translate(q, 0, q / 2) : rotate(static_cast<Axis>((i + 2) % 3), q));
    system.bodies.push_back({"link" + std::to_string(i), frame,
                             Vector3(indexed("cx", i), indexed("cy", i), indexed("cz", i)),
                             indexed("m", i), full_inertia(i)});
  }
  const Frame tip = system.bodies.back().frame, first = system.bodies.front().frame;
  system.forces.push_back({"pull", Vector{first, Vector3(symbol("Fx"), symbol("Fy"), symbol("Fz"))},
                           Point{tip, Vector3(symbol("px"), 0, symbol("pz"))}, tip, first});
  system.torques.push_back(
      {"twist", Vector{tip, Vector3(symbol("tx"), symbol("ty"), 0)}, tip, first});
  return system;
}

std::vector<Expr> all_of(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  std::vector<Expr> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

std::uint64_t operations(const std::vector<Expr>& outputs, int trials = 1) {
  return codegen::ProgramBuilder("p")
      .add_output("r", outputs)
      .add_remaining_inputs("in")
      .build({.trials = trials})
      .count()
      .total();
}

void expect_equal_values(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const Bindings point = random_point(all_of(a, b), &random);
    const std::vector<double> x = symbolic::evaluate(a, point), y = symbolic::evaluate(b, point);
    double scale = 1;
    for (const double v : y) scale = std::max(scale, std::abs(v));
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(x[i], y[i], 1e-11 * scale) << "equation " << i;
  }
}

// d/dt dL/dq' - dL/dq is taken of the energies alone and shares only frames with the momentum form.
TEST(Equations, MomentumFormEqualsLagrangesEquationsOfAChain) {
  const System system = spatial_chain(5);
  expect_equal_values(derive(system).dynamics, derive(system, {Method::kLagrangian}).dynamics);
}

TEST(Equations, MomentumFormEqualsLagrangesEquationsOfTheMotorcycle) {
  const System system = make_motorcycle().system;
  expect_equal_values(derive(system).dynamics, derive(system, {Method::kLagrangian}).dynamics);
}

TEST(Equations, DoublePendulumIsTheTextbooks) {
  System system;
  system.gravity = Vector3(0, -symbol("g"), 0);
  const Expr a = system.add_coordinate("a"), b = system.add_coordinate("b");
  const Expr m1 = symbol("m1"), m2 = symbol("m2"), l1 = symbol("l1"), l2 = symbol("l2"),
             g = symbol("g");
  const Frame first = rotate(Axis::kZ, a) * translate(0, -l1, 0);
  const Frame second = translate(first.origin()) * rotate(Axis::kZ, b) * translate(0, -l2, 0);
  system.bodies = {make_body("one", origin(first), m1, 0, 0, 0),
                   make_body("two", origin(second), m2, 0, 0, 0)};
  const Expr ad = variable("a", 1), bd = variable("b", 1), add = variable("a", 2),
             bdd = variable("b", 2);
  // [Landau, Lifshitz, Mechanics, par. 5 problem 1], differentiated by hand.
  const std::vector<Expr> expected = {
      (m1 + m2) * pow(l1, 2) * add + m2 * l1 * l2 * (bdd * cos(a - b) + bd * bd * sin(a - b)) +
          (m1 + m2) * g * l1 * sin(a),
      m2 * pow(l2, 2) * bdd + m2 * l1 * l2 * (add * cos(a - b) - ad * ad * sin(a - b)) +
          m2 * g * l2 * sin(b)};
  expect_equal_values(derive(system).dynamics, expected);
  expect_equal_values(derive(system, {Method::kLagrangian}).dynamics, expected);
}

// 003 eq. 11 and 17 for all Euler sequences: equations for rates of coordinates are T^T times those
// for the quasi-velocities u = T q', at the same motion.
TEST(Equations, QuasiCoordinatesGiveTheSameMotionForAllEulerSequences) {
  for (const char* sequence :
       {"XYX", "XYZ", "XZX", "XZY", "YXY", "YXZ", "YZX", "YZY", "ZXY", "ZXZ", "ZYX", "ZYZ"}) {
    SCOPED_TRACE(sequence);
    const auto build = [&](bool quasi) {
      System system;
      system.gravity = Vector3(symbol("gx"), symbol("gy"), symbol("gz"));
      std::vector<Expr> pose_coordinates;
      for (const char* name : {"rx", "ry", "rz", "a1", "a2", "a3"})
        pose_coordinates.push_back(variable(name));
      const auto& c = pose_coordinates;
      const Frame pose = translate(c[0], c[1], c[2]) * euler_angles(sequence, c[3], c[4], c[5]);
      Frame base = pose;
      if (quasi) {
        base = system.add_base("base", pose, pose_coordinates);
      } else {
        for (const Expr& q : pose_coordinates) system.add_coordinate(q.name());
      }
      const Expr arm = system.add_coordinate("arm");
      const Frame link = base * translate(indexed("lx", 0), indexed("ly", 0), 0) *
                         rotate(Axis::kY, arm) * translate(0, 0, indexed("lz", 0));
      system.bodies = {
          {"base", base, Vector3(indexed("cx", 0), 0, indexed("cz", 0)), indexed("m", 0),
           full_inertia(0)},
          {"arm", link, Vector3(0, indexed("cy", 1), 0), indexed("m", 1), full_inertia(1)}};
      system.forces.push_back({"push",
                               Vector{Frame(), Vector3(symbol("Fx"), 0, symbol("Fz"))},
                               origin(link),
                               link,
                               {}});
      return std::pair(system, pose);
    };
    const auto [rates, pose] = build(false);
    const auto [quasi, same_pose] = build(true);
    const Twist twist = pose.twist();
    std::vector<Expr> u(twist.w.begin(), twist.w.end());
    u.insert(u.end(), twist.v.begin(), twist.v.end());
    symbolic::Substitution in_rates;
    for (std::size_t i = 0; i < 6; ++i) {
      in_rates[quasi.speeds[i]] = u[i];
      in_rates[variable(quasi.speeds[i].name(), 1)] = symbolic::time_derivative(u[i]);
    }
    const std::vector<Expr> e_u = symbolic::substitute(derive(quasi).dynamics, in_rates);
    std::vector<Expr> mapped(7);
    for (const symbolic::Entry& entry : symbolic::jacobian(u, rates.speeds)) {
      mapped[static_cast<std::size_t>(entry.col)] +=
          entry.value * e_u[static_cast<std::size_t>(entry.row)];
    }
    mapped[6] += e_u[6];
    expect_equal_values(mapped, derive(rates).dynamics);
    // The kinematic equations q' = T^-1 u undo u = T q'.
    std::vector<Expr> round_trip, names;
    for (std::size_t i = 0; i < 6; ++i) {
      names.push_back(rates.speeds[i]);
      round_trip.push_back(symbolic::substitute(quasi.rates.at(rates.speeds[i]), in_rates));
    }
    expect_equal_values(round_trip, names);
  }
}

TEST(Equations, PiecesAreAsShortAsInThePaper) {
  const Motorcycle m = make_motorcycle();
  const Expr phi = variable("phi"), psi4 = variable("psi4");
  EXPECT_EQ(kinetic_energy(m.rear_wheel),
            symbol("iry") * pow(variable("theta1", 1) + sin(phi) * variable("psi", 1), 2) / 2);
  EXPECT_EQ(generalized_force(m.front_tire, variable("y", 1)), cos(psi4) * variable("Yf"));
  EXPECT_EQ(generalized_force(m.steering, variable("delta", 1)),
            variable("tau") - symbol("Cdelta") * variable("delta", 1));
  EXPECT_EQ(m.system.constraints[0].expression, cos(variable("psi")) * variable("x", 1) +
                                                    symbol("Rr") * variable("theta1", 1) +
                                                    sin(variable("psi")) * variable("y", 1));
}

TEST(Equations, ForcesActTheSameInWhateverFrameTheyAreGiven) {
  const auto m = make_motorcycle();
  const Force turned = project(m.front_tire, m.rear_wheel.frame);
  EXPECT_EQ(turned.force.frame, m.rear_wheel.frame);
  for (const Expr& u : m.system.speeds) {
    expect_equal_values({generalized_force(m.front_tire, u)}, {generalized_force(turned, u)});
    expect_equal_values({generalized_force(m.steering, u)},
                        {generalized_force(project(m.steering, Frame()), u)});
  }
}

// A regression bound; 001 section 3.3 has 531 additions + 4110 functions + 2983 multiplications for
// the same equations.
TEST(Equations, MotorcycleStaysShort) {
  const std::vector<Expr> dynamics = derive(make_motorcycle().system).dynamics;
  EXPECT_LE(operations(dynamics), 333U);
  EXPECT_LE(operations(dynamics, 4), 329U);
}

// 003's point about momenta: the program grows in proportion to the chain, where the energies'
// derivatives explode.
TEST(Equations, ProgramGrowsNoFasterThanQuadraticallyUpToFortyBodies) {
  std::vector<double> size;
  for (const int n : {5, 10, 20, 40})
    size.push_back(static_cast<double>(operations(derive(spatial_chain(n)).dynamics)));
  for (std::size_t i = 1; i < size.size(); ++i) {
    const double exponent = std::log2(size[i] / size[i - 1]);
    EXPECT_LT(exponent, 1.3) << size[i - 1] << " to " << size[i] << " operations";
  }
}

TEST(Equations, VelocityTransformationHasNoEntryForJointsBehindABody) {
  const System system = spatial_chain(6);
  const auto T = velocity_transformation(system);
  EXPECT_FALSE(T.empty());
  for (const auto& entry : T) EXPECT_LE(entry.col, entry.row / 6);
}

// With the common body at rest 003 eq. 30-32 leave B = 0; the hinges on both sides must show.
TEST(Equations, ACutHingeKeepsTheColumnsOfAllHinges) {
  System system;
  const Expr a = system.add_coordinate("a"), b = system.add_coordinate("b"),
             c = system.add_coordinate("c");
  const Frame crank = rotate(Axis::kZ, a) * translate(symbol("la"), 0, 0);
  const Frame coupler = crank * rotate(Axis::kZ, b) * translate(symbol("lb"), 0, 0);
  const Frame rocker =
      translate(symbol("d"), 0, 0) * rotate(Axis::kZ, c) * translate(symbol("lc"), 0, 0);
  system.bodies = {make_body("crank", origin(crank), symbol("m"), 0, 0, symbol("J"))};
  close_loop_in_plane(&system, "pin", coupler, rocker, Axis::kZ);
  const Equations equations = derive(system);
  ASSERT_EQ(equations.velocity_constraints.size(), 2U);
  const auto B = symbolic::jacobian(equations.velocity_constraints, system.speeds);
  EXPECT_EQ(B.size(), 6U) << "two rows, three hinges";
}

TEST(Equations, ARateThatIsNotTheDerivativeIsRefused) {
  Motorcycle m = make_motorcycle();
  m.system.constraints[2].rate = m.system.constraints[2].rate + symbol("Rr") * variable("phi", 1);
  EXPECT_THROW(derive(m.system), std::invalid_argument);
}

// A stop that is not touched: its force has a power of a negative number in it.
TEST(Equations, PotentialsActWhereTheirBranchIsTaken) {
  System system;
  system.name = "stop";
  const Expr s = system.add_coordinate("s"), u = system.add_coordinate("u");
  for (const Expr& q : {s, u})
    system.bodies.push_back({"m_" + std::string(q.name()), translate(0, 0, q), Vector3::Zero(),
                             symbol("m"), Matrix3::Zero()});
  const Expr gap = s - u - symbol("s0");
  system.potentials.push_back({"stop", select(gap > 0, symbol("k") * pow(gap, Expr(5) / 2), 0)});
  const Equations equations = derive(system);
  Bindings at = {{symbol("m"), 2.5},      {symbol("k"), 300.0},     {symbol("s0"), 0.7},
                 {variable("s", 2), 1.3}, {variable("u", 2), -0.4}, {u, 0.2}};
  at[s] = 0.6;  // 0.3 to go
  EXPECT_NEAR(symbolic::evaluate(equations.dynamics, at)[0], 2.5 * 1.3, 1e-13);
  at[s] = 1.15;  // pressed in by 0.25
  const double force = 300 * 2.5 * std::pow(0.25, 1.5);
  EXPECT_NEAR(symbolic::evaluate(equations.dynamics, at)[0], 2.5 * 1.3 + force, 1e-11);
  EXPECT_NEAR(symbolic::evaluate(equations.dynamics, at)[1], 2.5 * -0.4 - force, 1e-11);
}

TEST(Equations, SaysWhenThereIsNothingToDerive) {
  EXPECT_THROW(derive(System{}), std::invalid_argument);
  System system;
  const Frame base = system.add_base(
      "base",
      translate(variable("x"), variable("y"), variable("z")) *
          euler_angles("ZYX", variable("a"), variable("b"), variable("c")),
      {variable("x"), variable("y"), variable("z"), variable("a"), variable("b"), variable("c")});
  system.bodies = {
      make_body("base", origin(base), symbol("m"), symbol("J1"), symbol("J2"), symbol("J3"))};
  EXPECT_THROW(derive(system, {Method::kLagrangian}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::lagrange
