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
  /// The expected number of samples, if known: a short log then does not take the space of a whole
  /// chunk.
  std::size_t expected_samples = 0;
  /// gzip, 0 (none) to 9, with bytes shuffled by significance before. A flush() within a chunk then
  /// costs the space of the data in it so far.
  int compression = 0;
};

/// Writes channels over time to an HDF5 file. `time` [s] has one number per sample, each channel a
/// dataset {samples, shape...} of 64-bit floats with attributes units, names, row_names and
/// description; `complete` is 1 once close() has succeeded.
///
/// The file opens without repair, in any HDF5 of 1.10 or later, whenever the process ends, and then
/// has all data up to the last full chunk or flush(). `time` is written last: the samples that it
/// counts exist in all channels, which may be longer by samples in progress.
class LogWriter {
 public:
  /// Creates the file. Throws std::invalid_argument for an invalid layout, and FileError if the
  /// file exists or cannot be written.
  LogWriter(const std::string& path, const LogLayout& layout, const LogOptions& options = {});
  /// Writes the gathered samples and closes the file. Without a call of close() it is not marked as
  /// complete, since something went wrong. A failure is not reported.
  ~LogWriter();
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;
  LogWriter(LogWriter&&) noexcept;

  /// One sample: the values of each channel in the order of the layout. Copies them, and writes
  /// when a chunk is full; allocates nothing. Throws FileError if that write fails ("No space left
  /// on device"): data written before remain readable, and every later call throws the same.
  void append(double time, std::span<const std::span<const double>> values);
  void append(double time, std::initializer_list<std::span<const double>> values);

  /// One sample of a series, by its number in the layout; it has its own time. Otherwise as
  /// append().
  void append_series(std::size_t series, double time,
                     std::span<const std::span<const double>> values);

  /// Writes what was gathered.
  void flush();

  /// Writes the gathered samples, marks the log as complete and closes the file. Later calls do
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
