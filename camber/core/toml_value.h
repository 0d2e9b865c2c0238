#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace camber::internal {

enum class TomlKind { kMissing, kText, kInteger, kNumber, kBoolean, kDate, kArray, kTable };

/// One value of a TOML file, with its place and whether it was read.
struct TomlValue {
  TomlKind kind = TomlKind::kMissing;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;  // a text, or a date as the file spells it

  const TomlValue* parent = nullptr;
  std::string key;                  // in its table; unused in an array
  std::vector<TomlValue> children;  // array: in order; table: sorted by key

  int line = 0, column = 0;          // where the value starts
  int key_line = 0, key_column = 0;  // where the last part of its key starts
  std::string option;                // not empty: set by this option, not by the file
  bool is_new = false;               // set by an option, and the file has no such key

  bool added = false;                // not in the file: missing, or a default
  bool used = false;                 // was asked for
  bool reported = false;             // missing or rejected, which was reported: no further errors
  bool opened = false;               // a table that was read: its unused keys are mistakes
  std::vector<std::string> missed;   // keys asked for but missing: candidates for "did you mean"
  std::vector<std::string> renamed;  // keys that the file has under an old name, already reported
};

/// Parses text that check_toml_limits() has passed; the only place that knows toml++. Throws
/// ModelFileError at the first syntax error or duplicate key.
TomlValue parse_toml_value(std::string_view text, const std::string& file);

/// Checks the limits of a text and parses it. A text that was parsed before gives the same tree
/// without parsing.
TomlValue parse_toml_text(const std::string& text, const std::string& file);

/// Sets `parent` throughout the tree. Call it once the tree no longer moves in memory.
void link_to_parents(TomlValue* root);

/// "wheels.front_left.radius", "bodies[2].mass"; keys in quotes where TOML needs them.
std::string path_of(const TomlValue& value);

/// What a person sees in the file, for messages: `text "abc"`, `3.5`, `an array of 4`, `a table`.
std::string describe(const TomlValue& value);

}  // namespace camber::internal
