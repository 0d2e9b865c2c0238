#include "camber/sensors/suite.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"

namespace camber::sensors {
namespace {

constexpr double kTolerance = 1e-9;  // of times that count as equal [s]

Motion find_motion(const dynamics::VehicleSnapshot& now) {
  return {.time = now.time,
          .pose = {now.position, now.rotation},
          .velocity = now.frame.velocity,
          .acceleration = now.frame.acceleration,
          .angular_velocity = now.frame.angular_velocity,
          .angular_acceleration = now.frame.angular_acceleration};
}

}  // namespace

SensorSuite::SensorSuite(const SuiteSetup& setup)
    : vehicle_(setup.vehicle), surroundings_(setup.surroundings) {
  double longest = 0;
  for (const SensorSpec& spec : setup.sensors) {
    sensors_.push_back(make_sensor(spec, setup.carrier, setup.seed));
    longest = std::max(longest, sensors_.back()->duration());
    reach_ = std::max(reach_, sensors_.back()->reach());
  }
  // From the state before a measurement starts to the one after it ends.
  capacity_ = static_cast<std::size_t>(std::ceil(longest * setup.steps_per_second)) + 8;
}

const Sensor* SensorSuite::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(sensors_, [&](const auto& s) { return s->name() == name; });
  return found == sensors_.end() ? nullptr : found->get();
}

// Tracks of all vehicles if sensors look, otherwise of the one that carries them.
void SensorSuite::prepare(const world::World& world) {
  if (signals_) return;
  const int count = needs_scene() ? world.vehicle_count() : vehicle_ + 1;
  motions_.assign(static_cast<std::size_t>(count), MotionTrack(capacity_));
  signals_.emplace(world.vehicle(vehicle_).layout().wheels.size(), capacity_);
  if (!needs_scene()) return;
  looks_.resize(static_cast<std::size_t>(count));
  scene_ = std::make_unique<DriveScene>(
      world.shared_terrain(), looks_, world.things(),
      SceneOptions{.reach = reach_, .own = vehicle_, .surroundings = surroundings_});
}

void SensorSuite::observe(world::World* world) {
  if (empty()) return;
  prepare(*world);
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    if (!needs_scene() && static_cast<int>(i) != vehicle_) continue;
    const dynamics::VehicleSnapshot& now = world->vehicle(static_cast<int>(i)).snapshot();
    motions_[i].push(find_motion(now));
    if (static_cast<int>(i) == vehicle_) signals_->push(now);
  }
  const MotionTrack& own = motions_[static_cast<std::size_t>(vehicle_)];
  const Readings readings{.motion = &own,
                          .vehicles = &motions_,
                          .signals = &*signals_,
                          .scene = scene_.get(),
                          .vehicle = vehicle_};
  bool is_scene_ready = false;
  for (const auto& sensor : sensors_) {
    while (sensor->due() <= own.end() + kTolerance) {
      require(own.begin() <= sensor->next_time() + kTolerance, "sensor \"", sensor->name(),
              "\": its measurement starts at ", sensor->next_time(), " s, the motion is kept from ",
              own.begin(), " s on");
      if (sensor->reach() > 0) {
        if (!std::exchange(is_scene_ready, true)) {
          const Vec3<double>& p = own.state(own.size() - 1).pose.position;
          scene_->follow(p[0], p[1]);
          for (int i = 0; i < world->vehicle_count(); ++i) scene_->refresh_ruts(&world->vehicle(i));
        }
        scene_->set_time(sensor->next_time() + 0.5 * sensor->duration(), motions_);
      }
      const Sample& sample = sensor->take(readings);
      if (listener_) listener_(*sensor, sample);
    }
  }
}

double SensorSuite::find_own_share(std::size_t i) {
  if (sensors_[i]->reach() <= 0 || looks_.size() <= static_cast<std::size_t>(vehicle_)) return 0;
  const DriveScene scene(std::make_shared<const terrain::Terrain>(), looks_, {},
                         {.reach = reach_, .own = vehicle_});
  return sensors_[i]->find_own_share(scene);
}

void SensorSuite::save(StateWriter* out) const {
  out->write(signals_ ? 1 : 0);
  if (!signals_) return;
  for (const MotionTrack& motion : motions_) motion.save(out);
  signals_->save(out);
  for (const auto& sensor : sensors_) {
    StateWriter own;
    sensor->save(&own);
    out->write_list(own.values());
  }
  if (scene_) scene_->save(out);
}

void SensorSuite::restore(const world::World& world, StateReader* in) {
  if (!in->read_bool()) return;
  prepare(world);
  for (MotionTrack& motion : motions_) motion.restore(in);
  signals_->restore(in);
  for (const auto& sensor : sensors_) {
    const std::vector<double> values = in->read_list();
    StateReader own(values);
    sensor->restore(&own);
    own.finish();
  }
  if (scene_) scene_->restore(in);
}

}  // namespace camber::sensors
