#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "camber/integrate/integrator.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/simulation_model.h"

namespace camber::lagrange {

/// Whether the model can move: throws ModelFileError at the coordinate that has no inertia, the
/// constraints that are redundant, or those that the file's [initial] cannot meet. Solves the
/// equations at some states, so it takes longer than reading the file.
void check_dynamics(const LagrangianModel& model);

/// A Lagrangian model as an integrator sees it, with its constraints as the projection. The model
/// must outlive it.
integrate::Ode make_ode(SimulationModel* model);

struct RunOptions {
  double duration = 10;       // [s] from time 0
  double sample_step = 0.01;  // [s] between samples; the integrator chooses its own steps
  /// Values that replace those of the file, by name.
  std::map<std::string, double> parameters = {};
  /// Initial values of coordinates "phi", speeds "phi'" and extra variables; they override the
  /// file's [initial]. Values given here are kept exactly; those of the file are adjusted to meet
  /// the constraints.
  std::map<std::string, double> initial = {};
  /// Functions of time [s]; inputs that are left out are 0.
  std::map<std::string, std::function<double(double)>> inputs = {};
  DerivationOptions derivation = {};
  integrate::IntegratorOptions integrator = {};
  /// Called after each sample; returning false ends the run.
  std::function<bool(double time)> go_on = {};
};

/// One quantity of a run over time.
struct Channel {
  enum class Kind : std::uint8_t {
    kCoordinate,
    kSpeed,
    kExtra,       // variables with equations of their own
    kMultiplier,  // constraint forces: lambda_NAME
    kInput,
    kOutput,   // output.NAME
    kEnergy,   // energy.kinetic, energy.potential (gravity and potentials), energy.total [J]
    kQuality,  // constraint_error: the largest residual of positions and speeds
  };
  std::string name;
  Kind kind = Kind::kCoordinate;
  std::vector<double> values;  // one per time
};

struct RunResult {
  std::vector<double> times;      // [s]
  std::vector<Channel> channels;  // in the order of Channel::Kind, then of the model
  integrate::StepResult result;   // why the run ended
  integrate::Statistics statistics;

  /// Throws std::invalid_argument that lists the names when there is no such channel.
  const Channel& channel(std::string_view name) const;
};

/// From a model to samples: equations, the consistent state nearest to the initial values,
/// integration, and all quantities of the model at equal steps. Bad options throw
/// std::invalid_argument (unknown names, conflicting initial values), a model that is singular
/// throws as check_dynamics() does; a failure during the run is reported in RunResult::result, with
/// the samples up to then.
RunResult simulate(const LagrangianModel& model, const RunOptions& options = {});

}  // namespace camber::lagrange
