// 003's HMMWV of 10 bodies: figures that follow from models/hmmwv.toml, and accelerations by
// Lagrange's equations in quasi-velocities and the sparse L D L^T that equal the recursion's.
#include "bench/vehicle/ten_body.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/codegen/interpreter.h"
#include "camber/codegen/test/compiled.h"
#include "camber/core/random.h"
#include "camber/lagrange/forward_dynamics.h"
#include "camber/lagrange/model_file.h"
#include "camber/symbolic/evaluate.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber {
namespace {

using lagrange::AccelerationEquations;
using multibody::MechanismDynamics;
using vehicle::Part;

constexpr double kTolerance = 1e-10;

const lagrange::LagrangianModel& model() {
  static const auto loaded = lagrange::load_lagrangian("models/hmmwv-10-body.toml");
  return loaded;
}

double figure(const std::string& name) {
  static const auto values = lagrange::parameter_values(model().system);
  return symbolic::evaluate(values.at(symbolic::symbol(name)), {});
}

// --- Figures ---

Part point_mass(double mass, const Vector3& place) { return {mass, place, Matrix3::Zero()}; }

Part mirrored(const Part& part) {
  const Matrix3 S = Vector3(1, -1, 1).asDiagonal();
  return {part.mass, S * part.center, S * part.inertia * S};
}

/// All of them as one rigid body.
Part lump(const std::vector<Part>& parts) {
  Part sum{0, Vector3::Zero(), Matrix3::Zero()};
  for (const Part& part : parts) {
    sum.mass += part.mass;
    sum.center += part.mass * part.center;
  }
  sum.center /= sum.mass;
  for (const Part& part : parts) {
    const Vector3 r = part.center - sum.center;
    sum.inertia +=
        part.inertia + part.mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
  }
  return sum;
}

void expect_part(const std::string& name, const Part& part) {
  SCOPED_TRACE(name);
  EXPECT_NEAR(figure(name + "_mass"), part.mass, 1e-9);
  int k = 0;
  for (const char* axis : {"_x", "_y", "_z"})
    EXPECT_NEAR(figure(name + axis), part.center[k++], 1e-9) << axis;
  const std::pair<const char*, double> elements[] = {
      {"_xx", part.inertia(0, 0)}, {"_yy", part.inertia(1, 1)}, {"_zz", part.inertia(2, 2)},
      {"_xy", part.inertia(0, 1)}, {"_xz", part.inertia(0, 2)}, {"_yz", part.inertia(1, 2)}};
  for (const auto& [element, value] : elements)
    EXPECT_NEAR(figure(name + element), value, 1e-6) << element;
}

// Half of every arm, rod and lever at either end; the lower shock with its arm, the upper one with
// the chassis.
TEST(TenBodyHmmwv, HasTheMassesOfThirtySixBodies) {
  const vehicle::Vehicle hmmwv = vehicle::load_vehicle("models/hmmwv.toml");
  const vehicle::Steering& steering = *hmmwv.steering;
  std::vector<Part> chassis = {hmmwv.chassis,
                               point_mass(steering.pitman.mass / 2, steering.pitman_pivot),
                               point_mass(steering.idler.mass / 2, steering.idler_pivot)};
  std::vector<Part> link = {steering.link,
                            point_mass(steering.pitman.mass / 2, steering.pitman_end),
                            point_mass(steering.idler.mass / 2, steering.idler_end)};
  double total = 0;
  for (const vehicle::Axle& axle : hmmwv.axles) {
    const vehicle::Hardpoints& p = axle.points;
    const double lower = (axle.lower_arm.mass + axle.lower_shock.mass) / 2,
                 upper = axle.upper_arm.mass / 2, rod = axle.tie_rod.mass / 2;
    expect_part(axle.name,
                lump({axle.upright, axle.spindle, point_mass(lower, p.lower_ball),
                      point_mass(upper, p.upper_ball), point_mass(rod, p.tie_rod_outer)}));
    std::vector<Part>& rod_base = axle.name == "front" ? link : chassis;
    for (const bool is_left : {true, false}) {
      const auto side = [&](const Part& part) { return is_left ? part : mirrored(part); };
      chassis.push_back(side(point_mass(lower, (p.lower_front + p.lower_back) / 2)));
      chassis.push_back(side(point_mass(upper, (p.upper_front + p.upper_back) / 2)));
      chassis.push_back(side(point_mass(axle.upper_shock.mass, p.shock_top)));
      rod_base.push_back(side(point_mass(rod, p.tie_rod_inner)));
    }
    EXPECT_EQ(figure("wheel_mass"), axle.wheel.part.mass);
    EXPECT_EQ(figure("tire_stiffness"), axle.wheel.vertical_stiffness);
    EXPECT_EQ(figure("tire_damping"), axle.wheel.vertical_damping);
    total += 2 * (figure(axle.name + "_mass") + figure("wheel_mass"));
  }
  expect_part("chassis", lump(chassis));
  expect_part("link", lump(link));
  EXPECT_NEAR(total + figure("chassis_mass") + figure("link_mass"), 2597.138, 1e-6);
}

/// Joint speeds of the 36 bodies in the design position at unit speed of one joint, chassis held.
std::map<std::string, double> move_in_design(const std::string& joint) {
  MechanismDynamics ce(
      vehicle::expand(vehicle::load_vehicle("models/hmmwv.toml"), {.has_fixed_chassis = true})
          .mechanism);
  const std::vector<std::string>& names = ce.tree().v_names;
  std::vector<double> q(ce.initial_q().begin(), ce.initial_q().end()), v(names.size(), 0.0);
  v[std::find(names.begin(), names.end(), joint) - names.begin()] = 1;
  EXPECT_TRUE(ce.project(0, q, v)) << ce.why();
  std::map<std::string, double> speeds;
  for (std::size_t k = 0; k < names.size(); ++k) speeds[names[k]] = v[k];
  return speeds;
}

// The arms turn about x: the ball's speed, once about the arm's hinge and once about the instant
// axis, tells where that is. Springs and shocks do the same work on either.
TEST(TenBodyHmmwv, SwingsAboutTheInstantAxesOfTheArms) {
  const vehicle::Vehicle hmmwv = vehicle::load_vehicle("models/hmmwv.toml");
  for (const vehicle::Axle& axle : hmmwv.axles) {
    SCOPED_TRACE(axle.name);
    const vehicle::Hardpoints& p = axle.points;
    const auto speeds = move_in_design(axle.name + "_left_lower_arm");
    const double swing = 1 + speeds.at(axle.name + "_left_upright");
    const Vector3 hinge = (p.lower_front + p.lower_back) / 2;
    const Vector3 center = p.lower_ball - (p.lower_ball - hinge) / swing;
    EXPECT_NEAR(figure(axle.name + "_hinge_y"), center[1], 1e-9);
    EXPECT_NEAR(figure(axle.name + "_hinge_z"), center[2], 1e-9);
    const auto lever = [&](const Vector3& top, const Vector3& bottom) {
      const Vector3 velocity = Vector3::UnitX().cross(bottom - hinge);
      return (bottom - top).normalized().dot(velocity) / swing;
    };
    const double spring = lever(p.spring_top, p.spring_bottom),
                 shock = lever(p.shock_top, p.shock_bottom);
    const double stiffness = axle.spring.stiffness * spring * spring;
    const double push =
        axle.spring.stiffness * (axle.spring.free_length - (p.spring_top - p.spring_bottom).norm());
    EXPECT_NEAR(figure(axle.name + "_stiffness"), stiffness, 1e-9 * stiffness);
    EXPECT_NEAR(figure(axle.name + "_rest"), push * spring / stiffness, 1e-9);
    EXPECT_NEAR(figure(axle.name + "_damping"),
                0.5 * (axle.shock.compression + axle.shock.rebound) * shock * shock, 1e-5);
  }
}

TEST(TenBodyHmmwv, SteersAsTheLinkageDoesInTheMiddle) {
  const vehicle::Vehicle hmmwv = vehicle::load_vehicle("models/hmmwv.toml");
  const vehicle::Steering& steering = *hmmwv.steering;
  const double pitman = (steering.pitman_end - steering.pitman_pivot).norm();
  const auto speeds = move_in_design("pitman");
  EXPECT_NEAR(figure("steer"), speeds.at("front_left_spindle") / pitman, 1e-8);
  EXPECT_NEAR(figure("steer"), -speeds.at("front_right_spindle") / pitman, 1e-8);  // mirrored
  EXPECT_NEAR(figure("link_damping"), steering.damping / (pitman * pitman), 1e-6);
  const vehicle::Hardpoints& p = hmmwv.axles[0].points;
  const Vector3 up = (p.upper_ball - p.lower_ball).normalized();
  EXPECT_NEAR(figure("inclination"), std::atan2(-up[1], up[2]), 1e-9);
  EXPECT_NEAR(figure("caster"), -std::asin(up[0]), 1e-9);
}

// --- Accelerations ---

/// Both sides of the comparison, and states for it.
class TenBodyDynamics : public testing::Test {
 protected:
  TenBodyDynamics()
      : equations_(make_acceleration_equations(model().system, derive(model().system))),
        program_(make_forward_dynamics(equations_, {})->program),
        interpreter_(program_) {
    for (const symbolic::Expr& p : equations_.parameters)
      figures_.push_back(figure(std::string(p.name())));
  }

  /// [q; u]: attitudes up to 35 degrees, all of the travel, all of the lock, any wheel angle.
  static VectorX<double> make_state(std::uint64_t seed) {
    RandomStream random = RandomStream(seed).substream("ten bodies");
    VectorX<double> x(30);
    for (double& value : x) value = random.uniform(-1, 1);
    return x;
  }
  VectorX<double> scaled(VectorX<double> x) const {
    const auto names = equations_.state();
    for (int i = 0; i < x.size(); ++i) {
      const std::string name = lagrange::text_of(names[i]);
      if (name == "link") x[i] *= 0.06;
      if (name.ends_with("_left") || name.ends_with("_right")) x[i] *= 0.09;
      if (name == "yaw" || name == "pitch" || name == "roll") x[i] *= 0.6;
      if (name.ends_with("_spin") || name.ends_with("_spin'")) x[i] *= 20;
    }
    return x;
  }

  /// t, x, inputs, parameters.
  std::vector<double> known(const VectorX<double>& x, const std::vector<double>& push) const {
    std::vector<double> values = {0.0};
    values.insert(values.end(), x.begin(), x.end());
    values.insert(values.end(), push.begin(), push.end());
    values.insert(values.end(), figures_.begin(), figures_.end());
    return values;
  }

  AccelerationEquations equations_;
  codegen::Program program_;
  codegen::Interpreter<double> interpreter_;
  std::vector<double> figures_;
};

TEST_F(TenBodyDynamics, HaveTenBodiesFifteenSpeedsAndNoMultipliers) {
  EXPECT_EQ(model().system.bodies.size(), 10U);
  EXPECT_EQ(equations_.speeds.size(), 15U);
  EXPECT_TRUE(equations_.multipliers.empty());
  const MechanismDynamics ce(bench::make_ten_body_mechanism(model().system));
  EXPECT_EQ(ce.coordinate_count(), 15);
}

// d'Alembert's principle with one reverse sweep and a sparse elimination on one side, articulated
// inertias and couplers by constraint embedding on the other: they share no line of code.
TEST_F(TenBodyDynamics, AreThoseOfTheRecursion) {
  multibody::Mechanism mechanism = bench::make_ten_body_mechanism(model().system);
  const std::vector<double> push = {1300, -700, 450, 2100};
  for (int i = 0; i < 4; ++i) mechanism.wrenches[i].force = {0, 0, push[i]};
  MechanismDynamics ce(mechanism);
  const bench::TenBodyOrder order(equations_, ce.tree(), figure("steer"));
  VectorX<double> q, v, v_dot(ce.nv());
  std::vector<double> results(program_.output_size());
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const VectorX<double> x = scaled(make_state(seed));
    order.to_mechanism(x, &q, &v);
    ASSERT_TRUE(ce.calc_accelerations(0, {q.data(), static_cast<std::size_t>(q.size())},
                                      {v.data(), static_cast<std::size_t>(v.size())},
                                      {v_dot.data(), static_cast<std::size_t>(v_dot.size())}))
        << ce.why();
    ASSERT_EQ(interpreter_.run(known(x, push), results), 0);
    const VectorX<double> expected = order.accelerations(v_dot);
    const Eigen::Map<const VectorX<double>> u_dot(results.data() + 15, 15);
    for (int i = 0; i < 15; ++i) {
      EXPECT_NEAR(u_dot[i], expected[i], kTolerance * (1 + expected.cwiseAbs().maxCoeff()))
          << equations_.speeds[i];
    }
  }
}

// As written and compiled by the system's compilers.
TEST_F(TenBodyDynamics, AreTheSameAsGeneratedCode) {
  const codegen::test::Compiled cpp(program_, codegen::Language::kCpp),
      fortran(program_, codegen::Language::kFortran);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::vector<double> inputs = known(scaled(make_state(seed)), {300, 0, -900, 50});
    std::vector<double> expected(program_.output_size()), a = expected, b = expected;
    ASSERT_EQ(interpreter_.run(inputs, expected), 0);
    ASSERT_EQ(cpp.run(inputs, a), 0);
    ASSERT_EQ(fortran.run(inputs, b), 0);
    double largest = 1;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(a[i], expected[i], 1e-12 * largest);
      EXPECT_NEAR(b[i], expected[i], 1e-12 * largest);
    }
  }
}

}  // namespace
}  // namespace camber
