// Tires on a soil grid: the tread's law, springs and soil in series, and what the soil remembers.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/terrain/soil_grid.h"
#include "camber/terrain/soil_laws.h"
#include "camber/terrain/soil_tread.h"

namespace camber::terrain {
namespace {

constexpr double kRadius = 0.4699, kWidth = 0.318;

// A stiffening tire: about that of a HMMWV.
const std::vector<double> kDeflection{0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08};
const std::vector<double> kLoad{0, 1286, 3477, 6190, 9027, 12139, 15368, 21699};

double interpolate(double d) {
  std::size_t k = 1;
  while (kDeflection[k] < d) ++k;
  const double part = (d - kDeflection[k - 1]) / (kDeflection[k] - kDeflection[k - 1]);
  return kLoad[k - 1] + part * (kLoad[k] - kLoad[k - 1]);
}

TireShape make_tire() {
  TireShape tire{.radius = kRadius, .width = kWidth};
  tire.tread = fit_tread(kDeflection, kLoad, kRadius, kWidth);
  return tire;
}

Terrain make_ground(const Soil& soil) {
  Terrain terrain;
  terrain.soils = {soil};
  return terrain;
}

SoilContact press(const Terrain& terrain, double depth, double spacing, double x = 0.013) {
  SoilGrid soil(&terrain, {.spacing = spacing});
  TireShape tire = make_tire();
  tire.depth = depth;
  BodyMotion motion;
  motion.center = {x, 0.007, kRadius - depth};
  return soil.calc_contact(tire, motion, 0);
}

// A stiffness is a line without end; a tire is on its rim long before its center is on the ground.
TEST(Tread, OfALineWithoutEndCarriesWhatTheLineDoes) {
  const double k = 2.8e5;
  const std::vector<double> d{0, 1}, load{0, k};
  const TreadLaw tread = fit_tread(d, load, kRadius, kWidth);
  for (const double x : {0.01, 0.02, 0.05, 0.1})
    EXPECT_NEAR(calc_tread_load(tread, kRadius, kWidth, x), k * x, 0.02 * k * x);
  // As deep as where its pressure begins gently it is softer.
  EXPECT_NEAR(calc_tread_load(tread, kRadius, kWidth, 0.005), k * 0.005, 0.08 * k * 0.005);
}

// Soft as foam, then hard as stone, or a tire that gives way: no pressure that rises does that.
TEST(Tread, RefusesALoadThatItCannotFit) {
  const std::vector<double> d{0, 0.03, 0.031, 0.06}, jump{0, 30, 20000, 20030};
  EXPECT_THROW(fit_tread(d, jump, kRadius, kWidth), std::invalid_argument);
  const std::vector<double> e{0, 0.02, 0.08}, soft{0, 8000, 9000};
  EXPECT_THROW(fit_tread(e, soft, kRadius, kWidth), std::invalid_argument);
}

// For a load that is linear in the deflection p = 2 k sqrt(x)/(pi b sqrt(2 R)): Abel's integral of
// the parabola that a circle is where it touches.
TEST(Tread, OfALinearTireIsARoot) {
  const double k = 2e5;
  const std::vector<double> d{0, 0.004}, load{0, k * 0.004};
  const TreadLaw tread = fit_tread(d, load, kRadius, kWidth);
  const double c = 2 * k / (std::numbers::pi * kWidth * std::sqrt(2 * kRadius));
  for (const double x : {0.001, 0.002, 0.004})
    EXPECT_NEAR(tread.at(std::sqrt(x)).p, c * std::sqrt(x), 5e-3 * c * std::sqrt(x));
}

TEST(Tread, CarriesTheTiresLoadAndRises) {
  const TreadLaw tread = fit_tread(kDeflection, kLoad, kRadius, kWidth);
  for (double d = 0.015; d <= 0.08; d += 0.005)
    EXPECT_NEAR(calc_tread_load(tread, kRadius, kWidth, d), interpolate(d), 0.02 * interpolate(d));
  for (double q = 0.002; q < 0.6; q += 0.01) EXPECT_GT(tread.at(q).slope, 0);
  // A tire that softens has a tread that does not: fewer terms, and it still rises.
  const std::vector<double> d{0, 0.02, 0.08}, load{0, 8000, 26000};
  const TreadLaw soft = fit_tread(d, load, kRadius, kWidth);
  for (double q = 0.002; q < 0.6; q += 0.01) EXPECT_GT(soft.at(q).slope, 0);
  EXPECT_THROW(fit_tread({}, {}, kRadius, kWidth), std::invalid_argument);
}

// A root alone rises at once: a node that comes into contact within a step, or leaves it, then
// costs O(h^1.5) each time. This one begins with x^2.
TEST(Tread, BeginsSmoothly) {
  const TreadLaw tread = fit_tread(kDeflection, kLoad, kRadius, kWidth);
  const double first = 10 * tread.c[0] * std::pow(tread.per_edge, 3);  // [Pa/m^2]
  for (const double x : {1e-10, 1e-9, 1e-8})
    EXPECT_NEAR(tread.at(std::sqrt(x)).p, first * x * x,
                2 * std::sqrt(x) * tread.per_edge * first * x * x);
  // Beyond its edge it is the root again.
  const double edge = 1 / tread.per_edge;
  EXPECT_LT(edge * edge, 0.01);
  for (const double q : {1.01 * edge, 1.7 * edge, 2.4 * edge}) {
    const double x = q * q;
    const double root = tread.c[0] + x * (tread.c[1] + x * (tread.c[2] + x * tread.c[3]));
    EXPECT_NEAR(tread.at(q).p, q * root, 1e-12 * q * root);
  }
}

TEST(Tread, DerivativesMatchFiniteDifferences) {
  const TreadLaw tread = fit_tread(kDeflection, kLoad, kRadius, kWidth);
  const double edge = 1 / tread.per_edge, h = 1e-5;
  for (const double q : {0.13 * edge, 0.71 * edge, 1.3 * edge, 0.8 * tread.last}) {
    const auto here = tread.at(q), before = tread.at(q - h), behind = tread.at(q + h);
    EXPECT_NEAR(here.slope, (behind.p - before.p) / (2 * h), 1e-5 * here.slope);
    EXPECT_NEAR(here.bend, (behind.slope - before.slope) / (2 * h), 1e-5 * here.slope * 1e2);
  }
  EXPECT_NEAR(tread.at(1.3 * tread.last).p,
              tread.at(tread.last).p + 0.3 * tread.last * tread.at(tread.last).slope, 1e-6);
}

// On ground that hardly yields it is the tire alone, on any grid and wherever the nodes are.
TEST(SoilTire, OnHardGroundIsTheTire) {
  const TreadLaw tread = make_tire().tread;
  Soil hard = make_rigid_ground();
  hard.elastic_stiffness = 1e12;
  const Terrain ground = make_ground(hard);
  for (const double spacing : {0.04, 0.02, 0.01})
    for (const double x : {0.0, 0.011, 0.023, 0.032})
      for (const double d : {0.02, 0.03, 0.05}) {
        const double load = calc_tread_load(tread, kRadius, kWidth, d);
        const SoilContact c = press(ground, d, spacing, x);
        EXPECT_NEAR(c.force_W.z(), load, 0.75 * spacing * load) << spacing;
        EXPECT_NEAR(c.deflection, d, 1e-6);
      }
}

/// The load by another route: bisection for p_soil(z) = p_tread(D - z) at points along the chord.
double integrate_series(const Soil& soil, double b, double depth, double* deepest) {
  const TreadLaw tread = make_tire().tread;
  const double k = calc_modulus(soil, b), chord = std::sqrt(depth * (2 * kRadius - depth));
  constexpr int kPoints = 4000;
  double sum = 0;
  *deepest = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double x = chord * ((i + 0.5) / kPoints);
    const double D = depth - (kRadius - std::sqrt(kRadius * kRadius - x * x));
    double low = 0, high = D;
    for (int n = 0; n < 60; ++n) {
      const double z = 0.5 * (low + high);
      // What is elastic in the soil lies below the virgin curve: small beside both.
      const double p = std::min(virgin_pressure(soil, k, z), soil.elastic_stiffness * z);
      (p < tread.at(std::sqrt(D - z)).p ? low : high) = z;
    }
    sum += tread.at(std::sqrt(D - low)).p * chord / kPoints;
    *deepest = std::max(*deepest, low);
  }
  return 2 * kWidth * sum;
}

TEST(SoilTire, TreadAndSoilAreInSeries) {
  for (const char* name : {"LETE_sand", "upland_sandy_loam_51", "snow_US", "heavy_clay_40_WES"}) {
    SCOPED_TRACE(name);
    const Terrain ground = make_ground(find_soil(name));
    for (const double depth : {0.02, 0.04, 0.08}) {
      const SoilContact c = press(ground, depth, 0.01);
      double deepest = 0;
      const double load = integrate_series(ground.soils[0], c.b, depth, &deepest);
      EXPECT_NEAR(c.force_W.z(), load, 0.01 * load);
      EXPECT_NEAR(c.sinkage, deepest, 0.01 * deepest + 1e-5);
      // Nodes of 4 cm are fine enough.
      const SoilContact coarse = press(ground, depth, 0.04);
      EXPECT_NEAR(coarse.force_W.z(), c.force_W.z(), 0.02 * load);
      EXPECT_NEAR(coarse.sinkage, c.sinkage, 0.02 * deepest + 1e-4);
    }
  }
}

// More load sinks deeper and flattens more, on all soils.
TEST(SoilTire, MoreLoadSinksMore) {
  for (const Soil& soil : soil_library()) {
    SCOPED_TRACE(soil.name);
    const Terrain ground = make_ground(soil);
    SoilContact before;
    for (double depth = 0.005; depth < 0.15; depth += 0.005) {
      const SoilContact c = press(ground, depth, 0.02);
      EXPECT_GT(c.force_W.z(), before.force_W.z());
      EXPECT_GT(c.sinkage, before.sinkage);
      EXPECT_GT(c.deflection, before.deflection);
      EXPECT_NEAR(c.sinkage + c.deflection, depth, 1e-3);
      before = c;
    }
  }
}

// Pressed in and let go again it loses energy, and the same way again costs less.
TEST(SoilTire, LosesWhatTheSoilKeeps) {
  const Terrain ground = make_ground(find_soil("LETE_sand"));
  SoilGrid soil(&ground, {});
  const auto go = [&] {
    double work = 0, force = 0;
    for (int i = 1; i <= 2000; ++i) {
      const double depth = 0.04 * std::sin(std::numbers::pi * i / 2000);
      const double step = depth - 0.04 * std::sin(std::numbers::pi * (i - 1) / 2000);
      TireShape tire = make_tire();
      tire.depth = depth;
      BodyMotion motion;
      motion.center = {0.01, 0.02, kRadius - depth};
      const double now = soil.advance(tire, motion, 0).force_W.z();
      work += 0.5 * (force + now) * step;
      force = now;
    }
    return work;
  };
  const double first = go(), second = go();
  EXPECT_GT(first, 5);
  EXPECT_GT(second, -1e-3 * first);
  EXPECT_LT(second, 0.02 * first);
}

/// A tire rolls, slips and turns; the force of the last step.
Vector3 roll(SoilGrid* soil, int from, int to, double depth = 0.04) {
  Vector3 force = Vector3::Zero();
  for (int i = from; i < to; ++i) {
    TireShape tire = make_tire();
    tire.depth = depth;
    BodyMotion motion;
    motion.center = {0.002 * i, -0.05, kRadius - depth};
    motion.axis = Vector3(0.1, 1, 0.05).normalized();
    motion.velocity = {2, 0.1, 0};
    motion.angular_velocity = 4.5 * motion.axis;
    force = soil->advance(tire, motion, 1e-3).force_W;
  }
  return force;
}

/// A driven wheel under a mass, free to move ahead, up and down and to spin, by the midpoint rule.
struct RollingMass {
  double x, v, z, v_z, spin;
};
constexpr double kRolling = 650;  // [kg]
RollingMass operator+(const RollingMass& a, const RollingMass& b) {
  return {a.x + b.x, a.v + b.v, a.z + b.z, a.v_z + b.v_z, a.spin + b.spin};
}
RollingMass operator*(double s, const RollingMass& a) {
  return {s * a.x, s * a.v, s * a.z, s * a.v_z, s * a.spin};
}
RollingMass calc_rates(SoilGrid* soil, double y, const RollingMass& now, const SoilTime& time) {
  constexpr double kInertia = 11, kTorque = 120;  // [kg m^2], [N m]
  static const TireShape kTire = make_tire();
  TireShape tire = kTire;
  tire.depth = kRadius - now.z;
  tire.stiffness_along = 2e7, tire.stiffness_across = 1e7;
  BodyMotion motion;
  motion.center = {now.x, y, now.z};
  motion.velocity = {now.v, 0, now.v_z};
  motion.angular_velocity = {0, now.spin, 0};
  const SoilContact c = soil->look(tire, motion, time);
  return {now.v, c.force_W.x() / kRolling, now.v_z, c.force_W.z() / kRolling - 9.81,
          (kTorque + c.torque_W.y()) / kInertia};
}
RollingMass roll_freely(const Terrain& ground, double x, double y, double h) {
  SoilGrid soil(&ground, {.spacing = 0.04});
  RollingMass now{x, 3, 0, 0, 6.52};
  double least = 0, most = 0.2;  // where it stands
  for (int i = 0; i < 50; ++i) {
    now.z = kRadius - 0.5 * (least + most);
    (calc_rates(&soil, y, {x, 0, now.z, 0, 0}, {}).v_z < 0 ? least : most) = kRadius - now.z;
  }
  for (int k = 0; k < std::lround(0.8 / h); ++k) {
    const RollingMass begin =
        calc_rates(&soil, y, now, {.fresh = k > 0 ? 0.5 * h : 0, .is_for_good = true});
    const RollingMass middle =
        calc_rates(&soil, y, now + 0.5 * h * begin,
                   {.dt = 0.5 * h, .fresh = 0.5 * h, .rest = 0.5 * h, .keep = 0});
    now = now + h * middle;
    soil.finish_step();
  }
  return now;
}

// Over eight places of the grid. Where a tread's pressure began with a root it was 1.2 on LETE
// sand. On the loam, whose k goes with the contact's area, it was 1 and less: the area rippled as
// nodes came and went, and was measured from ruts as they were when the step began.
TEST(SoilTire, StepsOfARollingWheelHaveSecondOrder) {
  for (const char* name : {"LETE_sand", "upland_sandy_loam_51", "dry_sand_LLL"}) {
    SCOPED_TRACE(name);
    const Terrain ground = make_ground(find_soil(name));
    std::vector<double> squares(3, 0.0);
    for (int start = 0; start < 8; ++start) {
      std::vector<double> ends;
      for (const double h : {0.002, 0.001, 0.0005, 0.00025})
        ends.push_back(roll_freely(ground, 0.0051 * start, 0.0037 * start + 0.001, h).x);
      for (std::size_t k = 0; k < 3; ++k) squares[k] += std::pow(ends[k] - ends[k + 1], 2) / 8;
    }
    std::printf("%s: %.2e %.2e %.2e m\n", name, std::sqrt(squares[0]), std::sqrt(squares[1]),
                std::sqrt(squares[2]));
    EXPECT_GT(0.25 * std::log2(squares[0] / squares[2]), 1.8);
    EXPECT_LT(std::sqrt(squares[2]), 3e-6);
  }
}

std::vector<double> state_of(const SoilGrid& soil) {
  std::vector<double> state;
  soil.append_state(&state);
  return state;
}

// Compared by hashes: a grid that was saved and restored continues with the same bits.
TEST(SoilGridState, GoesOnBitByBit) {
  const Terrain ground = make_ground(find_soil("LETE_sand"));
  for (const double flow : {0.0, 0.6}) {
    SoilGrid one(&ground, {.flow = flow}), other(&ground, {.flow = flow});
    roll(&one, 0, 300);
    std::vector<double> state{1, 2, 3};
    one.append_state(&state);
    other.set_state(std::span(state).subspan(3));
    EXPECT_EQ(roll(&one, 300, 700), roll(&other, 300, 700));
    EXPECT_EQ(state_of(one), state_of(other));
    EXPECT_EQ(one.tile_count(), other.tile_count());
    state.pop_back();
    EXPECT_THROW(other.set_state(std::span(state).subspan(3)), std::invalid_argument);
  }
}

// What was done since a mark is as if it had not been: deeper ruts, other shear, heaps.
TEST(SoilGridState, RollsBackToItsMark) {
  const Terrain ground = make_ground(find_soil("LETE_sand"));
  for (const double flow : {0.0, 0.6}) {
    SoilGrid one(&ground, {.flow = flow}), other(&ground, {.flow = flow});
    for (SoilGrid* soil : {&one, &other}) roll(soil, 0, 300);
    const std::vector<double> before = state_of(one);
    one.mark();
    for (int times = 0; times < 2; ++times) {
      roll(&one, 300, 340, 0.06);
      EXPECT_NE(state_of(one), before);
      one.roll_back();
      EXPECT_EQ(state_of(one), before);
    }
    one.mark();
    EXPECT_EQ(roll(&one, 300, 500), roll(&other, 300, 500));
    EXPECT_EQ(state_of(one), state_of(other));
  }
}

// Shear that was kept for the end of a step goes with it.
TEST(SoilGridState, RollsBackKeptShear) {
  const Terrain ground = make_ground(find_soil("LETE_sand"));
  SoilGrid soil(&ground, {});
  roll(&soil, 0, 300);
  const std::vector<double> before = state_of(soil);
  TireShape tire = make_tire();
  tire.depth = 0.04;
  BodyMotion motion;
  motion.center = {0.6, -0.05, kRadius - 0.04};
  motion.velocity = {2, 0.3, 0};
  const SoilTime middle{.dt = 5e-4, .fresh = 5e-4, .rest = 5e-4, .keep = 0};
  soil.mark();
  soil.look(tire, motion, middle);
  EXPECT_EQ(state_of(soil), before);
  soil.roll_back();
  soil.finish_step();
  EXPECT_EQ(state_of(soil), before);
  soil.look(tire, motion, middle);
  soil.finish_step();
  EXPECT_NE(state_of(soil), before);
  soil.roll_back();
  EXPECT_EQ(state_of(soil), before);
}

}  // namespace
}  // namespace camber::terrain
