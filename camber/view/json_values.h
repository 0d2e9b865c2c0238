#pragma once

#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "camber/math/types.h"

namespace camber::view::internal {

/// A length to a hundredth of a millimeter: hello stays short.
inline double round_length(double x) { return std::round(x * 1e5) / 1e5 + 0.0; }

inline nlohmann::ordered_json to_json(const Vector3& p) {
  return {round_length(p.x()), round_length(p.y()), round_length(p.z())};
}

/// null where a number is not finite, which JSON does not have.
inline nlohmann::ordered_json number_or_null(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json();
}

}  // namespace camber::view::internal
