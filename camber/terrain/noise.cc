#include "camber/terrain/noise.h"

#include <array>
#include <cmath>
#include <numbers>

#include "camber/math/scalar.h"

// [Perlin 2002] K. Perlin: Improving noise, SIGGRAPH. Differs: gradients are 64 unit vectors around
// the circle, chosen by a 64-bit hash instead of a permutation table, so that nothing repeats.
// [Musgrave 1994] F. K. Musgrave, in Texturing and Modeling: ridged multifractal.
namespace camber::terrain {
namespace {

struct Direction {
  double x, y;
};

std::array<Direction, 64> make_directions() {
  std::array<Direction, 64> directions{};
  double angle = std::numbers::pi / 64;
  for (Direction& d : directions) {
    math::sincos(angle, &d.y, &d.x);
    angle += std::numbers::pi / 32;
  }
  return directions;
}
const std::array<Direction, 64> kDirections = make_directions();

/// The finalizer of SplitMix64.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// Contribution of one corner: its gradient times the distance vector from it.
double corner(std::uint64_t seed, std::int64_t i, std::int64_t j, double dx, double dy) {
  const Direction& d = kDirections[hash_cell(seed, i, j) >> 58];
  return d.x * dx + d.y * dy;
}

double fade(double t) { return t * t * t * (10 + t * (-15 + 6 * t)); }

}  // namespace

std::uint64_t hash_cell(std::uint64_t seed, std::int64_t i, std::int64_t j) {
  const auto a = static_cast<std::uint64_t>(i), b = static_cast<std::uint64_t>(j);
  return mix(mix(seed + a * 0x9e3779b97f4a7c15U) + b * 0xd1b54a32d192ed03U);
}

double uniform_cell(std::uint64_t seed, std::int64_t i, std::int64_t j) {
  return static_cast<double>(hash_cell(seed, i, j) >> 11) * 0x1p-53;
}

double gradient_noise(std::uint64_t seed, double x, double y) {
  const double fx = std::floor(x), fy = std::floor(y);
  const auto i = static_cast<std::int64_t>(fx), j = static_cast<std::int64_t>(fy);
  const double u = x - fx, v = y - fy, a = fade(u), b = fade(v);
  const double low = corner(seed, i, j, u, v), low1 = corner(seed, i + 1, j, u - 1, v);
  const double high = corner(seed, i, j + 1, u, v - 1);
  const double high1 = corner(seed, i + 1, j + 1, u - 1, v - 1);
  const double s = low + a * (low1 - low), t = high + a * (high1 - high);
  return s + b * (t - s);
}

double fractal_height(const FractalNoise& n, double x, double y) {
  double f = 1 / n.wavelength;
  if (n.warp != 0) {
    const double wx = n.warp * gradient_noise(n.seed ^ 0x57a1, x * f, y * f);
    const double wy = n.warp * gradient_noise(n.seed ^ 0x57a2, x * f, y * f);
    x += wx, y += wy;
  }
  const double gain = std::exp2(-n.hurst);
  double amplitude = n.amplitude, height = 0.0, crest_weight = 1.0;
  for (int octave = 0; octave < n.octaves; ++octave, f *= 2, amplitude *= gain) {
    // Each octave has its own hash and its own offset: grid points, where noise is zero, must not
    // coincide.
    const std::uint64_t seed = hash_cell(n.seed, octave, 0);
    const double shift = 0.37 * octave;
    const double value = gradient_noise(seed, x * f + shift, y * f - shift);
    if (n.ridges == 0) {
      height += amplitude * value;
      continue;
    }
    // Crests where noise crosses zero; finer ones grow on those that are there.
    const double crest = (1 - std::abs(value)) * (1 - std::abs(value)) * crest_weight;
    crest_weight = crest < 0 ? 0 : crest > 1 ? 1 : crest;
    height += amplitude * ((1 - n.ridges) * value + n.ridges * (crest - 0.6));
  }
  return height;
}

}  // namespace camber::terrain
