#include "camber/dynamics/mechanism_chassis.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/multibody/forces.h"
#include "camber/multibody/mass_matrix.h"

namespace camber::dynamics {

using multibody::BodyIndex, multibody::Formulation, multibody::Joint, multibody::JointType,
    multibody::LinkKind, multibody::Mechanism, multibody::to_eigen, multibody::to_vec3,
    multibody::Wrench;

namespace {

// Wrenches after those that the vehicle has itself: per wheel one on the wheel and one on its
// hub, then the chassis', then the steering's.
enum { kWheel = 0, kHub = 1, kPerCorner = 2 };

void copy(std::span<const double> from, VectorX<double>* to) {
  std::copy(from.begin(), from.end(), to->data());
}
void copy(const VectorX<double>& from, std::span<double> to) {
  std::copy(from.data(), from.data() + from.size(), to.begin());
}
std::span<const double> view(const VectorX<double>& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

multibody::Model<double> without_wrenches(multibody::Model<double> model) {
  model.wrenches.clear();
  return model;
}

}  // namespace

Mechanism MechanismChassis::with_wrenches(const vehicle::VehicleMechanism& vehicle) {
  Mechanism mechanism = vehicle.mechanism;
  const auto add = [&](const std::string& name, BodyIndex body, const Vector3& point) {
    Wrench wrench;
    wrench.name = name;
    wrench.body = body;
    wrench.p_BQ_B = point;
    mechanism.wrenches.push_back(wrench);
  };
  require(mechanism.wrenches.empty(), "MechanismChassis: \"", mechanism.name,
          "\" has loads of its own, which a drive would not see");
  for (const vehicle::Corner& corner : vehicle.corners) {
    add(corner.name + "_ground", corner.wheel, corner.points.wheel);
    add(corner.name + "_axle", corner.carrier, corner.points.wheel);
  }
  add("chassis_load", vehicle.chassis, Vector3::Zero());
  if (vehicle.steering.valid()) {
    const Joint& joint = mechanism.joints[vehicle.steering.value];
    add("steering_load", joint.child, joint.X_BM.translation());
  }
  return mechanism;
}

MechanismChassis::MechanismChassis(const vehicle::VehicleMechanism& vehicle,
                                   Formulation formulation)
    : vehicle_(vehicle),
      dynamics_(with_wrenches(vehicle), formulation),
      pos_(dynamics_.model()),
      vel_(dynamics_.model()),
      other_v_(VectorX<double>::Zero(dynamics_.nv())),
      other_vel_(dynamics_.model()),
      partition_(dynamics_.partition()),
      v_dot_(VectorX<double>::Zero(dynamics_.nv())),
      accelerated_(dynamics_.model()),
      unloaded_(without_wrenches(dynamics_.model())),
      still_(unloaded_),
      forces_(unloaded_),
      still_forces_(unloaded_),
      no_speeds_(VectorX<double>::Zero(dynamics_.nv())) {
  require(formulation != Formulation::kUk, "a drive's formulation is generated, ce, ta or fa, not ",
          to_text(formulation));
  if (vehicle.steering.valid()) {
    const Joint& joint = vehicle.mechanism.joints[vehicle.steering.value];
    steered_ = joint.child;
    steering_axis_ = joint.X_PF.linear().col(2);
    steering_point_ = joint.X_PF.translation();
    steers_by_turning_ = joint.type == JointType::kRevolute;
    require(joint.axes.empty() || !joint.axes[0].motion, "a drive steers: the motion of joint \"",
            joint.name, "\" must not be given");
  }
  q_ = dynamics_.initial_q();
  v_ = dynamics_.initial_v();
  step_ = VectorX<double>::Zero(nv());
}

std::span<const double> MechanismChassis::initial_q() const { return view(dynamics_.initial_q()); }
std::span<const double> MechanismChassis::initial_v() const { return view(dynamics_.initial_v()); }

bool MechanismChassis::calc_motion(double t, std::span<const double> q, std::span<const double> v) {
  t_ = t;
  copy(q, &q_);
  copy(v, &v_);
  const auto places = std::span(q_.data(), q.size()), speeds = std::span(v_.data(), v.size());
  if (dynamics_.formulation() == Formulation::kCe && !dynamics_.project(t, places, speeds))
    return false;
  calc_kinematics();
  return true;
}

bool MechanismChassis::complete_motion(double t, std::span<double> q, std::span<double> v,
                                       bool keeps_positions) {
  require_joints("complete_motion");
  const multibody::Model<double>& model = dynamics_.model();
  if (!embedded_) embedded_.emplace(model, partition_);
  t_ = t;
  copy(q, &q_);
  copy(v, &v_);
  if (!close_loops(model, partition_, &embedded_->closure, &q_, &embedded_->pos).closed)
    return false;
  calc_loop_matrices(model, partition_, embedded_->pos, &embedded_->loops);
  gather_speeds(partition_, v_, &embedded_->y);
  expand_speeds(model, partition_, embedded_->y, &embedded_->loops, &v_);
  if (!v_.allFinite()) return false;
  copy(q_, q);
  copy(v_, v);
  if (!keeps_positions) {
    calc_kinematics();
    return true;
  }
  std::swap(pos_, embedded_->pos);
  calc_velocity_kinematics(dynamics_.model(), pos_, v_,
                           static_cast<const VectorX<double>*>(nullptr), &vel_);
  return true;
}

void MechanismChassis::calc_kinematics() {
  calc_position_kinematics(dynamics_.model(), q_, &pos_);
  calc_velocity_kinematics(dynamics_.model(), pos_, v_,
                           static_cast<const VectorX<double>*>(nullptr), &vel_);
}

multibody::BodyPose<double> MechanismChassis::pose(BodyIndex body) const {
  return calc_body_pose(dynamics_.model(), pos_, body);
}

const multibody::Spatial<double>& MechanismChassis::velocity(BodyIndex body) const {
  return vel_.V[dynamics_.model().bodies[body.value].link];
}

Vec3<double> MechanismChassis::velocity_at(BodyIndex body, const Vec3<double>& p_W) const {
  return math::velocity_at(velocity(body), p_W - pos_.p_WO);
}

void MechanismChassis::move_wheels(std::span<const double> v,
                                   std::span<WheelMotion<double>> wheels) {
  copy(v, &other_v_);
  calc_velocity_kinematics(dynamics_.model(), pos_, other_v_,
                           static_cast<const VectorX<double>*>(nullptr), &other_vel_);
  for (int i = 0; i < wheel_count(); ++i) wheels[i] = move_wheel(i, other_vel_);
}

WheelMotion<double> MechanismChassis::move_wheel(
    int i, const multibody::VelocityKinematics<double>& vel) const {
  const auto velocity = [&](BodyIndex body) -> const multibody::Spatial<double>& {
    return vel.V[dynamics_.model().bodies[body.value].link];
  };
  const vehicle::Corner& corner = vehicle_.corners[i];
  const multibody::BodyPose<double> hub = pose(corner.carrier);
  WheelMotion<double> motion;
  motion.center = hub.p_WB + hub.R_WB * to_vec3(corner.points.wheel);
  motion.axis = hub.R_WB * to_vec3(corner.wheel_axis);
  motion.velocity = math::velocity_at(velocity(corner.carrier), motion.center - pos_.p_WO);
  motion.hub_turn_rate = velocity(corner.carrier).top();
  motion.spin = dot(motion.axis, velocity(corner.wheel).top() - motion.hub_turn_rate);
  return motion;
}

BodyMotion MechanismChassis::body() const { return motion(vehicle_.chassis); }

BodyMotion MechanismChassis::motion(BodyIndex body) const {
  const multibody::BodyPose<double> frame = pose(body);
  return {frame.R_WB, frame.p_WB, velocity(body).top(), velocity_at(body, frame.p_WB)};
}

BodyMotion MechanismChassis::base(int wheel) const { return motion(vehicle_.corners[wheel].base); }

SteeringMotion MechanismChassis::steering() const {
  if (!steered_.valid()) return {};
  const multibody::BodyPose<double> base = pose(vehicle_.chassis), part = pose(steered_);
  const Vec3<double> axis = to_vec3(steering_axis_), axis_W = base.R_WB * axis;
  if (steers_by_turning_) {
    // Both frames stand at the vehicle's in the design position.
    const multibody::Mat3<double> R = transpose(base.R_WB) * part.R_WB;
    const Vec3<double> s(0.5 * (R(2, 1) - R(1, 2)), 0.5 * (R(0, 2) - R(2, 0)),
                         0.5 * (R(1, 0) - R(0, 1)));
    return {std::atan2(dot(axis, s), 0.5 * (R(0, 0) + R(1, 1) + R(2, 2) - 1)),
            dot(axis_W, velocity(steered_).top() - velocity(vehicle_.chassis).top())};
  }
  return {dot(axis_W, part.p_WB - base.p_WB),
          dot(axis_W, velocity_at(steered_, part.p_WB) - velocity_at(vehicle_.chassis, part.p_WB))};
}

bool MechanismChassis::calc_accelerations(const ChassisLoads& loads, std::span<double> v_dot) {
  Vec3<double> body_force = loads.body_force, body_torque = loads.body_torque;
  for (int i = 0; i < wheel_count(); ++i) {
    const WheelLoad<double>& load = loads.wheels[i];
    const Vec3<double> axle = pose(vehicle_.corners[i].carrier).R_WB *
                              to_vec3(vehicle_.corners[i].wheel_axis) * load.axle_torque;
    dynamics_.set_wrench(kPerCorner * i + kWheel, to_eigen(load.force),
                         to_eigen(load.torque + axle));
    dynamics_.set_wrench(kPerCorner * i + kHub, Vector3::Zero(),
                         to_eigen(axle * (loads.reaction_shares[i] - 1)));
    body_torque -= axle * loads.reaction_shares[i];
  }
  const int chassis = kPerCorner * wheel_count();
  if (steered_.valid()) {
    const multibody::BodyPose<double> base = pose(vehicle_.chassis);
    const Vec3<double> load = base.R_WB * to_vec3(steering_axis_) * loads.steering_torque;
    if (steers_by_turning_) {
      dynamics_.set_wrench(chassis + 1, Vector3::Zero(), to_eigen(load));
      body_torque -= load;
    } else {
      dynamics_.set_wrench(chassis + 1, to_eigen(load));
      const Vec3<double> arm =
          pose(steered_).p_WB - base.p_WB + base.R_WB * to_vec3(steering_point_);
      body_force -= load;
      body_torque -= cross(arm, load);
    }
  }
  dynamics_.set_wrench(chassis, to_eigen(body_force), to_eigen(body_torque));
  return dynamics_.calc_accelerations(t_, view(q_), view(v_), v_dot);
}

bool MechanismChassis::calc_inner_forces(const ChassisLoads& loads) {
  require_joints("calc_inner_forces");
  if (!calc_accelerations(loads, std::span(v_dot_.data(), static_cast<std::size_t>(nv()))))
    return false;
  calc_velocity_kinematics(dynamics_.model(), pos_, v_, &v_dot_, &accelerated_);
  reactions_ = calc_reactions(dynamics_.tree(), dynamics_.partition(), q_, v_, v_dot_);
  return true;
}

// VelocityKinematics::A is without free fall: what an accelerometer would feel at rest is not an
// acceleration.
Vec3<double> MechanismChassis::find_acceleration(BodyIndex body, const Vec3<double>& p_B) const {
  const multibody::BodyPose<double> frame = pose(body);
  const Vec3<double> p_W = frame.p_WB + frame.R_WB * p_B, r = p_W - pos_.p_WO;
  const int link = dynamics_.model().bodies[body.value].link;
  const multibody::Spatial<double>&A = accelerated_.A[link], &V = accelerated_.V[link];
  return A.bottom() + cross(A.top(), r) + cross(V.top(), math::velocity_at(V, r)) +
         dynamics_.model().gravity;
}

double MechanismChassis::find_coordinate(std::size_t joint) const {
  return q_[dynamics_.tree().joints[joint].q_start];
}

MechanismChassis::Energy MechanismChassis::calc_energy() {
  require_joints("calc_energy");
  const multibody::Model<double>& model = dynamics_.model();
  // What the forces do at these speeds, and would do if they did not depend on them.
  calc_forces(unloaded_, pos_, vel_, q_, v_, &forces_);
  calc_forces(unloaded_, pos_, still_, q_, no_speeds_, &still_forces_);
  Energy energy{calc_kinetic_energy(model, pos_, vel_), calc_gravity_energy(model, pos_),
                calc_elastic_energy(model, pos_, q_), (still_forces_.tau - forces_.tau).dot(v_)};
  for (std::size_t l = 0; l < model.links.size(); ++l)
    energy.damping_power += dot(still_forces_.F[l] - forces_.F[l], vel_.V[l]);
  return energy;
}

void MechanismChassis::require_joints(const char* caller) const {
  require(has_joint_coordinates(), "MechanismChassis::", caller,
          ": needs joint coordinates, which fa has not; see make_embedded()");
}

const multibody::Link<double>& MechanismChassis::free_link(
    const multibody::Model<double>& model) const {
  return model.links[model.bodies[vehicle_.chassis.value].link];
}

void MechanismChassis::set_pose(const Quaternion& rotation, const Vector3& p_WB,
                                std::span<double> q) const {
  require_joints("set_pose");
  const multibody::Link<double>& link = free_link(dynamics_.model());
  const Vector3 p = to_eigen(link.R_PF).transpose() * (p_WB - to_eigen(link.p_PF));
  const Quaternion R = Quaternion(to_eigen(link.R_PF)).conjugate() * rotation;
  const double values[] = {R.w(), R.x(), R.y(), R.z(), p.x(), p.y(), p.z()};
  std::copy(std::begin(values), std::end(values), q.begin() + link.q_start);
}

bool MechanismChassis::move(std::span<const double> displacement, std::span<double> q) {
  require_joints("move");
  copy(q, &q_);
  copy(displacement, &step_);
  move_positions(dynamics_.model(), step_, &q_);
  v_.setZero();
  copy(q_, q);
  return dynamics_.close(t_, q);
}

std::vector<integrate::CoordinateBlock> MechanismChassis::blocks() const {
  using Kind = integrate::CoordinateBlock::Kind;
  std::vector<integrate::CoordinateBlock> blocks;
  for (const multibody::Link<double>& link : dynamics_.model().links) {
    if (link.nv == 0) continue;  // the world
    const Kind kind = link.kind == LinkKind::kFree        ? Kind::kPose
                      : link.kind == LinkKind::kSpherical ? Kind::kQuaternion
                                                          : Kind::kVector;
    blocks.push_back({.kind = kind, .q_start = link.q_start, .v_start = link.v_start});
  }
  return blocks;
}

std::vector<std::string> MechanismChassis::names() const {
  std::vector<std::string> names = dynamics_.coordinates().q_names;
  for (const std::string& name : dynamics_.coordinates().v_names)
    names.push_back("speed of " + name);
  return names;
}

std::vector<SpeedKind> MechanismChassis::speed_kinds() const {
  const multibody::Model<double>& model = dynamics_.model();
  std::vector<SpeedKind> kinds(static_cast<std::size_t>(nv()), SpeedKind::kJoint);
  for (const multibody::Link<double>& link : model.links) {
    if (link.kind != LinkKind::kFree || link.nv == 0) continue;
    std::fill_n(&kinds[link.v_start + 3], 3, SpeedKind::kTravel);
  }
  std::fill_n(&kinds[body_speeds()], 3, SpeedKind::kTurn);
  for (int i = 0; i < wheel_count(); ++i) {
    if (has_joint_coordinates()) {
      kinds[spin_speed(i)] = SpeedKind::kSpin;
    } else {  // about whichever of its axes
      const int wheel = model.bodies[vehicle_.corners[i].wheel.value].link;
      std::fill_n(&kinds[model.links[wheel].v_start], 3, SpeedKind::kSpin);
    }
  }
  return kinds;
}

std::vector<int> MechanismChassis::corner_speeds(int wheel) const {
  require_joints("corner_speeds");
  const std::vector<std::string>& names = dynamics_.tree().v_names;
  std::vector<int> speeds;
  for (const std::string& name : vehicle_.corners[wheel].coordinates)
    speeds.push_back(static_cast<int>(std::ranges::find(names, name) - names.begin()));
  return speeds;
}

int MechanismChassis::spin_speed(int wheel) const {
  require_joints("spin_speed");
  return dynamics_.tree().joints[vehicle_.corners[wheel].spin.value].v_start;
}

// The speeds of a ball joint are about the trailer's axes: x, y, z.
std::vector<int> MechanismChassis::hitch_speeds() const {
  require_joints("hitch_speeds");
  if (!vehicle_.hitch.valid()) return {};
  const int first = dynamics_.tree().joints[vehicle_.hitch.value].v_start;
  return {first, first + 1};
}

std::vector<int> MechanismChassis::independent_speeds() const {
  require_joints("independent_speeds");
  std::vector<int> speeds(partition_.v_of_y.begin(), partition_.v_of_y.end());
  std::ranges::sort(speeds);
  return speeds;
}

int MechanismChassis::steering_speed() const {
  require_joints("steering_speed");
  return vehicle_.steering.valid() ? dynamics_.tree().joints[vehicle_.steering.value].v_start : -1;
}

}  // namespace camber::dynamics
