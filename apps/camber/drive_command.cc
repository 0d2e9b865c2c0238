#include "apps/camber/drive_command.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>

#include <nlohmann/json.hpp>

#include "apps/camber/interrupt.h"
#include "apps/camber/progress_bar.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/json_file.h"
#include "camber/core/text.h"
#include "camber/live/live_run.h"
#include "camber/report/key_figure.h"
#include "camber/run/drive_run.h"
#include "camber/run/input_files.h"
#include "camber/run/real_time.h"
#include "camber/run/record_run.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxFileBytes = 64 << 20;

void print_figures(const std::vector<report::KeyFigure>& figures) {
  std::size_t width = 0;
  for (const report::KeyFigure& figure : figures) width = std::max(width, figure.name.size());
  for (const report::KeyFigure& figure : figures) {
    const bool has_value = std::isfinite(figure.value);
    std::string line = "  " + figure.name + std::string(width + 2 - figure.name.size(), ' ') +
                       (has_value ? short_text(figure.value, 4) : "has no value");
    if (has_value && figure.unit != "1") line += " " + figure.unit;
    const std::string bounds = bounds_text(figure);
    if (!bounds.empty()) line += ", " + bounds + ": " + (figure.passed ? "ok" : "FAILED");
    if (!(has_value && figure.passed) && !figure.source.empty()) line += " (" + figure.source + ")";
    std::cout << line << '\n';
  }
}

void print_text(const record::RunFolder& folder, const run::DriveRun& drive,
                const run::RunResult& result) {
  std::cout << drive.facts().name << ": " << short_text(result.time) << " s in "
            << result.statistics.steps << " steps, " << short_text(result.wall_time, 3)
            << " s on the clock, " << short_text((result.time - result.begin) / result.wall_time, 3)
            << " x real time\n";
  if (!result.stop.empty()) std::cout << "ended by " << result.stop << '\n';
  print_figures(drive.figures());
  std::cout << "report: " << folder.report_path() << '\n';
}

void restart(const DriveCommandOptions& command, const run::RunSource& source,
             const std::vector<run::HashedFile>& files, run::Simulation* simulation) {
  std::string path = command.restart;
  std::error_code problem;  // reading tells
  if (std::filesystem::is_directory(path, problem)) path += "/checkpoint.json";
  const run::SimulationState state = run::read_checkpoint(path, source, files);
  try {
    simulation->restore(state);
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(Position{.file = path}, error.what());
  }
}

/// A drive by hand that is repeated from what its folder recorded.
struct Repeat {
  Repeat(const std::string& inputs_folder, run::Simulation* simulation, run::DriveRun* drive)
      : folder(inputs_folder), inputs(inputs_folder), run(simulation, drive, &inputs) {}

  std::string folder;
  live::RecordedInputs inputs;
  live::RepeatedRun run;
};

/// Whether the drive has ended in the state in which it ended then; says so.
bool compare_hashes(const Repeat& repeat, const record::RunFolder& folder) {
  const auto read_hash = [](const std::string& path) {
    std::error_code problem;
    if (!std::filesystem::exists(path, problem)) return std::string();
    const Json summary = Json::parse(read_json_file(path, kMaxFileBytes), nullptr, false);
    return summary.is_object() ? summary.value("final_state_hash", "") : std::string();
  };
  const std::string before = read_hash(repeat.folder + "/summary.json");
  if (before.empty()) {
    std::cerr << "note: " << repeat.folder << " has no final state to compare with\n";
    return true;
  }
  const std::string now = read_hash(folder.summary_path());
  if (now == before) {
    std::cerr << "repeated to the bit: " << now << '\n';
    return true;
  }
  std::cerr << "camber: the repeated drive ends in another state than " << repeat.folder << ": "
            << now << " instead of " << before
            << "; it takes the same scenario, files, --set and program\n";
  return false;
}

}  // namespace

ExitCode run_scenario(const DriveCommandOptions& command,
                      const std::function<record::RunFolder()>& make_folder,
                      scenario::Scenario scenario) {
  if (command.duration) scenario.run.duration = *command.duration;
  const run::RunSource source{.model_file = command.file,
                              .model_text = scenario.source.text,
                              .program = "camber " CAMBER_VERSION,
                              .overrides = command.overrides};
  run::Simulation simulation(scenario::build_scenario(std::move(scenario)));
  std::vector<run::HashedFile> files;
  if (command.checkpoint_interval > 0 || !command.restart.empty())
    files = run::hash_files(simulation);
  if (!command.restart.empty()) restart(command, source, files, &simulation);
  run::check_log_size(simulation.duration(), simulation.scenario().run.sample_interval,
                      simulation.channels());
  const record::RunFolder folder = make_folder();
  run::copy_input_files(simulation, command.overrides, folder);
  run::DriveRun drive(&simulation, {.checkpoint_interval = command.checkpoint_interval,
                                    .checkpoint_path = folder.path() + "/checkpoint.json",
                                    .source = source,
                                    .files = files,
                                    .scan_folder = folder.path() + "/sensors"});
  std::optional<Repeat> repeat;
  if (!command.inputs.empty()) repeat.emplace(command.inputs, &simulation, &drive);
  run::Runnable* runnable = repeat ? static_cast<run::Runnable*>(&repeat->run) : &drive;
  const auto print_notes = [&](std::size_t from) {
    for (std::size_t i = from; i < drive.notes().size() && !command.json; ++i)
      std::cerr << "note: " << drive.notes()[i] << '\n';
  };
  const std::size_t notes = drive.notes().size();
  print_notes(0);
  const InterruptGuard interrupt;
  const double duration = simulation.duration();
  ProgressBar bar(duration);
  run::RealTimePacer pacer(simulation.time());
  const run::RunResult result = run::record_run(source, folder, runnable, {.go_on = [&](double t) {
                                                  bar.update(t);
                                                  if (command.real_time) pacer.wait_until(t);
                                                  return !InterruptGuard::requested();
                                                }});
  bar.clear();
  if (command.json) {
    Json summary = Json::parse(read_json_file(folder.summary_path(), kMaxFileBytes));
    summary["folder"] = folder.path();
    std::cout << summary.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    print_text(folder, drive, result);
    print_notes(notes);
  }
  for (const std::string& text : drive.unsound())
    std::cerr << "camber: the drive is unsound: " << text << '\n';
  const bool is_repeated = repeat && repeat->run.is_repeated();
  if (result.status == run::RunStatus::kStopped && !is_repeated)
    std::cerr << "camber: " << interrupted_text(InterruptGuard::signal(), result.time, duration)
              << "; the log holds what there is: " << folder.path() << '\n';
  if (result.status == run::RunStatus::kFailed)
    std::cerr << "camber: the drive failed: " << result.reason
              << (result.is_broken ? "\nThe log ends by t = " : "\nThe log ends at t = ")
              << short_text(result.time) << " s of " << short_text(duration)
              << " s: " << folder.path() << '\n';
  // A repetition is judged by its bits: hands meet the scenario's bounds or not, then as now.
  if (repeat && !InterruptGuard::requested()) {
    const bool is_sound = drive.unsound().empty() && result.status != run::RunStatus::kFailed;
    return compare_hashes(*repeat, folder) && is_sound ? kOk : kRunFailed;
  }
  return drive.has_passed() ? kOk : kRunFailed;
}

}  // namespace camber::app
