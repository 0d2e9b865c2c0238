#include "camber/dynamics/controller_set.h"

#include <cmath>

#include "camber/core/require.h"

namespace camber::dynamics {

void ControllerSet::add(std::shared_ptr<Controller> controller, double time) {
  require(controller != nullptr, "add_controller: there is none");
  const double interval = controller->interval();
  require(interval > 0 && std::isfinite(interval),
          "add_controller: its interval must be > 0 s, got ", interval);
  const long count = count_intervals(time, *controller);
  controllers_.push_back({std::move(controller), Actuation(outside_.wheels.size()), count});
}

long ControllerSet::count_intervals(double time, const Controller& controller) {
  constexpr double kEarly = 1e-6;  // of an interval
  return static_cast<long>(std::floor(time / controller.interval() + kEarly));
}

void ControllerSet::actuate(const Actuation& actuation) {
  require(actuation.wheels.size() == outside_.wheels.size(), "actuate: the vehicle has ",
          outside_.wheels.size(), " wheels, got ", actuation.wheels.size());
  outside_ = actuation;
}

void ControllerSet::compose() {
  composed_.wheels.assign(composed_.wheels.size(), {});
  composed_.steer = composed_.lock = 0;
  composed_.max_throttle = 1;
  composed_.gear = 0;
  for (const Held& held : controllers_) composed_.add(held.actuation);
  composed_.add(outside_);
}

void ControllerSet::save(StateWriter* out) const {
  outside_.save(out);
  for (const Held& held : controllers_) {
    held.controller->save(out);
    held.actuation.save(out);
  }
}

void ControllerSet::restore(StateReader* in) {
  outside_.restore(in);
  for (Held& held : controllers_) {
    held.controller->restore(in);
    held.actuation.restore(in);
  }
}

void ControllerSet::restart(double time) {
  for (Held& held : controllers_) held.count = count_intervals(time, *held.controller);
}

}  // namespace camber::dynamics
