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
// an interior point method finds the one with them.
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

/// |w_j| <= rate and low <= w_0 + ... + w_j <= high.
struct Limits {
  double rate, low, high;

  bool keeps(const Vector& w) const {
    double sum = 0;
    for (const double x : w) {
      sum += x;
      if (std::abs(x) > rate || sum < low || sum > high) return false;
    }
    return true;
  }
};

/// Values of the four sides of all limits: w, -w, the sums of w, and their negatives.
struct Sides {
  std::array<Vector, 4> of{};

  static Sides times(const Vector& w) {  // C w
    Sides sides;
    double sum = 0;
    for (int j = 0; j < kCount; ++j) {
      sum += w[j];
      sides.of[0][j] = w[j], sides.of[1][j] = -w[j];
      sides.of[2][j] = sum, sides.of[3][j] = -sum;
    }
    return sides;
  }
  Vector transposed() const {  // C^T y
    Vector w;
    double sum = 0;
    for (int j = kCount - 1; j >= 0; --j) {
      sum += of[2][j] - of[3][j];
      w[j] = of[0][j] - of[1][j] + sum;
    }
    return w;
  }
};

template <class Action>
void for_each_side(const Action& action) {
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < kCount; ++j) action(k, j);
}

/// The longest step, at most 1, that keeps all values positive.
double longest_step(const Sides& values, const Sides& change) {
  double step = 1;
  for_each_side([&](int k, int j) {
    if (change.of[k][j] < 0) step = std::min(step, -values.of[k][j] / change.of[k][j]);
  });
  return step;
}

/// The least of w^T H w / 2 + g^T w within the limits C w <= d, by the primal-dual interior point
/// method [Mehrotra 1992]: with slacks s and multipliers y, Newton's steps to
///   H w + g + C^T y = 0,   C w + s = d,   s y = sigma mu                                       (3)
/// of which the first part of each, with sigma = 0, says how far s y can fall.
Vector minimize(const Square& H, const Vector& g, const Limits& limits) {
  constexpr int kIterations = 60;
  constexpr double kBack = 0.995, kEnd = 1e-14, kOff = 1e-9;
  Vector w{};
  Sides d, s, y;
  for_each_side([&](int k, int j) {
    d.of[k][j] = k < 2 ? limits.rate : k == 2 ? limits.high : -limits.low;
    s.of[k][j] = std::max(d.of[k][j], 1e-3 * limits.rate);
    y.of[k][j] = 1;
  });
  double scale = 1;
  for (const double x : g) scale = std::max(scale, std::abs(x));
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const Sides Cw = Sides::times(w);
    Sides primal;
    double mu = 0, off = 0;
    for_each_side([&](int k, int j) {
      primal.of[k][j] = Cw.of[k][j] + s.of[k][j] - d.of[k][j];
      mu += s.of[k][j] * y.of[k][j] / (4 * kCount);
      off = std::max(off, std::abs(primal.of[k][j]));
    });
    Vector dual = y.transposed();
    for (int i = 0; i < kCount; ++i) {
      dual[i] += g[i];
      for (int j = 0; j < kCount; ++j) dual[i] += H[std::max(i, j)][std::min(i, j)] * w[j];
      off = std::max(off, std::abs(dual[i]) / scale);
    }
    if (mu < kEnd * scale && off < kOff) break;
    if (!(mu > 1e-18 * scale)) break;  // no better in doubles

    // H + C^T (y/s) C, whose part of the sums has only suffix sums.
    Square L = H;
    double sums = 0;
    for (int i = kCount - 1; i >= 0; --i) {
      sums += y.of[2][i] / s.of[2][i] + y.of[3][i] / s.of[3][i];
      for (int j = 0; j <= i; ++j) L[i][j] += sums;
      L[i][i] += y.of[0][i] / s.of[0][i] + y.of[1][i] / s.of[1][i];
    }
    factorize(&L);
    Vector step_w;
    Sides step_s, step_y;
    const auto find_step = [&](const Sides& product) {  // to s y = 0 of the linearized third
      Sides right;
      for_each_side([&](int k, int j) {
        right.of[k][j] = (y.of[k][j] * primal.of[k][j] - product.of[k][j]) / s.of[k][j];
      });
      Vector b = right.transposed();
      for (int i = 0; i < kCount; ++i) b[i] = -dual[i] - b[i];
      step_w = solve(L, b);
      const Sides change = Sides::times(step_w);
      for_each_side([&](int k, int j) {
        step_s.of[k][j] = -primal.of[k][j] - change.of[k][j];
        step_y.of[k][j] = (-product.of[k][j] - y.of[k][j] * step_s.of[k][j]) / s.of[k][j];
      });
    };
    Sides product;
    for_each_side([&](int k, int j) { product.of[k][j] = s.of[k][j] * y.of[k][j]; });
    find_step(product);
    const double affine_s = longest_step(s, step_s), affine_y = longest_step(y, step_y);
    double after = 0;
    for_each_side([&](int k, int j) {
      after += (s.of[k][j] + affine_s * step_s.of[k][j]) *
               (y.of[k][j] + affine_y * step_y.of[k][j]) / (4 * kCount);
    });
    const double sigma = std::pow(after / mu, 3);
    for_each_side(
        [&](int k, int j) { product.of[k][j] += step_s.of[k][j] * step_y.of[k][j] - sigma * mu; });
    find_step(product);
    bool is_good = true;
    for (const double value : step_w) is_good = is_good && std::isfinite(value);
    if (!is_good) break;  // limits that hold exactly leave no digits: what was found stays
    const double t_s = std::min(1.0, kBack * longest_step(s, step_s)),
                 t_y = std::min(1.0, kBack * longest_step(y, step_y));
    const double t = std::min(t_s, t_y);
    for (int i = 0; i < kCount; ++i) w[i] += t * step_w[i];
    for_each_side([&](int k, int j) {
      s.of[k][j] += t * step_s.of[k][j];
      y.of[k][j] += t * step_y.of[k][j];
    });
  }
  return w;
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
  require_positive(figures.min_distance, "min_distance");
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
  const double u = std::max(view.speed, kMinSpeed);
  const double h = std::max(f.horizon, f.min_distance / u) / kCount;
  const double wheelbase = f.front + f.rear, ahead = f.is_kinematic ? 0 : 0.5 * (f.front - f.rear);
  const double look = std::max(kApproachTime * u, 0.4 * f.min_distance);
  const Approach approach = make_approach(limits, wheelbase, u, look, look / u, kSteepest);
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
  Square H{};
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
  Square L = H;
  factorize(&L);
  const Vector free = solve(L, w);
  // The angle that the lateral acceleration allows, with the vehicle's understeer.
  const double understeer =
      f.is_kinematic
          ? 0
          : f.mass * (f.rear / f.front_stiffness - f.front / f.rear_stiffness) / wheelbase;
  const double grip = f.lateral_acceleration *
                      std::max(wheelbase / (u * u) + understeer, 0.2 * wheelbase / (u * u));
  const double angle = std::max(std::min(limits.angle, grip), std::abs(command) + 1e-6);
  const Limits bounds{limits.rate, (-angle - command) / h, (angle - command) / h};
  if (bounds.keeps(free)) return free;
  for (double& value : w) value = -value;
  return minimize(H, w, bounds);
}

double MpcSteering::calc_steer(const VehicleView& view, const Path& path, const PathFoot& foot,
                               const SteeringLimits& limits, double command,
                               double sample_time) const {
  const Rates rates = plan(view, path, foot, limits, command);
  return command + std::clamp(rates[0], -limits.rate, limits.rate) * sample_time;
}

}  // namespace camber::autonomy
