#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "camber/codegen/interpreter.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/relaxation.h"
#include "camber/multibody/tree_augmented.h"
#include "camber/multibody/udwadia_kalaba.h"

namespace camber::multibody {

/// Whether one of its constraints relaxes: only `uk` takes it then.
bool has_relaxation(const Mechanism& mechanism);

/// `uk`: accelerations of the tree's speeds by the weighted generalized inverse of all rows,
/// redundant ones included, and relaxed constraints on top of them. Dense, O(n^3), and allocates:
/// for mechanisms whose other formulations are singular, and for what relaxes. One per thread.
class RelaxedDynamics {
 public:
  explicit RelaxedDynamics(const CompiledMechanism& mechanism,
                           const Stabilization& stabilization = {});
  RelaxedDynamics(const RelaxedDynamics&) = delete;  // it points into itself
  RelaxedDynamics& operator=(const RelaxedDynamics&) = delete;

  const Model<double>& model() const { return model_; }
  /// As MechanismDynamics::set_wrench().
  void set_wrench(int wrench, const Vec3<double>& force, const Vec3<double>& torque) {
    multibody::set_wrench(wrench, force, torque, &model_);
  }
  int constraint_count() const { return static_cast<int>(model_.rows.size()) + relaxed_count_; }

  EvaluationStatus calc_accelerations(double t, const VectorX<double>& q, const VectorX<double>& v,
                                      const VectorX<double>* v_dot_driven, VectorX<double>* v_dot);

  /// Of the last call: multipliers of model().rows, forces and s^2 of the relaxed constraints.
  const VectorX<double>& multipliers() const { return multipliers_; }
  const RelaxedForces& relaxed() const { return forces_; }
  int rank() const { return solver_.rank(); }

  /// Puts q and v back on the rows that do not relax, as far as they agree with each other.
  bool project(VectorX<double>* q, VectorX<double>* v);

  /// What was wrong with a weight, with its constraint; empty if nothing.
  const std::string& why() const { return why_; }

 private:
  void collect_functions(const CompiledMechanism& mechanism);
  bool evaluate_functions(double t, const VectorX<double>& q, const VectorX<double>& v);
  void calc_matrix(std::span<const ConstraintRow<double>* const> rows, const VectorX<double>& q,
                   MatrixX<double>* A, std::vector<Spatial<double>>* F) const;
  void calc_lack(std::span<const ConstraintRow<double>* const> rows,
                 const std::vector<Spatial<double>>& F, const VectorX<double>& q,
                 const VectorX<double>& v, const VectorX<double>* v_dot, double rate,
                 VectorX<double>* b) const;
  void fill_blocks(const VectorX<double>& v);

  Model<double> model_;  // its loops cut open
  Stabilization stabilization_;
  std::vector<RelaxedConstraint> relaxed_;
  int relaxed_count_ = 0;  // rows of them
  std::vector<const ConstraintRow<double>*> rows_, relaxed_rows_;
  std::vector<int> free_;       // speeds that are not driven
  std::vector<bool> is_above_;  // of link k and link l, at k * links + l: k carries l

  // The functions of t, q and v of all relaxed constraints.
  struct Input {
    bool is_speed;
    int place;
  };
  std::vector<Input> inputs_;  // behind t
  std::optional<codegen::Interpreter<double>> functions_;
  std::vector<double> input_values_, function_values_;

  PositionKinematics<double> pos_;
  VelocityKinematics<double> vel_;
  Forces<double> force_elements_;
  MatrixX<double> M_, A_, A_relaxed_;
  std::vector<Spatial<double>> F_, F_relaxed_;
  std::vector<Spatial<double>> carried_;
  VectorX<double> tau_, b_, b_relaxed_, multipliers_;
  UdwadiaKalaba solver_;
  RelaxedSystem system_;
  RelaxedForces forces_;
  std::string why_;
};

}  // namespace camber::multibody
