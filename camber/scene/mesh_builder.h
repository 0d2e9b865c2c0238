#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "camber/core/file.h"
#include "camber/core/require.h"
#include "camber/scene/mesh_file.h"

namespace camber::scene::internal {

/// Common parts of the readers of mesh files: limits, units and axes, errors with their place.
class MeshBuilder {
 public:
  MeshBuilder(const std::string& name, const MeshOptions& options)
      : name_(name), options_(options) {
    require(options.unit > 0 && std::isfinite(options.unit), "mesh file: unit must be > 0 m, got ",
            options.unit);
  }

  [[noreturn]] void fail(const std::string& where, const std::string& what) const {
    throw FileError(name_, where.empty() ? what : where + ": " + what);
  }
  void add_vertex(const Vector3& p, const std::string& where) {
    const Vector3 q =
        options_.unit * (options_.up == UpAxis::kY ? Vector3(p.x(), -p.z(), p.y()) : p);
    if (!q.allFinite()) fail(where, "a vertex is not finite");
    // A mesh's vertices are floats about its middle.
    if (q.cwiseAbs().maxCoeff() > 1e9)
      fail(where, "a vertex is farther than 1e9 m from the origin");
    if (vertices_.size() >= options_.max_vertices) {
      fail(where, concat("more than ", options_.max_vertices, " vertices"));
    }
    vertices_.push_back(q);
  }
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, const std::string& where) {
    if (triangles_.size() >= options_.max_triangles) {
      fail(where, concat("more than ", options_.max_triangles, " triangles"));
    }
    triangles_.push_back({a, b, c});
    if (!file_.materials.empty()) surface_of_.push_back(current_);
  }
  /// A count that a header claims, before memory is reserved for it; each takes min_bytes at least.
  void expect(std::uint64_t count, std::uint64_t min_bytes, std::uint64_t bytes_left,
              const std::string& what, std::size_t limit, const std::string& where) const {
    if (count > limit) fail(where, concat(count, " ", what, "; at most ", limit, " are read"));
    if (min_bytes > 0 && count > bytes_left / min_bytes) {
      fail(where, concat(count, " ", what, " are more than the file has"));
    }
  }
  std::size_t vertex_count() const { return vertices_.size(); }
  const MeshOptions& options() const { return options_; }

  /// Later triangles have this material; earlier ones without any have a default one.
  void use_material(Material material) {
    constexpr std::size_t kMax = 4096;
    if (file_.materials.empty()) {
      file_.materials.emplace_back();
      surface_of_.assign(triangles_.size(), 0);
    }
    for (std::size_t k = 0; k < file_.materials.size(); ++k) {
      if (file_.materials[k].name == material.name) {
        current_ = static_cast<std::uint16_t>(k);
        return;
      }
    }
    if (file_.materials.size() >= kMax) fail("", concat("more than ", kMax, " materials"));
    current_ = static_cast<std::uint16_t>(file_.materials.size());
    file_.materials.push_back(std::move(material));
  }

  MeshFile finish() {
    if (triangles_.empty()) fail("", "has no triangle");
    for (const auto& t : triangles_) {
      for (const std::uint32_t v : t) {
        if (v >= vertices_.size()) {
          fail("", concat("a face names vertex ", v, "; there are ", vertices_.size()));
        }
      }
    }
    file_.mesh = make_mesh(vertices_, std::move(triangles_));
    file_.mesh.name = name_;
    file_.mesh.surface_of = std::move(surface_of_);
    if (!file_.mesh.surface_of.empty()) {
      for (std::size_t k = 0; k < file_.materials.size(); ++k) {
        file_.mesh.surfaces.push_back({static_cast<int>(k), -1});
      }
    }
    try {
      file_.mesh.check();
    } catch (const std::invalid_argument& error) {
      fail("", error.what());
    }
    return std::move(file_);
  }

 private:
  std::string name_;
  MeshOptions options_;
  std::vector<Vector3> vertices_;
  std::vector<Mesh::Triangle> triangles_;
  std::vector<std::uint16_t> surface_of_;
  std::uint16_t current_ = 0;
  MeshFile file_;
};

/// Words of a text, line by line.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  /// Goes to the next line; false at the end.
  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    return true;
  }
  /// The next word of the line; empty at its end.
  std::string_view word() {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
    std::size_t n = 0;
    while (n < line_.size() && !is_blank(line_[n])) ++n;
    const std::string_view found = line_.substr(0, n);
    line_.remove_prefix(n);
    return found;
  }
  std::string_view rest() const { return line_; }
  std::size_t offset() const { return std::min(at_, text_.size()); }  // of the next line
  std::string where() const { return concat("line ", number_); }

 private:
  std::string_view text_, line_;
  std::size_t at_ = 0;
  int number_ = 0;
};

/// A number that is all of the word.
template <class T>
bool read_number(std::string_view word, T* value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
  return error == std::errc() && end == word.data() + word.size();
}

}  // namespace camber::scene::internal
