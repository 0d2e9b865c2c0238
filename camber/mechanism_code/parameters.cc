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

}  // namespace

template <class T>
T Parameters<T>::operator()(double value) {
  const std::size_t i = values_.size();
  values_.push_back(snapped(value));
  const bool is_symbol = i < is_symbol_.size() ? is_symbol_[i] : !is_plain(values_[i]);
  if (!is_symbol) return T(values_[i]);
  if constexpr (std::is_same_v<T, Fingerprint>) return Fingerprint::of_symbol(prefix_, i);
  return make_symbol<T>(name(i));
}

template <class T>
std::vector<bool> Parameters<T>::find_symbols() const {
  std::vector<bool> is_symbol;
  for (const double value : values_) is_symbol.push_back(!is_plain(value));
  return is_symbol;
}

template class Parameters<Expr>;
template class Parameters<Fingerprint>;

}  // namespace camber::mechanism_code
