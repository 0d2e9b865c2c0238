#include "camber/lagrange/modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/math/dense.h"

// Eigenvalues of the pencil (A, B).
//
// 1. Rows and columns are scaled by powers of two so that their largest entries are near one: a
//    motorcycle has forces of 1e4 N beside angles, and the small eigenvalue of capsize would be
//    lost.
// 2. While A has a null row (in suitable combinations), that row is an algebraic equation b x = 0;
//    x = N z with N spanning the null space of b leaves a smaller pencil. This is the deflation
//    [Luenberger 1978] calls the shuffle algorithm, with orthogonal transformations.
// 3. A^-1 B is balanced [Parlett, Reinsch 1969] and solved by QR.
// 4. Each eigenvalue is corrected once by the two-sided Rayleigh quotient of the scaled
//    pencil, which removes the rounding errors of A^-1 B [Parlett 1974].

namespace camber::lagrange {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

// Entries smaller than this, beside entries near one, are rounding errors of sums that vanish.
constexpr double kRankTolerance = 1e-11;
// Real parts below this fraction of the largest eigenvalue are rounding errors.
constexpr double kNeutral = 1e-11;
// Rounding splits a double root at zero, such as that of heading and path, by the square root of
// that.
constexpr double kZero = 1e-6;
// An eigenvalue moves by this times the norm of its matrix and its condition number, and by no more
// than the fraction below: the cube root of the rounding unit, where three eigenvalues coincide.
constexpr double kRounding = 1e-15;
constexpr double kLargestRounding = 1e-5;

struct Pencil {
  MatrixXd A;
  MatrixXd B;
};

double power_of_two(double x) { return x > 0.0 ? std::exp2(std::round(std::log2(x))) : 1.0; }

/// Scales the pencil in place; x = result * (scaled x).
VectorXd equilibrate(Pencil* p) {
  VectorXd column_scale = VectorXd::Ones(p->A.cols());
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < p->A.rows(); ++i) {
      const double largest =
          std::max(p->A.row(i).cwiseAbs().maxCoeff(), p->B.row(i).cwiseAbs().maxCoeff());
      const double scale = 1.0 / power_of_two(largest);
      p->A.row(i) *= scale;
      p->B.row(i) *= scale;
    }
    for (int j = 0; j < p->A.cols(); ++j) {
      const double largest =
          std::max(p->A.col(j).cwiseAbs().maxCoeff(), p->B.col(j).cwiseAbs().maxCoeff());
      const double scale = 1.0 / power_of_two(largest);
      p->A.col(j) *= scale;
      p->B.col(j) *= scale;
      column_scale[j] *= scale;
    }
  }
  return column_scale;
}

/// A pencil with regular A, and the given variables in terms of its own.
struct Deflated {
  Pencil pencil;
  MatrixXd N;  // x = N z
};

Deflated deflate(const Pencil& given) {
  Deflated d{given, MatrixXd::Identity(given.A.cols(), given.A.cols())};
  while (d.pencil.A.rows() > 0) {
    const auto n = d.pencil.A.rows();
    const math::ColumnSpace rows = math::find_column_space(d.pencil.A, kRankTolerance);
    const int rank = rows.rank;
    if (rank == n) break;
    const MatrixXd Qt = rows.Q.transpose();
    const MatrixXd A = Qt * d.pencil.A;
    const MatrixXd B = Qt * d.pencil.B;
    const MatrixXd b = B.bottomRows(n - rank);  // b x = 0
    const math::ColumnSpace null = math::find_column_space(b.transpose(), kRankTolerance);
    if (null.rank < n - rank) {
      throw std::domain_error("calc_modes: the equations do not determine their variables");
    }
    const MatrixXd N = null.Q.rightCols(rank);
    d = {{A.topRows(rank) * N, B.topRows(rank) * N}, d.N * N};
  }
  return d;
}

/// Balances rows and columns of M by a diagonal similarity; M becomes S^-1 M S.
VectorXd balance(MatrixXd* M) {
  const auto n = M->rows();
  VectorXd S = VectorXd::Ones(n);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < n; ++i) {
      const double diagonal = std::abs((*M)(i, i));
      const double column = M->col(i).lpNorm<1>() - diagonal;
      const double row = M->row(i).lpNorm<1>() - diagonal;
      if (!(column > 0.0) || !(row > 0.0)) continue;
      const double f = power_of_two(std::sqrt(row / column));
      if (column * f + row / f >= 0.95 * (column + row)) continue;
      S[i] *= f;
      M->col(i) *= f;
      M->row(i) /= f;
      changed = true;
    }
  }
  return S;
}

/// The eigenvalue of the pencil for approximate right and left vectors.
Complex rayleigh_quotient(const Pencil& p, const VectorXcd& x, const VectorXcd& y, Complex guess) {
  const Complex by_A = y.dot(p.A * x);
  const Complex residual = y.dot(p.B * x - guess * (p.A * x));
  const Complex correction = residual / by_A;
  // Near a double eigenvalue the two vectors are nearly orthogonal and the quotient is meaningless.
  return std::abs(correction) < 1e-6 * (1.0 + std::abs(guess)) ? guess + correction : guess;
}

/// One step of inverse iteration from both sides, then the quotient. Returns the effect of rounding
/// on the eigenvalue: first-order perturbation by |y^H dB x| / |y^H A x| [Stewart, Sun 1990].
double refine(const Pencil& p, Complex* eigenvalue, VectorXcd* x) {
  const double size = p.B.norm() + std::abs(*eigenvalue) * p.A.norm();
  const MatrixXcd shifted = p.B.cast<Complex>() - *eigenvalue * p.A.cast<Complex>();
  // Nearly singular by intention: a solver that decides about ranks would drop the very direction
  // that we need.
  const VectorXcd right = math::solve_square(shifted, p.A * *x).normalized();
  const VectorXcd left = math::solve_adjoint(shifted, p.A * *x).normalized();
  if (!right.allFinite() || !left.allFinite()) return kRounding * size;  // the guess was exact
  *eigenvalue = rayleigh_quotient(p, right, left, *eigenvalue);
  *x = right;
  return kRounding * size / std::abs(left.dot(p.A * right));
}

void normalize(VectorXcd* shape) {
  Eigen::Index largest = 0;
  shape->cwiseAbs().maxCoeff(&largest);
  const Complex pivot = (*shape)[largest];
  if (pivot != 0.0) *shape /= pivot;
}

bool comes_before(const Mode& a, const Mode& b) {
  return a.eigenvalue.real() != b.eigenvalue.real() ? a.eigenvalue.real() < b.eigenvalue.real()
                                                    : a.eigenvalue.imag() < b.eigenvalue.imag();
}

}  // namespace

double Mode::frequency() const { return std::abs(eigenvalue.imag()) / (2.0 * std::numbers::pi); }

double Mode::damping_ratio() const {
  const double size = std::abs(eigenvalue);
  return size > 0.0 ? -eigenvalue.real() / size : 0.0;
}

double Mode::time_constant() const { return 1.0 / std::abs(eigenvalue.real()); }

std::vector<Mode> calc_modes(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  require(A.rows() == A.cols() && B.rows() == A.rows() && B.cols() == A.cols(), "calc_modes: A is ",
          A.rows(), " x ", A.cols(), ", B is ", B.rows(), " x ", B.cols(),
          "; both must be square of one size");
  require(A.allFinite() && B.allFinite(), "calc_modes: an entry of A or B is not finite");
  if (A.rows() == 0) return {};
  Pencil scaled{A, B};
  const VectorXd column_scale = equilibrate(&scaled);
  const Deflated d = deflate(scaled);
  if (d.pencil.A.rows() == 0) return {};

  MatrixXd M = math::solve_with_full_pivoting(d.pencil.A, d.pencil.B);
  const VectorXd S = balance(&M);
  const math::Eigensystem eigen = math::calc_eigen(M);
  std::vector<Mode> modes;
  for (int i = 0; i < M.rows(); ++i) {
    Complex eigenvalue = eigen.values[i];
    if (eigenvalue.imag() < 0.0) continue;  // with its conjugate
    VectorXcd z = S.asDiagonal() * eigen.vectors.col(i);
    const bool is_real = eigenvalue.imag() == 0.0;
    const double rounding =
        std::min(refine(d.pencil, &eigenvalue, &z), kLargestRounding * M.norm());
    if (is_real) eigenvalue = eigenvalue.real();
    VectorXcd shape = column_scale.asDiagonal() * (d.N * z);
    normalize(&shape);
    modes.push_back({eigenvalue, shape, rounding});
    if (!is_real) modes.push_back({std::conj(eigenvalue), shape.conjugate(), rounding});
  }
  std::sort(modes.begin(), modes.end(), comes_before);
  return modes;
}

Stability classify(const Mode& mode, const std::vector<Mode>& all) {
  double largest = 0.0;
  for (const Mode& other : all) largest = std::max(largest, std::abs(other.eigenvalue));
  const double real = mode.eigenvalue.real();
  if (std::abs(mode.eigenvalue) < kZero * largest ||
      std::abs(real) <= std::max(kNeutral * largest, mode.rounding)) {
    return Stability::kNeutral;
  }
  return real < 0.0 ? Stability::kStable : Stability::kUnstable;
}

Eigen::MatrixXd calc_participation(const std::vector<Mode>& modes) {
  if (modes.empty()) return {};
  MatrixXcd X(modes[0].shape.size(), static_cast<int>(modes.size()));
  for (std::size_t k = 0; k < modes.size(); ++k) {
    require(modes[k].shape.size() == X.rows(), "calc_participation: shapes of ", X.rows(), " and ",
            modes[k].shape.size(), " states");
    X.col(static_cast<int>(k)) = modes[k].shape;
  }
  // Rows are scaled to one size: if algebraic equations leave fewer modes than states, X is not
  // square, and its pseudo-inverse would depend on units.
  for (int i = 0; i < X.rows(); ++i) {
    const double largest = X.row(i).cwiseAbs().maxCoeff();
    if (largest > 0.0) X.row(i) /= largest;
  }
  const MatrixXcd inverse = math::calc_pseudo_inverse(X);
  MatrixXd P = X.cwiseProduct(inverse.transpose()).cwiseAbs();
  for (int k = 0; k < P.cols(); ++k) {
    const double total = P.col(k).sum();
    if (total > 0.0) P.col(k) /= total;
  }
  return P;
}

}  // namespace camber::lagrange
