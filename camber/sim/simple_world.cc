#include "camber/sim/simple_world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/dynamics/point_mass.h"
#include "camber/dynamics/simple_vehicles.h"
#include "camber/dynamics/single_track.h"
#include "camber/report/plot.h"
#include "camber/sim/standing_check.h"

namespace camber::sim {

namespace {

using dynamics::PointMass, dynamics::PointMassState, dynamics::SimpleGround, dynamics::SimpleInputs,
    dynamics::SingleTrack, dynamics::SingleTrackState;

/// How a level vehicle moves, whatever it is made of.
struct LevelMotion {
  double x = 0, y = 0, yaw = 0;            // midway between the axles
  double forward = 0, left = 0, turn = 0;  // speeds there
  double acceleration = 0, lateral_acceleration = 0;
};

/// What both levels have in common: time, commands, log.
class SimpleWorld : public DriveWorld {
 public:
  SimpleWorld(const scenario::Scenario& scenario, const terrain::Terrain* terrain)
      : terrain_(terrain), cache_(terrain->make_cache()), step_(scenario.run.step) {
    inputs_.parking_brake = scenario.driver.has_parking_brake ? 1 : 0;
    inputs_.is_low_range = scenario.driver.range == scenario::Range::kLow;
    const auto make = [&](const char* name, std::vector<std::string> names,
                          std::vector<std::string> units, const char* description) {
      const std::size_t size = names.size();
      channels_.push_back({.name = name,
                           .shape = {size},
                           .units = std::move(units),
                           .names = std::move(names),
                           .description = description});
    };
    make(channel::kPosition, {"x", "y", "z"}, {"m"}, "Midway between the axles, on the ground");
    make(channel::kAttitude, {"roll", "pitch", "yaw"}, {"rad"}, "Of the ground, and the heading");
    make(channel::kVelocity, {"forward", "left", "up"}, {"m/s"}, "Midway between the axles");
    make(channel::kRates, {"roll", "pitch", "yaw"}, {"rad/s"}, "Only yaw is there");
    make(channel::kAcceleration, {"forward", "left", "up"}, {"m/s^2"},
         "Of the center of mass, without gravity");
    make(channel::kCommand, {"steer", "throttle", "brake"}, {"rad", "1", "1"},
         "What the driver wants: mean angle of the front wheels, pedals");
    make(channel::kSteer, {"left", "right"}, {"rad"}, "Both are the mean one");
  }

  integrate::StepResult advance(double end) override {
    const double begin = time_;
    const auto count = static_cast<long>(std::ceil((end - begin) / step_ * (1 - 1e-9)));
    keep();
    try {
      for (long i = 0; i < count; ++i) step((end - begin) / static_cast<double>(count));
      steps_ += count;
      time_ = end;
      observe();
    } catch (...) {  // ground that cannot be read
      go_back();
      time_ = begin;
      throw;
    }
    integrate::StepResult result;
    constexpr double kSpeed = 300, kTurnRate = 60;  // [m/s], [rad/s]: beyond anything that drives
    const double speed = std::hypot(view_.speed, view_.lateral_speed);
    if (!(speed < kSpeed && std::abs(view_.yaw_rate) < kTurnRate) ||
        !std::isfinite(view_.x + view_.y + view_.yaw)) {
      result.status = integrate::Status::kNoValue;
      result.time = begin;
      using report::short_text;
      result.text =
          concat("it diverges: at t = ", short_text(end), " s the vehicle's speed is ",
                 short_text(speed, 4), " m/s, its yaw rate ", short_text(view_.yaw_rate, 4),
                 " rad/s; run.step may be too long with ", short_text(step_), " s");
      go_back();
      time_ = begin;
      observe();
    }
    return result;
  }
  void command(const autonomy::Command& command) override {
    command_ = command;
    inputs_.steer = command.steer;
    inputs_.throttle = command.throttle;
    inputs_.brake = command.brake;
  }
  const autonomy::VehicleView& view() const override { return view_; }
  const std::vector<record::Channel>& channels() const override { return channels_; }
  std::span<const double> sample() override {
    const LevelMotion m = motion();
    const terrain::SurfaceSample ground = terrain_->sample(m.x, m.y, &cache_);
    const double c = std::cos(m.yaw), s = std::sin(m.yaw);
    const double ahead = c * ground.hx + s * ground.hy, aside = c * ground.hy - s * ground.hx;
    values_ = {m.x,
               m.y,
               ground.h,
               std::atan(aside),
               -std::atan(ahead),
               m.yaw,
               m.forward,
               m.left,
               ahead * m.forward + aside * m.left,
               0,
               0,
               m.turn,
               m.acceleration,
               m.lateral_acceleration,
               0,
               command_.steer,
               command_.throttle,
               command_.brake,
               inputs_.steer,
               inputs_.steer};
    append();
    return values_;
  }
  long steps() const override { return steps_; }
  long evaluations() const override { return 4 * steps_; }

 protected:
  virtual LevelMotion motion() = 0;
  virtual void step(double dt) = 0;
  /// The state before a number of steps, and back to it.
  virtual void keep() = 0;
  virtual void go_back() = 0;
  virtual void append() {}

  auto ground() {
    return [this](double x, double y) {
      const terrain::SurfaceSample s = terrain_->sample(x, y, &cache_);
      return SimpleGround<double>{s.hx, s.hy, terrain_->friction.at(x, y)};
    };
  }
  void observe() {
    const LevelMotion m = motion();
    const SimpleGround<double> here = ground()(m.x, m.y);
    view_ = {.time = time_,
             .x = m.x,
             .y = m.y,
             .yaw = m.yaw,
             .speed = m.forward,
             .lateral_speed = m.left,
             .yaw_rate = m.turn,
             .acceleration = m.acceleration,
             .steer = inputs_.steer,
             .grade = here.slope_x * std::cos(m.yaw) + here.slope_y * std::sin(m.yaw)};
  }
  std::vector<double> command_state() const {
    return {command_.steer, command_.throttle, command_.brake};
  }
  void set_command_state(double time, const double* at) {
    time_ = time;
    command({.steer = at[0], .throttle = at[1], .brake = at[2]});
  }

  const terrain::Terrain* terrain_;
  terrain::TerrainCache cache_;
  double step_;
  long steps_ = 0;
  autonomy::VehicleView view_;
  autonomy::Command command_;
  SimpleInputs inputs_;
  std::vector<record::Channel> channels_;
  std::vector<double> values_;
};

class PointMassWorld : public SimpleWorld {
 public:
  PointMassWorld(const PointMass& vehicle, const scenario::Scenario& scenario,
                 const terrain::Terrain* terrain)
      : SimpleWorld(scenario, terrain), vehicle_(vehicle) {
    const scenario::Start& start = scenario.vehicle.start;
    state_ = {.x = start.x, .y = start.y, .yaw = start.heading, .speed = start.speed};
    observe();
  }
  std::vector<double> state() const override {
    std::vector<double> all = {state_.x,     state_.y,           state_.yaw,
                               state_.speed, state_.brake_twist, state_.brake_pressure};
    const std::vector<double> more = command_state();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void set_state(double time, std::span<const double> s) override {
    require(s.size() == 9, "PointMassWorld::set_state: ", s.size(), " numbers, need 9");
    state_ = {s[0], s[1], s[2], s[3], s[4], s[5]};
    set_command_state(time, &s[6]);
    observe();
  }

 private:
  void step(double dt) override { dynamics::advance(vehicle_, inputs_, ground(), dt, &state_); }
  void keep() override { kept_ = state_; }
  void go_back() override { state_ = kept_; }
  LevelMotion motion() override {
    const auto r = calc_point_mass(vehicle_, state_, inputs_, ground()(state_.x, state_.y));
    return {.x = state_.x,
            .y = state_.y,
            .yaw = state_.yaw,
            .forward = state_.speed,
            .turn = r.rates.yaw,
            .acceleration = r.rates.speed,
            .lateral_acceleration = r.lateral_acceleration};
  }

  PointMass vehicle_;
  PointMassState<double> state_, kept_;
};

class SingleTrackWorld : public SimpleWorld {
 public:
  SingleTrackWorld(const SingleTrack& vehicle, const scenario::Scenario& scenario,
                   const terrain::Terrain* terrain)
      : SimpleWorld(scenario, terrain), vehicle_(vehicle) {
    channels_.push_back({.name = channel::kEngine,
                         .shape = {2},
                         .units = {"rad/s", "N m"},
                         .names = {"speed", "torque"},
                         .description = "Crankshaft"});
    channels_.push_back({.name = channel::kGear,
                         .units = {"1"},
                         .description = "-1 reverse, 0 neutral; the one that comes, in a shift"});
    for (const char* name : {"axles/load", "axles/longitudinal_force", "axles/lateral_force"})
      channels_.push_back({.name = name,
                           .shape = {2},
                           .units = {"N"},
                           .names = {"front", "rear"},
                           .description = "Of the ground on an axle"});
    const scenario::Start& start = scenario.vehicle.start;
    gear_ = {.gear = start.gear, .left = 0};
    state_.forward = start.speed;
    // As the full vehicle's: as fast as the gear asks for.
    const double turbine = total_ratio(vehicle.driveline, {0, inputs_.is_low_range, gear_}) *
                           start.speed / vehicle.rolling_radius;
    state_.engine_speed = std::max(vehicle.driveline.engine.idle_speed, turbine);
    const double back = dynamics::midway_ahead(vehicle);
    state_.x = start.x - back * std::cos(start.heading);
    state_.y = start.y - back * std::sin(start.heading);
    state_.yaw = start.heading;
    observe();
  }
  std::vector<double> state() const override {
    std::vector<double> all = {state_.x,
                               state_.y,
                               state_.yaw,
                               state_.forward,
                               state_.left,
                               state_.turn,
                               state_.engine_speed,
                               state_.brake_twist,
                               state_.brake_pressure,
                               static_cast<double>(gear_.gear),
                               gear_.left};
    const std::vector<double> more = command_state();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void set_state(double time, std::span<const double> s) override {
    require(s.size() == 14, "SingleTrackWorld::set_state: ", s.size(), " numbers, need 14");
    state_ = {s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]};
    gear_ = {.gear = static_cast<int>(s[9]), .left = s[10]};
    set_command_state(time, &s[11]);
    observe();
  }

 private:
  void step(double dt) override {
    dynamics::advance(vehicle_, inputs_, ground(), dt, &state_, &gear_);
  }
  void keep() override {
    kept_ = state_;
    kept_gear_ = gear_;
  }
  void go_back() override {
    state_ = kept_;
    gear_ = kept_gear_;
  }
  auto evaluate() {
    return calc_single_track(vehicle_, state_, inputs_, gear_, ground()(state_.x, state_.y));
  }
  LevelMotion motion() override {
    const auto r = evaluate();
    const double ahead = dynamics::midway_ahead(vehicle_);
    return {.x = state_.x + ahead * std::cos(state_.yaw),
            .y = state_.y + ahead * std::sin(state_.yaw),
            .yaw = state_.yaw,
            .forward = state_.forward,
            .left = state_.left + ahead * state_.turn,
            .turn = state_.turn,
            .acceleration = r.acceleration_ahead,
            .lateral_acceleration = r.acceleration_left};
  }
  void append() override {
    const auto r = evaluate();
    const double torque = driveline::calc_engine_torque(vehicle_.driveline.engine,
                                                        state_.engine_speed, inputs_.throttle);
    values_.insert(values_.end(),
                   {state_.engine_speed, torque, static_cast<double>(gear_.gear), r.front.load,
                    r.rear.load, r.front.along, r.rear.along, r.front.across, r.rear.across});
  }

  SingleTrack vehicle_;
  SingleTrackState<double> state_, kept_;
  driveline::GearState gear_, kept_gear_;
};

}  // namespace

std::unique_ptr<DriveWorld> make_simple_world(const scenario::Scenario& scenario,
                                              const dynamics::VehicleFacts& facts,
                                              const dynamics::Equipment& equipment,
                                              const dynamics::VehicleTires& tires,
                                              const terrain::Terrain* terrain) {
  if (scenario.vehicle.level == scenario::VehicleLevel::kPointMass)
    return std::make_unique<PointMassWorld>(
        dynamics::make_point_mass(facts, equipment, scenario.driver.range == scenario::Range::kLow,
                                  std::min(1, scenario.vehicle.start.gear)),
        scenario, terrain);
  return std::make_unique<SingleTrackWorld>(dynamics::make_single_track(facts, equipment, tires),
                                            scenario, terrain);
}

}  // namespace camber::sim
