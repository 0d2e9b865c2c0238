// glTF 2.0 [Khronos 2021]: JSON and binary chunk of a .glb file. One primitive per mesh and surface.
#include "camber/scene/gltf_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include <nlohmann/json.hpp>

#include "camber/core/file.h"
#include "camber/core/require.h"

namespace camber::scene {
namespace {

using Json = nlohmann::json;

class GlbWriter {
 public:
  explicit GlbWriter(const Scene& scene) : scene_(scene) {}

  std::string write(const std::string& copyright, int* left_out) {
    json_["asset"] = {{"version", "2.0"}, {"generator", "camber"}};
    if (!copyright.empty()) json_["asset"]["copyright"] = copyright;
    for (int k = 0; k < scene_.material_count(); ++k) add_material(scene_.material(k));
    json_["nodes"] = Json::array(), json_["meshes"] = Json::array();
    json_["accessors"] = Json::array(), json_["bufferViews"] = Json::array();
    Json roots = Json::array();
    for (int k = 0; k < scene_.instance_count(); ++k) {
      const Instance& instance = scene_.instance(k);
      const auto* shape = std::get_if<MeshShape>(&instance.shape);
      const auto* box = std::get_if<Box>(&instance.shape);
      if (shape == nullptr && box == nullptr) {
        ++*left_out;
        continue;
      }
      const int mesh = shape != nullptr ? add_mesh(shape->mesh, instance.material)
                                        : add_mesh(make_box_mesh(box->size), instance.material);
      // z up to y up: (x, y, z) becomes (x, z, -y).
      Json matrix = Json::array();
      const Matrix3 R = instance.X_WS.linear();
      Vector3 p = instance.X_WS.translation();
      if (shape != nullptr) p += R * scene_.mesh(shape->mesh).origin;
      Matrix3 up;
      up << 1, 0, 0, 0, 0, 1, 0, -1, 0;
      const Matrix3 turned = up * R * up.transpose();
      const Vector3 place = up * p;
      for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) matrix.push_back(turned(r, c));
        matrix.push_back(0);
      }
      for (int r = 0; r < 3; ++r) matrix.push_back(place[r]);
      matrix.push_back(1);
      roots.push_back(json_["nodes"].size());
      json_["nodes"].push_back({{"name", instance.name}, {"mesh", mesh}, {"matrix", matrix}});
    }
    json_["scenes"] = {{{"nodes", roots}}};
    json_["scene"] = 0;
    json_["buffers"] = {{{"byteLength", bytes_.size()}}};
    std::string text = json_.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string file;
    const auto number = [&](std::uint64_t n) {
      for (int k = 0; k < 4; ++k) file.push_back(static_cast<char>(n >> (8 * k) & 0xFF));
    };
    file = "glTF";
    number(2), number(12 + 8 + text.size() + 8 + bytes_.size());
    number(text.size());
    file += "JSON";
    file += text;
    number(bytes_.size());
    file.append("BIN\0", 4);
    file += bytes_;
    return file;
  }

 private:
  void add_material(const Material& m) {
    json_["materials"].push_back({{"name", m.name},
                                  {"doubleSided", true},
                                  {"pbrMetallicRoughness",
                                   {{"baseColorFactor", {m.color[0], m.color[1], m.color[2], 1.0}},
                                    {"metallicFactor", 0},
                                    {"roughnessFactor", m.roughness}}}});
  }

  int add_mesh(int number, int material) {
    const auto [found, is_new] = meshes_.try_emplace({number, material}, 0);
    if (is_new) found->second = add_mesh(scene_.mesh(number), material);
    return found->second;
  }

  /// About the mesh's own origin.
  int add_mesh(const Mesh& mesh, int material) {
    float low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      low[a] = std::numeric_limits<float>::max(), high[a] = std::numeric_limits<float>::lowest();
    }
    const std::size_t start = bytes_.size();
    for (const Mesh::Vertex& v : mesh.vertices) {
      const float q[3] = {v[0], v[2], -v[1]};
      for (int a = 0; a < 3; ++a)
        low[a] = std::min(low[a], q[a]), high[a] = std::max(high[a], q[a]);
      append(q, sizeof q);
    }
    const int positions = add_accessor(start, 34962, 5126, mesh.vertices.size(), "VEC3");
    json_["accessors"].back()["min"] = {low[0], low[1], low[2]};
    json_["accessors"].back()["max"] = {high[0], high[1], high[2]};
    std::map<int, std::vector<std::uint32_t>> by_material;
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
      int own = mesh.surface_of.empty() ? -1 : mesh.surfaces[mesh.surface_of[k]].material;
      if (own < 0) own = material;
      auto& list = by_material[own];
      list.insert(list.end(), mesh.triangles[k].begin(), mesh.triangles[k].end());
    }
    Json primitives = Json::array();
    for (const auto& [own, indices] : by_material) {
      const std::size_t from = bytes_.size();
      append(indices.data(), indices.size() * sizeof indices[0]);
      primitives.push_back({{"attributes", {{"POSITION", positions}}},
                            {"indices", add_accessor(from, 34963, 5125, indices.size(), "SCALAR")},
                            {"material", own}});
    }
    json_["meshes"].push_back({{"name", mesh.name}, {"primitives", primitives}});
    return static_cast<int>(json_["meshes"].size()) - 1;
  }

  int add_accessor(std::size_t start, int target, int type, std::size_t count, const char* kind) {
    json_["bufferViews"].push_back({{"buffer", 0},
                                    {"byteOffset", start},
                                    {"byteLength", bytes_.size() - start},
                                    {"target", target}});
    json_["accessors"].push_back({{"bufferView", json_["bufferViews"].size() - 1},
                                  {"componentType", type},
                                  {"count", count},
                                  {"type", kind}});
    return static_cast<int>(json_["accessors"].size()) - 1;
  }
  void append(const void* data, std::size_t size) {
    require(bytes_.size() + size < 0xF0000000U, "write_glb: the scene needs more than 4 GB");
    bytes_.append(static_cast<const char*>(data), size);
  }

  const Scene& scene_;
  Json json_;
  std::string bytes_;
  std::map<std::pair<int, int>, int> meshes_;
};

}  // namespace

int write_glb(const Scene& scene, const std::string& path, const std::string& copyright) {
  int left_out = 0;
  const std::string file = GlbWriter(scene).write(copyright, &left_out);
  write_file_atomically(path, file);
  return left_out;
}

}  // namespace camber::scene
