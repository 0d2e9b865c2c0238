#pragma once

// Mechanisms of models/, and what the integrators see of them.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "camber/integrate/mechanical_system.h"
#include "camber/multibody/dynamics.h"

namespace camber::mechanism_test {

using integrate::CoordinateBlock;
using integrate::MechanicalSystem;
using multibody::Link, multibody::LinkKind, multibody::MechanismDynamics;

/// Of models/, in the order of their names.
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

/// For the integrators, quaternions and exact derivatives included.
inline MechanicalSystem make_system(const std::shared_ptr<MechanismDynamics>& dynamics) {
  MechanicalSystem system;
  system.nq = dynamics->nq();
  system.nv = dynamics->nv();
  for (const Link<double>& link : dynamics->model().links) {
    if (link.nv == 0) continue;
    CoordinateBlock block;
    block.q_start = link.q_start;
    block.v_start = link.v_start;
    if (link.kind == LinkKind::kSpherical) block.kind = CoordinateBlock::Kind::kQuaternion;
    if (link.kind == LinkKind::kFree) block.kind = CoordinateBlock::Kind::kPose;
    system.blocks.push_back(block);
  }
  system.accelerations = [dynamics](double t, std::span<const double> q, std::span<const double> v,
                                    std::span<double> v_dot) {
    return dynamics->calc_accelerations(t, q, v, v_dot);
  };
  system.jacobian = [dynamics](double t, std::span<const double> q, std::span<const double> v,
                               std::span<double> J) { return dynamics->calc_jacobian(t, q, v, J); };
  system.project = [dynamics](double t, std::span<double> q, std::span<double> v) {
    return dynamics->project(t, q, v);
  };
  system.why = [dynamics] { return dynamics->why(); };
  return system;
}

}  // namespace camber::mechanism_test
