#pragma once

// A frame of the page: time, poses of all bodies and things, a sample, as bytes
// (docs/theory/page-protocol.md, section 4).
//
//   StateFrame frame(&simulation);                     // once, before the drive
//   std::vector<std::byte> bytes(frame.size());
//   frame.write({.number = 1, .clock = ...}, &simulation, bytes);   // in the drive's thread
//
// Writing allocates nothing and has no effect on the simulation: it takes the sample of the last
// tick, and finds poses by a separate search.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "camber/dynamics/snapshot.h"
#include "camber/run/simulation.h"

namespace camber::view {

enum FrameFlag : std::uint16_t {
  kPaused = 1,
  kEnded = 2,
  kFailed = 4,
  kByHand = 8,
  kBrakingForSilence = 16,
  kHoldingForSilence = 32,
  kLate = 64,
  kInReverse = 128,
  kParkingBrake = 256,
  kInLowRange = 512,
};

/// Data of a frame other than the state of the simulation.
struct FrameHead {
  std::uint16_t flags = 0;
  std::uint32_t number = 0;
  double clock = 0;              // of the server since its start [s]
  std::uint32_t input = 0;       // number of the last input that is in the command
  std::uint32_t input_from = 0;  // id of the connection that it came from
  float longest_step = 0;        // CPU time since the last frame [us]
  float longest_ever = 0;        // [us]
  std::uint32_t long_steps = 0;  // of more than 1 ms of CPU
  std::uint32_t late_wakeups = 0;
  float wanted_speed = 1, actual_speed = 1;
  float steer = 0, throttle = 0, brake = 0;  // raw input
  float buttons = 0;
};

/// Contents of a frame, in this order: for each vehicle its bodies, then things, then a sample.
struct FrameLayout {
  std::vector<int> bodies;  // of each vehicle
  int things = 0;
  int sample_size = 0;

  static constexpr std::size_t kHeadBytes = 88;
  std::size_t size() const;  // of a state frame [bytes]
  /// Numbers of a frame: 7 per body, 4 per thing, the sample.
  std::size_t value_count() const;
};

class StateFrame {
 public:
  /// Finds poses once, so that later calls allocate nothing.
  explicit StateFrame(run::Simulation* simulation);

  const FrameLayout& layout() const { return layout_; }
  std::size_t size() const { return layout_.size(); }

  /// `out` must have size() bytes. The sample's values are NaN before the first step.
  void write(const FrameHead& head, run::Simulation* simulation, std::span<std::byte> out);

 private:
  struct Thing {
    const world::MovingThing* thing;
    double first = 0, interval = 1;  // of heights [s]
    std::vector<float> heights;      // of the ground below it [m]
    float height_at(double time) const;
  };

  FrameLayout layout_;
  std::vector<std::vector<dynamics::BodyPose>> poses_;  // by vehicle, with the world first
  std::vector<double> values_;                          // of one vehicle's poses
  std::vector<Thing> things_;
};

/// A state frame as numbers, in doubles: for each vehicle and body position and quaternion (of body
/// 0 in the world, of others in body 0), things, the sample. `values` must have
/// layout.value_count() numbers. Returns the frame's time. Throws std::invalid_argument for a frame
/// of another layout.
double decode_frame(const FrameLayout& layout, std::span<const std::byte> frame,
                    std::span<double> values);

namespace internal {

/// Unit quaternion (x, y, z, w) of a rotation, w >= 0.
struct UnitQuaternion {
  double x = 0, y = 0, z = 0, w = 1;
};
UnitQuaternion to_quaternion(const math::Mat3<double>& R);

/// Position and quaternion of each body after the world: the first in the world, others in the
/// first's frame. 7 numbers per body.
void write_relative_poses(std::span<const dynamics::BodyPose> poses, std::span<double> values);

}  // namespace internal

}  // namespace camber::view
