// With a the axis, n the ground's normal and e = -(n - (a.n) a) / cos(camber) the way down in the
// wheel's plane, the lowest point of the disc is Q = center + R e. It is projected along n on the
// ground, to P = Q + delta n, and delta is the tire's deflection. On ground of any shape, where P
// is the foot of Q,
//   delta' = -n . v_Q,                                                                      (1)
// v_Q that of the hub's point: turning n moves Q across n and P along the ground. So a force along
// n with a potential in delta is conservative.
#include "camber/dynamics/ground_contact.h"

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/dynamics/disc_overlap.h"
#include "camber/dynamics/scalars.h"

namespace camber::dynamics {
namespace {

using terrain::SurfacePoint;
using terrain::Terrain;
using terrain::TerrainCache;
using tire::larger;

bool is_plane(const Terrain& terrain) {
  return std::holds_alternative<terrain::Plane>(terrain.base) && terrain.bumps.empty();
}

template <class T>
SurfacePoint<T> sample(const Terrain& terrain, TerrainCache* cache, const T& x, const T& y) {
  if (!is_plane(terrain)) return terrain.surface(x, y, cache);
  const auto& plane = *std::get_if<terrain::Plane>(&terrain.base);
  SurfacePoint<T> s;
  s.h = plane.height + plane.slope_x * x + plane.slope_y * y;
  s.hx = T(plane.slope_x);
  s.hy = T(plane.slope_y);
  return s;
}

double look_up_friction(const Terrain& terrain, double x, double y) {
  return terrain.friction.at(x, y);
}
template <int N>
math::Dual<N> look_up_friction(const Terrain& terrain, const math::Dual<N>& x,
                               const math::Dual<N>& y) {
  return terrain.friction.at(x.value, y.value);
}
template <int N>
math::Lanes<N> look_up_friction(const Terrain& terrain, const math::Lanes<N>& x,
                                const math::Lanes<N>& y) {
  math::Lanes<N> all;
  for (int i = 0; i < N; ++i) all.set_lane(i, terrain.friction.at(x.lane(i), y.lane(i)));
  return all;
}

template <class T>
T find_friction(const Terrain& terrain, const T& x, const T& y) {
  if (terrain.friction.is_uniform()) return T(terrain.friction.everywhere());
  return look_up_friction(terrain, x, y);
}

/// The disc on a plane of the normal n, of which it is known how far the center is above it.
template <class T>
GroundContact<T> stand(double radius, const Vec3<T>& axis, const Vec3<T>& normal, const T& above) {
  using std::sqrt;
  GroundContact<T> c;
  c.normal = normal;
  c.sin_camber = dot(axis, normal);
  // A wheel that lies on its side has no way down; it keeps the last one.
  c.cos_camber = sqrt(larger(T(1.0 - c.sin_camber * c.sin_camber), T(1e-6)));
  const T to_unit = 1.0 / c.cos_camber;
  c.along = cross(axis, normal) * to_unit;
  c.across = cross(normal, c.along);
  c.deflection = radius * c.cos_camber - above;
  const T down = radius * to_unit;
  c.arm = axis * T(down * c.sin_camber) + normal * T(c.deflection - down);
  return c;
}

/// The disc on the tangent plane of a sample at (x, y).
template <class T>
GroundContact<T> stand_on(double radius, const Vec3<T>& center, const Vec3<T>& axis,
                          const SurfacePoint<T>& s, const T& x, const T& y) {
  const Vec3<T> normal = s.normal();
  const T above =
      (center[0] - x) * normal[0] + (center[1] - y) * normal[1] + (center[2] - s.h) * normal[2];
  return stand(radius, axis, normal, above);
}

/// A place on the ground.
template <class T>
struct Place {
  T x, y;
};

/// From a place near the contact to a nearer one. The lowest point moves with the normal, by R
/// times the curvature of the way: a Newton step takes it into account, on crests and in hollows
/// that are wider than the wheel.
template <class T>
Place<T> approach(double radius, const Vec3<T>& center, const Vec3<T>& axis,
                  const SurfacePoint<T>& s, const Place<T>& at) {
  using std::sqrt;
  const GroundContact<T> c = stand_on(radius, center, axis, s, at.x, at.y);
  const T inverse =
      1.0 / sqrt(larger(T(c.along[0] * c.along[0] + c.along[1] * c.along[1]), T(1e-6)));
  const T bend = s.curvature_along(T(c.along[0] * inverse), T(c.along[1] * inverse));
  const T gain = 1.0 / larger(T(1.0 - radius * bend), T(0.3));
  return {at.x + gain * (center[0] + c.arm[0] - at.x), at.y + gain * (center[1] + c.arm[1] - at.y)};
}

template <class T>
GroundContact<T> find_point(const WheelSize& wheel, const Terrain& terrain, TerrainCache* cache,
                            const Vec3<T>& center, const Vec3<T>& axis) {
  Place<T> at{center[0], center[1]};
  SurfacePoint<T> s = sample(terrain, cache, at.x, at.y);
  if (!is_plane(terrain)) {
    constexpr int kSteps = 2;
    for (int i = 0; i < kSteps; ++i) {
      at = approach(wheel.radius, center, axis, s, at);
      s = sample(terrain, cache, at.x, at.y);
    }
  }
  return stand_on(wheel.radius, center, axis, s, at.x, at.y);
}

/// The level direction in which the wheel rolls.
template <class T>
Place<T> find_heading(const Vec3<T>& axis) {
  using std::sqrt;
  const T inverse = 1.0 / sqrt(larger(T(axis[0] * axis[0] + axis[1] * axis[1]), T(1e-12)));
  return {axis[1] * inverse, -axis[0] * inverse};
}

/// How the ground goes on below a place over some way to both sides, by the slopes at its ends:
/// second derivatives of a map jump from cell to cell, and what goes by them would jump along.
template <class T>
SurfacePoint<T> sample_along(const Terrain& terrain, TerrainCache* cache, const Place<T>& at,
                             const Place<T>& t, double way) {
  const SurfacePoint<T> front = sample(terrain, cache, T(at.x + way * t.x), T(at.y + way * t.y));
  const SurfacePoint<T> back = sample(terrain, cache, T(at.x - way * t.x), T(at.y - way * t.y));
  const T bend = ((front.hx - back.hx) * t.x + (front.hy - back.hy) * t.y) * (0.5 / way);
  return {0.5 * (front.h + back.h), 0.5 * (front.hx + back.hx), 0.5 * (front.hy + back.hy),
          bend * t.x * t.x,         bend * t.x * t.y,           bend * t.y * t.y};
}

template <class T>
GroundContact<T> find_mean_plane(const WheelSize& wheel, const Terrain& terrain,
                                 TerrainCache* cache, const Vec3<T>& center, const Vec3<T>& axis) {
  const double ahead = 0.1 * wheel.radius, aside = 0.3 * wheel.width;
  const Place<T> below{center[0], center[1]}, t = find_heading(axis);
  const Place<T> at =
      approach(wheel.radius, center, axis, sample_along(terrain, cache, below, t, ahead), below);
  const auto height = [&](double forward, double left) {
    const T x = at.x + forward * t.x - left * t.y, y = at.y + forward * t.y + left * t.x;
    return sample(terrain, cache, x, y).h;
  };
  const T front = height(ahead, 0), back = height(-ahead, 0);
  const T left = height(0, aside), right = height(0, -aside);
  const T rise = (front - back) / (2 * ahead), tilt = (left - right) / (2 * aside);
  SurfacePoint<T> plane;
  plane.h = 0.25 * (front + back + left + right);
  plane.hx = rise * t.x - tilt * t.y;
  plane.hy = rise * t.y + tilt * t.x;
  return stand_on(wheel.radius, center, axis, plane, at.x, at.y);
}

/// The plane that the ground is under a whole wheel, and for which of the wheels it is one.
template <class T>
struct PlaneBelow {
  decltype(T() < T()) is_plane = false;
  T above{0};  // of the center over it, upright [m]
  T slope_x{0}, slope_y{0};
};

PlaneBelow<double> find_plane(const Terrain& terrain, const Vec3<double>& center, double reach) {
  const auto plane = terrain.find_plane(center[0], center[1], reach);
  if (!plane) return {};
  return {true, center[2] - plane->sample(center[0], center[1]).h, plane->slope_x, plane->slope_y};
}
template <int N>
PlaneBelow<math::Dual<N>> find_plane(const Terrain& terrain, const Vec3<math::Dual<N>>& center,
                                     double reach) {
  const auto plane = terrain.find_plane(center[0].value, center[1].value, reach);
  if (!plane) return {};
  return {true, center[2] - plane->slope_x * center[0] - plane->slope_y * center[1] - plane->height,
          plane->slope_x, plane->slope_y};
}
template <int N>
PlaneBelow<math::Lanes<N>> find_plane(const Terrain& terrain, const Vec3<math::Lanes<N>>& center,
                                      double reach) {
  PlaneBelow<math::Lanes<N>> all;
  for (int i = 0; i < N; ++i) {
    const auto one = find_plane(
        terrain, Vec3<double>(center[0].lane(i), center[1].lane(i), center[2].lane(i)), reach);
    all.is_plane.pack[i] = one.is_plane ? -1 : 0;
    all.above.set_lane(i, one.above);
    all.slope_x.set_lane(i, one.slope_x);
    all.slope_y.set_lane(i, one.slope_y);
  }
  return all;
}

/// The depth of the segment of a circle that has this area: R^2 (v - sin(v) cos(v)) with the half
/// angle v, R (1 - cos(v)).
template <class T>
T calc_segment_depth(double radius, const T& area) {
  using math::sincos;
  using std::pow;
  const T g = larger(T(area / (radius * radius)), T(1e-24));
  const T start = pow(1.5 * g, 1.0 / 3.0);
  T v = start * (1.0 + start * start / 15.0), s, c;
  for (int i = 0; i < 3; ++i) {
    sincos(v, &s, &c);
    v = v - (v - s * c - g) / (2.0 * s * s);
  }
  sincos(v, &s, &c);
  return radius * s * s / (1.0 + c);
}

/// What the discs of a wheel feel together.
template <class T>
struct Footprint {
  T depth{0}, highest{-1e3};  // sum of depths; the ground's overlap where it is largest [m]
  T forward{0}, up{0};        // of the discs' normals in their plane, by their depths [m]
  T slope_x{0}, slope_y{0};   // of the ground, by their depths [m]
};

/// The depth of a disc in a plane n and its way out, in closed form. Over the line that the disc's
/// plane cuts out of the ground the center is by above / |(n_t, n_u)|.
template <class T>
void press_on_plane(const DiscPlane<T>& disc, double radius, const Vec3<T>& normal, const T& above,
                    Footprint<T>* sum) {
  using math::select;
  using std::sqrt;
  const T n_t = dot(normal, disc.forward), n_u = dot(normal, disc.up);
  const T inverse = 1.0 / sqrt(larger(T(n_t * n_t + n_u * n_u), T(1e-6)));
  const T overlap = radius - above * inverse, d = larger(overlap, T(0));
  // As far as it is along `up`, where nothing touches.
  sum->highest = larger(sum->highest, T(overlap / larger(T(n_u * inverse), T(0.05))));
  sum->depth += d;
  sum->forward += d * n_t * inverse;
  sum->up += d * n_u * inverse;
}

/// Any ground: the overlap is mapped to the depth of a disc on flat ground that has the same area,
/// and pushes along the normal of the chord, the direction in which its area shrinks fastest, but
/// for ground that the tread has only begun to touch.
template <class T>
void press_on_ground(double radius, const Overlap<T>& overlap, Footprint<T>* sum) {
  using math::select;
  using std::sqrt;
  sum->highest = larger(sum->highest, overlap.highest);
  if (surely(overlap.area <= 0.0)) return;
  const T d = select(overlap.area > 0.0, calc_segment_depth(radius, overlap.area), T(0));
  const T share = d / (sqrt(overlap.rise * overlap.rise + overlap.length * overlap.length) + 1e-12);
  const T mean = d / (overlap.length + 1e-12);
  sum->depth += d;
  sum->forward -= share * overlap.rise;
  sum->up += share * overlap.length;
  sum->slope_x += mean * overlap.slope_x;
  sum->slope_y += mean * overlap.slope_y;
}

template <class T>
Footprint<T> select_print(const decltype(T() < T())& first, const Footprint<T>& a,
                          const Footprint<T>& b) {
  using math::select;
  return {select(first, a.depth, b.depth),     select(first, a.highest, b.highest),
          select(first, a.forward, b.forward), select(first, a.up, b.up),
          select(first, a.slope_x, b.slope_x), select(first, a.slope_y, b.slope_y)};
}

/// Discs side by side. The tire's deflection is the mean of their depths, its normal goes by them.
/// Where all ground that a wheel can reach is one plane, nothing has to be sampled.
template <class T>
GroundContact<T> find_envelope(const WheelSize& wheel, const ContactOptions& options,
                               const Terrain& terrain, TerrainCache* cache, const Vec3<T>& center,
                               const Vec3<T>& axis) {
  using math::select;
  using std::sqrt;
  const PlaneBelow<T> plane =
      find_plane(terrain, center, std::hypot(wheel.radius, 0.5 * wheel.width));
  const bool is_all_plane = surely(plane.is_plane);
  SurfacePoint<T> ground;
  ground.hx = plane.slope_x;
  ground.hy = plane.slope_y;
  const Vec3<T> plane_normal = ground.normal();
  const T above = plane.above * plane_normal[2];

  const Place<T> t = find_heading(axis);
  DiscPlane<T> disc;
  disc.forward = {t.x, t.y, T(0)};
  disc.up = cross(disc.forward, axis);
  Footprint<T> flat, rough;
  for (int j = 0; j < options.planes; ++j) {
    const double left = wheel.width * ((j + 0.5) / options.planes - 0.5);
    disc.center = center + axis * T(left);
    press_on_plane(disc, wheel.radius, plane_normal, T(above + left * dot(axis, plane_normal)),
                   &flat);
    if (is_all_plane) continue;
    press_on_ground(
        wheel.radius,
        calc_overlap(disc, wheel.radius, options.samples, terrain, cache, plane.is_plane), &rough);
  }
  flat.slope_x = flat.depth * plane.slope_x;
  flat.slope_y = flat.depth * plane.slope_y;
  const Footprint<T> print = is_all_plane ? flat : select_print(plane.is_plane, flat, rough);

  const auto touches = print.depth > 0.0;
  const T all = select(touches, print.depth, T(1));
  SurfacePoint<T> mean;
  mean.hx = print.slope_x / all;
  mean.hy = print.slope_y / all;
  const T sine = dot(axis, mean.normal());
  const T cosine = sqrt(larger(T(1.0 - sine * sine), T(1e-6)));
  const T forward = select(touches, print.forward, T(0)), up = select(touches, print.up, T(1));
  const T scale = cosine / sqrt(forward * forward + up * up);
  const Vec3<T> normal = disc.forward * T(forward * scale) + disc.up * T(up * scale) + axis * sine;
  const T deflection =
      select(touches, T(print.depth * (1.0 / options.planes)), print.highest) * cosine;
  return stand(wheel.radius, axis, normal, T(wheel.radius * cosine - deflection));
}

template <class T>
GroundContact<T> find_footing(const WheelSize& wheel, const ContactOptions& options,
                              const Terrain& terrain, TerrainCache* cache, const Vec3<T>& center,
                              const Vec3<T>& axis) {
  switch (options.mode) {
    case ContactMode::kFourPoints:
      return find_mean_plane(wheel, terrain, cache, center, axis);
    case ContactMode::kEnvelope:
      return find_envelope(wheel, options, terrain, cache, center, axis);
    default:
      return find_point(wheel, terrain, cache, center, axis);
  }
}

}  // namespace

template <class T>
GroundContact<T> find_contact(const WheelSize& wheel, const ContactOptions& options,
                              const Terrain& terrain, TerrainCache* cache, const Vec3<T>& center,
                              const Vec3<T>& axis) {
  GroundContact<T> c = find_footing(wheel, options, terrain, cache, center, axis);
  c.friction = find_friction(terrain, T(center[0] + c.arm[0]), T(center[1] + c.arm[1]));
  return c;
}

template <class T>
GroundContact<T> find_contact_on_plane(const WheelSize& wheel, const PlaneGround<T>& plane,
                                       const Vec3<T>& center, const Vec3<T>& axis) {
  SurfacePoint<T> s;
  s.h = plane.height + plane.slope_x * center[0] + plane.slope_y * center[1];
  s.hx = plane.slope_x;
  s.hy = plane.slope_y;
  GroundContact<T> c = stand_on(wheel.radius, center, axis, s, center[0], center[1]);
  c.friction = plane.friction;
  return c;
}

bool is_contact_on_plane(const ContactOptions& options, const Terrain& terrain) {
  return options.mode == ContactMode::kPoint && is_plane(terrain) && terrain.friction.is_uniform();
}

PlaneGround<double> plane_of(const Terrain& terrain) {
  const auto& plane = std::get<terrain::Plane>(terrain.base);
  return {plane.height, plane.slope_x, plane.slope_y, terrain.friction.everywhere()};
}

ContactMode parse_contact_mode(const std::string& name) {
  const std::vector<std::string> names{"point", "four_points", "envelope"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<ContactMode>(i);
  require(false, "contact must be \"point\", \"four_points\" or \"envelope\", got \"", name, "\"",
          did_you_mean(name, names));
  return ContactMode::kPoint;
}

#define CAMBER_INSTANTIATE(T)                                                                     \
  template GroundContact<T> find_contact(const WheelSize&, const ContactOptions&, const Terrain&, \
                                         TerrainCache*, const Vec3<T>&, const Vec3<T>&);          \
  template GroundContact<T> find_contact_on_plane(const WheelSize&, const PlaneGround<T>&,        \
                                                  const Vec3<T>&, const Vec3<T>&);
CAMBER_FOR_EACH_WHEEL_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::dynamics
