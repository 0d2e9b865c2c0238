// docs/theory/linear.md, section 6. The chassis has attitude angles as coordinates, so that the
// heading can be left out: with roll phi, pitch theta and angular velocity (p, q, r) in its axes
//   phi' = p + tan(theta) (q sin(phi) + r cos(phi)),   theta' = q cos(phi) - r sin(phi)        (1)
// A ball joint's displacement is a rotation vector d, with the angular velocity w in its own axes:
//   d' = w + d x w / 2 + c d x (d x w),  c = 1/|d|^2 - (1 + cos|d|) / (2 |d| sin|d|)          (2)

#include "camber/dynamics/full_equations.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/dynamics/steering_map.h"
#include "camber/dynamics/traction_curve.h"

namespace camber::dynamics {
namespace {

constexpr int kBaseStates = 3;  // height, roll, pitch
constexpr double kSearchThrottle = 0.35;

/// (2)
Vec3<double> calc_rotation_vector_rate(const Vec3<double>& d, const Vec3<double>& w) {
  const double angle = std::sqrt(dot(d, d));
  const double c =
      angle < 1e-4 ? 1.0 / 12
                   : 1 / (angle * angle) - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
  const Vec3<double> dw = cross(d, w);
  return w + dw * 0.5 + cross(d, dw) * c;
}

/// A joint's name, of "speed of JOINT".
std::string joint_name(const std::string& speed) {
  const std::string prefix = "speed of ";
  return speed.starts_with(prefix) ? speed.substr(prefix.size()) : speed;
}

bool is_ball(const std::vector<integrate::CoordinateBlock>& blocks, int speed) {
  return std::ranges::any_of(blocks, [&](const integrate::CoordinateBlock& block) {
    return block.kind == integrate::CoordinateBlock::Kind::kQuaternion && block.v_start == speed;
  });
}

}  // namespace

template <class Chassis>
FullEquations<Chassis>::FullEquations(DrivenVehicle<Chassis>* car, const DriveState& start,
                                      const FullEquationsSetup& setup)
    : car_(car), setup_(setup), start_q_(start.q), start_v_(start.v), q_(start.q), v_(start.v) {
  require(car->ground().soil() == nullptr && car->rolling() == nullptr,
          "FullEquations: needs rigid ground and tires that slip");
  if constexpr (std::same_as<Chassis, MechanismChassis>)
    require(car->chassis().is_embedded(),
            "FullEquations: needs formulation \"generated\" or \"ce\"");
  base_ = car->chassis().body_speeds();
  displacement_.assign(static_cast<std::size_t>(car->chassis().nv()), 0.0);
  add_common_quantities();
  find_gear(start);
  add_base();
  add_joints();
  add_speeds();
  add_others();
  add_outputs();
  find_initial(start);
}

template <class Chassis>
void FullEquations<Chassis>::find_gear(const DriveState& start) {
  const driveline::Driveline& d = car_->equipment().driveline;
  is_low_range_ = car_->inputs().is_low_range;
  require(car_->calc_rates(0, start.q, start.v, std::span(v_)), "FullEquations: ", car_->why());
  v_ = start.v;
  const double output = car_->calc_gearbox_speed();
  const int held = car_->inputs().gear.gear;
  constexpr double kHolding = 0.15;  // throttle, about what holds a speed on level ground
  if (output == 0 || held < 1) {
    gear_state_ = {.gear = output == 0 ? 0 : held, .left = 0};
  } else {
    gear_state_ = settle_gear(d, output / output_ratio(d, is_low_range_), kHolding, is_low_range_);
  }
  gear_ = gear_state_.gear;
  // At the turbine's speed a converter has a kink: a search starts where it drives.
  engine_speed_ = start.v[static_cast<std::size_t>(car_->places().engine)];
  if (gear_ > 0 && output != 0 && !d.coupling)
    engine_speed_ = settle_engine(
        d, {.throttle = kSearchThrottle, .is_low_range = is_low_range_, .gear = gear_state_},
        output / output_ratio(d, is_low_range_));
}

template <class Chassis>
void FullEquations<Chassis>::add_base() {
  states_ = {{"height", "m", 0.01, "bounce"},
             {"roll", "rad", 0.01, "roll"},
             {"pitch", "rad", 0.01, "pitch"}};
}

// How far a displacement along a speed lifts the wheel center that it moves most.
template <class Chassis>
double FullEquations<Chassis>::find_lift(int speed) {
  constexpr double kSmall = 1e-4;  // [rad], [m]
  Chassis& c = car_->chassis();
  const auto heights = [&](double amount) {
    std::vector<double> q = start_q_, z;
    std::ranges::fill(displacement_, 0.0);
    displacement_[static_cast<std::size_t>(speed)] = amount;
    require(c.move(displacement_, q) &&
                c.calc_motion(0, q, std::vector<double>(static_cast<std::size_t>(c.nv()), 0.0)),
            "FullEquations: ", c.why());
    for (int i = 0; i < c.wheel_count(); ++i) {
      const BodyMotion base = c.base(i);
      z.push_back(transpose_times(base.R_WB, c.wheel(i).center - base.p_WB)[2]);
    }
    return z;
  };
  const std::vector<double> up = heights(kSmall), down = heights(-kSmall);
  double lift = 0;
  for (std::size_t i = 0; i < up.size(); ++i) {
    const double slope = (up[i] - down[i]) / (2 * kSmall);
    if (std::abs(slope) > std::abs(lift)) lift = slope;
  }
  return lift;
}

// Joints that are independent, wheels' spins left out.
template <class Chassis>
void FullEquations<Chassis>::add_joints() {
  Chassis& c = car_->chassis();
  const std::vector<SpeedKind> kinds = c.speed_kinds();
  const std::vector<std::string> names = c.names();
  const std::vector<integrate::CoordinateBlock> blocks = c.blocks();
  std::vector<std::string> group(static_cast<std::size_t>(c.nv()), "");
  std::vector<bool> is_travel(static_cast<std::size_t>(c.nv()), false);
  for (int i = 0; i < c.wheel_count(); ++i) {
    const std::vector<int> corner = c.corner_speeds(i);
    const std::string axle = c.wheel_name(i).substr(0, c.wheel_name(i).rfind('_'));
    for (const int speed : corner)
      if (speed >= 0) group[static_cast<std::size_t>(speed)] = axle + " hop";
    if (!corner.empty() && corner.back() >= 0)
      is_travel[static_cast<std::size_t>(corner.back())] = true;
  }
  if (c.steering_speed() >= 0) group[static_cast<std::size_t>(c.steering_speed())] = "steering";
  for (const int speed : c.hitch_speeds()) group[static_cast<std::size_t>(speed)] = "trailer";
  for (const int speed : c.independent_speeds()) {
    if (speed >= base_ && speed < base_ + 6) continue;
    speeds_.push_back(speed);
    const auto k = static_cast<std::size_t>(speed);
    if (kinds[k] == SpeedKind::kSpin) continue;
    if (is_ball(blocks, speed)) balls_.push_back(static_cast<int>(joints_.size()));
    joints_.push_back(speed);
    const std::string name = joint_name(names[static_cast<std::size_t>(c.nq()) + k]);
    states_.push_back({name, "rad or m", 0.01, group[k].empty() ? name : group[k],
                       is_travel[k] ? find_lift(speed) : 0});
  }
}

template <class Chassis>
void FullEquations<Chassis>::add_speeds() {
  const Chassis& c = car_->chassis();
  const std::vector<SpeedKind> kinds = c.speed_kinds();
  const std::vector<std::string> names = c.names();
  const std::vector<Quantity> base = {{"roll_rate", "rad/s", 0.1, "roll"},
                                      {"pitch_rate", "rad/s", 0.1, "pitch"},
                                      {"yaw_rate", "rad/s", 0.1, "yaw and sideslip"},
                                      {"forward_speed", "m/s", 0.1, "speed"},
                                      {"lateral_speed", "m/s", 0.1, "yaw and sideslip"},
                                      {"vertical_speed", "m/s", 0.1, "bounce"}};
  states_.insert(states_.end(), base.begin(), base.end());
  std::size_t joint = 0;
  for (const int speed : speeds_) {
    const auto k = static_cast<std::size_t>(speed);
    const std::string name = joint_name(names[static_cast<std::size_t>(c.nq()) + k]);
    if (kinds[k] == SpeedKind::kSpin) {
      states_.push_back({name + "'", "rad/s", 1, "wheel spin"});
    } else {
      const std::string group = states_[kBaseStates + joint++].group;
      states_.push_back({name + "'", "rad/s or m/s", 0.1, group});
    }
  }
}

// Tires, brakes, powertrain and power steering, as the vehicle itself has them in v.
template <class Chassis>
void FullEquations<Chassis>::add_others() {
  const std::vector<std::string> names = car_->make_system().names;
  const StatePlaces places = car_->places();
  for (int k = car_->chassis().nv(); k < places.accounts; ++k) {
    // Charge, energy and fuel go on and on in a steady state.
    const bool adds_up = k == places.fuel ||
                         (places.battery >= 0 && (k == places.battery || k == places.battery + 1));
    if (adds_up) continue;
    others_.push_back(k);
    Quantity state{names[static_cast<std::size_t>(car_->nq() + k)], "1", 0.1, ""};
    if (k < places.brakes) {
      const bool is_longitudinal = (k - places.tires) % 2 == 0;
      state.unit = "m", state.size = 1e-3;
      state.group = is_longitudinal ? "wheel spin" : "tire lag";
    } else if (k < places.pressure) {
      state.unit = "rad", state.size = 1e-3, state.group = "brakes";
    } else if (k == places.engine) {
      state.unit = "rad/s", state.size = 1, state.group = "engine";
    } else if (k == places.power_steering) {
      state.unit = "rad or m", state.size = 1e-3, state.group = "steering";
    } else {
      state.group = state.name;
    }
    states_.push_back(std::move(state));
  }
}

template <class Chassis>
void FullEquations<Chassis>::add_outputs() {
  for (const Quantity& output :
       {Quantity{"roll", "rad"}, Quantity{"pitch", "rad"},
        Quantity{"longitudinal_acceleration", "m/s^2"}, Quantity{"steer_angle", "rad"},
        Quantity{"steering_wheel_torque", "N m"}})
    outputs_.push_back(output);
  for (int i = 0; i < car_->wheel_count(); ++i)
    outputs_.push_back({concat("load_", car_->chassis().wheel_name(i)), "N"});
}

template <class Chassis>
void FullEquations<Chassis>::find_initial(const DriveState& start) {
  Chassis& c = car_->chassis();
  const auto speeds = static_cast<std::size_t>(c.nv());
  require(c.calc_motion(0, start.q, std::span(start.v).first(speeds)), "FullEquations: ", c.why());
  const BodyMotion body = c.body();
  initial_ = {body.p_WB[2], std::atan2(body.R_WB(2, 1), body.R_WB(2, 2)),
              std::asin(std::clamp(-body.R_WB(2, 0), -1.0, 1.0))};
  initial_.resize(initial_.size() + joints_.size(), 0.0);
  for (int k = 0; k < 6; ++k) initial_.push_back(start.v[static_cast<std::size_t>(base_ + k)]);
  for (const int speed : speeds_) initial_.push_back(start.v[static_cast<std::size_t>(speed)]);
  const StatePlaces places = car_->places();
  const bool rolls = gear_ != 0 || start.v[static_cast<std::size_t>(base_ + 3)] != 0;
  for (const int k : others_) {
    double value = start.v[static_cast<std::size_t>(k)];
    // The springs of brakes follow a wheel that rolls up to their end.
    if (rolls && k >= places.brakes && k < places.pressure)
      value = car_->equipment().brakes[static_cast<std::size_t>(k - places.brakes)].twist;
    if (k == places.engine) value = engine_speed_;
    initial_.push_back(value);
  }
  require(initial_.size() == states_.size(), "FullEquations: ", initial_.size(), " values for ",
          states_.size(), " states");
}

template <class Chassis>
bool FullEquations<Chassis>::set_state(std::span<const double> x, std::span<const double> u) {
  Chassis& c = car_->chassis();
  std::ranges::fill(displacement_, 0.0);
  for (std::size_t j = 0; j < joints_.size(); ++j)
    displacement_[static_cast<std::size_t>(joints_[j])] = x[kBaseStates + j];
  std::ranges::copy(start_q_, q_.begin());
  if (!c.move(displacement_, q_)) {
    why_ = c.why();
    return false;
  }
  const Quaternion rotation =
      Eigen::AngleAxisd(x[2], Vector3::UnitY()) * Eigen::AngleAxisd(x[1], Vector3::UnitX());
  c.set_pose(rotation, {0, 0, x[0]}, q_);
  std::size_t at = kBaseStates + joints_.size();
  for (int k = 0; k < 6; ++k) v_[static_cast<std::size_t>(base_ + k)] = x[at++];
  for (const int speed : speeds_) v_[static_cast<std::size_t>(speed)] = x[at++];
  for (const int k : others_) v_[static_cast<std::size_t>(k)] = x[at++];
  if constexpr (std::same_as<Chassis, MechanismChassis>) {
    if (!c.complete_motion(0, q_, std::span(v_).first(static_cast<std::size_t>(c.nv())))) {
      why_ = "a loop cannot be closed";
      return false;
    }
  }
  DriveInputs inputs;
  inputs.steering =
      setup_.steering_left_sign * car_->equipment().steering.find_position(u[kSteeringWheel]);
  inputs.throttle = u[kThrottle];
  inputs.brake = u[kBrake];
  inputs.is_low_range = is_low_range_;
  inputs.gear = gear_state_;
  car_->set_inputs(inputs);
  return true;
}

template <class Chassis>
void FullEquations<Chassis>::calc_joint_rates(std::span<double> x_dot) const {
  for (std::size_t j = 0; j < joints_.size(); ++j)
    x_dot[kBaseStates + j] = v_[static_cast<std::size_t>(joints_[j])];
  for (const int ball : balls_) {  // (2)
    const auto j = static_cast<std::size_t>(ball);
    const auto k = static_cast<std::size_t>(joints_[j]);
    const Vec3<double> d(displacement_[k], displacement_[k + 1], displacement_[k + 2]);
    const Vec3<double> rate = calc_rotation_vector_rate(d, {v_[k], v_[k + 1], v_[k + 2]});
    for (int i = 0; i < 3; ++i) x_dot[kBaseStates + j + static_cast<std::size_t>(i)] = rate[i];
  }
}

template <class Chassis>
bool FullEquations<Chassis>::calc(std::span<const double> x, std::span<const double> u,
                                  std::span<double> x_dot, std::span<double> y) {
  if (!set_state(x, u)) return false;
  const DriveSnapshot* now = car_->observe(0, q_, v_);
  if (now == nullptr) {
    why_ = car_->why();
    return false;
  }
  const std::span<const double> v_dot = car_->rates();
  const double roll = x[1], pitch = x[2];
  const auto base = static_cast<std::size_t>(base_);
  const double p = v_[base], q = v_[base + 1], r = v_[base + 2];
  x_dot[0] = now->body.v_WB[2];
  x_dot[1] = p + std::tan(pitch) * (q * std::sin(roll) + r * std::cos(roll));  // (1)
  x_dot[2] = q * std::cos(roll) - r * std::sin(roll);
  calc_joint_rates(x_dot);
  std::size_t at = kBaseStates + joints_.size();
  for (std::size_t k = 0; k < 6; ++k) x_dot[at++] = v_dot[base + k];
  for (const int speed : speeds_) x_dot[at++] = v_dot[static_cast<std::size_t>(speed)];
  for (const int k : others_) x_dot[at++] = v_dot[static_cast<std::size_t>(k)];
  calc_outputs(*now, x, y);
  return true;
}

// At the center of mass, along level axes that follow the heading, which is x here.
template <class Chassis>
void FullEquations<Chassis>::calc_outputs(const DriveSnapshot& now, std::span<const double> x,
                                          std::span<double> y) const {
  const BodyMotion& body = now.body;
  const Vec3<double> arm = body.R_WB * setup_.center;
  const Vec3<double> v = body.v_WB + cross(body.w_WB, arm);
  const Vec3<double> a = now.acceleration + cross(now.turn_acceleration, arm) +
                         cross(body.w_WB, cross(body.w_WB, arm));
  y[kSpeed] = std::hypot(v[0], v[1]);
  y[kLateralAcceleration] = a[1];
  y[kYawRate] = body.w_WB[2];
  y[kSideslip] = y[kSpeed] > 0 ? std::atan2(v[1], v[0]) : 0;
  std::size_t at = kOutputs;
  y[at++] = x[1];
  y[at++] = x[2];
  y[at++] = a[0];
  y[at++] = calc_mean_steer_angle(car_->chassis());
  y[at++] = setup_.steering_left_sign *
            car_->equipment().steering.find_driver_torque(
                now.steering_torque, v_[static_cast<std::size_t>(car_->places().power_steering)],
                now.forward_speed());
  for (const WheelSnapshot& wheel : now.wheels) y[at++] = wheel.ground.Fz;
}

template class FullEquations<MechanismChassis>;
template class FullEquations<GeneratedChassis>;

}  // namespace camber::dynamics
