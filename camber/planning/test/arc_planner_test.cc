#include "camber/planning/arc_planner.h"

#include <gtest/gtest.h>

#include "camber/core/random.h"
#include "camber/core/test/allocation_count.h"

namespace camber::planning {
namespace {

using Rule = ArcPlannerOptions::Rule;

ArcPlannerOptions hmmwv(Rule rule) {
  ArcPlannerOptions options;
  options.rule = rule;
  options.footprint = {3.94, 0.63, 1.08, 1.08};
  return options;
}

Obstacles random_world(RandomStream* random, int count) {
  std::vector<Polygon> polygons;
  for (int k = 0; k < count; ++k) {  // cylinders, as polygons of 12 corners, and boxes
    const double x = random->uniform(-40, 40), y = random->uniform(-40, 40);
    if (x * x + y * y < 60) continue;
    Polygon polygon;
    const double r = random->uniform(0.3, 1.5);
    const int corners = k % 2 ? 12 : 4;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.3) / corners;
      polygon.push_back({x + r * std::cos(angle), y + r * std::sin(angle)});
    }
    polygons.push_back(polygon);
  }
  return {polygons, {{-60, -60}, {60, 60}}};
}

/// The path of a candidate by many small steps of its own, not by the planner's pieces.
std::vector<Pose> drive_candidate(const ArcPlannerOptions& options, const ArcPlan& plan,
                                  const Arc& arc, double speed) {
  const bool is_roams = options.rule == Rule::kNearestEnd;
  const double ds = 0.005;
  double curvature = is_roams ? arc.curvature : plan.start_curvature;
  std::vector<Pose> poses{plan.start};
  for (double s = 0; s + ds <= arc.free_length; s += ds) {
    const double change = options.max_curvature_rate / std::max(speed, 1.0) * ds;
    const double next = curvature + std::clamp(arc.curvature - curvature, -change, change);
    poses.push_back(drive(poses.back(), 0.5 * (curvature + next), ds));
    curvature = next;
  }
  return poses;
}

// Check 37: no selected arc meets an inflated obstacle.
TEST(ArcPlanner, NeverTakesAnArcThatCollides) {
  RandomStream random(37);
  int taken = 0, stopped = 0;
  for (int trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 37, trial " << trial);
    const ArcPlannerOptions options = hmmwv(trial % 2 ? Rule::kNearestEnd : Rule::kLowestCost);
    ArcPlanner planner(options);
    const Obstacles world = random_world(&random, 60 + trial);
    const ArcPlannerInput input{
        {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-3, 3)},
        random.uniform(0, 9),
        random.uniform(-0.1, 0.1),
        random.uniform(-0.13, 0.13),
        {random.uniform(-50, 50), random.uniform(-50, 50)}};
    const ArcPlan& plan = planner.plan(world, input);
    if (!plan.taken) {
      ++stopped;
      for (const Arc& arc : plan.arcs) EXPECT_NE(arc.fate, Arc::Fate::kFree);
      continue;
    }
    ++taken;
    const Arc& arc = plan.arcs[*plan.taken];
    EXPECT_EQ(arc.fate, Arc::Fate::kTaken);
    EXPECT_GE(arc.free_length, plan.needed_length);
    const std::vector<Pose> poses = drive_candidate(options, plan, arc, input.speed);
    EXPECT_NEAR(poses.back().x, arc.end.x, 0.02);
    EXPECT_NEAR(poses.back().y, arc.end.y, 0.02);
    // By polygons alone; the pieces of the steering's change are off by less than 5 mm.
    const Footprint inflated = options.footprint.inflated(options.margin - 0.005);
    for (const Pose& pose : poses) {
      const Polygon outline = make_outline(inflated, pose);
      for (const Polygon& polygon : world.polygons()) {
        if (std::hypot(polygon[0].x - pose.x, polygon[0].y - pose.y) > 9) continue;
        ASSERT_FALSE(overlap(outline, polygon));
      }
    }
  }
  EXPECT_GT(taken, 200);
  EXPECT_GT(stopped, 10);
}

// The rule as the paper has it, from arcs and polygons alone.
TEST(ArcPlanner, TakesTheFreeArcThatEndsNearestToTheGoal) {
  RandomStream random(41);
  for (int trial = 0; trial < 12; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 41, trial " << trial);
    ArcPlannerOptions options = hmmwv(Rule::kNearestEnd);
    options.arcs = 21;
    ArcPlanner planner(options);
    const Obstacles world = random_world(&random, 150);
    const ArcPlannerInput input{{0.3, -0.2, random.uniform(-3, 3)}, 5, 0, 0, {45, 12}};
    const ArcPlan& plan = planner.plan(world, input);
    int best = -1;
    double nearest = INFINITY;
    for (int k = 0; k < 21; ++k) {
      const double curvature = (k - 10) / 10.0 / 7.6;
      EXPECT_NEAR(plan.arcs[k].curvature, curvature, 1e-15);
      bool is_free = true;
      for (double s = 0; s <= 15 && is_free; s += 0.005) {
        const Pose pose = drive(input.pose, curvature, s);
        const Polygon outline = make_outline(options.footprint.inflated(0.3), pose);
        for (const Polygon& polygon : world.polygons()) {
          // The planner refuses clearances below 1 cm.
          if (std::hypot(polygon[0].x - pose.x, polygon[0].y - pose.y) < 8 &&
              calc_distance(outline, polygon) < 0.01) {
            is_free = false;
          }
        }
      }
      EXPECT_EQ(is_free, plan.arcs[k].fate != Arc::Fate::kBlocked) << k;
      const Pose end = drive(input.pose, curvature, 15);
      const double distance = std::hypot(end.x - 45, end.y - 12);
      if (is_free && distance < nearest) nearest = distance, best = k;
    }
    EXPECT_EQ(plan.taken.value_or(-1), best);
  }
}

/// A vehicle that steers at a limited rate and follows commands after a delay.
struct Drive {
  ArcPlannerInput state;
  double length = 0;  // driven [m]
  bool touched = false;
  bool is_stopped = false;
  double brake_length = 0;  // driven since the command to stop [m]
};

void run(const Obstacles& world, double speed, double seconds, Drive* d,
         const ArcPlannerOptions& options) {
  ArcPlanner planner(options);
  const double dt = 0.005;
  const int period = static_cast<int>(std::lround(options.period / dt));
  const int delay =
      options.rule == Rule::kNearestEnd ? 0 : static_cast<int>(std::lround(options.latency / dt));
  d->state.speed = speed;
  std::vector<double> commands;  // by period; NaN: brake
  double target = d->state.curvature;
  bool is_braking = false;
  for (int step = 0; step * dt < seconds; ++step) {
    const auto plan_now = [&] {
      d->state.target_curvature = target;
      const ArcPlan& plan = planner.plan(world, d->state);
      commands.push_back(plan.taken ? plan.arcs[*plan.taken].curvature : NAN);
    };
    if (delay == 0 && step % period == 0) plan_now();
    if (step >= delay && (step - delay) % period == 0) {
      const double command = commands[(step - delay) / period];
      if (std::isnan(command)) {
        is_braking = true;
      } else if (!is_braking) {
        target = command;
      }
    }
    if (delay > 0 && step % period == 0) plan_now();
    if (is_braking) d->state.speed = std::max(0.0, d->state.speed - options.deceleration * dt);
    // Braking, it stays on the path of its last arc: curvature by distance, not by time.
    const double change =
        options.max_curvature_rate * dt * (is_braking ? d->state.speed / speed : 1);
    const double next =
        d->state.curvature + std::clamp(target - d->state.curvature, -change, change);
    d->state.pose = drive(d->state.pose, 0.5 * (next + d->state.curvature), d->state.speed * dt);
    d->state.curvature = options.rule == Rule::kNearestEnd ? target : next;
    d->length += d->state.speed * dt;
    if (is_braking) d->brake_length += d->state.speed * dt;
    if (world.touches(options.footprint, d->state.pose)) d->touched = true;
    if (d->state.speed == 0) d->is_stopped = true;
    const Point goal = d->state.goal;
    if (d->touched || d->is_stopped ||
        std::hypot(goal.x - d->state.pose.x, goal.y - d->state.pose.y) < 1.5) {
      return;
    }
  }
}

// Check 37: path of at most 1.02 times the distance and half a circle, whatever the heading. A
// vehicle whose steering takes time first drives away from a goal behind it, for the latency and
// half of the time from straight to full lock, and has to come back.
TEST(ArcPlanner, ReachesTheGoalInAnEmptyWorld) {
  const Obstacles world({}, {{-300, -300}, {300, 300}});
  for (const Rule rule : {Rule::kNearestEnd, Rule::kLowestCost}) {
    for (const double heading : {0.0, 1.1, -2.0, 3.0}) {
      SCOPED_TRACE(testing::Message()
                   << "heading " << heading << " rule " << static_cast<int>(rule));
      Drive d;
      d.state.pose = {-80, 13, heading};
      d.state.goal = {95, -31};
      const double distance = std::hypot(175, 44);
      run(world, 5, 120, &d, hmmwv(rule));
      EXPECT_LT(std::hypot(95 - d.state.pose.x, -31 - d.state.pose.y), 1.6);
      const ArcPlannerOptions options = hmmwv(rule);
      const double away =
          rule == Rule::kNearestEnd
              ? 0
              : 5 * (options.latency + 0.5 / options.min_radius / options.max_curvature_rate);
      EXPECT_LE(d.length, 1.02 * distance + std::numbers::pi * 7.6 + 2 * away);
    }
  }
}

// Check 37: all blocked, and the vehicle stops within the distance that the plan reckons with.
TEST(ArcPlanner, StopsWhenAllArcsAreBlocked) {
  RandomStream random(42);
  // A street of 7 m that ends in a wall: too narrow to turn round.
  const Obstacles world({{{20, -80}, {22, -80}, {22, 80}, {20, 80}},
                         {{-90, 3.5}, {20, 3.5}, {20, 5}, {-90, 5}},
                         {{-90, -3.5}, {20, -3.5}, {20, -5}, {-90, -5}}},
                        {{-100, -100}, {100, 100}});
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 42, trial " << trial);
    const ArcPlannerOptions options = hmmwv(Rule::kLowestCost);
    Drive d;
    d.state.pose = {random.uniform(-40, -20), random.uniform(-1, 1), random.uniform(-0.1, 0.1)};
    d.state.goal = {60, 0};
    const double speed = random.uniform(2, 10);
    run(world, speed, 60, &d, options);
    EXPECT_FALSE(d.touched);
    EXPECT_TRUE(d.is_stopped);
    EXPECT_LE(d.brake_length, speed * speed / (2 * options.deceleration) + speed * 0.005);
    EXPECT_GT(world.calc_clearance(options.footprint, d.state.pose, 1), 0.28);
  }
}

// Random fields of posts: reached or stopped, never touched.
TEST(ArcPlanner, DrivesAmongPostsWithoutTouching) {
  RandomStream random(43);
  int reached = 0;
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(testing::Message() << "seed 43, trial " << trial);
    const Obstacles world = random_world(&random, 45);
    Drive d;
    d.state.pose = {0, 0, random.uniform(-3, 3)};
    d.state.goal = {50, random.uniform(-45, 45)};
    run(world, random.uniform(3, 8), 60, &d, hmmwv(Rule::kLowestCost));
    EXPECT_FALSE(d.touched);
    reached += !d.is_stopped &&
               std::hypot(d.state.goal.x - d.state.pose.x, d.state.goal.y - d.state.pose.y) < 1.6;
  }
  EXPECT_GE(reached, 25);
}

TEST(ArcPlanner, TakesNoMemoryAndRepeatsItsBits) {
  RandomStream random(44);
  const Obstacles world = random_world(&random, 120);
  ArcPlanner planner(hmmwv(Rule::kLowestCost));
  const ArcPlannerInput input{{0.4, 0.1, 0.7}, 6, 0.02, 0.05, {40, 30}};
  const ArcPlan first = planner.plan(world, input);
  const auto before = allocation_count();
  const ArcPlan& second = planner.plan(world, input);
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(second.taken, first.taken);
  for (std::size_t k = 0; k < first.arcs.size(); ++k) {
    EXPECT_EQ(second.arcs[k].cost, first.arcs[k].cost);
    EXPECT_EQ(second.arcs[k].free_length, first.arcs[k].free_length);
  }
}

}  // namespace
}  // namespace camber::planning
