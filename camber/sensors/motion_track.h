#pragma once

// The recent motion of a frame: its states at the ends of the integration steps, and its pose at
// any time between them.
//
//   MotionTrack track(128);
//   track.push(state);                       // after each step
//   const Pose X_WV = track.at(0.0123).pose;
//
// Between two states the position is the cubic that has both ends' positions and velocities, the
// attitude the rotation vector's cubic that has both ends' attitudes and angular velocities: both
// are continuous with their first derivatives (docs/theory/sensors.md (1)-(4)).

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "camber/core/state_buffer.h"
#include "camber/math/vec3.h"

namespace camber::sensors {

using math::Mat3;
using math::Vec3;

/// Pose of a frame F in W.
struct Pose {
  Vec3<double> position;                             // p_WF [m]
  Mat3<double> rotation = Mat3<double>::identity();  // R_WF
};

/// Motion of a frame F in W, expressed in W and taken at F's origin.
struct Motion {
  double time = 0;  // [s]
  Pose pose;
  Vec3<double> velocity, acceleration;                  // [m/s], [m/s^2]
  Vec3<double> angular_velocity, angular_acceleration;  // [rad/s], [rad/s^2]
};

/// Motion of a frame S that is fixed to F at `mount` (pose of S in F).
Motion find_mounted_motion(const Motion& frame, const Pose& mount);

/// exp of a rotation vector.
Mat3<double> rotation_of_vector(const Vec3<double>& v);
/// The nearest rotation, for a matrix that is off by rounding.
Mat3<double> orthonormalize(const Mat3<double>& R);

/// The motion between two states.
class MotionSegment {
 public:
  MotionSegment() = default;
  MotionSegment(const Motion& from, const Motion& to);

  double begin() const { return from_.time; }
  double end() const { return from_.time + length_; }
  Pose pose_at(double time) const;
  static constexpr std::size_t kLanes = 8;
  /// Points [3][8] and `count` directions, each [3][8], of F at eight times of the segment: become
  /// those of W.
  void place(const double* time, double (*point)[kLanes], double (*directions)[kLanes],
             std::size_t count) const;
  /// With velocities that are the derivatives of the pose; accelerations change linearly from one
  /// state's to the other's.
  Motion at(double time) const;

 private:
  Motion from_, to_;
  double length_ = 0;                             // [s]
  Vec3<double> turn_;                             // rotation vector from one end to the other, in F
  Vec3<double> turn_rate_begin_, turn_rate_end_;  // its derivatives at the ends [rad/s]
};

class MotionTrack {
 public:
  /// Keeps the last `capacity` states, at least 2.
  explicit MotionTrack(std::size_t capacity);

  /// Appends a state; its time must be later than the last one's, otherwise it replaces that one.
  void push(const Motion& state);
  void clear() { count_ = 0; }

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  std::size_t capacity() const { return states_.size(); }
  double begin() const { return state(0).time; }
  double end() const { return state(count_ - 1).time; }
  /// State number i, the oldest is 0.
  const Motion& state(std::size_t i) const { return states_[(first_ + i) % states_.size()]; }

  /// The segment that holds a time; times before and after the track take its first and last one.
  /// Needs two states.
  MotionSegment segment_at(double time) const;
  Motion at(double time) const;

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  std::size_t find(double time) const;

  std::vector<Motion> states_;
  std::size_t first_ = 0, count_ = 0;
};

/// Recent motions of a vehicle: of its own frame, and of the bodies that carry sensors or that are
/// seen to move against it.
struct VehicleMotion {
  MotionTrack frame;
  std::vector<std::string> names = {};   // of the bodies
  std::vector<MotionTrack> bodies = {};  // theirs, in this order

  // NOLINTNEXTLINE(google-explicit-constructor): most vehicles are a frame and nothing else
  VehicleMotion(MotionTrack of_frame) : frame(std::move(of_frame)) {}
  /// That of a body; -1: of the frame.
  const MotionTrack& track(int body) const { return body < 0 ? frame : bodies[body]; }
};

/// Acceleration and angular acceleration of the state that is appended next, from the velocities of
/// the last two and its own: to second order in the step, zero at the start.
void estimate_accelerations(const MotionTrack& track, Motion* next);

}  // namespace camber::sensors
