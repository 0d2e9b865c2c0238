#include "camber/report/page.h"

#include <algorithm>

#include "camber/core/require.h"
#include "camber/report/markup.h"

namespace camber::report {
namespace {

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #ffffff; --line: #d5d8dc; --soft: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e6e8; --paper: #16181b; --line: #3a3f45; --soft: #1f2226; }
}
body { margin: 2rem auto; max-width: 92rem; padding: 0 1.5rem; color: var(--ink); background: var(--paper);
       font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; white-space: nowrap; }
th, td { padding: .2rem .8rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
th { background: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; }
.wide { overflow-x: auto; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
svg.plot { max-width: 100%; height: auto; }
@media print { body { margin: 0; max-width: none; } svg.plot, table { break-inside: avoid; } }
)";

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_of("0123456789") != std::string::npos &&
         text.find_first_not_of("0123456789+-.e ij\u2212\u00b1") == std::string::npos;
}

/// May be broken after "_" and "/", as names are: on a phone the first column is narrow.
std::string breakable(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += escape(std::string(1, c));
    if (c == '_' || c == '/') result += "<wbr>";
  }
  return result;
}

std::string cell_markup(const Table& table, std::size_t column, const std::string& text) {
  if (table.head[column] == "unit") return unit_markup(text);
  return column == 0 ? breakable(text) : escape(text);
}

/// A column whose cells are all numbers, or empty.
bool is_numeric(const Table& table, std::size_t column) {
  bool any = false;
  for (const auto& row : table.rows) {
    if (row[column].empty()) continue;
    if (!is_number(row[column])) return false;
    any = true;
  }
  return any;
}

}  // namespace

Page::Page(std::string title) : title_(std::move(title)) {}

Page& Page::add_heading(const std::string& text) {
  body_ += "<h2>" + escape(text) + "</h2>\n";
  return *this;
}

Page& Page::add_paragraph(const std::string& text) {
  body_ += "<p>" + escape(text) + "</p>\n";
  return *this;
}

Page& Page::add_list(const std::vector<std::string>& items) {
  body_ += "<ul>\n";
  for (const std::string& item : items) body_ += "<li>" + escape(item) + "</li>\n";
  body_ += "</ul>\n";
  return *this;
}

Page& Page::add_table(const Table& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    require(table.rows[i].size() == table.head.size(), "Page: row ", i + 1, " of table \"",
            table.caption, "\" has ", table.rows[i].size(), " cells, its head ", table.head.size());
  }
  std::vector<const char*> tags;
  for (std::size_t j = 0; j < table.head.size(); ++j) {
    tags.push_back(is_numeric(table, j) ? " class=\"number\"" : "");
  }
  body_ += "<div class=\"wide\"><table>\n";
  if (!table.caption.empty()) body_ += "<caption>" + escape(table.caption) + "</caption>\n";
  body_ += "<thead><tr>";
  for (std::size_t j = 0; j < table.head.size(); ++j) {
    body_ += concat("<th", tags[j], ">", escape(table.head[j]), "</th>");
  }
  body_ += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    body_ += "<tr>";
    for (std::size_t j = 0; j < row.size(); ++j) {
      body_ += concat("<td", tags[j], ">", cell_markup(table, j, row[j]), "</td>");
    }
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
  return *this;
}

Page& Page::add_plot(const Plot& plot) { return add_plots({plot}); }

Page& Page::add_plots(const std::vector<Plot>& plots) {
  body_ += "<div class=\"plots\">\n";
  for (const Plot& plot : plots) body_ += to_svg(plot);
  body_ += "</div>\n";
  return *this;
}

Page& Page::add_charts(const std::vector<Chart>& charts) {
  body_ += "<div class=\"charts\">\n";
  for (const Chart& chart : charts) body_ += report::to_html(chart);
  body_ += "</div>\n";
  has_charts_ = true;
  return *this;
}

Page& Page::add_html(const std::string& html) {
  body_ += html;
  has_charts_ = true;
  return *this;
}

std::string Page::to_html() const {
  return concat("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
                escape(title_), "</title>\n<style>", kStyle, has_charts_ ? chart_style() : "",
                "</style>\n</head>\n<body>\n<h1>", escape(title_), "</h1>\n", body_,
                has_charts_ ? concat("<script>", chart_script(), "</script>\n") : "",
                "</body>\n</html>\n");
}

}  // namespace camber::report
