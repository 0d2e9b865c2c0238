#pragma once

#include <span>
#include <string_view>

#include "camber/tire/slip.h"

namespace camber::tire {

/// The Magic Formula's coefficients under their names in tire property files; angles in rad, SI
/// units. Coefficients that a file does not give are zero, scales are one.
struct MagicFormulaTire {
  enum class Version { k52, k61 };
  Version version = Version::k52;

  // The tire
  double UNLOADED_RADIUS = 0.3, WIDTH = 0.2;                     // [m]
  double FNOMIN = 4000, FZMIN = 0, FZMAX = 1e9;                  // loads [N]
  double LONGVL = 16.7;                                          // [m/s] of the measurement
  double NOMPRES = 2e5, INFLPRES = 2e5;                          // pressures [Pa]
  double VERTICAL_STIFFNESS = 2e5, VERTICAL_DAMPING = 50;        // [N/m], [N s/m]
  double BREFF = 0, DREFF = 0, FREFF = 0;                        // rolling radius; 0: not given
  double LONGITUDINAL_STIFFNESS = 3e5, LATERAL_STIFFNESS = 1e5;  // 6.1: of the carcass [N/m]
  double PCFX1 = 0, PCFX2 = 0, PCFX3 = 0, PCFY1 = 0, PCFY2 = 0, PCFY3 = 0;
  /// Range of the measurement: beyond it, forces are those at its ends. Infinite without a file.
  double KPUMIN = -1e9, KPUMAX = 1e9, ALPMIN = -1e9, ALPMAX = 1e9, CAMMIN = -1e9, CAMMAX = 1e9;

  // Scales
  double LFZO = 1, LCX = 1, LMUX = 1, LEX = 1, LKX = 1, LHX = 1, LVX = 1, LGAX = 1;
  double LCY = 1, LMUY = 1, LEY = 1, LKY = 1, LHY = 1, LVY = 1, LGAY = 1, LKYC = 1;
  double LTR = 1, LRES = 1, LGAZ = 1, LKZC = 1, LS = 1, LXAL = 1, LYKA = 1, LVYKA = 1;
  double LMX = 1, LVMX = 1, LMY = 1, LSGKP = 1, LSGAL = 1, LCZ = 1;

  // Along
  double PCX1 = 1.6, PDX1 = 1, PDX2 = 0, PDX3 = 0, PEX1 = 0, PEX2 = 0, PEX3 = 0, PEX4 = 0;
  double PKX1 = 20, PKX2 = 0, PKX3 = 0, PHX1 = 0, PHX2 = 0, PVX1 = 0, PVX2 = 0;
  double PPX1 = 0, PPX2 = 0, PPX3 = 0, PPX4 = 0;
  double RBX1 = 0, RBX2 = 0, RBX3 = 0, RCX1 = 1, REX1 = 0, REX2 = 0, RHX1 = 0;
  double PTX1 = 0, PTX2 = 0, PTX3 = 0;
  // Across
  double PCY1 = 1.3, PDY1 = 1, PDY2 = 0, PDY3 = 0, PEY1 = 0, PEY2 = 0, PEY3 = 0, PEY4 = 0, PEY5 = 0;
  double PKY1 = -20, PKY2 = 2, PKY3 = 0, PKY4 = 2, PKY5 = 0, PKY6 = 0, PKY7 = 0;
  double PHY1 = 0, PHY2 = 0, PHY3 = 0, PVY1 = 0, PVY2 = 0, PVY3 = 0, PVY4 = 0;
  double PPY1 = 0, PPY2 = 0, PPY3 = 0, PPY4 = 0, PPY5 = 0;
  double RBY1 = 0, RBY2 = 0, RBY3 = 0, RBY4 = 0, RCY1 = 1, REY1 = 0, REY2 = 0, RHY1 = 0, RHY2 = 0;
  double RVY1 = 0, RVY2 = 0, RVY3 = 0, RVY4 = 0, RVY5 = 0, RVY6 = 0;
  double PTY1 = 0, PTY2 = 0;
  // Moments
  double QSX1 = 0, QSX2 = 0, QSX3 = 0, QSX4 = 0, QSX5 = 0, QSX6 = 0, QSX7 = 0, QSX8 = 0, QSX9 = 0;
  double QSX10 = 0, QSX11 = 0, PPMX1 = 0;
  double QSY1 = 0, QSY2 = 0, QSY3 = 0, QSY4 = 0, QSY5 = 0, QSY6 = 0;
  double QSY7 = 1, QSY8 = 0;  // exponents; these are what 5.2 has
  double QBZ1 = 0, QBZ2 = 0, QBZ3 = 0, QBZ4 = 0, QBZ5 = 0, QBZ9 = 0, QBZ10 = 0, QCZ1 = 1;
  double QDZ1 = 0, QDZ2 = 0, QDZ3 = 0, QDZ4 = 0, QDZ6 = 0, QDZ7 = 0, QDZ8 = 0, QDZ9 = 0;
  double QDZ10 = 0, QDZ11 = 0, QEZ1 = 0, QEZ2 = 0, QEZ3 = 0, QEZ4 = 0, QEZ5 = 0;
  double QHZ1 = 0, QHZ2 = 0, QHZ3 = 0, QHZ4 = 0, PPZ1 = 0, PPZ2 = 0;
  double SSZ1 = 0, SSZ2 = 0, SSZ3 = 0, SSZ4 = 0;
  bool operator==(const MagicFormulaTire&) const = default;
};

/// A coefficient by its name in a file.
struct MagicFormulaKey {
  std::string_view name;
  double MagicFormulaTire::*member;
};
std::span<const MagicFormulaKey> magic_formula_keys();

/// All of them, pure and combined slip, at steady state. My, the rolling resistance, is that of a
/// wheel that rolls forward.
template <class T>
TireForce<T> calc_steady_force(const MagicFormulaTire& tire, const Slip<T>& slip);
/// Pure slip: Fx0 and Fy0, and their factors.
template <class T>
struct PureForces {
  T Fx0, Fy0;    // [N]
  T Kx, Ky;      // slopes [N], [N/rad]; Ky < 0
  T mu_x, mu_y;  // peak friction
};
template <class T>
PureForces<T> calc_pure_forces(const MagicFormulaTire& tire, const Slip<T>& slip);
template <class T>
SlipStiffness<T> calc_slip_stiffness(const MagicFormulaTire& tire, const T& Fz, const T& friction);

/// Relaxation length: the distance rolled until the force has reached 63 % [m].
template <class T>
struct RelaxationLengths {
  T along, across;
};
template <class T>
RelaxationLengths<T> calc_relaxation_lengths(const MagicFormulaTire& tire, const T& Fz,
                                             const T& gamma);

/// The same tire on the other side of the vehicle: asymmetric coefficients change their sign.
MagicFormulaTire mirror(const MagicFormulaTire& tire);
/// Without the shifts by which a tire has forces at zero slip.
MagicFormulaTire without_shifts(const MagicFormulaTire& tire);

}  // namespace camber::tire
