#include "camber/scenario/steering_maps.h"

#include <algorithm>
#include <functional>

namespace camber::scenario {
namespace {

using multibody::Body, multibody::Coupler, multibody::Joint, multibody::JointAxis,
    multibody::Mechanism, multibody::Rod;

constexpr std::size_t kMaxEntries = 16;  // kinematics that are kept

bool is_same(const Isometry3& a, const Isometry3& b) { return a.matrix() == b.matrix(); }

// Springs, friction and stops of a joint are forces; which of its axes have any decides on rows.
bool is_same_axis(const JointAxis& a, const JointAxis& b) {
  return !a.motion && !b.motion && (a.stiffness != 0) == (b.stiffness != 0) &&
         (a.damping != 0) == (b.damping != 0) && (a.friction != 0) == (b.friction != 0) &&
         (a.force != 0) == (b.force != 0) && a.rest == b.rest && a.lower == b.lower &&
         a.upper == b.upper;
}

bool is_same_joint(const Joint& a, const Joint& b) {
  return a.name == b.name && a.type == b.type && a.parent == b.parent && a.child == b.child &&
         is_same(a.X_PF, b.X_PF) && is_same(a.X_BM, b.X_BM) && a.pitch == b.pitch &&
         std::ranges::equal(a.axes, b.axes, is_same_axis) && a.q0 == b.q0 && a.v0 == b.v0 &&
         a.cut == b.cut && !a.relaxation.is_given() && !b.relaxation.is_given();
}

bool is_same_rod(const Rod& a, const Rod& b) {
  return a.name == b.name && a.a == b.a && a.b == b.b && a.p_AP_A == b.p_AP_A &&
         a.p_BQ_B == b.p_BQ_B && a.length == b.length && !a.relaxation.is_given() &&
         !b.relaxation.is_given();
}

bool is_same_coupler(const Coupler& a, const Coupler& b) {
  const auto is_same_term = [](const Coupler::Term& x, const Coupler::Term& y) {
    return x.joint == y.joint && x.axis == y.axis && x.factor == y.factor;
  };
  return a.name == b.name && std::ranges::equal(a.terms, b.terms, is_same_term) &&
         a.offset == b.offset && !a.relaxation.is_given() && !b.relaxation.is_given();
}

bool is_same_body(const Body& a, const Body& b) {
  return a.name == b.name && a.p_BoBcm_B == b.p_BoBcm_B && (a.mass > 0) == (b.mass > 0);
}

}  // namespace

bool has_same_kinematics(const dynamics::MechanismChassis& a, const dynamics::MechanismChassis& b) {
  const multibody::MechanismTree &tree_a = a.dynamics().tree(), &tree_b = b.dynamics().tree();
  const multibody::Model<double>&model_a = tree_a.model, &model_b = tree_b.model;
  // Inertias may enlarge the unit of lengths, by which loops are found to be closed.
  if (model_a.length != model_b.length || model_a.speed_units != model_b.speed_units) return false;
  for (int k = 0; k < 3; ++k)
    if (model_a.p_WO[k] != model_b.p_WO[k]) return false;
  const Mechanism &m = tree_a.mechanism, &n = tree_b.mechanism;
  return m.rollings.empty() && n.rollings.empty() &&
         std::ranges::equal(m.bodies, n.bodies, is_same_body) &&
         std::ranges::equal(m.joints, n.joints, is_same_joint) &&
         std::ranges::equal(m.rods, n.rods, is_same_rod) &&
         std::ranges::equal(m.couplers, n.couplers, is_same_coupler) &&
         m.independent == n.independent && std::ranges::equal(a.initial_q(), b.initial_q());
}

std::shared_ptr<const dynamics::SteeringMap> SteeringMaps::find(
    const dynamics::MechanismChassis& chassis, double lock) {
  const std::scoped_lock guard(mutex_);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry)
    if (entry->lock == lock && has_same_kinematics(*entry->chassis, chassis)) return entry->map;
  return nullptr;
}

void SteeringMaps::add(const std::shared_ptr<const dynamics::MechanismChassis>& chassis,
                       double lock, const dynamics::SteeringMap& map) {
  const std::scoped_lock guard(mutex_);
  if (entries_.size() >= kMaxEntries) entries_.erase(entries_.begin());
  entries_.push_back({chassis, lock, std::make_shared<const dynamics::SteeringMap>(map)});
}

}  // namespace camber::scenario
