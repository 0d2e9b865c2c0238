#include "camber/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void check(std::span<const ComparedRun> runs) {
  require(runs.size() >= 2, "compare: needs two runs or more, got ", runs.size());
  for (const ComparedRun& run : runs) {
    require(!run.times.empty(), run.name, ": the log has no samples");
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      require(std::isfinite(run.times[i]) && (i == 0 || run.times[i] > run.times[i - 1]), run.name,
              ": the log is damaged: time ", run.times[i], " of sample ", i + 1,
              " is not finite or not after the one before");
    }
    check_channels(run.name, run.times, run.channels);
  }
}

/// The time that all runs have; says so where they end or begin at different ones.
void find_common_time(std::span<const ComparedRun> runs, Comparison* comparison) {
  const ComparedRun* latest = &runs.front();
  const ComparedRun* earliest = &runs.front();
  bool differ = false;
  for (const ComparedRun& run : runs) {
    if (run.times.front() > latest->times.front()) latest = &run;
    if (run.times.back() < earliest->times.back()) earliest = &run;
    differ = differ || std::abs(run.times.back() - runs.front().times.back()) > 1e-9 ||
             std::abs(run.times.front() - runs.front().times.front()) > 1e-9;
  }
  comparison->first_time = latest->times.front();
  comparison->last_time = earliest->times.back();
  require(comparison->last_time >= comparison->first_time, "compare: the runs have no time in ",
          "common: ", earliest->name, " ends at ", short_text(comparison->last_time), " s, ",
          latest->name, " begins at ", short_text(comparison->first_time), " s");
  if (!differ) return;
  std::string note = "The runs are of different lengths:";
  for (const ComparedRun& run : runs) {
    note += concat(" ", run.name, " goes from ", short_text(run.times.front()), " to ",
                   short_text(run.times.back()), " s,");
  }
  note.back() = '.';
  comparison->notes.push_back(concat(note, " Compared is what they have in common, ",
                                     short_text(comparison->first_time), " to ",
                                     short_text(comparison->last_time), " s."));
}

/// Whether all runs have it in the same unit; a unit that differs is noted.
bool is_common(std::span<const ComparedRun> runs, const RunChannel& channel, std::size_t column,
               Comparison* comparison) {
  for (const ComparedRun& run : runs.subspan(1)) {
    const FoundColumn other = find_column(run, channel.name, channel.names[column]);
    if (other.channel == nullptr) return false;
    const std::string unit = unit_of(channel, column);
    const std::string other_unit = unit_of(*other.channel, other.column);
    if (unit == other_unit) continue;
    comparison->notes.push_back(concat(channel.name, " ", channel.names[column], " is in [", unit,
                                       "] in ", runs.front().name, " and in [", other_unit, "] in ",
                                       run.name, ": not compared."));
    return false;
  }
  return true;
}

LargestDifference find_largest(const std::vector<double>& times, const std::vector<double>& first,
                               const std::vector<double>& other) {
  LargestDifference largest{kNaN, kNaN, kNaN, kNaN};
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double difference = other[i] - first[i];
    if (!std::isfinite(difference)) continue;
    if (std::isnan(largest.difference) || std::abs(difference) > std::abs(largest.difference)) {
      largest = {difference, times[i], first[i], other[i]};
    }
  }
  return largest;
}

/// Samples that have a value in one of two runs only.
std::size_t count_one_sided(const std::vector<double>& first, const std::vector<double>& other) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    count += std::isfinite(first[i]) != std::isfinite(other[i]) ? 1 : 0;
  return count;
}

double range_of(const std::vector<double>& values) {
  double low = kNaN, high = kNaN;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::fmin(low, value);  // of a number and NaN: the number
    high = std::fmax(high, value);
  }
  return high - low;
}

std::vector<double> common_part(const std::vector<double>& times, const Comparison& comparison) {
  std::vector<double> part;
  for (const double t : times) {
    if (t >= comparison.first_time && t <= comparison.last_time) part.push_back(t);
  }
  return part;
}

/// But for what roundings do to sums of steps.
bool have_same_times(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b, [](double s, double t) { return std::abs(s - t) <= 1e-9; });
}

void compare_columns(std::span<const ComparedRun> runs, Comparison* comparison) {
  const ComparedRun& first = runs.front();
  const std::vector<double> times = common_part(first.times, *comparison);
  require(!times.empty(), "compare: ", first.name, " has no sample from ",
          short_text(comparison->first_time), " to ", short_text(comparison->last_time),
          " s, the time that all runs have");
  for (const ComparedRun& run : runs.subspan(1)) {
    if (have_same_times(times, common_part(run.times, *comparison))) continue;
    comparison->notes.push_back(concat(run.name, " has its samples at other times than ",
                                       first.name,
                                       ": it is taken on straight lines between them."));
  }
  constexpr std::size_t kMaxNotes = 8;  // about values that are not finite
  std::size_t left_out = 0, one_sided_columns = 0;
  for (const RunChannel& channel : first.channels) {
    for (std::size_t column = 0; column < channel.names.size(); ++column) {
      if (!is_common(runs, channel, column, comparison)) {
        ++left_out;
        continue;
      }
      ColumnComparison compared{.channel = channel.name,
                                .column = channel.names[column],
                                .unit = unit_of(channel, column)};
      const std::vector<double> values =
          interpolate(first.times, column_of(channel, column), times);
      compared.range = range_of(values);
      for (const ComparedRun& run : runs.subspan(1)) {
        const FoundColumn other = find_column(run, channel.name, channel.names[column]);
        const std::vector<double> others =
            interpolate(run.times, column_of(*other.channel, other.column), times);
        compared.runs.push_back(find_largest(times, values, others));
        const std::size_t one_sided = count_one_sided(values, others);
        if (one_sided == 0) continue;
        if (++one_sided_columns > kMaxNotes) continue;
        comparison->notes.push_back(
            concat(channel.name, channel.names[column].empty() ? "" : " ", channel.names[column],
                   ": ", one_sided, " of ", times.size(), " samples have no finite value in ",
                   first.name, " or in ", run.name, ", but not in both; the others are compared."));
      }
      comparison->columns.push_back(std::move(compared));
    }
  }
  if (one_sided_columns > kMaxNotes) {
    comparison->notes.push_back(
        concat("The same holds for ", one_sided_columns - kMaxNotes, " further columns."));
  }
  if (comparison->columns.empty()) {
    std::string lists;
    for (const ComparedRun& run : runs) {
      lists += concat("\n  ", run.name, ":");
      for (const RunChannel& channel : run.channels) lists += " " + channel.name;
    }
    require(false, "compare: the runs have no channel with the same name and columns", lists);
  }
  if (left_out > 0) {
    comparison->notes.push_back(concat(left_out, left_out == 1 ? " column of " : " columns of ",
                                       first.name, left_out == 1 ? " is" : " are",
                                       " not in every run, and left out."));
  }
}

void compare_figures(std::span<const ComparedRun> runs, Comparison* comparison) {
  std::vector<FigureComparison>& figures = comparison->figures;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const ComparedFigure& figure : runs[i].figures) {
      auto found = std::ranges::find_if(figures, [&](const FigureComparison& f) {
        return f.name == figure.name && f.unit == figure.unit;
      });
      if (found == figures.end()) {
        figures.push_back({figure.name, figure.unit, std::vector<double>(runs.size(), kNaN)});
        found = figures.end() - 1;
      }
      found->values[i] = figure.value;
    }
  }
}

}  // namespace

std::vector<double> interpolate(const std::vector<double>& times, const std::vector<double>& values,
                                const std::vector<double>& at) {
  require(times.size() == values.size(), "interpolate: ", times.size(), " times and ",
          values.size(), " values");
  std::vector<double> result;
  result.reserve(at.size());
  std::size_t k = 0;  // `at` ascends: the search goes on where it was
  for (const double t : at) {
    while (k < times.size() && times[k] < t) ++k;
    if (k == times.size() || (k == 0 && times[0] > t)) {
      result.push_back(kNaN);
    } else if (times[k] == t) {
      result.push_back(values[k]);
    } else {
      const double part = (t - times[k - 1]) / (times[k] - times[k - 1]);
      result.push_back(values[k - 1] + part * (values[k] - values[k - 1]));
    }
  }
  return result;
}

FoundColumn find_column(const ComparedRun& run, const std::string& channel,
                        const std::string& column) {
  const auto found = std::ranges::find(run.channels, channel, &RunChannel::name);
  if (found == run.channels.end()) return {};
  const auto name = std::ranges::find(found->names, column);
  if (name == found->names.end()) return {};
  return {&*found, static_cast<std::size_t>(name - found->names.begin())};
}

Comparison compare_runs(std::span<const ComparedRun> runs) {
  check(runs);
  Comparison comparison;
  for (const ComparedRun& run : runs) {
    if (run.is_complete) continue;
    comparison.notes.push_back(concat(
        "The log of ", run.name, " is incomplete: its run was killed or ",
        "is still going on. It is read to its last sample, ", short_text(run.times.back()), " s."));
  }
  find_common_time(runs, &comparison);
  compare_columns(runs, &comparison);
  compare_figures(runs, &comparison);
  return comparison;
}

}  // namespace camber::report
