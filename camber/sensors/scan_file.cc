#include "camber/sensors/scan_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::sensors {
namespace {

constexpr std::size_t kMaxScanBytes = std::size_t{1} << 31;

template <class T>
T read_bytes(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Points that no scan has: not finite, or farther than the Earth's diameter.
void check_positions(const std::vector<ScanPoint>& points, const std::string& path) {
  constexpr double kMaxDistance = 1.3e7;  // [m]
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const double x : {points[i].position[0], points[i].position[1], points[i].position[2]})
      if (!(std::abs(x) <= kMaxDistance))
        throw FileError(path, concat("point ", i, ": coordinates must be within ", kMaxDistance,
                                     " m, got ", x));
}

}  // namespace

std::vector<ScanPoint> parse_pcd(const std::string& bytes, const std::string& path) {
  const std::string_view kFields = "FIELDS x y z intensity time ring return label instance\n";
  const std::string_view kData = "DATA binary\n";
  constexpr std::size_t kRecord = 32;
  const std::size_t data = bytes.find(kData);
  if (bytes.find(kFields) == std::string::npos || data == std::string::npos)
    throw FileError(path, "is not a PCD file of camber");
  const std::size_t start = data + kData.size();
  if ((bytes.size() - start) % kRecord != 0) throw FileError(path, "is cut off");
  std::vector<ScanPoint> points((bytes.size() - start) / kRecord);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t at = start + kRecord * i;
    points[i] = {.position = {read_bytes<float>(bytes, at), read_bytes<float>(bytes, at + 4),
                              read_bytes<float>(bytes, at + 8)},
                 .intensity = read_bytes<float>(bytes, at + 12),
                 .time = read_bytes<float>(bytes, at + 16),
                 .ring = read_bytes<std::uint16_t>(bytes, at + 20),
                 .label = read_bytes<std::int32_t>(bytes, at + 24),
                 .instance = read_bytes<std::int32_t>(bytes, at + 28)};
  }
  check_positions(points, path);
  return points;
}

std::vector<ScanPoint> parse_las(const std::string& bytes, const std::string& path) {
  constexpr std::size_t kHeader = 375, kRecord = 30;
  if (bytes.size() < kHeader || !bytes.starts_with("LASF") ||
      read_bytes<std::uint8_t>(bytes, 104) != 6 || read_bytes<std::uint16_t>(bytes, 105) != kRecord)
    throw FileError(path, "is not a LAS 1.4 file with points of format 6");
  const std::size_t start = read_bytes<std::uint32_t>(bytes, 96);
  const auto count = read_bytes<std::uint64_t>(bytes, 247);
  if (start > bytes.size() || count > (bytes.size() - start) / kRecord)
    throw FileError(path, "is cut off");
  double scale[3], offset[3];
  for (std::size_t k = 0; k < 3; ++k) {
    scale[k] = read_bytes<double>(bytes, 131 + 8 * k);
    offset[k] = read_bytes<double>(bytes, 155 + 8 * k);
  }
  std::vector<ScanPoint> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = start + kRecord * i;
    const auto coordinate = [&](std::size_t k) {
      return offset[k] + scale[k] * read_bytes<std::int32_t>(bytes, at + 4 * k);
    };
    points[i] = {.position = {coordinate(0), coordinate(1), coordinate(2)},
                 .intensity = read_bytes<std::uint16_t>(bytes, at + 12) / 257.0,
                 .time = read_bytes<double>(bytes, at + 22),
                 .ring = read_bytes<std::uint8_t>(bytes, at + 17),
                 .label = read_bytes<std::uint8_t>(bytes, at + 16),
                 .instance = static_cast<int>(read_bytes<std::uint16_t>(bytes, at + 20)) - 2};
  }
  check_positions(points, path);
  return points;
}

std::vector<ScanPoint> load_scan(const std::string& path) {
  const std::string bytes = read_file(path, kMaxScanBytes);
  if (path.ends_with(".las")) return parse_las(bytes, path);
  if (path.ends_with(".pcd")) return parse_pcd(bytes, path);
  throw FileError(path, "is not a scan: expected .pcd or .las");
}

std::array<std::uint8_t, 3> color_of(double share) {
  constexpr double kColors[][3] = {
      {60, 90, 220}, {40, 180, 200}, {70, 200, 90}, {230, 210, 60}, {225, 70, 50}};
  const double at = 4 * std::clamp(share, 0.0, 1.0);
  const int k = std::min(3, static_cast<int>(at));
  std::array<std::uint8_t, 3> out{};
  for (int c = 0; c < 3; ++c)
    out[c] = static_cast<std::uint8_t>(
        std::lround(kColors[k][c] + (at - k) * (kColors[k + 1][c] - kColors[k][c])));
  return out;
}

std::array<double, 2> find_height_range(std::span<const ScanPoint> points) {
  if (points.empty()) return {0, 0.5};
  std::vector<double> heights;
  for (const ScanPoint& p : points) heights.push_back(p.position[2]);
  std::ranges::sort(heights);
  const double low = heights[heights.size() / 50];
  return {low, std::max(low + 0.5, heights[heights.size() - 1 - heights.size() / 50])};
}

ScanPicture draw_scan(std::span<const ScanPoint> points, double reach, int pixels,
                      const std::array<double, 2>& range) {
  require(pixels > 0 && pixels <= 20000, "draw_scan: pixels must be 1 to 20000, got ", pixels);
  require(reach > 0, "draw_scan: the reach must be > 0 m, got ", reach);
  ScanPicture out{pixels, pixels, std::vector<std::uint8_t>(3UL * pixels * pixels, 18)};
  const double scale = 0.5 * pixels / reach;  // [pixel/m]
  const auto put = [&](int u, int v, const std::array<std::uint8_t, 3>& color) {
    if (u < 0 || v < 0 || u >= pixels || v >= pixels) return;
    std::copy(color.begin(), color.end(), &out.rgb[3 * (static_cast<std::size_t>(v) * pixels + u)]);
  };
  for (double ring = 10; ring <= 1.5 * reach; ring += 10)
    for (double a = 0; a < 6.2832; a += 0.5 / (ring * scale))
      put(static_cast<int>(0.5 * pixels + ring * scale * std::cos(a)),
          static_cast<int>(0.5 * pixels - ring * scale * std::sin(a)), {48, 48, 54});
  const auto [low, high] = range;
  require(low < high, "draw_scan: heights from ", low, " to ", high, " m");
  const int size = pixels >= 600 ? 2 : 1;
  for (const ScanPoint& p : points) {
    const int u = static_cast<int>(0.5 * pixels + scale * p.position[0]),
              v = static_cast<int>(0.5 * pixels - scale * p.position[1]);
    const auto color = color_of((p.position[2] - low) / (high - low));
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) put(u + i, v + j, color);
  }
  return out;
}

}  // namespace camber::sensors
