#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own
class App;
}

namespace camber::app {

/// --set KEY=VALUE or PART:KEY=VALUE, repeatable: the texts for Overrides.
void add_set_option(CLI::App* command, std::vector<std::string>* assignments);

/// An option that became a key: hidden, and an error that says what to write instead.
void add_former_option(CLI::App* command, const std::string& option, const std::string& key);
/// Those of robots in URDF.
void add_former_robot_options(CLI::App* command);

}  // namespace camber::app
