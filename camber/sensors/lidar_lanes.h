#pragma once

// What becomes of the echoes of single rays, eight at a time: with the bits of calc_signal(),
// calc_detection(), calc_range_sigma() and quantize().

#include <cstddef>

#include "camber/sensors/sensor_spec.h"

namespace camber::sensors {

/// Eight rays and what they meet, number by number.
struct alignas(64) EchoColumns {
  static constexpr std::size_t kLanes = 8;
  double range[kLanes];            // infinite: nothing [m]
  double cosine[kLanes];           // of the incidence, absolute
  double reflectivity[kLanes];     // of the material
  double retroreflection[kLanes];  // of the material
  double chance[kLanes];           // in (0, 1): whether the return is lost
  double noise[kLanes];            // a normal deviate
};

/// What is measured of them.
struct alignas(64) ReturnColumns {
  double range[EchoColumns::kLanes];      // [m]
  double intensity[EchoColumns::kLanes];  // whole numbers
};

/// Returns of full fidelity in clear air. Bit l of the result: ray l is detected; numbers of the
/// others mean nothing. `bias` is the offset of all ranges [m], `min_cosine` that of max_incidence.
unsigned measure_returns(const LidarSpec& spec, double bias, double min_cosine,
                         const EchoColumns& echoes, ReturnColumns* returns);

}  // namespace camber::sensors
