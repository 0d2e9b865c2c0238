#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/symbolic/problem.h"
#include "camber/symbolic/expr.h"

namespace camber::bench {

/// How camber takes the derivatives of Lagrange's equations.
enum class Route {
  kSweeps,    // all of T's partials in one reverse sweep, d/dt of all momenta in one forward sweep
  kPartials,  // one partial derivative at a time, as GiNaC and SymPy have to
};

/// d/dt (dT/dq') - dT/dq + dV/dq of a pendulum or chain; leaves are named with `suffix`.
std::vector<symbolic::Expr> derive_equations(const Problem& problem, const std::string& suffix, Route route);

/// Measures camber at the problem: see measure().
nlohmann::json measure_camber(const Problem& problem, Route route);

}  // namespace camber::bench
