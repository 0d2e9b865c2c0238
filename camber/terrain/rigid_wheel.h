#pragma once

// A rigid wheel on soil after Wong and Reece (docs/theory/soil.md, section 3): stresses under the
// rim from the laws of soil_laws.h, integrated over the arc of contact. The whole state is geometry
// and slip; there is no memory of earlier passes (that is soil_grid.h).

#include "camber/math/dual.h"
#include "camber/terrain/soil.h"

namespace camber::terrain {

/// How sinkage grows with slip, in addition to the effect of the shear stress.
enum class SlipSinkage {
  kNone,
  kExponent,  // n = n_0 + n_1 |s| [Ding]
  kVasilev,   // z = z_0 (1 + s)/(1 - s/2), |s|
};

struct RigidWheel {
  double radius = 0.47;             // [m]
  double width = 0.3175;            // [m]
  double c1 = 0.4, c2 = 0.2;        // stress is largest at theta_m = (c1 + c2 s) theta_1
  double exit0 = 0.0, exit1 = 0.0;  // leaves the soil at theta_2 = -(exit0 + exit1 |s|) theta_1
  SlipSinkage slip_sinkage = SlipSinkage::kNone;
  double n_1 = 0.0;         // of SlipSinkage::kExponent
  bool bulldozing = false;  // passive resistance in front when braked, and at the side
};

/// How the wheel moves: s = 1 - V/(r omega) driven, r omega/V - 1 braked, so -1 (locked) to 1
/// (spinning on the spot); slip angle beta > 0 when the hub moves to the left.
template <class T>
struct WheelSlip {
  T s{0};
  T beta{0};  // [rad]
};

/// Forces of the soil on the wheel, in wheel axes: x forward, y left, z up.
template <class T>
struct WheelForces {
  T Fx{0}, Fy{0}, Fz{0};  // drawbar pull, side force, load carried [N]
  T torque{0};            // drive torque of the wheel [N m]
  T compaction{0};        // int sigma sin(theta): resistance of the normal stress [N]
  T sinkage{0};           // [m]
};

/// Forces at an entry angle theta_1 in (0, pi/2). `k` is the soil's modulus under the wheel's width
/// (calc_modulus), so that it is not computed again in each call.
template <class T>
WheelForces<T> calc_wheel_forces(const RigidWheel& wheel, const Soil& soil, double k,
                                 const T& theta_1, const WheelSlip<T>& slip);
/// For double and Dual<3> (entry angle, slip, slip angle).
extern template WheelForces<double> calc_wheel_forces(const RigidWheel&, const Soil&, double,
                                                      const double&, const WheelSlip<double>&);
extern template WheelForces<math::Dual<3>> calc_wheel_forces(const RigidWheel&, const Soil&, double,
                                                             const math::Dual<3>&,
                                                             const WheelSlip<math::Dual<3>>&);

/// Equilibrium of the wheel under a load.
struct WheelOnSoil {
  enum class Status {
    kOk,
    kBottoming,  // no sinkage carries the load: it sinks to its axle and beyond
  };
  Status status = Status::kOk;
  double theta_1 = 0.0;  // entry angle; of the largest load that is carried when bottoming [rad]
  WheelForces<double> forces = {};
};

/// The smallest entry angle at which the wheel carries `load` [N], by bracketing: Fz(theta_1) is
/// not monotone for deep wheels. Throws std::invalid_argument for a load that is not > 0 or a slip
/// outside -1..1.
WheelOnSoil solve_wheel_load(const RigidWheel& wheel, const Soil& soil, double load,
                             const WheelSlip<double>& slip);

/// Bekker's wheel with normal stress alone on p = k z^n: closed form for small sinkage, and the
/// exact integral over the arc.
struct TowedWheel {
  double sinkage = 0.0;     // [m]
  double resistance = 0.0;  // [N]
};
TowedWheel bekker_towed_wheel(double k, double n, double radius, double width, double load);
TowedWheel exact_towed_wheel(double k, double n, double radius, double width, double load);

}  // namespace camber::terrain
