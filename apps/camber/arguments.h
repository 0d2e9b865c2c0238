#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): its own
class App;
}

namespace camber::app {

/// The number that `text` is, all of it, and finite; else std::invalid_argument names the option.
double parse_number(const std::string& text, const std::string& option);

/// "1:2:3" -> {"1", "2", "3"}
std::vector<std::string> split(const std::string& text, char separator);

/// --set KEY=VALUE or PART:KEY=VALUE, repeatable: the texts for Overrides.
void add_set_option(CLI::App* command, std::vector<std::string>* assignments);

}  // namespace camber::app
