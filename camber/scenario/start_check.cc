// The ground below the wheels is approximated by a plane, fitted to its heights at the four outer
// wheels. With f, l, n the vehicle's axes on that plane, the vertical line through the center of
// mass, h above it, meets it at -h f_z / n_z ahead and -h l_z / n_z to the left of the point below
// the center of mass: the vehicle tips over unless this is between the wheels. At rest it needs
// friction of tan(slope).
#include "camber/scenario/start_check.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <variant>

#include "camber/core/require.h"
#include "camber/multibody/model.h"

namespace camber::scenario {
namespace {

/// The first and the last axle of the vehicle, without a trailer's.
struct OuterAxles {
  Vector3 front, rear;  // their left wheels' centers [m]
};

OuterAxles find_outer_axles(const vehicle::Vehicle& vehicle) {
  OuterAxles outer{vehicle.axles[0].points.wheel, vehicle.axles[0].points.wheel};
  for (const vehicle::Axle& axle : vehicle.axles) {
    if (axle.points.wheel.x() > outer.front.x()) outer.front = axle.points.wheel;
    if (axle.points.wheel.x() < outer.rear.x()) outer.rear = axle.points.wheel;
  }
  return outer;
}

/// The ground under the wheels of a vehicle's outer axles.
struct GroundBelow {
  double rise = 0, tilt = 0;  // slopes along the vehicle and to its left
  double friction = 0;        // mean of the wheels'
};

GroundBelow find_ground(const dynamics::Start& start, const vehicle::Vehicle& vehicle,
                        const terrain::Terrain& terrain) {
  terrain::TerrainCache cache = terrain.make_cache();
  const double c = std::cos(start.heading), s = std::sin(start.heading);
  const auto [front, rear] = find_outer_axles(vehicle);
  GroundBelow ground;
  for (const Vector3& wheel : {front, rear}) {
    for (const double side : {1.0, -1.0}) {
      const double ahead = wheel.x(), left = side * std::abs(wheel.y());
      const double x = start.x + c * ahead - s * left, y = start.y + s * ahead + c * left;
      const double h = terrain.sample(x, y, &cache).h;
      ground.rise += (wheel == front ? 0.5 : -0.5) * h / (front.x() - rear.x());
      ground.tilt += 0.25 * h / left;
      ground.friction += 0.25 * terrain.friction.at(x, y);
    }
  }
  return ground;
}

bool is_between_wheels(const vehicle::Vehicle& vehicle, double x, double y) {
  const auto [front, rear] = find_outer_axles(vehicle);
  const double half_track = std::max(std::abs(front.y()), std::abs(rear.y()));
  return x > rear.x() && x < front.x() && std::abs(y) <= half_track;
}

double round_hundredth(double x) { return std::round(100 * x) / 100 + 0.0; }  // no -0

double to_degrees(double radians) { return std::round(radians * 1800 / std::numbers::pi) / 10; }

}  // namespace

void check_center(const Scenario& scenario, const DriveParts& parts,
                  const dynamics::MassTotal& total) {
  if (is_between_wheels(parts.vehicle, total.center.x(), total.center.y())) return;
  throw dynamics::StandError(
      concat("the vehicle does not stand on any ground: its center of mass is at x = ",
             round_hundredth(total.center.x()), " m, y = ", round_hundredth(total.center.y()),
             " m, not between its wheels",
             scenario.vehicle.payload.empty() ? "; see the masses of vehicle.model"
                                              : "; vehicle.payload moves it there"));
}

void check_standing(const Scenario& scenario, const DriveParts& parts,
                    const terrain::Terrain& terrain, const dynamics::MassTotal& total) {
  const dynamics::Start& start = scenario.vehicle.start;
  const GroundBelow ground = find_ground(start, parts.vehicle, terrain);
  const double slope = std::hypot(ground.rise, ground.tilt);
  const std::string what =
      concat("the vehicle does not stand at x = ", start.x, " m, y = ", start.y,
             " m: ", scenario.ground.terrain.empty() ? "ground.slope" : "ground.terrain",
             " has a slope of ", to_degrees(std::atan(slope)), " deg there; ");

  const Vector3 left = Vector3(0, 1, ground.tilt).normalized();
  const Vector3 up = Vector3(1, 0, ground.rise).cross(left).normalized(), ahead = left.cross(up);
  const double height = total.center.z() + parts.vehicle.height;
  const double x = total.center.x() - height * ahead.z() / up.z(),
               y = total.center.y() - height * left.z() / up.z();
  if (!is_between_wheels(parts.vehicle, x, y))
    throw dynamics::StandError(concat(what, "with its center of mass ", round_hundredth(height),
                                      " m above the ground it tips over"));

  if (start.speed != 0 || scenario.ground.soil_level != SoilLevel::kRigid) return;
  const dynamics::Grip grip = dynamics::find_grip(
      *parts.tires.wheels[0].tire,
      total.mass * parts.vehicle.gravity.norm() / static_cast<double>(parts.tires.wheels.size()),
      ground.friction);
  const double friction = std::max(grip.along, grip.across);
  if (slope > friction)
    throw dynamics::StandError(concat(what, "its tires hold it up to ",
                                      to_degrees(std::atan(friction)),
                                      " deg with ground.friction of ", ground.friction,
                                      "; a vehicle with a vehicle.start.speed may slide"));
}

namespace {

/// A rectangle in the vehicle's frame whose ground is checked, and the underbody over it.
struct Belly {
  vehicle::Outline outline;
  const vehicle::Shape* shape = nullptr;  // nullptr: `height` everywhere
  double height = 0;                      // of the underbody in the vehicle's frame [m]

  std::optional<double> underbody(double x, double y) const {
    return shape == nullptr ? std::optional(height) : shape->underbody(x, y);
  }
};

/// That of the vehicle's shape. A vehicle without one has its underbody between the wheels, at the
/// height of the frame's origin or of the wheels' centers, whichever is higher.
Belly find_belly(const DriveParts& parts) {
  const vehicle::Shape& shape = parts.vehicle.shape;
  if (!shape.empty()) return {.outline = shape.outline(), .shape = &shape};
  const auto [front, rear] = find_outer_axles(parts.vehicle);
  const tire::RollingTire& tire = *parts.tires.wheels[0].tire;
  const double side = std::min(std::abs(front.y()), std::abs(rear.y())) - 0.5 * tire.width;
  return {.outline = {.rear = rear.x() + tire.radius,
                      .front = front.x() - tire.radius,
                      .right = -side,
                      .left = side},
          .height = std::max({0.0, front.z(), rear.z()})};
}

/// Whether the ground is a plane and all corners of the underbody are above it: then no place
/// between them needs a look.
bool is_above_plane(const Belly& belly, const Matrix3& R, const Vector3& origin,
                    const terrain::Terrain& terrain) {
  const auto* plane = std::get_if<terrain::Plane>(&terrain.base);
  if (plane == nullptr || !terrain.bumps.empty()) return false;
  constexpr double kMargin = 1e-6;  // [m]
  const auto is_above = [&](const vehicle::Outline& outline, double z) {
    for (const double x : {outline.rear, outline.front}) {
      for (const double y : {outline.right, outline.left}) {
        const Vector3 p = origin + R * Vector3(x, y, z);
        if (!(p.z() > plane->sample(p.x(), p.y()).h + kMargin)) return false;
      }
    }
    return true;
  };
  if (belly.shape == nullptr) return is_above(belly.outline, belly.height);
  return std::ranges::all_of(belly.shape->boxes, [&](const vehicle::Box& box) {
    return is_above({box.min.x(), box.max.x(), box.min.y(), box.max.y()}, box.min.z());
  });
}

/// Whether a wheel of the vehicle, without a trailer's, is over this place in its frame: the boxes
/// of a shape have no wheel arches.
bool is_below_wheel(const DriveParts& parts, double x, double y) {
  for (std::size_t i = 0; i < parts.mechanism.corners.size(); ++i) {
    const vehicle::Corner& corner = parts.mechanism.corners[i];
    const tire::RollingTire& tire = *parts.tires.wheels[i].tire;
    const double half_width = 0.5 * (tire.width + corner.dual_spacing);
    if (!corner.is_towed && std::abs(x - corner.points.wheel.x()) <= tire.radius &&
        std::abs(y - corner.points.wheel.y()) <= half_width)
      return true;
  }
  return false;
}

}  // namespace

void check_belly(const DriveParts& parts, const terrain::Terrain& terrain,
                 const dynamics::VehicleSnapshot& start) {
  constexpr double kSpacing = 0.05;  // [m]
  const Belly belly = find_belly(parts);
  const auto [rear, front, right, left] = belly.outline;
  if (!(rear < front && right < left)) return;
  const Matrix3 R = multibody::to_eigen(start.rotation);
  const Vector3 origin = multibody::to_eigen(start.position);
  if (is_above_plane(belly, R, origin, terrain)) return;
  terrain::TerrainCache cache = terrain.make_cache();
  const auto along = static_cast<int>(std::ceil((front - rear) / kSpacing));
  const auto across = static_cast<int>(std::ceil((left - right) / kSpacing));
  double max_depth = 0;
  Vector3 where = origin;
  for (int i = 0; i <= along; ++i) {
    for (int j = 0; j <= across; ++j) {
      const double x = rear + (front - rear) * i / along, y = right + (left - right) * j / across;
      const std::optional<double> z = belly.underbody(x, y);
      if (!z) continue;
      const Vector3 p = origin + R * Vector3(x, y, *z);
      const double depth = terrain.sample(p.x(), p.y(), &cache).h - p.z();
      if (!(depth > max_depth) || is_below_wheel(parts, x, y)) continue;
      max_depth = depth;
      where = p;
    }
  }
  if (max_depth > 0)
    throw dynamics::StandError(concat(
        "the vehicle does not stand at x = ", round_hundredth(origin.x()), " m, y = ",
        round_hundredth(origin.y()), " m: below its body, at x = ", round_hundredth(where.x()),
        " m, y = ", round_hundredth(where.y()), " m, the ground is ", round_hundredth(max_depth),
        " m above ", belly.shape == nullptr ? "the frame's origin" : "the underbody",
        "; expected another vehicle.start"));
}

// A wheel turns on two springs, that of its brake, k_b, and that of the tread, k R^2, which also moves
// the body with the mass m on it: x'' = -w^2 (x + tau x') with
//   w^2 = k R^2 (1 / J + 1 / (m R^2)) + k_b / J,  tau the mean of both springs' damping times.
// A step h of a method multiplies the solution of a root by P(z), z = h w (-zeta + i sqrt(1 - zeta^2)),
// zeta = w tau / 2: it is stable for |P| <= 1.
double find_longest_standing_step(const tire::RollingTire& tire, double load, double friction,
                                  double inertia, const driveline::Brake& brake,
                                  integrate::FixedStep method) {
  constexpr double kGravity = 9.81;  // [m/s^2]
  const double arm = tire.radius - find_deflection(tire.vertical, load);
  const double k = calc_standing_stiffness(tire, load, friction);
  const double tread = k * (arm * arm / inertia + kGravity / load);  // [1/s^2]
  const double hold = brake.capacity / brake.twist / inertia;        // [1/s^2]
  const double w = std::sqrt(tread + hold);                          // [rad/s]
  const double zeta = 0.5 * (tread * tire.standing_damping_time + hold * brake.damping) / w;
  const std::complex<double> root = w * (-zeta - std::sqrt(std::complex<double>(zeta * zeta - 1)));
  const int order = method == integrate::FixedStep::kRungeKutta4 ? 4 : 2;
  const auto grows = [&](double h) {
    std::complex<double> P = 1, term = 1;
    for (int i = 1; i <= order; ++i) P += term *= h * root / static_cast<double>(i);
    return std::norm(P) > 1;
  };
  double h = 0;
  constexpr double kPart = 1e-3;  // resolution of the limit, as a part of 1 / w
  while (!grows(h + kPart / w)) h += kPart / w;
  return h;
}

}  // namespace camber::scenario
