#include "camber/terrain/picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "camber/core/require.h"

namespace camber::terrain {
namespace {

using Rgb = std::array<double, 3>;

/// Valley green over straw to gray rock and white.
Rgb height_color(double part) {
  constexpr Rgb kStops[] = {
      {88, 122, 82}, {140, 158, 98}, {196, 184, 128}, {166, 142, 118}, {232, 230, 226}};
  const double at = std::clamp(part, 0.0, 1.0) * 4;
  const int i = std::min(static_cast<int>(at), 3);
  Rgb c;
  for (int k = 0; k < 3; ++k) c[k] = kStops[i][k] + (at - i) * (kStops[i + 1][k] - kStops[i][k]);
  return c;
}

/// Light from the north-west, 45 degrees up: 1 on level ground.
double shade(const SurfaceSample& s) {
  const double nz = 1 / std::sqrt(1 + s.hx * s.hx + s.hy * s.hy);
  const double lit = nz * (0.5 * s.hx - 0.5 * s.hy + std::sqrt(0.5));
  return std::clamp(lit / std::sqrt(0.5), 0.1, 1.35);
}

void dot(TerrainPicture* p, double x, double y, double radius, const Rgb& color) {
  const double r = std::max(radius, 0.7);
  for (int j = static_cast<int>(y - r); j <= static_cast<int>(y + r); ++j) {
    for (int i = static_cast<int>(x - r); i <= static_cast<int>(x + r); ++i) {
      if (i < 0 || j < 0 || i >= p->width || j >= p->height) continue;
      if (std::hypot(i + 0.5 - x, j + 0.5 - y) > r) continue;
      for (int k = 0; k < 3; ++k) {
        p->rgb[3 * (static_cast<std::size_t>(j) * p->width + i) + k] =
            static_cast<std::uint8_t>(color[k]);
      }
    }
  }
}

}  // namespace

TerrainPicture draw_terrain(const Terrain& terrain, const Box2& box, int pixels) {
  const double dx = box.x1 - box.x0, dy = box.y1 - box.y0;
  require(dx > 0 && dy > 0, "draw_terrain: the box is empty");
  require(pixels >= 1 && pixels <= 20000, "draw_terrain: 1 to 20000 pixels, got ", pixels);
  TerrainPicture picture;
  const double size = std::max(dx, dy) / pixels;  // of a pixel [m]
  picture.width = std::max(1, static_cast<int>(std::lround(dx / size)));
  picture.height = std::max(1, static_cast<int>(std::lround(dy / size)));

  TerrainCache cache = terrain.make_cache();
  std::vector<SurfaceSample> samples;
  for (int j = 0; j < picture.height; ++j) {
    for (int i = 0; i < picture.width; ++i) {
      samples.push_back(
          terrain.sample(box.x0 + (i + 0.5) * size, box.y1 - (j + 0.5) * size, &cache));
    }
  }
  // Beside an OpenCRG road there is nothing: its edge is only continued there.
  std::vector<bool> is_ground(samples.size(), true);
  if (std::holds_alternative<CrgRoad>(terrain.base))
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const auto i = static_cast<double>(k % static_cast<std::size_t>(picture.width)),
                 j = static_cast<double>(k / static_cast<std::size_t>(picture.width));
      is_ground[k] = terrain.contains(box.x0 + (i + 0.5) * size, box.y1 - (j + 0.5) * size);
    }
  picture.lowest = HUGE_VAL, picture.highest = -HUGE_VAL;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!is_ground[k]) continue;
    const SurfaceSample& s = samples[k];
    picture.lowest = std::min(picture.lowest, s.h);
    picture.highest = std::max(picture.highest, s.h);
    picture.steepest = std::max(picture.steepest, std::hypot(s.hx, s.hy));
  }
  if (picture.highest < picture.lowest) picture.lowest = picture.highest = 0;  // no road here
  const double span = std::max(picture.highest - picture.lowest, 1e-9);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!is_ground[k]) {
      picture.rgb.insert(picture.rgb.end(), {245, 245, 242});
      continue;
    }
    const SurfaceSample& s = samples[k];
    const Rgb c = height_color((s.h - picture.lowest) / span);
    const double light = shade(s);
    for (const double part : c) {
      picture.rgb.push_back(static_cast<std::uint8_t>(std::clamp(part * light, 0.0, 255.0)));
    }
  }
  for (const Obstacle& o : terrain.find_obstacles(box)) {
    dot(&picture, (o.x - box.x0) / size, (box.y1 - o.y) / size, 6 * o.radius / size, {28, 62, 34});
  }
  return picture;
}

}  // namespace camber::terrain
