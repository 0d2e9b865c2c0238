// Steady tire forces against tables, and what every model has to obey: Fx and Fy odd in their
// slips, slopes at zero slip, the friction circle, no power out of the ground.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/symbolic/evaluate.h"
#include "camber/tire/brush.h"
#include "camber/tire/fiala.h"
#include "camber/tire/magic_formula.h"
#include "camber/tire/scalars.h"
#include "camber/tire/test/hmmwv_tires.h"
#include "camber/tire/tir_file.h"
#include "camber/tire/tmeasy.h"

namespace camber::tire {
namespace {

using Row = std::map<std::string, double>;

std::vector<Row> read_table(const std::string& name) {
  std::ifstream file("camber/tire/test/data/" + name);
  std::vector<std::string> names;
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[names[i]] = std::stod(cells[i]);
    rows.push_back(row);
  }
  EXPECT_GT(rows.size(), 40u) << name;
  return rows;
}

// Tables have eight digits.
void expect_near(double found, double expected, double scale, const char* what) {
  EXPECT_NEAR(found, expected, 1e-6 * std::abs(expected) + 1e-8 * scale) << what;
}

const BrushTire kBrush{
    .tread_stiffness = 30000 / (0.12 * 0.12), .half_length = 0.12, .friction = 0.8};

template <class Tire>
void expect_table(const Tire& tire, const char* table) {
  for (const Row& row : read_table(table)) {
    const double kappa = row.at("kappa"), alpha = row.at("alpha_rad"), Fz = row.at("Fz_N");
    SCOPED_TRACE(testing::Message() << "kappa " << kappa << ", alpha " << alpha);
    const TireForce<double> force = calc_steady_force(
        tire, Slip<double>{.kappa = kappa, .tan_alpha = std::tan(alpha), .Fz = Fz});
    expect_near(force.Fx, row.at("Fx_N"), Fz, "Fx");
    expect_near(force.Fy, row.at("Fy_N"), Fz, "Fy");
    expect_near(force.Mz, row.at("Mz_Nm"), Fz, "Mz");
  }
}

TEST(BrushTire, GivesTheTable) { expect_table(kBrush, "brush.csv"); }

// The Fiala set of Project Chrono's HMMWV data (BSD-3-Clause), of which the tables are made.
const FialaTire kFiala{.slip_stiffness = 193929,
                       .cornering_stiffness = 50000,
                       .min_friction = 0.5568,
                       .max_friction = 0.9835,
                       .width = 0.318};

// ADAMS/Tire's form: in pure slip that of all tires, in combined slip of those that ask for it.
TEST(FialaTire, GivesTheTable) {
  FialaTire separate = kFiala;
  separate.is_combined = false;
  expect_table(separate, "fiala.csv");
  int pure = 0;
  for (const Row& row : read_table("fiala.csv")) {
    const double kappa = row.at("kappa"), alpha = row.at("alpha_rad"), Fz = row.at("Fz_N");
    if (kappa != 0 && alpha != 0) continue;
    ++pure;
    const TireForce<double> force = calc_steady_force(
        kFiala, Slip<double>{.kappa = kappa, .tan_alpha = std::tan(alpha), .Fz = Fz});
    expect_near(force.Fx, row.at("Fx_N"), Fz, "Fx");
    expect_near(force.Fy, row.at("Fy_N"), Fz, "Fy");
    expect_near(force.Mz, row.at("Mz_Nm"), Fz, "Mz");
  }
  EXPECT_GT(pure, 30);
}

// The tread of Fiala's theory, element by element from front (0) to rear (1) of the contact, under a
// parabolic pressure: it is bent in proportion to its place until friction ends that, then it slides.
struct TreadSum {
  double Fx = 0, Fy = 0;
};
TreadSum add_up_tread(const FialaTire& tire, double kappa, double tan_alpha, double F) {
  constexpr int kElements = 20000;
  const double ax = tire.slip_stiffness * kappa, ay = -tire.cornering_stiffness * tan_alpha;
  const double a = std::hypot(ax, ay), sliding = std::hypot(kappa, tan_alpha);
  TreadSum sum;
  for (int i = 0; i < kElements; ++i) {
    const double place = (i + 0.5) / kElements, friction = 6 * F * place * (1 - place);
    const bool sticks = 2 * a * place < friction;
    sum.Fx += (sticks ? 2 * ax * place : friction * kappa / sliding) / kElements;
    sum.Fy += (sticks ? 2 * ay * place : -friction * tan_alpha / sliding) / kElements;
  }
  return sum;
}

TEST(FialaTire, TurnsToTheSlidingDirectionAsItsTreadDoes) {
  RandomStream random(23);
  for (int i = 0; i < 60; ++i) {
    const double kappa = random.uniform(-0.25, 0.3), tan_alpha = random.uniform(-0.5, 0.5);
    const double Fz = random.uniform(2000, 12000);
    SCOPED_TRACE(testing::Message() << "seed 23, " << i << ": kappa " << kappa << ", tan alpha "
                                    << tan_alpha << ", Fz " << Fz);
    const double slip = std::hypot(kappa, tan_alpha);
    const double F = Fz * (0.9835 - (0.9835 - 0.5568) * std::min(slip, 1.0));
    const TireForce<double> force =
        calc_steady_force(kFiala, Slip<double>{.kappa = kappa, .tan_alpha = tan_alpha, .Fz = Fz});
    const TreadSum tread = add_up_tread(kFiala, kappa, tan_alpha, F);
    EXPECT_NEAR(std::atan2(force.Fy, force.Fx), std::atan2(tread.Fy, tread.Fx), 2e-4);
    EXPECT_LE(std::hypot(force.Fx, force.Fy), F);
    // With equal stiffnesses the sideways part is the tread's as well, up to the share of the
    // longitudinal law of ADAMS/Tire.
    FialaTire even = kFiala;
    even.slip_stiffness = even.cornering_stiffness;
    const double little = 0.02 * tan_alpha;
    const TireForce<double> side =
        calc_steady_force(even, Slip<double>{.kappa = little, .tan_alpha = tan_alpha, .Fz = Fz});
    const double F_side =
        Fz * (0.9835 - (0.9835 - 0.5568) * std::min(std::hypot(little, tan_alpha), 1.0));
    EXPECT_NEAR(side.Fy, add_up_tread(even, little, tan_alpha, F_side).Fy, 2e-4 * Fz);
  }
}

// By hand: 6 kN, locked, 45 deg of slip angle. kappa = -1, tan alpha = 1: U = UMIN, F = 3340.8 N, all of
// the tread slides, x = |(193929, 50000)| / F = 59.946; r x = 1 - 0.25 / x * 193929^2 / |.|^2 =
// 0.99609: 3327.7 N against the motion, half of its square in each direction.
TEST(FialaTire, SlidesAgainstTheMotionWhenLocked) {
  const TireForce<double> force =
      calc_steady_force(kFiala, Slip<double>{.kappa = -1, .tan_alpha = 1, .Fz = 6000});
  EXPECT_NEAR(force.Fx, -2353.05, 0.5);
  EXPECT_NEAR(force.Fy, -2353.05, 0.5);
  EXPECT_EQ(force.Mz, 0);
}

TEST(TmeasyTire, GivesTheTable) {
  for (const Row& row : read_table("tmeasy.csv")) {
    SCOPED_TRACE(testing::Message() << "sx " << row.at("sx") << ", sy " << row.at("sy"));
    const Slip<double> slip{.kappa = 0, .tan_alpha = 0, .Fz = row.at("Fz_N")};
    const TireForce<double> force =
        calc_tmeasy_force(make_chrono_tmeasy(), row.at("sx"), row.at("sy"), slip);
    expect_near(force.Fx, row.at("Fx_N"), row.at("Fz_N"), "Fx");
    expect_near(force.Fy, row.at("Fy_N"), row.at("Fz_N"), "Fy");
  }
}

TEST(MagicFormula52, GivesTheTable) {
  const MagicFormulaTire tire = load_tir("models/tires/hmmwv.tir").tire;
  for (const Row& row : read_table("mf52.csv")) {
    SCOPED_TRACE(testing::Message()
                 << "kappa " << row.at("kappa") << ", alpha " << row.at("alpha_rad") << ", gamma "
                 << row.at("gamma_rad") << ", Fz " << row.at("Fz_N"));
    const double Fz = row.at("Fz_N");
    const Slip<double> slip{.kappa = row.at("kappa"),
                            .tan_alpha = std::tan(row.at("alpha_rad")),
                            .gamma = row.at("gamma_rad"),
                            .Fz = Fz};
    const PureForces<double> pure = calc_pure_forces(tire, slip);
    const TireForce<double> force = calc_steady_force(tire, slip);
    expect_near(pure.Fx0, row.at("Fx0_N"), Fz, "Fx0");
    expect_near(pure.Fy0, row.at("Fy0_N"), Fz, "Fy0");
    expect_near(force.Fx, row.at("Fx_N"), Fz, "Fx");
    expect_near(force.Fy, row.at("Fy_N"), Fz, "Fy");
    expect_near(pure.Kx, row.at("Kx_N"), Fz, "Kx");
    expect_near(pure.Ky, row.at("Ky_N_rad"), Fz, "Ky");
    expect_near(pure.mu_x, row.at("mux"), 1, "mu_x");
    expect_near(pure.mu_y, row.at("muy"), 1, "mu_y");
    const RelaxationLengths<double> sigma = calc_relaxation_lengths(tire, Fz, row.at("gamma_rad"));
    expect_near(sigma.along, row.at("sigma_kappa_m"), 1, "sigma_kappa");
    expect_near(sigma.across, row.at("sigma_alpha_m"), 1, "sigma_alpha");
  }
}

// Version 6.1 with nominal pressure, an upright wheel and PKY4 = 2 is 5.2 with tan(alpha) for
// alpha.
TEST(MagicFormula61, IsTheOlderOneWhereTheyMeet) {
  const MagicFormulaTire older = load_tir("models/tires/hmmwv.tir").tire;
  MagicFormulaTire newer = older;
  newer.version = MagicFormulaTire::Version::k61;
  for (const double kappa : {-0.31, -0.04, 0.07}) {
    for (const double alpha : {-0.12, 0.011, 0.2}) {
      const Slip<double> slip_61{.kappa = kappa, .tan_alpha = alpha, .Fz = 7300};
      const Slip<double> slip_52{.kappa = kappa, .tan_alpha = std::tan(alpha), .Fz = 7300};
      const TireForce<double> a = calc_steady_force(newer, slip_61),
                              b = calc_steady_force(older, slip_52);
      EXPECT_NEAR(a.Fx, b.Fx, 1e-9 * 7300);
      EXPECT_NEAR(a.Fy, b.Fy, 1e-9 * 7300);
    }
  }
}

TEST(MagicFormula61, FollowsPressureAndInclination) {
  MagicFormulaTire tire = without_shifts(load_tir("models/tires/hmmwv.tir").tire);
  tire.version = MagicFormulaTire::Version::k61;
  tire.NOMPRES = 2.2e5;
  tire.INFLPRES = 2.6e5;
  tire.PPX1 = -0.35;
  tire.PPX3 = -0.09;
  tire.PPY1 = -0.62;
  tire.PPY2 = -0.06;
  tire.PPY3 = -0.16;
  tire.PKY6 = -1.1;
  tire.PKY7 = 0.2;
  tire.PVY3 = tire.PVY4 = 0;
  const double dpi = 0.4 / 2.2, Fz = 6900;
  const Slip<double> straight{.kappa = 0, .tan_alpha = 0, .Fz = Fz};
  MagicFormulaTire nominal = tire;
  nominal.INFLPRES = nominal.NOMPRES;
  const PureForces<double> p = calc_pure_forces(tire, straight),
                           p0 = calc_pure_forces(nominal, straight);
  EXPECT_NEAR(p.Kx / p0.Kx, 1 - 0.35 * dpi, 1e-12);
  EXPECT_NEAR(p.mu_x / p0.mu_x, 1 - 0.09 * dpi, 1e-12);
  EXPECT_NEAR(p.mu_y / p0.mu_y, 1 - 0.16 * dpi, 1e-12);
  // Camber stiffness: dFy/dgamma at zero slip is Fz (PKY6 + PKY7 dfz) [Pacejka 2012, 4.E30].
  const double h = 1e-6, dfz = Fz / (tire.FNOMIN * tire.LFZO) - 1;
  const auto side = [&](double gamma) {
    return calc_steady_force(nominal,
                             Slip<double>{.kappa = 0, .tan_alpha = 0, .gamma = gamma, .Fz = Fz})
        .Fy;
  };
  EXPECT_NEAR((side(h) - side(-h)) / (2 * h), Fz * (-1.1 + 0.2 * dfz), 1e-3 * Fz);
}

// Every model under one name.
struct Model {
  std::string name;
  std::function<TireForce<double>(const Slip<double>&)> force;
  std::function<SlipStiffness<double>(double Fz)> stiffness;
  double friction;       // the largest the force may have
  double excess = 1e-9;  // and by how much it may be more
};

std::vector<Model> all_models() {
  const auto make = [](const std::string& name, const auto& tire, double friction) {
    return Model{name, [tire](const Slip<double>& slip) { return calc_steady_force(tire, slip); },
                 [tire](double Fz) { return calc_slip_stiffness(tire, Fz, 1.0); }, friction};
  };
  const MagicFormulaTire mf = without_shifts(load_tir("models/tires/hmmwv.tir").tire);
  std::vector<Model> models{make("brush", kBrush, 0.8), make("fiala", kFiala, 0.9835),
                            make("tmeasy", load_hmmwv_tmeasy(), 1.0), make("mf52", mf, 1.05)};
  models[3].excess = 0.02;
  return models;
}

// The four files are of one tire: at 6.6 kN, a wheel of the vehicle at rest, they brake with locked wheels and
// corner at their peaks alike. Fiala and the brush have one friction for both directions, the brush one
// stiffness, which is that across; peaks along are theirs.
TEST(SteadyForces, OfTheHmmwvsFilesAreThoseOfOneTire) {
  const double Fz = 6600;
  const MagicFormulaTire mf = without_shifts(load_tir("models/tires/hmmwv.tir").tire);
  const auto compare = [&](const auto& tire, double peak_error, double stiffness_error) {
    double peak = 0, mf_peak = 0;
    for (double t = 0.01; t < 1; t += 0.01) {
      const Slip<double> slip{.kappa = 0, .tan_alpha = t, .Fz = Fz};
      peak = std::max(peak, -calc_steady_force(tire, slip).Fy);
      mf_peak = std::max(mf_peak, -calc_steady_force(mf, slip).Fy);
    }
    EXPECT_NEAR(peak, mf_peak, peak_error * mf_peak);
    const Slip<double> locked{.kappa = -1, .tan_alpha = 0, .Fz = Fz};
    EXPECT_NEAR(calc_steady_force(tire, locked).Fx, calc_steady_force(mf, locked).Fx,
                0.03 * mf_peak);
    const SlipStiffness<double> K = calc_slip_stiffness(tire, Fz, 1.0);
    EXPECT_NEAR(K.Kx, calc_slip_stiffness(mf, Fz, 1.0).Kx, stiffness_error * K.Kx);
    EXPECT_NEAR(K.Ky, 50000, 0.03 * K.Ky);
  };
  const auto brush = load_tire("models/tires/hmmwv-brush.toml").tire;
  compare(load_hmmwv_tmeasy(), 0.04, 0.06);
  compare(load_hmmwv_fiala(), 0.1, 0.03);
  compare(std::get<BrushTire>(brush.steady), 0.04, 2.0);
}

TEST(SteadyForces, AreOddInTheirSlips) {
  for (const Model& model : all_models()) {
    SCOPED_TRACE(model.name);
    for (const double Fz : {2100.0, 6600.0, 11900.0}) {
      for (const double x : {0.004, 0.03, 0.11, 0.4}) {
        const auto along = [&](double kappa) {
          return model.force({.kappa = kappa, .tan_alpha = 0, .Fz = Fz});
        };
        const auto across = [&](double t) {
          return model.force({.kappa = 0, .tan_alpha = t, .Fz = Fz});
        };
        EXPECT_NEAR(across(x).Fy, -across(-x).Fy, 1e-12 * Fz);
        EXPECT_NEAR(across(x).Mz, -across(-x).Mz, 1e-12 * Fz);
        EXPECT_LT(across(x).Fy, 0);
        EXPECT_EQ(along(x).Fy, 0);
        EXPECT_GT(along(x).Fx, 0);
        EXPECT_LT(along(-x).Fx, 0);
      }
      EXPECT_NEAR(model.force({.kappa = 0, .tan_alpha = 0, .Fz = Fz}).Fx, 0, 1e-12 * Fz);
    }
    EXPECT_EQ(model.force({.kappa = 0.1, .tan_alpha = 0.2, .Fz = 0}).Fx, 0);
    EXPECT_EQ(model.force({.kappa = 0.1, .tan_alpha = 0.2, .Fz = 0}).Fy, 0);
  }
}

TEST(SteadyForces, HaveTheirSlopesAtZeroSlip) {
  for (const Model& model : all_models()) {
    SCOPED_TRACE(model.name);
    for (const double Fz : {2100.0, 6600.0, 11900.0}) {
      const SlipStiffness<double> K = model.stiffness(Fz);
      const double h = 1e-6;
      const auto along = [&](double kappa) {
        return model.force({.kappa = kappa, .tan_alpha = 0, .Fz = Fz}).Fx;
      };
      const auto across = [&](double t) {
        return model.force({.kappa = 0, .tan_alpha = t, .Fz = Fz}).Fy;
      };
      EXPECT_NEAR((along(h) - along(-h)) / (2 * h), K.Kx, 1e-4 * K.Kx);
      EXPECT_NEAR((across(h) - across(-h)) / (2 * h), -K.Ky, 1e-4 * K.Ky);
    }
  }
}

// Random slips in all directions, locked and spinning wheels among them.
TEST(SteadyForces, StayInTheFrictionCircleAndTakePower) {
  RandomStream random(20);
  for (const Model& model : all_models()) {
    SCOPED_TRACE(model.name);
    for (int i = 0; i < 2000; ++i) {
      const double Fz = random.uniform(300, 20000), kappa = random.uniform(-1, 1.5);
      const double tan_alpha = std::tan(random.uniform(-1.2, 1.2));
      const TireForce<double> f = model.force({.kappa = kappa, .tan_alpha = tan_alpha, .Fz = Fz});
      SCOPED_TRACE(testing::Message() << "seed 20, " << i << ": kappa " << kappa << ", tan alpha "
                                      << tan_alpha << ", Fz " << Fz);
      EXPECT_LE(std::hypot(f.Fx, f.Fy), (1 + model.excess) * model.friction * Fz);
      // The sliding speed over |V_x| is (-kappa, tan alpha).
      EXPECT_LE(-kappa * f.Fx + tan_alpha * f.Fy, 1e-9 * Fz);
    }
  }
}

// A jump of a force between two slips that are next to each other shows against its slope.
TEST(SteadyForces, HaveNoJumps) {
  for (const Model& model : all_models()) {
    SCOPED_TRACE(model.name);
    const double Fz = 6600, step = 1e-5;
    for (const double angle : {0.0, 0.4, 1.2, 1.5707}) {
      TireForce<double> last = model.force({.kappa = 0, .tan_alpha = 0, .Fz = Fz});
      for (int i = 1; i < 130000; ++i) {
        const double s = step * i;
        const TireForce<double> f =
            model.force({.kappa = s * std::cos(angle), .tan_alpha = s * std::sin(angle), .Fz = Fz});
        ASSERT_LT(std::hypot(f.Fx - last.Fx, f.Fy - last.Fy), 40 * Fz * step) << "slip " << s;
        last = f;
      }
    }
  }
}

TEST(MagicFormula52, OfTheOtherSidePullsTheOtherWay) {
  const MagicFormulaTire left = load_tir("models/tires/hmmwv.tir").tire, right = mirror(left);
  for (const double tan_alpha : {-0.3, 0.0, 0.02}) {
    for (const double gamma : {-0.1, 0.03}) {
      const Slip<double> slip{.kappa = 0.03, .tan_alpha = tan_alpha, .gamma = gamma, .Fz = 6600};
      const Slip<double> mirrored{
          .kappa = 0.03, .tan_alpha = -tan_alpha, .gamma = -gamma, .Fz = 6600};
      const TireForce<double> a = calc_steady_force(left, slip),
                              b = calc_steady_force(right, mirrored);
      EXPECT_NEAR(a.Fx, b.Fx, 1e-9);
      EXPECT_NEAR(a.Fy, -b.Fy, 1e-9);
      EXPECT_NEAR(a.Mz, -b.Mz, 1e-9);
      EXPECT_NEAR(a.Mx, -b.Mx, 1e-9);
    }
  }
}

// One template, four kinds of number.
template <class Tire>
void expect_same_on_all_scalars(const Tire& tire, const char* name) {
  SCOPED_TRACE(name);
  const double kappa = -0.07, tan_alpha = 0.09, gamma = 0.02, Fz = 7100, friction = 0.7;
  const auto force_at = [&](double k, double t) {
    return calc_steady_force(
        tire,
        Slip<double>{.kappa = k, .tan_alpha = t, .gamma = gamma, .Fz = Fz, .friction = friction});
  };
  const TireForce<double> plain = force_at(kappa, tan_alpha);

  Slip<Lanes> lanes{
      .kappa = kappa, .tan_alpha = tan_alpha, .gamma = gamma, .Fz = Fz, .friction = friction};
  const TireForce<Lanes> in_lanes = calc_steady_force(tire, lanes);
  EXPECT_NEAR(in_lanes.Fx.lane(1), plain.Fx, 1e-12 * Fz);
  EXPECT_NEAR(in_lanes.Mz.lane(2), plain.Mz, 1e-12 * Fz);

  Slip<Dual> dual{
      .kappa = kappa, .tan_alpha = tan_alpha, .gamma = gamma, .Fz = Fz, .friction = friction};
  dual.kappa.set_partial(0, 1);
  dual.tan_alpha.set_partial(1, 1);
  const TireForce<Dual> derived = calc_steady_force(tire, dual);
  const double h = 1e-6;
  EXPECT_NEAR(derived.Fx.partial(0),
              (force_at(kappa + h, tan_alpha).Fx - force_at(kappa - h, tan_alpha).Fx) / (2 * h),
              1e-6 * Fz * 20);
  EXPECT_NEAR(derived.Fy.partial(1),
              (force_at(kappa, tan_alpha + h).Fy - force_at(kappa, tan_alpha - h).Fy) / (2 * h),
              1e-6 * Fz * 20);
  // At rest in the middle of a standing tire, too.
  Slip<Dual> none{.kappa = 0, .tan_alpha = 0, .Fz = Fz};
  none.kappa.set_partial(0, 1);
  none.tan_alpha.set_partial(1, 1);
  const TireForce<Dual> still = calc_steady_force(tire, none);
  const SlipStiffness<double> K = calc_slip_stiffness(tire, Fz, 1.0);
  EXPECT_NEAR(still.Fx.partial(0), K.Kx, 1e-6 * K.Kx);
  EXPECT_NEAR(still.Fy.partial(1), -K.Ky, 1e-6 * K.Ky);

  const symbolic::Expr k = symbolic::symbol("kappa"), t = symbolic::symbol("tan_alpha");
  Slip<symbolic::Expr> traced{
      .kappa = k, .tan_alpha = t, .gamma = gamma, .Fz = Fz, .friction = friction};
  const TireForce<symbolic::Expr> in_symbols = calc_steady_force(tire, traced);
  const auto value = [&](const symbolic::Expr& e) {
    return evaluate(e, {{k, kappa}, {t, tan_alpha}});
  };
  EXPECT_NEAR(value(in_symbols.Fx), plain.Fx, 1e-11 * Fz);
  EXPECT_NEAR(value(in_symbols.Fy), plain.Fy, 1e-11 * Fz);
  EXPECT_NEAR(value(in_symbols.Mz), plain.Mz, 1e-11 * Fz);
}

TEST(SteadyForces, AreTheSameOnAllKindsOfNumber) {
  expect_same_on_all_scalars(kBrush, "brush");
  expect_same_on_all_scalars(kFiala, "fiala");
  expect_same_on_all_scalars(load_hmmwv_tmeasy(), "tmeasy");
  expect_same_on_all_scalars(without_shifts(load_tir("models/tires/hmmwv.tir").tire),
                             "magic formula");
}

// Beyond what was measured the forces are those at its end.
TEST(MagicFormula, KeepsToItsRange) {
  MagicFormulaTire tire = load_tir("models/tires/hmmwv.tir").tire;
  tire.KPUMIN = -0.4, tire.KPUMAX = 0.6, tire.ALPMIN = -0.25, tire.ALPMAX = 0.2;
  tire.CAMMIN = -0.1, tire.CAMMAX = 0.07;
  const auto at = [&](double kappa, double alpha, double gamma) {
    return calc_steady_force<double>(
        tire, {.kappa = kappa, .tan_alpha = std::tan(alpha), .gamma = gamma, .Fz = 6600});
  };
  const auto expect_same = [](const TireForce<double>& a, const TireForce<double>& b) {
    EXPECT_DOUBLE_EQ(a.Fx, b.Fx);
    EXPECT_DOUBLE_EQ(a.Fy, b.Fy);
    EXPECT_DOUBLE_EQ(a.Mz, b.Mz);
  };
  expect_same(at(2, 0.1, 0.02), at(0.6, 0.1, 0.02));
  expect_same(at(-1, 0.1, 0.02), at(-0.4, 0.1, 0.02));
  expect_same(at(0.05, 0.9, 0.02), at(0.05, 0.2, 0.02));
  expect_same(at(0.05, -0.9, 0.02), at(0.05, -0.25, 0.02));
  expect_same(at(0.05, 0.1, 0.5), at(0.05, 0.1, 0.07));
  expect_same(at(0.05, 0.1, -0.5), at(0.05, 0.1, -0.1));
  EXPECT_NE(at(0.05, 0.19, 0.02).Fy, at(0.05, 0.2, 0.02).Fy);
  // On the other side it is the other way round.
  const MagicFormulaTire right = mirror(tire);
  EXPECT_EQ(right.ALPMIN, -0.2);
  EXPECT_EQ(right.CAMMAX, 0.1);
}

// (4.E70) by hand.
TEST(MagicFormula, RollingResistanceGrowsWithSpeed) {
  MagicFormulaTire tire = load_tir("models/tires/hmmwv.tir").tire;
  tire.QSY1 = 0.009, tire.QSY2 = 0, tire.QSY3 = 0.0012, tire.QSY4 = 0.0004, tire.LONGVL = 16;
  for (const double V : {-24.0, 0.0, 8.0, 32.0}) {
    const auto f =
        calc_steady_force<double>(tire, {.kappa = 0.01, .tan_alpha = 0.02, .Fz = 5000, .speed = V});
    const double v = std::abs(V) / 16;
    EXPECT_NEAR(f.My, -5000 * 0.4699 * (0.009 + 0.0012 * v + 0.0004 * v * v * v * v), 1e-9);
  }
}

MagicFormulaTire make_61_with_moments() {
  MagicFormulaTire tire = without_shifts(load_tir("models/tires/hmmwv.tir").tire);
  tire.version = MagicFormulaTire::Version::k61;
  tire.FNOMIN = 5000, tire.LFZO = 1, tire.FZMIN = 500, tire.FZMAX = 12000;
  tire.UNLOADED_RADIUS = 0.33, tire.NOMPRES = 2.2e5, tire.INFLPRES = 2.64e5;
  tire.QSX1 = 0, tire.QSX2 = 0.7, tire.QSX3 = 0.05, tire.QSX4 = 4.9, tire.QSX5 = 1.6;
  tire.QSX6 = 1.1, tire.QSX7 = 0.8, tire.QSX8 = 0.06, tire.QSX9 = 12, tire.QSX10 = 0.35;
  tire.QSX11 = 2.5, tire.PPMX1 = -0.4;
  tire.QSY1 = 0.012, tire.QSY2 = 0.03, tire.QSY3 = 0.0009, tire.QSY4 = 0.0002, tire.QSY5 = 0.11;
  tire.QSY6 = -0.04, tire.QSY7 = 0.85, tire.QSY8 = -0.4, tire.LONGVL = 16;
  return tire;
}

// [Besselink 2010] (A47) and (A48) by hand: 6 kN, 1.2 times the nominal load and pressure, 0.05 rad
// of camber, 24 m/s.
TEST(MagicFormula61, HasThePublishedMoments) {
  const MagicFormulaTire tire = make_61_with_moments();
  const auto f = calc_steady_force<double>(
      tire, {.kappa = 0.02, .tan_alpha = 0.04, .gamma = 0.05, .Fz = 6000, .speed = 24});
  ASSERT_GT(std::abs(f.Fy), 1000);
  const double fy = f.Fy / 5000, load2 = 1.32 * 1.32;
  const double Mx =
      6000 * 0.33 *
      (-0.7 * 0.05 * (1 - 0.4 * 0.2) + 0.05 * fy +
       4.9 * std::cos(1.6 * std::atan(load2)) * std::sin(0.8 * 0.05 + 0.06 * std::atan(12 * fy)) +
       0.35 * std::atan(2.5 * 1.2) * 0.05);
  EXPECT_NEAR(f.Mx, Mx, 1e-9 * std::abs(Mx));
  const double v = 1.5;
  const double My = -0.33 * 5000 *
                    (0.012 + 0.03 * f.Fx / 5000 + 0.0009 * v + 0.0002 * v * v * v * v +
                     (0.11 - 0.04 * 1.2) * 0.05 * 0.05) *
                    std::pow(1.2, 0.85) * std::pow(1.2, -0.4);
  EXPECT_NEAR(f.My, My, 1e-9 * std::abs(My));
}

// Overturning is odd in slip angle and camber together, rolling resistance even; a wheel without
// load has neither, and both go there without a jump.
TEST(MagicFormula61, MomentsAreMirroredAndEndWithTheLoad) {
  const MagicFormulaTire tire = make_61_with_moments(), other = mirror(tire);
  const auto at = [](const MagicFormulaTire& t, double tan_alpha, double gamma, double Fz) {
    return calc_steady_force<double>(
        t, {.kappa = 0.013, .tan_alpha = tan_alpha, .gamma = gamma, .Fz = Fz, .speed = 11});
  };
  for (const double tan_alpha : {-0.2, 0.01, 0.07}) {
    for (const double gamma : {-0.08, 0.03}) {
      const TireForce<double> a = at(tire, tan_alpha, gamma, 4100),
                              b = at(other, -tan_alpha, -gamma, 4100);
      EXPECT_NEAR(a.Mx, -b.Mx, 1e-9);
      EXPECT_NEAR(a.My, b.My, 1e-9);
      EXPECT_NE(a.Mx, 0);
      EXPECT_EQ(at(tire, tan_alpha, gamma, 0).Mx, 0);
      EXPECT_EQ(at(tire, tan_alpha, gamma, 0).My, 0);
      EXPECT_NEAR(at(tire, tan_alpha, gamma, 1e-3).Mx, 0, 1e-2);
      EXPECT_NEAR(at(tire, tan_alpha, gamma, 1e-3).My, 0, 1e-4);
    }
  }
}

TEST(MagicFormula61, MomentsHaveExactDerivatives) {
  const MagicFormulaTire tire = make_61_with_moments();
  const double kappa = 0.02, tan_alpha = 0.04, gamma = 0.05, Fz = 6000, speed = 24;
  Slip<Dual> dual{.kappa = kappa, .tan_alpha = tan_alpha, .gamma = gamma, .Fz = Fz, .speed = speed};
  dual.gamma.set_partial(0, 1);
  dual.Fz.set_partial(1, 1);
  dual.tan_alpha.set_partial(2, 1);
  const TireForce<Dual> derived = calc_steady_force(tire, dual);
  const auto at = [&](double t, double g, double load) {
    return calc_steady_force<double>(
        tire, {.kappa = kappa, .tan_alpha = t, .gamma = g, .Fz = load, .speed = speed});
  };
  const auto expect_slope = [&](int i, const TireForce<double>& next, const TireForce<double>& last,
                                double step) {
    SCOPED_TRACE(i);
    const double Mx = (next.Mx - last.Mx) / step, My = (next.My - last.My) / step;
    EXPECT_NEAR(derived.Mx.partial(i), Mx, 1e-6 * std::abs(Mx));
    EXPECT_NEAR(derived.My.partial(i), My, 1e-6 * std::abs(My));
  };
  const double h = 1e-5;
  expect_slope(0, at(tan_alpha, gamma + h, Fz), at(tan_alpha, gamma - h, Fz), 2 * h);
  expect_slope(1, at(tan_alpha, gamma, Fz + 0.1), at(tan_alpha, gamma, Fz - 0.1), 0.2);
  expect_slope(2, at(tan_alpha + h, gamma, Fz), at(tan_alpha - h, gamma, Fz), 2 * h);
}

// Every coefficient does something in one of the versions, or makes the tire's size and spring.
TEST(MagicFormula, ReadsNoCoefficientInVain) {
  RandomStream random(41);
  MagicFormulaTire base = load_tir("models/tires/hmmwv.tir").tire;
  base.FZMIN = 2000, base.FZMAX = 9000, base.INFLPRES = 1.1 * base.NOMPRES;
  base.KPUMIN = -0.5, base.KPUMAX = 0.5, base.ALPMIN = -0.4, base.ALPMAX = 0.4;
  base.CAMMIN = -0.1, base.CAMMAX = 0.1;
  for (const MagicFormulaKey& key : magic_formula_keys())
    if (base.*key.member == 0) base.*key.member = random.uniform(0.01, 0.05);
  const auto signature = [](MagicFormulaTire tire) {
    std::vector<double> all;
    for (const auto version : {MagicFormulaTire::Version::k52, MagicFormulaTire::Version::k61}) {
      tire.version = version;
      for (const double Fz : {1500.0, 5000.0, 12000.0}) {
        const auto sigma = calc_relaxation_lengths(tire, Fz, 0.05);
        all.insert(all.end(), {sigma.along, sigma.across});
        for (const double kappa : {-0.8, -0.07, 0.03, 0.9})
          for (const double tan_alpha : {-0.9, -0.03, 0.06, 0.8})
            for (const double gamma : {-0.3, 0.04, 0.2}) {
              const auto f = calc_steady_force<double>(
                  tire,
                  {.kappa = kappa, .tan_alpha = tan_alpha, .gamma = gamma, .Fz = Fz, .speed = 9});
              all.insert(all.end(), {f.Fx, f.Fy, f.Mx, f.My, f.Mz});
            }
      }
    }
    return all;
  };
  const std::vector<double> before = signature(base);
  const std::vector<std::string_view> of_the_whole_tire = {
      "WIDTH", "VERTICAL_STIFFNESS", "VERTICAL_DAMPING", "LCZ", "BREFF", "DREFF", "FREFF"};
  for (const MagicFormulaKey& key : magic_formula_keys()) {
    if (std::find(of_the_whole_tire.begin(), of_the_whole_tire.end(), key.name) !=
        of_the_whole_tire.end())
      continue;
    MagicFormulaTire changed = base;
    changed.*key.member *= 1.07;
    EXPECT_NE(signature(changed), before) << key.name;
  }
}

}  // namespace
}  // namespace camber::tire
