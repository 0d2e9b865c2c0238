#include <charconv>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/drive_command.h"
#include "apps/camber/interrupt.h"
#include "apps/camber/model_run.h"
#include "apps/camber/progress_bar.h"
#include "camber/core/file.h"
#include "camber/core/json_file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/run/record_run.h"
#include "camber/scenario/scenario_file.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using run::RunResult;
using run::RunStatus;

constexpr std::size_t kMaxFileBytes = 64 << 20;

struct RunCommandOptions : RunChoices {
  std::string file;
  std::vector<std::string> overrides;
  std::string folder;
  bool json = false;
  // Scenarios only
  std::optional<double> checkpoint;  // [s]
  std::string restart;
  bool real_time = false;
  std::string inputs;
};

record::RunFolder make_folder(const RunCommandOptions& options) {
  if (!options.folder.empty()) return record::RunFolder::make_at(options.folder);
  return record::RunFolder::make_numbered("runs",
                                          std::filesystem::path(options.file).stem().string());
}

/// Runs, writes the folder and prints the outcome.
ExitCode record(const RunCommandOptions& command, const run::RunSource& source,
                run::Runnable* run) {
  const double duration = run->facts().duration;
  run::check_log_size(duration, run->facts().sample_interval, run->channels());
  const record::RunFolder folder = make_folder(command);
  const InterruptGuard interrupt;
  ProgressBar bar(duration);
  const RunResult result = run::record_run(source, folder, run, {.go_on = [&](double t) {
                                             bar.update(t);
                                             return !InterruptGuard::requested();
                                           }});
  bar.clear();
  if (command.json) {
    Json summary = Json::parse(read_json_file(folder.summary_path(), kMaxFileBytes));
    summary["folder"] = folder.path();
    std::cout << summary.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else if (result.status == RunStatus::kDone) {
    std::cout << folder.path() << '\n';
    for (const std::string& line : run->describe(result)) std::cout << line << '\n';
  }
  for (const std::string& warning : run->warnings()) std::cerr << "warning: " << warning << '\n';
  if (result.status == RunStatus::kDone) return kOk;
  if (result.status == RunStatus::kStopped) {
    std::cerr << "camber: " << interrupted_text(InterruptGuard::signal(), result.time, duration)
              << "; the log holds what there is: " << folder.path() << '\n';
  } else {
    std::cerr << "camber: the run failed: " << result.reason
              << "\nThe last good state, t = " << short_text(result.time)
              << " s, is in the log: " << folder.path() << '\n';
  }
  return kRunFailed;
}

/// Options that every kind has are keys of a scenario.
std::vector<std::string> list_overrides(const RunCommandOptions& command) {
  std::vector<std::string> overrides = command.overrides;
  const auto add_number = [&](const std::optional<double>& value, const char* option,
                              const std::string& key) {
    if (!value) return;
    check_positive(*value, option, " s");
    char text[32];
    const auto end = std::to_chars(std::begin(text), std::end(text), *value).ptr;
    overrides.push_back(key + "=" + std::string(std::begin(text), end));
  };
  const auto add_word = [&](const std::string& value, const std::string& key) {
    if (!value.empty()) overrides.push_back(key + "=" + value);
  };
  add_number(command.step, "--step", "run.step");
  add_number(command.sample, "--sample", "run.sample_interval");
  add_word(command.method, "run.method");
  add_word(command.formulation, "vehicle.formulation");
  return overrides;
}

/// A drive that is repeated has the duration and the assignments of then, unless others are given.
RunCommandOptions adopt_run(RunCommandOptions command) {
  const std::string path = command.inputs + "/summary.json";
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) return command;
  const Json summary = Json::parse(read_json_file(path, kMaxFileBytes), nullptr, false);
  if (!summary.is_object()) throw FileError(path, "it is not JSON");
  const auto duration = summary.find("duration");
  if (!command.duration && duration != summary.end() && duration->is_number())
    command.duration = duration->get<double>();
  const auto overrides = summary.find("overrides");
  if (command.overrides.empty() && overrides != summary.end() && overrides->is_array())
    for (const Json& assignment : *overrides)
      if (assignment.is_string()) command.overrides.push_back(assignment.get<std::string>());
  return command;
}

ExitCode run_drive(const RunCommandOptions& command, const ModelSource& model) {
  const auto refuse = [&](bool is_given, const char* option, const char* reason) {
    require(!is_given, option, ": ", command.file, " is a scenario: ", reason);
  };
  refuse(command.tolerance.has_value(), "--tolerance", "drives have fixed steps; give --step");
  refuse(command.standing, "--standing", "its vehicle is on its tires, on the scenario's ground");
  if (command.duration) check_positive(*command.duration, "--for", " s");
  if (command.checkpoint) check_positive(*command.checkpoint, "--checkpoint", " s");
  const std::vector<std::string> overrides = list_overrides(command);
  return run_scenario(
      {.file = command.file,
       .duration = command.duration,
       .overrides = overrides,
       .checkpoint_interval = command.checkpoint.value_or(0),
       .restart = command.restart,
       .real_time = command.real_time,
       .inputs = command.inputs,
       .json = command.json},
      [&] { return make_folder(command); },
      scenario::parse_scenario(model.text(), model.path(), Overrides(overrides)));
}

ExitCode run_model(const RunCommandOptions& command, ModelSource* model) {
  require(!command.checkpoint && command.restart.empty() && !command.real_time &&
              command.inputs.empty(),
          "--checkpoint, --restart, --real-time and --inputs are for scenarios, not for ",
          command.file);
  const ModelRun made = make_model_run(command, command.overrides, model);
  for (const std::string& note : made.notes) std::cerr << "note: " << note << '\n';
  return record(command, made.source, made.run.get());
}

ExitCode run_run(const RunCommandOptions& given) {
  const RunCommandOptions command = given.inputs.empty() ? given : adopt_run(given);
  require(command.inputs.empty() || command.restart.empty(),
          "--inputs: a drive is repeated from its start; leave --restart out");
  ModelSource model(command.file, Overrides(command.overrides));
  return model.kind() == "scenario" ? run_drive(command, model) : run_model(command, &model);
}

}  // namespace

void add_run_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command = app->add_subcommand(
      "run",
      "Simulate a scenario or a model; writes a folder with log.h5, summary.json and report.html");
  command
      ->add_option("FILE", options->file,
                   "A scenario, a mechanism, a vehicle, a lagrangian model or a rolling wheel "
                   "(TOML), a robot (URDF)")
      ->required();
  command->add_option("--for", options->duration,
                      "Simulated time [s]; scenarios, rolling wheels and models with "
                      "run.duration have their own");
  add_set_option(command, &options->overrides);
  command->add_option("-o,--output", options->folder,
                      "Folder of the run, new or empty; runs/NAME-001 and so on if not given");
  command->add_flag("--json", options->json, "Print the summary as JSON");
  command->add_option(
      "--formulation", options->formulation,
      "Equations of a mechanism: ce (independent coordinates; the default), ta "
      "(joint coordinates, loops cut), fa (poses of all bodies), uk (joint "
      "coordinates, generalized inverse; the default if a constraint relaxes), or "
      "generated (vehicles: straight-line code). In a scenario: vehicle.formulation");
  command->add_option("--method", options->method,
                      "Integrator. Fixed steps: rk4 (default of mechanisms), euler, midpoint; "
                      "adaptive steps: dopri (default of lagrangian models), adams, bdf. In a "
                      "scenario: run.method");
  command->add_option("--step", options->step,
                      "Max length of a fixed step [s], 0.001 if not given; steps are shortened to "
                      "end at samples. In a scenario: run.step");
  command->add_option(
      "--tolerance", options->tolerance,
      "Relative tolerance of adaptive steps; 1e-8 if not given, 1e-10 for a rolling "
      "wheel");
  command->add_option("--sample", options->sample,
                      "Time between samples in the log [s], 0.01 if not given. In a scenario: "
                      "run.sample_interval");
  command->add_option("--checkpoint", options->checkpoint,
                      "Scenarios only: write checkpoint.json every so many simulated seconds");
  command->add_option(
      "--restart", options->restart,
      "Scenarios only: continue from this checkpoint.json, or from the one in this folder");
  command->add_flag("--real-time", options->real_time,
                    "Scenarios only: run no faster than the clock");
  command->add_option(
      "--inputs", options->inputs,
      "Scenarios only: repeat the drive by hand of this folder (camber drive), to the "
      "bit, with its --for and --set unless others are given");
  command->add_flag("--standing", options->standing,
                    "Vehicles only: each wheel is on the vertical spring of its tire, which holds "
                    "it in both directions");
  add_former_option(command, "--stabilization", "run.stabilization");
  add_former_option(command, "--stabilization-rate", "run.stabilization_rate");
  add_former_option(command, "--law", "law");
  add_former_robot_options(command);
  command->footer(
      "Examples:\n"
      "  camber run scenarios/double-lane-change.toml\n"
      "  camber run scenarios/step-steer.toml --set vehicle.start.speed=25 --set "
      "ground.friction=0.5\n"
      "  camber run scenarios/teleoperation.toml --inputs runs/teleoperation-001\n"
      "  camber run models/four-bar.toml --for 10\n"
      "  camber run models/hmmwv.toml --standing --for 5\n"
      "  camber run models/hmmwv.toml --standing --for 5 --formulation generated\n"
      "  camber run models/stewart-platform.toml --for 2 --formulation fa -o platform\n"
      "  camber run models/motorcycle.toml --for 3\n"
      "  camber run scenarios/rolling-wheel-fig4.toml --set law=events\n"
      "  camber run models/robot-arm.urdf --for 5 --method dopri --tolerance 1e-10 --json\n"
      "  camber run models/robot-arm.urdf --for 5 --set robot.stop_stiffness=2000 --set "
      "robot.stop_damping=20\n"
      "  camber run models/robot-arm.urdf --for 2 --set joints.elbow.position_deg=30");
  command->callback([=] { *chosen = [=] { return run_run(*options); }; });
}

}  // namespace camber::app
