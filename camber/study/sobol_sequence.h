#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace camber::study {

/// Sobol' points by their number, without a state. Point 0 is the origin, and the order is that of
/// Gray codes, as in SciPy's `qmc.Sobol(d, scramble=False)`: the first 2^m points are a net.
class SobolSequence {
 public:
  /// At most max_dimensions().
  explicit SobolSequence(int dimensions);
  static int max_dimensions();

  /// Point `index` < 2^32, coordinates as 32-bit integers.
  void digits(std::uint64_t index, std::span<std::uint32_t> x) const;
  /// Multiples of 2^-32 in [0, 1).
  void point(std::uint64_t index, std::span<double> u) const;
  /// The point scrambled after Owen: bit b of a coordinate is flipped by a random bit that depends
  /// on the seed, the coordinate's number and the bits above b. In (0, 1), all 53 bits random.
  void scrambled_point(std::uint64_t index, std::uint64_t seed, std::span<double> u) const;

 private:
  int dimensions_;
  std::vector<std::uint32_t> directions_;  // [dimension][bit]
};

}  // namespace camber::study
