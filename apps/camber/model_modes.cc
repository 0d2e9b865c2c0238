#include "apps/camber/model_modes.h"

#include <utility>

#include "camber/analysis/drive_modes.h"
#include "camber/analysis/vehicle_modes.h"
#include "camber/core/require.h"
#include "camber/scenario/build_scenario.h"

namespace camber::app {

namespace {

using analysis::ModesAnalysis;

ModesAnalysis analyze_mechanism(const ModesChoices& choices, const Overrides& overrides,
                                ModelSource* source) {
  const analysis::ModesRequest& request = choices.request;
  require(
      !request.sweep && !request.responses && !request.has_matrices, source->path(),
      " is a mechanism: --sweep, --frf and --state-space need a lagrangian model or a scenario");
  const multibody::Mechanism mechanism = source->read_mechanism(choices.is_standing);
  auto dynamics = make_dynamics(*source, mechanism, multibody::Formulation::kCe);
  using analysis::LinearizedAt;
  ModesAnalysis result = analyze_modes(
      &dynamics, choices.at_equilibrium ? LinearizedAt::kEquilibrium : LinearizedAt::kInitialState);
  if (!source->is_vehicle()) return result;
  if (choices.is_standing) {
    ModelSource again(source->path(), source->text(), overrides);  // read_mechanism() has used it
    name_vehicle_modes(again.read_vehicle(), &result);
  } else {
    result.model.notes.emplace_back(kFallsNote);
  }
  return result;
}

dynamics::SteadyRequest find_motion(const ModesChoices& choices,
                                    const scenario::Scenario& scenario) {
  dynamics::SteadyRequest motion{.speed = find_scenario_speed(scenario)};
  if (choices.speed) motion.speed = *choices.speed;
  require(motion.speed >= 0, "--speed: must be >= 0 m/s, got ", motion.speed);
  require(!choices.lateral_acceleration || !choices.radius,
          "--lateral-acceleration and --radius: give one of the two");
  if (choices.lateral_acceleration) motion.lateral_acceleration = *choices.lateral_acceleration;
  if (choices.radius) {
    motion.radius = *choices.radius;
    require(*motion.radius != 0, "--radius: must not be 0 m");
  }
  return motion;
}

ModesAnalysis analyze_scenario(const ModesChoices& choices, ModelSource* source) {
  const analysis::ModesRequest& request = choices.request;
  require(!choices.at_equilibrium && !choices.is_standing,
          "--equilibrium and --standing are for mechanisms; a scenario's vehicle stands with "
          "--speed 0");
  require(!request.sweep || request.sweep->parameter == "speed",
          "--sweep: a scenario is swept over speed=FIRST:LAST:STEP, not over ",
          request.sweep ? request.sweep->parameter : "");
  const scenario::Scenario scenario = source->read_scenario();
  const dynamics::SteadyRequest motion = find_motion(choices, scenario);
  scenario::PartsCache cache;
  scenario::LevelVehicle vehicle = make_level_vehicle(scenario, motion.speed, &cache);
  ModesAnalysis result = analysis::analyze_drive(
      vehicle.equations.get(), {.motion = motion, .responses = request.responses});
  result.name = scenario.name;
  result.about = scenario.about;
  if (!request.sweep) return result;
  // Equations refer to the vehicle that they were made for.
  scenario::LevelVehicle swept;
  const auto equations_at = [&](double speed) {
    if (request.sweep->between) request.sweep->between();
    swept.equations.reset();
    swept = make_level_vehicle(scenario, speed, &cache);
    return std::move(swept.equations);
  };
  result.sweep = analysis::sweep_speed(equations_at, motion, request.sweep->values);
  return result;
}

}  // namespace

ModesAnalysis analyze_model_modes(const ModesChoices& choices, const Overrides& overrides,
                                  ModelSource* source) {
  if (source->kind() == "scenario") return analyze_scenario(choices, source);
  require(!choices.speed && !choices.lateral_acceleration && !choices.radius,
          "--speed, --lateral-acceleration and --radius are for scenarios, not for ",
          source->path());
  if (source->is_mechanism()) return analyze_mechanism(choices, overrides, source);
  require(!choices.at_equilibrium, "--equilibrium is for mechanisms: the motion of ",
          source->path(), " is given in the file");
  require(!choices.is_standing, "--standing is for vehicles, not for ", source->path());
  return analyze_modes(source->read_lagrangian(), choices.request);
}

}  // namespace camber::app
