#include "apps/camber/modes_analysis.h"

#include <algorithm>

#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/lagrange/model_file.h"

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
  Evaluator(const lagrange::System& system, const ModesRequest& request,
            const lagrange::StateSpace& state_space)
      : system_(system), set_(request.set), program_(state_space) {}

  lagrange::NumericStateSpace at_set_values() { return at(set_); }

  std::vector<Mode> modes_at(const std::string& parameter, double value) {
    std::map<std::string, double> set = set_;
    set[parameter] = value;
    const lagrange::NumericStateSpace s = at(set);
    return lagrange::calc_modes(s.A, s.B);
  }

  const lagrange::StateSpaceProgram& program() const { return program_; }

 private:
  lagrange::NumericStateSpace at(const std::map<std::string, double>& set) {
    return program_.evaluate(lagrange::parameter_values(system_, set));
  }

  const lagrange::System& system_;
  std::map<std::string, double> set_;
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
      lagrange::calc_frequency_response(system->at_set_values(), input, request.frequencies);
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

}  // namespace

std::string leading_state(const ModesAnalysis& analysis, const std::vector<Mode>& modes, int mode) {
  Eigen::Index largest = 0;
  lagrange::calc_participation(modes).col(mode).maxCoeff(&largest);
  return analysis.states[largest];
}

ModesAnalysis analyze_modes(const ModesRequest& request) {
  const lagrange::LagrangianModel file = lagrange::load_lagrangian(request.model);
  ModesAnalysis result;
  result.name = file.system.name;
  result.about = file.about;
  result.model = lagrange::make_linear_model(file.system, file.linearization);
  result.state_space = lagrange::make_state_space(result.model);
  for (const auto& [symbol, value] : lagrange::parameter_values(file.system, request.set)) {
    result.parameters.emplace(symbol.name(), value.number().to_double());
  }
  Evaluator system(file.system, request, result.state_space);
  result.states = system.program().state_names();
  const lagrange::NumericStateSpace s = system.at_set_values();
  result.modes = lagrange::calc_modes(s.A, s.B);
  result.participation = lagrange::calc_participation(result.modes);
  if (request.sweep) result.sweep = calc_sweep(*request.sweep, &system);
  if (request.responses) result.responses = calc_responses(*request.responses, &system);
  return result;
}

}  // namespace camber::app
