#include "bench/peers/simbody_system.h"

#include <algorithm>
#include <cmath>

#include <Simbody.h>

namespace camber::bench {
namespace {

using Type = SimbodyJoint::Type;
using SimTK::Constraint;
using SimTK::MobilizedBody;

SimTK::Vec3 to_simbody(const Vector3& v) { return {v[0], v[1], v[2]}; }
SimTK::UnitVec3 unit(const Vector3& v) { return SimTK::UnitVec3(to_simbody(v)); }

// The matrix as it is: Simbody would turn it into the nearest rotation, and shift its last digits.
SimTK::Rotation to_simbody(const Matrix3& R) {
  return SimTK::Rotation(
      SimTK::Mat33(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
      true);
}
SimTK::Transform to_simbody(const Isometry3& X) {
  return {to_simbody(Matrix3(X.linear())), to_simbody(Vector3(X.translation()))};
}

SimTK::Body::Rigid to_simbody(const SimbodyBody& body) {
  const Matrix3& I = body.I_BBcm_B;
  const SimTK::Inertia about_center(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
  const SimTK::Vec3 center = to_simbody(body.p_BoBcm_B);
  return SimTK::Body::Rigid(SimTK::MassProperties(
      body.mass, center, about_center.shiftFromMassCenter(-center, body.mass)));
}

bool has_quaternion(Type type) { return type == Type::kSpherical || type == Type::kFree; }

// Where Simbody keeps camber's i-th coordinate and speed of a joint without a quaternion.
int simbody_axis(Type type, int i) {
  return type == Type::kPlanar ? (i + 1) % 3 : i;  // Simbody's angle comes first
}

}  // namespace

class SimbodySystem::Impl {
 public:
  explicit Impl(const SimbodyParts& parts) : parts_(parts), matter_(system_), forces_(system_) {
    forces_.setNumberOfThreads(1);
    const double g = parts.gravity.norm();
    if (g > 0) SimTK::Force::Gravity(forces_, matter_, unit(parts.gravity), g);
    mobilizers_.resize(parts.bodies.size());
    mobilizers_[0] = matter_.updGround();
    for (const SimbodyJoint& joint : parts.tree) {
      mobilizers_[joint.child] = add_mobilizer(parts.bodies[joint.child], joint);
      add_axis_forces(joint, mobilizers_[joint.child]);
    }
    for (const SimbodyJoint& joint : parts.closures) add_closure(joint);
    for (const SimbodyPair& rod : parts.rods) {
      Constraint::Rod(mobilizers_[rod.a], to_simbody(rod.p_AP_A), mobilizers_[rod.b],
                      to_simbody(rod.p_BQ_B), rod.length);
    }
    for (const SimbodyCoupler& coupler : parts.couplers) add_coupler(coupler);
    for (const SimbodyPair& spring : parts.springs) add_spring(spring);
    if (!parts.wrenches.empty()) discrete_ = SimTK::Force::DiscreteForces(forces_, matter_);
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    system_.realize(state_, SimTK::Stage::Instance);
  }

  void project(VectorX<double>* q, VectorX<double>* v) {
    set(to_simbody_state(*q, *v));
    system_.project(state_, 1e-12);
    for (const SimbodyJoint& node : parts_.tree)
      read_state(node, q->data() + node.q_start, v->data() + node.v_start);
  }

  int add_state(const VectorX<double>& q, const VectorX<double>& v) {
    prepared_.push_back(to_simbody_state(q, v));
    return static_cast<int>(prepared_.size()) - 1;
  }

  void forward(int state) {
    set(prepared_[state]);
    if (!parts_.wrenches.empty()) set_wrenches();
    system_.realize(state_, SimTK::Stage::Acceleration);
  }

  VectorX<double> accelerations() const {
    VectorX<double> vdot(parts_.tree.empty() ? 0
                                             : parts_.tree.back().v_start + parts_.tree.back().nv);
    for (const SimbodyJoint& node : parts_.tree)
      read_acceleration(node, vdot.data() + node.v_start);
    return vdot;
  }

  Isometry3 pose(int body) const {
    const SimTK::Transform X = mobilizers_[body].getBodyTransform(state_);
    Isometry3 X_WB = Isometry3::Identity();
    for (int i = 0; i < 3; ++i) {
      X_WB.translation()[i] = X.p()[i];
      for (int j = 0; j < 3; ++j) X_WB.linear()(i, j) = X.R()[i][j];
    }
    return X_WB;
  }

  // QErr ends with the lengths of quaternions, which are not constraints of ours.
  double constraint_error() const {
    double largest = 0;
    for (int i = 0; i < constraint_count(); ++i)
      largest = std::max(largest, std::abs(state_.getQErr()[i]));
    return largest;
  }
  int constraint_count() const { return state_.getNUDotErr(); }

 private:
  struct Prepared {
    SimTK::Vector q, u;
  };

  MobilizedBody add_mobilizer(const SimbodyBody& description, const SimbodyJoint& joint) {
    MobilizedBody& parent = mobilizers_[joint.parent];
    const SimTK::Body::Rigid body = to_simbody(description);
    const SimTK::Transform X_PF = to_simbody(joint.X_PF), X_BM = to_simbody(joint.X_BM);
    switch (joint.type) {
      case Type::kFixed:
        return MobilizedBody::Weld(parent, X_PF, body, X_BM);
      case Type::kRevolute:
        return MobilizedBody::Pin(parent, X_PF, body, X_BM);
      case Type::kPrismatic: {  // Simbody's slides along x
        Isometry3 X_along = Isometry3::Identity();
        X_along.linear() << 0, 0, -1, 0, 1, 0, 1, 0, 0;
        return MobilizedBody::Slider(parent, to_simbody(Isometry3(joint.X_PF * X_along)), body,
                                     to_simbody(Isometry3(joint.X_BM * X_along)));
      }
      case Type::kScrew:
        return MobilizedBody::Screw(parent, X_PF, body, X_BM, joint.pitch);
      case Type::kCylindrical:
        return MobilizedBody::Cylinder(parent, X_PF, body, X_BM);
      case Type::kUniversal:
        return MobilizedBody::Universal(parent, X_PF, body, X_BM);
      case Type::kPlanar:
        return MobilizedBody::Planar(parent, X_PF, body, X_BM);
      case Type::kSpherical:
        return MobilizedBody::Ball(parent, X_PF, body, X_BM);
      case Type::kFree:
        return MobilizedBody::Free(parent, X_PF, body, X_BM);
    }
    return {};
  }

  void add_axis_forces(const SimbodyJoint& joint, const MobilizedBody& mobilizer) {
    if (has_quaternion(joint.type)) return;
    for (int i = 0; i < static_cast<int>(joint.axes.size()); ++i) {
      const SimbodyJoint::Axis& axis = joint.axes[i];
      const int at = simbody_axis(joint.type, i);
      if (axis.stiffness != 0) {
        SimTK::Force::MobilityLinearSpring(forces_, mobilizer, SimTK::MobilizerQIndex(at),
                                           axis.stiffness, axis.rest);
      }
      if (axis.damping != 0) {
        SimTK::Force::MobilityLinearDamper(forces_, mobilizer, SimTK::MobilizerUIndex(at),
                                           axis.damping);
      }
      if (axis.force != 0) {
        SimTK::Force::MobilityConstantForce(forces_, mobilizer, SimTK::MobilizerUIndex(at),
                                            axis.force);
      }
    }
  }

  void add_spring(const SimbodyPair& spring) {
    const MobilizedBody &a = mobilizers_[spring.a], &b = mobilizers_[spring.b];
    const SimTK::Vec3 p = to_simbody(spring.p_AP_A), q = to_simbody(spring.p_BQ_B);
    const SimTK::Force::TwoPointLinearSpring elastic(forces_, a, p, b, q, spring.stiffness,
                                                     spring.length);
    const SimTK::Force::TwoPointLinearDamper viscous(forces_, a, p, b, q, spring.damping);
  }

  // What each joint takes away: points that stay together or in a plane of F, axes that stay
  // perpendicular.
  void add_closure(const SimbodyJoint& joint) {
    const Vector3 p_F = joint.X_PF.translation(), p_M = joint.X_BM.translation();
    const Matrix3 F = joint.X_PF.linear(), M = joint.X_BM.linear();
    MobilizedBody &parent = mobilizers_[joint.parent], &child = mobilizers_[joint.child];
    const auto meet = [&] { Constraint::Ball(parent, to_simbody(p_F), child, to_simbody(p_M)); };
    const auto stay_in_plane = [&](int axis) {
      const Vector3 normal = F.col(axis);
      Constraint::PointInPlane(parent, unit(normal), normal.dot(p_F), child, to_simbody(p_M));
    };
    const auto stay_perpendicular = [&](int axis_F, int axis_M) {
      Constraint::ConstantAngle(parent, unit(F.col(axis_F)), child, unit(M.col(axis_M)));
    };
    const auto keep_z = [&] {
      stay_perpendicular(2, 0);
      stay_perpendicular(2, 1);
    };
    switch (joint.type) {
      case Type::kFixed:
        Constraint::Weld(parent, to_simbody(joint.X_PF), child, to_simbody(joint.X_BM));
        break;
      case Type::kRevolute:
        meet();
        keep_z();
        break;
      case Type::kPrismatic: {
        stay_in_plane(0);
        stay_in_plane(1);
        const Constraint::ConstantOrientation turned_alike(parent, to_simbody(F), child,
                                                           to_simbody(M));
        break;
      }
      case Type::kCylindrical:
        stay_in_plane(0);
        stay_in_plane(1);
        keep_z();
        break;
      case Type::kUniversal:
        meet();
        stay_perpendicular(0, 1);
        break;
      case Type::kPlanar:
        stay_in_plane(2);
        keep_z();
        break;
      case Type::kSpherical:
        meet();
        break;
      case Type::kScrew:  // was split
      case Type::kFree:
        break;
    }
  }

  void add_coupler(const SimbodyCoupler& coupler) {
    const int n = static_cast<int>(coupler.terms.size());
    SimTK::Vector factors(n + 1);
    SimTK::Array_<SimTK::MobilizedBodyIndex> bodies;
    SimTK::Array_<SimTK::MobilizerQIndex> coordinates;
    for (int i = 0; i < n; ++i) {
      const SimbodyCoupler::Term& term = coupler.terms[i];
      const SimbodyJoint& node = parts_.tree[term.node];
      factors[i] = term.factor;
      bodies.push_back(mobilizers_[node.child].getMobilizedBodyIndex());
      coordinates.push_back(SimTK::MobilizerQIndex(simbody_axis(node.type, term.axis)));
    }
    factors[n] = -coupler.offset;
    Constraint::CoordinateCoupler(matter_, new SimTK::Function::Linear(factors), bodies,
                                  coordinates);
  }

  // Simbody's q and u. Speeds of Ball and Free are in the axes of F, camber's in those of M.
  Prepared to_simbody_state(const VectorX<double>& all_q, const VectorX<double>& all_v) {
    Prepared prepared{SimTK::Vector(state_.getNQ(), 0.0), SimTK::Vector(state_.getNU(), 0.0)};
    for (const SimbodyJoint& node : parts_.tree) {
      const Type type = node.type;
      const MobilizedBody& mobilizer = mobilizers_[node.child];
      const double* q = all_q.data() + node.q_start;
      const double* v = all_v.data() + node.v_start;
      if (type == Type::kFixed) continue;
      const int q_at = mobilizer.getFirstQIndex(state_), u_at = mobilizer.getFirstUIndex(state_);
      if (!has_quaternion(type)) {
        for (int i = 0; i < node.nv; ++i) {
          prepared.q[q_at + simbody_axis(type, i)] = q[i];
          prepared.u[u_at + simbody_axis(type, i)] = v[i];
        }
        continue;
      }
      const Quaternion R_FM = Quaternion(q[0], q[1], q[2], q[3]).normalized();
      const double turned[4] = {R_FM.w(), R_FM.x(), R_FM.y(), R_FM.z()};
      for (int i = 0; i < node.nq; ++i) prepared.q[q_at + i] = i < 4 ? turned[i] : q[i];
      for (int start = 0; start < node.nv; start += 3) {
        const Vector3 in_F = R_FM * Vector3(v[start], v[start + 1], v[start + 2]);
        for (int i = 0; i < 3; ++i) prepared.u[u_at + start + i] = in_F[i];
      }
    }
    return prepared;
  }

  void set(const Prepared& prepared) {
    state_.updQ() = prepared.q;  // invalidates all that follows from it
    state_.updU() = prepared.u;
  }

  void read_state(const SimbodyJoint& node, double* q, double* v) const {
    const Type type = node.type;
    if (type == Type::kFixed) return;
    const MobilizedBody& mobilizer = mobilizers_[node.child];
    const int q_at = mobilizer.getFirstQIndex(state_), u_at = mobilizer.getFirstUIndex(state_);
    const SimTK::Vector &simbody_q = state_.getQ(), &simbody_u = state_.getU();
    if (!has_quaternion(type)) {
      for (int i = 0; i < node.nv; ++i) {
        q[i] = simbody_q[q_at + simbody_axis(type, i)];
        v[i] = simbody_u[u_at + simbody_axis(type, i)];
      }
      return;
    }
    for (int i = 0; i < node.nq; ++i) q[i] = simbody_q[q_at + i];
    const Quaternion R_FM(q[0], q[1], q[2], q[3]);
    for (int start = 0; start < node.nv; start += 3)
      Eigen::Map<Vector3>(v + start) = R_FM.conjugate() * segment(simbody_u, u_at + start);
  }

  static Vector3 segment(const SimTK::Vector& values, int start) {
    return {values[start], values[start + 1], values[start + 2]};
  }

  void read_acceleration(const SimbodyJoint& node, double* vdot) const {
    const Type type = node.type;
    if (type == Type::kFixed) return;
    const MobilizedBody& mobilizer = mobilizers_[node.child];
    const int q_at = mobilizer.getFirstQIndex(state_), u_at = mobilizer.getFirstUIndex(state_);
    const SimTK::Vector &u = state_.getU(), &udot = state_.getUDot();
    if (!has_quaternion(type)) {
      for (int i = 0; i < node.nv; ++i) vdot[i] = udot[u_at + simbody_axis(type, i)];
      return;
    }
    const SimTK::Vector& q = state_.getQ();
    const Quaternion R_MF =
        Quaternion(q[q_at], q[q_at + 1], q[q_at + 2], q[q_at + 3]).normalized().conjugate();
    Eigen::Map<Vector3>(vdot + 0) = R_MF * segment(udot, u_at);
    if (type == Type::kSpherical) return;
    // v_M = R_MF v_F, so vdot_M = R_MF (vdot_F - w x v_F).
    const Vector3 turning = segment(u, u_at).cross(segment(u, u_at + 3));
    Eigen::Map<Vector3>(vdot + 3) = R_MF * (segment(udot, u_at + 3) - turning);
  }

  void set_wrenches() {
    system_.realize(state_, SimTK::Stage::Position);
    SimTK::Vector_<SimTK::SpatialVec> all(matter_.getNumBodies(),
                                          SimTK::SpatialVec(SimTK::Vec3(0), SimTK::Vec3(0)));
    for (const SimbodyWrench& wrench : parts_.wrenches) {
      const MobilizedBody& body = mobilizers_[wrench.body];
      SimTK::Vec3 force = to_simbody(wrench.force), torque = to_simbody(wrench.torque);
      if (!wrench.in_world) {
        force = body.expressVectorInGroundFrame(state_, force);
        torque = body.expressVectorInGroundFrame(state_, torque);
      }
      const SimTK::Vec3 arm = body.expressVectorInGroundFrame(state_, to_simbody(wrench.p_BQ_B));
      all[body.getMobilizedBodyIndex()] += SimTK::SpatialVec(torque + arm % force, force);
    }
    discrete_.setAllBodyForces(state_, all);
  }

  SimbodyParts parts_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::DiscreteForces discrete_;
  std::vector<MobilizedBody> mobilizers_;  // by body
  SimTK::State state_;
  std::vector<Prepared> prepared_;
};

SimbodySystem::SimbodySystem(const SimbodyParts& parts) : impl_(std::make_unique<Impl>(parts)) {}
SimbodySystem::~SimbodySystem() = default;

int SimbodySystem::add_state(const VectorX<double>& q, const VectorX<double>& v) {
  return impl_->add_state(q, v);
}
void SimbodySystem::forward(int state) { impl_->forward(state); }
VectorX<double> SimbodySystem::accelerations() const { return impl_->accelerations(); }
void SimbodySystem::project(VectorX<double>* q, VectorX<double>* v) { impl_->project(q, v); }
Isometry3 SimbodySystem::pose(int body) const { return impl_->pose(body); }
double SimbodySystem::constraint_error() const { return impl_->constraint_error(); }
int SimbodySystem::constraint_count() const { return impl_->constraint_count(); }

std::string SimbodySystem::version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace camber::bench
