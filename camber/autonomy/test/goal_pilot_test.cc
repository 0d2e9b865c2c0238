#include "camber/autonomy/goal_pilot.h"

#include <gtest/gtest.h>

#include "camber/autonomy/ompl_path.h"
#include "camber/autonomy/test/goal_world.h"
#include "camber/core/random.h"
#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

using test::GoalWorld, test::make_box, test::make_cylinder, planning::Point, planning::Pose;

std::string last_reason(const GoalPilot& pilot) {
  const auto& changes = pilot.goal()->changes;
  return changes.empty() ? "" : changes.back().reason;
}

/// Everything that the pilot did, for the message of a test that fails.
std::string story(const GoalPilot& pilot) {
  std::string text;
  for (const BehaviorChange& c : pilot.goal()->changes)
    text += concat(c.time, " s at ", c.at.x, ", ", c.at.y, ": ",
                   kBehaviorWords[static_cast<std::size_t>(c.behavior)], ", ", c.reason, "\n");
  return text;
}

// Check 37: in an empty world the way is at most 1.02 times the distance plus half a turn.
TEST(GoalPilot, ReachesGoalsAllAroundInAnEmptyWorldOnAShortWay) {
  for (const LocalKind local : {LocalKind::kArcs, LocalKind::kRoamsArcs}) {
    for (int k = 0; k < 12; ++k) {
      GoalWorld world;
      world.pose = {3.1, -2.2, 0.3};
      const double angle = 0.3 + 0.5235987755982988 * k + 0.01;
      const Point goal{3.1 + 60 * std::cos(angle), -2.2 + 60 * std::sin(angle)};
      GoalSetup setup = world.make_setup(goal);
      setup.local = local;
      setup.global = GlobalKind::kNone;
      SCOPED_TRACE(testing::Message()
                   << "local " << static_cast<int>(local) << ", direction " << k);
      GoalPilot pilot(setup);
      ASSERT_TRUE(world.run(&pilot, 120)) << last_reason(pilot);
      EXPECT_EQ(pilot.goal()->behavior, Behavior::kArrived) << story(pilot);
      EXPECT_LT(std::hypot(world.pose.x - goal.x, world.pose.y - goal.y), setup.goal_radius + 0.1);
      EXPECT_LT(world.length, 1.02 * 60 + std::numbers::pi * setup.arcs.min_radius);
    }
  }
}

// ROAMS' scenario 1 in the small: a street with cylinders.
TEST(GoalPilot, DrivesAroundCylindersInAStreetWithoutTouching) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    GoalWorld world;
    world.things = {make_box(-20, 5, 220, 6), make_box(-20, -6, 220, -5)};
    for (double x = 30; x < 180; x += random.uniform(25, 40))
      world.things.push_back(
          make_cylinder({x, random.uniform(-3.5, 3.5)}, random.uniform(0.3, 0.6)));
    GoalPilot pilot(world.make_setup({200, 0}));
    ASSERT_TRUE(world.run(&pilot, 200)) << last_reason(pilot);
    EXPECT_EQ(pilot.goal()->behavior, Behavior::kArrived) << story(pilot);
    EXPECT_GT(world.clearance, 0.05);
  }
}

// Steering of lanes of single tracks, drawn at random: the world's clearance is by exact geometry and
// shares nothing with the planner's map.
TEST(GoalPilot, DrivesAroundCylindersByPathIntegrals) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    GoalWorld world;
    world.things = {make_box(-20, 5, 220, 6), make_box(-20, -6, 220, -5)};
    for (double x = 30; x < 180; x += random.uniform(25, 40))
      world.things.push_back(
          make_cylinder({x, random.uniform(-3.5, 3.5)}, random.uniform(0.3, 0.6)));
    GoalSetup setup = world.make_setup({200, 0});
    setup.local = LocalKind::kMppi;
    setup.seed = seed;
    GoalPilot pilot(setup);
    ASSERT_TRUE(world.run(&pilot, 200)) << last_reason(pilot);
    EXPECT_EQ(pilot.goal()->behavior, Behavior::kArrived) << story(pilot);
    EXPECT_GT(world.clearance, 0.05);
    EXPECT_LT(world.length, 1.1 * 200);
  }
}

// The same wall, and a way around it that OMPL has to find: at most half as long again as D* Lite's,
// and the same twice for one seed.
TEST(GoalPilot, TakesAWayThatOmplFinds) {
  if (!has_ompl()) GTEST_SKIP() << "this build has no OMPL";
  double length[3] = {};
  for (int run = 0; run < 3; ++run) {
    GoalWorld world;
    world.things = {make_box(40, 10, 60, 11), make_box(40, -11, 60, -10),
                    make_box(60, -11, 61, 11)};
    GoalSetup setup = world.make_setup({90, 0.5});
    setup.global = run < 2 ? GlobalKind::kOmpl : GlobalKind::kDStarLite;
    setup.area.seed = 3;
    GoalPilot pilot(setup);
    ASSERT_TRUE(world.run(&pilot, 200)) << last_reason(pilot);
    EXPECT_EQ(pilot.goal()->behavior, Behavior::kArrived) << story(pilot);
    EXPECT_GT(world.clearance, 0.05);
    length[run] = world.length;
  }
  EXPECT_EQ(length[0], length[1]);
  EXPECT_LT(length[0], 1.5 * length[2]);
}

TEST(GoalPilot, SaysThatABuildHasNoOmpl) {
  if (has_ompl()) GTEST_SKIP() << "this build has OMPL";
  GoalWorld world;
  GoalSetup setup = world.make_setup({90, 0.5});
  setup.global = GlobalKind::kOmpl;
  try {
    const GoalPilot pilot(setup);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("-DCAMBER_OMPL=ON"), std::string::npos);
  }
}

TEST(GoalPilot, LeavesATrapThatCatchesArcsAlone) {
  for (const bool has_global : {true, false}) {
    GoalWorld world;
    world.things = {make_box(40, 10, 60, 11), make_box(40, -11, 60, -10),
                    make_box(60, -11, 61, 11)};
    GoalSetup setup = world.make_setup({90, 0.5});
    setup.no_progress = 40;
    if (!has_global) {
      setup.global = GlobalKind::kNone;
      setup.local = LocalKind::kRoamsArcs;
    }
    GoalPilot pilot(setup);
    ASSERT_TRUE(world.run(&pilot, 200)) << last_reason(pilot);
    EXPECT_GT(world.clearance, 0.05);
    EXPECT_EQ(pilot.goal()->behavior, has_global ? Behavior::kArrived : Behavior::kGaveUp)
        << last_reason(pilot);
  }
}

TEST(GoalPilot, GivesUpWithAReasonWhereNoWayLeads) {
  GoalWorld world;
  world.things = {make_box(60, -8, 61, 8), make_box(75, -8, 76, 8), make_box(60, 7, 76, 8),
                  make_box(60, -8, 76, -7)};
  GoalPilot pilot(world.make_setup({68, 0}));
  ASSERT_TRUE(world.run(&pilot, 120));
  EXPECT_EQ(pilot.goal()->behavior, Behavior::kGaveUp);
  EXPECT_EQ(last_reason(pilot), "obstacles are all around the goal, or across every way to it");
  EXPECT_GT(world.clearance, 0.05);
}

TEST(GoalPilot, TurnsRoundWhereTheWayLeadsBackward) {
  GoalWorld world;
  world.things = {make_box(-60, 6, 60, 7), make_box(-60, -7, 60, -6)};
  GoalPilot pilot(world.make_setup({-45, 1}));
  ASSERT_TRUE(world.run(&pilot, 120)) << last_reason(pilot);
  EXPECT_EQ(pilot.goal()->behavior, Behavior::kArrived) << story(pilot);
  EXPECT_GT(world.clearance, 0.05);
  const auto& changes = pilot.goal()->changes;
  EXPECT_TRUE(std::ranges::any_of(
      changes, [](const auto& c) { return c.behavior == Behavior::kTurnRound; }));
}

TEST(GoalPilot, ParksInABay) {
  GoalWorld world;
  world.things = {make_box(20, -9, 27, -3.5), make_box(30.6, -9, 40, -3.5),
                  make_box(20, -10, 40, -9), make_box(0, 7, 50, 8)};
  GoalSetup setup = world.make_setup({28.8, -6.3});
  setup.goal_heading = 1.5707963267948966;
  setup.goal_radius = 0.5;
  GoalPilot pilot(setup);
  ASSERT_TRUE(world.run(&pilot, 150)) << last_reason(pilot);
  EXPECT_EQ(pilot.goal()->behavior, Behavior::kArrived) << story(pilot);
  EXPECT_GT(world.clearance, 0.02);
  EXPECT_NEAR(world.pose.x, 28.8, 0.25);
  EXPECT_NEAR(world.pose.y, -6.3, 0.4);
  EXPECT_NEAR(planning::wrap_angle(world.pose.heading - 1.5708), 0, 0.06);
}

/// An estimator that hears nothing for a while.
class SilentState : public StateEstimator {
 public:
  explicit SilentState(std::unique_ptr<StateEstimator> inner) : inner_(std::move(inner)) {}
  const Estimate& update(const VehicleView& truth) override {
    estimate_ = inner_->update(truth);
    estimate_.problem = truth.time > 8 && truth.time < 14 ? "no odometry for 0.5 s" : "";
    track_.add(estimate_.smooth);
    return estimate_;
  }
  void save(StateWriter* out) const override { inner_->save(out); }
  void restore(StateReader* in) override { inner_->restore(in); }

 private:
  std::unique_ptr<StateEstimator> inner_;
};

// Parts of one's own, and the behavior when one of them has no answer.
TEST(GoalPilot, StopsWhileASensorIsSilentAndGoesOn) {
  GoalWorld world;
  const GoalSetup setup = world.make_setup({120, 3});
  GoalParts parts;
  parts.state = std::make_unique<SilentState>(make_estimator(StateKind::kTruth, setup.estimator));
  GoalPilot pilot(setup, std::move(parts));
  while (world.time < 13.9) world.step(pilot.update(world.view()), 0.02);
  EXPECT_EQ(pilot.goal()->behavior, Behavior::kFailSafe);
  EXPECT_EQ(last_reason(pilot), "no odometry for 0.5 s");
  EXPECT_NEAR(world.speed, 0, 0.05);
  ASSERT_TRUE(world.run(&pilot, 120));
  EXPECT_EQ(pilot.goal()->behavior, Behavior::kArrived);
}

// A car crosses the way at 6 m/s when the vehicle would be there, and another one later. The vehicle
// waits, says why, and is never nearer to them than a meter; without them it does not stop.
TEST(GoalPilot, WaitsForCrossingTraffic) {
  for (const bool has_traffic : {true, false}) {
    for (const double side : {1.0, -1.0}) {
      SCOPED_TRACE(testing::Message() << has_traffic << " " << side);
      GoalWorld world;
      GoalSetup setup = world.make_setup({90, 0.5});
      const auto cars = [side](double time) {
        std::vector<Mover> list;
        for (const double late : {0.0, 2.7})
          list.push_back({{45, side * (60 - 6 * (time - late))}, 0, -6 * side, 2.3});
        return list;
      };
      if (has_traffic) setup.ground.movers = cars;
      GoalPilot pilot(setup);
      double nearest = 1e9, slowest = 1e9;
      while (!pilot.goal()->is_over && world.time < 90) {
        world.step(pilot.update(world.view()), 0.02);
        const planning::Polygon outline = planning::make_outline(GoalWorld::body(), world.pose);
        for (const Mover& car : cars(world.time)) {
          const planning::Polygon box =
              make_box(car.at.x - 0.9, car.at.y - 2.3, car.at.x + 0.9, car.at.y + 2.3);
          nearest = std::min(nearest, planning::calc_distance(outline, box));
        }
        if (world.time > 5 && world.pose.x < 80) slowest = std::min(slowest, world.speed);
      }
      EXPECT_EQ(pilot.goal()->behavior, Behavior::kArrived) << story(pilot);
      const auto& changes = pilot.goal()->changes;
      const bool has_waited = std::ranges::any_of(changes, [](const auto& c) {
        return c.behavior == Behavior::kWait &&
               c.reason.starts_with("something crosses the way at 6");
      });
      EXPECT_EQ(has_waited, has_traffic) << story(pilot);
      if (has_traffic) {
        EXPECT_GT(nearest, 1.0) << story(pilot);
        EXPECT_LT(slowest, 2.5);
      } else {
        EXPECT_LT(nearest, 1.0);  // it would have been hit
        EXPECT_GT(slowest, 4.0);
      }
    }
  }
}

TEST(GoalPilot, ContinuesBitForBitFromItsState) {
  struct Kinds {
    GlobalKind global;
    LocalKind local;
  };
  std::vector<Kinds> all{{GlobalKind::kDStarLite, LocalKind::kArcs},
                         {GlobalKind::kAStar, LocalKind::kMppi},
                         {GlobalKind::kNone, LocalKind::kArcs}};
  if (has_ompl()) all.push_back({GlobalKind::kOmpl, LocalKind::kArcs});
  for (const auto& [global, local] : all) {
    SCOPED_TRACE(testing::Message() << kGlobalWords[static_cast<int>(global)]);
    GoalWorld world;
    world.things = {make_box(40, 10, 60, 11), make_box(40, -11, 60, -10), make_box(60, -11, 61, 11),
                    make_cylinder({20, 0.5}, 0.5)};
    GoalSetup setup = world.make_setup({90, 0.5});
    setup.global = global;
    setup.local = local;
    GoalPilot whole(setup);
    GoalWorld other = world;
    for (int k = 0; k < 700; ++k) world.step(whole.update(world.view()), 0.02);
    StateWriter out;
    whole.save(&out);
    other = world;
    GoalPilot second(setup);
    StateReader in(out.values());
    second.restore(&in);
    in.finish();
    for (int k = 0; k < 1000; ++k) {
      const Command a = whole.update(world.view()), b = second.update(other.view());
      ASSERT_EQ(a.steer, b.steer) << "step " << k;
      ASSERT_EQ(a.throttle, b.throttle) << "step " << k;
      ASSERT_EQ(a.brake, b.brake) << "step " << k;
      world.step(a, 0.02);
      other.step(b, 0.02);
    }
  }
}

}  // namespace
}  // namespace camber::autonomy
