#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own
class App;
}

namespace camber::app {

/// --set KEY=VALUE or PART:KEY=VALUE, repeatable: the texts for Overrides.
void add_set_option(CLI::App* command, std::vector<std::string>* assignments);

}  // namespace camber::app
