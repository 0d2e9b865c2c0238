#include "camber/terrain/procedural.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/terrain/elevation_map.h"
#include "camber/terrain/test/csv.h"

namespace camber::terrain {
namespace {

TEST(GradientNoise, IsZeroAtGridPointsAndSmoothBetween) {
  for (int i = -3; i < 4; ++i) EXPECT_EQ(gradient_noise(5, i, 2 * i + 1), 0.0);
  double last = gradient_noise(5, 0.3, 7.1), last_slope = 0, top = 0;
  const double e = 1e-3;
  for (int k = 1; k < 20000; ++k) {
    const double v = gradient_noise(5, 0.3 + e * k, 7.1 + 0.6 * e * k);
    const double slope = (v - last) / e;
    if (k > 1) {
      EXPECT_LT(std::abs(slope - last_slope), 0.05);  // C1: no kink at cell borders
    }
    last = v, last_slope = slope, top = std::max(top, std::abs(v));
  }
  EXPECT_LT(top, 1.0);
  EXPECT_GT(top, 0.4);
}

TEST(GradientNoise, KeepsItsBits) {
  // The same on every platform: sums and products of doubles alone.
  EXPECT_EQ(hash_cell(1, 2, 3), hash_cell(1, 2, 3));
  EXPECT_NE(hash_cell(1, 2, 3), hash_cell(1, 3, 2));
  EXPECT_NE(gradient_noise(1, 0.4, 0.7), gradient_noise(2, 0.4, 0.7));
}

/// Power of a profile between two spatial frequencies, by projection on sines under a Hann window:
/// no FFT, and nothing of the generator's own code.
double band_power(const std::vector<double>& z, double step, double n_low, double n_high) {
  const auto count = static_cast<double>(z.size());
  const double length = count * step;
  std::vector<double> windowed = z;
  for (std::size_t k = 0; k < z.size(); ++k) {
    windowed[k] *= 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(k) / count);
  }
  double power = 0;
  for (int line = static_cast<int>(std::ceil(n_low * length));
       line < static_cast<int>(std::ceil(n_high * length)); ++line) {
    const double w = 2 * std::numbers::pi * line / count;
    // Recurrence of the rotation: 1e5 samples keep 1e-10.
    double c = 1, s = 0, re = 0, im = 0;
    const double cw = std::cos(w), sw = std::sin(w);
    for (const double value : windowed) {
      re += value * c, im += value * s;
      const double c1 = c * cw - s * sw;
      s = s * cw + c * sw, c = c1;
    }
    power += 2 * (re * re + im * im) / (count * count) / 0.375;
  }
  return power;
}

// int G_d(n0) (n/n0)^-2 dn over an octave.
double class_power(double density, double n_low, double n_high) {
  return density * 0.01 * (1 / n_low - 1 / n_high);
}

// A 10 km profile within 10 % of the target per octave, along x, y and a slanted line. Waves are as
// short as the samples can show; the highest octave looked at leaves out the last two, where the
// cut is felt.
TEST(Roughness, HasTheSpectrumOfItsIsoClassAlongEveryLine) {
  RoughnessSpec spec{.density = iso8608_density('E'), .n_min = 0.01, .n_max = 1.0, .seed = 42};
  const Roughness surface(spec);
  const double step = 0.5;
  for (const double angle : {0.0, 0.7, std::numbers::pi / 2}) {
    std::vector<double> z;
    for (int k = 0; k < 20000; ++k) {
      z.push_back(surface.height(33 + step * k * std::cos(angle), -7 + step * k * std::sin(angle)));
    }
    for (const double n : {0.03125, 0.0625, 0.125}) {
      const double ratio = band_power(z, step, n, 2 * n) / class_power(spec.density, n, 2 * n);
      EXPECT_NEAR(ratio, 1.0, 0.10) << "octave from " << n << " 1/m at angle " << angle;
    }
  }
}

TEST(Roughness, HasTheMeanDensitiesAndRmsValuesOfIso8608) {
  for (const CsvRow& row : read_table("iso8608_classes.csv")) {
    const double mean = iso8608_density(row[0][0]);
    EXPECT_NEAR(mean, std::stod(row[2]), 1e-12) << row[0];
    // rms of a profile for 0.011 < n < 2.83 and 0.05 < n < 2.83 1/m.
    const double rms[] = {std::stod(row[6]), std::stod(row[7])};
    EXPECT_NEAR(std::sqrt(class_power(mean, 0.011, 2.83)), rms[0], 1e-5 * rms[0]) << row[0];
    EXPECT_NEAR(std::sqrt(class_power(mean, 0.05, 2.83)), rms[1], 1e-5 * rms[1]) << row[0];
  }
  EXPECT_THROW(iso8608_density('J'), std::invalid_argument);
}

// The surface as it is sampled, for a class and the lengths that its nodes can show.
TEST(Roughness, MadeGroundHasTheRmsOfItsClass) {
  const RoughnessSpec spec{.density = iso8608_density('E'), .n_min = 0.05, .n_max = 1.6, .seed = 3};
  const Roughness surface(spec);
  double sum = 0;
  RandomStream random(1);
  for (int k = 0; k < 20000; ++k) {
    const double h = surface.height(random.uniform(-3000, 3000), random.uniform(-3000, 3000));
    sum += h * h / 20000;
  }
  // The variance of the surface is that of all waves: pi/2 of G_d between them.
  EXPECT_NEAR(sum, 0.5 * std::numbers::pi * class_power(spec.density, 0.05, 1.6), 0.05 * sum);
}

TEST(Roughness, BlocksAreTheSumOfWaves) {
  const Roughness surface({.density = 1e-3, .n_max = 1.6, .seed = 9});
  std::vector<double> block(13 * 7, 0.25);
  surface.add_block(0.3, 1000, -5000, 13, 7, &block);
  for (int j = 0; j < 7; ++j) {
    for (int i = 0; i < 13; ++i) {
      EXPECT_NEAR(block[13 * j + i], 0.25 + surface.height(0.3 * (1000 + i), 0.3 * (j - 5000)),
                  1e-11);
    }
  }
}

TEST(ProceduralGround, NodesDoNotDependOnTheirBlock) {
  ProceduralSpec spec;
  spec.hills = {
      .seed = 3, .amplitude = 12, .wavelength = 90, .octaves = 7, .ridges = 0.4, .warp = 5};
  spec.roughness.density = iso8608_density('F');
  const ProceduralGround ground(spec, 0.25);
  std::vector<float> large(100 * 80), small(9 * 11);
  ground.calc_block(-40, 7000, 100, 80, large.data());
  ground.calc_block(13, 7020, 9, 11, small.data());
  for (int j = 0; j < 11; ++j) {
    for (int i = 0; i < 9; ++i) EXPECT_EQ(small[9 * j + i], large[100 * (20 + j) + 53 + i]);
  }
}

TEST(ProceduralGround, TreesKeepTheirDistanceAndDoNotDependOnTheBox) {
  ProceduralSpec spec;
  spec.tree_density = 0.02;
  spec.seed = 8;
  const ProceduralGround ground(spec, 0.25);
  const auto all = ground.find_trees({-200, -150, 200, 150});
  EXPECT_NEAR(static_cast<double>(all.size()), 0.02 * 400 * 300, 0.02 * 400 * 300 * 0.25);
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      EXPECT_GT(std::hypot(all[a].x - all[b].x, all[a].y - all[b].y), 0.3 / std::sqrt(0.02));
    }
  }
  std::size_t parts = 0;
  for (const Box2& box : {Box2{-200, -150, 13.7, 150}, Box2{13.7, -150, 200, 150}}) {
    parts += ground.find_trees(box).size();
  }
  EXPECT_EQ(parts, all.size());
}

}  // namespace
}  // namespace camber::terrain
