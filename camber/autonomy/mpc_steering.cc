// Relative to the path, with the deviation e of the point midway between the axles, which is d ahead
// of the center of mass, the body's direction chi, lateral speed v and yaw rate r at the center of
// mass, and the angle delta of the front wheels, the linear single track at the speed u is
//   e'     = u chi + v + d r
//   chi'   = r - u kappa
//   v'     = -(Cf + Cr)/(m u) v + ((b Cr - a Cf)/(m u) - u) r + Cf/m delta                       (1)
//   r'     = (b Cr - a Cf)/(I u) v - (a^2 Cf + b^2 Cr)/(I u) r + a Cf/I delta
//   delta' = w
// A plan has n rates w_j, each for a time h. It is the least of
//   h sum ((e_k / E)^2 + (c_k / C)^2 + (w_k / W)^2),   c = chi + (v + d r)/u,                    (2)
// over the n times after now, with |w| <= the rate and |delta| <= the angle at all of them. (1) is
// linear, and its coefficients are constant over a plan, so e_k and c_k are sums of responses to one
// rate: a quadratic program in w. If its minimum without limits keeps them, that is the plan; else
// multipliers of the limits are found one after the other, round after round [Hildreth 1957].
// The wheels answer late: a plan starts from where the vehicle will be then, at its present command.

#include "camber/autonomy/mpc_steering.h"

#include <algorithm>
#include <cmath>

#include "camber/autonomy/steering.h"
#include "camber/core/require.h"

namespace camber::autonomy {
namespace {

constexpr int kCount = MpcSteering::kSteps;  // n above and below
constexpr double kMinSpeed = 2.0;            // slower vehicles are planned as at this speed [m/s]
constexpr double kApproachTime = 0.6;        // that bounds of far deviations look ahead [s]
constexpr double kSteepest = 1.0;            // approach to the path, as a slope
constexpr int kRounds = 60;                  // over all limits

enum { kE, kChi, kV, kR, kDelta, kStates };
using State = std::array<double, kStates>;

/// x(t + h) = A x + B w + K kappa.
struct Transition {
  std::array<State, kStates> A{};  // by rows
  State B{}, K{};

  State advance(const State& x, double w, double kappa) const {
    State next;
    for (int i = 0; i < kStates; ++i) {
      double sum = B[i] * w + K[i] * kappa;
      for (int j = 0; j < kStates; ++j) sum += A[i][j] * x[j];
      next[i] = sum;
    }
    return next;
  }
};

/// (1) over a time h by the exponential of its matrix with w and kappa as states that are held:
/// Taylor's series of a small part, squared.
Transition make_transition(const MpcFigures& f, double u, double h) {
  constexpr int kAll = kStates + 2, kW = kStates, kKappa = kStates + 1;
  using Matrix = std::array<std::array<double, kAll>, kAll>;
  Matrix M{};
  const double m = f.mass, I = f.yaw_inertia, a = f.front, b = f.rear, Cf = f.front_stiffness,
               Cr = f.rear_stiffness;
  M[kE][kChi] = u;
  M[kChi][kKappa] = -u;
  M[kDelta][kW] = 1;
  if (f.is_kinematic) {
    M[kChi][kDelta] = u / (a + b);
  } else {
    M[kE][kV] = 1;
    M[kE][kR] = 0.5 * (a - b);
    M[kChi][kR] = 1;
    M[kV][kV] = -(Cf + Cr) / (m * u);
    M[kV][kR] = (b * Cr - a * Cf) / (m * u) - u;
    M[kV][kDelta] = Cf / m;
    M[kR][kV] = (b * Cr - a * Cf) / (I * u);
    M[kR][kR] = -(a * a * Cf + b * b * Cr) / (I * u);
    M[kR][kDelta] = a * Cf / I;
  }
  double norm = 0;
  for (const auto& row : M) {
    double sum = 0;
    for (const double x : row) sum += std::abs(x);
    norm = std::max(norm, sum);
  }
  int squarings = 0;
  while (norm * h > 0.5) h *= 0.5, ++squarings;
  const auto product = [](const Matrix& p, const Matrix& q) {
    Matrix r{};
    for (int i = 0; i < kAll; ++i)
      for (int k = 0; k < kAll; ++k)
        for (int j = 0; j < kAll; ++j) r[i][j] += p[i][k] * q[k][j];
    return r;
  };
  Matrix sum{}, term{};
  for (int i = 0; i < kAll; ++i) sum[i][i] = term[i][i] = 1;
  for (int k = 1; k <= 12; ++k) {  // 0.5^12 / 12! is below the rounding
    term = product(term, M);
    for (int i = 0; i < kAll; ++i) {
      for (int j = 0; j < kAll; ++j) {
        term[i][j] *= h / k;
        sum[i][j] += term[i][j];
      }
    }
  }
  for (; squarings > 0; --squarings) sum = product(sum, sum);
  Transition result;
  for (int i = 0; i < kStates; ++i) {
    for (int j = 0; j < kStates; ++j) result.A[i][j] = sum[i][j];
    result.B[i] = sum[i][kW];
    result.K[i] = sum[i][kKappa];
  }
  return result;
}

using Vector = std::array<double, kCount>;
using Square = std::array<Vector, kCount>;

/// L of H = L L^T, in the lower triangle.
void factorize(Square* H) {
  Square& L = *H;
  for (int j = 0; j < kCount; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < kCount; ++i) L[i][j] -= L[i][k] * L[j][k];
    const double root = std::sqrt(L[j][j]);
    for (int i = j; i < kCount; ++i) L[i][j] /= root;
  }
}

/// x of L L^T x = b.
Vector solve(const Square& L, Vector b) {
  for (int i = 0; i < kCount; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= L[i][k] * b[k];
    b[i] /= L[i][i];
  }
  for (int i = kCount - 1; i >= 0; --i) {
    for (int k = i + 1; k < kCount; ++k) b[i] -= L[k][i] * b[k];
    b[i] /= L[i][i];
  }
  return b;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (int i = 0; i < kCount; ++i) sum += a[i] * b[i];
  return sum;
}

/// |w_j| <= rate and |delta + h (w_0 + ... + w_j)| <= angle. Row i < n of the limits is w_i, row n + i
/// the sum to w_i.
struct Limits {
  double rate, angle, delta, h;

  double value(int row, const Vector& w) const {
    if (row < kCount) return w[row];
    double sum = 0;
    for (int j = 0; j <= row - kCount; ++j) sum += w[j];
    return sum;
  }
  double low(int row) const { return row < kCount ? -rate : (-angle - delta) / h; }
  double high(int row) const { return row < kCount ? rate : (angle - delta) / h; }
  Vector gradient(int row) const {
    Vector a{};
    if (row < kCount) a[row] = 1;
    for (int j = 0; j <= row - kCount; ++j) a[j] = 1;
    return a;
  }
  bool keeps(const Vector& w) const {
    double sum = 0;
    for (int j = 0; j < kCount; ++j) {
      sum += w[j];
      if (std::abs(w[j]) > rate || sum < low(kCount) || sum > high(kCount)) return false;
    }
    return true;
  }
};

/// From the minimum without limits to the one with them. Each multiplier brings its own limit to
/// where it just holds, or is zero.
void keep_limits(const Square& L, const Limits& limits, Vector* w) {
  std::array<Vector, 2 * kCount> step;  // of w, per multiplier
  std::array<double, 2 * kCount> own{}, multiplier{};
  for (int row = 0; row < 2 * kCount; ++row) {
    const Vector a = limits.gradient(row);
    step[row] = solve(L, a);
    own[row] = dot(a, step[row]);
  }
  for (int round = 0; round < kRounds; ++round) {
    double largest = 0;
    for (int row = 0; row < 2 * kCount; ++row) {
      const double without = limits.value(row, *w) + own[row] * multiplier[row];
      const double excess = without > limits.high(row)  ? without - limits.high(row)
                            : without < limits.low(row) ? without - limits.low(row)
                                                        : 0;
      const double change = excess / own[row] - multiplier[row];
      if (change == 0) continue;
      multiplier[row] += change;
      for (int j = 0; j < kCount; ++j) (*w)[j] -= change * step[row][j];
      largest = std::max(largest, std::abs(change) * own[row]);
    }
    if (largest < 1e-9 * limits.rate) return;
  }
}

void require_positive(double value, const char* name) {
  require(value > 0 && std::isfinite(value), "MpcFigures: ", name, " must be > 0, got ", value);
}

}  // namespace

MpcSteering::MpcSteering(const MpcFigures& figures) : figures_(figures) {
  require_positive(figures.mass, "mass");
  require_positive(figures.yaw_inertia, "yaw_inertia");
  require_positive(figures.front, "front");
  require_positive(figures.rear, "rear");
  require_positive(figures.front_stiffness, "front_stiffness");
  require_positive(figures.rear_stiffness, "rear_stiffness");
  require_positive(figures.horizon, "horizon");
  require_positive(figures.deviation, "deviation");
  require_positive(figures.course, "course");
  require_positive(figures.rate, "rate");
  require_positive(figures.lateral_acceleration, "lateral_acceleration");
  require(figures.delay >= 0 && figures.delay < 1, "MpcFigures: delay must be from 0 to 1 s, got ",
          figures.delay);
}

MpcSteering::Rates MpcSteering::plan(const VehicleView& view, const Path& path,
                                     const PathFoot& foot, const SteeringLimits& limits,
                                     double command) const {
  const MpcFigures& f = figures_;
  const double u = std::max(view.speed, kMinSpeed), h = f.horizon / kCount;
  const double wheelbase = f.front + f.rear, ahead = f.is_kinematic ? 0 : 0.5 * (f.front - f.rear);
  const Approach approach =
      make_approach(limits, wheelbase, u, kApproachTime * u, kApproachTime, kSteepest);
  State x{calc_seen_deviation(approach, foot.deviation), wrap_angle(view.yaw - heading(foot.point)),
          view.lateral_speed - ahead * view.yaw_rate, view.yaw_rate, command};
  if (f.is_kinematic) x[kV] = x[kR] = 0;
  int piece = foot.piece;
  const auto curvature_at = [&](double time) {
    const PathFoot seen = path.foot_at(foot.s + u * time, piece);
    piece = seen.piece;
    return seen.point.curvature;
  };
  if (f.delay > 0) x = make_transition(f, u, f.delay).advance(x, 0, curvature_at(0.5 * f.delay));

  const Transition transition = make_transition(f, u, h);
  const auto course = [&](const State& s) { return s[kChi] + (s[kV] + ahead * s[kR]) / u; };
  // What happens without rates, and what one rate at the start does.
  Vector free_e, free_c, forced_e, forced_c;
  State forced{};
  for (int k = 0; k < kCount; ++k) {
    x = transition.advance(x, 0, curvature_at(f.delay + (k + 0.5) * h));
    forced = transition.advance(forced, k == 0 ? 1 : 0, 0);
    free_e[k] = x[kE] / f.deviation, free_c[k] = course(x) / f.course;
    forced_e[k] = forced[kE] / f.deviation, forced_c[k] = course(forced) / f.course;
  }
  Square H;
  Vector w;
  for (int j = 0; j < kCount; ++j) {
    double slope = 0;
    for (int k = j; k < kCount; ++k)
      slope += forced_e[k - j] * free_e[k] + forced_c[k - j] * free_c[k];
    w[j] = -slope;
    for (int l = j; l < kCount; ++l) {
      double sum = 0;
      for (int k = l; k < kCount; ++k)
        sum += forced_e[k - j] * forced_e[k - l] + forced_c[k - j] * forced_c[k - l];
      H[l][j] = sum;
    }
    H[j][j] += 1 / (f.rate * f.rate);
  }
  factorize(&H);
  w = solve(H, w);
  // The angle that the lateral acceleration allows, with the vehicle's understeer.
  const double understeer =
      f.is_kinematic
          ? 0
          : f.mass * (f.rear / f.front_stiffness - f.front / f.rear_stiffness) / wheelbase;
  const double grip = f.lateral_acceleration *
                      std::max(wheelbase / (u * u) + understeer, 0.2 * wheelbase / (u * u));
  const double angle = std::max(std::min(limits.angle, grip), std::abs(command));
  const Limits bounds{limits.rate, angle, command, h};
  if (!bounds.keeps(w)) keep_limits(H, bounds, &w);
  return w;
}

double MpcSteering::calc_steer(const VehicleView& view, const Path& path, const PathFoot& foot,
                               const SteeringLimits& limits, double command,
                               double sample_time) const {
  const Rates rates = plan(view, path, foot, limits, command);
  return command + std::clamp(rates[0], -limits.rate, limits.rate) * sample_time;
}

}  // namespace camber::autonomy
