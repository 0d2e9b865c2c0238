// Runs the steps of compiler.h; names and initial values.
#include "camber/multibody/compile.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/math/dense.h"
#include "camber/multibody/compiler.h"
#include "camber/multibody/kinematics.h"

namespace camber::multibody {

namespace internal {

MechanismTree Compiler::run() {
  check(m());
  use_angles_where_driven();
  choose_tree();
  make_links();
  make_rows();
  find_clusters();
  put_in_order();
  add_masses();
  mark_branches(&out_.model);
  add_forces();
  fill_names_and_start();
  measure();
  return std::move(out_);
}

namespace {

// R = Rx(a) Ry(b) Rz(c).
Vector3 angles_of(const Matrix3& R) {
  return {std::atan2(-R(1, 2), R(2, 2)), std::asin(std::clamp(R(0, 2), -1.0, 1.0)),
          std::atan2(-R(0, 1), R(0, 0))};
}

// Their rates, from the angular velocity in the axes of M: w = Rz^T Ry^T x a' + Rz^T y b' + z c'.
Vector3 rates_of(const Vector3& angles, const Vector3& w) {
  const Matrix3 Ry = Matrix3(Eigen::AngleAxisd(angles[1], Vector3::UnitY())),
                Rz = Matrix3(Eigen::AngleAxisd(angles[2], Vector3::UnitZ()));
  Matrix3 H;
  H << Rz.transpose() * Ry.transpose().col(0), Rz.transpose().col(1), Vector3::UnitZ();
  return math::solve_least_squares(H, w);
}

}  // namespace

// A quaternion cannot follow three functions of time; successive angles about x, y and z can, each
// by itself.
void Compiler::use_angles_where_driven() {
  for (Joint& joint : out_.mechanism.joints) {
    const bool is_free = joint.type == JointType::kFree;
    if (!is_free && joint.type != JointType::kSpherical) continue;
    if (std::ranges::none_of(joint.axes, [](const JointAxis& a) { return a.motion.has_value(); }))
      continue;
    joint.type = is_free ? JointType::kFreeAngles : JointType::kSphericalAngles;
    if (is_free) std::rotate(joint.axes.begin(), joint.axes.begin() + 3, joint.axes.end());
    Matrix3 R = Matrix3::Identity();
    const std::vector<double> q = joint.q0, v = joint.v0;
    if (!q.empty()) R = Quaternion(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    const Vector3 angles = angles_of(R);
    if (!q.empty()) {
      joint.q0.assign(q.begin() + 4, q.end());
      joint.q0.insert(joint.q0.end(), angles.begin(), angles.end());
    }
    if (!v.empty()) {
      const Vector3 rates = rates_of(angles, Vector3(v[0], v[1], v[2]));
      joint.v0.clear();
      if (is_free) {
        const Vector3 velocity = R * Vector3(v[3], v[4], v[5]);
        joint.v0.assign(velocity.begin(), velocity.end());
      }
      joint.v0.insert(joint.v0.end(), rates.begin(), rates.end());
    }
  }
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

// O and the mechanism's length, from the places of the links at the author's guess.
void Compiler::measure() {
  // A mechanism closer to W's origin than this multiple of its length uses W's origin as O: that
  // costs at most two digits, and generated code needs no constants for O.
  constexpr double kNear = 10;
  Model<double>& model = out_.model;
  PositionKinematics<double> pos(model);
  calc_position_kinematics(model, out_.q0, &pos);
  std::vector<Vector3> points;  // from O
  const auto add = [&](int link, const Vec3<double>& p_L) {
    points.push_back(to_eigen(pos.p_OL[link] + pos.R_WL[link] * p_L));
  };
  double least = 0;  // from the bodies' own sizes
  for (std::size_t l = 1; l < model.links.size(); ++l) {
    const Link<double>& link = model.links[l];
    if (link.kind != LinkKind::kFree) add(static_cast<int>(l), {});
    if (!link.has_mass) continue;
    add(static_cast<int>(l), link.p_LLcm);
    const auto& I = link.I_LLcm;
    least = std::max(least, std::sqrt((I(0, 0) + I(1, 1) + I(2, 2)) / link.mass));
  }
  for (const ConstraintRow<double>& row : model.rows) {
    if (row.kind == RowKind::kDot || row.kind == RowKind::kCoupler) continue;
    add(row.b, row.p_B);
    const bool is_plane = row.kind == RowKind::kRollNormal || row.kind == RowKind::kRollSlip;
    if (!is_plane) add(row.a, row.p_A);  // any point of a plane represents it, however far away
  }
  std::erase_if(points, [](const Vector3& p) { return !p.allFinite(); });
  if (points.empty()) points.emplace_back(Vector3::Zero());
  Vector3 center = Vector3::Zero();
  for (const Vector3& p : points) center += p / static_cast<double>(points.size());
  const auto reach_from = [&](const Vector3& from) {
    double most = std::isfinite(least) ? least : 0;
    for (const Vector3& p : points) most = std::max(most, (p - from).norm());
    return most;
  };
  double length = reach_from(Vector3::Zero());
  if (model.origin_link == 0 && center.norm() > kNear * reach_from(center)) {
    model.p_WO = to_vec3(center);
    length = reach_from(center);
  }
  measure_by(length > 0 && std::isfinite(length) ? length : 1, &model);
  for (RelaxedConstraint& constraint : out_.relaxed) {
    for (ConstraintRow<double>& row : constraint.rows) row.unit = unit_of(row, model);
  }
}

}  // namespace internal

std::vector<int> find_relaxed_carriers(const Mechanism& mechanism) {
  const auto relaxes = [](const Joint& joint) { return joint.relaxation.is_given(); };
  if (std::ranges::none_of(mechanism.joints, relaxes)) return {};
  return internal::Compiler(mechanism, TreeKind::kSpanning).find_relaxed_carriers();
}

MechanismTree compile(const Mechanism& mechanism, TreeKind kind) {
  return internal::Compiler(mechanism, kind).run();
}

}  // namespace camber::multibody
