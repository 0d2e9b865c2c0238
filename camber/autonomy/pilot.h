#pragma once

#include "camber/autonomy/goal_view.h"
#include "camber/autonomy/measurement.h"
#include "camber/autonomy/path.h"
#include "camber/autonomy/vehicle_view.h"
#include "camber/core/state_buffer.h"

namespace camber::autonomy {

/// A pilot commands a vehicle: at every sample time it gives a command that is held until the next
/// one. The same views and measurements give the same commands, bit for bit.
class Pilot {
 public:
  virtual ~Pilot() = default;
  Pilot() = default;
  Pilot(const Pilot&) = delete;
  Pilot& operator=(const Pilot&) = delete;

  virtual double sample_time() const = 0;  // [s]
  /// Takes what a sensor has measured, when it arrives; before the update() at or after that time.
  virtual void take(const Measurement&) {}
  /// The command from view.time on. The view is the truth: a pilot with its own sensors uses only
  /// its time.
  virtual Command update(const VehicleView& view) = 0;
  /// Restarts from where the vehicle is, after another driver.
  virtual void restart() {}

  /// Where the vehicle is on the pilot's path, as of the last update; null without a path.
  virtual const PathFoot* foot() const { return nullptr; }
  /// The plan of a pilot that drives to a goal, as of the last update; null for others.
  virtual const GoalView* goal() const { return nullptr; }

  virtual void save(StateWriter* out) const = 0;
  virtual void restore(StateReader* in) = 0;
};

}  // namespace camber::autonomy
