#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "camber/symbolic/expr.h"
#include "camber/symbolic/traverse.h"

namespace camber::symbolic {

/// The cost of an evaluation, as Maple's codegen[cost] counts it:
/// - n terms take n - 1 additions; a subtraction is one, a sign is free
/// - a coefficient other than 1 and -1 takes a multiplication (1/2 too: it is a constant)
/// - an integer power takes the multiplications of repeated squaring, as generated code does; with
///   Maple's n - 1, equal up to n = 3, x^1000 would look like the whole model
/// - all negative powers of a product share one division
/// - a square root, any other power, a function, a comparison, select and a user function are one
///   function each
///
/// Counts stop at the largest number instead of wrapping around.
struct OperationCount {
  std::uint64_t additions = 0;
  std::uint64_t multiplications = 0;
  std::uint64_t divisions = 0;
  std::uint64_t functions = 0;

  std::uint64_t total() const;
  /// "531 additions + 4110 functions + 2983 multiplications"; zero counts are left out, "0
  /// operations" if all are zero.
  std::string to_string() const;

  OperationCount& operator+=(const OperationCount& b);
  friend bool operator==(const OperationCount&, const OperationCount&) = default;
};

struct CountOptions {
  /// Maple writes q' as diff(q(t), t): there, q is one function, q' two, q'' three.
  bool variables_are_functions = false;
};

/// The expression as written: repeated sub-expressions count each time.
OperationCount count_operations(const Expr& e, const CountOptions& options = {});
OperationCount count_operations(std::span<const Expr> es, const CountOptions& options = {});

/// Each distinct sub-expression counted once: the cost after common sub-expressions are taken out.
OperationCount count_shared_operations(const Expr& e, const CountOptions& options = {});
OperationCount count_shared_operations(std::span<const Expr> es, const CountOptions& options = {});

/// Tree counts of many expressions that share parts: each distinct node is counted once and
/// remembered.
class OperationCounter {
 public:
  explicit OperationCounter(const CountOptions& options = {}) : options_(options) {}
  const OperationCount& operator()(const Expr& e);

 private:
  CountOptions options_;
  internal::NodeMap<OperationCount> counts_;
  std::vector<Expr> stack_;
};

}  // namespace camber::symbolic
