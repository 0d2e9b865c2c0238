#include "camber/analysis/rig_report.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/report/key_figure.h"

namespace camber::analysis {

using report::Chart, report::ChartCurve, report::Table;
using vehicle::AxleSweep, vehicle::RigState;

namespace {

constexpr int kPositions = 8;  // in a table, approximately

// --- Tables ---

/// A position of a table and what it is called, where it has a name.
struct Position {
  const RigState* state = nullptr;
  std::string name;
};

/// Both ends, zero, and the sweep's values at round steps between them.
std::vector<Position> choose_positions(const std::vector<RigState>& states, const RigColumn& x) {
  const double first = x.shown(states.front()), last = x.shown(states.back());
  const std::vector<double> ticks = report::linear_ticks(first, last, kPositions - 2);
  const double near = 1e-6 * (last - first);
  // The ends stand for the round values beside them.
  const double apart = ticks.size() > 1 ? 0.4 * (ticks[1] - ticks[0]) : 0;
  std::vector<Position> positions;
  for (const RigState& state : states) {
    const double value = x.shown(state);
    const bool is_end = &state == &states.front() || &state == &states.back();
    const bool is_tick = std::any_of(ticks.begin(), ticks.end(), [&](double tick) {
      return std::abs(tick - value) < near && tick - first > apart && last - tick > apart;
    });
    if (is_end || is_tick) positions.push_back({&state, std::abs(value) < near ? "design" : ""});
  }
  return positions;
}

Table table_of(std::string caption, const std::vector<RigColumn>& columns,
               const std::vector<Position>& positions) {
  const auto is_named = [](const Position& position) { return !position.name.empty(); };
  const bool has_names = std::any_of(positions.begin(), positions.end(), is_named);
  Table table{.caption = std::move(caption), .head = {columns[0].title()}, .rows = {}};
  for (const Position& position : positions) {
    std::string head = fixed_text(columns[0].shown(*position.state), columns[0].decimals);
    if (has_names && is_named(position)) head += " " + position.name;
    table.head.push_back(std::move(head));
  }
  for (std::size_t i = 1; i < columns.size(); ++i) {
    std::vector<std::string> row{columns[i].title()};
    for (const Position& position : positions)
      row.push_back(fixed_text(columns[i].shown(*position.state), columns[i].decimals));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// --- Charts ---

std::string id_of(const std::string& section, const std::string& title) {
  std::string id = section + "-";
  for (const char c : title) {
    const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_letter) {
      id += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (id.back() != '-') {
      id += '-';
    }
  }
  while (id.back() == '-') id.pop_back();
  return id;
}

/// The charts of a section share what they are drawn over, and its range.
struct Section {
  std::string name;     // "travel"
  RigColumn x;          // label and unit
  double first, last;   // as shown
  std::string x_label;  // "wheel travel [mm]"
};

Chart new_chart(const Section& section, const std::string& title, const std::string& unit) {
  Chart chart{.id = id_of(section.name, title), .title = title, .unit = unit};
  chart.cursor = {section.x.label, section.x.unit};
  chart.x = {.label = section.x_label, .first = section.first, .last = section.last};
  return chart;
}

ChartCurve curve_of(std::string label, const std::vector<RigState>& states, const RigColumn& x,
                    const RigColumn& y, std::size_t color,
                    ChartCurve::Style style = ChartCurve::Style::kLine) {
  ChartCurve curve{.label = std::move(label)};
  curve.style = style;
  curve.color = static_cast<int>(color);
  for (const RigState& state : states) {
    curve.x.push_back(x.shown(state));
    curve.y.push_back(y.shown(state));
  }
  return curve;
}

void add_points(const RigStudy& study, const std::string& place, const std::string& key,
                std::size_t color, Chart* chart) {
  for (const RigComparison& comparison : study.comparisons) {
    if (comparison.place != place || comparison.column.key != key) continue;
    ChartCurve curve{.label = place + ", table", .x = comparison.x, .y = comparison.y};
    curve.style = ChartCurve::Style::kDots;
    curve.color = static_cast<int>(color);
    chart->curves.push_back(std::move(curve));
  }
}

/// A dot where the vehicle stands.
void add_standing(const RigStudy& study, const RigColumn& x, const RigColumn& y, std::size_t color,
                  Chart* chart) {
  if (!study.result.at_standing) return;
  chart->curves.push_back(
      curve_of("", {*study.result.at_standing}, x, y, color, ChartCurve::Style::kDots));
}

using Keys = std::vector<std::string>;

const RigColumn* find_column(const std::vector<RigColumn>& columns, const std::string& key) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const RigColumn& column) { return column.key == key; });
  return found != columns.end() ? &*found : nullptr;
}

/// One quantity, or two that belong together, of all axles over wheel travel.
Chart travel_chart(const RigStudy& study, const Section& section, const std::string& title,
                   const Keys& keys) {
  Chart chart = new_chart(section, title, "");
  for (std::size_t i = 0; i < study.result.axles.size(); ++i) {
    const AxleSweep& sweep = study.result.axles[i];
    const std::string& axle = study.car.axles[sweep.axle].name;
    const std::vector<RigColumn> columns = parallel_columns(study.car, sweep);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const RigColumn* y = find_column(columns, keys[k]);
      if (y == nullptr) continue;  // a trailing arm has no kingpin
      chart.unit = y->unit;
      chart.curves.push_back(
          curve_of(keys.size() > 1 ? axle + ", " + y->label : axle, sweep.parallel, columns[0], *y,
                   i, k == 0 ? ChartCurve::Style::kLine : ChartCurve::Style::kDashed));
      add_standing(study, columns[0], *y, i, &chart);
      add_points(study, axle, keys[k], i + study.result.axles.size(), &chart);
    }
  }
  return chart;
}

std::vector<Chart> travel_charts(const RigStudy& study) {
  const RigColumn x = parallel_columns(study.car, study.result.axles[0])[0];
  Section section{"travel", x, x.shown_scale * study.result.axles[0].range.first,
                  x.shown_scale * study.result.axles[0].range.last, x.title()};
  for (const AxleSweep& sweep : study.result.axles) {
    section.first = std::min(section.first, x.shown_scale * sweep.range.first);
    section.last = std::max(section.last, x.shown_scale * sweep.range.last);
  }
  std::vector<Chart> charts;
  for (const auto& [title, keys] : std::vector<std::pair<std::string, Keys>>{
           {"Camber", {"camber_deg"}},
           {"Toe", {"toe_deg"}},
           {"Caster", {"caster_deg"}},
           {"Kingpin inclination", {"kingpin_inclination_deg"}},
           {"Scrub radius", {"scrub_radius_m"}},
           {"Mechanical trail", {"trail_m"}},
           {"Roll center height", {"roll_center_height_m"}},
           {"Track", {"track_m"}},
           {"Motion ratio", {"spring_ratio", "shock_ratio"}},
           {"Wheel load", {"load_N"}},
           {"Wheel rate", {"wheel_rate_N_per_m"}},
           {"Ride frequency", {"ride_frequency_Hz"}},
           {"Camber gain", {"camber_gain_deg_per_m"}},
           {"Toe gain (bump steer)", {"toe_gain_deg_per_m"}}}) {
    Chart chart = travel_chart(study, section, title, keys);
    if (!chart.curves.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

/// One or two quantities of all axles over roll.
std::vector<Chart> roll_charts(const RigStudy& study) {
  std::vector<Chart> charts;
  for (const auto& [title, keys] : std::vector<std::pair<std::string, Keys>>{
           {"Camber to the road", {"left_camber_to_road_deg", "right_camber_to_road_deg"}},
           {"Roll steer", {"left_steer_deg", "right_steer_deg"}},
           {"Roll center height", {"roll_center_height_m"}},
           {"Roll stiffness", {"roll_stiffness_Nm_per_deg"}}}) {
    Chart chart;
    for (std::size_t i = 0; i < study.result.axles.size(); ++i) {
      const AxleSweep& sweep = study.result.axles[i];
      if (sweep.opposed.empty()) continue;
      const std::vector<RigColumn> columns = opposed_columns(sweep);
      const RigColumn& roll = column_of(columns, "roll_deg");
      for (std::size_t k = 0; k < keys.size(); ++k) {
        const RigColumn& y = column_of(columns, keys[k]);
        const double first = roll.shown(sweep.opposed.front()),
                     last = roll.shown(sweep.opposed.back());
        if (chart.curves.empty())
          chart =
              new_chart({"roll", roll, first, last, "roll, left wheel up [deg]"}, title, y.unit);
        chart.x.first = std::min({chart.x.first, first, last});
        chart.x.last = std::max({chart.x.last, first, last});
        const std::string& axle = study.car.axles[sweep.axle].name;
        chart.curves.push_back(
            curve_of(keys.size() > 1 ? axle + (k == 0 ? ", left" : ", right") : axle, sweep.opposed,
                     roll, y, i, k == 0 ? ChartCurve::Style::kLine : ChartCurve::Style::kDashed));
      }
    }
    if (!chart.curves.empty()) charts.push_back(std::move(chart));
  }
  return charts;
}

std::vector<Chart> steering_charts(const RigStudy& study) {
  const std::vector<RigColumn> columns = steering_columns(study.car, study.result);
  const std::vector<RigState>& states = study.result.steering;
  const Section section{"steering", columns[0], columns[0].shown(states.front()),
                        columns[0].shown(states.back()), columns[0].title()};
  std::vector<Chart> charts;
  const auto add = [&](const std::string& title, const Keys& keys, const char* note = "") {
    Chart chart = new_chart(section, title, "");
    chart.note = note;
    for (const std::string& key : keys) {
      const RigColumn* y = find_column(columns, key);
      if (y == nullptr) continue;
      chart.unit = y->unit;
      const auto color = static_cast<std::size_t>(&key - keys.data());
      chart.curves.push_back(curve_of(y->label, states, columns[0], *y, color));
      add_points(study, "steering", key, color + 2, &chart);
    }
    if (!chart.curves.empty()) charts.push_back(std::move(chart));
  };
  add("Wheel angles", {"left_steer_deg", "right_steer_deg", "wheel_steer_deg"}, "To the left.");
  add("Ackermann", {"ackermann"});
  add("Camber while steering", {"left_camber_deg", "right_camber_deg", "wheel_camber_deg"});
  add("Wheel centers while steering", {"left_travel_m", "right_travel_m", "wheel_travel_m"},
      "Up, arms held.");
  add("Trail and scrub radius of the left wheel", {"left_trail_m", "left_scrub_radius_m"});
  add("Overall steering ratio", {"overall_ratio"});
  // Straight ahead the radius has no bound: what turns tighter is of interest.
  add("Turning circle", {"turning_circle_m"}, "Straight ahead it has no bound.");
  for (Chart& chart : charts) {
    if (chart.title != "Turning circle") continue;
    double least = std::numeric_limits<double>::infinity();
    for (const double y : chart.curves[0].y) least = std::min(least, y);
    chart.y.first = 0;
    chart.y.last = 5 * least;
    for (ChartCurve& curve : chart.curves)
      for (double& y : curve.y)
        if (!(y <= chart.y.last)) y = std::numeric_limits<double>::quiet_NaN();
  }
  return charts;
}

// --- Key figures ---

/// What is looked for first, where the vehicle stands, or as it was designed where that is not
/// known.
std::vector<report::Tile> make_tiles(const RigStudy& study) {
  const vehicle::RigResult& result = study.result;
  const RigState& state = result.at_standing ? *result.at_standing : result.design;
  std::vector<report::Tile> tiles;
  for (const auto& [title, key] : std::vector<std::pair<std::string, std::string>>{
           {"Camber", "camber_deg"},
           {"Toe", "toe_deg"},
           {"Caster", "caster_deg"},
           {"Kingpin inclination", "kingpin_inclination_deg"},
           {"Scrub radius", "scrub_radius_m"},
           {"Roll center height", "roll_center_height_m"},
           {"Wheel rate", "wheel_rate_N_per_m"},
           {"Spring motion ratio", "spring_ratio"}}) {
    report::Tile tile{.title = title};
    for (const AxleSweep& sweep : result.axles) {
      const std::vector<RigColumn> columns = parallel_columns(study.car, sweep);
      const RigColumn* column = find_column(columns, key);
      if (column == nullptr) continue;
      tile.unit = column->unit;
      const int decimals = std::min(column->decimals, column->unit.empty() ? 3 : 2);
      const auto text = [&](const RigState& s) { return fixed_text(column->shown(s), decimals); };
      tile.values.push_back({study.car.axles[sweep.axle].name, text(state),
                             result.at_standing ? text(result.design) : ""});
    }
    if (!tile.values.empty()) tiles.push_back(std::move(tile));
  }
  if (result.steering.empty()) return tiles;
  const std::vector<RigColumn> columns = steering_columns(study.car, result);
  for (const auto& [title, key] : std::vector<std::pair<std::string, std::string>>{
           {"Ackermann", "ackermann"}, {"Turning circle", "turning_circle_m"}}) {
    const RigColumn* column = find_column(columns, key);
    if (column == nullptr) continue;
    report::Tile tile{.title = title, .unit = column->unit};
    for (const RigState* end : {&result.steering.front(), &result.steering.back()}) {
      tile.values.push_back(
          {concat("at ", short_text(columns[0].shown(*end), 4), " ", columns[0].unit),
           fixed_text(column->shown(*end), column->decimals)});
    }
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

std::string summary_text(const RigStudy& study) {
  const vehicle::RigResult& result = study.result;
  std::string text = concat("The chassis is held, the joints are rigid. Loops close within ",
                            short_text(result.closure_error, 2), " m. Loaded radius: ");
  for (std::size_t i = 0; i < study.car.axles.size(); ++i)
    text += concat(i > 0 ? ", " : "", study.car.axles[i].name, " ",
                   fixed_text(1000 * result.loaded_radius[i], 1), " mm");
  return text + (result.standing ? ", as under the vehicle's own weight where not given." : ".");
}

}  // namespace

Table travel_table(const RigStudy& study, const AxleSweep& sweep) {
  const std::vector<RigColumn> columns = parallel_columns(study.car, sweep);
  std::vector<Position> positions = choose_positions(sweep.parallel, columns[0]);
  if (study.result.at_standing) positions.push_back({&*study.result.at_standing, "stands"});
  std::stable_sort(positions.begin(), positions.end(), [&](const Position& a, const Position& b) {
    return columns[0].get(*a.state) < columns[0].get(*b.state);
  });
  const vehicle::Axle& axle = study.car.axles[sweep.axle];
  return table_of(concat(axle.name, " axle, ", to_text(axle.type),
                         sweep.right < 0 ? "" : ": both wheels alike"),
                  columns, positions);
}

Table roll_table(const RigStudy& study, const AxleSweep& sweep) {
  const std::vector<RigColumn> columns = opposed_columns(sweep);
  return table_of(study.car.axles[sweep.axle].name + " axle: left wheel up, right one down",
                  columns, choose_positions(sweep.opposed, columns[0]));
}

Table steering_table(const RigStudy& study) {
  const std::vector<RigColumn> columns = steering_columns(study.car, study.result);
  return table_of(
      "steering of the " + study.car.steering->axle + " axle, arms held in the design position",
      columns, choose_positions(study.result.steering, columns[0]));
}

Table comparison_table(const RigStudy& study) {
  Table table{.caption = "against the table",
              .head = {"", "quantity", "points", "largest difference", "where"},
              .rows = {}};
  for (const RigComparison& comparison : study.comparisons) {
    table.rows.push_back({comparison.place, comparison.column.title(),
                          std::to_string(comparison.x.size()), short_text(comparison.difference, 2),
                          short_text(comparison.at, 5)});
  }
  return table;
}

std::string make_rig_report(const RigStudy& study) {
  report::Page page("Suspension and steering of " + study.car.name);
  page.add_paragraph(summary_text(study));
  if (!study.result.notes.empty()) page.add_list(study.result.notes);
  page.add_html("<section id=\"key-figures\">\n").add_heading("Key figures");
  page.add_paragraph(study.result.at_standing
                         ? "Where the vehicle stands under its own weight; in small letters in the "
                           "design position."
                         : "In the design position.");
  page.add_html(report::to_html(make_tiles(study)) + "</section>\n");
  page.add_html(
      "<p class=\"note hint\">Point at a chart for the values there; drag to zoom, on a touch "
      "screen with two fingers; double-click for the whole range.</p>\n");
  page.add_heading("Wheel travel");
  if (study.result.at_standing)
    page.add_paragraph("Dots: where the vehicle stands under its own weight.");
  page.add_charts(travel_charts(study));
  for (const AxleSweep& sweep : study.result.axles) page.add_table(travel_table(study, sweep));
  const std::vector<Chart> in_roll = roll_charts(study);
  if (!in_roll.empty()) {
    page.add_heading("Roll: one wheel up, the other down");
    page.add_charts(in_roll);
    for (const AxleSweep& sweep : study.result.axles) {
      if (!sweep.opposed.empty()) page.add_table(roll_table(study, sweep));
    }
  }
  if (!study.result.steering.empty()) {
    page.add_heading("Steering");
    page.add_charts(steering_charts(study));
    page.add_table(steering_table(study));
  }
  if (!study.comparisons.empty()) page.add_heading("Comparison").add_table(comparison_table(study));
  return page.to_html();
}

}  // namespace camber::analysis
