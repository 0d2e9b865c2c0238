#pragma once

#include "camber/sensors/point_cloud.h"
#include "camber/sensors/scan_file.h"

namespace camber::sensors {

/// A scan of a LIDAR as its beams see it, in gray levels: near returns are bright, far ones dark, and
/// black is no return. Beams from the highest down, each `beam_height` pixels high; straight ahead is
/// in the middle, left is left. Brightness falls with the logarithm of the range, from 2 m on.
ScanPicture draw_ranges(const PointCloud& cloud, int width, int beam_height);

}  // namespace camber::sensors
