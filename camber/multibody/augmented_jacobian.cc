// v' and lambda solve
//   r = M v' + h - Q - G^T lambda = 0,    s = c'' + 2 k c' + k^2 c = 0,    c'' = G v' + G' v,   (1)
// with k = 0 except for Baumgarte's method. Differentiated by any x of [q; v],
//   M dv' - G^T dlambda = -dr,    G dv' = -ds,                                                  (2)
// where dr and ds are derivatives with v' and lambda held: the matrix is that of (1), so each
// column costs one more solution with its factors. r is inverse dynamics with the multipliers among
// the forces.
#include "camber/multibody/augmented_jacobian.h"

#include "camber/multibody/constraint_row.h"
#include "camber/multibody/inverse_dynamics.h"

namespace camber::multibody {

AugmentedJacobian::AugmentedJacobian(const Model<double>& model)
    : model_(cast_model<Dual>(model)),
      pos_(model_),
      vel_(model_),
      forces_(model_),
      axis_q_(1),
      axis_v_(1),
      Q_(model.nv),
      x_(model.nv) {}

void AugmentedJacobian::evaluate(const AugmentedEquations& equations, const AugmentedSolution& at,
                                 int first) {
  q_ = at.q.cast<Dual>();
  v_ = at.v.cast<Dual>();
  v_dot_ = at.v_dot.cast<Dual>();
  for (int k = 0; k < kDirections && first + k < model_.nq + model_.nv; ++k) {
    const int column = first + k;
    (column < model_.nq ? q_[column] : v_[column - model_.nq]).set_partial(k, 1);
  }
  calc_position_kinematics(model_, q_, &pos_);
  calc_velocity_kinematics(model_, pos_, v_, &v_dot_, &vel_);
  calc_forces(model_, pos_, vel_, q_, v_, &forces_);
  push_joint_forces(equations.axes);
  push_multipliers(equations, at.lambda);
  calc_inverse_dynamics(model_, pos_, vel_, forces_, &carried_, &tau_);

  const std::size_t plain = equations.rows.size();
  c_ddot_.resize(at.lambda.size());
  for (std::size_t r = 0; r < plain; ++r) {
    c_ddot_[static_cast<int>(r)] = calc_row_residual(model_.rows[equations.rows[r]], pos_, vel_, q_,
                                                     v_, &v_dot_, F_[r], equations.rate);
  }
  for (std::size_t r = 0; r < equations.coordinate_rows.size(); ++r) {
    CoordinateRow& row = equations.coordinate_rows[r];
    c_ddot_[static_cast<int>(plain + r)] =
        calc_row_residual(given_motion(row, equations.drives), pos_, vel_, equations.rate, &row);
  }
}

void AugmentedJacobian::push_joint_forces(std::span<AxisElement> axes) {
  for (AxisElement& element : axes) {
    push_axis_force(cast<Dual>(element.force), pos_, vel_, &element.coordinate, &axis_q_, &axis_v_,
                    &forces_);
  }
}

// G^T lambda.
void AugmentedJacobian::push_multipliers(const AugmentedEquations& equations,
                                         const VectorX<double>& lambda) {
  const auto push = [&](int a, int b, const Spatial<Dual>& F) {
    forces_.push(b, F);
    forces_.push(a, -F);
  };
  const std::size_t plain = equations.rows.size();
  F_.resize(plain);
  for (std::size_t r = 0; r < plain; ++r) {
    const ConstraintRow<Dual>& row = model_.rows[equations.rows[r]];
    const double force = lambda[static_cast<int>(r)];
    F_[r] = calc_row(row, pos_, q_).F;
    if (row.kind == RowKind::kCoupler) {
      for (const CouplerTerm<Dual>& term : row.terms) forces_.tau[term.v] += term.factor * force;
    } else {
      push(row.a, row.b, F_[r] * Dual(force));
    }
  }
  for (std::size_t r = 0; r < equations.coordinate_rows.size(); ++r) {
    const double force = lambda[static_cast<int>(plain + r)];
    for (JointCoordinate& term : equations.coordinate_rows[r].terms)
      push(term.a, term.b, calc_coordinate(pos_, vel_, &term).F * Dual(term.factor * force));
  }
}

void AugmentedJacobian::take_away(int direction) {
  for (int k = 0; k < model_.nv; ++k) Q_[k] = -tau_[k].partial(direction);
  b_.resize(c_ddot_.size());
  for (int r = 0; r < b_.size(); ++r) b_[r] = -c_ddot_[r].partial(direction);
}

}  // namespace camber::multibody
