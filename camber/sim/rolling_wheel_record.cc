#include "camber/sim/rolling_wheel_record.h"

#include <chrono>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/sim/run_record.h"

namespace camber::sim {
namespace {

using report::short_text;
using rolling_wheel::WheelLaw;
using rolling_wheel::WheelRun;
using rolling_wheel::WheelRunOptions;
using rolling_wheel::WheelSample;
using rolling_wheel::WheelScenario;
using Json = nlohmann::ordered_json;

const char* method_name(integrate::Method method) {
  switch (method) {
    case integrate::Method::kRungeKutta:
      return "dopri";
    case integrate::Method::kAdams:
      return "adams";
    case integrate::Method::kBdf:
      return "bdf";
  }
  return "";
}

/// The paper's curves: velocities, forces against their limit, relaxation, distance.
std::vector<report::RunChannel> make_channels(const WheelScenario& scenario, const WheelRun& run) {
  report::RunChannel velocities{.name = "velocities",
                                .names = {"wheel x'", "rim R theta'"},
                                .units = {"m/s"},
                                .description = "They are one where the wheel rolls."};
  report::RunChannel slip{.name = "slip", .names = {"R theta' - x'"}, .units = {"m/s"}};
  report::RunChannel forces{.name = "forces",
                            .names = {"T_m/R", "mu N", "contact force", "force that rolling needs"},
                            .units = {"N"},
                            .description = "Where rolling needs more than mu N, the wheel slips."};
  report::RunChannel relaxation{
      .name = "relaxation",
      .names = {"s"},
      .units = {"1"},
      .description = "Of the rolling constraint: 1 is stiction, near 0 it is free."};
  report::RunChannel friction{.name = "friction", .names = {"mu"}, .units = {"1"}};
  report::RunChannel distance{.name = "distance", .names = {"x"}, .units = {"m"}};
  report::RunChannel power{.name = "contact power", .names = {"F u"}, .units = {"W"}};
  report::RunChannel energy{.name = "energy",
                            .names = {"kinetic", "not accounted for"},
                            .units = {"J"},
                            .description =
                                "The second one is the change of kinetic energy minus "
                                "the work of loads and contact."};
  const double R = scenario.wheel.radius;
  for (const WheelSample& s : run.samples) {
    velocities.values.insert(velocities.values.end(), {s.speed, s.rim_speed});
    slip.values.push_back(s.rim_speed - s.speed);
    forces.values.insert(forces.values.end(), {s.inputs.drive / R, s.limit, s.force, s.holding});
    relaxation.values.push_back(s.relaxation);
    friction.values.push_back(s.inputs.mu);
    distance.values.push_back(s.distance);
    power.values.push_back(s.contact_power);
    energy.values.insert(energy.values.end(), {s.kinetic_energy, s.energy_error});
  }
  return {velocities, slip, forces, relaxation, friction, distance, power, energy};
}

void add_figures(const WheelScenario& scenario, const WheelRunOptions& options, const WheelRun& run,
                 Json* figures) {
  Json& summary = *figures;
  summary["law"] = to_text(options.law);
  summary["slip_speed"] = scenario.wheel.slip_speed;
  summary["last_speed"] = run.samples.back().speed;
  summary["last_rim_speed"] = run.samples.back().rim_speed;
  summary["distance"] = run.samples.back().distance;
  summary["largest_slip"] = {{"value", run.largest_slip}, {"time", run.largest_slip_time}};
  Json slips = Json::array();
  for (const rolling_wheel::SlipSpan& span : run.slips) slips.push_back({span.begin, span.end});
  summary["slips"] = slips;
  if (run.stop) {
    summary["braking"] = {{"from", *scenario.brake_from},
                          {"stop_speed", scenario.stop_speed},
                          {"time", run.stop->time},
                          {"distance", run.stop->distance}};
  }
  summary["largest_force_over_limit"] = run.largest_force_share;
  summary["largest_contact_power"] = run.largest_contact_power;
  summary["energy_error"] = run.energy_error;
}

std::string slip_text(const WheelRun& run) {
  std::string text;
  for (const rolling_wheel::SlipSpan& span : run.slips) {
    text += concat(text.empty() ? "" : ", ", short_text(span.begin), " to ", short_text(span.end));
  }
  return text.empty() ? "none" : text;
}

report::RunReport make_report(const RunSource& source, const internal::RunFacts& facts,
                              const WheelScenario& scenario, const WheelRunOptions& options,
                              const WheelRun& run, const RunResult& result) {
  report::RunReport report = internal::begin_report(source, facts, result);
  if (options.law == WheelLaw::kPrinted) {
    report.notes.emplace_back(
        "Equations (19) to (26) of [Ikoki 2021] as they are printed, for comparison: their "
        "friction "
        "has no moment, its sign pushes a spinning drive wheel backwards, and it does work on the "
        "wheel. The law \"relaxed\" has this mended.");
  }
  report.summary = {{"law", to_text(options.law)},
                    {"last speed", short_text(run.samples.back().speed), "m/s"},
                    {"distance", short_text(run.samples.back().distance), "m"},
                    {"slips", slip_text(run), "s"},
                    {"largest slip", short_text(run.largest_slip), "m/s"},
                    {"at", short_text(run.largest_slip_time), "s"}};
  if (run.stop) {
    report.summary.push_back({"braking time", short_text(run.stop->time, 5), "s"});
    report.summary.push_back({"braking distance", short_text(run.stop->distance, 5), "m"});
  }
  report.summary.insert(
      report.summary.end(),
      {{"largest force over mu N", short_text(run.largest_force_share, 8)},
       {"largest contact power", short_text(run.largest_contact_power, 3), "W"},
       {"energy not accounted for", short_text(run.energy_error, 2), "of the largest"},
       {"steps", std::to_string(run.statistics.steps)},
       {"evaluations", std::to_string(run.statistics.evaluations)}});
  report.settings.push_back({"slip_speed", short_text(scenario.wheel.slip_speed), "m/s"});
  return report;
}

}  // namespace

RunResult record_wheel_run(const RunSource& source, const WheelScenario& scenario,
                           const WheelRunOptions& options, const record::RunFolder& folder,
                           WheelRun* run) {
  const auto wall_start = std::chrono::steady_clock::now();
  *run = run_wheel(scenario, options);
  RunResult result;
  result.statistics = run->statistics;
  result.samples = static_cast<long>(run->samples.size());
  result.time = run->samples.back().time;
  if (!run->result.ok()) {
    result.status = RunStatus::kFailed;
    result.reason = run->result.text;
  } else if (result.time < scenario.duration) {
    result.status = RunStatus::kStopped;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;
  result.wall_time = wall.count();

  std::vector<double> times;
  times.reserve(run->samples.size());
  for (const WheelSample& sample : run->samples) times.push_back(sample.time);
  const internal::RunFacts facts{.model = scenario.name,
                                 .about = scenario.about,
                                 .formulation = concat("rolling_wheel, ", to_text(options.law)),
                                 .method = method_name(options.integrator.method),
                                 .tolerance = options.integrator.relative_tolerance,
                                 .absolute_tolerance = options.integrator.absolute_tolerance,
                                 .duration = scenario.duration};
  std::vector<report::RunChannel> channels = make_channels(scenario, *run);
  internal::write_log(source, facts, folder, times, channels);
  Json summary = internal::begin_summary(source, facts, result);
  add_figures(scenario, options, *run, &summary);
  folder.write_summary(summary.dump(2) + "\n");
  report::RunReport report = make_report(source, facts, scenario, options, *run, result);
  report.times = std::move(times);
  report.channels = std::move(channels);
  folder.write_report(make_run_report(report));
  return result;
}

}  // namespace camber::sim
