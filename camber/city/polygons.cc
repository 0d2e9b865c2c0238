#include "camber/city/polygons.h"

#include <algorithm>
#include <cmath>

namespace camber::city {
namespace {

double cross(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double t =
      square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

double area_of(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    // About the first corner, so that nothing is lost far from the origin.
    twice +=
        (a.x - polygon[0].x) * (b.y - polygon[0].y) - (b.x - polygon[0].x) * (a.y - polygon[0].y);
  }
  return 0.5 * twice;
}

Point center_of(const Polygon& polygon) {
  Point c;
  for (const Point& p : polygon) c.x += p.x, c.y += p.y;
  const auto n = static_cast<double>(std::max<std::size_t>(1, polygon.size()));
  return {c.x / n, c.y / n};
}

Frame find_frame(const Polygon& polygon) {
  Frame frame;
  double longest = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length <= longest) continue;
    longest = length;
    frame.along = {(b.x - a.x) / length, (b.y - a.y) / length};
  }
  double u0 = HUGE_VAL, u1 = -HUGE_VAL, v0 = HUGE_VAL, v1 = -HUGE_VAL;
  for (const Point& p : polygon) {
    const double u = p.x * frame.along.x + p.y * frame.along.y;
    const double v = p.y * frame.along.x - p.x * frame.along.y;
    u0 = std::min(u0, u), u1 = std::max(u1, u), v0 = std::min(v0, v), v1 = std::max(v1, v);
  }
  frame.low_along = u0, frame.low_across = v0, frame.length = u1 - u0, frame.width = v1 - v0;
  return frame;
}

Polygon clip(const Polygon& polygon, Point n, double offset) {
  Polygon kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    const double da = n.x * a.x + n.y * a.y - offset, db = n.x * b.x + n.y * b.y - offset;
    if (da >= 0) kept.push_back(a);
    if ((da >= 0) != (db >= 0)) {
      const double t = da / (da - db);
      kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
    }
  }
  return kept;
}

Polygon shrink(const Polygon& polygon, double by) {
  Polygon kept = polygon;
  for (std::size_t k = 0; k < polygon.size() && kept.size() >= 3; ++k) {
    const Point &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length < 1e-6) continue;
    const Point n{-(b.y - a.y) / length, (b.x - a.x) / length};
    kept = clip(kept, n, n.x * a.x + n.y * a.y + by);
  }
  if (kept.size() < 3) kept.clear();
  return kept;
}

double distance_to_rim(const Polygon& polygon, Point p) {
  double nearest = HUGE_VAL;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    nearest =
        std::min(nearest, distance_to_segment(p, polygon[k], polygon[(k + 1) % polygon.size()]));
  }
  return nearest;
}

std::vector<std::array<std::uint32_t, 3>> triangulate(const Polygon& outer,
                                                      const std::vector<Polygon>& holes) {
  std::vector<Point> points = outer;
  std::vector<std::uint32_t> ring;
  const auto add_ring = [&](const Polygon& polygon, std::uint32_t first, bool is_left) {
    std::vector<std::uint32_t> numbers(polygon.size());
    for (std::uint32_t k = 0; k < numbers.size(); ++k) numbers[k] = first + k;
    if ((area_of(polygon) > 0) != is_left) std::ranges::reverse(numbers);
    return numbers;
  };
  ring = add_ring(outer, 0, true);
  // Each hole is joined by a bridge from its rightmost corner to the nearest corner of the ring
  // that it sees.
  std::vector<std::vector<std::uint32_t>> inner;
  for (const Polygon& hole : holes) {
    if (hole.size() < 3) continue;
    const auto first = static_cast<std::uint32_t>(points.size());
    points.insert(points.end(), hole.begin(), hole.end());
    inner.push_back(add_ring(hole, first, false));
    auto& h = inner.back();
    const auto is_left_of = [&](std::uint32_t k, std::uint32_t l) {
      return points[k].x < points[l].x;
    };
    std::rotate(h.begin(), std::max_element(h.begin(), h.end(), is_left_of), h.end());
  }
  std::stable_sort(inner.begin(), inner.end(),
                   [&](const auto& g, const auto& h) { return points[g[0]].x > points[h[0]].x; });
  for (const auto& hole : inner) {
    const Point from = points[hole[0]];
    std::size_t best = 0;
    double nearest = HUGE_VAL;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Point to = points[ring[k]];
      const double distance = std::hypot(to.x - from.x, to.y - from.y);
      if (distance >= nearest) continue;
      // A corner may be there several times, with a bridge at each: the sector must be right.
      const Point before = points[ring[(k + ring.size() - 1) % ring.size()]];
      const Point after = points[ring[(k + 1) % ring.size()]];
      const bool left_of_in = cross(before, to, from) > 0, left_of_out = cross(to, after, from) > 0;
      bool is_seen =
          cross(before, to, after) > 0 ? left_of_in && left_of_out : left_of_in || left_of_out;
      const auto check = [&](const std::vector<std::uint32_t>& rim) {
        for (std::size_t e = 0; e < rim.size() && is_seen; ++e) {
          const Point a = points[rim[e]], b = points[rim[(e + 1) % rim.size()]];
          is_seen = !(cross(from, to, a) * cross(from, to, b) < 0 &&
                      cross(a, b, from) * cross(a, b, to) < 0);
        }
      };
      check(ring);
      for (const auto& other : inner) check(other);
      if (is_seen) best = k, nearest = distance;
    }
    std::vector<std::uint32_t> joined(ring.begin(),
                                      ring.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    joined.insert(joined.end(), hole.begin(), hole.end());
    joined.push_back(hole[0]);
    joined.insert(joined.end(), ring.begin() + static_cast<std::ptrdiff_t>(best), ring.end());
    ring = std::move(joined);
  }

  std::vector<std::array<std::uint32_t, 3>> triangles;
  while (ring.size() > 3) {
    const std::size_t n = ring.size();
    std::size_t ear = n, flattest = 0;
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < n && ear == n; ++k) {
      const Point a = points[ring[(k + n - 1) % n]], b = points[ring[k]],
                  c = points[ring[(k + 1) % n]];
      const double turn = cross(a, b, c);
      if (std::abs(turn) < least) least = std::abs(turn), flattest = k;
      if (turn <= 0) continue;
      bool is_empty = true;
      for (std::size_t m = 0; m < n && is_empty; ++m) {
        const Point p = points[ring[m]];
        if (p == a || p == b || p == c) continue;
        is_empty = !(cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0);
      }
      if (is_empty) ear = k;
    }
    // No ear is left in what cuts itself: the flattest corner goes.
    const std::size_t k = ear < n ? ear : flattest;
    const std::array<std::uint32_t, 3> t = {ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]};
    if (ear < n) triangles.push_back(t);
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (ring.size() == 3 && cross(points[ring[0]], points[ring[1]], points[ring[2]]) > 0) {
    triangles.push_back({ring[0], ring[1], ring[2]});
  }
  return triangles;
}

}  // namespace camber::city
