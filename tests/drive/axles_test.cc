// Vehicles with more than two axles and four wheels: a 6x6 truck with dual wheels, a car with a
// trailer.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/dynamics/steering_map.h"
#include "camber/dynamics/vehicle_facts.h"
#include "camber/integrate/fixed_step.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber::dynamics {
namespace {

const std::string kTruck = "models/truck-6x6.toml";
const std::string kCar = "models/hmmwv.toml";
const std::string kTrailer = "models/mcpherson-car-with-trailer.toml";

/// A vehicle on level ground by its joints' coordinates.
class Car {
 public:
  explicit Car(const std::string& file) : Car(vehicle::load_vehicle(file)) {}
  explicit Car(vehicle::Vehicle the_vehicle,
               multibody::Formulation formulation = multibody::Formulation::kCe)
      : vehicle(std::move(the_vehicle)),
        mechanism(expand(vehicle)),
        tires(load_tires(vehicle)),
        car(MechanismChassis(mechanism, formulation), load_equipment(vehicle),
            Ground(&terrain_, make_rigid_models(mechanism, tires))),
        stepper_(car.make_system(), integrate::FixedStep::kMidpoint) {}

  void start(const Start& start) {
    state = car.stand_at(start);
    time_ = 0;
  }

  /// Goes on with these inputs, and returns what is then.
  const DriveSnapshot& run(const DriveInputs& inputs, double seconds) {
    constexpr double kStep = 1e-3;
    car.set_inputs(inputs);
    const auto count = std::lround(seconds / kStep);
    for (long i = 0; i < count; ++i) {
      car.begin_step(time_, kStep);
      const integrate::StepResult result = stepper_.step(time_, kStep, state.q, state.v);
      EXPECT_TRUE(result.ok()) << result.text;
      car.end_step();
      time_ += kStep;
    }
    return look();
  }

  const DriveSnapshot& look() {
    const DriveSnapshot* now = car.observe(time_, state.q, state.v);
    if (now == nullptr) throw std::runtime_error(car.why());
    return *now;
  }

  double weight() const {
    double mass = 0;
    for (const multibody::Body& body : mechanism.mechanism.bodies) mass += body.mass;
    return mass * 9.81;
  }

  /// Angle of the trailer relative to the car, to the left [rad].
  double articulation() const {
    const auto& R_car = car_chassis().body().R_WB;
    const auto& R_trailer = car_chassis().base(car_chassis().wheel_count() - 1).R_WB;
    const math::Mat3<double> R = transpose(R_car) * R_trailer;
    return std::atan2(R(1, 0), R(0, 0));
  }

 private:
  terrain::Terrain terrain_;

 public:
  vehicle::Vehicle vehicle;
  vehicle::VehicleMechanism mechanism;
  VehicleTires tires;
  DrivenVehicle<MechanismChassis> car;
  DriveState state;

 private:
  MechanismChassis& car_chassis() const {
    return const_cast<DrivenVehicle<MechanismChassis>&>(car).chassis();
  }

  integrate::FixedStepper stepper_;
  double time_ = 0;
};

double sum_loads(const DriveSnapshot& now) {
  double sum = 0;
  for (const WheelSnapshot& wheel : now.wheels) sum += wheel.ground.Fz;
  return sum;
}

TEST(Truck, StandsOnTenTiresWithItsWeight) {
  Car truck(kTruck);
  EXPECT_EQ(truck.car.wheel_count(), 6);
  EXPECT_EQ(truck.car.tire_count(), 10);
  truck.start({.x = 4, .y = -9, .heading = 0.8});
  DriveInputs neutral;
  neutral.gear.gear = 0;
  truck.car.set_inputs(neutral);
  const DriveSnapshot& now = truck.look();
  EXPECT_NEAR(sum_loads(now), truck.weight(), 1e-6 * truck.weight());
  EXPECT_LT(std::sqrt(dot(now.acceleration, now.acceleration)), 1e-6);
  // Left and right carry the same; the two tires of a hub, too, but for its camber.
  for (std::size_t i = 0; i < 6; i += 2)
    EXPECT_NEAR(now.wheels[i].ground.Fz, now.wheels[i + 1].ground.Fz, 1e-3 * truck.weight()) << i;
  const auto tires = truck.car.tire_forces();
  for (std::size_t k = 2; k < 10; k += 2) {
    EXPECT_NEAR(tires[k].Fz, tires[k + 1].Fz, 0.05 * tires[k].Fz) << k;
    const Vec3<double> apart = tires[k].point - tires[k + 1].point;
    EXPECT_NEAR(std::sqrt(dot(apart, apart)), 0.33, 2e-3) << k;
  }
  // Roughly by the facts' rigid body on equal springs.
  const VehicleFacts facts = make_vehicle_facts(truck.vehicle, truck.mechanism, truck.tires);
  ASSERT_EQ(facts.axles.size(), 3U);
  double expected = 0;
  for (const AxleFacts& axle : facts.axles) expected += axle.static_load;
  EXPECT_NEAR(expected, truck.weight(), 1e-9 * truck.weight());
  EXPECT_NEAR(facts.axles[0].static_load, now.wheels[0].ground.Fz + now.wheels[1].ground.Fz,
              0.1 * truck.weight());
  EXPECT_EQ(facts.rear.axles, (std::vector<int>{1, 2}));
  EXPECT_EQ(facts.rear.tires, 8);
}

// Straight ahead, all wheels at one speed, the torque goes by the shares of the tree: 0.34 to the
// front axle, half of the rest to each other one.
TEST(Truck, SplitsItsTorqueByTheDifferentials) {
  Car truck(kTruck);
  truck.start({.speed = 8, .gear = 3});
  const DriveSnapshot& now = truck.run({.throttle = 0.5, .brake = 0, .gear = {.gear = 3}}, 1.5);
  std::vector<double> axle(3);
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    axle[i / 2] += now.wheels[i].drive_torque;
    sum += now.wheels[i].drive_torque;
  }
  EXPECT_GT(sum, 2000);
  EXPECT_NEAR(axle[0], 0.34 * sum, 1e-9 * sum);
  EXPECT_NEAR(axle[1], 0.33 * sum, 1e-9 * sum);
  EXPECT_NEAR(axle[2], 0.33 * sum, 1e-9 * sum);
  EXPECT_GT(now.body.v_WB[0], 8.2);
}

// Steered to the right it does the mirror image of what it does to the left.
TEST(Truck, DrivesTheMirrorImageOfItself) {
  Car left(kTruck), right(kTruck);
  for (Car* truck : {&left, &right}) truck->start({.speed = 11, .gear = 4});
  const double rack = 0.02;
  const DriveSnapshot& a = left.run({.steering = rack, .throttle = 0.2, .gear = {.gear = 4}}, 2);
  const DriveSnapshot& b = right.run({.steering = -rack, .throttle = 0.2, .gear = {.gear = 4}}, 2);
  EXPECT_GT(std::abs(a.body.p_WB[1]), 0.5);
  EXPECT_NEAR(a.body.p_WB[0], b.body.p_WB[0], 1e-6);
  EXPECT_NEAR(a.body.p_WB[1], -b.body.p_WB[1], 1e-6);
  EXPECT_NEAR(a.body.w_WB[2], -b.body.w_WB[2], 1e-7);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(a.wheels[i].ground.Fz, b.wheels[i ^ 1U].ground.Fz, 1e-2) << i;
}

// Two routes to one answer.
void expect_equal_rates(const vehicle::Vehicle& vehicle) {
  const terrain::Terrain terrain;
  Car slow(vehicle);
  DrivenVehicle<GeneratedChassis> fast(
      GeneratedChassis(slow.mechanism), load_equipment(slow.vehicle),
      Ground(&terrain, make_rigid_models(slow.mechanism, slow.tires)));
  const Start start{.x = 5, .y = 8, .heading = -0.7, .speed = 9, .gear = 3};
  const DriveState state = fast.stand_at(start);
  slow.start(start);
  DriveState tree = slow.state;
  const int own = fast.chassis().nv(), other = slow.car.chassis().nv();
  fast.chassis().to_tree(state.q, state.v, tree.q, tree.v);
  std::copy(state.v.begin() + own, state.v.end(), tree.v.begin() + other);
  const DriveInputs inputs{.steering = 0.03, .throttle = 0.6, .brake = 0.2, .gear = {.gear = 3}};
  fast.set_inputs(inputs);
  slow.car.set_inputs(inputs);
  std::vector<double> fast_rates(static_cast<std::size_t>(fast.nv())),
      slow_rates(static_cast<std::size_t>(slow.car.nv()));
  ASSERT_TRUE(fast.calc_rates(0, state.q, state.v, fast_rates)) << fast.why();
  ASSERT_TRUE(slow.car.calc_rates(0, tree.q, tree.v, slow_rates)) << slow.car.why();
  const auto& program = fast.chassis().program();
  for (int k = 0; k < own; ++k) {
    const double expected = slow_rates[program.v_places[k]];
    EXPECT_NEAR(fast_rates[k], expected, 1e-8 * (100 + std::abs(expected))) << program.v_names[k];
  }
}

// With three axles and dual wheels.
TEST(Truck, HasTheSameRatesByGeneratedCodeAndByEmbedding) {
  expect_equal_rates(vehicle::load_vehicle(kTruck));
}

std::string read_text(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// From the first line of the file that is a table on.
std::string tables_of(const std::string& path) {
  const std::string text = read_text(path);
  return text.substr(text.find("\n["));
}

TEST(CarWithTrailer, IsTheCarWithATrailer) {
  const std::string car = tables_of("models/mcpherson-car.toml"), both = tables_of(kTrailer);
  EXPECT_EQ(both.substr(0, car.size()), car);
  EXPECT_EQ(both.find("[trailer]"), car.size() + 1);
}

TEST(CarWithTrailer, StandsOnSixWheelsAndItsHitch) {
  Car car(kTrailer);
  EXPECT_EQ(car.car.wheel_count(), 6);
  car.start({.x = -3, .y = 7, .heading = 1.1});
  const DriveSnapshot& now = car.look();
  EXPECT_NEAR(sum_loads(now), car.weight(), 1e-5 * car.weight());
  // The trailer by its levers about the hitch; the facts say the same.
  const VehicleFacts facts = make_vehicle_facts(car.vehicle, car.mechanism, car.tires);
  ASSERT_EQ(facts.axles.size(), 3U);
  EXPECT_TRUE(facts.axles[2].is_towed);
  EXPECT_EQ(facts.axles[2].name, "trailer_axle");
  const double on_trailer = now.wheels[4].ground.Fz + now.wheels[5].ground.Fz;
  EXPECT_NEAR(facts.axles[2].static_load, on_trailer, 0.01 * on_trailer);
  EXPECT_LT(on_trailer, facts.trailer_mass * 9.81);
  double all = 0;
  for (const AxleFacts& axle : facts.axles) all += axle.static_load;
  EXPECT_NEAR(all, car.weight(), 1e-9 * all);
  EXPECT_NEAR(car.articulation(), 0, 1e-9);
}

// A pull at the wheel throws the trailer aside; at low speed its swing decays, and it follows.
TEST(CarWithTrailer, SwingsBehindTheCarAndComesBack) {
  Car car(kTrailer);
  const DriveInputs ahead{.throttle = 0.1, .gear = {.gear = 2}};
  DriveInputs aside = ahead;
  aside.steering = 0.02;
  car.start({.speed = 8, .gear = 2});
  double max = 0;
  for (int i = 0; i < 10; ++i) {
    car.run(aside, 0.1);
    max = std::max(max, std::abs(car.articulation()));
  }
  for (int i = 0; i < 10; ++i) {
    car.run(ahead, 0.1);
    max = std::max(max, std::abs(car.articulation()));
  }
  EXPECT_GT(max, 0.03);
  car.run(ahead, 5);
  EXPECT_LT(std::abs(car.articulation()), 0.02 * max);
}

TEST(CarWithTrailer, DrivesTheMirrorImageOfItself) {
  Car left(kTrailer), right(kTrailer);
  for (Car* car : {&left, &right}) car->start({.speed = 14, .gear = 3});
  const DriveSnapshot& a = left.run({.steering = 0.006, .throttle = 0.1, .gear = {.gear = 3}}, 2);
  const DriveSnapshot& b = right.run({.steering = -0.006, .throttle = 0.1, .gear = {.gear = 3}}, 2);
  EXPECT_GT(std::abs(a.body.p_WB[1]), 0.5);
  EXPECT_NEAR(a.body.p_WB[1], -b.body.p_WB[1], 1e-5);
  EXPECT_NEAR(left.articulation(), -right.articulation(), 1e-6);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(a.wheels[i].ground.Fz, b.wheels[i ^ 1U].ground.Fz, 0.1) << i;
}

TEST(CarWithTrailer, IsNotGenerated) {
  const vehicle::VehicleMechanism mechanism = expand(vehicle::load_vehicle(kTrailer));
  try {
    const GeneratedChassis chassis(mechanism);
    ADD_FAILURE();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("expected formulation = \"ce\""), std::string::npos)
        << error.what();
  }
}

// Three ways to the same accelerations: loops embedded, cut, and all bodies free. They are taken from
// a short step, in the joints' coordinates.
TEST(CarWithTrailer, HasTheSameAccelerationsByAllFormulations) {
  constexpr double kStep = 1e-5;
  Car ce(kTrailer);
  const Start start{.x = -3, .y = 4, .heading = 0.6, .speed = 12, .gear = 3};
  ce.start(start);
  const DriveInputs inputs{.steering = 0.012, .throttle = 0.4, .brake = 0.1, .gear = {.gear = 3}};
  ce.run(inputs, 0.3);  // no longer straight ahead
  const DriveState from = ce.state;
  const auto size = static_cast<std::size_t>(ce.car.chassis().nv());
  const auto accelerate = [&](Car* car, DriveState state) {
    integrate::FixedStepper stepper(car->car.make_system(), integrate::FixedStep::kMidpoint);
    car->car.set_inputs(inputs);
    car->car.begin_step(0.3, kStep);
    const integrate::StepResult result = stepper.step(0.3, kStep, state.q, state.v);
    EXPECT_TRUE(result.ok()) << result.text;
    car->car.end_step();
    std::vector<double> q(from.q.begin(), from.q.end()), v(size);
    car->car.chassis().to_tree(state.q, state.v, q, v);
    for (std::size_t k = 0; k < size; ++k) v[k] = (v[k] - from.v[k]) / kStep;
    return v;
  };
  const std::vector<double> expected = accelerate(&ce, from);
  EXPECT_GT(*std::ranges::max_element(expected), 1.0);
  for (const multibody::Formulation formulation :
       {multibody::Formulation::kTa, multibody::Formulation::kFa}) {
    SCOPED_TRACE(to_text(formulation));
    Car other(vehicle::load_vehicle(kTrailer), formulation);
    other.start(start);
    DriveState state = other.state;
    MechanismChassis& chassis = other.car.chassis();
    const auto own = static_cast<std::ptrdiff_t>(chassis.nv());
    chassis.from_tree(from.q, std::span(from.v).first(size), state.q,
                      std::span(state.v).first(static_cast<std::size_t>(own)));
    std::copy(from.v.begin() + static_cast<std::ptrdiff_t>(size), from.v.end(),
              state.v.begin() + own);
    const std::vector<double> found = accelerate(&other, state);
    const std::vector<std::string> names = ce.car.chassis().names();
    for (std::size_t k = 0; k < size; ++k)
      EXPECT_NEAR(found[k], expected[k], 1e-3 + 1e-5 * std::abs(expected[k]))
          << names[static_cast<std::size_t>(ce.car.chassis().nq()) + k];
  }
}

/// The rear axle is steered by a rack of its own, against the front.
vehicle::Vehicle with_rear_steering(vehicle::SteeringType type, double ratio) {
  vehicle::Vehicle vehicle = vehicle::load_vehicle(kCar);
  vehicle::Part rack;
  rack.mass = 9;
  rack.inertia = Vector3(1.1, 0.03, 1.11).asDiagonal();
  if (type == vehicle::SteeringType::kRack) {
    vehicle.steering->type = type;
    vehicle.steering->rack = rack;
    vehicle.steering->rack.center = Vector3(vehicle.axles[0].points.tie_rod_inner[0], 0, 0.04);
    vehicle.steering->damping = 900;
  }
  if (ratio == 0) return vehicle;
  rack.center = Vector3(vehicle.axles[1].points.tie_rod_inner[0], 0, 0.03);
  vehicle.steering->linked.push_back({.axle = "rear", .ratio = ratio, .rack = rack});
  return vehicle;
}

TEST(LinkedSteering, HasTheSameRatesByGeneratedCodeAndByEmbeddingWithARack) {
  expect_equal_rates(with_rear_steering(vehicle::SteeringType::kRack, -0.4));
}
TEST(LinkedSteering, HasTheSameRatesByGeneratedCodeAndByEmbeddingWithAPitmanArm) {
  expect_equal_rates(with_rear_steering(vehicle::SteeringType::kPitman, -0.05));
}

// Rear wheels that steer against the front ones make the turn tighter; with them, wider.
TEST(LinkedSteering, DrivesTighterTurnsAgainstTheFrontWheels) {
  const auto drive = [](double ratio) {
    const vehicle::Vehicle vehicle = with_rear_steering(vehicle::SteeringType::kPitman, ratio);
    const terrain::Terrain terrain;
    const vehicle::VehicleMechanism mechanism = expand(vehicle);
    const VehicleTires tires = load_tires(vehicle);
    DrivenVehicle<GeneratedChassis> car(GeneratedChassis(mechanism), load_equipment(vehicle),
                                        Ground(&terrain, make_rigid_models(mechanism, tires)));
    DriveState state = car.stand_at({.speed = 6, .gear = 2});
    integrate::FixedStepper stepper(car.make_system(), integrate::FixedStep::kMidpoint);
    car.set_inputs({.steering = 0.2, .throttle = 0.1, .gear = {.gear = 2}});
    double t = 0;
    for (int i = 0; i < 2000; ++i, t += 1e-3) {
      car.begin_step(t, 1e-3);
      EXPECT_TRUE(stepper.step(t, 1e-3, state.q, state.v).ok());
      car.end_step();
    }
    const DriveSnapshot* now = car.observe(t, state.q, state.v);
    EXPECT_NE(now, nullptr);
    const double rear = calc_steer_angle(car.chassis(), 2),
                 front = calc_mean_steer_angle(car.chassis());
    EXPECT_GT(std::abs(front), 0.01);
    if (ratio != 0) {
      EXPECT_EQ(rear * front > 0, ratio < 0) << rear << " " << front;
    }
    return std::abs(now->body.w_WB[2]);
  };
  const double against = drive(0.04), without = drive(0), with = drive(-0.04);
  EXPECT_GT(against, 1.1 * without);
  EXPECT_LT(with, 0.9 * without);
}

// The ground holds a hub with two tires as two wheels would: forces, and moments by their offset.
TEST(DualTires, AddUpAtTheHub) {
  Car truck(kTruck);
  truck.start({.speed = 9, .gear = 3});
  const DriveSnapshot& now =
      truck.run({.steering = 0.04, .throttle = 0.3, .gear = {.gear = 3}}, 1.2);
  const auto tires = truck.car.tire_forces();
  for (std::size_t wheel = 2; wheel < 6; ++wheel) {
    const std::size_t k = 2 + 2 * (wheel - 2);
    const WheelForces<double>& both = now.wheels[wheel].ground;
    const Vec3<double>& axis = now.wheels[wheel].motion.axis;
    EXPECT_NEAR(both.Fz, tires[k].Fz + tires[k + 1].Fz, 1e-9 * both.Fz);
    const Vec3<double> torque = tires[k].torque + tires[k + 1].torque +
                                cross(axis * 0.165, tires[k].force - tires[k + 1].force);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(both.torque[d], torque[d], 1e-6);
      EXPECT_NEAR(both.force[d], tires[k].force[d] + tires[k + 1].force[d], 1e-6);
    }
    // In a curve the outer tire of a hub runs farther: it slips the other way.
    EXPECT_GT(std::abs(tires[k].slip - tires[k + 1].slip), 1e-4);
  }
}

}  // namespace
}  // namespace camber::dynamics
