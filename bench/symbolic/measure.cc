#include "bench/symbolic/measure.h"

#include <algorithm>
#include <fstream>
#include <time.h>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"

namespace camber::bench {
namespace {

// A line of /proc/self/status such as "VmHWM:  5120 kB". getrusage() would count the parent's
// memory in: its peak survives exec.
long status_kb(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key + ":")) return std::stol(line.substr(key.size() + 1));
  }
  return 0;
}

double median_of(const std::vector<Phases>& all, double Phases::*phase) {
  std::vector<double> values;
  values.reserve(all.size());
  for (const Phases& phases : all) values.push_back(phases.*phase);
  return median(std::move(values));
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double Stopwatch::now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double Stopwatch::lap() {
  const double before = start_;
  start_ = now();
  return start_ - before;
}

nlohmann::json measure(const Problem& problem, const std::string& engine,
                       const std::string& version, const Derivation& derive) {
  const long resident_before = status_kb("VmRSS");
  std::vector<Phases> all(problem.repetitions);
  derive(problem, "_0", &all[0], nullptr);
  const long peak = status_kb("VmHWM");
  for (int i = 1; i < problem.repetitions; ++i) derive(problem, concat("_", i), &all[i], nullptr);

  Outcome outcome;
  Phases untimed;
  derive(problem, "", &untimed, &outcome);
  const Operations& count = outcome.operations;
  return {{"engine", engine},
          {"version", version},
          {"problem", problem.name},
          {"n", problem.n},
          {"repetitions", problem.repetitions},
          {"build_s", median_of(all, &Phases::build)},
          {"differentiate_s", median_of(all, &Phases::differentiate)},
          {"generate_s", median_of(all, &Phases::generate)},
          {"first_build_s", all[0].build},
          {"first_differentiate_s", all[0].differentiate},
          {"first_generate_s", all[0].generate},
          {"memory_kb", std::max(0L, peak - resident_before)},
          {"operations",
           {{"add", count.add},
            {"multiply", count.multiply},
            {"divide", count.divide},
            {"negate", count.negate},
            {"power", count.power},
            {"function", count.function},
            {"total", count.total()}}},
          {"nodes", outcome.nodes},
          {"code_bytes", outcome.code_bytes},
          {"values", outcome.values}};
}

}  // namespace camber::bench
