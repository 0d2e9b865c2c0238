#include "camber/scenario/build_goal_pilot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/scenario/scenario_file.h"

namespace camber::scenario {
namespace {

/// A polygon about a circle.
planning::Polygon make_post(const terrain::Obstacle& post) {
  constexpr int kCorners = 12;
  const double radius = post.radius / std::cos(std::numbers::pi / kCorners);
  planning::Polygon polygon;
  for (int k = 0; k < kCorners; ++k) {
    const double angle = 2 * std::numbers::pi * k / kCorners;
    polygon.push_back({post.x + radius * std::cos(angle), post.y + radius * std::sin(angle)});
  }
  return polygon;
}

autonomy::TrueGround make_true_ground(const std::shared_ptr<const terrain::Terrain>& terrain) {
  const auto cache = std::make_shared<terrain::TerrainCache>(terrain->make_cache());
  autonomy::TrueGround ground;
  ground.height = [terrain, cache](double x, double y) {
    return terrain->sample(x, y, cache.get()).h;
  };
  ground.things = [terrain](planning::Point low, planning::Point high) {
    constexpr double kReach = 5;  // posts whose center is farther out may still reach in [m]
    std::vector<planning::Polygon> list;
    for (const terrain::Obstacle& post : terrain->find_obstacles(
             {low.x - kReach, low.y - kReach, high.x + kReach, high.y + kReach}))
      list.push_back(make_post(post));
    for (const int k : terrain->find_prisms({low.x, low.y, high.x, high.y})) {
      list.emplace_back();
      for (const terrain::Point2& corner : terrain->prisms[static_cast<std::size_t>(k)].corners)
        list.back().push_back({corner.x, corner.y});
    }
    return list;
  };
  return ground;
}

/// Things that move now, with the velocity of their track.
std::function<std::vector<autonomy::Mover>(double)> make_true_movers(
    const std::vector<world::MovingThing>& things) {
  return [things](double time) {
    constexpr double kSpan = 0.05, kStill = 0.1;  // [s], [m/s]
    std::vector<autonomy::Mover> movers;
    for (const world::MovingThing& thing : things) {
      const auto before = thing.at(time - kSpan), now = thing.at(time),
                 after = thing.at(time + kSpan);
      autonomy::Mover mover{
          {now.x, now.y}, (after.x - before.x) / (2 * kSpan), (after.y - before.y) / (2 * kSpan)};
      mover.radius = std::max(
          {thing.outline.front, -thing.outline.rear, thing.outline.left, -thing.outline.right});
      if (mover.speed() > kStill) movers.push_back(mover);
    }
    return movers;
  };
}

/// About the point midway between the axles.
planning::Footprint make_footprint(const dynamics::VehicleFacts& facts) {
  const double middle = facts.center.x() + 0.5 * (facts.front.distance - facts.rear.distance);
  const vehicle::Outline& o = facts.outline;
  return {o.front - middle, middle - o.rear, o.left, -o.right};
}

std::shared_ptr<const std::vector<autonomy::RoadLane>> make_lanes(const DriveParts& parts) {
  if (parts.city == nullptr || parts.city->lanes.lanes.empty())
    throw SettingError("autonomy.global", "\"lanes\" needs a [ground] city with lanes");
  auto lanes = std::make_shared<std::vector<autonomy::RoadLane>>();
  for (const city::Lane& lane : parts.city->lanes.lanes)
    lanes->push_back({lane.center, lane.successors});
  return lanes;
}

void check_goal(const AutonomySetup& setup, const autonomy::TrueGround& ground) {
  const planning::Point goal = setup.goal;
  for (const planning::Polygon& thing : ground.things(goal, goal))
    if (planning::is_inside(thing, goal))
      throw SettingError("autonomy.goal",
                         concat("there is an obstacle at x = ", short_text(goal.x),
                                " m, y = ", short_text(goal.y), " m; expected a free place"));
}

}  // namespace

autonomy::GoalSetup make_goal_setup(const Scenario& scenario, const DriveParts& parts,
                                    const DriverVehicle& vehicle,
                                    const std::vector<world::MovingThing>& things) {
  require(scenario.autonomy.has_value(), "make_goal_setup: the scenario has no [autonomy]");
  const AutonomySetup& a = *scenario.autonomy;
  const dynamics::VehicleFacts& facts = parts.facts;
  const double wheelbase = vehicle.front + vehicle.rear;
  const double lock = scenario.driver.max_angle.value_or(vehicle.max_steer);
  constexpr double kReserve = 1.1;  // of the radius, for corrections
  const double min_radius = a.min_radius.value_or(kReserve * wheelbase / std::tan(lock));
  const planning::Footprint body = make_footprint(facts);
  planning::Footprint about_rear = body;
  about_rear.front += 0.5 * wheelbase;
  about_rear.rear -= 0.5 * wheelbase;
  const dynamics::Start& start = scenario.vehicle.start;
  const double middle = scenario.vehicle.level == VehicleLevel::kFull
                            ? facts.center.x() + 0.5 * (facts.front.distance - facts.rear.distance)
                            : 0;
  const planning::Pose place{start.x + middle * std::cos(start.heading),
                             start.y + middle * std::sin(start.heading), start.heading};

  autonomy::GoalSetup setup;
  setup.goal = a.goal;
  setup.goal_heading = a.goal_heading;
  setup.goal_radius = a.goal_radius;
  setup.state = a.state;
  setup.map = a.map;
  setup.local = a.local;
  setup.global = a.global;
  setup.may_reverse = a.may_reverse;
  setup.sample_time = scenario.driver.sample_time;
  setup.plan_period = a.plan_period;
  setup.global_period = 2 * a.plan_period;
  setup.give_up = a.give_up;
  setup.no_progress = a.no_progress;
  setup.wheelbase = wheelbase;
  setup.understeer =
      vehicle.mass *
      (vehicle.rear / vehicle.front_stiffness - vehicle.front / vehicle.rear_stiffness) / wheelbase;
  setup.steering.angle = lock;
  setup.steering.rate = scenario.driver.max_rate.value_or(setup.steering.rate);

  setup.track = {.mass = vehicle.mass,
                 .yaw_inertia = vehicle.yaw_inertia,
                 .front = vehicle.front,
                 .rear = vehicle.rear,
                 .front_stiffness = vehicle.front_stiffness,
                 .rear_stiffness = vehicle.rear_stiffness};
  setup.seed = scenario.run.seed;

  setup.estimator.start = place;
  setup.estimator.wheelbase = wheelbase;
  setup.estimator.gravity = vehicle.gravity;
  setup.estimator.max_sigma = a.max_sigma;
  for (const sensors::SensorSpec& spec : scenario.sensors)
    if (const auto* odometry = std::get_if<sensors::OdometrySpec>(&spec.kind))
      setup.estimator.tick = 2 * std::numbers::pi * vehicle.rolling_radius / odometry->ticks;

  setup.mapping.cell = a.cell;
  setup.mapping.size = a.window;
  setup.mapping.step_height = a.step_height;
  setup.mapping.max_slope = a.max_slope;
  setup.mapping.body = body;
  setup.mapping.wheelbase = wheelbase;
  setup.mapping.track = facts.axles[0].track;
  double top = 1.8;  // of the vehicle above the ground [m]
  for (const vehicle::Box& box : facts.shape.boxes)
    top = std::max(top, box.max.z() + parts.vehicle.height);
  setup.mapping.height = top + 0.3;

  setup.area.cell = a.area_cell;
  setup.area.margin = a.area_margin;
  setup.area.radius = std::max(body.left, body.right) + a.margin;
  if (a.global == autonomy::GlobalKind::kLanes) setup.area.lanes = make_lanes(parts);
  setup.area.start = {place.x, place.y};
  setup.area.goal = a.goal;
  setup.area.seed = scenario.run.seed;

  setup.arcs.footprint = about_rear;
  setup.arcs.margin = a.margin;
  setup.arcs.min_radius = min_radius;
  setup.arcs.arcs = a.arcs;
  setup.arcs.length = a.arc_length;
  setup.arcs.period = a.plan_period;
  setup.arcs.latency = std::min(0.2, a.plan_period);
  setup.arcs.max_curvature_rate = setup.steering.rate / wheelbase;
  setup.arcs.deceleration = a.deceleration;

  setup.maneuvers.footprint = about_rear;
  setup.maneuvers.min_radius = min_radius;
  setup.maneuvers.margin = std::min(0.2, a.margin);
  setup.maneuvers.max_expansions = 60'000;

  setup.speed.max_speed = a.max_speed;
  setup.speed.deceleration = a.deceleration;
  setup.speed.lateral_acceleration = a.lateral_acceleration;
  setup.speed.reaction = a.reaction;
  dynamics::Start way = start;
  way.gear = 1;
  setup.forward = make_speed_control({}, way, vehicle);
  way.gear = -1;
  setup.backward = make_speed_control({}, way, vehicle);
  for (autonomy::SpeedControl* control : {&setup.forward, &setup.backward}) {
    control->gain = 1.2;
    control->jerk = 8;
    control->max_acceleration = 2;
    control->max_deceleration = 1.5 * a.deceleration;
  }
  if (a.map == autonomy::MapKind::kTruth) {
    setup.ground = make_true_ground(parts.terrain);
    if (!things.empty()) setup.ground.movers = make_true_movers(things);
  }
  return setup;
}

std::unique_ptr<autonomy::Pilot> build_goal_pilot(const Scenario& scenario, const DriveParts& parts,
                                                  const DriverVehicle& vehicle,
                                                  const std::vector<world::MovingThing>& things) {
  check_goal(*scenario.autonomy, make_true_ground(parts.terrain));
  try {
    return std::make_unique<autonomy::GoalPilot>(make_goal_setup(scenario, parts, vehicle, things));
  } catch (const SettingError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw SettingError("autonomy", error.what());
  }
}

std::unique_ptr<MeasurementFeed> build_feed(const Scenario& scenario, const DriveParts& parts) {
  const dynamics::VehicleFacts& facts = parts.facts;
  const double middle = facts.center.x() + 0.5 * (facts.front.distance - facts.rear.distance);
  FeedSetup setup;
  // Levels without suspension have their frame there already; mounts are moved with it.
  if (scenario.vehicle.level == VehicleLevel::kFull)
    setup.origin = math::Vec3<double>(-middle, 0, parts.vehicle.height);
  setup.steering_ratio = facts.steering_ratio;
  setup.rolling_radius = facts.tire.rolling_radius;
  return std::make_unique<MeasurementFeed>(setup);
}

}  // namespace camber::scenario
