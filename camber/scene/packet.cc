#include "camber/scene/packet.h"

#include <cmath>

namespace camber::scene::internal {

void Packet::load(std::span<const Ray> rays) {
  const int n = static_cast<int>(rays.size());
  active = n == kPacket ? 0xffffU : (1U << n) - 1U;
  found = 0;
  for (int k = 0; k < kPacket; ++k) {
    // Missing rays are copies of the first one that need nothing.
    const Ray& ray = rays[k < n ? k : 0];
    for (int a = 0; a < 3; ++a) o[a][k] = ray.origin[a], d[a][k] = ray.direction[a];
    best[k] = ray.max_range;
    best_above[k] = k < n ? round_up(ray.max_range) : -1.0F;
    key[k] = kNoKey;
  }
}

void BoxRays::set(const float (*o)[kPacket], const float (*d)[kPacket], const float* reach,
                  unsigned active) {
  constexpr float kTiny = 1e-15F;
  const int first = std::countr_zero(active | 0x10000U) & 15;
  for (int a = 0; a < 3; ++a) {
    float far = 0, inverse_of[kPacket];
    unsigned down = 0;
    for (int k = 0; k < kPacket; ++k) {
      far = std::max(far, std::abs(o[a][k]));
      const float di = std::abs(d[a][k]) < kTiny ? std::copysign(kTiny, d[a][k]) : d[a][k];
      inverse_of[k] = 1 / di;
      down |= (di < 0 ? 1U : 0U) << k;
    }
    pad[a] = 0x1p-21F * (reach[a] + far) + 1e-30F;
    direction[a] = down == 0 ? 0 : down == 0xffffU ? 1 : 2;
    first_sign[a] = static_cast<int>(down >> first & 1U);
    inverse[a] = Float16::load(inverse_of);
    const Float16 from = Float16::load(o[a]);
    low_at[a] = (Float16(-pad[a]) - from) * inverse[a];
    high_at[a] = (Float16(pad[a]) - from) * inverse[a];
  }
}

}  // namespace camber::scene::internal
