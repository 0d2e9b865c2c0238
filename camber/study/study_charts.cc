#include "camber/study/study_charts.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/report/markup.h"
#include "camber/study/rounded_text.h"

namespace camber::study {
namespace {

using report::Chart;
using report::ChartCurve;
using report::ChartOutline;
using report::escape;

constexpr std::size_t kMaxBars = 20;

std::string unit_label(const FigureInfo& info) {
  return info.unit.empty() || info.unit == "1"
             ? info.name
             : concat(info.name, " [", report::unit_markup(info.unit), "]");
}

/// Vertical lines where the figure's bounds are, if they are near the data.
void add_bounds(const FigureSummary& figure, double top, Chart* chart) {
  const double low = figure.sorted.front(), high = figure.sorted.back();
  const double reach = std::max(high - low, 1e-12) * 0.5;
  for (const auto& [bound, name] :
       {std::pair(figure.info.lower, "at least"), std::pair(figure.info.upper, "at most")}) {
    if (!bound || *bound < low - reach || *bound > high + reach) continue;
    chart->curves.push_back({.label = concat(name, " ", rounded_text(*bound, 4)),
                             .x = {*bound, *bound},
                             .y = {0, top},
                             .color = 1,
                             .style = ChartCurve::Style::kDashed});
  }
}

/// A row of a chart of bars: from `from` to `to`, with an interval, in the data's unit.
struct Bar {
  std::string name, text;
  double from = 0, to = 0;
  std::optional<Estimate> interval = {};
  int color = 0;
};

std::string bars_card(const std::string& title, const std::string& note,
                      const std::vector<Bar>& bars, bool has_zero) {
  if (bars.empty()) return "";
  double low = has_zero ? 0 : bars.front().from, high = low;
  for (const Bar& bar : bars) {
    low = std::min({low, bar.from, bar.to, bar.interval ? bar.interval->low : bar.from});
    high = std::max({high, bar.from, bar.to, bar.interval ? bar.interval->high : bar.from});
  }
  const double length = high > low ? high - low : 1;
  const auto place = [&](double x) {
    return fixed_text(100 * std::clamp((x - low) / length, 0.0, 1.0), 2);
  };
  std::string html =
      concat("<section class=\"card\"><h2>", escape(title), "</h2>\n<div class=\"bars\">\n");
  for (std::size_t i = 0; i < std::min(bars.size(), kMaxBars); ++i) {
    const Bar& bar = bars[i];
    const double left = std::min(bar.from, bar.to), right = std::max(bar.from, bar.to);
    html += concat("<span class=\"bar-name\" title=\"", escape(bar.name), "\">", escape(bar.name),
                   "</span><span class=\"bar-track\"><i class=\"c", bar.color,
                   "\" style=\"left:", place(left), "%;width:max(2px,",
                   fixed_text(100 * (right - left) / length, 2), "%)\"></i>");
    if (bar.interval)
      html += concat(
          "<b style=\"left:", place(bar.interval->low), "%;right:",
          fixed_text(100 - 100 * std::clamp((bar.interval->high - low) / length, 0.0, 1.0), 2),
          "%\"></b>");
    html += concat("</span><span class=\"bar-text\">", escape(bar.text), "</span>\n");
  }
  html += "</div>\n";
  if (bars.size() > kMaxBars)
    html += concat("<p class=\"note\">and ", bars.size() - kMaxBars, " smaller ones</p>\n");
  if (!note.empty()) html += "<p class=\"note\">" + escape(note) + "</p>\n";
  return html + "</section>\n";
}

/// May be broken after "_".
std::string breakable(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '_' ? "_<wbr>" : escape(std::string(1, c));
  return result;
}

const std::string& input_name(const Study& study, std::size_t i) { return study.inputs[i].name; }

}  // namespace

Chart histogram_chart(const FigureSummary& figure) {
  const Histogram h = make_histogram(figure.sorted);
  Chart chart{.id = "histogram-" + figure.info.name,
              .title = "Histogram",
              .unit = "samples",
              .is_over_time = false};
  chart.x.label = unit_label(figure.info);
  double top = 0;
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const double left = h.first + h.width * static_cast<double>(i), right = left + h.width;
    const auto count = static_cast<double>(h.counts[i]);
    top = std::max(top, count);
    chart.outlines.push_back(
        {.label = concat(rounded_text(left, 4), " to ", rounded_text(right, 4), ": ", h.counts[i]),
         .x = {left, left, right, right},
         .y = {0, count, count, 0}});
  }
  add_bounds(figure, top, &chart);
  return chart;
}

Chart ecdf_chart(const FigureSummary& figure, double confidence) {
  Chart chart{.id = "ecdf-" + figure.info.name,
              .title = "Distribution function",
              .unit = "share of samples",
              .note = concat("Area: holds the true one with ", short_text(100 * confidence),
                             " % everywhere at once."),
              .is_over_time = false};
  chart.x.label = unit_label(figure.info);
  const std::size_t n = figure.sorted.size();
  const double band = ecdf_band(static_cast<long>(n), confidence);
  ChartCurve curve;
  ChartOutline area;
  const std::size_t step = std::max<std::size_t>(1, n / 400);
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < n; i += step)
    points.emplace_back(figure.sorted[i], static_cast<double>(i + 1) / static_cast<double>(n));
  points.emplace_back(figure.sorted.back(), 1.0);
  for (const auto& [x, p] : points) {
    curve.x.push_back(x);
    curve.y.push_back(p);
    area.x.push_back(x);
    area.y.push_back(std::min(1.0, p + band));
  }
  for (auto at = points.rbegin(); at != points.rend(); ++at) {
    area.x.push_back(at->first);
    area.y.push_back(std::max(0.0, at->second - band));
  }
  chart.y.first = 0;
  chart.y.last = 1;
  chart.curves = {curve};
  chart.outlines = {area};
  add_bounds(figure, 1, &chart);
  return chart;
}

std::optional<Chart> convergence_chart(const std::map<long, SampleResult>& results, std::size_t at,
                                       const FigureSummary& figure) {
  constexpr std::size_t kFewest = 16;
  if (figure.sorted.size() < kFewest) return {};
  ChartCurve mean{.label = "mean"};
  ChartOutline area{.label = "95 % interval"};
  std::vector<double> low, sofar;
  double sum = 0, square = 0, center = figure.mean.value;
  long n = 0;
  const long step = std::max(1L, static_cast<long>(figure.sorted.size()) / 200);
  for (const auto& [k, result] : results) {
    if (!result.is_answer() || !std::isfinite(result.figures[at])) continue;
    const double y = result.figures[at] - center;
    sum += y;
    square += y * y;
    ++n;
    if (n < 8 || n % step != 0) continue;
    const auto count = static_cast<double>(n);
    const double m = sum / count;
    const double sigma = std::sqrt(std::max(0.0, (square - count * m * m) / (count - 1)));
    const double half = 1.96 * sigma / std::sqrt(count);
    mean.x.push_back(count);
    mean.y.push_back(center + m);
    area.x.push_back(count);
    area.y.push_back(center + m + half);
    low.push_back(center + m - half);
  }
  for (std::size_t i = low.size(); i-- > 0;) {
    area.x.push_back(mean.x[i]);
    area.y.push_back(low[i]);
  }
  Chart chart{.id = "convergence-" + figure.info.name,
              .title = "Convergence of the mean",
              .unit = figure.info.unit == "1" ? "" : figure.info.unit,
              .curves = {mean},
              .is_over_time = false};
  chart.x.label = "samples";
  chart.outlines = {area};
  return chart;
}

Chart band_chart(const CurveBand& band) {
  Chart chart{.id = "band-" + band.name,
              .title = band.name,
              .unit = band.unit,
              .note = "Areas: 5 to 95 % and 25 to 75 % of drives; line: median."};
  const auto area = [&](std::size_t low, std::size_t high, const char* label) {
    ChartOutline outline{.label = label};
    std::vector<std::size_t> good;
    for (std::size_t i = 0; i < band.times.size(); ++i)
      if (std::isfinite(band.quantiles[low][i])) good.push_back(i);
    for (const std::size_t i : good) {
      outline.x.push_back(band.times[i]);
      outline.y.push_back(band.quantiles[high][i]);
    }
    for (auto at = good.rbegin(); at != good.rend(); ++at) {
      outline.x.push_back(band.times[*at]);
      outline.y.push_back(band.quantiles[low][*at]);
    }
    chart.outlines.push_back(outline);
  };
  area(0, 4, "5 to 95 %");
  area(1, 3, "25 to 75 %");
  chart.curves = {{.label = "median", .x = band.times, .y = band.quantiles[2]}};
  chart.is_wide = true;
  return chart;
}

std::optional<Chart> morris_chart(const Study& study, const FigureSummary& figure) {
  if (figure.morris.empty()) return {};
  Chart chart{.id = "morris-" + figure.info.name,
              .title = "Elementary effects",
              .unit = "sigma",
              .note =
                  "Far to the right: matters. High up: acts together with others, or not in a "
                  "straight line.",
              .is_over_time = false,
              .is_wide = true};
  chart.x.label = "mean size of effects, mu*";
  chart.x.first = 0;
  double right = 0;
  for (std::size_t i = 0; i < figure.morris.size(); ++i) {
    right = std::max(right, figure.morris[i].mean_size.value);
    chart.labels.push_back({.x = figure.morris[i].mean_size.value,
                            .y = figure.morris[i].sigma,
                            .text = input_name(study, i)});
  }
  chart.x.last = 1.2 * right;
  chart.labels.push_back({.x = 0, .y = 0, .text = ""});
  return chart;
}

std::string tornado_bars(const Study& study, const FigureSummary& figure) {
  std::vector<Bar> bars;
  for (const Swing& swing : figure.tornado)
    bars.push_back(
        {.name = input_name(study, static_cast<std::size_t>(swing.input)),
         .text = concat(rounded_text(swing.low, 3), " \u2192 ", rounded_text(swing.high, 3)),
         .from = swing.low,
         .to = swing.high,
         .color = swing.high >= swing.low ? 0 : 1});
  const bool is_mean = !figure.tornado.empty() && figure.tornado.front().is_mean;
  return bars_card("Tornado: " + figure.info.name,
                   is_mean ? "Mean of the figure over the lowest fifth \u2192 the highest fifth of "
                             "each input; blue rises, orange falls."
                           : "The figure at the low end \u2192 the high end of each input, all "
                             "others in their middle; blue rises, orange falls.",
                   bars, false);
}

std::string index_bars(const Study& study, const FigureSummary& figure) {
  std::vector<Bar> first, total;
  for (std::size_t i = 0; i < figure.sobol.size(); ++i) {
    const SobolIndices& s = figure.sobol[i];
    const auto text = [](const Estimate& e) {
      return concat(rounded_text(e.value, 3), " (", rounded_text(e.low, 2), " to ",
                    rounded_text(e.high, 2), ")");
    };
    first.push_back({.name = input_name(study, i),
                     .text = text(s.first),
                     .to = s.first.value,
                     .interval = s.first,
                     .color = 0});
    total.push_back({.name = input_name(study, i),
                     .text = text(s.total),
                     .to = s.total.value,
                     .interval = s.total,
                     .color = 2});
  }
  return bars_card("First-order Sobol' indices",
                   "Share of the variance that comes from the input alone.", first, true) +
         bars_card("Total Sobol' indices",
                   "Share that comes from the input, alone and together with others.", total, true);
}

std::string morris_bars(const Study& study, const FigureSummary& figure) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < figure.morris.size(); ++i) {
    const Estimate& e = figure.morris[i].mean_size;
    bars.push_back({.name = input_name(study, i),
                    .text = concat(rounded_text(e.value, 3), " (sigma ",
                                   rounded_text(figure.morris[i].sigma, 3), ")"),
                    .to = e.value,
                    .interval = e});
  }
  std::ranges::stable_sort(bars, [](const Bar& a, const Bar& b) { return a.to > b.to; });
  return bars_card("Morris: mean size of effects",
                   "Change of the figure over the whole range of the input.", bars, true);
}

std::string effect_bars(const FigureSummary& figure) {
  std::vector<Bar> bars;
  for (const Effect& effect : figure.effects)
    bars.push_back({.name = effect.name,
                    .text = rounded_text(effect.value, 3),
                    .to = effect.value,
                    .color = effect.value >= 0 ? 0 : 1});
  return bars_card("Effects",
                   "Change of the figure from the low end to the high end, by least squares.", bars,
                   true);
}

std::string scatter_matrix(const StudyFolder& folder, const std::map<long, SampleResult>& results,
                           const StudySummary& summary) {
  constexpr std::size_t kMost = 6, kPoints = 500;
  const Study& study = folder.study();
  std::vector<std::size_t> inputs, figures;
  for (std::size_t i = 0; i < study.inputs.size() && inputs.size() < kMost; ++i)
    if (study.inputs[i].distribution.kind != DistributionKind::kConstant) inputs.push_back(i);
  for (std::size_t i = 0; i < summary.figures.size() && figures.size() < kMost; ++i)
    if (summary.figures[i].sorted.size() >= 3 &&
        summary.figures[i].sorted.front() < summary.figures[i].sorted.back())
      figures.push_back(i);
  if (inputs.empty() || figures.empty()) return "";
  std::vector<const SampleResult*> chosen;
  const std::size_t step = std::max<std::size_t>(1, results.size() / kPoints);
  std::size_t n = 0;
  for (const auto& [k, result] : results)
    if (n++ % step == 0 && result.is_answer()) chosen.push_back(&result);
  std::string html =
      concat("<div class=\"wide\"><table class=\"matrix\" style=\"--columns:", inputs.size(),
             "\"><thead><tr><th></th>");
  // Ends of the axes, in small letters.
  const auto range = [](double low, double high, const std::string& unit) {
    return concat("<small>", escape(rounded_text(low, 3)), " to ", escape(rounded_text(high, 3)),
                  " ", unit == "1" ? "" : report::unit_markup(unit), "</small>");
  };
  const auto ends_of = [&](std::size_t i) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const SampleResult* r : chosen) {
      low = std::min(low, r->values[i]);
      high = std::max(high, r->values[i]);
    }
    return std::pair(low, high);
  };
  for (const std::size_t i : inputs) {
    const auto [low, high] = ends_of(i);
    const bool is_choice = study.inputs[i].distribution.kind == DistributionKind::kChoice;
    html += concat("<th>", breakable(study.inputs[i].name), "<br>",
                   is_choice ? "" : range(low, high, study.inputs[i].unit), "</th>");
  }
  html += "</tr></thead>\n";
  for (const std::size_t f : figures) {
    const FigureSummary& figure = summary.figures[f];
    const double low = figure.sorted.front(), height = figure.sorted.back() - low;
    html += concat("<tr><th>", breakable(figure.info.name), "<br>",
                   range(low, figure.sorted.back(), figure.info.unit), "</th>");
    for (const std::size_t i : inputs) {
      const auto [left, right] = ends_of(i);
      std::string good, bad;
      for (const SampleResult* r : chosen) {
        if (!std::isfinite(r->figures[f])) continue;
        const double x = right > left ? 4 + 92 * (r->values[i] - left) / (right - left) : 50;
        const double y = 66 - 62 * (r->figures[f] - low) / height;
        (r->passed ? good : bad) += concat("M", fixed_text(x, 1), " ", fixed_text(y, 1), "h0");
      }
      html += concat(
          "<td><svg viewBox=\"0 0 100 70\" preserveAspectRatio=\"none\"><path class=\"c0\" d=\"",
          good, "\"/><path class=\"c1\" d=\"", bad, "\"/></svg></td>");
    }
    html += "</tr>\n";
  }
  return html +
         "</table></div>\n<p class=\"note\">Blue: drives that pass; orange: drives that do not. "
         "Low values are left and below.</p>\n";
}

const char* study_style() {
  return R"(<style>
.tile dd { white-space: nowrap; } .tile dd.aside:empty { min-width: 0; }
.bars { display: grid; grid-template-columns: minmax(5rem, auto) 1fr auto; gap: .3rem .7rem; align-items: center; font-size: .85rem; margin: .5rem 0; }
.bar-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 16rem; }
.bar-track { position: relative; height: 1.1rem; background: var(--soft); border-radius: .2rem; min-width: 4rem; }
.bar-track i { position: absolute; top: .12rem; bottom: .12rem; background: var(--color); border-radius: .15rem; }
.bar-track b { position: absolute; top: 50%; height: 2px; margin-top: -1px; background: var(--ink); opacity: .75; }
.bar-text { font-variant-numeric: tabular-nums; color: var(--muted); white-space: nowrap; }
.matrix td { padding: .15rem; } .matrix th { white-space: normal; max-width: 12rem; font-size: .8rem; } .matrix small { font-weight: 400; color: var(--muted); }
.matrix svg { width: 11rem; height: 7rem; background: var(--soft); border-radius: .3rem; display: block; }
.matrix path { stroke: var(--color); stroke-width: 3.5; stroke-linecap: round; vector-effect: non-scaling-stroke; opacity: .55; fill: none; }
details { margin: .8rem 0; } summary { cursor: pointer; font-weight: 600; }
code { font-size: .85em; }
@media (max-width: 40rem) { .bar-name { max-width: 7rem; } .matrix svg { width: 7rem; height: 5rem; } }
</style>
)";
}

}  // namespace camber::study
