#include <bit>
#include <cstring>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "camber/scene/mesh_builder.h"

namespace camber::scene {
namespace {

using Json = nlohmann::json;
using Affine3 = Eigen::Affine3d;

constexpr std::size_t kMaxBytes = std::size_t{1} << 31;
constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxNodes = 1'000'000;

std::uint32_t read_u32(std::string_view text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(text[at + k]);
  return value;
}

/// The parts of glTF 2.0 that make triangles: scene, nodes with their transforms, meshes, accessors,
/// buffers (in the file, as data URI, beside it), colors of materials. y is up, units are meters.
class GltfReader {
 public:
  GltfReader(std::string_view text, const std::string& name, std::string folder,
             MeshOptions options)
      : folder_(std::move(folder)), builder_(name, y_up(options)) {
    if (text.size() >= 12 && text.substr(0, 4) == "glTF") {
      open_binary(text);
    } else {
      parse(text, 0);
    }
  }

  MeshFile read() {
    if (!root_.is_object()) builder_.fail("", "is not a JSON object");
    for (const Json& extension : list("extensionsRequired")) {
      if (extension.is_string()) {
        builder_.fail("extensionsRequired",
                      "extension " + extension.get<std::string>() + " is not supported");
      }
    }
    const Json& scenes = list("scenes");
    if (scenes.empty()) {
      builder_.fail("scenes", "there is no scene");
    }
    const std::size_t number = index(root_, "scene", scenes.size(), "scene", 0);
    const std::string where = concat("scenes[", number, "]");
    if (scenes[number].contains("nodes")) {
      for (const Json& node : array(scenes[number], "nodes", where)) {
        add_node(to_index(node, list("nodes").size(), where + ".nodes"), Affine3::Identity(), 0);
      }
    }
    return builder_.finish();
  }

 private:
  static MeshOptions y_up(MeshOptions options) {
    options.up = UpAxis::kY;  // by the format
    return options;
  }

  void parse(std::string_view text, std::size_t offset) {
    try {
      root_ = Json::parse(text);
    } catch (const Json::parse_error& error) {
      builder_.fail(concat("byte ", offset + error.byte), "is not JSON");
    } catch (const Json::exception& error) {
      builder_.fail("", error.what());
    }
  }
  void open_binary(std::string_view text) {
    if (read_u32(text, 4) != 2) builder_.fail("byte 4", "is not version 2 of glTF");
    std::size_t at = 12;
    bool has_json = false;
    while (at + 8 <= text.size()) {
      const std::size_t length = read_u32(text, at);
      const std::uint32_t kind = read_u32(text, at + 4);
      if (length > text.size() - at - 8) builder_.fail(concat("byte ", at), "the file ends early");
      const std::string_view chunk = text.substr(at + 8, length);
      if (kind == 0x4e4f534a && !has_json) {
        parse(chunk, at + 8);
        has_json = true;
      } else if (kind == 0x004e4942 && binary_.empty()) {
        binary_ = std::string(chunk);
      }
      at += 8 + length;
    }
    if (!has_json) builder_.fail("", "has no JSON");
  }

  // --- JSON with places in messages ---

  const Json& list(const char* key) const {
    static const Json kEmpty = Json::array();
    const auto found = root_.find(key);
    if (found == root_.end()) return kEmpty;
    if (!found->is_array()) builder_.fail(key, "must be an array");
    return *found;
  }
  const Json& array(const Json& object, const char* key, const std::string& where) const {
    if (!object.is_object() || !object.contains(key) || !object.at(key).is_array()) {
      builder_.fail(where + "." + key, "must be an array");
    }
    return object.at(key);
  }
  std::size_t to_index(const Json& value, std::size_t count, const std::string& where) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count) {
      builder_.fail(where, concat("must be a number below ", count, ", got ", value.dump()));
    }
    return value.get<std::size_t>();
  }
  std::size_t index(const Json& object, const char* key, std::size_t count,
                    const std::string& where, std::int64_t fallback = -1) const {
    if (!object.is_object() || !object.contains(key)) {
      if (fallback < 0) builder_.fail(where + "." + key, "is missing");
      return static_cast<std::size_t>(fallback);
    }
    return to_index(object.at(key), count, where + "." + key);
  }
  std::uint64_t size(const Json& object, const char* key, const std::string& where,
                     std::int64_t fallback = -1) const {
    return index(object, key, kMaxBytes, where, fallback);
  }
  void numbers(const Json& object, const char* key, std::size_t count, const std::string& where,
               double* out) const {
    if (!object.contains(key)) return;
    const Json& values = array(object, key, where);
    if (values.size() != count)
      builder_.fail(where + "." + key, concat("needs ", count, " numbers"));
    for (std::size_t k = 0; k < count; ++k) {
      if (!values[k].is_number()) builder_.fail(where + "." + key, "needs numbers");
      out[k] = values[k].get<double>();
    }
  }

  // --- Nodes and meshes ---

  Affine3 pose_of(const Json& node, const std::string& where) const {
    Affine3 X = Affine3::Identity();
    if (node.contains("matrix")) {
      double m[16];
      numbers(node, "matrix", 16, where, m);
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) X.matrix()(r, c) = m[4 * c + r];
      }
      return X;
    }
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    numbers(node, "translation", 3, where, t);
    numbers(node, "rotation", 4, where, q);
    numbers(node, "scale", 3, where, s);
    const Quaternion rotation(q[3], q[0], q[1], q[2]);
    if (!(rotation.norm() > 1e-6)) builder_.fail(where + ".rotation", "must not be zero");
    X.linear() = rotation.normalized().toRotationMatrix() * Vector3(s[0], s[1], s[2]).asDiagonal();
    X.translation() = Vector3(t[0], t[1], t[2]);
    return X;
  }
  void add_node(std::size_t number, const Affine3& X_above, int depth) {
    const std::string where = concat("nodes[", number, "]");
    if (depth > kMaxDepth) builder_.fail(where, concat("is deeper than ", kMaxDepth, " levels"));
    if (++visited_ > kMaxNodes) builder_.fail(where, concat("more than ", kMaxNodes, " nodes"));
    const Json& node = list("nodes")[number];
    if (!node.is_object()) builder_.fail(where, "must be an object");
    const Affine3 X = X_above * pose_of(node, where);
    if (node.contains("mesh")) add_mesh(index(node, "mesh", list("meshes").size(), where), X);
    if (!node.contains("children")) return;
    for (const Json& child : array(node, "children", where)) {
      add_node(to_index(child, list("nodes").size(), where + ".children"), X, depth + 1);
    }
  }
  void add_mesh(std::size_t number, const Affine3& X) {
    const std::string mesh = concat("meshes[", number, "]");
    const Json& primitives = array(list("meshes")[number], "primitives", mesh);
    for (std::size_t k = 0; k < primitives.size(); ++k) {
      const std::string where = concat(mesh, ".primitives[", k, "]");
      const Json& primitive = primitives[k];
      if (!primitive.is_object()) builder_.fail(where, "must be an object");
      constexpr std::size_t kTriangles = 4;
      if (index(primitive, "mode", 16, where, kTriangles) != kTriangles) continue;
      if (!primitive.contains("attributes")) builder_.fail(where + ".attributes", "is missing");
      if (primitive.contains("material"))
        use(index(primitive, "material", list("materials").size(), where));
      const std::string at = where + ".attributes.POSITION";
      const std::size_t accessor = index(primitive["attributes"], "POSITION",
                                         list("accessors").size(), where + ".attributes");
      const auto first = static_cast<std::uint32_t>(builder_.vertex_count());
      const std::size_t count = read_positions(accessor, X, at);
      add_triangles(primitive, first, count, where);
    }
  }
  void add_triangles(const Json& primitive, std::uint32_t first, std::size_t vertices,
                     const std::string& where) {
    std::vector<std::uint32_t> indices;
    if (primitive.contains("indices")) {
      indices = read_indices(index(primitive, "indices", list("accessors").size(), where), where);
    } else {
      for (std::size_t k = 0; k < vertices; ++k) indices.push_back(static_cast<std::uint32_t>(k));
    }
    for (std::size_t k = 0; k + 2 < indices.size(); k += 3) {
      for (std::size_t v = k; v < k + 3; ++v) {
        if (indices[v] >= vertices) {
          builder_.fail(where + ".indices", concat("names vertex ", indices[v], " of ", vertices));
        }
      }
      builder_.add_triangle(first + indices[k], first + indices[k + 1], first + indices[k + 2],
                            where);
    }
  }
  void use(std::size_t number) {
    const std::string where = concat("materials[", number, "]");
    const Json& source = list("materials")[number];
    Material material;
    material.name = concat("material ", number);
    if (source.is_object()) {
      if (source.contains("name") && source["name"].is_string()) {
        material.name = source["name"].get<std::string>();
      }
      if (source.contains("pbrMetallicRoughness") && source["pbrMetallicRoughness"].is_object()) {
        const Json& pbr = source["pbrMetallicRoughness"];
        double color[4] = {1, 1, 1, 1};
        numbers(pbr, "baseColorFactor", 4, where, color);
        material.color = Vector3(color[0], color[1], color[2]).cwiseMax(0.0).cwiseMin(1.0);
        if (pbr.contains("roughnessFactor") && pbr["roughnessFactor"].is_number()) {
          material.roughness = std::clamp(pbr["roughnessFactor"].get<double>(), 0.0, 1.0);
        }
      }
    }
    builder_.use_material(std::move(material));
  }

  // --- Accessors ---

  struct View {
    std::string_view bytes;
    std::size_t stride, count;
    std::uint64_t type;
  };
  View open(std::size_t number, const char* shape, std::size_t item, const std::string& where) {
    const std::string at = concat(where, " -> accessors[", number, "]");
    const Json& accessor = list("accessors")[number];
    if (!accessor.is_object()) builder_.fail(at, "must be an object");
    if (accessor.contains("sparse")) builder_.fail(at, "sparse accessors are not supported");
    if (!accessor.contains("type") || accessor["type"] != shape) {
      builder_.fail(at, concat("type must be \"", shape, "\""));
    }
    View view{};
    view.type = size(accessor, "componentType", at);
    view.count = size(accessor, "count", at);
    const std::size_t width = item * (view.type == 5126 || view.type == 5125 ? 4U
                                      : view.type == 5123                    ? 2U
                                                                             : 1U);
    const std::size_t view_number = index(accessor, "bufferView", list("bufferViews").size(), at);
    const std::string in = concat("bufferViews[", view_number, "]");
    const Json& source = list("bufferViews")[view_number];
    if (!source.is_object()) builder_.fail(in, "must be an object");
    const std::string_view buffer =
        open_buffer(index(source, "buffer", list("buffers").size(), in));
    const std::uint64_t from =
        size(source, "byteOffset", in, 0) + size(accessor, "byteOffset", at, 0);
    view.stride = size(source, "byteStride", in, static_cast<std::int64_t>(width));
    if (view.stride < width) builder_.fail(in, "byteStride is less than an element");
    const std::uint64_t need = view.count == 0 ? 0 : (view.count - 1) * view.stride + width;
    if (from > buffer.size() || need > buffer.size() - from) {
      builder_.fail(at, concat("needs ", from + need, " bytes, its buffer has ", buffer.size()));
    }
    view.bytes = buffer.substr(from, need);
    return view;
  }
  std::size_t read_positions(std::size_t number, const Affine3& X, const std::string& where) {
    const View view = open(number, "VEC3", 3, where);
    if (view.type != 5126) builder_.fail(where, "positions must be floats");
    for (std::size_t k = 0; k < view.count; ++k) {
      Vector3 p;
      for (std::size_t a = 0; a < 3; ++a) {
        p[static_cast<int>(a)] =
            std::bit_cast<float>(read_u32(view.bytes, k * view.stride + 4 * a));
      }
      builder_.add_vertex(X * p, where);
    }
    return view.count;
  }
  std::vector<std::uint32_t> read_indices(std::size_t number, const std::string& where) {
    const View view = open(number, "SCALAR", 1, where);
    if (view.count > 3 * builder_.options().max_triangles) {
      builder_.fail(where, concat(view.count, " indices are too many"));
    }
    std::vector<std::uint32_t> indices(view.count);
    for (std::size_t k = 0; k < view.count; ++k) {
      const auto byte = [&](std::size_t b) {
        return static_cast<std::uint32_t>(
            static_cast<unsigned char>(view.bytes[k * view.stride + b]));
      };
      switch (view.type) {
        case 5125:
          indices[k] = read_u32(view.bytes, k * view.stride);
          break;
        case 5123:
          indices[k] = byte(0) | byte(1) << 8;
          break;
        case 5121:
          indices[k] = byte(0);
          break;
        default:
          builder_.fail(where, "indices must be unsigned integers");
      }
    }
    return indices;
  }

  std::string_view open_buffer(std::size_t number) {
    const std::string where = concat("buffers[", number, "]");
    if (buffers_.size() <= number) buffers_.resize(number + 1), is_open_.resize(number + 1, 0);
    if (is_open_[number] != 0) return buffers_[number];
    const Json& buffer = list("buffers")[number];
    if (!buffer.is_object()) builder_.fail(where, "must be an object");
    if (!buffer.contains("uri")) {
      if (number != 0 || binary_.empty()) builder_.fail(where, "has no data");
      buffers_[number] = binary_;
    } else {
      if (!buffer["uri"].is_string()) builder_.fail(where + ".uri", "must be text");
      buffers_[number] = load(buffer["uri"].get<std::string>(), where + ".uri");
    }
    is_open_[number] = 1;
    return buffers_[number];
  }
  std::string load(const std::string& uri, const std::string& where) const {
    if (uri.starts_with("data:")) {
      const std::size_t comma = uri.find(";base64,");
      if (comma == std::string::npos) builder_.fail(where, "data must be base64");
      return decode_base64(std::string_view(uri).substr(comma + 8), where);
    }
    if (folder_.empty()) builder_.fail(where, "a file beside this one cannot be read here");
    const std::filesystem::path path(uri);
    for (const auto& part : path) {
      if (path.is_absolute() || part == "..")
        builder_.fail(where, "must be in the file's own folder");
    }
    return read_file((std::filesystem::path(folder_) / path).string(), kMaxBytes);
  }
  std::string decode_base64(std::string_view text, const std::string& where) const {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    int have = 0;
    for (const char c : text) {
      if (c == '=') break;
      const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                        : c >= 'a' && c <= 'z' ? c - 'a' + 26
                        : c >= '0' && c <= '9' ? c - '0' + 52
                        : c == '+'             ? 62
                        : c == '/'             ? 63
                                               : -1;
      if (value < 0) builder_.fail(where, "is not base64");
      bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xffffff;
      have += 6;
      if (have >= 8) {
        have -= 8;
        bytes.push_back(static_cast<char>(bits >> have & 0xff));
      }
    }
    return bytes;
  }

  std::string folder_;
  internal::MeshBuilder builder_;
  Json root_;
  std::string binary_;
  std::vector<std::string> buffers_;
  std::vector<char> is_open_;
  std::size_t visited_ = 0;
};

}  // namespace

MeshFile parse_gltf(std::string_view text, const std::string& name, const std::string& folder,
                    const MeshOptions& options) {
  return GltfReader(text, name, folder, options).read();
}

}  // namespace camber::scene
