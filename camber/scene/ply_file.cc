#include <bit>
#include <cstring>
#include <optional>

#include "camber/scene/mesh_builder.h"

namespace camber::scene {
namespace {

enum class Number { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };

std::optional<Number> find_number(std::string_view word) {
  using enum Number;
  constexpr std::pair<std::string_view, Number> kNames[] = {
      {"char", kInt8},   {"int8", kInt8},     {"uchar", kUint8},   {"uint8", kUint8},
      {"short", kInt16}, {"int16", kInt16},   {"ushort", kUint16}, {"uint16", kUint16},
      {"int", kInt32},   {"int32", kInt32},   {"uint", kUint32},   {"uint32", kUint32},
      {"float", kFloat}, {"float32", kFloat}, {"double", kDouble}, {"float64", kDouble}};
  for (const auto& [text, number] : kNames) {
    if (text == word) return number;
  }
  return std::nullopt;
}
std::size_t size_of(Number n) {
  constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<int>(n)];
}

struct Property {
  std::string name;
  Number type = Number::kFloat;
  std::optional<Number> count;  // of a list
};
struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

/// Numbers of the body, one after the other: words, or bytes.
class Body {
 public:
  Body(std::string_view text, std::size_t at, bool is_ascii, bool is_big, internal::MeshBuilder* b)
      : text_(text), at_(at), is_ascii_(is_ascii), is_big_(is_big), builder_(b) {}

  std::string where() const { return concat("byte ", at_); }
  std::size_t left() const { return text_.size() - at_; }

  double read(Number type) {
    if (is_ascii_) return read_word();
    const std::size_t n = size_of(type);
    if (left() < n) builder_->fail(where(), "the file ends early");
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < n; ++k) {
      bits = bits << 8 | static_cast<unsigned char>(text_[at_ + (is_big_ ? k : n - 1 - k)]);
    }
    at_ += n;
    switch (type) {
      case Number::kInt8:
        return static_cast<std::int8_t>(bits);
      case Number::kUint8:
        return static_cast<std::uint8_t>(bits);
      case Number::kInt16:
        return static_cast<std::int16_t>(bits);
      case Number::kUint16:
        return static_cast<std::uint16_t>(bits);
      case Number::kInt32:
        return static_cast<std::int32_t>(bits);
      case Number::kUint32:
        return static_cast<std::uint32_t>(bits);
      case Number::kFloat:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      case Number::kDouble:
        return std::bit_cast<double>(bits);
    }
    return 0;
  }
  /// A whole number from 0.
  std::uint32_t read_count(Number type) {
    const double x = read(type);
    if (!(x >= 0 && x <= UINT32_MAX && x == std::floor(x))) {
      builder_->fail(where(), concat(x, " is not a number of something"));
    }
    return static_cast<std::uint32_t>(x);
  }

 private:
  double read_word() {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    std::size_t end = at_;
    while (end < text_.size() && !is_blank(text_[end])) ++end;
    double value = 0;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word.empty()) builder_->fail(where(), "the file ends early");
    if (!internal::read_number(word, &value)) {
      builder_->fail(where(), concat("\"", std::string(word.substr(0, 40)), "\" is not a number"));
    }
    at_ = end;
    return value;
  }

  std::string_view text_;
  std::size_t at_;
  bool is_ascii_, is_big_;
  internal::MeshBuilder* builder_;
};

void read_faces(const Element& element, Body* body, internal::MeshBuilder* builder) {
  for (std::uint64_t k = 0; k < element.count; ++k) {
    for (const Property& property : element.properties) {
      if (!property.count) {
        body->read(property.type);
        continue;
      }
      const std::uint32_t n = body->read_count(*property.count);
      const bool is_face = property.name == "vertex_indices" || property.name == "vertex_index";
      std::uint32_t first = 0, last = 0;
      for (std::uint32_t v = 0; v < n; ++v) {
        if (!is_face) {
          body->read(property.type);
          continue;
        }
        const std::uint32_t next = body->read_count(property.type);
        if (v == 0) first = next;
        if (v >= 2) builder->add_triangle(first, last, next, body->where());
        last = next;
      }
    }
  }
}

}  // namespace

// PLY: ascii, and binary of both byte orders; the elements vertex (x, y, z) and face
// (vertex_indices) are used, others are passed over.
MeshFile parse_ply(std::string_view text, const std::string& name, const MeshOptions& options) {
  internal::MeshBuilder builder(name, options);
  internal::LineReader line(text);
  if (!line.next_line() || line.word() != "ply") builder.fail("line 1", "is not a PLY file");
  std::vector<Element> elements;
  std::string_view format;
  bool is_over = false;
  while (!is_over && line.next_line()) {
    const std::string_view kind = line.word();
    if (kind == "format") {
      format = line.word();
      if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian") {
        builder.fail(line.where(), concat("format \"", std::string(format), "\" is not known"));
      }
    } else if (kind == "element") {
      Element element;
      element.name = std::string(line.word());
      if (!internal::read_number(line.word(), &element.count)) {
        builder.fail(line.where(), "element " + element.name + " has no count");
      }
      elements.push_back(std::move(element));
    } else if (kind == "property") {
      if (elements.empty()) builder.fail(line.where(), "a property without an element");
      Property property;
      std::string_view type = line.word();
      if (type == "list") {
        property.count = find_number(line.word());
        if (!property.count) builder.fail(line.where(), "a list of unknown type");
        type = line.word();
      }
      const auto number = find_number(type);
      if (!number) {
        builder.fail(line.where(), concat("type \"", std::string(type), "\" is not known"));
      }
      property.type = *number;
      property.name = std::string(line.word());
      elements.back().properties.push_back(std::move(property));
    } else if (kind == "end_header") {
      is_over = true;
    }
  }
  if (!is_over || format.empty()) builder.fail("", "the header has no format or no end");
  const bool is_ascii = format == "ascii";
  Body body(text, line.offset(), is_ascii, format == "binary_big_endian", &builder);
  for (const Element& element : elements) {
    std::uint64_t bytes = 0;
    for (const Property& p : element.properties) {
      bytes += is_ascii ? 2 : size_of(p.count ? *p.count : p.type);
    }
    const bool is_vertex = element.name == "vertex", is_face = element.name == "face";
    if (element.count > 0 && bytes == 0) {
      builder.fail("", "element " + element.name + " has no property");
    }
    // The last word of an ASCII file needs no line end.
    builder.expect(element.count, std::max<std::uint64_t>(1, is_ascii ? bytes - 1 : bytes),
                   body.left(), element.name + " elements",
                   is_vertex ? options.max_vertices : options.max_triangles, "header");
    if (is_face) {
      read_faces(element, &body, &builder);
      continue;
    }
    int axis_of[3] = {-1, -1, -1};
    for (std::size_t p = 0; p < element.properties.size(); ++p) {
      const std::string& key = element.properties[p].name;
      if (key.size() == 1 && key[0] >= 'x' && key[0] <= 'z' && !element.properties[p].count) {
        axis_of[key[0] - 'x'] = static_cast<int>(p);
      }
    }
    if (is_vertex && (axis_of[0] < 0 || axis_of[1] < 0 || axis_of[2] < 0)) {
      builder.fail("header", "vertices need x, y and z");
    }
    for (std::uint64_t k = 0; k < element.count; ++k) {
      Vector3 point = Vector3::Zero();
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const Property& property = element.properties[p];
        if (property.count) {
          const std::uint32_t n = body.read_count(*property.count);
          for (std::uint32_t v = 0; v < n; ++v) body.read(property.type);
          continue;
        }
        const double value = body.read(property.type);
        for (int a = 0; a < 3; ++a) {
          if (axis_of[a] == static_cast<int>(p)) point[a] = value;
        }
      }
      if (is_vertex) builder.add_vertex(point, body.where());
    }
  }
  return builder.finish();
}

}  // namespace camber::scene
