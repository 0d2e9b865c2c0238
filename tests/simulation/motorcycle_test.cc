// The nonlinear motorcycle of 001 in time: beside its linear model, and with the books of its
// energy kept. Its wheels have no inertia but about their axles: the mass matrix is singular.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include <gtest/gtest.h>

#include "camber/lagrange/model_file.h"
#include "camber/math/dense.h"
#include "tests/simulation/simulate.h"

namespace camber {
namespace {

using namespace lagrange;
using symbolic::variable;

constexpr double kSpeed = 20;       // [m/s]
constexpr double kRadius = 0.3048;  // [m] of both wheels

System load_motorcycle() { return load_lagrangian("models/motorcycle.toml").system; }

/// Straight running with a lean and its rate.
std::vector<double> start_running(SimulationModel* model, double lean, double lean_rate) {
  return consistent_state(model, {{variable("x", 1), kSpeed, true},
                                  {variable("phi"), lean, true},
                                  {variable("phi", 1), lean_rate, true},
                                  {variable("y"), 0, true},
                                  {variable("y", 1), 0, true},
                                  {variable("psi"), 0, true},
                                  {variable("psi", 1), 0, true},
                                  {variable("delta"), 0, true},
                                  {variable("delta", 1), 0, true},
                                  {variable("theta1", 1), -kSpeed / kRadius},
                                  {variable("theta4", 1), -kSpeed / kRadius}});
}

TEST(Motorcycle, IsSetRunningByItsSpeedAndLeanAlone) {
  SimulationModel model(load_motorcycle());
  const double lean = 0.2;
  const auto x =
      consistent_state(&model, {{variable("x", 1), kSpeed, true}, {variable("phi"), lean, true}});
  std::vector<double> expected(x.size(), 0.0);
  expected[model.index_of(variable("x", 1))] = kSpeed;
  expected[model.index_of(variable("phi"))] = lean;
  expected[model.index_of(variable("phi4"))] = lean;  // the front wheel leans along
  expected[model.index_of(variable("theta1", 1))] = -kSpeed / kRadius;
  expected[model.index_of(variable("theta4", 1))] = -kSpeed / kRadius;
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(x[i], expected[i], 1e-12) << model.state_names()[i];
  }
}

// The eigenvalues at 20 m/s of 001 section 4.4, here to more digits (its data as exact decimals, in
// 40-digit arithmetic).
const std::array<std::complex<double>, 8> kEigenvalues = {
    {{-79.597203477239891, 0},
     {-59.951866254374850, 0},
     {-20.433508608804592, 0},
     {-5.8256097189029713, 54.182052621366449},
     {-5.8256097189029713, -54.182052621366449},
     {-4.0423013318117901, 15.801366269771247},
     {-4.0423013318117901, -15.801366269771247},
     {0.092661595348083293, 0}}};

Eigen::MatrixXd jacobian_of_straight_run(SimulationModel* model) {
  const auto x0 = start_running(model, 0, 0);
  const int n = model->state_size();
  Eigen::MatrixXd J(n, n);
  EXPECT_TRUE(model->calc_jacobian(0, x0, std::span(J.data(), static_cast<std::size_t>(n) * n)));
  return J;
}

TEST(Motorcycle, HasTheLinearModelsEigenvaluesInTheJacobianOfTheNonlinearOne) {
  for (const auto method :
       {DerivationOptions::Method::kMomentum, DerivationOptions::Method::kVakonomic}) {
    SCOPED_TRACE(testing::Message() << "method " << static_cast<int>(method));
    SimulationModel model(load_motorcycle(), {.derivation = {method}});
    const Eigen::VectorXcd found = math::calc_eigen(jacobian_of_straight_run(&model)).values;
    for (const auto& expected : kEigenvalues) {
      const double distance = (found.array() - expected).abs().minCoeff();
      // Redundant coordinates add a cluster of zeros without eigenvectors of their own; it blurs
      // the small eigenvalue near it.
      EXPECT_LT(distance, 1e-9 * std::abs(expected) + 2e-6) << expected;
    }
  }
}

TEST(Motorcycle, RunsAsStraightLineCodeInSpiteOfItsSingularMassMatrix) {
  SimulationModel model(load_motorcycle());
  ASSERT_TRUE(model.forward_dynamics().has_value());
  SimulationModel dense(load_motorcycle(), {.eliminate_symbolically = false});
  const auto x = start_running(&model, 0.3, -0.4);
  std::vector<double> fast(x.size()), slow(x.size());
  ASSERT_TRUE(model.calc_state_rate(0, x, fast));
  ASSERT_TRUE(dense.calc_state_rate(0, x, slow));
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(fast[i], slow[i], 1e-10 * (1 + std::abs(slow[i])));
  }
}

// x' = J x with the Jacobian along the straight run, which has no time in it.
TEST(Motorcycle, FollowsItsLinearModelFromASmallDisturbance) {
  SimulationModel model(load_motorcycle());
  const Eigen::MatrixXd J = jacobian_of_straight_run(&model);
  const double lean = 1e-5;
  const auto straight = start_running(&model, 0, 0), x0 = start_running(&model, lean, 0);
  std::vector<double> deviation(x0.size());
  for (std::size_t i = 0; i < x0.size(); ++i) deviation[i] = x0[i] - straight[i];
  const integrate::Ode linear{.size = static_cast<int>(x0.size()),
                              .f = [&](double, std::span<const double> x, std::span<double> x_dot) {
                                Eigen::Map<Eigen::VectorXd>(x_dot.data(), J.rows()) =
                                    J * Eigen::Map<const Eigen::VectorXd>(x.data(), J.rows());
                                return true;
                              }};
  const auto times = integrate::make_times(0, 3, 150);
  auto options = tight(1e-10);
  options.absolute_tolerance = 1e-14;
  const auto nonlinear_run = integrate::integrate(make_ode(&model), x0, times, options);
  const auto linear_run = integrate::integrate(linear, deviation, times, options);
  ASSERT_TRUE(nonlinear_run.result.ok()) << nonlinear_run.result.text;
  ASSERT_TRUE(linear_run.result.ok()) << linear_run.result.text;
  for (const char* name : {"phi", "delta", "psi", "y", "Yr", "Yf"}) {
    SCOPED_TRACE(name);
    const int k = model.index_of(variable(name));
    double size = 0, difference = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      size = std::max(size, std::abs(linear_run.x(i)[k]));
      difference = std::max(difference, std::abs(nonlinear_run.x(i)[k] - linear_run.x(i)[k]));
    }
    EXPECT_GT(size, 1e-7);
    EXPECT_LT(difference, 1e-4 * size);
  }
}

// What tires, loads, damper and rider put in, added up as a variable of its own.
TEST(Motorcycle, KeepsTheBooksOfItsEnergyInALargeSwerve) {
  System system = load_motorcycle();
  Expr power;
  for (const Expr& u : system.speeds) {
    for (const Force& force : system.forces) power += generalized_force(force, u) * u;
    for (const Torque& torque : system.torques) power += generalized_force(torque, u) * u;
  }
  const Expr work = variable("work");
  system.extra.push_back({work, variable("work", 1) - power});
  SimulationModel model(system);
  model.set_input(variable("tau"), [](double t) { return 12 * std::sin(2.5 * t); });
  const auto x0 = start_running(&model, 0.4, 0.3);
  const auto energy = model.observe(total_energy(system));
  const auto run =
      integrate::integrate(make_ode(&model), x0, integrate::make_times(0, 1.5, 75), tight(1e-10));
  ASSERT_TRUE(run.result.ok()) << run.result.text;
  const int phi = model.index_of(variable("phi")), w = model.index_of(work);
  double largest_lean = 0, largest_work = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const auto x = run.x(i);
    EXPECT_NEAR(energy(run.times[i], x) - x[w], energy(0, x0), 1e-5) << "t = " << run.times[i];
    EXPECT_LT(model.constraint_error(run.times[i], x), 1e-10);
    largest_lean = std::max(largest_lean, std::abs(x[phi]));
    largest_work = std::max(largest_work, std::abs(x[w]));
  }
  EXPECT_GT(largest_lean, 0.4);
  EXPECT_GT(largest_work, 5);  // [J], against an error of 1e-5
}

TEST(Motorcycle, RidesTheSameWhateverTheOrderOfItsConstraints) {
  const auto times = integrate::make_times(0, 0.5, 5);
  std::vector<integrate::Trajectory> runs;
  for (const auto& order :
       {std::array{0, 1, 2, 3}, std::array{2, 1, 3, 0}, std::array{3, 2, 1, 0}}) {
    System system = load_motorcycle();
    const auto constraints = system.constraints;
    for (std::size_t i = 0; i < 4; ++i) system.constraints[i] = constraints[order[i]];
    SimulationModel model(system);
    runs.push_back(integrate::integrate(make_ode(&model), start_running(&model, 0.2, -0.1), times,
                                        tight(1e-10)));
    ASSERT_TRUE(runs.back().result.ok()) << runs.back().result.text;
  }
  for (std::size_t i = 0; i < runs[0].states.size(); ++i) {
    const double scale = 1 + std::abs(runs[0].states[i]);
    EXPECT_NEAR(runs[0].states[i], runs[1].states[i], 1e-7 * scale);
    EXPECT_NEAR(runs[0].states[i], runs[2].states[i], 1e-7 * scale);
  }
}

}  // namespace
}  // namespace camber
