#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "camber/codegen/interpreter.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/relaxed_system.h"
#include "camber/multibody/tree_augmented.h"
#include "camber/multibody/udwadia_kalaba.h"

namespace camber::multibody {

/// Whether one of its constraints relaxes: then only `uk` can be used.
bool has_relaxation(const Mechanism& mechanism);

namespace internal {

struct RelaxedDual;

/// dc'/dv of the model's rows and, in F, their directions. `is_above`, at k * links + l: link k
/// carries link l.
template <class T>
void calc_row_matrix(const Model<T>& model, const std::vector<bool>& is_above,
                     const PositionKinematics<T>& pos, const VectorX<T>& q, MatrixX<T>* A,
                     std::vector<Spatial<T>>* F);

/// The accelerations that the model's rows still need: minus c'' for the known v' in vel.A, and for
/// errors that decay at the rows' `rates` (0: they do not decay).
template <class T>
void calc_row_lack(const Model<T>& model, const std::vector<double>& rates,
                   const std::vector<Spatial<T>>& F, const PositionKinematics<T>& pos,
                   const VelocityKinematics<T>& vel, const VectorX<T>& q, const VectorX<T>& v,
                   const VectorX<T>* v_dot, VectorX<T>* b);

}  // namespace internal

/// `uk`: accelerations of the tree's speeds by the weighted generalized inverse of all rows,
/// redundant ones included, and relaxed constraints on top of them. Dense, O(n^3): for mechanisms
/// whose other formulations are singular, and for relaxed constraints. Allocates in the first call
/// only. Use one per thread.
class RelaxedDynamics {
 public:
  /// At a configuration where the loops are closed: the number of redundant rows is determined
  /// there, or nearby if that configuration is singular.
  RelaxedDynamics(const MechanismTree& mechanism, const VectorX<double>& q,
                  const Stabilization& stabilization = {});
  ~RelaxedDynamics();

  /// As MechanismDynamics::set_wrench().
  void set_wrench(int wrench, const Vec3<double>& force, const Vec3<double>& torque);
  int constraint_count() const { return static_cast<int>(model_.rows.size()); }

  EvaluationStatus calc_accelerations(double t, const VectorX<double>& q, const VectorX<double>& v,
                                      const VectorX<double>* v_dot_driven, VectorX<double>* v_dot);

  /// dv'/d[q; v] column by column, nv entries each, exact: the solved equations differentiated.
  /// Columns of quaternions are along the unit sphere; `is_driven` marks the entries of [q; v]
  /// whose motion is given. Two things are treated as constant: the distribution of normal forces
  /// among dependent rows, and the residual of contradictory rows.
  EvaluationStatus calc_jacobian(double t, const VectorX<double>& q, const VectorX<double>& v,
                                 const VectorX<double>* v_dot_driven,
                                 const std::vector<bool>& is_driven, std::span<double> J);

  /// Results of the last call: multipliers of the rows that do not relax, forces and s^2 of those
  /// that do.
  const VectorX<double>& multipliers() const { return multipliers_; }
  const RelaxedForces& relaxed() const { return forces_; }
  int rank() const { return solver_.rank(); }

  /// Projects q and v onto the rows that do not relax. Returns false if one of them stays open.
  bool project(VectorX<double>* q, VectorX<double>* v);

  /// Energy correction of the last project().
  const SpeedCorrection& speed_correction() const { return correction_; }

  /// The invalid weight with its constraint, or the row that stayed open; empty if there was no
  /// error.
  const std::string& why() const { return why_; }

 private:
  void collect_functions(const MechanismTree& mechanism);
  bool evaluate_functions(double t, const VectorX<double>& q, const VectorX<double>& v);
  void fill_blocks(const VectorX<double>& q, const VectorX<double>& v);
  void add_relaxed(const VectorX<double>& q, const VectorX<double>& v);
  bool factor_rows(const VectorX<double>& q);
  void evaluate_dual(internal::RelaxedDual* dual) const;
  void differentiate_own(internal::RelaxedDual* dual) const;
  void differentiate_laws(int direction, int column, internal::RelaxedDual* dual) const;

  Model<double> model_;   // loops cut open; rigid rows, then relaxed rows
  int held_ = 0;          // number of rigid rows
  int largest_rank_ = 0;  // of those
  std::vector<RelaxedConstraint> relaxed_;
  std::vector<double> rates_;   // [1/s] at which errors of the rows decay
  std::vector<int> free_;       // speeds that are not driven
  std::vector<bool> is_above_;  // of link k and link l, at k * links + l: k carries l

  // The functions of t, q and v of all relaxed constraints, and their derivatives by q and v.
  struct Input {
    bool is_speed;
    int place;
  };
  std::vector<Input> inputs_;  // after t
  std::size_t function_count_ = 0;
  std::optional<codegen::Interpreter<double>> functions_;
  std::vector<double> input_values_, function_values_;

  PositionKinematics<double> pos_;
  VelocityKinematics<double> vel_;
  Forces<double> force_elements_;
  std::vector<SymMat6<double>> composites_;
  std::vector<Spatial<double>> F_, carried_;
  MatrixX<double> M_, A_, M_free_, A_free_, forces_of_rows_, response_;
  VectorX<double> tau_, Q_, b_, error_, step_, acceleration_, multipliers_;
  UdwadiaKalaba solver_;
  RelaxedSystem system_;
  RelaxedSolver relaxed_solver_;
  RelaxedForces forces_;
  std::unique_ptr<internal::RelaxedDual> dual_;
  SpeedCorrection correction_;
  std::string why_;
};

}  // namespace camber::multibody
