#pragma once

#include <cstdint>

namespace camber::terrain {

/// Gradient noise on the integer grid [Perlin 2002]: zero at integer points, |value| < 1, C2. The
/// gradients come from a hash of seed and grid point, so that each point can be computed alone,
/// with the same result on every platform and for every order of queries.
double gradient_noise(std::uint64_t seed, double x, double y);

/// Hills: octaves of gradient noise, each of twice the frequency.
struct FractalNoise {
  std::uint64_t seed = 1;
  double amplitude = 10.0;    // of the longest octave; peaks reach about 0.7 of it [m]
  double wavelength = 200.0;  // of the longest octave [m]
  int octaves = 6;
  double hurst =
      0.9;  // amplitudes fall by 2^-hurst per octave: profiles have a spectrum n^-(2 hurst + 1)
  double ridges = 0.0;  // fraction of the amplitude in sharp crests, 0..1 [Musgrave 1994]
  double warp = 0.0;    // distance by which points are displaced before the lookup [m]
};

/// Height at a point [m]; about 20 ns per octave.
double fractal_height(const FractalNoise& noise, double x, double y);

/// 64 well mixed bits of a seed and two integers.
std::uint64_t hash_cell(std::uint64_t seed, std::int64_t i, std::int64_t j);
/// The same as a number in [0, 1).
double uniform_cell(std::uint64_t seed, std::int64_t i, std::int64_t j);

}  // namespace camber::terrain
