#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "camber/record/hdf5.h"

namespace camber::record::internal {

/// The attribute of the file with LogFile::text_checksums().
constexpr const char* kTextChecksums = "text_checksums";

/// The file under an HDF5 log, written in such an order that it opens without repair whenever the
/// process ends. HDF5 writes it in the mode for a single writer and multiple readers (SWMR), data
/// before pointers to it. This class keeps out of the superblock what stops a normal reader after a
/// crash: the mark "open for writing", and an end that is before or beyond that of the data
/// (docs/decisions/0007-logs.md).
///
/// After a failed write nothing more is written, and the file remains in the state of the last good
/// write. HDF5 cannot close a file that it cannot write, so it gets no error; data that it writes
/// from then on, at most a chunk and its index, are kept in memory.
class LogFile {
 public:
  /// Creates the file; throws FileError if it exists or cannot be created.
  explicit LogFile(const std::string& path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Access properties with which H5Fcreate() writes through this file. Invalid if HDF5 fails.
  Handle make_access();

  const std::string& path() const { return path_; }
  bool has_failed() const { return error_ != 0; }
  std::string failure() const;  // "cannot write: No space left on device"
  /// Removes space that HDF5 reserved and did not use, and closes.
  void finish();
  /// Deletes a file that has not become a log.
  void remove();

  /// Address, size and metadata_checksum() of each piece of text (global heap collection, in
  /// HDF5's words) so far. It is the only part of a log that HDF5 reads unchecked, and HDF5 may
  /// crash on a damaged one.
  std::vector<std::uint64_t> text_checksums() const;

  // For the driver.
  void write(std::uint64_t address, const void* data, std::size_t size);
  void write_header(std::uint64_t address, const void* data, std::size_t size);
  bool read(std::uint64_t address, void* data, std::size_t size) const;
  void extend(std::uint64_t size);
  std::uint64_t size() const { return size_; }
  void set_end(std::uint64_t end) { end_ = end; }
  std::uint64_t end() const { return end_; }

 private:
  void write_all(std::uint64_t address, const unsigned char* data, std::size_t size);
  bool read_file(std::uint64_t address, unsigned char* data, std::size_t size) const;
  void publish_end(std::uint64_t end);
  void write_superblock();

  std::string path_;
  int descriptor_ = -1;
  int error_ = 0;                    // errno of the write that failed
  std::uint64_t size_ = 0;           // of the file
  std::uint64_t end_ = 0;            // of what HDF5 has given out
  std::uint64_t published_end_ = 0;  // as the superblock in the file has it
  std::array<unsigned char, 48> superblock_{};
  bool has_superblock_ = false;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint32_t>> texts_;

  struct Unwritten {
    std::uint64_t address;
    std::vector<unsigned char> data;
  };
  std::vector<Unwritten> unwritten_;  // in order of time
};

/// The checksum of HDF5's metadata, public for its test: Bob Jenkins' lookup3, hashlittle(),
/// start value 0.
std::uint32_t metadata_checksum(const unsigned char* data, std::size_t size);

}  // namespace camber::record::internal
