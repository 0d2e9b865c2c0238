#include "camber/view/state_frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "camber/core/require.h"
#include "camber/view/bytes.h"
#include "camber/view/vehicle_drawing.h"

namespace camber::view {
namespace internal {

// [Shepperd 1978]: the largest of the four squares is the divisor, so that nothing cancels.
UnitQuaternion to_quaternion(const math::Mat3<double>& R) {
  const double trace = R(0, 0) + R(1, 1) + R(2, 2);
  UnitQuaternion q;
  if (trace >= R(0, 0) && trace >= R(1, 1) && trace >= R(2, 2)) {
    const double s = std::sqrt(1 + trace);
    q = {(R(2, 1) - R(1, 2)) / s, (R(0, 2) - R(2, 0)) / s, (R(1, 0) - R(0, 1)) / s, s};
  } else {
    const int i = R(0, 0) >= R(1, 1) && R(0, 0) >= R(2, 2) ? 0 : R(1, 1) >= R(2, 2) ? 1 : 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double s = std::sqrt(std::max(0.0, 1 + R(i, i) - R(j, j) - R(k, k)));
    double v[3];
    v[i] = s;
    v[j] = (R(i, j) + R(j, i)) / s;
    v[k] = (R(i, k) + R(k, i)) / s;
    q = {v[0], v[1], v[2], (R(k, j) - R(j, k)) / s};
  }
  const double half = q.w < 0 ? -0.5 : 0.5;
  return {half * q.x, half * q.y, half * q.z, half * q.w};
}

void write_relative_poses(std::span<const dynamics::BodyPose> poses, std::span<double> values) {
  const dynamics::BodyPose& base = poses[1];
  for (std::size_t b = 1; b < poses.size(); ++b) {
    math::Vec3<double> p = poses[b].position;
    math::Mat3<double> R = poses[b].rotation;
    if (b > 1) {
      p = transpose_times(base.rotation, p - base.position);
      R = transpose(base.rotation) * R;
    }
    const UnitQuaternion q = to_quaternion(R);
    double* out = &values[7 * (b - 1)];
    for (int i = 0; i < 3; ++i) out[i] = p[i];
    out[3] = q.x, out[4] = q.y, out[5] = q.z, out[6] = q.w;
  }
}

}  // namespace internal

namespace {

// A body of a vehicle whose poses cannot be found, or that has none of its own, moves with body 0.
void place_frame(const dynamics::VehicleSnapshot& now, std::span<dynamics::BodyPose> poses) {
  std::ranges::fill(poses, dynamics::BodyPose{now.position, now.rotation});
}

}  // namespace

std::size_t FrameLayout::size() const {
  std::size_t bytes = kHeadBytes;
  for (const int count : bodies) bytes += 40 + 28 * static_cast<std::size_t>(count - 1);
  return bytes + 16 * static_cast<std::size_t>(things) + 4 * static_cast<std::size_t>(sample_size);
}

std::size_t FrameLayout::value_count() const {
  const auto all = static_cast<std::size_t>(std::accumulate(bodies.begin(), bodies.end(), 0));
  return 7 * all + 4 * static_cast<std::size_t>(things) + static_cast<std::size_t>(sample_size);
}

StateFrame::StateFrame(run::Simulation* simulation) {
  const scenario::BuiltScenario& built = simulation->built();
  for (int i = 0; i < built.world.vehicle_count(); ++i) {
    const scenario::Scenario& own =
        i == 0 ? *built.scenario : *built.others[static_cast<std::size_t>(i) - 1].scenario;
    const int count = count_bodies(own, scenario::parts_of(built, i));
    layout_.bodies.push_back(count);
    poses_.emplace_back(static_cast<std::size_t>(count) + 1);
    values_.resize(std::max(values_.size(), 7 * static_cast<std::size_t>(count)));
    simulation->world().vehicle(i).find_poses(poses_.back());
  }
  // Ground below things: where they go is known, so no frame has to ask the ground.
  constexpr double kMaxHeights = 20'000;
  terrain::TerrainCache cache = built.world.terrain().make_cache();
  for (const world::MovingThing& thing : built.world.things()) {
    Thing out{.thing = &thing, .first = thing.track.front().time, .interval = 1, .heights = {}};
    const double last = thing.track.back().time;
    const double count = std::clamp((last - out.first) / 0.05, 1.0, kMaxHeights);
    out.interval = std::max((last - out.first) / std::floor(count), 1e-3);
    for (int k = 0; k <= static_cast<int>(count); ++k) {
      const world::MovingThing::Point at = thing.at(out.first + k * out.interval);
      out.heights.push_back(static_cast<float>(built.world.terrain().sample(at.x, at.y, &cache).h));
    }
    things_.push_back(std::move(out));
  }
  layout_.things = static_cast<int>(things_.size());
  layout_.sample_size = static_cast<int>(record::count_entries(simulation->channels()));
}

float StateFrame::Thing::height_at(double time) const {
  const double place = (time - first) / interval;
  const double last = static_cast<double>(heights.size()) - 1;
  const double clamped = std::clamp(place, 0.0, last);
  const auto k = static_cast<std::size_t>(std::min(clamped, std::max(last - 1, 0.0)));
  const float t = static_cast<float>(clamped - static_cast<double>(k));
  const std::size_t next = std::min(k + 1, heights.size() - 1);
  return heights[k] + t * (heights[next] - heights[k]);
}

void StateFrame::write(const FrameHead& head, run::Simulation* simulation,
                       std::span<std::byte> out) {
  require(out.size() == size(), "StateFrame::write: ", out.size(), " bytes for a frame of ",
          size());
  internal::ByteWriter to(out.data());
  to.write(std::uint8_t{1});
  to.write(std::uint8_t{1});
  to.write(head.flags);
  to.write(head.number);
  to.write(simulation->time());
  to.write(head.clock);
  to.write(static_cast<std::uint64_t>(simulation->built().world.steps()));
  to.write(head.input);
  to.write(head.input_from);
  to.write(head.longest_step);
  to.write(head.longest_ever);
  to.write(head.long_steps);
  to.write(head.late_wakeups);
  to.write(head.wanted_speed);
  to.write(head.actual_speed);
  for (const float x : {head.steer, head.throttle, head.brake, head.buttons}) to.write(x);
  to.write(static_cast<std::uint32_t>(layout_.sample_size));
  to.write(std::uint32_t{0});
  for (std::size_t v = 0; v < poses_.size(); ++v) {
    dynamics::Vehicle& car = simulation->world().vehicle(static_cast<int>(v));
    std::vector<dynamics::BodyPose>& poses = poses_[v];
    if (!car.find_poses(poses)) place_frame(car.snapshot(), poses);
    internal::write_relative_poses(poses, values_);
    for (std::size_t b = 0; b + 1 < poses.size(); ++b) {
      const double* pose = &values_[7 * b];
      for (int i = 0; i < 3; ++i)
        b == 0 ? to.write(pose[i]) : to.write(static_cast<float>(pose[i]));
      for (int i = 3; i < 7; ++i) to.write(static_cast<float>(pose[i]));
    }
  }
  for (const Thing& thing : things_) {
    const world::MovingThing::Point at = thing.thing->at(simulation->time());
    for (const float x : {static_cast<float>(at.x), static_cast<float>(at.y),
                          thing.height_at(simulation->time()), static_cast<float>(at.yaw)})
      to.write(x);
  }
  const std::span<const double> sample = simulation->last_sample();
  const bool has_sample = sample.size() == static_cast<std::size_t>(layout_.sample_size);
  for (int i = 0; i < layout_.sample_size; ++i)
    to.write(has_sample ? static_cast<float>(sample[static_cast<std::size_t>(i)])
                        : std::numeric_limits<float>::quiet_NaN());
}

double decode_frame(const FrameLayout& layout, std::span<const std::byte> frame,
                    std::span<double> values) {
  require(frame.size() == layout.size(), "decode_frame: ", frame.size(), " bytes, the layout has ",
          layout.size());
  require(values.size() == layout.value_count(), "decode_frame: ", values.size(),
          " values, the layout has ", layout.value_count());
  const std::byte* at = frame.data();
  double time = 0;
  std::memcpy(&time, at + 8, sizeof time);
  at += FrameLayout::kHeadBytes;
  std::size_t k = 0;
  const auto read = [&](auto zero) {
    std::memcpy(&zero, at, sizeof zero);
    at += sizeof zero;
    values[k++] = static_cast<double>(zero);
  };
  for (const int count : layout.bodies) {
    for (int i = 0; i < 3; ++i) read(double{});
    for (int i = 0; i < 4 + 7 * (count - 1); ++i) read(float{});
  }
  while (k < values.size()) read(float{});
  return time;
}

}  // namespace camber::view
