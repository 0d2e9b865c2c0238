// The contact point moves with the hub's turn across the axis; the turn about the axis is the
// wheel's own, hub and spin together:
//   V = v_center + (w - (w.a) a) x arm,   omega = w.a + spin                                    (1)
//   V_s = (V_x - R_e omega, V_y)                                                                (2)
// The tire's force acts at the contact point. There F_x has the loaded radius R_l as its lever; the
// power of a tire that rolls without loss, F_x R_e omega, asks for the rolling radius. The pressure
// that moves ahead in the contact makes up for it; its moment about the axis is
//   -F_x (R_e - R_l).                                                                           (3)
#include "camber/drive/wheel_on_ground.h"

#include <cassert>
#include <cmath>
#include <variant>

#include "camber/drive/scalars.h"

namespace camber::drive {
namespace {

using tire::larger;

template <class T>
T calc_camber(const tire::RollingTire& tire, const GroundContact<T>& contact) {
  using std::asin;
  // The other models know of none.
  if (!std::holds_alternative<tire::MagicFormulaTire>(tire.steady)) return T(0);
  return asin(contact.sin_camber);
}

}  // namespace

template <class T>
WheelForces<T> calc_wheel_on_ground(const tire::RollingTire& tire, const ContactOptions& options,
                                    const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                                    const WheelMotion<T>& wheel, const tire::TireState<T>& state) {
  using math::select;
  using std::abs;
  const GroundContact<T> c = find_contact(WheelSize{tire.radius, tire.width}, options, terrain,
                                          cache, wheel.center, wheel.axis);
  const Vec3<T>& w = wheel.hub_turn_rate;
  const T turn = dot(w, wheel.axis), omega = turn + wheel.spin;
  const T loaded_radius = tire.radius - c.deflection * c.cos_camber;
  const Vec3<T> v = wheel.velocity + cross(w, c.arm);
  tire::WheelContact<T> contact;
  contact.deflection = c.deflection;
  contact.deflection_rate = -dot(c.normal, v);
  contact.Vx = dot(c.along, v) + turn * loaded_radius;  // (1): axis x arm = -R_l along
  contact.Vy = dot(c.across, v);
  contact.omega = omega;
  contact.gamma = calc_camber(tire, c);
  contact.friction = c.friction;
  const tire::TireResult<T> r = calc_tire(tire, contact, state);

  WheelForces<T> f;
  f.Fx = r.force.Fx;
  f.Fy = r.force.Fy;
  f.Fz = r.Fz;
  f.force = c.along * f.Fx + c.across * f.Fy + c.normal * f.Fz;
  const Vec3<T> moment = c.along * r.force.Mx + c.across * r.force.My + c.normal * r.force.Mz;
  f.torque = cross(c.arm, f.force) + moment -
             wheel.axis * T(f.Fx * (r.rolling_radius - loaded_radius));  // (3)
  f.rates = r.rates;
  f.point = wheel.center + c.arm;
  f.deflection = c.deflection;
  f.sinkage = f.rut = T(0);
  const auto touches = f.Fz > 0.0;
  const T speed = larger(T(abs(contact.Vx)), T(1e-3));
  f.slip = select(touches, T((omega * r.rolling_radius - contact.Vx) / speed), T(0));
  f.tan_alpha = select(touches, T(contact.Vy / speed), T(0));
  f.sliding_power = r.sliding_power;
  f.damping_power = r.damping_power;
  f.stored_power = r.stored_power;
  f.rolling_power = dot(moment, Vec3<T>(w + wheel.axis * wheel.spin));
  return f;
}

void calc_wheels_on_ground(const tire::RollingTire& tire, const ContactOptions& options,
                           const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                           std::span<const WheelMotion<double>> wheels,
                           std::span<const tire::TireState<double>> states,
                           std::span<WheelForces<double>> forces) {
  assert(wheels.size() == states.size() && wheels.size() == forces.size());
  for (std::size_t i = 0; i < wheels.size(); ++i)
    forces[i] = calc_wheel_on_ground(tire, options, terrain, cache, wheels[i], states[i]);
}

#define CAMBER_INSTANTIATE(T)                                                                   \
  template WheelForces<T> calc_wheel_on_ground(const tire::RollingTire&, const ContactOptions&, \
                                               const terrain::Terrain&, terrain::TerrainCache*, \
                                               const WheelMotion<T>&, const tire::TireState<T>&);
CAMBER_FOR_EACH_WHEEL_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::drive
