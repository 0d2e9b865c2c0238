#pragma once

// Scans that were written to a run's folder, read again: pictures of them, and the ground that they
// saw as an elevation map.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "camber/math/vec3.h"
#include "camber/terrain/elevation_map.h"

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

struct ScanPicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};
/// Seen from above, `reach` meters from the middle to the sides, with a ring every 10 m; color by
/// height. The top is +y, the right +x.
ScanPicture draw_scan(std::span<const ScanPoint> points, double reach, int pixels);

struct GroundMapOptions {
  double spacing = 0.25;    // of the map's nodes [m]
  double thickness = 0.12;  // points up to this above the lowest of a cell are ground [m]
  double max_step =
      0.4;  // a cell whose ground is higher than this above its neighbors' median is an
            // object, not ground [m]
};
/// The ground under points of the world: in each cell the mean of its lowest points; objects are
/// taken out, and cells without points are filled from their rim. Throws std::invalid_argument if
/// there are no points or if the map would have more than 4e7 nodes.
terrain::HeightGrid make_ground_map(std::span<const ScanPoint> points,
                                    const GroundMapOptions& options);

/// Writes an ESRI ASCII grid, which a terrain file can name. Throws FileError.
void write_esri_grid(const std::string& path, const terrain::HeightGrid& grid);

}  // namespace camber::sensors
