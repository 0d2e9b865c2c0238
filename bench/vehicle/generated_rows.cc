#include "bench/vehicle/generated_rows.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "bench/multibody/camber_rows.h"
#include "bench/peers/camber_order.h"
#include "bench/symbolic/measure.h"
#include "bench/vehicle/vehicle_problem.h"
#include "camber/core/require.h"
#include "camber/mechanism_code/compiled_vehicle.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"
#include "generated/vehicles.h"

namespace camber::bench {

namespace {

using generated_code::Lanes;

/// The peers' states, with the whole vehicle.
struct GeneratedProblem {
  MultibodyProblem linear, whole;
  mechanism_code::VehicleProgram program;
};

GeneratedProblem make_problem(const std::string& models, int states) {
  const auto vehicle = vehicle::load_vehicle(models + "/hmmwv.toml");
  GeneratedProblem problem{make_vehicle_problem(vehicle, states), {}, {}};
  problem.whole = problem.linear;
  problem.whole.name = "hmmwv_stops";
  problem.whole.mechanism = vehicle::expand(vehicle).mechanism;
  problem.whole.tree = find_spanning_tree(problem.whole.mechanism);
  problem.program = mechanism_code::generate(problem.whole.mechanism);
  return problem;
}

template <class T>
constexpr int kLaneCount = 1;
template <>
constexpr int kLaneCount<Lanes> = Lanes::kLanes;

double first_lane(double x) { return x; }
double first_lane(const Lanes& x) { return x.lane(0); }
void set_lane(int, double x, double* to) { *to = x; }
void set_lane(int lane, double x, Lanes* to) { to->set_lane(lane, x); }

template <class T, auto function>
class GeneratedRow {
 public:
  explicit GeneratedRow(const GeneratedProblem& problem)
      : v_places_(problem.program.v_places), a_(v_places_.size()) {
    const auto compiled = multibody::compile(problem.whole.mechanism);
    const CamberOrder order(problem.whole.tree, compiled);
    for (const double p : generated_code::hmmwv_parameters()) p_.push_back(T(p));
    const auto& states = problem.whole.states;
    for (std::size_t i = 0; i < states.size(); ++i) {
      q_.emplace_back(problem.program.q_places.size());
      v_.emplace_back(v_places_.size());
      for (int lane = 0; lane < kLaneCount<T>; ++lane) {
        const PeerState state = order.to_camber(states[(i + lane) % states.size()]);
        for (std::size_t k = 0; k < q_[i].size(); ++k)
          set_lane(lane, state.q[problem.program.q_places[k]], &q_[i][k]);
        for (std::size_t k = 0; k < v_[i].size(); ++k)
          set_lane(lane, state.v[v_places_[k]], &v_[i][k]);
      }
    }
  }

  void evaluate(int state) {
    if (function(p_.data(), q_[state].data(), v_[state].data(), a_.data()) != 0)
      throw std::runtime_error("the generated code has no value");
  }
  VectorX<double> accelerations() const {
    VectorX<double> a(static_cast<int>(a_.size()));
    for (std::size_t i = 0; i < a_.size(); ++i) a[static_cast<int>(i)] = first_lane(a_[i]);
    return a;
  }

 private:
  std::vector<int> v_places_;
  std::vector<T> p_, a_;
  std::vector<std::vector<T>> q_, v_;
};

template <class T, auto function>
Contestant make_row(const std::string& engine, const GeneratedProblem& problem) {
  const auto row = std::make_shared<GeneratedRow<T, function>>(problem);
  Contestant contestant;
  contestant.engine = engine;
  contestant.lanes = kLaneCount<T>;
  contestant.evaluate = [row](int state) { row->evaluate(state); };
  contestant.accelerations = [row] { return row->accelerations(); };
  return contestant;
}

// Largest difference over largest acceleration, of the independent speeds.
double calc_disagreement(const GeneratedProblem& problem, const Contestant& ce,
                         const Contestant& generated) {
  const auto compiled = multibody::compile(problem.whole.mechanism);
  const CamberOrder order(problem.whole.tree, compiled);
  double worst = 0;
  for (std::size_t i = 0; i < problem.whole.states.size(); ++i) {
    ce.evaluate(static_cast<int>(i));
    generated.evaluate(static_cast<int>(i));
    const VectorX<double> expected =
        order.to_camber({problem.whole.states[i].q, ce.accelerations()}).v;
    const VectorX<double> a = generated.accelerations();
    double difference = 0, largest = 0;
    for (int k = 0; k < a.size(); ++k) {
      const double e = expected[problem.program.v_places[k]];
      difference = std::max(difference, std::abs(a[k] - e));
      largest = std::max(largest, std::abs(e));
    }
    worst = std::max(worst, difference / largest);
  }
  return worst;
}

// Ten chains of multiplications with additions, more than both units and their latency need:
// operations per second of doubles one by one. They are variables of their own, and the statement
// after them needs each in a register, so that none is packed with another or goes to memory.
double measure_scalar_peak() {
  constexpr int kChains = 10, kSteps = 20000;
  double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, best = 0;
  const auto step = [](double x) { return __builtin_fma(x, 0.999999, 1e-6); };
  for (int round = 0; round < 50; ++round) {
    Stopwatch watch;
    for (int k = 0; k < kSteps; ++k) {
      a = step(a), b = step(b), c = step(c), d = step(d), e = step(e);
      f = step(f), g = step(g), h = step(h), i = step(i), j = step(j);
      asm volatile(""
                   : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f), "+x"(g), "+x"(h),
                     "+x"(i), "+x"(j));
    }
    best = std::max(best, 2.0 * kChains * kSteps / watch.lap());
  }
  return best;
}

constexpr auto kPairs = static_cast<int (*)(const double*, const double*, const double*, double*)>(
    generated_code::hmmwv);
constexpr auto kLanes =
    static_cast<int (*)(const Lanes*, const Lanes*, const Lanes*, Lanes*)>(generated_code::hmmwv);
constexpr auto kOneByOne = generated_code::hmmwv_one_by_one;

// The size of what runs in doubles; 0 if this program has no symbols.
std::size_t count_hot_bytes() {
  std::size_t bytes = 0;
  for (const std::vector<std::string>& parts :
       std::vector<std::vector<std::string>>{{"hmmwv_prologueIdEE"},
                                             {"hmmwv_epilogueIdEE"},
                                             {"hmmwv_kernel", "two_doubles"},
                                             {"hmmwv_motionIdLb1"},
                                             {"generated5hmmwvIdLb1"}})
    bytes += mechanism_code::count_code_bytes("/proc/self/exe", parts);
  return bytes;
}

}  // namespace

Contestant make_generated_contestant(const std::string& models, const std::string& row,
                                     int states) {
  const GeneratedProblem problem = make_problem(models, states);
  if (row == "generated") return make_row<double, kPairs>(row, problem);
  if (row == "generated-one-by-one") return make_row<double, kOneByOne>(row, problem);
  return make_row<Lanes, kLanes>(row, problem);
}

void add_generated_rows(const std::string& models, const RaceOptions& race_options, bool quick,
                        MultibodyComparison* comparison) {
  std::cerr << "hmmwv, generated\n";
  const GeneratedProblem problem = make_problem(models, race_options.states);
  std::vector<Contestant> contestants = {*make_camber_loops(problem.whole, "ce"),
                                         make_row<double, kPairs>("camber generated", problem),
                                         make_row<double, kOneByOne>("one corner a time", problem),
                                         make_row<Lanes, kLanes>("generated lanes", problem)};
  const auto add_check = [&](const std::string& name, double value, double bar, bool at_least,
                             bool timed) {
    comparison->checks.push_back({concat("generated hmmwv, ", name), value, bar, at_least, timed});
  };
  std::vector<double> disagreements = {-1};
  for (std::size_t i = 1; i < contestants.size(); ++i)
    disagreements.push_back(calc_disagreement(problem, contestants[0], contestants[i]));
  add_check("difference from ce", *std::max_element(disagreements.begin(), disagreements.end()),
            1e-10, false, false);
  const auto operations = static_cast<double>(problem.program.count().total());
  add_check("operations", operations, 10000, false, false);
  const auto bytes = static_cast<double>(count_hot_bytes());
  if (bytes > 0) add_check("bytes of code in doubles", bytes, 65536, false, false);

  if (auto mujoco = make_mujoco_contestant(problem.linear))
    contestants.push_back(std::move(*mujoco));
  const std::vector<Timing> timings = race(contestants, race_options);
  const int bodies = static_cast<int>(problem.whole.mechanism.bodies.size()) - 1;
  for (std::size_t i = 0; i < disagreements.size(); ++i) {
    comparison->figures.push_back({problem.whole.name, problem.whole.n, bodies,
                                   contestants[i].engine, contestants[i].lanes, timings[i],
                                   median_ratio(timings[i], timings[0]), disagreements[i]});
  }
  if (quick) return;
  if (timings.size() > 4)
    add_check("mujoco (without stops) / generated", median_ratio(timings[4], timings[1]), 30, true,
              true);
  add_check("ce / generated", median_ratio(timings[0], timings[1]), 3, true, true);
  // Per vehicle, against one number per operation; two corners in a register are lanes already.
  add_check("one corner a time / eight lanes", median_ratio(timings[2], timings[3]), 4, true, true);
  const double peak = measure_scalar_peak();
  comparison->figures.push_back({"peak_gflops",
                                 static_cast<int>(std::lround(peak * 1e-9)),
                                 bodies,
                                 "scalar arithmetic",
                                 1,
                                 {{}, operations / peak}});
  add_check("one corner a time, times the bound of operations over peak",
            timings[2].seconds * peak / operations, 3, false, true);
}

}  // namespace camber::bench
