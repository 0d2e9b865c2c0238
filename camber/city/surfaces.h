#pragma once

#include <vector>

#include "camber/city/block.h"
#include "camber/scene/scene.h"

namespace camber::city {

/// Number of a Surface's material and class in a scene.
struct SurfaceNumbers {
  int material = 0, label = 0;
};

/// Adds the material and class of every Surface to a scene, by Surface. `storey` is the height of
/// one row of windows [m].
std::vector<SurfaceNumbers> add_surfaces(double storey, scene::Scene* scene);

const char* name_of(Surface surface);
/// The class that sensors report: "road", "building", "car".
const char* label_of(Surface surface);
/// Color of a surface, linear.
Vector3 color_of(Surface surface);

}  // namespace camber::city
