// A tire that flattens is a rigid wheel with a larger radius R* that meets the soil where the tire
// does (the substitute circle of [Wong]'s and others' books). With the tire's deflection d and the
// sinkage z of its lowest point, both small against R, the chord of the tire is sqrt(2 R (z + d))
// and that of the circle sqrt(2 R* z), so
//   R* = R (1 + d / z), no more than 10 R.                                                  (1)
// The circle turns so that its rim is as fast as the tread, R* w* = R_e w, and its torque about the
// axis works on the wheel by the same factor. The deflection is where the tire's force, with its
// damper over the time since the soil was last pressed, is the soil's:
//   F(d) + c (d - d_0) / dt = N(d).                                                         (2)
// The left side rises with d and the right one falls: one root, between 0 and all of the approach.
// By (1) the sinkage at a distance x from the lowest point is z (1 - x^2 / (2 R (z + d))): it falls
// with d in proportion, by 2/3 in the mean over the chord. The circle as a whole moves with d, so
//   -dN/dd = 2/3 dN/dz + (damping of the soil) / dt                                         (3)
// is what Newton's method starts with, from where d would go on to at its last rate.
#include "camber/drive/wheel_on_soil.h"

#include <algorithm>
#include <cmath>

#include "camber/drive/scalars.h"
#include "camber/terrain/soil_laws.h"

namespace camber::drive {
namespace {

using math::select;
using tire::larger;

/// About where a sign has become one [m/s].
constexpr double kSignSpeed = 0.05;
constexpr double kLargestRadius = 10;  // R* over R
constexpr int kMaxIterations = 40;
// Error of (2) [N]. While the vehicle moves it is below what a node more or less in the contact
// does; Newton's method on a standing vehicle needs more.
constexpr double kForceError = 2, kForceErrorAtRest = 1e-7;

template <class T>
T soft_sign(const T& speed) {
  return speed / tire::length(speed, T(kSignSpeed));
}

/// The hub's motion at the contact, as in wheel_on_ground.cc (1).
template <class T>
struct HubMotion {
  T Vx, Vy, depth_rate;
  T omega;  // of the wheel
};

template <class T>
HubMotion<T> calc_hub_motion(const WheelMotion<T>& wheel, const GroundContact<T>& c,
                             const T& loaded_radius) {
  const T turn = dot(wheel.hub_turn_rate, wheel.axis);
  const Vec3<T> v = wheel.velocity + cross(wheel.hub_turn_rate, c.arm);
  return {dot(c.along, v) + turn * loaded_radius, dot(c.across, v), -dot(c.normal, v),
          turn + wheel.spin};
}

template <class T>
void set_slip(const HubMotion<T>& hub, const T& rolling_radius, WheelForces<T>* f) {
  using std::abs;
  const auto touches = f->Fz > 0.0;
  const T speed = larger(T(abs(hub.Vx)), T(1e-3));
  f->slip = select(touches, T((hub.omega * rolling_radius - hub.Vx) / speed), T(0));
  f->tan_alpha = select(touches, T(hub.Vy / speed), T(0));
}

Vector3 to_eigen(const Vec3<double>& v) { return {v[0], v[1], v[2]}; }
Vec3<double> from_eigen(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

/// The rigid circle that stands for the tire at a deflection.
struct Circle {
  double radius;        // R*
  Vec3<double> offset;  // of its center from the wheel's
  double speed_ratio;   // w* / w
};

/// A wheel over fresh ground.
struct Approach {
  Vec3<double> up;         // in the wheel's plane
  double depth;            // of the free tire's lowest point below fresh ground [m]
  double rut;              // that it rolls in, ahead and behind of its contact [m]
  Vec3<double> turn_rate;  // of the hub, across its axis
  double omega;
};

Circle make_circle(const SoilGround& ground, const Approach& approach, double deflection) {
  const double R = ground.wheel.radius;
  if (ground.tire.deflection.empty()) return {R, {}, 1};
  const double z = std::max(approach.depth - approach.rut - deflection, 1e-9);
  const double larger_radius = R * std::min(1 + deflection / z, kLargestRadius);
  return {larger_radius, approach.up * (larger_radius - R + deflection),
          (R - deflection / 3) / larger_radius};
}

/// A rut that was there before is as deep on both sides of the contact; one that the wheel makes is
/// on one side only.
double find_rut(const Vec3<double>& point, const Vec3<double>& along, double reach,
                terrain::SoilGrid* soil) {
  const Vec3<double> way = along * reach, ahead = point + way, behind = point - way;
  return std::min(soil->rut_depth(ahead[0], ahead[1]), soil->rut_depth(behind[0], behind[1]));
}

struct Pressed {
  terrain::SoilContact contact;
  Circle circle;
  double deflection, rate;  // of the tire [m], [m/s]
};

Pressed press(const SoilGround& ground, const WheelMotion<double>& wheel, const Approach& approach,
              double deflection, double deflection_rate, double dt, terrain::SoilGrid* soil) {
  const Circle circle = make_circle(ground, approach, deflection);
  const Vec3<double> velocity =
      wheel.velocity + cross(approach.turn_rate, circle.offset) + approach.up * deflection_rate;
  const Vec3<double> turn = approach.turn_rate + wheel.axis * (approach.omega * circle.speed_ratio);
  const terrain::BodyMotion motion{.center = to_eigen(wheel.center + circle.offset),
                                   .axis = to_eigen(wheel.axis),
                                   .velocity = to_eigen(velocity),
                                   .angular_velocity = to_eigen(turn)};
  const terrain::WheelShape shape{circle.radius, ground.wheel.width};
  return {soil->calc_contact(shape, motion, dt), circle, deflection, deflection_rate};
}

/// A tire and the soil with the same force, (2).
Pressed press_tire(const SoilGround& ground, const WheelMotion<double>& wheel,
                   const Approach& approach, double dt, const SoilWheelMemory& memory,
                   terrain::SoilGrid* soil) {
  if (ground.tire.deflection.empty() || approach.depth <= 0)
    return press(ground, wheel, approach, 0, 0, dt, soil);
  const double per_dt = dt > 0 ? 1 / dt : 0;
  const double error = dt > 0 ? kForceError : kForceErrorAtRest;
  const double tire_slope = ground.tire.force.back() / ground.tire.deflection.back();
  double low = 0, high = approach.depth, before = 0, f_before = 0;
  double d = std::clamp(memory.deflection + memory.rate * dt, low, high);
  for (int i = 1;; ++i) {
    const double rate = (d - memory.deflection) * per_dt;
    const Pressed p = press(ground, wheel, approach, d, rate, dt, soil);
    const double tire =
        std::max(tire::calc_static_load(ground.tire, d) + ground.tire.damping * rate, 0.0);
    const double f = tire - dot(from_eigen(p.contact.force_W), approach.up);  // rises with d
    (f < 0 ? low : high) = d;
    if (std::abs(f) < error || high - low < 1e-15 || i == kMaxIterations) return p;
    const double slope = i > 1 ? (f - f_before) / (d - before)
                               : tire_slope + 2.0 / 3 * p.contact.stiffness +
                                     (ground.tire.damping + p.contact.damping) * per_dt;  // (3)
    before = d, f_before = f;
    d -= f / slope;
    if (!(d > low && d < high)) d = 0.5 * (low + high);
  }
}

}  // namespace

template <class T>
WheelForces<T> calc_wheel_on_lumped_soil(const LumpedGround& ground,
                                         const terrain::Terrain& terrain,
                                         terrain::TerrainCache* cache, const WheelMotion<T>& wheel,
                                         const tire::TireState<T>& state) {
  const double R = ground.soil.radius;
  const GroundContact<T> c = find_contact(WheelSize{R, ground.soil.width}, ContactOptions{},
                                          terrain, cache, wheel.center, wheel.axis);
  const T loaded_radius = R - c.deflection * c.cos_camber;
  const HubMotion<T> hub = calc_hub_motion(wheel, c, loaded_radius);
  const T V_rim = R * hub.omega;
  const auto r = terrain::calc_lumped_forces(
      ground.soil, terrain::LumpedMotion<T>{c.deflection, hub.depth_rate, hub.Vx - V_rim, hub.Vy},
      state.u, state.w);
  WheelForces<T> f;
  f.Fx = r.Fx;
  f.Fy = r.Fy;
  f.Fz = r.Fz;
  f.force = c.along * f.Fx + c.across * f.Fy + c.normal * f.Fz;
  const T My = -ground.rolling_resistance * R * f.Fz * soft_sign(V_rim);
  f.torque = cross(c.arm, f.force) + c.across * My - wheel.axis * T(f.Fx * (R - loaded_radius));
  f.rates = {r.bristle_rate_x, r.bristle_rate_y};
  f.point = wheel.center + c.arm;
  const auto touches = f.Fz > 0.0;
  f.deflection = select(touches, T(f.Fz / ground.tire_stiffness), c.deflection);
  f.sinkage = select(touches, larger(T(c.deflection - f.deflection), T(0)), T(0));
  f.rut = T(0);
  set_slip(hub, T(R), &f);
  const T spring = select(touches, T(ground.soil.stiffness * c.deflection), T(0));
  f.sliding_power = f.Fx * (hub.Vx - V_rim) + f.Fy * hub.Vy;
  f.damping_power = (spring - f.Fz) * hub.depth_rate;
  f.stored_power = spring * hub.depth_rate;
  f.rolling_power = My * dot(c.across, Vec3<T>(wheel.hub_turn_rate + wheel.axis * wheel.spin));
  return f;
}

WheelForces<double> calc_wheel_on_soil(const SoilGround& ground, const terrain::Terrain& terrain,
                                       terrain::TerrainCache* cache,
                                       const WheelMotion<double>& wheel, double dt, bool commit,
                                       terrain::SoilGrid* soil, SoilWheelMemory* memory) {
  const GroundContact<double> c =
      find_contact(ground.wheel, ContactOptions{}, terrain, cache, wheel.center, wheel.axis);
  const double turn = dot(wheel.hub_turn_rate, wheel.axis);
  Approach approach{.up = (c.normal - wheel.axis * c.sin_camber) * (1 / c.cos_camber),
                    .depth = c.deflection,
                    .rut = 0,
                    .turn_rate = wheel.hub_turn_rate - wheel.axis * turn,
                    .omega = turn + wheel.spin};
  if (!ground.tire.deflection.empty() && approach.depth > 0) {
    const double chord = std::sqrt(2 * ground.wheel.radius * approach.depth);
    approach.rut = find_rut(wheel.center + c.arm, c.along, 1.3 * chord, soil);
  }
  const Pressed p = press_tire(ground, wheel, approach, dt, *memory, soil);
  const double deflection = p.deflection, rate = p.rate;
  const bool touches = p.contact.nodes > 0;
  if (commit) {
    soil->advance_as_asked();
    *memory = {};
    if (touches)
      *memory = {deflection, rate, p.contact.area, p.contact.sinkage, wheel.center + c.arm};
  }

  WheelForces<double> f;
  f.force = from_eigen(p.contact.force_W);
  f.Fx = dot(f.force, c.along);
  f.Fy = dot(f.force, c.across);
  f.Fz = dot(f.force, c.normal);
  // What the circle's torque about the axis does to the wheel, and to the hub across the axis.
  const Vec3<double> circle_torque = from_eigen(p.contact.torque_W);
  const Vec3<double> torque = circle_torque + cross(p.circle.offset, f.force);
  const double R_e = ground.wheel.radius - deflection / 3;
  const double My = ground.tire.deflection.empty()
                        ? 0
                        : -ground.rolling_resistance * R_e * f.Fz * soft_sign(approach.omega * R_e);
  const double about_axis = dot(circle_torque, wheel.axis) * p.circle.speed_ratio + My;
  f.torque = torque + wheel.axis * (about_axis - dot(torque, wheel.axis));
  f.rates = {};
  f.point = wheel.center + c.arm;
  f.deflection = touches ? deflection : std::min(c.deflection, 0.0);
  f.sinkage = p.contact.sinkage;
  f.rut = soil->rut_depth(f.point[0], f.point[1]);
  set_slip(calc_hub_motion(wheel, c, ground.wheel.radius - deflection), R_e, &f);
  // The soil gives nearly nothing back: all of its work counts as lost, beside the tire's.
  const double spring =
      ground.tire.deflection.empty() ? 0 : tire::calc_static_load(ground.tire, deflection);
  f.rolling_power = My * approach.omega;
  f.stored_power = spring * rate;
  f.damping_power = ground.tire.damping * rate * -rate;
  f.sliding_power = dot(f.force, wheel.velocity) +
                    dot(f.torque, wheel.hub_turn_rate + wheel.axis * wheel.spin) - f.rolling_power -
                    f.damping_power + f.stored_power;
  return f;
}

double calc_safe_load(const SoilGround& ground, const terrain::Terrain& terrain,
                      const SoilWheelMemory& memory) {
  if (memory.area == 0) return 0;
  const int under = terrain.soil_map.at(memory.point[0], memory.point[1]);
  return terrain::safe_load(terrain.soils[static_cast<std::size_t>(under)], ground.wheel.width,
                            memory.area, memory.sinkage);
}

#define CAMBER_INSTANTIATE(T)                                                                      \
  template WheelForces<T> calc_wheel_on_lumped_soil(const LumpedGround&, const terrain::Terrain&,  \
                                                    terrain::TerrainCache*, const WheelMotion<T>&, \
                                                    const tire::TireState<T>&);
CAMBER_FOR_EACH_WHEEL_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::drive
