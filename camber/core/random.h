#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace camber {

/// Random numbers that are the same on every platform, compiler and thread count.
///
/// A stream is named by its seed and the path of substreams to it, never by the order in which
/// others drew: give each sensor and each run its own, and adding one does not change the numbers
/// of the others.
///   RandomStream noise = RandomStream(seed).substream("lidar", 3);
/// A small value (40 bytes): copying it forks the same numbers. 2^66 words before it repeats.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);

  /// The substream of this name and number. It does not depend on how many numbers this stream has
  /// drawn.
  RandomStream substream(std::string_view name, std::uint64_t number = 0) const;

  /// 64 random bits.
  std::uint64_t bits();

  /// In [0, 1), a multiple of 2^-53.
  double uniform();

  /// In [low, high): finite, low < high.
  double uniform(double low, double high);

  /// Standard normal distribution, cut at about 8.2 sigma by the 2^-53 of the uniform number below
  /// it.
  double normal();

  /// Normal distribution; sigma >= 0.
  double normal(double mean, double sigma);

  /// In [low, high], both ends included, each equally likely.
  std::int64_t integer(std::int64_t low, std::int64_t high);

  /// The numbers 0..n-1 in random order.
  std::vector<int> permutation(int n);

 private:
  using Block = std::array<std::uint32_t, 4>;

  explicit RandomStream(const Block& id) : id_(id) {}
  std::uint32_t next_word();

  Block id_;  // names the stream; words 0, 1 are Philox's key, 2, 3 half its counter
  std::uint64_t counter_ = 0;  // blocks drawn so far, the other half
  Block words_{};              // the block being handed out
  int words_left_ = 0;
};

namespace internal {

/// Philox4x32-10, as published: a bijection of the counter for each key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// The x with P(N(0,1) < x) = p, for 0 < p < 1; relative error about 1e-15.
double normal_quantile(double p);

/// Natural logarithm of a positive normal double, within 2 units in the last place. The standard
/// library's differ from each other in the last bit.
double portable_log(double x);

}  // namespace internal
}  // namespace camber
