#include "camber/study/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "camber/core/require.h"
#include "camber/study/plan.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;
using Results = std::map<long, SampleResult>;

constexpr double kPercentiles[] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
constexpr double kBandQuantiles[] = {0.05, 0.25, 0.5, 0.75, 0.95};
constexpr std::size_t kListed = 1000;

/// Values of a figure and an input over the answers that have both.
struct Column {
  std::vector<double> y;
  std::vector<const SampleResult*> of;
};

Column take_column(const Results& results, std::size_t figure) {
  Column column;
  for (const auto& [k, result] : results) {
    if (!result.is_answer() || !std::isfinite(result.figures[figure])) continue;
    column.y.push_back(result.figures[figure]);
    column.of.push_back(&result);
  }
  return column;
}

std::optional<double> value_at(const Results& results, long k, std::size_t figure) {
  const auto at = results.find(k);
  if (at == results.end() || !at->second.is_answer()) return {};
  const double y = at->second.figures[figure];
  return std::isfinite(y) ? std::optional(y) : std::nullopt;
}

void add_tornado_of_samples(const Study& study, const Column& column, FigureSummary* figure) {
  constexpr std::size_t kFewest = 10;
  const std::size_t n = column.y.size();
  for (std::size_t i = 0; i < study.inputs.size(); ++i) {
    std::vector<double> x;
    for (const SampleResult* result : column.of) x.push_back(result->values[i]);
    figure->rank_correlations.push_back(n < 3 ? 0 : rank_correlation(x, column.y));
    if (n < kFewest) continue;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    const std::size_t fifth = n / 5;
    Swing swing{.input = static_cast<int>(i), .is_mean = true};
    for (std::size_t m = 0; m < fifth; ++m) {
      swing.low += column.y[order[m]] / static_cast<double>(fifth);
      swing.high += column.y[order[n - 1 - m]] / static_cast<double>(fifth);
    }
    figure->tornado.push_back(swing);
  }
}

void add_one_at_a_time(const Study& study, const Results& results, std::size_t at,
                       FigureSummary* figure) {
  const std::vector<int> varied = varied_inputs(study);
  for (std::size_t m = 0; m < varied.size(); ++m) {
    const auto low = value_at(results, 1 + 2 * static_cast<long>(m), at);
    const auto high = value_at(results, 2 + 2 * static_cast<long>(m), at);
    if (low && high) figure->tornado.push_back({.input = varied[m], .low = *low, .high = *high});
  }
}

void add_sobol(const Study& study, const Results& results, std::size_t at, double confidence,
               FigureSummary* figure) {
  const std::size_t n = study.inputs.size();
  std::vector<double> a, b;
  std::vector<std::vector<double>> ab(n);
  for (long j = 0; j < study.plan.samples; ++j) {
    std::vector<double> row;
    for (long m = 0; m < static_cast<long>(n + 2); ++m)
      if (const auto y = value_at(results, j * static_cast<long>(n + 2) + m, at)) row.push_back(*y);
    if (row.size() != n + 2) continue;  // a row counts whole or not at all
    a.push_back(row[0]);
    b.push_back(row[1]);
    for (std::size_t i = 0; i < n; ++i) ab[i].push_back(row[2 + i]);
  }
  if (a.size() >= 8) figure->sobol = sobol_indices(a, b, ab, confidence, study.seed);
}

void add_morris(const Study& study, const Results& results, std::size_t at, double confidence,
                FigureSummary* figure) {
  const std::size_t n = study.inputs.size();
  std::vector<std::vector<double>> effects(n);
  const long points = static_cast<long>(study.plan.trajectories) * static_cast<long>(n + 1);
  for (long k = 0; k < points; ++k) {
    const MorrisMove move = morris_move(study, k);
    if (move.input < 0) continue;
    const auto before = value_at(results, k - 1, at), after = value_at(results, k, at);
    if (before && after)
      effects[static_cast<std::size_t>(move.input)].push_back((*after - *before) / move.change);
  }
  for (const std::vector<double>& list : effects)
    figure->morris.push_back(morris_measures(list, confidence, study.seed));
}

/// Least squares over coded inputs (-1 .. 1): main effects, pairs, and squares in central composite
/// plans. An effect is the change from the low end to the high end: twice the coefficient.
void add_effects(const Study& study, const Column& column, FigureSummary* figure) {
  const std::vector<int> varied = varied_inputs(study);
  const std::size_t n = varied.size();
  std::vector<std::string> names = {"mean"};
  const auto name = [&](std::size_t i) {
    return study.inputs[static_cast<std::size_t>(varied[i])].name;
  };
  for (std::size_t i = 0; i < n; ++i) names.push_back(name(i));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) names.push_back(concat(name(i), " x ", name(j)));
  const bool has_squares = study.plan.kind == PlanKind::kCentralComposite;
  for (std::size_t i = 0; i < n && has_squares; ++i) names.push_back(name(i) + "^2");
  if (column.y.size() < names.size()) return;
  std::vector<double> x;
  for (const SampleResult* result : column.of) {
    std::vector<double> coded;
    for (const int v : varied) {
      const Distribution& d = study.inputs[static_cast<std::size_t>(v)].distribution;
      const double low = low_end(d), high = high_end(d);
      coded.push_back((2 * result->values[static_cast<std::size_t>(v)] - low - high) /
                      (high - low));
    }
    x.push_back(1);
    x.insert(x.end(), coded.begin(), coded.end());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) x.push_back(coded[i] * coded[j]);
    for (std::size_t i = 0; i < n && has_squares; ++i) x.push_back(coded[i] * coded[i]);
  }
  const std::vector<double> b = least_squares(x, column.y, static_cast<int>(names.size()));
  for (std::size_t i = 1; i < names.size(); ++i)
    figure->effects.push_back({.name = names[i], .value = 2 * b[i]});
  std::ranges::stable_sort(figure->effects, [](const Effect& p, const Effect& q) {
    return std::abs(p.value) > std::abs(q.value);
  });
}

FigureSummary summarize_figure(const Study& study, const StudyFacts& facts, const Results& results,
                               std::size_t at, double confidence) {
  FigureSummary figure{.info = facts.figures[at]};
  const Column column = take_column(results, at);
  figure.sorted = column.y;
  std::ranges::sort(figure.sorted);
  long answers = 0, passed = 0;
  const auto is_within = [&](double y) {
    return std::isfinite(y) && !(figure.info.lower && y < *figure.info.lower) &&
           !(figure.info.upper && y > *figure.info.upper);
  };
  for (const auto& [k, result] : results) {
    if (!result.is_answer()) continue;
    ++answers;
    if (is_within(result.figures[at])) ++passed;
  }
  figure.missing = answers - static_cast<long>(column.y.size());
  if (figure.info.lower || figure.info.upper)
    figure.pass_rate = wilson(passed, answers, confidence);
  if (column.y.empty()) return figure;
  figure.mean = mean_of(column.y, confidence);
  figure.sigma = sigma_of(column.y);
  for (const double p : kPercentiles)
    figure.percentiles.push_back({p, quantile_of(figure.sorted, p, confidence)});
  std::vector<std::size_t> order(column.y.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return column.y[a] < column.y[b]; });
  for (std::size_t i = 0; i < std::min(order.size(), kListed); ++i) {
    figure.smallest.push_back(column.of[order[i]]->k);
    figure.largest.push_back(column.of[order[order.size() - 1 - i]]->k);
  }
  switch (study.plan.kind) {
    case PlanKind::kOneAtATime:
      add_one_at_a_time(study, results, at, &figure);
      break;
    case PlanKind::kSaltelli:
      add_sobol(study, results, at, confidence, &figure);
      break;
    case PlanKind::kMorris:
      add_morris(study, results, at, confidence, &figure);
      break;
    case PlanKind::kFactorial:
    case PlanKind::kCentralComposite:
      add_effects(study, column, &figure);
      break;
    default:
      add_tornado_of_samples(study, column, &figure);
      break;
  }
  std::ranges::stable_sort(figure.tornado, [](const Swing& a, const Swing& b) {
    return std::abs(a.high - a.low) > std::abs(b.high - b.low);
  });
  return figure;
}

std::vector<CurveBand> make_bands(const Study& study, const StudyFacts& facts,
                                  const Results& results) {
  std::vector<CurveBand> bands;
  const int points = study.keep.curve_points;
  for (std::size_t c = 0; c < facts.curve_names.size(); ++c) {
    CurveBand band{.name = facts.curve_names[c], .unit = facts.curve_units[c]};
    band.quantiles.resize(std::size(kBandQuantiles));
    for (int i = 0; i < points; ++i) {
      band.times.push_back(facts.duration * i / (points - 1));
      std::vector<double> values;
      for (const auto& [k, result] : results)
        if (result.is_answer() && c < result.curves.size() &&
            std::isfinite(result.curves[c][static_cast<std::size_t>(i)]))
          values.push_back(result.curves[c][static_cast<std::size_t>(i)]);
      std::ranges::sort(values);
      for (std::size_t q = 0; q < std::size(kBandQuantiles); ++q)
        band.quantiles[q].push_back(quantile_of(values, kBandQuantiles[q], 0.95).value);
    }
    bands.push_back(std::move(band));
  }
  return bands;
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json to_json(const Estimate& estimate) {
  return {{"value", number(estimate.value)},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)}};
}

Json to_json(const Study& study, const FigureSummary& figure) {
  Json json{{"name", figure.info.name}, {"unit", figure.info.unit}};
  if (figure.info.lower) json["lower"] = *figure.info.lower;
  if (figure.info.upper) json["upper"] = *figure.info.upper;
  json["count"] = figure.sorted.size();
  json["missing"] = figure.missing;
  if (figure.pass_rate) json["pass_rate"] = to_json(*figure.pass_rate);
  if (figure.sorted.empty()) return json;
  json["mean"] = to_json(figure.mean);
  json["sigma"] = number(figure.sigma);
  json["min"] = figure.sorted.front();
  json["max"] = figure.sorted.back();
  Json percentiles;
  for (const Percentile& p : figure.percentiles)
    percentiles[concat("p", 100 * p.probability)] = to_json(p.estimate);
  json["percentiles"] = percentiles;
  const auto name = [&](std::size_t i) { return study.inputs[i].name; };
  if (!figure.tornado.empty()) {
    Json list = Json::array();
    for (const Swing& swing : figure.tornado)
      list.push_back({{"input", name(static_cast<std::size_t>(swing.input))},
                      {"at_low", number(swing.low)},
                      {"at_high", number(swing.high)}});
    json["tornado"] = list;
  }
  for (std::size_t i = 0; i < figure.rank_correlations.size(); ++i)
    json["rank_correlations"][name(i)] = number(figure.rank_correlations[i]);
  for (std::size_t i = 0; i < figure.sobol.size(); ++i)
    json["sobol_indices"][name(i)] = {{"first", to_json(figure.sobol[i].first)},
                                      {"total", to_json(figure.sobol[i].total)}};
  for (std::size_t i = 0; i < figure.morris.size(); ++i)
    json["morris"][name(i)] = {{"mean", number(figure.morris[i].mean)},
                               {"mean_size", to_json(figure.morris[i].mean_size)},
                               {"sigma", number(figure.morris[i].sigma)}};
  for (const Effect& effect : figure.effects) json["effects"][effect.name] = number(effect.value);
  return json;
}

}  // namespace

RuleState look_at_rule(const Study& study, const StudyFacts& facts, const Results& results,
                       long count) {
  const StopRule& rule = *study.stop;
  std::size_t at = 0;
  while (at < facts.figures.size() && facts.figures[at].name != rule.figure) ++at;
  const bool is_sobol = study.plan.kind == PlanKind::kSobol && study.plan.replicates > 1;
  const auto parts = static_cast<std::size_t>(is_sobol ? study.plan.replicates : 1);
  std::vector<std::vector<double>> values(parts);
  std::vector<long> passed(parts), answers(parts);
  for (const auto& [k, result] : results) {
    if (k >= count || !result.is_answer()) continue;
    const std::size_t part = static_cast<std::size_t>(k) % parts;
    ++answers[part];
    passed[part] += result.passed ? 1 : 0;
    if (at < facts.figures.size() && std::isfinite(result.figures[at]))
      values[part].push_back(result.figures[at]);
  }
  RuleState state;
  for (std::vector<double>& list : values) std::ranges::sort(list);
  using Statistic = StopRule::Statistic;
  const auto estimate = [&](std::size_t part) -> Estimate {
    switch (rule.statistic) {
      case Statistic::kPassRate:
        return wilson(passed[part], answers[part], rule.confidence);
      case Statistic::kQuantile:
        return quantile_of(values[part], rule.probability, rule.confidence);
      case Statistic::kMean:
        break;
    }
    return mean_of(values[part], rule.confidence);
  };
  if (is_sobol) {
    // The textbook interval does not hold for Sobol' points; the spread of independent scramblings
    // does.
    std::vector<double> list;
    for (std::size_t part = 0; part < parts; ++part) list.push_back(estimate(part).value);
    state.estimate = combine(list, rule.confidence);
  } else {
    state.estimate = estimate(0);
  }
  state.wanted = rule.half_width * (rule.is_relative ? std::abs(state.estimate.value) : 1);
  state.is_met = 0.5 * (state.estimate.high - state.estimate.low) <= state.wanted;
  return state;
}

StudySummary summarize(const StudyFolder& folder, const Results& results) {
  const Study& study = folder.study();
  StudySummary summary;
  if (!is_adaptive(study.plan.kind)) summary.planned = Plan(&study).size();
  long last = 0;
  for (const auto& [k, result] : results) {
    ++summary.counts[result.status];
    last = std::max(last, k + 1);
    if (result.is_answer()) {
      ++summary.answers;
      summary.passed += result.passed ? 1 : 0;
      if (result.status == SampleStatus::kFailed) {
        ++summary.failed;
        if (summary.failed_samples.size() < 1000) summary.failed_samples.push_back(k);
      }
    } else if (summary.left_out_samples.size() < 1000) {
      summary.left_out_samples.push_back(k);
    }
  }
  summary.pass_rate = wilson(summary.passed, summary.answers, summary.confidence);
  const long left_out = static_cast<long>(results.size()) - summary.answers;
  summary.too_many_left_out = static_cast<double>(left_out) >
                              study.failure.max_left_out * static_cast<double>(results.size());
  for (std::size_t i = 0; i < folder.facts().figures.size(); ++i)
    summary.figures.push_back(
        summarize_figure(study, folder.facts(), results, i, summary.confidence));
  summary.bands = make_bands(study, folder.facts(), results);
  if (study.stop) summary.rule = look_at_rule(study, folder.facts(), results, last);
  return summary;
}

std::string to_json_text(const StudyFolder& folder, const StudySummary& summary,
                         const Merged& merged, const std::string& strategy) {
  const Study& study = folder.study();
  Json json{{"kind", "study"}, {"name", study.name}};
  if (!study.about.empty()) json["about"] = study.about;
  json["id"] = folder.id();
  json["plan"] = name_of(study.plan.kind);
  json["seed"] = study.seed;
  json["kernel"] = name_of(folder.facts().kernel);
  if (!folder.facts().kernel_note.empty()) json["kernel_note"] = folder.facts().kernel_note;
  Json inputs = Json::array();
  for (const Input& input : study.inputs)
    inputs.push_back({{"name", input.name},
                      {"keys", input.keys},
                      {"unit", input.unit},
                      {"distribution", describe(input.distribution)}});
  json["inputs"] = inputs;
  if (summary.planned > 0) json["planned"] = summary.planned;
  json["samples"] = merged.results.size();
  json["answers"] = summary.answers;
  json["passed"] = summary.passed;
  for (const auto& [status, count] : summary.counts)
    json["counts"][std::string(name_of(status))] = count;
  if (is_drawn(study.plan.kind)) json["pass_rate"] = to_json(summary.pass_rate);
  json["confidence"] = summary.confidence;
  json["too_many_left_out"] = summary.too_many_left_out;
  json["conflicts"] = merged.conflicts.size();
  if (summary.rule)
    json["stop"] = {{"when", study.stop->text},
                    {"estimate", to_json(summary.rule->estimate)},
                    {"half_width_wanted", number(summary.rule->wanted)},
                    {"met", summary.rule->is_met}};
  if (!strategy.empty()) json["result"] = Json::parse(strategy);
  Json figures = Json::array();
  for (const FigureSummary& figure : summary.figures) figures.push_back(to_json(study, figure));
  json["figures"] = figures;
  Json left_out = Json::array();
  for (const long k : summary.left_out_samples) {
    const SampleResult& result = merged.results.at(k);
    left_out.push_back(
        {{"sample", k}, {"status", name_of(result.status)}, {"reason", result.reason}});
  }
  json["left_out"] = left_out;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<long> find_worst(const StudyFolder& folder, const StudySummary& summary) {
  std::vector<long> list;
  const auto add = [&](long k) {
    if (std::ranges::find(list, k) == list.end()) list.push_back(k);
  };
  for (const KeptWorst& worst : folder.study().keep.worst)
    for (const FigureSummary& figure : summary.figures) {
      if (figure.info.name != worst.figure) continue;
      const std::vector<long>& from = worst.is_largest ? figure.largest : figure.smallest;
      for (std::size_t i = 0;
           i < std::min<std::size_t>(from.size(), static_cast<std::size_t>(worst.count)); ++i)
        add(from[i]);
    }
  for (std::size_t i = 0;
       i < std::min<std::size_t>(summary.failed_samples.size(),
                                 static_cast<std::size_t>(folder.study().keep.failed));
       ++i)
    add(summary.failed_samples[i]);
  return list;
}

}  // namespace camber::study
