#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

#include "camber/record/log_layout.h"

namespace camber::record {

struct LogOptions {
  /// Samples that are gathered before they are written; 0: about a megabyte of them.
  std::size_t chunk_samples = 0;
  /// Samples that will come, if known: a short log then does not take the space of a whole chunk.
  std::size_t expected_samples = 0;
  /// gzip, 0 (none) to 9, with bytes shuffled by significance before. A flush() in mid-chunk then
  /// costs the space of what that chunk has so far.
  int compression = 0;
};

/// Writes channels over time to an HDF5 file. `time` [s] has one number per sample, each channel a
/// dataset {samples, shape...} of 64-bit floats with attributes units, names, row_names and
/// description; `complete` is 1 once close() has come through.
///
/// The file opens plainly, in any HDF5 of 1.10 or later, at whatever moment the process ends, and
/// then holds everything up to the last full chunk or flush(). `time` is written last: the samples
/// that it counts are there in all channels, others may be longer by what was under way.
class LogWriter {
 public:
  /// Creates the file. Throws std::invalid_argument for a layout that is none, and FileError if the
  /// file is there already or cannot be written.
  LogWriter(const std::string& path, const LogLayout& layout, const LogOptions& options = {});
  /// Writes what was gathered and closes the file, not marked as complete where close() was not
  /// called: something went wrong on the way there. A failure is not reported.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;
  LogWriter(LogWriter&&) noexcept;

  /// One sample: the values of each channel in the order of the layout. Copies them, and writes
  /// when a chunk is full; allocates nothing. Throws FileError if that write fails ("No space left
  /// on device"): what was written before stays readable, and every later call throws the same.
  void append(double time, std::span<const std::span<const double>> values);
  void append(double time, std::initializer_list<std::span<const double>> values);

  /// One sample of a series, by its number in the layout; its time is of its own. Otherwise as
  /// append().
  void append_series(std::size_t series, double time,
                     std::span<const std::span<const double>> values);

  /// Writes what was gathered.
  void flush();

  /// Writes what was gathered, marks the log as complete and closes the file. Later calls do
  /// nothing.
  void close();

  const std::string& path() const;
  std::size_t samples() const;        // appended
  std::size_t chunk_samples() const;  // gathered before they are written

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace camber::record
