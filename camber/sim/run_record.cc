#include "camber/sim/run_record.h"

#include <span>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/record/log_writer.h"

namespace camber::sim::internal {

using report::short_text;

void write_log(const RunSource& source, const RunFacts& facts, const record::RunFolder& folder,
               const std::vector<double>& times, const std::vector<report::RunChannel>& channels) {
  record::LogLayout layout;
  for (const report::RunChannel& channel : channels) {
    layout.channels.push_back({.name = channel.name,
                               .shape = {channel.names.size()},
                               .units = channel.units,
                               .names = channel.names,
                               .description = channel.description});
  }
  layout.attributes = record::to_attributes({.model_file = source.model_file,
                                             .model_text = source.model_text,
                                             .program = source.program,
                                             .formulation = facts.formulation,
                                             .integrator = {{"method", facts.method},
                                                            {"rtol", facts.tolerance},
                                                            {"atol", facts.absolute_tolerance}}});
  record::LogWriter log(folder.log_path(), layout, {.expected_samples = times.size()});
  std::vector<std::span<const double>> values;
  for (std::size_t i = 0; i < times.size(); ++i) {
    values.clear();
    for (const report::RunChannel& channel : channels) {
      const std::size_t n = channel.names.size();
      values.push_back(std::span(channel.values).subspan(i * n, n));
    }
    log.append(times[i], values);
  }
  log.close();
}

void add_result(const RunResult& result, double duration, nlohmann::ordered_json* summary) {
  nlohmann::ordered_json& out = *summary;
  out["time"] = result.time;
  out["duration"] = duration;
  out["samples"] = result.samples;
  out["steps"] = result.statistics.steps;
  out["rejected_steps"] = result.statistics.rejected;
  out["evaluations"] = result.statistics.evaluations;
  out["wall_time"] = result.wall_time;
  out["real_time_factor"] =
      result.wall_time > 0 ? (result.time - result.begin) / result.wall_time : 0;
}

nlohmann::ordered_json begin_summary(const RunSource& source, const RunFacts& facts,
                                     const RunResult& result) {
  nlohmann::ordered_json summary{{"status", to_text(result.status)}};
  if (!result.reason.empty()) summary["reason"] = result.reason;
  summary["model"] = facts.model;
  summary["model_file"] = source.model_file;
  summary["program"] = source.program;
  summary["formulation"] = facts.formulation;
  summary["method"] = facts.method;
  summary["tolerance"] = facts.tolerance;
  add_result(result, facts.duration, &summary);
  return summary;
}

report::RunReport begin_report(const RunSource& source, const RunFacts& facts,
                               const RunResult& result) {
  report::RunReport report{.title = "Run of " + facts.model};
  if (!facts.about.empty()) report.notes.push_back(facts.about);
  if (result.status == RunStatus::kFailed)
    report.notes.push_back("The run failed: " + result.reason + ".");
  if (result.status == RunStatus::kStopped)
    report.notes.push_back(concat("The run was stopped at t = ", short_text(result.time), " s."));
  report.settings = {{"model", source.model_file},
                     {"method", facts.method},
                     {"tolerance", short_text(facts.tolerance)},
                     {"program", source.program}};
  return report;
}

}  // namespace camber::sim::internal
