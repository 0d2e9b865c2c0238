#pragma once

#include <functional>

namespace CLI {  // NOLINT(readability-identifier-naming): its own
class App;
}

namespace camber::app {

/// What every command ends with: `camber run ...; echo $?`.
enum ExitCode {
  kOk = 0,
  kRunFailed = 1,
  kBadUsageOrFile = 2,
  kOutOfTime = 75,  // a worker of a study whose queue's time limit is near: to be started again
};

/// The command that the arguments chose, with its options bound. Results go to stdout, all else to
/// stderr. It throws ModelFileError or std::invalid_argument for what the user gave it, and any
/// other exception when the run failed; main() prints these.
using Command = std::function<ExitCode()>;

/// Each adds one subcommand, in a file of its own: <name>_command.cc. Its callback stores in
/// *chosen what is to be run; nothing runs while arguments are still being read.
void add_bench_command(CLI::App* app, Command* chosen);
void add_check_command(CLI::App* app, Command* chosen);
void add_city_command(CLI::App* app, Command* chosen);
void add_compare_command(CLI::App* app, Command* chosen);
void add_demo_command(CLI::App* app, Command* chosen);
void add_derive_command(CLI::App* app, Command* chosen);
void add_drive_command(CLI::App* app, Command* chosen);
void add_expr_command(CLI::App* app, Command* chosen);
void add_generate_command(CLI::App* app, Command* chosen);
void add_modes_command(CLI::App* app, Command* chosen);
void add_plan_command(CLI::App* app, Command* chosen);
void add_report_command(CLI::App* app, Command* chosen);
void add_rig_command(CLI::App* app, Command* chosen);
void add_run_command(CLI::App* app, Command* chosen);
void add_sensors_command(CLI::App* app, Command* chosen);
void add_scene_command(CLI::App* app, Command* chosen);
void add_study_command(CLI::App* app, Command* chosen);
void add_terrain_command(CLI::App* app, Command* chosen);
void add_view_command(CLI::App* app, Command* chosen);

}  // namespace camber::app
