#include "camber/report/run_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kCurves = 8;     // in a plot; more cannot be told apart
constexpr int kWidth = 690;            // [px]; two fit beside each other
constexpr std::size_t kBuckets = 600;  // about a plot's width in pixels
constexpr std::size_t kMaxPlots = 80;

std::string label_of(const RunChannel& channel, std::size_t column) {
  const std::string& name = channel.names[column];
  return name.empty() ? channel.name : name;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  if (unit.empty() || unit == "1") return name;
  return name + (name.empty() ? "[" : " [") + unit + "]";
}

/// Columns that share a plot: those of one unit, in order, kCurves at most.
struct Group {
  std::string unit;
  std::vector<std::size_t> columns;
};

std::vector<Group> group_columns(const RunChannel& channel) {
  std::vector<Group> groups;
  for (std::size_t column = 0; column < channel.names.size(); ++column) {
    const std::string unit = unit_of(channel, column);
    // The last one of this unit, so that the order stays.
    const auto found = std::find_if(groups.rbegin(), groups.rend(),
                                    [&](const Group& group) { return group.unit == unit; });
    if (found == groups.rend() || found->columns.size() == kCurves) {
      groups.push_back({unit, {column}});
    } else {
      found->columns.push_back(column);
    }
  }
  return groups;
}

Plot make_plot(const RunReport& report, const RunChannel& channel, const Group& group) {
  Plot plot{.title = channel.name, .x = {.label = "time [s]"}, .y = {}};
  if (report.times.size() > 1 && report.times.front() < report.times.back()) {
    plot.x.first = report.times.front();
    plot.x.last = report.times.back();
  }
  plot.width = kWidth;
  plot.height = 320;
  const bool is_alone = group.columns.size() == 1;
  plot.y.label = is_alone ? with_unit(label_of(channel, group.columns.front()), group.unit)
                          : with_unit("", group.unit);
  for (const std::size_t column : group.columns) {
    Series series = thin_out(report.times, column_of(channel, column), kBuckets);
    if (!is_alone) series.label = label_of(channel, column);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

void add_plots(const RunReport& report, Page* page) {
  std::vector<std::string> descriptions;
  std::vector<Plot> plots;
  std::size_t left_out = 0;
  for (const RunChannel& channel : report.channels) {
    if (!channel.description.empty()) {
      descriptions.push_back(channel.name + ": " + channel.description);
    }
    for (const Group& group : group_columns(channel)) {
      if (plots.size() < kMaxPlots) {
        plots.push_back(make_plot(report, channel, group));
      } else {
        left_out += group.columns.size();
      }
    }
  }
  if (plots.empty()) return;
  page->add_heading("Over time");
  if (!descriptions.empty()) page->add_list(descriptions);
  page->add_plots(plots);
  if (left_out > 0) {
    page->add_paragraph(concat(left_out, " more columns are in the table below, but not drawn."));
  }
}

Table ranges_table(const RunReport& report) {
  Table table{.caption = "",
              .head = {"channel", "column", "unit", "first", "last", "smallest", "at [s]",
                       "largest", "at [s]", "not finite"},
              .rows = {}};
  for (const RunChannel& channel : report.channels) {
    for (std::size_t column = 0; column < channel.names.size(); ++column) {
      const std::vector<double> values = column_of(channel, column);
      std::size_t smallest = values.size();
      std::size_t largest = values.size();
      std::size_t not_finite = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
          ++not_finite;
          continue;
        }
        if (smallest == values.size() || values[i] < values[smallest]) smallest = i;
        if (largest == values.size() || values[i] > values[largest]) largest = i;
      }
      const auto text = [](const std::vector<double>& from, std::size_t i) {
        return i < from.size() && std::isfinite(from[i]) ? short_text(from[i]) : std::string();
      };
      table.rows.push_back({channel.name, channel.names[column], unit_of(channel, column),
                            text(values, 0), text(values, values.size() - 1),
                            text(values, smallest), text(report.times, smallest),
                            text(values, largest), text(report.times, largest),
                            not_finite > 0 ? std::to_string(not_finite) : ""});
    }
  }
  return table;
}

}  // namespace

void check_channels(const std::string& who, const std::vector<double>& times,
                    const std::vector<RunChannel>& channels) {
  for (const RunChannel& channel : channels) {
    const std::size_t columns = channel.names.size();
    require(columns > 0, who, ": channel \"", channel.name, "\" has no columns");
    require(channel.units.size() <= 1 || channel.units.size() == columns, who, ": channel \"",
            channel.name, "\" has ", channel.units.size(), " units for ", columns, " columns");
    require(channel.values.size() == columns * times.size(), who, ": channel \"", channel.name,
            "\" has ", channel.values.size(), " values, ", times.size(), " times of ", columns,
            " columns need ", columns * times.size());
  }
}

std::string unit_of(const RunChannel& channel, std::size_t column) {
  if (channel.units.empty()) return "";
  return channel.units[channel.units.size() == 1 ? 0 : column];
}

std::vector<double> column_of(const RunChannel& channel, std::size_t column) {
  std::vector<double> values;
  const std::size_t columns = channel.names.size();
  for (std::size_t i = column; i < channel.values.size(); i += columns) {
    values.push_back(channel.values[i]);
  }
  return values;
}

Table values_table(const std::string& caption, const std::vector<SummaryValue>& values) {
  Table table{.caption = caption, .head = {"", "value", "unit"}, .rows = {}};
  for (const SummaryValue& value : values) {
    table.rows.push_back({value.name, value.value, value.unit});
  }
  return table;
}

Series thin_out(const std::vector<double>& x, const std::vector<double>& y, std::size_t buckets) {
  require(x.size() == y.size() && buckets > 0, "thin_out: ", x.size(), " x, ", y.size(), " y, ",
          buckets, " buckets");
  if (x.size() <= 2 * buckets) return {.x = x, .y = y};
  Series series;
  const auto add = [&](std::size_t i) {
    series.x.push_back(x[i]);
    series.y.push_back(y[i]);
  };
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const std::size_t first = bucket * x.size() / buckets;
    const std::size_t last = (bucket + 1) * x.size() / buckets;
    std::size_t low = last;
    std::size_t high = last;
    for (std::size_t i = first; i < last; ++i) {
      if (!std::isfinite(y[i])) continue;
      if (low == last || y[i] < y[low]) low = i;
      if (high == last || y[i] > y[high]) high = i;
    }
    if (low == last) {
      series.x.push_back(x[first]);
      series.y.push_back(kNaN);
      continue;
    }
    add(std::min(low, high));
    if (low != high) add(std::max(low, high));
  }
  return series;
}

std::string make_run_report(const RunReport& report) {
  check_channels("run report", report.times, report.channels);
  Page page(report.title);
  for (const std::string& note : report.notes) page.add_paragraph(note);
  if (!report.summary.empty()) {
    page.add_heading("Summary").add_table(values_table("", report.summary));
  }
  if (report.times.empty()) {
    page.add_paragraph("The run has no samples.");
  } else {
    add_plots(report, &page);
    page.add_heading("Ranges").add_table(ranges_table(report));
  }
  if (!report.settings.empty()) {
    page.add_heading("Settings").add_table(values_table("", report.settings));
  }
  return page.to_html();
}

void write_run_report(const std::string& path, const RunReport& report) {
  write_file_atomically(path, make_run_report(report));
}

}  // namespace camber::report
