#include "bench/multibody/problems.h"

#include <Eigen/QR>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/multibody/library.h"

namespace camber::bench {
namespace {

using multibody::Joint;
using multibody::Mechanism;

constexpr std::uint64_t kSeed = 60;

void add_states(int count, double spread, MultibodyProblem* problem) {
  const PeerState start = make_initial_state(problem->tree);
  for (int i = 0; i < count; ++i) {
    RandomStream random = RandomStream(kSeed).substream("state", static_cast<std::uint64_t>(i));
    PeerState state = start;
    for (double& q : state.q) q += random.uniform(-spread, spread);
    for (double& v : state.v) v = random.uniform(-1, 1);
    problem->states.push_back(state);
  }
}

MultibodyProblem make_problem(std::string name, int n, Mechanism mechanism) {
  MultibodyProblem problem{std::move(name), n, std::move(mechanism), {}, {}};
  problem.tree = find_spanning_tree(problem.mechanism);
  return problem;
}

// How far the points that closures hold together are apart, and how fast they part.
struct Gaps {
  VectorX<double> position, speed;
};

Gaps calc_gaps(const MultibodyProblem& problem, const PeerState& state) {
  const BodyMotions motions = calc_body_motions(problem.tree, state);
  const int n = 3 * static_cast<int>(problem.tree.closures.size());
  Gaps gaps{VectorX<double>(n), VectorX<double>(n)};
  for (Eigen::Index i = 0; i < n / 3; ++i) {
    const Joint& joint = problem.mechanism.joints[problem.tree.closures[i].value];
    const auto point = [&](multibody::BodyIndex body, const Isometry3& X_on_body, Vector3* v) {
      const Vector3 p = motions.X_WB[body.value].linear() * X_on_body.translation();
      const Vector6& V = motions.V_WB[body.value];
      *v = V.tail<3>() + V.head<3>().cross(p);
      return Vector3(motions.X_WB[body.value].translation() + p);
    };
    Vector3 v_F, v_M;
    gaps.position.segment<3>(3 * i) = point(joint.child, joint.X_BM, &v_M);
    gaps.position.segment<3>(3 * i) -= point(joint.parent, joint.X_PF, &v_F);
    gaps.speed.segment<3>(3 * i) = v_M - v_F;
  }
  return gaps;
}

// Newton's method; a column of the Jacobian is how fast the gaps open at unit speed. Only for
// mechanisms whose coordinates are all of joints with one axis.
void close_loops(const MultibodyProblem& problem, PeerState* state) {
  require(problem.tree.nq == problem.tree.nv, "close_loops: quaternions are not for this");
  const int n = problem.tree.nv;
  const auto calc_jacobian = [&] {
    MatrixX<double> jacobian(3 * problem.tree.closures.size(), n);
    PeerState unit{state->q, VectorX<double>::Zero(n)};
    for (int i = 0; i < n; ++i) {
      unit.v.setUnit(i);
      jacobian.col(i) = calc_gaps(problem, unit).speed;
    }
    return jacobian;
  };
  using Solver = Eigen::CompleteOrthogonalDecomposition<MatrixX<double>>;
  for (int step = 0; step < 30; ++step) {
    const VectorX<double> gap = calc_gaps(problem, *state).position;
    if (gap.lpNorm<Eigen::Infinity>() < 1e-13) break;
    Solver solver;
    solver.setThreshold(1e-10);
    state->q -= solver.compute(calc_jacobian()).solve(gap);
  }
  require(calc_gaps(problem, *state).position.lpNorm<Eigen::Infinity>() < 1e-11,
          "close_loops: no convergence on ", problem.name, " ", problem.n);
  Solver solver;
  solver.setThreshold(1e-10);
  solver.compute(calc_jacobian());
  for (int i = 0; i < 2; ++i) state->v -= solver.solve(calc_gaps(problem, *state).speed);
}

}  // namespace

MultibodyProblem make_chain_problem(int bodies, int states) {
  MultibodyProblem problem = make_problem("chain", bodies, multibody::make_chain(bodies, kSeed));
  add_states(states, 0.5, &problem);
  return problem;
}

MultibodyProblem make_tree_problem(int bodies, int states) {
  MultibodyProblem problem =
      make_problem("tree", bodies, multibody::make_binary_tree(bodies, kSeed));
  add_states(states, 0.5, &problem);
  return problem;
}

MultibodyProblem make_ladder_problem(int loops, int states) {
  MultibodyProblem problem = make_problem(
      "ladder", loops, multibody::make_four_bar_ladder(loops, multibody::LadderPin::kSpherical));
  add_states(states, 0.02, &problem);
  for (PeerState& state : problem.states) close_loops(problem, &state);
  return problem;
}

}  // namespace camber::bench
