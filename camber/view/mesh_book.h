#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "camber/scene/material.h"
#include "camber/scene/mesh.h"

namespace camber::view {

/// The meshes and materials of a page, by number: vehicles' bodies, buildings, things. Constant
/// once everything is added; then any thread may read it.
class MeshBook {
 public:
  /// Number of the material; materials of one name are one.
  int add_material(const scene::Material& material);
  /// Number of the mesh. `materials[k]` is the number in this book of the mesh's material k; `own`
  /// is that of triangles without one.
  int add(const scene::Mesh& mesh, const std::vector<int>& materials, int own = 0);

  /// The same for a mesh that is made at its first request, by any thread.
  int add_later(std::function<scene::Mesh()> make, std::vector<int> materials, int own = 0);

  int mesh_count() const { return static_cast<int>(meshes_.size()); }
  /// The bytes of /api/mesh/K.
  std::string bytes(int k) const;
  /// The list `materials` of hello.
  nlohmann::ordered_json list_materials() const;

 private:
  std::vector<scene::Material> materials_;
  std::map<std::string, int> numbers_;  // of materials, by name
  struct Entry {
    std::string bytes = {};
    std::function<scene::Mesh()> make = {};  // if there are no bytes yet
    std::vector<int> materials = {};
    int own = 0;
  };
  std::vector<Entry> meshes_;
};

}  // namespace camber::view
