#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include "camber/multibody/assembly.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/forward_dynamics.h"
#include "camber/multibody/tree_augmented.h"

namespace camber::multibody {

namespace internal {

/// A = L D L^T of a sparse matrix whose rows are already in the order of elimination. Eigen's
/// factorization without its copies: does not allocate after analyze().
class OrderedLdlt : public Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Upper,
                                                 Eigen::NaturalOrdering<int>> {
 public:
  void analyze(const Eigen::SparseMatrix<double>& A) { analyzePattern(A); }
  /// Returns false if a pivot is zero.
  bool factor(const Eigen::SparseMatrix<double>& A) {
    factorize_preordered<true>(A);
    return info() == Eigen::Success;
  }
  const VectorX<double>& pivots() const { return m_diag; }
  void solve_in_place(VectorX<double>* x) const {
    matrixL().solveInPlace(*x);
    x->array() /= m_diag.array();
    matrixU().solveInPlace(*x);
  }
};

}  // namespace internal

/// Accelerations with every body free and every joint as equations [002 eq. 8], `fa`. The mass
/// matrix is block diagonal and its inverse constant in body axes, so the sparse KKT system is
/// reduced to G M^-1 G^T, whose pattern, elimination order and symbolic factorization are found
/// once. Coordinates are the poses of all bodies at their centers of mass: 7 positions and 6 speeds
/// each.
///
/// Every body needs mass and inertia. One per thread. Allocates only when redundant equations are
/// chosen again, near a configuration in which those in use become insufficient.
class FullyAugmented {
 public:
  /// Built from the tree of the same mechanism at a configuration with closed loops.
  FullyAugmented(const MechanismTree& tree, const VectorX<double>& q_tree,
                 const Stabilization& stabilization = {});

  const MechanismTree& mechanism() const { return mechanism_; }
  const Model<double>& model() const { return mechanism_.model; }
  /// Like MechanismDynamics::set_wrench().
  void set_wrench(int wrench, const Vec3<double>& force, const Vec3<double>& torque) {
    multibody::set_wrench(wrench, force, torque, &mechanism_.model);
    if (jacobian_) jacobian_->set_wrench(wrench, force, torque);
  }
  int constraint_count() const { return static_cast<int>(rows_.size() + coordinate_rows_.size()); }

  /// Poses and velocities of all bodies, from the tree's coordinates.
  void take_state(const MechanismTree& tree, const VectorX<double>& q_tree,
                  const VectorX<double>& v_tree, VectorX<double>* q, VectorX<double>* v);
  /// The reverse, joint by joint: angles are those nearest to q_tree.
  void give_state(const MechanismTree& tree, const VectorX<double>& q, const VectorX<double>& v,
                  VectorX<double>* q_tree, VectorX<double>* v_tree);
  /// The tree's accelerations from those of the bodies, joint by joint.
  void give_accelerations(const MechanismTree& tree, const VectorX<double>& q_tree,
                          const VectorX<double>& v_tree, const VectorX<double>& v_dot,
                          VectorX<double>* v_dot_tree) const;

  /// `drives` are the given motions of the driven joints' axes, in the order of their speeds in the
  /// tree.
  EvaluationStatus calc_accelerations(const VectorX<double>& q, const VectorX<double>& v,
                                      const std::vector<GivenMotion>& drives,
                                      VectorX<double>* v_dot);
  /// dv'/d[q; v] there, column by column: exact, and along the unit sphere of a quaternion.
  EvaluationStatus calc_jacobian(const VectorX<double>& q, const VectorX<double>& v,
                                 const std::vector<GivenMotion>& drives, std::span<double> J);
  bool project(const std::vector<GivenMotion>& drives, VectorX<double>* q, VectorX<double>* v);

  /// Names an unused equation that the drives contradict, after project(); empty if there is none,
  /// and then it does not allocate.
  std::string find_contradiction(const std::vector<GivenMotion>& drives);

  /// Energy of the joints' springs and stops at the state of the last calc_accelerations() [J]:
  /// model() does not have them as axes, so calc_elastic_energy() does not include them.
  double calc_joint_energy();

  /// Position kinematics of the last call of calc_accelerations() or project().
  const PositionKinematics<double>& position_kinematics() const { return work_.pos; }
  /// Energy correction of the last project().
  const SpeedCorrection& speed_correction() const { return correction_; }

 private:
  /// Contribution of one body to one row.
  struct Part {
    int row = 0, link = 0;
    Vector6 g = Vector6::Zero();  // in the body's speeds
  };
  void take_origin(const MechanismTree& tree);
  void collect_coordinates(const MechanismTree& tree, const VectorX<double>& q_tree);
  void find_independent_rows(const VectorX<double>& q);
  void make_pattern();
  JointCoordinate make_coordinate(const Joint& joint, int axis) const;
  void calc_kinematics(const VectorX<double>& q, const VectorX<double>& v);
  void calc_joint_forces();
  void calc_schur(const VectorX<double>& q);
  SchurPivots factor_schur();
  double unit_of(int r) const;  // of a row in use
  bool factor_rows(const VectorX<double>& q);
  void choose_rows_again(const VectorX<double>& q);
  double calc_row_error(const std::vector<GivenMotion>& drives, CoordinateRow* row);
  /// M^-1 of a body's torque and force at its center of mass, in its axes.
  Vector6 divide_by_mass(int link, const Vector6& F) const {
    Vector6 x;
    x.head<3>().noalias() = I_inverse_[link] * F.head<3>();
    x.tail<3>() = F.tail<3>() / model().links[link].mass;
    return x;
  }
  /// lambda_ that cancels error_.
  void solve();
  /// M^-1 G^T lambda_, added to the speeds of all bodies.
  void add_response(VectorX<double>* v_dot) const;
  void fill_part(int link, const Spatial<double>& F, double sign, int* next);

  MechanismTree mechanism_;
  Stabilization stabilization_;
  Partition partition_;
  std::vector<int> plain_rows_;  // of the model, without couplers
  std::vector<int> rows_;        // those in use
  std::vector<CoordinateRow> coordinate_rows_;
  std::vector<CoordinateRow> spare_rows_;  // that follow from others
  std::vector<AxisElement> axes_;
  EmbeddedWork<double> work_;
  std::vector<Matrix3> I_inverse_;  // of each link about its center of mass, in its axes
  std::vector<Spatial<double>> row_force_;
  std::vector<Part> parts_;      // row by row
  std::vector<int> part_start_;  // of each row
  std::vector<std::vector<int>> parts_of_link_;
  Eigen::SparseMatrix<double> schur_;  // in the order of elimination
  std::vector<int> place_;             // of each row, in the order of elimination
  internal::OrderedLdlt factor_;
  RowChoice choice_;
  SpeedCorrection correction_;
  VectorX<double> lambda_, error_, solution_, step_;
  VectorX<double> v_dot_, held_lambda_;  // of calc_jacobian()
  std::unique_ptr<AugmentedJacobian> jacobian_;
  std::vector<bool> is_driven_;  // none of [q; v]
  VectorX<double> axis_q_ = VectorX<double>::Zero(1), axis_v_ = axis_q_;
};

}  // namespace camber::multibody
