// Symmetric elimination without square roots, which [Turner] eq. 37 requires ("rigorously
// eliminates all zero operations") without giving an algorithm. A in elimination order, column by
// column:
//   u_ik = a_ik - sum_{j<k} l_ij u_kj,   d_k = u_kk,   l_ik = u_ik / d_k      (1)
// With u_kj = l_kj d_j at hand, a product l_ij d_j l_kj costs one multiplication.
//
// The paper does not say that (37) is indefinite: [M B^T; B 0], M > 0. Here a multiplier comes
// after all unknowns of its constraint. Then every leading block holds whole rows of B; if these
// are independent, it has as many negative eigenvalues as multipliers, so that by Sylvester's law
// d_k > 0 for an unknown of M and d_k < 0 for a multiplier, and nothing needs to be exchanged at
// run time. A multiplier eliminated after only some of its unknowns would have a vanishing pivot
// wherever these columns of B become dependent. (2)
//
// The signs also sort the terms of d_k: those of its own sign add up to s_k, the others are
// subtracted from it. A singular matrix leaves, in rounded arithmetic, a pivot of some units in the
// last place of s_k, seldom a zero. The guard is |d_k| - tolerance s_k. (3)
//
// All of u, l, d and of the solution's steps are named quantities. An unnamed entry that is one
// product is merged into the products of which it is a factor, and the code generator would have to
// find it there again. A program for a chain of 80 pinned planar bodies (400 unknowns, with guards)
// has 8,967 operations named, 9,202 unnamed and 9,041 when only entries that are pure fill go
// unnamed; over 30 patterns of 12 to 53 unknowns names cost 1 % in all (between 7 % more and 8 %
// fewer operations). We keep them because then the count depends on the pattern alone and the code
// is readable (docs/decisions/0004).
#include "camber/symbolic/ldlt.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "camber/core/require.h"
#include "camber/symbolic/brief_text.h"
#include "camber/symbolic/probe.h"
#include "camber/symbolic/singular_system_error.h"

namespace camber::symbolic {
namespace {

/// "a", "a and b", "a, b and c".
std::string list_names(std::span<const int> rows, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += i == 0 ? "" : i + 1 == rows.size() ? " and " : ", ";
    text += names[rows[i]];
  }
  return text;
}

std::vector<std::string> names_or_numbers(const LdltOptions& options, Eigen::Index size) {
  std::vector<std::string> names = options.names;
  if (names.empty()) {
    for (Eigen::Index i = 1; i <= size; ++i) {
      names.push_back(std::to_string(i));
    }
  }
  require(names.size() == static_cast<std::size_t>(size), "LdltOptions: ", names.size(),
          " names for ", size, " unknowns");
  const std::set<std::string> distinct(names.begin(), names.end());
  require(distinct.size() == names.size(), "LdltOptions: two unknowns have the same name");
  return names;
}

void require_tolerance(const LdltOptions& options) {
  require(options.tolerance >= 0 && options.tolerance < 1,
          "LdltOptions: tolerance must be in [0, 1), got ", options.tolerance);
}

/// Entries (i, j) and (j, i) may be written differently as long as their values are the same.
void require_symmetric(const MatrixX& A, const std::vector<std::string>& names) {
  require(A.rows() == A.cols(), "LDL^T: the matrix is ", A.rows(), " x ", A.cols(), ", not square");
  for (int j = 0; j < A.cols(); ++j) {
    for (int i = j + 1; i < A.rows(); ++i) {
      if (A(i, j) == A(j, i)) {
        continue;
      }
      const Expr difference = A(i, j) - A(j, i);
      const auto probed = internal::probe(std::span(&difference, 1));
      if (!probed || !internal::is_zero(probed->front())) {
        throw std::invalid_argument(concat("LDL^T: the matrix is not symmetric: entry (", names[i],
                                           ", ", names[j], ") is ", internal::brief_text(A(i, j)),
                                           ", entry (", names[j], ", ", names[i], ") is ",
                                           internal::brief_text(A(j, i))));
      }
    }
  }
}

void require_full_diagonal(const MatrixX& A, const std::vector<std::string>& names) {
  for (int i = 0; i < A.rows(); ++i) {
    require(!A(i, i).is_zero(), "LDL^T: the diagonal entry of ", names[i],
            " is zero: the matrix is not positive definite");
  }
}

std::vector<internal::Probed> probe_entries(const MatrixX& A) {
  std::vector<Expr> entries;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      entries.push_back(A(i, j));
    }
  }
  return internal::probe(entries).value_or(std::vector<internal::Probed>{});
}

std::vector<int> find_dependent_rows(const MatrixX& A) {
  return internal::find_dependent_rows(probe_entries(A), static_cast<int>(A.cols()));
}

/// The columns that each row of B touches.
std::vector<std::vector<int>> rows_of(const MatrixX& B) {
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(B.rows()));
  for (int i = 0; i < B.rows(); ++i) {
    for (int j = 0; j < B.cols(); ++j) {
      if (!B(i, j).is_zero()) {
        rows[i].push_back(j);
      }
    }
  }
  return rows;
}

void require_independent(const MatrixX& B, std::span<const std::string> names) {
  const std::vector<std::string> constraints(names.begin(), names.end());
  const auto require_none = [&](const std::vector<int>& rows, const char* reason) {
    if (!rows.empty()) {
      throw SingularSystemError(concat("KKT system: constraints ", list_names(rows, constraints),
                                       " are redundant: ", reason),
                                rows);
    }
  };
  require_none(find_structurally_dependent_rows(rows_of(B), static_cast<int>(B.cols())),
               "together they involve fewer unknowns than there are constraints");
  require_none(find_dependent_rows(B), "they are linearly dependent");
}

/// `e` under a name of its own. If all of it is negative the sign stays outside: it costs nothing
/// in the sums that use it.
Expr keep(const std::string& name, const Expr& e) {
  const auto is_negative = [](const Term& t) { return t.coefficient.sign() < 0; };
  if (e.kind() == Kind::kSum && e.constant().sign() <= 0 &&
      std::all_of(e.terms().begin(), e.terms().end(), is_negative)) {
    return -named(name, -e);
  }
  return named(name, e);
}

SymmetricPattern pattern_of(const MatrixX& A) {
  SymmetricPattern pattern(static_cast<int>(A.rows()));
  for (int j = 0; j < A.cols(); ++j) {
    for (int i = j; i < A.rows(); ++i) {
      if (!A(i, j).is_zero()) {
        pattern.add(i, j);
      }
    }
  }
  return pattern;
}

}  // namespace

class LdltBuilder {
 public:
  /// The last `multipliers` unknowns of A are multipliers. Reads A's lower triangle.
  LdltBuilder(const MatrixX& A, int multipliers, std::vector<int> order, const LdltOptions& options,
              std::vector<std::string> names)
      : A_(A), options_(options), names_(std::move(names)) {
    const int n = static_cast<int>(A.rows());
    result_.cost_ = count_factorization(pattern_of(A), order);
    result_.order_ = std::move(order);
    result_.L_columns_.resize(n);
    below_.resize(n);
    own_sign_.resize(n);
    other_sign_.resize(n);
    for (int k = 0; k < n; ++k) {
      signs_.push_back(unknown(k) < n - multipliers ? 1 : -1);
      for (int i = k; i < n; ++i) {
        const Expr& a = A(std::max(unknown(i), unknown(k)), std::min(unknown(i), unknown(k)));
        if (a.is_zero()) {
          continue;
        }
        (i == k ? own_sign_[k] : below_[k][i]).push_back(a);
      }
    }
  }

  Ldlt build() {
    for (int k = 0; k < result_.size(); ++k) {
      eliminate(k);
    }
    require_pivots_that_do_not_vanish();
    result_.names_ = std::move(names_);
    result_.prefix_ = options_.prefix;
    return std::move(result_);
  }

 private:
  int unknown(int k) const { return result_.order_[k]; }
  std::string name(const char* kind, int k) const {
    return concat(options_.prefix, kind, names_[unknown(k)]);
  }
  std::string name(const char* kind, int i, int k) const {
    return concat(options_.prefix, kind, names_[unknown(i)], '_', names_[unknown(k)]);
  }

  void eliminate(int k) {
    const Expr d = add_pivot(k);
    // The entries below the pivot, in both forms of (1).
    std::vector<Entry>& l = result_.L_columns_[k];
    std::vector<Expr> u;
    for (const auto& [i, summands] : below_[k]) {
      const Expr u_ik = keep(name("u_", i, k), sum(summands));
      if (!u_ik.is_zero()) {
        u.push_back(u_ik);
        l.push_back({i, k, keep(name("l_", i, k), u_ik / d)});
      }
    }
    // Its contribution to the entries of later columns.
    for (std::size_t b = 0; b < l.size(); ++b) {
      const int j = l[b].row;
      const Expr square = l[b].value * u[b];  // has the sign of d
      (signs_[k] == signs_[j] ? other_sign_[j] : own_sign_[j]).push_back(signs_[k] * square);
      for (std::size_t a = b + 1; a < l.size(); ++a) {
        below_[j][l[a].row].push_back(-l[a].value * u[b]);
      }
    }
    below_[k].clear();
  }

  /// d_k and its guard (3). The lists hold absolute values of the terms.
  Expr add_pivot(int k) {
    Expr own = sum(own_sign_[k]);
    if (own_sign_[k].size() > 1 && !other_sign_[k].empty()) {
      own = named(name("s_", k), own);
    }
    const Expr magnitude = own - sum(other_sign_[k]);
    const Expr d = named(name("d_", k), signs_[k] * magnitude);
    const Expr size = signs_[k] * d;
    const Expr guard = other_sign_[k].empty() ? size : size - options_.tolerance * own;
    if (guard.is_number() && guard.number().sign() <= 0) {
      throw_singular(k, concat("it is ", d));
    }
    result_.pivots_.push_back({unknown(k), name("d_", k), d, guard});
    return d;
  }

  // A pivot whose terms cancel for all values of the symbols, though not as expressions.
  void require_pivots_that_do_not_vanish() const {
    std::vector<Expr> values;
    for (const Ldlt::Pivot& pivot : result_.pivots_) {
      values.push_back(pivot.value);
    }
    const auto probed = internal::probe(values);
    for (std::size_t k = 0; probed && k < values.size(); ++k) {
      if (internal::is_zero((*probed)[k])) {
        throw_singular(static_cast<int>(k), "it vanishes for all values of the symbols");
      }
    }
  }

  [[noreturn]] void throw_singular(int k, const std::string& reason) const {
    MatrixX A = A_.selfadjointView<Eigen::Lower>();
    std::vector<int> rows = find_dependent_rows(A);
    std::string message = concat("LDL^T: pivot ", name("d_", k), " must be ",
                                 signs_[k] > 0 ? "> 0" : "< 0", ", but ", reason);
    if (!rows.empty()) {
      message += concat("; rows ", list_names(rows, names_), " are linearly dependent");
    }
    throw SingularSystemError(message, std::move(rows));
  }

  const MatrixX& A_;
  const LdltOptions& options_;
  std::vector<std::string> names_;
  std::vector<int> signs_;  // of the pivots, in elimination order
  Ldlt result_;
  // Summands of entries that are not final yet: below_[k][i] for u_ik; for |d_k| those of either
  // sign.
  std::vector<std::map<int, std::vector<Expr>>> below_;
  std::vector<std::vector<Expr>> own_sign_, other_sign_;
};

Ldlt factor_symmetric(const MatrixX& A, const LdltOptions& options) {
  require_tolerance(options);
  auto names = names_or_numbers(options, A.rows());
  require_symmetric(A, names);
  require_full_diagonal(A, names);
  return LdltBuilder(A, 0, minimum_fill_order(pattern_of(A)), options, std::move(names)).build();
}

Ldlt factor_kkt(const MatrixX& M, const MatrixX& B, const LdltOptions& options) {
  require_tolerance(options);
  require(B.cols() == M.cols(), "factor_kkt: B has ", B.cols(), " columns, M ", M.cols());
  const int n = static_cast<int>(M.rows()), m = static_cast<int>(B.rows());
  auto names = names_or_numbers(options, n + m);
  require_symmetric(M, names);
  require_full_diagonal(M, names);
  require_independent(B, std::span(names).subspan(n));

  MatrixX A = MatrixX::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = M;
  A.bottomLeftCorner(m, n) = B;
  A.topRightCorner(n, m) = B.transpose();
  std::vector<std::vector<int>> after(n);
  std::ranges::copy(rows_of(B), std::back_inserter(after));  // (2)
  auto order = minimum_fill_order(pattern_of(A), after);
  return LdltBuilder(A, m, std::move(order), options, std::move(names)).build();
}

VectorX Ldlt::solve(const VectorX& b) const {
  require(b.size() == size(), "Ldlt::solve: b has ", b.size(), " entries, the matrix ", size(),
          " rows");
  return solve(b, "");
}

VectorX Ldlt::solve(const VectorX& b, const std::string& suffix) const {
  // L y = b; `pending` collects each entry's summands, none of them zero.
  std::vector<std::vector<Expr>> pending(order_.size());
  std::vector<Expr> y(order_.size());
  for (int k = 0; k < size(); ++k) {
    pending[k].push_back(b(order_[k]));
    y[k] = keep(concat(prefix_, "y_", names_[order_[k]], suffix), sum(pending[k]));
    for (const Entry& l : L_columns_[k]) {
      if (!y[k].is_zero()) {
        pending[l.row].push_back(-l.value * y[k]);
      }
    }
  }
  // D L^T x = y, from the last unknown to the first.
  VectorX x(size());
  for (int k = size() - 1; k >= 0; --k) {
    std::vector<Expr> summands = {y[k] / pivots_[k].value};
    for (const Entry& l : L_columns_[k]) {
      summands.push_back(-l.value * x(order_[l.row]));
    }
    x(order_[k]) = keep(concat(prefix_, "x_", names_[order_[k]], suffix), sum(summands));
  }
  return x;
}

MatrixX Ldlt::apply_inverse(const MatrixX& B) const {
  require(B.rows() == size(), "Ldlt::apply_inverse: B has ", B.rows(), " rows, the matrix ",
          size());
  MatrixX X(B.rows(), B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    X.col(j) = solve(B.col(j), concat('_', j + 1));
  }
  return X;
}

}  // namespace camber::symbolic
