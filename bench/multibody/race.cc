#include <algorithm>
#include <cmath>

#include "bench/multibody/contestant.h"
#include "bench/symbolic/measure.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

double time_batch(const Contestant& contestant, int evaluations, int states) {
  Stopwatch watch;
  for (int i = 0, state = 0; i < evaluations; ++i) {
    contestant.evaluate(state);
    if (++state == states) state = 0;
  }
  return watch.lap();
}

// Evaluations that take about the batch's time; warms caches and pages on the way.
int find_batch(const Contestant& contestant, const RaceOptions& options) {
  int evaluations = options.states;
  for (;;) {
    const double seconds = time_batch(contestant, evaluations, options.states);
    if (seconds >= 0.5 * options.batch_seconds) {
      const double wanted = evaluations * options.batch_seconds / seconds;
      return std::max(1, static_cast<int>(std::lround(wanted)));
    }
    evaluations *= 2;
  }
}

}  // namespace

std::vector<Timing> race(const std::vector<Contestant>& contestants, const RaceOptions& options) {
  const std::size_t n = contestants.size();
  std::vector<Timing> timings(n);
  std::vector<int> batches;
  for (const Contestant& contestant : contestants)
    batches.push_back(find_batch(contestant, options));
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = (i + static_cast<std::size_t>(round)) % n;
      const Contestant& contestant = contestants[at];
      const double seconds = time_batch(contestant, batches[at], options.states);
      timings[at].rounds.push_back(seconds / batches[at] / contestant.lanes);
    }
  }
  for (Timing& timing : timings) timing.seconds = median(timing.rounds);
  return timings;
}

double median_ratio(const Timing& a, const Timing& b) {
  require(a.rounds.size() == b.rounds.size(), "median_ratio: ", a.rounds.size(), " rounds and ",
          b.rounds.size(), " are not of one race");
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.rounds.size(); ++i) ratios.push_back(a.rounds[i] / b.rounds[i]);
  return median(ratios);
}

}  // namespace camber::bench
