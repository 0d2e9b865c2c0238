// How long it takes to get a drive ready: files, parts, world, driver. A PartsCache lets further runs
// share the parts that the first run loaded.

#include <algorithm>
#include <functional>

#include "bench/drive/drive_rows.h"
#include "bench/symbolic/measure.h"
#include "camber/core/require.h"
#include "camber/run/simulation.h"

namespace camber::bench {

std::vector<SetupRow> measure_setups(const std::string& folder, Effort effort) {
  const std::string path = folder + "/double-lane-change.toml";
  const int rounds = effort == Effort::kQuick ? 1 : 50;
  struct Kind {
    const char* name;
    double bar;                                              // [s]
    std::function<std::vector<std::string>(int)> overrides;  // for round k
    bool shares_parts;
  };
  const std::vector<Kind> kinds = {
      {"first run", 25e-3, [](int) { return std::vector<std::string>{}; }, false},
      {"same values", 1e-3, [](int) { return std::vector<std::string>{}; }, true},
      {"another mass", 1e-3,
       [](int k) { return std::vector{concat("vehicle:chassis.mass=", 2080.5 + k)}; }, true},
      {"another spring rate", 1e-3,
       [](int k) {
         return std::vector{concat("vehicle:axles.front.spring.stiffness=", 160250.5 + 10 * k)};
       },
       true}};
  scenario::PartsCache cache;
  run::Simulation::load(path, {}, &cache);
  std::vector<SetupRow> rows;
  for (const Kind& kind : kinds) rows.push_back({.name = kind.name, .bar = kind.bar});
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const std::vector<std::string> overrides = kinds[i].overrides(round);
      Stopwatch watch;
      const run::Simulation simulation =
          run::Simulation::load(path, overrides, kinds[i].shares_parts ? &cache : nullptr);
      const double seconds = watch.lap();
      rows[i].seconds = round == 0 ? seconds : std::min(rows[i].seconds, seconds);
    }
  }
  return rows;
}

}  // namespace camber::bench
