#include "camber/lagrange/simulate.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "camber/core/require.h"

namespace camber::lagrange {

const Channel& SimulatedMotion::channel(std::string_view name) const {
  const auto found = std::ranges::find(channels, name, &Channel::name);
  if (found == channels.end()) {
    std::vector<std::string> names;
    for (const Channel& c : channels) names.push_back(c.name);
    require(false, "SimulatedMotion: no channel \"", name, "\"; there are ", list_names(names));
  }
  return *found;
}

SimulatedMotion simulate(const LagrangianModel& model, const SampleTimes& times,
                         const MotionOptions& options) {
  require(times.duration > 0 && std::isfinite(times.duration),
          "simulate: duration must be > 0 s, got ", times.duration);
  require(times.sample_step > 0, "simulate: sample_step must be > 0 s, got ", times.sample_step);
  Motion motion(model, options);
  SimulatedMotion run;
  for (const Quantity& quantity : motion.quantities()) run.channels.push_back({quantity, {}});
  const auto sample = [&] {
    run.times.push_back(motion.time());
    const std::span<const double> values = motion.sample();
    for (std::size_t i = 0; i < values.size(); ++i) run.channels[i].values.push_back(values[i]);
    return !times.go_on || times.go_on(motion.time());
  };
  // The last step may be shorter, but not as short as a rounding error.
  const double steps = std::ceil(times.duration / times.sample_step * (1 - 1e-12));
  bool goes_on = sample();
  for (double k = 1; k <= steps && goes_on; ++k) {
    run.result = motion.advance_to(std::min(k * times.sample_step, times.duration));
    goes_on = run.result.ok() && sample() && run.result.status == integrate::Status::kDone;
  }
  run.statistics = motion.statistics();
  return run;
}

}  // namespace camber::lagrange
