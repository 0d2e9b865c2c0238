#include "camber/analysis/modes_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/report/page.h"

namespace camber::analysis {
namespace {

using lagrange::Mode;
using report::Plot;
using report::Series;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<Mode> modes_at(const lagrange::RootLocus& locus, std::size_t i) {
  std::vector<Mode> modes;
  for (const auto& branch : locus.branches) modes.push_back(branch[i]);
  return modes;
}

/// One color per branch, the same for both of a conjugate pair.
std::vector<int> branch_colors(const lagrange::RootLocus& locus) {
  const std::vector<Mode> modes = modes_at(locus, locus.parameter.size() / 2);
  std::vector<int> colors(modes.size(), -1);
  int next = 0;
  for (std::size_t b = 0; b < modes.size(); ++b) {
    if (colors[b] >= 0) continue;
    colors[b] = next++;
    for (std::size_t c = b + 1; c < modes.size(); ++c) {
      if (modes[b].is_oscillatory() && modes[c].eigenvalue == std::conj(modes[b].eigenvalue)) {
        colors[c] = colors[b];
      }
    }
  }
  return colors;
}

/// What a branch is called: its leading state and frequency in the middle of the sweep.
std::string branch_label(const ModesAnalysis& analysis, std::size_t branch) {
  const lagrange::RootLocus& locus = analysis.sweep->locus;
  const std::vector<Mode> modes = modes_at(locus, locus.parameter.size() / 2);
  const Mode& mode = modes[branch];
  const std::string state = leading_state(analysis, modes, static_cast<int>(branch));
  return mode.is_oscillatory() ? concat(state, ", ", short_text(mode.frequency(), 2), " Hz")
                               : state;
}

/// A curve per branch of x and y made from each of its points; a pair's labeled half comes first.
template <class X, class Y>
void add_branches(const ModesAnalysis& analysis, const X& x, const Y& y, bool upper_half_only,
                  Series::Style style, Plot* plot) {
  const lagrange::RootLocus& locus = analysis.sweep->locus;
  const std::vector<int> colors = branch_colors(locus);
  int labeled = -1;
  for (std::size_t b = 0; b < locus.branches.size(); ++b) {
    Series series;
    series.style = style;
    series.color = colors[b];
    if (colors[b] > labeled) {
      series.label = branch_label(analysis, b);
      labeled = colors[b];
    }
    for (std::size_t i = 0; i < locus.parameter.size(); ++i) {
      const Mode& mode = locus.branches[b][i];
      const bool hidden = upper_half_only && mode.eigenvalue.imag() < 0.0;
      series.x.push_back(x(locus.parameter[i], mode));
      series.y.push_back(hidden ? kNaN : y(locus.parameter[i], mode));
    }
    plot->series.push_back(std::move(series));
  }
}

void add_limits(const ModesAnalysis::Sweep& sweep, Plot* plot) {
  for (const lagrange::StabilityLimit& limit : sweep.limits) {
    plot->marks.push_back(
        {report::Mark::Direction::kVertical, limit.parameter, short_text(limit.parameter, 5)});
  }
}

/// Real parts from the most damped oscillation to the least damped mode: fast decays, which nobody
/// feels, would press everything else into a corner.
report::Axis real_part_axis(const lagrange::RootLocus& locus) {
  double oscillatory = 0.0;
  double first = 0.0;
  double last = 0.0;
  for (const auto& branch : locus.branches) {
    for (const Mode& mode : branch) {
      const double real = mode.eigenvalue.real();
      first = std::min(first, real);
      last = std::max(last, real);
      if (mode.is_oscillatory()) oscillatory = std::min(oscillatory, real);
    }
  }
  if (oscillatory < 0.0) first = std::max(first, 1.25 * oscillatory);
  const double margin = 0.04 * (last - first);
  return {.label = "real part [1/s]", .first = first, .last = last + margin};
}

void add_sweep_figures(const ModesAnalysis& analysis, std::vector<Figure>* figures) {
  const ModesAnalysis::Sweep& sweep = *analysis.sweep;
  const double first = sweep.locus.parameter.front();
  const double last = sweep.locus.parameter.back();
  const std::string range =
      concat(sweep.parameter, " = ", short_text(first), " to ", short_text(last));
  const auto parameter = [](double p, const Mode&) { return p; };

  Plot locus{.title = "Root locus, " + range,
             .x = real_part_axis(sweep.locus),
             .y = {.label = "imaginary part [1/s]"}};
  locus.height = 560;
  add_branches(
      analysis, [](double, const Mode& m) { return m.eigenvalue.real(); },
      [](double, const Mode& m) { return m.eigenvalue.imag(); }, false,
      Series::Style::kLineAndPoints, &locus);
  figures->push_back({"root_locus.svg", locus});

  Plot real{.title = "Stability over " + sweep.parameter,
            .x = {.label = sweep.parameter, .first = first, .last = last},
            .y = real_part_axis(sweep.locus)};
  real.height = 560;
  add_branches(
      analysis, parameter, [](double, const Mode& m) { return m.eigenvalue.real(); }, true,
      Series::Style::kLine, &real);
  add_limits(sweep, &real);
  figures->push_back({"real_parts.svg", real});

  Plot frequency{.title = "Frequencies over " + sweep.parameter,
                 .x = {.label = sweep.parameter, .first = first, .last = last},
                 .y = {.label = "frequency [Hz]"}};
  add_branches(
      analysis, parameter,
      [](double, const Mode& m) { return m.is_oscillatory() ? m.frequency() : kNaN; }, true,
      Series::Style::kLine, &frequency);
  add_limits(sweep, &frequency);
  figures->push_back({"frequencies.svg", frequency});
}

/// Degrees, going on where the angle passes 180: a phase plot without jumps.
std::vector<double> unwrapped_phase(const std::vector<std::complex<double>>& values) {
  std::vector<double> phase;
  for (const auto& value : values) {
    double degrees = std::arg(value) * 180.0 / std::numbers::pi;
    if (!phase.empty()) degrees += 360.0 * std::round((phase.back() - degrees) / 360.0);
    phase.push_back(degrees);
  }
  return phase;
}

void add_response_figures(const ModesAnalysis& analysis, std::vector<Figure>* figures) {
  const ModesAnalysis::Responses& responses = *analysis.responses;
  const bool is_log = responses.frequencies.front() > 0.0;
  const report::Axis frequency{.label = "frequency [Hz]",
                               .is_log = is_log,
                               .first = responses.frequencies.front(),
                               .last = responses.frequencies.back()};
  const std::string per = " per unit of " + responses.input;
  Plot magnitude{
      .title = "Magnitude" + per, .x = frequency, .y = {.label = "magnitude", .is_log = true}};
  Plot phase{.title = "Phase", .x = frequency, .y = {.label = "phase [deg]", .step = 45.0}};
  Plot nyquist{
      .title = "Nyquist plot" + per, .x = {.label = "real part"}, .y = {.label = "imaginary part"}};
  for (std::size_t i = 0; i < responses.outputs.size(); ++i) {
    const auto& values = responses.values[i];
    Series size{.label = responses.outputs[i], .x = responses.frequencies, .y = {}};
    Series angle = size;
    angle.y = unwrapped_phase(values);
    Series path{.label = responses.outputs[i], .x = {}, .y = {}};
    for (const auto& value : values) {
      size.y.push_back(std::abs(value));
      path.x.push_back(value.real());
      path.y.push_back(value.imag());
    }
    magnitude.series.push_back(std::move(size));
    phase.series.push_back(std::move(angle));
    nyquist.series.push_back(std::move(path));
  }
  figures->push_back({"magnitude.svg", magnitude});
  figures->push_back({"phase.svg", phase});
  figures->push_back({"nyquist.svg", nyquist});
}

report::Table modes_table(const ModesAnalysis& analysis) {
  report::Table table{.caption = "",
                      .head = {"eigenvalue [1/s]", "frequency [Hz]", "damping ratio",
                               "time constant [s]", "", "states that take part"},
                      .rows = {}};
  const bool has_names = !analysis.mode_names.empty();
  if (has_names) table.head.insert(table.head.begin(), "mode");
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) {
    const Mode& mode = analysis.modes[k];
    if (mode.eigenvalue.imag() < 0.0) continue;
    std::string states;
    for (std::size_t i = 0; i < analysis.states.size(); ++i) {
      const double part = analysis.participation(static_cast<int>(i), static_cast<int>(k));
      if (part < 0.05) continue;
      states += concat(states.empty() ? "" : ", ", analysis.states[i], " ",
                       short_text(std::round(100 * part)), " %");
    }
    table.rows.push_back({eigenvalue_text(mode.eigenvalue),
                          mode.is_oscillatory() ? short_text(mode.frequency(), 5) : "",
                          damping_text(analysis, mode),
                          lagrange::classify(mode, analysis.modes) == lagrange::Stability::kNeutral
                              ? ""  // for ever, give or take rounding
                              : short_text(mode.time_constant(), 4),
                          stability_text(analysis, mode), states});
    if (has_names) table.rows.back().insert(table.rows.back().begin(), analysis.mode_names[k]);
  }
  return table;
}

/// Magnitude and angle of each state in each mode of the upper half, relative to the state that
/// takes part most: relative to the largest number it would be forces that decide.
report::Table shapes_table(const ModesAnalysis& analysis) {
  report::Table table{.caption = "Mode shapes: size and phase relative to the leading state",
                      .head = {"state"},
                      .rows = {}};
  for (const std::string& state : analysis.states) table.rows.push_back({state});
  for (std::size_t k = 0; k < analysis.modes.size(); ++k) {
    const Mode& mode = analysis.modes[k];
    if (mode.eigenvalue.imag() < 0.0) continue;
    Eigen::Index leading = 0;
    analysis.participation.col(static_cast<int>(k)).maxCoeff(&leading);
    table.head.push_back(eigenvalue_text(mode.eigenvalue));
    for (std::size_t i = 0; i < analysis.states.size(); ++i) {
      const std::complex<double> entry = mode.shape[static_cast<int>(i)] / mode.shape[leading];
      const double degrees = std::arg(entry) * 180.0 / std::numbers::pi;
      std::string text = short_text(std::abs(entry), 3);
      if (mode.is_oscillatory()) {
        text += concat(" \u2220 ", short_text(std::round(degrees)), "\u00b0");
      } else if (entry.real() < 0.0) {
        text.insert(0, 1, '-');
      }
      table.rows[i].push_back(text);
    }
  }
  return table;
}

std::string change_text(const lagrange::StabilityLimit& limit) {
  if (!limit.becomes_stable) return "becomes unstable";
  return limit.is_neutral_beyond ? "becomes neutral" : "becomes stable";
}

report::Table limits_table(const ModesAnalysis& analysis) {
  const ModesAnalysis::Sweep& sweep = *analysis.sweep;
  report::Table table{
      .caption = "",
      .head = {sweep.parameter, "what happens", "frequency [Hz]", "mode, as in the plots"},
      .rows = {}};
  for (const auto& limit : sweep.limits) {
    table.rows.push_back({short_text(limit.parameter, 8), change_text(limit),
                          limit.mode.is_oscillatory() ? short_text(limit.mode.frequency(), 5) : "",
                          branch_label(analysis, limit.branch)});
  }
  return table;
}

/// The matrix of a mechanism, in numbers.
report::Table numeric_matrix_table(const ModesAnalysis& analysis) {
  report::Table table{
      .caption = "Entries that are not zero", .head = {"rate of", "state", "entry"}, .rows = {}};
  for (int i = 0; i < analysis.A.rows(); ++i) {
    for (int j = 0; j < analysis.A.cols(); ++j) {
      if (analysis.A(i, j) == 0) continue;
      table.rows.push_back(
          {analysis.states[i], analysis.states[j], short_text(analysis.A(i, j), 8)});
    }
  }
  return table;
}

report::Table matrix_table(const ModesAnalysis& analysis) {
  report::Table table{.caption = "Entries that are not zero",
                      .head = {"matrix", "row", "column", "entry"},
                      .rows = {}};
  const lagrange::StateSpace& s = analysis.state_space;
  const std::pair<const char*, const lagrange::MatrixX*> named[] = {
      {"E", &s.E}, {"A", &s.A}, {"B", &s.B}};
  for (const auto& [name, M] : named) {
    for (int i = 0; i < M->rows(); ++i) {
      for (int j = 0; j < M->cols(); ++j) {
        if ((*M)(i, j).is_zero()) continue;
        const auto& columns = M == &s.B ? s.inputs : s.states;
        table.rows.push_back(
            {name, std::to_string(i + 1), columns[j].to_string(), (*M)(i, j).to_string()});
      }
    }
  }
  return table;
}

std::string parameters_text(const ModesAnalysis& analysis) {
  std::string text;
  for (const auto& [name, value] : analysis.parameters) {
    text += concat(text.empty() ? "" : ", ", name, " = ", short_text(value, 10));
  }
  return text;
}

std::vector<Plot> plots_of(const std::vector<Figure>& figures, std::size_t first,
                           std::size_t count) {
  std::vector<Plot> plots;
  for (std::size_t i = first; i < first + count; ++i) plots.push_back(figures[i].plot);
  return plots;
}

}  // namespace

std::string stability_text(const ModesAnalysis& analysis, const Mode& mode) {
  switch (lagrange::classify(mode, analysis.modes)) {
    case lagrange::Stability::kStable:
      return "stable";
    case lagrange::Stability::kNeutral:
      return "neutral";
    case lagrange::Stability::kUnstable:
      break;
  }
  return "unstable";
}

std::string damping_text(const ModesAnalysis& analysis, const Mode& mode) {
  if (!mode.is_oscillatory()) return "";
  const bool is_neutral = lagrange::classify(mode, analysis.modes) == lagrange::Stability::kNeutral;
  return is_neutral ? "0" : short_text(mode.damping_ratio(), 4);
}

std::string eigenvalue_text(const std::complex<double>& eigenvalue) {
  const bool is_undamped = std::abs(eigenvalue.real()) < 1e-12 * std::abs(eigenvalue.imag());
  const std::string real = short_text(is_undamped ? 0.0 : eigenvalue.real(), 8);
  return eigenvalue.imag() == 0.0
             ? real
             : concat(real, " \u00b1 ", short_text(std::abs(eigenvalue.imag()), 8), "i");
}

std::string limit_text(const ModesAnalysis& analysis, const lagrange::StabilityLimit& limit) {
  return concat(
      analysis.sweep->parameter, " = ", short_text(limit.parameter, 8), ": ",
      branch_label(analysis, limit.branch), ", ", change_text(limit),
      limit.mode.is_oscillatory() ? concat(" at ", short_text(limit.mode.frequency(), 5), " Hz")
                                  : std::string(" without oscillation"),
      limit.is_undecided ? "; undecided: the growth beside it is not clearly larger than rounding"
                         : "");
}

std::vector<Figure> make_figures(const ModesAnalysis& analysis) {
  std::vector<Figure> figures;
  if (analysis.sweep) add_sweep_figures(analysis, &figures);
  if (analysis.responses) add_response_figures(analysis, &figures);
  return figures;
}

std::string make_modes_report(const ModesAnalysis& analysis) {
  report::Page page("Modes of " + analysis.name);
  if (!analysis.about.empty()) page.add_paragraph(analysis.about);
  if (!analysis.parameters.empty()) {
    page.add_paragraph("Parameters: " + parameters_text(analysis));
  }
  page.add_heading("Modes").add_table(modes_table(analysis)).add_table(shapes_table(analysis));
  const std::vector<Figure> figures = make_figures(analysis);
  if (analysis.sweep) {
    page.add_heading("Sweep over " + analysis.sweep->parameter);
    if (analysis.sweep->limits.empty()) {
      page.add_paragraph("No mode changes between stable and unstable in this range.");
    } else {
      page.add_table(limits_table(analysis));
    }
    page.add_plots(plots_of(figures, 0, 3));
  }
  if (analysis.responses) {
    page.add_heading("Frequency responses to " + analysis.responses->input);
    page.add_plots(plots_of(figures, analysis.sweep ? 3 : 0, 3));
  }
  const bool is_numeric = analysis.A.size() > 0;
  page.add_heading(is_numeric ? "Linear model x' = A x" : "Linear model E x' = A x + B u");
  if (!analysis.model.notes.empty()) page.add_list(analysis.model.notes);
  page.add_table(is_numeric ? numeric_matrix_table(analysis) : matrix_table(analysis));
  return page.to_html();
}

}  // namespace camber::analysis
