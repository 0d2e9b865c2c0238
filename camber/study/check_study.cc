#include "camber/study/check_study.h"

#include <algorithm>
#include <set>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/overrides.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/run/lane_driver.h"
#include "camber/run/simulation.h"
#include "camber/scenario/parts_cache.h"
#include "camber/scenario/scenario_file.h"
#include "camber/study/study_file.h"

namespace camber::study {
namespace {

/// Assignments with the places of the study's file.
Overrides make_overrides(const Study& study, const std::vector<double>& values) {
  Overrides overrides(study.assignments, Position{.file = study.file});
  for (std::size_t i = 0; i < study.inputs.size(); ++i) {
    std::vector<std::string> list;
    Study one;
    one.inputs = {study.inputs[i]};
    overrides.append(Overrides(assignments_of(one, {values[i]}, {}), study.inputs[i].where));
  }
  return overrides;
}

class Checker {
 public:
  explicit Checker(const Study& study) : study_(study) {}

  /// Whether the scenario can be built with these values.
  bool build(const std::vector<double>& values) { return build(make_overrides(study_, values)); }
  bool build(const Overrides& overrides) {
    try {
      run::Simulation::load(study_.scenario, overrides, &cache_);
      return true;
    } catch (const ModelFileError& error) {
      add(error.diagnostics());
    } catch (const std::exception& error) {
      add({{Severity::kError, study_.scenario_place, error.what()}});
    }
    return false;
  }

  void check_inputs() {
    if (!build(Overrides(study_.assignments, Position{.file = study_.file}))) return;
    std::vector<double> middle;
    for (const Input& input : study_.inputs) middle.push_back(quantile(input.distribution, 0.5));
    // Each key by itself, so that a mistake in one does not hide those of others.
    bool is_good = true;
    for (std::size_t i = 0; i < study_.inputs.size(); ++i) {
      const Distribution& d = study_.inputs[i].distribution;
      Study one = study_;
      one.inputs = {study_.inputs[i]};
      std::set<double> values = {middle[i], low_end(d), high_end(d)};
      if (d.kind == DistributionKind::kChoice)
        for (std::size_t c = 0; c < d.choices(); ++c) values.insert(static_cast<double>(c));
      for (const double value : values) {
        if (build(make_overrides(one, {value}))) continue;
        is_good = false;
        break;
      }
    }
    if (!is_good) return;
    std::vector<double> low, high;
    for (const Input& input : study_.inputs) {
      low.push_back(low_end(input.distribution));
      high.push_back(high_end(input.distribution));
    }
    if (build(middle) && study_.inputs.size() > 1 && build(low)) build(high);
  }

  std::vector<Diagnostic>& diagnostics() { return diagnostics_; }

 private:
  void add(const std::vector<Diagnostic>& more) {
    for (const Diagnostic& one : more) {
      const std::string text = to_text(one);
      if (seen_.insert(text).second) diagnostics_.push_back(one);
    }
  }

  const Study& study_;
  scenario::PartsCache cache_;
  std::vector<Diagnostic> diagnostics_;
  std::set<std::string> seen_;
};

std::vector<std::string> column_names(const std::vector<record::Channel>& channels) {
  std::vector<std::string> names;
  for (const record::Channel& channel : channels) {
    if (channel.entries() == 1) {
      names.push_back(channel.name);
    } else if (channel.shape.size() == 1) {
      for (const std::string& column : channel.names) names.push_back(channel.name + "." + column);
    }
  }
  return names;
}

std::string unit_of(const std::vector<record::Channel>& channels, const std::string& column) {
  for (const record::Channel& channel : channels) {
    if (channel.entries() == 1 && channel.name == column)
      return channel.units.empty() ? "" : channel.units.front();
    for (std::size_t i = 0; i < channel.names.size(); ++i)
      if (channel.name + "." + channel.names[i] == column && !channel.units.empty())
        return channel.units.size() == 1 ? channel.units.front() : channel.units[i];
  }
  return "";
}

run::Simulation build_middle(const Study& study) {
  std::vector<double> middle;
  for (const Input& input : study.inputs) middle.push_back(quantile(input.distribution, 0.5));
  return run::Simulation::load(study.scenario, make_overrides(study, middle));
}

StudyFacts make_facts(const Study& study, run::Simulation simulation,
                      std::vector<Diagnostic>* diagnostics) {
  StudyFacts facts;
  if (study.asks_for_lanes) {
    facts.kernel_note = run::find_lane_hindrance(&simulation, run::default_lanes());
    if (facts.kernel_note.empty()) facts.kernel = KernelKind::kLanes;
  }
  const scenario::Scenario& scenario = simulation.scenario();
  facts.duration = scenario.run.duration;
  std::vector<std::string> all;
  for (const figures::FigureRequest& request : scenario.figures) {
    all.push_back(request.name);
    if (!study.keep.figures.empty() &&
        std::ranges::find(study.keep.figures, request.name) == study.keep.figures.end() &&
        std::ranges::none_of(study.mentions,
                             [&](const auto& m) { return m.figure == request.name; }))
      continue;
    const figures::KeyFigure* known = figures::find_key_figure(request.figure);
    facts.figures.push_back({.name = request.name,
                             .unit = known == nullptr ? "" : std::string(known->unit),
                             .lower = request.min,
                             .upper = request.max});
  }
  for (const Study::FigureMention& mention : study.mentions)
    if (std::ranges::find(all, mention.figure) == all.end())
      diagnostics->push_back({Severity::kError, mention.where,
                              concat("the scenario has no figure \"", mention.figure, "\"",
                                     did_you_mean(mention.figure, all))});
  const std::vector<std::string> columns = column_names(simulation.channels());
  for (const std::string& curve : study.keep.curves) {
    if (std::ranges::find(columns, curve) == columns.end())
      diagnostics->push_back(
          {Severity::kError, study.curves_place,
           concat("the drive has no channel \"", curve, "\"", did_you_mean(curve, columns))});
    facts.curve_names.push_back(curve);
    facts.curve_units.push_back(unit_of(simulation.channels(), curve));
  }
  return facts;
}

}  // namespace

StudyFacts read_facts(const Study& study) {
  std::vector<Diagnostic> diagnostics;
  StudyFacts facts = make_facts(study, build_middle(study), &diagnostics);
  if (!diagnostics.empty()) throw ModelFileError(diagnostics);
  return facts;
}

CheckedStudy check_study(const std::string& path, const std::optional<std::string>& text) {
  const FileWatch watch;
  CheckedStudy checked;
  std::vector<Diagnostic> diagnostics;
  try {
    read_study(path, text, &checked.study);
  } catch (const ModelFileError& error) {
    diagnostics = error.diagnostics();
    if (checked.study.scenario.empty() || checked.study.inputs.empty()) throw;
  }
  Checker checker(checked.study);
  checker.check_inputs();
  const bool can_build = checker.diagnostics().empty();
  diagnostics.insert(diagnostics.end(), checker.diagnostics().begin(), checker.diagnostics().end());
  if (can_build)
    checked.facts = make_facts(checked.study, build_middle(checked.study), &diagnostics);
  const bool has_error = std::ranges::any_of(
      diagnostics, [](const Diagnostic& d) { return d.severity == Severity::kError; });
  if (has_error) {
    std::ranges::stable_sort(diagnostics, [](const Diagnostic& a, const Diagnostic& b) {
      return std::tie(a.where.file, a.where.line) < std::tie(b.where.file, b.where.line);
    });
    throw ModelFileError(diagnostics);
  }
  checked.files = watch.paths();
  if (text) checked.files.insert(checked.files.begin(), path);
  checked.text = text;
  return checked;
}

}  // namespace camber::study
