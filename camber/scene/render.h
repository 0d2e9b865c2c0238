#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "camber/math/types.h"
#include "camber/scene/scene.h"

namespace camber::scene {

/// Light of the day.
struct Lighting {
  Vector3 sun_direction = Vector3(0.45, 0.3, 0.84).normalized();  // to the sun, unit
  Vector3 sun_color = Vector3(1.0, 0.95, 0.85) * 2.6;  // irradiance on a face towards the sun
  Vector3 sky_zenith = Vector3(0.18, 0.34, 0.70);      // radiance
  Vector3 sky_horizon = Vector3(0.62, 0.72, 0.84);
  double fog_extinction = 0.0;  // [1/m]
  bool has_shadows = true;
};

/// What one ray of a picture sees.
struct Pixel {
  Vector3 rgb = Vector3::Zero();                           // linear radiance
  double range = std::numeric_limits<double>::infinity();  // along the ray [m]
  int label = 0, instance = kNothing;
};

/// Radiance of the sky in a direction.
Vector3 calc_sky(const Lighting& light, const Vector3& direction);

/// Shades the given primary rays: sun with shadows, sky, materials, fog. Neighbors in `rays` should
/// be neighbors in the picture (tiles of 4 x 4).
void render(const Scene& scene, const Lighting& light, std::span<const Ray> rays,
            std::span<Pixel> pixels);

/// A pinhole camera, to look at a scene: from `eye` to `target`, z up.
struct View {
  Vector3 eye = Vector3(-20, -20, 15), target = Vector3::Zero();  // [m]
  double field_of_view = 1.0;                                     // across the width [rad]
  int width = 1280, height = 720;
  int samples = 1;  // rays per pixel and direction: 2 makes edges smooth
};

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb = {};  // gamma corrected, row by row from the top
  std::vector<float> depth = {};       // along the axis; infinite: sky [m]
  std::vector<std::int32_t> label = {}, instance = {};
};

/// Throws std::invalid_argument for an invalid view.
Picture draw_scene(const Scene& scene, const Lighting& light, const View& view);

/// Linear radiance to a byte of an sRGB picture.
std::uint8_t to_srgb(double linear);

}  // namespace camber::scene
