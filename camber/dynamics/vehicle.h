#pragma once

// A vehicle at any level of detail: it takes commands, steps through time and can be observed. A
// step allocates nothing; the virtual calls are once per step or less.
//
//   vehicle.command({.steer = 0.02, .throttle = 0.3});   // held until the next one
//   vehicle.mark();
//   if (auto result = vehicle.step(0.001); !result.ok()) vehicle.roll_back();   // result.text: why
//   vehicle.observe();                                   // at the end of a control interval
//   double load = vehicle.snapshot().wheels[0].load;

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "camber/autonomy/vehicle_view.h"
#include "camber/core/state_buffer.h"
#include "camber/dynamics/chassis_loads.h"
#include "camber/dynamics/controller.h"
#include "camber/dynamics/snapshot.h"
#include "camber/dynamics/vehicle_equations.h"
#include "camber/integrate/step_result.h"

namespace camber::terrain {
class SoilGrid;
}

namespace camber::dynamics {

/// Steps that were too long and were made again in parts.
struct RejectedSteps {
  long count = 0;         // tries, those of parts included
  double first_time = 0;  // start of the first one [s]
};

class Vehicle {
 public:
  virtual ~Vehicle() = default;

  const VehicleLayout& layout() const { return layout_; }
  double time() const { return time_; }
  /// Longest integration step [s].
  double max_step() const { return max_step_; }

  /// The driver's request from now on; the gearbox decides at the same time.
  virtual void command(const autonomy::Command& command) = 0;

  /// A controller beside the driver (controller.h), after those that are there. Throws
  /// std::invalid_argument for levels without single wheels.
  virtual void add_controller(std::shared_ptr<Controller>) {
    throw std::invalid_argument("controllers need a vehicle of level \"full\"");
  }
  /// What is added to the commands from now on, after all controllers.
  virtual void actuate(const Actuation&) {
    throw std::invalid_argument("wheel torques and pressures need a vehicle of level \"full\"");
  }

  /// One integration step to `end`. If it fails, time and state are not defined until
  /// roll_back().
  virtual integrate::StepResult step(double end) = 0;
  /// roll_back() returns to the last mark(), where the vehicle was observed.
  virtual void mark() = 0;
  virtual void roll_back() = 0;

  /// Observes the state at the end of a control interval: updates view(), the unwrapped yaw angle
  /// and the energy balance, which are part of the state. False if something is not finite:
  /// problem() says what.
  virtual bool observe() = 0;
  const std::string& problem() const { return problem_; }
  /// What a driver sees, as of the last observe().
  const autonomy::VehicleView& view() const { return view_; }

  /// The present state, also between calls of observe(). The call changes nothing. Valid until the
  /// next call that is not const.
  virtual const VehicleSnapshot& snapshot() = 0;
  /// Poses of all bodies. Empty if the level has only the frame itself, or if they cannot be
  /// computed. Costs up to a millisecond.
  virtual std::vector<NamedPose> body_poses() { return {}; }
  /// Names of all bodies, in the order of body_poses().
  virtual std::vector<std::string> body_names() const { return {}; }
  /// Writes the same poses into existing memory, one per body, in microseconds. Does not change the
  /// state. Allocates nothing after the first call. False if they cannot be found.
  virtual bool find_poses(std::span<BodyPose> poses) {
    (void)poses;
    return false;
  }
  /// The poses for VehicleSnapshot::coordinates of another time, from a log. To be called in the
  /// order of time: closing the loops starts from the last call.
  virtual bool find_poses_at(double time, std::span<const double> coordinates,
                             std::span<BodyPose> poses) {
    (void)time, (void)coordinates, (void)poses;
    return false;
  }
  /// Motion of bodies, by their numbers in body_names(). False if it cannot be computed. For
  /// sensors: they call this after every integration step, and the result does not depend on other
  /// calls.
  virtual bool find_body_motions(std::span<const int> bodies, std::span<BodyMotion> motions) {
    (void)bodies, (void)motions;
    return false;
  }
  /// The soil that remembers its ruts, or null. Valid until the next call that is not const.
  virtual const terrain::SoilGrid* soil() { return nullptr; }
  /// A sentence if the vehicle is on its side or roof; else empty.
  virtual std::string describe_rollover() const { return ""; }

  /// The complete state. A vehicle of the same parts continues from it bit for bit.
  virtual void save(StateWriter* out) const = 0;
  virtual void restore(double time, StateReader* in) = 0;
  /// Start values of searches that follow the state, so that they give the same bits between
  /// control intervals, too. To be restored after the state.
  virtual void save_searches(StateWriter*) const {}
  virtual void restore_searches(StateReader*) {}

  /// Its equations on level ground, which refer to it and use it: it is not to be driven
  /// afterwards. `center`: of its mass, in its frame, where outputs are taken. It has to be new, with
  /// heading 0. Null for a level that has none. Throws std::invalid_argument for a vehicle on soil or
  /// with tires that do not slip.
  virtual std::unique_ptr<VehicleEquations> make_equations(const Vec3<double>& center) {
    (void)center;
    return nullptr;
  }

  /// Remaining accelerations at a start from rest [m/s^2].
  virtual double rest_residual() const { return 0; }
  virtual long steps() const = 0;
  virtual long evaluations() const = 0;
  virtual RejectedSteps rejected_steps() const { return {}; }

 protected:
  VehicleLayout layout_;
  double time_ = 0;      // [s]
  double max_step_ = 0;  // [s]
  autonomy::VehicleView view_;
  std::string problem_;
};

}  // namespace camber::dynamics
