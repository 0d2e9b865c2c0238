// toml++ 3.3.0 tells the compiler what it assumes of its input, and some input breaks that: "[" and
// a line end alone are undefined behavior in a release build. Here each such assumption is checked,
// in every build, and a broken one is a syntax error like the others.

#include "camber/core/toml_value.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <utility>

#undef NDEBUG  // makes toml++ check by TOML_ASSERT
namespace {
struct BrokenAssumption {};
[[noreturn]] void report_broken_assumption() { throw BrokenAssumption(); }
}  // namespace
#define TOML_ASSERT(expr) (static_cast<bool>(expr) ? void() : report_broken_assumption())
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "camber/core/diagnostics.h"
#include "camber/core/require.h"

namespace camber::internal {
namespace {

TomlValue convert(const toml::node& node);

void convert_array(const toml::array& array, TomlValue* value) {
  value->kind = TomlKind::kArray;
  value->children.reserve(array.size());
  for (const toml::node& element : array) value->children.push_back(convert(element));
}

void convert_table(const toml::table& table, TomlValue* value) {
  value->kind = TomlKind::kTable;
  value->children.reserve(table.size());
  for (const auto& [key, node] : table) {
    TomlValue child = convert(node);
    child.key = key.str();
    child.key_line = static_cast<int>(key.source().begin.line);
    child.key_column = static_cast<int>(key.source().begin.column);
    value->children.push_back(std::move(child));
  }
  std::sort(value->children.begin(), value->children.end(),
            [](const TomlValue& a, const TomlValue& b) { return a.key < b.key; });
}

template <class Date>
void convert_date(const Date& date, TomlValue* value) {
  std::ostringstream spelled;
  spelled << date;
  value->kind = TomlKind::kDate;
  value->text = spelled.str();
}

TomlValue convert(const toml::node& node) {
  TomlValue value;
  value.line = static_cast<int>(node.source().begin.line);
  value.column = static_cast<int>(node.source().begin.column);
  if (const auto* table = node.as_table()) {
    convert_table(*table, &value);
  } else if (const auto* array = node.as_array()) {
    convert_array(*array, &value);
  } else if (const auto* text = node.as_string()) {
    value.kind = TomlKind::kText;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = TomlKind::kInteger;
    value.integer = integer->get();
    value.number = static_cast<double>(integer->get());
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = TomlKind::kNumber;
    value.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = TomlKind::kBoolean;
    value.boolean = boolean->get();
  } else if (const auto* date = node.as_date()) {
    convert_date(date->get(), &value);
  } else if (const auto* time = node.as_time()) {
    convert_date(time->get(), &value);
  } else if (const auto* date_time = node.as_date_time()) {
    convert_date(date_time->get(), &value);
  }
  return value;
}

bool is_bare_key(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

// On one line and not endless, whatever the file holds.
std::string quote(std::string_view text) {
  constexpr std::size_t kMaxShown = 60;
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool starts_character = (c & 0xC0) != 0x80;
    if (starts_character && quoted.size() > kMaxShown) return quoted + "...\"";
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += text[i];
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c < 0x20 || c == 0x7F) {
      quoted += '?';
    } else {
      quoted += text[i];
    }
  }
  return quoted + '"';
}

}  // namespace

TomlValue parse_toml_value(std::string_view text, const std::string& file) {
  try {
    return convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const auto begin = error.source().begin;
    std::string_view what = error.description();
    constexpr std::string_view kPrefix = "Error while ";
    if (what.substr(0, kPrefix.size()) == kPrefix) what.remove_prefix(kPrefix.size());
    throw ModelFileError({file, static_cast<int>(begin.line), static_cast<int>(begin.column)},
                         concat("not valid TOML: ", what));
  } catch (const BrokenAssumption&) {
    throw ModelFileError({file}, "not valid TOML");
  }
}

void link_to_parents(TomlValue* value) {
  for (TomlValue& child : value->children) {
    child.parent = value;
    link_to_parents(&child);
  }
}

std::string path_of(const TomlValue& value) {
  if (value.parent == nullptr) return "";
  std::string path = path_of(*value.parent);
  if (value.parent->kind == TomlKind::kArray) {
    return path + concat('[', &value - value.parent->children.data(), ']');
  }
  if (!path.empty()) path += '.';
  return path + (is_bare_key(value.key) ? value.key : quote(value.key));
}

std::string describe(const TomlValue& value) {
  switch (value.kind) {
    case TomlKind::kMissing:
      return "nothing";
    case TomlKind::kText:
      return concat("text ", quote(value.text));
    case TomlKind::kInteger:
      return concat("integer ", value.integer);
    case TomlKind::kNumber:
      return concat("number ", value.number);
    case TomlKind::kBoolean:
      return value.boolean ? "true" : "false";
    case TomlKind::kDate:
      return concat("date ", quote(value.text));
    case TomlKind::kArray:
      return concat("an array of ", value.children.size());
    case TomlKind::kTable:
      return "a table";
  }
  return "";
}

}  // namespace camber::internal
