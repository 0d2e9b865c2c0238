// Closed loops: constraint embedding, the spanning tree with multipliers and the fully augmented
// form are three routes to the same accelerations, on every mechanism of models/ and on ladders of
// four-bars.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/codegen/interpreter.h"
#include "camber/codegen/program.h"
#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/fully_augmented.h"
#include "camber/multibody/library.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/multibody/scalars.h"
#include "camber/multibody/test/spans.h"
#include "camber/multibody/tree_augmented.h"

namespace camber::multibody {
namespace {

bool is_mechanism(const std::filesystem::path& path) {
  if (path.extension() != ".toml") return false;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("kind = \"mechanism\"")) return true;
  }
  return false;
}

/// The suspension of models/double-wishbone.toml with a body for its tie rod, on a universal joint.
/// What pushes the wheel does so beside its axis, its bearing drags, and another disc turns with
/// the upright.
Mechanism make_corner() {
  Mechanism mechanism = load_mechanism("models/double-wishbone.toml");
  mechanism.name = "corner with a tie rod's body";
  const Rod rod = mechanism.rods.at(0);
  mechanism.rods.clear();
  const Vector3 inner = rod.p_AP_A, outer = rod.p_BQ_B, along = (outer - inner).normalized();
  const Matrix3 inertia = 0.07 * (Matrix3::Identity() - 0.96 * along * along.transpose());
  Joint universal, ball;
  universal.name = "tie_rod";
  universal.type = JointType::kUniversal;
  universal.child = mechanism.add(Body{"tie_rod", 6.0, 0.5 * (inner + outer), inertia});
  const Vector3 x = along.unitOrthogonal();
  universal.X_PF.linear() << x, along.cross(x), along;
  universal.X_PF.translation() = inner;
  universal.X_BM = universal.X_PF;
  mechanism.add(universal);
  ball.name = "tie_rod_outer";
  ball.type = JointType::kSpherical;
  ball.parent = universal.child;
  ball.child = rod.b;
  ball.X_PF.translation() = ball.X_BM.translation() = outer;
  ball.cut = true;
  mechanism.add(ball);
  Wrench& road = mechanism.wrenches.at(0);
  road.p_BQ_B += Vector3(0.11, 0.07, -0.4);
  road.force = {310, -170, 6100};
  road.torque = {12, -43, 9};
  Joint& spindle = mechanism.joints.at(mechanism.find_joint("spindle").value);
  JointAxis bearing;
  bearing.damping = 0.7;
  bearing.force = 13;
  spindle.axes = {bearing};
  Joint disc;
  disc.name = "disc";
  disc.type = JointType::kRevolute;
  disc.parent = rod.b;
  const Vector3 place(0.1, 0.8, 0.05), axis = Vector3(0.3, 0.9, -0.2).normalized();
  const Matrix3 round = 0.2 * Matrix3::Identity() + 0.15 * axis * axis.transpose();
  disc.child = mechanism.add(Body{"disc", 4.0, place + 0.03 * axis, round});
  const Vector3 y = axis.unitOrthogonal();
  disc.X_PF.linear() << y, axis.cross(y), axis;
  disc.X_PF.translation() = place;
  disc.X_BM = disc.X_PF;
  disc.v0 = {9};
  mechanism.add(disc);
  mechanism.independent.push_back("disc");
  return mechanism;
}

std::vector<Mechanism> all_mechanisms() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("models")) {
    if (is_mechanism(entry.path())) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Mechanism> mechanisms;
  for (const std::string& path : paths) mechanisms.push_back(load_mechanism(path));
  for (const int n : {1, 2, 5}) {
    mechanisms.push_back(make_four_bar_ladder(n));
    mechanisms.back().name = "ladder of " + std::to_string(n);
  }
  mechanisms.push_back(make_four_bar_ladder(3, LadderPin::kSpherical));
  mechanisms.back().name = "ladder with ball joints";
  mechanisms.push_back(make_corner());
  return mechanisms;
}

VectorX<double> random_vector(int n, double size, RandomStream random) {
  VectorX<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = random.uniform(-size, size);
  return x;
}

/// A state near the initial one, with closed loops and speeds that fit them; where the mechanism
/// cannot go that far, nearer.
bool make_random_state(MechanismDynamics* ce, std::uint64_t seed, VectorX<double>* q,
                       VectorX<double>* v) {
  for (double size = 0.2; size > 1e-3; size *= 0.5) {
    *q = ce->initial_q();
    move_positions(ce->model(), random_vector(ce->nv(), size, RandomStream(seed).substream("q")),
                   q);
    *v = ce->initial_v() + random_vector(ce->nv(), 1.5, RandomStream(seed).substream("v"));
    if (ce->project(0, out(q), out(v))) return true;
  }
  return false;
}

TEST(Formulations, AgreeOnTheAccelerationsOfEveryMechanism) {
  const std::vector<Mechanism> mechanisms = all_mechanisms();
  ASSERT_GE(mechanisms.size(), 20u);
  int driven = 0;
  for (const Mechanism& mechanism : mechanisms) {
    MechanismDynamics ce(mechanism), ta(mechanism, Formulation::kTa);
    FullyAugmented fa(ce.tree(), ce.initial_q());
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(testing::Message() << mechanism.name << ", seed " << seed);
      VectorX<double> q, v, a(ce.nv()), b(ce.nv());
      ASSERT_TRUE(make_random_state(&ce, seed, &q, &v)) << ce.why();
      ASSERT_TRUE(ce.calc_accelerations(0, in(q), in(v), out(&a))) << ce.why();
      ASSERT_TRUE(ta.calc_accelerations(0, in(q), in(v), out(&b))) << ta.why();
      EXPECT_LT((a - b).norm(), 1e-9 * (1 + a.norm()));
      std::vector<GivenMotion> drives;
      for (const Link<double>& link : ce.model().links)
        if (link.is_driven) drives.push_back({q[link.q_start], v[link.v_start], a[link.v_start]});
      driven += drives.empty() ? 0 : 1;
      VectorX<double> q_fa, v_fa, a_fa, c;
      fa.take_state(ce.tree(), q, v, &q_fa, &v_fa);
      a_fa = VectorX<double>::Zero(v_fa.size());
      ASSERT_EQ(fa.calc_accelerations(q_fa, v_fa, drives, &a_fa), EvaluationStatus::kOk);
      fa.give_accelerations(ce.tree(), q, v, a_fa, &c);
      EXPECT_LT((a - c).norm(), 1e-9 * (1 + a.norm()));
      EXPECT_EQ(ce.passages(), 0);  // it was `ce` that was compared
    }
  }
  EXPECT_GE(driven, 5);
}

// Ball and free joints have no coordinates along which they damp, only speeds.
TEST(Formulations, DampBallJointsAlike) {
  Mechanism mechanism = load_mechanism("models/double-wishbone.toml");
  int damped = 0;
  for (Joint& joint : mechanism.joints) {
    if (joint.type != JointType::kSpherical || joint.cut) continue;
    joint.axes.assign(3, JointAxis{});
    for (int k = 0; k < 3; ++k) joint.axes[k].damping = 1.7 + 0.9 * k;
    ++damped;
  }
  ASSERT_GT(damped, 0);
  MechanismDynamics ce(mechanism);
  FullyAugmented fa(ce.tree(), ce.initial_q());
  VectorX<double> q, v, a(ce.nv()), q_fa, v_fa, a_fa, c;
  ASSERT_TRUE(make_random_state(&ce, 2, &q, &v)) << ce.why();
  ASSERT_TRUE(ce.calc_accelerations(0, in(q), in(v), out(&a))) << ce.why();
  fa.take_state(ce.tree(), q, v, &q_fa, &v_fa);
  a_fa = VectorX<double>::Zero(v_fa.size());
  ASSERT_EQ(fa.calc_accelerations(q_fa, v_fa, {}, &a_fa), EvaluationStatus::kOk);
  fa.give_accelerations(ce.tree(), q, v, a_fa, &c);
  EXPECT_LT((a - c).norm(), 1e-9 * (1 + a.norm()));
  MechanismDynamics undamped(load_mechanism("models/double-wishbone.toml"));
  ASSERT_TRUE(undamped.calc_accelerations(0, in(q), in(v), out(&c)));
  EXPECT_GT((a - c).norm(), 1e-3 * a.norm());
}

// The plane four-bar a + b e^{i theta} = c e^{i theta3} + d e^{i theta4} with a, b, c, d = 0.25,
// 0.5, 0.32, 0.35 and p = d theta3 / d theta, q = d theta4 / d theta, in both ways of assembly: a
// table computed elsewhere from [002] eq. 15-27, printed with ten digits. Here the linkage is a
// mechanism file whose author placed its pins by the first row, and a crank that is turned.
TEST(FourBar, ReproducesTheReferenceTable) {
  struct Row {
    double theta, theta3, theta4, p, q;
  };
  const std::vector<Row> branches[] = {
      {{1.047197551, 0.5462854306, 0.8666929641, -0.8906376953, 2.178217164},
       {1.308996939, 0.4738004985, 1.29692697, -0.02571867756, 1.444455439},
       {1.570796327, 0.4930321742, 1.662033055, 0.1546782148, 1.367324384},
       {1.832595715, 0.5515179927, 2.019924623, 0.2925245251, 1.37624244},
       {2.094395102, 0.6485766901, 2.387122945, 0.4573021382, 1.437608969}},
      {{1.047197551, 0.8811633272, 0.5607557938, 2.319209124, -0.749645735},
       {1.308996939, 1.336010741, 0.5128842695, 1.522796178, 0.05262206143},
       {1.570796327, 1.721265261, 0.5522643801, 1.445321785, 0.2326756164},
       {1.832595715, 2.100702982, 0.6322963513, 1.464148609, 0.380430694},
       {2.094395102, 2.493015964, 0.754469709, 1.542697862, 0.5623910305}}};
  for (const std::vector<Row>& rows : branches) {
    const Row& first = rows.front();
    const std::string text =
        "kind = \"mechanism\"\nname = \"table\"\nindependent = [\"crank\"]\n[points]\n"
        "A = [0.25, 0, 0]\nO = [0, 0, 0]\n" +
        concat("B = [", 0.25 + 0.5 * std::cos(first.theta), ", 0, ", 0.5 * std::sin(first.theta),
               "]\nC = [", 0.32 * std::cos(first.theta3), ", 0, ", 0.32 * std::sin(first.theta3),
               "]\n") +
        "[bodies.crank]\nmass = 0.82\ncenter = [0.3, 0.004, 0.048]\n"
        "inertia = [0.0013, 0.0016, 0.0007]\n"
        "[bodies.link]\nmass = 1.35\ncenter = [0.1, -0.006, 0.2]\n"
        "inertia = [0.0046, 0.0205, 0.0168]\n"
        "[bodies.coupler]\nmass = 1.06\ncenter = [0.4, 0.003, 0.3]\n"
        "inertia = [0.0094, 0.0099, 0.0012]\n[joints]\n"
        "crank = { type = \"revolute\", child = \"crank\", at = \"A\", axis = \"-y\" }\n"
        "link = { type = \"revolute\", child = \"link\", at = \"O\", axis = \"-y\" }\n"
        "knee = { type = \"revolute\", parent = \"link\", child = \"coupler\", at = \"C\", "
        "axis = \"-y\" }\n"
        "pin = { type = \"revolute\", parent = \"crank\", child = \"coupler\", at = \"B\", "
        "axis = \"-y\", cut = true }\n";
    MechanismDynamics ce(parse_mechanism(text, "table.toml"));
    const auto place = [&](const char* joint) {
      return ce.tree().joints[ce.tree().mechanism.find_joint(joint).value].q_start;
    };
    const int crank = place("crank"), link = place("link"), knee = place("knee");
    VectorX<double> q = ce.initial_q(), v(ce.nv());
    for (const Row& row : rows) {
      SCOPED_TRACE(testing::Message() << "crank at " << row.theta << " rad");
      q[crank] = row.theta - first.theta;
      v.setZero();
      v[crank] = 1;
      ASSERT_TRUE(ce.project(0, out(&q), out(&v))) << ce.why();
      EXPECT_NEAR(first.theta3 + q[link], row.theta3, 2e-9);
      EXPECT_NEAR(first.theta4 + q[link] + q[knee], row.theta4, 2e-9);
      EXPECT_NEAR(v[link], row.p, 2e-8);
      EXPECT_NEAR(v[link] + v[knee], row.q, 2e-8);
    }
  }
}

TEST(ConstraintEmbedding, KeepsLoopsClosedToRounding) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    MechanismDynamics ce(mechanism);
    for (std::uint64_t seed = 10; seed < 15; ++seed) {
      SCOPED_TRACE(testing::Message() << mechanism.name << ", seed " << seed);
      VectorX<double> q, v;
      ASSERT_TRUE(make_random_state(&ce, seed, &q, &v)) << ce.why();
      Observation seen;
      ASSERT_TRUE(ce.observe(0, in(q), in(v), &seen));
      EXPECT_LT(seen.position_error, 1e-12);
      EXPECT_LT(seen.speed_error, 1e-11 * (1 + v.norm()));
    }
  }
}

// All rows, those that were left out as redundant too, have no acceleration error.
TEST(ConstraintEmbedding, MeetsEveryRowInAcceleration) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    MechanismDynamics ce(mechanism);
    VectorX<double> q, v, a(ce.nv());
    ASSERT_TRUE(make_random_state(&ce, 3, &q, &v)) << ce.why();
    ASSERT_TRUE(ce.calc_accelerations(0, in(q), in(v), out(&a)));
    const Model<double>& model = ce.model();
    PositionKinematics<double> pos(model);
    VelocityKinematics<double> vel(model);
    calc_position_kinematics(model, q, &pos);
    calc_velocity_kinematics(model, pos, v, &a, &vel);
    for (const ConstraintRow<double>& row : model.rows) {
      if (row.kind == RowKind::kCoupler) {
        double sum = 0;
        for (const auto& term : row.terms) sum += term.factor * a[term.v];
        EXPECT_NEAR(sum, 0, 1e-9 * (1 + a.norm())) << row.name;
        continue;
      }
      const double c_ddot = calc_row_acceleration(row, pos, vel, calc_row(row, pos, q).F);
      EXPECT_NEAR(c_ddot, 0, 1e-9 * (1 + a.norm())) << row.name;
    }
  }
}

// Six equations for upright, upper arm and tie rod: two across the upper arm and one along the rod
// have the upright's three speeds alone, and each of the others adds one speed.
// The wheel of the corner and the disc look the same however far they have turned, and one of them
// counts as a part of the upright. A wheel that is out of round does not, nor one that a loop does
// not carry.
TEST(Rotors, AreRoundAndOnALoop) {
  const auto rotors_of = [](const Mechanism& mechanism) {
    const MechanismDynamics ce(mechanism);
    const auto& links = ce.model().links;
    return std::count_if(links.begin(), links.end(),
                         [](const auto& link) { return link.is_rotor; });
  };
  Mechanism corner = make_corner();
  EXPECT_EQ(rotors_of(corner), 1);
  for (const char* name : {"wheel", "disc"}) {
    Body& body = corner.bodies.at(corner.find_body(name).value);
    body.I_BBcm_B(0, 0) *= 1.1;
  }
  EXPECT_EQ(rotors_of(corner), 0);
  EXPECT_EQ(rotors_of(load_mechanism("models/pendulum-chain.toml")), 0);
}

TEST(LoopBlocks, OfACornerInSpaceAreThreeAndOnes) {
  const MechanismDynamics ce(make_corner());
  ASSERT_EQ(ce.partition().parts.size(), 1u);
  std::vector<int> sizes;
  for (const LoopBlock& block : ce.partition().parts[0].blocks) sizes.push_back(block.size);
  EXPECT_EQ(sizes, (std::vector{3, 1, 1, 1}));
  EXPECT_FALSE(ce.partition().parts[0].plan.empty());
}

// What blocks leave out of Y, the columns of later blocks, of earlier ones that they do not need,
// and of independent speeds that do not move them, is zero far from where they were made, too.
TEST(LoopBlocks, LeaveOutWhatIsZeroEverywhere) {
  int left_out = 0;
  for (const Mechanism& mechanism : all_mechanisms()) {
    MechanismDynamics ce(mechanism);
    const Model<double>& model = ce.model();
    const Partition partition = ce.partition();
    for (std::uint64_t seed = 20; seed < 24; ++seed) {
      SCOPED_TRACE(testing::Message() << mechanism.name << ", seed " << seed);
      VectorX<double> q, v;
      ASSERT_TRUE(make_random_state(&ce, seed, &q, &v)) << ce.why();
      PositionKinematics<double> pos(model);
      calc_position_kinematics(model, q, &pos);
      for (std::size_t c = 0; c < model.clusters.size(); ++c) {
        const Cluster& cluster = model.clusters[c];
        const Partition::Part& part = partition.parts[c];
        for (const LoopBlock& block : part.blocks) {
          const int end = block.start + block.size;
          std::vector<int> unused;  // places in v
          for (int k = 0; k < static_cast<int>(part.dependent.size()); ++k) {
            const bool is_own = k >= block.start && k < end;
            if (!is_own && std::ranges::find(block.earlier, k) == block.earlier.end())
              unused.push_back(part.dependent[k]);
          }
          for (int j = 0; j < static_cast<int>(part.independent.size()); ++j) {
            if (std::ranges::find(block.independent, j) == block.independent.end())
              unused.push_back(part.independent[j]);
          }
          for (int r = block.start; r < end; ++r) {
            const ConstraintRow<double>& row = model.rows[part.rows[r]];
            VectorX<double> Y(cluster.nv);
            fill_jacobian_row(model, cluster, row, calc_row(row, pos, q).F, pos, Y.data(), 1);
            for (const int k : unused) {
              EXPECT_NEAR(Y[k - cluster.v_start], 0, 1e-12) << row.name << ", speed " << k;
              left_out += Y[k - cluster.v_start] != 0;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(left_out, 10);  // zero but for rounding: not only speeds that are not on the way
}

// The rates and accelerations of rows are the derivatives of their errors, also where loops are
// open.
TEST(ConstraintRow, HasExactDerivatives) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    const MechanismTree compiled = compile(mechanism);
    const Model<double>& model = compiled.model;
    VectorX<double> q = compiled.q0;
    move_positions(model, random_vector(model.nv, 0.1, RandomStream(4).substream("open")), &q);
    const VectorX<double> v = random_vector(model.nv, 1, RandomStream(5).substream("v"));
    const VectorX<double> a = random_vector(model.nv, 1, RandomStream(6).substream("a"));
    PositionKinematics<double> pos(model);
    VelocityKinematics<double> vel(model);
    calc_position_kinematics(model, q, &pos);
    calc_velocity_kinematics(model, pos, v, &a, &vel);
    const double h = 1e-5;
    // Along q(t) with joint speeds v + a t: exact to second order, which is all a central
    // difference sees.
    const auto at = [&](double t, const ConstraintRow<double>& row, double* error, double* rate) {
      VectorX<double> q_t = q;
      move_positions(model, VectorX<double>(v * t + 0.5 * t * t * a), &q_t);
      const VectorX<double> v_t = v + a * t;
      PositionKinematics<double> pos_t(model);
      VelocityKinematics<double> vel_t(model);
      calc_position_kinematics(model, q_t, &pos_t);
      calc_velocity_kinematics(model, pos_t, v_t, &a, &vel_t);
      const RowGeometry<double> geometry = calc_row(row, pos_t, q_t);
      *error = geometry.error;
      *rate = calc_row_rate(row, vel_t, v_t, geometry.F);
    };
    for (const ConstraintRow<double>& row : model.rows) {
      const RowGeometry<double> geometry = calc_row(row, pos, q);
      double before, after, rate_before, rate_after;
      at(-h, row, &before, &rate_before);
      at(h, row, &after, &rate_after);
      if (row.holonomic()) {
        EXPECT_NEAR((after - before) / (2 * h), calc_row_rate(row, vel, v, geometry.F), 1e-7)
            << row.name;
      }
      if (row.kind == RowKind::kCoupler) continue;
      EXPECT_NEAR((rate_after - rate_before) / (2 * h),
                  calc_row_acceleration(row, pos, vel, geometry.F), 1e-6)
          << row.name;
    }
  }
}

// The power of forces that no constraint takes part in: d(T + V_gravity)/dt = power of springs,
// dampers and drives.
TEST(ConstraintEmbedding, LetsConstraintsDoNoWork) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    MechanismDynamics ce(mechanism);
    if (ce.mobility().driven > 0) continue;  // a drive works
    VectorX<double> q, v, a(ce.nv());
    ASSERT_TRUE(make_random_state(&ce, 7, &q, &v)) << ce.why();
    ASSERT_TRUE(ce.calc_accelerations(0, in(q), in(v), out(&a)));
    const Model<double>& model = ce.model();
    PositionKinematics<double> pos(model);
    VelocityKinematics<double> vel(model);
    Forces<double> forces(model);
    calc_position_kinematics(model, q, &pos);
    calc_velocity_kinematics(model, pos, v, &a, &vel);
    calc_forces(model, pos, vel, q, v, &forces);
    // M A + V x* M V is the rate of momentum with gravity taken off; its power is that of the
    // applied forces.
    double inertial = 0, applied = forces.tau.dot(v), size = 1;
    for (std::size_t l = 1; l < model.links.size(); ++l) {
      applied += dot(forces.F[l], vel.V[l]);
      if (!model.links[l].has_mass) continue;
      const Spatial<double>& V = vel.V[l];
      const Spatial<double> P = pos.M[l] * V;
      const Spatial<double> rate(cross(V.top(), P.top()) + cross(V.bottom(), P.bottom()),
                                 cross(V.top(), P.bottom()));
      const Spatial<double> F = pos.M[l] * vel.A[l] + rate;
      inertial += dot(F, V);
      size += std::abs(dot(F, vel.V[l]));
    }
    EXPECT_NEAR(inertial, applied, 1e-9 * (size + std::abs(applied)));
  }
}

TEST(LanesOfLoops, GiveTheAccelerationsOfEachLane) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    MechanismDynamics ce(mechanism);
    const Partition partition = ce.partition();
    const Model<Lanes> model = cast_model<Lanes>(ce.model());
    EmbeddedWork<Lanes> work(model, partition);
    EmbeddedWork<double> scalar(ce.model(), partition);
    VectorX<Lanes> q(model.nq), v(model.nv), a = VectorX<Lanes>::Constant(model.nv, Lanes(0));
    std::vector<VectorX<double>> qs(Lanes::kLanes), vs(Lanes::kLanes);
    for (int lane = 0; lane < Lanes::kLanes; ++lane) {
      // Driven coordinates stay where they are; dependent ones start a little off.
      ASSERT_TRUE(
          make_random_state(&ce, 20 + static_cast<std::uint64_t>(lane), &qs[lane], &vs[lane]));
      for (int i = 0; i < model.nq; ++i) q[i].set_lane(lane, qs[lane][i]);
      for (int i = 0; i < model.nv; ++i) v[i].set_lane(lane, vs[lane][i]);
    }
    if (ce.partition_changes() > 0) continue;  // the states no longer share a partition
    const VectorX<Lanes> none = VectorX<Lanes>::Constant(model.nv, Lanes(0));
    ASSERT_TRUE(calc_embedded_dynamics(model, partition, &none, &work, &q, &v, &a).ok());
    const VectorX<double> zero = VectorX<double>::Zero(model.nv);
    for (int lane = 0; lane < Lanes::kLanes; ++lane) {
      VectorX<double> expected = zero;
      ASSERT_TRUE(calc_embedded_dynamics(ce.model(), partition, &zero, &scalar, &qs[lane],
                                         &vs[lane], &expected)
                      .ok());
      for (int i = 0; i < model.nv; ++i)
        EXPECT_NEAR(a[i].lane(lane), expected[i], 1e-12 * (1 + expected.norm()));
    }
  }
}

// Dual numbers through the closing of loops: the derivative by the independent coordinates includes
// what the others do.
TEST(DualNumbersInLoops, GiveTheDerivativesOfTheAccelerations) {
  for (const Mechanism& mechanism : all_mechanisms()) {
    SCOPED_TRACE(mechanism.name);
    MechanismDynamics ce(mechanism);
    VectorX<double> q, v;
    ASSERT_TRUE(make_random_state(&ce, 8, &q, &v)) << ce.why();
    const Partition& partition = ce.partition();
    const Model<double>& model = ce.model();
    EmbeddedWork<double> work(model, partition);
    const VectorX<double> zero = VectorX<double>::Zero(model.nv);
    const int direction = partition.v_of_y[0];
    const auto at = [&](double t) {
      VectorX<double> q_t = q, v_t = v, a = zero, step = zero;
      step[direction] = t;
      move_positions(model, step, &q_t);
      EXPECT_TRUE(calc_embedded_dynamics(model, partition, &zero, &work, &q_t, &v_t, &a).ok());
      return a;
    };
    const double h = 1e-5;
    const VectorX<double> expected = (at(h) - at(-h)) / (2 * h);
    const Model<Dual> dual_model = cast_model<Dual>(model);
    EmbeddedWork<Dual> dual_work(dual_model, partition);
    VectorX<Dual> q_d = q.cast<Dual>(), v_d = v.cast<Dual>();
    VectorX<Dual> none = zero.cast<Dual>(), step = none, a = none;
    step[direction].set_partial(2, 1.0);
    move_positions(dual_model, step, &q_d);
    ASSERT_TRUE(
        calc_embedded_dynamics(dual_model, partition, &none, &dual_work, &q_d, &v_d, &a).ok());
    for (int k = 0; k < model.nv; ++k)
      EXPECT_NEAR(a[k].partial(2), expected[k], 2e-5 * (1 + expected.norm()));
  }
}

// The algorithm traced with expressions, at closed loops, and run as a program.
TEST(TracedLoops, GiveTheAccelerationsOfTheTemplate) {
  for (const char* path :
       {"models/four-bar.toml", "models/spatial-four-bar.toml", "models/crank-slider.toml",
        "models/planar-double-wishbone.toml", "models/pendulum-chain.toml"}) {
    SCOPED_TRACE(path);
    MechanismDynamics ce(load_mechanism(path));
    const Model<double>& numbers = ce.model();
    using symbolic::Expr;
    const Model<Expr> model = cast_model<Expr>(numbers);
    EmbeddedWork<Expr> work(model, ce.partition());
    VectorX<Expr> q(model.nq), v(model.nv), a(model.nv);
    std::vector<Expr> q_list, v_list;
    for (int i = 0; i < model.nq; ++i)
      q_list.push_back(q[i] = symbolic::symbol("q" + std::to_string(i)));
    for (int i = 0; i < model.nv; ++i)
      v_list.push_back(v[i] = symbolic::symbol("v" + std::to_string(i)));
    ASSERT_TRUE(calc_embedded_dynamics_at(model, ce.partition(),
                                          static_cast<VectorX<Expr>*>(nullptr), q, &work, &v, &a)
                    .ok());
    codegen::ProgramBuilder builder("accelerations");
    builder.add_input("q", std::span<const Expr>(q_list))
        .add_input("v", std::span<const Expr>(v_list))
        .add_output("a", a);
    codegen::Interpreter<double> program(builder.build());
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      VectorX<double> q_n, v_n, expected(model.nv);
      ASSERT_TRUE(make_random_state(&ce, seed, &q_n, &v_n));
      if (ce.partition_changes() > 0) break;
      ASSERT_TRUE(ce.calc_accelerations(0, in(q_n), in(v_n), out(&expected)));
      VectorX<double> inputs(model.nq + model.nv), result(model.nv);
      inputs << q_n, v_n;
      ASSERT_EQ(program.run(in(inputs), out(&result)), 0);
      EXPECT_LT((result - expected).norm(), 1e-12 * (1 + expected.norm()));
    }
  }
}

// [002] eq. 18-20: the closed form of a planar four-bar's angles.
TEST(FourBar, HasTheAnglesOfTheClosedForm) {
  const double a = 0.53, b = 0.21, c = 0.47, d = 0.39;  // ground, crank, coupler, rocker [m]
  Mechanism mechanism;
  const auto bar = [&](const char* name, double length, double mass) {
    return mechanism.add(
        Body{name,
             mass,
             {length / 2, 0, 0},
             Vector3(1e-4, mass * length * length / 12, mass * length * length / 12).asDiagonal()});
  };
  const BodyIndex crank = bar("crank", b, 1.3), coupler = bar("coupler", c, 2.1),
                  rocker = bar("rocker", d, 1.7);
  const auto pin = [&](const char* name, BodyIndex parent, const Vector3& at, BodyIndex child,
                       const Vector3& on_child, double guess) {
    Joint joint;
    joint.name = name;
    joint.type = JointType::kRevolute;
    joint.parent = parent;
    joint.child = child;
    joint.X_PF.translation() = at;
    joint.X_BM.translation() = on_child;
    joint.q0 = {guess};
    mechanism.add(joint);
  };
  pin("A", kWorld, {0, 0, 0}, crank, {0, 0, 0}, 0.7);
  pin("G", kWorld, {a, 0, 0}, rocker, {0, 0, 0}, 1.6);
  pin("D", crank, {b, 0, 0}, coupler, {0, 0, 0}, -0.1);
  Joint closing;
  closing.name = "F";
  closing.type = JointType::kRevolute;
  closing.parent = coupler;
  closing.child = rocker;
  closing.X_PF.translation() = Vector3(c, 0, 0);
  closing.X_BM.translation() = Vector3(d, 0, 0);
  mechanism.add(closing);
  mechanism.independent = {"A"};
  MechanismDynamics ce(mechanism);
  EXPECT_EQ(ce.mobility().degrees_of_freedom, 1);
  EXPECT_EQ(ce.mobility().redundant.size(), 3u);
  const MechanismTree& tree = ce.tree();
  for (double theta = 0.7; theta < 0.7 + 6.2; theta += 0.31) {
    VectorX<double> q = ce.initial_q(), v = VectorX<double>::Zero(3);
    // In small steps from the start, on the branch of the start.
    for (double at = 0.7; at < theta; at += 0.1) {
      q[tree.joints[0].q_start] = at;
      ASSERT_TRUE(ce.project(0, out(&q), out(&v)));
    }
    q[tree.joints[0].q_start] = theta;
    ASSERT_TRUE(ce.project(0, out(&q), out(&v)));
    // From the rocker's pin G the crank's end is at (x, y); the triangle with sides d and c over
    // that line gives the rocker.
    const double x = b * std::cos(theta) - a, y = b * std::sin(theta);
    const double r2 = x * x + y * y;
    const double rocker_angle =
        std::atan2(y, x) - std::acos((r2 + d * d - c * c) / (2 * d * std::sqrt(r2)));
    const double computed = q[tree.joints[1].q_start];
    EXPECT_NEAR(std::remainder(computed - rocker_angle, 2 * 3.14159265358979323846), 0, 1e-12)
        << "theta " << theta;
  }
}

// A positive semidefinite matrix of rank 3, of five rows of which two pairs nearly coincide.
TEST(TreeAugmented, TakesTheRowsThatDependLeastOnEachOther) {
  MatrixX<double> G(5, 4);
  G << 1.3, 0.2, -0.4, 0.1,           //
      1.2999, 0.2001, -0.4001, 0.1,   //
      0.3, -0.9, 0.25, 0.7,           //
      0.2999, -0.9001, 0.25, 0.7001,  //
      -0.15, 0.33, 1.7, -0.6;
  const std::vector<int> rows = choose_rows(G * G.transpose(), 3);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_LE(rows[0], 1);
  EXPECT_TRUE(rows[1] == 2 || rows[1] == 3);
  EXPECT_EQ(rows[2], 4);
}

// Patterns that are solved without iteration: the error is at rounding after the first pass, from a
// start that is far off, and the result is that of Newton's method.
TEST(ClosedForm, ClosesKnownLoopsWithoutIterations) {
  std::vector<std::string> by_iteration;
  for (const Mechanism& mechanism : all_mechanisms()) {
    MechanismDynamics ce(mechanism);
    const Partition& partition = ce.partition();
    if (partition.parts.empty()) continue;
    if (std::any_of(partition.parts.begin(), partition.parts.end(),
                    [](const auto& part) { return part.plan.empty(); })) {
      by_iteration.push_back(mechanism.name);
      continue;
    }
    Partition by_newton = partition;
    for (auto& part : by_newton.parts) part.plan.clear();
    const Model<double>& model = ce.model();
    ClosureWork<double> work(model, partition);
    PositionKinematics<double> pos(model);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      SCOPED_TRACE(testing::Message() << mechanism.name << ", seed " << seed);
      VectorX<double> q, v;
      ASSERT_TRUE(make_random_state(&ce, seed, &q, &v));
      if (ce.partition_changes() > 0) break;
      VectorX<double> start = q, step = VectorX<double>::Zero(model.nv);
      for (const auto& part : partition.parts) {
        for (const int k : part.dependent) step[k] = 0.003 * (k % 3 - 1.2);
      }
      move_positions(model, step, &start);
      VectorX<double> closed = start, newton = start;
      const ClosureResult result = close_loops(model, partition, &work, &closed, &pos);
      EXPECT_TRUE(result.closed);
      EXPECT_LE(result.iterations, 1);  // where rounding is not reached, one polishing step
      EXPECT_TRUE(close_loops(model, by_newton, &work, &newton, &pos).closed);
      EXPECT_LT((closed - q).cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_LT((newton - q).cwiseAbs().maxCoeff(), 1e-10);
    }
  }
  EXPECT_EQ(by_iteration,
            (std::vector<std::string>{"bennett", "cardan_shaft", "rolling_coin", "screw_jack",
                                      "stewart_platform", "tripod", "two_wheeler"}));
}

// An upright between two ball joints and a tie rod: one step instead of two. Its quaternion is that
// of the rotation which the links are placed with, and on the side of the one before.
TEST(ClosedForm, PutsAnUprightInPlaceInOneStep) {
  MechanismDynamics ce(make_corner());
  const Partition::Part& part = ce.partition().parts.at(0);
  const auto count = [&part](ClosedFormStep::Kind kind) {
    return std::count_if(part.closure.steps.begin(), part.closure.steps.end(),
                         [kind](const ClosedFormStep& step) { return step.kind == kind; });
  };
  EXPECT_EQ(count(ClosedFormStep::Kind::kSettle), 1);
  EXPECT_EQ(count(ClosedFormStep::Kind::kPoint), 0);
  EmbeddedWork<double> work(ce.model(), ce.partition());
  PositionKinematics<double> expected(ce.model());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    VectorX<double> q, v;
    ASSERT_TRUE(make_random_state(&ce, seed, &q, &v)) << ce.why();
    VectorX<double> moved = q;
    for (const int k : ce.partition().parts[0].dependent) {
      VectorX<double> step = VectorX<double>::Zero(ce.nv());
      step[k] = 0.1;
      move_positions(ce.model(), step, &moved);
    }
    const ClosureResult closure =
        close_loops(ce.model(), ce.partition(), &work.closure, &moved, &work.pos);
    EXPECT_TRUE(closure.closed);
    EXPECT_EQ(closure.iterations, 0);
    EXPECT_LT((moved - q).norm(), 1e-12);
    calc_position_kinematics(ce.model(), moved, &expected);
    for (std::size_t l = 0; l < ce.model().links.size(); ++l) {
      for (int k = 0; k < 3; ++k) {
        const Vec3<double> difference = work.pos.R_WL[l].c[k] - expected.R_WL[l].c[k];
        EXPECT_LT(dot(difference, difference), 1e-28);
      }
    }
  }
}

TEST(Assembly, ClosesLoopsFromRoughGuesses) {
  int closed = 0, tried = 0;
  for (const Mechanism& mechanism : all_mechanisms()) {
    const MechanismTree compiled = compile(mechanism);
    if (compiled.model.rows.empty()) continue;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(testing::Message() << mechanism.name << ", seed " << seed);
      VectorX<double> q = compiled.q0;
      move_positions(compiled.model,
                     random_vector(compiled.model.nv, 0.15, RandomStream(seed).substream("rough")),
                     &q);
      const AssemblyResult result = assemble(compiled, {}, &q);
      ++tried;
      if (!result.assembled) continue;  // beyond reach from there
      ++closed;
      EXPECT_LT(result.error, 1e-10);
    }
  }
  EXPECT_GE(closed, tried * 9 / 10) << closed << " of " << tried;
}

TEST(Assembly, NamesTheLoopThatCannotClose) {
  Mechanism mechanism = make_four_bar_ladder(1);
  // A coupler too long for cranks in any position: one too short would be reached by them.
  for (Joint& joint : mechanism.joints) {
    if (joint.name == "pin1") joint.X_PF.translation() *= 100;
  }
  try {
    MechanismDynamics dynamics(mechanism);
    FAIL() << "it closed";
  } catch (const AssemblyError& error) {
    EXPECT_NE(std::string(error.what()).find("pin1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace camber::multibody
