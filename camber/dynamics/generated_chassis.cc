// docs/theory/generated.md, section 5: loads act on the right-hand sides of the equations alone, so
// they are added to what the kernels have left in memory.
#include "camber/dynamics/generated_chassis.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "camber/core/require.h"
#include "camber/mechanism_code/vehicle_survey.h"
#include "generated/vehicles.h"

namespace camber::dynamics {

using mechanism_code::CompiledVehicle, mechanism_code::CompileOptions,
    mechanism_code::VehicleLayout, mechanism_code::WheelPlaces, mechanism_code::Wrenches;
using multibody::Joint, multibody::JointType, multibody::Mechanism, multibody::to_eigen,
    multibody::to_mat3, multibody::to_vec3;

namespace {

const multibody::Mechanism& require_generated(const vehicle::VehicleMechanism& vehicle) {
  require(!vehicle.hitch.valid(), "vehicle \"", vehicle.mechanism.name,
          "\": code is not generated for a vehicle with a trailer; expected formulation = \"ce\"");
  return vehicle.mechanism;
}

VehicleCode code_of_library() {
  return {.plan = mechanism_code::ParameterPlan::from_image(generated_code::hmmwv_plan(),
                                                            generated_code::hmmwv_plan_constants()),
          .motion = generated_code::hmmwv_motion,
          .solve = generated_code::hmmwv_solve,
          .compiled = std::nullopt};
}

VehicleCode load_code(const Mechanism& mechanism, const std::string& structure,
                      const CompileOptions& options) {
  if (structure == generated_code::hmmwv_structure()) return code_of_library();
  std::optional<CompiledVehicle> compiled = CompiledVehicle::find(structure, options);
  if (!compiled) compiled.emplace(mechanism_code::generate(mechanism), options);
  VehicleCode code{
      .plan = compiled->plan(), .motion = compiled->motion(), .solve = compiled->solve()};
  code.compiled = std::move(compiled);
  code.structure = structure;
  code.options = options;
  return code;
}

/// Lanes of compiled code: loaded once in a process. Failures are kept, too: a compiler that is
/// missing need not be started for each of a study's drives.
struct KnownLanes {
  std::optional<mechanism_code::CompiledLanes> lanes;
  std::string problem;
};
const KnownLanes& find_compiled_lanes(const VehicleCode& code, int lanes,
                                      const Mechanism& mechanism) {
  static std::mutex mutex;
  static std::map<std::pair<const VehicleCode*, int>, KnownLanes> all;
  const std::scoped_lock lock(mutex);
  const auto [at, is_new] = all.try_emplace({&code, lanes});
  if (!is_new) return at->second;
  KnownLanes& known = at->second;
  try {
    known.lanes = mechanism_code::CompiledLanes::find(code.structure, lanes, code.options);
    if (!known.lanes) known.lanes.emplace(mechanism_code::generate(mechanism), lanes, code.options);
  } catch (const std::exception& error) {
    known.problem = error.what();
  }
  return known;
}

/// Code of a structure is loaded once in a process: a few of them, 100 kB each.
std::shared_ptr<const VehicleCode> find_code(const Mechanism& mechanism,
                                             const std::string& structure,
                                             const CompileOptions& options) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const VehicleCode>> loaded;
  const std::scoped_lock lock(mutex);
  auto& code = loaded[concat(structure, " ", options.compiler, " ", options.folder.string())];
  if (!code) code = std::make_shared<const VehicleCode>(load_code(mechanism, structure, options));
  return code;
}

}  // namespace

template <int N>
LaneCode<N> find_lane_code(const VehicleCode& code, const Mechanism& mechanism) {
  if (!code.compiled) return {generated_code::hmmwv_motion, generated_code::hmmwv_solve};
  const KnownLanes& known = find_compiled_lanes(code, N, mechanism);
  if (!known.lanes) throw mechanism_code::CompileError(known.problem);
  LaneCode<N> found;
  found.motion = reinterpret_cast<decltype(found.motion)>(known.lanes->motion());
  found.solve = reinterpret_cast<decltype(found.solve)>(known.lanes->solve());
  return found;
}
template LaneCode<4> find_lane_code(const VehicleCode&, const Mechanism&);
template LaneCode<8> find_lane_code(const VehicleCode&, const Mechanism&);

GeneratedChassis::GeneratedChassis(const vehicle::VehicleMechanism& vehicle,
                                   const CompileOptions& options)
    : GeneratedChassis(vehicle, multibody::MechanismDynamics(require_generated(vehicle)),
                       Wrenches::kTraced, options) {}

GeneratedChassis::GeneratedChassis(const vehicle::VehicleMechanism& vehicle,
                                   const MechanismChassis& embedded, const CompileOptions& options)
    : GeneratedChassis(vehicle, embedded.dynamics(), Wrenches::kIgnored, options) {}

GeneratedChassis::GeneratedChassis(const vehicle::VehicleMechanism& vehicle,
                                   const multibody::MechanismDynamics& ce, Wrenches wrenches,
                                   const CompileOptions& options)
    : steered_wheels_(vehicle.steered) {
  const Mechanism& mechanism = require_generated(vehicle);
  const mechanism_code::VehicleSurvey survey(ce, wrenches);
  code_ = find_code(mechanism, survey.structure(), options);
  program_ = std::make_shared<const VehicleLayout>(survey.lay_out(code_->plan));
  motion_ = code_->motion;
  solve_ = code_->solve;
  find_base(vehicle);
  for (const vehicle::Corner& corner : vehicle.corners) add_wheel(vehicle, corner);
  if (vehicle.steering.valid()) {
    const std::string& joint = vehicle.mechanism.joints[vehicle.steering.value].name;
    steering_ = find_speed(joint);
    const auto& given = program_->given_names;
    const auto found = std::ranges::find(given, joint);
    if (found != given.end()) given_steering_ = static_cast<int>(found - given.begin());
    require(steering_ >= 0 || given_steering_ >= 0, "vehicle \"", vehicle.mechanism.name, "\": \"",
            joint, "\" cannot steer: it is none of the independent coordinates");
  }
  find_start(ce);
  work_.resize(static_cast<std::size_t>(program_->work_size) + 1);  // at() reads four
  loaded_ = work_;
  coordinates_ = integrate::Coordinates(nq(), nv(), blocks());
}

void GeneratedChassis::find_base(const vehicle::VehicleMechanism& vehicle) {
  const auto& joints = vehicle.mechanism.joints;
  const auto base = std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) {
    return joint.child == vehicle.chassis && joint.type == JointType::kFree;
  });
  require(base != joints.end(), "vehicle \"", vehicle.mechanism.name,
          "\": its chassis is held: there is nothing to drive");
  const Isometry3 X_MB = base->X_BM.inverse();
  R_WF_ = to_mat3(base->X_PF.linear());
  p_WF_ = to_vec3(base->X_PF.translation());
  R_MB_ = to_mat3(X_MB.linear());
  p_MB_ = to_vec3(X_MB.translation());
}

void GeneratedChassis::add_wheel(const vehicle::VehicleMechanism& vehicle,
                                 const vehicle::Corner& corner) {
  const auto& joints = vehicle.mechanism.joints;
  const auto places = std::find_if(
      program_->wheels.begin(), program_->wheels.end(),
      [&](const WheelPlaces& wheel) { return wheel.name == joints[corner.spin.value].name; });
  require(places != program_->wheels.end(), "vehicle \"", vehicle.mechanism.name, "\": body \"",
          vehicle.mechanism.bodies[corner.wheel.value].name,
          "\" is not a wheel that generated code can load: something else holds it, too");
  wheels_.push_back({corner.name, {}, *places, {}, corner.dual_spacing});
  for (const std::string& name : corner.coordinates)
    wheels_.back().speeds.push_back(find_speed(name));
}

void GeneratedChassis::find_start(const multibody::MechanismDynamics& ce) {
  for (const int k : program_->q_places) q0_.push_back(ce.initial_q()[k]);
  for (const int k : program_->v_places) v0_.push_back(ce.initial_v()[k]);
  q_ = q0_;
  v_ = v0_;
  rest_.assign(v0_.size(), 0.0);
  other_v_ = v_;
  const auto given = static_cast<std::size_t>(program_->given);
  if (given == 0) return;
  q_.resize(q_.size() + given);
  v_.resize(v_.size() + 2 * given);
  given_.resize(3 * given);
  motions_.emplace(program_->motions);
  give(0);
  other_v_ = v_;
}

// Positions after the state in q, speeds and accelerations in v.
void GeneratedChassis::give(double t) {
  t_ = t;
  motions_->run(std::span(&t, 1), given_);
  const auto positions = given_.begin() + program_->given;
  std::copy(given_.begin(), positions, q_.begin() + nq());
  std::copy(positions, given_.end(), v_.begin() + nv());
}

int GeneratedChassis::find_speed(const std::string& joint) const {
  const auto& names = program_->v_names;
  const auto found = std::find(names.begin(), names.end(), joint);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

bool GeneratedChassis::calc_motion(double t, std::span<const double> q, std::span<const double> v) {
  // A step begins where the one before it was looked at.
  if (has_motion_ && std::equal(q.begin(), q.end(), q_.begin()) &&
      std::equal(v.begin(), v.end(), v_.begin()) && (!motions_ || t == t_))
    return true;
  has_motion_ = false;
  if (motions_ && t != t_) give(t);
  std::ranges::copy(q, q_.begin());
  std::ranges::copy(v, v_.begin());
  if (motion_(program_->parameters.data(), q_.data(), v_.data(), work_.data()) != 0) {
    why_ = concat("a loop of \"", program_->name, "\" cannot be closed; ", describe_travel());
    return false;
  }
  base_.R_WM = R_WF_ * math::rotation_of_quaternion(q_[0], q_[1], q_[2], q_[3]);
  const Vec3<double> w(v_[0], v_[1], v_[2]), v_M(v_[3], v_[4], v_[5]);
  body_.R_WB = base_.R_WM * R_MB_;
  base_.p_WM = p_WF_ + R_WF_ * Vec3<double>(q_[4], q_[5], q_[6]);
  body_.p_WB = base_.p_WM + base_.R_WM * p_MB_;
  body_.w_WB = base_.R_WM * w;
  body_.v_WB = base_.R_WM * (v_M + cross(w, p_MB_));
  for (Wheel& wheel : wheels_)
    wheel.motion = calc_wheel_motion(wheel.places, work_.data(), base_, w, v_M, v_.data());
  has_motion_ = true;
  return true;
}

// The corner that is farthest from its design position.
std::string GeneratedChassis::describe_travel() const {
  const Wheel* worst = nullptr;
  double most = -1;
  for (const Wheel& wheel : wheels_) {
    if (wheel.speeds.empty() || wheel.speeds.back() < 0) continue;
    // Its arm's turn is the last; a pose has one number more.
    const auto k = static_cast<std::size_t>(wheel.speeds.back()) + 1;
    const double off = std::abs(q_[k] - q0_[k]);
    if (worst != nullptr && !(off > most) && std::isfinite(off)) continue;
    worst = &wheel;
    most = off;
    if (!std::isfinite(off)) break;
  }
  if (worst == nullptr) return "it has no wheel";
  return concat(worst->name, " is farthest off, its arm by ", most,
                " rad from the design position");
}

void GeneratedChassis::move_wheels(std::span<const double> v,
                                   std::span<WheelMotion<double>> wheels) {
  const Vec3<double> w(v[0], v[1], v[2]), v_M(v[3], v[4], v[5]);
  std::ranges::copy(v, other_v_.begin());
  std::copy(v_.begin() + nv(), v_.end(), other_v_.begin() + nv());
  for (std::size_t i = 0; i < wheels_.size(); ++i)
    wheels[i] = calc_wheel_motion(wheels_[i].places, work_.data(), base_, w, v_M, other_v_.data());
}

SteeringMotion GeneratedChassis::steering() const {
  if (given_steering_ >= 0) return {q_[nq() + given_steering_], v_[nv() + given_steering_]};
  if (steering_ < 0) return {};
  return {q_[steering_ + 1], v_[steering_]};  // the quaternion has one entry more
}

bool GeneratedChassis::calc_accelerations(const ChassisLoads& loads, std::span<double> v_dot) {
  std::copy(work_.begin(), work_.end(), loaded_.begin());
  for (std::size_t i = 0; i < wheels_.size(); ++i)
    add_wheel_load(wheels_[i].places, wheels_[i].places.axial_inertia, loads.wheels[i],
                   loads.reaction_shares[i], base_.R_WM, work_.data(), loaded_.data());
  if (steering_ >= 0) {
    const mechanism_code::ForcePlace& force = program_->forces[steering_];
    loaded_[force.place] += force.sign * loads.steering_torque;
  }
  const Vec3<double> force = transpose_times(base_.R_WM, loads.body_force),
                     torque = transpose_times(base_.R_WM, loads.body_torque);
  add_to_base(program_->base_force, Vec3<double>(torque + cross(p_MB_, force)), force,
              loaded_.data());
  if (solve_(program_->parameters.data(), q_.data(), v_.data(), loaded_.data(), v_dot.data()) == 0)
    return true;
  why_ = concat("the mass matrix of \"", program_->name, "\" is not positive definite");
  return false;
}

bool GeneratedChassis::project(double /*t*/, std::span<double> q, std::span<double> /*v*/) const {
  coordinates_.normalize(q);
  return true;
}

void GeneratedChassis::to_tree(std::span<const double> q, std::span<const double> v,
                               std::span<double> tree_q, std::span<double> tree_v) const {
  for (int k = 0; k < nq(); ++k) tree_q[program_->q_places[k]] = q[k];
  for (int k = 0; k < nv(); ++k) tree_v[program_->v_places[k]] = v[k];
}

void GeneratedChassis::set_pose(const Quaternion& rotation, const Vector3& p_WB,
                                std::span<double> q) const {
  const Matrix3 R_WB = rotation.toRotationMatrix(), R_WF = to_eigen(R_WF_),
                R_FM = R_WF.transpose() * R_WB * to_eigen(R_MB_).transpose();
  const Quaternion R(R_FM);
  const Vector3 p = R_WF.transpose() * (p_WB - to_eigen(p_WF_)) - R_FM * to_eigen(p_MB_);
  const double values[] = {R.w(), R.x(), R.y(), R.z(), p.x(), p.y(), p.z()};
  std::copy(std::begin(values), std::end(values), q.begin());
}

bool GeneratedChassis::move(std::span<const double> displacement, std::span<double> q) {
  coordinates_.advance(q, displacement, q);
  return calc_motion(0, q, rest_);
}

std::vector<integrate::CoordinateBlock> GeneratedChassis::blocks() const {
  using integrate::CoordinateBlock;
  return {{.kind = CoordinateBlock::Kind::kPose, .q_start = 0, .v_start = 0},
          {.kind = CoordinateBlock::Kind::kVector, .q_start = 7, .v_start = 6, .size = nv() - 6}};
}

std::vector<SpeedKind> GeneratedChassis::speed_kinds() const {
  std::vector<SpeedKind> kinds(static_cast<std::size_t>(nv()), SpeedKind::kJoint);
  for (int k = 0; k < 6; ++k)
    kinds[body_speeds() + k] = k < 3 ? SpeedKind::kTurn : SpeedKind::kTravel;
  for (int i = 0; i < wheel_count(); ++i) kinds[spin_speed(i)] = SpeedKind::kSpin;
  return kinds;
}

std::vector<int> GeneratedChassis::independent_speeds() const {
  std::vector<int> speeds(static_cast<std::size_t>(nv()));
  std::iota(speeds.begin(), speeds.end(), 0);
  return speeds;
}

std::vector<std::string> GeneratedChassis::names() const {
  std::vector<std::string> names;
  for (const char* part : {"qw", "qx", "qy", "qz", "x", "y", "z"})
    names.push_back(concat("chassis.", part));
  names.insert(names.end(), program_->v_names.begin() + 6, program_->v_names.end());
  for (const std::string& name : program_->v_names) names.push_back("speed of " + name);
  return names;
}

}  // namespace camber::dynamics
