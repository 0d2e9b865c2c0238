#include "apps/camber/model_run.h"

#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "camber/core/require.h"
#include "camber/dynamics/standing_vehicle.h"
#include "camber/lagrange/motion.h"
#include "camber/multibody/relaxed_dynamics.h"
#include "camber/run/lagrangian_run.h"
#include "camber/run/mechanism_run.h"
#include "camber/run/wheel_run.h"

namespace camber::app {
namespace {

using multibody::Formulation;
using multibody::MechanismDynamics;
using multibody::Stabilization;
using run::RunOptions;

/// Constraints that relax need `uk`.
Formulation parse_formulation(const std::string& text, const multibody::Mechanism& mechanism) {
  if (text.empty()) return has_relaxation(mechanism) ? Formulation::kUk : Formulation::kCe;
  for (const Formulation f :
       {Formulation::kCe, Formulation::kTa, Formulation::kFa, Formulation::kUk}) {
    if (text == to_text(f)) return f;
  }
  require(text != kGenerated, "--formulation: ", kGenerated, " is for vehicles");
  throw std::invalid_argument(
      concat("--formulation: \"", text, "\" is not one of ce, ta, fa, uk, ", kGenerated));
}

std::optional<Stabilization> parse_stabilization(const std::string& text,
                                                 std::optional<double> rate) {
  if (text.empty()) return {};
  using Kind = Stabilization::Kind;
  if (text == "projection") return Stabilization{Kind::kProjection};
  if (text == "baumgarte")
    return rate ? Stabilization{Kind::kBaumgarte, *rate} : Stabilization{Kind::kBaumgarte};
  if (text == "none") return Stabilization{Kind::kNone};
  throw std::invalid_argument(
      concat("run.stabilization: \"", text, "\" is not one of projection, baumgarte, none"));
}

/// The choices of the user, completed by those of the model.
RunChoices complete(RunChoices choices, const RunTable& table) {
  const auto take = [](const auto& from, auto* value) {
    if (!*value) *value = from;
  };
  const auto take_word = [](const std::string& from, std::string* value) {
    if (value->empty()) *value = from;
  };
  take(table.duration, &choices.duration);
  take(table.step, &choices.step);
  take(table.sample_interval, &choices.sample);
  take(table.tolerance, &choices.tolerance);
  take_word(table.formulation, &choices.formulation);
  take_word(table.method, &choices.method);
  take_word(table.stabilization, &choices.stabilization);
  return choices;
}

/// The usual options with those of the command line.
RunOptions parse_options(const RunChoices& command, RunOptions usual) {
  if (!command.method.empty()) {
    const std::optional<run::RunMethod> method = run::find_run_method(command.method);
    require(method.has_value(), "--method: \"", command.method,
            "\" is not one of rk4, euler, midpoint, dopri, adams, bdf");
    usual.method = *method;
  }
  const auto take = [](const std::optional<double>& given, const char* option, const char* unit,
                       double* value) {
    if (given) check_positive(*given, option, unit);
    *value = given.value_or(*value);
  };
  take(command.duration, "--for", " s", &usual.duration);
  take(command.step, "--step", " s", &usual.step);
  take(command.sample, "--sample", " s", &usual.sample_interval);
  take(command.tolerance, "--tolerance", "", &usual.tolerance);
  return usual;
}

void require_duration(const RunChoices& command) {
  require(command.duration.has_value(),
          "--for: the model does not say how long; give --for SECONDS");
}

void refuse_mechanism_options(const RunChoices& command, const ModelSource& model,
                              const char* what) {
  require(command.formulation.empty() && command.stabilization.empty(), model.path(), " is ", what,
          ": --formulation and run.stabilization are for mechanisms");
  require(!command.step, "--step: ", model.path(), " is ", what,
          ", whose steps follow --tolerance");
}

/// What a mechanism's run points to.
struct MechanismParts {
  std::optional<MechanismDynamics> dynamics;
  std::optional<dynamics::StandingVehicle> generated;
};

std::unique_ptr<run::Runnable> make_lagrangian_run(const RunChoices& command,
                                                   const ModelSource& source,
                                                   const lagrange::LagrangianModel& model) {
  constexpr const char* kWhat = "a lagrangian model";
  require_duration(command);
  refuse_mechanism_options(command, source, kWhat);
  const RunOptions options = parse_options(command, {.method = run::RunMethod::kDopri});
  make_integrator_options(options, kWhat);  // before the long check
  lagrange::check_dynamics(model);
  return std::make_unique<run::LagrangianRun>(options, model);
}

std::unique_ptr<run::Runnable> make_wheel_run(const RunChoices& command, const ModelSource& source,
                                              rolling_wheel::WheelScenario scenario) {
  refuse_mechanism_options(command, source, "a rolling wheel");
  const RunOptions options = parse_options(command, run::make_wheel_options(scenario));
  return std::make_unique<run::WheelRun>(options, std::move(scenario));
}

std::unique_ptr<run::Runnable> make_mechanism_run(const RunChoices& command,
                                                  const ModelSource& model,
                                                  const multibody::Mechanism& mechanism,
                                                  MechanismParts* parts) {
  const Formulation formulation = parse_formulation(command.formulation, mechanism);
  require_duration(command);
  const RunOptions options = parse_options(command, {});
  require(command.stabilization.empty() || formulation != Formulation::kCe,
          "run.stabilization: ce has no loops that could open; it is for ta, fa and uk");
  run::MechanismRunSetup setup;
  setup.stabilization = choose_stabilization(
      options.method, formulation,
      parse_stabilization(command.stabilization, model.run_table().stabilization_rate));
  if (setup.stabilization.kind == Stabilization::Kind::kNone)  // to see how they open
    setup.max_position_error = std::numeric_limits<double>::infinity();
  parts->dynamics.emplace(make_dynamics(model, mechanism, formulation, setup.stabilization));
  require(parts->dynamics->nv() > 0, model.path(), ": no joint of \"", mechanism.name,
          "\" can move");
  return std::make_unique<run::MechanismRun>(options, &*parts->dynamics, std::move(setup));
}

/// Steps generated code; the samples are those of `ce`.
std::unique_ptr<run::Runnable> make_generated_run(const RunChoices& command,
                                                  const ModelSource& model,
                                                  const vehicle::VehicleMechanism& vehicle,
                                                  MechanismParts* parts) {
  require_duration(command);
  const RunOptions options = parse_options(command, {});
  require(command.stabilization.empty(), "run.stabilization: generated code has no loops to keep");
  parts->dynamics.emplace(make_dynamics(model, vehicle.mechanism, Formulation::kCe));
  parts->generated.emplace(vehicle);
  const dynamics::GeneratedChassis& chassis = parts->generated->chassis();
  run::SteppedState state{
      .system = parts->generated->make_system(),
      .q = {chassis.initial_q().begin(), chassis.initial_q().end()},
      .v = {chassis.initial_v().begin(), chassis.initial_v().end()},
      .to_seen = [&chassis](std::span<const double> q, std::span<const double> v,
                            std::span<double> seen_q,
                            std::span<double> seen_v) { chassis.to_tree(q, v, seen_q, seen_v); }};
  return std::make_unique<run::MechanismRun>(
      options, &*parts->dynamics,
      run::MechanismRunSetup{.stepped = std::move(state), .formulation = kGenerated});
}

}  // namespace

void check_positive(double x, const char* option, const char* unit) {
  require(x > 0 && x <= 1e300, option, ": must be > 0", unit, ", got ", x);
}

ModelRun make_model_run(const RunChoices& given, const std::vector<std::string>& overrides,
                        ModelSource* model) {
  const RunChoices choices = complete(given, model->run_table());
  require(model->is_vehicle() || !choices.standing, "--standing is for vehicles, not for ",
          model->path());
  ModelRun result;
  result.source = {.model_file = model->path(),
                   .model_text = model->text(),
                   .program = "camber " CAMBER_VERSION,
                   .overrides = overrides};
  for (const std::string& assignment : overrides)
    result.source.model_text += "\n# --set " + assignment;
  if (model->kind() == "rolling_wheel") {
    result.run = make_wheel_run(choices, *model, model->read_wheel());
    return result;
  }
  if (model->kind() == "lagrangian") {
    result.run = make_lagrangian_run(choices, *model, model->read_lagrangian());
    return result;
  }
  if (!model->is_mechanism())
    model->refuse_kind(
        "camber run simulates files of kind \"scenario\", \"mechanism\", \"vehicle\", "
        "\"lagrangian\" and \"rolling_wheel\", and robots in URDF");
  if (model->is_vehicle() && !choices.standing) result.notes.emplace_back(kFallsNote);
  const auto parts = std::make_shared<MechanismParts>();
  result.parts = parts;
  if (model->is_vehicle() && choices.formulation == kGenerated) {
    if (!choices.standing) model->check_generated();
    result.run = make_generated_run(choices, *model,
                                    model->read_vehicle_mechanism(choices.standing), parts.get());
    return result;
  }
  const multibody::Mechanism mechanism = model->read_mechanism(choices.standing);
  const std::string note = model->is_urdf() ? describe_loose_limits(mechanism) : "";
  result.notes.insert(result.notes.end(), model->notes().begin(), model->notes().end());
  if (!note.empty()) result.notes.push_back(note);
  result.run = make_mechanism_run(choices, *model, mechanism, parts.get());
  return result;
}

}  // namespace camber::app
