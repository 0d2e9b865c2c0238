#include "camber/dynamics/relaxed_rolling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"
#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/dynamics/test/hmmwv.h"
#include "camber/integrate/fixed_step.h"
#include "camber/math/dense.h"
#include "camber/rolling_wheel/rolling_wheel.h"
#include "camber/tire/test/hmmwv_tires.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::dynamics {
namespace {

using Hmmwv = DrivenVehicle<GeneratedChassis>;
using Car = DrivenVehicle<MechanismChassis>;

constexpr double kGravity = 9.81;
constexpr tire::RollingConstraint kRolling{.friction = 0.8, .slip_speed = 0.5};
constexpr DriveInputs kNeutral{.gear = {.gear = 0}};

const vehicle::VehicleMechanism& hmmwv() {
  static const vehicle::VehicleMechanism mechanism =
      expand(vehicle::load_vehicle("models/hmmwv.toml"));
  return mechanism;
}

Ground make_ground(const terrain::Terrain* terrain,
                   const tire::RollingConstraint& rolling = kRolling) {
  RigidGround ground{.tire = tire::load_hmmwv_tire()};
  ground.tire.constraint = rolling;
  return {terrain, ground, 4};
}

Hmmwv make_hmmwv(const terrain::Terrain* terrain,
                 const tire::RollingConstraint& rolling = kRolling) {
  return {GeneratedChassis(hmmwv()), load_hmmwv_equipment(), make_ground(terrain, rolling)};
}

/// With trailing arms: wheels that do not toe, camber or move sideways, which the laws of one wheel
/// can be compared with.
vehicle::Vehicle load_plain_car(const Vector3& gravity) {
  vehicle::Vehicle car = vehicle::load_vehicle("scenarios/parked-car.toml");
  car.gravity = gravity;
  for (vehicle::Axle& axle : car.axles) axle.wheel.parking_brake = 0;
  return car;
}

constexpr double kWheelRadius = 0.31, kWheelInertia = 0.8;  // scenarios/parked-car.toml

/// Without losses but those of brakes and sliding.
Car make_plain_car(const terrain::Terrain* terrain, const tire::RollingConstraint& rolling,
                   double stiffness = 210e3, const Vector3& gravity = {0, 0, -kGravity}) {
  vehicle::Vehicle car = load_plain_car(gravity);
  for (vehicle::Axle& axle : car.axles) axle.wheel.tire.reset();
  RigidGround ground;
  ground.tire.constraint = rolling;
  ground.tire.radius = kWheelRadius;
  ground.tire.rolling_resistance = 0;
  ground.tire.vertical = {.deflection = {0, 1}, .force = {0, stiffness}, .damping = 900};
  Equipment equipment = load_hmmwv_equipment();
  equipment.air.drag_area = 0;
  return {MechanismChassis(expand(car), multibody::Formulation::kCe), equipment,
          Ground(terrain, ground, 4)};
}

template <class Vehicle>
void drive_for(double time, double step, Vehicle* car, DriveState* state) {
  integrate::FixedStepper stepper(car->make_system(), integrate::FixedStep::kMidpoint);
  const auto count = static_cast<int>(std::lround(time / step));
  for (int i = 0; i < count; ++i) {
    car->begin_step(i * step, step);
    const integrate::StepResult result = stepper.step(i * step, step, state->q, state->v);
    ASSERT_TRUE(result.ok()) << result.text;
    car->end_step();
  }
}

double length(const Vec3<double>& x) { return std::sqrt(dot(x, x)); }

// A M^-1 A^T is symmetric and positive definite by what it is; here each column comes from loads on
// the whole vehicle, and each row from how its wheels move.
TEST(RelaxedRolling, HasAMobilityThatIsSymmetricAndPositive) {
  terrain::Terrain terrain;
  terrain.base = terrain::Plane{.slope_x = 0.07, .slope_y = -0.04};
  Hmmwv car = make_hmmwv(&terrain);
  DriveState state = car.stand_at({.x = 5, .y = 8, .heading = -0.7, .speed = 11});
  car.set_inputs({.steering = -0.2, .throttle = 0.6, .gear = {.gear = 2}});
  drive_for(0.4, 0.001, &car, &state);
  ASSERT_NE(car.observe(0, state.q, state.v), nullptr);
  const MatrixX<double> W = car.rolling()->mobility();
  EXPECT_LT((W - W.transpose()).norm(), 1e-12 * W.norm());
  EXPECT_GT(math::calc_symmetric_eigen(W).values.minCoeff(), 1 / 2597.14);
}

// Two routes to one answer, as for the other tires (driven_vehicle_test.cc).
TEST(RelaxedRolling, HasTheSameRatesByGeneratedCodeAndByEmbedding) {
  terrain::Terrain terrain;
  terrain.base = terrain::Plane{.slope_x = 0.07, .slope_y = -0.04};
  Hmmwv fast = make_hmmwv(&terrain);
  Car slow(MechanismChassis(hmmwv(), multibody::Formulation::kCe), load_hmmwv_equipment(),
           make_ground(&terrain));
  const DriveState start = fast.stand_at({.x = 5, .y = 8, .heading = -0.7, .speed = 11});
  DriveState tree = slow.stand_at({.x = 5, .y = 8, .heading = -0.7, .speed = 11});
  const auto& program = fast.chassis().program();
  const int own = fast.chassis().nv(), other = slow.chassis().nv();
  const DriveInputs inputs{.steering = -0.2, .throttle = 0.6, .brake = 0.3, .gear = {.gear = 2}};
  fast.set_inputs(inputs);
  slow.set_inputs(inputs);
  RandomStream random(20261117);
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
    // u'_free is a difference quotient: 1e-16 of 10 m/s over 2e-5 s is 1e-10 m/s^2.
    for (int k = 0; k < own; ++k) {
      const double expected = slow_rates[program.v_places[k]];
      EXPECT_NEAR(fast_rates[k], expected, 1e-8 * (100 + std::abs(expected)))
          << program.v_names[k] << ", trial " << trial;
    }
  }
}

// Whatever the state, no contact exerts more than friction gives, and what slides is held back.
TEST(RelaxedRolling, StaysWithinFriction) {
  terrain::Terrain terrain;
  Hmmwv car = make_hmmwv(&terrain);
  const DriveState start = car.stand_at({.speed = 8});
  car.set_inputs({.steering = 0.1, .throttle = 0.3, .brake = 0.2, .gear = {.gear = 1}});
  RandomStream random(20261118);
  int slides = 0;
  for (int trial = 0; trial < 300; ++trial) {
    DriveState state = start;
    for (int k = 0; k < car.chassis().nv(); ++k) state.v[k] += random.uniform(-1, 1);
    const DriveSnapshot* now = car.observe(0, state.q, state.v);
    ASSERT_NE(now, nullptr) << car.why();
    EXPECT_LT(car.rolling()->sweeps(), 25);
    for (Eigen::Index i = 0; i < 4; ++i) {
      const WheelForces<double>& w = now->wheels[i].ground;
      const double force = std::hypot(w.Fx, w.Fy), limit = 0.8 * w.Fz;
      EXPECT_LE(force, limit * (1 + 1e-14));
      const double u = car.rolling()->slips()[2 * i], v = car.rolling()->slips()[2 * i + 1];
      if (std::hypot(u, v) < 2 * kRolling.slip_speed) continue;
      // Where it slides, all of it, against the slip up to (slip_speed / slip)^3.
      ++slides;
      EXPECT_NEAR(force, limit, 1e-12 * limit);
      const double off = std::pow(kRolling.slip_speed / std::hypot(u, v), 3);
      EXPECT_LT(w.Fx * u + w.Fy * v, -std::sqrt(1 - off * off) * limit * std::hypot(u, v) * 0.99);
    }
  }
  EXPECT_GT(slides, 100);
}

// With the brakes on, on a slope of 15 %: a minute heading up, and shorter ones across it.
TEST(RelaxedRolling, HoldsOnASlopeWithoutCreeping) {
  terrain::Terrain terrain;
  terrain.base = terrain::Plane{.slope_x = 0.15, .slope_y = 0};
  struct Case {
    double heading, time;
  };
  for (const auto& [heading, time] : {Case{0, 60}, {0.6, 5}, {1.5, 5}}) {
    SCOPED_TRACE(testing::Message() << "heading " << heading);
    Hmmwv car = make_hmmwv(&terrain);
    DriveState state = car.stand_at({.heading = heading});
    DriveInputs inputs = kNeutral;
    inputs.brake = inputs.parking_brake = 1;
    car.set_inputs(inputs);
    drive_for(8, 0.001, &car, &state);  // it settles on its springs
    const Vec3<double> before = car.observe(8, state.q, state.v)->body.p_WB;
    drive_for(time, 0.001, &car, &state);
    const DriveSnapshot* now = car.observe(8 + time, state.q, state.v);
    EXPECT_LT(length(now->body.p_WB - before), 1e-8);
    EXPECT_LT(length(now->body.v_WB), 1e-9);
  }
}

// Held by its brakes at all wheels, it decelerates as one wheel with a quarter of its mass does by
// contact's law, and its wheels turn as they roll: (m + 4 I / R^2) v' = -sum of T / R. Then on ice,
// where the brakes lock the wheels: v' = -mu g.
TEST(RelaxedRolling, BrakesLikeTheSingleWheel) {
  terrain::Terrain terrain;
  for (const double mu : {0.9, 0.1}) {
    SCOPED_TRACE(testing::Message() << "friction " << mu);
    Car car = make_plain_car(&terrain, {.friction = mu, .slip_speed = 0.1}, 4e6);
    DriveState state = car.stand_at({.speed = 20});
    DriveInputs inputs = kNeutral;
    inputs.brake = 0.06;
    car.set_inputs(inputs);
    drive_for(4, 0.0005, &car, &state);  // its pitching has died away
    const DriveSnapshot* now = car.observe(4, state.q, state.v);
    ASSERT_NE(now, nullptr) << car.why();
    double torque = 0, load = 0, radius = 0;
    for (const WheelSnapshot& wheel : now->wheels) {
      torque += wheel.brake_torque / 4;
      load += wheel.ground.Fz;
      radius += (kWheelRadius - wheel.ground.deflection / 3) / 4;
    }
    rolling_wheel::RollingWheel one;
    one.mass = load / kGravity / 4;
    one.radius = radius;
    one.inertia = kWheelInertia;
    one.gravity = kGravity;
    one.slip_speed = 0.1;
    const double v = now->body.v_WB[0], spin = now->wheels[0].motion.spin;
    const double slip = mu < 0.5 ? v - radius * spin : 0;
    const auto rates = rolling_wheel::calc_wheel_rates<double>(
        one, {.mu = mu, .drive = torque}, rolling_wheel::WheelLaw::kRelaxed, {}, v, slip);
    EXPECT_NEAR(now->acceleration[0], rates.v_dot, 1e-4 * std::abs(rates.v_dot));
    if (mu < 0.5) {
      EXPECT_LT(std::abs(spin), 1e-3);
      EXPECT_NEAR(now->acceleration[0], -mu * kGravity, 1e-4 * mu * kGravity);
    }
  }
}

// The same car in `uk`, which solves for all bodies and knows no axles, under gravity that is
// aslant: what its chassis does while its tires stick, at rest and rolling, and while they slide.
// (Between the two, a pair of tires takes slip back twice as fast here: docs/theory/driving.md.)
// Tires that hardly give have one radius.
TEST(RelaxedRolling, AgreesWithTheGeneralizedInverse) {
  terrain::Terrain terrain;
  constexpr double kStiffness = 4e8;
  const Vector3 gravity(-1.1, 0.7, -9.7);
  const tire::RollingConstraint rolling{.friction = 0.6, .slip_speed = 0.2};
  Car car = make_plain_car(&terrain, rolling, kStiffness, gravity);
  vehicle::Vehicle with_tires = load_plain_car(gravity);
  for (vehicle::Axle& axle : with_tires.axles) axle.wheel.vertical_stiffness = kStiffness;
  multibody::MechanismDynamics uk(expand(with_tires).mechanism, multibody::Formulation::kUk);
  DriveState state = car.stand_at({});
  car.set_inputs(kNeutral);
  ASSERT_EQ(uk.nv(), car.chassis().nv());
  const auto count = static_cast<std::size_t>(uk.nv());
  const int body = car.chassis().body_speeds();
  std::vector<double> rates(static_cast<std::size_t>(car.nv())), expected(count);
  struct Case {
    double forward, left, yaw_rate, slip;  // of the middle, and of all wheels along
  };
  for (const Case& c : {Case{0, 0, 0, 0}, {0.5, 0, 0, 0}, {2, 3, 0.1, 0.3}, {5, -1, 0.2, 4}}) {
    SCOPED_TRACE(testing::Message() << c.forward << " " << c.left << " " << c.yaw_rate);
    std::fill_n(state.v.begin(), count, 0.0);
    state.v[body + 2] = c.yaw_rate;
    state.v[body + 3] = c.forward;
    state.v[body + 4] = c.left;
    // The radius to the ground: of the tire that has given way.
    ASSERT_TRUE(car.calc_rates(0, state.q, state.v, rates));
    for (int i = 0; i < 4; ++i) {
      double& spin = state.v[car.chassis().spin_speed(i)];
      spin = (car.rolling()->slips()[Eigen::Index{2} * i] - c.slip) / kWheelRadius;
    }
    ASSERT_TRUE(car.calc_rates(0, state.q, state.v, rates));
    ASSERT_TRUE(uk.calc_accelerations(0, state.q, std::span(state.v).first(count), expected));
    for (int k = 2; k < 5; ++k)
      EXPECT_NEAR(rates[body + k], expected[body + k], 1e-3 * (0.1 + std::abs(expected[body + k])));
  }
}

// Without brakes, drag and rolling resistance a car without toe keeps its energy, straight on and
// while it rolls down a slope.
TEST(RelaxedRolling, KeepsTheEnergyOfACarThatRolls) {
  terrain::Terrain terrain;
  terrain.base = terrain::Plane{.slope_x = -0.05, .slope_y = 0};
  Car car = make_plain_car(&terrain, kRolling);
  DriveState state = car.stand_at({.speed = 6});
  car.set_inputs(kNeutral);
  const auto total = [&] {
    EXPECT_NE(car.observe(0, state.q, state.v), nullptr);
    const MechanismChassis::Energy e = car.chassis().calc_energy();
    return std::array{e.kinetic + e.gravity + e.elastic, e.kinetic, e.damping_power};
  };
  drive_for(6, 0.001, &car, &state);  // until it has settled on its springs
  const auto before = total();
  const double lost_before = car.observe(0, state.q, state.v)->accounts.tires;
  drive_for(5, 0.001, &car, &state);
  const auto after = total();
  const double lost = car.observe(0, state.q, state.v)->accounts.tires - lost_before;
  EXPECT_GT(after[1], before[1] * 1.2);
  EXPECT_NEAR(after[0], before[0], 1e-6 * (after[1] - before[1]));
  EXPECT_LT(std::abs(lost), 1e-6);  // [J]
}

// With brakes and steering: what the whole vehicle loses is in its accounts.
TEST(RelaxedRolling, AccountsForItsEnergy) {
  terrain::Terrain terrain;
  Car car(MechanismChassis(hmmwv(), multibody::Formulation::kCe), load_hmmwv_equipment(),
          make_ground(&terrain));
  DriveState state = car.stand_at({.speed = 9});
  DriveInputs inputs{.steering = -0.05, .brake = 0.4, .gear = {.gear = 0}};
  car.set_inputs(inputs);
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

// Where the axles do not slip sideways, the vehicle's motion follows from geometry: with speeds v
// forward, w left and a yaw rate r, a wheel at (x, y) that heads d to the left slips across by
//   (w + r x) cos d - (v - r y) sin d,
// and means of this over the wheels of each axle, by what each may hold, vanish.
TEST(RelaxedRolling, TurnsByItsGeometry) {
  terrain::Terrain terrain;
  Hmmwv car = make_hmmwv(&terrain);
  DriveState state = car.stand_at({.speed = 12});
  DriveInputs inputs = kNeutral;
  inputs.steering = -0.05;
  car.set_inputs(inputs);
  drive_for(4, 0.001, &car, &state);
  const DriveSnapshot* now = car.observe(4, state.q, state.v);
  const math::Mat3<double>& R = now->body.R_WB;
  const double v = transpose_times(R, now->body.v_WB)[0];
  Eigen::Matrix2d A = Eigen::Matrix2d::Zero();  // times (w, r) is b
  Eigen::Vector2d b = Eigen::Vector2d::Zero();
  for (int i = 0; i < 4; ++i) {
    const int axle = i / 2, left = 2 * axle;
    const double share =
        car.rolling()->limit(i) / (car.rolling()->limit(left) + car.rolling()->limit(left + 1));
    const Vec3<double> axis = transpose_times(R, now->wheels[i].motion.axis);
    const Vec3<double> point = transpose_times(R, now->wheels[i].ground.point - now->body.p_WB);
    const double d = std::atan2(-axis[0], axis[1]);
    A(axle, 0) += share * std::cos(d);
    A(axle, 1) += share * (point[0] * std::cos(d) + point[1] * std::sin(d));
    b[axle] += share * v * std::sin(d);
  }
  const double expected = (A(0, 0) * b[1] - A(1, 0) * b[0]) / A.determinant();
  EXPECT_NEAR(now->body.w_WB[2], expected, 2e-3 * std::abs(expected));
  EXPECT_GT(std::abs(expected) * v, 1.0);  // [m/s^2]
}

// The midpoint rule keeps its order where nothing begins or ends to slide.
TEST(RelaxedRolling, KeepsTheOrderOfItsSteps) {
  terrain::Terrain terrain;
  const auto run = [&](double step) {
    Hmmwv car = make_hmmwv(&terrain);
    DriveState state = car.stand_at({.speed = 12});
    DriveInputs inputs = kNeutral;
    inputs.steering = -0.04;
    car.set_inputs(inputs);
    drive_for(1.0, step, &car, &state);
    return Eigen::Map<const VectorX<double>>(state.q.data(), 7).eval();
  };
  const VectorX<double> exact = run(0.000125);
  const double coarse = (run(0.002) - exact).norm(), fine = (run(0.0005) - exact).norm();
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4), 2, 0.15);
}

TEST(RelaxedRolling, AllocatesNothingInAStep) {
  terrain::Terrain terrain;
  Hmmwv car = make_hmmwv(&terrain);
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

}  // namespace
}  // namespace camber::dynamics
