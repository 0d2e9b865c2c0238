#include "camber/terrain/triangle_map.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "camber/core/require.h"

namespace camber::terrain {
namespace {

constexpr double kCell = 2.0;     // side of a cell of the search grid [m]
constexpr double kOnEdge = 1e-9;  // a point this far outside of a triangle is on its edge [m]
constexpr double kFlat = 1e-10;   // planes that differ by less are the same: slope [-], height [m]
constexpr int kMaxPieces = 32;    // of a segment
// A triangle whose box is farther than this from that of a segment gives no piece of it, whatever
// the rounding: far more than rounding, far less than what there is to see [m].
constexpr double kBeside = 1e-3;

/// Part of a segment on one triangle.
struct Piece {
  double from, to;  // 0..1 along the segment
  double h, slope;  // height at 0, change over the whole segment [m]
  double hx, hy;    // of the triangle
  double from_n[2],
      to_n[2];  // normals of the edges where it starts and ends, pointing inward; 0: none
};

}  // namespace

TriangleMap::TriangleMap(std::span<const GroundTriangle> triangles, double outside)
    : extent_{HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, outside_(outside) {
  require(std::isfinite(outside), "triangle map: the height outside must be finite");
  require(triangles.size() <= kMaxTriangles, "triangle map: ", triangles.size(),
          " triangles are more than ", kMaxTriangles);
  auto data = std::make_shared<Data>();
  data->faces.reserve(triangles.size());
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    const GroundTriangle& t = triangles[k];
    for (const auto& p : t) {
      require(std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]),
              "triangle map: a corner of triangle ", k, " is not finite");
    }
    const double ux = t[1][0] - t[0][0], uy = t[1][1] - t[0][1], uz = t[1][2] - t[0][2];
    const double vx = t[2][0] - t[0][0], vy = t[2][1] - t[0][1], vz = t[2][2] - t[0][2];
    const double area = ux * vy - uy * vx;
    const double longest =
        std::max({std::hypot(ux, uy), std::hypot(vx, vy), std::hypot(vx - ux, vy - uy)});
    if (!(std::abs(area) > 1e-9 * longest)) continue;  // less than a nanometer wide
    Face f;
    f.x0 = t[0][0], f.y0 = t[0][1], f.h = t[0][2];
    f.hx = (uz * vy - vz * uy) / area;
    f.hy = (vz * ux - uz * vx) / area;
    const double sign = area > 0 ? 1 : -1;
    for (int e = 0; e < 3; ++e) {
      const auto &p = t[e], &q = t[(e + 1) % 3];
      const double dx = q[0] - p[0], dy = q[1] - p[1], inverse = sign / std::hypot(dx, dy);
      f.a[e] = -dy * inverse, f.b[e] = dx * inverse;
      f.c[e] = -(f.a[e] * p[0] + f.b[e] * p[1]);
    }
    for (int a = 0; a < 2; ++a) {
      f.low[a] = std::min({t[0][a], t[1][a], t[2][a]});
      f.high[a] = std::max({t[0][a], t[1][a], t[2][a]});
    }
    extent_ = {std::min(extent_.x0, f.low[0]), std::min(extent_.y0, f.low[1]),
               std::max(extent_.x1, f.high[0]), std::max(extent_.y1, f.high[1])};
    data->faces.push_back(f);
  }
  require(!data->faces.empty(), "triangle map: has no triangle that is not upright");
  const double width = extent_.x1 - extent_.x0, depth = extent_.y1 - extent_.y0;
  require(width <= 50e3 && depth <= 50e3, "triangle map: reaches over ", width, " m x ", depth,
          " m; at most 50 km are possible");
  nx_ = static_cast<int>(width / kCell) + 1, ny_ = static_cast<int>(depth / kCell) + 1;

  // Faces by cell, in two passes: count, then fill. A cell is covered if the parts of its faces
  // add up to its area.
  const std::size_t cells = static_cast<std::size_t>(nx_) * ny_;
  data->first.assign(cells + 1, 0);
  const auto visit = [&](const Face& f, const auto& take) {
    const Cells c = cells_of(f.low[0], f.low[1], f.high[0], f.high[1]);
    for (int j = c.j0; j <= c.j1; ++j) {
      for (int i = c.i0; i <= c.i1; ++i) {
        const double x = extent_.x0 + (i + 0.5) * kCell, y = extent_.y0 + (j + 0.5) * kCell;
        bool is_near = true;
        for (int e = 0; e < 3; ++e) {
          const double reach = 0.5 * kCell * (std::abs(f.a[e]) + std::abs(f.b[e])) + 1e-6;
          is_near = is_near && f.a[e] * x + f.b[e] * y + f.c[e] >= -reach;
        }
        if (is_near) take(static_cast<std::size_t>(j) * nx_ + i);
      }
    }
  };
  for (const Face& f : data->faces) visit(f, [&](std::size_t cell) { ++data->first[cell + 1]; });
  for (std::size_t k = 0; k < cells; ++k) data->first[k + 1] += data->first[k];
  data->members.resize(data->first[cells]);
  std::vector<std::uint32_t> next(data->first.begin(), data->first.end() - 1);
  std::vector<double> covered(cells, 0.0);
  for (std::uint32_t k = 0; k < data->faces.size(); ++k) {
    const Face& f = data->faces[k];
    visit(f, [&](std::size_t cell) {
      data->members[next[cell]++] = k;
      const double x = extent_.x0 + static_cast<double>(cell % nx_) * kCell;
      const double y = extent_.y0 + static_cast<double>(cell / nx_) * kCell;
      // The square, cut by the face's three lines.
      std::array<std::array<double, 2>, 8> now = {
          {{x, y}, {x + kCell, y}, {x + kCell, y + kCell}, {x, y + kCell}}};
      int n = 4;
      for (int e = 0; e < 3 && n > 0; ++e) {
        std::array<std::array<double, 2>, 8> cut;
        int m = 0;
        for (int p = 0; p < n; ++p) {
          const auto &u = now[p], &v = now[(p + 1) % n];
          const double du = f.a[e] * u[0] + f.b[e] * u[1] + f.c[e];
          const double dv = f.a[e] * v[0] + f.b[e] * v[1] + f.c[e];
          if (du >= 0) cut[m++] = u;
          if ((du >= 0) != (dv >= 0)) {
            const double t = du / (du - dv);
            cut[m++] = {u[0] + t * (v[0] - u[0]), u[1] + t * (v[1] - u[1])};
          }
        }
        now = cut, n = m;
      }
      for (int p = 1; p + 1 < n; ++p) {
        covered[cell] += 0.5 * ((now[p][0] - now[0][0]) * (now[p + 1][1] - now[0][1]) -
                                (now[p][1] - now[0][1]) * (now[p + 1][0] - now[0][0]));
      }
    });
  }
  data->is_covered.resize(cells);
  for (std::size_t k = 0; k < cells; ++k) {
    data->is_covered[k] = covered[k] > kCell * kCell * (1 - 1e-7) ? 1 : 0;
  }
  data_ = std::move(data);
}

TriangleMap::Cells TriangleMap::cells_of(double x0, double y0, double x1, double y1) const {
  const auto at = [](double x, double from, int n) {
    const double g = (x - from) / kCell;
    if (!(g > 0)) return 0;
    return g >= n ? n - 1 : static_cast<int>(g);
  };
  return {at(x0, extent_.x0, nx_), at(y0, extent_.y0, ny_), at(x1, extent_.x0, nx_),
          at(y1, extent_.y0, ny_)};
}

std::span<const std::uint32_t> TriangleMap::members(int i, int j) const {
  const std::size_t cell = static_cast<std::size_t>(j) * nx_ + i;
  const std::uint32_t* all = data_->members.data();
  return {all + data_->first[cell], all + data_->first[cell + 1]};
}

const TriangleMap::Face* TriangleMap::find_highest(double x, double y) const {
  const Face* best = nullptr;
  double best_height = 0;
  const Cells c = cells_of(x, y, x, y);
  for (const std::uint32_t k : members(c.i0, c.j0)) {
    const Face& f = data_->faces[k];
    if (f.a[0] * x + f.b[0] * y + f.c[0] < -kOnEdge ||
        f.a[1] * x + f.b[1] * y + f.c[1] < -kOnEdge ||
        f.a[2] * x + f.b[2] * y + f.c[2] < -kOnEdge) {
      continue;
    }
    const double height = f.height(x, y);
    if (best != nullptr && height <= best_height) continue;
    best = &f, best_height = height;
  }
  return best;
}

SurfaceSample TriangleMap::sample(double x, double y) const {
  const Face* f = find_highest(x, y);
  if (f == nullptr) return {.h = outside_};
  return {.h = f->height(x, y), .hx = f->hx, .hy = f->hy};
}

bool TriangleMap::contains(double x, double y) const { return find_highest(x, y) != nullptr; }

bool TriangleMap::list_faces(const Box2& box, std::span<const Face*> found,
                             std::size_t* count) const {
  *count = 0;
  const Cells c = cells_of(box.x0, box.y0, box.x1, box.y1);
  for (int j = c.j0; j <= c.j1; ++j) {
    for (int i = c.i0; i <= c.i1; ++i) {
      for (const std::uint32_t k : members(i, j)) {
        const Face& f = data_->faces[k];
        if (f.low[0] > box.x1 || f.high[0] < box.x0 || f.low[1] > box.y1 || f.high[1] < box.y0)
          continue;
        const auto end = found.begin() + static_cast<std::ptrdiff_t>(*count);
        if (std::find(found.begin(), end, &f) != end) continue;
        if (*count == found.size()) return false;
        found[(*count)++] = &f;
      }
    }
  }
  return true;
}

SurfaceSample TriangleMap::sample_mean(double x, double y, double dx, double dy) const {
  SurfaceSample mean;
  sample_means(std::span(&x, 1), std::span(&y, 1), dx, dy, std::span(&mean, 1));
  return mean;
}

void TriangleMap::sample_means(std::span<const double> x, std::span<const double> y, double dx,
                               double dy, std::span<SurfaceSample> out) const {
  if (std::abs(dx) + std::abs(dy) < 1e-6) {
    for (std::size_t k = 0; k < x.size(); ++k) out[k] = sample(x[k], y[k]);
    return;
  }
  const double reach_x = 0.5 * std::abs(dx) + kBeside, reach_y = 0.5 * std::abs(dy) + kBeside;
  const auto [x0, x1] = std::ranges::minmax(x);
  const auto [y0, y1] = std::ranges::minmax(y);
  constexpr std::size_t kMost = 64;
  const Face* faces[kMost];
  std::size_t count = 0;
  if (!list_faces({x0 - reach_x, y0 - reach_y, x1 + reach_x, y1 + reach_y}, faces, &count) &&
      x.size() > 1) {
    for (std::size_t k = 0; k < x.size(); ++k) out[k] = sample_mean(x[k], y[k], dx, dy);
    return;
  }
  // Faces on the other side of one of whose lines all segments are, whatever the rounding.
  const Box2 box{x0 - reach_x, y0 - reach_y, x1 + reach_x, y1 + reach_y};
  const auto is_beside = [&](const Face* f) {
    for (int e = 0; e < 3; ++e) {
      const double most = f->a[e] * (f->a[e] > 0 ? box.x1 : box.x0) +
                          f->b[e] * (f->b[e] > 0 ? box.y1 : box.y0) + f->c[e];
      if (most < -kBeside) return true;
    }
    return false;
  };
  count = static_cast<std::size_t>(std::remove_if(faces, faces + count, is_beside) - faces);
  // Most segments are on one triangle as a whole, and outside of one line of each of the others.
  // Eight are looked at together; what is neither, one by one.
  constexpr std::size_t kLanes = 8;
  for (std::size_t first = 0; first < x.size(); first += kLanes) {
    const std::size_t n = std::min(kLanes, x.size() - first);
    unsigned rest = (1U << n) - 1U;
    if (n == kLanes) {
      const EightNumbers ax = EightNumbers::load(&x[first]) - 0.5 * dx,
                         ay = EightNumbers::load(&y[first]) - 0.5 * dy;
      EightSlopes all;
      math::LaneMask<kLanes> is_on_one(false), is_open(false);
      for (const Face* face : std::span(faces, count)) {
        const Face& f = *face;
        math::LaneMask<kLanes> is_inside(true), is_outside(false);
        for (int e = 0; e < 3; ++e) {
          const EightNumbers start = f.a[e] * ax + f.b[e] * ay + f.c[e];
          const double change = f.a[e] * dx + f.b[e] * dy;
          is_inside = is_inside && start >= std::max(0.0, -change);
          is_outside = is_outside || start < -std::max(0.0, change);
        }
        is_open = is_open || (is_inside && is_on_one) || !(is_inside || is_outside);
        is_on_one = is_on_one || is_inside;
        const EightNumbers height = f.h + f.hx * (ax - f.x0) + f.hy * (ay - f.y0);
        const double slope = f.hx * dx + f.hy * dy;
        all.h = select(is_inside, 0.0 + (height + 0.5 * slope), all.h);
        all.hx = select(is_inside, EightNumbers(0.0 + f.hx), all.hx);
        all.hy = select(is_inside, EightNumbers(0.0 + f.hy), all.hy);
      }
      rest = 0;
      for (std::size_t l = 0; l < kLanes; ++l) {
        const int lane = static_cast<int>(l);
        out[first + l] = {.h = all.h.lane(lane), .hx = all.hx.lane(lane), .hy = all.hy.lane(lane)};
        if (is_open.lane(lane) || !is_on_one.lane(lane)) rest |= 1U << l;
      }
    }
    for (; rest != 0; rest &= rest - 1) {
      const std::size_t k = first + static_cast<std::size_t>(std::countr_zero(rest));
      out[k] = mean_over(std::span(faces, count), x[k], y[k], dx, dy);
    }
  }
}

// The mean of pieces of the segment p + (t - 1/2) d is their sum of length times height in the
// middle. If the point p moves, a piece changes by its own slopes, and the place t of an edge with
// the normal n by dt/dp = -n / (n . d), which adds (height after - height before) n / (n . d).
SurfaceSample TriangleMap::mean_over(std::span<const Face* const> faces, double x, double y,
                                     double dx, double dy) const {
  const double ax = x - 0.5 * dx, ay = y - 0.5 * dy;  // its start
  Piece pieces[kMaxPieces];
  double ends[2 * kMaxPieces + 2];  // of which end_count are set
  ends[0] = 0, ends[1] = 1;
  int count = 0, end_count = 2;
  const double x0 = std::min(ax, ax + dx), x1 = std::max(ax, ax + dx);
  const double y0 = std::min(ay, ay + dy), y1 = std::max(ay, ay + dy);
  const Box2 box{x0 - kBeside, y0 - kBeside, x1 + kBeside, y1 + kBeside};
  for (const Face* face : faces) {
    const Face& f = *face;
    if (count == kMaxPieces) break;
    if (f.low[0] > box.x1 || f.high[0] < box.x0 || f.low[1] > box.y1 || f.high[1] < box.y0)
      continue;
    Piece piece{0, 1, 0, 0, f.hx, f.hy, {0, 0}, {0, 0}};
    bool is_met = true;
    for (int e = 0; e < 3 && is_met; ++e) {
      const double start = f.a[e] * ax + f.b[e] * ay + f.c[e];
      const double change = f.a[e] * dx + f.b[e] * dy;
      if (start > std::abs(change)) continue;  // the whole segment is inside: no division
      if (change > 0) {
        const double t = -start / change;
        if (t > piece.from) piece.from = t, piece.from_n[0] = f.a[e], piece.from_n[1] = f.b[e];
      } else if (change < 0) {
        const double t = -start / change;
        if (t < piece.to) piece.to = t, piece.to_n[0] = f.a[e], piece.to_n[1] = f.b[e];
      } else if (start < 0) {
        is_met = false;
      }
    }
    if (!is_met || !(piece.to > piece.from)) continue;
    piece.h = f.height(ax, ay);
    piece.slope = f.hx * dx + f.hy * dy;
    pieces[count++] = piece;
    ends[end_count++] = piece.from, ends[end_count++] = piece.to;
  }
  if (count == 1 && pieces[0].from == 0 && pieces[0].to == 1) {  // the sum has one term
    const Piece& all = pieces[0];
    return {.h = 0.0 + (all.h + 0.5 * all.slope), .hx = 0.0 + all.hx, .hy = 0.0 + all.hy};
  }
  std::sort(ends, ends + end_count);
  SurfaceSample mean;
  const Piece* before = nullptr;
  double before_height = outside_;
  bool is_first = true;
  for (int k = 0; k + 1 < end_count; ++k) {
    const double from = ends[k], to = ends[k + 1], middle = 0.5 * (from + to);
    if (!(to - from > 1e-12)) continue;
    const Piece* best = nullptr;
    double height = outside_;
    for (int p = 0; p < count; ++p) {
      if (pieces[p].from > middle || pieces[p].to < middle) continue;
      const double h = pieces[p].h + middle * pieces[p].slope;
      if (best == nullptr || h > height) best = &pieces[p], height = h;
    }
    mean.h += (to - from) * height;
    if (best != nullptr) mean.hx += (to - from) * best->hx, mean.hy += (to - from) * best->hy;
    if (!is_first) {
      const double after = best != nullptr ? best->h + from * best->slope : outside_;
      const double left = before != nullptr ? before->h + from * before->slope : before_height;
      // The edge belongs to whichever piece begins or ends here.
      const double* n = nullptr;
      if (best != nullptr && best->from == from)
        n = best->from_n;
      else if (before != nullptr && before->to == from)
        n = before->to_n;
      const double along = n != nullptr ? n[0] * dx + n[1] * dy : 0;
      if (std::abs(along) > 1e-12 && after != left) {
        mean.hx += (after - left) * n[0] / along, mean.hy += (after - left) * n[1] / along;
      }
    }
    before = best, before_height = outside_, is_first = false;
  }
  return mean;
}

std::optional<Plane> TriangleMap::find_plane(double x, double y, double reach) const {
  if (x - reach < extent_.x0 || y - reach < extent_.y0 || x + reach > extent_.x1 ||
      y + reach > extent_.y1) {
    return std::nullopt;
  }
  const Cells c = cells_of(x - reach, y - reach, x + reach, y + reach);
  const Face* only = nullptr;
  for (int j = c.j0; j <= c.j1; ++j) {
    for (int i = c.i0; i <= c.i1; ++i) {
      if (data_->is_covered[static_cast<std::size_t>(j) * nx_ + i] == 0) return std::nullopt;
      for (const std::uint32_t k : members(i, j)) {
        const Face& f = data_->faces[k];
        if (&f == only) continue;
        if (f.low[0] > x + reach || f.high[0] < x - reach || f.low[1] > y + reach ||
            f.high[1] < y - reach) {
          continue;
        }
        bool is_near = true;
        for (int e = 0; e < 3; ++e) {
          is_near = is_near && f.a[e] * x + f.b[e] * y + f.c[e] >=
                                   -reach * (std::abs(f.a[e]) + std::abs(f.b[e]));
        }
        if (!is_near) continue;
        if (only == nullptr) {
          only = &f;
        } else if (std::abs(f.hx - only->hx) > kFlat || std::abs(f.hy - only->hy) > kFlat ||
                   std::abs(f.height(x, y) - only->height(x, y)) > kFlat) {
          return std::nullopt;
        }
      }
    }
  }
  if (only == nullptr) return std::nullopt;
  return Plane{.height = only->height(0, 0), .slope_x = only->hx, .slope_y = only->hy};
}

std::size_t TriangleMap::memory() const {
  return data_->faces.size() * sizeof(Face) + 4 * (data_->first.size() + data_->members.size()) +
         data_->is_covered.size();
}

}  // namespace camber::terrain
