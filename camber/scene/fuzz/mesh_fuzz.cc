// All readers of mesh files, chosen by the first byte; they may throw FileError and nothing else.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "camber/core/file.h"
#include "camber/scene/mesh_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace camber;  // NOLINT(google-build-using-namespace): one function
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  scene::MeshOptions options;
  options.max_vertices = options.max_triangles = 10000;
  try {
    switch (data[0] % 4) {
      case 0:
        scene::parse_obj(text, "fuzz", options);
        break;
      case 1:
        scene::parse_stl(text, "fuzz", options);
        break;
      case 2:
        scene::parse_ply(text, "fuzz", options);
        break;
      default:
        scene::parse_gltf(text, "fuzz", "", options);
        break;
    }
  } catch (const FileError&) {
  }
  return 0;
}
