#include "camber/sensors/layer_picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "camber/core/file.h"
#include "camber/terrain/raster_file.h"

namespace camber::sensors {
namespace {

using Rgb = std::array<std::uint8_t, 3>;

constexpr std::size_t kMaxPictureBytes = std::size_t{1} << 30;

/// Hue once around for 0 to 1, saturated.
Rgb color_of_hue(double hue, double brightness) {
  Rgb out{};
  for (int c = 0; c < 3; ++c) {
    const double at = 6 * (hue - std::floor(hue)) + (c == 0 ? 0 : c == 1 ? 4 : 2);
    const double wave = std::abs(std::fmod(at, 6) - 3) - 1;
    out[c] = static_cast<std::uint8_t>(std::lround(255 * brightness * std::clamp(wave, 0.0, 1.0)));
  }
  return out;
}

/// Colors that are far from each other for neighboring numbers: steps of the golden ratio.
Rgb color_of_number(int number) {
  if (number <= 0) return {60, 60, 66};
  return color_of_hue(0.618034 * number, number % 2 == 0 ? 0.65 : 0.95);
}

template <class Color>
std::string draw_gray(const std::string& path, Color color) {
  const terrain::GrayImage image = terrain::load_png(path);
  std::vector<std::uint8_t> rgb;
  rgb.reserve(3 * image.pixels.size());
  for (const std::uint16_t pixel : image.pixels) {
    const Rgb three = color(pixel);
    rgb.insert(rgb.end(), three.begin(), three.end());
  }
  return terrain::encode_png(image.width, image.height, 3, rgb);
}

Rgb color_of_depth(std::uint16_t millimeters) {
  if (millimeters == 65535) return {120, 120, 126};
  constexpr double kFar = 100;  // [m]; 1 m and nearer is red
  return color_of(1 - std::log(std::max(1.0, millimeters / 1000.0)) / std::log(kFar));
}

std::string draw_flow(const std::string& path) {
  const std::string text = read_file(path, kMaxPictureBytes);
  std::int32_t size[2] = {0, 0};
  if (text.size() >= 12) std::memcpy(size, text.data() + 4, sizeof size);
  const auto count = static_cast<std::uint64_t>(std::max(0, size[0])) *
                     static_cast<std::uint64_t>(std::max(0, size[1]));
  if (!text.starts_with("PIEH") || count == 0 || (text.size() - 12) / 8 != count)
    throw FileError(path, "is not a .flo file, or is cut off");
  std::vector<std::uint8_t> rgb;
  rgb.reserve(3 * count);
  for (std::uint64_t k = 0; k < count; ++k) {
    float flow[2];
    std::memcpy(flow, text.data() + 12 + 8 * k, sizeof flow);
    constexpr double kLong = 50;  // [pixel]
    const double length = std::hypot(flow[0], flow[1]);
    const double hue = std::atan2(flow[1], flow[0]) / (2 * std::numbers::pi);
    const Rgb three =
        std::isfinite(length) ? color_of_hue(hue, std::sqrt(std::min(1.0, length / kLong))) : Rgb{};
    rgb.insert(rgb.end(), three.begin(), three.end());
  }
  return terrain::encode_png(size[0], size[1], 3, rgb);
}

}  // namespace

std::string draw_layer(const std::string& path, Layer layer) {
  const auto of_byte = [](std::uint16_t pixel) { return color_of_number(pixel / 257); };
  switch (layer) {
    case Layer::kColor:
      break;
    case Layer::kRight:
      return read_file(path + "-right.png", kMaxPictureBytes);
    case Layer::kDepth:
      return draw_gray(path + "-depth.png", color_of_depth);
    case Layer::kClass:
      return draw_gray(path + "-class.png", of_byte);
    case Layer::kInstance:
      return draw_gray(path + "-instance.png", of_byte);
    case Layer::kFlow:
      return draw_flow(path + "-flow.flo");
  }
  return read_file(path + ".png", kMaxPictureBytes);
}

}  // namespace camber::sensors
