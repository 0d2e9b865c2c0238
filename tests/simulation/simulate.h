#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "camber/integrate/integrator.h"
#include "camber/lagrange/consistent_state.h"
#include "camber/lagrange/simulate.h"

namespace camber {

inline std::vector<double> consistent_state(lagrange::SimulationModel* model,
                                            std::initializer_list<lagrange::InitialValue> given) {
  return lagrange::find_consistent_state(model, 0.0, std::span(given.begin(), given.size()));
}

/// Tolerances so tight that what is left is the model's.
inline integrate::IntegratorOptions tight(double tolerance = 1e-11) {
  return {.relative_tolerance = tolerance, .absolute_tolerance = tolerance};
}

/// q' of the variable q.
inline symbolic::Expr rate_of(const symbolic::Expr& q) { return symbolic::variable(q.name(), 1); }

/// Kinetic plus gravity energy of all bodies.
inline symbolic::Expr total_energy(const lagrange::System& system) {
  symbolic::Expr energy;
  for (const lagrange::Body& body : system.bodies) {
    energy += lagrange::kinetic_energy(body) + lagrange::gravity_energy(body, system.gravity);
  }
  return energy;
}

}  // namespace camber
