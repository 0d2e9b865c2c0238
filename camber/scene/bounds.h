#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "camber/math/types.h"

namespace camber::scene::internal {

/// A box of floats; empty at first.
struct Bounds {
  float low[3] = {kFar, kFar, kFar};
  float high[3] = {-kFar, -kFar, -kFar};  // follows `low` in memory: rays choose planes by number

  static constexpr float kFar = std::numeric_limits<float>::infinity();

  void add(const float* p) {
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  }
  void add(const Bounds& b) {
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], b.low[a]), high[a] = std::max(high[a], b.high[a]);
    }
  }
  bool is_empty() const { return !(low[0] <= high[0]); }
  float half_area() const {
    const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
    return x * y + y * z + z * x;
  }
};

/// A float that is at most, or at least, x.
inline float round_down(double x) {
  const auto f = static_cast<float>(x);
  return f > x ? std::nextafter(f, -Bounds::kFar) : f;
}
inline float round_up(double x) {
  const auto f = static_cast<float>(x);
  return f < x ? std::nextafter(f, Bounds::kFar) : f;
}

}  // namespace camber::scene::internal
