#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/dynamics/controller.h"

namespace camber::dynamics {

/// The controllers of a vehicle, and what all of them and the program outside add to the driver's
/// command.
class ControllerSet {
 public:
  explicit ControllerSet(std::size_t wheel_count = 0)
      : outside_(wheel_count), composed_(wheel_count) {}

  /// Throws std::invalid_argument for a controller without a valid interval.
  void add(std::shared_ptr<Controller> controller, double time);
  /// Lets each controller act whose interval has passed since it acted last. `snapshot` returns that
  /// of the vehicle and is called only then. Returns whether one acted.
  template <class GetSnapshot>
  bool run(double time, const GetSnapshot& snapshot) {
    bool has_acted = false;
    for (Held& held : controllers_) {
      const long count = count_intervals(time, *held.controller);
      if (count == held.count) continue;
      held.count = count;
      held.controller->update(snapshot(), &held.actuation);
      has_acted = true;
    }
    return has_acted;
  }
  /// From now on, what the program outside adds. Throws std::invalid_argument for another number of
  /// wheels.
  void actuate(const Actuation& actuation);
  /// Joins what all of them said last: composed().
  void compose();
  const Actuation& composed() const { return composed_; }

  bool has_controllers() const { return !controllers_.empty(); }
  double activity(std::size_t controller) const {
    return controllers_[controller].controller->activity();
  }

  /// Whether there is anything to save: controllers, or something from outside.
  bool has_memory() const {
    return has_controllers() || !(outside_ == Actuation(outside_.wheels.size()));
  }
  void save(StateWriter* out) const;
  void restore(StateReader* in);
  /// Forgets what came from outside: the state of a set without memory.
  void reset() { outside_ = Actuation(outside_.wheels.size()); }
  /// After a state was restored: controllers act again at their next interval.
  void restart(double time);

 private:
  struct Held {
    std::shared_ptr<Controller> controller;
    Actuation actuation;  // what it said last
    long count = 0;       // of its intervals by then
  };
  /// Multiples of its interval that have passed.
  static long count_intervals(double time, const Controller& controller);

  std::vector<Held> controllers_;  // the equipment's first
  Actuation outside_, composed_;   // from outside; of all together
};

}  // namespace camber::dynamics
