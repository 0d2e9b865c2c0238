// The recursions on random trees of every joint type: laws, and pairs of routes that share no code.

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "camber/codegen/interpreter.h"
#include "camber/codegen/program.h"
#include "camber/codegen/test/compiled.h"
#include "camber/core/random.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/inverse_dynamics.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/partition.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {
namespace {

constexpr int kSeeds = 200;

/// A random tree in a random state, evaluated.
struct Case {
  explicit Case(std::uint64_t seed, bool with_forces = true)
      : Case(make_random_tree(seed, {.with_forces = with_forces})) {}
  explicit Case(const Mechanism& source)
      : mechanism(compile(source)),
        partition(choose_partition(mechanism, mechanism.q0, {})),
        work(mechanism.model, partition),
        q(mechanism.q0),
        v(mechanism.v0),
        v_dot(VectorX<double>::Zero(mechanism.model.nv)) {
    status = calc_embedded_dynamics(model(), partition, static_cast<VectorX<double>*>(nullptr),
                                    &work, &q, &v, &v_dot)
                 .status;
  }
  const Model<double>& model() const { return mechanism.model; }

  MechanismTree mechanism;
  Partition partition;
  EmbeddedWork<double> work;
  VectorX<double> q, v, v_dot;
  EvaluationStatus status;
};

VectorX<double> random_vector(int n, RandomStream random) {
  VectorX<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = random.uniform(-1, 1);
  return x;
}

// With the accelerations of forward dynamics, inverse dynamics must find that no further force is
// needed.
TEST(ForwardDynamics, InvertsInverseDynamics) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c(seed);
    ASSERT_EQ(c.status, EvaluationStatus::kOk);
    VelocityKinematics<double> vel(c.model());
    calc_velocity_kinematics(c.model(), c.work.pos, c.v, &c.v_dot, &vel);
    std::vector<Spatial<double>> carried;
    VectorX<double> tau;
    calc_inverse_dynamics(c.model(), c.work.pos, vel, c.work.forces, &carried, &tau);
    MatrixX<double> M;
    calc_mass_matrix(c.model(), c.work.pos, &M);
    EXPECT_LT(tau.norm(), 1e-9 * (M * c.v_dot).norm() + 1e-9);
  }
}

// v^T M v is twice the kinetic energy by the definition of M; the sum of V^T M_B V is it by the
// definition of energy, and shares no code with calc_mass_matrix().
TEST(MassMatrix, GivesTheKineticEnergyOfRandomTrees) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c(seed);
    MatrixX<double> M;
    calc_mass_matrix(c.model(), c.work.pos, &M);
    const double energy = calc_kinetic_energy(c.model(), c.work.pos, c.work.vel);
    EXPECT_NEAR(0.5 * c.v.dot(M * c.v), energy, 1e-12 * M.norm() * c.v.squaredNorm());
    EXPECT_EQ(M, M.transpose());
    EXPECT_EQ(M.llt().info(), Eigen::Success);
  }
}

// The O(N) recursion against the mass matrix solved by Cholesky, with the right-hand side from
// inverse dynamics.
TEST(ForwardDynamics, SolvesTheMassMatrix) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c(seed);
    MatrixX<double> M;
    calc_mass_matrix(c.model(), c.work.pos, &M);
    VelocityKinematics<double> vel(c.model());
    calc_velocity_kinematics(c.model(), c.work.pos, c.v, static_cast<VectorX<double>*>(nullptr),
                             &vel);
    std::vector<Spatial<double>> carried;
    VectorX<double> bias;
    calc_inverse_dynamics(c.model(), c.work.pos, vel, c.work.forces, &carried, &bias);
    const VectorX<double> expected = M.llt().solve(-bias);
    EXPECT_LT((c.v_dot - expected).norm(), 1e-9 * (1 + expected.norm()));
  }
}

// The velocity of a body's point, from where it is a moment before and after.
TEST(Jacobian, IsTheDerivativeOfThePose) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c(seed);
    const Model<double>& model = c.model();
    const BodyIndex body(static_cast<int>(model.bodies.size()) - 1);
    const Vec3<double> p_BQ(0.31, -0.17, 0.23);
    MatrixX<double> J;
    calc_jacobian(model, c.work.pos, body, p_BQ, &J);
    const VectorX<double> twist = J * c.v;
    const double h = 1e-6;
    PositionKinematics<double> pos(model);
    const auto at = [&](double t) {
      VectorX<double> q = c.q;
      move_positions(model, VectorX<double>(c.v * t), &q);
      calc_position_kinematics(model, q, &pos);
      return calc_body_pose(model, pos, body);
    };
    const auto before = at(-h), after = at(h), now = at(0);
    const Vector3 velocity =
        to_eigen((after.p_WB + after.R_WB * p_BQ) - (before.p_WB + before.R_WB * p_BQ)) / (2 * h);
    EXPECT_LT((velocity - twist.tail<3>()).norm(), 1e-7 * (1 + velocity.norm()));
    // R' R^T = [w]x
    const Matrix3 W =
        (to_eigen(after.R_WB) - to_eigen(before.R_WB)) / (2 * h) * to_eigen(now.R_WB).transpose();
    EXPECT_LT((Vector3(W(2, 1), W(0, 2), W(1, 0)) - twist.head<3>()).norm(),
              1e-7 * (1 + twist.norm()));
  }
}

// Power: d/dt (kinetic + gravity energy) along the motion is that of the applied forces, from
// differences of the energy itself.
TEST(Energy, ChangesByThePowerOfTheForces) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c(seed);
    const Model<double>& model = c.model();
    double power = c.work.forces.tau.dot(c.v);
    for (std::size_t l = 1; l < model.links.size(); ++l)
      power += dot(c.work.forces.F[l], c.work.vel.V[l]);
    PositionKinematics<double> pos(model);
    VelocityKinematics<double> vel(model);
    const auto energy = [&](double t) {
      VectorX<double> q = c.q;
      move_positions(model, VectorX<double>(c.v * t + 0.5 * t * t * c.v_dot), &q);
      const VectorX<double> v = c.v + t * c.v_dot;
      calc_position_kinematics(model, q, &pos);
      calc_velocity_kinematics(model, pos, v, static_cast<VectorX<double>*>(nullptr), &vel);
      return calc_kinetic_energy(model, pos, vel) + calc_gravity_energy(model, pos);
    };
    const auto slope = [&](double h) { return (energy(h) - energy(-h)) / (2 * h); };
    const double rate = (4 * slope(1e-5) - slope(2e-5)) / 3;  // of fourth order
    const double scale = std::abs(energy(0)) + std::abs(power) + 1;
    EXPECT_NEAR(rate, power, 2e-5 * scale * (1 + c.v_dot.norm() * 1e-3));
  }
}

// Nothing outside pushes a floating tree but gravity: the center of mass falls with g, and the
// angular momentum about it stays.
TEST(Momentum, OfAFloatingTreeChangesByGravityAlone) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Mechanism mechanism = make_random_tree(seed);
    // Everything that hangs on the world hangs on a floating body instead.
    Body base{"base", 7.3, {0.11, -0.07, 0.05}, Vector3(0.31, 0.42, 0.37).asDiagonal()};
    const BodyIndex root = mechanism.add(base);
    for (Joint& joint : mechanism.joints) {
      if (joint.parent == kWorld) joint.parent = root;
    }
    const MechanismTree compiled = compile(mechanism);
    const Model<double>& model = compiled.model;
    const Partition partition = choose_partition(compiled, compiled.q0, {});
    EmbeddedWork<double> work(model, partition);
    VectorX<double> q = compiled.q0, v = compiled.v0, v_dot = VectorX<double>::Zero(model.nv);
    v.segment<6>(compiled.joints.back().v_start) =
        random_vector(6, RandomStream(seed).substream("base"));
    ASSERT_TRUE(calc_embedded_dynamics(model, partition, static_cast<VectorX<double>*>(nullptr),
                                       &work, &q, &v, &v_dot)
                    .ok());
    PositionKinematics<double> pos(model);
    VelocityKinematics<double> vel(model);
    const double h = 1e-5;
    const auto momentum = [&](double t) {
      VectorX<double> q_t = q;
      move_positions(model, VectorX<double>(v * t + 0.5 * t * t * v_dot), &q_t);
      calc_position_kinematics(model, q_t, &pos);
      calc_velocity_kinematics(model, pos, VectorX<double>(v + t * v_dot),
                               static_cast<VectorX<double>*>(nullptr), &vel);
      return calc_momentum(model, pos, vel);
    };
    const auto before = momentum(-h), after = momentum(h);
    const double mass = calc_mass_center(model, work.pos).mass;
    const Vector3 force = to_eigen(after.linear - before.linear) / (2 * h);
    EXPECT_LT((force - mass * to_eigen(model.gravity)).norm(),
              1e-5 * (1 + force.norm() + v_dot.norm()));
    const Vector3 torque = to_eigen(after.angular - before.angular) / (2 * h);
    EXPECT_LT(torque.norm(), 1e-5 * (1 + to_eigen(after.angular).norm() + v_dot.norm()));
  }
}

// Where W's origin is and how its axes stand changes nothing.
TEST(ForwardDynamics, IsTheSameInAnotherFrame) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Mechanism mechanism = make_random_tree(seed, {.with_forces = false});
    Isometry3 X = Isometry3::Identity();
    X.linear() = Quaternion(0.6, 0.3, -0.5, 0.4).normalized().toRotationMatrix();
    X.translation() = Vector3(13.7, -8.1, 5.3);
    Mechanism moved = mechanism;
    moved.gravity = X.linear() * mechanism.gravity;
    for (Joint& joint : moved.joints) {
      if (joint.parent == kWorld) joint.X_PF = X * joint.X_PF;
    }
    const auto accelerations = [](const Mechanism& m) {
      const MechanismTree compiled = compile(m);
      const Partition partition = choose_partition(compiled, compiled.q0, {});
      EmbeddedWork<double> work(compiled.model, partition);
      VectorX<double> q = compiled.q0, v = compiled.v0,
                      v_dot = VectorX<double>::Zero(compiled.model.nv);
      EXPECT_TRUE(calc_embedded_dynamics(compiled.model, partition,
                                         static_cast<VectorX<double>*>(nullptr), &work, &q, &v,
                                         &v_dot)
                      .ok());
      return v_dot;
    };
    const VectorX<double> a = accelerations(mechanism), b = accelerations(moved);
    EXPECT_LT((a - b).norm(), 1e-9 * (1 + a.norm()));
  }
}

// Eight states in lanes, each as in the scalar run.
TEST(LanesOfVehicles, GiveTheAccelerationsOfEachLane) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c(seed);
    const auto check = [&]<class T>(T) {
      const Model<T> model = cast_model<T>(c.model());
      EmbeddedWork<T> work(model, c.partition);
      VectorX<T> q(model.nq), v(model.nv), v_dot = VectorX<T>::Constant(model.nv, T(0));
      std::vector<VectorX<double>> qs, vs;
      for (int lane = 0; lane < T::kLanes; ++lane) {
        VectorX<double> q_lane = c.q;
        const VectorX<double> step =
            0.3 * random_vector(model.nv, RandomStream(seed).substream("lane", lane));
        move_positions(c.model(), step, &q_lane);
        qs.push_back(q_lane);
        vs.push_back(c.v + random_vector(model.nv, RandomStream(seed).substream("speed", lane)));
        for (int i = 0; i < model.nq; ++i) q[i].set_lane(lane, q_lane[i]);
        for (int i = 0; i < model.nv; ++i) v[i].set_lane(lane, vs.back()[i]);
      }
      ASSERT_TRUE(calc_embedded_dynamics(model, c.partition, static_cast<VectorX<T>*>(nullptr),
                                         &work, &q, &v, &v_dot)
                      .ok());
      for (int lane = 0; lane < T::kLanes; ++lane) {
        VectorX<double> expected = c.v_dot;
        ASSERT_TRUE(calc_embedded_dynamics(c.model(), c.partition,
                                           static_cast<VectorX<double>*>(nullptr), &c.work,
                                           &qs[lane], &vs[lane], &expected)
                        .ok());
        for (int i = 0; i < model.nv; ++i) {
          EXPECT_NEAR(v_dot[i].lane(lane), expected[i], 1e-12 * (1 + expected.norm()));
        }
      }
    };
    check(Lanes());
  }
}

// d v_dot / d (q, v) by dual numbers against central differences, q moved along the joints.
TEST(DualNumbers, GiveTheDerivativesOfTheAccelerations) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Case c(seed, false);
    const Model<Dual> model = cast_model<Dual>(c.model());
    EmbeddedWork<Dual> work(model, c.partition);
    const int nv = model.nv;
    std::vector<VectorX<double>> directions;
    for (int i = 0; i < kDirections; ++i)
      directions.push_back(random_vector(2 * nv, RandomStream(seed).substream("direction", i)));
    VectorX<Dual> q = c.q.cast<Dual>(), v = c.v.cast<Dual>(),
                  v_dot = VectorX<Dual>::Constant(nv, Dual(0));
    VectorX<Dual> step = VectorX<Dual>::Constant(nv, Dual(0));
    for (int i = 0; i < kDirections; ++i) {
      for (int k = 0; k < nv; ++k) {
        step[k].set_partial(i, directions[i][k]);
        v[k].set_partial(i, directions[i][nv + k]);
      }
    }
    move_positions(model, step, &q);
    ASSERT_TRUE(calc_embedded_dynamics(model, c.partition, static_cast<VectorX<Dual>*>(nullptr),
                                       &work, &q, &v, &v_dot)
                    .ok());
    const double h = 1e-5;
    for (int i = 0; i < kDirections; ++i) {
      const auto at = [&](double t) {
        VectorX<double> q_t = c.q, v_t = c.v + t * directions[i].tail(nv), a = c.v_dot;
        move_positions(c.model(), VectorX<double>(t * directions[i].head(nv)), &q_t);
        EXPECT_TRUE(calc_embedded_dynamics(c.model(), c.partition,
                                           static_cast<VectorX<double>*>(nullptr), &c.work, &q_t,
                                           &v_t, &a)
                        .ok());
        return a;
      };
      const VectorX<double> expected = (at(h) - at(-h)) / (2 * h);
      for (int k = 0; k < nv; ++k) {
        EXPECT_NEAR(v_dot[k].partial(i), expected[k], 3e-6 * (1 + expected.norm()));
      }
    }
  }
}

/// The accelerations of a tree as a program of q and v.
codegen::Program trace(const Case& c) {
  using symbolic::Expr;
  const Model<Expr> model = cast_model<Expr>(c.model());
  EmbeddedWork<Expr> work(model, c.partition);
  VectorX<Expr> q(model.nq), v(model.nv), v_dot(model.nv);
  std::vector<Expr> q_list, v_list;
  for (int i = 0; i < model.nq; ++i)
    q_list.push_back(q[i] = symbolic::symbol("q" + std::to_string(i)));
  for (int i = 0; i < model.nv; ++i)
    v_list.push_back(v[i] = symbolic::symbol("v" + std::to_string(i)));
  EXPECT_TRUE(calc_embedded_dynamics_at(model, c.partition, static_cast<VectorX<Expr>*>(nullptr), q,
                                        &work, &v, &v_dot)
                  .ok());
  codegen::ProgramBuilder builder("accelerations");
  builder.add_input("q", std::span<const Expr>(q_list))
      .add_input("v", std::span<const Expr>(v_list))
      .add_output("v_dot", v_dot);
  return builder.build();
}

/// What `run` makes of the state, against the template in double.
template <class Run>
void check_traced(const Case& c, Run run) {
  VectorX<double> inputs(c.q.size() + c.v.size()), v_dot(c.v.size());
  inputs << c.q, c.v;
  const auto span = [](VectorX<double>& x) {
    return std::span<double>(x.data(), static_cast<std::size_t>(x.size()));
  };
  ASSERT_EQ(run(span(inputs), span(v_dot)), 0);
  EXPECT_LT((v_dot - c.v_dot).norm(), 1e-12 * (1 + c.v_dot.norm()));
}

Mechanism make_tree_of_all_types(std::uint64_t seed) {
  Mechanism mechanism = make_random_tree(seed, {.bodies = 9});
  std::set<JointType> types;
  for (const Joint& joint : mechanism.joints) types.insert(joint.type);
  EXPECT_EQ(types.size(), 9u);
  return mechanism;
}

// Every type of joint in expressions: as a program that is interpreted, and as C that the system's
// compiler has made code of.
TEST(TracedTrees, GiveTheAccelerationsOfTheTemplate) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Case c(make_tree_of_all_types(seed));
    ASSERT_EQ(c.status, EvaluationStatus::kOk);
    const codegen::Program program = trace(c);
    codegen::Interpreter<double> interpreter(program);
    check_traced(c, [&](auto in, auto out) { return interpreter.run(in, out); });
    if (seed > 0) continue;  // a second each
    const codegen::test::Compiled compiled(program, codegen::Language::kC99);
    check_traced(c, [&](auto in, auto out) { return compiled.run(in, out); });
  }
}

// What a diverging run meets, and what a body without mass does: results with their reasons, no
// exceptions.
TEST(Evaluation, SaysWhyThereAreNoAccelerations) {
  Case c(3);
  const auto evaluate = [&](VectorX<double> q, VectorX<double> v, const Model<double>& model) {
    VectorX<double> a = VectorX<double>::Zero(model.nv);
    return calc_embedded_dynamics(model, c.partition, static_cast<VectorX<double>*>(nullptr),
                                  &c.work, &q, &v, &a)
        .status;
  };
  ASSERT_GT(c.model().nv, 0);
  VectorX<double> q = c.q, v = c.v;
  v[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(evaluate(c.q, v, c.model()), EvaluationStatus::kNotFinite);
  v[0] = 1e200;  // finite, but not its square
  EXPECT_EQ(evaluate(c.q, v, c.model()), EvaluationStatus::kNotFinite);
  Model<double> massless = c.model();
  for (auto& link : massless.links) link.has_mass = false;
  EXPECT_EQ(evaluate(c.q, c.v, massless), EvaluationStatus::kNoInertia);
}

// The kind of exact solution that a textbook has: a physical pendulum with a general axis, I q'' =
// -m g l sin(q).
TEST(Pendulum, FallsAsTheTextbookSays) {
  Mechanism mechanism;
  mechanism.gravity = {0, -9.81, 0};
  const Vector3 c(0.37, 0.0, 0.21);  // center of mass from the axis, which is z
  Body body{"bob", 2.7, c, Matrix3::Zero()};
  body.I_BBcm_B << 0.051, 0.004, -0.003, 0.004, 0.062, 0.005, -0.003, 0.005, 0.043;
  const BodyIndex bob = mechanism.add(body);
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.child = bob;
  pin.q0 = {0.83};
  pin.v0 = {1.9};
  mechanism.add(pin);
  const MechanismTree compiled = compile(mechanism);
  const Partition partition = choose_partition(compiled, compiled.q0, {});
  EmbeddedWork<double> work(compiled.model, partition);
  VectorX<double> q = compiled.q0, v = compiled.v0, v_dot(1);
  ASSERT_TRUE(calc_embedded_dynamics(compiled.model, partition,
                                     static_cast<VectorX<double>*>(nullptr), &work, &q, &v, &v_dot)
                  .ok());
  const double inertia = 0.043 + 2.7 * 0.37 * 0.37;
  EXPECT_NEAR(v_dot[0], -2.7 * 9.81 * 0.37 * std::cos(0.83) / inertia, 1e-13);
}

}  // namespace
}  // namespace camber::multibody
