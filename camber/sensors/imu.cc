// Inertial measurement unit: specific force f = R^T (a - g) and angular rate w at its place, in its
// axes. Errors per axis [IEEE Std 952-1997, annex C] (docs/theory/sensors.md (5)-(9)):
//   output = saturate(quantize((I + S + M) truth + b0 + b(t) + n))                                 (1)
//   n white, sigma = N sqrt(rate); b random walk, K sqrt(dt) per sample, plus a Gauss-Markov process
//   whose Allan deviation has its peak at the bias instability                                     (2)

#include <algorithm>
#include <cmath>

#include "camber/sensors/noise.h"
#include "camber/sensors/sensor.h"

namespace camber::sensors {
namespace {

/// Peak of the Allan deviation of a Gauss-Markov process over its sigma, at 1.89 correlation times.
constexpr double kMarkovPeak = 0.6174;

/// Errors of three axes.
class Triad {
 public:
  Triad(const ImuSpec::Axes& axes, const ImuSpec& imu, RandomStream random) : axes_(axes) {
    for (int i = 0; i < 3; ++i) {
      bias_[i] = axes.bias * random.normal();
      markov_[i] = {axes.bias_instability / kMarkovPeak, imu.instability_time, 0};
      markov_[i].start(&random);
      for (int j = 0; j < 3; ++j)
        matrix_[i][j] =
            (i == j ? 1 + axes.scale * random.normal() : imu.misalignment * random.normal());
    }
  }

  Vec3<double> measure(const Vec3<double>& truth, double period, double warming, bool is_first,
                       RandomStream* random) {
    double out[3];
    for (int i = 0; i < 3; ++i) {
      if (!is_first) {
        walk_[i] += axes_.bias_walk * std::sqrt(period) * random->normal();
        markov_[i].advance(period, random);
      }
      double value = bias_[i] + walk_[i] + markov_[i].value + axes_.per_kelvin * warming +
                     axes_.noise / std::sqrt(period) * random->normal();
      for (int j = 0; j < 3; ++j) value += matrix_[i][j] * truth[j];
      value = quantize(value, axes_.quantum);
      out[i] = axes_.range > 0 ? std::clamp(value, -axes_.range, axes_.range) : value;
    }
    return {out[0], out[1], out[2]};
  }

  void save(StateWriter* out) const {
    for (int i = 0; i < 3; ++i) {
      out->write(walk_[i]);
      out->write(markov_[i].value);
    }
  }
  void restore(StateReader* in) {
    for (int i = 0; i < 3; ++i) {
      walk_[i] = in->read();
      markov_[i].value = in->read();
    }
  }

 private:
  ImuSpec::Axes axes_;
  double bias_[3] = {}, walk_[3] = {};
  double matrix_[3][3] = {};
  GaussMarkov markov_[3];
};

class Imu : public Sensor {
 public:
  Imu(const SensorSpec& spec, const Carrier& carrier, const RandomStream& stream)
      : Sensor(spec, stream,
               {{"specific_force", {"m/s^2"}, {"x", "y", "z"}, "Acceleration without gravity"},
                {"angular_rate", {"rad/s"}, {"x", "y", "z"}, "Angular velocity"}}),
        imu_(std::get<ImuSpec>(spec.kind)),
        gravity_(carrier.gravity),
        gyro_(imu_.gyro, imu_, constants("gyro")),
        accelerometer_(imu_.accelerometer, imu_, constants("accelerometer")) {}

 protected:
  void measure(const Readings& in, RandomStream* random, Sample* sample) override {
    const Motion at = find_mounted_motion(in.motion->at(sample->measured), spec().mount.pose);
    const Mat3<double>& R = at.pose.rotation;
    Vec3<double> force = transpose_times(R, at.acceleration + Vec3<double>(0, 0, gravity_));
    Vec3<double> rate = transpose_times(R, at.angular_velocity);
    if (!is_ideal()) {
      const double warming =
          imu_.temperature_rise * (1 - std::exp(-sample->measured / imu_.temperature_time));
      const bool is_first = sample->number == 0;
      force = accelerometer_.measure(force, period(), warming, is_first, random);
      rate = gyro_.measure(rate, period(), warming, is_first, random);
    }
    for (int k = 0; k < 3; ++k) {
      sample->values[k] = force[k];
      sample->values[3 + k] = rate[k];
    }
  }
  void save_own(StateWriter* out) const override {
    gyro_.save(out);
    accelerometer_.save(out);
  }
  void restore_own(StateReader* in) override {
    gyro_.restore(in);
    accelerometer_.restore(in);
  }

 private:
  ImuSpec imu_;
  double gravity_;  // [m/s^2]
  Triad gyro_, accelerometer_;
};

}  // namespace

std::unique_ptr<Sensor> make_imu(const SensorSpec& spec, const Carrier& carrier,
                                 const RandomStream& stream) {
  return std::make_unique<Imu>(spec, carrier, stream);
}

}  // namespace camber::sensors
