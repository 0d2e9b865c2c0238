#include "camber/sensors/motion_track.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "camber/core/require.h"
#include "camber/math/lanes.h"
#include "camber/math/rotation_vector.h"

namespace camber::sensors {
namespace {

constexpr double kSmallSquare = 0.04;  // of an angle [rad^2]: series below
constexpr double kTiny = 1e-4;         // the same within a step

struct AngleFactors {
  double a, b, c;  // sin(x)/x, (1 - cos x)/x^2, (x - sin x)/x^3
};
[[gnu::always_inline]] inline AngleFactors find_factors(double square) {
  if (square < kTiny)
    return {1 - square * (1.0 / 6 - square * (1.0 / 120)),
            0.5 - square * (1.0 / 24 - square * (1.0 / 720)),
            1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040))};
  if (square > kSmallSquare) {
    const double x = std::sqrt(square), sine = std::sin(x);
    return {sine / x, (1 - std::cos(x)) / square, (x - sine) / (square * x)};
  }
  // Taylor series; the first term that is left out is below 1e-16 of the first.
  const double q = square;
  const auto nest = [&](double a, double b, double c, double d, double e) {
    return 1 - q * (1 / a) *
                   (1 - q * (1 / b) * (1 - q * (1 / c) * (1 - q * (1 / d) * (1 - q * (1 / e)))));
  };
  return {nest(6, 20, 42, 72, 110), 0.5 * nest(12, 30, 56, 90, 132),
          nest(20, 42, 72, 110, 156) * (1.0 / 6)};
}

/// J with w = J phi', for w in the rotating frame: the right Jacobian of SO(3).
Vec3<double> rates_of_turn(const Vec3<double>& turn, const Vec3<double>& turn_rate) {
  const AngleFactors f = find_factors(dot(turn, turn));
  const Vec3<double> once = cross(turn, turn_rate);
  return turn_rate - once * f.b + cross(turn, once) * f.c;
}

/// Its inverse: phi' of w. torque_of_turn() is the transpose of the inverse left Jacobian, which is
/// the inverse right one.
Vec3<double> turn_rate_of_rates(const Vec3<double>& turn, const Vec3<double>& w) {
  return math::torque_of_turn(turn, w);
}

}  // namespace

Mat3<double> rotation_of_vector(const Vec3<double>& v) {
  const AngleFactors f = find_factors(dot(v, v));
  const double x = v[0], y = v[1], z = v[2];
  const double xx = f.b * x * x, yy = f.b * y * y, zz = f.b * z * z;
  const double xy = f.b * x * y, xz = f.b * x * z, yz = f.b * y * z;
  return {{{1 - yy - zz, xy + f.a * z, xz - f.a * y},
           {xy - f.a * z, 1 - xx - zz, yz + f.a * x},
           {xz + f.a * y, yz - f.a * x, 1 - xx - yy}}};
}

Mat3<double> orthonormalize(const Mat3<double>& R) {
  const auto unit = [](const Vec3<double>& x) { return x * (1 / std::sqrt(dot(x, x))); };
  const Vec3<double> x = unit(R.c[0]);
  const Vec3<double> z = unit(cross(x, R.c[1]));
  return {{x, cross(z, x), z}};
}

Motion find_mounted_motion(const Motion& frame, const Pose& mount) {
  const Mat3<double>& R = frame.pose.rotation;
  const Vec3<double> arm = R * mount.position;
  const Vec3<double>& w = frame.angular_velocity;
  Motion out = frame;
  out.pose = {frame.pose.position + arm, R * mount.rotation};
  out.velocity = frame.velocity + cross(w, arm);
  out.acceleration =
      frame.acceleration + cross(frame.angular_acceleration, arm) + cross(w, cross(w, arm));
  return out;
}

MotionSegment::MotionSegment(const Motion& from, const Motion& to)
    : from_(from), to_(to), length_(to.time - from.time) {
  turn_ = math::rotation_vector(transpose(from.pose.rotation) * to.pose.rotation);
  turn_rate_begin_ = transpose_times(from.pose.rotation, from.angular_velocity);
  turn_rate_end_ =
      turn_rate_of_rates(turn_, transpose_times(to.pose.rotation, to.angular_velocity));
}

Pose MotionSegment::pose_at(double time) const {
  const double h = length_, s = (time - from_.time) / h;
  const double h01 = s * s * (3 - 2 * s), h10 = s * (1 - s) * (1 - s), h11 = s * s * (s - 1);
  const Vec3<double> turn = turn_ * h01 + turn_rate_begin_ * (h * h10) + turn_rate_end_ * (h * h11);
  return {from_.pose.position + (to_.pose.position - from_.pose.position) * h01 +
              from_.velocity * (h * h10) + to_.velocity * (h * h11),
          from_.pose.rotation * rotation_of_vector(turn)};
}

void MotionSegment::place(const double* time, double (*point)[kLanes], double (*directions)[kLanes],
                          std::size_t count) const {
  using T = math::Lanes<kLanes>;
  const T s = (T::load(time) - from_.time) * (1 / length_), h(length_);
  const T h01 = s * s * (3.0 - 2.0 * s), h10 = h * (s * (1.0 - s) * (1.0 - s)),
          h11 = h * (s * s * (s - 1.0));
  T turn[3], position[3];
  for (int a = 0; a < 3; ++a) {
    turn[a] = turn_[a] * h01 + turn_rate_begin_[a] * h10 + turn_rate_end_[a] * h11;
    position[a] = from_.pose.position[a] + ((to_.pose.position[a] - from_.pose.position[a]) * h01 +
                                            from_.velocity[a] * h10 + to_.velocity[a] * h11);
  }
  const T square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
  // As find_factors() has it for the small turns within a step.
  T sine = 1.0 - square * (1.0 / 6 - square * (1.0 / 120));
  T versine = 0.5 - square * (1.0 / 24 - square * (1.0 / 720));
  if (any(square >= kTiny)) {
    for (int l = 0; l < static_cast<int>(kLanes); ++l) {
      const AngleFactors f = find_factors(square.lane(l));
      sine.set_lane(l, f.a), versine.set_lane(l, f.b);
    }
  }
  const Mat3<double>& R = from_.pose.rotation;
  const auto rotate = [&](double(*v)[kLanes], T* out) {
    T x[3], once[3], twice[3];
    for (int a = 0; a < 3; ++a) x[a] = T::load(v[a]);
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      once[a] = turn[b] * x[c] - turn[c] * x[b];
    }
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      twice[a] = turn[b] * once[c] - turn[c] * once[b];
    }
    for (int a = 0; a < 3; ++a) x[a] = x[a] + once[a] * sine + twice[a] * versine;
    for (int a = 0; a < 3; ++a) out[a] = R(a, 0) * x[0] + R(a, 1) * x[1] + R(a, 2) * x[2];
  };
  T out[3];
  rotate(point, out);
  for (int a = 0; a < 3; ++a) (position[a] + out[a]).store(point[a]);
  for (std::size_t k = 0; k < count; ++k) {
    double(*direction)[kLanes] = directions + 3 * k;
    rotate(direction, out);
    for (int a = 0; a < 3; ++a) out[a].store(direction[a]);
  }
}

Motion MotionSegment::at(double time) const {
  const double h = length_, s = (time - from_.time) / h;
  const double h01 = s * s * (3 - 2 * s), h10 = s * (1 - s) * (1 - s), h11 = s * s * (s - 1);
  const double d01 = 6 * s * (1 - s) / h, d10 = (1 - s) * (1 - 3 * s), d11 = s * (3 * s - 2);
  const Vec3<double> turn = turn_ * h01 + turn_rate_begin_ * (h * h10) + turn_rate_end_ * (h * h11);
  const Vec3<double> turn_rate = turn_ * d01 + turn_rate_begin_ * d10 + turn_rate_end_ * d11;
  Motion out;
  out.time = time;
  out.pose = pose_at(time);
  out.velocity =
      (to_.pose.position - from_.pose.position) * d01 + from_.velocity * d10 + to_.velocity * d11;
  out.angular_velocity = out.pose.rotation * rates_of_turn(turn, turn_rate);
  out.acceleration = from_.acceleration + (to_.acceleration - from_.acceleration) * s;
  out.angular_acceleration =
      from_.angular_acceleration + (to_.angular_acceleration - from_.angular_acceleration) * s;
  return out;
}

MotionTrack::MotionTrack(std::size_t capacity) : states_(std::max<std::size_t>(capacity, 2)) {}

void MotionTrack::push(const Motion& new_state) {
  if (count_ > 0 && new_state.time <= end()) {
    states_[(first_ + count_ - 1) % states_.size()] = new_state;
    return;
  }
  states_[(first_ + count_) % states_.size()] = new_state;
  if (count_ < states_.size())
    ++count_;
  else
    first_ = (first_ + 1) % states_.size();
}

// The first state of the segment.
std::size_t MotionTrack::find(double time) const {
  assert(count_ >= 2);
  std::size_t low = 0, high = count_ - 1;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (state(middle).time <= time ? low : high) = middle;
  }
  return low;
}

MotionSegment MotionTrack::segment_at(double time) const {
  require(count_ >= 2, "MotionTrack: two states are needed, there are ", count_);
  const std::size_t i = find(time);
  return MotionSegment(state(i), state(i + 1));
}

Motion MotionTrack::at(double time) const {
  if (count_ == 1) return state(0);
  const std::size_t i = find(time);
  constexpr double kRounding = 1e-12;  // [s]: at a state itself the state, without rounding
  if (std::abs(time - state(i).time) < kRounding) return state(i);
  if (std::abs(time - state(i + 1).time) < kRounding) return state(i + 1);
  return MotionSegment(state(i), state(i + 1)).at(time);
}

// The derivative of the parabola through three velocities, at its end.
void estimate_accelerations(const MotionTrack& track, Motion* next) {
  next->acceleration = next->angular_acceleration = Vec3<double>();
  std::size_t count = track.size();
  while (count > 0 && track.state(count - 1).time >= next->time) --count;  // push() replaces it
  if (count == 0) return;
  const Motion& last = track.state(count - 1);
  const double h = next->time - last.time;
  const auto slope = [&](const Vec3<double> Motion::*v) { return (next->*v - last.*v) * (1 / h); };
  next->acceleration = slope(&Motion::velocity);
  next->angular_acceleration = slope(&Motion::angular_velocity);
  if (count < 2) return;
  const Motion& before = track.state(count - 2);
  const double g = last.time - before.time;
  const auto bend = [&](const Vec3<double> Motion::*v, const Vec3<double>& now) {
    return (now - (last.*v - before.*v) * (1 / g)) * (h / (h + g));
  };
  next->acceleration += bend(&Motion::velocity, next->acceleration);
  next->angular_acceleration += bend(&Motion::angular_velocity, next->angular_acceleration);
}

void MotionTrack::save(StateWriter* out) const {
  out->write(static_cast<double>(count_));
  const auto write = [&](const Vec3<double>& x) {
    for (int k = 0; k < 3; ++k) out->write(x[k]);
  };
  for (std::size_t i = 0; i < count_; ++i) {
    const Motion& m = state(i);
    out->write(m.time);
    write(m.pose.position);
    for (const Vec3<double>& column : m.pose.rotation.c) write(column);
    for (const auto* x :
         {&m.velocity, &m.acceleration, &m.angular_velocity, &m.angular_acceleration})
      write(*x);
  }
}

void MotionTrack::restore(StateReader* in) {
  const int count = in->read_int();
  require(count >= 0 && static_cast<std::size_t>(count) <= states_.size(), "the saved state has ",
          count, " poses, the sensors keep ", states_.size());
  const auto read = [&] {
    const double x = in->read(), y = in->read(), z = in->read();
    return Vec3<double>(x, y, z);
  };
  first_ = 0;
  count_ = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < count_; ++i) {
    Motion& m = states_[i];
    m.time = in->read();
    m.pose.position = read();
    for (Vec3<double>& column : m.pose.rotation.c) column = read();
    for (auto* x : {&m.velocity, &m.acceleration, &m.angular_velocity, &m.angular_acceleration})
      *x = read();
  }
}

}  // namespace camber::sensors
