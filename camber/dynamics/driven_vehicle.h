#pragma once

// A vehicle that drives: chassis and suspension, tires on the ground, driveline, brakes, steering
// and air, as one system of first order for any of camber's integrators.
//
//   DrivenVehicle<GeneratedChassis> car(std::move(chassis), equipment, std::move(ground));
//   DriveState state = car.stand_at({.x = 10, .y = -3, .heading = 0.4, .speed = 0});
//   integrate::FixedStepper stepper(car.make_system(), integrate::FixedStep::kMidpoint);
//   car.set_inputs(inputs);                              // held until they are set again
//   car.begin_step(t, 0.001);
//   stepper.step(t, 0.001, state.q, state.v);
//   car.end_step();
//   if (const DriveSnapshot* now = car.observe(t + 0.001, state.q, state.v))
//     std::cout << now->wheels[0].ground.Fz;             // null: car.why()
//
// Any number of wheels: numbered axle by axle, left before right, those of a trailer last. A hub
// may carry two tires side by side; their contacts are then computed one by one.

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/dynamics/body_contact.h"
#include "camber/dynamics/chassis_loads.h"
#include "camber/dynamics/controller.h"
#include "camber/dynamics/equipment.h"
#include "camber/dynamics/ground.h"
#include "camber/dynamics/relaxed_rolling.h"
#include "camber/dynamics/start.h"
#include "camber/integrate/mechanical_system.h"

namespace camber::dynamics {

/// Inputs of the driver and the gearbox's controller, held between their samples.
struct DriveInputs {
  double steering = 0;  // requested angle of the pitman arm [rad] or travel of the rack [m]
  double throttle = 0;  // 0 to 1
  double brake = 0;     // pedal, 0 to 1
  double parking_brake = 0;
  bool is_low_range = false;
  double clutch = -1;  // pedal, 1 is pressed; negative: automated
  driveline::GearState gear = {};
  /// Instead of an angle: the driver's torque on the steering wheel, in the direction of `steering`
  /// [N m]; 0: hands off. For a SteeringGear that turns_freely.
  bool steers_by_torque = false;
  double steering_torque = 0;

  /// Without the torque and its choice, which FullVehicle keeps.
  void save(StateWriter* out) const;
  void restore(StateReader* in);
};

/// Where work goes [J], since the start.
struct EnergyAccounts {
  double engine = 0;     // work of the engine on its shaft
  double driveline = 0;  // lost in converter, gears and differentials
  double brakes = 0;
  double tires = 0;         // lost by sliding and rolling and in the load's dampers
  double treads = 0;        // in bent treads, which have no potential
  double tire_springs = 0;  // in the springs of the load
  double air = 0;           // drag
  double steering = 0;      // work of the power steering on the vehicle
};

struct WheelSnapshot {
  WheelMotion<double> motion;
  WheelForces<double> ground;                    // of both tires together where the hub carries two
  double drive_torque = 0, brake_torque = 0;     // about the axis [N m]
  double brake_pressure = 0, line_pressure = 0;  // at the brake; what the pedal asks for there
};

/// All results of one evaluation.
struct DriveSnapshot {
  BodyMotion body;
  SteeringMotion steering;
  double steering_torque = 0;  // of the gear on the pitman arm [N m], or on the rack [N]
  std::vector<WheelSnapshot> wheels;
  double engine_speed = 0, engine_torque = 0;  // [rad/s], [N m]
  double brake_pressure = 0;                   // 0 to 1
  double clutch = 0;                           // share to which it is closed
  double fuel_rate = 0, fuel_used = 0;         // [kg/s], [kg]
  driveline::BatteryFlow battery;
  double battery_charge = 0, battery_energy = 0;  // 0 to 1; taken from the source [J]
  Vec3<double> acceleration, turn_acceleration;   // of the body's frame, in W [m/s^2], [rad/s^2]
  EnergyAccounts accounts;

  /// Speed of the frame's origin along its x axis [m/s].
  double forward_speed() const { return dot(body.R_WB.c[0], body.v_WB); }
};

/// Positions and [speeds; tires; brakes; pressure; engine; steering; twist of a coupling; charge and
/// energy of a battery; fuel; wheels' pressures; accounts]. What the equipment does not have is not
/// there; pressures of the wheels are there if it has a modulator.
struct DriveState {
  std::vector<double> q, v;
};

/// Where the parts of a vehicle's state that are not its chassis' start in v.
struct StatePlaces {
  int tires = 0, brakes = 0, pressure = 0, engine = 0, power_steering = 0, accounts = 0;
  int steering_wheel = -1;  // its speed and bristle; -1: it has none
  int battery = -1;         // its charge and energy
  int fuel = -1;
};

/// A vehicle counts as at rest with accelerations up to this [m/s^2, rad/s^2]: up to a thousandth
/// of its weight is unbalanced. A body on springs, with a bounce of 1 Hz or more, is then within
/// a/w^2 = 0.25 mm of its equilibrium, and dampers take it there. A vehicle without equilibrium
/// fails by its whole weight, not by a thousandth of it.
inline constexpr double kStandingError = 0.01;

/// Wheels and springs have no equilibrium where a vehicle is to start.
class StandError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class MechanismChassis;

template <class Chassis>
class DrivenVehicle {
 public:
  /// Throws std::invalid_argument if the equipment does not fit the chassis.
  DrivenVehicle(Chassis chassis, Equipment equipment, Ground ground);

  /// At rest on its wheels, or rolling without slip: body along the ground, springs and tires in
  /// equilibrium, up to standing_residual(). Throws StandError if there is no equilibrium,
  /// FileError if the ground cannot be read.
  DriveState stand_at(const Start& start);
  /// Remaining accelerations after stand_at() [m/s^2, rad/s^2]: rounding errors, or up to
  /// kStandingError if a kink of the ground or of a table stops the search.
  double standing_residual() const { return standing_residual_; }

  void set_inputs(const DriveInputs& inputs) { inputs_ = inputs; }
  /// What of the body touches the ground; nothing if this is not called.
  void set_body_contact(const BodyContact& contact) { body_contact_ = contact; }
  const BodyContact& body_contact() const { return body_contact_; }
  /// BodyContact::is_near() of a pose; false on ground that cannot be read.
  bool is_body_near_ground(const BodyMotion& body, double reach);
  /// What controllers add to the inputs, held as they are.
  void set_actuation(const Actuation& actuation);
  const Actuation& actuation() const { return actuation_; }
  const DriveInputs& inputs() const { return inputs_; }

  /// A step from t to t + h: its first evaluation presses the soil permanently, at t; end_step()
  /// takes on the shear that the last evaluation in the middle of the step has found, or the first
  /// one of all where the method has none there. Nothing else changes what the soil remembers.
  void begin_step(double t, double h, bool has_middle = true);
  void end_step();
  /// The step that was begun is made again from its start, with this length: its first evaluation
  /// has pressed the soil already and is not repeated.
  void begin_step_again(double h) { step_.length = h; }
  /// roll_back() restores the ground and the memory of its steps to mark().
  void mark();
  void roll_back();
  bool calc_rates(double t, std::span<const double> q, std::span<const double> v,
                  std::span<double> v_dot);
  /// Evaluates at a state and returns all results; null if there is no value: why().
  const DriveSnapshot* observe(double t, std::span<const double> q, std::span<const double> v);
  /// Rates of v at the last observe().
  std::span<const double> rates() const { return v_dot_; }

  /// What the ground remembers, and since when; nothing where it does not yield. And back.
  void append_ground_state(std::vector<double>* state) const;
  void set_ground_state(std::span<const double> state);

  /// For the integrators; it refers to this vehicle.
  integrate::MechanicalSystem make_system();

  const std::string& why() const { return why_; }
  Chassis& chassis() { return chassis_; }
  /// All loads of the last evaluation.
  const ChassisLoads& loads() const { return loads_; }
  const Equipment& equipment() const { return equipment_; }
  int wheel_count() const { return chassis_.wheel_count(); }
  int tire_count() const { return static_cast<int>(tires_.size()); }
  /// The forces of the ground on each tire, at the last evaluation.
  std::span<const WheelForces<double>> tire_forces() const { return forces_; }
  /// Energy in the springs of all tires' loads at the last evaluation [J]; empty where the ground
  /// yields.
  std::optional<double> calc_tire_spring_energy() const;
  int nq() const { return chassis_.nq(); }
  int nv() const { return accounts_at_ + kAccounts; }
  StatePlaces places() const {
    return {tires_at_,
            brakes_at_,
            pressure_at_,
            engine_at_,
            power_steering_at_,
            accounts_at_,
            steering_wheel_at_,
            equipment_.driveline.electric ? battery_at_ : -1,
            equipment_.driveline.fuel ? fuel_at_ : -1};
  }
  /// ChassisLoads::reaction_shares of a wheel.
  double reaction_share(int wheel) const { return loads_.reaction_shares[wheel]; }
  static constexpr int kAccounts = 8;  // at the end of v, those of EnergyAccounts
  /// Speed of the gearbox's output at the last evaluation [rad/s], which determines shifts.
  double calc_gearbox_speed() const;
  double turbine_torque() const { return drive_.turbine_torque; }  // then [N m]
  /// The first wheel that the driveline drives.
  int driven_wheel() const { return driven_wheel_; }
  /// The first tire of a wheel.
  int first_tire(int wheel) const;
  Ground& ground() { return ground_; }
  /// The rolling constraints where tires are such, else null.
  const RelaxedRolling<Chassis>* rolling() const { return rolling_ ? &*rolling_ : nullptr; }

 private:
  std::span<const WheelForces<double>> wheel_forces() const;
  void combine_duals();
  void calc_wheels(double t, std::span<const double> v, std::span<double> v_dot);
  void calc_axles(std::span<const double> v, std::span<double> v_dot);
  void calc_pressures(std::span<const double> v, std::span<double> v_dot);
  double calc_regeneration(std::span<const double> v);
  void calc_sources(std::span<const double> v, std::span<double> v_dot);
  void calc_steering(std::span<const double> v, std::span<double> v_dot);
  void calc_air();
  void look_for_body_contact();
  void add_body_contact();
  bool calc_accelerations(double t, std::span<const double> q, std::span<const double> v,
                          std::span<double> v_dot);
  void calc_accounts(std::span<double> v_dot);
  template <class Embedded>  // the chassis that only MechanismChassis makes
  DriveState stand_by(Embedded embedded, const Start& start);
  void settle(const Start& start, DriveState* state);
  void press_down(DriveState* state);
  std::vector<int> find_settling_speeds() const;
  bool is_on_its_wheels() const;
  void sink(DriveState* state);
  double balance(DriveState* state);
  void roll(double speed, const Vec3<double>& ahead, DriveState* state);

  Chassis chassis_;
  Equipment equipment_;
  Ground ground_;
  DriveInputs inputs_;
  int n_;  // wheels
  /// A tire on its wheel's hub.
  struct HubTire {
    int wheel = 0;
    double offset = 0;  // of its center from the hub's, along the axis [m]
  };
  std::vector<HubTire> tires_;
  bool has_duals_ = false;
  struct StepMemory {
    double begin = 0, length = 0;  // of the step that is made [s]
    double before = 0;             // how long the last one was that came to its end
    bool is_first_stage = false, is_under_way = false, has_middle = true;
  };
  StageTime find_stage(double t) const;
  StepMemory step_, marked_;
  int tires_at_, brakes_at_, pressure_at_, engine_at_, power_steering_at_, twist_at_, battery_at_,
      fuel_at_, wheel_pressures_at_, accounts_at_;  // in v
  int steering_wheel_at_ = -1;                      // in v; -1: the wheel is always held
  ChassisLoads loads_;
  std::optional<RelaxedRolling<Chassis>> rolling_;  // of tires that are constraints
  double standing_residual_ = 0;
  bool is_settling_ = false;  // on springs and tires that hold nothing along the ground
  DriveSnapshot now_;
  std::vector<WheelMotion<double>> motions_, tire_motions_;  // of wheels; of tires, if they differ
  std::vector<tire::TireState<double>> treads_;              // of tires
  std::vector<WheelForces<double>> forces_, wheel_forces_;   // on tires; on wheels, if they differ
  /// Four brakes in the lanes of one; lanes beyond the last wheel have no capacity.
  struct BrakeGroup {
    driveline::BasicBrake<math::Lanes<4>> law;
    math::Lanes<4> has_parking_brake{0.0};  // 1, or 0
  };
  std::vector<BrakeGroup> brakes_;
  // Per wheel, padded to full groups: speeds [rad/s], torques [N m], twists [rad] and their rates.
  std::vector<double> shaft_speeds_, brake_torques_, twists_, twist_rates_;
  std::vector<double> drive_torques_;  // per wheel [N m]
  // Per wheel, padded: pressures at the brakes, and those that the pedal asks for there.
  std::vector<double> pressures_, line_pressures_;
  Actuation actuation_;
  bool is_actuated_ = false;          // it is not nothing
  std::vector<double> drive_shares_;  // per wheel, of the driveline's torque
  int driven_wheel_ = 0;              // the first one that the driveline drives
  std::vector<double> v_dot_;
  driveline::DrivelineResult<double> drive_;
  double air_power_ = 0;  // of the air and the ground on the body [W]
  BodyContact body_contact_;
  bool is_near_ground_ = false;  // the body may touch the ground within this step
  std::string why_;
};

}  // namespace camber::dynamics
