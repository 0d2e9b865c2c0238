#include "apps/camber/arguments.h"

#include <CLI/CLI.hpp>

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

}  // namespace camber::app
