#include "apps/camber/drive_command.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

#include "apps/camber/interrupt.h"
#include "apps/camber/progress_bar.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/dynamics/driven_vehicle.h"
#include "camber/report/plot.h"
#include "camber/scenario/scenario_file.h"
#include "camber/sim/drive_record.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using report::short_text;
using sim::DriveVerdict, sim::RunStatus;

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
    if (!bounds.empty()) line += ", " + bounds + ": " + (figure.passed ? "ok" : "MISSED");
    if (!(has_value && figure.passed) && !figure.source.empty()) line += " (" + figure.source + ")";
    std::cout << line << '\n';
  }
}

void print_text(const record::RunFolder& folder, const sim::Drive& drive,
                const DriveVerdict& verdict) {
  const sim::DriveResult& result = verdict.result;
  std::cout << drive.scenario.name << ": " << short_text(result.time) << " s in "
            << result.statistics.steps << " steps, " << short_text(result.wall_time, 3)
            << " s on the clock, " << short_text((result.time - result.begin) / result.wall_time, 3)
            << " x real time\n";
  if (!result.stop.empty()) std::cout << "ended by " << result.stop << '\n';
  print_figures(verdict.figures);
  std::cout << "report: " << folder.report_path() << '\n';
}

void restart(const DriveCommandOptions& command, const sim::RunSource& source,
             const std::vector<sim::HashedFile>& files, sim::Drive* drive) {
  std::string path = command.restart;
  std::error_code problem;  // reading tells
  if (std::filesystem::is_directory(path, problem)) path += "/checkpoint.json";
  const sim::DriveCheckpoint checkpoint = read_checkpoint(path, source, files);
  try {
    restore(checkpoint, drive);
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(Position{.file = path}, error.what());
  }
}

}  // namespace

sim::Drive build_drive(const std::string& file, const std::string& text,
                       const std::vector<std::string>& overrides, scenario::Scenario scenario) {
  const auto place = [&](std::string_view key) {
    return scenario::find_place(text, file, overrides, key);
  };
  try {
    return sim::make_drive(std::move(scenario));
  } catch (const dynamics::StandError& error) {
    throw ModelFileError(place("vehicle.start"), error.what());
  } catch (const scenario::SettingError& error) {
    throw ModelFileError(place(error.key()), error.text());
  } catch (const std::invalid_argument& error) {
    throw ModelFileError(Position{.file = file}, error.what());
  }
}

ExitCode run_scenario(const DriveCommandOptions& command,
                      const std::function<record::RunFolder()>& make_folder,
                      const std::string& text, scenario::Scenario scenario) {
  if (command.duration) scenario.run.duration = *command.duration;
  sim::RunSource source{
      .model_file = command.file, .model_text = text, .program = "camber " CAMBER_VERSION};
  for (const std::string& assignment : command.overrides)
    source.model_text += "\n# --set " + assignment;
  sim::Drive drive = build_drive(command.file, text, command.overrides, std::move(scenario));
  std::vector<sim::HashedFile> files;
  if (command.checkpoint_interval > 0 || !command.restart.empty())
    files = sim::hash_files(drive.files);
  if (!command.restart.empty()) restart(command, source, files, &drive);
  const auto print_notes = [&](std::size_t from) {
    for (std::size_t i = from; i < drive.notes.size() && !command.json; ++i)
      std::cerr << "note: " << drive.notes[i] << '\n';
  };
  const record::RunFolder folder = make_folder();
  const std::size_t notes = drive.notes.size();
  print_notes(0);
  const InterruptGuard interrupt;
  ProgressBar bar(drive.scenario.run.duration);
  const DriveVerdict verdict = record_drive({.source = source,
                                             .overrides = command.overrides,
                                             .go_on =
                                                 [&](double t) {
                                                   bar.update(t);
                                                   return !InterruptGuard::requested();
                                                 },
                                             .checkpoint_interval = command.checkpoint_interval,
                                             .files = files},
                                            folder, &drive);
  bar.clear();
  if (command.json) {
    Json summary = Json::parse(read_file(folder.summary_path(), kMaxFileBytes));
    summary["folder"] = folder.path();
    std::cout << summary.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    print_text(folder, drive, verdict);
    print_notes(notes);
  }
  const sim::DriveResult& result = verdict.result;
  if (result.status == RunStatus::kStopped)
    std::cerr << "camber: "
              << interrupted_text(InterruptGuard::signal(), result.time,
                                  drive.scenario.run.duration)
              << "; the log holds what there is: " << folder.path() << '\n';
  if (result.status == RunStatus::kFailed)
    std::cerr << "camber: the drive failed: " << result.reason
              << (result.is_broken ? "\nThe log ends by t = " : "\nThe log ends at t = ")
              << short_text(result.time) << " s of " << short_text(drive.scenario.run.duration)
              << " s: " << folder.path() << '\n';
  return verdict.has_passed ? kOk : kRunFailed;
}

}  // namespace camber::app
