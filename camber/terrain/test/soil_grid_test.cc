#include "camber/terrain/soil_grid.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"
#include "camber/terrain/lane_pow.h"
#include "camber/terrain/rigid_wheel.h"
#include "camber/terrain/soil_laws.h"
#include "camber/terrain/test/csv.h"

namespace camber::terrain {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

Terrain make_ground(const Soil& soil, double slope_x = 0.0) {
  Terrain terrain;
  terrain.base = Plane{.height = 0.37, .slope_x = slope_x};
  terrain.soils = {soil};
  return terrain;
}

/// Bekker's soil alone: no shear strength, no damping, hardly any rebound.
Soil make_frictionless(double n, double k) {
  Soil soil;
  soil.n = n, soil.k_c = 0, soil.k_phi = k;
  soil.cohesion = 0, soil.friction_angle = 0, soil.damping = 0;
  soil.elastic_stiffness = 3e10;
  return soil;
}

Vector3 axis_at(double heading) { return {-std::sin(heading), std::cos(heading), 0}; }

TEST(LanePow, IsPow) {
  RandomStream random(5);
  double worst = 0;
  for (int k = 0; k < 100000; ++k) {
    math::Lanes<8> x(0.0);
    for (int i = 0; i < 8; ++i) x.set_lane(i, std::exp(random.uniform(-60, 60)));
    const double y = random.uniform(0.05, 3);
    const auto p = internal::pow_positive(x, y);
    for (int i = 0; i < 8; ++i) {
      const double exact = std::pow(x.lane(i), y);
      worst = std::max(worst, std::abs(p.lane(i) / exact - 1));
    }
  }
  EXPECT_LT(worst, 2e-13);
  EXPECT_EQ(internal::pow_positive(math::Lanes<8>(1.0), 0.7).lane(3), 1.0);
}

// --- A plate: validation check 5 ---

/// Force on a plate pushed to sinkage z from above.
double push_plate(const Soil& soil, double side, double z, double spacing, double heading,
                  double x0) {
  const Terrain terrain = make_ground(soil);
  SoilGrid grid(&terrain, {.spacing = spacing});
  BodyMotion motion;
  motion.axis = axis_at(heading);
  double force = 0;
  for (int i = 1; i <= 40; ++i) {
    motion.center = {x0, 0.3 * x0, 0.37 - z * i / 40};
    force = grid.advance(PlateShape{side, side}, motion, 1e-3).force_W.z();
  }
  return force;
}

TEST(SoilGrid, PlateReproducesTheReferenceTable) {
  double worst = 0;
  for (const CsvRow& row : read_table("ref_scm_plate.csv")) {
    const double side = std::stod(row[1]), expected = std::stod(row[5]);
    const double force =
        push_plate(find_soil(row[0]), side, std::stod(row[2]), side / 20, 0, 0.0137);
    EXPECT_NEAR(force, expected, 0.01 * expected) << row[0] << ", side " << side;
    worst = std::max(worst, std::abs(force / expected - 1));
  }
  RecordProperty("worst", std::to_string(worst));
}

TEST(SoilGrid, PlateForceDoesNotDependOnTheGrid) {
  const Soil& soil = find_soil("LETE_sand");
  const double reference = 23503.308;  // of the table: side 0.2 m, sinkage 0.05 m
  for (const double angle : {0.0, 11.0, 22.5, 37.0, 45.0}) {
    for (const double x : {0.0, 0.0031, 0.0057, 123.0089}) {
      const double force = push_plate(soil, 0.2, 0.05, 0.01, angle * kDegree, x);
      EXPECT_NEAR(force, reference, 0.02 * reference) << angle << " deg, origin " << x;
    }
  }
}

// Where Terzaghi's capacity is less than what Bekker's law would put up, it is what a plate feels,
// and a tire sinks until its contact is large enough.
TEST(SoilGrid, PressureEndsAtTheBearingLimit) {
  Soil soil = find_soil("LETE_sand");
  soil.friction_angle = 8 * kDegree;
  const double side = 0.2, cell = side / 20;
  Soil limited = soil;
  limited.has_bearing_limit = true;
  for (const double z : {0.0002, 0.02, 0.05}) {
    const double free = push_plate(soil, side, z, cell, 0, 0.0137);
    const double most = side * side * bearing_capacity(soil, side, z);
    const double force = push_plate(limited, side, z, cell, 0, 0.0137);
    EXPECT_NEAR(force, std::min(free, most), 0.01 * force) << z;
  }
  EXPECT_LT(side * side * bearing_capacity(soil, side, 0.05),
            0.2 * push_plate(soil, side, 0.05, cell, 0, 0.0137));
}

// --- A wheel against the integrals over its arc ---

TEST(SoilGrid, PressedWheelCarriesWhatTheExactIntegralSays) {
  const double n = 0.8, k = 5e6, r = 0.47, w = 0.3, load = 6600;
  const TowedWheel exact = exact_towed_wheel(k, n, r, w, load);  // the front half alone
  const Terrain terrain = make_ground(make_frictionless(n, k));
  for (const double heading : {0.0, 0.3, std::numbers::pi / 4}) {
    SoilGrid grid(&terrain, {.spacing = 0.01});
    BodyMotion motion;
    motion.axis = axis_at(heading);
    SoilContact c;
    for (int i = 1; i <= 60; ++i) {
      motion.center = {0.7, -0.2, 0.37 + r - exact.sinkage * i / 60};
      c = grid.advance(WheelShape{r, w}, motion, 1e-3);
    }
    EXPECT_NEAR(c.force_W.z(), 2 * load, 0.02 * load) << heading;
    EXPECT_NEAR(c.force_W.x(), 0, 0.01 * load);
    EXPECT_NEAR(c.torque_W.norm(), 0, 0.01 * load * r);
    EXPECT_NEAR(c.sinkage, exact.sinkage, 1e-12);
  }
}

/// Rolls a wheel forward at a fixed height and speed; the mean force after it has settled.
struct Roll {
  Vector3 force = Vector3::Zero();
  Vector3 torque = Vector3::Zero();
  double spread = 0;  // of the vertical force, peak to mean
};
Roll roll(SoilGrid* grid, const WheelShape& wheel, double sinkage, double heading, double slip,
          double x0, double length, double V = 1.0) {
  const double dt = 1e-3;
  BodyMotion motion;
  const Vector3 ahead(std::cos(heading), std::sin(heading), 0);
  motion.axis = axis_at(heading);
  motion.velocity = V * ahead;
  motion.angular_velocity = V / (wheel.radius * (1 - slip)) * motion.axis;
  Roll sum;
  int count = 0;
  double top = -1e30;
  const int steps = static_cast<int>(length / (V * dt));
  for (int i = 0; i < steps; ++i) {
    motion.center = x0 * ahead + (i * dt) * motion.velocity;
    motion.center.z() = 0.37 + wheel.radius - sinkage;
    const SoilContact c = grid->advance(wheel, motion, dt);
    if (i < steps / 2) continue;
    sum.force += c.force_W, sum.torque += c.torque_W, ++count;
    top = std::max(top, c.force_W.z());
  }
  sum.force /= count, sum.torque /= count;
  sum.spread = top / sum.force.z() - 1;
  return sum;
}

TEST(SoilGrid, RollingWheelMeetsBekkersResistance) {
  const double n = 1.1, k = 1.53e6, r = 0.47, w = 0.3175, load = 6600;
  const TowedWheel exact = exact_towed_wheel(k, n, r, w, load);
  const Terrain terrain = make_ground(make_frictionless(n, k));
  for (const double heading : {0.0, 0.4}) {
    SoilGrid grid(&terrain, {.spacing = 0.01});
    const Roll r1 = roll(&grid, {r, w}, exact.sinkage, heading, 0, 0.2, 1.6);
    const double ahead = r1.force.x() * std::cos(heading) + r1.force.y() * std::sin(heading);
    EXPECT_NEAR(r1.force.z(), load, 0.03 * load);
    EXPECT_NEAR(-ahead, exact.resistance, 0.03 * exact.resistance);
    EXPECT_LT(r1.spread, 0.05);
  }
}

/// The driven wheel as an integral over its arc, by the midpoint rule. Other than in rigid_wheel.h
/// the shear displacement is that of a point of the soil while the wheel goes over it,
///   j = int (r omega - V cos theta) dt,  dt = r cos theta dtheta/V.
struct ArcForces {
  double Fx = 0, Fz = 0, torque = 0;
};
ArcForces integrate_arc(const Soil& soil, double k, double r, double w, double z, double slip,
                        ShearMemory memory) {
  const double theta_1 = std::acos(1 - z / r);
  const int n = 20000;
  const double step = theta_1 / n;
  double j = 0, stress = 0;
  ArcForces f;
  for (int i = 0; i < n; ++i) {
    const double theta = theta_1 - (i + 0.5) * step, c = std::cos(theta), s = std::sin(theta);
    const double dj = (1 / (1 - slip) - c) * r * c * step;
    const double sigma = k * std::pow(r * (c - std::cos(theta_1)), soil.n);
    const double strength = soil.cohesion + sigma * std::tan(soil.friction_angle);
    j += dj;
    stress += (strength - stress) * dj / soil.shear_modulus;
    const double janosi = strength * (1 - std::exp(-j / soil.shear_modulus));
    const double tau = memory == ShearMemory::kStress ? stress : janosi;
    f.Fx += r * w * step * (tau * c - sigma * s);
    f.Fz += r * w * step * (sigma * c + tau * s);
    f.torque += r * r * w * step * tau;
  }
  return f;
}

TEST(SoilGrid, DrivenWheelAgreesWithTheArcIntegral) {
  Soil soil = find_soil("LETE_sand");
  soil.k_phi = calc_modulus(soil, 0.3175);
  // So stiff that nothing comes back behind the axle: 3e10 Pa/m would leave 3 mm of contact there.
  soil.k_c = 0, soil.damping = 0, soil.elastic_stiffness = 1e12;
  const Terrain terrain = make_ground(soil);
  for (const ShearMemory memory : {ShearMemory::kStress, ShearMemory::kMobilization}) {
    for (const double slip : {0.05, 0.2, 0.6}) {
      SCOPED_TRACE(slip);
      const ArcForces arc = integrate_arc(soil, soil.k_phi, 0.47, 0.3175, 0.021, slip, memory);
      SoilGrid grid(&terrain, {.spacing = 0.01, .shear_damping = 0, .shear_memory = memory});
      const Roll r = roll(&grid, {0.47, 0.3175}, 0.021, 0, slip, 0, 0.6, 0.25);
      EXPECT_NEAR(r.force.z(), arc.Fz, 0.03 * arc.Fz);
      EXPECT_NEAR(-r.torque.y(), arc.torque, 0.03 * arc.torque);
      EXPECT_NEAR(r.force.x(), arc.Fx, 0.02 * arc.Fz);
    }
  }
}

TEST(SoilGrid, ForceDoesNotDependOnTheGridsAngleOrOrigin) {
  const Terrain terrain = make_ground(find_soil("LETE_sand"));
  std::vector<Roll> all;
  for (const double heading : {0.0, 0.35, std::numbers::pi / 4}) {
    SoilGrid grid(&terrain, {.spacing = 0.02});
    all.push_back(roll(&grid, {0.47, 0.3175}, 0.03, heading, 0.15, 0.007 + heading, 1.0));
  }
  SoilGrid far(&terrain, {.spacing = 0.02});
  all.push_back(roll(&far, {0.47, 0.3175}, 0.03, 0, 0.15, 10000.013, 1.0));
  for (const Roll& r : all) {
    EXPECT_NEAR(r.force.z(), all[0].force.z(), 0.03 * all[0].force.z());
    EXPECT_NEAR(r.force.norm(), all[0].force.norm(), 0.03 * all[0].force.norm());
    EXPECT_NEAR(r.torque.norm(), all[0].torque.norm(), 0.03 * all[0].torque.norm());
  }
}

// Ground turned by a slope, and the wheel with it: the same force, turned.
TEST(SoilGrid, SlopesTurnTheForce) {
  const Soil& soil = find_soil("LETE_sand");
  const auto press = [&](double slope_deg, double heading) {
    const double slope = std::tan(slope_deg * kDegree);
    const Terrain terrain = make_ground(soil, slope);
    SoilGrid grid(&terrain, {.spacing = 0.01});
    const Vector3 up = Vector3(-slope, 0, 1).normalized();
    BodyMotion motion;
    // An axis in the plane of the ground.
    motion.axis = (axis_at(heading) - up * up.dot(axis_at(heading))).normalized();
    SoilContact c;
    for (int i = 1; i <= 40; ++i) {
      motion.center = Vector3(0, 0, 0.37) + (0.47 - 0.02 * i / 40) * up;
      c = grid.advance(WheelShape{}, motion, 1e-3);
    }
    return Vector3(c.force_W.dot(up), (c.force_W - up * c.force_W.dot(up)).norm(), c.sinkage);
  };
  const Vector3 level = press(0, 0);
  for (const double slope_deg : {10.0, 20.0, 30.0}) {
    for (const double heading : {0.0, 0.6, std::numbers::pi / 2}) {
      const Vector3 turned = press(slope_deg, heading);
      EXPECT_NEAR(turned[0], level[0], 0.03 * level[0]) << slope_deg << " deg, " << heading;
      EXPECT_LT(turned[1], 0.03 * level[0]) << slope_deg << " deg, " << heading;
      EXPECT_NEAR(turned[2], level[2], 1e-3);
    }
  }
}

// --- Memory: validation check 8 ---

TEST(SoilGrid, SecondPassInTheRutSinksLessAndMeetsLess) {
  const Terrain terrain = make_ground(find_soil("dry_sand_LLL"));
  SoilGrid grid(&terrain, {.spacing = 0.02});
  const WheelShape wheel{0.47, 0.3175};
  // Under a load: the height at which the wheel carries 6.6 kN, found as it rolls.
  const auto pass = [&](double y) {
    BodyMotion motion;
    motion.velocity = {1, 0, 0};
    motion.angular_velocity = {0, 1 / 0.47, 0};
    double z = 0.37 + 0.47 - 0.05, resistance = 0, depth = 0;
    int count = 0;
    for (int i = 0; i < 3000; ++i) {
      motion.center = {i * 1e-3, y, z};
      const SoilContact c = grid.advance(wheel, motion, 1e-3);
      z += 2e-8 * (c.force_W.z() - 6600);
      if (i < 1500) continue;
      resistance -= c.force_W.x() + c.torque_W.y() / 0.47, depth += 0.37 + 0.47 - z, ++count;
    }
    return std::pair{depth / count, resistance / count};
  };
  const auto [first, first_resistance] = pass(0);
  const double rut = grid.rut_depth(2.0, 0.0);
  EXPECT_NEAR(rut, first, 0.02);
  const auto [second, second_resistance] = pass(0);
  EXPECT_GT(first, 0.06);
  EXPECT_LT(second - first, 0.3 * first);
  EXPECT_LT(second_resistance, 0.7 * first_resistance);
  EXPECT_GE(grid.rut_depth(2.0, 0.0), rut);
  // Beside the rut nothing has happened.
  EXPECT_EQ(grid.rut_depth(2.0, 1.0), 0.0);
  EXPECT_EQ(pass(1.0).first, first);
}

TEST(SoilGrid, LookingLeavesTheSoilAsItIs) {
  const Terrain terrain = make_ground(find_soil("LETE_sand"));
  SoilGrid grid(&terrain, {});
  BodyMotion motion;
  motion.center = {0.3, 0.1, 0.37 + 0.47 - 0.02};
  motion.velocity = {0.5, 0.1, -0.05};
  const SoilContact a = grid.calc_contact(WheelShape{}, motion, 1e-3);
  const SoilContact b = grid.calc_contact(WheelShape{}, motion, 1e-3);
  EXPECT_EQ(grid.rut_depth(0.3, 0.1), 0.0);
  const SoilContact c = grid.advance(WheelShape{}, motion, 1e-3);
  EXPECT_EQ(a.force_W, b.force_W);
  EXPECT_EQ(a.force_W, c.force_W);
  EXPECT_EQ(a.torque_W, c.torque_W);
  EXPECT_GT(grid.rut_depth(0.3, 0.1), 0.01);
}

TEST(SoilGrid, ShearIsForgottenWhereContactEnds) {
  const Terrain terrain = make_ground(find_soil("LETE_sand"));
  SoilGrid grid(&terrain, {.shear_damping = 0});
  BodyMotion motion;
  motion.center = {0, 0, 0.37 + 0.47 - 0.02};
  for (int i = 0; i < 50; ++i) {  // dragged sideways
    motion.velocity = {0, 0.2, 0};
    grid.advance(WheelShape{}, motion, 1e-3);
  }
  motion.velocity.setZero();
  EXPECT_LT(grid.calc_contact(WheelShape{}, motion, 1e-3).force_W.y(), -500);
  BodyMotion lifted = motion;
  lifted.center.z() += 0.1;
  EXPECT_EQ(grid.advance(WheelShape{}, lifted, 1e-3).force_W.norm(), 0);
  motion.center.z() -= 0.001;
  EXPECT_NEAR(grid.advance(WheelShape{}, motion, 1e-3).force_W.y(), 0, 1e-9);
}

// --- Standing: validation check 7 ---

struct Parked {
  double drift = 0, ringing = 0;  // over the time looked at [m]
};
/// A locked wheel with its share of a vehicle's mass, let down on a slope.
Parked park(double slope_deg, double seconds, double look_from) {
  const Soil& soil = find_soil("LETE_sand");
  const double slope = std::tan(slope_deg * kDegree), mass = 650, dt = 5e-4, g = 9.81;
  const Terrain terrain = make_ground(soil, slope);
  SoilGrid grid(&terrain, {.spacing = 0.02});
  BodyMotion motion;
  const Vector3 up = Vector3(-slope, 0, 1).normalized();
  motion.center = Vector3(0, 0, 0.37) + 0.47 * up;
  Parked result;
  Vector3 start = motion.center;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < static_cast<int>(seconds / dt); ++i) {
    const SoilContact c = grid.advance(WheelShape{}, motion, dt);
    motion.velocity += dt * (c.force_W / mass - Vector3(0, 0, g));
    motion.center += dt * motion.velocity;
    if (i == static_cast<int>(look_from / dt)) start = motion.center;
    if (i * dt > seconds - 5) {
      least = std::min(least, motion.center.x()), most = std::max(most, motion.center.x());
    }
  }
  result.drift = (motion.center - start).norm();
  result.ringing = most - least;
  return result;
}

TEST(SoilGrid, ParkedWheelStaysOnATwentyDegreeSlope) {
  const Parked p = park(20, 60, 10);
  EXPECT_LT(p.drift, 1e-3);
  EXPECT_LT(p.ringing, 1e-4);
}

TEST(SoilGrid, LockedWheelSlidesOnThirtyFiveDegrees) { EXPECT_GT(park(35, 6, 1).drift, 0.5); }

// --- Friction of what covers the soil ---

// Shear has a share of the strength that does not depend on how large the strength is, so that a
// plate that slides along meets that much less on ice. More friction than a dry road's is not the
// soil's to give, and the load it carries is as it was.
TEST(SoilGrid, LessFrictionIsLessShear) {
  const auto slide = [](double friction) {
    Terrain terrain = make_ground(find_soil("clayey_38_Thailand"));
    terrain.friction = RegionMap<double>(friction);
    SoilGrid grid(&terrain, {.spacing = 0.03});
    SoilContact c;
    for (int i = 0; i < 400; ++i) {
      BodyMotion m;
      m.center = {0.3 + 0.0007 * i, -0.2 + 0.0004 * i, 0.37 - 0.023};
      m.velocity = {0.7, 0.4, 0};
      c = grid.advance(PlateShape{}, m, 1e-3);
    }
    return c.force_W;
  };
  const Vector3 dry = slide(1), icy = slide(0.17), rough = slide(1.3);
  EXPECT_GT(dry.head<2>().norm(), 0.2 * dry.z());
  // To what is left at this speed of the damper beside the shear.
  EXPECT_NEAR(icy.head<2>().norm(), 0.17 * dry.head<2>().norm(), 1e-7 * dry.norm());
  EXPECT_NEAR(icy.z(), dry.z(), 1e-9 * dry.z());
  EXPECT_EQ(rough, dry);
}

// --- Energy: validation check 10 ---

TEST(SoilGrid, ClosedMotionsFromRestToRestLoseEnergy) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomStream random(seed);
    const Terrain terrain = make_ground(find_soil(seed % 2 ? "LETE_sand" : "clayey_38_Thailand"));
    SoilGrid grid(&terrain, {.spacing = 0.03});
    const double depth = random.uniform(0.01, 0.05), a = random.uniform(0, 0.2);
    const double b = random.uniform(0, 0.2), spin = random.uniform(-1, 1);
    const double phase = random.uniform(0, 6);
    double work = 0;
    const int n = 1000;
    const double dt = 1e-3;
    for (int i = 0; i < n; ++i) {
      const double t = 2 * std::numbers::pi * (i + 0.5) / n;
      BodyMotion m;
      m.center = {a * (1 - std::cos(t)), b * (std::cos(2 * t + phase) - std::cos(phase)),
                  0.37 + 0.47 + 0.005 - (depth + 0.005) * 0.5 * (1 - std::cos(t))};
      const double rate = 2 * std::numbers::pi / (n * dt);
      m.velocity = {a * std::sin(t) * rate, -2 * b * std::sin(2 * t + phase) * rate,
                    -(depth + 0.005) * 0.5 * std::sin(t) * rate};
      m.angular_velocity = {0, spin * std::sin(t) * rate, 0};
      const SoilContact c = grid.advance(WheelShape{}, m, dt);
      work += (c.force_W.dot(m.velocity) + c.torque_W.dot(m.angular_velocity)) * dt;
    }
    EXPECT_LT(work, 0);
  }
}

// --- Soil that moves: validation check 6 ---

TEST(SoilGrid, KeepsItsVolumeToRounding) {
  Terrain terrain = make_ground(find_soil("dry_sand_LLL"));
  terrain.base = Plane{.height = 0.0};
  SoilGrid grid(&terrain, {.spacing = 0.02, .flow = 1.0, .erosion_sweeps = 3});
  const Box2 box{-1.5, -1.5, 3.5, 1.5};
  const double before = grid.volume(box);
  BodyMotion motion;
  motion.velocity = {1, 0.1, 0};
  motion.angular_velocity = {0, 3, 0};
  for (int i = 0; i < 1500; ++i) {
    motion.center = {i * 1e-3, i * 1e-4, 0.47 - std::min(0.08, 4e-4 * i)};
    grid.advance(WheelShape{}, motion, 1e-3);
  }
  EXPECT_GT(grid.rut_depth(0.8, 0.08), 0.05);
  EXPECT_GT(grid.height(0.8, 0.08 + 0.22), 0.005);  // a bank beside the rut
  EXPECT_NEAR(grid.volume(box), before, 1e-9);
  grid.relax(box, 4000);
  EXPECT_NEAR(grid.volume(box), before, 1e-9);
  double steepest = 0;
  for (int j = -70; j < 70; ++j) {
    for (int i = -70; i < 170; ++i) {
      const double x = 0.02 * i, y = 0.02 * j;
      const double h = grid.height(x, y);
      steepest = std::max({steepest, std::abs(grid.height(x + 0.02, y) - h),
                           std::abs(grid.height(x, y + 0.02) - h)});
    }
  }
  EXPECT_LT(std::atan(steepest / 0.02), grid.options().repose_angle + 1 * kDegree);
}

// --- Several soils, bounds, costs ---

TEST(SoilGrid, TakesTheSoilOfEachNode) {
  Terrain terrain = make_ground(find_soil("LETE_sand"));
  terrain.soils = {find_soil("chrono_soft_demo"), make_rigid_ground()};
  RegionMap<int> map(0);
  map.add({{{-9, 0}, {9, 0}, {9, 9}, {-9, 9}}, 1});
  terrain.soil_map = map;
  SoilGrid grid(&terrain, {});
  BodyMotion motion;
  motion.center = {0, 0, 0.37 + 0.47 - 0.004};
  const SoilContact half = grid.advance(WheelShape{}, motion, 1e-3);
  motion.center.y() = 3;
  const SoilContact rigid = grid.advance(WheelShape{}, motion, 1e-3);
  motion.center.y() = -3;
  const SoilContact soft = grid.advance(WheelShape{}, motion, 1e-3);
  EXPECT_GT(rigid.force_W.z(), 20 * soft.force_W.z());
  EXPECT_NEAR(half.force_W.z(), 0.5 * (rigid.force_W.z() + soft.force_W.z()),
              0.05 * rigid.force_W.z());
  EXPECT_GT(half.torque_W.x(), 0.1 * 0.05 * rigid.force_W.z());  // lifted at its left side
  EXPECT_EQ(grid.rut_depth(0, 3), 0.0);                          // a road has no ruts
}

TEST(SoilGrid, ForgetsTheOldestRutsWhenItIsFull) {
  const Terrain terrain = make_ground(find_soil("LETE_sand"));
  SoilGrid grid(&terrain, {.spacing = 0.02, .max_tiles = 64});
  BodyMotion motion;
  for (int i = 0; i < 300; ++i) {
    motion.center = {0.1 * i, 0, 0.37 + 0.47 - 0.02};
    EXPECT_GT(grid.advance(WheelShape{}, motion, 1e-3).force_W.z(), 0);
  }
  EXPECT_LE(grid.tile_count(), 64);
  EXPECT_GT(grid.forgotten_tiles(), 0);
  EXPECT_GT(grid.rut_depth(29.0, 0), 0.01);
  EXPECT_EQ(grid.rut_depth(0.0, 0), 0.0);
}

TEST(SoilGrid, StepsWithoutAllocating) {
  const Terrain terrain = make_ground(find_soil("LETE_sand"));
  SoilGrid grid(&terrain, {.spacing = 0.02, .flow = 0.5});
  roll(&grid, WheelShape{}, 0.03, 0.1, 0.1, 0, 0.2);
  const long before = allocation_count();
  roll(&grid, WheelShape{}, 0.03, 0.1, 0.1, 0.2, 3.0);
  EXPECT_EQ(allocation_count(), before);
}

TEST(SoilGrid, RefusesImpossibleOptions) {
  const Terrain terrain = make_ground(find_soil("LETE_sand"));
  EXPECT_THROW(SoilGrid(&terrain, {.spacing = 0}), std::invalid_argument);
  EXPECT_THROW(SoilGrid(&terrain, {.max_tiles = 1}), std::invalid_argument);
  EXPECT_THROW(SoilGrid(&terrain, {.flow = 1.5}), std::invalid_argument);
}

}  // namespace
}  // namespace camber::terrain
