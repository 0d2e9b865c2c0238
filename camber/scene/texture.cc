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

/// Place along an upright face, to the left as seen from outside [m].
double along_wall(const Vector3& point, const Vector3& normal) {
  return (point.x() * -normal.y() + point.y() * normal.x()) / std::hypot(normal.x(), normal.y());
}

/// Glass of a window: dark, with blinds or a lamp behind some.
void look_at_glass(double tone, double height, Look* look) {
  look->color = Vector3(0.035, 0.045, 0.055);
  look->gloss = 1;
  if (tone > 0.62 && height > 1.15 - tone) {  // a blind that is partly down
    look->color = Vector3(0.42, 0.40, 0.36) * (0.5 + tone * 0.5);
    look->gloss = 0.35;
  } else if (tone < 0.06) {
    look->color = Vector3(0.50, 0.42, 0.25);
    look->gloss = 0.5;
  }
}

void look_at_facade(const Material& material, const Vector3& point, const Vector3& normal,
                    double range, Look* look) {
  const double width = material.pattern[0] > 0 ? material.pattern[0] : 2.4;
  const double height = material.pattern[1] > 0 ? material.pattern[1] : 3.1;
  const double along = along_wall(point, normal);
  const double column = std::floor(along / width), row = std::floor(point.z() / height);
  const double u = along / width - column, v = point.z() / height - row;
  const double tone =
      hash_of(static_cast<std::int64_t>(column), static_cast<std::int64_t>(row),
              static_cast<std::int64_t>(std::lround(8 * normal.x() + 64 * normal.y())));
  if (material.texture == Texture::kOffice) {
    if (v > 0.28 && v < 0.94) {
      const bool is_frame = u < 0.035 || u > 0.965;
      if (!is_frame) look_at_glass(tone * 0.75 + 0.07, (v - 0.28) / 0.66, look);
      return;
    }
  } else if (material.texture == Texture::kShopfront) {
    if (u > 0.09 && u < 0.91 && v > 0.05 && v < 0.74) {
      const bool is_frame = std::abs(u - 0.5) < 0.012 || std::abs(v - 0.55) < 0.012;
      if (!is_frame) look_at_glass(0.3 + 0.2 * tone, v, look);
    } else if (v >= 0.76 && v < 0.93) {  // the name of the shop, in its own color
      const double shop = hash_of(static_cast<std::int64_t>(std::floor(along / (3 * width))), 7, 3);
      look->color =
          Vector3(0.10 + 0.35 * shop, 0.13 + 0.22 * (1 - shop), 0.16 + 0.3 * std::abs(shop - 0.5));
    }
    return;
  } else {
    const double du = std::abs(u - 0.5), frame = 0.045;
    if (du < 0.24 && v > 0.27 && v < 0.80) {
      const bool is_frame = du > 0.24 - frame || v < 0.27 + frame || v > 0.80 - frame || du < 0.012;
      if (is_frame)
        look->color = Vector3(0.62, 0.61, 0.58);
      else
        look_at_glass(tone, (v - 0.27) / 0.53, look);
      return;
    }
    if (du < 0.28 && v > 0.235 && v < 0.27) {  // a sill
      look->color = 0.5 * (look->color + Vector3(0.55, 0.54, 0.5));
      return;
    }
    if (v < 0.035) look->color *= 0.88;  // a joint between storeys
  }
  look->color *= 1 + 0.05 * grain(point, 0.04, range) + 0.05 * grain(point, 0.6, range);
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
    case Texture::kFacade:
    case Texture::kOffice:
    case Texture::kShopfront:
      if (std::abs(normal.z()) < 0.7) look_at_facade(material, point, normal, range, &look);
      break;
    case Texture::kPaving: {
      const double side = material.pattern[0] > 0 ? material.pattern[0] : 0.6;
      const double fade = std::clamp(1.5 - range * 0.02, 0.0, 1.0);
      const double i = std::floor(point.x() / side), j = std::floor(point.y() / side);
      const bool is_joint = point.x() / side - i < 0.025 || point.y() / side - j < 0.025;
      const double tone =
          hash_of(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), 11) - 0.5;
      look.color *= 1 + fade * (is_joint ? -0.3 : 0.12 * tone) + 0.05 * grain(point, 2.5, range) +
                    0.05 * grain(point, 0.03, range);
      break;
    }
    case Texture::kTiles: {
      const double fade = std::clamp(1.5 - range * 0.01, 0.0, 1.0);
      const double row = point.z() / 0.16 - std::floor(point.z() / 0.16);
      const double tone =
          hash_of(cell_of(point.x(), 0.3), cell_of(point.y(), 0.3), cell_of(point.z(), 0.16)) - 0.5;
      look.color *=
          1 + fade * ((row < 0.2 ? -0.25 : 0) + 0.2 * tone) + 0.1 * grain(point, 1.5, range);
      break;
    }
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
