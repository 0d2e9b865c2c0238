#include "camber/analysis/rig_compare.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>

#include <nlohmann/json.hpp>

#include "camber/core/diagnostics.h"
#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::analysis {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxBytes = 16u << 20u;
constexpr double kRounding = 1e-5;  // differences below this share of a range are rounding
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Names of the tables that `camber rig -o` writes end so.
bool is_table_name(const std::string& file) {
  return file.ends_with("_parallel.csv") || file.ends_with("_opposed.csv") ||
         file == "steering.csv";
}

std::vector<std::string> list_tables(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (is_table_name(entry.path().filename().string())) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

/// Not measured, or without bound as a radius straight ahead.
bool is_without_value(const std::string& cell) {
  for (const char* none : {"", "nan", "inf", "-inf"})
    if (cell == none) return true;
  return false;
}

RigTable load_table(const std::string& path) {
  std::string text;
  try {
    text = read_file(path, kMaxBytes);
  } catch (const FileError& error) {
    throw ModelFileError({.file = path}, error.reason());
  }
  RigTable table{.name = std::filesystem::path(path).stem().string(), .keys = {}, .values = {}};
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split(line, ',');
    if (table.keys.empty()) {
      table.keys = cells;
      table.values.resize(cells.size());
      continue;
    }
    const Position where{.file = path, .line = number};
    if (cells.size() != table.keys.size())
      throw ModelFileError(where, concat("must have ", table.keys.size(), " cells as the line of ",
                                         "column names has, got ", cells.size()));
    for (std::size_t j = 0; j < cells.size(); ++j) {
      double value = kNaN;
      if (table.keys[j] != "axle" && !is_without_value(cells[j])) {
        try {
          value = parse_number(cells[j], table.keys[j]);
        } catch (const std::invalid_argument& error) {
          throw ModelFileError(where, error.what());
        }
      }
      table.values[j].push_back(value);
    }
  }
  if (const auto axle = std::ranges::find(table.keys, "axle"); axle != table.keys.end()) {
    table.values.erase(table.values.begin() + (axle - table.keys.begin()));
    table.keys.erase(axle);
  }
  if (table.keys.size() < 2 || table.values[0].size() < 2)
    throw ModelFileError({.file = path}, "must have two columns and two rows of values at least");
  if (!std::ranges::is_sorted(table.values[0], std::less_equal<>()))
    throw ModelFileError({.file = path, .key = table.keys[0]}, "must ascend from row to row");
  return table;
}

/// Linear between rows, NaN outside.
double value_at(const std::vector<double>& x, const std::vector<double>& y, double at) {
  const auto above = std::ranges::lower_bound(x, at);
  if (above == x.end()) return kNaN;
  const auto i = above - x.begin();
  if (x[i] == at) return y[i];
  if (i == 0) return kNaN;
  const double share = (at - x[i - 1]) / (x[i] - x[i - 1]);
  return y[i - 1] + share * (y[i] - y[i - 1]);
}

/// The largest difference at the rows of both tables.
RigDifference compare_column(const RigTable& first, const RigTable& other, std::size_t own,
                             std::size_t others) {
  RigDifference result{.table = first.name, .key = first.keys[own]};
  std::vector<double> rows = first.values[0];
  rows.insert(rows.end(), other.values[0].begin(), other.values[0].end());
  for (const double at : rows) {
    const double a = value_at(first.values[0], first.values[own], at);
    const double b = value_at(other.values[0], other.values[others], at);
    if (!(std::abs(b - a) > std::abs(result.largest))) continue;
    result.largest = b - a;
    result.at = at;
    result.first = a;
    result.other = b;
  }
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : first.values[own]) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (result.largest != 0)
    result.share = high > low ? std::abs(result.largest) / (high - low)
                              : std::numeric_limits<double>::infinity();
  return result;
}

const RigTable* find_table(const RigFolder& rig, const std::string& name) {
  const auto found = std::ranges::find(rig.tables, name, &RigTable::name);
  return found == rig.tables.end() ? nullptr : &*found;
}

std::string table_title(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

}  // namespace

bool is_rig_folder(const std::string& folder) { return !list_tables(folder).empty(); }

RigFolder load_rig_folder(const std::string& folder) {
  RigFolder rig{.name = folder, .tables = {}};
  for (const std::string& path : list_tables(folder)) rig.tables.push_back(load_table(path));
  if (rig.tables.empty())
    throw ModelFileError({.file = folder},
                         "is not the folder of a rig: it has no table such as front_parallel.csv");
  return rig;
}

std::vector<RigDifference> compare_rigs(const std::vector<RigFolder>& rigs) {
  require(rigs.size() >= 2, "compare: give the folders of two rigs or more, got ", rigs.size());
  std::vector<RigDifference> differences;
  for (std::size_t k = 1; k < rigs.size(); ++k) {
    bool has_common = false;
    for (const RigTable& table : rigs[0].tables) {
      const RigTable* other = find_table(rigs[k], table.name);
      if (other == nullptr || other->keys[0] != table.keys[0]) continue;
      has_common = true;
      for (std::size_t j = 1; j < table.keys.size(); ++j) {
        const auto key = std::ranges::find(other->keys, table.keys[j]);
        if (key == other->keys.end()) continue;
        differences.push_back(
            compare_column(table, *other, j, static_cast<std::size_t>(key - other->keys.begin())));
        differences.back().folder = rigs[k].name;
      }
    }
    require(has_common, "compare: ", rigs[0].name, " and ", rigs[k].name,
            " have no table in common");
  }
  std::ranges::stable_sort(differences, std::greater<>(), &RigDifference::share);
  return differences;
}

report::Table make_rig_differences_table(const std::vector<RigDifference>& differences) {
  report::Table table{
      .caption = "Largest differences",
      .head = {"table", "column", "rig", "difference", "of its range", "at", "before", "after"},
      .rows = {}};
  for (const RigDifference& d : differences) {
    if (d.share < kRounding) continue;
    table.rows.push_back(
        {table_title(d.table), d.key, d.folder, short_text(d.largest, 4),
         std::isfinite(d.share) ? short_text(100 * d.share, 3) + " %" : "it did not move",
         short_text(d.at, 4), short_text(d.first, 5), short_text(d.other, 5)});
  }
  return table;
}

std::string rig_differences_to_json(const std::vector<RigDifference>& differences) {
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  Json list = Json::array();
  for (const RigDifference& d : differences)
    list.push_back({{"table", d.table},
                    {"column", d.key},
                    {"rig", d.folder},
                    {"difference", number(d.largest)},
                    {"share_of_range", number(d.share)},
                    {"at", number(d.at)},
                    {"first_value", number(d.first)},
                    {"value", number(d.other)}});
  return Json{{"differences", list}}.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string make_rig_compare_report(const std::vector<RigFolder>& rigs,
                                    const std::vector<RigDifference>& differences) {
  report::Page page("Rigs compared");
  const report::Table table = make_rig_differences_table(differences);
  if (table.rows.empty())
    page.add_paragraph("No column differs.");
  else
    page.add_table(table);
  for (const RigTable& first : rigs[0].tables) {
    std::vector<report::Chart> charts;
    for (std::size_t j = 1; j < first.keys.size(); ++j) {
      report::Chart chart{.id = first.name + "-" + first.keys[j],
                          .title = first.keys[j],
                          .is_over_time = false,
                          .cursor = {.name = first.keys[0], .unit = ""},
                          .x = {.label = first.keys[0]}};
      for (const RigFolder& rig : rigs) {
        const RigTable* own = find_table(rig, first.name);
        if (own == nullptr) continue;
        const auto key = std::ranges::find(own->keys, first.keys[j]);
        if (key == own->keys.end()) continue;
        chart.curves.push_back({.label = rig.name,
                                .x = own->values[0],
                                .y = own->values[key - own->keys.begin()],
                                .style = chart.curves.empty()
                                             ? report::ChartCurve::Style::kLine
                                             : report::ChartCurve::Style::kDashed});
      }
      charts.push_back(std::move(chart));
    }
    page.add_heading(table_title(first.name)).add_charts(charts);
  }
  return page.to_html();
}

}  // namespace camber::analysis
