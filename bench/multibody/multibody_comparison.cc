#include "bench/multibody/multibody_comparison.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>

#include "bench/multibody/camber_rows.h"
#include "bench/multibody/problems.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

// Where the ratios are taken, and what they have to be.
constexpr int kRatioBodies = 60, kRatioLoops = 16;
constexpr int kFlatFrom = 60;  // bodies from which the time per body must not change
constexpr int kLinearFrom =
    4;  // loops from which the growth is looked at; one has nothing above it

// Relative to the largest acceleration: those at the foot of a long chain are small differences of
// large forces.
double difference(const VectorX<double>& a, const VectorX<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  const double largest = (a - b).lpNorm<Eigen::Infinity>() / (1 + a.lpNorm<Eigen::Infinity>());
  return std::isnan(largest) ? std::numeric_limits<double>::infinity() : largest;
}

bool is_camber(const std::string& engine) { return engine.starts_with("camber"); }

// Difference of each engine from the first, over all states.
std::vector<double> check_values(const MultibodyProblem& problem,
                                 const std::vector<Contestant>& contestants, int states,
                                 std::vector<Check>* checks) {
  std::vector<double> disagreements(contestants.size(), 0.0);
  disagreements[0] = -1;
  for (int state = 0; state < states; ++state) {
    VectorX<double> first;
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const Contestant& c = contestants[i];
      (c.evaluate_exactly ? c.evaluate_exactly : c.evaluate)(state);
      if (i == 0) {
        first = c.accelerations();
      } else {
        disagreements[i] = std::max(disagreements[i], difference(first, c.accelerations()));
      }
    }
  }
  for (std::size_t i = 1; i < contestants.size(); ++i) {
    checks->push_back({concat("values: ", problem.name, " ", problem.n, ", ", contestants[0].engine,
                              " and ", contestants[i].engine),
                       disagreements[i], 1e-9, false, false});
  }
  return disagreements;
}

class Suite {
 public:
  explicit Suite(Effort effort)
      : quick_(effort == Effort::kQuick),
        race_(race_options(effort)),
        comparison_(start_comparison()) {}

  MultibodyComparison run() {
    run_growth("chain", make_chain_problem);
    run_growth("tree", make_tree_problem);
    run_ratios(make_chain_problem(kRatioBodies, race_.states));
    run_ratios(make_tree_problem(kRatioBodies, race_.states));
    for (const int loops : quick_ ? std::vector{1, 2, 4} : std::vector{1, 2, 4, 8, 16, 32, 64})
      run_ladder(loops);
    if (!quick_) {
      for (const char* problem : {"chain", "tree"}) {
        add_flatness(problem);
        add_ratios(problem);
      }
      add_lanes("tree");
      add_ladder_checks();
    }
    return std::move(comparison_);
  }

 private:
  void add(std::optional<Contestant> contestant, const std::string& name) {
    if (contestant) {
      contestants_.push_back(std::move(*contestant));
      return;
    }
    auto& missing = comparison_.missing;
    if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
  }

  // All sizes in one race, so that their times per body compare.
  void run_growth(const std::string& name, MultibodyProblem (*make)(int, int)) {
    std::cerr << name << ": growth\n";
    std::vector<MultibodyProblem> problems;
    const std::vector<int> sizes =
        quick_ ? std::vector{15, 30} : std::vector{15, 30, 60, 120, 240, 480, 960};
    for (const int n : sizes) {
      problems.push_back(make(n, race_.states));
      add(make_camber_tree(problems.back()), "camber");
    }
    const std::vector<Contestant> contestants = std::exchange(contestants_, {});
    if (contestants.size() != problems.size()) return;
    const std::vector<Timing> timings = race(contestants, race_);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      comparison_.figures.push_back(
          {name + " growth", problems[i].n, problems[i].n, contestants[i].engine, 1, timings[i]});
    }
  }

  void run_ratios(const MultibodyProblem& problem) {
    add(make_camber_tree(problem), "camber");
    add(make_camber_lanes(problem), "camber lanes");
    add_peers(problem);
    race_on(problem);
  }

  void run_ladder(int loops) {
    const MultibodyProblem problem = make_ladder_problem(loops, race_.states);
    for (const char* formulation : {"ce", "ta", "fa"})
      add(make_camber_loops(problem, formulation), concat("camber ", formulation));
    add_peers(problem);
    race_on(problem);
  }

  void add_peers(const MultibodyProblem& problem) {
    std::cerr << problem.name << ' ' << problem.n << '\n';
    // A missing peer is named once, by its version.
    for (auto make : {make_mujoco_contestant, make_simbody_contestant})
      if (auto contestant = make(problem)) contestants_.push_back(std::move(*contestant));
  }

  void race_on(const MultibodyProblem& problem) {
    run_race(problem, std::exchange(contestants_, {}), race_, &comparison_);
  }

  const MultibodyFigures* find(const std::string& problem, int n, const std::string& engine) const {
    for (const MultibodyFigures& f : comparison_.figures)
      if (f.problem == problem && f.n == n && f.engine == engine) return &f;
    return nullptr;
  }

  void add_bar(const std::string& name, double value, double bar, bool at_least) {
    comparison_.checks.push_back({name, value, bar, at_least, true});
  }

  void add_flatness(const std::string& problem) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const MultibodyFigures& f : comparison_.figures) {
      if (f.problem != problem + " growth" || f.n < kFlatFrom) continue;
      const double per_body = f.timing.seconds / f.bodies;
      least = std::min(least, per_body);
      most = std::max(most, per_body);
    }
    if (most > 0) {
      add_bar(concat("time per body, ", problem, " from ", kFlatFrom, " bodies up, most / least"),
              most / least, 1.2, false);
    }
  }

  void add_ratio(const std::string& problem, int n, const std::string& camber,
                 const std::string& peer, double bar) {
    const MultibodyFigures *a = find(problem, n, peer), *b = find(problem, n, camber);
    if (a == nullptr || b == nullptr) return;
    add_bar(concat(problem, " ", n, ", ", peer, " / ", camber), median_ratio(a->timing, b->timing),
            bar, true);
  }

  void add_ratios(const std::string& problem) {
    add_ratio(problem, kRatioBodies, "camber", "mujoco", problem == "chain" ? 7 : 4);
    add_ratio(problem, kRatioBodies, "camber", "simbody", 10);
  }

  void add_lanes(const std::string& problem) {
    for (const auto& [engine, bar] : {std::pair{"camber 8 lanes", 4.0}, {"camber 4 lanes", 2.5}}) {
      const MultibodyFigures *a = find(problem, kRatioBodies, "camber"),
                             *b = find(problem, kRatioBodies, engine);
      if (a == nullptr || b == nullptr) continue;
      add_bar(concat(problem, " ", kRatioBodies, ", throughput of ", engine, " / scalar"),
              median_ratio(a->timing, b->timing), bar, true);
    }
  }

  void add_ladder_checks() {
    add_ratio("ladder", kRatioLoops, "camber ce", "mujoco", 4);
    add_ratio("ladder", kRatioLoops, "camber ce", "simbody", 30);
    std::vector<double> loops, seconds;
    for (const MultibodyFigures& f : comparison_.figures) {
      if (f.problem != "ladder" || f.engine != "camber ce" || f.n < kLinearFrom) continue;
      loops.push_back(f.n);
      seconds.push_back(f.timing.seconds);
    }
    if (loops.size() >= 2) {
      add_bar(concat("growth exponent of camber ce, ladder from ", kLinearFrom, " loops up"),
              growth_exponent(loops, seconds), 1.1, false);
    }
  }

  bool quick_;
  RaceOptions race_;
  std::vector<Contestant> contestants_;
  MultibodyComparison comparison_;
};

}  // namespace

MultibodyComparison start_comparison() {
  MultibodyComparison comparison;
  comparison.cpu = find_cpu();
  comparison.peers = find_peer_versions();
  for (const PeerVersion& peer : comparison.peers)
    if (peer.version.empty()) comparison.missing.push_back(peer.engine);
  return comparison;
}

RaceOptions race_options(Effort effort) {
  if (effort == Effort::kQuick) return {.rounds = 1, .batch_seconds = 1e-5, .states = 2};
  return {};
}

void run_race(const MultibodyProblem& problem, const std::vector<Contestant>& contestants,
              const RaceOptions& options, MultibodyComparison* comparison) {
  if (contestants.empty()) return;
  const std::vector<double> disagreements =
      check_values(problem, contestants, options.states, &comparison->checks);
  const std::vector<Timing> timings = race(contestants, options);
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    MultibodyFigures figures;
    figures.problem = problem.name;
    figures.n = problem.n;
    figures.bodies = static_cast<int>(problem.mechanism.bodies.size()) - 1;
    figures.engine = contestants[i].engine;
    figures.lanes = contestants[i].lanes;
    figures.timing = timings[i];
    figures.disagreement = disagreements[i];
    if (is_camber(contestants[0].engine))
      figures.times_camber = median_ratio(timings[i], timings[0]);
    comparison->figures.push_back(figures);
  }
}

MultibodyComparison compare_multibody(Effort effort) { return Suite(effort).run(); }

}  // namespace camber::bench
