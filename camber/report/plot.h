#pragma once

#include <string>
#include <vector>

#include "camber/core/text.h"

namespace camber::report {

/// One axis of a plot. An empty range is found from the data, with round ends.
struct Axis {
  std::string label = {};
  bool is_log = false;
  double first = 0.0;
  double last = 0.0;  // range is empty if last <= first
  double step = 0.0;  // between labels; found if 0
};

/// One curve or cloud of points. A point that is not finite (or not positive on a log axis) is left
/// out and breaks the line there.
struct Series {
  enum class Style { kLine, kPoints, kLineAndPoints, kDashed };
  std::string label = {};  // in the legend; none if empty
  std::vector<double> x = {}, y = {};
  Style style = Style::kLine;
  int color = -1;  // in the palette; -1: the next one
};

/// A line across the plot at one value, with a text at its end: a stability limit.
struct Mark {
  enum class Direction { kVertical, kHorizontal };
  Direction direction = Direction::kVertical;
  double at = 0.0;
  std::string label;
};

struct Plot {
  std::string title = {};
  Axis x = {}, y = {};
  std::vector<Series> series = {};
  std::vector<Mark> marks = {};
  int width = 720;   // [px]
  int height = 420;  // [px]
};

/// A complete <svg> element that needs nothing else: it can stand in a page or in a file of its
/// own. Colors follow the reader's light or dark scheme. Throws std::invalid_argument when x and y
/// of a series differ in length or a log axis has a range that is not positive.
std::string to_svg(const Plot& plot);

/// Round numbers that divide a range into about `count` parts, and the decades of a log range.
std::vector<double> linear_ticks(double first, double last, int count);
std::vector<double> log_ticks(double first, double last);

/// As camber::short_text(), for callers that do not include camber/core/text.h yet.
inline std::string short_text(double value, int digits = 6) {
  return camber::short_text(value, digits);
}

}  // namespace camber::report
