#include "bench/peers/spanning_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "camber/core/require.h"

namespace camber::bench {
namespace {

using multibody::Body;
using multibody::BodyIndex;
using multibody::Coupler;
using multibody::Joint;
using multibody::JointIndex;
using multibody::JointType;
using multibody::kWorld;
using multibody::Mechanism;
using multibody::position_count;
using multibody::speed_count;

template <class List>
int count(const List& list) {
  return static_cast<int>(list.size());
}

/// The search for a spanning tree; visit() starts at a body that was reached.
class Search {
 public:
  explicit Search(const Mechanism& mechanism) : m_(mechanism) {
    tree_.node_of_body.assign(m_.bodies.size(), -1);
    tree_.node_of_joint.assign(m_.joints.size(), -1);
    has_carrier_.assign(m_.bodies.size(), false);
    for (const Joint& joint : m_.joints)
      if (!joint.cut) has_carrier_[joint.child.value] = true;
  }

  SpanningTree run() {
    front_.push(kWorld);
    do grow();
    while (add_root());
    for (int k = 0; k < count(m_.joints); ++k)
      if (tree_.node_of_joint[k] < 0) tree_.closures.emplace_back(k);
    return std::move(tree_);
  }

 private:
  bool is_reached(BodyIndex body) const {
    return body == kWorld || tree_.node_of_body[body.value] >= 0;
  }

  void grow() {
    for (; !front_.empty(); front_.pop()) {
      const BodyIndex parent = front_.front();
      for (int k = 0; k < count(m_.joints); ++k) {
        const Joint& joint = m_.joints[k];
        if (joint.parent == parent && !joint.cut && !is_reached(joint.child))
          add(joint.child, JointIndex(k), joint);
      }
    }
  }

  // The first body that a cut joint reaches from the tree; else the first without any other joint.
  bool add_root() {
    for (int b = 1; b < count(m_.bodies); ++b) {
      for (int k = 0; k < count(m_.joints); ++k) {
        const Joint& joint = m_.joints[k];
        if (joint.child.value != b || is_reached(joint.child)) continue;
        if (joint.cut && is_reached(joint.parent)) {
          add(joint.child, JointIndex(k), joint);
          return true;
        }
      }
    }
    bool all = true;
    for (int b = 1; b < count(m_.bodies); ++b) {
      if (is_reached(BodyIndex(b))) continue;
      all = false;
      if (has_carrier_[b]) continue;
      add_free(BodyIndex(b));
      return true;
    }
    require(all, "find_spanning_tree: bodies of \"", m_.name, "\" hang on each other in a circle");
    return false;
  }

  void add_free(BodyIndex body) {
    Joint joint;
    joint.type = JointType::kFree;
    joint.child = body;
    add(body, JointIndex(), joint);
  }

  void add(BodyIndex body, JointIndex index, const Joint& joint) {
    tree_.node_of_body[body.value] = count(tree_.nodes);
    if (index.valid()) tree_.node_of_joint[index.value] = count(tree_.nodes);
    tree_.nodes.push_back({body, index, joint, tree_.nq, tree_.nv});
    tree_.nq += position_count(joint.type);
    tree_.nv += speed_count(joint.type);
    front_.push(body);
  }

  const Mechanism& m_;
  SpanningTree tree_;
  std::vector<bool> has_carrier_;
  std::queue<BodyIndex> front_;
};

Matrix3 turn(double angle, const Vector3& axis) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

// V of a point P that moves with a body, from V at the body's origin.
Vector6 shift(const Vector6& V, const Vector3& p) {
  Vector6 shifted = V;
  shifted.tail<3>() += V.head<3>().cross(p);
  return shifted;
}

/// The three axes that a soft hinge turns about, in F.
Matrix3 turn_axes(const double* q) {
  const Matrix3 first = turn(q[3], Vector3::UnitX()), second = first * turn(q[4], Vector3::UnitY());
  Matrix3 axes;
  axes << Vector3::UnitX(), first.col(1), second.col(2);
  return axes;
}

}  // namespace

SpanningTree find_spanning_tree(const Mechanism& mechanism) { return Search(mechanism).run(); }

PeerState make_initial_state(const SpanningTree& tree) {
  PeerState state{VectorX<double>::Zero(tree.nq), VectorX<double>::Zero(tree.nv)};
  for (const TreeNode& node : tree.nodes) {
    const JointType type = node.joint.type;
    if (type == JointType::kSpherical || type == JointType::kFree) state.q[node.q_start] = 1;
    for (int i = 0; i < count(node.joint.q0); ++i) state.q[node.q_start + i] = node.joint.q0[i];
    for (int i = 0; i < count(node.joint.v0); ++i) state.v[node.v_start + i] = node.joint.v0[i];
  }
  return state;
}

Isometry3 calc_joint_pose(const Joint& joint, const double* q) {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  Isometry3 X = Isometry3::Identity();
  switch (joint.type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
      X.linear() = turn(q[0], z);
      break;
    case JointType::kPrismatic:
      X.translation() = q[0] * z;
      break;
    case JointType::kScrew:
      X.linear() = turn(q[0], z);
      X.translation() = joint.pitch * q[0] * z;
      break;
    case JointType::kCylindrical:
      X.linear() = turn(q[0], z);
      X.translation() = q[1] * z;
      break;
    case JointType::kUniversal:
      X.linear() = turn(q[0], x) * turn(q[1], y);
      break;
    case JointType::kPlanar:
      X.linear() = turn(q[2], z);
      X.translation() = q[0] * x + q[1] * y;
      break;
    case JointType::kSphericalAngles:  // compile() makes it where a motion is given: not here
      break;
    case JointType::kFreeAngles:
    case JointType::kSoftHinge:
      X.linear() = turn(q[3], x) * turn(q[4], y) * turn(q[5], z);
      X.translation() = Vector3(q[0], q[1], q[2]);
      break;
    case JointType::kFree:
      X.translation() = Vector3(q[4], q[5], q[6]);
      [[fallthrough]];
    case JointType::kSpherical:
      X.linear() = Quaternion(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
      break;
  }
  return X;
}

Vector6 calc_joint_velocity(const Joint& joint, const double* q, const double* v) {
  Vector6 V = Vector6::Zero();
  switch (joint.type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
      V[2] = v[0];
      break;
    case JointType::kPrismatic:
      V[5] = v[0];
      break;
    case JointType::kScrew:
      V[2] = v[0];
      V[5] = joint.pitch * v[0];
      break;
    case JointType::kCylindrical:
      V[2] = v[0];
      V[5] = v[1];
      break;
    case JointType::kUniversal:
      V.head<3>() = Vector3(v[0], v[1] * std::cos(q[0]), v[1] * std::sin(q[0]));
      break;
    case JointType::kPlanar:
      V << 0, 0, v[2], v[0], v[1], 0;
      break;
    case JointType::kSphericalAngles:
      break;
    case JointType::kFreeAngles:
    case JointType::kSoftHinge:
      V.head<3>() = turn_axes(q) * Vector3(v[3], v[4], v[5]);
      V.tail<3>() = Vector3(v[0], v[1], v[2]);
      break;
    case JointType::kFree:
      V.tail<3>() = calc_joint_pose(joint, q).linear() * Vector3(v[3], v[4], v[5]);
      [[fallthrough]];
    case JointType::kSpherical:
      V.head<3>() = calc_joint_pose(joint, q).linear() * Vector3(v[0], v[1], v[2]);
      break;
  }
  return V;
}

void find_joint_state(const Joint& joint, const Isometry3& X_FM, const Vector6& V_FM_F, double* q,
                      double* v) {
  const Matrix3 R = X_FM.linear();
  const Vector3 p = X_FM.translation();
  const double about_z = std::atan2(R(1, 0), R(0, 0));
  switch (joint.type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
    case JointType::kScrew:
      q[0] = about_z;
      // A screw may have turned several times.
      if (joint.pitch != 0)
        q[0] += 2 * M_PI * std::round((p.z() / joint.pitch - about_z) / (2 * M_PI));
      v[0] = V_FM_F[2];
      break;
    case JointType::kPrismatic:
      q[0] = p.z();
      v[0] = V_FM_F[5];
      break;
    case JointType::kCylindrical:
      q[0] = about_z;
      q[1] = p.z();
      v[0] = V_FM_F[2];
      v[1] = V_FM_F[5];
      break;
    case JointType::kUniversal:
      q[0] = std::atan2(R(2, 1), R(1, 1));
      q[1] = std::atan2(R(0, 2), R(0, 0));
      v[0] = V_FM_F[0];
      v[1] = V_FM_F[1] * std::cos(q[0]) + V_FM_F[2] * std::sin(q[0]);
      break;
    case JointType::kPlanar:
      q[0] = p.x();
      q[1] = p.y();
      q[2] = about_z;
      v[0] = V_FM_F[3];
      v[1] = V_FM_F[4];
      v[2] = V_FM_F[2];
      break;
    case JointType::kSphericalAngles:
      break;
    case JointType::kFreeAngles:
    case JointType::kSoftHinge:
      std::copy_n(p.data(), 3, q);
      q[3] = std::atan2(-R(1, 2), R(2, 2));
      q[4] = std::asin(std::clamp(R(0, 2), -1.0, 1.0));
      q[5] = std::atan2(-R(0, 1), R(0, 0));
      std::copy_n(V_FM_F.data() + 3, 3, v);
      Eigen::Map<Vector3>(v + 3) = turn_axes(q).inverse() * V_FM_F.head<3>();
      break;
    case JointType::kFree:
      std::copy_n(p.data(), 3, q + 4);
      Eigen::Map<Vector3>(v + 3) = R.transpose() * V_FM_F.tail<3>();
      [[fallthrough]];
    case JointType::kSpherical: {
      const Quaternion turned(R);
      q[0] = turned.w();
      std::copy_n(turned.vec().data(), 3, q + 1);
      Eigen::Map<Vector3>(v + 0) = R.transpose() * V_FM_F.head<3>();
      break;
    }
  }
}

BodyMotions calc_body_motions(const SpanningTree& tree, const PeerState& state) {
  BodyMotions motions;
  motions.X_WB.assign(tree.node_of_body.size(), Isometry3::Identity());
  motions.V_WB.assign(tree.node_of_body.size(), Vector6::Zero());
  for (const TreeNode& node : tree.nodes) {
    const Joint& joint = node.joint;
    const double* q = state.q.data() + node.q_start;
    const double* v = state.v.data() + node.v_start;
    const Isometry3& X_WP = motions.X_WB[joint.parent.value];
    const Isometry3 X_WF = X_WP * joint.X_PF;
    const Isometry3 X_WM = X_WF * calc_joint_pose(joint, q);
    const Isometry3 X_WB = X_WM * joint.X_BM.inverse();
    const Vector6 V_FM_F = calc_joint_velocity(joint, q, v);
    Vector6 V_WM = shift(motions.V_WB[joint.parent.value], X_WM.translation() - X_WP.translation());
    V_WM.head<3>() += X_WF.linear() * V_FM_F.head<3>();
    V_WM.tail<3>() += X_WF.linear() * V_FM_F.tail<3>();
    motions.X_WB[node.body.value] = X_WB;
    motions.V_WB[node.body.value] = shift(V_WM, X_WB.translation() - X_WM.translation());
  }
  return motions;
}

SplitMechanism::SplitMechanism(const Mechanism& mechanism, bool (*keep)(JointType))
    : mechanism_(mechanism), original_tree_(find_spanning_tree(mechanism)) {
  part_of_.resize(mechanism.bodies.size());
  for (int b = 0; b < count(part_of_); ++b) part_of_[b] = BodyIndex(b);
  std::vector<bool> coupled(mechanism.joints.size(), false);
  for (const Coupler& coupler : mechanism.couplers)
    for (const Coupler::Term& term : coupler.terms) coupled[term.joint.value] = true;

  for (const JointIndex k : original_tree_.closures) {
    const Joint closure = mechanism.joints[k.value];
    if (closure.type == JointType::kFree) continue;  // closes nothing
    if (keep(closure.type) && !coupled[k.value]) continue;
    require(closure.child != kWorld, "SplitMechanism: joint \"", closure.name,
            "\" closes a loop at the world, which has no mass to split; swap its bodies");
    Body part = mechanism.bodies[closure.child.value];
    part.name = concat(part.name, " at ", closure.name);
    const BodyIndex added = mechanism_.add(part);
    part_of_.push_back(closure.child);
    mechanism_.joints[k.value].child = added;
    mechanism_.joints[k.value].cut = false;
    Joint glue;
    glue.name = concat("glue of ", closure.name);
    glue.parent = added;
    glue.child = closure.child;
    glue.cut = true;
    mechanism_.add(glue);
  }

  std::vector<int> shares(mechanism.bodies.size(), 0);
  for (const BodyIndex whole : part_of_) ++shares[whole.value];
  for (int b = 1; b < count(part_of_); ++b) {
    mechanism_.bodies[b].mass /= shares[part_of_[b].value];
    mechanism_.bodies[b].I_BBcm_B /= shares[part_of_[b].value];
  }
  tree_ = find_spanning_tree(mechanism_);
}

PeerState SplitMechanism::split(const PeerState& original) const {
  require(original.q.size() == original_tree_.nq && original.v.size() == original_tree_.nv,
          "SplitMechanism: state has ", original.q.size(), " coordinates and ", original.v.size(),
          " speeds, mechanism \"", mechanism_.name, "\" needs ", original_tree_.nq, " and ",
          original_tree_.nv);
  const BodyMotions motions = calc_body_motions(original_tree_, original);
  PeerState parts{VectorX<double>::Zero(tree_.nq), VectorX<double>::Zero(tree_.nv)};
  for (const TreeNode& node : tree_.nodes) {
    double* q = parts.q.data() + node.q_start;
    double* v = parts.v.data() + node.v_start;
    if (part_of_[node.body.value] == node.body) {
      const TreeNode& from = original_tree_.nodes[original_tree_.node_of_body[node.body.value]];
      std::copy_n(original.q.data() + from.q_start, position_count(node.joint.type), q);
      std::copy_n(original.v.data() + from.v_start, speed_count(node.joint.type), v);
      continue;
    }
    const int parent = node.joint.parent.value, whole = part_of_[node.body.value].value;
    const Isometry3 X_WF = motions.X_WB[parent] * node.joint.X_PF;
    const Isometry3 X_WM = motions.X_WB[whole] * node.joint.X_BM;
    const Vector6 V_FM =
        shift(motions.V_WB[whole], X_WM.translation() - motions.X_WB[whole].translation()) -
        shift(motions.V_WB[parent], X_WM.translation() - motions.X_WB[parent].translation());
    Vector6 V_FM_F;
    V_FM_F << X_WF.linear().transpose() * V_FM.head<3>(),
        X_WF.linear().transpose() * V_FM.tail<3>();
    find_joint_state(node.joint, X_WF.inverse() * X_WM, V_FM_F, q, v);
  }
  return parts;
}

VectorX<double> SplitMechanism::join_speeds(const VectorX<double>& v) const {
  VectorX<double> joined(original_tree_.nv);
  for (const TreeNode& to : original_tree_.nodes) {
    const TreeNode& from = tree_.nodes[tree_.node_of_body[to.body.value]];
    const int n = speed_count(to.joint.type);
    joined.segment(to.v_start, n) = v.segment(from.v_start, n);
  }
  return joined;
}

PeerState SplitMechanism::join(const PeerState& parts) const {
  PeerState joined{VectorX<double>(original_tree_.nq), join_speeds(parts.v)};
  for (const TreeNode& to : original_tree_.nodes) {
    const TreeNode& from = tree_.nodes[tree_.node_of_body[to.body.value]];
    const int n = position_count(to.joint.type);
    joined.q.segment(to.q_start, n) = parts.q.segment(from.q_start, n);
  }
  return joined;
}

}  // namespace camber::bench
