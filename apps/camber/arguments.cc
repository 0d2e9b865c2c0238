#include "apps/camber/arguments.h"

#include <cmath>
#include <sstream>

#include <CLI/CLI.hpp>

#include "camber/core/require.h"

namespace camber::app {

double parse_number(const std::string& text, const std::string& option) {
  std::size_t used = 0;
  double value = 0.0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  require(used > 0 && used == text.size() && std::isfinite(value), option, ": \"", text,
          "\" is no number");
  return value;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

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
