#include "apps/camber/rig_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"

namespace camber::app {

using report::Plot, report::Series, report::Table, report::short_text;
using vehicle::AxleSweep, vehicle::RigState;

namespace {

constexpr int kPositions = 8;  // of a table, about
constexpr int kWidth = 690;    // [px]; two plots fit beside each other
constexpr int kHeight = 360;

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

// --- Plots ---

Plot new_plot(std::string title, const RigColumn& x, const RigColumn& y) {
  Plot plot{.title = std::move(title), .x = {.label = x.title()}, .y = {.label = y.title()}};
  plot.width = kWidth;
  plot.height = kHeight;
  return plot;
}

Series series_of(std::string label, const std::vector<RigState>& states, const RigColumn& x,
                 const RigColumn& y, int color, Series::Style style = Series::Style::kLine) {
  Series series{.label = std::move(label), .x = {}, .y = {}};
  series.style = style;
  series.color = color;
  for (const RigState& state : states) {
    series.x.push_back(x.shown(state));
    series.y.push_back(y.shown(state));
  }
  return series;
}

void add_points(const RigStudy& study, const std::string& place, const std::string& key, int color,
                Plot* plot) {
  for (const RigComparison& comparison : study.comparisons) {
    if (comparison.place != place || comparison.column.key != key) continue;
    Series series{.label = place + ", table", .x = comparison.x, .y = comparison.y};
    series.style = Series::Style::kPoints;
    series.color = color;
    plot->series.push_back(std::move(series));
  }
}

/// A dot where the vehicle stands.
void add_standing(const RigStudy& study, const RigColumn& x, const RigColumn& y, int color,
                  Plot* plot) {
  if (!study.result.at_standing) return;
  plot->series.push_back(
      series_of("", {*study.result.at_standing}, x, y, color, Series::Style::kPoints));
}

/// One quantity, or two that belong together, of all axles over wheel travel.
Plot travel_plot(const RigStudy& study, const std::string& title,
                 const std::vector<std::string>& keys) {
  Plot plot;
  for (std::size_t i = 0; i < study.result.axles.size(); ++i) {
    const AxleSweep& sweep = study.result.axles[i];
    const std::string& axle = study.car.axles[sweep.axle].name;
    const std::vector<RigColumn> columns = parallel_columns(study.car, sweep);
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const auto y = std::find_if(columns.begin(), columns.end(),
                                  [&](const RigColumn& c) { return c.key == keys[k]; });
      if (y == columns.end()) continue;  // a trailing arm has no kingpin
      if (plot.title.empty()) plot = new_plot(title, columns[0], *y);
      if (keys.size() > 1) plot.y.label = y->unit.empty() ? "ratio" : y->unit;
      plot.series.push_back(series_of(keys.size() > 1 ? axle + ", " + y->label : axle,
                                      sweep.parallel, columns[0], *y, static_cast<int>(i),
                                      k == 0 ? Series::Style::kLine : Series::Style::kDashed));
      add_standing(study, columns[0], *y, static_cast<int>(i), &plot);
      add_points(study, axle, keys[k], static_cast<int>(i + study.result.axles.size()), &plot);
    }
  }
  return plot;
}

std::vector<Plot> travel_plots(const RigStudy& study) {
  std::vector<Plot> plots;
  for (const auto& [title, keys] : std::vector<std::pair<std::string, std::vector<std::string>>>{
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
    Plot plot = travel_plot(study, title, keys);
    if (!plot.series.empty()) plots.push_back(std::move(plot));
  }
  return plots;
}

/// One or two quantities of all axles over roll.
std::vector<Plot> roll_plots(const RigStudy& study) {
  std::vector<Plot> plots;
  for (const auto& [title, keys] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"Camber to the road", {"left_camber_to_road_deg", "right_camber_to_road_deg"}},
           {"Roll steer", {"left_steer_deg", "right_steer_deg"}},
           {"Roll center height", {"roll_center_height_m"}},
           {"Roll stiffness", {"roll_stiffness_Nm_per_deg"}}}) {
    Plot plot;
    for (std::size_t i = 0; i < study.result.axles.size(); ++i) {
      const AxleSweep& sweep = study.result.axles[i];
      if (sweep.opposed.empty()) continue;
      const std::vector<RigColumn> columns = opposed_columns(sweep);
      const RigColumn& roll = column_of(columns, "roll_deg");
      for (std::size_t k = 0; k < keys.size(); ++k) {
        const RigColumn& y = column_of(columns, keys[k]);
        if (plot.title.empty()) plot = new_plot(title, roll, y);
        plot.x.label = "roll, left wheel up [deg]";
        if (keys.size() > 1) plot.y.label = title + " [deg]";
        const std::string& axle = study.car.axles[sweep.axle].name;
        plot.series.push_back(series_of(
            keys.size() > 1 ? axle + (k == 0 ? ", left" : ", right") : axle, sweep.opposed, roll, y,
            static_cast<int>(i), k == 0 ? Series::Style::kLine : Series::Style::kDashed));
      }
    }
    if (!plot.series.empty()) plots.push_back(std::move(plot));
  }
  return plots;
}

std::vector<Plot> steering_plots(const RigStudy& study) {
  const std::vector<RigColumn> columns = steering_columns(study.car, study.result);
  const std::vector<RigState>& states = study.result.steering;
  std::vector<Plot> plots;
  const auto add = [&](const std::string& title, const std::string& label,
                       const std::vector<std::string>& keys) {
    Plot plot;
    for (const std::string& key : keys) {
      const auto y = std::find_if(columns.begin(), columns.end(),
                                  [&](const RigColumn& c) { return c.key == key; });
      if (y == columns.end()) continue;
      if (plot.title.empty()) plot = new_plot(title, columns[0], *y);
      if (!label.empty()) plot.y.label = label;
      const int color = static_cast<int>(&key - keys.data());
      plot.series.push_back(series_of(y->label, states, columns[0], *y, color));
      add_points(study, "steering", key, color + 2, &plot);
    }
    if (!plot.series.empty()) plots.push_back(std::move(plot));
  };
  add("Wheel angles", "steer, to the left [deg]",
      {"left_steer_deg", "right_steer_deg", "wheel_steer_deg"});
  add("Ackermann", "", {"ackermann"});
  add("Camber while steering", "camber [deg]",
      {"left_camber_deg", "right_camber_deg", "wheel_camber_deg"});
  add("Wheel centers while steering, arms held", "wheel center up [mm]",
      {"left_travel_m", "right_travel_m", "wheel_travel_m"});
  add("Trail and scrub radius of the left wheel", "distance [mm]",
      {"left_trail_m", "left_scrub_radius_m"});
  add("Overall steering ratio", "", {"overall_ratio"});
  // Straight ahead the radius has no bound: what turns tighter is of interest.
  add("Turning circle", "", {"turning_circle_m"});
  for (Plot& plot : plots) {
    if (plot.title != "Turning circle") continue;
    double least = plot.series[0].y[0];
    for (const double y : plot.series[0].y) least = std::min(least, y);
    plot.y.first = 0;
    plot.y.last = 5 * least;
  }
  return plots;
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
  page.add_heading("Wheel travel");
  for (const AxleSweep& sweep : study.result.axles) page.add_table(travel_table(study, sweep));
  if (study.result.at_standing)
    page.add_paragraph("Dots: where the vehicle stands under its own weight.");
  page.add_plots(travel_plots(study));
  const std::vector<Plot> in_roll = roll_plots(study);
  if (!in_roll.empty()) {
    page.add_heading("Roll: one wheel up, the other down");
    for (const AxleSweep& sweep : study.result.axles) {
      if (!sweep.opposed.empty()) page.add_table(roll_table(study, sweep));
    }
    page.add_plots(in_roll);
  }
  if (!study.result.steering.empty()) {
    page.add_heading("Steering");
    page.add_table(steering_table(study));
    page.add_plots(steering_plots(study));
  }
  if (!study.comparisons.empty()) page.add_heading("Comparison").add_table(comparison_table(study));
  return page.to_html();
}

}  // namespace camber::app
