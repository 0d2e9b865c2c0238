#include <algorithm>
#include <array>
#include <cmath>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/study/sobol_sequence.h"
#include "camber/study/study_tables.h"

namespace camber::study::internal {
namespace {

constexpr std::array<std::string_view, 13> kPlanWords = {
    "grid",          "list",   "random",   "latin",     "sobol",
    "one_at_a_time", "morris", "saltelli", "factorial", "central_composite",
    "optimize",      "subset", "limit"};

void read_rows(const Reading& in, const TomlNode& plan) {
  Study& study = *in.study;
  const TomlNode list = plan.at("rows");
  for (const TomlNode& row : list.elements()) {
    const std::vector<TomlNode> cells = row.elements();
    if (cells.size() != study.inputs.size()) {
      row.error(
          concat("must have one value per input, ", study.inputs.size(), ", got ", cells.size()));
      continue;
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Distribution& d = study.inputs[i].distribution;
      if (d.kind != DistributionKind::kChoice) {
        values.push_back(cells[i].number(study.inputs[i].unit));
        continue;
      }
      const std::string text = d.is_text() ? cells[i].text() : concat(cells[i].number(""));
      std::vector<std::string> known = d.texts;
      for (const double value : d.values) known.push_back(concat(value));
      const auto at = std::ranges::find(known, text);
      if (at == known.end())
        cells[i].error(
            concat("\"", text, "\" is not one of the input's values", did_you_mean(text, known)));
      values.push_back(static_cast<double>(at == known.end() ? 0 : at - known.begin()));
    }
    study.plan.rows.push_back(std::move(values));
  }
  if (study.plan.rows.empty()) list.error("must have one row at least");
}

void require_uniform(const Reading& in, const Input& input, std::string_view what) {
  if (input.distribution.kind == DistributionKind::kUniform) return;
  for (const TomlNode& table : in.root.at("input").tables())
    if (table.find("key")
            ? table.at("key").position().line == input.where.line
            : table.find("keys") && table.at("keys").position().line == input.where.line)
      table.at("distribution")
          .at("kind")
          .error(concat("must be \"uniform\" with low and high for ", what, ", got \"",
                        name_of(input.distribution.kind), "\""));
}

void read_optimize(const Reading& in, const TomlNode& node) {
  Study& study = *in.study;
  PlanSettings& plan = study.plan;
  plan.is_nelder_mead =
      node.get("method", std::string("cma_es")).choice({"cma_es", "nelder_mead"}) == "nelder_mead";
  plan.evaluations = node.get("evaluations", std::int64_t{1000}).integer(1, kMaxSamples);
  plan.population = static_cast<int>(node.get("population", std::int64_t{0}).integer(0, 100000));
  plan.restarts = static_cast<int>(node.get("restarts", std::int64_t{2}).integer(0, 100));
  plan.sigma = node.get("sigma", 0.3).in_range(1e-6, 2, "");
  plan.noise_samples =
      static_cast<int>(node.get("noise_samples", std::int64_t{1}).integer(1, 1 << 20));
  const std::string measure =
      node.get("robust", std::string("mean")).choice({"mean", "mean_plus_sigma", "quantile"});
  plan.robust = measure == "mean"              ? RobustMeasure::kMean
                : measure == "mean_plus_sigma" ? RobustMeasure::kMeanPlusSigma
                                               : RobustMeasure::kQuantile;
  if (plan.robust == RobustMeasure::kMeanPlusSigma)
    plan.robust_factor = node.get("factor", 2.0).positive("");
  if (plan.robust == RobustMeasure::kQuantile)
    plan.robust_factor = node.get("quantile", 0.9).in_range(0, 1, "");
  const bool has_roles = std::ranges::any_of(study.inputs, &Input::is_design);
  for (Input& input : study.inputs) {
    if (!has_roles) input.is_design = true;
    if (input.is_design) require_uniform(in, input, "an input of an optimization");
  }
  const bool has_noise = !std::ranges::all_of(study.inputs, &Input::is_design);
  if (has_noise && plan.noise_samples == 1)
    node.error("inputs with role = \"noise\" need noise_samples = 2 or more");
}

}  // namespace

void read_plan(const Reading& in) {
  Study& study = *in.study;
  PlanSettings& plan = study.plan;
  const TomlNode node = in.root.at("plan");
  const std::string word = node.get("kind", std::string("sobol")).choice(kPlanWords);
  const auto at = std::ranges::find(kPlanWords, word);
  if (at == kPlanWords.end()) return;
  plan.kind = static_cast<PlanKind>(at - kPlanWords.begin());
  const auto read_samples = [&](std::int64_t fallback, std::int64_t low = 1) {
    plan.samples = node.get("samples", fallback).integer(low, kMaxSamples);
  };
  const auto inputs = static_cast<double>(study.inputs.size());
  double total = 0;
  switch (plan.kind) {
    case PlanKind::kRandom:
    case PlanKind::kLatin:
      read_samples(1000);
      total = static_cast<double>(plan.samples);
      // A permutation per input is kept in memory.
      if (plan.kind == PlanKind::kLatin && total * inputs > static_cast<double>(kMaxSamples))
        node.error("samples times inputs of a Latin hypercube must be at most 1e8; take \"sobol\"");
      break;
    case PlanKind::kSobol:
      read_samples(1024);
      plan.is_scrambled = node.get("scramble", true).boolean();
      plan.replicates = static_cast<int>(
          node.get("replicates", std::int64_t{in.root.find("stop") ? 8 : 1}).integer(1, 1024));
      if (plan.replicates > 1 && !plan.is_scrambled)
        node.at("scramble").error("replicates differ in their scrambling");
      if (inputs > SobolSequence::max_dimensions()) node.error("too many inputs for Sobol' points");
      if ((plan.samples & (plan.samples - 1)) != 0)
        node.at("samples").warning("Sobol' points fill space evenly at powers of 2");
      total = static_cast<double>(plan.samples);
      break;
    case PlanKind::kGrid:
      plan.levels = static_cast<int>(node.get("levels", std::int64_t{3}).integer(1, 100000));
      total = 1;
      for (const Input& input : study.inputs)
        total *= input.distribution.kind == DistributionKind::kChoice
                     ? static_cast<double>(input.distribution.choices())
                 : input.distribution.kind == DistributionKind::kConstant ? 1
                                                                          : plan.levels;
      break;
    case PlanKind::kList:
      read_rows(in, node);
      break;
    case PlanKind::kOneAtATime:
      break;
    case PlanKind::kMorris:
      plan.trajectories =
          static_cast<int>(node.get("trajectories", std::int64_t{20}).integer(2, 1000000));
      plan.levels = static_cast<int>(node.get("levels", std::int64_t{4}).integer(2, 1000));
      if (plan.levels % 2 != 0) node.at("levels").error(concat("must be even, got ", plan.levels));
      break;
    case PlanKind::kSaltelli:
      read_samples(512, 8);
      if (2 * inputs > SobolSequence::max_dimensions()) node.error("too many inputs");
      if ((plan.samples & (plan.samples - 1)) != 0)
        node.at("samples").error(concat("must be a power of 2, got ", plan.samples));
      total = static_cast<double>(plan.samples) * (inputs + 2);
      if (!study.rank_correlation.empty())
        node.error("Sobol' indices are not defined for correlated inputs; leave [correlation] out");
      break;
    case PlanKind::kFactorial:
    case PlanKind::kCentralComposite:
      total = inputs > 40 ? 1e12 : std::ldexp(1.0, static_cast<int>(inputs));
      if (plan.kind == PlanKind::kCentralComposite) {
        plan.center_points =
            static_cast<int>(node.get("center_points", std::int64_t{1}).integer(1, 1000));
        for (const Input& input : study.inputs)
          if (input.distribution.kind == DistributionKind::kChoice)
            node.error(concat("input \"", input.name, "\" is a choice, which has no center"));
      }
      break;
    case PlanKind::kOptimize:
      read_optimize(in, node);
      break;
    case PlanKind::kSubset:
      read_samples(1000, 20);
      plan.level_probability = node.get("level_probability", 0.1).in_range(0.01, 0.5, "");
      plan.max_levels = static_cast<int>(node.get("max_levels", std::int64_t{10}).integer(1, 50));
      break;
    case PlanKind::kLimit: {
      const TomlNode name = node.at("input");
      plan.limit_input = find_input(study, name.text());
      if (plan.limit_input < 0)
        name.error(concat("there is no input \"", name.text(), "\"",
                          did_you_mean(name.text(), input_names(study))));
      if (plan.limit_input < 0)
        plan.limit_input = 0;
      else
        require_uniform(in, study.inputs[static_cast<std::size_t>(plan.limit_input)], "a limit");
      plan.tolerance = node.at("tolerance").positive("");
      plan.repeats = static_cast<int>(node.get("repeats", std::int64_t{1}).integer(1, 1000000));
      plan.required_rate = node.get("required_rate", 1.0).in_range(0, 1, "");
      break;
    }
  }
  if (total > kMaxSamples)
    node.error(concat("the plan has ", short_text(total, 4), " samples; at most 1e8"));
}

}  // namespace camber::study::internal
