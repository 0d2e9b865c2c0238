#include "bench/symbolic/comparison.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>

#include "camber/core/require.h"

namespace camber::bench {
namespace {

constexpr int kSmallestPendulum = 2, kLargestPendulum = 12;
constexpr int kChainJoints = 6;
constexpr double kAgreement =
    1e-9;  // relative; all engines compute in doubles, in different orders

// Operations of the chain's equations that SymEngine's common sub-expressions leave (measured
// elsewhere: Debian has no SymEngine).
constexpr double kSymEngineOperations = 2595;
constexpr double kTimesFasterThanGinac = 10, kTimesFasterThanSympy = 1000;
constexpr double kLargestGrowth = 2;

bool is_camber(const std::string& engine) { return engine.starts_with("camber"); }

int find_repetitions(const Engine& engine, const Problem& problem, Effort effort) {
  if (effort == Effort::kQuick) return 1;
  if (is_camber(engine.name)) return 15;
  if (engine.name == "ginac") return 5;
  return problem.name == "chain" ? 3 : 1;  // SymPy takes seconds
}

bool is_for(const Engine& engine, const Problem& problem, Effort effort) {
  if (engine.name == "camber by partials") return problem.name == "chain";
  return is_camber(engine.name) || effort == Effort::kFull || problem.name != "pendulum" ||
         problem.n <= 4;
}

std::vector<Problem> make_problems(Effort effort) {
  std::vector<Problem> problems;
  for (int n = kSmallestPendulum; n <= kLargestPendulum; ++n) problems.push_back(make_pendulum(n));
  problems.push_back(effort == Effort::kFull ? make_random(50, 50) : make_random(10, 30));
  problems.push_back(make_chain(kChainJoints));
  for (Problem& problem : problems) problem.thorough = effort == Effort::kFull;
  return problems;
}

const Figures* find(const std::vector<Figures>& figures, const std::string& engine,
                    const std::string& problem, int n) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figures& f) {
    return f.engine == engine && f.problem == problem && f.n == n;
  });
  return found == figures.end() ? nullptr : &*found;
}

std::string title(const Figures& f) { return f.problem + " " + std::to_string(f.n); }

void add_agreement(const std::vector<Figures>& figures, std::vector<Check>* checks) {
  for (const Figures& f : figures) {
    const Figures* camber = find(figures, "camber", f.problem, f.n);
    if (camber == nullptr || camber == &f) continue;
    checks->push_back({.name = title(f) + ": values of " + f.engine + " differ from camber's by",
                       .value = largest_difference(camber->values, f.values),
                       .bar = kAgreement});
  }
}

void add_chain_checks(const std::vector<Figures>& figures, std::vector<Check>* checks) {
  const Figures* camber = find(figures, "camber", "chain", kChainJoints);
  if (camber == nullptr) return;
  const auto add_fewer = [&](const std::string& than, double bar) {
    checks->push_back({.name = title(*camber) + ": operations, fewer than " + than + "'s",
                       .value = static_cast<double>(camber->operations),
                       .bar = bar - 1});
  };
  add_fewer("SymEngine", kSymEngineOperations);
  for (const auto& [engine, bar] :
       {std::pair("ginac", kTimesFasterThanGinac), {"sympy", kTimesFasterThanSympy}}) {
    const Figures* peer = find(figures, engine, "chain", kChainJoints);
    if (peer == nullptr) continue;
    add_fewer(engine, static_cast<double>(peer->operations));
    if (peer->optimized_operations > 0) {
      add_fewer(std::string("optimized ") + engine,
                static_cast<double>(peer->optimized_operations));
    }
    checks->push_back(
        {.name = title(*camber) + ": equations of motion, times faster than " + engine,
         .value = peer->equations() / camber->equations(),
         .bar = bar,
         .at_least = true,
         .timed = true});
  }
}

void add_growth_checks(const std::vector<Figures>& figures, std::vector<Check>* checks) {
  std::vector<double> n, operations, nodes, seconds;
  for (const Figures& f : figures) {
    if (f.engine != "camber" || f.problem != "pendulum") continue;
    n.push_back(f.n);
    operations.push_back(static_cast<double>(f.operations));
    nodes.push_back(static_cast<double>(f.nodes));
    seconds.push_back(f.equations() + f.generate);
  }
  if (n.size() < 2) return;
  const auto add = [&](const std::string& what, const std::vector<double>& y, bool timed) {
    checks->push_back({.name = "pendulum: exponent of the growth of " + what,
                       .value = growth_exponent(n, y),
                       .bar = kLargestGrowth,
                       .timed = timed});
  };
  add("operations", operations, false);
  add("nodes", nodes, false);
  add("time", seconds, true);
}

}  // namespace

Figures::Figures(const nlohmann::json& json)
    : engine(json.at("engine")),
      version(json.at("version")),
      problem(json.at("problem")),
      n(json.at("n")),
      build(json.at("build_s")),
      differentiate(json.at("differentiate_s")),
      generate(json.at("generate_s")),
      memory(json.at("memory_kb")),
      operations(json.at("operations").at("total")),
      nodes(json.at("nodes")),
      values(json.at("values").get<std::vector<double>>()),
      all(json) {
  if (json.contains("operations_optimized"))
    optimized_operations = json["operations_optimized"].at("total");
}

std::string find_cpu() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

Comparison compare_engines(const std::vector<Engine>& engines, Effort effort) {
  Comparison comparison;
  comparison.cpu = find_cpu();
  comparison.engines = engines;
  for (Problem& problem : make_problems(effort)) {
    for (const Engine& engine : engines) {
      if (engine.command.empty() || !is_for(engine, problem, effort)) continue;
      std::cerr << problem.name << ' ' << problem.n << ": " << engine.name << '\n';
      problem.repetitions = find_repetitions(engine, problem, effort);
      comparison.figures.emplace_back(run_engine(engine, problem));
    }
  }
  comparison.checks = find_checks(comparison.figures);
  return comparison;
}

std::vector<Check> find_checks(const std::vector<Figures>& figures) {
  std::vector<Check> checks;
  add_agreement(figures, &checks);
  add_chain_checks(figures, &checks);
  add_growth_checks(figures, &checks);
  return checks;
}

double growth_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  require(x.size() == y.size() && x.size() >= 2, "growth_exponent: needs two points or more, got ",
          x.size(), " x and ", y.size(), " y");
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    require(x[i] > 0 && y[i] > 0, "growth_exponent: values must be > 0, got ", x[i], " and ", y[i]);
    const double u = std::log(x[i]), v = std::log(y[i]);
    sum_x += u;
    sum_y += v;
    sum_xx += u * u;
    sum_xy += u * v;
  }
  const auto n = static_cast<double>(x.size());
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference =
        std::abs(a[i] - b[i]) / std::max({std::abs(a[i]), std::abs(b[i]), 1.0});
    if (!(difference <= largest))
      largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  }
  return largest;
}

}  // namespace camber::bench
