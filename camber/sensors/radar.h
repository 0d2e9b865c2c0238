#pragma once

// Parts of the radar that can be tested one by one.

#include "camber/sensors/sensor_spec.h"

namespace camber::sensors {

/// Two-way gain of the antenna in a direction (azimuth, elevation [rad]) relative to that along its
/// axis: a Gaussian beam, a quarter at half the beam width.
double calc_antenna_pattern(const RadarSpec& spec, double azimuth, double elevation);

/// Reflection coefficient of the ground for vertical polarization at a grazing angle [rad], with the
/// specular part that its roughness leaves [Ament 1953]. Negative: the phase turns by pi.
double calc_ground_reflection(const RadarSpec& spec, double grazing);

/// Received power with the path over level ground relative to that without it, for an antenna and a
/// target at heights above the ground and a distance along it [m]: |1 + Gamma exp(i k delta)|^4,
/// delta the detour [Skolnik 2001, 8.2].
double calc_ground_multipath(const RadarSpec& spec, double antenna, double target, double distance);

}  // namespace camber::sensors
