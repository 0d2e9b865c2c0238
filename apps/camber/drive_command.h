#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/camber/commands.h"
#include "camber/record/run_folder.h"
#include "camber/scenario/scenario.h"

namespace camber::app {

/// `camber run` of a scenario.
struct DriveCommandOptions {
  std::string file;
  std::optional<double> duration;      // instead of the scenario's [s]
  std::vector<std::string> overrides;  // --set
  double checkpoint_interval = 0;      // [s]; 0: none
  std::string restart;                 // checkpoint.json, or the folder that has it
  bool real_time = false;              // paced by the clock
  std::string inputs;                  // folder of a drive by hand to be repeated
  bool json = false;
};

/// Drives, writes the folder's files and prints the outcome: kRunFailed for a drive that does not
/// reach its end or fails a key figure. The folder is made once everything is read and the vehicle
/// stands; what is wrong before that is a ModelFileError.
ExitCode run_scenario(const DriveCommandOptions& command,
                      const std::function<record::RunFolder()>& make_folder,
                      scenario::Scenario scenario);

}  // namespace camber::app
