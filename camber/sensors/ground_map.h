#pragma once

// From scans to ground: an elevation map from LIDAR scans, on which wheels can drive.

#include <span>
#include <string>
#include <vector>

#include "camber/sensors/scan_file.h"
#include "camber/terrain/elevation_map.h"

namespace camber::sensors {

struct GroundMapOptions {
  double spacing = 0.25;    // of the map's nodes [m]
  double thickness = 0.12;  // points up to this above the lowest of a cell are ground [m]
  double max_step = 0.4;   // ground rises at most this from one cell to the next, beside its slope,
                           // and a cell with points farther apart than this has an object [m]
  double max_slope = 0.7;  // of the ground between cells that were seen [1]
  double max_bump = 0.1;   // what stands out more than this ... [m]
  double object_width = 0.8;  // ... and is narrower than this is an object [m]
  double clearance = 3.5;     // what is higher above a cell's lowest point is passed under [m]
  std::vector<math::Vec3<double>> seeds =
      {};  // places on the ground, such as those of the wheels [m];
           // empty: the lowest point of the middle cells
};

/// The ground under points of the world. In each cell it is the mean of the lowest points. Posts
/// and trunks are removed by morphological opening [Zhang 2003] and by their height within a cell.
/// Starting at the seeds, ground is what is below a ceiling that rises with the ground from cell to
/// cell, so that roofs, bridges and crowns are not ground. Cells without ground are filled from
/// their rim. Throws std::invalid_argument if there are no points, if the map would have more than
/// 4e7 nodes, or if a seed is not finite.
terrain::HeightGrid make_ground_map(std::span<const ScanPoint> points,
                                    const GroundMapOptions& options);

/// Writes an ESRI ASCII grid, which a terrain file can name. Throws FileError.
void write_esri_grid(const std::string& path, const terrain::HeightGrid& grid);

}  // namespace camber::sensors
