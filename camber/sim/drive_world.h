#pragma once

// One vehicle in its world, at any level of detail: what a drive is run on. A step inside advance()
// allocates nothing and goes through no virtual call; this interface is for the driver's samples, a
// hundred a second.

#include <span>
#include <string>
#include <vector>

#include "camber/autonomy/vehicle_view.h"
#include "camber/integrate/step_result.h"
#include "camber/record/log_layout.h"

namespace camber::sim {

class DriveWorld {
 public:
  virtual ~DriveWorld() = default;

  double time() const { return time_; }

  /// From now to `end` in equal steps no longer than the one it was made with; what was commanded
  /// is held. After a failure time and state are those of before.
  virtual integrate::StepResult advance(double end) = 0;
  /// What the driver does from now on; gearboxes decide at the same moments.
  virtual void command(const autonomy::Command& command) = 0;
  virtual const autonomy::VehicleView& view() const = 0;

  /// What is logged: channels, and their values now, one behind the other.
  virtual const std::vector<record::Channel>& channels() const = 0;
  virtual std::span<const double> sample() = 0;

  /// Everything that the future depends on, and back: a run goes on bit by bit.
  virtual std::vector<double> state() const = 0;
  virtual void set_state(double time, std::span<const double> state) = 0;

  /// Of accelerations, where it stands at the start [m/s^2].
  virtual double standing_residual() const { return 0; }

  virtual long steps() const = 0;
  virtual long evaluations() const = 0;

 protected:
  double time_ = 0;  // [s]
};

/// The names of a log's channels that do not depend on the vehicle (docs/manual/scenarios.md).
namespace channel {
inline constexpr const char* kPosition = "chassis/position";
inline constexpr const char* kAttitude = "chassis/attitude";
inline constexpr const char* kVelocity = "chassis/velocity";
inline constexpr const char* kRates = "chassis/rates";
inline constexpr const char* kAcceleration = "chassis/acceleration";
inline constexpr const char* kCommand = "driver/command";
inline constexpr const char* kSteer = "steering/angle";
inline constexpr const char* kEngine = "drivetrain/engine";
inline constexpr const char* kGear = "drivetrain/gear";
inline constexpr const char* kEnergy = "energy/balance";
inline constexpr const char* kDeviation = "path/deviation";
inline constexpr const char* kClearance = "obstacles/clearance";
}  // namespace channel

}  // namespace camber::sim
