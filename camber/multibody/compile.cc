// The way through the steps of compiler.h; names and initial values.
#include "camber/multibody/compile.h"

#include <algorithm>
#include <utility>

#include "camber/core/require.h"
#include "camber/multibody/compiler.h"

namespace camber::multibody {

namespace internal {

CompiledMechanism Compiler::run() {
  check(m());
  choose_tree();
  make_links();
  make_rows();
  find_clusters();
  put_in_order();
  add_masses();
  mark_branches(&out_.model);
  add_forces();
  fill_names_and_start();
  return std::move(out_);
}

std::vector<int> Compiler::find_relaxed_carriers() {
  choose_tree();
  std::vector<int> found;
  for (int b = 1; b < body_count(); ++b) {
    if (m().joints[carrier_[b]].relaxation.is_given()) found.push_back(carrier_[b]);
  }
  return found;
}

void Compiler::fill_names_and_start() {
  const Model<double>& model = out_.model;
  out_.q_names.resize(static_cast<std::size_t>(model.nq));
  out_.v_names.resize(static_cast<std::size_t>(model.nv));
  out_.is_quaternion.assign(static_cast<std::size_t>(model.nv), false);
  out_.motions.resize(static_cast<std::size_t>(model.nv));
  out_.q0 = VectorX<double>::Zero(model.nq);
  out_.v0 = VectorX<double>::Zero(model.nv);
  for (std::size_t j = 0; j < m().joints.size(); ++j) {
    const Joint& joint = m().joints[j];
    const auto& place = out_.joints[j];
    if (!place.in_tree) continue;
    const int nq = position_count(joint.type), nv = speed_count(joint.type);
    static constexpr const char* kPose[] = {"qw", "qx", "qy", "qz", "x", "y", "z"};
    static constexpr const char* kTwist[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
    for (int i = 0; i < nq; ++i) {
      out_.q_names[place.q_start + i] =
          nq > nv ? concat(joint.name, ".", kPose[i]) : axis_name(joint, i);
      out_.q0[place.q_start + i] = joint.q0.empty() ? (nq > nv && i == 0 ? 1.0 : 0.0) : joint.q0[i];
    }
    for (int i = 0; i < nv; ++i) {
      out_.v_names[place.v_start + i] =
          nq > nv ? concat(joint.name, ".", kTwist[i]) : axis_name(joint, i);
      out_.v0[place.v_start + i] = joint.v0.empty() ? 0.0 : joint.v0[i];
      out_.is_quaternion[place.v_start + i] = nq > nv && i < 3;
      if (!joint.axes.empty()) out_.motions[place.v_start + i] = joint.axes[i].motion;
    }
    if (nq > nv) out_.q0.segment<4>(place.q_start).normalize();
  }
}

}  // namespace internal

std::vector<int> find_relaxed_carriers(const Mechanism& mechanism) {
  const auto relaxes = [](const Joint& joint) { return joint.relaxation.is_given(); };
  if (std::ranges::none_of(mechanism.joints, relaxes)) return {};
  return internal::Compiler(mechanism, TreeKind::kSpanning).find_relaxed_carriers();
}

CompiledMechanism compile(const Mechanism& mechanism, TreeKind kind) {
  return internal::Compiler(mechanism, kind).run();
}

}  // namespace camber::multibody
