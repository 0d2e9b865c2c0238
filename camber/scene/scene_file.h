#pragma once

#include <string>

#include "camber/core/overrides.h"
#include "camber/scene/render.h"
#include "camber/scene/scene.h"

namespace camber::scene {

/// A scene as a file describes it, committed, with the light and the view that the file suggests.
struct SceneFile {
  std::string name;
  Scene scene;
  Lighting light;
  View view;
};

/// A file of kind "scene" (docs/manual/scene.md). Throws ModelFileError with every mistake,
/// meshes that cannot be read included.
SceneFile load_scene(const std::string& path, const Overrides& overrides = {});
/// The same for text in memory; `name` is what messages show, and files are searched in its folder.
SceneFile parse_scene(std::string text, const std::string& name);

}  // namespace camber::scene
