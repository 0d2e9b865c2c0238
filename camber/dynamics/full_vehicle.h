#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "camber/driveline/shift_control.h"
#include "camber/dynamics/controller_set.h"
#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/energy_book.h"
#include "camber/dynamics/inner_forces.h"
#include "camber/dynamics/pedal_delay.h"
#include "camber/dynamics/steering_map.h"
#include "camber/dynamics/vehicle.h"
#include "camber/integrate/fixed_step.h"

namespace camber::dynamics {

struct FullVehicleOptions {
  double step = 0.001;  // [s]
  integrate::FixedStep method = integrate::FixedStep::kMidpoint;
  Start start;
  double parking_brake = 0;                  // 0 to 1, until the first command
  Vector3 center_of_mass = Vector3::Zero();  // of the chassis body: where accelerations are taken
  Vector3 mass_center = Vector3::Zero();     // of the whole vehicle without trailer
  SteeringMap steering_map;                  // of the same vehicle
  std::vector<double> middle;  // shares of the wheels' centers in the point midway between axles
  BodyContact body_contact;    // of the chassis body with the ground
  bool has_energy = false;     // keeps the energy balance; costs a few per cent
  /// Snapshots have the forces of springs, shocks, bars, rods and joints: 0.1 ms each.
  bool has_inner_forces = false;
  std::vector<Accelerometer> accelerometers = {};  // whose accelerations snapshots have
  /// The same vehicle by `ce` at its start, to be copied for energies and drawing; without it, it is
  /// made when it is needed.
  std::shared_ptr<const MechanismChassis> embedded;
};

/// A step that is too long is made again in halves, these in halves again: down to this part.
inline constexpr int kSmallestPart = 64;

/// A vehicle with suspension, tires, driveline, brakes and steering, with the automatic gearbox's
/// controller, and with limits by which a diverging simulation is detected.
template <class Chassis>
class FullVehicle : public Vehicle {
 public:
  /// `mechanism` is the same vehicle for its energies and for drawing; it must outlive this.
  /// Throws what DrivenVehicle::stand_at() throws.
  FullVehicle(Chassis chassis, const vehicle::VehicleMechanism* mechanism, Equipment equipment,
              Ground ground, const FullVehicleOptions& options);

  void command(const autonomy::Command& command) override;
  integrate::StepResult step(double end) override;
  void mark() override;
  void roll_back() override;
  bool observe() override;
  const VehicleSnapshot& snapshot() override;
  std::vector<NamedPose> body_poses() override;
  std::vector<std::string> body_names() const override;
  bool find_poses(std::span<BodyPose> poses) override;
  bool find_poses_at(double time, std::span<const double> coordinates,
                     std::span<BodyPose> poses) override;
  bool find_body_motions(std::span<const int> bodies, std::span<BodyMotion> motions) override;
  const terrain::SoilGrid* soil() override { return car_.ground().soil(); }
  std::string describe_rollover() const override;
  std::unique_ptr<VehicleEquations> make_equations(const Vec3<double>& center) override;
  void save(StateWriter* out) const override;
  void restore(double time, StateReader* in) override;
  void save_searches(StateWriter* out) const override;
  void restore_searches(StateReader* in) override;
  double rest_residual() const override { return car_.standing_residual(); }
  long steps() const override { return stepper_->statistics().steps + lane_steps_; }
  long evaluations() const override {
    return stepper_->statistics().evaluations + lane_evaluations_;
  }
  RejectedSteps rejected_steps() const override { return rejected_; }

  void add_controller(std::shared_ptr<Controller> controller) override;
  void actuate(const Actuation& actuation) override;
  bool has_controllers() const { return controllers_.has_controllers(); }

  // For steps in lanes (lane_vehicles.h).
  DrivenVehicle<Chassis>& car() { return car_; }
  const multibody::Mechanism& mechanism() const { return mechanism_->mechanism; }
  /// From now on energies are computed by a shorter formula, with other last digits.
  void prepare_for_lanes() {
    if (energy_) energy_->set_quick();
  }
  const DriveState& state() const { return state_; }
  /// Limits of plausibility of the entries of v.
  std::span<const double> limits() const { return limits_; }
  /// How far a step may bend in them (FixedStepper::bends_beyond()).
  std::span<const double> bend_limits() const { return bend_limits_; }
  /// Makes them narrower or wider from now on: to check what rejected steps do.
  void scale_bend_limits(double factor) {
    for (double& limit : bend_limits_) limit *= factor;
  }
  integrate::FixedStep method() const { return options_.method; }
  /// The state after steps that another engine made.
  void arrive(double time, const DriveState& state, long steps, long evaluations);

 private:
  void take_inputs();
  void add_assistance();
  void run_controllers();
  void compose();
  bool has_memory() const;
  void save_controllers(StateWriter* out) const;
  void restore_controllers(StateReader* in);
  double wheel_radius(int wheel);
  TreeMotion make_tree_motion() const;
  driveline::ShiftView view_for_shifts(const autonomy::Command& command) const;
  void name_coordinates();
  /// Evaluates at the present state; false with problem() if something is not finite.
  bool evaluate();
  void find_limits();
  std::string describe_excess(double shortest) const;
  void begin_part(double length);
  bool is_plausible() const;
  integrate::StepResult make_in_parts(double end, integrate::StepResult result);
  void update_view(double yaw);
  double calc_tire_springs();
  void fill_wheels();
  void prepare_inner_forces();
  void fill_inner_forces();

  DrivenVehicle<Chassis> car_;
  FullVehicleOptions options_;
  const vehicle::VehicleMechanism* mechanism_;
  DriveState state_, marked_;
  double marked_time_ = 0;  // [s]
  std::optional<integrate::FixedStepper> stepper_;
  long lane_steps_ = 0, lane_evaluations_ = 0;  // that others made
  std::vector<double> limits_, bend_limits_;    // of each of state_.v
  RejectedSteps rejected_;
  std::vector<std::string> units_;  // theirs
  std::vector<std::string> names_;  // of state_.q, then state_.v
  std::vector<double> still_;       // speeds of 0, for poses of a log
  const DriveSnapshot* now_ = nullptr;
  bool is_current_ = false;   // now_ is that of state_
  bool is_observed_ = false;  // so is yaw_
  autonomy::Command command_;
  double commanded_at_ = 0;  // [s]
  ControllerSet controllers_;
  StateWriter marked_controllers_;
  PedalDelay pedal_;
  double mass_ = 0, wheel_radius_ = 1;  // of all bodies; of a driven wheel's tire [kg], [m]
  double yaw_ = 0, marked_yaw_ = 0;     // at the last observe(), not wrapped [rad]
  std::vector<double> design_heights_;  // of the wheel centers in the frame that carries them [m]
  std::vector<double> sides_;           // 1 for wheels on the left, else -1
  std::optional<EnergyBook> energy_;
  std::optional<TreeMotion> drawing_;  // made when poses are requested
  std::optional<TreeMotion> sensed_;   // made when motions are requested
  std::optional<InnerForces> inner_;   // where snapshots have inner forces
  VehicleSnapshot snapshot_;
  bool is_shown_ = false;  // snapshot_ is that of this moment
};

}  // namespace camber::dynamics
