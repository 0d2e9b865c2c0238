#include "apps/camber/modes_analysis.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "apps/camber/model_source.h"
#include "camber/core/diagnostics.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/lagrange/model_file.h"
#include "camber/multibody/linearize.h"
#include "camber/report/plot.h"

namespace camber::app {
namespace {

using lagrange::Mode;

int index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// The linear model as numbers for any values of its parameters.
class Evaluator {
 public:
  Evaluator(const lagrange::System& system, const lagrange::StateSpace& state_space)
      : system_(system), program_(state_space) {}

  lagrange::NumericStateSpace at_file_values() { return at({}); }

  std::vector<Mode> modes_at(const std::string& parameter, double value) {
    const lagrange::NumericStateSpace s = at({{parameter, value}});
    return lagrange::calc_modes(s.A, s.B);
  }

  const lagrange::StateSpaceProgram& program() const { return program_; }

 private:
  lagrange::NumericStateSpace at(const std::map<std::string, double>& set) {
    return program_.evaluate(lagrange::parameter_values(system_, set));
  }

  const lagrange::System& system_;
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
    require(output_ >= 0 || state_ >= 0, "--frf: the linear model has no output or state \"", name,
            "\"", did_you_mean(name, known));
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
  require(input >= 0, "--frf: the linear model has no input \"", request.input, "\"",
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
    return system->modes_at(request.parameter, value);
  };
  ModesAnalysis::Sweep result{
      request.parameter, lagrange::trace_root_locus(modes_at, request.values), {}};
  result.limits = lagrange::find_stability_limits(modes_at, result.locus);
  return result;
}

ModesAnalysis analyze_lagrangian(const ModesRequest& request, ModelSource* source) {
  const lagrange::LagrangianModel file = source->read_lagrangian();
  ModesAnalysis result;
  result.name = file.system.name;
  result.about = file.about;
  result.model = lagrange::make_linear_model(file.system, file.linearization);
  result.state_space = lagrange::make_state_space(result.model);
  for (const auto& [symbol, value] : lagrange::parameter_values(file.system)) {
    result.parameters.emplace(symbol.name(), value.number().to_double());
  }
  Evaluator system(file.system, result.state_space);
  result.states = system.program().state_names();
  const lagrange::NumericStateSpace s = system.at_file_values();
  result.modes = lagrange::calc_modes(s.A, s.B);
  result.participation = lagrange::calc_participation(result.modes);
  if (request.sweep) result.sweep = calc_sweep(*request.sweep, &system);
  if (request.responses) result.responses = calc_responses(*request.responses, &system);
  return result;
}

/// Where a mechanism is linearized: its initial state, or where it rests.
struct MechanismState {
  VectorX<double> q, v, v_dot_driven = {};
  std::optional<multibody::Partition> partition = {};  // where it is not that of the start
  std::vector<std::string> notes = {};
};

/// The coordinates that went farthest from where they began; all of them where they are few.
std::string describe_equilibrium(const std::vector<std::string>& names,
                                 const VectorX<double>& before, const VectorX<double>& q) {
  constexpr std::size_t kShown = 6;
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto way = [&](std::size_t i) {
    return std::abs(q[static_cast<int>(i)] - before[static_cast<int>(i)]);
  };
  if (names.size() > kShown) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return way(a) > way(b); });
    order.resize(kShown);
    std::sort(order.begin(), order.end());
  }
  std::string text = "at the equilibrium ";
  const char* comma = "";
  for (const std::size_t i : order) {
    text += concat(comma, names[i], " = ", report::short_text(q[static_cast<int>(i)], 6));
    comma = ", ";
  }
  const std::size_t rest = names.size() - order.size();
  if (rest > 0) text += concat(", and ", rest, " more that moved less");
  return text;
}

MechanismState find_state(const std::string& path, bool at_equilibrium,
                          multibody::MechanismDynamics* dynamics) {
  const multibody::MechanismTree& tree = dynamics->tree();
  MechanismState state{.q = dynamics->initial_q(), .v = dynamics->initial_v()};
  state.v_dot_driven.setZero(state.v.size());
  if (at_equilibrium) {
    auto found = multibody::find_equilibrium(tree, dynamics->partition(), &state.q);
    if (!found.found) {
      std::string text = concat(path, ": no equilibrium found in ", found.iterations,
                                " steps; an acceleration of ",
                                report::short_text(found.acceleration, 3), " is left");
      if (found.farthest >= 0) {
        text += concat("; ", tree.v_names[static_cast<std::size_t>(found.farthest)], " went ",
                       report::short_text(found.way, 3), " from its start: does anything hold it?");
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
    throw std::runtime_error(path + ": no accelerations in the initial state: " + dynamics->why());
  }
  for (const auto& link : tree.model.links) {
    if (link.is_driven) state.v_dot_driven[link.v_start] = v_dot[link.v_start];
  }
  const double v = state.v.size() > 0 ? state.v.cwiseAbs().maxCoeff() : 0;
  const double a = v_dot.size() > 0 ? v_dot.cwiseAbs().maxCoeff() : 0;
  if (a > 1e-9 || v > 0) {
    state.notes.push_back(concat(
        "the initial state is no equilibrium (speeds up to ", report::short_text(v, 3),
        ", accelerations up to ", report::short_text(a, 3),
        "): the modes tell how disturbances go on for a moment; --equilibrium looks for one"));
  }
  return state;
}

ModesAnalysis analyze_mechanism(const ModesRequest& request, ModelSource* source) {
  require(!request.sweep && !request.responses, request.model,
          " is a mechanism: --sweep and --frf need a lagrangian model");
  const multibody::Mechanism mechanism = source->read_mechanism(request.is_standing);
  auto dynamics = make_dynamics(*source, mechanism, multibody::Formulation::kCe);
  require(dynamics.partition().ny() > 0, request.model, ": \"", mechanism.name,
          "\" has no degree of freedom, so no modes");
  MechanismState state = find_state(request.model, request.at_equilibrium, &dynamics);
  const multibody::LinearizedMechanism linear = multibody::linearize(
      dynamics.tree(), state.partition ? *state.partition : dynamics.partition(), state.q, state.v,
      &state.v_dot_driven);
  ModesAnalysis result;
  result.name = mechanism.name;
  result.model.notes = std::move(state.notes);
  if (source->is_vehicle() && !request.is_standing) result.model.notes.push_back(kFallsNote);
  result.states = linear.states;
  result.A = linear.A;
  result.modes =
      lagrange::calc_modes(Eigen::MatrixXd::Identity(linear.A.rows(), linear.A.cols()), linear.A);
  result.participation = lagrange::calc_participation(result.modes);
  // What turns freely has two roots at zero, which come out as any small numbers.
  double largest = 0;
  for (const Mode& mode : result.modes) largest = std::max(largest, std::abs(mode.eigenvalue));
  for (Mode& mode : result.modes) {
    if (std::abs(mode.eigenvalue) < 1e-10 * largest) mode.eigenvalue = 0;
  }
  return result;
}

}  // namespace

std::string leading_state(const ModesAnalysis& analysis, const std::vector<Mode>& modes, int mode) {
  Eigen::Index largest = 0;
  lagrange::calc_participation(modes).col(mode).maxCoeff(&largest);
  return analysis.states[largest];
}

ModesAnalysis analyze_modes(const ModesRequest& request) {
  ModelSource source(request.model, request.overrides);
  if (source.is_mechanism()) return analyze_mechanism(request, &source);
  require(!request.at_equilibrium, "--equilibrium is for mechanisms: the motion of ", request.model,
          " is given in the file");
  require(!request.is_standing, "--standing is for vehicles, not for ", request.model);
  return analyze_lagrangian(request, &source);
}

}  // namespace camber::app
