#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/camber/model_source.h"
#include "camber/run/record_run.h"
#include "camber/run/runnable.h"

namespace camber::app {

inline constexpr const char* kGenerated = "generated";

/// How a model is run: the options of `camber run`. Empty: as its table [run] says, or as usual for
/// its kind.
struct RunChoices {
  std::optional<double> duration;  // [s]
  std::string formulation, method;
  std::optional<double> step, sample;  // [s]
  std::optional<double> tolerance;
  std::string stabilization;  // mechanisms
  bool standing = false;      // vehicles
};

/// A model that is ready to run, with what it runs on.
struct ModelRun {
  run::RunSource source;
  std::vector<std::string> notes;  // what its user should know
  std::shared_ptr<void> parts;     // that the run points to
  std::unique_ptr<run::Runnable> run;
};

/// For mechanisms, vehicles, robots, Lagrangian models and rolling wheels. `overrides` are those of
/// the source. Throws ModelFileError for a file, std::invalid_argument for a choice that does not go
/// with it; messages name choices as options: "--for: must be > 0 s".
ModelRun make_model_run(const RunChoices& choices, const std::vector<std::string>& overrides,
                        ModelSource* model);

/// Throws std::invalid_argument with the name of the option.
void check_positive(double x, const char* option, const char* unit);

}  // namespace camber::app
