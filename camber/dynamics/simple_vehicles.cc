#include "camber/dynamics/simple_vehicles.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/dynamics/single_track_equations.h"

namespace camber::dynamics {

namespace {

/// How a level vehicle moves, whatever it is made of.
struct LevelMotion {
  double x = 0, y = 0, yaw = 0;                       // midway between the axles [m], [rad]
  double forward = 0, left = 0, yaw_rate = 0;         // velocity there [m/s], [rad/s]
  double acceleration = 0, lateral_acceleration = 0;  // [m/s^2]
};

/// What both levels have in common: time, commands, ground, snapshots. `Model` has
///   State, and functions of a state: advance, motion, fill (the rest of a snapshot), save, restore
template <class Model>
class SimpleVehicle : public Vehicle {
 public:
  SimpleVehicle(Model model, const SimpleVehicleOptions& options, const terrain::Terrain* terrain)
      : model_(std::move(model)), terrain_(terrain), cache_(terrain->make_cache()) {
    max_step_ = options.step;
    layout_ = model_.layout();
    steering_ratio_ = options.steering_ratio;
    inputs_.parking_brake = options.parking_brake;
    inputs_.is_low_range = options.start.is_low_range;
    command_.parking_brake = options.parking_brake;
    state_ = model_.start(options.start);
    marked_ = state_;
    observe();
  }

  void command(const autonomy::Command& command) override {
    command_ = command;
    inputs_.steer = command.steer;
    inputs_.throttle = command.throttle;
    inputs_.brake = command.brake;
    inputs_.held_gear = command.gear;
    model_.select(command, inputs_, &state_);
    inputs_.parking_brake = model_.is_parked(state_) ? 1 : command.parking_brake;
  }

  integrate::StepResult step(double end) override {
    model_.advance(inputs_, ground(), end - time_, &state_);
    ++steps_;
    time_ = end;
    return {};
  }

  void mark() override {
    marked_ = state_;
    marked_time_ = time_;
  }
  void roll_back() override {
    state_ = marked_;
    time_ = marked_time_;
    update_view();
  }

  bool observe() override {
    update_view();
    constexpr double kSpeed = 300, kYawRate = 60;  // plausibility limits [m/s], [rad/s]
    const double speed = std::hypot(view_.speed, view_.lateral_speed);
    if (speed < kSpeed && std::abs(view_.yaw_rate) < kYawRate &&
        std::isfinite(view_.x + view_.y + view_.yaw))
      return true;
    problem_ = concat("the simulation diverges: the vehicle's speed is ", short_text(speed, 4),
                      " m/s, its yaw rate ", short_text(view_.yaw_rate, 4),
                      " rad/s; run.step may be too long with ", short_text(max_step_), " s");
    return false;
  }

  const VehicleSnapshot& snapshot() override {
    const LevelMotion m = find_motion();
    const terrain::SurfaceSample ground = terrain_->sample(m.x, m.y, &cache_);
    const double c = std::cos(m.yaw), s = std::sin(m.yaw);
    const double ahead = c * ground.hx + s * ground.hy, aside = c * ground.hy - s * ground.hx;
    VehicleSnapshot& out = snapshot_;
    out.time = time_;
    out.position = Vec3<double>(m.x, m.y, ground.h);
    out.roll = std::atan(aside);
    out.pitch = -std::atan(ahead);
    out.yaw = m.yaw;
    const Vec3<double> up = ground.normal(), x = Vec3<double>(c, s, ahead),
                       forward = x * (1 / std::sqrt(dot(x, x)));
    out.rotation = {{forward, cross(up, forward), up}};
    out.velocity = Vec3<double>(m.forward, m.left, ahead * m.forward + aside * m.left);
    out.rates = Vec3<double>(0, 0, m.yaw_rate);
    out.acceleration = Vec3<double>(m.acceleration, m.lateral_acceleration, 0);
    out.frame = find_frame_motion(m, ground, out.rotation);
    out.command = command_;
    out.steer_angles = {inputs_.steer, inputs_.steer};
    out.steering_wheel_angle = steering_ratio_ * inputs_.steer;
    model_.fill(inputs_, state_, this->ground()(model_.x(state_), model_.y(state_)), &out);
    return out;
  }

  void save(StateWriter* out) const override {
    Model::save(state_, out);
    for (const double value : {command_.steer, command_.throttle, command_.brake})
      out->write(value);
    out->write(command_.gear);
  }
  void restore(double time, StateReader* in) override {
    Model::restore(in, &state_);
    autonomy::Command restored = command_;
    for (double* value : {&restored.steer, &restored.throttle, &restored.brake})
      *value = in->read();
    restored.gear = in->read_int();
    restored.selector = 0;
    time_ = time;
    command(restored);
    update_view();
    mark();
  }
  std::unique_ptr<VehicleEquations> make_equations(const Vec3<double>& /*center*/) override {
    const LevelMotion m = find_motion();
    return model_.make_equations({.speed = m.forward,
                                  .steering_ratio = steering_ratio_,
                                  .friction = terrain_->friction.at(m.x, m.y),
                                  .is_low_range = inputs_.is_low_range});
  }
  long steps() const override { return steps_; }
  long evaluations() const override { return 4 * steps_; }

 private:
  auto ground() {
    return [this](double x, double y) {
      const terrain::SurfaceSample s = terrain_->sample(x, y, &cache_);
      return SimpleGround<double>{s.hx, s.hy, terrain_->friction.at(x, y)};
    };
  }

  /// The frame slides over the ground with its z-axis along the normal: its vertical motion and its
  /// rotation follow from slopes and second derivatives of the height.
  static VehicleSnapshot::FrameMotion find_frame_motion(const LevelMotion& m,
                                                        const terrain::SurfaceSample& g,
                                                        const math::Mat3<double>& R) {
    const double c = std::cos(m.yaw), s = std::sin(m.yaw), r = m.yaw_rate;
    const double vx = c * m.forward - s * m.left, vy = s * m.forward + c * m.left;
    const double ax = c * m.acceleration - s * m.lateral_acceleration,
                 ay = s * m.acceleration + c * m.lateral_acceleration;
    const double hx = g.hxx * vx + g.hxy * vy, hy = g.hxy * vx + g.hyy * vy;  // rates of slopes
    VehicleSnapshot::FrameMotion frame;
    frame.velocity = Vec3<double>(vx, vy, g.hx * vx + g.hy * vy);
    frame.acceleration = Vec3<double>(ax, ay, g.hx * ax + g.hy * ay + hx * vx + hy * vy);
    // Derivatives of the unit vectors forward and up, which are x / |x| and n / |n|.
    const double ahead = c * g.hx + s * g.hy, aside = c * g.hy - s * g.hx;
    const Vec3<double> x(c, s, ahead), x_rate(-s * r, c * r, c * hx + s * hy + r * aside);
    const Vec3<double> n(-g.hx, -g.hy, 1), n_rate(-hx, -hy, 0);
    const Vec3<double>&forward = R.c[0], &up = R.c[2];
    const Vec3<double> forward_rate =
        (x_rate - forward * dot(forward, x_rate)) * (1 / std::sqrt(dot(x, x)));
    const Vec3<double> up_rate = (n_rate - up * dot(up, n_rate)) * (1 / std::sqrt(dot(n, n)));
    const Vec3<double> left_rate = cross(up_rate, forward) + cross(up, forward_rate);
    frame.angular_velocity =
        (cross(forward, forward_rate) + cross(R.c[1], left_rate) + cross(up, up_rate)) * 0.5;
    return frame;
  }

  LevelMotion find_motion() {
    return model_.motion(inputs_, state_, ground()(model_.x(state_), model_.y(state_)));
  }

  void update_view() {
    const LevelMotion m = find_motion();
    const SimpleGround<double> here = ground()(m.x, m.y);
    view_ = {.time = time_,
             .x = m.x,
             .y = m.y,
             .yaw = m.yaw,
             .speed = m.forward,
             .lateral_speed = m.left,
             .yaw_rate = m.yaw_rate,
             .acceleration = m.acceleration,
             .steer = inputs_.steer,
             .grade = here.slope_x * std::cos(m.yaw) + here.slope_y * std::sin(m.yaw),
             .z = terrain_->sample(m.x, m.y, &cache_).h,
             .roll = std::atan(here.slope_y * std::cos(m.yaw) - here.slope_x * std::sin(m.yaw)),
             .pitch = -std::atan(here.slope_x * std::cos(m.yaw) + here.slope_y * std::sin(m.yaw))};
  }

  Model model_;
  const terrain::Terrain* terrain_;
  terrain::TerrainCache cache_;
  typename Model::State state_, marked_;
  double marked_time_ = 0;  // [s]
  double steering_ratio_ = 1;
  long steps_ = 0;
  autonomy::Command command_;
  SimpleInputs inputs_;
  VehicleSnapshot snapshot_;
};

struct PointMassModel {
  using State = PointMassState<double>;
  PointMass vehicle;

  static VehicleLayout layout() {
    return {.name = "point_mass", .steered = {"left", "right"}, .has_engine = false};
  }
  static State start(const Start& o) {
    return {.x = o.x, .y = o.y, .yaw = o.heading, .speed = o.speed};
  }
  // Its forces are those of one direction.
  static void select(const autonomy::Command&, const SimpleInputs&, State*) {}
  static bool is_parked(const State&) { return false; }
  static std::unique_ptr<VehicleEquations> make_equations(const SingleTrackEquationsSetup&) {
    return nullptr;
  }
  static double x(const State& s) { return s.x; }
  static double y(const State& s) { return s.y; }
  template <class GroundAt>
  void advance(const SimpleInputs& inputs, const GroundAt& ground, double dt, State* state) const {
    dynamics::advance(vehicle, inputs, ground, dt, state);
  }
  LevelMotion motion(const SimpleInputs& inputs, const State& s,
                     const SimpleGround<double>& ground) const {
    const auto r = calc_point_mass(vehicle, s, inputs, ground);
    return {.x = s.x,
            .y = s.y,
            .yaw = s.yaw,
            .forward = s.speed,
            .yaw_rate = r.rates.yaw,
            .acceleration = r.rates.speed,
            .lateral_acceleration = r.lateral_acceleration};
  }
  static void fill(const SimpleInputs&, const State&, const SimpleGround<double>&,
                   VehicleSnapshot*) {}
  static void save(const State& s, StateWriter* out) {
    for (const double value : {s.x, s.y, s.yaw, s.speed, s.brake_twist, s.brake_pressure})
      out->write(value);
  }
  static void restore(StateReader* in, State* s) {
    for (double* value : {&s->x, &s->y, &s->yaw, &s->speed, &s->brake_twist, &s->brake_pressure})
      *value = in->read();
  }
};

struct SingleTrackModel {
  struct State {
    SingleTrackState<double> motion;
    driveline::GearState gear;
  };
  SingleTrack vehicle;

  static VehicleLayout layout() {
    return {.name = "single_track", .axles = {"front", "rear"}, .steered = {"left", "right"}};
  }
  State start(const Start& o) const {
    State state;
    state.gear = {.gear = o.gear, .left = 0};
    SingleTrackState<double>& s = state.motion;
    s.forward = o.speed;
    // The engine turns as fast as the gear asks for, as in the full vehicle.
    const double turbine = total_ratio(vehicle.driveline, {0, o.is_low_range, state.gear}) *
                           o.speed / vehicle.rolling_radius;
    s.engine_speed = std::max(vehicle.driveline.engine.idle_speed, turbine);
    const double back = midway_ahead(vehicle);
    s.x = o.x - back * std::cos(o.heading);
    s.y = o.y - back * std::sin(o.heading);
    s.yaw = o.heading;
    return state;
  }
  void select(const autonomy::Command& command, const SimpleInputs& inputs, State* state) const {
    state->gear =
        driveline::select(vehicle.driveline, state->gear, command.selector,
                          calc_gearbox_speed(vehicle, state->motion, inputs), command.throttle);
  }
  static bool is_parked(const State& state) { return state.gear.is_parked; }
  std::unique_ptr<VehicleEquations> make_equations(const SingleTrackEquationsSetup& setup) const {
    return std::make_unique<SingleTrackEquations>(vehicle, setup);
  }
  static double x(const State& s) { return s.motion.x; }
  static double y(const State& s) { return s.motion.y; }
  template <class GroundAt>
  void advance(const SimpleInputs& inputs, const GroundAt& ground, double dt, State* state) const {
    dynamics::advance(vehicle, inputs, ground, dt, &state->motion, &state->gear);
  }
  LevelMotion motion(const SimpleInputs& inputs, const State& state,
                     const SimpleGround<double>& ground) const {
    const SingleTrackState<double>& s = state.motion;
    const auto r = calc_single_track(vehicle, s, inputs, state.gear, ground);
    const double ahead = midway_ahead(vehicle);
    return {.x = s.x + ahead * std::cos(s.yaw),
            .y = s.y + ahead * std::sin(s.yaw),
            .yaw = s.yaw,
            .forward = s.forward,
            .left = s.left + ahead * s.turn,
            .yaw_rate = s.turn,
            .acceleration = r.acceleration_ahead,
            .lateral_acceleration = r.acceleration_left};
  }
  void fill(const SimpleInputs& inputs, const State& state, const SimpleGround<double>& ground,
            VehicleSnapshot* out) const {
    const auto r = calc_single_track(vehicle, state.motion, inputs, state.gear, ground);
    out->engine_speed = state.motion.engine_speed;
    out->engine_torque = driveline::calc_engine_torque(vehicle.driveline.engine,
                                                       state.motion.engine_speed, inputs.throttle);
    out->gear = state.gear.gear;
    out->sideslip = calc_sideslip(state.motion.forward, state.motion.left);
    out->axles = {{r.front.load, r.front.along, r.front.across},
                  {r.rear.load, r.rear.along, r.rear.across}};
  }
  static void save(const State& state, StateWriter* out) {
    const SingleTrackState<double>& s = state.motion;
    for (const double value : {s.x, s.y, s.yaw, s.forward, s.left, s.turn, s.engine_speed,
                               s.brake_twist, s.brake_pressure})
      out->write(value);
    state.gear.save(out);
  }
  static void restore(StateReader* in, State* state) {
    SingleTrackState<double>& s = state->motion;
    for (double* value : {&s.x, &s.y, &s.yaw, &s.forward, &s.left, &s.turn, &s.engine_speed,
                          &s.brake_twist, &s.brake_pressure})
      *value = in->read();
    state->gear.restore(in);
  }
};

}  // namespace

std::unique_ptr<Vehicle> make_point_mass_vehicle(const PointMass& vehicle,
                                                 const SimpleVehicleOptions& options,
                                                 const terrain::Terrain* terrain) {
  return std::make_unique<SimpleVehicle<PointMassModel>>(PointMassModel{vehicle}, options, terrain);
}

std::unique_ptr<Vehicle> make_single_track_vehicle(const SingleTrack& vehicle,
                                                   const SimpleVehicleOptions& options,
                                                   const terrain::Terrain* terrain) {
  return std::make_unique<SimpleVehicle<SingleTrackModel>>(SingleTrackModel{vehicle}, options,
                                                           terrain);
}

}  // namespace camber::dynamics
