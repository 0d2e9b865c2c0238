#include "camber/study/journal.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sys/random.h>

#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::study {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxJournalBytes = std::size_t{16} << 30;
constexpr std::chrono::seconds kSyncInterval{1};

std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c >> 1) ^ ((c & 1U) != 0 ? 0xedb88320U : 0U);
    table[i] = c;
  }
  return table;
}

std::string random_name() {
  unsigned char bytes[16];
  std::size_t done = 0;
  while (done < sizeof bytes) {
    const ssize_t got = getrandom(bytes + done, sizeof bytes - done, 0);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  std::string name;
  char digits[3];
  for (const unsigned char byte : bytes) {
    std::snprintf(digits, sizeof digits, "%02x", byte);
    name += digits;
  }
  return name;
}

/// "1a2b3c4d {...}" -> the record if its checksum is right; else empty.
std::string_view checked_record(std::string_view line) {
  if (line.size() < 10 || line[8] != ' ') return {};
  const std::string_view record = line.substr(9);
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", crc32(record));
  return line.substr(0, 8) == digits ? record : std::string_view();
}

/// The number of a sample; 1e308 is none.
long read_number(const Json& record, const char* key) {
  return record.at(key).get_ref<const Json::number_integer_t&>();
}

void take_record(std::string_view record, Journal* journal) {
  if (record.starts_with("{\"begin\":")) {
    ++journal->begun[read_number(Json::parse(record), "begin")];
  } else if (record.starts_with("{\"died\":")) {
    const long k = read_number(Json::parse(record), "died");
    ++journal->died[k];
    journal->begun.erase(k);
  } else if (record.starts_with("{\"journal\":")) {
    const Json json = Json::parse(record);
    require(json["journal"] == 1, journal->path, ": a journal of version ", json["journal"].dump(),
            "; this camber reads version 1");
    journal->head = {.study = json.at("study"),
                     .program = json.at("program"),
                     .build = json.at("build"),
                     .kernel = json.at("kernel"),
                     .instructions = json.at("instructions"),
                     .host = json.at("host")};
  } else {
    journal->results.push_back(parse_result(record));
    journal->begun.erase(journal->results.back().k);
  }
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = make_crc_table();
  std::uint32_t c = 0xffffffffU;
  for (const char byte : bytes)
    c = table[(c ^ static_cast<unsigned char>(byte)) & 0xffU] ^ (c >> 8);
  return c ^ 0xffffffffU;
}

std::string journal_line(std::string_view record) {
  char digits[10];
  std::snprintf(digits, sizeof digits, "%08x ", crc32(record));
  std::string line(digits);
  line += record;
  line += '\n';
  return line;
}

JournalWriter::JournalWriter(const std::string& folder, const std::string& label,
                             const JournalHead& head)
    : path_(concat(folder, "/", label, "-", random_name(), ".jsonl")),
      last_sync_(std::chrono::steady_clock::now()) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw FileError(path_, concat("cannot write: ", std::strerror(errno)));
  const Json json{
      {"journal", 1},        {"study", head.study},   {"program", head.program},
      {"build", head.build}, {"kernel", head.kernel}, {"instructions", head.instructions},
      {"host", head.host}};
  write_line(json.dump());
}

JournalWriter::~JournalWriter() {
  if (descriptor_ < 0) return;
  fdatasync(descriptor_);
  close(descriptor_);
}

void JournalWriter::write_line(std::string_view record) {
  const std::string line = journal_line(record);
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t size = write(descriptor_, line.data() + done, line.size() - done);
    if (size >= 0) {
      done += static_cast<std::size_t>(size);
    } else if (errno != EINTR) {
      throw FileError(path_, concat("cannot write: ", std::strerror(errno)));
    }
  }
}

void JournalWriter::begin(long k) { write_line(concat("{\"begin\":", k, "}")); }

void JournalWriter::append(const SampleResult& result) {
  write_line(to_text(result));
  if (std::chrono::steady_clock::now() - last_sync_ >= kSyncInterval) sync();
}

void JournalWriter::sync() {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL)
    throw FileError(path_, concat("cannot write: ", std::strerror(errno)));
  last_sync_ = std::chrono::steady_clock::now();
}

Journal parse_journal(std::string_view text, const std::string& path) {
  Journal journal{.path = path, .head = {}};
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const bool is_last = end == std::string_view::npos;
    const std::string_view record =
        is_last ? std::string_view() : checked_record(text.substr(0, end));
    if (is_last) {
      journal.is_torn = true;
      break;
    }
    text.remove_prefix(end + 1);
    if (record.empty()) {
      // The last line may hold a line end of an older tenant of its disk block.
      text.empty() ? static_cast<void>(journal.is_torn = true)
                   : static_cast<void>(++journal.damaged);
      continue;
    }
    try {
      take_record(record, &journal);
    } catch (const Json::exception&) {
      ++journal.damaged;
    }
  }
  return journal;
}

Journal read_journal(const std::string& path) {
  return parse_journal(read_file(path, kMaxJournalBytes), path);
}

}  // namespace camber::study
