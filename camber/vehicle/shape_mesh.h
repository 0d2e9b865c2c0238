#pragma once

#include <memory>
#include <string>
#include <vector>

#include "camber/math/types.h"
#include "camber/scene/material.h"
#include "camber/scene/mesh.h"
#include "camber/scene/mesh_file.h"
#include "camber/scene/scene.h"
#include "camber/vehicle/shape.h"

namespace camber::vehicle {

/// The mesh of a vehicle's body, in the vehicle's frame.
struct ShapeMesh {
  std::string file;
  scene::Mesh mesh;  // Surface::material is a number in `materials`
  std::vector<scene::Material> materials;
  Box bounds;          // [m]
  scene::Scene alone;  // the mesh and nothing else, for columns
};

/// Reads a mesh file and moves it by `offset` in the vehicle's frame. Throws FileError for a file
/// that cannot be read, and for a body that reaches farther than 100 m from the frame's origin: its
/// unit is wrong.
std::shared_ptr<const ShapeMesh> load_shape_mesh(const std::string& path,
                                                 const scene::MeshOptions& options,
                                                 const Vector3& offset);

}  // namespace camber::vehicle
