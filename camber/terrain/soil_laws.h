#pragma once

// Soil laws as templates over the scalar: pressure and sinkage, shear, bearing capacity.
// docs/theory/soil.md, section 2, has their sources and limits.

#include <cmath>

#include "camber/math/scalar.h"
#include "camber/terrain/soil.h"

namespace camber::terrain {

// --- Pressure and sinkage ---

/// k [Pa/m^n] of p = k z^n under a contact whose smaller dimension is b [m], for the laws of Bekker
/// and Reece. A negative k_c can make it negative for a small b: calc_modulus() throws
/// std::invalid_argument then, with both numbers; soil_modulus() leaves it to the caller.
double soil_modulus(const Soil& soil, double b);
double calc_modulus(const Soil& soil, double b);

/// p(z) [Pa] of undisturbed soil, 0 for z <= 0, infinite if it is rigid. `k` from soil_modulus().
template <class T>
T virgin_pressure(const Soil& soil, double k, const T& z) {
  using math::select;
  using std::log, std::pow;
  if (soil.law == PressureLaw::kRigid) return select(z > T(0), T(1e300), T(0));
  const T depth = select(z > T(0), z, T(1e-300));
  if (soil.law == PressureLaw::kPrestonThomas) {
    const T part = select(depth < T(0.999999 * soil.z_w), depth * (1 / soil.z_w), T(0.999999));
    return select(z > T(0), -soil.p_1 * log(T(1) - part), T(0));
  }
  return select(z > T(0), k * pow(depth, soil.n), T(0));
}

/// z [m] at which undisturbed soil carries p; the inverse of virgin_pressure().
double virgin_sinkage(const Soil& soil, double k, double p);

/// One point of ground with a memory of its compression: loading along the virgin curve, unloading
/// and reloading along a steep line [Wong]. The line is defined by its foot z_p alone; at its
/// intersection with the virgin curve, loading continues along that curve.
///   p = min(k_u (z - z_p), p_virgin(z)),  z_p = z - p/k_u  when the second one is taken
struct PlasticPoint {
  double z_p = 0.0;  // plastic sinkage, at which the pressure is zero [m]

  /// Pressure at sinkage z, and the new memory; k_u is the stiffness of unloading [Pa/m].
  double load(const Soil& soil, double k, double k_u, double z);
};

// --- Shear ---

/// Mohr-Coulomb: c + sigma tan(phi), sigma >= 0.
template <class T>
T shear_strength(const Soil& soil, const T& sigma) {
  using math::select;
  return soil.cohesion + select(sigma > T(0), sigma, T(0)) * std::tan(soil.friction_angle);
}

/// Janosi and Hanamoto: the fraction of the strength that a shear displacement j mobilizes, odd in
/// j.
template <class T>
T janosi(const T& j, double K) {
  using math::select;
  using std::abs, std::exp;
  const T part = T(1) - exp(-abs(j) * (1 / K));
  return select(j < T(0), -part, part);
}

/// Wong's law for soils with a peak: K_r is residual over peak strength, K_w the displacement of
/// the peak [m].
double humped_shear(double j, double K_r, double K_w);

/// A shear stress in the contact plane, as a vector that follows the sliding velocity:
///   d tau/dt = (tau_max v - |v| tau)/K                                         (1)
/// Along a straight line this is Janosi's law. At rest it keeps its stress, so that a parked
/// vehicle does not move; it follows the direction of sliding and does not exceed tau_max. One
/// step, in two or three components, with j = |v| dt/K:
///   tau <- (tau + (1 + j/2) (dt tau_max/K) v)/(1 + j + j^2/2), cut to tau_max  (2)
/// of second order for constant v, and a mean of tau and tau_max v/|v| for any dt. The stress on
/// the wheel is -tau.
template <int N>
void step_shear(double tau_max, double K, double dt, const double (&v)[N], double (&tau)[N]) {
  double speed2 = 0.0, tau2 = 0.0;
  for (int i = 0; i < N; ++i) speed2 += v[i] * v[i];
  const double j = std::sqrt(speed2) * dt / K, scale = 1 / (1 + j * (1 + 0.5 * j));
  const double gain = (1 + 0.5 * j) * tau_max * dt / K;
  for (int i = 0; i < N; ++i) {
    tau[i] = (tau[i] + gain * v[i]) * scale;
    tau2 += tau[i] * tau[i];
  }
  // Strength decreases with the normal stress: stress above it is lost by slip.
  if (tau2 <= tau_max * tau_max) return;
  const double cut = tau_max / std::sqrt(tau2);
  for (int i = 0; i < N; ++i) tau[i] *= cut;
}

// --- Bearing capacity and passive resistance ---

struct BearingFactors {
  double N_c, N_q, N_gamma;         // Terzaghi; N_gamma by a closed-form fit of his charts
  double N_c_prandtl, N_q_prandtl;  // Prandtl-Reissner
  double N_gamma_vesic, N_gamma_meyerhof;
  double K_pc, K_pgamma;  // of passive resistance in front of a wheel
};
/// For a friction angle in 0..50 deg [rad]. No 0/0 at 0.
BearingFactors bearing_factors(double phi);

/// c N_c + gamma z N_q + gamma b N_gamma/2 [Pa] under a strip of width b at depth z. With
/// `local_shear` for loose soil: 2/3 of c and of tan(phi).
double bearing_capacity(const Soil& soil, double b, double z, bool local_shear = false);

/// The load that a contact of this area under a wheel of the width b, at the depth z, carries
/// before the soil below it fails [N]; infinite if it is rigid. A pressure-sinkage law alone never
/// fails: it only predicts more sinkage.
double safe_load(const Soil& soil, double b, double area, double z, bool local_shear = false);

/// Passive resistance of soil pushed by a face of width b and depth z [N]: b (c z K_pc + gamma z^2
/// K_pgamma/2).
double passive_resistance(const Soil& soil, double b, double z);

/// Passive resistance per width of a side face on level ground after Hegedus [N/m].
double hegedus_resistance(const Soil& soil, double h);

}  // namespace camber::terrain
