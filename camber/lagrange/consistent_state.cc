// Positions by the Gauss-Newton method with step halving, speeds by one linear least squares
// problem, each with columns only for what may move. Where it ends with residuals c left, C^T c =
// 0: the constraints in c are those whose demands on the free variables cancel out, the conflict.
#include "camber/lagrange/consistent_state.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <Eigen/QR>

#include "camber/core/require.h"

namespace camber::lagrange {
namespace {

using Free = std::vector<bool>;  // one per entry of x

/// A search direction with entries only where x may move.
Eigen::VectorXd least_squares_step(const Eigen::MatrixXd& J, const Eigen::VectorXd& c,
                                   const Free& free, int first) {
  Eigen::MatrixXd columns = J;
  for (Eigen::Index i = 0; i < J.cols(); ++i) {
    if (!free[first + i]) columns.col(i).setZero();
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr;
  qr.setThreshold(1e-10);
  qr.compute(columns);
  return qr.solve(c);
}

bool is_small(const Eigen::VectorXd& c, const Eigen::MatrixXd& J, double x_size) {
  const double scale = 1 + J.cwiseAbs().maxCoeff() * (1 + x_size);
  return c.cwiseAbs().maxCoeff() <= 1e-12 * scale;
}

class Search {
 public:
  Search(SimulationModel* model, double t, std::vector<double> x)
      : model_(*model), t_(t), x_(std::move(x)) {}

  bool move_positions(const Free& free) {
    if (model_.constraints().position_count() == 0) return true;
    constexpr int kMaxIterations = 100;
    calc_positions();
    for (int i = 0; i < kMaxIterations; ++i) {
      const double x_size = Eigen::Map<Eigen::VectorXd>(x_.data(), C_.cols()).cwiseAbs().maxCoeff();
      const Eigen::VectorXd step = least_squares_step(C_, c_, free, 0);
      const bool arrived = is_small(c_, C_, x_size);
      if (!halve_until_better(step) || arrived) {
        return is_small(c_, C_, x_size);
      }
    }
    return false;
  }

  bool move_speeds(const Free& free) {
    if (model_.constraints().velocity_count() == 0) return true;
    const auto first = static_cast<int>(model_.equations().coordinates.size());
    bool met = false;
    for (int i = 0; i < 2; ++i) {  // the second for rounding
      model_.constraints().calc_velocities(model_.known(t_, x_), &c_, &C_);
      Eigen::Map<Eigen::VectorXd> u(x_.data() + first, C_.cols());
      u -= least_squares_step(C_, c_, free, first);
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

  /// False when no part of the step makes the residual smaller.
  bool halve_until_better(const Eigen::VectorXd& step) {
    const std::vector<double> start = x_;
    const Eigen::VectorXd start_c = c_;
    for (double part = 1; part > 1e-6; part /= 2) {
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
  Search search(model, t, start.x);
  if (!search.move_positions(start.not_given)) {
    search.set_x(start.x);
    if (!search.move_positions(start.not_fixed)) {
      throw_conflict(a, search.residual(), start.not_fixed, true);
    }
  }
  const std::vector<double> positioned = search.x();
  if (!search.move_speeds(start.not_given)) {
    search.set_x(positioned);
    if (!search.move_speeds(start.not_fixed)) {
      throw_conflict(a, search.residual(), start.not_fixed, false);
    }
  }
  const std::string singular = model->diagnose(t, search.x());
  require(singular.empty(), "model \"", a.name, "\": in its initial state, ", singular);
  return search.x();
}

}  // namespace camber::lagrange
