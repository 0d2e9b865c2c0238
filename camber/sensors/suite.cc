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
  list_bodies(world);
  signals_.emplace(world.vehicle(vehicle_).layout().wheels.size(), capacity_);
  if (!needs_scene()) return;
  const bool has_own_chassis =
      std::ranges::any_of(sensors_, [](const auto& s) { return !s->is_on_chassis(); });
  scene_ = std::make_unique<DriveScene>(world.shared_terrain(), looks_, world.things(),
                                        SceneOptions{.reach = reach_,
                                                     .own = vehicle_,
                                                     .has_own_chassis = has_own_chassis,
                                                     .surroundings = surroundings_});
}

// Bodies that are seen to move against their vehicle, then those that carry sensors.
void SensorSuite::list_bodies(const world::World& world) {
  looks_.resize(motions_.size());
  bodies_.assign(motions_.size(), {});
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    std::vector<std::string>& names = motions_[i].names;
    if (needs_scene())
      for (const BodyLook& look : looks_[i].others) names.push_back(look.body);
    if (static_cast<int>(i) == vehicle_)
      for (const auto& sensor : sensors_)
        if (!sensor->is_on_chassis() &&
            std::ranges::find(names, sensor->spec().mount.body) == names.end())
          names.push_back(sensor->spec().mount.body);
    const std::vector<std::string> all = world.vehicle(static_cast<int>(i)).body_names();
    for (const std::string& name : names) {
      const auto found = std::ranges::find(all, name);
      require(found != all.end(), "SensorSuite: vehicle ", i, " has no body \"", name, "\"");
      bodies_[i].push_back(static_cast<int>(found - all.begin()));
    }
    motions_[i].bodies.assign(names.size(), MotionTrack(capacity_));
  }
}

void SensorSuite::take_motions(int i, world::World* world) {
  dynamics::Vehicle& vehicle = world->vehicle(i);
  const dynamics::VehicleSnapshot& now = vehicle.snapshot();
  motions_[i].frame.push(find_motion(now));
  if (i == vehicle_) signals_->push(now);
  if (bodies_[i].empty()) return;
  found_.resize(bodies_[i].size());
  require(vehicle.find_body_motions(bodies_[i], found_), "SensorSuite: at t = ", now.time,
          " s a loop of the vehicle stays open");
  for (std::size_t k = 0; k < found_.size(); ++k) {
    MotionTrack& track = motions_[i].bodies[k];
    Motion next{.time = now.time,
                .pose = {found_[k].p_WB, found_[k].R_WB},
                .velocity = found_[k].v_WB,
                .acceleration = {},
                .angular_velocity = found_[k].w_WB,
                .angular_acceleration = {}};
    estimate_accelerations(track, &next);
    track.push(next);
  }
}

const MotionTrack& SensorSuite::track_of(const Sensor& sensor) const {
  const VehicleMotion& own = motions_[static_cast<std::size_t>(vehicle_)];
  if (sensor.is_on_chassis()) return own.frame;
  const auto found = std::ranges::find(own.names, sensor.spec().mount.body);
  return own.bodies[static_cast<std::size_t>(found - own.names.begin())];
}

void SensorSuite::observe(world::World* world) {
  if (empty()) return;
  prepare(*world);
  for (int i = 0; i < static_cast<int>(motions_.size()); ++i)
    if (needs_scene() || i == vehicle_) take_motions(i, world);
  const MotionTrack& own = motions_[static_cast<std::size_t>(vehicle_)].frame;
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
        scene_->show_own(sensor->sees_own_vehicle() && !sensor->is_on_chassis(),
                         sensor->sees_own_vehicle());
        scene_->set_time(sensor->next_time() + 0.5 * sensor->duration(), motions_);
      }
      const Sample& sample = sensor->take({.motion = &track_of(*sensor),
                                           .vehicles = &motions_,
                                           .signals = &*signals_,
                                           .scene = scene_.get(),
                                           .vehicle = vehicle_});
      if (listener_) listener_(*sensor, sample);
    }
  }
}

OwnView SensorSuite::find_own_view(std::size_t i) {
  if (sensors_[i]->reach() <= 0 || !sensors_[i]->is_on_chassis() ||
      looks_.size() <= static_cast<std::size_t>(vehicle_))
    return {};
  const DriveScene scene(std::make_shared<const terrain::Terrain>(), looks_, {},
                         {.reach = reach_, .own = vehicle_});
  return sensors_[i]->find_own_view(scene);
}

void SensorSuite::save(StateWriter* out) const {
  out->write(signals_ ? 1 : 0);
  if (!signals_) return;
  for (const VehicleMotion& motion : motions_) {
    motion.frame.save(out);
    for (const MotionTrack& body : motion.bodies) body.save(out);
  }
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
  for (VehicleMotion& motion : motions_) {
    motion.frame.restore(in);
    for (MotionTrack& body : motion.bodies) body.restore(in);
  }
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
