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

/// "stop[0].value" as {"stop", "0", "value"}; nothing if it is not a path.
std::optional<std::vector<std::string>> split_path(std::string_view path) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (is_word) {
      parts.back() += c;
    } else if (c == '.' && !parts.back().empty()) {
      parts.emplace_back();
    } else if (c == '[' && !parts.back().empty()) {
      const std::size_t end = path.find(']', i);
      if (end == std::string_view::npos || !parse_index(path.substr(i + 1, end - i - 1))) return {};
      parts.emplace_back(path.substr(i + 1, end - i - 1));
      const bool goes_on = end + 1 == path.size() || path[end + 1] == '.' || path[end + 1] == '[';
      if (!goes_on) return {};
      i = end;
    } else {
      return {};
    }
  }
  if (parts.back().empty()) return {};
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

/// The value that the text stands for; nothing if it starts like an array or a quoted text but is
/// not valid.
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
  return &*children.insert(it, std::move(added));
}

}  // namespace

std::string set_toml_value(std::string_view assignment, const std::string& option,
                           TomlValue* root) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) return "expected key=value";
  std::string_view text = assignment.substr(equals + 1);
  const auto parts = split_path(assignment.substr(0, equals));
  if (!parts)
    return "expected a dotted key before the =, such as driver.speed.target or stop[0].value";
  if (parts->size() > kMaxTomlKeyParts || equals > kMaxTomlKeyBytes) return "the key is too long";
  if (text.empty()) return "expected a value after the =";
  if (text.find_first_of("\r\n") != std::string_view::npos) return "the value must be on one line";
  std::optional<TomlValue> value = parse_value(text);
  if (!value) return concat("not a TOML value: ", text);

  TomlValue* place = root;
  for (const std::string& part : *parts) {
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
  value->key = place->key;
  *place = std::move(*value);
  mark(option, place);
  return "";
}

}  // namespace camber::internal
