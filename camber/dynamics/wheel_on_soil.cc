#include "camber/dynamics/wheel_on_soil.h"

#include <algorithm>
#include <cmath>

#include "camber/dynamics/scalars.h"
#include "camber/terrain/soil_laws.h"

namespace camber::dynamics {
namespace {

using math::select;
using tire::larger;

/// About where a sign has become one [m/s].
constexpr double kSignSpeed = 0.05;

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

terrain::TireShape make_tire(const SoilGround& ground, const GroundContact<double>& c) {
  return {.radius = ground.wheel.radius,
          .width = ground.wheel.width,
          .tread = ground.tread,
          .damping = ground.tire.damping,
          .stiffness_along = ground.stiffness_along,
          .stiffness_across = ground.stiffness_across,
          .normal = to_eigen(c.normal),
          .depth = c.deflection};
}

}  // namespace

template <class T>
WheelForces<T> calc_wheel_on_lumped_soil(const LumpedGround& ground,
                                         const terrain::LumpedSoil& soil,
                                         const terrain::Terrain& terrain,
                                         terrain::TerrainCache* cache, const WheelMotion<T>& wheel,
                                         const tire::TireState<T>& state) {
  const double R = soil.radius;
  const GroundContact<T> c = find_contact(WheelSize{R, soil.width}, ground.contact, terrain, cache,
                                          wheel.center, wheel.axis);
  const T loaded_radius = R - c.deflection * c.cos_camber;
  const HubMotion<T> hub = calc_hub_motion(wheel, c, loaded_radius);
  const T V_rim = R * hub.omega;
  const auto r = terrain::calc_lumped_forces(
      soil,
      terrain::LumpedMotion<T>{c.deflection, hub.depth_rate, hub.Vx - V_rim, hub.Vy, V_rim,
                               c.friction},
      state.u, state.w);
  WheelForces<T> f;
  f.Fx = r.Fx;
  f.Fy = r.Fy;
  f.Fz = r.Fz;
  f.force = c.along * f.Fx + c.across * f.Fy + c.normal * f.Fz;
  const T My = -soil.rolling_resistance * R * f.Fz * soft_sign(V_rim);
  f.torque = cross(c.arm, f.force) + c.across * My - wheel.axis * T(f.Fx * (R - loaded_radius));
  f.rates = {r.bristle_rate_x, r.bristle_rate_y};
  f.point = wheel.center + c.arm;
  const auto touches = f.Fz > 0.0;
  f.deflection = select(touches, T(f.Fz / soil.tire.stiffness), c.deflection);
  f.sinkage = select(touches, larger(T(c.deflection - f.deflection), T(0)), T(0));
  f.rut = T(0);
  set_slip(hub, T(R), &f);
  const T spring = select(touches, T(soil.stiffness * c.deflection), T(0));
  f.sliding_power = f.Fx * (hub.Vx - V_rim) + f.Fy * hub.Vy;
  f.damping_power = (spring - f.Fz) * hub.depth_rate;
  f.stored_power = spring * hub.depth_rate;
  f.rolling_power = My * dot(c.across, Vec3<T>(wheel.hub_turn_rate + wheel.axis * wheel.spin));
  return f;
}

WheelForces<double> calc_wheel_on_soil(const SoilGround& ground, const terrain::Terrain& terrain,
                                       terrain::TerrainCache* cache,
                                       const WheelMotion<double>& wheel,
                                       const terrain::SoilTime& time, terrain::SoilGrid* soil,
                                       SoilWheelMemory* memory) {
  const GroundContact<double> c =
      find_contact(ground.wheel, ContactOptions{}, terrain, cache, wheel.center, wheel.axis);
  const Vec3<double> turn = wheel.hub_turn_rate + wheel.axis * wheel.spin;
  const terrain::BodyMotion motion{.center = to_eigen(wheel.center),
                                   .axis = to_eigen(wheel.axis),
                                   .velocity = to_eigen(wheel.velocity),
                                   .angular_velocity = to_eigen(turn)};
  const bool has_tire = !ground.tire.deflection.empty();
  const terrain::WheelShape rigid{ground.wheel.radius, ground.wheel.width};
  const terrain::SoilContact contact =
      has_tire ? soil->look(make_tire(ground, c), motion, time) : soil->look(rigid, motion, time);
  const bool touches = contact.nodes > 0;
  if (time.is_for_good) {
    *memory = {};
    if (touches) *memory = {contact.area, contact.sinkage, wheel.center + c.arm};
  }

  WheelForces<double> f;
  f.force = from_eigen(contact.force_W);
  f.Fx = dot(f.force, c.along);
  f.Fy = dot(f.force, c.across);
  f.Fz = dot(f.force, c.normal);
  const double omega = dot(turn, wheel.axis), R_e = ground.wheel.radius - contact.deflection / 3;
  const double My = has_tire ? -ground.rolling_resistance * R_e * f.Fz * soft_sign(omega * R_e) : 0;
  f.torque = from_eigen(contact.torque_W) + wheel.axis * My;
  f.rates = {};
  f.point = wheel.center + c.arm;
  f.deflection = touches ? contact.deflection : std::min(c.deflection, 0.0);
  f.sinkage = contact.sinkage;
  f.rut = soil->rut_depth(f.point[0], f.point[1]);
  set_slip(calc_hub_motion(wheel, c, ground.wheel.radius - contact.deflection), R_e, &f);
  // The soil gives nearly nothing back: all of its work counts as lost, beside the tire's.
  f.rolling_power = My * omega;
  f.stored_power = contact.stored_power;
  f.damping_power = contact.damping_power;
  f.sliding_power = dot(f.force, wheel.velocity) + dot(f.torque, turn) - f.rolling_power -
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

#define CAMBER_INSTANTIATE(T)                                                   \
  template WheelForces<T> calc_wheel_on_lumped_soil(                            \
      const LumpedGround&, const terrain::LumpedSoil&, const terrain::Terrain&, \
      terrain::TerrainCache*, const WheelMotion<T>&, const tire::TireState<T>&);
CAMBER_FOR_EACH_WHEEL_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::dynamics
