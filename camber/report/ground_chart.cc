#include "camber/report/ground_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "camber/core/text.h"

namespace camber::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kPoints = 1500;  // of the way, evenly spaced in time
constexpr double kFlat = 12.0;         // length / width from which the width is enlarged
constexpr int kTimeMarks = 6;

/// Position at a time, on straight lines between samples.
struct Way {
  const std::vector<double>& times;
  const std::vector<double>& x;
  const std::vector<double>& y;

  GroundPoint at(double time) const {
    const auto next = std::ranges::lower_bound(times, time);
    if (next == times.begin()) return {x.front(), y.front()};
    if (next == times.end()) return {x.back(), y.back()};
    const auto k = static_cast<std::size_t>(next - times.begin());
    const double part = (time - times[k - 1]) / (times[k] - times[k - 1]);
    return {x[k - 1] + part * (x[k] - x[k - 1]), y[k - 1] + part * (y[k] - y[k - 1])};
  }
};

void add_point(const GroundPoint& point, ChartCurve* curve) {
  curve->x.push_back(point.x);
  curve->y.push_back(point.y);
}

ChartCurve make_track(const Way& way) {
  ChartCurve track{.label = "driven", .color = 0};
  const double first = way.times.front(), last = way.times.back();
  for (std::size_t k = 0; k < kPoints; ++k) {
    add_point(way.at(first + (last - first) * static_cast<double>(k) / (kPoints - 1)), &track);
  }
  return track;
}

void add_target(const GroundPlan& ground, Chart* chart) {
  if (ground.target.empty()) return;
  ChartCurve target{.label = "target", .color = 6, .style = ChartCurve::Style::kDashed};
  const std::size_t stride = 1 + ground.target.size() / kPoints;
  for (std::size_t k = 0; k < ground.target.size(); k += stride)
    add_point(ground.target[k], &target);
  add_point(ground.target.back(), &target);
  chart->curves.push_back(std::move(target));
}

void add_tracks(const GroundPlan& ground, Chart* chart) {
  constexpr int kFirstColor = 1, kTrackColors = 5;  // 0 is the vehicle's, 6 the target's
  int color = 0;
  for (const GroundTrack& track : ground.tracks) {
    ChartCurve curve{.label = track.name, .color = kFirstColor + color++ % kTrackColors};
    // A thing that does not move is a dot.
    if (track.points.size() < 2) curve.style = ChartCurve::Style::kDots;
    for (const GroundPoint& point : track.points) add_point(point, &curve);
    chart->curves.push_back(std::move(curve));
  }
}

void add_cones(const GroundPlan& ground, Chart* chart) {
  ChartCurve cones{.label = "cones", .color = 4, .style = ChartCurve::Style::kDots};
  ChartCurve gates{.label = "gates", .color = 4};
  for (const GroundPoint& cone : ground.cones) add_point(cone, &cones);
  for (const GroundGate& gate : ground.gates) {
    for (const GroundPoint& end : {gate.left, gate.right}) {
      add_point(end, &cones);
      add_point(end, &gates);
    }
    add_point({kNaN, kNaN}, &gates);
  }
  if (!gates.x.empty()) chart->curves.push_back(std::move(gates));
  if (!cones.x.empty()) chart->curves.push_back(std::move(cones));
}

void add_lines(const GroundPlan& ground, Chart* chart) {
  for (const GroundLines& set : ground.lines) {
    ChartCurve curve{.label = set.label,
                     .color = set.color,
                     .style = set.is_dots ? ChartCurve::Style::kDots : ChartCurve::Style::kLine};
    for (const std::vector<GroundPoint>& line : set.lines) {
      for (const GroundPoint& point : line) add_point(point, &curve);
      if (!set.is_dots) add_point({kNaN, kNaN}, &curve);
    }
    if (!curve.x.empty()) chart->curves.push_back(std::move(curve));
  }
  for (const GroundMark& mark : ground.marks)
    chart->labels.push_back({mark.at.x, mark.at.y, mark.text});
}

ChartOutline make_outline(const GroundObstacle& obstacle) {
  ChartOutline outline{.label = obstacle.name};
  for (const GroundPoint& point : obstacle.outline) {
    outline.x.push_back(point.x);
    outline.y.push_back(point.y);
  }
  constexpr int kCorners = 32;
  for (int k = 0; obstacle.outline.empty() && k < kCorners; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kCorners;
    outline.x.push_back(obstacle.center.x + obstacle.radius * std::cos(angle));
    outline.y.push_back(obstacle.center.y + obstacle.radius * std::sin(angle));
  }
  return outline;
}

/// Start and end first, which matter most if there is no room for all; then the round times.
void add_time_marks(const Way& way, Chart* chart) {
  const double first = way.times.front(), last = way.times.back();
  const auto add = [&](double time, const std::string& text) {
    const GroundPoint at = way.at(time);
    if (std::isfinite(at.x) && std::isfinite(at.y)) chart->labels.push_back({at.x, at.y, text});
  };
  add(first, "start");
  if (!(last > first)) return;
  add(last, "end");
  for (const double t : linear_ticks(first, last, kTimeMarks)) {
    if (t > first && t < last) add(t, short_text(t) + " s");
  }
}

double length_of(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high - low;
}

bool has_no_gap(const ChartCurve& curve) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  return std::ranges::all_of(curve.x, is_finite) && std::ranges::all_of(curve.y, is_finite);
}

bool has_finite(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

std::vector<Chart> make_ground_charts(const std::vector<double>& times,
                                      const std::vector<double>& x, const std::vector<double>& y,
                                      const GroundPlan& ground) {
  if (!has_finite(x) || !has_finite(y)) return {};
  const Way way{times, x, y};
  Chart chart{.id = "path",
              .title = "Path over ground",
              .unit = "m",
              .is_over_time = false,
              .is_wide = true,
              .x = {.label = "x [m]; y is to the left of it, both of the same scale"},
              .equal_axes = true};
  add_lines(ground, &chart);
  add_target(ground, &chart);
  add_cones(ground, &chart);
  add_tracks(ground, &chart);
  for (const GroundObstacle& obstacle : ground.obstacles) {
    chart.outlines.push_back(make_outline(obstacle));
  }
  chart.curves.push_back(make_track(way));
  if (has_no_gap(chart.curves.back()) && times.back() > times.front()) {
    chart.tracked = static_cast<int>(chart.curves.size()) - 1;
    chart.first_time = times.front();
    chart.last_time = times.back();
  }
  add_time_marks(way, &chart);
  std::vector<Chart> charts = {chart};
  const std::vector<double>& driven_y = chart.curves.back().y;
  if (length_of(chart.curves.back().x) > kFlat * length_of(driven_y) && length_of(driven_y) > 0.0) {
    chart.id = "path-enlarged";
    chart.title = "Path over ground, sideways enlarged";
    chart.x.label = "x [m]; y has a scale of its own";
    chart.equal_axes = false;
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace camber::report
