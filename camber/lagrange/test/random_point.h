#pragma once

#include <vector>

#include "camber/core/random.h"
#include "camber/lagrange/frame.h"
#include "camber/symbolic/evaluate.h"

namespace camber::lagrange {

/// Values for every leaf of the expressions, away from zero and of either sign.
inline symbolic::Bindings random_point(const std::vector<Expr>& es, RandomStream* random) {
  symbolic::Bindings point;
  for (const Expr& e : es) {
    for (const Expr& leaf : e.leaves()) {
      if (!point.contains(leaf))
        point[leaf] = random->uniform(0.3, 1.4) * (random->uniform() < 0.5 ? -1 : 1);
    }
  }
  return point;
}

template <int rows, int cols>
Eigen::Matrix<double, rows, cols> value(const symbolic::Matrix<rows, cols>& m,
                                        const symbolic::Bindings& point) {
  return m.unaryExpr([&](const Expr& e) { return symbolic::evaluate(e, point); });
}

inline std::vector<Expr> entries(const Matrix4& T) { return {T.data(), T.data() + T.size()}; }

}  // namespace camber::lagrange
