#include "camber/terrain/rigid_wheel.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/math/dual.h"
#include "camber/terrain/soil_laws.h"
#include "camber/terrain/test/csv.h"

namespace camber::terrain {
namespace {

struct Case {
  RigidWheel wheel;
  Soil soil;
  double load = 0;
};

Case read_case(const std::string& name) {
  std::ifstream file("camber/terrain/test/data/ref_rigid_wheel_cases.json");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto get = [&](const std::string& key) { return json_number(text, name, key); };
  Case c;
  c.wheel.radius = get("r_m"), c.wheel.width = get("b_m");
  c.wheel.c1 = get("c1"), c.wheel.c2 = get("c2");
  c.soil.n = get("n"), c.soil.k_c = 0, c.soil.k_phi = get("k_eq_Pa_per_m_n");
  c.soil.cohesion = get("c_Pa");
  c.soil.friction_angle = get("phi_deg") * std::numbers::pi / 180;
  c.soil.shear_modulus = get("K_m");
  c.load = get("W_N");
  return c;
}

// Validation check 4. The table has eight digits.
TEST(RigidWheel, ReproducesTheReferenceTable) {
  int bottomed = 0;
  for (const CsvRow& row : read_table("ref_rigid_wheel.csv")) {
    SCOPED_TRACE(row[0] + " at slip " + row[1]);
    const Case c = read_case(row[0]);
    const WheelOnSoil r = solve_wheel_load(c.wheel, c.soil, c.load, {.s = std::stod(row[1])});
    const auto near = [&](double value, int column) {
      const double expected = std::stod(row[column]);
      EXPECT_NEAR(value, expected, 1e-5 * std::abs(expected)) << "column " << column;
    };
    if (row[2] == "nan" || row[2].empty()) {
      EXPECT_EQ(r.status, WheelOnSoil::Status::kBottoming);
      ++bottomed;
      continue;
    }
    ASSERT_EQ(r.status, WheelOnSoil::Status::kOk);
    near(r.theta_1, 2);
    near(r.forces.sinkage, 4);
    near(r.forces.Fz, 5);
    near(r.forces.Fx, 6);
    near(r.forces.torque, 7);
    near(r.forces.compaction, 8);
  }
  RecordProperty("bottomed", bottomed);
}

TEST(RigidWheel, ReproducesTheTowedWheelOfBekker) {
  for (const CsvRow& row : read_table("ref_bekker_towed_wheel.csv")) {
    const auto at = [&](int i) { return std::stod(row[i]); };
    const TowedWheel closed = bekker_towed_wheel(at(2), at(1), at(3), at(4), at(5));
    const TowedWheel exact = exact_towed_wheel(at(2), at(1), at(3), at(4), at(5));
    EXPECT_NEAR(closed.sinkage, at(6), 1e-6 * at(6));
    EXPECT_NEAR(closed.resistance, at(7), 1e-6 * at(7));
    EXPECT_NEAR(exact.sinkage, at(8), 1e-6 * at(8));
    EXPECT_NEAR(exact.resistance, at(9), 1e-6 * at(9));
  }
}

TEST(RigidWheel, PullsMoreWithSlipAndSinksMoreUnderLoad) {
  for (const char* name : {"HMMWV_dry_sand_LLL", "HMMWV_LETE_sand", "HMMWV_sandy_loam_15_LLL",
                           "HMMWV_upland_sandy_loam_51", "HMMWV_north_gower_clayey_loam_46",
                           "HMMWV_heavy_clay_25_WES"}) {
    const Case c = read_case(name);
    double last = -1e9;
    for (int i = 0; i <= 10; ++i) {
      const double s = 0.02 * i;
      const double pull = solve_wheel_load(c.wheel, c.soil, c.load, {.s = s}).forces.Fx;
      EXPECT_GT(pull, last) << name << " at " << s;
      last = pull;
    }
    double sinkage = 0;
    for (const double load : {500.0, 2000.0, 4000.0, 6600.0}) {
      const WheelOnSoil r = solve_wheel_load(c.wheel, c.soil, load, {.s = 0.1});
      EXPECT_GT(r.forces.sinkage, sinkage);
      sinkage = r.forces.sinkage;
    }
  }
}

TEST(RigidWheel, ReportsBottomingInSnow) {
  const Case c = read_case("HMMWV_snow_US");
  const WheelOnSoil r = solve_wheel_load(c.wheel, c.soil, c.load, {.s = 0.5});
  EXPECT_EQ(r.status, WheelOnSoil::Status::kBottoming);
  EXPECT_LT(r.forces.Fz, c.load);
  EXPECT_GT(r.theta_1, 0.5);
}

// A drifting wheel is pushed back, one that mirrors it likewise, and a fast drift costs pull: there
// is one strength for both directions.
TEST(RigidWheel, SideForceOpposesTheDriftAndSharesTheStrength) {
  const Case c = read_case("HMMWV_LETE_sand");
  const auto at = [&](double beta) {
    return solve_wheel_load(c.wheel, c.soil, c.load, {.s = 0.2, .beta = beta}).forces;
  };
  const auto straight = at(0), left = at(0.3), right = at(-0.3);
  EXPECT_EQ(straight.Fy, 0);
  EXPECT_LT(left.Fy, -500);
  EXPECT_NEAR(left.Fy, -right.Fy, 1e-9 * c.load);
  EXPECT_LT(left.Fx, straight.Fx);
  EXPECT_LT(at(0.6).Fy, left.Fy);
}

TEST(RigidWheel, BulldozingHoldsABrakedWheelBack) {
  Case c = read_case("HMMWV_dry_sand_LLL");
  const double without = solve_wheel_load(c.wheel, c.soil, c.load, {.s = -0.5}).forces.Fx;
  c.wheel.bulldozing = true;
  const WheelOnSoil with = solve_wheel_load(c.wheel, c.soil, c.load, {.s = -0.5});
  EXPECT_NEAR(with.forces.Fx,
              without - 0.5 * passive_resistance(c.soil, c.wheel.width, with.forces.sinkage), 1e-6);
}

TEST(RigidWheel, SinksMoreWithSlipAsChosen) {
  Case c = read_case("HMMWV_LETE_sand");
  const auto sinkage = [&](double s) {
    return solve_wheel_load(c.wheel, c.soil, c.load, {.s = s}).forces.sinkage;
  };
  const double plain = sinkage(0.4);
  c.wheel.slip_sinkage = SlipSinkage::kVasilev;
  EXPECT_NEAR(sinkage(0.4), plain * 1.4 / 0.8, 1e-12);
  c.wheel.slip_sinkage = SlipSinkage::kExponent;
  c.wheel.n_1 = 0.2;  // a larger exponent is a softer soil at depths below a meter
  EXPECT_GT(sinkage(0.4), 1.05 * plain);
  EXPECT_GT(sinkage(0.4), sinkage(0.1));
}

TEST(RigidWheel, DualNumbersMatchDifferences) {
  using D = math::Dual<3>;
  Case c = read_case("HMMWV_LETE_sand");
  c.wheel.exit0 = 0.4, c.wheel.exit1 = -0.2;
  const double k = calc_modulus(c.soil, c.wheel.width);
  const double at[3] = {0.4, 0.13, 0.2};
  const auto f = calc_wheel_forces<D>(c.wheel, c.soil, k, D::variable(at[0], 0),
                                      {D::variable(at[1], 1), D::variable(at[2], 2)});
  for (int i = 0; i < 3; ++i) {
    const double e = 1e-6;
    double low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
    low[i] -= e, high[i] += e;
    const auto a = calc_wheel_forces<double>(c.wheel, c.soil, k, low[0], {low[1], low[2]});
    const auto b = calc_wheel_forces<double>(c.wheel, c.soil, k, high[0], {high[1], high[2]});
    EXPECT_NEAR(f.Fx.partial(i), (b.Fx - a.Fx) / (2 * e), 1e-5 * c.load);
    EXPECT_NEAR(f.Fy.partial(i), (b.Fy - a.Fy) / (2 * e), 1e-5 * c.load);
    EXPECT_NEAR(f.Fz.partial(i), (b.Fz - a.Fz) / (2 * e), 1e-5 * c.load);
    EXPECT_NEAR(f.torque.partial(i), (b.torque - a.torque) / (2 * e), 1e-5 * c.load);
  }
}

TEST(RigidWheel, RefusesWhatIsNoLoadOrSlip) {
  const Case c = read_case("HMMWV_LETE_sand");
  EXPECT_THROW(solve_wheel_load(c.wheel, c.soil, -1, {}), std::invalid_argument);
  EXPECT_THROW(solve_wheel_load(c.wheel, c.soil, 100, {.s = 1.5}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::terrain
