#pragma once

// What is fuzzed: everything that reads bytes of others. One program has all targets, `fuzz
// --target=scenario CORPUS...`; what a target does beyond reading are laws that hold for all that
// could be read.

#include <span>
#include <string_view>

namespace camber::fuzz {

/// How inputs are changed, beside libFuzzer's changes of bytes.
enum class Format {
  kBytes,
  kText,  // lines, numbers, words
  kToml,  // also keys, words and tables that the readers ask for
  kPng,   // chunks get their checksums
};

struct Target {
  const char* name;
  Format format;
  /// ModelFileError and FileError are the answer to bad input; any other exception is a finding.
  void (*read)(std::string_view bytes);
};
std::span<const Target> targets();

// Those with laws of their own, each in a file of its name.
void read_address(std::string_view bytes);
void read_expression(std::string_view bytes);
void read_frame(std::string_view bytes);
void read_journal(std::string_view bytes);
void read_moving_ai(std::string_view bytes);
void read_overrides(std::string_view bytes);
void read_request(std::string_view bytes);
void read_study(std::string_view bytes);
void read_toml(std::string_view bytes);

}  // namespace camber::fuzz
