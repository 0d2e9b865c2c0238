#include "camber/analysis/modes_analysis.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"
#include "camber/multibody/linearize.h"

namespace camber::analysis {
namespace {

using lagrange::Mode;

int index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// The linear model as numbers for any values of its parameters.
class Evaluator {
 public:
  Evaluator(const lagrange::System& system, const lagrange::LinearModel& model,
            const lagrange::StateSpace& state_space)
      : system_(system), model_(model), program_(state_space) {}

  lagrange::NumericStateSpace at_file_values() { return at({}); }

  std::vector<Mode> modes_at(const std::string& parameter, double value) {
    const lagrange::NumericStateSpace s = at({{parameter, value}});
    return lagrange::calc_modes(s.E, s.A);
  }

  const lagrange::StateSpaceProgram& program() const { return program_; }

 private:
  lagrange::NumericStateSpace at(const std::map<std::string, double>& set) {
    const symbolic::Substitution values = lagrange::parameter_values(system_, set);
    lagrange::check_conditions(model_, values);
    return program_.evaluate(values);
  }

  const lagrange::System& system_;
  const lagrange::LinearModel& model_;
  lagrange::StateSpaceProgram program_;
};

/// The response of an output or of a state, by name.
class Selection {
 public:
  Selection(const lagrange::StateSpaceProgram& program, const std::string& name)
      : output_(index_of(program.output_names(), name)),
        state_(index_of(program.state_names(), name)) {
    std::vector<std::string> known = program.output_names();
    known.insert(known.end(), program.state_names().begin(), program.state_names().end());
    require(output_ >= 0 || state_ >= 0, "the linear model has no output or state \"", name, "\"",
            did_you_mean(name, known));
  }
  std::complex<double> operator()(const lagrange::FrequencyResponse& response) const {
    return output_ >= 0 ? response.outputs[output_] : response.states[state_];
  }

 private:
  int output_;
  int state_;
};

ModesAnalysis::Responses calc_responses(const ModesRequest::Responses& request, Evaluator* system) {
  const lagrange::StateSpaceProgram& program = system->program();
  const int input = index_of(program.input_names(), request.input);
  require(input >= 0, "the linear model has no input \"", request.input, "\"",
          did_you_mean(request.input, program.input_names()));
  std::vector<Selection> selections;
  for (const std::string& name : request.outputs) selections.emplace_back(program, name);
  const auto responses =
      lagrange::calc_frequency_response(system->at_file_values(), input, request.frequencies);
  ModesAnalysis::Responses result{request.input, request.outputs, request.frequencies, {}};
  for (const Selection& select : selections) {
    result.values.emplace_back();
    for (const auto& response : responses) result.values.back().push_back(select(response));
  }
  return result;
}

ModesAnalysis::Sweep calc_sweep(const ModesRequest::Sweep& request, Evaluator* system) {
  const lagrange::ModesAt modes_at = [&](double value) {
    if (request.between) request.between();
    return system->modes_at(request.parameter, value);
  };
  ModesAnalysis::Sweep result{
      request.parameter, lagrange::trace_root_locus(modes_at, request.values), {}};
  result.limits = lagrange::find_stability_limits(modes_at, result.locus);
  return result;
}

/// The state at which a mechanism is linearized.
struct MechanismState {
  VectorX<double> q, v, v_dot_driven = {};
  std::optional<multibody::Partition> partition = {};  // if it is not the one at the start
  std::vector<std::string> notes = {};
};

/// The coordinates that moved farthest from where they started; all of them where they are few.
std::string describe_equilibrium(const std::vector<std::string>& names,
                                 const VectorX<double>& before, const VectorX<double>& q) {
  constexpr std::size_t kShown = 6;
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto displacement = [&](std::size_t i) {
    return std::abs(q[static_cast<int>(i)] - before[static_cast<int>(i)]);
  };
  if (names.size() > kShown) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return displacement(a) > displacement(b);
    });
    order.resize(kShown);
    std::sort(order.begin(), order.end());
  }
  std::string text = "at the equilibrium ";
  const char* comma = "";
  for (const std::size_t i : order) {
    text += concat(comma, names[i], " = ", short_text(q[static_cast<int>(i)], 6));
    comma = ", ";
  }
  const std::size_t rest = names.size() - order.size();
  if (rest > 0) text += concat(", and ", rest, " more that moved less");
  return text;
}

MechanismState find_state(LinearizedAt where, multibody::MechanismDynamics* dynamics) {
  const multibody::MechanismTree& tree = dynamics->tree();
  MechanismState state{.q = dynamics->initial_q(), .v = dynamics->initial_v()};
  state.v_dot_driven.setZero(state.v.size());
  if (where == LinearizedAt::kEquilibrium) {
    auto found = multibody::find_equilibrium(tree, dynamics->partition(), &state.q);
    if (!found.found) {
      std::string text =
          concat(tree.mechanism.name, ": no equilibrium found in ", found.iterations,
                 " steps; an acceleration of ", short_text(found.acceleration, 3), " is left");
      if (found.farthest >= 0) {
        text += concat("; ", tree.v_names[static_cast<std::size_t>(found.farthest)], " went ",
                       short_text(found.way, 3), " from its start: does anything hold it?");
      }
      throw std::runtime_error(text);
    }
    state.v.setZero();
    state.partition = std::move(found.partition);
    state.notes.push_back(describe_equilibrium(tree.q_names, dynamics->initial_q(), state.q));
    return state;
  }
  VectorX<double> v_dot(state.v.size());
  const auto size = static_cast<std::size_t>(state.v.size());
  if (!dynamics->calc_accelerations(0, {state.q.data(), static_cast<std::size_t>(state.q.size())},
                                    {state.v.data(), size}, {v_dot.data(), size})) {
    throw std::runtime_error(tree.mechanism.name +
                             ": no accelerations in the initial state: " + dynamics->why());
  }
  for (const auto& link : tree.model.links) {
    if (link.is_driven) state.v_dot_driven[link.v_start] = v_dot[link.v_start];
  }
  return state;
}

/// What the modes at the initial state are worth.
std::string describe_start(const MechanismState& state,
                           const multibody::LinearizedMechanism& linear) {
  const double v = state.v.size() > 0 ? state.v.cwiseAbs().maxCoeff() : 0;
  const double a = linear.y_dot.size() > 0 ? linear.y_dot.cwiseAbs().maxCoeff() : 0;
  if (a <= 1e-9 && v == 0) return "";
  std::string bodies;
  for (const std::string& body : linear.spinning) bodies += (bodies.empty() ? "" : ", ") + body;
  if (!bodies.empty())
    bodies = concat("axes of ", bodies, " do not take part in the spin about the axis of symmetry");
  constexpr double kSteady = 1e-6;  // accelerations of what is meant to be steady
  if (!bodies.empty() && a <= kSteady * std::max(1.0, linear.y.cwiseAbs().maxCoeff()))
    return concat("the initial state is a steady motion; ", bodies);
  return concat("the initial state is not an equilibrium (speeds up to ", short_text(v, 3),
                ", accelerations up to ", short_text(a, 3),
                "): the modes describe disturbances for a moment only; --equilibrium looks for one",
                bodies.empty() ? "" : "; ", bodies);
}

}  // namespace

std::string leading_state(const ModesAnalysis& analysis, const std::vector<Mode>& modes, int mode) {
  Eigen::Index largest = 0;
  lagrange::calc_participation(modes).col(mode).maxCoeff(&largest);
  return analysis.states[largest];
}

ModesAnalysis analyze_modes(const lagrange::LagrangianModel& model, const ModesRequest& request) {
  ModesAnalysis result;
  result.name = model.system.name;
  result.about = model.about;
  result.model = lagrange::make_linear_model(model.system, model.linearization);
  result.state_space = lagrange::make_state_space(result.model);
  for (const auto& [symbol, value] : lagrange::parameter_values(model.system)) {
    result.parameters.emplace(symbol.name(), value.number().to_double());
  }
  Evaluator system(model.system, result.model, result.state_space);
  result.states = system.program().state_names();
  const lagrange::NumericStateSpace s = system.at_file_values();
  result.modes = lagrange::calc_modes(s.E, s.A);
  result.participation = lagrange::calc_participation(result.modes);
  if (request.has_matrices)
    result.matrices = {.inputs = system.program().input_names(),
                       .outputs = system.program().output_names(),
                       .E = s.E,
                       .A = s.A,
                       .B = s.B,
                       .C = s.C,
                       .D = s.D};
  if (request.sweep) result.sweep = calc_sweep(*request.sweep, &system);
  if (request.responses) result.responses = calc_responses(*request.responses, &system);
  return result;
}

ModesAnalysis analyze_modes(multibody::MechanismDynamics* dynamics, LinearizedAt where) {
  const std::string& name = dynamics->tree().mechanism.name;
  require(dynamics->partition().ny() > 0, "\"", name, "\" has no degree of freedom, so no modes");
  MechanismState state = find_state(where, dynamics);
  const multibody::LinearizedMechanism linear = multibody::linearize(
      dynamics->tree(), state.partition ? *state.partition : dynamics->partition(), state.q,
      state.v, &state.v_dot_driven, multibody::SpinAxes::kCarrier);
  if (where != LinearizedAt::kEquilibrium)
    if (const std::string note = describe_start(state, linear); !note.empty())
      state.notes.push_back(note);
  ModesAnalysis result;
  result.name = name;
  result.model.notes = std::move(state.notes);
  result.states = linear.states;
  result.A = linear.A;
  result.modes =
      lagrange::calc_modes(Eigen::MatrixXd::Identity(linear.A.rows(), linear.A.cols()), linear.A);
  result.participation = lagrange::calc_participation(result.modes);
  // A body that rotates freely has two eigenvalues of zero, which come out as any small numbers.
  double largest = 0;
  for (const Mode& mode : result.modes) largest = std::max(largest, std::abs(mode.eigenvalue));
  for (Mode& mode : result.modes) {
    if (std::abs(mode.eigenvalue) < 1e-10 * largest) mode.eigenvalue = 0;
  }
  return result;
}

}  // namespace camber::analysis
