#include <filesystem>
#include <iostream>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/model_source.h"
#include "camber/analysis/rig_text.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::app {
namespace {

using analysis::RigStudy;
using vehicle::RigRange;

constexpr double kMaxValues = 10'000;  // in a range

struct RigCommandOptions {
  std::string model, travel, steer, reference, folder;
  std::vector<std::string> overrides;
  std::optional<double> radius;
  bool json = false;
};

/// FIRST:LAST or FIRST:LAST:STEP, in `unit` of what the rig takes.
RigRange parse_range(const std::string& text, const std::string& option, double usual_step,
                     double unit) {
  const std::vector<std::string> parts = split(text, ':');
  require(parts.size() == 2 || parts.size() == 3, option, ": \"", text,
          "\" is not FIRST:LAST or FIRST:LAST:STEP");
  const double first = parse_number(parts[0], option), last = parse_number(parts[1], option),
               step = parts.size() == 3 ? parse_number(parts[2], option) : usual_step;
  require(first < last && step > 0, option, ": needs first < last and a step > 0, got ", text);
  require((last - first) / step < kMaxValues, option, ": more than ", kMaxValues, " values");
  return {first * unit, last * unit, step * unit};
}

vehicle::Vehicle read_vehicle(const std::string& path, const Overrides& overrides) {
  ModelSource source(path, overrides);
  if (source.kind() != "vehicle") {
    source.refuse_kind("camber rig moves the wheels of files of kind \"vehicle\"");
  }
  return source.read_vehicle();
}

RigStudy make_study(const RigCommandOptions& options) {
  RigStudy study;
  study.car = read_vehicle(options.model, Overrides(options.overrides));
  vehicle::RigRequest request;
  if (!options.travel.empty()) request.travel = parse_range(options.travel, "--travel", 0.005, 1);
  if (options.radius) {
    require(*options.radius > 0, "--radius: must be > 0 m, got ", *options.radius);
    request.loaded_radius = *options.radius;
  }
  if (!options.steer.empty()) {
    require(study.car.steering.has_value(), "--steer: vehicle \"", study.car.name,
            "\" has no steering");
    const bool is_pitman = study.car.steering->type == vehicle::SteeringType::kPitman;
    request.steering = is_pitman ? parse_range(options.steer, "--steer", 1, std::numbers::pi / 180)
                                 : parse_range(options.steer, "--steer", 2, 1e-3);
  }
  study.result = vehicle::run_rig(study.car, request);
  if (!options.reference.empty())
    study.comparisons = analysis::compare_with_table(options.reference, study.car, study.result,
                                                     &study.result.notes);
  return study;
}

void write_files(const RigStudy& study, const std::string& folder) {
  make_folders(folder);
  const auto write = [&](const std::string& name, const std::string& text) {
    write_file_atomically((std::filesystem::path(folder) / name).string(), text);
  };
  for (const auto& [file, text] : make_csv_tables(study)) write(file, text);
  write("report.html", make_rig_report(study));
}

ExitCode run_rig_command(const RigCommandOptions& options) {
  const RigStudy study = make_study(options);
  if (!options.folder.empty()) write_files(study, options.folder);
  std::cout << (options.json ? to_json(study) + '\n' : to_text(study));
  if (!options.folder.empty() && !options.json)
    std::cout << "\nreport: " << (std::filesystem::path(options.folder) / "report.html").string()
              << '\n';
  return kOk;
}

}  // namespace

void add_rig_command(CLI::App* app, Command* chosen) {
  const auto options = std::make_shared<RigCommandOptions>();
  CLI::App* command = app->add_subcommand(
      "rig",
      "Move a vehicle's wheels up, down and to the sides, chassis held: camber, toe, kingpin, roll "
      "center, motion ratios, wheel rates, Ackermann, turning circle");
  command->add_option("MODEL", options->model, "A model of kind \"vehicle\" (TOML)")->required();
  add_set_option(command, &options->overrides);
  command->add_option("--travel", options->travel,
                      "FIRST:LAST or FIRST:LAST:STEP [m] of the wheel centers, bump positive; from "
                      "stop to stop, 0.13 m at most, if not given");
  command->add_option(
      "--steer", options->steer,
      "The same for the steering: pitman angle in deg (-30:30 if not given) or rack "
      "displacement in mm (-60:60)");
  command->add_option(
      "--radius", options->radius,
      "Radius of the loaded wheels [m]; if not given, as under the vehicle's own weight");
  command->add_option("--reference", options->reference,
                      "A table to compare with (CSV, the column names that -o writes, or others: "
                      "docs/manual/rig.md)");
  command->add_flag("--json", options->json, "Print every number as JSON");
  command->add_option("-o,--output", options->folder,
                      "Folder for tables (CSV) and a self-contained report.html with plots");
  command->footer(
      "Examples:\n"
      "  camber rig models/hmmwv.toml\n"
      "  camber rig models/hmmwv-3d.toml --travel -0.12:0.14 --steer -30:30 -o rig\n"
      "  camber rig models/mcpherson-car.toml --json\n"
      "  camber rig car.toml -o before; camber rig car.toml --set ... -o after; camber compare "
      "before "
      "after");
  command->callback([=] { *chosen = [=] { return run_rig_command(*options); }; });
}

}  // namespace camber::app
