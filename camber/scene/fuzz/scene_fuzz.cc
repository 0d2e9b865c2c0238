// Any bytes either are a scene or throw ModelFileError; a scene can be looked at.

#include <cstddef>
#include <cstdint>
#include <string>

#include "camber/core/diagnostics.h"
#include "camber/scene/scene_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace camber;  // NOLINT(google-build-using-namespace): one function
  try {
    const scene::SceneFile file = scene::parse_scene(
        std::string(reinterpret_cast<const char*>(data), size), "no-such-folder/fuzz.toml");
    scene::View view = file.view;
    view.width = view.height = 4;
    scene::draw_scene(file.scene, file.light, view);
  } catch (const ModelFileError&) {
  }
  return 0;
}
