#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "camber/math/dual.h"

namespace camber::rolling_wheel {

/// The contact law between wheel and ground: docs/theory/rolling-wheel.md.
enum class WheelLaw {
  kRelaxed,      // the rolling constraint, relaxed by the needed contact force over mu N
  kEvents,       // Coulomb's law, stick and slip switched at their instants: the reference
  kRegularized,  // mu N tanh(slip / slip_speed): creeps
  kPrinted,      // [Ikoki 2021] eq. (19)-(26) as they are printed: not physics, for comparison
};
const char* to_text(WheelLaw law);
std::optional<WheelLaw> find_wheel_law(std::string_view name);

/// A wheel in its vertical plane on a slope: x along the ground, theta its rotation angle. The slip
/// speed of the wheel's material at the contact is u = x' - R theta'.
struct RollingWheel {
  double mass = 0;               // [kg] > 0
  double radius = 0;             // [m] > 0
  double inertia = 0;            // about the axle [kg m^2] > 0
  bool locked = false;           // a parking brake of unlimited torque: theta' stays zero
  double gravity = 9.81;         // [m/s^2]
  double slope = 0;              // [rad] > 0 is uphill along x
  double drag = 0;               // [N s^2/m^2] force -drag x' |x'|
  double bearing = 0;            // [N m s/rad] torque -bearing theta'
  double brake_sharpness = 100;  // [s/rad] the brake's torque is -brake tanh(sharpness theta')
  double slip_speed = 1e-3;      // [m/s] sharpness of kRelaxed and kRegularized
  double k_s = 1, k_F = 1;       // of kPrinted
};

/// What is prescribed over time.
struct WheelInputs {
  double mu = 0;     // >= 0
  double drive = 0;  // [N m]
  double brake = 0;  // [N m] >= 0
};
using WheelSchedule = std::function<WheelInputs(double t)>;

/// For kEvents: stick, or the direction of slip.
enum class WheelMode { kStick, kForward, kBackward };  // the sign of the slip u

template <class T>
struct WheelRates {
  T v_dot, slip_dot;  // [m/s^2]
  T force;            // of the ground on the wheel along x [N]
  T holding;          // the force that would keep the slip constant [N]
  T needed;           // kRelaxed: holding plus the restoring force; slips if above the limit
  T limit;            // mu N [N]
  T relaxation;       // s: 1 sticks
  T load_power;       // of all loads except the ground [W]
  T contact_power;    // of the ground [W]
};

/// Accelerations and forces at speed v = x' and slip u. The mode is used by kEvents only.
template <class T>
WheelRates<T> calc_wheel_rates(const RollingWheel& wheel, const WheelInputs& inputs, WheelLaw law,
                               WheelMode mode, const T& v, const T& slip);

extern template WheelRates<double> calc_wheel_rates(const RollingWheel&, const WheelInputs&,
                                                    WheelLaw, WheelMode, const double&,
                                                    const double&);
extern template WheelRates<math::Dual<2>> calc_wheel_rates(const RollingWheel&, const WheelInputs&,
                                                           WheelLaw, WheelMode,
                                                           const math::Dual<2>&,
                                                           const math::Dual<2>&);

double normal_force(const RollingWheel& wheel);   // [N]
double slip_mobility(const RollingWheel& wheel);  // slip' by a unit of contact force [1/kg]

/// Throws std::invalid_argument naming the invalid number.
void check(const RollingWheel& wheel);

}  // namespace camber::rolling_wheel
