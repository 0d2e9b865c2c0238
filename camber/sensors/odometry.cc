// Encoders at the wheels, and the other signals of a vehicle's bus.

#include <cmath>
#include <numbers>
#include <utility>

#include "camber/core/require.h"
#include "camber/sensors/noise.h"
#include "camber/sensors/sensor.h"

namespace camber::sensors {
namespace {

/// ticks = floor(angle N / 2 pi). Speeds follow from the ticks since the sample before, with the
/// radius that the receiver assumes; the yaw rate from the difference of left and right wheels of
/// the last axle over its track.
class Odometry : public Sensor {
 public:
  Odometry(const SensorSpec& spec, const Carrier& carrier, const RandomStream& stream)
      : Sensor(spec, stream,
               {{"ticks", {"1"}, carrier.wheels, "Ticks of each wheel since the start"},
                {"wheel_speeds", {"m/s"}, carrier.wheels, "Ticks since the last sample, as speed"},
                {"speed", {"m/s"}, {}, "Mean of the wheels of the last axle"},
                {"yaw_rate", {"rad/s"}, {}, "Of the wheels of the last axle"}}),
        own_(std::get<OdometrySpec>(spec.kind)),
        wheels_(carrier.wheels.size()) {
    require(wheels_ > 0, "sensor \"", name(), "\": the vehicle has no single wheels");
    RandomStream random = constants("radius");
    radius_ = own_.radius > 0 ? own_.radius : carrier.rolling_radius;
    if (!is_ideal()) radius_ *= 1 + own_.radius_error * random.normal();
    before_.resize(wheels_);
    right_ = wheels_ - 1;
    left_ = wheels_ > 1 ? wheels_ - 2 : right_;
    track_ = carrier.wheel_positions[left_][1] - carrier.wheel_positions[right_][1];
  }

 protected:
  void measure(const Readings& in, RandomStream*, Sample* sample) override {
    const double turn = 2 * std::numbers::pi;
    for (std::size_t i = 0; i < wheels_; ++i) {
      const double angle = in.signals->wheel_angle(sample->measured, i);
      double ticks = angle * own_.ticks / turn;
      double speed = in.signals->wheel_speed(sample->measured, i) * radius_;
      if (!is_ideal()) {
        ticks = std::floor(ticks);
        speed = (ticks - before_[i]) * turn / own_.ticks * radius_ / period();
        if (sample->number == 0 || std::abs(speed) < own_.min_speed) speed = 0;
      }
      before_[i] = ticks;
      sample->values[i] = ticks;
      sample->values[wheels_ + i] = speed;
    }
    const double left = sample->values[wheels_ + left_], right = sample->values[wheels_ + right_];
    sample->values[2 * wheels_] = 0.5 * (left + right);
    sample->values[2 * wheels_ + 1] = track_ > 0 ? (right - left) / track_ : 0;
  }
  void save_own(StateWriter* out) const override { out->write(before_); }
  void restore_own(StateReader* in) override { in->read(before_); }

 private:
  OdometrySpec own_;
  std::size_t wheels_, left_ = 0, right_ = 0;
  double radius_ = 0, track_ = 0;  // [m]
  std::vector<double> before_;     // ticks of the sample before
};

class Bus : public Sensor {
 public:
  Bus(const SensorSpec& spec, const RandomStream& stream)
      : Sensor(spec, stream,
               {{"steering_wheel", {"rad"}, {}, "Angle of the steering wheel, to the left"},
                {"brake_pressure", {"1"}, {}, "0 to 1"},
                {"throttle", {"1"}, {}, "Pedal, 0 to 1"},
                {"brake", {"1"}, {}, "Pedal, 0 to 1"},
                {"gear", {"1"}, {}, "-1 reverse, 0 neutral"},
                {"engine_speed", {"rad/s"}, {}, "Speed of the engine"}}) {
    const auto& own = std::get<BusSpec>(spec.kind);
    const double quanta[] = {
        own.steering_quantum, own.brake_quantum, own.pedal_quantum, own.pedal_quantum, 0,
        own.engine_quantum};
    for (std::size_t i = 0; i < std::size(quanta); ++i) quanta_[i] = is_ideal() ? 0 : quanta[i];
  }

 protected:
  void measure(const Readings& in, RandomStream*, Sample* sample) override {
    for (std::size_t i = 0; i < std::size(quanta_); ++i)
      sample->values[i] = quantize(in.signals->at(sample->measured, i), quanta_[i]);
  }

 private:
  double quanta_[SignalTrack::kFirstWheel] = {};
};

}  // namespace

std::unique_ptr<Sensor> make_odometry(const SensorSpec& spec, const Carrier& carrier,
                                      const RandomStream& stream) {
  return std::make_unique<Odometry>(spec, carrier, stream);
}

std::unique_ptr<Sensor> make_bus(const SensorSpec& spec, const Carrier&,
                                 const RandomStream& stream) {
  return std::make_unique<Bus>(spec, stream);
}

}  // namespace camber::sensors
