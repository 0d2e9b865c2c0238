#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "camber/symbolic/expr.h"

namespace camber::mechanism_code {

using symbolic::Expr;

/// Hoists from expressions the parts that depend only on early quantities: on parameters (known
/// before a run), or on values that several kernels share (known before a kernel runs). Each
/// maximal part of this kind, and each partial sum and product of such parts, becomes a symbol.
class Hoister {
 public:
  /// New symbols are prefix0, prefix1, ... in the order of their first use. `keeps_leaves`: an
  /// early leaf on its own is not replaced.
  Hoister(std::string prefix, std::function<bool(const Expr& leaf)> is_early, bool keeps_leaves)
      : prefix_(std::move(prefix)), is_early_(std::move(is_early)), keeps_leaves_(keeps_leaves) {}

  Expr operator()(const Expr& e);
  std::vector<Expr> operator()(const std::vector<Expr>& es);

  /// The expressions that the new symbols stand for.
  const std::vector<Expr>& definitions() const { return definitions_; }
  std::vector<Expr> symbols() const;

 private:
  bool is_early(const Expr& e);
  Expr hoist(const Expr& early);
  Expr rewrite(const Expr& e);
  Expr rewrite_sum(const Expr& e);
  Expr rewrite_product(const Expr& e, const symbolic::Number& coefficient);

  std::string prefix_;
  std::function<bool(const Expr&)> is_early_;
  bool keeps_leaves_;
  std::unordered_map<Expr, bool> early_;
  std::unordered_map<Expr, Expr> done_;
  std::unordered_map<Expr, int> places_;
  std::vector<Expr> definitions_;
};

}  // namespace camber::mechanism_code
