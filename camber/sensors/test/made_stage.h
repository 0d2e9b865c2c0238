#pragma once

// Everything that a sensor reads, without a simulation.

#include <memory>
#include <utility>
#include <vector>

#include "camber/sensors/drive_scene.h"
#include "camber/sensors/sensor.h"

namespace camber::sensors::test {

/// A box on the ground, as a thing of the world that is at rest.
inline world::MovingThing make_box(double x0, double y0, double x1, double y1, double height) {
  world::MovingThing thing;
  thing.name = "wall";
  thing.outline.rear = x0;
  thing.outline.front = x1;
  thing.outline.right = y0;
  thing.outline.left = y1;
  thing.height = height;
  thing.track = {{0, 0, 0, 0}};
  return thing;
}

struct Stage {
  std::vector<VehicleMotion> motions;
  std::unique_ptr<DriveScene> scene;

  Stage(MotionTrack motion, terrain::Terrain terrain, std::vector<world::MovingThing> things,
        VehicleLook look = {}) {
    motions.push_back(std::move(motion));
    scene =
        std::make_unique<DriveScene>(std::make_shared<const terrain::Terrain>(std::move(terrain)),
                                     std::vector<VehicleLook>{std::move(look)}, std::move(things),
                                     SceneOptions{.reach = 160, .own = 0});
    scene->follow(0, 0);
    scene->set_time(0, motions);
  }
  Readings readings() {
    return {.motion = &motions[0].frame, .vehicles = &motions, .scene = scene.get(), .vehicle = 0};
  }
};

/// At rest from t = 0 to `end`.
inline MotionTrack make_rest(const Pose& pose, double end) {
  MotionTrack track(2);
  Motion state;
  state.pose = pose;
  track.push(state);
  state.time = end;
  track.push(state);
  return track;
}

inline Pose at_height(double z) {
  Pose pose;
  pose.position = {0, 0, z};
  return pose;
}

}  // namespace camber::sensors::test
