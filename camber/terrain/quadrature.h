#pragma once

#include <array>

namespace camber::terrain::internal {

/// Gauss-Legendre points and weights on [0, 1].
struct Quadrature {
  static constexpr int kPoints = 40;
  std::array<double, kPoints> x{}, w{};
};
const Quadrature& gauss_legendre();

}  // namespace camber::terrain::internal
