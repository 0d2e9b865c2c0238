#include "bench/peers/simbody_mechanism.h"

#include <stdexcept>

#include "bench/peers/simbody_system.h"
#include "camber/core/require.h"

namespace camber::bench {
namespace {

using multibody::Body;
using multibody::BodyIndex;
using multibody::Coupler;
using multibody::Joint;
using multibody::JointAxis;
using multibody::JointIndex;
using multibody::JointType;
using multibody::Mechanism;
using multibody::Rod;
using multibody::SpringDamper;
using multibody::Wrench;

// Only a screw cannot be put together from Simbody's constraints.
bool is_simbody_closure(JointType type) { return type != JointType::kScrew; }

bool has_quaternion(JointType type) {
  return type == JointType::kSpherical || type == JointType::kFree;
}

void require_known_parts(const Mechanism& m) {
  require(m.rollings.empty() && m.bushings.empty(), "SimbodyMechanism: \"", m.name,
          "\" has rolling wheels or bushings");
  for (const SpringDamper& spring : m.springs) {
    require(!spring.spring && !spring.damper && spring.preload == 0, "SimbodyMechanism: spring \"",
            spring.name, "\" is not linear");
  }
  for (const Joint& joint : m.joints) {
    for (const JointAxis& axis : joint.axes) {
      require(axis.friction == 0 && axis.stop_stiffness == 0 && axis.stop_damping == 0 &&
                  !axis.motion &&
                  (!has_quaternion(joint.type) || (axis.damping == 0 && axis.force == 0)),
              "SimbodyMechanism: joint \"", joint.name,
              "\" has more than springs, dampers and constant forces along axes");
    }
  }
}

SimbodyJoint::Type to_simbody(JointType type) {
  switch (type) {
    case JointType::kFixed:
      return SimbodyJoint::Type::kFixed;
    case JointType::kRevolute:
      return SimbodyJoint::Type::kRevolute;
    case JointType::kPrismatic:
      return SimbodyJoint::Type::kPrismatic;
    case JointType::kScrew:
      return SimbodyJoint::Type::kScrew;
    case JointType::kCylindrical:
      return SimbodyJoint::Type::kCylindrical;
    case JointType::kUniversal:
      return SimbodyJoint::Type::kUniversal;
    case JointType::kPlanar:
      return SimbodyJoint::Type::kPlanar;
    case JointType::kSoftHinge:
    case JointType::kSphericalAngles:
    case JointType::kFreeAngles:
      throw std::invalid_argument("SimbodyMechanism: soft hinges are not built there");
    case JointType::kSpherical:
      return SimbodyJoint::Type::kSpherical;
    case JointType::kFree:
      return SimbodyJoint::Type::kFree;
  }
  return SimbodyJoint::Type::kFixed;
}

SimbodyJoint to_simbody(const Joint& from) {
  SimbodyJoint joint;
  joint.type = to_simbody(from.type);
  joint.parent = from.parent.value;
  joint.child = from.child.value;
  joint.X_PF = from.X_PF;
  joint.X_BM = from.X_BM;
  joint.pitch = from.pitch;
  joint.nq = position_count(from.type);
  joint.nv = speed_count(from.type);
  for (const JointAxis& axis : from.axes)
    joint.axes.push_back({axis.stiffness, axis.rest, axis.damping, axis.force});
  return joint;
}

SimbodyCoupler to_simbody(const Coupler& from, const SpanningTree& tree) {
  SimbodyCoupler coupler;
  coupler.offset = from.offset;
  for (const Coupler::Term& term : from.terms) {
    const int node = tree.node_of_joint[term.joint.value];
    require(!has_quaternion(tree.nodes[node].joint.type), "SimbodyMechanism: coupler \"", from.name,
            "\" names a joint without axes");
    coupler.terms.push_back({node, term.axis, term.factor});
  }
  return coupler;
}

SimbodyParts to_simbody(const SplitMechanism& split) {
  const Mechanism& m = split.mechanism();
  SimbodyParts parts;
  parts.gravity = m.gravity;
  for (const Body& body : m.bodies)
    parts.bodies.push_back({body.mass, body.p_BoBcm_B, body.I_BBcm_B});
  for (const TreeNode& node : split.tree().nodes) {
    parts.tree.push_back(to_simbody(node.joint));
    parts.tree.back().q_start = node.q_start;
    parts.tree.back().v_start = node.v_start;
  }
  for (const JointIndex k : split.tree().closures)
    parts.closures.push_back(to_simbody(m.joints[k.value]));
  for (const Rod& rod : m.rods)
    parts.rods.push_back({rod.a.value, rod.b.value, rod.p_AP_A, rod.p_BQ_B, rod.length, 0, 0});
  for (const SpringDamper& spring : m.springs) {
    parts.springs.push_back({spring.a.value, spring.b.value, spring.p_AP_A, spring.p_BQ_B,
                             spring.free_length, spring.stiffness, spring.damping});
  }
  for (const Coupler& coupler : m.couplers)
    parts.couplers.push_back(to_simbody(coupler, split.tree()));
  for (const Wrench& w : m.wrenches)
    parts.wrenches.push_back({w.body.value, w.p_BQ_B, w.force, w.torque, w.in_world});
  return parts;
}

}  // namespace

class SimbodyMechanism::Impl {
 public:
  explicit Impl(const Mechanism& mechanism)
      : split(mechanism, is_simbody_closure), system(to_simbody(split)) {}

  SplitMechanism split;
  SimbodySystem system;
};

SimbodyMechanism::SimbodyMechanism(const Mechanism& mechanism) {
  require_known_parts(mechanism);
  impl_ = std::make_unique<Impl>(mechanism);
}
SimbodyMechanism::~SimbodyMechanism() = default;

const SpanningTree& SimbodyMechanism::tree() const { return impl_->split.original_tree(); }

PeerState SimbodyMechanism::project(const PeerState& state) {
  PeerState parts = impl_->split.split(state);
  impl_->system.project(&parts.q, &parts.v);
  return impl_->split.join(parts);
}

int SimbodyMechanism::add_state(const PeerState& state) {
  const PeerState parts = impl_->split.split(state);
  return impl_->system.add_state(parts.q, parts.v);
}

void SimbodyMechanism::forward(int state) { impl_->system.forward(state); }

VectorX<double> SimbodyMechanism::accelerations() const {
  return impl_->split.join_speeds(impl_->system.accelerations());
}

Isometry3 SimbodyMechanism::pose(BodyIndex body) const { return impl_->system.pose(body.value); }
double SimbodyMechanism::constraint_error() const { return impl_->system.constraint_error(); }
int SimbodyMechanism::constraint_count() const { return impl_->system.constraint_count(); }
std::string SimbodyMechanism::version() { return SimbodySystem::version(); }

}  // namespace camber::bench
