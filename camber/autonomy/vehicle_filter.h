#pragma once

#include "camber/autonomy/state_estimator.h"
#include "camber/math/types.h"

namespace camber::autonomy {

/// An extended Kalman filter of gyroscope, accelerometer, odometer and satellite fixes; without
/// fixes it is dead reckoning. docs/theory/autonomy.md, section 1.
class VehicleFilter : public StateEstimator {
 public:
  VehicleFilter(const EstimatorSetup& setup, bool uses_gnss);

  void take(const Measurement& measurement) override;
  const Estimate& update(const VehicleView& clock) override;

  /// Numbers of fixes that were accepted, and that failed the check of their innovation.
  long accepted() const { return accepted_; }
  long rejected() const { return rejected_; }

  void save(StateWriter* out) const override;
  void restore(StateReader* in) override;

 private:
  static constexpr int kStates = 7;
  // x, y of the middle of the rear axle [m], yaw [rad], speed [m/s], bias of the gyroscope [rad/s],
  // relative error of the odometer [1], its reading [m]
  enum Index { kX, kY, kYaw, kSpeed, kBias, kScale, kReading };
  using State = Eigen::Matrix<double, kStates, 1>;
  using Covariance = Eigen::Matrix<double, kStates, kStates>;

  void take_imu(const ImuSample& imu);
  void take_odometry(const OdometrySample& odometry);
  void take_speed(const GnssFix& fix);
  void take_fix(const GnssFix& fix);
  void level(const ImuSample& imu, double dt);
  void predict(double dt, double yaw_rate, double acceleration);
  /// One scalar measurement with innovation `r` and row H.
  void correct(const State& H, double r, double variance);
  planning::Pose rear_pose() const { return {state_[kX], state_[kY], state_[kYaw]}; }

  EstimatorSetup setup_;
  bool uses_gnss_;
  State state_ = State::Zero();
  Covariance P_ = Covariance::Zero();
  double time_ = 0, imu_time_ = -1, odometry_time_ = -1, gnss_time_ = -1;  // of the last ones [s]
  double yaw_rate_ = 0, acceleration_ = 0;       // last ones [rad/s], [m/s^2]
  double pitch_ = 0, roll_ = 0, z_ = 0;          // [rad], [m]
  double smooth_acceleration_ = 0;               // of the odometer [m/s^2]
  double speed_before_ = 0;                      // at the last odometry [m/s]
  double first_reading_ = 0, last_reading_ = 0;  // of the odometer [m]
  double still_since_ = 0;                       // the odometer has not moved since then [s]
  planning::Pose smooth_rear_;                   // in the smooth frame
  double steer_ = 0;                             // [rad]
  bool is_leveled_ = false;
  int rejections_ = 0;  // in a row
  long accepted_ = 0, rejected_ = 0;
};

}  // namespace camber::autonomy
