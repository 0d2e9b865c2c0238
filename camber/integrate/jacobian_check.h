#pragma once

#include <span>
#include <string>

#include "camber/integrate/dae.h"
#include "camber/integrate/ode.h"

namespace camber::integrate {

/// How far the Jacobian is from difference quotients of order 4, as the largest error of an entry
/// relative to that entry; the errors of entries below a millionth of their row are scaled down. A
/// correct Jacobian gives less than 1e-4, a wrong entry about 1 or more. where, if given, names the
/// worst entry with both values. Throws std::invalid_argument if there is no Jacobian or f has no
/// value near x.
double check_jacobian(const Ode& ode, double t, std::span<const double> x,
                      std::string* where = nullptr);
/// Checks dF/dy + c dF/dy'; c should be about 1/h.
double check_jacobian(const Dae& dae, double t, std::span<const double> y,
                      std::span<const double> y_dot, double c, std::string* where = nullptr);

}  // namespace camber::integrate
