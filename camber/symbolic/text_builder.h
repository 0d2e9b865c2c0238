#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/precedence.h"

namespace camber::symbolic::internal {

/// Writes an expression as text without recursion, so that depth costs heap memory, not stack.
///
/// A writer says how one node reads, left to right: pieces of text, and children with the
/// precedence their place asks for. The children wait on an explicit stack until the text before
/// them is written.
class TextBuilder {
 public:
  explicit TextBuilder(std::size_t max_size) : max_size_(max_size) {}

  void text(std::string_view text) {
    pieces_.push_back({Expr(), Precedence::kLowest, std::string(text), true});
  }
  void child(const Expr& e, Precedence at_least = Precedence::kLowest) {
    pieces_.push_back({e, at_least, {}, false});
  }

  /// `write(e, at_least, this)` calls text() and child() for one node. Throws std::length_error
  /// when the result would exceed the limit.
  template <class Write>
  std::string build(const Expr& root, const Write& write) {
    child(root);
    std::vector<Piece> stack;
    std::string result;
    for (;;) {
      while (!pieces_.empty()) {
        stack.push_back(std::move(pieces_.back()));
        pieces_.pop_back();
      }
      if (stack.empty()) return result;
      const Piece piece = std::move(stack.back());
      stack.pop_back();
      if (piece.is_text) {
        append(piece.text, &result);
      } else {
        write(piece.expr, piece.at_least, this);
      }
    }
  }

 private:
  struct Piece {
    Expr expr;
    Precedence at_least;
    std::string text;
    bool is_text;
  };

  void append(const std::string& text, std::string* result) const;

  std::size_t max_size_;
  std::vector<Piece> pieces_;  // of the node being written, left to right
};

}  // namespace camber::symbolic::internal
