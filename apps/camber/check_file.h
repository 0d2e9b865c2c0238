#pragma once

#include <optional>
#include <string>
#include <vector>

#include "camber/analysis/data_sheet.h"
#include "camber/core/diagnostics.h"
#include "camber/multibody/dynamics.h"
#include "camber/scenario/scenario.h"

namespace camber::app {

struct CheckOptions {
  std::optional<std::string> text = {};  // the file's text; empty: the file is read
  std::vector<std::string> overrides = {};
};

/// What one formulation of a mechanism solves for.
struct FormulationSize {
  std::string name;
  int coordinates = 0, constraints = 0;
  std::string problem = {};  // not empty: it cannot be used, and why
};

struct MechanismResult {
  multibody::Mobility mobility;
  multibody::AssemblyResult assembly;
  std::vector<FormulationSize> formulations;
};

struct CheckResult {
  std::string file;
  std::string kind;  // empty if the file does not say
  std::vector<Diagnostic> diagnostics;
  std::string note = {};
  std::vector<std::string> notes = {};            // scenarios and tires only
  std::optional<MechanismResult> mechanism;       // only if it assembles
  std::optional<analysis::DataSheet> data_sheet;  // vehicles that assemble
  std::optional<scenario::Scenario> scenario;

  bool ok() const { return diagnostics.empty(); }
};

/// Everything that can be found out without running it. Mistakes are in the result.
CheckResult check_file(const std::string& path, const CheckOptions& options);

/// One file gives an object, several give a list of objects.
std::string to_json(const std::vector<CheckResult>& results);

}  // namespace camber::app
