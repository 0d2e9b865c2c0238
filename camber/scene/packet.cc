#include "camber/scene/packet.h"

#include <cmath>

namespace camber::scene::internal {

bool Packet::load(std::span<const Ray> rays) {
  const int n = static_cast<int>(rays.size());
  active = n == kPacket ? 0xffffU : (1U << n) - 1U;
  found = 0;
  for (int k = 0; k < kPacket; ++k) {
    // Missing rays are copies of the first one that need nothing.
    const Ray& ray = rays[k < n ? k : 0];
    // Adding zero makes -0 to 0: boxes are entered by the sign.
    for (int a = 0; a < 3; ++a) o[a][k] = ray.origin[a], d[a][k] = ray.direction[a] + 0.0;
    best[k] = ray.max_range;
    key[k] = kNoKey;
  }
  bool is_good = true;
  for (int half = 0; half < kPacket; half += 8) {
    Double8 zero(0.0), square(0.0);
    for (int a = 0; a < 3; ++a) {
      const Double8 x = Double8::load(o[a] + half), v = Double8::load(d[a] + half);
      zero += x - x;  // not 0 where x is not finite
      square += v * v;
    }
    const Double8 far = Double8::load(best + half);
    is_good = is_good && all(zero == 0.0 && square > 0.25 && square < 4.0 && far >= 0.0);
    for (int k = half; k < half + 8; ++k) best_above[k] = k < n ? float_above(best[k]) : -1.0F;
  }
  return is_good;
}

void BoxRays::set(const float (*o)[kPacket], const float (*d)[kPacket], const float* reach,
                  unsigned active) {
  constexpr float kTiny = 1e-15F;
  const int first = std::countr_zero(active | 0x10000U) & 15;
  for (int a = 0; a < 3; ++a) {
    // -0 becomes +0: a ray that goes neither way must count as going up in all that follows.
    const Float16 from = Float16::load(o[a]), along = Float16::load(d[a]) + Float16(0.0F);
    const unsigned down = ~le_bits(Float16(0.0F), along) & 0xffffU;
    const unsigned tiny = le_bits(abs(along), Float16(kTiny));
    const Float16 size = choose(tiny, flip(Float16(kTiny), along), along);
    pad[a] = 0x1p-21F * (reach[a] + max_of(abs(from))) + 1e-30F;
    direction[a] = down == 0 ? 0 : down == 0xffffU ? 1 : 2;
    first_sign[a] = static_cast<int>(down >> first & 1U);
    inverse[a] = Float16(1.0F) / size;
    low_at[a] = (Float16(-pad[a]) - from) * inverse[a];
    high_at[a] = (Float16(pad[a]) - from) * inverse[a];
    const bool is_down = direction[a] == 1;
    near_at[a] = is_down ? high_at[a] : low_at[a];
    far_at[a] = is_down ? low_at[a] : high_at[a];
    near_plane[a] = is_down ? a + 3 : a;
    far_plane[a] = is_down ? a : a + 3;
  }
}

}  // namespace camber::scene::internal
