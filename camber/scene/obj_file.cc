#include "camber/scene/mesh_builder.h"

namespace camber::scene {

// Wavefront OBJ: v and f, polygons as fans, numbers from 1 or negative from the end; usemtl gives a
// material its name. Texture coordinates, normals, groups and mtllib are passed over.
MeshFile parse_obj(std::string_view text, const std::string& name, const MeshOptions& options) {
  internal::MeshBuilder builder(name, options);
  internal::LineReader line(text);
  const auto vertex_number = [&](std::string_view word) {
    std::int64_t k = 0;
    if (!internal::read_number(word.substr(0, word.find('/')), &k) || k == 0) {
      builder.fail(line.where(), concat("\"", std::string(word), "\" is not a vertex number"));
    }
    const auto count = static_cast<std::int64_t>(builder.vertex_count());
    const std::int64_t index = k > 0 ? k - 1 : count + k;
    if (index < 0 || index >= count) {
      builder.fail(line.where(), concat("vertex ", k, " of ", count));
    }
    return static_cast<std::uint32_t>(index);
  };
  while (line.next_line()) {
    const std::string_view kind = line.word();
    if (kind == "v") {
      Vector3 p;
      for (int a = 0; a < 3; ++a) {
        const std::string_view word = line.word();
        if (!internal::read_number(word, &p[a])) {
          builder.fail(line.where(), concat("\"", std::string(word), "\" is not a number"));
        }
      }
      builder.add_vertex(p, line.where());
    } else if (kind == "f") {
      const std::string_view a = line.word(), b = line.word();
      std::string_view c = line.word();
      if (c.empty()) builder.fail(line.where(), "a face needs three vertices");
      const std::uint32_t first = vertex_number(a);
      std::uint32_t last = vertex_number(b);
      for (; !c.empty(); c = line.word()) {
        const std::uint32_t next = vertex_number(c);
        builder.add_triangle(first, last, next, line.where());
        last = next;
      }
    } else if (kind == "usemtl") {
      Material material;
      material.name = std::string(line.word());
      builder.use_material(std::move(material));
    }
  }
  return builder.finish();
}

}  // namespace camber::scene
