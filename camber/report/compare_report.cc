#include "camber/report/compare_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::report {
namespace {

constexpr std::size_t kMaxCharts = 120;

std::string number_text(double value, int digits = 6) {
  return std::isfinite(value) ? short_text(value, digits) : "";
}

std::string signed_text(double value, int digits = 4) {
  return value > 0 ? "+" + number_text(value, digits) : number_text(value, digits);
}

std::string unit_text(const std::string& unit) { return unit == "1" ? "" : unit; }

/// The time [first, last] of a run, so that a chart shows no more than was compared.
ChartCurve make_curve(const ComparedRun& run, const ColumnComparison& compared,
                      const Comparison& comparison) {
  const FoundColumn found = find_column(run, compared.channel, compared.column);
  const std::vector<double> values = column_of(*found.channel, found.column);
  ChartCurve curve{.label = run.name};
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    if (run.times[i] < comparison.first_time || run.times[i] > comparison.last_time) continue;
    curve.x.push_back(run.times[i]);
    curve.y.push_back(values[i]);
  }
  return curve;
}

bool is_constant(const ChartCurve& curve, double value) {
  return std::ranges::all_of(curve.y, [&](double y) { return y == value || !std::isfinite(y); });
}

/// False for a column that is the same constant in all runs: nothing to see.
bool is_worth_seeing(const Chart& chart) {
  const auto& first = chart.curves.front().y;
  const auto finite = std::ranges::find_if(first, [](double y) { return std::isfinite(y); });
  const double value = finite != first.end() ? *finite : 0.0;
  return !std::ranges::all_of(chart.curves,
                              [&](const ChartCurve& curve) { return is_constant(curve, value); });
}

Chart make_chart(std::span<const ComparedRun> runs, const ColumnComparison& compared,
                 const Comparison& comparison) {
  Chart chart{.id = concat("channel-", compared.channel, "-", compared.column),
              .title = compared.column.empty() ? compared.channel
                                               : concat(compared.channel, ": ", compared.column),
              .unit = compared.unit,
              .x = {.label = "time [s]"}};
  std::ranges::replace_if(
      chart.id, [](char c) { return c == '/' || c == ' ' || c == '.'; }, '-');
  if (comparison.last_time > comparison.first_time) {
    chart.x.first = comparison.first_time;
    chart.x.last = comparison.last_time;
  }
  for (const ComparedRun& run : runs) chart.curves.push_back(make_curve(run, compared, comparison));
  return chart;
}

void add_charts(std::span<const ComparedRun> runs, const Comparison& comparison, Page* page) {
  std::vector<Chart> charts;
  std::size_t constant = 0, left_out = 0;
  for (const ColumnComparison& compared : comparison.columns) {
    Chart chart = make_chart(runs, compared, comparison);
    if (!is_worth_seeing(chart)) {
      ++constant;
    } else if (charts.size() == kMaxCharts) {
      ++left_out;
    } else {
      charts.push_back(std::move(chart));
    }
  }
  page->add_heading("Over time");
  std::string note =
      "Point at a chart for the values at that time; drag to zoom into a span of time, on a touch "
      "screen with two fingers; double-click for all of it.";
  if (constant > 0) note += concat(" Not drawn: ", constant, " that are constant and equal.");
  if (left_out > 0) note += concat(" In the table only: ", left_out, " more.");
  page->add_paragraph(note);
  page->add_charts(charts);
}

}  // namespace

Table figures_table(std::span<const ComparedRun> runs, const Comparison& comparison) {
  Table table{.head = {"figure", "unit"}};
  for (const ComparedRun& run : runs) table.head.push_back(run.name);
  for (const ComparedRun& run : runs.subspan(1)) table.head.push_back("difference of " + run.name);
  for (const FigureComparison& figure : comparison.figures) {
    std::vector<std::string> row = {figure.name, unit_text(figure.unit)};
    for (const double value : figure.values) row.push_back(number_text(value));
    for (std::size_t i = 1; i < figure.values.size(); ++i) {
      row.push_back(signed_text(figure.values[i] - figure.values[0], 6));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table differences_table(std::span<const ComparedRun> runs, const Comparison& comparison) {
  const bool is_pair = runs.size() == 2;
  Table table{.head = {"channel", "column", "unit"}};
  if (!is_pair) table.head.emplace_back("run");
  for (const char* head : {"largest difference", "at [s]", "first", "other", "% of range"}) {
    table.head.emplace_back(head);
  }
  std::vector<std::pair<double, std::vector<std::string>>> rows;  // by what differs most
  for (const ColumnComparison& column : comparison.columns) {
    for (std::size_t i = 0; i < column.runs.size(); ++i) {
      const LargestDifference& largest = column.runs[i];
      const double share = 100.0 * std::abs(largest.difference) / column.range;
      std::vector<std::string> row = {column.channel, column.column, unit_text(column.unit)};
      if (!is_pair) row.push_back(runs[i + 1].name);
      row.insert(row.end(), {signed_text(largest.difference), number_text(largest.time),
                             number_text(largest.first_value), number_text(largest.value),
                             number_text(share, 3)});
      rows.emplace_back(std::isnan(share) ? 0 : share, std::move(row));
    }
  }
  std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.first; });
  for (auto& [share, row] : rows) table.rows.push_back(std::move(row));
  return table;
}

std::string make_compare_report(std::span<const ComparedRun> runs, const Comparison& comparison) {
  std::string title = "Comparison of ";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    title += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + runs[i].name;
  }
  Page page(title);
  page.add_paragraph(concat("From ", short_text(comparison.first_time), " to ",
                            short_text(comparison.last_time), " s. Differences are those to ",
                            runs.front().name, ", at its samples."));
  if (!comparison.notes.empty()) page.add_list(comparison.notes);
  if (!comparison.figures.empty()) {
    page.add_heading("Figures").add_table(figures_table(runs, comparison));
  }
  add_charts(runs, comparison, &page);
  page.add_heading("Largest differences").add_table(differences_table(runs, comparison));
  return page.to_html();
}

}  // namespace camber::report
