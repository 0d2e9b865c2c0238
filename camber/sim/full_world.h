#pragma once

#include <memory>
#include <optional>

#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/mechanism_chassis.h"
#include "camber/dynamics/steering_map.h"
#include "camber/integrate/fixed_step.h"
#include "camber/sim/drive_world.h"

namespace camber::sim {

struct FullWorldOptions {
  double step = 0.001;  // [s]
  integrate::FixedStep method = integrate::FixedStep::kMidpoint;
  dynamics::Start start;
  double parking_brake = 0;                  // 0 to 1, all the time
  Vector3 center_of_mass = Vector3::Zero();  // of the chassis body: where accelerations are taken
  dynamics::SteeringMap steering_map;        // of the same vehicle
  std::vector<double> middle;  // shares of the wheels' centers in the point midway between axles
  bool has_energy = false;     // the balance is logged; costs a few per cent
};

/// A vehicle with suspension, tires, driveline, brakes and steering.
template <class Chassis>
class FullWorld : public DriveWorld {
 public:
  /// `mechanism` is the same vehicle for its energies. Throws what DrivenVehicle::stand_at()
  /// throws.
  FullWorld(Chassis chassis, const vehicle::VehicleMechanism& mechanism,
            dynamics::Equipment equipment, dynamics::Ground ground,
            const FullWorldOptions& options);

  integrate::StepResult advance(double end) override;
  void command(const autonomy::Command& command) override;
  const autonomy::VehicleView& view() const override { return view_; }
  const std::vector<record::Channel>& channels() const override { return channels_; }
  std::span<const double> sample() override;
  std::vector<double> state() const override;
  void set_state(double time, std::span<const double> state) override;
  double standing_residual() const override { return car_.standing_residual(); }
  long steps() const override { return stepper_->statistics().steps; }
  long evaluations() const override { return stepper_->statistics().evaluations; }

 private:
  /// False where there is no value: the view stays what it was.
  bool observe();
  bool has_values();
  void find_limits(const vehicle::VehicleMechanism& mechanism);
  /// What is beyond anything that drives, in a sentence; empty where nothing is.
  std::string find_absurd() const;
  /// How it lies, where it has rolled over, to be put before a reason; empty where it has not.
  std::string describe_lying() const;
  /// The same motion in energies_, looked for where it was found last. Where it is not found there
  /// is no balance, no more: what is only looked at must not end a drive.
  void find_energies();
  void append_energy();
  double calc_tire_springs();

  dynamics::DrivenVehicle<Chassis> car_;
  FullWorldOptions options_;
  dynamics::DriveState state_, begin_;  // begin_: of advance(), to go back to
  std::optional<integrate::FixedStepper> stepper_;
  std::vector<double> limits_;      // of each of state_.v
  std::vector<std::string> units_;  // theirs
  std::vector<std::string> names_;  // of state_.q, then state_.v
  const dynamics::DriveSnapshot* now_ = nullptr;
  std::string why_;
  autonomy::VehicleView view_;
  autonomy::Command command_;
  double commanded_at_ = 0;             // [s]
  double yaw_ = 0;                      // not cut at half a turn [rad]
  std::vector<double> design_heights_;  // of the wheels' centers in the body's frame [m]
  std::vector<record::Channel> channels_;
  std::vector<double> values_;

  // Energies come from the same vehicle in the `ce` formulation.
  std::optional<dynamics::MechanismChassis> energies_;
  bool has_energy_ = false;
  std::vector<double> tree_q_, tree_v_;
  std::vector<double> tree_begin_;  // where the last search for tree_q_ began: for checkpoints
  double first_energy_ = 0, damped_ = 0, damping_power_ = 0, damped_until_ = 0;
};

}  // namespace camber::sim
