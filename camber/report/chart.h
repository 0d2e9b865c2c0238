#pragma once

#include <string>
#include <vector>

#include "camber/report/plot.h"

namespace camber::report {

/// One curve of a chart. A point that is not finite breaks the line there.
struct ChartCurve {
  enum class Style { kLine, kDashed, kDots };
  std::string label = {};  // in the legend; none if empty
  std::vector<double> x = {}, y = {};
  int color = -1;  // in the palette; -1: the next one
  Style style = Style::kLine;
};

/// A word at a point of the chart, with a dot: the start of a drive.
struct ChartLabel {
  double x = 0, y = 0;
  std::string text;
};

/// A closed outline, filled lightly: an obstacle.
struct ChartOutline {
  std::string label = {};  // shown when pointed at
  std::vector<double> x = {}, y = {};
};

/// The common abscissa of charts of a page, and the text of their cursor: "t = 3.21 s".
struct ChartCursor {
  std::string name = "t", unit = "s";
};

/// Curves that follow the width of the window while their text keeps its size, unlike a Plot, which
/// is a picture. Charts over time, or over another ascending quantity, get a cursor and a zoom that
/// they share with other charts over it (chart_script()); they are also visible without scripts.
struct Chart {
  std::string id = {};     // of its section: "yaw-rate"
  std::string title = {};  // "Yaw rate"
  std::string unit = {};   // "deg/s"
  std::string note = {};   // a line below
  std::vector<ChartCurve> curves = {};
  bool is_over_time = true;  // or over what `cursor` says
  ChartCursor cursor = {};
  bool is_wide = false;     // takes the whole row
  Axis x = {}, y = {};      // label, range; linear
  bool equal_axes = false;  // a meter to the right is as long as a meter up
  std::vector<ChartLabel> labels = {};
  std::vector<ChartOutline> outlines = {};
  /// The path of a dot that follows the cursor over time: curve number `tracked`, whose points are
  /// evenly spaced from first_time to last_time. -1: none.
  int tracked = -1;
  double first_time = 0, last_time = 0;  // [s]
};

/// A <section> for a page. Curves are kept to a five-thousandth of the chart's height at every
/// sample; those that would need more than about 2000 points are drawn by the extremes of a
/// thousand intervals. Throws std::invalid_argument when x and y of a curve differ in length.
std::string to_html(const Chart& chart);

/// Style and script of a page with charts, for its head and its end.
const char* chart_style();
const char* chart_script();

namespace internal {

/// The numbers (indices) of the points that are needed so that straight lines between them pass
/// all points within `tolerance`, measured along y. x ascends, all values are finite.
std::vector<std::size_t> needed_points(const std::vector<double>& x, const std::vector<double>& y,
                                       double tolerance);

}  // namespace internal

}  // namespace camber::report
