#pragma once

// Controllers of a vehicle beside its driver: those of its equipment (driving_assistance.h) and your
// own. Each has its own rate, looks at the snapshot and says what it adds to the driver's command.
//
//   struct MyBrakes : dynamics::Controller {
//     double interval() const override { return 0.005; }
//     void update(const dynamics::VehicleSnapshot& now, dynamics::Actuation* mine) override {
//       for (std::size_t i = 0; i < now.wheels.size(); ++i)
//         mine->wheels[i].max_pressure = now.wheels[i].slip < -0.2 ? 0 : 1;
//     }
//   };
//   simulation.add_controller(std::make_shared<MyBrakes>());
//
// A controller acts at the first integration step that ends at or after each multiple of its
// interval; what it says holds until it acts again. Controllers of the equipment act first, then
// yours, in the order in which they were added (docs/theory/driving.md, section 8).

#include <limits>
#include <span>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/dynamics/snapshot.h"

namespace camber::dynamics {

/// What is added to the driver's command.
struct Actuation {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  struct Wheel {
    double pressure = kNone;  // of the brake in place of the pedal's, 0 to 1; kNone: the pedal's
    double min_pressure = 0;  // at least, also without the pedal
    double max_pressure = kNone;  // at most
    double drive_torque = 0;      // added to the driveline's [N m]
    bool operator==(const Wheel&) const = default;
  };
  std::vector<Wheel> wheels;
  double steer = 0;         // added to the mean angle of the steered wheels [rad]
  double max_throttle = 1;  // 0 to 1
  int gear = 0;             // forward gear to hold; 0: as the driver has it
  double lock = 0;          // of the differentials that have one, 0 to 1

  explicit Actuation(std::size_t wheel_count = 0) : wheels(wheel_count) {}
  bool operator==(const Actuation&) const = default;

  /// Another controller's, which acts after this one: its pressure and gear replace those of this
  /// one where it has some; torques and angles add up; of limits the tighter one counts.
  void add(const Actuation& later);
  /// Pressure at a wheel for what the pedal asks for there.
  double find_pressure(std::size_t wheel, double asked) const;

  void save(StateWriter* out) const;
  void restore(StateReader* in);
};

class Controller {
 public:
  virtual ~Controller() = default;
  Controller() = default;
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  virtual double interval() const = 0;  // [s]
  /// `mine` is what it said last, at first nothing; it allocates nothing if this does not.
  virtual void update(const VehicleSnapshot& now, Actuation* mine) = 0;
  /// How strongly it intervenes, 0 to 1, for the log.
  virtual double activity() const { return 0; }
  /// All that its next actions depend on, beside what it said last.
  virtual void save(StateWriter*) const {}
  virtual void restore(StateReader*) {}
};

}  // namespace camber::dynamics
