#include "camber/run/mechanical_system.h"

#include <algorithm>
#include <memory>
#include <span>

namespace camber::run {
namespace {

using integrate::CoordinateBlock;
using multibody::LinkKind;
using multibody::MechanismDynamics;

// A step whose speeds are off by a tenth, which is this share of the kinetic energy, has not
// followed the motion: its result may have any energy.
constexpr double kLargestLoss = 0.01;

CoordinateBlock::Kind block_kind(LinkKind kind) {
  switch (kind) {
    case LinkKind::kSpherical:
      return CoordinateBlock::Kind::kQuaternion;
    case LinkKind::kFree:
      return CoordinateBlock::Kind::kPose;
    default:
      return CoordinateBlock::Kind::kVector;
  }
}

}  // namespace

integrate::MechanicalSystem make_mechanical_system(MechanismDynamics* dynamics) {
  const multibody::Model<double>& model = dynamics->model();
  integrate::MechanicalSystem system;
  system.nq = model.nq;
  system.nv = model.nv;
  for (const auto& link : model.links) {
    if (link.nv == 0) continue;  // the world
    system.blocks.push_back(
        {.kind = block_kind(link.kind), .q_start = link.q_start, .v_start = link.v_start});
  }
  system.accelerations = [dynamics](double t, std::span<const double> q, std::span<const double> v,
                                    std::span<double> v_dot) {
    return dynamics->calc_accelerations(t, q, v, v_dot);
  };
  system.jacobian = [dynamics](double t, std::span<const double> q, std::span<const double> v,
                               std::span<double> J) { return dynamics->calc_jacobian(t, q, v, J); };
  const auto refused = std::make_shared<std::string>();
  system.project = [dynamics, refused](double t, std::span<double> q, std::span<double> v) {
    refused->clear();
    if (!dynamics->project(t, q, v)) return false;
    if (dynamics->last_loss() <= kLargestLoss) return true;
    *refused = MechanismDynamics::describe_loss(dynamics->last_loss(), t);
    return false;
  };
  system.why = [dynamics, refused] { return refused->empty() ? dynamics->why() : *refused; };
  const CoordinateNames names = name_coordinates(*dynamics);
  system.names = names.q;
  for (const std::string& name : names.v) system.names.push_back("speed of " + name);
  return system;
}

CoordinateNames name_coordinates(const MechanismDynamics& dynamics) {
  CoordinateNames names;
  names.q = dynamics.coordinates().q_names;
  names.v = dynamics.coordinates().v_names;
  names.q_units.assign(names.q.size(), "rad");
  names.v_units.assign(names.v.size(), "rad/s");
  names.v_dot_units.assign(names.v.size(), "rad/s^2");
  const auto is_length = [&](int v) {
    names.v_units[v] = "m/s";
    names.v_dot_units[v] = "m/s^2";
  };
  for (const auto& link : dynamics.model().links) {
    const int q = link.q_start, v = link.v_start;
    if (link.kind == LinkKind::kPrismatic && link.nv > 0) {
      names.q_units[q] = "m";
      is_length(v);
    }
    if (link.kind == LinkKind::kSpherical || link.kind == LinkKind::kFree) {
      for (int i = 0; i < 4; ++i) names.q_units[q + i] = "1";
    }
    if (link.kind == LinkKind::kFree) {
      for (int i = 0; i < 3; ++i) {
        names.q_units[q + 4 + i] = "m";
        is_length(v + 3 + i);
      }
    }
  }
  return names;
}

bool is_conservative(const MechanismDynamics& dynamics) {
  const multibody::Model<double>& model = dynamics.tree().model;
  const auto works = [](const auto& axis) {
    return axis.damping != 0 || axis.friction != 0 || axis.force != 0 ||
           ((axis.has_lower || axis.has_upper) && axis.stop_damping != 0);
  };
  const auto damps = [](const auto& spring) {
    return spring.damping != 0 || !spring.damper_x.empty();
  };
  const auto damps_softly = [](const auto& bushing) {
    return std::any_of(&bushing.damping[0][0], &bushing.damping[0][0] + 36,
                       [](double c) { return c != 0; });
  };
  return dynamics.tree().relaxed.empty() && std::ranges::none_of(model.axes, works) &&
         std::ranges::none_of(model.springs, damps) &&
         std::ranges::none_of(model.contacts, [](const auto& c) { return c.damping != 0; }) &&
         std::ranges::none_of(model.bushings, damps_softly) && model.wrenches.empty() &&
         std::ranges::none_of(model.links, [](const auto& link) { return link.is_driven; });
}

}  // namespace camber::run
