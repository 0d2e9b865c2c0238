#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "camber/report/run_report.h"

namespace camber::report {

/// A number of a run's summary.
struct ComparedFigure {
  std::string name;
  double value = 0;
  std::string unit = {};
};

/// A run in a comparison.
struct ComparedRun {
  std::string name;  // in legends
  bool is_complete = true;
  std::vector<double> times = {};  // [s] ascending
  std::vector<RunChannel> channels = {};
  std::vector<ComparedFigure> figures = {};
};

/// The largest difference of a column of a run from that of the first run. All are NaN if there is
/// no time at which both have a value.
struct LargestDifference {
  double difference = 0;  // this run's value less the first one's
  double time = 0;        // [s]
  double first_value = 0, value = 0;
};

struct ColumnComparison {
  std::string channel, column, unit;
  double range = 0;                          // max minus min of the first run
  std::vector<LargestDifference> runs = {};  // of each run but the first
};

struct FigureComparison {
  std::string name, unit;
  std::vector<double> values;  // of each run; NaN where a run has none
};

struct Comparison {
  double first_time = 0, last_time = 0;  // [s] that all runs have
  std::vector<std::string> notes = {};   // what a reader must know: other lengths, columns left out
  std::vector<ColumnComparison> columns;  // that all runs have, in the order of the first one
  std::vector<FigureComparison> figures;  // that any run has
};

/// Compares at the first run's samples within the time that all runs have; a run with other sample
/// times is interpolated linearly. Throws std::invalid_argument for fewer than two runs, runs without
/// a common column or time, and channels that do not have one value per column and time.
Comparison compare_runs(std::span<const ComparedRun> runs);

/// Values of a column at some times, on straight lines between samples; NaN outside of them.
std::vector<double> interpolate(const std::vector<double>& times, const std::vector<double>& values,
                                const std::vector<double>& at);

/// Position of a channel's column by their names; the channel is nullptr if there is none.
struct FoundColumn {
  const RunChannel* channel = nullptr;
  std::size_t column = 0;
};
FoundColumn find_column(const ComparedRun& run, const std::string& channel,
                        const std::string& column);

}  // namespace camber::report
