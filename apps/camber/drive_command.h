#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/camber/commands.h"
#include "apps/camber/model_source.h"
#include "camber/record/run_folder.h"
#include "camber/sim/drive_setup.h"

namespace camber::app {

/// `camber run` of a scenario.
struct DriveCommandOptions {
  std::string file;
  std::optional<double> duration;      // instead of the scenario's [s]
  std::vector<std::string> overrides;  // --set
  double checkpoint_interval = 0;      // [s]; 0: none
  std::string restart;                 // checkpoint.json, or the folder that has it
  bool json = false;
};

/// A scenario that was read from `text` and built, with nothing left to do before its first step.
/// Throws ModelFileError with file, line and key, or the --set, that something is wrong with;
/// std::runtime_error where no code for its vehicle can be made.
sim::Drive build_drive(const std::string& file, const std::string& text,
                       const std::vector<std::string>& overrides, scenario::Scenario scenario);

/// Drives, writes the folder's files and says what came out: kRunFailed for a drive that does not
/// come to its end or misses a key figure. The folder is made once everything is read and the
/// vehicle stands; what is wrong before is a ModelFileError.
ExitCode run_scenario(const DriveCommandOptions& command,
                      const std::function<record::RunFolder()>& make_folder,
                      const std::string& text, scenario::Scenario scenario);

}  // namespace camber::app
