#include "camber/view/mesh_book.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <nlohmann/json.hpp>

#include "camber/view/bytes.h"

namespace camber::view {
namespace {

using Json = nlohmann::ordered_json;

const char* word_of(scene::Texture texture) {
  switch (texture) {
    case scene::Texture::kPlain:
      return "plain";
    case scene::Texture::kAsphalt:
      return "asphalt";
    case scene::Texture::kBrick:
      return "brick";
    case scene::Texture::kWindows:
      return "windows";
    case scene::Texture::kVegetation:
      return "vegetation";
    case scene::Texture::kFacade:
      return "facade";
    case scene::Texture::kOffice:
      return "office";
    case scene::Texture::kShopfront:
      return "shopfront";
    case scene::Texture::kPaving:
      return "paving";
    case scene::Texture::kTiles:
      return "tiles";
  }
  return "plain";
}

double round_color(double c) { return std::round(c * 1e3) / 1e3; }

/// The bytes of /api/mesh/K.
std::string encode(const scene::Mesh& mesh, const std::vector<int>& materials, int own) {
  // Triangles in the order of their materials: one group for each.
  const auto material_of = [&](std::size_t triangle) {
    if (mesh.surface_of.empty()) return own;
    const int material = mesh.surfaces[mesh.surface_of[triangle]].material;
    return material < 0 || material >= static_cast<int>(materials.size())
               ? own
               : materials[static_cast<std::size_t>(material)];
  };
  std::vector<std::uint32_t> order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(
      order, [&](std::uint32_t a, std::uint32_t b) { return material_of(a) < material_of(b); });
  struct Group {
    std::uint32_t first = 0, count = 0, material = 0;
  };
  std::vector<Group> groups;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const auto material = static_cast<std::uint32_t>(material_of(order[i]));
    if (groups.empty() || groups.back().material != material)
      groups.push_back({.first = i, .count = 0, .material = material});
    ++groups.back().count;
  }
  std::string out;
  out.reserve(40 + 12 * (groups.size() + mesh.vertices.size() + mesh.triangles.size()));
  for (const std::size_t count :
       {mesh.vertices.size(), mesh.triangles.size(), groups.size(), std::size_t{0}})
    internal::append(static_cast<std::uint32_t>(count), &out);
  for (int i = 0; i < 3; ++i) internal::append(mesh.origin[i], &out);
  for (const Group& group : groups)
    for (const std::uint32_t value : {group.first, group.count, group.material})
      internal::append(value, &out);
  for (const scene::Mesh::Vertex& vertex : mesh.vertices)
    for (const float x : vertex) internal::append(x, &out);
  for (const std::uint32_t k : order)
    for (const std::uint32_t corner : mesh.triangles[k]) internal::append(corner, &out);
  return out;
}

}  // namespace

int MeshBook::add_material(const scene::Material& material) {
  const auto [known, is_new] =
      numbers_.try_emplace(material.name, static_cast<int>(materials_.size()));
  if (is_new) materials_.push_back(material);
  return known->second;
}

int MeshBook::add(const scene::Mesh& mesh, const std::vector<int>& materials, int own) {
  meshes_.push_back({.bytes = encode(mesh, materials, own)});
  return static_cast<int>(meshes_.size()) - 1;
}

int MeshBook::add_later(std::function<scene::Mesh()> make, std::vector<int> materials, int own) {
  meshes_.push_back({.make = std::move(make), .materials = std::move(materials), .own = own});
  return static_cast<int>(meshes_.size()) - 1;
}

std::string MeshBook::bytes(int k) const {
  const Entry& entry = meshes_[static_cast<std::size_t>(k)];
  return entry.make ? encode(entry.make(), entry.materials, entry.own) : entry.bytes;
}

Json MeshBook::list_materials() const {
  Json list = Json::array();
  for (const scene::Material& m : materials_) {
    Json json{
        {"name", m.name},
        {"color", {round_color(m.color.x()), round_color(m.color.y()), round_color(m.color.z())}},
        {"texture", word_of(m.texture)}};
    if (m.pattern[0] > 0 && m.pattern[1] > 0) json["pattern"] = {m.pattern[0], m.pattern[1]};
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace camber::view
