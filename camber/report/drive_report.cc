#include "camber/report/drive_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "camber/core/base64.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/record/channel_names.h"
#include "camber/report/ground_chart.h"
#include "camber/report/markup.h"

namespace camber::report {
namespace {

/// Columns of a channel as a chart shows them.
struct Source {
  const char* channel;
  std::vector<const char*> columns = {};  // empty: all
  std::vector<const char*> labels = {};   // instead of the columns' names
  bool is_dashed = false;
};

struct Sheet {
  const char* id;
  const char* title;
  std::vector<Source> sources;
  const char* note = "";
  bool needs_values = false;  // left out where all are zero
};

// In the order of the page.
const std::vector<Sheet>& sheets_before_path() {
  static const std::vector<Sheet> sheets = {
      {"speed",
       "Speed",
       {{record::channel::kVelocity, {"forward"}},
        {record::channel::kGoalSpeed, {}, {"requested"}, true}},
       "Forward, of the vehicle's frame."},
      {"attitude",
       "Roll and pitch",
       {{record::channel::kAttitude, {"roll", "pitch"}}},
       "Roll: right side down is positive; pitch: nose down."},
      {"lateral-acceleration",
       "Lateral acceleration",
       {{record::channel::kAcceleration, {"left"}}},
       "To the left, of the chassis' center of mass, level, without gravity."},
      {"yaw-rate", "Yaw rate", {{record::channel::kRates, {"yaw"}}}, "To the left is positive."},
      {"sideslip",
       "Side slip",
       {{record::channel::kSideslip, {}, {"side slip"}}},
       "Of the center of mass (ISO 8855): positive where it moves to the left of its heading."},
      {"longitudinal-acceleration",
       "Longitudinal acceleration",
       {{record::channel::kAcceleration, {"forward"}}},
       "Forward, of the chassis' center of mass, level, without gravity."},
      {"wheel-loads", "Wheel loads", {{record::channel::kWheelLoad}}, "Normal to the ground."},
      {"slip-angles", "Slip angles", {{record::channel::kWheelSlipAngle}}},
      {"longitudinal-forces",
       "Longitudinal tire forces",
       {{record::channel::kWheelLongitudinalForce}},
       "Forward is positive."},
      {"lateral-forces",
       "Lateral tire forces",
       {{record::channel::kWheelLateralForce}},
       "To the left is positive."}};
  return sheets;
}

const std::vector<Sheet>& sheets_after_path() {
  static const std::vector<Sheet> sheets = {
      {"heading",
       "Heading (yaw)",
       {{record::channel::kAttitude, {"yaw"}}},
       "To the left is positive; zero is along x."},
      {"clearance",
       "Clearance",
       {{record::channel::kClearance, {}, {"clearance"}}},
       "From the vehicle's outline to the nearest obstacle, up to 10 m."},
      {"free-length",
       "Pilot: free length of the plan",
       {{record::channel::kGoalFreeLength, {}, {"free and seen"}}}},
      {"goal-distance",
       "Pilot: distance to the goal",
       {{record::channel::kGoalDistance, {}, {"distance"}}},
       "Straight, by the pilot's own estimate."},
      {"behavior",
       "Pilot: behavior",
       {{record::channel::kGoalBehavior, {}, {"behavior"}}},
       "0 wait, 1 follow, 2 avoid, 3 turn round, 4 recover, 5 park, 6 fail safe, 7 arrived, 8 gave "
       "up."},
      {"position-sigma",
       "Pilot: uncertainty of the place",
       {{record::channel::kGoalEstimate, {"sigma"}}},
       "1 sigma of x and y together, as the pilot believes.",
       true},
      {"path-deviation",
       "Distance from the path",
       {{record::channel::kPathDeviation, {}, {"deviation"}}},
       "To the left is positive."},
      {"clearance",
       "Clearance",
       {{record::channel::kClearance, {}, {"clearance"}}},
       "From the vehicle's outline to the nearest obstacle, vehicle or thing, up to 10 m."},
      {"steering",
       "Driver: steering",
       {{record::channel::kCommand, {"steer"}, {"requested"}, true},
        {record::channel::kSteerAngle, {"left", "right"}, {"left wheel", "right wheel"}}},
       "Angles of the front wheels, to the left."},
      {"steering-wheel",
       "Driver: steering wheel",
       {{record::channel::kSteeringWheel, {"angle"}}},
       "To the left is positive."},
      {"steering-torque",
       "Driver: torque on the steering wheel",
       {{record::channel::kSteeringWheel, {"torque"}}},
       "To the left is positive."},
      {"pedals",
       "Driver: throttle and brake",
       {{record::channel::kCommand, {"throttle", "brake"}}}},
      {"engine-speed", "Drivetrain: engine speed", {{record::channel::kEngine, {"speed"}}}},
      {"gear", "Drivetrain: gear", {{record::channel::kGear, {}, {"gear"}}}},
      {"suspension-travel",
       "Suspension travel",
       {{record::channel::kWheelTravel}},
       "Up, from where the vehicle starts."},
      {"camber",
       "Camber",
       {{record::channel::kWheelCamber}},
       "Against the ground; top outward is positive."},
      {"aligning-torques",
       "Aligning torques",
       {{record::channel::kWheelAligningTorque}},
       "Of the ground about its normal; to the left is positive."},
      {"ground-profile",
       "Height of the ground under the wheels",
       {{record::channel::kWheelGroundHeight}},
       "",
       true},
      {"sinkage",
       "Sinkage",
       {{record::channel::kWheelSinkage}},
       "Of the wheels into soil that yields.",
       true},
      {"energy",
       "Energy balance",
       {{record::channel::kEnergy, {"kinetic", "potential", "elastic", "engine", "dissipated"}}},
       "What the engine gave is what the vehicle has more than at the start, plus what was "
       "dissipated."},
      {"energy-error",
       "Energy not accounted for",
       {{record::channel::kEnergy, {"error"}}},
       "The steps' error, and that of the power that is summed up."}};
  return sheets;
}

/// What people read instead of the log's unit.
struct Display {
  std::string unit;
  double factor = 1.0;
};

Display display_of(const std::string& unit, const std::string& sheet) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  if (sheet == "engine-speed") return {"1/min", 30.0 / std::numbers::pi};
  if (unit == "rad") return {"deg", kDegrees};
  if (unit == "rad/s") return {"deg/s", kDegrees};
  if (unit == "N") return {"kN", 1e-3};
  if (unit == "J" && sheet == "energy") return {"kJ", 1e-3};
  if (unit == "m" && (sheet == "suspension-travel" || sheet == "sinkage")) return {"mm", 1e3};
  return {unit, 1.0};
}

std::string readable(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

const RunChannel* find_channel(const DriveReport& report, const std::string& name) {
  const auto found = std::ranges::find(report.channels, name, &RunChannel::name);
  return found != report.channels.end() ? &*found : nullptr;
}

std::vector<std::size_t> columns_of(const RunChannel& channel, const Source& source) {
  std::vector<std::size_t> columns;
  for (const char* wanted : source.columns) {
    const auto found = std::ranges::find(channel.names, wanted);
    if (found != channel.names.end()) {
      columns.push_back(static_cast<std::size_t>(found - channel.names.begin()));
    }
  }
  if (source.columns.empty()) {
    for (std::size_t i = 0; i < channel.names.size(); ++i) columns.push_back(i);
  }
  return columns;
}

void add_curves(const DriveReport& report, const Source& source, const std::string& sheet,
                Chart* chart) {
  const RunChannel* channel = find_channel(report, source.channel);
  if (channel == nullptr) return;
  const std::vector<std::size_t> columns = columns_of(*channel, source);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Display display = display_of(unit_of(*channel, columns[i]), sheet);
    ChartCurve curve{
        .label = i < source.labels.size() ? source.labels[i] : readable(channel->names[columns[i]]),
        .x = report.times,
        .y = column_of(*channel, columns[i])};
    for (double& y : curve.y) y *= display.factor;
    if (source.is_dashed) curve.style = ChartCurve::Style::kDashed;
    chart->unit = display.unit;
    chart->curves.push_back(std::move(curve));
  }
}

/// Counted from the first sample: where the vehicle stands, not where it was drawn.
void count_from_start(ChartCurve* curve) {
  const double start = curve->y.empty() ? 0 : curve->y.front();
  for (double& y : curve->y) y -= start;
}

/// A wheel at rest has any slip angle: left out while the vehicle is slower than a walk.
void leave_out_standstill(const DriveReport& report, ChartCurve* curve) {
  constexpr double kMinSpeed = 1;  // [m/s]
  const RunChannel* velocity = find_channel(report, record::channel::kVelocity);
  if (velocity == nullptr || velocity->names.size() < 2) return;
  const std::vector<double> forward = column_of(*velocity, 0), left = column_of(*velocity, 1);
  for (std::size_t i = 0; i < curve->y.size(); ++i)
    if (std::hypot(forward[i], left[i]) < kMinSpeed)
      curve->y[i] = std::numeric_limits<double>::quiet_NaN();
}

bool has_values(const ChartCurve& curve) {
  return std::ranges::any_of(curve.y, [](double y) { return y != 0; });
}

void add_sheets(const DriveReport& report, const std::vector<Sheet>& sheets,
                std::vector<Chart>* charts) {
  for (const Sheet& sheet : sheets) {
    Chart chart{
        .id = sheet.id, .title = sheet.title, .note = sheet.note, .x = {.label = "time [s]"}};
    if (report.times.back() > report.times.front()) {
      chart.x.first = report.times.front();
      chart.x.last = report.times.back();
    }
    for (const Source& source : sheet.sources) add_curves(report, source, sheet.id, &chart);
    for (ChartCurve& curve : chart.curves) {
      if (chart.id == "suspension-travel") count_from_start(&curve);
      if (chart.id == "slip-angles" || chart.id == "sideslip") leave_out_standstill(report, &curve);
    }
    if (sheet.needs_values && std::ranges::none_of(chart.curves, has_values)) continue;
    if (!chart.curves.empty()) charts->push_back(std::move(chart));
  }
}

void add_path(const DriveReport& report, std::vector<Chart>* charts) {
  const RunChannel* position = find_channel(report, record::channel::kPosition);
  if (position == nullptr || position->names.size() < 2) return;
  for (Chart& chart : make_ground_charts(report.times, column_of(*position, 0),
                                         column_of(*position, 1), report.ground)) {
    charts->push_back(std::move(chart));
  }
}

// --- One quantity over another ---

/// A column of a channel by its name; empty where the drive has none.
std::vector<double> find_values(const DriveReport& report, const char* channel,
                                const char* column) {
  const RunChannel* found = find_channel(report, channel);
  if (found == nullptr) return {};
  for (std::size_t i = 0; i < found->names.size(); ++i)
    if (found->names[i] == column) return column_of(*found, i);
  return {};
}

constexpr double kGravity = 9.80665;  // [m/s^2] of a "g"

Chart make_cross_chart(const DriveReport& report, const char* id, const char* title,
                       const char* x_label, const char* unit, const char* note) {
  Chart chart{.id = id, .title = title, .unit = unit, .note = note};
  chart.is_over_time = false;
  chart.x.label = x_label;
  chart.tracked = 0;
  chart.first_time = report.times.front();
  chart.last_time = report.times.back();
  return chart;
}

/// Evenly spaced in time for the dot that runs along.
ChartCurve make_cross_curve(const DriveReport& report, const std::vector<double>& x,
                            const std::vector<double>& y) {
  constexpr std::size_t kPoints = 1500;
  ChartCurve curve;
  const double first = report.times.front(), last = report.times.back();
  std::size_t i = 0;
  for (std::size_t k = 0; k < kPoints; ++k) {
    const double time = first + (last - first) * static_cast<double>(k) / (kPoints - 1);
    while (i + 1 < report.times.size() && report.times[i + 1] <= time) ++i;
    curve.x.push_back(x[i]);
    curve.y.push_back(y[i]);
  }
  return curve;
}

/// g-g diagram; steering wheel's angle and side slip over lateral acceleration, which in a steady turn
/// are ISO 4138's characteristics.
void add_cross_charts(const DriveReport& report, std::vector<Chart>* charts) {
  std::vector<double> left = find_values(report, record::channel::kAcceleration, "left"),
                      forward = find_values(report, record::channel::kAcceleration, "forward");
  if (left.empty() || forward.empty()) return;
  const double turned = std::abs(*std::ranges::max_element(
      left, {}, [](double a) { return std::isfinite(a) ? std::abs(a) : 0; }));
  constexpr double kTurns = 0.5;  // [m/s^2]
  for (std::vector<double>* a : {&left, &forward})
    for (double& value : *a) value /= kGravity;
  Chart g_g = make_cross_chart(report, "g-g", "g-g diagram", "lateral acceleration [g]", "g",
                               "Longitudinal over lateral acceleration; left and forward are "
                               "positive.");
  g_g.equal_axes = true;
  g_g.curves.push_back(make_cross_curve(report, left, forward));
  charts->push_back(std::move(g_g));
  if (turned < kTurns) return;
  constexpr double kDegrees = 180 / std::numbers::pi;
  const auto add = [&](const char* id, const char* title, const char* note,
                       std::vector<double> values) {
    if (values.empty()) return;
    for (double& value : values) value *= kDegrees;
    Chart chart = make_cross_chart(report, id, title, "lateral acceleration [g]", "deg", note);
    chart.curves.push_back(make_cross_curve(report, left, values));
    charts->push_back(std::move(chart));
  };
  add("handling", "Handling diagram: steering wheel over lateral acceleration",
      "In a steady turn of one radius its slope is the understeer gradient times the steering "
      "ratio.",
      find_values(report, record::channel::kSteeringWheel, "angle"));
  add("sideslip-gradient", "Side slip over lateral acceleration", "",
      find_values(report, record::channel::kSideslip, ""));
}

void add_head(const DriveReport& report, Page* page) {
  if (!report.about.empty()) page->add_paragraph(report.about);
  const bool is_judged =
      !report.failure.empty() || std::ranges::any_of(report.figures, &KeyFigure::is_judged);
  page->add_html(concat("<section id=\"key-figures\">\n<p class=\"verdict",
                        !is_judged           ? ""
                        : has_passed(report) ? " good"
                                             : " bad",
                        "\">", escape(verdict_text(report)), "</p>\n"));
  if (!report.warnings.empty()) {
    std::string list = "<ul class=\"warnings\">\n";
    for (const std::string& warning : report.warnings) list += "<li>" + escape(warning) + "</li>\n";
    page->add_html(list + "</ul>\n");
  }
  if (!report.figures.empty()) page->add_html(to_html(report.figures));
  page->add_html("</section>\n");
}

void add_events(const DriveReport& report, Page* page) {
  if (report.events.empty()) return;
  page->add_html("<section id=\"events\">\n").add_heading("What the pilot did, and why");
  Table table{.caption = "", .head = {"time [s]", "behavior", "reason"}, .rows = {}};
  for (const SummaryValue& event : report.events)
    table.rows.push_back({event.name, event.value, event.unit});
  page->add_table(table);
  page->add_html("</section>\n");
}

void add_pictures(const DriveReport& report, Page* page) {
  if (report.pictures.empty()) return;
  page->add_html("<section id=\"sensors\">\n").add_heading("What the sensors saw");
  page->add_paragraph(
      "Scans of a LIDAR in gray levels, a row per beam: near is bright, black is no return, "
      "straight "
      "ahead is in the middle. Pictures of a camera as they are.");
  std::string html = "<div class=\"plots\">\n";
  for (const PagePicture& picture : report.pictures)
    html += concat("<figure style=\"margin:0\"><img style=\"max-width:100%\" alt=\"",
                   escape(picture.caption), "\" src=\"data:image/png;base64,",
                   encode_base64(picture.file), "\"><figcaption>", escape(picture.caption),
                   "</figcaption></figure>\n");
  page->add_html(html + "</div>\n</section>\n");
}

void add_settings(const DriveReport& report, Page* page) {
  page->add_html("<section id=\"settings\">\n").add_heading("Settings and versions");
  std::vector<SummaryValue> values = report.settings;
  values.insert(values.end(), report.versions.begin(), report.versions.end());
  if (!values.empty()) page->add_table(values_table("", values));
  page->add_html("</section>\n");
}

}  // namespace

bool has_passed(const DriveReport& report) {
  return report.failure.empty() && all_passed(report.figures);
}

std::string verdict_text(const DriveReport& report) {
  if (!report.failure.empty()) return "Failed: " + report.failure;
  const auto judged =
      static_cast<std::size_t>(std::ranges::count_if(report.figures, &KeyFigure::is_judged));
  const auto failed = static_cast<std::size_t>(
      std::ranges::count_if(report.figures, [](const KeyFigure& f) { return !f.passed; }));
  if (judged == 0) return "Completed; no requirements set";
  const std::string all = count_text(static_cast<std::int64_t>(judged), "requirement");
  if (failed == 0)
    return judged == 1 ? "Passed: its requirement is met" : "Passed: all " + all + " are met";
  return concat("Failed: ", failed, " of ", all, failed == 1 ? " is not met" : " are not met");
}

std::string make_drive_report(const DriveReport& report) {
  check_channels("drive report", report.times, report.channels);
  Page page(report.scenario);
  add_head(report, &page);
  if (report.times.empty()) {
    page.add_paragraph("The drive has no samples.");
  } else {
    std::vector<Chart> charts;
    add_sheets(report, sheets_before_path(), &charts);
    add_path(report, &charts);
    add_cross_charts(report, &charts);
    add_sheets(report, sheets_after_path(), &charts);
    page.add_html(
        "<p class=\"note hint\">Point at a chart for the values at that time; drag to zoom into a "
        "span "
        "of time, on a touch screen with two fingers; double-click for the whole drive.</p>\n");
    page.add_charts(charts);
  }
  add_events(report, &page);
  add_pictures(report, &page);
  add_settings(report, &page);
  return page.to_html();
}

void write_drive_report(const std::string& path, const DriveReport& report) {
  write_file_atomically(path, make_drive_report(report));
}

}  // namespace camber::report
