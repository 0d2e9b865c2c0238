#pragma once

// A small world for tests of pilots: a vehicle on the plane that rolls without slip, with steering of
// limited rate and pedals that act at once, and things that it must not touch.

#include <algorithm>
#include <cmath>
#include <vector>

#include "camber/autonomy/goal_pilot.h"

namespace camber::autonomy::test {

using planning::Footprint, planning::Point, planning::Polygon, planning::Pose;

struct GoalWorld {
  static constexpr double kWheelbase = 3.3, kMass = 2500, kBrake = 20000, kDrive = 8000;
  std::vector<Polygon> things;
  Pose pose;  // midway between the axles
  double speed = 0, steer = 0, time = 0;
  double rate = 0.6;      // of the steering [rad/s]
  double length = 0;      // driven [m]
  double clearance = 10;  // least so far [m]

  static Footprint body() { return {2.3, 2.3, 1.08, 1.08}; }

  GoalSetup make_setup(Point goal) const {
    GoalSetup setup;
    setup.goal = goal;
    setup.wheelbase = kWheelbase;
    setup.estimator.start = pose;
    setup.estimator.wheelbase = kWheelbase;
    setup.mapping.body = body();
    setup.mapping.wheelbase = kWheelbase;
    setup.mapping.track = 1.8;
    setup.area.start = {pose.x, pose.y};
    setup.area.goal = goal;
    setup.area.margin = 50;
    setup.steering = {.angle = 0.5, .rate = 0.5};
    setup.track = {.mass = kMass,
                   .yaw_inertia = 5300,
                   .front = 1.6,
                   .rear = 1.7,
                   .front_stiffness = 2e6,  // it hardly slips, as the world's vehicle does not
                   .rear_stiffness = 2e6};
    setup.arcs.footprint = {2.3 + 0.5 * kWheelbase, 2.3 - 0.5 * kWheelbase, 1.08, 1.08};
    setup.arcs.min_radius = 7;
    setup.arcs.max_curvature_rate = 0.15;
    setup.maneuvers.footprint = setup.arcs.footprint;
    setup.maneuvers.min_radius = 7;
    setup.maneuvers.margin = 0.2;
    for (SpeedControl* control : {&setup.forward, &setup.backward}) {
      control->mass = kMass;
      control->brake_force = kBrake;
      control->force = {{.x = {0}, .y = {0}}, {.x = {0}, .y = {kDrive}}};
      control->gain = 1.2;
      control->jerk = 8;
      control->max_acceleration = 2;
      control->max_deceleration = 4.5;
    }
    setup.backward.is_backward = true;
    setup.ground.height = [](double, double) { return 0.0; };
    setup.ground.things = [this](Point low, Point high) {
      std::vector<Polygon> list;
      for (const Polygon& thing : things) {
        const bool is_out = std::ranges::all_of(thing, [&](Point p) { return p.x < low.x; }) ||
                            std::ranges::all_of(thing, [&](Point p) { return p.x > high.x; }) ||
                            std::ranges::all_of(thing, [&](Point p) { return p.y < low.y; }) ||
                            std::ranges::all_of(thing, [&](Point p) { return p.y > high.y; });
        if (!is_out) list.push_back(thing);
      }
      return list;
    };
    return setup;
  }

  VehicleView view() const {
    VehicleView v;
    v.time = time;
    v.x = pose.x;
    v.y = pose.y;
    v.yaw = pose.heading;
    v.speed = speed;
    v.yaw_rate = speed * std::tan(steer) / kWheelbase;
    v.lateral_speed = 0.5 * kWheelbase * v.yaw_rate;
    v.steer = steer;
    return v;
  }

  void step(const Command& command, double dt) {
    steer += std::clamp(command.steer - steer, -rate * dt, rate * dt);
    const double drive = command.selector * kDrive * command.throttle / kMass;
    const double brake = kBrake * command.brake / kMass;
    double next = speed + drive * dt;
    next -= std::clamp(next, -brake * dt, brake * dt);
    Pose rear = to_global(pose, {-0.5 * kWheelbase, 0, 0});
    const double way = 0.5 * (speed + next) * dt;
    rear = planning::drive(rear, std::tan(steer) / kWheelbase, way);
    pose = to_global(rear, {0.5 * kWheelbase, 0, 0});
    length += std::abs(way);
    speed = next;
    time += dt;
    const Polygon outline = planning::make_outline(body(), pose);
    for (const Polygon& thing : things) {
      if (std::hypot(thing[0].x - pose.x, thing[0].y - pose.y) > 40) continue;
      clearance = std::min(clearance, planning::calc_distance(outline, thing));
    }
  }

  /// Drives until the pilot is done; false if it is not by then.
  bool run(Pilot* pilot, double seconds) {
    const double dt = 0.02;
    while (time < seconds) {
      const Command command = pilot->update(view());
      if (pilot->goal()->is_over) return true;
      step(command, dt);
    }
    return false;
  }
};

inline Polygon make_box(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

inline Polygon make_cylinder(Point at, double radius) {
  Polygon polygon;
  for (int k = 0; k < 12; ++k)
    polygon.push_back({at.x + radius * std::cos(k * 0.5235987755982988),
                       at.y + radius * std::sin(k * 0.5235987755982988)});
  return polygon;
}

}  // namespace camber::autonomy::test
