#pragma once

// A LIDAR scan as the page gets it, of a live drive or a recorded one: docs/theory/page-protocol.md, section 7.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "camber/sensors/lidar_pattern.h"
#include "camber/view/state_frame.h"

namespace camber::view {

/// Rows and columns of a pattern with the nearest range of each ray.
class ScanMessage {
 public:
  /// `time` of the first ray [s]; pose of the sensor then, in W.
  ScanMessage(const sensors::LidarPattern& pattern, double time, const math::Vec3<double>& position,
              const internal::UnitQuaternion& q, std::string* out)
      : pattern_(pattern), out_(out) {
    out_->clear();
    append(time);
    append(static_cast<std::uint32_t>(pattern.columns));
    append(static_cast<std::uint32_t>(pattern.rings));
    for (int i = 0; i < 3; ++i) append(static_cast<float>(position[i]));
    for (const double value : {q.x, q.y, q.z, q.w}) append(static_cast<float>(value));
    head_ = out_->size();
    out_->append(static_cast<std::size_t>(pattern.columns) *
                     static_cast<std::size_t>(pattern.rings) * sizeof(std::uint16_t),
                 0);
  }

  /// A return of a ray [m]. Row 0 is the highest one.
  void add(const sensors::LidarPattern::Ray& ray, double range) {
    constexpr double kStep = 0.005;  // [m]
    const auto row = static_cast<std::size_t>(pattern_.rings - 1 - ray.ring);
    char* place =
        out_->data() + head_ +
        (row * static_cast<std::size_t>(pattern_.columns) + static_cast<std::size_t>(ray.column)) *
            sizeof(std::uint16_t);
    const auto steps =
        static_cast<std::uint16_t>(std::clamp(std::round(range / kStep), 1.0, 65535.0));
    std::uint16_t before = 0;
    std::memcpy(&before, place, sizeof before);
    if (before == 0 || steps < before) std::memcpy(place, &steps, sizeof steps);
  }

 private:
  template <class T>
  void append(const T& value) {
    out_->append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  const sensors::LidarPattern& pattern_;
  std::string* out_;
  std::size_t head_ = 0;
};

}  // namespace camber::view
