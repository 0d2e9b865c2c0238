// docs/theory/linear.md, section 6.
//   Unknown: x, the steering wheel's angle and a pedal p: throttle for p > 0, brake for p < 0.
//   0 = f(x, u),   0 = speed(x, u) - V,   0 = a_y(x, u) - a  or  yaw rate(x, u) - speed / R     (1)
//   Derivatives: D(h) = (f(x + h) - f(x - h)) / 2h = f' + O(h^2);
//   E_k = (r^2 D(h_k / r) - D(h_k)) / (r^2 - 1) = f' + O(h^4), and of all E_k the one that differs
//   least from the one before it [Ridders 1982].                                               (2)

#include "camber/dynamics/steady_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "camber/core/require.h"
#include "camber/core/text.h"
#include "camber/math/dense.h"

namespace camber::dynamics {
namespace {

using Equations = VehicleEquations;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// (1) for one target.
class TurnProblem {
 public:
  TurnProblem(Equations* equations, double speed, bool by_curvature)
      : equations_(equations),
        speed_(speed),
        by_curvature_(by_curvature),
        n_(static_cast<Eigen::Index>(equations->states().size())),
        x_dot_(equations->states().size()),
        y_(equations->outputs().size()),
        u_(equations->inputs().size(), 0.0) {
    for (const Equations::Quantity& state : equations->states()) size_.push_back(state.size);
    size_.push_back(equations->inputs()[Equations::kSteeringWheel].size);
    size_.push_back(equations->inputs()[Equations::kThrottle].size);
  }

  Eigen::Index unknowns() const { return n_ + 2; }
  double size(Eigen::Index i) const { return size_[static_cast<std::size_t>(i)]; }

  /// False if there are no rates.
  bool calc(const VectorX<double>& z, double target, VectorX<double>* r) {
    set_inputs(z);
    const std::span<const double> x(z.data(), static_cast<std::size_t>(n_));
    if (!equations_->calc(x, u_, x_dot_, y_)) return false;
    r->resize(unknowns());
    for (Eigen::Index i = 0; i < n_; ++i) (*r)[i] = x_dot_[static_cast<std::size_t>(i)];
    (*r)[n_] = y_[Equations::kSpeed] - speed_;
    (*r)[n_ + 1] = by_curvature_ ? y_[Equations::kYawRate] - y_[Equations::kSpeed] * target
                                 : y_[Equations::kLateralAcceleration] - target;
    return r->allFinite();
  }

  SteadyState make_state(const VectorX<double>& z) {
    VectorX<double> r;
    calc(z, 0, &r);
    SteadyState state{.x = {z.data(), z.data() + n_}, .u = u_, .y = y_};
    for (Eigen::Index i = 0; i < n_; ++i)
      state.residual = std::max(state.residual, std::abs(r[i]) / size(i));
    return state;
  }

 private:
  void set_inputs(const VectorX<double>& z) {
    u_[Equations::kSteeringWheel] = z[n_];
    u_[Equations::kThrottle] = std::max(0.0, z[n_ + 1]);
    u_[Equations::kBrake] = std::max(0.0, -z[n_ + 1]);
  }

  Equations* equations_;
  double speed_;
  bool by_curvature_;
  Eigen::Index n_;
  std::vector<double> x_dot_, y_, u_, size_;
};

/// One solution by Newton's method from a guess; false if it is not found.
bool solve(TurnProblem* problem, double target, VectorX<double>* z) {
  constexpr int kIterations = 40;
  constexpr double kDifference = 1e-5, kTolerance = 1e-9;  // of a quantity's size
  constexpr double kLongest = 10;                          // change of an unknown in a step
  const Eigen::Index n = problem->unknowns();
  VectorX<double> r, r_plus, r_minus, scale(n);
  MatrixX<double> J(n, n);
  if (!problem->calc(*z, target, &r)) return false;
  for (int i = 0; i < kIterations; ++i) {
    for (Eigen::Index k = 0; k < n; ++k) {  // by unknowns in units of their sizes
      VectorX<double> moved = *z;
      const double h = kDifference * problem->size(k);
      moved[k] = (*z)[k] + h;
      if (!problem->calc(moved, target, &r_plus)) return false;
      moved[k] = (*z)[k] - h;
      if (!problem->calc(moved, target, &r_minus)) return false;
      J.col(k) = (r_plus - r_minus) / (2 * kDifference);
    }
    for (Eigen::Index k = 0; k < n; ++k)
      scale[k] = 1 / std::max(J.row(k).lpNorm<Eigen::Infinity>(), 1e-12);
    const VectorX<double> step = -math::solve_with_full_pivoting(
        MatrixX<double>(scale.asDiagonal() * J), VectorX<double>(scale.asDiagonal() * r));
    if (!step.allFinite()) return false;
    const double largest = step.lpNorm<Eigen::Infinity>();
    const double before = (scale.asDiagonal() * r).norm();
    double share = std::min(1.0, kLongest / largest);
    VectorX<double> next;
    bool is_better = false;
    while (!is_better && share > 1e-4) {
      next = *z;
      for (Eigen::Index k = 0; k < n; ++k) next[k] += share * step[k] * problem->size(k);
      is_better = problem->calc(next, target, &r_plus) &&
                  ((scale.asDiagonal() * r_plus).norm() < before || largest < kTolerance);
      if (!is_better) share *= 0.5;
    }
    if (!is_better)
      return largest < 1e3 * kTolerance &&
             (scale.asDiagonal() * r).lpNorm<Eigen::Infinity>() < kTolerance;
    *z = next;
    r = r_plus;
    // Where an unknown has no effect, steps may become short without a solution.
    constexpr double kLeft = 1e-6;
    if (share == 1 && largest < kTolerance)
      return (scale.asDiagonal() * r).lpNorm<Eigen::Infinity>() < kLeft;
  }
  return false;
}

SteadyState stay_at_rest(Equations* equations) {
  SteadyState state{.x = equations->initial(),
                    .u = std::vector<double>(equations->inputs().size(), 0.0),
                    .y = std::vector<double>(equations->outputs().size(), 0.0)};
  std::vector<double> x_dot(state.x.size());
  if (!equations->calc(state.x, state.u, x_dot, state.y)) throw NoSteadyState(equations->why());
  for (std::size_t i = 0; i < x_dot.size(); ++i)
    state.residual = std::max(state.residual, std::abs(x_dot[i]) / equations->states()[i].size);
  return state;
}

}  // namespace

SteadyState find_steady_state(Equations* equations, const SteadyRequest& request) {
  const bool by_curvature = request.radius.has_value();
  require(request.speed >= 0 && std::isfinite(request.speed),
          "find_steady_state: the speed must be >= 0 m/s, got ", request.speed);
  require(!by_curvature || *request.radius != 0, "find_steady_state: a radius of 0 m");
  const double end = by_curvature ? 1 / *request.radius : request.lateral_acceleration;
  if (request.speed == 0) {
    require(end == 0, "find_steady_state: a vehicle at rest does not turn");
    return stay_at_rest(equations);
  }
  TurnProblem problem(equations, request.speed, by_curvature);
  VectorX<double> z = VectorX<double>::Zero(problem.unknowns());
  // A throttle that the idling engine does not feel, or a brake, may be what holds the speed.
  const auto roll_straight = [&](double pedal) {
    std::copy(equations->initial().begin(), equations->initial().end(), z.data());
    z[problem.unknowns() - 2] = 0;
    z[problem.unknowns() - 1] = pedal;
    return solve(&problem, 0, &z);
  };
  if (!roll_straight(0.35) && !roll_straight(0.1) && !roll_straight(-0.02))
    throw NoSteadyState(concat("there is no steady state straight ahead at ",
                               short_text(request.speed, 4), " m/s in gear ", equations->gear(),
                               equations->why().empty() ? "" : ": ", equations->why()));
  // From one solution to the next along the line through the last two.
  const double longest = by_curvature ? 1.5 / (request.speed * request.speed) : 1.5;  // 1.5 m/s^2
  const double shortest = 1e-3 * longest;
  double at = 0, width = longest, last_width = 0;
  VectorX<double> change = VectorX<double>::Zero(z.size());
  while (std::abs(end - at) > 1e-12 * std::abs(end)) {
    const double left = std::abs(end - at), go = std::min(width, left);
    const double target = go == left ? end : at + std::copysign(go, end);
    VectorX<double> guess = z;
    if (last_width > 0) guess += change * (go / last_width);
    if (solve(&problem, target, &guess)) {
      change = guess - z, last_width = go;
      z = guess, at = target;
      width = std::min(longest, 1.5 * go);
      continue;
    }
    width = 0.5 * go;
    if (width > shortest) continue;
    const SteadyState last = problem.make_state(z);
    throw NoSteadyState(concat("at ", short_text(request.speed, 4),
                               " m/s the last steady turn found has a lateral "
                               "acceleration of ",
                               short_text(last.y[Equations::kLateralAcceleration], 4),
                               " m/s^2, at a steering wheel angle of ",
                               short_text(last.u[Equations::kSteeringWheel] * 57.29577951308232, 4),
                               " deg: beyond it tires or linkage are at their limit"));
  }
  return problem.make_state(z);
}

// --- Derivatives ---

namespace {

constexpr int kSteps = 5;          // sizes of differences
constexpr double kRatio = 4;       // of one to the next
constexpr double kLargest = 2e-2;  // of a quantity's size

/// Values of f and g at one point, f above g.
class Values {
 public:
  explicit Values(Equations* equations)
      : equations_(equations),
        x_dot_(equations->states().size()),
        y_(equations->outputs().size()) {}

  VectorX<double> at(const std::vector<double>& x, const std::vector<double>& u) {
    if (!equations_->calc(x, u, x_dot_, y_))
      throw std::runtime_error("linearize: no rates near the steady state: " + equations_->why());
    VectorX<double> all(static_cast<Eigen::Index>(x_dot_.size() + y_.size()));
    std::copy(x_dot_.begin(), x_dot_.end(), all.data());
    std::copy(y_.begin(), y_.end(), all.data() + x_dot_.size());
    return all;
  }

 private:
  Equations* equations_;
  std::vector<double> x_dot_, y_;
};

struct Column {
  VectorX<double> values, errors;
};

/// (2). `value_at(h)` has f and g with one quantity moved by h; `side` 0 for central differences,
/// 1 or -1 for those of second order to that side.
template <class ValueAt>
Column differentiate(const ValueAt& value_at, double size, int side) {
  std::array<VectorX<double>, kSteps> quotients;
  double h = kLargest * size;
  for (VectorX<double>& quotient : quotients) {
    if (side == 0) {
      quotient = (value_at(h) - value_at(-h)) / (2 * h);
    } else {
      const double s = side * h;
      quotient = (4 * value_at(s) - value_at(2 * s) - 3 * value_at(0)) / (2 * s);
    }
    h /= kRatio;
  }
  constexpr double kPower = kRatio * kRatio;
  std::array<VectorX<double>, kSteps - 1> better;
  for (std::size_t k = 0; k + 1 < kSteps; ++k)
    better[k] = (kPower * quotients[k + 1] - quotients[k]) / (kPower - 1);
  Column column{better[0], VectorX<double>::Constant(better[0].size(), kInfinity)};
  for (std::size_t k = 1; k + 1 < kSteps; ++k) {
    for (Eigen::Index i = 0; i < column.values.size(); ++i) {
      const double error = std::abs(better[k][i] - better[k - 1][i]);
      if (!(error < column.errors[i])) continue;
      column.values[i] = better[k][i];
      column.errors[i] = error;
    }
  }
  return column;
}

}  // namespace

LinearVehicle linearize(Equations* equations, const SteadyState& about) {
  const auto n = static_cast<Eigen::Index>(equations->states().size());
  const auto m = static_cast<Eigen::Index>(equations->inputs().size());
  const auto p = static_cast<Eigen::Index>(equations->outputs().size());
  require(static_cast<Eigen::Index>(about.x.size()) == n &&
              static_cast<Eigen::Index>(about.u.size()) == m,
          "linearize: a state of ", about.x.size(), " and ", about.u.size(), " numbers, needs ", n,
          " and ", m);
  Values values(equations);
  MatrixX<double> all(n + p, n + m), errors(n + p, n + m);
  const auto keep = [&](Eigen::Index k, const Column& column, double size) {
    all.col(k) = column.values;
    errors.col(k) = column.errors * size;
  };
  VectorX<double> sizes(n + m);
  for (Eigen::Index k = 0; k < n; ++k) {
    const double size = sizes[k] = equations->states()[static_cast<std::size_t>(k)].size;
    std::vector<double> x = about.x;
    const auto value_at = [&](double h) {
      x[static_cast<std::size_t>(k)] = about.x[static_cast<std::size_t>(k)] + h;
      return values.at(x, about.u);
    };
    keep(k, differentiate(value_at, size, 0), size);
  }
  for (Eigen::Index k = 0; k < m; ++k) {
    const double size = sizes[n + k] = equations->inputs()[static_cast<std::size_t>(k)].size;
    std::vector<double> u = about.u;
    const double here = u[static_cast<std::size_t>(k)], reach = 2 * kLargest * size;
    const bool is_pedal = k == Equations::kThrottle || k == Equations::kBrake;
    const int side = !is_pedal ? 0 : here < reach ? 1 : here > 1 - reach ? -1 : 0;
    const auto value_at = [&](double h) {
      u[static_cast<std::size_t>(k)] = here + h;
      return values.at(about.x, u);
    };
    keep(n + k, differentiate(value_at, size, side), size);
  }
  LinearVehicle linear{.states = equations->states(),
                       .inputs = equations->inputs(),
                       .outputs = equations->outputs(),
                       .A = all.topLeftCorner(n, n),
                       .B = all.topRightCorner(n, m),
                       .C = all.bottomLeftCorner(p, n),
                       .D = all.bottomRightCorner(p, m)};
  for (Eigen::Index i = 0; i < n + p; ++i) {
    const double largest = (all.row(i).transpose().cwiseProduct(sizes)).lpNorm<Eigen::Infinity>();
    if (largest > 0) linear.error = std::max(linear.error, errors.row(i).maxCoeff() / largest);
  }
  return linear;
}

}  // namespace camber::dynamics
