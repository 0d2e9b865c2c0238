#pragma once

// A journal is the file of one attempt of one worker; no other process writes to it. Each line is a
// CRC-32 in eight hexadecimal digits, a space and a record in JSON. A crash, a full disk or a lost
// machine leaves at worst an incomplete last line, which readers skip.

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "camber/study/sample.h"

namespace camber::study {

/// CRC-32 of ISO 3309 (polynomial 0xedb88320), as zip and Ethernet have it.
std::uint32_t crc32(std::string_view bytes);

/// The writer of a journal: its first record.
struct JournalHead {
  std::string study;         // the study's id
  std::string program;       // "camber 0.1.0"
  std::string build;         // hash of the program's file
  std::string kernel;        // "scalar", "lanes"
  std::string instructions;  // "avx512"
  std::string host;
};

class JournalWriter {
 public:
  /// Makes folder/LABEL-(32 random hexadecimal digits).jsonl. Throws FileError.
  JournalWriter(const std::string& folder, const std::string& label, const JournalHead& head);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  /// Sample k is about to be driven.
  void begin(long k);
  /// The result of a sample. On disk (synced) at most a second after it was written, if records keep
  /// coming, and by sync().
  void append(const SampleResult& result);
  void sync();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }

 private:
  void write_line(std::string_view record);

  std::string path_;
  int descriptor_ = -1;
  std::chrono::steady_clock::time_point last_sync_;
};

/// The line of a record: checksum, space, record, line end.
std::string journal_line(std::string_view record);

/// What a journal says.
struct Journal {
  std::string path;
  JournalHead head;
  std::vector<SampleResult> results = {};
  std::map<long, int> begun = {};  // that have neither an end nor a cause of death
  std::map<long, int> died = {};   // ended the process by a signal of their own
  bool is_torn = false;            // the last line is not whole
  long damaged = 0;                // lines before it that are not whole
};

/// Reads the complete records. A file without a complete first record has an empty head. Throws
/// FileError.
Journal read_journal(const std::string& path);
Journal parse_journal(std::string_view text, const std::string& path);

}  // namespace camber::study
