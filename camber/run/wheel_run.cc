#include "camber/run/wheel_run.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::run {
namespace {

using Json = nlohmann::ordered_json;
using rolling_wheel::SlipSpan;
using rolling_wheel::WheelLaw;
using rolling_wheel::WheelSample;
using rolling_wheel::WheelScenario;

constexpr double kTolerance = 1e-10;

RunFacts make_facts(const RunOptions& options, const WheelScenario& scenario) {
  return {.kind = "rolling_wheel",
          .name = scenario.name,
          .about = scenario.about,
          .formulation = concat("rolling_wheel, ", to_text(scenario.law)),
          .method = to_text(options.method),
          .tolerance = options.tolerance,
          .absolute_tolerance = 0.01 * options.tolerance,
          .duration = options.duration,
          .sample_interval = options.sample_interval};
}

rolling_wheel::WheelRunner make_runner(const RunOptions& options, WheelScenario scenario) {
  check(options);
  scenario.duration = options.duration;
  const WheelLaw law = scenario.law;
  return {std::move(scenario),
          {.law = law,
           .integrator = make_integrator_options(options, "a rolling wheel"),
           .sample_interval = options.sample_interval}};
}

/// The paper's curves: velocities, forces against their limit, relaxation, distance.
std::vector<record::Channel> list_channels() {
  const auto channel = [](const char* name, std::vector<std::string> columns, const char* unit,
                          const char* description = "") {
    return record::Channel{.name = name,
                           .shape = {columns.size()},
                           .units = {unit},
                           .names = columns,
                           .description = description};
  };
  return {channel("velocities", {"wheel x'", "rim R theta'"}, "m/s",
                  "They are equal while the wheel rolls."),
          channel("slip", {"R theta' - x'"}, "m/s"),
          channel("forces", {"T_m/R", "mu N", "contact force", "force that rolling needs"}, "N",
                  "The wheel slips if rolling needs more than mu N."),
          channel("relaxation", {"s"}, "1",
                  "Relaxation of the rolling constraint: 1 is stiction, near 0 it is free."),
          channel("friction", {"mu"}, "1"),
          channel("distance", {"x"}, "m"),
          channel("contact power", {"F u"}, "W"),
          channel("energy", {"kinetic", "not accounted for"}, "J",
                  "The second one is the change of kinetic energy minus the work of loads and "
                  "contact.")};
}

std::vector<double> values_of(const WheelScenario& scenario, const WheelSample& s) {
  return {s.speed,
          s.rim_speed,
          s.rim_speed - s.speed,
          s.inputs.drive / scenario.wheel.radius,
          s.limit,
          s.force,
          s.holding,
          s.relaxation,
          s.inputs.mu,
          s.distance,
          s.contact_power,
          s.kinetic_energy,
          s.energy_error};
}

std::string slip_text(const rolling_wheel::WheelRun& run) {
  std::string text;
  for (const SlipSpan& span : run.slips)
    text += concat(text.empty() ? "" : ", ", short_text(span.begin), " to ", short_text(span.end));
  return text.empty() ? "none" : text;
}

}  // namespace

RunOptions make_wheel_options(const WheelScenario& scenario) {
  const integrate::IntegratorOptions usual = choose_integrator(scenario.law, kTolerance);
  return {.duration = scenario.duration,
          .method = to_run_method(usual.method),
          .tolerance = kTolerance};
}

WheelRun::WheelRun(const RunOptions& options, WheelScenario scenario)
    : facts_(make_facts(options, scenario)),
      runner_(make_runner(options, std::move(scenario))),
      channels_(list_channels()) {}

void WheelRun::log_new_samples() {
  const std::vector<WheelSample>& samples = wheel().samples;
  for (; logged_ < samples.size(); ++logged_)
    if (sink_) sink_(samples[logged_].time, values_of(runner_.scenario(), samples[logged_]));
}

void WheelRun::advance() {
  if (status_ != RunStatus::kRunning) return;
  log_new_samples();  // the first one
  runner_.advance();
  log_new_samples();
  if (!wheel().result.ok()) {
    status_ = RunStatus::kFailed;
  } else if (runner_.is_done()) {
    status_ = RunStatus::kDone;
  }
}

void WheelRun::stop() {
  if (status_ != RunStatus::kRunning) return;
  log_new_samples();
  runner_.stop();
  status_ = RunStatus::kStopped;
}

RunResult WheelRun::result() const {
  RunResult result;
  result.status = status_;
  if (status_ == RunStatus::kFailed) result.reason = wheel().result.text;
  result.time = wheel().samples.back().time;
  result.samples = static_cast<long>(wheel().samples.size());
  result.statistics = wheel().statistics;
  return result;
}

void WheelRun::finish(const record::Table& /*log*/, Json* summary, report::PageData* page) {
  const rolling_wheel::WheelRun& run = wheel();
  const WheelScenario& scenario = runner_.scenario();
  const WheelSample& last = run.samples.back();
  Json& out = *summary;
  out["law"] = to_text(scenario.law);
  out["slip_speed"] = scenario.wheel.slip_speed;
  out["last_speed"] = last.speed;
  out["last_rim_speed"] = last.rim_speed;
  out["distance"] = last.distance;
  out["largest_slip"] = {{"value", run.largest_slip}, {"time", run.largest_slip_time}};
  Json slips = Json::array();
  for (const SlipSpan& span : run.slips) slips.push_back({span.begin, span.end});
  out["slips"] = slips;
  if (run.stop) {
    out["braking"] = {{"from", *scenario.brake_from},
                      {"stop_speed", scenario.stop_speed},
                      {"time", run.stop->time},
                      {"distance", run.stop->distance}};
  }
  out["largest_force_over_limit"] = run.largest_force_share;
  out["largest_contact_power"] = run.largest_contact_power;
  out["energy_error"] = run.energy_error;

  if (scenario.law == WheelLaw::kPrinted) {
    page->notes.emplace_back(
        "Equations (19) to (26) of [Ikoki 2021] as they are printed, for comparison: their "
        "friction has no moment, its sign pushes a spinning drive wheel backward, and it does work "
        "on the wheel. The law \"relaxed\" corrects this.");
  }
  std::vector<report::SummaryValue> values = {
      {"law", to_text(scenario.law)},
      {"last speed", short_text(last.speed), "m/s"},
      {"distance", short_text(last.distance), "m"},
      {"slips", slip_text(run), "s"},
      {"max slip", short_text(run.largest_slip), "m/s"},
      {"time of max slip", short_text(run.largest_slip_time), "s"}};
  if (run.stop) {
    values.push_back({"braking time", short_text(run.stop->time, 5), "s"});
    values.push_back({"braking distance", short_text(run.stop->distance, 5), "m"});
  }
  values.insert(values.end(),
                {{"max force over mu N", short_text(run.largest_force_share, 8)},
                 {"max contact power", short_text(run.largest_contact_power, 3), "W"},
                 {"energy not accounted for", short_text(run.energy_error, 2), "of the max"}});
  page->values.insert(page->values.end(), values.begin(), values.end());
  page->settings.push_back({"slip_speed", short_text(scenario.wheel.slip_speed), "m/s"});
  for (const record::Channel& channel : channels_) page->channels.push_back(channel.name);
}

std::vector<std::string> WheelRun::describe(const RunResult& result) const {
  const rolling_wheel::WheelRun& run = wheel();
  const WheelScenario& scenario = runner_.scenario();
  const WheelSample& last = run.samples.back();
  std::vector<std::string> lines = {
      concat(facts_.name, ", ", to_text(scenario.law), ": ", describe_time(facts_, result)),
      concat("at the end: ", short_text(last.speed), " m/s, rim ", short_text(last.rim_speed),
             " m/s, ", short_text(last.distance), " m")};
  for (const SlipSpan& span : run.slips)
    lines.push_back(
        concat("slips from ", short_text(span.begin), " to ", short_text(span.end), " s"));
  if (run.stop)
    lines.push_back(concat("stops ", short_text(run.stop->time, 5), " s and ",
                           short_text(run.stop->distance, 5),
                           " m after t = ", short_text(*scenario.brake_from), " s"));
  lines.push_back(
      concat("energy not accounted for: ", short_text(run.energy_error, 2), " of the max"));
  return lines;
}

}  // namespace camber::run
