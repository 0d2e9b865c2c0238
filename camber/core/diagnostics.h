#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

/// A place in a file that a person wrote. Lines and columns count from 1, columns in characters
/// (code points, as editors do); 0 means unknown. An empty key means that the place is not a key.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;
  std::string key = {};  // dotted path: "wheels.front_left.radius", "bodies[2].mass"
};

/// "models/mule.toml:41:3: wheels.front_left.radius", without unknown parts.
std::string to_text(const Position& where);

enum class Severity { kError, kWarning };

/// One finding about a file.
struct Diagnostic {
  Severity severity = Severity::kError;
  Position where;
  std::string text;
};

/// "models/mule.toml:41:3: wheels.front_left.radius: must be > 0 m, got -0.31"; a warning says so
/// before its text.
std::string to_text(const Diagnostic& diagnostic);

/// A file that cannot be used, with everything that is wrong in it: what() has one line for each.
class ModelFileError : public std::runtime_error {
 public:
  ModelFileError(Position where, std::string text);
  explicit ModelFileError(std::vector<Diagnostic> diagnostics);

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Gathers what is wrong in a file, so that its author sees all of it at once.
class Diagnostics {
 public:
  /// Further findings are only counted: such a file was written by a program, or has another
  /// format.
  static constexpr std::size_t kMaxKept = 100;

  void error(Position where, std::string_view text);
  void warning(Position where, std::string_view text);

  std::size_t error_count() const { return error_count_; }
  std::size_t warning_count() const { return warning_count_; }

  /// Errors and warnings by file, line and column; equal ones once. A last entry counts those
  /// beyond kMaxKept.
  std::vector<Diagnostic> sorted() const;

  /// Throws ModelFileError with sorted() if there is an error; warnings alone do not throw.
  void throw_if_any() const;

 private:
  void add(Severity severity, Position where, std::string_view text);

  std::vector<Diagnostic> kept_;
  std::size_t error_count_ = 0;
  std::size_t warning_count_ = 0;
};

}  // namespace camber
