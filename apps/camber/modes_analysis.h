#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "camber/core/overrides.h"
#include "camber/lagrange/frequency_response.h"
#include "camber/lagrange/modes.h"
#include "camber/lagrange/numeric_state_space.h"
#include "camber/lagrange/root_locus.h"

namespace camber::app {

/// What `camber modes` is asked for.
struct ModesRequest {
  struct Sweep {
    std::string parameter;
    std::vector<double> values;
  };
  struct Responses {
    std::string input;
    std::vector<std::string> outputs;  // outputs of the model, or states
    std::vector<double> frequencies;   // [Hz]
  };
  std::string model;            // file
  bool at_equilibrium = false;  // of a mechanism: where it rests, not its initial state
  bool is_standing = false;     // of a vehicle: on its tires' springs
  Overrides overrides;
  std::optional<Sweep> sweep;
  std::optional<Responses> responses;
};

/// The answer, in numbers.
struct ModesAnalysis {
  std::string name;   // of the model
  std::string about;  // what its file says about it
  std::map<std::string, double> parameters;
  lagrange::LinearModel model;  // of a mechanism: notes alone
  lagrange::StateSpace state_space;
  Eigen::MatrixXd A;  // of a mechanism: x' = A x, instead of the state space
  std::vector<std::string> states;
  std::vector<lagrange::Mode> modes;
  Eigen::MatrixXd participation;  // states x modes

  struct Sweep {
    std::string parameter;
    lagrange::RootLocus locus;
    std::vector<lagrange::StabilityLimit> limits;
  };
  std::optional<Sweep> sweep;

  struct Responses {
    std::string input;
    std::vector<std::string> outputs;
    std::vector<double> frequencies;                        // [Hz]
    std::vector<std::vector<std::complex<double>>> values;  // by output, then by frequency
  };
  std::optional<Responses> responses;
};

/// Of a Lagrangian model about the motion that its file gives, or of a mechanism at its initial
/// state. Throws ModelFileError for files of other kinds, and std::invalid_argument where a
/// mechanism is asked for what only Lagrangian models have, or the other way around.
ModesAnalysis analyze_modes(const ModesRequest& request);

/// The state that takes part in the mode most: what a reader calls it by.
std::string leading_state(const ModesAnalysis& analysis, const std::vector<lagrange::Mode>& modes,
                          int mode);

}  // namespace camber::app
