#include "camber/sim/lagrangian_record.h"

#include <chrono>
#include <cmath>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/sim/run_record.h"

namespace camber::sim {
namespace {

using Json = nlohmann::ordered_json;
using Kind = lagrange::Channel::Kind;
using report::short_text;

/// What becomes one channel of the log: the quantities of one kind.
struct Group {
  Kind kind;
  const char* name;
  const char* description;
};
constexpr Group kGroups[] = {
    {Kind::kCoordinate, "coordinates/q", "Coordinates, in the units of the model."},
    {Kind::kSpeed, "coordinates/v", "Speeds, in the units of the model."},
    {Kind::kExtra, "coordinates/extra", "Variables with equations of their own."},
    {Kind::kMultiplier, "constraints/multipliers", "Constraint forces."},
    {Kind::kInput, "inputs", "Inputs, functions of time."},
    {Kind::kOutput, "outputs", "Outputs of the model."},
    {Kind::kEnergy, "energies", "Of all bodies and potentials."},
    {Kind::kQuality, "constraints/error", "Largest residual of positions and speeds."},
};

/// Sample by sample, as logs and reports have it.
std::vector<report::RunChannel> group_channels(const lagrange::RunResult& run) {
  std::vector<report::RunChannel> groups;
  for (const Group& group : kGroups) {
    report::RunChannel channel{.name = group.name, .description = group.description};
    std::vector<const std::vector<double>*> columns;
    for (const lagrange::Channel& quantity : run.channels) {
      if (quantity.kind != group.kind) continue;
      channel.names.push_back(quantity.name);
      columns.push_back(&quantity.values);
    }
    if (columns.empty()) continue;
    if (group.kind == Kind::kEnergy) channel.units = {"J"};
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      for (const auto* column : columns) channel.values.push_back((*column)[i]);
    }
    groups.push_back(std::move(channel));
  }
  return groups;
}

/// The figures of a result from the samples.
void gather(const lagrange::RunResult& run, RunResult* result) {
  for (const lagrange::Channel& channel : run.channels) {
    if (channel.values.empty()) continue;
    if (channel.name == "energy.total") {
      result->first_energy = channel.values.front();
      result->last_energy = channel.values.back();
      for (const double energy : channel.values) {
        result->energy_drift =
            std::max(result->energy_drift, std::abs(energy - result->first_energy));
      }
    }
    if (channel.name == "energy.kinetic") {
      for (const double energy : channel.values)
        result->energy_scale = std::max(result->energy_scale, energy);
    }
    if (channel.kind == Kind::kQuality) {
      for (const double error : channel.values)
        result->position_error = std::max(result->position_error, error);
    }
  }
}

void add_figures(const RunResult& result, Json* summary) {
  (*summary)["largest_constraint_error"] = result.position_error;
  (*summary)["energy"] = {
      {"first", result.first_energy}, {"last", result.last_energy}, {"drift", result.energy_drift}};
}

std::vector<report::SummaryValue> list_figures(const RunResult& result) {
  return {{"status", to_text(result.status)},
          {"simulated time", short_text(result.time), "s"},
          {"wall time", short_text(result.wall_time, 3), "s"},
          {"steps", std::to_string(result.statistics.steps)},
          {"evaluations", std::to_string(result.statistics.evaluations)},
          {"largest constraint error", short_text(result.position_error, 3)},
          {"change of energy", short_text(result.last_energy - result.first_energy, 4), "J"}};
}

}  // namespace

RunResult record_lagrangian_run(const RunSource& source, const RunOptions& options,
                                const record::RunFolder& folder,
                                const lagrange::LagrangianModel& model,
                                const RunObserver& observer) {
  require(!has_fixed_steps(options.method), "a lagrangian model runs by dopri, adams or bdf, not ",
          to_text(options.method));
  const auto wall_start = std::chrono::steady_clock::now();
  bool is_stopped = false;
  lagrange::RunOptions run_options;
  run_options.duration = options.duration;
  run_options.sample_step = options.sample_interval;
  run_options.integrator.method = options.method == RunMethod::kAdams ? integrate::Method::kAdams
                                  : options.method == RunMethod::kBdf
                                      ? integrate::Method::kBdf
                                      : integrate::Method::kRungeKutta;
  run_options.integrator.relative_tolerance = options.tolerance;
  run_options.integrator.absolute_tolerance = 0.01 * options.tolerance;
  run_options.go_on = [&](double t) {
    is_stopped = observer.go_on && !observer.go_on(t);
    return !is_stopped;
  };
  const lagrange::RunResult run = lagrange::simulate(model, run_options);

  RunResult result;
  result.statistics = run.statistics;
  result.samples = static_cast<long>(run.times.size());
  result.time = run.times.empty() ? 0 : run.times.back();
  if (!run.result.ok()) {
    result.status = RunStatus::kFailed;
    result.reason = run.result.text;
  } else if (is_stopped && result.time < options.duration) {
    result.status = RunStatus::kStopped;
  }
  gather(run, &result);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;
  result.wall_time = wall.count();

  const internal::RunFacts facts{.model = model.system.name,
                                 .about = model.about,
                                 .formulation = "lagrangian",
                                 .method = to_text(options.method),
                                 .tolerance = options.tolerance,
                                 .absolute_tolerance = 0.01 * options.tolerance,
                                 .duration = options.duration};
  std::vector<report::RunChannel> channels = group_channels(run);
  internal::write_log(source, facts, folder, run.times, channels);
  Json summary = internal::begin_summary(source, facts, result);
  add_figures(result, &summary);
  folder.write_summary(summary.dump(2) + "\n");
  report::RunReport report = internal::begin_report(source, facts, result);
  report.summary = list_figures(result);
  report.times = run.times;
  report.channels = std::move(channels);
  folder.write_report(make_run_report(report));
  return result;
}

}  // namespace camber::sim
