// The lens of a camera, and files of its pictures.
// [Brown 1966] D. C. Brown, "Decentering distortion of lenses", Photogrammetric Engineering 32(3).
// [Baker 2007] S. Baker et al., "A database and evaluation methodology for optical flow", ICCV: .flo
// files have "PIEH", width, height, then (u, v) as floats row by row, all little-endian.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "camber/core/file.h"
#include "camber/sensors/camera.h"
#include "camber/terrain/raster_file.h"

namespace camber::sensors {

std::array<double, 2> distort(const CameraSpec& s, double x, double y) {
  const double r2 = x * x + y * y;
  const double radial = 1 + r2 * (s.k1 + r2 * s.k2);
  return {x * radial + 2 * s.p1 * x * y + s.p2 * (r2 + 2 * x * x),
          y * radial + s.p1 * (r2 + 2 * y * y) + 2 * s.p2 * x * y};
}

namespace {

/// Derivatives of distort(), which are symmetric: of x by x, of both by the other, of y by y.
struct Jacobian {
  double xx, xy, yy;
};
Jacobian find_distortion_slopes(const CameraSpec& s, double x, double y) {
  const double r2 = x * x + y * y, radial = 1 + r2 * (s.k1 + r2 * s.k2);
  const double slope = 2 * (s.k1 + 2 * r2 * s.k2);  // of radial by r2, times 2
  return {radial + slope * x * x + 2 * s.p1 * y + 6 * s.p2 * x,
          slope * x * y + 2 * s.p1 * x + 2 * s.p2 * y,
          radial + slope * y * y + 6 * s.p1 * y + 2 * s.p2 * x};
}

}  // namespace

std::array<double, 2> undistort(const CameraSpec& s, double x, double y) {
  double a = x, b = y;
  for (int i = 0; i < 30; ++i) {
    const auto [fx, fy] = distort(s, a, b);
    const double ex = fx - x, ey = fy - y;
    if (std::abs(ex) + std::abs(ey) < 1e-14) break;
    const auto [xx, xy, yy] = find_distortion_slopes(s, a, b);
    const double det = xx * yy - xy * xy;
    if (!(std::abs(det) > 1e-9)) break;
    a -= (yy * ex - xy * ey) / det;
    b -= (xx * ey - xy * ex) / det;
  }
  return {a, b};
}

double focal_length(const CameraSpec& spec) {
  return spec.width / (2 * std::tan(0.5 * spec.field_of_view));
}

// x-forward frames: u = cx - f Y/X, v = cy - f Z/X.
Vec3<double> pixel_direction(const CameraSpec& spec, double u, double v) {
  const double f = focal_length(spec);
  const auto [x, y] = undistort(spec, (u - 0.5 * spec.width) / f, (v - 0.5 * spec.height) / f);
  const Vec3<double> d(1, -x, -y);
  return d * (1 / std::sqrt(dot(d, d)));
}

double calc_vignette(const CameraSpec& spec, const Vec3<double>& direction) {
  const double square = direction[0] * direction[0];
  return 1 - spec.vignetting * (1 - square * square);
}

std::array<double, 2> image_velocity(const CameraSpec& s, const Vec3<double>& X,
                                     const Vec3<double>& X_dot) {
  const double x = -X[1] / X[0], y = -X[2] / X[0];
  const double x_dot = -(X_dot[1] + x * X_dot[0]) / X[0], y_dot = -(X_dot[2] + y * X_dot[0]) / X[0];
  const Jacobian J = find_distortion_slopes(s, x, y);
  const double f = focal_length(s);
  return {f * (J.xx * x_dot + J.xy * y_dot), f * (J.xy * x_dot + J.yy * y_dot)};
}

namespace {

void write_flow(const std::string& path, const CameraImage& image) {
  static_assert(std::endian::native == std::endian::little, ".flo files are written as memory is");
  std::string text = "PIEH";
  const auto put = [&](auto value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    text.append(raw, sizeof value);
  };
  put(static_cast<std::int32_t>(image.width));
  put(static_cast<std::int32_t>(image.height));
  for (const std::array<float, 2>& velocity : image.flow)
    for (const float v : velocity) put(static_cast<float>(v * image.period));
  write_file_atomically(path, text);
}

}  // namespace

void write_image(const std::string& path, const CameraImage& image) {
  const int w = image.width, h = image.height;
  terrain::write_png(path + ".png", w, h, 3, image.rgb);
  if (!image.right.empty()) terrain::write_png(path + "-right.png", w, h, 3, image.right);
  std::vector<std::uint16_t> depth(image.depth.size());
  for (std::size_t i = 0; i < depth.size(); ++i)
    depth[i] = static_cast<std::uint16_t>(std::min(65535.0, std::round(1000.0 * image.depth[i])));
  terrain::write_gray_png(path + "-depth.png", w, h, depth);
  std::vector<std::uint8_t> bytes(image.label.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(std::clamp(image.label[i], 0, 255));
  terrain::write_png(path + "-class.png", w, h, 1, bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(std::clamp(image.instance[i] + 2, 0, 255));
  terrain::write_png(path + "-instance.png", w, h, 1, bytes);
  if (!image.flow.empty()) write_flow(path + "-flow.flo", image);
}

}  // namespace camber::sensors
