#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "camber/record/log_layout.h"

namespace camber::record {

/// Reads files of LogWriter, also of a run that was killed or is still running: then the contents
/// at the time of opening. Every function throws FileError with path and reason for a file that is
/// missing, damaged or not a log.
class LogReader {
 public:
  explicit LogReader(const std::string& path);
  ~LogReader();
  LogReader(LogReader&&) noexcept;
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  const std::string& path() const;
  /// In all channels. A channel of a killed run may have more samples, which are not read.
  std::size_t samples() const;
  /// Whether the writer was closed.
  bool is_complete() const;

  /// By name in alphabetical order, without "time".
  const std::vector<Channel>& channels() const;
  const Channel* find_channel(const std::string& name) const;  // nullptr if there is none

  /// Channels with their own times, by group in alphabetical order; they are not among channels().
  /// chunk_samples is the number of samples.
  const std::vector<Series>& series() const;
  const Series* find_series(const std::string& group) const;  // nullptr if there is none
  /// All samples of a channel of a series; "time" is one. Throws as read().
  std::vector<double> read_series(const std::string& group, const std::string& channel) const;

  /// Attributes of the file, without format and format_version.
  const Attributes& attributes() const;

  /// Sample by sample, entries() numbers each. "time" is a channel here. Throws
  /// std::invalid_argument if there is no such channel (with a suggestion) or range.
  std::vector<double> read(const std::string& name) const;
  std::vector<double> read(const std::string& name, std::size_t first, std::size_t count) const;
  /// The same into existing memory: count * entries() numbers.
  void read(const std::string& name, std::size_t first, std::size_t count,
            std::span<double> values) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace camber::record
