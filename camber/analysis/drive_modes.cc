#include "camber/analysis/drive_modes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "camber/analysis/vehicle_modes.h"
#include "camber/core/require.h"
#include "camber/core/suggestion.h"
#include "camber/core/text.h"

namespace camber::analysis {
namespace {

using dynamics::LinearVehicle, dynamics::SteadyState, dynamics::VehicleEquations;
using lagrange::Mode;

constexpr double kDegrees = 180 / std::numbers::pi;

std::vector<std::string> names_of(const std::vector<VehicleEquations::Quantity>& quantities) {
  std::vector<std::string> names;
  for (const VehicleEquations::Quantity& quantity : quantities) names.push_back(quantity.name);
  return names;
}

std::vector<Mode> find_modes(const LinearVehicle& linear) {
  return lagrange::calc_modes(MatrixX<double>::Identity(linear.A.rows(), linear.A.rows()),
                              linear.A);
}

/// Wheels of an axle move against each other: their lifts differ by more than they have in common.
bool is_tramp(const LinearVehicle& linear, const std::string& group, const Mode& mode) {
  std::complex<double> sum = 0, difference = 0;
  double side = 1;
  for (std::size_t i = 0; i < linear.states.size(); ++i) {
    const VehicleEquations::Quantity& state = linear.states[i];
    if (state.group != group || state.lift == 0) continue;
    const std::complex<double> lift = state.lift * mode.shape[static_cast<Eigen::Index>(i)];
    sum += lift;
    difference += side * lift;
    side = -side;
  }
  return std::abs(difference) > std::abs(sum);
}

std::string name_mode(const LinearVehicle& linear, const Mode& mode,
                      const Eigen::VectorXd& participation) {
  std::map<std::string, double> groups;
  for (std::size_t i = 0; i < linear.states.size(); ++i)
    groups[linear.states[i].group] += participation[static_cast<Eigen::Index>(i)];
  const auto largest = std::ranges::max_element(groups, {}, [](const auto& g) { return g.second; });
  std::string name = largest->first;
  const std::string hop = " hop";
  if (name.ends_with(hop) && is_tramp(linear, name, mode))
    name.replace(name.size() - hop.size(), hop.size(), " tramp");
  return name;
}

std::string describe(const SteadyState& steady, int gear) {
  using E = VehicleEquations;
  const double speed = steady.y[E::kSpeed], rate = steady.y[E::kYawRate];
  if (speed == 0) return "at rest";
  const bool turns = std::abs(steady.y[E::kLateralAcceleration]) > 1e-6;
  const std::string way =
      turns ? concat("turning with ", short_text(steady.y[E::kLateralAcceleration], 4),
                     " m/s^2, radius ", short_text(speed / rate, 5), " m")
            : std::string("straight ahead");
  const double brake = steady.u[E::kBrake];
  return concat("at ", short_text(speed, 5), " m/s (", short_text(3.6 * speed, 4), " km/h), ", way,
                ": steering wheel ", short_text(kDegrees * steady.u[E::kSteeringWheel], 4),
                " deg, ", brake > 0 ? "brake " : "throttle ",
                short_text(brake > 0 ? brake : steady.u[E::kThrottle], 3), ", gear ", gear,
                ", side slip ", short_text(kDegrees * steady.y[E::kSideslip], 3), " deg");
}

ModesAnalysis::Responses calc_responses(const ModesRequest::Responses& request,
                                        const ModesAnalysis& analysis) {
  const ModesAnalysis::Matrices& m = *analysis.matrices;
  const auto place = [](const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
  };
  const int input = place(m.inputs, request.input);
  require(input >= 0, "the vehicle has no input \"", request.input, "\"",
          did_you_mean(request.input, m.inputs));
  std::vector<std::string> known = m.outputs;
  known.insert(known.end(), analysis.states.begin(), analysis.states.end());
  for (const std::string& name : request.outputs)
    require(place(known, name) >= 0, "the vehicle has no output or state \"", name, "\"",
            did_you_mean(name, known));
  const lagrange::NumericStateSpace system{.E = MatrixX<double>::Identity(m.A.rows(), m.A.rows()),
                                           .A = m.A,
                                           .B = m.B,
                                           .C = m.C,
                                           .D = m.D};
  ModesAnalysis::Responses result{request.input, request.outputs, request.frequencies, {}};
  result.values.resize(request.outputs.size());
  for (const auto& response :
       lagrange::calc_frequency_response(system, input, request.frequencies)) {
    for (std::size_t i = 0; i < request.outputs.size(); ++i) {
      const int output = place(m.outputs, request.outputs[i]);
      result.values[i].push_back(output >= 0
                                     ? response.outputs[output]
                                     : response.states[place(analysis.states, request.outputs[i])]);
    }
  }
  return result;
}

std::vector<ModesAnalysis::Value> values_of(
    const std::vector<VehicleEquations::Quantity>& quantities, const std::vector<double>& values) {
  std::vector<ModesAnalysis::Value> named;
  for (std::size_t i = 0; i < values.size(); ++i)
    named.push_back({quantities[i].name, quantities[i].unit, values[i]});
  return named;
}

}  // namespace

ModesAnalysis analyze_drive(VehicleEquations* equations, const DriveModesRequest& request) {
  const SteadyState steady = find_steady_state(equations, request.motion);
  const LinearVehicle linear = linearize(equations, steady);
  ModesAnalysis result;
  result.states = names_of(linear.states);
  result.matrices = {.inputs = names_of(linear.inputs),
                     .outputs = names_of(linear.outputs),
                     .E = {},
                     .A = linear.A,
                     .B = linear.B,
                     .C = linear.C,
                     .D = linear.D};
  result.steady = {.gear = equations->gear(),
                   .states = values_of(linear.states, steady.x),
                   .inputs = values_of(linear.inputs, steady.u),
                   .outputs = values_of(linear.outputs, steady.y)};
  result.model.notes.push_back("linearized " + describe(steady, equations->gear()));
  constexpr double kInexact = 1e-4;
  if (linear.error > kInexact)
    result.model.notes.push_back(
        concat("derivatives are uncertain by up to ", short_text(linear.error, 2),
               " of the largest in their row: a kink of a table or a law is near"));
  result.modes = find_modes(linear);
  result.participation = lagrange::calc_participation(result.modes);
  for (std::size_t k = 0; k < result.modes.size(); ++k) {
    const bool is_neutral =
        lagrange::classify(result.modes[k], result.modes) == lagrange::Stability::kNeutral;
    result.mode_names.push_back(
        is_neutral ? kRigidBodyMode
                   : name_mode(linear, result.modes[k],
                               result.participation.col(static_cast<Eigen::Index>(k))));
  }
  if (request.responses) result.responses = calc_responses(*request.responses, result);
  return result;
}

ModesAnalysis::Sweep sweep_speed(
    const std::function<std::unique_ptr<VehicleEquations>(double)>& equations_at,
    const dynamics::SteadyRequest& motion, const std::vector<double>& speeds) {
  const lagrange::ModesAt modes_at = [&](double speed) {
    const auto equations = equations_at(speed);
    dynamics::SteadyRequest at = motion;
    at.speed = speed;
    return find_modes(linearize(equations.get(), find_steady_state(equations.get(), at)));
  };
  // Brakes and tire lags of all wheels have nearly the same eigenvalues: to follow each of them
  // through every crossing would take thousands of steps between two speeds.
  lagrange::RootLocus locus{.parameter = speeds, .branches = {}};
  for (const double speed : speeds) {
    const std::vector<Mode> modes = modes_at(speed);
    if (locus.branches.empty()) {
      for (const Mode& mode : modes) locus.branches.push_back({mode});
      continue;
    }
    std::vector<Mode> last;
    for (const std::vector<Mode>& branch : locus.branches) last.push_back(branch.back());
    require(modes.size() == last.size(), "sweep_speed: ", modes.size(), " modes at ", speed,
            " m/s, ", last.size(), " before");
    const std::vector<int> next = lagrange::match_modes(last, modes);
    for (std::size_t k = 0; k < last.size(); ++k)
      locus.branches[k].push_back(modes[static_cast<std::size_t>(next[k])]);
  }
  ModesAnalysis::Sweep sweep{"speed", std::move(locus), {}};
  // Limits are on the line between two speeds.
  for (std::size_t k = 0; k < sweep.locus.branches.size(); ++k) {
    const std::vector<Mode>& branch = sweep.locus.branches[k];
    for (std::size_t i = 1; i < branch.size(); ++i) {
      const double before = branch[i - 1].eigenvalue.real(), after = branch[i].eigenvalue.real();
      if ((before < 0) == (after < 0) || branch[i].eigenvalue.imag() < 0) continue;
      sweep.limits.push_back(
          {.parameter = speeds[i - 1] + (speeds[i] - speeds[i - 1]) * before / (before - after),
           .mode = branch[i],
           .becomes_stable = after < 0,
           .branch = static_cast<int>(k)});
    }
  }
  return sweep;
}

}  // namespace camber::analysis
