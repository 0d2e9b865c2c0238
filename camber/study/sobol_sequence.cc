// [Joe & Kuo 2008] S. Joe, F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional
// projections", SIAM J. Sci. Comput. 30: polynomials and first direction numbers, from Boost's
// table. [Owen 1995] A. B. Owen, "Randomly permuted (t,m,s)-nets and (t,s)-sequences": scrambling.
// Owen keeps a tree of random permutations; ours are hashes of a node's path, so that nothing is
// kept and any point can be made alone.

#include "camber/study/sobol_sequence.h"

#include <bit>

#include <boost/random/sobol.hpp>

#include "camber/core/require.h"

namespace camber::study {
namespace {

constexpr int kBits = 32;
using Tables = boost::random::default_sobol_table;

/// [Steele, Lea & Flood 2014] SplitMix64's finalizer: every bit of x changes half of the result.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

int SobolSequence::max_dimensions() { return static_cast<int>(Tables::max_dimension); }

SobolSequence::SobolSequence(int dimensions) : dimensions_(dimensions) {
  require(dimensions >= 1 && dimensions <= max_dimensions(),
          "SobolSequence: dimensions must be 1 to ", max_dimensions(), ", got ", dimensions);
  directions_.resize(static_cast<std::size_t>(dimensions) * kBits);
  for (int bit = 0; bit < kBits; ++bit) directions_[bit] = std::uint32_t{1} << (31 - bit);
  for (int d = 1; d < dimensions; ++d) {
    std::uint32_t* v = &directions_[static_cast<std::size_t>(d) * kBits];
    const unsigned polynomial = Tables::polynomial(static_cast<std::size_t>(d) - 1);
    const int degree = std::bit_width(polynomial) - 1;
    for (int i = 0; i < degree && i < kBits; ++i)
      v[i] = static_cast<std::uint32_t>(Tables::minit(static_cast<std::size_t>(d) - 1, i))
             << (31 - i);
    // v_i = a_1 v_(i-1) + ... + a_(s-1) v_(i-s+1) + v_(i-s) + v_(i-s) / 2^s, sums by exclusive or.
    for (int i = degree; i < kBits; ++i) {
      v[i] = v[i - degree] ^ (v[i - degree] >> degree);
      for (int k = 1; k < degree; ++k)
        if ((polynomial >> (degree - k)) & 1U) v[i] ^= v[i - k];
    }
  }
}

void SobolSequence::digits(std::uint64_t index, std::span<std::uint32_t> x) const {
  require(index < (std::uint64_t{1} << kBits), "SobolSequence: index must be < 2^32, got ", index);
  const std::uint64_t gray = index ^ (index >> 1);
  for (std::size_t d = 0; d < x.size(); ++d) {
    std::uint32_t sum = 0;
    const std::uint32_t* v = &directions_[d * kBits];
    for (std::uint64_t rest = gray; rest != 0; rest &= rest - 1) sum ^= v[std::countr_zero(rest)];
    x[d] = sum;
  }
}

void SobolSequence::point(std::uint64_t index, std::span<double> u) const {
  std::vector<std::uint32_t> x(u.size());
  digits(index, x);
  for (std::size_t d = 0; d < u.size(); ++d) u[d] = x[d] * 0x1p-32;
}

void SobolSequence::scrambled_point(std::uint64_t index, std::uint64_t seed,
                                    std::span<double> u) const {
  std::vector<std::uint32_t> x(u.size());
  digits(index, x);
  for (std::size_t d = 0; d < u.size(); ++d) {
    const std::uint64_t key = mix(seed + 0x9e3779b97f4a7c15ULL * (d + 1));
    std::uint32_t result = 0;
    for (int b = 0; b < kBits; ++b) {
      // The path to this node of the tree: the bits above, with a leading 1 for their number.
      const std::uint64_t path = (std::uint64_t{1} << b) | (b == 0 ? 0 : x[d] >> (kBits - b));
      const auto flip = static_cast<std::uint32_t>(mix(key ^ mix(path)) & 1);
      result |= (((x[d] >> (31 - b)) & 1U) ^ flip) << (31 - b);
    }
    // Below the 32 bits of the net: 21 random bits of the last node, and half of the last bit.
    const std::uint64_t rest = mix(key ^ mix((std::uint64_t{1} << kBits) | x[d])) >> 44;  // 20 bits
    u[d] = (static_cast<double>((std::uint64_t{result} << 20) | rest) + 0.5) * 0x1p-52;
  }
}

}  // namespace camber::study
