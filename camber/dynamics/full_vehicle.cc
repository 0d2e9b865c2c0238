#include "camber/dynamics/full_vehicle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/driveline/range_lever.h"
#include "camber/driveline/shift_control.h"
#include "camber/dynamics/full_equations.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/mechanism_chassis.h"

namespace camber::dynamics {

namespace {

/// A clutch's springs follow as far as a step allows.
void soften_clutch(double step, driveline::Driveline* d) {
  if (d->coupling && d->coupling->is_clutch)
    d->coupling->soft_speed = std::min(d->coupling->soft_speed,
                                       0.5 * d->coupling->capacity / d->coupling->stiffness / step);
}

/// A brake's spring follows with twist over soft speed; a step that is longer would wind it up.
Equipment soften_brakes(Equipment equipment, double step) {
  for (driveline::Brake& brake : equipment.brakes)
    brake.soft_speed = std::min(brake.soft_speed, brake.twist / step);
  return equipment;
}

/// Controllers of the equipment act through a modulator.
Equipment complete(Equipment equipment, double step) {
  if (!equipment.brake_modulator && (equipment.abs || equipment.tcs || equipment.esc))
    equipment.brake_modulator.emplace();
  soften_clutch(step, &equipment.driveline);
  return soften_brakes(std::move(equipment), step);
}

/// The unit of "speed of JOINT", if the joint has one axis.
const char* find_joint_unit(const vehicle::VehicleMechanism& mechanism, const std::string& name) {
  for (const multibody::Joint& joint : mechanism.mechanism.joints) {
    if (name != "speed of " + joint.name) continue;
    if (joint.type == multibody::JointType::kRevolute) return "rad/s";
    if (joint.type == multibody::JointType::kPrismatic) return "m/s";
  }
  return "m/s or rad/s";
}

/// The unit of a coordinate, by its joint: "chassis.qw" is part of a quaternion.
const char* find_coordinate_unit(const vehicle::VehicleMechanism& mechanism,
                                 const std::string& name) {
  for (const char* end : {".qw", ".qx", ".qy", ".qz"})
    if (name.ends_with(end)) return "1";
  for (const char* end : {".x", ".y", ".z"})
    if (name.ends_with(end)) return "m";
  for (const multibody::Joint& joint : mechanism.mechanism.joints) {
    if (name != joint.name) continue;
    if (joint.type == multibody::JointType::kRevolute) return "rad";
    if (joint.type == multibody::JointType::kPrismatic) return "m";
  }
  return "m or rad";
}

/// Rotations about z, then y, then x.
struct Attitude {
  double roll, pitch, yaw;
};
Attitude find_attitude(const math::Mat3<double>& R) {
  return {std::atan2(R(2, 1), R(2, 2)), std::asin(std::clamp(-R(2, 0), -1.0, 1.0)),
          std::atan2(R(1, 0), R(0, 0))};
}

/// The same angle within half a revolution of the one before.
double unwrap(double angle, double before) {
  return before + std::remainder(angle - before, 2 * std::numbers::pi);
}

bool is_finite(const Vec3<double>& x) { return std::isfinite(x[0] + x[1] + x[2]); }

}  // namespace

template <class Chassis>
FullVehicle<Chassis>::FullVehicle(Chassis chassis, const vehicle::VehicleMechanism* mechanism,
                                  Equipment equipment, Ground ground,
                                  const FullVehicleOptions& options)
    : car_(std::move(chassis), complete(std::move(equipment), options.step), std::move(ground)),
      options_(options),
      mechanism_(mechanism) {
  max_step_ = options.step;
  car_.set_body_contact(options.body_contact);
  Chassis& c = car_.chassis();
  const std::vector<double> q0(c.initial_q().begin(), c.initial_q().end()),
      rest(static_cast<std::size_t>(c.nv()), 0.0);
  require(c.calc_motion(0, q0, rest), "FullVehicle: ", c.why());
  for (int i = 0; i < c.wheel_count(); ++i) {
    layout_.wheels.push_back(c.wheel_name(i));
    const BodyMotion body = c.base(i);
    const Vec3<double> p_BW = transpose_times(body.R_WB, c.wheel(i).center - body.p_WB);
    design_heights_.push_back(p_BW[2]);
    sides_.push_back(p_BW[1] >= 0 ? 1 : -1);
  }
  layout_.name = mechanism->mechanism.name;
  for (const multibody::Body& body : mechanism->mechanism.bodies) mass_ += body.mass;
  wheel_radius_ = car_.ground().free_radius(car_.first_tire(car_.driven_wheel()));
  require(options.middle.size() == layout_.wheels.size(), "FullVehicle: ", layout_.wheels.size(),
          " wheels, ", options.middle.size(), " shares in the middle");
  for (const int wheel : c.steered_wheels())
    layout_.steered.emplace_back(sides_[wheel] > 0 ? "left" : "right");
  layout_.has_steering_torque = true;
  layout_.has_energy = options.has_energy;
  const driveline::Driveline& driveline = car_.equipment().driveline;
  layout_.has_clutch = driveline.coupling && driveline.coupling->is_clutch;
  layout_.has_battery = driveline.electric.has_value();
  layout_.has_fuel = driveline.fuel.has_value();
  state_ = car_.stand_at(options.start);
  integrate::MechanicalSystem system = car_.make_system();
  names_ = system.names;
  name_coordinates();
  find_limits();
  stepper_.emplace(std::move(system), options.method);
  snapshot_.wheels.resize(layout_.wheels.size());
  snapshot_.steer_angles.resize(layout_.steered.size());
  if (options.has_energy) energy_.emplace(make_tree_motion());
  prepare_inner_forces();
  controllers_ = ControllerSet(layout_.wheels.size());
  pedal_ = PedalDelay(car_.equipment().brake_dead_time, options.step);
  yaw_ = options.start.heading;
  DriveInputs inputs = car_.inputs();
  inputs.parking_brake = options.parking_brake;
  command_.parking_brake = options.parking_brake;
  car_.set_inputs(inputs);
  require(observe(), "FullVehicle: ", problem_);
  require(!energy_ || energy_->balance().has_value(),
          "FullVehicle: no energies at the start: a loop stays open");
  add_assistance();
  mark();
}

template <class Chassis>
TreeMotion FullVehicle<Chassis>::make_tree_motion() const {
  return options_.embedded ? TreeMotion(*options_.embedded) : TreeMotion(*mechanism_);
}

template <class Chassis>
void FullVehicle<Chassis>::name_coordinates() {
  const std::size_t count = state_.q.size();
  layout_.coordinates.assign(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(count));
  for (const std::string& name : layout_.coordinates)
    layout_.coordinate_units.emplace_back(find_coordinate_unit(*mechanism_, name));
  still_.assign(static_cast<std::size_t>(car_.chassis().nv()), 0.0);
  snapshot_.coordinates.reserve(count);
}

// Far beyond anything that drives, and far below where numbers end: the first part of the state to
// get there is the one that went wrong. A step whose rates change by more than the bend limits, over
// its length, is too long: the treads are the first to show it, as what they lose by sliding grows
// with the eighth power of how far they are bent (docs/theory/driving.md, section 4).
template <class Chassis>
void FullVehicle<Chassis>::find_limits() {
  constexpr double kRotation = 60, kSpeed = 300, kJointRate = 500, kSpin = 2000;  // [rad/s], [m/s]
  constexpr double kTread = 10;                                                   // [m]
  constexpr double kRotationBend = 1, kSpeedBend = 2, kJointBend = 10, kSpinBend = 20;
  constexpr double kTreadBend = 0.01;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Chassis& c = car_.chassis();
  const Equipment& e = car_.equipment();
  const auto add = [&](double limit, double bend, const char* unit) {
    limits_.push_back(limit);
    bend_limits_.push_back(bend);
    units_.emplace_back(unit);
  };
  for (const SpeedKind kind : c.speed_kinds()) {
    switch (kind) {
      case SpeedKind::kTurn:
        add(kRotation, kRotationBend, "rad/s");
        break;
      case SpeedKind::kTravel:
        add(kSpeed, kSpeedBend, "m/s");
        break;
      case SpeedKind::kJoint:
        add(kJointRate, kJointBend,
            find_joint_unit(*mechanism_, names_[state_.q.size() + limits_.size()]));
        break;
      case SpeedKind::kSpin:
        add(kSpin, kSpinBend, "rad/s");
        break;
    }
  }
  for (int i = 0; i < 2 * car_.tire_count(); ++i) add(kTread, kTreadBend, "m");
  for (const driveline::Brake& brake : e.brakes) add(100 * brake.twist, brake.twist, "rad");
  add(10, 1, "of the full one");  // brake pressure
  add(10 * e.driveline.engine.torque.x().back(), 0.1 * e.driveline.engine.torque.x().back(),
      "rad/s");
  add(100 * e.steering.lock, e.steering.lock, "rad");
  constexpr double kTwist = 100, kEnergy = 1e12, kFuel = 1e6;  // [rad], [J], [kg]
  if (e.driveline.coupling) add(kTwist, kNone, "rad");
  if (e.driveline.electric) {
    add(10, 1, "of the full one");
    add(kEnergy, kNone, "J");
  }
  if (e.driveline.fuel) add(kFuel, kNone, "kg");
  if (e.brake_modulator)
    for (int i = 0; i < car_.wheel_count(); ++i) add(10, 1, "of the full one");
  if (e.steering.turns_freely) {
    add(1e4 * e.steering.lock, 100 * e.steering.lock, "rad/s");
    add(1, 0.1, "rad");
  }
  for (int i = 0; i < DrivenVehicle<Chassis>::kAccounts; ++i) add(kNone, kNone, "J");
  require(limits_.size() == state_.v.size(), "FullVehicle: ", limits_.size(), " limits for ",
          state_.v.size(), " speeds");
}

template <class Chassis>
std::string FullVehicle<Chassis>::describe_excess(double shortest) const {
  std::size_t worst = 0;
  const auto excess = [&](std::size_t k) { return std::abs(state_.v[k]) / limits_[k]; };
  for (std::size_t k = 1; k < limits_.size(); ++k)
    if (excess(k) > excess(worst)) worst = k;
  return concat("the simulation diverges: at t = ", short_text(time_), " s ",
                names_[state_.q.size() + worst], " is ", short_text(state_.v[worst], 4), " ",
                units_[worst], ", beyond the plausibility limit of ", short_text(limits_[worst], 4),
                " ", units_[worst], "; run.step may be too long with ", short_text(options_.step),
                " s, even in parts of ", short_text(shortest, 3), " s");
}

// Past 60 deg tire models are no longer valid, and contact of the body is not modeled.
template <class Chassis>
std::string FullVehicle<Chassis>::describe_rollover() const {
  constexpr double kRolledOver = 60, kDegree = std::numbers::pi / 180;
  if (now_ == nullptr) return "";
  const Attitude attitude = find_attitude(now_->body.R_WB);
  const double roll = attitude.roll / kDegree, pitch = attitude.pitch / kDegree;
  const bool rolls = std::abs(roll) > kRolledOver;
  if (!rolls && std::abs(pitch) <= kRolledOver) return "";
  return concat("the vehicle has rolled over: at t = ", short_text(time_), " s its ",
                rolls ? "roll" : "pitch", " is ", short_text(rolls ? roll : pitch, 3), " deg");
}

template <class Chassis>
integrate::StepResult FullVehicle<Chassis>::step(double end) {
  is_current_ = is_observed_ = is_shown_ = false;
  begin_part(end - time_);
  integrate::StepResult result = stepper_->step(time_, end - time_, state_.q, state_.v);
  if (!result.ok() || !is_plausible() || stepper_->bends_beyond(bend_limits_))
    return make_in_parts(end, std::move(result));
  car_.end_step();
  time_ = end;
  run_controllers();
  return result;
}

template <class Chassis>
void FullVehicle<Chassis>::begin_part(double length) {
  car_.begin_step(time_, length, options_.method != integrate::FixedStep::kSemiImplicitEuler);
}

template <class Chassis>
bool FullVehicle<Chassis>::is_plausible() const {
  bool is_within = true;
  for (std::size_t k = 0; k < limits_.size(); ++k)
    is_within &= !(std::abs(state_.v[k]) > limits_[k]);
  return is_within;
}

// The step to `end` was rejected. What it has written is the state, which the stepper knows from its
// start, and how the soil was pressed at its start, which holds for any length: so a part is what
// it were if it had been asked for in the first place, bit for bit. Only semi-implicit Euler finds
// the soil's shear in its first evaluation, with the length. The smallest parts may bend.
template <class Chassis>
integrate::StepResult FullVehicle<Chassis>::make_in_parts(double end,
                                                          integrate::StepResult result) {
  const double begin = time_, part = (end - begin) / kSmallestPart;
  const auto time_of = [&](int k) { return k == kSmallestPart ? end : begin + k * part; };
  const bool has_parts =
      options_.method != integrate::FixedStep::kSemiImplicitEuler || soil() == nullptr;
  int at = 0, size = kSmallestPart;  // where the parts have come to, and what was rejected there
  while (has_parts && size > 1) {
    if (rejected_.count++ == 0) rejected_.first_time = time_;
    size /= 2;
    const double shorter = time_of(at + size) - time_;
    car_.begin_step_again(shorter);
    result = stepper_->step_again(shorter, state_.q, state_.v);
    while (result.ok() && is_plausible() && (size == 1 || !stepper_->bends_beyond(bend_limits_))) {
      car_.end_step();
      at += size;
      time_ = time_of(at);
      if (at == kSmallestPart) {
        run_controllers();
        return result;
      }
      size = at & -at;  // the other half of what was halved last
      const double next = time_of(at + size) - time_;
      begin_part(next);
      result = stepper_->step(time_, next, state_.q, state_.v);
    }
  }
  if (!result.ok()) return result;
  result.status = integrate::Status::kNoValue;
  result.text = describe_excess(size * part);
  return result;
}

template <class Chassis>
void FullVehicle<Chassis>::arrive(double time, const DriveState& state, long steps,
                                  long evaluations) {
  is_current_ = is_observed_ = is_shown_ = false;
  state_ = state;
  time_ = time;
  lane_steps_ += steps;
  lane_evaluations_ += evaluations;
}

template <class Chassis>
void FullVehicle<Chassis>::mark() {
  marked_ = state_;
  marked_time_ = time_;
  marked_yaw_ = yaw_;
  if (has_memory()) {
    marked_controllers_.clear();
    save_controllers(&marked_controllers_);
  }
  car_.mark();
  if (energy_) energy_->mark();
}

template <class Chassis>
void FullVehicle<Chassis>::roll_back() {
  state_ = marked_;
  time_ = marked_time_;
  yaw_ = marked_yaw_;
  car_.roll_back();
  if (has_memory() && !marked_controllers_.values().empty()) {
    StateReader in(marked_controllers_.values());
    restore_controllers(&in);
  }
  if (energy_) energy_->roll_back();
  is_observed_ = true;
  if (!evaluate()) return;
  update_view(yaw_);
  if (energy_)
    energy_->look(&car_.chassis(), time_, state_.q, state_.v, *now_, calc_tire_springs(),
                  car_.equipment().driveline.engine.inertia);
}

template <class Chassis>
void FullVehicle<Chassis>::command(const autonomy::Command& command) {
  command_ = command;
  is_shown_ = false;
  take_inputs();
  DriveInputs inputs = car_.inputs();
  const Equipment& e = car_.equipment();
  inputs.brake = e.brake_booster.find_pressure(pedal_.update(time_, command.brake));
  inputs.steers_by_torque = command.steers_by_torque && e.steering.turns_freely;
  inputs.steering_torque = options_.steering_map.left_sign() * command.steering_torque;
  inputs.parking_brake = command.parking_brake;
  inputs.clutch = std::min(command.clutch, 1.0);
  const driveline::Driveline& d = car_.equipment().driveline;
  const driveline::ShiftView view = view_for_shifts(command);
  inputs.gear = control_gear(d, inputs.gear, view, time_ - commanded_at_);
  inputs.gear = select(d, inputs.gear, command.selector, view.output_speed, command.throttle);
  inputs.is_low_range =
      driveline::find_range(inputs.is_low_range, command.selector, view.output_speed);
  if (inputs.gear.is_parked) inputs.parking_brake = 1;
  commanded_at_ = time_;
  car_.set_inputs(inputs);
}

/// What controllers have a part in.
template <class Chassis>
void FullVehicle<Chassis>::take_inputs() {
  const Actuation& composed = controllers_.composed();
  DriveInputs inputs = car_.inputs();
  inputs.steering = options_.steering_map.find_position(command_.steer + composed.steer);
  inputs.throttle = std::min(command_.throttle, composed.max_throttle);
  car_.set_inputs(inputs);
}

// --- Controllers ---

template <class Chassis>
void FullVehicle<Chassis>::add_assistance() {
  const Equipment& e = car_.equipment();
  if (!e.abs && !e.tcs && !e.esc) return;
  AssistedVehicle about;
  const std::vector<double> shares = find_shares(e.driveline, car_.wheel_count());
  double front = -HUGE_VAL, rear = HUGE_VAL;
  std::vector<double> places;
  for (int i = 0; i < car_.wheel_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const WheelSnapshot& wheel = now_->wheels[k];
    about.radius.push_back(wheel_radius(i) - std::max(0.0, wheel.ground.deflection) / 3);
    about.is_driven.push_back(shares[k] > 0);
    about.is_left.push_back(sides_[k] > 0);
    places.push_back(transpose_times(now_->body.R_WB, wheel.motion.center - now_->body.p_WB)[0]);
    if (car_.chassis().is_towed(i)) continue;
    front = std::max(front, places[k]);
    rear = std::min(rear, places[k]);
  }
  constexpr double kSame = 0.1;  // wheels of an axle are level with each other [m]
  for (std::size_t i = 0; i < places.size(); ++i) {
    about.is_front.push_back(std::abs(places[i] - front) < kSame);
    about.is_rear.push_back(std::abs(places[i] - rear) < kSame);
    int partner = -1;
    for (std::size_t k = 0; k < places.size(); ++k)
      if (k != i && std::abs(places[i] - places[k]) < kSame) partner = static_cast<int>(k);
    about.partner.push_back(partner);
  }
  about.wheelbase = front - rear;
  const auto add = [&](const char* name, std::shared_ptr<Controller> controller) {
    layout_.controllers.emplace_back(name);
    add_controller(std::move(controller));
  };
  if (e.esc) add("esc", make_stability_control(*e.esc, about));
  if (e.tcs) add("tcs", make_traction_control(*e.tcs, about));
  if (e.abs) add("abs", make_anti_lock_brakes(*e.abs, *e.brake_modulator, about));
  snapshot_.controller_activity.resize(layout_.controllers.size());
}

template <class Chassis>
void FullVehicle<Chassis>::add_controller(std::shared_ptr<Controller> controller) {
  controllers_.add(std::move(controller), time_);
}

template <class Chassis>
void FullVehicle<Chassis>::run_controllers() {
  if (controllers_.run(time_, [&]() -> const VehicleSnapshot& { return snapshot(); })) compose();
}

template <class Chassis>
void FullVehicle<Chassis>::compose() {
  is_shown_ = false;
  controllers_.compose();
  car_.set_actuation(controllers_.composed());
  take_inputs();
}

template <class Chassis>
void FullVehicle<Chassis>::actuate(const Actuation& actuation) {
  controllers_.actuate(actuation);
  compose();
}

template <class Chassis>
bool FullVehicle<Chassis>::has_memory() const {
  return controllers_.has_memory() || pedal_.has_memory();
}

template <class Chassis>
void FullVehicle<Chassis>::save_controllers(StateWriter* out) const {
  out->write(has_memory() ? 1 : 0);
  if (!has_memory()) return;
  controllers_.save(out);
  pedal_.save(out);
}

template <class Chassis>
void FullVehicle<Chassis>::restore_controllers(StateReader* in) {
  if (in->read_bool()) {
    controllers_.restore(in);
    pedal_.restore(in);
  } else {
    controllers_.reset();
  }
  controllers_.restart(time_);
  compose();
}

template <class Chassis>
double FullVehicle<Chassis>::wheel_radius(int wheel) {
  return car_.ground().free_radius(car_.first_tire(wheel));
}

template <class Chassis>
driveline::ShiftView FullVehicle<Chassis>::view_for_shifts(const autonomy::Command& command) const {
  double torque = 0;
  for (const WheelSnapshot& wheel : now_->wheels) torque += wheel.drive_torque + wheel.brake_torque;
  const int held_gear = controllers_.composed().gear;
  return {.throttle = command.throttle,
          .output_speed = car_.calc_gearbox_speed(),
          .turbine_torque = car_.turbine_torque(),
          .is_low_range = car_.inputs().is_low_range,
          .held_gear = held_gear > 0 ? held_gear : command.gear,
          .wheel_force = torque / wheel_radius_,
          .acceleration = view_.acceleration,
          .mass = mass_,
          .wheel_radius = wheel_radius_};
}

template <class Chassis>
bool FullVehicle<Chassis>::evaluate() {
  now_ = car_.observe(time_, state_.q, state_.v);
  is_shown_ = false;
  is_current_ = now_ != nullptr;
  if (now_ == nullptr) {
    problem_ = car_.why();
    return false;
  }
  for (std::size_t i = 0; i < now_->wheels.size(); ++i) {
    if (is_finite(now_->wheels[i].ground.force)) continue;
    problem_ = concat("the force on tire ", layout_.wheels[i], " is not finite");
    return false;
  }
  if (is_finite(now_->acceleration) && is_finite(now_->turn_acceleration)) return true;
  problem_ = "the acceleration of the chassis is not finite";
  return false;
}

template <class Chassis>
bool FullVehicle<Chassis>::observe() {
  if (!evaluate()) return false;
  if (energy_)
    energy_->update(&car_.chassis(), time_, state_.q, state_.v, *now_, calc_tire_springs(),
                    car_.equipment().driveline.engine.inertia);
  yaw_ = unwrap(find_attitude(now_->body.R_WB).yaw, yaw_);
  is_observed_ = true;
  update_view(yaw_);
  return true;
}

template <class Chassis>
void FullVehicle<Chassis>::update_view(double yaw) {
  is_shown_ = false;
  const BodyMotion& body = now_->body;
  const double c = std::cos(yaw), s = std::sin(yaw);
  Vec3<double> middle;
  for (int i = 0; i < car_.wheel_count(); ++i)
    middle += now_->wheels[i].motion.center * options_.middle[i];
  const Vec3<double> v = body.v_WB + cross(body.w_WB, middle - body.p_WB);
  const terrain::SurfaceSample ground = car_.ground().sample(middle[0], middle[1]);
  const Attitude attitude = find_attitude(body.R_WB);
  view_ = {.time = time_,
           .x = middle[0],
           .y = middle[1],
           .yaw = yaw,
           .speed = c * v[0] + s * v[1],
           .lateral_speed = c * v[1] - s * v[0],
           .yaw_rate = body.w_WB[2],
           .acceleration = c * now_->acceleration[0] + s * now_->acceleration[1],
           .steer = calc_mean_steer_angle(car_.chassis()),
           .grade = c * ground.hx + s * ground.hy,
           .z = ground.h,
           .roll = attitude.roll,
           .pitch = attitude.pitch};
}

// On firm ground from the deflections of the tires; the account of what went in is a second way
// to it.
template <class Chassis>
double FullVehicle<Chassis>::calc_tire_springs() {
  return car_.calc_tire_spring_energy().value_or(now_->accounts.tire_springs);
}

template <class Chassis>
const VehicleSnapshot& FullVehicle<Chassis>::snapshot() {
  if (!is_current_) evaluate();
  if (now_ == nullptr) return snapshot_;  // a state without values: the last one that had them
  // Who asks again at the same moment, such as a sample and a stop condition, gets the same one.
  if (is_shown_) return snapshot_;
  is_shown_ = true;
  VehicleSnapshot& out = snapshot_;
  const BodyMotion& body = now_->body;
  const Attitude attitude = find_attitude(body.R_WB);
  out.time = time_;
  out.position = body.p_WB;
  out.rotation = body.R_WB;
  out.roll = attitude.roll;
  out.pitch = attitude.pitch;
  out.yaw = is_observed_ ? yaw_ : unwrap(attitude.yaw, yaw_);
  const double c = std::cos(out.yaw), s = std::sin(out.yaw);
  const auto level = [&](const Vec3<double>& x) {
    return Vec3<double>(c * x[0] + s * x[1], c * x[1] - s * x[0], x[2]);
  };
  out.velocity = level(body.v_WB);
  out.rates = level(body.w_WB);
  const Vector3& center = options_.center_of_mass;
  const Vec3<double> arm = body.R_WB * Vec3<double>(center[0], center[1], center[2]);
  out.acceleration = level(now_->acceleration + cross(now_->turn_acceleration, arm) +
                           cross(body.w_WB, cross(body.w_WB, arm)));
  const Vector3& mass_center = options_.mass_center;
  const Vec3<double> at_center =
      level(body.v_WB + cross(body.w_WB, body.R_WB * Vec3<double>(mass_center[0], mass_center[1],
                                                                  mass_center[2])));
  out.sideslip = calc_sideslip(at_center[0], at_center[1]);
  out.frame = {body.v_WB, now_->acceleration, body.w_WB, now_->turn_acceleration};
  out.command = command_;
  for (std::size_t i = 0; i < out.steer_angles.size(); ++i)
    out.steer_angles[i] = calc_steer_angle(car_.chassis(), car_.chassis().steered_wheels()[i]);
  out.steering_position = now_->steering.position;
  out.steering_rate = now_->steering.rate;
  const SteeringGear& gear = car_.equipment().steering;
  const double left = options_.steering_map.left_sign();
  const DriveInputs& inputs = car_.inputs();
  const double servo = state_.v[car_.places().power_steering];
  out.steering_wheel_angle =
      left * gear.find_wheel_angle(inputs.steers_by_torque ? servo : inputs.steering);
  out.steering_wheel_torque =
      left * (inputs.steers_by_torque
                  ? inputs.steering_torque
                  : gear.find_driver_torque(now_->steering_torque, servo, now_->forward_speed()));
  out.engine_speed = now_->engine_speed;
  out.engine_torque = now_->engine_torque;
  out.gear = car_.inputs().gear.gear;
  out.brake_pressure = now_->brake_pressure;
  out.clutch = now_->clutch;
  if (layout_.has_fuel) {
    const double density = car_.equipment().driveline.fuel->density;
    out.fuel = {now_->fuel_rate, now_->fuel_used, now_->fuel_used / density};
  }
  if (layout_.has_battery)
    out.battery = {now_->battery_charge, now_->battery.current, now_->battery.voltage,
                   now_->battery_energy};
  fill_wheels();
  for (std::size_t i = 0; i < out.controller_activity.size(); ++i)
    out.controller_activity[i] = controllers_.activity(i);
  if (energy_) out.energy = energy_->balance();
  out.coordinates.assign(state_.q.begin(), state_.q.end());
  fill_inner_forces();
  return out;
}

// The chassis' own points need no tree.
template <class Chassis>
void FullVehicle<Chassis>::prepare_inner_forces() {
  bool needs_tree = options_.has_inner_forces;
  for (const Accelerometer& place : options_.accelerometers) {
    layout_.accelerometers.push_back(place.name);
    needs_tree |= !(place.body == mechanism_->chassis);
  }
  snapshot_.accelerations.resize(layout_.accelerometers.size());
  if (needs_tree) inner_.emplace(make_tree_motion());
  if (options_.has_inner_forces) inner_->name_parts(&layout_);
}

template <class Chassis>
void FullVehicle<Chassis>::fill_inner_forces() {
  if (inner_) inner_->update(&car_.chassis(), time_, state_.q, state_.v, car_.loads());
  const BodyMotion& body = now_->body;
  if (options_.has_inner_forces) inner_->write_forces(body.R_WB, &snapshot_);
  for (std::size_t i = 0; i < options_.accelerometers.size(); ++i) {
    const Accelerometer& place = options_.accelerometers[i];
    const Vec3<double> arm = body.R_WB * place.point;
    snapshot_.accelerations[i] =
        place.body == mechanism_->chassis
            ? transpose_times(body.R_WB, now_->acceleration + cross(now_->turn_acceleration, arm) +
                                             cross(body.w_WB, cross(body.w_WB, arm)))
            : inner_->find_acceleration(place);
  }
}

template <class Chassis>
void FullVehicle<Chassis>::fill_wheels() {
  for (std::size_t i = 0; i < now_->wheels.size(); ++i) {
    const BodyMotion body = car_.chassis().base(static_cast<int>(i));
    const WheelMotion<double>& motion = now_->wheels[i].motion;
    const WheelForces<double>& ground = now_->wheels[i].ground;
    const Vec3<double> normal = car_.ground().sample(ground.point[0], ground.point[1]).normal();
    const Vec3<double> at = transpose_times(body.R_WB, motion.center - body.p_WB);
    snapshot_.wheels[i] = {
        .center = motion.center,
        .axis = motion.axis,
        .contact_point = ground.point,
        .force = ground.force,
        .load = ground.Fz,
        .longitudinal_force = ground.Fx,
        .lateral_force = ground.Fy,
        .slip = ground.slip,
        .slip_angle = std::atan(ground.tan_alpha),
        .camber = -sides_[i] * std::asin(std::clamp(dot(motion.axis, normal), -1.0, 1.0)),
        .steer = calc_steer_angle(car_.chassis(), static_cast<int>(i)),
        .spin = motion.spin,
        .deflection = ground.deflection,
        .sinkage = ground.sinkage,
        .drive_torque = now_->wheels[i].drive_torque,
        .brake_torque = now_->wheels[i].brake_torque,
        .travel = at[2] - design_heights_[i],
        .brake_pressure = now_->wheels[i].brake_pressure,
        .line_pressure = now_->wheels[i].line_pressure,
        .aligning_torque =
            dot(normal, ground.torque + cross(motion.center - ground.point, ground.force)),
        .ground_height = ground.point[2]};
  }
}

template <class Chassis>
std::vector<NamedPose> FullVehicle<Chassis>::body_poses() {
  if (!drawing_) drawing_.emplace(make_tree_motion());
  std::vector<NamedPose> poses;
  if (!drawing_->follow(&car_.chassis(), time_, state_.q, state_.v)) return poses;
  const std::vector<multibody::Body>& bodies = mechanism_->mechanism.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const multibody::BodyPose<double> pose =
        drawing_->chassis().pose(multibody::BodyIndex(static_cast<int>(i)));
    poses.push_back({bodies[i].name, pose.p_WB, pose.R_WB});
  }
  return poses;
}

template <class Chassis>
bool FullVehicle<Chassis>::find_poses(std::span<BodyPose> poses) {
  return find_poses_at(time_, state_.q, poses);
}

template <class Chassis>
bool FullVehicle<Chassis>::find_poses_at(double time, std::span<const double> coordinates,
                                         std::span<BodyPose> poses) {
  if (coordinates.size() != state_.q.size() || poses.size() != mechanism_->mechanism.bodies.size())
    return false;
  if (!drawing_) drawing_.emplace(make_tree_motion());
  if (!drawing_->follow(&car_.chassis(), time, coordinates, still_)) return false;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const multibody::BodyPose<double> pose =
        drawing_->chassis().pose(multibody::BodyIndex(static_cast<int>(i)));
    poses[i] = {pose.p_WB, pose.R_WB};
  }
  return true;
}

template <class Chassis>
std::vector<std::string> FullVehicle<Chassis>::body_names() const {
  std::vector<std::string> names;
  for (const multibody::Body& body : mechanism_->mechanism.bodies) names.push_back(body.name);
  return names;
}

template <class Chassis>
bool FullVehicle<Chassis>::find_body_motions(std::span<const int> bodies,
                                             std::span<BodyMotion> motions) {
  if (!sensed_) sensed_.emplace(make_tree_motion());
  if (!sensed_->follow(&car_.chassis(), time_, state_.q, state_.v)) return false;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    motions[i] = sensed_->chassis().motion(multibody::BodyIndex(bodies[i]));
  return true;
}

template <class Chassis>
void FullVehicle<Chassis>::save(StateWriter* out) const {
  out->write(state_.q);
  out->write(state_.v);
  car_.inputs().save(out);
  for (const double value :
       {commanded_at_, command_.steer, command_.throttle, command_.brake, yaw_})
    out->write(value);
  if (car_.equipment().steering.turns_freely) {
    out->write(car_.inputs().steers_by_torque ? 1 : 0);
    out->write(car_.inputs().steering_torque);
  }
  if (energy_) {
    energy_->save(out);
  } else {
    out->write(std::vector<double>(4, 0.0));  // the book that is not kept
  }
  save_controllers(out);
  std::vector<double> ground;
  car_.append_ground_state(&ground);
  out->write(ground);
}

template <class Chassis>
void FullVehicle<Chassis>::restore(double time, StateReader* in) {
  in->read(state_.q);
  in->read(state_.v);
  DriveInputs inputs;
  inputs.restore(in);
  for (double* value :
       {&commanded_at_, &command_.steer, &command_.throttle, &command_.brake, &yaw_})
    *value = in->read();
  command_.parking_brake = inputs.parking_brake;
  if (car_.equipment().steering.turns_freely) {
    command_.steers_by_torque = inputs.steers_by_torque = in->read_bool();
    inputs.steering_torque = in->read();
    command_.steering_torque = options_.steering_map.left_sign() * inputs.steering_torque;
  }
  if (energy_) {
    energy_->restore(in);
  } else {
    for (int i = 0; i < 4; ++i) in->read();
  }
  time_ = time;
  car_.set_inputs(inputs);
  restore_controllers(in);
  car_.set_inputs(inputs);
  car_.set_ground_state(in->read_rest());
  require(evaluate(), "FullVehicle: ", problem_);
  is_observed_ = true;
  update_view(yaw_);
  if (energy_)
    energy_->look(&car_.chassis(), time_, state_.q, state_.v, *now_, calc_tire_springs(),
                  car_.equipment().driveline.engine.inertia);
  mark();
}

template <class Chassis>
void FullVehicle<Chassis>::save_searches(StateWriter* out) const {
  out->write(is_observed_ ? 1 : 0);
  if (energy_) energy_->save_searches(out);
  out->write(sensed_ ? 1 : 0);
  if (sensed_) sensed_->save_search(out);
}

template <class Chassis>
void FullVehicle<Chassis>::restore_searches(StateReader* in) {
  is_observed_ = in->read_bool();
  is_shown_ = false;
  if (energy_) energy_->restore_searches(in);
  if (in->read_bool()) {
    if (!sensed_) sensed_.emplace(make_tree_motion());
    sensed_->restore_search(in);
  }
  mark();
}

template <class Chassis>
std::unique_ptr<VehicleEquations> FullVehicle<Chassis>::make_equations(const Vec3<double>& center) {
  return std::make_unique<FullEquations<Chassis>>(
      &car_, state_,
      FullEquationsSetup{.center = center,
                         .steering_left_sign = options_.steering_map.left_sign()});
}

template class FullVehicle<MechanismChassis>;
template class FullVehicle<GeneratedChassis>;

}  // namespace camber::dynamics
