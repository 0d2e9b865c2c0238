#include "camber/scene/fan.h"

#include <algorithm>
#include <cmath>

namespace camber::scene::internal {
namespace {

constexpr float kLeastMain = 0.3F;  // component of a direction along a main axis

float min_of(const Float16& a) { return -max_of(Float16(0.0F) - a); }

}  // namespace

void FloatRays::set(const Packet& packet, const Vector3& center) {
  for (int a = 0; a < 3; ++a) {
    const double c = center[a];
    for (int k = 0; k < kPacket; ++k) {
      o[a][k] = static_cast<float>(packet.o[a][k] - c);
      d[a][k] = static_cast<float>(packet.d[a][k]);
    }
  }
}

namespace {

void set_axes(int main, bool is_down, Fan* fan) {
  fan->main = main, fan->is_down = is_down;
  fan->across[0] = (main + 1) % 3, fan->across[1] = (main + 2) % 3;
}

// Slopes have three roundings.
constexpr float kMore = 1 + 0x1p-20F, kLess = 1 - 0x1p-20F, kTiny = 1e-30F;

/// The fan of a packet; the axes are those of `axes`.
Fan make_fan(const FloatRays& rays, const Fan& axes) {
  Fan fan;
  set_axes(axes.main, axes.is_down, &fan);
  const Float16 from = Float16::load(rays.o[fan.main]), size = abs(Float16::load(rays.d[fan.main]));
  const float low = min_of(from), high = max_of(from);
  fan.main_low = fan.is_down ? -high : low, fan.main_high = fan.is_down ? -low : high;
  fan.shortest = kLess / max_of(size);
  const Float16 inverse = Float16(1.0F) / size;
  for (int k = 0; k < 2; ++k) {
    const Float16 beside = Float16::load(rays.o[fan.across[k]]);
    const Float16 slope = Float16::load(rays.d[fan.across[k]]) * inverse;
    fan.low[k] = min_of(beside), fan.high[k] = max_of(beside);
    const float least = min_of(slope), most = max_of(slope);
    fan.slope_low[k] = least * (least < 0 ? kMore : kLess) - kTiny;
    fan.slope_high[k] = most * (most > 0 ? kMore : kLess) + kTiny;
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

void Bundle::set_floats() {
  center = Vector3(packets[0].o[0][0], packets[0].o[1][0], packets[0].o[2][0]);
  Float16 most[3] = {Float16(0.0F), Float16(0.0F), Float16(0.0F)};
  for (int k = 0; k < count; ++k) {
    rays[k].set(packets[k], center);
    for (int a = 0; a < 3; ++a) most[a] = max(most[a], abs(Float16::load(rays[k].o[a])));
  }
  reach = max_of(most[0]) + max_of(most[1]) + max_of(most[2]);
}

bool Bundle::make_fans(int first, int n, Fan* all) {
  Float16 low[3], high[3];
  for (int a = 0; a < 3; ++a) low[a] = Float16(4.0F), high[a] = Float16(-4.0F);
  for (int k = first; k < first + n; ++k) {
    for (int a = 0; a < 3; ++a) {
      const Float16 d = Float16::load(rays[k].d[a]);
      low[a] = min(low[a], d), high[a] = max(high[a], d);
    }
  }
  float best = kLeastMain;
  Fan axes;
  bool is_found = false;
  for (int a = 0; a < 3; ++a) {
    const float down = -max_of(high[a]), up = min_of(low[a]);
    if (std::max(down, up) < best) continue;
    best = std::max(down, up), is_found = true;
    set_axes(a, down > up, &axes);
  }
  if (!is_found) return false;
  for (int k = first; k < first + n; ++k) {
    fans[k] = make_fan(rays[k], axes);
    if (k == first) {
      *all = fans[k];
    } else {
      join(fans[k], all);
    }
  }
  return true;
}

void Bundle::set_reach(int first, int n, Fan* all) {
  all->reach = -1;
  for (int k = first; k < first + n; ++k) {
    fans[k].reach = max_of(Float16::load(packets[k].best_above));
    all->reach = std::max(all->reach, fans[k].reach);
  }
}

Fan make_ray_fan(const FloatRays& rays, int k) {
  Fan fan;
  int main = 0;
  for (int a = 1; a < 3; ++a) {
    if (std::abs(rays.d[a][k]) > std::abs(rays.d[main][k])) main = a;
  }
  const float size = std::abs(rays.d[main][k]);
  set_axes(main, rays.d[main][k] < 0, &fan);
  fan.main_low = fan.main_high = fan.is_down ? -rays.o[main][k] : rays.o[main][k];
  fan.shortest = kLess / size;
  for (int i = 0; i < 2; ++i) {
    const float slope = rays.d[fan.across[i]][k] / size;
    fan.low[i] = fan.high[i] = rays.o[fan.across[i]][k];
    fan.slope_low[i] = slope * (slope < 0 ? kMore : kLess) - kTiny;
    fan.slope_high[i] = slope * (slope > 0 ? kMore : kLess) + kTiny;
  }
  return fan;
}

}  // namespace camber::scene::internal
