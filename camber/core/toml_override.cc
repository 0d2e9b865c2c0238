#include "camber/core/toml_override.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "camber/core/diagnostics.h"
#include "camber/core/require.h"
#include "camber/core/toml_limits.h"

namespace camber::internal {
namespace {

std::optional<std::size_t> parse_index(std::string_view text) {
  std::size_t index = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) return {};
  return index;
}

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/// "stop[0].value" as {"stop", "0", "value"}, "bodies.'front axle'" as {"bodies", "front axle"};
/// empty if it is not a path.
std::optional<std::vector<std::string>> split_path(std::string_view path) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  const auto next_is = [&](char c) { return at < path.size() && path[at] == c; };
  do {
    if (!parts.empty()) ++at;  // the dot
    const std::size_t start = at;
    if (next_is('"') || next_is('\'')) {
      const std::size_t end = path.find(path[at], at + 1);
      if (end == std::string_view::npos || end == at + 1) return {};
      parts.emplace_back(path.substr(at + 1, end - at - 1));
      if (parts.back().find('\\') != std::string::npos) return {};
      at = end + 1;
    } else {
      while (at < path.size() && is_word_letter(path[at])) ++at;
      if (at == start) return {};
      parts.emplace_back(path.substr(start, at - start));
    }
    while (next_is('[')) {
      const std::size_t end = path.find(']', at);
      if (end == std::string_view::npos || !parse_index(path.substr(at + 1, end - at - 1)))
        return {};
      parts.emplace_back(path.substr(at + 1, end - at - 1));
      at = end + 1;
    }
  } while (next_is('.'));
  if (at != path.size()) return {};
  return parts;
}

void mark(const std::string& option, TomlValue* value) {
  value->option = option;
  value->line = value->column = value->key_line = value->key_column = 0;
  for (TomlValue& child : value->children) mark(option, &child);
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

/// The value that the text stands for; empty if it starts like an array or a quoted text and is not
/// one.
std::optional<TomlValue> parse_value(std::string_view text) {
  if (!is_utf8(text)) return {};
  const std::string line = concat("value = ", text);
  try {
    check_toml_limits(line, "");
    TomlValue table = parse_toml_value(line, "");
    if (table.children.size() == 1) return std::move(table.children.front());
  } catch (const ModelFileError&) {
    if (std::string_view("[{\"'#").find(text.front()) != std::string_view::npos) return {};
    TomlValue word;
    word.kind = TomlKind::kText;
    word.text = text;
    return word;
  }
  return {};
}

/// The table's entry of this key, made if it is not there.
TomlValue* find_or_add(const std::string& key, const std::string& option, TomlValue* table) {
  auto& children = table->children;
  const auto it =
      std::lower_bound(children.begin(), children.end(), key,
                       [](const TomlValue& child, const std::string& k) { return child.key < k; });
  if (it != children.end() && it->key == key) return &*it;
  TomlValue added;
  added.key = key;
  added.kind = TomlKind::kTable;
  added.option = option;
  added.is_new = true;
  return &*children.insert(it, std::move(added));
}

}  // namespace

std::size_t find_equals(std::string_view assignment) {
  char quote = 0;
  for (std::size_t i = 0; i < assignment.size(); ++i) {
    const char c = assignment[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '=') {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string parse_assignment(std::string_view text, Assignment* result) {
  const std::size_t equals = find_equals(text);
  if (equals == std::string_view::npos) return "expected KEY=VALUE";
  const std::string_view value_text = text.substr(equals + 1);
  auto path = split_path(text.substr(0, equals));
  if (!path)
    return "expected a dotted key before the =, such as driver.speed.target or stop[0].value";
  if (path->size() > kMaxTomlKeyParts || equals > kMaxTomlKeyBytes) return "the key is too long";
  if (value_text.empty()) return "expected a value after the =";
  if (value_text.find_first_of("\r\n") != std::string_view::npos)
    return "the value must be on one line";
  std::optional<TomlValue> value = parse_value(value_text);
  if (!value) return concat("not a TOML value: ", value_text);
  *result = {std::move(*path), std::move(*value)};
  return "";
}

std::string set_toml_value(std::string_view text, const std::string& option, TomlValue* root) {
  Assignment assignment;
  if (std::string problem = parse_assignment(text, &assignment); !problem.empty()) return problem;
  TomlValue* place = root;
  for (const std::string& part : assignment.path) {
    if (place->kind == TomlKind::kArray) {
      const auto index = parse_index(part);
      if (!index) return concat("expected an index instead of \"", part, "\": it is an array");
      if (*index >= place->children.size()) {
        return concat("there is no entry ", *index, ": the array has ", place->children.size());
      }
      place = &place->children[*index];
    } else if (place->kind == TomlKind::kTable) {
      place = find_or_add(part, option, place);
    } else {
      return concat("\"", part, "\" is below ", describe(*place), ", not below a table");
    }
  }
  assignment.value.key = place->key;
  assignment.value.is_new = place->is_new;
  *place = std::move(assignment.value);
  mark(option, place);
  return "";
}

}  // namespace camber::internal
