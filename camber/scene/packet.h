#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "camber/scene/bounds.h"
#include "camber/scene/double_lanes.h"
#include "camber/scene/float_lanes.h"
#include "camber/scene/ray.h"

namespace camber::scene::internal {

inline constexpr int kPacket = 16;
inline constexpr std::int64_t kNoKey = std::numeric_limits<std::int64_t>::max();

/// A float that is at least x >= 0, at most 4e-7 x above it.
inline float float_above(double x) { return static_cast<float>(x) * (1 + 0x1p-22F); }

/// Order among hits of equal range: the ground, then instances, then their primitives.
inline std::int64_t make_key(int instance, int primitive) {
  return (static_cast<std::int64_t>(instance) + 1) << 32 | static_cast<std::uint32_t>(primitive);
}
inline int instance_of(std::int64_t key) { return static_cast<int>(key >> 32) - 1; }
inline int primitive_of(std::int64_t key) { return static_cast<int>(key & 0xffffffff); }

/// The rays of a packet about a center, as floats.
struct alignas(64) FloatRays {
  float o[3][kPacket], d[3][kPacket];
};

/// Sixteen rays of the world, with the best hit of each so far.
struct alignas(64) Packet {
  double o[3][kPacket], d[3][kPacket];
  double best[kPacket];       // range of the best hit; max_range before there is one
  std::int64_t key[kPacket];  // of that hit; kNoKey: none
  double slope_x[kPacket], slope_y[kPacket];  // of the ground, if it is the best hit
  float best_above[kPacket];                  // a float >= best; -1: the ray needs nothing more
  const void* leaf[kPacket];                  // of a mesh's hit: its LeafTriangle
  unsigned active = 0;                        // bit k: ray k is there
  unsigned found = 0;                         // any_hit: bit k: ray k met something

  /// Takes up to sixteen rays and makes their floats. False if a ray is not finite or its direction is
  /// far from unit length.
  bool load(std::span<const Ray> rays, const Vector3& center, FloatRays* floats);
  bool is_better(int k, double range, std::int64_t new_key) const {
    return range < best[k] || (range == best[k] && new_key < key[k]);
  }
  void take(int k, double range, std::int64_t new_key) {
    best[k] = range;
    key[k] = new_key;
    best_above[k] = float_above(range);
  }
  /// For any_hit: the ray is done.
  void finish(int k) {
    found |= 1U << k;
    best_above[k] = -1;
  }
};

/// A packet in the axes of a tree, as floats, for tests against boxes that lose no hit: boxes are
/// enlarged by `pad`, which exceeds all rounding errors (docs/theory/rays.md (3)).
struct alignas(64) BoxRays {
  Float16 inverse[3];             // 1/d
  Float16 low_at[3], high_at[3];  // t of plane x: x inverse + these, for lower and upper planes
  float pad[3];                   // [m]
  int direction[3];               // 0: all rays go up this axis, 1: down, 2: mixed
  int first_sign[3];              // of the first ray: 1 if it goes down

  /// `o` and `d` are 3 x 16 floats; `reach` is the max absolute coordinate in the tree.
  void set(const float (*o)[kPacket], const float (*d)[kPacket], const float* reach,
           unsigned active);
  // For packets whose rays all have the same direction along each axis: the planes that they enter
  // and leave by, as numbers in a box's six floats.
  Float16 near_at[3], far_at[3];
  int near_plane[3], far_plane[3];

  bool is_uniform() const { return direction[0] < 2 && direction[1] < 2 && direction[2] < 2; }
};

/// Where the rays enter a box, and which of them do before `best_above`.
template <bool kUniform>
inline unsigned meet_box(const BoxRays& r, const Bounds& box, const Float16& best, Float16* enter) {
  Float16 near(0.0F), far = best;
  static_assert(sizeof(Bounds) == 6 * sizeof(float));
  const float* planes = box.low;  // low, then high
  for (int a = 0; a < 3; ++a) {
    if constexpr (kUniform) {
      near = max(near, mul_add(Float16(planes[r.near_plane[a]]), r.inverse[a], r.near_at[a]));
      far = min(far, mul_add(Float16(planes[r.far_plane[a]]), r.inverse[a], r.far_at[a]));
    } else {
      const Float16 low = mul_add(Float16(box.low[a]), r.inverse[a], r.low_at[a]);
      const Float16 high = mul_add(Float16(box.high[a]), r.inverse[a], r.high_at[a]);
      near = max(near, min(low, high));
      far = min(far, max(low, high));
    }
  }
  *enter = near;
  return le_bits(near, far);
}

}  // namespace camber::scene::internal
