#include "camber/scene/texture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace camber::scene::internal {
namespace {

/// A number in 0..1 for a cell of a grid.
double hash_of(std::int64_t i, std::int64_t j, std::int64_t k) {
  auto h = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U ^
           static_cast<std::uint64_t>(j) * 0xc2b2ae3d27d4eb4fU ^
           static_cast<std::uint64_t>(k) * 0x165667b19e3779f9U;
  h ^= h >> 31, h *= 0xbf58476d1ce4e5b9U, h ^= h >> 29;
  return static_cast<double>(h >> 11) * 0x1p-53;
}
std::int64_t cell_of(double x, double size) {
  return static_cast<std::int64_t>(std::floor(x / size));
}

/// Grain of a size at a point, -1..1, that fades to zero where a pixel covers it.
double grain(const Vector3& p, double size, double range) {
  const double visible = std::clamp(1.5 - range * 1e-3 / size, 0.0, 1.0);
  if (visible == 0) return 0;
  return visible *
         (2 * hash_of(cell_of(p.x(), size), cell_of(p.y(), size), cell_of(p.z(), size)) - 1);
}

}  // namespace

Look calc_look(const Material& material, const Vector3& point, const Vector3& normal,
               double range) {
  Look look{material.color, 1 - material.roughness};
  switch (material.texture) {
    case Texture::kPlain:
      break;
    case Texture::kAsphalt:
      look.color *= 1 + 0.16 * grain(point, 0.02, range) + 0.10 * grain(point, 0.35, range) +
                    0.06 * grain(point, 3.0, range);
      break;
    case Texture::kVegetation:
      look.color *= 1 + 0.35 * grain(point, 0.06, range) + 0.25 * grain(point, 0.4, range);
      break;
    case Texture::kBrick:
    case Texture::kWindows: {
      if (std::abs(normal.z()) > 0.7) break;  // roofs
      const double along =
          (point.x() * -normal.y() + point.y() * normal.x()) / std::hypot(normal.x(), normal.y());
      if (material.texture == Texture::kWindows) {
        const double u = along / 2.6 - std::floor(along / 2.6);
        const double v = point.z() / 3.0 - std::floor(point.z() / 3.0);
        if (u > 0.25 && u < 0.75 && v > 0.3 && v < 0.8) {
          look.color = Vector3(0.03, 0.04, 0.05);
          look.gloss = 1;
          break;
        }
      }
      const double row = std::floor(point.z() / 0.08);
      const double shifted = along / 0.25 + 0.5 * (row - 2 * std::floor(0.5 * row));
      const double fade = std::clamp(1.5 - range * 0.02, 0.0, 1.0);
      const bool is_joint = point.z() / 0.08 - row < 0.12 || shifted - std::floor(shifted) < 0.05;
      const double tone = hash_of(static_cast<std::int64_t>(row),
                                  static_cast<std::int64_t>(std::floor(shifted)), 5);
      look.color *= 1 + fade * (is_joint ? 0.5 : 0.3 * (tone - 0.5));
      break;
    }
  }
  look.color = look.color.cwiseMax(0.0).cwiseMin(1.0);
  return look;
}

}  // namespace camber::scene::internal
