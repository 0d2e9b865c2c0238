#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Cholesky>

#include "camber/multibody/augmented_jacobian.h"
#include "camber/multibody/compile.h"
#include "camber/multibody/constraint_embedding.h"
#include "camber/multibody/partition.h"
#include "camber/multibody/stabilization.h"

namespace camber::multibody {

/// The kinetic energy before the speeds were projected onto the constraints, and the energy that
/// the projection removed: the square of the step's error, small compared with the whole unless a
/// step jumps over a near-singular configuration.
struct SpeedCorrection {
  double energy = 0, taken = 0;  // [J]
};

/// The same tree with its loops cut open: all speeds are independent, the rows are kept.
Model<double> open_loops(const Model<double>& model);

/// Pivots of the factored G M^-1 G^T.
struct SchurPivots {
  double smallest = INFINITY, largest = 0;  // over the squares of the rows' units
  double least_share = 1;                   // smallest pivot relative to its diagonal entry

  /// A missing pivot is 0.
  void note(double pivot, double diagonal, double unit) {
    const double scaled = pivot / (unit * unit), share = pivot / diagonal;
    smallest = scaled < smallest ? scaled : smallest;
    largest = scaled > largest ? scaled : largest;
    least_share = least_share <= share ? least_share : share;
  }
};

/// Whether the rows chosen among redundant ones are still suitable: their pivots in G M^-1 G^T are
/// compared with the best since the choice.
class RowChoice {
 public:
  RowChoice() = default;
  explicit RowChoice(bool has_others) : has_others_(has_others) {}

  bool is_due(const SchurPivots& pivots);
  /// To be called after a choice: the next pivots are the new reference.
  void begin() { best_ = 0; }

 private:
  bool has_others_ = false;
  double best_ = 0;
};

/// Row error, over its unit, that counts as rounding.
constexpr double kClosedRow = 1e-13;
/// Whether a step of Newton's method is so small that the remaining error is rounding.
bool is_last_step(const Model<double>& model, const PositionKinematics<double>& pos,
                  const VectorX<double>& step);

/// The `count` rows of a positive semidefinite matrix that are most independent of each other, in
/// ascending order: pivots of a Cholesky factorization, the largest remaining one each time.
std::vector<int> choose_rows(MatrixX<double> schur, int count);

/// Accelerations of a tree with cut loops by multipliers [002 eq. 8], `ta`: the O(N) recursion
/// gives the open tree's accelerations and its response to a unit force along each row, G M^-1 G^T
/// is solved for the multipliers [004 eq. 5-6]. Rows that follow from others are left out; if the
/// others become nearly dependent, rows are chosen again. Use one per thread; after construction it
/// allocates only when it chooses again.
class TreeAugmented {
 public:
  /// q must have closed loops: the number of redundant rows is determined there.
  TreeAugmented(const MechanismTree& mechanism, const VectorX<double>& q,
                const Stabilization& stabilization = {});
  /// With as many rows as `rows` has.
  TreeAugmented(const MechanismTree& mechanism, std::vector<int> rows,
                const Stabilization& stabilization = {});

  const Model<double>& model() const { return model_; }
  /// As MechanismDynamics::set_wrench().
  void set_wrench(int wrench, const Vec3<double>& force, const Vec3<double>& torque) {
    multibody::set_wrench(wrench, force, torque, &model_);
    if (jacobian_) jacobian_->set_wrench(wrench, force, torque);
  }
  int constraint_count() const { return static_cast<int>(rows_.size()); }

  /// v' at q, v; driven joints' accelerations in v_dot_driven (or null).
  EvaluationStatus calc_accelerations(const VectorX<double>& q, const VectorX<double>& v,
                                      const VectorX<double>* v_dot_driven, VectorX<double>* v_dot);
  /// dv'/d[q; v] there, column by column: exact, and along the unit sphere of a quaternion.
  /// `is_driven` marks the entries of [q; v] whose motion is given.
  EvaluationStatus calc_jacobian(const VectorX<double>& q, const VectorX<double>& v,
                                 const VectorX<double>* v_dot_driven,
                                 const std::vector<bool>& is_driven, std::span<double> J);
  /// The multipliers of rows() in the last call: forces [N] or torques [N m] on b along the row.
  const VectorX<double>& multipliers() const { return lambda_; }
  const std::vector<int>& rows() const { return rows_; }

  /// Projects q and v onto the constraints by steps that are shortest in the norm of the mass
  /// matrix. Returns false if that fails.
  bool project(VectorX<double>* q, VectorX<double>* v);
  /// Energy correction of the last project().
  const SpeedCorrection& speed_correction() const { return correction_; }

  const PositionKinematics<double>& position_kinematics() const { return work_.pos; }

 private:
  void use_rows(std::vector<int> rows);
  /// M^-1 times the forces in Z_ and u_, which are overwritten: v', and A_ of the links.
  void respond(double* v_dot);
  void calc_row_response(int r);
  /// x of M x - G^T mu = Q, G x = b, after calc_accelerations().
  void solve(const VectorX<double>& Q, const VectorX<double>& b, VectorX<double>* x);
  void calc_schur(const VectorX<double>& q);
  SchurPivots factor_schur();
  bool factor_rows(const VectorX<double>& q);

  Model<double> model_;
  Partition partition_;  // trivial
  Stabilization stabilization_;
  std::vector<int> rows_;  // in use
  EmbeddedWork<double> work_;
  std::vector<Spatial<double>> row_force_;
  MatrixX<double> response_;  // M^-1 G^T: a column per row
  MatrixX<double> schur_;     // G M^-1 G^T
  Eigen::LLT<MatrixX<double>> factor_;
  RowChoice choice_;
  SpeedCorrection correction_;
  VectorX<double> lambda_, error_, free_v_dot_;
  VectorX<double> v_dot_, mu_;  // of calc_jacobian()
  std::unique_ptr<AugmentedJacobian> jacobian_;
  std::vector<Spatial<double>> Z_, A_;
  std::vector<double> u_;
};

}  // namespace camber::multibody
