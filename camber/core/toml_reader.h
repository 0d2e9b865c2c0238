#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "camber/core/diagnostics.h"

namespace camber {

namespace internal {
struct TomlDocument;
struct TomlValue;
}  // namespace internal

/// The value of a key that the file leaves out.
using TomlDefault = std::variant<bool, std::int64_t, double, std::string>;

/// One value of a TomlFile: a table, an array, or something to read with the unit and range it must
/// have.
///
/// Reading never throws for what a person wrote. A wrong value is noted with its place, and the
/// reader continues with a harmless one of the right type, so TomlFile::finish() can report all
/// mistakes at once. A node is a small handle, valid as long as its TomlFile.
class TomlNode {
 public:
  // --- A table's entries ---

  /// The value of a key that must be there.
  TomlNode at(std::string_view key) const;
  /// The value of a key that may be missing: test the node, `if (const auto tire =
  /// node.find("tire"))`.
  TomlNode find(std::string_view key) const;
  /// The value of a key, or the default if the file does not have it: `node.get("mu",
  /// 0.8).positive("")`.
  TomlNode get(std::string_view key, const TomlDefault& fallback) const;
  /// Reports a key that has a new name: an error at the old key, `renamed to "max_rate"`. Call it
  /// before the new key is read; at() then does not report the new key as missing as well.
  void renamed(std::string_view old_key, std::string_view new_key) const;
  /// All entries of a table whose keys the author chose (bodies by name), in the order of the file.
  std::vector<TomlNode> entries() const;

  // --- Values ---

  double number(std::string_view unit) const;
  double positive(std::string_view unit) const;
  double non_negative(std::string_view unit) const;
  double in_range(double low, double high, std::string_view unit) const;  // both ends included
  std::int64_t integer(std::int64_t low, std::int64_t high) const;        // both ends included
  bool boolean() const;
  std::string text() const;
  /// One of the given words.
  std::string choice(std::initializer_list<std::string_view> words) const;
  std::string choice(std::span<const std::string_view> words) const;

  // --- Arrays ---

  std::vector<TomlNode> elements() const;
  /// The elements of an array of tables, [[body]].
  std::vector<TomlNode> tables() const;
  std::vector<double> numbers(std::string_view unit) const;
  std::vector<double> numbers(std::size_t count, std::string_view unit) const;
  /// An array of `rows` arrays of `columns` numbers, row after row.
  std::vector<double> matrix(std::size_t rows, std::size_t columns, std::string_view unit) const;
  std::vector<std::string> texts() const;

  // --- About the node itself ---

  /// Whether the file has the value; also true for a default.
  explicit operator bool() const;
  /// Whether the value is a table (has keys) or an array (has elements).
  bool is_table() const;
  bool is_array() const;
  bool is_text() const;
  /// The last part of its key: "radius". Empty for an array's element.
  const std::string& key() const;

  /// Where the value starts (for a default: its table), with the whole path of the key.
  Position position() const;
  /// Where the key starts.
  Position key_position() const;
  /// Where a byte of a text value is in the file, for an expression's parser.
  Position position_in_text(std::size_t offset) const;

  /// Notes a mistake that only the caller can see, such as a body that does not exist. Ignored if
  /// the value is one that at() has reported as missing.
  void error(std::string_view message) const;
  void error_in_text(std::size_t offset, std::string_view message) const;
  void warning(std::string_view message) const;
  /// Notes an error if TomlFile::set() added this entry, "the file has no parameter "Crzx"; did you
  /// mean "Crxz"?": in a table of names that the author chose, no reader would find it misspelled.
  void expect_in_file(std::string_view what) const;

 private:
  friend class TomlFile;
  TomlNode(internal::TomlDocument* document, internal::TomlValue* value)
      : document_(document), value_(value) {}

  bool open_table() const;
  bool open_array(std::string_view what) const;
  TomlNode add_value(std::string_view key) const;
  void expect(std::string_view what) const;
  bool read_number(std::string_view unit, double* result) const;

  internal::TomlDocument* document_;
  internal::TomlValue* value_;
};

/// A TOML file (model, scenario, study) while it is being read:
///
///   TomlFile file = load_toml("models/mule.toml");
///   const TomlNode wheel = file.root().at("wheels").at("front_left");
///   const double radius = wheel.at("radius").positive("m");
///   file.finish();
class TomlFile {
 public:
  TomlFile(TomlFile&&) noexcept;
  TomlFile& operator=(TomlFile&&) noexcept;
  ~TomlFile();

  TomlNode root();

  /// Sets a value as if the file had it: "driver.speed.target=15", "stop[0].value=2"; a value that
  /// is not TOML, such as a bare word, counts as text. Messages show `place` as its place, "--set
  /// ASSIGNMENT" if it is empty. Call it before anything is read: it invalidates all nodes.
  void set(std::string_view assignment, std::string_view place = "");

  /// The findings so far; later checks of the model may add to them before finish().
  Diagnostics& diagnostics();

  /// Reports every key that was not read and throws ModelFileError if there was any mistake. The
  /// values read are valid only after this.
  void finish();

 private:
  friend TomlFile parse_toml(std::string text, std::string file);
  explicit TomlFile(std::unique_ptr<internal::TomlDocument> document);

  std::unique_ptr<internal::TomlDocument> document_;
};

/// Reads and parses a file. Throws ModelFileError when it cannot be read, is not TOML 1.0, or
/// exceeds the limits of toml_limits.h (8 MB, nesting, length of keys). CRLF line ends and a UTF-8
/// byte order mark are fine.
TomlFile load_toml(const std::string& path);

/// The same for text in memory; `file` is the name that messages show.
TomlFile parse_toml(std::string text, std::string file);

}  // namespace camber
