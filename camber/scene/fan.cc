#include "camber/scene/fan.h"

#include <algorithm>
#include <cmath>

namespace camber::scene::internal {
namespace {

constexpr float kLeastMain = 0.3F;  // component of a direction along a main axis

float min_of(const Float16& a) { return -max_of(Float16(0.0F) - a); }

FanAxes make_axes(int main, bool is_down) {
  return {main, {(main + 1) % 3, (main + 2) % 3}, is_down};
}

// Slopes have three roundings.
constexpr float kMore = 1 + 0x1p-20F, kLess = 1 - 0x1p-20F, kTiny = 1e-30F;
float below_slope(float x) { return x * (x < 0 ? kMore : kLess) - kTiny; }
float above_slope(float x) { return x * (x > 0 ? kMore : kLess) + kTiny; }

/// The fan of a packet.
Fan make_fan(const FloatRays& rays, const FanAxes& axes) {
  Fan fan;
  fan.axes = axes;
  const Float16 zero(0.0F);
  const Float16 from = Float16::load(rays.o[axes.main]),
                size = abs(Float16::load(rays.d[axes.main]));
  const Float16 inverse = Float16(1.0F) / size;
  float most[4];
  max_of_four(from, zero - from, size, size, most);
  fan.main_low = axes.is_down ? -most[0] : -most[1];
  fan.main_high = axes.is_down ? most[1] : most[0];
  fan.shortest = kLess / most[2];
  for (int k = 0; k < 2; ++k) {
    const Float16 beside = Float16::load(rays.o[axes.across[k]]);
    const Float16 slope = Float16::load(rays.d[axes.across[k]]) * inverse;
    max_of_four(beside, zero - beside, slope, zero - slope, most);
    fan.low[k] = -most[1], fan.high[k] = most[0];
    fan.slope_low[k] = below_slope(-most[3]), fan.slope_high[k] = above_slope(most[2]);
  }
  return fan;
}

/// Enlarges a fan by another one with the same axes.
void join(const Fan& other, Fan* fan) {
  fan->main_low = std::min(fan->main_low, other.main_low);
  fan->main_high = std::max(fan->main_high, other.main_high);
  fan->shortest = std::min(fan->shortest, other.shortest);
  fan->reach = std::max(fan->reach, other.reach);
  for (int k = 0; k < 2; ++k) {
    fan->low[k] = std::min(fan->low[k], other.low[k]);
    fan->high[k] = std::max(fan->high[k], other.high[k]);
    fan->slope_low[k] = std::min(fan->slope_low[k], other.slope_low[k]);
    fan->slope_high[k] = std::max(fan->slope_high[k], other.slope_high[k]);
  }
}

}  // namespace

int Bundle::load(std::span<const Ray> from) {
  center = from[0].origin;
  count = fans_count = 0;
  Float16 most[3] = {Float16(0.0F), Float16(0.0F), Float16(0.0F)};
  for (std::size_t first = 0; first < from.size(); first += kPacket, ++count) {
    const auto part = from.subspan(first, std::min<std::size_t>(kPacket, from.size() - first));
    if (!packets[count].load(part, center, &rays[count])) return count;
    order[count] = static_cast<std::uint8_t>(count);
    for (int a = 0; a < 3; ++a) most[a] = max(most[a], abs(Float16::load(rays[count].o[a])));
  }
  reach = max_of(most[0]) + max_of(most[1]) + max_of(most[2]);
  return -1;
}

void Bundle::split(int first, int n) {
  float middle[3][kMax], best = 0;
  int axis = -1;
  for (int a = 0; a < 3; ++a) {
    float low = 4, high = -4, width = 0;
    for (int k = first; k < first + n; ++k) {
      const float* d = rays[order[k]].d[a];
      const float mean = 0.5F * (d[0] + d[kPacket - 1]);
      middle[a][order[k]] = mean;
      low = std::min(low, mean), high = std::max(high, mean);
      width += std::abs(d[kPacket - 1] - d[0]);
    }
    constexpr float kThin = 1e-3F;
    const float gain = (high - low) / (width / static_cast<float>(n) + kThin);
    if (gain > best && high - low > 2 * kThin) best = gain, axis = a;
  }
  fans_count = 0;
  if (axis < 0) return;
  const auto begin = order.begin() + first;
  std::nth_element(begin, begin + n / 2, begin + n, [&](std::uint8_t a, std::uint8_t b) {
    return middle[axis][a] != middle[axis][b] ? middle[axis][a] < middle[axis][b] : a < b;
  });
}

bool Bundle::make_fans(int first, int n, Fan* all) {
  if (n == fans_count && first == fans_first) {  // made already
    *all = fan;
    return true;
  }
  Float16 low[3], high[3];
  for (int a = 0; a < 3; ++a) low[a] = Float16(4.0F), high[a] = Float16(-4.0F);
  for (int k = first; k < first + n; ++k) {
    for (int a = 0; a < 3; ++a) {
      const Float16 d = Float16::load(rays[order[k]].d[a]);
      low[a] = min(low[a], d), high[a] = max(high[a], d);
    }
  }
  float best = kLeastMain;
  FanAxes axes;
  bool is_found = false;
  for (int a = 0; a < 3; ++a) {
    const float down = -max_of(high[a]), up = min_of(low[a]);
    if (std::max(down, up) < best) continue;
    best = std::max(down, up), is_found = true;
    axes = make_axes(a, down > up);
  }
  if (!is_found) return false;
  for (int k = first; k < first + n; ++k) {
    Fan& own = fans[order[k]];
    own = make_fan(rays[order[k]], axes);
    if (k == first) {
      fan = own;
    } else {
      join(own, &fan);
    }
  }
  fans_first = first, fans_count = n;
  *all = fan;
  return true;
}

void Bundle::set_reach(int first, int n, float limit, Fan* all) {
  all->reach = -1;
  for (int k = first; k < first + n; ++k) {
    Fan& own = fans[order[k]];
    own.reach = std::min(limit, max_of(Float16::load(packets[order[k]].best_above)));
    all->reach = std::max(all->reach, own.reach);
  }
}

Fan make_ray_fan(const FloatRays& rays, int k) {
  Fan fan;
  int main = 0;
  for (int a = 1; a < 3; ++a) {
    if (std::abs(rays.d[a][k]) > std::abs(rays.d[main][k])) main = a;
  }
  const float size = std::abs(rays.d[main][k]);
  fan.axes = make_axes(main, rays.d[main][k] < 0);
  fan.main_low = fan.main_high = fan.axes.is_down ? -rays.o[main][k] : rays.o[main][k];
  fan.shortest = kLess / size;
  for (int i = 0; i < 2; ++i) {
    const int a = fan.axes.across[i];
    const float slope = rays.d[a][k] / size;
    fan.low[i] = fan.high[i] = rays.o[a][k];
    fan.slope_low[i] = below_slope(slope), fan.slope_high[i] = above_slope(slope);
  }
  return fan;
}

}  // namespace camber::scene::internal
