// A displaced motion is q_s = q (+) xi, where (+) is a displacement along the joints: q + xi for an
// axis, q exp(xi) for a rotation. With v_s = v + dv its rate follows from d/dt (q exp(xi)) = q
// exp(xi) v_s, to first order:
//   axes              xi' = dv                                   (1)
//   rotations         xi' = dw + xi x w                          (2)
//   free joints       rho' = du + xi x u - w x rho               (3)
// with w, u the joint's angular and linear velocity in the axes of its outer frame. dv is that of
// all speeds, y' that of the independent ones: both come as dual numbers out of the dynamics.
// A vector u of a body that spins with W about its axis of symmetry is taken along axes that do not
// spin, u_c = R(W t) u, which are the body's at this moment:
//   u_c' = u' + W x u                                            (4)
// Then all coefficients are constant although gravity turns around in the body's axes.
#include "camber/multibody/linearize.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/multibody/partition.h"
#include "camber/multibody/scalars.h"

namespace camber::multibody {
namespace {

/// Speeds whose coordinates are free: all except the driven ones and those that loops determine.
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

/// A body of (4).
struct Spin {
  std::string body;
  int q_start = 0, v_start = 0;
  bool is_free = false;  // else a ball joint
  Vec3<double> W;        // in the axes of the joint's outer frame [rad/s]
};

/// Whether a body, seen from a point of it, is the same after any rotation about e.
bool is_symmetric_about(const Body& body, const Vector3& p_BoP, const Vector3& e) {
  const Vector3 u = e.unitOrthogonal(), t = e.cross(u);
  const Matrix3& I = body.I_BBcm_B;
  const double size = 1e-9 * I.cwiseAbs().maxCoeff();
  return (I * e - e * e.dot(I * e)).norm() <= size &&
         std::abs(u.dot(I * u) - t.dot(I * t)) <= size && std::abs(u.dot(I * t)) <= size &&
         (body.p_BoBcm_B - p_BoP).cross(e).norm() <= 1e-9;
}

/// Whether anything but joint j and wheels that roll about e holds or pushes the body.
bool is_alone(const Mechanism& m, int j, BodyIndex b, const Vector3& p_BoP, const Vector3& e) {
  for (std::size_t k = 0; k < m.joints.size(); ++k)
    if (static_cast<int>(k) != j && (m.joints[k].parent == b || m.joints[k].child == b))
      return false;
  const auto touches = [&](const auto& list) {
    return std::ranges::any_of(list, [&](const auto& x) { return x.a == b || x.b == b; });
  };
  if (touches(m.rods) || touches(m.springs) || touches(m.bushings)) return false;
  for (const Wrench& wrench : m.wrenches)
    if (wrench.body == b) return false;
  for (const Rolling& rolling : m.rollings) {
    if (rolling.ground == b) return false;
    if (rolling.wheel != b) continue;
    if (rolling.axis_B.normalized().cross(e).norm() > 1e-9 ||
        (rolling.p_BC_B - p_BoP).cross(e).norm() > 1e-9)
      return false;
  }
  return true;
}

std::vector<Spin> find_spins(const MechanismTree& tree, const VectorX<double>& v) {
  std::vector<Spin> spins;
  const Mechanism& m = tree.mechanism;
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const Joint& joint = m.joints[j];
    const bool is_free = joint.type == JointType::kFree;
    if ((!is_free && joint.type != JointType::kSpherical) || !joint.axes.empty()) continue;
    if (!tree.joints[j].in_tree || joint.parent != kWorld) continue;
    const int k = tree.joints[j].v_start;
    const Vector3 w_B = joint.X_BM.linear() * v.segment<3>(k);
    if (w_B.norm() == 0) continue;
    Vector3 e = w_B.normalized();
    for (const Rolling& rolling : m.rollings)
      if (rolling.wheel == joint.child) e = rolling.axis_B.normalized();
    const Vector3 p_BoP = joint.X_BM.translation();
    const Body& body = m.bodies[static_cast<std::size_t>(joint.child.value)];
    if (w_B.dot(e) == 0 || !is_symmetric_about(body, p_BoP, e) ||
        !is_alone(m, static_cast<int>(j), joint.child, p_BoP, e))
      continue;
    const Vector3 W = joint.X_BM.linear().transpose() * (e * w_B.dot(e));
    spins.push_back({body.name, tree.joints[j].q_start, k, is_free, {W[0], W[1], W[2]}});
  }
  return spins;
}

/// Adds W x u to three entries of a list of rates, (4).
void add_turn(const Vec3<double>& W, const Vec3<double>& u, int start, VectorX<double>* rates) {
  const Vec3<double> turn = cross(W, u);
  for (int j = 0; j < 3; ++j) (*rates)[start + j] += turn[j];
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

LinearizedMechanism linearize(const MechanismTree& mechanism, const Partition& partition,
                              const VectorX<double>& q, const VectorX<double>& v,
                              const VectorX<double>* v_dot_driven, SpinAxes spin_axes) {
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
  VectorX<double> rates(m.nv), speed_rates(m.nv);
  const std::vector<Spin> spins =
      spin_axes == SpinAxes::kCarrier ? find_spins(mechanism, v) : std::vector<Spin>{};
  for (const Spin& spin : spins) result.spinning.push_back(spin.body);
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
      for (int k = 0; k < m.nv; ++k) speed_rates[k] = v_dot[k].partial(d);
      for (const Spin& spin : spins) {  // (4)
        const int i = spin.q_start, k = spin.v_start;
        add_turn(spin.W, calc_turn(q_closed, q_s, i, d), k, &rates);
        add_turn(spin.W, partials(v_s, k, d), k, &speed_rates);
        if (!spin.is_free) continue;
        const Mat3<double> R =
            rotation_of_quaternion(q_closed[i], q_closed[i + 1], q_closed[i + 2], q_closed[i + 3]);
        const Vec3<double> dp = partials(q_s, i + 4, d);
        add_turn(spin.W, {dot(R.c[0], dp), dot(R.c[1], dp), dot(R.c[2], dp)}, k + 3, &rates);
        add_turn(spin.W, partials(v_s, k + 3, d), k + 3, &speed_rates);
      }
      for (int i = 0; i < nd; ++i) result.A(i, first + d) = rates[displaced[i]];
      for (int i = 0; i < ny; ++i) result.A(nd + i, first + d) = speed_rates[partition.v_of_y[i]];
    }
    for (int k = 0; k < m.nv; ++k) speed_rates[k] = v_dot[k].value;
    for (const Spin& spin : spins) {
      add_turn(spin.W, values(v_closed, spin.v_start), spin.v_start, &speed_rates);
      if (spin.is_free)
        add_turn(spin.W, values(v_closed, spin.v_start + 3), spin.v_start + 3, &speed_rates);
    }
    for (int i = 0; i < ny; ++i) {
      result.y[i] = v_s[partition.v_of_y[i]].value;
      result.y_dot[i] = speed_rates[partition.v_of_y[i]];
    }
  }
  return result;
}

namespace {

// The mass matrix of the independent speeds at q, by kinetic energies T: T(a + b) - T(a - b) is
// twice a^T M b.
MatrixX<double> calc_embedded_mass_matrix(const Model<double>& model, const Partition& partition,
                                          const VectorX<double>& q, EmbeddedWork<double>* work) {
  calc_position_kinematics(model, q, &work->pos);
  calc_loop_matrices(model, partition, work->pos, &work->loops);
  VectorX<double> v = VectorX<double>::Zero(model.nv);
  const auto energy = [&](const VectorX<double>& y) {
    expand_speeds(model, partition, y, &work->loops, &v);
    calc_velocity_kinematics(model, work->pos, v, static_cast<const VectorX<double>*>(nullptr),
                             &work->vel);
    return calc_kinetic_energy(model, work->pos, work->vel);
  };
  const int ny = partition.ny();
  const MatrixX<double> unit = MatrixX<double>::Identity(ny, ny);
  MatrixX<double> M(ny, ny);
  for (int i = 0; i < ny; ++i) {
    for (int j = 0; j <= i; ++j) {
      M(i, j) = (energy(unit.col(i) + unit.col(j)) - energy(unit.col(i) - unit.col(j))) / 2;
      M(j, i) = M(i, j);
    }
  }
  return M;
}

// M y' = -dV/dxi at rest, so M dy'/dxi is -K, the curvature of the energy, at an equilibrium, and
// near to it elsewhere. Newton's step -J^-1 y' leads to any equilibrium; with the absolute values
// of the curvatures, in directions that are orthogonal in M, it always goes downhill, and near a
// stable equilibrium it is Newton's step [Dauphin et al. 2014]. A direction without stiffness (a
// body that is free to move) is left unchanged unless a force acts along it. Each direction moves
// by at most `longest`, so that one that is far from its equilibrium does not delay the others.
std::optional<VectorX<double>> calc_downhill_step(const MatrixX<double>& M,
                                                  const MatrixX<double>& J,
                                                  const VectorX<double>& y_dot, double longest) {
  const MatrixX<double> K = -(M * J + (M * J).transpose()) / 2;
  const auto eigen = math::calc_generalized_symmetric_eigen(K, M);
  if (!eigen) return {};
  const double size = std::max(1.0, eigen->values.cwiseAbs().maxCoeff());
  VectorX<double> step = VectorX<double>::Zero(y_dot.size());
  for (Eigen::Index i = 0; i < step.size(); ++i) {
    const VectorX<double> shape = eigen->vectors.col(i);
    const double push = shape.dot(M * y_dot), curvature = std::abs(eigen->values[i]);
    if (std::abs(push) <= (curvature > 1e-10 * size ? 1e-14 : 1e-9) * size) continue;
    const double most = longest / shape.cwiseAbs().maxCoeff();
    step += shape * std::clamp(push / std::max(curvature, 1e-300), -most, most);
  }
  return step;
}

}  // namespace

namespace {

// Takes steps downhill if the mass matrix has a row for each displacement and `goes_downhill`,
// otherwise Newton steps of minimal norm.
EquilibriumResult search_equilibrium(const MechanismTree& mechanism, Partition partition,
                                     bool goes_downhill, VectorX<double>* q) {
  constexpr int kMaxIterations = 300;
  constexpr double kLongestStep = 0.2;  // [rad], [m]: of one coordinate
  constexpr double kShortest = 1e-7;    // smallest step whose work is distinguishable from rounding
  const Model<double>& model = mechanism.model;
  const VectorX<double> rest = VectorX<double>::Zero(model.nv);
  std::vector<int> displaced = find_displacements(partition);
  const int nd = static_cast<int>(displaced.size()), ny = partition.ny();
  auto work = std::make_unique<EmbeddedWork<double>>(model, partition);
  EquilibriumResult result;
  if (ny == 0) return {.found = true};
  const bool has_energy = goes_downhill && nd == ny;
  const auto calc_mass_matrix = [&] {
    return has_energy ? calc_embedded_mass_matrix(model, partition, *q, work.get())
                      : MatrixX<double>();
  };
  double longest = kLongestStep;
  VectorX<double> way = rest;
  LinearizedMechanism linear = linearize(mechanism, partition, *q, rest);
  MatrixX<double> M = calc_mass_matrix();
  for (; result.iterations < kMaxIterations; ++result.iterations) {
    const MatrixX<double> J = linear.A.bottomLeftCorner(ny, nd);
    result.acceleration = linear.y_dot.cwiseAbs().maxCoeff();
    result.found = result.acceleration <= 1e-12 * std::max(1.0, J.cwiseAbs().maxCoeff());
    if (result.found) return result;
    std::optional<VectorX<double>> downhill;
    if (has_energy) downhill = calc_downhill_step(M, J, linear.y_dot, longest);
    VectorX<double> step = downhill ? *downhill : -math::solve_shortest(J, linear.y_dot);
    const double largest = step.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest) || largest == 0) return result;
    if (largest > longest) step *= longest / largest;
    const VectorX<double> last_q = *q;
    VectorX<double> move = rest, v = rest, v_dot = rest;
    for (int i = 0; i < nd; ++i) move[displaced[i]] = step[i];
    move_positions(model, move, q);
    if (!calc_embedded_dynamics(model, partition, &rest, work.get(), q, &v, &v_dot).ok()) {
      // Beyond the reach of the loops or of these coordinates: a crank's dead point is not an end
      // position for the rocker.
      *q = last_q;
      longest = 0.3 * std::min(largest, longest);
      if (longest < kShortest) return result;
      Partition fresh = choose_partition(mechanism, *q, {});
      if (fresh.ny() != ny || find_displacements(fresh).size() != displaced.size() ||
          fresh.v_of_y == partition.v_of_y)
        continue;
      partition = std::move(fresh);
      displaced = find_displacements(partition);
      work = std::make_unique<EmbeddedWork<double>>(model, partition);
      result.partition = partition;
      linear = linearize(mechanism, partition, *q, rest);
      M = calc_mass_matrix();
      continue;
    }
    LinearizedMechanism next = linearize(mechanism, partition, *q, rest);
    MatrixX<double> next_M = calc_mass_matrix();
    // The work of the step by the trapezoidal rule: uphill, if the force has changed sign and
    // grown.
    if (downhill && std::min(largest, longest) > kShortest &&
        step.dot(M * linear.y_dot) + step.dot(next_M * next.y_dot) < 0) {
      *q = last_q;
      longest = 0.3 * std::min(largest, longest);
      continue;
    }
    longest = std::min(kLongestStep, 1.5 * longest);
    way += move;
    Eigen::Index farthest = 0;
    result.way = way.cwiseAbs().maxCoeff(&farthest);
    result.farthest = static_cast<int>(farthest);
    linear = std::move(next);
    M = std::move(next_M);
  }
  return result;
}

}  // namespace

// A system that is stiff in some directions and free in others (bushings, wheels that may rotate)
// can keep downhill steps short for long; then Newton's method from the same start is tried.
EquilibriumResult find_equilibrium(const MechanismTree& mechanism, const Partition& partition,
                                   VectorX<double>* q) {
  const VectorX<double> start = *q;
  EquilibriumResult downhill = search_equilibrium(mechanism, partition, true, q);
  if (downhill.found) return downhill;
  VectorX<double> other = start;
  EquilibriumResult newton = search_equilibrium(mechanism, partition, false, &other);
  if (!newton.found) return downhill;
  *q = other;
  return newton;
}

}  // namespace camber::multibody
