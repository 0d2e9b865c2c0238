#pragma once

#include "camber/integrate/integrator.h"
#include "camber/run/run_method.h"

namespace camber::run {

/// Options for running a model without a scenario.
struct RunOptions {
  double duration = 10;  // [s]
  RunMethod method = RunMethod::kRk4;
  double step = 0.001;            // [s] max of fixed steps; they are shortened to end at samples
  double tolerance = 1e-8;        // relative, of adaptive steps; the absolute one is a hundredth
  double sample_interval = 0.01;  // [s]
};

/// Throws std::invalid_argument with the option and its value if it cannot work.
void check(const RunOptions& options);

/// Time of a sample [s]: 0 is the start, the last one is at the duration.
double sample_time(const RunOptions& options, long sample);
/// Number of intervals between samples. The last one may be shorter, but not as short as a rounding
/// error.
long count_intervals(const RunOptions& options);

/// For an adaptive method. Throws std::invalid_argument if `what` ("a lagrangian model") is to run
/// with fixed steps.
integrate::IntegratorOptions make_integrator_options(const RunOptions& options, const char* what);

}  // namespace camber::run
