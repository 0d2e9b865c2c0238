#include "camber/sim/full_world.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "camber/core/require.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/report/plot.h"

namespace camber::sim {

using dynamics::Vec3;

namespace {

std::vector<record::Channel> make_channels(const std::vector<std::string>& wheels,
                                           bool has_energy) {
  const auto make = [](const char* name, std::vector<std::string> names,
                       std::vector<std::string> units, const char* description) {
    record::Channel channel{.name = name, .description = description};
    if (!names.empty()) channel.shape = {names.size()};
    channel.names = std::move(names);
    channel.units = std::move(units);
    return channel;
  };
  std::vector<record::Channel> channels = {
      make(channel::kPosition, {"x", "y", "z"}, {"m"},
           "Origin of the vehicle's frame in the world"),
      make(channel::kAttitude, {"roll", "pitch", "yaw"}, {"rad"},
           "Turns about z, then y, then x; positive: left, nose down, right side down"),
      make(channel::kVelocity, {"forward", "left", "up"}, {"m/s"},
           "Of the frame's origin, in axes that are level and turn with the yaw"),
      make(channel::kRates, {"roll", "pitch", "yaw"}, {"rad/s"}, "Turn rates about the same axes"),
      make(channel::kAcceleration, {"forward", "left", "up"}, {"m/s^2"},
           "Of the chassis' center of mass, along the same axes, without gravity"),
      make(channel::kCommand, {"steer", "throttle", "brake"}, {"rad", "1", "1"},
           "What the driver wants: mean angle of the front wheels, pedals"),
      make(channel::kSteer, {"left", "right"}, {"rad"}, "The front wheels against the body"),
      make(channel::kEngine, {"speed", "torque"}, {"rad/s", "N m"}, "Crankshaft"),
      make(channel::kGear, {}, {"1"}, "-1 reverse, 0 neutral; the one that comes, in a shift")};
  const auto per_wheel = [&](const char* name, const char* unit, const char* description) {
    channels.push_back(make(name, wheels, {unit}, description));
  };
  per_wheel("wheels/load", "N", "Normal force of the ground");
  per_wheel("wheels/longitudinal_force", "N", "Of the ground, along the wheel's plane");
  per_wheel("wheels/lateral_force", "N", "Of the ground, to the left");
  per_wheel("wheels/slip", "1", "Of the tread over the ground, over the wheel's speed; driven +");
  per_wheel("wheels/slip_angle", "rad", "Of the wheel's motion to the left of its plane");
  per_wheel("wheels/spin", "rad/s", "Against the hub");
  per_wheel("wheels/deflection", "m", "Of the tire");
  per_wheel("wheels/sinkage", "m", "Into soft ground");
  per_wheel("wheels/drive_torque", "N m", "Of the driveline at the wheel");
  per_wheel("wheels/brake_torque", "N m", "Of the brake at the wheel");
  per_wheel("wheels/travel", "m", "Up against the body, from the design position");
  if (!has_energy) return channels;
  channels.push_back(make(
      channel::kEnergy, {"kinetic", "potential", "elastic", "engine", "dissipated", "error"}, {"J"},
      "Stored; work of engine and steering, and what tires, brakes, dampers, gears and air took; "
      "what is missing from the balance"));
  channels.push_back(make("energy/tires", {"lost", "treads", "springs", "into_springs"}, {"J"},
                          "Lost by sliding, rolling and damping; in bent treads; in springs, from "
                          "their deflections and from the power that went into them"));
  return channels;
}

std::size_t count_entries(const std::vector<record::Channel>& channels) {
  std::size_t count = 0;
  for (const record::Channel& channel : channels) count += channel.entries();
  return count;
}

/// A brake's spring follows with twist over soft speed; a step that is longer would wind it up.
dynamics::Equipment soften_brakes(dynamics::Equipment equipment, double step) {
  for (driveline::Brake& brake : equipment.brakes)
    brake.soft_speed = std::min(brake.soft_speed, brake.twist / step);
  return equipment;
}

/// Of "speed of JOINT", where it has one axis.
const char* find_joint_unit(const vehicle::VehicleMechanism& mechanism, const std::string& name) {
  for (const multibody::Joint& joint : mechanism.mechanism.joints) {
    if (name != "speed of " + joint.name) continue;
    if (joint.type == multibody::JointType::kRevolute) return "rad/s";
    if (joint.type == multibody::JointType::kPrismatic) return "m/s";
  }
  return "m/s or rad/s";
}

/// Turns about z, then y, then x.
struct Attitude {
  double roll, pitch, yaw;
};
Attitude find_attitude(const math::Mat3<double>& R) {
  return {std::atan2(R(2, 1), R(2, 2)), std::asin(std::clamp(-R(2, 0), -1.0, 1.0)),
          std::atan2(R(1, 0), R(0, 0))};
}

/// Without jumps: the same angle within half a turn of the one before.
double unwrap(double angle, double before) {
  return before + std::remainder(angle - before, 2 * std::numbers::pi);
}

}  // namespace

template <class Chassis>
FullWorld<Chassis>::FullWorld(Chassis chassis, const vehicle::VehicleMechanism& mechanism,
                              dynamics::Equipment equipment, dynamics::Ground ground,
                              const FullWorldOptions& options)
    : car_(std::move(chassis), soften_brakes(std::move(equipment), options.step),
           std::move(ground)),
      options_(options) {
  Chassis& c = car_.chassis();
  std::vector<std::string> wheels;
  const std::vector<double> q0(c.initial_q().begin(), c.initial_q().end()),
      rest(static_cast<std::size_t>(c.nv()), 0.0);
  require(c.calc_motion(0, q0, rest), "FullWorld: ", c.why());
  for (int i = 0; i < c.wheel_count(); ++i) {
    wheels.push_back(c.wheel_name(i));
    const dynamics::BodyMotion body = c.base(i);
    design_heights_.push_back(transpose_times(body.R_WB, c.wheel(i).center - body.p_WB)[2]);
  }
  require(options.middle.size() == wheels.size(), "FullWorld: ", wheels.size(), " wheels, ",
          options.middle.size(), " shares in the middle");
  require(c.steered_wheels().size() == 2, "FullWorld: the steered axle has ",
          c.steered_wheels().size(), " wheels, needs 2");
  state_ = car_.stand_at(options.start);
  integrate::MechanicalSystem system = car_.make_system();
  names_ = system.names;
  find_limits(mechanism);
  stepper_.emplace(std::move(system), options.method);
  channels_ = make_channels(wheels, options.has_energy);
  values_.reserve(count_entries(channels_));
  if (options.has_energy) {
    energies_.emplace(mechanism, multibody::Formulation::kCe);
    tree_q_.assign(energies_->initial_q().begin(), energies_->initial_q().end());
    tree_v_.assign(energies_->initial_v().begin(), energies_->initial_v().end());
  }
  yaw_ = options.start.heading;
  dynamics::DriveInputs inputs = car_.inputs();
  inputs.parking_brake = options.parking_brake;
  car_.set_inputs(inputs);
  require(observe(), "FullWorld: ", why_);
  require(!energies_ || has_energy_, "FullWorld: no energies at the start: a loop stays open");
}

// Far beyond anything that drives, and far below where numbers end: the first part of the state to
// get there is the one that went wrong.
template <class Chassis>
void FullWorld<Chassis>::find_limits(const vehicle::VehicleMechanism& mechanism) {
  constexpr double kTurnRate = 60, kSpeed = 300, kJointRate = 500, kSpin = 2000;  // [rad/s], [m/s]
  constexpr double kTread = 10;                                                   // [m]
  Chassis& c = car_.chassis();
  const dynamics::Equipment& e = car_.equipment();
  const auto add = [&](double limit, const char* unit) {
    limits_.push_back(limit);
    units_.emplace_back(unit);
  };
  for (const dynamics::SpeedKind kind : c.speed_kinds()) {
    switch (kind) {
      case dynamics::SpeedKind::kTurn:
        add(kTurnRate, "rad/s");
        break;
      case dynamics::SpeedKind::kTravel:
        add(kSpeed, "m/s");
        break;
      case dynamics::SpeedKind::kJoint:
        add(kJointRate, find_joint_unit(mechanism, names_[state_.q.size() + limits_.size()]));
        break;
      case dynamics::SpeedKind::kSpin:
        add(kSpin, "rad/s");
        break;
    }
  }
  for (int i = 0; i < 2 * car_.tire_count(); ++i) add(kTread, "m");
  for (const driveline::Brake& brake : e.brakes) add(100 * brake.twist, "rad");
  add(10, "of the full one");  // brake pressure
  add(10 * e.driveline.engine.torque.x().back(), "rad/s");
  add(100 * e.steering.lock, "rad");
  for (int i = 0; i < dynamics::DrivenVehicle<Chassis>::kAccounts; ++i)
    add(std::numeric_limits<double>::infinity(), "J");
  require(limits_.size() == state_.v.size(), "FullWorld: ", limits_.size(), " limits for ",
          state_.v.size(), " speeds");
}

template <class Chassis>
std::string FullWorld<Chassis>::find_absurd() const {
  std::size_t worst = 0;
  const auto excess = [&](std::size_t k) { return std::abs(state_.v[k]) / limits_[k]; };
  for (std::size_t k = 1; k < limits_.size(); ++k)
    if (excess(k) > excess(worst)) worst = k;
  using report::short_text;
  return concat(names_[state_.q.size() + worst], " is ", short_text(state_.v[worst], 4), " ",
                units_[worst], ", where nothing that drives comes to ",
                short_text(limits_[worst], 4), " ", units_[worst],
                "; run.step may be too long with ", short_text(options_.step), " s");
}

// No vehicle drives on beyond: the tires' laws end before, and there is no body that would lie.
template <class Chassis>
std::string FullWorld<Chassis>::describe_lying() const {
  constexpr double kLies = 60, kDegree = std::numbers::pi / 180;
  if (now_ == nullptr) return "";
  const Attitude attitude = find_attitude(now_->body.R_WB);
  const double roll = attitude.roll / kDegree, pitch = attitude.pitch / kDegree;
  const bool rolls = std::abs(roll) > kLies;
  if (!rolls && std::abs(pitch) <= kLies) return "";
  return concat("the vehicle has rolled over: at t = ", report::short_text(time_), " s its ",
                rolls ? "roll" : "pitch", " is ", report::short_text(rolls ? roll : pitch, 3),
                " deg; then ");
}

// What does not come to its end goes back to its begin, where everything has a value: vehicle and
// soil.
template <class Chassis>
integrate::StepResult FullWorld<Chassis>::advance(double end) {
  const double begin = time_;
  const auto count = static_cast<long>(std::ceil((end - begin) / options_.step * (1 - 1e-9)));
  integrate::StepResult result;
  bool has_gone = false;
  begin_ = state_;
  const std::vector<double> tree_begin = tree_begin_;
  car_.mark();
  const bool has_middle = options_.method != integrate::FixedStep::kSemiImplicitEuler;
  try {
    for (long i = 1; i <= count && result.ok(); ++i) {
      const double next =
          i == count
              ? end
              : begin + (end - begin) * (static_cast<double>(i) / static_cast<double>(count));
      car_.begin_step(time_, next - time_, has_middle);
      result = stepper_->step(time_, next - time_, state_.q, state_.v);
      if (!result.ok()) break;
      car_.end_step();
      time_ = next;
      for (std::size_t k = 0; k < limits_.size(); ++k)
        has_gone |= std::abs(state_.v[k]) > limits_[k];
      if (!has_gone) continue;
      result.status = integrate::Status::kNoValue;
      result.text = concat("it diverges: at t = ", report::short_text(time_), " s ", find_absurd());
    }
    if (result.ok() && !observe()) {
      result.status = integrate::Status::kNoValue;
      result.text = concat("no value at t = ", report::short_text(time_), " s: ", why_);
    }
  } catch (...) {  // ground that cannot be read
    state_ = begin_;
    tree_q_ = tree_begin;
    car_.roll_back();
    time_ = begin;
    throw;
  }
  if (result.ok()) return result;
  state_ = begin_;
  tree_q_ = tree_begin;
  car_.roll_back();
  time_ = result.time = begin;
  observe();
  result.text = describe_lying() + result.text;
  return result;
}

template <class Chassis>
void FullWorld<Chassis>::command(const autonomy::Command& command) {
  command_ = command;
  dynamics::DriveInputs inputs = car_.inputs();
  inputs.steering = options_.steering_map.find_position(command.steer);
  inputs.throttle = command.throttle;
  inputs.brake = command.brake;
  const driveline::Driveline& d = car_.equipment().driveline;
  inputs.gear = shift(d.gearbox, inputs.gear, car_.calc_gearbox_speed(), command.throttle,
                      time_ - commanded_at_);
  commanded_at_ = time_;
  car_.set_inputs(inputs);
}

template <class Chassis>
bool FullWorld<Chassis>::observe() {
  now_ = car_.observe(time_, state_.q, state_.v);
  if (now_ == nullptr) {
    why_ = car_.why();
    return false;
  }
  if (!has_values()) return false;
  const dynamics::BodyMotion& body = now_->body;
  yaw_ = unwrap(find_attitude(body.R_WB).yaw, yaw_);
  const double c = std::cos(yaw_), s = std::sin(yaw_);
  Vec3<double> middle;
  for (int i = 0; i < car_.wheel_count(); ++i)
    middle += now_->wheels[i].motion.center * options_.middle[i];
  const Vec3<double> v = body.v_WB + cross(body.w_WB, middle - body.p_WB);
  const terrain::SurfaceSample ground = car_.ground().sample(middle[0], middle[1]);
  view_ = {.time = time_,
           .x = middle[0],
           .y = middle[1],
           .yaw = yaw_,
           .speed = c * v[0] + s * v[1],
           .lateral_speed = c * v[1] - s * v[0],
           .yaw_rate = body.w_WB[2],
           .acceleration = c * now_->acceleration[0] + s * now_->acceleration[1],
           .steer = calc_mean_steer_angle(car_.chassis()),
           .grade = c * ground.hx + s * ground.hy};
  return true;
}

// Of what is logged beside the state itself.
template <class Chassis>
bool FullWorld<Chassis>::has_values() {
  const auto is_finite = [](const Vec3<double>& x) { return std::isfinite(x[0] + x[1] + x[2]); };
  for (std::size_t i = 0; i < now_->wheels.size(); ++i) {
    if (is_finite(now_->wheels[i].ground.force)) continue;
    why_ = concat("the force on tire ", car_.chassis().wheel_name(static_cast<int>(i)),
                  " is not finite");
    return false;
  }
  if (!is_finite(now_->acceleration) || !is_finite(now_->turn_acceleration)) {
    why_ = "the acceleration of the chassis is not finite";
    return false;
  }
  if (energies_) find_energies();
  return true;
}

// Generated code has no coordinates but the independent ones. What follows from them is looked for
// where it was last: far from the design position a search that begins there may end at another
// closure of the same loops.
template <class Chassis>
void FullWorld<Chassis>::find_energies() {
  tree_begin_ = tree_q_;
  car_.chassis().to_tree(state_.q, state_.v, tree_q_, tree_v_);
  if constexpr (Chassis::has_projection()) {
    has_energy_ = energies_->calc_motion(time_, tree_q_, tree_v_);
    return;
  }
  has_energy_ = energies_->complete_motion(time_, tree_q_, tree_v_);
  if (has_energy_) return;
  tree_q_.assign(energies_->initial_q().begin(), energies_->initial_q().end());
  car_.chassis().to_tree(state_.q, state_.v, tree_q_, tree_v_);
  has_energy_ = energies_->complete_motion(time_, tree_q_, tree_v_);
  if (!has_energy_) tree_q_ = tree_begin_;
}

template <class Chassis>
std::span<const double> FullWorld<Chassis>::sample() {
  const dynamics::BodyMotion& body = now_->body;
  const Attitude attitude = find_attitude(body.R_WB);
  const double c = std::cos(yaw_), s = std::sin(yaw_);
  const auto level = [&](const Vec3<double>& x) {
    return Vec3<double>(c * x[0] + s * x[1], c * x[1] - s * x[0], x[2]);
  };
  values_.clear();
  const auto add = [&](const Vec3<double>& x) {
    values_.insert(values_.end(), {x[0], x[1], x[2]});
  };
  add(body.p_WB);
  values_.insert(values_.end(), {attitude.roll, attitude.pitch, yaw_});
  add(level(body.v_WB));
  add(level(body.w_WB));
  const Vector3& center = options_.center_of_mass;
  const Vec3<double> arm = body.R_WB * Vec3<double>(center[0], center[1], center[2]);
  add(level(now_->acceleration + cross(now_->turn_acceleration, arm) +
            cross(body.w_WB, cross(body.w_WB, arm))));
  values_.insert(values_.end(), {command_.steer, command_.throttle, command_.brake});
  for (const int i : car_.chassis().steered_wheels())
    values_.push_back(calc_steer_angle(car_.chassis(), i));
  values_.insert(values_.end(), {now_->engine_speed, now_->engine_torque,
                                 static_cast<double>(car_.inputs().gear.gear)});
  const auto per_wheel = [&](const auto& value) {
    for (const dynamics::WheelSnapshot& wheel : now_->wheels) values_.push_back(value(wheel));
  };
  using Wheel = const dynamics::WheelSnapshot&;
  per_wheel([](Wheel w) { return w.ground.Fz; });
  per_wheel([](Wheel w) { return w.ground.Fx; });
  per_wheel([](Wheel w) { return w.ground.Fy; });
  per_wheel([](Wheel w) { return w.ground.slip; });
  per_wheel([](Wheel w) { return std::atan(w.ground.tan_alpha); });
  per_wheel([](Wheel w) { return w.motion.spin; });
  per_wheel([](Wheel w) { return w.ground.deflection; });
  per_wheel([](Wheel w) { return w.ground.sinkage; });
  per_wheel([](Wheel w) { return w.drive_torque; });
  per_wheel([](Wheel w) { return w.brake_torque; });
  for (std::size_t i = 0; i < now_->wheels.size(); ++i) {
    const dynamics::BodyMotion base = car_.chassis().base(static_cast<int>(i));
    const Vec3<double> at = transpose_times(base.R_WB, now_->wheels[i].motion.center - base.p_WB);
    values_.push_back(at[2] - design_heights_[i]);
  }
  if (energies_) append_energy();
  return values_;
}

// On firm ground from the tires' deflections; the account of what went in is another way to it.
template <class Chassis>
double FullWorld<Chassis>::calc_tire_springs() {
  return car_.calc_tire_spring_energy().value_or(now_->accounts.tire_springs);
}

// Dampers' work by the trapezoidal rule between samples; all else is integrated with the state.
template <class Chassis>
void FullWorld<Chassis>::append_energy() {
  if (!has_energy_) {
    constexpr std::size_t kEntries = 10;
    values_.insert(values_.end(), kEntries, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const dynamics::MechanismChassis::Energy energy = energies_->calc_energy();
  const double flywheel =
      0.5 * car_.equipment().driveline.engine.inertia * now_->engine_speed * now_->engine_speed;
  const dynamics::EnergyAccounts& a = now_->accounts;
  const double springs = calc_tire_springs(), elastic = energy.elastic + springs + a.treads;
  const double stored = energy.kinetic + flywheel + energy.gravity + elastic;
  if (damped_until_ == 0 && time_ == 0) {
    first_energy_ = stored;
  } else {
    damped_ += 0.5 * (damping_power_ + energy.damping_power) * (time_ - damped_until_);
  }
  damping_power_ = energy.damping_power;
  damped_until_ = time_;
  const double dissipated = a.driveline + a.brakes + a.tires + a.air + damped_;
  const double work = a.engine + a.steering;
  values_.insert(values_.end(), {energy.kinetic + flywheel, energy.gravity, elastic, work,
                                 dissipated, work - dissipated - (stored - first_energy_)});
  values_.insert(values_.end(), {a.tires, a.treads, springs, a.tire_springs});
}

template <class Chassis>
std::vector<double> FullWorld<Chassis>::state() const {
  std::vector<double> all = state_.q;
  all.insert(all.end(), state_.v.begin(), state_.v.end());
  const dynamics::DriveInputs& inputs = car_.inputs();
  all.insert(all.end(),
             {inputs.steering, inputs.throttle, inputs.brake, inputs.parking_brake,
              inputs.is_low_range ? 1.0 : 0.0, static_cast<double>(inputs.gear.gear),
              inputs.gear.left, commanded_at_, command_.steer, command_.throttle, command_.brake,
              yaw_, first_energy_, damped_, damping_power_, damped_until_});
  all.insert(all.end(), tree_begin_.begin(), tree_begin_.end());
  car_.append_ground_state(&all);
  return all;
}

template <class Chassis>
void FullWorld<Chassis>::set_state(double time, std::span<const double> state) {
  constexpr std::size_t kOwn = 16;  // beside the vehicle's state
  const std::size_t count = state_.q.size() + state_.v.size() + kOwn + tree_q_.size();
  require(state.size() >= count, "FullWorld::set_state: ", state.size(), " numbers, need ", count);
  car_.set_ground_state(state.subspan(count));
  time_ = time;
  const auto* at = state.data();
  for (double& x : state_.q) x = *at++;
  for (double& x : state_.v) x = *at++;
  dynamics::DriveInputs inputs;
  inputs.steering = *at++;
  inputs.throttle = *at++;
  inputs.brake = *at++;
  inputs.parking_brake = *at++;
  inputs.is_low_range = *at++ != 0;
  inputs.gear.gear = static_cast<int>(*at++);
  inputs.gear.left = *at++;
  commanded_at_ = *at++;
  car_.set_inputs(inputs);
  for (double* x : {&command_.steer, &command_.throttle, &command_.brake, &yaw_, &first_energy_,
                    &damped_, &damping_power_, &damped_until_})
    *x = *at++;
  for (double& x : tree_q_) x = *at++;
  require(observe(), "FullWorld: ", why_);
}

template class FullWorld<dynamics::MechanismChassis>;
template class FullWorld<dynamics::GeneratedChassis>;

}  // namespace camber::sim
