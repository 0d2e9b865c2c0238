// docs/theory/generated.md, section 5: loads act on the right-hand sides of the equations alone, so
// they are added to what the kernels have left in memory.
#include "camber/drive/generated_chassis.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/generate/write_vehicle.h"
#include "generated/vehicles.h"

namespace camber::drive {

using generate::CompiledVehicle, generate::CompileOptions, generate::VehicleProgram,
    generate::WheelPlaces;
using math::Mat3;
using multibody::BodyIndex, multibody::Joint, multibody::JointType, multibody::Mechanism,
    multibody::to_mat3, multibody::to_vec3;

namespace {

std::vector<std::string> wheel_bodies(const vehicle::VehicleMechanism& vehicle) {
  std::vector<std::string> names;
  for (const vehicle::Corner& corner : vehicle.corners)
    names.push_back(vehicle.mechanism.bodies[corner.wheel.value].name);
  return names;
}

std::string steering_joint(const vehicle::VehicleMechanism& vehicle) {
  return vehicle.steering.valid() ? vehicle.mechanism.joints[vehicle.steering.value].name : "";
}

}  // namespace

GeneratedChassis::GeneratedChassis(const vehicle::VehicleMechanism& vehicle,
                                   const CompileOptions& options)
    : GeneratedChassis(vehicle.mechanism, wheel_bodies(vehicle), steering_joint(vehicle), options) {
  const auto& names = program_->v_names;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    const vehicle::Corner& corner = vehicle.corners[i];
    wheels_[i].name = corner.name;
    const std::string& travel = vehicle.mechanism.joints[corner.travel.value].name;
    wheels_[i].travel =
        static_cast<int>(std::find(names.begin(), names.end(), travel) - names.begin());
  }
}

GeneratedChassis::GeneratedChassis(const Mechanism& mechanism,
                                   const std::vector<std::string>& wheels,
                                   const std::string& steering, const CompileOptions& options)
    : program_(std::make_unique<VehicleProgram>(generate::generate(mechanism))) {
  find_base(mechanism);
  for (const std::string& body : wheels) add_wheel(mechanism, body);
  const auto& names = program_->v_names;
  const auto found = std::find(names.begin(), names.end(), steering);
  if (found != names.end()) steering_ = static_cast<int>(found - names.begin());
  require(steering.empty() || (steering_ >= 0 && program_->forces[steering_].place >= 0),
          "mechanism \"", mechanism.name, "\": \"", steering,
          "\" cannot steer: it is none of the independent coordinates");
  find_code(options);
  const multibody::MechanismDynamics ce(mechanism);
  for (const int k : program_->q_places) q0_.push_back(ce.initial_q()[k]);
  for (const int k : program_->v_places) v0_.push_back(ce.initial_v()[k]);
  q_ = q0_;
  v_ = v0_;
  work_.resize(static_cast<std::size_t>(program_->work_size));
  loaded_ = work_;
}

void GeneratedChassis::find_code(const CompileOptions& options) {
  if (generate::key_of(*program_) == generated_code::hmmwv_key()) {
    motion_ = generated_code::hmmwv_motion;
    solve_ = generated_code::hmmwv_solve;
    return;
  }
  compiled_ = std::make_unique<CompiledVehicle>(*program_, options);
  motion_ = compiled_->motion();
  solve_ = compiled_->solve();
}

void GeneratedChassis::find_base(const Mechanism& mechanism) {
  const auto base = std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                                 [](const Joint& joint) { return joint.type == JointType::kFree; });
  require(base != mechanism.joints.end() && program_->base_force >= 0, "mechanism \"",
          mechanism.name, "\": no body is free to move: there is nothing to drive");
  const Isometry3 X_MB = base->X_BM.inverse();
  R_WF_ = to_mat3(base->X_PF.linear());
  p_WF_ = to_vec3(base->X_PF.translation());
  R_MB_ = to_mat3(X_MB.linear());
  p_MB_ = to_vec3(X_MB.translation());
}

void GeneratedChassis::add_wheel(const Mechanism& mechanism, const std::string& body) {
  const BodyIndex index = mechanism.find_body(body);
  const auto joint =
      std::find_if(mechanism.joints.begin(), mechanism.joints.end(),
                   [&](const Joint& j) { return index.valid() && j.child == index; });
  require(joint != mechanism.joints.end(), "mechanism \"", mechanism.name, "\": no body \"", body,
          "\" on a joint, for a wheel");
  const auto places =
      std::find_if(program_->wheels.begin(), program_->wheels.end(),
                   [&](const WheelPlaces& wheel) { return wheel.name == joint->name; });
  require(places != program_->wheels.end(), "mechanism \"", mechanism.name, "\": body \"", body,
          "\" is no wheel that generated code can load: it has to be round about its joint, at the "
          "end of the tree, with no spring on it");
  wheels_.push_back({body, *places, {}, -1});
}

Vec3<double> GeneratedChassis::at(int place) const {
  return {work_[place], work_[place + 1], work_[place + 2]};
}

bool GeneratedChassis::calc_motion(double t, std::span<const double> q, std::span<const double> v) {
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(v.begin(), v.end(), v_.begin());
  if (motion_(program_->parameters.data(), q_.data(), v_.data(), work_.data()) != 0) {
    why_ = concat("t = ", t, " s: a loop of \"", program_->name, "\" cannot be closed");
    return false;
  }
  R_WM_ = R_WF_ * math::rotation_of_quaternion(q_[0], q_[1], q_[2], q_[3]);
  const Vec3<double> w(v_[0], v_[1], v_[2]), v_M(v_[3], v_[4], v_[5]);
  body_.R_WB = R_WM_ * R_MB_;
  body_.p_WB = p_WF_ + R_WF_ * Vec3<double>(q_[4], q_[5], q_[6]) + R_WM_ * p_MB_;
  body_.w_WB = R_WM_ * w;
  body_.v_WB = R_WM_ * (v_M + cross(w, p_MB_));
  for (Wheel& wheel : wheels_) move_wheel(&wheel);
  return true;
}

void GeneratedChassis::move_wheel(Wheel* wheel) const {
  const WheelPlaces& places = wheel->places;
  const Vec3<double> c = at(places.center), w(v_[0], v_[1], v_[2]);
  Vec3<double> velocity = Vec3<double>(v_[3], v_[4], v_[5]) + cross(w, c), turn_rate = w;
  for (const WheelPlaces::Column& column : places.columns) {
    const double rate = column.sign * v_[column.v];
    velocity += at(column.center_by) * rate;
    turn_rate += at(column.turn_by) * rate;
  }
  WheelMotion<double>& motion = wheel->motion;
  motion.center = p_WF_ + R_WF_ * Vec3<double>(q_[4], q_[5], q_[6]) + R_WM_ * c;
  motion.axis = R_WM_ * at(places.axis) * places.sign;
  motion.velocity = R_WM_ * velocity;
  motion.hub_turn_rate = R_WM_ * turn_rate;
  motion.spin = v_[places.v];
}

SteeringMotion GeneratedChassis::steering() const {
  if (steering_ < 0) return {};
  return {q_[steering_ + 1], v_[steering_]};  // q has one more for the quaternion
}

void GeneratedChassis::add_to_base(int place, const Vec3<double>& moment,
                                   const Vec3<double>& force) {
  for (int i = 0; i < 3; ++i) {
    loaded_[place + i] += moment[i];
    loaded_[place + 3 + i] += force[i];
  }
}

// docs/theory/generated.md (6), (7).
void GeneratedChassis::add_load(const Wheel& wheel, const WheelLoad<double>& load,
                                double reaction_share) {
  const WheelPlaces& places = wheel.places;
  const Vec3<double> F = transpose_times(R_WM_, load.force),
                     M = transpose_times(R_WM_, load.torque);
  const Vec3<double> u = at(places.axis), c = at(places.center);
  const double axle = places.sign * load.axle_torque, spin = dot(M, u) + axle;
  for (const WheelPlaces::Column& column : places.columns)
    loaded_[column.force] += dot(F, at(column.center_by)) + dot(M, at(column.turn_by)) +
                             (reaction_share * axle - spin) * work_[column.by];
  loaded_[places.bias] += spin / places.axial_inertia;
  add_to_base(places.base_force, cross(c, F) + M - u * spin, F);
}

bool GeneratedChassis::calc_accelerations(const ChassisLoads& loads, std::span<double> v_dot) {
  std::copy(work_.begin(), work_.end(), loaded_.begin());
  for (std::size_t i = 0; i < wheels_.size(); ++i)
    add_load(wheels_[i], loads.wheels[i], loads.reaction_share);
  if (steering_ >= 0) {
    const generate::ForcePlace& force = program_->forces[steering_];
    loaded_[force.place] += force.sign * loads.steering_torque;
  }
  const Vec3<double> force = transpose_times(R_WM_, loads.body_force),
                     torque = transpose_times(R_WM_, loads.body_torque);
  add_to_base(program_->base_force, torque + cross(p_MB_, force), force);
  if (solve_(program_->parameters.data(), q_.data(), v_.data(), loaded_.data(), v_dot.data()) !=
      0) {
    why_ = concat("the mass matrix of \"", program_->name, "\" is not positive definite");
    return false;
  }
  return true;
}

void GeneratedChassis::to_tree(std::span<const double> q, std::span<const double> v,
                               std::span<double> tree_q, std::span<double> tree_v) const {
  for (int i = 0; i < nq(); ++i) tree_q[program_->q_places[i]] = q[i];
  for (int i = 0; i < nv(); ++i) tree_v[program_->v_places[i]] = v[i];
}

void GeneratedChassis::set_pose(const Quaternion& rotation, const Vector3& p_WB,
                                std::span<double> q) const {
  const Matrix3 R_WF = multibody::to_eigen(R_WF_), R_MB = multibody::to_eigen(R_MB_);
  const Quaternion R_FM(R_WF.transpose() * rotation.toRotationMatrix() * R_MB.transpose());
  const Vector3 p =
      R_WF.transpose() * (p_WB - multibody::to_eigen(p_WF_)) - R_FM * multibody::to_eigen(p_MB_);
  const double values[] = {R_FM.w(), R_FM.x(), R_FM.y(), R_FM.z(), p.x(), p.y(), p.z()};
  std::copy(std::begin(values), std::end(values), q.begin());
}

bool GeneratedChassis::move(std::span<const double> displacement, std::span<double> q) const {
  const integrate::Coordinates coordinates(nq(), nv(), blocks());
  const std::vector<double> from(q.begin(), q.end());
  coordinates.advance(from, displacement, q);
  return true;
}

std::vector<integrate::CoordinateBlock> GeneratedChassis::blocks() const {
  using Kind = integrate::CoordinateBlock::Kind;
  return {{.kind = Kind::kPose, .q_start = 0, .v_start = 0},
          {.kind = Kind::kVector, .q_start = 7, .v_start = 6, .size = nv() - 6}};
}

std::vector<std::string> GeneratedChassis::names() const {
  std::vector<std::string> names;
  for (int i = 0; i < 7; ++i) names.push_back(concat(program_->v_names[0], ".", i));
  names.insert(names.end(), program_->v_names.begin() + 6, program_->v_names.end());
  for (const std::string& name : program_->v_names) names.push_back("speed of " + name);
  return names;
}

}  // namespace camber::drive
