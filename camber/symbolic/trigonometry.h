#pragma once

#include "camber/symbolic/expr.h"

// Identities of circular and hyperbolic functions, each applied wherever it fits, children first.
// Which of them makes an expression shorter depends on the expression: simplify() tries them and
// counts. Named quantities are atoms.

namespace camber::symbolic {

/// sin^2 + cos^2 = 1 and cosh^2 - sinh^2 = 1 with any common factor: a*sin(x)^2*b + a*cos(x)^2*b
/// becomes a*b, 1 - sin(x)^2 becomes cos(x)^2, 3*sin(x)^2 + 5*cos(x)^2 becomes 2*cos(x)^2 + 3.
/// Never makes more terms.
Expr reduce_squares(const Expr& e);

/// sin(a)*cos(b) + cos(a)*sin(b) = sin(a + b) and its kin with any common factor, sin(a)*cos(a) =
/// sin(2*a)/2, cos(a)^2 - sin(a)^2 = cos(2*a).
Expr contract_angles(const Expr& e);

/// The reverse: expands sin and cos of sums (up to four terms) and of small whole multiples into
/// products.
Expr expand_angles(const Expr& e);

/// sin/cos = tan, tan*cos = sin, sinh/cosh = tanh, tanh*cosh = sinh, in powers too.
Expr contract_quotients(const Expr& e);

}  // namespace camber::symbolic
