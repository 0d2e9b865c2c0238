#include "camber/autonomy/goal_pilot.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/text.h"

namespace camber::autonomy {

using planning::Point, planning::Pose;

namespace {

constexpr double kStanding = 0.05;  // [m/s]
constexpr double kPictureTime = 2;  // between two plans that are kept for pages [s]
constexpr std::size_t kMaxPictures = 200;
constexpr double kTryTime = 1;    // between two searches for a maneuver [s]
constexpr int kMaxManeuvers = 6;  // without coming nearer to the goal
constexpr double kProgress = 1;   // [m] by which the goal must come nearer

double distance_of(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }
Point place_of(const Pose& pose) { return {pose.x, pose.y}; }

}  // namespace

GoalPilot::GoalPilot(GoalSetup setup, GoalParts parts)
    : setup_(std::move(setup)), parts_(std::move(parts)) {
  require(setup_.wheelbase > 0 && setup_.sample_time > 0 &&
              setup_.plan_period >= setup_.sample_time && setup_.goal_radius > 0,
          "GoalPilot: wheelbase ", setup_.wheelbase, " m, sample_time ", setup_.sample_time,
          " s and goal_radius ", setup_.goal_radius, " m must be > 0, plan_period ",
          setup_.plan_period, " s not less than sample_time");
  require_valid(setup_.forward);
  if (setup_.may_reverse) require_valid(setup_.backward);
  if (!parts_.state) parts_.state = make_estimator(setup_.state, setup_.estimator);
  if (!parts_.map) parts_.map = make_mapper(setup_.map, setup_.mapping, setup_.ground);
  if (!parts_.local)
    parts_.local =
        make_local_planner(setup_.local, {setup_.arcs, setup_.steering, setup_.track, setup_.seed});
  // A bay is narrower than what a way needs on both sides.
  if (setup_.goal_heading) setup_.area.goal_reach = std::max(setup_.area.goal_reach, 8.0);
  if (!parts_.global) parts_.global = make_global_planner(setup_.global, setup_.area);
  setup_.forward.profile.speed = setup_.backward.profile.speed = {.x = {0, 1}, .y = {0, 0}};
}

void GoalPilot::take(const Measurement& measurement) {
  parts_.state->take(measurement);
  parts_.map->take(measurement, parts_.state->track());
  if (const auto* radar = std::get_if<RadarScan>(&measurement))
    movers_.take(*radar, parts_.state->track());
}

void GoalPilot::restart() {
  memory_ = {};
  maneuver_ = {};
  planned_ = globally_planned_ = -1e9;
}

Pose GoalPilot::to_smooth(const Pose& world) const {
  const Pose smooth{estimate_.smooth.x, estimate_.smooth.y, estimate_.smooth.yaw};
  return to_global(smooth, to_local(estimate_.world, world));
}

Pose GoalPilot::rear() const {
  const Pose smooth{estimate_.smooth.x, estimate_.smooth.y, estimate_.smooth.yaw};
  return to_global(smooth, {-0.5 * setup_.wheelbase, 0, 0});
}

Command GoalPilot::update(const VehicleView& view) {
  const double dt = is_started_ ? view.time - time_ : 0;
  time_ = view.time;
  estimate_ = parts_.state->update(view);
  if (!is_started_) command_.steer = estimate_.steer;
  is_started_ = true;
  if (time_ >= planned_ + setup_.plan_period - 1e-6) {
    planned_ = time_;
    const auto begin = std::chrono::steady_clock::now();
    think();
    view_.cycle_times.push_back(static_cast<float>(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()));
  }
  command_ = act(dt);
  view_.x = estimate_.world.x;
  view_.y = estimate_.world.y;
  view_.yaw = estimate_.world.heading;
  view_.speed = estimate_.speed;
  view_.position_sigma = estimate_.position_sigma;
  view_.target_speed = intent_.direction * intent_.speed;
  view_.target_curvature = intent_.curvature;
  view_.free_length = intent_.free_length;
  view_.distance = distance_of(place_of(estimate_.world), setup_.goal);
  const Pose smooth{estimate_.smooth.x, estimate_.smooth.y, estimate_.smooth.yaw};
  const Pose target = to_global(estimate_.world, to_local(smooth, {target_.x, target_.y, 0}));
  view_.target_x = target.x;
  view_.target_y = target.y;
  const bool is_at_rest = std::abs(estimate_.speed) < kStanding;
  view_.is_over =
      is_at_rest && (view_.behavior == Behavior::kArrived || view_.behavior == Behavior::kGaveUp);
  return command_;
}

void GoalPilot::change(Behavior behavior, const std::string& reason) {
  if (behavior == view_.behavior && !view_.changes.empty()) return;
  view_.behavior = behavior;
  view_.changes.push_back({time_, behavior, reason, place_of(estimate_.world)});
}

void GoalPilot::stop(Behavior behavior, const std::string& reason) {
  change(behavior, reason);
  intent_.speed = 0;
  intent_.acceleration = -setup_.speed.deceleration;
  intent_.free_length = 0;
}

// --- Thinking: once per plan period ---

void GoalPilot::think() {
  parts_.map->update(estimate_);
  movers_.update(time_);
  if (setup_.ground.movers) movers_.set_movers(setup_.ground.movers(time_));
  if (view_.behavior == Behavior::kArrived || view_.behavior == Behavior::kGaveUp) {
    intent_.speed = 0;
    intent_.acceleration = -setup_.speed.deceleration;
    return;
  }
  const std::string& problem =
      estimate_.problem.empty() ? parts_.map->problem() : estimate_.problem;
  if (!problem.empty()) {
    maneuver_ = {};
    stop(Behavior::kFailSafe, problem);
    return;
  }
  const Pose goal_pose = to_smooth({setup_.goal.x, setup_.goal.y, 0});
  const Point goal = place_of(goal_pose);
  parts_.global->observe(parts_.map->map(), movers_.movers());
  if (time_ >= globally_planned_ + setup_.global_period - 1e-6) plan_global(goal);

  const Point here{estimate_.smooth.x, estimate_.smooth.y};
  const double left = path_.is_found ? path_.length : distance_of(here, goal);
  if (left < best_ - kProgress) {
    best_ = left;
    best_since_ = time_;
    maneuvers_ = 0;
  }
  const bool is_near = distance_of(here, goal) <= setup_.goal_radius;
  const bool must_park = setup_.goal_heading.has_value();
  if (is_near && !must_park && maneuver_.is_over()) {
    stop(Behavior::kArrived, concat("within ", short_text(setup_.goal_radius), " m of the goal"));
    return;
  }
  if (time_ - best_since_ > setup_.no_progress) {
    stop(Behavior::kGaveUp, concat("no nearer to the goal for ", short_text(setup_.no_progress),
                                   " s; ", short_text(left, 3), " m are left"));
    return;
  }
  if (!maneuver_.is_over())
    drive_maneuver();
  else
    drive_arcs(goal);
  keep_picture();
}

void GoalPilot::plan_global(Point goal) {
  globally_planned_ = time_;
  if (parts_.global->is_in_world()) {
    path_ = parts_.global->plan(place_of(estimate_.world), setup_.goal);
    for (Point& p : path_.points) p = place_of(to_smooth({p.x, p.y, 0}));
  } else {
    path_ = parts_.global->plan({estimate_.smooth.x, estimate_.smooth.y}, goal);
  }
  if (view_.shortest == 0)
    view_.shortest =
        path_.is_found ? path_.length : distance_of({estimate_.smooth.x, estimate_.smooth.y}, goal);
}

/// The point of the path `ahead` meters from the one that is nearest to the vehicle, and the path's
/// direction there.
Point GoalPilot::find_target(Point goal, double ahead, double* heading) const {
  const std::vector<Point>& points = path_.points;
  const Point from = place_of(rear());
  *heading = std::atan2(goal.y - from.y, goal.x - from.x);
  if (setup_.global == GlobalKind::kNone || points.size() < 2) return goal;
  std::size_t nearest = 0;
  double least = INFINITY;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double d = distance_of(points[k], from);
    if (d < least) least = d, nearest = k;
  }
  std::size_t k = nearest;
  double s = 0;
  while (k + 1 < points.size() && s < ahead) {
    s += distance_of(points[k], points[k + 1]);
    ++k;
  }
  const std::size_t back = k >= 4 ? k - 4 : 0, next = std::min(k + 4, points.size() - 1);
  *heading = std::atan2(points[next].y - points[back].y, points[next].x - points[back].x);
  return points[k];
}

void GoalPilot::drive_arcs(Point goal) {
  const double v = std::max(estimate_.speed, 0.0);
  const bool is_at_rest = std::abs(estimate_.speed) < 0.2;
  if (!path_.is_found) {
    stop(Behavior::kWait, path_.problem);
    if (!is_at_rest) return;
    if (blocked_since_ < 0) blocked_since_ = time_;
    if (time_ - blocked_since_ > setup_.give_up) stop(Behavior::kGaveUp, path_.problem);
    return;
  }
  double heading = 0;
  target_ = find_target(goal, std::clamp(1.2 * v + 4, 6.0, 16.0), &heading);
  const Pose from = rear();
  const bool has_way_back = setup_.may_reverse && setup_.global != GlobalKind::kNone;
  const double bearing =
      planning::wrap_angle(std::atan2(target_.y - from.y, target_.x - from.x) - from.heading);
  const double to_goal = distance_of({estimate_.smooth.x, estimate_.smooth.y}, goal);
  const bool may_try = has_way_back && is_at_rest && time_ >= tried_ + kTryTime - 1e-6;
  if (may_try && setup_.goal_heading && to_goal < 15 && maneuvers_ >= kMaxManeuvers) {
    stop(Behavior::kGaveUp, "no maneuver leads into the pose at the goal");
    return;
  }
  if (may_try && maneuvers_ < kMaxManeuvers) {
    if (setup_.goal_heading && to_goal < 15 &&
        start_maneuver(Behavior::kPark, concat("the goal is ", short_text(to_goal, 3), " m away"),
                       goal))
      return;
    if (std::abs(bearing) > 2.1 &&
        start_maneuver(Behavior::kTurnRound, "the way leads backward", goal))
      return;
    if (setup_.global == GlobalKind::kHybridAStar &&
        start_maneuver(Behavior::kFollow, "along a path of arcs", goal))
      return;
  }

  const double steer = estimate_.steer;
  const LocalPlan plan = parts_.local->plan(
      *parts_.map, {from, v, std::tan(steer) / setup_.wheelbase, intent_.curvature, target_});
  intent_.direction = 1;
  if (plan.is_blocked) {
    stop(view_.behavior == Behavior::kRecover ? Behavior::kRecover : Behavior::kWait,
         "no arc is free");
    if (!is_at_rest) return;
    if (blocked_since_ < 0) blocked_since_ = time_;
    if (may_try && time_ - blocked_since_ > setup_.patience && maneuvers_ < kMaxManeuvers &&
        start_maneuver(Behavior::kRecover, "no arc is free", goal))
      return;
    if (time_ - blocked_since_ > setup_.give_up)
      stop(Behavior::kGaveUp,
           has_way_back ? "no arc and no maneuver is free" : "no arc is free: trapped");
    return;
  }
  double crossing_speed = 0;
  const std::optional<double> crossing = find_crossing(plan, &crossing_speed);
  if (crossing)
    change(Behavior::kWait, concat("something crosses the way at ", short_text(crossing_speed, 2),
                                   " m/s, ", short_text(*crossing, 2), " m ahead"));
  else
    change(plan.is_straight_free ? Behavior::kFollow : Behavior::kAvoid,
           plan.is_straight_free ? "the way is free" : "something is in the way");
  // The goal is one of the point midway between the axles.
  const double ahead = std::cos(from.heading) * (goal.x - estimate_.smooth.x) +
                       std::sin(from.heading) * (goal.y - estimate_.smooth.y);
  const double goal_length = to_goal < 15 ? std::max(ahead, 0.0) : path_.length;
  // A goal beside the vehicle is passed and approached again.
  const bool is_beside = ahead < 0.2 && to_goal > setup_.goal_radius;
  // A vehicle that parks stops before, and maneuvers from there.
  const double before = setup_.goal_heading ? 10 : 0;
  const double free_length = std::min(plan.free_length, plan.seen_length);
  const SpeedRoom room{.free_length = crossing ? std::min(free_length, *crossing) : free_length,
                       .goal_length = is_beside ? 100 : std::max(0.0, goal_length - before),
                       .curvature = plan.curvature,
                       .grade = estimate_.grade,
                       .roughness = plan.roughness};
  const bool is_roams = setup_.local == LocalKind::kRoamsArcs;
  SpeedRoom seen = room;
  // Arcs of ROAMS are free as a whole or dropped, at one speed.
  if (is_roams && !crossing) seen.free_length = std::max(room.free_length, 100.0);
  const SpeedLimit limit = calc_speed_limit(setup_.speed, seen, v);
  // A free arc that is too short to move off does not count as a way.
  const bool will_park = setup_.goal_heading && to_goal < 15;
  const bool is_stuck = is_at_rest && limit.speed < kStanding && !crossing && !will_park;
  if (!is_stuck) {
    blocked_since_ = -1;
  } else {
    if (blocked_since_ < 0) blocked_since_ = time_;
    if (may_try && time_ - blocked_since_ > setup_.patience && maneuvers_ < kMaxManeuvers &&
        start_maneuver(Behavior::kRecover, "no arc is long enough to move off", goal))
      return;
    if (time_ - blocked_since_ > setup_.give_up) {
      stop(Behavior::kGaveUp, "no arc is long enough to move off, and no maneuver is free");
      return;
    }
  }
  intent_ = {plan.curvature, limit.speed, limit.acceleration, 1, room.free_length};
}

/// How far the vehicle may drive along a plan before it is in the way of something that crosses it:
/// where that would be within reach of the vehicle less than the gap before or after it is there. What
/// goes the same way, or comes toward it, is an obstacle like others.
std::optional<double> GoalPilot::find_crossing(const LocalPlan& plan, double* speed) const {
  constexpr double kStep = 1, kTime = 0.25;  // [m], [s]
  constexpr double kSlowest = 2;             // that the vehicle counts on [m/s]
  constexpr double kAcross = 0.5;            // sine of the angle between both ways
  constexpr double kBeside = 0.5;            // [m]
  const planning::Footprint& body = setup_.arcs.footprint;
  const double half = std::max(body.left, body.right), v = std::max(estimate_.speed, kSlowest);
  const double far = std::max(plan.free_length, 12.0);
  for (double s = 0; s <= far; s += kStep) {
    const Pose at = planning::drive(rear(), plan.curvature, s);
    const double c = std::cos(at.heading), sine = std::sin(at.heading);
    // Between when its front comes there and when its rear has left.
    const double enter = std::max(0.0, s / v - setup_.crossing_gap),
                 leave = (s + body.front + body.rear) / v + 0.5 * setup_.crossing_gap;
    for (const Mover& mover : movers_.movers()) {
      if (std::abs(c * mover.vy - sine * mover.vx) < kAcross * mover.speed()) continue;
      for (double t = enter; t <= leave; t += kTime) {
        const Point p = mover.after(t);
        const double ahead = c * (p.x - at.x) + sine * (p.y - at.y),
                     left = c * (p.y - at.y) - sine * (p.x - at.x);
        const double beyond = std::max({0.0, ahead - body.front, -body.rear - ahead}),
                     beside = std::max(0.0, std::abs(left) - half);
        if (std::hypot(beyond, beside) > mover.radius + kBeside) continue;
        // It may pass behind what has left the vehicle's way already.
        *speed = mover.speed();
        return std::max(0.0, s - kStep);
      }
    }
  }
  return std::nullopt;
}

// --- Maneuvers ---

bool GoalPilot::try_maneuver(const Pose& to) {
  const planning::Obstacles obstacles(parts_.map->map().obstacles().grid());
  planning::HybridAStarOptions options = setup_.maneuvers;
  // A vehicle that stands nearer to something than the margin leaves with less.
  for (const double share : {1.0, 0.4, 0.1}) {
    options.margin = share * setup_.maneuvers.margin;
    const planning::HybridPath found = planning::find_hybrid_path(obstacles, rear(), to, options);
    if (found.found() && !found.pieces.empty()) {
      maneuver_ = Maneuver(rear(), found.pieces);
      return true;
    }
    if (found.status == planning::HybridPath::Status::kGaveUp) return false;
  }
  return false;
}

bool GoalPilot::start_maneuver(Behavior behavior, const std::string& reason, Point goal) {
  ++maneuvers_;
  tried_ = time_;
  if (behavior == Behavior::kPark) {
    const Pose end = to_smooth({setup_.goal.x, setup_.goal.y, *setup_.goal_heading});
    if (!try_maneuver(to_global(end, {-0.5 * setup_.wheelbase, 0, 0}))) return false;
    change(behavior, reason);
    return true;
  }
  const double far = 0.4 * setup_.mapping.size;
  for (const double ahead : {14.0, 20.0, 10.0, 26.0, 17.0, 23.0}) {
    if (ahead > far) continue;
    double heading = 0;
    const Point to = find_target(goal, ahead, &heading);
    if (!try_maneuver({to.x, to.y, heading})) continue;
    blocked_since_ = -1;
    change(behavior, reason);
    return true;
  }
  return false;
}

void GoalPilot::drive_maneuver() {
  maneuver_.follow(rear());
  constexpr double kEnd = 0.08;  // [m]
  const bool is_at_rest = std::abs(estimate_.speed) < kStanding;
  if (maneuver_.rest() < kEnd && is_at_rest) {
    maneuver_.end_leg();
    if (maneuver_.is_over()) {
      const Pose goal = to_smooth({setup_.goal.x, setup_.goal.y, 0});
      const double off = distance_of(place_of(goal), {estimate_.smooth.x, estimate_.smooth.y});
      if (view_.behavior == Behavior::kPark && off <= setup_.goal_radius)
        stop(Behavior::kArrived, "parked at the goal");
      else
        stop(Behavior::kWait, "the maneuver has ended");
      return;
    }
    maneuver_.follow(rear());
  }
  intent_.direction = maneuver_.direction();
  const double v = std::abs(estimate_.speed);
  const double ahead = 0.15 + 0.4 * v;  // that the steering lags [m]
  const bool is_new = maneuver_.rest() > 0 && is_at_rest && direction_ != intent_.direction;
  intent_.curvature =
      is_new ? maneuver_.first_curvature() : maneuver_.calc_curvature(rear(), ahead);
  intent_.curvature =
      std::clamp(intent_.curvature, -1 / setup_.arcs.min_radius, 1 / setup_.arcs.min_radius);
  target_ = place_of(maneuver_.end());

  // Something may have come into the way.
  const double needed = std::min(maneuver_.rest(), 1.0 + v * v / setup_.speed.deceleration);
  double free = 0;
  while (free < needed - 1e-9) {
    free = std::min(needed, free + 0.25);
    if (parts_.map->map().obstacles().calc_clearance(setup_.arcs.footprint,
                                                     maneuver_.pose_ahead(free), 0.2) > 0.02)
      continue;
    maneuver_ = {};
    stop(Behavior::kWait, "something has come into the way of the maneuver");
    return;
  }
  intent_.free_length = maneuver_.rest();
  // Wheels turn before it moves off.
  const double wanted = std::atan(setup_.wheelbase * intent_.curvature);
  const bool is_turning = is_at_rest && std::abs(wanted - command_.steer) > 0.05;
  intent_.speed = is_turning || maneuver_.rest() < kEnd ? 0 : setup_.maneuver_speed;
  intent_.acceleration = 0;
}

// --- Acting: at every sample time ---

Command GoalPilot::act(double dt) {
  Command command = command_;
  if (!maneuver_.is_over() && intent_.speed > 0) {  // maneuvers steer at every sample
    maneuver_.follow(rear());
    const double ahead = 0.15 + 0.4 * std::abs(estimate_.speed);
    intent_.curvature = std::clamp(maneuver_.calc_curvature(rear(), ahead),
                                   -1 / setup_.arcs.min_radius, 1 / setup_.arcs.min_radius);
    // To the end of the leg at a constant deceleration.
    constexpr double kGentle = 0.5, kCreep = 0.15, kSteerError = 0.2;  // [m/s^2], [m/s], [rad]
    const double rest = maneuver_.rest(), v = std::abs(estimate_.speed);
    const double limit = std::sqrt(2 * kGentle * std::max(rest - 0.02, 0.0));
    // Slower while the wheels are not where they should be.
    const double off =
        std::abs(std::atan(setup_.wheelbase * intent_.curvature) - command.steer) / kSteerError;
    const double steady = setup_.maneuver_speed * std::max(0.0, 1 - off);
    intent_.speed = rest < 0.04 ? 0 : std::max(kCreep, std::min(limit, steady));
    intent_.acceleration =
        limit < setup_.maneuver_speed && v > 0.8 * limit ? -v * v / (2 * std::max(rest, 0.05)) : 0;
  }
  const double v = estimate_.speed;
  const double wanted = std::clamp(std::atan(setup_.wheelbase * intent_.curvature) +
                                       setup_.understeer * v * v * intent_.curvature,
                                   -setup_.steering.angle, setup_.steering.angle);
  const double turn = setup_.steering.rate * dt;
  command.steer += std::clamp(wanted - command.steer, -turn, turn);

  // The selector changes at rest.
  double speed = intent_.speed, acceleration = intent_.acceleration;
  if (intent_.direction != direction_) {
    if (std::abs(v) < 0.1) {
      direction_ = intent_.direction;
      memory_ = {};
      engaged_ = time_;
    }
    speed = acceleration = 0;
  }
  if (time_ < engaged_ + 0.6 && engaged_ > 0) speed = 0;
  SpeedControl& control = direction_ > 0 ? setup_.forward : setup_.backward;
  control.profile.speed.x = {time_, time_ + 1};
  control.profile.speed.y = {speed, speed + acceleration};
  VehicleView seen;
  seen.time = time_;
  seen.speed = v;
  seen.acceleration = estimate_.acceleration;
  seen.grade = estimate_.grade;
  const PedalCommand pedals = calc_pedals(control, seen, 0, dt, &memory_);
  command.throttle = pedals.throttle;
  command.brake = pedals.brake;
  command.selector = direction_;
  return command;
}

void GoalPilot::keep_picture() {
  if (time_ < pictured_ + kPictureTime || view_.pictures.size() >= kMaxPictures) return;
  pictured_ = time_;
  PlanView picture{
      .time = time_, .pose = estimate_.world, .candidates = parts_.local->candidates()};
  const Pose smooth{estimate_.smooth.x, estimate_.smooth.y, estimate_.smooth.yaw};
  const auto to_world = [&](Point p) {
    return place_of(to_global(estimate_.world, to_local(smooth, {p.x, p.y, 0})));
  };
  for (Candidate& candidate : picture.candidates)
    for (Point& p : candidate.points) p = to_world(p);
  picture.target = to_world(target_);
  view_.pictures.push_back(std::move(picture));
  view_.seen = parts_.global->seen();
  view_.cell = parts_.global->cell();
}

}  // namespace camber::autonomy
