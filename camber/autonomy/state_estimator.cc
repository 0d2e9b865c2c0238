#include "camber/autonomy/state_estimator.h"

#include <algorithm>
#include <cmath>

#include "camber/autonomy/vehicle_filter.h"

namespace camber::autonomy {
namespace {

/// The truth, as a simulator knows it.
class TrueState : public StateEstimator {
 public:
  const Estimate& update(const VehicleView& view) override {
    Estimate& e = estimate_;
    e.time = view.time;
    e.world = {view.x, view.y, view.yaw};
    e.smooth = {view.time, view.x, view.y, view.z, view.yaw, view.pitch, view.roll};
    e.speed = view.speed;
    e.lateral_speed = view.lateral_speed;
    e.yaw_rate = view.yaw_rate;
    e.acceleration = view.acceleration;
    e.steer = view.steer;
    e.grade = view.grade;
    track_.add(e.smooth);
    return e;
  }
  void save(StateWriter* out) const override {
    track_.save(out);
    save_estimate(out);
  }
  void restore(StateReader* in) override {
    track_.restore(in);
    restore_estimate(in);
  }
};

double lerp(double a, double b, double t) { return a + t * (b - a); }

}  // namespace

Mat3<double> make_rotation(const Placement& at) {
  const double cy = std::cos(at.yaw), sy = std::sin(at.yaw), cp = std::cos(at.pitch),
               sp = std::sin(at.pitch), cr = std::cos(at.roll), sr = std::sin(at.roll);
  return {{{cy * cp, sy * cp, -sp},
           {cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr},
           {cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr}}};
}

planning::Pose to_local(const planning::Pose& a, const planning::Pose& b) {
  const double c = std::cos(a.heading), s = std::sin(a.heading);
  const double dx = b.x - a.x, dy = b.y - a.y;
  return {c * dx + s * dy, c * dy - s * dx, b.heading - a.heading};
}

planning::Pose to_global(const planning::Pose& a, const planning::Pose& local) {
  const double c = std::cos(a.heading), s = std::sin(a.heading);
  return {a.x + c * local.x - s * local.y, a.y + s * local.x + c * local.y,
          a.heading + local.heading};
}

void PlacementTrack::add(const Placement& at) {
  if (count_ > 0 && at.time < ring_[(next_ + kSize - 1) % kSize].time + kSpacing) return;
  ring_[next_] = at;
  next_ = (next_ + 1) % kSize;
  count_ = std::min(count_ + 1, kSize);
}

Placement PlacementTrack::at(double time) const {
  if (count_ == 0) return {};
  const auto newest = [&](std::size_t back) -> const Placement& {
    return ring_[(next_ + kSize - 1 - back) % kSize];
  };
  // The first placement, counted from the newest, that is not later than the time.
  std::size_t low = 0, high = count_;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (newest(middle).time > time)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return newest(0);
  if (low == count_) return newest(count_ - 1);
  const Placement &a = newest(low), &b = newest(low - 1);
  const double t = (time - a.time) / (b.time - a.time);
  return {time,
          lerp(a.x, b.x, t),
          lerp(a.y, b.y, t),
          lerp(a.z, b.z, t),
          lerp(a.yaw, b.yaw, t),
          lerp(a.pitch, b.pitch, t),
          lerp(a.roll, b.roll, t)};
}

void PlacementTrack::save(StateWriter* out) const {
  out->write(static_cast<double>(next_));
  out->write(static_cast<double>(count_));
  for (std::size_t k = 0; k < count_; ++k) {
    const Placement& p = ring_[(next_ + kSize - 1 - k) % kSize];
    for (const double value : {p.time, p.x, p.y, p.z, p.yaw, p.pitch, p.roll}) out->write(value);
  }
}

void PlacementTrack::restore(StateReader* in) {
  next_ = static_cast<std::size_t>(in->read_int()) % kSize;
  count_ = std::min(static_cast<std::size_t>(in->read_int()), kSize);
  for (std::size_t k = 0; k < count_; ++k) {
    Placement& p = ring_[(next_ + kSize - 1 - k) % kSize];
    for (double* value : {&p.time, &p.x, &p.y, &p.z, &p.yaw, &p.pitch, &p.roll})
      *value = in->read();
  }
}

void StateEstimator::save_estimate(StateWriter* out) const {
  const Estimate& e = estimate_;
  for (const double value :
       {e.time, e.world.x, e.world.y, e.world.heading, e.smooth.time, e.smooth.x, e.smooth.y,
        e.smooth.z, e.smooth.yaw, e.smooth.pitch, e.smooth.roll, e.speed, e.lateral_speed,
        e.yaw_rate, e.acceleration, e.steer, e.grade, e.position_sigma})
    out->write(value);
}

void StateEstimator::restore_estimate(StateReader* in) {
  Estimate& e = estimate_;
  for (double* value :
       {&e.time, &e.world.x, &e.world.y, &e.world.heading, &e.smooth.time, &e.smooth.x, &e.smooth.y,
        &e.smooth.z, &e.smooth.yaw, &e.smooth.pitch, &e.smooth.roll, &e.speed, &e.lateral_speed,
        &e.yaw_rate, &e.acceleration, &e.steer, &e.grade, &e.position_sigma})
    *value = in->read();
}

std::unique_ptr<StateEstimator> make_estimator(StateKind kind, const EstimatorSetup& setup) {
  if (kind == StateKind::kTruth) return std::make_unique<TrueState>();
  return std::make_unique<VehicleFilter>(setup, kind == StateKind::kEkf);
}

}  // namespace camber::autonomy
