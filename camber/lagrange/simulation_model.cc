#include "camber/lagrange/simulation_model.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "camber/core/require.h"
#include "camber/lagrange/model_file.h"
#include "camber/symbolic/derivative.h"
#include "camber/symbolic/evaluate.h"

namespace camber::lagrange {
namespace {

using codegen::Interpreter;

std::vector<double> evaluate_parameters(const System& system,
                                        const std::map<std::string, double>& set) {
  const symbolic::Substitution values = parameter_values(system, set);
  std::vector<double> result;
  for (const Parameter& p : system.parameters) {
    result.push_back(symbolic::evaluate(values.at(p.symbol), {}));
  }
  return result;
}

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

}  // namespace

SimulationModel::SimulationModel(const System& system, const SimulationOptions& options)
    : equations_(make_acceleration_equations(system, derive(system, options.derivation),
                                             options.baumgarte)),
      n_state_(static_cast<int>(equations_.state().size())),
      parameter_values_(evaluate_parameters(system, options.parameters)),
      input_functions_(system.inputs.size(), [](double) { return 0.0; }),
      implicit_(equations_),
      constraints_(equations_) {
  known_.resize(1 + n_state_ + input_functions_.size());
  known_.insert(known_.end(), parameter_values_.begin(), parameter_values_.end());
  y_.resize(equations_.unknowns().size(), 0.0);
  results_.resize(n_state_ + y_.size(), NAN);
  const auto weights = find_augmentation(equations_, parameter_values_, &implicit_);
  if (weights && options.eliminate_symbolically) {
    if (auto dynamics = make_forward_dynamics(equations_, *weights))
      program_ = std::move(dynamics->program);
  }
  if (program_) interpreter_.emplace(*program_);
  rates_.emplace(start_program(equations_, "rates").add_output("q_dot", equations_.rates).build());
}

std::vector<std::string> SimulationModel::state_names() const {
  std::vector<std::string> names;
  for (const Expr& x : equations_.state()) names.push_back(text_of(x));
  return names;
}

int SimulationModel::index_of(const Expr& variable) const {
  const auto state = equations_.state();
  const auto found = std::ranges::find(state, variable);
  require(found != state.end(), "SimulationModel: ", variable, " is not part of the state of \"",
          equations_.name, "\"");
  return static_cast<int>(found - state.begin());
}

void SimulationModel::set_input(const Expr& input, std::function<double(double)> function) {
  const auto found = std::ranges::find(equations_.inputs, input);
  require(found != equations_.inputs.end(), "SimulationModel: ", input, " is not an input of \"",
          equations_.name, "\"");
  require(static_cast<bool>(function), "SimulationModel: the function of input ", input,
          " is empty");
  input_functions_[found - equations_.inputs.begin()] = std::move(function);
}

std::span<double> SimulationModel::known(double t, std::span<const double> x) {
  require(x.size() == static_cast<std::size_t>(n_state_), "SimulationModel: x has ", x.size(),
          " entries, \"", equations_.name, "\" needs ", n_state_);
  known_[0] = t;
  std::ranges::copy(x, known_.begin() + 1);
  for (std::size_t i = 0; i < input_functions_.size(); ++i) {
    known_[1 + x.size() + i] = input_functions_[i](t);
  }
  return known_;
}

/// Fills results_.
bool SimulationModel::solve(double t, std::span<const double> x) {
  const auto arguments = known(t, x);
  if (interpreter_ && interpreter_->run(arguments, results_) == 0 && all_finite(results_)) {
    std::copy(results_.begin() + n_state_, results_.end(), y_.begin());
    return true;
  }
  if (!implicit_.solve(arguments, y_)) {
    why_ = implicit_.why();
    std::ranges::fill(y_, 0.0);
    return false;
  }
  const AccelerationEquations& a = equations_;
  const auto nq = a.coordinates.size(), nu = a.speeds.size(), nz = a.extra_states.size();
  rates_->run(arguments, std::span(results_).first(nq));
  auto out = std::copy_n(y_.begin(), nu, results_.begin() + static_cast<std::ptrdiff_t>(nq));
  const auto multipliers = y_.begin() + static_cast<std::ptrdiff_t>(nu);
  out = std::copy_n(multipliers + static_cast<std::ptrdiff_t>(a.multipliers.size()), nz, out);
  for (std::size_t i = 0; i < a.multipliers.size(); ++i) {
    if (a.multipliers[i].order() > 0) *out++ = multipliers[static_cast<std::ptrdiff_t>(i)];
  }
  std::ranges::copy(y_, out);
  why_ = "the equations have no value";
  return all_finite(results_);
}

bool SimulationModel::calc_state_rate(double t, std::span<const double> x,
                                      std::span<double> x_dot) {
  if (!solve(t, x)) return false;
  std::copy_n(results_.begin(), n_state_, x_dot.begin());
  return true;
}

bool SimulationModel::calc_unknowns(double t, std::span<const double> x, std::span<double> y) {
  require(y.size() == y_.size(), "calc_unknowns: y has ", y.size(), " entries, needs ", y_.size());
  if (!solve(t, x)) return false;
  std::ranges::copy(y_, y.begin());
  return true;
}

void SimulationModel::set_algebraic_guess(const Expr& variable, double value) {
  const auto& algebraic = equations_.algebraic;
  const auto found = std::ranges::find(algebraic, variable);
  require(found != algebraic.end(), "SimulationModel: ", variable,
          " is not an algebraic variable of \"", equations_.name, "\"");
  y_[y_.size() - algebraic.size() + (found - algebraic.begin())] = value;
}

// x' is q' and a selection of y; dy/dx comes from r(x, y) = 0 differentiated.
bool SimulationModel::calc_jacobian(double t, std::span<const double> x, std::span<double> J) {
  require(J.size() == x.size() * x.size(), "calc_jacobian: J has ", J.size(), " entries, needs ",
          x.size() * x.size());
  Eigen::MatrixXd dy_dx;
  if (!solve(t, x) || !implicit_.solve_sensitivity(known_, y_, &dy_dx)) return false;
  const AccelerationEquations& a = equations_;
  if (!rate_jacobian_) {
    symbolic::MatrixX columns = symbolic::MatrixX::Zero(a.rates.size(), n_state_);
    for (const auto& e : symbolic::jacobian(a.rates, a.state())) columns(e.row, e.col) = e.value;
    rate_jacobian_.emplace(start_program(a, "rate_jacobian").add_output("J", columns).build());
  }
  const auto nq = static_cast<Eigen::Index>(a.coordinates.size());
  const auto nu = static_cast<Eigen::Index>(a.speeds.size());
  const auto m = static_cast<Eigen::Index>(a.multipliers.size());
  const auto nz = static_cast<Eigen::Index>(a.extra_states.size());
  std::vector<double> rate_columns(static_cast<std::size_t>(nq * n_state_));
  rate_jacobian_->run(known_, rate_columns);
  Eigen::Map<Eigen::MatrixXd> result(J.data(), n_state_, n_state_);
  result.topRows(nq) = Eigen::Map<Eigen::MatrixXd>(rate_columns.data(), nq, n_state_);
  result.middleRows(nq, nu) = dy_dx.topRows(nu);
  result.middleRows(nq + nu, nz) = dy_dx.middleRows(nu + m, nz);
  Eigen::Index row = nq + nu + nz;
  for (Eigen::Index i = 0; i < m; ++i) {
    if (a.multipliers[i].order() > 0) result.row(row++) = dy_dx.row(nu + i);
  }
  return result.allFinite();
}

bool SimulationModel::project(double t, std::span<double> x) {
  const auto arguments = known(t, x);
  if (!constraints_.project(arguments)) {
    why_ = "no nearby state meets the constraints";
    return false;
  }
  std::copy_n(arguments.begin() + 1, n_state_, x.begin());
  return true;
}

double SimulationModel::constraint_error(double t, std::span<const double> x) {
  return constraints_.error(known(t, x));
}

std::vector<double> SimulationModel::calc_inertias(double t, std::span<const double> x) {
  const Eigen::VectorXd diagonal = implicit_.jacobian(known(t, x), y_).diagonal();
  return {diagonal.data(), diagonal.data() + equations_.speeds.size()};
}

std::string SimulationModel::diagnose(double t, std::span<const double> x) {
  return implicit_.diagnose(known(t, x), y_);
}

std::function<double(double, std::span<const double>)> SimulationModel::observe(
    const Expr& expression) {
  auto builder = start_program(equations_, "observe");
  const auto program =
      builder.add_input("unknowns", equations_.unknowns()).add_output("value", expression).build();
  const bool needs_unknowns = std::ranges::any_of(
      equations_.unknowns(), [&](const Expr& y) { return expression.depends_on(y); });
  return [this, needs_unknowns, interpreter = std::make_shared<Interpreter<double>>(program)](
             double t, std::span<const double> x) {
    if (!needs_unknowns) {
      known(t, x);
    } else if (!solve(t, x)) {
      return std::nan("");
    }
    std::vector<double> arguments = known_;
    arguments.insert(arguments.end(), y_.begin(), y_.end());
    double value = NAN;
    interpreter->run(arguments, std::span(&value, 1));
    return value;
  };
}

}  // namespace camber::lagrange
