#include "camber/lagrange/equations.h"

#include <algorithm>
#include <functional>
#include <string>

#include "camber/core/require.h"
#include "camber/symbolic/count.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/probe.h"

// 003 eq. 38-47 and 001 eq. 7-11, with d'Alembert-Lagrange multipliers.
//
// For one body with momentum p = m v, h = J w and speeds u (docs/theory/lagrange.md):
//   d/dt T,u - T,q = v,u . p' + w,u . h'   since d(v,u)/dt = v,q   (1)   [003 (40)-(44)]
//   Q              = v,u . F  + w,u . t                            (2)   [003 (47)]
//   constraints c(q, u) = 0 act with  lambda c,u                   (3)   [001 (9), corrected]
// All are the gradient by u of one scalar, the virtual power with forces frozen,
//   P(u) = sum (p' - F) . v + (h' - t) . w - lambda c              (4)
// so one reverse sweep over the velocities gives every equation: the inward pass of a recursive
// Newton-Euler algorithm, written by the derivative.

namespace camber::lagrange {

using symbolic::Differentiator;
using symbolic::Seed;
using symbolic::Substitution;

namespace {

/// The motion of a body's center of mass and its momentum, as seen from the ground along the axes
/// of `axes`. They rotate with the body, except for a spin about an axis of symmetry, which would
/// only bring the spin angle into the equations.
struct BodyMotion {
  Frame axes;
  Vector3 w = Vector3::Zero();
  Vector3 v = Vector3::Zero();
  Vector3 v_dot = Vector3::Zero();  // minus the acceleration of gravity
  Vector3 h_dot = Vector3::Zero();
};

bool is_symmetric_about(const Matrix3& J, Axis axis) {
  const int i = static_cast<int>(axis);
  const int j = (i + 1) % 3;
  const int k = (i + 2) % 3;
  return J(j, j) == J(k, k) && J(i, j).is_zero() && J(i, k).is_zero() && J(j, k).is_zero();
}

/// A spin about an axis of symmetry through the center of mass: the body moves as if its axes did
/// not rotate with it.
bool is_hidden_spin(const Body& body, const Step& last) {
  if (last.kind != Step::Kind::kRotation || !is_symmetric_about(body.inertia, last.axis))
    return false;
  for (int i = 0; i < 3; ++i) {
    if (i != static_cast<int>(last.axis) && !body.center_of_mass[i].is_zero()) return false;
  }
  return true;
}

BodyMotion motion_of(const Body& body, const Vector3& gravity) {
  const bool hidden = !body.frame.path().empty() && is_hidden_spin(body, body.frame.path().back());
  BodyMotion motion;
  motion.axes = without_steps(body.frame, 0, hidden ? 1 : 0);
  const Twist twist = motion.axes.twist();
  const TwistRate rate = motion.axes.twist_rate(-gravity);
  const Vector3& c = body.center_of_mass;
  motion.v = twist.v + twist.w.cross(c);
  motion.v_dot = rate.v_dot + rate.w_dot.cross(c) + twist.w.cross(twist.w.cross(c));
  motion.w = twist.w;
  Vector3 w_dot = rate.w_dot;  // of the body, in axes that do not spin with it
  if (hidden) {
    const Vector3 spin = spin_of_last_steps(body.frame, 1);
    motion.w += spin;
    w_dot += spin.unaryExpr([](const Expr& e) { return symbolic::time_derivative(e); });
  }
  motion.h_dot = body.inertia * w_dot + twist.w.cross(body.inertia * motion.w);
  return motion;
}

/// Scalars f_i * x_i with the f_i held fixed: the gradient of their sum by the speeds, one sweep
/// for all.
class VirtualPower {
 public:
  void add(const Expr& force, const Expr& velocity) {
    if (force.is_zero() || velocity.is_zero()) return;
    const Expr frozen = symbolic::symbol("frozen." + std::to_string(forces_.size()));
    forces_.emplace(frozen, force);
    terms_.push_back(frozen * velocity);
  }
  void add(const Vector3& force, const Vector3& velocity) {
    for (int i = 0; i < 3; ++i) add(force[i], velocity[i]);
  }
  std::vector<Expr> gradient(const std::vector<Expr>& speeds) const {
    return symbolic::substitute(symbolic::gradient(symbolic::sum(terms_), speeds), forces_);
  }

 private:
  std::vector<Expr> terms_;
  Substitution forces_;
};

/// q' in terms of the speeds.
Expr rate_of(const Expr& q, const System& system) {
  const Expr rate = symbolic::variable(q.name(), q.order() + 1);
  const auto found = system.rates.find(rate);
  return found == system.rates.end() ? rate : found->second;
}

Differentiator differentiator(const System& system) {
  std::vector<Seed> seeds{{system.time, Expr(1)}};
  const auto next = [](const Expr& x) { return symbolic::variable(x.name(), x.order() + 1); };
  for (const Expr& q : system.coordinates) seeds.push_back({q, rate_of(q, system)});
  for (const Expr& u : system.speeds) seeds.push_back({u, next(u)});
  for (const ExtraVariable& extra : system.extra) {
    seeds.push_back({extra.variable, next(extra.variable)});
  }
  return Differentiator(seeds);
}

/// Velocity of the acting body relative to the reacting body at the point of the force, by speed.
Vector3 relative_velocity(const Force& force) {
  const auto material = [&](const Frame& body) {
    return velocity(project(force.point, body), Velocity::kEulerian, force.force.frame).components;
  };
  return material(force.acting) - material(force.reacting);
}

Vector3 relative_velocity(const Torque& torque) {
  const auto turning = [&](const Frame& body) {
    return project(angular_velocity(body), torque.torque.frame).components;
  };
  return turning(torque.acting) - turning(torque.reacting);
}

/// Rates of coordinates in terms of the speeds, where those are quasi-velocities.
Expr in_speeds(const Expr& e, const System& system) {
  return system.rates.empty() ? e : symbolic::substitute(e, system.rates);
}

void add_inertia(const System& system, VirtualPower* power) {
  for (const Body& body : system.bodies) {
    const BodyMotion motion = motion_of(body, system.gravity);
    power->add(body.mass * motion.v_dot, motion.v);
    power->add(motion.h_dot, motion.w);
  }
}

void add_loads(const System& system, VirtualPower* power) {
  for (const Force& force : system.forces) {
    power->add(-force.force.components, relative_velocity(force));
  }
  for (const Torque& torque : system.torques) {
    power->add(-torque.torque.components, relative_velocity(torque));
  }
  for (const GeneralizedForce& force : system.generalized_forces)
    power->add(-force.value, force.speed);
  for (const Potential& potential : system.potentials) {
    const std::vector<Expr> slope = symbolic::gradient(potential.energy, system.coordinates);
    for (std::size_t k = 0; k < slope.size(); ++k)
      power->add(slope[k], rate_of(system.coordinates[k], system));
  }
}

/// Symbols and what they multiply: lambda for each constraint, unless its name is taken.
std::vector<Expr> make_multipliers(const System& system) {
  std::vector<Expr> multipliers;
  for (const Constraint& constraint : system.constraints)
    multipliers.push_back(symbolic::variable("lambda_" + constraint.name));
  return multipliers;
}

std::vector<Expr> velocity_constraints(const System& system, Differentiator* d_dt) {
  std::vector<Expr> result;
  for (const Constraint& c : system.constraints) {
    const bool holonomic = c.kind == Constraint::Kind::kHolonomic;
    if (holonomic && c.rate.is_zero()) {
      result.push_back((*d_dt)(c.expression));
    } else {
      result.push_back(in_speeds(holonomic ? c.rate : c.expression, system));
    }
  }
  return result;
}

std::vector<Expr> momentum_form(const System& system, const Equations& equations) {
  VirtualPower power;
  add_inertia(system, &power);
  add_loads(system, &power);
  for (std::size_t i = 0; i < equations.multipliers.size(); ++i) {
    power.add(-equations.multipliers[i], equations.velocity_constraints[i]);
  }
  return power.gradient(system.speeds);
}

std::vector<Expr> lagrangian_form(const System& system, const Equations& equations,
                                  bool vakonomic) {
  require(system.rates.empty(),
          "derive: quasi-velocities need the momentum form, Lagrange's equations hold for rates of "
          "coordinates");
  Expr L;
  for (const Body& body : system.bodies)
    L += kinetic_energy(body) - gravity_energy(body, system.gravity);
  VirtualPower loads;
  add_loads(system, &loads);
  if (vakonomic) {
    for (std::size_t i = 0; i < system.constraints.size(); ++i)
      L += equations.multipliers[i] * system.constraints[i].expression;
  } else {
    for (std::size_t i = 0; i < system.constraints.size(); ++i) {
      loads.add(-equations.multipliers[i], equations.velocity_constraints[i]);
    }
  }
  std::vector<Expr> result = loads.gradient(system.speeds);
  for (std::size_t k = 0; k < result.size(); ++k) result[k] += lagrange(L, system.coordinates[k]);
  return result;
}

/// A rate that is not the derivative would silently give wrong constraint forces.
void check_rates(const System& system, Differentiator* d_dt) {
  for (const Constraint& c : system.constraints) {
    if (c.rate.is_zero()) continue;
    require(c.kind == Constraint::Kind::kHolonomic, "derive: constraint \"", c.name,
            "\" is nonholonomic and has a rate");
    const Expr difference = (*d_dt)(c.expression) - in_speeds(c.rate, system);
    const auto probed = symbolic::internal::probe(std::span(&difference, 1));
    require(!probed || symbolic::internal::is_zero(probed->front()),
            "derive: the rate of constraint \"", c.name, "\" is not its time derivative");
  }
}

void check(const System& system) {
  require(!system.coordinates.empty(), "derive: system \"", system.name, "\" has no coordinates");
  require(system.speeds.size() == system.coordinates.size(), "derive: system \"", system.name,
          "\" has ", system.coordinates.size(), " coordinates and ", system.speeds.size(),
          " speeds");
}

}  // namespace

Expr time_derivative(const Expr& e, const System& system) { return differentiator(system)(e); }

Expr kinetic_energy(const Body& body) {
  const BodyMotion motion = motion_of(body, Vector3::Zero());
  return body.mass * motion.v.squaredNorm() / 2 + motion.w.dot(body.inertia * motion.w) / 2;
}

Expr gravity_energy(const Body& body, const Vector3& gravity) {
  return -body.mass *
         gravity.dot(project(Point{body.frame, body.center_of_mass}, Frame()).coordinates);
}

Expr generalized_force(const Force& force, const Expr& speed) {
  VirtualPower power;
  power.add(force.force.components, relative_velocity(force));
  return power.gradient({speed})[0];
}

Expr generalized_force(const Torque& torque, const Expr& speed) {
  VirtualPower power;
  power.add(torque.torque.components, relative_velocity(torque));
  return power.gradient({speed})[0];
}

Expr lagrange(const Expr& L, const Expr& q) {
  const Expr q_dot = symbolic::variable(q.name(), q.order() + 1);
  return symbolic::time_derivative(symbolic::diff(L, q_dot)) - symbolic::diff(L, q);
}

std::vector<symbolic::Entry> velocity_transformation(const System& system) {
  std::vector<Expr> V;
  for (const Body& body : system.bodies) {
    const Twist twist = body.frame.twist();
    const Vector3 v = twist.v + twist.w.cross(body.center_of_mass);
    V.insert(V.end(), twist.w.begin(), twist.w.end());
    V.insert(V.end(), v.begin(), v.end());
  }
  return symbolic::jacobian(V, system.speeds);
}

Equations derive(const System& system, const DerivationOptions& options) {
  using Method = DerivationOptions::Method;
  check(system);
  Equations result{.coordinates = system.coordinates,
                   .speeds = system.speeds,
                   .multipliers = make_multipliers(system),
                   .rates = system.rates,
                   .dynamics = {},
                   .constraints = {},
                   .velocity_constraints = {},
                   .extra = system.extra};
  Differentiator d_dt = differentiator(system);
  check_rates(system, &d_dt);
  for (const Constraint& c : system.constraints)
    result.constraints.push_back(in_speeds(c.expression, system));
  result.velocity_constraints = velocity_constraints(system, &d_dt);
  result.dynamics = options.method == Method::kMomentum
                        ? momentum_form(system, result)
                        : lagrangian_form(system, result, options.method == Method::kVakonomic);
  return result;
}

}  // namespace camber::lagrange
