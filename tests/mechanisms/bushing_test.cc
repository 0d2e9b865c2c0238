// Elastic elements where they are not small: bushings that turn far, springs of length zero.

#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "camber/core/diagnostics.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/integrate/fixed_step.h"
#include "camber/math/rotation_vector.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/scalars.h"
#include "camber/multibody/test/spans.h"
#include "camber/symbolic/evaluate.h"

namespace camber::multibody {
namespace {

Vector3 random_axis(RandomStream* random) {
  Vector3 axis;
  for (double& x : axis) x = random->uniform(-1, 1);
  return axis.normalized();
}

// Angles down to rounding and up to pi, in every kind of number.
TEST(RotationVector, IsTheAngleTimesTheAxis) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    const Vector3 axis = random_axis(&random);
    for (const double angle : {0.0, 1e-12, 1e-6, 9e-4, 1.9e-3, 2.1e-3, 0.3, 1.7, 2.6, 3.1, 3.1415,
                               std::numbers::pi - 1e-6, std::numbers::pi - 1e-9}) {
      SCOPED_TRACE(testing::Message() << "angle " << angle);
      const Matrix3 R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
      const Vector3 turn = to_eigen(math::rotation_vector(to_mat3(R)));
      EXPECT_LT((turn - angle * axis).norm(), 4e-15 + 1e-15 * angle);
      const Mat3<Lanes> R_lanes = cast<Lanes>(to_mat3(R));
      const Mat3<symbolic::Expr> R_symbols = cast<symbolic::Expr>(to_mat3(R));
      const Vec3<Lanes> lanes = math::rotation_vector(R_lanes);
      const Vec3<symbolic::Expr> symbols = math::rotation_vector(R_symbols);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(lanes[i].lane(1), turn[i], 4e-15);
        EXPECT_NEAR(symbolic::evaluate(symbols[i], {}), turn[i], 4e-15);
      }
    }
  }
}

// f . d(turn) = torque . w dt for the rotation [w]x R, the derivative by dual numbers.
TEST(RotationVector, GivesTheTorqueThatDoesItsWork) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomStream random(seed);
    const Vector3 axis = random_axis(&random), f = 3.0 * random_axis(&random),
                  w = random_axis(&random);
    for (const double angle : {0.0, 1e-8, 1e-3, 0.03, 0.032, 0.7, 2.2, 3.1, 3.14159}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", angle " << angle);
      const Matrix3 R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
      Mat3<Dual> moving = cast<Dual>(to_mat3(R));
      for (int j = 0; j < 3; ++j) {
        const Vector3 rate = w.cross(R.col(j));
        Dual entry[3];
        for (int i = 0; i < 3; ++i) {
          entry[i] = Dual(R(i, j));
          entry[i].set_partial(0, rate[i]);
        }
        moving.c[j] = Vec3<Dual>(entry[0], entry[1], entry[2]);
      }
      const Vec3<Dual> turn = math::rotation_vector(moving);
      double work = 0;
      for (int i = 0; i < 3; ++i) work += f[i] * turn[i].partial(0);
      const Vector3 torque =
          to_eigen(math::torque_of_turn(math::rotation_vector(to_mat3(R)), to_vec3(f)));
      EXPECT_NEAR(torque.dot(w), work, 3e-12);
    }
  }
}

struct Drift {
  double energy_change = 0, turned = 0;
};

// Steps of RK4, and the largest angle on the way.
Drift follow(const std::string& text, double end, int steps) {
  const auto dynamics = std::make_shared<MechanismDynamics>(parse_mechanism(text, "m.toml"));
  integrate::MechanicalSystem system;
  system.nq = dynamics->nq();
  system.nv = dynamics->nv();
  system.blocks.push_back({.kind = integrate::CoordinateBlock::Kind::kPose});
  system.accelerations = [dynamics](double t, std::span<const double> q, std::span<const double> v,
                                    std::span<double> v_dot) {
    return dynamics->calc_accelerations(t, q, v, v_dot);
  };
  VectorX<double> q = dynamics->initial_q(), v = dynamics->initial_v();
  Observation seen;
  const auto energy = [&](double t) {
    EXPECT_TRUE(dynamics->observe(t, in(q), in(v), &seen)) << dynamics->why();
    return seen.kinetic_energy + seen.gravity_energy + seen.elastic_energy;
  };
  Drift result;
  const double before = energy(0), h = end / steps;
  integrate::FixedStepper stepper(system);
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(stepper.step(i * h, h, out(&q), out(&v)).ok());
    result.turned = std::max(result.turned, 2 * std::acos(std::min(1.0, std::abs(q[0]))));
  }
  result.energy_change = energy(end) - before;
  return result;
}

// All six displacements are coupled, and the body turns by more than two radians.
TEST(Bushing, KeepsItsEnergyThroughLargeRotations) {
  const std::string text = R"(
kind = "mechanism"
name = "held"
[bodies.b]
mass = 3
center = [0.1, 0.05, 0.2]
inertia = [0.1, 0.12, 0.09]
[joints.f]
type = "free"
child = "b"
speed = [4, -3, 5, 0.1, 0.2, -0.3]
[bushings.k]
b = "b"
frame = { at = [0.1, 0.2, 0.05], euler = [0.2, 0.3, -0.4] }
stiffness = [[4, 0.6, 0.2, 1, 0, 0.4], [0.6, 5, 0.4, 0, 0.8, 0.2], [0.2, 0.4, 6, 0.2, 0, 0.6],
  [1, 0, 0.2, 180, 4, 2], [0, 0.8, 0, 4, 200, 6], [0.4, 0.2, 0.6, 2, 6, 220]]
)";
  const Drift coarse = follow(text, 1.5, 1500), fine = follow(text, 1.5, 3000);
  EXPECT_GT(coarse.turned, 1.5);
  EXPECT_LT(coarse.turned, 3.1);
  EXPECT_LT(std::abs(coarse.energy_change), 1e-6);
  // The energy of Runge-Kutta's method of order four drifts with the fourth or fifth power.
  EXPECT_LT(std::abs(fine.energy_change), std::abs(coarse.energy_change) / 13);
}

// The antisymmetric part of a rotation by nearly pi is as small as of one by nearly zero.
TEST(Bushing, TurnsBackFromNearlyHalfATurn) {
  for (const char* angle : {"3.1410", "3.14155", "3.141592"}) {
    const Mechanism mechanism = parse_mechanism(concat(R"(
kind = "mechanism"
name = "turned"
gravity = [0, 0, 0]
[bodies.b]
mass = 3
inertia = [0.1, 0.12, 0.09]
[joints.f]
type = "revolute"
child = "b"
at = [0, 0, 0]
axis = "z"
position = )",
                                                       angle, R"(
[bushings.k]
b = "b"
a_frame = {}
b_frame = {}
stiffness = [2, 2, 2, 0, 0, 0]
)"),
                                                "m.toml");
    MechanismDynamics dynamics(mechanism);
    VectorX<double> a(1);
    ASSERT_TRUE(dynamics.calc_accelerations(0, in(dynamics.initial_q()), in(dynamics.initial_v()),
                                            out(&a)));
    EXPECT_NEAR(a[0], -2 * dynamics.initial_q()[0] / 0.09, 1e-9);
  }
}

std::string mistakes_of(const std::string& stiffness) {
  try {
    parse_mechanism(concat("kind = \"mechanism\"\nname = \"b\"\n[bodies.b]\nmass = 3\n"
                           "inertia = [0.1, 0.12, 0.09]\n[bushings.k]\nb = \"b\"\n"
                           "frame = { at = [0.1, 0.2, 0.05] }\n",
                           stiffness, "\n"),
                    "m.toml");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return "";
}

TEST(Bushing, IsRefusedWithoutAnEnergy) {
  EXPECT_EQ(
      mistakes_of("stiffness = [[20,3,0,0,0,0],[-30,25,0,0,0,0],[0,0,30,0,0,0],"
                  "[0,0,0,9,0,0],[0,0,0,0,9,0],[0,0,0,0,0,9]]"),
      "m.toml:9:13: bushings.k.stiffness: must be symmetric, got -30 in row 2, column 1 and 3 "
      "in row 1, column 2");
  EXPECT_EQ(mistakes_of("stiffness = [1, 2, 3, 4, 5, 6]\ndamping = [1, 2, 3, -4, 5, 6]"),
            "m.toml:10:11: bushings.k.damping: must not be negative in any direction, its smallest "
            "eigenvalue is -4");
}

// m x'' = -k x through the point where the spring has no direction, and the stiffness there.
TEST(Spring, OfFreeLengthZeroStartsAtLengthZero) {
  const std::string text = R"(
kind = "mechanism"
name = "tied"
gravity = [0, 0, 0]
[bodies.b]
mass = 1.7
inertia = [0.1, 0.12, 0.09]
[joints.u]
type = "prismatic"
child = "b"
at = [0, 0, 0]
axis = [1, 0.3, 0.2]
speed = 1.3
[springs]
s = { b = "b", points = [[0, 0, 0], [0, 0, 0]], free_length = 0, stiffness = 130 }
)";
  MechanismDynamics dynamics(parse_mechanism(text, "m.toml"));
  VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v(), a(1), J(2);
  ASSERT_TRUE(dynamics.calc_accelerations(0, in(q), in(v), out(&a))) << dynamics.why();
  EXPECT_EQ(a[0], 0);
  ASSERT_TRUE(dynamics.calc_jacobian(0, in(q), in(v), out(&J)));
  EXPECT_NEAR(J[0], -130 / 1.7, 1e-12);
  q[0] = -0.37;
  ASSERT_TRUE(dynamics.calc_accelerations(0, in(q), in(v), out(&a)));
  EXPECT_NEAR(a[0], 130 * 0.37 / 1.7, 1e-12);
}

}  // namespace
}  // namespace camber::multibody
