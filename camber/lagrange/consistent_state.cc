// Positions by the Gauss-Newton method with step halving, speeds by one linear least squares
// problem, each with columns only for the variables that may change. If it ends with residuals c,
// then C^T c = 0: the constraints in c contradict each other.
#include "camber/lagrange/consistent_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "camber/core/require.h"
#include "camber/math/dense.h"

namespace camber::lagrange {
namespace {

using Free = std::vector<bool>;  // one per entry of x

enum class Move {
  kFewVariables,  // only as many change as there are constraints, those with the smallest inertia
  kShortest,      // all change, as little as possible
};

constexpr double kRankTolerance = 1e-10;

/// A solution of J step = c with entries only where x may change.
Eigen::VectorXd find_step(Move kind, const Eigen::MatrixXd& J, const Eigen::VectorXd& c,
                          const Free& free, int first, const Eigen::VectorXd& lightness) {
  Eigen::MatrixXd columns = J;
  for (Eigen::Index i = 0; i < J.cols(); ++i) {
    if (!free[first + i]) columns.col(i).setZero();
  }
  if (kind == Move::kFewVariables) {
    // Column pivoting selects variables that move much at little inertia; the others stay zero.
    return lightness.asDiagonal() *
           math::solve_least_squares(columns * lightness.asDiagonal(), c, kRankTolerance);
  }
  return math::solve_shortest(columns, c, kRankTolerance);
}

bool is_small(const Eigen::VectorXd& c, const Eigen::MatrixXd& J, double x_size) {
  const double scale = 1 + J.cwiseAbs().maxCoeff() * (1 + x_size);
  return c.cwiseAbs().maxCoeff() <= 1e-12 * scale;
}

class Search {
 public:
  Search(SimulationModel* model, double t, std::vector<double> x)
      : model_(*model), t_(t), x_(std::move(x)) {}

  bool move_positions(Move kind, const Free& free) {
    if (model_.constraints().position_count() == 0) return true;
    constexpr int kMaxIterations = 100;
    calc_positions();
    const Eigen::VectorXd light = lightness(true);
    for (int i = 0; i < kMaxIterations; ++i) {
      const double x_size = Eigen::Map<Eigen::VectorXd>(x_.data(), C_.cols()).cwiseAbs().maxCoeff();
      const Eigen::VectorXd step = find_step(kind, C_, c_, free, 0, light);
      const bool arrived = is_small(c_, C_, x_size);
      if (!halve_until_better(step) || arrived) {
        return is_small(c_, C_, x_size);
      }
    }
    return false;
  }

  bool move_speeds(Move kind, const Free& free) {
    if (model_.constraints().velocity_count() == 0) return true;
    const auto first = static_cast<int>(model_.equations().coordinates.size());
    bool met = false;
    const Eigen::VectorXd light = lightness(false);
    for (int i = 0; i < 2; ++i) {  // the second for rounding
      model_.constraints().calc_velocities(model_.known(t_, x_), &c_, &C_);
      Eigen::Map<Eigen::VectorXd> u(x_.data() + first, C_.cols());
      u -= find_step(kind, C_, c_, free, first, light);
      model_.constraints().calc_velocities(model_.known(t_, x_), &c_, &C_);
      met = is_small(c_, C_, u.cwiseAbs().maxCoeff());
    }
    return met;
  }

  const std::vector<double>& x() const { return x_; }
  void set_x(const std::vector<double>& x) { x_ = x; }
  const Eigen::VectorXd& residual() const { return c_; }

 private:
  void calc_positions() { model_.constraints().calc_positions(model_.known(t_, x_), &c_, &C_); }

  /// 1 / sqrt(inertia) of each speed, or of the coordinate whose rate it is. Smaller inertias, and
  /// zero, are replaced by a thousandth of the largest.
  Eigen::VectorXd lightness(bool of_coordinates) {
    const AccelerationEquations& a = model_.equations();
    const std::vector<double> inertias = model_.calc_inertias(t_, x_);
    double largest = 0;
    for (const double inertia : inertias) largest = std::max(largest, inertia);
    Eigen::VectorXd result = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(a.speeds.size()));
    for (std::size_t i = 0; i < inertias.size(); ++i) {
      const bool counts = !of_coordinates || a.rates[i] == a.speeds[i];
      const double inertia = std::max(inertias[i], 1e-3 * largest);
      if (counts && inertia > 0) result[static_cast<Eigen::Index>(i)] = 1 / std::sqrt(inertia);
    }
    return result;
  }

  /// Returns false if no fraction of the step makes the residual smaller.
  bool halve_until_better(const Eigen::VectorXd& step) {
    const std::vector<double> start = x_;
    const Eigen::VectorXd start_c = c_;
    constexpr int kMaxHalvings = 20;
    double part = 1;
    for (int k = 0; k < kMaxHalvings; ++k, part /= 2) {
      for (Eigen::Index i = 0; i < step.size(); ++i) x_[i] = start[i] - part * step[i];
      calc_positions();
      if (c_.allFinite() && c_.norm() < start_c.norm() * (1 - 1e-4 * part)) return true;
    }
    x_ = start;
    calc_positions();
    return false;
  }

  SimulationModel& model_;
  double t_;
  std::vector<double> x_;
  Eigen::VectorXd c_;
  Eigen::MatrixXd C_;
};

/// "constraint "close" cannot be met ...": the constraints with residuals, the fixed variables they
/// depend on.
[[noreturn]] void throw_conflict(const AccelerationEquations& a, const Eigen::VectorXd& c,
                                 const Free& may_move, bool positions) {
  std::vector<std::string> constraints, fixed;
  std::vector<Expr> involved;
  const double largest = c.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < c.size(); ++i) {
    if (std::abs(c[i]) < 1e-6 * largest) continue;
    const int owner = positions ? a.position_owners[i] : static_cast<int>(i);
    constraints.push_back(
        concat('"', a.constraint_names[owner], "\" (off by ", std::abs(c[i]), ")"));
    involved.push_back(positions ? a.position_constraints[i] : a.velocity_constraints[i]);
  }
  const auto state = a.state();
  const std::size_t first = positions ? 0 : a.coordinates.size();
  const std::size_t count = positions ? a.coordinates.size() : a.speeds.size();
  for (std::size_t k = first; k < first + count; ++k) {
    const bool occurs =
        std::ranges::any_of(involved, [&](const Expr& e) { return e.depends_on(state[k]); });
    if (occurs && !may_move[k]) fixed.push_back(text_of(state[k]));
  }
  throw std::invalid_argument(
      concat("model \"", a.name, "\": no initial ", positions ? "position" : "speeds",
             constraints.size() == 1 ? " meets constraint " : " meets constraints ",
             list_names(constraints),
             fixed.empty() ? std::string(positions ? " near the given one" : "")
                           : concat(" with ", list_names(fixed), " fixed")));
}

struct Start {
  std::vector<double> x;
  Free not_given, not_fixed;
};

Start read(SimulationModel* model, std::span<const InitialValue> given) {
  const auto n = static_cast<std::size_t>(model->state_size());
  Start start{std::vector<double>(n, 0.0), Free(n, true), Free(n, true)};
  const auto& algebraic = model->equations().algebraic;
  for (const InitialValue& value : given) {
    require(std::isfinite(value.value), "initial value of ", text_of(value.variable),
            " is not finite");
    if (std::ranges::find(algebraic, value.variable) != algebraic.end()) {
      require(!value.fixed, "initial value of ", text_of(value.variable),
              " cannot be fixed: it follows from its equation");
      model->set_algebraic_guess(value.variable, value.value);
      continue;
    }
    const int i = model->index_of(value.variable);
    require(start.not_given[i], "initial value of ", text_of(value.variable), " is given twice");
    start.x[i] = value.value;
    start.not_given[i] = false;
    start.not_fixed[i] = !value.fixed;
  }
  return start;
}

}  // namespace

std::vector<double> find_consistent_state(SimulationModel* model, double t,
                                          std::span<const InitialValue> given) {
  const Start start = read(model, given);
  const AccelerationEquations& a = model->equations();
  struct Attempt {
    Move kind;
    const Free& free;
  };
  const std::array<Attempt, 3> attempts = {{{Move::kFewVariables, start.not_given},
                                            {Move::kShortest, start.not_given},
                                            {Move::kShortest, start.not_fixed}}};
  Search search(model, t, start.x);
  const bool positioned = std::ranges::any_of(attempts, [&](const Attempt& attempt) {
    search.set_x(start.x);
    return search.move_positions(attempt.kind, attempt.free);
  });
  if (!positioned) throw_conflict(a, search.residual(), start.not_fixed, true);

  const std::vector<double> with_positions = search.x();
  const bool moving = std::ranges::any_of(attempts, [&](const Attempt& attempt) {
    search.set_x(with_positions);
    return search.move_speeds(attempt.kind, attempt.free);
  });
  if (!moving) throw_conflict(a, search.residual(), start.not_fixed, false);
  const std::string singular = model->diagnose(t, search.x());
  require(singular.empty(), "model \"", a.name, "\": in its initial state, ", singular);
  return search.x();
}

}  // namespace camber::lagrange
