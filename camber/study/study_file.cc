#include "camber/study/study_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/file_reference.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/core/toml_reader.h"
#include "camber/study/study_tables.h"

namespace camber::study {
namespace internal {

int find_input(const Study& study, const std::string& name) {
  for (std::size_t i = 0; i < study.inputs.size(); ++i) {
    const Input& input = study.inputs[i];
    if (input.name == name || std::ranges::find(input.keys, name) != input.keys.end())
      return static_cast<int>(i);
  }
  return -1;
}

std::vector<std::string> input_names(const Study& study) {
  std::vector<std::string> names;
  for (const Input& input : study.inputs) names.push_back(input.name);
  return names;
}

}  // namespace internal

namespace {

using internal::find_input, internal::input_names, internal::kMaxSamples, internal::Reading;

void read_inputs(const Reading& in) {
  const TomlNode list = in.root.at("input");
  std::vector<std::string> names;
  for (const TomlNode& table : list.tables()) {
    Input input;
    if (const TomlNode keys = table.find("keys")) {
      input.keys = keys.texts();
      input.where = keys.position();
      if (input.keys.empty()) keys.error("must name one key at least");
      if (const TomlNode key = table.find("key")) key.error("either key or keys, not both");
    } else {
      const TomlNode key = table.at("key");
      input.keys = {key.text()};
      input.where = key.position();
    }
    for (const std::string& key : input.keys)
      if (key.find('=') != std::string::npos || key.empty())
        table.find("keys") ? table.at("keys").error("a key has no \"=\" and is not empty")
                           : table.at("key").error("a key has no \"=\" and is not empty");
    const TomlNode name = table.get("name", input.keys.empty() ? "" : input.keys.front());
    input.name = name.text();
    if (std::ranges::find(names, input.name) != names.end())
      name.error(concat("there is another input \"", input.name, "\""));
    if (input.name.find_first_of("\",\n\r") != std::string::npos)
      name.error("a name must have no comma, quotation mark or line end");
    names.push_back(input.name);
    input.unit = table.get("unit", std::string()).text();
    input.distribution = read_distribution(table.at("distribution"));
    if (const TomlNode role = table.find("role"))
      input.is_design = role.choice({"design", "noise"}) == "design";
    in.study->inputs.push_back(std::move(input));
  }
  if (in.study->inputs.empty()) list.error("a study has one input at least");
  if (in.study->inputs.size() > 500) list.error("at most 500 inputs");
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

void read_correlation(const Reading& in) {
  const TomlNode table = in.root.find("correlation");
  if (!table) return;
  Study& study = *in.study;
  const std::size_t n = study.inputs.size();
  study.rank_correlation.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) study.rank_correlation[i * n + i] = 1;
  bool is_good = true;
  for (const TomlNode& entry : table.entries()) {
    const double rho = entry.in_range(-1, 1, "");
    const std::vector<std::string> pair = split(entry.key(), ',');
    int index[2] = {-1, -1};
    if (pair.size() != 2) {
      entry.error("must be two inputs with a comma, \"speed, mass\" = 0.3");
      is_good = false;
      continue;
    }
    for (int i = 0; i < 2; ++i) {
      const std::string name = trimmed(pair[static_cast<std::size_t>(i)]);
      index[i] = find_input(study, name);
      if (index[i] >= 0) continue;
      entry.error(
          concat("there is no input \"", name, "\"", did_you_mean(name, input_names(study))));
      is_good = false;
    }
    if (index[0] < 0 || index[1] < 0) continue;
    if (index[0] == index[1]) {
      entry.error("an input cannot be correlated with itself");
      is_good = false;
      continue;
    }
    const auto i = static_cast<std::size_t>(index[0]), j = static_cast<std::size_t>(index[1]);
    study.rank_correlation[i * n + j] = study.rank_correlation[j * n + i] = rho;
  }
  if (!is_good) return;
  try {
    study.copula = GaussianCopula(static_cast<int>(n), study.rank_correlation);
  } catch (const std::invalid_argument& error) {
    table.error(error.what());
  }
}

/// "p95(peak_roll_deg) within 2 %", "mean(cone_margin) within 0.01", "pass_rate within 1 %".
void read_stop(const Reading& in) {
  const TomlNode table = in.root.find("stop");
  if (!table) return;
  Study& study = *in.study;
  const TomlNode node = table.at("when");
  StopRule rule;
  rule.text = node.text();
  const auto refuse = [&] {
    node.error(
        "must be like \"p95(peak_roll_deg) within 2 %\", \"mean(cone_margin) within 0.01\" or "
        "\"pass_rate within 1 %\"");
  };
  rule.confidence = table.get("confidence", 0.95).in_range(0.5, 0.9999, "");
  rule.first_look = table.get("first_look", std::int64_t{64}).integer(16, kMaxSamples);
  const std::size_t within = rule.text.find(" within ");
  if (within == std::string::npos) return refuse();
  const std::string what = trimmed(std::string_view(rule.text).substr(0, within));
  std::string width = trimmed(std::string_view(rule.text).substr(within + 8));
  if (width.ends_with('%')) {
    rule.is_relative = true;
    width = trimmed(std::string_view(width).substr(0, width.size() - 1));
  }
  try {
    rule.half_width = parse_number(width, "stop.when") * (rule.is_relative ? 0.01 : 1);
    const std::size_t open = what.find('(');
    if (what == "pass_rate") {
      rule.statistic = StopRule::Statistic::kPassRate;
      rule.is_relative = false;  // 1 % of all, not of the rate
    } else if (open == std::string::npos || !what.ends_with(')')) {
      return refuse();
    } else {
      rule.figure = trimmed(std::string_view(what).substr(open + 1, what.size() - open - 2));
      const std::string function = what.substr(0, open);
      if (function == "mean") {
        rule.statistic = StopRule::Statistic::kMean;
      } else if (function == "median" || function.starts_with('p')) {
        rule.statistic = StopRule::Statistic::kQuantile;
        rule.probability =
            function == "median" ? 0.5 : parse_number(function.substr(1), "stop.when") / 100;
      } else {
        return refuse();
      }
      in.mention(node, rule.figure);
    }
  } catch (const std::invalid_argument&) {
    return refuse();
  }
  if (!(rule.half_width > 0) || !(rule.probability > 0 && rule.probability < 1)) return refuse();
  const PlanKind kind = study.plan.kind;
  if (kind != PlanKind::kRandom && kind != PlanKind::kSobol)
    table.error(
        concat("only plans \"random\" and \"sobol\" can end early, not \"", name_of(kind), "\""));
  study.stop = rule;
}

void read_goals(const Reading& in) {
  Study& study = *in.study;
  const bool is_optimize = study.plan.kind == PlanKind::kOptimize;
  if (const TomlNode list = in.root.find("objective")) {
    for (const TomlNode& table : list.tables()) {
      Objective objective{.figure = in.read_figure(table)};
      objective.weight = table.get("weight", 1.0).positive("");
      objective.scale = table.get("scale", 1.0).positive("");
      if (const TomlNode target = table.find("target")) {
        objective.target = target.number("");
      } else {
        objective.is_max = table.get("goal", std::string("min")).choice({"min", "max"}) == "max";
      }
      study.objectives.push_back(objective);
    }
    if (!is_optimize) list.error("only plan \"optimize\" has objectives");
  } else if (is_optimize) {
    in.root.at("objective").error("an optimization needs [[objective]]");
  }
  if (const TomlNode list = in.root.find("constraint")) {
    for (const TomlNode& table : list.tables()) {
      Constraint constraint{.figure = in.read_figure(table)};
      if (const TomlNode min = table.find("min")) constraint.min = min.number("");
      if (const TomlNode max = table.find("max")) constraint.max = max.number("");
      if (!constraint.min && !constraint.max) table.error("must have min, max or both");
      if (constraint.min && constraint.max && !(*constraint.min <= *constraint.max))
        table.at("max").error(
            concat("must be >= min = ", *constraint.min, ", got ", *constraint.max));
      study.constraints.push_back(constraint);
    }
    if (!is_optimize) list.error("only plan \"optimize\" has constraints");
  }
  const bool is_subset = study.plan.kind == PlanKind::kSubset;
  if (const TomlNode table = in.root.find("event")) {
    Event event{.figure = in.read_figure(table)};
    const TomlNode above = table.find("above"), below = table.find("below");
    if (static_cast<bool>(above) == static_cast<bool>(below))
      table.error("must have either above or below");
    event.is_above = static_cast<bool>(above);
    if (above || below) event.bound = (above ? above : below).number("");
    event.failed_counts = table.get("failed_counts", true).boolean();
    study.event = event;
    if (!is_subset) table.error("only plan \"subset\" has an event");
  } else if (is_subset) {
    in.root.at("event").error("subset simulation needs [event] with figure and above or below");
  }
}

void read_keep(const Reading& in) {
  const TomlNode table = in.root.find("keep");
  if (!table) return;
  Keep& keep = in.study->keep;
  if (const TomlNode figures = table.find("figures")) {
    if (figures.is_array()) {
      for (const TomlNode& figure : figures.elements()) {
        keep.figures.push_back(figure.text());
        in.mention(figure, keep.figures.back());
      }
    } else {
      figures.choice({"all"});
    }
  }
  if (const TomlNode curves = table.find("curves")) {
    keep.curves = curves.texts();
    in.study->curves_place = curves.position();
  }
  keep.curve_points =
      static_cast<int>(table.get("curve_points", std::int64_t{200}).integer(2, 100000));
  if (const TomlNode runs = table.find("runs")) {
    if (const TomlNode list = runs.find("worst")) {
      for (const TomlNode& entry : list.tables()) {
        KeptWorst worst{.figure = in.read_figure(entry)};
        worst.is_largest =
            entry.get("end", std::string("largest")).choice({"largest", "smallest"}) == "largest";
        worst.count = static_cast<int>(entry.get("count", std::int64_t{5}).integer(1, 1000));
        keep.worst.push_back(worst);
      }
    }
    keep.failed = static_cast<int>(runs.get("failed", std::int64_t{0}).integer(0, 1000));
  }
}

void read_failure(const Reading& in) {
  const TomlNode table = in.root.find("failure");
  if (!table) return;
  FailureSettings& failure = in.study->failure;
  failure.time_limit = table.get("time_limit", failure.time_limit).positive("s");
  failure.retries = static_cast<int>(table.get("retries", std::int64_t{1}).integer(0, 100));
  failure.max_left_out = table.get("max_left_out", failure.max_left_out).in_range(0, 1, "");
}

void read_file_into(TomlFile file, const std::string& path, Study* result) {
  Study& study = *result;
  study.file = path;
  const Reading in{file.root(), &study};
  in.root.at("kind").choice({"study"});
  study.name = in.root.at("name").text();
  if (study.name.empty() || study.name.find('/') != std::string::npos)
    in.root.at("name").error("must not be empty and must have no \"/\"");
  study.about = in.root.get("about", std::string()).text();
  const TomlNode scenario = in.root.at("scenario");
  study.scenario = read_file_reference(scenario, folder_of(path), "scenario");
  study.scenario_place = scenario.position();
  study.seed =
      static_cast<std::uint64_t>(in.root.get("seed", std::int64_t{1}).integer(0, INT64_MAX));
  study.asks_for_lanes =
      in.root.get("kernel", std::string("scalar")).choice({"scalar", "lanes"}) == "lanes";
  if (const TomlNode set = in.root.find("set")) {
    study.assignments = set.texts();
    for (const TomlNode& one : set.elements())
      if (one.text().find('=') == std::string::npos) one.error("must be \"KEY=VALUE\"");
  }
  read_inputs(in);
  read_correlation(in);
  internal::read_plan(in);
  read_stop(in);
  read_goals(in);
  read_keep(in);
  read_failure(in);
  // Drives with random numbers of their own, unless the study sets them.
  const PlanKind kind = study.plan.kind;
  const bool has_own_seed =
      std::ranges::any_of(study.inputs,
                          [](const Input& input) {
                            return std::ranges::find(input.keys, "run.seed") != input.keys.end();
                          }) ||
      std::ranges::any_of(study.assignments,
                          [](const std::string& text) { return text.starts_with("run.seed="); });
  const bool is_random = is_drawn(kind) || kind == PlanKind::kLimit || kind == PlanKind::kOptimize;
  const std::string seeds =
      in.root.get("drive_seed", std::string(is_random && !has_own_seed ? "sample" : "common"))
          .choice({"sample", "common"});
  study.has_common_seed = seeds != "sample";
  if (!study.has_common_seed && has_own_seed)
    in.root.at("drive_seed").error("\"sample\" would replace run.seed, which the study sets");
  file.finish();
}

}  // namespace

void read_study(const std::string& path, const std::optional<std::string>& text, Study* study) {
  read_file_into(text ? parse_toml(*text, path) : load_toml(path), path, study);
}

Study load_study(const std::string& path) {
  Study study;
  read_study(path, {}, &study);
  return study;
}

Study parse_study(std::string text, const std::string& file) {
  Study study;
  read_file_into(parse_toml(std::move(text), file), file, &study);
  return study;
}

}  // namespace camber::study
