#include "camber/dynamics/driving_assistance.h"

#include <algorithm>
#include <cmath>

namespace camber::dynamics {

namespace {

/// The vehicle's speed as a control unit finds it: the last one, carried on by an acceleration sensor.
/// While it brakes no wheel rolls faster than the vehicle, while it drives none slower: the second
/// fastest or slowest wheel pulls the speed to that side, and a small drift keeps it near the bound.
class SpeedObserver {
 public:
  void update(const VehicleSnapshot& now, const AssistedVehicle& vehicle, double dt) {
    constexpr double kDrift = 0.3, kPull = 2;  // [m/s^2]
    constexpr double kTouched = 0.02;          // of a pressure
    double slowest = HUGE_VAL, slower = HUGE_VAL, fastest = -HUGE_VAL, faster = -HUGE_VAL;
    double pressure = 0;
    for (std::size_t i = 0; i < now.wheels.size(); ++i) {
      const double speed = vehicle.radius[i] * now.wheels[i].spin + aside(now, i);
      slower = std::min(slower, std::max(slowest, speed));
      slowest = std::min(slowest, speed);
      faster = std::max(faster, std::min(fastest, speed));
      fastest = std::max(fastest, speed);
      pressure = std::max(pressure, now.wheels[i].brake_pressure);
    }
    const double acceleration = now.acceleration[0];
    if (!is_started_) {
      speed_ = 0.5 * (slower + faster);
      acceleration_ = acceleration;
    }
    is_started_ = true;
    speed_ += 0.5 * (acceleration_ + acceleration) * dt;
    acceleration_ = acceleration;
    speed_ += pressure > kTouched ? std::clamp(faster - speed_, -kDrift * dt, kPull * dt)
                                  : std::clamp(slower - speed_, -kPull * dt, kDrift * dt);
  }
  double speed() const { return speed_; }
  /// Where wheel i is, along the vehicle [m/s].
  double speed_at(const VehicleSnapshot& now, std::size_t i) const {
    return speed_ - aside(now, i);
  }

  void save(StateWriter* out) const {
    out->write(is_started_ ? 1 : 0);
    out->write(speed_);
    out->write(acceleration_);
  }
  void restore(StateReader* in) {
    is_started_ = in->read_bool();
    speed_ = in->read();
    acceleration_ = in->read();
  }

 private:
  /// How much slower a wheel's center moves than the vehicle's frame, because of the yaw rate.
  static double aside(const VehicleSnapshot& now, std::size_t i) {
    return now.rates[2] * dot(now.wheels[i].center - now.position, now.rotation.c[1]);
  }

  bool is_started_ = false;
  double speed_ = 0, acceleration_ = 0;  // [m/s], of the last sample [m/s^2]
};

/// Pressure of each wheel goes through cycles of hold, reduce, recover, build.
class AntiLock : public Controller {
 public:
  AntiLock(const AntiLockBrakes& setup, const BrakeModulator& modulator,
           const AssistedVehicle& vehicle)
      : setup_(setup), modulator_(modulator), vehicle_(vehicle), wheels_(vehicle.radius.size()) {}

  double interval() const override { return setup_.interval; }

  void update(const VehicleSnapshot& now, Actuation* mine) override {
    observer_.update(now, vehicle_, setup_.interval);
    active_ = 0;
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      control(now, i);
      if (wheels_[i].phase != Phase::kFollow) active_ += 1.0 / static_cast<double>(wheels_.size());
    }
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const int partner = vehicle_.partner[i];
      double limit = wheels_[i].limit;
      if (setup_.has_select_low && !vehicle_.is_front[i] && partner >= 0)
        limit = std::min(limit, wheels_[static_cast<std::size_t>(partner)].limit);
      mine->wheels[i].max_pressure = limit;
    }
  }

  double activity() const override { return active_; }

  void save(StateWriter* out) const override {
    observer_.save(out);
    for (const Wheel& w : wheels_) {
      out->write(static_cast<int>(w.phase));
      for (const double value : {w.limit, w.peak, w.rim_speed, w.rim_rate}) out->write(value);
      out->write(w.is_known ? 1 : 0);
    }
    out->write(active_);
  }
  void restore(StateReader* in) override {
    observer_.restore(in);
    for (Wheel& w : wheels_) {
      w.phase = static_cast<Phase>(in->read_int());
      for (double* value : {&w.limit, &w.peak, &w.rim_speed, &w.rim_rate}) *value = in->read();
      w.is_known = in->read_bool();
    }
    active_ = in->read();
  }

 private:
  enum class Phase { kFollow, kHold, kReduce, kRecover, kBuild };
  struct Wheel {
    Phase phase = Phase::kFollow;
    double limit = Actuation::kNone;     // of its pressure
    double peak = 0;                     // its pressure when the last cycle began
    double rim_speed = 0, rim_rate = 0;  // [m/s], [m/s^2], smoothed
    bool is_known = false;
  };

  void control(const VehicleSnapshot& now, std::size_t i) {
    constexpr double kSmoothing = 0.5;  // of a new difference in the rim's rate
    constexpr double kEarly = 0.3,
                     kCaught = 0.7;             // of the slip: where deceleration counts; recovered
    constexpr double kMore = 0.3, kSoon = 0.7;  // of the modulator's rate
    constexpr double kNear = 0.85;              // of the pressure at which the wheel began to slip
    Wheel& w = wheels_[i];
    const double dt = setup_.interval, rim = vehicle_.radius[i] * now.wheels[i].spin;
    if (w.is_known) w.rim_rate += kSmoothing * ((rim - w.rim_speed) / dt - w.rim_rate);
    w.rim_speed = rim;
    w.is_known = true;
    const double speed = observer_.speed_at(now, i), pressure = now.wheels[i].brake_pressure;
    if (observer_.speed() < setup_.min_speed || now.wheels[i].line_pressure < 0.01) {
      w.phase = Phase::kFollow;
      w.limit = Actuation::kNone;
      return;
    }
    const double slip = (speed - rim) / std::max(speed, setup_.min_speed);
    const bool slips = slip > setup_.slip, falls = w.rim_rate < -setup_.deceleration;
    const bool catches_up = w.rim_rate > now.acceleration[0];
    switch (w.phase) {
      case Phase::kFollow:
        if (slips || (falls && slip > kEarly * setup_.slip)) {
          w.phase = slips ? Phase::kReduce : Phase::kHold;
          w.limit = w.peak = pressure;
        }
        break;
      case Phase::kHold:
        if (slips || !falls) w.phase = slips ? Phase::kReduce : Phase::kBuild;
        break;
      case Phase::kReduce:
        w.limit = std::max(0.0, w.limit - modulator_.fall_rate * dt);
        if (catches_up) w.phase = Phase::kRecover;
        break;
      case Phase::kRecover:  // faster than needed: some more pressure
        if (w.rim_rate > setup_.acceleration) w.limit += kMore * modulator_.rise_rate * dt;
        if (slip < kCaught * setup_.slip)
          w.phase = Phase::kBuild;
        else if (slips && !catches_up)
          w.phase = Phase::kReduce;
        break;
      case Phase::kBuild:  // soon to near where the wheel began to slip, then slowly
        w.limit +=
            dt * (w.limit < kNear * w.peak ? kSoon * modulator_.rise_rate : setup_.build_rate);
        if (slips || (falls && slip > kCaught * setup_.slip)) {
          w.phase = Phase::kReduce;
          w.limit = w.peak = pressure;
        }
        break;
    }
    if (w.phase == Phase::kBuild && w.limit > now.wheels[i].line_pressure) {
      w.phase = Phase::kFollow;
      w.limit = Actuation::kNone;
    }
  }

  AntiLockBrakes setup_;
  BrakeModulator modulator_;
  AssistedVehicle vehicle_;
  SpeedObserver observer_;
  std::vector<Wheel> wheels_;
  double active_ = 0;
};

/// Takes throttle back by the mean slip of the driven wheels, and brakes a wheel that spins more than
/// the other one of its axle.
class Traction : public Controller {
 public:
  Traction(const TractionControl& setup, const AssistedVehicle& vehicle)
      : setup_(setup), vehicle_(vehicle) {}

  double interval() const override { return setup_.interval; }

  void update(const VehicleSnapshot& now, Actuation* mine) override {
    const double dt = setup_.interval;
    observer_.update(now, vehicle_, dt);
    const auto slip_of = [&](std::size_t i) {
      const double speed = observer_.speed_at(now, i);
      return (vehicle_.radius[i] * now.wheels[i].spin - speed) /
             std::max(std::abs(speed), setup_.min_speed);
    };
    double mean = 0, count = 0;
    active_ = 0;
    for (std::size_t i = 0; i < now.wheels.size(); ++i) {
      mine->wheels[i].min_pressure = 0;
      if (!vehicle_.is_driven[i]) continue;
      const double slip = slip_of(i);
      mean += slip;
      count += 1;
      const int partner = vehicle_.partner[i];
      if (partner < 0 || now.command.throttle <= 0) continue;
      const double excess =
          slip - std::max(setup_.slip, slip_of(static_cast<std::size_t>(partner)));
      const double pressure = std::clamp(setup_.brake_gain * excess, 0.0, setup_.max_pressure);
      mine->wheels[i].min_pressure = pressure;
      active_ = std::max(active_, pressure / setup_.max_pressure);
    }
    const double excess = count > 0 ? mean / count - setup_.slip : 0;
    // It starts from the throttle that is given, so that it acts at once.
    if (excess > 0) throttle_ = std::min(throttle_, now.command.throttle);
    throttle_ = std::clamp(throttle_ - setup_.engine_gain * excess * dt, 0.0, 1.0);
    if (throttle_ < now.command.throttle)
      active_ = std::max(active_, 1 - throttle_ / now.command.throttle);
    mine->max_throttle = throttle_;
  }

  double activity() const override { return active_; }

  void save(StateWriter* out) const override {
    observer_.save(out);
    out->write(throttle_);
    out->write(active_);
  }
  void restore(StateReader* in) override {
    observer_.restore(in);
    throttle_ = in->read();
    active_ = in->read();
  }

 private:
  TractionControl setup_;
  AssistedVehicle vehicle_;
  SpeedObserver observer_;
  double throttle_ = 1, active_ = 0;
};

/// Brakes one wheel when the yaw rate is off that of a linear single-track car.
class Stability : public Controller {
 public:
  Stability(const StabilityControl& setup, const AssistedVehicle& vehicle)
      : setup_(setup), vehicle_(vehicle) {}

  double interval() const override { return setup_.interval; }

  void update(const VehicleSnapshot& now, Actuation* mine) override {
    const double dt = setup_.interval;
    observer_.update(now, vehicle_, dt);
    for (Actuation::Wheel& wheel : mine->wheels) wheel.min_pressure = 0;
    active_ = 0;
    const double v = observer_.speed(), share = v / setup_.characteristic_speed;
    double steer = 0;
    for (const double angle : now.steer_angles)
      steer += angle / static_cast<double>(now.steer_angles.size());
    const double most =
        (std::abs(now.acceleration[1]) + setup_.reserve) / std::max(v, setup_.min_speed);
    const double wanted =
        std::clamp(v * steer / (vehicle_.wheelbase * (1 + share * share)), -most, most);
    reference_ += dt / (setup_.lag + dt) * (wanted - reference_);
    const double rate = now.rates[2], error = rate - reference_;
    const double excess = std::abs(error) - setup_.dead_band;
    if (v < setup_.min_speed || excess <= 0) return;
    const double pressure = std::min(setup_.gain * excess, setup_.max_pressure);
    // Too much of the yaw rate: the front wheel outside of the turn; too little: the rear one inside.
    const bool is_oversteer = error * rate > 0, is_left = error < 0;
    for (std::size_t i = 0; i < mine->wheels.size(); ++i)
      if (vehicle_.is_left[i] == is_left &&
          (is_oversteer ? vehicle_.is_front[i] : vehicle_.is_rear[i]))
        mine->wheels[i].min_pressure = std::min(1.0, now.wheels[i].line_pressure + pressure);
    active_ = pressure / setup_.max_pressure;
  }

  double activity() const override { return active_; }

  void save(StateWriter* out) const override {
    observer_.save(out);
    out->write(reference_);
    out->write(active_);
  }
  void restore(StateReader* in) override {
    observer_.restore(in);
    reference_ = in->read();
    active_ = in->read();
  }

 private:
  StabilityControl setup_;
  AssistedVehicle vehicle_;
  SpeedObserver observer_;
  double reference_ = 0, active_ = 0;  // [rad/s]
};

}  // namespace

std::shared_ptr<Controller> make_anti_lock_brakes(const AntiLockBrakes& setup,
                                                  const BrakeModulator& modulator,
                                                  const AssistedVehicle& vehicle) {
  return std::make_shared<AntiLock>(setup, modulator, vehicle);
}

std::shared_ptr<Controller> make_traction_control(const TractionControl& setup,
                                                  const AssistedVehicle& vehicle) {
  return std::make_shared<Traction>(setup, vehicle);
}

std::shared_ptr<Controller> make_stability_control(const StabilityControl& setup,
                                                   const AssistedVehicle& vehicle) {
  return std::make_shared<Stability>(setup, vehicle);
}

}  // namespace camber::dynamics
