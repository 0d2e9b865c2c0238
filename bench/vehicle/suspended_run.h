#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "camber/integrate/fixed_step.h"
#include "camber/multibody/dynamics.h"
#include "camber/vehicle/vehicle.h"

namespace camber::bench {

/// A vehicle on its springs and tires, disturbed at its wheels, through time with a fixed step.

/// An upward force [N] at a wheel: two sines per wheel, from rest.
double calc_disturbance(int wheel, double t);

/// One way to its motion.
struct SuspendedVehicle {
  std::string engine;  // "camber ce"
  int bodies = 0, coordinates = 0, constraints = 0;
  integrate::MechanicalSystem system;
  std::vector<double> q, v;  // to start from
  /// Position of the chassis and of the wheels' carriers in W.
  std::function<std::vector<double>(double t, const std::vector<double>& q,
                                    const std::vector<double>& v)>
      places;
  /// Largest errors of all constraints, of positions and of speeds.
  std::function<multibody::ConstraintErrors(double t, const std::vector<double>& q,
                                            const std::vector<double>& v)>
      errors;
};

struct SuspendedRunOptions {
  double step = 1e-3;        // [s] of Runge and Kutta's method of order 4
  double duration = 10;      // [s]
  double sample_step = 0.1;  // [s] of places
};

struct SuspendedRun {
  std::string engine;
  int bodies = 0, coordinates = 0, constraints = 0;
  double step = 0, duration = 0;               // [s]
  std::vector<double> rounds;                  // seconds of the processor, steps alone; one here
  std::int64_t evaluations = 0;                // right-hand sides
  double position_error = 0, speed_error = 0;  // largest at all samples
  std::vector<std::vector<double>> places;     // sample by sample
};

/// Throws std::runtime_error where it fails.
SuspendedRun run_suspended(const SuspendedVehicle& vehicle, const SuspendedRunOptions& options);

/// Largest difference of places [m].
double difference(const SuspendedRun& a, const SuspendedRun& b);

/// By a formulation of its mechanism; `ta` and `fa` keep their loops as `stabilization` says.
SuspendedVehicle make_suspended(const vehicle::Vehicle& vehicle, multibody::Formulation formulation,
                                const multibody::Stabilization& stabilization);

/// By generated code.
SuspendedVehicle make_generated_suspended(const vehicle::Vehicle& vehicle);

/// The first for any mechanism that has the four disturbances as its wrenches. `shown`: bodies
/// whose places count.
SuspendedVehicle make_suspended(const multibody::Mechanism& mechanism,
                                const std::vector<multibody::BodyIndex>& shown,
                                multibody::Formulation formulation,
                                const multibody::Stabilization& stabilization);

}  // namespace camber::bench
