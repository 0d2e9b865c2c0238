// [Pacejka 2012] section 4.3, "Magic Formula", without turn slip; equation numbers are those of the
// book, with an A those of [Besselink 2010], "An improved Magic Formula/Swift tyre model that can
// handle inflation pressure changes", Vehicle System Dynamics 48. Version 5.2 (PAC2002) is the
// same with a few terms of its own, marked here.
//   y = D sin(C atan(B x - E (B x - atan(B x)))) + S_V,   x shifted by S_H
#include "camber/tire/magic_formula.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "camber/symbolic/expr.h"
#include "camber/tire/scalars.h"

namespace camber::tire {
namespace {

using Version = MagicFormulaTire::Version;

template <class T>
T bend(const T& Bx, const T& E) {  // the argument of the outer atan
  using std::atan;
  return Bx - E * (Bx - atan(Bx));
}
template <class T>
T magic_sine(const T& D, double C, const T& Bx, const T& E) {
  using std::atan;
  using std::sin;
  return D * sin(C * atan(bend(Bx, E)));
}
template <class T>
T magic_cosine(double C, const T& Bx, const T& E) {
  using std::atan;
  using std::cos;
  return cos(C * atan(bend(Bx, E)));
}
template <class T>
T at_most_one(const T& E) {
  return smaller(E, T(1));
}
template <class T>
T sign_of(const T& x) {
  using math::select;
  return select(x < 0.0, T(-1), T(1));
}
/// cos(atan(x))
template <class T>
T cos_atan(const T& x) {
  using std::sqrt;
  return 1.0 / sqrt(1.0 + x * x);
}

/// What all forces of one load and slip share.
template <class T>
struct Common {
  T Fz, load_share;  // the load within the file's range, and the true one over it
  T Fz0, dfz, dpi;
  T alpha;  // [rad] in 5.2, its tangent in 6.1
  T gamma;  // [rad] in 5.2, its sine in 6.1
  T cos_alpha;
  T friction;
};

/// Within what was measured. From a right angle on there is no bound on the tangent.
template <class T>
Slip<T> keep_in_range(const MagicFormulaTire& t, Slip<T> slip) {
  constexpr double kRightAngle = std::numbers::pi / 2;
  slip.kappa = larger(smaller(slip.kappa, T(t.KPUMAX)), T(t.KPUMIN));
  slip.gamma = larger(smaller(slip.gamma, T(t.CAMMAX)), T(t.CAMMIN));
  if (t.ALPMAX < kRightAngle) slip.tan_alpha = smaller(slip.tan_alpha, T(std::tan(t.ALPMAX)));
  if (t.ALPMIN > -kRightAngle) slip.tan_alpha = larger(slip.tan_alpha, T(std::tan(t.ALPMIN)));
  return slip;
}

template <class T>
Common<T> calc_common(const MagicFormulaTire& t, const Slip<T>& slip) {
  using math::select;
  using std::atan;
  using std::sin;
  Common<T> c;
  c.Fz = larger(smaller(slip.Fz, T(t.FZMAX)), T(std::max(t.FZMIN, 1e-3 * t.FNOMIN)));
  c.load_share = larger(slip.Fz, T(0)) / c.Fz;
  c.Fz0 = T(t.FNOMIN * t.LFZO);
  c.dfz = (c.Fz - c.Fz0) / c.Fz0;
  c.dpi = T(t.version == Version::k61 ? (t.INFLPRES - t.NOMPRES) / t.NOMPRES : 0.0);
  c.alpha = t.version == Version::k61 ? slip.tan_alpha : T(atan(slip.tan_alpha));
  c.gamma = t.version == Version::k61 ? T(sin(slip.gamma)) : slip.gamma;
  c.cos_alpha = cos_atan(slip.tan_alpha);
  c.friction = slip.friction;
  return c;
}

template <class T>
struct Longitudinal {
  T F0, K, mu;
};

template <class T>
Longitudinal<T> calc_longitudinal(const MagicFormulaTire& t, const Common<T>& c, const T& kappa) {
  using std::exp;
  const T gamma = c.gamma * t.LGAX;
  const T kappa_x = kappa + (t.PHX1 + t.PHX2 * c.dfz) * t.LHX;  // (4.E10, E17)
  const T mu = (t.PDX1 + t.PDX2 * c.dfz) * (1.0 + t.PPX3 * c.dpi + t.PPX4 * c.dpi * c.dpi) *
               (1.0 - t.PDX3 * gamma * gamma) * t.LMUX * c.friction;  // (4.E13)
  const T E = at_most_one(T((t.PEX1 + t.PEX2 * c.dfz + t.PEX3 * c.dfz * c.dfz) *
                            (1.0 - t.PEX4 * sign_of(kappa_x)) * t.LEX));  // (4.E14)
  const T K = c.Fz * (t.PKX1 + t.PKX2 * c.dfz) * exp(t.PKX3 * c.dfz) *
              (1.0 + t.PPX1 * c.dpi + t.PPX2 * c.dpi * c.dpi) * t.LKX;           // (4.E15)
  const double C = t.PCX1 * t.LCX;                                               // (4.E11)
  const T D = mu * c.Fz;                                                         // (4.E12)
  const T S_V = c.Fz * (t.PVX1 + t.PVX2 * c.dfz) * t.LVX * t.LMUX * c.friction;  // (4.E18)
  return {magic_sine(D, C, T(K / (C * D) * kappa_x), E) + S_V, K, mu};           // (4.E9)
}

template <class T>
struct Lateral {
  T F0, K, mu;
  T BC, S_H, S_V;
};

template <class T>
Lateral<T> calc_lateral(const MagicFormulaTire& t, const Common<T>& c) {
  using std::abs;
  using std::atan;
  using std::sin;
  const T gamma = c.gamma * t.LGAY;
  const bool is_61 = t.version == Version::k61;
  const T scale = t.LMUY * c.friction;
  const T mu = (t.PDY1 + t.PDY2 * c.dfz) * (1.0 + t.PPY3 * c.dpi + t.PPY4 * c.dpi * c.dpi) *
               (1.0 - t.PDY3 * gamma * gamma) * scale;  // (4.E23)
  const T K = t.PKY1 * c.Fz0 * (1.0 + t.PPY1 * c.dpi) * (1.0 - t.PKY3 * abs(gamma)) *
              sin(t.PKY4 * atan(c.Fz / c.Fz0 /
                                ((t.PKY2 + t.PKY5 * gamma * gamma) * (1.0 + t.PPY2 * c.dpi)))) *
              t.LKY;  // (4.E25)
  // What the inclination adds: a share of the slope in 6.1, a shift in 5.2.
  T S_V_gamma = c.Fz * (t.PVY3 + t.PVY4 * c.dfz) * gamma * scale;  // (4.E28)
  T S_H = (t.PHY1 + t.PHY2 * c.dfz) * t.LHY;                       // (4.E27)
  if (is_61) {
    S_V_gamma = S_V_gamma * t.LKYC;
    const T K_gamma =
        c.Fz * (t.PKY6 + t.PKY7 * c.dfz) * (1.0 + t.PPY5 * c.dpi) * t.LKYC;  // (4.E30)
    S_H = S_H + (K_gamma * gamma - S_V_gamma) / K;
  } else {
    S_H = S_H + t.PHY3 * gamma;
  }
  const T S_V = c.Fz * (t.PVY1 + t.PVY2 * c.dfz) * t.LVY * scale + S_V_gamma;  // (4.E29)
  const T alpha_y = c.alpha + S_H;                                             // (4.E20)
  const T E =
      at_most_one(T((t.PEY1 + t.PEY2 * c.dfz) *
                    (1.0 + t.PEY5 * gamma * gamma - (t.PEY3 + t.PEY4 * gamma) * sign_of(alpha_y)) *
                    t.LEY));        // (4.E24)
  const double C = t.PCY1 * t.LCY;  // (4.E21)
  const T D = mu * c.Fz;            // (4.E22)
  const T BC = K / D;
  return {magic_sine(D, C, T(BC / C * alpha_y), E) + S_V, K, mu, BC, S_H, S_V};  // (4.E19)
}

/// What slip along leaves of the lateral force, and what it adds.
template <class T>
struct Weighted {
  T F, S;
};

template <class T>
T weigh_longitudinal(const MagicFormulaTire& t, const Common<T>& c, const T& kappa) {
  const T gamma2 = c.gamma * c.gamma;
  const T B = (t.RBX1 + t.RBX3 * gamma2) * cos_atan(T(t.RBX2 * kappa)) * t.LXAL;  // (4.E54)
  const T E = at_most_one(T(t.REX1 + t.REX2 * c.dfz));                            // (4.E56)
  return magic_cosine(t.RCX1, T(B * (c.alpha + t.RHX1)), E) /
         magic_cosine(t.RCX1, T(B * t.RHX1), E);  // (4.E52)
}

template <class T>
Weighted<T> weigh_lateral(const MagicFormulaTire& t, const Common<T>& c, const Lateral<T>& y,
                          const T& kappa) {
  using std::atan;
  using std::sin;
  const T B = (t.RBY1 + t.RBY4 * c.gamma * c.gamma) * cos_atan(T(t.RBY2 * (c.alpha - t.RBY3))) *
              t.LYKA;                                   // (4.E62)
  const T E = at_most_one(T(t.REY1 + t.REY2 * c.dfz));  // (4.E64)
  const T S_H = t.RHY1 + t.RHY2 * c.dfz;                // (4.E65)
  const T G = magic_cosine(t.RCY1, T(B * (kappa + S_H)), E) /
              magic_cosine(t.RCY1, T(B * S_H), E);  // (4.E60)
  const T D_V = y.mu * c.Fz * (t.RVY1 + t.RVY2 * c.dfz + t.RVY3 * c.gamma) *
                cos_atan(T(t.RVY4 * c.alpha));                       // (4.E67)
  const T S_V = D_V * sin(t.RVY5 * atan(t.RVY6 * kappa)) * t.LVYKA;  // (4.E66)
  return {G * y.F0 + S_V, S_V};                                      // (4.E58)
}

template <class T>
T calc_aligning_torque(const MagicFormulaTire& t, const Common<T>& c, const Longitudinal<T>& x,
                       const Lateral<T>& y, const T& kappa, const T& Fx, const T& Fy,
                       const T& S_V) {
  using std::abs;
  using std::atan;
  using std::sqrt;
  const double R0 = t.UNLOADED_RADIUS;
  const T gamma = c.gamma * t.LGAZ;
  const T softness = t.LKY / (t.LMUY * c.friction);
  // Slip along turns the slip angles into larger ones of the same effect (4.E77, E78).
  const T stretch = x.K / y.K * kappa;
  const auto with_kappa = [&](const T& angle) {
    return sign_of(angle) * sqrt(angle * angle + stretch * stretch);
  };
  const T S_Ht = t.QHZ1 + t.QHZ2 * c.dfz + (t.QHZ3 + t.QHZ4 * c.dfz) * gamma;  // (4.E35)
  const T alpha_t = with_kappa(T(c.alpha + S_Ht));
  const T alpha_r = with_kappa(T(c.alpha + y.S_H + y.S_V / y.K));  // (4.E38)
  const T B_t = (t.QBZ1 + t.QBZ2 * c.dfz + t.QBZ3 * c.dfz * c.dfz) *
                (1.0 + t.QBZ4 * gamma + t.QBZ5 * abs(gamma)) * softness;  // (4.E40)
  const T D_t = c.Fz * (R0 / c.Fz0) * (t.QDZ1 + t.QDZ2 * c.dfz) * (1.0 - t.PPZ1 * c.dpi) *
                (1.0 + t.QDZ3 * gamma + t.QDZ4 * gamma * gamma) * t.LTR;  // (4.E42)
  const T E_t = at_most_one(T((t.QEZ1 + t.QEZ2 * c.dfz + t.QEZ3 * c.dfz * c.dfz) *
                              (1.0 + (t.QEZ4 + t.QEZ5 * gamma) * (2 / std::numbers::pi) *
                                         atan(B_t * t.QCZ1 * alpha_t))));           // (4.E44)
  const T trail = D_t * magic_cosine(t.QCZ1, T(B_t * alpha_t), E_t) * c.cos_alpha;  // (4.E33)
  const T B_r = t.QBZ9 * softness + t.QBZ10 * y.BC;                                 // (4.E45)
  const T D_r =
      c.Fz * R0 *
      ((t.QDZ6 + t.QDZ7 * c.dfz) * t.LRES + ((t.QDZ8 + t.QDZ9 * c.dfz) * (1.0 + t.PPZ2 * c.dpi) +
                                             (t.QDZ10 + t.QDZ11 * c.dfz) * abs(gamma)) *
                                                gamma * t.LKZC) *
      t.LMUY * c.friction;                                            // (4.E47)
  const T residual = D_r * cos_atan(T(B_r * alpha_r)) * c.cos_alpha;  // (4.E36)
  const T arm =
      R0 * (t.SSZ1 + t.SSZ2 * Fy / c.Fz0 + (t.SSZ3 + t.SSZ4 * c.dfz) * c.gamma) * t.LS;  // (4.E76)
  return -trail * (Fy - S_V) + residual + arm * Fx;                                      // (4.E71)
}

// [Besselink 2010] (A47), (4.E69), as public implementations have it: with the angle, not its sine.
template <class T>
T calc_overturning_moment(const MagicFormulaTire& t, const Common<T>& c, const Slip<T>& slip,
                          const T& Fy) {
  using std::atan;
  using std::cos;
  using std::sin;
  const T fy = Fy / c.Fz0;
  T m = t.QSX1 * t.LVMX - t.QSX2 * (1.0 + t.PPMX1 * c.dpi) * slip.gamma + t.QSX3 * fy;
  const T fz = c.Fz / c.Fz0;
  if (t.QSX4 != 0) {
    const T load = t.QSX6 * fz;
    m = m + t.QSX4 * cos(t.QSX5 * atan(load * load)) *
                sin(t.QSX7 * slip.gamma + t.QSX8 * atan(t.QSX9 * fy));
  }
  if (t.QSX10 != 0) m = m + t.QSX10 * atan(t.QSX11 * fz) * slip.gamma;
  return slip.Fz * t.UNLOADED_RADIUS * m * t.LMX;
}

// [Besselink 2010] (A48), as public implementations have it, which remark that the book's (4.E70)
// has F_z where F_z0 belongs: with q_sy7 = 1, q_sy8 = 0 this form is version 5.2, the other is not.
template <class T>
T calc_rolling_resistance(const MagicFormulaTire& t, const Common<T>& c, const Slip<T>& slip,
                          const T& Fx) {
  using std::abs;
  using std::exp;
  using std::log;
  const T V = slip.speed * (1 / t.LONGVL), V2 = V * V;
  const T fz = c.Fz / c.Fz0;
  T m = t.QSY1 + t.QSY2 * Fx / c.Fz0 + t.QSY3 * abs(V) + t.QSY4 * V2 * V2;
  if (t.QSY5 != 0 || t.QSY6 != 0) m = m + (t.QSY5 + t.QSY6 * fz) * slip.gamma * slip.gamma;
  // F_z0 (F_z / F_z0)^q_sy7; F_z stands in front, and the rest ends where the file's loads do.
  if (t.QSY7 != 1) m = m * exp((t.QSY7 - 1) * log(fz));
  if (t.QSY8 != 0) m = m * std::pow(t.INFLPRES / t.NOMPRES, t.QSY8);
  return -slip.Fz * t.UNLOADED_RADIUS * m * t.LMY;
}

}  // namespace

template <class T>
PureForces<T> calc_pure_forces(const MagicFormulaTire& tire, const Slip<T>& any_slip) {
  const Slip<T> slip = keep_in_range(tire, any_slip);
  const Common<T> c = calc_common(tire, slip);
  const Longitudinal<T> x = calc_longitudinal(tire, c, slip.kappa);
  const Lateral<T> y = calc_lateral(tire, c);
  return {
      c.load_share * x.F0, c.load_share * y.F0, c.load_share * x.K, c.load_share * y.K, x.mu, y.mu};
}

template <class T>
TireForce<T> calc_steady_force(const MagicFormulaTire& t, const Slip<T>& any_slip) {
  const Slip<T> slip = keep_in_range(t, any_slip);
  const Common<T> c = calc_common(t, slip);
  const Longitudinal<T> x = calc_longitudinal(t, c, slip.kappa);
  const Lateral<T> y = calc_lateral(t, c);
  const T Fx = weigh_longitudinal(t, c, slip.kappa) * x.F0;  // (4.E50)
  const Weighted<T> across = weigh_lateral(t, c, y, slip.kappa);
  TireForce<T> force;
  force.Fx = c.load_share * Fx;
  force.Fy = c.load_share * across.F;
  force.Mz = c.load_share * calc_aligning_torque(t, c, x, y, slip.kappa, Fx, across.F, across.S);
  force.Mx = calc_overturning_moment(t, c, slip, force.Fy);
  force.My = calc_rolling_resistance(t, c, slip, force.Fx);
  return force;
}

template <class T>
SlipStiffness<T> calc_slip_stiffness(const MagicFormulaTire& tire, const T& Fz, const T& friction) {
  Slip<T> slip{.kappa = T(0), .tan_alpha = T(0), .Fz = Fz};
  slip.friction = friction;
  const PureForces<T> pure = calc_pure_forces(tire, slip);
  return {pure.Kx, T(-pure.Ky)};
}

template <class T>
RelaxationLengths<T> calc_relaxation_lengths(const MagicFormulaTire& t, const T& Fz,
                                             const T& gamma) {
  using std::abs;
  using std::atan;
  using std::exp;
  using std::sin;
  Slip<T> slip{.kappa = T(0), .tan_alpha = T(0), .gamma = gamma, .Fz = Fz};
  const Common<T> c = calc_common(t, slip);
  if (t.version == Version::k61) {  // slip stiffness over the carcass's stiffness (7.E1)
    const T df2 = c.dfz * c.dfz;
    const T along = t.LONGITUDINAL_STIFFNESS * (1.0 + t.PCFX1 * c.dfz + t.PCFX2 * df2) *
                    (1.0 + t.PCFX3 * c.dpi);
    const T across =
        t.LATERAL_STIFFNESS * (1.0 + t.PCFY1 * c.dfz + t.PCFY2 * df2) * (1.0 + t.PCFY3 * c.dpi);
    return {calc_longitudinal(t, c, T(0)).K / along, abs(calc_lateral(t, c).K) / across};
  }
  return {c.Fz * (t.PTX1 + t.PTX2 * c.dfz) * exp(t.PTX3 * c.dfz) * (t.UNLOADED_RADIUS / c.Fz0) *
              t.LSGKP,
          t.PTY1 * sin(2.0 * atan(c.Fz / (t.PTY2 * c.Fz0))) * (1.0 - t.PKY3 * abs(c.gamma)) *
              (t.UNLOADED_RADIUS * t.LFZO * t.LSGAL)};
}

// y -> -y: alpha, gamma, Fy, Mz and Mx change their signs. A term is turned that has an even power
// of alpha and gamma together in Fy, Mz, Mx, or an odd one in Fx.
MagicFormulaTire mirror(const MagicFormulaTire& tire) {
  MagicFormulaTire m = tire;
  for (double MagicFormulaTire::*p :
       {&MagicFormulaTire::RHX1, &MagicFormulaTire::PEY3, &MagicFormulaTire::PHY1,
        &MagicFormulaTire::PHY2, &MagicFormulaTire::PVY1, &MagicFormulaTire::PVY2,
        &MagicFormulaTire::RBY3, &MagicFormulaTire::RVY1, &MagicFormulaTire::RVY2,
        &MagicFormulaTire::QSX1, &MagicFormulaTire::QBZ4, &MagicFormulaTire::QDZ3,
        &MagicFormulaTire::QDZ6, &MagicFormulaTire::QDZ7, &MagicFormulaTire::QEZ4,
        &MagicFormulaTire::QHZ1, &MagicFormulaTire::QHZ2, &MagicFormulaTire::SSZ1}) {
    m.*p = -(m.*p);
  }
  m.ALPMIN = -tire.ALPMAX, m.ALPMAX = -tire.ALPMIN;
  m.CAMMIN = -tire.CAMMAX, m.CAMMAX = -tire.CAMMIN;
  return m;
}

MagicFormulaTire without_shifts(const MagicFormulaTire& tire) {
  MagicFormulaTire m = tire;
  m.LHX = m.LVX = m.LHY = m.LVY = 0;
  m.RHX1 = m.PEX4 = m.PEY3 = m.RBY3 = m.RVY1 = m.RVY2 = m.QSX1 = 0;
  m.RHY1 = m.RHY2 = 0;
  m.QBZ4 = m.QDZ3 = m.QDZ6 = m.QDZ7 = m.QEZ4 = m.QHZ1 = m.QHZ2 = m.SSZ1 = 0;
  return m;
}

#define CAMBER_INSTANTIATE(T)                                                                 \
  template TireForce<T> calc_steady_force(const MagicFormulaTire&, const Slip<T>&);           \
  template PureForces<T> calc_pure_forces(const MagicFormulaTire&, const Slip<T>&);           \
  template SlipStiffness<T> calc_slip_stiffness(const MagicFormulaTire&, const T&, const T&); \
  template RelaxationLengths<T> calc_relaxation_lengths(const MagicFormulaTire&, const T&,    \
                                                        const T&);
CAMBER_FOR_EACH_TIRE_SCALAR(CAMBER_INSTANTIATE)
#undef CAMBER_INSTANTIATE

}  // namespace camber::tire
