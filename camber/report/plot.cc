#include "camber/report/plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/report/markup.h"

namespace camber::report {
namespace {

// Okabe and Ito's colors, which color-blind readers tell apart; yellow is left out: too light.
constexpr const char* kPalette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b"};
constexpr int kColors = static_cast<int>(std::size(kPalette));

constexpr double kLeft = 78.0;  // [px] margins
constexpr double kTop = 34.0;
constexpr double kBottom = 50.0;
constexpr double kRight = 18.0;
constexpr double kLegendLine = 17.0;
constexpr double kCharacter = 6.7;  // [px] width of a legend's letter, about

/// An axis with its range settled: values to pixels.
class Scale {
 public:
  Scale(const Axis& axis, double first, double last, double first_pixel, double last_pixel)
      : is_log_(axis.is_log),
        step_(axis.step),
        first_(first),
        last_(last),
        start_(value(first)),
        pixel_(first_pixel),
        pixels_per_unit_((last_pixel - first_pixel) / (value(last) - value(first))) {}

  double operator()(double x) const { return pixel_ + (value(x) - start_) * pixels_per_unit_; }
  bool can_show(double x) const { return std::isfinite(x) && (!is_log_ || x > 0.0); }
  bool contains(double x) const { return x >= first_ && x <= last_; }
  std::vector<double> ticks(int count) const {
    if (is_log_) return log_ticks(first_, last_);
    if (step_ <= 0.0) return linear_ticks(first_, last_, count);
    std::vector<double> ticks;
    for (double k = std::ceil(first_ / step_); k * step_ <= last_; ++k) ticks.push_back(k * step_);
    return ticks;
  }
  /// Lines between the labeled ones: 2 ... 9 of each decade.
  std::vector<double> minor_ticks() const {
    std::vector<double> ticks;
    if (!is_log_) return ticks;
    for (double k = std::floor(std::log10(first_)); k <= std::log10(last_); ++k) {
      for (int digit = 2; digit < 10; ++digit) {
        const double tick = digit * std::pow(10.0, k);
        if (contains(tick)) ticks.push_back(tick);
      }
    }
    return ticks;
  }

 private:
  double value(double x) const { return is_log_ ? std::log10(x) : x; }

  bool is_log_;
  double step_, first_, last_, start_, pixel_, pixels_per_unit_;
};

struct Range {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();
  void add(double x) {
    first = std::min(first, x);
    last = std::max(last, x);
  }
};

/// The data's range widened to round numbers, or by a little where that would waste room.
Range round_range(const Axis& axis, Range data) {
  if (axis.last > axis.first) return {axis.first, axis.last};
  if (!(data.last >= data.first)) data = axis.is_log ? Range{1.0, 10.0} : Range{0.0, 1.0};
  if (axis.is_log) {
    if (data.last == data.first) return {data.first / 2.0, data.last * 2.0};
    const double margin = std::pow(data.last / data.first, 0.04);
    return {data.first / margin, data.last * margin};
  }
  if (data.last == data.first) {
    const double half = data.first == 0.0 ? 1.0 : 0.1 * std::abs(data.first);
    return {data.first - half, data.last + half};
  }
  const double margin = 0.04 * (data.last - data.first);
  return {data.first - margin, data.last + margin};
}

Range data_range(const Plot& plot, const Axis& axis, std::vector<double> Series::*values) {
  Range range;
  for (const Series& series : plot.series) {
    for (const double x : series.*values) {
      if (std::isfinite(x) && (!axis.is_log || x > 0.0)) range.add(x);
    }
  }
  return range;
}

void check(const Plot& plot) {
  for (const Series& series : plot.series) {
    require(series.x.size() == series.y.size(), "to_svg: series \"", series.label, "\" of plot \"",
            plot.title, "\" has ", series.x.size(), " x and ", series.y.size(), " y");
  }
  for (const Axis* axis : {&plot.x, &plot.y}) {
    require(!axis->is_log || axis->last <= axis->first || axis->first > 0.0, "to_svg: log axis \"",
            axis->label, "\" of plot \"", plot.title, "\" starts at ", axis->first);
  }
}

/// Draws one plot.
class Painter {
 public:
  explicit Painter(const Plot& plot)
      : plot_(plot),
        right_(plot.width - kRight),
        bottom_(plot.height - kBottom),
        legend_height_(legend_height(plot)),
        top_(kTop + legend_height_),
        x_(make_scale(plot.x, &Series::x, kLeft, right_)),
        y_(make_scale(plot.y, &Series::y, bottom_, top_)) {
    out_.precision(6);
  }

  std::string paint() {
    open();
    grid();
    marks();
    curves();
    frame();
    legend();
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  Scale make_scale(const Axis& axis, std::vector<double> Series::*values, double from, double to) {
    const Range range = round_range(axis, data_range(plot_, axis, values));
    return {axis, range.first, range.last, from, to};
  }

  static double entry_width(const Series& series) {
    return 34.0 + kCharacter * static_cast<double>(series.label.size());
  }

  /// The legend stands above the plot, in as many lines as it takes.
  static double legend_height(const Plot& plot) {
    double x = 0.0;
    int lines = 0;
    for (const Series& series : plot.series) {
      if (series.label.empty()) continue;
      if (lines == 0 || x + entry_width(series) > plot.width - kLeft - kRight) {
        ++lines;
        x = 0.0;
      }
      x += entry_width(series);
    }
    return lines * kLegendLine;
  }

  void open() {
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 " << plot_.width
         << ' ' << plot_.height << "\" width=\"" << plot_.width << "\" height=\"" << plot_.height
         << "\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\" "
         << "fill=\"currentColor\">\n<title>" << escape(plot_.title) << "</title>\n";
    text((kLeft + right_) / 2, 20, plot_.title, "middle", " font-size=\"14\" font-weight=\"600\"");
  }

  void text(double x, double y, const std::string& words, const char* anchor,
            const std::string& more = "") {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << '"' << more
         << '>' << escape(words) << "</text>\n";
  }

  void line(double x1, double y1, double x2, double y2, const char* look) {
    out_ << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2 << "\" "
         << look << "/>\n";
  }

  void grid() {
    constexpr const char* kMajor = "stroke=\"currentColor\" stroke-opacity=\"0.16\"";
    constexpr const char* kMinor = "stroke=\"currentColor\" stroke-opacity=\"0.07\"";
    constexpr const char* kZero = "stroke=\"currentColor\" stroke-opacity=\"0.5\"";
    for (const double t : x_.minor_ticks()) line(x_(t), top_, x_(t), bottom_, kMinor);
    for (const double t : y_.minor_ticks()) line(kLeft, y_(t), right_, y_(t), kMinor);
    for (const double t : x_.ticks(std::max(2, plot_.width / 90))) {
      line(x_(t), top_, x_(t), bottom_, t == 0.0 ? kZero : kMajor);
      text(x_(t), bottom_ + 17, short_text(t), "middle");
    }
    for (const double t : y_.ticks(std::max(2, plot_.height / 60))) {
      line(kLeft, y_(t), right_, y_(t), t == 0.0 ? kZero : kMajor);
      text(kLeft - 7, y_(t) + 4, short_text(t), "end");
    }
  }

  void marks() {
    constexpr const char* kLook =
        "stroke=\"currentColor\" stroke-opacity=\"0.65\" stroke-dasharray=\"2 3\"";
    for (const Mark& mark : plot_.marks) {
      if (mark.direction == Mark::Direction::kVertical && x_.contains(mark.at)) {
        line(x_(mark.at), top_, x_(mark.at), bottom_, kLook);
        text(x_(mark.at) + 4, top_ + 13, mark.label, "start", " font-size=\"11\"");
      } else if (mark.direction == Mark::Direction::kHorizontal && y_.contains(mark.at)) {
        line(kLeft, y_(mark.at), right_, y_(mark.at), kLook);
        text(right_ - 4, y_(mark.at) - 4, mark.label, "end", " font-size=\"11\"");
      }
    }
  }

  const char* color_of(std::size_t i) const {
    const int wanted = plot_.series[i].color;
    return kPalette[(wanted >= 0 ? wanted : static_cast<int>(i)) % kColors];
  }

  void curves() {
    // An inner <svg> clips without the names that a clipPath would need.
    out_ << "<svg x=\"" << kLeft << "\" y=\"" << top_ << "\" width=\"" << right_ - kLeft
         << "\" height=\"" << bottom_ - top_ << "\" viewBox=\"" << kLeft << ' ' << top_ << ' '
         << right_ - kLeft << ' ' << bottom_ - top_ << "\">\n";
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const Series& series = plot_.series[i];
      if (series.style != Series::Style::kPoints) curve(series, color_of(i));
      if (series.style == Series::Style::kPoints || series.style == Series::Style::kLineAndPoints) {
        points(series, color_of(i));
      }
    }
    out_ << "</svg>\n";
  }

  void curve(const Series& series, const char* color) {
    out_ << "<path fill=\"none\" stroke=\"" << color
         << "\" stroke-width=\"1.8\" stroke-linejoin=\"round\""
         << (series.style == Series::Style::kDashed ? " stroke-dasharray=\"6 4\"" : "") << " d=\"";
    bool pen_is_down = false;
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      const bool shown = x_.can_show(series.x[k]) && y_.can_show(series.y[k]);
      if (shown) out_ << (pen_is_down ? 'L' : 'M') << x_(series.x[k]) << ' ' << y_(series.y[k]);
      pen_is_down = shown;
    }
    out_ << "\"/>\n";
  }

  void points(const Series& series, const char* color) {
    out_ << "<g fill=\"" << color << "\">";
    for (std::size_t k = 0; k < series.x.size(); ++k) {
      if (!x_.can_show(series.x[k]) || !y_.can_show(series.y[k])) continue;
      out_ << "<circle cx=\"" << x_(series.x[k]) << "\" cy=\"" << y_(series.y[k])
           << "\" r=\"2.4\"/>";
    }
    out_ << "</g>\n";
  }

  void frame() {
    out_ << "<rect x=\"" << kLeft << "\" y=\"" << top_ << "\" width=\"" << right_ - kLeft
         << "\" height=\"" << bottom_ - top_
         << "\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.5\"/>\n";
    text((kLeft + right_) / 2, plot_.height - 11, plot_.x.label, "middle");
    std::ostringstream turn;
    turn << " transform=\"rotate(-90 16 " << (top_ + bottom_) / 2 << ")\"";
    text(16, (top_ + bottom_) / 2, plot_.y.label, "middle", turn.str());
  }

  void legend() {
    double x = kLeft;
    double y = kTop + 4;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const Series& series = plot_.series[i];
      if (series.label.empty()) continue;
      if (x > kLeft && x + entry_width(series) > right_) {
        x = kLeft;
        y += kLegendLine;
      }
      out_ << "<line x1=\"" << x << "\" y1=\"" << y << "\" x2=\"" << x + 20 << "\" y2=\"" << y
           << "\" stroke=\"" << color_of(i) << "\" stroke-width=\"3\""
           << (series.style == Series::Style::kDashed ? " stroke-dasharray=\"6 4\"" : "") << "/>\n";
      text(x + 25, y + 4, series.label, "start");
      x += entry_width(series);
    }
  }

  const Plot& plot_;
  double right_, bottom_, legend_height_, top_;
  Scale x_, y_;
  std::ostringstream out_;
};

}  // namespace

std::string to_svg(const Plot& plot) {
  check(plot);
  return Painter(plot).paint();
}

}  // namespace camber::report
