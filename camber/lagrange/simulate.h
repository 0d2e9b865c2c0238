#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "camber/integrate/integrator.h"
#include "camber/lagrange/motion.h"

namespace camber::lagrange {

/// When samples are taken.
struct SampleTimes {
  double duration = 10;       // [s] from time 0
  double sample_step = 0.01;  // [s] between samples; the integrator chooses its own steps
  /// Called after each sample; returning false ends the run.
  std::function<bool(double time)> go_on = {};
};

/// One quantity over time.
struct Channel : Quantity {
  std::vector<double> values;  // one per time
};

struct SimulatedMotion {
  std::vector<double> times;      // [s]
  std::vector<Channel> channels;  // in the order of Quantity::Kind, then of the model
  integrate::StepResult result;   // why it ended
  integrate::Statistics statistics;

  /// Throws std::invalid_argument that lists the names when there is no such channel.
  const Channel& channel(std::string_view name) const;
};

/// The motion of a model in memory, at equal steps. Throws as Motion does; a failure on the way is
/// reported in SimulatedMotion::result, with the samples up to then.
SimulatedMotion simulate(const LagrangianModel& model, const SampleTimes& times = {},
                         const MotionOptions& options = {});

}  // namespace camber::lagrange
