#pragma once

// Mechanisms of models/, and what the integrators see of them.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "camber/core/require.h"
#include "camber/integrate/mechanical_system.h"
#include "camber/multibody/dynamics.h"
#include "camber/multibody/mechanism_file.h"
#include "camber/run/mechanical_system.h"

namespace camber::mechanism_test {

using integrate::MechanicalSystem;
using multibody::MechanismDynamics;

/// Mechanisms of models/, in the order of their names.
inline std::vector<std::string> mechanism_files() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("models")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("kind = \"mechanism\"")) paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// For the integrators; keeps the dynamics alive.
inline MechanicalSystem make_system(const std::shared_ptr<MechanismDynamics>& dynamics) {
  MechanicalSystem system = run::make_mechanical_system(dynamics.get());
  system.why = [dynamics, why = system.why] { return why(); };
  return system;
}

/// Every kind of joint that `fa` has to know by its poses, each with a spring, a damper or both; a
/// ball and a free body with dampers; a coupler, a given motion, a spring and a bushing.
inline multibody::Mechanism make_medley() {
  using namespace multibody;
  Mechanism mechanism;
  mechanism.name = "medley";
  const auto add_body = [&](const std::string& name, double mass) {
    const Vector3 I(0.02 * mass + 0.01, 0.03 * mass, 0.025 * mass);
    return mechanism.add({name, mass, {0.05, -0.03, 0.04}, Matrix3(I.asDiagonal())});
  };
  int count = 0;
  const auto add_joint = [&](const std::string& name, JointType type, BodyIndex parent,
                             BodyIndex child, std::vector<double> q0) -> Joint& {
    ++count;
    Joint joint;
    joint.name = name;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.X_PF.linear() =
        Matrix3(Eigen::AngleAxisd(0.3 + 0.2 * count, Vector3(1, 2 - count, 3).normalized()));
    joint.X_PF.translation() = Vector3(0.2, 0.1 * count, -0.15);
    joint.X_BM.linear() =
        Matrix3(Eigen::AngleAxisd(-0.2 * count, Vector3(2, -1, count).normalized()));
    joint.X_BM.translation() = Vector3(-0.1, 0.07, 0.02 * count);
    joint.q0 = std::move(q0);
    const int axes = speed_count(type);
    joint.axes.resize(static_cast<std::size_t>(axes));
    for (int i = 0; i < axes; ++i) {
      joint.axes[i].damping = 0.3 + 0.1 * i;
      if (position_count(type) == axes) joint.axes[i].stiffness = 20 + 3 * i;
    }
    mechanism.add(joint);
    return mechanism.joints.back();
  };
  const BodyIndex a = add_body("a", 2.1), b = add_body("b", 1.3), c = add_body("c", 0.9),
                  d = add_body("d", 1.1), e = add_body("e", 0.7), f = add_body("f", 0.8),
                  g = add_body("g", 1.7), h = add_body("h", 0.6), i = add_body("i", 0.5);
  add_joint("free", JointType::kFree, kWorld, a, {0.9, 0.1, -0.3, 0.2, 0.3, -0.2, 0.5});
  mechanism.joints.back().q0 = {std::sqrt(1 - 0.14), 0.1, -0.3, 0.2, 0.3, -0.2, 0.5};
  add_joint("universal", JointType::kUniversal, a, b, {0.4, -0.3});
  add_joint("cylinder", JointType::kCylindrical, b, c, {0.7, 0.06});
  add_joint("plane", JointType::kPlanar, a, d, {0.05, -0.08, 0.9});
  add_joint("ball", JointType::kSpherical, d, e, {});
  add_joint("soft", JointType::kSoftHinge, a, f, {0.01, -0.02, 0.03, 0.2, -0.4, 0.5});
  Joint& screw = add_joint("screw", JointType::kScrew, kWorld, g, {0.8});
  screw.pitch = 0.03;
  screw.axes[0].upper = 0.5;  // in its stop
  screw.axes[0].stop_stiffness = 900;
  screw.axes[0].stop_damping = 2;
  Joint& rail = add_joint("rail", JointType::kPrismatic, g, h, {0.04});
  rail.axes[0].friction = 1.4;
  rail.axes[0].friction_speed = 5;
  Joint& motor = add_joint("motor", JointType::kRevolute, kWorld, i, {});
  motor.axes[0] = {};
  motor.axes[0].motion = symbolic::Expr(7) * symbolic::symbol("t");
  Coupler coupler;
  coupler.name = "gear";
  coupler.terms = {{mechanism.find_joint("screw"), 0, 1.0},
                   {mechanism.find_joint("rail"), 0, -20.0}};
  mechanism.couplers.push_back(coupler);
  SpringDamper spring;
  spring.name = "spring";
  spring.a = c;
  spring.b = h;
  spring.p_BQ_B = {0.1, 0.2, 0.1};
  spring.free_length = 0.3;
  spring.stiffness = 70;
  spring.damping = 4;
  mechanism.springs.push_back(spring);
  Bushing bushing;
  bushing.name = "bushing";
  bushing.a = e;
  bushing.b = i;
  bushing.stiffness.diagonal() << 1, 2, 3, 40, 50, 45;
  bushing.damping.diagonal() << 0.1, 0.2, 0.1, 3, 4, 2;
  mechanism.bushings.push_back(bushing);
  return mechanism;
}

/// A parallelogram without gravity, its crank at an angle: flat at 0, where it could also fold up
/// the other way. Its motion on is that with parallel sides, at a constant speed.
inline multibody::Mechanism make_parallelogram(double angle, double misfit = 0) {
  const double x = 0.2 * std::cos(angle), z = 0.2 * std::sin(angle);
  multibody::Mechanism mechanism = multibody::parse_mechanism(
      "kind = \"mechanism\"\nname = \"parallelogram\"\ngravity = [0, 0, 0]\n[points]\n"
      "A = [0, 0, 0]\nD = [0.5, 0, 0]\n" +
          concat("B = [", x, ", 0, ", z, "]\nC = [", 0.5 + x, ", 0, ", z + misfit, "]\n") +
          "[bodies]\n"
          "crank = { mass = 0.8, rod = { from = \"A\", to = \"B\", radius = 0.02 } }\n"
          "coupler = { mass = 1.3, rod = { from = \"B\", to = \"C\", radius = 0.02 } }\n"
          "rocker = { mass = 1.1, rod = { from = \"D\", to = \"C\", radius = 0.02 } }\n"
          "[joints]\n"
          "crank = { type = \"revolute\", child = \"crank\", at = \"A\", axis = \"-y\", "
          "speed = 5 }\n"
          "knee = { type = \"revolute\", parent = \"crank\", child = \"coupler\", at = \"B\", "
          "axis = \"-y\" }\n"
          "rocker = { type = \"revolute\", child = \"rocker\", at = \"D\", axis = \"-y\" }\n"
          "pin = { type = \"revolute\", parent = \"rocker\", child = \"coupler\", at = \"C\", "
          "axis = \"-y\", cut = true }\n",
      "parallelogram.toml");
  if (angle == 0) {  // where the crank's speed does not determine the others
    mechanism.joints[mechanism.find_joint("knee").value].v0 = {-5};
    mechanism.joints[mechanism.find_joint("rocker").value].v0 = {5};
  }
  return mechanism;
}

}  // namespace camber::mechanism_test
