#pragma once

// Random numbers of many rays at once, with the bits of RayRandom and internal::normal_quantile().

#include <cstdint>
#include <span>

#include "camber/sensors/lidar.h"

namespace camber::sensors {

/// RayRandom::uniforms() of the rays first, first + 1, ... of one block; the second number becomes
/// the normal deviate of that probability.
void draw_uniforms_and_normals(const RayRandom& random, std::uint32_t first, std::uint32_t block,
                               std::span<double> uniforms, std::span<double> normals);
/// RayRandom::normals() of these rays.
void draw_normals(const RayRandom& random, std::uint32_t first, std::uint32_t block,
                  std::span<double> a, std::span<double> b);

}  // namespace camber::sensors
