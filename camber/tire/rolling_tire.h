#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "camber/tire/brush.h"
#include "camber/tire/fiala.h"
#include "camber/tire/magic_formula.h"
#include "camber/tire/tmeasy.h"

namespace camber::tire {

/// The load over the deflection of the tire.
struct VerticalLaw {
  std::vector<double> deflection, force;  // polygon from (0, 0) up [m], [N]; last side extended
  double damping = 0;                     // [N s/m]; never more than the spring
  bool operator==(const VerticalLaw&) const = default;
};

/// A tread that rolls without slip as long as friction suffices: the relaxed rolling constraint.
/// The force that it needs depends on the whole vehicle (docs/theory/driving.md, section 6).
struct RollingConstraint {
  double friction = 0.8;    // of the load, on ground of friction 1
  double slip_speed = 0.5;  // slip at which the restoring force equals full friction [m/s]
  bool operator==(const RollingConstraint&) const = default;
};

/// How the rolling radius falls with the deflection x in tire property files [Pacejka 2012] (7.12):
/// R_e = R - unit (D atan(B x/unit) + F x/unit), the unit the deflection at the nominal load.
struct RollingRadiusLaw {
  double B = 0, D = 0, F = 0;
  double unit = 1;  // [m]
  bool operator==(const RollingRadiusLaw&) const = default;
};

/// A tire for rolling, rest and very low speed: any of the steady models in series with two
/// deflections that follow the slip over the distance rolled (docs/theory/tires.md).
struct RollingTire {
  std::variant<BrushTire, FialaTire, TmeasyTire, MagicFormulaTire> steady;
  /// Replaces the steady model and the deflections; calc_tire() then does not compute longitudinal
  /// and lateral forces.
  std::optional<RollingConstraint> constraint = {};
  VerticalLaw vertical;
  std::optional<RollingRadiusLaw> rolling_radius = {};  // without one a third of the deflection
  double radius = 0;                                    // free [m]
  double width = 0;                                     // of the tread [m]
  double relaxation_along = 0.3;                        // [m]
  double relaxation_across = 0.5;                       // [m]
  double rolling_resistance = 0.015;  // My / (Fz R_e), where the steady model has none
  /// Below this speed the tread deflects less and less before it slides, so that a wheel that
  /// slides to a stop springs back only a little. It is also damped with a time constant; otherwise
  /// a car at rest would oscillate on it.
  double low_speed = 2.0;                // [m/s]
  double standing_deflection = 0.65e-3;  // [m]
  double standing_damping_time = 0.002;  // [s]
  bool operator==(const RollingTire&) const = default;
};

/// Contact of a wheel with the ground: velocities are those of the hub's point at the contact,
/// without spin, in the contact frame.
template <class T>
struct WheelContact {
  T deflection, deflection_rate;  // [m], [m/s]
  T Vx, Vy;                       // [m/s]
  T omega;                        // spin, rolling forward positive [rad/s]
  T gamma = T(0);                 // [rad]
  T friction = T(1);
};

/// Deflections of the tread along and across [m].
template <class T>
struct TireState {
  T u = T(0), w = T(0);
};

template <class T>
struct TireResult {
  TireForce<T> force;
  T Fz;                // [N]
  T rolling_radius;    // [m]
  TireState<T> rates;  // [m/s]
  /// Fx V_sx + Fy V_sy - Fz deflection' is sliding + damping - stored: the losses by sliding and by
  /// the load's damper, neither of them positive, and the power into the load's spring and the
  /// deflected tread [W].
  T sliding_power, damping_power, stored_power;
  T tread_power{0};  // what of the stored power goes into the tread
};

/// Effective rolling radius at a deflection [m].
template <class T>
T calc_rolling_radius(const RollingTire& tire, const T& deflection);

template <class T>
TireResult<T> calc_tire(const RollingTire& tire, const WheelContact<T>& contact,
                        const TireState<T>& state);

/// Stiffness of the tread of a tire at rest, along [N/m]; its damping is as much times the standing
/// damping time.
double calc_standing_stiffness(const RollingTire& tire, double load, double friction);

/// Load at a deflection, at rest.
template <class T>
T calc_static_load(const VerticalLaw& law, const T& deflection);
/// Energy of its spring at a deflection [J].
double calc_spring_energy(const VerticalLaw& law, double deflection);
/// The deflection at which it carries this load [m]. Throws std::invalid_argument if there is none.
double find_deflection(const VerticalLaw& law, double load);

}  // namespace camber::tire
