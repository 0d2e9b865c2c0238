#include "camber/terrain/soil_laws.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"

namespace camber::terrain {

double soil_modulus(const Soil& soil, double b) {
  switch (soil.law) {
    case PressureLaw::kBekker:
      return soil.k_c / b + soil.k_phi;
    case PressureLaw::kReece:
      return (soil.cohesion * soil.k_c + soil.unit_weight * b * soil.k_phi) / std::pow(b, soil.n);
    case PressureLaw::kRigid:
    case PressureLaw::kPrestonThomas:
      break;
  }
  return soil.p_1;
}

double calc_modulus(const Soil& soil, double b) {
  require(b > 0, "soil modulus: b must be > 0 m, got ", b);
  const double k = soil_modulus(soil, b);
  require(k > 0, "soil \"", soil.name, "\" has k = ", k, " Pa/m^n under a contact of b = ", b,
          " m; its values are valid for larger ones only");
  return k;
}

double virgin_sinkage(const Soil& soil, double k, double p) {
  if (p <= 0 || soil.law == PressureLaw::kRigid) return 0.0;
  if (soil.law == PressureLaw::kPrestonThomas) return -soil.z_w * std::expm1(-p / soil.p_1);
  return std::pow(p / k, 1 / soil.n);
}

double PlasticPoint::load(const Soil& soil, double k, double k_u, double z) {
  const double elastic = k_u * (z - z_p);
  if (elastic <= 0) return 0.0;
  const double virgin = virgin_pressure(soil, k, z);
  if (elastic <= virgin) return elastic;
  z_p = z - virgin / k_u;
  return virgin;
}

double humped_shear(double j, double K_r, double K_w) {
  const double x = j / K_w;
  const double hump = 1 / (K_r * (1 - std::exp(-1.0))) - 1;
  return K_r * (1 + hump * std::exp(1 - x)) * (1 - std::exp(-x));
}

BearingFactors bearing_factors(double phi) {
  constexpr double pi = std::numbers::pi;
  require(phi >= 0 && phi < pi / 3, "bearing factors: phi must be in 0..60 deg, got ",
          phi * 180 / pi);
  const double t = std::tan(phi), c = std::cos(pi / 4 + phi / 2);
  BearingFactors f{};
  const double log_N_q = (1.5 * pi - phi) * t - std::log(2 * c * c);
  const double log_N_q2 = pi * t - 2 * std::log(c / std::sin(pi / 4 + phi / 2));
  f.N_q = std::exp(log_N_q);
  f.N_q_prandtl = std::exp(log_N_q2);
  // (N_q - 1) cot(phi), whose limits at 0 are the slopes of log N_q there.
  f.N_c = phi < 1e-9 ? 1.5 * pi + 1 : std::expm1(log_N_q) / t;
  f.N_c_prandtl = phi < 1e-9 ? pi + 2 : std::expm1(log_N_q2) / t;
  const double N_gamma_over_t = 2 * (f.N_q + 1) / (1 + 0.4 * std::sin(4 * phi));
  f.N_gamma = N_gamma_over_t * t;
  f.N_gamma_vesic = 2 * (f.N_q_prandtl + 1) * t;
  f.N_gamma_meyerhof = (f.N_q_prandtl - 1) * std::tan(1.4 * phi);
  const double cos2 = std::cos(phi) * std::cos(phi);
  f.K_pc = (f.N_c - t) * cos2;
  f.K_pgamma = (2 * N_gamma_over_t + 1) * cos2;
  return f;
}

double bearing_capacity(const Soil& soil, double b, double z, bool local_shear) {
  const double part = local_shear ? 2.0 / 3.0 : 1.0;
  const BearingFactors f = bearing_factors(std::atan(part * std::tan(soil.friction_angle)));
  return part * soil.cohesion * f.N_c + soil.unit_weight * z * f.N_q +
         0.5 * soil.unit_weight * b * f.N_gamma;
}

double safe_load(const Soil& soil, double b, double area, double z, bool local_shear) {
  if (soil.law == PressureLaw::kRigid) return HUGE_VAL;
  // The strip's width is the shorter side of the contact.
  const double strip = std::min(b, area / b);
  return area * bearing_capacity(soil, strip, z, local_shear);
}

double passive_resistance(const Soil& soil, double b, double z) {
  if (z <= 0) return 0.0;
  const BearingFactors f = bearing_factors(soil.friction_angle);
  return b * (soil.cohesion * z * f.K_pc + 0.5 * soil.unit_weight * z * z * f.K_pgamma);
}

double hegedus_resistance(const Soil& soil, double h) {
  if (h <= 0) return 0.0;
  const double X = std::numbers::pi / 4 - soil.friction_angle / 2;
  const double cot = 1 / std::tan(X);
  return (cot + std::tan(X + soil.friction_angle)) *
         (h * soil.cohesion +
          0.5 * soil.unit_weight * h * h * (cot + cot * cot * std::tan(soil.friction_angle)));
}

}  // namespace camber::terrain
