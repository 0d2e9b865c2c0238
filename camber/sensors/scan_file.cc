#include "camber/sensors/scan_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::sensors {
namespace {

constexpr std::size_t kMaxScanBytes = std::size_t{1} << 31;

template <class T>
T read_bytes(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

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
  return points;
}

/// Blue, green, yellow, red for 0 to 1.
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

}  // namespace

std::vector<ScanPoint> load_scan(const std::string& path) {
  const std::string bytes = read_file(path, kMaxScanBytes);
  if (path.ends_with(".las")) return parse_las(bytes, path);
  if (path.ends_with(".pcd")) return parse_pcd(bytes, path);
  throw FileError(path, "is not a scan: expected .pcd or .las");
}

ScanPicture draw_scan(std::span<const ScanPoint> points, double reach, int pixels) {
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
  if (points.empty()) return out;
  // Heights from the 2nd to the 98th of a hundred points have colors of their own.
  std::vector<double> heights;
  for (const ScanPoint& p : points) heights.push_back(p.position[2]);
  std::ranges::sort(heights);
  const double low = heights[heights.size() / 50],
               high = std::max(low + 0.5, heights[heights.size() - 1 - heights.size() / 50]);
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

terrain::HeightGrid make_ground_map(std::span<const ScanPoint> points,
                                    const GroundMapOptions& options) {
  require(!points.empty(), "make_ground_map: there are no points");
  require(options.spacing > 0, "make_ground_map: the spacing must be > 0 m, got ", options.spacing);
  double x0 = points[0].position[0], x1 = x0, y0 = points[0].position[1], y1 = y0;
  for (const ScanPoint& p : points) {
    x0 = std::min(x0, p.position[0]), x1 = std::max(x1, p.position[0]);
    y0 = std::min(y0, p.position[1]), y1 = std::max(y1, p.position[1]);
  }
  const double s = options.spacing;
  const double nx = std::ceil((x1 - x0) / s) + 1, ny = std::ceil((y1 - y0) / s) + 1;
  require(nx * ny <= 4e7, "make_ground_map: ", nx, " x ", ny, " nodes are too many");
  terrain::HeightGrid grid{.nx = std::max(2, static_cast<int>(nx)),
                           .ny = std::max(2, static_cast<int>(ny)),
                           .spacing = s,
                           .origin_x = x0,
                           .origin_y = y0};
  const std::size_t count = static_cast<std::size_t>(grid.nx) * grid.ny;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> lowest(count, kNone), sum(count, 0);
  std::vector<int> number(count, 0);
  const auto cell = [&](const ScanPoint& p) {
    const auto i = static_cast<std::size_t>(std::lround((p.position[0] - x0) / s)),
               j = static_cast<std::size_t>(std::lround((p.position[1] - y0) / s));
    return std::min(j, static_cast<std::size_t>(grid.ny) - 1) * grid.nx +
           std::min(i, static_cast<std::size_t>(grid.nx) - 1);
  };
  for (const ScanPoint& p : points) {
    double& low = lowest[cell(p)];
    low = std::min(low, p.position[2]);
  }
  for (const ScanPoint& p : points) {
    const std::size_t k = cell(p);
    if (p.position[2] > lowest[k] + options.thickness) continue;
    sum[k] += p.position[2];
    ++number[k];
  }
  std::vector<double> height(count, kNone);
  for (std::size_t k = 0; k < count; ++k)
    if (number[k] > 0) height[k] = sum[k] / number[k];

  // Objects stand out from the lower half of what is around them.
  std::vector<double> ground = height;
  const int around = std::max(2, static_cast<int>(std::lround(1.0 / s)));
  std::vector<double> near;
  for (int j = 0; j < grid.ny; ++j)
    for (int i = 0; i < grid.nx; ++i) {
      const std::size_t k = static_cast<std::size_t>(j) * grid.nx + i;
      if (!(height[k] < kNone)) continue;
      near.clear();
      for (int b = std::max(0, j - around); b <= std::min(grid.ny - 1, j + around); ++b)
        for (int a = std::max(0, i - around); a <= std::min(grid.nx - 1, i + around); ++a) {
          const double h = height[static_cast<std::size_t>(b) * grid.nx + a];
          if (h < kNone) near.push_back(h);
        }
      const auto third = near.begin() + static_cast<std::ptrdiff_t>(near.size() / 3);
      std::nth_element(near.begin(), third, near.end());
      // A cell without others around it may be anything.
      constexpr std::size_t kMinSupport = 4;
      if (near.size() < kMinSupport || height[k] - *third > options.max_step) ground[k] = kNone;
    }

  // Cells without ground get the mean of their neighbors that have it, from the rim inward.
  std::vector<std::size_t> rim;
  std::vector<double> filled = ground;
  for (bool is_done = false; !is_done;) {
    is_done = true;
    rim.clear();
    for (int j = 0; j < grid.ny; ++j)
      for (int i = 0; i < grid.nx; ++i) {
        const std::size_t k = static_cast<std::size_t>(j) * grid.nx + i;
        if (ground[k] < kNone) continue;
        double total = 0;
        int neighbors = 0;
        for (int b = std::max(0, j - 1); b <= std::min(grid.ny - 1, j + 1); ++b)
          for (int a = std::max(0, i - 1); a <= std::min(grid.nx - 1, i + 1); ++a) {
            const double h = ground[static_cast<std::size_t>(b) * grid.nx + a];
            if (!(h < kNone)) continue;
            total += h;
            ++neighbors;
          }
        if (neighbors == 0) continue;
        filled[k] = total / neighbors;
        rim.push_back(k);
      }
    for (const std::size_t k : rim) ground[k] = filled[k];
    is_done = rim.empty();
  }
  grid.heights.resize(count);
  for (std::size_t k = 0; k < count; ++k)
    grid.heights[k] = static_cast<float>(ground[k] < kNone ? ground[k] : 0);
  return grid;
}

void write_esri_grid(const std::string& path, const terrain::HeightGrid& grid) {
  std::string text =
      concat("ncols ", grid.nx, "\nnrows ", grid.ny, "\nxllcenter ", grid.origin_x, "\nyllcenter ",
             grid.origin_y, "\ncellsize ", grid.spacing, "\nNODATA_value -9999\n");
  char number[32];
  for (int j = grid.ny - 1; j >= 0; --j)
    for (int i = 0; i < grid.nx; ++i) {
      const double h = grid.heights[static_cast<std::size_t>(j) * grid.nx + i];
      std::snprintf(number, sizeof number, "%.4f%c", h, i + 1 == grid.nx ? '\n' : ' ');
      text += number;
    }
  write_file_atomically(path, text);
}

}  // namespace camber::sensors
