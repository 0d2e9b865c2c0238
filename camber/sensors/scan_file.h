#pragma once

// Scans that were written to a run's folder, read again, and pictures of them.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "camber/math/vec3.h"

namespace camber::sensors {

struct ScanPoint {
  math::Vec3<double> position;  // PCD: in the sensor's frame, LAS: in the world's [m]
  double intensity = 0;
  double time = 0;  // PCD: since the start of the scan, LAS: of the run [s]
  int ring = 0, label = 0, instance = 0;
};

/// Reads what write_pcd() or write_las() wrote, by the name's ending. Throws FileError for a file
/// that is not one of these or is damaged.
std::vector<ScanPoint> load_scan(const std::string& path);
/// The same for bytes in memory; `name` is what messages show.
std::vector<ScanPoint> parse_pcd(const std::string& bytes, const std::string& name);
std::vector<ScanPoint> parse_las(const std::string& bytes, const std::string& name);

/// A human-readable picture of scans or of a camera's layer.
struct ScanPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Blue, green, yellow, red for 0 to 1.
std::array<std::uint8_t, 3> color_of(double share);

/// Heights that most of the points have, from the 2nd to the 98th of a hundred, at least 0.5 m
/// apart [m].
std::array<double, 2> find_height_range(std::span<const ScanPoint> points);

/// Seen from above, `reach` meters from the middle to the sides, with a ring every 10 m; colors go
/// over a range of heights. The top is +y, the right +x.
ScanPicture draw_scan(std::span<const ScanPoint> points, double reach, int pixels,
                      const std::array<double, 2>& heights);

}  // namespace camber::sensors
