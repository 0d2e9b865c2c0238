#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/drive_command.h"
#include "apps/camber/interrupt.h"
#include "apps/camber/model_source.h"
#include "apps/camber/progress_bar.h"
#include "apps/camber/urdf_choice.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/dynamics/standing_vehicle.h"
#include "camber/multibody/relaxed_dynamics.h"
#include "camber/report/plot.h"
#include "camber/sim/lagrangian_record.h"
#include "camber/sim/mechanism_record.h"
#include "camber/sim/rolling_wheel_record.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using multibody::Formulation;
using multibody::MechanismDynamics;
using multibody::Stabilization;
using report::short_text;
using sim::RunResult;
using sim::RunStatus;

constexpr const char* kGenerated = "generated";
constexpr double kStep = 0.001, kSample = 0.01;  // if not given [s]
constexpr std::size_t kMaxFileBytes = 64 << 20;

struct RunCommandOptions {
  std::string file;
  std::optional<double> duration;
  bool standing = false;
  UrdfChoice urdf;
  std::string law;                     // empty: the file's
  std::string formulation;             // empty: ce
  std::string method;                  // empty: rk4, dopri for a lagrangian model
  std::optional<double> step, sample;  // [s]
  std::optional<double> tolerance;
  std::string stabilization;
  double stabilization_rate = 20;
  std::string folder;
  bool json = false;
  std::vector<std::string> overrides;
  // Scenarios only
  double checkpoint = 0;
  std::string restart;
  bool real_time = false;
};

/// Where constraints relax there is one formulation that can do it.
Formulation parse_formulation(const std::string& text, const multibody::Mechanism& mechanism) {
  if (text.empty()) return has_relaxation(mechanism) ? Formulation::kUk : Formulation::kCe;
  for (const Formulation f :
       {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
    if (text == to_text(f)) return f;
  }
  require(text != kGenerated, "--formulation: ", kGenerated, " is for vehicles");
  throw std::invalid_argument(
      concat("--formulation: \"", text, "\" is not one of ce, ta, fa, uk, ", kGenerated));
}

std::optional<Stabilization> parse_stabilization(const RunCommandOptions& options) {
  const std::string& text = options.stabilization;
  if (text.empty()) return {};
  using Kind = Stabilization::Kind;
  if (text == "projection") return Stabilization{Kind::kProjection};
  if (text == "baumgarte") return Stabilization{Kind::kBaumgarte, options.stabilization_rate};
  if (text == "none") return Stabilization{Kind::kNone};
  throw std::invalid_argument(
      concat("--stabilization: \"", text, "\" is not one of projection, baumgarte, none"));
}

void check_positive(double x, const char* option, const char* unit) {
  require(x > 0 && x <= 1e300, option, ": must be > 0", unit, ", got ", x);
}

sim::RunOptions parse_run_options(const RunCommandOptions& options, sim::RunMethod usual) {
  const std::optional<sim::RunMethod> method =
      options.method.empty() ? usual : sim::find_run_method(options.method);
  require(method.has_value(), "--method: \"", options.method,
          "\" is not one of rk4, euler, midpoint, dopri, adams, bdf");
  require(options.duration.has_value(), "--for: a model does not say how long; give --for SECONDS");
  require(options.law.empty(), "--law is for scenarios of kind \"rolling_wheel\"");
  check_positive(*options.duration, "--for", " s");
  check_positive(options.step.value_or(kStep), "--step", " s");
  check_positive(options.sample.value_or(kSample), "--sample", " s");
  check_positive(options.tolerance.value_or(1e-8), "--tolerance", "");
  check_positive(options.stabilization_rate, "--stabilization-rate", " 1/s");
  return {.duration = *options.duration,
          .method = *method,
          .step = options.step.value_or(kStep),
          .tolerance = options.tolerance.value_or(1e-8),
          .sample_interval = options.sample.value_or(kSample)};
}

record::RunFolder make_folder(const RunCommandOptions& options) {
  if (!options.folder.empty()) return record::RunFolder::make_at(options.folder);
  return record::RunFolder::make_numbered("runs",
                                          std::filesystem::path(options.file).stem().string());
}

std::string plural(long n, const std::string& one, const std::string& many) {
  return concat(n, " ", n == 1 ? one : many);
}

void print_text(const record::RunFolder& folder, const std::string& formulation,
                const sim::RunOptions& options, const MechanismDynamics& dynamics,
                const RunResult& result) {
  std::cout << folder.path() << '\n'
            << dynamics.tree().mechanism.name << ", " << formulation << ": "
            << plural(dynamics.mobility().degrees_of_freedom, "degree", "degrees")
            << " of freedom, " << plural(dynamics.coordinate_count(), "coordinate", "coordinates")
            << ", " << plural(dynamics.constraint_count(), "constraint", "constraints") << '\n'
            << short_text(result.time) << " s in "
            << plural(result.statistics.steps, "step", "steps") << " of " << to_text(options.method)
            << ", " << short_text(result.wall_time, 3) << " s on the clock, "
            << short_text(result.time / result.wall_time, 3) << " x real time\n"
            << "largest constraint errors: position " << short_text(result.position_error, 2)
            << ", speed " << short_text(result.speed_error, 2) << '\n';
  if (sim::is_conservative(dynamics)) {
    std::cout << "energy drift: " << short_text(result.energy_drift, 3) << " J; largest kinetic "
              << "energy " << short_text(result.energy_scale, 3) << " J\n";
  }
}

void print_warnings(const sim::RunOptions& options, const MechanismDynamics& dynamics,
                    const RunResult& result) {
  for (const std::string& warning : find_warnings(options, dynamics, result))
    std::cerr << "warning: " << warning << '\n';
}

/// What the summary says, and how the run ended.
ExitCode finish(const RunCommandOptions& command, const record::RunFolder& folder,
                const RunResult& result, double duration, int signal) {
  if (command.json) {
    Json summary = Json::parse(read_file(folder.summary_path(), kMaxFileBytes));
    summary["folder"] = folder.path();
    std::cout << summary.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  }
  switch (result.status) {
    case RunStatus::kDone:
      return kOk;
    case RunStatus::kStopped:
      std::cerr << "camber: " << interrupted_text(signal, result.time, duration)
                << "; the log holds what there is: " << folder.path() << '\n';
      break;
    case RunStatus::kFailed:
      std::cerr << "camber: the run failed: " << result.reason
                << "\nThe last good state, t = " << short_text(result.time)
                << " s, is in the log: " << folder.path() << '\n';
      break;
  }
  return kRunFailed;
}

/// Calls `run` with an observer that shows the progress and sees Ctrl-C.
template <class Run>
RunResult run_watched(double duration, const Run& run) {
  ProgressBar bar(duration);
  return run(sim::RunObserver{.go_on = [&](double t) {
    bar.update(t);
    return !InterruptGuard::requested();
  }});
}

ExitCode run_lagrangian(const RunCommandOptions& command, const sim::RunSource& source,
                        const lagrange::LagrangianModel& model) {
  const sim::RunOptions options = parse_run_options(command, sim::RunMethod::kDopri);
  require(command.formulation.empty() && command.stabilization.empty(), command.file,
          " is a lagrangian model: --formulation and --stabilization are for mechanisms");
  require(!command.step, "--step: ", command.file,
          " is a lagrangian model, whose steps follow --tolerance");
  require(!sim::has_fixed_steps(options.method), "--method: a lagrangian model runs by dopri, ",
          "adams or bdf, not ", to_text(options.method));
  lagrange::check_dynamics(model);
  const record::RunFolder folder = make_folder(command);
  const InterruptGuard interrupt;
  const RunResult result = run_watched(options.duration, [&](const sim::RunObserver& observer) {
    return record_lagrangian_run(source, options, folder, model, observer);
  });
  if (!command.json && result.status == RunStatus::kDone) {
    std::cout << folder.path() << '\n'
              << model.system.name << ": " << short_text(result.time) << " s in "
              << plural(result.statistics.steps, "step", "steps") << " of "
              << to_text(options.method) << ", " << short_text(result.wall_time, 3)
              << " s on the clock\nlargest constraint error: "
              << short_text(result.position_error, 2) << '\n';
  }
  return finish(command, folder, result, options.duration, InterruptGuard::signal());
}

ExitCode run_mechanism(const RunCommandOptions& command, const ModelSource& model,
                       const sim::RunSource& source, const multibody::Mechanism& mechanism) {
  const Formulation formulation = parse_formulation(command.formulation, mechanism);
  sim::RunOptions options = parse_run_options(command, sim::RunMethod::kRk4);
  require(command.stabilization.empty() || formulation != Formulation::kCe,
          "--stabilization: ce has no loops that could open; it is for ta, fa and uk");
  const Stabilization stabilization =
      choose_stabilization(options.method, formulation, parse_stabilization(command));
  if (stabilization.kind == Stabilization::Kind::kNone)  // to see how they open is what it is for
    options.max_position_error = std::numeric_limits<double>::infinity();
  MechanismDynamics dynamics = make_dynamics(model, mechanism, formulation, stabilization);
  require(dynamics.nv() > 0, command.file, ": no joint of \"", mechanism.name, "\" can move");
  const record::RunFolder folder = make_folder(command);
  const InterruptGuard interrupt;
  const RunResult result = run_watched(options.duration, [&](const sim::RunObserver& observer) {
    return record_mechanism_run(source, options, stabilization, folder, &dynamics, observer);
  });
  if (!command.json && result.status == RunStatus::kDone)
    print_text(folder, to_text(formulation), options, dynamics, result);
  print_warnings(options, dynamics, result);
  return finish(command, folder, result, options.duration, InterruptGuard::signal());
}

/// Steps by generated code; what is in the files is seen by `ce`.
ExitCode run_generated(const RunCommandOptions& command, const ModelSource& model,
                       sim::RunSource source, const vehicle::VehicleMechanism& vehicle) {
  const sim::RunOptions options = parse_run_options(command, sim::RunMethod::kRk4);
  require(command.stabilization.empty(), "--stabilization: generated code has no loops to keep");
  source.formulation = kGenerated;
  MechanismDynamics dynamics = make_dynamics(model, vehicle.mechanism, Formulation::kCe);
  dynamics::StandingVehicle generated(vehicle);
  const dynamics::GeneratedChassis& chassis = generated.chassis();
  const sim::SteppedState state{
      .system = generated.make_system(),
      .q = {chassis.initial_q().begin(), chassis.initial_q().end()},
      .v = {chassis.initial_v().begin(), chassis.initial_v().end()},
      .to_seen = [&](std::span<const double> q, std::span<const double> v, std::span<double> seen_q,
                     std::span<double> seen_v) { chassis.to_tree(q, v, seen_q, seen_v); }};
  const record::RunFolder folder = make_folder(command);
  const InterruptGuard interrupt;
  const RunResult result = run_watched(options.duration, [&](const sim::RunObserver& observer) {
    return record_mechanism_run(source, options, {}, folder, &dynamics, observer, &state);
  });
  if (!command.json && result.status == RunStatus::kDone)
    print_text(folder, source.formulation, options, dynamics, result);
  print_warnings(options, dynamics, result);
  return finish(command, folder, result, options.duration, InterruptGuard::signal());
}

rolling_wheel::WheelRunOptions parse_wheel_options(const RunCommandOptions& command,
                                                   const rolling_wheel::WheelScenario& scenario) {
  require(command.formulation.empty() && command.stabilization.empty(), command.file,
          " is a rolling wheel: --formulation and --stabilization are for mechanisms");
  require(!command.step, "--step: ", command.file,
          " is a rolling wheel, whose steps follow --tolerance");
  rolling_wheel::WheelRunOptions options{.law = scenario.law};
  if (!command.law.empty()) {
    const auto law = rolling_wheel::find_wheel_law(command.law);
    require(law.has_value(), "--law: \"", command.law,
            "\" is not one of relaxed, events, regularized, printed");
    options.law = *law;
  }
  const double tolerance = command.tolerance.value_or(1e-10);
  check_positive(tolerance, "--tolerance", "");
  check_positive(command.sample.value_or(kSample), "--sample", " s");
  options.integrator = rolling_wheel::choose_integrator(options.law, tolerance);
  using integrate::Method;
  if (!command.method.empty()) {
    const bool is_known =
        command.method == "dopri" || command.method == "adams" || command.method == "bdf";
    require(is_known, "--method: a rolling wheel runs by dopri, adams or bdf, not ",
            command.method);
    options.integrator.method = command.method == "dopri"   ? Method::kRungeKutta
                                : command.method == "adams" ? Method::kAdams
                                                            : Method::kBdf;
  }
  options.sample_interval = command.sample.value_or(kSample);
  return options;
}

ExitCode run_wheel(const RunCommandOptions& command, const sim::RunSource& source,
                   rolling_wheel::WheelScenario scenario) {
  if (command.duration) {
    check_positive(*command.duration, "--for", " s");
    scenario.duration = *command.duration;
  }
  rolling_wheel::WheelRunOptions options = parse_wheel_options(command, scenario);
  const record::RunFolder folder = make_folder(command);
  const InterruptGuard interrupt;
  rolling_wheel::WheelRun run;
  const RunResult result = run_watched(scenario.duration, [&](const sim::RunObserver& observer) {
    options.go_on = observer.go_on;
    return record_wheel_run(source, scenario, options, folder, &run);
  });
  if (!command.json && result.status == RunStatus::kDone) {
    std::cout << folder.path() << '\n'
              << scenario.name << ", " << to_text(options.law) << ": " << short_text(result.time)
              << " s in " << plural(result.statistics.steps, "step", "steps") << ", "
              << short_text(result.wall_time, 3)
              << " s on the clock\nat the end: " << short_text(run.samples.back().speed)
              << " m/s, rim " << short_text(run.samples.back().rim_speed) << " m/s, "
              << short_text(run.samples.back().distance) << " m\n";
    for (const rolling_wheel::SlipSpan& span : run.slips) {
      std::cout << "slips from " << short_text(span.begin) << " to " << short_text(span.end)
                << " s\n";
    }
    if (run.stop) {
      std::cout << "stops " << short_text(run.stop->time, 5) << " s and "
                << short_text(run.stop->distance, 5)
                << " m after t = " << short_text(*scenario.brake_from) << " s\n";
    }
    std::cout << "energy not accounted for: " << short_text(run.energy_error, 2)
              << " of the largest\n";
  }
  return finish(command, folder, result, scenario.duration, InterruptGuard::signal());
}

ExitCode run_drive(const RunCommandOptions& command, ModelSource* model) {
  require(command.formulation.empty() && command.method.empty() && command.stabilization.empty() &&
              command.law.empty() && !command.tolerance,
          command.file,
          " is a scenario: set vehicle.formulation, run.method and run.step in it or ", "by --set");
  const auto refuse = [&](bool is_given, const char* option, const char* instead) {
    require(!is_given, option, ": ", command.file, " is a scenario: ", instead);
  };
  refuse(command.step.has_value(), "--step", "set run.step in it, or --set run.step=0.001");
  refuse(command.sample.has_value(), "--sample",
         "set run.sample_interval in it, or --set run.sample_interval=0.01");
  refuse(command.standing, "--standing",
         "its vehicle stands on its tires, on the scenario's ground");
  if (command.duration) check_positive(*command.duration, "--for", " s");
  require(command.checkpoint >= 0 && command.checkpoint < 1e300,
          "--checkpoint: must be >= 0 s, got ", command.checkpoint);
  scenario::Scenario scenario = model->read_scenario();
  return run_scenario(
      {.file = command.file,
       .duration = command.duration,
       .overrides = command.overrides,
       .checkpoint_interval = command.checkpoint,
       .restart = command.restart,
       .real_time = command.real_time,
       .json = command.json},
      [&] { return make_folder(command); }, std::move(scenario));
}

ExitCode run_run(const RunCommandOptions& command) {
  ModelSource model(command.file, Overrides(command.overrides));
  if (model.kind() == "scenario") return run_drive(command, &model);
  require(command.checkpoint == 0 && command.restart.empty(),
          "--checkpoint and --restart are for scenarios, not for ", command.file);
  const bool is_lagrangian = model.kind() == "lagrangian";
  const bool is_wheel = model.kind() == "rolling_wheel";
  if (!is_lagrangian && !is_wheel && !model.is_mechanism()) {
    throw ModelFileError(
        Position{.file = command.file},
        concat(model.kind().empty() ? "has no kind" : concat("is of kind \"", model.kind(), "\""),
               "; camber run simulates files of kind \"scenario\", \"mechanism\", \"vehicle\", "
               "\"lagrangian\" and \"rolling_wheel\", and robots in URDF"));
  }
  sim::RunSource source{
      .model_file = command.file, .model_text = model.text(), .program = "camber " CAMBER_VERSION};
  for (const std::string& assignment : command.overrides)
    source.model_text += "\n# --set " + assignment;
  require(model.is_vehicle() || !command.standing, "--standing is for vehicles, not for ",
          command.file);
  const multibody::UrdfOptions urdf = command.urdf.check(command.file, model.is_urdf());
  if (is_wheel) return run_wheel(command, source, model.read_wheel());
  if (is_lagrangian) return run_lagrangian(command, source, model.read_lagrangian());
  if (model.is_vehicle() && !command.standing) std::cerr << "note: " << kFallsNote << '\n';
  if (model.is_vehicle() && command.formulation == kGenerated) {
    if (!command.standing) model.check_generated();
    return run_generated(command, model, source, model.read_vehicle_mechanism(command.standing));
  }
  const multibody::Mechanism mechanism = model.read_mechanism(command.standing, urdf);
  const std::string note = model.is_urdf() ? describe_loose_limits(mechanism) : "";
  if (!note.empty()) std::cerr << "note: " << note << '\n';
  return run_mechanism(command, model, source, mechanism);
}

}  // namespace

void add_run_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command = app->add_subcommand(
      "run", "Simulate a model; writes a folder with log.h5, summary.json and report.html");
  command
      ->add_option("FILE", options->file,
                   "A scenario, a mechanism, a vehicle, a lagrangian model or a rolling wheel "
                   "(TOML), a robot (URDF)")
      ->required();
  command->add_option("--for", options->duration, "Simulated time [s]; a scenario brings its own");
  command->add_flag("--standing", options->standing,
                    "Of a vehicle: each wheel on the vertical spring of its tire, which holds it "
                    "both ways");
  add_urdf_options(command, &options->urdf);
  command->add_option("--law", options->law,
                      "Of a rolling wheel: relaxed, events, regularized, printed; the file's if "
                      "not given");
  command->add_option("--formulation", options->formulation,
                      "Of a mechanism: ce (independent coordinates; if not given), ta (joint "
                      "coordinates, loops cut), fa (poses of all bodies), uk (joint coordinates, "
                      "generalized inverse; if a constraint relaxes); of a vehicle also generated "
                      "(its own code, compiled where it is not in the library)");
  command->add_option("--method", options->method,
                      "Fixed steps: rk4 (if not given), euler, midpoint; steps by tolerance: "
                      "dopri, adams, bdf; a lagrangian model: dopri (if not given), adams, bdf");
  command->add_option(
      "--step", options->step,
      "Longest fixed step [s], 0.001 if not given; steps are cut to fit the samples. "
      "Of a scenario: --set run.step=...");
  command->add_option(
      "--sample", options->sample,
      "Time between samples in the log [s], 0.01 if not given. Of a scenario: --set "
      "run.sample_interval=...");
  command->add_option("--tolerance", options->tolerance,
                      "Relative error of a step of dopri, adams, bdf; 1e-8 if not given, 1e-10 for "
                      "a rolling wheel");
  command->add_option("--stabilization", options->stabilization,
                      "How ta and fa keep loops closed: projection, baumgarte or none; projection "
                      "if not given, baumgarte with adams");
  command
      ->add_option("--stabilization-rate", options->stabilization_rate,
                   "How fast baumgarte takes errors back [1/s]")
      ->capture_default_str();
  add_set_option(command, &options->overrides);
  command->add_option("--checkpoint", options->checkpoint,
                      "Of a scenario: every so many simulated seconds write checkpoint.json");
  command->add_option(
      "--restart", options->restart,
      "Of a scenario: go on from this checkpoint.json, or from that in this folder");
  command->add_flag("--real-time", options->real_time,
                    "Scenarios only: run no faster than the clock");
  command->add_option("-o,--output", options->folder,
                      "Folder of the run, new or empty; runs/NAME-001 and so on if not given");
  command->add_flag("--json", options->json, "Print the summary as JSON");
  command->footer(
      "Examples:\n"
      "  camber run scenarios/double-lane-change.toml\n"
      "  camber run scenarios/step-steer.toml --set vehicle.start.speed=25 --set "
      "ground.friction=0.5\n"
      "  camber run models/four-bar.toml --for 10\n"
      "  camber run models/hmmwv.toml --standing --for 5\n"
      "  camber run models/hmmwv.toml --standing --for 5 --formulation generated\n"
      "  camber run models/stewart-platform.toml --for 2 --formulation fa -o platform\n"
      "  camber run models/motorcycle.toml --for 3\n"
      "  camber run scenarios/rolling-wheel-fig4.toml --law events\n"
      "  camber run models/robot-arm.urdf --for 5 --method dopri --tolerance 1e-10 --json\n"
      "  camber run models/robot-arm.urdf --for 5 --stop-stiffness 2000 --stop-damping 20");
  command->callback([=] { *chosen = [=] { return run_run(*options); }; });
}

}  // namespace camber::app
