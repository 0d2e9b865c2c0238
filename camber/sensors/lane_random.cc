#include "camber/sensors/lane_random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "camber/core/normal_quantile.h"
#include "camber/core/require.h"
#include "camber/math/lanes.h"

// The algorithms are those of core/random.cc, operation by operation; a test compares the bits.

namespace camber::sensors {
namespace {

constexpr int kLanes = 8;
using Real = math::Lanes<kLanes>;
typedef std::uint64_t Words  // NOLINT(modernize-use-using): 32 bits in each of 64
    __attribute__((vector_size(8 * kLanes),
                   aligned(math::internal::register_alignment(8 * kLanes))));

constexpr std::uint64_t kWord = 0xffffffff;

/// Philox4x32-10.
void calc_words(const RayRandom& random, std::uint32_t first, std::uint32_t block, Words* words) {
  constexpr std::uint64_t kM0 = 0xD2511F53, kM1 = 0xCD9E8D57;
  constexpr std::uint32_t kW0 = 0x9E3779B9, kW1 = 0xBB67AE85;
  const Words zero{};
  Words ray;
  for (int l = 0; l < kLanes; ++l) ray[l] = static_cast<std::uint32_t>(first + l);
  Words c0 = ray, c1 = zero + static_cast<std::uint64_t>(block);
  Words c2 = zero + static_cast<std::uint64_t>(random.scan() & 0xffffffffU);
  Words c3 = zero + static_cast<std::uint64_t>(random.scan() >> 32);
  auto k0 = static_cast<std::uint32_t>(random.key());
  auto k1 = static_cast<std::uint32_t>(random.key() >> 32);
  const auto high = [](const Words& x) -> Words { return x >> 32; };
  for (int round = 0; round < 10; ++round) {
    const Words p0 = c0 * kM0, p1 = c2 * kM1;
    c0 = high(p1) ^ c1 ^ static_cast<std::uint64_t>(k0);
    c1 = p1 & kWord;
    c2 = high(p0) ^ c3 ^ static_cast<std::uint64_t>(k1);
    c3 = p0 & kWord;
    k0 += kW0, k1 += kW1;
  }
  words[0] = c0, words[1] = c1, words[2] = c2, words[3] = c3;
}

Real as_real(const Words& bits) { return Real(__builtin_bit_cast(Real::Pack, bits)); }

/// A number in (0, 1) of 52 bits.
Real to_unit(const Words& high, const Words& low) {
  const Words bits = (high << 20) | (low >> 12);
  // Integers below 2^52 as the fraction of a double in [2^52, 2^53).
  constexpr std::uint64_t kExponent = 0x4330000000000000;
  const Real whole = as_real(bits | kExponent) - 0x1p52;
  return (whole + 0.5) * 0x1p-52;
}

template <std::size_t N>
Real polynomial(const std::array<double, N>& coefficients, const Real& x) {
  Real sum(0.0);
  for (const double c : coefficients) sum = sum * x + c;
  return sum;
}

/// internal::portable_log().
Real calc_log(const Real& x) {
  constexpr double kSqrtHalf = 0.70710678118654752440;
  constexpr double kLn2High = 0x1.62e42fefa3800p-1, kLn2Low = 0x1.ef35793c76730p-45;
  const Words bits = __builtin_bit_cast(Words, x.pack);
  Real m = as_real((bits & 0x000fffffffffffffU) | 0x3fe0000000000000U);
  // Exponents are small integers: exact by way of the fraction of 2^52.
  Real e = as_real((bits >> 52) | 0x4330000000000000U) - (0x1p52 + 1022);
  const auto is_small = m < kSqrtHalf;
  m = select(is_small, m * 2.0, m);
  e = select(is_small, e - 1.0, e);
  const Real z = (m - 1.0) / (m + 1.0), z2 = z * z;
  Real tail(0.0);
  for (int k = 23; k >= 3; k -= 2) tail = z2 * (1.0 / k + tail);
  return e * kLn2High + (2.0 * z + (2.0 * z * tail + e * kLn2Low));
}

/// internal::normal_quantile() where the probability is within 1e-11 of neither 0 nor 1; `is_far`
/// gets the others.
Real calc_quantile(const Real& p, math::LaneMask<kLanes>* is_far) {
  using namespace camber::internal::wichura;
  const Real q = p - 0.5, r = 0.180625 - q * q;
  const auto is_middle = abs(q) <= 0.425;
  const Real middle = q * polynomial(kA, r) / polynomial(kB, r);
  *is_far = math::LaneMask<kLanes>(false);
  if (all(is_middle)) return middle;
  const auto is_low = q < 0.0;
  const Real tail = sqrt(-calc_log(select(is_low, p, 1.0 - p)));
  *is_far = !is_middle && tail > 5.0;
  const Real x = polynomial(kC, tail - 1.6) / polynomial(kD, tail - 1.6);
  return select(is_middle, middle, select(is_low, -x, x));
}

/// internal::normal_quantile().
Real calc_every_quantile(const Real& p) {
  math::LaneMask<kLanes> is_far;
  Real x = calc_quantile(p, &is_far);
  if (any(is_far)) {
    for (int l = 0; l < kLanes; ++l) {
      if (is_far.lane(l)) x.set_lane(l, internal::normal_quantile(p.lane(l)));
    }
  }
  return x;
}

}  // namespace

void draw_uniforms_and_normals(const RayRandom& random, std::uint32_t first, std::uint32_t block,
                               std::span<double> uniforms, std::span<double> normals) {
  require(uniforms.size() == normals.size(), "draw_uniforms_and_normals: ", uniforms.size(),
          " numbers and ", normals.size());
  for (std::size_t k = 0; k < uniforms.size(); k += kLanes) {
    Words words[4];
    calc_words(random, first + static_cast<std::uint32_t>(k), block, words);
    const Real u = to_unit(words[0], words[1]), p = to_unit(words[2], words[3]);
    const Real x = calc_every_quantile(p);
    const std::size_t n = std::min<std::size_t>(kLanes, uniforms.size() - k);
    std::memcpy(&uniforms[k], &u.pack, n * sizeof(double));
    std::memcpy(&normals[k], &x.pack, n * sizeof(double));
  }
}

void draw_normals(const RayRandom& random, std::uint32_t first, std::uint32_t block,
                  std::span<double> a, std::span<double> b) {
  require(a.size() == b.size(), "draw_normals: ", a.size(), " numbers and ", b.size());
  for (std::size_t k = 0; k < a.size(); k += kLanes) {
    Words words[4];
    calc_words(random, first + static_cast<std::uint32_t>(k), block, words);
    const Real x = calc_every_quantile(to_unit(words[0], words[1])),
               y = calc_every_quantile(to_unit(words[2], words[3]));
    const std::size_t n = std::min<std::size_t>(kLanes, a.size() - k);
    std::memcpy(&a[k], &x.pack, n * sizeof(double));
    std::memcpy(&b[k], &y.pack, n * sizeof(double));
  }
}

}  // namespace camber::sensors
