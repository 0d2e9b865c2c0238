#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "camber/scene/packet.h"

namespace camber::scene::internal {

/// The rays of a packet about a center, as floats.
struct alignas(64) FloatRays {
  float o[3][kPacket], d[3][kPacket];

  void set(const Packet& packet, const Vector3& center);
};

/// Sixteen boxes, coordinate by coordinate.
struct alignas(64) Boxes16 {
  float low[3][16], high[3][16];
};

/// Bounds of rays that go roughly the same way: where their origins are, and their slopes against
/// the main axis. A box that one of the rays meets within `reach` passes the test; of others nearly
/// all fail (docs/theory/rays.md (4a)).
struct Fan {
  int main = 0;                             // axis along which all rays go
  int across[2] = {1, 2};                   // the others
  bool is_down = false;                     // rays go down the main axis
  float main_low = 0, main_high = 0;        // of the origins, along the way of the rays [m]
  float low[2] = {0, 0}, high[2] = {0, 0};  // of the origins, across [m]
  float slope_low[2] = {0, 0}, slope_high[2] = {0, 0};
  float shortest = 0;  // least range per meter along the main axis
  float reach = 0;     // most range that is needed

  /// Where rays could first enter the box [range]; negative: they do not meet it.
  float enter(const Bounds& box) const {
    const float near = is_down ? -box.high[main] : box.low[main];
    const float far = is_down ? -box.low[main] : box.high[main];
    const float from = std::max(0.0F, near - main_high), to = far - main_low;
    bool meets = to >= 0 && from * shortest <= reach;
    for (int k = 0; k < 2; ++k) {
      const int a = across[k];
      const float least = low[k] + slope_low[k] * (slope_low[k] >= 0 ? from : to);
      const float most = high[k] + slope_high[k] * (slope_high[k] >= 0 ? to : from);
      meets = meets && least <= box.high[a] && box.low[a] <= most;
    }
    return meets ? from * shortest : -1.0F;
  }
  /// Bit i: rays may meet box i; enter as above.
  unsigned meet(const Float16* below, const Float16* above, Float16* enter) const {
    const Float16 near = is_down ? Float16(0.0F) - above[main] : below[main];
    const Float16 far = is_down ? Float16(0.0F) - below[main] : above[main];
    const Float16 from = max(near - Float16(main_high), Float16(0.0F));
    const Float16 to = far - Float16(main_low);
    *enter = from * Float16(shortest);
    unsigned bits = le_bits(Float16(0.0F), to) & le_bits(*enter, Float16(reach));
    for (int k = 0; k < 2; ++k) {
      const int a = across[k];
      const Float16 least =
          mul_add(Float16(slope_low[k]), slope_low[k] >= 0 ? from : to, Float16(low[k]));
      const Float16 most =
          mul_add(Float16(slope_high[k]), slope_high[k] >= 0 ? to : from, Float16(high[k]));
      bits &= le_bits(least, above[a]) & le_bits(below[a], most);
    }
    return bits;
  }
  unsigned meet(const Boxes16& boxes) const {
    Float16 below[3], above[3], enter;
    for (int a = 0; a < 3; ++a) {
      below[a] = Float16::load(boxes.low[a]), above[a] = Float16::load(boxes.high[a]);
    }
    return meet(below, above, &enter);
  }
};

/// Packets of rays that are cast together, with their floats about one point.
struct Bundle {
  static constexpr int kMax = 128;

  std::array<Packet, kMax> packets;
  std::array<FloatRays, kMax> rays;
  std::array<Fan, kMax> fans;        // of the packets; filled by make_fans()
  Vector3 center = Vector3::Zero();  // about which the floats are [m]
  float reach = 0;                   // sum of the max absolute coordinates of the origins [m]
  int count = 0;
  std::span<const Ray> later;  // rays of the next bundle

  /// Asks memory for the rays of packet k of the next bundle.
  void prefetch(int k) const {
    const std::size_t first = static_cast<std::size_t>(k) * kPacket;
    if (first + kPacket > later.size()) return;
    const auto* bytes = reinterpret_cast<const char*>(&later[first]);
    for (std::size_t b = 0; b < kPacket * sizeof(Ray); b += 64) __builtin_prefetch(bytes + b);
  }
  /// Floats of all packets.
  void set_floats();
  /// Fans of some packets about one main axis, and the fan of all of them. False if the rays have no
  /// main axis.
  bool make_fans(int first, int n, Fan* all);
  /// Sets the reach of the fans to the best hits so far.
  void set_reach(int first, int n, Fan* all);
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
  /// After a walk without a list: now and then a list is tried again.
  void set_walk() {
    if (++walks_ % 16 == 0) max_packets_ = std::max(max_packets_, 4);
  }

 private:
  int max_packets_ = Bundle::kMax;
  unsigned walks_ = 0;
};

/// The fan of one ray of a packet.
Fan make_ray_fan(const FloatRays& rays, int k);

}  // namespace camber::scene::internal
