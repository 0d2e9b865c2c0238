// A corner of a car on a wheel, through time: rolling out, standing, relaxing, any frame.

#include "camber/dynamics/test/corner.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/tire/test/hmmwv_tires.h"
#include "camber/tire/tir_file.h"

namespace camber::dynamics {
namespace {

using terrain::Terrain;
using terrain::TerrainCache;
using tire::RollingTire;

struct TestGround {
  Terrain terrain;
  TerrainCache cache;
  ContactOptions options = {};
};

TestGround make_slope(double slope_x, double slope_y = 0) {
  TestGround ground;
  ground.terrain.base = terrain::Plane{0, slope_x, slope_y};
  ground.cache = ground.terrain.make_cache();
  return ground;
}

Corner make_corner(const RollingTire& tire, TestGround* ground) {
  Corner corner;
  corner.ground = [&tire, ground](const auto& motion, const auto& state) {
    return calc_wheel_on_ground(tire, ground->options, ground->terrain, &ground->cache, motion,
                                state);
  };
  return corner;
}

// Standing in its static deflection on a plane through the origin.
CornerState make_start(const Corner& corner, const RollingTire& tire, const terrain::Plane& plane) {
  const double n = 1 / std::sqrt(1 + plane.slope_x * plane.slope_x + plane.slope_y * plane.slope_y);
  const double pressed = tire::find_deflection(tire.vertical, corner.mass * corner.gravity * n);
  CornerState s;
  const double above = tire.radius - pressed;
  s.position = {-plane.slope_x * n * above, -plane.slope_y * n * above, n * above};
  return s;
}

// A free wheel on level ground slows down by its rolling resistance (check 14).
TEST(Corner, Check14RollsOut) {
  const RollingTire tire = tire::load_hmmwv_tire();
  TestGround ground = make_slope(0);
  const Corner corner = make_corner(tire, &ground);
  CornerState s = make_start(corner, tire, {});
  s.velocity = {10, 0, 0};
  const double rolling = tire.radius - corner.forces(s).deflection / 3;
  s.spin = 10 / rolling;
  for (int i = 0; i < 1000; ++i) corner.step(1e-3, 0, &s);  // lets the slip settle
  const double start = s.velocity[0];
  double most = -1;
  for (int i = 0; i < 2000; ++i) {
    corner.step(1e-3, 0, &s);
    most = std::max(most, corner.forces(s).sliding_power);
  }
  // The wheel's spin has inertia too: I / R_e^2 beside the mass.
  const double turning = corner.spin_inertia / (rolling * rolling) / corner.mass;
  EXPECT_NEAR((start - s.velocity[0]) / 2 * (1 + turning), 0.015 * 9.81, 0.01 * 0.015 * 9.81);
  EXPECT_LE(most, 0);
}

// Driven and braked hard, on waves: what slides loses power at every sample (check 14).
TEST(Corner, Check14SlidingLosesPower) {
  const RollingTire tire = tire::load_hmmwv_tire();
  TestGround ground = make_slope(0.05);
  ground.terrain.bumps.push_back(
      {.shape = terrain::BumpShape::kSine, .x = 5, .height = 0.1, .length = 3, .count = 50});
  Corner corner = make_corner(tire, &ground);
  corner.axis = {-0.05, std::sqrt(1 - 0.0025), 0};  // a little across the way
  CornerState s = make_start(corner, tire, {});
  s.velocity = {8, 0, 0};
  s.spin = 17;
  for (int i = 0; i < 8000; ++i) {
    corner.step(1e-3, i % 2000 < 1000 ? 3500 : -3000, &s);
    const WheelForces<double> f = corner.forces(s);
    ASSERT_TRUE(std::isfinite(f.force[0]));
    const bool stands = std::abs(s.velocity[0]) < 0.5;  // there it is damped as well
    EXPECT_LE(stands ? 0 : f.sliding_power, 1e-9);
    EXPECT_LE(f.damping_power, 1e-9);
  }
}

// What the ground's powers say is what becomes of the energy.
TEST(Corner, KeepsItsAccount) {
  const RollingTire tire = tire::load_hmmwv_tire();
  TestGround ground = make_slope(0.02);
  ground.terrain.bumps.push_back(
      {.shape = terrain::BumpShape::kSine, .x = 3, .height = 0.06, .length = 3, .count = 50});
  const Corner corner = make_corner(tire, &ground);
  CornerState s = make_start(corner, tire, {});
  s.velocity = {8, 0, 0};
  s.spin = 8 / (tire.radius - 0.01);
  const auto energy = [&] {
    return 0.5 * corner.mass * dot(s.velocity, s.velocity) +
           0.5 * corner.spin_inertia * s.spin * s.spin +
           corner.mass * corner.gravity * s.position[2];
  };
  const auto power = [&] {
    const WheelForces<double> f = corner.forces(s);
    return f.sliding_power + f.damping_power + f.rolling_power - f.stored_power;
  };
  const double start = energy(), dt = 2e-4;
  double given = 0, before = power();
  for (int i = 0; i < 10000; ++i) {
    corner.step(dt, 200, &s);
    const double after = power();
    given += dt / 2 * (before + after) + dt * 200 * s.spin;
    before = after;
  }
  EXPECT_NEAR(energy() - start, given, 2e-4 * start);
  EXPECT_GT(std::abs(energy() - start), 0.01 * start);
}

// Brakes on, on a slope of 15 %, for a minute (check 15).
TEST(Corner, Check15StandsOnASlope) {
  const RollingTire tire = tire::load_hmmwv_tire();
  for (const bool across : {false, true}) {
    SCOPED_TRACE(across ? "across" : "along");
    TestGround ground = across ? make_slope(0, 0.15) : make_slope(0.15);
    Corner corner = make_corner(tire, &ground);
    corner.locked = true;
    CornerState s = make_start(corner, tire, *std::get_if<terrain::Plane>(&ground.terrain.base));
    // It settles on its tire alone, whose damper is 0.02 of the critical one for the whole load.
    for (int i = 0; i < 10000; ++i) corner.step(1e-3, 0, &s);
    const Vec3<double> start = s.position;
    for (int i = 0; i < 60000; ++i) corner.step(1e-3, 0, &s);
    const Vec3<double> way = s.position - start;
    EXPECT_LT(std::sqrt(dot(way, way)), 2e-3);
    EXPECT_LT(std::sqrt(dot(s.velocity, s.velocity)), 1e-4);
  }
}

// The same on less friction, as on one side of a road: it stays while friction suffices (check 15).
TEST(Corner, Check15StaysOnLittleFriction) {
  const RollingTire tire = tire::load_hmmwv_tire();
  for (const double friction : {0.25, 0.1}) {
    SCOPED_TRACE(friction);
    TestGround ground = make_slope(0.15);
    ground.terrain.friction = terrain::RegionMap<double>(friction);
    Corner corner = make_corner(tire, &ground);
    corner.locked = true;
    CornerState s = make_start(corner, tire, *std::get_if<terrain::Plane>(&ground.terrain.base));
    for (int i = 0; i < 2000; ++i) corner.step(1e-3, 0, &s);
    const double start = s.position[0];
    for (int i = 0; i < 10000; ++i) corner.step(1e-3, 0, &s);
    const double way = start - s.position[0];
    // 0.25 times the tire's own 0.9 holds 0.15; 0.1 times does not.
    if (friction > 0.2) {
      EXPECT_LT(std::abs(way), 2e-3);
    } else {
      EXPECT_GT(way, 10);
    }
  }
}

// From 1 m/s to rest: by locking the wheel, and by a brake torque that holds it (check 15).
TEST(Corner, Check15StopsWithoutReversal) {
  std::vector<RollingTire> tires(4, tire::load_hmmwv_tire());
  tires[1].steady = tire::kTestBrush;
  tires[2].steady = tire::load_hmmwv_fiala();
  tires[3].steady = tire::without_shifts(tire::load_tir("models/tires/hmmwv.tir").tire);
  for (const RollingTire& tire : tires) {
    for (const double torque : {1e9, 600.0, 1500.0}) {
      SCOPED_TRACE(testing::Message() << "model " << tire.steady.index() << ", brake " << torque);
      TestGround ground = make_slope(0);
      Corner corner = make_corner(tire, &ground);
      CornerState s = make_start(corner, tire, {});
      s.velocity = {1, 0, 0};
      s.spin = torque < 1e6 ? 1 / (tire.radius - 0.01) : 0;
      corner.locked = torque > 1e6;
      double farthest = 0, back = 0;
      for (int i = 0; i < 4000; ++i) {
        // A brake that holds what stands: its torque turns round over 0.25 rad/s.
        corner.step(1e-3, -torque * std::clamp(s.spin / 0.25, -1.0, 1.0), &s);
        farthest = std::max(farthest, s.position[0]);
        back = std::max(back, farthest - s.position[0]);
      }
      EXPECT_LT(back, 2e-3);
      EXPECT_LT(std::abs(s.velocity[0]), 1e-4);
    }
  }
}

// A brake released and set again ten times, on a slope: nothing is gained (check 15).
TEST(Corner, Check15BrakeSetAgainGainsNothing) {
  const RollingTire tire = tire::load_hmmwv_tire();
  TestGround ground = make_slope(0);
  Corner corner = make_corner(tire, &ground);
  CornerState s = make_start(corner, tire, {});
  s.velocity = {0.3, 0.1, 0};
  const auto energy = [&] {
    return 0.5 * corner.mass * dot(s.velocity, s.velocity) +
           0.5 * corner.spin_inertia * s.spin * s.spin;
  };
  double before = energy();
  for (int k = 0; k < 20; ++k) {
    corner.locked = k % 2 == 1;
    if (corner.locked) s.spin = 0;
    for (int i = 0; i < 250; ++i) corner.step(1e-3, 0, &s);
    EXPECT_LE(energy(), before + 1e-6);
    before = energy();
  }
}

// A wheel that is free at its hub, at rest under loads up to more than the tire is rated for, and
// nudged: steps of 1 ms can follow.
TEST(Corner, FreeWheelAtRestIsStable) {
  const RollingTire tire = tire::load_hmmwv_tire();
  for (const double mass : {100.0, 650.0, 1300.0, 2000.0}) {
    SCOPED_TRACE(mass);
    TestGround ground = make_slope(0);
    Corner corner = make_corner(tire, &ground);
    corner.mass = mass;
    CornerState s = make_start(corner, tire, {});
    s.spin = 0.05;
    double most = 0;
    for (int i = 0; i < 3000; ++i) {
      corner.step(1e-3, 0, &s);
      most = std::max(most, std::abs(s.spin));
    }
    EXPECT_LE(most, 0.05);
    EXPECT_LT(std::abs(s.spin * tire.radius - s.velocity[0]), 1e-4);
  }
}

// A step of 0.1 to 2 ms, forward and backward (check 16).
TEST(Corner, Check16DoesNotDependOnTheStep) {
  const RollingTire tire = tire::load_hmmwv_tire();
  const auto run = [&](double dt, double sign) {
    TestGround ground = make_slope(0);
    Corner corner = make_corner(tire, &ground);
    CornerState s = make_start(corner, tire, {});
    s.velocity = {6 * sign, 0.2, 0};
    s.spin = 6 * sign / (tire.radius - 0.01);
    for (int i = 0; i < std::lround(0.5 / dt); ++i) corner.step(dt, -300 * sign, &s);
    return s;
  };
  const CornerState exact = run(1e-5, 1);
  for (const double dt : {1e-4, 5e-4, 1e-3, 2e-3}) {
    SCOPED_TRACE(dt);
    const CornerState s = run(dt, 1), back = run(dt, -1);
    EXPECT_NEAR(s.velocity[1], exact.velocity[1], 0.01 * 0.2);
    EXPECT_NEAR(s.tire.u, exact.tire.u, 0.01 * std::abs(exact.tire.u) + 1e-6);
    EXPECT_NEAR(s.velocity[0], exact.velocity[0], 1e-3);
    EXPECT_NEAR(back.velocity[0], -s.velocity[0], 1e-9);
    EXPECT_NEAR(back.velocity[1], s.velocity[1], 1e-9);
    EXPECT_NEAR(back.position[0], -s.position[0], 1e-9);
  }
}

// Tires of both sides that pull: together they do not (check 12).
TEST(WheelPair, Check12MirroredTiresRunStraight) {
  RollingTire left = tire::load_hmmwv_tire(), right = left;
  const tire::MagicFormulaTire one = tire::load_tir("models/tires/hmmwv.tir").tire;
  left.steady = one;
  right.steady = mirror(one);
  TestGround ground = make_slope(0);
  const double track = 1.82, toe = 0.004, camber = 0.02;
  Vec3<double> force, torque;
  double size = 0;
  for (const double side : {1.0, -1.0}) {
    const Vec3<double> center{0, side * track / 2, 0.439};
    const Vec3<double> axis{side * toe, std::sqrt(1 - toe * toe - camber * camber), side * camber};
    const WheelMotion<double> m{.center = center,
                                .axis = axis,
                                .velocity = {12, 0, 0},
                                .hub_turn_rate = {},
                                .spin = 12 / 0.46};
    const auto f = calc_wheel_on_ground<double>(side > 0 ? left : right, {}, ground.terrain,
                                                &ground.cache, m, {0.002, side * 0.001});
    force += f.force;
    torque += f.torque + cross(center, f.force);
    size = std::max(size, std::abs(f.force[1]));
  }
  EXPECT_GT(size, 50);  // each one does pull
  EXPECT_LT(std::abs(force[1]), 1);
  EXPECT_LT(std::abs(torque[2]), 1);
}

// The same drive, turned by any yaw and 10 km away (check 18).
TEST(Corner, Check18IsTheSameInAnyFrame) {
  const RollingTire tire = tire::load_hmmwv_tire();
  const auto run = [&](double yaw, double x0, double y0, ContactMode mode) {
    const double c = std::cos(yaw), sn = std::sin(yaw);
    const auto turn = [&](double x, double y, double z) {
      return Vec3<double>(c * x - sn * y, sn * x + c * y, z);
    };
    TestGround ground;
    const double sx = 0.03, sy = -0.02;
    terrain::Plane plane{0, c * sx - sn * sy, sn * sx + c * sy};
    plane.height = -plane.slope_x * x0 - plane.slope_y * y0;
    ground.terrain.base = plane;
    const Vec3<double> bump = turn(4, 0, 0);
    ground.terrain.bumps.push_back({.shape = terrain::BumpShape::kSine,
                                    .x = bump[0] + x0,
                                    .y = bump[1] + y0,
                                    .heading = yaw + 0.2,
                                    .height = 0.08,
                                    .length = 4,
                                    .count = 30});
    ground.cache = ground.terrain.make_cache();
    ground.options.mode = mode;
    Corner corner = make_corner(tire, &ground);
    corner.axis = turn(-0.03, std::sqrt(1 - 0.0009 - 0.0004), 0.02);
    CornerState s;
    s.position = turn(0, 0, 0.44) + Vec3<double>(x0, y0, 0);
    s.velocity = turn(6, 0, 0);
    s.spin = 13;
    for (int i = 0; i < 5000; ++i) corner.step(1e-3, 100, &s);
    const Vec3<double> way = s.position - Vec3<double>(x0, y0, 0);
    return Vec3<double>(c * way[0] + sn * way[1], -sn * way[0] + c * way[1], way[2]);
  };
  for (const ContactMode mode : {ContactMode::kPoint, ContactMode::kFourPoints}) {
    const Vec3<double> here = run(0, 0, 0, mode);
    EXPECT_GT(here[0], 20);
    for (const double yaw : {0.7, 2.5, -1.9}) {
      const Vec3<double> there = run(yaw, 1e4, -7e3, mode);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(there[k], here[k], 1e-6);
    }
  }
}

}  // namespace
}  // namespace camber::dynamics
