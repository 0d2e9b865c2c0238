#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace camber::terrain {

/// Displacement spectrum of ISO 8608: G_d(n) = G_d(n0) (n/n0)^-2 with n0 = 0.1 1/m. The geometric
/// mean of a class 'A'..'H' [m^3]: 16e-6 m^3 for A, times four for each further class. Throws
/// std::invalid_argument for another letter.
double iso8608_density(char road_class);

/// A rough surface whose profile along every straight line has that spectrum.
struct RoughnessSpec {
  double density = 0.0;  // G_d(n0) [m^3]; 0: smooth
  double n_min = 0.01;   // longest wave [1/m]
  double n_max = 2.0;    // shortest wave [1/m]
  int waves_per_octave = 96;
  std::uint64_t seed = 1;
};

/// The surface as a sum of plane waves (docs/theory/soil.md, section 1.3).
class Roughness {
 public:
  explicit Roughness(const RoughnessSpec& spec);

  /// Height at a point, for tests and single points: all waves are summed [m].
  double height(double x, double y) const;

  /// Adds the heights of the nodes (i0 + i, j0 + j), i < nx, j < ny, of a grid through (0, 0), row
  /// by row. A node's bits do not depend on the block in which it is computed.
  void add_block(double spacing, std::int64_t i0, std::int64_t j0, int nx, int ny,
                 std::vector<double>* heights) const;

 private:
  std::vector<double> kx_, ky_, phase_, amplitude_;  // [rad/m], [rad], [m]
};

}  // namespace camber::terrain
