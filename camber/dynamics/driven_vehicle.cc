#include "camber/dynamics/driven_vehicle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <stdexcept>
#include <utility>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/dynamics/generated_chassis.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/dynamics/steering_wheel.h"
#include "camber/dynamics/vehicle_formulas.h"
#include "camber/math/dense.h"

namespace camber::dynamics {

using driveline::calc_brake;
using Lanes = math::Lanes<4>;  // four wheels
constexpr std::size_t kLanes = Lanes::kLanes;
using multibody::to_eigen, multibody::to_vec3;

namespace {

/// How a tire moves whose center is aside of its hub's, along the axis.
WheelMotion<double> move_aside(const WheelMotion<double>& hub, double offset) {
  if (offset == 0) return hub;
  WheelMotion<double> tire = hub;
  const Vec3<double> arm = hub.axis * offset;
  tire.center = hub.center + arm;
  tire.velocity = hub.velocity + cross(hub.hub_turn_rate, arm);
  return tire;
}

}  // namespace

void DriveInputs::save(StateWriter* out) const {
  for (const double value : {steering, throttle, brake, parking_brake}) out->write(value);
  out->write(is_low_range ? 1 : 0);
  out->write(clutch);
  gear.save(out);
}

void DriveInputs::restore(StateReader* in) {
  for (double* value : {&steering, &throttle, &brake, &parking_brake}) *value = in->read();
  is_low_range = in->read_bool();
  clutch = in->read();
  gear.restore(in);
}

template <class Chassis>
DrivenVehicle<Chassis>::DrivenVehicle(Chassis chassis, Equipment equipment, Ground ground)
    : chassis_(std::move(chassis)),
      equipment_(std::move(equipment)),
      ground_(std::move(ground)),
      n_(chassis_.wheel_count()),
      loads_(n_) {
  require(static_cast<int>(equipment_.brakes.size()) == n_ &&
              static_cast<int>(equipment_.has_parking_brake.size()) == n_,
          "DrivenVehicle: the vehicle has ", n_, " wheels, its equipment ",
          equipment_.brakes.size(), " brakes and ", equipment_.has_parking_brake.size(),
          " entries of parking brakes");
  require_tree(equipment_.driveline, n_);
  require(equipment_.brake_lag > 0 && equipment_.steering.lag > 0,
          "DrivenVehicle: lags of brakes and power steering must be > 0 s, got ",
          equipment_.brake_lag, " and ", equipment_.steering.lag);
  for (int i = 0; i < n_; ++i) {
    const double spacing = chassis_.dual_spacing(i);
    has_duals_ |= spacing > 0;
    if (spacing > 0)
      tires_.insert(tires_.end(), {{i, 0.5 * spacing}, {i, -0.5 * spacing}});
    else
      tires_.push_back({i, 0});
  }
  require(ground_.tire_count() == tire_count(), "DrivenVehicle: the vehicle has ", tire_count(),
          " tires, its ground ", ground_.tire_count());
  tires_at_ = chassis_.nv();
  brakes_at_ = tires_at_ + 2 * tire_count();
  pressure_at_ = brakes_at_ + n_;
  engine_at_ = pressure_at_ + 1;
  power_steering_at_ = engine_at_ + 1;
  const driveline::Driveline& d = equipment_.driveline;
  twist_at_ = power_steering_at_ + 1;
  battery_at_ = twist_at_ + (d.coupling ? 1 : 0);
  fuel_at_ = battery_at_ + (d.electric ? 2 : 0);
  wheel_pressures_at_ = fuel_at_ + (d.fuel ? 1 : 0);
  accounts_at_ = wheel_pressures_at_ + (equipment_.brake_modulator ? n_ : 0);
  if (equipment_.steering.turns_freely) {
    require(equipment_.steering.wheel_inertia > 0,
            "DrivenVehicle: a steering wheel that turns freely needs an inertia > 0 kg m^2, got ",
            equipment_.steering.wheel_inertia);
    steering_wheel_at_ = accounts_at_;
    accounts_at_ += 2;
  }
  const auto n = static_cast<std::size_t>(n_);
  now_.wheels.resize(n);
  motions_.resize(n);
  treads_.resize(tires_.size());
  forces_.resize(tires_.size());
  if (has_duals_) {
    tire_motions_.resize(tires_.size());
    wheel_forces_.resize(n);
  }
  v_dot_.resize(static_cast<std::size_t>(nv()));
  for (int i = 0; i < n_; ++i)
    loads_.reaction_shares[i] = chassis_.is_towed(i) ? 0 : 1 / equipment_.driveline.hub_ratio;
  brakes_.resize((n + kLanes - 1) / kLanes);
  actuation_ = Actuation(n);
  equipment_.brake_valves.resize(n);
  for (std::vector<double>* padded :
       {&shaft_speeds_, &brake_torques_, &twists_, &twist_rates_, &pressures_, &line_pressures_})
    padded->assign(kLanes * brakes_.size(), 0.0);
  drive_torques_.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const driveline::Brake& brake = equipment_.brakes[i];
    BrakeGroup& group = brakes_[i / kLanes];
    const auto lane = static_cast<int>(i % kLanes);
    group.law.capacity.set_lane(lane, brake.capacity);
    group.law.twist.set_lane(lane, brake.twist);
    group.law.damping.set_lane(lane, brake.damping);
    group.law.soft_speed.set_lane(lane, brake.soft_speed);
    group.has_parking_brake.set_lane(lane, equipment_.has_parking_brake[i] ? 1 : 0);
  }
  drive_shares_ = find_shares(equipment_.driveline, n_);
  while (driven_wheel_ + 1 < n_ && drive_shares_[static_cast<std::size_t>(driven_wheel_)] == 0)
    ++driven_wheel_;
  for (int i = 0; i < tire_count() && !rolling_; ++i) {
    if (ground_.constraint(i) == nullptr) continue;
    require(!has_duals_, "DrivenVehicle: dual tires cannot be rolling constraints");
    rolling_.emplace(chassis_, ground_);
  }
}

template <class Chassis>
bool DrivenVehicle<Chassis>::calc_rates(double t, std::span<const double> q,
                                        std::span<const double> v, std::span<double> v_dot) {
  const auto chassis_speeds = static_cast<std::size_t>(chassis_.nv());
  if (!chassis_.calc_motion(t, q, v.first(chassis_speeds))) {
    why_ = chassis_.why();
    return false;
  }
  now_.body = chassis_.body();
  look_for_body_contact();
  calc_wheels(t, v, v_dot);
  calc_axles(v, v_dot);
  calc_steering(v, v_dot);
  calc_air();
  if (is_near_ground_) add_body_contact();
  if (!calc_accelerations(t, q, v.first(chassis_speeds), v_dot.first(chassis_speeds))) {
    why_ = chassis_.why();
    return false;
  }
  calc_accounts(v_dot);
  return true;
}

// Tires that are constraints exert what all other loads ask for.
template <class Chassis>
bool DrivenVehicle<Chassis>::calc_accelerations(double t, std::span<const double> q,
                                                std::span<const double> v,
                                                std::span<double> v_dot) {
  if (!rolling_ || is_settling_) return chassis_.calc_accelerations(loads_, v_dot);
  return rolling_->calc(t, q, v, &ground_, &chassis_, &loads_, forces_, v_dot);
}

template <class Chassis>
void DrivenVehicle<Chassis>::begin_step(double t, double h, bool has_middle) {
  step_ = {.begin = t,
           .length = h,
           .before = step_.before,
           .is_first_stage = true,
           .is_under_way = true,
           .has_middle = has_middle};
}

template <class Chassis>
void DrivenVehicle<Chassis>::end_step() {
  ground_.finish_step();
  step_.before = step_.length;
  step_.is_under_way = false;
}

template <class Chassis>
void DrivenVehicle<Chassis>::mark() {
  marked_ = step_;
  ground_.mark();
}

template <class Chassis>
void DrivenVehicle<Chassis>::roll_back() {
  step_ = marked_;
  ground_.roll_back();
}

// Contacts are looked at twice in a step, at its start and in its middle.
template <class Chassis>
StageTime DrivenVehicle<Chassis>::find_stage(double t) const {
  if (!step_.is_under_way) return {.fresh = 0.5 * step_.before};
  if (step_.is_first_stage)
    return {.fresh = 0.5 * step_.before, .rest = step_.length, .keeps = !step_.has_middle};
  const double dt = t - step_.begin, off_middle = dt - 0.5 * step_.length;
  return {.dt = dt,
          .fresh = dt,
          .rest = step_.length - dt,
          .keeps = std::abs(off_middle) < 0.1 * step_.length};
}

template <class Chassis>
void DrivenVehicle<Chassis>::append_ground_state(std::vector<double>* state) const {
  std::vector<double> ground;
  ground_.append_state(&ground);
  if (ground.empty()) return;
  state->push_back(step_.before);
  state->insert(state->end(), ground.begin(), ground.end());
}

template <class Chassis>
void DrivenVehicle<Chassis>::set_ground_state(std::span<const double> state) {
  const std::size_t own = state.empty() ? 0 : 1;
  ground_.set_state(state.subspan(own));
  step_ = {};
  if (!state.empty()) step_.before = state[0];
}

// Tires: forces of the ground, and how the treads' deflections go on.
template <class Chassis>
void DrivenVehicle<Chassis>::calc_wheels(double t, std::span<const double> v,
                                         std::span<double> v_dot) {
  for (int i = 0; i < n_; ++i) motions_[i] = chassis_.wheel(i);
  const int tires = tire_count();
  for (int i = 0; i < tires; ++i) treads_[i] = {v[tires_at_ + 2 * i], v[tires_at_ + 2 * i + 1]};
  if (has_duals_) {
    for (int i = 0; i < tires; ++i)
      tire_motions_[i] = move_aside(motions_[tires_[i].wheel], tires_[i].offset);
  }
  const std::vector<WheelMotion<double>>& motions = has_duals_ ? tire_motions_ : motions_;
  const StageTime time = find_stage(t);
  if (step_.is_first_stage) {
    ground_.commit(motions, treads_, time, forces_);
    step_.is_first_stage = false;
  } else {
    ground_.calc(motions, treads_, time, forces_);
  }
  for (int i = 0; i < tires; ++i) {
    v_dot[tires_at_ + 2 * i] = forces_[i].rates.u;
    v_dot[tires_at_ + 2 * i + 1] = forces_[i].rates.w;
  }
  if (has_duals_) combine_duals();
  const std::span<const WheelForces<double>> wheels = wheel_forces();
  for (int i = 0; i < n_; ++i) {
    loads_.wheels[i].force = wheels[i].force;
    loads_.wheels[i].torque = wheels[i].torque;
  }
}

template <class Chassis>
std::span<const WheelForces<double>> DrivenVehicle<Chassis>::wheel_forces() const {
  return has_duals_ ? wheel_forces_ : forces_;
}

// Forces and powers of a hub's two tires are added, at the hub's center; what has no sum is their
// mean, and sinkage the larger one.
template <class Chassis>
void DrivenVehicle<Chassis>::combine_duals() {
  for (std::size_t k = 0; k < tires_.size(); ++k) {
    const auto wheel = static_cast<std::size_t>(tires_[k].wheel);
    const WheelForces<double>& one = forces_[k];
    WheelForces<double>& both = wheel_forces_[wheel];
    const Vec3<double> torque =
        one.torque + cross(motions_[wheel].axis * tires_[k].offset, one.force);
    const bool is_first = k == 0 || tires_[k - 1].wheel != tires_[k].wheel;
    if (is_first) {
      both = one;
      both.torque = torque;
      continue;
    }
    both.force += one.force;
    both.torque += torque;
    both.point = (both.point + one.point) * 0.5;
    both.deflection = 0.5 * (both.deflection + one.deflection);
    both.slip = 0.5 * (both.slip + one.slip);
    both.tan_alpha = 0.5 * (both.tan_alpha + one.tan_alpha);
    both.sinkage = std::max(both.sinkage, one.sinkage);
    both.rut = std::max(both.rut, one.rut);
    both.Fx += one.Fx;
    both.Fy += one.Fy;
    both.Fz += one.Fz;
    both.sliding_power += one.sliding_power;
    both.damping_power += one.damping_power;
    both.rolling_power += one.rolling_power;
    both.stored_power += one.stored_power;
    both.tread_power += one.tread_power;
  }
}

template <class Chassis>
void DrivenVehicle<Chassis>::calc_axles(std::span<const double> v, std::span<double> v_dot) {
  for (int i = 0; i < n_; ++i) {
    const WheelMotion<double>& motion = motions_[i];
    shaft_speeds_[i] = calc_shaft_speed(motion, loads_.reaction_shares[i], now_.body.w_WB);
    twists_[i] = v[brakes_at_ + i];
  }
  now_.engine_speed = v[engine_at_];
  const auto wheels = static_cast<std::size_t>(n_);
  calc_pressures(v, v_dot);
  const driveline::Driveline& d = equipment_.driveline;
  drive_ = calc_driveline(d,
                          {.throttle = inputs_.throttle,
                           .is_low_range = inputs_.is_low_range,
                           .gear = inputs_.gear,
                           .lock = actuation_.lock,
                           .clutch = inputs_.clutch,
                           .regeneration = d.electric ? calc_regeneration(v) : 0},
                          now_.engine_speed, std::span<const double>(shaft_speeds_).first(wheels),
                          std::span<double>(drive_torques_), d.coupling ? v[twist_at_] : 0.0);
  now_.engine_torque = drive_.engine_torque;
  v_dot[engine_at_] = drive_.engine_rate;
  if (is_actuated_)
    for (int i = 0; i < n_; ++i) drive_torques_[i] += actuation_.wheels[i].drive_torque;
  calc_sources(v, v_dot);
  for (std::size_t g = 0; g < brakes_.size(); ++g) {
    const BrakeGroup& group = brakes_[g];
    const std::size_t at = kLanes * g;
    const Lanes pressure =
        max(Lanes::load(&pressures_[at]), group.has_parking_brake * Lanes(inputs_.parking_brake));
    const driveline::BrakeTorque<Lanes> brake =
        calc_brake(group.law, pressure, Lanes::load(&shaft_speeds_[at]), Lanes::load(&twists_[at]));
    brake.twist_rate.store(&twist_rates_[at]);
    brake.torque.store(&brake_torques_[at]);
  }
  for (int i = 0; i < n_; ++i) {
    v_dot[brakes_at_ + i] = twist_rates_[i];
    loads_.wheels[i].axle_torque = drive_torques_[i] + brake_torques_[i];
  }
}

// The line follows the pedal; behind it are the axles' valves, and behind them the modulators with
// what controllers ask them for. Without modulators controllers act at once.
template <class Chassis>
void DrivenVehicle<Chassis>::calc_pressures(std::span<const double> v, std::span<double> v_dot) {
  now_.brake_pressure = v[pressure_at_];
  v_dot[pressure_at_] = (inputs_.brake - now_.brake_pressure) / equipment_.brake_lag;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
    line_pressures_[i] = calc_valve(equipment_.brake_valves[i], now_.brake_pressure);
    pressures_[i] =
        is_actuated_ ? actuation_.find_pressure(i, line_pressures_[i]) : line_pressures_[i];
    if (!equipment_.brake_modulator) continue;
    const BrakeModulator& modulator = *equipment_.brake_modulator;
    const std::size_t at = static_cast<std::size_t>(wheel_pressures_at_) + i;
    v_dot[at] = std::clamp((pressures_[i] - v[at]) / modulator.lag, -modulator.fall_rate,
                           modulator.rise_rate);
    pressures_[i] = v[at];
  }
}

// The motor takes over what the brakes of its wheels are asked for, as far as its torque, its speed and
// the battery allow: their pressures fall by as much. Not while a controller limits pressures.
template <class Chassis>
double DrivenVehicle<Chassis>::calc_regeneration(std::span<const double> v) {
  constexpr double kFull = 0.05;  // of the charge, below 1, where regeneration fades out
  const driveline::Driveline& d = equipment_.driveline;
  const driveline::ElectricDrive& electric = *d.electric;
  const double ratio =
      std::abs(with_axles(d, gear_ratio(d.gearbox, inputs_.gear.gear), inputs_.is_low_range));
  if (ratio == 0 || electric.regeneration == 0 || inputs_.gear.left > 0) return 0;
  double asked = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i) {
    if (drive_shares_[i] == 0) continue;
    if (is_actuated_ && actuation_.wheels[i].max_pressure < 1) return 0;
    asked += pressures_[i] * equipment_.brakes[i].capacity;
  }
  const double speed = v[engine_at_], fade = std::clamp(speed / electric.fade_speed, 0.0, 1.0),
               room = std::clamp((1 - v[battery_at_]) / kFull, 0.0, 1.0);
  const double torque =
      std::min(asked / ratio, electric.regeneration * d.engine.torque.at(speed)) * fade * room;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_); ++i)
    if (drive_shares_[i] > 0 && asked > 0) pressures_[i] *= 1 - torque * ratio / asked;
  return torque;
}

// Twist of the coupling, charge of the battery, fuel.
template <class Chassis>
void DrivenVehicle<Chassis>::calc_sources(std::span<const double> v, std::span<double> v_dot) {
  const driveline::Driveline& d = equipment_.driveline;
  if (d.coupling) {
    v_dot[twist_at_] = drive_.twist_rate;
    now_.clutch = drive_.closed;
  }
  if (d.electric) {
    const driveline::ElectricDrive& e = *d.electric;
    const double speed = now_.engine_speed, torque = drive_.engine_torque;
    const double power = torque * speed + calc_motor_loss(e.losses, torque, speed) + e.auxiliary;
    now_.battery = calc_battery(e.battery, power, v[battery_at_]);
    now_.battery_charge = v[battery_at_];
    now_.battery_energy = v[battery_at_ + 1];
    v_dot[battery_at_] = now_.battery.charge_rate;
    v_dot[battery_at_ + 1] = now_.battery.power;
  }
  if (d.fuel) {
    now_.fuel_rate = calc_fuel_rate(*d.fuel, drive_.engine_torque, now_.engine_speed);
    now_.fuel_used = v[fuel_at_];
    v_dot[fuel_at_] = now_.fuel_rate;
  }
}

template <class Chassis>
void DrivenVehicle<Chassis>::set_actuation(const Actuation& actuation) {
  actuation_ = actuation;
  is_actuated_ = !(actuation == Actuation(static_cast<std::size_t>(n_)));
}

template <class Chassis>
void DrivenVehicle<Chassis>::calc_steering(std::span<const double> v, std::span<double> v_dot) {
  now_.steering = chassis_.steering();
  if (steering_wheel_at_ >= 0 && inputs_.steers_by_torque) {
    const SteeringWheelRates rates =
        calc_steering_wheel(equipment_.steering, inputs_.steering_torque, v[power_steering_at_],
                            v[steering_wheel_at_], v[steering_wheel_at_ + 1],
                            now_.steering.position, now_.steering.rate, now_.forward_speed());
    v_dot[power_steering_at_] = rates.position;
    v_dot[steering_wheel_at_] = rates.speed;
    v_dot[steering_wheel_at_ + 1] = rates.bristle;
    now_.steering_torque = loads_.steering_torque = rates.gear_torque;
    return;
  }
  const SteeringLoad<double> load =
      calc_power_steering(power_steering_of(equipment_.steering), inputs_.steering,
                          v[power_steering_at_], now_.steering.position, now_.steering.rate);
  v_dot[power_steering_at_] = load.rate;
  if (steering_wheel_at_ >= 0) {
    // Held: its speed is known when it is let go, and its friction has nothing to remember.
    constexpr double kFollows = 0.01;  // [s]
    v_dot[steering_wheel_at_] = (load.rate - v[steering_wheel_at_]) / kFollows;
    v_dot[steering_wheel_at_ + 1] = -v[steering_wheel_at_ + 1] / kFollows;
  }
  loads_.steering_torque = load.torque;
  now_.steering_torque = loads_.steering_torque;
}

template <class Chassis>
void DrivenVehicle<Chassis>::calc_air() {
  const AirDrag& air = equipment_.air;
  const AirLoad<double> load = calc_air_load({air.drag_area, air.density, air.center},
                                             now_.body.R_WB, now_.body.v_WB, now_.body.w_WB);
  loads_.body_force = load.force;
  loads_.body_torque = load.torque;
  air_power_ = load.power;
}

// Ground that cannot be read ends the run where a wheel needs it.
template <class Chassis>
bool DrivenVehicle<Chassis>::is_body_near_ground(const BodyMotion& body, double reach) {
  try {
    return body_contact_.is_near(body, reach, &ground_);
  } catch (const FileError&) {
    return false;
  }
}

// Once a step, at its start: no vehicle moves by kReach within a step.
template <class Chassis>
void DrivenVehicle<Chassis>::look_for_body_contact() {
  constexpr double kReach = 0.1;  // [m]
  if (is_settling_)
    is_near_ground_ = false;
  else if (!step_.is_under_way || step_.is_first_stage)
    is_near_ground_ = is_body_near_ground(now_.body, kReach);
}

// What the ground takes is booked with the drag: a loss to the outside.
template <class Chassis>
void DrivenVehicle<Chassis>::add_body_contact() {
  const BodyContactLoad load = body_contact_.calc(now_.body, &ground_);
  loads_.body_force += load.force;
  loads_.body_torque += load.torque;
  air_power_ += load.power;
}

template <class Chassis>
void DrivenVehicle<Chassis>::calc_accounts(std::span<double> v_dot) {
  WheelPowers<double> wheels;
  for (int i = 0; i < n_; ++i)
    wheels.add(drive_torques_[i], brake_torques_[i], shaft_speeds_[i], wheel_forces()[i]);
  calc_account_rates(wheels, now_.engine_torque, now_.engine_speed,
                     equipment_.driveline.engine.inertia, drive_.engine_rate, air_power_,
                     loads_.steering_torque, now_.steering.rate, &v_dot[accounts_at_]);
  if (!is_actuated_) return;
  // What controllers add to the wheels is work that goes in; the driveline has not lost it.
  double added = 0;
  for (int i = 0; i < n_; ++i) added += actuation_.wheels[i].drive_torque * shaft_speeds_[i];
  v_dot[accounts_at_] += added;
  v_dot[accounts_at_ + 1] += added;
}

template <class Chassis>
const DriveSnapshot* DrivenVehicle<Chassis>::observe(double t, std::span<const double> q,
                                                     std::span<const double> v) {
  if (!calc_rates(t, q, v, v_dot_)) return nullptr;
  for (int i = 0; i < n_; ++i)
    now_.wheels[i] = {motions_[i],       wheel_forces()[i], drive_torques_[i],
                      brake_torques_[i], pressures_[i],     line_pressures_[i]};
  const double* total = &v[accounts_at_];
  now_.accounts = {total[0], total[1], total[2], total[3], total[4], total[5], total[6], total[7]};
  // Speeds of the free joint are in the body's axes.
  const int at = chassis_.body_speeds();
  const Vec3<double> w(v[at], v[at + 1], v[at + 2]), speed(v[at + 3], v[at + 4], v[at + 5]);
  const Vec3<double> rate(v_dot_[at + 3], v_dot_[at + 4], v_dot_[at + 5]);
  now_.acceleration = now_.body.R_WB * (rate + cross(w, speed));
  now_.turn_acceleration =
      now_.body.R_WB * Vec3<double>(v_dot_[at], v_dot_[at + 1], v_dot_[at + 2]);
  return &now_;
}

template <class Chassis>
double DrivenVehicle<Chassis>::calc_gearbox_speed() const {
  const driveline::Driveline& d = equipment_.driveline;
  std::array<double, driveline::kMaxDifferentials> cases;
  calc_case_speeds(d.differentials, std::span<const double>(shaft_speeds_),
                   std::span<double>(cases));
  return cases[0] * output_ratio(d, inputs_.is_low_range);
}

template <class Chassis>
int DrivenVehicle<Chassis>::first_tire(int wheel) const {
  const auto found = std::ranges::find(tires_, wheel, &HubTire::wheel);
  return static_cast<int>(found - tires_.begin());
}

template <class Chassis>
std::optional<double> DrivenVehicle<Chassis>::calc_tire_spring_energy() const {
  double sum = 0;
  for (int i = 0; i < tire_count(); ++i) {
    const std::optional<double> energy = ground_.calc_spring_energy(i, forces_[i].deflection);
    if (!energy) return std::nullopt;
    sum += *energy;
  }
  return sum;
}

template <class Chassis>
integrate::MechanicalSystem DrivenVehicle<Chassis>::make_system() {
  integrate::MechanicalSystem system;
  system.nq = nq();
  system.nv = nv();
  system.blocks = chassis_.blocks();
  system.accelerations = [this](double t, std::span<const double> q, std::span<const double> v,
                                std::span<double> v_dot) { return calc_rates(t, q, v, v_dot); };
  if (chassis_.has_projection()) {
    system.project = [this](double t, std::span<double> q, std::span<double> v) {
      return chassis_.project(t, q, v.first(static_cast<std::size_t>(chassis_.nv())));
    };
  }
  system.why = [this] { return why_; };
  system.names = chassis_.names();
  for (const HubTire& tire : tires_) {
    const char* place = tire.offset > 0 ? ", left one" : tire.offset < 0 ? ", right one" : "";
    for (const char* part : {"longitudinal", "lateral"})
      system.names.push_back(
          concat(part, " deflection of tire ", chassis_.wheel_name(tire.wheel), place));
  }
  for (int i = 0; i < n_; ++i) system.names.push_back(concat("brake ", chassis_.wheel_name(i)));
  for (const char* name : {"brake pressure", "engine speed", "power steering"})
    system.names.emplace_back(name);
  if (equipment_.driveline.coupling) system.names.emplace_back("twist of the clutch or shaft");
  if (equipment_.driveline.electric)
    for (const char* name : {"battery charge", "battery energy"}) system.names.emplace_back(name);
  if (equipment_.driveline.fuel) system.names.emplace_back("fuel used");
  if (equipment_.brake_modulator)
    for (int i = 0; i < n_; ++i)
      system.names.push_back(concat("brake pressure ", chassis_.wheel_name(i)));
  if (steering_wheel_at_ >= 0)
    for (const char* name : {"speed of the steering wheel", "steering friction's bristle"})
      system.names.emplace_back(name);
  for (const char* name :
       {"engine's work", "driveline's loss", "brakes' loss", "tires' loss", "treads' energy",
        "tire springs' energy", "drag's loss", "steering's work"})
    system.names.emplace_back(name);
  return system;
}

// --- Standing ---

template <class Chassis>
DriveState DrivenVehicle<Chassis>::stand_at(const Start& start) {
  if constexpr (std::same_as<Chassis, MechanismChassis>) {
    if (!chassis_.is_embedded()) return stand_by(chassis_.make_embedded(), start);
  }
  DriveState state;
  state.q.assign(chassis_.initial_q().begin(), chassis_.initial_q().end());
  state.v.assign(static_cast<std::size_t>(nv()), 0.0);
  try {
    settle(start, &state);
  } catch (const FileError&) {  // ground that cannot be read
    is_settling_ = false;
    throw;
  } catch (const std::exception& error) {
    is_settling_ = false;
    throw StandError(concat("the vehicle does not stand at x = ", start.x, " m, y = ", start.y,
                            " m: ", error.what()));
  }
  return state;
}

// A balance is looked for along independent coordinates: by the same vehicle with such, on ground
// that nothing has pressed yet.
template <class Chassis>
template <class Embedded>
DriveState DrivenVehicle<Chassis>::stand_by(Embedded embedded, const Start& start) {
  DrivenVehicle vehicle(std::move(embedded), equipment_,
                        Ground(&ground_.terrain(), ground_.models()));
  const DriveState found = vehicle.stand_at(start);
  standing_residual_ = vehicle.standing_residual();
  inputs_ = vehicle.inputs();
  const auto speeds = static_cast<std::size_t>(vehicle.chassis().nv());
  DriveState state;
  state.q.resize(static_cast<std::size_t>(nq()));
  state.v.resize(static_cast<std::size_t>(chassis_.nv()));
  chassis_.from_tree(found.q, std::span(found.v).first(speeds), state.q, state.v);
  state.v.insert(state.v.end(), found.v.begin() + static_cast<std::ptrdiff_t>(speeds),
                 found.v.end());
  return state;
}

template <class Chassis>
void DrivenVehicle<Chassis>::settle(const Start& start, DriveState* state) {
  const terrain::SurfaceSample here = ground_.sample(start.x, start.y);
  const Vec3<double> n = here.normal();
  const Vector3 up(n[0], n[1], n[2]);
  const Vector3 ahead(std::cos(start.heading), std::sin(start.heading), 0);
  Matrix3 R;
  R.col(1) = up.cross(ahead).normalized();
  R.col(0) = R.col(1).cross(up);
  R.col(2) = up;
  const Vector3 design = Vector3(start.x, start.y, here.h) + up * chassis_.design_height();
  chassis_.set_pose(Quaternion(R), design, state->q);
  inputs_ = {};
  inputs_.gear.gear = 0;  // nothing drives while it settles
  state->v[engine_at_] = equipment_.driveline.engine.idle_speed;
  if (equipment_.driveline.electric)
    state->v[battery_at_] = equipment_.driveline.electric->battery.start_charge;
  is_settling_ = true;
  press_down(state);
  const std::vector<double> pressed_down = state->q;
  if (!(balance(state) < kStandingError) || !is_on_its_wheels()) {
    state->q = pressed_down;
    sink(state);
    balance(state);
  }
  // Settling has moved it along its own axes; back to where it is to start.
  const Vec3<double> p = now_.body.p_WB;
  const Quaternion rotation(to_eigen(now_.body.R_WB));
  chassis_.set_pose(rotation, {start.x, start.y, p[2]}, state->q);
  standing_residual_ = balance(state);
  is_settling_ = false;
  if (!(standing_residual_ < kStandingError))
    throw std::runtime_error(
        concat("it finds no balance of springs and tires; its accelerations stay at ",
               standing_residual_, " m/s^2"));
  inputs_.gear = {.gear = start.gear, .left = 0};
  inputs_.is_low_range = start.is_low_range;
  roll(start.speed, to_vec3(Vector3(R.col(0))), state);
}

// Down onto the wheels: in the air no tire tells which way it is to the ground.
template <class Chassis>
void DrivenVehicle<Chassis>::press_down(DriveState* state) {
  constexpr double kPressed = 0.03;  // [m]
  require(calc_rates(0, state->q, state->v, v_dot_), "DrivenVehicle: ", why_);
  double deflection = 0;
  for (const WheelForces<double>& wheel : wheel_forces()) deflection += wheel.deflection / n_;
  std::vector<double> displacement(static_cast<std::size_t>(chassis_.nv()));
  displacement[chassis_.body_speeds() + 5] = deflection - kPressed;
  require(chassis_.move(displacement, state->q), "DrivenVehicle: ", chassis_.why());
}

// In what a vehicle settles: the body's roll, pitch and height, those of a trailer, and the wheels'
// travel.
template <class Chassis>
std::vector<int> DrivenVehicle<Chassis>::find_settling_speeds() const {
  const int body = chassis_.body_speeds();
  std::vector<int> speeds = {body, body + 1, body + 5};
  for (int i = 0; i < n_; ++i)
    for (const int speed : chassis_.corner_speeds(i)) speeds.push_back(speed);
  for (const int speed : chassis_.hitch_speeds()) speeds.push_back(speed);
  return speeds;
}

// With a wheel over a hollow, Newton's method may climb to a balance on the wheels of one side,
// from where it would tip over: more than half of the wheels must carry.
template <class Chassis>
bool DrivenVehicle<Chassis>::is_on_its_wheels() const {
  const auto carrying =
      std::ranges::count_if(wheel_forces(), [](const auto& wheel) { return wheel.Fz > 0; });
  return 2 * carrying > n_;
}

// Goes where it would fall, by semi-implicit steps with a drag that is critical for a body's
// bounce, until Newton's method has not far to go.
template <class Chassis>
void DrivenVehicle<Chassis>::sink(DriveState* state) {
  constexpr int kMost = 600;
  constexpr double kStep = 0.005, kDrag = 14;  // [s], [1/s]
  constexpr double kNear = 0.05;               // [m/s^2], [rad/s^2]
  const std::vector<int> directions = find_settling_speeds();
  std::vector<double> speeds(directions.size()),
      displacement(static_cast<std::size_t>(chassis_.nv()));
  for (int i = 0; i < kMost; ++i) {
    if (!calc_rates(0, state->q, state->v, v_dot_)) return;
    double largest = 0;
    for (std::size_t k = 0; k < directions.size(); ++k) {
      const double rate = v_dot_[directions[k]];
      largest = std::max(largest, std::abs(rate));
      speeds[k] = (speeds[k] + kStep * rate) / (1 + kStep * kDrag);
      displacement[directions[k]] = kStep * speeds[k];
    }
    std::vector<double> q = state->q;
    if (largest < kNear || !chassis_.move(displacement, q)) return;
    state->q = std::move(q);
  }
}

// Newton's method on the accelerations that springs and tires have to bring to zero; returns what
// is left of them.
template <class Chassis>
double DrivenVehicle<Chassis>::balance(DriveState* state) {
  const std::vector<int> directions = find_settling_speeds();
  const auto count = static_cast<Eigen::Index>(directions.size());
  const auto residual = [&](const std::vector<double>& q, VectorX<double>* r) {
    r->resize(count);
    if (!calc_rates(0, q, state->v, v_dot_)) return false;
    for (Eigen::Index k = 0; k < count; ++k) (*r)[k] = v_dot_[directions[k]];
    return r->allFinite();
  };
  std::vector<double> displacement(static_cast<std::size_t>(chassis_.nv()));
  const auto moved = [&](const VectorX<double>& step, double share) {
    std::vector<double> q = state->q;
    std::ranges::fill(displacement, 0.0);
    for (Eigen::Index k = 0; k < count; ++k) displacement[directions[k]] = share * step[k];
    if (!chassis_.move(displacement, q)) q.clear();
    return q;
  };
  constexpr int kIterations = 60;
  constexpr double kDifference = 1e-7, kTolerance = 1e-9;  // [m], [rad]; [m/s^2], [rad/s^2]
  VectorX<double> r, r_moved;
  MatrixX<double> J(count, count);
  const auto calc_jacobian = [&] {
    for (Eigen::Index k = 0; k < count; ++k) {
      const std::vector<double> q = moved(VectorX<double>::Unit(count, k), kDifference);
      if (q.empty() || !residual(q, &r_moved)) return false;
      J.col(k) = (r_moved - r) / kDifference;
    }
    return true;
  };
  for (int i = 0; i < kIterations; ++i) {
    if (!residual(state->q, &r)) break;
    if (r.norm() < kTolerance) return r.norm();
    if (!calc_jacobian()) break;
    const VectorX<double> step = -math::solve_with_full_pivoting(J, r);
    double share = std::min(1.0, 0.05 / step.lpNorm<Eigen::Infinity>());
    std::vector<double> q;
    while (share > 1e-6) {
      q = moved(step, share);
      if (!q.empty() && residual(q, &r_moved) && r_moved.norm() < r.norm()) break;
      share *= 0.5;
    }
    if (share <= 1e-6) break;
    state->q = std::move(q);
  }
  return residual(state->q, &r) ? r.norm() : std::numeric_limits<double>::infinity();
}

// Wheels turn as fast as they roll, the engine as fast as the gear asks for.
template <class Chassis>
void DrivenVehicle<Chassis>::roll(double speed, const Vec3<double>& ahead, DriveState* state) {
  if (speed == 0) return;
  require(calc_rates(0, state->q, state->v, v_dot_), "DrivenVehicle: ", why_);
  const Vec3<double> velocity = transpose_times(now_.body.R_WB, ahead * speed);
  for (int k = 0; k < 3; ++k) state->v[chassis_.body_speeds() + 3 + k] = velocity[k];
  std::vector<double> radius(static_cast<std::size_t>(n_));
  for (std::size_t k = 0; k < tires_.size(); ++k)
    radius[static_cast<std::size_t>(tires_[k].wheel)] =
        ground_.free_radius(static_cast<int>(k)) -
        std::max(0.0, wheel_forces()[static_cast<std::size_t>(tires_[k].wheel)].deflection) / 3;
  for (int i = 0; i < n_; ++i) {
    double& spin = state->v[chassis_.spin_speed(i)];
    spin = 1;
    const auto speeds = std::span(state->v).first(static_cast<std::size_t>(chassis_.nv()));
    require(chassis_.calc_motion(0, state->q, speeds), "DrivenVehicle: ", chassis_.why());
    spin = speed / radius[i] / chassis_.wheel(i).spin;  // the joint may count the other way
  }
  const double turbine =
      total_ratio(equipment_.driveline, {0, inputs_.is_low_range, inputs_.gear}) * speed /
      radius[static_cast<std::size_t>(driven_wheel_)];
  state->v[engine_at_] = std::max(equipment_.driveline.engine.idle_speed, turbine);
}

template class DrivenVehicle<MechanismChassis>;
template class DrivenVehicle<GeneratedChassis>;

}  // namespace camber::dynamics
