#include "camber/sensors/range_picture.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::sensors {

ScanPicture draw_ranges(const PointCloud& cloud, int width, int beam_height) {
  require(width > 0 && beam_height > 0, "draw_ranges: ", width, " x ", beam_height, " pixels");
  const LidarPattern& pattern = *cloud.pattern;
  ScanPicture picture{width, pattern.rings * beam_height, {}};
  picture.rgb.assign(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(picture.height),
                     0);
  double low = 0, high = 0;  // azimuths of the pattern [rad]
  for (const LidarPattern::Ray& ray : pattern.rays) {
    low = std::min(low, ray.azimuth);
    high = std::max(high, ray.azimuth);
  }
  const double span = std::max(high - low, 1e-6);
  constexpr double kNear = 2, kFar = 100;  // [m]
  for (const CloudPoint& point : cloud.points) {
    const LidarPattern::Ray& ray = pattern.rays[point.ray];
    const auto column =
        std::clamp(static_cast<int>((high - ray.azimuth) / span * width), 0, width - 1);
    const double share = std::log(std::max(point.range, kNear) / kNear) / std::log(kFar / kNear);
    const auto gray = static_cast<std::uint8_t>(std::lround(255 - 225 * std::min(share, 1.0)));
    for (int k = 0; k < beam_height; ++k) {
      const int row = (pattern.rings - 1 - ray.ring) * beam_height + k;
      const std::size_t at = 3 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                                  static_cast<std::size_t>(column));
      // Of several returns in a pixel the nearest counts.
      for (std::size_t c = 0; c < 3; ++c) picture.rgb[at + c] = std::max(picture.rgb[at + c], gray);
    }
  }
  return picture;
}

}  // namespace camber::sensors
