#include "camber/analysis/vehicle_modes.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <string>

#include "camber/core/require.h"
#include "camber/vehicle/expand.h"
#include "camber/vehicle/rig.h"

namespace camber::analysis {
namespace {

using lagrange::Mode;
using vehicle::Corner, vehicle::VehicleMechanism;

/// The wheels of one axle: where their travel stands among the states, and which way is up.
struct AxleTravel {
  std::string name;
  std::vector<int> states = {};    // all that belong to its corners, their rates included
  std::vector<int> travels = {};   // of each corner; -1: not a state
  std::vector<double> signs = {};  // +1: a positive coordinate lifts the wheel
};

int find_state(const ModesAnalysis& analysis, const std::string& name) {
  const auto found = std::find(analysis.states.begin(), analysis.states.end(), name);
  return found == analysis.states.end() ? -1 : static_cast<int>(found - analysis.states.begin());
}

/// The states of a coordinate: itself and its rate.
std::vector<int> find_states(const ModesAnalysis& analysis, const std::string& coordinate) {
  std::vector<int> found;
  for (const std::string& name : {coordinate, coordinate + "'"}) {
    const int state = find_state(analysis, name);
    if (state >= 0) found.push_back(state);
  }
  return found;
}

/// For each corner, those of a trailer last: +1 if a positive angle of its arm lifts the wheel.
std::vector<double> find_signs(const vehicle::Vehicle& car) {
  vehicle::Vehicle towing = car;
  towing.trailer.reset();
  std::vector<double> signs;
  vehicle::Rig rig(towing);
  for (int i = 0; i < static_cast<int>(rig.corners().size()); ++i) {
    constexpr double kSmall = 1e-3;  // [rad]
    rig.reset();
    signs.push_back(rig.turn_arm(i, kSmall) && rig.travel(i) < 0 ? -1 : 1);
  }
  if (car.trailer)
    for (const double sign : find_signs(*car.trailer->vehicle)) signs.push_back(sign);
  return signs;
}

std::vector<AxleTravel> find_travels(const vehicle::Vehicle& car, const VehicleMechanism& parts,
                                     const ModesAnalysis& analysis) {
  std::vector<AxleTravel> axles;
  for (const vehicle::Axle& axle : all_axles(car)) axles.push_back({.name = axle.name});
  const std::vector<double> signs = find_signs(car);
  for (std::size_t i = 0; i < parts.corners.size(); ++i) {
    const Corner& corner = parts.corners[i];
    AxleTravel& axle = axles[corner.axle];
    for (const std::string& coordinate : corner.coordinates)
      for (const int state : find_states(analysis, coordinate)) axle.states.push_back(state);
    // The last coordinate of the travel joint is the arm's angle.
    const std::string& arm = parts.mechanism.joints[corner.travel.value].name;
    int travel = -1;
    for (const std::string& coordinate : corner.coordinates)
      if (coordinate.starts_with(arm)) travel = find_state(analysis, coordinate);
    axle.travels.push_back(travel);
    axle.signs.push_back(signs[i]);
  }
  return axles;
}

double sum_participation(const ModesAnalysis& analysis, const std::vector<int>& states, int mode) {
  double sum = 0;
  for (const int state : states) sum += analysis.participation(state, mode);
  return sum;
}

/// In phase, or against each other: the sum of both wheels' heights against their difference.
bool is_tramp(const AxleTravel& axle, const Mode& mode) {
  if (axle.travels.size() != 2 || axle.travels[0] < 0 || axle.travels[1] < 0) return false;
  const std::complex<double> left = axle.signs[0] * mode.shape[axle.travels[0]];
  const std::complex<double> right = axle.signs[1] * mode.shape[axle.travels[1]];
  return std::abs(left - right) > std::abs(left + right);
}

}  // namespace

void name_vehicle_modes(const vehicle::Vehicle& vehicle, ModesAnalysis* analysis) {
  const VehicleMechanism parts = expand(vehicle);
  const std::vector<AxleTravel> axles = find_travels(vehicle, parts, *analysis);
  const std::string chassis = parts.mechanism.bodies[parts.chassis.value].name;
  std::map<std::string, std::vector<int>> motions;
  for (const auto& [axis, name] : {std::pair{".wx", "roll"}, {".wy", "pitch"}, {".vz", "bounce"}}) {
    motions[name] = find_states(*analysis, chassis + axis);
    motions[concat("trailer ", name)] = find_states(*analysis, concat("trailer_", chassis, axis));
  }
  motions["steering wheel"] = find_states(*analysis, "hand_wheel");
  if (parts.steering.valid())
    motions["steering"] = find_states(*analysis, parts.mechanism.joints[parts.steering.value].name);

  analysis->mode_names.clear();
  for (std::size_t k = 0; k < analysis->modes.size(); ++k) {
    const Mode& mode = analysis->modes[k];
    const int column = static_cast<int>(k);
    if (lagrange::classify(mode, analysis->modes) == lagrange::Stability::kNeutral) {
      analysis->mode_names.push_back(kRigidBodyMode);
      continue;
    }
    Eigen::Index leading = 0;
    double largest = analysis->participation.col(column).maxCoeff(&leading);
    std::string name = analysis->states[leading];
    const auto consider = [&](double share, const std::string& candidate) {
      if (share <= largest) return;
      largest = share;
      name = candidate;
    };
    for (const auto& [motion, states] : motions)
      consider(sum_participation(*analysis, states, column), motion);
    for (const AxleTravel& axle : axles)
      consider(sum_participation(*analysis, axle.states, column),
               axle.name + (is_tramp(axle, mode) ? " tramp" : " hop"));
    analysis->mode_names.push_back(name);
  }
}

}  // namespace camber::analysis
