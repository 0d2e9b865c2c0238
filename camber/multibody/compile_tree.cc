// Steps 1 and 2 of compiler.h: which joint carries each body, and the links that joints become.
#include <deque>

#include "camber/core/require.h"
#include "camber/multibody/compiler.h"
#include "camber/multibody/mechanism_error.h"

namespace camber::multibody::internal {

void Compiler::choose_tree() {
  carrier_.assign(m().bodies.size(), -1);
  std::vector<bool> reached(m().bodies.size(), false);
  std::deque<int> queue = {0};
  reached[0] = true;
  const auto visit = [&](int joint) {
    const int child = m().joints[joint].child.value;
    carrier_[child] = joint;
    order_.push_back(child);
    reached[child] = true;
    queue.push_back(child);
  };
  const auto spread = [&] {
    while (!queue.empty()) {
      const int body = queue.front();
      queue.pop_front();
      if (kind_ == TreeKind::kAugmented) continue;
      for (int j = 0; j < static_cast<int>(m().joints.size()); ++j) {
        const Joint& joint = m().joints[j];
        if (joint.parent.value == body && !reached[joint.child.value] && !joint.cut) visit(j);
      }
    }
  };
  spread();
  for (;;) {
    const auto next = find_root(reached);
    if (!next) break;
    if (next->second >= 0) {
      visit(next->second);
    } else {
      Joint joint;
      joint.name = unused_joint_name(m().bodies[next->first].name);
      joint.type = JointType::kFree;
      joint.child = BodyIndex(next->first);
      // In that formulation the coordinates of a body are those of its center of mass, not of the
      // author's frame: the mass matrix is diagonal in blocks of three, and no speed is that of a
      // distant point.
      if (kind_ == TreeKind::kAugmented)
        joint.X_BM.translation() = m().bodies[next->first].p_BoBcm_B;
      joint.q0 = guess_of_free_body(next->first);
      out_.mechanism.joints.push_back(joint);
      visit(static_cast<int>(m().joints.size()) - 1);
    }
    spread();
  }
}

// The next body to start from: one that only joints marked as cut reach (with that joint), or one
// that no joint reaches, or one whose joints are all marked as cut and start at bodies that are not
// reached either.
std::optional<std::pair<int, int>> Compiler::find_root(const std::vector<bool>& reached) const {
  std::optional<std::pair<int, int>> floating;
  std::vector<std::string> circle;
  for (int b = 1; b < body_count(); ++b) {
    if (reached[b]) continue;
    if (kind_ == TreeKind::kAugmented) return std::pair{b, -1};
    bool has_carrier = false;
    for (int j = 0; j < static_cast<int>(m().joints.size()); ++j) {
      const Joint& joint = m().joints[j];
      if (joint.child.value != b) continue;
      if (!joint.cut) has_carrier = true;
      if (joint.cut && reached[joint.parent.value]) return std::pair{b, j};
    }
    if (!has_carrier && !floating) floating = std::pair{b, -1};
    circle.push_back(m().bodies[b].name);
  }
  if (floating || circle.empty()) return floating;
  std::string names;
  for (const std::string& name : circle) names += (names.empty() ? "\"" : ", \"") + name + "\"";
  throw MechanismError(
      concat("mechanism \"", m().name, "\": the bodies ", names,
             " form a closed chain without connection to the world; mark one of their joints with "
             "cut = true"),
      concat("body \"", circle.front(), "\""));
}

std::string Compiler::unused_joint_name(const std::string& wish) const {
  std::string name = wish;
  while (m().find_joint(name).valid()) name += "_free";
  return name;
}

// In the fully augmented form the joints' guesses place the bodies, along the joints.
std::vector<double> Compiler::guess_of_free_body(int body) {
  if (kind_ != TreeKind::kAugmented) return {1, 0, 0, 0, 0, 0, 0};
  if (augmented_guess_.empty()) place_augmented_bodies();
  const Place& X = augmented_guess_[body];
  const Quaternion q(X.R);
  const Vector3 p = X.p + X.R * m().bodies[body].p_BoBcm_B;
  return {q.w(), q.x(), q.y(), q.z(), p[0], p[1], p[2]};
}

namespace {

// X_FM of a joint at its guess.
Place displacement(const Joint& joint) {
  const auto rotation = [](double angle, const Vector3& axis) {
    return Matrix3(Eigen::AngleAxisd(angle, axis));
  };
  const auto q = [&](int i) { return joint.q0.empty() ? 0.0 : joint.q0[i]; };
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  switch (joint.type) {
    case JointType::kFixed:
      return {};
    case JointType::kRevolute:
      return {rotation(q(0), z), Vector3::Zero()};
    case JointType::kPrismatic:
      return {Matrix3::Identity(), q(0) * z};
    case JointType::kScrew:
      return {rotation(q(0), z), joint.pitch * q(0) * z};
    case JointType::kCylindrical:
      return {rotation(q(0), z), q(1) * z};
    case JointType::kUniversal:
      return {rotation(q(0), x) * rotation(q(1), y), Vector3::Zero()};
    case JointType::kPlanar:
      return {rotation(q(2), z), q(0) * x + q(1) * y};
    case JointType::kSphericalAngles:
      return {rotation(q(0), x) * rotation(q(1), y) * rotation(q(2), z), Vector3::Zero()};
    case JointType::kFreeAngles:
    case JointType::kSoftHinge:
      return {rotation(q(3), x) * rotation(q(4), y) * rotation(q(5), z), Vector3(q(0), q(1), q(2))};
    case JointType::kSpherical:
    case JointType::kFree: {
      if (joint.q0.empty()) return {};
      const Matrix3 R = Quaternion(q(0), q(1), q(2), q(3)).normalized().toRotationMatrix();
      return {R, joint.type == JointType::kFree ? Vector3(q(4), q(5), q(6)) : Vector3::Zero()};
    }
  }
  return {};
}

}  // namespace

// Along the joints of the spanning tree, at their guesses.
void Compiler::place_augmented_bodies() {
  const MechanismTree tree = Compiler(m(), TreeKind::kSpanning).run();
  augmented_guess_.assign(m().bodies.size(), {});
  // Tree joints of the spanning tree, a parent's before its children's.
  std::vector<bool> placed(tree.mechanism.bodies.size(), false);
  placed[0] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t j = 0; j < tree.mechanism.joints.size(); ++j) {
      const Joint& joint = tree.mechanism.joints[j];
      if (!tree.joints[j].in_tree || placed[joint.child.value] || !placed[joint.parent.value])
        continue;
      augmented_guess_[joint.child.value] = augmented_guess_[joint.parent.value] *
                                            place_of(joint.X_PF) * displacement(joint) *
                                            inverse(place_of(joint.X_BM));
      placed[joint.child.value] = true;
      changed = true;
    }
  }
}

namespace {

int link_speeds(LinkKind kind) {
  return kind == LinkKind::kSpherical ? 3 : kind == LinkKind::kFree ? 6 : 1;
}

// Rotates z into x, or into y: the axes of joints that consist of simpler ones.
Matrix3 z_to_x() { return (Matrix3() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished(); }
Matrix3 z_to_y() { return (Matrix3() << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished(); }

}  // namespace

Steps steps_of(JointType type) {
  const Matrix3 one = Matrix3::Identity(), A = z_to_x(), B = z_to_y();
  switch (type) {
    case JointType::kFixed:
      return {};
    case JointType::kRevolute:
      return {{{LinkKind::kRevolute, one}}};
    case JointType::kPrismatic:
      return {{{LinkKind::kPrismatic, one}}};
    case JointType::kScrew:
      return {{{LinkKind::kScrew, one}}};
    case JointType::kCylindrical:
      return {{{LinkKind::kRevolute, one}, {LinkKind::kPrismatic, one}}};
    case JointType::kUniversal:  // Rx(q0) Ry(q1) = A Rz(q0) A^T B Rz(q1) B^T
      return {{{LinkKind::kRevolute, A}, {LinkKind::kRevolute, A.transpose() * B}}, B.transpose()};
    case JointType::kPlanar:
      return {{{LinkKind::kPrismatic, A},
               {LinkKind::kPrismatic, A.transpose() * B},
               {LinkKind::kRevolute, B.transpose()}}};
    case JointType::kSphericalAngles:
      return {{{LinkKind::kRevolute, A},
               {LinkKind::kRevolute, A.transpose() * B},
               {LinkKind::kRevolute, B.transpose()}}};
    case JointType::kFreeAngles:
    case JointType::kSoftHinge:
      return {{{LinkKind::kPrismatic, A},
               {LinkKind::kPrismatic, A.transpose() * B},
               {LinkKind::kPrismatic, B.transpose()},
               {LinkKind::kRevolute, A},
               {LinkKind::kRevolute, A.transpose() * B},
               {LinkKind::kRevolute, B.transpose()}}};
    case JointType::kSpherical:
      return {{{LinkKind::kSpherical, one}}};
    case JointType::kFree:
      return {{{LinkKind::kFree, one}}};
  }
  return {};
}

void Compiler::make_links() {
  drafts_.resize(1);
  out_.joints.assign(m().joints.size(), {});
  first_draft_.assign(m().joints.size(), -1);
  body_place_.assign(m().bodies.size(), {});
  body_link_.assign(m().bodies.size(), 0);
  for (const int body : order_) {
    const int j = carrier_[body];
    const Joint& joint = m().joints[j];
    out_.joints[j].in_tree = true;
    const int parent = joint.parent.value;
    Place X_PF = body_place_[parent] * place_of(joint.X_PF);  // on the parent's link
    int link = body_link_[parent];
    const Steps steps = steps_of(joint.type);
    int axis = 0;
    for (const Step& step : steps.list) {
      DraftLink draft;
      draft.link.kind = step.kind;
      draft.link.parent = link;
      draft.link.nv = link_speeds(step.kind);
      draft.link.pitch = joint.pitch;
      draft.link.is_driven = !joint.axes.empty() && joint.axes[axis].motion.has_value();
      const Place X = X_PF * Place{step.R, Vector3::Zero()};
      draft.link.R_PF = to_mat3(X.R);
      draft.link.p_PF = to_vec3(X.p);
      draft.joint = j;
      draft.first_axis = axis;
      axis += draft.link.nv;
      drafts_.push_back(draft);
      link = static_cast<int>(drafts_.size()) - 1;
      if (first_draft_[j] < 0) first_draft_[j] = link;
      X_PF = Place();
    }
    body_link_[body] = link;
    body_place_[body] = X_PF * Place{steps.R_LM, Vector3::Zero()} * inverse(place_of(joint.X_BM));
  }
}

}  // namespace camber::multibody::internal
