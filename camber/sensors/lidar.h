#pragma once

// Parts of the LIDAR that can be tested one by one.

#include <array>
#include <cstdint>

#include "camber/core/random.h"
#include "camber/sensors/sensor_spec.h"

namespace camber::sensors {

/// Extinction of light in rain, fog and dust [1/m]: 2.478e-4 R^0.67 for R mm/h of rain (ITU-R
/// P.1814), 3.912/V (V in m) with Kim's exponent of the wavelength for fog.
double calc_extinction(const Weather& weather, double wavelength);

/// Received power over that of a reference target at the max range in clear air:
///   P = (rho cos(i) / rho0) (Rmax / R)^2 exp(-2 alpha R)
double calc_signal(const LidarSpec& spec, double reflectivity, double cos_incidence, double range,
                   double extinction);

/// Probability that a signal is detected: half at the reference, logistic in dB.
double calc_detection(double signal);
/// Deviation of the measured range [m]: sigma sqrt(1 + 3 / P), twice sigma at the reference.
double calc_range_sigma(const LidarSpec& spec, double signal);

/// Random numbers of one ray: a function of sensor, scan and ray alone.
class RayRandom {
 public:
  RayRandom(std::uint64_t key, std::uint64_t scan) : key_(key), scan_(scan) {}
  std::uint64_t key() const { return key_; }
  std::uint64_t scan() const { return scan_; }
  /// Two numbers in (0, 1) of a ray's block.
  std::array<double, 2> uniforms(std::uint32_t ray, std::uint32_t block) const {
    const auto words = internal::philox4x32(
        {ray, block, static_cast<std::uint32_t>(scan_), static_cast<std::uint32_t>(scan_ >> 32)},
        {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)});
    const auto unit = [](std::uint32_t high, std::uint32_t low) {
      const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32 | low) >> 12;
      return (static_cast<double>(bits) + 0.5) * 0x1p-52;
    };
    return {unit(words[0], words[1]), unit(words[2], words[3])};
  }
  std::array<double, 2> normals(std::uint32_t ray, std::uint32_t block) const {
    const auto u = uniforms(ray, block);
    return {internal::normal_quantile(u[0]), internal::normal_quantile(u[1])};
  }

 private:
  std::uint64_t key_, scan_;
};

}  // namespace camber::sensors
