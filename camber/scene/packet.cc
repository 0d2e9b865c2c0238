#include "camber/scene/packet.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace camber::scene::internal {

namespace {

using Row = math::internal::Real<8>;
typedef float HalfRow __attribute__((vector_size(32)));  // NOLINT(modernize-use-using)

/// Eight rays, number by number: origin, direction, max_range.
struct RayColumns {
  Row of[7];

  explicit RayColumns(const Ray* rays) {
    static_assert(sizeof(Ray) == 7 * sizeof(double));
    Row row[8];
    const auto* numbers = reinterpret_cast<const double*>(rays);
    for (int k = 0; k < 7; ++k) std::memcpy(&row[k], numbers + 7 * k, sizeof(Row));
    // Behind the last ray nothing may be read.
    std::memcpy(&row[7], numbers + 48, sizeof(Row));
    row[7] = __builtin_shufflevector(row[7], row[7], 1, 2, 3, 4, 5, 6, 7, 0);
    Row pair[8], four[8];
    for (int k = 0; k < 8; k += 2) {
      pair[k] = __builtin_shufflevector(row[k], row[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
      pair[k + 1] = __builtin_shufflevector(row[k], row[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 8; k += 4) {
      for (int c = 0; c < 2; ++c) {
        const Row &a = pair[k + c], &b = pair[k + 2 + c];
        four[k + c] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        four[k + 2 + c] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
      }
    }
    for (int c = 0; c < 4; ++c) {
      of[c] = __builtin_shufflevector(four[c], four[4 + c], 0, 1, 2, 3, 8, 9, 10, 11);
      if (c < 3)
        of[4 + c] = __builtin_shufflevector(four[c], four[4 + c], 4, 5, 6, 7, 12, 13, 14, 15);
    }
  }
};

void store(const Row& row, double* to) { std::memcpy(to, &row, sizeof row); }
void store_floats(const Row& row, float* to) {
  const HalfRow floats = __builtin_convertvector(row, HalfRow);
  std::memcpy(to, &floats, sizeof floats);
}

}  // namespace

bool Packet::load(std::span<const Ray> rays, const Vector3& center, FloatRays* floats) {
  const int n = static_cast<int>(rays.size());
  active = n == kPacket ? 0xffffU : (1U << n) - 1U;
  found = 0;
  const Ray* from = rays.data();
  std::array<Ray, kPacket> filled;
  if (n < kPacket) {  // missing rays are copies of the first one that need nothing
    std::copy(rays.begin(), rays.end(), filled.begin());
    std::fill(filled.begin() + n, filled.end(), rays[0]);
    from = filled.data();
  }
  bool is_good = true;
  for (int half = 0; half < kPacket; half += 8) {
    const RayColumns columns(from + half);
    Double8 zero(0.0), square(0.0);
    for (int a = 0; a < 3; ++a) {
      // Adding zero makes -0 to 0: boxes are entered by the sign.
      const Row x = columns.of[a], v = columns.of[3 + a] + 0.0;
      store(x, o[a] + half), store(v, d[a] + half);
      store_floats(x - center[a], floats->o[a] + half), store_floats(v, floats->d[a] + half);
      zero += Double8(x - x);  // not 0 where x is not finite
      square += Double8(v * v);
    }
    const Row far = columns.of[6];
    store(far, best + half);
    is_good = is_good && all(zero == 0.0 && square > 0.25 && square < 4.0 && Double8(far) >= 0.0);
    const HalfRow above = __builtin_convertvector(far, HalfRow) * (1 + 0x1p-22F);  // float_above()
    std::memcpy(best_above + half, &above, sizeof above);
    for (int k = half; k < half + 8; ++k) key[k] = kNoKey;
  }
  for (int k = n; k < kPacket; ++k) best_above[k] = -1.0F;
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
