#include "camber/run/run_options.h"

#include <cmath>

#include "camber/core/require.h"

namespace camber::run {

void check(const RunOptions& options) {
  constexpr double kMaxSamples = 1e8;  // more is a mistake
  const auto positive = [](double x, const char* what, const char* unit) {
    require(std::isfinite(x) && x > 0, "run: ", what, " must be > 0", unit, ", got ", x);
  };
  positive(options.duration, "duration", " s");
  positive(options.sample_interval, "sample interval", " s");
  if (has_fixed_steps(options.method)) {
    positive(options.step, "step", " s");
  } else {
    positive(options.tolerance, "tolerance", "");
  }
  const double samples = options.duration / options.sample_interval;
  require(samples <= kMaxSamples, "run: ", samples, " samples of ", options.sample_interval,
          " s, at most ", kMaxSamples);
}

long count_intervals(const RunOptions& options) {
  return static_cast<long>(std::ceil(options.duration / options.sample_interval * (1 - 1e-12)));
}

double sample_time(const RunOptions& options, long sample) {
  return sample == count_intervals(options) ? options.duration
                                            : static_cast<double>(sample) * options.sample_interval;
}

integrate::IntegratorOptions make_integrator_options(const RunOptions& options, const char* what) {
  const std::optional<integrate::Method> method = to_adaptive(options.method);
  require(method.has_value(), what, " runs by dopri, adams or bdf, not ", to_text(options.method));
  return {.method = *method,
          .relative_tolerance = options.tolerance,
          .absolute_tolerance = 0.01 * options.tolerance};
}

}  // namespace camber::run
