// dv'/d[q; v] of every formulation: against difference quotients, and `ta` against `ce`, whose
// derivatives come from another route; and what stiff methods have of them.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/test/allocation_count.h"
#include "camber/integrate/fixed_step.h"
#include "camber/integrate/integrator.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/mechanism_file.h"
#include "tests/mechanisms/mechanism_system.h"

namespace camber::multibody {
namespace {

using mechanism_test::make_medley;
using mechanism_test::make_parallelogram;
using mechanism_test::make_system;
using mechanism_test::mechanism_files;

std::span<double> span(VectorX<double>& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

std::vector<Mechanism> make_mechanisms() {
  std::vector<Mechanism> mechanisms = {make_medley()};
  for (const std::string& file : mechanism_files()) mechanisms.push_back(load_mechanism(file));
  return mechanisms;
}

/// Somewhere near the start, all speeds different; loops a little open, for a derivative of what
/// closes them: accelerations of `ta` and `fa` have values there, too.
VectorX<double> find_state(const MechanismDynamics& dynamics, double opening) {
  VectorX<double> x(dynamics.nq() + dynamics.nv());
  x << dynamics.initial_q(), dynamics.initial_v();
  for (int k = 0; k < dynamics.nv(); ++k)
    x[dynamics.nq() + k] += 0.3 * std::sin(1.7 * k + 0.4) * (opening > 0 ? opening : 1);
  for (int k = 0; k < dynamics.nq(); ++k) x[k] += 0.01 * opening * std::sin(2.3 * k + 0.8);
  return x;
}

/// How far J is from difference quotients of order 4, entry by entry, over the largest entry of
/// all: rounding in a quotient is that of the forces inside, also where what they leave is zero.
/// The best of several steps: the poses of a screw with a pitch of millimeters bend too much for a
/// long one, where forces are large against what they leave a short one sees their rounding.
double calc_error(const integrate::Ode& ode, double t, VectorX<double> x) {
  const int n = ode.size;
  MatrixX<double> J(n, n);
  EXPECT_TRUE(ode.jacobian(t, span(x), {J.data(), static_cast<std::size_t>(J.size())}));
  double least = INFINITY;
  VectorX<double> value(n);
  for (const double h : {1e-2, 1e-3, 3e-4, 3e-5, 3e-6}) {
    MatrixX<double> quotients = MatrixX<double>::Zero(n, n);
    for (int j = 0; j < n; ++j) {
      const double at = x[j];
      for (const auto& [steps, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
        x[j] = at + steps * h;
        EXPECT_TRUE(ode.f(t, span(x), span(value)));
        quotients.col(j) += weight / (12 * h) * value;
      }
      x[j] = at;
    }
    least = std::min(least, (J - quotients).cwiseAbs().maxCoeff() / J.cwiseAbs().maxCoeff());
  }
  return least;
}

TEST(Jacobian, OfMultipliersMatchesDifferenceQuotients) {
  int checked = 0;
  for (const Mechanism& mechanism : make_mechanisms()) {
    for (const Formulation formulation : {Formulation::kTa, Formulation::kFa}) {
      for (const auto kind : {Stabilization::Kind::kProjection, Stabilization::Kind::kBaumgarte}) {
        const bool is_projected = kind == Stabilization::Kind::kProjection;
        SCOPED_TRACE(mechanism.name + ", " + to_text(formulation) +
                     (is_projected ? ", projected" : ", Baumgarte"));
        const auto dynamics = std::make_shared<MechanismDynamics>(
            mechanism, formulation, Stabilization{.kind = kind, .rate = 13});
        VectorX<double> x = find_state(*dynamics, is_projected ? 0 : 1);
        const double t = 0.2;
        const auto nq = static_cast<std::size_t>(dynamics->nq());
        if (is_projected) {
          ASSERT_TRUE(dynamics->project(t, span(x).first(nq), span(x).subspan(nq)))
              << dynamics->why();
        }
        EXPECT_LT(calc_error(make_ode(make_system(dynamics)), t, x), 5e-8);
        ++checked;
      }
    }
  }
  EXPECT_GE(checked, 4 * 22);
}

// Where all rows together are nearly singular `ce` goes on by multipliers, and so do derivatives.
TEST(Jacobian, OfConstraintEmbeddingFollowsItPastASingularConfiguration) {
  const auto dynamics = std::make_shared<MechanismDynamics>(make_parallelogram(1.1));
  integrate::FixedStepper stepper(make_system(dynamics));
  VectorX<double> q = dynamics->initial_q(), v = dynamics->initial_v();
  for (int i = 0; i < 10000 && !dynamics->is_passing(); ++i)
    ASSERT_TRUE(stepper.step(i * 1e-4, 1e-4, span(q), span(v)).ok());
  ASSERT_TRUE(dynamics->is_passing());
  VectorX<double> x(q.size() + v.size());
  x << q, v;
  EXPECT_LT(calc_error(make_ode(make_system(dynamics)), 0, x), 5e-8);
}

/// Derivatives of ce's state by its independent part, in dual numbers: a motion within the constraints, and its
/// accelerations.
struct EmbeddedDual {
  EmbeddedDual(const Model<double>& real, const Partition& partition)
      : model(cast_model<Dual>(real)), work(model, partition), v_dot(real.nv) {}
  Model<Dual> model;
  EmbeddedWork<Dual> work;
  VectorX<Dual> q, v, v_dot;
};

// Two ways to one derivative: loops that are closed in dual numbers, and equations with multipliers
// that are differentiated as they stand.
TEST(Jacobian, OfTreeAugmentedIsThatOfConstraintEmbeddingWithinTheConstraints) {
  int columns = 0;
  for (const std::string& file : mechanism_files()) {
    SCOPED_TRACE(file);
    const Mechanism mechanism = load_mechanism(file);
    MechanismDynamics ce(mechanism, Formulation::kCe), ta(mechanism, Formulation::kTa);
    const int nq = ce.nq(), nv = ce.nv();
    const bool is_driven =
        std::ranges::any_of(ce.tree().motions, [](const auto& m) { return !!m; });
    if (is_driven) continue;  // EmbeddedDual knows no given motions
    VectorX<double> x = find_state(ce, 0);
    ASSERT_TRUE(ce.project(0, span(x).first(static_cast<std::size_t>(nq)),
                           span(x).subspan(static_cast<std::size_t>(nq))));
    VectorX<double> J(nv * (nq + nv));
    ASSERT_TRUE(ta.calc_jacobian(0, span(x).first(static_cast<std::size_t>(nq)),
                                 span(x).subspan(static_cast<std::size_t>(nq)), span(J)));
    const Eigen::Map<const MatrixX<double>> by_state(J.data(), nv, nq + nv);
    EmbeddedDual d(ce.tree().model, ce.partition());
    for (const int k : ce.partition().v_of_y) {
      for (const bool is_speed : {false, true}) {
        d.q = x.head(nq).cast<Dual>();
        d.v = x.tail(nv).cast<Dual>();
        int place = -1;  // of the coordinate whose speed this is
        for (const Link<double>& link : ce.tree().model.links)
          if (link.nv == 1 && link.v_start == k) place = link.q_start;
        if (place < 0) continue;
        (is_speed ? d.v[k] : d.q[place]).set_partial(0, 1);
        ASSERT_TRUE(calc_embedded_dynamics(d.model, ce.partition(),
                                           static_cast<const VectorX<Dual>*>(nullptr), &d.work,
                                           &d.q, &d.v, &d.v_dot)
                        .ok());
        VectorX<double> motion(nq + nv), expected(nv);
        for (int i = 0; i < nq; ++i) motion[i] = d.q[i].partial(0);
        for (int i = 0; i < nv; ++i) motion[nq + i] = d.v[i].partial(0);
        for (int i = 0; i < nv; ++i) expected[i] = d.v_dot[i].partial(0);
        const double size = (by_state.cwiseAbs() * motion.cwiseAbs()).maxCoeff();
        // Derivatives that vanish are left by terms as large as the accelerations themselves,
        // which are thousands of rad/s^2 for the spindle of a jack.
        double largest = 0;
        for (int i = 0; i < nv; ++i) largest = std::max(largest, std::abs(d.v_dot[i].value));
        EXPECT_LT((by_state * motion - expected).cwiseAbs().maxCoeff(),
                  1e-10 * size + 1e-14 * largest + 1e-12)
            << "by " << ce.tree().v_names[k] << (is_speed ? "'" : "");
        ++columns;
      }
    }
  }
  EXPECT_GE(columns, 40);
}

struct StiffRun {
  std::vector<double> poses;
  double evaluations = 0;  // of accelerations, those of Jacobians and quotients included
};
StiffRun run_bdf(const Mechanism& mechanism, Formulation formulation, bool has_jacobian,
                 double tolerance) {
  const auto owned = std::make_shared<MechanismDynamics>(mechanism, formulation);
  MechanismDynamics& dynamics = *owned;
  integrate::MechanicalSystem system = make_system(owned);
  StiffRun run;
  const auto counted = [&run](const auto& function) {
    return [&run, function](double t, auto q, auto v, auto out) {
      ++run.evaluations;
      return function(t, q, v, out);
    };
  };
  system.accelerations = counted(system.accelerations);
  if (has_jacobian) {
    system.jacobian = counted(system.jacobian);
  } else {
    system.jacobian = {};
  }
  integrate::Integrator integrator(make_ode(std::move(system)),
                                   {.method = integrate::Method::kBdf,
                                    .relative_tolerance = tolerance,
                                    .absolute_tolerance = 0.01 * tolerance});
  VectorX<double> x(dynamics.nq() + dynamics.nv());
  x << dynamics.initial_q(), dynamics.initial_v();
  integrator.start(0, span(x));
  const integrate::StepResult result = integrator.advance_to(1);
  EXPECT_TRUE(result.ok()) << result.text;
  const double evaluations = run.evaluations;
  Observation seen;
  const auto end = integrator.x();
  const auto nq = static_cast<std::size_t>(dynamics.nq());
  EXPECT_TRUE(dynamics.observe(1, end.first(nq), end.subspan(nq), &seen));
  run.poses = seen.poses;
  run.evaluations = evaluations;
  return run;
}

// The excavator's cylinders are dampers with rates of 1e3/s, its run lasts a second. How many steps
// BDF takes scatters by some percent with rounding: counted over several tolerances.
TEST(Jacobian, SparesStiffRunsTheirDifferenceQuotients) {
  for (const char* file : {"models/excavator-arm.toml", "models/double-wishbone.toml"}) {
    const Mechanism mechanism = load_mechanism(file);
    const StiffRun ce = run_bdf(mechanism, Formulation::kCe, true, 1e-9);
    for (const Formulation formulation : {Formulation::kTa, Formulation::kFa}) {
      SCOPED_TRACE(testing::Message() << file << " " << to_text(formulation));
      const StiffRun exact = run_bdf(mechanism, formulation, true, 1e-9);
      double by_jacobian = 0, by_quotients = 0;
      for (const double tolerance : {3e-8, 1e-8, 3e-9, 1e-9, 3e-10}) {
        by_jacobian += run_bdf(mechanism, formulation, true, tolerance).evaluations;
        by_quotients += run_bdf(mechanism, formulation, false, tolerance).evaluations;
      }
      EXPECT_LT(by_jacobian, 0.85 * by_quotients) << by_jacobian << " " << by_quotients;
      ASSERT_EQ(exact.poses.size(), ce.poses.size());
      double off = 0;
      for (std::size_t i = 0; i < ce.poses.size(); i += 7)
        for (std::size_t k = i; k < i + 3; ++k)
          off = std::max(off, std::abs(exact.poses[k] - ce.poses[k]));
      EXPECT_LT(off, 1e-8);
    }
  }
}

// A load that changes is one of the derivative, too, and nothing is allocated behind the first one.
TEST(Jacobian, FollowsLoadsAndAllocatesNothing) {
  Mechanism mechanism = load_mechanism("models/stewart-platform.toml");
  Wrench wrench;
  wrench.name = "load";
  wrench.body = BodyIndex(1);
  wrench.p_BQ_B = {0.1, 0.2, -0.1};
  mechanism.wrenches.push_back(wrench);
  for (const Formulation formulation : {Formulation::kTa, Formulation::kFa}) {
    SCOPED_TRACE(to_text(formulation));
    MechanismDynamics dynamics(mechanism, formulation), fresh(mechanism, formulation);
    VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v(),
                    J(dynamics.nv() * (dynamics.nq() + dynamics.nv())), without = J, expected = J;
    ASSERT_TRUE(dynamics.calc_jacobian(0, span(q), span(v), span(without)));
    dynamics.set_wrench(0, {300, -200, 500}, {10, 20, -40});
    const long before = allocation_count();
    ASSERT_TRUE(dynamics.calc_jacobian(0, span(q), span(v), span(J)));
    EXPECT_EQ(allocation_count() - before, 0);
    fresh.set_wrench(0, {300, -200, 500}, {10, 20, -40});
    ASSERT_TRUE(fresh.calc_jacobian(0, span(q), span(v), span(expected)));
    EXPECT_EQ(J, expected);
    EXPECT_GT((J - without).cwiseAbs().maxCoeff(), 1e-3 * without.cwiseAbs().maxCoeff());
  }
}

}  // namespace
}  // namespace camber::multibody
