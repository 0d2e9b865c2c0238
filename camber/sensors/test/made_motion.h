#pragma once

// A motion given by formulas, for tests of what reads motions.

#include <cmath>
#include <vector>

#include "camber/sensors/motion_track.h"

namespace camber::sensors::test {

/// Drives with `speed` along a bent line, with pitch and roll: every axis turns.
struct MadeMotion {
  double speed = 10;     // [m/s]
  double wobble = 0.05;  // amplitude of roll and pitch [rad]
  double bend = 0.3;     // amplitude of yaw [rad]

  struct Angle {
    double value, rate, second;
  };
  static Angle sine(double amplitude, double w, double phase, double t) {
    return {amplitude * std::sin(w * t + phase), amplitude * w * std::cos(w * t + phase),
            -amplitude * w * w * std::sin(w * t + phase)};
  }

  Motion at(double t) const {
    // R = Rz(yaw) Ry(pitch) Rx(roll); angular velocity from the rates of these angles.
    const Angle yaw = sine(bend, 1.7, 0.4, t), pitch = sine(wobble, 6.3, 1.1, t),
                roll = sine(1.3 * wobble, 4.9, -0.6, t);
    const Mat3<double> Rz = rotation_of_vector({0, 0, yaw.value}),
                       Ry = rotation_of_vector({0, pitch.value, 0}),
                       Rx = rotation_of_vector({roll.value, 0, 0});
    Motion m;
    m.time = t;
    m.pose.rotation = Rz * Ry * Rx;
    const Vec3<double> ez(0, 0, 1), ey = Rz * Vec3<double>(0, 1, 0),
                                    ex = Rz * (Ry * Vec3<double>(1, 0, 0));
    const Vec3<double> w = ez * yaw.rate + ey * pitch.rate + ex * roll.rate;
    m.angular_velocity = w;
    // Derivatives of the axes: y turns with yaw, x with yaw and pitch.
    const Vec3<double> wz = ez * yaw.rate, wy = wz + ey * pitch.rate;
    m.angular_acceleration = ez * yaw.second + ey * pitch.second + cross(wz, ey) * pitch.rate +
                             ex * roll.second + cross(wy, ex) * roll.rate;
    const Angle x = sine(0.3, 3.1, 0.2, t), y = sine(0.8, 1.9, 0.9, t), z = sine(0.04, 9.0, 0, t);
    m.pose.position = {speed * t + x.value, y.value, 0.9 + z.value};
    m.velocity = {speed + x.rate, y.rate, z.rate};
    m.acceleration = {x.second, y.second, z.second};
    return m;
  }

  /// States from t0 to t1, `step` apart.
  MotionTrack track(double t0, double t1, double step) const {
    const int count = static_cast<int>(std::lround((t1 - t0) / step)) + 1;
    MotionTrack track(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) track.push(at(t0 + step * k));
    return track;
  }
};

inline double norm(const Vec3<double>& x) { return std::sqrt(dot(x, x)); }

inline double distance(const Mat3<double>& A, const Mat3<double>& B) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += dot(A.c[k] - B.c[k], A.c[k] - B.c[k]);
  return std::sqrt(sum);
}

}  // namespace camber::sensors::test
