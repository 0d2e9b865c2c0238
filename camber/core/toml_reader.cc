#include "camber/core/toml_reader.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <tuple>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/key_watch.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/toml_limits.h"
#include "camber/core/toml_override.h"
#include "camber/core/toml_string.h"
#include "camber/core/toml_value.h"

namespace camber {
namespace internal {

struct TomlDocument {
  std::string file;
  std::string text;
  TomlValue root;
  std::deque<TomlValue> added;  // missing values and defaults; a deque, so that they stay in place
  Diagnostics diagnostics;
};

}  // namespace internal

namespace {

/// Where a text has a character that would command a terminal: U+0000 to U+001F without tab and
/// line ends, U+007F to U+009F. npos: nowhere.
std::size_t find_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool is_control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (is_control || (c == 0xc2 && next >= 0x80 && next <= 0x9f)) return i;
  }
  return std::string_view::npos;
}

using internal::TomlDocument;
using internal::TomlKind;
using internal::TomlValue;

std::string with_unit(double bound, std::string_view unit) {
  return unit.empty() ? concat(bound) : concat(bound, ' ', unit);
}

std::string in_unit(std::string_view what, std::string_view unit) {
  return unit.empty() ? std::string(what) : concat(what, " [", unit, ']');
}

TomlValue* find_child(TomlValue* table, std::string_view key) {
  auto& children = table->children;
  const auto it =
      std::lower_bound(children.begin(), children.end(), key,
                       [](const TomlValue& child, std::string_view k) { return child.key < k; });
  return it != children.end() && it->key == key ? &*it : nullptr;
}

void set_default(const TomlDefault& fallback, TomlValue* value) {
  if (const auto* boolean = std::get_if<bool>(&fallback)) {
    value->kind = TomlKind::kBoolean;
    value->boolean = *boolean;
  } else if (const auto* integer = std::get_if<std::int64_t>(&fallback)) {
    value->kind = TomlKind::kInteger;
    value->integer = *integer;
    value->number = static_cast<double>(*integer);
  } else if (const auto* number = std::get_if<double>(&fallback)) {
    value->kind = TomlKind::kNumber;
    value->number = *number;
  } else {
    value->kind = TomlKind::kText;
    value->text = std::get<std::string>(fallback);
  }
}

Position key_position_of(const TomlDocument& document, const TomlValue& value) {
  if (!value.option.empty()) return {value.option, 0, 0, path_of(value)};
  const bool has_key = value.key_line > 0;
  return {document.file, has_key ? value.key_line : value.line,
          has_key ? value.key_column : value.column, path_of(value)};
}

/// The keys below `table` that are called `key`, as whole paths; those of options left out.
void find_namesakes(const TomlValue& table, std::string_view key, std::vector<std::string>* paths) {
  for (const TomlValue& child : table.children) {
    if (child.is_new) continue;
    if (child.key == key) paths->push_back(path_of(child));
    find_namesakes(child, key, paths);
  }
}

/// What a person who wrote this unknown key may have meant: a key that the reader asked for and did
/// not find. A person who wrote an option may also have meant a key that the file has, here or,
/// where just one has this name, in another table.
std::string suggest(const TomlValue& unknown, const TomlValue& table, const TomlValue& root) {
  std::vector<std::string> candidates = table.missed;
  if (unknown.option.empty()) return did_you_mean(unknown.key, candidates);
  for (const TomlValue& child : table.children) {
    if (child.used) candidates.push_back(child.key);
  }
  std::string suggestion = did_you_mean(unknown.key, candidates);
  if (!suggestion.empty()) return suggestion;
  std::vector<std::string> namesakes;
  find_namesakes(root, unknown.key, &namesakes);
  return namesakes.size() == 1 ? concat("; did you mean \"", namesakes.front(), "\"?") : "";
}

void report_unknown_keys(const TomlValue& value, TomlDocument* document) {
  for (const TomlValue& child : value.children) {
    if (value.opened && !child.used) {
      document->diagnostics.error(key_position_of(*document, child),
                                  "unknown key" + suggest(child, value, document->root));
    } else {
      report_unknown_keys(child, document);
    }
  }
}

/// Keys of the same table that are in the file, not from an option.
std::vector<std::string> names_beside(const TomlValue& value) {
  std::vector<std::string> names;
  if (value.parent == nullptr) return names;
  for (const TomlValue& sibling : value.parent->children) {
    if (!sibling.is_new) names.push_back(sibling.key);
  }
  return names;
}

/// Reports a value that the reader replaces by a harmless one. What a later check finds wrong with
/// that one would mislead, so further errors of the value are dropped.
void refuse(const TomlNode& node, TomlValue* value, std::string_view message) {
  node.error(message);
  value->reported = true;
}

void remove_byte_order_mark(std::string* text) {
  if (text->compare(0, 3, "\xEF\xBB\xBF") == 0) text->erase(0, 3);
}

}  // namespace

// --- A table's entries ---

bool TomlNode::open_table() const {
  if (value_->kind == TomlKind::kTable) {
    value_->opened = true;
    return true;
  }
  expect("a table");
  return false;
}

// A value that the file does not have; its position is that of its table.
TomlNode TomlNode::add_value(std::string_view key) const {
  TomlValue& added = document_->added.emplace_back();
  added.key = key;
  added.added = true;
  added.parent = value_;
  added.line = value_->line;
  added.column = value_->column;
  added.option = value_->option;
  return TomlNode(document_, &added);
}

TomlNode TomlNode::find(std::string_view key) const {
  if (is_watching_keys()) note_key(path_of(*value_), key);
  if (!open_table()) return add_value(key);
  TomlValue* child = find_child(value_, key);
  if (child == nullptr) {
    value_->missed.emplace_back(key);
    return add_value(key);
  }
  child->used = true;
  return TomlNode(document_, child);
}

TomlNode TomlNode::at(std::string_view key) const {
  const TomlNode node = find(key);
  if (node) return node;
  // A value that is itself missing or not a table has been reported already.
  const auto& renamed = value_->renamed;
  const bool is_renamed = std::find(renamed.begin(), renamed.end(), key) != renamed.end();
  if (is_table() && !is_renamed)
    node.error(!value_->is_new ? "missing"
                               : concat("missing; the file itself has no \"", path_of(*value_),
                                        "\"", did_you_mean(value_->key, names_beside(*value_))));
  node.value_->reported = true;
  return node;
}

void TomlNode::renamed(std::string_view old_key, std::string_view new_key) const {
  if (!is_table()) return;
  TomlValue* child = find_child(value_, old_key);
  if (child == nullptr) return;
  child->used = true;
  value_->renamed.emplace_back(new_key);
  document_->diagnostics.error(key_position_of(*document_, *child),
                               concat("renamed to \"", new_key, '"'));
}

TomlNode TomlNode::get(std::string_view key, const TomlDefault& fallback) const {
  const TomlNode node = find(key);
  if (!node) set_default(fallback, node.value_);
  return node;
}

std::vector<TomlNode> TomlNode::entries() const {
  std::vector<TomlNode> nodes;
  if (!open_table()) return nodes;
  for (TomlValue& child : value_->children) {
    child.used = true;
    nodes.push_back(TomlNode(document_, &child));
  }
  std::sort(nodes.begin(), nodes.end(), [](const TomlNode& a, const TomlNode& b) {
    return std::tie(a.value_->key_line, a.value_->key_column) <
           std::tie(b.value_->key_line, b.value_->key_column);
  });
  return nodes;
}

// --- Values ---

// Reports what was expected and what was found. A missing value has been reported already.
void TomlNode::expect(std::string_view what) const {
  if (*this) refuse(*this, value_, concat("expected ", what, ", found ", describe(*value_)));
}

bool TomlNode::read_number(std::string_view unit, double* result) const {
  if (value_->kind != TomlKind::kNumber && value_->kind != TomlKind::kInteger) {
    expect(in_unit("a number", unit));
    return false;
  }
  *result = value_->number;
  if (std::isfinite(*result)) return true;
  refuse(*this, value_, concat("must be finite, got ", *result));
  return false;
}

double TomlNode::number(std::string_view unit) const {
  double x = 0;
  return read_number(unit, &x) ? x : 0;
}

double TomlNode::positive(std::string_view unit) const {
  double x = 0;
  if (!read_number(unit, &x)) return 1;
  if (x > 0) return x;
  refuse(*this, value_, concat("must be > ", with_unit(0, unit), ", got ", x));
  return 1;
}

double TomlNode::non_negative(std::string_view unit) const {
  double x = 0;
  if (!read_number(unit, &x)) return 0;
  if (x >= 0) return x;
  refuse(*this, value_, concat("must be >= ", with_unit(0, unit), ", got ", x));
  return 0;
}

double TomlNode::in_range(double low, double high, std::string_view unit) const {
  require(low <= high, "TomlNode::in_range: ", low, " to ", high, " is not a range");
  double x = 0;
  if (!read_number(unit, &x)) return low;
  if (x >= low && x <= high) return x;
  refuse(*this, value_, concat("must be from ", low, " to ", with_unit(high, unit), ", got ", x));
  return std::clamp(x, low, high);  // nearest to what was meant
}

std::int64_t TomlNode::integer(std::int64_t low, std::int64_t high) const {
  require(low <= high, "TomlNode::integer: ", low, " to ", high, " is not a range");
  if (value_->kind != TomlKind::kInteger) {
    expect("an integer");
    return low;
  }
  if (value_->integer >= low && value_->integer <= high) return value_->integer;
  refuse(*this, value_, concat("must be from ", low, " to ", high, ", got ", value_->integer));
  return low;
}

bool TomlNode::boolean() const {
  if (value_->kind != TomlKind::kBoolean) expect("true or false");
  return value_->boolean;
}

std::string TomlNode::text() const {
  if (value_->kind != TomlKind::kText) {
    expect("a text");
    return "";
  }
  const std::size_t at = find_control_character(value_->text);
  if (at == std::string::npos) return value_->text;
  error(concat("has a control character after ", at, " characters, which has no place in a text"));
  return "";
}

std::string TomlNode::choice(std::initializer_list<std::string_view> words) const {
  return choice(std::span(words.begin(), words.size()));
}

std::string TomlNode::choice(std::span<const std::string_view> words) const {
  require(!words.empty(), "TomlNode::choice: no words to choose from");
  if (is_watching_keys()) note_words(key(), words);
  const std::vector<std::string> choices(words.begin(), words.end());
  std::string list;
  for (const std::string& word : choices) list += concat(list.empty() ? "" : ", ", '"', word, '"');
  if (value_->kind != TomlKind::kText) {
    expect("one of " + list);
    return choices.front();
  }
  if (std::find(choices.begin(), choices.end(), value_->text) != choices.end()) return value_->text;
  refuse(*this, value_,
         concat("must be one of ", list, ", got ", describe(*value_),
                did_you_mean(value_->text, choices)));
  return choices.front();
}

// --- Arrays ---

bool TomlNode::open_array(std::string_view what) const {
  if (value_->kind == TomlKind::kArray) return true;
  expect(what);
  return false;
}

std::vector<TomlNode> TomlNode::elements() const {
  std::vector<TomlNode> nodes;
  if (!open_array("an array")) return nodes;
  for (TomlValue& child : value_->children) nodes.push_back(TomlNode(document_, &child));
  return nodes;
}

std::vector<TomlNode> TomlNode::tables() const {
  std::vector<TomlNode> nodes;
  if (!open_array("an array of tables")) return nodes;
  for (const TomlNode& element : elements()) {
    if (element.open_table()) nodes.push_back(element);
  }
  return nodes;
}

std::vector<double> TomlNode::numbers(std::string_view unit) const {
  std::vector<double> values;
  if (!open_array(in_unit("an array of numbers", unit))) return values;
  for (const TomlNode& element : elements()) values.push_back(element.number(unit));
  return values;
}

std::vector<double> TomlNode::numbers(std::size_t count, std::string_view unit) const {
  if (value_->kind == TomlKind::kArray && value_->children.size() != count) {
    error(concat("expected ", count, " numbers, found ", value_->children.size()));
    return std::vector<double>(count);
  }
  std::vector<double> values = numbers(unit);
  values.resize(count);
  return values;
}

std::vector<double> TomlNode::matrix(std::size_t rows, std::size_t columns,
                                     std::string_view unit) const {
  std::vector<double> values;
  if (open_array(concat("an array of ", rows, " rows"))) {
    if (value_->children.size() != rows) {
      error(concat("expected ", rows, " rows, found ", value_->children.size()));
    } else {
      for (const TomlNode& row : elements()) {
        const std::vector<double> numbers = row.numbers(columns, unit);
        values.insert(values.end(), numbers.begin(), numbers.end());
      }
    }
  }
  values.resize(rows * columns);
  return values;
}

std::vector<std::string> TomlNode::texts() const {
  std::vector<std::string> values;
  if (!open_array("an array of texts")) return values;
  for (const TomlNode& element : elements()) values.push_back(element.text());
  return values;
}

// --- About the node itself ---

TomlNode::operator bool() const { return value_->kind != TomlKind::kMissing; }
bool TomlNode::is_table() const { return value_->kind == TomlKind::kTable; }
bool TomlNode::is_array() const { return value_->kind == TomlKind::kArray; }
bool TomlNode::is_text() const { return value_->kind == TomlKind::kText; }
const std::string& TomlNode::key() const { return value_->key; }

Position TomlNode::position() const {
  if (!value_->option.empty()) return {value_->option, 0, 0, path_of(*value_)};
  return {document_->file, value_->line, value_->column, path_of(*value_)};
}

Position TomlNode::key_position() const { return key_position_of(*document_, *value_); }

Position TomlNode::position_in_text(std::size_t offset) const {
  // A default or an option has no characters in the file.
  if (!is_text() || value_->added || !value_->option.empty()) return position();
  Position where = internal::locate_in_string(document_->text, document_->file, value_->line,
                                              value_->column, offset);
  where.key = path_of(*value_);
  return where;
}

void TomlNode::error(std::string_view message) const {
  if (value_->reported) return;
  document_->diagnostics.error(position(), message);
}

void TomlNode::error_in_text(std::size_t offset, std::string_view message) const {
  document_->diagnostics.error(position_in_text(offset), message);
}

void TomlNode::warning(std::string_view message) const {
  document_->diagnostics.warning(position(), message);
}

void TomlNode::expect_in_file(std::string_view what) const {
  if (!value_->is_new) return;
  error(concat("the file has no ", what, " \"", key(), "\"",
               did_you_mean(key(), names_beside(*value_))));
}

// --- The file ---

TomlFile::TomlFile(std::unique_ptr<TomlDocument> document) : document_(std::move(document)) {}
TomlFile::TomlFile(TomlFile&&) noexcept = default;
TomlFile& TomlFile::operator=(TomlFile&&) noexcept = default;
TomlFile::~TomlFile() = default;

TomlNode TomlFile::root() { return TomlNode(document_.get(), &document_->root); }

void TomlFile::set(std::string_view assignment, std::string_view place) {
  const std::string option = place.empty() ? concat("--set ", assignment) : std::string(place);
  const std::string problem = internal::set_toml_value(assignment, option, &document_->root);
  internal::link_to_parents(&document_->root);
  if (!problem.empty()) document_->diagnostics.error({.file = option}, problem);
}

Diagnostics& TomlFile::diagnostics() { return document_->diagnostics; }

void TomlFile::finish() {
  document_->root.opened = true;
  report_unknown_keys(document_->root, document_.get());
  document_->diagnostics.throw_if_any();
}

TomlFile parse_toml(std::string text, std::string file) {
  remove_byte_order_mark(&text);
  auto document = std::make_unique<TomlDocument>();
  document->root = internal::parse_toml_text(text, file);
  internal::link_to_parents(&document->root);
  document->text = std::move(text);
  document->file = std::move(file);
  return TomlFile(std::move(document));
}

TomlFile load_toml(const std::string& path) {
  std::string text;
  try {
    text = read_file(path, internal::kMaxTomlBytes);
  } catch (const FileError& error) {
    throw ModelFileError({path}, error.reason());
  }
  return parse_toml(std::move(text), path);
}

}  // namespace camber
