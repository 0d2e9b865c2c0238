#pragma once

// From keys, pads, wheels and screens to commands of a vehicle. The filters are here rather than in
// the page, so that the same inputs give the same drive; they advance with simulated time.

#include <cstdint>

#include "camber/autonomy/vehicle_view.h"

namespace camber::live {

enum class Device : std::uint16_t { kKeys = 0, kPad = 1, kWheel = 2, kTouch = 3, kScript = 4 };
constexpr int kDeviceCount = 5;

/// Duration of the driver's silence.
enum class Silence : std::uint8_t { kNone = 0, kHold = 1, kBrake = 2 };

constexpr std::uint32_t kButtonParkingBrake = 1, kButtonFullLock = 2;

/// Input of a device, in the range that the protocol allows.
struct HandInput {
  bool is_driven = false;  // a page has the wheel; otherwise the scenario's driver does
  Silence silence = Silence::kNone;
  Device device = Device::kKeys;
  std::uint32_t client = 0;  // who
  std::uint32_t number = 0;  // of the message
  float steer = 0;           // -1 to 1, left +
  float throttle = 0;        // 0 to 1
  float brake = 0;           // 0 to 1
  std::uint32_t buttons = 0;

  /// 0 as it is, 1 forward, 2 reverse.
  int selector() const { return static_cast<int>(buttons >> 2 & 3); }
  /// 0 none, 1 filter, 2 filter and speed hold.
  int assist() const { return static_cast<int>(buttons >> 4 & 3); }
  /// Of the transfer case: 0 as it is, 1 high, 2 low.
  int range() const { return static_cast<int>(buttons >> 6 & 3); }
};

/// Data of a vehicle for the filters.
struct HandLimits {
  double lock = 0.55;         // mean angle of the steered wheels [rad]
  double wheelbase = 3;       // [m]
  double understeer = 0.003;  // more steer per lateral acceleration [rad s^2/m]
};

/// Laws and numbers of the filters.
namespace hand {
constexpr double kLateral = 4.0;        // lateral acceleration that a key requests [m/s^2]
constexpr double kSlowRate = 0.6;       // of the steered wheels, toward more steer, slow [rad/s]
constexpr double kFastRate = 0.2;       // the same at kFastSpeed and above [rad/s]
constexpr double kFastSpeed = 20;       // [m/s]
constexpr double kBackFactor = 1.5;     // back toward the center
constexpr double kThroughFactor = 2.0;  // through the center to the other side
constexpr double kStickFactor = 2.0;    // a stick or a finger says how far: it may be quicker
constexpr double kThrottleOn = 2.0, kThrottleOff = 4.0;  // [1/s]
constexpr double kBrakeOn = 3.0, kBrakeOff = 6.0;        // [1/s]
constexpr double kDeadZone = 0.06, kExpo = 0.35;         // of a pad's stick
constexpr double kSilentBrake = 0.6;                     // pedal when the driver is silent
constexpr double kSelectorSpeed = 0.5;                   // the selector moves below it [m/s]
constexpr double kLeverTime = 0.1;                       // that the lever of the range takes [s]

/// The angle of a full deflection: limited by grip at speed, by the lock when slow.
double calc_steer_limit(const HandLimits& limits, double speed);
/// Rate of the steered wheels from `now` to `target` [rad/s].
double calc_steer_rate(double now, double target, double speed);
/// A pad's stick: dead zone in the middle, small gain around it, -1 to 1.
double shape_stick(double raw);
/// From `now` toward `target`, no faster than up or down.
double approach(double now, double target, double up, double down, double dt);
}  // namespace hand

class HandDriver {
 public:
  explicit HandDriver(const HandLimits& limits) : limits_(limits) {}

  /// A page takes over at `time` [s], starting from the driver's last request.
  void take_over(double time, const autonomy::Command& last, bool is_reverse);
  /// The scenario's driver continues.
  void release() { state_ = {.range = state_.range}; }
  bool is_active() const { return state_.is_active; }
  /// The command from `time` on [s].
  autonomy::Command update(const HandInput& input, const autonomy::VehicleView& view, double time);

  const HandLimits& limits() const { return limits_; }
  bool is_reverse() const { return state_.direction < 0; }
  /// The range that was chosen last: 0 none, 1 high, 2 low.
  int range() const { return state_.range; }

  /// The complete state; restoring a copy returns to it.
  struct State {
    bool is_active = false;  // somebody has the wheel
    double time = 0;         // of the last update [s]
    double steer = 0, throttle = 0, brake = 0;
    int direction = 1;       // of the selector as it was set last
    int range = 0;           // of the transfer case, 1 high, 2 low; 0: as it was at the start
    double range_until = 0;  // its lever is held there [s]
    bool holds_speed = false;
    double speed = 0, integral = 0;  // of the speed hold [m/s], throttle
  };
  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  double find_steer_target(const HandInput& input, double speed) const;
  void update_pedals(const HandInput& input, double speed, double dt);
  bool hold_speed(const HandInput& input, double speed, double dt);

  HandLimits limits_;
  State state_;
};

}  // namespace camber::live
