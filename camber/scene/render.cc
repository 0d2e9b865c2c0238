#include "camber/scene/render.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "camber/core/require.h"
#include "camber/scene/texture.h"

namespace camber::scene {
namespace {

constexpr double kShadowReach = 3000;  // [m]
// Of a shadow ray's origin off its surface [m]. A tenth of it would do, but then floats could not
// tell that the ray leaves its own cell of the ground.
constexpr double kShadowLift = 1e-3;
constexpr int kTile = 4;  // pixels per side that are traced together

struct Batch {
  std::vector<Hit> hits;
  std::vector<Ray> shadow_rays;
  std::vector<std::uint8_t> is_shadow;
};

}  // namespace

Vector3 calc_sky(const Lighting& light, const Vector3& direction) {
  const double rest = 1 - std::clamp(direction.z(), 0.0, 1.0);
  // Most of the change of color is near the horizon.
  const double part = 1 - rest * rest * rest;
  Vector3 sky = light.sky_horizon + part * (light.sky_zenith - light.sky_horizon);
  const double near = direction.dot(light.sun_direction);
  if (near > 0) {
    double glow = near;
    for (int k = 0; k < 6; ++k) glow *= glow;  // near^64
    sky += 0.25 * glow * light.sun_color;
    if (near > 0.99996) sky += 20 * light.sun_color;  // the sun's disc, 0.5 deg
  }
  return direction.z() < 0 ? Vector3(0.6 * sky) : sky;
}

void render(const Scene& scene, const Lighting& light, std::span<const Ray> rays,
            std::span<Pixel> pixels) {
  require(rays.size() == pixels.size(), "render: ", rays.size(), " rays, room for ", pixels.size());
  thread_local Batch batch;  // keeps its memory from call to call
  batch.hits.resize(rays.size());
  batch.shadow_rays.clear();
  scene.cast(rays, batch.hits);
  if (light.has_shadows) {
    for (std::size_t k = 0; k < rays.size(); ++k) {
      const Hit& hit = batch.hits[k];
      if (!hit.is_hit() || hit.normal.dot(light.sun_direction) <= 0) continue;
      const double lift = kShadowLift + 1e-7 * hit.range;
      batch.shadow_rays.push_back(
          {rays[k].at(hit.range) + lift * hit.normal, light.sun_direction, kShadowReach});
    }
    batch.is_shadow.resize(batch.shadow_rays.size());
    scene.any_hit(batch.shadow_rays, batch.is_shadow);
  }
  std::size_t next = 0;
  for (std::size_t k = 0; k < rays.size(); ++k) {
    const Hit& hit = batch.hits[k];
    Pixel& pixel = pixels[k];
    pixel = {};
    if (!hit.is_hit()) {
      pixel.rgb = calc_sky(light, rays[k].direction);
      continue;
    }
    bool is_lit = hit.normal.dot(light.sun_direction) > 0;
    if (is_lit && light.has_shadows) is_lit = batch.is_shadow[next++] == 0;
    const Material& material = scene.material(hit.material);
    const Vector3 point = rays[k].at(hit.range);
    const internal::Look look = internal::calc_look(material, point, hit.normal, hit.range);
    // Diffuse: the sun, and the sky over a face, with some light from the ground below.
    const double up = 0.5 * (1 + hit.normal.z());
    const Vector3 sky = 0.5 * (light.sky_zenith + light.sky_horizon);
    Vector3 in = up * sky + (1 - up) * 0.25 * sky;
    if (is_lit) in += std::max(0.0, hit.normal.dot(light.sun_direction)) * light.sun_color;
    pixel.rgb = look.color.cwiseProduct(in) / 1.6;
    if (look.gloss > 0) {
      // A mirror's part by Schlick's rule, from the sky alone.
      const double cosine = std::max(0.0, -hit.normal.dot(rays[k].direction));
      const double slant = 1 - cosine, square = slant * slant;
      const double part = look.gloss * (0.04 + 0.96 * square * square * slant);
      const Vector3 mirrored =
          rays[k].direction - 2 * rays[k].direction.dot(hit.normal) * hit.normal;
      Vector3 seen = calc_sky(light, mirrored);
      if (!is_lit) seen = seen.cwiseMin(1.0);
      pixel.rgb = (1 - part) * pixel.rgb + part * seen;
    }
    if (light.fog_extinction > 0) {
      const double clear = std::exp(-light.fog_extinction * hit.range);
      pixel.rgb = clear * pixel.rgb + (1 - clear) * light.sky_horizon;
    }
    pixel.range = hit.range;
    pixel.label = hit.label;
    pixel.instance = hit.instance;
  }
}

std::uint8_t to_srgb(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * y));
}

namespace {

/// to_srgb() by table: 4096 steps are finer than a byte except in the darkest 13 values.
std::uint8_t to_srgb_fast(double linear) {
  static const auto table = [] {
    std::array<std::uint8_t, 4097> t{};
    for (std::size_t k = 0; k < t.size(); ++k) t[k] = to_srgb(static_cast<double>(k) / 4096);
    return t;
  }();
  const double x = 4096 * std::clamp(linear, 0.0, 1.0);
  return x < 64 ? to_srgb(linear) : table[static_cast<std::size_t>(x + 0.5)];
}

}  // namespace

Picture draw_scene(const Scene& scene, const Lighting& light, const View& view) {
  require(view.width >= 1 && view.height >= 1 && view.width <= 20000 && view.height <= 20000,
          "draw_scene: a picture of ", view.width, " x ", view.height, " pixels");
  require(view.samples >= 1 && view.samples <= 8, "draw_scene: samples must be in 1..8, got ",
          view.samples);
  require(view.field_of_view > 0 && view.field_of_view < 3.1,
          "draw_scene: field of view must be in 0..3.1 rad, got ", view.field_of_view);
  const Vector3 axis = (view.target - view.eye).normalized();
  require(axis.allFinite(), "draw_scene: eye and target are the same place");
  Vector3 right = axis.cross(Vector3::UnitZ());
  if (right.norm() < 1e-9) right = Vector3::UnitY();
  right.normalize();
  const Vector3 down = axis.cross(right);
  const double scale = 2 * std::tan(0.5 * view.field_of_view) / view.width;

  Picture picture;
  picture.width = view.width, picture.height = view.height;
  const std::size_t count = static_cast<std::size_t>(view.width) * view.height;
  picture.rgb.resize(3 * count);
  picture.depth.resize(count);
  picture.label.resize(count), picture.instance.resize(count);
  std::vector<Ray> rays;
  std::vector<Pixel> pixels;
  std::vector<std::size_t> place;
  std::vector<Vector3> sums(static_cast<std::size_t>(view.width) * kTile);
  const int parts = view.samples * view.samples;
  for (int top = 0; top < view.height; top += kTile) {
    std::ranges::fill(sums, Vector3::Zero());
    for (int part = 0; part < parts; ++part) {
      rays.clear(), place.clear();
      const double du = (part % view.samples + 0.5) / view.samples;
      const double dv = (part / view.samples + 0.5) / view.samples;
      for (int left = 0; left < view.width; left += kTile) {
        for (int y = top; y < std::min(top + kTile, view.height); ++y) {
          for (int x = left; x < std::min(left + kTile, view.width); ++x) {
            const Vector3 d = axis + (scale * (x + du - 0.5 * view.width)) * right +
                              (scale * (y + dv - 0.5 * view.height)) * down;
            rays.push_back({view.eye, d.normalized()});
            place.push_back(static_cast<std::size_t>(y) * view.width + x);
          }
        }
      }
      pixels.resize(rays.size());
      render(scene, light, rays, pixels);
      const std::size_t first = static_cast<std::size_t>(top) * view.width;
      for (std::size_t k = 0; k < rays.size(); ++k) {
        sums[place[k] - first] += pixels[k].rgb;
        if (part != 0) continue;
        picture.depth[place[k]] = static_cast<float>(pixels[k].range * rays[k].direction.dot(axis));
        picture.label[place[k]] = pixels[k].label;
        picture.instance[place[k]] = pixels[k].instance;
      }
    }
    for (int y = top; y < std::min(top + kTile, view.height); ++y) {
      for (int x = 0; x < view.width; ++x) {
        const Vector3& sum = sums[static_cast<std::size_t>(y - top) * view.width + x];
        for (int c = 0; c < 3; ++c) {
          picture.rgb[3 * (static_cast<std::size_t>(y) * view.width + x) + c] =
              to_srgb_fast(sum[c] / parts);
        }
      }
    }
  }
  return picture;
}

}  // namespace camber::scene
