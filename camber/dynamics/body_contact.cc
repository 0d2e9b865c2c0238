// [Hunt & Crossley 1975] K. H. Hunt, F. R. E. Crossley, "Coefficient of restitution interpreted as
// damping in vibroimpact", J. Appl. Mech. 42(2).
#include "camber/dynamics/body_contact.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "camber/core/require.h"

namespace camber::dynamics {

std::vector<Vec3<double>> find_underside(const vehicle::Shape& shape,
                                         std::span<const WheelRoom> wheels) {
  constexpr int kAlong = 8, kAcross = 5;
  constexpr double kInside = 1e-6;  // edges belong to the shape
  std::vector<Vec3<double>> points;
  if (shape.empty()) return points;
  const auto [rear, front, right, left] = shape.outline();
  for (int i = 0; i < kAlong; ++i) {
    for (int j = 0; j < kAcross; ++j) {
      const double x =
          std::clamp(rear + (front - rear) * i / (kAlong - 1), rear + kInside, front - kInside);
      const double y =
          std::clamp(right + (left - right) * j / (kAcross - 1), right + kInside, left - kInside);
      const bool is_wheel = std::ranges::any_of(wheels, [&](const WheelRoom& wheel) {
        return std::abs(x - wheel.x) <= wheel.radius && std::abs(y - wheel.y) <= wheel.half_width;
      });
      if (is_wheel) continue;
      if (const std::optional<double> z = shape.underbody(x, y)) points.emplace_back(x, y, *z);
    }
  }
  return points;
}

BodyContactLaw make_body_contact_law(double weight) {
  constexpr double kDepth = 0.02;  // [m]
  BodyContactLaw law;
  law.stiffness = weight / kDepth;
  return law;
}

BodyContact::BodyContact(std::vector<Vec3<double>> points, const BodyContactLaw& law)
    : points_(std::move(points)), law_(law) {
  require(points_.empty() || (law.stiffness > 0 && law.damping >= 0 && law.max_depth > 0 &&
                              law.friction >= 0 && law.soft_speed > 0),
          "BodyContact: stiffness ", law.stiffness, " N/m, max_depth ", law.max_depth,
          " m and soft_speed ", law.soft_speed, " m/s must be > 0, damping ", law.damping,
          " s/m and friction ", law.friction, " at least 0");
  if (!points_.empty()) box_ = {points_.front(), points_.front()};
  for (const Vec3<double>& p : points_) {
    for (int i = 0; i < 3; ++i) {
      box_.min.e[i] = std::min(box_.min[i], p[i]);
      box_.max.e[i] = std::max(box_.max[i], p[i]);
    }
  }
}

// On a plane, such as most roads, without a look at the terrain.
bool BodyContact::is_near(const BodyMotion& body, double reach, Ground* ground) const {
  if (points_.empty()) return false;
  const auto height = [&](const Vec3<double>& p, const auto& height_of_ground) {
    const Vec3<double> at = body.p_WB + body.R_WB * p;
    return at[2] - height_of_ground(at[0], at[1]);
  };
  const auto any = [&](const auto& height_of_ground) {
    return std::ranges::any_of(
        points_, [&](const Vec3<double>& p) { return height(p, height_of_ground) < reach; });
  };
  if (const auto* plane = std::get_if<terrain::Plane>(&ground->terrain().base);
      plane != nullptr && ground->terrain().bumps.empty()) {
    const PlaneGround<double> below{plane->height, plane->slope_x, plane->slope_y};
    if (calc_lowest_height(below, body.R_WB, body.p_WB, box_) > reach) return false;
    return any([&](double x, double y) { return plane->sample(x, y).h; });
  }
  return any([&](double x, double y) { return ground->sample(x, y).h; });
}

BodyContactLoad BodyContact::calc(const BodyMotion& body, Ground* ground) const {
  BodyContactLoad load;
  for (const Vec3<double>& p : points_) {
    const Vec3<double> arm = body.R_WB * p, at = body.p_WB + arm;
    const terrain::SurfaceSample surface = ground->sample(at[0], at[1]);
    const double over = surface.h - at[2];
    if (!(over > 0)) continue;
    const Vec3<double> n = surface.normal(), v = body.v_WB + cross(body.w_WB, arm);
    const double depth = over * n[2], closing = -dot(v, n);
    load.depth = std::max(load.depth, depth);
    const double normal = law_.stiffness * std::min(depth, law_.max_depth) *
                          std::clamp(1 + law_.damping * closing, 0.0, 3.0);
    const terrain::Point2 place{at[0], at[1]};
    terrain::GroundPoint here;
    ground->terrain().query(std::span(&place, 1), ground->cache(), std::span(&here, 1));
    const Vec3<double> sliding = v + n * closing;
    const double resistance = law_.friction * here.friction * normal /
                              std::sqrt(dot(sliding, sliding) + law_.soft_speed * law_.soft_speed);
    const Vec3<double> force = n * normal - sliding * resistance;
    load.force += force;
    load.torque += cross(arm, force);
    load.power += dot(force, v);
  }
  return load;
}

}  // namespace camber::dynamics
