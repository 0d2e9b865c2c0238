#include "bench/vehicle/suspended_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include "bench/symbolic/measure.h"
#include "camber/core/require.h"
#include "camber/dynamics/standing_vehicle.h"
#include "camber/multibody/linearize.h"
#include "camber/run/mechanical_system.h"
#include "camber/vehicle/expand.h"

namespace camber::bench {
namespace {

using multibody::BodyIndex, multibody::Formulation, multibody::MechanismDynamics,
    multibody::Mechanism, multibody::Stabilization;

// Where it stands at rest, as where to start from.
void start_at_rest(Mechanism* mechanism) {
  const MechanismDynamics ce(*mechanism);
  VectorX<double> q = ce.initial_q();
  require(find_equilibrium(ce.tree(), ce.partition(), &q).found, "vehicle \"", mechanism->name,
          "\" does not stand");
  for (std::size_t j = 0; j < mechanism->joints.size(); ++j) {
    const auto& place = ce.tree().joints[j];
    if (!place.in_tree) continue;
    const int n = position_count(mechanism->joints[j].type);
    mechanism->joints[j].q0.assign(q.data() + place.q_start, q.data() + place.q_start + n);
  }
}

std::vector<double> to_vector(const VectorX<double>& x) { return {x.data(), x.data() + x.size()}; }

multibody::Observation observe(MechanismDynamics* dynamics, double t, const std::vector<double>& q,
                               const std::vector<double>& v) {
  multibody::Observation seen;
  if (!dynamics->observe(t, q, v, &seen)) throw std::runtime_error(dynamics->why());
  return seen;
}

std::vector<double> places_of(const multibody::Observation& seen,
                              const std::vector<BodyIndex>& shown) {
  std::vector<double> places;
  for (const BodyIndex body : shown) {
    const auto pose = seen.poses.begin() + std::ptrdiff_t{7} * (body.value - 1);
    places.insert(places.end(), pose, pose + 3);
  }
  return places;
}

std::vector<BodyIndex> shown_bodies(const vehicle::VehicleMechanism& vehicle) {
  std::vector<BodyIndex> shown = {vehicle.chassis};
  for (const vehicle::Corner& corner : vehicle.corners) shown.push_back(corner.carrier);
  return shown;
}

}  // namespace

double calc_disturbance(int wheel, double t) {
  struct Sine {
    double force, frequency;  // [N], [Hz]
  };
  static constexpr std::array<std::array<Sine, 2>, 4> kSines = {{{{{4200, 1.3}, {900, 7.1}}},
                                                                 {{{-2700, 1.7}, {1100, 8.3}}},
                                                                 {{{4800, 0.9}, {-1200, 9.7}}},
                                                                 {{{3300, 2.3}, {800, 6.1}}}}};
  double force = 0;
  for (const Sine& sine : kSines[wheel])
    force += sine.force * std::sin(2 * std::numbers::pi * sine.frequency * t);
  return force;
}

SuspendedRun run_suspended(const SuspendedVehicle& vehicle, const SuspendedRunOptions& options) {
  SuspendedRun run;
  run.engine = vehicle.engine;
  run.bodies = vehicle.bodies;
  run.coordinates = vehicle.coordinates;
  run.constraints = vehicle.constraints;
  run.step = options.step;
  run.duration = options.duration;
  run.rounds = {0.0};
  integrate::FixedStepper stepper(vehicle.system);
  std::vector<double> q = vehicle.q, v = vehicle.v;
  const auto steps = std::lround(options.duration / options.step),
             per_sample = std::lround(options.sample_step / options.step);
  for (long i = 0; i <= steps; i += per_sample) {
    const double t = static_cast<double>(i) * options.step;
    run.places.push_back(vehicle.places(t, q, v));
    const multibody::ConstraintErrors errors = vehicle.errors(t, q, v);
    run.position_error = std::max(run.position_error, errors.position);
    run.speed_error = std::max(run.speed_error, errors.speed);
    Stopwatch watch;
    for (long k = i; k < std::min(i + per_sample, steps); ++k) {
      const auto result = stepper.step(static_cast<double>(k) * options.step, options.step, q, v);
      if (!result.ok()) throw std::runtime_error(vehicle.engine + ": " + result.text);
    }
    run.rounds[0] += watch.lap();
  }
  run.evaluations = stepper.statistics().evaluations;
  return run;
}

double difference(const SuspendedRun& a, const SuspendedRun& b) {
  require(a.places.size() == b.places.size(), "difference: ", a.places.size(), " samples and ",
          b.places.size());
  double most = 0;
  for (std::size_t i = 0; i < a.places.size(); ++i) {
    for (std::size_t k = 0; k < a.places[i].size(); ++k)
      most = std::max(most, std::abs(a.places[i][k] - b.places[i][k]));
  }
  return most;
}

SuspendedVehicle make_suspended(const Mechanism& mechanism, const std::vector<BodyIndex>& shown,
                                Formulation formulation, const Stabilization& stabilization) {
  Mechanism standing = mechanism;
  start_at_rest(&standing);
  const auto dynamics = std::make_shared<MechanismDynamics>(standing, formulation, stabilization);
  SuspendedVehicle vehicle;
  vehicle.engine = std::string("camber ") + to_text(formulation);
  vehicle.bodies = static_cast<int>(mechanism.bodies.size()) - 1;
  vehicle.coordinates = dynamics->coordinate_count();
  vehicle.constraints = dynamics->constraint_count();
  vehicle.q = to_vector(dynamics->initial_q());
  vehicle.v = to_vector(dynamics->initial_v());
  vehicle.system = run::make_mechanical_system(dynamics.get());
  const auto disturb = [dynamics](double t) {
    for (int wheel = 0; wheel < 4; ++wheel)
      dynamics->set_wrench(wheel, {0, 0, calc_disturbance(wheel, t)});
  };
  vehicle.system.accelerations = [dynamics, disturb](double t, std::span<const double> q,
                                                     std::span<const double> v,
                                                     std::span<double> v_dot) {
    disturb(t);
    return dynamics->calc_accelerations(t, q, v, v_dot);
  };
  vehicle.places = [dynamics, shown](double t, const std::vector<double>& q,
                                     const std::vector<double>& v) {
    return places_of(observe(dynamics.get(), t, q, v), shown);
  };
  vehicle.errors = [dynamics](double t, const std::vector<double>& q,
                              const std::vector<double>& v) -> multibody::ConstraintErrors {
    const multibody::Observation seen = observe(dynamics.get(), t, q, v);
    return {seen.position_error, seen.speed_error};
  };
  return vehicle;
}

SuspendedVehicle make_suspended(const vehicle::Vehicle& vehicle, Formulation formulation,
                                const Stabilization& stabilization) {
  vehicle::VehicleMechanism standing = vehicle::expand(vehicle, {.is_standing = true});
  for (const vehicle::Corner& corner : standing.corners)
    standing.mechanism.wrenches.push_back(
        {"push_" + corner.name, corner.carrier, corner.points.wheel});
  return make_suspended(standing.mechanism, shown_bodies(standing), formulation, stabilization);
}

SuspendedVehicle make_generated_suspended(const vehicle::Vehicle& vehicle) {
  vehicle::VehicleMechanism standing = vehicle::expand(vehicle, {.is_standing = true});
  start_at_rest(&standing.mechanism);
  // What it looks like comes from the tree, whose loops are closed for it.
  const auto tree = std::make_shared<MechanismDynamics>(standing.mechanism);
  const auto generated = std::make_shared<dynamics::StandingVehicle>(standing);
  const dynamics::GeneratedChassis& chassis = generated->chassis();
  SuspendedVehicle result;
  result.engine = "camber generated";
  result.bodies = static_cast<int>(standing.mechanism.bodies.size()) - 1;
  result.coordinates = chassis.nv();
  result.q.assign(chassis.initial_q().begin(), chassis.initial_q().end());
  result.v.assign(chassis.initial_v().begin(), chassis.initial_v().end());
  result.system = generated->make_system();
  result.system.accelerations = [generated](double t, std::span<const double> q,
                                            std::span<const double> v, std::span<double> v_dot) {
    for (int wheel = 0; wheel < 4; ++wheel) generated->push(wheel, calc_disturbance(wheel, t));
    return generated->calc_accelerations(t, q, v, v_dot);
  };
  const auto see = [tree, generated](double t, const std::vector<double>& q,
                                     const std::vector<double>& v) {
    std::vector<double> tree_q(static_cast<std::size_t>(tree->nq())),
        tree_v(static_cast<std::size_t>(tree->nv()));
    generated->chassis().to_tree(q, v, tree_q, tree_v);
    return observe(tree.get(), t, tree_q, tree_v);
  };
  result.places = [see, shown = shown_bodies(standing)](double t, const std::vector<double>& q,
                                                        const std::vector<double>& v) {
    return places_of(see(t, q, v), shown);
  };
  result.errors = [see](double t, const std::vector<double>& q,
                        const std::vector<double>& v) -> multibody::ConstraintErrors {
    const multibody::Observation seen = see(t, q, v);
    return {seen.position_error, seen.speed_error};
  };
  return result;
}

}  // namespace camber::bench
