#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/terrain/soil.h"
#include "camber/terrain/soil_laws.h"

// Bekker and Mohr-Coulomb values after J. Y. Wong, Theory of Ground Vehicles (table of terrain
// values). K of LETE_sand was measured for that soil; the others are estimates for their class
// (Wong: firm sand 10 mm, loose sand 25 mm, clay 6 mm, fresh snow 25 to 50 mm). sand_box_CMU is a
// fit of the plate tests of C. Pavlov and A. M. Johnson (camber/terrain/test/data, MIT license):
// its k_c is negative. The sands of Wong and Reece (1967) hold for wheels 0.1524 m wide. Unit
// weights are typical of the class. Elastic stiffness was not measured for any of them: for two
// soils it is that of the examples in the SCM literature, for the others ten times the secant of
// the virgin curve at 20 mm under b = 0.3 m and at least 4e7 Pa/m.
namespace camber::terrain {
namespace {

struct Row {
  const char* name;
  double n, k_c, k_phi;      // [kN/m^(n+1)], [kN/m^(n+2)]
  double cohesion, phi_deg;  // [kPa], [deg]
  double K;                  // [m]
  double unit_weight;        // [kN/m^3]
  double elastic = 0;        // [Pa/m]; 0: estimated
};

constexpr Row kRows[] = {
    {"dry_sand_LLL", 1.1, 0.99, 1528.43, 1.04, 28, 0.025, 16},
    {"sandy_loam_15_LLL", 0.7, 5.27, 1515.04, 1.72, 29, 0.015, 17.5},
    {"sandy_loam_22_LLL", 0.2, 2.56, 43.12, 1.38, 38, 0.015, 17.5},
    {"sandy_loam_11_Michigan", 0.9, 52.53, 1127.97, 4.83, 20, 0.015, 17.5},
    {"sandy_loam_23_Michigan", 0.4, 11.42, 808.96, 9.65, 35, 0.015, 17.5},
    {"sandy_loam_26_Hanamoto", 0.3, 2.79, 141.11, 13.79, 22, 0.015, 17.5},
    {"sandy_loam_32_Hanamoto", 0.5, 0.77, 51.91, 5.17, 11, 0.015, 17.5},
    {"clayey_38_Thailand", 0.5, 13.19, 692.15, 4.14, 13, 0.01, 18.5},
    {"clayey_55_Thailand", 0.7, 16.03, 1262.53, 2.07, 10, 0.01, 18.5},
    {"heavy_clay_25_WES", 0.13, 12.7, 1555.95, 68.95, 34, 0.006, 18.5},
    {"heavy_clay_40_WES", 0.11, 1.84, 103.27, 20.69, 6, 0.006, 18.5},
    {"lean_clay_22_WES", 0.2, 16.43, 1724.69, 68.95, 20, 0.006, 18.5},
    {"lean_clay_32_WES", 0.15, 1.52, 119.61, 13.79, 11, 0.006, 18.5},
    {"LETE_sand", 0.793, 102, 5301, 1.3, 31.1, 0.012, 16},
    {"upland_sandy_loam_51", 1.1, 74.6, 2080, 3.3, 33.7, 0.015, 17.5},
    {"rubicon_sandy_loam_43", 0.66, 6.9, 752, 3.7, 29.8, 0.015, 17.5},
    {"north_gower_clayey_loam_46", 0.73, 41.6, 2471, 6.1, 26.6, 0.01, 17.5},
    {"grenville_loam_24", 1.01, 0.06, 5880, 3.1, 29.8, 0.015, 17.5},
    {"snow_US", 1.6, 4.37, 196.72, 1.03, 19.7, 0.04, 3},
    {"snow_Sweden", 1.44, 10.55, 66.08, 6.0, 20.7, 0.04, 3},
    {"sand_box_CMU_60_100mm_plates", 1.443, -294.97, 15473, 0, 29, 0.021, 13.05},
    {"wong_reece_compact_sand_b0.1524", 0.47, 0, 584.23, 0.69, 33.3, 0.0381, 16},
    {"wong_reece_loose_sand_b0.1524", 1.15, 0, 719.89, 0.83, 31.1, 0.0381, 16},
    {"chrono_soft_demo", 1.1, 0, 200, 0, 30, 0.01, 16, 4e7},
    {"chrono_firm_demo", 1.1, 0, 2000, 0, 30, 0.01, 16, 2e8},
};

std::vector<Soil> make_library() {
  std::vector<Soil> soils;
  for (const Row& row : kRows) {
    Soil soil;
    soil.name = row.name;
    soil.n = row.n;
    soil.k_c = 1e3 * row.k_c;
    soil.k_phi = 1e3 * row.k_phi;
    soil.cohesion = 1e3 * row.cohesion;
    soil.friction_angle = row.phi_deg * std::numbers::pi / 180;
    soil.shear_modulus = row.K;
    soil.unit_weight = 1e3 * row.unit_weight;
    const double secant = soil_modulus(soil, 0.3) * std::pow(0.02, soil.n - 1);
    soil.elastic_stiffness = row.elastic > 0 ? row.elastic : std::max(4e7, 10 * secant);
    soils.push_back(soil);
  }
  return soils;
}

}  // namespace

Soil make_rigid_ground(double friction) {
  Soil soil;
  soil.name = "rigid";
  soil.law = PressureLaw::kRigid;
  soil.cohesion = 0.0;
  soil.friction_angle = std::atan(friction);
  soil.shear_modulus = 0.005;
  soil.elastic_stiffness = 2e8;
  return soil;
}

std::span<const Soil> soil_library() {
  static const std::vector<Soil> soils = make_library();
  return soils;
}

std::vector<std::string> soil_names() {
  std::vector<std::string> names;
  for (const Soil& soil : soil_library()) names.push_back(soil.name);
  return names;
}

const Soil& find_soil(std::string_view name) {
  for (const Soil& soil : soil_library()) {
    if (soil.name == name) return soil;
  }
  throw std::invalid_argument(concat("no soil \"", name, "\"", did_you_mean(name, soil_names())));
}

void check_soil(const Soil& s) {
  require(s.n > 0 && s.n < 10, "soil: n must be in 0..10, got ", s.n);
  if (s.law == PressureLaw::kRigid) {
    // Its stiffness is checked below.
  } else if (s.law == PressureLaw::kPrestonThomas) {
    require(s.p_1 > 0 && s.z_w > 0, "soil: p_1 and z_w must be > 0, got ", s.p_1, " Pa and ", s.z_w,
            " m");
  } else {
    require(s.k_phi > 0 || s.k_c > 0, "soil: k_c or k_phi must be > 0, got ", s.k_c, " and ",
            s.k_phi);
  }
  require(s.cohesion >= 0, "soil: cohesion must be >= 0 Pa, got ", s.cohesion);
  require(s.friction_angle >= 0 && s.friction_angle < std::numbers::pi / 3,
          "soil: friction angle must be in 0..60 deg, got ",
          s.friction_angle * 180 / std::numbers::pi);
  require(s.shear_modulus > 0, "soil: shear modulus K must be > 0 m, got ", s.shear_modulus);
  require(s.unit_weight > 0, "soil: unit weight must be > 0 N/m^3, got ", s.unit_weight);
  require(s.elastic_stiffness > 0, "soil: elastic stiffness must be > 0 Pa/m, got ",
          s.elastic_stiffness);
  require(s.damping >= 0, "soil: damping must be >= 0 Pa s/m, got ", s.damping);
}

}  // namespace camber::terrain
