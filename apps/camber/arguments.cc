#include "apps/camber/arguments.h"

#include <CLI/CLI.hpp>

#include "camber/core/require.h"

namespace camber::app {

void add_set_option(CLI::App* command, std::vector<std::string>* assignments) {
  // One value each: the next word may be the file.
  command
      ->add_option("--set", *assignments,
                   "Replace a value of the file, or of a file that it names (PART:KEY=VALUE); "
                   "repeat for more")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_former_option(CLI::App* command, const std::string& option, const std::string& key) {
  command
      ->add_option_function<std::string>(
          option,
          [=](const std::string& value) {
            throw CLI::ValidationError(option, concat("now a key: --set ", key, "=", value));
          })
      ->group("");
}

void add_former_robot_options(CLI::App* command) {
  const auto add_flag = [&](const std::string& option, const std::string& key) {
    command
        ->add_flag_callback(
            option,
            [=] { throw CLI::ValidationError(option, concat("now a key: --set ", key, "=true")); })
        ->group("");
  };
  add_flag("--floating-base", "robot.floating_base");
  add_flag("--strict", "robot.strict");
  add_former_option(command, "--stop-stiffness", "robot.stop_stiffness");
  add_former_option(command, "--stop-damping", "robot.stop_damping");
}

}  // namespace camber::app
