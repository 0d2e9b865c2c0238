#pragma once

#include <optional>
#include <string>

#include "camber/core/toml_reader.h"

namespace camber {

/// The table [run] of a model: how it is run unless its user says otherwise. A scenario has a table
/// of its own (scenario/run_table.h).
///
///   [run]
///   duration = 5
///   method = "bdf"
struct RunTable {
  std::optional<double> duration, step, sample_interval;  // [s]
  std::optional<double> tolerance;
  std::string method, formulation;           // empty: as usual for the kind of model
  std::string stabilization;                 // mechanisms
  std::optional<double> stabilization_rate;  // [1/s]
};

/// Reads the table of a model's file, if it has one; each reader of models calls it, so that no key
/// of it is unknown there.
RunTable read_run_table(const TomlNode& root);

}  // namespace camber
