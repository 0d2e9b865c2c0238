#pragma once

#include <optional>

#include "camber/symbolic/expr.h"

namespace camber::symbolic::internal {

/// A number in this node itself (value, constant or coefficient) that is outside the range of
/// double: 10^400, 1/10^400.
inline std::optional<Number> find_number_beyond_double(const Expr& e) {
  if (e.is_number() && !e.number().fits_double()) return e.number();
  if (e.kind() != Kind::kSum) return std::nullopt;
  if (!e.constant().fits_double()) return e.constant();
  for (const Term& term : e.terms()) {
    if (!term.coefficient.fits_double()) return term.coefficient;
  }
  return std::nullopt;
}

}  // namespace camber::symbolic::internal
