#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include "camber/symbolic/expr.h"

/// Expr as a scalar of Eigen. Sums, products, cross products, transposes, norms, and the
/// determinant and inverse of fixed sizes up to 4 work as for double. Functions that must compare
/// values throw std::logic_error as soon as a symbol is involved (normalized(), partialPivLu(),
/// llt(), determinants beyond 4), or do not compile (fullPivLu(), ldlt(), isZero(), isApprox()):
/// write v / v.norm() and A == B, and see ldlt.h and linear_solve.h for linear systems.
namespace Eigen {

template <>
struct NumTraits<camber::symbolic::Expr> : GenericNumTraits<camber::symbolic::Expr> {
  using Real = camber::symbolic::Expr;
  using NonInteger = camber::symbolic::Expr;
  using Nested = camber::symbolic::Expr;  // 8 bytes: by value
  using Literal = camber::symbolic::Expr;
  // NOLINTBEGIN(readability-identifier-naming): Eigen asks for these names.
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    // An operation looks its result up in a hash table; never worth doing twice to save a
    // temporary.
    ReadCost = 1,
    AddCost = 1000,
    MulCost = 1000,
  };
  // NOLINTEND(readability-identifier-naming)
  // Exact arithmetic: nothing but zero is small.
  static Real epsilon() { return Real(0); }
  static Real dummy_precision() { return Real(0); }
  static int digits10() { return 0; }
};

// Parameters stay double where the physics is a template: a double times a matrix of expressions.
template <class BinaryOp>
struct ScalarBinaryOpTraits<camber::symbolic::Expr, double, BinaryOp> {
  using ReturnType = camber::symbolic::Expr;
};
template <class BinaryOp>
struct ScalarBinaryOpTraits<double, camber::symbolic::Expr, BinaryOp> {
  using ReturnType = camber::symbolic::Expr;
};

}  // namespace Eigen

namespace camber::symbolic {

template <int rows, int cols>
using Matrix = Eigen::Matrix<Expr, rows, cols>;
using MatrixX = Matrix<Eigen::Dynamic, Eigen::Dynamic>;
using VectorX = Matrix<Eigen::Dynamic, 1>;
using Matrix3 = Matrix<3, 3>;
using Vector3 = Matrix<3, 1>;

}  // namespace camber::symbolic
