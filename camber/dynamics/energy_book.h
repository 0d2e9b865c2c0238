#pragma once

#include <optional>

#include "camber/core/state_buffer.h"
#include "camber/dynamics/driven_vehicle.h"
#include "camber/dynamics/snapshot.h"
#include "camber/dynamics/tree_motion.h"

namespace camber::dynamics {

/// The energy balance of a vehicle since its start. The work of dampers is integrated by the
/// trapezoidal rule between the moments at which update() is called; all other terms come from the
/// vehicle's own accounts, which are integrated with its state.
class EnergyBook {
 public:
  explicit EnergyBook(TreeMotion motion) : motion_(std::move(motion)) {}

  /// Advances to the state of `now`. `tire_springs`: energy in the springs of the tires [J]. If the
  /// motion is not found, the balance has no value there; it returns with the next update.
  template <class Chassis>
  void update(Chassis* chassis, double t, std::span<const double> q, std::span<const double> v,
              const DriveSnapshot& now, double tire_springs, double engine_inertia);
  /// The same without advancing: after restore() and roll_back().
  template <class Chassis>
  void look(Chassis* chassis, double t, std::span<const double> q, std::span<const double> v,
            const DriveSnapshot& now, double tire_springs, double engine_inertia);

  /// See TreeMotion.
  void set_quick() { motion_.set_quick(); }

  /// None: it has no value at this moment.
  const std::optional<VehicleSnapshot::Energy>& balance() const { return balance_; }

  void save(StateWriter* out) const;
  void restore(StateReader* in);
  void save_searches(StateWriter* out) const { motion_.save_search(out); }
  void restore_searches(StateReader* in) { motion_.restore_search(in); }
  void mark() {
    motion_.mark();
    marked_ = memory_;
  }
  void roll_back() {
    motion_.roll_back();
    memory_ = marked_;
  }

 private:
  struct Memory {
    double first = 0;          // stored energy at the start [J]
    double damped = 0;         // by the dampers since the start [J]
    double damping_power = 0;  // at the last update [W]
    double until = 0;          // time of the last update [s]
  };
  void take_balance(double t, const DriveSnapshot& now, double tire_springs, double engine_inertia,
                    bool moves_on);

  TreeMotion motion_;
  Memory memory_, marked_;
  std::optional<VehicleSnapshot::Energy> balance_;
};

}  // namespace camber::dynamics
