#include "camber/lagrange/geometry.h"

#include <algorithm>
#include <vector>

#include "camber/symbolic/count.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/simplify.h"

namespace camber::lagrange {

namespace {

Vector3 rates(const Vector3& p) {
  return p.unaryExpr([](const Expr& e) { return symbolic::time_derivative(e); });
}

}  // namespace

Point origin(const Frame& frame) { return {frame, Vector3::Zero()}; }

Point project(const Point& point, const Frame& frame) {
  // The point is one more translation of the path: then shared parts of the paths cancel for the
  // point, too.
  return {frame, relative(frame, point.frame * translate(point.coordinates)).origin()};
}

Vector project(const Vector& vector, const Frame& frame) {
  if (frame == vector.frame) return vector;
  return {frame, rotate_along(relative_rotation(frame, vector.frame), vector.components)};
}

Vector operator+(const Vector& a, const Vector& b) {
  return {a.frame, a.components + project(b, a.frame).components};
}
Vector operator-(const Vector& a, const Vector& b) { return a + (-b); }
Vector operator-(const Vector& a) { return {a.frame, -a.components}; }
Vector operator*(const Expr& factor, const Vector& a) { return {a.frame, factor * a.components}; }
Point operator+(const Point& a, const Vector& b) {
  return {a.frame, a.coordinates + project(b, a.frame).components};
}
Point operator+(const Vector& a, const Point& b) { return b + a; }
Point operator-(const Point& a, const Vector& b) { return a + (-b); }
Vector operator-(const Point& a, const Point& b) {
  return {a.frame, a.coordinates - project(b, a.frame).coordinates};
}

Expr dot(const Vector& a, const Vector& b) {
  return a.components.dot(project(b, a.frame).components);
}
Vector cross(const Vector& a, const Vector& b) {
  return {a.frame, a.components.cross(project(b, a.frame).components)};
}

namespace {

/// A frame in which the point is easier to describe: a contact point (-R sin(q), 0, R cos(q)) of a
/// wheel rotated by q about y is (0, 0, R) beside the wheel, and q drops out of its velocity.
struct Place {
  std::size_t dropped = 0;  // rotations at the end of the path
  Vector3 coordinates = Vector3::Zero();
};

std::uint64_t length(const Vector3& p) {
  return symbolic::count_operations(std::vector<Expr>{p[0], p[1], p[2]}).total();
}

Place easiest_place(const Point& point) {
  constexpr std::uint64_t kWorthTrying =
      30;  // operations; longer expressions are not worth the search
  Place best{0, point.coordinates};
  Vector3 p = point.coordinates;
  const auto& path = point.frame.path();
  if (length(p) > kWorthTrying) return best;
  for (std::size_t dropped = 1; dropped <= path.size(); ++dropped) {
    const Step& step = path[path.size() - dropped];
    if (step.kind != Step::Kind::kRotation || p == Vector3::Zero()) break;
    p = rotate_along(rotate(step.axis, step.angle), p).unaryExpr([](const Expr& e) {
      return symbolic::simplify(e);
    });
    if (length(p) > length(best.coordinates)) break;
    best = {dropped, p};
  }
  return best;
}

}  // namespace

Vector velocity(const Point& point, Velocity which, const Frame& axes) {
  if (which == Velocity::kRelative)
    return project(Vector{point.frame, rates(point.coordinates)}, axes);
  const Place place = easiest_place(point);
  const Vector3& r = place.coordinates;
  const Frame beside = without_steps(point.frame, 0, place.dropped);
  if (which == Velocity::kAbsolute) return {axes, origin_velocity(beside * translate(r), axes)};
  // Fixed in the body now: w x r. A constant r becomes part of the path.
  const Vector3 spin = spin_of_last_steps(point.frame, place.dropped);
  const bool constant = std::ranges::none_of(r, [](const Expr& e) { return e.depends_on_time(); });
  const Vector rest{beside, constant ? spin.cross(r) : (beside.twist().w + spin).cross(r)};
  return {axes, origin_velocity(constant ? beside * translate(r) : beside, axes) +
                    project(rest, axes).components};
}

Vector velocity(const Point& point, Velocity which) { return velocity(point, which, point.frame); }

Vector velocity(const Vector& vector, Velocity which) {
  Vector3 rate = Vector3::Zero();
  if (which != Velocity::kEulerian) rate += rates(vector.components);
  if (which != Velocity::kRelative) rate += vector.frame.twist().w.cross(vector.components);
  return {vector.frame, rate};
}

Vector angular_velocity(const Frame& frame) { return {frame, frame.twist().w}; }

}  // namespace camber::lagrange
