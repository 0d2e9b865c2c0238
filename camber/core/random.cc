// [Salmon 2011] J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC11: Philox4x32-10. Ours: half of the counter names the stream, and the same
// bijection hashes the names of substreams. The standard library fixes its generators but not its
// distributions, so these are our own; they use only + - * / and sqrt, which IEEE 754 rounds alike
// everywhere (the build forbids fused operations).

#include "camber/core/random.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "camber/core/normal_quantile.h"
#include "camber/core/require.h"

namespace camber {
namespace {

using Block = std::array<std::uint32_t, 4>;

constexpr std::uint32_t low_word(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high_word(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

// One step of a Davies-Meyer hash: the chunk is the key under which the state is permuted, and the
// old state added afterwards makes the step one-way.
Block absorb(const Block& state, std::uint64_t chunk) {
  Block next = internal::philox4x32(state, {low_word(chunk), high_word(chunk)});
  for (std::size_t i = 0; i < next.size(); ++i) next[i] ^= state[i];
  return next;
}

// Eight bytes, little-endian on every machine, zeros past the end.
std::uint64_t load_chunk(std::string_view text, std::size_t begin) {
  std::uint64_t chunk = 0;
  for (std::size_t i = 0; i < 8 && begin + i < text.size(); ++i) {
    chunk |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[begin + i])) << (8 * i);
  }
  return chunk;
}

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double sum = 0;
  for (const double c : coefficients) sum = sum * x + c;  // highest power first
  return sum;
}

}  // namespace

namespace internal {

// [Salmon 2011] section 3.3: ten rounds of two 32x32 -> 64 bit products, their high halves mixed
// with the key, which advances by a Weyl sequence.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kM0 = 0xD2511F53, kM1 = 0xCD9E8D57;
  constexpr std::uint32_t kW0 = 0x9E3779B9, kW1 = 0xBB67AE85;  // golden ratio, sqrt(3) - 1
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = kM0 * counter[0];
    const std::uint64_t p1 = kM1 * counter[2];
    counter = {high_word(p1) ^ counter[1] ^ key[0], low_word(p1),
               high_word(p0) ^ counter[3] ^ key[1], low_word(p0)};
    key[0] += kW0;
    key[1] += kW1;
  }
  return counter;
}

// x = 2^e m with m in [1/sqrt 2, sqrt 2); log m = 2 atanh z, z = (m-1)/(m+1), |z| < 0.1716. The
// series
//   atanh z = z (1 + z^2/3 + z^4/5 + ...)
// is cut after z^22, where z^24/25 < 2e-20.
double portable_log(double x) {
  constexpr double kSqrtHalf = 0.70710678118654752440;
  constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 42 bits: e * kLn2High is exact
  constexpr double kLn2Low = 0x1.ef35793c76730p-45;
  int e = 0;
  double m = std::frexp(x, &e);
  if (m < kSqrtHalf) {
    m *= 2;
    --e;
  }
  const double z = (m - 1) / (m + 1);
  const double z2 = z * z;
  double tail = 0;  // z^2/3 + z^4/5 + ..., smallest terms first
  for (int k = 23; k >= 3; k -= 2) tail = z2 * (1.0 / k + tail);
  return e * kLn2High + (2 * z + (2 * z * tail + e * kLn2Low));
}

// [Wichura 1988] M. J. Wichura, "Algorithm AS 241: the percentage points of the normal
// distribution", Applied Statistics 37(3): PPND16. Three rational functions, one for the middle and
// two for the tails.
double normal_quantile(double p) {
  using namespace wichura;
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kA, r) / polynomial(kB, r);
  }
  const double tail = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
  const double x = tail <= 5 ? polynomial(kC, tail - 1.6) / polynomial(kD, tail - 1.6)
                             : polynomial(kE, tail - 5) / polynomial(kF, tail - 5);
  return q < 0 ? -x : x;
}

}  // namespace internal

RandomStream::RandomStream(std::uint64_t seed) : id_(absorb(Block{}, seed)) {}

RandomStream RandomStream::substream(std::string_view name, std::uint64_t number) const {
  // The length first: "ab" + padding differs from "ab\0", and no name is a prefix of another.
  Block id = absorb(id_, name.size());
  for (std::size_t i = 0; i < name.size(); i += 8) id = absorb(id, load_chunk(name, i));
  return RandomStream(absorb(id, number));
}

std::uint32_t RandomStream::next_word() {
  if (words_left_ == 0) {
    words_ = internal::philox4x32({low_word(counter_), high_word(counter_), id_[2], id_[3]},
                                  {id_[0], id_[1]});
    ++counter_;
    words_left_ = 4;
  }
  return words_[static_cast<std::size_t>(4 - words_left_--)];
}

std::uint64_t RandomStream::bits() {
  const std::uint64_t low = next_word();
  const std::uint64_t high = next_word();
  return high << 32 | low;
}

double RandomStream::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double RandomStream::uniform(double low, double high) {
  require(std::isfinite(low) && std::isfinite(high) && low < high, "RandomStream::uniform: [", low,
          ", ", high, ") is not a range");
  const double u = uniform();
  // This form cannot overflow as low + u * (high - low) can; it may round up to high.
  const double x = (1 - u) * low + u * high;
  return x < high ? x : std::nextafter(high, low);
}

double RandomStream::normal() {
  // Centers of 2^52 cells, so that neither 0 nor 1 comes up.
  const double p = (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52;
  return internal::normal_quantile(p);
}

double RandomStream::normal(double mean, double sigma) {
  require(std::isfinite(mean) && std::isfinite(sigma) && sigma >= 0, "RandomStream::normal: mean ",
          mean, " and sigma ", sigma, " must be finite, sigma >= 0");
  return mean + sigma * normal();
}

std::int64_t RandomStream::integer(std::int64_t low, std::int64_t high) {
  require(low <= high, "RandomStream::integer: [", low, ", ", high, "] is empty");
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  // Draws of as many bits as span has, thrown away when above it: unbiased, less than two on
  // average.
  const std::uint64_t mask = ~std::uint64_t{0} >> std::countl_zero(span | 1);
  std::uint64_t offset = 0;
  do {
    offset = bits() & mask;
  } while (offset > span);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

std::vector<int> RandomStream::permutation(int n) {
  require(n >= 0, "RandomStream::permutation: n must be >= 0, got ", n);
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[integer(0, i)]);  // Fisher-Yates
  return order;
}

}  // namespace camber
