#pragma once

#include <Eigen/Cholesky>

#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/partition.h"

namespace camber::multibody {

/// How `ta` and `fa` keep their loops closed.
struct Stabilization {
  enum class Kind { kProjection, kBaumgarte, kNone };
  Kind kind = Kind::kProjection;
  double rate = 20;  // Baumgarte: errors decay as exp(-rate t), critically damped [1/s]
};

/// Changes the load of a wrench that is given in W.
inline void set_wrench(int wrench, const Vec3<double>& force, const Vec3<double>& torque,
                       Model<double>* model) {
  model->wrenches[wrench].force = force;
  model->wrenches[wrench].torque = torque;
}

/// The same tree with its loops cut open: all speeds are independent, the rows are left.
Model<double> open_loops(const Model<double>& model);

/// Accelerations of a tree with cut loops by multipliers [002 eq. 8], `ta`: the O(N) recursion
/// gives the open tree's accelerations and its answer to a unit force along each row, G M^-1 G^T is
/// solved for the multipliers [004 eq. 5-6]. Rows that follow from others are left out. One per
/// thread; allocates nothing after it was made.
class TreeAugmented {
 public:
  /// At a configuration where the loops are closed: which rows are redundant is decided there.
  TreeAugmented(const CompiledMechanism& mechanism, const VectorX<double>& q,
                const Stabilization& stabilization = {});

  const Model<double>& model() const { return model_; }
  /// As MechanismDynamics::set_wrench().
  void set_wrench(int wrench, const Vec3<double>& force, const Vec3<double>& torque) {
    multibody::set_wrench(wrench, force, torque, &model_);
  }
  int constraint_count() const { return static_cast<int>(rows_.size()); }

  /// v' at q, v; driven joints' accelerations in v_dot_driven (or null).
  EvaluationStatus calc_accelerations(const VectorX<double>& q, const VectorX<double>& v,
                                      const VectorX<double>* v_dot_driven, VectorX<double>* v_dot);
  /// The multipliers of rows() in the last call: forces [N] or torques [N m] on b along the row.
  const VectorX<double>& multipliers() const { return lambda_; }
  const std::vector<int>& rows() const { return rows_; }

  /// Puts q and v back on the constraints by steps that are shortest in the norm of the mass
  /// matrix. False where that fails.
  bool project(VectorX<double>* q, VectorX<double>* v);

  const PositionKinematics<double>& position_kinematics() const { return work_.pos; }
  const VelocityKinematics<double>& velocity_kinematics() const { return work_.vel; }

 private:
  bool factor_rows(const VectorX<double>& q);
  void calc_row_response(int r);

  Model<double> model_;
  Partition partition_;  // trivial
  Stabilization stabilization_;
  std::vector<int> rows_;  // in use
  EmbeddedWork<double> work_;
  std::vector<Spatial<double>> row_force_;
  MatrixX<double> response_;  // M^-1 G^T: a column per row
  MatrixX<double> schur_;     // G M^-1 G^T
  Eigen::LLT<MatrixX<double>> factor_;
  VectorX<double> lambda_, error_, free_v_dot_;
  std::vector<Spatial<double>> Z_, A_;
  std::vector<double> u_;
};

}  // namespace camber::multibody
