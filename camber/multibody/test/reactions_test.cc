// Reaction forces: every body's momentum changes by what its joints, rods and gravity do, which is
// found from the motion alone; multipliers against those of `ta`; a drive's power against the
// change of energy; a pendulum's closed form.
#include "camber/multibody/reactions.h"

#include <cmath>
#include <span>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/tree_augmented.h"

namespace camber::multibody {
namespace {

struct Moving {
  MechanismDynamics dynamics;
  VectorX<double> q, v, v_dot;

  Moving(const Mechanism& mechanism, std::uint64_t seed, double t = 0) : dynamics(mechanism) {
    q = dynamics.initial_q();
    v = dynamics.initial_v();
    v_dot = VectorX<double>::Zero(v.size());
    RandomStream random = RandomStream(seed).substream("state");
    VectorX<double> step(v.size());
    for (int k = 0; k < v.size(); ++k) {
      step[k] = random.uniform(-0.04, 0.04);
      v[k] += random.uniform(-1.5, 1.5);
    }
    move_positions(dynamics.model(), step, &q);
    EXPECT_TRUE(dynamics.project(t, span(&q), span(&v))) << dynamics.why();
    EXPECT_TRUE(dynamics.calc_accelerations(t, span(&q), span(&v), span(&v_dot)));
  }

  Reactions reactions() const {
    return calc_reactions(dynamics.tree(), dynamics.partition(), q, v, v_dot);
  }

  static std::span<double> span(VectorX<double>* x) {
    return {x->data(), static_cast<std::size_t>(x->size())};
  }
};

struct BodyMomentum {
  Vector3 linear, angular;  // the latter about the origin of W
};

/// From poses and velocities of the body a moment later.
BodyMomentum momentum_at(const Moving& m, BodyIndex b, double t) {
  const Model<double>& model = m.dynamics.model();
  const Body& body = m.dynamics.tree().mechanism.bodies[b.value];
  PositionKinematics<double> pos(model);
  VectorX<double> q = m.q;
  move_positions(model, VectorX<double>(m.v * t + 0.5 * t * t * m.v_dot), &q);
  calc_position_kinematics(model, q, &pos);
  MatrixX<double> J;
  calc_jacobian(model, pos, b, to_vec3(body.p_BoBcm_B), &J);
  const VectorX<double> twist = J * (m.v + t * m.v_dot);
  const BodyPose<double> pose = calc_body_pose(model, pos, b);
  const Matrix3 R = to_eigen(pose.R_WB);
  const Vector3 c = to_eigen(pose.p_WB) + R * body.p_BoBcm_B;
  BodyMomentum result;
  result.linear = body.mass * twist.tail<3>();
  result.angular = R * body.I_BBcm_B * R.transpose() * twist.head<3>() + c.cross(result.linear);
  return result;
}

// What acts on a body by the reactions, rods and gravity; torque about the origin of W.
BodyMomentum sum_of_forces(const Moving& m, const Reactions& reactions, BodyIndex b) {
  const MechanismTree& tree = m.dynamics.tree();
  const Mechanism& mechanism = tree.mechanism;
  PositionKinematics<double> pos(tree.model);
  calc_position_kinematics(tree.model, m.q, &pos);
  BodyMomentum sum{Vector3::Zero(), Vector3::Zero()};
  const auto place = [&](BodyIndex body, const Vector3& p_B) {
    const BodyPose<double> pose = calc_body_pose(tree.model, pos, body);
    return Vector3(to_eigen(pose.p_WB) + to_eigen(pose.R_WB) * p_B);
  };
  const auto add = [&](const Vector3& force, const Vector3& torque, const Vector3& at) {
    sum.linear += force;
    sum.angular += torque + at.cross(force);
  };
  const Body& body = mechanism.bodies[b.value];
  add(body.mass * mechanism.gravity, Vector3::Zero(), place(b, body.p_BoBcm_B));
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    const Joint& joint = mechanism.joints[j];
    if (!reactions.joints[j]) continue;
    const Vector3 at = place(joint.child, joint.X_BM.translation());
    if (joint.child == b) add(reactions.joints[j]->force, reactions.joints[j]->torque, at);
    if (joint.parent == b) add(-reactions.joints[j]->force, -reactions.joints[j]->torque, at);
  }
  int row = 0;
  for (const auto& joint : tree.joints) row += static_cast<int>(joint.rows.size());
  for (const Rod& rod : mechanism.rods) {
    const Vector3 P = place(rod.a, rod.p_AP_A), Q = place(rod.b, rod.p_BQ_B);
    const Vector3 force = reactions.multipliers[row++] * (Q - P).normalized();
    if (rod.b == b) add(force, Vector3::Zero(), Q);
    if (rod.a == b) add(-force, Vector3::Zero(), P);
  }
  return sum;
}

bool has_other_forces(const Mechanism& m) {
  return !m.springs.empty() || !m.bushings.empty() || !m.wrenches.empty() || !m.rollings.empty();
}

TEST(Reactions, ChangeTheMomentumOfEveryBody) {
  int bodies = 0;
  for (const char* name :
       {"four-bar", "five-bar", "six-bar", "crank-slider", "spatial-four-bar", "stewart-platform",
        "steering-linkage", "double-wishbone", "shared-coupler", "pendulum-chain", "cardan-shaft",
        "planetary-gear", "screw-jack", "scissor-lift"}) {
    const Mechanism mechanism = load_mechanism(std::string("models/") + name + ".toml");
    if (has_other_forces(mechanism)) continue;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE(testing::Message() << name << ", seed " << seed);
      const Moving m(mechanism, seed);
      const Reactions reactions = m.reactions();
      const double h = 1e-5;
      for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
        const BodyMomentum before = momentum_at(m, BodyIndex(b), -h),
                           after = momentum_at(m, BodyIndex(b), h),
                           forces = sum_of_forces(m, reactions, BodyIndex(b));
        const Vector3 rate = (after.linear - before.linear) / (2 * h);
        const Vector3 turning = (after.angular - before.angular) / (2 * h);
        double scale = 1;
        for (const auto& joint : reactions.joints) {
          if (joint) scale = std::max({scale, joint->force.norm(), joint->torque.norm()});
        }
        EXPECT_LT((rate - forces.linear).norm(), 1e-6 * scale) << mechanism.bodies[b].name;
        EXPECT_LT((turning - forces.angular).norm(), 1e-6 * scale) << mechanism.bodies[b].name;
        ++bodies;
      }
    }
  }
  EXPECT_GT(bodies, 60);
}

TEST(Reactions, HaveTheMultipliersOfTheTreeAugmentedForm) {
  for (const char* name : {"four-bar", "crank-slider", "double-wishbone", "stewart-platform",
                           "excavator-arm", "rolling-coin"}) {
    const Mechanism mechanism = load_mechanism(std::string("models/") + name + ".toml");
    SCOPED_TRACE(name);
    Moving m(mechanism, 3);
    TreeAugmented ta(m.dynamics.tree(), m.dynamics.initial_q());
    VectorX<double> v_dot = m.v_dot;
    ASSERT_EQ(ta.calc_accelerations(m.q, m.v, nullptr, &v_dot), EvaluationStatus::kOk);
    const Reactions reactions = m.reactions();
    double scale = 1;
    for (const double x : reactions.multipliers) scale = std::max(scale, std::abs(x));
    for (std::size_t r = 0; r < ta.rows().size(); ++r) {
      EXPECT_NEAR(ta.multipliers()[static_cast<int>(r)], reactions.multipliers[ta.rows()[r]],
                  1e-8 * scale);
    }
  }
}

/// Rate of kinetic and gravity energy, from their values a moment before and after.
double calc_energy_rate(const Model<double>& model, const VectorX<double>& q,
                        const VectorX<double>& v, const VectorX<double>& v_dot) {
  const auto energy = [&](double t) {
    PositionKinematics<double> pos(model);
    VelocityKinematics<double> vel(model);
    VectorX<double> q_t = q;
    move_positions(model, VectorX<double>(v * t + 0.5 * t * t * v_dot), &q_t);
    const VectorX<double> v_t = v + t * v_dot;
    calc_position_kinematics(model, q_t, &pos);
    calc_velocity_kinematics(model, pos, v_t, static_cast<VectorX<double>*>(nullptr), &vel);
    return calc_kinetic_energy(model, pos, vel) + calc_gravity_energy(model, pos);
  };
  const double h = 1e-5;
  return (energy(h) - energy(-h)) / (2 * h);
}

// The drive's power equals the rate of energy of the four-bar that it drives.
TEST(Reactions, GiveADriveThePowerThatTheEnergyTakes) {
  Mechanism mechanism = make_four_bar_ladder(2);
  mechanism.independent.clear();
  for (Joint& joint : mechanism.joints) {
    joint.v0.clear();
    if (joint.name != mechanism.joints[0].name) continue;
    const symbolic::Expr t = symbolic::symbol("t");
    joint.axes.assign(1, JointAxis{});
    joint.axes[0].motion = 0.31 * sin(2.7 * t + 0.4) + 0.05 * t;
  }
  MechanismDynamics dynamics(mechanism);
  VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v(), v_dot = v;
  ASSERT_TRUE(
      dynamics.calc_accelerations(0, Moving::span(&q), Moving::span(&v), Moving::span(&v_dot)))
      << dynamics.why();
  const Reactions reactions = calc_reactions(dynamics.tree(), dynamics.partition(), q, v, v_dot);
  const double power = reactions.drives.dot(v);
  const double rate = calc_energy_rate(dynamics.model(), q, v, v_dot);
  EXPECT_GT(std::abs(power), 0.1);
  EXPECT_NEAR(rate, power, 1e-6 * (1 + std::abs(power)));
}

// A tree has no loops that know of its drives: v' of a driven joint is still that of its motion,
// and the drive's power what the energy takes.
TEST(Reactions, GiveADriveOfATreeItsPower) {
  Mechanism mechanism = make_chain(4, 7);
  const symbolic::Expr t = symbolic::symbol("t");
  mechanism.joints[1].axes.assign(1, JointAxis{});
  mechanism.joints[1].axes[0].motion = 0.31 * sin(2.7 * t + 0.4);
  MechanismDynamics dynamics(mechanism);
  const int k = dynamics.tree().joints[1].v_start;
  VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v(), v_dot = v;
  for (int i = 0; i < v.size(); ++i) {
    if (i != k) v[i] = 0.4 + 0.3 * i;
  }
  ASSERT_TRUE(
      dynamics.calc_accelerations(0, Moving::span(&q), Moving::span(&v), Moving::span(&v_dot)));
  EXPECT_NEAR(v_dot[k], -0.31 * 2.7 * 2.7 * std::sin(0.4), 1e-12);
  const Reactions reactions = calc_reactions(dynamics.tree(), dynamics.partition(), q, v, v_dot);
  EXPECT_GT(std::abs(reactions.drives[k] * v[k]), 1e-3);
  EXPECT_NEAR(calc_energy_rate(dynamics.model(), q, v, v_dot), reactions.drives.dot(v), 1e-6);
}

// A bar on a pin: along the bar m g cos(angle) + m l w^2, across it m (g sin(angle) - l angle'').
TEST(Reactions, OfAPendulumAreTheClosedForm) {
  const double mass = 2.3, l = 0.71, inertia = 0.19, angle = 0.83, w = 1.9, g = 9.81;
  Mechanism mechanism;
  mechanism.name = "bar";
  const Vector3 diagonal(inertia, inertia, 0.004);
  const BodyIndex bar = mechanism.add(Body{"bar", mass, {0, 0, -l}, diagonal.asDiagonal()});
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.child = bar;
  pin.X_PF.linear() =
      Quaternion::FromTwoVectors(Vector3::UnitZ(), Vector3::UnitY()).toRotationMatrix();
  pin.X_BM.linear() = pin.X_PF.linear();
  pin.q0 = {angle};
  pin.v0 = {w};
  mechanism.add(pin);
  MechanismDynamics dynamics(mechanism);
  VectorX<double> q = dynamics.initial_q(), v = dynamics.initial_v(), v_dot = v;
  ASSERT_TRUE(
      dynamics.calc_accelerations(0, Moving::span(&q), Moving::span(&v), Moving::span(&v_dot)));
  const Reactions reactions = calc_reactions(dynamics.tree(), dynamics.partition(), q, v, v_dot);
  const double acceleration = -mass * g * l * std::sin(angle) / (inertia + mass * l * l);
  EXPECT_NEAR(v_dot[0], acceleration, 1e-12);
  // Turned about y by the angle, the bar points from the pin towards (-sin, 0, -cos).
  const Vector3 along(-std::sin(angle), 0, -std::cos(angle)),
      across(-std::cos(angle), 0, std::sin(angle));
  const Vector3 force = reactions.joints[0]->force;
  EXPECT_NEAR(force.dot(along), -mass * (g * std::cos(angle) + l * w * w), 1e-12);
  EXPECT_NEAR(force.dot(across), mass * (l * acceleration + g * std::sin(angle)), 1e-12);
  EXPECT_LT(reactions.joints[0]->torque.norm(), 1e-12);
}

}  // namespace
}  // namespace camber::multibody
