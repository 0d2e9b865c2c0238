#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/camber/arguments.h"
#include "apps/camber/commands.h"
#include "apps/camber/model_source.h"
#include "apps/camber/rig_report.h"
#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::app {
namespace {

using Json = nlohmann::ordered_json;
using vehicle::AxleSweep, vehicle::RigRange, vehicle::RigState;

constexpr double kMaxValues = 10'000;  // of a range

struct RigCommandOptions {
  std::string model, travel, steer, reference, folder;
  std::vector<std::string> overrides;
  double radius = 0;  // 0: not given
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
  if (options.radius != 0) {
    require(options.radius > 0, "--radius: must be > 0 m, got ", options.radius);
    request.loaded_radius = options.radius;
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
    study.comparisons =
        compare_with_table(options.reference, study.car, study.result, &study.result.notes);
  return study;
}

// --- Text ---

void print(const report::Table& table) {
  std::vector<std::size_t> widths;
  for (std::size_t j = 0; j < table.head.size(); ++j) {
    std::size_t width = table.head[j].size();
    for (const auto& row : table.rows) width = std::max(width, row[j].size());
    widths.push_back(width);
  }
  const auto print_row = [&](const std::vector<std::string>& row) {
    for (std::size_t j = 0; j < row.size(); ++j)
      std::cout << (j == 0 ? std::left : std::right) << (j == 0 ? "" : "  ")
                << std::setw(static_cast<int>(widths[j])) << row[j];
    std::cout << '\n';
  };
  std::cout << table.caption << '\n';
  print_row(table.head);
  for (const auto& row : table.rows) print_row(row);
}

void print_text(const RigStudy& study) {
  const vehicle::RigResult& result = study.result;
  std::cout << study.car.name << ": loops close within "
            << report::short_text(result.closure_error, 2) << " m; loaded radius";
  for (std::size_t i = 0; i < study.car.axles.size(); ++i)
    std::cout << (i > 0 ? ", " : " ") << study.car.axles[i].name << ' '
              << fixed_text(1000 * result.loaded_radius[i], 1) << " mm";
  std::cout << '\n';
  for (const std::string& note : result.notes) std::cout << "note: " << note << '\n';
  for (const AxleSweep& sweep : result.axles) {
    std::cout << '\n';
    print(travel_table(study, sweep));
  }
  for (const AxleSweep& sweep : result.axles) {
    if (sweep.opposed.empty()) continue;
    std::cout << '\n';
    print(roll_table(study, sweep));
  }
  if (!result.steering.empty()) {
    std::cout << '\n';
    print(steering_table(study));
  }
  if (!study.comparisons.empty()) {
    std::cout << '\n';
    print(comparison_table(study));
  }
}

// --- JSON ---

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json row_json(const std::vector<RigColumn>& columns, const RigState& state) {
  Json row;
  for (const RigColumn& column : columns) row[column.key] = number_json(column.in_file(state));
  return row;
}

/// Column by column.
Json sweep_json(const std::vector<RigColumn>& columns, const std::vector<RigState>& states) {
  Json result;
  for (const RigColumn& column : columns) {
    Json values = Json::array();
    for (const RigState& state : states) values.push_back(number_json(column.in_file(state)));
    result[column.key] = values;
  }
  return result;
}

void print_json(const RigStudy& study) {
  const vehicle::RigResult& result = study.result;
  Json axles;
  for (const AxleSweep& sweep : result.axles) {
    const vehicle::Axle& axle = study.car.axles[sweep.axle];
    const std::vector<RigColumn> columns = parallel_columns(study.car, sweep);
    Json& json = axles[axle.name];
    json = {{"suspension", to_text(axle.type)},
            {"loaded_radius_m", result.loaded_radius[sweep.axle]},
            {"design", row_json(columns, result.design)}};
    if (result.at_standing) json["standing"] = row_json(columns, *result.at_standing);
    json["parallel"] = sweep_json(columns, sweep.parallel);
    if (!sweep.opposed.empty()) json["opposed"] = sweep_json(opposed_columns(sweep), sweep.opposed);
  }
  Json out{{"model", study.car.name}, {"closure_error_m", result.closure_error}, {"axles", axles}};
  if (!result.steering.empty())
    out["steering"] = sweep_json(steering_columns(study.car, result), result.steering);
  if (!study.comparisons.empty()) {
    Json comparisons = Json::array();
    for (const RigComparison& c : study.comparisons) {
      comparisons.push_back(
          {{"place", c.place},
           {"column", c.column.key},
           {"points", c.x.size()},
           {"largest_difference", c.difference * c.column.file_scale / c.column.shown_scale}});
    }
    out["comparison"] = comparisons;
  }
  out["notes"] = result.notes;
  std::cout << out.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// --- Files ---

std::string csv_of(const std::vector<RigColumn>& columns, const std::vector<RigState>& states) {
  std::ostringstream out;
  out << std::setprecision(15);
  const char* comma = "";
  for (const RigColumn& column : columns) {
    out << comma << column.key;
    comma = ",";
  }
  out << '\n';
  for (const RigState& state : states) {
    comma = "";
    for (const RigColumn& column : columns) {
      out << comma << column.in_file(state);
      comma = ",";
    }
    out << '\n';
  }
  return out.str();
}

void write_files(const RigStudy& study, const std::string& folder) {
  make_folders(folder);
  const auto write = [&](const std::string& name, const std::string& text) {
    write_file_atomically((std::filesystem::path(folder) / name).string(), text);
  };
  for (const AxleSweep& sweep : study.result.axles) {
    const std::string& axle = study.car.axles[sweep.axle].name;
    write(axle + "_parallel.csv", csv_of(parallel_columns(study.car, sweep), sweep.parallel));
    if (!sweep.opposed.empty())
      write(axle + "_opposed.csv", csv_of(opposed_columns(sweep), sweep.opposed));
  }
  if (!study.result.steering.empty())
    write("steering.csv", csv_of(steering_columns(study.car, study.result), study.result.steering));
  write("report.html", make_rig_report(study));
}

ExitCode run_rig_command(const RigCommandOptions& options) {
  const RigStudy study = make_study(options);
  if (!options.folder.empty()) write_files(study, options.folder);
  options.json ? print_json(study) : print_text(study);
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
  command->add_option("--steer", options->steer,
                      "The same of the steering: deg of a pitman (-30:30 if not given), mm of a "
                      "rack (-60:60)");
  command->add_option("--radius", options->radius,
                      "Of the loaded wheels [m]; that under the vehicle's own weight if not given");
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
      "  camber rig models/mcpherson-car.toml --json");
  command->callback([=] { *chosen = [=] { return run_rig_command(*options); }; });
}

}  // namespace camber::app
