#include "camber/live/lease.h"

namespace camber::live {

bool Lease::take(std::uint32_t client, bool by_force, double now) {
  if (driver_ != 0 && driver_ != client && !by_force) return false;
  const bool is_new = driver_ != client;
  driver_ = client;
  is_abandoned_ = false;
  heard_ = now;
  if (is_new) {
    // The selector and the parking brake stay as they were; feet are off the pedals.
    input_ = {.is_driven = true,
              .device = input_.device,
              .client = client,
              .buttons = input_.buttons & kButtonParkingBrake};
  }
  input_.is_driven = true;
  input_.silence = Silence::kNone;
  return true;
}

bool Lease::release(std::uint32_t client) {
  if (driver_ != client && !(driver_ == 0 && is_abandoned_)) return false;
  driver_ = 0;
  is_abandoned_ = false;
  input_ = {};
  return true;
}

void Lease::leave(std::uint32_t client, double now) {
  if (client == driver_) heard_ = now - times_.hold;
}

bool Lease::hear(const HandInput& input, double now) {
  if (driver_ == 0 || input.client != driver_) return false;
  heard_ = now;
  input_ = input;
  input_.is_driven = true;
  input_.silence = Silence::kNone;
  return true;
}

bool Lease::pass(double now) {
  if (driver_ == 0) return false;
  const double silence = now - heard_;
  input_.silence = silence >= times_.brake  ? Silence::kBrake
                   : silence >= times_.hold ? Silence::kHold
                                            : Silence::kNone;
  if (silence < times_.end) return false;
  driver_ = 0;
  is_abandoned_ = true;  // is_driven and the brake stay
  return true;
}

}  // namespace camber::live
