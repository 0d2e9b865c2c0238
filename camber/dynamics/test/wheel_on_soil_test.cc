// Wheels on ground that yields: soil grid with rigid and soft tires, lumped soil, safe load.

#include "camber/dynamics/wheel_on_soil.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/test/allocation_count.h"
#include "camber/dynamics/ground.h"
#include "camber/dynamics/test/corner.h"
#include "camber/terrain/soil_laws.h"
#include "camber/tire/scalars.h"
#include "camber/tire/test/hmmwv_tires.h"

namespace camber::dynamics {
namespace {

using terrain::Terrain;
using tire::TireState;

constexpr double kMass = 650, kGravity = 9.81;

Terrain make_ground(const std::string& soil, double slope_x = 0) {
  Terrain terrain;
  terrain.base = terrain::Plane{0, slope_x, 0};
  terrain.soils = {soil == "rigid" ? terrain::make_rigid_ground() : terrain::find_soil(soil)};
  return terrain;
}

SoilGround make_soft(bool with_tire) {
  SoilGround ground;
  ground.wheel = {0.4699, 0.318};
  if (with_tire) ground.tire = tire::load_hmmwv_tire().vertical;
  return ground;
}

// A damped mass on a wheel that is pulled along and rolls freely or as told.
struct Runner {
  Terrain terrain;
  Ground ground;
  WheelMotion<double> wheel;
  WheelForces<double> forces;
  double dt_before = 0;
  bool rolls = true;
  int questions = 1;  // how often a step asks for its second stage

  Runner(const Terrain& t, const GroundModel& model) : terrain(t), ground(&terrain, model, 1) {
    wheel.axis = {0, 1, 0};
    wheel.center = {0, 0, 0.47};
  }
  Runner(const Runner&) = delete;

  struct Rates {
    double velocity, spin;
  };
  Rates rates(const WheelMotion<double>& w, const WheelForces<double>& f) const {
    return {(f.force[2] - 15e3 * w.velocity[2]) / kMass - kGravity, rolls ? f.torque[1] / 7.3 : 0};
  }

  // The midpoint rule.
  void step(double dt) {
    const TireState<double> none;
    ground.commit({&wheel, 1}, {&none, 1}, {.fresh = 0.5 * dt_before}, {&forces, 1});
    const Rates a = rates(wheel, forces);
    const double vx = wheel.velocity[0], vz = wheel.velocity[2], half = 0.5 * dt;
    WheelMotion<double> middle = wheel;
    middle.center += wheel.velocity * half;
    middle.velocity = {vx, 0, vz + half * a.velocity};
    middle.spin += half * a.spin;
    WheelForces<double> later;
    for (int i = 0; i < questions; ++i)
      ground.calc({&middle, 1}, {&none, 1},
                  {.dt = half, .fresh = half, .rest = half, .keeps = true}, {&later, 1});
    ground.finish_step();
    const Rates b = rates(middle, later);
    wheel.center += middle.velocity * dt;
    wheel.velocity = {vx, 0, vz + dt * b.velocity};
    wheel.spin += dt * b.spin;
    dt_before = dt;
  }
  void run(double seconds) {
    for (int i = 0; i < std::lround(seconds / 1e-3); ++i) step(1e-3);
  }
};

TEST(SoilGround, TireAndSoilCarryTheSameLoad) {
  const SoilGround soft = make_soft(true), rigid = make_soft(false);
  for (const char* soil : {"LETE_sand", "upland_sandy_loam_51"}) {
    SCOPED_TRACE(soil);
    Runner with(make_ground(soil), soft), without(make_ground(soil), rigid);
    with.run(1);
    without.run(1);
    EXPECT_NEAR(with.forces.Fz, kMass * kGravity, 5);
    EXPECT_NEAR(without.forces.Fz, kMass * kGravity, 5);
    // The tire is round where the soil gives way: it carries no less than on a road.
    EXPECT_LT(tire::calc_static_load(soft.tire, with.forces.deflection), 1.01 * with.forces.Fz);
    EXPECT_GT(with.forces.deflection, 0.02);
    // The soft one is flat below and sinks less.
    EXPECT_LT(with.forces.sinkage, 0.9 * without.forces.sinkage);
    EXPECT_GT(with.forces.sinkage, 1e-3);
  }
}

// On ground that hardly yields it is the tire alone.
TEST(SoilGround, IsTheTireOnHardGround) {
  Runner runner(make_ground("rigid"), make_soft(true));
  runner.run(0.8);
  const double alone = tire::find_deflection(tire::load_hmmwv_tire().vertical, kMass * kGravity);
  EXPECT_NEAR(runner.forces.deflection, alone, 0.02 * alone);
  EXPECT_LT(runner.forces.sinkage, 3e-3);
}

TEST(SoilGround, RigidWheelIsTheGrids) {
  const Terrain terrain = make_ground("LETE_sand", 0.1);
  const SoilGround ground = make_soft(false);
  terrain::SoilGrid ours(&terrain, ground.grid), grids(&terrain, ground.grid);
  terrain::TerrainCache cache = terrain.make_cache();
  SoilWheelMemory memory;
  const WheelMotion<double> wheel{.center = {1, 2, 0.55},
                                  .axis = {0, std::cos(0.05), std::sin(0.05)},
                                  .velocity = {2, 0.1, -0.1},
                                  .hub_turn_rate = {0.1, 0.2, -0.3},
                                  .spin = 5};
  const Vec3<double> turn = wheel.hub_turn_rate + wheel.axis * wheel.spin;
  const terrain::SoilContact c =
      grids.advance(terrain::WheelShape{0.4699, 0.318},
                    {Vector3(1, 2, 0.55), Vector3(0, std::cos(0.05), std::sin(0.05)),
                     Vector3(2, 0.1, -0.1), Vector3(turn[0], turn[1], turn[2])},
                    1e-3);
  const auto f =
      calc_wheel_on_soil(ground, terrain, &cache, wheel,
                         {.dt = 1e-3, .fresh = 1e-3, .is_for_good = true}, &ours, &memory);
  EXPECT_GT(f.Fz, 1000);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(f.force[k], c.force_W[k], 1e-9 * f.Fz);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(f.torque[k], c.torque_W[k], 1e-9 * f.Fz);
  EXPECT_EQ(f.sinkage, c.sinkage);
}

// A second wheel in the rut sinks less into what is left, and meets less resistance (check 8).
TEST(SoilGround, SecondPassIsEasier) {
  for (const bool with_tire : {false, true}) {
    SCOPED_TRACE(with_tire ? "soft tire" : "rigid");
    SoilGround model = make_soft(with_tire);
    model.rolling_resistance = 0;  // the soil's alone
    Runner runner(make_ground("LETE_sand"), model);
    runner.run(0.3);
    const auto pass = [&](double speed) {
      runner.wheel.velocity = {speed, 0, 0};
      runner.wheel.spin = speed / 0.46;
      double Fx = 0;
      runner.run(0.7);
      for (int i = 0; i < 500; ++i) {
        runner.step(1e-3);
        Fx += runner.forces.Fx / 500;
      }
      return Fx;
    };
    const double first = -pass(1);
    const double rut = runner.ground.soil()->rut_depth(0.95, 0);
    runner.wheel.center = Vec3<double>(0, 0, runner.wheel.center[2]);
    const double second = -pass(1);
    const double again = runner.ground.soil()->rut_depth(0.95, 0) - rut;
    EXPECT_GT(first, 0);
    EXPECT_LT(second, 0.8 * first);
    EXPECT_GT(rut, 2e-3);
    EXPECT_LT(again, 0.7 * rut);
    EXPECT_GT(runner.forces.rut, 0);
  }
}

// Stages ask, the step commits: however often it asks, the bits are the same.
TEST(Ground, AskingLeavesTheSoilAsItIs) {
  for (const bool with_tire : {false, true}) {
    Runner one(make_ground("LETE_sand"), make_soft(with_tire));
    Runner many(make_ground("LETE_sand"), make_soft(with_tire));
    many.questions = 3;
    for (Runner* r : {&one, &many}) {
      r->wheel.velocity = {1.5, 0, 0};
      r->wheel.spin = 3.5;
      r->run(0.3);
    }
    for (int k = 0; k < 3; ++k) EXPECT_EQ(one.forces.force[k], many.forces.force[k]);
    EXPECT_EQ(one.wheel.center[2], many.wheel.center[2]);
  }
}

// The step's error falls with it.
TEST(Ground, StepsOnSoilConverge) {
  const auto run = [](double dt) {
    Runner runner(make_ground("LETE_sand"), make_soft(true));
    runner.wheel.velocity = {1.5, 0, 0};
    runner.wheel.spin = 3.5;
    for (int i = 0; i < std::lround(0.2 / dt); ++i) runner.step(dt);
    return runner.wheel.center[2];
  };
  const double exact = run(6.25e-5);
  const double coarse = std::abs(run(1e-3) - exact), fine = std::abs(run(2.5e-4) - exact);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_LT(fine, 0.5 * coarse);
}

TEST(Ground, SoilTakesPower) {
  for (const bool with_tire : {false, true}) {
    Runner runner(make_ground("LETE_sand"), make_soft(with_tire));
    runner.run(0.5);
    runner.wheel.velocity = {1, 0, 0};
    runner.wheel.spin = 2.6;
    runner.rolls = false;
    double lost = 0;
    for (int i = 0; i < 500; ++i) {
      runner.step(1e-3);
      const WheelForces<double>& f = runner.forces;
      lost += f.sliding_power * 1e-3;
      EXPECT_LE(f.damping_power, 0);
      EXPECT_LE(f.rolling_power, 0);
    }
    EXPECT_LT(lost, -20);
  }
}

TEST(Ground, AllocatesNothingOnceTheSoilIsThere) {
  Runner runner(make_ground("LETE_sand"), make_soft(true));
  runner.wheel.velocity = {0.1, 0, 0};
  runner.run(0.2);
  const long before = allocation_count();
  runner.run(0.05);
  EXPECT_EQ(allocation_count(), before);
}

// Terzaghi's figures: q of a strip over clay without friction is 5.71 c, and a wheel on weak clay
// is told that it carries less than its load.
TEST(SafeLoad, IsTerzaghis) {
  terrain::Soil clay = terrain::find_soil("LETE_sand");
  clay.friction_angle = 0;
  clay.cohesion = 2e4;
  EXPECT_NEAR(terrain::safe_load(clay, 0.3, 0.06, 0), 0.06 * 5.7124 * 2e4, 1);
  EXPECT_EQ(terrain::safe_load(terrain::make_rigid_ground(), 0.3, 0.06, 0), HUGE_VAL);
  Terrain weak = make_ground("LETE_sand");
  weak.soils[0].friction_angle = 0.02;
  Runner firm(make_ground("heavy_clay_25_WES"), make_soft(true)), soft(weak, make_soft(true));
  firm.run(0.3);
  soft.run(0.3);
  EXPECT_GT(firm.ground.safe_load(0), kMass * kGravity);
  EXPECT_LT(soft.ground.safe_load(0), kMass * kGravity);
}

LumpedGround make_lumped() {
  LumpedGround ground;
  terrain::RigidWheel wheel;
  ground.soils = {
      terrain::make_lumped_soil(terrain::find_soil("LETE_sand"), wheel, {}, kMass * kGravity)};
  return ground;
}

TEST(LumpedGround, StandsOnASlopeAndSinks) {
  const Terrain terrain = make_ground("LETE_sand", 0.15);
  Ground ground(&terrain, make_lumped(), 1);
  Corner corner;
  corner.locked = true;
  corner.ground = [&](const WheelMotion<double>& m, const TireState<double>& s) {
    WheelForces<double> f;
    ground.calc({&m, 1}, {&s, 1}, {}, {&f, 1});
    return f;
  };
  CornerState s;
  s.position = {0, 0, 0.46};
  for (int i = 0; i < 10000; ++i) corner.step(1e-3, 0, &s);
  const Vec3<double> before = s.position;
  for (int i = 0; i < 50000; ++i) corner.step(1e-3, 0, &s);
  const Vec3<double> way = s.position - before;
  EXPECT_LT(std::sqrt(dot(way, way)), 2e-3);
  EXPECT_LT(std::sqrt(dot(s.velocity, s.velocity)), 1e-4);
  const WheelForces<double> f = corner.forces(s);
  EXPECT_NEAR(f.Fz, kMass * kGravity * std::cos(std::atan(0.15)), 1);
  EXPECT_GT(f.sinkage, 1e-3);
  EXPECT_EQ(ground.safe_load(0), HUGE_VAL);
}

// On a crest that is shorter than the tire four points see less of it than one does.
TEST(LumpedGround, TouchesAsTheScenarioAsks) {
  Terrain terrain = make_ground("LETE_sand", 0);
  terrain.bumps = {{.shape = terrain::BumpShape::kSine, .x = -0.15, .height = 0.04, .length = 0.3}};
  WheelMotion<double> m;
  m.center = {0.0, 0.1, 0.48};
  m.axis = {0, 1, 0};
  m.velocity = m.hub_turn_rate = {0, 0, 0};
  for (const ContactMode mode : {ContactMode::kPoint, ContactMode::kFourPoints}) {
    LumpedGround model = make_lumped();
    model.contact.mode = mode;
    Ground ground(&terrain, model, 1);
    const TireState<double> state;
    WheelForces<double> f;
    ground.calc({&m, 1}, {&state, 1}, {}, {&f, 1});
    const auto c = find_contact<double>({model.soils[0].radius, model.soils[0].width},
                                        {.mode = mode}, terrain, ground.cache(), m.center, m.axis);
    EXPECT_GT(f.Fz, 0);
    EXPECT_NEAR(f.Fz, model.soils[0].stiffness * c.deflection, 1e-9 * f.Fz);
  }
}

TEST(LumpedGround, PowerAndDerivative) {
  using tire::Dual;
  const Terrain terrain = make_ground("LETE_sand", 0.1);
  terrain::TerrainCache cache = terrain.make_cache();
  const LumpedGround ground = make_lumped();
  const auto at = [&]<class T>(const T& t) {
    const WheelMotion<T> m{.center = {T(0.2), T(0.1), 0.45 + t},
                           .axis = {T(0), T(std::cos(0.1)), T(std::sin(0.1))},
                           .velocity = {1.0 + t, T(0.2), T(-0.05)},
                           .hub_turn_rate = {T(0.1), T(0.05), T(0.2)},
                           .spin = T(3.0)};
    return calc_wheel_on_lumped_soil(ground, ground.soils[0], terrain, &cache, m,
                                     TireState<T>{T(0.3), T(-0.2)});
  };
  const auto f = at(0.0);
  const Vec3<double> axis{0, std::cos(0.1), std::sin(0.1)};
  const double power = dot(f.force, Vec3<double>(1, 0.2, -0.05)) +
                       dot(f.torque, Vec3<double>(0.1, 0.05, 0.2) + axis * 3.0);
  EXPECT_NEAR(power, f.sliding_power + f.damping_power + f.rolling_power - f.stored_power,
              1e-9 * 1e4);
  const auto derived = at(Dual::variable(0, 0));
  const double h = 1e-6;
  for (int k = 0; k < 3; ++k) {
    const double slope = (at(h).force[k] - at(-h).force[k]) / (2 * h);
    EXPECT_NEAR(derived.force[k].partial(0), slope, 1e-4 * (std::abs(slope) + 1e4));
  }
}

}  // namespace
}  // namespace camber::dynamics
