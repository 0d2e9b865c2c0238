#pragma once

// Position and motion of the vehicle from its sensors, in two frames: the world's, in which goals
// are given, and a smooth one that starts as the world's and in which the vehicle never jumps; maps
// are kept in this frame.

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "camber/autonomy/measurement.h"
#include "camber/autonomy/vehicle_view.h"
#include "camber/core/state_buffer.h"
#include "camber/planning/geometry.h"

namespace camber::autonomy {

/// Place and attitude of the vehicle's frame, midway between the axles on the ground.
struct Placement {
  double time = 0;                      // [s]
  double x = 0, y = 0, z = 0;           // [m]
  double yaw = 0, pitch = 0, roll = 0;  // [rad]
};

/// Rotation of a placement: about z, then y, then x.
Mat3<double> make_rotation(const Placement& at);

/// The pose b as seen from the frame a, and its inverse.
planning::Pose to_local(const planning::Pose& a, const planning::Pose& b);
planning::Pose to_global(const planning::Pose& a, const planning::Pose& local);

struct Estimate {
  double time = 0;                                           // [s]
  planning::Pose world;                                      // midway between the axles
  Placement smooth;                                          // the same in the smooth frame
  double speed = 0;                                          // forward [m/s]
  double lateral_speed = 0, yaw_rate = 0, acceleration = 0;  // as in VehicleView
  double steer = 0;                                          // [rad]
  double grade = 0;                                          // rise over run
  double position_sigma = 0;                                 // of x and y together, 1 sigma [m]
  std::string problem;  // why it must not be driven by; empty: it may
};

/// Placements of the last second, by time.
class PlacementTrack {
 public:
  void add(const Placement& at);
  bool empty() const { return count_ == 0; }
  /// Linear between two placements; the first or last one outside of them.
  Placement at(double time) const;

  void save(StateWriter* out) const;
  void restore(StateReader* in);

 private:
  static constexpr std::size_t kSize = 256;
  static constexpr double kSpacing = 0.004;  // at least [s]
  std::array<Placement, kSize> ring_;
  std::size_t next_ = 0, count_ = 0;
};

class StateEstimator {
 public:
  virtual ~StateEstimator() = default;

  virtual void take(const Measurement&) {}
  /// The estimate at the view's time. Only the estimator "truth" reads more of it.
  virtual const Estimate& update(const VehicleView& truth) = 0;
  /// Placements in the smooth frame.
  const PlacementTrack& track() const { return track_; }

  virtual void save(StateWriter* out) const = 0;
  virtual void restore(StateReader* in) = 0;

 protected:
  PlacementTrack track_;
  Estimate estimate_;

  void save_estimate(StateWriter* out) const;
  void restore_estimate(StateReader* in);
};

enum class StateKind { kTruth, kDeadReckoning, kEkf };
inline constexpr std::string_view kStateWords[] = {"truth", "dead_reckoning", "ekf"};

/// Initial knowledge of an estimator.
struct EstimatorSetup {
  planning::Pose start;           // midway between the axles, in the world's frame
  double start_sigma = 0.05;      // of x and y [m]
  double start_yaw_sigma = 0.01;  // [rad]
  double wheelbase = 0;           // [m]
  double gravity = 9.81;          // [m/s^2]
  double tick = 0.06;             // of the odometry [m]
  double silence = 0.5;           // after which a sensor counts as silent [s]
  double max_sigma = 5;           // position_sigma above which driving must stop [m]
};

std::unique_ptr<StateEstimator> make_estimator(StateKind kind, const EstimatorSetup& setup);

}  // namespace camber::autonomy
