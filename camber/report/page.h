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

/// A report as one HTML file without fonts or other files. Its only script is that of the charts,
/// which are also visible without it. The file can be mailed, printed and archived.
class Page {
 public:
  explicit Page(std::string title);

  Page& add_heading(const std::string& text);
  Page& add_paragraph(const std::string& text);
  Page& add_list(const std::vector<std::string>& items);
  /// Throws std::invalid_argument if a row does not have as many cells as the head.
  Page& add_table(const Table& table);
  Page& add_plot(const Plot& plot);
  /// Plots side by side if the window is wide enough.
  Page& add_plots(const std::vector<Plot>& plots);
  /// Two in a row, or one if the window is narrow.
  Page& add_charts(const std::vector<Chart>& charts);
  /// Inserted unchanged: text in it must be escape()d. Its classes are those of chart_style().
  Page& add_html(const std::string& html);

  std::string to_html() const;

 private:
  std::string title_;
  std::string body_;
  bool has_charts_ = false;
};

}  // namespace camber::report
