// The contact point moves with the hub's turn across the axis; the turn about the axis is the
// wheel's own, hub and spin together:
//   V = v_center + (w - (w.a) a) x arm,   omega = w.a + spin                                    (1)
//   V_s = (V_x - R_e omega, V_y)                                                                (2)
// The tire's force acts at the contact point. There F_x has the loaded radius R_l as its lever; the
// power of a tire that rolls without loss, F_x R_e omega, asks for the rolling radius. The pressure
// that moves ahead in the contact makes up for it; its moment about the axis is
//   -F_x (R_e - R_l).                                                                           (3)
#include "camber/dynamics/wheel_on_ground.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <variant>

#include "camber/dynamics/scalars.h"

namespace camber::dynamics {
namespace {

using tire::larger;

template <class T>
T calc_camber(const tire::RollingTire& tire, const GroundContact<T>& contact) {
  using std::asin;
  // The other models know of none.
  if (!std::holds_alternative<tire::MagicFormulaTire>(tire.steady)) return T(0);
  return asin(contact.sin_camber);
}

/// (1): axis x arm = -R_l along.
template <class T>
T calc_forward_speed(const GroundContact<T>& c, const Vec3<T>& v, const T& turn,
                     const T& loaded_radius) {
  return dot(c.along, v) + turn * loaded_radius;
}

template <class T>
T calc_loaded_radius(const tire::RollingTire& tire, const GroundContact<T>& c) {
  return tire.radius - c.deflection * c.cos_camber;
}

/// About the wheel's center, of a force in the contact. (3)
template <class T>
Vec3<T> calc_torque(const GroundContact<T>& c, const Vec3<T>& axis, const Vec3<T>& force,
                    const T& Fx, const T& rolling_radius, const T& loaded_radius) {
  return cross(c.arm, force) - axis * T(Fx * (rolling_radius - loaded_radius));
}

// --- Four wheels in the lanes of one ---

using L = tire::Lanes4;

L gather(double a, double b, double c, double d) { return L(L::Pack{a, b, c, d}); }

Vec3<L> gather(const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c,
               const Vec3<double>& d) {
  const auto even01 = __builtin_shufflevector(a.e, b.e, 0, 4, 2, 6);
  const auto even23 = __builtin_shufflevector(c.e, d.e, 0, 4, 2, 6);
  const auto odd01 = __builtin_shufflevector(a.e, b.e, 1, 5, 3, 7);
  const auto odd23 = __builtin_shufflevector(c.e, d.e, 1, 5, 3, 7);
  return {L(__builtin_shufflevector(even01, even23, 0, 1, 4, 5)),
          L(__builtin_shufflevector(odd01, odd23, 0, 1, 4, 5)),
          L(__builtin_shufflevector(even01, even23, 2, 3, 6, 7))};
}

WheelMotion<L> gather(const WheelMotion<double>* w) {
  return {gather(w[0].center, w[1].center, w[2].center, w[3].center),
          gather(w[0].axis, w[1].axis, w[2].axis, w[3].axis),
          gather(w[0].velocity, w[1].velocity, w[2].velocity, w[3].velocity),
          gather(w[0].hub_turn_rate, w[1].hub_turn_rate, w[2].hub_turn_rate, w[3].hub_turn_rate),
          gather(w[0].spin, w[1].spin, w[2].spin, w[3].spin)};
}

tire::TireState<L> gather(const tire::TireState<double>* s) {
  return {gather(s[0].u, s[1].u, s[2].u, s[3].u), gather(s[0].w, s[1].w, s[2].w, s[3].w)};
}

void scatter(const Vec3<L>& from, Vec3<double> WheelForces<double>::*member,
             WheelForces<double>* to) {
  const math::Pack4 x = from[0].pack, y = from[1].pack, z = from[2].pack, zero{};
  const auto xy_even = __builtin_shufflevector(x, y, 0, 4, 2, 6);
  const auto xy_odd = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  const auto z_even = __builtin_shufflevector(z, zero, 0, 4, 2, 6);
  const auto z_odd = __builtin_shufflevector(z, zero, 1, 5, 3, 7);
  to[0].*member = Vec3<double>(__builtin_shufflevector(xy_even, z_even, 0, 1, 4, 5));
  to[1].*member = Vec3<double>(__builtin_shufflevector(xy_odd, z_odd, 0, 1, 4, 5));
  to[2].*member = Vec3<double>(__builtin_shufflevector(xy_even, z_even, 2, 3, 6, 7));
  to[3].*member = Vec3<double>(__builtin_shufflevector(xy_odd, z_odd, 2, 3, 6, 7));
}

void scatter(const WheelForces<L>& from, WheelForces<double>* to) {
  using F = WheelForces<double>;
  scatter(from.force, &F::force, to);
  scatter(from.torque, &F::torque, to);
  scatter(from.point, &F::point, to);
  for (int i = 0; i < 4; ++i) {
    to[i].rates = {from.rates.u.lane(i), from.rates.w.lane(i)};
    to[i].Fx = from.Fx.lane(i), to[i].Fy = from.Fy.lane(i), to[i].Fz = from.Fz.lane(i);
    to[i].deflection = from.deflection.lane(i);
    to[i].sinkage = from.sinkage.lane(i), to[i].rut = from.rut.lane(i);
    to[i].slip = from.slip.lane(i), to[i].tan_alpha = from.tan_alpha.lane(i);
    to[i].sliding_power = from.sliding_power.lane(i);
    to[i].damping_power = from.damping_power.lane(i);
    to[i].rolling_power = from.rolling_power.lane(i);
    to[i].stored_power = from.stored_power.lane(i);
    to[i].tread_power = from.tread_power.lane(i);
  }
}

template <class T>
[[gnu::always_inline]] inline WheelForces<T> calc_wheel_in_contact(
    const tire::RollingTire& tire, const GroundContact<T>& c, const WheelMotion<T>& wheel,
    const tire::TireState<T>& state) {
  using math::select;
  using std::abs;
  const Vec3<T>& w = wheel.hub_turn_rate;
  const T turn = dot(w, wheel.axis), omega = turn + wheel.spin;
  const T loaded_radius = calc_loaded_radius(tire, c);
  const Vec3<T> v = wheel.velocity + cross(w, c.arm);
  tire::WheelContact<T> contact;
  contact.deflection = c.deflection;
  contact.deflection_rate = -dot(c.normal, v);
  contact.Vx = calc_forward_speed(c, v, turn, loaded_radius);
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
  f.torque = calc_torque(c, wheel.axis, f.force, f.Fx, r.rolling_radius, loaded_radius) + moment;
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
  f.tread_power = r.tread_power;
  f.rolling_power = dot(moment, Vec3<T>(w + wheel.axis * wheel.spin));
  return f;
}

}  // namespace

template <class T>
WheelForces<T> calc_wheel_on_ground(const tire::RollingTire& tire, const ContactOptions& options,
                                    const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                                    const WheelMotion<T>& wheel, const tire::TireState<T>& state) {
  const GroundContact<T> c = find_contact(WheelSize{tire.radius, tire.width}, options, terrain,
                                          cache, wheel.center, wheel.axis);
  return calc_wheel_in_contact(tire, c, wheel, state);
}

template <class T>
WheelForces<T> calc_wheel_on_plane(const tire::RollingTire& tire, const PlaneGround<T>& plane,
                                   const WheelMotion<T>& wheel, const tire::TireState<T>& state) {
  const GroundContact<T> c =
      find_contact_on_plane(WheelSize{tire.radius, tire.width}, plane, wheel.center, wheel.axis);
  return calc_wheel_in_contact(tire, c, wheel, state);
}

Footing find_footing(const tire::RollingTire& tire, const ContactOptions& options,
                     const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                     const WheelMotion<double>& wheel) {
  const GroundContact<double> c = find_contact(WheelSize{tire.radius, tire.width}, options, terrain,
                                               cache, wheel.center, wheel.axis);
  return {c, calc_rolling_radius(tire, c.deflection), calc_loaded_radius(tire, c)};
}

SlipVelocity calc_slip(const Footing& footing, const WheelMotion<double>& wheel) {
  const GroundContact<double>& c = footing.contact;
  const Vec3<double> v = wheel.velocity + cross(wheel.hub_turn_rate, c.arm);
  const double turn = dot(wheel.hub_turn_rate, wheel.axis);
  return {calc_forward_speed(c, v, turn, footing.loaded_radius) -
              footing.rolling_radius * (turn + wheel.spin),
          dot(c.across, v)};  // (2)
}

void add_force(const Footing& footing, const WheelMotion<double>& wheel, double Fx, double Fy,
               WheelLoad<double>* load) {
  const GroundContact<double>& c = footing.contact;
  const Vec3<double> force = c.along * Fx + c.across * Fy;
  load->force += force;
  load->torque +=
      calc_torque(c, wheel.axis, force, Fx, footing.rolling_radius, footing.loaded_radius);
}

void calc_wheels_on_ground(const tire::RollingTire& tire, const ContactOptions& options,
                           const terrain::Terrain& terrain, terrain::TerrainCache* cache,
                           std::span<const WheelMotion<double>> wheels,
                           std::span<const tire::TireState<double>> states,
                           std::span<WheelForces<double>> forces, bool pads) {
  assert(wheels.size() == states.size() && wheels.size() == forces.size());
  std::size_t i = 0;
  for (; i + 4 <= wheels.size(); i += 4)
    scatter(
        calc_wheel_on_ground(tire, options, terrain, cache, gather(&wheels[i]), gather(&states[i])),
        &forces[i]);
  if (pads && i < wheels.size()) {
    std::array<WheelMotion<double>, 4> four_wheels;
    std::array<tire::TireState<double>, 4> four_states;
    std::array<WheelForces<double>, 4> four_forces;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t from = std::min(i + k, wheels.size() - 1);
      four_wheels[k] = wheels[from];
      four_states[k] = states[from];
    }
    scatter(calc_wheel_on_ground(tire, options, terrain, cache, gather(four_wheels.data()),
                                 gather(four_states.data())),
            four_forces.data());
    std::copy_n(four_forces.begin(), wheels.size() - i, forces.begin() + i);
    return;
  }
  for (; i < wheels.size(); ++i)
    forces[i] = calc_wheel_on_ground(tire, options, terrain, cache, wheels[i], states[i]);
}

#define CAMBER_INSTANTIATE(T)                                                                     \
  template WheelForces<T> calc_wheel_on_ground(const tire::RollingTire&, const ContactOptions&,   \
                                               const terrain::Terrain&, terrain::TerrainCache*,   \
                                               const WheelMotion<T>&, const tire::TireState<T>&); \
  template WheelForces<T> calc_wheel_on_plane(const tire::RollingTire&, const PlaneGround<T>&,    \
                                              const WheelMotion<T>&, const tire::TireState<T>&);
CAMBER_FOR_EACH_WHEEL_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::dynamics
