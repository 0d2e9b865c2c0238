#pragma once

// A Lagrangian model, advanced in time.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

struct MotionOptions {
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
};

/// A quantity of a model that is sampled.
struct Quantity {
  enum class Kind : std::uint8_t {
    kCoordinate,
    kSpeed,
    kExtra,       // variables with equations of their own
    kMultiplier,  // constraint forces: lambda_NAME
    kInput,
    kOutput,   // output.NAME
    kEnergy,   // energy.kinetic, energy.potential (gravity and potentials), energy.total [J]
    kQuality,  // constraint_error: max residual of positions and speeds
  };
  std::string name;
  Kind kind = Kind::kCoordinate;
};

/// From a model to a state that moves: equations, the consistent state nearest to the initial
/// values, integration, and all quantities of the model at any time.
class Motion {
 public:
  /// At t = 0. Bad options throw std::invalid_argument (unknown names, conflicting initial values),
  /// a singular model throws as check_dynamics() does.
  explicit Motion(const LagrangianModel& model, const MotionOptions& options = {});
  ~Motion();
  Motion(const Motion&) = delete;
  Motion& operator=(const Motion&) = delete;

  double time() const { return integrator_->time(); }  // [s]
  /// To a later time. A failure is in the result.
  integrate::StepResult advance_to(double time) { return integrator_->advance_to(time); }

  /// In the order of Quantity::Kind, then of the model.
  const std::vector<Quantity>& quantities() const;
  /// Their values now; valid until the next call.
  std::span<const double> sample();

  integrate::Statistics statistics() const { return integrator_->statistics(); }

 private:
  class Sampler;

  std::unique_ptr<SimulationModel> model_;
  std::unique_ptr<Sampler> sampler_;
  std::optional<integrate::Integrator> integrator_;
};

}  // namespace camber::lagrange
