#pragma once

#include <map>
#include <string>

#include "camber/core/diagnostics.h"
#include "camber/core/overrides.h"
#include "camber/core/toml_reader.h"
#include "camber/lagrange/linear_model.h"
#include "camber/lagrange/system.h"

namespace camber::lagrange {

/// A `kind = "lagrangian"` file (docs/manual/lagrangian-models.md).
struct LagrangianModel {
  System system;
  std::string about;  // one or two sentences, human-readable

  std::map<std::string, Frame> frames;
  std::map<std::string, Point> points;
  std::map<std::string, Vector> vectors;

  /// How to linearize it; `motion` is empty (all at rest at zero) when the file does not say.
  LinearizationSpec linearization;
  /// Values to start a simulation from: coordinates, speeds, extra variables.
  symbolic::Substitution initial;

  /// Where the file defines each coordinate and constraint, by name, for errors found later.
  std::map<std::string, Position> places;
};

/// Throws ModelFileError with every mistake of the file: unknown names, cycles among frames, forces
/// on bodies that do not exist, expressions that do not parse, each with file, line and key.
/// `overrides` replace values of the file: "parameters.V=20".
LagrangianModel load_lagrangian(const std::string& path, const Overrides& overrides = {});
LagrangianModel parse_lagrangian(std::string text, std::string file);
/// Reads a file that is already open; a pipe can be read only once.
LagrangianModel read_lagrangian(TomlFile file);

/// The values of the parameters, some of them overridden. Derived parameters are recomputed. Throws
/// std::invalid_argument that names unknown parameters, and parameters that are defined by each
/// other in a circle.
symbolic::Substitution parameter_values(const System& system,
                                        const std::map<std::string, double>& set = {});

}  // namespace camber::lagrange
