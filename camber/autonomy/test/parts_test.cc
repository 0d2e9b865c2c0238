#include <gtest/gtest.h>

#include "camber/autonomy/elevation_mapper.h"
#include "camber/autonomy/lane_planner.h"
#include "camber/autonomy/lidar_mapper.h"
#include "camber/autonomy/maneuver.h"
#include "camber/autonomy/mover_tracker.h"
#include "camber/autonomy/speed_limit.h"
#include "camber/autonomy/vehicle_filter.h"
#include "camber/core/random.h"

namespace camber::autonomy {
namespace {

using planning::Pose;

constexpr double kWheelbase = 3.3;

/// A drive on the plane with a known motion and its measurements.
struct Ride {
  Pose rear{12, -7, 0.4};
  double speed = 0, time = 0, distance = 0;
  double yaw_rate = 0, acceleration = 0;
  RandomStream random{5};
  double gyro_bias = 0, scale = 0, tick = 0.06;
  double gnss_sigma = 0.02;
  double braking = 0;  // from 20 s on, with locked wheels [m/s^2]
  double locked = 0;   // way with locked wheels [m]
  bool has_gnss = true;
  Pose middle() const { return to_global(rear, {0.5 * kWheelbase, 0, 0}); }

  void step(VehicleFilter* filter, double dt) {
    const bool brakes = braking > 0 && time > 20 && speed > 0;
    acceleration = time < 5 ? 1.6 : brakes ? -std::min(braking, speed / dt) : 0;
    if (brakes) locked += (speed + 0.5 * acceleration * dt) * dt;
    yaw_rate = time < 3 ? 0 : 0.25 * std::sin(0.4 * time);
    const double length = (speed + 0.5 * acceleration * dt) * dt;
    rear = planning::drive(rear, length > 0 ? yaw_rate * dt / length : 0, length);
    speed += acceleration * dt;
    distance += length;
    time += dt;
    filter->take(ImuSample{time,
                           {acceleration + 0.01 * random.normal(), speed * yaw_rate, 9.81},
                           {0, 0, yaw_rate + gyro_bias + 0.001 * random.normal()}});
    filter->take(OdometrySample{time, std::floor((1 + scale) * (distance - locked) / tick) * tick});
    const long number = std::lround(time / dt);
    if (!has_gnss || number % 10 != 0) return;
    const Pose antenna = to_global(middle(), {-1.2, 0.3, 0});
    const double lever_x = -1.2 + 0.5 * kWheelbase;
    const double c = std::cos(rear.heading), s = std::sin(rear.heading);
    const double along = speed - yaw_rate * 0.3, across = yaw_rate * lever_x;
    GnssFix fix{.time = time, .has_fix = true};
    fix.x = antenna.x + gnss_sigma * random.normal();
    fix.y = antenna.y + gnss_sigma * random.normal();
    fix.vx = c * along - s * across + 0.05 * random.normal();
    fix.vy = s * along + c * across + 0.05 * random.normal();
    fix.sigma = gnss_sigma;
    fix.antenna = {-1.2, 0.3, 1.9};
    filter->take(fix);
  }

  Pose error(VehicleFilter* filter) const {
    VehicleView clock;
    clock.time = time;
    const Estimate& e = filter->update(clock);
    return to_local(middle(), e.world);
  }
};

EstimatorSetup make_setup(const Ride& ride) {
  EstimatorSetup setup;
  setup.start = ride.middle();
  setup.wheelbase = kWheelbase;
  setup.tick = ride.tick;
  return setup;
}

TEST(VehicleFilter, StaysWithinItsOwnBoundsOnAWindingDrive) {
  for (int seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Ride ride;
    ride.random = RandomStream(static_cast<std::uint64_t>(seed));
    ride.gyro_bias = 0.002;
    ride.scale = 0.012;
    VehicleFilter filter(make_setup(ride), true);
    double worst = 0;
    for (int k = 0; k < 6000; ++k) {
      ride.step(&filter, 0.01);
      if (ride.time < 15) continue;
      const Pose error = ride.error(&filter);
      worst = std::max(worst, std::hypot(error.x, error.y));
      EXPECT_LT(std::abs(error.heading), 0.02);
    }
    EXPECT_LT(worst, 0.15);
    EXPECT_GT(filter.accepted(), 550);
    EXPECT_EQ(filter.rejected(), 0);
  }
}

TEST(VehicleFilter, RefusesFixesThatCannotBeRight) {
  Ride ride;
  VehicleFilter filter(make_setup(ride), true);
  for (int k = 0; k < 2000; ++k) ride.step(&filter, 0.01);
  GnssFix wrong{.time = ride.time, .has_fix = true};
  wrong.x = ride.middle().x + 9;
  wrong.y = ride.middle().y - 6;
  wrong.sigma = 0.02;
  for (int k = 0; k < 5; ++k) filter.take(wrong);
  EXPECT_EQ(filter.rejected(), 5);
  const Pose error = ride.error(&filter);
  EXPECT_LT(std::hypot(error.x, error.y), 0.15);
}

// Locked wheels say that the vehicle stands, but it slides on for 5 m. Satellites show that: the
// estimate lags by a small part of the slide. (Without fixes it cannot tell a wheel that locks at
// once from one that stops.)
TEST(VehicleFilter, SlidesOnWithLockedWheels) {
  Ride ride;
  ride.braking = 6;
  VehicleFilter filter(make_setup(ride), true);
  double worst = 0;
  for (int k = 0; k < 2400; ++k) {
    ride.step(&filter, 0.01);
    const Pose error = ride.error(&filter);
    if (ride.time > 15) worst = std::max(worst, std::hypot(error.x, error.y));
  }
  EXPECT_EQ(ride.speed, 0);
  EXPECT_GT(ride.locked, 5);
  EXPECT_LT(worst, 0.15 * ride.locked);
}

// Without fixes the error grows with the way, by what scale and bias leave.
TEST(VehicleFilter, DeadReckoningDriftsSlowlyThroughAnOutage) {
  Ride ride;
  ride.gyro_bias = 0.001;
  ride.scale = 0.01;
  VehicleFilter filter(make_setup(ride), true);
  for (int k = 0; k < 3000; ++k) ride.step(&filter, 0.01);
  ride.has_gnss = false;
  const double from = ride.distance;
  for (int k = 0; k < 3000; ++k) ride.step(&filter, 0.01);
  const Pose error = ride.error(&filter);
  EXPECT_GT(ride.distance - from, 200);
  EXPECT_LT(std::hypot(error.x, error.y), 0.015 * (ride.distance - from));
  VehicleView clock;
  clock.time = ride.time;
  EXPECT_GT(filter.update(clock).position_sigma, 0.1);
}

// The smooth track has no jumps, whatever fixes say.
TEST(VehicleFilter, MovesSmoothlyInItsOwnFrame) {
  Ride ride;
  ride.gnss_sigma = 1.5;
  VehicleFilter filter(make_setup(ride), true);
  VehicleView clock;
  Placement before = filter.update(clock).smooth;
  for (int k = 0; k < 3000; ++k) {
    ride.step(&filter, 0.01);
    clock.time = ride.time;
    const Placement now = filter.update(clock).smooth;
    EXPECT_LT(std::hypot(now.x - before.x, now.y - before.y), ride.speed * 0.01 + 0.02);
    before = now;
  }
}

TEST(VehicleFilter, ContinuesBitForBitFromItsState) {
  Ride ride;
  VehicleFilter filter(make_setup(ride), true);
  for (int k = 0; k < 700; ++k) ride.step(&filter, 0.01);
  StateWriter out;
  filter.save(&out);
  VehicleFilter second(make_setup(ride), true);
  StateReader in(out.values());
  second.restore(&in);
  in.finish();
  Ride copy = ride;
  for (int k = 0; k < 300; ++k) {
    ride.step(&filter, 0.01);
    copy.step(&second, 0.01);
  }
  const Pose a = ride.error(&filter), b = copy.error(&second);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.heading, b.heading);
}

// --- Maps from LIDAR ---

/// Rays of a scanner over a world with a step, a post and a bridge, by plain geometry.
LidarScan scan_world(const Pose& at, double height) {
  LidarScan scan{.time = 0, .duration = 0.1};
  scan.place.position = {0, 0, height};
  for (int ring = 0; ring < 32; ++ring) {
    const double elevation = -0.42 + 0.02 * ring;
    for (int k = 0; k < 1800; ++k) {
      const double azimuth = 2 * std::numbers::pi * k / 1800;
      const double c = std::cos(azimuth + at.heading), s = std::sin(azimuth + at.heading);
      double range = 1e9;
      const double down = std::tan(elevation);
      // The ground is 0.15 m higher for y > 4 m.
      if (down < 0) {
        const double low = -height / down, high = (0.15 - height) / down;
        range = at.y + s * low > 4 ? high : low;
        if (at.y + s * low > 4 && at.y + s * high <= 4) range = (4 - at.y) / s;  // the step's face
      }
      // A post of 0.3 m radius and 1.2 m height at (12, -1), a bridge at 4 m height from x = 15 m on.
      const double dx = 12 - at.x, dy = -1 - at.y, along = dx * c + dy * s;
      const double off = std::abs(dy * c - dx * s);
      if (along > 0 && off < 0.3) {
        const double hit = along - std::sqrt(0.09 - off * off);
        if (hit < range && height + hit * down < 1.2) range = hit;
      }
      if (down > 0) {
        const double hit = (4 - height) / down;
        if (at.x + hit * c > 15) range = std::min(range, hit);
      }
      if (range > 60) continue;
      const double ca = std::cos(azimuth), sa = std::sin(azimuth);
      scan.points.push_back({static_cast<float>(range * ca), static_cast<float>(range * sa),
                             static_cast<float>(range * down), static_cast<float>(0.1 * k / 1800)});
    }
  }
  return scan;
}

TEST(LidarMapper, FindsStepAndPostAndDrivesUnderABridge) {
  MapSetup setup;
  setup.body = {2.3, 2.3, 1.08, 1.08};
  setup.size = 60;
  LidarMapper mapper(setup);
  EXPECT_FALSE(mapper.map().is_seen_at({9, 1}));
  PlacementTrack track;
  for (int scan = 0; scan < 20; ++scan) {
    const Pose at{0.3 * scan, 0, 0};
    for (int k = 0; k <= 10; ++k) track.add({10.0 * scan + 0.01 * k, at.x, at.y, 0, 0, 0, 0});
    LidarScan seen = scan_world(at, 2.4);
    seen.time = 10.0 * scan;
    mapper.take(seen, track);
  }
  const LocalMap& map = mapper.map();
  const auto is_blocked = [&](double x, double y) {
    const planning::Cell c = map.cell_of({x, y});
    return map.obstacles().grid().is_blocked(c.x, c.y);
  };
  EXPECT_TRUE(is_blocked(11.7, -1));
  int step = 0, road = 0, bridge = 0;
  for (double x = 6; x < 14; x += 0.25) {
    step += is_blocked(x, 4.05) || is_blocked(x, 3.9) || is_blocked(x, 4.3);
    for (double y = -3.4; y < 3.3; y += 0.25)
      road += std::hypot(x - 12, y + 1) > 1 && is_blocked(x, y);
  }
  for (double x = 16; x < 22; x += 0.25)
    for (double y = 0.5; y < 3; y += 0.25) bridge += is_blocked(x, y);
  EXPECT_GT(step, 28);
  EXPECT_EQ(road, 0);
  EXPECT_EQ(bridge, 0);
  EXPECT_TRUE(map.is_seen_at({9, 1}));
}

// --- ROAMS' map ---

// A street with a crown of 2 % between kerbs of 0.15 m, and a ditch beside it. From 4 m beside the
// middle the far gutter is 0.3 m below the plane under the wheels: no obstacle. Both kerbs and the
// ditch are.
TEST(ElevationMapper, SeesKerbsAndDropsOnBothSidesOfACrownedRoad) {
  MapSetup setup;
  setup.body = {2.3, 2.3, 1.08, 1.08};
  setup.size = 60;
  setup.wheelbase = 3.3;
  setup.track = 1.8;
  TrueGround ground;
  ground.height = [](double, double y) {
    if (y > 14) return -0.7;
    return std::abs(y) > 6.1 ? 0.15 : 0.02 * (6.1 - std::abs(y));
  };
  ground.things = [](planning::Point, planning::Point) { return std::vector<planning::Polygon>(); };
  for (const double side : {-4.0, 0.0, 4.0}) {
    SCOPED_TRACE(side);
    ElevationMapper mapper(setup, ground);
    Estimate at;
    at.smooth.x = 3.3;
    at.smooth.y = side;
    at.smooth.yaw = 0.02;
    mapper.update(at);
    const LocalMap& map = mapper.map();
    const auto is_blocked = [&](double x, double y) {
      const planning::Cell c = map.cell_of({x, y});
      return map.obstacles().grid().is_blocked(c.x, c.y);
    };
    for (double x = -15; x < 20; x += 0.6) {
      for (double y = -5.6; y < 5.7; y += 0.3) EXPECT_FALSE(is_blocked(x, y)) << x << ", " << y;
      EXPECT_TRUE(is_blocked(x, 6.0) || is_blocked(x, 6.2)) << x;
      EXPECT_TRUE(is_blocked(x, -6.0) || is_blocked(x, -6.2)) << x;
      EXPECT_TRUE(is_blocked(x, 13.9) || is_blocked(x, 14.1)) << x;
    }
  }
}

// --- What moves ---

/// A radar on a vehicle that drives a curve, cars that cross, go ahead and stand, by plain geometry.
TEST(MoverTracker, TellsVelocitiesOfWhatMovesAndLeavesWhatStands) {
  struct Car {
    double x, y, vx, vy;
  };
  const std::vector<Car> cars{{60, 25, -1, -7}, {25, 2, 9, 1.5}, {40, -4, 0, 0}, {18, 5, 0, 0}};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomStream random(seed);
    MoverTracker tracker;
    PlacementTrack track;
    Pose pose{0, 0, 0.1};
    const double speed = 8, dt = 0.01;
    int listed = 0, looks = 0;
    for (int k = 0; k <= 300; ++k) {
      const double time = k * dt, curvature = 0.02;
      track.add({time, pose.x, pose.y, 0, pose.heading, 0, 0});
      if (k % 5 == 0 && k > 10) {
        RadarScan scan{.time = time};
        scan.place.position = {2.5, 0.2, 0.8};
        const Pose at = to_global(pose, {2.5, 0.2, 0});
        const double ux = speed * std::cos(pose.heading) - speed * curvature * (at.y - pose.y),
                     uy = speed * std::sin(pose.heading) + speed * curvature * (at.x - pose.x);
        for (const Car& car : cars) {
          const double dx = car.x + time * car.vx - at.x, dy = car.y + time * car.vy - at.y;
          const double range = std::hypot(dx, dy);
          scan.objects.push_back(
              {range + 0.2 * random.normal(),
               planning::wrap_angle(std::atan2(dy, dx) - at.heading) + 0.008 * random.normal(),
               ((car.vx - ux) * dx + (car.vy - uy) * dy) / range + 0.1 * random.normal()});
        }
        tracker.take(scan, track);
        tracker.update(time);
        if (time > 1.5) {
          ++looks;
          for (const Mover& mover : tracker.movers()) {
            const bool is_true = std::ranges::any_of(cars, [&](const Car& car) {
              return std::hypot(car.vx, car.vy) > 0 &&
                     std::hypot(car.x + time * car.vx - mover.at.x,
                                car.y + time * car.vy - mover.at.y) < 1.5 &&
                     std::hypot(car.vx - mover.vx, car.vy - mover.vy) < 1.5;
            });
            EXPECT_TRUE(is_true) << time << " s: " << mover.at.x << ", " << mover.at.y << " at "
                                 << mover.vx << ", " << mover.vy;
            listed += is_true;
          }
        }
      }
      pose = planning::drive(pose, curvature, speed * dt);
    }
    EXPECT_GT(listed, 1.9 * looks);  // both, nearly always
    tracker.update(5);
    EXPECT_TRUE(tracker.movers().empty());
  }
}

// --- Ways over lanes ---

// A ladder of one-way lanes: against every route by brute force over all orders of lanes.
TEST(LanePlanner, TakesTheShortestWayOverLanes) {
  auto lanes = std::make_shared<std::vector<RoadLane>>();
  const auto add = [&](planning::Point a, planning::Point b, std::vector<int> next) {
    lanes->push_back({{a, {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}, b}, std::move(next)});
  };
  add({0, 0}, {50, 0}, {1, 2});     // 0: to the junction
  add({50, 0}, {50, 40}, {3});      // 1: left
  add({50, 0}, {90, -30}, {4});     // 2: right, the long way
  add({50, 40}, {120, 40}, {5});    // 3
  add({90, -30}, {170, -30}, {6});  // 4
  add({120, 40}, {120, 0}, {});     // 5: ends at the goal
  add({170, -30}, {120, 0}, {});    // 6: ends there, too
  GlobalSetup setup;
  setup.lanes = lanes;
  const auto planner = make_lane_planner(setup);
  const GlobalPath path = planner->plan({2, 1}, {121, 5});
  ASSERT_TRUE(path.is_found);
  // 48 m on lane 0, 40 + 70 + 35 m, and the meters to and from the lanes.
  EXPECT_NEAR(path.length, 48 + 40 + 70 + 35 + 1 + 1, 1e-9);
  EXPECT_TRUE(std::ranges::any_of(path.points, [](planning::Point p) { return p.y > 39; }));
  // On the way it stays on it; far beside it gets a new one, here none, as lanes are one-way.
  EXPECT_NEAR(planner->plan({50.4, 20}, {121, 5}).length, 20 + 70 + 35 + 1, 1.1);
  const GlobalPath none = make_lane_planner(setup)->plan({120, 2}, {10, 0});
  EXPECT_FALSE(none.is_found);
  EXPECT_EQ(none.problem, "no lane leads to the goal");
}

// --- Speed ---

TEST(SpeedLimit, StopsWithinTheRoom) {
  const SpeedLimits limits{.max_speed = 30, .deceleration = 3, .reaction = 0.5, .gap = 0};
  // The facts' own example: 5 m/s stop in 6.7 m.
  EXPECT_NEAR(calc_speed_limit(limits, {.free_length = 6.6667, .goal_length = 1e3}, 5).speed, 5,
              1e-3);
  for (const double room : {2.0, 7.3, 19.0, 44.0}) {
    const double v = calc_speed_limit(limits, {.free_length = room, .goal_length = 1e3}, 5).speed;
    EXPECT_NEAR(v * 0.5 + v * v / 6, room, 1e-9);
  }
  EXPECT_NEAR(
      calc_speed_limit(limits, {.free_length = 1e3, .goal_length = 1e3, .curvature = -0.1}, 5)
          .speed,
      std::sqrt(20.0), 1e-12);
  EXPECT_EQ(calc_speed_limit(limits, {.free_length = 0, .goal_length = 1e3}, 5).speed, 0);
}

// --- Maneuvers ---

TEST(Maneuver, IsFollowedForwardAndInReverseByAVehicleWithSlowSteering) {
  const std::vector<planning::PathPiece> pieces{
      {1 / 8.0, 9}, {0, 4}, {-1 / 8.0, -8}, {0, -3}, {1 / 9.0, 6}};
  const Pose start{1, 2, 0.3};
  Maneuver maneuver(start, pieces);
  Pose at = start;
  at.x += 0.05;
  double curvature = 0, worst = 0;
  for (int k = 0; k < 20000 && !maneuver.is_over(); ++k) {
    maneuver.follow(at);
    if (maneuver.rest() < 0.02) {
      maneuver.end_leg();
      if (!maneuver.is_over()) curvature = maneuver.first_curvature();
      continue;
    }
    const double wanted = std::clamp(maneuver.calc_curvature(at, 0.6), -1 / 7.0, 1 / 7.0);
    curvature += std::clamp(wanted - curvature, -0.0015, 0.0015);  // 0.15 1/(m s) at 1 m/s
    at = planning::drive(at, curvature, maneuver.direction() * 0.01);
    worst = std::max(worst, std::abs(maneuver.deviation()));
  }
  EXPECT_TRUE(maneuver.is_over());
  EXPECT_LT(worst, 0.15);
  EXPECT_NEAR(at.x, maneuver.end().x, 0.1);
  EXPECT_NEAR(at.y, maneuver.end().y, 0.1);
  EXPECT_NEAR(planning::wrap_angle(at.heading - maneuver.end().heading), 0, 0.06);
}

}  // namespace
}  // namespace camber::autonomy
