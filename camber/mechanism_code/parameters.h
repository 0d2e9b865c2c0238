#pragma once

#include <string>
#include <vector>

#include "camber/mechanism_code/fingerprint.h"
#include "camber/symbolic/expr.h"

namespace camber::mechanism_code {

using symbolic::Expr;

/// A symbol of the trace.
template <class T>
T make_symbol(const std::string& name);
template <>
inline Expr make_symbol(const std::string& name) {
  return symbolic::symbol(name);
}
template <>
inline Fingerprint make_symbol(const std::string& name) {
  return Fingerprint::of_symbol(name);
}

/// Whether a constant is a number in the code of every vehicle of a structure.
inline bool is_plain(double constant) { return constant == 0 || constant == 1 || constant == -1; }

/// The constants of a model as symbols, numbered in the order in which they are read, which depends
/// on the model's structure alone. Those that are 0, 1 or -1 in every model that shares the code
/// stay numbers, so that products with them disappear.
template <class T>
class Parameters {
 public:
  explicit Parameters(std::string prefix, std::vector<bool> is_symbol = {})
      : prefix_(std::move(prefix)), is_symbol_(std::move(is_symbol)) {}

  T operator()(double value);

  const std::vector<double>& values() const { return values_; }
  /// Which parameters must be symbols for these values.
  std::vector<bool> find_symbols() const;
  std::string name(std::size_t i) const { return prefix_ + std::to_string(i); }

 private:
  std::string prefix_;
  std::vector<bool> is_symbol_;  // empty: as the values are
  std::vector<double> values_;
};

}  // namespace camber::mechanism_code
