#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "camber/core/diagnostics.h"

namespace camber::symbolic {

/// A text that is not a valid expression. what() shows where:
///   expression:1:5: expected a value, found ')'
///     m*l*)
///         ^
class ParseError : public std::runtime_error {
 public:
  /// `offset` counts bytes in `text`, which starts at `origin`.
  ParseError(std::string_view text, std::size_t offset, const Position& origin,
             std::string message);

  /// The message without the place.
  const std::string& message() const { return message_; }
  /// Bytes from the start of the text: what a reader needs to point into the file the text came
  /// from.
  std::size_t offset() const { return offset_; }
  /// Lines and columns count from 1, columns in characters.
  const Position& where() const { return where_; }
  int line() const { return where_.line; }
  int column() const { return where_.column; }

 private:
  std::string message_;
  std::size_t offset_;
  Position where_;
};

}  // namespace camber::symbolic
