// A program of a user: the symbolic engine and a linear solve, so that headers and libraries of both are needed.
#include <iostream>

#include "camber/math/dense.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/expr.h"
#include "camber/symbolic/print.h"

int main() {
  using namespace camber;
  const symbolic::Expr x = symbolic::symbol("x");
  std::cout << symbolic::to_text(diff(x * x * x, x)) << "\n";
  MatrixX<double> A(2, 2);
  A << 3, 1, 1, 2;
  std::cout << math::solve_square(A, VectorX<double>::Ones(2).eval()).transpose() << "\n";
}
