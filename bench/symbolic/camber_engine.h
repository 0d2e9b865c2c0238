#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "bench/symbolic/mechanisms.h"
#include "bench/symbolic/problem.h"
#include "camber/symbolic/expr.h"

namespace camber::bench {

/// A pendulum or chain with all leaves named with `suffix`. Coordinates are functions of time.
struct CamberMechanism {
  CamberMechanism(const Problem& problem, const std::string& suffix);
  std::vector<symbolic::Expr> q, qd, qdd;
  Energies<symbolic::Expr> energies;
};

/// How camber takes the derivatives of Lagrange's equations.
enum class Route {
  kSweeps,    // all of T's partials in one reverse sweep, d/dt of all momenta in one forward sweep
  kPartials,  // one partial derivative at a time, as GiNaC and SymPy have to
};

/// d/dt (dT/dq') - dT/dq + dV/dq.
std::vector<symbolic::Expr> find_equations(const CamberMechanism& mechanism, Route route);

/// The random expressions, read from their texts; symbols named with `suffix`.
struct CamberExpressions {
  CamberExpressions(const Problem& problem, const std::string& suffix);
  std::vector<symbolic::Expr> symbols, expressions;
};

/// Each expression, followed by its derivatives by all symbols.
std::vector<symbolic::Expr> find_gradients(const CamberExpressions& all);

/// Measures camber at the problem: see measure().
nlohmann::json measure_camber(const Problem& problem, Route route);

}  // namespace camber::bench
