#pragma once

#include <span>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/matrix.h"
#include "camber/symbolic/singular_system_error.h"

namespace camber::symbolic {

/// The solution of linear equations for general values of all other symbols.
struct LinearSolution {
  enum class Outcome {
    kUnique,
    kUnderdetermined,  // some unknowns remain free
    kInconsistent,     // no solution, except where the residuals happen to vanish
  };
  /// Equations with a linear combination that contains no unknown.
  struct Dependency {
    std::vector<int> equations;
    Expr residual;  // the combination's rest: 0 if they are redundant, else what they contradict
                    // each other by
  };

  Outcome outcome = Outcome::kUnique;
  /// One value per unknown; a free unknown stands for itself. Empty if inconsistent.
  std::vector<Expr> values;
  std::vector<int> free_unknowns;
  std::vector<Dependency> redundant;
  std::vector<Dependency> contradictions;
  /// All divisors except numbers: the solution is valid where none of them is zero.
  std::vector<Expr> pivots;
};

/// Solves equations[i] = 0 for the unknowns (symbols or variables). Throws std::invalid_argument
/// that names an equation which is not linear in them.
LinearSolution solve_linear(std::span<const Expr> equations, std::span<const Expr> unknowns);

/// x with A x = b for square A. Throws SingularSystemError that names the dependent rows when A is
/// singular for all values of its symbols. The result divides by `pivots`, if asked for: it holds
/// where none of them is zero.
VectorX solve_linear(const MatrixX& A, const VectorX& b, std::vector<Expr>* pivots = nullptr);

}  // namespace camber::symbolic
