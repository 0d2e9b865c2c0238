#include "camber/run/drive_watch.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <variant>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::run {
namespace {

// Shares of the free radius by which a tire is pressed in: sections of road tires are 0.3 to 0.55 of
// it high. Beyond the first the rim is near, beyond the second there is no tire left.
constexpr double kDeepDeflection = 0.45, kNoTire = 0.6;
// Load of one wheel over the weight of the vehicle.
constexpr double kHighLoad = 5, kAbsurdLoad = 10;
// Depth of the ground in the body [m].
constexpr double kTouch = 0.02, kThrough = 0.3;
// Slope that a simple level climbs: no tire holds more.
constexpr double kWall = 1.5;
// Energy that nothing delivered, over the largest kinetic energy, beside what springs may hold.
constexpr double kFromNowhere = 0.05;
constexpr double kSprings = 0.3;  // lift of the weight [m]
constexpr double kOverspeed = 1.1;
// Reversals of the steering in a row, tick by tick, of more than this angle [rad].
constexpr int kChatter = 50;
constexpr double kVisible = 1e-3;

double to_degrees(double radians) { return radians * 180 / std::numbers::pi; }

std::string at(double t) { return concat(" at t = ", short_text(t, 4), " s"); }

}  // namespace

DriveWatch::DriveWatch(const scenario::DriveParts& parts, bool is_full,
                       const terrain::Terrain& terrain)
    : parts_(&parts),
      terrain_(&terrain),
      cache_(terrain.make_cache()),
      is_full_(is_full),
      is_flat_(std::holds_alternative<terrain::Plane>(terrain.base) && terrain.bumps.empty()),
      mass_(parts.facts.total_mass()),
      weight_(mass_ * parts.facts.gravity) {
  const std::vector<double>& speeds = parts.equipment.driveline.engine.torque.x();
  max_engine_speed_ = speeds.empty() ? 0 : speeds.back();
}

void DriveWatch::look(const dynamics::VehicleSnapshot& now) {
  if (has_first_ && now.time == last_time_) return;
  look_at_wheels(now);
  look_at_energy(now);
  look_at_ground(now);
  look_at_driver(now);
  last_time_ = now.time;
  last_x_ = now.position[0];
  last_y_ = now.position[1];
  last_z_ = now.position[2];
  has_first_ = true;
}

void DriveWatch::look_at_wheels(const dynamics::VehicleSnapshot& now) {
  for (std::size_t i = 0; i < now.wheels.size() && i < parts_->tires.wheels.size(); ++i) {
    const auto& wheel = now.wheels[i];
    load_.take(wheel.load / weight_, now.time, static_cast<int>(i));
    deflection_.take(wheel.deflection / parts_->tires.wheels[i].tire->radius, now.time,
                     static_cast<int>(i));
  }
  if (max_engine_speed_ > 0) engine_.take(now.engine_speed / max_engine_speed_, now.time);
}

// Energy of the whole as if it moved with the vehicle's frame: what it gains, the engine has given
// or springs and the flywheel had.
void DriveWatch::look_at_energy(const dynamics::VehicleSnapshot& now) {
  if (!is_full_) return;
  const auto& v = now.velocity;
  const double inertia = parts_->equipment.driveline.engine.inertia;
  const double kinetic = 0.5 * mass_ * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const Vector3& c = parts_->facts.center;
  const double height = now.position[2] + now.rotation(2, 0) * c.x() + now.rotation(2, 1) * c.y() +
                        now.rotation(2, 2) * c.z();
  const double energy = kinetic + weight_ * height;
  const double flywheel = 0.5 * inertia * now.engine_speed * now.engine_speed;
  const double power = std::max(0.0, now.engine_torque * now.engine_speed);
  if (!has_first_) {
    first_energy_ = energy + flywheel;
  } else {
    work_ += 0.5 * (power + last_power_) * (now.time - last_time_);
  }
  last_power_ = power;
  max_energy_ = std::max(max_energy_, kinetic);
  gain_.take(energy - first_energy_ - 1.05 * work_ - kSprings * weight_, now.time);
}

void DriveWatch::look_at_ground(const dynamics::VehicleSnapshot& now) {
  const double x = now.position[0], y = now.position[1];
  if (!is_flat_ && outside_since_ < 0 && !terrain_->contains(x, y)) {
    outside_since_ = now.time;
    starts_outside_ = !has_first_;
  }
  if (!is_full_ && has_first_) {
    const double s = std::hypot(x - last_x_, y - last_y_), rise = now.position[2] - last_z_;
    if (rise > 0.02) slope_.take(rise / std::max(s, 1e-6), now.time);
  }
  if (is_flat_ || !is_full_) return;
  try {
    look_at_underside(now);
  } catch (const FileError&) {  // ground that cannot be read ends the run where a wheel needs it
  }
}

void DriveWatch::look_at_underside(const dynamics::VehicleSnapshot& now) {
  const double x = now.position[0], y = now.position[1];
  for (const math::Vec3<double>& p : parts_->underside) {
    const auto& R = now.rotation;
    const double px = x + R(0, 0) * p[0] + R(0, 1) * p[1] + R(0, 2) * p[2];
    const double py = y + R(1, 0) * p[0] + R(1, 1) * p[1] + R(1, 2) * p[2];
    const double pz = now.position[2] + R(2, 0) * p[0] + R(2, 1) * p[1] + R(2, 2) * p[2];
    depth_.take(terrain_->sample(px, py, &cache_).h - pz, now.time);
  }
}

void DriveWatch::look_at_driver(const dynamics::VehicleSnapshot& now) {
  const double change = now.command.steer - last_steer_;
  if (change == 0) return;  // the driver has not looked since
  const bool reverses = change * last_change_ < 0 && std::abs(change) > kVisible;
  reversals_ = has_first_ && reverses ? reversals_ + 1 : 0;
  if (reversals_ > kChatter) chatter_.take(std::abs(change), now.time);
  last_steer_ = now.command.steer;
  last_change_ = change;
}

template <class Self, class Visit>
void DriveWatch::visit_state(Self& self, const Visit& visit) {
  for (auto* peak : {&self.load_, &self.deflection_, &self.engine_, &self.slope_, &self.depth_,
                     &self.gain_, &self.chatter_}) {
    visit(peak->value);
    visit(peak->time);
    visit(peak->where);
  }
  for (auto* value : {&self.last_time_, &self.last_x_, &self.last_y_, &self.last_z_,
                      &self.first_energy_, &self.work_, &self.last_power_, &self.max_energy_,
                      &self.outside_since_, &self.last_steer_, &self.last_change_})
    visit(*value);
  visit(self.reversals_);
  visit(self.has_first_);
  visit(self.starts_outside_);
}

void DriveWatch::save(StateWriter* out) const {
  visit_state(*this, [&](const auto& value) { out->write(static_cast<double>(value)); });
}

void DriveWatch::restore(StateReader* in) {
  visit_state(*this, [&](auto& value) {
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, bool>)
      value = in->read_bool();
    else if constexpr (std::is_same_v<Value, int>)
      value = in->read_int();
    else
      value = in->read();
  });
}

std::vector<DriveFinding> DriveWatch::findings() const {
  std::vector<DriveFinding> found;
  const auto name = [&](const Peak& peak) {
    return parts_->mechanism.corners[static_cast<std::size_t>(peak.where)].name;
  };
  if (deflection_.value > kDeepDeflection) {
    const double radius =
        parts_->tires.wheels[static_cast<std::size_t>(deflection_.where)].tire->radius;
    const bool is_unsound = deflection_.value > kNoTire;
    found.push_back(
        {concat("the tire of ", name(deflection_), " is pressed in by ",
                short_text(deflection_.value * radius, 3), " m of its radius of ",
                short_text(radius, 3), " m", at(deflection_.time),
                is_unsound
                    ? ": more than a tire has; edges of the ground that tire.contact does not "
                      "see are the usual cause (\"envelope\" sees more)"
                    : ": a wheel would be on its rim"),
         is_unsound});
  }
  if (load_.value > kHighLoad) {
    found.push_back(
        {concat("the load of ", name(load_), " is ", short_text(load_.value * weight_ / 1000, 3),
                " kN, ", short_text(load_.value, 2), " times the weight of the vehicle",
                at(load_.time)),
         load_.value > kAbsurdLoad});
  }
  if (gain_.value > kFromNowhere * max_energy_ && gain_.value > 0) {
    found.push_back({concat("the vehicle has ", short_text(gain_.value / 1000, 3),
                            " kJ more than its engine and its start gave it", at(gain_.time),
                            ": energy from nowhere; a run.step that is too long or edges of the "
                            "ground are usual causes"),
                     true});
  }
  if (depth_.value > kTouch) {
    found.push_back({concat("the body touches the ground, ", short_text(depth_.value, 2), " m deep",
                            at(depth_.time)),
                     depth_.value > kThrough});
  }
  if (slope_.value > kWall) {
    found.push_back(
        {concat("the vehicle climbs a slope of ",
                short_text(to_degrees(std::atan(slope_.value)), 3), " deg", at(slope_.time),
                ": this level follows any ground, and no tire holds there; take "
                "vehicle.level = \"full\""),
         true});
  }
  if (outside_since_ >= 0) {
    found.push_back(
        {concat("the vehicle ", starts_outside_ ? "starts" : "is", " beyond the end of its map",
                starts_outside_ ? "" : concat(" from t = ", short_text(outside_since_, 4), " s on"),
                ", where the ground has the height of the edge"),
         starts_outside_});
  }
  if (engine_.value > kOverspeed) {
    found.push_back(
        {concat("the engine runs at ",
                short_text(engine_.value * max_engine_speed_ * 30 / std::numbers::pi, 4), " rpm",
                at(engine_.time), ", its table ends at ",
                short_text(max_engine_speed_ * 30 / std::numbers::pi, 4), " rpm",
                engine_.time < 1 ? ": vehicle.start.gear is too low for "
                                   "vehicle.start.speed"
                                 : ""),
         false});
  }
  if (chatter_.value > 0) {
    found.push_back(
        {concat("the driver chatters: the steering goes to and fro by ",
                short_text(to_degrees(chatter_.value), 2), " deg at every look", at(chatter_.time)),
         false});
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const DriveFinding& finding) { return finding.is_unsound; });
  return found;
}

}  // namespace camber::run
