#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "camber/scene/packet.h"

namespace camber::scene::internal {

/// Sixteen boxes, coordinate by coordinate.
struct alignas(64) Boxes16 {
  float low[3][16], high[3][16];
};

/// The axes of a fan: first the main one, along the direction of the rays, then the two others.
struct FanAxes {
  int main = 0;            // along which all rays go
  int across[2] = {1, 2};  // the others
  bool is_down = false;    // rays go down the main axis

  /// A box in these axes, and back.
  Bounds turn(const Bounds& box) const {
    Bounds turned;
    turned.low[0] = is_down ? -box.high[main] : box.low[main];
    turned.high[0] = is_down ? -box.low[main] : box.high[main];
    for (int k = 0; k < 2; ++k) {
      turned.low[1 + k] = box.low[across[k]], turned.high[1 + k] = box.high[across[k]];
    }
    return turned;
  }
  Bounds turn_back(const Bounds& turned) const {
    Bounds box;
    box.low[main] = is_down ? -turned.high[0] : turned.low[0];
    box.high[main] = is_down ? -turned.low[0] : turned.high[0];
    for (int k = 0; k < 2; ++k) {
      box.low[across[k]] = turned.low[1 + k], box.high[across[k]] = turned.high[1 + k];
    }
    return box;
  }
};

/// Bounds of rays with roughly the same direction: their origins, and their slopes relative to the
/// main axis.
struct Fan {
  FanAxes axes;
  float main_low = 0, main_high = 0;        // of the origins, along the main axis [m]
  float low[2] = {0, 0}, high[2] = {0, 0};  // of the origins, across [m]
  float slope_low[2] = {0, 0}, slope_high[2] = {0, 0};
  float shortest = 0;  // min range per meter along the main axis
  float reach = 0;     // max range that is needed
};

/// Sixteen boxes in the axes of a fan.
struct FanBoxes {
  Float16 low[3], high[3];

  static FanBoxes load(const Boxes16& boxes) {
    FanBoxes b;
    for (int a = 0; a < 3; ++a) {
      b.low[a] = Float16::load(boxes.low[a]), b.high[a] = Float16::load(boxes.high[a]);
    }
    return b;
  }
  /// From boxes in the axes of the world.
  static FanBoxes turn(const FanAxes& axes, const Float16* low, const Float16* high) {
    FanBoxes b;
    b.low[0] = axes.is_down ? Float16(0.0F) - high[axes.main] : low[axes.main];
    b.high[0] = axes.is_down ? Float16(0.0F) - low[axes.main] : high[axes.main];
    for (int k = 0; k < 2; ++k) {
      b.low[1 + k] = low[axes.across[k]], b.high[1 + k] = high[axes.across[k]];
    }
    return b;
  }
  void store(Boxes16* boxes) const {
    for (int a = 0; a < 3; ++a) low[a].store(boxes->low[a]), high[a].store(boxes->high[a]);
  }
};

/// The test of a fan against sixteen boxes. A box that one of the rays meets within the fan's reach
/// passes; nearly all others fail (docs/theory/rays.md (4a)).
class FanTest {
 public:
  explicit FanTest(const Fan& fan)
      : main_low_(fan.main_low),
        main_high_(fan.main_high),
        shortest_(fan.shortest),
        reach_(fan.reach) {
    for (int k = 0; k < 2; ++k) {
      low_[k] = Float16(fan.low[k]), high_[k] = Float16(fan.high[k]);
      // The min over [from, to] is at `from` if the slope is positive, else at `to`.
      low_from_[k] = Float16(std::max(fan.slope_low[k], 0.0F));
      low_to_[k] = Float16(std::min(fan.slope_low[k], 0.0F));
      high_from_[k] = Float16(std::min(fan.slope_high[k], 0.0F));
      high_to_[k] = Float16(std::max(fan.slope_high[k], 0.0F));
    }
  }
  void set_reach(float reach) { reach_ = Float16(reach); }

  /// Bit i: rays may meet box i. `enter` is a range before which none of them does.
  unsigned meet(const FanBoxes& boxes, Float16* enter) const {
    const Float16 zero(0.0F);
    const Float16 from = max(boxes.low[0] - main_high_, zero), to = boxes.high[0] - main_low_;
    *enter = from * shortest_;
    unsigned bits = le_bits(zero, to) & le_bits(*enter, reach_);
    for (int k = 0; k < 2; ++k) {
      const Float16 least = mul_add(low_from_[k], from, mul_add(low_to_[k], to, low_[k]));
      const Float16 most = mul_add(high_from_[k], from, mul_add(high_to_[k], to, high_[k]));
      bits &= le_bits(least, boxes.high[1 + k]) & le_bits(boxes.low[1 + k], most);
    }
    return bits;
  }
  unsigned meet(const Boxes16& boxes) const {
    Float16 enter;
    return meet(FanBoxes::load(boxes), &enter);
  }

 private:
  Float16 main_low_, main_high_, shortest_, reach_;
  Float16 low_[2], high_[2], low_from_[2], low_to_[2], high_from_[2], high_to_[2];
};

/// Packets of rays that are cast together, with their floats about one point.
struct Bundle {
  static constexpr int kMax = 128;

  std::array<Packet, kMax> packets;
  std::array<FloatRays, kMax> rays;
  std::array<std::uint8_t, kMax> order;  // in which packets are taken; split() changes it
  std::array<Fan, kMax> fans;            // one per packet; filled by make_fans()
  Fan fan;                               // of the packets of the last make_fans()
  int fans_first = 0, fans_count = 0;    // these packets
  Vector3 center = Vector3::Zero();      // about which the floats are [m]
  float reach = 0;                       // sum of the max absolute coordinates of the origins [m]
  int count = 0;
  std::span<const Ray> later;  // rays of the next bundle

  /// Prefetches the rays of packet k of the next bundle.
  void prefetch(int k) const {
    const std::size_t first = static_cast<std::size_t>(k) * kPacket;
    if (first + kPacket > later.size()) return;
    const auto* bytes = reinterpret_cast<const char*>(&later[first]);
    for (std::size_t b = 0; b < kPacket * sizeof(Ray); b += 64) __builtin_prefetch(bytes + b);
  }
  /// Takes rays and makes their floats about the first origin. Returns the number of the first packet
  /// with a ray that is not good, or -1.
  int load(std::span<const Ray> from);
  /// Puts packets `first` to `first + n` of the order so that those of each half have similar
  /// directions: along the axis on which they are thin relative to the gaps between them. Beams of
  /// a LIDAR become sheets.
  void split(int first, int n);
  /// Fans of some packets of the order about one main axis, and the fan of all of them. False if the
  /// rays have no main axis.
  bool make_fans(int first, int n, Fan* all);
  /// Sets the reach of the fans to the best hits so far, at most to `limit`.
  void set_reach(int first, int n, float limit, Fan* all);
};

/// How many packets may share a list: fewer after long lists, more after short ones.
class ListLength {
 public:
  bool allows(int packets) const { return packets <= max_packets_; }
  void set_full(int packets) { max_packets_ = std::max(1, packets / 2); }
  void set_length(int packets, int length) {
    constexpr int kShort = 128, kLong = 256;
    max_packets_ = length > kLong    ? std::max(1, packets / 2)
                   : length > kShort ? packets
                                     : 2 * packets;
  }

 private:
  int max_packets_ = Bundle::kMax;
};

/// The fan of one ray of a packet.
Fan make_ray_fan(const FloatRays& rays, int k);

}  // namespace camber::scene::internal
