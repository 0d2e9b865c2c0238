#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/record/log_layout.h"

namespace camber::record {

/// Channels over time in memory: the contents of a log, before or after it is written.
struct Table {
  std::vector<Channel> channels;
  std::vector<double> times;                // [s]
  std::vector<std::vector<double>> values;  // of each channel, sample after sample

  explicit Table(std::vector<Channel> list = {})
      : channels(std::move(list)), values(channels.size()) {}

  /// One sample: the values of all channels, one channel after the other.
  void append(double time, std::span<const double> sample);
  std::size_t samples() const { return times.size(); }
  /// nullptr if there is no such channel.
  const std::vector<double>* find_values(std::string_view channel) const;
  /// Values of a sample, in the order of the channels.
  std::span<const double> row(std::size_t channel, std::size_t sample) const;

 private:
  std::vector<std::size_t> widths_;  // entries of each channel, found by the first append()
  std::size_t width_ = 0;            // their sum
};

/// All channels of a log, in alphabetical order, up to its end. Throws FileError.
Table read_table(const std::string& log_path);

/// Numbers per sample of all channels together.
std::size_t count_entries(const std::vector<Channel>& channels);

}  // namespace camber::record
