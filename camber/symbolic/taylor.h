#pragma once

#include <span>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::symbolic {

/// The Taylor polynomial of e in xs about the point xs = about, up to total order n (0 ... 100) in
/// xs - about. Products are left as they come: see expand(). `about` may be symbolic but must be
/// free of xs.
///
/// Throws std::domain_error that names the sub-expression where e has no Taylor series, such as
/// sqrt(x) about 0 or -1, or has one only as a limit, such as sin(x)/x about 0. At symbolic points,
/// an expression that is zero only for some values (1/a about x = a) is taken as nonzero. abs,
/// sign, min, max and select are taken as the smooth branch at the point; at a kink as diff() takes
/// them, abs with the slope 0, min and max as their first argument.
Expr taylor(const Expr& e, std::span<const Expr> xs, std::span<const Expr> about, int order);
Expr taylor(const Expr& e, const Expr& x, const Expr& about, int order);

/// The Taylor polynomial by order: entry [k] is homogeneous of degree k in xs - about; order + 1
/// entries.
std::vector<Expr> taylor_terms(const Expr& e, std::span<const Expr> xs, std::span<const Expr> about,
                               int order);

}  // namespace camber::symbolic
