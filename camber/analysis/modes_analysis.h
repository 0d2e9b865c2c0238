#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "camber/lagrange/frequency_response.h"
#include "camber/lagrange/linear_model.h"
#include "camber/lagrange/model_file.h"
#include "camber/lagrange/modes.h"
#include "camber/lagrange/numeric_state_space.h"
#include "camber/lagrange/root_locus.h"
#include "camber/lagrange/state_space.h"
#include "camber/multibody/dynamics.h"

namespace camber::analysis {

/// What to compute for a Lagrangian model besides its modes.
struct ModesRequest {
  struct Sweep {
    std::string parameter;
    std::vector<double> values;
    std::function<void()> between = {};  // called before each value; may throw to end the sweep
  };
  struct Responses {
    std::string input;
    std::vector<std::string> outputs;  // outputs of the model, or states
    std::vector<double> frequencies;   // [Hz]
  };
  std::optional<Sweep> sweep = {};
  std::optional<Responses> responses = {};
  bool has_matrices = false;  // ModesAnalysis::matrices, too
};

/// Modes of a linear model, how they change with a parameter, and how it responds to an input.
struct ModesAnalysis {
  std::string name;   // name of the model
  std::string about;  // what its file says about it
  std::map<std::string, double> parameters;
  lagrange::LinearModel model;  // a mechanism has notes alone
  lagrange::StateSpace state_space;
  Eigen::MatrixXd A;  // mechanisms only: x' = A x, instead of the state space
  std::vector<std::string> states;
  std::vector<lagrange::Mode> modes;
  Eigen::MatrixXd participation;        // states x modes
  std::vector<std::string> mode_names;  // vehicles only (vehicle_modes.h, drive_modes.h)

  /// E x' = A x + B u, y = C x + D u in numbers, where asked for and of every vehicle that drives.
  struct Matrices {
    std::vector<std::string> inputs, outputs;
    Eigen::MatrixXd E;  // empty: the identity
    Eigen::MatrixXd A, B, C, D;
  };
  std::optional<Matrices> matrices;
  /// The steady state that a vehicle that drives is linearized about.
  struct Value {
    std::string name, unit;
    double value = 0;
  };
  struct Steady {
    int gear = 0;
    std::vector<Value> states, inputs, outputs;
  };
  std::optional<Steady> steady;

  struct Sweep {
    std::string parameter;
    lagrange::RootLocus locus;
    std::vector<lagrange::StabilityLimit> limits;
  };
  std::optional<Sweep> sweep = {};

  struct Responses {
    std::string input;
    std::vector<std::string> outputs;
    std::vector<double> frequencies;                        // [Hz]
    std::vector<std::vector<std::complex<double>>> values;  // by output, then by frequency
  };
  std::optional<Responses> responses = {};
};

/// Linearizes a Lagrangian model about the motion that its file gives. Throws std::invalid_argument
/// for a parameter, input, output or state that the model does not have.
ModesAnalysis analyze_modes(const lagrange::LagrangianModel& model,
                            const ModesRequest& request = {});

/// Where to linearize a mechanism.
enum class LinearizedAt { kInitialState, kEquilibrium };

/// Linearizes a mechanism at its initial state, or at the equilibrium that is found from there.
/// Notes say where that is, and whether the initial state is an equilibrium. Throws
/// std::invalid_argument for a mechanism without a degree of freedom, and std::runtime_error when
/// no equilibrium is found or the accelerations cannot be calculated.
ModesAnalysis analyze_modes(multibody::MechanismDynamics* dynamics,
                            LinearizedAt where = LinearizedAt::kInitialState);

/// The state with the largest participation, by which readers recognize the mode.
std::string leading_state(const ModesAnalysis& analysis, const std::vector<lagrange::Mode>& modes,
                          int mode);

}  // namespace camber::analysis
