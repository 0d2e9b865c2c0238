#pragma once

#include <cstdint>
#include <vector>

#include "camber/math/types.h"
#include "camber/scene/scene.h"
#include "camber/terrain/elevation_map.h"

namespace camber::scene {

struct ElevationOptions {
  terrain::Box2 box = {};  // [m]
  double spacing = 0.5;    // of nodes [m]
  double clearance = 3.5;  // what is higher above its neighbor's ground is passed under [m]
  std::vector<Vector3> seeds = {};       // places that are ground, such as points of roads [m]
  std::vector<int> ignored_labels = {};  // classes that are never ground, such as cars
  double step_height =
      0.05;  // neighbors whose heights differ by more than this over a place ... [m]
  double step_width = 0.01;  // ... narrower than this have a step between them [m]
};

/// A kerb, wall or other step of the ground, where a line of nodes crosses it.
struct StepPoint {
  double x = 0, y = 0;       // [m]
  double low = 0, high = 0;  // heights of its two sides [m]
  bool is_along_x = false;   // whether the line of nodes that crosses it goes along x
  bool rises = false;        // whether the far side, in the direction of the line, is the high one
};

struct Elevation {
  terrain::HeightGrid grid;
  std::vector<std::uint8_t> is_known;  // by node; 0: no ground was found, the height is filled in
  std::vector<StepPoint> steps;
};

/// Ground for wheels from everything in the scene: at each node the highest surface below a ceiling,
/// which is a neighbor's ground plus the clearance, grown from the seeds; so bridges, canopies and
/// crowns are not ground. Nodes without ground get the mean of known neighbors, from the rim inward.
/// Throws std::invalid_argument for an empty box, or if no seed is on a surface.
Elevation find_elevation(const Scene& scene, const ElevationOptions& options);

}  // namespace camber::scene
