#pragma once

// The HMMWV's driveline for tests, from the file of the repository.

#include "camber/driveline/driveline_file.h"

namespace camber::driveline {

inline const Driveline& load_hmmwv_driveline() {
  static const Driveline driveline = [] {
    TomlFile file = load_toml("models/equipment/hmmwv.toml");
    const AxleWheels axles[] = {{.name = "front", .left = 0, .right = 1},
                                {.name = "rear", .left = 2, .right = 3}};
    Driveline read = read_driveline(file.root(), axles);
    file.diagnostics().throw_if_any();
    return read;
  }();
  return driveline;
}

}  // namespace camber::driveline
