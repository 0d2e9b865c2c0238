#include "bench/wheel/work_precision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/core/require.h"

namespace camber::bench {
namespace {

using integrate::Method;
using rolling_wheel::WheelLaw;
using rolling_wheel::WheelRun;
using rolling_wheel::WheelRunOptions;
using rolling_wheel::WheelScenario;

constexpr double kGrid = 0.1;  // [s] where errors are taken

struct Contestant {
  WheelLaw law;
  Method method;
};
constexpr Contestant kContestants[] = {
    {WheelLaw::kRelaxed, Method::kBdf},
    {WheelLaw::kRelaxed, Method::kRungeKutta},
    {WheelLaw::kRelaxed, Method::kAdams},
    {WheelLaw::kRegularized, Method::kBdf},
    {WheelLaw::kRegularized, Method::kRungeKutta},
    {WheelLaw::kRegularized, Method::kAdams},
    {WheelLaw::kEvents, Method::kBdf},
    {WheelLaw::kEvents, Method::kRungeKutta},
    {WheelLaw::kEvents, Method::kAdams},
};

struct Point {
  double x, v;
};

std::vector<Point> run(const WheelScenario& scenario, const WheelFigures& f, double interval,
                       long* evaluations) {
  WheelRunOptions options{.law = f.law,
                          .integrator = {.method = f.method,
                                         .relative_tolerance = f.tolerance,
                                         .absolute_tolerance = f.absolute_tolerance,
                                         .max_steps = 150'000},
                          .sample_interval = interval,
                          .accounts = false};
  const WheelRun run = run_wheel(scenario, options);
  *evaluations = run.statistics.evaluations;
  std::vector<Point> points;
  points.reserve(run.samples.size());
  for (const auto& s : run.samples) points.push_back({s.distance, s.speed});
  return points;
}

class Sweep {
 public:
  Sweep(const WheelScenario& scenario, Effort effort) : scenario_(scenario), effort_(effort) {
    long evaluations = 0;
    exact_ = run(scenario_,
                 {.law = WheelLaw::kEvents,
                  .method = Method::kRungeKutta,
                  .tolerance = 1e-12,
                  .absolute_tolerance = 1e-14},
                 kGrid, &evaluations);
  }

  WheelFigures measure(WheelFigures f) {
    scenario_.wheel.slip_speed = f.slip_speed > 0 ? f.slip_speed : 1;
    // Without stops for its cost, then with them for its error.
    run(scenario_, f, scenario_.duration, &f.evaluations);
    long with_stops = 0;
    const std::vector<Point> points = run(scenario_, f, kGrid, &with_stops);
    f.error = points.size() == exact_.size() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size() && i < exact_.size(); ++i) {
      f.error = std::max(
          {f.error, std::abs(points[i].x - exact_[i].x), std::abs(points[i].v - exact_[i].v)});
    }
    return f;
  }

  void sweep(const Contestant& contestant, std::vector<WheelFigures>* figures) {
    const int step = effort_ == Effort::kQuick ? 2 : 1;
    for (int half_digits = 5; half_digits <= 17; half_digits += step) {
      for (const double ratio : {1.0, 0.1, 0.01}) {
        const double tolerance = std::pow(10, -0.5 * half_digits);
        for (const double slip_speed : slip_speeds(contestant)) {
          figures->push_back(measure({.law = contestant.law,
                                      .method = contestant.method,
                                      .tolerance = tolerance,
                                      .absolute_tolerance = tolerance * ratio,
                                      .slip_speed = slip_speed}));
        }
      }
    }
  }

 private:
  /// Explicit steps through regularized friction are as many as it is sharp: up to a limit.
  std::vector<double> slip_speeds(const Contestant& contestant) const {
    if (contestant.law == WheelLaw::kEvents) return {0};
    if (contestant.law == WheelLaw::kRegularized && contestant.method != Method::kBdf) {
      return effort_ == Effort::kQuick ? std::vector{0.3, 0.03} : std::vector{0.3, 0.03, 0.003};
    }
    return {1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6};
  }

  WheelScenario scenario_;
  Effort effort_;
  std::vector<Point> exact_;
};

WheelEnvelope make_envelope(const Contestant& contestant, const std::vector<double>& targets,
                            const std::vector<WheelFigures>& figures) {
  WheelEnvelope envelope{.law = contestant.law, .method = contestant.method, .evaluations = {}};
  for (const double target : targets) {
    long fewest = 0;
    for (const WheelFigures& f : figures) {
      if (f.law != contestant.law || f.method != contestant.method || f.error > target) continue;
      if (fewest == 0 || f.evaluations < fewest) fewest = f.evaluations;
    }
    envelope.evaluations.push_back(fewest);
  }
  return envelope;
}

const WheelEnvelope& find(const WheelComparison& comparison, WheelLaw law, Method method) {
  return *std::ranges::find_if(comparison.envelopes, [&](const WheelEnvelope& e) {
    return e.law == law && e.method == method;
  });
}

/// The fewest evaluations of a law under any method, for each target.
std::vector<long> best_of(const WheelComparison& comparison, WheelLaw law) {
  std::vector<long> best(comparison.targets.size(), 0);
  for (const WheelEnvelope& e : comparison.envelopes) {
    if (e.law != law) continue;
    for (std::size_t i = 0; i < best.size(); ++i) {
      const long n = e.evaluations[i];
      if (n > 0 && (best[i] == 0 || n < best[i])) best[i] = n;
    }
  }
  return best;
}

/// Geometric mean of the ratios over the targets: a single best run owes much to luck.
double mean_ratio(const std::vector<long>& a, const std::vector<long>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::log(static_cast<double>(a[i]) / static_cast<double>(b[i]));
  }
  return std::exp(sum / static_cast<double>(a.size()));
}

/// Relaxed by explicit steps at the finest target, over the most precise explicit run of
/// regularized friction, though that is not near the target.
double explicit_ratio(const WheelComparison& comparison) {
  const auto relaxed = find(comparison, WheelLaw::kRelaxed, Method::kRungeKutta).evaluations.back();
  const WheelFigures* best = nullptr;
  for (const WheelFigures& f : comparison.figures) {
    if (f.law != WheelLaw::kRegularized || f.method == Method::kBdf) continue;
    const bool is_better = best == nullptr || f.error < 0.99 * best->error ||
                           (f.error < 1.01 * best->error && f.evaluations < best->evaluations);
    if (is_better) best = &f;
  }
  require(best != nullptr, "there is no explicit run of regularized friction");
  return static_cast<double>(relaxed) / static_cast<double>(best->evaluations);
}

/// Most over fewest evaluations of the relaxed law while its sharpness grows ten-thousandfold.
double growth(Sweep* sweep, Method method) {
  long fewest = 0, most = 0;
  for (const double slip_speed : {0.1, 0.01, 1e-3, 1e-4, 1e-5}) {
    const WheelFigures f = sweep->measure({.law = WheelLaw::kRelaxed,
                                           .method = method,
                                           .tolerance = 1e-7,
                                           .absolute_tolerance = 1e-9,
                                           .slip_speed = slip_speed});
    if (fewest == 0 || f.evaluations < fewest) fewest = f.evaluations;
    most = std::max(most, f.evaluations);
  }
  return static_cast<double>(most) / static_cast<double>(fewest);
}

}  // namespace

const char* name_of(Method method) {
  switch (method) {
    case Method::kRungeKutta:
      return "dopri";
    case Method::kAdams:
      return "adams";
    case Method::kBdf:
      return "bdf";
  }
  return "";
}

WheelComparison compare_wheel_laws(const WheelScenario& scenario, Effort effort) {
  WheelComparison comparison;
  comparison.targets = {1e-3, 3e-4, 1e-4, 3e-5, 1e-5};
  Sweep sweep(scenario, effort);
  for (const Contestant& contestant : kContestants) {
    sweep.sweep(contestant, &comparison.figures);
    comparison.envelopes.push_back(
        make_envelope(contestant, comparison.targets, comparison.figures));
  }
  comparison.checks = {
      {"evaluations: relaxed / regularized at equal error, each by its best method",
       mean_ratio(best_of(comparison, WheelLaw::kRelaxed),
                  best_of(comparison, WheelLaw::kRegularized)),
       0.5},
      {"evaluations: the same, both by bdf",
       mean_ratio(find(comparison, WheelLaw::kRelaxed, Method::kBdf).evaluations,
                  find(comparison, WheelLaw::kRegularized, Method::kBdf).evaluations),
       0.5},
      {"evaluations, explicit: relaxed at 1e-5 / regularized at its best",
       explicit_ratio(comparison), 0.5},
      {"growth of relaxed from 0.1 to 1e-5 m/s, bdf", growth(&sweep, Method::kBdf), 1.3},
      {"growth of relaxed from 0.1 to 1e-5 m/s, adams", growth(&sweep, Method::kAdams), 1.3},
      {"growth of relaxed from 0.1 to 1e-5 m/s, dopri", growth(&sweep, Method::kRungeKutta), 1.3},
  };
  return comparison;
}

}  // namespace camber::bench
