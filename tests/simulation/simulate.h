#pragma once

#include <cmath>
#include <initializer_list>
#include <span>
#include <vector>

#include "camber/integrate/integrator.h"
#include "camber/lagrange/consistent_state.h"
#include "camber/lagrange/simulation_model.h"

namespace camber {

/// The model as an integrator sees it; the model must outlive it.
inline integrate::Ode make_ode(lagrange::SimulationModel* model) {
  integrate::Ode ode;
  ode.size = model->state_size();
  ode.names = model->state_names();
  ode.f = [model](double t, std::span<const double> x, std::span<double> x_dot) {
    return model->calc_state_rate(t, x, x_dot);
  };
  ode.jacobian = [model](double t, std::span<const double> x, std::span<double> J) {
    return model->calc_jacobian(t, x, J);
  };
  ode.why = [model] { return model->why(); };
  if (model->constraints().velocity_count() > 0) {
    ode.project = [model](double t, std::span<double> x) { return model->project(t, x); };
  }
  return ode;
}

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
