#include "camber/study/study_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/report/key_figure.h"
#include "camber/report/markup.h"
#include "camber/report/page.h"
#include "camber/study/rounded_text.h"
#include "camber/study/study_charts.h"

namespace camber::study {
namespace {

using report::escape;
using report::Page;

std::string percent(double share) { return rounded_text(100 * share, 4) + " %"; }

std::string interval_text(const Estimate& e, int digits = 4) {
  const auto end = [&](double x, const char* none) {
    return std::isfinite(x) ? rounded_text(x, digits) : std::string(none);
  };
  return concat(end(e.low, "\u2212\u221e"), " to ", end(e.high, "\u221e"));
}

void add_verdict(const StudyFolder& folder, const StudyOutcome& outcome,
                 const StudySummary& summary, Page* page) {
  const Study& study = folder.study();
  const auto samples = static_cast<long>(outcome.merged.results.size());
  const bool is_partial = outcome.end == StudyEnd::kStopped;
  const bool is_bad = summary.too_many_left_out || !outcome.merged.conflicts.empty();
  std::string text;
  if (is_partial) {
    text = summary.planned > 0 ? concat("So far ", samples, " of ", summary.planned, " samples")
                               : concat("So far ", count_text(samples, "sample"));
  } else {
    text = count_text(samples, "sample");
    if (outcome.end == StudyEnd::kByRule)
      text += concat(", ended by the rule \"", study.stop->text, "\"");
  }
  if (summary.answers > 0 && is_drawn(study.plan.kind))
    text += concat(": ", percent(summary.pass_rate.value), " of drives pass");
  else if (summary.answers > 0 && !is_adaptive(study.plan.kind))
    text += concat(": ", summary.passed, " of ", summary.answers, " drives pass");
  if (outcome.strategy && !outcome.strategy->findings().empty() && !is_partial) {
    const auto [name, value] = outcome.strategy->findings().front();
    text += concat(": ", name, " ", value);
  }
  page->add_html(concat("<p class=\"verdict ", is_bad ? "bad" : "", "\">", escape(text), "</p>\n"));
  if (!study.about.empty()) page->add_paragraph(study.about);
  std::vector<std::string> notes;
  const auto left_out = samples - summary.answers;
  if (left_out > 0)
    notes.push_back(concat(count_text(left_out, "sample"), " gave no answer (",
                           percent(static_cast<double>(left_out) / static_cast<double>(samples)),
                           ") and are left out of all figures."));
  if (!outcome.merged.conflicts.empty())
    notes.push_back(concat(count_text(static_cast<long>(outcome.merged.conflicts.size()), "sample"),
                           " have two different results: journals come from different builds, or a "
                           "machine is broken."));
  if (outcome.merged.damaged > 0)
    notes.push_back(concat(count_text(outcome.merged.damaged, "line"),
                           " of the journals are damaged; their samples were driven again."));
  if (!notes.empty()) {
    std::string html = "<ul class=\"warnings\">\n";
    for (const std::string& note : notes) html += "<li>" + escape(note) + "</li>\n";
    page->add_html(html + "</ul>\n");
  }
}

void add_overview(const StudyFolder& folder, const StudyOutcome& outcome,
                  const StudySummary& summary, Page* page) {
  using report::Tile;
  const auto count = [&](SampleStatus status) {
    const auto at = summary.counts.find(status);
    return at == summary.counts.end() ? 0L : at->second;
  };
  std::vector<Tile> tiles;
  if (is_drawn(folder.study().plan.kind))
    tiles.push_back(
        {.title = "Pass rate",
         .unit = "%",
         .values = {{"passed", summary.answers > 0 ? rounded_text(100 * summary.pass_rate.value, 4)
                                                   : "\u2013"},
                    {"95 % interval", concat(rounded_text(100 * summary.pass_rate.low, 3), "\u2013",
                                             rounded_text(100 * summary.pass_rate.high, 3))}}});
  tiles.push_back({.title = "Drives",
                   .values = {{"reached their end", concat(count(SampleStatus::kDone))},
                              {"failed (an answer)", concat(count(SampleStatus::kFailed))}}});
  tiles.push_back({.title = "Left out",
                   .values = {{"refused", concat(count(SampleStatus::kRefused))},
                              {"timed out", concat(count(SampleStatus::kTimedOut))},
                              {"crashed", concat(count(SampleStatus::kCrashed))}}});
  tiles.push_back({.title = "Plan",
                   .values = {{"kind", std::string(name_of(folder.study().plan.kind))},
                              {"seed", concat(folder.study().seed)},
                              {"kernel", std::string(name_of(folder.facts().kernel))}}});
  page->add_html(to_html(tiles));
  if (outcome.strategy) {
    page->add_heading("Result");
    report::Table table{.head = {"", "value"}};
    for (const auto& [name, value] : outcome.strategy->findings())
      table.rows.push_back({name, value});
    page->add_table(table);
    std::vector<report::Chart> charts;
    for (const Strategy::Curve& curve : outcome.strategy->curves())
      charts.push_back({.id = "result",
                        .title = curve.title,
                        .unit = curve.unit,
                        .curves = {{.x = curve.x, .y = curve.y}},
                        .is_over_time = false,
                        .x = {.label = curve.x_label}});
    if (!charts.empty()) page->add_charts(charts);
  }
  if (summary.rule) {
    const RuleState& rule = *summary.rule;
    page->add_paragraph(
        concat("Rule \"", folder.study().stop->text, "\": ", rounded_text(rule.estimate.value, 5),
               ", interval ", interval_text(rule.estimate), "; a half-width of ",
               rounded_text(rule.wanted, 3), " is wanted: ", rule.is_met ? "met." : "not met."));
  }
}

void add_figure_table(const StudySummary& summary, Page* page) {
  report::Table table{.head = {"figure", "unit", "mean", "sigma", "5 %", "median", "95 %", "min",
                               "max", "required", "within"}};
  for (const FigureSummary& figure : summary.figures) {
    report::KeyFigure bounds{
        .name = figure.info.name, .lower = figure.info.lower, .upper = figure.info.upper};
    const auto at = [&](double p) -> std::string {
      for (const Percentile& one : figure.percentiles)
        if (one.probability == p) return rounded_text(one.estimate.value, 4);
      return "";
    };
    const bool has = !figure.sorted.empty();
    table.rows.push_back({figure.info.name, figure.info.unit == "1" ? "" : figure.info.unit,
                          has ? rounded_text(figure.mean.value, 4) : "",
                          has ? rounded_text(figure.sigma, 3) : "", at(0.05), at(0.5), at(0.95),
                          has ? rounded_text(figure.sorted.front(), 4) : "",
                          has ? rounded_text(figure.sorted.back(), 4) : "", bounds_text(bounds),
                          figure.pass_rate ? percent(figure.pass_rate->value) : ""});
  }
  page->add_heading("Figures");
  page->add_table(table);
}

/// Percentiles with their intervals, one figure after the other.
void add_percentiles(const StudySummary& summary, Page* page) {
  report::Table table{.head = {"figure", "percentile", "value", "95 % interval"}};
  for (const FigureSummary& figure : summary.figures)
    for (const Percentile& p : figure.percentiles)
      table.rows.push_back({figure.info.name, concat(short_text(100 * p.probability), " %"),
                            rounded_text(p.estimate.value, 5), interval_text(p.estimate)});
  page->add_html("<details><summary>Percentiles with distribution-free intervals</summary>\n");
  page->add_table(table);
  page->add_html("</details>\n");
}

void add_figure_charts(const StudyFolder& folder, const StudyOutcome& outcome,
                       const StudySummary& summary, Page* page) {
  const Study& study = folder.study();
  for (std::size_t i = 0; i < summary.figures.size(); ++i) {
    const FigureSummary& figure = summary.figures[i];
    if (figure.sorted.empty()) continue;
    page->add_heading(figure.info.name);
    std::string html = "<div class=\"charts\">\n" + to_html(histogram_chart(figure));
    if (is_drawn(study.plan.kind)) {
      html += to_html(ecdf_chart(figure, summary.confidence));
      if (const auto chart = convergence_chart(outcome.merged.results, i, figure))
        html += to_html(*chart);
    }
    html += tornado_bars(study, figure) + index_bars(study, figure) + morris_bars(study, figure) +
            effect_bars(figure);
    if (const auto chart = morris_chart(study, figure)) html += to_html(*chart);
    page->add_html(html + "</div>\n");
    if (figure.missing > 0)
      page->add_paragraph(
          concat(count_text(figure.missing, "drive"), " have no value of this figure."));
  }
}

void add_worst(const StudyFolder& folder, const StudyOutcome& outcome, const StudySummary& summary,
               Page* page) {
  const std::vector<long> worst = find_worst(folder, summary);
  const auto row = [&](long k) {
    const SampleResult& result = outcome.merged.results.at(k);
    std::vector<std::string> cells = {concat(k), std::string(name_of(result.status))};
    for (std::size_t i = 0; i < folder.study().inputs.size(); ++i) {
      const Input& input = folder.study().inputs[i];
      cells.push_back(input.distribution.is_text()
                          ? value_text(input, result.values[i])
                          : rounded_text(parse_number(value_text(input, result.values[i]), ""), 5));
    }
    return cells;
  };
  const auto add = [&](const std::string& title, const std::vector<long>& list, std::size_t most) {
    if (list.empty()) return;
    page->add_heading(title);
    std::string html = "<div class=\"wide\"><table>\n<thead><tr><th>sample</th><th>status</th>";
    for (const Input& input : folder.study().inputs) html += "<th>" + escape(input.name) + "</th>";
    html += "<th>drive it again</th><th>reason</th></tr></thead>\n";
    for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
      html += "<tr>";
      for (const std::string& cell : row(list[i])) html += "<td>" + escape(cell) + "</td>";
      const std::string run = concat("runs/sample-", list[i], "/report.html");
      html += std::filesystem::exists(concat(folder.path(), "/", run))
                  ? concat("<td><a href=\"", run, "\">report</a></td>")
                  : concat("<td><code>camber study drive DIR ", list[i], "</code></td>");
      html += concat("<td class=\"wrap\">", escape(outcome.merged.results.at(list[i]).reason),
                     "</td></tr>\n");
    }
    html += "</table></div>\n";
    if (list.size() > most)
      html += concat("<p class=\"note\">and ", list.size() - most,
                     " more: samples.csv has them all</p>\n");
    page->add_html(html);
  };
  if (!outcome.merged.results.empty())
    page->add_html(
        "<p class=\"note\">Every sample opens by a click: <code>camber view DIR</code>, with this "
        "folder</p>\n");
  add("Worst runs", worst, 100);
  if (folder.study().keep.failed == 0) add("Failed drives", summary.failed_samples, 10);
  add("Left out", summary.left_out_samples, 20);
}

void add_inputs(const StudyFolder& folder, Page* page) {
  const Study& study = folder.study();
  page->add_heading("Inputs");
  report::Table table{.head = {"input", "keys", "unit", "distribution"}};
  for (const Input& input : study.inputs) {
    std::string keys;
    for (const std::string& key : input.keys) keys += (keys.empty() ? "" : ", ") + key;
    table.rows.push_back({input.name, keys, input.unit, describe(input.distribution)});
  }
  page->add_table(table);
  if (!study.copula.is_independent()) {
    std::vector<std::string> list;
    const std::size_t n = study.inputs.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j)
        if (study.rank_correlation[i * n + j] != 0)
          list.push_back(concat(study.inputs[i].name, ", ", study.inputs[j].name,
                                ": rank correlation ",
                                short_text(study.rank_correlation[i * n + j])));
    page->add_list(list);
  }
}

}  // namespace

std::string make_study_report(const StudyFolder& folder, const StudyOutcome& outcome,
                              const StudySummary& summary) {
  Page page(folder.study().name);
  page.add_html(study_style());
  add_verdict(folder, outcome, summary, &page);
  add_overview(folder, outcome, summary, &page);
  add_figure_table(summary, &page);
  if (is_drawn(folder.study().plan.kind)) add_percentiles(summary, &page);
  add_inputs(folder, &page);
  if (!summary.bands.empty()) {
    page.add_heading("Curves");
    std::vector<report::Chart> charts;
    for (const CurveBand& band : summary.bands) charts.push_back(band_chart(band));
    page.add_charts(charts);
  }
  // Samples of a search crowd where it looked: their distributions mean nothing.
  if (!is_adaptive(folder.study().plan.kind)) add_figure_charts(folder, outcome, summary, &page);
  if (const std::string matrix = scatter_matrix(folder, outcome.merged.results, summary);
      !matrix.empty()) {
    page.add_heading("Inputs against figures");
    page.add_html(matrix);
  }
  add_worst(folder, outcome, summary, &page);
  page.add_heading("How it was made");
  const auto join = [](const std::set<std::string>& list) {
    std::string text;
    for (const std::string& one : list) text += (text.empty() ? "" : ", ") + one;
    return text;
  };
  page.add_table(
      {.head = {"", "value"},
       .rows = {{"study", folder.id()},
                {"scenario", std::filesystem::path(folder.study().scenario).filename().string()},
                {"plan", std::string(name_of(folder.study().plan.kind))},
                {"kernel", join(outcome.merged.kernels)},
                {"instruction set", join(outcome.merged.instructions)}}});
  page.add_html(
      "<p class=\"note\">Files, versions and machines: study.json and journal/ in the study's "
      "folder. "
      "All samples: samples.csv, samples.parquet.</p>\n");
  return page.to_html();
}

}  // namespace camber::study
