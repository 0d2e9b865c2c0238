#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/symbolic/engines.h"

namespace camber::bench {

/// What one engine measured at one problem.
struct Figures {
  explicit Figures(const nlohmann::json& json);

  std::string engine, version, problem;
  int n = 0;
  double build = 0, differentiate = 0, generate = 0;  // [s]
  long memory = 0;                                    // [kB]
  long operations = 0;
  long optimized_operations = 0;  // by SymPy's slower setting; 0 if there is none
  long nodes = 0;
  std::vector<double> values;
  nlohmann::json all;  // everything that the engine said

  double equations() const { return build + differentiate; }
};

/// Something that must hold between figures of one run.
struct Check {
  std::string name;
  double value = 0;
  double bar = 0;
  bool at_least = false;  // value >= bar; else value <= bar
  bool timed = false;     // depends on how busy the machine is
  bool holds() const { return at_least ? value >= bar : value <= bar; }
};

struct Comparison {
  std::string cpu;
  std::vector<Engine> engines;
  std::vector<Figures> figures;
  std::vector<Check> checks;
};

enum class Effort {
  kFull,   // all engines at all problems, medians of several repetitions
  kQuick,  // peers only at small problems, once: for tests, which look at values and counts but not
           // at times
};

/// The processor's name, as the system tells it.
std::string find_cpu();

/// Runs every engine at every problem, each in a process of its own, one after the other. Tells
/// progress on stderr.
Comparison compare_engines(const std::vector<Engine>& engines, Effort effort);

/// What the project promises, as far as the engines were there.
std::vector<Check> find_checks(const std::vector<Figures>& figures);

/// The slope of log(y) over log(x): 2 for a quadratic law. Both positive, at least two different x.
double growth_exponent(const std::vector<double>& x, const std::vector<double>& y);

/// max |a_i - b_i| / max(|a_i|, |b_i|, 1); infinite when the lengths differ or a value is not a
/// number.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace camber::bench
