#pragma once

// Vectors as functions of multibody take them.

#include <span>

#include "camber/multibody/scalars.h"

namespace camber::multibody {

inline std::span<const double> in(const VectorX<double>& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline std::span<double> out(VectorX<double>* x) {
  return {x->data(), static_cast<std::size_t>(x->size())};
}

}  // namespace camber::multibody
