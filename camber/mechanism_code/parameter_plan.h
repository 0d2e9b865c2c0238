#pragma once

#include <optional>
#include <span>
#include <vector>

#include "camber/codegen/interpreter.h"

namespace camber::mechanism_code {

/// How the parameters of a vehicle's code follow from the constants of its mechanism: formulas that
/// are the same for all vehicles of one structure. It is stored with the code, so that a further
/// vehicle needs no derivation.
struct ParameterPlan {
  /// Without a value: no parameters.
  using Formulas = std::optional<codegen::Interpreter<double>>;
  struct Kernel {
    std::vector<int> members;  // groups of the sketch that use it
    Formulas formulas;         // (own and shared constants of the group) -> parameters of a use
  };
  std::vector<Kernel> kernels;
  Formulas prologue, epilogue;  // (constants of the whole vehicle) -> parameters

  codegen::MachineImage to_image() const;
  /// Throws std::invalid_argument if it is not the image of a plan.
  static ParameterPlan from_image(std::span<const int> words, std::span<const double> constants);
};

/// The values of formulas; of none, one zero that is not used.
std::vector<double> calc_parameters(ParameterPlan::Formulas formulas,
                                    std::span<const double> constants);

}  // namespace camber::mechanism_code
