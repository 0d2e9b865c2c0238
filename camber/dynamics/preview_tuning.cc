// docs/theory/drivers.md, section 8.
//   Steady turn, per unit of the commanded angle delta: yaw rate r, sideslip beta, v = V beta at the
//   center of mass, wheels' angle delta_w:
//     Y_f = m V r b / L,  Y_r = m V r a / L,
//     C_f = Y_f / (1 - (v + a r) / V),  C_r = -Y_r V / (v - b r)                                 (1)
//   These are the axles' stiffnesses with everything that elasticities and roll steer do.
//   Lag: what the yaw rate of the vehicle lags behind that of the single track with (1), at 1 Hz:
//     tan(phase difference) = w T                                                              (2)
//   Horizon: the shortest with which the vehicle beside its path keeps a given damping:
//     x' = A x + B u with the law's gains, e' = v + V psi, psi' = r                             (3)

#include "camber/dynamics/preview_tuning.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "camber/core/require.h"
#include "camber/math/dense.h"

namespace camber::dynamics {
namespace {

using autonomy::PreviewFigures, autonomy::PreviewSteering;
using E = VehicleEquations;

int find_output(const LinearVehicle& linear, const char* name) {
  for (std::size_t i = 0; i < linear.outputs.size(); ++i)
    if (linear.outputs[i].name == name) return static_cast<int>(i);
  return -1;
}

/// Outputs per commanded angle in steady oscillation.
VectorX<std::complex<double>> respond(const LinearVehicle& linear, double ratio, double omega) {
  using Complex = std::complex<double>;
  const auto n = linear.A.rows();
  const MatrixX<Complex> M =
      Complex(0, omega) * MatrixX<Complex>::Identity(n, n) - linear.A.cast<Complex>();
  const VectorX<Complex> b = (ratio * linear.B.col(E::kSteeringWheel)).cast<Complex>();
  return linear.C.cast<Complex>() * math::solve_square(M, b) +
         (ratio * linear.D.col(E::kSteeringWheel)).cast<Complex>();
}

/// The phase of the yaw rate of the single track.
double find_single_track_phase(const PreviewFigures& f, double V, double omega) {
  using Complex = std::complex<double>;
  const double Cf = f.front_stiffness, Cr = f.rear_stiffness, a = f.front, b = f.rear;
  const Complex s(0, omega);
  const Complex a11 = s + (Cf + Cr) / (f.mass * V), a12 = V + (a * Cf - b * Cr) / (f.mass * V),
                a21 = (a * Cf - b * Cr) / (f.yaw_inertia * V),
                a22 = s + (a * a * Cf + b * b * Cr) / (f.yaw_inertia * V);
  const double b1 = Cf / f.mass, b2 = a * Cf / f.yaw_inertia;
  return std::arg((a11 * b2 - a21 * b1) / (a11 * a22 - a12 * a21));
}

/// The least damping ratio of the motions below 5 Hz, of vehicle and driver together beside a straight
/// path: (3).
double find_damping(const LinearVehicle& linear, double speed, double ratio,
                    const PreviewFigures& figures) {
  constexpr double kFastest = 2 * std::numbers::pi * 5;  // [rad/s]
  const PreviewSteering::Gains k = PreviewSteering(figures).calc_gains(speed);
  const auto n = linear.A.rows();
  const double ahead = 0.5 * (figures.front - figures.rear);  // midway between the axles
  const VectorX<double> yaw = linear.C.row(E::kYawRate), slip = linear.C.row(E::kSideslip);
  const VectorX<double> v = speed * slip + ahead * yaw;
  const int steer = find_output(linear, "steer_angle");
  MatrixX<double> A = MatrixX<double>::Zero(n + 2, n + 2);
  A.topLeftCorner(n, n) = linear.A;
  A.row(n).head(n) = v.transpose();
  A(n, n + 1) = speed;
  A.row(n + 1).head(n) = yaw.transpose();
  VectorX<double> law = VectorX<double>::Zero(n + 2);
  law.head(n) = k.lateral_speed * v + k.yaw_rate * yaw;
  if (steer >= 0) law.head(n) += k.steer * linear.C.row(steer).transpose();
  law[n] = k.deviation;
  law[n + 1] = k.heading;
  A.topRows(n) += ratio * linear.B.col(E::kSteeringWheel) * law.transpose();
  double least = 1;
  for (const std::complex<double>& root : math::calc_eigen(A).values)
    if (std::abs(root) < kFastest && root.imag() != 0)
      least = std::min(least, -root.real() / std::abs(root));
  return least;
}

}  // namespace

PreviewFigures tune_preview(const LinearVehicle& linear, double V, double ratio,
                            const PreviewFigures& given) {
  PreviewFigures f = given;
  const double L = f.front + f.rear;
  const auto steady = respond(linear, ratio, 0);
  const double r = steady[E::kYawRate].real(), v = V * steady[E::kSideslip].real();
  const double front_slip = 1 - (v + f.front * r) / V, rear_slip = -(v - f.rear * r) / V;
  require(r > 0 && front_slip > 0 && rear_slip > 0, "tune_preview: at ", V,
          " m/s the vehicle has no steady answer to its steering");
  f.front_stiffness = f.mass * V * r * f.rear / L / front_slip;  // (1)
  f.rear_stiffness = f.mass * V * r * f.front / L / rear_slip;
  const int steer = find_output(linear, "steer_angle");
  f.steer_gain = steer >= 0 ? steady[steer].real() : 1;
  constexpr double kOmega = 2 * std::numbers::pi;  // 1 Hz
  const double phase = std::arg(respond(linear, ratio, kOmega)[E::kYawRate]);
  const double behind =
      std::remainder(find_single_track_phase(f, V, kOmega) - phase, 2 * std::numbers::pi);
  f.lag = std::tan(std::clamp(behind, 0.0, 1.3)) / kOmega;  // (2)

  if (!f.finds_horizon) return f;
  constexpr double kShortest = 0.2, kLongest = 1.5, kStep = 0.05;  // [s]
  constexpr double kDamping = 0.13;
  const auto is_damped = [&](double horizon) {
    f.horizon = horizon;
    return find_damping(linear, V, ratio, f) >= kDamping;
  };
  double found = 0.8;  // from here down, or up where that is already too short
  while (found < kLongest && !is_damped(found)) found += kStep;
  require(found < kLongest, "tune_preview: no preview up to ", kLongest, " s follows a path at ", V,
          " m/s");
  while (found - kStep > kShortest - 1e-9 && is_damped(found - kStep)) found -= kStep;
  f.horizon = found;
  return f;
}

}  // namespace camber::dynamics
