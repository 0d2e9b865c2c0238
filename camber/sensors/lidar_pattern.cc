#include "camber/sensors/lidar_pattern.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "camber/core/require.h"

namespace camber::sensors {
namespace {

Vec3<double> find_direction(double azimuth, double elevation) {
  const double c = std::cos(elevation);
  return {c * std::cos(azimuth), c * std::sin(azimuth), std::sin(elevation)};
}

void fill_spinning(const LidarSpec& spec, double rate, LidarPattern* out) {
  const auto lasers = static_cast<int>(spec.elevation.size());
  const auto value = [&](const std::vector<double>& list, int k) {
    return list.empty() ? 0.0 : list[k];
  };
  require(lasers > 0, "lidar: a spinning one needs elevations");
  for (const auto* list : {&spec.azimuth_offset, &spec.height_offset, &spec.left_offset})
    require(list->empty() || list->size() == spec.elevation.size(), "lidar: ", lasers,
            " elevations, but ", list->size(), " offsets");
  std::vector<int> rings(lasers);
  {
    std::vector<int> sorted(lasers);
    std::iota(sorted.begin(), sorted.end(), 0);
    std::ranges::stable_sort(sorted, {}, [&](int k) { return spec.elevation[k]; });
    for (int i = 0; i < lasers; ++i) rings[sorted[i]] = i;
  }
  const double last_shot = (lasers - 1) / spec.lasers_per_slot * spec.channel_interval;
  require(last_shot < spec.firing_cycle, "lidar: the last laser fires ", last_shot,
          " s after the first, the cycle takes ", spec.firing_cycle, " s");
  const auto firings = static_cast<int>(std::floor(1 / (rate * spec.firing_cycle) + 1e-9));
  require(firings > 0, "lidar: a revolution takes ", 1 / rate, " s, a firing ", spec.firing_cycle,
          " s");
  const double spin = (spec.is_clockwise ? -2 : 2) * std::numbers::pi * rate;  // [rad/s]
  for (int n = 0; n < firings; ++n) {
    for (int k = 0; k < lasers; ++k) {
      LidarPattern::Ray ray;
      ray.time = n * spec.firing_cycle + k / spec.lasers_per_slot * spec.channel_interval;
      ray.elevation = spec.elevation[k];
      const double head = spin * ray.time;
      ray.azimuth = std::remainder(head + value(spec.azimuth_offset, k), 2 * std::numbers::pi);
      ray.direction = find_direction(ray.azimuth, ray.elevation);
      // Offsets of the lasers turn with the head; the laser's own left.
      const double left = value(spec.left_offset, k);
      ray.origin = {-std::sin(ray.azimuth) * left, std::cos(ray.azimuth) * left,
                    value(spec.height_offset, k)};
      ray.ring = rings[k];
      ray.column = n;
      out->rays.push_back(ray);
    }
  }
  out->rings = lasers;
  out->columns = firings;
  out->duration = firings * spec.firing_cycle;
}

// Rows from the top, columns from the left. A flash takes all pixels at once.
void fill_picture(const LidarSpec& spec, double rate, bool is_flash, LidarPattern* out) {
  const auto at = [&](const std::array<double, 2>& range, double share) {
    if (!is_flash) return range[0] + share * (range[1] - range[0]);
    const double low = std::tan(range[0]), high = std::tan(range[1]);
    return low + share * (high - low);
  };
  const double count = static_cast<double>(spec.columns) * spec.rows;
  for (int row = 0; row < spec.rows; ++row) {
    for (int k = 0; k < spec.columns; ++k) {
      // Pixels' middles; lines of a raster go to and fro.
      const int column = !is_flash && row % 2 == 1 ? spec.columns - 1 - k : k;
      const double a = at(spec.azimuth_range, 1 - (column + 0.5) / spec.columns);
      const double e = at(spec.elevation_range, 1 - (row + 0.5) / spec.rows);
      LidarPattern::Ray ray;
      if (is_flash) {
        const Vec3<double> d(1, a, e);
        ray.direction = d * (1 / std::sqrt(dot(d, d)));
        ray.azimuth = std::atan(a);
        ray.elevation = std::asin(ray.direction[2]);
      } else {
        ray.azimuth = a;
        ray.elevation = e;
        ray.direction = find_direction(a, e);
        ray.time = (static_cast<double>(row) * spec.columns + k) / count / rate;
      }
      ray.ring = spec.rows - 1 - row;
      ray.column = column;
      out->rays.push_back(ray);
    }
  }
  out->rings = spec.rows;
  out->columns = spec.columns;
  out->duration = is_flash ? 0 : 1 / rate;
}

void fill_table(const LidarSpec& spec, LidarPattern* out) {
  for (const auto& [time, azimuth, elevation] : spec.table) {
    LidarPattern::Ray ray;
    ray.time = time;
    ray.azimuth = azimuth;
    ray.elevation = elevation;
    ray.direction = find_direction(azimuth, elevation);
    ray.column = static_cast<int>(out->rays.size());
    out->rays.push_back(ray);
    require(time >= out->duration, "lidar: times of the pattern must ascend, got ", time,
            " s after ", out->duration, " s");
    out->duration = time;
  }
  out->rings = 1;
  out->columns = static_cast<int>(out->rays.size());
}

/// Sixteen firings of one laser after the other, or tiles of 4 x 4 pixels: what is cast together
/// goes nearly the same way.
void find_order(LidarPattern* out) {
  const int tall = out->columns > 0 && out->duration == 0 ? 4 : 1;
  const int wide = 16 / tall;
  std::vector<std::uint64_t> keys(out->rays.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const LidarPattern::Ray& ray = out->rays[i];
    const auto block = static_cast<std::uint64_t>(ray.column / wide);
    const auto row = static_cast<std::uint64_t>(ray.ring / tall);
    const auto inside = static_cast<std::uint64_t>(ray.ring % tall * wide + ray.column % wide);
    keys[i] = (block << 32) | (row << 8) | inside;
  }
  out->order.resize(keys.size());
  std::iota(out->order.begin(), out->order.end(), 0U);
  std::ranges::stable_sort(out->order, {}, [&](std::uint32_t i) { return keys[i]; });
  out->place.resize(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k)
    out->place[out->order[k]] = static_cast<std::uint32_t>(k);

  // Whole blocks as long as they are within a millisecond, a block by itself if it is longer.
  constexpr double kSlice = 1e-3;  // [s]
  const auto block = [&](std::size_t k) { return keys[out->order[k]] >> 32; };
  const auto time = [&](std::size_t k) { return out->rays[out->order[k]].time; };
  out->slices = {0};
  double first = time(0), last = first;
  for (std::size_t k = 0; k < keys.size();) {
    std::size_t end = k;
    double low = time(k), high = low;
    for (; end < keys.size() && block(end) == block(k); ++end) {
      low = std::min(low, time(end));
      high = std::max(high, time(end));
    }
    if (std::max(last, high) - std::min(first, low) > kSlice && k > out->slices.back()) {
      out->slices.push_back(static_cast<std::uint32_t>(k));
      first = low;
      last = high;
    }
    first = std::min(first, low);
    last = std::max(last, high);
    k = end;
  }
  out->slices.push_back(static_cast<std::uint32_t>(keys.size()));
}

}  // namespace

std::shared_ptr<const LidarPattern> make_lidar_pattern(const LidarSpec& spec, double rate) {
  auto pattern = std::make_shared<LidarPattern>();
  switch (spec.pattern) {
    case LidarSpec::Pattern::kSpinning:
      fill_spinning(spec, rate, pattern.get());
      break;
    case LidarSpec::Pattern::kFlash:
    case LidarSpec::Pattern::kRaster:
      fill_picture(spec, rate, spec.pattern == LidarSpec::Pattern::kFlash, pattern.get());
      break;
    case LidarSpec::Pattern::kTable:
      fill_table(spec, pattern.get());
      break;
  }
  require(!pattern->rays.empty(), "lidar: the pattern has no rays");
  require(pattern->duration <= 1 / rate * (1 + 1e-9), "lidar: a scan takes ", pattern->duration,
          " s, longer than the ", 1 / rate, " s to the next one");
  for (const LidarPattern::Ray& ray : pattern->rays) {
    const Vec3<double>&o = ray.origin, &d = ray.direction;
    pattern->aims.push_back({ray.time, {o[0], o[1], o[2]}, {d[0], d[1], d[2]}});
  }
  find_order(pattern.get());
  return pattern;
}

}  // namespace camber::sensors
