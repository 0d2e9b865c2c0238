// docs/manual/rig.md has the definitions. Every value is a dual number of the joint coordinates:
//   x' = dx/d(arm),   gain of x = x' / z',   z the height of the wheel's center              (1)
// Loads follow from virtual work, with the ground's force N in line with the wheel's center. At
// unit speed of the arm springs and weights have the power P, and
//   N z' + P = 0                                                                             (2)
// N is a dual number as well: its derivative is the wheel rate, the part from the change of the
// motion ratio included.
#include "camber/vehicle/rig_measuring.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "camber/core/require.h"
#include "camber/multibody/assembly.h"

namespace camber::vehicle::internal {

using multibody::BodyIndex, multibody::JointIndex;

namespace {

constexpr int kLeft = 0, kRight = 1, kSteer = 2;  // directions of derivatives
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
Vector3 value_of(const multibody::Vec3<T>& x) {
  return {x[0].value, x[1].value, x[2].value};
}

/// Steered by less than this a wheel goes straight ahead.
constexpr double kStraight = 1e-9;  // [rad]

}  // namespace

const multibody::SpringDamper& find_element(const multibody::Mechanism& mechanism,
                                            const std::string& name) {
  const auto found = std::find_if(mechanism.springs.begin(), mechanism.springs.end(),
                                  [&](const auto& spring) { return spring.name == name; });
  assert(found != mechanism.springs.end());
  return *found;
}

RigMeasuring::RigMeasuring(const Vehicle& vehicle, const VehicleMechanism& parts,
                           const multibody::MechanismDynamics& dynamics,
                           const std::vector<double>& loaded_radius)
    : vehicle_(vehicle),
      parts_(parts),
      dynamics_(dynamics),
      loaded_radius_(loaded_radius),
      model_(multibody::cast_model<Dual>(dynamics.model())),
      work_(model_, dynamics.partition()),
      v_(VectorX<Dual>::Constant(dynamics.nv(), Dual(0))),
      v_rest_(v_),
      supports_(parts.corners.size()) {}

RigMeasuring::Vec3 RigMeasuring::place(BodyIndex body, const Vector3& p) const {
  return place_point(model_, work_.pos, body, p);
}

RigMeasuring::Dual RigMeasuring::length_of(const std::string& element) const {
  const multibody::SpringDamper& spring = find_element(parts_.mechanism, element);
  const Vec3 PQ = place(spring.b, spring.p_BQ_B) - place(spring.a, spring.p_AP_A);
  return sqrt(dot(PQ, PQ));
}

/// All links' velocities for a unit speed of one joint.
void RigMeasuring::spin_up(JointIndex joint) {
  v_ = v_rest_;
  v_[dynamics_.tree().joints[joint.value].v_start] = Dual(1);
  gather_speeds(dynamics_.partition(), v_, &work_.y);
  expand_speeds(model_, dynamics_.partition(), work_.y, &work_.loops, &v_);
  calc_velocity_kinematics(model_, work_.pos, v_, static_cast<const VectorX<Dual>*>(nullptr),
                           &work_.vel);
}

/// Power of the springs' forces, or of the weights, at the current velocities: P of (2).
RigMeasuring::Dual RigMeasuring::power(bool of_weights) const {
  Dual sum(0);
  for (std::size_t link = 1; link < model_.links.size(); ++link) {
    const auto& V = work_.vel.V[link];
    sum += of_weights ? dot((work_.pos.M[link] * V).bottom(), model_.gravity)
                      : dot(work_.forces.F[link], V);
  }
  if (!of_weights) {
    for (int k = 0; k < model_.nv; ++k) sum += work_.forces.tau[k] * v_[k];
  }
  return sum;
}

RigState RigMeasuring::measure(const VectorX<double>& q) {
  q_ = q.cast<Dual>();
  const auto seed = [&](JointIndex joint, int direction) {
    q_[dynamics_.tree().joints[joint.value].q_start].set_partial(direction, 1);
  };
  for (const Corner& corner : parts_.corners) seed(corner.travel, corner.is_left ? kLeft : kRight);
  if (parts_.steering.valid()) seed(parts_.steering, kSteer);
  const auto closure = close_loops(model_, dynamics_.partition(), &work_.closure, &q_, &work_.pos);
  require(closure.closed, "Rig: the loops are open by ", closure.error);
  calc_loop_matrices(model_, dynamics_.partition(), work_.pos, &work_.loops);
  calc_velocity_kinematics(model_, work_.pos, v_rest_, static_cast<const VectorX<Dual>*>(nullptr),
                           &work_.vel);
  calc_forces(model_, work_.pos, work_.vel, q_, v_rest_, &work_.forces);

  RigState state;
  if (parts_.steering.valid())
    state.steering = q[dynamics_.tree().joints[parts_.steering.value].q_start];
  state.wheels.resize(parts_.corners.size());
  for (std::size_t i = 0; i < parts_.corners.size(); ++i)
    measure_wheel(static_cast<int>(i), &state);
  state.axles.resize(vehicle_.axles.size());
  for (std::size_t i = 0; i < vehicle_.axles.size(); ++i) measure_axle(static_cast<int>(i), &state);
  state.turn = measure_turn(state);

  multibody::PositionKinematics<double> pos(dynamics_.model());
  multibody::VelocityKinematics<double> vel(dynamics_.model());
  calc_position_kinematics(dynamics_.model(), q, &pos);
  const VectorX<double> rest = VectorX<double>::Zero(dynamics_.nv());
  state.closure_error = calc_constraint_errors(dynamics_.model(), pos, vel, q, rest).position;
  return state;
}

void RigMeasuring::measure_wheel(int index, RigState* state) {
  const Corner& corner = parts_.corners[index];
  WheelState& wheel = state->wheels[index];
  const int up = corner.is_left ? kLeft : kRight;
  spin_up(corner.travel);
  const Vec3 center = place(corner.carrier, corner.points.wheel);
  const Vec3 axis = calc_body_pose(model_, work_.pos, corner.carrier).R_WB *
                    Vec3(corner.wheel_axis[0], corner.wheel_axis[1], corner.wheel_axis[2]);
  const double lift = center[2].partial(up);
  const auto gain = [&](const Dual& x) { return x.partial(up) / lift; };  // (1)

  wheel.arm = q_[dynamics_.tree().joints[corner.travel.value].q_start].value;
  wheel.travel = center[2].value - corner.points.wheel[2];
  wheel.center = value_of(center);
  wheel.axis = value_of(axis);
  const Dual outward = corner.is_left ? Dual(1) : Dual(-1);
  const Dual camber = asin(-outward * axis[2]), steer = atan2(-axis[0], axis[1]),
             toe = -outward * steer;
  wheel.camber = camber.value;
  wheel.steer = steer.value;
  wheel.toe = toe.value;
  wheel.camber_gain = gain(camber);
  wheel.toe_gain = gain(toe);
  wheel.camber_by_steer = camber.partial(kSteer);
  wheel.steer_by_steer = steer.partial(kSteer);

  // Down from the center in the wheel's plane.
  const Vec3 up_in_plane = Vec3(0, 0, 1) - axis * axis[2];
  const Vec3 contact = center - up_in_plane * Dual(loaded_radius_[corner.axle] /
                                                   sqrt(dot(up_in_plane, up_in_plane)));
  wheel.contact = value_of(contact);
  const auto& V = work_.vel.V[model_.bodies[corner.carrier.value].link];
  const Vec3 velocity = velocity_at(V, center - work_.pos.p_WO);
  wheel.center_slope = value_of(velocity) / lift;
  wheel.contact_slope = value_of(velocity_at(V, contact - work_.pos.p_WO)) / lift;

  const Dual spring = length_of(corner.name + "_spring"), shock = length_of(corner.name + "_shock");
  wheel.spring_length = spring.value;
  wheel.shock_length = shock.value;
  wheel.spring_ratio = -gain(spring);
  wheel.shock_ratio = -gain(shock);
  measure_kingpin(corner, contact, axis, lift, &wheel);
  supports_[index].lift = lift;
  measure_loads(velocity[2], &wheel, &supports_[index]);
}

void RigMeasuring::measure_kingpin(const Corner& corner, const Vec3& contact, const Vec3& axis,
                                   double lift, WheelState* wheel) const {
  const SuspensionType type = vehicle_.axles[corner.axle].type;
  if (type == SuspensionType::kTrailingArm) return;
  const Vec3 lower = place(corner.carrier, corner.points.lower_ball);
  const Vec3 upper = type == SuspensionType::kMcPherson
                         ? place(parts_.chassis, corner.points.strut_top)
                         : place(corner.carrier, corner.points.upper_ball);
  const Vec3 k = upper - lower;
  const Dual outward = corner.is_left ? Dual(1) : Dual(-1);
  const Dual caster = atan2(-k[0], k[2]);
  const Vec3 ground = lower + k * ((contact[2] - lower[2]) / k[2]);  // where the axis meets it
  const Dual size = hypot(axis[0], axis[1]);
  const Vec3 left(axis[0] / size, axis[1] / size, 0), ahead(left[1], -left[0], 0);
  wheel->kingpin = Kingpin{
      .caster = caster.value,
      .inclination = atan2(-outward * k[1], k[2]).value,
      .scrub_radius = (outward * dot(contact - ground, left)).value,
      .trail = dot(ground - contact, ahead).value,
  };
  wheel->caster_gain = caster.partial(corner.is_left ? kLeft : kRight) / lift;
}

void RigMeasuring::measure_loads(const Dual& rising, WheelState* wheel, Support* support) const {
  support->spring_load = -power(false) / rising;  // (2)
  wheel->spring_load = support->spring_load.value;
  wheel->load = wheel->spring_load - (power(true) / rising).value;
}

void RigMeasuring::measure_axle(int axle, RigState* state) const {
  int left = -1, right = -1;
  for (std::size_t i = 0; i < parts_.corners.size(); ++i) {
    if (parts_.corners[i].axle == axle)
      (parts_.corners[i].is_left ? left : right) = static_cast<int>(i);
  }
  const auto rate = [&](int own, int by) {
    if (own < 0 || by < 0) return 0.0;
    return supports_[own].spring_load.partial(by == left ? kLeft : kRight) / supports_[by].lift;
  };
  const double g = vehicle_.gravity.norm();
  for (const auto& [own, other] : {std::pair{left, right}, std::pair{right, left}}) {
    if (own < 0) continue;
    WheelState& wheel = state->wheels[own];
    wheel.rate = rate(own, own) + rate(own, other);
    wheel.roll_rate = rate(own, own) - rate(own, other);
    const double square = g * wheel.rate / wheel.spring_load;
    wheel.ride_frequency =
        wheel.spring_load > 0 && square > 0 ? std::sqrt(square) / (2 * std::numbers::pi) : kNaN;
  }
  AxleState& result = state->axles[axle];
  if (left < 0 || right < 0) {
    result = {kNaN, kNaN, kNaN, kNaN};
    return;
  }
  const WheelState &l = state->wheels[left], &r = state->wheels[right];
  result.track = l.contact[1] - r.contact[1];
  result.roll = std::atan2(l.contact[2] - r.contact[2], result.track);
  // Each contact moves across the line to its wheel's instant center in the front view; where the
  // two lines pass the middle, on the mean.
  const auto slope = [](const WheelState& w) { return w.contact_slope[1] / w.contact_slope[2]; };
  result.roll_center_height = 0.25 * result.track * (slope(l) - slope(r));
  result.roll_stiffness = 0.25 * result.track * result.track * (l.roll_rate + r.roll_rate);
}

// From the angles by which the wheels are steered beyond their toe: with it they would never all
// roll straight ahead.
std::optional<Turn> RigMeasuring::measure_turn(const RigState& state) const {
  if (!vehicle_.steering) return std::nullopt;
  double steered_x = 0, rear_x = 0, track = 0, cotangents = 0, difference = 0;
  int steered = 0, rear = 0;
  for (std::size_t i = 0; i < parts_.corners.size(); ++i) {
    const Corner& corner = parts_.corners[i];
    if (vehicle_.axles[corner.axle].name != vehicle_.steering->axle) {
      ++rear;
      rear_x += corner.points.wheel[0];
      continue;
    }
    const double straight = std::atan2(-corner.wheel_axis[0], corner.wheel_axis[1]);
    const double angle = state.wheels[i].steer - straight, side = corner.is_left ? 1 : -1;
    const double cotangent = std::abs(angle) > kStraight ? 1 / std::tan(angle) : kInfinity;
    ++steered;
    steered_x += corner.points.wheel[0];
    track += side * corner.points.wheel[1];
    cotangents += cotangent;
    difference -= side * cotangent;
  }
  if (rear == 0) return std::nullopt;
  const double wheelbase = steered_x / steered - rear_x / rear;
  if (steered < 2) track = 0;
  Turn turn;
  turn.rear_radius = wheelbase * cotangents / steered;
  turn.outer_radius = std::hypot(std::abs(turn.rear_radius) + 0.5 * track, wheelbase);
  turn.ackermann = steered == 2 ? difference * wheelbase / track : kNaN;
  return turn;
}

}  // namespace camber::vehicle::internal
