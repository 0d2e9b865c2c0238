// [run], [log], [[stop]] and [[figures]].

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/figures/key_figures.h"
#include "camber/record/channel_names.h"
#include "camber/scenario/tables.h"

namespace camber::scenario::internal {
namespace {

constexpr double kMaxSteps = 1e10;  // steps or samples of a drive

/// The driver acts between steps.
void check_step(const TableReading& in, const Scenario& scenario) {
  const double step = scenario.run.step, sample_time = scenario.driver.sample_time;
  if (step <= sample_time) return;
  if (const auto given = in.root.at("run").find("step"))
    given.error(concat("must be <= driver.sample_time = ", sample_time, " s, got ", step));
  else
    in.root.at("driver")
        .at("sample_time")
        .error(concat("must be >= run.step = ", step, " s, got ", sample_time));
}

bool has_path(const TableReading& in) {
  const TomlNode driver = in.root.find("driver");
  return driver && driver.find("path");
}

StopCondition read_stop(const TableReading& in, const TomlNode& node) {
  StopCondition stop;
  stop.kind = read_word<StopKind>(node.at("when"), kStopKindWords);
  const TomlNode value = node.at("value");
  switch (stop.kind) {
    case StopKind::kSpeedBelow:
      stop.value = value.in_range(0, kFast, "m/s");
      break;
    case StopKind::kRollAbove:
      stop.value = value.in_range(0, 180, "deg") * kDegree;
      break;
    case StopKind::kXBeyond:
      stop.value = value.in_range(-kFar, kFar, "m");
      break;
    case StopKind::kDeviationAbove:
      stop.value = value.in_range(0, kFar, "m");
      if (!has_path(in)) node.at("when").error("needs [driver.path]");
      break;
    case StopKind::kWheelLifted:
    case StopKind::kTime:
      stop.value = value.in_range(0, kLong, "s");
      break;
  }
  stop.after = number_or(node, "after", 0, 0, kLong, "s");
  stop.outcome = read_word<StopOutcome>(node.at("then"), kStopOutcomeWords);
  return stop;
}

/// The figure that a request names; nullptr with an error if there is none.
const figures::KeyFigure* read_figure_name(const TomlNode& node, const std::string& name) {
  const figures::KeyFigure* figure = figures::find_key_figure(name);
  if (figure != nullptr || !node.is_text()) return figure;
  const std::string_view new_name = figures::find_new_name(name);
  node.error(new_name.empty() ? concat("no key figure \"", name, "\"",
                                       did_you_mean(name, figures::key_figure_names()))
                              : concat("\"", name, "\" was renamed to \"", new_name, "\""));
  return nullptr;
}

/// What is measured against a path or course needs one.
void check_course(const TableReading& in, const TomlNode& name, const PathRequest& path,
                  const figures::KeyFigure& figure) {
  if (figure.name == "cone_margin" && find_course(path) == nullptr)
    name.error("needs driver.path.kind = \"iso3888_1\" or \"iso3888_2\"");
  const bool needs_path = std::find(figure.channels.begin(), figure.channels.end(),
                                    record::channel::kPathDeviation) != figure.channels.end();
  if (needs_path && !has_path(in)) name.error("needs [driver.path]");
}

void read_figure(const TableReading& in, const TomlNode& node, Scenario* scenario) {
  figures::FigureRequest request;
  const TomlNode name = node.at("figure");
  request.figure = name.text();
  request.name = node.get("name", request.figure).text();
  const auto read_optional = [&](std::string_view key, std::string_view unit,
                                 std::optional<double>* value) {
    if (const auto given = node.find(key)) *value = given.number(unit);
  };
  read_optional("after", "s", &request.after);
  read_optional("before", "s", &request.before);
  read_optional("after_x", "m", &request.after_x);
  read_optional("before_x", "m", &request.before_x);
  if (request.after_x && request.before_x && *request.before_x <= *request.after_x)
    node.at("before_x").error(concat("must be > after_x = ", *request.after_x, " m"));
  if (request.after && request.before && *request.before <= *request.after)
    node.at("before").error(concat("must be > after = ", *request.after, " s"));
  const double duration = scenario->run.duration;
  const bool is_duration_valid = duration > kShort;  // otherwise it is reported there
  if (is_duration_valid && request.after && *request.after >= duration)
    node.at("after").error(concat("the run lasts ", duration, " s"));
  node.renamed("least", "min");
  node.renamed("most", "max");
  const figures::KeyFigure* figure = read_figure_name(name, request.figure);
  if (figure == nullptr) {
    node.entries();  // its keys may be right
    return;
  }
  read_optional("min", figure->unit, &request.min);
  read_optional("max", figure->unit, &request.max);
  if (request.min && request.max && *request.max < *request.min)
    node.at("max").error(concat("must be >= min = ", *request.min));
  request.source = node.get("source", std::string()).text();
  for (const figures::FigureParameter& parameter : figure->parameters) {
    const TomlNode given = parameter.fallback ? node.get(parameter.name, *parameter.fallback)
                                              : node.at(parameter.name);
    request.parameters[std::string(parameter.name)] = given.number(parameter.unit);
  }
  check_course(in, name, scenario->driver.path, *figure);
  scenario->figures.push_back(std::move(request));
}

}  // namespace

void read_run(const TableReading& in, Scenario* scenario) {
  const TomlNode node = in.root.at("run");
  RunSetup& run = scenario->run;
  run.duration = node.at("duration").in_range(kShort, kLong, "s");
  run.step = number_or(node, "step", run.step, 1e-6, 0.1, "s");
  run.sample_interval =
      number_or(node, "sample_interval", std::max(run.sample_interval, run.step), 1e-6, 1000, "s");
  run.seed = static_cast<std::uint64_t>(node.get("seed", std::int64_t{1}).integer(0, INT64_MAX));
  const TomlNode method = node.get("method", std::string(word_of(run.method)));
  run.method = read_choice(method, kMethodWords) == 1 ? integrate::FixedStep::kRungeKutta4
                                                      : integrate::FixedStep::kMidpoint;
  check_step(in, *scenario);
  // Steps end at samples: a sample within a step would shorten it.
  if (run.sample_interval < run.step * (1 - kRounding))
    node.at("sample_interval")
        .error(concat("must be >= run.step = ", run.step, " s, got ", run.sample_interval,
                      ": there is nothing to log within a step"));
  if (run.duration / std::min(run.step, run.sample_interval) > kMaxSteps)
    node.error(concat("more than ", kMaxSteps, " steps or samples"));
}

void read_log(const TableReading& in, Scenario* scenario) {
  const TomlNode node = in.root.find("log");
  if (!node) return;
  LogSetup& log = scenario->log;
  const bool is_full = scenario->vehicle.level == VehicleLevel::kFull;
  const TomlNode forces = node.get("forces", false);
  log.has_forces = forces.boolean();
  if (log.has_forces && !is_full) forces.error("needs vehicle.level = \"full\"");
  const TomlNode list = node.find("accelerometer");
  if (!list) return;
  if (!is_full) list.error("needs vehicle.level = \"full\"");
  std::set<std::string> names;
  for (const TomlNode& table : list.tables()) {
    LogSetup::Accelerometer place;
    place.name = table.at("name").text();
    if (!is_word(place.name))
      table.at("name").error("must be a word of letters, digits, _ and -: it is part of a channel");
    else if (!names.insert(place.name).second)
      table.at("name").error(concat("there is another accelerometer \"", place.name, "\""));
    place.body = table.get("body", std::string("chassis")).text();
    const std::vector<double> at = table.at("at").numbers(3, "m");
    std::copy(at.begin(), at.end(), place.at.begin());
    log.accelerometers.push_back(std::move(place));
  }
}

void read_stops(const TableReading& in, std::vector<StopCondition>* stops) {
  if (const auto list = in.root.find("stop"))
    for (const TomlNode& node : list.tables()) stops->push_back(read_stop(in, node));
}

void read_figures(const TableReading& in, Scenario* scenario) {
  if (const auto list = in.root.find("figures"))
    for (const TomlNode& node : list.tables()) read_figure(in, node, scenario);
}

}  // namespace camber::scenario::internal
