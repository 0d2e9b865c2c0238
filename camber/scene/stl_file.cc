#include <bit>
#include <cstring>

#include "camber/scene/mesh_builder.h"

namespace camber::scene {
namespace {

constexpr std::size_t kHeader = 84, kFacet = 50;

std::uint32_t read_u32(const char* p) {
  std::uint32_t value = 0;
  for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(p[k]);
  return value;
}

MeshFile parse_binary(std::string_view text, internal::MeshBuilder* builder) {
  const std::uint32_t count = read_u32(text.data() + 80);
  builder->expect(count, kFacet, text.size() - kHeader, "facets", builder->options().max_triangles,
                  "byte 80");
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::size_t at = kHeader + k * kFacet;
    const std::string where = concat("byte ", at);
    for (std::uint32_t v = 0; v < 3; ++v) {
      Vector3 p;
      for (std::uint32_t a = 0; a < 3; ++a) {
        p[a] = std::bit_cast<float>(read_u32(text.data() + at + 12 + 12 * v + 4 * a));
      }
      builder->add_vertex(p, where);
    }
    builder->add_triangle(3 * k, 3 * k + 1, 3 * k + 2, where);
  }
  return builder->finish();
}

MeshFile parse_ascii(std::string_view text, internal::MeshBuilder* builder) {
  internal::LineReader line(text);
  int corners = -1;  // -1: outside of a loop
  while (line.next_line()) {
    const std::string_view kind = line.word();
    if (kind == "outer") {
      corners = 0;
    } else if (kind == "vertex") {
      if (corners < 0 || corners > 2) {
        builder->fail(line.where(), "a vertex outside of a loop of three");
      }
      Vector3 p;
      for (int a = 0; a < 3; ++a) {
        const std::string_view word = line.word();
        if (!internal::read_number(word, &p[a])) {
          builder->fail(line.where(), concat("\"", std::string(word), "\" is not a number"));
        }
      }
      builder->add_vertex(p, line.where());
      ++corners;
    } else if (kind == "endloop") {
      if (corners != 3) builder->fail(line.where(), "a loop needs three vertices");
      const auto n = static_cast<std::uint32_t>(builder->vertex_count());
      builder->add_triangle(n - 3, n - 2, n - 1, line.where());
      corners = -1;
    }
  }
  return builder->finish();
}

}  // namespace

// STL. A binary file is known by its length: many of them begin with "solid", too.
MeshFile parse_stl(std::string_view text, const std::string& name, const MeshOptions& options) {
  internal::MeshBuilder builder(name, options);
  const bool has_header = text.size() >= kHeader;
  const bool fits =
      has_header && text.size() == kHeader + kFacet * std::uint64_t{read_u32(text.data() + 80)};
  if (fits || (has_header && text.substr(0, 5) != "solid")) return parse_binary(text, &builder);
  if (text.substr(0, 5) != "solid") builder.fail("", "is neither ASCII nor binary STL");
  return parse_ascii(text, &builder);
}

}  // namespace camber::scene
