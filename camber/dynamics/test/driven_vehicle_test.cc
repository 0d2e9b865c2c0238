#include "camber/dynamics/driven_vehicle.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/dynamics/steering_map.h"
#include "camber/dynamics/test/hmmwv.h"
#include "camber/integrate/fixed_step.h"
#include "camber/tire/test/hmmwv_tires.h"
#include "camber/vehicle/rig_sweep.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::dynamics {
namespace {

const vehicle::VehicleMechanism& hmmwv() {
  static const vehicle::VehicleMechanism mechanism =
      expand(vehicle::load_vehicle("models/hmmwv.toml"));
  return mechanism;
}

GeneratedChassis make_generated() { return GeneratedChassis(hmmwv()); }
MechanismChassis make_embedded() { return MechanismChassis(hmmwv(), multibody::Formulation::kCe); }

Ground make_ground(const terrain::Terrain* terrain) {
  return Ground(terrain, RigidGround{.tire = tire::load_hmmwv_tire()}, 4);
}

constexpr double kMass = 2597.14, kGravity = 9.81;  // models/hmmwv.toml

TEST(DrivenVehicle, StandsInBalanceOnItsWheels) {
  terrain::Terrain terrain;
  DrivenVehicle<GeneratedChassis> car(make_generated(), load_hmmwv_equipment(),
                                      make_ground(&terrain));
  const DriveState state = car.stand_at({.x = 31, .y = -17, .heading = 2.3});
  DriveInputs neutral;
  neutral.gear.gear = 0;
  car.set_inputs(neutral);
  const DriveSnapshot* now = car.observe(0, state.q, state.v);
  ASSERT_NE(now, nullptr) << car.why();
  double load = 0;
  for (const WheelSnapshot& wheel : now->wheels) load += wheel.ground.Fz;
  EXPECT_NEAR(load, kMass * kGravity, 1e-6 * load);
  // Level in its design position the front wheels carry 0.5151 of it; standing it is 1 degree nose
  // down, and the wheels hang. Whatever its pose, the loads' moment is that of the weight: with
  // gravity along -x its energy is m g times the place of the center of mass.
  vehicle::VehicleMechanism along_x = hmmwv();
  along_x.mechanism.gravity = {-kGravity, 0, 0};
  MechanismChassis weighed(along_x, multibody::Formulation::kCe);
  std::vector<double> q(weighed.initial_q().begin(), weighed.initial_q().end()),
      v(weighed.initial_v().begin(), weighed.initial_v().end());
  car.chassis().to_tree(state.q, state.v, q, v);
  ASSERT_TRUE(weighed.calc_motion(0, q, v)) << weighed.why();
  double moment = 0;
  for (const WheelSnapshot& wheel : now->wheels) moment += wheel.ground.Fz * wheel.ground.point[0];
  EXPECT_NEAR(moment, weighed.calc_energy().gravity, 1e-6 * moment);
  EXPECT_NEAR((now->wheels[0].ground.Fz + now->wheels[1].ground.Fz) / load, 0.5151, 0.003);
  EXPECT_NEAR(now->body.p_WB[0], 31, 1e-12);
  EXPECT_NEAR(now->body.p_WB[1], -17, 1e-12);
  EXPECT_NEAR(std::atan2(now->body.R_WB(1, 0), now->body.R_WB(0, 0)), 2.3, 1e-5);
  EXPECT_LT(std::sqrt(dot(now->acceleration, now->acceleration)), 1e-6);
}

// Two routes to one answer: independent coordinates in generated code, and the recursion with
// loops closed on the way. Random states near the stand, wheels slipping, gears in.
TEST(DrivenVehicle, HasTheSameRatesByGeneratedCodeAndByEmbedding) {
  terrain::Terrain terrain;
  terrain.base = terrain::Plane{.slope_x = 0.07, .slope_y = -0.04};
  DrivenVehicle<GeneratedChassis> fast(make_generated(), load_hmmwv_equipment(),
                                       make_ground(&terrain));
  DrivenVehicle<MechanismChassis> slow(make_embedded(), load_hmmwv_equipment(),
                                       make_ground(&terrain));
  const DriveState start = fast.stand_at({.x = 5, .y = 8, .heading = -0.7, .speed = 11});
  DriveState tree = slow.stand_at({.x = 5, .y = 8, .heading = -0.7, .speed = 11});
  const auto& program = fast.chassis().program();
  const int own = fast.chassis().nv(), other = slow.chassis().nv();
  DriveInputs inputs{.steering = -0.2, .throttle = 0.6, .brake = 0.3, .gear = {.gear = 2}};
  fast.set_inputs(inputs);
  slow.set_inputs(inputs);
  RandomStream random(20261116);
  std::vector<double> fast_rates(static_cast<std::size_t>(fast.nv())),
      slow_rates(static_cast<std::size_t>(slow.nv()));
  for (int trial = 0; trial < 20; ++trial) {
    DriveState state = start;
    for (double& v : state.v) v += 0.3 * random.uniform(-1, 1) * (std::abs(v) > 1 ? 1 : 0.1);
    for (std::size_t k = 7; k < state.q.size(); ++k) state.q[k] += random.uniform(-0.05, 0.05);
    fast.chassis().to_tree(state.q, state.v, tree.q, tree.v);
    std::copy(state.v.begin() + own, state.v.end(), tree.v.begin() + other);
    ASSERT_TRUE(fast.calc_rates(0, state.q, state.v, fast_rates)) << fast.why();
    ASSERT_TRUE(slow.calc_rates(0, tree.q, tree.v, slow_rates)) << slow.why();
    for (int k = 0; k < own; ++k) {
      const double expected = slow_rates[program.v_places[k]];
      EXPECT_NEAR(fast_rates[k], expected, 1e-9 * (100 + std::abs(expected)))
          << program.v_names[k] << ", trial " << trial;
    }
    for (std::size_t k = 0; own + k < fast_rates.size(); ++k)
      EXPECT_NEAR(fast_rates[own + k], slow_rates[other + k],
                  1e-9 * (1 + std::abs(slow_rates[other + k])))
          << "state " << k << ", trial " << trial;
  }
}

// Far down, `ce` takes other coordinates as independent than the arms' angles. What moves along the
// arms must not lose its hold on them: it went nowhere, and found no balance.
TEST(MechanismChassis, MovesAlongItsArmsWhereAWheelHangsFarDown) {
  MechanismChassis chassis = make_embedded();
  std::vector<double> q(chassis.initial_q().begin(), chassis.initial_q().end()),
      displacement(static_cast<std::size_t>(chassis.nv()));
  const std::vector<double> rest(displacement.size());
  const auto height = [&] {
    EXPECT_TRUE(chassis.calc_motion(0, q, rest)) << chassis.why();
    return dot(chassis.body().R_WB.c[2], chassis.wheel(0).center - chassis.body().p_WB);
  };
  const double design = height();
  const int arm = chassis.corner_speeds(0).back(), place = arm + 1;  // after the quaternion
  displacement[arm] = -0.01;
  while (height() > design - 0.17) {
    const double before = q[place];
    ASSERT_TRUE(chassis.move(displacement, q)) << chassis.why();
    ASSERT_NEAR(q[place], before - 0.01, 1e-12) << "at " << height() - design << " m";
    std::vector<double> v = rest;
    ASSERT_TRUE(chassis.project(0, q, v)) << chassis.why();  // as after a step
  }
}

// On four blocks, of which that of the left front wheel is lower: its arm is on the rebound stop.
// One balance, by both.
TEST(DrivenVehicle, FindsItsBalanceWhereAWheelHangsFarDown) {
  terrain::Terrain terrain;
  constexpr double kPlaces[4][3] = {
      {1.6, 0.9, 0.12}, {1.6, -0.9, 0.4}, {-1.6, 0.9, 0.4}, {-1.6, -0.9, 0.4}};
  for (const auto& [x, y, height] : kPlaces)
    terrain.bumps.push_back({.shape = terrain::BumpShape::kRamp,
                             .x = x - 1.0,
                             .y = y,
                             .height = height,
                             .rise = 0.4,
                             .top = 1.2,
                             .fall = 0.4,
                             .width = 1.4,
                             .edge = 0.2});
  vehicle::Vehicle without_stops = vehicle::load_vehicle("models/hmmwv.toml");
  without_stops.axles[0].spring.stop.reset();
  without_stops.axles[0].spring.free_length = 0.347;
  without_stops.chassis.center[0] -= 0.25;  // the other three carry it
  const vehicle::VehicleMechanism car = vehicle::expand(without_stops);
  DrivenVehicle<GeneratedChassis> fast(
      GeneratedChassis(car, {.folder = testing::TempDir() + "camber-drive-test"}),
      load_hmmwv_equipment(), make_ground(&terrain));
  DrivenVehicle<MechanismChassis> slow(MechanismChassis(car, multibody::Formulation::kCe),
                                       load_hmmwv_equipment(), make_ground(&terrain));
  const DriveState a = fast.stand_at({}), b = slow.stand_at({});
  const DriveSnapshot *one = fast.observe(0, a.q, a.v), *other = slow.observe(0, b.q, b.v);
  ASSERT_TRUE(one != nullptr && other != nullptr) << fast.why() << slow.why();
  const double hang = dot(one->body.R_WB.c[2], one->wheels[0].motion.center - one->body.p_WB);
  EXPECT_LT(hang, -0.026289 - 0.15);  // of the design position
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(one->wheels[i].ground.Fz, other->wheels[i].ground.Fz, 1e-3) << "wheel " << i;
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(one->body.p_WB[k], other->body.p_WB[k], 1e-8);
}

TEST(DrivenVehicle, AllocatesNothingInAStep) {
  terrain::Terrain terrain;
  DrivenVehicle<GeneratedChassis> car(make_generated(), load_hmmwv_equipment(),
                                      make_ground(&terrain));
  DriveState state = car.stand_at({.speed = 14});
  integrate::FixedStepper stepper(car.make_system(), integrate::FixedStep::kMidpoint);
  car.set_inputs({.steering = -0.1, .throttle = 0.4, .gear = {.gear = 2}});
  const auto step = [&](double t) {
    car.begin_step(t, 0.001);
    ASSERT_TRUE(stepper.step(t, 0.001, state.q, state.v).ok());
    car.end_step();
  };
  step(0);
  const long before = allocation_count();
  for (int i = 1; i < 50; ++i) step(0.001 * i);
  EXPECT_EQ(allocation_count() - before, 0);
}

// What the shafts take arrives at the wheels: engine work = flywheel + losses + work on wheels, and
// a braked vehicle gives its kinetic energy to brakes, tires and air.
TEST(DrivenVehicle, AccountsForItsEnergy) {
  terrain::Terrain terrain;
  DrivenVehicle<MechanismChassis> car(make_embedded(), load_hmmwv_equipment(),
                                      make_ground(&terrain));
  DriveState state = car.stand_at({.speed = 9});
  car.set_inputs({.steering = -0.05, .throttle = 0, .brake = 0.4, .gear = {.gear = 0}});
  integrate::FixedStepper stepper(car.make_system(), integrate::FixedStep::kMidpoint);
  const auto energy = [&](double t) {
    EXPECT_NE(car.observe(t, state.q, state.v), nullptr);
    return car.chassis().calc_energy();
  };
  const auto total = [](const MechanismChassis::Energy& e) {
    return e.kinetic + e.gravity + e.elastic;
  };
  MechanismChassis::Energy last = energy(0);
  const double first = total(last);
  double damped = 0;
  constexpr double kStep = 0.0005;
  for (int i = 0; i < 2000; ++i) {
    car.begin_step(i * kStep, kStep);
    ASSERT_TRUE(stepper.step(i * kStep, kStep, state.q, state.v).ok());
    car.end_step();
    const MechanismChassis::Energy now = energy((i + 1) * kStep);
    damped += 0.5 * kStep * (last.damping_power + now.damping_power);
    last = now;
  }
  const EnergyAccounts& a = car.observe(1, state.q, state.v)->accounts;
  const double lost = damped + a.brakes + a.tires + a.treads + a.tire_springs + a.air - a.steering;
  EXPECT_NEAR(first - total(last), lost, 1e-5 * lost);
  EXPECT_GT(a.brakes, 0.5 * lost);
}

TEST(DrivenVehicle, NamesWhatIsWrongWithItsEquipment) {
  terrain::Terrain terrain;
  Equipment equipment = load_hmmwv_equipment();
  equipment.brakes.pop_back();
  EXPECT_THROW(DrivenVehicle<GeneratedChassis>(make_generated(), equipment, make_ground(&terrain)),
               std::invalid_argument);
}

// The linkage's mean angle at lock: as on the rig, within 0.15 deg of the hardpoints' inner wheel at 28.1 deg and outer
// one at 24.8 deg, which are without the static toe.
TEST(SteeringMap, GoesFromLockToLock) {
  GeneratedChassis chassis = make_generated();
  const std::vector<double> q(chassis.initial_q().begin(), chassis.initial_q().end());
  const double lock = 30 * M_PI / 180;
  const SteeringMap map = make_steering_map(q, lock, &chassis);
  vehicle::Rig rig(vehicle::load_vehicle("models/hmmwv.toml"));
  ASSERT_TRUE(rig.steer(lock));
  const vehicle::RigState turned = rig.measure();
  EXPECT_NEAR(map.angle.back(), std::abs(turned.wheels[0].steer + turned.wheels[1].steer) / 2,
              1e-9);
  EXPECT_NEAR(map.angle.back(), 0.5 * (28.1 + 24.8) * M_PI / 180, 0.15 * M_PI / 180);
  EXPECT_NEAR(map.angle.front(), -map.angle.back(), 1e-9);
  for (const double angle : {-0.3, -0.01, 0.2})
    EXPECT_NEAR(map.find_angle(map.find_position(angle)), angle, 1e-12);
  EXPECT_EQ(map.find_position(2.0), map.position.back());
}

}  // namespace
}  // namespace camber::dynamics
