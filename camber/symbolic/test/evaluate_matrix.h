#pragma once

#include <span>
#include <string>
#include <vector>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/symbolic/evaluate.h"
#include "camber/symbolic/matrix.h"

namespace camber::symbolic {

/// Numbers for a matrix of expressions.
template <class Derived>
Eigen::MatrixXd evaluate_matrix(const Eigen::MatrixBase<Derived>& expression, const Bindings& at) {
  const MatrixX m = expression;  // a product would be multiplied out for each entry
  std::vector<Expr> entries;
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      entries.push_back(m(i, j));
    }
  }
  const std::vector<double> numbers = evaluate(entries, at);
  return Eigen::Map<const Eigen::MatrixXd>(numbers.data(), m.rows(), m.cols());
}

/// A matrix of fresh symbols a_1_1, a_1_2, ..., each bound to a number of [-2, 2).
inline MatrixX make_symbols(const std::string& name, int rows, int cols, RandomStream* random,
                            Bindings* at) {
  MatrixX m(rows, cols);
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) {
      m(i, j) = symbol(concat(name, "_", i + 1, "_", j + 1));
      (*at)[m(i, j)] = random->uniform(-2.0, 2.0);
    }
  }
  return m;
}

}  // namespace camber::symbolic
