#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "camber/report/page.h"

namespace camber::report {

/// A quantity over time, with one or more columns.
struct RunChannel {
  std::string name;                     // "coordinates/q"
  std::vector<std::string> names = {};  // of the columns; one empty name for a single number
  std::vector<std::string> units = {};  // one for all, or one per column; may be empty
  std::vector<double> values = {};      // sample by sample
  std::string description = {};
};

/// Throws std::invalid_argument if a channel does not have one value per column and time. The
/// message starts with `who`.
void check_channels(const std::string& who, const std::vector<double>& times,
                    const std::vector<RunChannel>& channels);
/// The unit of a column, "" if there is none; the values of a column over time.
std::string unit_of(const RunChannel& channel, std::size_t column);
std::vector<double> column_of(const RunChannel& channel, std::size_t column);

/// A line of the table at the top: "largest tire load", "8123", "N".
struct SummaryValue {
  std::string name, value, unit = {};
};

struct RunReport {
  std::string title;                    // "Run of mule"
  std::vector<std::string> notes = {};  // paragraphs under the title
  std::vector<SummaryValue> summary = {};
  std::vector<SummaryValue> settings = {};  // model, formulation, integrator
  std::vector<double> times = {};           // [s]
  std::vector<RunChannel> channels = {};    // those to be drawn, in this order
};

/// One HTML page that needs no other file: summary, plots of the channels over time (columns of
/// one unit share a plot, up to eight), range of each column, settings. Long runs are drawn with
/// the extremes of each pixel, so no peak is lost and a page stays small. Throws
/// std::invalid_argument if a channel does not have one value per column and time.
std::string make_run_report(const RunReport& report);

/// The same into a file, whole or not at all. Throws FileError.
void write_run_report(const std::string& path, const RunReport& report);

/// Names, values and units as a table.
Table values_table(const std::string& caption, const std::vector<SummaryValue>& values);

/// At most about 2 * buckets points of a curve: the smallest and the largest of each bucket in
/// their order, and NaN where there is nothing finite, so that gaps remain.
Series thin_out(const std::vector<double>& x, const std::vector<double>& y, std::size_t buckets);

}  // namespace camber::report
