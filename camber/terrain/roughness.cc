#include "camber/terrain/roughness.h"

#include <cmath>
#include <numbers>

#include "camber/core/random.h"
#include "camber/core/require.h"
#include "camber/math/scalar.h"

// docs/theory/soil.md, section 1.3. Waves of all directions with variance E(k) dk between k and k +
// dk [1/m] appear on a line as n = k |cos theta|:
//   G(n) = 2/pi int_n^inf E(k) / sqrt(k^2 - n^2) dk                     (1)
// so that E(k) = pi/2 G_d(k) gives G = G_d where G_d falls as n^-2.      (2)
namespace camber::terrain {

double iso8608_density(char road_class) {
  require(road_class >= 'A' && road_class <= 'H', "ISO 8608 classes are A to H, got \"", road_class,
          "\"");
  return 16e-6 * std::exp2(2.0 * (road_class - 'A'));
}

Roughness::Roughness(const RoughnessSpec& spec) {
  require(spec.density >= 0 && std::isfinite(spec.density), "roughness: G_d(n0) must be >= 0 m^3, ",
          "got ", spec.density);
  require(spec.n_min > 0 && spec.n_max > spec.n_min, "roughness: needs 0 < n_min < n_max, got ",
          spec.n_min, " and ", spec.n_max);
  require(spec.waves_per_octave >= 8 && spec.waves_per_octave <= 10000,
          "roughness: 8 to 10000 waves per octave, got ", spec.waves_per_octave);
  if (spec.density == 0) return;
  constexpr double kN0 = 0.1;  // [1/m]
  constexpr double kGoldenSection = 0.6180339887498949;
  RandomStream random = RandomStream(spec.seed).substream("roughness");
  const double octaves = std::log2(spec.n_max / spec.n_min);
  const int count = static_cast<int>(std::ceil(octaves * spec.waves_per_octave));
  const double turn = random.uniform();
  for (int i = 0; i < count; ++i) {
    // One wave in each of `count` equal parts of log k; directions advance by the golden angle,
    // which spreads them evenly over any sequence of neighbors.
    const double low = spec.n_min * std::exp2(octaves * i / count);
    const double high = spec.n_min * std::exp2(octaves * (i + 1) / count);
    const double k = low + (high - low) * random.uniform();
    const double theta = std::numbers::pi * (turn + kGoldenSection * i);
    // Its variance is that of the part: int pi/2 G_d dk. (2)
    const double variance =
        0.5 * std::numbers::pi * spec.density * kN0 * kN0 * (1 / low - 1 / high);
    double s, c;
    math::sincos(theta, &s, &c);
    kx_.push_back(2 * std::numbers::pi * k * c);
    ky_.push_back(2 * std::numbers::pi * k * s);
    phase_.push_back(2 * std::numbers::pi * random.uniform());
    amplitude_.push_back(std::sqrt(2 * variance));
  }
}

double Roughness::height(double x, double y) const {
  double sum = 0.0;
  for (std::size_t w = 0; w < kx_.size(); ++w) {
    double s, c;
    math::sincos(kx_[w] * x + ky_[w] * y + phase_[w], &s, &c);
    sum += amplitude_[w] * c;
  }
  return sum;
}

// cos(a + b) = cos a cos b - sin a sin b: per wave one row and one column of sines, then two
// products per node, always in the order of the waves.
void Roughness::add_block(double spacing, std::int64_t i0, std::int64_t j0, int nx, int ny,
                          std::vector<double>* heights) const {
  require(heights->size() == static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny),
          "Roughness: ", heights->size(), " heights for ", nx, " x ", ny, " nodes");
  std::vector<double> cx(nx), sx(nx), cy(ny), sy(ny);
  for (std::size_t w = 0; w < kx_.size(); ++w) {
    for (int i = 0; i < nx; ++i) {
      const double x = spacing * static_cast<double>(i0 + i);
      math::sincos(kx_[w] * x + phase_[w], &sx[i], &cx[i]);
      cx[i] *= amplitude_[w], sx[i] *= amplitude_[w];
    }
    for (int j = 0; j < ny; ++j) {
      const double y = spacing * static_cast<double>(j0 + j);
      math::sincos(ky_[w] * y, &sy[j], &cy[j]);
    }
    for (int j = 0; j < ny; ++j) {
      double* row = heights->data() + static_cast<std::size_t>(j) * nx;
      const double c = cy[j], s = sy[j];
      for (int i = 0; i < nx; ++i) row[i] += cx[i] * c - sx[i] * s;
    }
  }
}

}  // namespace camber::terrain
