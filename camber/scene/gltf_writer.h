#pragma once

#include <string>

#include "camber/scene/scene.h"

namespace camber::scene {

/// The meshes and boxes of a scene as one binary glTF 2.0 file (.glb): a node per instance, shared
/// meshes once, a material per material, y up. Ground of maps and round shapes are left out; returns
/// how many instances were. `copyright` goes into the file if it is not empty. Throws FileError.
int write_glb(const Scene& scene, const std::string& path, const std::string& copyright = "");

}  // namespace camber::scene
