// A four-bar linkage built in C++ and stepped for two seconds: crank, coupler and rocker between
// two pins on the ground. The last pin closes a loop; camber works with the crank's angle alone.
// Without friction the energy must stay what it is: the program checks it.

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numbers>
#include <vector>

#include "camber/camber.h"

using namespace camber;
using namespace camber::multibody;

// A pin at (x, 0, z) of a body, whose axis is -y: it turns x toward z.
Isometry3 pin_at(double x, double z) {
  Isometry3 X = Isometry3::Identity();
  X.rotate(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitX()));
  X.translation() = Vector3(x, 0, z);
  return X;
}

// A slender bar along x, from its frame's origin on.
Body make_bar(const char* name, double length, double mass) {
  const double I = mass * length * length / 12;
  return {.name = name,
          .mass = mass,
          .p_BoBcm_B = Vector3(length / 2, 0, 0),
          .I_BBcm_B = Vector3(1e-3 * I, I, I).asDiagonal()};
}

int main() {
  constexpr double kCrank = 0.12, kCoupler = 0.35, kRocker = 0.28, kBase = 0.4;  // [m]
  Mechanism linkage;
  linkage.name = "four-bar";
  const BodyIndex crank = linkage.add(make_bar("crank", kCrank, 0.4));
  const BodyIndex coupler = linkage.add(make_bar("coupler", kCoupler, 0.9));
  const BodyIndex rocker = linkage.add(make_bar("rocker", kRocker, 0.7));
  const auto add_pin = [&](const char* name, BodyIndex parent, double x_parent, BodyIndex child,
                           double x_child, double angle) {
    Joint joint;
    joint.name = name;
    joint.type = JointType::kRevolute;
    joint.parent = parent;
    joint.child = child;
    joint.X_PF = pin_at(x_parent, 0);
    joint.X_BM = pin_at(x_child, 0);
    joint.q0 = {angle};
    linkage.add(joint);
  };
  // The crank's start is given, the other angles are guesses: camber closes the loop.
  add_pin("crank", kWorld, 0, crank, 0, 0.6);
  add_pin("coupler", crank, kCrank, coupler, 0, 0.1);
  add_pin("rocker", kWorld, kBase, rocker, 0, 1.6);
  add_pin("closing pin", rocker, kRocker, coupler, kCoupler, -0.9);
  linkage.joints[0].v0 = {9.0};  // [rad/s]
  linkage.independent = {"crank"};

  MechanismDynamics dynamics(linkage);
  // Angles only, so positions change as speeds say: one block of the kind q' = v.
  integrate::MechanicalSystem system;
  system.nq = dynamics.nq();
  system.nv = dynamics.nv();
  system.blocks.resize(1);
  system.blocks[0].size = dynamics.nv();
  system.accelerations = [&](double t, auto q, auto v, auto v_dot) {
    return dynamics.calc_accelerations(t, q, v, v_dot);
  };
  system.project = [&](double t, auto q, auto v) { return dynamics.project(t, q, v); };
  integrate::FixedStepper stepper(system);

  std::vector<double> q(dynamics.initial_q().begin(), dynamics.initial_q().end());
  std::vector<double> v(dynamics.initial_v().begin(), dynamics.initial_v().end());
  constexpr double kStep = 1e-3;  // [s]
  double first_energy = 0, largest_drift = 0;
  for (int i = 0; i <= 2000; ++i) {
    Observation seen;
    if (!dynamics.observe(i * kStep, q, v, &seen)) return std::cerr << dynamics.why(), EXIT_FAILURE;
    const double energy = seen.kinetic_energy + seen.gravity_energy;
    if (i == 0) first_energy = energy;
    largest_drift = std::max(largest_drift, std::abs(energy - first_energy));
    if (i % 500 == 0)
      std::cout << "t = " << i * kStep << " s: crank at " << q[0] << " rad, " << v[0]
                << " rad/s, energy " << energy << " J, loop open by " << seen.position_error
                << " m\n";
    const auto result = stepper.step(i * kStep, kStep, q, v);
    if (!result.ok()) return std::cerr << result.text << "\n", EXIT_FAILURE;
  }
  std::cout << "energy stays within " << largest_drift << " J\n";
  return largest_drift < 1e-6 * std::abs(first_energy) ? EXIT_SUCCESS : EXIT_FAILURE;
}
