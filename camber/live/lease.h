#pragma once

#include <cstdint>

#include "camber/live/hand_driver.h"

namespace camber::live {

/// Which client has the wheel, and how long it has been silent. Times are of any clock [s].
class Lease {
 public:
  struct Times {
    double hold = 0.3;   // throttle is released, the steering held
    double brake = 1.0;  // the vehicle brakes
    double end = 5.0;    // the lease ends; the vehicle stays braked
  };

  explicit Lease(const Times& times) : times_(times) {}
  Lease() : Lease(Times{}) {}

  /// The client that drives, or 0.
  std::uint32_t driver() const { return driver_; }
  /// False if another client drives and `by_force` is not set.
  bool take(std::uint32_t client, bool by_force, double now);
  /// The driver gives the wheel to the scenario's driver.
  bool release(std::uint32_t client);
  /// A driver whose connection is gone is silent from now on.
  void leave(std::uint32_t client, double now);
  /// An input of a client. False if it does not drive: it has no effect.
  bool hear(const HandInput& input, double now);
  /// Whether a client may pause, reset and so on: the driver, or any client while none drives.
  bool may_control(std::uint32_t client) const { return driver_ == 0 || driver_ == client; }

  /// To be called repeatedly. True if the lease has ended by silence.
  bool pass(double now);
  /// The input for the vehicle.
  const HandInput& input() const { return input_; }

 private:
  Times times_;
  std::uint32_t driver_ = 0;
  bool is_abandoned_ = false;  // braked, until a client takes or releases it
  double heard_ = 0;           // [s]
  HandInput input_;
};

}  // namespace camber::live
