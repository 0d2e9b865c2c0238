// camber-bench-study: what a sample of a study costs on one core, and what workers add. Processor
// times of the fastest of several rounds; two workers against one by the clock. Exit status 0; 1 when
// a bar is missed; 2 on bad usage.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/program.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/temporary_folder.h"
#include "camber/run/simulation.h"
#include "camber/scenario/parts_cache.h"
#include "camber/study/check_study.h"
#include "camber/study/coordinator.h"
#include "camber/study/journal.h"
#include "camber/study/plan.h"

namespace camber::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Row {
  std::string name, unit;
  double value = 0;
  double bar = 0;
  bool is_max = true;  // the bar is a maximum
  bool is_met() const { return is_max ? value <= bar : value >= bar; }
};

struct Arguments {
  ProgramOptions program;
  std::string scenarios = CAMBER_SCENARIOS;
};

std::string write_study(const std::string& folder, const std::string& scenario, long samples,
                        bool has_mass) {
  std::string text =
      concat("kind = \"study\"\nname = \"bench\"\nscenario = \"", fs::absolute(scenario).string(),
             "\"\nseed = 1\n[[input]]\nname = \"speed\"\nkey = \"driver.speed.target\"\n",
             "distribution = { kind = \"uniform\", low = 18, high = 22 }\n");
  if (has_mass)
    text +=
        "[[input]]\nname = \"mass\"\nkey = \"vehicle:chassis.mass\"\n"
        "distribution = { kind = \"uniform\", low = 2000, high = 2150 }\n";
  const std::string path = concat(folder, "/", fs::path(scenario).stem().string(),
                                  has_mass ? "-mass" : "", "-", samples, ".toml");
  write_file_atomically(path, text + concat("[plan]\nkind = \"sobol\"\nsamples = ", samples, "\n"));
  return path;
}

/// Milliseconds to get a further sample ready.
double measure_setup(const study::Study& study, int rounds) {
  const study::Plan plan(&study);
  scenario::PartsCache cache;
  const auto load = [&](long k) {
    const study::Sample sample = plan.sample(k % plan.size());
    run::Simulation::load(study.scenario, assignments_of(study, sample.values, sample.drive_seed),
                          &cache);
  };
  load(0);
  double best = 1e300;
  for (int round = 1; round <= rounds; ++round) {
    const double start = cpu_seconds();
    load(round);
    best = std::min(best, cpu_seconds() - start);
  }
  return 1e3 * best;
}

struct Speed {
  double rate = 0;        // simulated seconds per second of the processor
  double per_sample = 0;  // [s]
};

/// Whole samples: set-up, drive, figures.
Speed measure_drives(const study::CheckedStudy& checked, int rounds) {
  const study::Plan plan(&checked.study);
  study::SampleDriver driver(&checked.study, &checked.facts);
  Speed best;
  long k = 0;
  for (int round = 0; round <= rounds; ++round) {
    std::vector<study::Sample> samples = {plan.sample(k++ % plan.size()),
                                          plan.sample(k++ % plan.size())};
    double simulated = 0;
    const double start = cpu_seconds();
    driver.drive(samples, {.ends = [&](const study::SampleResult& r) { simulated += r.time; }});
    const double seconds = cpu_seconds() - start;
    if (round == 0) continue;  // the first has the parts to make
    if (simulated / seconds > best.rate)
      best = {simulated / seconds, seconds / static_cast<double>(samples.size())};
  }
  return best;
}

/// Seconds of the processor that a journal takes per sample.
double measure_journal(const std::string& folder, const study::CheckedStudy& checked) {
  study::SampleResult result{.values = {20.123456789, 2011.3456}};
  result.figures.assign(checked.facts.figures.size(), 1.0 / 3);
  result.hash = "fnv1a64:0123456789abcdef";
  study::JournalWriter journal(folder, "bench", {});
  constexpr int kRecords = 2000;
  const double start = cpu_seconds();
  for (int i = 0; i < kRecords; ++i) {
    result.k = i;
    journal.begin(i);
    journal.append(result);
  }
  return (cpu_seconds() - start) / kRecords;
}

/// Seconds of the clock for a study on so many workers.
double measure_workers(const std::string& folder, const std::string& file, int workers) {
  const std::string path = concat(folder, "/workers-", workers);
  const study::StudyFolder made =
      study::StudyFolder::create(path, study::check_study(file), study::find_maker("bench"));
  const std::string program =
      (fs::read_symlink("/proc/self/exe").parent_path() / "camber").string();
  study::RunStudyOptions options;
  options.workers = workers;
  options.worker_command = {program, "study", "work", path, "--pipe"};
  options.maker = study::find_maker("bench");
  const double start = wall_seconds();
  const study::StudyOutcome outcome = run_study(made, options);
  require(outcome.end == study::StudyEnd::kComplete, "the study of ", workers,
          " workers did not end");
  return wall_seconds() - start;
}

std::vector<Row> measure(const Arguments& arguments) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  const int rounds = arguments.program.quick ? 1 : 7;
  const std::string lane_file =
      write_study(folder, arguments.scenarios + "/double-lane-change.toml", 16, false);
  const std::string mass_file =
      write_study(folder, arguments.scenarios + "/double-lane-change.toml", 16, true);
  const std::string step_file =
      write_study(folder, arguments.scenarios + "/step-steer.toml", 16, false);
  const study::CheckedStudy lane = study::check_study(lane_file),
                            mass = study::check_study(mass_file),
                            step = study::check_study(step_file);
  std::vector<Row> rows;
  rows.push_back({"set-up of a further sample, another speed", "ms",
                  measure_setup(lane.study, 5 * rounds), 1});
  rows.push_back(
      {"set-up of a further sample, another mass", "ms", measure_setup(mass.study, 5 * rounds), 1});
  const Speed lane_speed = measure_drives(lane, rounds),
              step_speed = measure_drives(step, 3 * rounds);
  rows.push_back({"lane change, scalar", "vehicle-s / core-s", lane_speed.rate, 230, false});
  rows.push_back({"step steer, scalar", "vehicle-s / core-s", step_speed.rate, 250, false});
  rows.push_back({"journal, of a step steer's time", "%",
                  100 * measure_journal(folder, step) / step_speed.per_sample, 1});
  if (!arguments.program.quick) {
    const std::string workers_file =
        write_study(folder, arguments.scenarios + "/step-steer.toml", 512, false);
    const double one = measure_workers(folder, workers_file, 1),
                 two = measure_workers(folder, workers_file, 2);
    rows.push_back({"two workers over one", "x", one / two, 1.9, false});
  }
  return rows;
}

int report(const Arguments& arguments) {
  const std::vector<Row> rows = measure(arguments);
  bool is_good = true;
  Json json = Json::array();
  for (const Row& row : rows) {
    is_good = is_good && row.is_met();
    json.push_back({{"name", row.name},
                    {"value", row.value},
                    {"unit", row.unit},
                    {row.is_max ? "at_most" : "at_least", row.bar},
                    {"met", row.is_met()}});
    if (!arguments.program.report.json)
      std::printf("%-44s %9.4g %-20s %s %g: %s\n", row.name.c_str(), row.value, row.unit.c_str(),
                  row.is_max ? "at most" : "at least", row.bar, row.is_met() ? "ok" : "MISSED");
  }
  if (arguments.program.report.json)
    std::cout << Json{{"suite", "study"}, {"rows", json}}.dump(2) << '\n';
  return is_good || arguments.program.quick ? 0 : 1;
}

}  // namespace
}  // namespace camber::bench

int main(int argc, char** argv) {
  using camber::bench::CommandLine;
  camber::bench::Arguments arguments;
  CommandLine line("What a sample of a study costs");
  line.add(&arguments.program, "One round, no workers; times decide nothing");
  line.add("--scenarios", &arguments.scenarios, "Folder of the scenarios",
           CommandLine::Check::kFolder);
  return line.run("camber-bench-study", argc, argv,
                  [&] { return camber::bench::report(arguments); });
}
