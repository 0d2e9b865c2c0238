#include "camber/scene/mesh_file.h"

#include <algorithm>
#include <filesystem>

#include "camber/core/file.h"

namespace camber::scene {

MeshFile load_mesh(const std::string& path, const MeshOptions& options) {
  constexpr std::size_t kMaxBytes = std::size_t{4} << 30;
  const std::filesystem::path file(path);
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  const bool is_gltf = ending == ".gltf" || ending == ".glb";
  if (!is_gltf && ending != ".obj" && ending != ".stl" && ending != ".ply") {
    throw FileError(path, "is not a mesh that camber reads: .obj, .stl, .ply, .gltf or .glb");
  }
  const std::string text = read_file(path, kMaxBytes);
  if (ending == ".obj") return parse_obj(text, path, options);
  if (ending == ".stl") return parse_stl(text, path, options);
  if (ending == ".ply") return parse_ply(text, path, options);
  const std::string folder = file.parent_path().string();
  return parse_gltf(text, path, folder.empty() ? "." : folder, options);
}

}  // namespace camber::scene
