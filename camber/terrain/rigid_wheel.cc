#include "camber/terrain/rigid_wheel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "camber/core/require.h"
#include "camber/math/dual.h"
#include "camber/terrain/quadrature.h"
#include "camber/terrain/soil_laws.h"

// [Wong-Reece] J. Y. Wong, A. R. Reece: Prediction of rigid wheel performance, J. Terramechanics 4,
// 1967. Angles from the downward vertical, forward positive; entry theta_1, exit theta_2 <= 0:
//   sigma = k r^n (cos theta - cos theta_1)^n           theta_m <= theta <= theta_1      (1)
//   the same at theta_1 - (theta - theta_2)(theta_1 - theta_m)/(theta_m - theta_2) below theta_m
//   j = r ((theta_1 - theta) - q (sin theta_1 - sin theta)),  q = V/(r omega)             (2)
//   j_y = r q (theta_1 - theta) tan beta                                                  (3)
//   tau = (c + sigma tan phi)(1 - e^(-|j|/K)) along (j, j_y)                              (4)
//   Fz = r b int (sigma cos + tau_x sin),  Fx = r b int (tau_x cos - sigma sin)           (5)
// Differs from the source: the exit angle may lie behind the axle, stresses are vectors, exponent
// and sinkage may depend on slip, and soil is pushed ahead of a braked wheel and aside by its
// flank. Integrands go as (theta_1 - theta)^n at both ends: with theta = theta_1 - (theta_1 -
// theta_m) u^2 they are smooth enough for Gauss points down to n = 0.1.
namespace camber::terrain {
namespace internal {

// Newton's method on Legendre polynomials, from the usual first guess.
const Quadrature& gauss_legendre() {
  static const Quadrature rule = [] {
    Quadrature q;
    const int n = Quadrature::kPoints;
    for (int i = 0; i < n; ++i) {
      double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
      for (int k = 0; k < 8; ++k) {
        double p0 = 1.0, p1 = x;
        for (int m = 2; m <= n; ++m) {
          const double p2 = ((2 * m - 1) * x * p1 - (m - 1) * p0) / m;
          p0 = p1, p1 = p2;
        }
        slope = n * (x * p1 - p0) / (x * x - 1);
        x -= p1 / slope;
      }
      q.x[i] = 0.5 * (1 - x);
      q.w[i] = 1 / ((1 - x * x) * slope * slope);
    }
    return q;
  }();
  return rule;
}

}  // namespace internal

namespace {

constexpr double kMaxEntry = 85 * std::numbers::pi / 180;

/// The wheel at one sinkage and slip, and its integrals.
template <class T>
class Arc {
 public:
  Arc(const RigidWheel& wheel, const Soil& soil, double k, const T& theta_1,
      const WheelSlip<T>& slip)
      : wheel_(wheel), soil_(soil), k_(k), theta_1_(theta_1) {
    using std::abs, std::cos, std::pow, std::sin, std::tan;
    const T s = abs(slip.s);
    exponent_ = T(soil.n);
    if (wheel.slip_sinkage == SlipSinkage::kExponent) exponent_ += wheel.n_1 * s;
    // V/(r omega): 0 for a wheel spinning on the spot; a locked wheel has none and slides by (4)
    // alone.
    ratio_ = math_select(slip.s >= T(0), T(1) - slip.s,
                         T(1) / math_select(T(1) + slip.s > T(1e-9), T(1) + slip.s, T(1e-9)));
    tan_beta_ = tan(slip.beta);
    const T part = T(wheel.c1) + wheel.c2 * s;
    theta_m_ = theta_1 * math_select(part < T(0.98), part, T(0.98));
    theta_2_ = -theta_1 * (T(wheel.exit0) + wheel.exit1 * s);
    cos_1_ = cos(theta_1);
    sin_1_ = sin(theta_1);
    r_to_n_ = pow(T(wheel.radius), exponent_);
  }

  WheelForces<T> integrate() const {
    WheelForces<T> f;
    const internal::Quadrature& rule = internal::gauss_legendre();
    const T front = theta_1_ - theta_m_, rear = theta_m_ - theta_2_;
    for (int i = 0; i < internal::Quadrature::kPoints; ++i) {
      const double u = rule.x[i], w = 2 * u * rule.w[i];
      // For both ends: the angle from the end, and the angle in front that has the same stress.
      add(theta_1_ - front * (u * u), theta_1_ - front * (u * u), w * front, &f);
      add(theta_2_ + rear * (u * u), theta_1_ - front * (u * u), w * rear, &f);
    }
    f.sinkage = wheel_.radius * (T(1) - cos_1_);
    return f;
  }

 private:
  static T math_select(bool condition, const T& a, const T& b) { return condition ? a : b; }

  /// Adds the stresses at theta; the normal one is that of (1) at theta_like.
  void add(const T& theta, const T& theta_like, const T& weight, WheelForces<T>* f) const {
    using std::abs, std::cos, std::exp, std::pow, std::sin, std::sqrt;
    const T c = cos(theta), s = sin(theta);
    const T depth = cos(theta_like) - cos_1_;
    const T sigma = depth > T(0) ? k_ * r_to_n_ * pow(depth, exponent_) : T(0);  // (1)
    const T way = theta_1_ - theta;
    const T j_x = wheel_.radius * (way - ratio_ * (sin_1_ - s));  // (2)
    const T j_y = wheel_.radius * ratio_ * way * tan_beta_;       // (3)
    const T j = sqrt(j_x * j_x + j_y * j_y + T(1e-30));
    const T tau =
        shear_strength(soil_, sigma) * (T(1) - exp(-j * (1 / soil_.shear_modulus)));  // (4)
    const T tau_x = tau * j_x / j, tau_y = -tau * j_y / j;
    const T area = wheel_.radius * wheel_.width * weight;
    f->Fz += area * (sigma * c + tau_x * s);  // (5)
    f->Fx += area * (tau_x * c - sigma * s);
    f->Fy += area * tau_y;
    f->torque += area * wheel_.radius * tau_x;
    f->compaction += area * sigma * s;
  }

  const RigidWheel& wheel_;
  const Soil& soil_;
  double k_;
  T theta_1_, theta_m_, theta_2_, exponent_, ratio_, tan_beta_, cos_1_, sin_1_, r_to_n_;
};

/// Bulldozing resistance: in front of a braked wheel, and beside a wheel with a slip angle. The
/// first grows with the braking slip, the second with the lateral motion.
template <class T>
void add_bulldozing(const RigidWheel& wheel, const Soil& soil, const WheelSlip<T>& slip,
                    WheelForces<T>* f) {
  using math::value_of;
  using std::sin;
  const double z = value_of(f->sinkage);
  if (slip.s < T(0)) f->Fx -= (-slip.s) * passive_resistance(soil, wheel.width, z);
  const double half_chord = std::sqrt(std::max(0.0, z * (2 * wheel.radius - z)));
  const T side = 2 * half_chord * hegedus_resistance(soil, z) * sin(slip.beta);
  f->Fy -= side;
}

double vasilev_factor(double s) { return (1 + s) / (1 - 0.5 * s); }

}  // namespace

template <class T>
WheelForces<T> calc_wheel_forces(const RigidWheel& wheel, const Soil& soil, double k,
                                 const T& theta_1, const WheelSlip<T>& slip) {
  WheelForces<T> f = Arc<T>(wheel, soil, k, theta_1, slip).integrate();
  if (wheel.bulldozing) add_bulldozing(wheel, soil, slip, &f);
  return f;
}
template WheelForces<double> calc_wheel_forces(const RigidWheel&, const Soil&, double,
                                               const double&, const WheelSlip<double>&);
template WheelForces<math::Dual<3>> calc_wheel_forces(const RigidWheel&, const Soil&, double,
                                                      const math::Dual<3>&,
                                                      const WheelSlip<math::Dual<3>>&);

namespace {

/// The smallest root of f - target in (0, kMaxEntry), or the maximum of f if there is none.
struct Root {
  bool found = false;
  double theta = 0.0;
};
Root find_least_root(const std::function<double(double)>& f, double target) {
  constexpr int kLooks = 64;
  double a = 0.0, best = -1.0, best_theta = 0.0;
  for (int i = 1; i <= kLooks; ++i) {
    // Finer at small angles, where stiff soils have their root.
    const double b = kMaxEntry * std::pow(static_cast<double>(i) / kLooks, 2.0);
    const double value = f(b);
    if (value > best) best = value, best_theta = b;
    if (value >= target) {
      double low = a, high = b;
      for (int k = 0; k < 80 && high - low > 1e-15 * high; ++k) {
        const double middle = 0.5 * (low + high);
        (f(middle) < target ? low : high) = middle;
      }
      return {true, 0.5 * (low + high)};
    }
    a = b;
  }
  return {false, best_theta};
}

}  // namespace

WheelOnSoil solve_wheel_load(const RigidWheel& wheel, const Soil& soil, double load,
                             const WheelSlip<double>& slip) {
  require(load > 0 && std::isfinite(load), "solve_wheel_load: load must be > 0 N, got ", load);
  require(slip.s >= -1 && slip.s <= 1, "solve_wheel_load: slip must be in -1..1, got ", slip.s);
  require(std::abs(slip.beta) < std::numbers::pi / 2,
          "solve_wheel_load: slip angle must be less than 90 deg");
  const double k = calc_modulus(soil, wheel.width);
  const auto carried = [&](double theta) {
    return calc_wheel_forces(wheel, soil, k, theta, slip).Fz;
  };
  const Root root = find_least_root(carried, load);
  WheelOnSoil result;
  result.status = root.found ? WheelOnSoil::Status::kOk : WheelOnSoil::Status::kBottoming;
  result.theta_1 = root.theta;
  result.forces = calc_wheel_forces(wheel, soil, k, root.theta, slip);
  if (wheel.slip_sinkage == SlipSinkage::kVasilev) {
    result.forces.sinkage *= vasilev_factor(std::abs(slip.s));
  }
  return result;
}

TowedWheel bekker_towed_wheel(double k, double n, double radius, double width, double load) {
  TowedWheel t;
  t.sinkage = std::pow(3 * load / ((3 - n) * width * k * std::sqrt(2 * radius)), 2 / (2 * n + 1));
  t.resistance = width * k * std::pow(t.sinkage, n + 1) / (n + 1);
  return t;
}

// W = b int k z^n dx over the front half of the chord; R = b int k z^n dz, which is elementary.
TowedWheel exact_towed_wheel(double k, double n, double radius, double width, double load) {
  const auto carried = [&](double theta_1) {
    const internal::Quadrature& rule = internal::gauss_legendre();
    double sum = 0;
    for (int i = 0; i < internal::Quadrature::kPoints; ++i) {
      const double u = rule.x[i], theta = theta_1 * (1 - u * u);
      const double z = radius * (std::cos(theta) - std::cos(theta_1));
      sum += rule.w[i] * 2 * u * theta_1 * std::pow(z, n) * radius * std::cos(theta);
    }
    return width * k * sum;
  };
  const Root root = find_least_root(carried, load);
  require(root.found, "exact_towed_wheel: no sinkage carries ", load, " N");
  TowedWheel t;
  t.sinkage = radius * (1 - std::cos(root.theta));
  t.resistance = width * k * std::pow(t.sinkage, n + 1) / (n + 1);
  return t;
}

}  // namespace camber::terrain
