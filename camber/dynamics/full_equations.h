#pragma once

#include <vector>

#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/vehicle_equations.h"
#include "camber/math/vec3.h"

namespace camber::dynamics {

struct FullEquationsSetup {
  Vec3<double> center;  // of the vehicle's mass, in its frame: speed and outputs are there
  double steering_left_sign = 1;  // SteeringMap::left_sign()
};

/// The equations of a vehicle with suspension. They refer to the vehicle and use it for their
/// evaluations: it is not to be driven afterwards.
///
/// States: height, roll and pitch of the chassis; displacements of the joints from where the vehicle
/// stands; angular velocity and velocity of the chassis in its own axes; speeds of the joints; then
/// all of the vehicle's other states but the accounts.
template <class Chassis>
class FullEquations final : public VehicleEquations {
 public:
  /// `start` is that of DrivenVehicle::stand_at() with heading 0. Throws std::invalid_argument for a
  /// vehicle on soil, with tires that are constraints, or without independent coordinates.
  FullEquations(DrivenVehicle<Chassis>* car, const DriveState& start,
                const FullEquationsSetup& setup);

  bool calc(std::span<const double> x, std::span<const double> u, std::span<double> x_dot,
            std::span<double> y) override;

 private:
  void find_gear(const DriveState& start);
  void add_base();
  void add_joints();
  void add_speeds();
  void add_others();
  void add_outputs();
  void find_initial(const DriveState& start);
  double find_lift(int speed);
  bool set_state(std::span<const double> x, std::span<const double> u);
  void calc_joint_rates(std::span<double> x_dot) const;
  void calc_outputs(const DriveSnapshot& now, std::span<const double> x, std::span<double> y) const;

  DrivenVehicle<Chassis>* car_;
  FullEquationsSetup setup_;
  int base_;                 // the chassis' six speeds start here in v
  std::vector<int> joints_;  // places in v of joints with a displacement among the states
  std::vector<int> speeds_;  // of all independent speeds but the chassis'
  std::vector<int> others_;  // of all further states, those that only add up left out
  std::vector<int> balls_;   // first of three joints_ that are a ball joint's
  std::vector<double> start_q_, start_v_;
  std::vector<double> q_, v_, displacement_;
  driveline::GearState gear_state_;
  bool is_low_range_ = false;
  double engine_speed_ = 0;  // where a search starts: that of some throttle [rad/s]
};

}  // namespace camber::dynamics
