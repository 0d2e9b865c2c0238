// A vehicle in bushings, steered by a given motion, through time: by generated code as by `ce`, and
// in free flight with the energy and momentum that it began with.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "camber/dynamics/standing_vehicle.h"
#include "camber/integrate/fixed_step.h"
#include "camber/multibody/mass_matrix.h"
#include "camber/run/mechanical_system.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/vehicle_file.h"

namespace camber {
namespace {

using multibody::MechanismDynamics;

vehicle::Vehicle make_soft() {
  vehicle::Vehicle car = vehicle::load_vehicle("models/hmmwv-3d.toml");
  car.axles[0].soft_lower_hinge =
      vehicle::SoftHinge{Vector3(7e6, 6e6, 1.1e6), Vector3(3500, 3300, 540), Vector3(7e4, 6e4, 310),
                         Vector3(35, 31, 1.3)};
  car.axles[0].soft_upper_hinge = car.axles[0].soft_lower_hinge;
  // Tires that damp the wheels' hop within the two seconds: what hops on makes rounding grow.
  for (vehicle::Axle& axle : car.axles) {
    axle.wheel.vertical_stiffness = 411120.924;
    axle.wheel.vertical_damping = 3931.685;
  }
  return car;
}

mechanism_code::CompileOptions options() {
  return {.folder = testing::TempDir() + "camber-soft-test"};
}

struct BothWays {
  dynamics::StandingVehicle generated;
  MechanismDynamics ce;
  std::vector<double> q, v, tree_q, tree_v;

  explicit BothWays(const vehicle::VehicleMechanism& vehicle)
      : generated(vehicle, options()),
        ce(vehicle.mechanism),
        q(generated.chassis().initial_q().begin(), generated.chassis().initial_q().end()),
        v(generated.chassis().initial_v().begin(), generated.chassis().initial_v().end()),
        tree_q(ce.initial_q().begin(), ce.initial_q().end()),
        tree_v(ce.initial_v().begin(), ce.initial_v().end()) {}

  void start_with(const std::string& name, double speed) {
    const auto& program = generated.chassis().program();
    for (std::size_t k = 0; k < program.v_names.size(); ++k) {
      if (program.v_names[k] != name) continue;
      v[k] = speed;
      tree_v[program.v_places[k]] = speed;
      return;
    }
    FAIL() << name;
  }
};

// On its tires' springs, dropped, and steered from side to side: two seconds of 8000 steps.
TEST(SoftVehicle, GoesTheSameWayByGeneratedCodeAndByEmbedding) {
  vehicle::Vehicle car = make_soft();
  const symbolic::Expr t = symbolic::symbol("t");
  car.steering->motion = symbolic::Expr(0.3) * symbolic::sin(symbolic::Expr(4) * t);
  car.height += 0.05;
  BothWays run(vehicle::expand(car, {.is_standing = true}));
  ASSERT_EQ(run.generated.chassis().nv(), 14 + 4 * 5);
  run.start_with("chassis.wx", 0.4);
  integrate::FixedStepper fast(run.generated.make_system()),
      slow(run::make_mechanical_system(&run.ce));
  constexpr double kStep = 2.5e-4;
  for (int i = 0; i < 8000; ++i) {
    ASSERT_TRUE(fast.step(i * kStep, kStep, run.q, run.v).ok()) << run.generated.chassis().why();
    ASSERT_TRUE(slow.step(i * kStep, kStep, run.tree_q, run.tree_v).ok()) << run.ce.why();
  }
  const auto& program = run.generated.chassis().program();
  for (std::size_t k = 0; k < run.q.size(); ++k)
    EXPECT_NEAR(run.q[k], run.tree_q[program.q_places[k]], 1e-9) << k;
  for (std::size_t k = 0; k < run.v.size(); ++k)
    EXPECT_NEAR(run.v[k], run.tree_v[program.v_places[k]], 1e-7) << program.v_names[k];
}

// Nothing takes energy here, and gravity alone acts from outside: energy stays, and the momentum
// changes by the weight.
TEST(SoftVehicle, KeepsEnergyAndMomentumInFreeFlight) {
  vehicle::Vehicle car = make_soft();
  for (vehicle::Axle& axle : car.axles) {
    axle.shock = {};
    axle.spring.stop.reset();  // a kink in a force costs the integrator its order
    axle.spring.free_length = 0.03 + (axle.points.spring_top - axle.points.spring_bottom).norm();
    for (auto* hinge : {&axle.soft_lower_hinge, &axle.soft_upper_hinge}) {
      if (!*hinge) continue;
      (*hinge)->damping.setZero();
      (*hinge)->turning_damping.setZero();
      // K r is the gradient of r K r / 2 along large turns, too, where K is alike about all axes.
      (*hinge)->turning_stiffness.setConstant(9000);
    }
  }
  car.steering->motion = symbolic::Expr(0.05);  // what is held takes no energy
  BothWays run(vehicle::expand(car));
  run.start_with("chassis.wx", 0.7);
  run.start_with("chassis.wy", -0.4);
  run.start_with("chassis.vx", 3);
  run.start_with("front_left_wheel", 40);
  run.start_with("rear_right_lower_arm", 1.1);
  const auto observe = [&] {
    run.generated.chassis().to_tree(run.q, run.v, run.tree_q, run.tree_v);
    multibody::Observation seen;
    EXPECT_TRUE(run.ce.observe(0, run.tree_q, run.tree_v, &seen)) << run.ce.why();
    return seen;
  };
  const auto energy = [](const multibody::Observation& seen) {
    return seen.kinetic_energy + seen.gravity_energy + seen.elastic_energy;
  };
  const multibody::Observation start = observe();
  integrate::FixedStepper stepper(run.generated.make_system());
  constexpr double kStep = 5e-5, kSample = 0.05, kGravity = 9.81;
  double swing = 0, mass = 0;
  for (const multibody::Body& body : run.ce.tree().mechanism.bodies) mass += body.mass;
  std::vector<double> heights = {start.gravity_energy};  // of the center of mass, times m g
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(stepper.step(i * kStep, kStep, run.q, run.v).ok());
    if (i % 1000 != 999) continue;
    const multibody::Observation now = observe();
    heights.push_back(now.gravity_energy);
    swing = std::max(swing, std::abs(now.elastic_energy - start.elastic_energy));
    EXPECT_NEAR(energy(now), energy(start), 1e-6 * swing) << "t = " << (i + 1) * kStep;
  }
  EXPECT_GT(swing, 200);
  const double drop = mass * std::pow(kGravity * kSample, 2);
  for (std::size_t i = 2; i < heights.size(); ++i)
    EXPECT_NEAR(heights[i] - 2 * heights[i - 1] + heights[i - 2], -drop, 1e-6 * drop);
}

}  // namespace
}  // namespace camber
