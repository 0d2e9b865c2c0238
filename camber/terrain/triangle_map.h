#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "camber/terrain/bump.h"
#include "camber/terrain/procedural.h"
#include "camber/terrain/surface_point.h"

namespace camber::terrain {

/// A triangle of the ground: x, y, z of its corners [m].
using GroundTriangle = std::array<std::array<double, 3>, 3>;

/// Ground of triangles whose heights may jump from one to the next: streets with kerbs, steps,
/// ramps. A kerb is an edge between two triangles of different heights, not a slope. Where
/// triangles overlap, the highest counts, as for a ray from above; outside all triangles the height
/// is `outside`. Constant once built; copies share the triangles.
class TriangleMap {
 public:
  static constexpr std::size_t kMaxTriangles = 20'000'000;

  /// Upright triangles (without area on the ground) are left out. Throws std::invalid_argument for
  /// a corner that is not finite, for no triangle at all, or if they reach over more than 50 km.
  explicit TriangleMap(std::span<const GroundTriangle> triangles, double outside = 0.0);

  SurfaceSample sample(double x, double y) const;
  /// The mean over the segment (dx, dy) centered at the point, with its derivatives by the point:
  /// an upright edge enters gradually. Exact if triangles do not intersect.
  SurfaceSample sample_mean(double x, double y, double dx, double dy) const;
  /// sample_mean() at each of some points that are close to each other: triangles near them are
  /// looked for once. The same bits.
  void sample_means(std::span<const double> x, std::span<const double> y, double dx, double dy,
                    std::span<SurfaceSample> out) const;
  /// The plane that the ground forms in the square of half side `reach`, if it is one.
  std::optional<Plane> find_plane(double x, double y, double reach) const;

  /// Whether there is a triangle.
  bool contains(double x, double y) const;
  Box2 extent() const { return extent_; }
  std::size_t triangle_count() const { return data_->faces.size(); }
  double outside() const { return outside_; }
  std::size_t memory() const;

 private:
  /// A triangle as lines: inside where all three a x + b y + c >= 0, unit (a, b); with its plane.
  struct Face {
    double a[3], b[3], c[3];
    double h, hx, hy;  // h + hx (x - x0) + hy (y - y0)
    double x0, y0;     // its first corner [m]
    double low[2], high[2];

    double height(double x, double y) const { return h + hx * (x - x0) + hy * (y - y0); }
  };
  struct Data {
    std::vector<Face> faces;
    std::vector<std::uint32_t> first;    // of each cell in `members`
    std::vector<std::uint32_t> members;  // numbers of faces
    std::vector<std::uint8_t> is_covered;
  };
  /// The cells of a box, clamped to the grid.
  struct Cells {
    int i0, j0, i1, j1;
  };
  Cells cells_of(double x0, double y0, double x1, double y1) const;
  std::span<const std::uint32_t> members(int i, int j) const;
  const Face* find_highest(double x, double y) const;
  /// Faces whose boxes meet a box, each once; false if they are too many for `found`.
  bool list_faces(const Box2& box, std::span<const Face*> found, std::size_t* count) const;
  SurfaceSample mean_over(std::span<const Face* const> faces, double x, double y, double dx,
                          double dy) const;

  Box2 extent_;
  double outside_;
  int nx_ = 0, ny_ = 0;
  std::shared_ptr<const Data> data_;
};

}  // namespace camber::terrain
