// A displaced motion is q_s = q (+) xi, where (+) goes along the joints: q + xi for an axis, q
// exp(xi) for a rotation. With v_s = v + dv its rate follows from d/dt (q exp(xi)) = q exp(xi) v_s,
// to first order:
//   axes              xi' = dv                                   (1)
//   rotations         xi' = dw + xi x w                          (2)
//   free joints       rho' = du + xi x u - w x rho               (3)
// with w, u the joint's angular and linear velocity in the axes of its outer frame. dv is that of
// all speeds, y' that of the independent ones: both come as dual numbers out of the dynamics.
#include "camber/multibody/linearize.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

#include "camber/core/require.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {
namespace {

/// Speeds whose coordinates are free: all but the driven ones and those that loops determine.
/// The independent ones first.
std::vector<int> find_displacements(const Partition& partition) {
  std::vector<int> places = partition.v_of_y;
  for (const Partition::Part& part : partition.parts) {
    places.insert(places.end(), part.dependent.begin() + part.holonomic_count,
                  part.dependent.end());
  }
  return places;
}

Vec3<double> partials(const VectorX<Dual>& x, int start, int direction) {
  return {x[start].partial(direction), x[start + 1].partial(direction),
          x[start + 2].partial(direction)};
}

Vec3<double> values(const VectorX<double>& x, int start) {
  return {x[start], x[start + 1], x[start + 2]};
}

/// The small rotation in the outer frame's axes that changes the unit quaternion at `start`.
Vec3<double> calc_turn(const VectorX<double>& q, const VectorX<Dual>& moved, int start,
                       int direction) {
  const Vec3<double> a = values(q, start + 1), b = partials(moved, start + 1, direction);
  return (b * q[start] - a * moved[start].partial(direction) - cross(a, b)) * 2.0;
}

/// Displacement rates of all speeds for one direction: (1) to (3).
void calc_displacement_rates(const Model<double>& model, const VectorX<double>& q,
                             const VectorX<double>& v, const VectorX<Dual>& moved_q,
                             const VectorX<Dual>& moved_v, int direction, VectorX<double>* rates) {
  for (int k = 0; k < model.nv; ++k) (*rates)[k] = moved_v[k].partial(direction);
  for (const Link<double>& link : model.links) {
    if (link.kind != LinkKind::kSpherical && link.kind != LinkKind::kFree) continue;
    const int i = link.q_start, k = link.v_start;
    const Vec3<double> xi = calc_turn(q, moved_q, i, direction), w = values(v, k);
    const Vec3<double> turn = cross(xi, w);  // (2)
    for (int j = 0; j < 3; ++j) (*rates)[k + j] += turn[j];
    if (link.kind != LinkKind::kFree) continue;
    const Mat3<double> R = rotation_of_quaternion(q[i], q[i + 1], q[i + 2], q[i + 3]);
    const Vec3<double> dp = partials(moved_q, i + 4, direction);
    const Vec3<double> rho(dot(R.c[0], dp), dot(R.c[1], dp), dot(R.c[2], dp));
    const Vec3<double> shift = cross(xi, values(v, k + 3)) - cross(w, rho);  // (3)
    for (int j = 0; j < 3; ++j) (*rates)[k + 3 + j] += shift[j];
  }
}

}  // namespace

LinearizedMechanism linearize(const CompiledMechanism& mechanism, const Partition& partition,
                              const VectorX<double>& q, const VectorX<double>& v,
                              const VectorX<double>* v_dot_driven) {
  const Model<double>& m = mechanism.model;
  require(q.size() == m.nq && v.size() == m.nv, "linearize: q has ", q.size(), " entries and v ",
          v.size(), ", mechanism \"", mechanism.mechanism.name, "\" needs ", m.nq, " and ", m.nv);
  const Model<Dual> model = cast_model<Dual>(m);
  EmbeddedWork<Dual> work(model, partition);
  const std::vector<int> displaced = find_displacements(partition);
  const int nd = static_cast<int>(displaced.size()), ny = partition.ny(), n = nd + ny;

  LinearizedMechanism result;
  result.displacement_count = nd;
  for (const int k : displaced) result.states.push_back(mechanism.v_names[k]);
  for (const int k : partition.v_of_y) result.states.push_back(mechanism.v_names[k] + "'");
  result.A = MatrixX<double>::Zero(n, n);
  result.y = result.y_dot = VectorX<double>::Zero(ny);

  VectorX<Dual> driven = VectorX<Dual>::Constant(m.nv, Dual(0));
  if (v_dot_driven != nullptr) driven = v_dot_driven->cast<Dual>();
  VectorX<Dual> step(m.nv), q_s(m.nq), v_s(m.nv), v_dot(m.nv);
  VectorX<double> rates(m.nv);
  for (int first = 0; first < std::max(n, 1); first += kDirections) {
    const int count = std::min(kDirections, n - first);
    step.setConstant(Dual(0));
    v_dot.setConstant(Dual(0));
    q_s = q.cast<Dual>();
    v_s = v.cast<Dual>();
    for (int d = 0; d < count; ++d) {
      const int state = first + d;
      if (state < nd) {
        step[displaced[state]].set_partial(d, 1);
      } else {
        v_s[partition.v_of_y[state - nd]].set_partial(d, 1);
      }
    }
    move_positions(model, step, &q_s);
    const Evaluation evaluation =
        calc_embedded_dynamics(model, partition, &driven, &work, &q_s, &v_s, &v_dot);
    if (!evaluation.ok()) {
      throw std::domain_error(concat("mechanism \"", mechanism.mechanism.name,
                                     "\" cannot be linearized here: ", to_text(evaluation.status)));
    }
    VectorX<double> q_closed(m.nq), v_closed(m.nv);
    for (int i = 0; i < m.nq; ++i) q_closed[i] = q_s[i].value;
    for (int i = 0; i < m.nv; ++i) v_closed[i] = v_s[i].value;
    for (int d = 0; d < count; ++d) {
      calc_displacement_rates(m, q_closed, v_closed, q_s, v_s, d, &rates);
      for (int i = 0; i < nd; ++i) result.A(i, first + d) = rates[displaced[i]];
      for (int i = 0; i < ny; ++i)
        result.A(nd + i, first + d) = v_dot[partition.v_of_y[i]].partial(d);
    }
    for (int i = 0; i < ny; ++i) {
      result.y[i] = v_s[partition.v_of_y[i]].value;
      result.y_dot[i] = v_dot[partition.v_of_y[i]].value;
    }
  }
  return result;
}

namespace {

// y' = -M^-1 dV/dxi at rest, so J = dy'/dxi is -M^-1 K at an equilibrium, with real eigenvalues.
// Newton's step -J^-1 y' goes to any equilibrium; with the eigenvalues' signs turned to negative it
// always goes downhill, and near a stable one it is Newton's [Dauphin et al. 2014]. Where nothing
// pulls back (a body that is free to go) nothing is moved, unless something pushes.
std::optional<VectorX<double>> calc_downhill_step(const MatrixX<double>& J,
                                                  const VectorX<double>& y_dot) {
  const Eigen::EigenSolver<MatrixX<double>> eigen(J);
  if (eigen.info() != Eigen::Success) return {};
  const double size = eigen.eigenvalues().cwiseAbs().maxCoeff();
  if (eigen.eigenvalues().imag().cwiseAbs().maxCoeff() > 1e-9 * size) return {};
  const MatrixX<double> shapes = eigen.eigenvectors().real();
  const Eigen::FullPivLU<MatrixX<double>> factor(shapes);
  if (!factor.isInvertible()) return {};
  VectorX<double> parts = factor.solve(y_dot);
  for (Eigen::Index i = 0; i < parts.size(); ++i) {
    const double curvature = std::abs(eigen.eigenvalues()[i].real());
    if (curvature > 1e-10 * size) {
      parts[i] /= curvature;
    } else if (std::abs(parts[i]) <= 1e-9 * std::max(1.0, size)) {
      parts[i] = 0;
    }
  }
  return shapes * parts;
}

}  // namespace

EquilibriumResult find_equilibrium(const CompiledMechanism& mechanism, const Partition& partition,
                                   VectorX<double>* q) {
  constexpr int kMaxIterations = 300;
  constexpr double kLongestStep = 0.2;  // [rad], [m]: of one coordinate
  const Model<double>& model = mechanism.model;
  const VectorX<double> rest = VectorX<double>::Zero(model.nv);
  const std::vector<int> displaced = find_displacements(partition);
  const int nd = static_cast<int>(displaced.size()), ny = partition.ny();
  EmbeddedWork<double> work(model, partition);
  EquilibriumResult result;
  if (ny == 0) return {.found = true};
  double longest = kLongestStep;
  VectorX<double> last_step = VectorX<double>::Zero(nd), last_y_dot = VectorX<double>::Zero(ny);
  for (; result.iterations < kMaxIterations; ++result.iterations) {
    const LinearizedMechanism linear = linearize(mechanism, partition, *q, rest);
    const VectorX<double>& y_dot = linear.y_dot;
    const MatrixX<double> J = linear.A.bottomLeftCorner(ny, nd);
    result.acceleration = y_dot.cwiseAbs().maxCoeff();
    result.found = result.acceleration <= 1e-12 * std::max(1.0, J.cwiseAbs().maxCoeff());
    if (result.found) return result;
    // The push has turned around and grown: the last step went too far.
    if (y_dot.dot(last_step.head(ny)) < 0 && y_dot.norm() > last_y_dot.norm()) longest *= 0.5;
    std::optional<VectorX<double>> step;
    if (nd == ny) step = calc_downhill_step(J, y_dot);
    if (!step) step = -J.completeOrthogonalDecomposition().solve(y_dot);
    const double largest = step->cwiseAbs().maxCoeff();
    if (!std::isfinite(largest) || largest == 0) return result;
    if (largest > longest) *step *= longest / largest;
    last_step = *step;
    last_y_dot = y_dot;
    VectorX<double> move = rest, v = rest, v_dot = rest;
    for (int i = 0; i < nd; ++i) move[displaced[i]] = (*step)[i];
    move_positions(model, move, q);
    // Closes the loops; where that fails, linearize() says so.
    calc_embedded_dynamics(model, partition, &rest, &work, q, &v, &v_dot);
  }
  return result;
}

}  // namespace camber::multibody
