#pragma once

// A steering wheel at Linux's event interface, with force feedback: browsers read such wheels, but
// cannot turn them. Angles and pedals come as events of axes (linux/input.h); forces go out as one
// constant effect whose level follows the torque at the simulated steering wheel.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "camber/live/exchange.h"

namespace camber::live {

/// An axis as the device describes it.
struct WheelAxis {
  int code = 0;                     // ABS_X = 0 and so on
  int min = 0, max = 0, value = 0;  // value: when the device was opened
};

/// The codes of the axes in use; -1: none.
struct WheelAxes {
  int steer = -1, throttle = -1, brake = -1;
};

/// The usual axes of wheels: steer ABS_WHEEL or ABS_X; throttle ABS_GAS or ABS_Z; brake ABS_BRAKE or
/// ABS_RZ. Entries of `wish` that are not -1 come first. Throws std::invalid_argument if the device
/// has no axis to steer with or not one that is wished.
WheelAxes choose_axes(const std::vector<WheelAxis>& axes, const WheelAxes& wish);
/// "steer=x,throttle=z,brake=rz": names are those of linux/input.h without ABS_, or numbers. Throws
/// std::invalid_argument.
WheelAxes parse_wheel_axes(const std::string& text);

struct WheelReading {
  float steer = 0;                // -1 to 1, left +
  float throttle = 0, brake = 0;  // 0 to 1; 0 until the pedal has moved
  bool parking_brake = false;     // the first button sets and releases it
  std::uint8_t selector = 0;      // 1 forward, 2 reverse, by the paddles; 0 until one is pressed
  bool is_there = true;           // false: the device was pulled out
  std::uint32_t number = 0;       // of reports so far
};

/// Turns the bytes of an event device into readings.
class WheelDecoder {
 public:
  WheelDecoder(std::vector<WheelAxis> axes, const WheelAxes& chosen);

  /// Takes bytes as they are read; an event may come in pieces.
  void take(std::span<const std::byte> bytes);
  const WheelReading& reading() const { return reading_; }
  /// Events were lost: the axes must be read anew and given to resume().
  bool has_lost_events() const { return has_lost_; }
  void resume(const std::vector<WheelAxis>& axes);

 private:
  struct Axis {
    WheelAxis data;
    bool has_moved = false, is_inverted = false;
  };
  void take_event(unsigned type, unsigned code, int value);
  void take_axis(int code, int value);
  void report();
  static double share(const Axis& axis);

  WheelAxes chosen_;
  std::vector<Axis> axes_;
  std::vector<std::byte> rest_;  // of an event
  bool has_lost_ = false;
  WheelReading reading_;
};

/// The operations on an open event device; a test has its own.
class WheelPort {
 public:
  virtual ~WheelPort() = default;
  virtual std::string name() const = 0;
  virtual std::vector<WheelAxis> axes() const = 0;
  virtual bool has_constant_force() const = 0;
  /// Waits at most `timeout` ms. Returns how many bytes there are; 0: none came; -1: the device is
  /// gone.
  virtual int read(std::span<std::byte> bytes, int timeout) = 0;
  /// Sets the constant force: -1 to 1, left +. False: it does not work.
  virtual bool push(double level) = 0;
};

struct WheelOptions {
  WheelAxes axes = {};
  double gain = 1;         // of the force; negative: the other way round
  double full_torque = 8;  // at the simulated steering wheel, of a gain of 1 [N m]
};

/// A wheel with its own thread.
class WheelDevice {
 public:
  WheelDevice(std::unique_ptr<WheelPort> port, const WheelOptions& options);
  ~WheelDevice();
  WheelDevice(const WheelDevice&) = delete;
  WheelDevice& operator=(const WheelDevice&) = delete;

  const std::string& name() const { return name_; }
  bool has_force() const { return has_force_; }
  /// Any thread.
  WheelReading read() const { return reading_.read(); }
  /// The torque of the driver that holds the simulated wheel, left + [N m]: the device pushes
  /// against it. 0: no force. To be called by one thread.
  void set_torque(double torque) { torque_.store(torque, std::memory_order_relaxed); }

 private:
  void work();
  void push();

  std::unique_ptr<WheelPort> port_;
  WheelOptions options_;
  std::string name_;
  bool has_force_ = false;
  WheelDecoder decoder_;
  Seqlock<WheelReading> reading_;
  std::atomic<double> torque_ = 0;
  double level_ = 0, pushed_ = 0;  // -1 to 1
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

/// Opens /dev/input/eventN. Throws std::invalid_argument with the reason if it is no event device or
/// may not be read.
std::unique_ptr<WheelPort> open_wheel_port(const std::string& path);
/// The first event device that steers and has constant forces; nothing if there is none.
std::optional<std::string> find_wheel(const std::string& folder = "/dev/input");

}  // namespace camber::live
