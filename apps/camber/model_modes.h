#pragma once

#include <optional>

#include "apps/camber/model_source.h"
#include "camber/analysis/modes_analysis.h"

namespace camber::app {

/// What of a model is linearized, and about which motion.
struct ModesChoices {
  bool at_equilibrium = false;                      // mechanisms
  bool is_standing = false;                         // vehicles
  std::optional<double> speed = {};                 // scenarios: of the steady state [m/s]
  std::optional<double> lateral_acceleration = {};  // scenarios [m/s^2]
  std::optional<double> radius = {};                // scenarios: of the steady state's circle [m]
  analysis::ModesRequest request = {};
};

/// The modes of a model of any kind that has some; `overrides` are those of its source. Throws
/// std::invalid_argument for a choice that its kind does not have.
analysis::ModesAnalysis analyze_model_modes(const ModesChoices& choices, const Overrides& overrides,
                                            ModelSource* source);

}  // namespace camber::app
