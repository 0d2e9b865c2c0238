#include "camber/report/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/report/markup.h"
#include "camber/report/run_report.h"

namespace camber::report {
namespace {

// A chart's own coordinates, in which curves are written as whole numbers: short, and fine enough
// for a zoom.
constexpr double kUnitsAcross = 50000.0;
constexpr double kUnitsDown = 10000.0;
constexpr double kTolerance = 0.5;       // of kUnitsDown
constexpr double kRoughTolerance = 2.0;  // of curves with more than kMaxPoints
constexpr std::size_t kMaxPoints = 2000;
constexpr std::size_t kDense = 800;  // points from which strokes would run into each other
constexpr int kColors = 8;           // .c0 to .c7 of the style
constexpr double kWidest = 5.0;      // of charts with equal axes: width / height
constexpr double kNarrowest = 1.7;
constexpr double kPhoneWidth =
    285.0;  // [px] of a chart's area on a small screen, and its lettering
constexpr double kPhoneHeight = 170.0;
constexpr double kLetterWidth = 6.6, kLetterHeight = 13.0;
constexpr double kGap = 4.0;  // from a dot to its text

struct Range {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();
  double length() const { return last - first; }
  double middle() const { return 0.5 * (first + last); }
  void add(double value) {
    if (!std::isfinite(value)) return;
    first = std::min(first, value);
    last = std::max(last, value);
  }
};

Range data_range(const Chart& chart, bool along_x) {
  Range range;
  for (const ChartCurve& curve : chart.curves) {
    for (const double value : along_x ? curve.x : curve.y) range.add(value);
  }
  for (const ChartOutline& outline : chart.outlines) {
    for (const double value : along_x ? outline.x : outline.y) range.add(value);
  }
  for (const ChartLabel& label : chart.labels) range.add(along_x ? label.x : label.y);
  return range;
}

/// The axis' own range, or that of the data with `margin` of it on both sides.
Range make_range(const Axis& axis, Range data, double margin) {
  if (axis.last > axis.first) return {axis.first, axis.last};
  if (!(data.last >= data.first)) return {0.0, 1.0};
  // What differs in the last digits only is constant for a reader.
  const double size = std::max(std::abs(data.first), std::abs(data.last));
  if (data.length() <= 1e-9 * size || data.length() == 0.0) {
    const double half = size == 0.0 ? 1.0 : 0.1 * size;
    return {data.middle() - half, data.middle() + half};
  }
  return {data.first - margin * data.length(), data.last + margin * data.length()};
}

/// Widens one of the ranges until the chart is neither a thread nor a tower.
void make_equal(Range* x, Range* y) {
  const double ratio = x->length() / y->length();
  Range* narrow = ratio > kWidest ? y : ratio < kNarrowest ? x : nullptr;
  if (narrow == nullptr) return;
  const double half = 0.5 * (narrow == y ? x->length() / kWidest : y->length() * kNarrowest);
  *narrow = {narrow->middle() - half, narrow->middle() + half};
}

void check(const Chart& chart) {
  for (const ChartCurve& curve : chart.curves) {
    require(curve.x.size() == curve.y.size(), "chart \"", chart.title, "\": curve \"", curve.label,
            "\" has ", curve.x.size(), " x and ", curve.y.size(), " y");
  }
  require(chart.tracked < static_cast<int>(chart.curves.size()), "chart \"", chart.title,
          "\": curve ", chart.tracked, " is tracked, there are ", chart.curves.size());
}

/// Writes one chart.
class Writer {
 public:
  explicit Writer(const Chart& chart) : chart_(chart) {
    x_ = make_range(chart.x, data_range(chart, true), chart.is_over_time ? 0.0 : 0.03);
    y_ = make_range(chart.y, data_range(chart, false), 0.06);
    if (chart.equal_axes) make_equal(&x_, &y_);
    out_.precision(10);
  }

  std::string write() {
    out_ << "<section class=\"card" << (chart_.is_wide ? " wide-card" : "") << "\" id=\""
         << escape(chart_.id) << "\">\n<h2>" << escape(chart_.title);
    if (const std::string unit = unit_markup(chart_.unit); !unit.empty()) {
      out_ << " <span class=\"unit\">[" << unit << "]</span>";
    }
    out_ << "</h2>\n";
    open();
    legend();
    area();
    out_ << "</div>\n";
    if (!chart_.note.empty()) out_ << "<p class=\"note\">" << escape(chart_.note) << "</p>\n";
    out_ << "</section>\n";
    return out_.str();
  }

 private:
  double across(double x) const { return (x - x_.first) / x_.length(); }  // 0 left, 1 right
  double down(double y) const { return (y_.last - y) / y_.length(); }     // 0 top, 1 bottom

  void open() {
    out_ << "<div class=\"chart\" data-range=\"" << x_.first << ' ' << x_.last << ' ' << y_.first
         << ' ' << y_.last << "\"";
    if (chart_.is_over_time) {
      out_ << " data-over-time tabindex=\"0\" data-cursor=\"" << escape(chart_.cursor.name) << '|'
           << escape(chart_.cursor.unit) << '"';
    }
    if (chart_.tracked >= 0) {
      out_ << " data-tracked=\"" << chart_.tracked << ' ' << chart_.first_time << ' '
           << chart_.last_time << "\"";
    }
    out_ << " role=\"img\" aria-label=\"" << escape(chart_.title) << "\">\n";
  }

  int color_of(std::size_t i) const {
    const int wanted = chart_.curves[i].color;
    return (wanted >= 0 ? wanted : static_cast<int>(i)) % kColors;
  }

  static const char* style_of(const ChartCurve& curve) {
    return curve.style == ChartCurve::Style::kDashed ? " dashed"
           : curve.style == ChartCurve::Style::kDots ? " dots"
                                                     : "";
  }

  void legend() {
    out_ << "<div class=\"legend\">";
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) {
      const ChartCurve& curve = chart_.curves[i];
      if (curve.label.empty() && !chart_.is_over_time) continue;
      // One without a label is there for the order, by which the script finds it.
      out_ << "<span class=\"key c" << color_of(i) << style_of(curve) << '"'
           << (curve.label.empty() && curve.style == ChartCurve::Style::kDots ? " hidden" : "")
           << "><i></i>" << escape(curve.label);
      if (chart_.is_over_time) out_ << " <b></b>";
      out_ << "</span>";
    }
    out_ << "</div>\n";
  }

  void area() {
    out_ << "<div class=\"area\"";
    if (chart_.equal_axes) out_ << " style=\"aspect-ratio:" << x_.length() / y_.length() << '"';
    out_ << "><svg viewBox=\"0 0 " << kUnitsAcross << ' ' << kUnitsDown
         << "\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\n";
    const std::vector<double> x_ticks = linear_ticks(x_.first, x_.last, chart_.is_wide ? 7 : 5);
    const std::vector<double> y_ticks = linear_ticks(y_.first, y_.last, chart_.equal_axes ? 3 : 5);
    grid(x_ticks, y_ticks);
    for (const ChartOutline& outline : chart_.outlines) draw(outline);
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) draw(chart_.curves[i], color_of(i));
    out_ << "</svg>";
    tick_labels(x_ticks, y_ticks);
    for (const ChartLabel& label : chart_.labels) draw(label);
    out_ << "</div>\n<div class=\"axis\">" << escape(chart_.x.label) << "</div>\n";
  }

  void grid(const std::vector<double>& x_ticks, const std::vector<double>& y_ticks) {
    out_ << "<path class=\"grid\" d=\"";
    for (const double t : x_ticks) {
      out_ << 'M' << std::lround(across(t) * kUnitsAcross) << " 0v" << kUnitsDown;
    }
    for (const double t : y_ticks) {
      out_ << "M0 " << std::lround(down(t) * kUnitsDown) << 'h' << kUnitsAcross;
    }
    out_ << "\"/>\n<path class=\"zero\" d=\"";
    if (y_.first < 0.0 && y_.last > 0.0) {
      out_ << "M0 " << std::lround(down(0.0) * kUnitsDown) << 'h' << kUnitsAcross;
    }
    out_ << "\"/>\n";
  }

  /// As wide as the margin of a card at most: -1.2e-4 rather than -0.00012.
  static std::string tick_text(double t) {
    constexpr std::size_t kLongest = 7;
    std::string text = short_text(t);
    if (text.size() <= kLongest) return text;
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(t))));
    return concat(short_text(t / std::pow(10.0, exponent), 3), "e", exponent);
  }

  void tick_labels(const std::vector<double>& x_ticks, const std::vector<double>& y_ticks) {
    std::ostringstream places;
    places.precision(5);
    for (const double t : x_ticks) {
      places << "<span class=\"tx\" style=\"left:" << 100.0 * across(t) << "%\">"
             << escape(tick_text(t)) << "</span>";
    }
    for (const double t : y_ticks) {
      places << "<span class=\"ty\" style=\"top:" << 100.0 * down(t) << "%\">"
             << escape(tick_text(t)) << "</span>";
    }
    out_ << places.str();
  }

  /// The dot of a label, and its text beside it where there is room: as on a phone, where there is
  /// the least.
  void draw(const ChartLabel& label) {
    static constexpr const char* kSides[] = {"", " below", " to-left", " to-left below"};
    const double x = across(label.x) * kPhoneWidth;
    const double y = down(label.y) * phone_height();
    const double width = kLetterWidth * static_cast<double>(label.text.size());
    const char* side = nullptr;
    for (std::size_t k = 0; k < std::size(kSides) && side == nullptr; ++k) {
      const double left = (k & 2) != 0 ? x - kGap - width : x + kGap;
      const double top = (k & 1) != 0 ? y + kGap : y - kGap - kLetterHeight;
      const Box box{left, top, left + width, top + kLetterHeight};
      if (!is_free(box)) continue;
      side = kSides[k];
      taken_.push_back(box);
    }
    std::ostringstream place;
    place.precision(5);
    place << "left:" << 100.0 * across(label.x) << "%;top:" << 100.0 * down(label.y) << '%';
    out_ << "<span class=\"place" << (side != nullptr ? side : "") << "\" style=\"" << place.str()
         << "\">";
    if (side != nullptr) out_ << "<span>" << escape(label.text) << "</span>";
    out_ << "</span>";
  }

  struct Box {
    double left, top, right, bottom;  // [px]
  };

  double phone_height() const {
    return chart_.equal_axes ? kPhoneWidth * y_.length() / x_.length() : kPhoneHeight;
  }

  bool is_free(const Box& box) const {
    if (box.left < 0 || box.right > kPhoneWidth || box.top < 0 || box.bottom > phone_height()) {
      return false;
    }
    return std::ranges::none_of(taken_, [&](const Box& other) {
      return box.left < other.right && other.left < box.right && box.top < other.bottom &&
             other.top < box.bottom;
    });
  }

  void draw(const ChartOutline& outline) {
    out_ << "<path class=\"outline\" d=\"";
    for (std::size_t k = 0; k < outline.x.size(); ++k) {
      out_ << (k == 0 ? 'M' : 'L') << std::lround(across(outline.x[k]) * kUnitsAcross) << ' '
           << std::lround(down(outline.y[k]) * kUnitsDown);
    }
    out_ << "Z\"><title>" << escape(outline.label) << "</title></path>\n";
  }

  void draw(const ChartCurve& curve, int color) {
    const bool is_line = curve.style != ChartCurve::Style::kDots;
    const Pieces pieces = is_line ? make_line(curve) : Pieces();
    const bool is_dense = chart_.is_over_time && count_points(pieces) > kDense;
    out_ << "<path class=\"curve c" << color << style_of(curve) << (is_dense ? " dense" : "")
         << "\" d=\"";
    if (!is_line) draw_dots(curve);
    for (const Piece& piece : pieces) write_piece(piece);
    out_ << "\"/>\n";
  }

  void draw_dots(const ChartCurve& curve) {
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      if (!std::isfinite(curve.x[k]) || !std::isfinite(curve.y[k])) continue;
      out_ << 'M' << std::lround(across(curve.x[k]) * kUnitsAcross) << ' '
           << std::lround(down(curve.y[k]) * kUnitsDown) << "h0";
    }
  }

  /// A part of a curve without gaps, in the chart's coordinates.
  struct Piece {
    std::vector<double> x, y;
  };
  using Pieces = std::vector<Piece>;

  Pieces make_line(const ChartCurve& curve) const {
    Pieces pieces = make_pieces(curve.x, curve.y);
    if (!chart_.is_over_time) return pieces;
    simplify(kTolerance, &pieces);
    if (count_points(pieces) <= kMaxPoints) return pieces;
    const Series thin = thin_out(curve.x, curve.y, kMaxPoints / 2);
    pieces = make_pieces(thin.x, thin.y);
    simplify(kRoughTolerance, &pieces);
    return pieces;
  }

  static std::size_t count_points(const Pieces& pieces) {
    std::size_t count = 0;
    for (const Piece& piece : pieces) count += piece.x.size();
    return count;
  }

  Pieces make_pieces(const std::vector<double>& x, const std::vector<double>& y) const {
    Pieces pieces;
    bool pen_is_down = false;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const bool shown = std::isfinite(x[k]) && std::isfinite(y[k]);
      if (shown && !pen_is_down) pieces.emplace_back();
      if (shown) {
        pieces.back().x.push_back(across(x[k]) * kUnitsAcross);
        pieces.back().y.push_back(down(y[k]) * kUnitsDown);
      }
      pen_is_down = shown;
    }
    return pieces;
  }

  /// Leaves out what a straight line says as well.
  static void simplify(double tolerance, Pieces* pieces) {
    for (Piece& piece : *pieces) {
      Piece kept;
      for (const std::size_t k : internal::needed_points(piece.x, piece.y, tolerance)) {
        kept.x.push_back(piece.x[k]);
        kept.y.push_back(piece.y[k]);
      }
      piece = std::move(kept);
    }
  }

  /// Steps from rounded point to rounded point, so that roundings do not add up.
  void write_piece(const Piece& piece) {
    long x = 0, y = 0;
    for (std::size_t k = 0; k < piece.x.size(); ++k) {
      const long next_x = std::lround(piece.x[k]), next_y = std::lround(piece.y[k]);
      if (k == 0) {
        out_ << 'M' << next_x << ' ' << next_y << 'l';
        if (piece.x.size() == 1) out_ << "0 0";
      } else {
        out_ << (k > 1 ? " " : "") << next_x - x << (next_y < y ? "" : " ") << next_y - y;
      }
      x = next_x;
      y = next_y;
    }
  }

  const Chart& chart_;
  Range x_, y_;
  std::vector<Box> taken_;  // by labels
  std::ostringstream out_;
};

}  // namespace

std::string to_html(const Chart& chart) {
  check(chart);
  return Writer(chart).write();
}

namespace internal {

// A line from the last kept point may go on as long as its slope stays inside the window that every
// point passed so far leaves open; so each point is looked at once.
std::vector<std::size_t> needed_points(const std::vector<double>& x, const std::vector<double>& y,
                                       double tolerance) {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  std::vector<std::size_t> kept;
  if (x.empty()) return kept;
  kept.push_back(0);
  double low = -kAll, high = kAll;
  for (std::size_t k = 1; k < x.size(); ++k) {
    const auto slope_to = [&](std::size_t i, double offset) {
      return (y[i] + offset - y[kept.back()]) / (x[i] - x[kept.back()]);
    };
    const bool is_upright = !(x[k] > x[kept.back()]);
    if (is_upright || slope_to(k, 0.0) < low || slope_to(k, 0.0) > high) {
      if (kept.back() != k - 1) kept.push_back(k - 1);
      low = -kAll;
      high = kAll;
    }
    if (!(x[k] > x[kept.back()])) {
      kept.push_back(k);
      continue;
    }
    low = std::max(low, slope_to(k, -tolerance));
    high = std::min(high, slope_to(k, tolerance));
  }
  if (kept.back() + 1 != x.size()) kept.push_back(x.size() - 1);
  return kept;
}

}  // namespace internal

}  // namespace camber::report
