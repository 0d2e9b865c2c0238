#include "camber/mechanism_code/parameters.h"

#include <cmath>

namespace camber::mechanism_code {

namespace {

// Rotations leave 1e-17 where a zero should be.
constexpr double kRounding = 1e-14;

double snapped(double value) {
  for (const double plain : {0.0, 1.0, -1.0})
    if (std::abs(value - plain) < kRounding) return plain;
  return value;
}

bool is_plain(double value) { return value == 0 || value == 1 || value == -1; }

}  // namespace

Expr Parameters::operator()(double value) {
  const std::size_t i = values_.size();
  values_.push_back(snapped(value));
  const bool is_symbol = i < is_symbol_.size() ? is_symbol_[i] : !is_plain(values_[i]);
  return is_symbol ? symbolic::symbol(name(i)) : Expr(values_[i]);
}

std::vector<bool> Parameters::find_symbols() const {
  std::vector<bool> is_symbol;
  for (const double value : values_) is_symbol.push_back(!is_plain(value));
  return is_symbol;
}

}  // namespace camber::mechanism_code
