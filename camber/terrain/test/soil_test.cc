#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/math/dual.h"
#include "camber/terrain/soil_laws.h"
#include "camber/terrain/test/csv.h"

namespace camber::terrain {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// --- The library ---

TEST(SoilLibrary, HasTheValuesOfItsTable) {
  const auto rows = read_table("soil_parameters.csv");
  EXPECT_EQ(rows.size(), soil_library().size());
  for (const CsvRow& row : rows) {
    const Soil& soil = find_soil(row[0]);
    check_soil(soil);
    EXPECT_EQ(soil.n, std::stod(row[3]));
    EXPECT_NEAR(soil.k_c, row[4].empty() ? 0 : 1e3 * std::stod(row[4]), 1e-9);
    EXPECT_NEAR(soil.k_phi, 1e3 * std::stod(row[5]), 1e-6);
    EXPECT_NEAR(soil.cohesion, 1e3 * std::stod(row[6]), 1e-9);
    EXPECT_NEAR(soil.friction_angle, std::stod(row[7]) * kDegree, 1e-12);
    EXPECT_EQ(soil.shear_modulus, std::stod(row[8]));
  }
}

TEST(SoilLibrary, SuggestsTheNameThatWasMeant) {
  try {
    find_soil("LETE_snad");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "no soil \"LETE_snad\"; did you mean \"LETE_sand\"?");
  }
}

TEST(SoilLibrary, AcceptsANegativeKcWhereTheContactIsLargeEnough) {
  const Soil& soil = find_soil("sand_box_CMU_60_100mm_plates");
  EXPECT_LT(soil.k_c, 0);
  EXPECT_NEAR(calc_modulus(soil, 0.1), 15473e3 - 294.97e3 / 0.1, 1);
  EXPECT_THROW(calc_modulus(soil, 0.015), std::invalid_argument);
}

// --- Pressure and sinkage: validation check 1 ---

TEST(PressureSinkage, GrowsAsAPowerFromZero) {
  for (const Soil& soil : soil_library()) {
    SCOPED_TRACE(soil.name);
    const double k = calc_modulus(soil, 0.3);
    EXPECT_EQ(virgin_pressure(soil, k, 0.0), 0.0);
    EXPECT_EQ(virgin_pressure(soil, k, -0.1), 0.0);
    double last = 0;
    for (const double z : {0.001, 0.0123, 0.05, 0.21}) {
      const double p = virgin_pressure(soil, k, z);
      EXPECT_GT(p, last);
      EXPECT_NEAR(virgin_pressure(soil, k, 2 * z) / p, std::exp2(soil.n),
                  1e-12 * std::exp2(soil.n));
      EXPECT_NEAR(virgin_sinkage(soil, k, p), z, 1e-12 * z);
      last = p;
    }
  }
}

TEST(PressureSinkage, ReeceIsBekkerForOneWidth) {
  Soil reece;
  reece.law = PressureLaw::kReece;
  reece.n = 0.47, reece.k_c = 21.3, reece.k_phi = 57.0, reece.cohesion = 690,
  reece.unit_weight = 15.7e3;
  const double b = 0.1524, z = 0.03;
  const double p = (690 * 21.3 + 15.7e3 * b * 57) * std::pow(z / b, 0.47);
  EXPECT_NEAR(virgin_pressure(reece, calc_modulus(reece, b), z), p, 1e-10 * p);
}

// Wong and Reece's compact sand in inches and pounds: (20 psi + 2.5 lb/in^3 b)(z/b)^0.47, b = 6 in.
TEST(PressureSinkage, ReproducesTheCompactSandOfWongAndReece) {
  const Soil& soil = find_soil("wong_reece_compact_sand_b0.1524");
  const double psi = 6894.757293168, inch = 0.0254;
  const double z = 1.7 * inch, p = (20 + 2.5 * 6) * psi * std::pow(1.7 / 6, 0.47);
  EXPECT_NEAR(virgin_pressure(soil, calc_modulus(soil, 0.1524), z), p, 2e-5 * p);
}

TEST(PressureSinkage, SnowStiffensTowardsItsDepth) {
  Soil snow;
  snow.law = PressureLaw::kPrestonThomas;
  snow.p_1 = 12e3, snow.z_w = 0.4;
  check_soil(snow);
  EXPECT_NEAR(virgin_pressure(snow, snow.p_1, 0.2), 12e3 * std::log(2.0), 1e-8);
  EXPECT_NEAR(virgin_sinkage(snow, snow.p_1, 12e3 * std::log(2.0)), 0.2, 1e-12);
  EXPECT_TRUE(std::isfinite(virgin_pressure(snow, snow.p_1, 0.5)));
}

TEST(PressureSinkage, DualNumbersGiveTheSlope) {
  const Soil& soil = find_soil("LETE_sand");
  const double k = calc_modulus(soil, 0.3), z = 0.021, e = 1e-7;
  const auto p = virgin_pressure(soil, k, math::Dual<1>::variable(z, 0));
  EXPECT_NEAR(p.partial(0),
              (virgin_pressure(soil, k, z + e) - virgin_pressure(soil, k, z - e)) / (2 * e),
              1e-6 * p.partial(0));
}

TEST(PressureSinkage, ReloadsAlongItsUnloadingAndRejoinsTheVirginCurve) {
  const Soil& soil = find_soil("LETE_sand");
  const double k = calc_modulus(soil, 0.2), k_u = 2e8, z_u = 0.034;
  PlasticPoint point;
  double work = 0, last_p = 0, last_z = 0;
  const auto go = [&](double z) {
    const double p = point.load(soil, k, k_u, z);
    work += 0.5 * (p + last_p) * (z - last_z);
    last_p = p, last_z = z;
    return p;
  };
  for (int i = 1; i <= 1000; ++i) go(z_u * i / 1000);
  const double p_u = last_p, loading_work = work;
  EXPECT_NEAR(p_u, virgin_pressure(soil, k, z_u), 1e-9 * p_u);
  EXPECT_NEAR(point.z_p, z_u - p_u / k_u, 1e-15);
  std::vector<double> unloading;
  const double rebound = p_u / k_u;
  for (int i = 1; i <= 100; ++i) unloading.push_back(go(z_u - rebound * i / 100));
  EXPECT_NEAR(last_p, 0, 1e-6);
  EXPECT_EQ(go(z_u - 2 * rebound), 0.0);
  for (int i = 99; i >= 1; --i) {
    EXPECT_NEAR(go(z_u - rebound * i / 100), unloading[i - 1], 1e-9 * p_u);
  }
  EXPECT_NEAR(go(z_u), p_u, 1e-9 * p_u);
  EXPECT_GE(work, 0);
  EXPECT_NEAR(work, loading_work, 1e-2 * loading_work);  // the loop itself is closed
  EXPECT_NEAR(go(1.3 * z_u), virgin_pressure(soil, k, 1.3 * z_u), 1e-9 * p_u);
}

// --- Shear: validation check 2 ---

TEST(Shear, JanosiIsOddAndHasItsPublishedPoints) {
  EXPECT_NEAR(janosi(0.012, 0.012), 1 - std::exp(-1.0), 1e-15);
  EXPECT_NEAR(janosi(-0.02, 0.012), -janosi(0.02, 0.012), 1e-15);
  EXPECT_NEAR(janosi(1e-9, 0.012) / 1e-9, 1 / 0.012, 1e-3);
  EXPECT_NEAR(humped_shear(0.02, 0.6, 0.02), 1.0, 1e-12);  // the peak is the peak
  EXPECT_NEAR(humped_shear(0.5, 0.6, 0.02), 0.6, 1e-8);
}

// Backward Euler would have 0.63136 and 0.63204 instead of 1 - 1/e = 0.63212.
TEST(Shear, StepsReproduceJanosiOnAStraightLine) {
  for (const auto& [dt, error] : {std::pair{1e-3, 2e-6}, std::pair{1e-4, 2e-8}}) {
    const double v[2] = {0.03, 0.04};  // 0.05 m/s in a general direction
    double tau[2] = {0, 0};
    const int steps = static_cast<int>(std::lround(0.012 / 0.05 / dt));
    for (int i = 0; i < steps; ++i) step_shear(1.0, 0.012, dt, v, tau);
    EXPECT_NEAR(std::hypot(tau[0], tau[1]), 1 - std::exp(-1.0), error);
    EXPECT_NEAR(tau[0] / tau[1], 0.75, 1e-12);
  }
}

TEST(Shear, NeverExceedsItsStrengthInRandomHistories) {
  const Soil& soil = find_soil("LETE_sand");
  double excess = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomStream random(seed);
    double tau[2] = {0, 0};
    for (int i = 0; i < 500; ++i) {
      const double sigma = random.uniform(-1e4, 2e5);
      const double v[2] = {random.normal(0, 0.4), random.normal(0, 0.4)};
      const double strength = shear_strength(soil, sigma);
      step_shear(strength, soil.shear_modulus, random.uniform(1e-5, 1e-2), v, tau);
      excess = std::max(excess, std::hypot(tau[0], tau[1]) / strength - 1);
    }
  }
  EXPECT_LE(excess, 1e-12);
}

TEST(Shear, IsFrameInvariant) {
  RandomStream random(12);
  const double angle = 0.83, c = std::cos(angle), s = std::sin(angle);
  double a[2] = {0, 0}, b[2] = {0, 0};
  for (int i = 0; i < 1000; ++i) {
    const double v[2] = {random.normal(), random.normal()};
    const double turned[2] = {c * v[0] - s * v[1], s * v[0] + c * v[1]};
    step_shear(5e4, 0.02, 1e-3, v, a);
    step_shear(5e4, 0.02, 1e-3, turned, b);
    EXPECT_NEAR(b[0], c * a[0] - s * a[1], 1e-8);
    EXPECT_NEAR(b[1], s * a[0] + c * a[1], 1e-8);
  }
}

TEST(Shear, HoldsAtRestAndDissipatesOverClosedPaths) {
  double tau[2] = {0, 0};
  const double v[2] = {0.02, -0.01}, rest[2] = {0, 0};
  for (int i = 0; i < 100; ++i) step_shear(4e4, 0.012, 1e-3, v, tau);
  const double held = tau[0];
  for (int i = 0; i < 1000; ++i) step_shear(4e4, 0.012, 1e-3, rest, tau);
  EXPECT_EQ(tau[0], held);
  for (unsigned seed = 0; seed < 20; ++seed) {  // check 10: round any loop the wheel loses work
    RandomStream random(seed);
    double work = 0, path[2] = {0, 0}, stress[2] = {0, 0};
    const int n = 400;
    const double dt = 1e-3, a = random.uniform(0.001, 0.1), b = random.uniform(0.001, 0.1);
    for (int i = 0; i < 5 * n; ++i) {
      const double w = 2 * std::numbers::pi / n;
      const double u[2] = {a * std::cos(w * i) * w / dt, b * std::cos(w * i + 1.1) * w / dt};
      step_shear(4e4, 0.012, dt, u, stress);
      work += (stress[0] * u[0] + stress[1] * u[1]) * dt;
      path[0] += u[0] * dt, path[1] += u[1] * dt;
    }
    EXPECT_NEAR(path[0], 0, 1e-9);
    EXPECT_GT(work, 0) << "seed " << seed;
  }
}

// --- Bearing capacity: validation check 3 ---

TEST(BearingFactors, ReproduceTheirTable) {
  for (const CsvRow& row : read_table("ref_bearing_factors.csv")) {
    const BearingFactors f = bearing_factors(std::stod(row[0]) * kDegree);
    const double values[] = {f.N_c,         f.N_q,           f.N_gamma,          f.N_c_prandtl,
                             f.N_q_prandtl, f.N_gamma_vesic, f.N_gamma_meyerhof, f.K_pc,
                             f.K_pgamma};
    for (int i = 0; i < 9; ++i) {
      EXPECT_NEAR(values[i], std::stod(row[i + 1]), 1e-4)
          << "phi " << row[0] << ", column " << i + 1;
    }
  }
}

TEST(BearingFactors, HaveTheirLimitAtZero) {
  EXPECT_NEAR(bearing_factors(0).N_c, 1 + 1.5 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(bearing_factors(1e-4).N_c, 5.7124, 1e-2);
  EXPECT_NEAR(bearing_factors(1e-8).N_c, 5.7124, 1e-4);
  EXPECT_NEAR(bearing_factors(0).K_pgamma, 9, 1e-12);
}

TEST(BearingCapacity, OfClayIsCohesionAloneAndLooseSoilCarriesLess) {
  Soil clay = find_soil("heavy_clay_40_WES");
  clay.friction_angle = 0;
  EXPECT_NEAR(bearing_capacity(clay, 0.3, 0), 5.7124 * clay.cohesion, 1e-3 * clay.cohesion);
  const Soil& sand = find_soil("LETE_sand");
  EXPECT_LT(bearing_capacity(sand, 0.3, 0.1, true), 0.5 * bearing_capacity(sand, 0.3, 0.1));
}

}  // namespace
}  // namespace camber::terrain
