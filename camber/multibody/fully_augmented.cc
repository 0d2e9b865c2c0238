#include "camber/multibody/fully_augmented.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/multibody/assembly.h"
#include "camber/multibody/constraint_row.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/mass_matrix.h"

namespace camber::multibody {

namespace {

// Inverse of the inertia about the center of mass, by its principal axes; empty if one of its
// moments is negligible.
std::optional<Matrix3> find_inverse_inertia(const Link<double>& link) {
  constexpr double kRounding = 1e-14;
  Matrix3 I;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) I(i, j) = link.I_LLcm(i, j);
  }
  const double size = I.cwiseAbs().maxCoeff();
  if (!(size > 0 && std::isfinite(size) && link.mass > 0)) return {};
  const auto principal = math::calc_symmetric_eigen(Matrix3(I / size));
  const Vector3& moments = principal.values;  // the least first
  if (!(moments[0] > kRounding)) return {};
  const Matrix3& R = principal.vectors;
  return R * (size * moments).cwiseInverse().asDiagonal() * R.transpose();
}

bool moves_along(const Joint& joint) {
  return std::any_of(joint.axes.begin(), joint.axes.end(), [](const JointAxis& axis) {
    return axis.stiffness != 0 || axis.damping != 0 || axis.friction != 0 || axis.force != 0 ||
           axis.lower || axis.upper;
  });
}

}  // namespace

FullyAugmented::FullyAugmented(const MechanismTree& tree, const VectorX<double>& q_tree,
                               const Stabilization& stabilization)
    : mechanism_(compile(tree.mechanism, TreeKind::kAugmented)),
      stabilization_(stabilization),
      work_([&]() -> EmbeddedWork<double> {
        mechanism_.model = open_loops(mechanism_.model);
        take_origin(tree);
        const Model<double>& m = mechanism_.model;
        partition_.y_of_link.assign(m.links.size(), -1);
        for (std::size_t l = 1; l < m.links.size(); ++l) {
          partition_.y_of_link[l] = partition_.ny();
          for (int k = 0; k < 6; ++k) partition_.v_of_y.push_back(m.links[l].v_start + k);
        }
        return EmbeddedWork<double>(m, partition_);
      }()) {
  const Model<double>& m = model();
  I_inverse_.resize(m.links.size(), Matrix3::Zero());
  for (std::size_t b = 1; b < mechanism_.mechanism.bodies.size(); ++b) {
    const int l = m.bodies[b].link;
    const std::optional<Matrix3> inverse = find_inverse_inertia(m.links[l]);
    require(inverse.has_value(), "fa: body \"", mechanism_.mechanism.bodies[b].name,
            "\" needs mass and inertia about every axis, since all its motions are coordinates");
    I_inverse_[l] = *inverse;
  }
  collect_coordinates(tree, q_tree);
  VectorX<double> q, v;
  take_state(tree, q_tree, VectorX<double>::Zero(tree.model.nv), &q, &v);
  calc_kinematics(q, v);
  find_independent_rows(q);
  make_pattern();
}

// O and the length are those of the tree: if it has a floating body, O is at that body.
void FullyAugmented::take_origin(const MechanismTree& tree) {
  Model<double>& m = mechanism_.model;
  m.p_WO = tree.model.p_WO;
  m.origin_link = 0;
  for (std::size_t b = 1; b < tree.model.bodies.size() && tree.model.origin_link != 0; ++b) {
    if (tree.model.bodies[b].link != tree.model.origin_link) continue;
    m.origin_link = m.bodies[b].link;
    break;
  }
  measure_by(tree.model.length, &m);
}

// Couplers, driven axes and axes with forces, as functions of poses.
void FullyAugmented::collect_coordinates(const MechanismTree& tree, const VectorX<double>& q_tree) {
  const Mechanism& source = tree.mechanism;
  for (const Coupler& coupler : source.couplers) {
    CoordinateRow row;
    row.offset = coupler.offset;
    row.name = concat("coupler \"", coupler.name, "\"");
    row.unit = 0;
    for (const Coupler::Term& term : coupler.terms) {
      JointCoordinate coordinate = make_coordinate(source.joints[term.joint.value], term.axis);
      coordinate.factor = term.factor;
      coordinate.last = q_tree[tree.joints[term.joint.value].q_start + term.axis];
      row.terms.push_back(coordinate);
      const int v = tree.joints[term.joint.value].v_start + term.axis;
      row.unit = std::max(row.unit, std::abs(term.factor) * tree.model.speed_units[v]);
    }
    if (!(row.unit > 0)) row.unit = 1;
    coordinate_rows_.push_back(std::move(row));
  }
  int drive = 0;
  for (int k = 0; k < tree.model.nv; ++k) {
    if (!tree.motions[k]) continue;
    for (std::size_t j = 0; j < source.joints.size(); ++j) {
      const auto& place = tree.joints[j];
      const int axis = k - place.v_start;
      if (!place.in_tree || axis < 0 || axis >= speed_count(source.joints[j].type)) continue;
      JointCoordinate coordinate = make_coordinate(source.joints[j], axis);
      coordinate.last = q_tree[place.q_start + axis];
      coordinate_rows_.push_back({{coordinate},
                                  0,
                                  drive++,
                                  concat("motion of joint \"", source.joints[j].name, "\""),
                                  tree.model.speed_units[k]});
    }
  }
  for (std::size_t j = 0; j < source.joints.size(); ++j) {
    const Joint& joint = source.joints[j];
    if (!tree.joints[j].in_tree || !moves_along(joint)) continue;
    const bool has_quaternion = position_count(joint.type) > speed_count(joint.type);
    for (const AxisForce<double>& force : tree.model.axes) {
      const int axis = force.v - tree.joints[j].v_start;
      if (axis < 0 || axis >= speed_count(joint.type)) continue;
      AxisElement element{make_coordinate(joint, axis), force};
      if (!has_quaternion) element.coordinate.last = q_tree[tree.joints[j].q_start + axis];
      element.force.v = 0;  // the place in axis_v_ and axis_q_
      if (force.q >= 0) element.force.q = 0;
      axes_.push_back(element);
    }
  }
}

// Chooses the rows that are needed, at the configuration in work_.
void FullyAugmented::find_independent_rows(const VectorX<double>& q) {
  const Model<double>& m = model();
  for (int r = 0; r < static_cast<int>(m.rows.size()); ++r) {
    if (m.rows[r].kind != RowKind::kCoupler) plain_rows_.push_back(r);
  }
  const int count = static_cast<int>(plain_rows_.size() + coordinate_rows_.size());
  // Scaled to a length of the mechanism along each axis and a radian about it.
  MatrixX<double> G = MatrixX<double>::Zero(count, m.nv);
  const auto fill = [&](int r, int link, const Spatial<double>& F, double sign) {
    if (link == 0) return;
    for (int k = 0; k < 6; ++k) {
      const int column = m.links[link].v_start + k;
      G(r, column) += sign * dot(F, work_.pos.H[column]) * m.speed_units[column];
    }
  };
  // Coordinate rows are taken first: driven axes must be kept.
  const int first = static_cast<int>(coordinate_rows_.size());
  for (int r = 0; r < first; ++r) {
    for (JointCoordinate& term : coordinate_rows_[r].terms) {
      const Spatial<double> F = calc_coordinate(work_.pos, work_.vel, &term).F;
      fill(r, term.b, F, term.factor);
      fill(r, term.a, F, -term.factor);
    }
  }
  for (std::size_t i = 0; i < plain_rows_.size(); ++i) {
    const ConstraintRow<double>& row = m.rows[plain_rows_[i]];
    const Spatial<double> F = calc_row(row, work_.pos, q).F;
    fill(first + static_cast<int>(i), row.b, F, 1);
    fill(first + static_cast<int>(i), row.a, F, -1);
  }
  for (int r = 0; r < count; ++r)
    G.row(r) *=
        r < first ? 1e3 / coordinate_rows_[r].unit : 1 / m.rows[plain_rows_[r - first]].unit;
  if (count > 0) {
    const math::ColumnOrder order = math::order_columns(G.transpose(), 1e-10);
    std::vector<CoordinateRow> needed;
    for (int i = 0; i < order.rank; ++i) {
      const int r = order.columns[i];
      if (r >= first) {
        rows_.push_back(plain_rows_[r - first]);
      } else {
        needed.push_back(coordinate_rows_[r]);
      }
    }
    for (int i = order.rank; i < count; ++i) {
      const int r = order.columns[i];
      if (r < first) spare_rows_.push_back(coordinate_rows_[r]);
    }
    std::sort(rows_.begin(), rows_.end());
    coordinate_rows_ = std::move(needed);
  }
  choice_ = RowChoice(rows_.size() < plain_rows_.size());
}

// Parts and the pattern of G M^-1 G^T.
void FullyAugmented::make_pattern() {
  const Model<double>& m = model();
  const int n = constraint_count();
  parts_.clear();
  part_start_.clear();
  parts_of_link_.assign(m.links.size(), {});
  row_force_.resize(static_cast<std::size_t>(n));
  lambda_ = error_ = VectorX<double>::Zero(n);
  const auto add_part = [&](int r, int link) {
    if (link == 0) return;
    parts_of_link_[link].push_back(static_cast<int>(parts_.size()));
    parts_.push_back({r, link, Vector6::Zero()});
  };
  for (int r = 0; r < n; ++r) {
    part_start_.push_back(static_cast<int>(parts_.size()));
    if (r < static_cast<int>(rows_.size())) {
      add_part(r, m.rows[rows_[r]].a);
      add_part(r, m.rows[rows_[r]].b);
    } else {
      for (const JointCoordinate& term :
           coordinate_rows_[r - static_cast<int>(rows_.size())].terms) {
        add_part(r, term.a);
        add_part(r, term.b);
      }
    }
  }
  part_start_.push_back(static_cast<int>(parts_.size()));
  std::vector<Eigen::Triplet<double>> pattern;
  for (const auto& list : parts_of_link_) {
    for (const int i : list) {
      for (const int j : list) pattern.emplace_back(parts_[i].row, parts_[j].row, 0.0);
    }
  }
  // Rows are stored in the order of elimination, so that no step has to move them.
  schur_.resize(n, n);
  schur_.setFromTriplets(pattern.begin(), pattern.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(schur_, order);
  place_.resize(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) place_[static_cast<std::size_t>(order.indices()[i])] = i;
  for (auto& entry : pattern)
    entry = {place_[static_cast<std::size_t>(entry.row())],
             place_[static_cast<std::size_t>(entry.col())], 0.0};
  schur_.setFromTriplets(pattern.begin(), pattern.end());
  schur_.makeCompressed();
  factor_.analyze(schur_);
  solution_ = VectorX<double>::Zero(n);
  step_ = VectorX<double>::Zero(m.nv);
}

JointCoordinate FullyAugmented::make_coordinate(const Joint& joint, int axis) const {
  JointCoordinate coordinate;
  coordinate.type = joint.type;
  coordinate.axis = axis;
  coordinate.a = model().bodies[joint.parent.value].link;
  coordinate.b = model().bodies[joint.child.value].link;
  // A body's axes are its link's.
  coordinate.R_AF = to_mat3(joint.X_PF.linear());
  coordinate.p_AF = model().bodies[joint.parent.value].p_LB + to_vec3(joint.X_PF.translation());
  coordinate.R_BM = to_mat3(joint.X_BM.linear());
  coordinate.p_BM = model().bodies[joint.child.value].p_LB + to_vec3(joint.X_BM.translation());
  return coordinate;
}

void FullyAugmented::calc_kinematics(const VectorX<double>& q, const VectorX<double>& v) {
  calc_position_kinematics(model(), q, &work_.pos);
  calc_velocity_kinematics(model(), work_.pos, v, static_cast<const VectorX<double>*>(nullptr),
                           &work_.vel);
}

namespace {

// Position, from O, of a body of the tree.
Vec3<double> center_of(const MechanismTree& tree, const PositionKinematics<double>& pos,
                       std::size_t body) {
  const BodyPlace<double>& place = tree.model.bodies[body];
  const Vec3<double> p_BC = to_vec3(tree.mechanism.bodies[body].p_BoBcm_B);
  return pos.p_OL[place.link] + pos.R_WL[place.link] * (place.p_LB + place.R_LB * p_BC);
}

}  // namespace

void FullyAugmented::take_state(const MechanismTree& tree, const VectorX<double>& q_tree,
                                const VectorX<double>& v_tree, VectorX<double>* q,
                                VectorX<double>* v) {
  PositionKinematics<double> pos(tree.model);
  VelocityKinematics<double> vel(tree.model);
  calc_position_kinematics(tree.model, q_tree, &pos);
  calc_velocity_kinematics(tree.model, pos, v_tree, static_cast<const VectorX<double>*>(nullptr),
                           &vel);
  q->resize(model().nq);
  v->resize(model().nv);
  for (std::size_t b = 1; b < tree.mechanism.bodies.size(); ++b) {
    const Link<double>& link = model().links[model().bodies[b].link];
    const Mat3<double> R_WB = calc_body_pose(tree.model, pos, BodyIndex(b)).R_WB;
    const Vec3<double> p_OC = center_of(tree, pos, b);
    const Quaternion rotation(to_eigen(R_WB));
    q->segment<7>(link.q_start) << rotation.w(), rotation.x(), rotation.y(), rotation.z(),
        to_eigen(pos.p_WO + p_OC);
    const Spatial<double>& V = vel.V[tree.model.bodies[b].link];
    v->segment<3>(link.v_start) = to_eigen(transpose_times(R_WB, V.top()));
    v->segment<3>(link.v_start + 3) = to_eigen(transpose_times(R_WB, velocity_at(V, p_OC)));
  }
}

void FullyAugmented::give_state(const MechanismTree& tree, const VectorX<double>& q,
                                const VectorX<double>& v, VectorX<double>* q_tree,
                                VectorX<double>* v_tree) {
  calc_kinematics(q, v);
  for (std::size_t j = 0; j < tree.mechanism.joints.size(); ++j) {
    const MechanismTree::JointPlace& place = tree.joints[j];
    if (!place.in_tree) continue;
    const Joint& joint = tree.mechanism.joints[j];
    const bool has_quaternion = position_count(joint.type) > speed_count(joint.type);
    for (int axis = 0; axis < speed_count(joint.type); ++axis) {
      JointCoordinate c = make_coordinate(joint, axis);
      if (!has_quaternion) c.last = (*q_tree)[place.q_start + axis];
      const CoordinateGeometry<double> g = calc_coordinate(work_.pos, work_.vel, &c);
      (*v_tree)[place.v_start + axis] = dot(g.F, work_.vel.V[c.b] - work_.vel.V[c.a]);
      if (!has_quaternion) (*q_tree)[place.q_start + axis] = g.value;
    }
    if (!has_quaternion) continue;
    const BodyPose<double> parent = calc_body_pose(model(), work_.pos, joint.parent),
                           child = calc_body_pose(model(), work_.pos, joint.child);
    const auto isometry = [](const BodyPose<double>& pose) {
      Isometry3 X = Isometry3::Identity();
      X.linear() = to_eigen(pose.R_WB);
      X.translation() = to_eigen(pose.p_WB);
      return X;
    };
    const Isometry3 X_FM = (isometry(parent) * joint.X_PF).inverse() * isometry(child) * joint.X_BM;
    const Quaternion rotation(Matrix3(X_FM.linear()));
    q_tree->segment<4>(place.q_start) << rotation.w(), rotation.vec();
    if (joint.type == JointType::kFree) q_tree->segment<3>(place.q_start + 4) = X_FM.translation();
  }
}

void FullyAugmented::give_accelerations(const MechanismTree& tree, const VectorX<double>& q_tree,
                                        const VectorX<double>& v_tree, const VectorX<double>& v_dot,
                                        VectorX<double>* v_dot_tree) const {
  // Spatial accelerations of the bodies about the tree's O: with body-fixed speeds, A = R v' about
  // the center of mass, and V x V = 0.
  PositionKinematics<double> pos(tree.model);
  VelocityKinematics<double> vel(tree.model);
  calc_position_kinematics(tree.model, q_tree, &pos);
  const VectorX<double> zero = VectorX<double>::Zero(tree.model.nv);
  calc_velocity_kinematics(tree.model, pos, v_tree, &zero, &vel);
  std::vector<Spatial<double>> A(tree.model.links.size());
  std::vector<bool> known(tree.model.links.size(), false);
  for (std::size_t b = 1; b < tree.mechanism.bodies.size(); ++b) {
    const Mat3<double> R_WB = calc_body_pose(tree.model, pos, BodyIndex(b)).R_WB;
    const int v_start = model().links[model().bodies[b].link].v_start;
    const Vec3<double> p = center_of(tree, pos, b);
    const Vec3<double> w_dot = R_WB * to_vec3(v_dot.segment<3>(v_start));
    const Vec3<double> a = R_WB * to_vec3(v_dot.segment<3>(v_start + 3));
    const int link = tree.model.bodies[b].link;
    A[link] = Spatial<double>(w_dot, a + cross(p, w_dot));
    known[link] = true;
  }
  known[0] = true;
  // Joint by joint: H v' = A_child - A_parent - V_P x V along the links between.
  v_dot_tree->resize(tree.model.nv);
  for (int l = static_cast<int>(tree.model.links.size()) - 1; l > 0; --l) {
    if (!known[l]) continue;
    std::vector<int> columns;
    Spatial<double> difference = A[l];
    int k = l;
    do {
      const Link<double>& link = tree.model.links[k];
      for (int i = 0; i < link.nv; ++i) columns.push_back(link.v_start + i);
      difference -= cross_motion(vel.V[link.parent], vel.V[k]);
      k = link.parent;
    } while (!known[k]);
    difference -= A[k];
    MatrixX<double> H(6, static_cast<int>(columns.size()));
    VectorX<double> right(6);
    for (int i = 0; i < 6; ++i) {
      right[i] = difference[i];
      for (std::size_t j = 0; j < columns.size(); ++j)
        H(i, static_cast<int>(j)) = pos.H[columns[j]][i];
    }
    const VectorX<double> x = math::solve_least_squares(H, right);
    for (std::size_t j = 0; j < columns.size(); ++j)
      (*v_dot_tree)[columns[j]] = x[static_cast<int>(j)];
  }
}

void FullyAugmented::calc_joint_forces() {
  for (AxisElement& element : axes_) {
    push_axis_force(element.force, work_.pos, work_.vel, &element.coordinate, &axis_q_, &axis_v_,
                    &work_.forces);
  }
}

double FullyAugmented::calc_joint_energy() {
  double energy = 0;
  for (AxisElement& element : axes_) {
    energy += calc_axis_energy(element.force,
                               calc_coordinate(work_.pos, work_.vel, &element.coordinate).value);
  }
  return energy;
}

void FullyAugmented::fill_part(int link, const Spatial<double>& F, double sign, int* next) {
  if (link == 0) return;
  Part& part = parts_[*next];
  for (int k = 0; k < 6; ++k)
    part.g[k] = sign * dot(F, work_.pos.H[model().links[link].v_start + k]);
  ++*next;
}

// G M^-1 G^T at the configuration in work_.pos.
void FullyAugmented::calc_schur(const VectorX<double>& q) {
  const int n = constraint_count(), plain = static_cast<int>(rows_.size());
  for (int r = 0; r < n; ++r) {
    int next = part_start_[r];
    if (r < plain) {
      const ConstraintRow<double>& row = model().rows[rows_[r]];
      row_force_[r] = calc_row(row, work_.pos, q).F;
      fill_part(row.a, row_force_[r], -1, &next);
      fill_part(row.b, row_force_[r], 1, &next);
    } else {
      for (JointCoordinate& term : coordinate_rows_[r - plain].terms) {
        const Spatial<double> F = calc_coordinate(work_.pos, work_.vel, &term).F;
        fill_part(term.a, F, -term.factor, &next);
        fill_part(term.b, F, term.factor, &next);
      }
    }
  }
  std::fill(schur_.valuePtr(), schur_.valuePtr() + schur_.nonZeros(), 0.0);
  for (std::size_t l = 1; l < parts_of_link_.size(); ++l) {
    for (const int i : parts_of_link_[l]) {
      const Vector6 w = divide_by_mass(static_cast<int>(l), parts_[i].g);
      for (const int j : parts_of_link_[l])
        schur_.coeffRef(place_[parts_[j].row], place_[parts_[i].row]) += parts_[j].g.dot(w);
    }
  }
}

SchurPivots FullyAugmented::factor_schur() {
  // If no pivot is less than this fraction of the largest, none is lost.
  constexpr double kSure = 1e-9;
  SchurPivots pivots;
  const bool is_factored = factor_.factor(schur_);
  for (int r = 0; r < constraint_count(); ++r) {
    const double pivot = is_factored ? factor_.pivots()[place_[r]] : 0, unit = unit_of(r);
    pivots.note(pivot, pivot > 0 ? pivot : 1, unit);
  }
  if (pivots.smallest > kSure * pivots.largest) return pivots;
  for (int r = 0; r < constraint_count(); ++r) {  // each takes a search for its diagonal entry
    const int c = place_[r];
    pivots.note(is_factored ? factor_.pivots()[c] : 0, schur_.coeff(c, c), unit_of(r));
  }
  return pivots;
}

bool FullyAugmented::factor_rows(const VectorX<double>& q) {
  calc_schur(q);
  SchurPivots pivots = factor_schur();
  if (choice_.is_due(pivots)) {
    choose_rows_again(q);
    calc_schur(q);
    pivots = factor_schur();
    choice_.begin();
  }
  return pivots.least_share > kLostPivot;
}

double FullyAugmented::unit_of(int r) const {
  const int plain = static_cast<int>(rows_.size());
  return r < plain ? model().rows[rows_[r]].unit : coordinate_rows_[r - plain].unit;
}

void FullyAugmented::solve() {
  const int n = constraint_count();
  for (int r = 0; r < n; ++r) solution_[place_[r]] = -error_[r];
  factor_.solve_in_place(&solution_);
  for (int r = 0; r < n; ++r) lambda_[r] = solution_[place_[r]];
}

void FullyAugmented::add_response(VectorX<double>* v_dot) const {
  for (const Part& part : parts_) {
    v_dot->segment<6>(model().links[part.link].v_start) +=
        divide_by_mass(part.link, part.g * lambda_[part.row]);
  }
}

// Couplers and drives are kept; of the other rows, as many as before.
void FullyAugmented::choose_rows_again(const VectorX<double>& q) {
  const int needed = static_cast<int>(rows_.size());
  rows_ = plain_rows_;
  make_pattern();
  calc_schur(q);
  MatrixX<double> schur(schur_.rows(), schur_.cols());
  for (int c = 0; c < schur.cols(); ++c) {
    for (int r = 0; r < schur.rows(); ++r)
      schur(r, c) = schur_.coeff(place_[r], place_[c]) / (unit_of(r) * unit_of(c));
  }
  const int count = static_cast<int>(coordinate_rows_.size()),
            first = static_cast<int>(schur.rows()) - count;
  if (count > 0) {  // the part of the others that couplers and drives leave
    const MatrixX<double> both = schur.bottomLeftCorner(count, first);
    schur.topLeftCorner(first, first) -=
        both.transpose() *
        math::solve_positive_definite(schur.bottomRightCorner(count, count), both);
  }
  rows_.clear();
  for (const int r : choose_rows(schur.topLeftCorner(first, first), needed))
    rows_.push_back(plain_rows_[r]);
  make_pattern();
}

EvaluationStatus FullyAugmented::calc_accelerations(const VectorX<double>& q,
                                                    const VectorX<double>& v,
                                                    const std::vector<GivenMotion>& drives,
                                                    VectorX<double>* v_dot) {
  if (!q.allFinite() || !v.allFinite()) return EvaluationStatus::kNotFinite;
  calc_kinematics(q, v);
  calc_forces(model(), work_.pos, work_.vel, q, v, &work_.forces);
  calc_joint_forces();
  if (!calc_forward_dynamics(model(), partition_, work_.pos, work_.loops, work_.vel, work_.forces,
                             &work_.bodies, &work_.y_dot, v_dot)) {
    return EvaluationStatus::kNoInertia;
  }
  if (constraint_count() == 0) return EvaluationStatus::kOk;
  if (!factor_rows(q)) return EvaluationStatus::kSingular;
  // Accelerations of the free bodies, added to vel.A for v' = 0.
  for (std::size_t l = 1; l < work_.vel.A.size(); ++l) work_.vel.A[l] += work_.bodies.A[l];
  const int plain = static_cast<int>(rows_.size());
  const double rate = stabilization_.rate_in_equations();
  for (int r = 0; r < plain; ++r) {
    error_[r] =
        calc_row_residual(model().rows[rows_[r]], work_.pos, work_.vel, q, v,
                          static_cast<const VectorX<double>*>(nullptr), row_force_[r], rate);
  }
  for (int r = plain; r < constraint_count(); ++r) {
    CoordinateRow& row = coordinate_rows_[r - plain];
    error_[r] = calc_row_residual(given_motion(row, drives), work_.pos, work_.vel, rate, &row);
  }
  solve();
  add_response(v_dot);
  return v_dot->allFinite() ? EvaluationStatus::kOk : EvaluationStatus::kNotFinite;
}

EvaluationStatus FullyAugmented::calc_jacobian(const VectorX<double>& q, const VectorX<double>& v,
                                               const std::vector<GivenMotion>& drives,
                                               std::span<double> J) {
  v_dot_.resize(model().nv);
  const EvaluationStatus status = calc_accelerations(q, v, drives, &v_dot_);
  if (status != EvaluationStatus::kOk) return status;
  if (!jacobian_) {
    jacobian_ = std::make_unique<AugmentedJacobian>(model());
    is_driven_.assign(static_cast<std::size_t>(model().nq) + static_cast<std::size_t>(model().nv),
                      false);
  }
  held_lambda_ = lambda_;
  const auto solver = [this](const VectorX<double>& Q, const VectorX<double>& b,
                             VectorX<double>* x) {
    for (std::size_t l = 1; l < model().links.size(); ++l) {
      const int start = model().links[l].v_start;
      x->segment<6>(start) = divide_by_mass(static_cast<int>(l), Q.segment<6>(start));
    }
    if (constraint_count() == 0) return;
    error_ = -b;
    for (const Part& part : parts_)
      error_[part.row] += part.g.dot(x->segment<6>(model().links[part.link].v_start));
    solve();
    add_response(x);
  };
  jacobian_->calc({.rows = rows_,
                   .rate = stabilization_.rate_in_equations(),
                   .coordinate_rows = coordinate_rows_,
                   .drives = drives,
                   .axes = axes_},
                  {q, v, v_dot_, held_lambda_}, is_driven_, solver, J);
  return EvaluationStatus::kOk;
}

double FullyAugmented::calc_row_error(const std::vector<GivenMotion>& drives, CoordinateRow* row) {
  double error = -given_motion(*row, drives).position;
  for (JointCoordinate& term : row->terms)
    error += term.factor * calc_coordinate(work_.pos, work_.vel, &term).value;
  return error;
}

bool FullyAugmented::project(const std::vector<GivenMotion>& drives, VectorX<double>* q,
                             VectorX<double>* v) {
  const int n = constraint_count(), plain = static_cast<int>(rows_.size());
  if (n == 0) return true;
  const auto spread = [&] {
    solve();
    step_.setZero();
    add_response(&step_);
  };
  for (int iteration = 0;; ++iteration) {
    calc_kinematics(*q, *v);
    if (!factor_rows(*q)) return false;
    double size = 0;
    for (int r = 0; r < plain; ++r) {
      const ConstraintRow<double>& row = model().rows[rows_[r]];
      error_[r] = calc_row(row, work_.pos, *q).error;
      size = std::max(size, std::abs(error_[r]) / row.unit);
    }
    for (int r = plain; r < n; ++r) {
      CoordinateRow& row = coordinate_rows_[r - plain];
      error_[r] = calc_row_error(drives, &row);
      size = std::max(size, std::abs(error_[r]) / row.unit);
    }
    if (!error_.allFinite()) return false;
    if (size < kClosedRow) break;
    if (iteration == 20) return false;
    spread();
    move_positions(model(), step_, q);
    if (is_last_step(model(), work_.pos, step_)) {
      calc_kinematics(*q, *v);
      if (!factor_rows(*q)) return false;
      break;
    }
  }
  for (int r = 0; r < plain; ++r) {
    error_[r] = calc_row_rate(model().rows[rows_[r]], work_.vel, *v, row_force_[r]);
  }
  for (int r = plain; r < n; ++r) {
    CoordinateRow& row = coordinate_rows_[r - plain];
    error_[r] = -given_motion(row, drives).speed;
    for (JointCoordinate& term : row.terms) {
      error_[r] += term.factor * dot(calc_coordinate(work_.pos, work_.vel, &term).F,
                                     work_.vel.V[term.b] - work_.vel.V[term.a]);
    }
  }
  spread();
  correction_ = {calc_kinetic_energy(model(), work_.pos, work_.vel), -0.5 * lambda_.dot(error_)};
  *v += step_;
  return v->allFinite();
}

std::string FullyAugmented::find_contradiction(const std::vector<GivenMotion>& drives) {
  double worst = kLargestRowError, off = 0;
  const std::string* name = nullptr;
  const auto note = [&](double error, double unit, const std::string& of) {
    if (std::abs(error) <= worst * unit) return;
    worst = std::abs(error) / unit;
    off = std::abs(error);
    name = &of;
  };
  for (const int r : plain_rows_) {
    const ConstraintRow<double>& row = model().rows[r];
    note(calc_row(row, work_.pos, axis_q_).error, row.unit, row.name);
  }
  for (CoordinateRow& row : spare_rows_) note(calc_row_error(drives, &row), row.unit, row.name);
  if (name == nullptr) return {};
  return concat(*name, " contradicts the given motions: its position is off by ", off);
}

}  // namespace camber::multibody
