// State x = (x, y, yaw, v, b, k, s) at the rear axle, which does not slip sideways:
//   x' = v cos(yaw), y' = v sin(yaw), yaw' = w - b, v' = f + g sin(pitch), s' = (1 + k) v       (1)
// The odometer's reading is a state, because ticks are coarse but do not add up: its error is that
// of one tick at any time, while a speed from ticks has it in every sample. Wheels that lock or spin
// do not show the way: a reading that fails the check of its innovation starts s anew.
// A fix is compared with where the antenna was when it was measured, found from the smooth track:
//   X_W(then) = X_W(now) X_S(now)^-1 X_S(then)                                                  (2)
// and is taken if its innovation passes the chi-squared test at 0.1 % for two numbers.

#include "camber/autonomy/vehicle_filter.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::autonomy {
namespace {

constexpr double kGate = 13.82;        // chi-squared, 2 degrees of freedom, 0.1 %
constexpr double kScalarGate = 10.83;  // the same for 1 degree of freedom
constexpr int kMaxRejections = 20;     // in a row; then the filter gives way
constexpr double kCorrelation = 20;    // factor on a fix's variance: successive errors are alike
constexpr double kGyroNoise = 2e-3;    // density, with what the model leaves out [rad/s/sqrt(Hz)]
constexpr double kAccelerationNoise = 0.3;  // density, with that of the pitch [m/s^2/sqrt(Hz)]
constexpr double kSideSlip = 0.02;          // of the rear axle, density [m/s/sqrt(Hz)] per m/s
constexpr double kBiasWalk = 1e-5;          // [rad/s/sqrt(s)]
constexpr double kScaleWalk = 1e-4;         // [1/sqrt(s)]
constexpr double kLevelTime = 20;    // of the accelerometer's correction of roll and pitch [s]
constexpr double kStill = 0.5;       // without a tick: at rest [s]
constexpr double kWheelSlip = 0.5;   // of the wheels in a sample, at an acceleration of g
constexpr double kSlipSpeed = 0.05;  // of the speed, for each reading of wheels that slip [m/s]
constexpr double kStillSpeed = 0.3;  // above it, wheels that do not turn are locked [m/s]

}  // namespace

VehicleFilter::VehicleFilter(const EstimatorSetup& setup, bool uses_gnss)
    : setup_(setup), uses_gnss_(uses_gnss) {
  require(setup.wheelbase > 0, "VehicleFilter: wheelbase must be > 0 m, got ", setup.wheelbase);
  const planning::Pose rear = to_global(setup.start, {-0.5 * setup.wheelbase, 0, 0});
  state_[kX] = rear.x;
  state_[kY] = rear.y;
  state_[kYaw] = rear.heading;
  smooth_rear_ = rear;
  const double sigmas[kStates] = {
      setup.start_sigma, setup.start_sigma, setup.start_yaw_sigma, 0.5, 5e-4, 0.02,
      0.5 * setup.tick};
  for (int i = 0; i < kStates; ++i) P_(i, i) = sigmas[i] * sigmas[i];
}

void VehicleFilter::take(const Measurement& measurement) {
  if (const auto* imu = std::get_if<ImuSample>(&measurement))
    take_imu(*imu);
  else if (const auto* odometry = std::get_if<OdometrySample>(&measurement))
    take_odometry(*odometry);
  else if (const auto* fix = std::get_if<GnssFix>(&measurement))
    take_fix(*fix);
  else if (const auto* bus = std::get_if<BusSample>(&measurement))
    steer_ = bus->steer;
}

// Roll and pitch by the gyroscope, slowly drawn to what the accelerometer says without the
// vehicle's own acceleration.
void VehicleFilter::level(const ImuSample& imu, double dt) {
  const Vec3<double>& f = imu.specific_force;
  const double g = setup_.gravity;
  const auto tilt = [&](double force) { return std::asin(std::clamp(force / g, -0.5, 0.5)); };
  const double pitch = tilt(smooth_acceleration_ - f[0]),
               roll = tilt(f[1] - state_[kSpeed] * yaw_rate_);
  if (!is_leveled_) {
    pitch_ = pitch;
    roll_ = roll;
    is_leveled_ = true;
    return;
  }
  const double share = dt / kLevelTime;
  pitch_ += imu.rate[1] * dt + share * (pitch - pitch_);
  roll_ += imu.rate[0] * dt + share * (roll - roll_);
}

void VehicleFilter::predict(double dt, double yaw_rate, double acceleration) {
  const double yaw = state_[kYaw] + 0.5 * yaw_rate * dt,
               v = state_[kSpeed] + 0.5 * acceleration * dt;
  const double c = std::cos(yaw), s = std::sin(yaw);
  Covariance F = Covariance::Identity();
  F(kX, kYaw) = -v * s * dt;
  F(kX, kSpeed) = c * dt;
  F(kY, kYaw) = v * c * dt;
  F(kY, kSpeed) = s * dt;
  F(kYaw, kBias) = -dt;
  F(kReading, kSpeed) = (1 + state_[kScale]) * dt;
  F(kReading, kScale) = v * dt;
  P_ = F * P_ * F.transpose();
  const double slip = kSideSlip * std::abs(v);
  const double slip_variance = slip * slip * dt;
  P_(kX, kX) += s * s * slip_variance;
  P_(kY, kY) += c * c * slip_variance;
  P_(kYaw, kYaw) += kGyroNoise * kGyroNoise * dt;
  P_(kSpeed, kSpeed) += kAccelerationNoise * kAccelerationNoise * dt;
  P_(kBias, kBias) += kBiasWalk * kBiasWalk * dt;
  P_(kScale, kScale) += kScaleWalk * kScaleWalk * dt;
  const double wheel_slip = kWheelSlip * acceleration / setup_.gravity * v * dt;
  P_(kReading, kReading) += wheel_slip * wheel_slip;

  const double length = v * dt;  // (1)
  state_[kX] += c * length;
  state_[kY] += s * length;
  state_[kYaw] += yaw_rate * dt;
  state_[kSpeed] += acceleration * dt;
  state_[kReading] += (1 + state_[kScale]) * length;
  const double smooth = smooth_rear_.heading + 0.5 * yaw_rate * dt;
  smooth_rear_.x += std::cos(smooth) * length;
  smooth_rear_.y += std::sin(smooth) * length;
  smooth_rear_.heading += yaw_rate * dt;
  z_ -= std::sin(pitch_) * length;
}

void VehicleFilter::take_imu(const ImuSample& imu) {
  const double dt = imu_time_ < 0 ? 0 : imu.time - imu_time_;
  imu_time_ = imu.time;
  if (!(dt >= 0 && dt < 1)) return;
  const bool is_still = time_ - still_since_ > kStill && std::abs(state_[kSpeed]) < kStillSpeed;
  level(imu, dt);
  const double rate = imu.rate[1] * std::sin(roll_) + imu.rate[2] * std::cos(roll_);
  yaw_rate_ = is_still ? 0 : rate - state_[kBias];
  acceleration_ = is_still ? 0 : imu.specific_force[0] + setup_.gravity * std::sin(pitch_);
  time_ = imu.time;
  if (dt > 0) predict(dt, yaw_rate_, acceleration_);
  if (is_still && dt > 0) {  // a gyroscope at rest shows its bias, an odometer no speed
    State H = State::Zero();
    H[kBias] = 1;
    correct(H, rate - state_[kBias], kGyroNoise * kGyroNoise / dt);
    H.setZero();
    H[kSpeed] = 1;
    correct(H, -state_[kSpeed], 1e-4);
  }
  const planning::Pose middle = to_global(smooth_rear_, {0.5 * setup_.wheelbase, 0, 0});
  track_.add({time_, middle.x, middle.y, z_, middle.heading, pitch_, roll_});
}

void VehicleFilter::take_odometry(const OdometrySample& odometry) {
  if (odometry_time_ < 0) first_reading_ = last_reading_ = odometry.distance;
  const double dt = odometry_time_ < 0 ? 0 : odometry.time - odometry_time_;
  odometry_time_ = odometry.time;
  if (odometry.distance != last_reading_) still_since_ = odometry.time;
  last_reading_ = odometry.distance;
  State H = State::Zero();
  H[kReading] = 1;
  // The count is rounded down: on average by half a tick.
  const double seen = odometry.distance - first_reading_ + 0.5 * setup_.tick;
  const double late = state_[kSpeed] * (time_ - odometry.time);
  const double innovation = seen + late - state_[kReading],
               variance = setup_.tick * setup_.tick / 12;
  if (innovation * innovation < kScalarGate * (P_(kReading, kReading) + variance)) {
    correct(H, innovation, variance);
  } else {
    state_[kReading] = seen + late;
    P_.row(kReading).setZero();
    P_.col(kReading).setZero();
    P_(kReading, kReading) = variance;
    P_(kSpeed, kSpeed) += kSlipSpeed * kSlipSpeed;
  }
  if (dt > 0) {
    constexpr double kTime = 0.5;  // [s]
    const double slope = (state_[kSpeed] - speed_before_) / dt;
    smooth_acceleration_ += std::min(1.0, dt / kTime) * (slope - smooth_acceleration_);
  }
  speed_before_ = state_[kSpeed];
}

void VehicleFilter::correct(const State& H, double r, double variance) {
  const State PH = P_ * H;
  const State K = PH / (H.dot(PH) + variance);
  state_ += K * r;
  // Joseph's form stays symmetric and positive.
  const Covariance A = Covariance::Identity() - K * H.transpose();
  P_ = (A * P_ * A.transpose() + variance * K * K.transpose()).eval();
}

// The velocity along the vehicle is the speed, whatever the wheels do.
void VehicleFilter::take_speed(const GnssFix& fix) {
  const double late = time_ - fix.time, yaw = state_[kYaw] - yaw_rate_ * late;
  const double along = std::cos(yaw) * fix.vx + std::sin(yaw) * fix.vy;
  const double speed = state_[kSpeed] - acceleration_ * late - yaw_rate_ * fix.antenna[1];
  const double sigma = fix.velocity_sigma + 0.05;
  State H = State::Zero();
  H[kSpeed] = 1;
  const double innovation = along - speed, variance = sigma * sigma;
  if (innovation * innovation < kScalarGate * (P_(kSpeed, kSpeed) + variance))
    correct(H, innovation, variance);
}

void VehicleFilter::take_fix(const GnssFix& fix) {
  if (!uses_gnss_ || !fix.has_fix || imu_time_ < 0) return;
  take_speed(fix);
  const Placement then = track_.at(fix.time);
  const planning::Pose middle = to_global(smooth_rear_, {0.5 * setup_.wheelbase, 0, 0});
  const planning::Pose moved = to_local(middle, {then.x, then.y, then.yaw});
  const planning::Pose now = to_global(rear_pose(), {0.5 * setup_.wheelbase, 0, 0});
  const planning::Pose there = to_global(now, moved);  // (2)
  const double c = std::cos(there.heading), s = std::sin(there.heading);
  const double ax = c * fix.antenna[0] - s * fix.antenna[1],
               ay = s * fix.antenna[0] + c * fix.antenna[1];
  // The lever from the rear axle now to the antenna then turns with the yaw.
  const double lx = there.x + ax - state_[kX], ly = there.y + ay - state_[kY];
  const double variance = kCorrelation * (fix.sigma * fix.sigma + 1e-4);
  const double rx = fix.x - there.x - ax, ry = fix.y - there.y - ay;
  Eigen::Matrix<double, 2, kStates> H = Eigen::Matrix<double, 2, kStates>::Zero();
  H(0, kX) = H(1, kY) = 1;
  H(0, kYaw) = -ly;
  H(1, kYaw) = lx;
  const Eigen::Matrix2d S = H * P_ * H.transpose() + variance * Eigen::Matrix2d::Identity();
  const double determinant = S(0, 0) * S(1, 1) - S(0, 1) * S(1, 0);
  const double chi2 = (S(1, 1) * rx * rx - 2 * S(0, 1) * rx * ry + S(0, 0) * ry * ry) / determinant;
  if (chi2 > kGate) {
    ++rejected_;
    if (++rejections_ < kMaxRejections) return;
    // So many cannot all be wrong: the place was.
    P_(kX, kX) += rx * rx;
    P_(kY, kY) += ry * ry;
  }
  rejections_ = 0;
  ++accepted_;
  gnss_time_ = fix.time;
  const State before = state_;
  correct(H.row(0).transpose(), rx, variance);
  correct(H.row(1).transpose(), ry - H.row(1).dot(state_ - before), variance);

  // The velocity shows the heading of a vehicle that moves: across the vehicle there is only what
  // the yaw rate gives.
  const double v = state_[kSpeed];
  if (v < 2) return;
  const double yaw = state_[kYaw] - yaw_rate_ * (time_ - fix.time);
  const double across = std::cos(yaw) * fix.vy - std::sin(yaw) * fix.vx;
  const double innovation = across - yaw_rate_ * (fix.antenna[0] + 0.5 * setup_.wheelbase);
  State Hv = State::Zero();
  Hv[kYaw] = v;
  const double sigma = fix.velocity_sigma + 0.02 * v + 0.3 * std::abs(yaw_rate_);
  const double spread = v * v * P_(kYaw, kYaw) + sigma * sigma;
  if (innovation * innovation < kScalarGate * spread) correct(Hv, innovation, sigma * sigma);
}

const Estimate& VehicleFilter::update(const VehicleView& clock) {
  Estimate& e = estimate_;
  const double now = clock.time;
  // From the last measurement to now, at constant rates.
  const double ahead = imu_time_ < 0 ? 0 : std::clamp(now - time_, 0.0, 0.1);
  const double v = state_[kSpeed] + acceleration_ * ahead;
  const auto extend = [&](const planning::Pose& rear) {
    const double length = 0.5 * (state_[kSpeed] + v) * ahead, turn = yaw_rate_ * ahead;
    const planning::Pose there =
        planning::drive(rear, std::abs(length) > 1e-9 ? turn / length : 0, length);
    return to_global(there, {0.5 * setup_.wheelbase, 0, 0});
  };
  e.time = now;
  e.world = extend(rear_pose());
  const planning::Pose smooth = extend(smooth_rear_);
  e.smooth = {now, smooth.x, smooth.y, z_, smooth.heading, pitch_, roll_};
  e.speed = v;
  e.yaw_rate = yaw_rate_;
  e.lateral_speed = 0.5 * setup_.wheelbase * yaw_rate_;
  e.acceleration = acceleration_;
  e.steer = steer_;
  e.grade = -std::tan(pitch_);
  e.position_sigma = std::sqrt(std::max(0.0, P_(kX, kX) + P_(kY, kY)));
  e.problem.clear();
  const auto check = [&](double last, const char* name) {
    if (now > setup_.silence && now - std::max(last, 0.0) > setup_.silence)
      e.problem = concat("no ", name, " for ", short_text(now - std::max(last, 0.0), 2), " s");
  };
  check(imu_time_, "inertial measurement");
  check(odometry_time_, "odometry");
  if (e.position_sigma > setup_.max_sigma)
    e.problem = concat("the place is known to ", short_text(e.position_sigma, 2), " m only");
  return e;
}

void VehicleFilter::save(StateWriter* out) const {
  track_.save(out);
  save_estimate(out);
  out->write(std::span(state_.data(), kStates));
  out->write(std::span(P_.data(), kStates * kStates));
  for (const double value : {time_,
                             imu_time_,
                             odometry_time_,
                             gnss_time_,
                             yaw_rate_,
                             acceleration_,
                             pitch_,
                             roll_,
                             z_,
                             smooth_acceleration_,
                             speed_before_,
                             first_reading_,
                             last_reading_,
                             still_since_,
                             smooth_rear_.x,
                             smooth_rear_.y,
                             smooth_rear_.heading,
                             steer_,
                             is_leveled_ ? 1.0 : 0.0,
                             static_cast<double>(rejections_),
                             static_cast<double>(accepted_),
                             static_cast<double>(rejected_)})
    out->write(value);
}

void VehicleFilter::restore(StateReader* in) {
  track_.restore(in);
  restore_estimate(in);
  in->read(std::span(state_.data(), kStates));
  in->read(std::span(P_.data(), kStates * kStates));
  for (double* value :
       {&time_, &imu_time_, &odometry_time_, &gnss_time_, &yaw_rate_, &acceleration_, &pitch_,
        &roll_, &z_, &smooth_acceleration_, &speed_before_, &first_reading_, &last_reading_,
        &still_since_, &smooth_rear_.x, &smooth_rear_.y, &smooth_rear_.heading, &steer_})
    *value = in->read();
  is_leveled_ = in->read_bool();
  rejections_ = in->read_int();
  accepted_ = in->read_int();
  rejected_ = in->read_int();
}

}  // namespace camber::autonomy
