#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "camber/math/types.h"
#include "camber/scene/material.h"
#include "camber/scene/mesh.h"

namespace camber::scene {

/// Which axis of a file points up. glTF fixes it (y); the other formats do not.
enum class UpAxis { kZ, kY };

struct MeshOptions {
  double unit = 1.0;  // length of one unit of the file [m]
  UpAxis up = UpAxis::kZ;
  std::size_t max_vertices = 50'000'000, max_triangles = 100'000'000;
};

/// A mesh as a file gives it, with the file's own materials: Mesh::surfaces[k].material is a number
/// in `materials`.
struct MeshFile {
  Mesh mesh;
  std::vector<Material> materials = {};
};

/// Reads OBJ, STL, PLY or glTF 2.0 (.gltf, .glb) by the name's ending. Throws FileError with the line
/// or byte for a file that is broken or exceeds the limits.
MeshFile load_mesh(const std::string& path, const MeshOptions& options = {});

/// The same for text in memory; `name` is what messages show. Parsers stop at the limits before
/// they reserve memory for what a header only claims.
MeshFile parse_obj(std::string_view text, const std::string& name, const MeshOptions& options);
MeshFile parse_stl(std::string_view text, const std::string& name, const MeshOptions& options);
MeshFile parse_ply(std::string_view text, const std::string& name, const MeshOptions& options);
/// `folder` is where buffers with relative names are; empty: such buffers are rejected.
MeshFile parse_gltf(std::string_view text, const std::string& name, const std::string& folder,
                    const MeshOptions& options);

}  // namespace camber::scene
