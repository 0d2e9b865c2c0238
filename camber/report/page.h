#pragma once

#include <string>
#include <vector>

#include "camber/report/chart.h"
#include "camber/report/plot.h"

namespace camber::report {

/// A table of text; columns of numbers are aligned to the right.
struct Table {
  std::string caption = {};
  std::vector<std::string> head = {};
  std::vector<std::vector<std::string>> rows = {};
};

/// A report as one HTML file: no fonts, no files beside it, and no scripts but that of charts,
/// which are drawn without it too. It can be mailed, printed and read in ten years.
class Page {
 public:
  explicit Page(std::string title);

  Page& add_heading(const std::string& text);
  Page& add_paragraph(const std::string& text);
  Page& add_list(const std::vector<std::string>& items);
  /// Throws std::invalid_argument when a row has not as many cells as the head.
  Page& add_table(const Table& table);
  Page& add_plot(const Plot& plot);
  /// Plots beside each other where the window is wide enough.
  Page& add_plots(const std::vector<Plot>& plots);
  /// Two in a row, or one where the window is narrow.
  Page& add_charts(const std::vector<Chart>& charts);
  /// As it is: text in it is to be escape()d. Its classes are those of chart_style().
  Page& add_html(const std::string& html);

  std::string to_html() const;

 private:
  std::string title_;
  std::string body_;
  bool has_charts_ = false;
};

}  // namespace camber::report
