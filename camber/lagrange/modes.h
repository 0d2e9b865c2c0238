#pragma once

#include <complex>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace camber::lagrange {

/// One solution x = shape * exp(eigenvalue * t) of A x' = B x.
struct Mode {
  std::complex<double> eigenvalue;  // [1/s]
  Eigen::VectorXcd shape;           // by state, its largest entry is 1
  /// How far rounding may have moved the eigenvalue [1/s]: large where two modes nearly coincide.
  double rounding = 0.0;

  bool is_oscillatory() const { return eigenvalue.imag() != 0.0; }
  bool is_stable() const { return eigenvalue.real() < 0.0; }
  double frequency() const;      // [Hz], of the damped oscillation: |imag| / (2 pi)
  double damping_ratio() const;  // -real / |eigenvalue|
  double time_constant() const;  // [s], to decay to 1/e, or to grow from 1/e: 1 / |real|
};

/// All modes of A x' = B x with a finite eigenvalue, ordered by real part, then by imaginary part.
///
/// A may be singular: algebraic equations are eliminated first, so there are fewer modes than
/// states, and no eigenvalues that should be infinite but come out large. Throws
/// std::invalid_argument when the matrices are not square of one size, and std::domain_error when
/// the equations do not determine their variables (det(s A - B) = 0 for all s).
std::vector<Mode> calc_modes(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

enum class Stability { kStable, kNeutral, kUnstable };

/// Stability of one mode among all modes of a system: neutral if its real part is zero up to
/// rounding, as for a root at zero or an undamped oscillation. Rounding counts more where two modes
/// nearly coincide (Mode::rounding).
Stability classify(const Mode& mode, const std::vector<Mode>& all);

/// How much each state (row) takes part in each mode (column): columns sum to 1. Independent of the
/// units of the states, which the entries of a shape are not [Perez-Arriaga, Verghese, Schweppe
/// 1982].
Eigen::MatrixXd calc_participation(const std::vector<Mode>& modes);

}  // namespace camber::lagrange
