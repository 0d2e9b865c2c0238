#include "camber/scene/shape_rays.h"

#include <algorithm>
#include <cmath>

#include "camber/core/require.h"

namespace camber::scene::internal {
namespace {

void consider(double range, int side, ShapeHit* best) {
  if (range >= 0 && range < best->range) *best = {range, side};
}

ShapeHit meet(const Box& box, const Vector3& o, const Vector3& d) {
  double enter = -HUGE_VAL, leave = HUGE_VAL;
  int enter_side = -1, leave_side = -1;
  for (int a = 0; a < 3; ++a) {
    const double half = 0.5 * box.size[a];
    if (d[a] == 0) {
      if (std::abs(o[a]) > half) return {};
      continue;
    }
    const bool down = d[a] < 0;
    const double near = ((down ? half : -half) - o[a]) / d[a];
    const double far = ((down ? -half : half) - o[a]) / d[a];
    if (near > enter) enter = near, enter_side = 2 * a + (down ? 1 : 0);
    if (far < leave) leave = far, leave_side = 2 * a + (down ? 0 : 1);
  }
  ShapeHit hit;
  if (enter > leave) return hit;
  consider(enter, enter_side, &hit);
  consider(leave, leave_side, &hit);
  return hit;
}

/// Both ranges where |o + t d|^2 = r^2 in the first `n` coordinates. The discriminant is taken from
/// the foot of the perpendicular, so that a distant origin does not cancel it.
bool solve_round(const Vector3& o, const Vector3& d, int n, double radius, double* t) {
  double dd = 0, od = 0;
  for (int a = 0; a < n; ++a) dd += d[a] * d[a], od += o[a] * d[a];
  if (dd == 0) return false;
  const double middle = -od / dd;
  double foot = 0;
  for (int a = 0; a < n; ++a) {
    const double f = o[a] + middle * d[a];
    foot += f * f;
  }
  const double under = (radius * radius - foot) / dd;
  if (under < 0) return false;
  const double half = std::sqrt(under);
  t[0] = middle - half, t[1] = middle + half;
  return true;
}

ShapeHit meet(const Sphere& sphere, const Vector3& o, const Vector3& d) {
  ShapeHit hit;
  double t[2];
  if (!solve_round(o, d, 3, sphere.radius, t)) return hit;
  consider(t[0], 0, &hit);
  consider(t[1], 0, &hit);
  return hit;
}

ShapeHit meet(const Cylinder& cylinder, const Vector3& o, const Vector3& d) {
  ShapeHit hit;
  const double half = 0.5 * cylinder.height;
  double t[2];
  if (solve_round(o, d, 2, cylinder.radius, t)) {
    for (const double x : t) {
      if (std::abs(o.z() + x * d.z()) <= half) consider(x, 0, &hit);
    }
  }
  if (d.z() != 0) {
    for (int end = 0; end < 2; ++end) {
      const double x = ((end == 0 ? -half : half) - o.z()) / d.z();
      const double px = o.x() + x * d.x(), py = o.y() + x * d.y();
      if (px * px + py * py <= cylinder.radius * cylinder.radius) consider(x, 1 + end, &hit);
    }
  }
  return hit;
}

ShapeHit meet(const Capsule& capsule, const Vector3& o, const Vector3& d) {
  ShapeHit hit;
  const double straight = 0.5 * capsule.height - capsule.radius;
  double t[2];
  if (solve_round(o, d, 2, capsule.radius, t)) {
    for (const double x : t) {
      if (std::abs(o.z() + x * d.z()) <= straight) consider(x, 0, &hit);
    }
  }
  for (int end = 0; end < 2; ++end) {
    const double z = end == 0 ? -straight : straight;
    if (!solve_round(o - Vector3(0, 0, z), d, 3, capsule.radius, t)) continue;
    for (const double x : t) {
      const double at = o.z() + x * d.z();
      if (end == 0 ? at <= z : at >= z) consider(x, 1 + end, &hit);
    }
  }
  return hit;
}

ShapeHit meet(const MeshShape&, const Vector3&, const Vector3&) { return {}; }

}  // namespace

ShapeHit meet_shape(const Shape& shape, const Vector3& o, const Vector3& d) {
  return std::visit([&](const auto& s) { return meet(s, o, d); }, shape);
}

Vector3 find_normal(const Shape& shape, const Vector3& point, int side) {
  if (std::holds_alternative<Box>(shape)) {
    Vector3 n = Vector3::Zero();
    n[side / 2] = side % 2 == 0 ? -1 : 1;
    return n;
  }
  if (std::holds_alternative<Sphere>(shape)) return point.normalized();
  if (side == 0) return Vector3(point.x(), point.y(), 0).normalized();
  const double end = side == 1 ? -1 : 1;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return (point - Vector3(0, 0, end * (0.5 * capsule->height - capsule->radius))).normalized();
  }
  return {0, 0, end};
}

Vector3 half_extent(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return 0.5 * box->size;
  if (const auto* s = std::get_if<Sphere>(&shape)) return Vector3::Constant(s->radius);
  if (const auto* c = std::get_if<Cylinder>(&shape)) return {c->radius, c->radius, 0.5 * c->height};
  if (const auto* c = std::get_if<Capsule>(&shape)) return {c->radius, c->radius, 0.5 * c->height};
  return Vector3::Zero();
}

Vector3 find_closest_point(const Shape& shape, const Vector3& p) {
  if (const auto* box = std::get_if<Box>(&shape)) {
    const Vector3 half = 0.5 * box->size;
    return p.cwiseMax(-half).cwiseMin(half);
  }
  if (const auto* s = std::get_if<Sphere>(&shape)) {
    const double r = p.norm();
    return r <= s->radius ? p : Vector3(p * (s->radius / r));
  }
  if (const auto* c = std::get_if<Cylinder>(&shape)) {
    const double r = std::hypot(p.x(), p.y()), f = r <= c->radius ? 1.0 : c->radius / r;
    return {p.x() * f, p.y() * f, std::clamp(p.z(), -0.5 * c->height, 0.5 * c->height)};
  }
  if (const auto* c = std::get_if<Capsule>(&shape)) {
    const double straight = 0.5 * c->height - c->radius;
    const Vector3 middle(0, 0, std::clamp(p.z(), -straight, straight));
    const double r = (p - middle).norm();
    return r <= c->radius ? p : Vector3(middle + (p - middle) * (c->radius / r));
  }
  return p;
}

void check_shape(const Shape& shape) {
  const auto positive = [](double x, const char* what) {
    require(x > 0 && std::isfinite(x), what, " must be > 0 m, got ", x);
  };
  if (const auto* box = std::get_if<Box>(&shape)) {
    for (int a = 0; a < 3; ++a) positive(box->size[a], "scene: size of a box");
  } else if (const auto* s = std::get_if<Sphere>(&shape)) {
    positive(s->radius, "scene: radius of a sphere");
  } else if (const auto* c = std::get_if<Cylinder>(&shape)) {
    positive(c->radius, "scene: radius of a cylinder");
    positive(c->height, "scene: height of a cylinder");
  } else if (const auto* k = std::get_if<Capsule>(&shape)) {
    positive(k->radius, "scene: radius of a capsule");
    require(k->height >= 2 * k->radius && std::isfinite(k->height),
            "scene: height of a capsule must be >= 2 radius, got ", k->height);
  }
}

}  // namespace camber::scene::internal
